"""The ranking with intervals."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.evaluation._compare.charts import ranking_figure
from pyramidion.report.charts.style import BLUE, VERMILLION
from pyramidion.report.charts.tiles import cluster_ends
from report.figures.samples import THREE, comparison, one_topic_result, result_of


def names(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def letters(figure):
    """Return the letters of each row, left to right."""
    rows: dict[int, list] = {}
    for text in figure.axes[0].texts:
        rows.setdefault(int(text.xy[1]), []).append((text.get_position()[0], text.get_text()))
    return {row: "".join(mark for _, mark in sorted(found)) for row, found in rows.items()}


def points(figure, kind):
    (line,) = (line for line in figure.axes[0].lines if line.get_label() == kind)
    return line


def clusters(figure):
    lines = figure.axes[0].lines
    return [line.get_ydata()[0] for line in lines if line.get_label() == "cluster"]


def note(figure):
    """Join the lines below the title."""
    return " ".join(text.get_text() for text in figure.texts[1:])


def test_systems_stand_in_the_order_of_the_ranking_from_the_top():
    figure = ranking_figure(result_of(*THREE))
    assert names(figure) == ["A", "7", "8"]
    bottom, top = figure.axes[0].get_ylim()
    assert bottom > top


def test_means_and_intervals_are_those_of_the_result():
    result = comparison(12, 30, 4)
    axes = ranking_figure(result).axes[0]
    drawn = {}
    for lines in axes.collections:
        drawn |= {int(path[0, 1]): path[:, 0].tolist() for path in lines.get_segments()}  # type: ignore[attr-defined]
    assert drawn == {row: [s.low, s.high] for row, s in enumerate(result.systems)}
    means = {
        int(row): mean
        for line in axes.lines
        for mean, row in zip(*line.get_data(), strict=True)
        if line.get_label() in ("machine", "human")
    }
    assert means == {row: s.adjusted for row, s in enumerate(result.systems)}


def test_people_have_their_own_mark_color_and_weight():
    figure = ranking_figure(result_of(*THREE))
    assert points(figure, "human").get_color() == VERMILLION
    assert points(figure, "human").get_ydata().tolist() == [0]
    assert points(figure, "machine").get_color() == BLUE
    assert points(figure, "machine").get_marker() != points(figure, "human").get_marker()
    weights = [label.get_fontweight() for label in figure.axes[0].get_yticklabels()]
    assert weights == ["bold", "normal", "normal"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["machine", "person"]


def test_letters_stand_at_the_right_each_in_its_own_column():
    systems = [
        ("1", "machine", 3, "a"),
        ("2", "machine", 2, "ab(aa)"),
        ("3", "machine", 1, "b(aa)"),
    ]
    pairs = {("1", "2"): 1.0, ("1", "3"): 0.01, ("2", "3"): 1.0}
    figure = ranking_figure(result_of(systems, pairs))
    assert letters(figure) == {0: "a", 1: "abaa", 2: "baa"}
    places = {(text.get_text(), text.get_position()[0]) for text in figure.axes[0].texts}
    assert len(places) == 3
    assert all(text.xy[0] == 1 for text in figure.axes[0].texts)  # type: ignore[attr-defined]


def test_a_line_separates_those_who_all_differ():
    figure = ranking_figure(result_of(*THREE))
    assert clusters(figure) == [0.5]
    assert "all systems above a line differ from all below it" in note(figure)


def test_without_clusters_there_is_no_line_and_no_word_of_it():
    systems, pairs = THREE
    figure = ranking_figure(result_of(systems, dict.fromkeys(pairs, 1.0)))
    assert clusters(figure) == []
    assert "line" not in note(figure)


@pytest.mark.parametrize("seed", range(5))
def test_clusters_end_where_all_pairs_across_differ(seed):
    upper = np.triu(np.random.default_rng(seed).random((8, 8)) < 0.8, 1)
    differ = upper | upper.T
    slow = [
        end for end in range(1, 8) if all(differ[a, b] for a in range(end) for b in range(end, 8))
    ]
    assert cluster_ends(differ) == slow


def test_a_baseline_marks_those_that_differ_from_it_instead_of_letters():
    result = comparison(20, 30, 2, baseline="5")
    figure = ranking_figure(result)
    different = {c.a for c in result.comparisons if result.significant(c)}
    assert different
    assert {names(figure)[row] for row in letters(figure)} == different
    assert set(letters(figure).values()) == {"*"}
    assert "* differs significantly from 5" in note(figure)
    assert "share a letter" not in note(figure)


def test_title_and_note_name_measure_task_test_and_correction():
    figure = ranking_figure(result_of(*THREE))
    assert figure.texts[0].get_text() == "Ranking: responsiveness ↑, task A"
    assert "paired t test, Holm correction, α = 0.05" in note(figure)
    assert figure.axes[0].get_xlabel() == "responsiveness ↑"


def test_resampling_is_named():
    figure = ranking_figure(
        result_of(*THREE, test="mc", statistic="t-unpaired", n_resamples=9999, correction="maxt")
    )
    said = "Monte Carlo resampling test of unpaired |T|, 9,999 resamples, max-T correction"
    assert said in note(figure)


def test_undefined_intervals_leave_the_means():
    figure = ranking_figure(one_topic_result())
    assert points(figure, "machine").get_xdata().tolist() == [0.5, 0.4]


def test_no_system_is_refused():
    with pytest.raises(InputError, match="there are no systems to draw; compare at least two"):
        ranking_figure(result_of([], {}))
