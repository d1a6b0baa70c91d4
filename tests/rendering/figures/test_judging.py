"""Verdicts, combinations, gaps, components and difficulty, drawn."""

import math
from dataclasses import replace

import numpy as np
import pytest

from meta_evaluation.judging_samples import judged
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._agreement import Agreement
from pyramidion.meta_evaluation._gap import GapOptions, gap_picture, human_gap, line_end
from pyramidion.meta_evaluation._significance import Combination, combine, study_significance
from pyramidion.meta_evaluation._verdicts import combination_figure, verdict_kinds_picture
from pyramidion.rendering.charts import render
from pyramidion.rendering.charts.picture import Line
from pyramidion.rendering.charts.style import VERMILLION
from pyramidion.studies._composite import compose, loadings_picture, separation_picture
from pyramidion.studies._difficulty import (
    DifficultyOptions,
    difficulty_figure,
    measure_difficulty,
)
from rendering.figures.reading import (
    bars,
    blocks,
    key,
    letters,
    names,
    of,
    panels_below,
    points_of_panels,
    texts,
    tile_colors,
    tile_texts,
)

FEW = GapOptions(n_resamples=30)


def gap(metric="good", **changes):
    tables = judged(machines=9, people=3, seed=1, **changes)
    return human_gap(tables, metric, options=FEW)


FIGURES = {
    "verdicts": lambda: verdict_kinds_picture(
        study_significance(judged()).agreements, human="pyramid"
    ),
    "combinations": lambda: combination_figure(
        combine([study_significance(judged(noise=(0.5, 2.5)))], ["good", "poor"]), human="pyramid"
    ),
    "gap": lambda: gap_picture([gap(), gap("poor")]),
    "loadings": lambda: loadings_picture(compose(judged())),
    "separation": lambda: separation_picture(compose(judged())),
}


def labels(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def same_twice(draw):
    assert render(draw(), "svg") == render(draw(), "svg")
    return draw()


def test_bars_add_up_to_the_pairs():
    study = study_significance(judged())
    picture = same_twice(lambda: verdict_kinds_picture(study.agreements, human="pyramid"))
    parts = bars(picture)
    assert list(parts) == ["good", "poor"]
    for name, agreement in study.agreements.items():
        assert sum(width for _, width in parts[name].values()) == pytest.approx(study.pairs)
        right = agreement.tp - agreement.direction_conflicts
        assert parts[name][key(picture)["difference found"]] == (0, right)
    numbers = (f"{a.accuracy:.2f}{a.balanced_accuracy:.2f}" for a in study.agreements.values())
    assert letters(picture) == dict(enumerate(numbers))
    assert {"accuracy", "balanced"} <= {*texts(picture)}
    with pytest.raises(InputError, match="no metrics to draw"):
        verdict_kinds_picture({}, human="pyramid")


def test_combinations_stand_at_recall_and_precision():
    tables = judged(machines=12, noise=(0.5, 2.5))
    combinations = combine([study_significance(tables)], ["good", "poor"])
    figure = same_twice(lambda: combination_figure(combinations, human="pyramid"))
    axes = figure.axes[0]
    points = {tuple(p) for line in axes.lines if line.get_marker() in "oD" for p in
              zip(*line.get_data(), strict=True)}  # fmt: skip
    expected = {
        (combination.agreement.recall, combination.agreement.precision)
        for combination in combinations
    }
    assert points == expected
    assert [text.get_text() for text in axes.texts] == ["good", "poor"]


def test_combinations_that_find_nothing():
    silent = Combination(("m",), Agreement(((0, 0, 0), (0, 5, 0), (0, 3, 0))))
    with pytest.raises(InputError, match="undefined for every combination"):
        combination_figure([silent], human="pyramid")
    loud = Combination(("n",), Agreement(((0, 0, 0), (0, 4, 1), (0, 1, 2))))
    figure = combination_figure([silent, loud], human="pyramid")
    assert "1 combination find nothing" in " ".join(text.get_text() for text in figure.texts)


def test_the_line_ends_at_the_lowest_person():
    measured = gap()
    assert line_end(measured) == pytest.approx(measured.needed)
    picture = same_twice(lambda: gap_picture([measured, gap("poor")]))
    panels, points = panels_below(picture), points_of_panels(picture)
    assert list(points) == ["good", "poor"]
    lowest = min(point.manual for point in measured.people)
    _, across, up = panels["good"]
    line, *_ = (mark for mark in of(picture, Line) if mark.color == "ink")
    assert up(line.y + line.down) == pytest.approx(lowest)
    assert across(line.x) == pytest.approx(min(point.metric for point in measured.machines))
    feet = [mark for mark in of(picture, Line) if mark.color == VERMILLION][:3]
    lengths = [up(mark.y + mark.down) - up(mark.y) for mark in feet]
    assert np.mean(lengths) == pytest.approx(measured.gap)
    assert [mark for _, _, mark in points["good"]] == [*"o" * 9, *"D" * 3]


def test_the_line_covers_the_machines_and_stays_on_the_page():
    measured = gap()
    low = replace(measured, needed=-100.0)
    assert line_end(low) == max(point.metric for point in measured.machines)
    for needed in (math.inf, 1e9):
        far = line_end(replace(measured, needed=needed))
        scores = [point.metric for point in measured.points]
        assert far <= max(scores) + 2 * (max(scores) - min(scores))
    undefined = gap(gap=0.0)
    with pytest.raises(InputError, match="no gap to draw"):
        gap_picture([replace(undefined, line=None)])


def test_loadings_are_written_into_the_tiles():
    composite = compose(judged())
    picture = same_twice(lambda: loadings_picture(composite))
    (tiles,) = blocks(picture)
    assert names(picture) == list(composite.measures)
    written = tile_texts(picture, tiles)
    assert len(written) == 9
    for (row, column), text in written.items():
        loading = composite.components[column].loadings[row]
        assert text == f"{loading:.2f}".replace("0.", ".").replace("-", "−")
        color = tile_colors(tiles)[row][column]
        # Blue is positive, orange negative, and nothing is neither.
        assert color[0] == ("t" if abs(loading) < 0.125 else "h" if loading > 0 else "l")
    assert {component.name for component in composite.components} <= {*texts(picture)}


def test_separation_bars_are_the_counts_the_most_first():
    composite = compose(judged())
    picture = same_twice(lambda: separation_picture(composite))
    counts = {separation.measure: separation.significant for separation in composite.separations}
    widths = {name: [width for _, width in parts.values()] for name, parts in bars(picture).items()}
    assert widths == {name: [n] if (n := counts[name]) else [] for name in names(picture)}
    assert [counts[name] for name in names(picture)] == sorted(counts.values(), reverse=True)
    components = {component.name for component in composite.components}
    colors = {name: {*parts} for name, parts in bars(picture).items() if parts}
    assert all(colors[name] == ({"h2"} if name in components else {"h1"}) for name in colors)


def test_difficulty_has_features_and_predictions():
    rng = np.random.default_rng(0)
    features = {
        f"T{i}": {"words": float(rng.uniform(1, 9)), "same": 1.0, "entropy": float(rng.normal())}
        for i in range(10)
    }
    values = [[9 - row["words"], 8 - row["words"]] for row in features.values()]
    matrix = ScoreMatrix(values, list(features), ["x", "y"], measure="m")
    difficulty = measure_difficulty(matrix, features, options=DifficultyOptions(n_resamples=50))
    figure = same_twice(lambda: difficulty_figure(difficulty))
    left, right = figure.axes
    assert labels(left) == ["words", "entropy", "same"]
    assert [text.get_text() for text in left.texts] == [" undefined"]
    points = next(line for line in right.lines if line.get_marker() == "o")
    assert points.get_ydata().tolist() == [topic.score for topic in difficulty.topics]
    assert points.get_xdata().tolist() == [topic.predicted for topic in difficulty.topics]
    assert right.get_title(loc="left").startswith("explains")
