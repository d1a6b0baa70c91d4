"""How `describe` shows problems: by kind, with three places each."""

import pytest

from pyramidion.checks import describe
from pyramidion.collection import Collection, Summary


@pytest.mark.parametrize(
    ("names", "shown"),
    [("a", "T1, a"), ("abc", "T1, a; T1, b; T1, c"), ("abcd", "T1, a; T1, b; T1, c; ...")],
)
def test_three_places_are_shown_and_more_are_hinted_at(names, shown):
    """Each of these systems has two summaries of the same topic."""
    result = describe(
        Collection("c", summaries=tuple(Summary("T1", n, "Rain.") for n in names * 2))
    )
    [problems] = [table for table in result.tables if table.name == "problems"]
    [(number, where)] = [row[1:3] for row in problems.rows if row[0] == "duplicated summary"]
    assert (number, where) == (len(names), shown)
    assert not result.ok
