"""Texts as numbers of words: few different words, so that they meet in all possible ways."""

import random

import numpy as np
from hypothesis import strategies as st

from pyramidion.kernels import Summaries


def _sentence(seed, size, words):
    return random.Random(seed).choices(range(words), k=size)


_SIZES = st.one_of(
    st.integers(0, 12),
    # Around the length of a machine word, and of two.
    st.sampled_from([1, 62, 63, 64, 65, 126, 127, 128, 129, 150]),
)
SENTENCES = st.one_of(
    st.lists(st.integers(0, 4), max_size=8),
    st.builds(_sentence, st.integers(0, 10**6), _SIZES, st.sampled_from([1, 2, 3, 10, 50])),
)
TEXTS = st.lists(SENTENCES, max_size=4)
MANY_SENTENCES = st.lists(st.lists(st.integers(0, 9), max_size=6), min_size=20, max_size=40)


def bounds(parts):
    """Return where each part starts, and where the last one ends."""
    return np.cumsum([0, *map(len, parts)], dtype=np.int64)


def words_of(text):
    return [word for sentence in text for word in sentence]


def summaries_of(texts, listed=None):
    """Read texts, given as lists of sentences, flat; and the same or others as sentences."""
    listed = texts if listed is None else listed
    sentences = [sentence for text in listed for sentence in text]
    ids = np.array([word for text in texts for word in words_of(text)], np.int32)
    return Summaries(
        ids,
        bounds([words_of(text) for text in texts]),
        # Kernels look whether it is the same array.
        ids if listed is texts else np.array(words_of(sentences), np.int32),
        bounds(sentences),
        bounds(listed),
    )


def all_pairs(size):
    """Pair every text with every text: peers, models."""
    return np.repeat(np.arange(size), size), np.tile(np.arange(size), size)


@st.composite
def summaries(draw):
    """Draw a few summaries; at times the two readings differ, as limits in bytes make them."""
    texts = draw(st.lists(st.one_of(TEXTS, MANY_SENTENCES), min_size=1, max_size=3))
    listed = None
    if draw(st.integers(0, 4)) == 0:
        listed = draw(st.lists(TEXTS, min_size=len(texts), max_size=len(texts)))
    return summaries_of(texts, listed)
