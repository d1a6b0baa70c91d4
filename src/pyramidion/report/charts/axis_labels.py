"""Names of systems and topics beside a plot: shortened, sized and spaced."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["LABEL_GAP", "label_names", "label_size", "label_step"]

#: White between a label and what it labels, in inches.
LABEL_GAP = 0.07

_READABLE = 0.1


def label_size(pitch: float) -> float:
    """Give the font size of labels that stand `pitch` inches apart.

    Examples
    --------
    >>> round(label_size(0.165), 1)
    7.4
    """
    return max(4.5, min(9.0, pitch * 72 * 0.62))


def label_step(pitch: float) -> int:
    """Tell at which steps labels fit: 1 for all, 2 for every other, and so on.

    Examples
    --------
    >>> label_step(0.3), label_step(0.06)
    (1, 2)
    """
    return max(1, math.ceil(_READABLE / pitch - 1e-9))


def label_names(
    axes: "Axes",
    which: Literal["x", "y"],
    names: Sequence[str],
    *,
    pitch: float,
    human: Sequence[bool] = (),
    turned: bool = False,
) -> None:
    """Label the rows (``y``) or columns (``x``) of a plot, people in bold, or upright.

    Examples
    --------
    >>> from pyramidion.report.charts.layout import Page, Space
    >>> from pyramidion.report.charts.style import style_context
    >>> with style_context():
    ...     axes = Page("", "", plot=(1, 1), space=Space()).axes(0, 0, 1, 1)
    ...     label_names(axes, "y", ["7", "A"], pitch=0.3, human=[False, True])
    >>> [label.get_weight() for label in axes.get_yticklabels()]
    ['normal', 'bold']
    """
    axis = axes.yaxis if which == "y" else axes.xaxis
    step = label_step(pitch)
    axis.set_ticks(range(0, len(names), step), names[::step])
    axes.tick_params(
        axis=which,
        length=0,
        labelsize=label_size(pitch),
        labelrotation=90 if turned else 0,
        pad=LABEL_GAP * 72,
    )
    for label, is_human in zip(axis.get_ticklabels(), list(human)[::step], strict=False):
        label.set_fontweight("bold" if is_human else "normal")
