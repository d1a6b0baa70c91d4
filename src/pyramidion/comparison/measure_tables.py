"""Human measures and metrics as aligned tables: topics down, systems across."""

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import (
    Collection,
    Finding,
    Measure,
    ScoreMatrix,
    Scores,
    find_measure,
    full_measure_name,
)
from pyramidion.collection.checking import warn_findings
from pyramidion.collection.findings import UNREAD_COLUMN
from pyramidion.collection.ids import grouped, natural_order, natural_orders
from pyramidion.collection.measures import LARGEST_SCORE, is_lower_better
from pyramidion.collection.sources import ScoreReading, Source, require_numbers, require_scores
from pyramidion.comparison._assessors import adjusted_for_assessors
from pyramidion.comparison.common import both_known, places_of, rows_of
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.questions import argument, option
from pyramidion.rendering.labels import counted
from pyramidion.stats.mean_intervals import influences
from pyramidion.stats.pairs import dense_ranks

if TYPE_CHECKING:
    from pyramidion.metrics import Metric

#: All peers, or machines only ("no models").
Peers = Literal["all", "machines"]
PEERS: tuple[Peers, ...] = get_args(Peers)


@dataclass(frozen=True, slots=True, eq=False)
class MetaTables:
    """A human measure and metrics on the same topics and systems, NaN for missing scores.

    Rows of every table are `topics`, columns are `systems`; `people` marks humans among them.
    Measures in `negated`, for which lower is better, are multiplied by -1: a good metric correlates
    positively. `humans` are the other human measures, `lengths` the words of summaries, if known,
    and `judged` the single judgments behind the human measure.
    """

    human: str
    task: str
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    people: Bools
    truth: Floats
    metrics: Mapping[str, Floats]
    negated: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    collection: str = ""
    humans: Mapping[str, Floats] = field(default_factory=dict)
    lengths: Floats | None = None
    judged: Scores | None = None

    def peers(self, kind: Peers) -> "MetaTables":
        """Select all peers, or machines only."""
        return self if kind == "all" or not self.people.any() else self._take(~self.people)

    def best(self, top: int | None, exactly: bool = False) -> "MetaTables":
        """Select the machines that the human measure ranks highest, and all people."""
        if top is None:
            return self
        machine_scores = np.where(self.people, np.nan, self.truth)
        is_included = self.people.copy()
        is_included[best_columns(influences(machine_scores).means, top, exactly)] = True
        n_excluded = int(np.count_nonzero(~is_included))
        scope = scope_name(self.human, self.task, self.collection)
        note = f"{scope}: {counted(n_excluded, 'machine')} below the top {top}"
        return replace(
            self._take(is_included), left_out=(*self.left_out, *([note] if n_excluded else []))
        )

    def _take(self, is_included: Bools) -> "MetaTables":
        return replace(
            self,
            systems=tuple(np.array(self.systems, dtype=object)[is_included].tolist()),
            people=self.people[is_included],
            truth=self.truth[:, is_included],
            metrics={name: table[:, is_included] for name, table in self.metrics.items()},
            humans={name: table[:, is_included] for name, table in self.humans.items()},
            lengths=None if self.lengths is None else self.lengths[:, is_included],
        )


def meta_tables(
    scores: Scores,
    human: str,
    *,
    metrics: Sequence[str] = (),
    tasks: Sequence[str] = (),
    lower_is_better: Iterable[str] = (),
    humans: Sequence[str] = (),
    declared: Mapping[str, Measure] | None = None,
) -> list[MetaTables]:
    """Align a human measure and metrics, for each collection and task.

    Topics and systems are those of any measure. Scores of several assessors of a summary are
    averaged. Without `metrics`, all measures except `humans` are metrics.
    """
    human_name = _full_known_name(scores, human)
    metric_names = [_full_known_name(scores, name) for name in dict.fromkeys(metrics)]
    if human_name in metric_names:
        raise InputError(f"{human_name} is the human measure", hint="name other metrics")
    human_names = list(dict.fromkeys(_full_known_name(scores, name) for name in humans))
    names = metric_names or [
        name for name in scores.measures if name not in {human_name, *human_names}
    ]
    other_humans = [name for name in human_names if name not in {human_name, *names}]
    if not names:
        message = f"there is no measure other than {human_name}" + " that is not human" * bool(
            other_humans
        )
        hint = f", or name {other_humans[0]} with --metric" if other_humans else ""
        raise InputError(message, hint=f"add scores of a metric{hint}")
    lower_names = {_full_known_name(scores, name) for name in lower_is_better}
    measures = (human_name, *names, *other_humans)
    negated_names = [
        name for name in measures if _is_lower_better(scores, name, lower_names, declared)
    ]
    human_scores = scores.select(measure=human_name)
    for task in tasks:
        human_scores.require("task", task)
    scopes = sorted(set(rows_of(human_scores, "collection", "task")), key=natural_orders)
    tables_by_scope = [
        _align_measures(
            scope,
            scores.select(collection=scope[0], task=scope[1]),
            human_name,
            names,
            other_humans,
            negated_names,
        )
        for scope in scopes
        if not tasks or scope[1] in tasks
    ]
    for name in metric_names:
        table_pairs = (
            both_known(t.truth, t.metrics[name]) for t in tables_by_scope if name in t.metrics
        )
        if not any(cells.any() for cells in table_pairs):
            hint = "give both the same task, topics and systems"
            raise NotFoundError(
                f"{name} and {human_name} never score the same summaries", hint=hint
            )
    return tables_by_scope


def _full_known_name(scores: Scores, name: str) -> str:
    """Complete the name of a measure, and require it."""
    full_name = _full_name(scores, name)
    scores.require("measure", full_name)
    return full_name


def _full_name(scores: Scores, name: str) -> str:
    """Complete the name of a metric: su4 and rouge-2 mean their F."""
    measures = scores.measures
    full_name = full_measure_name(name, measures)
    if full_name not in measures:
        full_name = next(
            (column for column in _computable_metrics([name]) if column in measures), full_name
        )
    return full_name


def _is_lower_better(
    scores: Scores, name: str, lower_names: Container[str], measures: Mapping[str, Measure] | None
) -> bool:
    """Return whether lower is better: by option, declaration, or both parts of a joined measure."""
    if name in lower_names or is_lower_better(name, measures):
        return True
    part_names = _joined_parts(scores, name)
    return bool(part_names) and all(
        _is_lower_better(scores, part, lower_names, measures) for part in part_names
    )


def _joined_parts(scores: Scores, name: str) -> list[str]:
    """Return the two measures of ``a+b``; none for other names."""
    parts = _split_joined_name(name, 1)
    return [_full_name(scores, part) for part in parts] if len(parts) > 1 else []


def _split_joined_name(name: str, max_splits: int = -1) -> list[str]:
    """Split the name of a joined measure; parts of a `UserText` are `UserText`."""
    return [type(name)(part.strip()) for part in name.split("+", max_splits)]


def _computable_metrics(names: Sequence[str]) -> "dict[str, Metric]":
    """Return the metrics among names, by column; the package is loaded only if needed."""
    if not names:
        return {}
    from pyramidion.metrics.registry import is_metric, resolve_metrics

    metrics = list(filter(is_metric, names))
    return resolve_metrics(metrics) if metrics else {}


def scope_name(measure: str, task: str, collection: str = "") -> str:
    """Name a measure with its collection and task: ``bleu, 2011, task A``."""
    return ", ".join(part for part in (measure, collection, f"task {task}" if task else "") if part)


def _align_measures(
    scope: tuple[str, str],
    scores: Scores,
    human: str,
    names: list[str],
    other_humans: list[str],
    negated_names: list[str],
) -> MetaTables:
    measures = set(scores.measures)
    available_names = [name for name in (human, *names) if name in measures]
    matrices = {name: computable(ScoreMatrix.from_scores(scores, name)) for name in available_names}
    topics = _union_in_order(matrix.topics for matrix in matrices.values())
    systems = _union_in_order(matrix.systems for matrix in matrices.values())
    people = _human_mask(matrices.values(), systems)
    for name in measures.intersection(other_humans):
        matrices[name] = ScoreMatrix.from_scores(scores, name)
    tables = {name: spread_over(matrix, topics, systems) for name, matrix in matrices.items()}
    reversed_measures = tuple(name for name in negated_names if name in tables)
    tables |= {name: -tables[name] for name in reversed_measures}
    truth = tables.pop(human)
    humans = {name: tables.pop(name) for name in other_humans if name in measures}
    collection, task = scope
    result = MetaTables(
        human, task, topics, systems, people, truth, tables, reversed_measures, (), collection,
        humans, judged=matrices[human].rows,
    )  # fmt: skip
    return replace(result, left_out=tuple(_left_out_notes(result, names)))


def _left_out_notes(tables: MetaTables, names: Sequence[str]) -> Iterator[str]:
    """Report missing scores, grouped by metrics that lack the same number, and single topics."""
    name_scope = partial(scope_name, task=tables.task, collection=tables.collection)
    for name in names:
        if name not in tables.metrics:
            yield f"{name_scope(name)}: no scores there"
    has_truth = ~np.isnan(tables.truth)
    score_masks = ((name, ~np.isnan(table)) for name, table in tables.metrics.items())
    groups = grouped(
        ((int((has_truth & ~has_score).sum()), int((has_score & ~has_truth).sum())), name)
        for name, has_score in score_masks
    )
    for (n_unscored, n_unjudged), metrics in groups.items():
        if n_unscored or n_unjudged:
            subject = f"{len(metrics)} metrics such as " * (len(metrics) > 1) + metrics[0]
            yield (
                f"{name_scope(subject)}: summaries with {tables.human} but no score: {n_unscored}; "
                f"with a score but no {tables.human}: {n_unjudged}"
            )
    if len(tables.topics) == 1:
        yield f"{name_scope(tables.human)}: only one topic; intervals and tests do not generalize"


def computable(matrix: ScoreMatrix) -> ScoreMatrix:
    """Return the matrix; raise an error if a score is too large or all are too small."""
    require_computable(matrix.values, matrix.measure)
    return matrix


def require_computable(values: Floats, measure: str) -> None:
    """Raise an error if a score of a measure is too large or all are too small."""
    sizes = np.abs(values)
    if 0 < np.nanmax(sizes, initial=0.0) < 1 / LARGEST_SCORE:
        message = f"the scores of {measure or 'the systems'} are too small to compute with"
        raise InputError(
            message, hint=f"multiply them all by the same number, such as {LARGEST_SCORE:g}"
        )
    if (sizes > LARGEST_SCORE).any():
        message = f"a score of {measure or 'a system'} is too large to compute with"
        raise InputError(message, hint=f"keep scores below {LARGEST_SCORE:g}")


def _union_in_order(names: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(sorted({name for group in names for name in group}, key=natural_order))


def _human_mask(matrices: Iterable[ScoreMatrix], systems: Sequence[str]) -> Bools:
    kinds: dict[str, bool] = {}
    for matrix in matrices:
        for system, is_human in zip(matrix.systems, matrix.human.tolist(), strict=True):
            if kinds.setdefault(system, is_human) != is_human:
                message = (
                    f"system {system!r} is human under one measure and a machine under another"
                )
                raise ShapeError(message, hint="give it one kind")
    return np.array([kinds[system] for system in systems], dtype=bool)


def spread_over(matrix: ScoreMatrix, topics: Sequence[str], systems: Sequence[str]) -> Floats:
    """Return a matrix as a table of these topics and systems, NaN where it lacks one."""
    # Missing names have index -1, which is the padding.
    padded_values = np.pad(matrix.values, (0, 1), constant_values=np.nan)
    return padded_values[
        np.ix_(places_of(topics, matrix.topics), places_of(systems, matrix.systems))
    ]


# Measures that count the words of a summary.
_LENGTH_MEASURES = ("words", "length", "word-count", "summary-length")


def with_lengths(collection: Collection, tables: MetaTables) -> MetaTables:
    """Add the number of words of each summary: counted in texts, or from a measure."""
    measures = set(collection.scores.measures)
    name = next((name for name in _LENGTH_MEASURES if name in measures), "")
    rows = collection.scores.select(collection=tables.collection, task=tables.task, measure=name)
    if collection.summaries:
        words = {
            (s.topic, s.system): s.words for s in collection.summaries if s.task == tables.task
        }
        word_rows = [[words.get((t, s), np.nan) for s in tables.systems] for t in tables.topics]
        lengths = np.array(word_rows, dtype=np.float64)
    elif name and len(rows):
        lengths = spread_over(ScoreMatrix.from_scores(rows, name), tables.topics, tables.systems)
    else:
        return tables
    return replace(tables, lengths=None if np.isnan(lengths).all() else lengths)


def _adjust_for_assessors(scores: Scores, tables: MetaTables, widened: bool) -> MetaTables:
    """Adjust human scores if the mix of assessors differs between systems; say so, or why not."""
    rows = scores.select(collection=tables.collection, task=tables.task)
    adjusted_tables, confounded_measures = {}, []
    for name in {tables.human, *tables.humans}.intersection(rows.measures):
        matrix = adjusted_for_assessors(ScoreMatrix.from_scores(rows, name), widened=widened)
        if matrix.adjustment is None:
            continue
        if matrix.adjustment.too_many or not matrix.adjustment.is_connected:
            confounded_measures.append(name)
            continue
        sign = -1 if name in tables.negated else 1
        adjusted_tables[name] = sign * spread_over(matrix, tables.topics, tables.systems)
    humans = {name: adjusted_tables.get(name, table) for name, table in tables.humans.items()}
    truth = adjusted_tables.get(tables.human, tables.truth)
    if tables.human in confounded_measures:
        note = "the mix of assessors differs between systems, and cannot be adjusted for: some "
        note += "systems have no assessors in common, or assessors judged too little"
    else:
        note = "the mix of assessors differs between systems: means are adjusted for assessors "
        note += "(least squares of system + topic + assessor)"
    if tables.human in (*adjusted_tables, *confounded_measures):
        scope = scope_name(tables.human, tables.task, tables.collection)
        warn_findings([Finding("assessors differ between systems", scope, note, severity="note")])
    return replace(tables, truth=truth, humans=humans)


SOURCE_HELP = "Table of scores, or collection in any format; several are joined."


@dataclass(frozen=True, slots=True)
class ScoreInput(ScoreReading):
    """Scores of some tasks and systems."""

    source: Source | Sequence[Source] = argument(SOURCE_HELP, multiple=True)
    tasks: tuple[str, ...] = option(
        (), "Tasks to include, comma-separated; all by default.", flags=("--task",)
    )

    def scored(self, *measures: str, requested_only: bool = True) -> Collection:
        """Read scores, compute missing metrics, exclude systems, and add joined measures.

        With `requested_only`, findings about other measures are left out.
        """
        collection_read = self.read_source(self.source, measures=measures if requested_only else ())
        separate_scores = collection_read.scores.judges_apart()
        collection_read = (
            collection_read
            if separate_scores is collection_read.scores
            else replace(collection_read, scores=separate_scores)
        )
        for finding in collection_read.doubts:
            if (
                finding.kind == UNREAD_COLUMN
                and finding.subject.removeprefix("column ") in measures
            ):
                raise InputError(f"{finding.subject} was not read as a measure: {finding.message}")
        collection = with_metrics(_with_win_rates(collection_read, measures), measures)
        require_numbers(self.source, set(measures) - {*collection.scores.measures})
        require_scores(collection, self.source)
        scores = collection.scores
        lower_names = {_full_name(scores, name) for name in self.lower_is_better}
        for name in dict.fromkeys(measures):
            scores = with_joined(scores, name, collection.measures, lower_names=lower_names)
        return collection if scores is collection.scores else replace(collection, scores=scores)


def _with_win_rates(collection: Collection, measures: Sequence[str]) -> Collection:
    """Add win rates from preferences, if they are requested or there are no other scores."""
    is_requested = any(name.startswith("win-rate") for name in measures)
    if not len(collection.preferences) or (len(collection.scores) and not is_requested):
        return collection
    scores = Scores.concatenate([collection.scores, collection.preferences.to_scores()])
    return replace(collection, scores=scores)


def with_metrics(collection: Collection, names: Iterable[str]) -> Collection:
    """Add the scores of named metrics that are missing from the table."""
    measures = collection.scores.measures
    unscored_names = (name for name in names if full_measure_name(name, measures) not in measures)
    part_names = [part_name for name in unscored_names for part_name in _split_joined_name(name)]
    absent_parts = [
        part_name
        for part_name in part_names
        if full_measure_name(part_name, measures) not in measures
    ]
    metrics = {
        name: metric
        for name, metric in _computable_metrics(absent_parts).items()
        if name not in measures
    }
    if not metrics or not collection.summaries:
        return collection
    from pyramidion.metrics import score_collection

    computed_collection = score_collection(collection, metrics, threads=os.cpu_count() or 1)
    scores = Scores.concatenate([collection.scores, computed_collection.scores])
    left_out = (*collection.left_out, *computed_collection.left_out)
    return replace(collection, scores=scores, left_out=left_out)


def with_joined(
    scores: Scores,
    name: str,
    measures: Mapping[str, Measure] | None = None,
    *,
    lower_names: Container[str] = (),
) -> Scores:
    """Add the measure ``a+b``: a of the machines and b of the people; ignore other names."""
    if not (names := _joined_parts(scores, name)) or name in scores.measures:
        return scores
    for measure in names:
        scores.require("measure", measure)
    if len({_is_lower_better(scores, measure, lower_names, measures) for measure in names}) > 1:
        hint = "join measures of one direction, or name both with --lower-is-better"
        raise InputError(f"lower is better for only one of {names[0]} and {names[1]}", hint=hint)
    score_tables = []
    for measure, kind, noun in zip(names, ("machine", "human"), ("machine", "person"), strict=True):
        part_scores = scores.select(measure=measure, kind=kind)
        if not len(part_scores):
            hint = "MACHINES+PEOPLE joins a measure of the machines with one of the people"
            raise InputError(f"no {noun} has a score of {measure}", hint=hint)
        columns = {**part_scores.columns, "measure": np.full(len(part_scores), name, dtype=object)}
        score_tables.append(Scores(columns, part_scores.value, extra=part_scores.extra))
    return Scores.concatenate([scores, *score_tables])


def best_columns(means: Floats, top: int | None, exactly: bool = False) -> Ints:
    """Return the columns of the highest means, best first, without NaN; all if `top` is None.

    Ties with the last one, up to rounding, are included, or broken by the order of the columns.
    """
    columns = np.flatnonzero(~np.isnan(means))
    ranks = dense_ranks(-means[columns])
    order = np.argsort(ranks, kind="stable")
    if top is not None and top < len(order):
        order = order[:top] if exactly else order[ranks[order] <= ranks[order[top - 1]]]
    return columns[order]


#: What --exactly does, for every question with --top.
EXACTLY_HELP = (
    "Take exactly as many systems as --top says: of those tied with the last one, the first by "
    "name. By default, all tied systems are included."
)


def function_name(function: object) -> str:
    """Return the name of the metric that a function defines."""
    from pyramidion.metrics import registry

    return registry.function_name(function)


@dataclass(frozen=True, slots=True)
class MetaInput(ScoreInput):
    """The human measures and metrics to compare."""

    human: tuple[str, ...] = option(
        (), "Human measures, comma-separated; A+B combines A for machines with B for people.",
        metavar="MEASURE",
    )  # fmt: skip
    metrics: tuple[str, ...] = option(
        (), "Metrics to judge, comma-separated; every measure that is not human by default.",
        flags=("--metric", "-m", "--metrics"), metavar="MEASURE", code=function_name,
    )  # fmt: skip

    def read(
        self, *, adjusted: bool = True, widened: bool = True
    ) -> tuple[Collection, list[MetaTables]]:
        """Align each human measure with the metrics, for each task and collection.

        Human scores are `adjusted` for assessors whose mix differs between systems, and deviations
        `widened` for tests, as `compare` does.
        """
        collection = self.scored(*self.human, *self.metrics, requested_only=bool(self.metrics))
        if not self.human:
            measures = ", ".join(collection.human_measures or collection.scores.measures)
            hint = f"choose with --human among: {measures}"
            raise InputError("no human measure is named", hint=hint)
        merge = partial(
            meta_tables, collection.scores, metrics=self.metrics, tasks=self.tasks,
            lower_is_better=self.lower_is_better, declared=collection.measures,
            humans=(*self.human, *collection.human_measures),
        )  # fmt: skip
        tables = [
            _adjust_for_assessors(collection.scores, table, widened) if adjusted else table
            for human in dict.fromkeys(self.human)
            for table in merge(human)
        ]
        other_humans = ", ".join(
            sorted({name for table in tables for name in table.humans} - {*self.human})
        )
        note = f"human measures, which are evaluated only if named with --metric: {other_humans}"
        notes = [note] if other_humans and not self.metrics else []
        unscored_notes = [
            f"{scope_name(table.human, table.task, table.collection)}: there is no metric to judge"
            for table in tables
            if not table.metrics
        ]
        if len(unscored_notes) == len(tables):
            hint = "score the summaries with `pyramidion score`, or name a measure with --metric"
            raise InputError(unscored_notes[0], hint=hint)
        left_out = (*collection.left_out, *notes, *unscored_notes)
        return replace(collection, left_out=left_out), [table for table in tables if table.metrics]


@dataclass(frozen=True, slots=True)
class BestMetaInput(MetaInput):
    """Human measures and metrics, optionally of the best machines only."""

    top: int | None = option(
        None, "Number of machines to include, the best by human mean; machines tied with the "
        "last one are included, and so are all people.", min=2, metavar="NUMBER",
    )  # fmt: skip
    exactly: bool = option(False, EXACTLY_HELP, flags=("--exactly",))

    def read(
        self, *, adjusted: bool = True, widened: bool = True
    ) -> tuple[Collection, list[MetaTables]]:
        """Align each human measure with the metrics, for the best machines and the people."""
        collection, tables = MetaInput.read(self, adjusted=adjusted, widened=widened)
        return collection, [table.best(self.top, self.exactly) for table in tables]


@dataclass(frozen=True, slots=True)
class MeasureInput(ScoreInput):
    """The measures and tasks to use."""

    measures: tuple[str, ...] = option(
        (), "Measures to use, comma-separated; all by default. A+B combines A for machines with "
        "B for people.", flags=("--measures", "-m"), code=function_name,
    )  # fmt: skip

    def read(
        self, *, assessor: str | None = None
    ) -> tuple[Collection, list[ScoreMatrix], tuple[str, ...]]:
        """Return the collection, the matrix of each measure in each task, and what was left out."""
        collection = self.scored(*self.measures)
        scores, measures = collection.scores, collection.measures
        lower_names = {_full_known_name(scores, name) for name in self.lower_is_better}
        matrices, left_out = read_matrices(collection, self.measures, self.tasks, assessor=assessor)
        reversed_measures = [
            replace(
                matrix,
                lower_is_better=_is_lower_better(scores, matrix.measure, lower_names, measures),
                scale=(find_measure(matrix.measure, measures) or Measure()).scale,
            )
            for matrix in matrices
        ]
        return collection, reversed_measures, (*collection.left_out, *left_out)


@dataclass(frozen=True, slots=True)
class ClusteredInput(MeasureInput):
    """Measures of topics that may be clustered."""

    cluster: str | None = option(
        None, "Column of the scores, or field of the topics, that names the cluster of each topic, "
        "such as its document; clusters, not topics, are the independent sample.",
        metavar="COLUMN",
    )  # fmt: skip

    def read(
        self, *, assessor: str | None = None
    ) -> tuple[Collection, list[ScoreMatrix], tuple[str, ...]]:
        """Read the matrices, with the cluster of each topic."""
        collection, matrices, left_out = MeasureInput.read(self, assessor=assessor)
        if self.cluster:
            matrices = list(add_clusters(matrices, collection, self.cluster))
            left_out = without_column(left_out, self.cluster)
        return collection, matrices, left_out


def without_column(left_out: Iterable[str], column: str) -> tuple[str, ...]:
    """Remove a column that is used from the lines that list unknown columns."""

    def remove_column(line: str) -> str:
        if " unknown column" not in line:
            return line
        names = [name for name in line.partition(": ")[2].split(", ") if name != column]
        return f"{counted(len(names), 'unknown column')}: {', '.join(names)}" if names else ""

    return tuple(filter(None, map(remove_column, left_out)))


def read_matrices(
    collection: Collection,
    measures: Sequence[str],
    tasks: Sequence[str],
    *,
    assessor: str | None = None,
) -> tuple[list[ScoreMatrix], list[str]]:
    """Return the matrix of each measure in each task, and what was left out.

    A measure with only one system or topic cannot be compared: it is left out unless named.
    """
    scores = collection.scores
    if assessor is not None:
        scores.require("assessor", assessor)
        # Named metrics are included along with the judgments.
        assessors = [assessor, ""] if measures else [assessor]
        scores = scores.rows(np.isin(scores.columns["assessor"], assessors))
    matrices, reasons = [], dict[str, str]()
    for name in measures or scores.measures:
        measure = _full_known_name(scores, name)
        measure_scores = scores.select(measure=measure)
        for task in tasks or measure_scores.distinct("task"):
            matrix = ScoreMatrix.from_scores(measure_scores, measure, task=task)
            sizes = {"system": len(matrix.systems), "topic": len(matrix.topics)}
            short_axes = [missing_axis for missing_axis, size in sizes.items() if size < 2]
            if short_axes and not measures:
                scope = scope_name(measure, task)
                reasons[f"{scope}: 1 {short_axes[0]}, which cannot be compared"] = short_axes[0]
            else:
                matrices.append(computable(matrix))
    if not matrices:
        missing_axis = reasons.popitem()[1] if len({*reasons.values()}) == 1 else "topic or system"
        copy_notes = (line for line in collection.left_out if "the same run as" in line)
        hint = next(copy_notes, f"add a {missing_axis}")
        raise InputError(f"every measure has only one {missing_axis}", hint=hint)
    return matrices, [*reasons]


def add_clusters(
    matrices: Iterable[ScoreMatrix], collection: Collection, column: str
) -> Iterator[ScoreMatrix]:
    """Add the cluster of each topic to matrices."""
    labels = topic_labels(collection, column)
    for matrix in matrices:
        for topic in matrix.topics:
            if not labels.get(topic):
                hint = "fill it in for every topic"
                raise InputError(f"topic {topic} has no {column}", hint=hint)
        yield replace(matrix, clusters=tuple(map(labels.__getitem__, matrix.topics)))


def topic_labels(collection: Collection, column: str) -> dict[str, str]:
    """Read a column of the scores or a field of the topics, by topic."""
    scores = collection.scores
    values: Iterable[object] = scores.extra.get(column, scores.columns.get(column, ()))
    if not any(values):
        is_field = column in ("title", "category", "assessor")
        fields = {
            topic.id: topic.extra.get(column, getattr(topic, column) if is_field else "")
            for topic in collection.topics
        }
        if all(value in (None, "") for value in fields.values()):
            filled_columns = (name for name, column in scores.columns.items() if any(column))
            names = dict.fromkeys((*filled_columns, *scores.extra))
            hint = f"name a column of the scores ({', '.join(names)}) or a field of the topics"
            raise NotFoundError(f"there is no column {column!r}", hint=hint)
        values = [fields.get(topic) for topic in scores.columns["topic"]]
    texts = ("" if value is None else str(value) for value in values)
    labeled_topic_rows = zip(rows_of(scores, "collection", "topic"), texts, strict=True)
    labels: dict[str, str] = {}
    for (source, topic), label in dict.fromkeys(labeled_topic_rows):
        if labels.setdefault(f"{source}/{topic}", label) != label:
            both_labels = ", ".join(sorted((label, labels[f"{source}/{topic}"])))
            hint = "a topic can only be in one cluster"
            raise InputError(
                f"topic {topic} has several values of {column}: {both_labels}", hint=hint
            )
        # Topics of several collections may share a name, which is then ambiguous.
        labels[topic] = label if labels.get(topic, label) == label else ""
    return labels
