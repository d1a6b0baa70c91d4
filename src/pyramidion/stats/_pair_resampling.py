"""Monte Carlo and hybrid bootstrap tests of all pairs at once."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints, Signs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._resampling import (
    checked_swaps,
    chosen_signs,
    signed_ranks,
    snap_differences,
    studentize,
)
from pyramidion.stats.bootstrap import checked_indices
from pyramidion.stats.inputs import (
    Rng,
    check_choice,
    count_of_resamples,
    generator,
    resampled_p,
    share,
)
from pyramidion.stats.pairs import (
    BATCH_SIZE,
    Indices,
    Mapper,
    Pairs,
    accumulate_maxima,
    blocks,
    checked_pairs,
    counting_type,
    pair_blocks,
    quantile_index,
    shared_topics,
    tie_threshold,
)

#: W, paired T, unpaired T with pooled variance.
PairStatistic = Literal["w", "t", "t-unpaired"]
StatisticNames = tuple[PairStatistic, ...]

#: Pairs x (the data, then the resamples) for each statistic.
Statistics = dict[PairStatistic, Floats]

#: Floats of single or double precision.
FloatArray = npt.NDArray[Any]

#: Up to 232 draws, sums of ranks and of their squares times four are below 2²⁴, so they are exact
#: in single precision, which is twice as fast.
MAX_SINGLE_PRECISION_DRAWS = 232


@dataclass(frozen=True, slots=True)
class Swaps:
    """Signs of topics, one row per resample; the first row is the data, all 1."""

    signs: Signs

    @property
    def n_resamples(self) -> int:
        """The number of resamples."""
        return len(self.signs) - 1

    def part(self, start: int, stop: int, _: int) -> "Swaps":
        """Return the data and some of the resamples."""
        return Swaps(self.signs[np.r_[0, start + 1 : stop + 1]])

    def statistics(
        self, pairs: Pairs, names: StatisticNames, *, is_standardized: bool
    ) -> Iterator[tuple[slice, Statistics]]:
        """Compute the statistics of all resamples, one block of pairs at a time.

        All three are functions of sums that are linear in the signs, so two products suffice.
        """
        resamples, topics = self.signs.shape
        # Doubled ranks are whole numbers that add up to n(n + 1).
        number_type = counting_type(topics * (topics + 1)) if names == ("w",) else np.float64
        signs: FloatArray = self.signs.T.astype(number_type)
        if "w" in names:
            doubled_ranks = 2 * signed_ranks(pairs.differences, pairs.noise)
            rank_norms = np.sqrt(np.einsum("pk,pk->p", doubled_ranks, doubled_ranks))[:, None]
            # Without ranks, both the sum and the statistic are 0.
            scales = (
                np.where(rank_norms > 0, rank_norms, 1.0)
                if is_standardized
                else np.full_like(rank_norms, 2)
            )
            sums = doubled_ranks.astype(number_type) @ signs
        if names != ("w",):
            z, n = pairs.differences, pairs.topics[:, None]
            totals = z @ signs
            paired_variances = n * np.sum(z**2, axis=1, keepdims=True)
            unpaired_variances = 2 * n * _squares_about_mean(pairs)
        for block in blocks(len(pairs.indices), resamples):
            block_statistics: Statistics = {}
            if "w" in names:
                block_statistics["w"] = sums[block] / scales[block]
            if "t" in names:
                block_statistics["t"] = studentize(
                    totals[block], paired_variances[block], n[block] - 1
                )
            if "t-unpaired" in names:
                block_statistics["t-unpaired"] = studentize(
                    totals[block], unpaired_variances[block], 2 * n[block] - 2
                )
            yield block, block_statistics


def _squares_about_mean(pairs: Pairs) -> Floats:
    """Sum the squared deviations of both systems' scores from their common mean."""
    scores, has_both = pairs.scores.T[pairs.indices], pairs.shared[:, None]
    mean = np.sum(scores, axis=(1, 2), keepdims=True, where=has_both)
    mean = mean / (2 * pairs.topics[:, None, None])
    return np.asarray(np.sum((scores - mean) ** 2, axis=(1, 2), where=has_both)[:, None])


@dataclass(frozen=True, slots=True)
class Draws:
    """Draws of topics with replacement, each swapped or not: one row per resample.

    A pair that shares n topics uses the first n draws of its topics, and extra draws of its own
    if these are too few. That is a sample of its topics with replacement, and pairs have most
    draws in common, which preserves the joint distribution for max-T.
    """

    topics: Indices
    swaps: Signs
    seed: int = 0

    @property
    def n_resamples(self) -> int:
        """The number of resamples."""
        return len(self.topics)

    def part(self, start: int, stop: int, number: int) -> "Draws":
        """Return some of the resamples; pairs' extra draws differ from part to part."""
        seed = (self.seed + number * 0x9E3779B97F4A7C15) % (1 << 62)
        return Draws(self.topics[start:stop], self.swaps[start:stop], seed)

    def counts(self, has_both: Bools) -> tuple[Floats, Floats]:
        """Count the draws of the shared topics, and sum their signs: topics x resamples.

        The first column is the data.
        """
        n_shared = int(np.count_nonzero(has_both))
        is_shared = has_both[self.topics]
        is_drawn = is_shared & (np.cumsum(is_shared, axis=1) <= n_shared)
        # Extra draws must not depend on the pairs that came before.
        random_generator = np.random.default_rng([self.seed, *np.packbits(has_both).tolist()])
        missing_rows = np.repeat(
            np.arange(self.n_resamples), n_shared - np.count_nonzero(is_drawn, axis=1)
        )
        extra_topics = random_generator.choice(np.flatnonzero(has_both), len(missing_rows))
        extra_swaps = random_generator.integers(0, 2, len(missing_rows), np.int8)
        resample_rows = np.concatenate([np.nonzero(is_drawn)[0], missing_rows])
        cell_codes = (resample_rows + 1) * len(has_both) + np.concatenate(
            [self.topics[is_drawn], extra_topics]
        )
        shape = (self.n_resamples + 1, len(has_both))
        n_cells = shape[0] * shape[1]
        swap_counts = np.bincount(
            cell_codes, np.concatenate([self.swaps[is_drawn], extra_swaps]), n_cells
        )
        counts = (
            np.bincount(cell_codes, minlength=n_cells).reshape(shape).T[has_both].astype(np.float64)
        )
        counts[:, 0] = 1
        return counts, counts - 2 * swap_counts.reshape(shape).T[has_both]

    def statistics(
        self, pairs: Pairs, names: StatisticNames, *, is_standardized: bool
    ) -> Iterator[tuple[Indices, Statistics]]:
        """Compute the statistics of all resamples, by blocks of pairs with the same topics.

        Sums over draws are products with the counts of draws.
        """
        for has_both, rows in pairs.patterns():
            counts, signed_counts = self.counts(has_both)
            n, z = len(counts), pairs.differences[rows][:, has_both]
            difference_sums, squares = z @ signed_counts, z**2 @ counts
            if "w" in names:
                w = _rank_sums(
                    snap_differences(z, pairs.noise),
                    counts,
                    signed_counts,
                    is_standardized=is_standardized,
                )
            if "t-unpaired" in names:
                systems, system_codes = np.unique(pairs.indices[rows], return_inverse=True)
                scores = pairs.scores[np.ix_(has_both, systems)].T
                scores = scores - scores.mean()
                sums, square_sums = scores @ counts, scores**2 @ counts
                first, second = system_codes.reshape(-1, 2).T
            for block in blocks(*difference_sums.shape):
                block_statistics: Statistics = {}
                if "w" in names:
                    block_statistics["w"] = w[block]
                if "t" in names:
                    block_statistics["t"] = studentize(
                        difference_sums[block], n * squares[block], n - 1
                    )
                if "t-unpaired" in names:
                    a, b = first[block], second[block]
                    totals = sums[a] + sums[b]
                    squares_about_mean = (
                        totals * totals / (-2 * n) + square_sums[a] + square_sums[b]
                    )
                    block_statistics["t-unpaired"] = studentize(
                        difference_sums[block], 2 * n * squares_about_mean, 2 * n - 2
                    )
                yield rows[block], block_statistics


def _rank_sums(
    differences: Floats, counts: Floats, signed_counts: Floats, *, is_standardized: bool
) -> Floats:
    """Sum the signed midranks of each resample, pair by pair."""
    number_type = np.float32 if len(counts) <= MAX_SINGLE_PRECISION_DRAWS else np.float64
    typed_counts: FloatArray = counts.astype(number_type)
    typed_signed_counts: FloatArray = signed_counts.astype(number_type)
    signs = np.sign(differences).astype(number_type)[..., None]
    sums = np.empty((len(differences), typed_counts.shape[1]))
    for row, row_ranks in enumerate(_doubled_ranks(np.abs(differences), typed_counts)):
        ranks = np.multiply(row_ranks, signs[row], out=row_ranks)
        sums[row] = np.einsum("kb,kb->b", typed_signed_counts, ranks)
        if is_standardized:
            variance = np.einsum("kb,kb,kb->b", typed_counts, ranks, ranks)
            # Without ranks, both the sum and the statistic are 0.
            sums[row] /= np.sqrt(np.maximum(variance, 1), dtype=np.float64)
    return sums if is_standardized else sums / 2


def _doubled_ranks(sizes: Floats, counts: FloatArray) -> Iterator[FloatArray]:
    """Yield for each row the doubled midranks of the topics within each resample.

    The rank of a topic follows from the number of draws below it: a running sum of the counts in
    the order of the absolute differences. The values for zeros are meaningless.
    """
    n_zeros = np.count_nonzero(sizes == 0, axis=1)
    order = np.argsort(sizes, axis=1)
    from scipy.stats import rankdata

    n_below = np.maximum(rankdata(sizes, "min", axis=1).astype(np.intp) - 1 - n_zeros[:, None], 0)
    n_up_to = np.maximum(rankdata(sizes, "max", axis=1).astype(np.intp) - n_zeros[:, None], 0)
    running_counts = np.empty((len(counts) + 1, counts.shape[1]), counts.dtype)
    # A midrank is half a draw above the middle of its group of ties.
    running_counts[0] = 0.5
    ranks, upper_ranks = np.empty_like(counts), np.empty_like(counts)
    steps, draws = list(running_counts), list(counts)
    for row, start in enumerate(n_zeros):
        for step, topic in enumerate(order[row, start:].tolist()):
            np.add(steps[step], draws[topic], steps[step + 1])
        np.take(running_counts, n_below[row], axis=0, out=ranks, mode="clip")
        ranks += np.take(running_counts, n_up_to[row], axis=0, out=upper_ranks, mode="clip")
        yield ranks


def random_draws(topics: int, n_resamples: int, rng: Rng | None) -> Draws:
    """Draw topics and swaps."""
    random_generator, shape = generator(rng), (count_of_resamples(n_resamples), topics)
    indices = random_generator.integers(0, topics, shape, np.intp)
    return Draws(
        indices,
        random_generator.integers(0, 2, shape, np.int8),
        int(random_generator.integers(1 << 62)),
    )


def explicit_draws(indices: npt.ArrayLike, swaps: npt.ArrayLike, topics: int) -> Draws:
    """Check explicit draws of topics (numbered from 0) and swaps, one row per resample."""
    rows, swap_rows = checked_indices(indices, topics, 0, None), checked_swaps(swaps, topics)
    if len(swap_rows) != len(rows):
        raise ShapeError(f"`swaps` has {len(swap_rows)} rows and `indices` {len(rows)}")
    return Draws(rows, swap_rows)


Method = Literal["mc", "hb"]

#: Values of a pair, the observed one and resamples, that are processed together.
_BLOCK_VALUES = 10_000

ALL_STATISTICS: StatisticNames = ("w", "t", "t-unpaired")


@dataclass(frozen=True, slots=True)
class ResampledStatistic:
    """One statistic compared with its resamples; one element per pair."""

    statistic: Floats
    p: Floats
    cutoff: Floats
    p_max_t: Floats
    cutoff_max_t: float
    p_step_down: Floats


@dataclass(frozen=True, slots=True)
class ResampledPairs:
    """Result of `resample_pairs`: for each statistic, one element per pair.

    All values of pairs that share fewer than two topics are NaN.
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
    statistics: StatisticNames = ALL_STATISTICS,
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
    r"""Test every pair of systems by Monte Carlo permutation (MC) or hybrid bootstrap (HB).

    MC swaps the two scores of each topic with probability 1/2. HB first draws as many topics with
    replacement as the pair shares, then swaps. All pairs use the same resamples. The
    statistics, with differences :math:`Z_k = X_k - Y_k` over the n topics that both share:

    - ``"w"``: :math:`\sum_k \mathrm{sgn}(Z_k) R_k`, with midranks :math:`R_k` of the nonzero
      absolute differences; standardized: divided by :math:`\sqrt{\sum R_k^2}`;
    - ``"t"``: paired, :math:`\bar Z \sqrt{n} / s_Z`;
    - ``"t-unpaired"``: with pooled variance; for equal n it equals Welch's.

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores. A pair is compared on the topics on which both
        systems have scores.
    method
        ``"mc"`` or ``"hb"``.
    statistics
        The statistics to compute.
    standardized
        Whether W is divided by its standard deviation. This matters for HB, where the number of
        nonzero differences varies between resamples (reading 18: the default is standardized,
        chapter 4 uses the raw W), and for max-T. MC p-values do not change.
    pairs
        Rows of two column numbers; by default, all pairs.
    confidence_level
        The confidence level of the cutoffs.
    n_resamples
        The number of resamples.
    swaps
        The swaps themselves: resamples x topics of 0 and 1. For HB they belong to the *draws*,
        not to the topics, and need `indices`.
    indices
        For HB, the topics drawn (from 0): resamples x topics. Needs complete scores.
    cutoffs
        Whether to compute the cutoffs of the pairs; otherwise they are NaN.
    step_down
        Whether to compute the step-down max-T p-values of Westfall and Young; otherwise they are
        NaN.
    observed
        For step-down with one statistic, its observed values if known; only their order matters.
    rng
        Generator or seed.
    mapper
        Processes parts of the resamples like `map`, perhaps in parallel; the result is the same.
        Cutoffs need all resamples at once.

    Notes
    -----
    Resampled values are extreme if they are at least the observed value, minus a billionth for
    rounding. Cutoffs are inverse empirical quantiles, to be exceeded (reading 17). For identical
    systems the statistic is 0 and p is 1; a t statistic without variance is infinite.

    MC does not distinguish paired and unpaired T: both increase with the mean difference, so
    their p-values are equal (reading 9). HB does.

    With missing scores there is one set of HB resamples per set of shared topics; the sets have
    as many draws in common as possible. A pair with very few topics often has an infinite t and
    dominates max-T; exclude it with `pairs`.

    References
    ----------
    .. [1] P. Bickel, J.-J. Ren, "The bootstrap in hypothesis testing", IMS Lecture Notes 36,
       2001.
    .. [2] P. H. Westfall, S. S. Young, "Resampling-based multiple testing", Wiley, 1993.

    Examples
    --------
    >>> scores = [[3, 2, 5], [4, 1, 5], [4, 5, 4], [2, 2, 3], [3, 4, 5], [2, 3, 5], [1, 1, 4],
    ...           [2, 1, 5]]
    >>> result = resample_pairs(scores, n_resamples=999, rng=7)
    >>> result.pairs.tolist()
    [[0, 1], [0, 2], [1, 2]]
    >>> result.tests["t"].statistic.round(2).tolist()
    [0.51, -4.71, -3.48]
    >>> result.tests["w"].p.round(2).tolist()
    [1.0, 0.02, 0.04]
    """
    check_choice(method, "method", Method)
    for name in statistics:
        check_choice(name, "statistics", PairStatistic)
    level = share(confidence_level, "confidence_level")
    score_table, rows = checked_pairs(scores, pairs)
    topics = shared_topics(score_table, rows)
    draws: Swaps | Draws
    if method == "mc":
        if indices is not None:
            raise InputError("`indices` needs method='hb'", hint="leave it out")
        draws = Swaps(chosen_signs(swaps, n_resamples, len(score_table), rng))
    elif swaps is None and indices is None:
        draws = random_draws(len(score_table), n_resamples, rng)
    elif swaps is None or indices is None:
        message = "method='hb' needs both `swaps` and `indices`, or neither"
        raise InputError(message)
    elif (topics < len(score_table)).any():
        message = "`indices` needs complete scores, but scores are missing"
        raise InputError(message, hint="leave `indices` out")
    else:
        draws = explicit_draws(indices, swaps, len(score_table))
    resamples, min_resamples = draws.n_resamples, math.ceil(1 / (1 - level) - 1e-9) - 1
    if resamples < min_resamples:
        message = f"{resamples} resamples cannot show significance at {1 - level:.6g}"
        raise InputError(message, hint=f"use {min_resamples} or more")
    observed_sizes = None if observed is None else np.abs(np.asarray(observed))
    settings = statistics, standardized, level, cutoffs, step_down, observed_sizes
    resampling = _Resampling(score_table, rows, np.flatnonzero(topics >= 2), draws, *settings)
    tallies_by_part = iter(
        mapper(_Resampling.tallies, [resampling] if cutoffs else resampling.parts())
    )
    tallies = next(tallies_by_part)
    for part_tallies in tallies_by_part:
        for name, tally in part_tallies.items():
            tallies[name].add_resamples(tally)
    tests = {name: tally.result() for name, tally in tallies.items()}
    return ResampledPairs(rows, topics, tests, method, standardized, level, resamples)


@dataclass(frozen=True, slots=True)
class _Resampling:
    """Pairs of columns, their resamples, and what to compute from these."""

    scores: Floats
    pairs: Indices
    rows: Indices
    draws: Swaps | Draws
    names: StatisticNames
    standardized: bool
    level: float
    cutoffs: bool
    step_down: bool
    observed: Floats | None

    def parts(self) -> Iterator["_Resampling"]:
        """Split the resamples into parts that fit in memory; each includes the data."""
        for number, block in enumerate(blocks(self.draws.n_resamples, 1, _BLOCK_VALUES - 1)):
            yield replace(self, draws=self.draws.part(block.start, block.stop, number))

    def tallies(self) -> dict[PairStatistic, "Tally"]:
        """Tally all statistics of all pairs."""
        table_size = len(self.pairs), self.draws.n_resamples
        tallies = {
            n: Tally(*table_size, self.level, self.cutoffs, self.step_down) for n in self.names
        }
        if not self.step_down:
            for rows, values_by_name in self._statistics(self.rows, self.draws, self.names):
                for name, values in values_by_name.items():
                    tallies[name].add(rows, values)
            return tallies
        # One statistic at a time, from the smallest observed value to the largest.
        for name, tally in tallies.items():
            order = self.rows[np.argsort(self._sizes(name)[self.rows], kind="stable")]
            for rows, values_by_name in self._statistics(order, self.draws, (name,)):
                tally.add(rows, values_by_name[name])
        return tallies

    def _sizes(self, name: PairStatistic) -> Floats:
        """Return the absolute observed values of a statistic."""
        if self.observed is not None:
            return self.observed
        sizes = np.zeros(len(self.pairs))
        for rows, values_by_name in self._statistics(self.rows, self.draws.part(0, 0, 0), (name,)):
            sizes[rows] = np.abs(values_by_name[name][:, 0])
        return sizes

    def _statistics(
        self, order: Indices, draws: Swaps | Draws, names: StatisticNames
    ) -> Iterator[tuple[Indices, Statistics]]:
        """Compute the statistics of some pairs, as many at a time as fit in memory."""
        width = max(self.draws.n_resamples + 1, 4 * len(self.scores))
        for batch, pairs in pair_blocks(self.scores, self.pairs[order], width, BATCH_SIZE):
            parts = draws.statistics(pairs, names, is_standardized=self.standardized)
            if self.step_down and isinstance(draws, Draws):
                parts = _restore_order(parts, len(pairs.indices))
            for rows, statistics in parts:
                yield order[batch][rows], statistics


def _restore_order(
    parts: Iterator[tuple[slice | Indices, Statistics]], n_pairs: int
) -> Iterator[tuple[slice, Statistics]]:
    """Restore the order of pairs that were grouped by topics."""
    ordered_statistics: Statistics = {}
    for rows, statistics in parts:
        for name, values in statistics.items():
            ordered_statistics.setdefault(name, np.empty((n_pairs, values.shape[1])))[rows] = values
    for name, values in ordered_statistics.items():
        for block in blocks(*values.shape):
            yield block, {name: values[block]}


class Tally:
    """Counts, cutoffs and maxima, collected from blocks of pairs.

    For step-down, pairs must come in increasing order of their observed values.
    """

    def __init__(
        self,
        n_pairs: int,
        n_resamples: int,
        level: float,
        has_cutoffs: bool = True,
        steps_down: bool = False,
    ) -> None:
        self._statistic, self._extreme, self._cutoff, self._steps_down = np.full(
            (4, n_pairs), np.nan
        )
        self._maxima = np.zeros(n_resamples)
        self._level, self._place = level, quantile_index(n_resamples, level)
        self._cutoffs, self._steps = has_cutoffs, steps_down
        self._order: list[Indices] = []

    def add(self, rows: Indices, values: Floats) -> None:
        """Add the signed values of some pairs: the observed one, then the resamples."""
        self._statistic[rows] = values[:, 0]
        null_values, threshold = np.abs(values[:, 1:]), tie_threshold(values[:, :1])
        self._extreme[rows] = np.count_nonzero(null_values >= threshold, axis=1)
        if self._cutoffs:
            self._cutoff[rows] = np.partition(null_values, self._place, axis=1)[:, self._place]
        if self._steps:
            self._order.append(rows)
            np.maximum(null_values[0], self._maxima, out=null_values[0])
            accumulate_maxima(null_values)
            self._steps_down[rows] = np.count_nonzero(null_values >= threshold, axis=1)
        np.maximum(self._maxima, null_values.max(axis=0, initial=0.0), out=self._maxima)

    def add_resamples(self, other: "Tally") -> None:
        """Add the tally of other resamples of the same pairs."""
        self._extreme += other._extreme
        self._steps_down += other._steps_down
        self._maxima = np.concatenate([self._maxima, other._maxima])

    def result(self) -> ResampledStatistic:
        """Return p-values and cutoffs."""
        maxima = np.sort(self._maxima)
        index = quantile_index(len(maxima), self._level)
        n_extreme = len(maxima) - np.searchsorted(maxima, tie_threshold(self._statistic))
        p_max_t = np.where(np.isnan(self._statistic), np.nan, resampled_p(n_extreme, len(maxima)))
        if self._order:
            falling_order = np.concatenate(self._order)[::-1]
            self._steps_down[falling_order] = np.maximum.accumulate(self._steps_down[falling_order])
        uncorrected_p, step_down_p = (
            resampled_p(extreme_counts, len(maxima))
            for extreme_counts in (self._extreme, self._steps_down)
        )
        return ResampledStatistic(
            self._statistic, uncorrected_p, self._cutoff, p_max_t, float(maxima[index]), step_down_p
        )
