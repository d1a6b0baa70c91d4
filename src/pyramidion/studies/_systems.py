"""Systems and inputs as factors of a score: analysis of variance (Tables 2.1, 2.2).

People often share no topics. Without machines, which have all topics, their scores then fall into
*blocks* that must be analyzed separately.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison.common import require_known
from pyramidion.comparison.measure_tables import computable
from pyramidion.errors import InputError
from pyramidion.questions import option, question
from pyramidion.questions.common import confidence_option, resamples_option
from pyramidion.rendering.labels import counted, heading_of
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Cell, Table
from pyramidion.stats import simultaneous_intervals, two_way_anova
from pyramidion.stats.anova import Factor, TwoWayAnova, linked_parts
from pyramidion.stats.multiple_comparisons import PairComparisons
from pyramidion.studies._quality import StudiedMeasures
from pyramidion.studies._source import StudyResult, StudySource

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture

TableRow = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class SystemsOptions(StudiedMeasures):
    """How systems are compared."""

    baseline: str | None = option(
        None, "List only the pairs that include this system.", metavar="SYSTEM"
    )
    confidence_level: float = confidence_option(
        "Simultaneous confidence level of all intervals.", metavar="LEVEL"
    )
    n_resamples: int = resamples_option(
        100_000, "Number of random draws in the simulation of the intervals; the thesis used "
        "12616.", min=100, max=10_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)


@dataclass(frozen=True, slots=True, eq=False)
class SystemsStudy:
    """The effects of systems and inputs on one measure."""

    matrix: ScoreMatrix
    anova: TwoWayAnova  #: `first` is the systems, `second` the inputs
    comparisons: PairComparisons  #: simultaneous intervals of all pairs
    block: int = 0  #: of several blocks of systems that share topics, from 1

    def mean_of(self, human: bool) -> float:
        """Return the mean of people's (or machines') means."""
        means: Floats = self.matrix.means()[self.matrix.human == human]
        return float(means.mean()) if len(means) else float("nan")


def linked_blocks(matrix: ScoreMatrix) -> list[ScoreMatrix]:
    """Split scores into blocks of systems that share topics, directly or indirectly.

    A topic or system without any score is in no block.
    """
    is_present = ~np.isnan(matrix.values)
    part_by_system = np.where(is_present.any(axis=0), linked_parts(is_present.T), 0)
    topics, systems = (np.array(ids, dtype=object) for ids in (matrix.topics, matrix.systems))
    blocks = []
    for part in np.unique(part_by_system[part_by_system > 0]):
        is_topic_in_part = is_present[:, part_by_system == part].any(axis=1)
        blocks.append(
            matrix.take(topics=topics[is_topic_in_part], systems=systems[part_by_system == part])
        )
    return blocks


def _study_systems(matrix: ScoreMatrix, options: SystemsOptions, block: int) -> SystemsStudy:
    # Simulated even where a complete layout would allow exact intervals, as in the thesis.
    comparisons = simultaneous_intervals(
        matrix.values, confidence_level=options.confidence_level, method="simulate",
        draws=options.n_resamples, rng=options.seed,
    )  # fmt: skip
    return SystemsStudy(matrix, two_way_anova(matrix.values), comparisons, block)


@question
def systems(source: StudySource, options: SystemsOptions) -> StudyResult[SystemsStudy]:
    """Analyze a score by system and input, and test which systems differ (Tables 2.1, 2.2).

    A two-way analysis of variance without interaction, with simulated simultaneous intervals for
    the differences of all pairs. Systems that share no topics are analyzed separately.

    Examples
    --------
    >>> from pyramidion.collection import ScoreMatrix
    >>> from pyramidion.studies import systems
    >>> scores = ScoreMatrix([[1, 2], [2, 4], [4, 4]], ["T1", "T2", "T3"], ["7", "8"], measure="m")
    >>> result = systems(scores, n_resamples=1000)
    >>> round(result[0].anova.first.f, 2)
    3.0
    >>> result.to_frame("pairs", library="pandas")["a"].tolist()
    ['7']
    """
    collection = source.read()
    blocks, left_out = _analyzable_blocks(source.scores_of(collection), options.measures)
    if options.baseline is not None:
        names = dict.fromkeys(name for _, block in blocks for name in block.systems)
        require_known("system", options.baseline, names)
    analyses = [_study_systems(block, options, block_number) for block_number, block in blocks]
    main_analysis = next(
        study for study in analyses if options.baseline in (None, *study.matrix.systems)
    )
    not_drawn: tuple[str, ...] = ()
    if len(analyses) > 1:
        hint = "choose one with --measures, --task, --topic"
        not_drawn = (f"the figure: all analyses but {_block_name(main_analysis.matrix)}; {hint}",)
    return source.result(
        "systems", collection, analyses, partial(_record, baseline=options.baseline),
        [table for study in analyses for table in _tables(study, options.baseline)],
        [Chart("systems", partial(_picture, main_analysis, options.baseline), left_out=not_drawn)],
        details=[
            ("level", f"{options.confidence_level:g}"), ("resamples", options.n_resamples),
            *options.changed("measures", "baseline"),
        ],
        seed=options.seed, left_out=left_out,
    )  # fmt: skip


def _analyzable_blocks(
    scores: Scores, measures: Sequence[str]
) -> tuple[list[tuple[int, ScoreMatrix]], list[str]]:
    """Return the blocks of each measure and task that can be analyzed; 0 if there is only one."""
    summary_scores = scores.select(unit="")
    for measure in measures:
        summary_scores.require("measure", measure)
    blocks, left_out = [], []
    for measure in measures or summary_scores.measures:
        measure_scores = summary_scores.select(measure=measure)
        for task in measure_scores.distinct("task"):
            matrix = computable(ScoreMatrix.from_scores(measure_scores, measure, task=task))
            linked_matrices = linked_blocks(matrix)
            for number, block in enumerate(linked_matrices, start=len(linked_matrices) > 1):
                if reason := _missing_reason(block):
                    left_out.append(f"{_block_name(block)}: {reason}")
                else:
                    blocks.append((number, block))
    if not blocks:
        explanation = "no measure has two systems that share two topics"
        raise InputError(": ".join([explanation, *left_out[:1]]), hint="add scores")
    return blocks, left_out


def _missing_reason(block: ScoreMatrix) -> str:
    systems, topics = len(block.systems), len(block.topics)
    if systems < 2 or topics < 2:
        sizes = f"{counted(systems, 'system')} and {counted(topics, 'topic')}"
        return f"{sizes}, two of each are needed"
    values = block.values[~np.isnan(block.values)]
    if len(values) <= systems + topics - 1:
        return "too few scores to estimate the residual variance"
    return "" if np.ptp(values) else "all scores are equal"


def _block_name(block: ScoreMatrix) -> str:
    task = f", task {block.task}" if block.task else ""
    suffix = ", ..." if len(block.systems) > 4 else ""
    return f"{block.measure}{task}, {', '.join(block.systems[:4])}{suffix}"


_SYSTEM_FIELDS = ("system", "kind", "topics", "mean", "adjusted")
_PAIR_FIELDS = ("a", "b", "difference", "low", "high", "p", "significant")
_MEANS_NOTE = (
    "Mean: over the topics of a system. Adjusted: the least-squares mean, as if every system had "
    "every topic."
)
_BLOCKS_NOTE = "Systems of other blocks share no topics with these, even indirectly."


def _ranked_systems(study: SystemsStudy) -> list[TableRow]:
    """Return the systems, the best first."""
    matrix, adjusted_means = study.matrix, study.anova.first.means
    kinds = np.where(matrix.human, "human", "machine")
    columns = (kinds, matrix.counts(), matrix.means(), adjusted_means)
    order = np.argsort(-matrix.goodness(adjusted_means), kind="stable")
    names = [matrix.systems[column] for column in order]
    return list(zip(names, *(column[order].tolist() for column in columns), strict=True))


def _pair_rows(study: SystemsStudy, baseline: str | None) -> list[TableRow]:
    names = study.matrix.systems
    arrays = attrgetter("pairs", "differences", "low", "high", "p", "significant")
    columns = (array.tolist() for array in arrays(study.comparisons))
    rows = ((names[a], names[b], *values) for (a, b), *values in zip(*columns, strict=True))
    return [row for row in rows if baseline in (None, *row[:2])]


def _record(study: SystemsStudy, baseline: str | None) -> dict[str, Any]:
    return {
        "measure": study.matrix.measure,
        "task": study.matrix.task,
        "block": study.block or None,
        "topics": len(study.matrix.topics),
        "systems": _factor_record(study.anova.first),
        "inputs": _factor_record(study.anova.second),
        "residual_df": study.anova.residual_df,
        "people_mean": study.mean_of(human=True),
        "machines_mean": study.mean_of(human=False),
        "ranking": [dict(zip(_SYSTEM_FIELDS, row, strict=True)) for row in _ranked_systems(study)],
        "critical": study.comparisons.critical,
        "monte_carlo_error": study.comparisons.monte_carlo_error,
        "comparisons": [
            dict(zip(_PAIR_FIELDS, row, strict=True)) for row in _pair_rows(study, baseline)
        ],
    }


def _factor_record(factor: Factor) -> dict[str, Any]:
    return {"levels": len(factor.levels), "f": factor.f, "df": factor.df, "p": factor.p}


def _tables(study: SystemsStudy, baseline: str | None) -> Iterator[Table]:
    """Return the effects, the systems' means and the pairs."""
    matrix, anova, comparisons = study.matrix, study.anova, study.comparisons
    block = str(study.block) if study.block else ""
    subject = heading_of("", matrix.measure, matrix.task).removeprefix(": ")
    subject += f", block {block}" if block else ""
    key = (("measure", matrix.measure), ("task", matrix.task), ("block", block))
    rows: tuple[TableRow, ...] = tuple(
        (name, len(factor.levels), factor.f, factor.df, anova.residual_df, factor.p)
        for name, factor in (("systems", anova.first), ("inputs", anova.second))
    )
    column_names = ("factor", "levels", "F", "df", "residual df", "p")
    yield Table(
        column_names, rows, f"Effects of systems and inputs: {subject}", key=key, name="effects"
    )
    note = _MEANS_NOTE
    if matrix.human.any() and not matrix.human.all():
        people, machines = study.mean_of(human=True), study.mean_of(human=False)
        note += f" Mean of people's means: {people:.3f}; of machines' means: {machines:.3f}."
    note += f" {_BLOCKS_NOTE}" if block else ""
    yield Table(
        _SYSTEM_FIELDS,
        tuple(_ranked_systems(study)),
        f"Systems: {subject}",
        note,
        key=key,
        name="systems",
    )
    if baseline in (None, *matrix.systems):
        pairs = _pair_rows(study, baseline)
        note = (
            f"{sum(bool(pair[-1]) for pair in pairs)} of {counted(len(pairs), 'pair')} differ (*): "
            f"{100 * comparisons.confidence_level:g} % simultaneous intervals of all pairs, "
            f"critical value {comparisons.critical:.3f} ± {comparisons.monte_carlo_error:.3f} from "
            f"{comparisons.draws:,} draws."
        )
        rows = tuple((*pair[:-1], "*" if pair[-1] else "") for pair in pairs)
        title = f"Pairs of systems: {subject}"
        yield Table((*_PAIR_FIELDS[:-1], "differ"), rows, title, note, key=key, name="pairs")


def _picture(study: SystemsStudy, baseline: str | None) -> "Picture":
    from pyramidion.comparison._charts import tukey_picture

    return tukey_picture(
        study.comparisons, study.matrix.systems, marked_name=baseline,
        measure=study.matrix.measure, task=study.matrix.task, estimate="least-squares mean",
        test="two-way analysis of variance, simulated",
    )  # fmt: skip
