"""Scores of summaries by the pyramids of all subsets of their references."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import Literal

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import PeerAnnotation, Pyramid
from pyramidion.collection.pyramids import WeightPolicy
from pyramidion.errors import InputError
from pyramidion.pyramid.content_units import Content, content_of_peer, reference_writers
from pyramidion.stats.inputs import Rng, generator

SummaryChoice = Literal["all", "references", "peers"]


@dataclass(frozen=True, slots=True, eq=False)
class RankedSummaries:
    """Summaries of one topic, and the references they are scored by."""

    names: tuple[str, ...]
    contents: tuple[Content, ...]
    #: The reference that each summary is, by its column; -1 for a peer.
    reference: Ints
    counted: Ints

    @property
    def references(self) -> int:
        """Number of references."""
        return int(self.counted.shape[1])

    @property
    def are_references(self) -> bool:
        """Whether references are among the summaries."""
        return bool((self.reference >= 0).any())


def gather_ranked_summaries(
    pyramid: Pyramid,
    peers: Mapping[str, PeerAnnotation] | None = None,
    *,
    which: SummaryChoice = "all",
    weights: WeightPolicy = "contributors",
) -> RankedSummaries:
    """Collect the contents of a pyramid's references and of its annotated peers."""
    writers = reference_writers(pyramid)
    references = () if which == "peers" else writers
    chosen_peers = {} if which == "references" else dict(peers or {})
    for name in writers:
        if writers.count(name) > 1:
            raise InputError(f"two references are called {name}", hint="rename one of them")
    columns = pyramid.membership.T.astype(np.int64)
    contents = {name: Content(column) for name, column in zip(references, columns, strict=False)}
    contents |= {
        name: _content_in_order(pyramid, name, peer) for name, peer in chosen_peers.items()
    }
    reference = np.array([*range(len(references)), *(-1 for _ in chosen_peers)], dtype=np.int64)
    values = tuple(contents.values())
    return RankedSummaries(tuple(contents), values, reference, pyramid.counted(weights))


def _content_in_order(pyramid: Pyramid, name: str, peer: PeerAnnotation) -> Content:
    """Return a peer's content in the order of this pyramid's units."""
    content = content_of_peer(peer)
    if peer.pyramid is pyramid or peer.pyramid == pyramid:
        return content
    uids = [scu.uid for scu in peer.pyramid.scus]
    if sorted(uids) != sorted(scu.uid for scu in pyramid.scus):
        problem = f"{name} was annotated with another pyramid: its content units are not the same"
        raise InputError(problem, hint="annotate it again, or give each pyramid its own peers")
    rows = [peer.pyramid.row(scu.uid) for scu in pyramid.scus]
    return Content(content.counts[rows], content.outside)


#: The thesis's scores, or D alone.
ScoreName = Literal["original", "modified", "weight"]

#: Maximum number of sub-pyramids of an order; all are used up to 14 references (3,432).
MAX_PER_ORDER = 5000

# Cells of the largest table in memory.
_MAX_TABLE_CELLS = 4_000_000

# Up to this many times the limit, all subsets are listed and some of them chosen.
_MAX_LISTED_RATIO = 4


def sub_pyramids(references: int, *, limit: int = MAX_PER_ORDER, rng: Rng | None = None) -> Ints:
    """List sub-pyramids by order, one row of zeros and ones each, up to `limit` per order."""
    random_generator = generator(rng)
    orders = range(1, references + 1)
    return np.concatenate(
        [list_subsets(references, n, limit=limit, rng=random_generator) for n in orders]
    )


def list_subsets(n: int, size: int, *, limit: int, rng: Rng | None = None) -> Ints:
    """List the subsets of a size, one row of zeros and ones each; a sample if over `limit`."""
    count = comb(n, size)
    if count > _MAX_LISTED_RATIO * limit:
        return _draw_subsets(n, size, limit, generator(rng))
    columns = np.fromiter(chain.from_iterable(combinations(range(n), size)), dtype=np.int64)
    rows = np.zeros((count, n), dtype=np.int64)
    np.put_along_axis(rows, columns.reshape(count, size), 1, axis=1)
    if count > limit:
        rows = rows[np.sort(generator(rng).choice(count, limit, replace=False))]
    return rows


def _draw_subsets(n: int, size: int, limit: int, rng: np.random.Generator) -> Ints:
    drawn_subsets = np.zeros((0, n), dtype=np.int64)
    while len(drawn_subsets) < limit:
        rows = np.zeros((limit, n), dtype=np.int64)
        columns = np.argsort(rng.random((limit, n)), axis=1)[:, :size]
        np.put_along_axis(rows, columns, 1, axis=1)
        drawn_subsets = np.unique(np.concatenate([drawn_subsets, rows]), axis=0)
    return drawn_subsets[rng.permutation(len(drawn_subsets))[:limit]]


def score_sub_pyramids(
    included: Ints | Bools,
    inclusion_counts: Ints,
    contents: Sequence[Content],
    score: ScoreName = "original",
) -> Floats:
    """Score summaries (columns) by sub-pyramids (rows): how often each includes a reference."""
    references = np.asarray(inclusion_counts, dtype=np.float64).T
    reference_sizes = np.count_nonzero(references, axis=1)
    is_included = np.asarray(included, dtype=np.float64)
    is_expressed = np.array([content.expressed for content in contents], dtype=np.float64)
    is_expressed = is_expressed.reshape(len(contents), references.shape[1])
    unit_counts = np.array([content.units for content in contents], dtype=np.float64)
    scores = np.empty((len(is_included), len(contents)))
    step = max(1, _MAX_TABLE_CELLS // max(1, references.shape[1] + len(contents)))
    for start in range(0, len(is_included), step):
        rows = slice(start, start + step)
        weights = is_included[rows] @ references
        scores[rows] = weights @ is_expressed.T
        if score != "weight":
            mean_sizes = (is_included[rows] @ reference_sizes / is_included[rows].sum(axis=1))[
                :, None
            ]
            # Rounded half up, as the modified score of the whole pyramid is.
            sizes = unit_counts[None] if score == "original" else np.floor(mean_sizes + 0.5)
            best_sums = np.broadcast_to(_heaviest_weights(weights, sizes), scores[rows].shape)
            np.divide(scores[rows], best_sums, out=scores[rows], where=best_sums > 0)
            scores[rows][best_sums == 0] = np.nan
            if score == "original":
                scores[rows][:, unit_counts == 0] = np.where(weights.any(axis=1), 0.0, np.nan)[
                    :, None
                ]
    return scores


def _heaviest_weights(weights: Floats, sizes: Floats) -> Floats:
    """Return the weight of the heaviest units, for each row of weights and number of units."""
    best_sums = np.zeros((len(weights), sizes.shape[1]))
    for min_weight in range(1, int(weights.max(initial=0)) + 1):
        n_at_least = np.count_nonzero(weights >= min_weight, axis=1)
        best_sums += np.minimum(n_at_least[:, None], sizes)
    return best_sums


@dataclass(frozen=True, slots=True, eq=False)
class GrowingScores:
    """Scores of summaries by the sub-pyramids of their pyramid."""

    names: tuple[str, ...]
    #: The reference that each summary is, by its column; -1 for a peer.
    reference: Ints
    included: Ints
    values: Floats
    full: Floats
    score: ScoreName = "original"

    @property
    def undefined(self) -> int:
        """Number of undefined scores of summaries that are not in the sub-pyramid."""
        is_outside = ~_is_contained(self.included, self.reference)
        return int(np.count_nonzero(np.isnan(self.values) & is_outside))

    def by_order(self) -> dict[int, Floats]:
        """Return the scores by the sub-pyramids of each order, the lowest first."""
        order_ends = np.cumsum(np.bincount(self.included.sum(axis=1))).tolist()
        return {
            n: self.values[order_ends[n - 1] : order_ends[n]] for n in range(1, len(order_ends))
        }


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """The lowest, mean and highest score of each summary, by order of the pyramid."""

    orders: Ints
    count: Ints
    low: Floats
    mean: Floats
    high: Floats


def score_growth(
    contenders: RankedSummaries,
    *,
    score: ScoreName = "original",
    limit: int = MAX_PER_ORDER,
    rng: Rng | None = None,
) -> GrowingScores:
    """Score summaries by every sub-pyramid that does not contain them."""
    included_references = sub_pyramids(contenders.references, limit=limit, rng=rng)
    values = score_sub_pyramids(
        included_references, contenders.counted, contenders.contents, score=score
    )
    values[_is_contained(included_references, contenders.reference)] = np.nan
    all_scores = full_scores(contenders, score=score)
    return GrowingScores(
        contenders.names, contenders.reference, included_references, values, all_scores, score
    )


def full_scores(contenders: RankedSummaries, *, score: ScoreName = "original") -> Floats:
    """Score each summary by all references but itself: its highest order."""
    is_model = contenders.reference[:, None] != np.arange(contenders.references)
    # Few rows differ: one for each reference, and one for all peers.
    distinct_rows, row_indices = np.unique(is_model.astype(np.int64), axis=0, return_inverse=True)
    scores = score_sub_pyramids(distinct_rows, contenders.counted, contenders.contents, score=score)
    return scores[row_indices.ravel(), np.arange(len(is_model))]


def spread_by_order(scores: GrowingScores) -> Spread:
    """Return the lowest, mean and highest score of each summary by order (Figure 3.2)."""
    tables = list(scores.by_order().values())
    count = np.array([np.count_nonzero(~np.isnan(table), axis=0) for table in tables])
    sums = np.array([np.nansum(table, axis=0) for table in tables])
    mean = np.divide(sums, count, out=np.full(sums.shape, np.nan), where=count > 0)
    low = np.array([np.fmin.reduce(table, axis=0) for table in tables])
    high = np.array([np.fmax.reduce(table, axis=0) for table in tables])
    return Spread(np.arange(1, len(tables) + 1), count, low, mean, high)


def _is_contained(included_references: Ints, reference: Ints) -> Bools:
    """Return which sub-pyramids (rows) contain which summaries."""
    return (included_references[:, np.maximum(reference, 0)] > 0) & (reference >= 0)
