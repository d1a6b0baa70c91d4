"""The page about studies shows what is true."""

import re
import runpy
from pathlib import Path

import pytest
import typer

from pyramidion.cli.app import build_app

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "study.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["study_words", "study_answers"])
def test_what_a_snippet_prints_is_on_the_page(name, capsys):
    runpy.run_path(str(DOCS / "snippets" / f"{name}.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") > 3
    assert f"```text\n{printed}```" in PAGE


def test_every_command_is_on_the_page():
    commands = typer.main.get_command(build_app(())).commands["study"].commands.keys()  # type: ignore[attr-defined]
    assert set(re.findall(r"^pyramidion study (\S+)", PAGE, re.MULTILINE)) == commands
