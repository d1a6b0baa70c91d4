"""Correction for the pairs of several measures and tasks together."""

import numpy as np
import pytest

from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison import compare
from pyramidion.comparison._compare import CompareOptions
from pyramidion.comparison._view import compare_matrices, comparison_record
from pyramidion.stats import adjust_p, permute_pairs

SYSTEMS = tuple("vwxyz")


def matrix(measure, seed, *, task="", scale=1.0, topics=None, clusters=()):
    rng = np.random.default_rng(seed)
    names = topics or [f"T{i}" for i in range(16)]
    values = scale * (rng.normal(size=(len(names), 5)) + np.arange(5) / 3)
    return ScoreMatrix(values, names, SYSTEMS, measure=measure, task=task, clusters=clusters)


def corrected(matrices, **options):
    options = {"n_resamples": 499, **options}
    tests = (options.pop("test", "permutation"),)
    found = compare_matrices(matrices, CompareOptions(test=tests, **options))
    return found, np.array([pair.p_adjusted for one in found for pair in one.comparisons])


@pytest.mark.parametrize("correction", ["maxt", "maxt-single"])
@pytest.mark.parametrize("apart", [False, True])
def test_max_t_over_measures_is_that_of_all_columns(correction, apart):
    # The definition: all measures beside each other, topics that a measure lacks as missing.
    other = [f"U{i}" for i in range(16)] if apart else None
    matrices = [matrix("a", 1), matrix("b", 2, scale=1e6, topics=other, task="t")]
    found, adjusted = corrected(matrices, family="measures", correction=correction)
    wide = np.full((32 if apart else 16, 10), np.nan)
    wide[:16, :5] = matrices[0].values
    wide[-16:, 5:] = matrices[1].values / 1e6
    pairs = [
        (5 * n + SYSTEMS.index(pair.a), 5 * n + SYSTEMS.index(pair.b))
        for n, one in enumerate(found)
        for pair in one.comparisons
    ]
    expected = permute_pairs(wide, pairs=pairs, n_resamples=499, rng=0)
    want = expected.p_step_down if correction == "maxt" else expected.p_max_t
    own = np.array([pair.p for one in found for pair in one.comparisons])
    assert adjusted == pytest.approx(np.maximum(own, want))
    _, alone = corrected(matrices, correction=correction)
    assert (adjusted >= alone - 0.05).all()
    assert adjusted.sum() > alone.sum()


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_stepwise_corrections_take_all_pairs(correction):
    found, adjusted = corrected(
        [matrix("a", 1), matrix("b", 2)], family="measures", correction=correction, test="wilcoxon"
    )
    p = [pair.p for one in found for pair in one.comparisons]
    assert adjusted == pytest.approx(adjust_p(p, method=correction))


@pytest.mark.parametrize("test", ["kruskal", "welch", "paired-t", "wilcoxon", "mc", "hb"])
def test_every_test_is_corrected_together(test):
    found, adjusted = corrected([matrix("a", 1), matrix("b", 2)], family="measures", test=test)
    _, alone = corrected([matrix("a", 1), matrix("b", 2)], test=test)
    assert adjusted.sum() > alone.sum()
    if test in ("kruskal", "welch"):
        p = [pair.p for one in found for pair in one.comparisons]
        assert [one.correction for one in found] == ["holm", "holm"]
        assert adjusted == pytest.approx(adjust_p(p))
    for one in found:
        count = sum(pair.p_adjusted <= 0.05 for pair in one.comparisons)
        assert one.counts.significant == count
        letters = {system.system: set(system.group) for system in one.systems}
        for pair in one.comparisons:
            assert letters[pair.a].isdisjoint(letters[pair.b]) == (pair.p_adjusted <= 0.05)
        assert "Corrected for the 20 pairs of 2 measures and tasks together." in one.notes
        assert comparison_record(one)["family"] == "measures"


def test_the_signature_names_the_family():
    scores = Scores.concatenate(matrix(name, 1).to_scores() for name in "ab")
    found = compare(scores, family="measures", n_resamples=499)
    assert "family:measures" in str(found.signature)
    assert "family" not in str(compare(scores, n_resamples=499).signature)


def test_clusters_of_topics_keep_their_signs():
    clusters = [str(i // 2) for i in range(16)]
    matrices = [matrix("a", 1, clusters=clusters), matrix("b", 2, clusters=clusters)]
    for test in ("permutation", "hb", "wilcoxon"):
        found, adjusted = corrected(matrices, family="measures", test=test)
        assert [one.clusters for one in found] == [8, 8]
        assert np.isfinite(adjusted).all()


def test_verdicts_within_a_margin_are_corrected_together():
    matrices = [matrix("a", 1, scale=0.05), matrix("b", 2, scale=0.05)]
    found, _ = corrected(matrices, family="measures", margin=0.2)
    alone, _ = corrected(matrices, margin=0.2)
    pairs, single = ([pair for one in some for pair in one.comparisons] for some in (found, alone))
    assert [pair.p_equivalence_adjusted for pair in pairs] == pytest.approx(
        adjust_p([pair.p_equivalence for pair in pairs])
    )
    assert len(pairs) == len(single)


def test_one_measure_or_no_correction_stays_as_it_is():
    one = [matrix("a", 1)]
    assert corrected(one, family="measures")[0] == corrected(one)[0]
    two = [matrix("a", 1), matrix("b", 2)]
    plain = corrected(two, correction="none")[0]
    assert corrected(two, correction="none", family="measures")[0] == plain
    assert "family" not in comparison_record(plain[0])


def test_resamples_are_raised_for_all_pairs():
    # 20 pairs at .05 need 399; each measure alone 199.
    options = {"correction": "holm", "n_resamples": 19}
    found, _ = corrected([matrix("a", 1), matrix("b", 2)], family="measures", **options)
    assert {one.n_resamples for one in found} == {399}
    assert any(note.endswith("Resamples were raised to 399, as so many pairs require.")
               for note in found[0].notes)  # fmt: skip
