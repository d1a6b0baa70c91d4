"""The default method: the best one on the open collections for the kind of input."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pyramidion.summarizers._baselines import Lead
from pyramidion.summarizers._coverage import ConceptCoverage
from pyramidion.summarizers._graphs import LexRank, MaximalMarginalRelevance
from pyramidion.summarizers._hmm import HmmQr
from pyramidion.summarizers._rewriter import Rewriter
from pyramidion.summarizers._selection import Choice, Extract, Limit, Order, Terms
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text import english_is_installed

#: For several documents: coverage in which early sentences count more.
_MULTI_DOCUMENT_METHOD = ConceptCoverage(position=2.0, search="auto")
#: Longer texts (in words), such as stories, meetings and books, rarely begin with their main point.
_MAX_ARTICLE_WORDS = 2000


@dataclass(frozen=True, slots=True)
class Auto(Summarizer):
    """The best method for the kind of input; a note names it.

    For several documents, or an update: concept coverage with more weight on early mentions. For
    one document of up to 2,000 words, such as an article: its beginning. For a longer document, or
    one with a question: the hidden Markov model of CLASSY. Without the package pyramidion-english,
    which that model needs: MMR for a longer document, and LexRank for a question.

    Source: The comparison of all methods on open collections in ``docs/summarizers.md``.
    """

    name: ClassVar[str] = "auto"
    title: ClassVar[str] = "automatic choice"
    summary: ClassVar[str] = "the best method for the kind of input"
    citation: ClassVar[str] = "docs/summarizers.md"
    uses: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    def suited_to(self, source: Source) -> Summarizer:
        """Return the method for an input."""
        return self._decide(source)[0]

    def _decide(self, source: Source) -> tuple[Summarizer, str]:
        if len(np.unique(source.homes)) > 1:
            return _MULTI_DOCUMENT_METHOD, "several documents"
        if source.known_texts:
            return _MULTI_DOCUMENT_METHOD, "an update"
        if source.question:
            return _hmm_or_fallback(LexRank(), "one document and a question")
        if source.lengths.sum() > _MAX_ARTICLE_WORDS:
            return _hmm_or_fallback(
                MaximalMarginalRelevance(),
                f"one document of more than {_MAX_ARTICLE_WORDS:,} words",
            )
        return Lead(), f"one document of up to {_MAX_ARTICLE_WORDS:,} words"

    def summarize(
        self,
        source: Source,
        limit: Limit | None = None,
        *,
        order: Order = "source",
        rewriter: Rewriter | None = None,
    ) -> Extract:
        """Make a summary; see `Summarizer.summarize`."""
        method, reason = self._decide(source)
        extract = method.summarize(source, limit, order=order, rewriter=rewriter)
        return replace(extract, notes=(*extract.notes, f"auto: {method} for {reason}"))

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        return self.suited_to(source).choose(source, limit)

    def weights_after(self, source: Source, taken: Sequence[int], most: int | None = None) -> Terms:
        """Return the weights of the chosen method."""
        return self.suited_to(source).weights_after(source, taken, most)

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Explain the score of a sentence."""
        return self.suited_to(source).explain(source, number, taken)


def _hmm_or_fallback(fallback_method: Summarizer, reason: str) -> tuple[Summarizer, str]:
    """Return the hidden Markov model, or the second best method without its word counts."""
    if english_is_installed():
        return HmmQr(), reason
    comparison_note = (
        f"{HmmQr()} did better in the comparison; it needs pip install pyramidion-english"
    )
    return fallback_method, f"{reason} ({comparison_note})"
