"""The extract that shares most with the references: what extraction could reach."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.options import option
from pyramidion.summarizers.coverage import covering_choice
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.ngrams import NGrams, ngrams_of
from pyramidion.summarizers.selection import Choice
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer

__all__ = ["Oracle"]


@dataclass(frozen=True, slots=True)
class Oracle(Summarizer):
    r"""The extract with the greatest ROUGE-n recall, for analysis: it looks at the references.

    An n-gram counts in each reference as often as both have it; the extract with the greatest
    number of such matches is found by an integer program (`best_cover`). N-grams across the end
    of a sentence, which ROUGE counts, are not foreseen.

    References
    ----------
    Lin and Hovy (2003). The potential and limitations of automatic sentence extraction for
    summarization. HLT-NAACL workshop.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell on Ardel. Goats were sold there on Monday."],
    ...                          references=["Goats were sold."])
    >>> Oracle().summarize(source, Limit(8)).text
    'Goats were sold there on Monday.'
    """

    name: ClassVar[str] = "oracle"
    title: ClassVar[str] = "oracle"
    summary: ClassVar[str] = "the sentences that share most with the references"
    citation: ClassVar[str] = "Lin and Hovy 2003"
    heeds: ClassVar[frozenset[str]] = frozenset({"references"})

    n: int = option(2, "how many words are matched together", least=1, most=4)
    seconds: float = option(10.0, "how long to look for the best extract", least=0.01)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        grams = ngrams_of(source, self.n, references=True)
        return covering_choice(source, limit, grams, _levels(grams), self.seconds)

    def weights_after(
        self, source: Source, said: Sequence[int], most: int | None = None
    ) -> tuple[tuple[str, float], ...]:
        """Give the n-grams that references have, by how many have them."""
        if not source.references:
            return ()
        grams = ngrams_of(source, self.n, references=True)
        levels, had = _levels(grams), grams.had(said)
        more = np.vstack([levels, np.zeros(levels.shape[1])])
        return grams.heaviest(more[np.minimum(had, len(levels)), np.arange(len(had))], most)

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give the n-grams by which a sentence matches references more, and how much."""
        grams = ngrams_of(source, self.n, references=True)
        return grams.heaviest(grams.gains(_levels(grams), number, said), None)


def _levels(grams: NGrams) -> Floats:
    """Give how many references match an n-gram the first time, the second time and so on."""
    most = int(grams.references.max(initial=1.0))
    return np.array([(grams.references >= k).sum(axis=0) for k in range(1, most + 1)], float)
