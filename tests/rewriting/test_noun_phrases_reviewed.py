"""Every sentence that rewriting changes on the demo collection was read by a person.

Where behavior changes this fails: run ``python tools/review.py noun-phrases``, read what is new
and give each change its verdict.
"""

import json
from pathlib import Path

import pytest

pytest.importorskip("spacy", reason="the changes were read with the parser of the extra nlp")

from rewriting.changes_noun_phrases import FILES, GUARDED, RAW, changes

REVIEWED = Path(__file__).parent / "reviewed"
VERDICT = ("good", "reason")


def reviewed(file):
    lines = (REVIEWED / file).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def share_of_good(file, frw=("sum", "average")):
    found = [change for change in reviewed(file) if change["frw"] in frw]
    return sum(change["good"] for change in found) / len(found)


@pytest.fixture(scope="module")
def made():
    found = {file: [] for file in FILES}
    for file, change in changes():
        found[file].append(change)
    return found


@pytest.mark.parametrize("file", FILES)
def test_changes_are_those_that_were_read(file, made):
    read = [
        {name: value for name, value in change.items() if name not in VERDICT}
        for change in reviewed(file)
    ]
    assert made[file] == read, "run tools/review.py noun-phrases and read what is new"


@pytest.mark.parametrize("file", FILES)
def test_every_change_has_a_verdict_and_a_reason(file):
    for change in reviewed(file):
        assert change["good"] in (True, False), f"unread: {change['after']}"
        assert change["reason"] not in ("", "unread")


def test_nine_of_ten_changes_with_guards_are_good(capsys):
    guarded, raw = share_of_good(GUARDED), share_of_good(RAW)
    with capsys.disabled():
        print(f"\ngood changes: {guarded:.0%} with guards, {raw:.0%} without")
    assert guarded >= 0.9
    assert min(share_of_good(GUARDED, [frw]) for frw in ("sum", "average")) >= 0.9
    assert raw < guarded


def test_sum_and_average_both_change_something(made):
    assert {change["frw"] for change in made[GUARDED]} == {"sum", "average"}
