"""Files that figures of pyramids are written to."""

from pathlib import Path

from pyramidion.errors import InputError, Where

__all__ = ["require_figure_file"]


def require_figure_file(path: str | Path) -> None:
    """Refuse, before any work, a file that no figure can be written to.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> require_figure_file("tiers.gif")
    Traceback (most recent call last):
    pyramidion.errors.InputError: tiers.gif: no figure can be written as '.gif'; ...
    """
    from pyramidion.report.charts import FIGURE_FORMS
    from pyramidion.report.charts.style import style_context

    file = Path(path)
    if file.suffix.lower().removeprefix(".") not in FIGURE_FORMS:
        raise InputError(
            f"no figure can be written as {file.suffix!r}",
            where=Where(path),
            hint="end the name in .svg, .pdf or .png",
        )
    if not file.parent.is_dir():
        raise InputError(
            f"the folder {file.parent} does not exist", where=Where(path), hint="make it first"
        )
    with style_context():
        # Tells whether the extra for figures is there.
        pass
