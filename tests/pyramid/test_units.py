"""Shares of content units that summaries express, from answers, percentages, or both."""

import pytest

from pyramidion.collection import Collection, Scores, Summary
from pyramidion.errors import InputError
from pyramidion.pyramid import units

TEXTS = (Summary("T1", "A", "Ice melts.", kind="human"), Summary("T1", "7", "Ice melts."))


def answered(*rows):
    """Return a collection with values of units by measure."""
    columns = {
        "topic": ["T1"] * len(rows),
        "system": ["7"] * len(rows),
        "kind": ["machine"] * len(rows),
        "measure": [row[0] for row in rows],
        "unit": [row[1] for row in rows],
    }
    return Collection("mine", summaries=TEXTS, scores=Scores(columns, [row[2] for row in rows]))


def test_answers_and_percentages_of_the_same_summary_are_read_together():
    answers, percentages = [("scu", "0", 1), ("scu", "1", 0)], [
        ("coverage", "0", 40), ("coverage", "1", 80)
    ]  # fmt: skip
    [both] = units(answered(*answers, *percentages))
    assert (both.share, both.coverage) == (0.5, pytest.approx(0.6))
    [alone] = units(answered(*percentages))
    assert alone.coverage == pytest.approx(0.6)


def test_a_collection_without_units_is_refused():
    with pytest.raises(InputError, match="there are no pyramids, annotated peers or answers"):
        units(Collection("mine", summaries=TEXTS))
