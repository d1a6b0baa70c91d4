"""What methods of summarizing there are, what they look at, and what one of them does."""

from collections.abc import Sequence
from typing import Any

from pyramidion.collection import Signature
from pyramidion.report.answer import Answer
from pyramidion.report.spelled_options import (
    documentation_of,
    facts_table,
    listed_names,
    options_of,
    options_table,
)
from pyramidion.report.table import Table, WideTable
from pyramidion.summarizers import Summarizer, all_summarizers, parse_summarizer

__all__ = ["methods_answer"]

#: What a method may look at beside the documents, as people say it.
_HEEDED = {"query": "the question", "known": "what is known", "references": "references"}


def methods_answer(name: str | None = None) -> Answer:
    """List all methods, or describe one.

    Parameters
    ----------
    name
        A method as it is typed; all if none is given.

    Examples
    --------
    >>> answer = methods_answer("sum-prod")
    >>> answer.results[0]["names"][:2], answer.results[0]["options"][0]["name"]
    (['sum-avr', 'sum-prod'], 'context')
    """
    chosen = all_summarizers() if name is None else (type(parse_summarizer(name)),)
    results = [_record(kind) for kind in chosen]
    tables = (_list_table(results),) if name is None else _tables(results[0])
    return Answer("methods", Signature("methods"), results, tables)


def _record(kind: type[Summarizer]) -> dict[str, Any]:
    return {
        "name": kind.name,
        "names": list(kind.names()),
        "title": kind.title,
        "summary": kind.summary,
        "heeds": [part for part in _HEEDED if part in kind.heeds],
        "citation": kind.citation,
        "options": list(options_of(kind)),
        "documentation": documentation_of(kind),
    }


def _list_table(results: Sequence[dict[str, Any]]) -> Table:
    rows = [
        {
            "method": listed_names(own["names"]),
            "title": own["title"],
            "looks at": _heeded(own),
            "what it takes": own["summary"],
            "options": ", ".join(option["name"] for option in own["options"]) or "–",
            "source": own["citation"] or "–",
        }
        for own in results
    ]
    full = _table(rows, "method", "title", "looks at", "what it takes", "options", "source")
    narrow = _table(rows, "method", "looks at", "what it takes")
    return WideTable(full.columns, full.rows, full.title, full.note, numbers=full, narrow=narrow)


def _table(rows: Sequence[dict[str, str]], *columns: str) -> Table:
    note = "`pyramidion methods NAME` tells more; options are typed in brackets: sum-avr(low=0)."
    cells = tuple(tuple(row[column] for column in columns) for row in rows)
    return Table(columns, cells, title="Methods of summarizing", note=note)


def _tables(record: dict[str, Any]) -> tuple[Table, ...]:
    first = facts_table(record, ("looks at", _heeded(record)))
    if not record["options"]:
        return (first,)
    return first, options_table(record["name"], record["options"])


def _heeded(record: dict[str, Any]) -> str:
    return ", ".join(("the documents", *(_HEEDED[part] for part in record["heeds"])))
