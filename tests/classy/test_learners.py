"""The learners beyond the papers, beside plain ways to compute the same."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, lsq_linear
from scipy.special import expit

from pyramidion.classy._fits import LinearFit
from pyramidion.classy._learners import (
    RANKING_STRENGTHS,
    STRENGTHS,
    TopicRows,
    choose_by_topics,
    ranking_fits,
    regularized_fits,
)
from pyramidion.classy._table import TrainingData, join_tables
from pyramidion.errors import InputError
from pyramidion.stats import clustered_correlation


def made_up(seed=0, topics=12, systems=7, columns=5, noise=1.0):
    """Features that tell more or less of a quality, and topics that are more or less hard."""
    rng = np.random.default_rng(seed)
    topic = np.repeat(np.arange(topics), systems)
    quality = rng.normal(size=topics * systems)
    loads = np.linspace(1.0, -0.5, columns)
    features = loads * quality[:, None] + noise * rng.normal(size=(len(topic), columns))
    features = features * np.geomspace(0.01, 50, columns) + np.linspace(-3, 8, columns)
    hard = rng.normal(size=topics)[topic]
    return TrainingData(
        features + hard[:, None],
        quality + 5 * hard,
        topics=topic,
        systems=np.tile(np.arange(systems), topics),
    )


def standardized(data):
    """Centre within topics and divide by the spread, topic by topic."""
    z, y = data.features.copy(), data.targets[:, 0].copy()
    for topic in np.unique(data.topics):
        rows = data.topics == topic
        z[rows] -= z[rows].mean(axis=0)
        y[rows] -= y[rows].mean()
    return z / z.std(axis=0), y, z.std(axis=0)


def within_topics(data, fit):
    """Return Kendall's correlation within topics, by `pyramidion.stats`."""
    shape = len(np.unique(data.topics)), -1
    predicted = fit.predict(data.features).reshape(shape)
    human = data.targets[:, 0].reshape(shape)
    return clustered_correlation(predicted, human, level="input", coefficient="kendall").value


@pytest.mark.parametrize("strength", STRENGTHS)
def test_ridge_is_least_squares_with_more_rows(strength):
    """Ridge is least squares with a row sqrt(n strength) e_j more for each column."""
    data = made_up()
    z, y, spreads = standardized(data)
    more = np.sqrt(len(y) * strength) * np.eye(z.shape[1])
    weights = np.linalg.lstsq(np.vstack([z, more]), np.append(y, np.zeros(len(more))))[0]
    fit = regularized_fits(data)[f"ridge {strength:g}"]
    assert fit.coefficients == pytest.approx(weights / spreads)
    assert fit.predict(data.features).mean() == pytest.approx(data.targets.mean())


@pytest.mark.parametrize("strength", STRENGTHS)
def test_non_negative_ridge(strength):
    data = made_up(1)
    z, y, spreads = standardized(data)
    signs = np.sign(z.T @ y)
    more = np.sqrt(len(y) * strength) * np.eye(z.shape[1])
    rows = np.vstack([z * signs, more])
    found = lsq_linear(rows, np.append(y, np.zeros(len(more))), bounds=(0, np.inf), tol=1e-14)
    fit = regularized_fits(data)[f"non-negative {strength:g}"]
    assert fit.coefficients * spreads == pytest.approx(signs * found.x, abs=1e-6)
    assert (fit.coefficients * signs >= 0).all()


def test_small_sets_grow_by_the_best_column():
    data = made_up(2)
    z, y, _ = standardized(data)
    chosen = []
    for size in (1, 2, 3):
        losses = {}
        for column in set(range(z.shape[1])) - set(chosen):
            own = z[:, [*chosen, column]]
            more = np.sqrt(len(y) * 0.01) * np.eye(size)
            rows, target = np.vstack([own, more]), np.append(y, np.zeros(size))
            losses[column] = np.linalg.lstsq(rows, target)[1][0]
        chosen.append(min(losses, key=losses.get))
        if size > 1:
            found = np.flatnonzero(regularized_fits(data)[f"{size} metrics"].coefficients)
            assert set(found) == set(chosen)


def test_one_metric_is_the_best_and_points_the_right_way():
    data = made_up(3)
    values = {
        (column, sign): within_topics(data, LinearFit(sign * np.eye(5)[column], 0.0))
        for column in range(5)
        for sign in (-1, 1)
    }
    column, sign = max(values, key=values.get)
    fit = regularized_fits(data)["one metric"]
    assert np.flatnonzero(fit.coefficients).tolist() == [column]
    assert np.sign(fit.coefficients[column]) == sign


@pytest.mark.parametrize("strength", RANKING_STRENGTHS)
def test_ranking_is_at_the_minimum(strength):
    """The gradient of the sum over all pairs, written down, vanishes."""
    data = made_up(4, topics=5)
    z, _, spreads = standardized(data)
    target = data.targets[:, 0]
    apart, shares = [], []
    for topic in np.unique(data.topics):
        rows = np.flatnonzero(data.topics == topic)
        pairs = [(i, j) for i in rows for j in rows if target[i] > target[j]]
        apart += [z[i] - z[j] for i, j in pairs]
        shares += [1 / len(pairs) / 5] * len(pairs)
    apart, shares = np.array(apart), np.array(shares)

    def gradient(weights):
        return strength * weights - (shares * expit(-apart @ weights)) @ apart

    # Predictions were stretched to the target's units: find the stretch of the minimum.
    direction = ranking_fits(data)[f"ranking {strength:g}"].coefficients * spreads
    stretch = brentq(lambda scale: gradient(scale * direction) @ direction, 1e-4, 1e4)
    assert np.abs(gradient(stretch * direction)).max() < 2e-5


def test_ranking_learns_order_where_squares_are_misled():
    """One wild judgment turns least squares round, not the order of pairs."""
    rng = np.random.default_rng(5)
    topics = np.repeat(np.arange(20), 6)
    quality = rng.normal(size=120)
    target = quality.copy()
    features = np.column_stack([quality, rng.normal(size=120)])
    features[0] = (-30, 0)
    target[0] = 300
    data = TrainingData(features, target, topics=topics)
    assert regularized_fits(data)["ridge 0.01"].coefficients[0] < 0
    assert ranking_fits(data)["ranking 0.01"].coefficients[0] > 0


@pytest.mark.parametrize("learner", [regularized_fits, ranking_fits])
def test_the_same_data_give_the_same_model(learner):
    one, two = (choose_by_topics(learner, made_up(6)) for _ in range(2))
    assert one.name == two.name
    assert one.fit.coefficients.tolist() == two.fit.coefficients.tolist()


@pytest.mark.parametrize("learner", [regularized_fits, ranking_fits])
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), shift=st.floats(-50, 50), scale=st.floats(0.01, 100))
def test_topics_units_and_order_do_not_matter(learner, seed, shift, scale):
    data = made_up(seed, topics=4, systems=5, columns=3)
    rng = np.random.default_rng(seed)
    hard = (shift * rng.normal(size=4))[np.repeat(np.arange(4), 5)]
    order = rng.permutation(len(hard))
    other = TrainingData(
        (data.features * scale + hard[:, None])[order],
        (data.targets[:, 0] + hard)[order],
        topics=data.topics[order],
    )
    for (name, fit), again in zip(learner(data).items(), learner(other).values(), strict=True):
        assert again.coefficients * scale == pytest.approx(
            fit.coefficients, rel=2e-2, abs=2e-3 * np.abs(fit.coefficients).max()
        ), name


@pytest.mark.parametrize("learner", [regularized_fits, ranking_fits])
def test_a_column_that_never_varies_within_topics_gets_nothing(learner):
    data = made_up(7, columns=3)
    constant = np.repeat(np.arange(12.0), 7)
    more = TrainingData(
        np.column_stack([data.features, constant]), data.targets, topics=data.topics
    )
    for name, fit in learner(more).items():
        assert fit.coefficients[-1] == 0, name


def test_nothing_is_chosen_on_topics_that_were_fitted():
    data = made_up(8, topics=11)
    seen = []

    def spy(part):
        seen.append(set(part.topics))
        return {"none": LinearFit(np.zeros(5), 0.0), "first": LinearFit(np.eye(5)[0], 0.0)}

    choice = choose_by_topics(spy, data, folds=4)
    everything = set(data.topics)
    assert seen[-1] == everything
    left_out = [everything - part for part in seen[:-1]]
    assert len(left_out) == 4
    assert sum(map(len, left_out)) == 11
    assert set.union(*left_out) == everything
    assert choice.name == "first"
    assert np.isnan(choice.values["none"])


def test_the_value_is_that_of_topics_left_out():
    """With a fit that never changes, the mean over folds is the correlation itself."""
    data = made_up(9, topics=10)
    fit = LinearFit(np.array([1.0, 0.02, 0, 0, 0]), 1.0)
    choice = choose_by_topics(lambda part: {"fixed": fit}, data, folds=5)
    assert choice.value == pytest.approx(within_topics(data, fit))


def test_of_tied_fits_the_simplest_is_taken():
    data = made_up(10)
    same = LinearFit(np.eye(5)[0], 0.0)
    assert choose_by_topics(lambda part: {"simple": same, "other": same}, data).name == "simple"


def test_the_choice_depends_on_the_seed_only_through_the_folds():
    data = made_up(11, noise=3.0)
    values = [choose_by_topics(regularized_fits, data, rng=seed).value for seed in range(4)]
    assert len({round(value, 6) for value in values}) > 1


def test_folds_without_a_varying_target_are_skipped():
    data = made_up(12, topics=4)
    target = data.targets[:, 0].copy()
    target[data.topics == data.topics[0]] = 3.0
    flat = TrainingData(data.features, target, topics=data.topics)
    choice = choose_by_topics(regularized_fits, flat, folds=4)
    assert np.isfinite(choice.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (TrainingData([[1], [2], [3]], [1, 2, 3]), "the rows have no topics"),
        (TrainingData([[1], [2]], [1, 2], topics=["a", "a"]), "1 topic cannot be split"),
        (
            TrainingData([[1], [2], [3], [4]], [1, 1, 2, 2], topics=list("aabb")),
            "varies within too few topics|has the same value in all rows of each topic",
        ),
    ],
)
def test_bad_data(data, said):
    for learner in (regularized_fits, ranking_fits):
        with pytest.raises(InputError, match=said):
            choose_by_topics(learner, data)


def test_bad_folds():
    with pytest.raises(InputError, match="`folds` is 1"):
        choose_by_topics(ranking_fits, made_up(), folds=1)


def test_more_columns_than_rows():
    """A model that is held back needs no more rows than columns."""
    data = made_up(13, topics=3, systems=4, columns=20)
    for learner in (regularized_fits, ranking_fits):
        assert np.isfinite(choose_by_topics(learner, data).fit.coefficients).all()


def test_calibration_changes_no_order():
    data = made_up(14)
    rows = TopicRows.of(data)
    weights = np.array([0.3, 0.1, 0.0, 0.2, -0.4])
    plain, stretched = rows.fit(weights), rows.calibrated(weights)
    ratio = stretched.coefficients[weights != 0] / plain.coefficients[weights != 0]
    assert ratio == pytest.approx(ratio[0])
    assert ratio[0] > 0


def test_topics_of_two_years_stay_apart():
    one, two = made_up(15, topics=2), made_up(16, topics=2)
    both = join_tables([one, two])
    assert len(np.unique(both.topics)) == 4
    assert len(both.features) == 28


def test_pairs_are_thinned_where_there_are_too_many(monkeypatch):
    data = made_up(17, topics=6, systems=10)
    whole = ranking_fits(data)["ranking 0.1"].coefficients
    monkeypatch.setattr("pyramidion.classy._learners._MAX_PAIRS", 100)
    thinned = ranking_fits(data)["ranking 0.1"].coefficients
    assert not np.allclose(whole, thinned)
    assert np.corrcoef(whole * data.features.std(0), thinned * data.features.std(0))[0, 1] > 0.8


def test_the_best_of_all_pairs_is_within_reach():
    """With a single good column, no two-column set found by force is much better."""
    data = made_up(18, noise=0.3)
    z, y, spreads = standardized(data)
    best = -1.0
    for pair in combinations(range(5), 2):
        weights = np.zeros(5)
        weights[list(pair)] = np.linalg.lstsq(z[:, pair], y)[0]
        best = max(best, within_topics(data, LinearFit(weights / spreads, 0.0)))
    assert within_topics(data, regularized_fits(data)["2 metrics"]) > best - 0.02
