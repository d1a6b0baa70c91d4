"""What rewriting changes in real articles was read by a person, change by change."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from support import shared_file

ROOT = Path(__file__).resolve().parents[3]
REVIEWED = ROOT / "tests" / "rewriting" / "reviewed" / "real.jsonl"


def reviewed():
    return [json.loads(line) for line in REVIEWED.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("apart", [False, True])
def test_nothing_is_false_and_nearly_all_is_good_or_neutral(apart):
    """Also of the topics that were kept apart while rules were made."""
    verdicts = Counter(change["verdict"] for change in reviewed() if change["apart"] == apart)
    assert verdicts.total() >= 100
    assert set(verdicts) <= {"good", "neutral", "bad"}
    assert verdicts["good"] + verdicts["neutral"] >= 0.95 * verdicts.total()


def test_changes_are_reported_once_and_without_the_text():
    changes = reviewed()
    assert len({change["key"] for change in changes}) == len(changes) >= 200
    assert all(
        set(change) == {"key", "topic", "apart", "before", "after", "verdict"} for change in changes
    )
    assert all(len(change["after"].split()) <= 12 for change in changes)


@pytest.mark.long
def test_most_changes_were_read(monkeypatch):
    """Methods may choose other sentences; if this fails, run benchmarks/rewriting_changes.py.

    `--read FILE` writes what is to be read.
    """
    pytest.importorskip("spacy", reason="the changes were read with the parser of the extra nlp")
    folder = shared_file("data/wikinews_clusters.jsonl.gz").parent
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import rewriting_changes as benchmark

    monkeypatch.setattr(benchmark, "SETS", ("wikinews_clusters",) * 3)
    whole = benchmark.topics
    monkeypatch.setattr(
        benchmark, "topics", lambda *arguments: dict(list(whole(*arguments).items())[8:16])
    )
    read_keys = {change["key"] for change in reviewed()}
    keys = [
        change.key for change in benchmark.changes(folder, runs=(("first", 250), ("lead", 100)))
    ]
    assert len(set(keys) & read_keys) >= 0.7 * len(keys) > 0
    sys.modules.pop("rewriting_changes")
