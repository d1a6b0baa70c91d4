"""How far people are above a line through the machines."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.comparison.common import both_known, joined, known_means, ratios, require_known
from pyramidion.comparison.measure_tables import BestMetaInput, MetaTables, place_name
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._agreement import VerdictOptions, judge_pairs
from pyramidion.meta_evaluation._result import named_metric
from pyramidion.questions import Options, option, question
from pyramidion.questions.common import confidence_option, resamples_option
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.scatter import kind_legend, kind_points
from pyramidion.rendering.charts.style import INK, VERMILLION
from pyramidion.rendering.labels import counted, short_name
from pyramidion.rendering.result import Chart, FiguresResult, signed
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data, shown
from pyramidion.stats import pearson
from pyramidion.stats.bootstrap import BootstrapMethod, interval_of_samples
from pyramidion.stats.pairs import (
    LARGE_BLOCK,
    LeftOneOut,
    Weightings,
    Weights,
    blocks,
    multiply,
    shared_topics,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FitName = Literal["ols", "robust"]


@dataclass(frozen=True, slots=True)
class Fit:
    """A straight line."""

    intercept: float
    slope: float

    def at(self, x: Floats) -> Floats:
        """Return the line's height at some places."""
        return self.intercept + self.slope * x

    def reaches(self, y: float) -> float:
        """Return where the line has a height; nowhere if it does not rise."""
        return (y - self.intercept) / self.slope if self.slope > 0 else math.inf


def centered(values: Floats, people: Bools) -> Floats:
    """Take out how high machines score on each topic, and put their mean over topics back.

    Means over all topics stay as they are; those of a system that misses topics become
    comparable.
    """
    means = known_means(values[:, ~people], axis=1)
    known = means[~np.isnan(means)]
    return values - (means - known.mean())[:, None] if len(known) else values


def fit_line(x: Floats, y: Floats, fit: FitName = "ols") -> Fit:
    """Fit y = intercept + slope x: least squares, or with less weight for points far out."""
    if fit == "robust":
        from pyramidion.stats import robust_regression

        found = robust_regression(x[:, None], y)
        return Fit(found.intercept, float(found.coefficients[0]))
    return Fit(*(float(own[0]) for own in _least_squares(x[None], y[None], np.ones((1, len(x))))))


def _least_squares(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Fit a line to each row of points; NaN where all x are the same."""
    total = weights.sum(axis=1)
    mean_x, mean_y = ((weights * v).sum(axis=1) / total for v in (x, y))
    away = x - mean_x[:, None]
    squares = (weights * away * away).sum(axis=1)
    products = (weights * away * (y - mean_y[:, None])).sum(axis=1)
    flat = squares <= 1e-24 * total * np.abs(x).max(axis=1) ** 2
    slope = np.divide(products, squares, out=np.full(len(x), np.nan), where=~flat)
    return mean_y - slope * mean_x, slope


def gap_samples(x: Floats, y: Floats, people: Bools, options: "GapOptions") -> Floats:
    """Draw topics, machines and people with replacement, and give the gap of each draw.

    `x` and `y` are the metric and the human measure, topics x systems, NaN where missing in both.
    """
    rng, times = np.random.default_rng(options.seed), options.n_resamples
    topics, systems = x.shape
    weights = np.ones((times, systems))
    if options.over != "inputs":
        for group in (~people, people):
            weights[:, group] = _drawn(rng, times, int(group.sum()))
    fixed = options.over == "systems"
    draws = np.ones((times, topics)) if fixed else _drawn(rng, times, topics)
    return _weighted_gaps(x, y, people, draws.T, weights, options.fit)


def gap_jackknife(x: Floats, y: Floats, people: Bools, options: "GapOptions") -> list[Floats]:
    """Return the gap without each machine, without each person, and without each topic in turn.

    What is not drawn is not left out either.
    """
    topics, systems = x.shape
    kept: list[tuple[Weightings, Floats]] = []
    if options.over != "inputs":
        without = [(1 - np.eye(systems))[group] for group in (~people, people)]
        kept += [(np.ones((topics, len(weights))), weights) for weights in without]
    if options.over != "systems":
        kept.append((LeftOneOut(topics), np.ones((topics, systems))))
    return [_weighted_gaps(x, y, people, *own, options.fit) for own in kept]


def _weighted_gaps(
    x: Floats, y: Floats, people: Bools, draws: Weightings, weights: Floats, fit: FitName
) -> Floats:
    """Return the gap for each column of draws (of topics) and row of weights (of systems)."""
    present = both_known(x, y)
    counts = multiply(present.T.astype(np.float64), draws).T
    sums = (multiply(np.where(present, v, 0.0).T, draws).T for v in (x, y))
    # A system without a topic in a draw does not count there.
    mean_x, mean_y = (total / np.maximum(counts, 1) for total in sums)
    times = weights * (counts > 0)
    points = mean_x[:, ~people], mean_y[:, ~people], times[:, ~people]
    if fit == "robust":
        from pyramidion.stats.regression import robust_lines

        intercept, slope = robust_lines(*_repeated(*points))
    else:
        intercept, slope = np.full((2, len(times)), np.nan)
        rows = (points[2] > 0).sum(axis=1) > 1
        intercept[rows], slope[rows] = _least_squares(*(own[rows] for own in points))
    above = mean_y[:, people] - intercept[:, None] - slope[:, None] * mean_x[:, people]
    return ratios((times[:, people] * above).sum(axis=1), times[:, people].sum(axis=1))


def _drawn(rng: np.random.Generator, size: int, items: int) -> Weights:
    """Count how often each item is drawn, one row per draw."""
    counts, shares = np.empty((size, items), np.float32), np.full(items, 1 / items)
    for rows in blocks(size, items, LARGE_BLOCK):
        counts[rows] = rng.multinomial(items, shares, rows.stop - rows.start)
    return counts


def _repeated(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Write each point as often as it counts, rows filled up with NaN."""
    times = weights.astype(np.intp)
    sizes = times.sum(axis=1)
    rows = np.repeat(np.arange(len(x)), sizes)
    columns = np.concatenate([np.arange(size) for size in sizes.tolist()])
    chosen = np.repeat(np.tile(np.arange(x.shape[1]), len(x)), times.ravel())
    points = np.full((2, len(x), int(sizes.max(initial=0))), np.nan)
    points[0, rows, columns], points[1, rows, columns] = x[rows, chosen], y[rows, chosen]
    return points[0], points[1]


Over = Literal["inputs", "systems", "both"]

_FEWEST = 3


@dataclass(frozen=True, slots=True)
class GapOptions(Options):
    """How the gap is measured."""

    fit: FitName = option(
        "ols", "Line fitted to the machines: ols (least squares) or robust (as MATLAB's robustfit)."
    )
    plain: bool = option(
        False,
        "Use plain means, as in the dissertation, without adjusting for topics that people"
        " did not write on.",
        flags=("--plain",),
    )
    over: Over = option(
        "both", "What is resampled for the interval: systems, inputs (topics) or both."
    )
    # Drawing topics adds noise to the metric's means, which flattens the line and moves the gap
    # of every draw: bca corrects for it, percentile does not.
    method: BootstrapMethod = option(
        "bca", "Bootstrap interval: bca or percentile.", flags=("--interval",)
    )
    n_resamples: int = resamples_option(1000, "Number of bootstrap resamples for the interval.")
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    confidence_level: float = confidence_option("Confidence level of the interval.")


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
    needed: float
    correlation: float
    by_metric: SignificantPairs
    by_manual: SignificantPairs
    negated: bool
    options: GapOptions
    test: VerdictOptions
    undefined: str = ""
    manual_negated: bool = False

    @property
    def named(self) -> str:
        """The metric's name, marked where its sign was turned, since lower is better."""
        return named_metric(self.metric, (self.metric,) * self.negated)

    @property
    def named_manual(self) -> str:
        """The human measure's name, marked likewise."""
        return named_metric(self.manual, (self.manual,) * self.manual_negated)

    @property
    def people(self) -> tuple[GapPoint, ...]:
        """The people among the points."""
        return tuple(point for point in self.points if point.kind == "human")

    @property
    def machines(self) -> tuple[GapPoint, ...]:
        """The machines among the points."""
        return tuple(point for point in self.points if point.kind == "machine")

    @property
    def spread(self) -> float:
        """The standard deviation of the machines' residuals, less the line's two numbers."""
        residuals = np.array([point.residual for point in self.machines])
        if len(residuals) < _FEWEST:
            return math.nan
        return math.sqrt(float(residuals @ residuals) / (len(residuals) - 2))

    @property
    def standardized(self) -> float:
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
    require_known("metric", metric, tables.metrics)
    options, test = options or GapOptions(), test or VerdictOptions()
    both = both_known(tables.truth, tables.metrics[metric])
    truth, scores = (np.where(both, v, np.nan) for v in (tables.truth, tables.metrics[metric]))
    scored = np.flatnonzero(both.any(axis=0))
    # Machines first.
    order = scored[np.argsort(tables.people[scored], kind="stable")]
    shown = (v if options.plain else centered(v, tables.people) for v in (scores, truth))
    metrics, manuals = (v[:, order] for v in shown)
    x, y, people = known_means(metrics), known_means(manuals), tables.people[order]
    machines = x[~people], y[~people]
    undefined = _undefined(metric, machines[0], people)
    line = None if undefined else fit_line(*machines, options.fit)
    above = np.full(len(x), np.nan) if line is None else y - line.at(x)
    names = [tables.systems[column] for column in order]
    columns = (own.tolist() for own in (np.where(people, "human", "machine"), x, y, above))
    gap = low = high = math.nan
    if not undefined:
        gap = float(np.mean(above[people]))
        found = interval_of_samples(
            gap, gap_samples(metrics, manuals, people, options),
            lambda: gap_jackknife(metrics, manuals, people, options),
            method=options.method, confidence_level=options.confidence_level, quantiles="linear",
        ).interval  # fmt: skip
        low, high = found.low, found.high
    return HumanGap(
        metric, tables.human, tables.task, tables.collection, line,
        tuple(map(GapPoint, names, *columns)), gap, low, high,
        needed=math.nan if line is None else line.reaches(float(y[people].min())),
        correlation=math.nan if undefined else pearson(*machines).value,
        by_metric=_significant_pairs(scores, tables.people, test),
        by_manual=_significant_pairs(truth, tables.people, test),
        negated=metric in tables.negated, options=options, test=test, undefined=undefined,
        manual_negated=tables.human in tables.negated,
    )  # fmt: skip


def _undefined(metric: str, x: Floats, people: Bools) -> str:
    """Say why there can be no line or no gap."""
    if not people.any():
        return "no person has both scores"
    if len(x) < _FEWEST:
        return f"{counted(len(x), 'machine')} with both scores, and a line takes {_FEWEST}"
    flat = np.ptp(x) <= 1e-12 * np.abs(x).max()
    return f"all machines have the same mean of {metric}" if flat else ""


def _significant_pairs(values: Floats, people: Bools, test: VerdictOptions) -> SignificantPairs:
    pairs = np.argwhere(people[:, None] & ~people)
    verdicts = judge_pairs(values, pairs[shared_topics(values, pairs) > 1], test)
    counts = (verdicts.known, verdicts.signs > 0, verdicts.signs < 0)
    return SignificantPairs(*(int(own.sum()) for own in counts))


# A line that hardly rises is cut off so many times the width of the points away from them.
_FAR = 2

_LINE: dict[str, Any] = {"color": INK, "linewidth": 1.0}
_RESIDUAL: dict[str, Any] = {"color": VERMILLION, "linewidth": 0.7, "linestyle": ":"}


def gap_figure(gaps: Sequence[HumanGap]) -> "Figure":
    """Draw system means, and the line through the machines as far as the lowest person.

    A dotted line leads from each person down to where the line would be: their mean length is
    the gap. The line ends where it reaches the lowest person's manual score, but never before
    the last machine and never far outside the plot.
    """
    if not (drawn := [gap for gap in gaps if gap.line is not None]):
        raise InputError("there is no gap to draw", hint="people and three machines are needed")
    where = _where(drawn[0].named_manual, drawn[0])
    fits = {"ols": "least squares", "robust": "robust regression"}
    line = f"{fits[drawn[0].options.fit]} over machines, drawn to the lowest person"
    note = f"system means; {line}; gap: mean height of people above it"
    return panels_figure(
        list(map(_panel, drawn)),
        title=f"People above the machines' line: {where}",
        note=f"{note}; {_TURNED}" if _any_turned(drawn) else note,
        side=(2.7, 2.7),
        gap=(0.62, 0.85),
        legend=[
            *kind_legend(np.array([False, True])),
            {**_LINE, "label": "line through the machines"},
            {**_RESIDUAL, "label": "a person's gap"},
        ],
        ylabel=short_name(drawn[0].named_manual),
    )


_TURNED = "↓ lower is better, sign reversed"


def _any_turned(gaps: Sequence[HumanGap]) -> bool:
    return any(gap.negated or gap.manual_negated for gap in gaps)


def _panel(gap: HumanGap) -> Panel:
    assert gap.line is not None
    ends = np.array([min(point.metric for point in gap.machines), line_end(gap)])
    gaps = (([one.metric] * 2, [one.manual - one.residual, one.manual]) for one in gap.people)
    points = [(one.metric, one.manual, one.kind == "human") for one in gap.points]
    x, y, human = map(np.array, zip(*points, strict=True))
    return Panel(
        [
            *(Series(*one, {**_RESIDUAL, "zorder": 1}) for one in gaps),
            Series(ends, gap.line.at(ends), {**_LINE, "zorder": 2}),
            *kind_points(x, y, human),
        ],
        f"gap {gap.gap:.2f} [{gap.low:.2f}, {gap.high:.2f}]",
        size=8,
        scale={"xlabel": short_name(gap.named)},
        margins={"x": 0.06, "y": 0.06},
        ticks={"nbins": 6},
    )


def line_end(gap: HumanGap) -> float:
    """Return where the line ends: at the lowest person, unless that is far off."""
    scores = [point.metric for point in gap.points]
    last = max(point.metric for point in gap.machines)
    farthest = max(scores) + _FAR * (max(scores) - min(scores))
    return min(max(gap.needed, last), farthest) if math.isfinite(gap.needed) else last


_MOST_DRAWN = 6
_BETTER = ("person better", "machine better", "pairs")

GAP: View[HumanGap] = View(
    "gaps",
    (
        data("human", lambda gap: gap.manual),
        Column("metric", "metric", show=lambda gap: gap.named),
        *columns(task="", collection="", gap="gap", low="low", high="high"),
        Column("standardized", "gap in SD"),
        *columns(fit="", of="options"),
        data("intercept", lambda gap: gap.line and gap.line.intercept),
        Column("slope", "slope", lambda gap: gap.line and gap.line.slope),
        *columns(spread="", correlation="r of machines"),
        Column(
            "score_needed", "score needed", lambda gap: gap.needed,
            lambda gap: "never" if gap.needed == float("inf") else gap.needed,
        ),
        data("lower_is_better", lambda gap: gap.negated),
        data("human_lower_is_better", lambda gap: gap.manual_negated),
        data(
            "human_machine",
            lambda gap: {"metric": asdict(gap.by_metric), "human": asdict(gap.by_manual)},
        ),
        data("undefined"),
        data("systems", lambda gap: [asdict(point) for point in gap.points]),
        *(shown(name, attrgetter(f"by_metric.{name.replace(' ', '_')}")) for name in _BETTER),
    ),
    digits=3,
    key=("human", "collection", "task"),
)  # fmt: skip


@question
def gap(
    source: BestMetaInput, options: GapOptions, test: VerdictOptions
) -> FiguresResult[HumanGap]:
    """Measure how far people score above what a metric predicts from machines.

    A line is fitted to the machines' means and compared with people's, as in the dissertation's
    Figures 5.1 and 5.6. Pairs of a person and a machine that differ significantly are counted.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     (f"T{topic}", system, "human" if system > 7 else "machine", measure,
    ...      system + (3 if measure == "overall" and system > 7 else 0) + rng.normal())
    ...     for topic in range(12) for system in range(10) for measure in ("overall", "metric")
    ... ]
    >>> frame = pd.DataFrame(rows, columns=["topic", "system", "kind", "measure", "value"])
    >>> result = gap(frame, human="overall")
    >>> round(result[0].gap)
    3
    """
    collection, tables = source.read()
    groups = [gaps_of(one, options, test) for one in tables]
    every = [gap for group in groups for gap in group]
    undefined = [(_where(gap.metric, gap), gap.undefined) for gap in every if gap.undefined]
    if len(undefined) == len(every):
        first = every[0]
        what = f"{_where(first.manual, first)} and {first.metric}: {first.undefined}"
        raise InputError(what, hint="a gap takes people and three machines with scores of both")
    signature = signed(
        f"gap({options.fit})", collection.data_hash, options.seed,
        human=joined(gap.manual for gap in every), exclude=joined(source.exclude),
        top=source.top or "",
        means="plain" if options.plain else "adjusted", over=options.over,
        interval=f"{options.method}-{options.confidence_level:g}", test=test.label,
        correction=test.effective_correction, alpha=f"{test.alpha:g}", n=options.n_resamples,
    )  # fmt: skip
    return FiguresResult(
        command="gap",
        signature=signature,
        values=every,
        record=GAP.record,
        tables=[gap_table(group) for group in groups],
        left_out=(*collection.left_out, *(f"{where}: {why}" for where, why in undefined)),
        charts=[chart for group in groups for chart in gap_charts(group)],
    )


def gaps_of(tables: MetaTables, options: GapOptions, test: VerdictOptions) -> list[HumanGap]:
    """Measure the gap that each metric leaves, the smallest in units of spread first."""
    found = [human_gap(tables, name, options=options, test=test) for name in tables.metrics]
    return sorted(found, key=lambda gap: (bool(gap.undefined), abs(gap.standardized)))


def gap_table(gaps: Sequence[HumanGap]) -> Table:
    """Show the gap that each metric leaves, and how many pairs it tells apart."""
    first, by_people = gaps[0], gaps[0].by_manual
    options, test = first.options, first.test
    corrected = "" if test.effective_correction == "none" else f", {test.effective_correction}"
    note = (
        f"Gap: how far people's {first.manual} is above the machines' line, on average, with a "
        f"{options.confidence_level:.0%} interval; in SD: in standard deviations of the machines "
        "about the line. Score needed: where the line reaches the lowest person. Better: of pairs "
        f"that differ significantly at {test.alpha:g} ({test.label}{corrected})."
    )
    note += f" {_TURNED}." if _any_turned(gaps) else ""
    counts = (by_people.person_better, by_people.machine_better, by_people.pairs)
    title = f"People above the machines' line: {_where(first.named_manual, first)}"
    return GAP.table(gaps, title, note, more=[(first.named_manual, *[None] * 7, *counts)])


def _where(name: str, gap: HumanGap) -> str:
    return place_name(name, gap.task, gap.collection)


def gap_charts(gaps: Sequence[HumanGap]) -> Iterator[Chart]:
    """Draw the smallest gaps, if there are any."""
    caption = "System means, and the line through the machines only, as far as the lowest person."
    drawn = [gap for gap in gaps if not gap.undefined][:_MOST_DRAWN]
    for first in drawn[:1]:
        about = (first.manual, first.collection, first.task)
        yield Chart("gap", partial(gap_figure, drawn), caption, about)
