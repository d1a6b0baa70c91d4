"""Names of DUCView's files say what an annotation is about; `test_folder` has the round trips."""

import pytest

from collection.refusals import refusal
from pyramidion.collection import Collection, PeerAnnotation, Pyramid, Topic
from pyramidion.collection.formats import (
    read_collection,
    write_collection,
    write_peer_annotation,
    write_pyramid,
)
from pyramidion.collection.formats.nist_names import without_writers
from pyramidion.errors import FormatError, InputError

PYRAMID = Pyramid("Ice melts.")
PEER = PeerAnnotation(PYRAMID, "Ice.")
HINT = "and write a hyphen inside an id as %2D"


def written(folder, *, format="ducview", **parts):
    write_collection(Collection("c", **parts), folder, format=format)
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


class TestWritten:
    @pytest.mark.parametrize(
        ("key", "name"),
        [
            (("A", "D0901", "17", "", ""), "D0901-A-17"),
            (("A", "D0901", "17", "a~b", ""), "D0901-A-17~a%7Eb"),
            (("A", "D0901", "17", "", "2"), "D0901-A-17~~2"),
            (("", "D0901", "17", "", ""), "D0901-17"),
            (("A", "D0901-A", "17", "", ""), "D0901%2DA-A-17"),
            (("A", "a/b", ".", "", ""), "a%2Fb-A-%2E"),
            (("A", "日本 ü", "x+y=@,", "", ""), "日本 ü-A-x+y=@,"),
            (("A", "50%", "x", "", ""), "50%25-A-x"),
            (("A", 'a\\b:c*d?e"f<g>h|i', "x", "", ""), None),
        ],
    )
    def test_ids_are_plain_if_they_can_be(self, tmp_path, key, name):
        folder = written(tmp_path / "c", peer_annotations={key: PEER})
        [file] = names(folder)
        assert name is None or file == f"{name}.pan"
        assert not set(file) & set('/\\:*?"<>|')
        assert list(read_collection(folder).peer_annotations) == [key]

    def test_names_that_are_the_same_on_some_systems(self, tmp_path):
        pyramids = {("A", "T1"): PYRAMID, ("A", "t1"): PYRAMID}
        folder = written(tmp_path / "c", pyramids=pyramids)
        assert names(folder) == ["%74%31-%41.pyr", "T1-A.pyr"]
        assert read_collection(folder).pyramids == pyramids

    def test_a_topic_that_reads_like_topic_and_task(self, tmp_path):
        pyramids = {("A", "D0901"): PYRAMID, ("", "D0901-A"): PYRAMID}
        topics = (Topic("D0901-A"),)
        folder = written(tmp_path / "c", format="collection", pyramids=pyramids, topics=topics)
        assert names(folder / "pyramids") == ["%44%30%39%30%31-%41.pyr", "D0901%2DA.pyr"]
        assert read_collection(folder).pyramids == pyramids

    @pytest.mark.parametrize(
        ("parts", "key"),
        [
            ({"pyramids": {("A", ""): PYRAMID}}, ("A", "", "")),
            ({"peer_annotations": {("A", "", "7"): PEER}}, ("A", "", "7", "", "")),
            ({"peer_annotations": {("A", "T1", ""): PEER}}, ("A", "T1", "", "", "")),
        ],
    )
    def test_keys_without_an_address(self, tmp_path, parts, key):
        assert refusal(InputError, written, tmp_path / "c", **parts) == (
            f"an annotation of {key} has no address; name its topic"
        )


class TestByHand:
    @pytest.fixture
    def folder(self, tmp_path):
        for name in ("pyramids", "peers"):
            (tmp_path / name).mkdir()
        (tmp_path / "collection.toml").write_text('name = "mine"')
        return tmp_path

    @pytest.mark.parametrize(
        ("name", "topics", "key"),
        [
            ("T1.pyr", [], ("", "T1", "")),
            ("T1-A.pyr", [], ("A", "T1", "")),
            ("T1-A.pyr", ["T1"], ("A", "T1", "")),
            ("T1-A.pyr", ["T1", "T1-A"], ("A", "T1", "")),
            ("oil-price.pyr", ["oil-price"], ("", "oil-price", "")),
            ("oil-price-A.pyr", ["oil-price"], ("A", "oil-price", "")),
            ("T1-A~2.pyr", [], ("A", "T1", "2")),
            ("oil%2Dprice-A.pyr", ["oil-price"], ("A", "oil-price", "")),
        ],
    )
    def test_pyramids(self, folder, name, topics, key):
        write_pyramid(PYRAMID, folder / "pyramids" / name)
        if topics:
            (folder / "topics.jsonl").write_text("".join(Topic(id).to_line() for id in topics))
        assert list(read_collection(folder).named_pyramids) == [key]

    @pytest.mark.parametrize(
        ("name", "key"),
        [
            ("T1-17.pan", ("", "T1", "17", "", "")),
            ("T1-A-17.pan", ("A", "T1", "17", "", "")),
            ("oil%2Dprice-A-17.pan", ("A", "oil-price", "17", "", "")),
            ("D0901-A.M.100.A.17.pan", ("A", "D0901", "17", "", "")),
            ("D0901-A.M.100.A.17~K~2.pan", ("A", "D0901", "17", "K", "2")),
            ("D0901.M.250.A.1.pan", ("", "D0901", "1", "", "")),
        ],
    )
    def test_peers(self, folder, name, key):
        write_peer_annotation(PEER, folder / "peers" / name)
        assert list(read_collection(folder).peer_annotations) == [key]

    @pytest.mark.parametrize("name", ["17.pan", "oil-price-A-17.pan", "-A-17.pan", "T1-A-.pan"])
    def test_peers_without_an_address(self, folder, name):
        file = folder / "peers" / name
        write_peer_annotation(PEER, file)
        assert refusal(FormatError, read_collection, folder) == (
            f"{file}: the name does not identify the annotation; "
            f"name it <topic>-<task>-<system>.pan {HINT}"
        )

    def test_a_pyramid_without_a_topic(self, folder):
        file = folder / "pyramids" / "-A.pyr"
        write_pyramid(PYRAMID, file)
        assert refusal(FormatError, read_collection, folder) == (
            f"{file}: the name does not identify the annotation; name it <topic>-<task>.pyr {HINT}"
        )


def test_letters_of_writers_are_taken_off_where_there_are_several():
    assert without_writers("D0701-AGHI", "AGHI") == "D0701"
    # A single letter is a part of the topic's name.
    assert without_writers("D0901-A", "A") == "D0901-A"
