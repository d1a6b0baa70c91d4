"""Names of systems and topics beside a plot: shortened, sized and spaced."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["LABEL_GAP", "label_names", "label_size", "label_step", "short_name", "short_names"]

#: White between a label and what it labels, in inches.
LABEL_GAP = 0.07

_READABLE, _LONGEST_NAME = 0.1, 36


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


def short_names(names: Iterable[str]) -> list[str]:
    """Put names on one line each, and leave out the middle of long ones if they stay distinct.

    Examples
    --------
    >>> short_names(["7", "a-system-with-a-very-long-name-and-options-v2"])
    ['7', 'a-system-with-a-ve…me-and-options-v2']
    """
    whole = [" ".join(name.split()) for name in names]
    short = [short_name(name) for name in whole]
    count = Counter(short)
    return [brief if count[brief] == 1 else name for brief, name in zip(short, whole, strict=True)]


def short_name(name: str) -> str:
    """Put a name on one line, and leave out the middle of a long one.

    Examples
    --------
    >>> short_name("a-system-with-a-very-long-name-and-options-v2")
    'a-system-with-a-ve…me-and-options-v2'
    """
    line = " ".join(name.split())
    if len(line) <= _LONGEST_NAME:
        return line
    half = (_LONGEST_NAME - 1) // 2
    return f"{line[: _LONGEST_NAME - 1 - half]}…{line[-half:]}"


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
    >>> from pyramidion.report.figures.layout import Page, Space
    >>> from pyramidion.report.figures.style import styled
    >>> with styled():
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
