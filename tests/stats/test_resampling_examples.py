"""Small examples of `pyramidion.stats._resampling`."""

import numpy as np

from pyramidion.stats._resampling import (
    all_signs,
    checked_swaps,
    chosen_signs,
    ratio,
    signed_ranks,
    snap_differences,
    studentize,
)


def test_chosen_signs():
    assert chosen_signs([[0, 1, 1]], 1, 3, None).tolist() == [[1, 1, 1], [1, -1, -1]]


def test_given_swaps():
    assert checked_swaps([[True, False]], 2).tolist() == [[1, 0]]


def test_all_signs():
    assert all_signs(3).tolist() == [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]]


def test_student():
    assert repr(studentize(np.array([0.0, 0.6, -1.0]), 1.0, 16).tolist()) == "[0.0, 3.0, -inf]"


def test_ratio():
    assert ratio(np.array([0.0, 1.0]), np.array([0.0, 2.0])).tolist() == [0.0, 0.5]


def test_settled():
    assert float(snap_differences(np.array([[0.3 - 0.2, 0.1 - 0.2]]), 1e-12).sum()) == 0.0


def test_signed_ranks():
    assert signed_ranks(np.array([[0.0, -2.0, 1.0, 2.0]])).tolist() == [[0.0, -2.5, 1.0, 2.5]]
