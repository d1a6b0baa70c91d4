"""Choice of the compiled or the Python kernels, and the message when the slow ones are used."""

import logging
import os
from functools import cache
from typing import Literal

__all__ = ["BACKEND", "announce_slow_path"]

_KERNELS_VARIABLE = "PYRAMIDION_KERNELS"


def _fallback_reason() -> str | None:
    """Return why the compiled kernels are not used, or None if they are."""
    if os.environ.get(_KERNELS_VARIABLE, "").strip().lower() == "python":
        return f"{_KERNELS_VARIABLE}=python selects them"
    try:
        import pyramidion.kernels._native  # noqa: F401
    except ModuleNotFoundError:
        return "it was installed without a working C++17 compiler; install one, then reinstall"
    except ImportError as error:
        return f"the compiled ones cannot be loaded ({error}); reinstall pyramidion"
    return None


_FALLBACK_REASON = _fallback_reason()

BACKEND: Literal["native", "python"] = "native" if _FALLBACK_REASON is None else "python"
"""Which kernels are in use."""


@cache
def announce_slow_path() -> None:
    """Log once, to ``pyramidion.kernels``, that the slow kernels are used.

    A log record rather than a warning: it is one plain line on standard error unless the program
    configures logging, and it does not fail test runs that turn warnings into errors.
    """
    if _FALLBACK_REASON is not None:
        logger = logging.getLogger("pyramidion.kernels")
        logger.warning("pyramidion uses its slow Python kernels: %s", _FALLBACK_REASON)
