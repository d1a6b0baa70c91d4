"""The heat map of pairs."""

import pytest
from matplotlib.colors import to_rgb

from pyramidion.errors import InputError
from pyramidion.rendering.charts.picture import hex_color
from pyramidion.rendering.charts.style import GRAY
from pyramidion.rendering.charts.tiles import PAIR_COLORS
from rendering.figures.reading import blocks, columns, key, names, tile_colors, tile_texts
from rendering.figures.samples import THREE, comparison, draw, one_topic_result, result_of

HIGHER, LOWER = PAIR_COLORS[:4], PAIR_COLORS[4:8]


def colors(picture):
    """Return the color of each tile, row by row."""
    (tiles,) = blocks(picture)
    return tile_colors(tiles)


def written(picture):
    (tiles,) = blocks(picture)
    return tile_texts(picture, tiles)


def across(picture):
    (tiles,) = blocks(picture)
    return columns(picture, tiles)


def test_colors_show_direction_and_level():
    assert colors(draw("pairs", result_of(*THREE))) == [
        [None, HIGHER[3], HIGHER[2]],
        [LOWER[3], None, HIGHER[0]],
        [LOWER[2], LOWER[0], None],
    ]


@pytest.mark.parametrize(
    ("p", "level"), [(0.051, 0), (0.05, 1), (0.011, 1), (0.01, 2), (0.0011, 2), (0.001, 3)]
)
def test_levels_follow_alpha(p, level):
    systems = [("7", "machine", 2, "a"), ("8", "machine", 1, "b")]
    assert colors(draw("pairs", result_of(systems, {("7", "8"): p})))[0][1] == HIGHER[level]
    tenth = result_of(systems, {("7", "8"): p * 2}, alpha=0.1)
    picture = draw("pairs", tenth)
    assert colors(picture)[0][1] == HIGHER[level]
    levels = ["p ≤ 0.002", "p ≤ 0.02", "p ≤ 0.1", "undecided"]
    assert [*key(picture).items()] == [
        *((f"better, {text}", color) for text, color in zip(levels, HIGHER[::-1], strict=True)),
        *((f"worse, {text}", color) for text, color in zip(levels, LOWER[::-1], strict=True)),
    ]


def test_what_is_not_significant_is_pale():
    for pale, *strong in (HIGHER, LOWER):
        assert min(to_rgb(hex_color(pale))) > 0.85
        assert all(min(to_rgb(hex_color(color))) < 0.62 for color in strong)


def test_systems_stand_in_the_order_of_the_ranking_both_ways():
    compared = comparison(66, 48, 8)
    result, picture = compared.only, compared.plot("pairs")
    assert across(picture) == names(picture) == [s.system for s in result.systems]
    assert sum(color is not None for row in colors(picture) for color in row) == 66 * 65
    assert not written(picture)


def test_counts_of_significant_tiles_agree_with_the_result():
    compared = comparison(66, 48, 8)
    result, picture = compared.only, compared.plot("pairs")
    strong = sum(color in (*HIGHER[1:], *LOWER[1:]) for row in colors(picture) for color in row)
    assert strong == 2 * result.counts.significant > 0
    assert picture.note.startswith(
        f"{result.counts.significant:,} of 2,145 pairs significantly different"
    )


def test_few_systems_show_their_p_values():
    picture = draw("pairs", result_of(*THREE))
    shown = {(column, row): text for (row, column), text in written(picture).items()}
    assert shown == {
        (1, 0): "<.001",
        (2, 0): ".008",
        (2, 1): ".600",
        (0, 1): "<.001",
        (0, 2): ".008",
        (1, 2): ".600",
    }


def test_a_baseline_is_the_only_column():
    picture = comparison(20, 30, 2, baseline="5").plot("pairs")
    assert across(picture) == ["5"]
    assert len(names(picture)) == 20
    assert len(written(picture)) == 19
    assert picture.title == "Differences from 5: rouge-2-r ↑, task A"


def test_undefined_p_values_are_gray_and_explained():
    picture = draw("pairs", one_topic_result())
    assert colors(picture) == [[None, "q"], ["q", None]]
    assert hex_color("q") == GRAY
    assert [*written(picture).values()] == ["?", "?"]
    assert [*key(picture)][8:] == ["p undefined"]


def test_equal_means_have_no_direction():
    systems = [("7", "machine", 2, "a"), ("8", "machine", 2, "a")]
    picture = draw("pairs", result_of(systems, {("7", "8"): 1.0}))
    assert colors(picture)[0][1] == colors(picture)[1][0] == "u"
    assert [*key(picture)][8:] == ["equal means"]
    red, green, blue = to_rgb(hex_color("u"))
    assert max(red, green, blue) - min(red, green, blue) < 0.05  # neither blue nor orange


def test_pairs_are_the_same_seen_from_both_sides():
    picture = comparison(12, 30, 4).plot("pairs")
    opposite = dict(zip(HIGHER + LOWER, LOWER + HIGHER, strict=True))
    tiles, p_values = colors(picture), written(picture)
    assert tiles == [
        [opposite.get(color, color) for color in column] for column in zip(*tiles, strict=True)
    ]
    assert [row.index(None) for row in tiles] == [*range(12)]
    assert p_values == {(column, row): p for (row, column), p in p_values.items()}


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ({("1", "2"), ("2", "3"), ("1", "3")}, "123"),
        ({("1", "2"), ("2", "3")}, "2"),
        ({("1", "2"), ("1", "3")}, "1"),
        ({("1", "2")}, "123"),
        (set(), "123"),
    ],
)
def test_a_baseline_is_recognized(pairs, expected):
    systems = [(name, "machine", 4 - int(name), "a") for name in "123"]
    picture = draw("pairs", result_of(systems, dict.fromkeys(pairs, 0.5)))
    assert across(picture) == [*expected]


def test_no_system_is_refused():
    with pytest.raises(InputError, match="there are no systems to draw"):
        draw("pairs", result_of([], {}))
