"""The page about assessors shows what its snippets print."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["assessors", "assessors_impact"])
def test_what_a_snippet_prints_is_on_the_page(name, capsys):
    runpy.run_path(str(DOCS / "snippets" / f"{name}.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") > 2
    assert f"```text\n{printed}```" in (DOCS / "assessors.md").read_text(encoding="utf-8")
