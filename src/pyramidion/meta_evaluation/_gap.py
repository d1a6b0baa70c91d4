"""How far people are above a line through the machines."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from operator import attrgetter
from typing import Any, Literal

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.comparison.common import both_known, joined, known_means, ratios, require_known
from pyramidion.comparison.measure_tables import BestMetaInput, MetaTables, scope_name
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._agreement import VerdictOptions, judge_pairs
from pyramidion.meta_evaluation._result import named_metric
from pyramidion.questions import Options, option, question
from pyramidion.questions.common import confidence_option, resamples_option
from pyramidion.rendering.charts.curves import Panel, Series, panels_picture
from pyramidion.rendering.charts.picture import Picture
from pyramidion.rendering.charts.scatter import kind_legend, kind_points
from pyramidion.rendering.charts.style import VERMILLION
from pyramidion.rendering.labels import counted, short_name
from pyramidion.rendering.result import Chart, FiguresResult, signed
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data, shown
from pyramidion.stats import pearson
from pyramidion.stats.bootstrap import BootstrapMethod, interval_of_samples
from pyramidion.stats.pairs import (
    LARGE_BLOCK_VALUES,
    LeftOneOut,
    Weightings,
    Weights,
    blocks,
    multiply,
    shared_topics,
)

FitName = Literal["ols", "robust"]


@dataclass(frozen=True, slots=True)
class Fit:
    """A straight line."""

    intercept: float
    slope: float

    def at(self, x: Floats) -> Floats:
        """Return y at x."""
        return self.intercept + self.slope * x

    def reaches(self, y: float) -> float:
        """Return x at y; infinite if the line does not rise."""
        return (y - self.intercept) / self.slope if self.slope > 0 else math.inf


def center_by_machines(values: Floats, people: Bools) -> Floats:
    """Subtract the machines' mean on each topic, and add their mean over topics.

    Means over all topics do not change; those of systems that miss topics become comparable.
    """
    means = known_means(values[:, ~people], axis=1)
    defined_means = means[~np.isnan(means)]
    return values - (means - defined_means.mean())[:, None] if len(defined_means) else values


def fit_line(x: Floats, y: Floats, fit: FitName = "ols") -> Fit:
    """Fit y = intercept + slope x by least squares or robust regression."""
    if fit == "robust":
        from pyramidion.stats import robust_regression

        regression = robust_regression(x[:, None], y)
        return Fit(regression.intercept, float(regression.coefficients[0]))
    return Fit(
        *(
            float(coefficients[0])
            for coefficients in _least_squares(x[None], y[None], np.ones((1, len(x))))
        )
    )


def _least_squares(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Fit a line to each row of points; NaN if all x are the same."""
    total_weights = weights.sum(axis=1)
    mean_x, mean_y = ((weights * v).sum(axis=1) / total_weights for v in (x, y))
    deviations = x - mean_x[:, None]
    squares = (weights * deviations * deviations).sum(axis=1)
    products = (weights * deviations * (y - mean_y[:, None])).sum(axis=1)
    is_constant = squares <= 1e-24 * total_weights * np.abs(x).max(axis=1) ** 2
    slope = np.divide(products, squares, out=np.full(len(x), np.nan), where=~is_constant)
    return mean_y - slope * mean_x, slope


def gap_samples(x: Floats, y: Floats, people: Bools, options: "GapOptions") -> Floats:
    """Return the gaps of bootstrap samples of topics, machines and people.

    `x` and `y` are the metric and the human measure, topics x systems, NaN at the same cells.
    """
    rng, n_resamples = np.random.default_rng(options.seed), options.n_resamples
    topics, systems = x.shape
    weights = np.ones((n_resamples, systems))
    if options.over != "inputs":
        for mask in (~people, people):
            weights[:, mask] = _draw_counts(rng, n_resamples, int(mask.sum()))
    fixes_inputs = options.over == "systems"
    topic_draws = (
        np.ones((n_resamples, topics)) if fixes_inputs else _draw_counts(rng, n_resamples, topics)
    )
    return _weighted_gaps(x, y, people, topic_draws.T, weights, options.fit)


def gap_jackknife(x: Floats, y: Floats, people: Bools, options: "GapOptions") -> list[Floats]:
    """Return the gaps without each machine, person and topic, as far as they are resampled."""
    topics, systems = x.shape
    weightings: list[tuple[Weightings, Floats]] = []
    if options.over != "inputs":
        leave_one_out = [(1 - np.eye(systems))[mask] for mask in (~people, people)]
        weightings += [(np.ones((topics, len(weights))), weights) for weights in leave_one_out]
    if options.over != "systems":
        weightings.append((LeftOneOut(topics), np.ones((topics, systems))))
    return [_weighted_gaps(x, y, people, *weighting, options.fit) for weighting in weightings]


def _weighted_gaps(
    x: Floats, y: Floats, people: Bools, draws: Weightings, weights: Floats, fit: FitName
) -> Floats:
    """Return the gap for each column of draws (of topics) and row of weights (of systems)."""
    is_present = both_known(x, y)
    counts = multiply(is_present.T.astype(np.float64), draws).T
    sums = (multiply(np.where(is_present, v, 0.0).T, draws).T for v in (x, y))
    # Systems without a topic in a draw do not count.
    mean_x, mean_y = (total / np.maximum(counts, 1) for total in sums)
    system_weights = weights * (counts > 0)
    points = mean_x[:, ~people], mean_y[:, ~people], system_weights[:, ~people]
    if fit == "robust":
        from pyramidion.stats.regression import robust_lines

        intercept, slope = robust_lines(*_repeat_points(*points))
    else:
        intercept, slope = np.full((2, len(system_weights)), np.nan)
        has_line = (points[2] > 0).sum(axis=1) > 1
        intercept[has_line], slope[has_line] = _least_squares(
            *(column[has_line] for column in points)
        )
    residuals = mean_y[:, people] - intercept[:, None] - slope[:, None] * mean_x[:, people]
    return ratios(
        (system_weights[:, people] * residuals).sum(axis=1), system_weights[:, people].sum(axis=1)
    )


def _draw_counts(rng: np.random.Generator, size: int, items: int) -> Weights:
    """Count how often each item is drawn, one row per draw."""
    counts, shares = np.empty((size, items), np.float32), np.full(items, 1 / items)
    for rows in blocks(size, items, LARGE_BLOCK_VALUES):
        counts[rows] = rng.multinomial(items, shares, rows.stop - rows.start)
    return counts


def _repeat_points(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Repeat each point by its weight; rows are padded with NaN."""
    repeats = weights.astype(np.intp)
    sizes = repeats.sum(axis=1)
    rows = np.repeat(np.arange(len(x)), sizes)
    columns = np.concatenate([np.arange(size) for size in sizes.tolist()])
    resampled_columns = np.repeat(np.tile(np.arange(x.shape[1]), len(x)), repeats.ravel())
    points = np.full((2, len(x), int(sizes.max(initial=0))), np.nan)
    points[0, rows, columns], points[1, rows, columns] = (
        x[rows, resampled_columns],
        y[rows, resampled_columns],
    )
    return points[0], points[1]


Over = Literal["inputs", "systems", "both"]

_MIN_MACHINES = 3


@dataclass(frozen=True, slots=True)
class GapOptions(Options):
    """How the gap is measured."""

    fit: FitName = option(
        "ols", "Line fitted to the machines: ols (least squares) or robust (as MATLAB's robustfit)."
    )
    plain: bool = option(
        False,
        "Use plain means, as in the dissertation, without adjusting for topics on which people "
        "did not write.",
        flags=("--plain",),
    )
    over: Over = option(
        "both", "What is resampled for the interval: systems, inputs (topics) or both."
    )
    # Resampling topics adds noise to the metric's means, which flattens the line and biases the
    # gap: bca corrects for it, percentile does not.
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
    """Significant differences between a person and a machine."""

    pairs: int
    person_better: int
    machine_better: int


@dataclass(frozen=True, slots=True)
class HumanGap:
    """How far people are above the line of a metric through the machines."""

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
        """The metric's name, marked if its sign was reversed."""
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
        """The residual standard deviation of the machines."""
        residuals = np.array([point.residual for point in self.machines])
        if len(residuals) < _MIN_MACHINES:
            return math.nan
        return math.sqrt(float(residuals @ residuals) / (len(residuals) - 2))

    @property
    def standardized(self) -> float:
        """The gap in residual standard deviations."""
        return self.gap / self.spread if self.spread > 0 else math.nan


def human_gap(
    tables: MetaTables,
    metric: str,
    *,
    options: GapOptions | None = None,
    test: VerdictOptions | None = None,
) -> HumanGap:
    """Measure the gap of a metric, on summaries that have both scores."""
    require_known("metric", metric, tables.metrics)
    options, test = options or GapOptions(), test or VerdictOptions()
    has_both = both_known(tables.truth, tables.metrics[metric])
    truth, scores = (np.where(has_both, v, np.nan) for v in (tables.truth, tables.metrics[metric]))
    scored_systems = np.flatnonzero(has_both.any(axis=0))
    # Machines first.
    order = scored_systems[np.argsort(tables.people[scored_systems], kind="stable")]
    value_arrays = (
        v if options.plain else center_by_machines(v, tables.people) for v in (scores, truth)
    )
    metric_scores, manual_scores = (v[:, order] for v in value_arrays)
    x, y, is_human = known_means(metric_scores), known_means(manual_scores), tables.people[order]
    machine_means = x[~is_human], y[~is_human]
    undefined_reason = _undefined_reason(metric, machine_means[0], is_human)
    line = None if undefined_reason else fit_line(*machine_means, options.fit)
    residuals = np.full(len(x), np.nan) if line is None else y - line.at(x)
    names = [tables.systems[column] for column in order]
    columns = (
        column.tolist() for column in (np.where(is_human, "human", "machine"), x, y, residuals)
    )
    gap = low = high = math.nan
    if not undefined_reason:
        gap = float(np.mean(residuals[is_human]))
        interval = interval_of_samples(
            gap, gap_samples(metric_scores, manual_scores, is_human, options),
            lambda: gap_jackknife(metric_scores, manual_scores, is_human, options),
            method=options.method, confidence_level=options.confidence_level, quantiles="linear",
        ).interval  # fmt: skip
        low, high = interval.low, interval.high
    return HumanGap(
        metric, tables.human, tables.task, tables.collection, line,
        tuple(map(GapPoint, names, *columns)), gap, low, high,
        needed=math.nan if line is None else line.reaches(float(y[is_human].min())),
        correlation=math.nan if undefined_reason else pearson(*machine_means).value,
        by_metric=_significant_pairs(scores, tables.people, test),
        by_manual=_significant_pairs(truth, tables.people, test),
        negated=metric in tables.negated, options=options, test=test, undefined=undefined_reason,
        manual_negated=tables.human in tables.negated,
    )  # fmt: skip


def _undefined_reason(metric: str, x: Floats, people: Bools) -> str:
    """Return why there can be no line or no gap."""
    if not people.any():
        return "no person has both scores"
    if len(x) < _MIN_MACHINES:
        return f"{counted(len(x), 'machine')} with both scores, but a line needs {_MIN_MACHINES}"
    is_constant = np.ptp(x) <= 1e-12 * np.abs(x).max()
    return f"all machines have the same mean of {metric}" if is_constant else ""


def _significant_pairs(values: Floats, people: Bools, test: VerdictOptions) -> SignificantPairs:
    pairs = np.argwhere(people[:, None] & ~people)
    verdicts = judge_pairs(values, pairs[shared_topics(values, pairs) > 1], test)
    counts = (verdicts.defined, verdicts.signs > 0, verdicts.signs < 0)
    return SignificantPairs(*(int(mask.sum()) for mask in counts))


# A flat line is cut off at this multiple of the points' width beyond them.
_MAX_STRETCH = 2

_LINE_STYLE: dict[str, Any] = {"color": "ink", "linewidth": 1.0}
_RESIDUAL_STYLE: dict[str, Any] = {"color": VERMILLION, "linewidth": 0.5}


def gap_picture(gaps: Sequence[HumanGap]) -> Picture:
    """Draw system means, the line through the machines, and thin lines from people down to it.

    The line ends where it reaches the lowest person's manual score, but never before the last
    machine or far outside the plot.
    """
    if not (drawn_gaps := [gap for gap in gaps if gap.line is not None]):
        raise InputError("there is no gap to draw", hint="people and three machines are needed")
    scope = _gap_scope(drawn_gaps[0].named_manual, drawn_gaps[0])
    fit_names = {"ols": "least-squares fit", "robust": "robust fit"}
    line_text = (
        f"line: {fit_names[drawn_gaps[0].options.fit]} to the machines, extended down to the "
        "lowest person"
    )
    note = f"system means; {line_text}; gap: mean height of people above it"
    return panels_picture(
        list(map(_panel, drawn_gaps)),
        title=f"People above the machines' line: {scope}",
        note=f"{note}; {_REVERSED_NOTE}" if _any_sign_reversed(drawn_gaps) else note,
        panel_size=(2.7, 2.7),
        gap=(0.62, 0.85),
        legend=[
            *kind_legend(np.array([False, True])),
            {**_LINE_STYLE, "label": "line through the machines"},
            {**_RESIDUAL_STYLE, "label": "a person's gap"},
        ],
        ylabel=short_name(drawn_gaps[0].named_manual),
    )


_REVERSED_NOTE = "↓ lower is better, sign reversed"


def _any_sign_reversed(gaps: Sequence[HumanGap]) -> bool:
    return any(gap.negated or gap.manual_negated for gap in gaps)


def _panel(gap: HumanGap) -> Panel:
    assert gap.line is not None
    line_ends = np.array([min(point.metric for point in gap.machines), line_end(gap)])
    gap_lines = (
        ([person.metric] * 2, [person.manual - person.residual, person.manual])
        for person in gap.people
    )
    points = [(point.metric, point.manual, point.kind == "human") for point in gap.points]
    x, y, is_human = map(np.array, zip(*points, strict=True))
    return Panel(
        [
            *(Series(*gap_line, {**_RESIDUAL_STYLE, "zorder": 1}) for gap_line in gap_lines),
            Series(line_ends, gap.line.at(line_ends), {**_LINE_STYLE, "zorder": 2}),
            *kind_points(x, y, is_human),
        ],
        f"gap {gap.gap:.2f} [{gap.low:.2f}, {gap.high:.2f}]",
        size=8,
        scale={"xlabel": short_name(gap.named)},
    )


def line_end(gap: HumanGap) -> float:
    """Return where the line ends."""
    scores = [point.metric for point in gap.points]
    largest_score = max(point.metric for point in gap.machines)
    farthest_x = max(scores) + _MAX_STRETCH * (max(scores) - min(scores))
    return (
        min(max(gap.needed, largest_score), farthest_x)
        if math.isfinite(gap.needed)
        else largest_score
    )


_MAX_DRAWN_GAPS = 6
_PAIR_LABELS = ("person better", "machine better", "pairs")

GAP_VIEW: View[HumanGap] = View(
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
        *(shown(name, attrgetter(f"by_metric.{name.replace(' ', '_')}")) for name in _PAIR_LABELS),
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
    Figures 5.1 and 5.6. Significant differences between a person and a machine are counted.

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
    gap_groups = [measure_gaps(table, options, test) for table in tables]
    gaps = [gap for group in gap_groups for gap in group]
    undefined_gaps = [(_gap_scope(gap.metric, gap), gap.undefined) for gap in gaps if gap.undefined]
    if len(undefined_gaps) == len(gaps):
        first_gap = gaps[0]
        scope = _gap_scope(first_gap.manual, first_gap)
        message = f"{scope} and {first_gap.metric}: {first_gap.undefined}"
        raise InputError(message, hint="people and three machines with both scores are needed")
    signature = signed(
        f"gap({options.fit})", collection.data_hash, options.seed,
        human=joined(gap.manual for gap in gaps), exclude=joined(source.exclude),
        top=source.top or "",
        means="plain" if options.plain else "adjusted", over=options.over,
        interval=f"{options.method}-{options.confidence_level:g}", test=test.label,
        correction=test.effective_correction, alpha=f"{test.alpha:g}", n=options.n_resamples,
    )  # fmt: skip
    return FiguresResult(
        command="gap",
        signature=signature,
        values=gaps,
        record=GAP_VIEW.record,
        tables=[gap_table(group) for group in gap_groups],
        left_out=(
            *collection.left_out,
            *(f"{scope}: {reason}" for scope, reason in undefined_gaps),
        ),
        charts=[chart for group in gap_groups for chart in gap_charts(group)],
    )


def measure_gaps(tables: MetaTables, options: GapOptions, test: VerdictOptions) -> list[HumanGap]:
    """Measure the gap of each metric, the smallest standardized one first."""
    gaps = [human_gap(tables, name, options=options, test=test) for name in tables.metrics]
    return sorted(gaps, key=lambda gap: (bool(gap.undefined), abs(gap.standardized)))


def gap_table(gaps: Sequence[HumanGap]) -> Table:
    """Show the gap of each metric, and its significant differences."""
    first_gap, human_pairs = gaps[0], gaps[0].by_manual
    options, test = first_gap.options, first_gap.test
    correction_text = (
        "" if test.effective_correction == "none" else f", {test.effective_correction}"
    )
    note = (
        f"Gap: how far people's {first_gap.manual} lies above the machines' line, on average, "
        f"with a {options.confidence_level:.0%} interval; in SD: in residual standard deviations "
        "of the machines. Score needed: where the line reaches the lowest person. Better: "
        f"significantly, at {test.alpha:g} ({test.label}{correction_text})."
    )
    note += f" {_REVERSED_NOTE}." if _any_sign_reversed(gaps) else ""
    counts = (human_pairs.person_better, human_pairs.machine_better, human_pairs.pairs)
    title = f"People above the machines' line: {_gap_scope(first_gap.named_manual, first_gap)}"
    return GAP_VIEW.table(
        gaps, title, note, extra_rows=[(first_gap.named_manual, *[None] * 7, *counts)]
    )


def _gap_scope(name: str, gap: HumanGap) -> str:
    return scope_name(name, gap.task, gap.collection)


def gap_charts(gaps: Sequence[HumanGap]) -> Iterator[Chart]:
    """Draw the smallest gaps, if there are any."""
    caption = "System means, and the line through the machines only, as far as the lowest person."
    defined_gaps = [gap for gap in gaps if not gap.undefined][:_MAX_DRAWN_GAPS]
    for first_gap in defined_gaps[:1]:
        key = (first_gap.manual, first_gap.collection, first_gap.task)
        yield Chart("gap", partial(gap_picture, defined_gaps), caption, key)
