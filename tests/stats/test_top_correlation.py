"""The AP correlation against R (ircor), the definition, and all orders of ties."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError
from pyramidion.stats.correlation import tau_ap
from support import GOLD

# R 4.2.2, ircor::tauAP, tauAP_b.
CASES = json.loads((GOLD / "stats" / "correlations.json").read_text(encoding="utf-8"))["cases"]

scores = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12)
orders = st.integers(2, 9).flatmap(
    lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))
)


@pytest.mark.parametrize("name", ["human_m1", "human_m2"])
def test_gold(name):
    x, y = CASES[name]["inputs"]["x"], CASES[name]["inputs"]["y"]
    want = CASES[name]["outputs"]
    assert tau_ap(x, y).value == pytest.approx(want["tau_ap"], rel=1e-9)
    assert tau_ap(x, y, true="y").value == pytest.approx(want["tau_ap_swapped"], rel=1e-9)
    assert tau_ap(y, x).value == tau_ap(x, y, true="y").value


def test_gold_with_ties():
    case = CASES["ties"]
    result = tau_ap(case["inputs"]["x"], case["inputs"]["y"])
    assert result.method == "tau_ap, ties b"
    assert result.value == pytest.approx(case["outputs"]["tau_ap_b"], rel=1e-9)


def test_published_examples():
    # README of ircor (github.com/julian-urbano/ircor), printed with 7 digits.
    x = np.array([0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94])
    y = np.array([0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94])
    assert tau_ap(x, y).value == pytest.approx(0.7491182, abs=5e-8)
    assert tau_ap(-x, -y, decreasing=False).value == tau_ap(x, y).value
    tied = np.round(y * 5) / 5
    assert tau_ap(x, tied, ties="a").value == pytest.approx(0.6074515, abs=5e-8)
    assert tau_ap(np.round(x * 5) / 5, tied).value == pytest.approx(0.6269841, abs=5e-8)
    # Example output of ircor's manual page tauAP.
    x = np.array([0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54])
    y = np.array([0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84])
    assert tau_ap(x, y).value == pytest.approx(0.3928571, abs=5e-8)
    assert tau_ap(x, np.round(y, 1), ties="a").value == pytest.approx(0.39903, abs=5e-6)
    assert tau_ap(x, np.round(y, 1), ties="b").value == pytest.approx(0.3317019, abs=5e-8)
    assert tau_ap(np.round(x, 1), np.round(y, 1)).value == pytest.approx(0.339418, abs=5e-7)


def by_definition(truth, estimate):
    """Walk down the estimated ranking."""
    order = sorted(range(len(truth)), key=lambda i: -estimate[i])
    shares = [
        sum(truth[above] > truth[item] for above in order[:i]) / i
        for i, item in enumerate(order)
        if i
    ]
    return 2 * sum(shares) / len(shares) - 1


@given(orders)
def test_definition(both):
    truth, estimate = both
    expected = by_definition(truth, estimate)
    assert tau_ap(truth, estimate).value == pytest.approx(expected, abs=1e-12)
    assert tau_ap(truth, estimate, ties="a").value == pytest.approx(expected, abs=1e-12)
    both_ways = (expected + by_definition(estimate, truth)) / 2
    assert tau_ap(truth, estimate, ties="b").value == pytest.approx(both_ways, abs=1e-12)


@given(st.permutations(range(6)), st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_version_a_averages_all_orders_of_ties(truth, estimate):
    broken = [
        by_definition(truth, [order.index(i) for i in range(6)])
        for order in itertools.permutations(range(6))
        if all(estimate[a] <= estimate[b] for a, b in itertools.pairwise(order))
    ]
    if len(set(estimate)) > 1:
        found = tau_ap(truth, estimate, ties="a").value
        assert found == pytest.approx(sum(broken) / len(broken), abs=1e-12)


@given(scores)
def test_version_b_is_symmetric(both):
    x, y = np.array(both, dtype=float).T
    one, other = tau_ap(x, y, ties="b").value, tau_ap(y, x, ties="b").value
    assert one == pytest.approx(other, abs=1e-12, nan_ok=True)
    assert math.isnan(one) == (len(set(x)) == 1 or len(set(y)) == 1)


def test_undefined():
    assert tau_ap([1, 1, 1], [1, 2, 3]).undefined == "all values of `x` are equal"


def test_bad_input():
    with pytest.raises(InputError, match="true ranking has ties"):
        tau_ap([1, 1, 2], [1, 2, 3], ties="a")
    with pytest.raises(InputError, match="estimated ranking has ties"):
        tau_ap([1, 2, 3], [1, 1, 2], ties="refuse")
    with pytest.raises(InputError, match="`true` is 'human'"):
        tau_ap([1, 2], [1, 2], true="human")
    with pytest.raises(InputError, match="give paired samples"):
        tau_ap([1, 2, 3], [1, 2])
