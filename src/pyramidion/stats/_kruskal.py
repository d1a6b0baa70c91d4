"""Tests on ranks of more than two groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from pyramidion._types import Bools, Floats, Ints
from pyramidion.errors import InputError
from pyramidion.stats.anova import linked_rows
from pyramidion.stats.inputs import (
    check_choice,
    matrix,
    vector,
)
from pyramidion.stats.pairs import (
    merge_rounding_ties,
    midranks,
    noise_level,
    tie_term,
)

#: Samples of any sizes, or a matrix whose rows are samples; NaN is a missing value.
Groups = Sequence[npt.ArrayLike] | Floats


@dataclass(frozen=True, slots=True, eq=False)
class RankedGroups:
    """Several samples ranked as one."""

    mean_ranks: Floats
    n: Ints
    missing: int
    tie_term: float

    @property
    def total(self) -> int:
        """The total size of all groups."""
        return int(self.n.sum())

    @property
    def variance(self) -> float:
        """The variance of a rank, N(N+1)/12 corrected for ties; 0 if all values are tied."""
        n = self.total
        return n * (n + 1) / 12 - self.tie_term / (12 * (n - 1))


def rank_groups(groups: Groups) -> RankedGroups:
    """Pool the groups, rank all values, and average the ranks of each group.

    Values within rounding noise of each other are tied.
    """
    samples = [vector(group, f"groups[{i}]", nan=True) for i, group in enumerate(groups)]
    if len(samples) < 2:
        message = "the test compares two or more groups"
        raise InputError(f"{message}, not {len(samples)}", hint="give at least two")
    observed_groups = [group[~np.isnan(group)] for group in samples]
    for i, group in enumerate(observed_groups):
        if not len(group):
            raise InputError(f"`groups[{i}]` has no value", hint="remove it")
    group_sizes = np.array([len(group) for group in observed_groups])
    pooled_values = np.concatenate(observed_groups)
    merged_values = merge_rounding_ties(pooled_values, noise_level(pooled_values))
    rank_sums = np.add.reduceat(
        midranks(merged_values), np.concatenate([[0], np.cumsum(group_sizes)[:-1]])
    )
    return RankedGroups(
        rank_sums / group_sizes,
        group_sizes,
        sum(map(len, samples)) - len(pooled_values),
        tie_term(merged_values),
    )


@dataclass(frozen=True, slots=True)
class KruskalWallis:
    """Result of the Kruskal-Wallis test: H with and without tie correction, and p."""

    statistic: float
    uncorrected: float
    df: int
    p: float
    ranks: RankedGroups


def kruskal_wallis(groups: Groups) -> KruskalWallis:
    r"""Test whether several independent samples come from one distribution.

    .. math:: H = \frac{12}{N(N+1)} \sum_j n_j \left(\bar R_j - \frac{N+1}{2}\right)^2, \qquad
              H' = H \Big/ \left(1 - \frac{\sum (t^3 - t)}{N^3 - N}\right)

    with k - 1 degrees of freedom. When all values are tied, H is 0 and p is 1.

    Parameters
    ----------
    groups
        The samples, or a matrix with one per row: ``scores`` (topics x systems) compares
        topics, ``scores.T`` systems. NaN values are left out and counted.

    Notes
    -----
    Scores of the same topic or system are not independent: if the other factor is a block, use
    `friedman` (reading 19).

    References
    ----------
    .. [1] W. H. Kruskal and W. A. Wallis, "Use of ranks in one-criterion variance analysis",
       JASA 47, 1952.

    Examples
    --------
    >>> result = kruskal_wallis([[1, 2, 2, 3], [2, 3, 4, 4], [5, 5, 4, 5]])
    >>> round(result.statistic, 4), result.df, round(result.p, 4)
    (8.25, 2, 0.0162)
    """
    ranks = rank_groups(groups)
    n, df = ranks.total, len(ranks.n) - 1
    between_sum = float(np.sum(ranks.n * (ranks.mean_ranks - (n + 1) / 2) ** 2))
    uncorrected_h = 12 * between_sum / (n * (n + 1))
    tie_correction = 1 - ranks.tie_term / (n**3 - n)
    h = uncorrected_h / tie_correction if tie_correction > 0 else 0.0
    return KruskalWallis(h, uncorrected_h, df, float(chdtrc(df, h)), ranks)


Missing = Literal["keep", "drop"]


@dataclass(frozen=True, slots=True, eq=False)
class Friedman:
    """Result of the Friedman test; `left_out` counts the rows that were not used."""

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
    completely tied, the statistic is 0 and p is 1.

    Parameters
    ----------
    scores
        Rows are blocks (topics), columns are compared (systems); NaN is a missing value.
    missing
        ``"keep"`` uses every row with at least two values, ``"drop"`` only complete rows.

    References
    ----------
    .. [1] M. Friedman, "The use of ranks to avoid the assumption of normality implicit in the
       analysis of variance", JASA 32, 1937.
    .. [2] J. H. Skillings and G. A. Mack, "On the use of a Friedman-type statistic in balanced
       and unbalanced block designs", Technometrics 23, 1981.

    Examples
    --------
    >>> result = friedman([[1, 2, 3], [1, 2, 2], [4, 6, 7], [2, 1, 3]])
    >>> round(result.statistic, 4), result.df, round(result.p, 4)
    (5.7333, 2, 0.0569)
    """
    table = matrix(scores, "scores")
    check_choice(missing, "missing", Missing)
    n_columns = table.shape[1]
    if n_columns < 2:
        raise InputError(f"`scores` has {n_columns} columns", hint="give at least two")
    is_present = ~np.isnan(table)
    is_compared = is_present.sum(axis=1) >= (2 if missing == "keep" else n_columns)
    if not is_compared.any():
        reason = "every row lacks a value" if missing == "drop" else "a row needs two values"
        raise InputError("no row of `scores` can be ranked", hint=reason)
    is_linked = linked_rows(is_present[is_compared].T)
    if not is_linked.all():
        message = f"columns 0 and {int(np.argmin(is_linked))} of `scores` share no row"
        raise InputError(message, hint="not even through other columns: remove one")
    # Missing values have rank 0.
    ranks, noise = (
        np.zeros(table[is_compared].shape),
        noise_level(table[is_compared][is_present[is_compared]]),
    )
    for rank_row, values, is_value in zip(
        ranks, table[is_compared], is_present[is_compared], strict=True
    ):
        rank_row[is_value] = midranks(merge_rounding_ties(values[is_value], noise))
    statistic, df = _quadratic_form(ranks, is_present[is_compared])
    means = ranks.sum(axis=0) / is_present[is_compared].sum(axis=0)
    block_counts = int(is_compared.sum()), int((~is_compared).sum())
    return Friedman(statistic, df, float(chdtrc(df, statistic)), means, *block_counts)


def _quadratic_form(ranks: Floats, is_present: Bools) -> tuple[float, int]:
    """Return the statistic of the centered rank sums and its degrees of freedom."""
    row_sizes = is_present.sum(axis=1, keepdims=True)
    centered_ranks = np.where(is_present, ranks - (row_sizes + 1) / 2, 0) * np.sqrt(
        12 / (row_sizes + 1)
    )
    scale = (centered_ranks**2).sum(axis=1, keepdims=True) / (row_sizes - 1)
    covariance = (
        np.diag((scale * is_present).sum(axis=0)) - (scale / row_sizes * is_present).T @ is_present
    )
    eigenvalues, eigenvectors = np.linalg.eigh(covariance)
    is_nonzero = eigenvalues > 1e-10 * len(ranks)
    projections = centered_ranks.sum(axis=0) @ eigenvectors[:, is_nonzero]
    return float(np.sum(projections**2 / eigenvalues[is_nonzero])), int(
        is_nonzero.sum()
    ) or is_present.shape[1] - 1
