"""The words of an input as one way of reading finds them, counted in tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.text._encoding import Encoded, Reading, encode
from pyramidion.text._tagging import content_only

__all__ = ["Content", "Wording"]

Content = Literal["stop-list", "pos", "all"]
"""How content words are told: as the reading says, by part of speech, or not at all."""

Ids = npt.NDArray[np.int32]

_QUERY, _KNOWN, _REFERENCES = 1, 2, 3


@dataclass(frozen=True, eq=False)
class Wording:
    """Sentences, query, known texts and references as numbers of words.

    Parameters
    ----------
    encoded
        The input (a text of all its sentences), the query, what is known (a text of all its
        sentences), and then the references.
    documents
        The number of the document of each sentence.

    Examples
    --------
    >>> wording = Wording.of(["Rain fell.", "Rain and mud."], np.array([0, 1]), query="rain?")
    >>> wording.words, wording.counts.tolist(), wording.query.tolist()
    (['rain', 'fall', 'and', 'mud'], [2.0, 1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0])
    """

    encoded: Encoded
    documents: Ints

    @classmethod
    def of(
        cls,
        sentences: Sequence[str],
        documents: Ints,
        *,
        query: str = "",
        known: Sequence[str] = (),
        references: Sequence[Sequence[str]] = (),
        reading: Reading | None = None,
        content: Content = "stop-list",
    ) -> "Wording":
        """Give numbers to the words of sentences, and of what is asked, known and hoped for.

        Parameters
        ----------
        sentences, documents
            The input, and the number of the document of each sentence.
        query, known, references
            What is asked, sentences that are known, and the sentences of each reference.
        reading
            How words are found.
        content
            With ``pos`` only nouns, verbs, adjectives and numbers are kept.
        """
        reading = reading or Reading()
        texts: list[Sequence[str]] = [sentences, [query], known, *references]
        encoded = encode(
            [content_only(own) for own in texts] if content == "pos" else list(map(list, texts)),
            tokenizer=reading.tokenizer,
            stem=reading.stem,
            stop_words=reading.stop_words,
        )
        return cls(encoded, documents)

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def words(self) -> Sequence[str]:
        """The words (their stems) by number."""
        return self.encoded.words

    @cached_property
    def starts(self) -> Ints:
        """Where each sentence begins in `ids`, and the end."""
        return self.encoded.sentences[: len(self) + 1]

    @cached_property
    def ids(self) -> Ids:
        """The words of all sentences, one after the other."""
        return self.encoded.ids[: self.starts[-1]]

    @cached_property
    def table(self) -> Any:
        """How often each sentence (row) has each word (column), as a sparse table."""
        return self._table(self.ids, self.starts)

    @cached_property
    def rows(self) -> Ints:
        """The number of the sentence of each of `ids`."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """The sentence and the word of each different word of each sentence."""
        firsts = self.rows * len(self.words)
        codes = np.sort(firsts + self.ids)
        different = np.diff(codes, prepend=-1) > 0
        return self.rows[different], (codes - firsts)[different]

    @cached_property
    def presence(self) -> Any:
        """Which sentence (row) has which word (column): 1 or nothing."""
        from scipy.sparse import csr_array

        sentences, words = self.pairs
        bounds = np.searchsorted(sentences, np.arange(len(self) + 1))
        shape = (len(self), len(self.words))
        return csr_array((np.ones(len(words)), words, bounds), shape=shape)

    @cached_property
    def counts(self) -> Floats:
        """How often the documents have each word."""
        return self._counted(self.ids)

    @cached_property
    def spread(self) -> Floats:
        """How many documents have each word."""
        pairs = np.unique(self.documents[self.rows] * len(self.words) + self.ids)
        return self._counted(pairs % max(len(self.words), 1))

    @cached_property
    def query(self) -> Floats:
        """How often the query has each word."""
        return self._counted(self.encoded.text(_QUERY))

    @cached_property
    def known(self) -> Floats:
        """How often the known texts have each word."""
        return self._counted(self.encoded.text(_KNOWN))

    @cached_property
    def known_table(self) -> Any:
        """How often each known sentence (row) has each word (column), as a sparse table."""
        first, last = self.encoded.texts[_KNOWN], self.encoded.texts[_KNOWN + 1]
        bounds = self.encoded.sentences[first : last + 1]
        return self._table(self.encoded.text(_KNOWN), bounds - bounds[0])

    @cached_property
    def references(self) -> list[list[Ids]]:
        """The words of each sentence of each reference."""
        return [self.encoded.sentences_of(k) for k in range(_REFERENCES, len(self.encoded))]

    def sentence(self, number: int) -> Ids:
        """Give the words of a sentence, in their order."""
        return self.ids[self.starts[number] : self.starts[number + 1]]

    def weighed(self, number: int, weights: Floats) -> tuple[tuple[str, float], ...]:
        """Give the different words of a sentence that have a weight, the heaviest first."""
        own, words = np.zeros(len(weights)), self.sentence(number)
        own[words] = weights[words]
        return heaviest(self.words, own)

    def _table(self, ids: Ids, starts: Ints) -> Any:
        from scipy.sparse import csr_array

        shape = (len(starts) - 1, len(self.words))
        table = csr_array((np.ones(len(ids)), ids.copy(), starts.astype(np.int32)), shape=shape)
        table.sum_duplicates()
        return table

    def _counted(self, ids: npt.NDArray[Any]) -> Floats:
        return np.bincount(ids, minlength=len(self.words)).astype(np.float64)


def heaviest(
    words: Sequence[str], weights: Floats, most: int | None = None
) -> tuple[tuple[str, float], ...]:
    """List the words that have a weight, the heaviest first.

    Parameters
    ----------
    words, weights
        Words, and what each weighs.
    most
        How many; all if it is not given.

    Examples
    --------
    >>> heaviest(["rain", "mud", "goat"], np.array([0.2, 0.0, 0.5]))
    (('goat', 0.5), ('rain', 0.2))
    """
    order = np.argsort(-weights, kind="stable")
    order = order[: np.count_nonzero(weights > 0)][:most]
    return tuple((words[k], float(weights[k])) for k in order.tolist())
