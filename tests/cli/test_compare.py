"""``compare``, ``power`` and ``report`` as they are typed."""

import json
import subprocess
import sys

import numpy as np
import pytest

from pyramidion.cli import runtime
from pyramidion.collection import Collection, ScoreMatrix, Scores
from pyramidion.collection.formats.scores import write_scores
from pyramidion.demo import load_demo

RNG = np.random.default_rng(3)
KEYS = {
    "measure", "task", "test", "alpha", "correction", "pairs", "significant",
    "significant_uncorrected", "human_machine", "systems", "comparisons",
}  # fmt: skip


@pytest.fixture
def scores(tmp_path):
    values = RNG.integers(1, 6, size=(20, 4)) + np.array([0, 0, 1, 2])
    values = np.minimum(values, 5).astype(float)
    values[0, 3] = np.nan
    topics = [f"T{i}" for i in range(20)]
    matrix = ScoreMatrix(
        values, topics, ["7", "8", "9", "A"], [False, False, False, True],
        measure="responsiveness", task="A",
    )  # fmt: skip
    path = tmp_path / "scores.csv"
    write_scores(matrix.to_scores(), path)
    return path


def run(*arguments):
    return runtime.run([str(argument) for argument in arguments])


def answer(capsys, *arguments):
    assert run(*arguments, "--format", "json") == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.mark.parametrize("header", ["topic,system,measure,value", "item,model,aspect,score"])
def test_comparing_a_csv_file_loads_no_reader_of_ducview_or_duc(tmp_path, header):
    rows = [f"t{n // 2},s{n % 2},quality,{n * n % 5}" for n in range(12)]
    (tmp_path / "table.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    code = (
        "import re, sys; from pyramidion.cli.runtime import run; "
        "code = run(['compare', 'table.csv']); "
        "print(code, [name for name in sys.modules if re.search('[.]_?duc', name)])"
    )
    printed = subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path, text=True)
    assert printed.splitlines()[-1] == "0 []"


def test_compare_prints_the_contract(scores, capsys):
    content = answer(capsys, "compare", scores)
    assert set(content) == {"command", "signature", "results", "left_out"}
    (result,) = content["results"]
    assert set(result) >= KEYS
    assert set(result["human_machine"]) == {"pairs", "significant", "significant_uncorrected"}
    assert set(result["systems"][0]) == {
        "system", "kind", "mean", "low", "high", "n", "rank", "group", "cluster",
        "adjusted", "part",
    }  # fmt: skip
    assert set(result["comparisons"][0]) >= {
        "a", "b", "n", "difference", "statistic", "p", "p_adjusted", "effect",
    }  # fmt: skip
    assert result["pairs"] == 6
    assert result["human_machine"]["pairs"] == 3
    missing = "responsiveness, task A: 1 missing scores; pairs use shared topics"
    assert content["left_out"] == [missing]
    assert "seed:0" in content["signature"]


def test_the_dissertations_tables_in_one_command(scores, capsys):
    tests = "unpaired-t,paired-t,wilcoxon"
    content = answer(capsys, "compare", scores, "--test", tests, "--correction", "none")
    assert [result["test"] for result in content["results"]] == tests.split(",")
    for result in content["results"]:
        assert result["significant"] == result["significant_uncorrected"]


def test_the_demonstration_collection(tmp_path, capsys):
    load_demo().save(tmp_path / "demo")
    content = answer(capsys, "compare", tmp_path / "demo")
    assert {(r["measure"], r["task"]) for r in content["results"]} == {
        (measure, task) for measure in ("readability", "responsiveness") for task in "AB"
    }
    assert content["left_out"][0].startswith("relative-utility, task A: 1 system")
    assert run("report", tmp_path / "demo", "-o", tmp_path / "report.html") == 0


def test_csv_says_which_comparison_a_row_is_of(scores, capsys):
    assert run("compare", scores, "--test", "wilcoxon,paired-t", "--format", "csv") == 0
    blocks = capsys.readouterr().out.split("\n\n")
    headers = {
        block.split("\n")[0].split(",")[:3] == ["task", "measure", "test"] for block in blocks
    }
    assert headers == {True}
    pairs = next(block for block in blocks if ",a,b," in block)
    assert len(pairs.strip().split("\n")) == 1 + 2 * 6


def test_one_assessor_only(tmp_path, capsys):
    load_demo().save(tmp_path / "demo")
    both, by_bob = (
        answer(capsys, "compare", tmp_path / "demo", "-m", "readability", "--task", "A", *more)
        for more in ([], ["--assessor", "K"])
    )
    assert both["results"][0]["systems"] != by_bob["results"][0]["systems"]
    assert "assessor:K" in by_bob["signature"]


def test_tables_for_people(scores, capsys):
    assert run("compare", scores) == 0
    out = capsys.readouterr().out
    for heading in ("Significant differences between systems", "Ranking by", "Pairs by"):
        assert heading in out


@pytest.mark.long
def test_figures(scores, tmp_path, capsys):
    assert run("compare", scores, "--figures", tmp_path / "figures") == 0
    names = {path.name.rpartition("-")[2] for path in (tmp_path / "figures").iterdir()}
    assert names == {"ranking.svg", "pairs.svg", "wins.svg", "scores.svg", "topics.svg"}


@pytest.mark.parametrize(("command", "flag"), [("report", "-o"), ("check", "--html")])
def test_a_page_is_not_written_as_markdown(command, flag, scores, tmp_path, capsys):
    page = tmp_path / "report.md"
    assert run(command, scores, flag, page) == 2
    assert "report.md: this is a page; name a file that ends in .html" in capsys.readouterr().err
    assert not page.exists()


def test_report_is_one_file_that_fetches_nothing(scores, tmp_path, capsys):
    page = tmp_path / "report.html"
    assert run("report", scores, "-o", page) == 0
    html = page.read_text(encoding="utf-8")
    assert html.count("<figure>") == 3
    for attribute in ('src="http', 'href="http', "url(http", "@import"):
        assert attribute not in html
    assert r"\begin{tabular}" in html
    assert "Westfall and Young" in html
    assert "compare(permutation)|measure:responsiveness|task:A|" in html


def test_power(scores, tmp_path, capsys):
    content = answer(capsys, "power", scores, "--resamples", 50, "--figures", tmp_path / "curves")
    (result,) = content["results"]
    assert set(result["topics"]) == {"0.25", "0.5", "0.75", "0.9", "1"}
    assert len(result["comparisons"]) == 6
    names = {path.name for path in (tmp_path / "curves").iterdir()}
    assert names == {"responsiveness-A-power.svg", "responsiveness-A-topic-effects-power.svg"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "readability"], "there is no measure 'readability'; available: responsiveness"),
        (["--task", "B"], "there is no task 'B'"),
        (["--test", "sign"], "test is 'sign'"),
        (["--test", ","], "no test is named"),
        (["--correction", "bonferroni"], "correction is 'bonferroni'"),
        (["--baseline", "nobody"], "there is no system 'nobody'"),
        (["--resamples", "5"], "5 resamples cannot show significance"),
        (["--alpha", "2"], "alpha is 2.0; give a number between 0 and 1"),
        (["--seed", "-1"], "seed is -1; give a whole number of at least 0"),
        (["--assessor", "Z"], "there is no assessor 'Z'"),
        (
            ["--figures", "f", "--figure-format", "gif"],
            "figure-format is 'gif'",
        ),
    ],
)
def test_bad_options_are_one_line(scores, arguments, message, capsys):
    assert run("compare", scores, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


def test_bad_scores_are_one_line(tmp_path, capsys):
    table = tmp_path / "scores.csv"
    header = "task,topic,system,kind,measure,assessor,value\n"
    for rows, message in (
        (",T1,7,machine,m,,1\n,T1,7,machine,m,,2\n", "repeated score: T1, 7, m"),
        (",T1,7,machine,m,,inf\n", "`value` is 'inf'"),
        (",T1,7,machine,m,,good\n", "not a number"),
        (
            ",T1,7,machine,m,,1\n,T1,8,machine,m,,2\n",
            "every measure has only one topic; add a topic",
        ),
        (",T1,7,machine,m,,1\n,T2,7,machine,m,,2\n", "every measure has only one system"),
        (",T1,7,machine,m,,1e308\n,T2,7,machine,m,,1\n,T1,8,machine,m,,1\n", "too large"),
        (
            "".join(f",T{t},{s},machine,m,,{1e308 * t}\n" for t in (-1, 1) for s in (7, 8)),
            "too large",
        ),
    ):
        table.write_text(header + rows)
        assert run("compare", table) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert message in err
    table.write_text(header + ",T1,7,machine,m,,1\n,T1,8,machine,m,,2\n")
    assert run("compare", table, "-m", "m") == 2
    assert "only one topic" in capsys.readouterr().err


def test_a_collection_without_scores(tmp_path, capsys):
    Collection("empty", scores=Scores({}, [])).save(tmp_path / "empty")
    assert run("compare", tmp_path / "empty") == 2
    assert "there are no scores in it" in capsys.readouterr().err


def test_the_ending_of_a_file_decides_its_form(scores, tmp_path, capsys):
    for ending, begins in (
        ("json", "{"), ("csv", "task,measure,test"), ("tex", "% compare("), ("md", "**Significant"),
        ("txt", "Significant differences"),
    ):  # fmt: skip
        file = tmp_path / f"answer.{ending}"
        assert run("compare", scores, "-o", file) == 0
        assert file.read_text(encoding="utf-8").startswith(begins)
    assert run("compare", scores, "-o", file, "--format", "json") == 0
    assert json.loads(file.read_text(encoding="utf-8"))["command"] == "compare"
    capsys.readouterr()
    assert run("compare", scores, "-o", tmp_path / "answer.html") == 2
    assert "the output cannot be written as .html" in capsys.readouterr().err


def test_a_report_judges_the_top_by_one_assessor(tmp_path, capsys):
    rows = [
        f"T{t},{s},{measure},{who},{value + 0.01 * t}"
        for t in range(6)
        for s in range(5)
        for measure, who, value in (
            ("quality", "Ann", (s * (t + 2)) % 7), ("quality", "Bob", s), ("auto", "", s + t % 2),
        )
    ]  # fmt: skip
    table = tmp_path / "scores.csv"
    table.write_text("\n".join(["topic,system,measure,assessor,value", *rows]))
    page = tmp_path / "page.html"
    options = ("--human", "quality", "-m", "auto", "--top", "3", "--assessor", "Bob", "-o", page)
    assert run("report", table, *options) == 0
    text = page.read_text(encoding="utf-8")
    assert "2 machines below the top 3" in text
    assert "by quality and auto" in text
    # Bob's quality is the system's number, as auto is.
    assert "1.000" in text
