"""Names of files that figures are written to."""

__all__ = ["figure_stem"]


def figure_stem(*parts: str) -> str:
    """Join what a figure shows into the name of its file, without its ending.

    Examples
    --------
    >>> figure_stem("classy/25", "", "gap")
    'classy_25-gap'
    """
    return "-".join(part.replace("/", "_") for part in parts if part)
