"""Tests by the number of topics: `study tests`."""

from dataclasses import replace

import numpy as np
import pytest

from pyramidion import compare
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.errors import InputError
from pyramidion.studies import topic_tests


@pytest.fixture
def matrix():
    values = np.random.default_rng(4).normal(size=(30, 6)) + np.arange(6) / 3
    return ScoreMatrix(values, [f"T{n}" for n in range(30)], list("uvwxyz"), measure="quality")


def test_all_topics_give_what_compare_gives(matrix):
    tests = ("unpaired-t", "paired-t", "wilcoxon", "permutation")
    (row,) = topic_tests(matrix.to_scores(), topics=30)
    assert (row.topics, row.samples, row.pairs) == (30, 1, 15)
    compared = compare(matrix, test=tests, correction="none", n_resamples=2000)
    counts = {c.test: c.counts.significant_uncorrected / 15 for c in compared}
    assert row.significant == counts
    verdicts = {c.test: {(p.a, p.b): p.p <= 0.05 for p in c.comparisons} for c in compared}
    t, w = ({frozenset(pair): said for pair, said in verdicts[name].items()} for name in tests[1:3])
    same = np.mean([t[pair] == w[pair] for pair in t])
    assert row.agreement["paired-t, wilcoxon"] == pytest.approx(same)


def test_fewer_topics_show_less(matrix):
    result = topic_tests(matrix.to_scores(), test="paired-t,permutation", samples=10)
    assert [row.topics for row in result] == [5, 10, 15, 20, 30]
    shares = [row.significant["paired-t"] for row in result]
    assert shares[0] < shares[2] < shares[4]
    # Of the 32 signs of five differences two are as extreme at least: p is 2/32 or more.
    assert result[0].significant["permutation"] == 0
    assert result[0].agreement["paired-t, permutation"] == pytest.approx(1 - shares[0])
    assert result.chart_kinds == ("significant", "agreement")
    assert ">paired-t, permutation<" in result.plot("agreement").to_svg()
    frame = result.to_frame("agreement", library="pandas")
    assert frame["paired_t_permutation"].tolist() == [
        row.agreement["paired-t, permutation"] for row in result
    ]


def test_more_topics_than_there_are(matrix):
    result = topic_tests(matrix.to_scores(), topics="10,40", test="paired-t", samples=2)
    assert [row.topics for row in result] == [10]
    assert "quality: 40 topics, since only 30 have scores" in result.left_out
    with pytest.raises(InputError, match="no measure has 40 topics and two systems"):
        topic_tests(matrix.to_scores(), topics=40)


def test_measures_with_too_few_topics_are_listed(matrix):
    few = replace(matrix.take(topics=["T1", "T2"]), measure="few")
    both = Scores.concatenate([matrix.to_scores(), few.to_scores()])
    result = topic_tests(both, test="paired-t", samples=2)
    assert {row.measure for row in result} == {"quality"}
    assert "few: 6 systems, 2 topics" in result.left_out


def test_seeds_draw_other_topics(matrix):
    options = {"topics": 8, "test": "paired-t", "samples": 3}
    first, again, other = (
        topic_tests(matrix.to_scores(), seed=seed, **options)[0] for seed in (1, 1, 2)
    )
    assert first == again
    assert first.significant != other.significant
