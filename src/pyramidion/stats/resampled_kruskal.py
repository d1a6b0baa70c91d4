"""The Kruskal-Wallis test with resampled instead of chi-square p-values."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.differences import midranks, noise_level, settle
from pyramidion.stats.inputs import Rng, count_of_resamples, generator, resampled_p
from pyramidion.stats.kruskal import Groups, kruskal_wallis
from pyramidion.stats.pairing import Indices, batches, reaches

__all__ = ["ResampledKruskalWallis", "resampled_kruskal_wallis"]


@dataclass(frozen=True, slots=True)
class ResampledKruskalWallis:
    """What the resampled Kruskal-Wallis test found.

    Parameters
    ----------
    statistic
        H, corrected for ties.
    p
        ``(b + 1) / (B + 1)``, b resamples having at least this H.
    blocked
        Whether values moved within their blocks only.
    n_resamples
        How many resamples there were.

    Examples
    --------
    >>> resampled_kruskal_wallis([[1, 2], [3, 4]], n_resamples=99).blocked
    False
    """

    statistic: float
    p: float
    blocked: bool
    n_resamples: int


def resampled_kruskal_wallis(
    groups: Groups,
    *,
    blocked: bool = False,
    n_resamples: int = 9999,
    orders: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> ResampledKruskalWallis:
    r"""Test by random permutations whether several samples come from one distribution.

    The statistic is H of `kruskal_wallis`. Under the null hypothesis every assignment of the
    pooled values to the groups is as likely as any other; no large-sample theory and no
    continuity is assumed.

    Parameters
    ----------
    groups
        The samples, or a matrix with one in each row: ``scores`` (topics x systems) compares
        topics, ``scores.T`` systems. NaN values are left out.
    blocked
        Permute only among values of the same position in their groups (of the same system,
        when topics are compared). The scores of one system are not independent of each other
        (reading 19); with blocks they need not be. Groups must then be equally long; a missing
        value stays missing.
    n_resamples
        How many permutations.
    orders
        Resamples x values: permutations of the pooled values (from 0, missing ones left out,
        group after group), instead of chance. Not with blocks.
    rng
        Generator or seed.

    Returns
    -------
    ResampledKruskalWallis
        H and its p-value.

    Notes
    -----
    When all values are tied, H is 0 and p is 1.

    References
    ----------
    .. [1] W. H. Kruskal, W. A. Wallis, "Use of ranks in one-criterion variance analysis",
       JASA 47, 1952.

    Examples
    --------
    >>> found = resampled_kruskal_wallis([[1, 2, 2, 3], [2, 3, 4, 4], [5, 5, 4, 5]])
    >>> round(found.statistic, 4), found.p < 0.01
    (8.25, True)
    """
    count_of_resamples(n_resamples)
    observed = kruskal_wallis(groups)
    rows = [np.asarray(group, np.float64) for group in groups]
    if blocked:
        if orders is not None:
            raise InputError("`orders` are given", hint="they do not go with blocked=True")
        resamples = _within_blocks(rows, n_resamples, rng)
    else:
        resamples = _permuted(rows, n_resamples, orders, rng)
    spread = [_between(ranks, observed.ranks.n) for ranks in resamples]
    null = np.concatenate(spread)
    first = _between(_pooled_ranks(rows)[None], observed.ranks.n)
    # H rises with the spread of the mean ranks; size and ties are the same in all resamples.
    extreme = np.count_nonzero(null >= reaches(first))
    return ResampledKruskalWallis(
        statistic=observed.statistic,
        p=float(resampled_p(extreme, len(null))),
        blocked=blocked,
        n_resamples=len(null),
    )


def _pooled_ranks(rows: list[Floats]) -> Floats:
    pooled = np.concatenate(rows)
    kept = pooled[~np.isnan(pooled)]
    return midranks(settle(kept, noise_level(kept)))


def _between(ranks: Floats, sizes: Ints) -> Floats:
    """Sum the squared deviations of the mean ranks, a value for each row of ranks."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    means = np.add.reduceat(ranks, starts, axis=1) / sizes
    total: Floats = (means - (sizes.sum() + 1) / 2) ** 2 @ sizes
    return total


def _permuted(
    rows: list[Floats], n_resamples: int, orders: npt.ArrayLike | None, rng: Rng | None
) -> Iterator[Floats]:
    ranks, chance = _pooled_ranks(rows), generator(rng)
    if orders is not None:
        yield ranks[_checked_orders(orders, len(ranks))]
        return
    for part in batches(np.arange(n_resamples), len(ranks)):
        yield chance.permuted(np.broadcast_to(ranks, (len(part), len(ranks))), axis=1)


def _checked_orders(orders: npt.ArrayLike, size: int) -> Indices:
    array = np.asarray(orders)
    if array.ndim != 2 or not len(array) or array.shape[1] != size:
        raise ShapeError(f"`orders` has the shape {array.shape}", hint=f"give rows of {size}")
    if not (np.sort(array, axis=1) == np.arange(size)).all():
        raise InputError("`orders` has a row that is no permutation", hint="values count from 0")
    return array.astype(np.intp)


def _within_blocks(rows: list[Floats], n_resamples: int, rng: Rng | None) -> Iterator[Floats]:
    """Permute the ranks of each column among the groups that have a value there."""
    if len({len(row) for row in rows}) > 1:
        raise ShapeError("groups are not equally long", hint="blocked=True needs whole blocks")
    values, chance = np.stack(rows), generator(rng)
    present = ~np.isnan(values)
    ranks = np.zeros(values.shape)
    ranks[present] = _pooled_ranks(rows)
    # Missing values come last both in the order that is filled and in the one that fills.
    slots = np.argsort(~present, axis=0, kind="stable")
    for part in batches(np.arange(n_resamples), values.size):
        keys = chance.random((len(part), *values.shape))
        keys[:, ~present] = 2.0
        source = np.argsort(keys, axis=1)
        moved = np.empty_like(keys)
        drawn = np.take_along_axis(ranks[None], source, axis=1)
        np.put_along_axis(moved, np.broadcast_to(slots, keys.shape), drawn, axis=1)
        yield moved[:, present]
