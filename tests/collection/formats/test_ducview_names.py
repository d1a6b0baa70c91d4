from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from collection.strategies import ids
from pyramidion.collection.formats._ducview.format import file_names, peer_key, pyramid_key
from pyramidion.errors import FormatError, InputError

TASKS = st.just("") | ids()


def key_among(topics):
    return lambda file: pyramid_key(file, topics)


def require_safe(names):
    assert len({name.casefold() for name in names}) == len(names)
    for name in names:
        assert not name.startswith(".")
        assert not set(name) & set('/\\:*?"<>|\0\n')


class TestRoundTrips:
    @given(
        st.lists(st.tuples(TASKS, ids(), TASKS), unique=True, max_size=8),
        st.sets(ids(), max_size=4),
    )
    def test_pyramids(self, keys, topics):
        names = file_names(keys, key_among(topics), ".pyr")
        assert [pyramid_key(Path("x") / name, topics) for name in names.values()] == keys
        require_safe(names.values())

    @given(st.lists(st.tuples(TASKS, ids(), ids(), TASKS, TASKS), unique=True, max_size=8))
    def test_peers(self, keys):
        names = file_names(keys, peer_key, ".pan")
        assert [peer_key(Path("x") / name) for name in names.values()] == keys
        require_safe(names.values())


class TestNames:
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
        ],
    )
    def test_plain_where_it_can_be(self, key, name):
        assert file_names([key], peer_key, "") == {key: name}

    def test_names_that_some_systems_take_for_one(self):
        keys = [("A", "T1", ""), ("A", "t1", "")]
        assert list(file_names(keys, key_among(set()), ".pyr").values()) == [
            "T1-A.pyr",
            "%74%31-%41.pyr",
        ]

    def test_topic_that_reads_like_topic_and_task(self):
        topics = {"D0901-A"}
        keys = [("A", "D0901", ""), ("", "D0901-A", "")]
        names = file_names(keys, key_among(topics), ".pyr")
        assert list(names.values()) == ["%44%30%39%30%31-%41.pyr", "D0901%2DA.pyr"]

    @pytest.mark.parametrize(
        "key", [("A", "", ""), ("A", "", "7", "", ""), ("A", "T1", "", "", "")]
    )
    def test_keys_without_an_address(self, key):
        assert refusal(InputError, file_names, [key], peer_key, "") == (
            f"an annotation of {key} has no address; name its topic"
        )


class TestByHand:
    @pytest.mark.parametrize(
        ("name", "topics", "key"),
        [
            ("T1.pyr", set(), ("", "T1", "")),
            ("T1-A.pyr", set(), ("A", "T1", "")),
            ("T1-A.pyr", {"T1"}, ("A", "T1", "")),
            ("T1-A.pyr", {"T1", "T1-A"}, ("A", "T1", "")),
            ("oil-price.pyr", {"oil-price"}, ("", "oil-price", "")),
            ("oil-price-A.pyr", {"oil-price"}, ("A", "oil-price", "")),
            ("T1-A~2.pyr", set(), ("A", "T1", "2")),
            ("oil%2Dprice-A.pyr", {"oil-price"}, ("A", "oil-price", "")),
        ],
    )
    def test_pyramids(self, name, topics, key):
        assert pyramid_key(Path(name), topics) == key

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
    def test_peers(self, name, key):
        assert peer_key(Path(name)) == key

    @pytest.mark.parametrize("name", ["17.pan", "oil-price-A-17.pan", "-A-17.pan", "T1-A-.pan"])
    def test_peers_without_an_address(self, name):
        assert refusal(FormatError, peer_key, Path(name)) == (
            f"{name}: the name does not identify the annotation; "
            "name it <topic>-<task>-<system>.pan and write a hyphen inside an id as %2D"
        )

    def test_pyramid_without_a_topic(self):
        assert refusal(FormatError, pyramid_key, Path("-A.pyr"), set()) == (
            "-A.pyr: the name does not identify the annotation; "
            "name it <topic>-<task>.pyr and write a hyphen inside an id as %2D"
        )
