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
_MAX_ONE_THREAD_ROWS = 96


def _sums_by_code(codes: Ints, values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(codes, values, size), dtype=np.float64)


def _product(first: Floats, second: Floats) -> Floats:
    return np.asarray(multiply(first, second), dtype=np.float64)


class Equations:
    """The levels of each score in every factor.

    The block of the factor with most levels is diagonal; once it is eliminated, so is that of a
    factor it is nested in, as summaries in topics. Without one, a dummy factor with a single level
    and spread 0 takes its place. Fixed factors come last.
    """

    def __init__(self, codes: Sequence[Ints], sizes: Sequence[int], *, n_random: int = 0) -> None:
        n_estimated = len(sizes) - n_random
        inner_codes, self.fixed = codes[0], n_random
        outer_factor = next(
            (k for k in range(1, n_estimated) if lies_within(inner_codes, codes[k])), -1
        )
        other_factors = [k for k in range(1, len(sizes)) if k != outer_factor]
        self.order = [0, outer_factor, *other_factors]
        self.sizes = [[*sizes, 1][k] for k in self.order]
        self.first, (self.size, self.outer) = inner_codes, self.sizes[:2]
        self.parent = np.zeros(self.size, dtype=np.int64)
        if outer_factor > 0:
            self.parent[inner_codes] = codes[outer_factor]
        level_ends = np.cumsum([0, *self.sizes])
        #: The positions of each factor's levels in a solution.
        self.blocks = {k: slice(*level_ends[i : i + 2].tolist()) for i, k in enumerate(self.order)}
        offsets = level_ends[2:] - level_ends[2]
        self.width = int(offsets[-1])
        self.others = [codes[k] + offset for k, offset in zip(other_factors, offsets, strict=False)]
        self.penalty = np.repeat([float(k < n_estimated) for k in other_factors], self.sizes[2:])
        self._find_cells()

    def _find_cells(self) -> None:
        """Find the levels of other factors that occur with each level of the first."""
        cells_by_factor = [self.first * self.width + other for other in self.others]
        cell_codes = np.concatenate(cells_by_factor) if cells_by_factor else self.first[:0]
        cell_keys, cell_indices = np.unique(cell_codes, return_inverse=True)
        self.where = cell_indices.reshape(
            len(cells_by_factor), len(self.first) if cells_by_factor else 0
        )
        self.rows, self.columns = np.divmod(cell_keys, max(self.width, 1))
        n_dense_cells = self.size * self.width
        self.dense = n_dense_cells <= _MAX_DENSE_CELLS or len(cell_keys) > n_dense_cells / 10
        self.starts = np.searchsorted(self.rows, np.arange(self.size + 1))
        self.outer_cells = self.parent[self.rows] * self.width + self.columns

    def tables(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        """Sum weights by levels of the first factor, by its cells with others, and by others."""
        cell_sums, crossed_table = np.zeros(len(self.rows)), np.zeros(self.width**2)
        for cell_indices in self.where:
            cell_sums += _sums_by_code(cell_indices, weights, len(cell_sums))
        for codes in self.others:
            for other_codes in self.others:
                crossed_table += _sums_by_code(
                    codes * self.width + other_codes, weights, len(crossed_table)
                )
        inner_table = _sums_by_code(self.first, weights, self.size)
        return inner_table, cell_sums, crossed_table.reshape(self.width, self.width)

    def spreads(self, theta: Floats) -> Floats:
        """Return the spread of each level, in the order of a solution."""
        full_theta = np.concatenate([theta if len(theta) else [0.0], np.ones(self.fixed), [0.0]])
        return np.repeat(full_theta[self.order], self.sizes)

    def sum_by_level(self, values: Floats) -> Floats:
        """Sum values by the levels of each factor, in the order of a solution."""
        inner_sums, rest_sums = _sums_by_code(self.first, values, self.size), np.zeros(self.width)
        for codes in self.others:
            rest_sums += _sums_by_code(codes, values, self.width)
        return np.concatenate(
            [inner_sums, _sums_by_code(self.parent, inner_sums, self.outer), rest_sums]
        )

    def effects(self, solution: Floats) -> Floats:
        """Add up the effects of each score."""
        inner_effects, outer_effects, rest_effects = np.split(
            solution, [self.size, self.size + self.outer]
        )
        score_effects: Floats = (inner_effects + outer_effects[self.parent])[self.first]
        for codes in self.others:
            score_effects += rest_effects[codes]
        return score_effects

    def matrix(self, cell_values: Floats) -> Any:
        """Return the values of cells as a matrix, dense if many cells occur."""
        shape = (self.size, self.width)
        if self.dense:
            dense_matrix = np.zeros(shape)
            dense_matrix[self.rows, self.columns] = cell_values
            return dense_matrix
        from scipy.sparse import csr_array

        return csr_array((cell_values, self.columns, self.starts), shape=shape)


def lies_within(inner: Ints, outer: Ints) -> bool:
    """Return whether each level of `inner` occurs with only one level of `outer`."""
    return len(np.unique(inner * (int(outer.max()) + 1) + outer)) == len(np.unique(inner))


class FactoredEquations:
    """The factored equations for given weights of scores and spreads of effects."""

    def __init__(
        self, equations: Equations, tables: tuple[Floats, Floats, Floats], spreads: Floats
    ) -> None:
        self.equations, self.spreads = equations, spreads
        inner_sums, cells, crossed_table = tables
        rest_spreads = spreads[equations.size + equations.outer :]
        first_spread, second_spread = float(spreads[0]), float(spreads[equations.size])
        #: The inverse of the first block, and its cells with the second and the others.
        self.inner = 1 / (1 + first_spread * first_spread * inner_sums)
        self.joined = first_spread * second_spread * inner_sums
        self.cells = first_spread * cells * rest_spreads[equations.columns]
        outer_sums = _sums_by_code(equations.parent, self.inner * inner_sums, equations.outer)
        self.second = 1 + second_spread * second_spread * outer_sums
        weighted_cells = (
            self.inner[equations.rows] * cells * (second_spread * rest_spreads[equations.columns])
        )
        side = _sums_by_code(
            equations.outer_cells, weighted_cells, equations.outer * equations.width
        )
        self.side = side.reshape(equations.outer, equations.width)
        self.turned = self.side / self.second[:, None]
        matrix = crossed_table * np.outer(rest_spreads, rest_spreads) - self._explained_by_first()
        matrix -= _product(self.side.T, self.turned)
        matrix[range(equations.width), range(equations.width)] += equations.penalty
        self.root = _inverse_cholesky_factor(matrix)

    def _explained_by_first(self) -> Floats:
        equations, inner_root = self.equations, np.sqrt(self.inner)
        table = equations.matrix(inner_root[equations.rows] * self.cells)
        return _product(table.T, table) if equations.dense else (table.T @ table).toarray()

    @property
    def log_determinant(self) -> float:
        """The logarithm of the determinant."""
        outer_part = np.log(self.second).sum() - np.log(self.inner).sum()
        return float(outer_part - 2 * np.log(np.diag(self.root)).sum())

    def solve(self, right_side: Floats) -> Floats:
        """Solve the equations."""
        equations = self.equations
        first, second, rest = np.split(
            right_side, [equations.size, equations.size + equations.outer]
        )
        scaled_first = self.inner * first
        second = second - _sums_by_code(
            equations.parent, self.joined * scaled_first, equations.outer
        )
        rest = rest - _sums_by_code(
            equations.columns, self.cells * scaled_first[equations.rows], equations.width
        )
        rest_solution = self.root.T @ (self.root @ (rest - self.turned.T @ second))
        second = second / self.second - self.turned @ rest_solution
        contributions = _sums_by_code(
            equations.rows, self.cells * rest_solution[equations.columns], equations.size
        )
        first = self.inner * (first - self.joined * second[equations.parent] - contributions)
        return np.concatenate([first, second, rest_solution])

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
        for row_slice in blocks(equations.size, equations.width, LARGE_BLOCK_VALUES):
            product = (
                _product(table[row_slice], self.rest)
                if equations.dense
                else table[row_slice] @ self.rest
            )
            cell_slice = slice(equations.starts[row_slice.start], equations.starts[row_slice.stop])
            products[cell_slice] = product[
                equations.rows[cell_slice] - row_slice.start, equations.columns[cell_slice]
            ]
        cross_terms = self._second_by_rest.ravel()[equations.outer_cells]
        second_terms = self.joined * self._of_second[equations.parent]
        second_terms = -self.inner * (
            second_terms + _sums_by_code(equations.rows, self.cells * cross_terms, equations.size)
        )
        rest_terms = -self.inner[equations.rows] * (
            self.joined[equations.rows] * cross_terms + products
        )
        explained_part = self.joined * second_terms + _sums_by_code(
            equations.rows, self.cells * rest_terms, equations.size
        )
        return self.inner * (1 - explained_part), second_terms, rest_terms

    def traces(self) -> dict[int, float]:
        """Sum the inverse's diagonal by factor."""
        equations = self.equations
        diagonal = np.concatenate([self._of_first[0], self._of_second, np.diag(self.rest)])
        return {k: float(diagonal[block].sum()) for k, block in equations.blocks.items()}

    def leverage(self) -> Floats:
        """Return the variance of the sum of each score's effects."""
        equations = self.equations
        rest_spreads = self.spreads[equations.size + equations.outer :]
        first_spread, second_spread = float(self.spreads[0]), float(self.spreads[equations.size])
        diagonal, joint_terms, cells = self._of_first
        variances: Floats = (
            first_spread * first_spread * diagonal + 2 * first_spread * second_spread * joint_terms
        )
        variances = (variances + second_spread * second_spread * self._of_second[equations.parent])[
            equations.first
        ]
        cross_terms = (
            first_spread * cells
            + second_spread * self._second_by_rest.ravel()[equations.outer_cells]
        )
        for codes, cell_indices in zip(equations.others, equations.where, strict=True):
            variances += 2 * rest_spreads[codes] * cross_terms[cell_indices]
            for other_codes in equations.others:
                variances += (
                    rest_spreads[codes] * rest_spreads[other_codes] * self.rest[codes, other_codes]
                )
        return variances

    def last_columns(self, n_columns: int) -> Floats:
        """Return the last columns of the inverse."""
        equations, rest_columns = self.equations, self.rest[:, -n_columns:]
        second_rows = self._second_by_rest[:, -n_columns:]
        first_rows = (
            self.joined[:, None] * second_rows[equations.parent]
            + equations.matrix(self.cells) @ rest_columns
        )
        return np.concatenate([-self.inner[:, None] * first_rows, second_rows, rest_columns])


def _inverse_cholesky_factor(matrix: Floats) -> Floats:
    """Invert the Cholesky factor of a matrix, in blocks small enough for one thread."""
    size = len(matrix)
    if size <= _MAX_ONE_THREAD_ROWS:
        # LAPACK refuses to invert an empty matrix.
        return dtrtri(np.linalg.cholesky(matrix), lower=1)[0] if size else matrix
    middle, root = size // 2, np.zeros_like(matrix)
    root[:middle, :middle] = upper_root = _inverse_cholesky_factor(matrix[:middle, :middle])
    lower_side = _product(matrix[middle:, :middle], upper_root.T)
    root[middle:, middle:] = lower_root = _inverse_cholesky_factor(
        matrix[middle:, middle:] - _product(lower_side, lower_side.T)
    )
    root[middle:, :middle] = -_product(_product(lower_root, lower_side), upper_root)
    return root
