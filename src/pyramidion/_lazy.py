"""Package fronts whose names are loaded when they are first used."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["lazy_front"]


def lazy_front(
    package: str,
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__all__`, `__getattr__` and `__dir__` of a package.

    Its public names and their modules are those that ``__init__.pyi`` imports, one a statement;
    type checkers read them there, too.

    Examples
    --------
    >>> names, load, listed = lazy_front("pyramidion.demo")
    >>> load("load_demo").__name__, names
    ('load_demo', ['load_demo', 'tour'])
    """
    front: Any = sys.modules[package]
    stub = front.__loader__.get_data(f"{front.__file__}i").decode()
    # from MODULE import NAME as NAME, the name perhaps in brackets on a line of its own.
    words = (line.split() for line in stub.replace("(\n", "").splitlines())
    module_of = {own[3]: own[1] for own in words if own[:1] == ["from"]}
    public = sorted(module_of)

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(module_of[name]), name)

    def listed() -> list[str]:
        own = (name for name in vars(front) if name.startswith("__"))
        return sorted({*public, *own})

    return public, load, listed
