"""Metrics of the terms in a summary's sentences."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.metrics._cases import ScoringBatch, Sparse, Texts, counted_pairs
from pyramidion.metrics._metric import Metric, RatioMetric, tokenizer_option
from pyramidion.questions import option
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import Reading, expanded


@dataclass(frozen=True)
class TermSentences:
    """Sentences as term counts; a term that occurs in two texts has a column for each."""

    counts: Sparse
    owners: Ints
    term_owners: Ints
    sizes: Ints

    @classmethod
    def of(cls, texts: Texts, text_numbers: Ints, reading: Reading) -> "TermSentences":
        """Read some of the texts, by number in ascending order."""

        def read() -> TermSentences:
            unstemmed_texts = texts.encoded(Reading(stem=False, tokenizer=reading.tokenizer))
            numbers = unstemmed_texts.texts[text_numbers + 1] - unstemmed_texts.texts[text_numbers]
            owners, rows = expanded(unstemmed_texts.texts[text_numbers], numbers)
            # Sentences that have words, even if only stop words.
            has_words = unstemmed_texts.sentence_lengths[rows] > 0
            owners, rows = owners[has_words], rows[has_words]
            encoded_texts = texts.encoded(reading)
            sentences, indices = expanded(
                encoded_texts.sentences[rows], encoded_texts.sentence_lengths[rows]
            )
            size = max(len(encoded_texts.words), 1)
            codes = owners[sentences] * size + encoded_texts.ids[indices]
            counts, distinct_codes = counted_pairs(sentences, codes, height=len(rows))
            sizes = np.bincount(owners, minlength=len(text_numbers))
            return cls(counts, owners, distinct_codes // size, sizes)

        return texts.memo(("term_sentences", reading, text_numbers.tobytes()), read)

    @cached_property
    def present(self) -> Sparse:
        """Which sentence has which term, as ones."""
        presence = self.counts.copy()
        presence.data[:] = 1
        return presence

    @cached_property
    def neighbors(self) -> Ints:
        """The sentences that are followed by another sentence of the same text."""
        return np.flatnonzero(self.owners[1:] == self.owners[:-1])

    def products(self, table: Sparse) -> Floats:
        """Return the inner product of each pair of neighboring rows."""
        products = table[self.neighbors].multiply(table[self.neighbors + 1])
        return np.asarray(products.sum(axis=1), dtype=np.float64)

    def cosines(self, table: Sparse) -> Floats:
        """Divide `products` by the norms of both rows; a norm of 0 counts as 1."""
        lengths = np.sqrt(np.maximum(table.multiply(table).sum(axis=1).astype(np.float64), 1))
        norms = lengths[self.neighbors] * lengths[self.neighbors + 1]
        return np.asarray(self.products(table) / norms)

    def summed(self, values: Floats) -> Floats:
        """Sum values of `neighbors` over each text."""
        owners = self.owners[self.neighbors]
        sums = np.bincount(owners, weights=values, minlength=len(self.sizes))
        return sums.astype(np.float64)


@dataclass(frozen=True, slots=True)
class TermMetric(Metric):
    """A metric of the terms of a summary's sentences; undefined for a text without words."""

    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"

    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")
    tokenizer: Tokenizer | None = tokenizer_option()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the measured values of each summary; NaN if it has no words."""
        text_numbers, indices = np.unique(cases.peers, return_inverse=True)
        terms = TermSentences.of(cases.texts, text_numbers, self.reading)
        term_scores = self.measured(terms)
        term_scores[terms.sizes == 0] = np.nan
        return np.atleast_2d(term_scores.T).T[indices]

    @abstractmethod
    def measured(self, terms: TermSentences) -> Floats:
        """Return the score of each text, or a row of numbers."""


class TermEntropy(TermMetric):
    r"""The entropy of how often each term occurs, a feature of CLASSY.

    .. math:: -\sum_i p_i \log_2 p_i

    where :math:`p_i` is the share of term i among all terms of the summary. It is high for many
    terms without repetition. A text of stop words gives 0; a text without words is undefined.

    Source: Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the
    quality of a text summary. Algorithms 5.
    """

    name: ClassVar[str] = "term-entropy"
    title: ClassVar[str] = "Term Entropy"
    summary: ClassVar[str] = "how evenly terms are distributed, in bits"

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        totals: Ints = terms.counts.sum(axis=0)
        return _entropy(totals, terms.term_owners, len(terms.sizes))


class NegSentenceEntropy(TermMetric):
    r"""The negative entropy of the lengths of sentences, a feature of CLASSY.

    .. math:: \sum_i q_i \log_2 q_i

    where :math:`q_i` is the share of sentence i in the terms of the summary. It is
    :math:`-\log_2 n` for n sentences of equal length and approaches 0 if one sentence dominates.
    The papers define the entropy itself, but the names and coefficients in their tables of models
    mean its negative. A text of stop words gives 0; a text without words is undefined. See
    `TermEntropy` for the paper.
    """

    name: ClassVar[str] = "neg-sentence-entropy"
    title: ClassVar[str] = "Neg Sent Entropy"
    summary: ClassVar[str] = "how uneven sentence lengths are, in negative bits"
    bounds: ClassVar[str] = "up to 0"
    confuses: ClassVar[str] = ""
    higher_is_better: ClassVar[bool] = False

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        lengths: Ints = terms.counts.sum(axis=1)
        # Subtracting from 0 avoids a score of -0.
        return 0 - _entropy(lengths, terms.owners, len(terms.sizes))


def _entropy(counts: Ints, owners: Ints, number: int) -> Floats:
    """Return the entropy of the counts of each owner; 0 if it has none."""
    counts, owners = counts[counts > 0], owners[counts > 0]
    shares = counts / np.bincount(owners, weights=counts, minlength=number)[owners]
    sums = np.bincount(owners, weights=shares * np.log2(shares), minlength=number)
    return 0 - sums.astype(np.float64)


class TermOverlap(TermMetric):
    r"""Terms that neighboring sentences share, a feature of CLASSY.

    .. math:: \log_2\Bigl(1 + \sum_{i=1}^{n-1} X_{i,i+1}\Bigr)

    where :math:`X_{i,j}` is the number of distinct terms that sentences i and j share. A single
    sentence gives 0; a text without words is undefined. See `TermEntropy` for the paper.
    """

    name: ClassVar[str] = "term-overlap"
    title: ClassVar[str] = "log2(1+Term Overlap)"
    summary: ClassVar[str] = "terms shared by neighboring sentences, on a log scale"

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        return np.log2(1 + terms.summed(terms.products(terms.present)))


class TermOverlapNormalized(TermMetric):
    r"""Terms that neighboring sentences share, normalized by sentence length (CLASSY).

    .. math:: \sum_{i=1}^{n-1} \frac{X_{i,i+1}}{\sqrt{X_{i,i}} \sqrt{X_{i+1,i+1}}}

    where :math:`X_{i,j}` is the number of distinct terms that sentences i and j share, and a
    divisor of 0 counts as 1. It is a sum, not a mean: a single sentence gives 0, and n sentences of
    the same terms give n - 1. See `TermEntropy` for the paper.
    """

    name: ClassVar[str] = "term-overlap-normalized"
    title: ClassVar[str] = "Norm Term Overlap"
    summary: ClassVar[str] = "terms shared by neighboring sentences, normalized by length"
    confuses: ClassVar[str] = ""

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        return terms.summed(terms.cosines(terms.present))


class NeighborCosine(TermMetric):
    r"""The mean cosine between neighboring sentences.

    .. math:: \frac{1}{n-1} \sum_{i=1}^{n-1} \frac{a_i \cdot a_{i+1}}{|a_i| |a_{i+1}|}

    where :math:`a_i` counts the terms of sentence i; the cosine with a sentence without terms is 0.
    Undefined for a single sentence.

    Source: Pitler, Louis and Nenkova (2010). Automatic evaluation of linguistic quality in
    multi-document summarization. ACL.
    """

    name: ClassVar[str] = "neighbor-cosine"
    title: ClassVar[str] = "Cosine of neighbors"
    summary: ClassVar[str] = "mean cosine between neighboring sentences"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = ""
    citation: ClassVar[str] = "Pitler, Louis and Nenkova 2010"

    def measured(self, terms: TermSentences) -> Floats:
        """Return the sum of cosines and the number of neighbors."""
        cosines = terms.summed(terms.cosines(terms.counts))
        return np.stack([cosines, np.maximum(terms.sizes - 1, 0)], axis=1)

    score = RatioMetric.score


class Redundancy1(TermMetric):
    r"""The term overlap between sentences outside its main direction (CLASSY).

    .. math:: \sum_{i=2}^{n} \sigma_i^2

    over the singular values :math:`\sigma_1 \ge \dots \ge \sigma_n` of the term-overlap matrix,
    whose entry (i, j) is the number of distinct terms that sentences i and j share. Despite its
    name, it is higher the *less* sentences repeat each other and the more terms they have: 0 if all
    sentences have the same terms, for a single sentence, and for a text of stop words. See
    `TermEntropy` for the paper.
    """

    name: ClassVar[str] = "redundancy-1"
    title: ClassVar[str] = "Redundant 1"
    summary: ClassVar[str] = "term overlap of sentences outside its first direction"
    leading: ClassVar[int] = 1

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        score = np.zeros(len(terms.sizes))
        overlap = (terms.present @ terms.present.T).tocoo()
        for number in np.unique(terms.sizes[terms.sizes > self.leading]):
            texts = np.flatnonzero(terms.sizes == number)
            # The matrix is positive semidefinite: its eigenvalues are its singular values.
            values = np.linalg.eigvalsh(_stack_overlaps(terms, overlap, texts, int(number)))
            score[texts] = np.square(values[:, : number - self.leading]).sum(axis=1)
        return score


class Redundancy2(Redundancy1):
    r"""The term overlap between sentences outside its two main directions (CLASSY).

    .. math:: \sum_{i=3}^{n} \sigma_i^2

    Like `Redundancy1`, without the second singular value; 0 for one or two sentences.
    """

    name: ClassVar[str] = "redundancy-2"
    title: ClassVar[str] = "Redundant 2"
    summary: ClassVar[str] = "term overlap of sentences outside its first two directions"
    leading: ClassVar[int] = 2


def _stack_overlaps(terms: TermSentences, overlap: Sparse, texts: Ints, number: int) -> Floats:
    """Stack the overlap matrices of texts with the same number of sentences."""
    index = np.full(len(terms.sizes), -1)
    index[texts] = np.arange(len(texts))
    first_rows = np.cumsum(terms.sizes) - terms.sizes
    rows, columns = overlap.coords
    owners = terms.owners[rows]
    is_indexed = index[owners] >= 0
    rows, columns, owners = rows[is_indexed], columns[is_indexed], owners[is_indexed]
    matrices = np.zeros((len(texts), number, number))
    matrices[index[owners], rows - first_rows[owners], columns - first_rows[owners]] = overlap.data[
        is_indexed
    ]
    return matrices
