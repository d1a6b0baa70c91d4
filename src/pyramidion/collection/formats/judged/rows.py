"""Rows of scores gathered fast: column by column, not one object a row."""

from collections.abc import Sequence
from functools import cache

from pyramidion.collection.scores import Scores
from pyramidion.collection.summaries import Summary

__all__ = ["ScoreRows", "unit_names"]

_COLUMNS = ("task", "topic", "system", "kind", "measure", "assessor", "unit")


@cache
def unit_names(size: int) -> list[str]:
    """Give units their numbers from 0, as lists of SCUs do.

    Examples
    --------
    >>> unit_names(3)
    ['0', '1', '2']
    """
    return [str(number) for number in range(size)]


class ScoreRows:
    """Rows of scores, gathered column by column.

    Examples
    --------
    >>> rows = ScoreRows()
    >>> rows.add(Summary("T1", "7", "Rain."), ["coherence"] * 2, [4, 5], ["expert1", "expert2"])
    >>> rows.scores()
    <Scores: 2 rows, measures coherence>
    """

    def __init__(self) -> None:
        self._columns: dict[str, list[str]] = {name: [] for name in _COLUMNS}
        self._values: list[float] = []

    def add(
        self,
        summary: Summary,
        measures: Sequence[str],
        values: Sequence[float],
        assessors: Sequence[str] | None = None,
        units: Sequence[str] | None = None,
    ) -> None:
        """Add values of one summary; assessors and units are empty where none are given."""
        blank = [""] * len(values)
        for name in ("task", "topic", "system", "kind"):
            self._columns[name] += [getattr(summary, name)] * len(values)
        self._columns["measure"] += measures
        self._columns["assessor"] += assessors or blank
        self._columns["unit"] += units or blank
        self._values += values

    def scores(self) -> Scores:
        """Give the table."""
        return Scores(self._columns, self._values)
