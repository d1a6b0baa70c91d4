"""What metrics there are, what they need, and what one of them does."""

import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from pyramidion.collection import Signature
from pyramidion.metrics import Metric, all_metrics, parse_metric
from pyramidion.metrics.metric import NEEDS
from pyramidion.report.answer import Answer
from pyramidion.report.fitting import FittingTable
from pyramidion.report.tables import Cell, Table

__all__ = ["metrics_answer"]

#: Marks of reStructuredText that a terminal does not need: roles, and backquotes.
_MARKS = re.compile(r":[a-z]+:(?=`)|`+")

#: Families of more are listed by their first members.
_LISTED = 6


def metrics_answer(name: str | None = None) -> Answer:
    """List all metrics, or describe one.

    Parameters
    ----------
    name
        A metric as it is typed; all if none is given.

    Examples
    --------
    >>> answer = metrics_answer("bleu")
    >>> [option["name"] for option in answer.results[0]["options"]][:2]
    ['n', 'stem']
    """
    chosen = all_metrics() if name is None else (type(parse_metric(name)),)
    results = [_record(metric) for metric in chosen]
    tables = (_list_table(results),) if name is None else tuple(_tables(results[0]))
    return Answer("metrics", Signature("metrics"), results, tables)


def _record(metric: type[Metric]) -> dict[str, Any]:
    needs = parse_metric(metric.names()[0]).requirements
    return {
        "name": metric.name,
        "names": list(metric.names()),
        "title": metric.title,
        "summary": metric.summary,
        "needs": [need for need in NEEDS if need in needs],
        "higher_is_better": metric.higher_is_better,
        "citation": metric.citation,
        "options": list(_options(metric)),
        "documentation": _documentation(metric),
    }


def _options(metric: type[Metric]) -> Iterator[dict[str, Any]]:
    in_name = metric.read(metric.names()[0]) or {}
    for parameter in fields(metric):
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


def _documentation(metric: type[Metric]) -> str:
    """Give the docstring without its examples, which are for programmers."""
    text = inspect.cleandoc(metric.__doc__ or "")
    return text.split("\nExamples\n---", 1)[0].strip()


def _list_table(results: Iterable[dict[str, Any]]) -> Table:
    rows = tuple(
        {
            "metric": _names(own["names"]),
            "title": own["title"],
            "needs": ", ".join(own["needs"]) or "–",
            "better is": _better(own),
            "what it measures": own["summary"],
            "source": own["citation"] or "–",
        }
        for own in results
    )
    full = _table(rows, "metric", "title", "needs", "better is", "what it measures", "source")
    narrow = _table(rows, "metric", "needs", "better is", "what it measures")
    return FittingTable(full.columns, full.rows, full.title, full.note, numbers=full, narrow=narrow)


def _table(rows: Sequence[dict[str, str]], *columns: str) -> Table:
    note = "`pyramidion metrics NAME` tells more; options are typed in brackets: bleu(n=2)."
    cells = tuple(tuple(row[column] for column in columns) for row in rows)
    return Table(columns, cells, title="Metrics", note=note)


def _tables(record: dict[str, Any]) -> Iterator[Table]:
    facts: tuple[tuple[str, str], ...] = (
        ("name", ", ".join(record["names"])),
        ("needs", ", ".join(record["needs"]) or "nothing but the summary"),
        ("better is", _better(record)),
        ("source", record["citation"] or "–"),
    )
    text = _MARKS.sub("", record["documentation"])
    yield Table(("", record["title"]), facts, title=record["summary"], note=text)
    if record["options"]:
        rows = tuple(map(_option_row, record["options"]))
        title = f"Options of {record['name']}"
        yield Table(("option", "default", "values", "what it does"), rows, title=title)


def _option_row(option: dict[str, Any]) -> tuple[Cell, ...]:
    default = option["default"]
    shown = {True: "on", False: "off"}.get(default, "none" if default is None else str(default))
    return option["name"], shown, _values(option), option["help"]


def _values(option: dict[str, Any]) -> str:
    least, most = option["least"], option["most"]
    if option["choices"]:
        return ", ".join(option["choices"])
    if isinstance(option["default"], bool):
        return "on, off"
    low = "" if least is None else f"from {least:g}"
    high = "" if most is None else f"to {most:g}"
    return " ".join(filter(None, (low, high))) or "–"


def _names(names: Sequence[str]) -> str:
    """List names; of a large family only the first."""
    if len(names) <= _LISTED:
        return ", ".join(names)
    return f"{', '.join(names[:2])}, ... ({len(names)})"


def _better(record: dict[str, Any]) -> str:
    return "more" if record["higher_is_better"] else "less"
