"""The gap between people and machines that a metric does not see.

The manual scores of machines rise with those of a metric along a line; people's lie above it
(Figures 5.1 and 5.6 of the dissertation). How far above is the size of the gap.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion.errors import NotFoundError
from pyramidion.evaluation.gap_fit import Fit, FitName, centred, fit_line, gap_samples
from pyramidion.evaluation.meta.tables import MetaTables
from pyramidion.evaluation.pair_verdicts import VerdictOptions, judge_pairs
from pyramidion.evaluation.top_systems import system_means
from pyramidion.stats.bootstrap_intervals import percentile_interval
from pyramidion.stats.correlation import pearson
from pyramidion.stats.inputs import choice

__all__ = ["GapOptions", "GapPoint", "HumanGap", "ToldApart", "human_gap"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Over = Literal["inputs", "systems", "both"]

_FEWEST = 3


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
    confidence_level: float = 0.95
    n_resamples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        choice(self.fit, "fit", FitName)
        choice(self.over, "over", Over)


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


def human_gap(
    tables: MetaTables,
    metric: str,
    *,
    options: GapOptions | None = None,
    test: VerdictOptions | None = None,
) -> HumanGap:
    """Measure the gap between people and machines that a metric leaves.

    Only summaries that have both scores count, so that both means are over the same topics.

    Parameters
    ----------
    tables
        A human measure and metrics side by side.
    metric
        Which of them.
    options
        How the gap is measured.
    test
        How pairs of a person and a machine are told apart.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> metric = rng.normal(size=(30, 12)) / 9 + np.r_[np.arange(10) / 10, 0.8, 1.0]
    >>> manual = 2 + metric + rng.normal(size=(30, 12)) / 9 + np.r_[np.zeros(10), 1.5, 1.5]
    >>> tables = MetaTables("responsiveness", "", tuple(map(str, range(30))),
    ...                     tuple("0123456789AB"), np.arange(12) > 9, manual, {"m": metric})
    >>> found = human_gap(tables, "m")
    >>> round(found.gap, 1), found.low < 1.5 < found.high
    (1.5, True)
    >>> found.by_manual, found.by_metric
    (ToldApart(pairs=20, person_better=20, machine_better=0), ToldApart(pairs=20, ...))
    """
    if metric not in tables.metrics:
        there = ", ".join(tables.metrics)
        raise NotFoundError(f"there is no metric {metric!r}", hint=f"there are: {there}")
    options, test = options or GapOptions(), test or VerdictOptions()
    both = ~np.isnan(tables.truth) & ~np.isnan(tables.metrics[metric])
    truth, scores = (np.where(both, v, np.nan) for v in (tables.truth, tables.metrics[metric]))
    x, y = (v if options.plain else centred(v, tables.people) for v in (scores, truth))
    there = np.flatnonzero(both.any(axis=0))
    order = there[np.argsort(tables.people[there], kind="stable")]
    x, y, people = x[:, order], y[:, order], tables.people[order]
    undefined = _undefined(metric, system_means(x), people)
    line = (
        None
        if undefined
        else fit_line(system_means(x)[~people], system_means(y)[~people], options.fit)
    )
    points = _points(tables, order, system_means(x), system_means(y), line)
    gap, low, high = _interval(x, y, people, points, options, line)
    return HumanGap(
        metric=metric,
        manual=tables.human,
        task=tables.task,
        collection=tables.collection,
        line=line,
        points=points,
        gap=gap,
        low=low,
        high=high,
        spread=_spread(points),
        needed=_needed(line, points),
        correlation=math.nan
        if undefined
        else pearson(system_means(x)[~people], system_means(y)[~people]),
        by_metric=_told_apart(scores, tables.people, test),
        by_manual=_told_apart(truth, tables.people, test),
        turned=metric in tables.turned,
        options=options,
        test=test,
        undefined=undefined,
    )


def _undefined(metric: str, x: Floats, people: Bools) -> str:
    """Say why there can be no line or no gap."""
    machines = x[~people]
    if not people.any():
        return "no person has both scores"
    if len(machines) < _FEWEST:
        return f"{len(machines)} machines have both scores, and a line takes {_FEWEST}"
    if np.ptp(machines) <= 1e-12 * np.abs(machines).max():
        return f"all machines have the same mean of {metric}"
    return ""


def _points(
    tables: MetaTables, columns: npt.NDArray[np.intp], x: Floats, y: Floats, line: Fit | None
) -> tuple[GapPoint, ...]:
    above = np.full(len(x), np.nan) if line is None else y - line.at(x)
    return tuple(
        GapPoint(tables.systems[c], "human" if tables.people[c] else "machine", *numbers)
        for c, *numbers in zip(
            columns.tolist(), x.tolist(), y.tolist(), above.tolist(), strict=True
        )
    )


def _interval(
    x: Floats,
    y: Floats,
    people: Bools,
    points: tuple[GapPoint, ...],
    options: GapOptions,
    line: Fit | None,
) -> tuple[float, float, float]:
    if line is None:
        return math.nan, math.nan, math.nan
    gap = float(np.mean([point.residual for point in points if point.kind == "human"]))
    samples = gap_samples(
        x,
        y,
        people,
        fit=options.fit,
        over=options.over,
        n_resamples=options.n_resamples,
        seed=options.seed,
    )
    interval = percentile_interval(samples, confidence_level=options.confidence_level)
    return gap, interval.low, interval.high


def _spread(points: tuple[GapPoint, ...]) -> float:
    """Give the standard deviation of the machines' residuals, less the line's two numbers."""
    residuals = np.array([point.residual for point in points if point.kind == "machine"])
    return (
        math.sqrt(float(residuals @ residuals) / (len(residuals) - 2))
        if len(residuals) > 2
        else math.nan
    )


def _needed(line: Fit | None, points: tuple[GapPoint, ...]) -> float:
    if line is None:
        return math.nan
    lowest = min(point.manual for point in points if point.kind == "human")
    return (lowest - line.intercept) / line.slope if line.slope > 0 else math.inf


def _told_apart(values: Floats, people: Bools, test: VerdictOptions) -> ToldApart:
    first, second = np.flatnonzero(people), np.flatnonzero(~people)
    pairs = np.stack([np.repeat(first, len(second)), np.tile(second, len(first))], axis=1)
    shared = ~np.isnan(values)
    enough = (shared[:, pairs[:, 0]] & shared[:, pairs[:, 1]]).sum(axis=0) > 1
    verdicts = judge_pairs(values, pairs[enough], test)
    return ToldApart(
        pairs=int(verdicts.known.sum()),
        person_better=int((verdicts.signs > 0).sum()),
        machine_better=int((verdicts.signs < 0).sum()),
    )
