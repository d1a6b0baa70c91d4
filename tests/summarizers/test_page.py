"""The page about the methods says what is so."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_what_the_snippet_on_updates_prints_is_on_the_page(capsys):
    runpy.run_path(str(DOCS / "snippets" / "summarizers_update.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") == 5
    message = "put what docs/snippets/summarizers_update.py prints into docs/summarizers.md"
    assert printed in (DOCS / "summarizers.md").read_text(encoding="utf-8"), message
