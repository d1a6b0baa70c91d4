"""The answer to "which metric can stand in for people?"."""

import math
from dataclasses import dataclass, field

from pyramidion.evaluation._judged import MetaTables, Peers
from pyramidion.evaluation._meta.options import MetaOptions
from pyramidion.evaluation.procedures import Correction, MetaTest
from pyramidion.stats.clustered_weights import CorrelationLevel
from pyramidion.stats.weighted import Coefficient

__all__ = [
    "MetaResult",
    "MetricCorrelation",
    "MetricMatrix",
    "MetricPair",
    "MetricRank",
    "descending",
]


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """A metric's correlation with the human measure.

    Parameters
    ----------
    level, coefficient, peers
        What was correlated, how, and of whom.
    value, low, high
        The correlation and its interval; NaN where undefined.
    n
        The number of systems (system level), of topics whose correlation is defined (input
        level) or of summaries (global level).
    undefined_inputs
        At input level, the topics within which the correlation is undefined, because all scores
        of the metric or of the humans are equal, or there are fewer than two.
    undefined_resamples
        Resamples without a value; the interval rests on the others.
    left_out
        Summaries that have one of the two scores only.
    undefined
        Why there is no value or no interval; empty where there is one.

    Examples
    --------
    >>> MetricCorrelation("input", "kendall", "all", 0.4, 0.3, 0.5, 44).undefined_inputs
    0
    """

    level: CorrelationLevel
    coefficient: Coefficient
    peers: Peers
    value: float
    low: float
    high: float
    n: int
    undefined_inputs: int = 0
    undefined_resamples: int = 0
    left_out: int = 0
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class MetricPair:
    """Two metrics, on the summaries that both and the humans have scored.

    Parameters
    ----------
    a, b
        The metrics; a stands above b in the ranking.
    first, second, difference
        Their correlations with the human measure on those summaries, and a's minus b's.
    statistic
        The test's statistic; NaN where it has none.
    p, p_adjusted
        The p-value, and the one corrected for the number of pairs; NaN where undefined.
    low, high
        Zou's interval of the difference, for tests on system means; NaN otherwise.
    n_resamples
        How many swaps p rests on.
    note
        Why something is undefined; empty otherwise.

    Examples
    --------
    >>> MetricPair("rouge-2-r", "bleu", 0.8, 0.7, 0.1, 2.1, 0.04, 0.2).p_adjusted
    0.2
    """

    a: str
    b: str
    first: float
    second: float
    difference: float
    statistic: float
    p: float
    p_adjusted: float
    low: float = float("nan")
    high: float = float("nan")
    n_resamples: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class MetricRank:
    """A metric in the ranking by its correlation.

    Parameters
    ----------
    metric, value
        Which, and its correlation.
    rank
        1 for the greatest; equal ones share a rank.
    group
        Letters: two metrics that share one are not significantly different.
    cluster
        Counts up at each place in the ranking where all above differ from all below.

    Examples
    --------
    >>> MetricRank("bleu", 0.7, 2, "ab", 1).group
    'ab'
    """

    metric: str
    value: float
    rank: int
    group: str
    cluster: int


@dataclass(frozen=True, slots=True)
class MetricMatrix:
    """All pairs of metrics under one level, coefficient, peer set and test.

    Parameters
    ----------
    level, coefficient, peers, test
        What was tested.
    correction, alpha
        How p-values were corrected, and the level of significance.
    n_resamples
        The most swaps that a p-value rests on; 0 where nothing was swapped.
    metrics
        The ranking, best first; metrics without a correlation come last.
    pairs
        Every pair, in the order of the ranking.
    notes
        What one should know, such as swaps raised for the correction.
    """

    level: CorrelationLevel
    coefficient: Coefficient
    peers: Peers
    test: MetaTest
    correction: Correction
    alpha: float
    n_resamples: int
    metrics: tuple[MetricRank, ...]
    pairs: tuple[MetricPair, ...]
    notes: tuple[str, ...] = ()

    def significant(self, pair: MetricPair) -> bool:
        """Tell whether two metrics are significantly different after correction."""
        return pair.p_adjusted <= self.alpha


@dataclass(frozen=True, slots=True)
class MetaResult:
    """Metrics judged against one human measure, in one task of one collection.

    Parameters
    ----------
    tables
        The scores that were looked at.
    options
        What was asked.
    correlations
        For each metric all correlations: levels, coefficients and peer sets.
    matrices
        Tests between metrics.
    left_out
        What was not considered, counted.
    """

    tables: MetaTables
    options: MetaOptions
    correlations: dict[str, tuple[MetricCorrelation, ...]]
    matrices: tuple[MetricMatrix, ...]
    left_out: tuple[str, ...] = field(default=())

    @property
    def human(self) -> str:
        """The human measure."""
        return self.tables.human

    @property
    def task(self) -> str:
        """The task, empty where there is only one."""
        return self.tables.task

    def correlation(
        self,
        metric: str,
        *,
        level: CorrelationLevel,
        coefficient: Coefficient,
        peers: Peers = "all",
    ) -> MetricCorrelation:
        """Look up one correlation of a metric."""
        wanted = (level, coefficient, peers)
        return next(
            found
            for found in self.correlations[metric]
            if (found.level, found.coefficient, found.peers) == wanted
        )

    def ranked(
        self, *, level: CorrelationLevel, coefficient: Coefficient, peers: Peers = "all"
    ) -> list[tuple[str, MetricCorrelation]]:
        """Order the metrics by a correlation, the greatest first, undefined ones last."""
        found = [
            (name, self.correlation(name, level=level, coefficient=coefficient, peers=peers))
            for name in self.correlations
        ]
        return sorted(found, key=lambda item: descending(item[1].value))


def descending(value: float) -> tuple[bool, float]:
    """Order correlations from the greatest to the smallest, undefined ones last.

    Examples
    --------
    >>> sorted([0.1, float("nan"), 0.3], key=descending)
    [0.3, 0.1, nan]
    """
    return (True, 0.0) if math.isnan(value) else (False, -value)
