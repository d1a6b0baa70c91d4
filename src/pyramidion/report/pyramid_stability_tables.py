"""The tables and records of a study of stability."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pyramidion.collection.problems import address_name
from pyramidion.pyramid._source import without_tasks
from pyramidion.pyramid.stability.divergence import DivergingPair
from pyramidion.pyramid.stability.errors import OrderErrors, pooled_errors
from pyramidion.pyramid.stability.ranks import OrderCorrelation, pooled_correlations
from pyramidion.pyramid.stability.resampling import reliable_order
from pyramidion.pyramid.stability.study import Stability, StabilitySettings
from pyramidion.report.table import Cell, Table

__all__ = ["StudiedTopic", "Together", "stability_records", "stability_tables"]

_ABOVE = 0.95


@dataclass(frozen=True, slots=True)
class StudiedTopic:
    """A topic and what was found about its pyramid.

    Parameters
    ----------
    task, topic
        What the pyramid is about.
    study
        What was found.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> from pyramidion.pyramid.stability.study import study_stability
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice.", "B": "Ice."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})])
    >>> topic = StudiedTopic("A", "T1", study_stability(pyramid))
    >>> topic.name, topic.references
    ('T1, task A', 2)
    """

    task: str
    topic: str
    study: Stability

    @property
    def name(self) -> str:
        """The topic and task in words."""
        return address_name(self.task, self.topic)

    @property
    def references(self) -> int:
        """How many references the pyramid has."""
        return int(self.study.scores.sub_pyramids.drawn.shape[1])


@dataclass(frozen=True, slots=True)
class Together:
    """Topics, and what their studies say together.

    Parameters
    ----------
    topics
        The topics.

    Examples
    --------
    >>> Together(()).errors
    ()
    """

    topics: tuple[StudiedTopic, ...]

    @property
    def errors(self) -> tuple[OrderErrors, ...]:
        """Errors by order, counts added up."""
        return pooled_errors(topic.study.errors for topic in self.topics)

    @property
    def correlations(self) -> tuple[OrderCorrelation, ...]:
        """Rank correlations by order, averaged."""
        return pooled_correlations(topic.study.correlations for topic in self.topics)

    @property
    def resampled(self) -> tuple[OrderCorrelation, ...]:
        """Correlations of rankings by models drawn with repetition, averaged."""
        return pooled_correlations(topic.study.resampled for topic in self.topics)

    @property
    def diverging(self) -> tuple[DivergingPair, ...]:
        """The pairs of all topics that are apart."""
        return tuple(pair for topic in self.topics for pair in topic.study.diverging)

    def widths(self) -> dict[int, float]:
        """Give the mean of greatest less least score, by order."""
        sums: dict[int, list[float]] = {}
        for topic in self.topics:
            spread = topic.study.spread
            for order, low, high in zip(spread.orders, spread.low, spread.high, strict=True):
                width = high - low
                sums.setdefault(int(order), []).extend(width[~np.isnan(width)].tolist())
        return {order: float(np.mean(found)) for order, found in sums.items() if found}


def stability_tables(
    together: Together, settings: StabilitySettings, *, every_score: bool
) -> Iterator[Table]:
    """Lay out a study for people.

    Parameters
    ----------
    together
        The topics.
    settings
        What was studied.
    every_score
        Whether each summary's scores at each order are shown.

    Examples
    --------
    >>> tables = stability_tables(Together(()), StabilitySettings(), every_score=False)
    >>> [table.title for table in tables]
    ['How scores settle', 'Divergence']
    """
    yield _orders_table(together, settings)
    if together.resampled:
        yield _resampled_table(together.resampled)
    yield _topics_table(together, settings)
    if every_score:
        yield _scores_table(together)


def _orders_table(together: Together, settings: StabilitySettings) -> Table:
    errors = {row.order: row for row in together.errors}
    ranks = {row.order: row for row in together.correlations}
    rows = tuple(
        (order, width, *_error_cells(errors.get(order)), *_rank_cells(ranks.get(order)))
        for order, width in sorted(together.widths().items())
    )
    columns = ("references", "spread", "p1", "p2", "p3", "p", "data points", "Spearman", "rankings")
    note = (
        "By the number of references a pyramid is made of. Spread: greatest less least "
        f"{settings.score} score of a summary, the mean. p1: equal summaries (within "
        f"{settings.equal_within:g}) seem different; p2: different ones seem equal; p3: the worse "
        "one seems better; p: any of these. Spearman: with the ranking by all references."
    )
    return Table(columns, rows, title="How scores settle", note=note, digits=3)


def _error_cells(row: OrderErrors | None) -> tuple[Cell, ...]:
    return (None,) * 5 if row is None else (row.p1, row.p2, row.p3, row.p, row.points)


def _rank_cells(row: OrderCorrelation | None) -> tuple[Cell, ...]:
    return (None,) * 2 if row is None else (row.mean, row.count)


def _resampled_table(rows: Sequence[OrderCorrelation]) -> Table:
    order = reliable_order(rows, above=_ABOVE)
    verdict = f"from {order} models on" if order else "from none of these numbers on"
    note = (
        "Mean Spearman of all pairs of rankings by the weight of what summaries say, of models "
        f"drawn with repetition (factoid studies). It stays above {_ABOVE:g} {verdict}."
    )
    cells = tuple((row.order, row.mean, row.count) for row in rows)
    columns = ("models", "Spearman", "pairs of rankings")
    return Table(columns, cells, title="Models drawn with repetition", note=note, digits=3)


def _topics_table(together: Together, settings: StabilitySettings) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            topic.task,
            topic.topic,
            topic.references,
            len(topic.study.scores.names),
            *_divergence_cells(topic.study.diverging),
        )
        for topic in together.topics
    ]
    if len(rows) > 1:
        rows.append(("", "all", None, None, *_divergence_cells(together.diverging)))
    of_topic = ("task", "topic", "references", "summaries")
    columns = (*of_topic, "pairs apart", "diverge", "mean order", "relapse")
    note = (
        f"Pairs more than {settings.apart:g} apart by all references. They diverge where every "
        "score of the better one is above every score of the worse one; mean order: at how many "
        "references; relapse: pairs for which it does not last."
    )
    return without_tasks(Table(columns, tuple(rows), title="Divergence", note=note, digits=2))


def _divergence_cells(pairs: Sequence[DivergingPair]) -> tuple[Cell, ...]:
    orders = [pair.order for pair in pairs if pair.order is not None]
    relapses = sum(pair.order is not None and not pair.stable for pair in pairs)
    mean = float(np.mean(orders)) if orders else None
    return len(pairs), len(orders), mean, relapses


def _scores_table(together: Together) -> Table:
    rows = tuple(
        (topic.task, topic.topic, record["summary"], *row.values())
        for topic in together.topics
        for record in _summary_records(topic.study)
        for row in record["orders"]
    )
    columns = ("task", "topic", "summary", "references", "pyramids", "least", "mean", "greatest")
    return without_tasks(Table(columns, rows, title="Scores of each summary", digits=3))


def stability_records(together: Together) -> list[dict[str, Any]]:
    """Give a study as data: all topics together, then each of them.

    Parameters
    ----------
    together
        The topics.

    Examples
    --------
    >>> stability_records(Together(()))[0]["pyramids"]
    0
    """
    everything = {
        "level": "all",
        "pyramids": len(together.topics),
        "spread": [
            {"order": order, "width": width} for order, width in sorted(together.widths().items())
        ],
        **_shared_records(together),
    }
    return [everything, *(_topic_record(topic) for topic in together.topics)]


def _shared_records(found: Together | Stability) -> dict[str, Any]:
    orders = [pair.order for pair in found.diverging if pair.order is not None]
    return {
        "errors": [
            {**asdict(row), "points": row.points, **_probabilities(row)} for row in found.errors
        ],
        "correlations": [asdict(row) for row in found.correlations],
        "resampled": [asdict(row) for row in found.resampled],
        "pairs_apart": len(found.diverging),
        "pairs_diverging": len(orders),
        "mean_divergence": float(np.mean(orders)) if orders else None,
    }


def _probabilities(row: OrderErrors) -> dict[str, float]:
    return {"p1": row.p1, "p2": row.p2, "p3": row.p3, "p": row.p}


def _topic_record(topic: StudiedTopic) -> dict[str, Any]:
    return {
        "level": "topic",
        "task": topic.task,
        "topic": topic.topic,
        "references": topic.references,
        **_shared_records(topic.study),
        "diverging": [asdict(pair) for pair in topic.study.diverging],
        "summaries": list(_summary_records(topic.study)),
        "notes": list(topic.study.notes),
    }


def _summary_records(study: Stability) -> Iterator[dict[str, Any]]:
    scores, spread = study.scores, study.spread
    for column, name in enumerate(scores.names):
        orders = [
            {
                "order": int(order),
                "pyramids": int(spread.count[row, column]),
                "low": float(spread.low[row, column]),
                "mean": float(spread.mean[row, column]),
                "high": float(spread.high[row, column]),
            }
            for row, order in enumerate(spread.orders)
            if spread.count[row, column]
        ]
        yield {
            "summary": name,
            "reference": bool(scores.own[column] >= 0),
            "full": float(scores.full[column]),
            "orders": orders,
        }
