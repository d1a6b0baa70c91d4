"""The factoid way to ask how many models are enough: models drawn with repetition (3.4)."""

from collections.abc import Iterable

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.pyramid._stability.contenders import Contenders
from pyramidion.pyramid._stability.ranks import (
    MOST_SPLITS,
    OrderCorrelation,
    Splits,
    make_splits,
    standard_ranks,
)
from pyramidion.pyramid._stability.subpyramids import ScoreName, score_sub_pyramids
from pyramidion.stats._inputs import Rng, generator

__all__ = ["reliable_order", "resampled_correlations"]


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

    Parameters
    ----------
    contenders
        The summaries and their references. A reference is never ranked by itself: references
        are split as in `rank_correlations`.
    score
        Which score; ``weight``, without a norm, is that of the factoid studies.
    samples
        How many draws of each size, in each split.
    held_out, splits, rng
        See `make_splits`.
    largest
        The largest number of models; that of the references if it is not given.

    Returns
    -------
    tuple
        One for each number of models; `count` is the number of pairs of rankings.

    References
    ----------
    S. Teufel, H. van Halteren. Evaluating information content by factoid analysis: human
    annotation and stability. EMNLP 2004.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> from pyramidion.pyramid._stability.contenders import gather_contenders
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "One. Two.", "B": "One. Two. Six.", "C": "One. Three.", "D": "Three. Six."},
    ...     [("1", {"A": ["One"], "B": ["One"], "C": ["One"]}), ("2", {"A": ["Two"], "B": ["Two"]}),
    ...      ("3", {"C": ["Three"], "D": ["Three"]}), ("6", {"B": ["Six"], "D": ["Six"]})])
    >>> rows = resampled_correlations(gather_contenders(pyramid), samples=50, largest=2)
    >>> [row.order for row in rows], rows[0].mean < rows[1].mean
    ([1, 2], True)
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
    """Give the least number of models from which on the mean correlation is above a threshold.

    Parameters
    ----------
    rows
        What `resampled_correlations` or `rank_correlations` gives.
    above
        The threshold; the factoid studies take 0.95.

    Examples
    --------
    >>> rows = [OrderCorrelation(n, mean, 9) for n, mean in enumerate((0.5, 0.96, 0.9, 0.97), 1)]
    >>> reliable_order(rows)
    4
    """
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
