"""Means by few people and a judge: what a judge may not change, and what holds in simulations."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats import (
    calibrate_judge,
    prediction_powered_differences,
    prediction_powered_mean,
    prediction_powered_means,
)

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
    with pytest.raises(InputError, match="share 1 topic;"):
        prediction_powered_mean([1.0, np.nan], [1.0, 2.0])


def five_points(seed: int, topics: int = 120) -> tuple[np.ndarray, np.ndarray]:
    """Scores of three systems, the last of which always has a 5, and a judge of them."""
    rng = np.random.default_rng(seed)
    truth = np.clip(np.rint(4.2 + rng.normal(size=(topics, 3))), 1, 5)
    truth[:, 2] = 5.0
    return truth, truth - 0.5 + 0.5 * rng.normal(size=truth.shape)


def test_the_weight_is_pooled_over_systems() -> None:
    truth, judge = five_points(1)
    human = np.where(np.arange(120)[:, None] < 30, truth, np.nan)
    estimates = prediction_powered_means(human, judge)
    assert estimates[0].weight == estimates[2].weight > 0.4
    # Slopes without each topic, pooled: sums of products over sums of squares, and shrunk.
    h, j = (table[:30] - table[:30].mean(axis=0) for table in (truth, judge))
    slope = (h * j).sum() / (j * j).sum()
    squared = (h * j).sum() ** 2 / (h * h).sum() / (j * j).sum()
    shrunk = slope * (1 - (1 - squared) / squared / 27) / (1 + 30 / 90)
    assert estimates[0].weight == pytest.approx(shrunk, rel=0.01)
    # Scores that are all the same say nothing about their spread.
    assert np.isnan(estimates[2].human_interval()).all()
    assert np.isnan(estimates[2].effective_n)


def test_on_a_scale_no_interval_leaves_it_or_is_a_point() -> None:
    for seed in range(20):
        truth, judge = five_points(seed)
        human = np.where(np.arange(120)[:, None] < 20, truth, np.nan)
        for estimate in prediction_powered_means(human, judge):
            for low, high in (
                estimate.interval(0.95, (1, 5)),
                estimate.human_interval(0.95, (1, 5)),
            ):
                assert 1 <= low < high <= 5


def test_clusters_are_the_sample() -> None:
    rng = np.random.default_rng(2)
    clusters = np.repeat(np.arange(40), 3)
    truth = np.repeat(rng.normal(size=40), 3)
    judge = truth + 0.5 * np.repeat(rng.normal(size=40), 3)
    human = np.where(np.arange(120) < 60, truth, np.nan)
    (by_cluster,) = prediction_powered_means(human[:, None], judge[:, None], clusters)
    # Topics of a cluster are alike, so a third of the topics says the same.
    single = prediction_powered_mean(human[::3], judge[::3])
    for name in ("mean", "error", "human_error", "judge_error", "weight"):
        assert getattr(by_cluster, name) == pytest.approx(getattr(single, name), rel=0.02)
    assert (by_cluster.units, by_cluster.n, by_cluster.df) == (20, 60, 19)
    by_topic = prediction_powered_mean(human, judge)
    assert by_topic.error < 0.7 * by_cluster.error


@pytest.mark.parametrize("method", ["isotonic", "linear"])
def test_a_calibrated_topic_is_predicted_by_other_topics(method: str) -> None:
    truth, judge = five_points(3)
    human = np.where(np.arange(120)[:, None] < 30, truth, np.nan)
    changed = human.copy()
    changed[7] = 1.0
    plain, moved = (calibrate_judge(people, judge, method) for people in (human, changed))
    np.testing.assert_array_equal(plain[7], moved[7])
    assert (plain[:, 0] != moved[:, 0]).any()


def test_calibration_straightens_a_judge() -> None:
    truth, _ = five_points(4, topics=300)
    # A judge who tells 4 and 5 apart hardly, and 1 to 3 widely.
    judge = np.select([truth >= 5, truth >= 4], [10.1, 10.0], truth * 3) + 0.0
    human = np.where(np.arange(300)[:, None] < 60, truth, np.nan)
    isotonic = calibrate_judge(human, judge, "isotonic")
    seen = truth >= 2
    np.testing.assert_allclose(isotonic[seen], truth[seen], atol=0.5)
    plain, calibrated = (prediction_powered_means(human, j)[0] for j in (judge, isotonic))
    assert calibrated.effective_n > 1.5 * plain.effective_n
    linear = calibrate_judge(human, 3 * truth + 2, "linear")
    np.testing.assert_allclose(linear, truth, atol=1e-9)


def test_differences_of_zero_leave_room_for_others() -> None:
    truth = np.full((60, 4), 5.0)
    truth[:4, 1] = [3, 3, 1, 1]
    truth[:, 3] = 4.0
    human = np.where(np.arange(60)[:, None] < 20, truth, np.nan)
    # A judge that says nothing about people.
    judge = np.random.default_rng(3).normal(size=truth.shape)
    pairs = np.array([[0, 2], [0, 1], [3, 0]])
    equal, rare, constant = prediction_powered_differences(human, judge, pairs)
    # Other than 0 are 2, 2, 4, 4 and -1 on 20 topics: their mean square is 60 / 24.
    unseen = 2 * (60 / 24) / 22**2
    assert (equal.mean, equal.error) == (0.0, pytest.approx(np.sqrt(unseen)))
    variance = human[:20, 1].var(ddof=1) / 20
    assert rare.human_error == pytest.approx(np.sqrt(variance + 0.8 * unseen))
    # A difference that is always the same has none of 0, and no error.
    assert (constant.mean, constant.error) == (-1.0, 0.0)
    # On a scale from 1 to 5, one more difference could be 4; two equal systems have no other.
    equal, *_ = prediction_powered_differences(human, judge, pairs, width=4.0)
    assert equal.error == pytest.approx(np.sqrt(2 * ((60 + 16) / 25) / 22**2))
    tables = human[:, [0, 2]], judge[:, [0, 2]]
    (alone,) = prediction_powered_differences(*tables, np.array([[0, 1]]), width=4.0)
    assert alone.error == pytest.approx(np.sqrt(2 * 16 / 22**2))


def test_differences_of_clusters_are_those_of_their_sums() -> None:
    rng = np.random.default_rng(4)
    truth = np.repeat(np.minimum(rng.normal(5, 1, size=(30, 3)).round(), 5), 3, axis=0)
    judge = np.repeat(rng.normal(size=(30, 3)), 3, axis=0)
    human = np.where(np.arange(90)[:, None] < 60, truth, np.nan)
    pairs, clusters = np.array([[0, 1], [1, 2]]), np.repeat(np.arange(30), 3)
    by_cluster = prediction_powered_differences(human, judge, pairs, clusters)
    single = prediction_powered_differences(human[::3], judge[::3], pairs)
    for a, b in zip(by_cluster, single, strict=True):
        assert a.human_error == pytest.approx(b.human_error)


def test_intervals_of_rare_differences_hold() -> None:
    hits = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        # Two systems whose scores are 5, except for one topic in ten or in twenty.
        human = np.where(rng.random((100, 3)) < [0.1, 0.05, 0.5], 3.0, 5.0)
        human[20:] = np.nan
        estimates = prediction_powered_differences(human, rng.normal(size=(100, 3)),
                                                   np.array([[0, 1], [0, 2]]))  # fmt: skip
        ends = [estimate.interval() for estimate in estimates]
        hits.append([ends[0][0] <= -0.1 <= ends[0][1], ends[1][0] <= 0.8 <= ends[1][1]])
    assert (np.mean(hits, axis=0) > 0.93).all()


def test_one_cluster_shows_no_spread() -> None:
    people, judge = HUMAN[:, None], TRUTH[:, None]
    clusters = np.repeat([0, 1], [40, 160])
    with pytest.raises(InputError, match="people and the judge share 1 cluster;"):
        prediction_powered_means(people, judge, clusters)
    people, judge = (np.column_stack([values, values + 1]) for values in (HUMAN, TRUTH))
    assert prediction_powered_differences(people, judge, np.array([[0, 1]]), clusters) == [None]
