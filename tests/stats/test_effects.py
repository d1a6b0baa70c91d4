"""Effect sizes: known values, properties, and what their intervals promise."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import nct

from pyramidion.errors import InputError
from pyramidion.stats._effects import (
    cohen_dz,
    hodges_lehmann,
    mean_difference,
    rank_biserial,
    walsh_probability,
)
from pyramidion.stats._paired_tests import wilcoxon

EFFECTS = [cohen_dz, hodges_lehmann, mean_difference, rank_biserial, walsh_probability]

# Hollander and Wolfe (1973), p. 29, Hamilton depression scale factor; in R's ?wilcox.test.
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]

pairs = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=2, max_size=25).map(
    lambda both: np.array(both, dtype=float).T / 4
)


def test_hodges_lehmann_of_the_depression_data():
    # R 4.2.2, wilcox.test(x, y, paired = TRUE, conf.int = TRUE): 0.46, (0.010, 0.786).
    found = hodges_lehmann(BEFORE, AFTER)
    mine = (found.value, found.interval.low, found.interval.high)
    assert mine == pytest.approx((0.46, 0.01, 0.786))


def test_cohen_dz_interval_inverts_the_noncentral_t():
    found = cohen_dz(BEFORE, AFTER, confidence_level=0.9)
    root, t = math.sqrt(9), found.value * math.sqrt(9)
    assert nct.cdf(t, 8, found.interval.low * root) == pytest.approx(0.95)
    assert nct.cdf(t, 8, found.interval.high * root) == pytest.approx(0.05)


def test_rank_biserial_by_hand():
    # Ranks of |z| are 1, 2.5, 2.5, 4; the negative difference has rank 1.
    assert rank_biserial([-1, 2, 2, 3, 0], [0] * 5).value == pytest.approx((9 - 1) / 10)


@given(pairs)
def test_rank_biserial_is_w_over_its_largest_value(both):
    w, found = wilcoxon(*both), rank_biserial(*both)
    if w.n:
        assert found.value == pytest.approx(w.w_signed / (w.n * (w.n + 1) / 2))
    else:
        assert math.isnan(found.value)
        assert found.note == "every difference is zero"


@given(pairs)
def test_walsh_probability_is_the_pairs_part_of_w(both):
    # Appendix A: W+ = n U1 + n(n-1)/2 U2, when no difference is zero.
    z = both[0] - both[1]
    if not (z == 0).any():
        n, w = len(z), wilcoxon(*both).w_plus
        u = walsh_probability(*both).value
        assert w == pytest.approx((z > 0).sum() + n * (n - 1) / 2 * u)


@given(pairs)
def test_walsh_probability_by_its_definition(both):
    z = np.rint(4 * (both[0] - both[1]))
    sums = np.add.outer(z, z)[np.triu_indices(len(z), 1)]
    expected = np.mean((sums > 0) + (sums == 0) / 2)
    assert walsh_probability(*both).value == pytest.approx(expected)


@pytest.mark.parametrize("effect", EFFECTS)
@given(both=pairs)
def test_intervals_hold_the_estimate(effect, both):
    found = effect(*both)
    if not math.isnan(found.interval.low):
        slack = 1e-9
        assert found.interval.low - slack <= found.value <= found.interval.high + slack
        assert found.interval.confidence_level == 0.95


@pytest.mark.parametrize("effect", EFFECTS)
@given(both=pairs)
def test_swapping_turns_the_effect_round(effect, both):
    assume((both[0] != both[1]).any())
    found, turned = effect(*both), effect(*both[::-1])
    if math.isnan(found.interval.low):
        assert found.note == turned.note == "no spread: every difference is the same"
        return
    total = 1 if effect is walsh_probability else 0
    assert found.value + turned.value == pytest.approx(total, abs=1e-9)
    assert found.interval.low + turned.interval.high == pytest.approx(total, abs=1e-6)


@pytest.mark.parametrize("effect", EFFECTS)
@given(both=pairs, shift=st.integers(-40, 40), random=st.randoms(use_true_random=False))
def test_shift_and_order_change_nothing(effect, both, shift, random):
    order = list(range(both.shape[1]))
    random.shuffle(order)
    found, moved = effect(*both), effect(*(both[:, order] + shift / 4))
    assert moved.value == pytest.approx(found.value, rel=1e-9, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("effect", [rank_biserial, walsh_probability])
def test_bounds_of_shares(effect):
    ahead = effect([2, 3, 4, 5], [1, 1, 1, 1])
    assert ahead.value == ahead.interval.high == 1
    assert ahead.interval.low < 1
    assert effect([0, 0], [1, 2]).interval.low == (-1 if effect is rank_biserial else 0)


@pytest.mark.parametrize("centre", [0.0, 0.5, 1.0])
def test_walsh_intervals_hold_the_truth(centre):
    # Z1 + Z2 is normal with mean 2c and variance 2.
    truth = 0.5 * math.erfc(-centre)
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(400):
        found = walsh_probability(rng.normal(centre, 1, 20), np.zeros(20))
        held += found.interval.low <= truth <= found.interval.high
    assert held >= 0.92 * 400


def test_no_difference():
    same = [1.0, 2.0, 3.0]
    assert cohen_dz(same, same).value == 0
    assert mean_difference(same, same).value == 0
    assert walsh_probability(same, same).value == 0.5
    assert hodges_lehmann(same, same).value == 0


def test_no_spread():
    found = cohen_dz([2, 3, 4], [1, 2, 3])
    assert math.isnan(found.value)
    assert found.note.startswith("no spread")


def test_hodges_lehmann_of_many_differences():
    z = np.random.default_rng(0).normal(0.3, 1, 1200)
    found = hodges_lehmann(z, np.zeros(1200))
    width = found.interval.high - found.interval.low
    # Its asymptotic standard error is the mean's over the root of 3/pi.
    assert width == pytest.approx(2 * 1.96 / math.sqrt(1200 * 3 / math.pi), rel=0.1)
    assert found.interval.low < 0.3 < found.interval.high


@pytest.mark.parametrize("effect", EFFECTS)
def test_bad_input(effect):
    with pytest.raises(InputError, match="between 0 and 1"):
        effect([1, 2, 4], [2, 2, 2], confidence_level=95)
    with pytest.raises(InputError, match="pairs are needed"):
        effect([1, 2, 4], [2, 2])
    with pytest.raises(InputError, match="infinite"):
        effect([1, 2, math.inf], [2, 2, 2])
