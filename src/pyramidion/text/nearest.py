"""Whether each summary is about its own topic: the nearest of all topics by shared words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion import kernels
from pyramidion._types import Bools, Floats, Ints
from pyramidion.text.encoding import OTHER_SCRIPT_SHARE, other_letters
from pyramidion.text.tokens import lexicon, tokenize

# Peers are compared with all topics in blocks, to limit memory.
_BLOCK = 500


class WordSets:
    """Texts as sets of words: pairs of text and word numbers, sorted by text."""

    def __init__(self) -> None:
        self._vocabulary = kernels.Vocabulary(lexicon())

    def of(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """Return the texts and words of all pairs, each pair once."""
        lines = [text.replace("\n", " ") for text in texts]
        ids, sentences, starts = self._vocabulary.encode(lines)
        numbers = np.repeat(np.arange(len(texts)), np.diff(sentences[starts]))
        words = np.asarray(ids, np.int64)
        # Words of other scripts are invisible to the fast tokenizer.
        other = [i for i, text in enumerate(texts) if not text.isascii() and _is_other(text)]
        if other:
            spelled_texts = [tokenize(texts[i], "unicode") for i in other]
            new_ids = self._vocabulary.encode_words(
                [word for text_words in spelled_texts for word in text_words]
            )
            is_kept = ~np.isin(numbers, other)
            numbers = np.concatenate(
                [numbers[is_kept], np.repeat(other, [len(e) for e in spelled_texts])]
            )
            words = np.concatenate([words[is_kept], new_ids.astype(np.int64)])
        pairs = np.unique(numbers * len(self) + words)
        return pairs // len(self), pairs % len(self)

    def __len__(self) -> int:
        return max(1, len(self._vocabulary))


def _is_other(text: str) -> bool:
    return other_letters([text]) >= OTHER_SCRIPT_SHARE


@dataclass(frozen=True)
class Nearest:
    """The similarity of texts to topics."""

    #: The topic of each text.
    topics: Ints
    #: The similarity of each text to its own topic.
    here: Floats
    #: The other topic that is nearest to each text, and the similarity to it.
    other: Ints
    best: Floats
    #: The share of other topics that are nearer than its own: 0.5 on average by chance.
    rank: Floats
    #: Whether the text's topic has other texts to compare with.
    is_comparable: Bools

    @cached_property
    def is_known(self) -> Bools:
        """Whether a text can be compared, and has words of any topic."""
        return self.is_comparable & (np.maximum(self.here, self.best) > 0)

    @cached_property
    def matches(self) -> Bools:
        """Whether no other topic is nearer."""
        return self.is_known & (self.here >= self.best)


def nearest_topics(
    sets: WordSets,
    texts: Sequence[str],
    topics: Ints,
    anchors: Sequence[str],
    anchor_topics: Ints,
    self_of: Ints,
    number: int,
) -> Nearest:
    """Compare texts with the anchors (references, documents or other summaries) of all topics.

    `self_of` is the anchor that is the text itself, or -1: a text is never compared with itself.
    """
    peers, words = sets.of(texts)
    owners, anchor_words = sets.of(anchors)
    size = len(sets)  # after both, which may have added words
    pairs, counts = np.unique(anchor_words * number + anchor_topics[owners], return_counts=True)
    spread = np.bincount(pairs // number, minlength=size)
    weights = np.log((number + 1) / np.maximum(spread, 1)) ** 2
    weights[spread > max(2, number / 2)] = 0
    norms = np.sqrt(np.bincount(pairs % number, weights[pairs // number], minlength=number))
    is_useful = (spread[words] > 0) & (weights[words] > 0)
    peers, words = peers[is_useful], words[is_useful]
    starts = np.concatenate([[0], np.cumsum(spread)])
    norms_squared = np.sqrt(np.bincount(peers, weights[words], minlength=len(texts)))
    own_match, best_shares, rank = (np.zeros(len(texts)) for _ in range(3))
    other = np.zeros(len(texts), np.int64)
    is_anchor, is_nonempty = self_of >= 0, norms > 0
    # A text that is the only one of its topic cannot be compared with its topic.
    is_only_anchor = is_anchor & (np.bincount(anchor_topics, minlength=number)[topics] == 1)
    for first in range(0, len(texts), _BLOCK):
        low, high = np.searchsorted(peers, [first, first + _BLOCK])
        block, block_words = peers[low:high] - first, words[low:high]
        repeats = spread[block_words]
        rows = np.repeat(np.arange(len(block_words)), repeats)
        entries = (
            np.arange(len(rows))
            - np.repeat(np.cumsum(repeats) - repeats, repeats)
            + starts[block_words][rows]
        )
        topic, peer = pairs[entries] % number, block[rows]
        is_own_anchor = (
            (topic == topics[first + peer]) & is_anchor[first + peer] & (counts[entries] == 1)
        )
        values = np.where(is_own_anchor, 0, weights[block_words][rows])
        length = min(_BLOCK, len(texts) - first)
        sums = np.bincount(peer * number + topic, values, minlength=length * number)
        table = sums.astype(np.float64).reshape(length, number) / np.maximum(norms, 1e-9)
        table /= np.maximum(norms_squared[first : first + length, None], 1e-9)
        lines, own_topics = np.arange(length), topics[first : first + length]
        own_match[first : first + length] = table[lines, own_topics]
        base = table[lines, own_topics][:, None]
        n_nearer = (
            (table > base).sum(axis=1) + ((table == base) & is_nonempty).sum(axis=1) / 2 - 0.5
        )
        rank[first : first + length] = n_nearer / max(1, is_nonempty.sum() - 1)
        table[lines, own_topics] = -1
        other[first : first + length] = table.argmax(axis=1)
        best_shares[first : first + length] = table.max(axis=1)
    return Nearest(
        topics, own_match, other, best_shares, rank, is_nonempty[topics] & ~is_only_anchor
    )
