"""The page about summarizing says what is so."""

import runpy
from pathlib import Path

import pytest

from pyramidion.summarizers.articles import MAX_TEXT_BYTES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "summarize.md"


@pytest.mark.parametrize("name", ["summarize", "methods_table"])
def test_what_a_snippet_prints_is_on_the_page(name, capsys):
    runpy.run_path(str(DOCS / "snippets" / f"{name}.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") > 3
    message = f"put what docs/snippets/{name}.py prints into docs/summarize.md"
    assert printed in PAGE.read_text(encoding="utf-8"), message


def test_the_limit_is_the_one_there_is():
    assert f"more than {MAX_TEXT_BYTES // 2**20} MiB of text" in PAGE.read_text(encoding="utf-8")
