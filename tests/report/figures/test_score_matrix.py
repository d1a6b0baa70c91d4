"""The color plot of scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgba_array

from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation._compare.charts import score_matrix_figure
from report.figures.samples import scores

BLACK = to_rgba_array("black")[0]
NAN = float("nan")

SMALL = ScoreMatrix(
    [[1, 2, NAN, 5], [3, 4, 4, NAN], [1, 3, NAN, NAN]],
    ["T1", "T2", "T10"],
    ["9", "10", "B", "A"],
    [False, False, True, True],
    measure="responsiveness",
    task="A",
)


def labels(axes, which):
    return [label.get_text() for label in getattr(axes, f"get_{which}ticklabels")()]


def shown(axes):
    return axes.collections[0].get_array().filled(np.nan)


def colors(axes):
    mesh = axes.collections[0]
    mesh.update_scalarmappable()
    return mesh.get_facecolors().reshape(*mesh.get_array().shape, 4)


def test_topics_go_from_easy_to_hard_and_systems_from_high_to_low():
    machines, people = score_matrix_figure(SMALL).axes[:2]
    assert labels(machines, "y") == ["T2", "T10", "T1"]
    assert labels(machines, "x") == ["10", "9"]
    assert labels(people, "x") == ["A", "B"]
    assert labels(people, "y") == []
    np.testing.assert_array_equal(shown(machines), [[4, 3], [3, 1], [2, 1]])
    np.testing.assert_array_equal(shown(people), [[NAN, 4], [NAN, NAN], [5, NAN]])


def test_the_first_row_is_on_top():
    axes = score_matrix_figure(SMALL).axes[0]
    bottom, top = axes.get_ylim()
    assert bottom > top


def test_people_stand_apart_on_the_right():
    figure = score_matrix_figure(SMALL)
    machines, people = (axes.get_position() for axes in figure.axes[:2])
    width = figure.get_size_inches()[0]
    assert (people.x0 - machines.x1) * width == pytest.approx(0.18)
    assert (machines.y0, machines.y1) == (people.y0, people.y1)
    assert [text.get_text() for text in figure.texts if text.get_text() in ("machines", "people")]


@pytest.mark.parametrize("people", [0, 3])
def test_one_kind_alone_has_one_block(people):
    figure = score_matrix_figure(scores(3, 5, people))
    assert len(figure.axes) == (2 if people == 0 else 3)  # the color bar, and what is missing
    texts = [text.get_text() for text in figure.texts]
    assert ("people" if people else "machines") in texts
    assert ("machines" if people else "people") not in texts


def test_missing_scores_are_black_and_nothing_else_is():
    for axes in score_matrix_figure(SMALL).axes[:2]:
        black = (colors(axes) == BLACK).all(axis=2)
        np.testing.assert_array_equal(black, np.isnan(shown(axes)))


def test_the_lowest_score_is_no_shade_of_black():
    axes = score_matrix_figure(SMALL).axes[0]
    lowest = colors(axes)[shown(axes) == 1][0]
    assert lowest[:3].max() > 0.5


def test_both_blocks_share_one_scale_of_colors():
    for axes in score_matrix_figure(SMALL).axes[:2]:
        assert axes.collections[0].get_clim() == (1, 5)


def test_scores_are_written_where_they_fit():
    axes = score_matrix_figure(SMALL).axes[1]
    assert [text.get_text() for text in axes.texts] == ["4", "5"]
    assert not score_matrix_figure(scores(66, 48)).axes[0].texts


def test_written_scores_have_three_digits():
    axes = score_matrix_figure(ScoreMatrix([[0.12345, 0.07]], ["T1"], ["7", "8"])).axes[0]
    assert [text.get_text() for text in axes.texts] == ["0.123", "0.070"]


def test_the_note_counts_what_is_there():
    texts = [text.get_text() for text in score_matrix_figure(SMALL).texts]
    assert texts[0] == "Scores: responsiveness ↑, task A"
    note = "3 topics, 4 systems, 4 missing scores; easiest topic first, best mean first"
    assert " ".join(texts[1:3]).startswith(note)


def test_a_topic_without_machines_is_the_last():
    matrix = ScoreMatrix([[NAN, 5], [1, 1]], ["T1", "T2"], ["7", "A"], [False, True])
    assert labels(score_matrix_figure(matrix).axes[0], "y") == ["T2", "T1"]


def test_equal_scores_have_the_color_in_the_middle():
    axes = score_matrix_figure(ScoreMatrix([[3, 3]], ["T1"], ["7", "8"])).axes[0]
    assert axes.collections[0].get_clim() == (2.5, 3.5)


@pytest.mark.parametrize("values", [[[NAN, NAN]], np.zeros((0, 2)), np.zeros((1, 0))])
def test_nothing_to_draw_is_refused(values):
    rows, columns = np.shape(values)
    matrix = ScoreMatrix(values, ["T1"][:rows], ["7", "8"][:columns])
    with pytest.raises(InputError, match="there is no score to draw; give at least one score"):
        score_matrix_figure(matrix)


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_every_score_is_drawn_once(topics, systems, data):
    cells = st.one_of(st.just(NAN), st.integers(1, 99))
    drawn = data.draw(st.lists(cells, min_size=topics * systems, max_size=topics * systems))
    values = np.array([1.0, *drawn[1:]]).reshape(topics, systems)
    human = data.draw(st.lists(st.booleans(), min_size=systems, max_size=systems))
    names = [str(number) for number in range(systems)]
    matrix = ScoreMatrix(values, [f"T{i}" for i in range(topics)], names, human)
    figure = score_matrix_figure(matrix)
    blocks = [
        axes for axes in figure.axes if labels(axes, "x") and set(labels(axes, "x")) <= set(names)
    ]
    found = {
        (topic, system): value
        for axes in blocks[: 1 + (len(set(human)) > 1)]
        for topic, row in zip(labels(figure.axes[0], "y"), shown(axes), strict=True)
        for system, value in zip(labels(axes, "x"), row, strict=True)
    }
    expected = {
        (topic, system): values[i, j]
        for i, topic in enumerate(matrix.topics)
        for j, system in enumerate(names)
    }
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        np.testing.assert_equal(found[key], value)
