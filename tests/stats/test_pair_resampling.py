"""Monte Carlo and hybrid resampling of all pairs: gold of R, direct computation, properties."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pyramidion.errors import InputError
from pyramidion.stats import pairs as _pairs
from pyramidion.stats import wilcoxon
from pyramidion.stats._pair_permutation import signed_rank_tests
from pyramidion.stats._pair_resampling import (
    Swaps,
    explicit_draws,
    resample_pairs,
)
from pyramidion.stats._resampling import chosen_signs
from stats.pair_references import NAMES, direct_null, direct_p, direct_statistics, pair_up
from support import GOLD

# R 4.2.2, base functions; the resamples are part of the inputs.
CASES = {
    name: case
    for name, case in json.loads((GOLD / "stats" / "resampling.json").read_text("utf-8"))[
        "cases"
    ].items()
    if name.startswith("mc_hb")
}
METHODS = {"MC": "mc", "HB": "hb"}

likert = arrays(float, (9, 3), elements=st.integers(1, 5))
decimals = arrays(float, (9, 3), elements=st.integers(0, 200).map(lambda value: value / 100))
seeds = st.integers(0, 2**32)


def gold_resamples(case):
    return {
        "swaps": np.array(case["inputs"]["swap"]),
        "indices": np.array(case["inputs"]["bootstrap_indices_1_based"]) - 1,
    }


def gold_scores(case):
    return np.array([case["inputs"]["x"], case["inputs"]["y"]], dtype=float).T


def resamples_for(method, seed, topics, number=59):
    rng = np.random.default_rng(seed)
    given = {"swaps": rng.integers(0, 2, (number, topics))}
    if method == "hb":
        given["indices"] = rng.integers(0, topics, (number, topics))
    return given


@pytest.mark.parametrize("gold", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_gold(name, gold):
    case = CASES[name]
    given = gold_resamples(case)
    if gold == "MC":
        del given["indices"]
    found = resample_pairs(gold_scores(case), method=METHODS[gold], standardized=False, **given)
    expected = case["outputs"][gold]
    for place, statistic in enumerate(NAMES):
        test = found.tests[statistic]
        assert abs(test.statistic[0]) == pytest.approx(case["outputs"]["observed"][place], rel=1e-9)
        assert test.p[0] == pytest.approx(expected["p_plus_one"][place], rel=1e-9)
        assert test.p[0] * 200 - 1 == pytest.approx(expected["count_ge_observed"][place])
        assert test.cutoff[0] == pytest.approx(expected["cutoff95_inverse_ecdf"][place], rel=1e-9)
    assert found.n_resamples == 199


@pytest.mark.parametrize("name", CASES)
def test_gold_of_first_resamples(name):
    case = CASES[name]
    pairs = pair_up(gold_scores(case))
    given = gold_resamples(case)
    signs = chosen_signs(given["swaps"], 0, len(pairs.scores), None)
    draws = explicit_draws(given["indices"], given["swaps"], len(pairs.scores))
    blocks = {
        "MC": Swaps(signs).statistics(pairs, NAMES, is_standardized=False),
        "HB": draws.statistics(pairs, NAMES, is_standardized=False),
    }
    for gold, block in blocks.items():
        ((_, found),) = block
        first = np.array([np.abs(found[statistic][0, 1:6]) for statistic in NAMES]).T
        np.testing.assert_allclose(first, case["outputs"][gold]["first5"], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("standardized", [True, False])
@pytest.mark.parametrize("method", ["mc", "hb"])
@given(scores=st.one_of(likert, decimals), seed=seeds)
def test_equals_direct_computation(method, standardized, scores, seed):
    resamples = resamples_for(method, seed, len(scores))
    found = resample_pairs(scores, method=method, standardized=standardized, **resamples)
    nulls = []
    for row, (i, j) in enumerate(found.pairs):
        x, y = scores[:, i], scores[:, j]
        observed = direct_statistics(x, y, standardized=standardized)
        nulls.append(direct_null(x, y, standardized=standardized, **resamples))
        expected = direct_p(observed, nulls[-1])
        cutoffs = np.sort(np.abs(nulls[-1]), axis=0)[56]
        for place, name in enumerate(NAMES):
            test = found.tests[name]
            assert test.statistic[row] == pytest.approx(observed[place], rel=1e-7, abs=1e-7)
            assert test.p[row] == pytest.approx(expected[place])
            assert test.cutoff[row] == pytest.approx(cutoffs[place], rel=1e-7, abs=1e-7)
    maxima = np.max(np.abs(nulls), axis=0)
    for place, name in enumerate(NAMES):
        test = found.tests[name]
        expected = [direct_p(value, maxima[:, place]) for value in test.statistic]
        assert test.p_max_t == pytest.approx(expected)
        assert test.cutoff_max_t == pytest.approx(np.sort(maxima[:, place])[56], rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("method", ["mc", "hb"])
@settings(max_examples=10, deadline=None)
@given(scores=st.one_of(likert, decimals), seed=seeds)
def test_step_down_is_the_largest_of_those_left(method, scores, seed):
    # Westfall and Young (1993), algorithm 2.8, word for word.
    given = resamples_for(method, seed, len(scores))
    found = resample_pairs(scores, method=method, step_down=True, **given)
    plain = resample_pairs(scores, method=method, **given)
    nulls = np.abs([direct_null(*scores.T[p], standardized=True, **given) for p in found.pairs])
    for place, name in enumerate(NAMES):
        test, size = found.tests[name], np.abs(found.tests[name].statistic)
        falling = np.argsort(-size, kind="stable")
        expected: list[float] = []
        for rank, row in enumerate(falling):
            tied = falling[size[falling] <= size[row] + 1e-7]
            left = np.union1d(falling[rank:], tied)
            p = direct_p(size[row], nulls[left, :, place].max(axis=0))
            expected.append(max(p, *expected[-1:], 0.0))
        assert test.p_step_down[falling] == pytest.approx(expected)
        for own in ("statistic", "p", "cutoff", "p_max_t"):
            assert getattr(test, own) == pytest.approx(getattr(plain.tests[name], own))
        assert np.isnan(plain.tests[name].p_step_down).all()


def test_step_down_with_missing_scores_and_in_small_batches(monkeypatch):
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(20, 6)) + np.arange(6) / 3
    scores[rng.random(scores.shape) < 0.2] = np.nan
    for method in ("mc", "hb"):
        whole = resample_pairs(scores, method=method, n_resamples=99, step_down=True, rng=1)
        with monkeypatch.context() as patched:
            patched.setattr(_pairs, "BATCH_SIZE", 300)
            patched.setattr(_pairs, "BLOCK_VALUES", 150)
            parts = resample_pairs(scores, method=method, n_resamples=99, step_down=True, rng=1)
        for name in NAMES:
            test, same = whole.tests[name], parts.tests[name]
            np.testing.assert_array_equal(test.p_step_down, same.p_step_down)
            assert (test.p <= test.p_step_down).all()
            assert (test.p_step_down <= test.p_max_t).all()
            assert (test.p_step_down < test.p_max_t).any()


def test_a_known_order_saves_looking_for_it():
    scores = np.random.default_rng(6).normal(size=(15, 4)) + np.arange(4) / 2
    plain = resample_pairs(scores, statistics=("w",), n_resamples=99, step_down=True, rng=1)
    known = signed_rank_tests(scores)
    given = resample_pairs(
        scores,
        statistics=("w",),
        n_resamples=99,
        cutoffs=False,
        step_down=True,
        observed=known.statistic / known.spread,
        rng=1,
    )
    assert given.tests["w"].p_step_down.tolist() == plain.tests["w"].p_step_down.tolist()
    assert np.isnan(given.tests["w"].cutoff).all()


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.9])
@given(scores=st.one_of(likert, decimals), seed=seeds)
def test_signed_ranks_of_all_pairs_are_those_of_each(missing, scores, seed):
    scores = np.where(np.random.default_rng(seed).random(scores.shape) < missing, np.nan, scores)
    found = signed_rank_tests(scores, continuity=seed % 2 == 1)
    for row, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        both = ~np.isnan(scores[:, i] - scores[:, j])
        x, y = scores[both, i], scores[both, j]
        assert found.topics[row] == len(x)
        if not len(x):
            assert np.isnan([found.statistic[row], found.p[row], found.effect[row]]).all()
            continue
        one = wilcoxon(x, y, continuity=seed % 2 == 1)
        assert found.statistic[row] == one.statistic
        assert found.p[row] == pytest.approx(one.p, rel=1e-12)
        assert found.spread[row] == pytest.approx(2 * one.variance**0.5, rel=1e-12)
        if len(x) > 1:
            z = np.where(np.abs(x - y) > 1e-9, x - y, 0)
            sums = np.add.outer(z, z)[np.triu_indices(len(z), 1)]
            ahead = np.count_nonzero(sums > 1e-9) + np.count_nonzero(np.abs(sums) <= 1e-9) / 2
            assert found.effect[row] == pytest.approx(ahead / len(sums), rel=1e-12)


@pytest.mark.parametrize("method", ["mc", "hb"])
def test_many_topics_in_double_precision(method):
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 30, (300, 2)) / 10
    resamples = resamples_for(method, 4, 300, number=19)
    found = resample_pairs(scores, method=method, **resamples).tests["w"]
    null = direct_null(*scores.T, standardized=True, **resamples)[:, 0]
    assert found.cutoff[0] == pytest.approx(np.sort(np.abs(null))[18], rel=1e-9)


@given(scores=st.one_of(likert, decimals), seed=seeds)
def test_mc_cannot_tell_paired_from_unpaired_t(scores, seed):
    tests = resample_pairs(scores, n_resamples=199, rng=seed).tests
    assert tests["t"].p.tolist() == tests["t-unpaired"].p.tolist()


@given(seed=seeds)
@settings(max_examples=10, deadline=None)
def test_mc_p_of_w_does_not_depend_on_standardising(seed):
    scores = np.random.default_rng(seed).integers(1, 6, (12, 4))
    raw, standard = (
        resample_pairs(scores, standardized=choice, n_resamples=99, rng=seed).tests["w"]
        for choice in (False, True)
    )
    assert raw.p.tolist() == standard.p.tolist()


@pytest.mark.parametrize("method", ["mc", "hb"])
def test_a_copy_has_p_1(method):
    column = np.random.default_rng(0).random(15)
    scores = np.array([column, column, column / 3 * 3, column + 1]).T
    found = resample_pairs(scores, method=method, n_resamples=199)
    for test in found.tests.values():
        assert test.p[[0, 1, 3]].tolist() == [1, 1, 1]
        assert test.p_max_t[[0, 1, 3]].tolist() == [1, 1, 1]
        assert test.statistic[[0, 1, 3]].tolist() == [0, 0, 0]
        assert (test.p[[2, 4, 5]] < 0.05).all()
    assert found.tests["t"].statistic[2] == -np.inf


@pytest.mark.parametrize("method", ["mc", "hb"])
def test_infinite_t_is_reached_by_infinite_t(method):
    scores = np.array([[2.0, 1], [3, 2], [4, 3]])
    swaps = np.tile([[0, 0, 0], [1, 1, 1], [0, 0, 1], [1, 0, 1]], (5, 1))
    drawn = {"indices": np.tile([0, 1, 2], (20, 1))} if method == "hb" else {}
    found = resample_pairs(scores, method=method, swaps=swaps, **drawn).tests["t"]
    assert (found.statistic[0], found.p[0]) == (np.inf, 11 / 21)


@pytest.mark.parametrize("method", ["mc", "hb"])
@given(scores=likert, seed=seeds, constant=st.integers(-9, 9))
def test_relabelling_swapping_and_shifting(method, scores, seed, constant):
    plain = resample_pairs(scores, method=method, n_resamples=99, rng=seed)
    order = np.array([2, 0, 1])
    moved = resample_pairs(
        scores[:, order] + constant,
        method=method,
        n_resamples=99,
        rng=seed,
        # The same pairs of systems, the second one turned round.
        pairs=[[1, 2], [0, 1], [2, 0]],
    )
    for name in NAMES:
        first, second = plain.tests[name], moved.tests[name]
        sign = [1, -1, 1]
        np.testing.assert_allclose(second.statistic, first.statistic * sign, rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(second.p, first.p)
        np.testing.assert_allclose(second.p_max_t, first.p_max_t)
        np.testing.assert_allclose(second.cutoff, first.cutoff, rtol=1e-7, atol=1e-7)


@given(scores=likert, seed=seeds)
def test_permuting_topics_with_their_swaps(scores, seed):
    swaps = resamples_for("mc", seed, len(scores))["swaps"]
    order = np.random.default_rng(seed).permutation(len(scores))
    plain = resample_pairs(scores, swaps=swaps)
    moved = resample_pairs(scores[order], swaps=swaps[:, order])
    for name in NAMES:
        np.testing.assert_allclose(moved.tests[name].p, plain.tests[name].p)


def test_hybrid_w_standardized_differs_from_raw():
    # Reading 18: with zeros the number of ranks changes from resample to resample.
    scores = np.random.default_rng(4).integers(1, 4, (20, 6))
    p = [
        resample_pairs(scores, method="hb", standardized=choice, n_resamples=999).tests["w"].p
        for choice in (True, False)
    ]
    assert (p[0] != p[1]).any()


@pytest.mark.parametrize("method", ["mc", "hb"])
def test_level_is_held(method):
    rng = np.random.default_rng(8)
    found = resample_pairs(rng.normal(size=(30, 40)), method=method, n_resamples=499)
    for test in found.tests.values():
        assert 0.02 < np.mean(test.p <= 0.05) < 0.09
        assert np.mean(np.abs(test.statistic) > test.cutoff) <= np.mean(test.p <= 0.05) + 0.01


def test_the_seed_decides():
    scores = np.random.default_rng(1).random((10, 3))
    first, again, other = (
        resample_pairs(scores, method="hb", n_resamples=99, rng=seed).tests["w"].cutoff.tolist()
        for seed in (3, np.random.default_rng(3), 4)
    )
    assert first == again != other


def test_only_the_statistics_asked_for():
    found = resample_pairs([[1, 2], [3, 5], [4, 4]], statistics=("t-unpaired",), n_resamples=19)
    assert list(found.tests) == ["t-unpaired"]


GOOD = np.random.default_rng(2).random((6, 3))


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([1, 2], {}, "has 1 dimensions instead of two"),
        ([[1], [2]], {}, "has 2 topics and 1 systems"),
        (np.empty((0, 2)), {}, "has 0 topics and 2 systems"),
        ([[1, np.inf]], {}, "infinite value at position 0, 1"),
        ([["a", "b"]], {}, "not a number"),
        (GOOD, {"method": "MC"}, "one of mc, hb"),
        (GOOD, {"statistics": ("W",)}, "one of w, t, t-unpaired"),
        (GOOD, {"n_resamples": 18}, "18 resamples cannot show significance at 0.05; use 19"),
        (GOOD, {"n_resamples": 0}, "`n_resamples` is 0"),
        (GOOD, {"confidence_level": 95}, "between 0 and 1"),
        (GOOD, {"swaps": np.zeros((20, 5))}, "give rows of 6 values"),
        (GOOD, {"swaps": np.full((20, 6), 2)}, "other than 0 and 1"),
        (GOOD, {"indices": np.zeros((20, 6), int)}, "needs method='hb'"),
        (GOOD, {"method": "hb", "swaps": np.zeros((20, 6))}, "or neither"),
        (GOOD, {"pairs": [[0, 3]]}, "`pairs` has [0, 3]; give two different columns"),
        (GOOD, {"pairs": [[1, 1]]}, "`pairs` has [1, 1]"),
        (GOOD, {"pairs": [0, 1]}, "must be two column numbers"),
    ],
)
def test_bad_input(scores, options, message):
    with pytest.raises(InputError) as caught:
        resample_pairs(scores, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
