"""Small examples of `pyramidion.stats._resampling`."""

import numpy as np

from pyramidion.stats._resampling import (
    Counts,
    all_signs,
    chosen_signs,
    counted_blocks,
    given_swaps,
    ratio,
    settled,
    sign_batches,
    signed_ranks,
    student,
)
from stats.pair_references import pair_up


def test_chosen_signs():
    assert chosen_signs([[0, 1, 1]], 1, 3, None).tolist() == [[1, 1, 1], [1, -1, -1]]


def test_given_swaps():
    assert given_swaps([[True, False]], 2).tolist() == [[1, 0]]


def test_all_signs():
    assert all_signs(3).tolist() == [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]]


def test_sign_batches():
    assert [batch.shape for batch in sign_batches(all_signs(3), 10)] == [(4, 3)]


def test_counts():
    assert Counts(np.array([[2.0], [0.0]]), np.array([[0.0], [0.0]]), 2).size == 2


def test_student():
    assert repr(student(np.array([0.0, 0.6, -1.0]), 1.0, 16).tolist()) == "[0.0, 3.0, -inf]"


def test_ratio():
    assert ratio(np.array([0.0, 1.0]), np.array([0.0, 2.0])).tolist() == [0.0, 0.5]


def test_settled():
    assert float(settled(np.array([[0.3 - 0.2, 0.1 - 0.2]]), 1e-12).sum()) == 0.0


def test_signed_ranks():
    assert signed_ranks(np.array([[0.0, -2.0, 1.0, 2.0]])).tolist() == [[0.0, -2.5, 1.0, 2.5]]


def test_counted_blocks():
    pairs = pair_up([[1, 2], [4, 2], [5, 2]])
    ones = np.ones((3, 1))
    assert (
        repr(
            list(
                counted_blocks(
                    pairs,
                    np.array([0]),
                    np.full(3, True),
                    Counts(ones, ones, 3),
                    ("w",),
                    standardized=False,
                )
            )
        )
        == "[(array([0]), {'w': array([[4.]])})]"
    )
