"""Figures of errors and correlations, and of scores as a pyramid grows."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.errors import NotFoundError
from pyramidion.rendering.charts.curves import Panel, Series, Span, panels_figure
from pyramidion.rendering.charts.layout import PAD, Page, Panels, Space, Style
from pyramidion.rendering.charts.style import (
    BLACK,
    BLUE,
    GRAY,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    VERMILLION,
    in_style,
)
from pyramidion.rendering.labels import short_name, short_names
from pyramidion.studies._stability.ranking import OrderCorrelation, OrderErrors
from pyramidion.studies._stability.study import PooledStability, Stability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_ERROR_STYLES = {
    "p1": ("E1: equal seem different", BLUE, "o", "-"),
    "p2": ("E2: different seem equal", GREEN, "s", "-"),
    "p3": ("E3: the worse seems better", VERMILLION, "^", "-"),
    "p": ("any error", BLACK, "", "--"),
}


def stability_figure(pooled_topics: "PooledStability", *, note: str = "") -> "Figure":
    """Draw the probabilities of errors, and rank correlations, against the number of references."""
    return panels_figure(
        [
            _errors_panel(pooled_topics.errors),
            _correlations_panel(pooled_topics.correlations, pooled_topics.resampled),
        ],
        title="How many references a pyramid needs",
        note=note,
        side=(3.1, 2.5),
        gap=(0.75, 0),
        space=Space(left=PAD + 0.55, right=PAD + 0.1, above=0.34),
        legend=_legend_styles(pooled_topics.resampled),
    )


def _errors_panel(errors: Sequence[OrderErrors]) -> Panel:
    orders = [row.order for row in errors]
    values = [value for row in errors for value in (row.p1, row.p2, row.p3, row.p)]
    max_value = max((value for value in values if not math.isnan(value)), default=0.0)
    lines = [
        Series(orders, [getattr(row, error) for row in errors], _line_style(style))
        for error, style in _ERROR_STYLES.items()
    ]
    return _order_panel(
        "errors about pairs", lines, orders, "every pyramid contains one of each pair",
        ylim=(0, 1.08 * max(0.1, max_value)), ylabel="probability of error",
    )  # fmt: skip


def _correlations_panel(
    correlations: Sequence[OrderCorrelation], resampled_correlations: Sequence[OrderCorrelation]
) -> Panel:
    lines = [
        Series([row.order for row in rows], [row.mean for row in rows], _line_style(style))
        for rows, style in (
            (correlations, _RANKS_STYLE),
            (resampled_correlations, _RESAMPLED_STYLE),
        )
        if rows or rows is correlations
    ]
    orders = sorted({row.order for row in (*correlations, *resampled_correlations)})
    means = [
        row.mean for row in (*correlations, *resampled_correlations) if not math.isnan(row.mean)
    ]
    # A single line needs no legend.
    title = (
        "agreement of rankings" if resampled_correlations else "agreement with the whole pyramid"
    )
    return _order_panel(
        title, lines, orders, "no summaries can be ranked",
        threshold=0.95 if resampled_correlations else math.nan,
        ylim=(1.05 * min(0.0, *means, 0.0), 1.0), ylabel="mean Spearman correlation",
    )  # fmt: skip


_THRESHOLD_STYLE: dict[str, Any] = {"color": GRAY, "linewidth": 0.8, "linestyle": ":"}
_RANKS_STYLE = ("with the whole pyramid", PURPLE, "D", "-")
_RESAMPLED_STYLE = ("with each other, models sampled with replacement", ORANGE, "v", "-")


def _order_panel(
    title: str,
    lines: Sequence[Series],
    orders: Sequence[int],
    empty_text: str,
    *,
    threshold: float = math.nan,
    **scale: Any,
) -> Panel:
    """Draw lines over the number of references, or explain why there are none."""
    ticks = orders if len(orders) <= 12 else orders[:: len(orders) // 8]

    def add_annotations(axes: "Axes") -> None:
        if not math.isnan(threshold):
            axes.axhline(threshold, **_THRESHOLD_STYLE)
        if not orders:
            style: dict[str, Any] = {"transform": axes.transAxes, "ha": "center", "color": GRAY}
            axes.text(0.5, 0.5, empty_text, wrap=True, size=8, **style)

    scale = {"xlabel": "references in the pyramid", "xticks": ticks, **scale}
    return Panel(lines, title, scale=scale, margins={"x": 0.05}, grid="y", more=add_annotations)


def _line_style(fields: tuple[str, str, str, str]) -> dict[str, Any]:
    label, color, marker, style = fields
    return {
        "label": label, "color": color, "marker": marker, "markersize": 4.5, "linestyle": style,
        "linewidth": 1.2, "clip_on": False,
    }  # fmt: skip


def _legend_styles(resampled_correlations: Sequence[OrderCorrelation]) -> list[Style]:
    styles: list[Style] = [_line_style(style) for style in _ERROR_STYLES.values()]
    if resampled_correlations:
        styles += [
            _line_style(_RANKS_STYLE),
            _line_style(_RESAMPLED_STYLE),
            {"label": "0.95", **_THRESHOLD_STYLE},
        ]
    return styles


#: More panels would not be readable.
MAX_SHOWN_PEERS = 40

_BAND_STYLE: Style = {"alpha": 0.22, "linewidth": 0}
_PANEL_LEGEND: tuple[Style, ...] = (
    {"color": BLUE, "marker": "s", "markersize": 3, "linewidth": 1.2, "label": "mean"},
    {"facecolor": BLUE, **_BAND_STYLE, "label": "from the lowest to the highest"},
)


@in_style
def growing_scores_figure(study: Stability, *, title: str = "", note: str = "") -> "Figure":
    """Draw one panel per summary, best first: lowest, mean and highest score by order."""
    best_order = np.argsort(-np.nan_to_num(study.scores.full, nan=-1), kind="stable")
    shown_peers = best_order[:MAX_SHOWN_PEERS].tolist()
    panels = Panels(len(shown_peers), side=(1.35, 1.15), gap=(0.14, 0.34), max_across=5)
    n_systems = len(study.scores.names)
    notes = (
        ""
        if len(shown_peers) == n_systems
        else f"the best {len(shown_peers)} of {n_systems} summaries",
        "references in bold" if (study.scores.reference >= 0).any() else "",
        "the number above a panel is the score by all references",
        note,
    )
    page = Page(
        f"Scores as the pyramid grows{f': {title}' if title else ''}",
        "; ".join(filter(None, notes)),
        plot=panels.plot_size,
        space=Space(left=PAD + 0.55, right=PAD + 0.05, above=0.3),
        legend=_PANEL_LEGEND,
    )
    limits = _score_limits(study, shown_peers)
    names = short_names(study.scores.names)
    for index, (axes, column) in enumerate(zip(panels.axes(page), shown_peers, strict=True)):
        _draw_panel(axes, study, column, names[column], limits)
        axes.tick_params("y", labelleft=index % panels.across == 0)
        # The last row may be shorter than the one above it.
        axes.tick_params("x", labelbottom=index + panels.across >= len(shown_peers))
    center_y = page.bottom + panels.plot_size[1] / 2
    page.figure.text(
        (PAD + 0.08) / page.width, center_y / page.height, f"{study.scores.score} score",
        rotation=90, va="center", ha="center",
    )  # fmt: skip
    page.write("references in the pyramid", (page.left, page.bottom - 0.36), va="center", size=9)
    return page.figure


def _draw_panel(
    axes: "Axes", study: Stability, column: int, name: str, limits: tuple[float, float]
) -> None:
    spread = study.spread
    has_scores = spread.count[:, column] > 0
    orders = spread.orders[has_scores]
    low, mean, high = (
        spread_table[has_scores, column] for spread_table in (spread.low, spread.mean, spread.high)
    )
    axes.fill_between(orders, low, high, color=BLUE, **_BAND_STYLE)
    axes.plot(orders, mean, color=BLUE, linewidth=1.2, marker="s", markersize=2.6)
    is_reference = study.scores.reference[column] >= 0
    axes.set_title(name, size=8, loc="left", pad=3, weight="bold" if is_reference else "normal")
    axes.text(
        1.0, 1.03, f"{study.scores.full[column]:.2f}", transform=axes.transAxes, ha="right", size=8
    )
    max_order = int(spread.orders[spread.count.any(axis=1)].max(initial=1))
    axes.set(xlim=(0.6, max_order + 0.4), ylim=limits)
    axes.set_xticks(range(1, max_order + 1, max(1, math.ceil(max_order / 6))))
    axes.grid(axis="y")


def _score_limits(study: Stability, columns: list[int]) -> tuple[float, float]:
    """Return the limits of an axis in tenths, with room for marks at its ends."""
    low = float(np.fmin.reduce(study.spread.low[:, columns], axis=None))
    high = float(np.fmax.reduce(study.spread.high[:, columns], axis=None))
    if math.isnan(low) or math.isnan(high):
        return 0.0, 1.0
    return math.floor(low * 10 + 1e-9) / 10 - 0.02, math.ceil(high * 10 - 1e-9) / 10 + 0.02


def growing_pair_figure(
    study: Stability, first: str, second: str, *, title: str = "", note: str = ""
) -> "Figure":
    """Draw two summaries as in Figure 3.2, and mark the order from which they differ."""
    summaries = study.scores.names
    for name in (first, second):
        if name not in summaries:
            hint = f"available: {', '.join(summaries)}"
            raise NotFoundError(f"there is no summary {name!r}", hint)
    pair = (summaries.index(first), summaries.index(second))
    columns = sorted(pair, key=lambda column: -study.scores.full[column])
    names = [short_name(study.scores.names[column]) for column in columns]
    order = _divergence_order(study, *columns)
    verdict = f"no pyramid of {order} references or more confuses them" if order else ""
    panel = Panel(
        [
            curve
            for column, color in zip(columns, (BLUE, VERMILLION), strict=True)
            for curve in _summary_curves(study, column, color)
        ],
        scale={"ylabel": f"{study.scores.score} score", "ylim": _score_limits(study, columns)},
        grid="y",
        more=partial(_mark_orders, study=study, columns=columns, divergence=order),
    )
    return panels_figure(
        [panel],
        title=f"{names[0]} and {names[1]} as the pyramid grows{f': {title}' if title else ''}",
        note="; ".join(filter(None, (verdict, note))),
        side=(5.2, 3.4),
        space=Space(left=PAD + 0.55, right=PAD + 0.1, below=0.62),
        legend=_pair_legend(names, order),
    )


_DIVERGENCE_STYLE: dict[str, Any] = {"color": GREEN, "linestyle": ":", "linewidth": 1.4}
_MARK_STYLES = {"low": ("^", "least"), "mean": ("s", "mean"), "high": ("x", "greatest")}


def _summary_curves(study: Stability, column: int, color: str) -> Iterator[Series | Span]:
    spread = study.spread
    has_scores = spread.count[:, column] > 0
    orders = spread.orders[has_scores]
    for statistic, (marker, _) in _MARK_STYLES.items():
        width, alpha = (1.4, 1.0) if statistic == "mean" else (0.7, 0.85)
        style = {"color": color, "marker": marker, "markersize": 5, "linewidth": width}
        yield Series(
            orders, getattr(spread, statistic)[has_scores, column], {**style, "alpha": alpha}
        )
    low, high = spread.low[has_scores, column], spread.high[has_scores, column]
    yield Span(orders, low, high, {"color": color, "alpha": 0.07, "linewidth": 0})


def _mark_orders(
    axes: "Axes", *, study: Stability, columns: list[int], divergence: int | None
) -> None:
    """Label the orders, with their numbers of pyramids if these are the same for both summaries."""
    if divergence:
        axes.axvline(divergence, **_DIVERGENCE_STYLE)
    counts = study.spread.count[:, columns]
    has_scores = counts.any(axis=1)
    orders = study.spread.orders[has_scores].tolist()
    label = "references in the pyramid"
    # A reference is scored by the others, a peer by all.
    if (counts[:, 0] == counts[:, 1]).all():
        order_counts = zip(orders, counts[has_scores, 0].tolist(), strict=True)
        axes.set_xticks(orders, [f"{order}\n({count:,})" for order, count in order_counts])
        label += " (pyramids of each summary)"
    else:
        axes.set_xticks(orders)
    axes.set_xlabel(label)


def _divergence_order(study: Stability, first: int, second: int) -> int | None:
    """Return the order from which all scores of the first are above those of the second."""
    low, high = study.spread.low[:, first], study.spread.high[:, second]
    is_comparable = ~(np.isnan(low) | np.isnan(high))
    undecided_orders = np.flatnonzero(is_comparable & ~(low > high))
    first_index = int(undecided_orders[-1]) + 1 if len(undecided_orders) else 0
    return int(study.spread.orders[first_index]) if is_comparable[first_index:].any() else None


def _pair_legend(names: list[str], order: int | None) -> list[Style]:
    mark_style: dict[str, Any] = {"color": INK, "linestyle": "none", "markersize": 5}
    colors = zip(names, (BLUE, VERMILLION), strict=True)
    return [
        *({"color": color, "linewidth": 1.6, "label": name} for name, color in colors),
        *(
            {**mark_style, "marker": marker, "label": label}
            for marker, label in _MARK_STYLES.values()
        ),
        *([{**_DIVERGENCE_STYLE, "label": "divergence"}] if order else []),
    ]
