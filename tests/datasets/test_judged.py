"""Judged summaries: read, written, refused. All texts are invented."""

import gzip
import itertools
import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collection.strategies import few_examples
from pyramidion.checks import find_problems
from pyramidion.collection import Collection, Judgment, Measure, Scores, Task
from pyramidion.collection.formats import format_named, write_collection
from pyramidion.collection.matrix import ScoreMatrix
from pyramidion.collection.pyramids import Pyramid
from pyramidion.collection.summaries import Document, Summary, Topic
from pyramidion.errors import FormatError, InputError, NotFoundError
from pyramidion.files import reading
from support import shared_collection

FORMAT = format_named("judged")
read_judged = FORMAT.read


def write_judged(collection, path):
    return write_collection(collection, path, format="judged")


RAIN = {
    "dataset": "weather",
    "topic": "T1",
    "task": "short",
    "system": "M1",
    "kind": "machine",
    "summary": "It rained. Roads closed.",
    "references": ["Rain fell in Oslo.", "Oslo was wet."],
}

JUDGMENTS = [
    {"assessor": "expert1", "name": "coherence", "value": 5},
    {"assessor": "expert2", "name": "coherence", "value": 4},
    {"assessor": "turker1", "name": "coherence", "value": 2},
    {"assessor": "rater1", "name": "aspect_coverage", "value": 3},
]

SCUS = [
    {"id": 0, "text": "Rain fell.", "weight": 1},
    {"id": 1, "text": "It was Oslo.", "weight": 1},
]


def line(**fields):
    return {**RAIN, **fields}


def write_lines(path: Path, *lines: dict) -> Path:
    path.write_text("".join(json.dumps(fields) + "\n" for fields in lines), encoding="utf-8")
    return path


@pytest.fixture
def read(tmp_path):
    """Read a file with the given lines."""
    return lambda *lines: read_judged(write_lines(tmp_path / "a.jsonl", *lines))


def values(collection, **columns):
    return {(j.measure, j.assessor, j.unit): j.value for j in collection.scores.select(**columns)}


def by_system(collection):
    return {summary.system: summary for summary in collection.summaries}


class TestNames:
    @pytest.mark.parametrize(
        ("name", "measure"),
        [
            ("human_fluency", "fluency"),
            ("human_aspect_coverage", "aspect-coverage"),
            ("expert_coherence", "expert-coherence"),
            ("turker_coherence", "turker-coherence"),
            ("published_litepyramid_recall", "published-litepyramid-recall"),
            ("auto_rouge-2_f1", "auto-rouge-2-f1"),
            ("responsiveness", "responsiveness"),
        ],
    )
    def test_a_score_becomes_a_measure(self, read, name, measure):
        assert read(line(scores={name: 3})).scores.measures == (measure,)

    @pytest.mark.parametrize(
        ("assessor", "measure"),
        [("expert2", "expert-coherence"), ("turker", "turker-coherence"), ("rater2", "coherence")],
    )
    def test_a_judgment_is_named_after_the_group_of_its_assessor(self, read, assessor, measure):
        judgment = {"assessor": assessor, "name": "coherence", "value": 4}
        assert read(line(assessor_scores=[judgment])).scores.measures == (measure,)

    measures = st.text(st.characters(exclude_characters="_", exclude_categories=["Cs"]), min_size=1)
    marked = st.sampled_from(["", "expert-", "turker-", "auto-", "published-", "human-"])
    assessors = st.sampled_from(["", "K", "expert", "expert1", "turker12", "rater3", "expert1b"])

    @few_examples
    @given(mark=marked, name=measures, assessor=assessors)
    def test_a_measure_is_read_back(self, tmp_path_factory, mark, name, assessor):
        scores = Scores.from_judgments([Judgment("T1", "7", mark + name, 3, assessor=assessor)])
        judged = Collection("c", summaries=(Summary("T1", "7", "Rain."),), scores=scores)
        path = tmp_path_factory.mktemp("names") / "a.jsonl"
        write_judged(judged, path)
        assert (name.strip("-") and read_judged(path).scores) in ("", scores)


class TestReading:
    def test_peers_and_references(self, read):
        collection = read(line(), line(system="M2", summary="Wet."))
        assert collection.name == "weather"
        assert collection.topics == (Topic("T1"),)
        assert collection.summaries == (
            Summary("T1", "M1", "It rained. Roads closed.", task="short"),
            Summary("T1", "M2", "Wet.", task="short"),
            Summary("T1", "ref1", "Rain fell in Oslo.", "short", "human", "reference"),
            Summary("T1", "ref2", "Oslo was wet.", "short", "human", "reference"),
        )
        assert find_problems(collection) == []

    def test_a_name_of_a_reference_that_is_taken_is_not_used(self, read):
        collection = read(line(system="ref1"))
        assert [s.system for s in collection.references("T1", "short")] == ["ref2", "ref3"]

    def test_documents_of_a_line_are_those_of_its_topic(self, read):
        collection = read(
            {**RAIN, "documents": ["It rained."]},
            {**RAIN, "system": "M2", "documents": ["It rained."]},
        )
        assert collection.topics == (Topic("T1", documents=(Document("d1", "It rained."),)),)

    def test_sentences_are_the_text(self, read):
        sentences = ["It rained.", "Roads closed."]
        assert by_system(read(line(sentences=sentences)))["M1"].text == tuple(sentences)

    def test_sentences_with_other_spaces_keep_the_text_next_to_them(self, read):
        sentences = ["It rained.", "Roads  closed."]
        summary = by_system(read(line(sentences=sentences)))["M1"]
        assert summary.text == tuple(sentences)
        assert summary.extra == {"summary": "It rained. Roads closed."}

    def test_sentences_with_other_words_are_set_aside(self, read):
        collection = read(line(sentences=["It rained."]))
        summary = by_system(collection)["M1"]
        assert summary.text == "It rained. Roads closed."
        assert summary.extra == {"sentences": ["It rained."]}
        assert collection.left_out == (
            "1 divisions into sentences that differ from the summary, kept separately",
        )

    def test_an_empty_summary_is_one(self, read):
        assert by_system(read(line(summary="")))["M1"].text == ""

    def test_unknown_fields_are_kept(self, read):
        collection = read(line(text_form="recased", url={"a": [1]}, text="x"))
        assert by_system(collection)["M1"].extra == {"text_form": "recased", "url": {"a": [1]}}
        assert collection.left_out == ("1 fields `text`",)

    def test_another_dataset_is_reported(self, read):
        collection = read(line(), line(system="M2", dataset="climate"))
        assert by_system(collection)["M2"].extra == {"dataset": "climate"}

    def test_numbers_are_ids_too(self, read):
        assert {"7", "ref1"} <= by_system(read(line(system=7))).keys()

    def test_a_repeated_summary_is_found(self, read):
        problems = find_problems(read(line(), line()))
        assert [problem.kind for problem in problems if problem.fatal] == ["duplicated summary"]


class TestPeople:
    def test_a_person_quoted_as_a_reference_is_one(self, read):
        person = line(
            system="A", kind="human", summary="Oslo was wet.", references=RAIN["references"][:1]
        )
        collection = read(line(), person)
        assert by_system(collection)["A"].role == "both"
        assert [s.system for s in collection.references("T1", "short")] == ["A", "ref1"]

    def test_two_people_who_are_each_other_s_reference(self, read):
        collection = read(
            line(system="A", kind="human", summary="Rain.", references=["Snow."]),
            line(system="B", kind="human", summary="Snow.", references=["Rain."]),
        )
        assert [(s.system, s.role) for s in collection.summaries] == [("A", "both"), ("B", "both")]

    def test_a_person_who_is_not_quoted_is_a_peer(self, read):
        assert by_system(read(line(), line(system="A", kind="human")))["A"].role == "peer"

    def test_a_person_without_references_is_both(self, read):
        assert by_system(read(line(system="A", kind="human", references=[])))["A"].role == "both"

    @pytest.mark.parametrize(
        ("role", "expected"),
        [("model", "both"), ("both", "both"), ("peer", "peer"), ("reference", "reference")],
    )
    def test_the_role_can_be_given(self, read, role, expected):
        assert by_system(read(line(system="A", kind="human", role=role)))["A"].role == expected

    def test_references_in_another_order_are_the_same(self, read):
        collection = read(line(), line(system="M2", references=RAIN["references"][::-1]))
        assert len(collection.references("T1", "short")) == 2

    def test_the_same_reference_twice_is_two(self, read):
        assert len(read(line(references=["Wet.", "Wet."])).references("T1", "short")) == 2

    def test_a_person_and_somebody_else_can_write_the_same(self, read):
        person = line(system="A", kind="human", summary="Wet.", references=["Wet."])
        collection = read(line(references=["Wet.", "Wet."]), person)
        assert [s.system for s in collection.references("T1", "short")] == ["A", "ref1"]

    def test_a_reference_may_be_a_list_of_sentences(self, read):
        collection = read(line(references=[["It rained.", "All day."], "Wet."]))
        texts = [summary.text for summary in collection.references("T1", "short")]
        assert texts == ["It rained.\nAll day.", "Wet."]
        with pytest.raises(FormatError, match="not a list of texts"):
            read(line(references=[["It rained.", 3]]))

    def test_tasks_have_their_own_references(self, read):
        collection = read(line(), line(task="long", references=["It rained a lot."]))
        assert [s.text for s in collection.references("T1", "long")] == ["It rained a lot."]

    @pytest.mark.parametrize("other", [["Snow fell."], RAIN["references"][:1]])
    def test_references_that_differ_are_refused(self, read, other):
        with pytest.raises(
            FormatError, match=r"a.jsonl, line 2: the references of topic T1 differ"
        ):
            read(line(), line(system="M2", references=other))


class TestScores:
    def test_experts_and_turkers_are_distinguished(self, read):
        assert values(read(line(assessor_scores=JUDGMENTS))) == {
            ("expert-coherence", "expert1", ""): 5,
            ("expert-coherence", "expert2", ""): 4,
            ("turker-coherence", "turker1", ""): 2,
            ("aspect-coverage", "rater1", ""): 3,
        }

    def test_a_mean_is_left_out_where_its_judgments_are_there(self, read):
        scores = {"expert_coherence": 4.5, "turker_coherence": 2.0, "human_aspect_coverage": 3.0}
        collection = read(line(assessor_scores=JUDGMENTS, scores=scores))
        assert len(collection.scores) == 4
        assert collection.left_out == ("3 means of judgments that are listed one by one",)

    def test_a_mean_may_be_rounded(self, read):
        judgments = [
            {"assessor": f"expert{n}", "name": "x", "value": v} for n, v in enumerate((5, 5, 4))
        ]
        collection = read(line(assessor_scores=judgments, scores={"expert_x": 4.666667}))
        assert collection.scores.measures == ("expert-x",)

    def test_another_mean_than_that_of_the_judgments_is_kept(self, read):
        collection = read(line(assessor_scores=JUDGMENTS, scores={"expert_coherence": 4.6}))
        assert values(collection, measure="published-expert-coherence") == {
            ("published-expert-coherence", "", ""): 4.6
        }

    def test_scores_of_people_and_metrics(self, read):
        scores = {"human_fluency": 4, "published_fluency": 5, "auto_rouge-2_f1": 0.25, "mine": -1}
        assert values(read(line(scores=scores))) == {
            ("fluency", "", ""): 4,
            ("published-fluency", "", ""): 5,
            ("auto-rouge-2-f1", "", ""): 0.25,
            ("mine", "", ""): -1,
        }

    def test_a_score_without_a_value_is_counted(self, read):
        collection = read(line(scores={"human_fluency": None}))
        assert collection.left_out == ("1 scores without a value",)

    def test_units_are_numbered_from_0(self, read):
        answers = [[1, 0], [1, 1]]
        assert values(read(line(scu_labels=[1, 0], scu_worker_answers=answers))) == {
            ("scu", "", "0"): 1,
            ("scu", "", "1"): 0,
            ("scu-answer", "worker1", "0"): 1,
            ("scu-answer", "worker1", "1"): 0,
            ("scu-answer", "worker2", "0"): 1,
            ("scu-answer", "worker2", "1"): 1,
        }

    def test_a_row_of_the_published_table_is_a_worker(self, read):
        judgment = {"assessor": "worker_row3", "name": "scu_recall", "value": 0.5}
        assert values(read(line(assessor_scores=[judgment]))) == {
            ("scu-recall", "worker3", ""): 0.5
        }

    def test_rows_know_whose_they_are(self, read):
        (row,) = read(line(kind="human", scores={"human_fluency": 4})).scores
        assert row == Judgment("T1", "M1", "fluency", 4.0, task="short", kind="human")

    def test_fields_of_judgments_are_counted(self, read):
        judgment = {"assessor": "K", "name": "fluency", "value": 1, "comment": "good"}
        assert read(line(assessor_scores=[judgment])).left_out == (
            "1 fields `comment` of judgments",
        )


class TestTopics:
    def test_documents_get_names(self, read):
        collection = read({"topic": "T1", "documents": ["Rain.", "Snow."], "references": ["Wet."]})
        assert collection.topics[0].documents == (Document("d1", "Rain."), Document("d2", "Snow."))
        assert [s.system for s in collection.references("T1")] == ["ref1"]

    def test_documents_can_have_names(self, read):
        collection = read({"topic": "T1", "documents": [{"id": "a", "text": "Rain."}], "url": "x"})
        assert collection.topics == (
            Topic("T1", documents=(Document("a", "Rain."),), extra={"url": "x"}),
        )

    def test_files_next_to_it_are_read_too(self, tmp_path):
        data = gzip.compress(json.dumps({"topic": "T1", "scus": SCUS}).encode(), mtime=0)
        (tmp_path / "a_scus.jsonl.gz").write_bytes(data)
        topic = {"topic": "T1", "documents": ["Rain."], "references": RAIN["references"]}
        write_lines(tmp_path / "a_topics.jsonl", topic)
        collection = read_judged(write_lines(tmp_path / "a.jsonl", line(scu_labels=[1, 0])))
        assert collection.topics == (
            Topic("T1", documents=(Document("d1", "Rain."),), extra={"scus": SCUS}),
        )
        assert len(collection.references("T1", "short")) == 2
        assert collection.task_ids == ("short",)
        assert collection.description == (
            "SCUs are from a_scus.jsonl.gz. Documents are from a_topics.jsonl."
        )

    def test_a_companion_is_read_alone(self, tmp_path):
        path = write_lines(tmp_path / "a_scus.jsonl", {"topic": "T1", "scus": SCUS})
        assert FORMAT.matches(path)
        assert read_judged(path).topics[0].extra == {"scus": SCUS}

    def test_a_topic_listed_twice_is_found(self, read):
        topic = {"topic": "T1", "documents": ["Rain."]}
        kinds = [p.kind for p in find_problems(read(topic, topic)) if p.fatal]
        assert kinds == ["duplicated topic"]

    def test_more_labels_than_scus_are_refused(self, tmp_path):
        write_lines(tmp_path / "a_scus.jsonl", {"topic": "T1", "scus": SCUS})
        with pytest.raises(FormatError, match=r"a.jsonl, line 1: 3 SCUs for topic T1, but 2 in"):
            read_judged(write_lines(tmp_path / "a.jsonl", line(scu_labels=[1, 0, 1])))


class TestBadInput:
    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"summary": None}, "`summary` is null, not text"),
            ({"summary": ["Rain."]}, "`summary` is a list, not text"),
            ({"topic": ""}, "`topic` is empty"),
            ({"system": None}, "`system` is null, not text"),
            ({"kind": "robot"}, "`kind` is 'robot'; write one of: human, machine"),
            ({"role": "judge"}, "`role` is 'judge'; write one of: peer, reference, both, model"),
            ({"references": "Rain."}, "`references` is text, not a list of texts"),
            ({"sentences": [1]}, "`sentences` is a list, not a list of texts"),
            ({"scores": [1]}, "`scores` is not an object"),
            ({"scores": {"x": "4"}}, "scores: `x` is text, not a number"),
            ({"scores": {"x": float("nan")}}, "scores: `x` is nan"),
            ({"scores": {"x": 10**400}}, "scores: `x` is too large"),
            ({"scores": {"human_": 1}}, "scores: a score has no name"),
            ({"scores": {"human_x": 1, "x": 2}}, "scores: two names denote measure x"),
            ({"assessor_scores": {}}, "`assessor_scores` is an object, not a list of objects"),
            ({"assessor_scores": [{"name": "x", "value": 1}]}, "no. 1: `assessor` is missing"),
            (
                {"assessor_scores": [{"assessor": "K", "name": "x", "value": float("inf")}]},
                "assessor_scores no. 1: `value` is inf",
            ),
            ({"scu_labels": [0, 2]}, "`scu_labels` is not a list of 0 and 1"),
            ({"scu_labels": "01"}, "`scu_labels` is not a list of 0 and 1"),
            ({"scu_worker_answers": [0, 1]}, "`scu_worker_answers` is not a list of 0 and 1"),
            ({"scu_worker_answers": {"a": []}}, "`scu_worker_answers` is not a list"),
            ({"scu_labels": [0], "scu_worker_answers": [[0, 1]]}, "2 SCUs for topic T1, but 1 in"),
        ],
    )
    def test_a_wrong_field_is_named(self, read, fields, message):
        with pytest.raises(FormatError) as error:
            read(line(system="M0"), line(**fields))
        assert "a.jsonl, line 2" in str(error.value)
        assert message in str(error.value)
        assert "\n" not in str(error.value)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"topic": "T1"}, "`system` is missing; a line contains a judged summary or a topic"),
            ({"documents": ["Rain."]}, "`topic` is missing"),
            ({"topic": "T1", "documents": "Rain."}, "`documents` is text, not a list of texts"),
            ({"topic": "T1", "documents": ["Rain.", {}]}, "`documents` no. 1 is not an object"),
            ({"topic": "T1", "scus": ["Rain."]}, "`scus` no. 1 is not an object"),
            ({"topic": "T1", "scus": [{"id": 0}]}, "scus no. 1: `text` is missing"),
            ({"topic": "T1", "system": "M1"}, "`summary` is missing"),
        ],
    )
    def test_a_wrong_topic_is_named(self, read, fields, message):
        with pytest.raises(FormatError, match=re.escape(message)):
            read(fields)

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "the file is empty"),
            (b"\n\n", "the file is empty"),
            (json.dumps(RAIN).encode()[:-9], "line 1: this is not JSON"),
            (
                json.dumps(RAIN).encode() + b'\n{"topic": "caf\xe9"}',
                "line 2: byte 0xe9 is not UTF-8",
            ),
            (b"[1]", "this is not a JSON object"),
            (
                gzip.compress(json.dumps(RAIN).encode() * 99, mtime=0)[:-20],
                "the gzipped data is damaged",
            ),
        ],
    )
    def test_a_damaged_file_is_refused(self, tmp_path, data, message):
        path = tmp_path / "a.jsonl"
        path.write_bytes(data)
        with pytest.raises(FormatError, match=message):
            read_judged(path)

    def test_a_huge_line_is_refused(self, tmp_path, monkeypatch):
        monkeypatch.setattr(reading, "MAX_LINE_BYTES", 1000)
        path = write_lines(tmp_path / "a.jsonl", line(), line(summary="x" * 2000))
        with pytest.raises(FormatError, match="line 2: the line is longer than"):
            read_judged(path)

    def test_a_missing_file_is_named(self, tmp_path):
        with pytest.raises(NotFoundError, match="there is no such file"):
            read_judged(tmp_path / "a.jsonl")


class TestMatching:
    @pytest.mark.parametrize(
        ("fields", "expected"),
        [
            (RAIN, True),
            ({"topic": "T1", "documents": []}, True),
            ({"topic": "T1", "scus": []}, True),
            ({"topic": "T1", "system": "M1", "text": "Rain."}, False),
            ({"topic": "T1", "task": "A", "system": "M1", "summary": "Rain."}, True),
            ({"topic": "T1", "system": "M1", "summary": "Rain.", "reference": "Sun."}, False),
            ({"topic": "T1", "system": "M1", "summary": "Rain.", "relevance": 4}, False),
            ({"id": "T1", "documents": []}, False),
            ({"topic": "T1", "system": "M1", "measure": "x", "value": 1}, False),
        ],
    )
    def test_by_the_first_line(self, tmp_path, fields, expected):
        assert FORMAT.matches(write_lines(tmp_path / "a.txt", fields)) is expected

    @pytest.mark.parametrize("data", [b"", b"\x80\x04", b"topic,system\n", b"[1]", b"\xff{}"])
    def test_anything_else_does_not(self, tmp_path, data):
        path = tmp_path / "a.jsonl"
        path.write_bytes(data)
        assert not FORMAT.matches(path)
        assert not FORMAT.matches(tmp_path)


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
numbers = st.floats(-1e6, 1e6)
measures = st.builds(
    lambda mark, name: mark + name,
    st.sampled_from(["", "expert-", "turker-", "auto-", "published-"]),
    st.text("abc1-.", min_size=1, max_size=4).filter(lambda name: name.strip("-")),
)
assessors = st.sampled_from(["K", "expert1", "expert2", "turker1", "worker1"])
fields = st.dictionaries(words.map("x{}".format), st.none() | st.integers() | words, max_size=2)


@st.composite
def texts(draw, number):
    """Draw a text that no other summary has."""
    text = draw(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), max_size=2))
    return f"{number} {' '.join(text)}" if draw(st.booleans()) else (f"{number}", *text)


@st.composite
def rows(draw, summary, units):
    """Draw scores, single judgments and marks of SCUs of one summary."""
    judged = draw(st.dictionaries(st.tuples(measures, assessors), numbers, max_size=4))
    alone = draw(st.dictionaries(measures, numbers, max_size=3))
    scores = {(m, a, ""): v for (m, a), v in judged.items()}
    scores |= {(m, "", ""): v for m, v in alone.items() if m not in {m for m, _ in judged}}
    marks = st.lists(st.integers(0, 1), min_size=units, max_size=units)
    if draw(st.booleans()):
        scores |= {("scu", "", str(n)): v for n, v in enumerate(draw(marks))}
    for worker in range(1, draw(st.integers(0, 2)) + 1):
        scores |= {("scu-answer", f"worker{worker}", str(n)): v for n, v in enumerate(draw(marks))}
    return [
        Judgment(
            summary.topic, summary.system, m, float(v), summary.task, summary.kind, a, unit=unit
        )
        for (m, a, unit), v in scores.items()
    ]


@st.composite
def collections(draw):
    """Draw a collection of which judged summaries can hold everything."""
    kinds = draw(
        st.dictionaries(
            words.filter(lambda name: not name.startswith("ref")),
            st.sampled_from(["human", "machine"]),
            min_size=1,
            max_size=3,
        )
    )
    addresses = draw(
        st.lists(st.tuples(st.just("") | words, words), min_size=1, max_size=3, unique=True)
    )
    counter = itertools.count()
    summaries, judgments = [], []
    for task, topic in addresses:
        for system in draw(st.lists(st.sampled_from(sorted(kinds)), min_size=1, unique=True)):
            role = draw(st.sampled_from(["peer", "both"]))
            text = draw(texts(next(counter)))
            peer = Summary(topic, system, text, task, kinds[system], role, extra=draw(fields))
            summaries.append(peer)
            judgments += draw(rows(peer, len(task) % 3))
        for number in range(1, draw(st.integers(0, 2)) + 1):
            text = f"{next(counter)} {draw(words)}"
            summaries.append(Summary(topic, f"ref{number}", text, task, "human", "reference"))
    topics = tuple(Topic(topic) for topic in dict.fromkeys(topic for _, topic in addresses))
    name = draw(words)
    return Collection(
        name, topics=topics, summaries=tuple(summaries), scores=Scores.from_judgments(judgments)
    )


def in_order(summaries):
    return sorted(summaries, key=lambda summary: summary.key)


class TestWriting:
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(collection=collections())
    @pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
    def test_everything_is_read_back(self, tmp_path, collection, name):
        path = tmp_path / name
        assert write_judged(collection, path) == ()
        again = read_judged(path)
        assert again.name == collection.name
        assert again.topics == collection.topics
        assert in_order(again.summaries) == in_order(collection.summaries)
        assert again.scores == collection.scores
        assert FORMAT.matches(path)

    def test_a_line_is_what_the_published_files_have(self, tmp_path, read):
        judgments = [{"assessor": f"expert{n}", "name": "coherence", "value": n} for n in (1, 2)]
        fields = line(
            role="peer",
            sentences=["It rained.", "Roads closed."],
            scores={"expert_coherence": 1.5, "auto_rouge-2": 0.5},
            assessor_scores=judgments,
            scu_labels=[1, 0],
            scu_worker_answers=[[1, 0], [0, 0]],
            text_form="recased",
        )
        write_judged(read(fields), tmp_path / "b.jsonl")
        assert json.loads((tmp_path / "b.jsonl").read_text()) == fields

    def test_nobody_is_their_own_reference(self, tmp_path):
        people = (Summary("T1", name, f"{name}.", kind="human") for name in "AB")
        write_judged(Collection("c", summaries=tuple(people)), tmp_path / "a.jsonl")
        lines = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
        assert [fields["references"] for fields in lines] == [["B."], ["A."]]

    def test_a_metric_is_not_called_human(self, tmp_path):
        scores = Scores({"topic": ["T1"], "system": ["7"], "measure": ["rouge-2-r"]}, [0.5])
        collection = Collection("c", summaries=(Summary("T1", "7", "Rain."),), scores=scores)
        write_judged(collection, tmp_path / "a.jsonl")
        assert json.loads((tmp_path / "a.jsonl").read_text())["scores"] == {"rouge-2-r": 0.5}

    def test_what_has_no_place_is_counted(self, tmp_path):
        rows = [
            Judgment("T1", "7", "a_b", 1, assessor="K", time="noon"),
            Judgment("T1", "7", "a_b", 1),
            Judgment("T1", "7", "fluency", 1, occasion="2"),
            Judgment("T1", "9", "fluency", 1),
            Judgment("T1", "7", "coverage", 20, unit="m/1"),
            Judgment("T1", "7", "scu", 1, unit="0"),
        ]
        collection = Collection(
            "c",
            description="A collection.",
            tasks=(Task("A"),),
            topics=(Topic("T1", title="Rain", documents=(Document("a", "Rain."),)), Topic("T2")),
            summaries=(
                Summary("T1", "7", "Rain.", extra={"scores": 1}),
                Summary("T1", "A", ("Wet.",), kind="human", role="reference", extra={"a": 1}),
                Summary("T2", "ref1", "Wet.", role="reference"),
            ),
            scores=Scores.from_judgments(rows),
            measures={"fluency": Measure()},
            pyramids={("", "T1"): Pyramid("")},
        )
        assert set(write_judged(collection, tmp_path / "a.jsonl")) == {
            "1 times of judgments",
            "2 underscores in names of measures, written as dashes",
            "1 scores of a measure that also has single judgments",
            "1 scores of an occasion, a run or another collection",
            "1 scores of missing summaries",
            "2 judgments of units",
            "1 fields with the name of another",
            "1 topics without peers",
            "1 references of topics without peers",
            "1 references by machines, which become references by people",
            "1 names of references",
            "1 divisions of references into sentences",
            "1 fields of references",
            "1 documents",
            "1 descriptions of topics",
            "1 tasks",
            "1 pyramids",
            "1 declared measures",
            "1 remarks on the collection",
        }

    def test_half_a_character_can_be_written(self, tmp_path):
        collection = Collection("c", summaries=(Summary("T1", "7", "\ud83d"),))
        write_judged(collection, tmp_path / "a.jsonl")
        assert json.loads((tmp_path / "a.jsonl").read_bytes())["summary"] == "\ud83d"

    def test_nothing_to_write_is_refused(self, tmp_path):
        with pytest.raises(InputError, match="the collection has no peers"):
            write_judged(Collection("c"), tmp_path / "a.jsonl")
        assert list(tmp_path.iterdir()) == []

    def test_nothing_half_written_remains(self, tmp_path):
        broken = Collection("c", summaries=(Summary("T1", "7", "Rain.", extra={"a": object()}),))
        with pytest.raises(TypeError):
            write_judged(broken, tmp_path / "a.jsonl")
        with pytest.raises(NotFoundError, match="does not exist"):
            write_judged(
                Collection("c", summaries=(Summary("T1", "7", "Rain."),)),
                tmp_path / "b" / "a.jsonl",
            )
        assert list(tmp_path.iterdir()) == []


def identical_pairs(collection):
    """Pairs of one topic's peers with the same words, as the data's README counts them."""
    groups = defaultdict(list)
    for summary in collection.summaries:
        if summary.is_peer:
            tokens = tuple(re.findall("[a-z0-9]+", summary.plain.lower()))
            groups[summary.topic, tokens].append(summary.system)
    return [
        (topic, *pair)
        for (topic, _), systems in groups.items()
        for pair in itertools.combinations(systems, 2)
    ]


def system_level(collection, human, metric):
    """Correlate the systems' means, over the systems the metric was published for."""
    of_metric = ScoreMatrix.from_scores(collection.scores, metric)
    of_people = ScoreMatrix.from_scores(collection.scores, human).take(systems=of_metric.systems)
    return np.corrcoef(of_people.means(), of_metric.means())[0, 1]


def again(collection, tmp_path):
    write_judged(collection, tmp_path / "a.jsonl.gz")
    return read_judged(tmp_path / "a.jsonl.gz")


class TestPublished:
    """Figures are those of data/README.md beside the files."""

    def test_summeval(self, tmp_path):
        collection = shared_collection("data/summeval.jsonl.gz")
        assert len(collection.topics) == 100
        assert Counter(s.role for s in collection.summaries) == {"peer": 1600, "reference": 1100}
        assert all(
            len(collection.references(t.id, "single-doc-news")) == 11 for t in collection.topics
        )
        assert len([m for m in collection.scores.measures if m.startswith("auto-")]) == 34
        relevance = collection.scores.select(measure="expert-relevance")
        assert relevance.distinct("assessor") == ("expert1", "expert2", "expert3")
        assert len(relevance) == 4800
        assert len(collection.scores.select(measure="turker-relevance")) == 8000
        assert collection.left_out == ("12800 means of judgments that are listed one by one",)
        assert {finding.severity for finding in find_problems(collection)} <= {"note"}
        assert again(collection, tmp_path) == collection

    def test_summeval_figures(self):
        collection = shared_collection("data/summeval.jsonl.gz")
        pairs = identical_pairs(collection)
        assert len(pairs) == 116
        assert system_level(collection, "expert-relevance", "auto-rouge-2-f1") == pytest.approx(
            0.64, abs=0.005
        )
        expected = {"relevance": 0.67, "coherence": 0.67, "fluency": 0.94, "consistency": 0.997}
        for name, share in expected.items():
            marks = {
                (j.topic, j.system, j.assessor): j.value
                for j in collection.scores.select(measure=f"expert-{name}")
            }
            same = [
                marks[topic, a, f"expert{n}"] == marks[topic, b, f"expert{n}"]
                for topic, a, b in pairs
                for n in (1, 2, 3)
            ]
            assert np.mean(same) == pytest.approx(share, abs=0.005)

    @pytest.mark.long
    def test_realsumm(self, tmp_path):
        collection = shared_collection("data/realsumm.jsonl.gz")
        assert len(collection.topics) == 100
        assert Counter(s.role for s in collection.summaries) == {"peer": 2500, "reference": 100}
        assert len(collection.systems) == 25 + 1
        assert len(collection.scores.select(measure="scu-recall")) == 7743
        answers = collection.scores.select(measure="scu-answer")
        sheets = set(
            zip(*(answers.columns[n] for n in ("topic", "system", "assessor")), strict=True)
        )
        assert len(sheets) == 7743
        assert len([m for m in collection.scores.measures if m.startswith("auto-")]) == 14
        assert "realsumm_scus.jsonl.gz" in collection.description
        assert all(topic.extra["scus"] for topic in collection.topics)
        assert find_problems(collection) == []
        reread = again(collection, tmp_path)
        assert (reread.summaries, reread.scores) == (collection.summaries, collection.scores)

    def test_realsumm_figures(self):
        collection = shared_collection("data/realsumm.jsonl.gz")
        assert len(identical_pairs(collection)) == 281
        assert system_level(
            collection, "litepyramid-recall", "auto-rouge-2-recall"
        ) == pytest.approx(0.96, abs=0.005)
        labels = ScoreMatrix.from_scores(collection.scores, "scu")
        recall = ScoreMatrix.from_scores(collection.scores, "litepyramid-recall")
        assert np.allclose(labels.values, recall.values, atol=1e-6)

    def test_summeval_op(self, tmp_path):
        collection = shared_collection("data/summeval_op.jsonl.gz")
        assert [len(topic.documents) for topic in collection.topics] == [8] * 32
        assert Counter(s.role for s in collection.summaries) == {"peer": 384, "both": 32}
        assert len(collection.scores) == 416 * 3 * 7
        assert find_problems(collection) == []
        reread = again(collection, tmp_path)
        assert (reread.summaries, reread.scores) == (collection.summaries, collection.scores)

    def test_pyreval_crypto(self, tmp_path):
        collection = shared_collection("data/pyreval_crypto.jsonl.gz")
        assert Counter(s.role for s in collection.summaries) == {"peer": 37, "both": 5}
        assert len(collection.references("crypto", "student-summary")) == 5
        assert again(collection, tmp_path) == collection

    def test_opinosis(self):
        collection = shared_collection("data/opinosis_topics.jsonl.gz")
        assert len(collection.topics) == 30
        assert {s.role for s in collection.summaries} == {"reference"}
        numbers = {len(collection.references(t.id, "multi-doc-reviews")) for t in collection.topics}
        assert numbers <= {3, 4, 5}
        assert find_problems(collection) == []
