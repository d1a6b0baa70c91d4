"""Texts as numbers of words, sentence by sentence, for work on many of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion import kernels
from pyramidion._types import Ints
from pyramidion.text.stems import lexicon
from pyramidion.text.tokens import Tokenizer, tokenize

__all__ = ["Encoded", "Reading", "as_sentences", "encode", "lines_of"]

#: Characters; sentences of longer texts are not kept for the next time.
_SHORT = 10_000


@dataclass(frozen=True, slots=True)
class Reading:
    """How texts become words.

    Examples
    --------
    >>> Reading(stop_words=True)
    Reading(stem=True, stop_words=True, tokenizer='rouge')
    """

    stem: bool = True
    stop_words: bool = False
    tokenizer: Tokenizer = "rouge"


@dataclass(frozen=True)
class Encoded:
    """Texts as numbers of words.

    Parameters
    ----------
    ids
        The words of all sentences of all texts, one after the other.
    sentences
        Where each sentence begins in `ids`, and the end.
    texts
        Where each text begins in `sentences`, and the end.
    words
        The words (their stems, where stemming was asked for) by number.

    Examples
    --------
    >>> encoded = encode(["Rain fell.", ["It rained.", "Rain!"]], stem=True)
    >>> encoded.words, encoded.ids.tolist(), encoded.lengths.tolist()
    (['rain', 'fall', 'it'], [0, 1, 2, 0, 0], [2, 3])
    >>> [sentence.tolist() for sentence in encoded.sentences_of(1)]
    [[2, 0], [0]]
    """

    ids: npt.NDArray[np.int32]
    sentences: Ints
    texts: Ints
    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts) - 1

    @property
    def starts(self) -> Ints:
        """Where each text begins in `ids`, and the end."""
        return self.sentences[self.texts]

    @property
    def lengths(self) -> Ints:
        """The number of words of each text."""
        return np.diff(self.starts)

    @property
    def sentence_lengths(self) -> Ints:
        """The number of words of each sentence of each text, one after the other."""
        return np.diff(self.sentences)

    def text(self, number: int) -> npt.NDArray[np.int32]:
        """Give the words of a text."""
        first, last = self.texts[number], self.texts[number + 1]
        return self.ids[self.sentences[first] : self.sentences[last]]

    def sentences_of(self, number: int) -> list[npt.NDArray[np.int32]]:
        """Give the words of each sentence of a text; a sentence may have none."""
        bounds = self.sentences[self.texts[number] : self.texts[number + 1] + 1]
        return np.split(self.ids[bounds[0] : bounds[-1]], bounds[1:-1] - bounds[0])


def encode(
    texts: Sequence[Any],
    *,
    tokenizer: Tokenizer = "rouge",
    stem: bool = False,
    stop_words: bool = False,
    exceptions: bool = True,
) -> Encoded:
    """Tokenize many texts and number their words, with one vocabulary for all.

    Parameters
    ----------
    texts
        Each a text, whose lines are its sentences, or a sequence of sentences.
    tokenizer, stem, stop_words, exceptions
        See `words`: stop words are dropped, what is left is stemmed.

    Examples
    --------
    >>> encode(["La neige tombe, l'été aussi."], tokenizer="unicode").words
    ['la', 'neige', 'tombe', 'l', 'été', 'aussi']
    """
    known = lexicon(exceptions=exceptions)
    vocabulary = kernels.Vocabulary(known, stem=stem, stop_words=stop_words)
    if tokenizer == "rouge":
        return Encoded(*vocabulary.encode(texts), vocabulary.words)
    ids, sentence_ends, text_ends = [np.empty(0, np.int32)], [0], [0]
    for text in texts:
        for sentence in lines_of(text):
            ids.append(vocabulary.encode_words(tokenize(sentence, tokenizer)))
            sentence_ends.append(sentence_ends[-1] + len(ids[-1]))
        text_ends.append(len(sentence_ends) - 1)
    bounds = np.array(sentence_ends), np.array(text_ends)
    return Encoded(np.concatenate(ids), *bounds, vocabulary.words)


def lines_of(text: Any) -> Sequence[str | bytes]:
    r"""Give the lines of a text, or its sentences as they are.

    Examples
    --------
    >>> lines_of("Rain fell.\nIt was cold."), lines_of(["Rain fell."])
    (['Rain fell.', 'It was cold.'], ['Rain fell.'])
    """
    if isinstance(text, str):
        return text.split("\n")
    return text.split(b"\n") if isinstance(text, bytes) else text


def as_sentences(text: str) -> tuple[str, ...]:
    r"""Split prose; a text with line breaks is given in sentences already.

    Parameters
    ----------
    text
        A summary.

    Examples
    --------
    >>> as_sentences("Rain fell. It was cold."), as_sentences("Rain fell.\nCold. Wet.")
    (('Rain fell.', 'It was cold.'), ('Rain fell.', 'Cold. Wet.'))
    """
    if "\n" in text.strip():
        return tuple(text.split("\n"))
    return _split(text) if len(text) <= _SHORT else _split.__wrapped__(text)


@lru_cache(maxsize=10_000)
def _split(text: str) -> tuple[str, ...]:
    from pyramidion.text.sentences import split_sentences

    return tuple(split_sentences(text))
