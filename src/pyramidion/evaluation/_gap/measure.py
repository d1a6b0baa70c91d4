"""The gap between people and machines that a metric does not see.

The manual scores of machines rise with those of a metric along a line; people's lie above it
(Figures 5.1 and 5.6 of the dissertation). How far above is the size of the gap.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection.questions import Options, option
from pyramidion.errors import NotFoundError
from pyramidion.evaluation._gap.fit import (
    Fit,
    FitName,
    centred,
    fit_line,
    gap_jackknife,
    gap_samples,
)
from pyramidion.evaluation._judged import MetaTables
from pyramidion.evaluation._pair_verdicts import VerdictOptions, judge_pairs
from pyramidion.evaluation._verdicts.study import system_means
from pyramidion.stats._bootstrap import BootstrapMethod, interval_of_samples
from pyramidion.stats._correlation import pearson

Over = Literal["inputs", "systems", "both"]

_FEWEST = 3


@dataclass(frozen=True, slots=True)
class GapOptions(Options):
    """How the gap is measured."""

    fit: FitName = option(
        "ols", "Line through the machines: ols (least squares) or robust (as MATLAB's robustfit)."
    )
    plain: bool = option(
        False, "Plain means, as in the dissertation, though people miss topics.", flags=("--plain",)
    )
    over: Over = option(
        "both", "What is drawn anew for the interval: systems, inputs (topics) or both."
    )
    # Drawing topics adds noise to the metric's means, which flattens the line and moves the gap
    # of every draw: bca corrects for it, percentile does not.
    method: BootstrapMethod = option("bca", "Interval: bca or percentile.", flags=("--interval",))
    draws: int = option(1000, "Number of draws for the interval.", least=1, most=1_000_000)
    seed: int = option(0, "Seed of the random numbers; the same seed repeats the result.", least=0)
    confidence_level: float = option(
        0.95, "Confidence level of the interval.", between=(0, 1), flags=("--confidence",)
    )


@dataclass(frozen=True, slots=True)
class GapPoint:
    """A system's mean scores."""

    system: str
    kind: str
    metric: float
    manual: float
    residual: float


@dataclass(frozen=True, slots=True)
class SignificantPairs:
    """Pairs of a person and a machine that a measure tells apart."""

    pairs: int
    person_better: int
    machine_better: int

    @property
    def share(self) -> float:
        """The share of pairs in which the person is significantly better."""
        return self.person_better / self.pairs if self.pairs else math.nan


@dataclass(frozen=True, slots=True)
class HumanGap:
    """How far people are above the line that a metric draws through the machines."""

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
    by_metric: SignificantPairs
    by_manual: SignificantPairs
    negated: bool
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
    """
    if metric not in tables.metrics:
        there = ", ".join(tables.metrics)
        raise NotFoundError(f"there is no metric {metric!r}", hint=f"there are: {there}")
    options, test = options or GapOptions(), test or VerdictOptions()
    both = ~np.isnan(tables.truth) & ~np.isnan(tables.metrics[metric])
    truth, scores = (np.where(both, v, np.nan) for v in (tables.truth, tables.metrics[metric]))
    plot = _Plot.of(tables, scores, truth, plain=options.plain)
    undefined = plot.undefined(metric)
    line = None if undefined else fit_line(*plot.machines, options.fit)
    points = plot.points(line)
    gap, low, high = (math.nan,) * 3 if undefined else _interval(plot, points, options)
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
        correlation=math.nan if undefined else pearson(*plot.machines).value,
        by_metric=_significant_pairs(scores, tables.people, test),
        by_manual=_significant_pairs(truth, tables.people, test),
        negated=metric in tables.negated,
        options=options,
        test=test,
        undefined=undefined,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Plot:
    """The systems that have both scores, machines first: topics x systems, and their means."""

    systems: tuple[str, ...]
    people: Bools
    metric: Floats
    manual: Floats
    x: Floats
    y: Floats

    @classmethod
    def of(cls, tables: MetaTables, scores: Floats, truth: Floats, *, plain: bool) -> "_Plot":
        there = np.flatnonzero(~np.isnan(truth).all(axis=0))
        order = there[np.argsort(tables.people[there], kind="stable")]
        x, y = (v if plain else centred(v, tables.people) for v in (scores, truth))
        x, y = x[:, order], y[:, order]
        systems = tuple(tables.systems[column] for column in order)
        return cls(systems, tables.people[order], x, y, system_means(x), system_means(y))

    @property
    def machines(self) -> tuple[Floats, Floats]:
        return self.x[~self.people], self.y[~self.people]

    def undefined(self, metric: str) -> str:
        """Say why there can be no line or no gap."""
        x, _ = self.machines
        if not self.people.any():
            return "no person has both scores"
        if len(x) < _FEWEST:
            many = "" if len(x) == 1 else "s"
            return f"{len(x)} machine{many} with both scores, and a line takes {_FEWEST}"
        if np.ptp(x) <= 1e-12 * np.abs(x).max():
            return f"all machines have the same mean of {metric}"
        return ""

    def points(self, line: Fit | None) -> tuple[GapPoint, ...]:
        above = np.full(len(self.x), np.nan) if line is None else self.y - line.at(self.x)
        kinds = np.where(self.people, "human", "machine").tolist()
        numbers = (self.x.tolist(), self.y.tolist(), above.tolist())
        return tuple(map(GapPoint, self.systems, kinds, *numbers))


def _interval(
    plot: _Plot, points: tuple[GapPoint, ...], options: GapOptions
) -> tuple[float, float, float]:
    gap = float(np.mean([point.residual for point in points if point.kind == "human"]))
    data = (plot.metric, plot.manual, plot.people)
    samples = gap_samples(
        *data,
        fit=options.fit,
        over=options.over,
        n_resamples=options.draws,
        seed=options.seed,
    )
    found = interval_of_samples(
        gap,
        samples,
        lambda: gap_jackknife(*data, fit=options.fit, over=options.over),
        method=options.method,
        confidence_level=options.confidence_level,
        quantiles="linear",
    )
    return gap, found.interval.low, found.interval.high


def _spread(points: tuple[GapPoint, ...]) -> float:
    """Give the standard deviation of the machines' residuals, less the line's two numbers."""
    residuals = np.array([point.residual for point in points if point.kind == "machine"])
    if len(residuals) < _FEWEST:
        return math.nan
    return math.sqrt(float(residuals @ residuals) / (len(residuals) - 2))


def _needed(line: Fit | None, points: tuple[GapPoint, ...]) -> float:
    if line is None:
        return math.nan
    lowest = min(point.manual for point in points if point.kind == "human")
    return (lowest - line.intercept) / line.slope if line.slope > 0 else math.inf


def _significant_pairs(values: Floats, people: Bools, test: VerdictOptions) -> SignificantPairs:
    first, second = np.flatnonzero(people), np.flatnonzero(~people)
    pairs = np.stack([np.repeat(first, len(second)), np.tile(second, len(first))], axis=1)
    shared = ~np.isnan(values)
    enough = (shared[:, pairs[:, 0]] & shared[:, pairs[:, 1]]).sum(axis=0) > 1
    verdicts = judge_pairs(values, pairs[enough], test)
    return SignificantPairs(
        pairs=int(verdicts.known.sum()),
        person_better=int((verdicts.signs > 0).sum()),
        machine_better=int((verdicts.signs < 0).sum()),
    )
