"""Principal components of measures, and how well they separate systems."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from meta_evaluation.judging_samples import as_scores, judged, tables_of
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison import compare
from pyramidion.errors import InputError
from pyramidion.stats import two_way_anova
from pyramidion.studies import composite
from support import shared_collection


def compose(tables, **options):
    [pca] = composite(as_scores(tables), **options)
    return pca


def test_components_are_the_eigenvectors_of_the_correlations():
    tables = judged(people=2, seed=1)
    pca = compose(tables)
    assert pca.measures == ("good", "poor", "pyramid")
    flat = np.stack([*tables.metrics.values(), tables.truth], axis=-1).reshape(-1, 3)
    values, vectors = np.linalg.eigh(np.corrcoef(flat.T))
    for number, component in enumerate(pca.components):
        assert component.share == pytest.approx(values[-1 - number] / 3)
        assert abs(component.weights @ vectors[:, -1 - number]) == pytest.approx(1)
        scores = component.scores.values.ravel()
        # A loading is the correlation with the component, whose variance is the eigenvalue.
        expected = [np.corrcoef(scores, column)[0, 1] for column in flat.T]
        assert component.loadings == pytest.approx(expected)
        assert scores.var(ddof=1) == pytest.approx(values[-1 - number])
        assert component.weights.sum() > 0
    assert sum(component.share for component in pca.components) == pytest.approx(1)


def test_components_are_named_above_their_columns():
    result = composite(as_scores(judged(people=2, seed=1)))
    chart = next(chart for chart in result.charts if chart.kind == "loadings")
    marks = chart.draw().marks
    names = [component.name for component in result[0].components]
    heads = {mark.text: mark.x for mark in marks if getattr(mark, "text", "") in names}
    loadings = result[0].components[0].loadings
    numbers = [f"{value:.2f}".replace("0.", ".").replace("-", "−") for value in loadings]
    column = {mark.x for mark in marks if getattr(mark, "text", "") in numbers}
    assert heads[names[0]] == pytest.approx(min(column))
    places = [heads[name] for name in names]
    assert np.diff(places) == pytest.approx(np.full(len(names) - 1, 0.55))


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
    for component, rescaled, reordered in zip(
        first.components, again.components, shuffled.components, strict=True
    ):
        assert rescaled.share == pytest.approx(component.share)
        assert rescaled.scores.values == pytest.approx(component.scores.values)
        systems = [reordered.scores.systems.index(name) for name in component.scores.systems]
        assert reordered.scores.values[:, systems] == pytest.approx(component.scores.values)
    counts = [(row.measure, row.significant) for row in first.separations]
    assert counts == [(row.measure, row.significant) for row in again.separations]


def test_topics_can_be_taken_out():
    tables = judged(seed=2)
    pca = compose(tables, within_topics=True)
    for component in pca.components:
        assert component.scores.values.mean(axis=1) == pytest.approx(0, abs=1e-9)
    assert "centered:topics" in str(composite(as_scores(tables), within_topics=True).signature)


@pytest.mark.parametrize("missing", [False, True])
def test_separation_is_that_of_compare_and_of_the_analysis_of_variance(missing):
    tables = judged(topics=15, machines=5, people=2, seed=6)
    if missing:
        tables.truth[:7, 5] = tables.truth[8:, 6] = np.nan
    values, names = tables.truth, ("good", "poor", "pyramid")
    matrix = ScoreMatrix(values, tables.topics, tables.systems, tables.people, measure="m")
    pca = compose(tables)
    assert [row.measure for row in pca.separations] == ["pc1", "pc2", "pc3", *names]
    row = pca.separations[-1]
    result = compare(matrix, test="wilcoxon", correction="none")
    assert (row.pairs, row.significant) == (result.counts.pairs, result.counts.significant)
    mixed = result.human_machine
    assert (row.human_machine_pairs, row.human_machine_significant) == (
        mixed.pairs,
        mixed.significant,
    )
    expected = two_way_anova(values)
    assert (row.f, row.p) == pytest.approx((expected.first.f, expected.first.p), rel=1e-9)
    assert (row.df, row.residual_df) == (expected.first.df, expected.residual_df)
    assert row.pairs + row.undefined == 21
    strict = compose(tables, test="permutation", correction="maxt", n_test_resamples=999)
    corrected = compare(matrix, n_resamples=999)
    assert strict.separations[-1].significant == corrected.counts.significant


def separations(**measures):
    tables = tables_of(np.arange(12.0).reshape(3, 4) ** 2 % 7, measures)
    return {row.measure: row for row in compose(tables).separations}


def test_identical_systems_and_no_residuals():
    same = np.tile([[1.0], [2.0], [3.0]], (1, 4))
    exact = np.arange(3.0)[:, None] + np.arange(4.0)
    rows = separations(same=same, exact=exact)
    assert (rows["same"].f, rows["same"].p, rows["same"].significant) == (0.0, 1.0, 0)
    assert np.isnan(rows["exact"].f)
    assert (rows["exact"].df, rows["exact"].residual_df) == (3, 6)


def test_systems_without_common_topics_have_no_f():
    apart = np.array([[1, 2, np.nan, np.nan], [np.nan, np.nan, 3, 4], [3, 5, np.nan, np.nan]])
    row = separations(apart=apart)["apart"]
    assert np.isnan(row.f)
    assert (row.pairs, row.undefined) == (2, 4)


def test_incomplete_summaries_and_constant_measures_are_counted():
    tables = judged(machines=6, seed=4)
    tables.metrics["poor"][:, 0] = np.nan
    flat = replace(tables, metrics={**tables.metrics, "flat": np.ones_like(tables.truth)})
    pca = compose(flat)
    assert pca.measures == ("good", "poor", "pyramid")
    assert pca.summaries == 30 * 5
    assert pca.left_out == (
        "task A: 30 of 180 summaries, which lack a measure, most often poor",
        "task A: flat: the same for all summaries",
    )
    assert np.isnan(pca.components[0].scores.values[:, 0]).all()
    assert len(compose(flat, components=1).components) == 1


def test_dependent_measures_give_fewer_components():
    tables = judged(seed=5)
    doubled = replace(tables, metrics={"twice": 2 * tables.truth, **tables.metrics})
    assert len(compose(doubled).components) == 3


def test_lower_is_better():
    tables = judged(seed=5)
    pca = compose(tables, lower_is_better="good")
    assert pca.negated == ("good",)
    loadings = dict(zip(pca.measures, pca.components[0].loadings, strict=True))
    assert loadings["good"] * loadings["pyramid"] < 0


def test_scores_of_components_are_measures():
    tables = judged(seed=5)
    result = composite(as_scores(replace(tables, collection="2008")))
    assert isinstance(result.scores, Scores)
    assert result.scores.measures == ("pc1", "pc2", "pc3")
    assert result.scores.distinct("collection") == ("2008",)
    assert len(result.to_scores()) == 3 * tables.truth.size


def test_too_little_to_compose():
    manual = np.arange(6.0).reshape(3, 2)
    with pytest.raises(InputError, match="task A: 1 of 2 measures vary; a composite needs two"):
        compose(tables_of(manual, {"flat": np.ones((3, 2))}))
    few = np.full((3, 2), np.nan)
    few[0, 0], few[1, 1], manual[0, 0] = 1.0, 2.0, np.nan
    with pytest.raises(InputError, match="task A: 1 summaries have all 2 measures; leave out"):
        compose(tables_of(manual, {"m": few}))


@pytest.mark.long
def test_summeval():
    """The second component, precision against recall, separates more pairs than any measure."""
    source = shared_collection("data/summeval.jsonl.gz")
    names = [name for name in source.scores.measures if name.startswith("auto-")]
    [pca] = composite(source, measures=names)
    assert pca.summaries == 1600
    assert [round(component.share, 3) for component in pca.components[:2]] == [0.675, 0.105]
    second = dict(zip(pca.measures, pca.components[1].loadings, strict=True))
    assert second["auto-rouge-1-precision"] * second["auto-rouge-1-recall"] < 0
    counts = {row.measure: row.significant for row in pca.separations}
    # Pair by pair with SciPy.
    from scipy.stats import wilcoxon

    values = pca.components[1].scores.values
    columns = range(values.shape[1])
    p = [
        wilcoxon(values[:, a] - values[:, b], method="approx", correction=False).pvalue
        for a, b in combinations(columns, 2)
    ]
    assert counts["pc2"] == sum(value <= 0.05 for value in p) == 103
    assert counts["pc2"] == max(counts.values())


@pytest.mark.parametrize(("measures", "more"), [(8, ""), (9, " 1 more"), (10, " 2 more")])
def test_eight_components_are_shown_and_more_are_hinted_at(measures, more):
    rng = np.random.default_rng(4)
    metrics = {f"m{n}": rng.normal(size=(8, 5)) for n in range(measures - 1)}
    result = composite(as_scores(tables_of(rng.normal(size=(8, 5)), metrics)))
    [table] = [table for table in result.tables if table.name == "loadings"]
    assert len(table.columns) == 1 + 8
    assert (f"{more} components are in the JSON" in table.note) == bool(more)


def test_correlations_of_every_two_measures():
    """By hand: means of three machines 1, 2, 3 and 1, 3, 2 correlate with 0.5."""
    values = {"content": (1, 2, 3, 9), "form": (1, 3, 2, 9)}
    scores = Scores.concatenate(
        ScoreMatrix(
            np.add.outer([-0.5, 0.5], row), ["T1", "T2"], ["1", "2", "3", "A"],
            np.array([False, False, False, True]), measure=name,
        ).to_scores()
        for name, row in values.items()
    )  # fmt: skip
    result = composite(scores, correlations=True)
    machines, everyone = result[0].correlations
    assert (machines.peers, machines.systems, everyone.peers, everyone.systems) == (
        "machines", 3, "all", 4,
    )  # fmt: skip
    assert machines.values == pytest.approx(np.array([[1, 0.5], [0.5, 1]]))
    # Deviations -2.75, -1.75, -0.75, 5.25 and -2.75, -0.75, -1.75, 5.25.
    assert everyone.values[0, 1] == pytest.approx(37.75 / 38.75)
    assert result.record(result[0])["correlations"][0]["content"]["form"] == pytest.approx(0.5)
    plain = composite(scores)
    assert "correlations" not in plain.record(plain[0])
