"""The page about rewriting says what is so."""

import json
import runpy
from pathlib import Path

import pytest

pytest.importorskip("spacy", reason="the page shows what the parser of the extra nlp finds")

DOCS = Path(__file__).parents[2] / "docs"
REVIEWED = Path(__file__).parent / "reviewed"
PAGE = (DOCS / "rewriting.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["rewriting_people", "rewriting_summarize"])
def test_what_a_snippet_prints_is_on_the_page(name, capsys):
    runpy.run_path(str(DOCS / "snippets" / f"{name}.py"))
    printed = capsys.readouterr().out
    assert f"```text\n{printed}```" in PAGE, f"put what docs/snippets/{name}.py prints on the page"


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["np", "people", "people_light"])
def test_the_shares_of_good_changes_are_on_the_page(name):
    verdicts = [change["good"] for change in lines_of(REVIEWED / f"{name}.jsonl")]
    line = f"{name}.jsonl: {len(verdicts)} changes, {sum(verdicts)} good, 0 to be read"
    assert line in PAGE


def test_the_verdicts_on_real_articles_are_on_the_page():
    verdicts = [change["verdict"] for change in lines_of(REVIEWED / "real.jsonl")]
    kinds = (f"{verdicts.count(kind)} {kind}" for kind in ("good", "neutral", "bad", "false"))
    assert f"{len(verdicts)} verdicts: {', '.join(kinds)}." in PAGE
