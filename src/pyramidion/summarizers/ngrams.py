"""Sequences of words within sentences, counted in tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.wording import Wording
from pyramidion.text import is_stop_word

__all__ = ["NGrams", "ngrams_of"]


@dataclass(frozen=True, slots=True, eq=False)
class NGrams:
    """The n-grams of an input, with stop words, none across the end of a sentence.

    Parameters
    ----------
    table
        How often each sentence (row) has each n-gram (column), sparse.
    spread
        How many documents have it.
    known
        How often the known texts have it.
    references
        How often each reference (row) has it.
    content
        How many of its words are no stop words.
    asked
        How many of its words are content words of the query.
    wording, words
        The words by number, and the numbers of each n-gram's words.

    Examples
    --------
    >>> grams = ngrams_of(Source.of_texts(["Rain fell on Ardel. Rain fell."]), 2)
    >>> [grams.label(k) for k in range(len(grams.spread))], grams.content.tolist()
    (['rain fall', 'fall on', 'on ardel'], [2, 1, 1])
    """

    table: Any
    spread: Floats
    known: Floats
    references: Floats
    content: Ints
    asked: Ints
    wording: Wording
    words: Ints

    def label(self, number: int) -> str:
        """Give the words of an n-gram."""
        return " ".join(self.wording.words[word] for word in self.words[number])

    def had(self, sentences: Sequence[int]) -> Ints:
        """Count each n-gram in some sentences."""
        if not sentences:
            return np.zeros(len(self.words), dtype=np.int64)
        return np.asarray(self.table[list(sentences)].sum(axis=0)).ravel().astype(np.int64)

    def gains(self, weights: Floats, number: int, said: Sequence[int]) -> Floats:
        """Give what a sentence adds to others by each n-gram, see `best_cover` for the weights."""
        steps = np.atleast_2d(weights)
        worth = np.vstack([np.zeros(steps.shape[1]), np.cumsum(steps, axis=0)])
        before = np.minimum(self.had(said), len(steps))
        after = np.minimum(before + self.had([number]), len(steps))
        every = np.arange(steps.shape[1])
        added: Floats = worth[after, every] - worth[before, every]
        return added

    def heaviest(self, weights: Floats, most: int | None) -> tuple[tuple[str, float], ...]:
        """List the n-grams that have a weight, the heaviest first."""
        order = np.argsort(-weights, kind="stable")[: np.count_nonzero(weights > 0)]
        return tuple((self.label(k), float(weights[k])) for k in order[:most].tolist())


def ngrams_of(source: Source, n: int, *, references: bool = False) -> NGrams:
    """Count the n-grams of an input.

    Parameters
    ----------
    source
        The input.
    n
        How many words an n-gram has.
    references
        Whether those of the references are counted, too.
    """
    return source.memo(("n-grams", n, references), lambda: _counted_ngrams(source, n, references))


def _counted_ngrams(source: Source, n: int, references: bool) -> NGrams:
    reading = replace(source.reading, stop_words=False)
    wording = source.read(reading, references=references)
    encoded = wording.encoded
    firsts, rows = _places(encoded.sentences, n)
    numbers, words = _numbered(encoded.ids.astype(np.int64), firsts, n, len(wording.words))
    texts = np.repeat(np.arange(len(encoded)), np.diff(encoded.texts))[rows]
    there, total = texts == 0, len(words)
    table = _table(rows[there], numbers[there], (len(source), total))
    content = _content_words(source, wording)
    asked = content & (wording.query > 0)
    return NGrams(
        table,
        _counted(np.unique(source.homes[rows[there]] * total + numbers[there]) % total, total),
        _counted(numbers[texts == 2], total),
        np.array([_counted(numbers[texts == k], total) for k in range(3, len(encoded))]),
        content[words].sum(axis=1),
        asked[words].sum(axis=1),
        wording,
        words,
    )


def _places(starts: Ints, n: int) -> tuple[Ints, Ints]:
    """Give where n-grams begin, and the number of the sentence of each."""
    numbers = np.maximum(np.diff(starts) - n + 1, 0)
    rows = np.repeat(np.arange(len(numbers)), numbers)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    return starts[:-1][rows] + within, rows


def _numbered(ids: Ints, firsts: Ints, n: int, words: int) -> tuple[Ints, Ints]:
    """Give numbers to n-grams in the order of their appearance, and the words of each."""
    codes = ids[firsts]
    for place in range(1, n):
        codes = np.unique(codes, return_inverse=True)[1] * words + ids[firsts + place]
    _, where, codes = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(where)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    return ranks[codes], ids[firsts[where[order]][:, None] + np.arange(n)]


def _content_words(source: Source, wording: Wording) -> Bools:
    """Tell which words are not on the stop list, where the input is read with one."""
    content = np.ones(len(wording.words), dtype=np.bool_)
    if source.reading.stop_words:
        # The list is of words, not of stems: forms are looked up beside their stems.
        plain = source.read(replace(source.reading, stem=False, stop_words=False))
        forms = np.array([is_stop_word(word) for word in plain.words], dtype=np.bool_)
        content[wording.ids[forms[plain.ids]]] = False
    return content


def _table(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def _counted(numbers: Ints, total: int) -> Floats:
    return np.bincount(numbers, minlength=total).astype(np.float64)
