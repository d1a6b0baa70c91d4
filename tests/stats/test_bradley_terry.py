"""Bradley-Terry models beside R's glm, by hand, and under simulation."""

import json

import numpy as np
import pytest

from pyramidion.stats import bradley_terry
from pyramidion.stats.multiple_comparisons import pair_errors
from support import GOLD

#: R 4.2.2, glm(binomial): mixed_models.json, case `bradley_terry`, of the shared gold.
CASES = json.loads((GOLD / "stats" / "mixed_models.json").read_text("utf-8"))["cases"]
CASE = CASES["bradley_terry"]


@pytest.mark.parametrize(("name", "position"), [("without_order", False), ("with_order", True)])
def test_strengths_and_errors_are_those_of_r(name: str, position: bool) -> None:
    first, second = ([int(one[1:]) - 1 for one in CASE["data"][n]] for n in ("first", "second"))
    outcome = 2 * np.array(CASE["data"]["first_wins"]) - 1
    fit = bradley_terry(first, second, outcome, position=position)
    others = np.column_stack([np.arange(1, 6), np.zeros(5, int)])
    found = [fit.position] * position + (fit.strengths - fit.strengths[0])[1:].tolist()
    errors = [fit.position_error] * position + pair_errors(fit.covariance, others).tolist()
    gold = CASE["result"][name]
    assert found == pytest.approx(gold["coef"], abs=1e-6)
    assert errors == pytest.approx(gold["se"], abs=1e-6)
    assert -2 * fit.log_likelihood == pytest.approx(gold["deviance"], abs=1e-6)


def test_ties_and_position_of_two_systems_by_hand() -> None:
    # Shown 0 before 1: 6 won, 3 tied, 2 lost; the other way round 4, 3 and 4. With two systems and
    # two orders the model has three parameters; log odds of the first in each order are
    # log(6/2) and log(4/4) under free ties, so that their halves are position and difference if
    # ties are as frequent in both orders, as Davidson's tie term is the same for mirrored odds.
    outcome = [1] * 6 + [0] * 3 + [-1] * 2 + [-1] * 6 + [0] * 3 + [1] * 2
    fit = bradley_terry([0] * 11 + [1] * 11, [1] * 11 + [0] * 11, outcome)
    assert fit.strengths[0] - fit.strengths[1] == pytest.approx(np.log(3))
    assert fit.position == pytest.approx(0, abs=1e-9)
    assert fit.tie == pytest.approx(np.log(3 / np.sqrt(12)))


def test_systems_that_always_win_or_that_nothing_links_are_parts() -> None:
    # 0 and 1 beat each other; 2 lost always; 3 and 4 met only each other.
    fit = bradley_terry([0, 1, 0, 1, 3, 4], [1, 0, 2, 2, 4, 3], [1, 1, 1, 1, 1, 1], position=False)
    assert len({*fit.parts.tolist()}) == 3
    assert fit.parts[0] == fit.parts[1] != fit.parts[2] != fit.parts[3] == fit.parts[4]
    # Ties alone, or ties and wins of one, say nothing of how much better one is.
    for outcome in ([0, 0], [0, 1]):
        assert len({*bradley_terry([0, 0], [1, 1], outcome).parts.tolist()}) == 2


def test_errors_by_topic_and_assessors_effects() -> None:
    rng = np.random.default_rng(3)
    topic, judge = np.repeat(np.arange(30), 40), np.tile(np.repeat(np.arange(4), 10), 30)
    first = rng.integers(0, 3, 1200)
    second = (first + rng.integers(1, 3, 1200)) % 3
    # Topics decide much, and judge 3 takes what is shown first.
    liked = np.array([0.5, 0.0, -0.5]) + rng.normal(size=(30, 3))
    eta = liked[topic, first] - liked[topic, second] + 2.0 * (judge == 3)
    outcome = np.where(rng.random(1200) < 1 / (1 + np.exp(-eta)), 1, -1)
    plain = bradley_terry(first, second, outcome)
    fit = bradley_terry(first, second, outcome, clusters=[topic], assessors=judge)
    pair = np.array([[0, 2]])
    assert pair_errors(fit.covariance, pair)[0] > 1.5 * pair_errors(plain.covariance, pair)[0]
    assert fit.df == 29
    effects = fit.assessors[:, 0]
    assert effects.argmax() == 3
    assert effects[3] > 1 > np.abs(effects[:3] - effects[:3].mean()).max() * 3


def test_systems_of_one_cluster_are_not_certain() -> None:
    # Systems 0-2 are in topic 0 only, 3-5 in topic 1 only; 6 and 7 are in both.
    rng = np.random.default_rng(4)
    pairs = [(a, b) for own in ((0, 1, 2), (3, 4, 5), (6, 7)) for a in own for b in own if a < b]
    first, second = np.repeat(pairs, 12, axis=0).T
    outcome = rng.choice([-1, 1], len(first))
    topic = np.where(first < 3, 0, np.where(first < 6, 1, np.arange(len(first)) % 2))
    fit = bradley_terry(first, second, outcome, clusters=[topic], position=False)
    plain = bradley_terry(first, second, outcome, position=False)
    alone = [[0, 1], [1, 2], [3, 5]]
    expected = pair_errors(plain.covariance, np.array(alone))
    assert (expected > 0.3).all()
    assert pair_errors(fit.covariance, np.array(alone)) == pytest.approx(expected)
    in_both = np.ix_([6, 7], [6, 7])
    assert not np.allclose(fit.covariance[in_both], plain.covariance[in_both])
    assert "all choices of 6 systems come from one cluster" in fit.notes[0]
    assert not any("one cluster" in note for note in plain.notes)


def test_position_cannot_be_estimated_if_no_pair_was_shown_in_both_orders() -> None:
    fit = bradley_terry([0, 0, 0, 1, 1], [1, 1, 1, 2, 2], [1, 1, -1, 1, -1])
    reason = "no two systems were shown in both orders"
    assert fit.notes == (f"the effect of position cannot be estimated: {reason}",)
