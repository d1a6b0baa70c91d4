"""What another package would declare as an entry point."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion.metrics import Metric
from pyramidion.questions import option


@dataclass(frozen=True, slots=True)
class Letters(Metric):
    """How many letters a summary has."""

    name: ClassVar[str] = "letters"
    title: ClassVar[str] = "letters"
    summary: ClassVar[str] = "how many letters a summary has"

    most: int = option(1000, "count no more than so many", min=0)

    def statistics(self, cases):
        texts = [cases.texts.plain(number) for number in cases.peers.tolist()]
        return np.array([[min(len(text), self.most)] for text in texts], dtype=float)


@dataclass(frozen=True, slots=True)
class Words(Letters):
    """How many words a summary has."""

    name: ClassVar[str] = "words"

    def statistics(self, cases):
        texts = [cases.texts.plain(number) for number in cases.peers.tolist()]
        return np.array([[min(len(text.split()), self.most)] for text in texts], dtype=float)


@dataclass(frozen=True, slots=True)
class FewerWords(Words):
    """How many words a summary has; fewer are better."""

    name: ClassVar[str] = "fewer-words"
    higher_is_better: ClassVar[bool] = False


BOTH = (Letters, Words)
FEWER = FewerWords
NOTHING = 3
