"""Small examples of `pyramidion.stats._power`."""

import re

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats._power import (
    blend,
    distribution,
    frequencies,
    given_document,
    power_curve,
    required_topics,
    table_statistics,
)


def test_distribution():
    with pytest.raises(InputError, match=re.escape("`p_human` sums to 1.1; divide by the sum")):
        distribution([0.5, 0.6], "p_human")


def test_blend():
    assert blend([0.8, 0.2], [0.4, 0.6], 0.5).round(3).tolist() == [0.6, 0.4]


def test_given_document():
    assert given_document([0.1, 0.3, 0.3, 0.2, 0.1], [0, 0, 0, 0.5, 0.5]).round(3).tolist() == [
        0.0,
        0.0,
        0.0,
        0.667,
        0.333,
    ]


def test_frequencies():
    assert frequencies([[1, 2], [2, float("nan")]], [1, 2, 3]).round(3).tolist() == [
        0.333,
        0.667,
        0.0,
    ]


def test_table_statistics():
    statistics, freedom = table_statistics(np.array([[0.0, 2, 0, 1]]), np.array([1.0, 2.0]))
    assert (statistics.round(3).tolist(), freedom.round(3).tolist()) == (
        [[1.414], [2.0], [2.0]],
        [2.0],
    )


def test_power_of_test():
    curve = power_curve([0.5, 0.5], [0.1, 0.9], t=[0.5], n_null=2000, n_resamples=500)
    assert 0.02 < curve.tests["t"].size < 0.08


def test_power_curve():
    assert power_curve([0.5, 0.5], [0.1, 0.9], n_null=200, n_resamples=100).t.tolist()[-1] == 0.8


def test_required_topics():
    scores = np.random.default_rng(0).normal(loc=[0, 0.5, 1], size=(20, 3))
    plan = required_topics(scores, n_resamples=200)
    assert bool((plan.topics[1:2] < plan.median).all())
