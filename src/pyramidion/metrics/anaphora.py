"""How often a summary points back to something."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import option
from pyramidion.metrics.spoken_words import ReadabilityMetric, sentences_spoken, summed_words
from pyramidion.text.encoding import Encoded

__all__ = ["Anaphora"]

_PRONOUNS = frozenset(
    {
        *("he", "him", "his", "himself", "she", "her", "hers", "herself"),
        *("it", "its", "itself", "they", "them", "their", "theirs", "themselves"),
    }
)
_DEMONSTRATIVES = frozenset({"this", "these", "those"})
_COUNTED = ("all", "pronouns", "demonstratives", "definite")


@dataclass(frozen=True, slots=True)
class Anaphora(ReadabilityMetric):
    """Words that point back, a sentence: pronouns, demonstratives, definite beginnings.

    Counted are the personal, possessive and reflexive pronouns of the third person; *this*,
    *these* and *those* anywhere, and *that* at the beginning of a sentence (elsewhere it mostly
    joins clauses); and *the* at the beginning of a sentence, where a summary takes for granted
    what it speaks of. ``count`` chooses one kind. Nothing is resolved: a pronoun counts whether
    or not the summary says whom it means. A text without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5. (Named there as future work.)

    Examples
    --------
    >>> cases = Cases.of_texts(["The mayor said that she would go. That was all."])
    >>> Anaphora().score(Anaphora().statistics(cases)).tolist()
    [1.5]
    >>> Anaphora(count="pronouns").statistics(cases).tolist()
    [[1.0, 2.0]]
    """

    name: ClassVar[str] = "anaphora"
    title: ClassVar[str] = "anaphora a sentence"
    summary: ClassVar[str] = "how many words of a sentence point back, on average"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    higher_is_better: ClassVar[bool] = False

    count: str = option("all", "which of them", choices=_COUNTED)

    def statistics(self, cases: Cases) -> Floats:
        """Count what points back, and sentences."""
        encoded = self.encoded(cases)
        kinds = _COUNTED[1:] if self.count == "all" else (self.count,)
        found = np.sum([_count(encoded, kind) for kind in kinds], axis=0)
        return self.counted(cases, found, sentences_spoken(encoded))


def _count(encoded: Encoded, kind: str) -> Ints:
    match kind:
        case "pronouns":
            return summed_words(encoded, _among(encoded, _PRONOUNS))
        case "demonstratives":
            anywhere = summed_words(encoded, _among(encoded, _DEMONSTRATIVES))
            return anywhere + _beginnings(encoded, "that")
        case _:
            return _beginnings(encoded, "the")


def _among(encoded: Encoded, words: frozenset[str]) -> Ints:
    return np.array([word in words for word in encoded.words], dtype=np.int64)


def _beginnings(encoded: Encoded, word: str) -> Ints:
    """Count the sentences of each text that begin with a word."""
    begins = np.zeros(len(encoded.sentences) - 1, dtype=np.int64)
    spoken = encoded.sentence_lengths > 0
    first = encoded.ids[encoded.sentences[:-1][spoken]]
    begins[spoken] = _among(encoded, frozenset({word}))[first]
    return np.diff(np.concatenate([[0], np.cumsum(begins)])[encoded.texts])
