"""What leaving out the worst assessors changes."""

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from judges.assessor_samples import judged, renamed, tac_year
from pyramidion.collection import Judgment, Scale, Scores
from pyramidion.comparison.measure_tables import meta_tables
from pyramidion.errors import InputError, NotFoundError
from pyramidion.judges import Retraining, RetrainingOptions, assessors
from pyramidion.stats import pearson, spearman


@pytest.fixture(scope="module")
def year():
    return tac_year(seed=1)


def impact(*years, task=None, peers="machines", worst_by="alpha", **options):
    """The impact on readability, on one task or on all together."""
    result = assessors(
        years, impact=True, worst_by=worst_by, peers=peers, n_resamples=20, **options
    )
    (match,) = (i for i in result.impacts if (i.measure, i.task) == ("readability", task))
    return match


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
    return {system: np.mean(scores) for system, scores in values.items()}


def repeated(rows, occasions=(0.0, 0.0)):
    """Judgments (topic, system, assessor, value), each of them twice."""
    return [
        Judgment(topic, system, "readability", value + shift, assessor=name, occasion=str(number))
        for topic, system, name, value in rows
        for number, shift in enumerate(occasions)
    ]


# Who is the worst


def test_the_worst_by_alpha_have_the_lowest(year):
    result = assessors(year, n_resamples=20, measures="readability")
    alphas = {row.assessor: row.alpha.value for row in result if row.assessor}
    worst = impact(year).worst
    assert list(worst.assessors) == sorted(alphas, key=alphas.get)
    assert worst.assessors[0] == "D"
    assert list(worst.values) == sorted(alphas.values())


def test_assessors_without_pairs_are_never_left_out():
    rows = repeated([("T1", "7", "K", 4), ("T2", "7", "K", 2)])
    year = judged([*rows, ("T2", "7", "L", 4), ("T3", "8", "L", 3)])
    worst = impact(year, peers="all,machines", task="").worst
    assert (worst.assessors, worst.unknown) == (("K",), ("L",))
    with pytest.raises(InputError, match="no assessor judged the same words twice"):
        impact(judged([("T1", "7", "K", 4), ("T2", "7", "L", 4)]))


def test_the_worst_by_difference_have_the_lowest():
    rows = [
        Judgment(topic, "7", measure, value, assessor=name if measure == "manual" else "")
        for topic, name, difference in (("T1", "K", 0.1), ("T2", "L", -0.2), ("T3", "M", 0.0))
        for measure, value in (("manual", 0.4), ("auto", 0.4 - difference))
    ]
    rows.append(Judgment("T4", "7", "manual", 0.4, assessor="N"))
    year = judged(rows, scales={"manual": Scale(0, 1)})
    result = assessors(
        year, impact=True, worst_by="manual-automatic", manual="manual", automatic="auto",
        measures="manual", peers="machines", n_resamples=20,
    )  # fmt: skip
    worst = result.impacts[0].worst
    assert (worst.assessors, worst.unknown) == (("L", "M", "K"), ("N",))


@dataclass(frozen=True, slots=True)
class Recorded(RetrainingOptions):
    """Retraining that trains nothing and records the worst assessors."""

    orders: dict = field(default_factory=dict)

    @property
    def is_requested(self):
        return True

    def retrain(self, years, worst_first, **options):
        self.orders.update(worst_first)
        return Retraining()


def test_alphas_of_years_that_cannot_be_pooled_are_averaged():
    years = [tac_year("2010", seed=1), tac_year("2009", seed=2)]
    years[1] = replace(years[1], scales={"readability": Scale(1, 10, 1)})
    recorded = Recorded()
    options = {"sources": tuple(years), "n_resamples": 20, "impact": True}
    question: Any = assessors  # its groups are not part of the typed signature
    groups = {name: group.of(options) for name, group in question.groups.items()}
    result = question.run(**{**groups, "retraining": recorded})
    alphas = {name: [] for name in "ABCD"}
    for row in result.study.consistency:
        if row.measure == "readability" and row.assessor:
            alphas[row.assessor].append(row.alpha.value)
    means = {name: np.mean(values) for name, values in alphas.items()}
    (worst,) = recorded.orders["readability"]
    assert list(worst.assessors) == sorted(means, key=means.get)
    assert list(worst.values) == pytest.approx(sorted(means.values()))
    # Years on one scale are pooled.
    (pooled,) = recorded.orders["responsiveness"]
    together = {
        row.assessor: row.alpha.value
        for row in result.study.consistency
        if (row.collection, row.measure) == (None, "responsiveness") and row.assessor
    }
    assert list(pooled.values) == sorted(together.values())


# Rankings


@pytest.mark.parametrize("task", [None, "A", "B"])
@pytest.mark.parametrize("peers", ["all", "machines"])
def test_rankings_are_those_of_the_other_topics(year, task, peers):
    result = impact(year, task=task, peers=peers)
    order = result.worst.assessors
    assert [step.left_out for step in result.steps] == [order[:number] for number in range(4)]
    options = {"task": task, "machines": peers == "machines"}
    full = means_without(year, "readability", (), **options)
    for number, step in enumerate(result.steps):
        means = means_without(year, "readability", step.left_out, **options)
        pairs = np.array([(full[system], means[system]) for system in full]).T
        assert step.pearson == pytest.approx(pearson(*pairs).value)
        assert step.spearman == pytest.approx(spearman(*pairs).value)
        assert step.topics == (16 - 4 * number) * (2 if task is None else 1)
        assert step.systems == (10 if peers == "machines" else 12)


def test_assessors_of_the_same_summaries_are_left_out_without_their_topics():
    rows = [
        (f"T{n}", s, name, v)
        for n in range(2)
        for name, values in (("K", (1, 2, 3)), ("L", (3, 2, 2)))
        for s, v in zip("789", values, strict=True)
    ]
    # L is less consistent, without any change of the means.
    again = [replace(row, value=row.value + (1 if row.occasion == "0" else -1) * 0.5)
             if row.assessor == "L" else row for row in repeated(rows)]  # fmt: skip
    result = impact(judged(again), task="")
    full, step = result.steps
    assert result.worst.assessors == ("L", "K")
    assert (full.topics, step.topics) == (2, 2)
    # All: 2, 2, 2.5; K alone: 1, 2, 3.
    assert step.pearson == pytest.approx(pearson([2, 2, 2.5], [1, 2, 3]).value)


def test_chance_is_every_other_choice(year):
    result = impact(year)
    full = means_without(year, "readability", ())
    for size, step in enumerate(result.steps):
        if not size:
            assert step.chance is None
            continue
        values = []
        for choice in combinations("ABCD", size):
            means = means_without(year, "readability", choice)
            values.append(pearson(list(full.values()), [means[s] for s in full]).value)
        assert step.chance.choices == len(values)
        assert step.chance.pearson == pytest.approx(np.mean(values))
        assert step.chance.lower == pytest.approx(np.mean(np.array(values) <= step.pearson + 1e-9))


@pytest.mark.long
def test_many_assessors_are_drawn_from():
    rng = np.random.default_rng(0)
    names = [f"J{n}" for n in range(14)]
    rows = [(f"T{n}", s, name, rng.integers(1, 6)) for n, name in enumerate(names) for s in "789"]
    year = judged(repeated(rows, occasions=(0, 1)))
    result = impact(year, task="", max_excluded=5)
    assert [step.chance.choices for step in result.steps[1:]] == [14, 91, 364, 500, 500]
    assert impact(year, task="", max_excluded=5).steps == result.steps


def test_systems_with_equal_means_have_no_ranking():
    rows = [(t, s, name, 4) for t, name in (("T1", "K"), ("T2", "L")) for s in "78"]
    result = impact(judged(repeated(rows)), task="")
    assert np.isnan(result.steps[1].pearson)
    assert result.steps[1].undefined == "all systems have the same mean"


def test_a_system_on_the_left_out_topics_only():
    result = impact(judged(repeated([("T1", "7", "K", 4), ("T2", "8", "L", 4)])), task="")
    assert result.steps[1].undefined == "1 systems have means before and after"


def test_relabelling_changes_nothing(year):
    systems = sorted({text.system for text in year.summaries})
    called = dict(zip(systems, reversed(systems), strict=True))
    topics = {topic.id: f"n{number}" for number, topic in enumerate(reversed(year.topics))}
    other = renamed(year, systems=called, topics=topics, order=7)
    before, after = (impact(collection, metrics="rouge-2-r") for collection in (year, other))
    for a, b in zip(before.steps, after.steps, strict=True):
        assert [a.pearson, a.spearman, a.topics] == pytest.approx([b.pearson, b.spearman, b.topics])
        assert a.metrics[0].summary_level == pytest.approx(b.metrics[0].summary_level)


# Metrics


def metric_names(year, **options):
    return [metric.metric for metric in impact(year, task="", **options).steps[0].metrics]


def test_a_bare_name_of_rouge_is_its_f():
    rows = repeated([("T1", "7", "K", 4), ("T2", "7", "L", 2)])
    rows += [Judgment("T1", "7", measure, 0.1) for measure in ("rouge-2-f", "tokens")]
    assert metric_names(judged(rows)) == ["rouge-2-f"]
    assert metric_names(judged(rows), metrics="rouge-2,tokens") == ["rouge-2-f", "tokens"]


def test_metrics_are_what_nobody_judged(year):
    assert [metric.metric for metric in impact(year).steps[0].metrics] == ["rouge-2-r"]
    bare = replace(year, summaries=())
    rows = repeated([(row.topic, row.system, "AB"[n % 2], row.value) for n, row in
                     enumerate(year.scores.select(measure="readability", task="A"))])  # fmt: skip
    bare = replace(bare, scores=Scores.from_judgments(rows))
    with pytest.raises(NotFoundError, match="there is no measure 'bleu'"):
        impact(bare, task="", metrics="bleu")


def test_metrics_before_are_those_of_meta(year):
    """Nobody left out: the correlation of system means that `pyramidion meta` computes."""
    result = impact(year, task="A", peers="all", metrics="rouge-2-r")
    (tables,) = meta_tables(year.scores, "readability", metrics=["rouge-2-r"], tasks=["A"])
    means = tables.truth.mean(axis=0), tables.metrics["rouge-2-r"].mean(axis=0)
    before = result.steps[0].metrics[0]
    assert before.pearson == pytest.approx(pearson(*means).value)
    assert before.spearman == pytest.approx(spearman(*means).value)


def test_metrics_after_are_those_on_the_other_topics(year):
    result = impact(year, metrics="rouge-2-r")
    for step in result.steps:
        human = means_without(year, "readability", step.left_out)
        metric = means_without(year, "rouge-2-r", step.left_out)
        expected = pearson(list(human.values()), [metric[s] for s in human]).value
        assert step.metrics[0].pearson == pytest.approx(expected)


def test_summary_level_is_the_mean_over_assessors(year):
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
    result = impact(year, metrics="rouge-2-r")
    assert result.steps[0].metrics[0].assessors == pytest.approx(expected)
    for step in result.steps:
        left = [value for name, value in expected.items() if name not in step.left_out]
        assert step.metrics[0].summary_level == pytest.approx(np.mean(left))
    # Noisier assessors correlate less with a metric.
    assert expected["D"] < expected["A"]


def test_a_metric_of_which_lower_is_better_is_turned(year):
    rows = [
        replace(row, measure="js-references", value=-row.value)
        for row in year.scores.select(measure="rouge-2-r")
    ]
    scores = Scores.concatenate([year.scores, Scores.from_judgments(rows)])
    result = impact(replace(year, scores=scores), metrics="rouge-2-r,js-references")
    higher, lower = result.steps[0].metrics
    assert lower.pearson == pytest.approx(higher.pearson)


def test_a_metric_that_is_missing_for_some_systems(year):
    rows = [
        row for row in year.scores if not (row.measure == "rouge-2-r" and row.system in ("1", "2"))
    ]
    partial = replace(year, scores=Scores.from_judgments(rows))
    result = impact(partial, metrics="rouge-2-r")
    human = means_without(year, "readability", ())
    metric = means_without(year, "rouge-2-r", ())
    left = [system for system in human if system not in ("1", "2")]
    expected = pearson([human[s] for s in left], [metric[s] for s in left]).value
    assert result.steps[0].metrics[0].pearson == pytest.approx(expected)


def test_a_metric_of_other_summaries_is_undefined():
    rows = repeated([("T1", "7", "K", 1), ("T1", "8", "K", 2), ("T2", "7", "L", 1)])
    year = judged([*rows, Judgment("T3", "7", "rouge-2-r", 0.1)])
    metric = impact(year, task="", metrics="rouge-2-r").steps[0].metrics[0]
    assert np.isnan(metric.pearson)
    assert np.isnan(metric.summary_level)
