"""The page about studies shows what is true."""

import re
import runpy
from pathlib import Path

import pytest

from pyramidion.cli.study import study

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "study.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["study_words", "study_answers"])
def test_what_a_snippet_prints_is_on_the_page(name, capsys):
    runpy.run_path(str(DOCS / "snippets" / f"{name}.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") > 3
    assert f"```text\n{printed}```" in PAGE


def test_every_command_is_on_the_page():
    there = {command.name for command in study.registered_commands}
    assert set(re.findall(r"^pyramidion study (\S+)", PAGE, re.MULTILINE)) == there
