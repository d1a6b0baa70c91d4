"""How many topics an evaluation needs, from a pilot's scores: the question and its pictures."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.collection import ScoreMatrix
from pyramidion.collection._options import option
from pyramidion.collection._questions import Options, question
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import Measured
from pyramidion.report.charts.curves import Panel, Series, panels_figure
from pyramidion.report.charts.layout import PAD, Space
from pyramidion.report.charts.style import BLACK, BLUE, GREY, VERMILLION
from pyramidion.report.labels import counted, figure_stem, headed
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Cell, Table
from pyramidion.report.view import Column, View, data
from pyramidion.stats._inputs import share
from pyramidion.stats._power import (
    PlannedTest,
    PowerCurve,
    PowerTest,
    RequiredTopics,
    frequencies,
    power_curve,
    required_topics,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHARES = (0.25, 0.5, 0.75, 0.9, 1.0)

# Power curves are for judgments on a scale; a metric's scores are nearly all different.
_MOST_VALUES = 50

_PANELS = (("calibrated", "cutoffs calibrated at t = 0"), ("nominal", "nominal cutoffs"))
_LEVEL: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": ":"}
_NAMES: dict[PowerTest, str] = {
    "w": "signed-rank W",
    "t": "paired t",
    "welch": "unpaired t (Welch)",
}

#: Color, mark, its size and filling: curves that coincide are seen inside each other.
_LOOKS = ((BLUE, "o", 8.5, "none"), (VERMILLION, "s", 5.5, "none"), (BLACK, "o", 2.5, BLACK))


@dataclass(frozen=True, slots=True)
class PowerOptions(Options):
    """What an evaluation is planned for."""

    power: float = option(0.8, "Desired power of the test.", between=(0, 1))
    alpha: float = option(0.05, "Significance level of the tests.", between=(0, 1))
    test: PlannedTest = option("paired-t", "Test to plan for: paired-t, wilcoxon or unpaired-t.")
    most: int = option(1000, "Maximum number of topics to consider.", most=100_000)
    n_resamples: int = option(
        1000, "Number of resamples for each number of topics considered.",
        flags=("--resamples",), least=1, most=1_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", least=0)


@dataclass(frozen=True, slots=True)
class PlannedPair:
    """Two systems of a pilot: how much they differ, and how many topics would show it."""

    a: str
    b: str
    n: int
    difference: float
    pilot_power: float
    topics: float
    most: int


@dataclass(frozen=True, slots=True)
class PowerPlan:
    """How many topics it takes to tell the systems of a pilot apart.

    Parameters
    ----------
    matrix, plan
        The pilot's scores, and what `pyramidion.stats.required_topics` found.
    """

    matrix: ScoreMatrix
    plan: RequiredTopics

    @property
    def topics(self) -> dict[float, float]:
        """The topics with which a share of the pairs has the wanted power; may be infinite."""
        return {part: self.plan.for_share(part) for part in _SHARES}

    @property
    def pairs(self) -> list[PlannedPair]:
        """Each pair of systems."""
        plan, systems = self.plan, self.matrix.systems
        first, second = plan.pairs.T.tolist()
        return list(
            map(
                PlannedPair,
                [systems[a] for a in first],
                [systems[b] for b in second],
                plan.pilot.tolist(),
                plan.difference.tolist(),
                plan.pilot_power.tolist(),
                plan.topics.tolist(),
                repeat(plan.most),
            )
        )


PAIR: View[PlannedPair] = View(
    "pairs",
    (
        Column("a", "a"),
        Column("b", "b"),
        Column("n", "pilot topics"),
        Column("difference", "difference"),
        Column("pilot_power", "power of the pilot"),
        Column("topics", "topics needed", show=lambda pair: _shown(pair.topics, pair.most)),
        data("beyond_most", lambda pair: math.isinf(pair.topics)),
    ),
    digits=3,
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PowerPlans(Result[PowerPlan]):
    """Plans for each task and measure; `undrawn` says which have no power curve, and why."""

    undrawn: tuple[str, ...] = ()


@question
def power(source: Measured, options: PowerOptions) -> PowerPlans:
    """Plan an evaluation: how many topics are needed, given the scores of a pilot.

    Where a measure has scores of people and of machines on a scale, there are power curves, too:
    how often each test tells a blend of machine and human scores from machines'.

    Examples
    --------
    >>> import pandas as pd
    >>> pilot = pd.DataFrame({"x": [1, 2, 1, 2, 1, 3], "y": [2, 4, 3, 2, 1, 5]})
    >>> plan = power(pilot, n_resamples=200)[0]
    >>> 4 < plan.topics[1.0] < 20
    True
    """
    collection, matrices, left_out = source.read()
    planned = [PowerPlan(matrix, _plan(matrix, options)) for matrix in matrices]
    drawn = [matrix for matrix in matrices if _has_curve(matrix)]
    undrawn = (figure_stem(m.measure, m.task) for m in matrices if not _has_curve(m))
    return PowerPlans(
        command="power",
        signature=signed(
            f"power({options.test})", collection.data_hash, options.seed,
            exclude="+".join(source.exclude),
            power=f"{options.power:g}", alpha=f"{options.alpha:g}", most=options.most,
            n=options.n_resamples,
        ),
        values=planned,
        record=_record,
        tables=[_shares_table(planned), *map(_pairs_table, planned)],
        left_out=(*left_out, *_left_out(planned)),
        charts=[
            Chart("power", partial(_curve_figure, one, options), about=(one.measure, one.task))
            for one in drawn
        ],
        undrawn=tuple(
            f"power curve of {name}: it needs people, machines and few values" for name in undrawn
        ),
    )  # fmt: skip


def _plan(matrix: ScoreMatrix, options: PowerOptions) -> RequiredTopics:
    if len(matrix.systems) < 2 or len(matrix.topics) < 2:
        raise InputError(
            f"{matrix.measure} has {counted(len(matrix.topics), 'topic')} and "
            f"{counted(len(matrix.systems), 'system')}",
            hint="a pilot needs two of each",
        )
    return required_topics(
        matrix.values,
        power=options.power,
        alpha=options.alpha,
        test=options.test,
        most=options.most,
        n_resamples=options.n_resamples,
        rng=options.seed,
    )


def _shown(topics: float, most: int) -> str:
    if math.isnan(topics):
        return "–"
    return f"over {most:,}" if math.isinf(topics) else str(int(topics))


def _shares_table(planned: Sequence[PowerPlan]) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.matrix.task or "–",
            one.matrix.measure,
            len(one.matrix.topics),
            len(one.plan.pairs),
            *(_shown(topics, one.plan.most) for topics in one.topics.values()),
        )
        for one in planned
    )
    columns = ("task", "measure", "pilot topics", "pairs", *(f"{p:.0%} of pairs" for p in _SHARES))
    note = (
        "Topics with which that share of the pairs would be found significantly different with the "
        "desired power, if "
        "the pilot's differences are the true ones; those of a small pilot are rough."
    )
    return Table(columns, rows, title="Topics needed", note=note, name="topics")


def _pairs_table(one: PowerPlan) -> Table:
    task = f", task {one.matrix.task}" if one.matrix.task else ""
    return PAIR.table(one.pairs, f"Pairs by {one.matrix.measure}{task}")


def _record(one: PowerPlan) -> dict[str, Any]:
    return {
        "measure": one.matrix.measure,
        "task": one.matrix.task,
        **{name: getattr(one.plan, name) for name in ("test", "power", "alpha", "most")},
        "topics": {f"{part:g}": topics for part, topics in one.topics.items()},
        "comparisons": PAIR.records(one.pairs),
    }


def _left_out(planned: Sequence[PowerPlan]) -> Iterator[str]:
    for one in planned:
        if len(_scale(one.matrix)) == 1:
            yield f"{one.matrix.measure}: all scores are equal, so nothing can be planned"
        unknown = int(np.isnan(one.plan.topics).sum())
        if unknown:
            yield f"{one.matrix.measure}: {unknown} pairs that share fewer than two topics"


def _scale(matrix: ScoreMatrix) -> Any:
    return np.unique(matrix.values[~np.isnan(matrix.values)])


def _has_curve(matrix: ScoreMatrix) -> bool:
    """Tell whether people and machines have scores on a scale of few values."""
    both = matrix.human.any() and not matrix.human.all()
    return bool(both and 2 <= len(_scale(matrix)) <= _MOST_VALUES)


def _curve_figure(matrix: ScoreMatrix, options: PowerOptions) -> "Figure":
    values = _scale(matrix)
    curve = power_curve(
        frequencies(matrix.machines().values, values),
        frequencies(matrix.values[:, matrix.human], values),
        values=values,
        confidence_level=1 - options.alpha,
        rng=options.seed,
    )
    return power_figure(curve, alpha=options.alpha, measure=matrix.measure, task=matrix.task)


def power_figure(
    curve: PowerCurve, *, alpha: float = 0.05, measure: str = "", task: str = "", note: str = ""
) -> "Figure":
    """Draw power against t, with cutoffs calibrated at t = 0 and with nominal ones."""
    share(alpha, "alpha")
    lines = [_line(name, look) for name, look in zip(curve.tests, _LOOKS, strict=True)]
    return panels_figure(
        [_panel(curve, part, heading, lines, alpha) for part, heading in _PANELS],
        title=headed("Power of tests", measure, task),
        note="; ".join(part for part in (_note(curve), f"α = {alpha:g}", note) if part),
        side=(3.1, 2.6),
        gap=(0.35, 0),
        space=Space(left=PAD + 0.6, right=PAD + 0.1, above=0.35),
        legend=[*lines, {**_LEVEL, "label": f"α = {alpha:g}"}],
        ylabel="power",
        one_scale=True,
    )


def _note(curve: PowerCurve) -> str:
    samples = f"{counted(curve.n_resamples, 'sample')} a point, {curve.n_null:,} at t = 0"
    return f"{counted(curve.topics, 'topic')}; {samples}"


def _panel(
    curve: PowerCurve, part: str, heading: str, lines: Sequence[dict[str, Any]], alpha: float
) -> Panel:
    order = np.argsort(curve.t)
    tests = zip(curve.tests.values(), lines, strict=True)
    return Panel(
        [
            Series(curve.t[order], getattr(test, part)[order], {**line, "clip_on": False})
            for test, line in tests
        ],
        heading,
        scale={"xlabel": "t, from machines (0) to people (1)", "ylim": (0, 1)},
        margins={"x": 0.04},
        more=lambda axes: axes.axhline(alpha, **_LEVEL),
    )


def _line(name: PowerTest, look: tuple[str, str, float, str]) -> dict[str, Any]:
    colour, mark, size, filling = look
    return {
        "color": colour, "label": _NAMES[name], "linewidth": 1.1, "marker": mark,
        "markerfacecolor": filling, "markersize": size,
    }  # fmt: skip
