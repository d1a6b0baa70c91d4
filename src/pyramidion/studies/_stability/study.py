"""How many references a pyramid needs: the study, and its result."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pyramidion.collection import PeerAnnotation, Pyramid
from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import grouped
from pyramidion.collection.pyramids import WeightPolicy
from pyramidion.errors import InputError
from pyramidion.pyramid.cases import REPORTED_ELSEWHERE, PyramidSource, source_notes, without_tasks
from pyramidion.pyramid.content_units import NO_UNITS, reference_writers
from pyramidion.pyramid.topics import TopicSummaries, gather_topics
from pyramidion.questions import Options, option, question
from pyramidion.rendering.charts.style import require_figure_file, save
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart, Result, signed
from pyramidion.rendering.saving import Savable
from pyramidion.rendering.table import Cell, Table
from pyramidion.studies._stability.growth import (
    MAX_PER_ORDER,
    GrowingScores,
    Spread,
    SummaryChoice,
    gather_ranked_summaries,
    score_growth,
    spread_by_order,
)
from pyramidion.studies._stability.ranking import (
    MAX_SPLITS,
    DivergingPair,
    OrderCorrelation,
    OrderErrors,
    can_rank,
    divergence_points,
    pooled_correlations,
    pooled_errors,
    rank_correlations,
    ranking_errors,
    reliable_order,
    resampled_correlations,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

StudyScore = Literal["original", "modified"]

_CONTAINED_REASON = "every sub-pyramid contains one of each pair of summaries"
_UNRANKED_REASON = "no rank correlations: two summaries and a reference that is neither are needed"


@dataclass(frozen=True, slots=True)
class StabilitySettings(Options):
    """Settings of the study; the defaults are those of the thesis."""

    score: StudyScore = option("original", "Pyramid score to study: original or modified.")
    which: SummaryChoice = option(
        "all",
        "Summaries whose scores are studied: all, references or peers (annotated ones).",
        flags=("--of",),
    )
    equal_within: float = option(
        0.06,
        "Largest difference between scores that count as equal.",
        flags=("--equal",),
        metavar="D",
        min=0,
    )
    apart: float = option(
        0.1,
        "Find where the scores of two summaries diverge if they end up more than this apart.",
        metavar="D",
        min=0,
    )
    held_out: int | None = option(
        None, "Number of references ranked by pyramids of the other references; half of them by "
        "default.", flags=("--ranked",), min=1,
    )  # fmt: skip
    # The thesis uses a single split.
    splits: int = option(
        MAX_SPLITS,
        "Maximum number of splits into references that are ranked and references that rank them.",
        min=1,
    )
    repetition: int = option(
        0,
        "Number of times references are also sampled with replacement, as in factoid studies.",
        min=0,
    )
    max_pyramids: int = option(
        MAX_PER_ORDER, "Maximum number of pyramids of one size; if there are more, they are "
        "sampled.", min=1, max=1_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)

    def check(self) -> None:
        """Raise an error for a single sample."""
        if self.repetition == 1:
            raise InputError("`repetition` is 1", hint="at least 2 rankings are compared")


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """The stability of one topic's pyramid."""

    scores: GrowingScores
    spread: Spread
    diverging: tuple[DivergingPair, ...]
    errors: tuple[OrderErrors, ...]
    correlations: tuple[OrderCorrelation, ...]
    resampled: tuple[OrderCorrelation, ...] = ()
    notes: tuple[str, ...] = ()


def study_stability(
    pyramid: Pyramid,
    peers: Mapping[str, PeerAnnotation] | None = None,
    *,
    settings: StabilitySettings | None = None,
    weights: WeightPolicy = "contributors",
) -> Stability:
    """Study how scores stabilize as a pyramid grows."""
    settings = settings or StabilitySettings()
    ranked_summaries = gather_ranked_summaries(
        pyramid, peers, which=settings.which, weights=weights
    )
    limit, score = settings.max_pyramids, settings.score
    scores = score_growth(ranked_summaries, score=score, limit=limit, rng=settings.seed)
    errors = ranking_errors(scores, equal_within=settings.equal_within)
    notes = list(_notes(scores, errors, limit))
    correlations: tuple[OrderCorrelation, ...] = ()
    resampled: tuple[OrderCorrelation, ...] = ()
    if settings.held_out is None and not can_rank(ranked_summaries):
        notes.append(_UNRANKED_REASON)
    else:
        split_options: Any = {
            "held_out": settings.held_out,
            "splits": settings.splits,
            "rng": settings.seed,
        }
        correlations = rank_correlations(
            ranked_summaries, score=score, limit=limit, **split_options
        )
        if settings.repetition:
            resampled = resampled_correlations(
                ranked_summaries, samples=settings.repetition, **split_options
            )
        if n_undefined := sum(row.undefined for row in correlations):
            notes.append(f"rankings without a correlation, all scores being equal: {n_undefined}")
    spread, divergence = spread_by_order(scores), divergence_points(scores, apart=settings.apart)
    return Stability(scores, spread, divergence, errors, correlations, resampled, tuple(notes))


def _notes(scores: GrowingScores, errors: Sequence[OrderErrors], limit: int) -> Iterator[str]:
    if not errors:
        yield f"no errors: {'there is one summary' if len(scores.names) < 2 else _CONTAINED_REASON}"
    if scores.undefined:
        yield f"undefined scores, because models have no content units: {scores.undefined}"
    references = scores.included.shape[1]
    sampled_orders = [n for n in range(1, references + 1) if comb(references, n) > limit]
    if sampled_orders:
        first, last = sampled_orders[0], sampled_orders[-1]
        yield f"sub-pyramids of orders {first} to {last} are a random sample"


_RELIABLE_CORRELATION = 0.95

_WRITER_REASON = "a reference of the pyramid, so its annotation as a peer is not used"


@dataclass(frozen=True, slots=True)
class ShownScores(Options):
    """Additional output."""

    every_score: bool = option(False, "Also list the scores of each summary.", flags=("--scores",))


@dataclass(frozen=True, slots=True)
class StudiedTopic:
    """A topic and the study of its pyramid."""

    task: str
    topic: str
    study: Stability

    @property
    def name(self) -> str:
        """Topic and task, for messages."""
        return address_name(self.task, self.topic)

    @property
    def references(self) -> int:
        """Number of references of the pyramid."""
        return int(self.study.scores.included.shape[1])


@dataclass(frozen=True, slots=True)
class PooledStability:
    """All topics, with pooled results."""

    topics: tuple[StudiedTopic, ...]

    @property
    def errors(self) -> tuple[OrderErrors, ...]:
        """Errors by order, summed."""
        return pooled_errors(topic.study.errors for topic in self.topics)

    @property
    def correlations(self) -> tuple[OrderCorrelation, ...]:
        """Rank correlations by order, averaged."""
        return pooled_correlations(topic.study.correlations for topic in self.topics)

    @property
    def resampled(self) -> tuple[OrderCorrelation, ...]:
        """Correlations of rankings by models sampled with replacement, averaged."""
        return pooled_correlations(topic.study.resampled for topic in self.topics)

    @property
    def diverging(self) -> tuple[DivergingPair, ...]:
        """The pairs of all topics that are apart."""
        return tuple(pair for topic in self.topics for pair in topic.study.diverging)

    def widths(self) -> dict[int, float]:
        """Return the mean difference between the highest and the lowest score, by order."""
        spreads = [topic.study.spread for topic in self.topics]
        widths = grouped(
            (order, width)
            for spread in spreads
            for order, row in zip(spread.orders.tolist(), spread.high - spread.low, strict=True)
            for width in row[~np.isnan(row)].tolist()
        )
        return {order: float(np.mean(widths[order])) for order in sorted(widths)}


@dataclass(frozen=True, slots=True)
class DrawnPair(Options):
    """The summaries whose scores are drawn."""

    pair: tuple[str, ...] = option(
        (), "Draw only the scores of these two summaries.", metavar="A,B"
    )


def _check_scores_figure(path: Path | None, pair: tuple[str, ...] = ()) -> None:
    if path is not None:
        require_figure_file(path)
    if pair and path is None:
        hint = "name a file with --scores-figure"
        raise InputError("a pair of summaries needs a figure of scores", hint=hint)
    if pair and len(set(pair)) != 2:
        hint = "name two summaries, separated by a comma"
        raise InputError(f"{', '.join(pair)} is not a pair of summaries", hint=hint)


def _draw_scores(result: "StabilityResult", pair: tuple[str, ...] = ()) -> Callable[[Path], object]:
    if len(result.topics) > 1:
        hint = "choose one with --topic and --task"
        raise InputError(f"{len(result.topics)} pyramids do not fit in one figure", hint=hint)
    if not pair:
        return partial(save, result.plot("scores"))
    first, second = pair
    return partial(save, result.plot_pair(first, second))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class StabilityResult(Result[PooledStability | StudiedTopic]):
    """The stability of all topics together, then of each."""

    saves = (
        Savable(
            "figure", "Draw errors and correlations to this file (.svg, .pdf or .png).",
            lambda result: partial(save, result.plot("stability")), require_figure_file,
        ),
        Savable(
            "scores_figure", "Draw the scores of each summary of one topic to this file (.svg, "
            ".pdf or .png).", _draw_scores, _check_scores_figure, settings=DrawnPair,
        ),
    )  # fmt: skip

    @property
    def topics(self) -> tuple[StudiedTopic, ...]:
        """The studies of the topics."""
        return self.of_type(StudiedTopic)

    @property
    def together(self) -> PooledStability:
        """The pooled results."""
        return self.of_type(PooledStability)[0]

    def plot_pair(self, first: str, second: str, number: int = 0) -> "Figure":
        """Draw the scores of two summaries as the pyramid of a topic grows (Figure 3.2)."""
        from pyramidion.studies._stability.charts import growing_pair_figure

        topic = self.topics[number]
        return growing_pair_figure(topic.study, first, second, title=topic.name)


@question
def stability(
    source: PyramidSource, settings: StabilitySettings, shown: ShownScores
) -> StabilityResult:
    """Show how many references a pyramid needs for stable scores and ranks.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "One. Two.", "B": "One. Two.", "C": "One.", "D": "Three."},
    ...     [("1", {"A": ["One"], "B": ["One"], "C": ["One"]}),
    ...      ("2", {"A": ["Two"], "B": ["Two"]}), ("3", {"D": ["Three"]})])
    >>> [row.points for row in stability(pyramid)[0].errors]
    [12, 6]
    """
    collection = source.read()
    topics = gather_topics(collection, topics=source.topic, tasks=source.task)
    studied_topics, left_out = _study_topics(topics, settings, source.weights)
    pooled_topics = PooledStability(tuple(studied_topics))
    return StabilityResult(
        command="pyramid stability",
        signature=signed(
            f"pyramid-stability({settings.score})", collection.data_hash, settings.seed,
            of=settings.which, equal=f"{settings.equal_within:g}", apart=f"{settings.apart:g}",
            ranked=settings.held_out or "half", splits=settings.splits,
            **{"max-pyramids": settings.max_pyramids}, repetition=settings.repetition or "",
            weights=source.other_weights,
        ),
        values=(pooled_topics, *studied_topics),
        record=_record,
        tables=(
            _orders_table(pooled_topics, settings),
            *([_resampled_table(pooled_topics.resampled)] if pooled_topics.resampled else []),
            _topics_table(pooled_topics, settings),
            *([_scores_table(pooled_topics)] if shown.every_score else []),
        ),
        left_out=(*source_notes(collection, exclude=REPORTED_ELSEWHERE), *dict.fromkeys(left_out)),
        charts=tuple(_charts(pooled_topics, settings)),
    )  # fmt: skip


def _study_topics(
    topics: Sequence[TopicSummaries], settings: StabilitySettings, weights: WeightPolicy
) -> tuple[list[StudiedTopic], list[str]]:
    studied_topics: list[StudiedTopic] = []
    left_out = [line for topic in topics for line in topic.left_out]
    for topic in topics:
        if reason := _why_not_studied(topic, settings):
            left_out.append(f"{topic.name}: {reason}")
            continue
        # A reference must not score itself.
        writers = reference_writers(topic.pyramid) if settings.which != "references" else ()
        left_out += [
            f"{topic.name}, {name}: {_WRITER_REASON}" for name in topic.peers if name in writers
        ]
        peers = {name: peer for name, peer in topic.peers.items() if name not in writers}
        try:
            study = study_stability(topic.pyramid, peers, settings=settings, weights=weights)
        except InputError as error:
            message = f"{topic.name}: {error.what}"
            raise InputError(message, error.hint, where=error.where) from None
        studied_topics.append(StudiedTopic(topic.task, topic.topic, study))
        left_out += [f"{topic.name}: {note}" for note in study.notes]
    if not studied_topics:
        hint = "it takes two references that share a pyramid, or annotated peers of it"
        raise InputError(f"no pyramid can be studied ({left_out[-1]})", hint=hint)
    return studied_topics, left_out


def _why_not_studied(topic: TopicSummaries, settings: StabilitySettings) -> str:
    references = len(topic.pyramid.references)
    if references < 2:
        return f"the pyramid has {counted(references, 'reference')}"
    if not topic.pyramid.membership.any():
        return NO_UNITS
    if settings.which == "peers" and not set(topic.peers) - set(reference_writers(topic.pyramid)):
        return "no peer is annotated"
    return ""


def _charts(pooled_topics: PooledStability, settings: StabilitySettings) -> Iterator[Chart]:
    from pyramidion.studies._stability.charts import growing_scores_figure, stability_figure

    points = sum(row.points for row in pooled_topics.errors)
    pyramids = counted(len(pooled_topics.topics), "pyramid")
    note = f"{settings.score} score; {pyramids}, {counted(points, 'data point')}"
    yield Chart("stability", partial(stability_figure, pooled_topics, note=note))
    for topic in pooled_topics.topics:
        draw = partial(growing_scores_figure, topic.study, title=topic.name)
        yield Chart("scores", draw, about=(topic.task, topic.topic))


def _orders_table(pooled_topics: PooledStability, settings: StabilitySettings) -> Table:
    errors = {row.order: row for row in pooled_topics.errors}
    correlations = {row.order: row for row in pooled_topics.correlations}
    rows = []
    for order, width in pooled_topics.widths().items():
        order_errors, names = errors.get(order), ("p1", "p2", "p3", "p", "points")
        error_cells = (getattr(order_errors, name, None) for name in names)
        rank_cells = (getattr(correlations.get(order), name, None) for name in ("mean", "count"))
        rows.append((order, width, *error_cells, *rank_cells))
    columns = ("references", "spread", "p1", "p2", "p3", "p", "data points", "Spearman", "rankings")
    note = (
        "By the number of references in a pyramid. Spread: mean difference between the highest "
        f"and lowest {settings.score} score of a summary. p1: equal summaries (within "
        f"{settings.equal_within:g}) seem different; p2: different ones seem equal; p3: the worse "
        "one seems better; p: any of these. Spearman: with the ranking by all references."
    )
    return Table(columns, tuple(rows), "How scores stabilize", note, digits=3, name="orders")


def _resampled_table(rows: Sequence[OrderCorrelation]) -> Table:
    order = reliable_order(rows, above=_RELIABLE_CORRELATION)
    range_text = f"from {order} models on" if order else "for none of these numbers"
    note = (
        "Mean Spearman correlation of all pairs of rankings by the weight of what summaries "
        "express, with models sampled with replacement (factoid studies). It stays above "
        f"{_RELIABLE_CORRELATION:g} {range_text}."
    )
    cells = tuple((row.order, row.mean, row.count) for row in rows)
    columns = ("models", "Spearman", "pairs of rankings")
    title = "Models sampled with replacement"
    return Table(columns, cells, title, note, digits=3, name="resampled")


def _topics_table(pooled_topics: PooledStability, settings: StabilitySettings) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for topic in pooled_topics.topics:
        cells = (topic.task, topic.topic, topic.references, len(topic.study.scores.names))
        rows.append((*cells, *_divergence_cells(topic.study.diverging)))
    if len(rows) > 1:
        rows.append(("", "all", None, None, *_divergence_cells(pooled_topics.diverging)))
    topic_fields = ("task", "topic", "references", "summaries")
    columns = (*topic_fields, "pairs apart", "diverge", "mean order", "relapse")
    note = (
        f"Pairs more than {settings.apart:g} apart by all references. They diverge when every "
        "score of the better one is above every score of the worse one; mean order: the number of "
        "references at which they do; relapse: pairs that mix again with more references."
    )
    table = Table(columns, tuple(rows), "Divergence", note, digits=2, name="divergence")
    return without_tasks(table)


def _divergence_cells(pairs: Sequence[DivergingPair]) -> tuple[Cell, ...]:
    orders = [pair.order for pair in pairs if pair.order is not None]
    relapses = sum(pair.order is not None and not pair.stable for pair in pairs)
    mean = float(np.mean(orders)) if orders else None
    return len(pairs), len(orders), mean, relapses


def _scores_table(pooled_topics: PooledStability) -> Table:
    rows = tuple(
        (topic.task, topic.topic, record["summary"], *row.values())
        for topic in pooled_topics.topics
        for record in _summary_records(topic.study)
        for row in record["orders"]
    )
    columns = ("task", "topic", "summary", "references", "pyramids", "least", "mean", "greatest")
    return without_tasks(Table(columns, rows, "Scores of each summary", digits=3, name="scores"))


def _record(value: PooledStability | StudiedTopic) -> dict[str, Any]:
    if isinstance(value, PooledStability):
        spread = [{"order": order, "width": width} for order, width in value.widths().items()]
        fields = {"level": "all", "pyramids": len(value.topics), "spread": spread}
        return fields | _shared_record(value)
    return {
        "level": "topic",
        "task": value.task,
        "topic": value.topic,
        "references": value.references,
        **_shared_record(value.study),
        "diverging": [asdict(pair) for pair in value.study.diverging],
        "summaries": list(_summary_records(value.study)),
        "notes": list(value.study.notes),
    }


def _shared_record(study: PooledStability | Stability) -> dict[str, Any]:
    n_apart, n_diverging, mean, _ = _divergence_cells(study.diverging)
    error_fields = ("points", "p1", "p2", "p3", "p")
    return {
        "errors": [
            {**asdict(row), **{name: getattr(row, name) for name in error_fields}}
            for row in study.errors
        ],
        "correlations": [asdict(row) for row in study.correlations],
        "resampled": [asdict(row) for row in study.resampled],
        "pairs_apart": n_apart,
        "pairs_diverging": n_diverging,
        "mean_divergence": mean,
    }


def _summary_records(study: Stability) -> Iterator[dict[str, Any]]:
    scores, spread = study.scores, study.spread
    names = ("order", "pyramids", "low", "mean", "high")
    for column, name in enumerate(scores.names):
        columns = (
            array[:, column] for array in (spread.count, spread.low, spread.mean, spread.high)
        )
        rows = zip(*(array.tolist() for array in (spread.orders, *columns)), strict=True)
        yield {
            "summary": name,
            "reference": bool(scores.reference[column] >= 0),
            "full": float(scores.full[column]),
            "orders": [dict(zip(names, row, strict=True)) for row in rows if row[1]],
        }
