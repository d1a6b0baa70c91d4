"""Sentences near the centroid of the input."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.options import option
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.selection import Choice
from pyramidion.summarizers.similarity import choose_apart
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer
from pyramidion.summarizers.wording import heaviest
from pyramidion.text._encoding import default_background

__all__ = ["Centroid"]


@dataclass(frozen=True, slots=True)
class Centroid(Summarizer):
    r"""The centroid method of MEAD.

    A word w of the input is worth :math:`n_w \cdot \mathrm{idf}_w`, with the inverse document
    frequency of general English. The centroid has the words whose worth exceeds ``threshold``
    times the greatest. A sentence is worth the sum over its words that are in the centroid, as
    a share of the greatest sum, plus ``position`` times :math:`1/\sqrt{i}` for the i-th
    sentence of a document. One that is too similar to a better one is passed over.

    References
    ----------
    Radev, Jing, Styś and Tam (2004). Centroid-based summarization of multiple documents.
    Information Processing and Management 40(6).

    Examples
    --------
    >>> source = Source.of_texts(["Floods closed roads in Ardel. It was late in the day."] * 2)
    >>> Centroid().choose(source, Limit(5)).numbers
    (0,)
    """

    name: ClassVar[str] = "centroid"
    title: ClassVar[str] = "centroid"
    summary: ClassVar[str] = "sentences with the input's most typical words"
    citation: ClassVar[str] = "Radev et al. 2004"
    heeds: ClassVar[frozenset[str]] = frozenset({"known"})

    threshold: float = option(
        0.1, "words under this share of the greatest do not count", least=0, most=1
    )
    position: float = option(0.0, "what standing early in a document is worth", least=0)
    similar: float = option(0.5, "sentences with a greater cosine say the same", least=0, most=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        worth = np.asarray(source.table @ self.word_weights(source))
        worth = np.where(worth > 0, worth / max(float(worth.max()), 1e-300), -np.inf)
        worth = worth + self.position / np.sqrt(source.places + 1)
        return choose_apart(source, limit, worth, self.similar)

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give what the words of a sentence that are in the centroid add to its score."""
        weights = self.word_weights(source)
        greatest = max(float(np.asarray(source.table @ weights).max()), 1e-300)
        own = source.table[[number]].toarray().ravel() * weights / greatest
        early = self.position / float(np.sqrt(source.places[number] + 1))
        place = (("position", early),) if early else ()
        return (*heaviest(source.words, own), *place)

    def word_weights(self, source: Source, said: Sequence[int] = ()) -> Floats:
        """Give the centroid."""
        background = default_background(stem=source.reading.stem)
        worth = source.counts * background.idf(list(source.words))
        return np.where(worth > self.threshold * worth.max(initial=0.0), worth, 0.0)
