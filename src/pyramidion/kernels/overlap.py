"""How many units two texts share: n-grams and skip-bigrams, counted and clipped.

This is the readable specification of the compiled functions of the same names, and takes
their place where nothing was compiled. Texts are numbers of words (see `Vocabulary.encode`):
text `t` is ``ids[starts[t] : starts[t + 1]]``.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

__all__ = ["ngram_hits", "skip_hits"]

Ids = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]


def ngram_hits(
    ids: Ids, starts: Numbers, peers: Numbers, models: Numbers, n: int, threads: int = 1
) -> Numbers:
    """Count the n-grams that each peer shares with its model, each as often as both have it.

    Parameters
    ----------
    ids, starts
        The texts.
    peers, models
        Numbers of texts, pair by pair.
    n
        Words in an n-gram; n-grams cross sentence ends.
    threads
        How many threads the compiled kernel uses; the counts do not depend on it.

    Examples
    --------
    >>> ids, starts = np.array([0, 1, 0, 1, 0, 1, 2], np.int32), np.array([0, 4, 7])
    >>> ngram_hits(ids, starts, np.array([0]), np.array([1]), 2).tolist()
    [1]
    """
    return _hits(ids, starts, peers, models, lambda text: _ngrams(text, n))


def skip_hits(
    ids: Ids,
    starts: Numbers,
    peers: Numbers,
    models: Numbers,
    gap: int,
    unigrams: bool,
    threads: int = 1,
) -> Numbers:
    """Count the skip-bigrams that each peer shares with its model.

    Parameters
    ----------
    ids, starts, peers, models, threads
        As for `ngram_hits`.
    gap
        The most words between the two of a pair; no limit if it is negative.
    unigrams
        Whether single words count too; the last word of a text never does, as in ROUGE-1.5.5.

    Examples
    --------
    >>> ids, starts = np.array([0, 1, 2, 0, 2, 1], np.int32), np.array([0, 3, 6])
    >>> skip_hits(ids, starts, np.array([0]), np.array([1]), -1, False).tolist()
    [2]
    """
    return _hits(ids, starts, peers, models, lambda text: _skip_units(text, gap, unigrams))


def _hits(
    ids: Ids,
    starts: Numbers,
    peers: Numbers,
    models: Numbers,
    units: Callable[[list[int]], Iterator[tuple[int, ...]]],
) -> Numbers:
    counts: dict[int, Counter[tuple[int, ...]]] = {}
    for text in {*peers.tolist(), *models.tolist()}:
        counts[text] = Counter(units(ids[starts[text] : starts[text + 1]].tolist()))
    pairs = zip(peers.tolist(), models.tolist(), strict=True)
    shared = ((counts[peer] & counts[model]).total() for peer, model in pairs)
    return np.fromiter(shared, np.int64, len(peers))


def _ngrams(text: list[int], n: int) -> Iterator[tuple[int, ...]]:
    return zip(*(text[start:] for start in range(n)), strict=False)


def _skip_units(text: list[int], gap: int, unigrams: bool) -> Iterator[tuple[int, ...]]:
    for first in range(len(text) - 1):
        if unigrams:
            yield (text[first],)
        last = len(text) if gap < 0 else min(len(text), first + gap + 2)
        for second in range(first + 1, last):
            yield text[first], text[second]
