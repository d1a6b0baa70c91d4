from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from collection.strategies import collections, few_examples
from pyramidion.collection import (
    Collection,
    Document,
    Judgment,
    PeerAnnotation,
    Pyramid,
    Scores,
    Summary,
    Task,
    Topic,
)
from pyramidion.errors import FormatError, InputError, NotFoundError, ShapeError

WRITERS = (
    Summary("T1", "A", "Rain.", task="A", kind="human"),
    Summary("T1", "ref1", "Rain!", task="A", kind="human", role="reference"),
    Summary("T1", "student", "Rain?", task="A", kind="human", role="peer"),
    Summary("T1", "17", "It rained.", task="A"),
    Summary("T2", "17", "Sun.", task="B"),
)


@pytest.fixture
def collection():
    scores = Scores.from_judgments(
        [
            Judgment("T1", "17", "responsiveness", 4, task="A"),
            Judgment("T1", "9", "responsiveness", 4, task="A"),
            Judgment("T1", "Z", "responsiveness", 4, task="A", kind="human"),
            Judgment("T1", "input", "relative-utility", 4, unit="d/1", kind="machine"),
        ]
    )
    return Collection(
        "mine",
        tasks=(Task("B", documents="update", word_limit=100), Task("A")),
        topics=(Topic("T10"), Topic("T1")),
        summaries=WRITERS,
        scores=scores,
    )


class TestAddresses:
    def test_topic(self, collection):
        assert collection.topic("T1") is collection.topics[1]
        assert refusal(NotFoundError, collection.topic, "T3") == (
            "there is no topic 'T3'; available: T10, T1"
        )
        assert refusal(NotFoundError, Collection("x").topic, "T3") == (
            "there is no topic 'T3'; available: none"
        )

    def test_first_of_two_topics_with_one_id(self):
        both = Collection("x", topics=(Topic("T1", "first"), Topic("T1", "second")))
        assert both.topic("T1").title == "first"

    def test_task(self, collection):
        assert collection.task("B").word_limit == 100
        assert collection.task("undeclared") == Task("undeclared")

    def test_references_and_peers(self, collection):
        assert [s.system for s in collection.references("T1", "A")] == ["A", "ref1"]
        assert [s.system for s in collection.peers("T1", "A")] == ["A", "student", "17"]
        assert collection.references("T2", "B") == ()

    def test_known_topic_without_summaries_has_none(self, collection):
        assert collection.references("T10", "A") == ()
        assert collection.peers("T1", "B") == ()

    def test_wrong_address_is_refused(self, collection):
        assert refusal(NotFoundError, collection.references, "T1", "C") == (
            "there is no task 'C'; available: B, A, ''"
        )
        assert refusal(NotFoundError, collection.peers, "T9", "A") == (
            "there is no topic 'T9'; available: T10, T1, T2"
        )

    @pytest.mark.parametrize("documents", ["", (), ("base", "")])
    def test_documents_of_a_task(self, documents):
        assert refusal(InputError, Task, "A", documents=documents) == (
            "task A summarizes no documents; name a set, or use: all"
        )

    def test_three_tasks_of_one_topic(self):
        # DUC 2007: the readers of B know the articles of A, those of C know A's and B's.
        articles = tuple(Document(f"{name}1", "x", name) for name in ("base", "update", "C"))
        updates = Collection(
            "duc",
            tasks=(
                Task("A", documents="base"),
                Task("B", documents="update"),
                Task("C", documents="C", known=("base", "update")),
            ),
            topics=(Topic("T1", documents=articles),),
            summaries=tuple(Summary("T1", "K", "x", task, "human") for task in "ABC"),
        )
        ids = {
            task: [
                [document.id for document in updates.documents("T1", task)],
                [document.id for document in updates.known_documents("T1", task)],
                [summary.task for summary in updates.earlier_references("T1", task)],
            ]
            for task in "ABC"
        }
        assert ids == {
            "A": [["base1"], [], []],
            "B": [["update1"], ["base1"], ["A"]],
            "C": [["C1"], ["base1", "update1"], ["A", "B"]],
        }

    def test_annotations_of_a_summary_and_versions_of_its_pyramid(self):
        pyramid, draft, other = (Pyramid(text) for text in ("Ice.", "Snow.", "Rain."))
        peers = {
            ("A", "T1", "7"): PeerAnnotation(pyramid, "x"),
            ("A", "T1", "7", "K", "2"): PeerAnnotation(draft, "x"),
            ("A", "T1", "8", "K"): PeerAnnotation(other, "x"),
        }
        mine = Collection(
            "",
            pyramids={("A", "T1"): pyramid},
            peer_annotations=peers,
            versions={("A", "T1", "draft"): draft},
        )
        assert list(mine.annotations_of("A", "T1", "7")) == [("", ""), ("K", "2")]
        assert mine.pyramid_versions("A", "T1") == {
            "": pyramid, "draft": draft, other.digest[:8]: other,
        }  # fmt: skip
        assert len({mine.data_hash, replace(mine, versions={}).data_hash}) == 2

    def test_word_limit(self):
        assert Task("A", word_limit=0).word_limit == 0
        assert refusal(InputError, Task, "A", word_limit=-1) == (
            "task A has a limit of -1 words; give 0 or more"
        )


class TestOverview:
    def test_systems_machines_first(self, collection):
        assert collection.systems == {
            "9": "machine",
            "17": "machine",
            "A": "human",
            "Z": "human",
            "ref1": "human",
            "student": "human",
        }
        assert list(collection.systems) == ["9", "17", "A", "Z", "ref1", "student"]

    def test_system_called_input_without_units_counts(self):
        scores = Scores.from_judgments([Judgment("T", "input", "m", 1)])
        assert Collection("x", scores=scores).systems == {"input": "machine"}

    def test_tasks_declared_first(self, collection):
        assert collection.task_ids == ("B", "A", "")

    def test_topics_declared_first(self, collection):
        assert collection.topic_ids == ("T10", "T1", "T2")

    def test_pyramids_and_annotations_count(self):
        peer = PeerAnnotation(Pyramid(""), "")
        both = Collection(
            "x", pyramids={("P", "T1"): Pyramid("")}, peer_annotations={("Q", "T2", "7"): peer}
        )
        assert both.task_ids == ("P", "Q")
        assert both.topic_ids == ("T1", "T2")


class TestHash:
    @few_examples
    @given(
        collections().flatmap(
            lambda c: st.tuples(
                st.just(c), st.permutations(c.summaries), st.permutations(list(c.scores))
            )
        )
    )
    def test_order_and_name_make_no_difference(self, example):
        collection, summaries, judgments = example
        changed = replace(
            collection,
            name="other",
            summaries=tuple(summaries),
            scores=Scores.from_judgments(judgments),
        )
        assert changed.data_hash == collection.data_hash

    def test_every_content_makes_a_difference(self):
        pyramid = Pyramid("Ice.")
        versions = [
            Collection("x"),
            Collection("x", summaries=(Summary("T", "7", "a"),)),
            Collection("x", summaries=(Summary("T", "7", "b"),)),
            Collection("x", summaries=(Summary("T", "7", ("b",)),)),
            Collection("x", summaries=(Summary("T", "7", "b", role="reference"),)),
            Collection("x", topics=(Topic("T"),)),
            Collection("x", topics=(Topic("T", documents=(Document("d", "x"),)),)),
            Collection("x", topics=(Topic("T", documents=(Document("d", "x", "update"),)),)),
            Collection("x", scores=Scores.from_judgments([Judgment("T", "7", "m", 1)])),
            Collection("x", scores=Scores.from_judgments([Judgment("T", "7", "m", 1.0000001)])),
            Collection("x", scores=Scores.from_judgments([Judgment("T", "7", "n", 1)])),
            Collection("x", pyramids={("A", "T"): pyramid}),
            Collection("x", pyramids={("B", "T"): pyramid}),
            Collection("x", peer_annotations={("B", "T", "7"): PeerAnnotation(pyramid, "")}),
        ]
        hashes = [version.data_hash for version in versions]
        assert len(set(hashes)) == len(versions)
        assert all(len(h) == 8 and int(h, 16) >= 0 for h in hashes)

    def test_known_value(self):
        # Frozen: a different value would make the signatures of the same data differ.
        assert Collection("x", summaries=(Summary("T1", "7", "Rain."),)).data_hash == "d2260f5b"


def test_what_was_left_out_does_not_count_for_equality():
    assert Collection("x", left_out=("3 files",)) == Collection("x")


class TestFiles:
    def test_saved_is_loaded(self, collection, tmp_path):
        collection.save(tmp_path / "mine")
        assert Collection.load(tmp_path / "mine") == collection

    @pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.parquet"])
    def test_scores_alone(self, collection, tmp_path, name):
        collection.save(tmp_path / name)
        assert Collection.load(tmp_path / name).scores == collection.scores

    def test_summaries_alone(self, collection, tmp_path):
        collection.save(tmp_path / "my.summaries.jsonl")
        loaded = Collection.load(tmp_path / "my.summaries.jsonl")
        assert loaded.summaries == collection.summaries

    def test_existing_folder_is_replaced_on_request(self, collection, tmp_path):
        Collection("old").save(tmp_path / "mine")
        message = refusal(InputError, collection.save, tmp_path / "mine")
        assert message.startswith(f"{tmp_path / 'mine'}: the folder already exists")
        assert Collection.load(tmp_path / "mine").name == "old"
        collection.save(tmp_path / "mine", replace=True)
        assert Collection.load(tmp_path / "mine") == collection

    def test_inconsistent_collection_is_not_loaded(self, collection, tmp_path):
        replace(collection, summaries=WRITERS[:1] * 2).save(tmp_path / "mine")
        assert refusal(ShapeError, Collection.load, tmp_path / "mine") == (
            f"{tmp_path / 'mine'}: duplicated summary: T1, task A, A; it occurs 2 times; "
            "keep one for each task, topic and system; `pyramidion check` lists all"
        )

    def test_table_in_utf_16_is_recognised_and_refused(self, tmp_path):
        file = tmp_path / "scores.csv"
        file.write_text("topic,system,kind,measure,value\nT,7,machine,m,1\n", encoding="utf-16")
        assert refusal(FormatError, Collection.load, file) == (
            f"{file}, line 1: the text is UTF-16, not UTF-8; save it as UTF-8"
        )

    def test_a_cell_that_spoils_the_only_column_of_scores_is_named(self, tmp_path):
        file = tmp_path / "scores.csv"
        file.write_text("topic,system,m\n" + "1,A,3\n2,A,4\n3,A,1\n4,A,2\n5,A,inf\n")
        assert refusal(FormatError, Collection.load, file) == (
            f"{file}, line 6: `m` is 'inf', not a number; leave cells without a score empty"
        )

    def test_table_without_a_column_is_recognized_and_refused(self, tmp_path):
        file = tmp_path / "scores.csv"
        file.write_text("topic,system,kind,measure\nT,7,machine,m\n")
        assert refusal(FormatError, Collection.load, file).startswith(
            f"{file}: no column of summaries or scores is recognized; the columns are: topic"
        )
