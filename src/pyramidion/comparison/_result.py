"""The answer to "is the difference real?": a ranking, and every pair of systems."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from string import ascii_lowercase
from typing import Literal

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import ScoreMatrix, find_measure
from pyramidion.collection.ids import grouped
from pyramidion.collection.measures import Direction
from pyramidion.comparison._conclusion import Conclusion
from pyramidion.comparison.common import numbered
from pyramidion.comparison.procedures import Corrected, FittedName, StatisticName, TestName
from pyramidion.rendering.labels import counted, shown_p
from pyramidion.stats.anova import linked_parts
from pyramidion.stats.mean_intervals import MeanIntervals, MeanMethod, influences
from pyramidion.stats.mean_intervals import mean_intervals as stats_intervals
from pyramidion.stats.pairs import merge_rounding_ties, noise_level

#: What a correction is for: the pairs of one measure and task, or of all that are compared.
Family = Literal["pairs", "measures"]

#: The note of a pair that is both different and equivalent.
LESS_THAN_MARGIN = "different, by less than the margin"
#: Why no margin can be tested.
UNVARYING = "nothing varies, so no margin can be tested"


@dataclass(frozen=True, slots=True)
class SystemResult:
    """A system in the ranking.

    Parameters
    ----------
    system, kind
        Who.
    mean, n
        The mean over the topics it has, and their number.
    low, high
        The confidence interval of `adjusted`.
    rank
        1 for the best value; equal ones share a rank.
    group
        Letters: no difference was shown between two systems that share one; given a margin, none
        that is more than the margin.
    cluster
        Its tier: counts up at each place in the ranking where all above differ from all below; 0
        where not all pairs were tested.
    adjusted
        Its mean, or where scores are missing its least-squares mean; systems are ranked by it
        unless there is a `mean_rank`.
    part
        Counts the parts that systems fall into if some share no topic, not even through others.
        Ranks count within a part: which part is better cannot be known.
    mean_rank
        The mean rank of its scores among those of all systems, which kruskal ranks by; else None.

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

    def __post_init__(self) -> None:
        if math.isnan(self.adjusted):
            object.__setattr__(self, "adjusted", self.mean)


#: What a pair is, given a margin; nothing without one.
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
        The p-value, and the one corrected for the number of pairs; NaN where undefined.
    effect
        The effect size that goes with the test: P(Z1 + Z2 > 0) for W, Cohen's d for t, the
        standardized mean difference for permutation, the difference of mean ranks over the number
        of scores for kruskal.
    note
        Why something is undefined; empty otherwise.
    p_equivalence, p_equivalence_adjusted
        With a margin: that of two one-sided tests that the difference is within it, and corrected.
    verdict
        With a margin: "different", "equivalent" (within it) or "undecided".

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
    """A test of all systems at once: its statistic, degrees of freedom and p-value.

    Examples
    --------
    >>> print(Omnibus(8.25, 2, 0.0162))
    Kruskal-Wallis: H = 8.250 with 2 degrees of freedom, p = 0.0162.
    """

    statistic: float
    df: int
    p: float

    def __str__(self) -> str:
        p = f"p = {self.p:.4f}" if self.p >= 0.0001 else f"p = {self.p:.1e}"
        return f"Kruskal-Wallis: H = {self.statistic:.3f} with {self.df} degrees of freedom, {p}."


@dataclass(frozen=True, slots=True)
class ModelFit:
    """A mixed model as it was fitted; systems are compared with the first one in `effects`.

    Parameters
    ----------
    formula
        As R would write it.
    means, standard_errors, effects, effect_errors
        Of each system: least-squares means, on the scale of log odds for an ordinal model, and
        differences from the first system.
    thresholds, threshold_errors
        Between the categories of an ordinal model.
    variances
        Of random effects and, in a linear model, residuals.
    log_likelihood
        Restricted for a linear model, Laplace's approximation for an ordinal one.
    pair_formulas, pair_errors, pair_intervals
        Of each pair that was compared: the model that its difference, statistic and p-value come
        from, and the standard error and confidence interval of the difference.
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
    pair_intervals: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class JudgedSystem:
    """A system's mean by people alone, by people and a judge, and by the judge alone.

    Parameters
    ----------
    system, topics, judge_topics
        Who, how many topics people judged, and how many only the judge did.
    human, human_low, human_high
        By people alone.
    mean, low, high, weight, effective
        By both; how much the judge counts, and as many topics as people alone would have to judge.
    naive, naive_low, naive_high, bias, coverage
        By the judge alone; its mean difference from people, and how often its interval would hold
        if that is its bias.
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


@dataclass(frozen=True)
class ComparisonResult:
    """All pairs of systems under one measure, one task and one test.

    Parameters
    ----------
    measure, task, test, alpha, correction
        What was asked.
    statistic
        What the resampling tests ``mc`` and ``hb`` resample.
    n_resamples
        How many resamples were drawn, 0 where none were.
    counts
        Over all pairs.
    human_machine
        Over pairs of a person and a machine.
    systems
        The ranking, best first.
    comparisons
        Every pair that was compared, in the order of the ranking.
    left_out
        What was not considered, counted.
    notes
        What one should know, such as resamples raised for the correction.
    baseline
        The only system the others were compared with, if there is one; there are no letters of
        groups then.
    confidence_level, interval_method
        Of the systems' intervals: Wilson's for scores of 0 and 1, else by t and, where that is
        wider, on the scale or adjusted for skewness.
    clusters
        How many clusters the topics were grouped in; 0 if topics are independent.
    direction
        Which values are better, "higher" or "lower".
    model
        The mixed model that took the place of a test, if there was one.
    margin
        The largest difference that does not matter, if one was named.
    family
        What the correction is for: "pairs" of this measure and task, or of all "measures".
    runs
        How many runs of a system were averaged, at most; 0 where none were.
    judge
        With a judge's scores beside people's: what both say of each system, and each alone.
    """

    measure: str
    task: str
    test: TestName | FittedName
    alpha: float
    correction: Corrected
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

    @property
    def unit(self) -> str:
        """What differences and the margin are measured in, after a space; empty for scores."""
        return " log odds" if self.test in ("ordinal", "bradley-terry") else ""

    def significant(self, comparison: Comparison) -> bool:
        """Return whether a pair is significantly different after correction."""
        return comparison.p_adjusted <= self.alpha

    def decided(self, comparison: Comparison) -> bool:
        """Return whether a pair differs significantly, and not by less than the margin."""
        return _differs(comparison, self.alpha)

    def ahead(self, comparison: Comparison) -> float:
        """By how much a pair's first system is better, as the test sees it; below 0 if it is not.

        Tests of ranks may favor another system than the mean difference does.
        """
        of_signed_ranks = self.test == "wilcoxon" or self.statistic == "w"
        by_effect = of_signed_ranks or self.test == "kruskal"
        higher = comparison.effect - 0.5 * of_signed_ranks if by_effect else comparison.difference
        return higher if self.direction == "higher" else -higher

    def favors(self, comparison: Comparison) -> str:
        """Name the better system of a pair, as its test sees it; empty where it sees neither."""
        ahead = self.ahead(comparison)
        return comparison.a if ahead > 0 else comparison.b if ahead < 0 else ""

    @cached_property
    def contradictions(self) -> tuple[Comparison, ...]:
        """Significant pairs whose better system is ranked below the other one."""
        place = {system.system: (system.part, system.rank) for system in self.systems}
        found = []
        for pair in filter(self.significant, self.comparisons):
            better = self.favors(pair)
            worse = pair.b if better == pair.a else pair.a
            (part, rank), (other, above) = place[better or worse], place[worse]
            if better and part == other and rank > above:
                found.append(pair)
        return tuple(found)

    def main_pairs(self) -> list[Comparison]:
        """Choose what a reader wants to see: for each system the first one below it that differs.

        Pairs against the ranking are among them, too; few pairs are all shown.
        """
        if len(self.comparisons) <= _FEW_PAIRS:
            return list(self.comparisons)
        first: dict[tuple[str, bool], Comparison] = {}
        for pair in self.comparisons:
            if self.significant(pair) or pair.verdict == "equivalent":
                first.setdefault((pair.a, self.significant(pair)), pair)
        chosen = {id(pair) for pair in (*first.values(), *self.contradictions)}
        return [pair for pair in self.comparisons if id(pair) in chosen]

    @cached_property
    def conclusion(self) -> str:
        """What was found, in words; what is not significant is undecided, never equal."""
        return str(Conclusion(self))


def _differs(pair: Comparison, alpha: float) -> bool:
    return pair.p_adjusted <= alpha and pair.verdict != "equivalent"


#: Which pairs a table shows.
ShownPairs = Literal["main", "significant", "all", "none"]
# So many pairs, those of six systems, are read without effort.
_FEW_PAIRS = 15
# Up to zz; some patterns of differences need thousands, which nobody would read.
_MOST_LETTERS = 702


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """What systems are ranked by, in the order of a matrix's columns.

    Parameters
    ----------
    values
        Means or, where scores are missing, least-squares means in the model system + topic.
    goodness
        The same, turned round where lower is better; what is equal up to noise is equal.
    parts
        Which part each system belongs to, counted from 1; parts share no topic.
    mean_ranks
        What systems are ranked by instead, if that is not the values.
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
        known = np.nan_to_num(values)
        goodness = matrix.goodness(merge_rounding_ties(known, noise_level(known)))
        return cls(values, np.where(np.isnan(values), -np.inf, goodness), parts)

    @classmethod
    def of_ranks(cls, matrix: ScoreMatrix) -> "Ranking":
        """Rank systems by the mean rank of their scores, whatever topics they have."""
        from pyramidion.stats import kruskal_wallis

        ranks = kruskal_wallis(matrix.values.T).ranks.mean_ranks
        by_mean, parts = cls.of(matrix), np.ones(len(ranks), np.int64)
        return cls(by_mean.values, matrix.goodness(ranks), parts, ranks)

    @property
    def order(self) -> list[int]:
        """The systems, best first, ties in their given order; one part after the other."""
        return [int(place) for place in np.lexsort((-self.goodness, self.parts))]

    def rank(self, system: int) -> int:
        """Return a system's rank in its part."""
        above = (self.goodness > self.goodness[system]) & (self.parts == self.parts[system])
        return 1 + int(above.sum())


def ranked_systems(
    matrix: ScoreMatrix,
    ranking: Ranking,
    comparisons: Sequence[Comparison],
    intervals: MeanIntervals,
    alpha: float,
    grouped: bool,
) -> tuple[SystemResult, ...]:
    """Rank the systems, with the letters of those that do not differ."""
    order = ranking.order
    names = [matrix.systems[i] for i in order]
    letters, tiers = groups_of(names, comparisons, alpha) if grouped else ({}, {})
    means, counts = matrix.means(), matrix.counts()
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
    different = ((c.a, c.b) for c in comparisons if _differs(c, alpha))
    # Systems that could not be tested share no letter: nothing says that they do not differ.
    tested = (c for c in comparisons if not math.isnan(c.p_adjusted))
    alike = ((c.a, c.b) for c in tested if not _differs(c, alpha))
    return group_letters(names, alike), clusters(names, different)


# Pairs that a note names before it only counts them.
_MOST_NAMED = 5


def ranking_notes(result: ComparisonResult) -> Iterator[str]:
    """Say what systems are ranked by, what cannot be ranked, and where the tests disagree."""
    if result.test == "kruskal":
        yield (
            "Systems are ranked by mean ranks, which is what kruskal compares. It ignores that "
            "topics are shared, and finds less for it; permutation and wilcoxon do not."
        )
    elif not (result.model or result.judge) and any(
        system.adjusted != system.mean for system in result.systems
    ):
        yield (
            "Scores are missing: systems are ranked by least-squares means (of system + topic), "
            "as if all had the same topics; plain means stand beside them."
        )
    yield from letter_notes(result)
    parts = grouped((system.part, system.system) for system in result.systems)
    if len(parts) > 1:
        named = "; ".join(_some(names) for names in parts.values())
        yield (
            f"The systems fall into {len(parts)} parts that share no topic, not even through "
            f"other systems: {named}. Which part is better cannot be known from these scores; "
            "ranks count within a part."
        )
    if found := result.contradictions:
        said = []
        for pair in found[:_MOST_NAMED]:
            better = result.favors(pair)
            worse = pair.b if better == pair.a else pair.a
            p = "p < .001" if pair.p_adjusted < 0.001 else f"p = {shown_p(pair.p_adjusted)}"
            said.append(
                f"{worse} is ranked above {better}, which is better on the {pair.n} topics of "
                f"both ({p})"
            )
        named, more = "; ".join(said), len(found) - _MOST_NAMED
        rest = f"; and {more:,} more, marked ! among the pairs" if more > 0 else ""
        yield f"Ranking and test disagree: {named}{rest}."


def _some(names: Sequence[str]) -> str:
    """Name the first few, and count the others."""
    more = f" and {len(names) - 3:,} more" if len(names) > 4 else ""
    return ", ".join(names[:3] if more else names) + more


def mean_intervals(matrix: ScoreMatrix, *, confidence_level: float) -> MeanIntervals:
    """Return the intervals of the systems' means, on the measure's scale if that is known."""
    known = find_measure(matrix.measure)
    scale = matrix.scale or (known.scale if known else None)
    ends = (scale.low, scale.high) if scale else None
    low, high = np.nanmin(matrix.values), np.nanmax(matrix.values)
    shares = low >= 0 and high <= 1
    if ends == _PERCENT and shares:
        ends = (0.0, 1.0)
    if ends and not ends[0] <= low <= high <= ends[1]:
        ends = None  # as where shares are given as percentages
    found = stats_intervals(
        matrix.values, confidence_level=confidence_level, scale=ends, clusters=matrix.cluster_codes
    )
    if ends or not shares:
        return found
    # Nothing is known of the scale, but few measures have all values there and others elsewhere.
    least, most = np.minimum(found.means, 0.0), np.maximum(found.means, 1.0)
    return replace(found, low=np.maximum(found.low, least), high=np.minimum(found.high, most))


_PERCENT = (0.0, 100.0)
# From this share of scores on, a system's are nearly all at one end of the scale.
_NEARLY_ALL = 0.8
_FEW_TOPICS = 10


def interval_notes(matrix: ScoreMatrix, intervals: MeanIntervals) -> Iterator[str]:
    """Say which intervals are rough, and why."""
    units = len(set(matrix.clusters)) or len(matrix.topics)
    if units < _FEW_TOPICS:
        few = counted(units, "cluster" if matrix.clusters else "topic")
        yield f"With only {few}, intervals of means are wide, and rough if scores are skewed."
    values, counts = matrix.values, matrix.counts()
    same = np.nanmin(values, axis=0) == np.nanmax(values, axis=0)
    unknown = np.isnan(intervals.low)
    if (constant := same & unknown & (counts > 1)).any():
        yield (
            f"All scores of {_marked(matrix, constant)} are the same, which says nothing of how "
            "much they vary: there is no interval."
        )
    ends = intervals.scale or (float(np.nanmin(values)), float(np.nanmax(values)))
    shares = np.max([(values == end).sum(axis=0) for end in ends], axis=0) / counts
    if (near := (shares >= _NEARLY_ALL) & ~unknown).any():
        yield (
            f"Nearly all scores of {_marked(matrix, near)} are at one end of the scale: the "
            "interval is rough, and differences there are hard to see."
        )
    if (constant := same & ~unknown & ~near).any():
        yield (
            f"All scores of {_marked(matrix, constant)} are the same: the interval is as wide as "
            "the scale allows."
        )


def _marked(matrix: ScoreMatrix, marked: Bools) -> str:
    return _some([name for name, mark in zip(matrix.systems, marked.tolist(), strict=True) if mark])


def letter_notes(result: ComparisonResult) -> Iterator[str]:
    """Say for which pairs the letters mean nothing."""
    letters = {one.system: set(_LETTER.findall(one.group)) for one in result.systems if one.group}
    unknown = [c for c in result.comparisons if math.isnan(c.p_adjusted)]
    if unknown and letters:
        named = _some([f"{c.a} and {c.b}" for c in unknown])
        yield (
            f"{counted(len(unknown), 'pair')} could not be tested: {named}. That they share no "
            "letter does not mean that they differ."
        )
    if len(set().union(*letters.values())) >= _MOST_LETTERS:
        tested = (c for c in result.comparisons if not math.isnan(c.p_adjusted))
        alike = (c for c in tested if not result.decided(c))
        lost = sum(letters.get(c.a, set()).isdisjoint(letters.get(c.b, ())) for c in alike)
        these = "1 pair is" if lost == 1 else f"{lost:,} pairs are"
        if lost:
            yield f"Letters end at zz: {these} undecided and yet share no letter; see the pairs."


# A letter, or several in brackets.
_LETTER = re.compile(r"[a-z]|\([a-z]+\)")


def _related(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> Bools:
    """Return a table of which names are related, in either order."""
    place = numbered(names)
    table = np.zeros((len(names), len(names)), np.bool_)
    one, other = np.array([(place[a], place[b]) for a, b in pairs], np.intp).reshape(-1, 2).T
    table[one, other] = table[other, one] = True
    return table


def group_letters(systems: Sequence[str], alike: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Give each system letters so that two share one exactly when they are alike.

    A letter is a group all of which are alike, and as large as can be (a maximal clique). Groups
    are added until each two that are alike are in one, so that few are needed whatever the
    pattern, also where a better system differs from a near one but not from a far one. If that
    takes more than `_MOST_LETTERS`, the pairs lowest in the ranking have none in common.
    """
    groups = sorted(group.tolist() for group in _covering_groups(_related(systems, alike)))
    letters = dict.fromkeys(systems, "")
    for number, group in enumerate(groups):
        for place in group:
            letters[systems[place]] += letter_name(number)
    return letters


def _covering_groups(alike: Bools) -> list[Ints]:
    """Grow groups around each system until it is in one with each that it is alike with."""
    alike = alike | np.eye(len(alike), dtype=np.bool_)
    uncovered, groups = alike.copy(), list[Ints]()
    for place in range(len(alike)):
        while uncovered[place].any() and len(groups) < _MOST_LETTERS:
            group, fitting = [place], alike[place].copy()
            fitting[place] = False
            gain = uncovered[place].astype(np.int64)
            while fitting.any():
                # Whoever is in a group with the fewest of these, the best of them.
                group.append(int(np.argmax(np.where(fitting, gain, -1))))
                fitting &= alike[group[-1]]
                fitting[group[-1]] = False
                gain += uncovered[group[-1]]
            groups.append(np.sort(group))
            uncovered[np.ix_(group, group)] = False
    return groups


def clusters(systems: Sequence[str], different: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Find the clusters of a ranking: all systems of one differ from all of the next."""
    apart = np.logical_and.accumulate(_related(systems, different), axis=0)
    # All above differ from all below.
    starts = [place == 0 or bool(apart[place - 1, place:].all()) for place in range(len(systems))]
    return dict(zip(systems, np.cumsum(starts).tolist(), strict=True))


def letter_name(number: int) -> str:
    """Name the columns: a to z, then aa to zz in brackets."""
    if number < 26:
        return ascii_lowercase[number]
    first, second = divmod(number - 26, 26)
    return f"({ascii_lowercase[first]}{ascii_lowercase[second]})"
