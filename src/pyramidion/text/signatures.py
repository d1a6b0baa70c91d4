r"""Topic signatures: the words that an input has more often than text in general.

A word's weight is :math:`-2\log\lambda`, twice the logarithm of how much better two rates of
occurrence explain the counts than one rate would (Dunning 1993; Lin and Hovy 2000).
"""

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.text.background import Background

__all__ = ["SIGNATURE_CUTOFF", "log_likelihood_ratios", "signature_weights"]

#: Words above it are a topic's signature; 10.83 is the 0.001 point of chi-square.
SIGNATURE_CUTOFF = 10.0


def log_likelihood_ratios(
    counts: npt.ArrayLike, total: int, background: npt.ArrayLike, background_total: int
) -> Floats:
    r"""Give :math:`-2\log\lambda` of each word; negative where it is rarer than in general.

    Parameters
    ----------
    counts, total
        Occurrences of each word in the input, and of all its words.
    background, background_total
        The same in general.

    References
    ----------
    Dunning (1993). Accurate methods for the statistics of surprise and coincidence.
    Computational Linguistics 19(1).

    Examples
    --------
    >>> log_likelihood_ratios([10, 1], 100, [10, 10], 1000).round(2).tolist()
    [22.91, 0.0]
    """
    k1, k2 = np.asarray(counts, dtype=np.float64), np.asarray(background, dtype=np.float64)
    n1, n2 = float(total), float(background_total)
    both = (k1 + k2) / max(n1 + n2, 1.0)
    ratio = 2 * (
        _log_likelihood(k1, n1, k1 / max(n1, 1.0))
        + _log_likelihood(k2, n2, k2 / max(n2, 1.0))
        - _log_likelihood(k1, n1, both)
        - _log_likelihood(k2, n2, both)
    )
    return np.where(k1 * n2 >= k2 * n1, np.maximum(ratio, 0.0), -np.maximum(ratio, 0.0))


def _log_likelihood(k: Floats, n: float, p: Floats) -> Floats:
    """Give the logarithm of a binomial's likelihood without its coefficient; 0 log 0 is 0."""
    from scipy.special import xlog1py, xlogy

    likelihood = xlogy(k, p) + xlog1py(n - k, -p)
    return np.asarray(likelihood, dtype=np.float64)


def signature_weights(words: list[str], counts: npt.ArrayLike, background: Background) -> Floats:
    """Weigh the words of an input; those above `SIGNATURE_CUTOFF` are its signature.

    Parameters
    ----------
    words
        The words, read as the background's were (stemmed or not, with or without stop words).
    counts
        How often the input has each.
    background
        What is common in general.

    Examples
    --------
    >>> from pyramidion.text.background import default_background
    >>> weights = signature_weights(["flood", "the"], [12, 30], default_background())
    >>> (weights > SIGNATURE_CUTOFF).tolist()
    [True, True]
    """
    numbers = np.asarray(counts)
    return log_likelihood_ratios(
        numbers, int(numbers.sum()), background.of(words), background.total
    )
