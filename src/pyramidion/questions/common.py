"""Options that several questions share."""

from typing import Any

from pyramidion.questions.options import option


def resamples_option(
    default: int, help: str, *, min: int | None = 1, max: int | None = 1_000_000
) -> Any:
    """Declare ``--resamples``: the number of resamples."""
    return option(default, help, flags=("--resamples",), min=min, max=max)


def confidence_option(
    help: str, *, metavar: str | None = None, on_command_line: bool = True
) -> Any:
    """Declare ``--confidence`` (or a keyword for Python only), 95% by default."""
    flags = ("--confidence",) if on_command_line else ()
    return option(
        0.95, help, flags=flags, metavar=metavar, between=(0, 1), on_command_line=on_command_line
    )


def correction_option() -> Any:
    """Declare ``--correction``; max-T by default."""
    help = (
        "Correction for multiple comparisons: maxt (step-down), maxt-single, holm, bh (false "
        "discovery rate) or none."
    )
    return option("maxt", help)


def source_format_option(source_name: str, *, panel: str = "") -> Any:
    """Declare ``--from``: the format of the input."""
    help = f"Format of the {source_name}; detected by default."
    return option(None, help, flags=("--from",), metavar="FORMAT", panel=panel)
