"""Small examples of `pyramidion.stats.anova`."""

from pyramidion.stats.anova import linked_rows, read_layout, two_way_anova


def test_layout():
    assert read_layout([[1, 2], [3, float("nan")]]).counts.tolist() == [[1, 1], [1, 0]]


def test_read_layout():
    assert read_layout([3, 4, 5], ["B", "A", "A"], [1, 1, 2]).first_levels == ("A", "B")


def test_linked_rows():
    assert linked_rows([[1, 0, 0], [1, 2, 0], [0, 0, 1]]).tolist() == [True, True, False]


def test_factor():
    assert two_way_anova([[1, 2], [2, 4], [6, 6]]).first.means.round(9).tolist() == [3.0, 4.0]


def test_two_way_anova():
    assert two_way_anova([[1, 2], [2, 4], [6, 6]]).residual_df == 2
