"""Samples of topics with known probabilities, and means weighted by them."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats import (
    inclusion_probabilities,
    prediction_powered_means,
    spread_sample,
)


def test_probabilities_sum_to_the_size_of_the_sample_and_none_exceeds_one():
    probabilities = inclusion_probabilities([1, 2, 3, 50, 60], 3)
    assert probabilities.sum() == pytest.approx(3)
    assert probabilities.max() == 1
    assert probabilities[1] == pytest.approx(2 * probabilities[0])
    with pytest.raises(InputError, match="cannot choose 6 of 5 topics"):
        inclusion_probabilities(np.ones(5), 6)


@pytest.mark.parametrize("columns", [0, 1])
def test_each_row_is_drawn_with_its_probability(columns):
    rows, rng = np.arange(12.0)[:, None][:, :columns], np.random.default_rng(1)
    probabilities = inclusion_probabilities(1 + np.arange(12), 4)
    counts = np.zeros(12)
    for _ in range(1000):
        sample = spread_sample(probabilities, rows, rng)
        assert len(sample) == 4
        counts[sample] += 1
    assert counts / 1000 == pytest.approx(probabilities, abs=0.06)


def test_similar_rows_are_rarely_drawn_together():
    rows, rng = np.repeat(np.arange(10.0), 2)[:, None], np.random.default_rng(1)
    samples = [spread_sample(np.full(20, 0.5), rows, rng) for _ in range(20)]
    assert all(len({*(sample // 2)}) == 10 for sample in samples)


def scores(rng, n=200):
    topic = rng.normal(size=(n, 1))
    truth = topic + rng.normal(size=(n, 3)) + [0.0, 0.2, 1.0]
    return truth, truth + 0.3 + 0.5 * rng.normal(size=(n, 3))


def test_equal_probabilities_give_the_unweighted_mean():
    truth, judge = scores(np.random.default_rng(1))
    human = np.where(np.arange(200)[:, None] < 40, truth, np.nan)
    plain = prediction_powered_means(human, judge)
    weighted = prediction_powered_means(human, judge, None, np.full(200, 0.2))
    for a, b in zip(plain, weighted, strict=True):
        assert b.mean == pytest.approx(a.mean, abs=0.01)
        assert b.error == pytest.approx(a.error, rel=0.05)
        assert b.weight == pytest.approx(a.weight)
        assert (b.human_mean, b.bias) == pytest.approx((a.human_mean, a.bias))
        assert b.human_error == pytest.approx(a.human_error)


@pytest.mark.parametrize("clustered", [False, True])
def test_weighted_intervals_hold_where_unweighted_ones_do_not(clustered):
    rng, hits = np.random.default_rng(1), np.zeros(2)
    for _ in range(80):
        judge = rng.normal(size=(200, 1))
        truth = judge**2 + 0.5 * rng.normal(size=(200, 1))
        # The mean of chosen topics is too high, and no line through the judge's scores shows it.
        probabilities = inclusion_probabilities(0.3 + np.abs(judge[:, 0]), 40)
        chosen = spread_sample(probabilities, judge, rng)
        human = np.full(truth.shape, np.nan)
        human[chosen] = truth[chosen]
        clusters = np.arange(200) // 2 if clustered else None
        for row, used in enumerate((probabilities, None)):
            low, high = prediction_powered_means(human, judge, clusters, used)[0].interval()
            hits[row] += (low <= 1 <= high) / 80
    assert hits[0] > 0.9
    assert hits[1] < 0.6


def test_equal_scores_have_no_error():
    human = np.full((20, 2), 0.1)
    human[10:] = np.nan
    judge = np.random.default_rng(1).random((20, 2))
    estimate = prediction_powered_means(human, judge, None, np.linspace(0.2, 0.8, 20))[0]
    assert estimate.human_error == 0
    assert estimate.mean == pytest.approx(0.1)
