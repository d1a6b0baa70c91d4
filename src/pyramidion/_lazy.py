"""Package fronts whose names are loaded when they are first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_front"]


def lazy_front(
    package: str, modules: Mapping[str, str]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Give the `__all__`, `__getattr__` and `__dir__` of a package from a table of its names.

    Examples
    --------
    >>> names, load, listed = lazy_front("json", {"JSONDecoder": "decoder"})
    >>> load("JSONDecoder").__name__, names
    ('JSONDecoder', ['JSONDecoder'])
    """
    public = sorted(modules)

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    def listed() -> list[str]:
        own = (name for name in vars(sys.modules[package]) if name.startswith("__"))
        return sorted({*public, *own})

    return public, load, listed
