"""What the search is made of: against plain NumPy, the statistics, and gold of other programs."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.classy import TrainingData, fit_linear
from pyramidion.classy._search import SortedRows
from pyramidion.classy._subset_fits import (
    LongRows,
    Subsets,
    eliminate,
    fit_nonnegative,
    fit_robust,
    judge_subsets,
    middle_values,
    sweep,
    sweep_subsets,
    variance_inflation,
)
from pyramidion.stats import kendall, spearman
from support import GOLD

# GNU Octave 7.3.0, statistics 1.5.3: lsqnonneg, an independent robustfit.
OCTAVE = json.loads((GOLD / "stats" / "regression_octave.json").read_text("utf-8"))["cases"]
ROBUST = [name for name in OCTAVE if name.startswith("robust_") and "const1" in name]
NONNEGATIVE = [name for name in OCTAVE if name.startswith("lsqnonneg_")]
# The example of MathWorks' robustfit page, published to 4 decimals.
CARS = json.loads((GOLD / "stats" / "robustfit_matlab_anchor.json").read_text("utf-8"))["cases"]
SCALES = {"code": "matlab", "doc": "text"}

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def robust_fit_of_all(features, target, scale="matlab"):
    """Fit all columns as the search does: as one of its subsets."""
    data, subsets = TrainingData(features, target), Subsets.of(np.shape(features)[1], None)
    for fits in fit_robust(data, subsets, *judge_subsets(data, subsets), scale):
        for row in np.flatnonzero(fits.masks == subsets.masks[-1]):
            found = np.append(fits.intercepts[row], fits.coefficients[row])
            iterations = int(fits.iterations[row])
    return found, iterations


@pytest.mark.parametrize("name", ROBUST)
def test_robust_gold(name):
    given, expected = OCTAVE[name]["inputs"], OCTAVE[name]["outputs"]
    found, iterations = robust_fit_of_all(given["A"], given["y"], SCALES[given["variant"]])
    np.testing.assert_allclose(found, expected["b"], rtol=1e-9, atol=1e-12)
    assert iterations == expected["iterations"]


def test_robust_as_published_by_mathworks():
    given, expected = CARS["carsmall"]["inputs"], CARS["carsmall"]["outputs"]
    found, _ = robust_fit_of_all(given["A"], given["y"])
    assert found.round(4).tolist() == expected["b_matlab_published_4dp"]


@pytest.mark.parametrize("name", NONNEGATIVE)
def test_nonnegative_gold(name):
    given, expected = OCTAVE[name]["inputs"], OCTAVE[name]["outputs"]
    data = TrainingData(given["A"], given["b"])
    found = fit_nonnegative(data, Subsets.of(data.features.shape[1], None))[0, -1]
    turned = np.array(expected["x"]) * expected["signs"]
    np.testing.assert_allclose(found, turned, rtol=1e-9, atol=1e-12)


@given(seeds, st.integers(1, 6), st.integers(1, 3))
def test_nonnegative_fits_are_the_statistics(rng, columns, targets):
    rows = 4 * columns
    features = rng.normal(size=(rows, columns)) + rng.normal(size=(rows, 1)) + rng.normal()
    data = TrainingData(features, rng.normal(size=(rows, targets)) + features[:, :1])
    subsets = Subsets.of(columns, None)
    found = fit_nonnegative(data, subsets)
    for mask, inside in zip(subsets.masks, subsets.members(subsets.masks), strict=True):
        for target in range(targets):
            fit = fit_linear("nonneg", features[:, inside], data.targets, target=target)
            np.testing.assert_allclose(
                found[target, mask, inside], fit.coefficients, rtol=1e-7, atol=1e-9
            )
            assert not found[target, mask, ~inside].any()


@given(seeds, st.integers(1, 6), st.integers(0, 5))
def test_elimination_solves(rng, size, systems):
    roots = rng.normal(size=(systems, size, size))
    matrices = roots @ roots.transpose(0, 2, 1) + np.eye(size)
    right = rng.normal(size=(systems, size))
    found, pivots = eliminate(matrices.transpose(1, 2, 0).copy(), right.T.copy())
    expected = np.linalg.solve(matrices, right[:, :, None])[:, :, 0]
    np.testing.assert_allclose(found.T, expected, rtol=1e-8, atol=1e-10)
    assert (pivots > 0.99).all()


def test_elimination_tells_what_has_no_solution():
    singular = np.array([[1.0, 1.0], [1.0, 1.0]])[:, :, None]
    found, pivots = eliminate(singular, np.array([[1.0], [2.0]]))
    assert pivots.tolist() == [0.0]
    assert np.isfinite(found).all()


@given(seeds, st.integers(1, 5))
def test_sweeps_are_least_squares(rng, columns):
    rows = rng.normal(size=(columns + 2, 20))
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    groups = [[column] for column in range(columns)]
    for number, table in enumerate(sweep_subsets(rows @ rows.T, groups)):
        inside = [column for column in range(columns) if number >> column & 1]
        outside = [row for row in range(len(rows)) if row not in inside]
        fit = np.linalg.lstsq(rows[inside].T, rows[outside].T)[0]
        left = rows[outside] - fit.T @ rows[inside]
        np.testing.assert_allclose(table[np.ix_(inside, outside)], fit, atol=1e-8)
        np.testing.assert_allclose(table[np.ix_(outside, outside)], left @ left.T, atol=1e-8)
        inverse = np.linalg.inv(rows[inside] @ rows[inside].T)
        np.testing.assert_allclose(table[np.ix_(inside, inside)], -inverse, rtol=1e-6, atol=1e-8)
        assert variance_inflation(table) == pytest.approx(max([1, *np.diag(inverse)]))


def test_sweep_on_a_copy_is_nothing():
    assert np.isnan(variance_inflation(sweep(np.ones((2, 2)), [0, 1])))


@given(seeds, st.integers(1, 40), st.integers(1, 5), st.integers(0, 7))
def test_long_rows_are_matrix_products(rng, length, rows, others):
    one, other = rng.normal(size=(rows, length)), rng.normal(size=(others, length))
    # So many others that the rows are cut into pieces of one to many.
    for most in (1, 1 << 15, 1 << 20):
        long = LongRows(one, columns=most)
        np.testing.assert_allclose(long.dot(other), one @ other.T, atol=1e-10)
        factors = rng.normal(size=(others, rows))
        found = long.combine(factors, np.empty((others, length)))
        np.testing.assert_allclose(found, factors @ one, atol=1e-10)


@given(seeds, st.integers(5, 60), st.booleans())
def test_medians_of_rows_without_their_smallest(rng, length, tied):
    rows = rng.normal(size=(5, length)).round(1 if tied else 9)
    dropped = np.arange(5)
    expected = [np.median(np.sort(row)[k:]) for row, k in zip(rows, dropped, strict=True)]
    np.testing.assert_allclose(middle_values(rows, dropped).mean(axis=0), expected, rtol=1e-14)
    np.testing.assert_allclose(middle_values(rows).mean(axis=0), np.median(rows, axis=1))


values = st.lists(st.integers(0, 6), min_size=3, max_size=30)


@pytest.mark.parametrize(
    ("of_many", "statistic"), [(SortedRows.spearman, spearman), (SortedRows.kendall, kendall)]
)
@given(target=values, rng=seeds, distinct=st.sampled_from([1, 2, 5, 1000]))
def test_rank_correlations_of_many(of_many, statistic, target, rng, distinct):
    wanted = np.array(target) / 3
    if np.ptp(wanted) == 0:
        wanted[0] += 1
    rows = rng.integers(0, distinct, size=(5, len(wanted))) * 0.1 - 2
    # Sums in another order are no difference.
    rows[1] = (rows[0] + 0.1) + 0.2
    expected = [statistic(row, wanted).value for row in rows]
    np.testing.assert_allclose(of_many(SortedRows.of(rows), wanted), expected, atol=1e-12)


def test_kendall_of_many_values():
    rng = np.random.default_rng(0)
    rows, target = rng.normal(size=(3, 3000)), rng.normal(size=3000)
    rows[1] += target
    rows[2] = np.round(rows[1], 1)
    expected = [kendall(row, target).value for row in rows]
    np.testing.assert_allclose(SortedRows.of(rows).kendall(target), expected, atol=1e-12)


def test_subsets_and_their_blocks():
    subsets = Subsets.of(6, [[5], [0, 1], [2], [3], [4]])
    for differ in range(6):
        blocks = list(subsets.blocks(differ))
        masks = np.concatenate([block.masks for block in blocks])
        assert sorted(masks.tolist()) == list(range(32))
        for block in blocks:
            members = subsets.members(block.masks)
            assert np.flatnonzero(members.any(axis=0)).tolist() == block.columns
            assert np.flatnonzero(members.all(axis=0)).tolist() == sorted(block.shared_columns)
            for number, inside in enumerate(members):
                groups = [g for bit, g in enumerate(block.varied_groups) if number >> bit & 1]
                columns = {*block.shared_columns, *(column for group in groups for column in group)}
                assert set(np.flatnonzero(inside)) == columns
    assert subsets.sizes(subsets.masks).tolist() == [mask.bit_count() for mask in range(1, 32)]
