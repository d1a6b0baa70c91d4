"""The parts of a comparison, worked by hand."""

import numpy as np
import pytest

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare
from pyramidion.comparison._charts import method_note, people_note
from pyramidion.comparison._compare import (
    ResamplingOptions,
    apply_test,
    max_t,
)
from pyramidion.comparison._page import method_text
from pyramidion.comparison._result import (
    ComparisonResult,
    PairCounts,
    Ranking,
    SystemResult,
    clusters,
)

FIVE = np.array([[3.0, 1.0], [4.0, 2.0], [5.0, 3.5], [2.0, 2.5], [4.0, 1.5]])
PAIR = np.array([[0, 1]])


def test_a_difference_in_standard_deviations():
    # Differences 2, 3 and 4: their mean is 3, their standard deviation 1.
    values = np.array([[3.0, 1.0], [5.0, 2.0], [4.0, 0.0]])
    for test, options in (
        ("permutation", ResamplingOptions()), ("mc", ResamplingOptions(99, "t")),
        ("paired-t", ResamplingOptions()),
    ):  # fmt: skip

        def effect(values, test=test, options=options):
            return apply_test(values, PAIR, test, options).effect[0]

        assert effect(values) == pytest.approx(3)
        assert effect(values[:, [0, 0]]) == 0
        assert np.isnan(effect(values[:1]))
        assert not np.isfinite(effect(np.array([[2.0, 1.0], [3.0, 2.0]])))


def test_all_signs_of_five_differences():
    # Of 32 signs, 2 give a sum of differences as great as all but -0.5 positive, 2 a greater one.
    assert apply_test(FIVE, PAIR, "permutation", ResamplingOptions()).p.tolist() == [4 / 32]
    assert max_t(FIVE, PAIR, "paired-t", ResamplingOptions()).p_max_t.tolist() == [4 / 32]


@pytest.mark.parametrize(
    ("shared", "note"),
    [
        (1, "fewer than two shared topics"),
        (2, "2 shared topics are too few for max-T"),
        (4, "4 shared topics are too few for max-T"),
        (5, ""),
    ],
)
def test_few_shared_topics_are_told(shared, note):
    values = FIVE.copy()
    values[shared:, 0] = np.nan
    found = apply_test(values, PAIR, "mc", ResamplingOptions(n_resamples=99))
    assert found.notes == (note,)
    assert np.isnan(found.p_max_t).tolist() == [bool(note)]


def test_systems_stand_by_their_means():
    assert Ranking.of(ScoreMatrix([[1, 3, 2]], ["T1"], ["x", "y", "z"])).order == [1, 2, 0]
    assert Ranking.of(ScoreMatrix([[1, 3, 3]], ["T1"], ["x", "y", "z"])).order == [1, 2, 0]


def test_clusters_end_where_all_differ():
    apart = [("x", "z"), ("z", "y")]
    assert clusters(["x", "y", "z"], apart) == {"x": 1, "y": 1, "z": 2}
    assert clusters(["x", "y"], ([])) == {"x": 1, "y": 1}


def test_what_figures_say_of_the_method():
    none = PairCounts(0, 0, 0)
    result = ComparisonResult("m", "", "hb", 0.05, "holm", "w", 2000, none, none, (), ())
    assert method_note(result) == (
        "bootstrap test of |W|, 2,000 resamples, Holm correction, α = 0.05"
    )
    assert people_note([SystemResult("A", "human", 1, 1, 1, 1, 1, "a")]) == "; people in bold"
    assert people_note([]) == ""


@pytest.mark.parametrize(
    ("asked", "cited"),
    [
        ({"test": "paired-t", "correction": "none"}, ["Student. The probable error of a mean."]),
        ({"test": "wilcoxon", "correction": "holm"}, ["F. Wilcoxon.", "S. Holm."]),
        ({"test": "hb", "correction": "bh"}, ["P. J. Bickel", "P. Rankel", "Y. Benjamini"]),
        ({"test": "permutation"}, ["R. A. Fisher.", "P. H. Westfall"]),
    ],
)
def test_the_method_in_words_cites_what_it_rests_on(asked, cited):
    matrix = ScoreMatrix(FIVE, list("abcde"), ["x", "y"], measure="m")
    told = list(method_text(compare(matrix, **asked).values))
    assert told[0].startswith("Each pair of systems was compared on the topics that both have")
    assert "alpha = 0.05" in told[2]
    cited = [*cited, "N. J. Johnson."]
    for text, source in zip(told[3:], cited, strict=True):
        assert text.startswith(source)


TESTS = ("permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal")
ONE = np.array([0.1, 0.11, 0.09, 0.12, 0.1])[:, None] * [1, 0] + [[0], [1], [2], [3], [4]]


@pytest.mark.parametrize("topics", [3, 5])
@pytest.mark.parametrize("correction", ["maxt", "maxt-single", "holm", "bh", "none"])
@pytest.mark.parametrize("test", TESTS)
def test_one_pair_needs_no_correction(test, correction, topics):
    one = ScoreMatrix(ONE[:topics], [f"T{i}" for i in range(topics)], ["x", "y"], measure="m")
    result = compare(one, test=test, correction=correction)
    assert 0 < result.pair.p == pytest.approx(result.pair.p_adjusted, rel=1e-9)
    assert "could not be tested" not in result.conclusion


@pytest.mark.parametrize("test", TESTS[:3])
def test_one_pair_that_shares_topics_needs_no_correction(test):
    values = np.column_stack([ONE, np.full(5, np.nan)])
    values = np.vstack([values, [np.nan, np.nan, 1], [np.nan, np.nan, 2]])
    parts = ScoreMatrix(values, [f"T{i}" for i in range(7)], ["x", "y", "z"], measure="m")
    (tested,) = (pair for pair in compare(parts, test=test).comparisons if pair.n)
    assert tested.p_adjusted == tested.p


@pytest.mark.parametrize("test", ["wilcoxon", "mc", "hb"])
def test_pairs_with_too_few_topics_for_max_t_say_so(test):
    values = np.column_stack([ONE[:3], [3.0, 1.0, 2.0]])
    few = ScoreMatrix(values, ["T1", "T2", "T3"], ["x", "y", "z"], measure="m")
    for pair in compare(few, test=test).comparisons:
        assert not np.isnan(pair.p)
        assert np.isnan(pair.p_adjusted)
        assert pair.note == "3 shared topics are too few for max-T"
