"""`pyramidion pyramid agreement` as a command."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pyramid.reliability_samples import peer_of, pyramid_of, random_membership
from pyramidion.cli import runtime
from pyramidion.collection import Collection, PeerAnnotation, Pyramid

# The second person lacks a peer of the second topic.
MISSING = ["missing-summaries"]


def run(*arguments):
    return runtime.run(["pyramid", *map(str, arguments)])


def answer(capsys, *arguments, findings=()):
    assert run(*arguments, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content)[:4] == ["command", "signature", "results", "left_out"]
    assert [finding["code"] for finding in content.get("findings", ())] == list(findings)
    return content


def ten(seed, names="ABCDEFGHIJ"):
    rng = np.random.default_rng(seed)
    return pyramid_of(random_membership(rng, 30, len(names)), list(names))


@pytest.fixture
def people(tmp_path):
    """Two topics with three peers, annotated by two people; one peer by the first only."""
    rng = np.random.default_rng(4)
    folders = []
    annotations = ({}, {})
    for topic in ("T1", "T2"):
        pyramid = ten(ord(topic[1]), "ABCD")
        for system in ("7", "8", "9"):
            units = set(rng.choice(30, 8, replace=False).tolist())
            other = units ^ set(rng.choice(30, 3, replace=False).tolist())
            for by_person, rows in zip(annotations, (units, other), strict=True):
                by_person["A", topic, system] = peer_of(pyramid, rows, outside=1)
    del annotations[1]["A", "T2", "9"]
    for name, by_person in zip(("anna", "bert"), annotations, strict=True):
        folders.append(tmp_path / name)
        Collection(name, peer_annotations=by_person).save(folders[-1], format="ducview")
    return folders


def test_agreement_of_two_people(people, capsys):
    content = answer(capsys, "agreement", *people, findings=MISSING)
    *topics, everything = [r for r in content["results"] if r["level"] != "peer"]
    peers = [r for r in content["results"] if r["level"] == "peer"]
    assert [(r["name"], r["peers"]) for r in topics] == [("T1, task A", 3), ("T2, task A", 2)]
    assert (everything["level"], everything["name"], everything["peers"]) == ("all", "all", 5)
    assert len(peers) == 5
    # Three of thirty decisions differ in each peer.
    assert {r["units"]["percent"] for r in peers} == {0.9}
    assert everything["units"]["decisions"] == 150
    assert everything["units"]["percent"] == pytest.approx(0.9)
    assert everything["without_weight_1"]["decisions"] < 150
    signed = np.mean([r["modified"]["difference"] for r in peers])
    assert everything["modified"]["difference"] == pytest.approx(signed)
    assert content["left_out"][0] == f"annotated in {people[0]} only: 1 (T2, task A, 9)"


def test_agreement_as_tables(people, capsys, tmp_path):
    figure = tmp_path / "people.svg"
    assert run("agreement", *people, "--peers", "--figure", figure) == 0
    out, err = capsys.readouterr()
    assert f"wrote {figure}\nleft out: annotated in" in err
    for title in ("Agreement on content units", "Differences of scores", "Peer by peer"):
        assert title in out
    assert figure.read_bytes().startswith(b"<?xml")
    assert run("agreement", *people, "--format", "latex", "-o", tmp_path / "a.tex") == 0
    assert r"\begin{tabular}" in (tmp_path / "a.tex").read_text()


def test_agreement_on_some_topics(people, capsys):
    content = answer(capsys, "agreement", *people, "--topic", "T2", findings=MISSING)
    topic, *peers = content["results"]
    assert (topic["name"], topic["peers"], len(peers)) == ("T2, task A", 2, 2)
    assert run("agreement", *people, "--topic", "T9") == 2
    assert "there is no topic 'T9' with content units; available: T1, T2" in capsys.readouterr().err


def test_annotations_of_other_texts_are_left_out_of_a_collection(tmp_path, capsys):
    """T1's 7 and 8 have three annotators, one of whom read another 8, and all of whom another 9."""
    pyramid = ten(1, "ABCD")
    annotations = {
        ("", "T1", system, who): peer_of(pyramid, [number, 5], text=text)
        for number, who in enumerate(("anna", "bert", "carl"))
        for system, text in (
            ("7", "A peer."),
            ("8", "Another." if who == "carl" else "A peer."),
            ("9", f"By {who}."),
        )
    }
    Collection("", peer_annotations=annotations).save(tmp_path / "all")
    content = answer(capsys, "agreement", tmp_path / "all", "--peers")
    results = content["results"]
    assert [(o["first"], o["second"], o["name"]) for o in results if o["level"] == "peer"] == [
        ("anna", "bert", "T1, 7"),
        ("anna", "bert", "T1, 8"),
        ("anna", "carl", "T1, 7"),
        ("bert", "carl", "T1, 7"),
    ]
    [everyone] = (record for record in results if record["level"] == "annotators")
    assert (everyone["summaries"], everyone["decisions"]) == (2, 2 * len(pyramid.scus))
    note = "anna and carl: the two annotations of T1, 8 are of different texts"
    assert note in content["left_out"]
    assert run("agreement", tmp_path / "all", "--peers") == 0
    assert " peer    annotator   and " in capsys.readouterr().out


def test_several_annotators_of_other_texts_only(tmp_path, capsys):
    """Two pyramids can be compared though no annotation can."""
    pyramid = ten(1, "ABCD")
    annotations = {
        ("", "T1", "7", who): peer_of(pyramid, [5], text=f"By {who}.")
        for who in ("anna", "bert", "carl")
    }
    whole = {("", "T1"): pyramid}
    fewer = {("", "T1", "few"): replace(pyramid, scus=pyramid.scus[:9])}
    for name, versions in (("one", {}), ("two", fewer)):
        mine = Collection("", pyramids=whole, versions=versions, peer_annotations=annotations)
        mine.save(tmp_path / name)
    assert run("agreement", tmp_path / "one") == 2
    assert "are of different texts" in capsys.readouterr().err
    content = answer(capsys, "agreement", tmp_path / "two")
    assert [record["level"] for record in content["results"]] == ["pyramids"]
    assert (
        "bert and carl: the two annotations of T1, 7 are of different texts" in content["left_out"]
    )


def test_two_files_are_compared_whatever_they_are_called(people, capsys):
    first = people[0] / "T1-A-7.pan"
    second = people[1] / "T1-A-7.pan"
    renamed = second.rename(second.with_name("T1-A-bert.pan"))
    [topic, peer] = answer(capsys, "agreement", first, renamed)["results"]
    assert (topic["name"], peer["name"]) == ("T1, task A", "T1, task A, 7")
    assert topic["units"]["percent"] == 0.9


def test_what_is_undefined_is_reported(tmp_path, capsys):
    """All content units weigh 1, and one peer cannot be tested."""
    pyramid = pyramid_of(np.eye(3))
    for name, rows in (("one", [0]), ("two", [1])):
        annotations = {("", "T1", "7"): peer_of(pyramid, rows)}
        Collection(name, peer_annotations=annotations).save(tmp_path / name, format="ducview")
    content = answer(capsys, "agreement", tmp_path / "one", tmp_path / "two")
    assert content["results"][0]["without_weight_1"]["pi"] is None
    assert content["left_out"] == [
        "T1: no agreement without weight 1: no content unit is left to decide on",
        "T1: original scores: one peer cannot be tested",
        "T1: modified scores: one peer cannot be tested",
    ]


def test_errors_of_agreement_are_one_line(people, capsys, tmp_path):
    refusals = {}
    no_peers = tmp_path / "pyramids"
    Collection("", pyramids={("", "T1"): ten(1)}).save(no_peers, format="ducview")
    refusals["there are no annotated peers in it"] = (people[0], no_peers)
    refusals["nor are there two pyramids of the same references that differ"] = (no_peers,) * 2
    pyramid = ten(ord("1"), "ABCD")
    for number, (key, peer, message) in enumerate(
        [
            (("A", "T3", "7"), peer_of(pyramid, []), "have no annotated peer in common"),
            (("A", "T1", "7"), peer_of(pyramid, [], text="Other."), "are of different texts"),
            (("A", "T1", "7"), peer_of(ten(9, "ABCD"), []), "use different pyramids"),
            (
                ("A", "T1", "7"),
                PeerAnnotation(Pyramid(""), "A peer."),
                "use different pyramids: content unit 1 is not the same",
            ),
        ]
    ):
        folder = tmp_path / f"other{number}"
        more = {("A", "T9", "7"): peer_of(pyramid, [])}
        Collection("", peer_annotations={key: peer, **more}).save(folder, format="ducview")
        refusals[message] = (people[0], folder)
    for message, folders in refusals.items():
        assert run("agreement", *folders) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert message in err
        assert err.count("\n") == 1


def test_help_says_what_it_does(capsys):
    assert run("agreement", "--help") == 0
    assert "--figure" in capsys.readouterr().out
