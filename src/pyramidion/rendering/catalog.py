"""Lists of metrics and summarizers for a terminal: names, options and documentation."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pyramidion.questions import Parsable, Signature
from pyramidion.questions.options import option_specs
from pyramidion.rendering.result import Result
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import Column, View, data, shown

Kind = TypeVar("Kind", bound=type[Parsable])

#: reStructuredText markup that a terminal does not need: roles and backquotes.
_MARKUP = re.compile(r":[a-z]+:(?=`)|`+")

#: Of a family with more names, only the first two are listed.
_MAX_LISTED_NAMES = 7


def catalog_view(
    name: str, summary: str, facts: Sequence[Column[Any]], *columns: Column[Any]
) -> View[Any]:
    """Declare the columns of the list: those of all kinds, `facts`, and further `columns`."""
    return View(
        f"{name}s",
        (
            data("name"),
            Column("names", name, lambda kind: list(kind.names()), _list_names),
            Column("title", "title"),
            data("summary"),
            *facts,
            data("citation"),
            data("options", lambda kind: list(options_of(kind))),
            data("documentation", documentation_of),
            shown(summary, lambda kind: kind.summary),
            *columns,
            shown("source", lambda kind: kind.citation or "–"),
        ),
    )


def catalog(
    command: str,
    kinds: Sequence[Kind],
    view: View[Any],
    *,
    title: str,
    note: str,
    wide_columns: Sequence[str],
    facts: Callable[[Kind], Sequence[tuple[str, str]]] | None = None,
) -> Result[Kind]:
    """List kinds, without `wide_columns` on a narrow terminal; or describe a single one.

    A single kind is described if `facts` are given, which supplement its documentation.
    """
    if facts is None:
        narrow_table = view.table(kinds, title, note, exclude=wide_columns)
        tables: list[Table] = [view.table(kinds, title, note).with_variants(narrow=narrow_table)]
    else:
        tables = list(_describe_kind(kinds[0], facts(kinds[0])))
    return Result(
        command=command,
        signature=Signature(command),
        values=kinds,
        record=view.record,
        tables=tables,
    )


def _describe_kind(kind: type[Parsable], facts: Sequence[tuple[str, str]]) -> Iterator[Table]:
    rows = (("name", ", ".join(kind.names())), *facts, ("source", kind.citation or "–"))
    text = _MARKUP.sub("", plain_math(documentation_of(kind)))
    yield Table(("", kind.title), rows, title=kind.summary, note=text, name="facts")
    if options := tuple(map(_option_row, options_of(kind))):
        columns = ("option", "default", "values", "what it does")
        yield Table(columns, options, title=f"Options of {kind.name}", name="options")


def _option_row(option: Mapping[str, Any]) -> tuple[Cell, ...]:
    default, minimum, maximum = option["default"], option["min"], option["max"]
    default_text = {True: "on", False: "off"}.get(
        default, "none" if default is None else str(default)
    )
    words = [*(["on", "off"] if isinstance(default, bool) else []), *option["choices"]]
    from_text = "" if minimum is None else f"from {minimum:g}"
    to_text = "" if maximum is None else f"to {maximum:g}"
    values = ", ".join(words) or f"{from_text} {to_text}".strip() or "–"
    return option["name"], default_text, values, option["help"]


def options_of(kind: type[Parsable]) -> Iterator[dict[str, Any]]:
    """Return the options that users write in brackets."""
    named_options = kind.read(kind.names()[0]) or {}
    for spec in option_specs(kind):
        if spec.name not in named_options:
            yield {
                "name": spec.name, "default": spec.default, "choices": [*spec.choices],
                "min": spec.rules["min"], "max": spec.rules["max"], "help": spec.rules["help"],
            }  # fmt: skip


def documentation_of(kind: type[Parsable]) -> str:
    """Return the docstring without its examples, which are for programmers."""
    return inspect.cleandoc(kind.__doc__ or "").split("\nExamples\n---", 1)[0].strip()


def _list_names(kind: type[Parsable]) -> str:
    """List the names; only the first of a large family."""
    names = kind.names()
    if len(names) <= _MAX_LISTED_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:2])}, ... ({len(names)})"


# Formulas of the documentation, as plain text

_MATH_ROLE = re.compile(r":math:`([^`]*)`")
_MATH_DIRECTIVE = re.compile(r"\.\. math::\s+(.+)")

_SYMBOL_OF_NAME = {
    "cap": "∩",
    "cdot": "·",
    "chi": "χ",
    "delta": "δ",
    "dots": "…",
    "ge": "≥",
    "in": "∈",
    "lambda": "λ",
    "le": "≤",
    "parallel": "‖",
    "prod": "Π",
    "sigma": "σ",
    "sim": "~",
    "sum": "Σ",
}
#: Literal braces and placeholders for them; all other braces only group.
_ESCAPED_BRACES = {r"\{": "\ue000", r"\}": "\ue001"}

_FRACTION_PATTERN = re.compile(r"\\frac(?:\{([^{}]*)\}\{([^{}]*)\}|(\w)(\w))")
_ROOT_PATTERN = re.compile(r"\\sqrt\{([^{}]*)\}")
_ROMAN_LETTERS = re.compile(r"\\mathrm\{([^{}]*)\}")
_SCRIPT_GROUP = re.compile(r"([_^])\{([^{}]*)\}")
_NAME_PATTERN = re.compile(r"\\([a-zA-Z]+)")
_FUNCTION_CALL = re.compile(r"\\(?:cos|log|max|min)\S*\s*$")
_SIMPLE_TERM = re.compile(r"[\w!]+")


def plain_math(text: str) -> str:
    r"""Write the formulas of a docstring without markup."""
    text = _MATH_DIRECTIVE.sub(lambda match: f"    {_plain_formula(match[1])}", text)
    return _MATH_ROLE.sub(lambda match: _plain_formula(match[1]), text)


def _plain_formula(formula: str) -> str:
    for escaped_brace, placeholder in _ESCAPED_BRACES.items():
        formula = formula.replace(escaped_brace, placeholder)
    previous_formula = ""
    while previous_formula != formula:
        # From the inside out: none of these patterns looks into nested groups.
        previous_formula = formula
        formula = _ROMAN_LETTERS.sub(r"\1", formula)
        formula = _SCRIPT_GROUP.sub(lambda match: match[1] + _group(match[2]), formula)
        formula = _ROOT_PATTERN.sub(lambda match: f"√({match[1]})", formula)
        formula = _FRACTION_PATTERN.sub(_write_fraction, formula)
    formula = _NAME_PATTERN.sub(_write_symbol, formula)
    for escaped_brace, placeholder in _ESCAPED_BRACES.items():
        formula = formula.replace(placeholder, escaped_brace[1])
    return " ".join(formula.split())


def _write_fraction(match: re.Match[str]) -> str:
    numerator, denominator = match[1] or match[3], match[2] or match[4]
    fraction = f"{_group(numerator)} / {_group(denominator)}"
    return f"({fraction})" if _FUNCTION_CALL.search(match.string[: match.start()]) else fraction


def _group(formula: str) -> str:
    return formula if _SIMPLE_TERM.fullmatch(formula) else f"({formula})"


def _write_symbol(match: re.Match[str]) -> str:
    """Write a symbol, or a function's name separated from its neighbors."""
    name, text = match[1], match.string
    if name in ("Bigl", "Bigr", "bigl", "bigr"):
        return ""
    if name in _SYMBOL_OF_NAME:
        return _SYMBOL_OF_NAME[name]
    space_before = " " if match.start() and text[match.start() - 1].isalnum() else ""
    space_after = " " if text[match.end() : match.end() + 1].strip("_^( ") else ""
    return f"{space_before}{name}{space_after}"
