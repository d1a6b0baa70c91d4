"""Comparing systems: what must not change, and what must."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare
from pyramidion.comparison.procedures import CORRECTIONS, TESTS
from pyramidion.errors import InputError

RNG = np.random.default_rng(5)
VALUES = RNG.normal(size=(12, 4)).round(2) + np.array([0, 0.2, 1.5, 1.6])


def matrix(values=VALUES, systems=None, topics=None, human=None):
    rows, columns = np.shape(values)
    return ScoreMatrix(
        values,
        topics or [f"T{i}" for i in range(rows)],
        systems or [f"s{i}" for i in range(columns)],
        human,
        measure="m",
        task="A",
    )


def by_pair(result):
    return {frozenset((c.a, c.b)): c for c in result.comparisons}


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("correction", CORRECTIONS)
def test_every_test_with_every_correction(test, correction):
    result = compare(matrix(), test=test, correction=correction, n_resamples=999)
    assert result.counts.pairs == len(result.comparisons) == 6
    for pair in result.comparisons:
        assert 0 < pair.p <= pair.p_adjusted + 1e-12 <= 1 + 1e-12
        # b - a is above zero exactly where the statistic says so.
        assert math.copysign(1, pair.statistic) == math.copysign(1, pair.difference)
    assert result.counts.significant <= result.counts.significant_uncorrected


@pytest.mark.parametrize("test", ["permutation", "wilcoxon", "paired-t", "unpaired-t", "welch"])
def test_a_system_and_its_copy(test):
    values = np.column_stack([VALUES[:, 0], VALUES[:, 0], VALUES[:, 2]])
    pair = by_pair(compare(matrix(values), test=test))[frozenset(("s0", "s1"))]
    assert pair.p == pair.p_adjusted == 1
    assert pair.difference == pair.statistic == 0


@pytest.mark.parametrize("test", ["permutation", "wilcoxon", "paired-t"])
def test_relabelling_and_permuting_change_nothing(test):
    # With 12 topics the permutation test enumerates all signs, so chance plays no part.
    before = by_pair(compare(matrix(), test=test, correction="holm"))
    rows, columns = RNG.permutation(12), RNG.permutation(4)
    shuffled = matrix(
        VALUES[rows][:, columns],
        systems=[f"s{i}" for i in columns],
        topics=[f"T{i}" for i in rows],
    )
    after = by_pair(compare(shuffled, test=test, correction="holm"))
    for pair, p in before.items():
        assert after[pair].p == pytest.approx(p.p, rel=1e-9)
        assert after[pair].p_adjusted == pytest.approx(p.p_adjusted, rel=1e-9)
        assert abs(after[pair].difference) == pytest.approx(abs(p.difference), rel=1e-9)


@given(st.floats(-100, 100))
def test_adding_a_constant_changes_nothing(constant):
    before, after = (compare(matrix(v), correction="none") for v in (VALUES, VALUES + constant))
    for a, b in zip(before.comparisons, after.comparisons, strict=True):
        assert (a.a, a.b) == (b.a, b.b)
        assert a.p == pytest.approx(b.p, rel=1e-6)


def test_missing_scores_use_shared_topics_only():
    values = VALUES.copy()
    values[:5, 0] = np.nan
    result = compare(matrix(values))
    pair = by_pair(result)[frozenset(("s0", "s2"))]
    assert pair.n == 7
    expected = (values[5:, 2] - values[5:, 0]).mean()
    assert abs(pair.difference) == pytest.approx(expected)
    assert any("5 missing scores" in line for line in result.left_out)


def test_no_shared_topic_is_said_not_dropped():
    values = VALUES.copy()
    values[:6, 0] = np.nan
    values[6:, 1] = np.nan
    for test in ("permutation", "wilcoxon", "paired-t", "mc"):
        result = compare(matrix(values), test=test)
        pair = by_pair(result)[frozenset(("s0", "s1"))]
        assert math.isnan(pair.p)
        assert "topic" in pair.note
        assert any("1 pairs without a corrected p-value" in line for line in result.left_out)


def test_a_topic_without_any_score_is_not_a_problem():
    values = VALUES.copy()
    values[3] = np.nan
    result = compare(matrix(values))
    assert {c.n for c in result.comparisons} == {11}


def test_constant_scores():
    values = np.ones((6, 2))
    for test in ("permutation", "wilcoxon", "paired-t", "welch"):
        pair = compare(matrix(values), test=test).comparisons[0]
        assert pair.p == 1


def test_humans_and_machines_are_counted_apart():
    result = compare(matrix(human=[True, True, False, False]), correction="none")
    assert result.human_machine.pairs == 4
    assert result.human_machine.significant == sum(
        c.p <= 0.05
        for c in result.comparisons
        if {c.a, c.b} & {"s0", "s1"} and {c.a, c.b} & {"s2", "s3"}
    )


def test_a_baseline_is_compared_with_all_others():
    result = compare(matrix(), baseline="s1")
    assert [c.b for c in result.comparisons] == ["s1"] * 3
    assert result.counts.pairs == 3
    assert {(system.group, system.cluster) for system in result.systems} == {("", 0)}


def test_ranking():
    result = compare(matrix())
    means = [s.mean for s in result.systems]
    assert means == sorted(means, reverse=True)
    assert all(s.low <= s.mean <= s.high for s in result.systems)
    assert [s.rank for s in result.systems] == [1, 2, 3, 4]


def test_holm_raises_the_resamples_and_says_so():
    values = RNG.normal(size=(30, 25))
    result = compare(matrix(values), correction="holm", n_resamples=999)
    assert result.n_resamples == 5999  # 300 pairs / 0.05, less the data itself
    assert "raised from 999 to 5,999" in result.notes[0]


@pytest.mark.parametrize("test", ["unpaired-t", "welch"])
def test_unpaired_tests_are_not_corrected_by_swaps_within_topics(test):
    topics = 5 * RNG.normal(size=(20, 1))
    result = compare(matrix(topics + VALUES[0, :4] + 0.1 * RNG.normal(size=(20, 4))), test=test)
    assert result.correction == "holm"
    assert "Holm's correction replaces max-T" in result.notes[0]
    assert result.counts.significant <= result.counts.significant_uncorrected


@pytest.mark.parametrize("test", ["paired-t", "mc", "hb", "wilcoxon", "permutation"])
def test_a_system_with_few_topics_does_not_spoil_the_others(test):
    values = RNG.normal(size=(20, 4)) + np.array([0, 0, 2, 4])
    sparse = np.full((20, 1), np.nan)
    sparse[:2] = [[0.0], [1.0]]
    few, many = (
        compare(matrix(v), test=test, statistic="t", n_resamples=999)
        for v in (values, np.hstack([values, sparse]))
    )
    before = {c: by_pair(few)[c].p_adjusted <= 0.05 for c in by_pair(few)}
    after = {c: by_pair(many)[c].p_adjusted <= 0.05 for c in before}
    assert after == before
    assert any(before.values())


def test_few_topics_say_what_they_cannot_show():
    result = compare(matrix(VALUES[:4] + np.array([0, 10, 20, 30])))
    assert result.notes[0] == "With 4 topics, no p-value can be below 0.125."
    assert result.notes[1].startswith("With only 4 topics, intervals of means are wide")


def test_a_system_without_scores_is_refused():
    values = VALUES.copy()
    values[:, 1] = np.nan
    with pytest.raises(InputError, match="system s1 has no m scores"):
        compare(matrix(values))


def test_clusters_are_numbered_down_the_ranking():
    values = RNG.normal(size=(20, 4)) / 10 + np.array([0, 0.01, 5, 5.01])
    assert [s.cluster for s in compare(matrix(values)).systems] == [1, 1, 2, 2]


def test_the_seed_decides():
    values = RNG.normal(size=(40, 3))
    first, again, other = (
        compare(matrix(values), n_resamples=500, seed=seed) for seed in (1, 1, 2)
    )
    assert first.only == again.only
    assert [c.p for c in first.comparisons] != [c.p for c in other.comparisons]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"test": "sign"}, "test is 'sign'; choose one of permutation"),
        ({"correction": "x"}, "correction is 'x'"),
        ({"test": "mc", "statistic": "z"}, "statistic is 'z'"),
        ({"alpha": 1.5}, "alpha is 1.5; give a number between 0 and 1"),
        ({"alpha": "x"}, "alpha is 'x'; give a number"),
        ({"confidence_level": 2.0}, "confidence-level is 2.0"),
        ({"seed": -1}, "seed is -1; give a whole number of at least 0"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"baseline": "nobody"}, "there is no system 'nobody'; available: s0, s1"),
        ({"n_resamples": 10}, "10 resamples cannot show significance at 0.05"),
    ],
)
def test_bad_options(call, message):
    with pytest.raises(InputError, match=message):
        compare(matrix(), **call)


def test_bad_matrices():
    with pytest.raises(InputError, match="only one topic"):
        compare(matrix(VALUES[:1]))
    with pytest.raises(InputError, match="has 1 system"):
        compare(matrix(VALUES[:, :1]))
