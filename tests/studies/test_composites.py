"""Principal components of measures, and how well they separate systems."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from meta_evaluation.judging_samples import judged, tables_of
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare
from pyramidion.comparison.measure_tables import meta_tables
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._agreement import VerdictOptions
from pyramidion.stats import two_way_anova
from pyramidion.studies._composite import CompositeOptions, compose, separation
from support import shared_collection


def all_scores(tables):
    return np.stack([tables.truth, *tables.metrics.values()], axis=-1)


def test_components_are_the_eigenvectors_of_the_correlations():
    tables = judged(people=2, seed=1)
    found = compose(tables)
    flat = all_scores(tables).reshape(-1, 3)
    values, vectors = np.linalg.eigh(np.corrcoef(flat.T))
    for number, component in enumerate(found.components):
        assert component.share == pytest.approx(values[-1 - number] / 3)
        assert abs(component.weights @ vectors[:, -1 - number]) == pytest.approx(1)
        own = component.scores.values.ravel()
        # A loading is the correlation with the component, whose variance is the eigenvalue.
        expected = [np.corrcoef(own, column)[0, 1] for column in flat.T]
        assert component.loadings == pytest.approx(expected)
        assert own.var(ddof=1) == pytest.approx(values[-1 - number])
        assert component.loadings.sum() >= 0
    assert sum(component.share for component in found.components) == pytest.approx(1)
    assert found.measures == ("pyramid", "good", "poor")


def test_scale_and_order_change_nothing():
    tables = judged(seed=3)
    first = compose(tables)
    scaled = replace(tables, metrics={n: 1000 * v + 7 for n, v in tables.metrics.items()})
    again = compose(scaled)
    order = np.random.default_rng(1).permutation(len(tables.systems))
    shuffled = compose(
        replace(
            tables,
            systems=tuple(tables.systems[i] for i in order),
            truth=tables.truth[:, order],
            metrics={n: v[:, order] for n, v in reversed(tables.metrics.items())},
        )
    )
    for one, other, third in zip(
        first.components, again.components, shuffled.components, strict=True
    ):
        assert other.share == pytest.approx(one.share)
        assert other.scores.values == pytest.approx(one.scores.values)
        assert third.scores.values == pytest.approx(one.scores.values[:, order])
    counts = [(s.measure, s.significant) for s in first.separations]
    assert counts == [(s.measure, s.significant) for s in again.separations]


def test_topics_can_be_taken_out():
    tables = judged(seed=2)
    found = compose(tables, CompositeOptions(within_topics=True))
    for component in found.components:
        assert component.scores.values.mean(axis=1) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("missing", [False, True])
def test_separation_is_that_of_compare_and_of_the_analysis_of_variance(missing):
    tables = judged(topics=15, machines=5, people=2, seed=6)
    values = tables.truth.copy()
    if missing:
        values[:7, 5] = values[8:, 6] = np.nan
    matrix = ScoreMatrix(values, tables.topics, tables.systems, tables.people, measure="m")
    found = separation(matrix)
    result = compare(matrix, test="wilcoxon", correction="none")
    assert (found.pairs, found.significant) == (result.counts.pairs, result.counts.significant)
    mixed = result.human_machine
    assert (found.human_machine_pairs, found.human_machine_significant) == (
        mixed.pairs,
        mixed.significant,
    )
    expected = two_way_anova(values)
    assert (found.f, found.p) == pytest.approx((expected.first.f, expected.first.p), rel=1e-9)
    assert (found.df, found.residual_df) == (expected.first.df, expected.residual_df)
    strict = separation(
        matrix, VerdictOptions("permutation", correction="maxt", n_test_resamples=999)
    )
    corrected = compare(matrix, n_resamples=999)
    assert strict.significant == corrected.counts.significant


def test_identical_systems_and_no_residuals():
    same = ScoreMatrix(np.tile([[1.0], [2.0], [3.0]], (1, 3)), list("abc"), list("xyz"))
    found = separation(same)
    assert (found.f, found.p, found.significant) == (0.0, 1.0, 0)
    exact = ScoreMatrix(np.arange(3.0)[:, None] + np.arange(3.0), list("abc"), list("xyz"))
    assert np.isnan(separation(exact).f)
    apart = ScoreMatrix([[1, 2, np.nan, np.nan], [np.nan, np.nan, 3, 4]], list("ab"), list("wxyz"))
    assert np.isnan(separation(apart).f)
    assert separation(apart).undefined == 4


def test_incomplete_summaries_and_constant_measures_are_counted():
    tables = judged(machines=6, seed=4)
    tables.metrics["poor"][:, 0] = np.nan
    flat = replace(tables, metrics={**tables.metrics, "flat": np.ones_like(tables.truth)})
    found = compose(flat)
    assert found.measures == ("pyramid", "good", "poor")
    assert found.summaries == 30 * 5
    assert found.left_out == (
        "task A: 30 of 180 summaries, which lack a measure, most often poor",
        "task A: flat: the same for all summaries",
    )
    assert np.isnan(found.components[0].scores.values[:, 0]).all()
    assert len(compose(flat, CompositeOptions(components=1)).components) == 1


def test_dependent_measures_give_fewer_components():
    tables = judged(seed=5)
    doubled = replace(tables, metrics={"twice": 2 * tables.truth, **tables.metrics})
    assert len(compose(doubled).components) == 3


def test_too_little_to_compose():
    manual = np.arange(6.0).reshape(3, 2)
    with pytest.raises(InputError, match="task A: 1 of 2 measures vary; a composite takes two"):
        compose(tables_of(manual, {"flat": np.ones((3, 2))}))
    nowhere = np.full((3, 2), np.nan)
    nowhere[0, 0], manual[0, 0] = 1.0, np.nan
    with pytest.raises(InputError, match="task A: 0 summaries have all 2 measures; leave out"):
        compose(tables_of(manual, {"m": nowhere}))


@pytest.mark.long
def test_summeval():
    """The second component, precision against recall, separates more pairs than any measure."""
    source = shared_collection("data/summeval.jsonl.gz")
    names = [name for name in source.scores.measures if name.startswith("auto-")]
    (tables,) = meta_tables(source.scores, names[0], metrics=names[1:])
    found = compose(tables)
    assert found.summaries == 1600
    assert [round(component.share, 3) for component in found.components[:2]] == [0.675, 0.105]
    second = dict(zip(found.measures, found.components[1].loadings, strict=True))
    assert second["auto-rouge-1-precision"] * second["auto-rouge-1-recall"] < 0
    counts = {one.measure: one.significant for one in found.separations}
    # Pair by pair with SciPy.
    from scipy.stats import wilcoxon

    values = found.components[1].scores.values
    columns = range(values.shape[1])
    p = [
        wilcoxon(values[:, a] - values[:, b], method="approx", correction=False).pvalue
        for a, b in combinations(columns, 2)
    ]
    assert counts["pc2"] == sum(value <= 0.05 for value in p) == 103
    assert counts["pc2"] == max(counts.values())
