"""Tables that are mostly zeros: texts by words, texts by n-grams, texts by edges."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats

__all__ = ["Sparse", "stack_rows"]

#: A `scipy.sparse.csr_array`; its own types cost more words than they check.
Sparse = Any


def stack_rows(rows: Sequence[tuple[npt.NDArray[Any], Floats]], width: int) -> Sparse:
    """Make a table of rows, each given by its columns and values.

    Parameters
    ----------
    rows
        The rows.
    width
        How many columns the table has.

    Examples
    --------
    >>> rows = [(np.array([1]), np.array([0.5])), (np.array([0]), np.array([2.0]))]
    >>> stack_rows(rows, 2).toarray()
    array([[0. , 0.5],
           [2. , 0. ]])
    """
    from scipy.sparse import csr_array

    bounds = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    columns = np.concatenate([np.empty(0, np.int64), *(columns for columns, _ in rows)])
    values = np.concatenate([np.empty(0), *(values for _, values in rows)])
    return csr_array((values, columns.astype(np.int64), bounds), shape=(len(rows), width))
