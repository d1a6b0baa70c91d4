"""Small examples of `pyramidion.stats.inputs`."""

import re

import pytest

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import (
    Alternative,
    Interval,
    check_choice,
    count_of_resamples,
    generator,
    matrix,
    one_sided,
    paired,
    resampled_p,
    share,
    vector,
)


def test_interval():
    assert Interval(0.25, 0.75, 0.95).low == 0.25


def test_vector():
    assert vector([1, 2], "x").tolist() == [1.0, 2.0]
    with pytest.raises(InputError, match=re.escape("`x` has an infinite value at position 1;")):
        vector([1, float("inf")], "x")


def test_paired():
    with pytest.raises(
        ShapeError, match=re.escape("`x` has 2 values and `y` 1; give paired samples")
    ):
        paired([1, 2], [3])


def test_matrix():
    assert matrix([[1, float("nan")]], "scores").shape == (1, 2)


def test_share():
    assert share(0.95, "confidence_level") == 0.95


def test_count_of_resamples():
    with pytest.raises(
        InputError, match=re.escape("`n_resamples` is 0; give a whole number of 1 or more")
    ):
        count_of_resamples(0)


def test_choice():
    with pytest.raises(
        InputError,
        match=re.escape("`alternative` is 'both'; use one of two-sided, greater, less"),
    ):
        check_choice("both", "alternative", Alternative)


def test_generator():
    assert bool(generator(7).integers(10) == generator(7).integers(10))


def test_resampled_p():
    assert resampled_p([0, 99], 99).tolist() == [0.01, 1.0]


def test_one_sided():
    assert one_sided(0.02, 0.99, "two-sided") == 0.04
