"""The color plot of scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.rendering.charts.picture import Text, hex_color
from rendering.figures.reading import (
    blocks,
    columns,
    key,
    labels,
    names,
    of,
    texts,
    tile_colors,
    tile_texts,
)
from rendering.figures.samples import draw, scores

NAN = float("nan")

SMALL = ScoreMatrix(
    [[1, 2, NAN, 5], [3, 4, 4, NAN], [1, 3, NAN, NAN]],
    ["T1", "T2", "T10"],
    ["9", "10", "B", "A"],
    [False, False, True, True],
    measure="responsiveness",
    task="A",
)


def shown(picture, tiles):
    """Return the scores that are written into tiles; NaN for tiles of missing scores."""
    values = np.full(tiles.codes.shape, NAN)
    for cell, text in tile_texts(picture, tiles).items():
        values[cell] = float(text)
    missing = np.array([[color == "z" for color in row] for row in tile_colors(tiles)])
    np.testing.assert_array_equal(np.isnan(values), missing)
    return values


def test_topics_go_from_easy_to_hard_and_systems_from_high_to_low():
    picture = draw("scores", SMALL)
    machines, people = blocks(picture)
    assert names(picture) == ["T2", "T10", "T1"]
    assert columns(picture, machines) == ["10", "9"]
    assert columns(picture, people) == ["A", "B"]
    np.testing.assert_array_equal(shown(picture, machines), [[4, 3], [3, 1], [2, 1]])
    np.testing.assert_array_equal(shown(picture, people), [[NAN, 4], [NAN, NAN], [5, NAN]])


def test_the_first_row_is_on_top():
    picture = draw("scores", SMALL)
    (tiles, _) = blocks(picture)
    heights = [label.y for label in labels(picture)]
    assert heights == pytest.approx([tiles.y + (row + 0.5) * tiles.cell[1] for row in range(3)])


def test_people_stand_apart_on_the_right():
    picture = draw("scores", SMALL)
    machines, people = blocks(picture)
    assert people.x - (machines.x + 2 * machines.cell[0]) == pytest.approx(0.18)
    assert (machines.y, machines.cell) == (people.y, people.cell)
    headings = [mark for mark in of(picture, Text) if mark.text in ("machines", "people")]
    assert [mark.x for mark in headings] == [machines.x, people.x]


@pytest.mark.parametrize("people", [0, 3])
def test_one_kind_alone_has_one_block(people):
    picture = draw("scores", scores(3, 5, people))
    assert len(blocks(picture)) == 1
    assert ("no score" in key(picture)) == (people > 0)
    assert ("people" if people else "machines") in texts(picture)
    assert ("machines" if people else "people") not in texts(picture)


def test_missing_scores_are_black_and_nothing_else_is():
    picture = draw("scores", SMALL)
    for tiles in blocks(picture):
        shown(picture, tiles)  # compares them
    black = [
        color
        for color in (*(f"s{shade}" for shade in range(10)), "z")
        if hex_color(color) == "#000000"
    ]
    assert black == ["z"]
    assert key(picture)["no score"] == "z"


def test_the_lowest_score_is_not_a_shade_of_black():
    picture = draw("scores", SMALL)
    tiles = blocks(picture)[0]
    lowest = {
        color
        for row, scores in zip(tile_colors(tiles), shown(picture, tiles), strict=True)
        for color, score in zip(row, scores, strict=True)
        if score == 1
    }
    assert lowest == {"s0"}
    assert max(to_rgb(hex_color("s0"))) > 0.5


def test_both_blocks_share_one_scale_of_colors():
    """From 1 to 5 in ten shades: 2 is a quarter of the way, 3 is half of it."""
    picture = draw("scores", SMALL)
    machines, people = blocks(picture)
    assert tile_colors(machines) == [["s7", "s5"], ["s5", "s0"], ["s2", "s0"]]
    assert tile_colors(people) == [["z", "s7"], ["z", "z"], ["s9", "z"]]
    assert key(picture) == {"1": "s0", "3": "s5", "5": "s9", "no score": "z"}


def test_shades_get_brighter_with_the_score():
    bright = [np.dot(to_rgb(hex_color(f"s{shade}")), (0.299, 0.587, 0.114)) for shade in range(10)]
    assert bright == sorted(bright)


def test_scores_are_written_where_they_fit():
    picture = draw("scores", SMALL)
    assert [*tile_texts(picture, blocks(picture)[1]).values()] == ["4", "5"]
    large = draw("scores", scores(66, 48))
    assert not tile_texts(large, blocks(large)[0])


def test_scores_are_written_for_machines_and_people_alike():
    """Only the machines have a negative score, which is too wide for the tiles."""
    values = np.full((2, 12), 0.12345)
    values[0, 0] = -0.12345
    topics, systems = ["T1", "T2"], [f"s{number}" for number in range(12)]
    matrix = ScoreMatrix(values * 100, topics, systems, [False] * 6 + [True] * 6)
    picture = draw("scores", matrix)
    assert len({bool(tile_texts(picture, tiles)) for tiles in blocks(picture)}) == 1


def test_written_scores_have_three_digits():
    picture = draw("scores", ScoreMatrix([[0.12345, 0.07]], ["T1"], ["7", "8"]))
    assert [*tile_texts(picture, blocks(picture)[0]).values()] == ["0.123", "0.070"]


def test_the_note_counts_what_is_there():
    picture = draw("scores", SMALL)
    assert picture.title == "Scores: responsiveness ↑, task A"
    note = "3 topics, 4 systems, 4 missing scores; easiest topic first, best mean first"
    assert picture.note == note


def test_a_topic_without_machines_is_the_last():
    matrix = ScoreMatrix([[NAN, 5], [1, 1]], ["T1", "T2"], ["7", "A"], [False, True])
    assert names(draw("scores", matrix)) == ["T2", "T1"]


def test_equal_scores_have_the_color_in_the_middle():
    picture = draw("scores", ScoreMatrix([[3, 3]], ["T1"], ["7", "8"]))
    assert tile_colors(blocks(picture)[0]) == [["s5", "s5"]]
    assert list(key(picture)) == ["2.5", "3", "3.5"]


@pytest.mark.parametrize("values", [[[NAN, NAN]], np.zeros((0, 2)), np.zeros((1, 0))])
def test_nothing_to_draw_is_refused(values):
    rows, columns = np.shape(values)
    matrix = ScoreMatrix(values, ["T1"][:rows], ["7", "8"][:columns])
    with pytest.raises(InputError, match="there is no score to draw; give at least one score"):
        draw("scores", matrix)


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_every_score_is_drawn_once(topics, systems, data):
    cells = st.one_of(st.just(NAN), st.integers(1, 99))
    flat = data.draw(st.lists(cells, min_size=topics * systems, max_size=topics * systems))
    values = np.array([1.0, *flat[1:]]).reshape(topics, systems)
    human = data.draw(st.lists(st.booleans(), min_size=systems, max_size=systems))
    called = [str(number) for number in range(systems)]
    matrix = ScoreMatrix(values, [f"T{i}" for i in range(topics)], called, human)
    picture = draw("scores", matrix)
    written = {
        (topic, system): value
        for tiles in blocks(picture)
        for topic, row in zip(names(picture), shown(picture, tiles), strict=True)
        for system, value in zip(columns(picture, tiles), row, strict=True)
    }
    expected = {
        (topic, system): values[i, j]
        for i, topic in enumerate(matrix.topics)
        for j, system in enumerate(called)
    }
    assert written.keys() == expected.keys()
    for cell, value in expected.items():
        np.testing.assert_equal(written[cell], value)
