"""Simultaneous intervals against multcomp's glht, Tukey and Dunnett, and their properties."""

import json
import math

import numpy as np
import pytest

from pyramidion.errors import InputError, NotFoundError
from pyramidion.stats.multiple_comparisons import (
    _Contrasts,
    blocked_tukey,
    simultaneous_intervals,
)
from pyramidion.stats.pairs import all_pairs
from support import GOLD

# R 4.2.2, multcomp 1.4.22 glht: quasi-Monte-Carlo, good to about 0.001 in p.
CASES = {
    name: case
    for name, case in json.loads((GOLD / "stats" / "anova.json").read_text(encoding="utf-8"))[
        "cases"
    ].items()
    if "matrix" in case["inputs"]
}
MISSING = np.array(CASES["coverage_missing"]["inputs"]["matrix"], dtype=float)
COMPLETE = np.array(CASES["coverage_small"]["inputs"]["matrix"])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", ["simulate", "auto"])
def test_gold(name, method):
    expected = CASES[name]["outputs"]["simultaneous_ci_mvt"]
    table = np.array(CASES[name]["inputs"]["matrix"], dtype=float)
    found = simultaneous_intervals(table, method=method)
    assert [f"{b + 1} - {a + 1}" for a, b in found.pairs] == expected["pairs"]
    assert -found.differences == pytest.approx(expected["estimate"], rel=1e-9)
    assert found.standard_errors == pytest.approx(expected["se"], rel=1e-9)
    assert found.critical == pytest.approx(expected["crit"], abs=0.01)
    assert found.p == pytest.approx(expected["p_adj"], abs=0.003)
    slack = 0.01 * expected["crit"] * max(expected["se"])
    assert -found.high == pytest.approx(expected["lower"], abs=slack)
    assert -found.low == pytest.approx(expected["upper"], abs=slack)


def test_complete_tables_need_no_simulation():
    found = simultaneous_intervals(COMPLETE)
    assert (found.draws, found.monte_carlo_error) == (0, 0)
    assert found.p.tolist() == blocked_tukey(COMPLETE).p.tolist()
    assert simultaneous_intervals(MISSING).draws == 100_000


def test_simulation_meets_the_exact_values_far_into_the_tail():
    exact = blocked_tukey(COMPLETE)
    drawn = simultaneous_intervals(COMPLETE, method="simulate")
    assert abs(drawn.critical - exact.critical) < 4 * drawn.monte_carlo_error
    assert exact.p.min() < 1e-8
    assert drawn.p == pytest.approx(exact.p, rel=0.03)


def test_error_shrinks_with_draws_and_is_honest():
    criticals = [
        simultaneous_intervals(MISSING, draws=2000, rng=seed).critical for seed in range(30)
    ]
    few = simultaneous_intervals(MISSING, draws=2000)
    many = simultaneous_intervals(MISSING, draws=32_000)
    assert many.monte_carlo_error == pytest.approx(few.monte_carlo_error / 4, rel=0.15)
    assert np.std(criticals, ddof=1) == pytest.approx(few.monte_carlo_error, rel=0.5)
    assert few.monte_carlo_error < 0.01


def test_seeds():
    one = simultaneous_intervals(MISSING, draws=1000, rng=5)
    assert one.critical == simultaneous_intervals(MISSING, draws=1000, rng=5).critical
    assert one.critical != simultaneous_intervals(MISSING, draws=1000, rng=6).critical
    default = simultaneous_intervals(MISSING, draws=1000)
    assert default.critical == simultaneous_intervals(MISSING, draws=1000, rng=0).critical


def test_fewer_comparisons_are_sharper():
    all_pairs = simultaneous_intervals(MISSING, draws=20_000)
    some = simultaneous_intervals(MISSING, draws=20_000, baseline=2)
    assert some.critical < all_pairs.critical
    assert some.pairs.tolist() == [[0, 2], [1, 2], [3, 2], [4, 2]]
    assert np.isnan(some.half_widths).all()


def test_baseline_is_dunnett():
    # Dunnett (1964), table of two-sided 5 % points: 2.41 for 3 treatments and 60 degrees.
    table = np.random.default_rng(4).normal(size=(21, 4))
    found = simultaneous_intervals(table, baseline=0)
    assert found.critical == pytest.approx(2.41, abs=0.005)


@pytest.mark.parametrize("name", ["coverage_missing", "likert_matrix"])
def test_kramer_is_a_little_cautious(name):
    table = np.array(CASES[name]["inputs"]["matrix"], dtype=float)
    found = simultaneous_intervals(table)
    kramer = simultaneous_intervals(table, method="tukey")
    assert found.critical < kramer.critical + 3 * found.monte_carlo_error
    assert kramer.critical == blocked_tukey(table).critical


def test_undefined():
    found = simultaneous_intervals([[0.1, 0.1, 0.4], [1.1, 1.1, 1.4], [0.2, math.nan, 0.5]])
    assert found.note == "the model leaves no residuals"
    assert found.p[0] == 1
    assert np.isnan(found.p[1:]).all()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"draws": 10}, InputError, "at least 100"),
        ({"method": "mvt"}, InputError, "auto, tukey, simulate"),
        ({"confidence_level": 95}, InputError, "between 0 and 1"),
        ({"baseline": 5}, NotFoundError, "no column 5"),
        ({"baseline": -1}, NotFoundError, "no column -1"),
        ({"baseline": 1, "method": "tukey"}, InputError, "leave `baseline` out"),
    ],
)
def test_bad_input(options, error, message):
    with pytest.raises(error, match=message):
        simultaneous_intervals(MISSING, **options)


def every_contrast(points, pairs, errors):
    first, second = pairs.T
    return (np.abs(points[:, first] - points[:, second]) / errors).max(axis=1)


@pytest.mark.parametrize(
    "patterns", [[0] * 7, [0, 0, 1, 0, 1, 1, 2], range(7)], ids=["alike", "groups", "different"]
)
def test_the_largest_contrast_is_that_of_the_extremes_of_groups(patterns):
    rng = np.random.default_rng(3)
    points, pairs, own = rng.normal(size=(50, 7)), all_pairs(7), np.array(patterns)
    size = 1 + own % 3 + 0.1 * own
    # As sums in another order would have it.
    errors = (size[pairs[:, 0]] + size[pairs[:, 1]]) * (1 + rng.uniform(-1e-15, 1e-15, len(pairs)))
    found = _Contrasts.of(7, pairs, errors)
    assert len(found.starts) == len(set(patterns))
    assert found.largest(points) == pytest.approx(every_contrast(points, pairs, errors), rel=1e-13)


def test_only_pairs_that_are_asked_for_are_contrasts():
    points, pairs = (
        np.random.default_rng(4).normal(size=(50, 5)),
        np.array([[1, 0], [2, 0], [4, 0]]),
    )
    errors = np.array([1.0, 1.0, 2.0])
    found = _Contrasts.of(5, pairs, errors).largest(points)
    assert found.tolist() == every_contrast(points, pairs, errors).tolist()
