"""Correlations of inputs x systems tables at three levels: R, definitions, properties."""

import json
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.clustered import clustered_correlation
from support import GOLD

# R 4.2.2 base, after Deutsch, Dror and Roth 2021.
CASE = json.loads((GOLD / "stats" / "clustered_correlations.json").read_text(encoding="utf-8"))[
    "cases"
]["small"]
LEVELS = ("system", "input", "global")
COEFFICIENTS = ("pearson", "spearman", "kendall", "tau_ap")


@st.composite
def tables(draw):
    inputs, systems = draw(st.integers(1, 6)), draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    metric = rng.normal(size=(inputs, systems))
    human = rng.integers(1, 6, size=(inputs, systems)).astype(float)
    for table in (metric, human):
        table[rng.random(table.shape) < draw(st.sampled_from((0.0, 0.3)))] = np.nan
    return metric, human


levels, coefficients = st.sampled_from(LEVELS), st.sampled_from(COEFFICIENTS)


@pytest.mark.parametrize("coefficient", CASE["outputs"]["point"])
def test_gold(coefficient):
    data = CASE["inputs"]
    found = {
        level: clustered_correlation(
            data["metric1"],
            data["manual"],
            level=level,
            coefficient=coefficient.removesuffix("_b"),
        ).value
        for level in LEVELS
    }
    assert found == pytest.approx(CASE["outputs"]["point"][coefficient], rel=1e-9)


def direct(metric, human, level):
    """Kendall's tau of the definitions, with SciPy."""
    there = ~np.isnan(metric) & ~np.isnan(human)

    def tau(x, z):
        varied = len(x) > 1 and np.ptp(x) > 0 and np.ptp(z) > 0
        return scipy.stats.kendalltau(x, z).statistic if varied else math.nan

    if level == "global":
        return tau(metric[there], human[there])
    if level == "system":
        columns = [i for i in range(there.shape[1]) if there[:, i].any()]
        # Rounded, as SciPy takes means that differ in the last digit for different.
        means = [
            [round(table[there[:, i], i].mean(), 9) for i in columns] for table in (metric, human)
        ]
        return tau(*means)
    within = [tau(x[t], z[t]) for x, z, t in zip(metric, human, there, strict=True)]
    defined = [value for value in within if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


@given(tables(), levels)
def test_definition(both, level):
    metric, human = both
    found = clustered_correlation(metric, human, level=level)
    assert found.value == pytest.approx(direct(metric, human, level), abs=1e-12, nan_ok=True)
    assert bool(found.undefined) == math.isnan(found.value)
    assert found.left_out == (np.isnan(metric) != np.isnan(human)).sum()


@given(tables(), levels, coefficients, st.randoms(use_true_random=False))
def test_order_of_inputs_and_systems_does_not_matter(both, level, coefficient, random):
    metric, human = both
    inputs, systems = list(range(len(metric))), list(range(metric.shape[1]))
    random.shuffle(inputs)
    random.shuffle(systems)
    options = {"level": level, "coefficient": coefficient}
    value = clustered_correlation(metric, human, **options).value
    moved = clustered_correlation(
        metric[inputs][:, systems], human[inputs][:, systems], **options
    ).value
    assert moved == pytest.approx(value, abs=1e-9, nan_ok=True)


@given(tables(), levels, coefficients)
def test_scale_of_the_metric_does_not_matter(both, level, coefficient):
    metric, human = both
    options = {"level": level, "coefficient": coefficient}
    value = clustered_correlation(metric, human, **options).value
    scaled = clustered_correlation(100 * metric + 1, human, **options).value
    assert scaled == pytest.approx(value, abs=1e-9, nan_ok=True)


def test_undefined_inputs_are_counted():
    human = [[1, 2, 3], [2, 2, 2], [math.nan, math.nan, 1]]
    metric = [[1, 2, 3], [1, 2, 3], [1, 2, 3]]
    result = clustered_correlation(metric, human, level="input")
    assert (result.value, result.n, result.undefined_inputs, result.left_out) == (1.0, 1, 2, 2)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_constant_scores_are_undefined(level, coefficient):
    result = clustered_correlation(
        [[0.5, 0.5], [0.5, 0.5]], [[1, 2], [3, 4]], level=level, coefficient=coefficient
    )
    assert math.isnan(result.value)
    assert ("the same mean" if level == "system" else "equal") in result.undefined


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_shared(level):
    nan = math.nan
    result = clustered_correlation([[1, nan]], [[nan, 1]], level=level)
    assert math.isnan(result.value)
    assert result.left_out == 2


def test_bad_input():
    with pytest.raises(ShapeError, match="`metric` is 1 x 2, `human` is 2 x 1"):
        clustered_correlation([[1, 2]], [[1], [2]], level="input")
    with pytest.raises(InputError, match="2 inputs x 1 systems; at least"):
        clustered_correlation([[1], [2]], [[1], [2]], level="input")
    with pytest.raises(InputError, match="`level` is 'summary'"):
        clustered_correlation([[1, 2]], [[1, 2]], level="summary")
    with pytest.raises(InputError, match="`coefficient` is 'r'"):
        clustered_correlation([[1, 2]], [[1, 2]], level="input", coefficient="r")
    with pytest.raises(InputError, match="`human` has an infinite value at position 0, 1"):
        clustered_correlation([[1, 2]], [[1, math.inf]], level="input")
