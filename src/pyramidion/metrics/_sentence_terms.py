"""Metrics of the terms in a summary's sentences."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection._options import option
from pyramidion.metrics._cases import ScoringBatch, Sparse, Texts, counted_pairs
from pyramidion.metrics._metric import Metric, RatioMetric, tokenizer_option
from pyramidion.text import Tokenizer
from pyramidion.text._encoding import Encoded, Reading


@dataclass(frozen=True)
class TermSentences:
    """Sentences of texts as counts of terms; a term of two texts has a column for each."""

    counts: Sparse
    owners: Ints
    term_owners: Ints
    sizes: Ints

    @classmethod
    def of(cls, texts: Texts, chosen: Ints, reading: Reading) -> "TermSentences":
        """Read some of the texts, given by number in ascending order."""
        key = ("term_sentences", reading, chosen.tobytes())
        return texts.memo(key, lambda: cls._read(texts, chosen, reading))

    @classmethod
    def _read(cls, texts: Texts, chosen: Ints, reading: Reading) -> "TermSentences":
        encoded = texts.encoded(reading)
        everything = texts.encoded(Reading(stem=False, tokenizer=reading.tokenizer))
        rows, owners = _sentences(everything, chosen)
        places, sentences = _words(encoded, rows)
        codes = owners[sentences] * max(len(encoded.words), 1) + encoded.ids[places]
        counts, different = counted_pairs(sentences, codes, height=len(rows))
        sizes = np.bincount(owners, minlength=len(chosen))
        return cls(counts, owners, different // max(len(encoded.words), 1), sizes)

    @cached_property
    def present(self) -> Sparse:
        """Which sentence has which term, as ones."""
        ones = self.counts.copy()
        ones.data[:] = 1
        return ones

    @cached_property
    def neighbors(self) -> Ints:
        """The sentences that another one of the same text follows."""
        return np.flatnonzero(self.owners[1:] == self.owners[:-1])

    def followed(self, table: Sparse) -> Floats:
        """Multiply the rows of neighboring sentences, one product for each of `neighbors`."""
        products = table[self.neighbors].multiply(table[self.neighbors + 1])
        return np.asarray(products.sum(axis=1), dtype=np.float64)

    def summed(self, values: Any) -> Floats:
        """Add up what was computed for `neighbors`, text by text."""
        owners = self.owners[self.neighbors]
        sums: Floats = np.bincount(owners, weights=values, minlength=len(self.sizes)).astype(float)
        return sums


@dataclass(frozen=True, slots=True)
class TermMetric(Metric):
    """What looks at the terms of a summary's sentences alone; a text without words has no score."""

    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"

    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")
    tokenizer: Tokenizer | None = tokenizer_option()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return what was measured of each summary; NaN if it has no words."""
        chosen, places = np.unique(cases.peers, return_inverse=True)
        terms = TermSentences.of(cases.texts, chosen, self.reading)
        measured = self.measured(terms)
        measured[terms.sizes == 0] = np.nan
        return measured[places]

    @abstractmethod
    def measured(self, terms: TermSentences) -> Floats:
        """Return a row of numbers for each text."""


def _sentences(encoded: Encoded, chosen: Ints) -> tuple[Ints, Ints]:
    """Return the sentences of texts that have words, and the place of their text in `chosen`."""
    counts = encoded.texts[chosen + 1] - encoded.texts[chosen]
    rows = _ranges(encoded.texts[chosen], counts)
    owners = np.repeat(np.arange(len(chosen)), counts)
    spoken = encoded.sentence_lengths[rows] > 0
    return rows[spoken], owners[spoken]


def _words(encoded: Encoded, rows: Ints) -> tuple[Ints, Ints]:
    """Return the places of the words of sentences, and the place of their sentence in `rows`."""
    counts = encoded.sentence_lengths[rows]
    places = _ranges(encoded.sentences[rows], counts)
    return places, np.repeat(np.arange(len(rows)), counts)


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """Count on from each start, one range after the other."""
    first = np.cumsum(counts) - counts
    ranges: Ints = np.arange(counts.sum()) + np.repeat(starts - first, counts)
    return ranges


@dataclass(frozen=True, slots=True)
class TermEntropy(TermMetric):
    r"""The entropy of how often each term occurs, a feature of CLASSY.

    .. math:: -\sum_i p_i \log_2 p_i

    where :math:`p_i` is the share of term i among all terms of the summary. It is great for a
    summary of many terms, none of them repeated. A text whose words are all stop words gives
    0, the empty sum; one without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import ScoringBatch
    >>> cases = ScoringBatch.of_texts(["Rain fell. Rain stopped.", "Rain. Rain!"])
    >>> TermEntropy().statistics(cases)[:, 0].tolist()
    [1.5, 0.0]
    """

    name: ClassVar[str] = "term-entropy"
    title: ClassVar[str] = "Term Entropy"
    summary: ClassVar[str] = "how evenly terms occur, in bits"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        totals: Ints = terms.counts.sum(axis=0)
        return _entropy(totals, terms.term_owners, len(terms.sizes))[:, None]


@dataclass(frozen=True, slots=True)
class NegSentenceEntropy(TermMetric):
    r"""The negative entropy of the lengths of sentences, a feature of CLASSY.

    .. math:: \sum_i q_i \log_2 q_i

    where :math:`q_i` is the share of sentence i in the terms of the summary. It is
    :math:`-\log_2 n` for n sentences of one length and rises towards 0 the more one of them
    outweighs the others. The text of the papers defines the entropy itself, their tables of
    models name its negative, and it is the negative that their coefficients go with. A text
    whose words are all stop words gives 0, the empty sum; one without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import ScoringBatch
    >>> cases = ScoringBatch.of_texts(["Rain fell. Roads closed.", "Rain fell on closed roads."])
    >>> NegSentenceEntropy().statistics(cases)[:, 0].tolist()
    [-1.0, 0.0]
    """

    name: ClassVar[str] = "neg-sentence-entropy"
    title: ClassVar[str] = "Neg Sent Entropy"
    summary: ClassVar[str] = "how unevenly long sentences are, in negative bits"
    bounds: ClassVar[str] = "up to 0"
    higher_is_better: ClassVar[bool] = False

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        lengths: Ints = terms.counts.sum(axis=1)
        # Subtracting from 0 spares one sentence the score -0.
        return 0 - _entropy(lengths, terms.owners, len(terms.sizes))[:, None]


def _entropy(counts: Ints, owners: Ints, number: int) -> Floats:
    """Return the entropy of the counts of each owner; 0 if it has none."""
    counts, owners = counts[counts > 0], owners[counts > 0]
    shares = counts / np.bincount(owners, weights=counts, minlength=number)[owners]
    sums = np.bincount(owners, weights=shares * np.log2(shares), minlength=number)
    return 0 - sums.astype(np.float64)


@dataclass(frozen=True, slots=True)
class TermOverlap(TermMetric):
    r"""Terms that neighboring sentences share, a feature of CLASSY.

    .. math:: \log_2\Bigl(1 + \sum_{i=1}^{n-1} X_{i,i+1}\Bigr)

    where :math:`X_{i,j}` is the number of different terms that sentences i and j share. A
    single sentence gives 0; a text without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import ScoringBatch
    >>> cases = ScoringBatch.of_texts(["Rain closed roads. Roads were closed. Fish rejoiced."])
    >>> TermOverlap().statistics(cases)[:, 0].round(4).tolist()
    [1.585]
    """

    name: ClassVar[str] = "term-overlap"
    title: ClassVar[str] = "log2(1+Term Overlap)"
    summary: ClassVar[str] = "terms shared by neighboring sentences, on a log scale"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        return np.log2(1 + terms.summed(terms.followed(terms.present)))[:, None]


@dataclass(frozen=True, slots=True)
class TermOverlapNormalized(TermMetric):
    r"""Terms that neighboring sentences share, by how many they have (CLASSY).

    .. math:: \sum_{i=1}^{n-1} \frac{X_{i,i+1}}{\sqrt{X_{i,i}} \sqrt{X_{i+1,i+1}}}

    where :math:`X_{i,j}` is the number of different terms that sentences i and j share, and a
    divisor of 0 is taken as 1. It is a sum, not a mean: a single sentence gives 0, and n
    sentences of the same terms give n - 1. A text without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import ScoringBatch
    >>> cases = ScoringBatch.of_texts(["Rain closed roads. Roads were closed. Fish rejoiced."])
    >>> TermOverlapNormalized().statistics(cases)[:, 0].round(4).tolist()
    [0.8165]
    """

    name: ClassVar[str] = "term-overlap-normalized"
    title: ClassVar[str] = "Norm Term Overlap"
    summary: ClassVar[str] = "terms shared by neighboring sentences, by how many they have"
    bounds: ClassVar[str] = "from 0"

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        sizes = np.asarray(terms.present.sum(axis=1), dtype=np.float64)
        return terms.summed(_normalized(terms, terms.followed(terms.present), sizes))[:, None]


@dataclass(frozen=True, slots=True)
class NeighborCosine(TermMetric):
    r"""The cosine between neighboring sentences, on average.

    .. math:: \frac{1}{n-1} \sum_{i=1}^{n-1} \frac{a_i \cdot a_{i+1}}{|a_i| |a_{i+1}|}

    where :math:`a_i` counts the terms of sentence i; the cosine with a sentence that has none
    is 0. A single sentence has no neighbor and no score.

    References
    ----------
    Pitler, Louis and Nenkova (2010). Automatic evaluation of linguistic quality in
    multi-document summarization. ACL.

    Examples
    --------
    >>> from pyramidion.metrics import ScoringBatch
    >>> cases = ScoringBatch.of_texts(["Rain fell. Rain, rain fell. Fish rejoiced.", "Rain."])
    >>> metric = NeighborCosine()
    >>> metric.score(metric.statistics(cases)).round(4).tolist()
    [0.4743, nan]
    """

    name: ClassVar[str] = "neighbor-cosine"
    title: ClassVar[str] = "Cosine of neighbors"
    summary: ClassVar[str] = "the cosine between neighboring sentences, on average"
    bounds: ClassVar[str] = "0 to 1"
    citation: ClassVar[str] = "Pitler, Louis and Nenkova 2010"

    def measured(self, terms: TermSentences) -> Floats:
        """Return the sum of cosines and the number of neighbors."""
        squares = np.asarray(terms.counts.multiply(terms.counts).sum(axis=1), dtype=np.float64)
        cosines = terms.summed(_normalized(terms, terms.followed(terms.counts), squares))
        return np.stack([cosines, np.maximum(terms.sizes - 1, 0)], axis=1)

    score = RatioMetric.score


def _normalized(terms: TermSentences, products: Floats, squares: Floats) -> Floats:
    """Divide the products of neighbors by the lengths of both; a length of 0 counts as 1."""
    lengths = np.sqrt(np.maximum(squares, 1))
    cosines: Floats = products / (lengths[terms.neighbors] * lengths[terms.neighbors + 1])
    return cosines


@dataclass(frozen=True, slots=True)
class Redundancy1(TermMetric):
    r"""What is left of the term overlap between sentences beside its main direction (CLASSY).

    .. math:: \sum_{i=2}^{n} \sigma_i^2

    over the singular values :math:`\sigma_1 \ge \dots \ge \sigma_n` of the term-overlap matrix,
    whose entry (i, j) is the number of different terms that sentences i and j of the summary
    share. The score is 0 if all sentences have the same terms, whatever their order: the
    *less* the sentences repeat each other, and the more terms they have, the greater it is.
    A single sentence gives 0 too, and so does a text of stop words.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import ScoringBatch
    >>> cases = ScoringBatch.of_texts(["Rain fell. Roads closed.", "Rain fell. Fell rain."])
    >>> Redundancy1().statistics(cases)[:, 0].round(6).tolist()
    [4.0, 0.0]
    """

    name: ClassVar[str] = "redundancy-1"
    title: ClassVar[str] = "Redundant 1"
    summary: ClassVar[str] = "term overlap of sentences outside its first direction"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"
    leading: ClassVar[int] = 1

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        score = np.zeros(len(terms.sizes))
        overlap = (terms.present @ terms.present.T).tocoo()
        for number in np.unique(terms.sizes[terms.sizes > self.leading]):
            texts = np.flatnonzero(terms.sizes == number)
            # The matrix is symmetric and has no negative eigenvalue: they are its singular values.
            values = np.linalg.eigvalsh(_stacked(terms, overlap, texts, int(number)))
            score[texts] = np.square(values[:, : number - self.leading]).sum(axis=1)
        return score[:, None]


@dataclass(frozen=True, slots=True)
class Redundancy2(Redundancy1):
    r"""What is left of the term overlap between sentences beside two main directions (CLASSY).

    .. math:: \sum_{i=3}^{n} \sigma_i^2

    As `Redundancy1`, without the second singular value; 0 for two sentences or one.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import ScoringBatch
    >>> cases = ScoringBatch.of_texts(
    ...     ["Rain fell. Roads closed. Trees leaned.", "Rain fell. Snow."])
    >>> Redundancy2().statistics(cases)[:, 0].round(6).tolist()
    [4.0, 0.0]
    """

    name: ClassVar[str] = "redundancy-2"
    title: ClassVar[str] = "Redundant 2"
    summary: ClassVar[str] = "term overlap of sentences outside its first two directions"
    leading: ClassVar[int] = 2


def _stacked(terms: TermSentences, overlap: Sparse, texts: Ints, number: int) -> Any:
    """Return the overlap matrices of texts with one number of sentences, one upon the other."""
    place = np.full(len(terms.sizes), -1)
    place[texts] = np.arange(len(texts))
    first = np.cumsum(terms.sizes) - terms.sizes
    rows, columns = overlap.coords
    owners = terms.owners[rows]
    chosen = place[owners] >= 0
    rows, columns, owners = rows[chosen], columns[chosen], owners[chosen]
    matrices = np.zeros((len(texts), number, number))
    matrices[place[owners], rows - first[owners], columns - first[owners]] = overlap.data[chosen]
    return matrices
