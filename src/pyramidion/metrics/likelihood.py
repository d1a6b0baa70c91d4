"""How likely a summary is, were its words drawn from the input."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.distributions import WordCounts, word_counts
from pyramidion.metrics.metric import Metric, Need, option, share
from pyramidion.metrics.texts import Reading

__all__ = ["MultinomialLikelihood", "UnigramLikelihood"]


@dataclass(frozen=True, slots=True)
class MultinomialLikelihood(Metric):
    r"""The logarithm of a summary's multinomial probability under the input's words.

    :math:`\log \frac{N!}{\prod_w n_w!} + \sum_w n_w \log p_w` with :math:`n_w` the counts in the
    summary, N their sum, and :math:`p_w = (c_w + \delta) / (C + \delta (V + V_0))` from the
    input's counts, V its different words and :math:`V_0` those that the summary alone has: a
    word that is absent from the input has the probability of one seen :math:`\delta` times.
    It falls with length, so compare summaries of one length, or use ``unigram-input``.

    References
    ----------
    Nenkova (2006), section 4.1. Nenkova, Vanderwende and McKeown (2006). A compositional context
    sensitive multi-document summarizer. SIGIR.

    Examples
    --------
    >>> cases = Cases.of_texts(["rain rain", "rain fell"], documents=[["rain fell"]] * 2)
    >>> metric = MultinomialLikelihood()
    >>> np.exp(metric.score(metric.statistics(cases))).round(3).tolist()
    [0.25, 0.5]
    """

    name: ClassVar[str] = "multinomial-input"
    title: ClassVar[str] = "multinomial log-likelihood under the input"
    summary: ClassVar[str] = "how likely the summary's words are, drawn from the input"
    citation: ClassVar[str] = "Nenkova et al. 2006"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    absent: float = option(0.0005, "occurrences that are added to every word", least=1e-12)
    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")

    def statistics(self, cases: Cases) -> Floats:
        """Give the logarithm of the probability, and the number of words."""
        reading = Reading(stem=self.stem, stop_words=self.stop_words)
        return np.concatenate([self._of(c) for c in word_counts(cases, "input", reading)])

    def _of(self, counts: WordCounts) -> Floats:
        words = counts.sums(np.ones(len(counts.rows)))
        totals = counts.other_totals + self.absent * words
        logs = np.log((counts.other + self.absent) / totals[counts.rows])
        values = counts.sums(counts.own * logs) + self._coefficient(counts)
        return np.stack([np.where(counts.defined, values, np.nan), counts.own_totals], axis=1)

    def _coefficient(self, counts: WordCounts) -> Floats:
        """Give the logarithm of the number of orders of a summary's words."""
        from scipy.special import gammaln

        return np.asarray(gammaln(counts.own_totals + 1) - counts.sums(gammaln(counts.own + 1)))


@dataclass(frozen=True, slots=True)
class UnigramLikelihood(MultinomialLikelihood):
    r"""The mean logarithm of the probability of a summary's words under the input.

    :math:`\frac1N \sum_w n_w \log p_w`, see `MultinomialLikelihood`; it does not depend on the
    length.

    Examples
    --------
    >>> cases = Cases.of_texts(["rain rain", "rain"], documents=[["rain fell"]] * 2)
    >>> metric = UnigramLikelihood()
    >>> np.exp(metric.score(metric.statistics(cases))).round(3).tolist()
    [0.5, 0.5]
    """

    name: ClassVar[str] = "unigram-input"
    title: ClassVar[str] = "mean log-probability under the input"
    summary: ClassVar[str] = "how frequent the summary's words are in the input"

    def score(self, statistics: Floats) -> Floats:
        """Divide by the number of words."""
        return share(statistics[..., 0], statistics[..., 1])

    def _coefficient(self, counts: WordCounts) -> Floats:
        return np.zeros(counts.cases)
