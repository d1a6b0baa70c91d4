"""NIST's releases of DUC 2006 and 2007, as they were distributed."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from collection.formats.nist_release import Release, marked, write
from pyramidion.checks import find_problems
from pyramidion.cli import runtime
from pyramidion.collection.formats import detect, read_collection
from pyramidion.errors import FormatError


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return Release(tmp_path_factory.mktemp("nist"))


def test_writers_letters_are_no_task(release):
    collection = read_collection(release.root / "DUC2007/mainPyramidEval")
    assert list(collection.pyramids) == [("", "D0701")]
    collection = read_collection(release.root / "DUC2007/updateEval/Pyramid/allpyramids")
    assert set(collection.pyramids) == {(task, "D0703") for task in "ABC"}


@pytest.mark.parametrize("folder", ["DUC2006", "DUC2006/DUC2006pyramiddata"])
def test_two_groups_annotated_the_same_peers(release, folder):
    collection = read_collection(release.root / folder)
    assert set(collection.annotations_of("", "D0631", "1")) == {("114", ""), ("115", "")}
    assert {key[1:4] for key in collection.peer_annotations if key[1] == "D0647"} == {
        ("D0647", "1", "101"),
        ("D0647", "2", "101"),
    }
    assert collection.repaired == ("D0647: peers are other topics' systems: 01 = 1, 02 = 2",)
    assert set(collection.systems) == {"1", "2", "A", "B", "C", "D"}
    assert [(task.id, task.word_limit) for task in collection.tasks] == [("", 250)]
    assert collection.topic("D0631").extra["pyramid_creator"] == "114"


def test_annotators_occasions_and_versions_are_written_as_duc_does(release, tmp_path):
    collection = read_collection(release.root / "DUC2006/DUC2006pyramiddata")
    pyramid = collection.pyramids["", "D0631"]
    again = {
        ("", "D0631", "1", "a~b/c", "2"): collection.peer_annotations["", "D0631", "1", "114", ""]
    }
    mine = replace(
        collection,
        versions={("", "D0631", "draft"): replace(pyramid, scus=pyramid.scus[1:])},
        peer_annotations={**collection.peer_annotations, **again},
    )
    mine.save(tmp_path / "duc", format="duc")
    reread = read_collection(tmp_path / "duc")
    assert reread.peer_annotations == mine.peer_annotations
    assert reread.named_pyramids == mine.named_pyramids


def test_annotators_may_write_the_number_of_a_peer_in_two_ways(tmp_path, release):
    data = release.files["DUC2006/DUC2006pyramiddata/allpans/114.D0631.M.250.A.1.pan"]
    for name in ("114.D0631.M.250.A.1", "115.D0631.M.250.A.01"):
        (tmp_path / f"{name}.pan").write_bytes(data)
    collection = read_collection(tmp_path)
    assert set(collection.annotations_of("", "D0631", "1")) == {("114", ""), ("115", "")}
    assert collection.repaired == ("D0631: peers are other topics' systems: 01 = 1",)


def test_systems_of_one_topic_alone_keep_their_names(tmp_path, release):
    name = "101.D0647.M.250.A.01.pan"
    data = release.files[f"DUC2006/DUC2006pyramiddata/allpans/{name}"]
    (tmp_path / name).write_bytes(data)
    [key] = read_collection(tmp_path).peer_annotations
    assert key == ("", "D0647", "01", "101", "")


@pytest.mark.parametrize(
    ("folder", "annotators"),
    [
        ("DUC2006/DUC2006pyramiddata", {"100", "101", "114", "115"}),
        # The table says who annotated the peers of D0701, the scores who those of D0703.
        ("DUC2007", {"9", "21"}),
    ],
)
def test_official_scores_and_their_annotators(release, folder, annotators):
    collection = read_collection(release.root / folder)
    rows = collection.scores.select(measure="pyramid-modified")
    assert set(rows.columns["assessor"]) == annotators
    assert {key[3] for key in collection.peer_annotations if key[2] != "documents"} == annotators
    year = "D06" if "2006" in folder else "D07"
    official = Counter(v for key, v in release.scores.items() if key[1].startswith(year))
    assert Counter(rows.value.tolist()) == official


def test_tables_that_are_copied_count_once(release):
    whole = read_collection(release.root / "DUC2006/DUC2006pyramiddata")
    assert set(whole.scores.select(measure="grammaticality").columns["assessor"]) == {"B"}
    assert len(whole.scores.select(measure="content-responsiveness")) == 6
    # The tables of DUC 2007 are not there, so their copies are taken.
    main = read_collection(release.root / "DUC2007/mainPyramidEval")
    assert main.scores.select(measure="coherence").value.tolist() == [1, 1]
    assert main.topic("D0701").extra["pyramid_creator"] == "7"


def test_each_update_has_its_own_documents_and_known_ones(release):
    collection = read_collection(release.root / "DUC2007")
    sizes = {
        task: (
            len(collection.documents("D0703", task)),
            len(collection.known_documents("D0703", task)),
        )
        for task in ("A", "B", "C")
    }
    assert sizes == {"A": (4, 0), "B": (2, 4), "C": (2, 6)}
    # The main task's folder has the same articles, without sets.
    assert len(collection.documents("D0703", "")) == 8
    assert collection.left_out == ("8 files that repeat another one verbatim",)


def test_topics_of_the_main_task_are_no_part_of_the_updates(release, tmp_path):
    collection = read_collection(release.root / "DUC2007")
    subjects = [p.subject for p in find_problems(collection) if p.kind == "topic without summaries"]
    # The main task and the updates have topics of their own.
    assert subjects == []
    assert [len(collection.documents("D0701", task)) for task in ("", "A", "B", "C")] == [
        8,
        0,
        0,
        0,
    ]
    assert not collection.known_documents("D0701", "B")
    collection.save(tmp_path / "duc", format="duc")
    assert read_collection(tmp_path / "duc").topics == collection.topics


def test_marked_documents_of_an_update_are_in_its_set(release, tmp_path):
    corpus = marked("D0703A-B", release.pyramid(5, "B"), release.documents(5)[:2])
    write(tmp_path, "2007 SCU-marked update corpus/D0703A-B.scu", corpus)
    [topic] = read_collection(tmp_path).topics
    assert [document.set for document in topic.documents] == ["update", "update"]


def test_marked_documents_are_an_annotation(release):
    collection = read_collection(release.root / "DUC2006")
    peer = collection.peer_annotations["", "D0601", "documents", "", ""]
    assert peer.pyramid == collection.pyramids["", "D0601"]
    expressed = {scu.uid: scu for scu in peer.scus if scu.contributors}
    assert set(expressed) == {"1", "2"}
    for contributor in expressed["1"].contributors:
        [part] = contributor.parts
        assert peer.text[part.start : part.end] == part.label
        assert part.label.startswith("Fire & smoke: ")
        assert contributor.comment == "summaries 1,2"
    assert len(expressed["1"].contributors) == len(collection.documents("D0601")) == 8
    assert "documents" not in collection.systems


def test_every_file_is_written_back_as_it_was(release, tmp_path):
    """Line ends and ends as real files have them; D0631 twice, D0647 under other names."""
    for folder in ("DUC2006/DUC2006pyramiddata", "DUC2007/mainPyramidEval", "DUC2007/updateEval"):
        for number, form in enumerate(("collection", "ducview")):
            target = tmp_path / folder / str(number)
            target.parent.mkdir(parents=True, exist_ok=True)
            source = release.root / folder
            assert runtime.run(["convert", str(source), str(target), "--to", form]) == 0
            written = Counter(f.read_bytes() for f in target.rglob("*.p[ya][rn]"))
            originals = Counter(
                data for name, data in release.files.items() if name.startswith(folder)
            )
            assert written == originals


@pytest.mark.parametrize("folder", ["DUC2006/DUC2006pyramiddata", "DUC2007"])
def test_commands_take_the_folder_as_it_is(release, capsys, folder):
    source = str(release.root / folder)
    assert detect(source).name == "duc"
    assert runtime.run(["pyramid", "score", source, "--no-references", "--format", "json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    year = "D06" if "2006" in folder else "D07"
    official = {key: value for key, value in release.scores.items() if key[1].startswith(year)}
    # NIST's table of the main task of 2007 names no annotator; another file does.
    expected = {(*key[:3], key[3] or "9"): value for key, value in official.items()}
    assert len(results) == len(expected)
    for row in results:
        key = (row["task"], row["topic"], row["system"], row["assessor"])
        assert row["modified"] == pytest.approx(expected[key], abs=5e-5)


def test_a_file_belongs_to_the_annotations_of_its_pyramid(release, tmp_path):
    source = release.root / "DUC2006/DUC2006pyramiddata"
    (tmp_path / "first try.pyr").write_bytes((source / "allpyramids/D0601.pyr").read_bytes())
    pan = "100.D0601.M.250.A.1.pan"
    (tmp_path / pan).write_bytes((source / "allpans" / pan).read_bytes())
    assert list(read_collection(tmp_path).pyramids) == [("", "D0601")]


def test_one_unreadable_file_does_not_refuse_its_folder(tmp_path, release):
    source = release.root / "DUC2007/mainPyramidEval"
    for file in source.rglob("*.*"):
        data = file.read_bytes()
        damaged = {"D0701.M.250.A.5.pan": data[:-99], "2007_modified_scores.txt": data + b"D0701\t"}
        write(tmp_path, str(file.relative_to(source)), damaged.get(file.name, data))
    collection = read_collection(tmp_path)
    data = (tmp_path / "allpans/D0701.M.250.A.12.pan").read_bytes()
    assert [key[2] for key in collection.peer_annotations] == ["12"]
    assert [re.sub(" at column.*", "", line) for line in collection.left_out] == [
        "2007_modified_scores.txt, which cannot be read: "
        "the row has 1 columns, but the first row has 11",
        "D0701.M.250.A.5.pan, which cannot be read: this is not XML (no element found",
    ]
    (tmp_path / "allpans/copy of 12.pan").write_bytes(data)
    for folder in (tmp_path / "allpans", tmp_path):
        left_out = read_collection(folder).left_out
        assert (
            "copy of 12.pan, which cannot be read: the name does not identify the annotation"
            in left_out
        )
    for folder in (tmp_path / "allpans", tmp_path):
        for file in folder.rglob("*.*"):
            file.write_bytes(b"<pyramid")
        with pytest.raises(FormatError, match="this is not XML"):
            read_collection(folder)


MARKED = '<collection name="D0601A"><document name="d1"><line>Ice &amp; snow.</line></document>'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MARKED, "line 1: this is not XML (no element found at column"),
        ("<collection name='D0601A'/>", "there is no marked line, or no topic"),
        (MARKED.replace(' name="d1"', "") + "</collection>", "document no. 1 has no name"),
        (
            MARKED.replace("</line>", "<annotation><scu/></annotation></line>") + "</collection>",
            "a <scu> of document d1 has no uid",
        ),
        ('<!DOCTYPE c [<!ENTITY a "b">]><c>&a;</c>', "the XML defines entities"),
    ],
)
def test_a_damaged_marked_corpus_is_reported_with_its_place(tmp_path, text, expected):
    (tmp_path / "D0601a.scu").write_text(text)
    with pytest.raises(FormatError) as error:
        read_collection(tmp_path / "D0601a.scu")
    assert expected in str(error.value)


def test_ampersands_of_newswire_are_repaired(tmp_path):
    text = MARKED.replace("&amp;", "&") + "</collection>"
    (tmp_path / "D0601a.scu").write_text(text)
    collection = read_collection(tmp_path / "D0601a.scu")
    assert [d.text for d in collection.topics[0].documents] == ["Ice & snow."]
    assert collection.repaired == (
        "D0601a.scu: 1 ampersands that do not begin an entity were read as plain ampersands",
    )
