"""Power curves: how often tests tell a blend of machine and human scores from machine scores."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison.measure_tables import scope_name
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.layout import PAD, Space
from pyramidion.rendering.charts.style import BLACK, BLUE, GRAY, VERMILLION
from pyramidion.rendering.labels import counted, heading_of
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Table
from pyramidion.stats import power_curve
from pyramidion.stats._power import PowerCurve, PowerTest, frequencies
from pyramidion.stats.inputs import share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Power curves are for judgments on a scale, not for metrics, whose scores nearly all differ.
_MAX_SCALE_VALUES = 50

_PANELS = (("calibrated", "cutoffs calibrated at t = 0"), ("nominal", "nominal cutoffs"))
_LEVEL_STYLE: dict[str, Any] = {"color": GRAY, "linewidth": 0.8, "linestyle": ":"}
#: Name, color, mark, its size and filling; coinciding curves remain visible inside each other.
_TEST_STYLES: dict[PowerTest, tuple[str, str, str, float, str]] = {
    "w": ("signed-rank W", BLUE, "o", 8.5, "none"),
    "t": ("paired t", VERMILLION, "s", 5.5, "none"),
    "welch": ("unpaired t (Welch)", BLACK, "o", 2.5, BLACK),
}
_NOTE = (
    "How often each one-sided test finds that Y is better than X, if X has the scores of machines "
    "and Y a share t of those of people. Calibrated: with cutoffs that X and Y of equal quality "
    "exceed with probability {alpha:g}; nominal: with those of the tests."
)


@dataclass(frozen=True)
class MeasureCurves:
    """The power curves of a measure, simulated on demand.

    `documents` are the distributions of scores on single topics; `left_out` are the topics with
    scores that no machine has, where machines' are undefined (reading 29).
    """

    matrix: ScoreMatrix
    alpha: float
    seed: int
    values: Floats
    documents: Floats
    left_out: tuple[str, ...] = ()

    @classmethod
    def of(cls, matrix: ScoreMatrix, alpha: float, seed: int) -> "MeasureCurves | None":
        """Return the curves, or None without people, machines or a scale of few values."""
        values = np.unique(matrix.values[~np.isnan(matrix.values)])
        has_both = matrix.human.any() and not matrix.human.all()
        if not has_both or not 2 <= len(values) <= _MAX_SCALE_VALUES:
            return None
        scored_rows = (row for row in matrix.values if not np.isnan(row).all())
        documents = np.array([frequencies(row, values) for row in scored_rows])
        is_possible = documents @ frequencies(matrix.machines().values, values) > 0
        name, n_impossible = scope_name(matrix.measure, matrix.task), int((~is_possible).sum())
        note = (
            f"power with effects of topics, {name}: {counted(n_impossible, 'topic')} with scores "
        )
        left_out = (f"{note}that no machine has",) if n_impossible else ()
        return cls(matrix, alpha, seed, values, documents[is_possible], left_out)

    @property
    def distributions(self) -> tuple[Floats, Floats]:
        """How often each score occurs for machines and for people."""
        machines, people = self.matrix.machines().values, self.matrix.values[:, self.matrix.human]
        return frequencies(machines, self.values), frequencies(people, self.values)

    @cached_property
    def curves(self) -> tuple[PowerCurve, ...]:
        """The curves without topic effects and, if there are enough topics, with them."""
        simulate = partial(
            power_curve, *self.distributions, values=self.matrix.goodness(self.values),
            confidence_level=1 - self.alpha, rng=self.seed,
        )  # fmt: skip
        effect_curves = [simulate(p_documents=self.documents)] if len(self.documents) else []
        return (simulate(), *effect_curves)

    @property
    def record(self) -> list[dict[str, Any]]:
        """The curves for JSON."""
        return [
            {
                "topic_effects": bool(index),
                "topics": curve.topics,
                "t": curve.t.tolist(),
                "tests": {
                    name: {part: getattr(power, part).tolist() for part, _ in _PANELS}
                    for name, power in curve.tests.items()
                },
            }
            for index, curve in enumerate(self.curves)
        ]

    def tables(self) -> Iterator[Table]:
        """Show each curve: a row for each t, a column for each test and kind of cutoff."""
        column_names = [
            f"{label}, {part}" for part, _ in _PANELS for label, *_ in _TEST_STYLES.values()
        ]
        name = scope_name(self.matrix.measure, self.matrix.task)
        for index, curve in enumerate(self.curves):
            powers = [
                getattr(curve.tests[test], part) for part, _ in _PANELS for test in _TEST_STYLES
            ]
            rows = tuple(zip(curve.t.tolist(), *(power.tolist() for power in powers), strict=True))
            title = f"Power by {name}, {_describe_effects(index)}"
            key = (
                ("task", self.matrix.task), ("measure", self.matrix.measure),
                ("topic_effects", "yes" if index else "no"),
            )  # fmt: skip
            note = "" if index else _NOTE.format(alpha=self.alpha)
            yield Table(("t", *column_names), rows, title, note, 3, key, "curves")

    def charts(self) -> Iterator[Chart]:
        """Yield a chart of each curve."""
        for index in range(1 + bool(len(self.documents))):
            chart_scope = (self.matrix.measure, self.matrix.task, *(["topic-effects"] * index))
            left_out = self.left_out * index
            yield Chart("power", partial(self._figure, index), about=chart_scope, left_out=left_out)

    def _figure(self, index: int) -> "Figure":
        chart_scope = {"measure": self.matrix.measure, "task": self.matrix.task}
        curve = self.curves[index]
        return power_figure(
            curve, alpha=self.alpha, effects=_describe_effects(index), **chart_scope
        )


def _describe_effects(index: int) -> str:
    return ("without effects of topics", "with effects of topics")[index]


def power_figure(
    curve: PowerCurve, *, alpha: float = 0.05, measure: str = "", task: str = "", effects: str = ""
) -> "Figure":
    """Draw power against t, with cutoffs calibrated at t = 0 and with nominal ones."""
    share(alpha, "alpha")
    samples_text = f"{counted(curve.n_resamples, 'sample')} per point, {curve.n_null:,} at t = 0"
    order, line_styles = np.argsort(curve.t), dict[PowerTest, dict[str, Any]]()
    for name, (label, color, marker, size, fill_color) in _TEST_STYLES.items():
        line_styles[name] = {
            "color": color, "label": label, "linewidth": 1.1, "marker": marker,
            "markerfacecolor": fill_color, "markersize": size,
        }  # fmt: skip
    panels = [
        Panel(
            [
                Series(curve.t[order], getattr(curve.tests[name], part)[order],
                       {**line_style, "clip_on": False})
                for name, line_style in line_styles.items()
            ],
            heading,
            scale={"xlabel": "t, from machines (0) to people (1)", "ylim": (0, 1)},
            margins={"x": 0.04},
            more=lambda axes: axes.axhline(alpha, **_LEVEL_STYLE),
        )
        for part, heading in _PANELS
    ]  # fmt: skip
    caption = f"{counted(curve.topics, 'topic')}; {samples_text}; α = {alpha:g}"
    return panels_figure(
        panels, title=heading_of("Power of tests", measure, task),
        note=f"{effects}; {caption}".removeprefix("; "), side=(3.1, 2.6),
        gap=(0.35, 0), space=Space(left=PAD + 0.6, right=PAD + 0.1, above=0.35),
        legend=[*line_styles.values(), {**_LEVEL_STYLE, "label": f"α = {alpha:g}"}], ylabel="power",
        shares_scale=True,
    )  # fmt: skip
