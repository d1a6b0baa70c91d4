"""Package fronts whose names are loaded when they are first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_front"]


def lazy_front(
    package: str, modules: Mapping[str, str]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Give the `__all__`, `__getattr__` and `__dir__` of a package from its modules' public names.

    Examples
    --------
    >>> names, load, listed = lazy_front("json", {"decoder": "JSONDecodeError JSONDecoder"})
    >>> load("JSONDecoder").__name__, names
    ('JSONDecoder', ['JSONDecodeError', 'JSONDecoder'])
    """
    module_of = {name: module for module, names in modules.items() for name in names.split()}
    public = sorted(module_of)

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    def listed() -> list[str]:
        own = (name for name in vars(sys.modules[package]) if name.startswith("__"))
        return sorted({*public, *own})

    return public, load, listed
