"""Small files in every format, worked by hand and read through the package front."""

import json

import pytest

from collection.refusals import refusal
from pyramidion.collection import (
    SCU,
    Collection,
    Contributor,
    Document,
    Judgment,
    Part,
    PeerAnnotation,
    Pyramid,
    Scale,
    Scores,
    Summary,
    Task,
    Topic,
)
from pyramidion.collection.formats import (
    format_named,
    read_collection,
    read_peer_annotation,
    read_pyramid,
    write_collection,
)
from pyramidion.collection.formats.scores import require_scores_file, scores_text, writing_scores
from pyramidion.errors import FormatError, InputError

ARTICLE = """<doc><docno> APW20310412.0031 </docno>
<headline> Rain &amp; sun </headline>
<text><p>Rain\nfell on caf&eacute;s &LR; at AT&T.<p>Roads closed.</text></doc>"""
STATEMENT = """<topics>
<topic id="D1113C" category="3"><title> Rain </title>
<docsetB id="D1113C-B"><doc id="APW20310412.0031"/></docsetB></topic></topics>"""


@pytest.fixture
def duc(tmp_path):
    folder = tmp_path / "tac"
    for name, text in {
        "models/D1113-B.M.100.C.A": "Rain fell.\nRoads closed.\n",
        "peers/D1113-B.M.100.C.17": "Rain fell and roads\nclosed.\n",
        "docs/D1113C/D1113C-B/APW20310412.0031": ARTICLE,
        "topics.sgml": STATEMENT,
        "manual.peer.B": "D1113-B 17 0.286 5 0 C C 0.276 4 2",
        "README": "Rain fell.",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


class TestDuc:
    def test_names_say_who_wrote_what(self, duc):
        summaries = read_collection(duc).summaries
        assert [(s.key, s.kind, s.role, s.text) for s in summaries] == [
            (("B", "D1113", "17"), "machine", "peer", "Rain fell and roads closed."),
            (("B", "D1113", "A"), "human", "both", ("Rain fell.", "Roads closed.")),
        ]

    def test_a_letter_names_the_task(self, duc):
        assert read_collection(duc).tasks == (Task("B", "update", "update", 100, ("base",)),)

    def test_a_topic_has_its_statement_assessor_and_articles(self, duc):
        [topic] = read_collection(duc).topics
        assert (topic.id, topic.title, topic.category, topic.assessor) == (
            "D1113",
            "Rain",
            "3",
            "C",
        )
        text = "Rain fell on cafés at AT&T.\n\nRoads closed."
        assert topic.documents == (
            Document("APW20310412.0031", text, "update", "2031-04-12", "APW", "Rain & sun"),
        )

    def test_a_table_has_scores(self, duc):
        collection = read_collection(duc)
        rows = [(row.measure, row.value, row.assessor) for row in collection.scores]
        assert rows[-2:] == [("readability", 4.0, "C"), ("responsiveness", 2.0, "C")]
        assert collection.scales["readability"] == Scale(1, 5, 1)
        assert collection.left_out == ("1 files that were not read: README",)

    def test_columns_of_a_table_with_a_header(self, tmp_path):
        (tmp_path / "D0901.M.100.A.17").write_text("Rain.")
        table = tmp_path / "scores.txt"
        table.write_text("setID\tpeerID\tnumSCUs\tMy measure\nD0901\t17\t3\t0.5\n")
        assert read_collection(tmp_path, format="duc").scores.measures == (
            "my-measure",
            "pyramid-scus",
        )

    def test_what_is_written_is_read_back(self, duc, tmp_path):
        collection = read_collection(duc)
        assert write_collection(collection, tmp_path / "again", format="duc") == ()
        assert (tmp_path / "again" / "models" / "D1113-B.M.100.C.A").read_text() == (
            "Rain fell.\nRoads closed.\n"
        )
        assert (
            '<topic id="D1113" category="3" assessor="C">\n<title> Rain </title>\n'
            in (tmp_path / "again" / "topics.sgml").read_text()
        )

    def test_what_does_not_fit_is_refused_or_counted(self, tmp_path):
        misfit = Collection("mine", summaries=(Summary("cnn/1", "17", "Rain."),))
        assert "topic 'cnn/1' does not fit the names of a DUC folder;" in refusal(
            InputError, write_collection, misfit, tmp_path / "a", format="duc"
        )
        noticed = Collection("b", notice="Free.", summaries=(Summary("D0901", "17", "Rain."),))
        assert write_collection(noticed, tmp_path / "b", format="duc") == ("1 notice",)


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


def test_judged_summaries_name_their_references(tmp_path):
    path = tmp_path / "a.jsonl"
    line = {"topic": "T1", "summary": "It rained.", "references": ["Rain."], "id": 3}
    lines = [json.dumps({**line, "system": system, "note": 1}) for system in "78"]
    path.write_text("\n".join(lines))
    collection = read_collection(path, format="judged")
    assert [(s.system, s.role, s.extra) for s in collection.summaries] == [
        ("7", "peer", {"note": 1}),
        ("8", "peer", {"note": 1}),
        ("ref1", "reference", {}),
    ]
    assert collection.left_out == ("2 fields `id`",)


def test_realsumm_lists_units_and_never_loads_a_pickle(tmp_path):
    path = tmp_path / "SCUs_list.csv"
    path.write_text("eventId,questionId,questionText\nT1,0,Rain fell.\nT1,1,BLANK\n")
    [topic] = read_collection(path).topics
    assert [unit["text"] for unit in topic.extra["scus"]] == ["Rain fell."]
    message = refusal(FormatError, format_named("realsumm").read, tmp_path / "abs.pkl")
    assert "abs.pkl: this is a pickle, which is not loaded" in message


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
