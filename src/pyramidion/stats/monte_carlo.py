"""Resamples that swap the two scores of a topic (the Monte Carlo method, MC)."""

from collections.abc import Iterator

import numpy as np

from pyramidion._types import Floats, Signs
from pyramidion.stats.counted import (
    PairStatistic,
    Statistics,
    ratio,
    settled,
    signed_ranks,
    student,
)
from pyramidion.stats.pairing import Indices, Pairs, batches, blocks

__all__ = ["swap_blocks"]


def swap_blocks(
    pairs: Pairs,
    rows: Indices,
    signs: Signs,
    names: tuple[PairStatistic, ...],
    *,
    standardized: bool,
) -> Iterator[tuple[Indices, Statistics]]:
    """Compute the statistics of all resamples, some pairs at a time.

    All three are functions of sums that are linear in the signs, so two products do.

    Examples
    --------
    >>> from pyramidion.stats.pairing import pair_up
    >>> from pyramidion.stats.swaps import all_signs
    >>> blocks = swap_blocks(pair_up([[1, 2], [4, 2], [5, 2]]), np.arange(1), all_signs(3),
    ...                      ("w",), standardized=False)
    >>> [(rows.tolist(), found["w"].tolist()) for rows, found in blocks]
    [([0], [[4.0, -2.0, 0.0, -6.0]])]
    """
    columns = signs.T.astype(np.float64)
    for part in batches(rows, len(signs)):
        z, n = pairs.differences[part], pairs.topics[part][:, None]
        total = z @ columns
        if "w" in names:
            w = _rank_weights(pairs, part, standardized=standardized) @ columns
        paired = n * np.sum(z**2, axis=1, keepdims=True)
        unpaired = 2 * n * _squares_about_mean(pairs, part)
        for block in blocks(len(part), len(signs)):
            found: Statistics = {}
            if "w" in names:
                found["w"] = w[block]
            if "t" in names:
                found["t"] = student(total[block], paired[block], n[block] - 1)
            if "t-unpaired" in names:
                found["t-unpaired"] = student(total[block], unpaired[block], 2 * n[block] - 2)
            yield part[block], found


def _rank_weights(pairs: Pairs, rows: Indices, *, standardized: bool) -> Floats:
    """Give what each topic adds to W."""
    ranks = signed_ranks(settled(pairs.differences[rows], pairs.noise))
    if not standardized:
        return ranks
    return ratio(ranks, np.sqrt(np.sum(ranks**2, axis=1, keepdims=True)))


def _squares_about_mean(pairs: Pairs, rows: Indices) -> Floats:
    """Sum the squares of both systems' scores about their common mean."""
    both = pairs.scores.T[pairs.indices[rows]]
    kept = pairs.shared[rows][:, None]
    count = 2 * pairs.topics[rows][:, None, None]
    mean = np.sum(both, axis=(1, 2), keepdims=True, where=kept) / count
    squares: Floats = np.sum((both - mean) ** 2, axis=(1, 2), where=kept)[:, None]
    return squares
