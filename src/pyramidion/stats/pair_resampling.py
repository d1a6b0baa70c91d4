"""Resampling tests of all pairs of systems at once: Monte Carlo (MC) and hybrid bootstrap (HB)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.stats.counted import PairStatistic
from pyramidion.stats.hybrid import Draws, given_draws, hybrid_blocks, random_draws
from pyramidion.stats.inputs import Rng, choice, resampled_p, share
from pyramidion.stats.monte_carlo import swap_blocks
from pyramidion.stats.pairing import Indices, Pairs, pair_up, quantile_place, reaches
from pyramidion.stats.swaps import chosen_signs

__all__ = ["ResampledPairs", "ResampledStatistic", "resample_pairs"]

Method = Literal["mc", "hb"]

ALL_STATISTICS: tuple[PairStatistic, ...] = ("w", "t", "t-unpaired")


@dataclass(frozen=True, slots=True)
class ResampledStatistic:
    """One statistic of all pairs beside its resamples; an element for each pair.

    Parameters
    ----------
    statistic
        The observed value, positive where the first system has the higher scores.
    p
        Two-sided p-values, ``(b + 1) / (B + 1)`` with b resamples at least as extreme.
    cutoff
        The ⌈B q⌉-th smallest absolute resampled value, q the confidence level; a pair is
        significant when its absolute statistic is *above* it.
    p_max_t
        p-values that hold for all pairs together: the largest absolute value over the pairs of
        each resample is what counts (single-step max-T of Westfall and Young).
    cutoff_max_t
        The cutoff that goes with them.

    Examples
    --------
    >>> scores = np.random.default_rng(0).normal(size=(20, 3)) + [0, 0, 2]
    >>> found = resample_pairs(scores, n_resamples=999).tests["t"]
    >>> (found.p_max_t < 0.05).tolist()
    [False, True, True]
    """

    statistic: Floats
    p: Floats
    cutoff: Floats
    p_max_t: Floats
    cutoff_max_t: float


@dataclass(frozen=True, slots=True)
class ResampledPairs:
    """What `resample_pairs` found.

    Parameters
    ----------
    pairs
        Pairs x 2: the columns compared.
    topics
        How many topics each pair shares. With fewer than two nothing can be said: the
        statistics, p-values and cutoffs of such a pair are NaN.
    tests
        For each statistic, what came of it.
    method
        ``"mc"`` or ``"hb"``.
    standardized
        Whether W is standardised.
    confidence_level
        Of the cutoffs.
    n_resamples
        How many resamples there were.

    Examples
    --------
    >>> resample_pairs([[1, 2], [4, 3], [5, 1]], n_resamples=19).topics.tolist()
    [3]
    """

    pairs: Indices
    topics: Ints
    tests: Mapping[PairStatistic, ResampledStatistic]
    method: Method
    standardized: bool
    confidence_level: float
    n_resamples: int


def resample_pairs(
    scores: npt.ArrayLike,
    *,
    method: Method = "mc",
    statistics: tuple[PairStatistic, ...] = ALL_STATISTICS,
    standardized: bool = True,
    pairs: npt.ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    swaps: npt.ArrayLike | None = None,
    indices: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> ResampledPairs:
    r"""Test every pair of systems against resamples in which neither is better.

    MC swaps the two scores of each topic by a fair coin. HB first draws as many topics with
    replacement as the pair shares, then swaps. Resamples are shared by all pairs. The
    statistics, with differences :math:`Z_k = X_k - Y_k` over the n topics that both share:

    - ``"w"``: :math:`\sum_k \mathrm{sgn}(Z_k) R_k`, with midranks :math:`R_k` of the nonzero
      absolute differences; standardised: divided by :math:`\sqrt{\sum R_k^2}`;
    - ``"t"``: paired, :math:`\bar Z \sqrt{n} / s_Z`;
    - ``"t-unpaired"``: with pooled variance, which with equal n has the value of Welch's.

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores. A pair is compared on the topics that both
        systems have a score on.
    method
        ``"mc"`` or ``"hb"``.
    statistics
        Which of the three.
    standardized
        Whether W is divided by its standard deviation. It makes a difference for HB, where the
        number of nonzero differences changes from resample to resample (reading 18: the
        standardised W is the default, the raw W what chapter 4 has), and for max-T. MC
        p-values stay the same.
    pairs
        Rows of two column numbers; all pairs unless given.
    confidence_level
        Of the cutoffs.
    n_resamples
        How many resamples.
    swaps
        Resamples x topics of 0 and 1: the swaps, instead of chance. For HB they go with the
        *draws*, not with the topics, and `indices` are needed too.
    indices
        For HB: resamples x topics, which topic is drawn (from 0). Needs complete scores.
    rng
        Generator or seed.

    Returns
    -------
    ResampledPairs
        p-values, cutoffs and max-T p-values of each statistic.

    Notes
    -----
    Resampled values count as extreme when they are at least the observed value, less a
    billionth for rounding. Cutoffs are inverse empirical quantiles, to be exceeded (reading
    17). A statistic of identical systems is 0, its p-value 1; a t statistic without variance
    is infinite.

    MC cannot tell the paired from the unpaired T: both rise with the mean difference alone, so
    that their p-values are equal (reading 9). HB can.

    With missing scores there is one set of HB resamples for each set of shared topics; the sets
    have as many draws in common as they can. A pair with very few topics often has an infinite
    t and then rules max-T; leave it out with `pairs`.

    References
    ----------
    .. [1] P. Bickel, J.-J. Ren, "The bootstrap in hypothesis testing", IMS Lecture Notes 36,
       2001.
    .. [2] P. H. Westfall, S. S. Young, "Resampling-based multiple testing", Wiley, 1993.

    Examples
    --------
    >>> scores = [[3, 2, 5], [4, 1, 5], [4, 5, 4], [2, 2, 3], [3, 4, 5], [2, 3, 5], [1, 1, 4],
    ...           [2, 1, 5]]
    >>> found = resample_pairs(scores, n_resamples=999, rng=7)
    >>> found.pairs.tolist()
    [[0, 1], [0, 2], [1, 2]]
    >>> found.tests["t"].statistic.round(2).tolist()
    [0.51, -4.71, -3.48]
    >>> found.tests["w"].p.round(2).tolist()
    [1.0, 0.02, 0.04]
    """
    choice(method, "method", Method)
    for name in statistics:
        choice(name, "statistics", PairStatistic)
    matched = pair_up(scores, pairs)
    rows = np.flatnonzero(matched.topics >= 2)
    if method == "mc":
        if indices is not None:
            raise InputError("`indices` are given", hint='they need method="hb"')
        signs = chosen_signs(swaps, n_resamples, len(matched.scores), rng)
        resamples = len(signs) - 1
        blocks = swap_blocks(matched, rows, signs, statistics, standardized=standardized)
    else:
        draws = _chosen_draws(matched, swaps, indices, n_resamples, rng)
        resamples = draws.n_resamples
        blocks = hybrid_blocks(matched, rows, draws, statistics, standardized=standardized)
    _require_enough(resamples, share(confidence_level, "confidence_level"))
    tallies = {
        name: Tally(len(matched.indices), resamples, confidence_level) for name in statistics
    }
    for part, found in blocks:
        for name, values in found.items():
            tallies[name].add(part, values)
    return ResampledPairs(
        pairs=matched.indices,
        topics=matched.topics,
        tests={name: tally.result() for name, tally in tallies.items()},
        method=method,
        standardized=standardized,
        confidence_level=confidence_level,
        n_resamples=resamples,
    )


def _require_enough(resamples: int, level: float) -> None:
    least = math.ceil(1 / (1 - level) - 1e-9) - 1
    if resamples < least:
        raise InputError(
            f"{resamples} resamples cannot show significance at {1 - level:.6g}",
            hint=f"use {least} or more",
        )


def _chosen_draws(
    pairs: Pairs,
    swaps: npt.ArrayLike | None,
    indices: npt.ArrayLike | None,
    n_resamples: int,
    rng: Rng | None,
) -> Draws:
    topics = len(pairs.scores)
    if swaps is None and indices is None:
        return random_draws(topics, n_resamples, rng)
    if swaps is None or indices is None:
        raise InputError(
            "only one of `swaps` and `indices` is given", hint='method="hb" needs both or none'
        )
    if not pairs.shared.all():
        raise InputError(
            "`indices` are given and scores are missing", hint="give complete scores or no indices"
        )
    return given_draws(indices, swaps, topics)


class Tally:
    """Counts, cutoffs and maxima, gathered from blocks of pairs.

    Parameters
    ----------
    pairs, resamples
        How many of each.
    level
        Of the cutoffs.

    Examples
    --------
    >>> tally = Tally(1, 4, 0.75)
    >>> tally.add(np.array([0]), np.array([[-2.0, 1.0, 3.0, -2.0, 0.0]]))
    >>> result = tally.result()
    >>> result.p.tolist(), result.cutoff.tolist()
    ([0.6], [2.0])
    """

    def __init__(self, pairs: int, resamples: int, level: float) -> None:
        self._statistic, self._p, self._cutoff = np.full((3, pairs), np.nan)
        self._maxima = np.zeros(resamples)
        self._place = quantile_place(resamples, level)

    def add(self, rows: Indices, values: Floats) -> None:
        """Take in the signed values of some pairs: the observed one, then the resamples."""
        self._statistic[rows] = values[:, 0]
        null = np.abs(values[:, 1:])
        extreme = np.count_nonzero(null >= reaches(values[:, :1]), axis=1)
        self._p[rows] = resampled_p(extreme, null.shape[1])
        np.maximum(self._maxima, null.max(axis=0, initial=0.0), out=self._maxima)
        null.partition(self._place, axis=1)
        self._cutoff[rows] = null[:, self._place]

    def result(self) -> ResampledStatistic:
        """Give what was gathered."""
        maxima = np.sort(self._maxima)
        extreme = len(maxima) - np.searchsorted(maxima, reaches(self._statistic))
        p = np.where(np.isnan(self._statistic), np.nan, resampled_p(extreme, len(maxima)))
        return ResampledStatistic(
            self._statistic, self._p, self._cutoff, p, float(maxima[self._place])
        )
