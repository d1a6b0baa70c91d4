"""Types of options and results as signatures, `help` and stubs show them.

A long union has a name: ``Annotated[Collection | Scores | str, "pyramidion.collection:Source"]``.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pyramidion.questions.options import OptionSpec


class TypeText:
    """A type as source code; `inspect.signature` shows it without modules.

    For an option, it is what callers may pass: a string for a path, or one value for a sequence.
    """

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return self.write({})

    def write(self, modules: dict[str, str]) -> str:
        """Return the source code, and add the names to import to `modules`."""
        if isinstance(self.kind, OptionSpec):
            return _accepted_types(self.kind, modules)
        return _write_type(self.kind, modules)


def _accepted_types(spec: OptionSpec, modules: dict[str, str]) -> str:
    types = [*_union_members(spec.inner if spec.is_sequence else spec.type)]
    if spec.rules.get("plugins"):
        types.append(str)  # the words that other packages add
    if callable(spec.rules.get("code")):
        types.append(Callable[..., Any])  # a function that the caller passes
    widened_types = chain.from_iterable((str, Path) if part is Path else (part,) for part in types)
    item = _join_types(_write_type(part, modules) for part in widened_types)
    if not spec.is_sequence:
        return item
    modules["Sequence"] = "collections.abc"
    return f"{item} | Sequence[{item}]{' | None' * (spec.default is None)}"


def _union_members(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _join_types(alternatives: Iterator[str]) -> str:
    """Join a union's types: each once, None last."""
    return " | ".join(sorted(dict.fromkeys(alternatives), key=lambda name: name == "None"))


def _write_type(kind: Any, modules: dict[str, str]) -> str:
    origin, parts = get_origin(kind), get_args(kind)
    if kind is None or kind is type(None):
        return "None"
    if kind is Ellipsis:
        return "..."
    if isinstance(kind, list):  # the arguments of a Callable
        return f"[{', '.join(_write_type(part, modules) for part in kind)}]"
    if len(alternatives := _union_members(kind)) > 1:
        return _join_types(_write_type(part, modules) for part in alternatives)
    if origin is Literal:
        modules["Literal"] = "typing"
        return f"Literal[{', '.join(map(repr, parts))}]"
    if origin is Annotated:
        module, _, name = kind.__metadata__[0].partition(":")
    elif kind is Any or isinstance(kind, TypeVar):
        module, name = "typing", "Any"
    else:
        module, name = (origin or kind).__module__, (origin or kind).__qualname__
        arguments = ", ".join(_write_type(part, modules) for part in parts)
    if module != "builtins":
        modules[name] = module
    return f"{name}[{arguments}]" if parts and origin is not Annotated else name
