"""Word frequencies and their lognormal model: how many words, and what to expect of each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pyramidion.evaluation.study import LognormalFit
from pyramidion.report.charts.layout import PAD, Page, Space
from pyramidion.report.charts.style import BLUE, GREY, VERMILLION, style_context

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["lognormal_figure"]

Modelled = tuple[npt.NDArray[np.int64], LognormalFit]

_PANEL, _GAP = (2.7, 2.6), 0.75
_SEEN: dict[str, Any] = {
    "color": BLUE,
    "linestyle": "none",
    "marker": "o",
    "markersize": 4.5,
    "label": "words of the input",
}
_MODEL: dict[str, Any] = {"color": VERMILLION, "linewidth": 1.4, "label": "lognormal model"}
_RELATIVE: dict[str, Any] = {
    "color": GREY,
    "linewidth": 1.2,
    "linestyle": "--",
    "label": "relative frequency",
}


def lognormal_figure(models: Sequence[Modelled], *, note: str = "") -> "Figure":
    """Draw how many words occur m times, and the frequency to be expected of a word seen m times.

    Parameters
    ----------
    models
        For each input, how many words occur once, twice, ..., and the model.
    note
        What to say below the title.

    Examples
    --------
    >>> from pyramidion.evaluation.study import fit_lognormal
    >>> counts = [1] * 20 + [2] * 8 + [3] * 4 + [7]
    >>> figure = lognormal_figure([(np.bincount(counts)[1:], fit_lognormal(counts))])
    >>> [axes.get_xscale() for axes in figure.axes]
    ['log', 'linear']
    """
    width, height = _PANEL
    with style_context():
        page = Page(
            "A lognormal model of word frequencies",
            note,
            plot=(2 * width + _GAP, height),
            space=Space(left=PAD + 0.55, right=PAD + 0.1, above=0.12),
            legend=_legend(),
        )
        _draw_spectrum(page.axes(page.left, page.bottom, width, height), models)
        right = page.left + width + _GAP
        _draw_expected(page.axes(right, page.bottom, width, height), models)
        page.figure.draw_without_rendering()
    return page.figure


def _draw_spectrum(axes: "Axes", models: Sequence[Modelled]) -> None:
    """Add up the inputs: how many words occur m times, and should."""
    most = max(len(spectrum) for spectrum, _ in models)
    seen = np.sum([np.pad(spectrum, (0, most - len(spectrum))) for spectrum, _ in models], axis=0)
    expected = np.sum([fit.spectrum(most) for _, fit in models], axis=0)
    times = np.arange(1, most + 1)
    axes.set(xscale="log", yscale="log")
    axes.plot(times, expected, **_MODEL)
    axes.plot(times[seen > 0], seen[seen > 0], **_SEEN)
    axes.set_ylim(bottom=0.3)
    axes.set(xlabel="times a word occurs", ylabel="words")
    _set_scales(axes)
    axes.grid(which="major")


def _set_scales(axes: "Axes") -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_view_interval()
        # Few decades need marks between the powers of ten.
        axis.set_major_locator(LogLocator(subs=(1.0,) if high / low > 30 else (1.0, 2.0, 5.0)))
        axis.set_minor_formatter(NullFormatter())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.4g}"))


def _draw_expected(axes: "Axes", models: Sequence[Modelled]) -> None:
    most = int(np.clip(max(len(spectrum) for spectrum, _ in models), 2, 15))
    times = np.arange(most + 1)
    axes.plot(times, times, **_RELATIVE)
    for _, fit in models:
        axes.plot(times, fit.expected(times), **{**_MODEL, "linewidth": 0.9, "alpha": 0.6})
    axes.set(xlabel="times a word occurs", ylabel="times it is expected")
    axes.locator_params(axis="x", integer=True)
    axes.grid()


def _legend() -> "list[Artist]":
    from matplotlib.lines import Line2D

    return [Line2D([], [], **look) for look in (_SEEN, _MODEL, _RELATIVE)]
