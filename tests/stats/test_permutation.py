"""Fisher's permutation test of one pair: enumeration gold of R, SciPy, properties."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._paired_tests import permutation_test, wilcoxon
from stats.pair_references import direct_statistics
from support import GOLD

# R 4.2.2, base functions: all 2^n swaps enumerated.
CASES = json.loads((GOLD / "stats" / "resampling.json").read_text("utf-8"))["cases"]
ENUMERATED = [name for name in CASES if name.startswith("fisher_exact")]
RANDOM_SIGNS = [name for name in CASES if name.startswith("random_sign")]
GOLD_NAMES = {
    "mean": "p_mean_difference",
    "w": "p_W_zero_dropped",
    "w-pratt": "p_W_pratt",
    "t": "p_T_paired",
    "t-unpaired": "p_T_unpaired",
}

decimals = st.integers(0, 40).map(lambda value: value / 10)
samples = st.lists(st.tuples(decimals, decimals), min_size=2, max_size=9).map(np.array)


@pytest.mark.parametrize("statistic", GOLD_NAMES)
@pytest.mark.parametrize("name", ENUMERATED)
def test_gold_of_enumeration(name, statistic):
    inputs = CASES[name]["inputs"]
    found = permutation_test(inputs["x"], inputs["y"], statistic=statistic)
    assert found.exact
    assert found.p == pytest.approx(CASES[name]["outputs"][GOLD_NAMES[statistic]], rel=1e-9)


@pytest.mark.parametrize("name", RANDOM_SIGNS)
def test_gold_of_random_signs(name):
    # Putter's test itself is `wilcoxon`'s; its gold is in the same file.
    inputs, outputs = CASES[name]["inputs"], CASES[name]["outputs"]
    signs = inputs["signs_for_zeros_in_order"]
    found = wilcoxon(inputs["x"], inputs["y"], zeros="random", signs=signs)
    assert (found.w_plus, found.n) == (outputs["W_plus"], outputs["n"])
    assert found.variance == pytest.approx(outputs["var"], rel=1e-9)
    assert found.z == pytest.approx(outputs["z"], rel=1e-9)
    assert found.p == pytest.approx(outputs["p"], rel=1e-9)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("mc_hb")])
def test_gold_of_given_swaps(name):
    inputs, expected = CASES[name]["inputs"], CASES[name]["outputs"]["MC"]["p_plus_one"]
    for place, statistic in enumerate(("w", "t", "t-unpaired")):
        found = permutation_test(
            inputs["x"], inputs["y"], statistic=statistic, swaps=inputs["swap"]
        )
        assert (found.exact, found.n_resamples) == (False, 199)
        assert found.p == pytest.approx(expected[place], rel=1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@given(sample=samples)
def test_equals_scipy(alternative, sample):
    x, y = sample.T
    if len(np.unique(x - y)) == 1:
        return
    expected = stats.permutation_test(
        (x, y),
        lambda x, y: np.round(np.mean(x - y), 9),
        permutation_type="samples",
        alternative=alternative,
    ).pvalue
    assert permutation_test(x, y, alternative=alternative).p == pytest.approx(min(expected, 1))


@given(sample=samples)
def test_w_equals_the_exact_signed_rank_test(sample):
    x, y = sample.T
    for zeros, statistic in (("drop", "w"), ("pratt", "w-pratt")):
        expected = wilcoxon(x, y, zeros=zeros, method="exact")
        found = permutation_test(x, y, statistic=statistic)
        assert found.p == pytest.approx(expected.p)
        assert found.statistic == expected.statistic


@given(sample=samples)
def test_statistics_by_definition(sample):
    x, y = sample.T
    found = [permutation_test(x, y, statistic=name).statistic for name in ("w", "t", "t-unpaired")]
    expected = direct_statistics(x, y, standardized=False)
    assert found == pytest.approx(expected, rel=1e-7, abs=1e-7)
    assert permutation_test(x, y).statistic == pytest.approx(np.mean(x - y), abs=1e-9)


@given(sample=samples, constant=st.integers(-5, 5), seed=st.integers(0, 99))
def test_order_shift_and_exchange(sample, constant, seed):
    x, y = sample.T
    found = permutation_test(x, y, alternative="greater")
    order = np.random.default_rng(seed).permutation(len(x))
    assert permutation_test(x[order], y[order], alternative="greater").p == found.p
    assert permutation_test(x + constant, y + constant, alternative="greater").p == found.p
    turned = permutation_test(y, x, alternative="less")
    assert turned.p == found.p
    assert turned.statistic == -found.statistic


@pytest.mark.parametrize("statistic", GOLD_NAMES)
def test_a_copy_has_p_1(statistic):
    x = np.random.default_rng(0).random(30)
    for options in ({}, {"swaps": np.eye(30)}):
        found = permutation_test(x, x / 3 * 3, statistic=statistic, **options)
        assert (found.p, found.statistic, found.zeros) == (1, 0, 30)


def test_rounding_noise_does_not_hide_ties():
    # 0.3 - 0.2 and 0.2 - 0.1 differ in the last bit.
    x, y = [0.3, 0.1, 0.7, 0.4], [0.2, 0.2, 0.6, 0.5]
    assert permutation_test(x, y).p == 1
    assert permutation_test(x, y, statistic="w").p == 1


def test_sampled_beyond_twenty_differences():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 21))
    sampled = permutation_test(x, y, n_resamples=20_000, rng=2)
    exact = permutation_test(x, y, n_resamples=2**21)
    assert (sampled.exact, sampled.n_resamples) == (False, 20_000)
    assert (exact.exact, exact.n_resamples) == (True, 2**21)
    assert sampled.p == pytest.approx(exact.p, abs=0.02)
    assert permutation_test(np.append(x[:20], 1), np.append(y[:20], 1)).exact


def test_one_pair_of_values():
    assert permutation_test([2], [1]).p == 1
    assert np.isnan(permutation_test([2], [1], statistic="t").statistic)


def test_constant_difference():
    found = permutation_test([2, 3, 4], [1, 2, 3], statistic="t")
    assert (found.statistic, found.p) == (np.inf, 0.25)


@pytest.mark.parametrize(
    ("x", "y", "options", "error", "message"),
    [
        ([1, 2], [1], {}, ShapeError, "give paired samples"),
        ([], [], {}, InputError, "at least 1"),
        ([1, np.nan], [1, 2], {}, InputError, "no value"),
        ([1, 2], [3, 4], {"statistic": "median"}, InputError, "one of mean, w"),
        ([1, 2], [3, 4], {"alternative": "both"}, InputError, "two-sided, greater, less"),
        ([1, 2], [3, 4], {"n_resamples": 0}, InputError, "`n_resamples` is 0"),
        ([1, 2], [3, 4], {"swaps": [[0, 1, 0]]}, ShapeError, "give rows of 2 values"),
        ([1, 2], [3, 4], {"swaps": [[0, -1]]}, InputError, "other than 0 and 1"),
    ],
)
def test_bad_input(x, y, options, error, message):
    with pytest.raises(error) as caught:
        permutation_test(x, y, **options)
    assert message in str(caught.value)
