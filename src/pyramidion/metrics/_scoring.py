"""Score cases, collections and streams."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from itertools import tee
from typing import cast

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Addressed, Collection, Scores, Summary
from pyramidion.collection.ids import brief_list, grouped
from pyramidion.collection.stream import StreamItem
from pyramidion.engine.engines import Engine, InProcess, map_topics
from pyramidion.errors import InputError, PyramidionError
from pyramidion.metrics._cases import ScoringBatch, TextSets
from pyramidion.metrics._checkpoint import Checkpoint
from pyramidion.metrics._metric import Metric, SingleMetric
from pyramidion.metrics._rouge import RougeMeasure, rouge_computing
from pyramidion.metrics.registry import as_rouges
from pyramidion.rouge import Rouge
from pyramidion.rouge.items import TextInput
from pyramidion.rouge.results import BATCH_SIZE, ScoredBatch, batches, score_stream
from pyramidion.text.encoding import OTHER_SCRIPT_SHARE, other_letters, tokenizer_for

#: Why a score is undefined, by what is missing.
MISSING_NEEDS: Mapping[str, str] = {
    "references": "without any other reference",
    "documents": "without documents",
    "earlier references": "without earlier references",
    "references or content units": "without content units or any other reference",
}

#: The reason given if nothing is missing.
UNDEFINED_REASON = "for which it is undefined"

_MAX_EXAMPLES = 3


@dataclass
class UndefinedCounts:
    """Counts summaries without a score, by measure and reason."""

    _counts: dict[tuple[str, str], int] = field(default_factory=dict)
    _names: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, measure: str, items: Sequence[Addressed], rows: Bools, reason: str) -> None:
        """Count the summaries in some rows."""
        indices = np.flatnonzero(rows).tolist()
        if not indices:
            return
        key = (measure, reason)
        self._counts[key] = self._counts.get(key, 0) + len(indices)
        names = self._names.setdefault(key, [])
        for item in (items[index] for index in indices[: _MAX_EXAMPLES - len(names)]):
            names.append(", ".join(filter(None, (item.topic, item.task, item.system))))

    def join(self, other: "UndefinedCounts") -> None:
        """Add the counts of later summaries."""
        for key, count in other._counts.items():
            self._counts[key] = self._counts.get(key, 0) + count
            names = self._names.setdefault(key, [])
            names += other._names[key][: _MAX_EXAMPLES - len(names)]

    def lines(self, measures: Iterable[str] = ()) -> Iterator[str]:
        """List what was not scored, one line for measures with the same gaps, in this order."""
        groups: dict[str, list[str]] = {}
        order_by_measure = {name: position for position, name in enumerate(measures)}
        counts = sorted(
            self._counts.items(), key=lambda count: order_by_measure.get(count[0][0], 0)
        )
        for (measure, reason), n_summaries in counts:
            examples = "; ".join(self._names[measure, reason]) + "; ..." * (
                n_summaries > _MAX_EXAMPLES
            )
            count = "1 summary" if n_summaries == 1 else f"{n_summaries} summaries"
            line = f"{count} {reason}: {examples}"
            groups.setdefault(line, []).append(measure)
        yield from (f"{brief_list(names)} of {line}" for line, names in groups.items())


#: Hints on how to add what is missing.
_FIX_HINTS: Mapping[str, str] = {
    "references": "add references (role reference or both) to its summaries",
    "documents": "add documents to its topics",
    "earlier references": "declare a task with documents = base before the one with update, and "
    "add its references",
    "references or content units": "add references, .pyr files or a list of content units",
}


@dataclass(frozen=True, eq=False)
class CollectionScores:
    """Scores of a collection's summaries.

    Parameters
    ----------
    summaries
        The scored summaries.
    metrics
        The metrics, by the name of their column.
    values
        Summaries x metrics, NaN for undefined scores.
    left_out
        What was not scored, with counts.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> from pyramidion.metrics import parse_metrics
    >>> result = score_collection(load_demo(), parse_metrics("rouge-2-r,bleu"))
    >>> result.values.shape, len(result.scores)
    ((48, 2), 96)
    """

    summaries: tuple[Summary, ...]
    metrics: Mapping[str, Metric]
    values: Floats
    left_out: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the metrics in tables."""
        return tuple(self.metrics)

    @property
    def scores(self) -> Scores:
        """The scores as rows of a long table, without undefined ones."""
        return Scores.of_items(self.summaries, self.measures, self.values)


def score_cases(metric: Metric, cases: ScoringBatch, folds: ScoringBatch | None = None) -> Floats:
    """Score every case with a metric.

    Parameters
    ----------
    metric
        The metric to compute.
    cases
        The summaries, with the texts they are compared with.
    folds
        The same cases, jackknifed for machines; their scores are averaged over the folds.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metric
    >>> cases = ScoringBatch.of_texts(["Rain fell."], [["Rain fell.", "It rained."]])
    >>> score_cases(parse_metric("rouge-1-r"), cases).tolist()
    [0.5]
    """
    non_ascii_share = other_letters(map(cases.texts.original, range(len(cases.texts))))
    _require_script(str(metric), metric, non_ascii_share)
    return _compute_metric(with_tokenizer(metric, non_ascii_share), cases, folds)


def with_tokenizer(metric: Metric, share: float) -> Metric:
    """Set a metric's tokenizer for texts with this share of non-ASCII letters."""
    if not any(field.name == "tokenizer" for field in fields(metric)):
        return metric
    tokenizer = getattr(metric, "tokenizer")  # noqa: B009
    chosen_tokenizer = tokenizer_for(share, tokenizer, fixed=getattr(metric, "exact", False))
    return metric if chosen_tokenizer == tokenizer else replace(metric, tokenizer=chosen_tokenizer)  # type: ignore[call-arg]


def _require_script(name: str, metric: Metric, share: float) -> None:
    if metric.ascii_only and share >= OTHER_SCRIPT_SHARE:
        message = (
            f"{name} only finds words of ASCII letters, and {share:.0%} of the letters are not"
        )
        raise InputError(message, hint="leave it out, or use a metric with a tokenizer option")


def _compute_metric(
    metric: Metric, cases: ScoringBatch, folds: ScoringBatch | None = None
) -> Floats:
    compares_references = any("references" in need for need in metric.requirements)
    if folds is None or folds.owners is None or not compares_references:
        return metric.score(metric.statistics(cases))
    values = metric.score(metric.statistics(folds))
    return np.bincount(folds.owners, weights=values) / np.bincount(folds.owners)


def score_collection(
    collection: Collection,
    metrics: Sequence[Metric] | Mapping[str, Metric],
    *,
    jackknife: bool = False,
    threads: int = 1,
    skip: bool = False,
    computed: Mapping[str, Floats] | None = None,
    progress: Callable[[str, Floats, int], None] | None = None,
    checkpoint: Checkpoint | None = None,
    engine: Engine | None = None,
) -> CollectionScores:
    """Score every peer of a collection; a person's summary against the other people's only.

    Parameters
    ----------
    collection
        Summaries, references, documents.
    metrics
        What to compute, by the name of its column; by default a metric's text.
    jackknife
        Score machines against all references but one in turn, and average: people have as many
        references.
    threads
        How many threads a metric may use.
    skip
        Skip metrics whose requirements are not met instead of raising an error.
    computed
        Columns that need not be computed again, by name.
    progress
        Called with each finished column's name and values, and the number of columns left.
    checkpoint
        Where metrics that score one summary at a time save each score.
    engine
        Where topics are scored, if not in this process.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metrics
    >>> collection = Collection("mine", summaries=(Summary("T1", "A", "Rain fell.", kind="human"),
    ...                                            Summary("T1", "7", "Rain fell.")))
    >>> result = score_collection(collection, parse_metrics("rouge-1-r"))
    >>> [(row.system, row.measure, row.value) for row in result.scores]
    [('7', 'rouge-1-r', 1.0)]
    >>> result.left_out
    ('rouge-1-r of 1 summary without any other reference: T1, A',)
    """
    summaries = tuple(summary for summary in collection.summaries if summary.is_peer)
    if not summaries:
        raise InputError("the collection has no summaries to score", hint="add peers to it")
    cases = ScoringBatch.of_collection(collection, summaries, threads=threads)
    requested_metrics = (
        metrics if isinstance(metrics, Mapping) else {str(metric): metric for metric in metrics}
    )
    non_ascii_share = other_letters(summary.plain for summary in collection.summaries)
    require = partial(_require, cases, non_ascii_share)
    computable, missing_requirements = possible_metrics(requested_metrics, require, skip=skip)
    computable = {
        name: with_tokenizer(metric, non_ascii_share) for name, metric in computable.items()
    }
    is_machine = np.array([not summary.is_reference for summary in summaries])
    folds = cases.jackknifed(is_machine) if jackknife else None
    columns: dict[str, Floats] = {}
    if engine is not None and not isinstance(engine, InProcess):
        new_metrics = {
            name: metric for name, metric in computable.items()
            if metric.per_case and not metric.is_slow and name not in (computed or {})
        }  # fmt: skip
        columns_by_topic = _score_by_topic(collection, summaries, new_metrics, jackknife, engine)
        computed = {**(computed or {}), **columns_by_topic}
    for name, metric in computable.items():
        column = (computed or {}).get(name)
        if column is None and checkpoint is not None and folds is None and metric.is_slow:
            column = _score_item_by_item(cast("SingleMetric", metric), cases, checkpoint)
        columns[name] = _compute_metric(metric, cases, folds) if column is None else column
        if progress is not None:
            progress(name, columns[name], len(computable) - len(columns))
    table = np.stack(list(columns.values()), axis=1)
    undefined_notes = _count_undefined(computable, columns, cases, summaries)
    remarks = filter(None, (metric.remark(cases) for metric in computable.values()))
    return CollectionScores(
        summaries, computable, table, (*missing_requirements, *undefined_notes, *remarks)
    )


def _score_by_topic(
    collection: Collection,
    summaries: Sequence[Summary],
    metrics: Mapping[str, Metric],
    jackknife: bool,
    engine: Engine,
) -> dict[str, Floats]:
    """Let workers score the summaries of each topic."""
    rows_by_topic = grouped((summary.topic, row) for row, summary in enumerate(summaries))
    topics = collection.by_topic()
    score = _ScoreTopic(tuple(metrics.values()), jackknife)
    table = np.empty((len(summaries), len(metrics)))
    named_topics = ((f"topic {topic}", topics[topic]) for topic in rows_by_topic) if metrics else ()
    topic_values = map_topics(engine, score, named_topics, len(rows_by_topic))
    for topic_rows, values in zip(rows_by_topic.values(), topic_values, strict=False):
        table[topic_rows] = values
    return dict(zip(metrics, table.T, strict=True))


@dataclass(frozen=True)
class _ScoreTopic:
    """Scores the summaries of a topic, on a worker."""

    metrics: tuple[Metric, ...]
    jackknife: bool

    def __call__(self, collection: Collection) -> Floats:
        """Return a row for each summary."""
        summaries = tuple(summary for summary in collection.summaries if summary.is_peer)
        cases = ScoringBatch.of_collection(collection, summaries)
        is_machine = np.array([not summary.is_reference for summary in summaries])
        folds = cases.jackknifed(is_machine) if self.jackknife else None
        return np.stack([_compute_metric(metric, cases, folds) for metric in self.metrics], axis=1)


def _score_item_by_item(
    metric: SingleMetric, cases: ScoringBatch, checkpoint: Checkpoint
) -> Floats:
    """Score each summary that an earlier run has not finished, and save it at once."""
    key = metric.cache_key
    finished_scores = checkpoint.items.get(key, {})
    for row in metric.order(cases):
        if row not in finished_scores:
            checkpoint.add_item(key, row, metric.case(cases, row))
            finished_scores = checkpoint.items[key]
    return np.array([finished_scores[row] for row in range(len(cases))])


def possible_metrics(
    metrics: Mapping[str, Metric], require: Callable[[str, Metric], None], *, skip: bool
) -> tuple[dict[str, Metric], list[str]]:
    """Return the metrics that can be computed, and what is missing for the others."""
    computable: dict[str, Metric] = {}
    missing_requirements: dict[str, list[str]] = {}
    for name, metric in metrics.items():
        try:
            require(name, metric)
            computable[name] = metric
        except PyramidionError as problem:
            if not skip:
                raise
            missing_requirements.setdefault(problem.what.removeprefix(f"{name} "), []).append(name)
    if not computable:
        raise InputError("no metric can be computed", hint="add references or documents")
    lines = []
    for reason, names in missing_requirements.items():
        suffix = f", ... ({len(names)})" if len(names) > 3 else ""
        lines.append(f"{', '.join(names[:3])}{suffix}: {reason}")
    return computable, lines


def _require(cases: ScoringBatch, non_ascii_share: float, name: str, metric: Metric) -> None:
    metric.require_installed()
    _require_script(name, metric, non_ascii_share)
    for need in sorted(metric.requirements & _FIX_HINTS.keys()):
        if not _set_sizes(cases, need).any():
            suffix = " besides itself" if need == "references" else ""
            message = f"{name} needs {need}, and no summary of the collection has any{suffix}"
            raise InputError(message, hint=_FIX_HINTS[need])


def _set_sizes(cases: ScoringBatch, need: str) -> Ints:
    if need == "references or content units":
        return cases.with_units.astype(np.int64)
    sets: TextSets = getattr(cases, "earlier" if need == "earlier references" else need)
    return sets.sizes


def _count_undefined(
    metrics: Mapping[str, Metric],
    columns: Mapping[str, Floats],
    cases: ScoringBatch,
    summaries: Sequence[Summary],
) -> Iterator[str]:
    """Count undefined scores by reason."""
    undefined_counts = UndefinedCounts()
    for name, metric in metrics.items():
        is_missing = np.isnan(columns[name])
        for need in sorted(metric.requirements & MISSING_NEEDS.keys()):
            is_unmet = is_missing & (_set_sizes(cases, need) == 0)
            is_missing &= ~is_unmet
            undefined_counts.add(name, summaries, is_unmet, MISSING_NEEDS[need])
        undefined_counts.add(name, summaries, is_missing, UNDEFINED_REASON)
    yield from undefined_counts.lines()


def require_streamable(name: str, metric: Metric, *, share: float = 0.0) -> None:
    """Raise an error for a metric that needs something a stream does not have."""
    metric.require_installed()
    _require_script(name, metric, share)
    for need in sorted(metric.requirements & {"documents", "earlier references"}):
        message = f"{name} needs {need}, which streams do not contain"
        raise InputError(message, hint="score a collection instead")


def score_items(
    items: Iterable[StreamItem], metrics: Sequence[Metric], *, threads: int | None = None
) -> Iterator[ScoredBatch]:
    """Score items batch by batch, in their order; one column per metric."""
    # Users' metrics may not be hashable.
    is_rouge = all(isinstance(metric, RougeMeasure) for metric in metrics)
    if is_rouge and (plan := _rouge_plan(tuple(metrics))):
        yield from _score_rouge(items, *plan, threads)
        return
    batch_size = BATCH_SIZE if all(metric.per_case for metric in metrics) else None
    n_threads = threads or os.cpu_count() or 1
    for batch in batches(items, batch_size):
        cases = ScoringBatch.of_texts(
            [_text(item.peer) for item in batch],
            [[_text(reference) for reference in item.references] for item in batch],
            names=[item.name for item in batch],
            threads=n_threads,
        )
        values = np.stack([_compute_metric(metric, cases) for metric in metrics], axis=1)
        yield ScoredBatch(batch, values)


# Cached because small parts make many calls and creating measures is slow.
@lru_cache(maxsize=16)
def _rouge_plan(metrics: tuple[Metric, ...]) -> tuple[tuple[Rouge, ...], list[int]] | None:
    """Return the `Rouge` values that compute metrics, and the column of each; None for others."""
    if not (rouges := as_rouges(metrics)):
        return None
    columns = [(rouge, name) for rouge in rouges for name in rouge.measures]
    measures = cast("tuple[RougeMeasure, ...]", metrics)
    return rouges, [
        columns.index((rouge_computing(measure, rouges), measure.measure)) for measure in measures
    ]


def _score_rouge(
    items: Iterable[StreamItem],
    rouges: Sequence[Rouge],
    column_order: list[int],
    threads: int | None,
) -> Iterator[ScoredBatch]:
    """Score with `Rouge`, which reads texts once for all measures and scores in parallel."""
    copies = zip(tee(items, len(rouges)), rouges, strict=True)
    streams = [score_stream(copy, rouge, threads=threads) for copy, rouge in copies]
    for scored_batches in zip(*streams, strict=True):
        values = np.concatenate([batch.values for batch in scored_batches], axis=1)
        yield ScoredBatch(scored_batches[0].items, values[:, column_order])


def _text(text: TextInput) -> str | tuple[str, ...]:
    return text if isinstance(text, str) else tuple(cast("Iterable[str]", text))
