"""The ranking with intervals."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.rendering.charts.picture import Line, Text, hex_color
from pyramidion.rendering.charts.style import BLUE, VERMILLION
from pyramidion.rendering.charts.tiles import cluster_ends
from rendering.figures.reading import (
    CLUSTER,
    INTERVAL,
    intervals,
    key,
    labels,
    letters,
    names,
    of,
    points,
    texts,
)
from rendering.figures.samples import THREE, comparison, draw, one_topic_result, result_of


def clusters(picture):
    """Return above which rows a line separates systems."""
    lines = [line for line in of(picture, Line) if line.stroke == CLUSTER]
    heights = [label.y for label in labels(picture)]
    return [sum(height < line.y for height in heights) for line in lines]


def test_systems_stand_in_the_order_of_the_ranking_from_the_top():
    assert names(draw("ranking", result_of(*THREE))) == ["A", "7", "8"]


def test_means_and_intervals_are_those_of_the_result():
    compared = comparison(12, 30, 4)
    result, picture = compared.only, compared.plot("ranking")
    ends = {name: (low, high) for name, (low, high, _) in intervals(picture).items()}
    assert ends == {s.system: pytest.approx((s.low, s.high)) for s in result.systems}
    means = {name: value for name, (value, *_) in points(picture).items()}
    assert means == {s.system: pytest.approx(s.adjusted) for s in result.systems}


def test_people_have_their_own_mark_color_and_weight():
    picture = draw("ranking", result_of(*THREE))
    looks = {name: look for name, (_, *look) in points(picture).items()}
    assert looks == {"A": ["l2", "D"], "7": ["h2", "o"], "8": ["h2", "o"]}
    assert (hex_color("h2"), hex_color("l2")) == (BLUE, VERMILLION)
    assert [label.bold for label in labels(picture)] == [True, False, False]
    assert key(picture) == {"machine": "h2", "person": "l2"}


def test_letters_stand_at_the_right_each_in_its_own_column():
    systems = [
        ("1", "machine", 3, "a"),
        ("2", "machine", 2, "ab(aa)"),
        ("3", "machine", 1, "b(aa)"),
    ]
    pairs = {("1", "2"): 1.0, ("1", "3"): 0.01, ("2", "3"): 1.0}
    picture = draw("ranking", result_of(systems, pairs))
    assert letters(picture) == {0: "a", 1: "abaa", 2: "baa"}
    left = labels(picture)[0].x
    written = {(mark.text, mark.x) for mark in of(picture, Text) if mark.anchor == "end"}
    assert sum(x > left for _, x in written) == 3
    right = max(line.x + line.across for line in of(picture, Line) if line.stroke == INTERVAL)
    assert all(x > right for _, x in written if x > left)


def test_a_line_separates_groups_that_all_differ():
    picture = draw("ranking", result_of(*THREE))
    assert clusters(picture) == [1]
    assert "all systems above a line differ from all below it" in picture.note


def test_without_clusters_there_is_no_line_and_no_word_of_it():
    systems, pairs = THREE
    picture = draw("ranking", result_of(systems, dict.fromkeys(pairs, 1.0)))
    assert clusters(picture) == []
    assert "line" not in picture.note


@pytest.mark.parametrize("seed", range(5))
def test_clusters_end_where_all_pairs_across_differ(seed):
    upper = np.triu(np.random.default_rng(seed).random((8, 8)) < 0.8, 1)
    differ = upper | upper.T
    slow = [
        end for end in range(1, 8) if all(differ[a, b] for a in range(end) for b in range(end, 8))
    ]
    assert cluster_ends(differ) == slow


def test_a_baseline_marks_those_that_differ_from_it_instead_of_letters():
    compared = comparison(20, 30, 2, baseline="5")
    result, picture = compared.only, compared.plot("ranking")
    different = {c.a for c in result.comparisons if result.significant(c)}
    assert different
    assert {names(picture)[row] for row in letters(picture)} == different
    assert set(letters(picture).values()) == {"*"}
    assert "* differs significantly from 5" in picture.note
    assert "share a letter" not in picture.note


def test_title_and_note_name_measure_task_test_and_correction():
    picture = draw("ranking", result_of(*THREE))
    assert picture.title == "Ranking: responsiveness ↑, task A"
    assert "paired t test, Holm correction, α = 0.05" in picture.note
    assert texts(picture).count("responsiveness ↑") == 1


def test_resampling_is_named():
    picture = draw(
        "ranking",
        result_of(*THREE, test="mc", statistic="t-unpaired", n_resamples=9999, correction="maxt"),
    )
    method = "Monte Carlo resampling test of unpaired |T|, 9,999 resamples, max-T correction"
    assert method in picture.note


def test_undefined_intervals_leave_the_means():
    picture = draw("ranking", one_topic_result())
    assert intervals(picture) == {}
    means = {name: value for name, (value, *_) in points(picture).items()}
    assert means == {"7": pytest.approx(0.5), "8": pytest.approx(0.4)}


def test_no_system_is_refused():
    with pytest.raises(InputError, match="there are no systems to draw; compare at least two"):
        draw("ranking", result_of([], {}))
