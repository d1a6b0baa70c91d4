"""``verdicts``, ``gap``, ``composite`` and ``difficulty`` as they are typed."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from meta_evaluation.judging_samples import as_scores, judged
from pyramidion.cli import runtime
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.collection.formats import read_collection
from pyramidion.collection.formats.scores import write_scores
from pyramidion.comparison import compare
from pyramidion.demo import load_demo
from pyramidion.meta_evaluation import Agreement
from support import shared_file

AGREEMENT = {
    "tp", "fp", "fn", "tn", "accuracy", "precision", "recall", "balanced_accuracy",
    "mean_predictive_value", "direction_conflicts",
}  # fmt: skip


def years():
    return [
        replace(judged(people=2, seed=seed), collection=str(2008 + seed), task=task)
        for seed in range(2)
        for task in "AB"
    ]


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    write_scores(Scores.concatenate(map(as_scores, years())), path)
    return path


@pytest.fixture
def demo(tmp_path):
    load_demo().save(tmp_path / "demo")
    return tmp_path / "demo"


def run(*arguments):
    return runtime.run([str(argument) for argument in arguments])


def answer(capsys, *arguments):
    assert run(*arguments, "--format", "json") == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def significant_pairs(tables, values):
    """Return the pairs of machines that the signed-rank test distinguishes."""
    machines = ~tables.people
    systems = [
        system for system, is_machine in zip(tables.systems, machines, strict=True) if is_machine
    ]
    matrix = ScoreMatrix(values[:, machines], tables.topics, systems)
    result = compare(matrix, test="wilcoxon", correction="none").only
    return {frozenset((pair.a, pair.b)) for pair in result.comparisons if result.significant(pair)}


def refused(capsys, *arguments):
    assert run(*arguments) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert lines[-1].startswith("pyramidion: ")
    return lines[-1]


def test_verdicts_print_the_contract(scores, capsys):
    content = answer(capsys, "verdicts", scores, "--human", "pyramid", "--combine", "good,poor")
    assert content["command"] == "verdicts"
    assert "top:all" in content["signature"]
    alone = [r for r in content["results"] if not r["pooled"]]
    assert [(r["collection"], r["task"], r["metric"]) for r in alone] == [
        (year, task, metric)
        for year in ("2008", "2009")
        for task in "AB"
        for metric in ("good", "poor")
    ]
    expected = {(tables.collection, tables.task): tables for tables in years()}
    for result in alone:
        assert set(result["agreement"]) >= AGREEMENT
        tables = expected[result["collection"], result["task"]]
        by_people = significant_pairs(tables, tables.truth)
        by_metric = significant_pairs(tables, tables.metrics[result["metric"]])
        assert result["agreement"]["tp"] == len(by_people & by_metric) > 0
        assert result["agreement"]["accuracy"] == pytest.approx(1 - len(by_people ^ by_metric) / 28)
    together = {r["metric"]: r for r in content["results"] if r["pooled"]}
    assert set(together) == {"good", "poor", "good + poor"}
    for name in ("good", "poor"):
        agreements = [r["agreement"] for r in alone if r["metric"] == name]
        for count in ("n", "tp", "fp", "fn", "tn"):
            assert together[name]["agreement"][count] == sum(part[count] for part in agreements)
        low, high = together[name]["intervals"]["accuracy"]
        assert low <= together[name]["agreement"]["accuracy"] <= high
    both = together["good + poor"]
    assert both["metrics"] == ["good", "poor"]
    assert both["agreement"]["tp"] <= together["good"]["agreement"]["tp"]


def test_verdicts_of_the_top_and_of_all(scores, capsys):
    content = answer(capsys, "verdicts", scores, "--human", "pyramid", "--top", "4,all")
    tops = [result["top"] for result in content["results"]]
    assert sorted(set(tops), key=str) == [4, None]
    first = content["results"][0]
    assert len(first["systems"]) == 4
    assert first["rule"] == "top 4 of 8 machines"
    assert first["agreement"]["n"] == 6


def test_verdicts_as_tables(scores, capsys):
    assert run("verdicts", scores, "--human", "pyramid", "--combine", "good,poor") == 0
    shown = capsys.readouterr().out
    for title in (
        "Significant differences by people",
        "Accuracy with pyramid: 4 tasks together, all 8 machines",
        "Agreement with pyramid: 4 tasks together",
        "Kinds of verdicts compared with pyramid",
        "95% intervals of the agreement",
        "Combinations of metrics that must all agree",
    ):
        assert title in shown
    assert "2008 A   2008 B   2009 A   2009 B   mean   pooled" in shown
    assert run("verdicts", scores, "--human", "pyramid", "--format", "csv") == 0
    first = capsys.readouterr().out.split("\n\n")
    tables = {text.splitlines()[0]: list(csv.reader(io.StringIO(text))) for text in first}
    (accuracy,) = (rows for head, rows in tables.items() if head.startswith("human,ratio,metric"))
    row = next(row for row in accuracy if row[1:3] == ["accuracy", "good"])
    numbers = list(map(float, row[3:]))
    assert numbers[4] == pytest.approx(np.mean(numbers[:4]))


def test_costs_and_other_tests(scores, capsys):
    content = answer(
        capsys, "verdicts", scores, "--human", "pyramid", "-m", "good", "--task", "A",
        "--costs", "missed=3,false=0,reversed=0", "--test", "permutation", "--correction", "maxt",
        "--test-resamples", "199", "--resamples", "0",
    )  # fmt: skip
    result = content["results"][0]
    agreement = Agreement(tuple(map(tuple, result["agreement"]["three_way"])))
    assert result["utility"] == pytest.approx(-3 * agreement.fn / agreement.n)
    assert (result["test"], result["correction"]) == ("permutation", "maxt")
    assert result["intervals"] == {}


def test_lower_is_better_turns_directions(scores, capsys):
    plain, turned = (
        answer(capsys, "verdicts", scores, "--human", "pyramid", "-m", "good", *extra)
        for extra in ((), ("--lower-is-better", "good"))
    )
    for unchanged, other in zip(plain["results"], turned["results"], strict=True):
        first, again = unchanged["agreement"], other["agreement"]
        assert (first["tp"], first["tn"]) == (again["tp"], again["tn"])
        right = first["tp"] - first["direction_conflicts"]
        assert again["direction_conflicts"] == right


def test_gap_prints_a_number_for_each_metric(scores, capsys):
    content = answer(capsys, "gap", scores, "--human", "pyramid", "--resamples", "50")
    assert len(content["results"]) == 8
    for result in content["results"]:
        assert result["low"] < result["gap"] < result["high"]
        assert result["human_machine"]["human"]["pairs"] == 16
        people = [s for s in result["systems"] if s["kind"] == "human"]
        assert np.mean([s["residual"] for s in people]) == pytest.approx(result["gap"])
    assert run("gap", scores, "--human", "pyramid", "--fit", "robust", "--plain") == 0
    assert "People above the machines' line: pyramid, 2008, task A" in capsys.readouterr().out


def test_composite_writes_scores_that_other_commands_read(scores, tmp_path, capsys):
    file = tmp_path / "composite.csv"
    content = answer(capsys, "composite", scores, "--scores", file, "--components", "2")
    assert len(content["results"]) == 4
    first = content["results"][0]
    assert [part["name"] for part in first["components"]] == ["pc1", "pc2"]
    assert [separation["measure"] for separation in first["separations"]] == [
        "pc1", "pc2", "good", "poor", "pyramid",
    ]  # fmt: skip
    written = read_collection(file).scores
    assert written.measures == ("pc1", "pc2")
    assert written.distinct("collection") == ("2008", "2009")
    compared = answer(capsys, "verdicts", file, "--human", "pc1")
    assert len(compared["results"]) == 5


def test_difficulty_of_the_demonstration(demo, capsys):
    content = answer(capsys, "difficulty", demo, "-m", "responsiveness", "--resamples", "99")
    assert [result["task"] for result in content["results"]] == ["A", "B"]
    result = content["results"][0]
    assert len(result["topics"]) == 6
    assert len(result["correlations"]) == 26
    assert result["predictions"][0]["by"] == "mean"
    assert any("documents" in line for line in content["left_out"])


@pytest.mark.long
def test_figures_are_written(scores, demo, tmp_path, capsys):
    judging = ("--human", "pyramid", "--task", "A", "--figure-format", "png", "--figures")
    assert run("verdicts", scores, *judging, tmp_path / "v", "--combine", "good,poor") == 0
    assert run("gap", scores, *judging, tmp_path / "g") == 0
    drawing = ("--task", "A", "--figures")
    assert run("composite", scores, *drawing, tmp_path / "c") == 0
    assert run("difficulty", demo, "-m", "readability", *drawing, tmp_path / "d") == 0
    names = {path.parent.name: set() for path in tmp_path.glob("[vgcd]/*")}
    for path in tmp_path.glob("[vgcd]/*"):
        names[path.parent.name].add(path.name)
        assert path.stat().st_size > 1000
    assert names == {
        "v": {"pyramid-all-verdicts.png", "pyramid-all-combinations.png"},
        "g": {"pyramid-2008-A-gap.png", "pyramid-2009-A-gap.png"},
        "c": {
            "2008-A-loadings.svg", "2008-A-separation.svg",
            "2009-A-loadings.svg", "2009-A-separation.svg",
        },
        "d": {"readability-A-difficulty.svg"},
    }  # fmt: skip
    assert "already exists" in refused(capsys, "gap", scores, *judging, tmp_path / "g")


def test_bad_input_is_one_line(scores, demo, capsys):
    human = ("--human", "pyramid")
    for arguments, message in (
        (("verdicts", scores), "no human measure is named; choose with --human among: pyramid"),
        (("verdicts", scores, "--human", "x"), "there is no measure 'x'; available: good"),
        (("verdicts", scores, *human, "-m", "x"), "there is no measure 'x'"),
        (("verdicts", scores, *human, "--top", "0"), "the number of top systems is '0'"),
        (("verdicts", scores, *human, "--top", "few"), "the number of top systems is 'few'"),
        (("verdicts", scores, *human, "--peers", "x"), "peers is 'x'"),
        (("verdicts", scores, *human, "--test", "x"), "test is 'x'"),
        (("verdicts", scores, *human, "--costs", "x=1"), "there is no cost 'x'"),
        (("verdicts", scores, *human, "--combine", "x"), "there is no metric 'x'"),
        (("verdicts", scores, *human, "--task", "C"), "there is no task 'C'"),
        (("verdicts", demo, "--human", "responsiveness", "-m", "readability"),
             "task A: 0 machines; add machines"),
        (("gap", demo, "--human", "responsiveness", "-m", "readability"),
         "responsiveness, task A and readability: 0 machines with both scores"),
        (("gap", scores, *human, "--fit", "x"), "fit is 'x'"),
        (("composite", scores, "-m", "good"), "the only measure is good"),
        (("composite", scores, "--alpha", "2"), "alpha is 2"),
        (("difficulty", scores), "there are no documents in it"),
        (("difficulty", demo, "--coefficient", "tau"), "coefficient is 'tau'"),
        (("difficulty", demo, "--peers", "machines"), "has no machines"),
    ):  # fmt: skip
        assert message in refused(capsys, *arguments), arguments


def test_a_table_without_people_has_no_gap(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    write_scores(as_scores(judged()), path)
    message = refused(capsys, "gap", path, "--human", "pyramid")
    assert (
        "no person has both scores; people and three machines with both scores are needed"
        in message
    )


def test_a_metric_without_people_is_left_out_of_the_gap(tmp_path, capsys):
    tables = judged(people=2)
    tables.metrics["poor"][:, 8:] = np.nan
    path = tmp_path / "scores.csv"
    write_scores(as_scores(tables), path)
    content = answer(capsys, "gap", path, "--human", "pyramid", "--resamples", "20")
    assert content["left_out"] == ["poor, task A: no person has both scores"]
    undefined = {result["metric"]: result["undefined"] for result in content["results"]}
    assert undefined == {"good": "", "poor": "no person has both scores"}


@pytest.mark.long
def test_a_system_that_metrics_lack(capsys):
    """REALSumm as it is here has no published scores of one of its 25 systems."""
    content = answer(
        capsys, "verdicts", shared_file("data/realsumm.jsonl.gz"), "--human",
        "litepyramid-recall", "-m", "auto-rouge-1-recall,auto-rouge-2-recall", "--resamples", "0",
    )  # fmt: skip
    agreements = {result["metric"]: result["agreement"] for result in content["results"]}
    assert {(agreement["n"], agreement["undefined"]) for agreement in agreements.values()} == {
        (276, 24)
    }
    assert agreements["auto-rouge-2-recall"]["fp"] < agreements["auto-rouge-1-recall"]["fp"]
    where = "auto-rouge-2-recall, task single-doc-news"
    assert f"{where}: 1 of 25 systems have no score, such as abs_bart_out" in content["left_out"]
    assert f"{where}: 24 of 300 pairs have no verdict" in content["left_out"]
