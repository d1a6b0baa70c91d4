"""The page about metrics says what is so."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_is_what_the_program_prints(capsys):
    runpy.run_path(str(DOCS / "snippets" / "metrics_table.py"))
    printed = capsys.readouterr().out
    page = (DOCS / "metrics.md").read_text(encoding="utf-8")
    assert printed in page, "put what docs/snippets/metrics_table.py prints into docs/metrics.md"
