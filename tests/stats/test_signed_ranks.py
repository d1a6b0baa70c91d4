"""The signed-rank test against R (stats::wilcox.test and coin), and its properties."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._paired_tests import signed_rank_distribution, wilcoxon
from pyramidion.stats.pairs import snap_to_ties
from stats.pair_references import walsh_w_plus
from support import GOLD, shared_file

# R 4.2.2, stats::wilcox.test and coin 1.4.2.
CASES = json.loads((GOLD / "stats" / "wilcoxon.json").read_text(encoding="utf-8"))["cases"]

pairs = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=25).map(
    lambda both: np.array(both, dtype=float).T / 4
)


def answers(x, y):
    """Everything the gold file has a name for."""
    normal, exact = wilcoxon(x, y), wilcoxon(x, y, method="exact")
    pratt = wilcoxon(x, y, zeros="pratt")
    return {
        "n_total": normal.n + normal.zeros,
        "n_zero": normal.zeros,
        "n_nonzero": normal.n,
        "W_plus": normal.w_plus,
        "W_minus": normal.w_minus,
        "W_signed": normal.w_signed,
        "mean_W_plus": normal.mean,
        "var_W_plus_tie_corrected": normal.variance,
        "z_wilcoxon": normal.z,
        "V_R": normal.w_plus,
        "p_normal_nocc": normal.p,
        "p_normal_with_continuity_correction": wilcoxon(x, y, continuity=True).p,
        "p_exact_noties": exact.p,
        "coin_wilcoxon_z": normal.z,
        "coin_wilcoxon_p": normal.p,
        "coin_pratt_z": pratt.z,
        "coin_pratt_p": pratt.p,
        "coin_wilcoxon_p_exact_conditional": exact.p,
        "coin_pratt_p_exact_conditional": wilcoxon(x, y, zeros="pratt", method="exact").p,
    }


@pytest.mark.parametrize("name", CASES)
def test_gold(name):
    case = CASES[name]
    found = answers(case["inputs"]["x"], case["inputs"]["y"])
    expected = case["outputs"]
    assert {key: found[key] for key in expected} == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_gold_with_random_signs():
    # R 4.2.2 base: zeros keep their midranks and get the given signs.
    path = GOLD / "stats" / "resampling.json"
    path = path if path.exists() else shared_file("gold/stats/resampling.json")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    names = [name for name in cases if name.startswith("random_sign_zeros")]
    for name in names:
        given_, expected = cases[name]["inputs"], cases[name]["outputs"]
        signs = given_["signs_for_zeros_in_order"]
        found = wilcoxon(given_["x"], given_["y"], zeros="random", signs=signs)
        mine = {"W_plus": found.w_plus, "n": found.n, "var": found.variance}
        mine |= {"z": found.z, "p": found.p}
        assert mine == pytest.approx(expected, rel=1e-9), name
    assert len(names) == 3


@pytest.mark.parametrize("zeros", ["drop", "pratt", "random"])
@pytest.mark.parametrize("method", ["normal", "exact"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_system_against_its_copy(zeros, method, alternative):
    scores = [0.1, 0.7, 0.3]
    found = wilcoxon(scores, scores, zeros=zeros, method=method, alternative=alternative)
    assert (found.w_plus, found.w_signed, found.z, found.p) == (0, 0, 0, 1)
    assert found.zeros == 3


@given(pairs)
def test_rank_sum_equals_walsh_sum(both):
    x, y = both
    assert wilcoxon(x, y).w_plus == walsh_w_plus(snap_to_ties(x, y))


@given(st.lists(st.floats(-5, 5).filter(lambda z: abs(z) > 1e-6), min_size=1, max_size=20))
def test_rank_sum_equals_walsh_sum_without_ties(values):
    sizes = np.unique(np.round(np.abs(values), 6))
    z = sizes * np.resize([1, -1, 1], len(sizes))
    assert wilcoxon(z, np.zeros(len(z))).w_plus == walsh_w_plus(z)


@given(pairs, st.sampled_from(["drop", "pratt"]), st.sampled_from(["normal", "exact"]))
def test_swapping_flips_the_sign_only(both, zeros, method):
    x, y = both
    one = wilcoxon(x, y, zeros=zeros, method=method)
    other = wilcoxon(y, x, zeros=zeros, method=method)
    assert (one.w_signed, one.z) == (-other.w_signed, -other.z)
    assert one.p == pytest.approx(other.p, rel=1e-12)
    greater = wilcoxon(x, y, zeros=zeros, method=method, alternative="greater").p
    less = wilcoxon(y, x, zeros=zeros, method=method, alternative="less").p
    assert greater == pytest.approx(less, rel=1e-12)


@given(pairs, st.randoms(use_true_random=False))
def test_order_of_topics_does_not_matter(both, random):
    order = list(range(both.shape[1]))
    random.shuffle(order)
    assert wilcoxon(*both) == wilcoxon(*both[:, order])


@given(pairs, st.integers(-100, 100))
def test_a_constant_added_to_both_changes_nothing(both, constant):
    assert wilcoxon(*both) == wilcoxon(*(both + constant / 10))


@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=8),
    st.sampled_from(["two-sided", "greater", "less"]),
    st.sampled_from(["drop", "pratt"]),
)
def test_exact_is_the_enumeration_of_all_signs(z, alternative, zeros):
    z = np.array(z, dtype=float)
    found = wilcoxon(z, np.zeros(len(z)), method="exact", alternative=alternative, zeros=zeros)
    flips = np.array(list(itertools.product([1, -1], repeat=len(z))))
    sums = np.array([wilcoxon(z * flip, np.zeros(len(z)), zeros=zeros).w_signed for flip in flips])
    extreme = {
        "two-sided": np.abs(sums) >= abs(found.w_signed),
        "greater": sums >= found.w_signed,
        "less": sums <= found.w_signed,
    }[alternative]
    assert found.p == pytest.approx(extreme.mean(), rel=1e-12)


def test_chance_signs_are_repeatable_and_fair():
    x, y = np.zeros(400), np.concatenate([[1.0], np.zeros(399)])
    assert wilcoxon(x, y, zeros="random", rng=3) == wilcoxon(x, y, zeros="random", rng=3)
    assert wilcoxon(x, y, zeros="random", rng=3) != wilcoxon(x, y, zeros="random", rng=4)
    assert abs(wilcoxon(x, y, zeros="random", rng=3).z) < 4


def test_distribution_sums_to_one_for_many_ranks():
    chances = signed_rank_distribution(np.arange(1, 301))
    assert chances.sum() == pytest.approx(1, rel=1e-12)
    assert chances.tolist() == pytest.approx(chances[::-1].tolist(), rel=1e-9, abs=1e-300)
    mean = np.arange(len(chances)) @ chances / 2
    assert mean == pytest.approx(300 * 301 / 4, rel=1e-12)


def test_float_noise_is_not_a_difference():
    found = wilcoxon([0.3, 0.1 + 0.2, 0.7], [0.1 + 0.2, 0.3, 0.5])
    assert (found.zeros, found.n) == (2, 1)
    tied = wilcoxon([0.3, 0.8, 1.0], [0.2, 0.7, 1.1])
    assert tied.variance == 3


def test_continuity_never_leaves_the_unit_interval():
    assert wilcoxon([1, 2, 3], [2, 1, 3], continuity=True).p == 1


@pytest.mark.parametrize(
    ("x", "y", "options", "error", "message"),
    [
        ([], [], {}, InputError, "at least 1 are needed"),
        ([1, 2], [1], {}, ShapeError, "give paired samples"),
        ([1, math.nan], [1, 2], {}, InputError, "no value"),
        ([1, math.inf], [1, 2], {}, InputError, "infinite"),
        (["a"], [1], {}, InputError, "not a number"),
        ([1], [2], {"zeros": "split"}, InputError, "drop, pratt, random"),
        ([1], [2], {"method": "auto"}, InputError, "normal, exact"),
        ([1], [2], {"alternative": "more"}, InputError, "two-sided, greater, less"),
        ([1], [2], {"signs": [1]}, InputError, "zeros='random'"),
        ([1, 1], [2, 1], {"zeros": "random", "signs": [1, 1]}, ShapeError, "give 1, one per zero"),
        ([1, 1], [2, 1], {"zeros": "random", "signs": [0]}, InputError, "other than 1 and -1"),
        (range(1001), [2000] * 1001, {"method": "exact"}, InputError, 'method="normal"'),
    ],
)
def test_bad_input(x, y, options, error, message):
    with pytest.raises(error, match=message):
        wilcoxon(x, y, **options)
