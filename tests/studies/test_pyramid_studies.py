"""`pyramidion pyramid stability` and `importance` as commands, questions and snippets."""

import json
from math import comb

import numpy as np
import pytest

from pyramid.reliability_samples import peer_of, pyramid_of, random_membership
from pyramid.score_samples import MINE, PYRAMID
from pyramidion.cli import runtime
from pyramidion.collection import Collection, Summary
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.studies import importance, stability


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
    titles = ("How scores stabilize", "Models sampled with replacement", "Divergence")
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
    command = ("stability", sets, "--topic", "D1")
    assert run(*command, "--figure", files[0], "--scores-figure", files[1]) == 0
    assert run(*command, "--scores-figure", files[2], "--pair", "A,B") == 0
    for file, beginning in zip(files, (b"<?xml", b"\x89PNG", b"%PDF"), strict=True):
        assert file.read_bytes().startswith(beginning)


def test_an_annotated_reference_is_reported(tmp_path, capsys):
    pyramid = ten(1, "ABC")
    peers = {("", "T1", name): peer_of(pyramid, [0]) for name in ("A", "7")}
    Collection("", pyramids={("", "T1"): pyramid}, peer_annotations=peers).save(
        tmp_path / "mine", format="ducview"
    )
    content = answer(capsys, "stability", tmp_path / "mine")
    assert [s["summary"] for s in content["results"][1]["summaries"]] == ["A", "B", "C", "7"]
    note = "T1, A: a reference of the pyramid, so its annotation as a peer is not used"
    assert content["left_out"] == [note]
    peers = answer(capsys, "stability", tmp_path / "mine", "--of", "peers")
    assert [s["summary"] for s in peers["results"][1]["summaries"]] == ["7"]
    assert note in peers["left_out"]


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
    assert "T1: sub-pyramids of orders 2 to 8 are a random sample" in first["left_out"]
    assert answer(capsys, "stability", path, *options)["results"] == first["results"]
    assert answer(capsys, "stability", path, *options, "--seed", 1)["results"] != first["results"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--score", "weight"], "score is 'weight'; choose one of original, modified"),
        (["--of", "machines"], "of is 'machines'; choose one of all, references, peers"),
        (
            ["--of", "peers", "--topic", "D1"],
            "no pyramid can be studied (D1: no peer is annotated)",
        ),
        (["--equal", "-1"], "equal is -1.0; give a number of at least 0"),
        (["--topic", "D9"], "there is no pyramid of topic 'D9'; available: D0, D1, D2"),
        (
            ["--ranked", "10"],
            "D0: there are 0 references to build pyramids from and 12 summaries to rank",
        ),
        (["--repetition", "1"], "`repetition` is 1"),
        (["--figure", "x.gif"], "x.gif: no figure can be written as '.gif'"),
        (["--scores-figure", "x.svg"], "3 pyramids do not fit in one figure"),
        (["--pair", "A,B"], "a pair of summaries needs a figure of scores"),
        (["--scores-figure", "x.svg", "--pair", "A"], "A is not a pair of summaries"),
        (
            ["--scores-figure", "x.svg", "--pair", "A,Z", "--topic", "D1"],
            "there is no summary 'Z'; available: A, B, C",
        ),
        (["--figure", "no/x.svg"], "no/x.svg: the folder no does not exist"),
        (["--splits", "0"], "splits is 0; give a whole number of at least 1"),
        (["--seed", "-1"], "seed is -1; give a whole number of at least 0"),
    ],
)
def test_errors_of_stability_are_one_line(options, message, sets, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("stability", sets, *options) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["sets"]


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
    classes = [(r["granularity"], r["references"], r["topics"]) for r in content["results"]]
    assert classes == [
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
    for arguments, message in (
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
        assert message in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["stability", "importance"])
def test_help_says_what_it_does(command, capsys):
    assert run(command, "--help") == 0
    assert "--figure" in capsys.readouterr().out


# In Python


#: Each question with its tables, its figures, and the number of rows of the first table.
ASKED = {
    "stability": (
        lambda source: stability(source, every_score=True),
        ("orders", "divergence", "scores"), ("stability", "scores"), 3,
    ),
    "importance": (importance, ("classes", "law"), ("importance",), 6),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_a_result_can_be_held(name):
    ask, table_names, chart_kinds, rows = ASKED[name]
    result = ask(MINE)
    assert result.table_names == table_names
    assert result.chart_kinds == chart_kinds
    assert len(result.to_frame()) == rows
    assert str(result).endswith(str(result.signature))
    for kind in chart_kinds:
        assert result.plot(kind).axes


@pytest.mark.parametrize("name", ASKED)
def test_a_path_and_a_collection_give_the_same(name, tmp_path):
    ask = ASKED[name][0]
    MINE.save(tmp_path / "mine")
    from_path, here = ask(tmp_path / "mine").to_dict(), ask(MINE).to_dict()
    assert from_path["results"] == here["results"]
    assert from_path["left_out"] == here["left_out"]


@pytest.mark.parametrize("name", ASKED)
def test_a_pyramid_alone_will_do(name):
    result = ASKED[name][0](PYRAMID)
    assert "pyramid" in str(result)
    assert result.values


def test_given_weights_are_of_whole_pyramids():
    with pytest.raises(InputError, match="given weights apply to whole pyramids"):
        stability(MINE, weights="given")


def test_pyramids_of_fewer_references_have_a_figure_of_their_own():
    rng = np.random.default_rng(2)
    pyramids = {("", f"T{n}"): pyramid_of(random_membership(rng, 20, n)) for n in (3, 5)}
    result = importance(Collection("", pyramids=pyramids))
    titles = [text.get_text() for text in result.plot("importance", 1).texts]
    assert [chart.stem for chart in result.charts] == [
        "5-references-importance", "3-references-importance",
    ]  # fmt: skip
    assert any("1 pyramid of 3 references" in title for title in titles)


def test_a_pair_of_summaries_is_drawn():
    result = stability(MINE)
    assert [topic.name for topic in result.topics] == ["T1, task A", "T2, task A"]
    assert "T2, task A" in result.plot_pair("7", "8", 1).get_label()
    with pytest.raises(NotFoundError, match="there is no summary 'Z'"):
        result.plot_pair("7", "Z")


@pytest.mark.parametrize(
    ("topics", "rows"), [(("P01",), ["P01"]), (("P01", "P02"), ["P01", "P02", "all"])]
)
def test_several_topics_have_a_row_for_all_of_them(topics, rows):
    result = stability(load_demo(), task="A", topic=topics)
    [table] = [table for table in result.tables if table.name == "divergence"]
    assert [row[table.columns.index("topic")] for row in table.rows] == rows
