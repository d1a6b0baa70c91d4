"""Models on sets left out in turn, beside R1ns and length."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau

from classy.tac_years import tac_years
from pyramidion.classy import evaluate
from pyramidion.collection import Scores
from pyramidion.errors import InputError, NotFoundError
from pyramidion.metrics import parse_metric, score_collection

TARGET = "content=pyramid,responsiveness"
QUICK = {"target": TARGET, "features": "rose", "n_resamples": 50}


def changed(collection, how):
    judged = [replace(own, value=how(own.value)) for own in collection.scores]
    return replace(collection, scores=Scores.from_judgments(judged))


@pytest.fixture(scope="module")
def sets():
    made = (*tac_years(2), tac_years(3)[0])
    return tuple(replace(own, name=f"set {n}") for n, own in enumerate(made))


@pytest.fixture(scope="module")
def result(sets):
    return evaluate(sets, own_set=True, metric="rouge-2-r", **QUICK)


def test_rows(result):
    first = [row for row in result if row.set == "set 0"]
    models = ["regularized, rose", "regularized, rose, own set"]
    assert [row.predictor for row in first] == ["rouge-1-ns", "length", "rouge-2-r", *models]
    assert {row.measure for row in result} == {"responsiveness"}
    model = first[-2]
    assert model.is_model
    assert model.difference.value == pytest.approx(model.tau.value - first[0].tau.value)
    assert model.tau.low <= model.tau.value <= model.tau.high
    assert math.isnan(first[0].difference.value)
    assert math.isnan(first[1].held.value)
    assert [row[:3] for row in result.tables[-1].rows][-2:] == [
        ("content", "regularized, rose", 3), ("content", "regularized, rose, own set", 2),
    ]  # fmt: skip


def test_taus_are_kendalls_within_topics(sets, result):
    """By SciPy, for the metrics that need no training."""
    own = sets[0]
    for name, sign in (("rouge-2-r", 1), ("length", 1)):
        scored = score_collection(own, [parse_metric(name)], jackknife=True)
        judged = {}
        for row in own.scores.select(task="A", measure="responsiveness"):
            judged.setdefault((row.topic, row.system), []).append(row.value)
        found = {}
        for summary, value in zip(scored.summaries, scored.values[:, 0], strict=True):
            if summary.task == "A":
                human = np.mean(judged[summary.topic, summary.system])
                found.setdefault(summary.topic, []).append((sign * value, human))
        taus = [kendalltau(*zip(*pairs, strict=True)).statistic for pairs in found.values()]
        (row,) = (r for r in result if (r.set, r.predictor) == ("set 0", name))
        assert row.tau.value == pytest.approx(np.mean(taus))


def test_scales_and_what_is_left_out_do_not_matter(sets, result):
    """The set left out has no say in what predicts it, and no set's scale has any."""
    stretched = changed(sets[1], lambda value: 10 * value + 3)
    turned = changed(sets[0], lambda value: -value)
    again = evaluate((turned, stretched, sets[2]), own_set=True, metric="rouge-2-r", **QUICK)
    for old, new in zip(result, again, strict=True):
        if old.set == "set 0" and "own set" not in old.predictor:
            assert new.tau.value == pytest.approx(-old.tau.value)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"target": "content="}, "'content=' names no target; write content=relevance"),
        ({"target": "relevance"}, "0 of 3 sets have relevance; at least two are needed"),
        ({"features": "nouveau"}, "features is 'nouveau'; choose one of classy, family, rose"),
    ],
)
def test_refusals(sets, options, problem):
    with pytest.raises((InputError, NotFoundError), match=problem):
        evaluate(sets, **{**QUICK, **options})


def test_one_set_is_not_enough(sets):
    with pytest.raises(InputError, match="one set leaves nothing to learn from"):
        evaluate(sets[:1], **QUICK)


def test_functions_in_a_file_are_judged_next_to_the_models(sets, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from pyramidion.metrics import metric\n\n"
        "def letters(summary):\n    return len(summary)\n\n"
        "@metric(higher_is_better=False)\ndef brief(summary):\n    return len(summary)\n"
    )
    found = evaluate(sets, metric=f"{path}:letters,{path}:brief", **QUICK)
    taus = {(row.set, row.predictor): row.tau.value for row in found}
    assert {own for _, own in taus} >= {"letters", "brief"}
    for own in sets:
        assert taus[own.name, "brief"] == pytest.approx(-taus[own.name, "letters"])


def test_the_end_of_a_name_finds_what_people_said_and_no_automatic_score(sets):
    def called(own, name):
        judged = [replace(j, measure=name) for j in own.scores if j.measure == "responsiveness"]
        return replace(own, scores=Scores.from_judgments((*own.scores, *judged)))

    there = [called(called(own, "auto-a-recall"), "scu-recall") for own in sets]
    found = evaluate(there, **{**QUICK, "target": "content=recall"})
    assert {row.measure for row in found} == {"scu-recall"}
    automatic = [called(own, "auto-a-recall") for own in sets]
    with pytest.raises(NotFoundError, match="0 of 3 sets have recall"):
        evaluate(automatic, **{**QUICK, "target": "content=recall"})


def test_people_are_scored_only_where_others_wrote_references(sets):
    """With a single reference, its writer has none to be compared with."""
    single = []
    for own in sets[:2]:
        first = {s.topic: s.key for s in reversed(own.summaries) if s.kind == "human"}
        kept = tuple(s for s in own.summaries if s.kind != "human" or s.key == first[s.topic])
        single.append(replace(own, summaries=kept))
    machines = Counter(s.system for s in single[0].summaries if s.kind == "machine")
    written = len(single[0].topics) * len(machines)
    with_people = evaluate(sets[:2], **QUICK)
    alone = evaluate(single, **QUICK)
    assert {row.summaries for row in alone} == {written}
    assert {row.summaries for row in with_people} == {written + 4 * len(single[0].topics)}
