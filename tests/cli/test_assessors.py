"""`pyramidion assessors` as a command."""

import csv
import io
import json
from dataclasses import replace

import pytest

from judges.assessor_samples import tac_year
from pyramidion.cli import runtime
from pyramidion.collection import Judgment, Scores
from pyramidion.demo import load_demo
from support import shared_file

HEAD = "topic,system,kind,measure,assessor,value\n"


def run(*arguments):
    return runtime.run(["assessors", *map(str, arguments)])


def answer(capsys, *arguments):
    """Return the answer; the runs of TAC that share summaries are the only doubtful data."""
    assert run(*arguments, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content)[:4] == ["command", "signature", "results", "left_out"]
    codes = {f["code"] for f in content.get("findings", ()) if f["severity"] != "note"}
    assert codes <= {"partly-identical-systems"}
    return content


@pytest.fixture
def year(tmp_path):
    tac_year(seed=1, timed=True).save(tmp_path / "tac2011")
    return tmp_path / "tac2011"


@pytest.fixture
def years(tmp_path):
    for name in ("2010", "2011"):
        tac_year(name, seed=int(name), topics=8).save(tmp_path / name)
    return tmp_path / "2010", tmp_path / "2011"


def refused(capsys, *arguments):
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


# Consistency and severity


def test_json_has_a_result_for_each_assessor_and_measure(year, capsys):
    content = answer(capsys, year, "--resamples", 50)
    assert content["command"] == "assessors"
    assert content["signature"].startswith("assessors|level:by-scale|confidence:0.95|n:50|v")
    who = [(result["measure"], result["assessor"]) for result in content["results"]]
    assert who == [(m, a) for m in ("readability", "responsiveness") for a in [*"ABCD", None]]
    result = content["results"][0]
    assert {
        "assessor", "measure", "pairs", "alpha", "alpha_low", "alpha_high", "level", "level_by",
        "mean_difference", "mean_signed_difference", "equal", "contingency", "severity",
        "severity_low", "severity_high", "severity_model", "drift", "collection",
    } <= result.keys()  # fmt: skip
    assert (result["level"], result["severity_model"]) == ("ordinal", "assessor + category")
    assert result["level_by"] == "its scale, 1 to 5, has steps"
    assert result["contingency"]["values"] == [1, 2, 3, 4, 5]
    assert sum(map(sum, result["contingency"]["counts"])) == result["pairs"]
    assert result["alpha_low"] <= result["alpha"] <= result["alpha_high"]
    assert (result["drift"]["unit"], result["drift"]["n"]) == ("1", 96)
    assert sum(r["severity"] for r in content["results"][:4]) == pytest.approx(0, abs=1e-9)
    together = content["results"][4]
    assert together["pairs"] == sum(r["pairs"] for r in content["results"][:4])
    assert together["identical_pairs"] == together["pairs"]
    assert (together["compared"], together["agreement"]["items"]) == (384, 0)
    assert together["undefined"]["agreement"] == "no two assessors judged the same"


def test_years_and_all_together(years, capsys):
    content = answer(capsys, *years, "-m", "readability", "--level", "interval", "--resamples", 20)
    results = {(r["collection"], r["assessor"]): r for r in content["results"]}
    assert [key[0] for key in results] == ["2010"] * 5 + ["2011"] * 5 + [None] * 5
    for name in [*"ABCD", None]:
        parts = results["2010", name]["pairs"] + results["2011", name]["pairs"]
        assert results[None, name]["pairs"] == parts
    assert {r["level"] for r in content["results"]} == {"interval"}
    assert {r["level_by"] for r in content["results"]} == {"requested"}


def test_table_csv_and_latex(year, capsys, tmp_path):
    assert run(year, "--resamples", 20, "--contingency") == 0
    shown = capsys.readouterr().out
    titles = ("Identical summaries", "Consistency: ", "Severity: ", "Drift over time: ")
    for title in (*titles, "Pairs of values given to the same words"):
        assert title in shown
    assert "F(3, 9) =" in shown
    assert run(year, "--resamples", 20, "--format", "csv", "-o", tmp_path / "a.csv") == 0
    text = (tmp_path / "a.csv").read_text()
    part = next(p for p in text.split("\n\n") if p.startswith("collection,measure,assessor,pairs"))
    rows = list(csv.DictReader(io.StringIO(part)))
    assert [row["assessor"] for row in rows].count("all") == 2
    assert run(year, "--resamples", 20, "--format", "latex") == 0
    assert r"\begin{tabular}" in capsys.readouterr().out


@pytest.mark.long
def test_summeval(capsys):
    """data/README.md: 116 identical pairs; experts 67% on relevance, turkers 33-43%."""
    content = answer(capsys, shared_file("data/summeval.jsonl.gz"), "--resamples", 20)
    results = {r["measure"]: r for r in content["results"] if r["assessor"] is None}
    assert {r["identical_pairs"] for r in results.values()} == {116}
    assert round(results["expert-relevance"]["equal"], 2) == 0.67
    turkers = [round(r["equal"], 2) for name, r in results.items() if name.startswith("turker")]
    assert (min(turkers), max(turkers)) == (0.33, 0.43)
    assert len(results["expert-relevance"]["agreement"]["pairs"]) == 3


@pytest.mark.long
def test_realsumm(capsys):
    """data/README.md: 281 identical pairs."""
    content = answer(capsys, shared_file("data/realsumm.jsonl.gz"), "--resamples", 20)
    assert {r["identical_pairs"] for r in content["results"] if r["assessor"] is None} == {281}


def test_pyramids_of_assessed_topics(tmp_path, capsys):
    demo = load_demo()
    topics = tuple(replace(t, assessor="KL"[n % 2]) for n, t in enumerate(demo.topics))
    replace(demo, topics=topics).save(tmp_path / "demo")
    content = answer(capsys, tmp_path / "demo", "-m", "pyramid-modified", "--resamples", 20)
    first, _, together = content["results"]
    assert first["manual_minus_automatic"]["topics"] == 6
    assert len(together["manual_minus_automatic"]) == 12
    mean = sum(t["difference"] for t in together["manual_minus_automatic"] if t["assessor"] == "K")
    assert first["manual_minus_automatic"]["difference"] == pytest.approx(mean / 6)


def test_an_automatic_measure_from_another_table(year, tmp_path, capsys):
    rows = [
        Judgment(row.topic, row.system, "mine", row.value - 0.5, task=row.task, kind=row.kind)
        for row in tac_year(seed=1).scores.select(measure="responsiveness")
    ]
    file = tmp_path / "mine.csv"
    Scores.from_judgments(rows)
    lines = [f"{r.task},{r.topic},{r.system},{r.kind},{r.measure},,{r.value}\n" for r in rows]
    file.write_text("task,topic,system,kind,measure,assessor,value\n" + "".join(lines))
    content = answer(
        capsys, year, "--scores", file, "--manual", "responsiveness", "--automatic", "mine",
        "--resamples", 20,
    )  # fmt: skip
    results = [r for r in content["results"] if r["measure"] == "responsiveness" and r["assessor"]]
    assert {round(r["manual_minus_automatic"]["difference"], 9) for r in results} == {0.5}


def test_figures_and_page(year, tmp_path, capsys):
    folder, page = tmp_path / "figures", tmp_path / "page.html"
    arguments = ("--figures", folder, "--html", page, "--resamples", 20)
    assert run(year, "-m", "readability", *arguments) == 0
    assert sorted(file.name for file in folder.iterdir()) == [
        "consistency.svg",
        "pairs-readability-apart.svg",
        "pairs-readability.svg",
        "severity.svg",
    ]
    text = page.read_text()
    assert text.count("<svg") == 6
    assert "<link" not in text
    assert "Assessors of 2011" in text
    assert "wrote" in capsys.readouterr().err
    assert "already exists" in refused(capsys, year, "--figures", folder)


@pytest.mark.long
def test_assessors_on_the_page_of_a_report(year, tmp_path, capsys):
    page = tmp_path / "report.html"
    options = ("--measures", "readability", "--task", "A", "--resamples", "99")
    assert runtime.run(["report", str(year), "--assessors", *options, "-o", str(page)]) == 0
    capsys.readouterr()
    text = page.read_text()
    assert "Which systems differ" in text
    assert "How assessors were judged" in text
    assert "Signature: assessors|level:by-scale|task:A" in text


# Impact


def test_impact_as_json(year, capsys):
    content = answer(
        capsys, year, "--impact", "--max-excluded", 2, "-m", "readability", "--resamples", 20
    )
    assert content["command"] == "assessors impact"
    where = [(r["task"], r["peers"]) for r in content["results"]]
    assert where == [(t, p) for t in ("A", "B", None) for p in ("all", "machines")]
    result = content["results"][0]
    assert result["criterion"] == "alpha"
    assert [step["left_out"] for step in result["steps"]][:2] == [
        [],
        [result["worst"][0]["assessor"]],
    ]
    assert len(result["steps"]) == 3
    step = result["steps"][1]
    assert 0 < step["pearson"] <= 1
    assert step["chance"]["choices"] == 4
    assert step["metrics"][0]["metric"] == "rouge-2-r"
    assert len(step["metrics"][0]["assessors"]) == 3


def test_impact_computes_metrics_that_are_not_there(year, capsys):
    content = answer(
        capsys, year, "--impact", "--metrics", "rouge-1-r,rouge-2-r", "--peers", "machines",
        "--task", "A", "-m", "readability", "--resamples", 20,
    )  # fmt: skip
    (only,) = content["results"]
    assert [m["metric"] for m in only["steps"][0]["metrics"]] == ["rouge-1-r", "rouge-2-r"]


@pytest.mark.long
def test_impact_tables_figures_and_page(year, tmp_path, capsys):
    folder, page = tmp_path / "figures", tmp_path / "page.html"
    arguments = ("--impact", "--task", "A", "--resamples", 20, "--peers", "machines")
    assert run(year, *arguments, "--figures", folder, "--html", page) == 0
    shown = capsys.readouterr().out
    for title in ("Rankings without", "Metrics without", "Metrics and each assessor's summaries"):
        assert title in shown
    assert sorted(file.name for file in folder.iterdir()) == [
        "impact-2011-A-machines-summaries.svg",
        "impact-2011-A-machines-systems.svg",
        "impact-2011-A-machines.svg",
    ]
    assert page.read_text().count("<svg") == 3


def test_impact_by_manual_minus_automatic(tmp_path, capsys):
    demo = load_demo()
    topics = tuple(replace(t, assessor="KLM"[n % 3]) for n, t in enumerate(demo.topics))
    replace(demo, topics=topics).save(tmp_path / "demo")
    content = answer(capsys, tmp_path / "demo", "--impact", "--task", "A", "--resamples", 20)
    (only,) = content["results"]
    assert (only["measure"], only["criterion"]) == ("pyramid-modified", "manual-automatic")
    values = [worst["value"] for worst in only["worst"]]
    assert values == sorted(values)
    assert any(
        "by alpha: no assessor judged the same words twice" in line for line in content["left_out"]
    )


@pytest.mark.long
def test_classy_with_and_without_the_worst(tmp_path, capsys):
    for number, name in enumerate(("2009", "2010", "2011")):
        tac_year(name, seed=number, topics=8, tasks=("A",)).save(tmp_path / name)
    folders = [tmp_path / name for name in ("2009", "2010", "2011")]
    arguments = (*folders[:2], "--classy", folders[2], "--versions", 6, "--resamples", 20)
    content = answer(capsys, *arguments)
    models = [r for r in content["results"] if "classy" in r]
    assert {(m["classy"], m["later"], m["measure"]) for m in models} == {
        ("6", "2011", "responsiveness")
    }
    assert {m["criterion"] for m in models} == {None, "alpha"}
    assert run(*arguments) == 0
    assert "CLASSY trained without the worst assessors, tested on 2011" in capsys.readouterr().out


# Bad input


@pytest.fixture
def table(tmp_path):
    def write(*rows, head=HEAD, name="scores.csv"):
        file = tmp_path / name
        file.write_text(head + "".join(f"{row}\n" for row in rows))
        return file

    return write


def test_no_assessor_column(table, capsys):
    file = table("T1,7,machine,readability,4", head="topic,system,kind,measure,value\n")
    error = refused(capsys, file)
    assert "there are no judgments with an assessor in scores" in error
    assert "fill in the column `assessor`" in error


def test_one_assessor(table, capsys):
    file = table("T1,7,machine,readability,K,4", "T2,7,machine,readability,K,3")
    assert run(file) == 0
    captured = capsys.readouterr()
    assert "no severity, only one assessor, so there is nobody to compare with" in captured.err
    assert "one assessor, who cannot be left out" in refused(capsys, file, "--impact")


def test_no_identical_pairs(capsys, tmp_path):
    load_demo().save(tmp_path / "demo")
    content = answer(capsys, tmp_path / "demo", "-m", "readability")
    assert {(r["pairs"], r["alpha"]) for r in content["results"]} == {(0, None)}
    assert content["results"][0]["undefined"]["alpha"] == "no pairs"
    assert "none of 48 summaries is identical" in content["left_out"][0]
    error = refused(capsys, tmp_path / "demo", "--impact", "-m", "readability")
    assert "no assessor judged the same words twice" in error


def test_constant_judgments(table, capsys):
    file = table(*(f"T{n},7,machine,readability,{'KL'[n % 2]},4" for n in range(4)))
    content = answer(capsys, file)
    assert content["results"][0]["severity"] == 0
    assert content["results"][0]["severity_p"] is None
    assert content["results"][0]["undefined"]["severity"] == "the model leaves no residuals"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--level", "likert"], "level is 'likert'; choose one of nominal, ordinal"),
        (["--beside", "task"], "beside is 'task'; choose one of category, topic, nothing"),
        (["-m", "charm"], "there is no measure 'charm'; available: readability"),
        (["--task", "Z"], "there is no task 'Z'"),
        (["--automatic", "mine"], "there is no measure 'pyramid-modified'"),
        (["--confidence", "2"], "confidence is 2.0; give a number between 0 and 1"),
        (["--impact", "--worst-by", "luck"], "worst-by is 'luck'; choose one of alpha"),
        (["--impact", "--peers", "robots"], "peers is 'robots'; choose one of all"),
        (["--impact", "--metrics", "nonsense"], "nonsense"),
        (["--figures", "x", "--figure-format", "gif"], "figure-format is 'gif'"),
        (["--classy", "later"], "1 years to train on"),
    ],
)
def test_options_that_make_no_sense(table, capsys, options, message):
    file = table("T1,7,machine,readability,K,4", "T2,7,machine,readability,L,3")
    assert message in refused(capsys, file, *options)


def test_scores_of_no_year(table, capsys):
    first = table("T1,7,machine,readability,K,4", name="one.csv")
    two = table("T2,7,machine,readability,K,4", name="two.csv")
    other = table("T3,7,machine,rouge-2-f,,4", name="other.csv")
    assert "topic T3 is in none of the years" in refused(capsys, first, two, "--scores", other)
    contrary = table("T1,7,machine,readability,K,5", name="contrary.csv")
    scores = table("T1,7,machine,rouge-2-f,,4", name="scores.csv")
    assert "topic T1 is in several years" in refused(capsys, first, contrary, "--scores", scores)
    assert "already has readability of 7 for topic T1" in refused(capsys, first, "--scores", first)
    # All scores are of the only year.
    assert run(first, "--scores", other) == 0


def test_a_file_that_is_not_there(capsys, tmp_path):
    assert "there is no such file" in refused(capsys, tmp_path / "nothing.csv")
