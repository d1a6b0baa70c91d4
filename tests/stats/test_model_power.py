"""Plans for mixed models: mean squares decide as the models themselves do."""

import numpy as np
import pytest

from pyramidion.stats import linear_mixed_model
from pyramidion.stats._model_power import (
    _ASSESSOR,
    _CLUSTER,
    _RUN,
    _SEVERITY,
    _TOPIC,
    ModelTesting,
    Spreads,
    _MeanSquares,
)

SHAPE = SYSTEMS, TOPICS, JUDGES = 3, 7, 4
EFFECTS = {_TOPIC: "system:topic", _ASSESSOR: "system:assessor", _SEVERITY: "assessor"}


def interaction(y, one, other):
    """The sum of squares of an interaction, from the means of its cells."""
    rest = tuple({0, 1, 2} - {one, other})
    cells = y.mean(axis=rest, keepdims=True)
    sides = sum(y.mean(axis=tuple({0, 1, 2} - {k}), keepdims=True) for k in (one, other))
    return ((cells - sides + y.mean()) ** 2).sum() * y.size / cells.size


def mean_squares(y, freedom):
    likes, by_topic = interaction(y, 0, 2), interaction(y, 0, 1)
    mains = [((y.mean(axis=(0, 1, 2)[:k] + (0, 1, 2)[k + 1 :]) - y.mean()) ** 2).sum() * y.size / n
             for k, n in enumerate(SHAPE)]  # fmt: skip
    noise = ((y - y.mean()) ** 2).sum() - sum(mains) - likes - by_topic
    sums = np.array([noise, 0.0, likes, by_topic, 0.0, mains[2]])
    return (sums / np.maximum(freedom, 1))[:, None]


@pytest.mark.parametrize("seed", range(4))
def test_mean_squares_give_the_models_errors(seed):
    rng = np.random.default_rng(seed)
    # Seeds differ in which variances are estimated at 0.
    y = (
        3 * rng.normal(size=(1, TOPICS, 1))
        + 0.2 * rng.normal(size=(1, 1, JUDGES))
        + 0.4 * (seed % 2) * rng.normal(size=(SYSTEMS, TOPICS, 1))
        + 0.5 * (seed // 2) * rng.normal(size=(SYSTEMS, 1, JUDGES))
        + rng.normal(size=SHAPE)
    )
    system, topic, judge = (code.ravel() for code in np.indices(SHAPE))
    codes = {
        "assessor": judge,
        "system:topic": system * TOPICS + topic,
        "system:assessor": system * JUDGES + judge,
    }
    strata = _MeanSquares(
        Spreads((("residual", 1.0),), judges=JUDGES, panel=JUDGES), TOPICS, SYSTEMS
    )
    squares, likelihoods = mean_squares(y, strata.freedom), []
    for effects in ({}, {_TOPIC}, {_ASSESSOR}, {_TOPIC, _ASSESSOR}):
        every = frozenset({*effects, _SEVERITY})
        random = {"topic": topic} | {EFFECTS[k]: codes[EFFECTS[k]] for k in every}
        model = linear_mixed_model(y.ravel(), system, random=random)
        pairs, (deviance, variance, df) = model.pairwise(), strata.fit(squares, every)[:, 0]
        error = np.sqrt(2 / TOPICS / JUDGES * variance)
        assert error == pytest.approx(pairs.standard_errors[0], rel=1e-4)
        assert df == pytest.approx(pairs.df[0], rel=1e-3)
        likelihoods.append(model.log_likelihood + deviance / 2)
    assert likelihoods == pytest.approx([likelihoods[0]] * 4, abs=1e-5)


def test_assessors_as_blocks_and_clusters_and_runs():
    blocks = Spreads((("system:assessor", 0.5), ("residual", 1.0)), judges=3, panel=3)
    strata = _MeanSquares(blocks, 10, 4)
    # Assessors who seem more alike than likes have it estimate those, unless they are blocks.
    squares = np.array([[1.0, 0, 5, 1, 0, 1]]).T
    pooled, apart = (
        strata.fit(squares, frozenset(e)) for e in ({_ASSESSOR, _SEVERITY}, {_ASSESSOR})
    )
    assert pooled[1, 0] == pytest.approx((5 * 6 + 1 * 2) / 8)
    assert apart[1:, 0] == pytest.approx([5, 6])
    clusters = Spreads((("system:cluster", 1.0), ("residual", 1.0)), size=5)
    assert clusters.error(40, 2) == (pytest.approx(2 * (1 / 8 + 1 / 40)), pytest.approx(7))
    assert _MeanSquares(clusters, 40, 2).always == {_CLUSTER}
    runs = Spreads((("run", 0.5), ("residual", 1.0)), runs=3)
    assert runs.error(20, 2) == (pytest.approx(2 * (0.5 / 3 + 1 / 60)), 4)
    assert _MeanSquares(runs, 20, 2).always == {_RUN}


def test_power_without_anything_to_estimate_is_that_of_t():
    from scipy.special import nctdtr, stdtrit

    testing = ModelTesting("paired-t", 2, spreads=Spreads((("residual", 0.5),)))
    shift, cutoff = np.sqrt(20) * 0.7, stdtrit(19, 0.975)
    assert testing.power(np.array([20.0]), np.array([0.7]))[0] == pytest.approx(
        1 - nctdtr(19, shift, cutoff), abs=2e-3
    )


@pytest.mark.parametrize(("judges", "likes"), [(2, 1.0), (3, 0.36)])
def test_two_systems_and_few_assessors_with_likes_keep_the_level(judges, likes):
    # With the degrees of freedom of all levels within systems the errors were .079 and .063.
    variances = (("system:assessor", likes), ("residual", 1.0))
    spreads = Spreads(variances, judges=judges, panel=judges)
    testing = ModelTesting("paired-t", 2, "none", spreads=spreads)
    assert 2 * testing.power(np.array([30.0]), np.array([0.0]))[0] <= 0.05
