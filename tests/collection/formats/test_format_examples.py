"""Small files in the formats of the core, worked by hand and read through the package front."""

import json

from collection.refusals import refusal
from pyramidion.collection import (
    SCU,
    Collection,
    Contributor,
    Judgment,
    Part,
    PeerAnnotation,
    Pyramid,
    Scores,
    Topic,
)
from pyramidion.collection.formats import (
    read_collection,
    read_peer_annotation,
    read_pyramid,
    write_collection,
)
from pyramidion.collection.formats.scores import require_scores_file, scores_text, writing_scores
from pyramidion.errors import InputError


class TestDucview:
    def test_a_part_in_another_place_is_moved(self, tmp_path):
        path = tmp_path / "T1.pyr"
        path.write_text(
            "<pyramid><text><line>Ice melts.</line><line>It melts fast.</line></text>"
            '<scu uid="1" label="m"><contributor label="melts">'
            '<part label="melts" start="3" end="8"/></contributor></scu></pyramid>'
        )
        pyramid = read_pyramid(path)
        assert pyramid.scus[0].contributors[0].parts == (Part(4, 9, "melts"),)
        assert pyramid.notes == ("SCU 1: 'melts' is not at 3 to 8 but at 4 to 9, which is used",)

    def test_another_encoding_is_noted(self, tmp_path):
        path = tmp_path / "T1.pyr"
        path.write_bytes(b"<pyramid><text><line>Z\xfcrich</line></text></pyramid>")
        assert read_pyramid(path).text == "Zürich"
        assert read_pyramid(path).notes == ("1 bytes that are not UTF-8 were read as Windows-1252",)

    def test_references_and_peers_become_summaries(self, tmp_path):
        pyramid = Pyramid.from_references({"D0901-A.M.100.A.G": "Ice melts."}, [])
        peer = PeerAnnotation(pyramid, "Ice.")
        collection = Collection(
            "mine",
            pyramids={("A", "T-1"): pyramid},
            peer_annotations={("A", "T-1", "17", "K", ""): peer},
        )
        write_collection(collection, tmp_path / "mine", format="ducview")
        names = {path.name for path in (tmp_path / "mine").iterdir()}
        assert names == {"T%2D1-A.pyr", "T%2D1-A-17~K.pan"}
        read = read_collection(tmp_path / "mine")
        assert [(s.system, s.kind, s.role) for s in read.summaries] == [
            ("G", "human", "reference"),
            ("17", "machine", "peer"),
        ]
        [annotation] = read.peer_annotations.values()
        assert annotation.pyramid is read.pyramids["A", "T-1"]
        assert read_peer_annotation(tmp_path / "mine" / "T%2D1-A-17~K.pan") == peer


class TestPyramidsAsJson:
    def written(self, collection, path):
        write_collection(collection, path, format="pyramids")
        return [json.loads(line) for line in path.read_text().splitlines()]

    def test_a_pyramid_quotes_its_references(self, tmp_path):
        pyramid = Pyramid.from_references({"A": "Ice."}, [("Ice", {"A": ["Ice"]})])
        collection = Collection("", pyramids={("", "T1"): pyramid})
        contributor = {"reference": "A", "parts": ["Ice"]}
        assert self.written(collection, tmp_path / "a.jsonl") == [
            {
                "topic": "T1",
                "references": {"A": "Ice."},
                "scus": [{"id": "1", "label": "Ice", "contributors": [contributor]}],
            }
        ]

    def test_versions_and_peers(self, tmp_path):
        peer = PeerAnnotation(Pyramid("Ice."), "Rain.")
        collection = Collection(
            "",
            pyramids={("A", "T1"): Pyramid("Snow.")},
            versions={("A", "T1", "2"): peer.pyramid},
            peer_annotations={("A", "T1", "7"): peer},
        )
        about = {"topic": "T1", "task": "A"}
        assert self.written(collection, tmp_path / "a.jsonl") == [
            {**about, "text": "Snow.", "scus": []},
            {**about, "version": "2", "text": "Ice.", "scus": []},
            {**about, "system": "7", "version": "2", "text": "Rain.", "scus": []},
        ]

    def test_lists_of_units_and_answers(self, tmp_path):
        topic = Topic("T1", extra={"scus": [{"id": 0, "text": "Ice melts"}, {"label": "Old"}]})
        rows = [Judgment("T1", "7", "scu", 1, unit=unit) for unit in "01"]
        collection = Collection("", topics=(topic,), scores=Scores.from_judgments(rows))
        lines = self.written(collection, tmp_path / "a.jsonl")
        assert lines[0]["scus"] == [{"id": "0", "label": "Ice melts"}, {"id": "1", "label": "Old"}]
        assert lines[1] == {
            "topic": "T1",
            "system": "7",
            "kind": "machine",
            "measure": "scu",
            "answers": {"0": 1, "1": 1},
        }

    def test_answers_may_be_a_list_in_the_order_of_the_units(self, tmp_path):
        path = tmp_path / "a.jsonl"
        units = [{"id": "a", "label": "Ice"}, {"id": "b", "label": "Old"}]
        answers = {"topic": "T1", "system": "7", "answers": [1, 0]}
        path.write_text(json.dumps({"topic": "T1", "scus": units}) + "\n" + json.dumps(answers))
        scores = read_collection(path).scores
        assert [(row.unit, row.value) for row in scores] == [("a", 1.0), ("b", 0.0)]

    def test_labels_of_a_peer_come_from_its_pyramid(self, tmp_path):
        path = tmp_path / "a.jsonl"
        scu = {
            "id": 1,
            "label": "It is ice",
            "contributors": [{"reference": "A", "parts": ["Ice"]}],
        }
        expressed = {"id": 1, "contributors": [{"parts": ["Ice", {"start": 4, "end": 9}]}]}
        lines = [
            {"topic": "T1", "references": {"A": "Ice melts."}, "scus": [scu]},
            {"topic": "T1", "system": "7", "text": "Ice melts.", "scus": [expressed]},
        ]
        path.write_text("\n".join(map(json.dumps, lines)))
        collection = read_collection(path)
        assert collection.pyramids["", "T1"].weights.tolist() == [1]
        contributor = Contributor((Part(0, 3, "Ice"), Part(4, 9, "melts")))
        assert contributor.label == "Ice...melts"
        assert collection.annotation("", "T1", "7").scus == (
            SCU("1", "(1) It is ice", (contributor,)),
            SCU("0", "All non-matching SCUs go here"),
        )


def test_a_rouge_configuration_becomes_summaries(tmp_path):
    (tmp_path / "17.spl").write_text("Rain fell.\nRoads closed.")
    (tmp_path / "A.spl").write_text("It rained.")
    (tmp_path / "rouge.xml").write_text("""<ROUGE-EVAL version="1.0"><EVAL ID="T1">
        <PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>
        <INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="17">17.spl</P></PEERS>
        <MODELS><M ID="A">A.spl</M></MODELS></EVAL></ROUGE-EVAL>""")
    summaries = read_collection(tmp_path).summaries
    assert [(s.system, s.kind, s.text) for s in summaries] == [
        ("17", "machine", ("Rain fell.", "Roads closed.")),
        ("A", "human", ("It rained.",)),
    ]


class TestScores:
    def test_the_ending_must_be_known(self):
        message = refusal(InputError, require_scores_file, "scores.xls")
        assert message.startswith("scores.xls: scores cannot be written in this format; use .csv,")

    def test_whole_numbers_are_written_without_decimals(self):
        scores = Scores({"topic": ["T1", "T2"], "measure": ["m"] * 2}, [4.5, 4])
        assert scores_text(scores).splitlines()[1:] == [",T1,,,m,,4.5", ",T2,,,m,,4"]

    def test_pieces_make_one_table(self, tmp_path):
        with writing_scores(tmp_path / "scores.csv") as write:
            write(Scores({"topic": ["T1"], "measure": ["m"]}, [1]))
            write(Scores({"topic": ["T2"], "measure": ["m"]}, [2]))
        assert (tmp_path / "scores.csv").read_text().splitlines()[1:] == [
            ",T1,,,m,,1",
            ",T2,,,m,,2",
        ]
