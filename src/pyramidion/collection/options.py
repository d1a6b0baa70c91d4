"""The parameters of metrics and summarizers: how they are declared, typed and checked."""

import math
import re
from collections.abc import Mapping
from dataclasses import Field, field
from numbers import Integral, Real
from typing import Any, get_args

from pyramidion.errors import InputError

__all__ = ["named", "option", "read_option", "split_name", "wanted", "written"]

_CALL = re.compile(r"\s*([^()\s,]+)\s*(?:\((.*)\))?\s*")

# A text that can stand in brackets: what separates options is no part of it.
_WORD = re.compile(r"(?!\s)[^(),]*(?<!\s)")


def option(
    default: Any,
    help: str,
    *,
    choices: tuple[str, ...] = (),
    least: float | None = None,
    most: float | None = None,
) -> Any:
    """Declare a parameter.

    Parameters
    ----------
    default
        Its value unless it is given; its type is the parameter's type. Where `None` means that
        nothing is given, the type comes from the annotation: ``words: int | None``.
    help
        What it does, in a line.
    choices
        The only values, if they are words.
    least, most
        The bounds, if it is a number.
    """
    rules = {"help": help, "choices": choices, "least": least, "most": most}
    return field(default=default, metadata=rules)


def split_name(text: str) -> tuple[str, list[str]]:
    """Split ``name(option,option=value)``.

    Examples
    --------
    >>> split_name("bleu(n=2, smooth)"), split_name("js-input")
    (('bleu', ['n=2', 'smooth']), ('js-input', []))
    """
    found = _CALL.fullmatch(text)
    if found is None:
        raise InputError(f"{text!r} cannot be read", hint="write it like bleu(n=2)")
    words = (found[2] or "").split(",")
    return found[1], [word.strip() for word in words if word.strip()]


def named(text: str) -> str:
    """Give the name of an option that is typed with or without a value.

    Examples
    --------
    >>> named("n=2"), named("stem")
    ('n', 'stem')
    """
    return text.partition("=")[0].strip()


def read_option(owner: str, known: Mapping[str, "Field[Any]"], text: str) -> tuple[str, Any]:
    """Read an option as it is typed.

    Parameters
    ----------
    owner
        What it is an option of, for messages.
    known
        The parameters there are, by name.
    text
        Such as ``n=2``; a switch is ``stem`` or ``stem=off``.

    Examples
    --------
    >>> from dataclasses import fields
    >>> from pyramidion.metrics.bleu import Bleu
    >>> read_option("bleu", {own.name: own for own in fields(Bleu)}, "n = 2")
    ('n', 2)
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if name not in known:
        there = ", ".join(known) or "none"
        raise InputError(f"{owner} has no option {name!r}", hint=f"there are: {there}")
    parameter = known[name]
    kind = _kind(parameter)
    if kind is bool:
        return name, _switch(owner, name, value if equals else "on")
    if value == "none" and parameter.default is None:
        return name, None
    try:
        return name, kind(value)
    except ValueError:
        hint = f"give {wanted(value, parameter)}"
        raise InputError(f"{owner}: {name} is {value!r}", hint=hint) from None


def _switch(owner: str, name: str, value: str) -> bool:
    if value not in ("on", "off"):
        raise InputError(f"{owner}: {name} is {value!r}", hint="give on or off")
    return value == "on"


def written(name: str, value: Any) -> str:
    """Write an option so that it reads back.

    Examples
    --------
    >>> written("stem", True), written("stem", False), written("n", 2), written("words", None)
    ('stem', 'stem=off', 'n=2', 'words=none')
    """
    if value is True:
        return name
    if value is False:
        return f"{name}=off"
    return f"{name}={'none' if value is None else value}"


def wanted(value: Any, parameter: "Field[Any]") -> str:
    """Say what a parameter must be, if a value is not.

    Examples
    --------
    >>> from dataclasses import fields
    >>> from pyramidion.metrics.bleu import Bleu
    >>> wanted(2, fields(Bleu)[0]), wanted(0, fields(Bleu)[0])
    ('', 'a whole number from 1 to 9')
    """
    if value is None and parameter.default is None:
        return ""
    choices = parameter.metadata.get("choices") or ()
    if choices:
        return "" if value in choices else " or ".join(choices)
    kind = _kind(parameter)
    if kind is bool:
        return "" if isinstance(value, bool) else "on or off"
    if kind is str:
        fits = isinstance(value, str) and _WORD.fullmatch(value) is not None
        return "" if fits else "a text without commas and brackets"
    least, most = parameter.metadata.get("least"), parameter.metadata.get("most")
    return "" if _is_within(value, kind, least, most) else _bounded(kind, least, most)


def _kind(parameter: "Field[Any]") -> Any:
    """Give a parameter's type."""
    if parameter.default is not None:
        return type(parameter.default)
    return next((kind for kind in get_args(parameter.type) if kind is not type(None)), str)


def _is_within(value: Any, kind: type, least: float | None, most: float | None) -> bool:
    if isinstance(value, bool) or not isinstance(value, Integral if kind is int else Real):
        return False
    low, high = (-math.inf if least is None else least), (math.inf if most is None else most)
    return math.isfinite(value) and low <= float(value) <= high


def _bounded(kind: type, least: float | None, most: float | None) -> str:
    number = "a whole number" if kind is int else "a number"
    if most is None:
        return number if least is None else f"{number} from {least:g} on"
    return f"{number} up to {most:g}" if least is None else f"{number} from {least:g} to {most:g}"
