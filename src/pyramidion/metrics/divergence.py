"""Divergence between the words of a summary and those of its input or references."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.distributions import Side, WordCounts, word_counts
from pyramidion.metrics.metric import Metric, Need, option
from pyramidion.metrics.texts import Reading
from pyramidion.text import TOKENIZERS, Tokenizer

__all__ = [
    "JensenShannonInput",
    "JensenShannonReferences",
    "KullbackLeiblerFromInput",
    "KullbackLeiblerFromReferences",
    "KullbackLeiblerToInput",
    "KullbackLeiblerToReferences",
]

#: Louis and Nenkova's smoothing: so many occurrences are added to every word, and the vocabulary
#: is taken to be so many times as large as the input's.
_ADDED, _VOCABULARY = 0.0005, 1.5


@dataclass(frozen=True, slots=True)
class _Divergence(Metric):
    """What the divergences have in common."""

    side: ClassVar[Side]
    higher_is_better: ClassVar[bool] = False
    citation: ClassVar[str] = "Louis and Nenkova 2013"

    stem: bool = option(True, "stem words")
    stop_words: bool = option(False, "leave stop words out")
    tokenizer: Tokenizer = option("rouge", "how words are found", choices=tuple(TOKENIZERS))

    def statistics(self, cases: Cases) -> Floats:
        """Give the divergence."""
        reading = Reading(self.stem, self.stop_words, self.tokenizer)
        blocks = word_counts(cases, self.side, reading)
        values = [np.where(counts.defined, self._between(counts), np.nan) for counts in blocks]
        return np.concatenate(values)[:, None]

    @abstractmethod
    def _between(self, counts: WordCounts) -> Floats:
        """Give the divergence of each case."""


@dataclass(frozen=True, slots=True)
class JensenShannonInput(_Divergence):
    r"""Jensen-Shannon divergence between summary and input, in bits, from 0 to 1.

    With p and q the relative frequencies of words in the input and in the summary and
    :math:`m = (p + q)/2`, it is :math:`\frac12 \sum_w p \log_2 \frac{p}{m} + \frac12 \sum_w q
    \log_2 \frac{q}{m}`; nothing is smoothed. The less it is, the more the summary is like its
    input, which predicts how people judge content where there is no reference.

    References
    ----------
    Lin, Cao, Gao and Nie (2006). An information-theoretic approach to automatic evaluation of
    summaries. NAACL. Louis and Nenkova (2013). Automatically assessing machine summary content
    without a gold standard. Computational Linguistics 39(2).

    Examples
    --------
    >>> cases = Cases.of_texts(["rain fell", "snow"], documents=[["rain fell"], ["rain"]])
    >>> JensenShannonInput().score(JensenShannonInput().statistics(cases)).tolist()
    [0.0, 1.0]
    """

    name: ClassVar[str] = "js-input"
    title: ClassVar[str] = "Jensen-Shannon divergence from the input"
    summary: ClassVar[str] = "how far the summary's words are from the input's, 0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})
    side: ClassVar[Side] = "input"

    def _between(self, counts: WordCounts) -> Floats:
        from scipy.special import rel_entr

        own_totals, other_totals = (
            np.maximum(totals, 1)[counts.rows]
            for totals in (counts.own_totals, counts.other_totals)
        )
        q, p = counts.own / own_totals, counts.other / other_totals
        terms: Floats = rel_entr(p, (p + q) / 2) + rel_entr(q, (p + q) / 2)
        # Identical texts must give 0, whatever the last bits of the sum say.
        divergence: Floats = np.clip(counts.sums(terms) / np.log(4.0), 0.0, 1.0)
        return divergence.round(15)


@dataclass(frozen=True, slots=True)
class JensenShannonReferences(JensenShannonInput):
    """Jensen-Shannon divergence between a summary and its references, taken together.

    See `JensenShannonInput`.

    Examples
    --------
    >>> cases = Cases.of_texts(["rain fell"], [["rain fell", "rain fell"]])
    >>> JensenShannonReferences().score(JensenShannonReferences().statistics(cases)).tolist()
    [0.0]
    """

    name: ClassVar[str] = "js-references"
    title: ClassVar[str] = "Jensen-Shannon divergence from the references"
    summary: ClassVar[str] = "how far the summary's words are from the references', 0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    side: ClassVar[Side] = "references"


@dataclass(frozen=True, slots=True)
class KullbackLeiblerFromInput(_Divergence):
    r"""Kullback-Leibler divergence of the summary from the input, in bits.

    :math:`\sum_w p \log_2 (p / q)` over the words of either side, with p the input and q the
    summary: what is lost by describing the input with the summary's words. Both are smoothed,
    :math:`(c + \delta) / (N + 1.5 \delta V)` with :math:`\delta = 0.0005`, N words, and V
    different words in the input.

    References
    ----------
    Louis and Nenkova (2013). Automatically assessing machine summary content without a gold
    standard. Computational Linguistics 39(2).

    Examples
    --------
    >>> cases = Cases.of_texts(["rain fell", "rain"], documents=[["rain fell"], ["rain fell"]])
    >>> metric = KullbackLeiblerFromInput()
    >>> metric.score(metric.statistics(cases)).round(3).tolist()
    [0.0, 4.483]
    """

    name: ClassVar[str] = "kl-input-summary"
    title: ClassVar[str] = "Kullback-Leibler divergence, input to summary"
    summary: ClassVar[str] = "what is lost by describing the input with the summary's words"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})
    side: ClassVar[Side] = "input"
    reverse: ClassVar[bool] = False

    def _between(self, counts: WordCounts) -> Floats:
        added = _ADDED * _VOCABULARY * counts.other_sizes
        q = (counts.own + _ADDED) / (counts.own_totals + added)[counts.rows]
        # Where the other side has no words, nothing is defined, but nothing is divided by 0 either.
        whole = np.maximum(counts.other_totals + added, _ADDED)
        p = (counts.other + _ADDED) / whole[counts.rows]
        divided, by = (q, p) if self.reverse else (p, q)
        return counts.sums(divided * np.log2(divided / by)).round(15)


@dataclass(frozen=True, slots=True)
class KullbackLeiblerToInput(KullbackLeiblerFromInput):
    """Kullback-Leibler divergence of the input from the summary, in bits.

    What is lost by describing the summary with the input's words; see
    `KullbackLeiblerFromInput`.

    Examples
    --------
    >>> cases = Cases.of_texts(["rain fell"], documents=[["rain fell"]])
    >>> KullbackLeiblerToInput().score(KullbackLeiblerToInput().statistics(cases)).tolist()
    [0.0]
    """

    name: ClassVar[str] = "kl-summary-input"
    title: ClassVar[str] = "Kullback-Leibler divergence, summary to input"
    summary: ClassVar[str] = "what is lost by describing the summary with the input's words"
    reverse: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class KullbackLeiblerFromReferences(KullbackLeiblerFromInput):
    """Kullback-Leibler divergence of a summary from its references; see the one from the input.

    Examples
    --------
    >>> cases = Cases.of_texts(["rain fell"], [["rain fell"]])
    >>> metric = KullbackLeiblerFromReferences()
    >>> metric.score(metric.statistics(cases)).tolist()
    [0.0]
    """

    name: ClassVar[str] = "kl-references-summary"
    title: ClassVar[str] = "Kullback-Leibler divergence, references to summary"
    summary: ClassVar[str] = "what is lost by describing the references with the summary's words"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    side: ClassVar[Side] = "references"


@dataclass(frozen=True, slots=True)
class KullbackLeiblerToReferences(KullbackLeiblerFromReferences):
    """Kullback-Leibler divergence of references from a summary; see the one from the input.

    Examples
    --------
    >>> cases = Cases.of_texts(["rain fell"], [["rain fell"]])
    >>> metric = KullbackLeiblerToReferences()
    >>> metric.score(metric.statistics(cases)).tolist()
    [0.0]
    """

    name: ClassVar[str] = "kl-summary-references"
    title: ClassVar[str] = "Kullback-Leibler divergence, summary to references"
    summary: ClassVar[str] = "what is lost by describing the summary with the references' words"
    reverse: ClassVar[bool] = True
