"""Least squares on every subset of the columns at once, by the sweep operator."""

from collections.abc import Iterable, Sequence

import numpy as np

from pyramidion._types import Floats

__all__ = ["inflation", "sweep", "sweep_subsets"]

# A pivot that is this small is rounding noise.
_NO_PIVOT = 1e-13


def sweep(tables: Floats, columns: Iterable[int]) -> Floats:
    """Sweep tables of sums of products on some columns.

    Swept on a set of columns S, a table has minus the inverse of its part S x S there, the
    coefficients of least squares on S in S x rest, and the products of the residuals in
    rest x rest. Where a column depends on those before it, everything becomes NaN.

    Parameters
    ----------
    tables
        Shape (..., m, m), symmetric, with 1 on the diagonal before anything was swept.
    columns
        On which to sweep, one after the other.

    References
    ----------
    A. P. Dempster. Elements of Continuous Multivariate Analysis. Addison-Wesley, 1969, 4.3.2.

    Examples
    --------
    >>> sweep(np.array([[1.0, 0.5], [0.5, 1.0]]), [0]).tolist()
    [[-1.0, 0.5], [0.5, 0.75]]
    """
    for column in columns:
        pivot = tables[..., column, column]
        pivot = np.where(pivot > _NO_PIVOT, pivot, np.nan)[..., None]
        row = tables[..., column, :]
        share = row / pivot
        tables = tables - share[..., :, None] * row[..., None, :]
        tables[..., column, :] = tables[..., :, column] = share
        tables[..., column, column] = -1 / pivot[..., 0]
    return tables


def sweep_subsets(table: Floats, groups: Sequence[Sequence[int]]) -> Floats:
    """Sweep one table on every subset of the groups; number i has those of the bits of i.

    Examples
    --------
    >>> sweep_subsets(np.eye(3), [[0], [1, 2]]).diagonal(axis1=1, axis2=2).tolist()
    [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, -1.0]]
    """
    tables = table[None]
    for group in groups:
        tables = np.concatenate([tables, sweep(tables, group)])
    return tables


def inflation(tables: Floats) -> Floats:
    """Give the largest factor by which columns that were swept on inflate a variance.

    It is the largest value on the diagonal of the inverse: 1 for columns that are uncorrelated,
    very large or NaN for columns that depend on each other.

    Examples
    --------
    >>> inflation(sweep_subsets(np.array([[1.0, 0.5], [0.5, 1.0]]), [[0], [1]])).round(3).tolist()
    [1.0, 1.0, 1.0, 1.333]
    """
    diagonal = -np.diagonal(tables, axis1=-2, axis2=-1)
    largest: Floats = np.maximum(diagonal.max(axis=-1), 1.0)
    return largest
