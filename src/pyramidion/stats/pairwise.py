"""The classical tests for all pairs of systems at once: signed ranks and the t tests."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtr

from pyramidion._types import Bools, Floats, Ints
from pyramidion.stats.counted import ratio, settled, signed_ranks
from pyramidion.stats.inputs import choice
from pyramidion.stats.pairing import Pairs, checked_pairs, pair_blocks

__all__ = ["PairwiseTest", "PairwiseTests", "pairwise_tests"]

PairwiseTest = Literal["wilcoxon", "paired-t", "unpaired-t", "welch"]

# A spread whose square is no floating-point number is none.
_NO_SPREAD = 1e-150


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseTests:
    """What a test found; an element for each pair.

    Parameters
    ----------
    statistic
        Positive where the first system has the higher scores.
    p
        Two-sided p-values; NaN where the test is undefined.
    topics
        How many topics the pair shares.

    Examples
    --------
    >>> pairwise_tests([[1, 2], [4, 3], [5, 1]], test="paired-t").topics.tolist()
    [3]
    """

    statistic: Floats
    p: Floats
    topics: Ints


def pairwise_tests(
    scores: npt.ArrayLike, *, test: PairwiseTest = "wilcoxon", pairs: npt.ArrayLike | None = None
) -> PairwiseTests:
    """Test every pair of systems on the topics that both have a score on.

    What `wilcoxon` (zeros dropped, normal approximation, ties corrected), `paired_t` and
    `unpaired_t` give for one pair after the other, without the loop.

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores.
    test
        ``"unpaired-t"`` pools the variances, ``"welch"`` does not.
    pairs
        Rows of two column numbers; all pairs unless given.

    Returns
    -------
    PairwiseTests
        Signed W or t, and p. W is undefined where no topic is shared; t where fewer than two
        are, or where something differs and nothing varies. Identical systems have p = 1.

    Notes
    -----
    What counts as rounding noise depends on the largest score of all systems, not on that of
    the pair.

    Examples
    --------
    >>> scores = [[3, 2, 5], [4, 1, 5], [4, 5, 4], [2, 2, 3], [3, 4, 5], [2, 3, 5], [1, 1, 4]]
    >>> found = pairwise_tests(scores)
    >>> found.statistic.tolist(), found.p.round(3).tolist()
    ([0.0, -21.0, -24.0], [1.0, 0.026, 0.041])
    """
    choice(test, "test", PairwiseTest)
    array, indices = checked_pairs(scores, pairs)
    statistic, p = np.full((2, len(indices)), np.nan)
    topics = np.zeros(len(indices), np.int64)
    for rows, block in pair_blocks(array, indices):
        topics[rows] = block.topics
        if test == "wilcoxon":
            statistic[rows], p[rows] = _signed_rank_tests(block)
        elif test == "paired-t":
            statistic[rows], p[rows] = _paired_tests(block)
        else:
            statistic[rows], p[rows] = _unpaired_tests(block, pooled=test == "unpaired-t")
    return PairwiseTests(statistic, p, topics)


def _signed_rank_tests(block: Pairs) -> tuple[Floats, Floats]:
    ranks = signed_ranks(settled(block.differences, block.noise))
    total = ranks.sum(axis=1)
    length = np.sqrt(np.einsum("pk,pk->p", ranks, ranks))
    p: Floats = 2 * ndtr(-np.abs(ratio(total, length)))
    unknown = block.topics == 0
    total[unknown] = p[unknown] = np.nan
    return total, p


def _paired_tests(block: Pairs) -> tuple[Floats, Floats]:
    n = block.topics
    mean, squares, range_ = _moments(block.differences, block.shared)
    error = np.sqrt(squares / np.maximum(n - 1, 1) / np.maximum(n, 1))
    flat = range_ <= max(block.noise, _NO_SPREAD)
    return _student(mean, error, (n - 1).astype(np.float64), flat, block)


def _unpaired_tests(block: Pairs, *, pooled: bool) -> tuple[Floats, Floats]:
    n = block.topics
    first, second = (block.scores.T[block.indices[:, side]] for side in (0, 1))
    (mean, squares, range_), (mean_y, squares_y, range_y) = (
        _moments(values, block.shared) for values in (first, second)
    )
    error = np.sqrt((squares + squares_y) / np.maximum(n - 1, 1) / np.maximum(n, 1))
    flat = np.maximum(range_, range_y) <= max(block.noise, _NO_SPREAD)
    freedom = 2 * (n - 1).astype(np.float64)
    if not pooled:
        # Satterthwaite's, with samples of one size.
        freedom = (n - 1) * ratio((squares + squares_y) ** 2, squares**2 + squares_y**2)
    return _student(mean - mean_y, error, freedom, flat, block)


def _moments(values: Floats, shared: Bools) -> tuple[Floats, Floats, Floats]:
    """Give the means of rows, the sums of squares about them, and the ranges."""
    mean = np.where(shared, values, 0.0).sum(axis=1) / np.maximum(shared.sum(axis=1), 1)
    away = np.where(shared, values - mean[:, None], 0.0)
    largest = np.where(shared, values, -np.inf).max(axis=1, initial=-np.inf)
    smallest = np.where(shared, values, np.inf).min(axis=1, initial=np.inf)
    return mean, np.einsum("pk,pk->p", away, away), largest - smallest


def _student(
    difference: Floats, error: Floats, freedom: Floats, flat: Bools, block: Pairs
) -> tuple[Floats, Floats]:
    """Give t and p; where nothing varies 0 and 1 if nothing differs either, else NaN."""
    t = ratio(difference, np.where(flat, 0.0, error))
    p: Floats = np.minimum(1.0, 2 * stdtr(np.maximum(freedom, 1.0), -np.abs(t)))
    undefined = (block.topics < 2) | (flat & (np.abs(difference) > block.noise))
    t[undefined] = p[undefined] = np.nan
    return t, p
