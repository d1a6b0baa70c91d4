"""Adjusted p-values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from pyramidion.errors import InputError
from pyramidion.stats._adjust import adjust_p

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def holm_by_steps(p):
    """Reject one after the other; the adjusted p-value is the level at which that happens."""
    adjusted, largest = {}, 0.0
    for step, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        largest = max(largest, min(1.0, (len(p) - step) * p[i]))
        adjusted[i] = largest
    return [adjusted[i] for i in range(len(p))]


@given(p_values)
def test_holm(p):
    assert adjust_p(p).tolist() == pytest.approx(holm_by_steps(p))


@given(p_values)
def test_benjamini_hochberg_is_scipys(p):
    assert adjust_p(p, method="bh") == pytest.approx(false_discovery_control(p))


@given(p_values)
def test_corrections_are_ordered(p):
    none, bh, holm = (adjust_p(p, method=method) for method in ("none", "bh", "holm"))
    assert (none <= bh + 1e-15).all()
    assert (bh <= holm + 1e-15).all()
    assert (holm <= 1).all()


@given(p_values, st.randoms(use_true_random=False))
def test_order_does_not_matter(p, random):
    order = list(range(len(p)))
    random.shuffle(order)
    for method in ("holm", "bh"):
        shuffled = adjust_p(np.array(p)[order], method=method)
        assert shuffled == pytest.approx(adjust_p(p, method=method)[order])


def test_undefined_tests_do_not_count():
    adjusted = adjust_p([0.01, math.nan, 0.02])
    assert adjusted[[0, 2]].tolist() == [0.02, 0.02]
    assert math.isnan(adjusted[1])


def test_shape_stays():
    assert adjust_p([[0.1, 0.2], [0.3, 0.4]], method="bh").shape == (2, 2)
    assert adjust_p([]).tolist() == []
    assert adjust_p(0.2) == 0.2


def test_the_input_is_left_alone():
    p = np.array([0.01, 0.02])
    adjust_p(p)
    assert p.tolist() == [0.01, 0.02]


@pytest.mark.parametrize(
    ("p", "method", "message"),
    [
        ([0.1, 1.5], "holm", "the value 1.5"),
        ([-0.1], "bh", "between 0 and 1"),
        (["x"], "holm", "not a number"),
        ([0.1], "maxt", "holm, bh, none"),
        ([0.1], "bonferroni", "holm, bh, none"),
    ],
)
def test_bad_input(p, method, message):
    with pytest.raises(InputError, match=message):
        adjust_p(p, method=method)
