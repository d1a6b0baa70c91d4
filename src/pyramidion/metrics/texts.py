"""The texts of a run: each is read once, whatever number of metrics look at it."""

from collections.abc import Callable, Hashable
from dataclasses import asdict
from typing import Any, TypeVar

import numpy as np

from pyramidion.metrics.sparse import Sparse
from pyramidion.text.encoding import Encoded, Reading, as_sentences, encode

__all__ = ["Reading", "Texts"]

Made = TypeVar("Made")


class Texts:
    """Texts by number, each there once, and what was made of them.

    Examples
    --------
    >>> texts = Texts()
    >>> texts.number("Rain fell. It rained."), texts.number(("Rain.",)), len(texts)
    (0, 1, 2)
    >>> texts[0]
    ('Rain fell.', 'It rained.')
    >>> texts.counts(Reading()).toarray().tolist()
    [[2, 1, 1], [1, 0, 0]]
    """

    def __init__(self) -> None:
        self._given: list[str | tuple[str, ...]] = []
        self._sentences: list[tuple[str, ...] | None] = []
        self._numbers: dict[str | tuple[str, ...], int] = {}
        self._made: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self._given)

    def __getitem__(self, number: int) -> tuple[str, ...]:
        """Give a text in sentences."""
        if self._sentences[number] is None:
            given = self._given[number]
            self._sentences[number] = given if isinstance(given, tuple) else as_sentences(given)
        return self._sentences[number] or ()

    def given(self, number: int) -> str | tuple[str, ...]:
        """Give a text as it came."""
        return self._given[number]

    def plain(self, number: int) -> str:
        """Give a text as one string."""
        given = self._given[number]
        return given if isinstance(given, str) else " ".join(given)

    def number(self, text: str | tuple[str, ...]) -> int:
        """Give the number of a text, a new one if it was not there."""
        number = self._numbers.setdefault(text, len(self._given))
        if number == len(self._given):
            self._given.append(text)
            self._sentences.append(None)
            # What was made of fewer texts does not cover this one.
            self._made.clear()
        return number

    def memo(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Make something of the texts once, for all metrics that ask for it.

        Parameters
        ----------
        key
            What it is called; begin it with the name of the metric's module.
        make
            Makes it.
        """
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def encoded(self, reading: Reading) -> Encoded:
        """Give all texts as numbers of words, sentence by sentence."""
        texts = (self[number] for number in range(len(self)))
        return self.memo(reading, lambda: encode(list(texts), **asdict(reading)))

    def counts(self, reading: Reading, n: int = 1) -> Sparse:
        """Count words or n-grams: one row a text, one column a word or n-gram.

        N-grams do not stop at the end of a sentence, as in ROUGE.
        """
        return self.memo((reading, n), lambda: _count(self.encoded(reading), n))

    def grams(self, reading: Reading, n: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Give the words of each n-gram that `counts` has a column for, one row a column."""
        return self.memo((reading, n, "grams"), lambda: _number_grams(self.encoded(reading), n)[0])


def _number_grams(
    encoded: Encoded, n: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Give the different n-grams of texts, and for each occurrence its number and its text."""
    lengths = np.maximum(encoded.lengths - n + 1, 0)
    owner = np.repeat(np.arange(len(encoded)), lengths)
    first = np.repeat(encoded.starts[:-1], lengths)
    places = first + np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    words = [encoded.ids[places + k].astype(np.int64) for k in range(n)]
    grams, numbers = words[0][:, None], words[0]
    for column, word in enumerate(words[1:], start=1):
        # One more word at a time, so that no number grows beyond 64 bits.
        joined = numbers * len(encoded.words) + word
        _, first_place, numbers = np.unique(joined, return_index=True, return_inverse=True)
        grams = np.stack([w[first_place] for w in words[: column + 1]], axis=1)
    if n == 1:
        grams = np.arange(len(encoded.words))[:, None]
    return grams, numbers, owner


def _count(encoded: Encoded, n: int) -> Sparse:
    from scipy.sparse import csr_array

    grams, numbers, owner = _number_grams(encoded, n)
    ones = np.ones(len(owner), dtype=np.int64)
    table = csr_array((ones, (owner, numbers)), shape=(len(encoded), len(grams)))
    table.sum_duplicates()
    return table
