"""Words of a summary beside words of its input or references, for the metrics that compare them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.metrics.cases import Cases, TextSets
from pyramidion.metrics.texts import Reading

__all__ = ["Side", "WordCounts", "sets_of", "word_counts"]

#: What a summary's words are compared with.
Side = Literal["input", "references"]

#: Cases at a time, so that a million summaries of long inputs fit into memory.
_BLOCK = 2000


@dataclass(frozen=True)
class WordCounts:
    """For some cases, every word that either side has, and how often both have it.

    Parameters
    ----------
    cases
        How many cases there are.
    rows
        The case, from 0, of each word.
    words
        The word's number.
    own, other
        How often the summary has it, and the other side.

    Examples
    --------
    >>> cases = Cases.of_texts(["Rain, rain."], [["Rain fell.", "It rained."]])
    >>> counts = next(word_counts(cases, "references", Reading()))
    >>> counts.own.tolist(), counts.other.tolist(), counts.other_totals.tolist()
    ([2.0, 0.0, 0.0], [2.0, 1.0, 1.0], [4.0])
    """

    cases: int
    rows: Ints
    words: Ints
    own: Floats
    other: Floats

    def sums(self, values: npt.NDArray[np.generic]) -> Floats:
        """Add up a number for each word by case."""
        sums = np.bincount(self.rows, weights=values.astype(np.float64), minlength=self.cases)
        return np.asarray(sums, dtype=np.float64)

    @property
    def own_totals(self) -> Floats:
        """The number of words of each summary."""
        return self.sums(self.own)

    @property
    def other_totals(self) -> Floats:
        """The number of words of each other side."""
        return self.sums(self.other)

    @property
    def other_sizes(self) -> Floats:
        """The number of different words of each other side."""
        return self.sums(self.other > 0)

    @property
    def defined(self) -> Bools:
        """Where both sides have words."""
        return (self.own_totals > 0) & (self.other_totals > 0)


def sets_of(cases: Cases, side: Side) -> TextSets:
    """Give the texts that a side consists of.

    Examples
    --------
    >>> sets_of(Cases.of_texts(["Rain."], [["Rain fell."]]), "input").sizes.tolist()
    [0]
    """
    return cases.documents if side == "input" else cases.references


def word_counts(cases: Cases, side: Side, reading: Reading) -> Iterator[WordCounts]:
    """Count the words of summaries and of their input or references, some cases at a time.

    Parameters
    ----------
    cases
        The summaries.
    side
        What they are compared with; its texts are taken together.
    reading
        How words are found.
    """
    from scipy.sparse import csr_array

    counts = cases.texts.counts(reading)
    sets = sets_of(cases, side)
    others = sets.summed(counts)
    for start in range(0, max(len(cases), 1), _BLOCK):
        block = slice(start, start + _BLOCK)
        # One table for both sides: the summaries' counts are its imaginary part.
        own = counts[cases.peers[block]].astype(np.complex128)
        own.data *= 1j
        both = csr_array(own + others[sets.of[block]])
        both.sort_indices()
        number = both.shape[0]
        rows = np.repeat(np.arange(number), np.diff(both.indptr))
        words = both.indices.astype(np.int64)
        yield WordCounts(number, rows, words, both.data.imag, both.data.real)
