"""What is known of the gap between people and machines under a metric."""

import math
from dataclasses import dataclass
from typing import Literal

from pyramidion.evaluation.gap_fit import Fit, FitName
from pyramidion.evaluation.pair_verdicts import VerdictOptions
from pyramidion.stats.bootstrap import BootstrapMethod
from pyramidion.stats.inputs import choice

__all__ = ["GapOptions", "GapPoint", "HumanGap", "ToldApart"]

Over = Literal["inputs", "systems", "both"]


@dataclass(frozen=True, slots=True)
class GapOptions:
    """How the gap is measured.

    Parameters
    ----------
    fit
        ``ols``, or ``robust`` as MATLAB's robustfit.
    plain
        Whether means are plain averages over the topics that a system has, as in the
        dissertation. Otherwise what is easy or hard about a topic is taken out first, which
        makes a difference only for systems that miss topics, as people often do.
    over
        What is drawn for the interval: ``systems`` (machines and people apart), ``inputs``
        (topics) or ``both``.
    method
        Of the interval. Drawing topics adds noise to the metric's means, which flattens the
        line and moves the gap of every draw: ``bca`` corrects for it, ``percentile`` does not.
    confidence_level, n_resamples, seed
        Of the interval.

    Examples
    --------
    >>> GapOptions().fit
    'ols'
    """

    fit: FitName = "ols"
    plain: bool = False
    over: Over = "both"
    method: BootstrapMethod = "bca"
    confidence_level: float = 0.95
    n_resamples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        choice(self.fit, "fit", FitName)
        choice(self.over, "over", Over)
        choice(self.method, "method", BootstrapMethod)


@dataclass(frozen=True, slots=True)
class GapPoint:
    """A system's mean scores.

    Parameters
    ----------
    system, kind
        Who.
    metric, manual
        Its means.
    residual
        By how much the manual mean is above the machines' line.

    Examples
    --------
    >>> GapPoint("7", "machine", 0.1, 2.5, 0.2).residual
    0.2
    """

    system: str
    kind: str
    metric: float
    manual: float
    residual: float


@dataclass(frozen=True, slots=True)
class ToldApart:
    """Pairs of a person and a machine that a measure tells apart.

    Parameters
    ----------
    pairs
        How many pairs there are with two shared topics or more.
    person_better, machine_better
        How many differ significantly, by who is the better one.

    Examples
    --------
    >>> ToldApart(344, 300, 2).share.__round__(3)
    0.872
    """

    pairs: int
    person_better: int
    machine_better: int

    @property
    def share(self) -> float:
        """The share of pairs in which the person is significantly better."""
        return self.person_better / self.pairs if self.pairs else math.nan


@dataclass(frozen=True, slots=True)
class HumanGap:
    """How far people are above the line that a metric draws through the machines.

    Parameters
    ----------
    metric, manual, task, collection
        What was compared, and where.
    line
        The fit of manual on metric means over machines; None where there is none.
    points
        Every system with both means, machines first.
    gap, low, high
        The mean residual of people, with its interval.
    spread
        The standard deviation of the machines' residuals.
    needed
        The metric's score at which the line reaches the lowest person; infinite if it never
        does.
    correlation
        Pearson's r of the machines.
    by_metric, by_manual
        Pairs of a person and a machine told apart.
    turned
        Whether lower is better by the metric, so that its scores were multiplied by -1.
    options, test
        What was asked.
    undefined
        Why there is no gap; empty where there is one.
    """

    metric: str
    manual: str
    task: str
    collection: str
    line: Fit | None
    points: tuple[GapPoint, ...]
    gap: float
    low: float
    high: float
    spread: float
    needed: float
    correlation: float
    by_metric: ToldApart
    by_manual: ToldApart
    turned: bool
    options: GapOptions
    test: VerdictOptions
    undefined: str = ""

    @property
    def people(self) -> tuple[GapPoint, ...]:
        """The people among the points."""
        return tuple(point for point in self.points if point.kind == "human")

    @property
    def machines(self) -> tuple[GapPoint, ...]:
        """The machines among the points."""
        return tuple(point for point in self.points if point.kind == "machine")

    @property
    def standardised(self) -> float:
        """The gap in units of the machines' spread about the line."""
        return self.gap / self.spread if self.spread > 0 else math.nan
