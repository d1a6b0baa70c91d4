"""What can be said of metrics and summarizers alike: their names, options and documentation."""

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from pyramidion.collection.spelled import Spelled
from pyramidion.report.plain_math import plain_math
from pyramidion.report.table import Cell, Table

__all__ = ["documentation_of", "facts_table", "listed_names", "options_of", "options_table"]

#: Marks of reStructuredText that a terminal does not need: roles, and backquotes.
_MARKS = re.compile(r":[a-z]+:(?=`)|`+")

#: Families of more are listed by their first members.
_LISTED = 6


def options_of(kind: type[Spelled]) -> Iterator[dict[str, Any]]:
    """Give the options that are typed in brackets.

    Parameters
    ----------
    kind
        A metric or a summarizer.

    Examples
    --------
    >>> from pyramidion.metrics.bleu import Bleu
    >>> next(options_of(Bleu))["name"]
    'n'
    """
    in_name = kind.read(kind.names()[0]) or {}
    for parameter in fields(kind):
        if parameter.name in in_name:
            continue
        rules = parameter.metadata
        yield {
            "name": parameter.name,
            "default": parameter.default,
            "choices": list(rules["choices"]),
            "least": rules["least"],
            "most": rules["most"],
            "help": rules["help"],
        }


def documentation_of(kind: type[Spelled]) -> str:
    """Give the docstring without its examples, which are for programmers.

    Parameters
    ----------
    kind
        A metric or a summarizer.

    Examples
    --------
    >>> from pyramidion.metrics.bleu import Bleu
    >>> ">>>" in documentation_of(Bleu)
    False
    """
    text = inspect.cleandoc(kind.__doc__ or "")
    return text.split("\nExamples\n---", 1)[0].strip()


def facts_table(record: Mapping[str, Any], *facts: tuple[str, str]) -> Table:
    """Make the table that introduces one of them, with its documentation.

    Parameters
    ----------
    record
        Its `names`, `title`, `summary`, `citation` and `documentation`.
    facts
        What else there is to say, as name and text.

    Examples
    --------
    >>> record = {"names": ["lead"], "title": "Lead", "summary": "", "citation": "",
    ...           "documentation": "The :class:`first` sentences."}
    >>> facts_table(record, ("looks at", "dates")).note
    'The first sentences.'
    """
    rows = (
        ("name", ", ".join(record["names"])),
        *facts,
        ("source", record["citation"] or "–"),
    )
    text = _MARKS.sub("", plain_math(record["documentation"]))
    return Table(("", record["title"]), rows, title=record["summary"], note=text)


def options_table(owner: str, options: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of options.

    Parameters
    ----------
    owner
        Whose they are.
    options
        As `options_of` gives them.

    Examples
    --------
    >>> from pyramidion.metrics.bleu import Bleu
    >>> options_table("bleu", list(options_of(Bleu))).rows[0][:3]
    ('n', '4', 'from 1 to 9')
    """
    columns = ("option", "default", "values", "what it does")
    return Table(columns, tuple(map(_option_row, options)), title=f"Options of {owner}")


def _option_row(option: Mapping[str, Any]) -> tuple[Cell, ...]:
    default = option["default"]
    shown = {True: "on", False: "off"}.get(default, "none" if default is None else str(default))
    return option["name"], shown, _values(option), option["help"]


def _values(option: Mapping[str, Any]) -> str:
    least, most = option["least"], option["most"]
    if option["choices"]:
        return ", ".join(option["choices"])
    if isinstance(option["default"], bool):
        return "on, off"
    low = "" if least is None else f"from {least:g}"
    high = "" if most is None else f"to {most:g}"
    return " ".join(filter(None, (low, high))) or "–"


def listed_names(names: Sequence[str]) -> str:
    """List names; of a large family only the first.

    Examples
    --------
    >>> listed_names(["rouge-1", "rouge-2"]), listed_names([str(n) for n in range(9)])
    ('rouge-1, rouge-2', '0, 1, ... (9)')
    """
    if len(names) <= _LISTED:
        return ", ".join(names)
    return f"{', '.join(names[:2])}, ... ({len(names)})"
