"""Small examples of `pyramidion.stats._pair_permutation`."""

from pyramidion.stats._pair_permutation import pairwise_tests, permute_pairs


def test_permuted_pairs():
    found = permute_pairs([[1, 4, 2], [2, 5, 2], [1, 3, 1]])
    assert (found.difference.round(2).tolist(), found.p.tolist(), found.exact) == (
        [-2.67, -0.33, 2.33],
        [0.25, 1.0, 0.25],
        True,
    )


def test_pairwise_tests():
    assert pairwise_tests([[1, 2], [4, 3], [5, 1]], test="paired-t").topics.tolist() == [3]


def test_pairwise_tests_again():
    scores = [[3, 2, 5], [4, 1, 5], [4, 5, 4], [2, 2, 3], [3, 4, 5], [2, 3, 5], [1, 1, 4]]
    found = pairwise_tests(scores)
    assert (found.statistic.tolist(), found.p.round(3).tolist()) == (
        [0.0, -21.0, -24.0],
        [1.0, 0.026, 0.041],
    )
