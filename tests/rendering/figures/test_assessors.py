"""Figures about assessors: they show the numbers."""

from functools import cache

import numpy as np
import pytest

from judges.assessor_samples import tac_year
from pyramidion.errors import InputError
from pyramidion.judges._charts import (
    consistency_picture,
    contingency_picture,
    difference_picture,
    impact_figure,
    metric_impact_figure,
    severity_picture,
)
from pyramidion.judges._consistency import Consistency, PairAlpha, contingency
from pyramidion.judges._impact import assessor_impact, worst_by_alpha
from pyramidion.judges._panel import MeasureLevel, StudyOptions
from pyramidion.judges._severity import TopicDifference, assessor_differences
from pyramidion.judges._study import study_assessors
from pyramidion.rendering.charts.picture import Box, Dot, Text
from pyramidion.rendering.charts.rows import PanelRow, RowPanel, row_panels_picture
from rendering.figures.reading import bars, intervals, labels, names, of, points, scale, texts

NAN = float("nan")


@cache
def study():
    return study_assessors([tac_year(seed=1)], StudyOptions(n_resamples=50))


def many(names, values=(1, 2, 3, 4, 5), measures=("readability", "responsiveness")):
    """Make assessors by hand, with pairs of any values."""
    rng = np.random.default_rng(0)
    consistencies = []
    for measure in measures:
        for name in names:
            pairs = rng.choice(values, size=(2, 500))
            alpha = PairAlpha(float(rng.random()), 0.1, 0.9)
            level = MeasureLevel("ordinal", "requested", values)
            table = contingency(*pairs, values)  # type: ignore[call-arg]
            consistencies.append(
                Consistency("2011", name, measure, 500, 0, alpha, level, 1.0, NAN, 0.2, table)
            )
    return consistencies


def impacts(measures=("readability", "responsiveness"), **options):
    assessed = study()
    return [
        assessor_impact(
            assessed.panel,
            "2011",
            measure,
            worst_by_alpha(assessed.consistency, "2011", measure),
            metrics=["rouge-2-r"],
            **options,
        )
        for measure in measures
    ]


def topics(assessors="ABCDEFGH", n=44):
    rng = np.random.default_rng(3)
    return [
        TopicDifference("2011", "A", f"D{i}", assessors[i % len(assessors)], 50, 0.4, 0.4 - d, d)
        for i, d in enumerate(rng.normal(0, 0.05, n).tolist())
    ]


LONG = [f"an-assessor-with-a-long-name-of-number-{n}" for n in range(3)]
FIGURES = {
    "consistency": lambda: consistency_picture(study().consistency),
    "consistency-many": lambda: consistency_picture(many([f"A{n}" for n in range(40)])),
    "consistency-long": lambda: consistency_picture(many(LONG)),
    "consistency-five": lambda: consistency_picture(many("AB", measures=[*"uvxyz"])),
    "severity": lambda: severity_picture(study().severity),
    "differences": lambda: difference_picture(assessor_differences(topics()), topics()),
    "contingency": lambda: contingency_picture(study().consistency, ["readability"]),
    "contingency-two": lambda: contingency_picture(
        study().consistency, ["readability", "responsiveness"]
    ),
    "contingency-ten": lambda: contingency_picture(
        many("AB", tuple(range(11))), ["readability", "responsiveness"], strength="distance"
    ),
    "contingency-two-values": lambda: contingency_picture(many("ABC", (0, 1)), ["readability"]),
    "impact": lambda: impact_figure(impacts()),
    "impact-five": lambda: impact_figure(impacts() + impacts() + impacts()[:1]),
    "metrics": lambda: metric_impact_figure(impacts(), ["rouge-2-r"]),
    "metrics-systems": lambda: metric_impact_figure(impacts(), ["rouge-2-r"], level="system"),
}


def test_bars_are_alpha_and_lines_its_interval():
    consistencies = [row for row in study().consistency if row.measure == "readability"]
    picture = consistency_picture(consistencies)
    shown = names(picture)
    lengths, ends = bars(picture, gap=0), intervals(picture)
    for row in consistencies:
        name = f"{row.assessor or 'all'} ({row.pairs})"
        (part,) = lengths[name].values()
        assert part == pytest.approx((0, row.alpha.value), abs=2e-6)
        assert ends[name][:2] == pytest.approx((row.alpha.low, row.alpha.high))
    alphas = {f"{o.assessor} ({o.pairs})": o.alpha.value for o in consistencies if o.assessor}
    assert shown[:-1] == sorted(alphas, key=lambda name: -alphas[name])
    assert shown[-1].startswith("all (")


def test_what_is_undefined_says_so():
    panel = RowPanel("m", (PanelRow("K", NAN), PanelRow("L", 0.5)))
    picture = row_panels_picture([panel], title="t", note="", label="alpha")
    (mark,) = (mark for mark in of(picture, Text) if mark.text == "undefined")
    assert mark.y == labels(picture)[0].y
    assert list(points(picture)) == ["L"]


def test_where_all_is_zero_there_is_room_for_it():
    panel = RowPanel("m", (PanelRow("K", 0.0), PanelRow("L", 0.0)))
    picture = row_panels_picture([panel], title="t", note="", label="severity")
    ticks = [text for text in texts(picture) if text.replace(".", "").isdigit()]
    assert (ticks[0], len(ticks) > 1) == ("0", True)


def test_single_values_are_points_below_the_mean():
    panel = RowPanel("", (PanelRow("K", 0.5, 0.4, 0.6, points=(0.3, 0.7)),))
    picture = row_panels_picture([panel], title="t", note="", label="m", mark_kind="points")
    value, middle = scale(picture), labels(picture)[0].y
    pale = [dot for dot in of(picture, Dot) if dot.y > middle]
    assert sorted(value(dot.x) for dot in pale) == pytest.approx([0.3, 0.7])
    assert len({dot.color for dot in of(picture, Dot)}) == 2


def test_tiles_hold_the_counts_of_both_measures():
    consistencies = study().consistency
    picture = contingency_picture(consistencies, ["readability", "responsiveness"])
    # The first matrix, in cells from its top left corner.
    left, top = (min(getattr(box, name) for box in of(picture, Box)) for name in ("x", "y"))
    size = of(picture, Box)[0].width / 0.96
    counts = [
        mark for mark in of(picture, Text) if mark.color != "soft" and mark.anchor == "middle"
    ]
    cells = {
        (int((mark.x - left) / size), int((mark.y - top) / size)): mark.text for mark in counts
    }
    written = {cell: text for cell, text in cells.items() if max(cell) <= 5}
    tables = [
        next(o.table for o in consistencies if o.assessor == "A" and o.measure == measure)
        for measure in ("readability", "responsiveness")
    ]
    expected = {}
    for low, high in np.argwhere(tables[0].counts).tolist():
        expected[low, high + 1] = str(tables[0].counts[low, high])
    for low, high in np.argwhere(tables[1].counts).tolist():
        expected[high + 1, low] = str(tables[1].counts[low, high])
    assert written == expected


@pytest.mark.parametrize("strength", ["count", "distance"])
def test_strong_colors_are_many_pairs_or_values_far_apart(strength):
    table = contingency([1, 1, 1, 1], [1, 1, 1, 5], (1, 2, 3, 4, 5))
    consistency = Consistency(
        "2011", "K", "m", 4, 0, PairAlpha(0.5, 0, 1), MeasureLevel("ordinal", ""), 1, 0, 0.75, table
    )
    picture = contingency_picture([consistency], ["m"], strength=strength)
    boxes = sorted(of(picture, Box), key=lambda box: (box.x, box.y))
    # The first column from the top: pairs of 1 and 1, 1 and 2, ... 1 and 5; red fades to pale.
    equal, *_, apart = (int(box.color[5:], 16) for box in boxes[:5])
    assert (equal < apart) == (strength == "count")


def test_curves_are_the_correlations():
    (impact,) = impacts(["readability"])
    axes = impact_figure([impact]).axes[0]
    assert axes.lines[0].get_ydata().tolist() == [step.pearson for step in impact.steps]
    assert axes.lines[1].get_ydata().tolist() == [step.spearman for step in impact.steps]
    assert axes.lines[2].get_ydata().tolist()[1:] == [s.chance.pearson for s in impact.steps[1:]]
    ticks = [label.get_text() for label in axes.get_xticklabels()]
    assert ticks == ["nobody", *impact.steps[-1].left_out]
    curve = metric_impact_figure([impact], ["rouge-2-r"]).axes[0].lines[0].get_ydata().tolist()
    assert curve == [step.metrics[0].summary_level for step in impact.steps]


def test_nothing_to_draw():
    with pytest.raises(InputError, match="nothing can be drawn"):
        impact_figure([])
    with pytest.raises(InputError, match="0 metrics to draw; name 1 to 6"):
        metric_impact_figure(impacts(), [])
    with pytest.raises(InputError, match="charm: there are no pairs of values to count"):
        contingency_picture(study().consistency, ["charm"])
