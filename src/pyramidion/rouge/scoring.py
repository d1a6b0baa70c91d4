"""From counts to recall, precision and F."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.rouge.counting import Counts, Pairs, power, sums

__all__ = ["ModelRule", "Scored", "f_measure", "item_counts", "ratios", "score"]

ModelRule = Literal["average", "best"]


@dataclass(frozen=True, slots=True)
class Scored:
    """Recall, precision and F of each item.

    Examples
    --------
    >>> Scored(np.array([0.5]), np.array([0.5]), np.array([0.5])).f.tolist()
    [0.5]
    """

    recall: Floats
    precision: Floats
    f: Floats


def item_counts(
    counts: Counts, pairs: Pairs, rule: ModelRule = "average", *, recall: Floats | None = None
) -> Counts:
    """Bring an item's counts for several models together.

    Parameters
    ----------
    counts, pairs
        The counts, pair by pair.
    rule
        ``average`` adds the counts of all models up (ROUGE's ``-f A``), ``best`` takes the
        model with the greatest recall, the first of equal ones (``-f B``).
    recall
        What ``best`` goes by, if not the recall itself.

    Examples
    --------
    >>> pairs = Pairs(np.array([0, 0]), np.array([1, 2]), np.array([0, 0]))
    >>> counts = Counts(np.array([4.0, 2.0]), np.array([3.0, 3.0]), np.array([1.0, 2.0]))
    >>> item_counts(counts, pairs).hits.tolist(), item_counts(counts, pairs, "best").hits.tolist()
    ([3.0], [2.0])
    """
    if rule == "average":
        parts = [sums(pairs.items, part, pairs.number_of_items) for part in counts.parts]
    else:
        if recall is None:
            recall = ratios(counts.hits, counts.model, counts.weight)
        # A stable sort by item and falling recall leaves each item's best model first.
        order = np.lexsort((-recall, pairs.items))
        best = order[np.flatnonzero(np.diff(pairs.items[order], prepend=-1))]
        own = pairs.items[best]
        parts = [sums(own, part[best], pairs.number_of_items) for part in counts.parts]
    return Counts(parts[0], parts[1], parts[2], counts.weight)


def ratios(hits: Floats, units: Floats, weight: float = 1.0) -> Floats:
    """Divide hits by units, 0 where there are none, and take ROUGE-W's root.

    Examples
    --------
    >>> ratios(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    shares = np.zeros(len(hits))
    np.divide(hits, units, out=shares, where=units > 0)
    if weight == 1.0:
        return shares
    return np.array([power(share, 1 / weight) for share in shares.tolist()])


def f_measure(recall: Floats, precision: Floats, alpha: float = 0.5) -> Floats:
    """Combine recall and precision; alpha near 1 favours precision.

    Examples
    --------
    >>> f_measure(np.array([0.5, 0.0]), np.array([1.0, 0.0])).round(3).tolist()
    [0.667, 0.0]
    """
    below = (1 - alpha) * precision + alpha * recall
    f = np.zeros(len(below))
    np.divide(precision * recall, below, out=f, where=below > 0)
    return f


def score(counts: Counts, *, alpha: float = 0.5) -> Scored:
    """Score items from their counts.

    A run in a model's sentence may be made up of several sentences of the peer, and then weigh
    more than they do: ROUGE-W's precision is 1 at most.

    Examples
    --------
    >>> score(Counts(np.array([4.0]), np.array([2.0]), np.array([2.0]))).recall.tolist()
    [0.5]
    """
    recall = ratios(counts.hits, counts.model, counts.weight)
    precision = np.minimum(ratios(counts.hits, counts.peer, counts.weight), 1.0)
    return Scored(recall, precision, f_measure(recall, precision, alpha))
