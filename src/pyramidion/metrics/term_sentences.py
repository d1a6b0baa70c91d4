"""The terms of each sentence of a summary, and metrics that look at nothing else.

The papers on CLASSY speak of a term-sentence matrix A, once with sentences as its columns (the
term-overlap matrix (A > 0)'(A > 0) holds pairs of sentences) and once with terms as its columns
(term entropy comes from its column sums). Here sentences are rows, and what the totals are over
is said by name.

What a term is the papers leave open. Here it is a stemmed word that is no stop word: the
normalised term overlap has a rule for sentences without terms, which only happen where words
are left out, and function words that any two sentences share tell nothing of flow or
redundancy. The metrics have options for the other readings.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric, option
from pyramidion.metrics.sparse import Sparse
from pyramidion.metrics.texts import Reading, Texts
from pyramidion.text import TOKENIZERS, Tokenizer
from pyramidion.text.encoding import Encoded

__all__ = ["TermMetric", "TermSentences"]


@dataclass(frozen=True)
class TermSentences:
    """Sentences of texts as counts of terms; a term of two texts has a column for each.

    Parameters
    ----------
    counts
        One row a sentence that has words (terms or not), one column a term of a text.
    owners
        The text of each sentence.
    term_owners
        The text of each column.
    sizes
        How many sentences each text has.

    Examples
    --------
    >>> cases = Cases.of_texts(["Rain fell. It was rain.", "Snow fell."])
    >>> terms = TermSentences.of(cases.texts, cases.peers, Reading(stop_words=True))
    >>> terms.counts.toarray().tolist()
    [[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]]
    >>> terms.owners.tolist(), terms.sizes.tolist()
    ([0, 0, 1], [2, 1])
    """

    counts: Sparse
    owners: Ints
    term_owners: Ints
    sizes: Ints

    @classmethod
    def of(cls, texts: Texts, chosen: Ints, reading: Reading) -> "TermSentences":
        """Read some of the texts, given by number in ascending order.

        Parameters
        ----------
        texts
            All texts of the run.
        chosen
            Which of them.
        reading
            What their terms are.
        """
        key = ("term_sentences", reading, chosen.tobytes())
        return texts.memo(key, lambda: cls._read(texts, chosen, reading))

    @classmethod
    def _read(cls, texts: Texts, chosen: Ints, reading: Reading) -> "TermSentences":
        from scipy.sparse import csr_array

        encoded = texts.encoded(reading)
        everything = texts.encoded(Reading(stem=False, tokenizer=reading.tokenizer))
        rows, owners = _sentences(everything, chosen)
        places, sentences = _words(encoded, rows)
        codes = owners[sentences] * max(len(encoded.words), 1) + encoded.ids[places]
        different, columns = np.unique(codes, return_inverse=True)
        ones = np.ones(len(columns), dtype=np.int64)
        counts = csr_array((ones, (sentences, columns)), shape=(len(rows), len(different)))
        counts.sum_duplicates()
        sizes = np.bincount(owners, minlength=len(chosen))
        return cls(counts, owners, different // max(len(encoded.words), 1), sizes)

    @cached_property
    def present(self) -> Sparse:
        """Which sentence has which term, as ones."""
        ones = self.counts.copy()
        ones.data[:] = 1
        return ones

    @cached_property
    def neighbours(self) -> Ints:
        """The sentences that another one of the same text follows."""
        return np.flatnonzero(self.owners[1:] == self.owners[:-1])

    def followed(self, table: Sparse) -> Floats:
        """Multiply the rows of neighbouring sentences, one product for each of `neighbours`."""
        products = table[self.neighbours].multiply(table[self.neighbours + 1])
        return np.asarray(products.sum(axis=1), dtype=np.float64)

    def summed(self, values: Any) -> Floats:
        """Add up what was computed for `neighbours`, text by text."""
        owners = self.owners[self.neighbours]
        sums: Floats = np.bincount(owners, weights=values, minlength=len(self.sizes)).astype(float)
        return sums


@dataclass(frozen=True, slots=True)
class TermMetric(Metric):
    """What looks at the terms of a summary's sentences alone; a text without words has no score.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metric
    >>> parse_metric("term-entropy(stem=off)")
    TermEntropy(stem=False, stop_words=True, tokenizer='rouge')
    """

    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")
    tokenizer: Tokenizer = option("rouge", "how words are found", choices=tuple(TOKENIZERS))

    def statistics(self, cases: Cases) -> Floats:
        """Give what was measured of each summary; NaN if it has no words."""
        chosen, places = np.unique(cases.peers, return_inverse=True)
        reading = Reading(self.stem, self.stop_words, self.tokenizer)
        terms = TermSentences.of(cases.texts, chosen, reading)
        measured = self.measured(terms)
        measured[terms.sizes == 0] = np.nan
        return measured[places]

    @abstractmethod
    def measured(self, terms: TermSentences) -> Floats:
        """Give a row of numbers for each text."""


def _sentences(encoded: Encoded, chosen: Ints) -> tuple[Ints, Ints]:
    """Give the sentences of texts that have words, and the place of their text in `chosen`."""
    counts = encoded.texts[chosen + 1] - encoded.texts[chosen]
    rows = _ranges(encoded.texts[chosen], counts)
    owners = np.repeat(np.arange(len(chosen)), counts)
    spoken = encoded.sentence_lengths[rows] > 0
    return rows[spoken], owners[spoken]


def _words(encoded: Encoded, rows: Ints) -> tuple[Ints, Ints]:
    """Give the places of the words of sentences, and the place of their sentence in `rows`."""
    counts = encoded.sentence_lengths[rows]
    places = _ranges(encoded.sentences[rows], counts)
    return places, np.repeat(np.arange(len(rows)), counts)


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """Count on from each start, one range after the other."""
    first = np.cumsum(counts) - counts
    ranges: Ints = np.arange(counts.sum()) + np.repeat(starts - first, counts)
    return ranges
