"""Two-way analysis of variance against R's lm and car, and its properties."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import fdtrc

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.anova import two_way_anova
from support import GOLD, shared_file

NAN = math.nan

# R 4.2.2, lm with contr.sum and car 3.1.1 Anova(type = 2).
CASES = json.loads((GOLD / "stats" / "anova.json").read_text(encoding="utf-8"))["cases"]
MATRICES = [name for name in CASES if "matrix" in CASES[name]["inputs"]]

tables = arrays(
    float,
    st.tuples(st.integers(3, 8), st.integers(2, 5)),
    elements=st.integers(0, 40).map(lambda value: value / 10),
)


def near(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", MATRICES)
def test_gold_of_matrices(name):
    expected = CASES[name]["outputs"]
    found = two_way_anova(np.array(CASES[name]["inputs"]["matrix"], dtype=float))
    assert found.mean == near(expected["mu"])
    assert found.first.effects == near(expected["system_effects"])
    assert found.second.effects == near(expected["input_effects"])
    assert found.first.means == near(np.array(expected["system_effects"]) + expected["mu"])
    assert found.variance == near(expected["sigma2"])
    assert found.residual_df == expected["df_resid"]
    compare_tests(found, expected["type2"])


def compare_tests(found, expected):
    squares = (found.first.sum_of_squares, found.second.sum_of_squares)
    assert (*squares, found.residual_sum_of_squares) == near(tuple(expected["SS"]))
    assert [found.first.df, found.second.df, found.residual_df] == expected["df"]
    assert (found.first.f, found.second.f) == near(tuple(expected["F"]))
    assert (found.first.p, found.second.p) == pytest.approx(tuple(expected["p"]), rel=1e-9)


@pytest.mark.parametrize("name", MATRICES)
def test_gold_of_sequential_squares(name):
    # Type I of the first factor ignores the second: the spread of plain column means.
    table = np.array(CASES[name]["inputs"]["matrix"], dtype=float)
    found = two_way_anova(table)
    expected = CASES[name]["outputs"]["type1_system_first"]
    n = found.first.n
    between = n @ (np.nanmean(table, axis=0) - np.nanmean(table)) ** 2
    squares = (between, found.second.sum_of_squares, found.residual_sum_of_squares)
    assert squares == near(tuple(expected["SS"]))
    f = between / found.first.df / found.variance
    assert (f, found.second.f) == near(tuple(expected["F"]))
    p = fdtrc(found.first.df, found.residual_df, f)
    assert (p, found.second.p) == pytest.approx(tuple(expected["p"]), rel=1e-9)


def test_gold_of_octave():
    # GNU Octave 7.3.0, statistics 1.5.3, anova2; its F distribution has fewer digits.
    path = GOLD / "stats" / "regression_octave.json"
    path = path if path.exists() else shared_file("gold/stats/regression_octave.json")
    case = json.loads(path.read_text(encoding="utf-8"))["cases"]["anova2_coverage_small"]
    expected = case["outputs"]
    found = two_way_anova(case["inputs"]["matrix"])
    assert found.first.f == near(expected["F_columns"])
    assert found.second.f == near(expected["F_rows"])
    assert found.first.sum_of_squares == near(expected["SS_columns"])
    assert found.second.sum_of_squares == near(expected["SS_rows"])
    assert found.residual_sum_of_squares == near(expected["SS_error"])
    p = [found.first.p, found.second.p]
    assert p == pytest.approx(expected["p_columns_rows"], rel=1e-6)


def test_gold_of_assessors_and_categories():
    case = CASES["assessor_category"]
    given_, expected = case["inputs"], case["outputs"]
    found = two_way_anova(given_["y"], given_["assessor"], given_["category"])
    assert found.mean == near(expected["mu"])
    assert found.first.effects == near(expected["assessor_effects"])
    assert found.second.effects == near(expected["category_effects"])
    assert found.first.levels == tuple("ABCDEFGH")
    compare_tests(found, expected)
    squares = (found.first.sum_of_squares, found.second.sum_of_squares)
    assert (*squares, found.residual_sum_of_squares) == near(tuple(expected["SS_type3"]))


def by_least_squares(table):
    """Fit with an explicit sum-to-zero design, and give the fit and its covariance."""

    def coded(places, count):
        return np.vstack([np.eye(count - 1), -np.ones(count - 1)])[places]

    rows, columns = np.nonzero(~np.isnan(table))
    y = table[rows, columns]
    parts = [np.ones((len(y), 1)), coded(columns, table.shape[1]), coded(rows, table.shape[0])]
    design = np.hstack(parts)
    fit = np.linalg.lstsq(design, y, rcond=None)[0]
    rest = y - design @ fit
    variance = rest @ rest / (len(y) - design.shape[1])
    return fit, variance * np.linalg.inv(design.T @ design), coded


@given(tables)
def test_means_and_errors_are_those_of_least_squares(table):
    table[0, 0] = NAN
    table += np.random.default_rng(0).normal(size=table.shape)
    found = two_way_anova(table)
    fit, covariance, coded = by_least_squares(table)
    columns = table.shape[1]
    means = np.zeros((columns, len(fit)))
    means[:, 0] = 1
    means[:, 1:columns] = coded(np.arange(columns), columns)
    assert found.first.means == pytest.approx(means @ fit, rel=1e-7, abs=1e-7)
    errors = np.sqrt(np.diag(means @ covariance @ means.T))
    assert found.first.standard_errors == pytest.approx(errors, rel=1e-7)
    means[:, 0] = 0
    assert found.first.covariance == pytest.approx(means @ covariance @ means.T, rel=1e-6, abs=1e-9)


@given(tables, st.randoms(use_true_random=False))
def test_order_does_not_matter(table, random):
    table[0, 0] = NAN
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    found, again = two_way_anova(table), two_way_anova(table[np.ix_(rows, columns)])
    assert again.first.effects == pytest.approx(found.first.effects[columns], abs=1e-9)
    assert again.first.p == pytest.approx(found.first.p, rel=1e-5, abs=1e-9, nan_ok=True)


@given(tables)
def test_turning_the_table_exchanges_the_factors(table):
    table[0, 0] = NAN
    one, other = two_way_anova(table), two_way_anova(table.T)
    assert one.first.effects == pytest.approx(other.second.effects, abs=1e-9)
    squares = one.first.sum_of_squares
    assert squares == pytest.approx(other.second.sum_of_squares, rel=1e-7, abs=1e-9)


@given(tables)
def test_lists_and_matrices_are_one(table):
    table[0, 0] = NAN
    rows, columns = np.indices(table.shape)
    listed = two_way_anova(table.ravel(), columns.ravel(), rows.ravel())
    assert listed.mean == two_way_anova(table).mean
    assert listed.missing == 1


def test_missing_people_are_not_punished_for_hard_topics():
    # Column 2 is the best on every topic it has, but was only given the hardest ones.
    table = np.array([[5.0, 5.2, NAN], [4.8, 5.1, NAN], [1.0, 1.1, 1.9], [0.9, 1.3, 2.1]])
    found = two_way_anova(table)
    assert np.nanmean(table, axis=0).argmax() != 2
    assert found.first.means.argmax() == 2


def test_balanced_standard_errors():
    table = np.array(CASES["coverage_small"]["inputs"]["matrix"])
    found = two_way_anova(table)
    assert found.balanced
    expected = [math.sqrt(found.variance / len(table))] * table.shape[1]
    assert found.first.standard_errors == pytest.approx(expected)
    assert found.first.means == pytest.approx(table.mean(axis=0))


def test_no_degrees_of_freedom():
    found = two_way_anova([[1, 2, 4]])
    assert found.note == "no degrees of freedom are left for the residuals"
    assert math.isnan(found.first.f)
    assert math.isnan(found.variance)
    assert found.first.means.tolist() == pytest.approx([1, 2, 4])


def test_no_residuals():
    found = two_way_anova([[0.1, 0.2, 0.4], [1.1, 1.2, 1.4], [0.3, 0.4, 0.6]])
    assert found.note == "the model leaves no residuals"
    assert math.isnan(found.first.p)


def test_constant_scores():
    found = two_way_anova(np.full((4, 3), 0.3))
    assert (found.first.f, found.first.p, found.second.p) == (0, 1, 1)


def test_labels_without_an_order():
    found = two_way_anova([1, 2, 3, 5, 4, 4], ["x", None, "x", None, "x", 3], [1, 1, 2, 2, 3, 3])
    assert set(found.first.levels) == {"x", None, 3}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([1, 2],), ShapeError, "1 dimensions instead of two"),
        (([1, 2], ["a", "b"]), InputError, "one factor is given"),
        (([[1, 2]], None, [1]), InputError, "one factor is given"),
        (([1, 2], ["a"], [1, 2]), ShapeError, "`first` has 1 levels for 2 values"),
        (([1, 2], ["a", "b"], [1]), ShapeError, "`second` has 1 levels for 2 values"),
        (([[NAN]],), InputError, "no value"),
        (([[1, NAN], [2, NAN]],), InputError, "level 1 of the first factor has no value"),
        (([[1, 2], [NAN, NAN]],), InputError, "level 1 of the second factor has no value"),
        (([[1, NAN], [NAN, 2]],), InputError, "levels 0 and 1 of the first factor share no"),
        (([[1, math.inf]],), InputError, "infinite"),
        (([["a"]],), InputError, "not a number"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        two_way_anova(*arguments)


def test_many_levels_cost_no_square():
    """A matrix of all pairs of 40,000 topics would take 12 GB."""
    rng = np.random.default_rng(5)
    table = rng.normal(size=(40_000, 3)) + np.arange(3)
    table[:7, 0] = np.nan
    found = two_way_anova(table)
    few = two_way_anova(table[:20])
    # One topic's mean is known by its own three or two values; those of others say the rest.
    size = np.sqrt(found.variance / found.second.n)
    assert found.second.standard_errors == pytest.approx(size, rel=0.3)
    inverse = few.second.covariance / few.variance
    weights = (few.second.design.counts / few.first.n).mean(axis=1)
    shift = np.eye(20) - weights
    expected = np.diag(shift @ inverse @ shift.T) + np.sum(1 / few.first.n) / 9
    assert few.second.standard_errors**2 == pytest.approx(expected * few.variance, rel=1e-9)
