"""Figures of reproduced entries, drawn without matplotlib."""

from collections.abc import Mapping, Sequence
from itertools import cycle, pairwise

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import ScoreMatrix
from pyramidion.rendering.charts.bars import BarPart, bars_picture
from pyramidion.rendering.charts.picture import (
    SCALE_SPACE,
    KeyEntry,
    Line,
    Mark,
    NumberLine,
    Picture,
    Text,
)
from pyramidion.rendering.charts.rows import MarkedRow, marked_rows_picture
from pyramidion.rendering.charts.style import GREEN, PURPLE
from pyramidion.stats import power_curve

_MATCH_PARTS = (
    BarPart("as printed", "h2", "on"),
    BarPart("differs", "l2", "on"),
    BarPart("not computed", "u", "ink"),
)
# More rows, or numbers of very different size, are better read in the table.
_MAX_ROWS, _MAX_VALUE_RATIO = 48, 1000


def counts_picture(names: Sequence[str], counts: Sequence[Sequence[int]]) -> Picture:
    """Draw how many printed values of each document were computed, as printed or not."""
    return bars_picture(
        names, np.array(counts), _MATCH_PARTS, title="Printed values and ours",
            label="printed values",
        note="",
    )  # fmt: skip


def values_picture(title: str, pairs: Mapping[str, tuple[float, float]]) -> Picture | None:
    """Draw printed numbers next to ours; None if a picture would not help."""
    magnitudes = [abs(number) for pair in pairs.values() for number in pair if number]
    if not 4 <= len(pairs) <= _MAX_ROWS or max(magnitudes) > _MAX_VALUE_RATIO * min(magnitudes):
        return None
    rows = [MarkedRow(name, "machine", pair) for name, pair in pairs.items()]
    return marked_rows_picture(rows, title=title, label="value", series=("printed", "ours"))


_CURVE_COLORS = ("h2", "l2", GREEN, PURPLE)
_TEST_NAMES = {"w": "Wilcoxon", "t": "paired t", "welch": "unpaired t"}
_PLOT_WIDTH, _PLOT_HEIGHT, _LEFT_SPACE = 4.6, 2.6, 0.5


def curves_picture(
    x: Sequence[float], curves: Mapping[str, Sequence[float]], *, title: str, note: str, label: str
) -> Picture:
    """Draw curves of shares, from 0 to 1, over a common scale."""
    scale, marks = NumberLine(min(x), max(x), _LEFT_SPACE, _PLOT_WIDTH), list[Mark]()
    marks += scale.marks(0.1, 0.1 + _PLOT_HEIGHT, label)
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = 0.1 + _PLOT_HEIGHT * (1 - share)
        marks.append(Line(_LEFT_SPACE, y, _PLOT_WIDTH, 0, "line"))
        marks.append(Text(_LEFT_SPACE - 0.07, y, f"{share:g}", 8, anchor="end"))
    key = []
    for (name, shares), color in zip(curves.items(), cycle(_CURVE_COLORS), strict=False):
        points = [
            (scale.position_of(a), 0.1 + _PLOT_HEIGHT * (1 - b))
            for a, b in zip(x, shares, strict=True)
        ]
        marks += [Line(*a, b[0] - a[0], b[1] - a[1], color, 1.4) for a, b in pairwise(points)]
        key.append(KeyEntry(name, color))
    return Picture(
        title, note, marks, (_LEFT_SPACE + _PLOT_WIDTH + 0.2, 0.1 + _PLOT_HEIGHT + SCALE_SPACE), key
    )


def power_picture(matrix: ScoreMatrix, note: str) -> Picture:
    """Simulate power as in Figure 3.3: a blend of machine and human scores against machines'."""
    values = np.unique(matrix.values[~np.isnan(matrix.values)])
    topics = [_distribution(row, values) for row in matrix.values]
    people, machines = (matrix.values[:, matrix.human == kind] for kind in (True, False))
    curve = power_curve(
        _distribution(machines, values), _distribution(people, values), values=values,
        p_documents=topics, n_null=5000, n_resamples=2000, rng=np.random.default_rng(0),
    )  # fmt: skip
    curves = {_TEST_NAMES[name]: test.calibrated.tolist() for name, test in curve.tests.items()}
    curves["unpaired t, nominal cutoff"] = curve.tests["welch"].nominal.tolist()
    title = "Power with document effects (Figure 3.3)"
    label = "share of human scores in the blend"
    return curves_picture(curve.t.tolist(), curves, title=title, note=note, label=label)


def _distribution(scores: Floats, values: Floats) -> Floats:
    """Return the share of each score; none is impossible, which would be undefined (reading 29)."""
    counts = np.array([(scores == value).sum() for value in values]) + 1e-9
    return np.asarray(counts / counts.sum())
