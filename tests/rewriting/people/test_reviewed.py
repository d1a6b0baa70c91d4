"""What the rewriter changes on the demo collection was read by a person, sentence by sentence."""

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from rewriting.changes_people import PIPELINES, changes

REVIEWED = Path(__file__).resolve().parents[1] / "reviewed"


@cache
def made() -> dict[str, list[dict]]:
    found: dict[str, list[dict]] = {file: [] for file in PIPELINES}
    for file, change in changes():
        found[file].append(change)
    return found


def stored(file):
    lines = (REVIEWED / file).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.skipif(find_spec("spacy") is None, reason="needs the extra nlp")
@pytest.mark.parametrize("file", PIPELINES)
def test_changes_are_those_that_were_read(file):
    """If this fails: run tools/review.py people, and read what is new."""
    verdict = {"good", "reason"}
    known = [{key: own[key] for key in own.keys() - verdict} for own in stored(file)]
    assert made()[file] == known


@pytest.mark.parametrize("file", PIPELINES)
def test_nearly_all_are_good(file):
    """At least 95% of at least 30 different changes; `test_real.py` has those of real articles."""
    verdicts = {(own["before"], own["after"]): own["good"] for own in stored(file)}
    assert len(verdicts) >= 30
    assert set(verdicts.values()) <= {True, False}
    assert sum(verdicts.values()) >= 0.95 * len(verdicts)
    assert all(own["reason"] not in {"", "unread"} for own in stored(file))
