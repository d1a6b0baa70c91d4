"""How many topics are needed: against the theory of the t test, and the limits."""

import numpy as np
import pytest
from scipy import optimize, stats

from pyramidion.errors import InputError
from pyramidion.stats._power import required_topics


def normal_scores(effect, topics=200):
    """Two systems whose differences have the quantiles of a normal distribution."""
    z = stats.norm.ppf((np.arange(topics) + 0.5) / topics)
    z = z / z.std() + effect
    base = np.random.default_rng(0).normal(size=topics)
    return np.array([base + z, base]).T


def theoretical_topics(effect, power=0.8, alpha=0.05):
    def lacking(n):
        cutoff = stats.t.ppf(1 - alpha / 2, n - 1)
        return stats.nct.sf(cutoff, n - 1, effect * np.sqrt(n)) - power

    return optimize.brentq(lacking, 3, 5000)


@pytest.mark.parametrize(("effect", "power", "alpha"), [(0.5, 0.8, 0.05), (0.3, 0.9, 0.01)])
def test_paired_t_agrees_with_the_noncentral_t(effect, power, alpha):
    plan = required_topics(normal_scores(effect), power=power, alpha=alpha, n_resamples=4000)
    assert plan.topics[0] == pytest.approx(theoretical_topics(effect, power, alpha), rel=0.06)
    assert plan.difference[0] == pytest.approx(effect)
    assert (plan.power, plan.alpha, plan.test) == (power, alpha, "paired-t")


def test_wilcoxon_needs_a_little_more_with_normal_differences():
    # Asymptotic relative efficiency 0.955.
    plan = required_topics(normal_scores(0.4), test="wilcoxon", n_resamples=4000)
    assert plan.topics[0] == pytest.approx(theoretical_topics(0.4) / 0.955, rel=0.06)


def test_unpaired_needs_more_when_topics_differ():
    scores = normal_scores(0.5)
    scores += 3 * np.random.default_rng(1).normal(size=(200, 1))
    paired, unpaired = (
        required_topics(scores, test=test).topics[0] for test in ("paired-t", "unpaired-t")
    )
    assert unpaired > 3 * paired


def test_the_needed_topics_have_the_power():
    scores = np.random.default_rng(2).normal([0, 0.6], size=(30, 2))
    plan = required_topics(scores, rng=3)
    assert required_topics(scores, most=int(plan.topics[0]), rng=3).topics[0] == plan.topics[0]
    # One topic fewer does not have it, with the very same draws.
    fewer = required_topics(scores, most=int(plan.topics[0]) - 1, rng=3)
    assert fewer.topics[0] == np.inf


def test_pilot_power():
    scores = normal_scores(0.3, topics=40)
    plan = required_topics(scores, n_resamples=4000)
    expected = stats.nct.sf(stats.t.ppf(0.975, 39), 39, 0.3 * np.sqrt(40))
    assert plan.pilot.tolist() == [40]
    assert plan.pilot_power[0] == pytest.approx(expected, abs=0.05)


def test_summaries():
    scores = np.random.default_rng(4).normal([0, 0.5, 1, 2], size=(40, 4))
    plan = required_topics(scores, n_resamples=300)
    ordered = np.sort(plan.topics)
    assert plan.median == ordered[2]
    assert plan.least_pair == ordered[-1]
    assert plan.for_share(1 / 6) == ordered[0]
    with pytest.raises(InputError, match="share"):
        plan.for_share(0)


def test_larger_differences_need_fewer_topics():
    scores = np.column_stack([normal_scores(effect)[:, 0] for effect in (0, 0.2, 0.4, 0.8)])
    scores = np.column_stack([scores, normal_scores(0)[:, 1]])
    plan = required_topics(scores, pairs=[[3, 4], [2, 4], [1, 4]], n_resamples=500)
    assert (np.diff(plan.topics) > 0).all()


@pytest.mark.parametrize("test", ["paired-t", "wilcoxon", "unpaired-t"])
def test_turning_a_pair_round_and_shifting_change_nothing(test):
    scores = np.random.default_rng(5).integers(1, 6, (25, 2)).astype(float)
    plain = required_topics(scores, test=test, n_resamples=200)
    turned = required_topics(scores[:, ::-1] + 3, test=test, n_resamples=200)
    assert plain.topics.tolist() == turned.topics.tolist()
    assert plain.difference.tolist() == (-turned.difference).tolist()


def test_identical_systems_never_differ():
    scores = np.random.default_rng(6).random((10, 1)) @ np.ones((1, 2))
    plan = required_topics(scores, n_resamples=100)
    assert plan.topics.tolist() == [np.inf]
    assert plan.pilot_power.tolist() == [0]
    assert plan.median == np.inf


def test_no_mean_difference_has_no_sign_to_find():
    scores = np.array([[1.0, 2], [2, 1], [5, 3], [3, 5]])
    plan = required_topics(scores, n_resamples=500)
    assert (plan.pilot_power[0], plan.topics[0]) == (0, np.inf)


def test_missing_scores():
    scores = np.random.default_rng(7).normal([0, 1, 1], size=(20, 3))
    scores[:19, 2] = np.nan
    plan = required_topics(scores, n_resamples=100)
    assert plan.pilot.tolist() == [20, 1, 1]
    assert np.isnan(plan.topics).tolist() == [False, True, True]
    assert plan.median == plan.topics[0]
    alone = required_topics(scores[:, :2], n_resamples=100)
    assert alone.topics[0] == plan.topics[0]


def test_nothing_to_plan_with():
    plan = required_topics([[1, 2]], n_resamples=10)
    assert np.isnan(plan.median)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"power": 1.2}, "`power` is 1.2"),
        ({"alpha": 0}, "`alpha` is 0"),
        ({"test": "sign"}, "one of wilcoxon, paired-t, unpaired-t"),
        ({"most": 2}, "`most` is 2"),
        ({"n_resamples": 0}, "`n_resamples` is 0"),
        ({"pairs": [[0, 5]]}, "from 0 to 1"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(InputError) as caught:
        required_topics([[1, 2], [2, 4], [3, 3]], **options)
    assert message in str(caught.value)
