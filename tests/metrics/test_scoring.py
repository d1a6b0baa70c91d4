"""Scoring a collection: who is compared with whom, by any metrics."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from collection.refusals import refusal
from metrics.scored import expanded
from pyramidion import Collection, Rouge, Summary
from pyramidion.collection import Task
from pyramidion.collection.stream import StreamItem
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.metrics import Metric, ScoringBatch, parse_metrics, score_cases, score_collection
from pyramidion.rouge.results import score_stream

UNIGRAMS = parse_metrics("rouge-1-r")


@dataclass(frozen=True, slots=True)
class Counter(Metric):
    """The number of references."""

    name: ClassVar[str] = "counter"
    title: ClassVar[str] = "counter"
    summary: ClassVar[str] = "how many references, earlier references and documents there are"
    needs = frozenset({"references"})

    def statistics(self, cases):
        sets = cases.references, cases.earlier, cases.documents
        return np.stack([own.sizes.astype(float) for own in sets], axis=1)

    def score(self, statistics):
        return statistics @ [1.0, 100.0, 10000.0]


def human(topic, system, text, **fields):
    return Summary(topic, system, text, kind="human", **fields)


def values(result, measure="rouge-1-r"):
    return {
        (row.task, row.topic, row.system): row.value
        for row in result.scores
        if row.measure == measure
    }


def test_a_person_is_compared_with_the_others_only():
    collection = Collection(
        "x", summaries=(human("T", "A", "a b"), human("T", "B", "a c"), Summary("T", "7", "a b"))
    )
    result = score_collection(collection, UNIGRAMS)
    assert values(result) == {("", "T", "A"): 0.5, ("", "T", "B"): 0.5, ("", "T", "7"): 0.75}
    assert {row.system: row.kind for row in result.scores}["A"] == "human"


def test_references_that_are_not_peers_are_not_scored():
    collection = Collection(
        "x",
        summaries=(
            human("T", "ref1", "a b", role="reference"),
            human("T", "student", "a", role="peer"),
            Summary("T", "7", "b"),
        ),
    )
    result = score_collection(collection, UNIGRAMS)
    assert values(result) == {("", "T", "student"): 0.5, ("", "T", "7"): 0.5}


def test_tasks_and_topics_are_kept_apart():
    collection = Collection(
        "x",
        summaries=tuple(
            summary
            for task, text in (("A", "a b"), ("B", "c d"))
            for summary in (
                human("T", "M", text, task=task),
                Summary("T", "7", "a b", task=task),
                Summary("U", "7", "a b", task=task),
            )
        ),
    )
    result = score_collection(collection, UNIGRAMS)
    assert values(result) == {("A", "T", "7"): 1.0, ("B", "T", "7"): 0.0}
    # The two people are alone, and topic U has no reference.
    assert result.left_out == (
        "rouge-1-r of 4 summaries without any other reference: T, A, M; U, A, 7; T, B, M; ...",
    )


def test_nothing_that_can_be_scored():
    nothing = refusal(InputError, score_collection, Collection("x"), UNIGRAMS)
    assert nothing == "the collection has no summaries to score; add peers to it"
    references = Collection("x", summaries=(human("T", "ref1", "a", role="reference"),))
    assert "no summaries to score" in refusal(InputError, score_collection, references, UNIGRAMS)
    for summaries in ((Summary("T", "7", "a"),), (human("T", "A", "a"),)):
        message = refusal(
            InputError, score_collection, Collection("x", summaries=summaries), UNIGRAMS
        )
        assert message == (
            "rouge-1-r needs references, and no summary of the collection has any besides itself; "
            "add references (role reference or both) to its summaries"
        )


JACKKNIFED = Collection(
    "x",
    summaries=(
        human("T", "A", "a b"),
        human("T", "B", "a c"),
        human("T", "C", "d"),
        human("T", "student", "a b", role="peer"),
        Summary("T", "7", "a b"),
    ),
)


def test_jackknifing_machines():
    plain = values(score_collection(JACKKNIFED, UNIGRAMS))
    jackknifed = values(score_collection(JACKKNIFED, UNIGRAMS, jackknife=True))
    folds = (1 / 3, 2 / 3, 3 / 4)  # without A, without B, without C
    for system in ("7", "student"):
        assert plain["", "T", system] == pytest.approx(3 / 5)
        assert jackknifed["", "T", system] == pytest.approx(sum(folds) / 3)
    for system in "ABC":
        assert plain["", "T", system] == jackknifed["", "T", system]


def test_jackknifing_with_one_reference_changes_nothing():
    collection = Collection("x", summaries=(human("T", "A", "a b"), Summary("T", "7", "a")))
    both = [values(score_collection(collection, UNIGRAMS, jackknife=j)) for j in (False, True)]
    assert both[0] == both[1] == {("", "T", "7"): 0.5}


def test_people_and_jackknifed_machines_face_as_many_of_everything():
    """Two tasks, three writers of both; a person's own earlier reference is not counted."""
    summaries = tuple(
        human("T", writer, f"{writer} {task}", task=task) for task in "AB" for writer in "XYZ"
    )
    machine = (Summary("T", "7", "m", task="B"),)
    tasks = (Task("A", documents="base"), Task("B", documents="update"))
    collection = Collection("x", tasks=tasks, summaries=(*summaries, *machine))
    counted = {
        jackknife: values(score_collection(collection, [Counter()], jackknife=jackknife), "counter")
        for jackknife in (False, True)
    }
    assert counted[False]["B", "T", "X"] == 202.0
    assert counted[False]["B", "T", "7"] == 303.0
    assert counted[True]["B", "T", "X"] == counted[True]["B", "T", "7"] == 202.0
    assert counted[True]["A", "T", "X"] == 2.0


@pytest.mark.parametrize("exact", [False, True])
def test_collection_stream_and_lists_agree(exact):
    demo = load_demo()
    rouge = Rouge(w=1.2, su=4, stem=True, exact=exact)
    result = score_collection(demo, expanded(rouge), threads=2)
    items = [
        StreamItem(
            s.task, s.topic, s.system, str(s.kind), s.text,
            tuple(r.text for r in demo.references(s.topic, s.task) if r.system != s.system),
        )
        for s in result.summaries
    ]  # fmt: skip
    streamed = [row for b in score_stream(items, rouge, batch_size=7) for row in b.values.tolist()]
    assert streamed == result.values.tolist()
    listed = rouge.score([item.peer for item in items], [item.references for item in items])
    for column, measure in enumerate(rouge.measures):
        assert listed[measure].tolist() == result.values[:, column].tolist()


@pytest.mark.parametrize(
    ("rouge", "expected"),
    [
        # pyramidion score src/pyramidion/demo/collection --stem -o scores.csv
        #     -m rouge-1,rouge-2,rouge-l,rouge-su4
        (
            Rouge(su=4, stem=True),
            {
                "rouge-1-f": 0.45270270270270274,
                "rouge-2-f": 0.16723549488054607,
                "rouge-l-f": 0.40878378378378377,
                "rouge-su4-f": 0.17476851851851852,
            },
        ),
        # pyramidion score src/pyramidion/demo/collection --stem --exact -o scores.csv
        #     -m rouge-2-r,rouge-w-1.2,rouge-s4
        (
            Rouge(n=2, w=1.2, s=4, stem=True, exact=True),
            {"rouge-2-r": 0.1661, "rouge-w-1.2-f": 0.1099, "rouge-s4-f": 0.11777},
        ),
    ],
)
def test_the_demonstration_collection(rouge, expected):
    metrics = {metric.measure: metric for metric in expanded(rouge)}
    result = score_collection(load_demo(), metrics)
    assert (len(result.summaries), result.left_out) == (48, ())
    first = {
        row.measure: row.value
        for row in result.scores
        if (row.task, row.topic, row.system) == ("A", "P01", "A")
    }
    assert {name: first[name] for name in expected} == pytest.approx(expected, abs=1e-12)


def test_columns_have_the_names_they_are_given():
    metrics = dict(zip(("one", "two"), parse_metrics("rouge-1-r,bleu(n=1)"), strict=True))
    result = score_collection(JACKKNIFED, metrics)
    assert result.measures == ("one", "two")
    assert set(result.scores.measures) == {"one", "two"}
    assert result.metrics == metrics


def test_progress_is_reported_and_known_columns_are_taken():
    reported = []
    known = {"bleu": np.array([5.0] * 5)}
    result = score_collection(
        JACKKNIFED,
        parse_metrics("rouge-1-r,bleu,rouge-2-r"),
        computed=known,
        progress=lambda name, column, left: reported.append((name, len(column), left)),
    )
    assert reported == [("rouge-1-r", 5, 2), ("bleu", 5, 1), ("rouge-2-r", 5, 0)]
    assert result.values[:, 1].tolist() == [5.0] * 5


class Elsewhere:
    """An engine of one worker."""

    workers = 1

    def map(self, function, parts):
        return map(function, parts)


def test_an_engine_scores_only_columns_that_are_not_there():
    metrics = parse_metrics("rouge-1-r,bleu")
    usual = score_collection(JACKKNIFED, metrics).values
    assert (
        score_collection(JACKKNIFED, metrics, engine=Elsewhere()).values.tolist() == usual.tolist()
    )
    there = {"bleu": np.array([5.0] * 5)}
    mixed = score_collection(JACKKNIFED, metrics, computed=there, engine=Elsewhere()).values
    assert mixed.tolist() == [[value, 5.0] for value in usual[:, 0]]


def test_a_metric_that_lacks_something_is_refused_or_skipped():
    metrics = parse_metrics("rouge-1-r,js-input,rouge-1-r(against=earlier)")
    message = refusal(InputError, score_collection, JACKKNIFED, metrics)
    assert message == (
        "js-input needs documents, and no summary of the collection has any; "
        "add documents to its topics"
    )
    result = score_collection(JACKKNIFED, metrics, skip=True)
    assert result.measures == ("rouge-1-r",)
    assert result.left_out == (
        "js-input: needs documents, and no summary of the collection has any",
        "rouge-1-r(against=earlier): needs earlier references, and no summary of the collection "
        "has any",
    )
    nothing = refusal(InputError, score_collection, JACKKNIFED, metrics[1:], skip=True)
    assert nothing.startswith("no metric can be computed")


def test_nothing_is_computed_before_everything_is_there(monkeypatch):
    def computed(*_):
        raise AssertionError("too early")

    monkeypatch.setattr(Counter, "statistics", computed)
    metrics = [Counter(), *parse_metrics("js-input")]
    assert "js-input" in refusal(InputError, score_collection, JACKKNIFED, metrics)


def test_undefined_scores_are_counted_by_reason():
    summaries = (human("T", "A", "a b"), Summary("T", "7", "!"), Summary("U", "8", "a b"))
    result = score_collection(Collection("x", summaries=summaries), parse_metrics("js-references"))
    assert len(result.scores) == 0
    assert result.left_out == (
        "js-references of 2 summaries without any other reference: T, A; U, 8",
        "js-references of 1 summary for which it is undefined: T, 7",
    )


def test_cases_without_folds_are_scored_as_they_are():
    cases = ScoringBatch.of_texts(["a b", "c"], [["a b"], ["a b"]])
    assert score_cases(UNIGRAMS[0], cases).tolist() == [1.0, 0.0]
    folds = cases.jackknifed(np.array([True, True]))
    assert score_cases(UNIGRAMS[0], cases, folds).tolist() == [1.0, 0.0]


def test_three_summaries_are_named_and_measures_with_the_same_gaps_are_joined():
    peers = [Summary(f"T{n}", "7", "a b", task="A") for n in range(5)]
    references = [human("T9", "A", "a b"), Summary("T9", "7", "a b")]
    collection = Collection("x", summaries=(*peers, *references))
    names = "bigram-p2p,bigram-coverage,vert-f,bleu"
    reason = "without any other reference: T0, A, 7; T1, A, 7; T2, A, 7; ..."
    result = score_collection(collection, parse_metrics(names))
    assert result.left_out == (f"bigram-p2p, bigram-coverage, vert-f, ... of 6 summaries {reason}",)
