"""Intervals of correlations of means, and their correction for noise, against direct formulas."""

import math

import numpy as np
import pytest
from scipy import stats

from pyramidion.stats import (
    corrected_correlation,
    jackknife_interval,
    person_topics,
)


def tables(systems=12, topics=20, *, seed=0):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=systems)
    human = quality + rng.normal(size=(topics, 1)) + rng.normal(size=(topics, systems))
    own = 0.5 * rng.normal(size=systems)
    return quality + own + 0.3 * human + rng.normal(size=(topics, systems)), human


def mean_squares(x, y):
    """The products of two tables' deviations between systems and within, as in an ANOVA."""
    topics, systems = x.shape
    means = [table.mean(axis=0) for table in (x, y)]
    rest = [t - m - t.mean(axis=1, keepdims=True) + t.mean()
            for t, m in zip((x, y), means, strict=True)]  # fmt: skip
    between = topics * np.cov(*means)[0, 1]
    return between, (rest[0] * rest[1]).sum() / ((systems - 1) * (topics - 1))


def corrected(x, y):
    parts = {pair: np.subtract(*mean_squares(*pair_of)) for pair, pair_of in
             {"xy": (x, y), "xx": (x, x), "yy": (y, y)}.items()}  # fmt: skip
    return parts["xy"] / math.sqrt(parts["xx"] * parts["yy"])


def test_the_corrected_correlation_is_that_of_variance_components():
    metric, human = tables()
    result = corrected_correlation(metric, human)
    assert result.value == pytest.approx(corrected(metric, human))
    assert result.observed == pytest.approx(
        np.corrcoef(metric.mean(axis=0), human.mean(axis=0))[0, 1]
    )
    between, within = mean_squares(human, human)
    assert result.reliability_human == pytest.approx(1 - within / between)


def test_intervals_come_from_leaving_out_each_system():
    metric, human = tables()
    n = metric.shape[1]
    left = [np.arange(n) != i for i in range(n)]
    plain = np.array([np.corrcoef(metric[:, s].mean(0), human[:, s].mean(0))[0, 1] for s in left])
    noiseless = np.array([corrected(metric[:, s], human[:, s]) for s in left])
    value = np.corrcoef(metric.mean(axis=0), human.mean(axis=0))[0, 1]
    z = np.arctanh(plain)
    half = stats.t.ppf(0.975, n - 1) * math.sqrt((n - 1) / n * ((z - z.mean()) ** 2).sum())
    interval = jackknife_interval(value, [plain], "system", "pearson", n)
    expected = np.tanh(math.atanh(value) + np.array([-half, half]))
    np.testing.assert_allclose([interval.low, interval.high], expected)
    result = corrected_correlation(metric, human)
    low, high = result.value + noiseless.std() / plain.std() * (expected - value)
    np.testing.assert_allclose([result.interval.low, result.interval.high], [low, min(high, 1.0)])


def test_topics_count_in_addition_at_input_level_only():
    systems, topics = np.array([0.5, 0.6, 0.4, 0.7]), np.array([0.5, 0.55, 0.45, 0.6])
    at_system, alone, at_input = (
        jackknife_interval(0.5, parts, level, "pearson", 4)
        for parts, level in (([systems, topics], "system"), ([systems], "system"),
                             ([systems, topics], "input"))
    )  # fmt: skip
    assert at_system == alone
    assert at_input.low < alone.low < 0.5 < alone.high < at_input.high
    assert math.isnan(jackknife_interval(0.5, [systems[:3]], "system", "pearson", 3).low)


def test_equal_rankings_have_an_interval_that_other_correlations_could_have_given():
    # The lower end is a correlation with which ten pairs agree completely in less than 2.5%.
    interval = jackknife_interval(1.0, [np.ones(10)], "system", "kendall", 10)
    low = interval.low
    r = math.sin(math.pi / 2 * low)
    rng, equal = np.random.default_rng(0), 0
    for _ in range(2000):
        x, y = rng.multivariate_normal([0, 0], [[1, r], [r, 1]], size=10).T
        equal += (np.argsort(x) == np.argsort(y)).all()
    assert 0.003 < equal / 2000 < 0.025
    assert interval.high == 1.0
    # So have rankings that differ by one tie.
    assert jackknife_interval(0.98, [np.ones(10)], "system", "kendall", 10) == interval
    turned = jackknife_interval(-1.0, [-np.ones(10)], "system", "kendall", 10)
    assert (turned.low, turned.high) == (-1.0, -low)
    assert low < jackknife_interval(1.0, [np.ones(10)], "system", "spearman", 10).low < 1


_TOO_LOW = "the reliability of the metric is too low: its interval reaches 0"


def test_corrected_correlations_stay_on_the_scale_or_say_why_not():
    reasons, beyond = set(), 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        quality = 0.25 * rng.normal(size=20)
        metric, human = quality + rng.normal(size=(2, 20, 20))
        result, (low, high) = corrected_correlation(metric, human), ends(metric, human)
        reliable = all(f_test(table) < 0.025 for table in (metric, human))
        assert reliable == (not result.undefined.endswith("its interval reaches 0"))
        assert math.isnan(result.value) == (not reliable)
        if result.undefined:
            reasons.add(result.undefined)
            assert math.isnan(result.interval.low)
        else:
            beyond += high > 1
            assert -1 <= result.interval.low <= result.value <= result.interval.high <= 1
            assert result.interval.low == pytest.approx(max(low, -1.0))
    assert {_TOO_LOW, "every value from -1 to 1 is possible"} <= reasons
    assert beyond > 20
    metric, _ = tables()
    same = corrected_correlation(metric, metric)
    assert (same.value, math.isnan(same.interval.low)) == (pytest.approx(1.0), True)
    assert same.undefined == "its interval would lie at or beyond the end of the scale"


def f_test(table):
    """The p-value of the systems' effect in a two-way analysis of variance."""
    between, within = mean_squares(table, table)
    df = table.shape[1] - 1
    return stats.f.sf(between / within, df, df * (len(table) - 1))


def ends(metric, human):
    """The interval of the corrected correlation before it is cut at the ends of the scale."""
    n = metric.shape[1]
    left = [np.arange(n) != i for i in range(n)]
    plain = np.array([np.corrcoef(metric[:, s].mean(0), human[:, s].mean(0))[0, 1] for s in left])
    value = np.corrcoef(metric.mean(axis=0), human.mean(axis=0))[0, 1]
    with np.errstate(invalid="ignore"):
        stretch = np.std([corrected_or_nan(metric[:, s], human[:, s]) for s in left]) / plain.std()
    around = jackknife_interval(value, [plain], "system", "pearson", n)
    return corrected_or_nan(metric, human) + stretch * (np.array([around.low, around.high]) - value)


def corrected_or_nan(x, y):
    spreads = [np.subtract(*mean_squares(table, table)) for table in (x, y)]
    return corrected(x, y) if min(spreads) > 0 else math.nan


def test_what_cannot_be_corrected_says_why():
    rng = np.random.default_rng(4)
    noise, (metric, human) = rng.normal(size=(20, 12)), tables()
    alike = noise - noise.mean(axis=0) + 1e-3 * rng.normal(size=12)
    result = corrected_correlation(alike, human)
    assert math.isnan(result.value)
    assert result.undefined == _TOO_LOW
    one = corrected_correlation(metric[:1], human[:1])
    assert (math.isnan(one.value), one.undefined) == (
        True, "with one topic, the noise of the means is unknown",
    )  # fmt: skip
    few = corrected_correlation(*(table[:, :3] + 5 * np.arange(3) for table in (metric, human)))
    assert few.undefined == "3 systems are too few for an interval"


def test_a_metric_is_worth_the_topics_at_which_a_person_correlates_as_well():
    rng = np.random.default_rng(2)
    quality = rng.normal(size=40)
    people = {name: quality + rng.normal(size=(200, 40)) for name in "abcd"}
    metric = quality + 3 * rng.normal(size=(200, 40))
    result = person_topics(people, metric)

    def correlation(means, other):
        rest = np.mean([table for name, table in people.items() if name != other], axis=0)
        return np.corrcoef(means, rest.mean(axis=0))[0, 1]

    expected = np.mean([correlation(metric.mean(axis=0), name) for name in people])
    assert result.metric == pytest.approx(expected)
    topics = round(result.topics)
    drawn_topics = (rng.choice(200, size=topics, replace=False) for _ in range(500))
    means = [correlation(people[name][rows].mean(axis=0), name)
             for rows in drawn_topics for name in people]  # fmt: skip
    assert np.mean(means) == pytest.approx(expected, abs=0.003)
    assert math.isinf(person_topics(people, np.mean([*people.values()], axis=0)).topics)
    assert math.isnan(person_topics({"a": people["a"]}, metric).topics)


def test_noise_of_variance_4_on_60_topics_is_that_of_variance_1_on_15():
    topics = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        quality = rng.normal(size=60)
        people = {name: quality + rng.normal(size=(60, 60)) for name in "abc"}
        topics.append(person_topics(people, quality + 2 * rng.normal(size=(60, 60))).topics)
    assert np.median(topics) == pytest.approx(15, rel=0.15)


def test_topics_with_gaps_do_not_count():
    rng = np.random.default_rng(5)
    quality = rng.normal(size=10)
    people = {name: quality + rng.normal(size=(30, 10)) for name in "abc"}
    metric = quality + rng.normal(size=(30, 10))
    gaps = {**people, "a": np.where(np.arange(30)[:, None] == 3, np.nan, people["a"])}
    gaps["a"][4, 2] = np.nan
    without = {
        **people,
        "a": np.where(np.isin(np.arange(30), (3, 4))[:, None], np.nan, people["a"]),
    }
    first, second = (person_topics(group, metric) for group in (gaps, without))
    assert first.topics == pytest.approx(second.topics, rel=0.05)
