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
_SEVERAL = ConceptCoverage(position=2.0, search="auto")
#: Longer texts, such as stories, meetings and books, do not begin with their main point.
_ARTICLE = 2000


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
        return self._decided(source)[0]

    def _decided(self, source: Source) -> tuple[Summarizer, str]:
        if len(np.unique(source.homes)) > 1:
            return _SEVERAL, "several documents"
        if source.known_texts:
            return _SEVERAL, "an update"
        if source.question:
            return _model_or(LexRank(), "one document and a question")
        if source.lengths.sum() > _ARTICLE:
            return _model_or(
                MaximalMarginalRelevance(), f"one document of more than {_ARTICLE:,} words"
            )
        return Lead(), f"one document of up to {_ARTICLE:,} words"

    def summarize(
        self,
        source: Source,
        limit: Limit | None = None,
        *,
        order: Order = "source",
        rewriter: Rewriter | None = None,
    ) -> Extract:
        """Make a summary; see `Summarizer.summarize`."""
        method, reason = self._decided(source)
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


def _model_or(second: Summarizer, reason: str) -> tuple[Summarizer, str]:
    """Return the hidden Markov model, or the second best method without its word counts."""
    if english_is_installed():
        return HmmQr(), reason
    better = f"{HmmQr()} did better in the comparison; it needs pip install pyramidion-english"
    return second, f"{reason} ({better})"
