"""What metrics there are, what they need, and what one of them does."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pyramidion.collection import Signature
from pyramidion.metrics import Metric, all_metrics, parse_metric
from pyramidion.metrics.metric import NEEDS
from pyramidion.report.answer import Answer
from pyramidion.report.spelled_options import (
    documentation_of,
    facts_table,
    listed_names,
    options_of,
    options_table,
)
from pyramidion.report.table import Table, WideTable

__all__ = ["metrics_answer"]


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
        "options": list(options_of(metric)),
        "documentation": documentation_of(metric),
    }


def _list_table(results: Iterable[dict[str, Any]]) -> Table:
    rows = tuple(
        {
            "metric": listed_names(own["names"]),
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
    return WideTable(full.columns, full.rows, full.title, full.note, numbers=full, narrow=narrow)


def _table(rows: Sequence[dict[str, str]], *columns: str) -> Table:
    note = "`pyramidion metrics NAME` tells more; options are typed in brackets: bleu(n=2)."
    cells = tuple(tuple(row[column] for column in columns) for row in rows)
    return Table(columns, cells, title="Metrics", note=note)


def _tables(record: dict[str, Any]) -> Iterator[Table]:
    needs = ", ".join(record["needs"]) or "nothing but the summary"
    yield facts_table(record, ("needs", needs), ("better is", _better(record)))
    if record["options"]:
        yield options_table(record["name"], record["options"])


def _better(record: dict[str, Any]) -> str:
    return "more" if record["higher_is_better"] else "less"
