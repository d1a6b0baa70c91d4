"""Correlations of inputs x systems tables at three levels, under many weightings at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.differences import noise_level
from pyramidion.stats.inputs import matrix
from pyramidion.stats.pairs import Weights, multiply
from pyramidion.stats.weighted import Coefficient, weighted_correlations

__all__ = [
    "Cells",
    "CorrelationLevel",
    "Over",
    "cell_products",
    "input_correlations",
    "level_correlations",
    "mean_over_inputs",
    "seen",
    "shared_cells",
    "system_means",
]

CorrelationLevel = Literal["system", "input", "global"]
Over = Literal["inputs", "systems", "both"]

# Weights of cells that are held together at the global level.
_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True)
class Cells:
    """Tables of the same inputs (rows) and systems (columns), and which cells all of them have.

    Attributes
    ----------
    tables
        The tables, 0 in the cells that do not count.
    present
        Where every table has a value.
    left_out
        The number of cells where some tables have a value and others do not.

    Examples
    --------
    >>> cells = shared_cells(metric=[[1, 2], [3, 4]], human=[[5, float("nan")], [6, 7]])
    >>> cells.pairs("global"), cells.pairs("system")
    (3, 2)
    """

    tables: tuple[Floats, ...]
    present: Bools
    left_out: int

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return len(self.present)

    @property
    def systems(self) -> int:
        """The number of systems."""
        return len(self.present[0])

    def pairs(self, level: CorrelationLevel) -> int:
        """Count the pairs of values of one correlation; of the largest one at input level."""
        if level == "system":
            return int(self.present.any(axis=0).sum())
        return int(self.present.sum() if level == "global" else self.present.sum(axis=1).max())


def shared_cells(**tables: npt.ArrayLike) -> Cells:
    """Check tables of one shape and find the cells that all of them have.

    Examples
    --------
    >>> cells = shared_cells(metric=[[1, 2], [3, 4]], human=[[5, float("nan")], [6, 7]])
    >>> cells.present.tolist(), cells.left_out
    ([[True, False], [True, True]], 1)
    """
    arrays = {name: matrix(table, name) for name, table in tables.items()}
    if len({array.shape for array in arrays.values()}) > 1:
        shapes = ", ".join(f"`{n}` is {a.shape[0]} x {a.shape[1]}" for n, a in arrays.items())
        raise ShapeError(f"the tables differ: {shapes}", hint="give the same inputs and systems")
    values = np.stack(list(arrays.values()))
    if min(values.shape[1:]) < 1 or values.shape[2] < 2:
        raise InputError(
            f"{values.shape[1]} inputs x {values.shape[2]} systems",
            hint="at least 1 input and 2 systems are needed",
        )
    there = ~np.isnan(values)
    present = np.logical_and.reduce(there, axis=0)
    left_out = int((there.any(axis=0) & ~present).sum())
    return Cells(tuple(np.where(present, values, 0.0)), present, left_out)


def level_correlations(
    cells: Cells,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient,
    systems: Weights,
    inputs: Weights,
) -> Floats:
    """Correlate the two tables at a level under each weighting of systems and inputs.

    Parameters
    ----------
    cells
        Two tables: a metric and the human scores.
    level
        ``system``: the means of the systems. ``input``: the mean of the correlations within
        each input, as far as they are defined. ``global``: all cells at once.
    coefficient
        As in :func:`~pyramidion.stats.weighted.weighted_correlations`.
    systems, inputs
        How often each counts: shape (systems, weightings) and (inputs, weightings), or with a
        single column where it is the same in all.

    Examples
    --------
    >>> cells = shared_cells(metric=[[1, 2, 3], [3, 2, 1]], human=[[1, 2, 3], [1, 2, 3]])
    >>> systems, inputs = np.ones((3, 1)), np.array([[1.0, 2.0], [1.0, 0.0]])
    >>> level_correlations(
    ...     cells, level="input", coefficient="kendall", systems=systems, inputs=inputs
    ... ).tolist()
    [0.0, 1.0]
    """
    if level == "system":
        return _system_level(cells, coefficient, systems, inputs)
    if level == "input":
        return mean_over_inputs(input_correlations(cells, coefficient, systems), inputs)
    return _global_level(cells, coefficient, systems, inputs)


def system_means(table: Floats, present: Bools, inputs: Weights) -> Floats:
    """Average each system over its inputs (counted as given); 0 where it has none of them.

    Examples
    --------
    >>> present = np.array([[True, True], [True, False]])
    >>> system_means(np.array([[1.0, 2.0], [3.0, 0.0]]), present, np.ones((2, 1))).tolist()
    [[2.0], [2.0]]
    """
    weights = inputs.astype(np.float64)
    means: Floats = multiply(table.T, weights) / np.maximum(seen(present, weights), 1)
    return means


def seen(present: Bools, inputs: Weights) -> Floats:
    """Count for each system the inputs it has, as often as each is counted.

    Examples
    --------
    >>> seen(np.array([[True, True], [True, False]]), np.array([[1.0], [2.0]])).tolist()
    [[3.0], [1.0]]
    """
    if present.all():
        total = inputs.sum(axis=0, dtype=np.float64)
        return np.broadcast_to(total, (present.shape[1], inputs.shape[1]))
    return multiply(present.T.astype(np.float64), inputs.astype(np.float64)).astype(np.float64)


def _system_level(
    cells: Cells, coefficient: Coefficient, systems: Weights, inputs: Weights
) -> Floats:
    means = [system_means(table, cells.present, inputs) for table in cells.tables]
    weights = systems * (seen(cells.present, inputs) > 0)
    if inputs.shape[1] == 1:
        means = [mean[:, 0] for mean in means]
    metric, human = cells.tables
    noise = noise_level(metric), noise_level(human)
    return weighted_correlations(means[0], means[1], weights, coefficient, noise=noise)


def input_correlations(cells: Cells, coefficient: Coefficient, systems: Weights) -> Floats:
    """Correlate within each input (rows) under each weighting of the systems (columns).

    Examples
    --------
    >>> cells = shared_cells(metric=[[1, 2, 3], [3, 2, 1]], human=[[1, 2, 3], [1, 1, 1]])
    >>> input_correlations(cells, "kendall", np.ones((3, 1))).ravel().tolist()
    [1.0, nan]
    """
    values = np.full((cells.inputs, systems.shape[1]), np.nan)
    for row, there, x, z in zip(values, cells.present, *cells.tables, strict=True):
        if there.sum() > 1:
            row[:] = weighted_correlations(x[there], z[there], systems[there], coefficient)
    return values


def mean_over_inputs(values: Floats, inputs: Weights) -> Floats:
    """Average the defined correlations of inputs, each counted as given; NaN where none is.

    Examples
    --------
    >>> mean_over_inputs(np.array([[0.5], [np.nan]]), np.array([[2.0, 0.0], [1.0, 3.0]])).tolist()
    [0.5, nan]
    """
    defined = ~np.isnan(values)
    counted = np.where(defined, inputs, 0.0)
    total = counted.sum(axis=0)
    sums = (counted * np.where(defined, values, 0.0)).sum(axis=0)
    means: Floats = sums / np.where(total > 0, total, np.nan)
    return means


def _global_level(
    cells: Cells, coefficient: Coefficient, systems: Weights, inputs: Weights
) -> Floats:
    x, z = (table[cells.present] for table in cells.tables)
    parts = [
        weighted_correlations(x, z, weights, coefficient)
        for weights in cell_products(cells, systems, inputs)
    ]
    return np.concatenate(parts)


def cell_products(cells: Cells, systems: Weights, inputs: Weights) -> Iterator[Weights]:
    """Multiply a number of each system with one of each input for every cell, some at a time.

    Examples
    --------
    >>> cells = shared_cells(metric=[[1, 2], [3, 4]], human=[[1, 2], [3, np.nan]])
    >>> products = cell_products(cells, np.array([[1.0], [2.0]]), np.array([[5.0], [7.0]]))
    >>> next(products).ravel().tolist()
    [5.0, 10.0, 7.0]
    """
    rows, columns = np.nonzero(cells.present)
    step = max(1, _CHUNK // max(1, len(rows)))
    for start in range(0, max(systems.shape[1], inputs.shape[1]), step):
        some = slice(start, start + step)
        by_input = inputs if inputs.shape[1] == 1 else inputs[:, some]
        by_system = systems if systems.shape[1] == 1 else systems[:, some]
        yield by_input[rows] * by_system[columns]
