"""Samples of topics with known probabilities, spread over what a judge says about them."""

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError

_TOLERANCE = 1e-9


def inclusion_probabilities(sizes: npt.ArrayLike, n: int) -> Floats:
    """Return probabilities in proportion to sizes that sum to n, none of them above 1.

    Examples
    --------
    >>> inclusion_probabilities([1, 1, 1, 9], 2).round(2).tolist()
    [0.33, 0.33, 0.33, 1.0]
    """
    topic_sizes = np.asarray(sizes, dtype=np.float64)
    if not 0 < n <= len(topic_sizes) or not (topic_sizes > 0).all():
        raise InputError(
            f"cannot choose {n} of {len(topic_sizes)} topics", "choose fewer, at least one"
        )
    probabilities: Floats = topic_sizes * n / topic_sizes.sum()
    while (probabilities > 1).any():
        is_certain = probabilities >= 1
        probabilities[is_certain] = 1.0
        probabilities[~is_certain] *= (n - is_certain.sum()) / probabilities[~is_certain].sum()
    return probabilities


def spread_sample(
    probabilities: Floats, profiles: Floats, rng: int | np.random.Generator = 0
) -> Ints:
    """Draw rows with given probabilities, so that similar rows are rarely drawn together.

    The local pivotal method: two neighbors compete until each row is in or out.

    Parameters
    ----------
    probabilities
        The inclusion probability of each row.
    profiles
        One row of numbers for each; without columns, the sample is random.

    References
    ----------
    .. [1] A. Grafström, N. L. P. Lundström and L. Schelin, "Spatially balanced sampling through the
       pivotal method", Biometrics 68, 2012.

    Examples
    --------
    >>> rows = np.arange(10.0)[:, None]
    >>> drawn = spread_sample(np.full(10, 0.2), rows, rng=1)
    >>> len(drawn), bool(drawn[1] - drawn[0] > 1)
    (2, True)
    """
    p, rng = probabilities.copy(), np.random.default_rng(rng)
    undecided_topics = np.flatnonzero((p > _TOLERANCE) & (p < 1 - _TOLERANCE))
    while len(undecided_topics) > 1:
        i = undecided_topics[rng.integers(len(undecided_topics))]
        other_indices = undecided_topics[undecided_topics != i]
        distances = ((profiles[other_indices] - profiles[i]) ** 2).sum(axis=1)
        nearest_indices = other_indices[distances <= distances.min() * (1 + _TOLERANCE)]
        j = nearest_indices[rng.integers(len(nearest_indices))]
        total = p[i] + p[j]
        # The loser keeps what the winner cannot take; on average both keep their probability.
        p_first_wins = p[i] / total if total < 1 else (1 - p[j]) / (2 - total)
        winner, loser = (i, j) if rng.random() < p_first_wins else (j, i)
        p[winner], p[loser] = min(total, 1.0), max(total - 1.0, 0.0)
        undecided_topics = undecided_topics[
            (p[undecided_topics] > _TOLERANCE) & (p[undecided_topics] < 1 - _TOLERANCE)
        ]
    for i in undecided_topics:
        p[i] = float(rng.random() < p[i])
    return np.flatnonzero(p > 0.5)
