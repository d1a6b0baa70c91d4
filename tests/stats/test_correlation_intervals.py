"""Bootstrap and Fisher intervals of correlations against R."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError
from pyramidion.stats.correlation import kendall, pearson, spearman, tau_ap
from pyramidion.stats.correlation_tests import correlation_interval, fisher_interval
from support import GOLD

# R 4.2.2: quantile(type = 5) is MATLAB's prctile; BCa with jackknife acceleration.
CASE = json.loads((GOLD / "stats" / "correlations.json").read_text(encoding="utf-8"))["cases"][
    "bootstrap_fixed_indices"
]
FUNCTIONS = {"pearson": pearson, "spearman": spearman, "kendall": kendall, "tau_ap": tau_ap}


def ends(result):
    return [result.interval.low, result.interval.high]


@pytest.mark.parametrize("name", CASE["outputs"])
def test_gold(name):
    data = CASE["inputs"]
    options = {
        "coefficient": name.removesuffix("_b"),
        "indices": np.array(data["indices_1_based"]) - 1,
    }
    linear = correlation_interval(data["x"], data["y"], **options)
    hazen = correlation_interval(data["x"], data["y"], **options, quantiles="hazen")
    bca = correlation_interval(data["x"], data["y"], **options, quantiles="hazen", method="bca")
    found = {
        "estimate": [linear.value],
        "percentile_type5_matlab": ends(hazen),
        "percentile_type7_numpy": ends(linear),
        "z0": [bca.bca.bias],
        "acceleration": [bca.bca.acceleration],
        "bca_alphas": list(bca.bca.shares),
        "bca_type5": ends(bca),
    }
    want = CASE["outputs"][name]
    assert found.keys() == want.keys()
    for key, expected in want.items():
        assert found[key] == pytest.approx(np.atleast_1d(expected).tolist(), rel=1e-9), key


pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=10)


@given(pairs, st.sampled_from(sorted(FUNCTIONS)))
def test_resamples_are_what_they_say(both, coefficient):
    x, y = np.array(both, dtype=float).T
    indices = np.random.default_rng(1).integers(len(x), size=(6, len(x)))
    found = correlation_interval(x, y, coefficient=coefficient, indices=indices)
    options = {"ties": "b"} if coefficient == "tau_ap" else {}
    expected = [FUNCTIONS[coefficient](x[row], y[row], **options).value for row in indices]
    assert found.samples.tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert found.undefined == sum(map(math.isnan, expected))


def test_fisher_intervals():
    # Bonett and Wright's standard errors, worked out by hand for z = 1.96.
    z = 1.959963984540054
    for coefficient, error in (
        ("pearson", math.sqrt(1 / 27)),
        ("spearman", math.sqrt((1 + 0.36 / 2) / 27)),
        ("kendall", math.sqrt(0.437 / 26)),
    ):
        interval = fisher_interval(0.6, 30, coefficient)
        assert interval.low == pytest.approx(math.tanh(math.atanh(0.6) - z * error), abs=1e-12)
        assert interval.high == pytest.approx(math.tanh(math.atanh(0.6) + z * error), abs=1e-12)
    assert fisher_interval(1.0, 30).low == 1.0
    assert math.isnan(fisher_interval(0.5, 3).low)
    assert math.isnan(fisher_interval(0.5, 4, "kendall").low)
    assert math.isnan(fisher_interval(math.nan, 30).low)


def test_bad_input():
    with pytest.raises(InputError, match="tau_ap has no Fisher interval"):
        correlation_interval([1, 2, 3], [1, 3, 2], coefficient="tau_ap", method="fisher")
    with pytest.raises(InputError, match="`method` is 'exact'"):
        correlation_interval([1, 2, 3], [1, 3, 2], method="exact")
    with pytest.raises(InputError, match="`coefficient` is 'tau'"):
        correlation_interval([1, 2, 3], [1, 3, 2], coefficient="tau")
    with pytest.raises(InputError, match="rows of 3"):
        correlation_interval([1, 2, 3], [1, 3, 2], indices=[[0, 1]])
