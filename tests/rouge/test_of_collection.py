"""Scoring a collection: who is compared with whom."""

import pytest

from collection.refusals import refusal
from pyramidion import Collection, Rouge, Summary
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.rouge.of_collection import score_collection
from pyramidion.rouge.stream import StreamItem, score_stream

UNIGRAMS = Rouge(n=1, l=False)


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


def test_references_that_are_no_peers_are_not_scored():
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
        "4 summaries without any other reference: T, A, M; U, A, 7; T, B, M; ...",
    )


def test_nothing_that_can_be_scored():
    for summaries in ((), (Summary("T", "7", "a"),), (human("T", "A", "a"),)):
        said = refusal(InputError, score_collection, Collection("x", summaries=summaries), UNIGRAMS)
        assert said == "no summary of the collection has references; add references to it"


def test_jackknifing_machines():
    collection = Collection(
        "x",
        summaries=(
            human("T", "A", "a b"),
            human("T", "B", "a c"),
            human("T", "C", "d"),
            human("T", "student", "a b", role="peer"),
            Summary("T", "7", "a b"),
        ),
    )
    plain = values(score_collection(collection, UNIGRAMS))
    jackknifed = values(score_collection(collection, UNIGRAMS, jackknife=True))
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


@pytest.mark.parametrize("exact", [False, True])
def test_collection_stream_and_lists_agree(exact):
    demo = load_demo()
    rouge = Rouge(w=1.2, su=4, stem=True, exact=exact)
    result = score_collection(demo, rouge, threads=2)
    items = [
        StreamItem(
            s.task, s.topic, s.system, str(s.kind), s.text,
            tuple(r.text for r in demo.references(s.topic, s.task) if r.system != s.system),
        )
        for s in result.summaries
    ]  # fmt: skip
    table = result.scores.value.reshape(len(items), -1)
    streamed = [row for b in score_stream(items, rouge, batch_size=7) for row in b.values.tolist()]
    assert streamed == table.tolist()
    listed = rouge.score([item.peer for item in items], [item.references for item in items])
    for column, measure in enumerate(rouge.measures):
        assert listed[measure].tolist() == table[:, column].tolist()


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
    result = score_collection(load_demo(), rouge)
    assert (len(result.summaries), result.left_out) == (48, ())
    first = {
        row.measure: row.value
        for row in result.scores
        if (row.task, row.topic, row.system) == ("A", "P01", "A")
    }
    assert {name: first[name] for name in expected} == pytest.approx(expected, abs=1e-12)
