"""The page about automatic pyramids shows what its snippets print."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["pyramids_auto_match", "pyramids_auto_similar"])
def test_what_a_snippet_prints_is_on_the_page(name, capsys):
    runpy.run_path(str(DOCS / "snippets" / f"{name}.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") > 3
    assert f"```text\n{printed}```" in (DOCS / "pyramids_auto.md").read_text(encoding="utf-8")
