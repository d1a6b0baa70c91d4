"""Every snippet of the documentation runs."""

import csv
import gzip
import json
import re
import runpy
import shlex
from pathlib import Path

import pytest

from pyramidion.cli.runtime import run
from pyramidion.demo import tour
from support import shared_file

DOCS = Path(__file__).parents[1] / "docs"
SNIPPETS = sorted((Path(__file__).parents[1] / "docs" / "snippets").glob("*.py"))


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda path: path.stem)
def test_snippet_runs(snippet, capsys):
    runpy.run_path(str(snippet))


def test_every_snippet_is_shown():
    pages = "".join(p.read_text(encoding="utf-8") for p in SNIPPETS[0].parents[1].rglob("*.md"))
    assert [s.name for s in SNIPPETS if f"snippets/{s.name}" not in pages] == []


def commands(page):
    """Return the commands of a page's blocks, as they stand there."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```shell\n(.*?)```", text, flags=re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.strip()]


def write_reviews(source, path):
    """Write an open set as its organizers would have it: a row a judgment, columns of their own."""
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    gold = {row["topic"]: row["summary"] for row in rows if row["kind"] == "human"}
    measures = ("fluency", "coherence", "relevance")
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(
            ["product", "team", "output_text", "gold_summary", "rater", "flu", "coh", "rel"]
        )
        for row in (row for row in rows if row["kind"] == "machine"):
            judged = {
                (score["assessor"], score["name"]): score["value"]
                for score in row["assessor_scores"]
            }
            for rater in sorted({assessor for assessor, _ in judged}):
                columns = (row["topic"], row["system"], row["summary"], gold[row["topic"]])
                table.writerow([*columns, rater, *(judged[rater, name] for name in measures)])


def test_the_tutorial_runs_as_it_stands(tmp_path, monkeypatch, capsys):
    source = shared_file("data/summeval_op.jsonl.gz")
    monkeypatch.chdir(tmp_path)
    write_reviews(source, Path("reviews.csv"))
    typed = commands("tutorial.md")
    outputs = {}
    for words in typed:
        assert run(words) == 0, words
        out, err = capsys.readouterr()
        assert "warning:" not in err
        outputs[words[0]] = out
    steps = ["convert", "convert", "describe", "score", "compare", "meta", "assessors", "report"]
    assert [words[0] for words in typed] == steps
    # What the page says of the answers.
    assert re.search(r"problems +0\b", outputs["describe"])
    assert "are undecided, which does not mean equal" in outputs["compare"]
    assert re.search(r"rouge-2-f +-0\.\d", outputs["meta"])
    assert re.search(r"fluency +rater1 .* -0\.\d+ +-0\.\d+ +-0\.\d+ ", outputs["assessors"])
    assert "<html" in Path("report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def toured(tmp_path_factory):
    """Return the folder that a tour leaves."""
    return tour(folder=tmp_path_factory.mktemp("docs") / "tour").folder


def test_metrics_of_the_page_are_scored(toured, monkeypatch, capsys):
    monkeypatch.chdir(DOCS / "snippets")
    names = ",".join(f"my_metric.py:{name}" for name in ("overlap", "length_ratio", "copied_words"))
    capsys.readouterr()
    assert run(["score", str(toured / "evaluation"), "-m", names]) == 0
    assert re.search(r"overlap +length-ratio +copied ↓", capsys.readouterr().out)


def test_commands_of_the_demonstration_run_in_its_folder(toured, monkeypatch, capsys):
    monkeypatch.chdir(toured)
    outputs = []
    for words in commands("demo.md"):
        assert run(words) == (words[0] == "check"), words
        outputs.append(capsys.readouterr().out)
    assert "systems Dogwood and Kapok" in outputs[0]
    assert "Hazel leads; it beats all 11 others" in outputs[1]
    assert len(outputs) == 6
