"""P(best), the spread of runs, the topics that decide a pair, and intervals that stay on scale."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pyramidion import ScoreMatrix, compare
from pyramidion.cli.runtime import run
from pyramidion.collection.formats.scores import write_scores
from pyramidion.errors import InputError


def matrix_of(**systems):
    values = np.column_stack([*systems.values()])
    return ScoreMatrix(values, [f"T{n}" for n in range(len(values))], [*systems], measure="m")


def shares(result):
    return {system.system: system.p_best for system in result.systems}


def test_p_best_is_that_of_a_bootstrap_of_topics():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(12, 3)) + np.array([0.0, 0.2, 0.4])
    wins = np.zeros(3)
    for _ in range(20_000):
        wins[values[rng.integers(12, size=12)].mean(axis=0).argmax()] += 1
    matrix = ScoreMatrix(values, [*map(str, range(12))], ["x", "y", "z"], measure="m")
    expected = dict(zip("xyz", wins / wins.sum(), strict=True))
    assert shares(compare(matrix, p_best=True)) == pytest.approx(expected, abs=0.02)
    # The lowest is best for the negated scores.
    lower = ScoreMatrix(-values, matrix.topics, matrix.systems, measure="m", lower_is_better=True)
    assert shares(compare(lower, p_best=True)) == shares(compare(matrix, p_best=True))


def test_p_best_of_ties_missing_scores_clusters_and_people():
    tied = compare(matrix_of(a=[1, 2, 3, 4], b=[1, 2, 3, 4], c=[0, 1, 2, 3]), p_best=True)
    assert shares(tied) == {"a": 0.5, "b": 0.5, "c": 0.0}
    values = np.array([[2, 1], [9, np.nan], [3, 2], [4, 3.5]])
    topics = ["1", "2", "3", "4"]
    missing = ScoreMatrix(values, topics, ["a", "b"], measure="m")
    # Topic 2, which only a has, does not make b better.
    assert shares(compare(missing, p_best=True)) == {"a": 1.0, "b": 0.0}
    people = ScoreMatrix(values[:, [0, 0, 1]], topics, ["P", "a", "b"], [True, False, False],
                         measure="m")  # fmt: skip
    result = compare(people, p_best=True)
    assert np.isnan(shares(result)["P"])
    assert shares(result)["a"] == 1
    # Of two clusters, each draw has the first twice, the second twice, or both, where a is ahead.
    clustered = ScoreMatrix([[1, 0], [1, 0], [0, 1.5]], ["1", "2", "3"], ["a", "b"], measure="m",
                            clusters=["x", "x", "y"])  # fmt: skip
    assert shares(compare(clustered, p_best=True))["b"] == pytest.approx(0.25, abs=0.02)


def runs_table(path):
    rows = [
        {"topic": f"T{topic}", "system": system, "run": run, "measure": "m",
         "value": topic + 0.25 + bonus + step * run}
        for system, bonus, step in (("a", 0, 1.0), ("b", 5, 0.0))
        for topic in range(4)
        for run in range(3)
    ]  # fmt: skip
    pd.DataFrame(rows[:-1]).to_csv(path, index=False)
    return path


def test_runs_have_a_standard_deviation(tmp_path):
    result = compare(runs_table(tmp_path / "runs.csv"))
    # The means of a's runs are 1.5, 2.5 and 3.5; a missing topic does not change b's.
    assert {s.system: s.run_sd for s in result.systems} == pytest.approx({"a": 1.0, "b": 0.0})
    assert "SD of runs" in str(result)
    assert "run_sd" not in compare(matrix_of(a=[1, 2, 3], b=[2, 3, 5])).to_json()


def outlier(n):
    """Return scores in which `a` is ahead of `b` by 1 on all topics but the last one."""
    noise = np.random.default_rng(0).normal(0, 0.3, n)
    b = np.arange(n) / n
    a = b + 1 + noise
    a[-1] = b[-1] - 9
    return matrix_of(a=a, b=b, c=b - 5)


def without_outlier():
    matrix = outlier(12)
    return matrix.take(topics=matrix.topics[:11])


def test_an_outlier_decides_an_undecided_pair():
    deciding = compare(outlier(12), deciding="a,b")[0].deciding
    assert (deciding.a, deciding.b, deciding.significant) == ("a", "b", False)
    assert [topic.topic for topic in deciding.decisive] == ["T11"]
    (first,) = deciding.decisive
    without = compare(without_outlier())
    (pair,) = (c for c in without.comparisons if {c.a, c.b} == {"a", "b"})
    assert first.p_without == pair.p_adjusted
    assert first.difference_without == pytest.approx(abs(pair.difference))
    assert first.difference == pytest.approx(-9)


def test_topics_with_equal_gains_are_left_out_in_their_order():
    b = np.arange(10) / 10
    # The differences are 1 up to rounding, which is not the same on every topic.
    matrix = matrix_of(a=b + 1 + np.array([0, 1, 2, 1, 0, 2, 1, 0, 1, 2]) * 2e-16, b=b)
    deciding = compare(matrix, deciding="a,b")[0].deciding
    assert [topic.topic for topic in deciding.topics] == ["T0", "T1", "T2", "T3"]


def test_topics_that_are_equal_do_not_stand_against_the_system_that_is_ahead():
    matrix = matrix_of(a=[1.0, 1, 1, 0, 0, 1], b=[0.0, 0, 0, 0, 0, 1])
    result = compare(matrix, deciding="a,b")
    assert result[0].deciding.topics == ()
    assert "No topic can be left out: too few are against a" in str(result)


def test_equal_means_are_equal_up_to_rounding():
    a, b = [1.4, 2.4, 2.1, 2, 0.1, 0, 0.6, 0], [0.6, 0, 0.1, 1.4, 0, 2.1, 2, 2.4]
    matrix = matrix_of(a=a, b=b)
    (pair,) = compare(matrix)[0].comparisons
    assert pair.difference == 0


def test_effects_keep_their_digits_where_the_spread_is_small():
    spread = np.array([1, -2, 0.5, 2, -1.5])
    matrix = matrix_of(a=spread * 1e-5 + 1, b=np.zeros(5))
    expected = 1 / (1e-5 * spread.std(ddof=1))
    for test, factor in (("permutation", 1), ("mc", 5**0.5)):
        (pair,) = compare(matrix, test=test, statistic="t")[0].comparisons
        assert pair.effect == pytest.approx(expected, rel=1e-10)
        if test == "mc":
            assert pair.statistic == pytest.approx(expected * factor, rel=1e-10)


def test_a_clear_difference_survives(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    write_scores(without_outlier().to_scores(), path)
    assert run(["compare", str(path), "--deciding", "b,a"]) == 0
    assert "It stays significant without the 5 topics that favor a most." in capsys.readouterr().out
    assert run(["compare", str(path), "--deciding", "a,b", "--format", "json"]) == 0
    deciding = json.loads(capsys.readouterr().out)["results"][0]["deciding"]
    gains = [topic["difference"] for topic in deciding["topics"]]
    assert gains == sorted(gains, reverse=True)
    assert (deciding["significant"], deciding["decisive"]) == (True, [])


def test_what_cannot_be_asked():
    scores = outlier(12)
    with pytest.raises(InputError, match="--deciding names a; name two systems"):
        compare(scores, deciding="a")
    with pytest.raises(InputError, match="there is no system 'd'"):
        compare(scores, deciding="a,d")
    with pytest.raises(InputError, match="a and b were not compared; leave out --baseline"):
        compare(scores, deciding="a,b", baseline="c")
    with pytest.raises(InputError, match="--p-best needs a plain comparison"):
        compare(scores, p_best=True, model="lmm")


def binary(a_only, b_only, neither):
    first = [1] * a_only + [0] * (b_only + neither)
    second = [0] * a_only + [1] * b_only + [0] * neither
    return np.column_stack([first, second]).astype(float)


def test_the_note_says_which_p_values_are_exact():
    # 8 against 2 on 10 topics: all topics differ, so p is the exact 2 * P(X <= 2) = 0.109375.
    result = compare(*binary(8, 2, 0).T)
    assert result.p == pytest.approx(0.109375)
    assert any("exact values of McNemar's test, as systems" in note for note in result.notes)
    result = compare(*binary(8, 2, 10).T)
    assert result.p < 0.109375
    assert any("are mid-p values of McNemar's test." in note for note in result.notes)
    both = np.column_stack([binary(8, 2, 0), np.r_[[1.0] * 8, 0, 1]])
    result = compare(matrix_of(a=both[:, 0], b=both[:, 1], c=both[:, 2]))
    assert any("and exact values for 2 pairs that differ" in note for note in result.notes)


@pytest.mark.parametrize("test", ["permutation", "paired-t"])
def test_intervals_of_differences_stay_on_the_scale(test):
    shares_of_two = matrix_of(a=[1, 1, 1, 1, 0.9], b=[0, 0, 0.1, 0, 0], c=[0, 0.9, 0, 0.4, 0.2])
    result = compare(shares_of_two, test=test, correction="holm")
    ends = np.array([(pair.low, pair.high) for pair in result.comparisons])
    assert np.abs(ends).max() == 1
    # Other scores have no such limits.
    wider = compare(replace(shares_of_two, values=10 * shares_of_two.values), test=test)
    assert max(pair.high for pair in wider.comparisons) > 10
