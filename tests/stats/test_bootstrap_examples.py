"""Small examples of `pyramidion.stats.bootstrap`."""

import re

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats.bootstrap import (
    bca_interval,
    checked_indices,
    interval_of_samples,
    percentile_interval,
)


def test_percentile_interval():
    assert percentile_interval(range(101), confidence_level=0.5).low == 25.0
    assert percentile_interval(range(101), confidence_level=0.5, quantiles="hazen").low == 24.75


def test_bca_interval():
    assert bca_interval(range(101), 40.0, [[49.0, 50.0, 51.0]]).bias < 0


def test_bca_interval_again():
    assert bca_interval(range(101), 50.0, [[49.0, 50.0, 51.0]]).interval.low == 2.5


def test_interval_of_samples():
    found = interval_of_samples(
        1.5,
        np.array([1.0, 2.0]),
        list,
        method="percentile",
        confidence_level=0.5,
        quantiles="linear",
    )
    assert found.interval.low == 1.25


def test_checked_indices():
    assert checked_indices(None, 3, 2, 0).shape == (2, 3)
    with pytest.raises(
        InputError, match=re.escape("`indices` points at item 3 of 3; indices run from 0 to 2")
    ):
        checked_indices([[0, 3, 1]], 3, 1, 0)
