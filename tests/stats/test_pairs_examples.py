"""Small examples of `pyramidion.stats.pairs`."""

import numpy as np
import pytest

from pyramidion.stats.pairs import (
    BLOCK_VALUES,
    accumulate_rows,
    blocks,
    checked_pairs,
    column_pieces,
    counting_type,
    dense_ranks,
    merge_rounding_ties,
    midranks,
    multiply,
    noise_level,
    pair_blocks,
    quantile_index,
    row_counts,
    sign_agreement,
    signs,
    snap_to_ties,
    sum_above_both,
    tie_term,
    tie_threshold,
)
from stats.pair_references import pair_up


def test_dense_ranks():
    assert dense_ranks(np.array([0.3, 0.1 + 0.2, 7.0, -1.0])).tolist() == [1, 1, 2, 0]


def test_signs():
    assert signs(np.array([1, 2, 3]), np.array([2, 2, 2])).tolist() == [-1, 0, 1]


def test_counting_type():
    assert (counting_type(50**2).__name__, counting_type(5_000**2).__name__) == (
        "float32",
        "float64",
    )


def test_blocks_of_a_size():
    cut = [slice(0, 1024), slice(1024, 2048), slice(2048, 3000)]
    assert list(blocks(3_000, 2**10, 2**20)) == cut


def test_column_pieces():
    assert [piece.stop for piece in column_pieces((50, 50), 300)] == [104, 208, 300]


def test_add_up():
    assert accumulate_rows(np.array([[1.0], [2.0], [3.0]]), np.array([0, 2])).ravel().tolist() == [
        1.0,
        3.0,
        3.0,
    ]


def test_agreement():
    x, z = np.array([0, 1, 2]), np.array([0, 2, 1])
    assert sign_agreement(x, z, np.array([[1.0, 2.0], [1.0, 1.0], [1.0, 0.0]])).tolist() == [
        1.0,
        2.0,
    ]


def test_above_both():
    x, z = np.array([0, 1, 2]), np.array([0, 2, 1])
    assert sum_above_both(x, z, np.array([[1.0], [1.0], [1.0]])).ravel().tolist() == [2.0, 0.0, 0.0]


def test_multiply():
    assert multiply(np.array([[1.0, -1.0]]), np.array([[3.0, 5.0], [1.0, 1.0]])).tolist() == [
        [2.0, 4.0]
    ]


def test_noise_level():
    assert noise_level([3, -5], [4]) == 5e-12


def test_merge_rounding_ties():
    assert merge_rounding_ties([0.3 - 0.2, 0.1, 0.2], 1e-12).tolist() == [
        0.09999999999999998,
        0.09999999999999998,
        0.2,
    ]


def test_clean_differences():
    assert snap_to_ties(np.array([0.3, 0.1, 0.7]), np.array([0.2, 0.2, 0.7])).tolist() == [
        0.09999999999999998,
        -0.09999999999999998,
        0.0,
    ]


def test_midranks():
    assert midranks([1, 2, 4, 4, 4, 4, 6]).tolist() == [1.0, 2.0, 4.5, 4.5, 4.5, 4.5, 7.0]


def test_tie_term():
    assert tie_term([1, 2, 2, 3, 3, 3]) == 30.0


def test_pairs():
    assert pair_up([[1, 2], [4, 2]]).differences.tolist() == [[-1.0, 2.0]]


def test_checked_pairs():
    assert checked_pairs([[1, 2, 3]], [[0, 2]])[1].tolist() == [[0, 2]]


def test_pair_blocks():
    assert (
        repr([rows for rows, _ in pair_blocks(*checked_pairs([[1, 2, 3]]))])
        == "[slice(0, 3, None)]"
    )


def test_blocks():
    assert (
        repr(list(blocks(3, BLOCK_VALUES)))
        == "[slice(0, 1, None), slice(1, 2, None), slice(2, 3, None)]"
    )


def test_reaches():
    assert bool(tie_threshold(np.array(2.0)) <= 2.0 - 1e-12)


def test_quantile_index():
    assert quantile_index(199, 0.95) == 189


def test_row_counts():
    assert row_counts(np.array([[True, False, True], [False, False, True]])).tolist() == [2, 1]


@pytest.mark.parametrize("shape", [(3, 20_001), (130, 1_001), (1, 300_000)])
def test_large_matrices_are_multiplied_in_pieces(shape):
    # Whole numbers, whose sums are exact in any order.
    rng = np.random.default_rng(0)
    matrix = rng.integers(-9, 10, shape).astype(float)
    weights = rng.integers(-1, 2, (37, shape[1])).astype(float).T
    assert multiply(matrix, weights).tolist() == (matrix @ weights).tolist()
    # Weights in less precision cost none of the matrix's.
    small = weights.astype(np.float32)
    assert multiply(matrix / 3, small).tolist() == multiply(matrix / 3, weights).tolist()
