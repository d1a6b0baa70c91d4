"""What `describe` counts in a collection."""

import json
from dataclasses import asdict

import pytest
from hypothesis import given

from collection.strategies import collections, few_examples
from pyramidion.checks import describe, find_problems
from pyramidion.collection import (
    Collection,
    Document,
    Judgment,
    Pyramid,
    Scores,
    Summary,
    Task,
    Topic,
)


@pytest.fixture
def collection():
    documents = (Document("a", "Ice."), Document("b", "Sea."), Document("c", "New.", "update"))
    rows = [
        Judgment("T1", "7", "responsiveness", 4, task="A", assessor="K"),
        Judgment("T1", "7", "responsiveness", 1, task="A", assessor="L"),
        Judgment("T2", "A", "responsiveness", 4, task="A", kind="human"),
        Judgment("T1", "input", "relative-utility", 10, unit="a/1", assessor="K"),
        Judgment("T1", "input", "relative-utility", 5, unit="a/2", assessor="K"),
    ]
    return Collection(
        "mine",
        description="a try",
        notice="made up",
        tasks=(Task("A", documents="base", word_limit=3), Task("B", documents="update")),
        topics=(Topic("T1", documents=documents, category="4"), Topic("T2", category="4")),
        summaries=(
            Summary("T1", "A", "Ice melts fast.", "A", "human"),
            Summary("T2", "A", "Ice.", "A", "human"),
            Summary("T1", "ref", "Ice melts.", "A", "human", "reference"),
            Summary("T1", "7", "Ice ice.", "A"),
            Summary("T1", "8", "Sea.", "B"),
        ),
        scores=Scores.from_judgments(rows),
        pyramids={
            ("A", "T1"): Pyramid.from_references({"A": "Ice."}, [("ice", {}), ("sea", {})]),
            ("A", "T2"): Pyramid.from_references({"A": "Ice."}, [("ice", {})]),
        },
    )


def test_totals(collection):
    (counts,) = describe(collection)
    assert (counts.name, counts.description, counts.notice) == ("mine", "a try", "made up")
    assert (counts.topics, counts.documents, counts.summaries, counts.scores) == (2, 3, 5, 5)
    assert counts.categories == {"4": 2}
    assert counts.problems == tuple(find_problems(collection))


def test_tasks(collection):
    assert list(map(asdict, describe(collection)[0].tasks)) == [
        {
            "task": "A", "topics": 2, "documents": 2, "people": 2, "machines": 1,
            "references": 3, "peers": 3,
            "mean_words": 2.0, "word_limit": 3, "pyramids": 2, "scus": 3,
        },
        {
            "task": "B", "topics": 1, "documents": 1, "people": 0, "machines": 1,
            "references": 0, "peers": 1,
            "mean_words": 1.0, "word_limit": None, "pyramids": 0, "scus": 0,
        },
        {
            "task": "", "topics": 0, "documents": 3, "people": 0, "machines": 0,
            "references": 0, "peers": 0,
            "mean_words": None, "word_limit": None, "pyramids": 0, "scus": 0,
        },
    ]  # fmt: skip


def test_measures(collection):
    assert list(map(asdict, describe(collection)[0].measures)) == [
        {
            "task": "", "measure": "relative-utility", "scores": 2, "topics": 1, "systems": 1,
            "assessors": 1, "units": 2, "mean": 7.5, "low": 5, "high": 10,
        },
        {
            "task": "A", "measure": "responsiveness", "scores": 3, "topics": 2, "systems": 2,
            "assessors": 2, "units": 0, "mean": 3.0, "low": 1, "high": 4,
        },
    ]  # fmt: skip


def test_topics_are_counted_wherever_they_are():
    scores = Scores.from_judgments([Judgment("T1", "7", "m", 1), Judgment("T2", "7", "m", 1)])
    assert describe(Collection("x", scores=scores))[0].topics == 2
    assert describe(Collection("x", pyramids={("A", "T1"): Pyramid("")}))[0].topics == 1


@few_examples
@given(collections())
def test_any_collection_can_be_described(collection):
    (counts,) = describe(collection)
    assert sum(task.peers + task.references for task in counts.tasks) == sum(
        summary.is_peer + summary.is_reference for summary in collection.summaries
    )
    assert sum(measure.scores for measure in counts.measures) == counts.scores
    assert sum(task.pyramids for task in counts.tasks) == len(collection.pyramids)


def test_summaries_that_occur_twice_in_a_stream_are_counted(tmp_path):
    """Three summaries occur twice: the first is named, and there are two more."""
    systems = ["a", "b", "c", "a", "b", "c", "d"]
    record = {"topic": "T1", "peer": "Rain fell.", "references": ["Rain."]}
    path = tmp_path / "stream.jsonl"
    path.write_text("".join(json.dumps(record | {"system": name}) + "\n" for name in systems))
    [problem] = describe(path)[0].problems
    assert (problem.kind, problem.fatal) == ("duplicated summary", True)
    assert "it occurs twice (and 2 more such summaries); " in problem.message


def test_repairs_of_a_stream_are_made(tmp_path):
    record = {"topic": "T1", "peer": "Rain fell.", "references": ["Rain."]}
    path = tmp_path / "stream.jsonl"
    path.write_text("".join(json.dumps(record | {"system": name}) + "\n" for name in "abc"))
    assert describe(path)[0].tasks[0].peers == 3
    assert describe(path, exclude="b")[0].tasks[0].peers == 2
