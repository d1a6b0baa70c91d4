"""Whether each summary is about its own topic: the nearest of all topics by shared words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion import kernels
from pyramidion._types import Bools, Floats, Ints
from pyramidion.text.encoding import OTHER_SCRIPT_SHARE, other_letters
from pyramidion.text.tokens import lexicon, tokenize

# The number of texts compared with all topics at a time, to limit memory.
_BLOCK_TEXTS = 500


class WordSets:
    """Texts as sets of words: pairs of text and word numbers, sorted by text."""

    def __init__(self) -> None:
        self._vocabulary = kernels.Vocabulary(lexicon())

    def pairs_of(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """Return the texts and words of all pairs, each pair once."""
        lines = [text.replace("\n", " ") for text in texts]
        ids, sentences, starts = self._vocabulary.encode(lines)
        numbers = np.repeat(np.arange(len(texts)), np.diff(sentences[starts]))
        words = np.asarray(ids, np.int64)
        # Words of other scripts are invisible to the fast tokenizer.
        other_script_numbers = [
            number
            for number, text in enumerate(texts)
            if not text.isascii() and _is_other_script(text)
        ]
        if other_script_numbers:
            spelled_texts = [tokenize(texts[number], "unicode") for number in other_script_numbers]
            new_ids = self._vocabulary.encode_words(
                [word for text_words in spelled_texts for word in text_words]
            )
            is_kept = ~np.isin(numbers, other_script_numbers)
            numbers = np.concatenate(
                [
                    numbers[is_kept],
                    np.repeat(
                        other_script_numbers, [len(text_words) for text_words in spelled_texts]
                    ),
                ]
            )
            words = np.concatenate([words[is_kept], new_ids.astype(np.int64)])
        pairs = np.unique(numbers * len(self) + words)
        return pairs // len(self), pairs % len(self)

    def __len__(self) -> int:
        return max(1, len(self._vocabulary))


def _is_other_script(text: str) -> bool:
    return other_letters([text]) >= OTHER_SCRIPT_SHARE


@dataclass(frozen=True)
class Nearest:
    """The similarity of texts to topics."""

    #: The topic of each text.
    topics: Ints
    #: The similarity of each text to its own topic.
    own_similarity: Floats
    #: The other topic that is nearest to each text, and the similarity to it.
    nearest_other: Ints
    other_similarity: Floats
    #: The share of other topics that are nearer than its own: 0.5 on average by chance.
    share_nearer: Floats
    #: Whether the text's topic has other texts to compare with.
    is_comparable: Bools

    @cached_property
    def is_known(self) -> Bools:
        """Whether a text can be compared, and has words of any topic."""
        return self.is_comparable & (np.maximum(self.own_similarity, self.other_similarity) > 0)

    @cached_property
    def matches(self) -> Bools:
        """Whether no other topic is nearer."""
        return self.is_known & (self.own_similarity >= self.other_similarity)


def nearest_topics(
    word_sets: WordSets,
    texts: Sequence[str],
    topics: Ints,
    anchors: Sequence[str],
    anchor_topics: Ints,
    own_anchor: Ints,
    n_topics: int,
) -> Nearest:
    """Compare texts with the anchors (references, documents or other summaries) of all topics.

    `own_anchor` is the anchor that is the text itself, or -1: a text is never compared with itself.
    """
    peers, words = word_sets.pairs_of(texts)
    anchor_numbers, anchor_words = word_sets.pairs_of(anchors)
    size = len(word_sets)  # after both, which may have added words
    pairs, counts = np.unique(
        anchor_words * n_topics + anchor_topics[anchor_numbers], return_counts=True
    )
    topic_frequencies = np.bincount(pairs // n_topics, minlength=size)
    weights = np.log((n_topics + 1) / np.maximum(topic_frequencies, 1)) ** 2
    weights[topic_frequencies > max(2, n_topics / 2)] = 0
    topic_norms = np.sqrt(
        np.bincount(pairs % n_topics, weights[pairs // n_topics], minlength=n_topics)
    )
    is_useful = (topic_frequencies[words] > 0) & (weights[words] > 0)
    peers, words = peers[is_useful], words[is_useful]
    starts = np.concatenate([[0], np.cumsum(topic_frequencies)])
    text_norms = np.sqrt(np.bincount(peers, weights[words], minlength=len(texts)))
    own_similarities_of_texts, best_similarities, shares_nearer = (
        np.zeros(len(texts)) for _ in range(3)
    )
    nearest_other_topics = np.zeros(len(texts), np.int64)
    is_anchor, is_nonempty = own_anchor >= 0, topic_norms > 0
    # A text that is the only one of its topic cannot be compared with its topic.
    is_only_anchor = is_anchor & (np.bincount(anchor_topics, minlength=n_topics)[topics] == 1)
    for first in range(0, len(texts), _BLOCK_TEXTS):
        low, high = np.searchsorted(peers, [first, first + _BLOCK_TEXTS])
        block_texts, block_words = peers[low:high] - first, words[low:high]
        repeats = topic_frequencies[block_words]
        rows = np.repeat(np.arange(len(block_words)), repeats)
        entries = (
            np.arange(len(rows))
            - np.repeat(np.cumsum(repeats) - repeats, repeats)
            + starts[block_words][rows]
        )
        topic, peer = pairs[entries] % n_topics, block_texts[rows]
        is_own_anchor = (
            (topic == topics[first + peer]) & is_anchor[first + peer] & (counts[entries] == 1)
        )
        values = np.where(is_own_anchor, 0, weights[block_words][rows])
        length = min(_BLOCK_TEXTS, len(texts) - first)
        sums = np.bincount(peer * n_topics + topic, values, minlength=length * n_topics)
        table = sums.astype(np.float64).reshape(length, n_topics) / np.maximum(topic_norms, 1e-9)
        table /= np.maximum(text_norms[first : first + length, None], 1e-9)
        row_numbers, own_topics = np.arange(length), topics[first : first + length]
        own_similarities_of_texts[first : first + length] = table[row_numbers, own_topics]
        own_similarities = table[row_numbers, own_topics][:, None]
        n_nearer = (
            (table > own_similarities).sum(axis=1)
            + ((table == own_similarities) & is_nonempty).sum(axis=1) / 2
            - 0.5
        )
        shares_nearer[first : first + length] = n_nearer / max(1, is_nonempty.sum() - 1)
        table[row_numbers, own_topics] = -1
        nearest_other_topics[first : first + length] = table.argmax(axis=1)
        best_similarities[first : first + length] = table.max(axis=1)
    return Nearest(
        topics,
        own_similarities_of_texts,
        nearest_other_topics,
        best_similarities,
        shares_nearer,
        is_nonempty[topics] & ~is_only_anchor,
    )
