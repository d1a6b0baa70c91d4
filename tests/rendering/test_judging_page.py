"""The page about what metrics decide shows what its snippets print."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("snippet", ["judging_metrics", "inputs"])
def test_what_the_snippets_print_is_on_the_page(snippet, capsys):
    runpy.run_path(str(DOCS / "snippets" / f"{snippet}.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") > 3
    assert f"```text\n{printed}```" in (DOCS / "judging_metrics.md").read_text(encoding="utf-8")
