"""The answer to "is the difference real?": a ranking, and every pair of systems."""

from dataclasses import dataclass

from pyramidion.evaluation._procedures import Correction, StatisticName, TestName


@dataclass(frozen=True, slots=True)
class SystemResult:
    """A system in the ranking.

    Parameters
    ----------
    system, kind
        Who.
    mean, low, high, n
        The mean over the topics it has, its confidence interval, and their number.
    rank
        1 for the greatest mean; equal means share a rank.
    group
        Letters: two systems that share one are not significantly different.
    cluster
        Counts up at each place in the ranking where all above differ from all below; 0 where
        not all pairs were tested.

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
        standardised mean difference for permutation.
    note
        Why something is undefined; empty otherwise.

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
    confidence_level
        Of the systems' intervals.
    """

    measure: str
    task: str
    test: TestName
    alpha: float
    correction: Correction
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

    def significant(self, comparison: Comparison) -> bool:
        """Tell whether a pair is significantly different after correction."""
        return comparison.p_adjusted <= self.alpha
