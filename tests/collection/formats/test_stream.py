"""Scoring streams as a format: described, converted, and checked while they are scored."""

import gzip
import io
import json
import random
import sys
import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.strategies import few_examples
from pyramidion import Collection, score
from pyramidion.checks import describe
from pyramidion.checks.streams import StreamChecks
from pyramidion.cli.runtime import run
from pyramidion.collection.formats import detect
from pyramidion.collection.stream import StreamItem
from pyramidion.errors import DataWarning, FormatError, ShapeError
from support import shared_file


def item(topic, system, peer=None, references=None, **more):
    peer = f"Rain fell in {topic}, says {system}." if peer is None else peer
    references = references or [f"It rained in {topic}.", f"Rain fell over {topic} all day."]
    return {"topic": topic, "system": system, "peer": peer, "references": references, **more}


def sound(topics=4, systems="abc"):
    return [item(f"T{topic}", system) for topic in range(topics) for system in systems]


def doubtful():
    """One record is missing, one is empty, one has other references, and `a` is a reference."""
    records = [
        {**record, "peer": record["references"][0] + "\n"} if record["system"] == "a" else record
        for record in sound()
    ]
    records[4]["peer"] = " \n"
    records[7]["references"] = ["Another text."]
    return records[:-1]


NOTES = [
    "empty summary: T1, b: it scores 0; is that intended?",
    "missing summaries: c: 1 topic that other systems have (T3)",
    "differing references: topic T2: its records have different ones; each summary is scored "
    "against its own",
    "system equal to a reference: system a: its summaries are references on 4 of 4 topics",
]


def lines_of(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def written(path, records):
    if path.suffix == ".parquet":
        pl.DataFrame(records).write_parquet(path)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(lines_of(records).encode(), mtime=0))
    else:
        path.write_text(lines_of(records))
    return path


def parts_of(folder, *parts, ending=".jsonl"):
    folder.mkdir()
    for number, records in enumerate(parts):
        written(folder / f"part-{number}{ending}", records)
    return folder


def notes_of(source, **options):
    """Score a source, and return the notes on it, without its name."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        score(source, metrics="rouge-1", **options)
    assert all(issubclass(warning.category, DataWarning) for warning in caught)
    return [str(warning.message).removeprefix(f"{source}: ") for warning in caught]


@pytest.mark.parametrize("name", ["s.jsonl", "s.jsonl.gz", "s.parquet"])
def test_a_file_is_recognized_described_and_converted(name, tmp_path, capsys):
    source = written(tmp_path / name, sound())
    assert detect(source).name == "stream"
    assert run(["describe", str(source)]) == 0
    assert run(["convert", str(source), str(tmp_path / "made"), "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert '"format": "stream"' in out
    collection = Collection.load(tmp_path / "made")
    assert [s.system for s in collection.peers("T2")] == ["a", "b", "c"]
    references = [(s.system, s.kind, s.role, s.text) for s in collection.references("T2")]
    assert references == [
        ("ref1", "human", "reference", "It rained in T2."),
        ("ref2", "human", "reference", "Rain fell over T2 all day."),
    ]
    scored = [score(data, metrics="rouge-2") for data in (source, collection)]
    # As text, since intervals of equal scores are NaN.
    assert str(list(scored[0])) == str(list(scored[1]))


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".parquet"])
def test_a_folder_of_parts_is_the_same_as_a_file(ending, tmp_path):
    records = sound()
    whole = Collection.load(written(tmp_path / "s.jsonl", records))
    folder = parts_of(tmp_path / "s", records[:5], records[5:], ending=ending)
    if ending == ".jsonl":
        (folder / "part-2.jsonl").touch()
    assert Collection.load(folder) == whole
    first, second = describe(folder), describe(tmp_path / "s.jsonl")
    assert first[0] == second[0]
    assert str(first.signature) == str(second.signature)


def test_fields_of_a_record_are_kept(tmp_path):
    record = item(
        7, "ref1", ["One.", "Two."], [["Three.", "Four."], "Five."], task=3, kind="human", note="x"
    )
    source = written(tmp_path / "s.jsonl", [{**record, "text": "unused", "documents": ["d"]}])
    collection = Collection.load(source)
    assert collection.left_out == ("field text of 1 record",)
    peer, *references = collection.summaries
    assert (peer.key, peer.kind, peer.role) == (("3", "7", "ref1"), "human", "peer")
    assert (peer.text, peer.extra) == (("One.", "Two."), {"note": "x"})
    assert [document.text for document in collection.documents("7")] == ["d"]
    # The name ref1 is a system's.
    named = [(reference.system, reference.text) for reference in references]
    assert named == [("ref2", ("Three.", "Four.")), ("ref3", "Five.")]


def test_references_that_differ_are_all_kept_and_reported(tmp_path, capsys):
    records = [item("T1", "a"), item("T1", "b", references=["It rained in T1.", "It snowed."])]
    source = written(tmp_path / "s.jsonl", records)
    assert run(["convert", str(source), f"{tmp_path}/m"]) == 0
    note = "differing references: topic T1: its records have different ones; all are kept"
    assert capsys.readouterr().err == f"warning: {source}: {note}\n"
    collection = Collection.load(tmp_path / "m")
    texts = [reference.plain for reference in collection.references("T1")]
    assert texts == ["It rained in T1.", "Rain fell over T1 all day.", "It snowed."]


def test_the_order_of_references_does_not_matter(tmp_path):
    records = [item("T1", "a"), item("T1", "b")]
    records[1]["references"] = records[0]["references"][::-1]
    assert notes_of(written(tmp_path / "s.jsonl", records)) == []


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"topic": "T", "peer": "A", "text": "Rain.", "references": ["Rain."]}, "table"),
        ({"topic": "T", "system": "A", "prediction": "Rain.", "references": ["x"]}, "table"),
        ({"topic": "T", "peer": "A", "coherence": 3}, "table"),
        ({"topic": "T", "system": "A", "text": "Rain."}, "summaries"),
        (item("T", "A", documents=["Rain."]), "stream"),
        (item("T", "A", coherence=3), "stream"),
    ],
)
def test_other_formats_are_not_taken_for_streams(record, name, tmp_path):
    assert detect(written(tmp_path / "s.jsonl", [record])).name == name


BAD = [
    ('{"topic": "T9", "system": "a", "peer": "x", "refer', "line 13: this is not JSON"),
    (item("T9", "a", 3), "line 13: `peer` is 3, which is not text"),
    (item("T9", "a", references=["x", 3]), "line 13: `references` is 3, which is not text"),
    ({"topic": "T9", "system": "a", "references": ["x"]}, "line 13: `peer` is missing"),
    ({**item("T9", "a"), "references": []}, "line 13: `references` is not a list of texts"),
    ({"topic": "T9", "system": "a", "peer": "x"}, "line 13: `references` is not a list of texts"),
    ({**item("T9", "a"), "topic": ""}, "line 13: `topic` is empty"),
    (item("T9", "a", kind="robot"), "line 13: `kind` is 'robot'"),
]


@pytest.mark.parametrize(("bad", "message"), BAD)
@pytest.mark.parametrize("command", ["describe", "convert", "score"])
def test_damage_is_named_and_nothing_is_written(command, bad, message, tmp_path, capsys):
    source = written(tmp_path / "s.jsonl", sound())
    with source.open("a") as file:
        file.write(bad if isinstance(bad, str) else json.dumps(bad))
    target = {"describe": [], "convert": ["made"], "score": ["-o", "made.csv"]}[command]
    target = [str(tmp_path / name) if name[0] == "m" else name for name in target]
    assert run([command, str(source), *target]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["s.jsonl"]


def test_an_empty_file_and_empty_parts_are_refused(tmp_path, capsys):
    (tmp_path / "s.jsonl").touch()
    folder = parts_of(tmp_path / "parts", [], [])
    for source in (tmp_path / "s.jsonl", folder):
        assert run(["describe", str(source), "--from", "stream"]) == 2
        assert run(["convert", str(source), f"{tmp_path}/made", "--from", "stream"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].endswith("the file is empty; one JSON object per line")
    assert lines[2].endswith("there are no records in this folder; one JSON object per line")


class TestNotes:
    """The notes on a stream are those on a collection, whatever it is read from."""

    def test_they_are_those_of_describe(self, tmp_path):
        source = written(tmp_path / "s.jsonl", doubtful())
        problems = [f"{p.kind}: {p.subject}: {p.message}" for p in describe(source)[0].problems]
        assert problems == notes_of(source) == NOTES

    @pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
    def test_a_stream_is_described_as_what_it_is_converted_to(self, tmp_path):
        second = [{**record, "task": "B"} for record in sound(2, "cd")]
        source = written(tmp_path / "s.jsonl", [*doubtful(), *second])
        stream, converted = describe(source)[0], describe(Collection.load(source))[0]
        assert replace(stream, problems=()) == replace(converted, problems=())
        # Consequences of different references differ.
        assert [p.kind for p in stream.problems] == [p.kind for p in converted.problems]
        assert [p.subject for p in stream.problems] == [p.subject for p in converted.problems]

    def test_they_are_the_same_from_standard_input_gzip_parquet_and_parts(
        self, tmp_path, monkeypatch
    ):
        records = doubtful()
        for name in ("s.jsonl.gz", "s.parquet"):
            assert notes_of(written(tmp_path / name, records)) == NOTES
        piped = io.TextIOWrapper(io.BytesIO(lines_of(records).encode()))
        monkeypatch.setattr(sys, "stdin", piped)
        assert notes_of("-") == NOTES
        for cuts in ([11], [1, 5], [3, 3, 4]):
            ends = [sum(cuts[: index + 1]) for index in range(len(cuts))]
            parts = [records[a:b] for a, b in zip([0, *ends], [*ends, 11], strict=True)]
            folder = parts_of(tmp_path / f"in{len(cuts)}", *parts)
            target = tmp_path / f"out{len(cuts)}"
            assert notes_of(folder, output=target) == NOTES
            # Finished parts are not read again.
            assert notes_of(folder, output=target) == NOTES

    @pytest.mark.long
    def test_they_are_the_same_on_all_cores(self, tmp_path):
        records = doubtful()
        folder = parts_of(tmp_path / "in", records[:4], records[4:])
        assert notes_of(folder, output=tmp_path / "out", engine="cores", workers=2) == NOTES

    def test_other_commands_on_parts_have_them_too(self, tmp_path, capsys):
        records = doubtful()
        folder = parts_of(tmp_path / "in", records[:4], records[4:])
        assert run(["pyramid", "auto", str(folder), "-o", f"{tmp_path}/out"]) == 0
        err = capsys.readouterr().err
        assert [line for line in err.splitlines() if line.startswith("warning")] == [
            f"warning: {folder}: {note}" for note in NOTES
        ]

    def test_strict_refuses_and_writes_nothing(self, tmp_path, capsys):
        source = written(tmp_path / "s.jsonl", doubtful())
        assert run(["score", str(source), "--strict", "-o", f"{tmp_path}/scores.csv"]) == 2
        assert NOTES[0] in capsys.readouterr().err
        assert [path.name for path in tmp_path.iterdir()] == ["s.jsonl"]

    @pytest.mark.parametrize(
        ("change", "note"),
        [
            (
                {"references": ["It rained in T1.", " "]},
                "empty reference: topic T1: no text can match it",
            ),
            (
                {"peer": "It  rained\nin T1."},
                "summary equal to a reference: topic T1, system b: it is one of its own references "
                "(1 of 4 topics)",
            ),
            (
                {"peer": ["It rained", "in T1."]},
                "summary equal to a reference: topic T1, system b: it is one of its own references "
                "(1 of 4 topics)",
            ),
            ({"peer": "\u3000"}, "empty summary: T1, b: it scores 0; is that intended?"),
            ({"peer": []}, "empty summary: T1, b: it scores 0; is that intended?"),
            (
                {"system": "B"},
                "spelled in two ways: system 'B' and 'b': they are treated as different; use "
                "one spelling",
            ),
        ],
    )
    def test_each_cause(self, change, note, tmp_path):
        records = sound()
        records[4].update(change)
        assert note in notes_of(written(tmp_path / "s.jsonl", records))

    def test_people_may_lack_topics(self, tmp_path):
        records = [*sound(), item("T1", "K", kind="human"), item("T9", "K", kind="human")]
        assert notes_of(written(tmp_path / "s.jsonl", records)) == []

    def test_each_cause_is_reported_once(self, tmp_path):
        records = [item(f"T{n}", s, peer="") for n in range(12) for s in "ab"][:-2]
        records = [*records, item("T11", "c", "x")]
        notes = notes_of(written(tmp_path / "s.jsonl", records))
        assert notes == [
            "empty summary: T0, a: it scores 0; is that intended?; 10 more of its system are empty "
            "(also T0, b; `pyramidion check` lists all)",
            "missing summaries: a: 1 topic that other systems have (T11) "
            "(also b, c; `pyramidion check` lists all)",
        ]


@st.composite
def streams(draw):
    """Make a few items with short names and texts, so that much is doubtful."""
    keys = draw(
        st.lists(
            st.tuples(*map(st.sampled_from, (["", "B"], "TUVWXYZ", "ab"))),
            min_size=1, max_size=20, unique=True,
        )
    )  # fmt: skip
    texts = st.sampled_from(["Rain.", "Sun.", "", " ", ("Rain.", "Sun."), "Rain. Sun."])
    lists = st.lists(texts, min_size=1, max_size=2).map(tuple)
    kinds = st.sampled_from(["machine", "human"])
    return [
        StreamItem(task, topic, system, draw(kinds), draw(texts), draw(lists))
        for task, topic, system in keys
    ]


def checked(items, size):
    checks = StreamChecks()
    for index in range(0, len(items), size):
        checks.add(items[index : index + size])
    return checks


@few_examples
@given(streams(), st.integers(1, 4), st.integers(1, 5), st.integers(1, 5), st.randoms())
def test_notes_depend_neither_on_order_nor_on_cutting(items, recent, size, parts, shuffled):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pyramidion.checks.streams._MAX_RECENT_TOPICS", recent)
        whole = checked(items, len(items))
        mixed = shuffled.sample(items, len(items))
        states = [checked(mixed[index::parts], size) for index in range(parts)]
        again = [StreamChecks.from_dict(json.loads(json.dumps(s.to_dict()))) for s in states]
        for checks in (states, again):
            merged = StreamChecks.merged(checks)
            assert list(merged.problems()) == list(whole.problems())
            assert (merged.topics(), merged.systems()) == (whole.topics(), whole.systems())
            assert not merged.repeated


@few_examples
@given(streams(), st.integers(1, 5), st.integers(1, 5), st.randoms())
def test_repeated_summaries_are_noticed_in_any_part(items, size, parts, shuffled):
    mixed = shuffled.sample([*items, items[-1]], len(items) + 1)
    states = [checked(mixed[index::parts], size) for index in range(parts)]
    again = [StreamChecks.from_dict(json.loads(json.dumps(s.to_dict()))) for s in states]
    assert len(StreamChecks.merged(states).repeated) == 1
    assert StreamChecks.merged(again).repeated == StreamChecks.merged(states).repeated
    assert checked(mixed, size).repeated == StreamChecks.merged(states).repeated


class TestRepeated:
    """A summary that occurs twice is refused, in a file and in parts alike."""

    TWICE = "topic T1, system a occurs twice; the other one is in {}; keep one for each task, topic"

    def test_in_a_file(self, tmp_path):
        source = written(tmp_path / "s.jsonl", [*sound(), item("T1", "a", "Another text.")])
        with pytest.raises(FormatError) as caught:
            score(source, output=tmp_path / "scores.csv")
        message = self.TWICE.format(f"{source}, line 4")
        assert str(caught.value).startswith(f"{source}, line 13: {message}")
        assert not (tmp_path / "scores.csv").exists()
        with pytest.raises(ShapeError, match="duplicated summary: T1, a"):
            Collection.load(source)
        (problem,) = describe(source)[0].problems
        assert (problem.kind, problem.subject) == ("duplicated summary", "topic T1, system a")
        assert f"line 13: it occurs twice; the other one is in {source}, line 4" in problem.message

    @pytest.mark.parametrize("indices", [(0, 0), (0, 2), (2, 1)])
    def test_in_parts_also_when_they_are_finished(self, indices, tmp_path):
        records = sound()
        parts = [records[:4], records[4:8], records[8:]]
        twice = item("U", "a")
        for index in indices:
            parts[index] = [*parts[index], twice]
        folder, target = parts_of(tmp_path / "in", *parts), tmp_path / "out"
        first, second = sorted(indices)
        earlier = f"{folder}/part-{first}.jsonl, line 5"
        later = f"{folder}/part-{second}.jsonl, line {5 + (first == second)}"
        for _ in range(2):
            with pytest.raises(FormatError) as caught:
                score(folder, output=target, metrics="rouge-1")
            message = self.TWICE.replace("T1", "U").format(earlier)
            assert str(caught.value).startswith(f"{later}: {message}")
        with pytest.raises(ShapeError, match="duplicated summary: U, a"):
            Collection.load(folder)

    def test_in_a_part_that_an_earlier_version_finished(self, tmp_path):
        parts = sound(2), [*sound(4)[6:], item("T1", "a")]
        folder, target = parts_of(tmp_path / "in", *parts), tmp_path / "out"
        for _ in range(2):
            with pytest.raises(FormatError, match="topic T1, system a occurs twice"):
                score(folder, output=target, metrics="rouge-1")
            for path in (target / "_done").iterdir():
                report = json.loads(path.read_text())
                del report["checks"]
                path.write_text(json.dumps(report))

    def test_another_task_is_another_summary(self, tmp_path):
        records = [*sound(), *({**record, "task": "B"} for record in sound())]
        assert notes_of(written(tmp_path / "s.jsonl", records)) == []


def as_stream(path: Path, target: Path) -> list[dict[str, object]]:
    """Write judged summaries of five systems, with references, as a stream."""
    names = {"topic": "topic", "task": "task", "system": "system", "summary": "peer",
             "references": "references"}  # fmt: skip
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        judged = [json.loads(line) for line in lines]
    records = [
        {name: record[field] for field, name in names.items()}
        for record in judged
        if record["system"] in ("M0", "M8", "M11", "M17", "M23") and record.get("references")
    ]
    written(target, records)
    return records


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
def test_published_summaries_as_a_stream(tmp_path):
    source = tmp_path / "s.jsonl"
    records = as_stream(shared_file("data/summeval.jsonl.gz"), source)
    collection = Collection.load(source)
    stream, converted = describe(source)[0], describe(collection)[0]
    assert replace(stream, problems=()) == replace(converted, problems=())
    assert (stream.topics, stream.tasks[0].peers) == (100, len(records))
    random.Random(0).shuffle(records)
    parts = [records[index::3] for index in range(3)]
    folder = parts_of(tmp_path / "in", *parts)
    score_all = partial(score, metrics="rouge-2")
    means = [
        {(r["system"], r["n"]): r["mean"] for r in result}
        for result in (
            score_all(source),
            score_all(collection),
            score_all(folder, output=tmp_path / "o"),
        )
    ]
    assert means[0] == means[1] == pytest.approx(means[2], abs=1e-12)
    assert notes_of(source) == notes_of(folder, output=tmp_path / "p")
