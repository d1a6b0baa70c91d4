"""What commands that are not converted yet check before they draw; goes with the last of them."""

from pathlib import Path

from pyramidion.errors import InputError, Where
from pyramidion.report.charts import FIGURE_FORMS

__all__ = ["require_figures"]


def require_figures(folder: str | Path, form: str) -> None:
    """Refuse, before any work, what figures cannot be written to."""
    if form not in FIGURE_FORMS:
        raise InputError(f"figures cannot be written as {form}", hint="use svg, pdf or png")
    there = Path(folder)
    if there.exists() and (not there.is_dir() or any(there.iterdir())):
        raise InputError("the folder exists already", where=Where(folder), hint="name another")
