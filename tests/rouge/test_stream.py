"""Items as they come, one JSON object per line."""

import gzip
import io
import json

import pytest

from collection.refusals import refusal
from pyramidion import Rouge
from pyramidion.collection.formats.stream import read_stream
from pyramidion.collection.stream import StreamItem
from pyramidion.errors import FormatError, InputError, NotFoundError
from pyramidion.rouge.results import score_stream

ITEM = {"topic": "T1", "system": "7", "peer": "It rained.", "references": ["Rain fell."]}


def written(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_fields(tmp_path):
    long = {**ITEM, "task": "A", "kind": "human", "topic": 12, "peer": ["It rained.", "Yes."]}
    items = list(read_stream(written(tmp_path / "a.jsonl", ITEM, {**long, "note": "kept out"})))
    assert items == [
        StreamItem("", "T1", "7", "machine", "It rained.", ("Rain fell.",)),
        StreamItem("A", "12", "7", "human", ("It rained.", "Yes."), ("Rain fell.",)),
    ]
    assert items[1].name == "task A, topic 12, system 7"
    assert str(items[1].where).endswith("a.jsonl, line 2")


def test_gzipped_and_standard_input(tmp_path, monkeypatch):
    path = written(tmp_path / "a.jsonl", ITEM)
    zipped = tmp_path / "a.jsonl.gz"
    zipped.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    assert list(read_stream(zipped)) == list(read_stream(path))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert list(read_stream("-")) == list(read_stream(path))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"topic": None}, "line 2: `topic` is null, not text"),
        ({"system": ""}, "line 2: `system` is empty"),
        ({"peer": None}, "line 2: `peer` is missing; write a text or a list of sentences"),
        ({"peer": 3}, "line 2: `peer` is 3, which is not text"),
        ({"peer": ["a", 3]}, "line 2: `peer` is ['a', 3], which is not text"),
        ({"references": None}, "line 2: `references` is not a list of texts; give at least one"),
        ({"references": []}, "line 2: `references` is not a list of texts"),
        ({"references": "Rain fell."}, "line 2: `references` is not a list of texts"),
        ({"references": ["a", None]}, "line 2: `references` is missing"),
        ({"kind": "robot"}, "line 2: `kind` is 'robot'; write one of: human, machine"),
    ],
)
def test_bad_fields_name_the_line(change, message, tmp_path):
    path = written(tmp_path / "a.jsonl", ITEM, {**ITEM, **change})
    assert message in refusal(FormatError, list, read_stream(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b'{"topic": "T1", "peer": "It rai', "line 1: this is not JSON"),
        (b"[1]\n", "line 1: this is not a JSON object"),
        (b'{"topic": "\xff"}\n', "line 1: byte 0xff is not UTF-8"),
        (b'{"peer": "\\ud800"}\n', "line 1: half of a surrogate pair is not valid text"),
    ],
)
def test_damaged_files(content, message, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert message in refusal(FormatError, list, read_stream(path))


def test_a_missing_file(tmp_path):
    assert "there is no such file" in refusal(NotFoundError, list, read_stream(tmp_path / "no"))


def test_items_are_read_as_they_are_needed():
    seen = []

    def endless():
        number = 0
        while True:
            seen.append(number)
            yield StreamItem("", f"T{number}", "7", "machine", "a b", ("a",))
            number += 1

    batches = score_stream(endless(), Rouge(n=1, l=False), batch_size=10, threads=2)
    for _ in range(5):
        assert next(batches).values.shape == (10, 3)
    batches.close()  # type: ignore[attr-defined]
    assert len(seen) <= 10 * (5 + 3)


def test_an_error_comes_after_the_batches_before_it():
    items = [StreamItem("", f"T{i}", "7", "machine", "a", ("a",)) for i in range(3)]
    items.append(StreamItem("A", "T3", "7", "machine", "a", ()))
    batches = score_stream(items, Rouge(n=1, l=False), batch_size=2, threads=1)
    assert len(next(batches).items) == 2
    assert refusal(InputError, next, batches).startswith("task A, topic T3, system 7 has no ref")


@pytest.mark.parametrize("options", [{"batch_size": 0}, {"threads": 0}, {"threads": -1}])
def test_parameters(options):
    batches = score_stream([], Rouge(), **options)
    assert "give whole numbers of at least 1" in refusal(InputError, next, batches)
