"""Which sentences of an input may stand in a summary."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion.text import count_words

__all__ = ["CandidateRules"]

_QUESTION = re.compile(r"\?[\"'”’)\]]*\s*$")
# It begins and ends as a quotation and nobody is said to have said it.
_QUOTATION = re.compile(r"^\s*([\"“«]|'')[^\"“”»]*(?:[\"”»]|'')\s*$")


@dataclass(frozen=True, slots=True)
class CandidateRules:
    """Sentences that read badly on their own are left out, unless nothing else would be left.

    Parameters
    ----------
    least_words
        Shorter sentences are left out: headings, cries, remains of boilerplate.
    questions
        Whether questions may stand in a summary.
    quotations
        Whether sentences may that are nothing but a quotation without its speaker.

    Examples
    --------
    >>> rules = CandidateRules(least_words=3)
    >>> kept, left_out = rules.apply(["Rain!", "Who knew that it rained?", "Rain fell all day."])
    >>> kept.tolist(), left_out
    ([False, False, True], ('1 sentence under 3 words', '1 question'))
    """

    least_words: int = 5
    questions: bool = False
    quotations: bool = False

    def apply(self, sentences: Sequence[str]) -> tuple[npt.NDArray[np.bool_], tuple[str, ...]]:
        """Tell which sentences may be chosen, and count those that may not, by reason.

        Parameters
        ----------
        sentences
            The sentences of an input.
        """
        kept = np.ones(len(sentences), dtype=np.bool_)
        left_out = []
        for name, breaks in self._rules():
            broken = np.array([breaks(sentence) for sentence in sentences], dtype=np.bool_) & kept
            # A rule that would leave nothing is no help to anybody.
            if broken.any() and (kept & ~broken).any():
                kept &= ~broken
                left_out.append(_counted(int(broken.sum()), name))
        return kept, tuple(left_out)

    def _rules(self) -> list[tuple[str, Callable[[str], bool]]]:
        rules: list[tuple[str, Callable[[str], bool]]] = [
            (f"under {self.least_words} words", lambda text: count_words(text) < self.least_words)
        ]
        if not self.questions:
            rules.append(("question", lambda text: _QUESTION.search(text) is not None))
        if not self.quotations:
            rules.append(("bare quotation", lambda text: _QUOTATION.match(text) is not None))
        return rules


def _counted(number: int, name: str) -> str:
    if name.startswith("under"):
        return f"{number} sentence{'s' if number > 1 else ''} {name}"
    return f"{number} {name}{'s' if number > 1 else ''}"
