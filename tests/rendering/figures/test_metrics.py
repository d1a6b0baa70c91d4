"""Bars, scatter plots and matrices of evaluated metrics."""

import math
from dataclasses import replace

import numpy as np
import pytest

from meta_evaluation.judging_samples import as_scores, tables_of
from pyramidion.errors import DataWarning
from pyramidion.meta_evaluation import meta_evaluate
from pyramidion.rendering.charts.picture import Line, Text
from rendering.figures.reading import (
    bars,
    blocks,
    columns,
    intervals,
    names,
    of,
    points_of_panels,
    texts,
    tile_texts,
)

PEOPLE = (7, 8)


def judged(metrics=("good", "fair", "poor"), *, people=PEOPLE, constant=(), **options):
    """Evaluate metrics, the first one the best; those in `constant` give everything a 1."""
    rng = np.random.default_rng(1)
    truth = np.linspace(0, 3, 9) + rng.normal(size=(12, 9))
    tables = {
        name: truth + noise * rng.normal(size=truth.shape)
        for noise, name in enumerate(metrics, start=1)
    }
    tables |= {name: np.ones_like(truth) for name in constant}
    scores = as_scores(tables_of(truth, tables, people=people, human="responsiveness"))
    defaults = {"n_resamples": 39, "levels": "system", "coefficients": ("kendall", "pearson")}
    return meta_evaluate(scores, **{"human": "responsiveness", **defaults, **options})


FIGURES = {kind: lambda kind=kind: judged().plot(kind) for kind in ("bars", "scatter", "matrix")}


def panels_of(picture):
    """Separate panels that are next to each other."""
    # Names of rows end at the left of each panel.
    starts = sorted({mark.x for mark in of(picture, Text) if mark.anchor == "end"})
    limits = [*starts[1:], math.inf]
    return [
        replace(picture, marks=[mark for mark in picture.marks if start <= mark.x < end])
        for start, end in zip(starts, limits, strict=True)
    ]


def test_bars_have_a_panel_for_each_peer_set_in_its_own_order():
    evaluated = judged(coefficients="kendall")
    result, panels = evaluated[0], panels_of(evaluated.plot("bars"))
    groups = {rank.metric: rank.group for rank in result.matrices[0].metrics}
    heads = ("all peers", "machines only")
    for panel, head, peers in zip(panels, heads, ("all", "machines"), strict=True):
        ranked = result.ranked(level="system", coefficient="kendall", peers=peers)
        assert head in texts(panel)
        assert names(panel) == [name for name, _ in ranked]
        for name, row in ranked:
            ((start, width),) = bars(panel, gap=0)[name].values()
            assert start + (width if row.value >= 0 else 0) == pytest.approx(
                max(row.value, 0), abs=2e-6
            )
            assert width == pytest.approx(abs(row.value), abs=2e-6)
            assert intervals(panel)[name][:2] == pytest.approx((row.low, row.high))
    right = max(line.x + line.across for line in of(panels[0], Line))
    letters = [mark for mark in of(panels[0], Text) if mark.anchor == "start" and mark.x > right]
    assert [mark.text for mark in letters] == [groups[name] for name in names(panels[0])]


def test_without_people_there_is_one_panel():
    evaluated = judged(people=(), test="none", levels=("system", "input"))
    for number in range(4):
        picture = evaluated.plot("bars", number)
        assert len(panels_of(picture)) == 1
        assert "letter" not in picture.note
    scatter = evaluated.plot("scatter")
    assert any(text.startswith("Pearson 0.") for text in texts(scatter))
    assert not {"machine", "person"} & {entry.text for entry in scatter.key}


def test_the_note_says_that_only_the_best_are_drawn():
    evaluated = judged([f"m{number}" for number in range(16)], test="none")
    picture = evaluated.plot("bars")
    assert [len(names(panel)) for panel in panels_of(picture)] == [14, 14]
    assert picture.note.startswith("the 14 best of 16 metrics; 95% intervals")
    assert len(points_of_panels(evaluated.plot("scatter"))) == 6


def test_a_negated_metric_is_marked():
    with pytest.warns(DataWarning, match="against people: fair: .* --higher-is-better fair$"):
        picture = judged(lower_is_better="fair").plot("bars")
    assert "fair ↓" in names(picture)
    assert "sign reversed" in picture.note
    assert "sign reversed" not in judged().plot("scatter").note


def test_an_undefined_correlation_is_written_out():
    picture = judged(("good",), constant=("constant",), test="none").plot("bars")
    assert names(panels_of(picture)[0]) == ["good", "constant"]
    assert "undefined" in texts(picture)


def test_scatter_draws_every_system_once_and_marks_people():
    evaluated = judged()
    result, picture = evaluated[0], evaluated.plot("scatter")
    is_person = np.isin(np.arange(9), PEOPLE)
    panels = points_of_panels(picture)
    assert list(panels) == [n for n, _ in result.ranked(level="system", coefficient="pearson")]
    for name, points in panels.items():
        assert [mark for _, _, mark in points] == [*"o" * 7, *"D" * 2]
        x, y = zip(*((x, y) for x, y, mark in points if mark == "D"), strict=True)
        assert x == pytest.approx(result.tables.metrics[name][:, is_person].mean(axis=0))
        assert y == pytest.approx(result.tables.truth[:, is_person].mean(axis=0))
    assert [entry.text for entry in picture.key] == ["machine", "person"]


def test_matrix_is_in_the_order_of_the_ranking():
    evaluated = judged()
    matrix, picture = evaluated[0].matrices[0], evaluated.plot("matrix")
    (tiles,) = blocks(picture)
    assert names(picture) == columns(picture, tiles) == [rank.metric for rank in matrix.metrics]
    # Every pair twice.
    assert len(tile_texts(picture, tiles)) == 6
    significant = sum(map(matrix.significant, matrix.pairs))
    assert f"{significant} of 3 pairs significantly different; permutation test" in picture.note
