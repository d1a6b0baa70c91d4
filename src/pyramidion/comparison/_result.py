"""The result of a comparison: a ranking, and every pair of systems."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from string import ascii_lowercase
from typing import Any, Literal

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import ScoreMatrix, find_measure
from pyramidion.collection.ids import grouped
from pyramidion.collection.measures import Direction
from pyramidion.comparison._conclusion import Conclusion
from pyramidion.comparison.common import numbered
from pyramidion.comparison.procedures import CorrectionName, FittedName, StatisticName, TestName
from pyramidion.rendering.labels import counted, format_p
from pyramidion.stats.anova import linked_parts
from pyramidion.stats.mean_intervals import (
    MAX_RATING_STEPS,
    MeanIntervals,
    MeanMethod,
    influences,
    rating_scale,
)
from pyramidion.stats.mean_intervals import mean_intervals as stats_intervals
from pyramidion.stats.pairs import merge_rounding_ties, noise_level

#: What a correction is for: the pairs of each measure and task, or of all of them together.
Family = Literal["pairs", "measures"]

#: The note of a pair that is both different and equivalent.
LESS_THAN_MARGIN_NOTE = "different, by less than the margin"
UNVARYING_NOTE = "nothing varies, so no margin can be tested"
#: Tests whose differences are log odds, not scores.
LOG_ODDS_TESTS = ("ordinal", "bradley-terry")


@dataclass(frozen=True, slots=True)
class SystemResult:
    """A system in the ranking.

    Parameters
    ----------
    system, kind
        Its name, and whether it is a human or a machine.
    mean, n
        The mean over the topics it has, and their number.
    low, high
        The confidence interval of `adjusted`.
    rank
        1 for the best value; ties share a rank.
    group
        Letters: no difference (with a margin, none larger than the margin) was shown between two
        systems that share one.
    cluster
        Its tier, which increases wherever all systems above differ from all below; 0 if not all
        pairs were tested.
    adjusted
        Its mean or, if scores are missing, its least-squares mean; systems are ranked by it
        unless there is a `mean_rank`.
    part
        The number of its part, if some systems share no topic, not even through others. Ranks
        count within a part: which part is better is unknown.
    mean_rank
        The mean rank of its scores among those of all systems, which kruskal ranks by, or None.
    p_best
        The probability that it is the best, if requested.
    run_sd
        The standard deviation of the means of its runs, if there are several.

    Examples
    --------
    >>> SystemResult("7", "machine", 0.5, 0.4, 0.6, 44, 1, "ab").group
    'ab'
    """

    system: str
    kind: str
    mean: float
    low: float
    high: float
    n: int
    rank: int
    group: str
    cluster: int = 0
    adjusted: float = math.nan
    part: int = 1
    mean_rank: float | None = None
    p_best: float = math.nan
    run_sd: float = math.nan

    def __post_init__(self) -> None:
        if math.isnan(self.adjusted):
            object.__setattr__(self, "adjusted", self.mean)


#: The verdict on a pair, given a margin; empty without one.
Verdict = Literal["different", "equivalent", "undecided", ""]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A pair of systems, on the topics both have.

    Parameters
    ----------
    a, b
        The systems.
    n
        How many topics both have.
    difference
        Mean of a minus mean of b on those topics.
    statistic
        The test's statistic.
    p, p_adjusted
        The p-value, and the one corrected for the number of pairs; NaN if undefined.
    effect
        The effect size of the test: P(Z1 + Z2 > 0) for W, Cohen's d for t, the standardized mean
        difference for permutation, the difference of mean ranks over the number of scores for
        kruskal.
    note
        Why something is undefined; empty otherwise.
    p_equivalence, p_equivalence_adjusted
        With a margin: the p-value of two one-sided tests that the difference is within it.
    verdict
        With a margin: "different", "equivalent" (within it) or "undecided".
    low, high
        The interval of the difference at one minus the significance level, simultaneous if
        p-values are corrected; of the pseudomedian of the differences for tests of signed ranks;
        NaN if there is none.
    margin_low, margin_high
        With a margin: the interval that is compared with it, at one minus twice the level.

    Examples
    --------
    >>> Comparison("7", "8", 44, 0.02, 2.1, 0.04, 0.2, 0.3).p_adjusted
    0.2
    """

    a: str
    b: str
    n: int
    difference: float
    statistic: float
    p: float
    p_adjusted: float
    effect: float
    note: str = ""
    p_equivalence: float = math.nan
    p_equivalence_adjusted: float = math.nan
    verdict: Verdict = ""
    low: float = math.nan
    high: float = math.nan
    margin_low: float = math.nan
    margin_high: float = math.nan


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How many pairs there are, and how many of them are significantly different.

    Examples
    --------
    >>> PairCounts(10, 3, 5).significant
    3
    """

    pairs: int
    significant: int
    significant_uncorrected: int


@dataclass(frozen=True, slots=True)
class Omnibus:
    """A test of all systems at once: its statistic, degrees of freedom and p-value."""

    statistic: float
    df: int
    p: float

    def __str__(self) -> str:
        p = f"p = {self.p:.4f}" if self.p >= 0.0001 else f"p = {self.p:.1e}"
        return f"Kruskal-Wallis: H = {self.statistic:.3f} with {self.df} degrees of freedom, {p}."


@dataclass(frozen=True, slots=True)
class ModelFit:
    """A fitted mixed model, with its formula in R's notation.

    `means` are least-squares means (log odds in an ordinal model), `effects` differences from the
    first system, `thresholds` those between the categories of an ordinal model, and
    `log_likelihood` is restricted in a linear model and Laplace's approximation in an ordinal one.
    Each pair has the formula of the model that its numbers come from, and the standard error,
    degrees of freedom and confidence interval (of this pair alone) of its difference.
    """

    formula: str
    means: Mapping[str, float]
    standard_errors: Mapping[str, float]
    effects: Mapping[str, float]
    effect_errors: Mapping[str, float]
    thresholds: Mapping[str, float]
    threshold_errors: Mapping[str, float]
    variances: Mapping[str, float]
    log_likelihood: float
    pair_formulas: tuple[str, ...]
    pair_errors: tuple[float, ...]
    pair_df: tuple[float, ...]
    pair_intervals: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class JudgedSystem:
    """A system's mean by people (`human`), by people and judge, and by the judge alone (`naive`).

    `topics` were judged by people, `judge_topics` by the judge only. `weight` is that of the
    judge, `effective` the number of topics that people alone would have to judge, `bias` the
    judge's mean difference from people, and `coverage` how often its interval would hold with
    this bias. `effective_uncalibrated` is `effective` without calibration, if the judge was
    calibrated.
    """

    system: str
    topics: int
    judge_topics: int
    human: float
    human_low: float
    human_high: float
    mean: float
    low: float
    high: float
    weight: float
    effective: float
    naive: float
    naive_low: float
    naive_high: float
    bias: float
    coverage: float
    effective_uncalibrated: float = math.nan


@dataclass(frozen=True, slots=True)
class SequentialPair:
    """A pair while topics arrive: the mean difference and its interval after each of `topics`.

    `e_value` is that of the last topic, `decided_after` the number of topics (of all systems) from
    which on the pair is significant after correction, or None, and `decision` says whether to stop.
    """

    a: str
    b: str
    n: int
    e_value: float
    decided_after: int | None
    decision: str
    topics: tuple[str, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class DecidingTopic:
    """A topic that decides a pair: both scores, and the pair without this and earlier topics."""

    topic: str
    first: float
    second: float
    difference: float
    difference_without: float
    p_without: float
    significant_without: bool


@dataclass(frozen=True, slots=True)
class DecidingTopics:
    """The topics with the largest influence on a pair, of which `a` is ahead on `n` topics."""

    a: str
    b: str
    n: int
    p_adjusted: float
    significant: bool
    topics: tuple[DecidingTopic, ...]

    @property
    def decisive(self) -> tuple[DecidingTopic, ...]:
        """The first topics, as few as possible, whose removal changes the verdict; perhaps none."""
        for count, topic in enumerate(self.topics, start=1):
            if topic.significant_without != self.significant:
                return self.topics[:count]
        return ()


@dataclass(frozen=True)
class ComparisonResult:
    """All pairs of systems under one measure, one task and one test.

    Parameters
    ----------
    measure, task, test, alpha, correction
        What was compared, and how.
    statistic
        What the resampling tests ``mc`` and ``hb`` resample.
    n_resamples
        The number of resamples, or 0.
    counts, human_machine
        Counts of all pairs, and of pairs of a person and a machine.
    systems
        The ranking, best first.
    comparisons
        Every pair that was compared, in the order of the ranking.
    left_out
        What was not considered, counted.
    notes
        Further information, such as resamples raised for the correction.
    baseline
        The only system the others were compared with, if there is one; groups have no letters
        then.
    confidence_level, interval_method
        The level and the method of the systems' intervals: Wilson's for scores of 0 and 1, else
        by t and, if that is wider, on the scale or adjusted for skewness.
    clusters
        The number of clusters of topics; 0 if topics are independent.
    direction
        Which values are better, "higher" or "lower".
    model
        The mixed model used instead of a test, if any.
    margin
        The largest difference that does not matter, if given.
    family
        What the correction is for: "pairs" of this measure and task, or of all "measures".
    runs
        The largest number of runs of a system that were averaged, or 0.
    judge
        The systems' means by people and by a judge, if a judge was used.
    adjusted
        Whether means and tests are adjusted for assessors, as their mix differs between systems.
    sequence
        The pairs after each topic, if topics were taken one after the other.
    deciding
        The topics that decide a pair, if requested.
    """

    measure: str
    task: str
    test: TestName | FittedName
    alpha: float
    correction: CorrectionName
    statistic: StatisticName | None
    n_resamples: int
    counts: PairCounts
    human_machine: PairCounts
    systems: tuple[SystemResult, ...]
    comparisons: tuple[Comparison, ...]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    baseline: str | None = None
    confidence_level: float = 0.95
    continuity: bool = False
    direction: Direction = "higher"
    omnibus: Omnibus | None = None
    interval_method: MeanMethod = "t"
    model: ModelFit | None = None
    clusters: int = 0
    margin: float | None = None
    family: Family = "pairs"
    runs: int = 0
    judge: tuple[JudgedSystem, ...] = ()
    adjusted: bool = False
    sequence: tuple[SequentialPair, ...] = ()
    deciding: DecidingTopics | None = None

    @property
    def unit(self) -> str:
        """The unit of differences and the margin, after a space; empty for scores."""
        return " log odds" if self.test in LOG_ODDS_TESTS else ""

    @property
    def has_intervals(self) -> bool:
        """Whether any pair has an interval of its difference."""
        return any(not math.isnan(pair.low) for pair in self.comparisons)

    def significant(self, comparison: Comparison) -> bool:
        """Return whether a pair is significantly different after correction."""
        return comparison.p_adjusted <= self.alpha

    def decided(self, comparison: Comparison) -> bool:
        """Return whether a pair differs significantly, and not by less than the margin."""
        return _differs(comparison, self.alpha)

    def ahead(self, comparison: Comparison) -> float:
        """Return how far a pair's first system is ahead by its test, which may be a rank test."""
        uses_signed_ranks = self.test == "wilcoxon" or self.statistic == "w"
        uses_effect = uses_signed_ranks or self.test == "kruskal"
        advantage = (
            comparison.effect - 0.5 * uses_signed_ranks if uses_effect else comparison.difference
        )
        return advantage if self.direction == "higher" else -advantage

    def favors(self, comparison: Comparison) -> str:
        """Name the better system of a pair according to its test; empty if there is none."""
        advantage = self.ahead(comparison)
        return comparison.a if advantage > 0 else comparison.b if advantage < 0 else ""

    @cached_property
    def contradictions(self) -> tuple[Comparison, ...]:
        """Significant pairs whose better system is ranked below the other one."""
        rank_by_system = {system.system: (system.part, system.rank) for system in self.systems}
        pairs = []
        for pair in filter(self.significant, self.comparisons):
            favored_system = self.favors(pair)
            worse_system = pair.b if favored_system == pair.a else pair.a
            (part, rank), (worse_part, worse_rank) = (
                rank_by_system[favored_system or worse_system],
                rank_by_system[worse_system],
            )
            if favored_system and part == worse_part and rank > worse_rank:
                pairs.append(pair)
        return tuple(pairs)

    def main_pairs(self) -> list[Comparison]:
        """Return each system's first pair that differs, and contradictions; all of few pairs."""
        if len(self.comparisons) <= _MAX_READABLE_PAIRS:
            return list(self.comparisons)
        first_pairs: dict[tuple[str, bool], Comparison] = {}
        for pair in self.comparisons:
            if self.significant(pair) or pair.verdict == "equivalent":
                first_pairs.setdefault((pair.a, self.significant(pair)), pair)
        main_ids = {id(pair) for pair in (*first_pairs.values(), *self.contradictions)}
        return [pair for pair in self.comparisons if id(pair) in main_ids]

    @cached_property
    def conclusion(self) -> str:
        """The result in words; pairs that do not differ significantly are called undecided."""
        return str(Conclusion(self))


def _differs(pair: Comparison, alpha: float) -> bool:
    return pair.p_adjusted <= alpha and pair.verdict != "equivalent"


#: Which pairs a table shows.
ShownPairs = Literal["main", "significant", "all", "none"]
# The pairs of six systems are read without effort.
_MAX_READABLE_PAIRS = 15
# Up to zz; some patterns of differences need thousands.
_MAX_LETTERS = 702


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """What systems are ranked by, in the order of a matrix's columns.

    `values` are means or, if scores are missing, least-squares means in the model system + topic;
    `goodness` is the same with rounding ties merged, negated if lower is better. `parts`, counted
    from 1, share no topic. If there are `mean_ranks`, systems are ranked by these.
    """

    values: Floats
    goodness: Floats
    parts: Ints
    mean_ranks: Floats | None = None

    @classmethod
    def of(cls, matrix: ScoreMatrix) -> "Ranking":
        """Average the systems' scores as if all had the same topics."""
        values = influences(matrix.values).means if matrix.missing else matrix.means()
        parts = linked_parts(~np.isnan(matrix.values).T)
        if matrix.adjustment is not None and matrix.adjustment.parts is not None:
            all_parts = np.column_stack([parts, matrix.adjustment.parts])
            parts = linked_parts((all_parts[:, None] == all_parts).all(axis=2))
        zero_filled = np.nan_to_num(values)
        goodness = matrix.goodness(merge_rounding_ties(zero_filled, noise_level(zero_filled)))
        return cls(values, np.where(np.isnan(values), -np.inf, goodness), parts)

    @classmethod
    def of_ranks(cls, matrix: ScoreMatrix) -> "Ranking":
        """Rank systems by the mean rank of their scores, even if their topics differ."""
        from pyramidion.stats import kruskal_wallis

        ranks = kruskal_wallis(matrix.values.T).ranks.mean_ranks
        mean_ranking, parts = cls.of(matrix), np.ones(len(ranks), np.int64)
        return cls(mean_ranking.values, matrix.goodness(ranks), parts, ranks)

    @property
    def order(self) -> list[int]:
        """The columns of the systems, part by part, best first, ties in column order."""
        return [int(column) for column in np.lexsort((-self.goodness, self.parts))]

    def rank(self, system: int) -> int:
        """Return a system's rank in its part."""
        is_above = (self.goodness > self.goodness[system]) & (self.parts == self.parts[system])
        return 1 + int(is_above.sum())


def ranked_systems(
    matrix: ScoreMatrix,
    ranking: Ranking,
    comparisons: Sequence[Comparison],
    intervals: MeanIntervals,
    alpha: float,
    is_grouped: bool,
) -> tuple[SystemResult, ...]:
    """Rank the systems, and give them group letters."""
    order = ranking.order
    names = [matrix.systems[i] for i in order]
    letters, tiers = groups_of(names, comparisons, alpha) if is_grouped else ({}, {})
    means, counts = matrix.plain_means(), matrix.counts()
    ranks = [None] * len(order) if ranking.mean_ranks is None else ranking.mean_ranks.tolist()
    return tuple(
        SystemResult(
            name, "human" if matrix.human[i] else "machine", float(means[i]),
            float(intervals.low[i]), float(intervals.high[i]), int(counts[i]), ranking.rank(i),
            letters.get(name, ""), tiers.get(name, 0), float(ranking.values[i]),
            int(ranking.parts[i]), ranks[i],
        )
        for name, i in zip(names, order, strict=True)
    )  # fmt: skip


def groups_of(
    names: Sequence[str], comparisons: Sequence[Comparison], alpha: float
) -> tuple[dict[str, str], dict[str, int]]:
    """Return the letters of systems that do not differ, and the tiers of the ranking."""
    different_pairs = ((c.a, c.b) for c in comparisons if _differs(c, alpha))
    # Systems that could not be tested share no letter, since they may differ.
    defined_pairs = (c for c in comparisons if not math.isnan(c.p_adjusted))
    undecided_pairs = ((c.a, c.b) for c in defined_pairs if not _differs(c, alpha))
    return group_letters(names, undecided_pairs), ranking_tiers(names, different_pairs)


# Pairs that a note names before it only counts them.
_MAX_NAMED_PAIRS = 5


def ranking_notes(result: ComparisonResult) -> Iterator[str]:
    """Yield what systems are ranked by, what cannot be ranked, and where the tests disagree."""
    if result.test == "kruskal":
        yield (
            "Systems are ranked by mean ranks, which is what kruskal compares. It ignores that "
            "topics are shared, and so finds fewer differences than permutation and wilcoxon."
        )
    elif not (result.model or result.judge) and any(
        system.adjusted != system.mean for system in result.systems
    ):
        is_shown = len({system.n for system in result.systems}) > 1 or not result.adjusted
        yield (
            f"{'Scores are missing: systems' if is_shown else 'Systems'} are ranked by "
            f"least-squares means (of system + topic{' + assessor' * result.adjusted}), as if all "
            f"had the same topics{' and assessors' * result.adjusted}; plain means are shown as "
            "well."
        )
    yield from letter_notes(result)
    parts = grouped((system.part, system.system) for system in result.systems)
    if len(parts) > 1:
        part_names = "; ".join(_first_names(names) for names in parts.values())
        yield (
            f"The systems fall into {len(parts)} parts that share no "
            f"{'assessor' if result.adjusted else 'topic'}, not even through "
            f"other systems: {part_names}. These scores do not show which part is better; "
            "ranks count within a part."
        )
    if contradictions := result.contradictions:
        clauses = []
        for pair in contradictions[:_MAX_NAMED_PAIRS]:
            favored = result.favors(pair)
            worse = pair.b if favored == pair.a else pair.a
            p = "p < .001" if pair.p_adjusted < 0.001 else f"p = {format_p(pair.p_adjusted)}"
            clauses.append(
                f"{worse} is ranked above {favored}, which is better on the {pair.n} topics "
                f"they share ({p})"
            )
        clauses_text, n_unnamed = "; ".join(clauses), len(contradictions) - _MAX_NAMED_PAIRS
        suffix = f"; and {n_unnamed:,} more, marked ! among the pairs" if n_unnamed > 0 else ""
        yield f"Ranking and test disagree: {clauses_text}{suffix}."


def _first_names(names: Sequence[str]) -> str:
    """Name the first few, and count the rest."""
    suffix = f" and {len(names) - 3:,} more" if len(names) > 4 else ""
    return ", ".join(names[:3] if suffix else names) + suffix


def scale_ends(matrix: ScoreMatrix) -> tuple[float, float] | None:
    """Return the ends of the measure's scale if that is known."""
    definition = find_measure(matrix.measure)
    scale = matrix.scale or (definition.scale if definition else None)
    ends = (scale.low, scale.high) if scale else None
    are_shares = np.nanmin(matrix.values) >= 0 and np.nanmax(matrix.values) <= 1
    return (0.0, 1.0) if ends == _PERCENT_SCALE and are_shares else ends


def limit_to_scale(
    matrix: ScoreMatrix, comparisons: Sequence[Comparison], test: str
) -> tuple[Comparison, ...]:
    """Limit the intervals of differences to those that the scale allows, if it is known."""
    # A sequence has the scale that was given for it.
    if test in (*LOG_ODDS_TESTS, "sequential"):
        return tuple(comparisons)
    low, high = float(np.nanmin(matrix.values)), float(np.nanmax(matrix.values))
    ends = scale_ends(matrix) or ((0.0, 1.0) if low >= 0 and high <= 1 else None)
    if not ends or not ends[0] <= low <= high <= ends[1]:
        return tuple(comparisons)
    scale_width = ends[1] - ends[0]
    names = ("low", "high", "margin_low", "margin_high")

    def limit_pair(pair: Comparison) -> Comparison:
        beyond_scale = {n: v for n in names if abs(v := getattr(pair, n)) > scale_width}
        limits: dict[str, Any] = {n: math.copysign(scale_width, v) for n, v in beyond_scale.items()}
        return replace(pair, **limits) if limits else pair

    return tuple(map(limit_pair, comparisons))


def mean_intervals(matrix: ScoreMatrix, *, confidence_level: float) -> MeanIntervals:
    """Return the intervals of the systems' means, on the measure's scale if that is known."""
    scale = judged_scale(matrix)
    values = matrix.values[~np.isnan(matrix.values)]
    is_averaged = not (values == np.rint(values)).all()
    ends = scale_ends(matrix) or (scale if is_averaged else None)
    low, high = np.nanmin(matrix.values), np.nanmax(matrix.values)
    are_shares = low >= 0 and high <= 1
    if ends and not ends[0] <= low <= high <= ends[1]:
        ends = None  # for example shares given as percentages
    intervals = stats_intervals(
        matrix.values, confidence_level=confidence_level, scale=ends, ratings=scale is not None,
        clusters=matrix.cluster_codes,
    )  # fmt: skip
    if ends or not are_shares:
        return intervals
    # The scale is unknown, but if all values are shares, further ones probably are, too.
    lowest_values, highest_values = (
        np.minimum(intervals.means, 0.0),
        np.maximum(intervals.means, 1.0),
    )
    return replace(
        intervals,
        low=np.maximum(intervals.low, lowest_values),
        high=np.minimum(intervals.high, highest_values),
    )


def judged_scale(matrix: ScoreMatrix) -> tuple[float, float] | None:
    """Return the range of the single scores, if they are whole numbers of few steps."""
    values = matrix.values[~np.isnan(matrix.values)]
    return rating_scale(values if matrix.rows is None else matrix.rows.value)


def rating_width(matrix: ScoreMatrix, ends: tuple[float, float] | None = None) -> float | None:
    """Return the width of the scale of ratings (or of means of ratings), if it is known."""
    observed_scale = judged_scale(matrix)
    ends = ends or scale_ends(matrix) or observed_scale
    low, high = np.nanmin(matrix.values), np.nanmax(matrix.values)
    if ends is None or not ends[0] <= low <= high <= ends[1]:
        return None
    width = ends[1] - ends[0]
    # Shares and percentages could differ by as much as their scale, but seldom do.
    return width if 1 < width <= MAX_RATING_STEPS or observed_scale else None


_PERCENT_SCALE = (0.0, 100.0)
# From this share on, nearly all scores of a system are at one end of the scale.
_MIN_EXTREME_SHARE = 0.8
_MIN_SCALE_TOPICS = 10


def interval_notes(matrix: ScoreMatrix, intervals: MeanIntervals) -> Iterator[str]:
    """Yield which intervals are rough, and why."""
    n_units = len(set(matrix.clusters)) or len(matrix.topics)
    if n_units < _MIN_SCALE_TOPICS:
        size_text = counted(n_units, "cluster" if matrix.clusters else "topic")
        yield f"With only {size_text}, intervals of means are wide, and rough if scores are skewed."
    values, counts = matrix.values, matrix.counts()
    is_constant = np.nanmin(values, axis=0) == np.nanmax(values, axis=0)
    is_unknown = np.isnan(intervals.low)
    if (has_equal_scores := is_constant & is_unknown & (counts > 1)).any():
        yield (
            f"All scores of {_marked_names(matrix, has_equal_scores)} are the same, so their "
            "spread is unknown: there is no interval."
        )
    ends = intervals.scale or (float(np.nanmin(values)), float(np.nanmax(values)))
    extreme_shares = np.max([(values == end).sum(axis=0) for end in ends], axis=0) / counts
    if (is_near_bound := (extreme_shares >= _MIN_EXTREME_SHARE) & ~is_unknown).any():
        yield (
            f"Nearly all scores of {_marked_names(matrix, is_near_bound)} are at one end of the "
            "scale: the interval is rough, and differences there are hard to see."
        )
    if (has_equal_scores := is_constant & ~is_unknown & ~is_near_bound).any():
        yield (
            f"All scores of {_marked_names(matrix, has_equal_scores)} are the same: the interval "
            "is as wide as the scale allows."
        )


def _marked_names(matrix: ScoreMatrix, is_marked: Bools) -> str:
    return _first_names(
        [
            name
            for name, is_named in zip(matrix.systems, is_marked.tolist(), strict=True)
            if is_named
        ]
    )


def letter_notes(result: ComparisonResult) -> Iterator[str]:
    """Yield the pairs for which the letters are not meaningful."""
    letters = {
        system.system: set(_LETTER_PATTERN.findall(system.group))
        for system in result.systems
        if system.group
    }
    untested_pairs = [c for c in result.comparisons if math.isnan(c.p_adjusted)]
    if untested_pairs and letters:
        pair_names = _first_names([f"{c.a} and {c.b}" for c in untested_pairs])
        yield (
            f"{counted(len(untested_pairs), 'pair')} could not be tested: {pair_names}. They share "
            "no letter, but need not differ."
        )
    if len(set().union(*letters.values())) >= _MAX_LETTERS:
        defined_pairs = (c for c in result.comparisons if not math.isnan(c.p_adjusted))
        undecided_pairs = (c for c in defined_pairs if not result.decided(c))
        n_missing = sum(
            letters.get(c.a, set()).isdisjoint(letters.get(c.b, ())) for c in undecided_pairs
        )
        pairs_text = "1 pair is" if n_missing == 1 else f"{n_missing:,} pairs are"
        if n_missing:
            yield f"Letters end at zz: {pairs_text} undecided but share no letter; see the pairs."


# A letter, or several in parentheses.
_LETTER_PATTERN = re.compile(r"[a-z]|\([a-z]+\)")


# Texts of letters up to this length are shown, and longer ones shortened, up to the second.
_MAX_FULL_CHARACTERS, _MAX_SHORT_CHARACTERS = 8, 20


def short_letters(group: str) -> str:
    """Write letters in a row as a–m if there are many; a text that stays long becomes a…k."""
    if len(group) <= _MAX_FULL_CHARACTERS:
        return group
    letters = _LETTER_PATTERN.findall(group)
    codes = [_LETTER_CODES[letter] for letter in letters]
    starts = [i for i, code in enumerate(codes) if not i or code != codes[i - 1] + 1]
    runs = (letters[start:stop] for start, stop in pairwise([*starts, len(letters)]))
    texts = (f" {run[0]}–{run[-1]} " if len(run) > 2 else "".join(run) for run in runs)
    one_line = " ".join("".join(texts).split())
    return one_line if len(one_line) <= _MAX_SHORT_CHARACTERS else f"{letters[0]}…{letters[-1]}"


def _relation_table(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> Bools:
    """Return a table of which names are related, in either order."""
    index_by_name = numbered(names)
    table = np.zeros((len(names), len(names)), np.bool_)
    first, second = (
        np.array([(index_by_name[a], index_by_name[b]) for a, b in pairs], np.intp).reshape(-1, 2).T
    )
    table[first, second] = table[second, first] = True
    return table


def group_letters(
    systems: Sequence[str], undecided_pairs: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """Assign letters so that two systems share one exactly when they do not differ.

    A letter is a maximal clique of systems that are all alike. Cliques are added until each pair
    that is alike is in one, so that few are needed, even where a better system differs from a near
    one but not from a far one. Beyond `_MAX_LETTERS`, the lowest pairs have no letter in common.
    """
    groups = sorted(
        group.tolist() for group in _covering_groups(_relation_table(systems, undecided_pairs))
    )
    letters = dict.fromkeys(systems, "")
    for index, group in enumerate(groups):
        for member in group:
            letters[systems[member]] += letter_name(index)
    return letters


def _covering_groups(is_similar: Bools) -> list[Ints]:
    """Grow groups around each system until they cover all systems similar to it."""
    is_similar = is_similar | np.eye(len(is_similar), dtype=np.bool_)
    is_uncovered, groups = is_similar.copy(), list[Ints]()
    for member in range(len(is_similar)):
        while is_uncovered[member].any() and len(groups) < _MAX_LETTERS:
            group, is_fitting = [member], is_similar[member].copy()
            is_fitting[member] = False
            gains = is_uncovered[member].astype(np.int64)
            while is_fitting.any():
                # The best of the systems that cover the most uncovered pairs.
                group.append(int(np.argmax(np.where(is_fitting, gains, -1))))
                is_fitting &= is_similar[group[-1]]
                is_fitting[group[-1]] = False
                gains += is_uncovered[group[-1]]
            groups.append(np.sort(group))
            is_uncovered[np.ix_(group, group)] = False
    return groups


def ranking_tiers(
    systems: Sequence[str], different_pairs: Iterable[tuple[str, str]]
) -> dict[str, int]:
    """Return the tiers of a ranking: all systems of one differ from all of the next."""
    is_separated = np.logical_and.accumulate(_relation_table(systems, different_pairs), axis=0)
    starts = [
        rank == 0 or bool(is_separated[rank - 1, rank:].all()) for rank in range(len(systems))
    ]
    return dict(zip(systems, np.cumsum(starts).tolist(), strict=True))


def letter_name(index: int) -> str:
    """Return a to z, then aa to zz in parentheses."""
    if index < 26:
        return ascii_lowercase[index]
    first, second = divmod(index - 26, 26)
    return f"({ascii_lowercase[first]}{ascii_lowercase[second]})"


_LETTER_CODES = numbered(map(letter_name, range(_MAX_LETTERS)))
