"""Robust, non-negative and canonical regression against MATLAB, GNU Octave and R."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.regression import (
    canonical_correlation,
    nonnegative_regression,
    robust_regression,
)
from support import GOLD


def cases(name):
    return json.loads((GOLD / "stats" / name).read_text(encoding="utf-8"))["cases"]


# R 4.2.2: stats::cancor, nnls 1.4, MASS 7.3.58.2 (rlm).
R = cases("regression_R.json")
# GNU Octave 7.3.0, statistics 1.5.3: lsqnonneg, canoncorr, an independent robustfit.
OCTAVE = cases("regression_octave.json")
# The example of MathWorks' robustfit page, published to 4 decimals.
CARS = cases("robustfit_matlab_anchor.json")["carsmall"]

ROBUST = [name for name in OCTAVE if name.startswith("robust_")]
NONNEGATIVE = [name for name in OCTAVE if name.startswith("lsqnonneg_")]
NONNEGATIVE_R = [name for name in R if name.startswith("nnls_")]
RLM = [name for name in R if name.startswith("rlm_NOT_robustfit_")]
SCALES = {"code": "matlab", "doc": "text"}
FITS = [robust_regression, nonnegative_regression]


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-13)


def with_constant(fit):
    return np.array([fit.intercept, *fit.coefficients])


def test_all_gold_is_used():
    counts = [len(names) for names in (ROBUST, NONNEGATIVE, NONNEGATIVE_R, RLM)]
    assert counts == [16, 3, 3, 2]
    assert set(R) == {*NONNEGATIVE_R, *RLM, "cancor"}


@pytest.mark.parametrize("name", ROBUST)
def test_robust_gold(name):
    given, expected = OCTAVE[name]["inputs"], OCTAVE[name]["outputs"]
    fit = robust_regression(
        given["A"],
        given["y"],
        intercept=bool(given["const"]),
        scale=SCALES[given["variant"]],
        tune=given["tune"],
    )
    close(with_constant(fit) if given["const"] else fit.coefficients, expected["b"])
    close(fit.weights, expected["w"])
    close(fit.scale, expected["mad_s"])
    assert fit.iterations == expected["iterations"]
    assert fit.converged == (expected["iterations"] < 50)


def test_robust_as_published_by_mathworks():
    given, expected = CARS["inputs"], CARS["outputs"]
    found = with_constant(robust_regression(given["A"], given["y"]))
    close(found, expected["b_code_variant"])
    assert found.round(4).tolist() == expected["b_matlab_published_4dp"]
    literal = with_constant(robust_regression(given["A"], given["y"], scale="text"))
    close(literal, expected["b_doc_variant_must_not_match"])
    assert literal.round(4).tolist() != expected["b_matlab_published_4dp"]


@pytest.mark.parametrize("scale", ["matlab", "text"])
@pytest.mark.parametrize("name", RLM)
def test_robust_is_not_rlm(name, scale):
    given, other = R[name]["inputs"], R[name]["outputs"]
    for intercept, key in ((False, "b_noconst"), (True, "b_const")):
        fit = robust_regression(given["A"], given["y"], intercept=intercept, scale=scale)
        found = with_constant(fit) if intercept else fit.coefficients
        away = np.abs(found - other[key]).max() / np.abs(other[key]).max()
        assert 0.002 < away < 0.5


@pytest.mark.parametrize("name", NONNEGATIVE)
def test_nonnegative_gold_of_octave(name):
    given, expected = OCTAVE[name]["inputs"], OCTAVE[name]["outputs"]
    design, target = np.array(given["A"]) * expected["signs"], np.array(given["b"])
    fit = nonnegative_regression(design, target)
    close(fit.coefficients, expected["x"])
    close(fit.residual, expected["resnorm"])
    slope = design.T @ (target - design @ fit.coefficients)
    np.testing.assert_allclose(slope, expected["lambda"], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("name", NONNEGATIVE_R)
def test_nonnegative_gold_of_r(name):
    given, expected = R[name]["inputs"], R[name]["outputs"]
    signs, target = np.array(expected["signs"]), np.array(given["b"])
    design = np.array(given["A"]) * signs
    fit = nonnegative_regression(design, target)
    close(fit.coefficients, expected["x"])
    close(fit.coefficients * signs, expected["x_original_sign"])
    close(fit.residual, expected["deviance"])
    close(nonnegative_regression(given["A"], target).coefficients, expected["x_without_flips"])
    free = nonnegative_regression(design, target, intercept=True)
    close(free.coefficients, expected["x_free_intercept_centred"])
    close(free.residual, expected["deviance_free_intercept"])
    # The free constants of these cases are positive, so that they are the non-negative ones too.
    close(with_constant(free), expected["x_with_nonneg_intercept_first"])
    ones = np.column_stack([np.ones(len(target)), design])
    column = nonnegative_regression(ones, target).coefficients
    close(column, expected["x_with_nonneg_intercept_first"])


def same_up_to_sign(found, expected):
    expected = np.array(expected)
    close(found * np.sign(np.sum(found * expected, axis=0)), expected)


@pytest.mark.parametrize(
    ("case", "names"),
    [
        (R["cancor"], ("rho", "xcoef_unit_variance", "ycoef_unit_variance")),
        (OCTAVE["canoncorr"], ("r", "Acoef", "Bcoef")),
    ],
    ids=["R", "Octave"],
)
def test_canonical_gold(case, names):
    correlations, x, y = (case["outputs"][name] for name in names)
    found = canonical_correlation(case["inputs"]["A"], case["inputs"]["B"])
    close(found.correlations, correlations)
    same_up_to_sign(found.x_coefficients[:, : len(x[0])], x)
    same_up_to_sign(found.y_coefficients[:, : len(y[0])], y)


def test_canonical_gold_by_eigenvectors():
    given, expected = OCTAVE["canon_eigen"]["inputs"], OCTAVE["canon_eigen"]["outputs"]
    found = canonical_correlation(given["A"], given["B"])
    close(found.correlations[0], expected["rho1"])
    same_up_to_sign(found.x_coefficients[:, :1], np.array(expected["v"])[:, None])


def test_canonical_target_decides_signs():
    given, expected = R["cancor"]["inputs"], R["cancor"]["outputs"]
    first, second = np.array(given["A"]), np.array(given["B"])
    for column, correlation in zip(second.T, expected["corr_Av_with_B_columns"], strict=True):
        found = canonical_correlation(first, second, target=column)
        variates = first @ found.x_coefficients
        with_target = [np.corrcoef(variate, column)[0, 1] for variate in variates.T]
        assert min(with_target) > 0
        close(with_target[0], abs(correlation))
        against = canonical_correlation(first, second, target=-column)
        close(against.x_coefficients, -found.x_coefficients)
        close(against.y_coefficients, -found.y_coefficients)


@st.composite
def noisy(draw, columns=3):
    """Draw predictors and a target that follows them with noise and an outlier."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = rng.normal(size=(draw(st.integers(12, 30)), columns))
    y = x @ rng.normal(size=columns) + 1 + rng.normal(size=len(x)) / 4
    y[0] += 50
    return x, y


factors = st.sampled_from([0.25, 3.0, 1024.0])


@pytest.mark.parametrize("fit", FITS)
@given(data=noisy(), factor=factors, intercept=st.booleans())
def test_scaled_column_scales_its_coefficient(fit, data, factor, intercept):
    x, y = data
    scaled = fit(x * [factor, 1, 1], y, intercept=intercept)
    plain = fit(x, y, intercept=intercept)
    expected = plain.coefficients / [factor, 1, 1]
    np.testing.assert_allclose(scaled.coefficients, expected, rtol=1e-5, atol=1e-5)


@given(noisy(), st.randoms(use_true_random=False))
def test_robust_ignores_the_order_of_rows(data, random):
    x, y = data
    order = list(range(len(y)))
    random.shuffle(order)
    plain, moved = robust_regression(x, y), robust_regression(x[order], y[order])
    np.testing.assert_allclose(moved.coefficients, plain.coefficients, rtol=1e-5, atol=1e-5)


@given(noisy())
def test_robust_weights_are_shares(data):
    weights = robust_regression(*data).weights
    assert ((weights >= 0) & (weights <= 1)).all()


def test_robust_sets_an_outlier_aside():
    x = np.arange(20.0)[:, None]
    y = 2 * x[:, 0] + 3 + np.tile([0.1, -0.1], 10)
    y[7] = 100
    fit = robust_regression(x, y)
    assert fit.weights[7] == 0
    assert (fit.coefficients[0], fit.intercept) == pytest.approx((2, 3), abs=0.05)


def test_robust_goes_on_when_weights_lower_the_rank():
    # Both rows that have the second column are outliers; without them it is 0 throughout.
    x = np.column_stack([np.arange(12.0), np.zeros(12)])
    x[5:7, 1] = 1
    y = x[:, 0] + np.tile([0.1, -0.1, 0.05], 4)
    y[5:7] += [60, -60]
    fit = robust_regression(x, y)
    rest = np.delete(np.arange(12), [5, 6])
    assert fit.weights[5:7].tolist() == [0, 0]
    assert fit.coefficients[1] == 0
    assert fit.coefficients[0] == pytest.approx(np.polyfit(x[rest, 0], y[rest], 1)[0], abs=0.01)


@given(noisy(), st.booleans())
def test_nonnegative_is_nonnegative_and_best(data, intercept):
    x, y = data
    fit = nonnegative_regression(x, y, intercept=intercept)
    rest = y - fit.intercept - x @ fit.coefficients
    slope = x.T @ rest
    assert (fit.coefficients >= 0).all()
    assert fit.residual == pytest.approx(rest @ rest)
    # The conditions of Karush, Kuhn and Tucker: no step that is allowed lowers the residual.
    assert slope.max() < 1e-8
    assert np.abs(slope[fit.coefficients > 0]).max(initial=0) < 1e-8


def test_nonnegative_intercept_may_be_negative():
    assert nonnegative_regression([[1], [2], [3]], [-4, -3, -2], intercept=True).intercept == -5


@given(noisy(columns=3), noisy(columns=2), factors)
def test_canonical_is_bounded_and_ignores_scale(first, second, factor):
    n = min(len(first[0]), len(second[0]))
    x, y = first[0][:n], second[0][:n]
    found = canonical_correlation(x, y)
    assert ((found.correlations >= 0) & (found.correlations <= 1)).all()
    assert (np.diff(found.correlations) <= 0).all()
    assert (found.x_coefficients.shape, found.y_coefficients.shape) == ((3, 2), (2, 2))
    variates = np.column_stack([x @ found.x_coefficients, y @ found.y_coefficients])
    expected = np.eye(4)
    expected[:2, 2:] = expected[2:, :2] = np.diag(found.correlations)
    np.testing.assert_allclose(np.cov(variates.T), expected, atol=1e-8)
    scaled = canonical_correlation(x * [factor, 1, 2] + 5, y / factor)
    np.testing.assert_allclose(scaled.correlations, found.correlations, atol=1e-9)
    swapped = canonical_correlation(y, x)
    np.testing.assert_allclose(swapped.correlations, found.correlations, atol=1e-9)
    np.testing.assert_allclose(
        scaled.x_coefficients * np.array([[factor], [1], [2]]), found.x_coefficients, atol=1e-6
    )


def test_canonical_of_a_set_with_itself_is_one():
    x = np.random.default_rng(3).normal(size=(9, 2))
    assert canonical_correlation(x, x).correlations.tolist() == pytest.approx([1, 1])


FEW = [[1, 2, 3], [4, 5, 7]]


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize(
    ("x", "y", "error", "message"),
    [
        (FEW, [1, 2], InputError, "`x` has 2 rows and 3 columns; at least"),
        ([[], []], [1, 2], InputError, "`x` has no columns; give at least one"),
        ([[1], [2], [4]], [0.1 + 0.2, 0.3, 0.3], InputError, "`y` is constant"),
        ([[1], [float("nan")], [4]], [1, 2, 3], InputError, "`x` has no value .NaN. at position 1"),
        ([[1], [2], [4]], [1, float("nan"), 3], InputError, "`y` has no value .NaN. at position 1"),
        ([[1], [2], [4]], [1, 2], ShapeError, "`y` has 2 values and `x` 3 rows"),
        ([1, 2, 4], [1, 2, 3], ShapeError, "`x` has 1 dimensions"),
    ],
)
def test_bad_regression_input(fit, x, y, error, message):
    with pytest.raises(error, match=message):
        fit(x, y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "mad"}, "`scale` is 'mad'; use one of matlab, text"),
        ({"tune": 0}, "`tune` is 0; give a number above 0"),
        ({"tune": float("nan")}, "`tune` is nan"),
        ({"tune": 1e-9}, "the weights of all observations fell to 0"),
    ],
)
def test_bad_robust_options(options, message):
    with pytest.raises(InputError, match=message):
        robust_regression([[1], [2], [4], [5], [7]], [1, 3, 3, 6, 6], **options)


def test_robust_scale_of_the_text_may_ignore_everything():
    y = np.array([50, 0, 0.1, 0, 0.1, 0, 0.1, 0, 0.1, 0])
    with pytest.raises(InputError, match="fell to 0; use scale 'matlab' or raise `tune`"):
        robust_regression(np.ones((10, 1)), y, intercept=False, scale="text")
    assert robust_regression(np.ones((10, 1)), y, intercept=False).coefficients < 1


def test_robust_refuses_dependent_columns():
    x = np.column_stack([np.arange(6), np.full(6, 2)])
    with pytest.raises(InputError, match="has 3 columns but rank 2; remove columns"):
        robust_regression(x, [1, 3, 2, 5, 4, 6])
    assert robust_regression(x, [1, 3, 2, 5, 4, 6], intercept=False).intercept == 0


def test_nonnegative_fit_that_does_not_converge(monkeypatch):
    def give_up(*_, **__):
        raise RuntimeError("Maximum number of iterations reached.")

    monkeypatch.setattr(optimize, "nnls", give_up)
    with pytest.raises(InputError, match="does not converge"):
        nonnegative_regression([[1], [2]], [1, 3])


SOUND = [[1, 2], [2, 1], [3, 5], [4, 4]]


@pytest.mark.parametrize(
    ("x", "y", "target", "error", "message"),
    [
        (FEW, [[1], [2]], None, InputError, "`x` has 2 rows and 3 columns; at least 4 rows"),
        (SOUND, [[1]] * 3, None, ShapeError, "`x` has 4 rows and `y` 3"),
        (SOUND, [[0.1]] * 4, None, InputError, "column 0 of `y` is constant or depends"),
        ([[1, 2], [2, 4], [3, 6], [5, 10]], SOUND, None, InputError, "column 1 of `x`"),
        (SOUND, [[1], [2], [float("nan")], [3]], None, InputError, "`y` has no value"),
        (SOUND, SOUND, [1, 1, 1, 1], InputError, "`target` is constant"),
        (SOUND, SOUND, [1, 2], ShapeError, "`target` has 2 values and `x` 4 rows"),
    ],
)
def test_bad_canonical_input(x, y, target, error, message):
    with pytest.raises(error, match=message):
        canonical_correlation(x, y, target=target)
