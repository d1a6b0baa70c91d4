"""The page about summarizing says what is so."""

import runpy
from pathlib import Path

from pyramidion.summarizers.articles import MAX_TEXT_BYTES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "summarize.md"


def test_the_table_of_methods_is_on_the_page(capsys):
    runpy.run_path(str(DOCS / "snippets" / "methods_table.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") > 3
    message = "put what docs/snippets/methods_table.py prints into docs/summarize.md"
    assert printed in PAGE.read_text(encoding="utf-8"), message


def test_the_limit_is_the_one_there_is():
    assert f"more than {MAX_TEXT_BYTES // 2**20} MiB of text" in PAGE.read_text(encoding="utf-8")
