"""What leaving out the worst assessors changes: rankings of systems, correlations of metrics."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pyramidion.errors import InputError
from pyramidion.evaluation.assessors.impact import Impact
from pyramidion.report.charts.layout import PAD, Page, Space
from pyramidion.report.charts.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    style_context,
)
from pyramidion.report.labels import short_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["impact_figure", "metric_impact_figure"]

_ACROSS, _SIDE, _GAP, _HEAD, _BELOW = 4, (2.1, 1.6), 0.55, 0.3, 0.5
_METRIC_COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)

#: Which correlation of a metric is drawn.
MetricLevel = Literal["system", "summary"]


def impact_figure(found: Sequence[Impact]) -> "Figure":
    """Draw how far rankings without the worst assessors agree with the full one.

    Parameters
    ----------
    found
        One panel each: measures, and by what assessors are the worst.

    Examples
    --------
    >>> from pyramidion.evaluation.assessors.impact import ImpactStep
    >>> from pyramidion.evaluation.assessors.worst import WorstFirst
    >>> steps = ImpactStep((), 44, 50, 1.0, 1.0), ImpactStep(("E",), 38, 50, 0.995, 0.988)
    >>> worst = WorstFirst("alpha", ("E",), (0.519,))
    >>> figure = impact_figure([Impact("2011", "A", "machines", "readability", worst, steps)])
    >>> figure.axes[0].get_title(loc="left")
    'readability'
    """
    with style_context():
        page, panels = _panels(found, "Rankings without the worst assessors", _legend())
        for own, axes in zip(found, panels, strict=True):
            _draw_ranking(axes, own)
        page.figure.draw_without_rendering()
    return page.figure


def metric_impact_figure(
    found: Sequence[Impact], metrics: Sequence[str], *, level: MetricLevel = "summary"
) -> "Figure":
    """Draw how metrics correlate with the assessors that are left.

    Parameters
    ----------
    found
        One panel each.
    metrics
        Which metrics; six at most.
    level
        ``system``: of systems' means; ``summary``: of each assessor's summaries, averaged.

    Examples
    --------
    >>> from pyramidion.evaluation.assessors.impact import ImpactStep
    >>> from pyramidion.evaluation.assessors.impact_metrics import MetricStep
    >>> from pyramidion.evaluation.assessors.worst import WorstFirst
    >>> steps = (ImpactStep((), 44, 50, 1.0, 1.0,
    ...                     metrics=(MetricStep("rouge-2-r", 0.9, 0.9, 0.6, {}),)),)
    >>> own = Impact("2011", "A", "machines", "readability", WorstFirst("alpha", (), ()), steps)
    >>> metric_impact_figure([own], ["rouge-2-r"]).axes[0].get_ylabel()
    'mean r over assessors'
    """
    if not 1 <= len(metrics) <= len(_METRIC_COLOURS):
        raise InputError(
            f"{len(metrics)} metrics to draw", hint=f"name 1 to {len(_METRIC_COLOURS)}"
        )
    said = "over summaries" if level == "summary" else "over systems"
    with style_context():
        title = f"Metrics without the worst assessors, {said}"
        page, panels = _panels(found, title, _metric_legend(metrics))
        for number, (own, axes) in enumerate(zip(found, panels, strict=True)):
            _draw_metrics(axes, own, metrics, level)
            if number % _ACROSS == 0:
                axes.set_ylabel("mean r over assessors" if level == "summary" else "Pearson's r")
        page.figure.draw_without_rendering()
    return page.figure


def _panels(
    found: Sequence[Impact], title: str, legend: "list[Artist]"
) -> "tuple[Page, list[Axes]]":
    if not found:
        raise InputError("there is nothing to draw", hint="leave out at least one assessor")
    across, rows = min(len(found), _ACROSS), -(-len(found) // _ACROSS)
    step = _SIDE[0] + _GAP, _SIDE[1] + _HEAD + _BELOW
    page = Page(
        f"{title}: {found[0].collection}",
        _note(found[0]),
        plot=(across * step[0] - _GAP, rows * step[1] - _HEAD - _BELOW),
        space=Space(left=PAD + 0.6, right=PAD + 0.1, above=_HEAD),
        legend=legend,
    )
    panels = []
    for number, own in enumerate(found):
        row, column = divmod(number, across)
        bottom = page.bottom + (rows - 1 - row) * step[1]
        axes = page.axes(page.left + column * step[0], bottom, *_SIDE)
        axes.set_title(_heading(own), size=9, loc="left")
        _ticks(axes, own)
        panels.append(axes)
    return page, panels


def _note(own: Impact) -> str:
    task = "all tasks together" if own.task is None else f"task {own.task}" if own.task else ""
    peers = "machines only" if own.peers == "machines" else "all peers"
    worst = "assessors are left out one after the other, the least consistent first"
    return "; ".join(part for part in (task, peers, worst) if part)


def _heading(own: Impact) -> str:
    by = "" if own.worst.criterion == "alpha" else " (by manual − automatic)"
    return f"{short_name(own.measure)}{by}"


def _ticks(axes: "Axes", own: Impact) -> None:
    last = [step.left_out[-1] if step.left_out else "nobody" for step in own.steps]
    names = [short_name(name) if len(name) <= 9 else f"{name[:8]}…" for name in last]
    axes.set_xticks(range(len(names)), names, rotation=40 if max(map(len, names)) > 2 else 0)
    axes.margins(x=0.06)
    axes.grid(axis="y")


def _draw_ranking(axes: "Axes", own: Impact) -> None:
    places = range(len(own.steps))
    for name, look in _LINES.items():
        axes.plot(places, [getattr(step, name) for step in own.steps], **look)
    chance = [1.0 if step.chance is None else step.chance.pearson for step in own.steps]
    axes.plot(places, chance, **_CHANCE)
    drawn = [v for s in own.steps for v in (s.pearson, s.spearman) if not math.isnan(v)]
    axes.set(ylim=(min(0.9, *drawn, *filter(math.isfinite, chance)) - 0.02, 1.01))


_LINES: dict[str, dict[str, Any]] = {
    "pearson": {"color": BLUE, "marker": "o", "markersize": 4, "linewidth": 1.3},
    "spearman": {"color": ORANGE, "marker": "s", "markersize": 3.5, "linewidth": 1.3},
}
_CHANCE: dict[str, Any] = {"color": GREY, "linestyle": ":", "linewidth": 1.3}


def _legend() -> "list[Artist]":
    from matplotlib.lines import Line2D

    names = ("Pearson's r with the full ranking", "Spearman's rho with the full ranking")
    lines: list[Artist] = [
        Line2D([], [], label=name, **look)
        for name, look in zip(names, _LINES.values(), strict=True)
    ]
    return [*lines, Line2D([], [], label="mean r, whichever as many are left out", **_CHANCE)]


def _draw_metrics(axes: "Axes", own: Impact, metrics: Sequence[str], level: MetricLevel) -> None:
    for metric, colour in zip(metrics, _METRIC_COLOURS, strict=False):
        values = []
        for step in own.steps:
            found = next((one for one in step.metrics if one.metric == metric), None)
            name = "summary_level" if level == "summary" else "pearson"
            values.append(math.nan if found is None else getattr(found, name))
        axes.plot(range(len(values)), values, **_metric_line(colour))


def _metric_line(colour: str) -> dict[str, Any]:
    return {"color": colour, "marker": "o", "markersize": 4, "linewidth": 1.3}


def _metric_legend(metrics: Sequence[str]) -> "list[Artist]":
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], label=short_name(metric), **_metric_line(colour))
        for metric, colour in zip(metrics, _METRIC_COLOURS, strict=False)
    ]
