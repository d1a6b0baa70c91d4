"""The parts of a comparison, worked by hand."""

import numpy as np
import pytest

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare, report

FIVE = np.array([[3.0, 1.0], [4.0, 2.0], [5.0, 3.5], [2.0, 2.5], [4.0, 1.5]])
OF_MEANS = [{}, {"test": "mc", "statistic": "t", "n_resamples": 99}, {"test": "paired-t"}]


def matrix_of(values, systems="xyz", **options):
    values = np.array(values, dtype=float)
    topics = [f"T{row}" for row in range(len(values))]
    names = list(systems[: values.shape[1]])
    return ScoreMatrix(values, topics, names, **{"measure": "m", **options})


@pytest.mark.parametrize("options", OF_MEANS)
def test_a_difference_in_standard_deviations(options):
    # Differences 2, 3 and 4: their mean is 3, their standard deviation 1.
    values = np.array([[3.0, 1.0], [5.0, 2.0], [4.0, 0.0]])
    assert compare(matrix_of(values), **options).pair.effect == pytest.approx(3)
    assert compare(matrix_of(values[:, [0, 0]]), **options).pair.effect == 0
    constant = compare(matrix_of([[2.0, 1.0], [3.0, 2.0]]), **options)
    assert not np.isfinite(constant.pair.effect)


def test_all_signs_of_five_differences():
    # Of 32 signs, 2 give a sum of differences as great as all but -0.5 positive, 2 a greater one.
    assert compare(matrix_of(FIVE)).p == 4 / 32
    # A third system makes max-T of t the permutation test of both pairs, of which this is larger.
    three = np.column_stack([FIVE, FIVE[:, 1] + [0.1, -0.1, 0.2, -0.2, 0.1]])
    result = compare(matrix_of(three), test="paired-t", correction="maxt-single")
    assert min(pair.p_adjusted for pair in result.comparisons) >= 4 / 32


@pytest.mark.parametrize(
    ("shared", "note"),
    [
        (1, "fewer than two shared topics"),
        (2, "2 shared topics are too few for max-T"),
        (4, "4 shared topics are too few for max-T"),
        (5, ""),
    ],
)
def test_few_shared_topics_are_reported(shared, note):
    # The third system has all topics, so that there are several pairs to correct for.
    values = np.column_stack([FIVE, FIVE.sum(axis=1)])
    values[shared:, 0] = np.nan
    result = compare(matrix_of(values), test="mc", n_resamples=99)
    (pair,) = (pair for pair in result.comparisons if {pair.a, pair.b} == {"x", "y"})
    assert pair.note == note
    assert np.isnan(pair.p_adjusted) == bool(note)


@pytest.mark.parametrize("last", [2, 3])
def test_systems_are_ranked_by_their_means_ties_in_their_order(last):
    result = compare(matrix_of([[1, 3, last], [1, 3, last]]))
    assert [system.system for system in result.systems] == ["y", "z", "x"]
    assert [system.rank for system in result.systems] == [1, 2 if last == 2 else 1, 3]


def test_tiers_end_where_all_differ():
    noise = np.random.default_rng(1).normal(size=(12, 3))
    close = compare(matrix_of(noise + np.array([5, 4.9, 0])), correction="none")
    assert [system.cluster for system in close.systems] == [1, 1, 2]
    apart = compare(matrix_of(noise + np.array([20, 10, 0])), correction="none")
    assert [system.cluster for system in apart.systems] == [1, 2, 3]


def test_figures_describe_the_method_and_mark_people():
    options = {"test": "hb", "correction": "holm", "n_resamples": 2000}
    method = "bootstrap test of |W|, 2,000 resamples, Holm correction, α = 0.05"
    for people, suffix in ((np.array([True, False]), "; people in bold"), (np.zeros(2, bool), "")):
        result = compare(matrix_of(FIVE, human=people), **options)
        (chart,) = (chart for chart in result.charts if chart.kind == "pairs")
        assert chart.draw().note.endswith(f"; {method}{suffix}")


@pytest.mark.parametrize(
    ("options", "cited"),
    [
        ({"test": "paired-t", "correction": "none"}, ["Student. The probable error of a mean."]),
        ({"test": "wilcoxon", "correction": "holm"}, ["F. Wilcoxon.", "S. Holm."]),
        ({"test": "hb", "correction": "bh"}, ["P. J. Bickel", "P. Rankel", "Y. Benjamini"]),
        ({"test": "permutation"}, ["R. A. Fisher.", "P. H. Westfall"]),
    ],
)
def test_the_method_text_cites_its_sources(options, cited):
    method = report(matrix_of(FIVE), **options).to_html().partition("Each pair of systems")[2]
    assert method.startswith(" was compared on the topics for which both have a score")
    assert "alpha = 0.05" in method
    sources = ["Student. The", "F. Wilcoxon.", "S. Holm.", "P. J. Bickel", "P. Rankel",
               "Y. Benjamini", "R. A. Fisher.", "P. H. Westfall"]  # fmt: skip
    assert [name for name in sources if name in method] == [
        name for name in sources if any(source.startswith(name) for source in cited)
    ]
    assert "N. J. Johnson." in method


TESTS = ("permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal")
TWO = np.array([0.1, 0.11, 0.09, 0.12, 0.1])[:, None] * [1, 0] + [[0], [1], [2], [3], [4]]


@pytest.mark.parametrize("topics", [3, 5])
@pytest.mark.parametrize("correction", ["maxt", "maxt-single", "holm", "bh", "none"])
@pytest.mark.parametrize("test", TESTS)
def test_one_pair_needs_no_correction(test, correction, topics):
    result = compare(matrix_of(TWO[:topics]), test=test, correction=correction)
    assert 0 < result.pair.p == pytest.approx(result.pair.p_adjusted, rel=1e-9)
    assert "could not be tested" not in result.conclusion


@pytest.mark.parametrize("test", TESTS[:3])
def test_one_pair_that_shares_topics_needs_no_correction(test):
    values = np.column_stack([TWO, np.full(5, np.nan)])
    values = np.vstack([values, [np.nan, np.nan, 1], [np.nan, np.nan, 2]])
    (tested,) = (pair for pair in compare(matrix_of(values), test=test).comparisons if pair.n)
    assert tested.p_adjusted == tested.p


@pytest.mark.parametrize("test", ["wilcoxon", "mc", "hb"])
def test_pairs_with_too_few_topics_for_max_t_say_so(test):
    values = np.column_stack([TWO[:3], [3.0, 1.0, 2.0]])
    for pair in compare(matrix_of(values), test=test).comparisons:
        assert not np.isnan(pair.p)
        assert np.isnan(pair.p_adjusted)
        assert pair.note == "3 shared topics are too few for max-T"
