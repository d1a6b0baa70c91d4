"""How texts refer to people: Markov chains as tiles, and the first to the fifth mention."""

from typing import TYPE_CHECKING

import numpy as np

from pyramidion.evaluation.study._references.measure import FeatureStudy, ReferenceStudy
from pyramidion.evaluation.study._references.view import printed_rows
from pyramidion.report.charts.layout import PAD, Page, Space, text_width
from pyramidion.report.charts.style import BLUE, GREEN, INK, VERMILLION, in_style
from pyramidion.report.charts.tiles import draw_tiles
from pyramidion.report.labels import counted
from pyramidion.rewriting._people.published_sequences import published_stratified
from pyramidion.rewriting._people.sequences import PLACES

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TILE = (0.62, 0.36)
_HEAD, _GAP, _PANEL = 0.62, 0.35, (2.3, 1.6)
_SHORT = {"prepositional": "prep.", "relative clause": "rel. clause", "apposition": "appos."}
_TITLES = {
    "modification": "Modification",
    "name form": "Name",
    "postmodification": "Postmodification",
    "premodifiers": "Number of premodifiers",
}
_SHIFT = 0.08
_LOOKS = ((VERMILLION, "o"), (BLUE, "s"), (GREEN, "^"))


@in_style
def references_figure(study: ReferenceStudy) -> "Figure":
    """Draw the chains as tiles, what follows what, and the stratified model as lines."""
    rows = (study.features[:2], study.features[2:])
    widths = [sum(_width(own) for own in row) + _GAP for row in rows]
    heights = [_HEAD + 0.12 + max(_height(own) for own in row) for row in rows]
    plot = (max(*widths, 3 * (_PANEL[0] + 0.5)), sum(heights) + _HEAD + _PANEL[1])
    page = Page(
        "References to people",
        _note(study),
        plot=plot,
        space=Space(left=PAD, right=PAD + 0.1),
        legend=_legend(),
    )
    top = page.bottom + plot[1]
    for row, height in zip(rows, heights, strict=True):
        _draw_row(page, row, top)
        top -= height
    _draw_places(page, study)
    return page.figure


def _note(study: ReferenceStudy) -> str:
    mentions = counted(study.features[0].counts.mentions, "mention")
    return (
        f"{mentions} in {counted(study.begin_with_head, 'chain')} that begin with the head of a "
        "phrase. Tiles: the probability of a form (columns) after another (rows), below it in "
        "grey that of Nenkova's thesis."
    )


def _names(own: FeatureStudy) -> list[str]:
    return [_SHORT.get(state, state) for state in own.chain.states]


def _margin(own: FeatureStudy) -> float:
    return text_width([*_names(own), "first mention"], size=8) + 0.12


def _width(own: FeatureStudy) -> float:
    return _margin(own) + len(own.chain.states) * _TILE[0]


def _height(own: FeatureStudy) -> float:
    return (len(own.chain.states) + 2) * _TILE[1]


def _draw_row(page: Page, row: tuple[FeatureStudy, ...], top: float) -> None:
    left = PAD
    for own in row:
        margin, height = _margin(own), _height(own)
        page.write(
            _TITLES[own.chain.feature], (left, top - 0.22), va="baseline", size=9, weight="bold"
        )
        wide = len(own.chain.states) * _TILE[0]
        axes = page.axes(left + margin, top - _HEAD - height, wide, height)
        _draw_chain(axes, own)
        left += margin + wide + _GAP


def _draw_chain(axes: "Axes", own: FeatureStudy) -> None:
    chain = own.chain
    here = np.vstack([chain.initial, chain.transitions, chain.limit().probabilities])
    thesis = np.vstack(printed_rows(chain.feature))
    draw_tiles(axes, np.ma.masked_invalid(here), cmap="Blues", vmin=0, vmax=1.25)
    for (row, column), value in np.ndenumerate(here):
        colour = "white" if value > 0.7 else INK
        shown = "–" if np.isnan(value) else f"{value:.2f}"
        axes.text(column, row - 0.18, shown, ha="center", va="center", size=8, color=colour)
        below = f"{thesis[row, column]:.2f}"
        grey = "#e8e8e8" if value > 0.7 else "#555555"
        axes.text(column, row + 0.24, below, ha="center", va="center", size=6.5, color=grey)
    names = _names(own)
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names) + 2), ["first mention", *names, "limit"])
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.tick_params(axis="x", labelsize=7)
    for edge in (0.5, len(names) + 0.5):
        axes.axhline(edge, color="white", linewidth=4)


def _draw_places(page: Page, study: ReferenceStudy) -> None:
    forms = (
        ("modified", study.features[0], (0,)),
        ("premodified", study.premodification, (0,)),
        ("full, last, nickname", study.features[1], (0, 1, 2)),
    )
    for number, (title, own, states) in enumerate(forms):
        left = PAD + 0.4 + number * (_PANEL[0] + 0.5)
        axes = page.axes(left, page.bottom, *_PANEL)
        page.write(
            f"Mentions: {title}", (left - 0.4, page.bottom + _PANEL[1] + 0.14), size=9,
            weight="bold",
        )  # fmt: skip
        for state in states:
            _draw_line(axes, own, state, shift=_SHIFT * (state - len(states) // 2))
        axes.set_ylim(-0.03, 1.03)
        axes.set_xticks(range(len(PLACES)), PLACES)
        axes.grid(axis="y")
        axes.margins(x=0.08)


def _draw_line(axes: "Axes", own: FeatureStudy, state: int, *, shift: float) -> None:
    """Draw a state, beside others so that intervals can be told apart."""
    colour, mark = _LOOKS[state]
    here = own.stratified.probabilities[:, state]
    printed = published_stratified()[own.chain.feature].probabilities[:, state]
    low, high = own.intervals.positions[:, :, state]
    places = np.arange(len(PLACES)) + shift
    axes.vlines(places, low, high, color=colour, linewidth=3, alpha=0.3)
    axes.plot(places, here, color=colour, marker=mark, markersize=5, linewidth=1.6)
    axes.plot(places, printed, color=colour, linestyle=":", linewidth=1.2)


def _legend() -> "list[Artist]":
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], color=INK, marker="o", markersize=5, linewidth=1.6, label="here"),
        Line2D([], [], color=INK, linewidth=3, alpha=0.3, label="interval"),
        Line2D([], [], color=INK, linestyle=":", linewidth=1.2, label="thesis"),
        *(
            Line2D([], [], color=colour, marker=mark, markersize=5, linewidth=1.6, label=name)
            for name, (colour, mark) in zip(
                ("full name", "last name", "nickname"), _LOOKS, strict=True
            )
        ),
    ]
