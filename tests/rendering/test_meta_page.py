"""The page about judging metrics shows what its snippet prints."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_what_the_snippet_prints_is_on_the_page(capsys):
    runpy.run_path(str(DOCS / "snippets" / "meta.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") > 3
    assert f"```text\n{printed}```" in (DOCS / "meta.md").read_text(encoding="utf-8")
