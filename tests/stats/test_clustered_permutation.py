"""PERM-SYSTEMS, PERM-INPUTS and PERM-BOTH against R and against one swap at a time."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.clustered import (
    clustered_correlation,
    clustered_difference,
    swapped_correlations,
    swapped_kendall,
)
from support import GOLD

# R 4.2.2 base, after Deutsch, Dror and Roth 2021, with given swaps.
CASE = json.loads((GOLD / "stats" / "clustered_correlations.json").read_text(encoding="utf-8"))[
    "cases"
]["small"]
PERM = [name for name in CASE["outputs"] if name.startswith("perm_")]
LEVELS = ("system", "input", "global")
COEFFICIENTS = ("pearson", "spearman", "kendall", "tau_ap")
OVER = ("systems", "inputs", "both")


def checked_swaps(over, systems, inputs):
    chosen = {"system_swaps": systems, "input_swaps": inputs}
    unused = {"systems": "input_swaps", "inputs": "system_swaps"}.get(over)
    return {name: rows for name, rows in chosen.items() if name != unused}


@pytest.mark.parametrize("name", PERM)
def test_gold(name):
    _, over, level, coefficient, _ = name.split("_")
    data, want = CASE["inputs"], CASE["outputs"][name]
    result = clustered_difference(
        data["metric1"],
        data["metric2"],
        data["manual"],
        level=level,
        coefficient=coefficient,
        over=over,
        **checked_swaps(over, data["swap_systems"], data["swap_inputs"]),
    )
    assert result.difference == pytest.approx(want["observed"], rel=1e-9)
    assert result.samples[:5].tolist() == pytest.approx(want["first5"], rel=1e-9)
    assert result.p == pytest.approx((want["count_abs_ge"] + 1) / (len(result.samples) + 1))
    assert want.keys() == {"observed", "first5", "count_abs_ge"}


def test_every_output_of_the_gold_file_is_checked_somewhere():
    names = {name.split("_")[0] for name in CASE["outputs"]}
    assert names == {"point", "boot", "perm"}


@st.composite
def swapped_tables(draw):
    inputs, systems = draw(st.integers(1, 5)), draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    distinct = draw(st.sampled_from((2, 5, 10**6)))
    first, second = (rng.integers(distinct, size=(inputs, systems)) / 3 for _ in range(2))
    human = rng.integers(1, 5, size=(inputs, systems)).astype(float)
    human[rng.random(human.shape) < draw(st.sampled_from((0.0, 0.3)))] = np.nan
    swaps = rng.integers(2, size=(4, systems)), rng.integers(2, size=(4, inputs))
    return first, second, human, *swaps


def standardized(table, present):
    values = table[present]
    varied = len(values) and np.ptp(values) > 0
    return (table - values.mean()) / values.std() if varied else 0 * table


@given(
    swapped_tables(),
    st.sampled_from(LEVELS),
    st.sampled_from(COEFFICIENTS),
    st.sampled_from(OVER),
)
def test_each_swap_is_a_pair_of_tables(tables, level, coefficient, over):
    first, second, human, systems, inputs = tables
    options = {"level": level, "coefficient": coefficient}
    found = clustered_difference(
        first, second, human, **options, over=over, **checked_swaps(over, systems, inputs)
    )
    x, y = (standardized(table, ~np.isnan(human)) for table in (first, second))

    def difference(a, b):
        return (
            clustered_correlation(a, human, **options).value
            - clustered_correlation(b, human, **options).value
        )

    expected = []
    for by_system, by_input in zip(systems, inputs, strict=True):
        rows = by_input[:, None] * (over != "systems")
        swap = rows != by_system[None] * (over != "inputs")
        expected.append(difference(np.where(swap, y, x), np.where(swap, x, y)))
    assert found.samples.tolist() == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert found.undefined == sum(map(math.isnan, expected))
    assert found.difference == pytest.approx(difference(first, second), abs=1e-9, nan_ok=True)


@given(swapped_tables())
def test_polynomials_give_what_weights_give(tables):
    first, second, human, systems, _ = tables
    present, swaps = ~np.isnan(human), 1.0 - 2 * systems.T
    scores = np.where(present, human, 0.0)
    quick = swapped_kendall(first, second, scores, present, swaps)
    for unit, there in enumerate(present):
        plain = swapped_correlations(
            first[unit, there], second[unit, there], scores[unit, there], swaps[there], "kendall"
        )
        for fast, slow in zip(quick, plain, strict=True):
            assert fast[unit].tolist() == pytest.approx(slow.tolist(), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("over", OVER)
def test_a_metric_against_its_copy(level, coefficient, over):
    data = CASE["inputs"]
    metric = np.array(data["metric1"])
    result = clustered_difference(
        metric,
        100 * metric + 1,
        data["manual"],
        level=level,
        coefficient=coefficient,
        over=over,
        n_resamples=50,
    )
    assert result.difference == pytest.approx(0, abs=1e-12)
    assert result.p == 1.0


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("over", OVER)
def test_swapping_the_metrics_flips_the_sign_only(level, over):
    data = CASE["inputs"]
    options = {"level": level, "over": over, "n_resamples": 99}
    one = clustered_difference(data["metric1"], data["metric2"], data["manual"], **options)
    two = clustered_difference(data["metric2"], data["metric1"], data["manual"], **options)
    assert two.difference == pytest.approx(-one.difference, abs=1e-12)
    assert two.p == one.p
    assert two.samples == pytest.approx(-one.samples, abs=1e-12)


def test_one_sided():
    data = CASE["inputs"]
    tables = [data[name] for name in ("metric1", "metric2", "manual")]
    options = {"level": "system", "coefficient": "pearson", "n_resamples": 199}
    greater, less = (
        clustered_difference(*tables, **options, alternative=side) for side in ("greater", "less")
    )
    at_least = (greater.samples >= greater.difference - 1e-12).sum()
    at_most = (less.samples <= less.difference + 1e-12).sum()
    assert (greater.p, less.p) == ((at_least + 1) / 200, (at_most + 1) / 200)


def test_undefined():
    constant, metric, human = [[0.1, 0.3 - 0.2]], [[1, 2]], [[1, 2]]
    result = clustered_difference(constant, metric, human, level="input", n_resamples=9)
    assert math.isnan(result.p)
    assert math.isnan(result.first)
    assert result.second == 1.0


def test_bad_input():
    table = [[1, 2, 3], [3, 1, 2]]

    def test(**options):
        return clustered_difference(table, table, table, level="input", **options)

    with pytest.raises(InputError, match="`system_swaps` needs resampling over both"):
        test(over="inputs", system_swaps=[[0, 1, 1]])
    with pytest.raises(ShapeError, match="2 resamples of systems and 3 of inputs"):
        test(system_swaps=[[0, 1, 1]], input_swaps=[[0, 1], [1, 1]])
    with pytest.raises(ShapeError, match="give rows of 3"):
        test(over="systems", system_swaps=[[0, 1]])
    with pytest.raises(InputError, match="has a value other than 0 and 1"):
        test(over="systems", system_swaps=[[0, 1, 2]])
    with pytest.raises(InputError, match="`n_resamples` is 0"):
        test(n_resamples=0)
    with pytest.raises(InputError, match="`alternative`"):
        test(alternative="both")
    with pytest.raises(ShapeError, match="`second` is 1 x 3"):
        clustered_difference(table, [[1, 2, 3]], table, level="input")
