"""Tukey's comparisons of all pairs: of mean ranks, and of systems with topics as blocks."""

import numpy as np
import numpy.typing as npt

from pyramidion.errors import InputError
from pyramidion.stats.anova import TwoWayAnova, two_way_anova
from pyramidion.stats.comparisons import (
    Comparisons,
    Yardstick,
    all_pairs,
    compare_pairs,
    pair_errors,
)
from pyramidion.stats.inputs import matrix, share
from pyramidion.stats.kruskal import Groups, rank_groups
from pyramidion.stats.studentized_range import tukey_critical, tukey_p

__all__ = ["blocked_tukey", "fit_blocks", "mean_rank_tukey", "tukey_yardstick"]


def mean_rank_tukey(groups: Groups, *, confidence_level: float = 0.95) -> Comparisons:
    r"""Compare the mean ranks of all pairs of groups, as MATLAB does after Kruskal-Wallis.

    .. math:: \sigma^2 = \frac{N(N+1)}{12} - \frac{\sum(t^3 - t)}{12(N-1)}, \qquad
              se_{ij} = \sigma\sqrt{1/n_i + 1/n_j}, \qquad
              c = q_{k,\infty} / \sqrt 2

    Unlike what goes by the name of Nemenyi elsewhere, ties reduce the variance.

    Parameters
    ----------
    groups
        As in `kruskal_wallis`: ``scores`` compares topics (Figure 4.1), ``scores.T`` systems.
    confidence_level
        Of all intervals together.

    Returns
    -------
    Comparisons
        Differences of mean ranks with intervals and p-values, and the groups' comparison
        intervals.

    Notes
    -----
    The groups are taken as independent. Where they share blocks, `blocked_tukey` is the
    sharper test (reading 19).

    References
    ----------
    .. [1] Y. Hochberg and A. C. Tamhane, "Multiple Comparison Procedures", 1987.

    Examples
    --------
    >>> found = mean_rank_tukey([[1, 2, 2, 3], [2, 3, 4, 4], [5, 5, 4, 5]])
    >>> found.differences.tolist(), found.p.round(4).tolist()
    ([-3.0, -7.125, -4.125], [0.4505, 0.0118, 0.2223])
    """
    share(confidence_level, "confidence_level")
    ranks = rank_groups(groups)
    pairs = all_pairs(len(ranks.n))
    errors = np.sqrt(max(ranks.variance, 0.0) * (1 / ranks.n[pairs]).sum(axis=1))
    yardstick = tukey_yardstick(confidence_level, len(ranks.n), np.inf)
    return compare_pairs(ranks.mean_ranks, pairs, errors, yardstick)


def blocked_tukey(scores: npt.ArrayLike, *, confidence_level: float = 0.95) -> Comparisons:
    r"""Compare all pairs of columns, with the rows as blocks.

    The additive model of `two_way_anova` is fitted to what is there; differences of
    least-squares means are compared with :math:`q_{k,\nu} / \sqrt 2` standard errors. On a
    complete matrix that is Tukey's exact procedure; with missing values it is Kramer's
    extension, which is a little cautious (`simultaneous_intervals` is not).

    Parameters
    ----------
    scores
        Rows are blocks (topics), columns are compared (systems); NaN is a missing value.
    confidence_level
        Of all intervals together.

    Returns
    -------
    Comparisons
        Differences of least-squares means with intervals and p-values.

    References
    ----------
    .. [1] C. Y. Kramer, "Extension of multiple range tests to group correlated adjusted
       means", Biometrics 13, 1957.

    Examples
    --------
    >>> found = blocked_tukey([[1, 2, 4], [2, 4, 4], [5, float("nan"), 8], [3, 5, 6]])
    >>> found.p.round(4).tolist()
    [0.0146, 0.0011, 0.0877]
    """
    share(confidence_level, "confidence_level")
    fit = fit_blocks(scores)
    pairs = all_pairs(len(fit.first.levels))
    yardstick = tukey_yardstick(
        confidence_level, len(fit.first.levels), fit.residual_df, note=fit.note
    )
    errors = pair_errors(fit.first.covariance, pairs)
    return compare_pairs(fit.first.means, pairs, errors, yardstick)


def tukey_yardstick(
    confidence_level: float, groups: int, df: float, *, note: str = ""
) -> Yardstick:
    """Give Tukey's critical value and p-values.

    Parameters
    ----------
    confidence_level
        Of all intervals together.
    groups
        How many are compared.
    df
        Degrees of freedom of the standard errors.
    note
        Why there is nothing to compare with, or empty.

    Examples
    --------
    >>> round(tukey_yardstick(0.95, 3, 20).critical, 4)
    2.53
    """
    critical = np.nan if note else tukey_critical(confidence_level, groups, df)
    return Yardstick(confidence_level, critical, lambda t: tukey_p(t, groups, df), note)


def fit_blocks(scores: npt.ArrayLike) -> TwoWayAnova:
    """Fit columns and blocks, after a look at whether there is anything to compare.

    Examples
    --------
    >>> fit_blocks([[1], [2]])
    Traceback (most recent call last):
    pyramidion.errors.InputError: `scores` has 1 columns; two at least are compared
    """
    table = matrix(scores, "scores")
    if table.shape[1] < 2:
        raise InputError(f"`scores` has {table.shape[1]} columns", hint="two at least are compared")
    return two_way_anova(table)
