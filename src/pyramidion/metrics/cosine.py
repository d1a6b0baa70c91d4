"""Cosine between the words of a summary and those of its input or references."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.distributions import Side, WordCounts, word_counts
from pyramidion.metrics.metric import Metric, Need, option, share
from pyramidion.metrics.texts import Reading
from pyramidion.text import TOKENIZERS, Tokenizer
from pyramidion.text.background import default_background

__all__ = ["CosineInput", "CosineReferences"]


@dataclass(frozen=True, slots=True)
class CosineInput(Metric):
    r"""Cosine of the angle between the word vectors of a summary and its input.

    :math:`\sum_w a_w b_w / \sqrt{\sum_w a_w^2 \sum_w b_w^2}` with the counts of each word, times
    the square of its inverse document frequency in general English (see
    `Background.idf`) where ``weights=tfidf``.

    References
    ----------
    Donaway, Drummey and Mather (2000). A comparison of rankings produced by summarization
    evaluation measures. NAACL-ANLP workshop on automatic summarization.

    Examples
    --------
    >>> cases = Cases.of_texts(["rain fell", "snow"], documents=[["rain fell"], ["rain"]])
    >>> CosineInput().score(CosineInput().statistics(cases)).round(9).tolist()
    [1.0, 0.0]
    """

    name: ClassVar[str] = "cosine-input"
    title: ClassVar[str] = "cosine with the input"
    summary: ClassVar[str] = "how much the summary's words point where the input's do"
    citation: ClassVar[str] = "Donaway et al. 2000"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})
    side: ClassVar[Side] = "input"

    weights: str = option("tfidf", "what a word counts", choices=("tf", "tfidf"))
    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")
    tokenizer: Tokenizer = option("rouge", "how words are found", choices=tuple(TOKENIZERS))

    def statistics(self, cases: Cases) -> Floats:
        """Give the inner product, and the squared length of each side."""
        reading = Reading(self.stem, self.stop_words, self.tokenizer)
        words = list(cases.texts.encoded(reading).words)
        weights = np.ones(len(words))
        if self.weights == "tfidf":
            weights = default_background(stem=self.stem).idf(words) ** 2
        blocks = word_counts(cases, self.side, reading)
        return np.concatenate([_products(counts, weights) for counts in blocks])

    def score(self, statistics: Floats) -> Floats:
        """Divide the product by the lengths."""
        product, own, other = np.moveaxis(statistics, -1, 0)
        return share(product, np.sqrt(own * other))


@dataclass(frozen=True, slots=True)
class CosineReferences(CosineInput):
    """Cosine between the words of a summary and of its references, taken together.

    See `CosineInput`.

    Examples
    --------
    >>> cases = Cases.of_texts(["rain fell"], [["rain", "fell"]])
    >>> CosineReferences().score(CosineReferences().statistics(cases)).round(9).tolist()
    [1.0]
    """

    name: ClassVar[str] = "cosine-references"
    title: ClassVar[str] = "cosine with the references"
    summary: ClassVar[str] = "how much the summary's words point where the references' do"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    side: ClassVar[Side] = "references"


def _products(counts: WordCounts, weights: Floats) -> Floats:
    weight = weights[counts.words]
    columns = (
        counts.own * counts.other * weight,
        counts.own**2 * weight,
        counts.other**2 * weight,
    )
    return np.stack([counts.sums(column) for column in columns], axis=1)
