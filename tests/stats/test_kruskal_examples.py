"""Small examples of `pyramidion.stats._kruskal`."""

from pyramidion.stats._kruskal import (
    friedman,
    kruskal_wallis,
    rank_groups,
)


def test_ranked_groups():
    assert rank_groups([[1, 2], [2, 5, float("nan")]]).mean_ranks.tolist() == [1.75, 3.25]


def test_rank_groups():
    assert rank_groups([[3.0, 4.0], [1.0, 2.0]]).variance == 1.6666666666666667


def test_kruskal_wallis():
    assert kruskal_wallis([[1, 2, 3], [4, 5, 6]]).df == 1


def test_friedman():
    assert friedman([[1, 2, 3], [1, 3, 2], [4, 5, 6]]).blocks == 3
