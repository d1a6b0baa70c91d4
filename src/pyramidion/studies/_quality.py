"""The share of summaries that people judged very poor, poor, ... very good (Tables 2.3, 2.4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

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
from pyramidion.studies._source import StudyResult, StudySource, commonest

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture

#: What the marks of a scale from 1 to 5 are called.
FIVE = ("very poor", "poor", "barely adequate", "good", "very good")

# More categories are no categories.
_MOST = 11


@dataclass(frozen=True, slots=True)
class StudiedMeasures(Options):
    """Which measures are looked at."""

    measures: tuple[str, ...] = option(
        (), "Measures to use, comma-separated; all by default.", flags=("--measures", "-m")
    )


@dataclass(frozen=True, slots=True)
class QualityCategories:
    """How the summaries by people or by machines were judged.

    Parameters
    ----------
    measure, task, kind
        What was judged, for which task, and who wrote the summaries.
    categories
        What the marks are called, the lowest first.
    fractions
        The fraction of summaries in each category; they add up to 1.
    summaries, judgments
        How many there are.

    Examples
    --------
    >>> from pyramidion.studies import QualityCategories
    >>> QualityCategories("focus", "A", "human", ("0", "1"), (0.25, 0.75), 4, 4).below_good
    nan
    """

    measure: str
    task: str
    kind: str
    categories: tuple[str, ...]
    fractions: tuple[float, ...]
    summaries: int
    judgments: int

    @property
    def below_good(self) -> float:
        """The fraction in the first three of five categories; NaN on other scales."""
        return sum(self.fractions[:3]) if self.categories == FIVE else float("nan")


def quality_scales(
    scores: Scores, scales: Mapping[str, Scale], measures: Sequence[str] = ()
) -> tuple[dict[str, Scale], list[str]]:
    """Find the measures that are judged in a few categories, and report which are not.

    They are those with a scale of few steps, declared or usual, and those whose values are all
    whole numbers from 1 to 5. Judgments of less than a summary do not count. A measure that is
    named and has no categories is refused.
    """
    whole = scores.select(unit="")
    found, left_out = {}, []
    for measure in measures:
        whole.require("measure", measure)
    for measure in measures or whole.measures:
        values = set(whole.select(measure=measure).value.tolist())
        guessed = Scale(1, 5, 1) if values and values <= {1, 2, 3, 4, 5} else None
        scale = scales.get(measure) or SCALES.get(measure) or guessed
        if scale is not None and scale.step and len(_marks(scale)) <= _MOST:
            found[measure] = scale
        elif measures:
            hint = "declare a scale with few steps in collection.toml"
            raise InputError(f"{measure} is not judged in categories", hint=hint)
        else:
            left_out.append(f"{measure}: it is not judged in categories")
    if not found:
        hint = "add judgments, for instance of readability from 1 to 5"
        raise NotFoundError("no summary is judged in categories", hint=hint)
    return found, left_out


def quality_categories(scores: Scores, measure: str, scale: Scale) -> list[QualityCategories]:
    """Return the fraction of summaries in each category, by task, machines' and people's apart.

    A summary with several judgments counts in parts, so that each summary counts once.
    """
    judged = scores.select(measure=measure, unit="")
    for value in np.unique(judged.value).tolist():
        if not scale.allows(value):
            what = f"{measure} has the value {value:g}, which is none of its categories"
            raise InputError(what, hint="give single judgments rather than means, or fix the scale")
    marks = _marks(scale)
    five = (scale.low, scale.high, scale.step) == (1, 5, 1)
    names = FIVE if five else tuple(f"{mark:g}" for mark in marks)
    places = np.rint((judged.value - scale.low) / scale.step).astype(np.int64)
    rows = zip(rows_of(judged, "collection", "topic", "system"), places, strict=True)
    groups = grouped(zip(rows_of(judged, "task", "kind"), rows, strict=True))
    found = []
    for (task, kind), own in sorted(groups.items()):
        summaries = grouped(own).values()
        parts = [np.bincount(own, minlength=len(marks)) / len(own) for own in summaries]
        fractions = tuple(np.mean(parts, axis=0).tolist())
        counts = len(summaries), len(own)
        found.append(QualityCategories(measure, task, kind, names, fractions, *counts))
    return found


def _marks(scale: Scale) -> Floats:
    if not scale.step or (scale.high - scale.low) / scale.step > 1000:
        return np.array([])
    steps = round((scale.high - scale.low) / scale.step)
    return np.linspace(scale.low, scale.high, steps + 1)


_WRITERS = {"human": "people", "machine": "machines"}
_NOTE = "Fractions of summaries; one with several judgments counts in parts."


@question
def quality(source: StudySource, chosen: StudiedMeasures) -> StudyResult[QualityCategories]:
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
    scales, left_out = quality_scales(scores, collection.scales, chosen.measures)
    found = [row for own in scales.items() for row in quality_categories(scores, *own)]
    charts = [Chart("quality", partial(quality_picture, found), left_out=_not_drawn(found))]
    return source.result(
        "quality", collection, found, _RECORD.record, _tables(found), charts,
        details=chosen.changed("measures"), left_out=left_out,
    )  # fmt: skip


_RECORD: View[QualityCategories] = View(
    "categories",
    (
        *columns("measure", "task", "kind", "summaries", "judgments"),
        data("fractions", lambda row: dict(zip(row.categories, row.fractions, strict=True))),
        data("below_good"),
    ),
)


def _tables(found: Sequence[QualityCategories]) -> Iterator[Table]:
    """Make a table for each task, kind and scale, machines first."""
    groups = grouped(
        ((r.kind == "human", r.task, r.categories != FIVE, r.categories), r) for r in found
    )
    for (_, task, other, categories), rows in sorted(groups.items(), key=lambda item: item[0][:3]):
        last = () if other else ("below good",)
        cells: tuple[tuple[Cell, ...], ...] = tuple(
            (row.measure, row.summaries, *row.fractions, *[row.below_good] * len(last))
            for row in rows
        )
        heads, kind = ("measure", "summaries", *categories, *last), rows[0].kind
        title = f"Quality of summaries by {_WRITERS[kind]}{f', task {task}' if task else ''}"
        key = (("task", task), ("kind", kind))
        yield Table(heads, cells, title, _NOTE, key=key, name="categories")


def _not_drawn(found: Sequence[QualityCategories]) -> tuple[str, ...]:
    common = commonest(len(row.categories) for row in found)
    others = dict.fromkeys(row.measure for row in found if len(row.categories) != common)
    return (f"the figure: {', '.join(others)}, on another scale",) if others else ()


def quality_picture(found: Sequence[QualityCategories]) -> "Picture":
    """Draw a bar for each measure, task and kind of writer, split into categories.

    Those with as many categories as most have are drawn.
    """
    common = commonest(len(row.categories) for row in found)
    alike = [row for row in found if len(row.categories) == common]
    # Machines first, as in the tables; measures keep their order.
    rows = sorted(alike, key=lambda row: (row.kind == "human", row.task))
    names = [
        f"{short_name(row.measure)}{f', task {row.task}' if row.task else ''}, "
        f"{_WRITERS[row.kind]} ({row.summaries:,})"
        for row in rows
    ]
    return bars_picture(
        names, np.array([row.fractions for row in rows]), list(_parts(rows[0].categories)),
        title="Quality of summaries",
        note="fraction of summaries that people judged to be in each category",
        label="fraction of summaries", form=".2f", people=[row.kind == "human" for row in rows],
    )  # fmt: skip


# From bad to good, and distinct in gray, too: RdYlBu of ColorBrewer without its ends.
_SHADES = ["d73027", "f46d43", "fdae61", "fee090", "ffffbf", "e0f3f8", "abd9e9", "74add1", "4575b4"]


def _parts(categories: Sequence[str]) -> Iterator[BarPart]:
    """Return colors from bad to good."""
    shades = np.array([[int(shade[i : i + 2], 16) for i in (0, 2, 4)] for shade in _SHADES])
    places = np.linspace(0, len(shades) - 1, len(categories))
    colors = [np.interp(places, range(len(shades)), part) for part in shades.T]
    for name, (red, green, blue) in zip(categories, np.stack(colors, axis=1), strict=True):
        ink = "#ffffff" if 0.3 * red + 0.59 * green + 0.11 * blue < 128 else "#000000"
        yield BarPart(name, f"#{round(red):02x}{round(green):02x}{round(blue):02x}", ink)
