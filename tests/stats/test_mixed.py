"""Mixed models against lme4 and ordinal, exact degrees of freedom, and data that have no fit."""

import json
import warnings
from itertools import combinations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats import linear_mixed_model, ordinal_mixed_model, paired_t, two_way_anova
from pyramidion.stats._mixed_equations import Equations, FactoredEquations
from pyramidion.stats.multiple_comparisons import tukey_p
from support import GOLD

# R 4.2.2, lme4 1.1.31 lmer and ordinal 2022.11.16 clmm.
CASES = json.loads((GOLD / "stats" / "mixed_models.json").read_text(encoding="utf-8"))["cases"]
SYSTEMS, TOPICS = list("ABC" * 6), [row // 3 for row in range(18)]
NOISE = np.random.default_rng(0).normal(size=18)


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def _random(case):
    data = case["data"]
    random = {name: data[name] for name in ("topic", "assessor") if name in data}
    if "run" in data:
        random["sr"] = list(zip(data["system"], data["run"], strict=True))
    if "sd" in case["result"]:
        random = {name: random[name] for name in case["result"]["sd"]}
    return random


def _linear(name):
    data = CASES[name]["data"]
    return linear_mixed_model(data["y"], data["system"], random=_random(CASES[name]))


@pytest.mark.parametrize("name", ["crossed_complete", "crossed_missing", "runs"])
def test_linear_gold(name):
    expected, found = CASES[name]["result"], _linear(name)
    assert found.means == pytest.approx(list(expected["fixed"].values()), abs=1e-4)
    assert found.standard_errors == pytest.approx(list(expected["se"].values()), abs=1e-4)
    assert found.log_likelihood == pytest.approx(expected["reml_loglik"], abs=1e-4)
    variances = {**expected["variance"], "residual": expected["variance"]["Residual"]}
    for key, value in found.variances.items():
        assert value == pytest.approx(variances[key], rel=1e-3)


@pytest.mark.parametrize("name", ["ordinal_topic", "ordinal_crossed"])
def test_ordinal_gold(name):
    data, expected = CASES[name]["data"], CASES[name]["result"]
    found = ordinal_mixed_model(data["o"], data["system"], random=_random(CASES[name]))
    assert found.categories == (1, 2, 3, 4, 5)
    assert found.thresholds == pytest.approx(list(expected["thresholds"].values()), abs=1e-4)
    assert found.effects[1:] == pytest.approx(list(expected["effects"].values()), abs=1e-4)
    assert found.effect_errors[1:] == pytest.approx(list(expected["se"].values()), abs=1e-4)
    assert found.log_likelihood == pytest.approx(expected["loglik"], abs=1e-4)
    for key, value in expected["sd"].items():
        assert found.variances[key] == pytest.approx(value**2, rel=1e-3)


def test_ordinal_models_of_one_and_two_random_effects_have_comparable_likelihoods():
    rng = np.random.default_rng(0)
    system, topic, _ = np.indices((3, 10, 2)).reshape(3, -1)
    values = np.digitize(1.5 * rng.normal(size=10)[topic] + rng.logistic(size=60), [-2, -0.7, 0.7])
    one = ordinal_mixed_model(values, system, random={"topic": topic})
    summary = {"topic": topic, "summary": system * 10 + topic}
    two = ordinal_mixed_model(values, system, random=summary)
    # An effect of no variance gains nothing; by clmm's likelihood of one effect it would.
    assert two.variances["summary"] == 0
    assert two.exact_log_likelihood == pytest.approx(one.exact_log_likelihood, abs=1e-8)
    assert one.log_likelihood < one.exact_log_likelihood - 1e-5


def test_degrees_of_freedom_of_balanced_data_are_those_of_their_mean_squares():
    # 360 scores less 6 systems, 19 free topics and 2 free assessors; 4 systems x 3 free runs.
    assert _linear("crossed_complete").pairwise().df == pytest.approx(333, rel=1e-4)
    assert _linear("runs").pairwise().df == pytest.approx(12, rel=1e-4)


def test_two_systems_on_shared_topics_are_the_paired_t_test():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(12, 1)) * 2 + rng.normal(size=(12, 2))
    model = linear_mixed_model(
        scores.ravel(), list("AB" * 12), random={"topic": np.repeat(np.arange(12), 2)}
    )
    pair, expected = model.pairwise(), paired_t(scores[:, 0], scores[:, 1])
    assert pair.t[0] == pytest.approx(expected.statistic, rel=1e-6)
    assert pair.df[0] == pytest.approx(11, rel=1e-4)
    assert pair.p[0] == pair.p_adjusted[0] == pytest.approx(expected.p, rel=1e-4)


def test_correction_of_balanced_data_is_tukeys():
    found = _linear("crossed_complete").pairwise(draws=100_000)
    assert found.p_adjusted == pytest.approx(tukey_p(found.t, 6, 333), rel=0.05)


def test_correction_is_careful_where_degrees_of_freedom_differ():
    found = _linear("crossed_missing").pairwise()
    assert (found.p_adjusted >= found.p).all()
    assert (found.p_adjusted <= np.minimum(1, 10 * found.p) + 1e-3).all()


def test_intervals_hold_the_means():
    model = _linear("runs")
    low, high = model.intervals(0.9)
    wider = model.intervals(0.99)
    assert (np.diff([wider[0], low, model.means, high, wider[1]], axis=0) > 0).all()


def test_shifting_scaling_and_reordering_change_nothing_else():
    data = CASES["crossed_missing"]["data"]
    order = np.random.default_rng(1).permutation(len(data["y"]))
    moved = {key: np.array(values)[order] for key, values in data.items()}
    other = linear_mixed_model(
        1e6 + 1000 * moved["y"],
        moved["system"],
        random={"assessor": moved["assessor"], "topic": moved["topic"]},
    )
    base = _linear("crossed_missing")
    assert (other.means - 1e6) / 1000 == pytest.approx(base.means, abs=1e-6)
    assert other.pairwise().p == pytest.approx(base.pairwise().p, rel=1e-3)


def test_ordinal_model_without_random_effects_meets_a_logistic_regression():
    # Two categories, two systems: the log odds ratio of a two by two table, by hand.
    values = [1] * 3 + [2] * 7 + [1] * 6 + [2] * 4
    found = ordinal_mixed_model(values, ["A"] * 10 + ["B"] * 10, random={"topic": [0] * 20})
    assert found.notes == ("topic has no random effect: it has only one level",)
    assert found.effects[1] == pytest.approx(np.log((4 / 6) / (7 / 3)), abs=1e-6)
    assert found.effect_errors[1] == pytest.approx(np.sqrt(1 / 3 + 1 / 7 + 1 / 6 + 1 / 4), rel=1e-5)
    assert found.log_likelihood == pytest.approx(
        scipy_stats.binom(1, 0.3).logpmf([1] * 3 + [0] * 7).sum()
        + scipy_stats.binom(1, 0.6).logpmf([1] * 6 + [0] * 4).sum()
    )


def test_constant_scores_differ_in_nothing():
    found = linear_mixed_model([3] * 18, SYSTEMS, random={"topic": TOPICS})
    assert found.pairwise().p_adjusted.tolist() == [1, 1, 1]
    assert found.notes == ("each system's scores are all equal, so nothing can be tested",)


@pytest.mark.parametrize(
    "scores", [[1, 2, 3] * 6, [row % 3 + row // 3 for row in range(18)]], ids=["means", "sums"]
)
def test_scores_without_error_have_no_p_values(scores):
    found = linear_mixed_model(scores, SYSTEMS, random={"topic": TOPICS})
    assert np.isnan(found.pairwise().p).all()
    assert "so nothing can be tested" in found.notes[-1]


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ([0] * 18, "it has only one level"),
        (list(range(18)), "each score has its own level"),
        (SYSTEMS, "each system has only one level"),
        ([f"t{topic}" for topic in TOPICS], "it coincides with another"),
    ],
)
def test_random_effects_that_cannot_be_known_are_left_out(labels, why):
    found = linear_mixed_model(NOISE, SYSTEMS, random={"topic": TOPICS, "assessor": labels})
    assert f"assessor has no random effect: {why}" in found.notes
    assert "assessor" not in found.variances


def test_a_variance_at_zero_is_reported_and_counts_as_known():
    # Scores that are far apart within a topic but whose topics agree better than by chance.
    scores = np.concatenate([[-1.0, 0.1, 0.9 + 0.01 * topic] for topic in range(6)])
    labels = np.random.default_rng(0).permutation(SYSTEMS)
    found = linear_mixed_model(scores, labels, random={"topic": TOPICS})
    assert found.variances["topic"] == 0
    assert "the variance of topic is estimated at 0" in found.notes
    assert found.pairwise().df == pytest.approx(15)


def test_blocks_are_as_good_as_fixed():
    # Least squares of systems and topics, as in two_way_anova.
    scores = np.random.default_rng(2).normal(size=(6, 3))
    scores[0, 0] = scores[3, 1] = np.nan
    there = ~np.isnan(scores.ravel())
    found = linear_mixed_model(
        scores.ravel()[there],
        np.tile([0, 1, 2], 6)[there],
        random={"topic": np.repeat(range(6), 3)[there]},
        blocks=["topic"],
    ).pairwise()
    expected = two_way_anova(scores)
    effects = expected.first.effects
    assert found.differences == pytest.approx(effects[[0, 0, 1]] - effects[[1, 2, 2]], abs=1e-5)
    assert found.df == pytest.approx(expected.residual_df, rel=1e-3)
    variance = expected.first.covariance
    error = np.sqrt(variance[0, 0] + variance[1, 1] - 2 * variance[0, 1])
    assert found.standard_errors[0] == pytest.approx(error, rel=1e-4)


def test_few_runs_bound_the_degrees_of_freedom_even_without_variance_between_them():
    rng = np.random.default_rng(1)
    system, run, topic = np.indices((3, 2, 10)).reshape(3, -1)
    random = {"topic": topic, "run": system * 2 + run}
    y = rng.normal(size=60) - 0.4 * np.where(run == 0, 1, -1) * np.where(topic % 2, 1, -1)
    for fit, values in (
        (linear_mixed_model, y),
        (ordinal_mixed_model, np.digitize(y, [-1, 0, 1])),
    ):
        assert (fit(values, system, random=random).pairwise().df <= 3).all()


def test_interactions_have_no_more_degrees_of_freedom_than_their_mean_square():
    system, assessor, topic = np.indices((2, 3, 10)).reshape(3, -1)
    random = {"topic": topic, "assessor": assessor, "system:assessor": system * 3 + assessor}
    # Everyone likes both systems as much, so that the variance is estimated at 0.
    y = np.random.default_rng(1).normal(size=(2, 3, 10))
    y -= y.mean(axis=2, keepdims=True)
    found = linear_mixed_model(y.ravel(), system, random=random)
    assert found.variances["system:assessor"] == 0
    assert found.pairwise().df.tolist() == [2]


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ([3] * 18, "all judgments are the same"),
        ([1, 2, 5] * 6, "separated perfectly"),
        ([1, 2, 5, 2, 2, 4] * 3, "separated perfectly"),
        ([row // 3 % 5 for row in range(18)], "no finite estimates"),
    ],
)
def test_judgments_without_a_finite_estimate_are_refused(values, what):
    with pytest.raises(InputError, match=what):
        ordinal_mixed_model(values, SYSTEMS, random={"topic": TOPICS})


def test_separation_is_found_for_any_split_of_the_systems():
    # Every system but one reaches across every category: only then is there an estimate.
    crossing = {"A": [1, 3], "B": [2, 5], "C": [1, 5]}
    for pair in combinations(crossing, 2):
        values = [value for name in pair for value in crossing[name] * 4]
        names = [name for name in pair for _ in range(8)]
        ordinal_mixed_model(values, names, random={"topic": [0] * 16})
    with pytest.raises(InputError, match="separated"):
        ordinal_mixed_model([1, 3, 3, 5], list("AABB"), random={"topic": [0] * 4})


def test_bad_input():
    with pytest.raises(InputError, match="one score"):
        linear_mixed_model([1, 2, 3], list("ABC"), random={"topic": [0, 0, 0]})
    with pytest.raises(InputError, match="above 1e50"):
        linear_mixed_model(1e308 * np.sign(NOISE), SYSTEMS, random={"topic": TOPICS})
    with pytest.raises(ShapeError, match="`topic` has 2 labels for 18 values"):
        linear_mixed_model(NOISE, SYSTEMS, random={"topic": [0, 1]})
    with pytest.raises(InputError, match="30 different values"):
        ordinal_mixed_model(np.arange(30), list("ABC") * 10, random={"topic": [0] * 30})
    with pytest.raises(InputError, match="one system"):
        ordinal_mixed_model([1, 2], ["A", "A"], random={})


@pytest.mark.parametrize("nested", [True, False], ids=["summaries within topics", "crossed only"])
@pytest.mark.parametrize("shape", [(3, 7, 2), (40, 9, 3)], ids=["dense", "sparse"])
def test_equations_are_solved_as_all_at_once(nested, shape):
    rng = np.random.default_rng(5)
    system, topic, assessor = np.indices(shape).reshape(3, -1)[:, rng.permutation(np.prod(shape))]
    codes = [system * shape[1] + topic, assessor, topic, system][0 if nested else 1 :]
    codes = [np.unique(code[: len(topic) - 3], return_inverse=True)[1] for code in codes]
    sizes = [int(code.max()) + 1 for code in codes]
    order = sorted(range(len(sizes) - 1), key=lambda k: -sizes[k])
    codes, sizes = ([values[k] for k in (*order, -1)] for values in (codes, sizes))
    weights, theta = rng.random(len(codes[0])), np.array([0.7, 0.4, 1.3])[: len(sizes) - 1]
    equations = Equations(codes, sizes, n_random=1)
    spreads = equations.spreads(theta)
    found = FactoredEquations(equations, equations.tables(weights), spreads)
    # The same matrix, written down whole.
    design = np.zeros((len(codes[0]), len(spreads)))
    for k, block in equations.blocks.items():
        level = codes[k] if k >= 0 else 0  # the one level that stands where no factor is
        design[np.arange(len(design)), block.start + level] = 1
    penalty = np.r_[np.ones(len(spreads) - sizes[-1]), np.zeros(sizes[-1])]
    scaled = design * spreads
    inverse = np.linalg.inv(np.diag(penalty) + scaled.T @ (weights[:, None] * scaled))
    right = equations.sum_by_level(rng.normal(size=len(design)))
    assert found.solve(right) == pytest.approx(inverse @ right, abs=1e-9)
    assert found.log_determinant == pytest.approx(-np.linalg.slogdet(inverse)[1], abs=1e-9)
    assert found.last_columns(sizes[-1]) == pytest.approx(inverse[:, -sizes[-1] :], abs=1e-9)
    leverage = np.einsum("ij,jk,ik->i", scaled, inverse, scaled)
    assert found.leverage() == pytest.approx(leverage, abs=1e-9)
    traces = {k: np.diag(inverse)[block].sum() for k, block in equations.blocks.items()}
    assert found.traces() == pytest.approx(traces, abs=1e-9)
    assert equations.effects(right) == pytest.approx(design @ right, abs=1e-9)
    assert equations.dense == (not nested or shape[0] == 3)


def test_degrees_of_freedom_of_two_strata_are_lmertests():
    # lmerTest 3.2-0, tests/zlmerTest_zeroDenom.R: biomass in 4 chambers, two for each of two
    # levels of CO2, with six nutrients each. Scores with the variances that it prints, 0.2437
    # and 1.5797, have its standard errors and degrees of freedom: 1.3503 with 11.0163, and
    # 1.2568 with 10.
    gas, chamber, nutrient = np.indices((2, 2, 6)).reshape(3, -1)
    apart = np.sqrt((1.5797 + 6 * 0.2437) / 12)
    rest = np.sqrt(10 * 1.5797 / 24) * np.where(nutrient % 2, 1, -1)
    found = linear_mixed_model(
        np.where(chamber, 1, -1) * (apart + rest),
        gas * 6 + nutrient,
        random={"chamber": gas * 2 + chamber},
    )
    assert found.variances == pytest.approx({"chamber": 0.2437, "residual": 1.5797}, rel=1e-6)
    pairs = found.pairwise([[0, 6], [0, 1]])
    assert pairs.standard_errors == pytest.approx([1.3503, 1.2568], abs=1e-4)
    assert pairs.df == pytest.approx([11.0163, 10], abs=2e-3)


def test_degrees_of_freedom_of_unequal_numbers_of_runs_are_those_of_their_mean_square():
    # By hand: runs with as many topics each vary about their systems with 2 + 4 degrees of
    # freedom, and the variance of the difference is their mean square times 1/3 + 1/5.
    rng = np.random.default_rng(8)
    run, topic = np.indices((8, 6)).reshape(2, -1)
    means = rng.normal(size=8)
    y = means[run] + 0.1 * np.array([1, -1, 2, -2, 3, -3])[topic]
    found = linear_mixed_model(y, run >= 3, random={"run": run})
    square = (means[:3].var() * 3 + means[3:].var() * 5) / 6
    pair = found.pairwise()
    assert pair.df == pytest.approx([6], rel=1e-5)
    assert pair.standard_errors == pytest.approx([np.sqrt(square * (1 / 3 + 1 / 5))], rel=1e-6)


def test_degrees_of_freedom_with_missing_cells_are_satterthwaites_by_definition():
    # Fai and Cornelius 1996: twice the squared variance of a contrast, over its own variance by
    # the delta method, from the restricted likelihood written down with whole matrices.
    data = CASES["crossed_missing"]["data"]
    found = _linear("crossed_missing")
    systems, *factors = (
        np.equal.outer(data[name], np.unique(data[name])).astype(float)
        for name in ("system", "topic", "assessor")
    )
    y, shared = np.array(data["y"]), [factor @ factor.T for factor in factors]
    at = np.sqrt([found.variances[name] for name in ("topic", "assessor", "residual")])

    def parts(spreads):
        own = sum(s * s * v for s, v in zip(spreads, (*shared, np.eye(len(y))), strict=True))
        inverse = np.linalg.inv(own)
        precision = systems.T @ inverse @ systems
        covariance = np.linalg.inv(precision)
        left = inverse @ (y - systems @ covariance @ systems.T @ inverse @ y)
        determinants = np.linalg.slogdet(own)[1] + np.linalg.slogdet(precision)[1]
        return determinants + y @ left, covariance

    steps = 1e-3 * np.diag(at)
    curve = np.array(
        [
            [
                sum(a * b * parts(at + a * i + b * j)[0] for a in (1, -1) for b in (1, -1))
                / (4 * i.max() * j.max())
                for i in steps
            ]
            for j in steps
        ]
    )
    pairs = found.pairwise()
    contrasts = np.eye(systems.shape[1])[pairs.pairs]
    contrasts = contrasts[:, 0] - contrasts[:, 1]

    def variance(spreads):
        return np.einsum("ci,ij,cj->c", contrasts, parts(spreads)[1], contrasts)

    slopes = np.array(
        [(variance(at + step) - variance(at - step)) / (2 * step.max()) for step in steps]
    )
    spread = np.einsum("kc,kl,lc->c", slopes, 2 * np.linalg.inv(curve), slopes)
    assert pairs.df == pytest.approx(2 * variance(at) ** 2 / spread, rel=1e-4)
