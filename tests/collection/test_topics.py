import json

import pytest
from hypothesis import given

from collection.refusals import refusal
from collection.strategies import topics
from pyramidion.collection.summaries import Document, Topic
from pyramidion.errors import FormatError, InputError, Where
from pyramidion.files.reading import Record

HERE = Where("topics.jsonl", line=3)


def read(data):
    return Topic.from_record(Record(data, HERE))


@given(topics())
def test_line_reads_back(topic):
    assert read(json.loads(topic.to_line())) == topic


def test_least_topic():
    assert read({"id": 901}) == Topic("901")


def test_unknown_fields_are_kept():
    data = {"id": "T1", "note": [1], "documents": [{"id": "a", "url": "x"}]}
    topic = read(data)
    assert topic.extra == {"note": [1]}
    assert topic.documents == (Document("a", "", extra={"url": "x"}),)
    assert json.loads(topic.to_line()) == {
        "id": "T1",
        "documents": [{"id": "a", "set": "base", "url": "x"}],
        "note": [1],
    }


def test_documents_of_a_set_keep_their_order():
    topic = read({"id": "T", "documents": [{"id": "b"}, {"id": "u", "set": "update"}, {"id": "a"}]})
    assert [document.id for document in topic.documents_of("base")] == ["b", "a"]
    assert [document.id for document in topic.documents_of("update")] == ["u"]


def test_numbers_are_ids_and_dates():
    document = {"id": 7, "date": 20310412}
    topic = read({"id": 1, "category": 4, "assessor": 3, "documents": [document]})
    assert (topic.id, topic.category, topic.assessor) == ("1", "4", "3")
    assert (topic.documents[0].id, topic.documents[0].date) == ("7", "20310412")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "line 3: `id` is missing; add it as text"),
        ({"id": ""}, "line 3: `id` is empty; give `id` a value"),
        ({"id": "T", "title": 1}, "line 3: `title` is 1, not text; write it as text"),
        (
            {"id": "T", "documents": {}},
            "line 3: `documents` is an object, not a list of objects; "
            "write it as a list of objects",
        ),
        (
            {"id": "T", "documents": [{"id": "a"}, {"text": "x"}]},
            "line 3, documents no. 2: `id` is missing; add it as text",
        ),
        (
            {"id": "T", "documents": [{"id": "a", "set": 1.5}]},
            "line 3, documents no. 1: `set` is 1.5, not text; write it as text",
        ),
        (
            {"id": "T", "documents": [{"id": "a", "text": ["x"]}]},
            "line 3, documents no. 1: `text` is a list, not text; write it as text",
        ),
    ],
)
def test_bad_records(data, message):
    assert refusal(FormatError, read, data) == f"topics.jsonl, {message}"


def test_ids_are_not_empty():
    assert refusal(InputError, Topic, "") == "a topic has no id; give it one"
    assert refusal(InputError, Document, "", "text") == "a document has no id; give it one"
