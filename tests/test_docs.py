"""Every snippet of the documentation runs."""

import runpy
from pathlib import Path

import pytest

SNIPPETS = sorted((Path(__file__).parents[1] / "docs" / "snippets").glob("*.py"))


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda path: path.stem)
def test_snippet_runs(snippet, capsys):
    runpy.run_path(str(snippet))


def test_every_snippet_is_shown():
    pages = "".join(p.read_text(encoding="utf-8") for p in SNIPPETS[0].parents[1].rglob("*.md"))
    assert [s.name for s in SNIPPETS if f"snippets/{s.name}" not in pages] == []
