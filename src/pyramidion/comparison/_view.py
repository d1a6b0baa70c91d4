"""Which systems differ: the question `compare`, its result and its tables."""

import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import (
    INCLUSION,
    Collection,
    ScoreMatrix,
    Scores,
    Source,
    Values,
    excluded_systems,
)
from pyramidion.collection.sources import Array
from pyramidion.comparison._compare import CompareOptions, compare_matrix
from pyramidion.comparison._gate import Gate, GatedSystems, GateOptions, decide, gate_tables
from pyramidion.comparison._paper import PAPER_TABLE
from pyramidion.comparison._result import (
    Comparison,
    ComparisonResult,
    PairCounts,
    Ranking,
    ShownPairs,
    SystemResult,
    short_letters,
)
from pyramidion.comparison._robustness import RobustnessOptions, deciding_table
from pyramidion.comparison._sequential import (
    SequentialOptions,
    compare_sequentially,
    require_sequential,
    sequence_picture,
    sequence_table,
)
from pyramidion.comparison.common import both_known, joined
from pyramidion.comparison.measure_tables import (
    EXACTLY_HELP,
    SOURCE_HELP,
    ClusteredInput,
    Peers,
    best_columns,
    scope_name,
    without_column,
)
from pyramidion.comparison.procedures import CORRECTION_TEXTS, label_of_test
from pyramidion.engine.engines import EngineOptions
from pyramidion.errors import InputError, NotFoundError, SeveralError, ShapeError
from pyramidion.questions import Options, Presets, Signature, argument, option, question
from pyramidion.rendering.labels import counted, with_arrow
from pyramidion.rendering.result import Chart, FiguresResult, LazySequence, signed
from pyramidion.rendering.table import Cell, Table
from pyramidion.stats import CalibrationMethod
from pyramidion.stats.pairs import Mapper

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture

V = TypeVar("V")


class LoadedMatrices(NamedTuple):
    """What is compared, and the systems that a gate is about."""

    data: str
    matrices: list[ScoreMatrix]
    left_out: tuple[str, ...]
    gated: GatedSystems
    pairing: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CompareInput(ClusteredInput):
    """The scores that are compared."""

    # Several sources, or the scores of one system: mypy wants one kind of sequence.
    source: Source | Array | Sequence[Source | float | None] = argument(  # type: ignore[assignment]
        SOURCE_HELP, multiple=True
    )
    other: Values | None = argument(
        "Scores of a second system, if `source` is a list, array or Series with those of the "
        "first: the same topics in the same order.",
        None,
        on_command_line=False,
    )
    assessor: str | None = option(
        None, "Use only the judgments of this assessor, instead of the mean over assessors."
    )
    peers: Peers = option("all", "Systems to compare: all, or machines only.")
    top: int | None = option(
        None, "Compare only this many systems, the best by each measure; systems tied with the "
        "last one are included.", min=2, metavar="NUMBER",
    )  # fmt: skip
    exactly: bool = option(False, EXACTLY_HELP, flags=("--exactly",))

    def check(self) -> None:
        """Raise an error for a single list of scores, and for names instead of scores."""
        other: Any = self.other
        if isinstance(other, str | Path):
            hint = "give the data: compare(data) tests every pair of its systems, and "
            hint += 'to_frame("comparisons") lists them; compare(["a.csv", "b.csv"]) joins files'
            raise InputError(f"{str(other)!r} is not a list of scores", hint=hint)
        sources = self.source if isinstance(self.source, list | tuple) else [self.source]
        if self.other is None and not (len(sources) and all(map(_is_source, sources))):
            raise InputError(
                f"a single {type(self.source).__name__} cannot be compared",
                hint="give a data frame, a ScoreMatrix or a path, or two lists: compare(a, b)",
            )

    def load_matrices(self) -> LoadedMatrices:
        """Return the hash of the data, the matrices, what was left out, and the systems."""
        if self.cluster and (self.other is not None or isinstance(self.source, ScoreMatrix)):
            hint = "give a table of scores, or ScoreMatrix(..., clusters=...)"
            raise InputError("a list or matrix has no column for --cluster", hint=hint)
        pairing: Mapping[str, Any] = {}
        if self.other is not None:
            matrix, left_out = paired_matrix(self.source, self.other)
            gated = GatedSystems(tuple((system,) for system in matrix.systems))
            matrices = [self._with_direction(matrix)]
            return LoadedMatrices(_data_hash(matrix), matrices, left_out, gated)
        if isinstance(self.source, ScoreMatrix):
            matrices, left_out = [self._with_direction(self._from_matrix(self.source))], ()
            data = _data_hash(self.source)
            gated = GatedSystems(tuple((system,) for system in self.source.systems))
        else:
            collection, matrices, left_out = self.read(assessor=self.assessor)
            data = collection.data_hash
            gated = GatedSystems.of(collection, self.measures, tuple(self.lower_is_better))
            pairing = collection.pairing
        narrowed_matrices = [self._select_systems(matrix) for matrix in matrices]
        below_top_notes = (line for _, line in narrowed_matrices if line)
        left_out = (*left_out, *below_top_notes)
        return LoadedMatrices(
            data, [matrix for matrix, _ in narrowed_matrices], left_out, gated, pairing
        )

    def _select_systems(self, matrix: ScoreMatrix) -> tuple[ScoreMatrix, str]:
        """Select the peers and the best of them, and report how many are below the top."""
        matrix = matrix.machines() if self.peers == "machines" else matrix
        if self.top is None:
            return matrix, ""
        best_systems = best_columns(Ranking.of(matrix).goodness, self.top, self.exactly)
        n_excluded = len(matrix.systems) - len(best_systems)
        tied_note = f", {len(best_systems) - self.top} tied with the last included" * (
            len(best_systems) > self.top
        )
        scope = scope_name(matrix.measure, matrix.task)
        best_matrix = matrix.take(
            systems=[matrix.systems[column] for column in sorted(best_systems.tolist())]
        )
        note = f"{scope}: {counted(n_excluded, 'system')} below the top {self.top}{tied_note}"
        return best_matrix, note if n_excluded else ""

    @property
    def details(self) -> dict[str, object]:
        """The choice of scores, for the signature."""
        peers = self.peers if self.peers != "all" else ""
        input_details: dict[str, object] = {
            "assessor": self.assessor or "",
            "exclude": "+".join(self.exclude),
        }
        logs = {
            "errors": "zero" * (self.errors == "zero"), "partial": "yes" * self.partial,
            "shared": "yes" * self.shared, "grades": "+".join(self.grades),
        }  # fmt: skip
        return (
            input_details
            | {"peers": peers, "top": self.top_text, "cluster": self.cluster or ""}
            | logs
        )

    @property
    def top_text(self) -> str:
        """The number of the best systems, for the signature."""
        return f"{self.top or ''}{' exactly' * (self.exactly and self.top is not None)}"

    def _with_direction(self, matrix: ScoreMatrix) -> ScoreMatrix:
        """Mark a matrix as lower-is-better, if requested."""
        for name in self.lower_is_better:
            if name != matrix.measure:
                hint = f"available: {matrix.measure}"
                raise NotFoundError(f"there is no measure {name!r}", hint=hint)
        return replace(matrix, lower_is_better=True) if self.lower_is_better else matrix

    def _from_matrix(self, matrix: ScoreMatrix) -> ScoreMatrix:
        """Return a matrix without excluded systems; raise an error if other data is requested."""
        for option_name, names, name_in_matrix in (
            ("measure", self.measures, matrix.measure),
            ("task", self.tasks, matrix.task),
            ("assessor", (self.assessor,) if self.assessor else (), ""),
        ):
            for name in names:
                if name != name_in_matrix:
                    hint = (
                        f"available: {name_in_matrix}"
                        if name_in_matrix
                        else "give a table of scores"
                    )
                    raise InputError(f"the matrix has no {option_name} {name!r}", hint=hint)
        if not (excluded_names := excluded_systems(self.exclude, matrix.topics)):
            return matrix
        matrix.take(systems=excluded_names)
        return matrix.take(systems=[name for name in matrix.systems if name not in excluded_names])


@dataclass(frozen=True, slots=True)
class WithJudge(Options):
    """The human scores and those of a judge to combine."""

    human: str | None = option(
        None, "Human measure whose estimates become more precise with a judge's scores; requires "
        "--judge.",
        metavar="MEASURE",
    )  # fmt: skip
    judge: str | None = option(
        None, "Measure (or language model) whose scores of more topics are combined with "
        "people's, so that intervals are valid whatever its bias; requires --human.",
        metavar="MEASURE",
    )  # fmt: skip
    calibrate: CalibrationMethod | None = option(
        None, "Map the judge's scores to human scores first: isotonic (any increasing function) "
        "or linear, fitted to topics other than those it is applied to; requires --judge.",
    )  # fmt: skip

    def check(self) -> None:
        """Require both or neither."""
        if (self.human is None) != (self.judge is None):
            raise InputError("--human and --judge must be used together", hint="name both measures")
        if self.calibrate and not self.judge:
            raise InputError("only a judge can be calibrated", hint="add --human and --judge")

    def find(
        self, source: CompareInput
    ) -> tuple[str, list[tuple[ScoreMatrix, ScoreMatrix]], tuple[str, ...]]:
        """Return the hash of the data, people's and the judge's matrices, and what was left out."""
        from pyramidion.comparison._with_judge import judge_matrices

        if source.measures or source.top or source.assessor:
            hint = "leave out --measures, --top and --assessor"
            raise InputError("--judge cannot be combined with these options", hint=hint)
        human, judge = str(self.human), str(self.judge)
        human_source = replace(source, measures=(human,))
        data, people, left_out, *_ = human_source.load_matrices()
        judge_tables = judge_matrices(human_source, human, judge)
        if not (pairs := [(a, b) for a in people for b in judge_tables if a.task == b.task]):
            raise InputError(f"{human} and {judge} share no task", hint="give both the same tasks")
        return data, pairs, without_column(left_out, INCLUSION)


def _is_source(value: Any) -> bool:
    """Return whether a value is a source of scores rather than the numbers of one system."""
    is_known_type = isinstance(value, str | Path | Collection | Scores | ScoreMatrix | Mapping)
    has_scores = isinstance(getattr(value, "scores", None), Scores)
    return is_known_type or has_scores or hasattr(type(value), "columns")


def _data_hash(matrix: ScoreMatrix) -> str:
    unnamed_matrix = ScoreMatrix(
        matrix.values, matrix.topics, matrix.systems, matrix.human,
        measure=matrix.measure or "score", task=matrix.task,
    )  # fmt: skip
    return Collection("", scores=unnamed_matrix.to_scores()).data_hash


def paired_matrix(first: Any, second: Any) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Join the scores of two systems, and count topics that lack one."""
    a, b = map(_scores, (first, second))
    if len(a) != len(b):
        message = f"there are {len(a)} scores of one system and {len(b)} of the other"
        raise ShapeError(message, hint="give both on the same topics, in the same order")
    topics: list[Any] = [getattr(scores, "index", None) for scores in (first, second)]
    are_series = all(hasattr(index, "equals") for index in topics)
    if are_series and not topics[0].equals(topics[1]) and set(topics[0]) == set(topics[1]):
        hint = "sort both by topic first"
        raise InputError("the two Series have the same topics in another order", hint=hint)
    has_both = both_known(a, b)
    n_missing = len(a) - int(has_both.sum())
    if n_missing > len(a) - 2:
        message = f"{counted(len(a) - n_missing, 'topic')} with scores of both systems"
        raise InputError(message, hint="at least two are needed")
    # Series may have names.
    series_names = [getattr(scores, "name", None) for scores in (first, second)]
    names = ["" if name is None else str(name) for name in series_names]
    if "" in names or names[0] == names[1]:
        names = ["A", "B"]
    topic_names = [str(number) for number in np.flatnonzero(has_both) + 1]
    matrix = ScoreMatrix(np.column_stack([a, b])[has_both], topic_names, names, measure="score")
    excluded_note = f"{n_missing} of {len(a)} topics, which lack a score of one or both systems"
    return matrix, (excluded_note,) if n_missing else ()


def _scores(values: Any) -> Floats:
    try:
        scores = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        hint = "give the scores of each system as a list, array or Series"
        raise InputError(f"a {type(values).__name__} is not a list of numbers", hint=hint) from None
    if scores.ndim != 1:
        hint = "give one number per topic"
        raise ShapeError(f"scores of a system have shape {scores.shape}", hint=hint)
    return scores


class _ForwardedAttribute(Generic[V]):
    """An attribute of the only comparison, or of its only pair."""

    def __init__(self, path: str, doc: str) -> None:
        self.path, self.__doc__ = path, doc

    def __get__(self, comparisons: "Comparisons", owner: type) -> V:
        value: V = attrgetter(self.path)(comparisons)
        return value


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparisons(FiguresResult[ComparisonResult]):
    """Systems compared: one `ComparisonResult` for each task, measure and test.

    If there is only one, its attributes are here as well; the first of several is ``result[0]``.

    Examples
    --------
    >>> from pyramidion import compare
    >>> result = compare([3, 5, 4, 6, 5, 4], [1, 4, 2, 2, 3, 3])
    >>> result.p, round(result.difference, 2)
    (0.03125, 2.0)
    >>> result.to_frame("ranking")["system"].tolist()
    ['A', 'B']
    """

    main: ClassVar[str] = "ranking"
    csv_order: ClassVar[tuple[str, ...]] = (
        "gate",
        "changed",
        "counts",
        "ranking",
        "pairs",
        "judge",
        "sequence",
        "deciding",
    )
    brief: ClassVar[bool] = True
    saves = (*FiguresResult.saves, PAPER_TABLE)

    matrices: Sequence[ScoreMatrix] = ()
    shown: ShownPairs = "main"
    gate: Gate | None = None
    #: How the items of logs were matched, by task.
    pairing: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as the object written to JSON, with the pairing of logs."""
        pairing = {"pairing": dict(self.pairing)} if self.pairing else {}
        return FiguresResult.to_dict(self) | pairing

    def markdown_remarks(self) -> list[str]:
        """Return the text that the terminal shows next to a gate, but a pull request does not."""
        if self.gate is None:
            return []
        lines = [f"{finding.subject}: {finding.message}" for finding in self.findings]
        return [*lines, *(f"left out: {line}" for line in self.left_out)]

    @property
    def only(self) -> ComparisonResult:
        """The only comparison; if there are several, an error lists them."""
        if len(self.values) > 1:
            names = "; ".join(map(comparison_name, self.values))
            hint = f"select one, such as result[0]: {names}"
            raise SeveralError(f"there are {len(self.values)} comparisons", hint=hint)
        return self.values[0]

    systems = _ForwardedAttribute[tuple[SystemResult, ...]](
        "only.systems", "The ranking, best first."
    )
    comparisons = _ForwardedAttribute[tuple[Comparison, ...]](
        "only.comparisons", "Every pair that was compared, in the order of the ranking."
    )
    counts = _ForwardedAttribute[PairCounts](
        "only.counts", "How many pairs there are, and how many differ."
    )
    human_machine = _ForwardedAttribute[PairCounts](
        "only.human_machine", "Counts of pairs of a person and a machine."
    )
    conclusion = _ForwardedAttribute[str]("only.conclusion", "The result in words.")
    notes = _ForwardedAttribute[tuple[str, ...]](
        "only.notes", "Notes, such as resamples that were raised."
    )
    correction = _ForwardedAttribute[str](
        "only.correction", "The correction, which may differ from the option."
    )
    n_resamples = _ForwardedAttribute[int]("only.n_resamples", "The number of resamples, or 0.")
    p = _ForwardedAttribute[float]("pair.p", "The p-value of the only pair.")
    verdict = _ForwardedAttribute[str](
        "pair.verdict", "With a margin: different, equivalent or undecided."
    )
    difference = _ForwardedAttribute[float](
        "pair.difference", "The mean difference on the topics both have."
    )

    @property
    def pair(self) -> Comparison:
        """The only pair, if two systems were compared."""
        if len(self.comparisons) != 1:
            hint = 'see result.comparisons, or result.to_frame("pairs")'
            raise InputError(f"there are {len(self.comparisons)} pairs", hint=hint)
        return self.comparisons[0]

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the difference of the only pair, at one minus the significance level."""
        return self.pair.low, self.pair.high


@question
def compare(
    source: CompareInput,
    judging: WithJudge,
    sequential: SequentialOptions,
    gating: GateOptions,
    robustness: RobustnessOptions,
    options: CompareOptions,
    engine: EngineOptions,
    presets: Presets,
) -> Comparisons:
    """Rank systems, and test every pair for a significant difference.

    The defaults are a permutation test of mean differences over topics and max-T correction. For
    Tables 4.1 and 4.2 of Rankel's dissertation, add --as-printed.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [1, 2, 1, 2, 1, 3, 2], "y": [2, 1, 2, 2, 1, 2, 3],
    ...                       "z": [4.5, 3, 4, 3, 4, 3, 4]})
    >>> result = compare(frame)
    >>> [(system.system, system.group) for system in result.systems]
    [('z', 'a'), ('y', 'b'), ('x', 'b')]
    >>> result.counts
    PairCounts(pairs=3, significant=2, significant_uncorrected=2)
    >>> compare(frame["z"], frame["x"], test="wilcoxon").p < 0.05
    True
    """
    details, gated = source.details | presets.details, GatedSystems()
    pairing: Mapping[str, Any] = {}
    if gating.gate and (judging.judge or sequential.sequential or presets.details):
        hint = "leave out --judge, --sequential and --as-printed"
        raise InputError("--gate decides by a plain comparison", hint=hint)
    if sequential.sequential:
        require_sequential(options, source.cluster, judging.judge)
    is_plain = not (options.model or judging.judge or sequential.sequential or gating.gate)
    robustness.require_plain(is_plain and options.family == "pairs")
    if judging.judge:
        from pyramidion.comparison._with_judge import compare_with_judge

        data, judged_pairs, left_out = judging.find(source)
        judged_pairs = [(sequential.on_scale(human), judge) for human, judge in judged_pairs]
        results = [compare_with_judge(*pair, options, judging.calibrate) for pair in judged_pairs]
        matrices, details["judge"] = (
            [human for human, _ in judged_pairs],
            judged_pairs[0][1].measure,
        )
        details["calibrate"] = judging.calibrate or ""
    else:
        data, matrices, left_out, gated, pairing = source.load_matrices()
        matrices = [*map(sequential.on_scale, matrices)]
        if gating.gate:
            matrices, options = gated.prepare(matrices, options)
            left_out = (*left_out, *gated.left_out)
        elif source.other is not None:
            # The difference is first minus second, and one pair needs no correction.
            baseline = options.baseline or matrices[0].systems[1]
            options = replace(options, baseline=baseline, correction="none")
        details["random"] = "+".join(options.random)
        if sequential.sequential:
            results = [compare_sequentially(matrix, options, sequential) for matrix in matrices]
        else:
            with engine.opened() as opened_engine:
                results = compare_matrices(matrices, options, opened_engine.map)
        # Each matrix was compared by each test.
        matrices = [matrix for matrix in matrices for _ in range(len(results) // len(matrices))]
        if is_plain:
            results_and_matrices = zip(results, matrices, strict=True)
            results = [robustness.apply(*pair, options) for pair in results_and_matrices]
    details["scale"] = ",".join(f"{end:g}" for end in sequential.scale)
    details["bootstrap"] = options.n_resamples if robustness.p_best else ""
    result_pairs = list(zip(results, matrices, strict=True))
    gate = decide(result_pairs, gated.ends, options) if gating.gate else None
    if gate is not None and gated.has_errors and source.errors == "missing":
        result_with_errors = compare.run(
            source=replace(source, errors="zero"), judging=judging, sequential=sequential,
            gating=gating, robustness=robustness, options=options, engine=engine, presets=presets,
        )  # fmt: skip
        gate = replace(gate, with_errors=result_with_errors.gate)
    table_makers = _table_makers(result_pairs, options.pairs, source.other is not None)
    return Comparisons(
        command="compare",
        signature=_signature(results, data, options.seed, details),
        values=results,
        record=partial(_gated_record, gate) if gate else comparison_record,
        tables=[*gate_tables(gate)] if gate else LazySequence(table_makers),
        left_out=(*left_out, *(line for result in results for line in result.left_out)),
        charts=[
            chart for result, matrix in result_pairs for chart in comparison_charts(result, matrix)
        ],
        matrices=matrices,
        shown=options.pairs,
        ok=gate is None or gate.passed,
        gate=gate,
        pairing=pairing,
    )


def compare_matrices(
    matrices: Sequence[ScoreMatrix], options: CompareOptions, mapper: Mapper = map
) -> list[ComparisonResult]:
    """Compare the systems of each matrix by each test."""
    tests = options.test[: 1 if options.model else None]
    if options.family == "measures":
        from pyramidion.comparison._family import compare_family

        results_by_test = [compare_family(matrices, options, test, mapper) for test in tests]
        return [result for results in zip(*results_by_test, strict=True) for result in results]
    jobs = [(matrix, test) for matrix in matrices for test in tests]
    results = []
    for index, (matrix, test) in enumerate(jobs):
        job_options = replace(options, progress=options.progress.part(index, len(jobs)))
        results.append(compare_matrix(matrix, job_options, test=test, mapper=mapper))
        job_options.progress.advance(1, 1)
    return results


def _table_makers(
    result_pairs: Sequence[tuple[ComparisonResult, ScoreMatrix]],
    shown_pairs: ShownPairs,
    has_one_pair: bool,
) -> Iterator[Callable[[], Table]]:
    """Yield functions that make the tables: counts, rankings, pairs, and a judge's."""
    from pyramidion.comparison._with_judge import judge_table

    results = [result for result, _ in result_pairs]
    has_conclusion = len(results) > 1 and not has_one_pair
    yield partial(counts_table, results)
    for result in results:
        yield partial(ranking_table, result, has_conclusion=has_conclusion)
        if has_one_pair:
            yield partial(_pair_table, result, shown_pairs)
        else:
            yield partial(pairs_table, result, shown_pairs)
    yield from (partial(judge_table, result) for result in results if result.judge)
    yield from (partial(sequence_table, result) for result in results if result.sequence)
    yield from (partial(deciding_table, result) for result in results if result.deciding)


def comparison_charts(result: ComparisonResult, matrix: ScoreMatrix) -> Iterator[Chart]:
    """Yield the charts of a comparison, drawn on demand."""
    key = (result.measure, result.task, result.test)
    for kind, (figure, caption) in _CHARTS.items():
        if (kind != "topics" or can_rank_topics(matrix)) and (
            kind != "differences" or result.has_intervals
        ):
            subject = matrix if kind in ("scores", "topics") else result
            yield Chart(kind, partial(_draw, figure, subject), caption, key)
    if result.sequence:
        caption = "Intervals of the main pairs as topics arrive; blue where a pair is decided."
        yield Chart("sequence", partial(sequence_picture, result), caption, key)


_CHARTS = {
    "ranking": (
        "ranking_picture",
        "Means with intervals; no difference was shown between systems that share a letter.",
    ),
    "pairs": ("significance_picture", "Every pair: which system is better, with its p-value."),
    "differences": (
        "differences_picture",
        "Differences of pairs with their intervals, simultaneous if p-values are corrected.",
    ),
    "wins": (
        "win_tie_loss_picture",
        "How many other systems each one beats and loses to, and how many pairs are undecided.",
    ),
    "scores": (
        "score_matrix_picture",
        "All scores, with topics ordered by difficulty, people shown separately, and missing "
        "scores in black.",
    ),
    "topics": ("topics_picture", "How hard each topic is: mean ranks with comparison intervals."),
}


def can_rank_topics(matrix: ScoreMatrix) -> bool:
    """Return whether two or more topics can be ranked: each has a score, and these differ."""
    counts = (~np.isnan(matrix.values)).sum(axis=1)
    return bool(
        len(counts) > 1 and counts.min() > 0 and np.nanmin(matrix.values) < np.nanmax(matrix.values)
    )


def _draw(function_name: str, subject: ComparisonResult | ScoreMatrix) -> "Picture":
    """Draw a chart; the drawing functions are loaded only then."""
    from pyramidion.comparison import _charts as charts

    picture: Picture = getattr(charts, function_name)(subject)
    return picture


def _pair_table(result: ComparisonResult, shown_pairs: ShownPairs) -> Table:
    """List the only pair, with the interval of its difference below."""
    pair = result.comparisons[0]
    interval = f"{100 * (1 - result.alpha):.4g}% interval {pair.low:.4f} to {pair.high:.4f}"
    if np.isnan(pair.low):
        interval = "without an interval, since all differences are the same"
    note = f"{pair.a} − {pair.b}: {pair.difference:.4f}{result.unit or ' on average'}, {interval}."
    return replace(pairs_table(result, shown_pairs), note=note)


def _signature(
    results: Sequence[ComparisonResult], data: str, seed: int, details: Mapping[str, object]
) -> Signature:
    """Record everything that determines the numbers."""
    first_result = results[0]
    return signed(
        f"compare({joined(map(_test_name, results))})", data, seed,
        measure=joined(result.measure for result in results),
        task=joined(result.task for result in results if result.task), **details,
        lower=joined(result.measure for result in results if result.direction == "lower"),
        baseline=first_result.baseline or "",
        correction=joined(result.correction for result in results),
        family="" if first_result.family == "pairs" else first_result.family,
        alpha=f"{first_result.alpha:g}",
        margin="" if first_result.margin is None else f"{first_result.margin:g}",
        n=max(result.n_resamples for result in results) or "",
    )  # fmt: skip


def signature_of(comparisons: Comparisons, result: ComparisonResult) -> Signature:
    """Sign one of several comparisons."""
    detail_names = {"assessor", "exclude", "peers", "top", "cluster", "random", "judge", "scale"}
    detail_names |= {"calibrate"}
    details = {key: value for key, value in comparisons.signature.details if key in detail_names}
    return _signature(
        [result], comparisons.signature.data, comparisons.signature.seed or 0, details
    )


def _test_name(result: ComparisonResult) -> str:
    return label_of_test(result.test, result.statistic, result.continuity)


# The fields of a system that are shown; the interval is of the adjusted mean.
_RANKING_FIELDS = (
    "rank", "system", "kind", "mean_rank", "adjusted", "low", "high", "mean", "n", "group",
    "cluster", "part", "p_best", "run_sd",
)  # fmt: skip
# Fields that are omitted from the record if empty.
_OPTIONAL_FIELDS = (
    "continuity",
    "omnibus",
    "model",
    "clusters",
    "margin",
    "family",
    "runs",
    "judge",
    "sequence",
    "deciding",
)


def comparison_record(result: ComparisonResult) -> dict[str, Any]:
    """Return the JSON record of a result."""
    record = _field_values(result)
    for name in _OPTIONAL_FIELDS:
        if not record[name] or record[name] == "pairs":
            record.pop(name)
    for name in ("omnibus", "model"):
        if name in record:
            record[name] = _field_values(record[name])
    for name in ("judge", "sequence"):
        if name in record:
            record[name] = [_field_values(row) for row in record[name]]
    if result.deciding:
        topics = [_field_values(topic) for topic in result.deciding.topics]
        decisive_topics = [topic.topic for topic in result.deciding.decisive]
        record["deciding"] = _field_values(result.deciding) | {
            "topics": topics,
            "decisive": decisive_topics,
        }
    counts = _field_values(record.pop("counts"))
    record["human_machine"] = _field_values(result.human_machine)
    field_names = _shown_fields(result)
    record["systems"] = [
        {name: getattr(system, name) for name in field_names} for system in result.systems
    ]
    record["interval_of"] = "adjusted"
    names = [field.name for field in fields(Comparison)]
    if result.margin is None:
        names = [
            name
            for name in names
            if name != "verdict" and not name.startswith(("p_equivalence", "margin_"))
        ]
    record["comparisons"] = [{name: getattr(c, name) for name in names} for c in result.comparisons]
    counts["conclusion"] = result.conclusion
    record["contradictions"] = [{"a": pair.a, "b": pair.b} for pair in result.contradictions]
    return {**{key: record.pop(key) for key in ("measure", "task", "test")}, **counts, **record}


def _gated_record(gate: Gate, result: ComparisonResult) -> dict[str, Any]:
    """Return a comparison with the decision on its measure."""
    gated = next(g for g in gate.measures if (g.measure, g.task) == (result.measure, result.task))
    decision = {"passed": gate.passed, "baseline_system": gate.baseline}
    return comparison_record(result) | {"gate": decision | _field_values(gated)}


def _field_values(value: Any) -> dict[str, Any]:
    """Return a dataclass's fields; `asdict` would copy thousands of pairs one by one."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def comparison_name(result: ComparisonResult) -> str:
    """Name a comparison by measure and its direction, task and test."""
    task = f", task {result.task}" if result.task else ""
    statistic = f" of {result.statistic}" if result.statistic else ""
    statistic += " with continuity correction" if result.continuity else ""
    measure = with_arrow(result.measure, result.direction)
    return f"{measure}{task}: {result.test}{statistic}"


def counts_table(results: Sequence[ComparisonResult]) -> Table:
    """Count the significant differences, as the dissertation's Tables 4.1 and 4.2 do."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            result.task or "–", result.measure, _test_name(result), result.direction,
            *astuple(result.counts), *astuple(result.human_machine),
        )
        for result in results
    )  # fmt: skip
    columns: tuple[str, ...] = (
        "task", "measure", "test", "better", "pairs", "significant", "uncorrected",
        "human-machine pairs", "significant (h-m)", "uncorrected (h-m)",
    )  # fmt: skip
    if not any(result.human_machine.pairs for result in results):
        rows, columns = tuple(row[:-3] for row in rows), columns[:-3]
    first_result = results[0]
    correction_text = CORRECTION_TEXTS[first_result.correction].after
    if first_result.family == "measures":
        correction_text += " of all measures and tasks together"
    # If there are several comparisons, each ranking has its own conclusion.
    lines = [first_result.conclusion] if len(results) == 1 else []
    note = "\n".join([*lines, f"Significant at {first_result.alpha:g} {correction_text}."])
    return Table(columns, rows, "Significant differences between systems", note, name="counts")


def _shown_fields(result: ComparisonResult) -> list[str]:
    """Return the fields that at least one system has."""
    systems, hidden_fields = result.systems, {"mean_rank"} if result.test != "kruskal" else set()
    for name in ("p_best", "run_sd"):
        if all(math.isnan(getattr(system, name)) for system in systems):
            hidden_fields.add(name)
    return [name for name in _RANKING_FIELDS if name not in hidden_fields]


def ranking_table(result: ComparisonResult, *, has_conclusion: bool = False) -> Table:
    """Show the ranking with group letters, and the conclusion below if requested."""
    systems = result.systems
    hidden_columns = {"group", "cluster"} if result.baseline else set()
    file_fields = [name for name in _shown_fields(result) if name not in hidden_columns]
    is_adjusted = any(system.adjusted != system.mean for system in systems)
    hidden_columns.add("" if is_adjusted else "mean")
    hidden_columns.update(
        name for name in ("cluster", "part") if all(getattr(s, name) == 1 for s in systems)
    )
    visible_fields = [name for name in file_fields if name not in hidden_columns]
    mean_title = "adjusted mean" if is_adjusted else "mean"
    mean_title += f" ({result.unit.strip()})" if result.unit else ""
    titles = {
        "cluster": "tier", "mean_rank": "mean rank", "p_best": "P(best)", "run_sd": "SD of runs",
    }  # fmt: skip
    file_columns = tuple(titles.get(name, name) for name in file_fields)
    titles["adjusted"] = with_arrow(mean_title, result.direction)
    note = f"{result.conclusion}\n" * has_conclusion
    note += " ".join((*_letter_and_tier_notes(result, visible_fields), *result.notes))
    title, columns = (
        f"Ranking by {comparison_name(result)}",
        tuple(titles.get(name, name) for name in visible_fields),
    )
    file_table = Table(
        file_columns,
        _cell_rows(systems, file_fields),
        title,
        note,
        key=_table_key(result),
        name="ranking",
    )
    shortened_systems = [replace(system, group=short_letters(system.group)) for system in systems]
    return file_table.with_variants(
        columns=columns, rows=_cell_rows(shortened_systems, visible_fields)
    )


def _letter_and_tier_notes(result: ComparisonResult, shown_fields: Container[str]) -> Iterator[str]:
    """Explain letters and tiers."""
    if "group" in shown_fields and result.margin is None:
        yield (
            "No difference was shown between systems that share a letter, which does not make "
            "them equal."
        )
        yield from _short_letters_note(result)
    elif "group" in shown_fields:
        yield (
            f"Systems that share a letter are equivalent within {result.margin:g}{result.unit}, or "
            "no difference was shown between them; see the pairs."
        )
        yield from _short_letters_note(result)
    if "cluster" in shown_fields:
        yield "A tier ends where all systems above differ from all below."


def _short_letters_note(result: ComparisonResult) -> Iterator[str]:
    """Explain how many letters are shortened."""
    texts = [short_letters(system.group) for system in result.systems]
    if any("–" in text for text in texts):
        yield "a–k: all letters from a to k."
    if any("…" in text for text in texts):
        yield "a…k: the first and last of many letters; JSON, CSV and files contain all of them."


def _cell_rows(rows: Sequence[Any], names: Sequence[str]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(getattr(row, name) for name in names) for row in rows)


def pairs_table(
    result: ComparisonResult, shown_pairs: ShownPairs = "main", *, hint: bool = True
) -> Table:
    """List the chosen pairs; files get all of them, and a hint says so."""
    interval_columns = ("low", "high") if result.has_intervals else ()
    columns: tuple[str, ...] = (
        "a", "b", "n", "difference", *interval_columns, "statistic", "p", "p adjusted", "effect",
    )  # fmt: skip
    columns += (*(() if result.margin is None else ("p equivalent", "verdict")), "")
    title, contradictions = (
        f"Pairs by {comparison_name(result)}",
        set(map(id, result.contradictions)),
    )
    # By id: hashing a pair would hash all its numbers.
    rows = {
        id(c): (
            c.a, c.b, c.n, c.difference, *((c.low, c.high) if interval_columns else ()),
                c.statistic, c.p,
            c.p_adjusted, c.effect,
            *(() if result.margin is None else (c.p_equivalence_adjusted, _verdict_text(result,
                c))),
            ("*!" if id(c) in contradictions else "*") if result.significant(c) else c.note,
        )
        for c in result.comparisons
    }  # fmt: skip
    file_columns = (*columns[:-1], "mark")
    all_pairs = Table(
        file_columns, tuple(rows.values()), title, key=_table_key(result), name="pairs"
    )
    comparisons = {
        "all": result.comparisons,
        "significant": tuple(filter(result.significant, result.comparisons)),
        "main": result.main_pairs(),
        "none": (),
    }[shown_pairs]
    if shown_pairs != "none" and not comparisons:
        comparisons = sorted(
            result.comparisons, key=lambda c: (math.isnan(c.p_adjusted), c.p_adjusted, c.p)
        )[:1]
    shown_columns = tuple(
        f"difference ({result.unit.strip()})" if name == "difference" and result.unit else name
        for name in columns
    )
    if len(comparisons) == len(rows):
        return all_pairs.with_variants(columns=shown_columns)
    shown_rows = tuple(rows[id(pair)] for pair in comparisons)
    description = _describe_shown_pairs(result, shown_pairs)
    note = f"{len(comparisons):,} of {len(rows):,} pairs: {description}."
    note += " The others: --pairs all, or in JSON and CSV." * hint
    return all_pairs.with_variants(
        columns=shown_columns if comparisons else (), rows=shown_rows, note=note, whole=all_pairs
    )


def _describe_shown_pairs(result: ComparisonResult, shown_pairs: ShownPairs) -> str:
    if not result.counts.significant:
        return "none differs significantly; this one comes closest"
    if shown_pairs == "significant" or result.baseline:
        return "those that differ significantly"
    contradicting_text = ", and those against the ranking (!)" if result.contradictions else ""
    equivalent_text = " and the first that is equivalent" if result.margin is not None else ""
    return (
        f"for each system the first below it that differs significantly"
        f"{equivalent_text}{contradicting_text}"
    )


def _verdict_text(result: ComparisonResult, pair: Comparison) -> str:
    suffix = ", though different" if result.significant(pair) else ""
    verdict = f"equivalent within {result.margin:g}{result.unit}{suffix}"
    return verdict if pair.verdict == "equivalent" else pair.verdict


def _table_key(result: ComparisonResult) -> tuple[tuple[str, str], ...]:
    return (
        ("task", result.task), ("measure", result.measure), ("test", _test_name(result)),
        ("better", result.direction),
    )  # fmt: skip
