"""How many topics an evaluation needs, from the scores of a pilot."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.stats.counted import Counts, PairStatistic, counted_blocks
from pyramidion.stats.inputs import Rng, choice, count_of_resamples, generator, share
from pyramidion.stats.pairing import Indices, Pairs, pair_up

__all__ = ["RequiredTopics", "required_topics"]

PlannedTest = Literal["wilcoxon", "paired-t", "unpaired-t"]

STATISTICS: dict[PlannedTest, PairStatistic] = {
    "wilcoxon": "w",
    "paired-t": "t",
    "unpaired-t": "t-unpaired",
}


@dataclass(frozen=True, slots=True)
class RequiredTopics:
    """How many topics it takes; an element for each pair.

    Parameters
    ----------
    pairs
        Pairs x 2: the columns compared.
    pilot
        How many topics of the pilot the pair shares.
    difference
        The mean difference in the pilot, first less second.
    pilot_power
        The power with as many topics as the pilot's.
    topics
        The least number of topics with the wanted power; infinite when the largest number
        tried does not have it, NaN when the pair shares fewer than two topics.
    power, alpha, test
        As asked for.
    most
        The largest number of topics tried.

    Examples
    --------
    >>> scores = np.random.default_rng(0).normal(size=(20, 3)) + [0, 0.5, 1]
    >>> plan = required_topics(scores, n_resamples=200)
    >>> bool((plan.topics[1:2] < plan.median).all())
    True
    """

    pairs: Indices
    pilot: Ints
    difference: Floats
    pilot_power: Floats
    topics: Floats
    power: float
    alpha: float
    test: PlannedTest
    most: int

    @property
    def median(self) -> float:
        """Topics with which half of the pairs, or more, have the wanted power."""
        return self.for_share(0.5)

    @property
    def least_pair(self) -> float:
        """Topics with which every pair has the wanted power, the least different one too."""
        return self.for_share(1.0)

    def for_share(self, part: float) -> float:
        """Topics with which this share of the pairs, or more, has the wanted power.

        Pairs that share too few topics in the pilot are left out.
        """
        if not 0 < part <= 1:
            raise InputError(f"`part` is {part}", hint="give a share above 0, at most 1")
        known = np.sort(self.topics[~np.isnan(self.topics)])
        return float(known[int(np.ceil(part * len(known) - 1e-9)) - 1]) if len(known) else np.nan


def required_topics(
    scores: npt.ArrayLike,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    test: PlannedTest = "paired-t",
    pairs: npt.ArrayLike | None = None,
    most: int = 1000,
    n_resamples: int = 1000,
    rng: Rng | None = None,
) -> RequiredTopics:
    r"""Find how many topics are needed to tell the systems of a pilot apart.

    The pilot's topics stand for all topics: an evaluation of n topics is a draw of n of them
    with replacement, of the topics that both systems of a pair have a score on. The power is
    the share of draws in which the two-sided test finds the difference, with the sign that it
    has in the pilot; the least n with the wanted power is found by halving, for every pair.

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores.
    power
        The wanted power.
    alpha
        The level of a test. For many pairs divide by their number (Bonferroni).
    test
        ``"paired-t"``, which also stands for the permutation test of the mean difference;
        ``"wilcoxon"`` (normal approximation, zeros dropped, ties corrected); ``"unpaired-t"``.
    pairs
        Rows of two column numbers; all pairs unless given.
    most
        The largest number of topics to try.
    n_resamples
        How many draws for each number of topics; the power's standard error is at most
        :math:`1 / (2\sqrt{B})`.
    rng
        Generator or seed.

    Returns
    -------
    RequiredTopics
        For each pair; `median` and `least_pair` sum up.

    Notes
    -----
    The pilot's difference is taken as the true one. That of the pairs that look best is
    probably too large, and that of a small pilot is rough: treat the answer as a lower limit.

    Examples
    --------
    >>> scores = np.random.default_rng(1).normal(size=(25, 2)) + [0, 0.5]
    >>> plan = required_topics(scores)
    >>> plan.difference.round(2).tolist(), 20 < plan.median < 60
    ([-0.48], True)
    """
    choice(test, "test", PlannedTest)
    wanted = share(power, "power")
    if most < 3 or most != int(most):
        raise InputError(f"`most` is {most}", hint="give a whole number of 3 or more")
    study = _Study(
        pair_up(scores, pairs),
        test=test,
        alpha=share(alpha, "alpha"),
        most=most,
        n_resamples=n_resamples,
        rng=rng,
    )
    matched, topics = study.pairs, study.pairs.topics
    rows = np.flatnonzero(topics >= 2)
    needed, now = np.full((2, len(topics)), np.nan)
    for size in np.unique(topics[rows]):
        same = rows[topics[rows] == size]
        now[same] = study.power(int(size), same)
    reached = study.power(most, rows) >= wanted
    needed[rows[~reached]] = np.inf
    _halve(study, wanted, 1, most, rows[reached], needed)
    return RequiredTopics(
        pairs=matched.indices,
        pilot=topics,
        difference=_mean_differences(matched),
        pilot_power=now,
        topics=needed,
        power=wanted,
        alpha=alpha,
        test=test,
        most=int(most),
    )


def _mean_differences(pairs: Pairs) -> Floats:
    means = pairs.differences.sum(axis=1) / np.maximum(pairs.topics, 1)
    return np.where(pairs.topics > 0, means, np.nan)


def _halve(
    study: "_Study", wanted: float, low: int, high: int, rows: Indices, needed: Floats
) -> None:
    """Fill in the needed topics of pairs that have the power with `high`, not with `low`."""
    if not len(rows):
        return
    if high - low == 1:
        needed[rows] = high
        return
    middle = (low + high) // 2
    enough = study.power(middle, rows) >= wanted
    _halve(study, wanted, low, middle, rows[enough], needed)
    _halve(study, wanted, middle, high, rows[~enough], needed)


class _Study:
    """The pilot, and evaluations of any size drawn from it."""

    def __init__(
        self,
        pairs: Pairs,
        *,
        test: PlannedTest,
        alpha: float,
        most: int,
        n_resamples: int,
        rng: Rng | None,
    ) -> None:
        self.pairs = pairs
        self._test, self._alpha = test, alpha
        self._resamples = count_of_resamples(n_resamples)
        longest = max(most, len(pairs.scores))
        self._chance = generator(rng).random((longest, self._resamples))

    def power(self, size: int, rows: Indices) -> Floats:
        """Give the share of evaluations of this size that find the differences of the pairs."""
        found = np.zeros(len(self.pairs.indices))
        name = STATISTICS[self._test]
        cutoff = self._cutoff(size)
        for kept, members in self.pairs.patterns(rows):
            counts = self._counts(size, int(np.count_nonzero(kept)))
            for part, statistics in counted_blocks(
                self.pairs, members, kept, counts, (name,), standardized=True
            ):
                sign, drawn = np.sign(statistics[name][:, :1]), statistics[name][:, 1:]
                hits = np.where(sign > 0, drawn > cutoff, drawn < -cutoff) & (sign != 0)
                found[part] = hits.mean(axis=1)
        return found[rows]

    def _counts(self, size: int, topics: int) -> Counts:
        """Count the first draws of a sequence: a larger evaluation goes on from a smaller one.

        The pilot itself comes first, for the sign of its statistics.
        """
        topic = (self._chance[:size] * topics).astype(np.intp)
        place = topic * self._resamples + np.arange(self._resamples)
        drawn = np.bincount(place.ravel(), minlength=topics * self._resamples)
        counts = np.ones((topics, self._resamples + 1))
        counts[:, 1:] = drawn.reshape(topics, self._resamples)
        return Counts(counts, counts, size)

    def _cutoff(self, size: int) -> float:
        level = 1 - self._alpha / 2
        if self._test == "wilcoxon":
            return float(ndtri(level))
        freedom = size - 1 if self._test == "paired-t" else 2 * size - 2
        return float(stdtrit(freedom, level))
