"""Package fronts whose names are loaded on first use."""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["lazy_front"]


def lazy_front(
    package: str,
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__all__`, `__getattr__` and `__dir__` of a package.

    Type checkers and this function read its public names in ``__init__.pyi``: each is imported by
    ``from MODULE import NAME as NAME``. Functions made by `question` have their signature instead,
    under a comment that reads ``# from MODULE import NAME`` (`tools/stubs.py` writes both).

    Examples
    --------
    >>> names, load, listed = lazy_front("pyramidion.demo")
    >>> load("load_demo").__name__, names
    ('load_demo', ['Scene', 'Tour', 'excerpt', 'load_demo', 'load_evaluation', 'tour'])
    """
    front: Any = sys.modules[package]
    stub = front.__loader__.get_data(f"{front.__file__}i").decode()
    # The name may be in brackets on a separate line; other imports have no `as`.
    exports = re.findall(r"^(# )?from (\S+) import (?:\(\s+)?(\w+)(?(1)$| as )", stub, re.M)
    module_by_name = {name: module for _, module, name in exports}
    public_names = sorted(module_by_name)

    def load(name: str) -> Any:
        if name not in module_by_name:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(module_by_name[name]), name)

    def listed() -> list[str]:
        attributes = (name for name in vars(front) if name.startswith("__"))
        return sorted({*public_names, *attributes})

    return public_names, load, listed
