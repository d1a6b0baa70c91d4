"""Many summaries, encoded as word ids."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pyramidion._types import Ints

__all__ = ["Ids", "Summaries"]

Ids = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Summaries:
    """The two readings of many summaries: flat, and as sentences.

    Both hold the same words unless ROUGE-1.5.5 truncates them differently.

    Parameters
    ----------
    ids, starts
        Text `t`, read flat, is ``ids[starts[t] : starts[t + 1]]``.
    sentence_ids, sentences
        Sentence `s` is ``sentence_ids[sentences[s] : sentences[s + 1]]``.
    texts
        Text `t` is made of the sentences ``texts[t]`` to ``texts[t + 1] - 1``.

    Examples
    --------
    >>> ids = np.array([0, 1, 0, 2], np.int32)
    >>> summaries = Summaries(ids, np.array([0, 4]), ids, np.array([0, 2, 4]), np.array([0, 2]))
    >>> summaries.flat(0), summaries.sentences_of(0)
    ([0, 1, 0, 2], [[0, 1], [0, 2]])
    """

    ids: Ids
    starts: Ints
    sentence_ids: Ids
    sentences: Ints
    texts: Ints

    def flat(self, text: int) -> list[int]:
        """Return a text's words."""
        words: list[int] = self.ids[self.starts[text] : self.starts[text + 1]].tolist()
        return words

    def sentences_of(self, text: int) -> list[list[int]]:
        """Return a text's sentences."""
        bounds = self.sentences[self.texts[text] : self.texts[text + 1] + 1].tolist()
        return [self.sentence_ids[start:end].tolist() for start, end in pairwise(bounds)]
