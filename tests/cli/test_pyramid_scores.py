"""`pyramidion pyramid score`, `tiers`, `optimal`, `missed` and `pairs` as commands."""

import gzip
import json
import re
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from scipy import stats as scipy_stats

from pyramid.score_samples import PYRAMID, SAID, ducview_bytes, peer
from pyramidion.cli import runtime
from pyramidion.collection import SCU, Collection
from pyramidion.demo import load_demo
from pyramidion.pyramid import tiers
from support import needs_package, shared_file

EMPTY = replace(PYRAMID, scus=())


def run(*arguments):
    return runtime.run(["pyramid", *map(str, arguments)])


@pytest.fixture(scope="module")
def realsumm(tmp_path_factory):
    """Two topics of REALSumm, and the content units beside it."""
    source, units = (shared_file(f"data/realsumm{name}.jsonl.gz") for name in ("", "_scus"))
    folder = tmp_path_factory.mktemp("realsumm")
    (folder / units.name).symlink_to(units)
    with gzip.open(source) as lines, gzip.open(folder / source.name, "wb") as some:
        some.writelines(islice(lines, 50))
    return folder / source.name


def answer(capsys, *arguments):
    assert run(*arguments, "--format", "json") == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def files(tmp_path):
    """Return a folder with a pyramid and two annotated peers."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "T1-A.pyr").write_bytes(ducview_bytes(PYRAMID))
    (folder / "T1-A-7.pan").write_bytes(ducview_bytes(peer([1, 0, 2, 0, 0], outside=1)))
    (folder / "T1-A-8.pan").write_bytes(ducview_bytes(peer([0, 1, 0, 0, 0])))
    return folder


@pytest.fixture
def demo(tmp_path):
    load_demo().save(tmp_path / "demo")
    return tmp_path / "demo"


class TestScore:
    def test_json(self, files, capsys):
        content = answer(capsys, "score", files)
        assert list(content) == ["command", "signature", "results", "left_out"]
        assert content["command"] == "pyramid score"
        assert content["left_out"] == []
        first, second, *references = content["results"]
        assert {
            "task": "A", "topic": "T1", "system": "7", "kind": "machine", "weight": 4, "scus": 3,
            "max": 6, "repeated": 1, "outside": 1, "references": 3, "jackknifed": False,
        }.items() <= first.items()  # fmt: skip
        assert first["original"] == first["quality"] == pytest.approx(4 / 6)
        assert first["modified"] == first["coverage"] == pytest.approx(4 / 6)
        assert (first["precision"], first["recall"]) == (pytest.approx(2 / 3), 2 / 5)
        assert (second["system"], second["weight"]) == ("8", 2)
        assert [(r["system"], r["kind"], r["jackknifed"]) for r in references] == [
            ("A", "human", True), ("B", "human", True), ("C", "human", True),
        ]  # fmt: skip

    def test_table(self, files, capsys):
        assert run("score", files, "--no-references") == 0
        out, err = capsys.readouterr()
        assert err == ""
        lines = out.splitlines()
        assert lines[0] == "Pyramid scores"
        assert lines[2].split() == [
            "task", "topic", "system", "kind", "D", "SCUs", "Max", "original", "modified",
            "comprehensive", "precision", "recall", "repeated",
        ]  # fmt: skip
        assert lines[4].split()[:8] == ["A", "T1", "7", "machine", "4", "3", "6", "0.6667"]
        means = lines.index("Means of systems, by modified score")
        assert [line.split()[1] for line in lines[means + 4 : means + 6]] == ["7", "8"]
        assert lines[-1].startswith("pyramid-score|references:no|v")

    def test_scores_for_compare(self, demo, capsys, tmp_path):
        table = tmp_path / "scores.csv"
        assert run("score", demo, "-o", table) == 0
        assert capsys.readouterr().err == f"wrote {table}\n"
        assert (
            runtime.run(["compare", str(table), "-m", "pyramid-modified", "--format", "json"]) == 0
        )
        results = json.loads(capsys.readouterr().out)["results"]
        assert [(r["measure"], r["task"]) for r in results] == [
            ("pyramid-modified", "A"),
            ("pyramid-modified", "B"),
        ]

    def test_a_single_file(self, files, capsys):
        content = answer(capsys, "score", files / "T1-A-7.pan", "--no-references")
        assert [result["system"] for result in content["results"]] == ["7"]

    def test_selection(self, demo, capsys):
        content = answer(
            capsys, "score", demo, "--task", "A", "--topic", "P01,P02", "--system", "A,E"
        )
        assert [(r["topic"], r["system"]) for r in content["results"]] == [
            ("P01", "A"),
            ("P02", "E"),
        ]
        assert "|task:A|topic:P01+P02|system:A+E|" in content["signature"]

    @pytest.mark.long
    def test_realsumm(self, capsys):
        source = shared_file("data/realsumm.jsonl.gz")
        content = answer(capsys, "score", source, "--topic", "cnndm1017")
        assert len(content["results"]) == 25
        first = content["results"][0]
        # The release's labels of this summary: one of ten units.
        assert (first["system"], first["weight"], first["max"]) == ("abs_bart_out", 1, 10)
        assert first["modified"] == first["recall"] == 0.1
        unknown = ("original", "precision", "comprehensive", "outside", "repeated")
        assert [first[name] for name in unknown] == [None] * 5
        assert run("score", source, "--topic", "cnndm1017") == 0
        assert "modified is the share of the list that was found" in capsys.readouterr().out

    def test_each_worker(self, capsys, tmp_path, realsumm):
        options = ["--topic", "cnndm1017", "--system", "abs_bart_out", "--workers", "each"]
        table = tmp_path / "scores.tsv"
        content = answer(capsys, "score", realsumm, *options, "-o", table)
        # The recall of the three workers, as the release gives it.
        assert [(r["assessor"], r["modified"]) for r in content["results"]] == [
            ("worker1", 0.5),
            ("worker2", 0.1),
            ("worker3", 0.1),
        ]
        assert "\tpyramid-modified\tworker1\t0.5\n" in table.read_text()

    def test_json_lines(self, tmp_path, capsys):
        lines = [
            {"topic": "T2", "scus": [{"id": "a", "label": "Ice melts"}, {"id": "b", "label": "x"}]},
            {"topic": "T2", "system": "7", "answers": {"a": 1, "b": 0}},
        ]
        file = tmp_path / "mine.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        (result,) = answer(capsys, "score", file)["results"]
        assert result["modified"] == 0.5


PAN = ducview_bytes(peer([1, 0, 0, 0, 0], 1)).decode()
PYR = ducview_bytes(PYRAMID).decode()
START = PYRAMID.scus[2].contributors[0].start
BOMB = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><pyramid><text>&c;</text></pyramid>'
TWICE = replace(
    PYRAMID, scus=(replace(PYRAMID.scus[0], contributors=PYRAMID.scus[0].contributors[:1] * 2),)
)

#: What is wrong, the files, the exit code and what is said on one line.
BAD = {
    "offsets outside the text": (
        {"T1-A.pyr": PYR.replace(f'It is old" start="{START}"', f'Gone" start="9{START}"', 1)},
        0,
        "T1-A.pyr: SCU 3: 'Gone' is not at 9",
    ),
    "a contributor in no reference": (
        {"T1-A.pyr": PYR.replace(f'label="It is old" start="{START}" end="{START + 9}"',
                                 'label="---" start="0" end="3"')},
        0,
        "contributor in no reference: pyramid of T1, task A, SCU 3: check its offsets",
    ),
    "two contributors from one reference": (
        {"T1-A.pyr": ducview_bytes(TWICE), "T1-A-7.pan": PAN},
        0,
        "SCU twice in one reference: pyramid of T1, task A, SCU 1: 2 contributors in T1.M.100.K.A "
        "add 2 to its weight",
    ),
    "an empty pyramid": (
        {"T1-A.pyr": ducview_bytes(EMPTY)},
        2,
        "files: pyramid of T1, task A is empty; no reference expresses a content unit",
    ),
    "an empty pyramid among others": (
        {"T1-A.pyr": PYR, "T2-A.pyr": ducview_bytes(EMPTY)},
        0,
        "empty pyramid: pyramid of T2, task A: no reference expresses a content unit;",
    ),
    "a peer with no SCU": (
        {"T1-A.pyr": PYR, "T1-A-7.pan": ducview_bytes(peer([0] * 5))},
        0,
        "peer without content: peer annotation of T1, task A, 7: it expresses no content unit",
    ),
    "duplicate uids": (
        {"T1-A.pyr": PYR.replace('uid="2"', 'uid="1"')},
        2,
        "files: duplicated SCU: pyramid of T1, task A, SCU 1; it occurs 2 times",
    ),
    "duplicate uids in an annotation": (
        {"T1-A.pyr": PYR, "T1-A-7.pan": PAN.replace('<peerscu uid="3"', '<peerscu uid="4"')},
        0,
        "SCU twice in one annotation: peer annotation of T1, task A, 7, SCU 4: it occurs 2 "
        "times; its contributors are combined",
    ),
    "duplicate uids in an annotation's own pyramid": (
        {"T1-A.pyr": PYR, "T1-A-7.pan": PAN.replace('<scu uid="3"', '<scu uid="4"')},
        2,
        "duplicated SCU: peer annotation of T1, task A, 7, SCU 4",
    ),
    "an annotation whose pyramid differs": (
        {"T1-A.pyr": PYR, "T1-A-7.pan": PAN.replace('"Ice is old"', '"Ice"')},
        0,
        "other pyramid: peer annotation of T1, task A, 7: SCU 3 differs from the topic's pyramid; "
        "the annotation is scored with the pyramid that it contains",
    ),
    "a unit that is not in the pyramid": (
        {"T1-A.pyr": PYR, "T1-A-7.pan": PAN.replace('<peerscu uid="1"', '<peerscu uid="77"')},
        2,
        "files: peer annotation of T1, task A, 7: the pyramid has no content unit 77",
    ),
    "a weight that is not the label's": (
        {"T1-A.pyr": PYR, "T1-A-7.pan": PAN.replace('"(3) Ice', '"(4) Ice')},
        0,
        "weight unlike the label's: peer annotation of T1, task A, 7, SCU 1: its label says 4, "
        "it has 3 contributors",
    ),
    "an XML bomb": (
        {"T1-A.pyr": BOMB},
        2,
        "T1-A.pyr: the XML defines entities, which is refused for safety",
    ),
    "no headers": (
        {"T1-A.pyr": PYR.replace("-" * 18, "==")},
        2,
        "pyramid of T1, task A is empty; its text has no references",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_gets_one_line_with_the_uid(kind, tmp_path, capsys):
    files, code, message = BAD[kind]
    folder = tmp_path / "files"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    assert run("score", folder, "--format", "json") == code
    out, err = capsys.readouterr()
    assert len([line for line in err.splitlines() if message in line]) == 1
    if code:
        assert out == ""
        assert err.count("\n") == 1
    else:
        content = json.loads(out)
        assert len(content["left_out"]) == err.count("left out: ") == err.count("\n")
        # The references are scored, whatever is wrong with one unit.
        assert {"A", "B"} <= {result["system"] for result in content["results"]} or kind == (
            "two contributors from one reference"
        )


@pytest.mark.parametrize(
    "command",
    [("stability",), ("importance",), ("auto", "--match"), ("auto", "--by", "similarity")],
)
def test_other_commands_tell_the_same(command, tmp_path, capsys):
    needs_package("studies")
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "T1-A.pyr").write_text(PYR.replace("-" * 18, "-" * 19), encoding="utf-8")
    weighed = PAN.replace("-" * 18, "-" * 19).replace('"(3) Ice', '"(4) Ice')
    (folder / "T1-A-7.pan").write_text(weighed, encoding="utf-8")
    assert run(*command, folder, "--format", "csv") == 0
    lines = capsys.readouterr().err.splitlines()
    repaired = [
        line for line in lines if "repaired: T1-A.pyr: SCU 1: 'Ice melts' is not at" in line
    ]
    assert len(repaired) == 1
    assert repaired[0].endswith("(and 7 more, which `pyramidion describe` lists)")
    assert sum("weight unlike the label's" in line for line in lines) == 1


def test_many_notes_of_a_kind_are_counted(tmp_path, capsys):
    stranger = peer([1, 0, 0, 0, 0])
    wrong = tuple(replace(scu, label="(9) ?") for scu in stranger.scus[:5])
    peers = {("", "T1", str(n)): replace(stranger, scus=wrong) for n in range(10)}
    collection = Collection("m", pyramids={("", "T1"): PYRAMID}, peer_annotations=peers)
    collection.save(tmp_path / "mine")
    assert run("score", tmp_path / "mine", "--format", "csv") == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("(and 49 more, which `pyramidion describe` lists)")


def test_a_pyramids_notes_are_reported_once(tmp_path, capsys):
    """Each annotation repeats the pyramid, and its wrong offsets with it."""
    folder = tmp_path / "files"
    folder.mkdir()
    wrong = f'It is old" start="{START}"', f'It is old" start="{START + 1}"'
    for system in range(5):
        (folder / f"T1-A-{system}.pan").write_text(PAN.replace(*wrong), encoding="utf-8")
    assert run("score", folder, "--format", "csv") == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "repaired: T1-A-0.pan: SCU 3: 'It is old' is not at " in line


def test_words_that_are_nowhere_are_reported_three_times_and_counted(tmp_path, capsys):
    file = tmp_path / "T1-A.pyr"
    file.write_text(re.sub('<part label="[^"]*"', '<part label="Gone"', PYR), encoding="utf-8")
    assert run("score", file, "--format", "csv") == 0
    lines = capsys.readouterr().err.splitlines()
    assert ["SCU 1: 'Gone' is not at" in lines[0], len(lines)] == [True, 4]
    assert lines[3] == (
        "left out: T1-A.pyr: 5 more such notes about content units, which `pyramidion describe` "
        "lists"
    )


class TestTiers:
    def test_table_and_csv(self, files, capsys):
        assert run("tiers", files) == 0
        out = capsys.readouterr().out
        title, _, _, _, top, middle, bottom, *_ = out.splitlines()
        assert title == "Tiers of T1, task A: 3 references, 5 SCUs, 2.7 a reference"
        assert (top.split()[:3], middle.split()[:3], bottom.split()[:3]) == (
            ["3", "1", "█"],
            ["2", "1", "█"],
            ["1", "3", "███"],
        )
        assert "Ice is old; Ships sank; …" in bottom
        assert run("tiers", files, "--format", "csv") == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[:2] == ["task,topic,weight,uid,label", "A,T1,3,1,Ice melts"]
        assert len(lines) == 6
        assert run("tiers", files, "--format", "latex") == 0
        out = capsys.readouterr().out
        assert r"1 & 3 & Ice is old; Ships sank; … \\" in out
        assert "█" not in out

    def test_a_narrow_terminal_keeps_a_label_of_each_tier(self, demo):
        result = tiers(demo, topic="P01", task="A")
        shown = result.render("table", width=80).splitlines()
        assert max(map(len, shown)) <= 80
        assert shown[4].endswith("███████     The ferry Maren Star caught fire; …")
        assert shown[6].endswith("An early figure for those aboard was 14 too…; …")

    def test_json(self, demo, capsys):
        content = answer(capsys, "tiers", demo, "--topic", "P01")
        assert [r["task"] for r in content["results"]] == ["A", "B"]
        tiers = content["results"][0]["tiers"]
        assert [(t["weight"], t["count"]) for t in tiers] == [(4, 7), (3, 5), (2, 7), (1, 11)]
        assert sum(tier["share"] for tier in tiers) == pytest.approx(1)
        assert len(tiers[0]["scus"]) == 7

    def test_figure(self, files, demo, capsys, tmp_path):
        drawing = tmp_path / "pyramid.svg"
        assert run("tiers", files, "--figure", drawing) == 0
        assert capsys.readouterr().err == f"wrote {drawing}\n"
        assert drawing.read_text().startswith("<?xml")
        assert run("tiers", demo, "--figure", tmp_path / "b.svg") == 2
        assert (
            "only one pyramid can be drawn at a time, but 12 are chosen" in capsys.readouterr().err
        )
        assert run("tiers", files, "--figure", tmp_path / "b.gif") == 2
        assert not (tmp_path / "b.svg").exists()

    def test_lists(self, capsys, realsumm):
        content = answer(capsys, "tiers", realsumm, "--topic", "cnndm1017")
        assert [(t["weight"], t["count"]) for t in content["results"][0]["tiers"]] == [(1, 10)]


class TestOptimal:
    def test_json_and_table(self, demo, capsys):
        options = ["optimal", demo, "--topic", "P01", "--task", "A", "--size", "9"]
        (result,) = answer(capsys, *options)["results"]
        # Seven units of weight 4, and two of the five of weight 3.
        assert (result["max"], result["count"], result["lowest_tier"]) == (34, 10, 3)
        assert (result["chosen"], result["of"], len(result["examples"])) == (2, 5, 2)
        assert {len(example) for example in result["examples"]} == {9}
        assert run(*options, "--examples", "0") == 0
        out = capsys.readouterr().out
        assert "2 of the 5 of weight 3" in out
        assert "Examples" not in out

    def test_sizes_at_the_ends(self, files, capsys):
        assert run("optimal", files, "--size", "9") == 0
        assert "all 5: the pyramid has no more" in capsys.readouterr().out
        assert run("optimal", files, "--size", "0") == 0
        out = capsys.readouterr().out
        assert "nothing to choose" in out
        assert "Examples" not in out

    def test_the_mean_size_of_a_reference(self, files, capsys):
        (result,) = answer(capsys, "optimal", files, "--examples", "9")["results"]
        assert (result["size"], result["count"], len(result["examples"])) == (3, 3, 3)


class TestMissed:
    def test_json(self, files, capsys):
        first, second, *_ = answer(capsys, "missed", files, "--no-references")["results"]
        assert (first["least_weight"], first["heavy"]) == (2, 2)
        assert first["missed"] == [{"uid": "2", "weight": 2, "label": "It rained"}]
        assert first["lighter"] == [{"uid": "3", "weight": 1, "label": "Ice is old"}]
        assert (first["outside"], first["repeated"]) == (1, 1)
        assert [unit["uid"] for unit in second["missed"]] == ["1"]

    def test_table(self, files, capsys):
        assert run("missed", files, "--system", "7", "--min-weight", "1", "--top", "1") == 0
        out = capsys.readouterr().out
        assert "T1, task A, 7: missed 3 of the 5 units of weight 1 or more" in out
        assert "And 2 more. It has instead: 1 outside the pyramid, 1 repeated." in out
        assert "Missed most" not in out
        assert run("missed", files, "--system", "7", "--min-weight", "4") == 0
        out = capsys.readouterr().out
        assert "T1, task A, 7: the pyramid has no unit of weight 4 or more" in out
        assert "It also has: 2 lighter units (Ice melts (3); Ice is old (1)), 1 outside" in out
        assert run("missed", files, "--no-references") == 0
        *_, last, _, _ = capsys.readouterr().out.splitlines()
        assert last.split() == ["A", "T1", "2", "2", "It", "rained", "1", "2"]

    def test_csv_has_what_the_table_does_not_show(self, files, capsys):
        options = ("--system", "7", "--min-weight", "1", "--top", "1", "--format", "csv")
        assert run("missed", files, *options) == 0
        assert capsys.readouterr().out.splitlines() == [
            "task,topic,system,weight,SCU,label",
            "A,T1,7,2,2,It rained",
            "A,T1,7,1,4,Ships sank",
            "A,T1,7,1,5,Bears swim",
        ]


class TestPairs:
    def test_one_pair_is_mcnemars_test(self, files, capsys):
        """Hits 1 0 1 0 0 against 0 1 0 0 0: two units to one; the mid-p value."""
        content = answer(capsys, "pairs", files, "--systems", "7,8")
        (result,) = content["results"]
        (pair,) = result["comparisons"]
        assert (pair["a"], pair["b"], pair["n"]) == ("7", "8", 5)
        assert pair["difference"] == pytest.approx(1 / 5)
        exact = scipy_stats.binomtest(1, 3).pvalue
        assert pair["p"] == pytest.approx(exact - scipy_stats.binom.pmf(1, 3, 0.5))
        assert pair["p_by_topic"] is None
        assert content["command"] == "pyramid pairs"
        assert content["signature"].startswith("pyramid-pairs(permutation)|system:7+8|items:scu|")

    def test_many_units(self, tmp_path, capsys):
        """Twelve topics: exact McNemar by SciPy, and the paired t test of the thesis."""
        rng = np.random.default_rng(3)
        hits = rng.random((12, 5, 2)) < [0.7, 0.4]
        peers = {
            ("", f"T{topic}", name): peer(hits[topic, :, column].astype(int))
            for topic in range(12)
            for column, name in enumerate(("7", "8"))
        }
        pyramids = {("", f"T{topic}"): PYRAMID for topic in range(12)}
        Collection("m", pyramids=pyramids, peer_annotations=peers).save(tmp_path / "mine")
        a, b = hits.reshape(-1, 2).T.astype(float)
        options = ["pairs", tmp_path / "mine", "--no-references", "--correction", "none"]
        (pair,) = answer(capsys, *options)["results"][0]["comparisons"]
        exact = scipy_stats.binomtest(int((a > b).sum()), int((a != b).sum())).pvalue
        assert pair["n"] == 60
        assert pair["p"] == pytest.approx(exact, abs=0.01)
        means = hits.mean(axis=1)
        by_topic = scipy_stats.permutation_test(
            (means[:, 0] - means[:, 1],), np.mean, permutation_type="samples", n_resamples=np.inf
        )
        assert pair["p_by_topic"] == pytest.approx(by_topic.pvalue)
        (pair,) = answer(capsys, *options, "--test", "paired-t")["results"][0]["comparisons"]
        assert pair["p"] == pytest.approx(scipy_stats.ttest_rel(a, b).pvalue)
        (result,) = answer(capsys, *options, "--test", "paired-t", "--weighted")["results"]
        weights = np.tile(PYRAMID.weights, 12)
        expected = scipy_stats.ttest_rel(a * weights, b * weights).pvalue
        assert result["measure"] == "scu-weight"
        assert result["comparisons"][0]["p"] == pytest.approx(expected)

    def test_vectors_of_hits(self, files, capsys, tmp_path):
        table = tmp_path / "hits.csv"
        assert run("pairs", files, "--systems", "7,A", "--weighted", "--hits", table) == 0
        assert capsys.readouterr().err == f"wrote {table}\n"
        header, *rows = table.read_text().splitlines()
        assert header == "task,topic,system,kind,measure,assessor,value,unit"
        assert rows[:2] == ["A,T1,7,machine,scu-weight,,3,1", "A,T1,A,human,scu-weight,,3,1"]
        # Of the five units A is measured by three, those that others have.
        assert len(rows) == 5 + 3
        assert run("pairs", files, "--hits", "hits.xls") == 2

    def test_all_pairs_of_the_demo(self, demo, capsys):
        content = answer(capsys, "pairs", demo, "--task", "A")
        (result,) = content["results"]
        assert result["pairs"] == 28
        assert len(content["left_out"]) == 1
        assert "16 pairs without a corrected p-value" in content["left_out"][0]
        assert run("pairs", demo, "--task", "A", "--systems", "A,B") == 0
        assert "n counts content units" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "nowhere"], "nowhere: there is no such file or folder"),
        (
            ["score", "files", "--system", "9"],
            "there is no system '9' with content units; available: 7, 8",
        ),
        (["score", "files", "--topic", "T9"], "there is no topic 'T9' with content units"),
        (["score", "files", "--task", "Z"], "there is no task 'Z' with content units"),
        (
            ["score", "files", "--workers", "some"],
            "workers is 'some'; choose one of",
        ),
        (
            ["score", "files", "-o", "scores.xls"],
            "scores.xls: scores cannot be written in this format",
        ),
        (["score", "files/T1-A.pyr", "--no-references"], "there are no annotated peers and no"),
        (["score", "summaries.jsonl"], "summaries.jsonl: there are no pyramids, annotated peers"),
        (["tiers", "summaries.jsonl"], "summaries.jsonl: there are no pyramids, annotated peers"),
        (["optimal", "files", "--size", "-1"], "size is -1; give a whole number of at least 0"),
        (
            ["missed", "files", "--min-weight", "0"],
            "min-weight is 0; give a whole number of at least 1",
        ),
        (["pairs", "files", "--systems", "7"], "task A has 1 system and 5 content units"),
        (["pairs", "files", "--test", "welch"], "test is 'welch'; choose one of perm"),
        (["pairs", "files", "--correction", "x"], "correction is 'x'"),
        (["tiers", "files", "--topic", "T1", "--task", "Z"], "there is no task 'Z'"),
    ],
)
def test_errors_are_one_line(arguments, message, files, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = {"topic": "T1", "system": "7", "text": "Ice."}
    (tmp_path / "summaries.jsonl").write_text(json.dumps(line))
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["files", "summaries.jsonl"]


def test_a_choice_that_leaves_nothing(demo, capsys):
    assert run("score", demo, "--topic", "P01", "--system", "E") == 2
    assert "no summary is left" in capsys.readouterr().err


def test_the_samples_say_what_they_say():
    assert PYRAMID.weights.tolist() == [3, 2, 1, 1, 1]
    assert SCU("1", "x", (SAID,)).contributors[0].label == "Snow"
