"""The Friedman test, and its extension to blocks with missing values."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from pyramidion._types import Bools, Floats
from pyramidion.errors import InputError
from pyramidion.stats.differences import midranks, noise_level, settle
from pyramidion.stats.inputs import choice, matrix
from pyramidion.stats.layout import linked_rows

__all__ = ["Friedman", "friedman"]

Missing = Literal["keep", "drop"]


@dataclass(frozen=True, slots=True, eq=False)
class Friedman:
    """What the Friedman test found.

    Parameters
    ----------
    statistic
        Chi-square, corrected for ties.
    df
        Number of columns less one, or less still where rows that are tied throughout are all
        that links some columns to others.
    p
        From the chi-square distribution.
    mean_ranks
        The mean rank of each column within the blocks that were used.
    blocks
        How many rows were used.
    left_out
        How many rows were not: incomplete ones, or those with fewer than two values.

    Examples
    --------
    >>> friedman([[1, 2, 3], [1, 3, 2], [4, 5, 6]]).blocks
    3
    """

    statistic: float
    df: int
    p: float
    mean_ranks: Floats
    blocks: int
    left_out: int


def friedman(scores: npt.ArrayLike, *, missing: Missing = "keep") -> Friedman:
    r"""Test whether the columns of a matrix differ, with its rows as blocks.

    Values are ranked within each row (midranks; values within rounding noise are tied). With
    :math:`A_j = \sum_i w_i (r_{ij} - (k_i + 1)/2)` and V the covariance of A when every row
    is permuted at random, the statistic is :math:`A' V^- A`, chi-square with k - 1 degrees of
    freedom. On a complete matrix it is Friedman's, corrected for ties; with missing values and
    :math:`w_i = \sqrt{12 / (k_i + 1)}`, it is that of Skillings and Mack. When every row is
    tied throughout, the statistic is 0 and p is 1.

    Parameters
    ----------
    scores
        Rows are blocks (topics), columns are compared (systems); NaN is a missing value.
    missing
        ``"keep"`` uses every row with at least two values, ``"drop"`` complete rows only.

    Returns
    -------
    Friedman
        Statistic, degrees of freedom, p-value, mean ranks and what was left out.

    References
    ----------
    .. [1] M. Friedman, "The use of ranks to avoid the assumption of normality implicit in the
       analysis of variance", JASA 32, 1937.
    .. [2] J. H. Skillings and G. A. Mack, "On the use of a Friedman-type statistic in balanced
       and unbalanced block designs", Technometrics 23, 1981.

    Examples
    --------
    >>> found = friedman([[1, 2, 3], [1, 2, 2], [4, 6, 7], [2, 1, 3]])
    >>> round(found.statistic, 4), found.df, round(found.p, 4)
    (5.7333, 2, 0.0569)
    """
    table = matrix(scores, "scores")
    choice(missing, "missing", Missing)
    columns = table.shape[1]
    if columns < 2:
        raise InputError(f"`scores` has {columns} columns", hint="two at least are compared")
    present = ~np.isnan(table)
    used = present.sum(axis=1) >= (2 if missing == "keep" else columns)
    if not used.any():
        raise InputError("no row of `scores` can be ranked", hint=_how_to_mend(missing))
    ranks = _rank_rows(table[used], present[used])
    statistic, df = _quadratic_form(ranks, present[used])
    return Friedman(
        statistic=statistic,
        df=df,
        p=float(chdtrc(df, statistic)),
        mean_ranks=ranks.sum(axis=0) / present[used].sum(axis=0),
        blocks=int(used.sum()),
        left_out=int((~used).sum()),
    )


def _how_to_mend(missing: Missing) -> str:
    return "every row lacks a value" if missing == "drop" else "two values of a row are needed"


def _rank_rows(table: Floats, present: Bools) -> Floats:
    """Rank the values of each row; missing ones get rank 0."""
    ranks = np.zeros_like(table)
    noise = noise_level(table[present])
    for row, values, there in zip(ranks, table, present, strict=True):
        row[there] = midranks(settle(values[there], noise))
    return ranks


def _quadratic_form(ranks: Floats, present: Bools) -> tuple[float, int]:
    """Compare the sums of centred ranks with their covariance under permutation of rows."""
    _require_connected(present)
    size = present.sum(axis=1, keepdims=True)
    centred = np.where(present, ranks - (size + 1) / 2, 0) * np.sqrt(12 / (size + 1))
    scale = (centred**2).sum(axis=1, keepdims=True) / (size - 1)
    covariance = np.diag((scale * present).sum(axis=0)) - (scale / size * present).T @ present
    values, axes = np.linalg.eigh(covariance)
    held = values > 1e-10 * len(ranks)
    along = centred.sum(axis=0) @ axes[:, held]
    return float(np.sum(along**2 / values[held])), int(held.sum()) or present.shape[1] - 1


def _require_connected(present: Bools) -> None:
    """Refuse columns that no chain of shared rows connects: they cannot be compared."""
    linked = linked_rows(present.T)
    if not linked.all():
        raise InputError(
            f"columns 0 and {int(np.argmin(linked))} of `scores` share no row",
            hint="not even through other columns: take one out",
        )
