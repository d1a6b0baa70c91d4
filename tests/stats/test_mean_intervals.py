"""Intervals of means: known values, what they reduce to, and that they cover."""

import numpy as np
import pytest
from scipy import stats

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare
from pyramidion.stats import two_way_anova
from pyramidion.stats.mean_intervals import (
    influences,
    intervals_on_scale,
    matched_share_interval,
    mean_intervals,
    t_quantile,
    wilson_interval,
)

RNG = np.random.default_rng(16)
#: R 4.2.2, prop.test(correct = FALSE): mixed_models.json, case `wilson`, of the shared gold.
WILSON = {
    (0, 10): (0, 0.277532799862889),
    (1, 10): (0.0178762130950729, 0.404150026795238),
    (3, 20): (0.0523687458962166, 0.360418864740757),
    (10, 20): (0.299298008198212, 0.700701991801788),
    (29, 30): (0.833296090085908, 0.994091409618387),
}


@pytest.mark.parametrize("df", [1, 2, 3, 4, 9, 10, 49, 1999])
@pytest.mark.parametrize("p", [0.6, 0.9, 0.975, 0.9999])
def test_quantiles_of_t_are_those_of_scipy(p, df):
    assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-9)


def test_wilson_is_that_of_r():
    successes, n = np.array(list(WILSON), dtype=float).T
    np.testing.assert_allclose(
        wilson_interval(successes, n).T, list(WILSON.values()), rtol=0, atol=1e-12
    )


def test_scores_of_0_and_1_have_wilsons_interval():
    values = np.zeros((10, 2))
    values[0, 1] = 1
    found = mean_intervals(values)
    assert found.method == "wilson"
    np.testing.assert_allclose(
        [found.low, found.high], np.transpose([WILSON[0, 10], WILSON[1, 10]]), atol=1e-12
    )


def test_without_skewness_it_is_the_t_interval():
    values = RNG.normal(size=(9, 3))
    found = mean_intervals(values, skewed=False, confidence_level=0.9)
    for column in range(3):
        own = values[:, column]
        low, high = stats.t.interval(0.9, 8, own.mean(), stats.sem(own))
        assert (found.low[column], found.high[column]) == pytest.approx((low, high), rel=1e-9)


def test_skewness_lengthens_the_side_of_the_longer_tail_as_johnson_does():
    values = np.array([1.0, 1.1, 1.3, 1.2, 4.5])
    plain, found = (mean_intervals(values[:, None], skewed=how) for how in (False, True))
    assert found.method == "skewness"
    assert found.low == plain.low
    # k3 / (6 s^2 n) (1 + 2 t^2), with SciPy's cumulant and quantile.
    k3, t = stats.kstat(values, 3), stats.t.ppf(0.975, 4)
    more = k3 / (6 * values.var(ddof=1) * 5) * (1 + 2 * t**2)
    assert found.high[0] - plain.high[0] == pytest.approx(more, rel=1e-9)


def test_on_the_scale_from_0_to_1_ends_are_beta_quantiles_with_half_a_score_at_the_end():
    share = np.array([0.3])
    low, high = intervals_on_scale(
        share, np.sqrt(share * (1 - share) / 20), np.array([20]), (0, 1), 0.95
    )
    assert low[0] == pytest.approx(stats.beta.ppf(0.025, 6, 14.5), rel=1e-9)
    assert high[0] == pytest.approx(stats.beta.ppf(0.975, 6.5, 14), rel=1e-9)


def test_on_a_scale_ends_are_those_of_random_weights_of_the_scores_and_half_a_score_at_the_end():
    scores = np.repeat([5.0, 4.0, 2.0], [15, 4, 1])
    rng, (low, high) = np.random.default_rng(1), (1.0, 5.0)
    weights = rng.dirichlet([*np.ones(20), 0.5], size=40_000)
    lower = np.quantile(weights @ [*scores, low], 0.025)
    upper = np.quantile(weights @ [*scores, high], 0.975)
    error = np.array([scores.std() / np.sqrt(20)])
    ends = intervals_on_scale(np.array([scores.mean()]), error, np.array([20]), (low, high), 0.95)
    assert [float(end[0]) for end in ends] == pytest.approx([lower, upper], abs=0.03)
    # The t interval reaches farther up.
    t = stats.t.ppf(0.975, 19) * stats.sem(scores)
    whole = mean_intervals(scores[:, None], scale=(low, high))
    assert whole.high[0] == pytest.approx(scores.mean() + t)
    assert whole.low[0] < scores.mean() - t


def test_what_never_varies_has_no_interval_or_a_wide_one():
    assert np.isnan(mean_intervals(np.full((6, 1), 2.5)).low).all()
    known = mean_intervals(np.full((6, 1), 5.0), scale=(1, 5))
    assert known.low[0] < 4 < known.high[0] == 5


def test_influences_of_an_incomplete_matrix_are_those_of_least_squares_means():
    values = RNG.normal(size=(30, 4)) + RNG.normal(size=(30, 1))
    values[:, 1:][RNG.random((30, 3)) < 0.3] = np.nan  # every topic keeps a value
    found = influences(values)
    np.testing.assert_allclose(found.means, two_way_anova(values).first.means, atol=1e-12)
    without = [two_way_anova(np.delete(values, row, axis=0)).first.means for row in range(30)]
    # The jackknife over topics, done by hand.
    errors = np.std(without, axis=0) * np.sqrt(29)
    np.testing.assert_allclose(found.errors, errors, rtol=0.02)


def test_clusters_of_one_size_are_as_good_as_their_means():
    values = RNG.normal(size=(24, 2))
    clusters = np.repeat(np.arange(6), 4)
    plain = mean_intervals(values.reshape(6, 4, 2).mean(axis=1), skewed=False)
    found = mean_intervals(values, clusters=clusters, skewed=False)
    np.testing.assert_allclose([found.low, found.high], [plain.low, plain.high], rtol=1e-12)


def test_matched_shares_are_bonett_and_prices():
    # Hand-worked: 10 topics, 4 won and 1 lost: shares 5/12 and 2/12, z = 1.959964.
    differences = np.array([1, 1, 1, 1, -1, 0, 0, 0, 0, 0])
    low, high = matched_share_interval(differences)
    reach = 1.959964 * np.sqrt((7 / 12 - 9 / 144) / 12)
    assert (low, high) == pytest.approx((0.25 - reach, 0.25 + reach), abs=1e-6)


# Drawn anew with each size; `benchmarks/stats_intervals.py` has many more draws.
@pytest.mark.parametrize(
    ("draw", "mean", "least"),
    [
        (lambda n: RNG.normal(size=n), 0.0, 0.93),
        (lambda n: RNG.choice(5, n, p=(0.05, 0.1, 0.2, 0.35, 0.3)) + 1.0, 3.75, 0.93),
        (lambda n: RNG.exponential(size=n), 1.0, 0.88),
        (lambda n: np.where(RNG.random(n) < 0.1, 1.0, 0.0), 0.1, 0.90),
    ],
)
def test_few_scores_are_covered(draw, mean, least):
    found = [mean_intervals(draw((7, 2))) for _ in range(400)]
    inside = [(one.low <= mean) & (mean <= one.high) for one in found]
    assert np.mean(inside) >= least - 0.02


@pytest.mark.parametrize(
    ("values", "reported"),
    [
        ([[5, 1], [5, 2], [5, 3], [5, 4], [4, 3], [5, 3]], "Nearly all scores of x are at one end"),
        (
            [[0.3, 0.1], [0.3, 0.2], [0.3, 0.5]],
            "All scores of x are the same, so their spread is unknown",
        ),
        ([[3, 1], [3, 2], [3, 5]], "All scores of x are the same: the interval is as wide"),
        ([[0, 1], [0, 1], [0, 0], [0, 1]], "Nearly all scores of x are at one end"),
    ],
)
def test_rough_intervals_are_reported(values, reported):
    topics = [f"T{row}" for row in range(len(values))]
    result = compare(ScoreMatrix(values, topics, ["x", "y"], measure="m"))
    assert any(reported in note for note in result.notes)
    assert any("intervals of means are wide" in note for note in result.notes)
