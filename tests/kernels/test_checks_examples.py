"""Small examples of `pyramidion.kernels.checks`."""

import re

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.kernels.checks import (
    checked_gap,
    checked_overlap,
    checked_subsequences,
    checked_weight,
    whole_number,
)
from pyramidion.kernels.summaries import Summaries


def test_checked_overlap():
    ids, starts = np.array([7, 8, 7], np.int32), np.array([0, 1, 3])
    with pytest.raises(ValueError, match=re.escape("models must be from 0 to 1, but one is 2")):
        checked_overlap(ids, starts, np.array([0]), np.array([2]), 1)


def test_checked_subsequences():
    ids, ends = np.zeros(100_000, np.int32), np.array([0, 100_000])
    book = Summaries(ids, ends, ids, ends, np.array([0, 1]))
    with pytest.raises(
        InputError, match=re.escape("texts of 100,000 and 100,000 words are too long")
    ):
        checked_subsequences(book, np.array([0]), np.array([0]), 1)


def test_whole_number():
    assert whole_number("n", 10**30) == 2**63 - 1


def test_checked_gap():
    with pytest.raises(
        InputError, match=re.escape("a text of 100,000 words has more than 4,294,967,296")
    ):
        checked_gap(-1, np.array([0, 100_000]), np.array([0]), np.array([0]))


def test_checked_weight():
    assert checked_weight(1.2, 100) == 1.2
