"""Metrics that compare distributions of words."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric, Need, RatioMetric, share, tokenizer_option
from pyramidion.questions import option
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import (
    SIGNATURE_CUTOFF,
    Reading,
    default_background,
    signature_weights,
)

#: What a summary's words are compared with.
Side = Literal["input", "references"]

#: Number of cases at a time, so that a million summaries of long inputs fit into memory.
_BLOCK_CASES = 2000


@dataclass(frozen=True)
class WordCounts:
    """For some cases, the counts of every word of the summary or the other side."""

    n_cases: int
    rows: Ints
    words: Ints
    peer: Floats
    other: Floats

    def sums(self, values: npt.NDArray[np.generic]) -> Floats:
        """Sum a number per word over each case."""
        sums = np.bincount(self.rows, weights=values.astype(np.float64), minlength=self.n_cases)
        return np.asarray(sums, dtype=np.float64)

    @property
    def peer_totals(self) -> Floats:
        """The number of words of each summary."""
        return self.sums(self.peer)

    @property
    def other_totals(self) -> Floats:
        """The number of words of the other side."""
        return self.sums(self.other)

    @property
    def is_defined(self) -> Bools:
        """The cases in which both sides have words."""
        return (self.peer_totals > 0) & (self.other_totals > 0)


def word_counts(cases: ScoringBatch, side: Side, reading: Reading) -> Iterator[WordCounts]:
    """Count the words of summaries and of their input or references, some cases at a time."""
    from scipy.sparse import csr_array

    counts = cases.texts.counts(reading)
    sets = cases.documents if side == "input" else cases.references
    other_counts = sets.summed(counts)
    for start in range(0, max(len(cases), 1), _BLOCK_CASES):
        block = slice(start, start + _BLOCK_CASES)
        # One table for both sides: the summaries' counts are its imaginary part.
        peers = counts[cases.peers[block]].astype(np.complex128)
        peers.data *= 1j
        table = csr_array(peers + other_counts[sets.of[block]])
        table.sort_indices()
        n_cases = table.shape[0]
        rows = np.repeat(np.arange(n_cases), np.diff(table.indptr))
        words = table.indices.astype(np.int64)
        yield WordCounts(n_cases, rows, words, table.data.imag, table.data.real)


@dataclass(frozen=True, slots=True)
class CosineInput(Metric):
    r"""Cosine of the angle between the word vectors of a summary and its input.

    :math:`\sum_w a_w b_w / \sqrt{\sum_w a_w^2 \sum_w b_w^2}` with the counts of each word; with
    ``weights=tfidf`` each term is multiplied by the square of the word's inverse document frequency
    in general English.

    Source: Donaway, Drummey and Mather (2000). A comparison of rankings produced by summarization
    evaluation measures. NAACL-ANLP workshop on automatic summarization.
    """

    name: ClassVar[str] = "cosine-input"
    title: ClassVar[str] = "cosine with the input"
    summary: ClassVar[str] = "cosine of the word vectors of summary and input"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "affected by copying"
    citation: ClassVar[str] = "Donaway et al. 2000"
    needs_english: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})
    side: ClassVar[Side] = "input"

    weights: str = option("tfidf", "weight of a word", choices=("tf", "tfidf"))
    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")
    tokenizer: Tokenizer | None = tokenizer_option()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the inner product, and the squared norm of each side."""
        words = list(cases.texts.encoded(self.reading).words)
        weights = np.ones(len(words))
        if self.weights == "tfidf":
            weights = default_background(stem=self.stem).idf(words) ** 2
        blocks = []
        for counts in word_counts(cases, self.side, self.reading):
            peer, other, weight = counts.peer, counts.other, weights[counts.words]
            columns = (peer * other * weight, peer**2 * weight, other**2 * weight)
            blocks.append(np.stack([counts.sums(column) for column in columns], axis=1))
        return np.concatenate(blocks)

    def score(self, statistics: Floats) -> Floats:
        """Divide the product by the norms."""
        product, peer, other = np.moveaxis(statistics, -1, 0)
        return share(product, np.sqrt(peer * other))


class CosineReferences(CosineInput):
    """Cosine between the words of a summary and of its joined references; see `CosineInput`."""

    name: ClassVar[str] = "cosine-references"
    title: ClassVar[str] = "cosine with the references"
    summary: ClassVar[str] = "cosine of the word vectors of summary and references"
    confuses: ClassVar[str] = ""
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    side: ClassVar[Side] = "references"


#: Louis and Nenkova's smoothing: the constant added to every count, and the size of the assumed
#: vocabulary as a multiple of the input's.
_ADDED_COUNT, _VOCABULARY_FACTOR = 0.0005, 1.5


@dataclass(frozen=True, slots=True)
class _Divergence(Metric):
    """A divergence between the words of a summary and of its input or references."""

    side: ClassVar[Side]
    higher_is_better: ClassVar[bool] = False
    citation: ClassVar[str] = "Louis and Nenkova 2013"

    stem: bool = option(True, "stem words")
    stop_words: bool = option(False, "leave stop words out")
    tokenizer: Tokenizer | None = tokenizer_option()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the divergence."""
        blocks = word_counts(cases, self.side, self.reading)
        values = [
            np.where(counts.is_defined, self._divergence(counts), np.nan) for counts in blocks
        ]
        return np.concatenate(values)[:, None]

    @abstractmethod
    def _divergence(self, counts: WordCounts) -> Floats:
        """Return the divergence of each case."""


class JensenShannonInput(_Divergence):
    r"""Jensen-Shannon divergence between summary and input, in bits, from 0 to 1.

    With p and q the relative frequencies of words in the input and in the summary and
    :math:`m = (p + q)/2`, it is :math:`\frac12 \sum_w p \log_2 \frac{p}{m} + \frac12 \sum_w q
    \log_2 \frac{q}{m}`, without smoothing. Low divergence from the input predicts human judgments
    of content when there are no references.

    Source: Lin, Cao, Gao and Nie (2006). An information-theoretic approach to automatic evaluation
    of summaries. NAACL. Louis and Nenkova (2013). Automatically assessing machine summary content
    without a gold standard. Computational Linguistics 39(2).
    """

    name: ClassVar[str] = "js-input"
    title: ClassVar[str] = "Jensen-Shannon divergence from the input"
    summary: ClassVar[str] = "divergence of the word distributions of summary and input"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "affected by copying"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})
    side: ClassVar[Side] = "input"

    def _divergence(self, counts: WordCounts) -> Floats:
        from scipy.special import rel_entr

        q = counts.peer / np.maximum(counts.peer_totals, 1)[counts.rows]
        p = counts.other / np.maximum(counts.other_totals, 1)[counts.rows]
        terms: Floats = rel_entr(p, (p + q) / 2) + rel_entr(q, (p + q) / 2)
        # Identical texts must give 0 despite rounding.
        divergence: Floats = np.clip(counts.sums(terms) / np.log(4.0), 0.0, 1.0)
        return divergence.round(15)


class JensenShannonReferences(JensenShannonInput):
    """Jensen-Shannon divergence of a summary and its references; see `JensenShannonInput`."""

    name: ClassVar[str] = "js-references"
    title: ClassVar[str] = "Jensen-Shannon divergence from the references"
    summary: ClassVar[str] = "divergence of the word distributions of summary and references"
    confuses: ClassVar[str] = ""
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    side: ClassVar[Side] = "references"


class KullbackLeiblerFromInput(_Divergence):
    r"""Kullback-Leibler divergence of the summary from the input, in bits.

    :math:`\sum_w p \log_2 (p / q)` over the words of either side, with p the input and q the
    summary: the loss from describing the input with the summary's words. Both are smoothed,
    :math:`(c + \delta) / (N + 1.5 \delta V)` with :math:`\delta = 0.0005`, N words, and V distinct
    words in the input.

    Source: Louis and Nenkova (2013). Automatically assessing machine summary content without a gold
    standard. Computational Linguistics 39(2).
    """

    name: ClassVar[str] = "kl-input-summary"
    title: ClassVar[str] = "Kullback-Leibler divergence, input to summary"
    summary: ClassVar[str] = "loss from describing the input with the summary's words"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "affected by copying"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})
    side: ClassVar[Side] = "input"
    reverse: ClassVar[bool] = False

    def _divergence(self, counts: WordCounts) -> Floats:
        smoothing = _ADDED_COUNT * _VOCABULARY_FACTOR * counts.sums(counts.other > 0)
        q = (counts.peer + _ADDED_COUNT) / (counts.peer_totals + smoothing)[counts.rows]
        # Undefined if the other side has no words; avoids a division by 0.
        totals = np.maximum(counts.other_totals + smoothing, _ADDED_COUNT)
        p = (counts.other + _ADDED_COUNT) / totals[counts.rows]
        dividend, divisor = (q, p) if self.reverse else (p, q)
        return counts.sums(dividend * np.log2(dividend / divisor)).round(15)


class KullbackLeiblerToInput(KullbackLeiblerFromInput):
    """Kullback-Leibler divergence of the input from the summary; see `KullbackLeiblerFromInput`."""

    name: ClassVar[str] = "kl-summary-input"
    title: ClassVar[str] = "Kullback-Leibler divergence, summary to input"
    summary: ClassVar[str] = "loss from describing the summary with the input's words"
    reverse: ClassVar[bool] = True


class KullbackLeiblerFromReferences(KullbackLeiblerFromInput):
    """Kullback-Leibler divergence of a summary from its references; see `kl-input-summary`."""

    name: ClassVar[str] = "kl-references-summary"
    title: ClassVar[str] = "Kullback-Leibler divergence, references to summary"
    summary: ClassVar[str] = "loss from describing the references with the summary's words"
    confuses: ClassVar[str] = ""
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    side: ClassVar[Side] = "references"


class KullbackLeiblerToReferences(KullbackLeiblerFromReferences):
    """Kullback-Leibler divergence of references from a summary; see `kl-input-summary`."""

    name: ClassVar[str] = "kl-summary-references"
    title: ClassVar[str] = "Kullback-Leibler divergence, summary to references"
    summary: ClassVar[str] = "loss from describing the summary with the references' words"
    reverse: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MultinomialLikelihood(Metric):
    r"""The logarithm of a summary's multinomial probability under the input's words.

    :math:`\log \frac{N!}{\prod_w n_w!} + \sum_w n_w \log p_w` with :math:`n_w` the counts in the
    summary, N their sum, and :math:`p_w = (c_w + \delta) / (C + \delta (V + V_0))` from the input's
    counts, its V distinct words and the :math:`V_0` that only the summary has: a word absent from
    the input is as likely as one seen :math:`\delta` times. It falls with length, so compare
    summaries of equal length, or use ``unigram-input``.

    References
    ----------
    Nenkova (2006), section 4.1. Nenkova, Vanderwende and McKeown (2006). A compositional context
    sensitive multi-document summarizer. SIGIR.
    """

    name: ClassVar[str] = "multinomial-input"
    title: ClassVar[str] = "multinomial log-likelihood under the input"
    summary: ClassVar[str] = "how likely the summary's words are, drawn from the input"
    bounds: ClassVar[str] = "up to 0"
    confuses: ClassVar[str] = "affected by length: it decreases with every word"
    citation: ClassVar[str] = "Nenkova et al. 2006"
    ascii_only: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    absent: float = option(0.0005, "constant added to the count of every word", min=1e-12)
    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the logarithm of the probability, and the number of words."""
        blocks = []
        for counts in word_counts(cases, "input", self.reading):
            words = counts.sums(np.ones(len(counts.rows)))
            totals = counts.other_totals + self.absent * words
            logs = np.log((counts.other + self.absent) / totals[counts.rows])
            values = counts.sums(counts.peer * logs) + self._coefficient(counts)
            columns = [np.where(counts.is_defined, values, np.nan), counts.peer_totals]
            blocks.append(np.stack(columns, axis=1))
        return np.concatenate(blocks)

    def _coefficient(self, counts: WordCounts) -> Floats:
        """Return the logarithm of the number of permutations of a summary's words."""
        from scipy.special import gammaln

        return np.asarray(gammaln(counts.peer_totals + 1) - counts.sums(gammaln(counts.peer + 1)))


class UnigramLikelihood(MultinomialLikelihood):
    r"""The mean logarithm of the probability of a summary's words under the input.

    :math:`\frac1N \sum_w n_w \log p_w`, independent of the length; see `MultinomialLikelihood`.
    """

    name: ClassVar[str] = "unigram-input"
    title: ClassVar[str] = "mean log-probability under the input"
    summary: ClassVar[str] = "how frequent the summary's words are in the input"
    confuses: ClassVar[str] = "affected by copying and length"

    def score(self, statistics: Floats) -> Floats:
        """Divide by the number of words."""
        return share(statistics[..., 0], statistics[..., 1])

    def _coefficient(self, counts: WordCounts) -> Floats:
        return np.zeros(counts.n_cases)


@dataclass(frozen=True, slots=True)
class SignatureCoverage(RatioMetric):
    r"""The share of the input's topic signature that the summary has.

    The signature has every word of the input whose :math:`-2\log\lambda` against general English is
    above ``cutoff``; each counts once.

    Source: Lin and Hovy (2000). The automated acquisition of topic signatures for text
    summarization. COLING. Louis and Nenkova (2013). Automatically assessing machine summary content
    without a gold standard. Computational Linguistics 39(2).
    """

    name: ClassVar[str] = "signature-coverage"
    title: ClassVar[str] = "topic-signature coverage"
    summary: ClassVar[str] = "share of the input's signature words that the summary has"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "Lin and Hovy 2000"
    needs_english: ClassVar[bool] = True
    ascii_only: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    cutoff: float = option(SIGNATURE_CUTOFF, "minimum ratio of words in the signature", min=0)
    stem: bool = option(True, "stem words")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count the signature words that the summary has, and all of them."""
        reading = Reading(stem=self.stem, stop_words=True)
        words = np.array(cases.texts.encoded(reading).words, dtype=object)
        background = default_background(stem=self.stem, stop_words=True)
        document_counts = cases.documents.summed(cases.texts.counts(reading)).tocsr()
        term_weights = document_counts.astype(np.float64)
        for row in range(document_counts.shape[0]):
            span = slice(document_counts.indptr[row], document_counts.indptr[row + 1])
            present_words = words[document_counts.indices[span]].tolist()
            term_weights.data[span] = (
                signature_weights(present_words, document_counts.data[span], background)
                > self.cutoff
            )
        blocks, start = [], 0
        for counts in word_counts(cases, "input", reading):
            sets = cases.documents.of[start : start + counts.n_cases][counts.rows]
            signature_weights_of_words = (
                term_weights[sets, counts.words] if len(sets) else np.zeros(0)
            )
            is_signature_word = np.asarray(signature_weights_of_words).ravel() > 0
            blocks.append(self._dividend_and_divisor(counts, is_signature_word))
            start += counts.n_cases
        return np.concatenate(blocks)

    def _dividend_and_divisor(self, counts: WordCounts, is_signature_word: Bools) -> Floats:
        shared_counts = counts.sums(is_signature_word & (counts.peer > 0))
        return np.stack([shared_counts, counts.sums(is_signature_word)], axis=1)


class SignatureShare(SignatureCoverage):
    """The share of the summary's content words that are in the input's topic signature.

    Every occurrence counts; stop words are ignored. See `SignatureCoverage`.
    """

    name: ClassVar[str] = "signature-share"
    title: ClassVar[str] = "topic-signature share"
    summary: ClassVar[str] = "share of the summary's content words that are signature words"
    confuses: ClassVar[str] = "affected by copying"

    def _dividend_and_divisor(self, counts: WordCounts, is_signature_word: Bools) -> Floats:
        return np.stack([counts.sums(is_signature_word * counts.peer), counts.peer_totals], axis=1)
