"""How sub-pyramids rank summaries: errors on pairs, and rank correlations."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError
from pyramidion.stats.inputs import Rng, generator, ratio
from pyramidion.studies._stability.growth import (
    MAX_PER_ORDER,
    GrowingScores,
    RankedSummaries,
    ScoreName,
    full_scores,
    list_subsets,
    score_sub_pyramids,
    spread_by_order,
    sub_pyramids,
)

#: Differences of scores this close to a limit are equal to it.
ROUNDING_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class DivergingPair:
    """Two summaries that are clearly apart at the highest order."""

    better: str
    worse: str
    difference: float
    order: int | None
    stable: bool


def divergence_points(scores: GrowingScores, *, apart: float = 0.1) -> tuple[DivergingPair, ...]:
    """Find where summaries that are apart at the highest order diverge, pair by pair.

    Summaries diverge at the order at which the lowest score of the better one by any sub-pyramid
    without it is above the highest score of the worse one. The better one scores higher by all
    references (except itself).
    """
    spread, pairs = spread_by_order(scores), []
    for a, b, difference in zip(
        *(column.tolist() for column in _comparable_pairs(scores)), strict=True
    ):
        if abs(difference) > apart + ROUNDING_TOLERANCE:
            better_peer, worse_peer = (a, b) if difference > 0 else (b, a)
            low, high = spread.low[:, better_peer], spread.high[:, worse_peer]
            is_comparable = ~(np.isnan(low) | np.isnan(high))
            is_apart = is_comparable & (low > high)
            first_apart = int(np.argmax(is_apart)) if is_apart.any() else None
            order = None if first_apart is None else int(spread.orders[first_apart])
            is_stable = first_apart is not None and bool(
                is_apart[first_apart:][is_comparable[first_apart:]].all()
            )
            names = scores.names[better_peer], scores.names[worse_peer]
            pairs.append(DivergingPair(*names, abs(difference), order, is_stable))
    return tuple(pairs)


def _comparable_pairs(scores: GrowingScores) -> tuple[Ints, Ints, Floats]:
    """Return all pairs of summaries with scores at the highest order, and their differences."""
    first, second = np.triu_indices(len(scores.names), 1)
    differences = scores.full[first] - scores.full[second]
    is_comparable = ~np.isnan(differences)
    return first[is_comparable], second[is_comparable], differences[is_comparable]


# Cells of the largest table of sub-pyramids by pairs in memory.
_MAX_TABLE_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class OrderErrors:
    """Counts of errors of sub-pyramids of one order.

    A data point is a pair of summaries and a sub-pyramid that contains neither.
    """

    order: int
    equal: int
    different: int
    e1: int
    e2: int
    e3: int

    @property
    def points(self) -> int:
        """Number of data points."""
        return self.equal + self.different

    @property
    def p1(self) -> float:
        """The probability of E1, given that a pair is equal."""
        return ratio(self.e1, self.equal)

    @property
    def p2(self) -> float:
        """The probability of E2, given that a pair is different."""
        return ratio(self.e2, self.different)

    @property
    def p3(self) -> float:
        """The probability of E3, given that a pair is different."""
        return ratio(self.e3, self.different)

    @property
    def p(self) -> float:
        """The probability of any error."""
        return ratio(self.e1 + self.e2 + self.e3, self.points)


def ranking_errors(scores: GrowingScores, *, equal_within: float = 0.06) -> tuple[OrderErrors, ...]:
    """Count the errors of sub-pyramids about pairs of summaries, by order.

    A pair is equal if the scores at the highest order, by all references but the summary itself,
    are within 0.06, else different. Ten references make 45 pairs, and 45 C(8, n) data points of
    order n.
    """
    limit, pairs = equal_within + ROUNDING_TOLERANCE, _comparable_pairs(scores)
    errors_by_order = (
        OrderErrors(order, *_count_errors(values, *pairs, limit).tolist())
        for order, values in scores.by_order().items()
    )
    # The whole pyramid, which is the truth for peers, makes no errors.
    max_order = scores.included.shape[1]
    return tuple(errors for errors in errors_by_order if errors.points and errors.order < max_order)


def pooled_errors(studies: Iterable[Iterable[OrderErrors]]) -> tuple[OrderErrors, ...]:
    """Add up the counts of several topics, order by order."""
    counts = grouped((row.order, astuple(row)[1:]) for study in studies for row in study)
    return tuple(OrderErrors(n, *map(sum, zip(*counts[n], strict=True))) for n in sorted(counts))


def _count_errors(values: Floats, first: Ints, second: Ints, truth: Floats, limit: float) -> Ints:
    """Count equal and different data points and the three errors, some pairs at a time."""
    counts = np.zeros(5, dtype=np.int64)
    step = max(1, _MAX_TABLE_CELLS // max(1, len(values)))
    for start in range(0, len(truth), step):
        block = slice(start, start + step)
        differences = values[:, first[block]] - values[:, second[block]]
        is_comparable = ~np.isnan(differences)
        is_equal = np.abs(truth[block]) <= limit
        # NaN is neither equal nor ordered.
        seems_equal = np.abs(differences) <= limit
        seems_reversed = (differences * np.sign(truth[block]) < 0) & ~seems_equal
        true_cases = (is_comparable & is_equal, is_comparable & ~is_equal)
        error_masks = (
            true_cases[0] & ~seems_equal,
            seems_equal & ~is_equal,
            seems_reversed & ~is_equal,
        )
        counts += [np.count_nonzero(mask) for mask in (*true_cases, *error_masks)]
    return counts


#: Maximum number of splits into peers and models: all splits of ten references.
MAX_SPLITS = 252


@dataclass(frozen=True, slots=True)
class OrderCorrelation:
    """The mean rank correlation of rankings by pyramids of one order."""

    order: int
    mean: float
    count: int
    undefined: int = 0


class Splits(NamedTuple):
    """Ways to split references into models, which make pyramids, and peers, which are ranked."""

    models: Ints
    ranked: Ints


def make_splits(
    contenders: RankedSummaries,
    *,
    held_out: int | None = None,
    splits: int = MAX_SPLITS,
    rng: Rng | None = None,
) -> Splits:
    """Split the references into those to rank and those to build the pyramids from.

    If only annotated peers are ranked, all references are models.
    """
    n_references, peers = contenders.references, np.flatnonzero(contenders.reference < 0)
    if not contenders.are_references:
        _require_ranking(len(peers), n_references)
        return Splits(np.arange(n_references)[None], peers[None])
    n_ranked = count_ranked_references(contenders) if held_out is None else held_out
    _require_ranking(n_ranked + len(peers), n_references - n_ranked)
    is_ranked = list_subsets(n_references, n_ranked, limit=splits, rng=rng)
    # Rows of zeros and ones, sorted: the ones come last, in their order.
    sorted_references = np.argsort(is_ranked, axis=1, kind="stable")
    models, ranked_references = (
        sorted_references[:, : n_references - n_ranked],
        sorted_references[:, n_references - n_ranked :],
    )
    peer_rows = np.broadcast_to(peers, (len(is_ranked), len(peers)))
    return Splits(models, np.hstack([ranked_references, peer_rows]))


def can_rank(contenders: RankedSummaries) -> bool:
    """Return whether two summaries can be ranked by a third one."""
    if not contenders.are_references:
        return len(contenders.names) >= 2
    return count_ranked_references(contenders) < contenders.references


def rank_correlations(
    contenders: RankedSummaries,
    *,
    score: ScoreName = "original",
    limit: int = MAX_PER_ORDER,
    rng: Rng | None = None,
    **split: Any,
) -> tuple[OrderCorrelation, ...]:
    """Correlate rankings by sub-pyramids of models with the ranking by the whole pyramid.

    For each split, the ranked summaries are scored by every sub-pyramid of the models, and their
    ranking is correlated (Spearman) with the one by all references but the summary itself. The
    thesis takes one random split of ten into 5 and 5.
    """
    random_generator = generator(rng)
    splits = make_splits(contenders, rng=random_generator, **split)
    split_limit = ceil(limit / len(splits.models))
    model_subsets = sub_pyramids(splits.models.shape[1], limit=split_limit, rng=random_generator)
    scores = _scores_by_models(contenders, splits, model_subsets, score)
    truth = full_scores(contenders, score=score)[splits.ranked]
    coefficients = (standard_ranks(scores) * standard_ranks(truth)[:, None]).sum(axis=-1)
    # For peers alone, the pyramid of all models is the whole one.
    max_order = splits.models.shape[1] - (not contenders.are_references)
    correlations = []
    for order in range(1, max_order + 1):
        order_coefficients = coefficients[:, model_subsets.sum(axis=1) == order]
        defined_values = order_coefficients[~np.isnan(order_coefficients)]
        mean = float(defined_values.mean()) if len(defined_values) else float("nan")
        correlations.append(
            OrderCorrelation(
                order, mean, len(defined_values), order_coefficients.size - len(defined_values)
            )
        )
    return tuple(correlations)


def pooled_correlations(
    studies: Iterable[Iterable[OrderCorrelation]],
) -> tuple[OrderCorrelation, ...]:
    """Average the coefficients of several topics, order by order."""
    pooled_rows = []
    for order, rows in sorted(grouped((r.order, r) for study in studies for r in study).items()):
        count = sum(row.count for row in rows)
        total = sum(row.mean * row.count for row in rows if row.count)
        n_undefined = sum(row.undefined for row in rows)
        pooled_rows.append(OrderCorrelation(order, ratio(total, count), count, n_undefined))
    return tuple(pooled_rows)


def standard_ranks(scores: Floats) -> Floats:
    """Rank along the last axis, center, and scale to length 1; NaN if all are equal.

    The sum of products of two such rows is Spearman's coefficient.
    """
    n_smaller = (scores[..., :, None] > scores[..., None, :]).sum(axis=-1)
    n_larger = (scores[..., :, None] < scores[..., None, :]).sum(axis=-1)
    # The centered midrank is half the difference of the counts of smaller and larger values.
    centered_ranks = (n_smaller - n_larger) / 2.0
    norms = np.sqrt((centered_ranks**2).sum(axis=-1, keepdims=True))
    is_rankable = (norms > 0) & ~np.isnan(scores).any(axis=-1, keepdims=True)
    ranks: Floats = np.full(centered_ranks.shape, np.nan)
    np.divide(centered_ranks, norms, out=ranks, where=is_rankable)
    return ranks


def _scores_by_models(
    contenders: RankedSummaries, splits: Splits, model_subsets: Ints, score: ScoreName
) -> Floats:
    """Score the ranked summaries of each split by sub-pyramids of its models."""
    is_included = np.zeros(
        (len(splits.models), len(model_subsets), contenders.references), dtype=np.int64
    )
    for split, models in enumerate(splits.models):
        is_included[split][:, models] = model_subsets
    # Splits share sub-pyramids.
    distinct_rows, row_indices = np.unique(
        is_included.reshape(-1, contenders.references), axis=0, return_inverse=True
    )
    scores = score_sub_pyramids(distinct_rows, contenders.counted, contenders.contents, score)
    row_indices = row_indices.reshape(len(splits.models), len(model_subsets))
    return scores[row_indices[:, :, None], splits.ranked[:, None, :]]


def count_ranked_references(contenders: RankedSummaries) -> int:
    """Return the number of references to rank: half of them, but at least two summaries."""
    return max(2 - int((contenders.reference < 0).sum()), contenders.references // 2)


def _require_ranking(n_ranked: int, models: int) -> None:
    if n_ranked < 2 or models < 1:
        message = (
            f"there are {max(models, 0)} references to build pyramids from and {n_ranked} "
            "summaries "
        )
        raise InputError(f"{message}to rank by them", "rank at least two, and leave one reference")


def resampled_correlations(
    contenders: RankedSummaries,
    *,
    score: ScoreName = "weight",
    samples: int = 100,
    largest: int | None = None,
    rng: Rng | None = None,
    **split: Any,
) -> tuple[OrderCorrelation, ...]:
    """Correlate rankings by models that are sampled with replacement, by the number of models.

    Summaries are ranked by the weight of what they express, and all pairs of rankings are
    correlated (Spearman). A model that is sampled twice weighs twice but adds no content, which
    the thesis criticizes. See S. Teufel, H. van Halteren, Evaluating information content by
    factoid analysis (EMNLP 2004).
    """
    random_generator = generator(rng)
    reference_splits = make_splits(contenders, rng=random_generator, **split)
    (splits, models), references = reference_splits.models.shape, contenders.references
    correlations = []
    for order in range(1, (largest or references) + 1):
        times_drawn = np.zeros((splits, samples, references), dtype=np.int64)
        counts = random_generator.multinomial(
            order, np.full(models, 1 / models), size=(splits, samples)
        )
        columns = np.broadcast_to(reference_splits.models[:, None], counts.shape)
        np.put_along_axis(times_drawn, columns, counts, axis=2)
        rows = times_drawn.reshape(-1, references)
        scores = score_sub_pyramids(rows, contenders.counted, contenders.contents, score)
        shape = (splits, samples, reference_splits.ranked.shape[1])
        ranked_columns = np.broadcast_to(reference_splits.ranked[:, None], shape)
        ranked_scores = np.take_along_axis(
            scores.reshape(splits, samples, -1), ranked_columns, axis=2
        )
        correlations.append(_mean_pair_correlation(order, standard_ranks(ranked_scores)))
    return tuple(correlations)


def reliable_order(rows: Iterable[OrderCorrelation], *, above: float = 0.95) -> int | None:
    """Return the smallest number of models from which the mean correlation exceeds a threshold."""
    min_order = None
    for row in sorted(rows, key=lambda row: row.order, reverse=True):
        if not row.mean > above:
            break
        min_order = row.order
    return min_order


def _mean_pair_correlation(order: int, ranks: Floats) -> OrderCorrelation:
    """Average over all pairs of rankings of each split, using the square of their sum."""
    is_rankable = ~np.asarray(np.isnan(ranks).any(axis=-1))
    n = is_rankable.sum(axis=1)
    sums = np.where(is_rankable[..., None], ranks, 0.0).sum(axis=1)
    total = float(((sums**2).sum(axis=-1) - n).sum()) / 2
    n_defined_pairs, samples = int((n * (n - 1) // 2).sum()), ranks.shape[1]
    n_pairs = len(ranks) * samples * (samples - 1) // 2
    return OrderCorrelation(
        order, ratio(total, n_defined_pairs), n_defined_pairs, n_pairs - n_defined_pairs
    )
