"""Parts of speech, by an averaged perceptron that comes with the package.

It was trained on the treebanks that ``data/tagger.md`` names and needs nothing but numpy. Tags
come in pairs: the Penn Treebank's fine ones and Universal Dependencies'.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pyramidion._types import Ints
from pyramidion.text.feature_hashes import hash_numbers
from pyramidion.text.hashed_weights import HashedWeights, Scores, read_model
from pyramidion.text.lemmas import Lemmatizer
from pyramidion.text.tagger_features import (
    Batch,
    WordTable,
    batch_of,
    dynamic_hashes,
    static_hashes,
)

__all__ = ["TagPair", "Tagger", "load_tagger"]

_MODEL = Path(__file__).parent / "data" / "tagger.model"
#: Words that are tagged at a time.
_AT_ONCE = 20_000


class TagPair(NamedTuple):
    """A word's part of speech, twice.

    Examples
    --------
    >>> TagPair("VBD", "AUX").tag
    'AUX'
    """

    fine: str
    tag: str


class Tagger:
    """Tells parts of speech.

    Parameters
    ----------
    pairs
        The tags by number.
    classes
        The tags that words had in the treebanks.
    weights
        What features say about tags.
    lemmatizer
        Gives base forms.

    Examples
    --------
    >>> tagger = load_tagger()
    >>> [pair.fine for pair in tagger.tag([["Rain", "has", "flooded", "roads", "."]])[0]]
    ['NN', 'VBZ', 'VBN', 'NNS', '.']
    """

    def __init__(
        self,
        pairs: Sequence[TagPair],
        classes: Mapping[str, str],
        weights: HashedWeights,
        lemmatizer: Lemmatizer,
    ) -> None:
        self.pairs = tuple(pairs)
        self.weights = weights
        self.lemmatizer = lemmatizer
        self._classes = classes
        self._table = WordTable(classes)
        self._hashes = hash_numbers(range(len(self.pairs) + 1))

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[TagPair]]:
        """Tag sentences.

        Parameters
        ----------
        sentences
            The words of each, as `grammar_tokens` cuts them.
        """
        return [
            [self.pairs[number] for number in numbers]
            for own in _portions(sentences)
            for numbers in self._tagged(own)
        ]

    def lemma(self, word: str, fine: str) -> str:
        """Give the base form of a word with a tag, in small letters."""
        return self.lemmatizer.lemma(word, fine)

    def is_common(self, word: str) -> bool:
        """Whether a word (in small letters) was seen as one that is not of names.

        Parameters
        ----------
        word
            A word; of one that is not known that is not said.

        Examples
        --------
        >>> load_tagger().is_common("winter"), load_tagger().is_common("arafat")
        (True, False)
        """
        kinds = self._classes.get(word, "")
        return any(not kind.startswith("NNP") for kind in kinds.split("|") if kind)

    def _tagged(self, sentences: Sequence[Sequence[str]]) -> list[list[int]]:
        self._table.tidy()
        batch = batch_of(sentences, self._table)
        static = self.weights.score(static_hashes(batch, batch.places))
        numbers = self._walk(batch, static)
        ends = np.cumsum(batch.lengths)
        return [own.tolist() for own in np.split(numbers, ends[:-1])] if len(ends) else []

    def _walk(self, batch: Batch, static: Scores) -> Ints:
        """Go through all sentences at once, from their first words to their last."""
        order = np.argsort(-batch.lengths, kind="stable")
        lengths, places = batch.lengths[order], batch.places
        firsts = (np.cumsum(batch.lengths) - batch.lengths)[order]
        found = np.zeros(len(places), np.int64)
        before = second = np.full(len(order), len(self.pairs))
        for step in range(int(lengths.max(initial=0))):
            there = int(np.searchsorted(-lengths, -step))
            at = firsts[:there] + step
            before, second = before[:there], second[:there]
            tags = self._hashes[before], self._hashes[second]
            said = self.weights.score(dynamic_hashes(batch, places[at], *tags))
            before, second = (said + static[at]).argmax(axis=1), before
            found[at] = before
        return found

    @classmethod
    def read(cls, path: Path) -> "Tagger":
        """Read a tagger from a file.

        Parameters
        ----------
        path
            The file; see ``data/tagger.md``.
        """
        header, weights = read_model(path)
        pairs = [TagPair(*pair) for pair in header["pairs"]]
        return cls(pairs, _classes(header), weights, Lemmatizer.from_header(header["lemmas"]))


def _classes(header: Mapping[str, Any]) -> dict[str, str]:
    return {word: kind for kind, words in header["classes"].items() for word in words.split()}


def _portions(sentences: Sequence[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    """Give as many sentences at a time as are quick to work on."""
    portion: list[Sequence[str]] = []
    size = 0
    for words in sentences:
        portion.append(words)
        size += len(words)
        if size > _AT_ONCE:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


@cache
def load_tagger() -> Tagger:
    """Load the tagger that comes with the package, once.

    Examples
    --------
    >>> load_tagger().lemma("Went", "VBD")
    'go'
    """
    return Tagger.read(_MODEL)
