"""A pyramid of content units: tiers as centred bars, the heaviest on top."""

from typing import TYPE_CHECKING

from pyramidion.pyramid.units import TopicUnits
from pyramidion.report.charts.layout import PAD, Page, Space, text_width, wrapped
from pyramidion.report.charts.style import BLUE, GREY, INK, style_context
from pyramidion.report.labels import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["pyramid_figure"]

_STONES, _GAP, _LABELS = 3.4, 0.2, 3.6
_TIER, _LOWEST_TIER, _MOST_HEIGHT = 0.52, 0.3, 9.0
_SIZE, _SMALL, _LINE, _BESIDE = 9.0, 7.5, 0.135, 0.15


def pyramid_figure(units: TopicUnits, *, topic: str = "", task: str = "") -> "Figure":
    """Draw the tiers of a pyramid, with the number of units and some of their labels.

    Parameters
    ----------
    units
        The content units.
    topic, task
        Whose they are, for the title.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion.pyramid.scores import Weighing
    >>> units = TopicUnits(("1", "2"), ("Ice melts", "It is old"), Weighing(np.array([2, 1]), 2))
    >>> pyramid_figure(units, topic="T1").get_label()
    'Pyramid of T1'
    """
    with style_context():
        figure = _drawn(units, topic, task)
        figure.draw_without_rendering()
    return figure


def _drawn(units: TopicUnits, topic: str, task: str) -> "Figure":
    tiers = units.tiers()
    pitch = max(_LOWEST_TIER, min(_TIER, _MOST_HEIGHT / len(tiers)))
    height = pitch * len(tiers)
    name = ", ".join(part for part in (topic, f"task {task}" if task else "") if part)
    page = Page(
        f"Pyramid of {name}" if name else "Pyramid",
        _note(units),
        plot=(_STONES + _GAP + _LABELS, height),
        space=Space(left=_left(max(tiers)), below=0.08, above=0.14),
    )
    axes = page.axes(page.left, page.bottom, _STONES, height)
    most = max(map(len, tiers.values()))
    axes.set(xlim=(-most / 2, most / 2), ylim=(len(tiers), 0))
    axes.axis("off")
    for place, (tier, rows) in enumerate(tiers.items()):
        _draw_tier(axes, place, len(rows), most, tier / max(tiers))
        middle = page.bottom + pitch * (len(tiers) - place - 0.5)
        beside = (page.left - _BESIDE, middle)
        page.write(_weight_name(tier), beside, ha="right", va="center", size=_SIZE)
        _write_labels(page, [units.labels[r] or units.uids[r] for r in rows], middle, pitch)
    return page.figure


def _left(heaviest: int) -> float:
    return PAD + text_width([_weight_name(heaviest)], size=_SIZE) + _BESIDE


def _weight_name(tier: int) -> str:
    return f"weight {tier}"


def _note(units: TopicUnits) -> str:
    weighing = units.weighing
    return (
        f"{counted(weighing.order, 'reference')}, {counted(weighing.units, 'content unit')}, "
        f"{weighing.average:.1f} a reference; labels are examples"
    )


def _draw_tier(axes: "Axes", place: int, count: int, most: int, strength: float) -> None:
    if not count:
        axes.plot([-0.25, 0.25], [place + 0.5] * 2, color=GREY, linewidth=0.8)
        return
    axes.bar(
        0, 0.88, width=count, bottom=place + 0.06, color=BLUE, alpha=0.25 + 0.75 * strength,
        linewidth=0,
    )  # fmt: skip
    inside = count >= most * 0.12
    axes.text(
        0 if inside else count / 2 + most * 0.015,
        place + 0.5,
        str(count),
        ha="center" if inside else "left",
        va="center",
        size=_SIZE,
        weight="bold",
        color="white" if inside and strength > 0.7 else INK,
    )


def _write_labels(page: Page, labels: list[str], middle: float, pitch: float) -> None:
    """Write as many labels as fit beside a tier."""
    room = max(1, int((pitch - 0.06) / _LINE))
    lines: list[str] = []
    for label in labels:
        more = wrapped(label, _LABELS, size=_SMALL)
        if len(lines) + len(more) > room:
            break
        lines += more
    if not lines and labels:
        lines = wrapped(labels[0], _LABELS - 0.15, size=_SMALL)[:room]
        lines[-1] += " …"
    top = middle + _LINE * (len(lines) - 1) / 2
    for number, line in enumerate(lines):
        place = (page.left + _STONES + _GAP, top - number * _LINE)
        page.write(line, place, va="center", size=_SMALL, color=GREY)
