"""`pyramidion pyramid agreement`, `stability` and `importance` as commands."""

import json
from dataclasses import replace
from math import comb

import numpy as np
import pytest

from pyramid.reliability_samples import peer_of, pyramid_of, random_membership
from pyramidion.cli import runtime
from pyramidion.collection import Collection, PeerAnnotation, Pyramid, Summary
from pyramidion.demo import load_demo


def run(*arguments):
    return runtime.run(["pyramid", *map(str, arguments)])


def answer(capsys, *arguments):
    assert run(*arguments, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["command", "signature", "results", "left_out"]
    return content


def ten(seed, names="ABCDEFGHIJ"):
    rng = np.random.default_rng(seed)
    return pyramid_of(random_membership(rng, 30, len(names)), list(names))


@pytest.fixture
def sets(tmp_path):
    """Three sets of ten references, as in the thesis, and two peers of the first."""
    pyramids = {("", f"D{number}"): ten(number) for number in range(3)}
    first = pyramids["", "D0"]
    peers = {("", "D0", "7"): peer_of(first, [0, 1, 2]), ("", "D0", "8"): peer_of(first, [5])}
    path = tmp_path / "sets"
    Collection("sets", pyramids=pyramids, peer_annotations=peers).save(path, format="ducview")
    return path


@pytest.fixture
def people(tmp_path):
    """Two topics with three peers, annotated by two people; one peer by the first only."""
    rng = np.random.default_rng(4)
    folders = []
    annotations = ({}, {})
    for topic in ("T1", "T2"):
        pyramid = ten(ord(topic[1]), "ABCD")
        for system in ("7", "8", "9"):
            said = set(rng.choice(30, 8, replace=False).tolist())
            other = said ^ set(rng.choice(30, 3, replace=False).tolist())
            for own, rows in zip(annotations, (said, other), strict=True):
                own["A", topic, system] = peer_of(pyramid, rows, outside=1)
    del annotations[1]["A", "T2", "9"]
    for name, own in zip(("anna", "bert"), annotations, strict=True):
        folders.append(tmp_path / name)
        Collection(name, peer_annotations=own).save(folders[-1], format="ducview")
    return folders


# Stability


def test_stability_of_three_sets_of_ten(sets, capsys):
    """Thesis, Table 3.1: 135 C(8, n) data points."""
    content = answer(capsys, "stability", sets, "--of", "references", "--splits", 1)
    everything, *topics = content["results"]
    assert everything["pyramids"] == 3
    assert [row["points"] for row in everything["errors"]] == [
        135 * comb(8, n) for n in range(1, 9)
    ]
    assert [row["count"] + row["undefined"] for row in everything["correlations"]] == [
        15, 30, 30, 15, 3,
    ]  # fmt: skip
    assert [topic["topic"] for topic in topics] == ["D0", "D1", "D2"]
    assert [row["pyramids"] for row in topics[0]["summaries"][0]["orders"]] == [
        comb(9, n) for n in range(1, 10)
    ]
    assert content["signature"].startswith(
        "pyramid-stability(original)|of:references|equal:0.06|apart:0.1|ranked:half|splits:1|"
    )


def test_stability_counts_peers_too(sets, capsys):
    content = answer(capsys, "stability", sets, "--topic", "D0", "--score", "modified")
    [everything, topic] = content["results"]
    assert [summary["summary"] for summary in topic["summaries"]] == [*"ABCDEFGHIJ", "7", "8"]
    assert [summary["reference"] for summary in topic["summaries"][-3:]] == [True, False, False]
    # 45 pairs of references, 20 mixed ones, 1 of peers.
    assert everything["errors"][0]["points"] == 45 * 8 + 20 * 9 + 10
    assert len(topic["summaries"][-1]["orders"]) == 10


def test_stability_as_tables(sets, capsys):
    assert run("stability", sets, "--repetition", 5, "--scores") == 0
    out, err = capsys.readouterr()
    assert all("rankings without a correlation" in line for line in err.splitlines())
    titles = ("How scores settle", "Models drawn with repetition", "Divergence")
    assert all(title in out for title in (*titles, "Scores of each summary"))
    assert "seed:0" in out.splitlines()[-1]
    assert run("stability", sets, "--format", "csv") == 0
    rows = capsys.readouterr().out.splitlines()
    assert "references,spread,p1,p2,p3,p,data points,Spearman,rankings" in rows


def test_stability_of_the_demo(capsys, tmp_path):
    load_demo().save(tmp_path / "demo")
    content = answer(capsys, "stability", tmp_path / "demo", "--task", "A")
    everything = content["results"][0]
    assert everything["pyramids"] == 6
    assert [row["points"] for row in everything["errors"]] == [6 * 6 * comb(2, n) for n in (1, 2)]


@pytest.mark.long
def test_stability_draws(sets, tmp_path, capsys):
    files = [tmp_path / name for name in ("errors.svg", "scores.png", "pair.pdf")]
    one = ("stability", sets, "--topic", "D1")
    assert run(*one, "--figure", files[0], "--scores-figure", files[1]) == 0
    assert run(*one, "--scores-figure", files[2], "--pair", "A,B") == 0
    for file, beginning in zip(files, (b"<?xml", b"\x89PNG", b"%PDF"), strict=True):
        assert file.read_bytes().startswith(beginning)


def test_an_annotated_reference_is_told(tmp_path, capsys):
    pyramid = ten(1, "ABC")
    peers = {("", "T1", name): peer_of(pyramid, [0]) for name in ("A", "7")}
    Collection("", pyramids={("", "T1"): pyramid}, peer_annotations=peers).save(
        tmp_path / "mine", format="ducview"
    )
    content = answer(capsys, "stability", tmp_path / "mine")
    assert [s["summary"] for s in content["results"][1]["summaries"]] == ["A", "B", "C", "7"]
    said = "T1, A: a reference of the pyramid, so that its annotation as a peer is not taken"
    assert content["left_out"] == [said]
    peers = answer(capsys, "stability", tmp_path / "mine", "--of", "peers")
    assert [s["summary"] for s in peers["results"][1]["summaries"]] == ["7"]
    assert said in peers["left_out"]


def test_a_pyramid_of_one_reference_is_left_out(tmp_path, capsys):
    pyramids = {("", "T1"): pyramid_of([[1]]), ("", "T2"): ten(1, "ABC")}
    Collection("", pyramids=pyramids).save(tmp_path / "mine", format="ducview")
    content = answer(capsys, "stability", tmp_path / "mine")
    assert content["results"][0]["pyramids"] == 1
    assert content["left_out"][0] == "T1: the pyramid has 1 reference"


def test_more_than_can_be_listed_is_sampled_and_said(tmp_path, capsys):
    path = tmp_path / "mine"
    Collection("", pyramids={("", "T1"): ten(1)}).save(path, format="ducview")
    options = ("--max-pyramids", 20, "--splits", 5)
    first = answer(capsys, "stability", path, *options)
    assert "T1: sub-pyramids of the orders 2 to 8 are a random sample" in first["left_out"]
    assert answer(capsys, "stability", path, *options)["results"] == first["results"]
    assert answer(capsys, "stability", path, *options, "--seed", 1)["results"] != first["results"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--score", "weight"], "score is 'weight'; choose one of original, modified"),
        (["--of", "machines"], "of is 'machines'; choose one of all, references, peers"),
        (
            ["--of", "peers", "--topic", "D1"],
            "no pyramid can be studied (D1: no peer is annotated)",
        ),
        (["--equal", "-1"], "equal is -1.0; give a number of at least 0"),
        (["--topic", "D9"], "there is no pyramid of topic 'D9'; there are: D0, D1, D2"),
        (
            ["--ranked", "10"],
            "D0: there are 0 references to make pyramids of and 12 summaries to rank",
        ),
        (["--repetition", "1"], "`repetition` is 1"),
        (["--figure", "x.gif"], "x.gif: no figure can be written as '.gif'"),
        (["--scores-figure", "x.svg"], "3 pyramids, and one figure of scores"),
        (["--pair", "A,B"], "a pair of summaries, and no figure of scores"),
        (["--scores-figure", "x.svg", "--pair", "A"], "A is not a pair of summaries"),
        (
            ["--scores-figure", "x.svg", "--pair", "A,Z", "--topic", "D1"],
            "there is no summary 'Z'; there are: A, B, C",
        ),
        (["--figure", "no/x.svg"], "no/x.svg: the folder no does not exist"),
        (["--splits", "0"], "splits is 0; give a whole number of at least 1"),
        (["--seed", "-1"], "seed is -1; give a whole number of at least 0"),
    ],
)
def test_errors_of_stability_are_one_line(options, said, sets, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("stability", sets, *options) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["sets"]


# Agreement


def test_agreement_of_two_people(people, capsys):
    content = answer(capsys, "agreement", *people)
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
    topic, *peers = answer(capsys, "agreement", *people, "--topic", "T2")["results"]
    assert (topic["name"], topic["peers"], len(peers)) == ("T2, task A", 2, 2)
    assert run("agreement", *people, "--topic", "T9") == 2
    assert "there is no topic 'T9' with content units; there are: T1, T2" in capsys.readouterr().err


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
    found = content["results"]
    assert [(o["first"], o["second"], o["name"]) for o in found if o["level"] == "peer"] == [
        ("anna", "bert", "T1, 7"),
        ("anna", "bert", "T1, 8"),
        ("anna", "carl", "T1, 7"),
        ("bert", "carl", "T1, 7"),
    ]
    [everyone] = (one for one in found if one["level"] == "annotators")
    assert (everyone["summaries"], everyone["decisions"]) == (2, 2 * len(pyramid.scus))
    told = "anna and carl: the two annotations of T1, 8 are of different texts"
    assert told in content["left_out"]
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
    assert [one["level"] for one in content["results"]] == ["pyramids"]
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


def test_what_is_undefined_is_told(tmp_path, capsys):
    """All content units weigh 1, and one peer cannot be tested."""
    pyramid = pyramid_of(np.eye(3))
    for name, rows in (("one", [0]), ("two", [1])):
        own = {("", "T1", "7"): peer_of(pyramid, rows)}
        Collection(name, peer_annotations=own).save(tmp_path / name, format="ducview")
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
    for number, (key, peer, said) in enumerate(
        [
            (("A", "T3", "7"), peer_of(pyramid, []), "have no annotated peer in common"),
            (("A", "T1", "7"), peer_of(pyramid, [], text="Other."), "are of different texts"),
            (("A", "T1", "7"), peer_of(ten(9, "ABCD"), []), "are by different pyramids"),
            (
                ("A", "T1", "7"),
                PeerAnnotation(Pyramid(""), "A peer."),
                "are by different pyramids: content unit 1 is not the same",
            ),
        ]
    ):
        folder = tmp_path / f"other{number}"
        more = {("A", "T9", "7"): peer_of(pyramid, [])}
        Collection("", peer_annotations={key: peer, **more}).save(folder, format="ducview")
        refusals[said] = (people[0], folder)
    for said, folders in refusals.items():
        assert run("agreement", *folders) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert said in err
        assert err.count("\n") == 1


# Importance


def test_importance_in_the_demo(capsys, tmp_path):
    load_demo().save(tmp_path / "demo")
    content = answer(capsys, "importance", tmp_path / "demo")
    units, words, sentences = content["results"]
    demo = load_demo()
    weights = np.concatenate([pyramid.weights for pyramid in demo.pyramids.values()])
    assert units["sizes"] == np.bincount(weights)[1:].tolist()
    assert (units["references"], units["topics"]) == (4, 12)
    assert units["fit"]["slope"] > 0
    assert words["sizes"][0] > words["sizes"][1] > words["sizes"][3]
    assert sentences["labels"] == ["below 7", "7", "8", "9", "10"]
    assert sum(sentences["sizes"]) == 34
    every = answer(capsys, "importance", tmp_path / "demo", "--all-words", "--stem")
    assert every["results"][1]["sizes"][3] > words["sizes"][3]
    assert every["signature"].startswith("pyramid-importance(all words, stem)|tok:unicode|")


def test_pyramids_of_different_size_are_apart(tmp_path, capsys):
    pyramids = {("", "T1"): ten(1, "AB"), ("", "T2"): ten(2, "ABC"), ("", "T3"): ten(3, "ABC")}
    Collection("", pyramids=pyramids).save(tmp_path / "mine", format="ducview")
    figure = tmp_path / "classes.png"
    assert run("importance", tmp_path / "mine", "--figure", figure, "--format", "json") == 0
    out, err = capsys.readouterr()
    content = json.loads(out)
    found = [(r["granularity"], r["references"], r["topics"]) for r in content["results"]]
    assert found == [
        ("content units", 2, 1), ("words", 2, 1), ("content units", 3, 2), ("words", 3, 2),
    ]  # fmt: skip
    assert content["left_out"] == [
        "sentences: none of these topics has judgments of relative-utility",
        "the figure: pyramids of 2 references",
    ]
    assert "left out: the figure: pyramids of 2 references" in err
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_importance_as_tables(sets, capsys):
    assert run("importance", sets) == 0
    out, _ = capsys.readouterr()
    assert "Content units, 3 pyramids of 10 references, by weight" in out
    assert "Zipf's law" in out
    assert run("importance", sets, "--format", "csv", "--topic", "D0") == 0
    assert "granularity,references,class,units,percent" in capsys.readouterr().out


def test_one_reference_leaves_no_law(tmp_path, capsys):
    Collection("", pyramids={("", "T1"): pyramid_of([[1], [1]])}).save(
        tmp_path / "mine", format="ducview"
    )
    content = answer(capsys, "importance", tmp_path / "mine")
    assert content["results"][0]["fit"]["exponent"] is None
    assert content["left_out"][0].startswith("sentences: none")
    assert content["left_out"][1] == "content units of 1 reference: no law: there is one class only"


def test_errors_of_importance_are_one_line(sets, capsys, tmp_path):
    plain = tmp_path / "plain"
    Collection("plain", summaries=(Summary("T1", "7", "Ice."),)).save(plain)
    empty = tmp_path / "empty"
    Collection("", pyramids={("", "T1"): pyramid_of([[0, 0]])}).save(empty, format="ducview")
    for arguments, said in (
        ((plain,), "there are no pyramids in plain"),
        ((empty,), "no pyramid has a content unit that a reference expresses"),
        (
            (sets, "--tokenizer", "moses"),
            "tokenizer is 'moses'; choose one of rouge, unicode",
        ),
        ((sets, "--figure", "x.bmp"), "no figure can be written as '.bmp'"),
        ((tmp_path / "nowhere",), "there is no such file or folder"),
    ):
        assert run("importance", *arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert said in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["agreement", "stability", "importance"])
def test_help_says_what_it_does(command, capsys):
    assert run(command, "--help") == 0
    assert "--figure" in capsys.readouterr().out
