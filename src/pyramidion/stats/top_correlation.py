"""The AP rank correlation, which weighs mistakes near the top of a ranking more heavily."""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.stats.correlation import Correlation, undefined_reason
from pyramidion.stats.dense_ranks import Ranks, dense_ranks
from pyramidion.stats.inputs import choice, paired
from pyramidion.stats.pairs import above_both
from pyramidion.stats.weighted import weighted_correlations

__all__ = ["Ties", "TrueRanking", "tau_ap"]

Ties = Literal["auto", "refuse", "a", "b"]
TrueRanking = Literal["x", "y"]


def tau_ap(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    true: TrueRanking = "x",
    ties: Ties = "auto",
    decreasing: bool = True,
) -> Correlation:
    r"""AP rank correlation of two score vectors.

    Walk down the estimated ranking. For each item but the first, take the share of the items
    above it that are also above it in the true ranking:

    .. math:: \tau_{ap} = \frac{2}{n-1} \sum_{i=2}^{n} \frac{C(i)}{i-1} - 1

    It is not symmetric: exchanging the true and the estimated ranking changes it.

    Parameters
    ----------
    x, y
        Scores of the same items.
    true
        Which of the two is the true ranking; the other one is the estimate.
    ties
        ``refuse``: the coefficient of Yilmaz and others, for rankings without ties.

        ``a`` (accuracy): ties in the estimate only, broken in every possible way and averaged.

        ``b`` (agreement): ties in either. An item is compared with those above its group of
        ties; a tie in the other ranking counts as disagreement; items of the top group are not
        counted; and as neither ranking is taken as the true one, both directions are averaged.

        ``auto``: ``refuse`` where there are no ties, else ``b``. The result's `method` says
        which version was used.
    decreasing
        Whether the best item has the highest score; False for ranks.

    Returns
    -------
    Correlation
        Without a p-value, as none is known in closed form.

    References
    ----------
    E. Yilmaz, J. A. Aslam and S. Robertson. A new rank correlation coefficient for information
    retrieval. SIGIR 2008.

    J. Urbano and M. Marrero. The treatment of ties in AP correlation. ICTIR 2017.

    Examples
    --------
    >>> human, metric = [4, 3, 2, 1], [3, 4, 2, 1]
    >>> result = tau_ap(human, metric)
    >>> round(result.value, 3), result.method
    (0.333, 'tau_ap')
    """
    choice(true, "true", TrueRanking)
    choice(ties, "ties", Ties)
    first, second = paired(x, y, least=2)
    if reason := undefined_reason(first, second):
        return Correlation(math.nan, math.nan, math.nan, len(first), f"tau_ap, ties {ties}", reason)
    if not decreasing:
        first, second = -first, -second
    truth, estimate = (first, second) if true == "x" else (second, first)
    version = _version(ties, dense_ranks(truth), dense_ranks(estimate))
    value = _agreement(truth, estimate) if version == "b" else _accuracy(truth, estimate)
    method = "tau_ap" if version == "refuse" else f"tau_ap, ties {version}"
    return Correlation(value, math.nan, math.nan, len(first), method)


def _version(ties: Ties, truth: Ranks, estimate: Ranks) -> Ties:
    tied_truth, tied_estimate = (int(r.max()) < len(r) - 1 for r in (truth, estimate))
    if ties == "auto":
        return "b" if tied_truth or tied_estimate else "refuse"
    if ties != "b" and tied_truth:
        raise InputError("the true ranking has ties", hint="use `ties` b")
    if ties == "refuse" and tied_estimate:
        raise InputError("the estimated ranking has ties", hint="use `ties` a or b")
    return ties


def _agreement(truth: Floats, estimate: Floats) -> float:
    return float(weighted_correlations(truth, estimate, np.ones((len(truth), 1)), "tau_ap")[0])


def _accuracy(truth: Floats, estimate: Floats) -> float:
    """Average over all orders of tied items; without ties there is only one order."""
    true_ranks, ranks = dense_ranks(truth), dense_ranks(estimate)
    agreeing = above_both(true_ranks, ranks, np.ones((len(truth), 1)))[:, 0]
    sizes = np.bincount(ranks)
    above = len(ranks) - np.cumsum(sizes)
    by_group = np.bincount(ranks, weights=agreeing)
    total = sum(map(_expected_shares, by_group, above.tolist(), sizes.tolist()))
    return 2 * float(total) / (len(ranks) - 1) - 1


def _expected_shares(agreeing: float, above: int, size: int) -> float:
    """Sum the expected shares of one group of ties: any of its items may come at any place.

    At place k of the group, k others of it stand above and half of them agree.
    """
    places = np.arange(size)
    higher = np.maximum(above + places, 1)
    return float(np.sum((agreeing / size + places / 2) / higher))
