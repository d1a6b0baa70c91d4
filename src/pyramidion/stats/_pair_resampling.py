"""Monte Carlo and hybrid bootstrap tests of all pairs at once."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints, Signs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._inputs import (
    Given,
    Rng,
    choice,
    count_of_resamples,
    generator,
    resampled_p,
    share,
)
from pyramidion.stats._pairs import (
    Indices,
    Mapper,
    Pairs,
    batches,
    blocks,
    checked_pairs,
    counting_type,
    keep_highest,
    pair_batches,
    quantile_place,
    reaches,
    shared_topics,
)
from pyramidion.stats._resampling import (
    Counts,
    Names,
    Numbers,
    PairStatistic,
    Statistics,
    chosen_signs,
    counted_blocks,
    given_swaps,
    signed_ranks,
    student,
)


def swap_blocks(
    pairs: Pairs, rows: Indices, signs: Numbers, names: Names, *, standardized: bool
) -> Iterator[tuple[Indices, Statistics]]:
    """Compute the statistics of all resamples, some pairs at a time.

    All three are functions of sums that are linear in the signs, so two products do.
    """
    columns: Numbers = signs.T.astype(_sign_type(names, signs.shape[1]), copy=False)
    for part in batches(rows, len(signs)):
        w = _RankSums(pairs, part, columns, standardized=standardized) if "w" in names else None
        if names != ("w",):
            z, n = pairs.differences[part], pairs.topics[part][:, None]
            total = z @ columns
            paired = n * np.sum(z**2, axis=1, keepdims=True)
            unpaired = 2 * n * _squares_about_mean(pairs, part)
        for block in blocks(len(part), len(signs)):
            found: Statistics = {}
            if w is not None:
                found["w"] = w.of(block)
            if "t" in names:
                found["t"] = student(total[block], paired[block], n[block] - 1)
            if "t-unpaired" in names:
                found["t-unpaired"] = student(total[block], unpaired[block], 2 * n[block] - 2)
            yield part[block], found


def _sign_type(names: Names, topics: int) -> type[np.floating[Any]]:
    """Choose single precision where only ranks are summed, and it is exact."""
    # Twice the ranks are whole numbers, and add up to n(n + 1).
    return counting_type(topics * (topics + 1)) if names == ("w",) else np.float64


class _RankSums:
    """Signed ranks of some pairs, summed for all signs."""

    def __init__(self, pairs: Pairs, rows: Indices, signs: Numbers, *, standardized: bool) -> None:
        doubled = signed_ranks(pairs.differences[rows], pairs.noise)
        doubled *= 2
        length = np.sqrt(np.einsum("pk,pk->p", doubled, doubled))[:, None]
        # Without ranks the sum is 0, and so is the result.
        self._scale = np.where(length > 0, length, 1.0) if standardized else np.full_like(length, 2)
        self._sums = doubled.astype(signs.dtype) @ signs

    def of(self, block: slice) -> Floats:
        return self._sums[block] / self._scale[block]


def _squares_about_mean(pairs: Pairs, rows: Indices) -> Floats:
    """Sum the squares of both systems' scores about their common mean."""
    both = pairs.scores.T[pairs.indices[rows]]
    kept = pairs.shared[rows][:, None]
    count = 2 * pairs.topics[rows][:, None, None]
    mean = np.sum(both, axis=(1, 2), keepdims=True, where=kept) / count
    squares: Floats = np.sum((both - mean) ** 2, axis=(1, 2), where=kept)[:, None]
    return squares


class Draws:
    """As many draws of a topic, with a swap or not, as there are topics; for each resample.

    A pair that shares n topics takes the first n draws that hit its topics, and draws of its
    own where these are too few. That is a sample of its topics with replacement, and pairs have
    most draws in common: the maximum over all pairs is one of statistics that vary together.
    """

    def __init__(self, topics: Indices, swaps: Signs, seed: int = 0) -> None:
        self._topics, self._swaps, self._seed = topics, swaps, seed

    @property
    def n_resamples(self) -> int:
        """How many resamples there are."""
        return len(self._topics)

    def first(self, resamples: int) -> "Draws":
        """Keep the first resamples only."""
        return Draws(self._topics[:resamples], self._swaps[:resamples], self._seed)

    def part(self, start: int, stop: int, number: int) -> "Draws":
        """Keep some resamples; what pairs draw of their own differs from part to part."""
        seed = (self._seed + number * 0x9E3779B97F4A7C15) % (1 << 62)
        return Draws(self._topics[start:stop], self._swaps[start:stop], seed)

    def counts(self, kept: Bools) -> Counts:
        """Count the draws of the topics kept; the data as they are come first."""
        size = int(np.count_nonzero(kept))
        hit = kept[self._topics]
        used = hit & (np.cumsum(hit, axis=1) <= size)
        resample, own, swaps = self._own_draws(kept, size - np.count_nonzero(used, axis=1))
        resample = np.concatenate([np.nonzero(used)[0], resample])
        topic = np.concatenate([self._topics[used], own])
        swapped = np.concatenate([self._swaps[used], swaps])
        shape = (self.n_resamples + 1, len(kept))
        place = (resample + 1) * len(kept) + topic
        drawn = np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape).T[kept]
        turned = np.bincount(place, swapped, shape[0] * shape[1]).reshape(shape).T[kept]
        drawn[:, 0] = 1
        counts = drawn.astype(np.float64)
        return Counts(counts, counts - 2 * turned, size)

    def _own_draws(self, kept: Bools, lacking: Ints) -> tuple[Indices, Indices, Signs]:
        """Draw what a pair lacks; the same whichever pairs came before."""
        chance = np.random.default_rng([self._seed, *np.packbits(kept).tolist()])
        resample = np.repeat(np.arange(self.n_resamples), lacking)
        topics = chance.choice(np.flatnonzero(kept), len(resample))
        return resample, topics, chance.integers(0, 2, len(resample), np.int8)


def random_draws(topics: int, n_resamples: int, rng: Rng | None) -> Draws:
    """Draw topics and swaps."""
    chance, shape = generator(rng), (count_of_resamples(n_resamples), topics)
    drawn = chance.integers(0, topics, shape, np.intp)
    return Draws(drawn, chance.integers(0, 2, shape, np.int8), int(chance.integers(1 << 62)))


def given_draws(indices: npt.ArrayLike, swaps: npt.ArrayLike, topics: int) -> Draws:
    """Make draws of given topics (numbered from 0) and swaps, a row for each resample."""
    array = np.asarray(indices)
    if array.ndim != 2 or array.shape[1] != topics or not np.issubdtype(array.dtype, np.integer):
        raise ShapeError(
            f"`indices` has the shape {array.shape}", hint=f"give rows of {topics} topic numbers"
        )
    if array.size and (array.min() < 0 or array.max() >= topics):
        raise InputError("`indices` has a topic that is not there", hint="topics count from 0")
    swapped = given_swaps(swaps, topics)
    if len(swapped) != len(array):
        raise ShapeError(f"`swaps` has {len(swapped)} rows and `indices` {len(array)}")
    return Draws(array.astype(np.intp), swapped)


def hybrid_blocks(
    pairs: Pairs, rows: Indices, draws: Draws, names: Names, *, standardized: bool
) -> Iterator[tuple[Indices, Statistics]]:
    """Compute the statistics of all resamples, some pairs at a time."""
    for kept, members in pairs.patterns(rows):
        counts = draws.counts(kept)
        yield from counted_blocks(pairs, members, kept, counts, names, standardized=standardized)


Method = Literal["mc", "hb"]

#: Values of a pair, the observed one and resamples, that are counted together.
_TOGETHER = 10_000

ALL_STATISTICS: Names = ("w", "t", "t-unpaired")


@dataclass(frozen=True, slots=True)
class ResampledStatistic:
    """One statistic of all pairs beside its resamples; an element for each pair."""

    statistic: Floats
    p: Floats
    cutoff: Floats
    p_max_t: Floats
    cutoff_max_t: float
    p_step_down: Floats


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
        Whether W is standardized.
    confidence_level
        Of the cutoffs.
    n_resamples
        How many resamples there were.
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
    statistics: Names = ALL_STATISTICS,
    standardized: bool = True,
    pairs: npt.ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    swaps: npt.ArrayLike | None = None,
    indices: npt.ArrayLike | None = None,
    cutoffs: bool = True,
    step_down: bool = False,
    observed: npt.ArrayLike | None = None,
    rng: Rng | None = None,
    mapper: Mapper = map,
) -> ResampledPairs:
    r"""Test every pair of systems against resamples in which neither is better.

    MC swaps the two scores of each topic by a fair coin. HB first draws as many topics with
    replacement as the pair shares, then swaps. Resamples are shared by all pairs. The
    statistics, with differences :math:`Z_k = X_k - Y_k` over the n topics that both share:

    - ``"w"``: :math:`\sum_k \mathrm{sgn}(Z_k) R_k`, with midranks :math:`R_k` of the nonzero
      absolute differences; standardized: divided by :math:`\sqrt{\sum R_k^2}`;
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
        standardized W is the default, the raw W what chapter 4 has), and for max-T. MC
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
    cutoffs
        Whether the cutoffs of the pairs are wanted; they are NaN otherwise.
    step_down
        Whether the step-down max-T of Westfall and Young is wanted too; its p-values are NaN
        otherwise.
    observed
        For step-down, the observed values of the one statistic where they are known: all that is
        looked at is their order.
    rng
        Generator or seed.
    mapper
        Works on parts of the resamples as `map` does, perhaps elsewhere; the result is the same.
        Cutoffs need all resamples together.

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
    array, rows = checked_pairs(scores, pairs)
    topics = shared_topics(array, rows)
    if method == "mc":
        if indices is not None:
            raise InputError("`indices` are given", hint='they need method="hb"')
        drawn: Signs | Draws = chosen_signs(swaps, n_resamples, len(array), rng)
    else:
        complete = bool((topics == len(array)).all())
        drawn = _chosen_draws(len(array), complete, swaps, indices, n_resamples, rng)
    resampled = _Resampled(array, rows, np.flatnonzero(topics >= 2), drawn, standardized)
    resamples = resampled.width - 1
    _require_enough(resamples, share(confidence_level, "confidence_level"))
    known = None if observed is None else np.asarray(observed)
    count = partial(_tallied, statistics, confidence_level, cutoffs, step_down, known)
    parts = mapper(count, [resampled] if cutoffs else resampled.parts())
    tests = {name: tally.result() for name, tally in reduce(_added, parts).items()}
    return ResampledPairs(rows, topics, tests, method, standardized, confidence_level, resamples)


def _tallied(
    statistics: Names,
    level: float,
    cutoffs: bool,
    step_down: bool,
    observed: Floats | None,
    resampled: "_Resampled",
) -> "Tallies":
    """Count what comes of some resamples."""
    pairs, resamples = len(resampled.pairs), resampled.width - 1
    tallies = {name: Tally(pairs, resamples, level, cutoffs, step_down) for name in statistics}
    if step_down:
        resampled.tally_sorted(tallies, observed)
    else:
        resampled.tally(tallies)
    return tallies


def _added(first: "Tallies", more: "Tallies") -> "Tallies":
    for name, own in more.items():
        first[name].add_resamples(own)
    return first


def _require_enough(resamples: int, level: float) -> None:
    least = math.ceil(1 / (1 - level) - 1e-9) - 1
    if resamples < least:
        what = f"{resamples} resamples cannot show significance at {1 - level:.6g}"
        raise InputError(what, hint=f"use {least} or more")


def _chosen_draws(
    topics: int, complete: bool, swaps: Given, indices: Given, n_resamples: int, rng: Rng | None
) -> Draws:
    if swaps is None and indices is None:
        return random_draws(topics, n_resamples, rng)
    if swaps is None or indices is None:
        raise InputError(
            "only one of `swaps` and `indices` is given", hint='method="hb" needs both or none'
        )
    if not complete:
        raise InputError(
            "`indices` are given and scores are missing", hint="give complete scores or no indices"
        )
    return given_draws(indices, swaps, topics)


@dataclass(frozen=True, slots=True)
class _Resampled:
    """Pairs of columns and what is drawn for them; a batch of pairs is held at a time."""

    scores: Floats
    pairs: Indices
    rows: Indices
    drawn: Signs | Draws
    standardized: bool

    @property
    def width(self) -> int:
        """How many values come of a pair: the observed one, then the resamples."""
        drawn = self.drawn
        return drawn.n_resamples + 1 if isinstance(drawn, Draws) else len(drawn)

    def parts(self) -> Iterator["_Resampled"]:
        """Cut the resamples into parts that fit the memory; each has the data as they are."""
        size = _TOGETHER - 1
        for number, start in enumerate(range(0, self.width - 1, size)):
            stop = min(start + size, self.width - 1)
            if isinstance(self.drawn, Draws):
                yield replace(self, drawn=self.drawn.part(start, stop, number))
            else:
                some = np.r_[0, start + 1 : stop + 1] if start else slice(stop + 1)
                yield replace(self, drawn=self.drawn[some])

    def tally(self, tallies: Mapping[PairStatistic, "Tally"]) -> None:
        """Count all statistics of all pairs."""
        for part, found in self._batches(self.rows, self.drawn, tuple(tallies)):
            for rows, statistics in found:
                for name, values in statistics.items():
                    tallies[name].add(part[rows], values)

    def tally_sorted(
        self, tallies: Mapping[PairStatistic, "Tally"], observed: Floats | None
    ) -> None:
        """Count one statistic after the other, from the smallest observed value to the largest."""
        for name, tally in tallies.items():
            sizes = self._observed(name) if observed is None else np.abs(observed)
            order = self.rows[np.argsort(sizes[self.rows], kind="stable")]
            for part, found in self._batches(order, self.drawn, (name,)):
                for rows, values in self._sorted_again(found, name, len(part)):
                    tally.add(part[rows], values)

    def _sorted_again(
        self, found: Iterator[tuple[Indices, Statistics]], name: PairStatistic, pairs: int
    ) -> Iterator[tuple[Indices, Floats]]:
        """Undo that pairs with the same topics are drawn for together."""
        if not isinstance(self.drawn, Draws):
            yield from ((rows, statistics[name]) for rows, statistics in found)
            return
        held = np.empty((pairs, self.width))
        for rows, statistics in found:
            held[rows] = statistics[name]
        for block in blocks(*held.shape):
            yield np.arange(pairs)[block], held[block]

    def _observed(self, name: PairStatistic) -> Floats:
        """Return the absolute values of a statistic without resampling."""
        none = self.drawn.first(0) if isinstance(self.drawn, Draws) else self.drawn[:1]
        sizes = np.zeros(len(self.pairs))
        for part, found in self._batches(self.rows, none, (name,)):
            for rows, statistics in found:
                sizes[part[rows]] = np.abs(statistics[name][:, 0])
        return sizes

    def _batches(
        self, order: Indices, drawn: Signs | Draws, names: Names
    ) -> Iterator[tuple[Indices, Iterator[tuple[Indices, Statistics]]]]:
        """Return pairs, as many as fit the memory, and the statistics of some after the other."""
        source: Numbers | Draws = drawn
        if not isinstance(drawn, Draws):
            source = drawn.astype(_sign_type(names, len(self.scores)))
        for part, pairs in pair_batches(self.scores, self.pairs, order, self.width):
            every = np.arange(len(part))
            if isinstance(source, Draws):
                found = hybrid_blocks(pairs, every, source, names, standardized=self.standardized)
            else:
                found = swap_blocks(pairs, every, source, names, standardized=self.standardized)
            yield part, found


class Tally:
    """Counts, cutoffs and maxima, gathered from blocks of pairs.

    For step-down, pairs come from the smallest observed value to the largest.
    """

    def __init__(
        self, pairs: int, resamples: int, level: float, cutoffs: bool = True, steps: bool = False
    ) -> None:
        self._statistic, self._extreme, self._cutoff, self._steps_down = np.full((4, pairs), np.nan)
        self._maxima = np.zeros(resamples)
        self._level, self._place = level, quantile_place(resamples, level)
        self._cutoffs, self._steps = cutoffs, steps
        self._order: list[Indices] = []

    def add(self, rows: Indices, values: Floats) -> None:
        """Take in the signed values of some pairs: the observed one, then the resamples."""
        self._statistic[rows] = values[:, 0]
        null, threshold = np.abs(values[:, 1:]), reaches(values[:, :1])
        self._extreme[rows] = np.count_nonzero(null >= threshold, axis=1)
        if self._cutoffs:
            self._cutoff[rows] = np.partition(null, self._place, axis=1)[:, self._place]
        if self._steps:
            self._order.append(rows)
            np.maximum(null[0], self._maxima, out=null[0])
            keep_highest(null)
            self._steps_down[rows] = np.count_nonzero(null >= threshold, axis=1)
        np.maximum(self._maxima, null.max(axis=0, initial=0.0), out=self._maxima)

    def add_resamples(self, other: "Tally") -> None:
        """Take in what comes of other resamples of the same pairs."""
        self._extreme += other._extreme
        self._steps_down += other._steps_down
        self._maxima = np.concatenate([self._maxima, other._maxima])

    def result(self) -> ResampledStatistic:
        """Return what was gathered."""
        maxima = np.sort(self._maxima)
        place = quantile_place(len(maxima), self._level)
        extreme = len(maxima) - np.searchsorted(maxima, reaches(self._statistic))
        p = np.where(np.isnan(self._statistic), np.nan, resampled_p(extreme, len(maxima)))
        if self._order:
            falling = np.concatenate(self._order)[::-1]
            self._steps_down[falling] = np.maximum.accumulate(self._steps_down[falling])
        own, steps = (resampled_p(one, len(maxima)) for one in (self._extreme, self._steps_down))
        return ResampledStatistic(
            self._statistic, own, self._cutoff, p, float(maxima[place]), steps
        )


#: What was counted of each statistic.
Tallies = dict[PairStatistic, Tally]
