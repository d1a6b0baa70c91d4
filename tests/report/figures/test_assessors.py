"""Figures about assessors: they show the numbers."""

from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from evaluation.assessor_samples import tac_year
from pyramidion.errors import InputError
from pyramidion.evaluation._assessors.chart import (
    consistency_figure,
    contingency_figure,
    difference_figure,
    impact_figure,
    metric_impact_figure,
    severity_figure,
)
from pyramidion.evaluation._assessors.consistency import Consistency, PairAlpha, contingency
from pyramidion.evaluation._assessors.impact.measure import assessor_impact, worst_by_alpha
from pyramidion.evaluation._assessors.panel import MeasureLevel, StudyOptions
from pyramidion.evaluation._assessors.severity import TopicDifference, assessor_differences
from pyramidion.evaluation._assessors.study import study_assessors
from pyramidion.report.charts.rows import PanelRow, RowPanel, row_panels_figure

NAN = float("nan")


@cache
def study():
    return study_assessors([tac_year(seed=1)], StudyOptions(n_resamples=50))


def many(names, values=(1, 2, 3, 4, 5), measures=("readability", "responsiveness")):
    """Make assessors by hand, with pairs of any values."""
    rng = np.random.default_rng(0)
    found = []
    for measure in measures:
        for name in names:
            pairs = rng.choice(values, size=(2, 500))
            alpha = PairAlpha(float(rng.random()), 0.1, 0.9)
            level = MeasureLevel("ordinal", "asked for", values)
            table = contingency(*pairs, values)  # type: ignore[call-arg]
            found.append(
                Consistency("2011", name, measure, 500, 0, alpha, level, 1.0, NAN, 0.2, table)
            )
    return found


def impacts(measures=("readability", "responsiveness"), **options):
    found = study()
    return [
        assessor_impact(
            found.panel,
            "2011",
            measure,
            worst_by_alpha(found.consistency, "2011", measure),
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
    "consistency": lambda: consistency_figure(study().consistency),
    "consistency-many": lambda: consistency_figure(many([f"A{n}" for n in range(40)])),
    "consistency-long": lambda: consistency_figure(many(LONG)),
    "consistency-five": lambda: consistency_figure(many("AB", measures=[*"uvxyz"])),
    "severity": lambda: severity_figure(study().severity),
    "differences": lambda: difference_figure(assessor_differences(topics()), topics()),
    "contingency": lambda: contingency_figure(study().consistency, ["readability"]),
    "contingency-two": lambda: contingency_figure(
        study().consistency, ["readability", "responsiveness"]
    ),
    "contingency-ten": lambda: contingency_figure(
        many("AB", tuple(range(11))), ["readability", "responsiveness"], strength="distance"
    ),
    "contingency-two-values": lambda: contingency_figure(many("ABC", (0, 1)), ["readability"]),
    "impact": lambda: impact_figure(impacts()),
    "impact-five": lambda: impact_figure(impacts() + impacts() + impacts()[:1]),
    "metrics": lambda: metric_impact_figure(impacts(), ["rouge-2-r"]),
    "metrics-systems": lambda: metric_impact_figure(impacts(), ["rouge-2-r"], level="system"),
}


def test_bars_are_alpha_and_lines_its_interval():
    found = [own for own in study().consistency if own.measure == "readability"]
    axes = consistency_figure(found).axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    own = {o.assessor: o for o in found}
    drawn = dict(zip(names, axes.patches, strict=True))
    for name in "ABCD":
        bar = drawn[f"{name} ({own[name].pairs})"]
        assert bar.get_width() == pytest.approx(own[name].alpha.value)  # type: ignore[attr-defined]
    assert names[-1] == f"all ({own[None].pairs})"
    line = axes.collections[0].get_segments()[0][:, 0]  # type: ignore[attr-defined]
    best = max((o for o in found if o.assessor), key=lambda o: o.alpha.value)
    assert tuple(line) == pytest.approx((best.alpha.low, best.alpha.high))


def test_what_is_undefined_says_so():
    panel = RowPanel("m", (PanelRow("K", NAN), PanelRow("L", 0.5)))
    figure = row_panels_figure([panel], title="t", note="", label="alpha")
    assert [text.get_text().strip() for text in figure.axes[0].texts] == ["undefined"]


def test_where_all_is_zero_there_is_room_for_it():
    panel = RowPanel("m", (PanelRow("K", 0.0), PanelRow("L", 0.0)))
    figure = row_panels_figure([panel], title="t", note="", label="severity")
    low, high = figure.axes[0].get_xlim()
    assert (low, high > 0) == (0, True)


def test_tiles_hold_the_counts_of_both_measures():
    found = study().consistency
    figure = contingency_figure(found, ["readability", "responsiveness"])
    axes = figure.axes[0]
    written = {(int(t.get_position()[0]), int(t.get_position()[1])): t for t in axes.texts}
    tables = [
        next(o.table for o in found if o.assessor == "A" and o.measure == measure)
        for measure in ("readability", "responsiveness")
    ]
    expected = {}
    for low, high in np.argwhere(tables[0].counts).tolist():
        expected[low, high + 1] = str(tables[0].counts[low, high])
    for low, high in np.argwhere(tables[1].counts).tolist():
        expected[high + 1, low] = str(tables[1].counts[low, high])
    assert {place: text.get_text() for place, text in written.items()} == expected


@pytest.mark.parametrize("strength", ["count", "distance"])
def test_strong_colors_are_many_pairs_or_values_far_apart(strength):
    table = contingency([1, 1, 1, 1], [1, 1, 1, 5], (1, 2, 3, 4, 5))
    own = Consistency(
        "2011", "K", "m", 4, 0, PairAlpha(0.5, 0, 1), MeasureLevel("ordinal", ""), 1, 0, 0.75, table
    )
    figure = contingency_figure([own], ["m"], strength=strength)
    mesh = figure.axes[0].collections[0]
    values = mesh.get_array()
    equal, apart = values[1, 0], values[5, 0]
    assert (equal > apart) == (strength == "count")
    assert to_rgb(mesh.get_cmap()(0.0)) != to_rgb(mesh.get_cmap()(1.0))


def test_curves_are_the_correlations():
    (own,) = impacts(["readability"])
    axes = impact_figure([own]).axes[0]
    assert axes.lines[0].get_ydata().tolist() == [step.pearson for step in own.steps]
    assert axes.lines[1].get_ydata().tolist() == [step.spearman for step in own.steps]
    assert axes.lines[2].get_ydata().tolist()[1:] == [s.chance.pearson for s in own.steps[1:]]
    ticks = [label.get_text() for label in axes.get_xticklabels()]
    assert ticks == ["nobody", *own.steps[-1].left_out]
    drawn = metric_impact_figure([own], ["rouge-2-r"]).axes[0].lines[0].get_ydata().tolist()
    assert drawn == [step.metrics[0].summary_level for step in own.steps]


def test_nothing_to_draw():
    with pytest.raises(InputError, match="nothing to draw"):
        impact_figure([])
    with pytest.raises(InputError, match="0 metrics to draw; name 1 to 6"):
        metric_impact_figure(impacts(), [])
    with pytest.raises(InputError, match="charm: there are no pairs of values to count"):
        contingency_figure(study().consistency, ["charm"])
