"""Means by few people and a judge: what a judge may not change, and what holds in simulations."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats import prediction_powered_mean

RNG = np.random.default_rng(11)
TRUTH = RNG.normal(size=200)
HUMAN = np.where(np.arange(200) < 40, TRUTH, np.nan)


def test_a_judge_who_is_always_right_stands_for_people() -> None:
    found = prediction_powered_mean(HUMAN, TRUTH)
    # Optimal weight N_u / (n + N_u), and the mean of all topics.
    assert found.weight == pytest.approx(160 / 200)
    assert found.mean == pytest.approx(TRUTH.mean())
    assert found.error == pytest.approx(TRUTH.std(ddof=1) / np.sqrt(200), rel=0.05)


@pytest.mark.parametrize("judge", [-TRUTH, np.ones(200), np.where(np.isnan(HUMAN), np.nan, 3.0)])
def test_a_judge_who_says_nothing_leaves_people_alone(judge: np.ndarray) -> None:
    found = prediction_powered_mean(HUMAN, judge)
    own = HUMAN[:40]
    assert found.weight == 0
    assert found.mean == pytest.approx(own.mean())
    # Student's interval, by its formula; 2.0227 is t(.975, 39) in R 4.2.2 (qt).
    reach = 2.022691 * own.std(ddof=1) / np.sqrt(40)
    assert found.interval() == pytest.approx((own.mean() - reach, own.mean() + reach), abs=1e-6)
    assert found.interval() == pytest.approx(found.human_interval())


def test_bias_and_scale_of_the_judge_change_nothing() -> None:
    judge = TRUTH + RNG.normal(size=200)
    plain, moved = (prediction_powered_mean(HUMAN, own) for own in (judge, 7 * judge + 100))
    assert moved.interval() == pytest.approx(plain.interval())
    assert plain.effective_n > 40
    assert moved.judge_coverage() < 1e-6


def test_intervals_hold_where_the_judges_own_do_not() -> None:
    rng = np.random.default_rng(4)
    hits, naive = [], []
    for _ in range(400):
        truth = rng.normal(size=120)
        judge = truth + 0.4 + rng.normal(size=120)
        found = prediction_powered_mean(np.where(np.arange(120) < 20, truth, np.nan), judge)
        hits.append(found.interval()[0] <= 0 <= found.interval()[1])
        naive.append(found.judge_interval()[0] <= 0 <= found.judge_interval()[1])
    # 400 runs of .95 have a standard error of .011.
    assert np.mean(hits) > 0.92
    assert np.mean(naive) < 0.2


def test_too_few_shared_topics_are_refused() -> None:
    with pytest.raises(InputError, match="share 1 topics"):
        prediction_powered_mean([1.0, np.nan], [1.0, 2.0])
