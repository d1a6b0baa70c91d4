"""The systems' ranking by some of the assessors."""

from collections.abc import Collection as Names
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Scores
from pyramidion.collection.ids import natural_order
from pyramidion.evaluation._judged import Peers

__all__ = ["JudgedCells"]

Place = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCells:
    """Judgments of one measure by place (task and topic), system and assessor.

    Parameters
    ----------
    places, systems, assessors
        What the numbers stand for.
    cell
        The number of each judgment's place and system together.
    judge
        The number of its assessor.
    value
        The judgment.

    Examples
    --------
    >>> rows = Scores({"topic": ["T1", "T1", "T2", "T2"], "system": ["7", "8"] * 2,
    ...                "kind": ["machine"] * 4, "assessor": ["K", "K", "L", "L"]}, [2, 4, 3, 3])
    >>> cells = JudgedCells.of(rows)
    >>> cells.means(cells.by(["K", "L"])).tolist(), cells.means(cells.by(["K"])).tolist()
    ([2.5, 3.5], [2.0, 4.0])
    """

    places: tuple[Place, ...]
    systems: tuple[str, ...]
    assessors: tuple[str, ...]
    cell: Ints
    judge: Ints
    value: Floats

    @classmethod
    def of(cls, rows: Scores, *, peers: Peers = "all") -> "JudgedCells":
        """Take the judgments of one measure and year, of all summaries or of machines' only."""
        if peers == "machines":
            rows = rows.select(kind="machine")
        places = list(zip(rows.columns["task"], rows.columns["topic"], strict=True))
        names = tuple(sorted(set(places), key=lambda place: tuple(map(natural_order, place))))
        systems, assessors = rows.distinct("system"), rows.distinct("assessor")
        return cls(
            places=names,
            systems=systems,
            assessors=assessors,
            cell=_numbers(places, names) * len(systems) + _numbers(rows.columns["system"], systems),
            judge=_numbers(rows.columns["assessor"], assessors),
            value=rows.value,
        )

    def by(self, assessors: Names[str]) -> Floats:
        """Average the judgments of some assessors: places down, systems across, NaN for none."""
        wanted = np.array([name in assessors for name in self.assessors], dtype=bool)
        kept = wanted[self.judge] if len(self.judge) else np.zeros(0, dtype=bool)
        cell, value = self.cell[kept], self.value[kept]
        # Sums in the order of the values do not depend on that of the rows.
        order = np.lexsort((value, cell))
        shape = len(self.places), len(self.systems)
        size = shape[0] * shape[1]
        counts = np.bincount(cell, minlength=size)
        totals = np.bincount(cell[order], value[order], minlength=size)
        means = np.full(size, np.nan)
        np.divide(totals, counts, out=means, where=counts > 0)
        return means.reshape(shape)

    def spread(self, rows: Scores) -> Floats:
        """Put other scores of the same summaries into a table of the same shape."""
        place = {name: number for number, name in enumerate(self.places)}
        system = {name: number for number, name in enumerate(self.systems)}
        addresses = zip(rows.columns["task"], rows.columns["topic"], strict=True)
        cells = [
            (place[address], system[name]) if address in place and name in system else None
            for address, name in zip(addresses, rows.columns["system"], strict=True)
        ]
        known = np.array([cell is not None for cell in cells], dtype=bool)
        totals, counts = (np.zeros((len(self.places), len(self.systems))) for _ in range(2))
        if known.any():
            where = tuple(np.array([cell for cell in cells if cell is not None]).T)
            np.add.at(totals, where, rows.value[known])
            np.add.at(counts, where, 1)
        table = np.full(totals.shape, np.nan)
        np.divide(totals, counts, out=table, where=counts > 0)
        return table

    @staticmethod
    def means(table: Floats) -> Floats:
        """Average over places: one mean a system, NaN where it has nothing."""
        there = ~np.isnan(table)
        counts = there.sum(axis=0)
        totals = np.where(there, table, 0.0).sum(axis=0)
        means = np.full(len(counts), np.nan)
        np.divide(totals, counts, out=means, where=counts > 0)
        return means


def _numbers(values: object, names: tuple[object, ...]) -> Ints:
    number = {name: place for place, name in enumerate(names)}
    return np.array([number[value] for value in values], dtype=np.int64)  # type: ignore[attr-defined]
