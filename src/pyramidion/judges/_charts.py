"""Charts of assessors: consistency, severity (Figures 6.1 to 6.3) and impact.

Consistency, severity and manual minus automatic scores are rows with intervals; pairs of values
given to the same words are tiles; the impact of leaving out the worst is shown as lines.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError
from pyramidion.judges._consistency import Consistency, Contingency
from pyramidion.judges._impact import Impact
from pyramidion.judges._severity import (
    AssessorDifference,
    SeverityModel,
    TopicDifference,
)
from pyramidion.judges._study import ALL, best_first, span_name
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.layout import PAD, Space, Style
from pyramidion.rendering.charts.picture import Box, KeyEntry, Mark, Picture, Text, sort_marks
from pyramidion.rendering.charts.rows import PanelRow, RowPanel, row_panels_picture
from pyramidion.rendering.charts.style import (
    BLUE,
    GRAY,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    STRIPE,
    VERMILLION,
)
from pyramidion.rendering.labels import short_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MAX_PANELS_IN_ROW = 4

# Rows


def consistency_picture(
    consistencies: Sequence[Consistency], *, confidence_level: float = 0.95
) -> Picture:
    """Draw alpha of each assessor with its interval, one panel per measure, the best on top."""
    measures = grouped((row.measure, row) for row in best_first(consistencies))
    panels = [
        RowPanel(
            f"{measure} ({rows[0].level.level})",
            tuple(
                PanelRow(
                    f"{row.assessor or ALL} ({row.pairs})", row.alpha.value, row.alpha.low,
                    row.alpha.high, soft=row.assessor is None,
                )
                for row in rows
            ),
        )
        for measure, rows in measures.items()
    ]  # fmt: skip
    note = (
        f"Krippendorff's alpha of two judgments of the same words, with {confidence_level:.0%} "
        "intervals over topics; the number of pairs is in brackets"
    )
    title = f"Consistency of assessors: {span_name(consistencies[0].collection)}"
    return row_panels_picture(panels, title=title, note=note, label="alpha", limits=(0.0, 1.0))


def severity_picture(models: Sequence[SeverityModel], *, confidence_level: float = 0.95) -> Picture:
    """Draw each assessor's effect with its interval, one panel per measure."""
    panels = [
        RowPanel(
            f"{model.measure} ↓" if model.lower_is_better else model.measure,
            tuple(PanelRow(s.assessor, s.effect, s.low, s.high) for s in model.assessors),
        )
        for model in models
    ]
    controls = dict.fromkeys(model.beside for model in models if model.beside != "nothing")
    model_name = f"assessor + {' or '.join(controls)}" if controls else "assessor alone"
    note = (
        f"main effects that sum to zero, {model_name}, with {confidence_level:.0%} intervals; "
        "severe to the left, lenient to the right"
    )
    if any(model.lower_is_better for model in models):
        note += "; where lower is better (↓), the other way around"
    title = f"Severity of assessors: {span_name(models[0].collection)}"
    return row_panels_picture(panels, title=title, note=note, label="points", mark_kind="points")


def difference_picture(
    differences: Sequence[AssessorDifference],
    topics: Sequence[TopicDifference] = (),
    *,
    measure: str = "pyramid",
    confidence_level: float = 0.95,
) -> Picture:
    """Draw the mean of manual minus automatic scores of each assessor's topics, the best on top."""
    collection = differences[0].collection
    differences_by_judge = grouped(
        (topic.assessor, topic.difference)
        for topic in topics
        if collection in (None, topic.collection)
    )
    rows = tuple(
        PanelRow(
            f"{row.assessor} ({row.topics})", row.difference, row.low, row.high,
            points=tuple(differences_by_judge.get(row.assessor, ())),
        )
        for row in sorted(differences, key=lambda row: (-row.difference, row.assessor))
    )  # fmt: skip
    note = (
        f"means over topics (pale points; their number is in brackets) with {confidence_level:.0%} "
        "intervals; the lower, the less consistently units were marked"
    )
    title = f"Manual minus automatic {measure}: {span_name(collection)}"
    panels = [RowPanel("", rows)]
    label = "manual − automatic"
    return row_panels_picture(panels, title=title, note=note, label=label, mark_kind="points")


# Tiles

#: What the strength of a color shows.
Strength = Literal["count", "distance"]

_GAP_INCHES, _HEADING_INCHES, _LABELS_INCHES = 0.42, 0.3, 0.22
_COLORS = (VERMILLION, BLUE)
# The shade at which a color would be full, and above which numbers are white.
_FULL_COLOR_STRENGTH, _MIN_DARK_SHADE = 1.25, 0.6


def contingency_picture(
    consistencies: Sequence[Consistency], measures: Sequence[str], *, strength: Strength = "count"
) -> Picture:
    """Draw a matrix for each assessor: one measure below the diagonal, another above it.

    Colors are strong where pairs are many (as in Figure 6.1 of the dissertation), or where the
    two values are far apart (Figure 6.2).
    """
    with_pairs = (row for row in consistencies if row.pairs and row.measure in measures)
    tables = grouped(
        (row.assessor or ALL, (row.measure, row.table)) for row in with_pairs if row.table
    )
    panels = {
        name: [dict(pairs)[measure] for measure in measures]
        for name, pairs in tables.items()
        if len(pairs) == len(measures)
    }
    if not panels:
        raise InputError(
            f"{' and '.join(measures)}: there are no pairs of values to count",
            hint="choose measures that have few values and judgments of identical summaries",
        )
    size = len(next(iter(panels.values()))[0].values) + 1
    cell_size, has_several = max(0.19, min(0.3, 1.8 / size)), len(measures) > 1
    strong_label = "many pairs" if strength == "count" else "values far apart"
    half_labels = (", below the diagonal", ", above it") if has_several else ("", "")
    step, picture_marks = size * cell_size + _GAP_INCHES + _LABELS_INCHES, list[Mark]()
    for number, (name, halves_of_tiles) in enumerate(panels.items()):
        row, column = divmod(number, _MAX_PANELS_IN_ROW)
        left = _LABELS_INCHES + column * step
        top_y = _HEADING_INCHES + _LABELS_INCHES + row * (step + _HEADING_INCHES)
        picture_marks.append(
            Text(left, top_y - _LABELS_INCHES - 0.1 * has_several, short_name(name), 9)
        )
        for half_index, table in enumerate(halves_of_tiles):
            picture_marks += _tile_marks(table, strength, half_index, (left, top_y), cell_size)
    columns, rows = min(len(panels), _MAX_PANELS_IN_ROW), -(-len(panels) // _MAX_PANELS_IN_ROW)
    return Picture(
        f"Two judgments of the same words: {span_name(consistencies[0].collection)}",
        "how often an assessor gave each pair of values; "
        + "one measure below the diagonal, the other above; " * has_several
        + f"strong colors: {strong_label}",
        sort_marks(picture_marks),
        (columns * step, rows * (step + _HEADING_INCHES) - _GAP_INCHES + _LABELS_INCHES),
        [
            KeyEntry(f"{m}{half}", c)
            for m, c, half in zip(measures, _COLORS, half_labels, strict=False)
        ],
    )


def _tile_marks(
    table: Contingency,
    strength: Strength,
    half_index: int,
    corner: tuple[float, float],
    cell_size: float,
) -> Iterator[Mark]:
    """Draw the triangle of a measure, with the values at its outer sides."""
    left, top_y = corner
    shades, counts = _shifted_triangle(table, strength, half_index)
    for row, column in np.argwhere(~np.isnan(shades)).tolist():
        x, y, shade = left + column * cell_size, top_y + row * cell_size, float(shades[row, column])
        yield Box(
            x,
            y,
            0.96 * cell_size,
            0.96 * cell_size,
            _mix_with_pale_color(_COLORS[half_index], shade / _FULL_COLOR_STRENGTH),
        )
        if counts[row, column] > 0:
            ink = "#ffffff" if shade > _MIN_DARK_SHADE else INK
            text = f"{counts[row, column]:.0f}"
            yield Text(x + 0.48 * cell_size, y + 0.48 * cell_size, text, 6.5, ink, "middle")
    far_edge, label_gap = len(shades) * cell_size, 0.1
    for number, value in enumerate(f"{value:g}" for value in table.values):
        inner_center, outer_center = (number + 0.5) * cell_size, (number + 1.5) * cell_size
        x, y = (
            (inner_center, far_edge + label_gap) if half_index == 0 else (outer_center, -label_gap)
        )
        yield Text(left + x, top_y + y, value, 6.5, "soft", "middle")
        x, y = (
            (-label_gap, outer_center) if half_index == 0 else (far_edge + label_gap, inner_center)
        )
        yield Text(left + x, top_y + y, value, 6.5, "soft", "middle")


def _mix_with_pale_color(color: str, share: float) -> str:
    """Mix a color with the palest one."""
    parts = (
        (int(pale_part, 16), int(full_part, 16))
        for pale_part, full_part in ((STRIPE[i : i + 2], color[i : i + 2]) for i in (1, 3, 5))
    )
    return "#" + "".join(
        f"{round(pale_part + share * (full_part - pale_part)):02x}"
        for pale_part, full_part in parts
    )


def _shifted_triangle(
    table: Contingency, strength: Strength, half_index: int
) -> tuple[Floats, Floats]:
    """Shift a triangle below the diagonal, or mirror it above."""
    counts = table.counts.astype(np.float64)
    cell_shades = counts / max(float(counts.max()), 1.0)
    if strength == "distance":
        cell_shades = np.where(
            counts > 0, table.distances / max(float(table.distances.max()), 1.0), 0.0
        )
        # Agreement is pale, not white, where there are pairs.
        cell_shades = np.where((counts > 0) & (cell_shades == 0), 0.06, cell_shades)
    low, high = np.triu_indices(len(counts))
    shifted_triangles = np.full((2, len(counts) + 1, len(counts) + 1), np.nan)
    shifted_triangles[:, high + 1, low] = cell_shades[low, high], counts[low, high]
    shades, numbers = shifted_triangles
    return (shades, numbers) if half_index == 0 else (shades.T, numbers.T)


# Lines

#: Which correlation of a metric is drawn.
MetricLevel = Literal["system", "summary"]

_CHANCE_STYLE: dict[str, Any] = {"color": GRAY, "linestyle": ":", "linewidth": 1.3}


def _line_style(color: str, marker: str = "o", size: float = 4) -> dict[str, Any]:
    return {"color": color, "marker": marker, "markersize": size, "linewidth": 1.3}


_RANKING_STYLES = {"pearson": _line_style(BLUE), "spearman": _line_style(ORANGE, "s", 3.5)}
_METRIC_STYLES = [_line_style(color) for color in (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)]


def impact_figure(impacts: Sequence[Impact]) -> "Figure":
    """Draw how far rankings without the worst assessors agree with the full one."""
    panels = []
    for impact in impacts:
        steps, positions = impact.steps, range(len(impact.steps))
        chance_values = [1.0 if step.chance is None else step.chance.pearson for step in steps]
        values = {name: [getattr(step, name) for step in steps] for name in _RANKING_STYLES}
        finite_values = [
            value
            for line in (chance_values, *values.values())
            for value in line
            if math.isfinite(value)
        ]
        lines = [Series(positions, values[name], style) for name, style in _RANKING_STYLES.items()]
        lines.append(Series(positions, chance_values, _CHANCE_STYLE))
        panels.append(_impact_panel(impact, lines, ylim=(min(0.9, *finite_values) - 0.02, 1.01)))
    legend = [
        {**_RANKING_STYLES["pearson"], "label": "Pearson's r with the full ranking"},
        {**_RANKING_STYLES["spearman"], "label": "Spearman's rho with the full ranking"},
        {**_CHANCE_STYLE, "label": "mean r over all sets of the same size"},
    ]
    return _impact_panels(impacts, panels, "Rankings without the worst assessors", legend)


def metric_impact_figure(
    impacts: Sequence[Impact], metrics: Sequence[str], *, level: MetricLevel = "summary"
) -> "Figure":
    """Draw how metrics correlate with the remaining assessors.

    At level ``system`` correlations are of systems' means, at level ``summary`` of each
    assessor's summaries, averaged.
    """
    if not 1 <= len(metrics) <= len(_METRIC_STYLES):
        raise InputError(f"{len(metrics)} metrics to draw", hint=f"name 1 to {len(_METRIC_STYLES)}")
    field, scope_label, ylabel = "pearson", "over systems", "Pearson's r"
    if level == "summary":
        field, scope_label, ylabel = "summary_level", "over summaries", "mean r over assessors"
    styles = dict(zip(metrics, _METRIC_STYLES, strict=False))
    panels = []
    for impact in impacts:
        steps = [
            {metric.metric: getattr(metric, field) for metric in step.metrics}
            for step in impact.steps
        ]
        lines = [
            Series(range(len(steps)), [step.get(metric, math.nan) for step in steps], style)
            for metric, style in styles.items()
        ]
        panels.append(_impact_panel(impact, lines))
    legend = [{**style, "label": short_name(name)} for name, style in styles.items()]
    title = f"Metrics without the worst assessors, {scope_label}"
    return _impact_panels(impacts, panels, title, legend, ylabel)


def _impact_panels(
    impacts: Sequence[Impact],
    panels: Sequence[Panel],
    title: str,
    legend: Sequence[Style],
    ylabel: str = "",
) -> "Figure":
    if not impacts:
        raise InputError("nothing can be drawn", hint="leave out at least one assessor")
    first_impact = impacts[0]
    task = (
        "all tasks together"
        if first_impact.task is None
        else f"task {first_impact.task}"
        if first_impact.task
        else ""
    )
    peers = "machines only" if first_impact.peers == "machines" else "all peers"
    caption = "assessors are left out one after the other, the least consistent first"
    return panels_figure(
        panels, title=f"{title}: {first_impact.collection}",
        note="; ".join(part for part in (task, peers, caption) if part), side=(2.1, 1.6),
        gap=(0.55, 0.8), max_columns=_MAX_PANELS_IN_ROW, legend=legend, ylabel=ylabel,
        space=Space(left=PAD + 0.6, right=PAD + 0.1, above=_HEADING_INCHES),
    )  # fmt: skip


def _impact_panel(impact: Impact, lines: Sequence[Series], **scale: Any) -> Panel:
    left_out_names = [step.left_out[-1] if step.left_out else "nobody" for step in impact.steps]
    names = [short_name(name) if len(name) <= 9 else f"{name[:8]}…" for name in left_out_names]
    criterion_note = "" if impact.worst.criterion == "alpha" else " (by manual − automatic)"
    return Panel(
        lines,
        f"{short_name(impact.measure)}{criterion_note}",
        scale={"xticks": range(len(names)), "xticklabels": names, **scale},
        margins={"x": 0.06},
        grid="y",
        more=lambda axes: axes.tick_params("x", labelrotation=40),
    )
