import gzip
import json
from dataclasses import replace

import pytest
from hypothesis import given

from collection.strategies import few_examples, peer_annotations, pyramids
from pyramidion.collection import (
    SCU,
    Collection,
    Contributor,
    Judgment,
    Part,
    PeerAnnotation,
    Pyramid,
    Scores,
    Summary,
    Topic,
)
from pyramidion.collection.formats import (
    detect,
    format_named,
    read_collection,
    read_pyramid,
    write_pyramid,
)
from pyramidion.demo import load_demo
from pyramidion.errors import FormatError, InputError
from support import needs_package, shared_file

FORMAT = format_named("pyramids")

PYRAMID = {
    "topic": "T1",
    "task": "A",
    "references": {"B": "Ice melts fast. Ice is old.", "C": "The ice is melting."},
    "scus": [
        {
            "id": 1,
            "label": "Ice melts",
            "contributors": [
                {"reference": "B", "parts": ["Ice", "fast"]},
                {"reference": "C", "parts": [{"start": 4, "end": 18}]},
            ],
        },
        {"id": "2", "label": "It is old", "contributors": [{"reference": "B", "parts": ["old"]}]},
    ],
}
PEER = {
    "topic": "T1",
    "task": "A",
    "system": "7",
    "text": "Ice melts. It rained.",
    "scus": [
        {"id": "1", "contributors": [{"parts": ["Ice melts"]}]},
        {"id": "0", "contributors": [{"parts": ["It rained"]}]},
    ],
}
UNITS = {"topic": "T2", "scus": [{"id": "a", "label": "Ice melts", "weight": 2}, {"id": "b"}]}
ANSWERS = {"topic": "T2", "system": "7", "answers": {"a": 1, "b": 0}}


def written(folder, *lines, name="mine.jsonl"):
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def refused(folder, *lines):
    with pytest.raises(FormatError) as caught:
        FORMAT.read(written(folder, *lines))
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{folder / 'mine.jsonl'}, ")


def test_by_hand(tmp_path):
    path = written(tmp_path, PEER, PYRAMID)
    assert detect(path) is FORMAT
    collection = read_collection(path)
    pyramid = collection.pyramids["A", "T1"]
    assert pyramid == Pyramid.from_references(
        PYRAMID["references"],
        [
            ("Ice melts", {"B": ["Ice", "fast"], "C": ["ice is melting"]}),
            ("It is old", {"B": ["old"]}),
        ],
    )
    peer = collection.peer_annotations["A", "T1", "7", "", ""]
    assert peer.pyramid is pyramid
    # The peer's line has no labels: they and the units it lacks come from the pyramid.
    assert peer.scus == (
        SCU("1", "(2) Ice melts", (Contributor((Part(0, 9, "Ice melts"),)),)),
        SCU("2", "(1) It is old"),
        SCU("0", "All non-matching SCUs go here", (Contributor((Part(11, 20, "It rained"),)),)),
    )
    assert [(s.system, s.kind, s.role) for s in collection.summaries] == [
        ("B", "human", "reference"),
        ("C", "human", "reference"),
        ("7", "machine", "peer"),
    ]
    assert collection.left_out == ()


def test_lists_and_answers(tmp_path):
    lines = (UNITS, {**ANSWERS, "assessor": "worker1"}, {**ANSWERS, "assessor": 2}, ANSWERS)
    collection = read_collection(written(tmp_path, *lines))
    assert collection.topics == (
        Topic("T2", extra={"scus": [{"id": "a", "text": "Ice melts", "weight": 2},
                                    {"id": "b", "text": ""}]}),
    )  # fmt: skip
    rows = [(r.measure, r.assessor, r.unit, r.value) for r in collection.scores]
    assert rows == [
        ("scu-answer", "worker1", "a", 1),
        ("scu-answer", "worker1", "b", 0),
        ("scu-answer", "2", "a", 1),
        ("scu-answer", "2", "b", 0),
        ("scu", "", "a", 1),
        ("scu", "", "b", 0),
    ]


def test_a_list_with_answers_on_one_line(tmp_path):
    line = {**UNITS, "system": "7", "kind": "human", "text": "Ice.", "answers": [True, False]}
    collection = read_collection(written(tmp_path, line, {**line, "system": "8"}))
    assert [(s.system, s.kind, s.text) for s in collection.summaries] == [
        ("7", "human", "Ice."),
        ("8", "human", "Ice."),
    ]
    assert len(collection.topics) == 1
    assert collection.scores.value.tolist() == [1, 0, 1, 0]


def test_answers_for_a_pyramid(tmp_path):
    line = {"topic": "T1", "task": "A", "system": "7", "answers": {"2": 1}}
    collection = read_collection(written(tmp_path, line, PYRAMID))
    assert [(r.unit, r.value) for r in collection.scores] == [("2", 1)]


def round_trip(collection, path):
    assert FORMAT.write(collection, path, False) is not None
    return FORMAT.read(path)


@given(pyramids(), peer_annotations(), peer_annotations())
@few_examples
def test_pyramids_and_peers_are_read_back_unchanged(tmp_path_factory, pyramid, peer, other):
    collection = Collection(
        "",
        pyramids={("A", "T1"): pyramid, ("", "T2"): peer.pyramid},
        peer_annotations={
            ("", "T2", "7"): peer,
            ("", "T2", "7", "K", "2"): peer,
            ("", "T2", "8"): other,
            ("A", "T1", "8"): other,
        },
        versions={("", "T2", "draft"): other.pyramid},
    )
    again = round_trip(collection, tmp_path_factory.getbasetemp() / "round-trip.jsonl")
    assert again.pyramids == collection.pyramids
    assert again.peer_annotations == collection.peer_annotations
    assert again.versions == collection.versions
    assert again.left_out == ()


def test_ducviews_own_text_is_kept(tmp_path):
    text = "----\nB\n----\nIce melts.\nIt is old."
    scu = SCU("9", "Ice", (Contributor((Part(12, 15, "Ice"), Part(26, 28, "is")), "other", "x"),))
    pyramid = Pyramid(text, (scu,), r"-+\n\w\n-+\n")
    again = round_trip(Collection("", pyramids={("", "T1"): pyramid}), tmp_path / "a.jsonl")
    assert again.pyramids == {("", "T1"): pyramid}
    assert [s.system for s in again.summaries] == ["B"]


@pytest.mark.parametrize("kind", ["human", "machine"])
def test_a_peer_says_who_wrote_it(tmp_path, kind):
    """In its own line, so that it can be read without the summaries."""
    pyramid = Pyramid.from_references({"B": "Ice."}, [("Ice", {"B": ["Ice"]})])
    peer = PeerAnnotation(pyramid, "Ice.", (SCU("1", "(1) Ice"),))
    summaries = (Summary("T1", "7", "Ice.", kind=kind, role="peer"),)
    annotations = {("", "T1", "7", "K", "2"): peer}
    FORMAT.write(
        Collection("", summaries=summaries, peer_annotations=annotations), tmp_path / "a", False
    )
    lines = map(json.loads, (tmp_path / "a").read_text().splitlines())
    [line] = (line for line in lines if "text" in line)
    names = ("topic", "system", "assessor", "occasion", "kind")
    assert tuple(line[name] for name in names) == ("T1", "7", "K", "2", kind)


def test_the_demo_and_the_crypto_pyramid(tmp_path):
    demo = load_demo()
    again = round_trip(demo, tmp_path / "demo.jsonl")
    assert again.pyramids == demo.pyramids
    crypto = read_pyramid(shared_file("data/pyramids/crypto_ducview.pyr"))
    again = round_trip(Collection("", pyramids={("", "T1"): crypto}), tmp_path / "crypto.jsonl")
    assert again.pyramids == {("", "T1"): crypto}


def test_xml_and_json_say_the_same(tmp_path):
    collection = read_collection(written(tmp_path, PYRAMID))
    write_pyramid(collection.pyramids["A", "T1"], tmp_path / "T1-A.pyr")
    assert read_pyramid(tmp_path / "T1-A.pyr") == collection.pyramids["A", "T1"]


def test_lists_and_answers_are_read_back(tmp_path):
    first = read_collection(written(tmp_path, UNITS, {**ANSWERS, "assessor": "w1"}, ANSWERS))
    again = round_trip(first, tmp_path / "again.jsonl")
    assert (again.topics, again.scores) == (first.topics, first.scores)


def test_what_has_no_place_is_counted(tmp_path):
    row = Judgment("T2", "7", "scu", 1, unit="a")
    judgments = [row, replace(row, occasion="2"), replace(row, measure="fluency", unit="")]
    collection = Collection(
        "",
        topics=(Topic("T2", "Ice", extra={"scus": [{"text": "x"}]}),),
        summaries=(Summary("T2", "7", "Ice."),),
        scores=Scores.from_judgments(judgments),
    )
    assert FORMAT.write(collection, tmp_path / "a.jsonl", False) == (
        "1 topics, except for their content units",
        "2 scores that are not answers",
        "1 summaries that are in no pyramid",
    )
    with pytest.raises(InputError, match="the collection has no content units"):
        FORMAT.write(Collection(""), tmp_path / "b.jsonl", False)
    assert [file.name for file in tmp_path.iterdir()] == ["a.jsonl"]


def test_unknown_fields_and_repaired_offsets_are_reported(tmp_path):
    contributor = {"reference": "B", "parts": [{"start": 1, "end": 4, "label": "Ice"}], "x": 1}
    scu = {"id": "1", "label": "Ice", "weight": 3, "contributors": [contributor]}
    collection = FORMAT.read(written(tmp_path, {**PYRAMID, "scus": [scu], "note": "?"}))
    path = tmp_path / "mine.jsonl"
    start = collection.pyramids["A", "T1"].scus[0].contributors[0].parts[0].start
    assert collection.repaired == (
        f"{path}, line 1: SCU 1: 'Ice' is not at {start + 1} to {start + 4} "
        f"but at {start} to {start + 3}, which is used",
    )
    assert collection.left_out == (
        f"{path}, line 1: SCU 1: `x` of a contributor is not kept",
        f"{path}, line 1: SCU 1: `weight` is not kept",
        "1 fields `note`",
    )


def with_contributor(contributor):
    return {**PYRAMID, "scus": [{"id": "13", "label": "x", "contributors": [contributor]}]}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([with_contributor({"reference": "B", "parts": ["Snow"]})],
         "line 1, contributors no. 1: SCU 13: 'Snow' is not in reference B; "
         "quote it verbatim"),
        ([with_contributor({"reference": "B", "parts": [""]})], "'' is not in reference B"),
        ([with_contributor({"reference": "D", "parts": []})],
         "SCU 13: there is no reference 'D'; available: B, C"),
        ([with_contributor({"reference": "B", "parts": "Ice"})], "SCU 13: `parts` is not a list"),
        ([with_contributor({"parts": [3]})], "SCU 13: a part is 3"),
        ([with_contributor({"parts": [{"start": 0}]})], "SCU 13: `end` of a part is None"),
        ([with_contributor({"parts": [{"start": 0, "end": True}]})], "`end` of a part is True"),
        ([with_contributor({"parts": [{"start": 0, "end": 1, "label": 1}]})], "label of a part"),
        ([{**PYRAMID, "references": ["Ice."]}], "`references` is not an object of texts"),
        ([{**PYRAMID, "references": {"B": "-----\n X\n-----"}}], "cannot be distinguished"),
        ([PYRAMID, PYRAMID], "line 2: a line above has the same topic, task and system"),
        ([PYRAMID, PEER, PEER], "line 3: a line above has the same topic"),
        ([PEER], "line 1: its topic has no pyramid; add a line with its references"),
        ([{**PEER, "pyramid": 3}], "`pyramid` is not an object"),
        ([{"topic": "T1", "scus": [{"label": "x"}]}], "scus no. 1: `id` is missing"),
        ([UNITS, {**UNITS, "scus": []}], "line 2: topic T2 has different content units above"),
        ([UNITS, {**ANSWERS, "answers": {"c": 1}}], "the topic has no SCU c; available: a"),
        ([UNITS, {**ANSWERS, "answers": {"a": 2}}], "SCU a: the answer is 2; write 1 or 0"),
        ([UNITS, {**ANSWERS, "answers": {"a": "yes"}}], "SCU a: the answer is 'yes'"),
        ([UNITS, {**ANSWERS, "answers": [1]}], "1 answers for 2 content units; give one for each"),
        ([UNITS, {**ANSWERS, "answers": 1}], "`answers` is neither an object nor a list"),
        ([UNITS, {**ANSWERS, "text": "a"}, {**ANSWERS, "text": "b", "assessor": "w"}],
         "line 3: the summary of topic T2 by 7 has a different text above"),
    ],
)  # fmt: skip
def test_bad_lines_are_refused_in_one_line(tmp_path, lines, expected):
    assert expected in refused(tmp_path, *lines)


def test_offsets_without_a_reference_count_in_the_whole_text(tmp_path):
    collection = FORMAT.read(written(tmp_path, with_contributor({"parts": ["melting"]})))
    pyramid = collection.pyramids["A", "T1"]
    assert pyramid.references_of(pyramid.scus[0]) == ("C",)
    # A contributor that is in no reference is kept as it is.
    header = with_contributor({"parts": [{"start": 0, "end": 3}]})
    collection = FORMAT.read(written(tmp_path, header))
    assert collection.pyramids["A", "T1"].scus[0].contributors[0].label == "---"
    again = round_trip(collection, tmp_path / "again.jsonl")
    assert again.pyramids == collection.pyramids


def test_gzip_and_other_formats_lines(tmp_path):
    needs_package("datasets")
    path = tmp_path / "pyramids.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(PYRAMID).encode()))
    assert detect(path) is FORMAT
    for line in (
        {"topic": "T1", "scus": [{"id": 0, "text": "x"}]},
        {"topic": "T1", "system": "7", "summary": "x", "scu_labels": [1], "references": ["x"]},
        {"topic": "T1", "system": "7", "text": "Ice."},
    ):
        assert detect(written(tmp_path, line)) is not FORMAT


def test_a_peer_that_only_has_its_own_pyramid(tmp_path):
    pyramid = Pyramid.from_references({"B": "Ice."}, [("Ice", {"B": ["Ice"]})])
    peer = PeerAnnotation(pyramid, "Ice.", (SCU("1", "(1) Ice"),))
    again = round_trip(Collection("", peer_annotations={("", "T1", "7"): peer}), tmp_path / "a")
    assert again.peer_annotations == {("", "T1", "7", "", ""): peer}
    assert again.pyramids == {("", "T1"): pyramid}
