"""How alike sentences are: cosines of their words, the rare ones foremost."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.selection import Choice, choose_ranked
from pyramidion.summarizers.source import Source

__all__ = ["Nearness", "Vectors", "blocks", "choose_apart", "neighbours", "sentence_vectors"]

#: Rows of cosines that are computed at a time, so that memory is bounded.
_ROWS = 1024
#: How many pairs of sentences are compared: 30,000 sentences with each other take some 20 seconds.
_MOST_PAIRS = 30_000**2


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    r"""Sentences, query and known sentences as vectors of length 1.

    A word counts as often as it occurs, times its inverse frequency among the n sentences of
    the input, :math:`\log(1 + n / n_w)`. A sentence without words is 0.

    Parameters
    ----------
    sentences
        A row a sentence, sparse.
    known
        A row a known sentence, sparse.
    profile
        The whole input.
    query
        What is asked; 0 if nothing is.

    Examples
    --------
    >>> source = Source.of_texts(["Rain fell on Ardel. Ardel rain fell. Goats were sold."])
    >>> vectors = sentence_vectors(source)
    >>> (vectors.sentences @ vectors.sentences.T).toarray().round(2).tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """

    sentences: Any
    known: Any
    profile: Floats
    query: Floats

    def focus(self, share: float) -> Floats:
        """Mix the input's vector with the query's, which gets this share."""
        if not self.query.any():
            return self.profile
        return _unit((1 - share) * self.profile + share * self.query)


def sentence_vectors(source: Source) -> Vectors:
    """Make vectors of the sentences of an input.

    Parameters
    ----------
    source
        The input.
    """
    return source.memo("vectors", lambda: _vectors(source))


def _vectors(source: Source) -> Vectors:
    wording = source.wording
    held = np.bincount(wording.presence.indices, minlength=len(wording.words))
    rarity = np.log1p(len(source) / np.maximum(held, 1))
    return Vectors(
        _unit_rows(wording.table, rarity),
        _unit_rows(wording.known_table, rarity),
        _unit(wording.counts * rarity),
        _unit(np.where(held > 0, wording.query, 0.0) * rarity),
    )


class Nearness:
    """How near each sentence is to the nearest of those that were chosen, or are known.

    Parameters
    ----------
    vectors
        The sentences.

    Examples
    --------
    >>> source = Source.of_texts(["Rain fell on Ardel. Ardel rain fell. Goats were sold."])
    >>> nearness = Nearness(sentence_vectors(source))
    >>> nearness.say(0)
    >>> nearness.values.round(2).tolist()
    [1.0, 1.0, 0.0]
    """

    def __init__(self, vectors: Vectors) -> None:
        self._sentences = vectors.sentences
        self.values: Floats = np.zeros(vectors.sentences.shape[0])
        if vectors.known.shape[0]:
            near = (rows.max(axis=1) for rows in blocks(vectors.sentences, vectors.known))
            self.values = np.concatenate([np.asarray(own.todense()).ravel() for own in near])

    def say(self, number: int) -> None:
        """Take notice of a sentence that was chosen."""
        own = self._sentences[[number]].toarray().ravel()
        self.values = np.maximum(self.values, self._sentences @ own)


def choose_apart(
    source: Source, limit: Limit, scores: Floats, most: float, vectors: Vectors | None = None
) -> Choice:
    """Go down a ranking and pass over what is too similar to what was taken, or is known.

    Parameters
    ----------
    source, limit, scores
        See `choose_ranked`.
    most
        Sentences with a greater cosine say the same; 1 passes over nothing.
    vectors
        The sentences, where they are there already.

    Examples
    --------
    >>> text = "Rain fell on all Ardel. In Ardel it fell, rain. Many goats were sold there."
    >>> source = Source.of_texts([text])
    >>> choose_apart(source, Limit(20), np.array([3.0, 2.0, 1.0]), 0.9).numbers
    (0, 2)
    """
    if most >= 1:
        return choose_ranked(source, limit, scores)
    nearness = Nearness(vectors or sentence_vectors(source))

    def acceptable(number: int, taken: list[int]) -> bool:
        if nearness.values[number] > most:
            return False
        nearness.say(number)
        return True

    return choose_ranked(source, limit, scores, acceptable)


def blocks(rows: Any, others: Any) -> Iterator[Any]:
    """Give the cosines of rows with all others, some rows at a time.

    Parameters
    ----------
    rows, others
        Sparse tables of vectors of length 1; so many that it would take minutes are refused.
    """
    if rows.shape[0] * others.shape[0] > _MOST_PAIRS:
        raise InputError(
            f"{rows.shape[0]:,} sentences are too many to compare each with {others.shape[0]:,}",
            hint="summarize less text at once, or use sum-avr or lexrank(continuous)",
        )
    turned = others.T.tocsr()
    return (rows[start : start + _ROWS] @ turned for start in range(0, rows.shape[0], _ROWS))


def neighbours(rows: Any, threshold: float) -> Any:
    """Give which rows have a cosine above a threshold, as a sparse table of ones.

    Parameters
    ----------
    rows
        A sparse table of vectors of length 1.
    threshold
        The cosine that must be exceeded.
    """
    from scipy.sparse import vstack

    parts = []
    for cosines in blocks(rows, rows):
        cosines.data = (cosines.data > threshold).astype(np.float64)
        cosines.eliminate_zeros()
        parts.append(cosines)
    return vstack(parts, format="csr")


def _unit_rows(table: Any, rarity: Floats) -> Any:
    from scipy.sparse import csr_array

    data = table.data * rarity[table.indices]
    weighed = csr_array((data, table.indices, table.indptr), shape=table.shape)
    lengths = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)))
    scale = np.repeat(1 / np.where(lengths > 0, lengths, 1.0), np.diff(table.indptr))
    return csr_array((data * scale, table.indices, table.indptr), shape=table.shape)


def _unit(vector: Floats) -> Floats:
    length = float(np.sqrt(vector @ vector))
    return vector / length if length > 0 else vector
