"""Power curves: how often each test finds a difference that is there."""

from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.report.charts.layout import PAD, Page, Space
from pyramidion.report.charts.style import BLACK, BLUE, GREY, VERMILLION, style_context
from pyramidion.report.labels import counted, headed
from pyramidion.stats.inputs import share
from pyramidion.stats.power import PowerCurve, PowerTest

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["power_figure"]

_PANEL, _GAP, _HEADING_SIZE = (3.1, 2.6), 0.35, 9
_PANELS = (("calibrated", "cutoffs calibrated at t = 0"), ("nominal", "nominal cutoffs"))
_LEVEL: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": ":"}
_NAMES: dict[PowerTest, str] = {
    "w": "signed-rank W",
    "t": "paired t",
    "welch": "unpaired t (Welch)",
}

#: Colour, mark, its size and filling: curves that coincide are seen inside each other.
_LOOKS = ((BLUE, "o", 8.5, "none"), (VERMILLION, "s", 5.5, "none"), (BLACK, "o", 2.5, BLACK))


def power_figure(
    curve: PowerCurve, *, alpha: float = 0.05, measure: str = "", task: str = "", note: str = ""
) -> "Figure":
    """Draw power against t, with cutoffs calibrated at t = 0 and with nominal ones.

    Parameters
    ----------
    curve
        What `power_curve` gives.
    alpha
        The level of significance, drawn as a dotted line: one less the curve's confidence level.
    measure, task
        Which scores the distributions were taken from, for the title.
    note
        What else to say, such as ``with document effects``.

    Examples
    --------
    >>> from pyramidion.stats.power import power_curve
    >>> curve = power_curve([0.5, 0.5], [0.1, 0.9], t=[0, 0.5], n_null=200, n_resamples=100)
    >>> [axes.get_title(loc="left") for axes in power_figure(curve).axes]
    ['cutoffs calibrated at t = 0', 'nominal cutoffs']
    """
    share(alpha, "alpha")
    with style_context():
        figure = _drawn(curve, alpha, headed("Power of tests", measure, task), note)
        figure.draw_without_rendering()
    return figure


def _drawn(curve: PowerCurve, alpha: float, title: str, note: str) -> "Figure":
    width, height = _PANEL
    page = Page(
        title,
        "; ".join(part for part in (_note(curve), f"α = {alpha:g}", note) if part),
        plot=(2 * width + _GAP, height),
        space=Space(left=PAD + 0.6, right=PAD + 0.1, above=0.35),
        legend=_legend(curve, alpha),
    )
    for number, (part, heading) in enumerate(_PANELS):
        left = page.left + number * (width + _GAP)
        axes = page.axes(left, page.bottom, width, height)
        _draw_curves(axes, curve, part, alpha)
        axes.set_title(heading, size=_HEADING_SIZE, loc="left")
        axes.tick_params("y", labelleft=number == 0)
    page.figure.axes[0].set_ylabel("power")
    return page.figure


def _note(curve: PowerCurve) -> str:
    samples = f"{counted(curve.n_resamples, 'sample')} a point, {curve.n_null:,} at t = 0"
    return f"{counted(curve.topics, 'topic')}; {samples}"


def _draw_curves(axes: "Axes", curve: PowerCurve, part: str, alpha: float) -> None:
    order = np.argsort(curve.t)
    for (name, power), look in zip(curve.tests.items(), _LOOKS, strict=True):
        values = getattr(power, part)
        axes.plot(curve.t[order], values[order], clip_on=False, **_line(name, look))
    axes.axhline(alpha, **_LEVEL)
    axes.set(xlabel="t, from machines (0) to people (1)", ylim=(0, 1))
    axes.margins(x=0.04)
    axes.grid()


def _line(name: PowerTest, look: tuple[str, str, float, str]) -> dict[str, Any]:
    colour, mark, size, filling = look
    return {
        "color": colour,
        "label": _NAMES[name],
        "linewidth": 1.1,
        "marker": mark,
        "markerfacecolor": filling,
        "markersize": size,
    }


def _legend(curve: PowerCurve, alpha: float) -> "list[Artist]":
    from matplotlib.lines import Line2D

    looks = zip(curve.tests, _LOOKS, strict=True)
    lines = [Line2D([], [], **_line(name, look)) for name, look in looks]
    return [*lines, Line2D([], [], **_LEVEL, label=f"α = {alpha:g}")]
