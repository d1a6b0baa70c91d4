"""The page about ROUGE shows what its program prints."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_of_differences_is_what_the_program_prints(capsys):
    runpy.run_path(str(DOCS / "snippets" / "rouge_modes.py"))
    rows = capsys.readouterr().out
    assert rows.count("\n") == 10
    assert rows in (DOCS / "rouge.md").read_text(encoding="utf-8")
