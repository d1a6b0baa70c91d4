"""The page about rewriting has the figures of the verdicts in the checkout."""

import json
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
REVIEWED = Path(__file__).parent / "reviewed"
PAGE = (DOCS / "rewriting.md").read_text(encoding="utf-8")


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("file", "row"),
    [("np", "`np`"), ("people", "`people`"), ("people_light", "`people`, light parser")],
)
def test_the_shares_of_good_changes_are_on_the_page(file, row):
    verdicts = [change["good"] for change in lines_of(REVIEWED / f"{file}.jsonl")]
    assert f"| {row} | {len(verdicts)} | {sum(verdicts)} |" in PAGE


def test_the_verdicts_on_real_articles_are_on_the_page():
    verdicts = [change["verdict"] for change in lines_of(REVIEWED / "real.jsonl")]
    kinds = (f"{verdicts.count(kind)} {kind}" for kind in ("good", "neutral", "bad", "false"))
    assert f"{len(verdicts)} verdicts: {', '.join(kinds)}." in PAGE
