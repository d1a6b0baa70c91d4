"""Numbers that public functions and classes take by default: their contract in Python.

`default_arguments.txt` lists them by function. A new argument need not be there; one that changes
is a change that users notice, and belongs into `CHANGELOG.md` as well.
"""

import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import pyramidion
from support import needs_package

FROZEN = Path(__file__).with_name("default_arguments.txt")


def public_modules():
    """Import the packages' fronts, and the modules that packages share."""
    for module in pkgutil.walk_packages(pyramidion.__path__, "pyramidion."):
        if "._" not in module.name and "__main__" not in module.name:
            yield import_module(module.name)


def functions_of(module):
    """List the exported functions, and the methods of exported classes."""
    for name in getattr(module, "__all__", ()):
        exported = getattr(module, name)
        if inspect.isclass(exported):
            yield exported, name
            members = inspect.getmembers(exported, inspect.isroutine)
            yield from ((f, f"{name}.{method}") for method, f in members if method[0] != "_")
        elif inspect.isfunction(exported):
            yield exported, name


def default_numbers():
    """Say of each argument that is a number, or has several, what it is by default."""
    numbers = {}
    for module in public_modules():
        for function, name in functions_of(module):
            if not getattr(function, "__module__", "").startswith("pyramidion"):
                continue
            try:
                parameters = inspect.signature(function).parameters.values()
            except (TypeError, ValueError):  # compiled, or a descriptor
                continue
            for parameter in parameters:
                if is_number(parameter.default):
                    numbers[f"{module.__name__}.{name} {parameter.name}"] = repr(parameter.default)
    return numbers


def is_number(value):
    """Tell numbers, and tuples that have some, from other values."""
    if isinstance(value, tuple):
        return any(map(is_number, value))
    return isinstance(value, int | float) and not isinstance(value, bool)


def test_numbers_that_are_default_arguments_stay():
    needs_package("studies")
    numbers = default_numbers()
    frozen = dict(line.split(": ", 1) for line in FROZEN.read_text("utf-8").splitlines())
    assert len(frozen) > 100
    assert {name: numbers.get(name) for name in frozen} == frozen
