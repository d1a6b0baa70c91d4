"""What leaving out the worst assessors changes."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from judges.assessor_samples import judged, renamed, tac_year
from pyramidion.collection import Judgment, Scores
from pyramidion.comparison.measure_tables import meta_tables
from pyramidion.errors import NotFoundError
from pyramidion.judges._consistency import assessor_consistency
from pyramidion.judges._impact import (
    JudgedCells,
    WorstFirst,
    assessor_impact,
    metric_measures,
    worst_by_alpha,
    worst_by_difference,
    worst_of_years,
)
from pyramidion.judges._panel import StudyOptions, gather_panel
from pyramidion.judges._severity import AssessorDifference
from pyramidion.stats import pearson, spearman

ALPHA = WorstFirst("alpha", ("D", "C", "B", "A"), (0.1, 0.2, 0.3, 0.4))


@pytest.fixture(scope="module")
def year():
    return tac_year(seed=1)


@pytest.fixture(scope="module")
def panel(year):
    return gather_panel([year])


def means_without(year, measure, left_out, *, task=None, machines=True):
    """Average over the topics of other assessors, in a plain loop."""
    judge = {topic.id: topic.assessor for topic in year.topics}
    values: dict[str, list[float]] = {}
    for row in year.scores:
        if (
            row.measure == measure
            and judge[row.topic] not in left_out
            and task in (None, row.task)
            and (row.kind == "machine" or not machines)
        ):
            values.setdefault(row.system, []).append(row.value)
    return {system: np.mean(own) for system, own in values.items()}


# Who is the worst


def test_the_worst_by_alpha_have_the_lowest(panel):
    found = list(assessor_consistency(panel, StudyOptions(n_resamples=20)))
    worst = worst_by_alpha(found, "2011", "readability")
    alphas = {
        own.assessor: own.alpha.value
        for own in found
        if own.measure == "readability" and own.assessor
    }
    assert list(worst.assessors) == sorted(alphas, key=alphas.get)
    assert worst.assessors[0] == "D"
    assert list(worst.values) == sorted(alphas.values())


def test_assessors_without_pairs_are_never_left_out():
    panel = gather_panel([judged([("T1", "7", "K", 4), ("T2", "7", "L", 4)])])
    worst = worst_by_alpha(assessor_consistency(panel), "2011", "readability")
    assert (worst.assessors, worst.unknown) == ((), ("K", "L"))


def test_the_worst_by_difference_have_the_lowest():
    found = [
        AssessorDifference("2011", name, 5, 100, 0.4, 0.4 - d, d, np.nan, np.nan)
        for name, d in (("K", 0.1), ("L", -0.2), ("M", 0.0))
    ]
    worst = worst_by_difference(found, "2011", ["K", "L", "M", "N"])
    assert (worst.assessors, worst.unknown) == (("L", "M", "K"), ("N",))


def test_years_that_cannot_be_pooled_are_averaged():
    years = [
        WorstFirst("alpha", ("K", "L"), (0.2, 0.4), ("M",)),
        WorstFirst("alpha", ("L", "K"), (0.1, 0.9)),
    ]
    worst = worst_of_years(years)
    assert (worst.assessors, worst.unknown) == (("L", "K"), ("M",))
    assert worst.values == pytest.approx((0.25, 0.55))


# Rankings


@pytest.mark.parametrize("task", [None, "A", "B"])
@pytest.mark.parametrize("peers", ["all", "machines"])
def test_rankings_are_those_of_the_other_topics(year, panel, task, peers):
    found = assessor_impact(panel, "2011", "readability", ALPHA, task=task, peers=peers)
    assert [step.left_out for step in found.steps] == [(), ("D",), ("D", "C"), ("D", "C", "B")]
    options = {"task": task, "machines": peers == "machines"}
    full = means_without(year, "readability", (), **options)
    for number, step in enumerate(found.steps):
        own = means_without(year, "readability", step.left_out, **options)
        pairs = np.array([(full[system], own[system]) for system in full]).T
        assert step.pearson == pytest.approx(pearson(*pairs).value)
        assert step.spearman == pytest.approx(spearman(*pairs).value)
        assert step.topics == (16 - 4 * number) * (2 if task is None else 1)
        assert step.systems == (10 if peers == "machines" else 12)


def test_assessors_of_the_same_summaries_are_left_out_without_their_topics():
    rows = [
        (f"T{n}", s, who, v)
        for n in range(2)
        for who, values in (("K", (1, 2, 3)), ("L", (3, 2, 2)))
        for s, v in zip("789", values, strict=True)
    ]
    panel = gather_panel([judged(rows)])
    worst = WorstFirst("alpha", ("L", "K"), (0.1, 0.2))
    full, step = assessor_impact(panel, "2011", "readability", worst).steps
    assert (full.topics, step.topics) == (2, 2)
    # All: 2, 2, 2.5; K alone: 1, 2, 3.
    assert step.pearson == pytest.approx(pearson([2, 2, 2.5], [1, 2, 3]).value)


def test_chance_is_every_other_choice(year, panel):
    found = assessor_impact(panel, "2011", "readability", ALPHA)
    full = means_without(year, "readability", ())
    for size, step in enumerate(found.steps):
        if not size:
            assert step.chance is None
            continue
        values = []
        for choice in combinations("ABCD", size):
            own = means_without(year, "readability", choice)
            values.append(pearson(list(full.values()), [own[s] for s in full]).value)
        assert step.chance.choices == len(values)
        assert step.chance.pearson == pytest.approx(np.mean(values))
        assert step.chance.lower == pytest.approx(np.mean(np.array(values) <= step.pearson + 1e-9))


@pytest.mark.long
def test_many_assessors_are_drawn_from():
    rng = np.random.default_rng(0)
    names = [f"J{n}" for n in range(14)]
    rows = [(f"T{n}", s, who, rng.integers(1, 6)) for n, who in enumerate(names) for s in "789"]
    worst = WorstFirst("alpha", tuple(names), tuple(np.arange(14.0).tolist()))
    panel = gather_panel([judged(rows)])
    found = assessor_impact(panel, "2011", "readability", worst, max_excluded=5)
    assert [step.chance.choices for step in found.steps[1:]] == [14, 91, 364, 500, 500]
    again = assessor_impact(panel, "2011", "readability", worst, max_excluded=5)
    assert again.steps == found.steps


def test_systems_with_equal_means_have_no_ranking():
    rows = [(t, s, who, 4) for t, who in (("T1", "K"), ("T2", "L")) for s in "78"]
    worst = WorstFirst("alpha", ("K",), (0.1,))
    found = assessor_impact(gather_panel([judged(rows)]), "2011", "readability", worst)
    assert np.isnan(found.steps[1].pearson)
    assert found.steps[1].undefined == "all systems have the same mean"


def test_a_system_on_the_left_out_topics_only():
    rows = [("T1", "7", "K", 4), ("T2", "8", "L", 4)]
    worst = WorstFirst("alpha", ("K",), (0.1,))
    found = assessor_impact(gather_panel([judged(rows)]), "2011", "readability", worst)
    assert found.steps[1].undefined == "1 systems have means before and after"


def test_relabelling_changes_nothing(year, panel):
    systems = sorted({text.system for text in year.summaries})
    called = dict(zip(systems, reversed(systems), strict=True))
    topics = {topic.id: f"n{number}" for number, topic in enumerate(reversed(year.topics))}
    other = gather_panel([renamed(year, systems=called, topics=topics, order=7)])
    one, two = (
        assessor_impact(which, "2011", "readability", ALPHA, metrics=["rouge-2-r"])
        for which in (panel, other)
    )
    for a, b in zip(one.steps, two.steps, strict=True):
        assert [a.pearson, a.spearman, a.topics] == pytest.approx([b.pearson, b.spearman, b.topics])
        assert a.metrics[0].summary_level == pytest.approx(b.metrics[0].summary_level)


def test_judgments_of_some_assessors_are_averaged():
    columns = {"topic": ["T1", "T1", "T2", "T2", "T2"], "system": ["7", "8", "7", "8", "8"]}
    columns |= {"kind": ["machine"] * 5, "assessor": ["K", "K", "L", "L", "K"]}
    cells = JudgedCells.of(Scores(columns, [2, 4, 3, 3, 6]))
    assert cells.by(["K", "L"]).tolist() == [[2, 4], [3, 4.5]]
    np.testing.assert_equal(cells.by(["K"]), [[2, 4], [np.nan, 6]])
    # Scores of other topics and systems have no cell.
    more = {"topic": ["T2", "T3", "T1"], "system": ["8", "7", "9"], "kind": ["machine"] * 3}
    np.testing.assert_equal(cells.spread(Scores(more, [0.5, 1, 1])), [[np.nan] * 2, [np.nan, 0.5]])


# Metrics


def test_a_bare_name_of_rouge_is_its_f():
    rows = [("T1", "7", "K", 4), *(Judgment("T1", "7", m, 0.1) for m in ("rouge-2-f", "tokens"))]
    panel = gather_panel([judged(rows)])
    assert metric_measures(panel) == ("rouge-2-f",)
    assert metric_measures(panel, ["rouge-2", "tokens"]) == ("rouge-2-f", "tokens")


def test_metrics_are_what_nobody_judged(panel):
    assert metric_measures(panel) == ("rouge-2-r",)
    with pytest.raises(NotFoundError, match="there is no measure 'bleu'"):
        metric_measures(panel, ["bleu"])


def test_metrics_before_are_those_of_meta(year, panel):
    """Nobody left out: the correlation of system means that `pyramidion meta` computes."""
    found = assessor_impact(
        panel, "2011", "readability", ALPHA, task="A", peers="all", metrics=["rouge-2-r"]
    )
    (tables,) = meta_tables(year.scores, "readability", metrics=["rouge-2-r"], tasks=["A"])
    means = tables.truth.mean(axis=0), tables.metrics["rouge-2-r"].mean(axis=0)
    before = found.steps[0].metrics[0]
    assert before.pearson == pytest.approx(pearson(*means).value)
    assert before.spearman == pytest.approx(spearman(*means).value)


def test_metrics_after_are_those_on_the_other_topics(year, panel):
    found = assessor_impact(panel, "2011", "readability", ALPHA, metrics=["rouge-2-r"])
    for step in found.steps:
        human = means_without(year, "readability", step.left_out)
        metric = means_without(year, "rouge-2-r", step.left_out)
        expected = pearson(list(human.values()), [metric[s] for s in human]).value
        assert step.metrics[0].pearson == pytest.approx(expected)


def test_summary_level_is_the_mean_over_assessors(year, panel):
    judge = {topic.id: topic.assessor for topic in year.topics}
    both: dict[str, list[tuple[float, float]]] = {name: [] for name in "ABCD"}
    overlap = {
        (row.task, row.topic, row.system): row.value
        for row in year.scores.select(measure="rouge-2-r")
    }
    for row in year.scores.select(measure="readability"):
        if row.kind == "machine":
            pair = row.value, overlap[row.task, row.topic, row.system]
            both[judge[row.topic]].append(pair)
    expected = {name: pearson(*np.array(pairs).T).value for name, pairs in both.items()}
    found = assessor_impact(panel, "2011", "readability", ALPHA, metrics=["rouge-2-r"])
    assert found.steps[0].metrics[0].assessors == pytest.approx(expected)
    for step in found.steps:
        left = [value for name, value in expected.items() if name not in step.left_out]
        assert step.metrics[0].summary_level == pytest.approx(np.mean(left))
    # Assessors in whose judgments there is more chance correlate less with a metric.
    assert expected["D"] < expected["A"]


def test_a_metric_of_which_lower_is_better_is_turned(year):
    rows = [
        replace(row, measure="js-references", value=-row.value)
        for row in year.scores.select(measure="rouge-2-r")
    ]
    more = Scores.concatenate([year.scores, Scores.from_judgments(rows)])
    panel = gather_panel([replace(year, scores=more)])
    names = ["rouge-2-r", "js-references"]
    found = assessor_impact(panel, "2011", "readability", ALPHA, metrics=names)
    one, other = found.steps[0].metrics
    assert other.pearson == pytest.approx(one.pearson)


def test_a_metric_that_is_missing_for_some_systems(year):
    kept = [
        row for row in year.scores if not (row.measure == "rouge-2-r" and row.system in ("1", "2"))
    ]
    panel = gather_panel([replace(year, scores=Scores.from_judgments(kept))])
    found = assessor_impact(panel, "2011", "readability", ALPHA, metrics=["rouge-2-r"])
    human = means_without(year, "readability", ())
    metric = means_without(year, "rouge-2-r", ())
    left = [system for system in human if system not in ("1", "2")]
    expected = pearson([human[s] for s in left], [metric[s] for s in left]).value
    assert found.steps[0].metrics[0].pearson == pytest.approx(expected)


def test_a_metric_of_other_summaries_is_undefined():
    rows = [
        *(("T1", s, "K", v) for s, v in (("7", 1), ("8", 2))),
        ("T2", "7", "L", 1),
        Judgment("T3", "7", "rouge-2-r", 0.1),
    ]
    panel = gather_panel([judged(rows)])
    worst = WorstFirst("alpha", ("L",), (0.1,))
    found = assessor_impact(panel, "2011", "readability", worst, metrics=["rouge-2-r"])
    assert np.isnan(found.steps[0].metrics[0].pearson)
    assert np.isnan(found.steps[0].metrics[0].summary_level)
