"""What the rewriter changes on the demo collection was read by a person, sentence by sentence."""

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from rewriting.changes_people import PIPELINES, changes

REVIEWED = Path(__file__).resolve().parents[1] / "reviewed"


@cache
def current_changes() -> dict[str, list[dict]]:
    by_file: dict[str, list[dict]] = {file: [] for file in PIPELINES}
    for file, change in changes():
        by_file[file].append(change)
    return by_file


def stored(file):
    lines = (REVIEWED / file).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.skipif(find_spec("spacy") is None, reason="needs the extra nlp")
@pytest.mark.parametrize("file", PIPELINES)
def test_changes_are_those_that_were_read(file):
    """If this fails: run tools/review.py people, and read what is new."""
    verdict = {"good", "reason"}
    expected = [{key: change[key] for key in change.keys() - verdict} for change in stored(file)]
    assert current_changes()[file] == expected


@pytest.mark.parametrize("file", PIPELINES)
def test_nearly_all_are_good(file):
    """At least 95% of at least 30 different changes; `test_real.py` has those of real articles."""
    verdicts = {(change["before"], change["after"]): change["good"] for change in stored(file)}
    assert len(verdicts) >= 30
    assert set(verdicts.values()) <= {True, False}
    assert sum(verdicts.values()) >= 0.95 * len(verdicts)
    assert all(change["reason"] not in {"", "unread"} for change in stored(file))
