"""Three baselines that ignore the content of sentences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pyramidion._types import Ints
from pyramidion.questions import option
from pyramidion.summarizers._selection import Choice, Limit, Terms, by_date, choose_ranked
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer


@dataclass(frozen=True, slots=True)
class Lead(Summarizer):
    """The beginning of the latest article, DUC's first baseline.

    It ends before the first sentence that does not fit. If the article is shorter than the limit,
    the previous one follows. Without dates the last document is the latest.

    Source: Nenkova (2006), section 4.2.1.
    """

    name: ClassVar[str] = "lead"
    title: ClassVar[str] = "latest lead"
    summary: ClassVar[str] = "the beginning of the latest article"
    citation: ClassVar[str] = "DUC 2004"

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        article_ranks = np.argsort(by_date(source.documents)[::-1])
        limit = replace(limit, fit="stop") if limit.fit == "fill" else limit
        return _choose_in_order(
            source, limit, np.lexsort((source.positions, article_ranks[source.homes]))
        )

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return a sentence's position in its article, and the article's rank (1: the latest)."""
        return _article_position(source, number, by_date(source.documents)[::-1])


@dataclass(frozen=True, slots=True)
class First(Summarizer):
    """The first sentence of each article, the earliest first, then the second ones and so on.

    Source: The coverage baseline of DUC 2001 to 2003.
    """

    name: ClassVar[str] = "first"
    title: ClassVar[str] = "first sentences"
    summary: ClassVar[str] = "the first sentence of each article, then the second ones"
    citation: ClassVar[str] = "DUC 2001"

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        article_ranks = np.argsort(by_date(source.documents))
        return _choose_in_order(
            source, limit, np.lexsort((article_ranks[source.homes], source.positions))
        )

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return a sentence's position in its article, and the article's rank (1: the earliest)."""
        return _article_position(source, number, by_date(source.documents))


@dataclass(frozen=True, slots=True)
class Random(Summarizer):
    """Sentences at random."""

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "random"
    summary: ClassVar[str] = "sentences at random"

    seed: int = option(0, "random seed", min=0)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        return _choose_in_order(source, limit, self._permutation(source))

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return the number of the draw, from 1."""
        return (("draw", float(np.flatnonzero(self._permutation(source) == number)[0]) + 1),)

    def _permutation(self, source: Source) -> Ints:
        return np.random.default_rng(self.seed).permutation(len(source))


def _article_position(source: Source, number: int, order: Sequence[int]) -> Terms:
    """Return the position of a sentence in its article, and of the article among all."""
    home = int(source.homes[number])
    date = source.documents[home].date.strip()
    article = f"article of {date}" if date else "article"
    return ("place", float(source.positions[number]) + 1), (article, order.index(home) + 1.0)


def _choose_in_order(source: Source, limit: Limit, order: Ints) -> Choice:
    """Take sentences in this order; their scores decrease from 1 to 0."""
    scores = np.empty(len(source))
    scores[order] = 1 - np.arange(len(source)) / len(source)
    return choose_ranked(source, limit, scores)
