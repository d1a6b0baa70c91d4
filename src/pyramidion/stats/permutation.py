"""Fisher's permutation test of one pair of samples: swap the two values of a topic or not."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.stats.counted import student
from pyramidion.stats.differences import clean_differences, midranks
from pyramidion.stats.inputs import Alternative, Rng, choice, count_of_resamples, paired
from pyramidion.stats.pairing import reaches
from pyramidion.stats.swaps import chosen_signs, sign_batches

__all__ = ["Permutation", "permutation_test"]

Statistic = Literal["mean", "w", "w-pratt", "t", "t-unpaired"]

#: Up to so many nonzero differences all 2ⁿ swaps are enumerated: a million sums.
MOST_EXACT = 20


@dataclass(frozen=True, slots=True)
class Permutation:
    """What the permutation test found.

    Parameters
    ----------
    statistic
        The observed value of the statistic.
    p
        The p-value for `alternative`.
    topics
        How many pairs of values there are.
    zeros
        How many of them are equal; swapping them changes nothing.
    exact
        Whether all swaps were enumerated.
    n_resamples
        How many swaps the p-value rests on: 2ⁿ for n nonzero differences if exact.
    alternative
        As asked for.

    Examples
    --------
    >>> permutation_test([3, 5, 4], [1, 4, 4]).n_resamples
    4
    """

    statistic: float
    p: float
    topics: int
    zeros: int
    exact: bool
    n_resamples: int
    alternative: Alternative


def permutation_test(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    statistic: Statistic = "mean",
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    swaps: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> Permutation:
    r"""Test whether the two values of each pair could as well be swapped.

    With up to 20 nonzero differences the p-value is exact, the share of all :math:`2^n` swaps
    whose statistic is at least as extreme; with more it is :math:`(b + 1) / (B + 1)` for b such
    swaps among B random ones. Two-sided compares absolute values.

    Parameters
    ----------
    x, y
        The paired samples.
    statistic
        ``"mean"`` (the mean of x - y); ``"w"`` (sum of signed ranks, zeros dropped);
        ``"w-pratt"`` (zeros ranked, their ranks dropped); ``"t"`` (paired); ``"t-unpaired"``
        (pooled variance). The mean and both T give the same p-value, as each rises with the
        sum of the differences alone (reading 9).
    alternative
        ``"greater"``: `x` tends to be larger.
    n_resamples
        How many random swaps, where not all are enumerated. When all 2ⁿ are at most as many,
        they are enumerated too.
    swaps
        Resamples x pairs of 0 and 1: the swaps, instead of chance or enumeration.
    rng
        Generator or seed.

    Returns
    -------
    Permutation
        The statistic, its p-value, and how it came about.

    Notes
    -----
    Differences within rounding noise of zero are zero, and within noise of each other are tied
    (`pyramidion.stats.differences.NOISE`); a resampled value may fall short of the observed one
    by a billionth. Without any difference p is 1; t is 0 then, and infinite where all
    differences are the same.

    References
    ----------
    .. [1] R. A. Fisher, "The design of experiments", Oliver and Boyd, 1935.

    Examples
    --------
    >>> x, y = [5, 3, 3, 4, 4, 3, 5, 2, 2, 1], [1, 4, 2, 2, 1, 3, 1, 3, 2, 2]
    >>> permutation_test(x, y).p
    0.1640625
    >>> found = permutation_test(x, y, statistic="w", alternative="greater")
    >>> found.statistic, found.p
    (21.0, 0.08984375)
    """
    first, second = paired(x, y)
    choice(statistic, "statistic", Statistic)
    choice(alternative, "alternative", Alternative)
    count_of_resamples(n_resamples)
    z = clean_differences(first, second)
    parts = _parts(z, statistic)
    nonzero = np.flatnonzero(z)
    exact = swaps is None and 2 ** len(nonzero) <= max(n_resamples, 2**MOST_EXACT)
    if exact:
        sums = _all_sums(parts[nonzero])
        resamples = len(sums)
    else:
        signs = chosen_signs(swaps, n_resamples, len(z), rng)
        sums = np.concatenate([batch @ parts for batch in sign_batches(signs, 1)])
        resamples = len(sums) - 1
    return Permutation(
        statistic=_observed(first, second, z, statistic),
        p=_tail(sums, alternative),
        topics=len(z),
        zeros=len(z) - len(nonzero),
        exact=exact,
        n_resamples=resamples,
        alternative=alternative,
    )


def _parts(z: Floats, statistic: Statistic) -> Floats:
    """Give what each difference adds to the statistic, scaled to unit length."""
    parts = _signed_ranks(z, pratt=statistic == "w-pratt") if statistic[0] == "w" else z
    length = float(np.linalg.norm(parts))
    scaled: Floats = parts / length if length else parts
    return scaled


def _signed_ranks(z: Floats, *, pratt: bool) -> Floats:
    dropped = 0 if pratt else np.count_nonzero(z == 0)
    ranks: Floats = np.sign(z) * (midranks(np.abs(z)) - dropped)
    return ranks


def _all_sums(parts: Floats) -> Floats:
    """Sum the parts with all signs; all plus comes first."""
    sums = np.zeros(1)
    for part in parts:
        sums = np.concatenate([sums + part, sums - part])
    return sums


def _tail(sums: Floats, alternative: Alternative) -> float:
    """Count the sums at least as extreme as the first, the observed one, itself included."""
    if alternative == "two-sided":
        sums = np.abs(sums)
    elif alternative == "less":
        sums = -sums
    noise = abs(sums[0]) - reaches(sums[:1])[0]
    return float(np.count_nonzero(sums >= sums[0] - noise)) / len(sums)


def _observed(x: Floats, y: Floats, z: Floats, statistic: Statistic) -> float:
    """Compute the observed statistic."""
    if statistic == "mean":
        return float(z.mean())
    if statistic in ("w", "w-pratt"):
        return float(_signed_ranks(z, pratt=statistic == "w-pratt").sum())
    n = len(z)
    if n < 2:
        return float("nan")
    both = np.concatenate([x, y])
    squares = np.sum(z**2) if statistic == "t" else 2 * np.sum((both - both.mean()) ** 2)
    freedom = n - 1 if statistic == "t" else 2 * n - 2
    return float(student(z.sum(keepdims=True), n * squares, freedom)[0])
