"""Evaluate trained models on held-out sets."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy._learners import choose_by_topics, learner_of
from pyramidion.classy._table import (
    FeatureGroup,
    Peers,
    TrainingData,
    feature_set,
    feature_table,
    join_tables,
    within_topics,
)
from pyramidion.classy._training import parse_targets
from pyramidion.collection import Collection
from pyramidion.collection.sources import Source, read_source
from pyramidion.errors import InputError, NotFoundError
from pyramidion.metrics import R1NS
from pyramidion.metrics.registry import named_metrics
from pyramidion.questions import Options, Progress, argument, option, question
from pyramidion.rendering.charts.rows import PanelRow, RowPanel, row_panels_picture
from pyramidion.rendering.result import Chart, FigureResult, signed
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import Column, View, columns
from pyramidion.stats.clustered import Cells, input_correlations, mean_over_inputs

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture

#: The metric that every model has to beat, and the confounder: the number of words.
BASELINE, LENGTH = R1NS, "length"

# Number of folds when training on topics of the same set.
_SAME_SET_FOLDS = 3

_MethodName = Literal["regularized", "ranking"]
_FeatureSetName = Literal["classy", "family", "rose"]


@dataclass(frozen=True, slots=True)
class EvaluateOptions(Options):
    """The sets to hold out in turn, and the targets to predict."""

    sets: tuple[Source, ...] = argument(
        "Collections with judgments, in any format; each is left out in turn.", metavar="SET..."
    )
    target: tuple[str, ...] = option(
        MISSING, "Target to predict and its possible measures, comma-separated, such as "
        "content=relevance,recall,pyramid: each set uses the first one it has; for human "
        "measures, the end of the name suffices (expert-relevance). Can be repeated.",
        metavar="NAME=MEASURES",
    )  # fmt: skip
    metric: tuple[str, ...] = option(
        (), "Additional metrics to evaluate together with the models, comma-separated.",
        flags=("--metric", "-m"), code=True,
    )  # fmt: skip
    method: tuple[_MethodName, ...] = option(
        ("regularized",), "Learning methods, comma-separated: regularized, ranking."
    )
    features: tuple[_FeatureSetName, ...] = option(
        ("family", "classy"), "Features to learn from, comma-separated: family (all metrics), "
        "classy (the 13 of CLASSY) or rose (eight variants of ROUGE); a model for each.",
    )  # fmt: skip
    own_set: bool = option(
        False, "Also train on other topics of the set itself, for comparison: a third of the "
        "topics is left out in turn.", flags=("--own-set",),
    )  # fmt: skip
    source_format: str | None = option(
        None, "Format of the collections; detected by default.", flags=("--from",),
        metavar="FORMAT",
    )  # fmt: skip
    confidence: float = option(0.95, "Level of the intervals over topics.", between=(0.0, 1.0))
    n_resamples: int = option(2000, "Number of resamples of topics.", flags=("--resamples",), min=1)
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    def check(self) -> None:
        """Refuse targets without a name, and too few sets."""
        _ = self.targets
        if len(self.sets) < 2:
            raise InputError("one set leaves nothing to learn from", hint="give two or more")

    @property
    def targets(self) -> dict[str, tuple[str, ...]]:
        """The measures of each target, in order of preference."""
        return parse_targets(self.target)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over topics with its interval; NaN if undefined."""

    value: float
    low: float = np.nan
    high: float = np.nan

    def __str__(self) -> str:
        if np.isnan(self.value):
            return "–"
        interval = "" if np.isnan(self.low) else f" [{self.low:.3f}, {self.high:.3f}]"
        return f"{self.value:.3f}{interval}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The performance of a model or a metric on a held-out set.

    Attributes
    ----------
    target, set, measure, topics, summaries
        The target, the set, and its human measure of the target.
    predictor, is_model, chosen
        A metric, or a model trained on the other sets and the fit selected on them.
    tau, difference
        Kendall's correlation within topics, and its difference from that of R1ns.
    held, held_difference
        The same with the number of words held constant.

    Examples
    --------
    >>> str(Estimate(0.5, 0.25, 0.75))
    '0.500 [0.250, 0.750]'
    """

    target: str
    set: str
    measure: str
    topics: int
    summaries: int
    predictor: str
    is_model: bool
    chosen: str
    tau: Estimate
    difference: Estimate
    held: Estimate
    held_difference: Estimate


@question
def evaluate(options: EvaluateOptions) -> FigureResult[LeftOut]:
    """Evaluate trained models on held-out sets, compared with R1ns and the summaries' length.

    Each set is held out in turn, and models are trained on the others. Features and judgments are
    standardized within topics, so that scales and difficulties of sets do not matter. R1ns is
    unigram recall, stemmed and without stop words.

    Examples
    --------
    >>> from pyramidion.classy import topic_parts
    >>> from pyramidion.demo import load_demo
    >>> result = evaluate(tuple(topic_parts(load_demo(), 2)), target="content=responsiveness",
    ...                   features="rose", n_resamples=99)
    >>> [row.predictor for row in result][:3]
    ['rouge-1-ns', 'length', 'regularized, rose']
    """
    source_names = [getattr(source, "name", "") or str(source) for source in options.sets]
    names = [name.rstrip("/").rpartition("/")[2].split(".")[0] or name for name in source_names]
    if len(set(names)) < len(names):
        names = [f"{number} {name}" for number, name in enumerate(names, start=1)]
    collections = [read_source(source, format=options.source_format) for source in options.sets]
    features = _features(collections, options)
    n_steps = len(collections) + len(options.targets)
    scored_sets, rows = [], list[LeftOut]()
    for name, collection in zip(names, collections, strict=True):
        scored_sets.append((collection, *_score_set(name, collection, features)))
        options.progress.advance(len(scored_sets), n_steps)
    for number, target in enumerate(options.targets, start=1):
        rows += _left_out_in_turn(scored_sets, target, features, options)
        options.progress.advance(len(scored_sets) + number, n_steps)
    judged_sets = {(row.target, row.set) for row in rows}
    return FigureResult(
        command="classy evaluate",
        signature=signed(
            "classy-evaluate", "+".join(collection.data_hash for collection in collections),
            options.seed,
            **dict(options.changed("method", "features", "confidence", "n_resamples")),
        ),
        values=rows,
        record=VIEW.record,
        tables=[*_tables(rows), _verdicts_table(rows)],
        left_out=(
            *(line for collection in collections for line in collection.left_out),
            *(f"{name}: no measure of {target}" for target in options.targets
              for name in names if (target, name) not in judged_sets),
        ),
        charts=[
            Chart("left-out", partial(_figure, rows, target), _EVALUATION_NOTE, about=(target,))
            for target in options.targets
        ],
    )  # fmt: skip


def _features(
    collections: Sequence[Collection], options: EvaluateOptions
) -> dict[str, FeatureGroup]:
    """Return the metrics of each model, and those evaluated alone, as groups."""
    have_documents = all(
        any(collection.documents(topic.id) for topic in collection.topics)
        for collection in collections
    )
    single_metrics = dict.fromkeys(named_metrics((BASELINE, LENGTH, *options.metric)).values())
    groups = {"": FeatureGroup("", "", tuple(single_metrics))}
    for name in options.features:
        metrics = (
            metric
            for group in feature_set(name, documents=have_documents)
            for metric in group.metrics
        )
        groups[name] = FeatureGroup(name, "", tuple(metrics))
    return groups


def _score_set(
    name: str, collection: Collection, features: Mapping[str, FeatureGroup]
) -> tuple[str, TrainingData]:
    """Score the summaries of a set's first task, including human ones if references allow it."""
    task = next((summary.task for summary in collection.summaries if summary.is_peer), "")
    summaries = [summary for summary in collection.summaries if summary.task == task]
    reference_counts = Counter(summary.topic for summary in summaries if summary.is_reference)
    human_reference_counts = [
        reference_counts[s.topic] for s in summaries if s.is_peer and s.kind == "human"
    ]
    peers: Peers = (
        "all" if human_reference_counts and min(human_reference_counts) > 1 else "no-models"
    )
    metrics = dict.fromkeys(metric for group in features.values() for metric in group.metrics)
    group = FeatureGroup("all", "", tuple(metrics))
    return task, feature_table(collection, task=task, peers=peers, groups=[group], name=name)


def _with_target(
    collection: Collection, task: str, table: TrainingData, names: Sequence[str]
) -> TrainingData | None:
    """Add a target by its measure's name or its ending, experts first; drop rows without it."""
    measures = collection.scores.select(task=task).measures
    for name in names:
        # An automatic measure with the same ending does not count.
        human_measures = (measure for measure in collection.human_measures if measure in measures)
        measures_by_ending = [measure for measure in human_measures if measure.endswith(f"-{name}")]
        for measure in (name, f"expert-{name}", f"human-{name}", *measures_by_ending):
            if measure in measures:
                judged_rows = table.judged(collection, task, [measure])
                return judged_rows.rows(~np.isnan(judged_rows.target(measure)))
    return None


def _column(table: TrainingData, name: str) -> Floats:
    """Return a metric's scores, negated if lower is better."""
    values = table.features[:, table.feature_names.index(name)]
    # Compared as text, since a function in a file cannot be looked up by name.
    metrics = (metric for group in table.groups for metric in group.metrics)
    metric = next(metric for metric in metrics if str(metric) == name)
    return values if metric.higher_is_better else -values


def _standardize(table: TrainingData, group: FeatureGroup) -> TrainingData:
    """Standardize within topics; missing features are imputed with their topic's mean."""
    columns = np.column_stack([_column(table, name) for name in group.columns])
    return replace(
        table,
        features=np.nan_to_num(within_topics(columns, table.topics)),
        targets=within_topics(table.targets, table.topics),
        feature_names=group.columns,
        gaps=False,
    )


def _taus(table: TrainingData, *predictor_columns: Floats) -> Floats:
    """Correlate with human judgments within topics, perhaps with a second column held constant."""
    systems, system_indices = np.unique(table.systems, return_inverse=True)
    topics, topic_indices = np.unique(table.topics, return_inverse=True)
    tables = np.full((len(predictor_columns) + 1, len(topics), len(systems)), np.nan)
    for scores, values in zip(
        tables, (predictor_columns[0], table.targets[:, 0], *predictor_columns[1:]), strict=True
    ):
        scores[topic_indices, system_indices] = values
    is_present = ~np.isnan(tables).any(axis=0)
    cells = Cells(tuple(np.where(is_present, tables, 0.0)), is_present, 0)
    return input_correlations(cells, ("kendall",), np.ones((len(systems), 1)))[0, :, 0]


def _left_out_in_turn(
    scored_sets: Sequence[tuple[Collection, str, TrainingData]],
    target: str,
    features: Mapping[str, FeatureGroup],
    options: EvaluateOptions,
) -> Iterator[LeftOut]:
    judged_sets = (_with_target(*scored_set, options.targets[target]) for scored_set in scored_sets)
    sets = [data for data in judged_sets if data is not None]
    if len(sets) < 2:
        message = (
            f"{len(sets)} of {len(scored_sets)} sets have {' or '.join(options.targets[target])}"
        )
        raise NotFoundError(message, hint="at least two are needed; name the other sets' measures")
    single_metrics = dict.fromkeys(features[""].columns, "")
    standardized_sets = {
        (feature_name, number): _standardize(data, features[feature_name])
        for feature_name in options.features
        for number, data in enumerate(sets)
    }
    for number, left_out in enumerate(sets):
        predictions = {name: (_column(left_out, name), "") for name in single_metrics}
        for method in options.method:
            for feature_name in options.features:
                training = [
                    standardized_sets[feature_name, index]
                    for index in range(len(sets))
                    if index != number
                ]
                # Selected by leaving out sets in turn, or topics if there is only one set.
                sizes = [len(other.features) for other in training]
                parts = np.repeat(np.arange(len(training)), sizes) if len(training) > 1 else None
                choice = choose_by_topics(
                    learner_of(method), join_tables(training), rng=options.seed, fold_of_row=parts
                )
                standardized_set = standardized_sets[feature_name, number]
                predictions[f"{method}, {feature_name}"] = (
                    choice.fit.predict(standardized_set.features),
                    choice.name,
                )
                if options.own_set and len(set(standardized_set.topics)) >= _SAME_SET_FOLDS:
                    own_set_values = _predict_within_set(method, standardized_set, options.seed)
                    predictions[f"{method}, {feature_name}, own set"] = own_set_values, "own set"
        yield from _compare_predictions(left_out, target, predictions, len(single_metrics), options)


def _predict_within_set(method: str, data: TrainingData, seed: int) -> Floats:
    """Predict each third of a set's topics by a model trained on the others."""
    topics, topic_indices = np.unique(data.topics, return_inverse=True)
    fold_of_row = (
        np.random.default_rng(seed).permutation(len(topics))[topic_indices] % _SAME_SET_FOLDS
    )
    values = np.empty(len(data.features))
    for is_test in (fold_of_row == topic_indices for topic_indices in range(_SAME_SET_FOLDS)):
        choice = choose_by_topics(learner_of(method), data.rows(~is_test), rng=seed)
        values[is_test] = choice.fit.predict(data.features[is_test])
    return values


def _compare_predictions(
    data: TrainingData,
    target: str,
    predictions: Mapping[str, tuple[Floats, str]],
    n_metrics: int,
    options: EvaluateOptions,
) -> Iterator[LeftOut]:
    words, rng = _column(data, LENGTH), np.random.default_rng(options.seed)
    taus_without_control = {name: _taus(data, values) for name, (values, _) in predictions.items()}
    taus_with_control = {
        name: _taus(data, values, words) for name, (values, _) in predictions.items()
    }
    taus_with_control[LENGTH] = np.full_like(taus_with_control[LENGTH], np.nan)
    topics = len(taus_without_control[BASELINE])
    topic_counts = rng.multinomial(topics, np.full(topics, 1 / topics), options.n_resamples)
    estimate = partial(
        _estimate, topic_counts=topic_counts.T.astype(np.float64), confidence=options.confidence
    )
    for number, (name, (_, chosen)) in enumerate(predictions.items()):
        estimates = []
        for taus in (taus_without_control, taus_with_control):
            advantage = np.full(topics, np.nan) if name == BASELINE else taus[name] - taus[BASELINE]
            estimates += [estimate(taus[name]), estimate(advantage)]
        yield LeftOut(
            target, data.name, data.target_names[0], topics, len(data.targets), name,
            number >= n_metrics, chosen, *estimates,
        )  # fmt: skip


def _estimate(values: Floats, topic_counts: Floats, confidence: float) -> Estimate:
    """Average over topics, with a bootstrap interval over topics."""
    if np.isnan(values).all():
        return Estimate(np.nan)
    mean = float(mean_over_inputs(values[:, None], np.ones((len(values), 1)))[0])
    if len(values) < 2:
        return Estimate(mean)
    means = mean_over_inputs(values[:, None], topic_counts)
    low, high = np.nanquantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(mean, float(low), float(high))


# Tables and figure

_EVALUATION_NOTE = (
    "Kendall's correlation within topics with human judgments, on sets that models have not "
    f"seen; intervals over topics. {BASELINE}: recall of stemmed words without stop words."
)


def _estimate_column(key: str, title: str) -> Column[LeftOut]:
    get_estimate = attrgetter(key)
    return Column(
        key, title, lambda row: asdict(get_estimate(row)), lambda row: str(get_estimate(row))
    )


VIEW: View[LeftOut] = View(
    "left-out",
    (
        *columns(target="", set="left out"),
        *columns("measure", "topics", "summaries", "predictor", is_model=""),
        Column("chosen", "chosen", show=lambda row: row.chosen or "–"),
        _estimate_column("tau", "tau"),
        _estimate_column("difference", f"− {BASELINE}"),
        _estimate_column("held", "tau, length held"),
        _estimate_column("held_difference", f"− {BASELINE}, length held"),
    ),
    digits=3,
    key=("target",),
)


def _tables(rows: Sequence[LeftOut]) -> Iterator[Table]:
    for target in dict.fromkeys(row.target for row in rows):
        target_rows = [row for row in rows if row.target == target]
        yield VIEW.table(target_rows, f"{target}: every set left out in turn", _EVALUATION_NOTE)


def _verdicts_table(rows: Sequence[LeftOut]) -> Table:
    """Count the sets on which each model is above R1ns."""
    verdicts: list[tuple[Cell, ...]] = []
    for target, name in dict.fromkeys((row.target, row.predictor) for row in rows):
        differences = [
            row.difference for row in rows if (row.target, row.predictor) == (target, name)
        ]
        if name != BASELINE:
            n_above = sum(difference.value > 0 for difference in differences)
            n_clearly_above, n_clearly_below = (
                sum(difference.low > 0 for difference in differences),
                sum(difference.high < 0 for difference in differences),
            )
            verdict = "yes" if n_above == len(differences) else "no"
            verdicts.append(
                (target, name, len(differences), n_above, n_clearly_above, n_clearly_below, verdict)
            )
    columns = ("target", "predictor", "sets", "above", "clearly above", "clearly below")
    return Table(
        (*columns, f"above {BASELINE} on every set"), tuple(verdicts), f"Models above {BASELINE}",
        "Clearly: the interval of the difference does not contain 0.", name="verdicts",
    )  # fmt: skip


def _figure(rows: Sequence[LeftOut], target: str) -> "Picture":
    target_rows = [row for row in rows if row.target == target]
    panels = []
    for name in dict.fromkeys(row.set for row in target_rows):
        set_rows = [row for row in target_rows if row.set == name]
        bars = (
            PanelRow(row.predictor, row.tau.value, row.tau.low, row.tau.high, soft=not row.is_model)
            for row in set_rows
        )
        panels.append(RowPanel(f"{name}: {set_rows[0].measure}", tuple(bars)))
    return row_panels_picture(
        panels, title=f"{target}: models on held-out sets", note=_EVALUATION_NOTE,
        label="Kendall's tau within topics", mark_kind="points",
    )  # fmt: skip
