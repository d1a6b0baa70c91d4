"""`pyramidion classy train`, `predict` and `models` as commands."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from classy.tac_years import OTHERS, tac_years
from pyramidion.classy import LinearModel, SubsetSearch
from pyramidion.cli import runtime
from pyramidion.collection.formats.scores import read_scores
from pyramidion.demo import load_demo
from pyramidion.metrics import BigramCounts

FEW = ("--without-features", ",".join(OTHERS))


def run(*arguments):
    return runtime.run(["classy", *map(str, arguments)])


def answer(capsys, *arguments):
    assert run(*arguments, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["command", "signature", "results", "left_out"]
    return content


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three years, and a folder for what is written."""
    path = tmp_path_factory.mktemp("years")
    for name, year in zip(("2009", "2010", "2011"), tac_years(3), strict=True):
        year.save(path / name)
    return path


@pytest.fixture
def years(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return "--years", folder / "2009", folder / "2010"


@pytest.mark.long
def test_sixteen_models_in_one_command(years, folder, capsys, tmp_path):
    assert run("train", *years, *FEW, "-o", "models") == 0
    out, err = capsys.readouterr()
    assert err == "wrote models\n"
    assert "classy/25/B/no-models" in out
    assert "n 2009" in out
    assert "optimistic" in out
    files = sorted(path.name for path in (tmp_path / "models").iterdir())
    assert files == sorted(
        f"{version}-{task}-{peers}.json"
        for version in (8, 25, 23, 6)
        for task in "AB"
        for peers in ("all", "no-models")
    )
    assert run("predict", "models", folder / "2011", "-o", "scores.csv") == 0
    out, err = capsys.readouterr()
    assert err == "wrote scores.csv\n"
    assert "Correlation with human judgments" in out
    scores = read_scores("scores.csv")
    assert len(scores.measures) == 16
    # 2 topics with 8 machines, and 4 people in all-peers runs.
    assert len(scores) == 2 * 2 * 4 * (8 + 12)


def test_train_and_predict_as_json(years, folder, capsys):
    only = ("--version", "25", "--task", "A", "--peers", "no-models")
    content = answer(capsys, "train", *years, *FEW, *only, "-o", "model.json")
    assert content["command"] == "classy train"
    assert "|features:classy|method:best|criterion:pearson|level:summary|" in content["signature"]
    (model,) = content["results"]
    saved = LinearModel.load("model.json")
    assert model["columns"] == list(saved.columns)
    assert model["training"]["years"][0]["name"] == "2009"
    prediction = answer(capsys, "predict", "model.json", folder / "2011")
    (result,) = prediction["results"]
    assert result["model"] == "classy/25/A/no-models"
    assert result["human"] == "responsiveness"
    assert {(row["level"], row["coefficient"]) for row in result["correlations"]} == {
        (level, c) for level in ("system", "input") for c in ("pearson", "spearman", "kendall")
    }
    # Machines are made better by their number, and people judged them so.
    assert all(row["value"] > 0.2 for row in result["correlations"])
    assert [row["n"] for row in result["systems"]] == [2] * 8


def test_the_search_can_be_kept_and_drawn(years, capsys):
    only = ("--task", "A", "--peers", "all")
    options = ("--search-table", "search.csv", "--figure", "search.svg")
    assert run("train", *years, *FEW, *only, *options) == 0
    out, err = capsys.readouterr()
    assert err.splitlines() == ["wrote search.csv", "wrote search.svg"]
    with Path("search.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    # Three targets; 25 and 6 have the same.
    assert len(rows) == 3 * 3 * 15
    assert {row["target"] for row in rows} == {"pyramid-modified", "responsiveness", "readability"}
    best = max(
        (row for row in rows if row["target"] == "pyramid-modified" and row["value"]),
        key=lambda row: float(row["value"]),
    )
    assert f"{float(best['value']):.3f}" in out
    assert int(best["size"]) == len(best["subset"].split("+"))
    assert "<svg" in Path("search.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("method", ["regularized", "ranking"])
def test_learners(years, capsys, method):
    only = ("--version", "8", "--task", "B", "--peers", "no-models")
    content = answer(
        capsys, "train", *years, *only, "--method", method, "--search-table", "tried.csv"
    )
    (model,) = content["results"]
    assert model["name"] == f"{method}/8/B/no-models"
    assert model["training"]["features"] == "family"
    with Path("tried.csv").open(newline="", encoding="utf-8") as stream:
        tried = {row["subset"]: row["value"] for row in csv.DictReader(stream)}
    assert model["training"]["chosen"] in tried
    assert len(tried) == model["training"]["tried"]


def test_a_target_of_ones_own(years, capsys):
    options = ("--target", "readability", "--features", "rose", "--peers", "all", "--task", "A")
    (model,) = answer(capsys, "train", *years, *options, "--level", "system")["results"]
    assert model["name"] == "rose/readability/A/all"
    assert model["target"] == "readability"
    assert model["training"]["level"] == "system"


def test_what_is_not_there_is_reported(years, folder, capsys):
    assert run("train", *years, *FEW, "--human", "pyramid=scus", "--task", "A") == 0
    out, err = capsys.readouterr()
    assert "classy/8/" not in out
    assert "left out: version 8, task A, all: 2009 has no scus for task A" in err


def test_published_models(capsys, folder):
    assert run("models") == 0
    out = capsys.readouterr().out
    assert out.count("classy-2011/") == 16
    assert "two digits" in out
    content = answer(capsys, "models", "classy-2011/6/A/all")
    assert content["results"][0]["coefficients"] == [23.0, 0.12]
    assert run("predict", "classy-2011", folder / "2011") == 0
    assert "classy-2011/25/B/no-models" in capsys.readouterr().out


def test_a_trained_model_is_shown(years, capsys):
    only = ("--version", "6", "--task", "A", "--peers", "all", "-o", "model.json")
    assert run("train", *years, *FEW, *only) == 0
    capsys.readouterr()
    assert run("models", "model.json") == 0
    out = capsys.readouterr().out
    assert "classy/6/A/all: weighted sum" in out
    assert "2010" in out


def test_models_that_ask_for_more_than_there_is_are_left_out(capsys, tmp_path):
    demo = load_demo()
    only = replace(demo, summaries=tuple(s for s in demo.summaries if s.task == "A"))
    only.save(tmp_path / "first")
    assert run("predict", "classy-2011", tmp_path / "first", "--format", "csv") == 0
    out, err = capsys.readouterr()
    assert "classy-2011/25/A/all" in out
    assert "left out: classy-2011/25/B/all: " in err
    assert "left out: classy-2011/25/A/no-models: " in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["-o", "model.json", *FEW],
            "model.json: cannot write 16 models to one file",
        ),
        (["--version", "7"], "there is no version '7'; use 8, 25, 23, 6 or all"),
        (["--version", "8", "--target", "readability"], "versions and targets cannot be combined"),
        (["--target", "clarity"], "2009 has no clarity for task A; available: pyramid-modified"),
        (["--task", "C"], "no summaries of task 'C' in both years"),
        (["--peers", "some"], "peers is 'some'; choose one of all, no-models"),
        (["--method", "magic"], "method is 'magic'"),
        (["--features", "family"], "the family has too many features to try every subset"),
        (["--features", "nouveau", "--task", "A"], "no earlier references to compare with for"),
        (["--criterion", "luck"], "criterion is 'luck'"),
        (["--level", "topic"], "level is 'topic'"),
        (["--human", "pyramid"], "'pyramid' names no human measure"),
        (["--without-features", "r9"], "there is no feature 'r9'; available: r2, su4"),
        (["--without-assessors", "Q"], "there is no assessor 'Q'; available: K, L"),
        (["--figure", "search.gif"], "search.gif: no figure can be written as '.gif'"),
        (["--figure", "a.svg", "--method", "ranking"], "has no subset search to draw"),
        (["--search-table", "search.json"], "the search table is written as CSV"),
        (["--search-table", "no/search.csv", *FEW], "the folder no does not exist"),
        (["-o", "no/models", *FEW], "the folder no does not exist"),
        (["--seed", "-1"], "seed is -1; give a whole number of at least 0"),
    ],
)
def test_errors_are_one_line_before_any_work(
    years, arguments, message, capsys, tmp_path, monkeypatch
):
    monkeypatch.setattr(BigramCounts, "statistics", None)
    assert run("train", *years, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_kept(years, capsys, tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "mine.txt").write_text("mine")
    assert run("train", *years, *FEW, "-o", "models") == 2
    assert "the folder already exists" in capsys.readouterr().err
    assert (tmp_path / "models" / "mine.txt").read_text() == "mine"


def test_the_same_year_twice(folder, capsys):
    assert run("train", "--years", folder / "2009", folder / "2009") == 2
    assert "both years are the same data" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.json", "2011"], "no.json: there is no such file or published model"),
        (["classy-2011/9/A/all", "2011"], "there is no model 'classy-2011/9/A/all'"),
        (["classy-2011/25/A/all", "no"], "no: there is no such file or folder"),
        (["classy-2011/25/A/all", "2011", "--task", "C"], "has no summary for task C"),
        (["classy-2011/25/A/all", "2011", "--peers", "some"], "peers is 'some'"),
        (
            ["classy-2011/25/A/all", "2011", "-o", "scores.xls"],
            "scores cannot be written in this format",
        ),
    ],
)
def test_bad_predictions(folder, arguments, message, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert run("predict", *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_interruption_leaves_nothing(years, capsys, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(SubsetSearch, "winner", interrupted)
    assert run("train", *years, *FEW, "-o", "models", "--search-table", "search.csv") == 130
    assert "Traceback" not in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_training_repeats(years, capsys):
    only = ("--version", "25", "--task", "A", "--peers", "all", "--method", "regularized")
    first = answer(capsys, "train", *years, *only, "--features", "classy", "--seed", "3")
    two = answer(capsys, "train", *years, *only, "--features", "classy", "--seed", "3")
    assert first == two
    assert np.isfinite(first["results"][0]["coefficients"]).all()
