"""Correction for the pairs of several measures and tasks together."""

import numpy as np
import pytest

from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison import compare
from pyramidion.stats import adjust_p, permute_pairs

SYSTEMS = tuple("vwxyz")


def matrix(measure, seed, *, task="", scale=1.0, topics=None):
    rng = np.random.default_rng(seed)
    names = topics or [f"T{i}" for i in range(16)]
    values = scale * (rng.normal(size=(len(names), 5)) + np.arange(5) / 3)
    return ScoreMatrix(values, names, SYSTEMS, measure=measure, task=task)


def corrected(matrices, **options):
    scores = Scores.concatenate(matrix.to_scores() for matrix in matrices)
    result = compare(scores, **{"n_resamples": 499, **options})
    return result, np.array([pair.p_adjusted for pair in pairs_of(result)])


def pairs_of(result):
    return [pair for comparison in result for pair in comparison.comparisons]


@pytest.mark.parametrize("correction", ["maxt", "maxt-single"])
@pytest.mark.parametrize("apart", [False, True])
def test_max_t_over_measures_is_that_of_all_columns(correction, apart):
    # The definition: all measures beside each other, topics that a measure lacks as missing.
    other = [f"U{i}" for i in range(16)] if apart else None
    matrices = [matrix("a", 1), matrix("b", 2, scale=1e6, topics=other, task="t")]
    result, adjusted = corrected(matrices, family="measures", correction=correction)
    wide = np.full((32 if apart else 16, 10), np.nan)
    wide[:16, :5] = matrices[0].values
    wide[-16:, 5:] = matrices[1].values / 1e6
    pairs = [
        (5 * n + SYSTEMS.index(pair.a), 5 * n + SYSTEMS.index(pair.b))
        for n, comparison in enumerate(result)
        for pair in comparison.comparisons
    ]
    expected = permute_pairs(wide, pairs=pairs, n_resamples=499, rng=0)
    p_max_t = expected.p_step_down if correction == "maxt" else expected.p_max_t
    p = np.array([pair.p for pair in pairs_of(result)])
    assert adjusted == pytest.approx(np.maximum(p, p_max_t))
    _, alone = corrected(matrices, correction=correction)
    assert (adjusted >= alone - 0.05).all()
    assert adjusted.sum() > alone.sum()


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_stepwise_corrections_take_all_pairs(correction):
    result, adjusted = corrected(
        [matrix("a", 1), matrix("b", 2)], family="measures", correction=correction, test="wilcoxon"
    )
    p = [pair.p for pair in pairs_of(result)]
    assert adjusted == pytest.approx(adjust_p(p, method=correction))


@pytest.mark.parametrize("test", ["kruskal", "welch", "paired-t", "wilcoxon", "mc", "hb"])
def test_every_test_is_corrected_together(test):
    result, adjusted = corrected([matrix("a", 1), matrix("b", 2)], family="measures", test=test)
    _, alone = corrected([matrix("a", 1), matrix("b", 2)], test=test)
    assert adjusted.sum() > alone.sum()
    if test in ("kruskal", "welch"):
        assert [comparison.correction for comparison in result] == ["holm", "holm"]
        assert adjusted == pytest.approx(adjust_p([pair.p for pair in pairs_of(result)]))
    for comparison, record in zip(result, result.to_dict()["results"], strict=True):
        count = sum(pair.p_adjusted <= 0.05 for pair in comparison.comparisons)
        assert comparison.counts.significant == count
        letters = {system.system: set(system.group) for system in comparison.systems}
        for pair in comparison.comparisons:
            assert letters[pair.a].isdisjoint(letters[pair.b]) == (pair.p_adjusted <= 0.05)
        assert "Corrected for the 20 pairs of 2 measures and tasks together." in comparison.notes
        assert record["family"] == "measures"


def test_the_signature_names_the_family():
    scores = Scores.concatenate(matrix(name, 1).to_scores() for name in "ab")
    result = compare(scores, family="measures", n_resamples=499)
    assert "family:measures" in str(result.signature)
    assert "family" not in str(compare(scores, n_resamples=499).signature)


@pytest.mark.parametrize("test", ["permutation", "hb", "wilcoxon"])
def test_clusters_of_topics_keep_their_signs(test):
    scores = Scores.concatenate([matrix("a", 1).to_scores(), matrix("b", 2).to_scores()])
    documents = [str(int(topic[1:]) // 2) for topic in scores.columns["topic"]]
    clustered = Scores(scores.columns, scores.value, extra={"document": documents})
    options = {"test": test, "n_resamples": 499, "cluster": "document"}
    together, apart = (compare(clustered, family=name, **options) for name in ("measures", "pairs"))
    assert [comparison.clusters for comparison in together] == [8, 8]
    adjusted = [[pair.p_adjusted for pair in pairs_of(result)] for result in (together, apart)]
    assert np.isfinite(adjusted).all()
    assert sum(adjusted[0]) > sum(adjusted[1])


def test_verdicts_within_a_margin_are_corrected_together():
    matrices = [matrix("a", 1, scale=0.05), matrix("b", 2, scale=0.05)]
    pairs = pairs_of(corrected(matrices, family="measures", margin=0.2)[0])
    assert [pair.p_equivalence_adjusted for pair in pairs] == pytest.approx(
        adjust_p([pair.p_equivalence for pair in pairs])
    )
    assert len(pairs) == len(pairs_of(corrected(matrices, margin=0.2)[0]))


def test_one_measure_or_no_correction_stays_as_it_is():
    for matrices, options in (
        ([matrix("a", 1)], {}), ([matrix("a", 1), matrix("b", 2)], {"correction": "none"}),
    ):  # fmt: skip
        plain = corrected(matrices, **options)[0].to_dict()["results"]
        assert corrected(matrices, family="measures", **options)[0].to_dict()["results"] == plain
        assert "family" not in plain[0]


def test_resamples_are_raised_for_all_pairs():
    # 20 pairs at .05 need 399; each measure alone 199.
    options = {"correction": "holm", "n_resamples": 19}
    result, _ = corrected([matrix("a", 1), matrix("b", 2)], family="measures", **options)
    assert {comparison.n_resamples for comparison in result} == {399}
    note = "Resamples were raised to 399 for this number of pairs."
    assert any(line.endswith(note) for line in result[0].notes)
