"""Metrics of the terms in a summary's sentences."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.metrics._cases import ScoringBatch, Sparse, Texts, count_pairs_of_codes
from pyramidion.metrics._metric import Metric, RatioMetric, tokenizer_option
from pyramidion.questions import option
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import Reading, expanded


@dataclass(frozen=True)
class TermSentences:
    """Sentences as term counts; a term that occurs in two texts has a column for each."""

    counts: Sparse
    text_of_sentence: Ints
    text_of_term: Ints
    n_sentences: Ints

    @classmethod
    def of(cls, texts: Texts, text_numbers: Ints, reading: Reading) -> "TermSentences":
        """Read some of the texts, by number in ascending order."""

        def read() -> TermSentences:
            unstemmed_texts = texts.encoded(Reading(stem=False, tokenizer=reading.tokenizer))
            n_sentences = (
                unstemmed_texts.texts[text_numbers + 1] - unstemmed_texts.texts[text_numbers]
            )
            owners, rows = expanded(unstemmed_texts.texts[text_numbers], n_sentences)
            # Sentences that have words, even if only stop words.
            has_words = unstemmed_texts.sentence_lengths[rows] > 0
            owners, rows = owners[has_words], rows[has_words]
            encoded_texts = texts.encoded(reading)
            sentences, indices = expanded(
                encoded_texts.sentences[rows], encoded_texts.sentence_lengths[rows]
            )
            n_words = max(len(encoded_texts.words), 1)
            codes = owners[sentences] * n_words + encoded_texts.ids[indices]
            counts, distinct_codes = count_pairs_of_codes(sentences, codes, n_rows=len(rows))
            sizes = np.bincount(owners, minlength=len(text_numbers))
            return cls(counts, owners, distinct_codes // n_words, sizes)

        return texts.memo(("term_sentences", reading, text_numbers.tobytes()), read)

    @cached_property
    def presence(self) -> Sparse:
        """Which sentence has which term, as ones."""
        presence = self.counts.copy()
        presence.data[:] = 1
        return presence

    @cached_property
    def followed_sentences(self) -> Ints:
        """The sentences that are followed by another sentence of the same text."""
        return np.flatnonzero(self.text_of_sentence[1:] == self.text_of_sentence[:-1])

    def neighbor_products(self, table: Sparse) -> Floats:
        """Return the inner product of each pair of neighboring rows."""
        products = table[self.followed_sentences].multiply(table[self.followed_sentences + 1])
        return np.asarray(products.sum(axis=1), dtype=np.float64)

    def neighbor_cosines(self, table: Sparse) -> Floats:
        """Divide `neighbor_products` by the norms of both rows; a norm of 0 counts as 1."""
        row_norms = np.sqrt(np.maximum(table.multiply(table).sum(axis=1).astype(np.float64), 1))
        norms = row_norms[self.followed_sentences] * row_norms[self.followed_sentences + 1]
        return np.asarray(self.neighbor_products(table) / norms)

    def sum_over_neighbors(self, values: Floats) -> Floats:
        """Sum values of `followed_sentences` over each text."""
        owners = self.text_of_sentence[self.followed_sentences]
        sums = np.bincount(owners, weights=values, minlength=len(self.n_sentences))
        return sums.astype(np.float64)


@dataclass(frozen=True, slots=True)
class TermMetric(Metric):
    """A metric of the terms of a summary's sentences; undefined for a text without words."""

    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "affected by length"

    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")
    tokenizer: Tokenizer | None = tokenizer_option()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the measured values of each summary; NaN if it has no words."""
        text_numbers, indices = np.unique(cases.peers, return_inverse=True)
        terms = TermSentences.of(cases.texts, text_numbers, self.reading)
        term_scores = self.measured(terms)
        term_scores[terms.n_sentences == 0] = np.nan
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
        return _entropy(totals, terms.text_of_term, len(terms.n_sentences))


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
        return 0 - _entropy(lengths, terms.text_of_sentence, len(terms.n_sentences))


def _entropy(counts: Ints, owners: Ints, n_owners: int) -> Floats:
    """Return the entropy of the counts of each owner; 0 if it has none."""
    counts, owners = counts[counts > 0], owners[counts > 0]
    shares = counts / np.bincount(owners, weights=counts, minlength=n_owners)[owners]
    sums = np.bincount(owners, weights=shares * np.log2(shares), minlength=n_owners)
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
        return np.log2(1 + terms.sum_over_neighbors(terms.neighbor_products(terms.presence)))


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
        return terms.sum_over_neighbors(terms.neighbor_cosines(terms.presence))


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
        cosines = terms.sum_over_neighbors(terms.neighbor_cosines(terms.counts))
        return np.stack([cosines, np.maximum(terms.n_sentences - 1, 0)], axis=1)

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
        scores = np.zeros(len(terms.n_sentences))
        overlap = (terms.presence @ terms.presence.T).tocoo()
        for n_sentences in np.unique(terms.n_sentences[terms.n_sentences > self.leading]):
            texts = np.flatnonzero(terms.n_sentences == n_sentences)
            # The matrix is positive semidefinite: its eigenvalues are its singular values.
            values = np.linalg.eigvalsh(_stack_overlaps(terms, overlap, texts, int(n_sentences)))
            scores[texts] = np.square(values[:, : n_sentences - self.leading]).sum(axis=1)
        return scores


class Redundancy2(Redundancy1):
    r"""The term overlap between sentences outside its two main directions (CLASSY).

    .. math:: \sum_{i=3}^{n} \sigma_i^2

    Like `Redundancy1`, without the second singular value; 0 for one or two sentences.
    """

    name: ClassVar[str] = "redundancy-2"
    title: ClassVar[str] = "Redundant 2"
    summary: ClassVar[str] = "term overlap of sentences outside its first two directions"
    leading: ClassVar[int] = 2


def _stack_overlaps(terms: TermSentences, overlap: Sparse, texts: Ints, n_sentences: int) -> Floats:
    """Stack the overlap matrices of texts with the same number of sentences."""
    index_of_text = np.full(len(terms.n_sentences), -1)
    index_of_text[texts] = np.arange(len(texts))
    first_rows = np.cumsum(terms.n_sentences) - terms.n_sentences
    rows, columns = overlap.coords
    text_numbers = terms.text_of_sentence[rows]
    is_indexed = index_of_text[text_numbers] >= 0
    rows, columns, text_numbers = rows[is_indexed], columns[is_indexed], text_numbers[is_indexed]
    matrices = np.zeros((len(texts), n_sentences, n_sentences))
    matrices[
        index_of_text[text_numbers],
        rows - first_rows[text_numbers],
        columns - first_rows[text_numbers],
    ] = overlap.data[is_indexed]
    return matrices
