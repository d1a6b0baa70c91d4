"""Training tables: summaries, their features and their human judgments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Collection, ScoreMatrix, Summary
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.metrics import BUILT_IN, BigramCounts, Metric, RougeMeasure, score_collection
from pyramidion.metrics.registry import stored_metric
from pyramidion.stats.inputs import matrix

Labels = npt.NDArray[np.str_]

#: All summaries, or machine summaries only.
Peers = Literal["all", "no-models"]

# A column whose spread is below this share of its largest value is constant within a topic.
_CONSTANT_SPREAD = 1e-9


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """A feature: one metric, or two that enter a model together."""

    name: str
    title: str
    metrics: tuple[Metric, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The metrics as strings."""
        return tuple(map(str, self.metrics))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """Training data of a year, or of any set: one row per summary.

    Parameters
    ----------
    features
        Rows x columns of numbers.
    targets
        Rows x human measures. A single measure may be a plain list.
    systems, topics
        The system and the topic of each row's summary; empty if not needed.
    name
        Name of the data in messages, such as a year.
    feature_names, target_names
        Names of the columns in messages; by default their indices.
    groups
        The features that the columns belong to, in their order.
    summaries
        The rows' summaries, if available.
    left_out
        Messages that list what was left out.
    gaps
        Whether values may be missing (NaN). `learned` drops such rows before training.

    Examples
    --------
    >>> year = TrainingData([[0.1, 3], [0.2, 5]], [1, 4], topics=["D1", "D2"], name="2010")
    >>> year.features.shape, year.targets.shape, year.topics.tolist()
    ((2, 2), (2, 1), ['D1', 'D2'])
    """

    features: Floats
    targets: Floats
    systems: Labels
    topics: Labels
    name: str
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    groups: tuple[FeatureGroup, ...]
    summaries: tuple[Summary, ...]
    left_out: tuple[str, ...]
    gaps: bool

    def __init__(
        self,
        features: npt.ArrayLike,
        targets: npt.ArrayLike,
        *,
        systems: Sequence[Any] | npt.NDArray[Any] = (),
        topics: Sequence[Any] | npt.NDArray[Any] = (),
        name: str = "the data",
        feature_names: Sequence[str] = (),
        target_names: Sequence[str] = (),
        groups: Sequence[FeatureGroup] = (),
        summaries: Sequence[Summary] = (),
        left_out: Sequence[str] = (),
        gaps: bool = False,
    ) -> None:
        feature_columns = np.asarray(features) if gaps else matrix(features, "features", nan=False)
        measures = _measures(targets, name, gaps=gaps)
        labels = {
            label_name: np.array([str(label) for label in labels], dtype=np.str_)
            for label_name, labels in (("systems", systems), ("topics", topics))
        }
        for label_name, values in {"targets": measures, **labels}.items():
            if len(values) != len(feature_columns) and (label_name == "targets" or len(values)):
                rows = f"{len(feature_columns)} rows of features and {len(values)} of {label_name}"
                raise ShapeError(f"{name}: {rows}", hint="pass one per row")
        fields = {
            "features": feature_columns,
            "targets": measures,
            **labels,
            "name": name,
            "feature_names": _names(feature_names, feature_columns.shape[1], "feature", name),
            "target_names": _names(target_names, measures.shape[1], "target", name),
            "groups": tuple(groups),
            "summaries": tuple(summaries),
            "left_out": tuple(left_out),
            "gaps": gaps,
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    @classmethod
    def of(cls, summaries: Sequence[Summary], name: str = "the data", **columns: Any) -> Self:
        """Make a table of summaries; features and targets can be added later."""
        no_columns = np.empty((len(summaries), 0))
        return cls(
            **{"features": no_columns, "targets": no_columns, **columns},
            systems=[summary.system for summary in summaries],
            topics=[summary.topic for summary in summaries],
            name=name,
            summaries=summaries,
            gaps=True,
        )

    @property
    def group_of(self) -> Ints:
        """The index of each column's group."""
        return np.repeat(np.arange(len(self.groups)), [len(group.metrics) for group in self.groups])

    @property
    def complete(self) -> Bools:
        """A mask of the rows that have all features."""
        return np.array(np.isfinite(self.features).all(axis=1))

    def rows(self, chosen: Any) -> Self:
        """Return a table of some rows."""
        indices = np.arange(len(self.features))[chosen]
        names = ("features", "targets", "systems", "topics")
        columns: Any = {
            name: column[indices] for name in names if len(column := getattr(self, name))
        }
        summaries = tuple(self.summaries[number] for number in indices if self.summaries)
        return replace(self, summaries=summaries, **columns)

    def target(self, measure: str) -> Floats:
        """Return the human scores of a measure."""
        return self.targets[:, self.target_names.index(measure)]

    def learned(self, measures: Sequence[str]) -> Self:
        """Return the rows with all features and the first measure, with these as targets."""
        columns = np.column_stack([self.target(measure) for measure in measures])
        table = replace(self, targets=columns, target_names=tuple(measures))
        return replace(table.rows(self.complete & ~np.isnan(columns[:, 0])), gaps=False)

    def judged(
        self,
        collection: Collection,
        task: str,
        measures: Sequence[str],
        without: Sequence[str] = (),
    ) -> Self:
        """Add the mean judgment of each summary on some measures; NaN if there is none.

        Topics that the assessors in `without` scored or were assigned are left out.
        """
        judgments = [_judgments(self, collection, task, measure, without) for measure in measures]
        no_features = np.empty((len(self.features), 0))
        return replace(
            self, targets=np.column_stack([no_features, *judgments]), target_names=tuple(measures)
        )

    def require_fit_for_training(self) -> None:
        """Refuse data that is too small or constant for training."""
        n_rows, n_columns = self.features.shape
        if not n_columns or not self.targets.shape[1]:
            raise InputError(f"{self.name}: no features or no targets", hint="pass at least one")
        if n_rows < n_columns + 2:
            message = f"{self.name}: {n_rows} rows are too few for {n_columns} columns of features"
            raise InputError(message, hint=f"pass at least {n_columns + 2} rows, or fewer features")
        for values, names, kind in (
            (self.features, self.feature_names, "feature"),
            (self.targets, self.target_names, "target"),
        ):
            for column in np.flatnonzero(~varies(values)):
                message = (
                    f"{self.name}: {kind} {names[column]} has the same value in all {n_rows} rows"
                )
                raise InputError(message, hint="remove it")

    def require_same_columns(self, other: "TrainingData") -> None:
        """Refuse data with a different number of features or targets."""
        for field in ("features", "targets"):
            count, other_count = (getattr(data, field).shape[1] for data in (self, other))
            if count != other_count:
                message = f"{self.name} has {count} {field} and {other.name} has {other_count}"
                raise ShapeError(message, hint="both need the same number")


def join_tables(tables: Sequence[TrainingData]) -> TrainingData:
    """Concatenate tables; topics with the same name in two tables stay separate."""
    first_table = tables[0]
    for table in tables[1:]:
        first_table.require_same_columns(table)
    topics = [
        f"{number}/{topic}"
        for number, table in enumerate(tables, start=1)
        for topic in table.topics
    ]
    names = ("features", "targets", "systems")
    rows: Any = {name: np.concatenate([getattr(table, name) for table in tables]) for name in names}
    return replace(
        first_table,
        **rows,
        topics=np.array(topics),
        name=" and ".join(table.name for table in tables),
        summaries=tuple(summary for table in tables for summary in table.summaries),
    )


def within_topics(columns: Floats, topics: npt.ArrayLike) -> Floats:
    """Standardize columns within each topic; constant values become 0, NaN stays NaN."""
    standardized_columns = np.empty_like(columns)
    labels = np.asarray(topics)
    for topic in np.unique(labels):
        rows = columns[labels == topic]
        is_defined = ~np.isnan(rows)
        counts = np.maximum(is_defined.sum(axis=0), 1)
        centered_rows = rows - np.where(is_defined, rows, 0.0).sum(axis=0) / counts
        spreads = np.sqrt(np.where(is_defined, centered_rows**2, 0.0).sum(axis=0) / counts)
        noise = _CONSTANT_SPREAD * np.abs(np.where(is_defined, rows, 0.0)).max(axis=0)
        standardized_columns[labels == topic] = centered_rows / np.where(
            spreads > noise, spreads, np.inf
        )
    return standardized_columns


def _measures(targets: npt.ArrayLike, name: str, *, gaps: bool) -> Floats:
    values = np.asarray(targets)
    measures = matrix(values[:, None] if values.ndim == 1 else values, "targets")
    missing_cells = np.argwhere(np.isnan(measures))
    if len(missing_cells) and not gaps:
        row, column = missing_cells[0].tolist()
        message = f"{name}: row {row} has no value of target {column}"
        raise InputError(message, hint="remove such rows")
    return measures


def _names(names: Sequence[str], n_columns: int, noun: str, data_name: str) -> tuple[str, ...]:
    if names and len(names) != n_columns:
        problem = f"{data_name}: {len(names)} names for {n_columns} {noun}s"
        raise ShapeError(problem, hint="pass one per column")
    return tuple(names) or tuple(str(number) for number in range(n_columns))


def varies(columns: Floats) -> Bools:
    """Return for each column whether its values differ by more than rounding noise."""
    is_varying: Bools = np.ptp(columns, axis=0) > 1e-12 * np.abs(columns).max(axis=0)
    return is_varying


def _judgments(
    table: TrainingData,
    collection: Collection,
    task: str,
    measure: str,
    excluded_assessors: Sequence[str],
) -> Floats:
    scores = collection.scores.select(task=task, measure=measure)
    excluded = set(excluded_assessors)
    if excluded:
        topics = {topic.id for topic in collection.topics if topic.assessor in excluded}
        topic_assessors = zip(scores.columns["topic"], scores.columns["assessor"], strict=True)
        topics |= {topic for topic, assessor in topic_assessors if assessor in excluded}
        is_kept = np.array([topic not in topics for topic in scores.columns["topic"]], dtype=bool)
        if not is_kept.any():
            message = f"{table.name}: no topic is left without {', '.join(sorted(excluded))}"
            raise InputError(message, hint="leave out fewer assessors")
        scores = scores.rows(is_kept)
    matrix = ScoreMatrix.from_scores(scores, measure)
    values = {
        (topic, system): value
        for topic, row in zip(matrix.topics, matrix.values.tolist(), strict=True)
        for system, value in zip(matrix.systems, row, strict=True)
    }
    return np.array(
        [values.get((summary.topic, summary.system), np.nan) for summary in table.summaries]
    )


# The 13 features of CLASSY, and their tables.

# Name, title in the papers' tables of models, metric; in the order of those tables.
_CONTENT_FEATURES = (
    ("r2", "R2", "rouge-2-r(stem{})"),
    ("su4", "SU4", "rouge-su4-r(stem{})"),
    ("coverage", "Coverage", "bigram-coverage({})"),
    ("bigrams", "Bigrams", "bigram-unnormalized({})"),
    ("bigrams-p2p", "Bigrams P2P", "bigram-p2p({})"),
    ("coverage-p2p", "Coverage P2P", "bigram-coverage-p2p({})"),
)
_PAPER_METRICS = {"r2": "rouge-max-2({})", "su4": "rouge-max-su4({})"}
_LINGUISTIC_FEATURES = (
    ("term-overlap", "log2(1+Term Overlap)", "term-overlap"),
    ("norm-term-overlap", "Norm Term Overlap", "term-overlap-normalized"),
    ("redundant-1", "Redundant 1", "redundancy-1"),
    ("redundant-2", "Redundant 2", "redundancy-2"),
    ("term-entropy", "Term Entropy", "term-entropy"),
    ("log-sentences", "-log2(sent length)", "neg-log-sentences"),
    ("neg-sentence-entropy", "Neg Sent Entropy", "neg-sentence-entropy"),
)


def feature_groups(update: bool, *, exact: bool = False) -> tuple[FeatureGroup, ...]:
    """Return the 13 features, in the order of the papers' tables of models."""
    against_options = (",against=earlier", "") if update else ("",)
    groups = []
    for name, title, metric in _CONTENT_FEATURES:
        template = _PAPER_METRICS.get(name, metric) if exact else metric
        metrics = tuple(stored_metric(template.format(side)) for side in against_options)
        groups.append(FeatureGroup(name, title, metrics))
    for name, title, metric in _LINGUISTIC_FEATURES:
        groups.append(FeatureGroup(name, title, (stored_metric(metric),)))
    return tuple(groups)


def published_groups(update: bool, *, exact: bool = False) -> tuple[FeatureGroup, ...]:
    """Return the 13 features as the published models read them (docs/readings.md, 31 to 34)."""

    def read(metric: Metric, name: str) -> Metric:
        if isinstance(metric, BigramCounts):
            models = "sum" if name == "coverage" and not update else metric.models
            return replace(metric, stop_words=True, models=models)
        is_best = update and isinstance(metric, RougeMeasure)
        return replace(metric, models="best") if is_best else metric  # type: ignore[call-arg]

    return tuple(
        replace(group, metrics=tuple(read(metric, group.name) for metric in group.metrics))
        for group in feature_groups(update, exact=exact)
    )


def feature_table(
    collection: Collection,
    *,
    task: str | None = None,
    peers: Peers = "all",
    groups: Sequence[FeatureGroup] | None = None,
    name: str = "the data",
    **scoring_options: Any,
) -> TrainingData:
    """Compute the features of a task's summaries; `scoring_options` go to `score_collection`.

    For update tasks, content is also compared with earlier references.
    """
    if task is None:
        tasks = sorted({summary.task for summary in collection.summaries if summary.is_peer})
        if len(tasks) != 1:
            message = f"the collection {collection.name} has summaries of {len(tasks)} tasks"
            hint = f"choose a task: {', '.join(tasks)}" if tasks else "add summaries to it"
            raise InputError(message, hint=hint)
        task = tasks[0]
    if groups is None:
        groups = feature_groups(collection.task(task).is_update)
    metrics = [metric for group in groups for metric in group.metrics]
    narrowed_collection = _select_summaries(collection, task, peers, metrics)
    collection_scores = score_collection(
        narrowed_collection, metrics, jackknife=peers == "all", **scoring_options
    )
    return TrainingData.of(
        collection_scores.summaries,
        name,
        features=collection_scores.values,
        feature_names=[str(metric) for metric in metrics],
        groups=groups,
        left_out=collection_scores.left_out,
    )


def _select_summaries(
    collection: Collection, task: str, peers: Peers, metrics: Sequence[Metric]
) -> Collection:
    """Keep the summaries to score, the references, and the documents if a metric needs them."""
    summaries: list[Summary] = []
    for summary in collection.summaries:
        if summary.task == task and (peers == "all" or summary.kind == "machine"):
            summaries.append(summary)
        elif summary.is_reference:
            summaries.append(replace(summary, role="reference"))
    if not any(summary.is_peer for summary in summaries):
        suffix = "" if peers == "all" else " by a machine"
        task_suffix = f" for task {task}" if task else ""
        message = f"the collection {collection.name} has no summary{suffix}{task_suffix}"
        tasks = ", ".join(filter(None, collection.task_ids)) or "none"
        raise InputError(message, hint=f"available tasks: {tasks}")
    needs_documents = any("documents" in metric.requirements for metric in metrics)
    topics = collection.topics if needs_documents else ()
    return replace(collection, summaries=tuple(summaries), topics=topics)


# Feature sets: CLASSY's, those of two other fitted metrics, or all metrics (the family).

FeatureSet = Literal["classy", "classy-2011", "nouveau", "rose", "family"]

FEATURE_SETS: tuple[FeatureSet, ...] = get_args(FeatureSet)

_NOUVEAU_FEATURES = (("nouveau-2", "rouge-2-r"), ("nouveau-su4", "rouge-su4-r"))
_ROSE_VARIANTS = ("1", "2", "3", "4", "l", "w-1.2", "s4", "su4")

# The variants of ROUGE in the family count different things; other combinations are left out.
_FAMILY_ROUGE = (
    *(f"rouge-{variant}-{part}" for variant in ("1", "2", "l", "su4") for part in "rpf"),
    *(f"rouge-{variant}-{part}(stem)" for variant in ("1", "2", "l", "su4") for part in "rf"),
    *("rouge-3-r", "rouge-3-f", "rouge-w-1.2-f(stem)"),
    *(f"rouge-1-{part}(stem,stop_words)" for part in "rf"),
    *(f"rouge-2-{part}(stem,stop_words)" for part in "rf"),
    *(f"rouge-{variant}-r(stem,models=best)" for variant in ("1", "2", "l")),
    *(f"rouge-{variant}-f(stem,models=best)" for variant in ("1", "2")),
)


# Metrics fitted to the open sets on which models of the family are evaluated.
_FITTED_METRICS = frozenset({"auto-pyramid"})


def feature_set(
    name: str, *, update: bool = False, documents: bool = False, exact: bool = False
) -> tuple[FeatureGroup, ...]:
    """Return the features of a named set.

    Nouveau-ROUGE: Conroy, Schlesinger and O'Leary (2011), Computational Linguistics 37(1). ROSE:
    Conroy and Dang (2008), Mind the gap, COLING.
    """
    if name not in FEATURE_SETS:
        hint = f"use {', '.join(FEATURE_SETS)}"
        raise NotFoundError(f"there is no feature set {name!r}", hint=hint)
    if name in ("classy", "classy-2011"):
        read_groups = feature_groups if name == "classy" else published_groups
        return read_groups(update, exact=exact)
    if name == "nouveau":
        return tuple(
            _group(name, f"{metric}(stem,against=earlier)", f"{metric}(stem)")
            for name, metric in _NOUVEAU_FEATURES
        )
    if name == "rose":
        return tuple(
            _group(f"rouge-{variant}", f"rouge-{variant}-r(stem)") for variant in _ROSE_VARIANTS
        )
    return tuple(_group(str(metric), str(metric)) for metric in _family_features(update, documents))


def _group(name: str, *metrics: str) -> FeatureGroup:
    return FeatureGroup(name, name, tuple(map(stored_metric, metrics)))


def _family_features(update: bool, documents: bool) -> Iterator[Metric]:
    yield from map(stored_metric, _FAMILY_ROUGE)
    if update:
        yield from (
            stored_metric(f"{metric}(stem,against=earlier)") for _, metric in _NOUVEAU_FEATURES
        )
    unavailable_needs = {"parser", *(() if documents else ("documents",))}
    for metric_class in (metric for metric in BUILT_IN if metric.name not in _FITTED_METRICS):
        # Descriptive metrics would overfit to one set; checks of facts are 1 for most summaries.
        is_check = metric_class.name.endswith("-supported")
        if metric_class is not RougeMeasure and not (
            metric_class.descriptive or metric_class.extra or is_check
        ):
            metrics = map(stored_metric, metric_class.names())
            yield from (metric for metric in metrics if not metric.requirements & unavailable_needs)
