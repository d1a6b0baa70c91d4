"""Points of machines and people, and the diagonal of equal values."""

from typing import Any

import numpy as np

from pyramidion._types import Bools
from pyramidion.rendering.charts.curves import Series
from pyramidion.rendering.charts.layout import Style
from pyramidion.rendering.charts.style import BLUE, VERMILLION


def _styles(size: float) -> dict[bool, dict[str, Any]]:
    """Return the styles of machines and of people, whose marks are a little larger."""
    machine = {"linestyle": "", "alpha": 0.85, "label": "machine", "color": BLUE, "marker": "o"}
    person = {**machine, "label": "person", "color": VERMILLION, "marker": "D"}
    return {False: {**machine, "markersize": size}, True: {**person, "markersize": size + 0.5}}


def kind_points(x: Any, y: Any, human: Bools, *, size: float = 4.0) -> list[Series]:
    """Return points of machines and people, with different colors and marks."""
    x, y = np.asarray(x), np.asarray(y)
    return [
        Series(x[human == kind], y[human == kind], {**style, "zorder": 3})
        for kind, style in _styles(size).items()
    ]


def kind_legend(human: Bools, *, size: float = 4.0) -> list[Style]:
    """Return the legend of the kinds that occur."""
    return [style for kind, style in _styles(size).items() if (human == kind).any()]


def diagonal(x: Any, y: Any, style: Style) -> Series:
    """Draw the diagonal of equal values, as far as there are points."""
    ends = [min(*x, *y), max(*x, *y)]
    return Series(ends, ends, style)
