"""The Wilcoxon signed-rank test, with zeros and ties treated as they should be."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.differences import clean_differences, midranks
from pyramidion.stats.inputs import Alternative, Rng, choice, generator, one_sided, paired, vector

__all__ = ["Wilcoxon", "signed_rank_distribution", "walsh_w_plus", "wilcoxon"]

Zeros = Literal["drop", "pratt", "random"]
Method = Literal["normal", "exact"]

#: The exact distribution takes n³ steps.
MOST_EXACT = 1000


@dataclass(frozen=True, slots=True)
class Wilcoxon:
    """What the signed-rank test found.

    Parameters
    ----------
    w_plus
        The sum of the ranks of the positive differences (W of chapter 3, R's V).
    w_minus
        The sum of the ranks of the negative ones.
    z
        ``w_plus`` less its mean, over its standard deviation, under the null hypothesis.
    p
        The p-value for `alternative`, by `method`.
    mean, variance
        Of ``w_plus`` under the null hypothesis, given the ranks.
    n
        How many differences have a signed rank.
    zeros
        How many differences are zero.
    zero_method, method, alternative
        As asked for.

    Examples
    --------
    >>> wilcoxon([3, 5, 4], [1, 4, 4]).zeros
    1
    """

    w_plus: float
    w_minus: float
    z: float
    p: float
    mean: float
    variance: float
    n: int
    zeros: int
    zero_method: Zeros
    method: Method
    alternative: Alternative

    @property
    def w_signed(self) -> float:
        """The sum of the signed ranks (W of chapter 4): `w_plus` less `w_minus`."""
        return self.w_plus - self.w_minus

    @property
    def statistic(self) -> float:
        """The signed W, which only changes its sign when the samples are swapped."""
        return self.w_signed


def wilcoxon(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    zeros: Zeros = "drop",
    method: Method = "normal",
    continuity: bool = False,
    signs: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> Wilcoxon:
    r"""Test by signed ranks whether paired differences are symmetric about zero.

    1. Z = X - Y; differences within rounding noise of each other are tied, and within noise of
       zero are zero (`pyramidion.stats.differences.NOISE`).
    2. The absolute differences get midranks :math:`R_i`.
    3. :math:`W^+ = \sum_{Z_i > 0} R_i`, with mean :math:`\sum R_i / 2` and variance
       :math:`\sum R_i^2 / 4`, which is the tie-corrected
       :math:`[n(n+1)(2n+1) - \tfrac12\sum(t^3-t)]/24` when no zero is ranked.

    Differences that are all zero give W = 0 and p = 1, whatever the options.

    Parameters
    ----------
    x, y
        The paired samples.
    alternative
        ``"greater"``: `x` tends to be larger.
    zeros
        ``"drop"`` takes zero differences out before ranking (Wilcoxon). ``"pratt"`` ranks them
        and then drops their ranks. ``"random"`` ranks them and gives each a random sign
        (Putter).
    method
        ``"normal"``, or ``"exact"``: all 2ⁿ signs of the observed ranks, ties included.
    continuity
        Move W half a unit towards its mean in the normal approximation.
    signs
        For ``zeros="random"``: the signs of the zero differences in order, instead of chance.
    rng
        Generator or seed for ``zeros="random"``.

    Returns
    -------
    Wilcoxon
        W+, W-, signed W, z, p and how they came about.

    Notes
    -----
    The signed W of chapter 4 is 2 W+ - n(n+1)/2 with variance n(n+1)(2n+1)/6; its cutoff is
    not that of W+ (reading 5). Ranks are midranks, not maximum ranks (reading 6); zeros are
    dropped unless asked otherwise (reading 7); Z = X - Y (reading 8).

    References
    ----------
    .. [1] F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945.
    .. [2] J. W. Pratt, "Remarks on zeros and ties in the Wilcoxon signed rank procedures",
       JASA 54, 1959.
    .. [3] J. Putter, "The treatment of ties in some nonparametric tests", Annals of
       Mathematical Statistics 26, 1955.

    Examples
    --------
    >>> found = wilcoxon([1, 2, 4, 4, -4, 4, 6, 7, -10, 13, -14], [0] * 11)
    >>> found.w_plus, found.w_signed, round(found.p, 6)
    (41.5, 17.0, 0.447551)
    >>> wilcoxon([1, 2, 4, 4, -4, 4, 6, 7, -10, 13, -14], [0] * 11, method="exact").p
    0.4833984375
    """
    first, second = paired(x, y)
    choice(alternative, "alternative", Alternative)
    choice(zeros, "zeros", Zeros)
    choice(method, "method", Method)
    difference = clean_differences(first, second)
    signed = _signed_ranks(difference, zeros, signs, rng)
    plus, minus = float(signed[signed > 0].sum()), float(-signed[signed < 0].sum())
    variance = float(np.sum(signed**2)) / 4
    z = (plus - minus) / 2 / variance**0.5 if variance else 0.0
    if not variance:
        p = 1.0
    elif method == "exact":
        p = _exact_p(signed, alternative)
    else:
        p = _normal_p(plus - minus, variance, alternative, continuity=continuity)
    return Wilcoxon(
        w_plus=plus,
        w_minus=minus,
        z=z,
        p=p,
        mean=(plus + minus) / 2,
        variance=variance,
        n=len(signed),
        zeros=int(np.sum(difference == 0)),
        zero_method=zeros,
        method=method,
        alternative=alternative,
    )


def _signed_ranks(
    difference: Floats, zeros: Zeros, signs: npt.ArrayLike | None, rng: Rng | None
) -> Floats:
    """Give the ranks of the differences with their signs, without those that have none."""
    none = difference == 0
    if signs is not None and zeros != "random":
        raise InputError("`signs` are given", hint='they need zeros="random"')
    if none.all() or zeros == "drop":
        difference = difference[~none]
    ranks, direction = midranks(np.abs(difference)), np.sign(difference)
    if zeros == "random" and len(difference):
        direction[none] = _zero_signs(int(none.sum()), signs, rng)
    signed: Floats = (ranks * direction)[direction != 0]
    return signed


def _zero_signs(count: int, signs: npt.ArrayLike | None, rng: Rng | None) -> Floats:
    """Check the given signs of the zero differences, or draw them."""
    if signs is None:
        return generator(rng).choice(np.array([-1.0, 1.0]), count)
    given = vector(signs, "signs", least=0)
    if len(given) != count:
        raise ShapeError(
            f"`signs` has {len(given)} values", hint=f"{count} differences are zero, give as many"
        )
    if not np.all(np.abs(given) == 1):
        raise InputError("`signs` has a value other than 1 and -1")
    return given


def _normal_p(
    signed: float, variance: float, alternative: Alternative, *, continuity: bool
) -> float:
    """Give the p-value of the normal approximation; `signed` is twice the distance of W+."""
    distance, step = signed / 2, 0.5 if continuity else 0.0
    greater = ndtr(-(distance - step) / variance**0.5)
    less = ndtr((distance + step) / variance**0.5)
    return one_sided(float(greater), float(less), alternative)


def _exact_p(signed: Floats, alternative: Alternative) -> float:
    """Sum the probabilities of all sums of ranks at least as far out as the observed one."""
    chances = signed_rank_distribution(np.abs(signed))
    plus = round(2 * float(signed[signed > 0].sum()))
    greater, less = float(chances[plus:].sum()), float(chances[: plus + 1].sum())
    return one_sided(min(greater, 1.0), min(less, 1.0), alternative)


def signed_rank_distribution(ranks: npt.ArrayLike) -> Floats:
    """Give the distribution of W+ when each rank is counted or not by a fair coin.

    Ranks are multiples of one half, so twice their sum is an integer and the distribution is
    a running convolution over the ranks.

    Parameters
    ----------
    ranks
        The ranks, ties as midranks; at most 1000 of them.

    Returns
    -------
    ndarray
        Element k is the probability that W+ is k / 2.

    Examples
    --------
    >>> signed_rank_distribution([1, 2]).tolist()
    [0.25, 0.0, 0.25, 0.0, 0.25, 0.0, 0.25]
    """
    doubled = np.rint(2 * vector(ranks, "ranks")).astype(np.int64)
    if len(doubled) > MOST_EXACT:
        raise InputError(
            f"{len(doubled)} differences are too many for the exact distribution",
            hint=f'up to {MOST_EXACT} will do; use method="normal"',
        )
    chances = np.zeros(int(doubled.sum()) + 1)
    chances[0] = 1.0
    reach = 0
    for rank in np.sort(doubled):
        reach += int(rank)
        chances[: reach + 1] /= 2
        chances[rank : reach + 1] += chances[: reach + 1 - rank].copy()
    return chances


def walsh_w_plus(differences: npt.ArrayLike) -> float:
    r"""Compute W+ as a sum over pairs of differences, without any ranking.

    .. math:: W^+ = \sum_i 1[Z_i>0] + \sum_{i<j} \left(1[Z_i+Z_j>0] + \tfrac12 1[Z_i+Z_j=0]\right)

    over the nonzero differences: appendix A's form, ties included. It shows that W estimates
    P(Z₁ + Z₂ > 0) and not P(Z > 0) (reading 21).

    Parameters
    ----------
    differences
        Differences; zeros are dropped.

    Examples
    --------
    >>> walsh_w_plus([1, 2, 4, 4, -4, 4, 6, 7, -10, 13, -14])
    41.5
    """
    z = vector(differences, "differences", least=0)
    z = z[z != 0]
    sums = np.add.outer(z, z)[np.triu_indices(len(z), 1)]
    return float(np.sum(z > 0) + np.sum(sums > 0) + np.sum(sums == 0) / 2)
