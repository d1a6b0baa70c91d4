"""Which kernels are in use, and the one line that says when they are the slow ones."""

import logging
import os
from functools import cache
from typing import Literal

__all__ = ["BACKEND", "announce_slow_path"]

_VARIABLE = "PYRAMIDION_KERNELS"


def _why_python() -> str | None:
    """Say why the compiled kernels are not used, or None if they are."""
    if os.environ.get(_VARIABLE, "").strip().lower() == "python":
        return f"{_VARIABLE}=python asks for them"
    try:
        import pyramidion.kernels._native  # noqa: F401
    except ModuleNotFoundError:
        return "it was installed without a working C++17 compiler; install one, then reinstall"
    except ImportError as error:
        return f"the compiled ones cannot be loaded ({error}); reinstall pyramidion"
    return None


_REASON = _why_python()

BACKEND: Literal["native", "python"] = "native" if _REASON is None else "python"
"""Which kernels are in use."""


@cache
def announce_slow_path() -> None:
    """Say once, through the logger ``pyramidion.kernels``, that the slow path is in use.

    A log record rather than a warning: it is one plain line on standard error unless the
    program has set up logging, and no test run that turns warnings into errors fails of it.
    """
    if _REASON is not None:
        logger = logging.getLogger("pyramidion.kernels")
        logger.warning("pyramidion uses its slow Python kernels: %s", _REASON)
