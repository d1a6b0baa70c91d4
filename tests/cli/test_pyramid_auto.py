"""`pyramidion pyramid auto` as commands."""

import json
from dataclasses import replace

import pytest

from pyramidion.cli import runtime
from pyramidion.collection import (
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
from pyramidion.collection.formats import read_collection
from pyramidion.collection.formats.scores import read_scores
from pyramidion.demo import load_demo
from pyramidion.pyramid import Annotator, Matcher, SimilarityModel, score_peer

REFERENCES = {"A": "Ice melts fast. It is old.", "B": "The ice melts. Rain fell. It is old."}
PYRAMID = Pyramid.from_references(
    REFERENCES,
    [
        ("Ice melts", {"A": ["Ice melts"], "B": ["ice melts"]}),
        ("The ice is old", {"A": ["It is old"], "B": ["It is old"]}),
        ("Rain fell", {"B": ["Rain fell"]}),
    ],
)
PEERS = {
    "1": ("Snow melted too. Ice melts.", {"2": "Snow melted too", "1": "Ice melts"}),
    "2": ("Snow melted too. Wet.", {"3": "Wet"}),
}


def annotated(text: str, units: dict[str, str]) -> PeerAnnotation:
    """Annotate a peer by hand: one quotation a content unit."""
    marked = {
        uid: Contributor((Part(text.index(quoted), text.index(quoted) + len(quoted), quoted),))
        for uid, quoted in units.items()
    }
    return PeerAnnotation(
        PYRAMID,
        text,
        tuple(
            replace(scu, contributors=(marked[scu.uid],) if scu.uid in marked else ())
            for scu in PYRAMID.scus
        ),
    )


def collection() -> Collection:
    """Two topics with two annotated peers and one that nobody annotated, two assessors."""
    summaries, peers = [], {}
    for topic in ("T1", "T2"):
        summaries += [Summary(topic, name, text, "B", "human") for name, text in REFERENCES.items()]
        summaries += [Summary(topic, name, text, "B") for name, (text, _) in PEERS.items()]
        summaries.append(Summary(topic, "7", "“RAIN FELL” and ice melts.", "B"))
        peers |= {("B", topic, name): annotated(*item) for name, item in PEERS.items()}
    rows = [Judgment("T2", "7", "responsiveness", 4.0, task="B", assessor="L")]
    return Collection(
        "mine",
        topics=(Topic("T1", assessor="K"), Topic("T2")),
        summaries=tuple(summaries),
        scores=Scores.from_judgments(rows),
        pyramids={("B", "T1"): PYRAMID, ("B", "T2"): PYRAMID},
        peer_annotations=peers,
    )


@pytest.fixture
def mine(tmp_path):
    collection().save(tmp_path / "mine")
    return str(tmp_path / "mine")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "demo"
    load_demo().save(folder)
    return str(folder)


def run(*arguments):
    return runtime.run(["pyramid", "auto", *arguments])


def answer(capsys, *arguments, findings=()):
    assert run(*arguments, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content)[:4] == ["command", "signature", "results", "left_out"]
    assert [finding["code"] for finding in content.get("findings", ())] == list(findings)
    return content


# match


def test_match_by_topic_and_by_assessor(mine, capsys):
    """By hand: peers 1 and 2 score 4/5 and 1/5, automatically 2/5 each."""
    assert run("--match", mine) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("Manual and automatic pyramid scores by topic\n")
    rows = [line.split() for line in out.splitlines()]
    assert ["B", "T1", "K", "2", "0.5000", "0.4000", "0.1000"] in rows
    assert ["L", "1", "0.5000", "0.4000", "0.1000"] in rows
    assert ["all", "2", "0.5000", "0.4000", "0.1000"] in rows
    assert ["B", "7", "machine", "2", "0.6000"] in rows
    assert rows[-1][0].startswith("pyramid-match(gap=10,skip=0,min-words=1)|of:peers|v")
    # One assessor needs no mean of all.
    assert run("--match", mine, "--topic", "T1") == 0
    assert "\n all " not in capsys.readouterr().out
    assert "\n all " in out


def test_match_as_data(mine, capsys):
    content = answer(capsys, "--match", mine, "--of", "all", "--topic", "T1")
    assert content["command"] == "pyramid auto"
    (assessor,) = content["results"]
    assert assessor["assessor"] == "K"
    (topic,) = assessor["topics"]
    assert topic["n"] == 4, "two references, two annotated peers"
    summaries = {(item["system"], item["role"]): item for item in topic["summaries"]}
    assert summaries["2", "peer"]["difference"] == pytest.approx(-0.2)
    assert summaries["2", "peer"]["scus"] == ["2"]
    assert summaries["7", "peer"]["manual"] is None
    assert summaries["7", "peer"]["automatic"] == pytest.approx(3 / 5)
    assert summaries["B", "reference"]["automatic"] == 1.0


def test_match_writes_annotations_that_score_as_reported(mine, capsys, tmp_path):
    folder, table = tmp_path / "auto", tmp_path / "auto.csv"
    assert run("--match", mine, "-o", str(folder), "--scores", str(table)) == 0
    assert capsys.readouterr().err == f"wrote {folder}\nwrote {table}\n"
    again = read_collection(folder)
    assert sorted(again.peer_annotations) == [
        ("B", topic, system, "", "") for topic in ("T1", "T2") for system in "127"
    ]
    scores = read_scores(table)
    assert scores.measures == ("pyramid-match",)
    rows = {(row.task, row.topic, row.system): row for row in scores}
    for key, peer in again.peer_annotations.items():
        assert rows[key[:3]].value == pytest.approx(score_peer(peer).modified)
        assert rows[key[:3]].kind == "machine"
    assert rows["B", "T1", "A"].kind == "human"


def test_match_writes_a_whole_collection(mine, capsys, tmp_path):
    folder = tmp_path / "auto"
    assert run("--match", mine, "-o", str(folder), "--to", "collection") == 0
    capsys.readouterr()
    again = read_collection(folder)
    assert again.scores.measures == ("pyramid-match", "responsiveness")
    assert len(again.peer_annotations) == 6
    assert again.summaries == read_collection(mine).summaries
    # Once more, from its own result: scores of the same name are exchanged.
    assert run("--match", str(folder), "-o", str(tmp_path / "b"), "--to", "collection") == 0
    assert len(read_collection(tmp_path / "b").scores) == len(again.scores)


def test_match_follows_its_rules(mine, capsys):
    plain = answer(capsys, "--match", mine, "--topic", "T1")
    strict = answer(capsys, "--match", mine, "--topic", "T1", "--min-words", "3")
    assert plain["results"][0]["automatic"] > strict["results"][0]["automatic"]
    assert (
        "min-words=3,nested)"
        in answer(capsys, "--match", mine, "--min-words", "3", "--nested")["signature"]
    )


def test_match_on_the_demo_leaves_one_reference_out(demo, capsys):
    content = answer(capsys, "--match", demo)
    assert "|of:references|" in content["signature"]
    (nobody,) = content["results"]
    assert nobody["assessor"] == ""
    assert nobody["n"] == 12
    source = load_demo()
    for topic in nobody["topics"]:
        assert topic["n"] == 4
        pyramid = source.pyramids[topic["task"], topic["topic"]]
        for item in topic["summaries"]:
            text = next(
                summary.plain
                for summary in source.references(topic["topic"], topic["task"])
                if summary.system == item["system"]
            )
            every = Matcher(pyramid).annotate(text)
            # From the others alone nothing is found that its own marks would not find, too.
            assert set(item["scus"]) <= {s.uid for s in every.scus if s.contributors}
            assert item["automatic"] <= item["manual"]


# similar


def test_similar_gives_each_system_its_means(mine, capsys):
    assert run("--by", "similarity", mine) == 0
    out, err = capsys.readouterr()
    assert err == ""
    rows = [line.split() for line in out.splitlines()]
    header = rows[2]
    assert header == ["task", "system", "kind", "n", "expected", "annotated", "manual"]
    assert [row[:4] for row in rows[4:7]] == [
        ["B", system, "machine", "2"] for system in ("7", "1", "2")
    ]
    assert rows[4][-1] == "–", "nobody annotated 7"
    assert rows[5][-1] == "0.8000"
    assert rows[-1][0].startswith("pyramid-similar|model:")


def test_similar_as_data_agrees_with_the_annotator(mine, capsys):
    content = answer(capsys, "--by", "similarity", mine, "--topic", "T1")
    texts = {summary.system: summary.plain for summary in collection().summaries}
    peers = {key[2]: peer for key, peer in collection().peer_annotations.items() if key[1] == "T1"}
    annotator = Annotator(PYRAMID, by="similarity", peers=peers)
    assert {result["system"] for result in content["results"]} == {"1", "2", "7"}
    for result in content["results"]:
        annotation = annotator.annotate(texts[result["system"]])
        (summary,) = result["summaries"]
        assert summary["expected"] == pytest.approx(annotation.expected_weight / 5)
        assert summary["annotated"] == pytest.approx(score_peer(annotation.annotation).modified)
        assert summary["expected_units"] == pytest.approx(annotation.expected_units)
        assert summary["scus"] == [s.uid for s in annotation.annotation.scus[:-1] if s.contributors]
        assert result["expected"] == summary["expected"]


def test_similar_writes_annotations_and_scores(mine, capsys, tmp_path):
    folder, table = tmp_path / "auto", tmp_path / "auto.csv"
    assert run("--by", "similarity", mine, "-o", str(folder), "--scores", str(table)) == 0
    assert capsys.readouterr().err == f"wrote {folder}\nwrote {table}\n"
    scores = read_scores(table)
    assert scores.measures == ("pyramid-similar", "pyramid-similar-annotated")
    values = {
        (row.task, row.topic, row.system): row.value
        for row in scores.select(measure="pyramid-similar-annotated")
    }
    again = read_collection(folder).peer_annotations
    assert [*values] == [key[:3] for key in again]
    for key, peer in again.items():
        assert values[key[:3]] == pytest.approx(score_peer(peer).modified)


@pytest.fixture
def listed(tmp_path):
    """A collection with a list of content units and no pyramid."""
    scus = [{"id": 0, "text": "Ice melts", "weight": 1}, {"id": 1, "text": "Rain fell"}]
    Collection(
        "listed",
        topics=(Topic("T1", extra={"scus": scus}),),
        summaries=(
            Summary("T1", "A", "Ice melts and rain fell.", kind="human"),
            Summary("T1", "7", "Much rain fell."),
            Summary("T1", "8", "..."),
        ),
        scores=Scores.from_judgments(
            [Judgment("T1", "7", "scu", float(n), unit=str(n)) for n in (0, 1)]
        ),
    ).save(tmp_path / "listed")
    return str(tmp_path / "listed")


def test_similar_takes_a_list_of_units(listed, capsys, tmp_path):
    content = answer(capsys, "--by", "similarity", listed, "--scores", str(tmp_path / "s.csv"))
    by_system = {result["system"]: result for result in content["results"]}
    assert set(by_system) == {"7", "8"}, "A wrote the reference"
    assert by_system["7"]["manual"] == 0.5
    assert by_system["7"]["summaries"][0]["scus"] == ["1"]
    assert by_system["7"]["annotated"] == 0.5
    assert by_system["8"]["expected"] == 0
    assert any("T1, 8: the summary has no words" in line for line in content["left_out"])
    assert len(read_scores(tmp_path / "s.csv")) == 4


def test_similar_with_another_model(capsys, tmp_path):
    SimilarityModel(intercept=-40.0).save(tmp_path / "never.json")
    # Without annotated peers, on which any model would be calibrated.
    replace(collection(), peer_annotations={}).save(tmp_path / "plain")
    mine = str(tmp_path / "plain")
    plain = answer(capsys, "--by", "similarity", mine)
    never = answer(capsys, "--by", "similarity", mine, "--model", str(tmp_path / "never.json"))
    assert never["signature"] != plain["signature"]
    assert all(result["annotated"] == 0 for result in never["results"])


# one command


def test_auto_is_the_command_that_is_meant(mine, capsys, tmp_path):
    content = answer(capsys, mine, "--scores", str(tmp_path / "auto.csv"))
    assert content == answer(capsys, "score", mine)
    assert content["command"] == "pyramid auto"
    assert content["signature"].startswith("auto-pyramid|model:")
    scores = read_scores(tmp_path / "auto.csv")
    assert scores.measures == ("auto-pyramid", "auto-pyramid-annotated")
    similar = {
        r["system"]: r["expected"] for r in answer(capsys, "--by", "similarity", mine)["results"]
    }
    expected = {r["system"]: r["expected"] for r in content["results"]}
    assert expected["2"] > similar["2"], "the marks of 1 settle what it says, too"
    by_marks = answer(capsys, mine, "--by", "marks")["results"]
    matched = answer(capsys, "--match", mine)["results"][0]["topics"][0]["summaries"]
    automatic = {item["system"]: item["automatic"] for item in matched if item["role"] == "peer"}
    assert {r["system"]: r["expected"] for r in by_marks} == automatic


@pytest.mark.parametrize("writers", ["A", "AB"])
def test_references_alone_are_enough(writers, capsys, tmp_path):
    references = [Summary("T1", name, REFERENCES[name], kind="human") for name in writers]
    peers = (Summary("T1", "7", "Ice melts fast."), Summary("T1", "8", "Nothing."))
    Collection("alone", summaries=(*references, *peers)).save(tmp_path / "alone")
    content = answer(capsys, str(tmp_path / "alone"))
    expected = {result["system"]: result["expected"] for result in content["results"]}
    assert list(expected) == ["7", "8"]
    assert expected["7"] > expected["8"] == 0
    again = answer(capsys, str(tmp_path / "alone"), "-o", str(tmp_path / "found"))
    assert again == content
    assert len(read_collection(tmp_path / "found").peer_annotations) == 2


def test_references_serve_where_units_are_given_if_asked(listed, capsys):
    built = answer(capsys, listed, "--units", "references")
    assert "units:references" in built["signature"]
    assert built["results"][0]["annotated"] != answer(capsys, listed)["results"][0]["annotated"]


@pytest.mark.long
def test_fit_writes_a_model_that_annotates(demo, capsys, tmp_path):
    file = str(tmp_path / "model.json")
    topics = ("--topic", "P01,P02")
    content = answer(capsys, "fit", demo, *topics, "-o", file)
    built_in, fitted = content["results"]
    assert fitted["model"] == "fitted, other topics"
    assert fitted["brier"] < built_in["brier"] < built_in["base_rate"]
    assert abs(fitted["expected"] - fitted["found"]) < abs(built_in["expected"] - built_in["found"])
    again = answer(capsys, "fit", demo, *topics, "--model", file)["results"][0]
    assert again["model"] == "given"
    assert again["brier"] < built_in["brier"]


# build


def test_build_shows_tiers_and_writes_pyramids(demo, capsys, tmp_path):
    folder = tmp_path / "built"
    arguments = ("build", demo, "--task", "A", "--topic", "P01,P04")
    content = answer(capsys, *arguments)
    assert [result["topic"] for result in content["results"]] == ["P01", "P04"]
    assert run(*arguments, "-o", str(folder)) == 0
    out, err = capsys.readouterr()
    assert err == f"wrote {folder}\n"
    again = read_collection(folder)
    for result in content["results"]:
        pyramid = again.pyramids["A", result["topic"]]
        assert not pyramid.notes, "offsets fit the text"
        weights = [scu["weight"] for scu in result["scus"]]
        assert pyramid.weights.tolist() == weights
        tiers = {int(weight): number for weight, number in result["tiers"].items()}
        assert tiers == {weight: weights.count(weight) for weight in (4, 3, 2, 1)}
        row = ["A", result["topic"], "4", str(len(weights)), *map(str, tiers.values())]
        assert row in [line.split() for line in out.splitlines()]


def test_what_is_built_can_be_used_to_annotate(demo, capsys, tmp_path):
    folder = tmp_path / "built"
    assert run("build", demo, "--topic", "P01", "-o", str(folder)) == 0
    capsys.readouterr()
    assert answer(capsys, "--match", str(folder))["results"][0]["n"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--match", "nowhere"], "nowhere: there is no such file or folder"),
        (["--match", "mine", "--topic", "T9"], "no pyramid of topic 'T9'; available: T1, T2"),
        (["--match", "mine", "--task", "A"], "no pyramid of task 'A'; available: B"),
        (["--match", "mine", "--gap", "-1"], "gap is -1"),
        (["mine", "--gap", "1"], "--gap has no effect on pyramid auto without --match; leave it"),
        (["--match", "mine", "--by", "marks"], "--by has no effect on --match; leave it out"),
        (
            ["--match", "mine", "--of", "me"],
            "'me'; choose one of annotated, all",
        ),
        (["--match", "mine", "--to", "word"], "'word'; choose one of ducview"),
        (
            ["--match", "mine", "--scores", "a.xls"],
            "a.xls: scores cannot be written in this format",
        ),
        (["--match", "mine", "-o", "mine"], "mine: the folder already exists"),
        (["--match", "mine", "-o", "s.csv"], "s.csv: annotations are written to a folder"),
        (["--match", "mine", "-o", "no/auto"], "the folder no does not exist"),
        (["--match", "plain"], "there are no pyramids in plain; add .pyr files"),
        (["--match", "empty"], "there is no summary in empty that could be annotated"),
        (["--match", "single", "-o", "auto"], "there is no summary in single that could be"),
        (["--match", "pair", "-o", "auto"], "there is no annotated peer to write"),
        (
            ["--by", "similarity", "plain"],
            "no pyramids, content units or references in plain; add ref",
        ),
        (["plain"], "there are no pyramids, content units or references in plain; add"),
        (["mine", "--by", "ear"], "'ear'; choose one of both, marks, similarity"),
        (["--units", "mine", "mine"], "'mine'; choose one of given, references"),
        (["fit", "plain"], "plain: there is nothing in plain to fit to; it needs pyramids of"),
        (["fit", "single"], "there is nothing in single to fit to"),
        (["--by", "similarity", "empty"], "there is no peer in empty to annotate"),
        (["--by", "similarity", "pair"], "there is no peer in pair to annotate"),
        (
            ["--by", "similarity", "mine", "--topic", "T9"],
            "no pyramid of topic 'T9'; available: T1, T2",
        ),
        (["--by", "similarity", "mine", "--model", "no.json"], "no.json: there is no such file"),
        (["--by", "similarity", "mine", "--model", "mine/summaries.jsonl"], "this is not JSON"),
        (
            ["--by", "similarity", "listed", "-o", "auto"],
            "T1 has a list of content units but no pyramid",
        ),
        (["build", "plain"], "no topic in plain has a reference with words"),
        (["build", "mine", "--topic", "T9"], "no pyramid of topic 'T9'; available: T1, T2"),
        (["build", "mine", "-o", "mine"], "mine: the folder already exists"),
    ],
)
def test_errors_are_one_line(arguments, message, mine, listed, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Collection("plain", summaries=(Summary("T1", "7", "Ice."),)).save("plain")
    Collection("empty", pyramids={("", "T1"): Pyramid("")}).save("empty")
    single = Pyramid.from_references({"A": "Ice."}, [("Ice", {"A": ["Ice"]})])
    Collection("single", pyramids={("", "T1"): single}).save("single")
    Collection("pair", pyramids={("", "T1"): PYRAMID}).save("pair")
    before = sorted(path.name for path in tmp_path.iterdir())
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_empty_summaries_and_strange_peers_are_reported(mine, capsys):
    source = collection()
    strange = annotated(*PEERS["1"])
    strange = replace(strange, scus=(replace(strange.scus[0], uid="99"), *strange.scus[1:]))
    source = replace(
        source,
        summaries=(*source.summaries, Summary("T1", "9", " ", "B")),
        peer_annotations=source.peer_annotations | {("B", "T1", "1"): strange},
    )
    source.save(f"{mine}-odd")
    findings = ["empty-summary", "missing-summaries"]
    content = answer(capsys, "--match", f"{mine}-odd", findings=findings)
    notes = "\n".join(content["left_out"])
    assert "T1, task B, 9: the summary has no words" in notes
    assert "T1, task B, 1: annotated with another pyramid; this one has no SCU 99" in notes


def test_a_single_file_and_a_folder_of_files(mine, capsys, tmp_path):
    assert run("--match", mine, "-o", str(tmp_path / "files")) == 0
    capsys.readouterr()
    assert answer(capsys, "--match", str(tmp_path / "files"))["results"][0]["n"] == 2
    file = next((tmp_path / "files").glob("T1*7.pan"))
    assert answer(capsys, "--match", str(file))["results"][0]["topics"][0]["n"] == 1
