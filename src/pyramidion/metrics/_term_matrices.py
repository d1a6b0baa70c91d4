"""Metrics on matrices of terms: central words, latent semantics."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.metrics._cases import ScoringBatch, Sparse, TextSets, stack_rows
from pyramidion.metrics._metric import Metric, Need, RatioMetric, share
from pyramidion.questions import option

Words = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class CentralWords(RatioMetric):
    r"""The share of the references' central words that a summary has.

    In the graph of the references' words, words of one sentence are neighbors. A word's centrality
    is its closeness, :math:`\frac{r - 1}{n - 1} \cdot \frac{r - 1}{\sum_v d(w, v)}` over the r of n
    words it can reach (Wasserman and Faust's form for disconnected graphs), so words that connect
    sentences weigh more. The score is the total centrality of the words that summary and references
    share, divided by that of all words.

    Source: Kumar, Srinathan and Varma (2011). Using graph based mapping of co-occurring words and
    closeness centrality score for summarization evaluation. TAC.
    """

    name: ClassVar[str] = "central-words"
    title: ClassVar[str] = "words by closeness centrality"
    summary: ClassVar[str] = "share of the references' words, weighted by closeness centrality"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "Kumar et al. 2011"
    ascii_only: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the weight of the shared words, and of all words."""
        encoded_texts = cases.texts.encoded(self.reading)
        sets = cases.references
        rows = [
            _closeness_of_words(sets.sentences(number, encoded_texts))
            for number in range(sets.n_distinct)
        ]
        weights = stack_rows(rows, len(encoded_texts.words))
        has_term = cases.texts.counts(self.reading)[cases.peers] > 0
        shared_weights = has_term.multiply(weights[sets.of]).sum(axis=1)
        return np.stack([shared_weights, weights.sum(axis=1)[sets.of]], axis=1)


def _closeness_of_words(sentences: list[Words]) -> tuple[Words, Floats]:
    """Return the words of sentences and their closeness in the graph of shared sentences."""
    from scipy.sparse.csgraph import shortest_path

    words, table = _term_sentence_matrix(sentences)
    distances = shortest_path(table @ table.T > 0, unweighted=True, directed=False)
    is_reachable = np.isfinite(distances)
    neighbors = is_reachable.sum(axis=1) - 1.0
    totals = np.where(is_reachable, distances, 0).sum(axis=1) * max(len(words) - 1, 1)
    # A word that is always alone has a closeness of 0.
    return words, np.nan_to_num(share(neighbors**2, totals))


@dataclass(frozen=True, slots=True)
class LsaMainTopic(Metric):
    r"""Cosine between the main topics of a summary and of what it is compared with.

    A text is a matrix of terms by sentences; its main topic is the first left singular vector. The
    score is the cosine of the two main topics; several references (or documents) are joined.

    Source: Steinberger and Ježek (2009). Evaluation measures for text summarization. Computing and
    Informatics 28(2).
    """

    name: ClassVar[str] = "lsa-main-topic"
    title: ClassVar[str] = "LSA main-topic similarity"
    summary: ClassVar[str] = (
        "cosine between the first singular vectors of the two term-by-sentence matrices"
    )
    bounds: ClassVar[str] = "0 to 1"
    citation: ClassVar[str] = "Steinberger and Ježek 2009"
    ascii_only: ClassVar[bool] = True

    against: str = option("references", "texts to compare with", choices=("references", "input"))
    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")

    @property
    def requirements(self) -> frozenset[Need]:
        """References, or documents."""
        return frozenset({"references" if self.against == "references" else "documents"})

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the cosine."""
        sets = cases.documents if self.against == "input" else cases.references
        peers = TextSets.of_lists([text] for text in cases.peers.tolist())
        peer_vectors, other_vectors = (
            self._vectors(cases, texts)[texts.of] for texts in (peers, sets)
        )
        cosines: Floats = peer_vectors.multiply(other_vectors).sum(axis=1)
        is_defined = (np.diff(peer_vectors.indptr) > 0) & (np.diff(other_vectors.indptr) > 0)
        return np.where(is_defined, np.clip(cosines, 0.0, 1.0), np.nan)[:, None]

    def _vectors(self, cases: ScoringBatch, sets: TextSets) -> Sparse:
        """Return the vector of each distinct set of texts, of length 1, as a row."""
        encoded_texts = cases.texts.encoded(self.reading)
        vectors = cases.texts.memo(
            ("lsa", self.reading, *sets.key),
            lambda: [
                _topic_space(sets.sentences(number, encoded_texts))
                for number in range(sets.n_distinct)
            ],
        )
        rows = []
        for terms, topics, strengths in vectors:
            vector = self._topic(topics, strengths) if len(topics) else np.empty(0)
            rows.append((terms, vector / np.linalg.norm(vector)))
        return stack_rows(rows, len(encoded_texts.words))

    def _topic(self, topics: Floats, strengths: Floats) -> Floats:
        """Return the strongest topic, the last column; its terms have the same sign."""
        return np.abs(topics[:, -1])


class LsaTermSignificance(LsaMainTopic):
    r"""Cosine between the significance of terms in a summary and in what it is compared with.

    A term's significance in a text is the length of its vector in the space of the strong
    topics, :math:`\sqrt{\sum_{j \le r} u_{ij}^2 \sigma_j^2}`, over the r topics whose singular
    value is at least half of the greatest. See `LsaMainTopic`.
    """

    name: ClassVar[str] = "lsa-terms"
    title: ClassVar[str] = "LSA term-significance similarity"
    summary: ClassVar[str] = "cosine of the terms' significance in the strong topics"

    def _topic(self, topics: Floats, strengths: Floats) -> Floats:
        is_strong = strengths >= strengths[-1] / 4
        return np.asarray(np.sqrt((topics[:, is_strong] ** 2).sum(axis=1)))


def _topic_space(sentences: list[Words]) -> tuple[Words, Floats, Floats]:
    """Return the terms of a text, its topics (columns, the strongest last) and their strengths.

    Topics are left singular vectors times singular values, strengths the squares of these.
    """
    terms, table = _term_sentence_matrix(sentences)
    # There are few sentences and many terms: the small Gram matrix is enough.
    strengths, directions = np.linalg.eigh(table.T @ table)
    return terms, table @ directions, strengths


def _term_sentence_matrix(sentences: list[Words]) -> tuple[Words, Floats]:
    """Return the terms (rows), and their counts in each sentence (column)."""
    words = np.concatenate([np.empty(0, np.int32), *sentences])
    terms, rows = np.unique(words, return_inverse=True)
    columns = np.repeat(np.arange(len(sentences)), [len(sentence) for sentence in sentences])
    table = np.bincount(rows * len(sentences) + columns, minlength=len(terms) * len(sentences))
    return terms, table.reshape(len(terms), len(sentences)).astype(np.float64)
