"""Whether small pyramids rank summaries as the whole one does, and how many models it takes."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, comb

import numpy as np
from numpy.typing import NDArray

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.pyramid._stability.growth import (
    MOST_OF_ONE_ORDER,
    Contenders,
    ScoreName,
    full_scores,
    score_sub_pyramids,
    sub_pyramids,
    subsets,
)
from pyramidion.stats._inputs import Rng, generator

#: How many splits into peers and models are tried: all there are of ten references.
MOST_SPLITS = 252

Columns = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class OrderCorrelation:
    """The mean rank correlation of rankings by pyramids of one order.

    Parameters
    ----------
    order
        The order.
    mean
        Spearman's coefficient, the mean; NaN if none is defined.
    count
        How many coefficients it is the mean of.
    undefined
        How many more have no value, as all summaries had the same score or one had none.
    """

    order: int
    mean: float
    count: int
    undefined: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Splits:
    """Ways to split references into models, which make pyramids, and peers, which are ranked.

    Parameters
    ----------
    models
        One row a split: the references that make the pyramids.
    ranked
        One row a split: the summaries that are ranked, which are the other references, if
        references are ranked at all, and all annotated peers.
    all_there_are
        Whether there are no more splits.
    """

    models: Columns
    ranked: Columns
    all_there_are: bool = True


def make_splits(
    contenders: Contenders,
    *,
    held_out: int | None = None,
    splits: int = MOST_SPLITS,
    rng: Rng | None = None,
) -> Splits:
    """Split the references into those that are ranked and those that make the pyramids.

    Where only annotated peers are ranked nothing is split: all references are models.
    """
    total, peers = contenders.references, np.flatnonzero(contenders.own < 0)
    if not contenders.are_references:
        _require_ranking(len(peers), total)
        return Splits(np.arange(total)[None], peers[None])
    held = _half(contenders) if held_out is None else held_out
    _require_ranking(held + len(peers), total - held)
    if splits < 1 or held < 1:
        raise InputError(f"{splits} splits that rank {held} references", hint="give 1 or more")
    chosen = subsets(total, held, most=splits, rng=rng)
    # Rows of zeros and ones, sorted: the ones come last, in their order.
    order = np.argsort(chosen, axis=1, kind="stable")
    models, ranked = order[:, : total - held], order[:, total - held :]
    everybody = np.broadcast_to(peers, (len(chosen), len(peers)))
    return Splits(models, np.hstack([ranked, everybody]), comb(total, held) <= splits)


def can_rank(contenders: Contenders) -> bool:
    """Tell whether two summaries can be ranked by a reference that is neither of them."""
    if not contenders.are_references:
        return len(contenders.names) >= 2
    return _half(contenders) < contenders.references


def rank_correlations(
    contenders: Contenders,
    *,
    score: ScoreName = "original",
    held_out: int | None = None,
    splits: int = MOST_SPLITS,
    most: int = MOST_OF_ONE_ORDER,
    rng: Rng | None = None,
) -> tuple[OrderCorrelation, ...]:
    """Correlate rankings by sub-pyramids of models with the ranking by the whole pyramid.

    For each split, the ranked summaries are scored by every sub-pyramid of the models, and
    their ranking correlated (Spearman) with the one at the highest order, where each is scored
    by all references but itself. The thesis takes one random split of ten into 5 and 5.
    """
    chance = generator(rng)
    ways = make_splits(contenders, held_out=held_out, splits=splits, rng=chance)
    share = ceil(most / len(ways.models))
    template = sub_pyramids(ways.models.shape[1], most=share, rng=chance)
    scores = _scores_by_models(contenders, ways, template.drawn, score)
    truth = full_scores(contenders, score=score)[ways.ranked]
    found = (standard_ranks(scores) * standard_ranks(truth)[:, None]).sum(axis=-1)
    # Of peers alone the pyramid of all models is the whole one, which agrees with itself.
    highest = ways.models.shape[1] - (not contenders.are_references)
    return tuple(
        _averaged(order, found[:, template.orders == order]) for order in range(1, highest + 1)
    )


def pooled_correlations(
    studies: Iterable[Iterable[OrderCorrelation]],
) -> tuple[OrderCorrelation, ...]:
    """Average the coefficients of several topics, order by order.

    Parameters
    ----------
    studies
        What `rank_correlations` gave for each topic.

    Examples
    --------
    >>> pooled_correlations([[OrderCorrelation(1, 0.5, 30)], [OrderCorrelation(1, 0.8, 10, 2)]])
    (OrderCorrelation(order=1, mean=0.575, count=40, undefined=2),)
    """
    by_order: dict[int, list[OrderCorrelation]] = {}
    for row in (row for study in studies for row in study):
        by_order.setdefault(row.order, []).append(row)
    return tuple(_pooled(order, by_order[order]) for order in sorted(by_order))


def standard_ranks(scores: Floats) -> Floats:
    """Rank along the last axis, centre, and scale to length 1; NaN where nothing can be ranked.

    The sum of products of two such rows is Spearman's coefficient.
    """
    above = (scores[..., :, None] > scores[..., None, :]).sum(axis=-1)
    below = (scores[..., :, None] < scores[..., None, :]).sum(axis=-1)
    # The midrank less its mean is half of what is below a value less what is above it.
    centred = (above - below) / 2.0
    length = np.sqrt((centred**2).sum(axis=-1, keepdims=True))
    known = (length > 0) & ~np.isnan(scores).any(axis=-1, keepdims=True)
    ranks: Floats = np.full(centred.shape, np.nan)
    np.divide(centred, length, out=ranks, where=known)
    return ranks


def _scores_by_models(
    contenders: Contenders, ways: Splits, template: Columns, score: ScoreName
) -> Floats:
    """Score the ranked summaries of each split by sub-pyramids of its models."""
    drawn = np.zeros((len(ways.models), len(template), contenders.references), dtype=np.int64)
    for split, models in enumerate(ways.models):
        drawn[split][:, models] = template
    # Other splits have the same sub-pyramids again.
    different, place = np.unique(
        drawn.reshape(-1, contenders.references), axis=0, return_inverse=True
    )
    scores = score_sub_pyramids(different, contenders.membership, contenders.contents, score=score)
    place = place.reshape(len(ways.models), len(template))
    found: Floats = scores[place[:, :, None], ways.ranked[:, None, :]]
    return found


def _averaged(order: int, coefficients: Floats) -> OrderCorrelation:
    known = coefficients[~np.isnan(coefficients)]
    mean = float(known.mean()) if len(known) else float("nan")
    return OrderCorrelation(order, mean, len(known), coefficients.size - len(known))


def _pooled(order: int, rows: list[OrderCorrelation]) -> OrderCorrelation:
    count = sum(row.count for row in rows)
    total = sum(row.mean * row.count for row in rows if row.count)
    mean = total / count if count else float("nan")
    return OrderCorrelation(order, mean, count, sum(row.undefined for row in rows))


def _half(contenders: Contenders) -> int:
    """Give how many references are ranked: half of them, but two summaries at the least."""
    return max(2 - int((contenders.own < 0).sum()), contenders.references // 2)


def _require_ranking(ranked: int, models: int) -> None:
    if ranked < 2 or models < 1:
        raise InputError(
            f"there are {max(models, 0)} references to make pyramids of and {ranked} summaries to "
            "rank by them",
            hint="rank two at the least, and leave one reference",
        )


def resampled_correlations(
    contenders: Contenders,
    *,
    score: ScoreName = "weight",
    samples: int = 100,
    held_out: int | None = None,
    splits: int = MOST_SPLITS,
    largest: int | None = None,
    rng: Rng | None = None,
) -> tuple[OrderCorrelation, ...]:
    """Correlate the rankings by models drawn with repetition with each other, by their number.

    So many models are drawn with repetition, the summaries are ranked by the weight of what
    they say, and all pairs of such rankings are correlated (Spearman). A model drawn twice
    weighs twice and adds no content, for which the thesis doubts the method.

    References
    ----------
    S. Teufel, H. van Halteren. Evaluating information content by factoid analysis: human
    annotation and stability. EMNLP 2004.
    """
    if samples < 2:
        raise InputError(f"`samples` is {samples}", hint="rankings are compared from 2 on")
    if largest is not None and largest < 1:
        raise InputError(f"`largest` is {largest}", hint="give 1 or more")
    chance = generator(rng)
    ways = make_splits(contenders, held_out=held_out, splits=splits, rng=chance)
    return tuple(
        _of_order(contenders, ways, order, samples, score, chance)
        for order in range(1, (largest or contenders.references) + 1)
    )


def reliable_order(rows: Iterable[OrderCorrelation], *, above: float = 0.95) -> int | None:
    """Give the least number of models from which on the mean correlation is above a threshold."""
    found = None
    for row in sorted(rows, key=lambda row: row.order, reverse=True):
        if not row.mean > above:
            break
        found = row.order
    return found


def _of_order(
    contenders: Contenders,
    ways: Splits,
    order: int,
    samples: int,
    score: ScoreName,
    rng: np.random.Generator,
) -> OrderCorrelation:
    splits, models = ways.models.shape
    drawn = np.zeros((splits, samples, contenders.references), dtype=np.int64)
    counts = rng.multinomial(order, np.full(models, 1 / models), size=(splits, samples))
    np.put_along_axis(drawn, np.broadcast_to(ways.models[:, None], counts.shape), counts, axis=2)
    scores = score_sub_pyramids(
        drawn.reshape(-1, contenders.references),
        contenders.membership,
        contenders.contents,
        score=score,
    ).reshape(splits, samples, -1)
    ranked = np.take_along_axis(
        scores,
        np.broadcast_to(ways.ranked[:, None], (splits, samples, ways.ranked.shape[1])),
        axis=2,
    )
    return _all_pairs(order, standard_ranks(ranked))


def _all_pairs(order: int, ranks: Floats) -> OrderCorrelation:
    """Average over all pairs of rankings of each split: the square of a sum holds them all."""
    known = ~np.asarray(np.isnan(ranks).any(axis=-1))
    n = known.sum(axis=1)
    sums = np.where(known[..., None], ranks, 0.0).sum(axis=1)
    total = float(((sums**2).sum(axis=-1) - n).sum()) / 2
    pairs, samples = int((n * (n - 1) // 2).sum()), ranks.shape[1]
    every = len(ranks) * samples * (samples - 1) // 2
    mean = total / pairs if pairs else float("nan")
    return OrderCorrelation(order, mean, pairs, every - pairs)
