"""Every snippet of the documentation runs."""

import re
import runpy
import shutil
import tomllib
from pathlib import Path

import pytest
from outputs import page_commands, run_command

from pyramidion.cli._list import command_specs
from pyramidion.cli.runtime import run
from pyramidion.demo import tour

DOCS = Path(__file__).parents[1] / "docs"
SNIPPETS = sorted((Path(__file__).parents[1] / "docs" / "snippets").glob("*.py"))


# The demonstration's data have planted faults, which are reported.
@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda path: path.stem)
def test_snippet_runs(snippet, toured, monkeypatch, capsys):
    monkeypatch.chdir(toured)
    runpy.run_path(str(snippet))


def test_every_snippet_is_shown():
    files = [*DOCS.rglob("*.md"), DOCS / "commands.toml"]
    pages = "".join(path.read_text(encoding="utf-8") for path in files)
    shown = set(
        re.findall(r"(?:snippets/|\{snippet\} |:prepare: |prepare = \")([^\s\"]+\.py)", pages)
    )
    assert {s.name for s in SNIPPETS} <= shown


def test_the_tutorial_runs_as_it_stands(toured, tmp_path, monkeypatch):
    folder = shutil.copytree(toured, tmp_path / "demo")
    outputs = {}
    for command, expected in page_commands((DOCS / "tutorial.md").read_text(encoding="utf-8")):
        code, out, err = run_command(command, folder)
        assert code == expected, err
        outputs[command.split()[1]] = out
    steps = ["convert", "check", "score", "compare", "meta", "assessors", "report"]
    assert list(outputs) == steps
    # What the page says of the answers.
    assert "system Iris" in outputs["check"]
    assert "are \nundecided, which does not mean equal" in outputs["compare"]
    assert re.search(r"rouge-2-f +0\.\d", outputs["meta"])
    assert re.search(r"content +Otto .* -0\.\d+ +-0\.\d+ +-0\.\d+ ", outputs["assessors"])
    assert "<html" in (folder / "report.html").read_text(encoding="utf-8")


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


def test_commands_of_the_demonstration_run_in_its_folder(toured):
    outputs = []
    for command, expected in page_commands((DOCS / "demo.md").read_text(encoding="utf-8")):
        code, out, err = run_command(command, toured)
        assert code == expected, err
        outputs.append(out)
    assert "systems Dogwood and Kapok" in outputs[0]
    assert "Hazel leads; it beats all 11 others" in outputs[1]
    assert len(outputs) == 6


@pytest.mark.long
def test_commands_of_the_readme_run_in_the_folder_of_the_tour(toured, tmp_path):
    folder = shutil.copytree(toured, tmp_path / "demo")
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    block = text.partition("## From your own table")[2].partition("```python")[0]
    typed = re.findall(r"^pyramidion (?:check|compare|meta|assessors|report) .*$", block, re.M)
    assert len(typed) == 5
    for command in typed:
        assert run_command(command, folder)[0] == (" check " in command), command


def test_every_command_has_an_example():
    pages = tomllib.loads((DOCS / "commands.toml").read_text(encoding="utf-8"))
    assert [spec.name for spec in command_specs() if not pages[spec.name].get("example")] == []
