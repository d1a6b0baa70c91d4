"""Intervals of the differences of pairs, against SciPy, textbooks and the tests they invert."""

import itertools

import numpy as np
import pytest
from scipy import stats

from pyramidion.stats import pair_intervals, permute_pairs

RNG = np.random.default_rng(5)
SCORES = RNG.normal(size=(12, 1)) + RNG.normal(size=(12, 4)) + [0, 0.3, 1.2, 2]
PAIRS = list(itertools.combinations(range(4), 2))


@pytest.mark.parametrize(
    ("test", "other"),
    [
        ("paired-t", stats.ttest_rel),
        ("unpaired-t", stats.ttest_ind),
        ("welch", lambda x, y: stats.ttest_ind(x, y, equal_var=False)),
    ],
)
def test_intervals_of_means_are_those_of_scipy(test, other):
    intervals = pair_intervals(SCORES, test=test, alpha=0.1)
    for row, (a, b) in enumerate(PAIRS):
        expected = other(SCORES[:, a], SCORES[:, b]).confidence_interval(0.9)
        assert (intervals.low[row], intervals.high[row]) == pytest.approx(tuple(expected), rel=1e-9)


def test_missing_scores_use_the_topics_of_both():
    scores = SCORES.copy()
    scores[:3, 1], scores[8, 0] = np.nan, np.nan
    shared = ~np.isnan(scores[:, :2]).any(axis=1)
    intervals = pair_intervals(scores)
    expected = pair_intervals(scores[shared, :2])
    assert (intervals.low[0], intervals.high[0]) == (expected.low[0], expected.high[0])


# Hollander and Wolfe, "Nonparametric Statistical Methods", 1999, Table 3.1: the depression scale
# before and after therapy. Example 3.4: the interval at .961 is (-.786, -.010).
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]


def test_the_interval_of_signed_ranks_is_that_of_the_textbook():
    intervals = pair_intervals(np.column_stack([AFTER, BEFORE]), test="wilcoxon", alpha=0.039)
    assert intervals.low[0] == pytest.approx(-0.786)
    assert intervals.high[0] == pytest.approx(-0.010)


def test_many_topics_have_the_same_order_statistics_as_few():
    # Above 300 topics the mean of two differences is found by bisection.
    z = RNG.gamma(2, size=301).round(1)
    intervals = pair_intervals(np.column_stack([z, np.zeros(301)]), test="wilcoxon")
    means = np.sort((z[:, None] + z)[np.triu_indices(301)] / 2)
    # Ranks of the normal approximation, as in R's wilcox.test for large samples.
    n = len(z)
    reach = stats.norm.ppf(0.975) * np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    inside = int(np.floor(n * (n + 1) / 4 + reach))
    assert intervals.high[0] == pytest.approx(means[inside], abs=1e-9)
    assert intervals.low[0] == pytest.approx(means[len(means) - 1 - inside], abs=1e-9)


def test_the_cutoff_of_max_t_gives_intervals_that_agree_with_it():
    tests = permute_pairs(SCORES, rng=0)
    intervals = pair_intervals(SCORES, critical=tests.cutoff_max_t)
    excludes = (intervals.low > 0) | (intervals.high < 0)
    assert excludes.tolist() == (tests.p_max_t <= 0.05).tolist()
    assert 0 < excludes.sum() < len(PAIRS)
    alone = pair_intervals(SCORES)
    assert (intervals.low < alone.low).all()
    # |S| at the ends of an interval is the cutoff.
    z = SCORES[:, 0] - SCORES[:, 3] - intervals.low[2]
    assert z.sum() / np.sqrt((z**2).sum()) == pytest.approx(tests.cutoff_max_t)


# Ratings from 1 to 5: a system with 5 only, two near the end of the scale, and two others.
RATINGS = np.full((20, 5), 5.0)
RATINGS[:3, 1], RATINGS[[4, 9], 2] = [4, 2, 4], [1, 3]
RATINGS[:, 3:] = RNG.integers(1, 6, size=(20, 2))


def test_ratings_that_seldom_differ_allow_for_differences_that_were_not_seen():
    pairs = list(itertools.combinations(range(5), 2))
    plain, wider = pair_intervals(RATINGS), pair_intervals(RATINGS, width=4.0)
    differences = np.array([RATINGS[:, a] - RATINGS[:, b] for a, b in pairs])
    others = differences[differences != 0]
    square = ((others**2).sum() + 4.0**2) / (len(others) + 1)
    for row, z in enumerate(differences):
        zeros = (z == 0).mean()
        assert wider.sparse[row] == (zeros > 0.5)
        if not wider.sparse[row]:
            assert (wider.low[row], wider.high[row]) == (plain.low[row], plain.high[row])
            continue
        variance = z.var(ddof=1) / 20 + 2 * square * zeros / 22**2
        half = stats.t.ppf(0.975, 19) * np.sqrt(variance)
        assert (wider.low[row], wider.high[row]) == pytest.approx(
            (z.mean() - half, z.mean() + half)
        )
    assert wider.sparse.tolist() == [True] * 2 + [False] * 2 + [True] + [False] * 5
    # Systems that never differed have an interval, too.
    equal = np.full((20, 2), 5.0)
    half = stats.t.ppf(0.975, 19) * np.sqrt(2 * 4.0**2 / 22**2)
    alone = pair_intervals(equal, width=4.0)
    assert (alone.low[0], alone.high[0]) == pytest.approx((-half, half))
    assert np.isnan(pair_intervals(equal).low[0])


def test_what_excludes_0_still_does_when_unseen_differences_are_allowed_for():
    scores = np.full((20, 2), 3.0)
    scores[:5, 1] = 2.0
    for columns, sign in (([0, 1], 1), ([1, 0], -1)):
        plain, wider = (pair_intervals(scores[:, columns], width=known) for known in (None, 4.0))
        inner, outer = ("low", "high") if sign == 1 else ("high", "low")
        assert 0 < sign * getattr(wider, inner)[0] < sign * getattr(plain, inner)[0]
        assert sign * getattr(wider, outer)[0] > sign * getattr(plain, outer)[0]


def test_clusters_of_ratings_allow_for_unseen_differences_by_cluster():
    clusters = np.repeat(np.arange(10), 2)
    means = RATINGS[:, :3].reshape(10, 2, 3).mean(axis=1)
    by_cluster = pair_intervals(RATINGS[:, :3], clusters=clusters, width=4.0)
    of_means = pair_intervals(means, width=4.0)
    np.testing.assert_allclose(by_cluster.low, of_means.low)
    np.testing.assert_allclose(by_cluster.high, of_means.high)
    assert by_cluster.sparse.any()


def test_clusters_of_one_size_are_intervals_of_their_means():
    clusters = np.repeat(np.arange(6), 2)
    means = SCORES.reshape(6, 2, 4).mean(axis=1)
    intervals = pair_intervals(SCORES, clusters=clusters)
    expected = pair_intervals(means)
    assert intervals.low == pytest.approx(expected.low)
    assert intervals.high == pytest.approx(expected.high)


def test_scores_of_0_and_1_have_the_interval_of_bonett_and_price():
    # Bonett and Price (2012), by hand: 12 and 3 discordant pairs of 40; (13 - 4) / 42 ± 1.96 se.
    x = np.r_[np.ones(12), np.zeros(28)]
    y = np.r_[np.zeros(12), np.ones(3), np.zeros(25)]
    up, down = 13 / 42, 4 / 42
    reach = stats.norm.ppf(0.975) * np.sqrt((up + down - (up - down) ** 2) / 42)
    intervals = pair_intervals(np.column_stack([x, y]))
    assert intervals.low[0] == pytest.approx(up - down - reach)
    assert intervals.high[0] == pytest.approx(up - down + reach)


def test_no_interval_where_nothing_varies_or_topics_are_too_few():
    constant = np.column_stack([np.arange(4.0), np.arange(4.0) + 1, [0, 1, 2, 9]])
    assert np.isnan(pair_intervals(constant).low).tolist() == [True, False, False]
    # All signs of four differences give p = .125: no interval at .05.
    assert np.isnan(pair_intervals(constant, test="wilcoxon", alpha=0.05).high).all()
