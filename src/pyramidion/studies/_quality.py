"""The fraction of summaries rated very poor, poor, ... very good (Tables 2.3, 2.4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import SCALES, Scale, Scores
from pyramidion.collection.ids import grouped
from pyramidion.comparison.common import rows_of
from pyramidion.errors import InputError, NotFoundError
from pyramidion.questions import Options, option, question
from pyramidion.rendering.charts.bars import BarPart, bars_picture
from pyramidion.rendering.labels import short_name
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import View, columns, data
from pyramidion.studies._judgments import JudgmentRow, judgment_rows, judgment_tables
from pyramidion.studies._source import KINDS, StudyResult, StudySource, most_common

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture

#: The names of the marks from 1 to 5.
FIVE_POINT_NAMES = ("very poor", "poor", "barely adequate", "good", "very good")

# Scales with more marks are not categories.
_MAX_CATEGORIES = 11


@dataclass(frozen=True, slots=True)
class StudiedMeasures(Options):
    """Which measures are studied."""

    measures: tuple[str, ...] = option(
        (), "Measures to use, comma-separated; all by default.", flags=("--measures", "-m")
    )


@dataclass(frozen=True, slots=True)
class QualityOptions(StudiedMeasures):
    """Which judgments are studied, and whether they are studied one by one."""

    judgments: bool = option(
        False, "Also show tied ranks, the topics of each assessor in each category, and Fleiss' "
        "kappa (Rankel's Tables 3.1 and 3.2, Nenkova's section 5.2.6).", flags=("--judgments",),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class QualityCategories:
    """How the summaries by people or by machines were judged."""

    measure: str
    task: str
    kind: str  #: ``human`` or ``machine``
    categories: tuple[str, ...]  #: names of the marks, the lowest first
    fractions: tuple[float, ...]  #: of summaries in each category
    summaries: int
    judgments: int

    @property
    def below_good(self) -> float:
        """The fraction in the first three of five categories; NaN on other scales."""
        return sum(self.fractions[:3]) if self.categories == FIVE_POINT_NAMES else float("nan")


def quality_scales(
    scores: Scores, scales: Mapping[str, Scale], measures: Sequence[str] = ()
) -> tuple[dict[str, Scale], list[str]]:
    """Find the measures that are judged in a few categories, and report the others.

    They have a scale of few steps, declared or usual, or whole numbers from 1 to 5 only.
    """
    summary_scores = scores.select(unit="")
    scales_by_measure, left_out = {}, []
    for measure in measures:
        summary_scores.require("measure", measure)
    for measure in measures or summary_scores.measures:
        values = set(summary_scores.select(measure=measure).value.tolist())
        guessed_scale = Scale(1, 5, 1) if values and values <= {1, 2, 3, 4, 5} else None
        scale = scales.get(measure) or SCALES.get(measure) or guessed_scale
        if scale is not None and scale.step and len(_marks(scale)) <= _MAX_CATEGORIES:
            scales_by_measure[measure] = scale
        elif measures:
            hint = "declare a scale with few steps in collection.toml"
            raise InputError(f"{measure} is not judged in categories", hint=hint)
        else:
            left_out.append(f"{measure}: it is not judged in categories")
    if not scales_by_measure:
        hint = "add judgments, for instance of readability from 1 to 5"
        raise NotFoundError("no summary is judged in categories", hint=hint)
    return scales_by_measure, left_out


def quality_categories(scores: Scores, measure: str, scale: Scale) -> list[QualityCategories]:
    """Return the fraction of summaries in each category, by task and by kind of writer.

    A summary with several judgments counts once, in parts.
    """
    measure_scores = scores.select(measure=measure, unit="")
    for value in np.unique(measure_scores.value).tolist():
        if not scale.allows(value):
            message = f"{measure} has the value {value:g}, which is not one of its categories"
            raise InputError(
                message, hint="use single judgments rather than means, or fix the scale"
            )
    marks = _marks(scale)
    is_five_point = (scale.low, scale.high, scale.step) == (1, 5, 1)
    names = FIVE_POINT_NAMES if is_five_point else tuple(f"{mark:g}" for mark in marks)
    indices = np.rint((measure_scores.value - scale.low) / scale.step).astype(np.int64)
    rows = zip(rows_of(measure_scores, "collection", "topic", "system"), indices, strict=True)
    groups = grouped(zip(rows_of(measure_scores, "task", "kind"), rows, strict=True))
    categories = []
    for (task, kind), judgments in sorted(groups.items()):
        summaries = grouped(judgments).values()
        fractions_by_summary = [
            np.bincount(row, minlength=len(marks)) / len(row) for row in summaries
        ]
        fractions = tuple(np.mean(fractions_by_summary, axis=0).tolist())
        counts = len(summaries), len(judgments)
        categories.append(QualityCategories(measure, task, kind, names, fractions, *counts))
    return categories


def _marks(scale: Scale) -> Floats:
    if not scale.step or (scale.high - scale.low) / scale.step > 1000:
        return np.array([])
    steps = round((scale.high - scale.low) / scale.step)
    return np.linspace(scale.low, scale.high, steps + 1)


_NOTE = "Fractions of summaries; a summary with several judgments is divided among its categories."


@question
def quality(
    source: StudySource, options: QualityOptions
) -> StudyResult[QualityCategories | JudgmentRow]:
    """Show the fraction of summaries rated very poor, poor, ..., very good (Tables 2.3, 2.4).

    Examples
    --------
    >>> import pandas as pd
    >>> from pyramidion.studies import quality
    >>> rows = [("T1", "7", "focus", 4), ("T1", "8", "focus", 5)]
    >>> result = quality(pd.DataFrame(rows, columns=["topic", "system", "measure", "value"]))
    >>> result[0].fractions
    (0.0, 0.0, 0.0, 0.5, 0.5)
    """
    collection = source.read()
    scores = source.scores_of(collection)
    scales, left_out = quality_scales(scores, collection.scales, options.measures)
    rows = [row for pair in scales.items() for row in quality_categories(scores, *pair)]
    charts = [Chart("quality", partial(quality_picture, rows), left_out=_not_drawn(rows))]
    judgment_table_rows: list[JudgmentRow] = []
    if options.judgments:
        judgment_table_rows, missing_notes = judgment_rows(collection, scores, list(scales))
        left_out += missing_notes
    return source.result(
        "quality", collection, [*rows, *judgment_table_rows], _record,
        [*_tables(rows), *judgment_tables(judgment_table_rows)], charts,
        details=options.changed("measures", "judgments"), left_out=left_out,
    )  # fmt: skip


def _record(value: QualityCategories | JudgmentRow) -> Mapping[str, Any]:
    return _CATEGORY_VIEW.record(value) if isinstance(value, QualityCategories) else asdict(value)


_CATEGORY_VIEW: View[QualityCategories] = View(
    "categories",
    (
        *columns("measure", "task", "kind", "summaries", "judgments"),
        data("fractions", lambda row: dict(zip(row.categories, row.fractions, strict=True))),
        data("below_good"),
    ),
)


def _tables(results: Sequence[QualityCategories]) -> Iterator[Table]:
    """Make a table for each task, kind and scale, machines first."""
    groups = grouped(
        ((r.kind == "human", r.task, r.categories != FIVE_POINT_NAMES, r.categories), r)
        for r in results
    )
    for (_, task, is_other_scale, categories), rows in sorted(
        groups.items(), key=lambda item: item[0][:3]
    ):
        extra_columns = () if is_other_scale else ("below good",)
        table_rows: tuple[tuple[Cell, ...], ...] = tuple(
            (row.measure, row.summaries, *row.fractions, *[row.below_good] * len(extra_columns))
            for row in rows
        )
        column_names, kind = ("measure", "summaries", *categories, *extra_columns), rows[0].kind
        title = f"Quality of summaries by {KINDS[kind]}{f', task {task}' if task else ''}"
        key = (("task", task), ("kind", kind))
        yield Table(column_names, table_rows, title, _NOTE, key=key, name="categories")


def _not_drawn(results: Sequence[QualityCategories]) -> tuple[str, ...]:
    common_size = most_common(len(row.categories) for row in results)
    measures = dict.fromkeys(row.measure for row in results if len(row.categories) != common_size)
    return (f"the figure: {', '.join(measures)}, on another scale",) if measures else ()


def quality_picture(results: Sequence[QualityCategories]) -> "Picture":
    """Draw a bar for each measure, task and kind of writer, on the most common scale."""
    common_size = most_common(len(row.categories) for row in results)
    same_scale_rows = [row for row in results if len(row.categories) == common_size]
    # Machines first, as in the tables; measures keep their order.
    rows = sorted(same_scale_rows, key=lambda row: (row.kind == "human", row.task))
    names = [
        f"{short_name(row.measure)}{f', task {row.task}' if row.task else ''}, "
        f"{KINDS[row.kind]} ({row.summaries:,})"
        for row in rows
    ]
    return bars_picture(
        names, np.array([row.fractions for row in rows]), list(_bar_parts(rows[0].categories)),
        title="Quality of summaries",
        note="fraction of summaries that people judged to be in each category",
        label="fraction of summaries", number_format=".2f",
        is_person=[row.kind == "human" for row in rows],
    )  # fmt: skip


# From bad to good, and distinct in gray: RdYlBu of ColorBrewer without its ends.
_CATEGORY_COLORS = [
    "d73027",
    "f46d43",
    "fdae61",
    "fee090",
    "ffffbf",
    "e0f3f8",
    "abd9e9",
    "74add1",
    "4575b4",
]


def _bar_parts(categories: Sequence[str]) -> Iterator[BarPart]:
    """Return colors from bad to good."""
    shades = np.array(
        [[int(shade[i : i + 2], 16) for i in (0, 2, 4)] for shade in _CATEGORY_COLORS]
    )
    positions = np.linspace(0, len(shades) - 1, len(categories))
    colors = [np.interp(positions, range(len(shades)), channel) for channel in shades.T]
    for name, (red, green, blue) in zip(categories, np.stack(colors, axis=1), strict=True):
        ink = "#ffffff" if 0.3 * red + 0.59 * green + 0.11 * blue < 128 else "#000000"
        yield BarPart(name, f"#{round(red):02x}{round(green):02x}{round(blue):02x}", ink)
