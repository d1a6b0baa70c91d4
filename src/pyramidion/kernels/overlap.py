"""Clipped counts of the n-grams and skip-bigrams that two texts share.

This is the readable specification of the compiled functions of the same names, and the fallback
if nothing was compiled. Texts are word ids (see `Vocabulary.encode`): text `t` is
``ids[starts[t] : starts[t + 1]]``.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from pyramidion._types import Ints
from pyramidion.kernels.checks import checked_gap, checked_overlap, whole_number
from pyramidion.kernels.summaries import Ids

__all__ = ["ngram_hits", "skip_hits"]


def ngram_hits(ids: Ids, starts: Ints, peers: Ints, models: Ints, n: int, threads: int = 1) -> Ints:
    """Count the n-grams that each peer shares with its model, clipped to the smaller count."""
    ids, starts, peers, models, _ = checked_overlap(ids, starts, peers, models, threads)
    n = whole_number("n", n, least=1)

    @cache
    def ngrams(text: int) -> Counter[tuple[int, ...]]:
        return Counter(_ngrams(ids[starts[text] : starts[text + 1]].tolist(), n))

    pairs = zip(peers.tolist(), models.tolist(), strict=True)
    shared_counts = ((ngrams(peer) & ngrams(model)).total() for peer, model in pairs)
    return np.fromiter(shared_counts, np.int64, len(peers))


def skip_hits(
    ids: Ids, starts: Ints, peers: Ints, models: Ints, gap: int, unigrams: bool, threads: int = 1
) -> Ints:
    """Count the skip-bigrams that each peer shares with its model."""
    ids, starts, peers, models, _ = checked_overlap(ids, starts, peers, models, threads)
    gap = checked_gap(gap, starts, peers, models)

    def words_of(text: int) -> list[int]:
        words: list[int] = ids[starts[text] : starts[text + 1]].tolist()
        return words

    pairs = zip(peers.tolist(), models.tolist(), strict=True)
    shared_counts = (
        _shared_skips(words_of(peer), words_of(model), gap, unigrams) for peer, model in pairs
    )
    return np.fromiter(shared_counts, np.int64, len(peers))


def _ngrams(text: list[int], n: int) -> Iterator[tuple[int, ...]]:
    if n > len(text):
        return iter(())
    return zip(*(text[start:] for start in range(n)), strict=False)


def _shared_skips(peer: list[int], model: list[int], gap: int, unigrams: bool) -> int:
    peer_positions, model_positions = _positions(peer), _positions(model)
    # One first word at a time: all pairs of a long text would not fit in memory.
    n_hits = 0
    for word in peer_positions.keys() & model_positions.keys():
        if unigrams:
            n_hits += min(len(peer_positions[word]), len(model_positions[word]))
        shared_followers = _followers(peer, peer_positions[word], gap) & _followers(
            model, model_positions[word], gap
        )
        n_hits += shared_followers.total()
    return n_hits


def _positions(text: list[int]) -> Mapping[int, list[int]]:
    """Return the positions of each word that can be the first of a pair: all but the last."""
    positions: dict[int, list[int]] = defaultdict(list)
    for position, word in enumerate(text[:-1]):
        positions[word].append(position)
    return positions


def _followers(text: list[int], positions: Sequence[int], gap: int) -> Counter[int]:
    """Count the second words of all pairs whose first word is at one of the positions."""
    max_distance = len(text) if gap < 0 else gap + 1
    return Counter(
        word for index in positions for word in text[index + 1 : index + 1 + max_distance]
    )
