"""The equations of mixed models, with the two largest blocks eliminated analytically."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg.lapack import dtrtri

from pyramidion._types import Floats, Ints
from pyramidion.stats.pairs import LARGE_BLOCK_VALUES, blocks, multiply

# Tables with no more cells are always dense.
_MAX_DENSE_CELLS = 10_000
# With more rows, OpenBLAS factors and inverts with all its threads, which mostly wait.
_ONE_THREAD = 96


def _sums(codes: Ints, values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(codes, values, size), dtype=np.float64)


def _product(first: Floats, other: Floats) -> Floats:
    return np.asarray(multiply(first, other), dtype=np.float64)


class Equations:
    """The levels of each score in every factor.

    The block of the factor with most levels is diagonal; once it is eliminated, so is that of a
    factor it is nested in, as summaries in topics. Without one, a dummy factor with a single level
    and spread 0 takes its place. Fixed factors come last.
    """

    def __init__(self, codes: Sequence[Ints], sizes: Sequence[int], *, n_random: int = 0) -> None:
        random = len(sizes) - n_random
        inner, self.fixed = codes[0], n_random
        second = next((k for k in range(1, random) if lies_within(inner, codes[k])), -1)
        other_factors = [k for k in range(1, len(sizes)) if k != second]
        self.order = [0, second, *other_factors]
        self.sizes = [[*sizes, 1][k] for k in self.order]
        self.first, (self.size, self.outer) = inner, self.sizes[:2]
        self.parent = np.zeros(self.size, dtype=np.int64)
        if second > 0:
            self.parent[inner] = codes[second]
        ends = np.cumsum([0, *self.sizes])
        #: The positions of each factor's levels in a solution.
        self.blocks = {k: slice(*ends[i : i + 2].tolist()) for i, k in enumerate(self.order)}
        offsets = ends[2:] - ends[2]
        self.width = int(offsets[-1])
        self.others = [codes[k] + offset for k, offset in zip(other_factors, offsets, strict=False)]
        self.penalty = np.repeat([float(k < random) for k in other_factors], self.sizes[2:])
        self._find_cells()

    def _find_cells(self) -> None:
        """Find the levels of other factors that occur with each level of the first."""
        cells = [self.first * self.width + other for other in self.others]
        cell_codes = np.concatenate(cells) if cells else self.first[:0]
        cell_keys, cell_indices = np.unique(cell_codes, return_inverse=True)
        self.where = cell_indices.reshape(len(cells), len(self.first) if cells else 0)
        self.rows, self.columns = np.divmod(cell_keys, max(self.width, 1))
        dense_cells = self.size * self.width
        self.dense = dense_cells <= _MAX_DENSE_CELLS or len(cell_keys) > dense_cells / 10
        self.starts = np.searchsorted(self.rows, np.arange(self.size + 1))
        self.outer_cells = self.parent[self.rows] * self.width + self.columns

    def tables(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        """Sum weights by levels of the first factor, by its cells with others, and by others."""
        cells, square = np.zeros(len(self.rows)), np.zeros(self.width**2)
        for cell_indices in self.where:
            cells += _sums(cell_indices, weights, len(cells))
        for code in self.others:
            for other in self.others:
                square += _sums(code * self.width + other, weights, len(square))
        inner_table = _sums(self.first, weights, self.size)
        return inner_table, cells, square.reshape(self.width, self.width)

    def spreads(self, theta: Floats) -> Floats:
        """Return the spread of each level, in the order of a solution."""
        full_theta = np.concatenate([theta if len(theta) else [0.0], np.ones(self.fixed), [0.0]])
        return np.repeat(full_theta[self.order], self.sizes)

    def summed(self, values: Floats) -> Floats:
        """Sum values by the levels of each factor, in the order of a solution."""
        first, rest_sums = _sums(self.first, values, self.size), np.zeros(self.width)
        for other in self.others:
            rest_sums += _sums(other, values, self.width)
        return np.concatenate([first, _sums(self.parent, first, self.outer), rest_sums])

    def effects(self, solution: Floats) -> Floats:
        """Add up the effects of each score."""
        inner_sums, second, rest_sums = np.split(solution, [self.size, self.size + self.outer])
        total: Floats = (inner_sums + second[self.parent])[self.first]
        for other in self.others:
            total += rest_sums[other]
        return total

    def matrix(self, cells: Floats) -> Any:
        """Return the values of cells as a matrix, dense if many cells occur."""
        shape = (self.size, self.width)
        if self.dense:
            dense_matrix = np.zeros(shape)
            dense_matrix[self.rows, self.columns] = cells
            return dense_matrix
        from scipy.sparse import csr_array

        return csr_array((cells, self.columns, self.starts), shape=shape)


def lies_within(inner: Ints, outer: Ints) -> bool:
    """Return whether each level of `inner` occurs with only one level of `outer`."""
    return len(np.unique(inner * (int(outer.max()) + 1) + outer)) == len(np.unique(inner))


class FactoredEquations:
    """The factored equations for given weights of scores and spreads of effects."""

    def __init__(
        self, equations: Equations, tables: tuple[Floats, Floats, Floats], spreads: Floats
    ) -> None:
        self.equations, self.spreads = equations, spreads
        first, cells, square = tables
        scale = spreads[equations.size + equations.outer :]
        first_spread, second_spread = float(spreads[0]), float(spreads[equations.size])
        #: The inverse of the first block, and its cells with the second and the others.
        self.inner = 1 / (1 + first_spread * first_spread * first)
        self.joined = first_spread * second_spread * first
        self.cells = first_spread * cells * scale[equations.columns]
        outer_sums = _sums(equations.parent, self.inner * first, equations.outer)
        self.second = 1 + second_spread * second_spread * outer_sums
        weighted_cells = (
            self.inner[equations.rows] * cells * (second_spread * scale[equations.columns])
        )
        side = _sums(equations.outer_cells, weighted_cells, equations.outer * equations.width)
        self.side = side.reshape(equations.outer, equations.width)
        self.turned = self.side / self.second[:, None]
        matrix = square * np.outer(scale, scale) - self._explained()
        matrix -= _product(self.side.T, self.turned)
        matrix[range(equations.width), range(equations.width)] += equations.penalty
        self.root = _inverse_root(matrix)

    def _explained(self) -> Floats:
        equations, inner_root = self.equations, np.sqrt(self.inner)
        table = equations.matrix(inner_root[equations.rows] * self.cells)
        return _product(table.T, table) if equations.dense else (table.T @ table).toarray()

    @property
    def log_determinant(self) -> float:
        """The logarithm of the determinant."""
        outer = np.log(self.second).sum() - np.log(self.inner).sum()
        return float(outer - 2 * np.log(np.diag(self.root)).sum())

    def solve(self, right_side: Floats) -> Floats:
        """Solve the equations."""
        equations = self.equations
        first, second, rest_columns = np.split(
            right_side, [equations.size, equations.size + equations.outer]
        )
        part = self.inner * first
        second = second - _sums(equations.parent, self.joined * part, equations.outer)
        rest_columns = rest_columns - _sums(
            equations.columns, self.cells * part[equations.rows], equations.width
        )
        solved_columns = self.root.T @ (self.root @ (rest_columns - self.turned.T @ second))
        second = second / self.second - self.turned @ solved_columns
        contributions = _sums(
            equations.rows, self.cells * solved_columns[equations.columns], equations.size
        )
        first = self.inner * (first - self.joined * second[equations.parent] - contributions)
        return np.concatenate([first, second, solved_columns])

    @cached_property
    def rest(self) -> Floats:
        """The inverse among all factors but the first two."""
        return _product(self.root.T, self.root)

    @cached_property
    def _second_by_rest(self) -> Floats:
        return -_product(self.turned, self.rest)

    @cached_property
    def _of_second(self) -> Floats:
        diagonal: Floats = 1 / self.second - np.einsum(
            "cm,cm->c", self._second_by_rest, self.turned
        )
        return diagonal

    @cached_property
    def _of_first(self) -> tuple[Floats, Floats, Floats]:
        """The first factor in the inverse: diagonal, cells with the second and with the others."""
        equations, products = self.equations, np.empty(len(self.cells))
        table = equations.matrix(self.cells)
        for rows in blocks(equations.size, equations.width, LARGE_BLOCK_VALUES):
            product = (
                _product(table[rows], self.rest) if equations.dense else table[rows] @ self.rest
            )
            cells = slice(equations.starts[rows.start], equations.starts[rows.stop])
            products[cells] = product[equations.rows[cells] - rows.start, equations.columns[cells]]
        cross = self._second_by_rest.ravel()[equations.outer_cells]
        second = self.joined * self._of_second[equations.parent]
        second = -self.inner * (second + _sums(equations.rows, self.cells * cross, equations.size))
        rest_terms = -self.inner[equations.rows] * (self.joined[equations.rows] * cross + products)
        explained_part = self.joined * second + _sums(
            equations.rows, self.cells * rest_terms, equations.size
        )
        return self.inner * (1 - explained_part), second, rest_terms

    def traces(self) -> dict[int, float]:
        """Sum the inverse's diagonal by factor."""
        equations = self.equations
        diagonal = np.concatenate([self._of_first[0], self._of_second, np.diag(self.rest)])
        return {k: float(diagonal[block].sum()) for k, block in equations.blocks.items()}

    def leverage(self) -> Floats:
        """Return the variance of the sum of each score's effects."""
        equations = self.equations
        scale = self.spreads[equations.size + equations.outer :]
        first_spread, second_spread = float(self.spreads[0]), float(self.spreads[equations.size])
        diagonal, joint_terms, cells = self._of_first
        total: Floats = (
            first_spread * first_spread * diagonal + 2 * first_spread * second_spread * joint_terms
        )
        total = (total + second_spread * second_spread * self._of_second[equations.parent])[
            equations.first
        ]
        cross = (
            first_spread * cells
            + second_spread * self._second_by_rest.ravel()[equations.outer_cells]
        )
        for other, cell_indices in zip(equations.others, equations.where, strict=True):
            total += 2 * scale[other] * cross[cell_indices]
            for other_block in equations.others:
                total += scale[other] * scale[other_block] * self.rest[other, other_block]
        return total

    def columns_of(self, count: int) -> Floats:
        """Return the last columns of the inverse."""
        equations, rest_columns = self.equations, self.rest[:, -count:]
        second = self._second_by_rest[:, -count:]
        first = (
            self.joined[:, None] * second[equations.parent]
            + equations.matrix(self.cells) @ rest_columns
        )
        return np.concatenate([-self.inner[:, None] * first, second, rest_columns])


def _inverse_root(matrix: Floats) -> Floats:
    """Invert the Cholesky factor of a matrix, in blocks small enough for one thread."""
    size = len(matrix)
    if size <= _ONE_THREAD:
        # LAPACK refuses to invert an empty matrix.
        return dtrtri(np.linalg.cholesky(matrix), lower=1)[0] if size else matrix
    middle, root = size // 2, np.zeros_like(matrix)
    root[:middle, :middle] = upper_root = _inverse_root(matrix[:middle, :middle])
    side = _product(matrix[middle:, :middle], upper_root.T)
    root[middle:, middle:] = lower_root = _inverse_root(
        matrix[middle:, middle:] - _product(side, side.T)
    )
    root[middle:, :middle] = -_product(_product(lower_root, side), upper_root)
    return root
