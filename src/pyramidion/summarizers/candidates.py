"""Which sentences of an input may stand in a summary."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.errors import InputError
from pyramidion.summarizers.lengths import word_counts

__all__ = ["CandidateRules"]

_GREEK_MARK = "\u037e"
_QUESTION_MARKS = ("?", "？", "؟", _GREEK_MARK)
_AFTER_A_MARK = "\"'”’»)] \u00a0\u202f\t\r\n"
# Greek asks with what is a semicolon elsewhere.
_GREEK_QUESTION = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff];")
_QUOTES = ('"', "“", "”", "«", "»", "''", "``")
# It begins and ends as a quotation and nobody is said to have said it.
_QUOTATION = re.compile(r"(?:[\"“«]|''|``)[^\"“”»]*(?:[\"”»]|'')[\s.,!?]*")
# Straight quotation marks; after a digit they are inches.
_STRAIGHT_MARK = re.compile(r"(?<!\d)\"")


@dataclass(frozen=True, slots=True)
class CandidateRules:
    """Sentences that read badly on their own are left out, unless nothing else would be left.

    The words of all sentences are counted: the rules only say what may be chosen.

    Parameters
    ----------
    least_words
        Shorter sentences are left out: headings, cries, remains of boilerplate. In scripts
        without blanks characters are counted, see `length_of`.
    questions
        Whether questions may stand in a summary.
    quotations
        Whether sentences may that are nothing but a quotation without its speaker, or a piece
        of one, whose marks do not match.
    headlines
        Whether sentences may that are written in capitals throughout.
    repeats
        Whether the very same sentence may stand there again when the input has it again.

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
    repeats: bool = False
    headlines: bool = False

    @classmethod
    def nothing_left_out(cls) -> "CandidateRules":
        """Give rules that every sentence keeps."""
        return cls(0, questions=True, quotations=True, repeats=True, headlines=True)

    def __post_init__(self) -> None:
        if self.least_words < 0:
            raise InputError(
                f"sentences of {self.least_words} words and more are asked for",
                hint="give 0 or more",
            )

    def apply(
        self,
        sentences: Sequence[str],
        lengths: Ints | None = None,
        places: Ints | None = None,
    ) -> tuple[Bools, tuple[str, ...]]:
        """Tell which sentences may be chosen, and count those that may not, by reason.

        Parameters
        ----------
        sentences
            The sentences of an input.
        lengths
            Their numbers of words, where they are known.
        places
            Their places in their documents; of repeated sentences the earliest is kept.
        """
        kept = np.ones(len(sentences), dtype=np.bool_)
        left_out = []
        lengths = word_counts(sentences) if lengths is None else lengths
        places = np.arange(len(sentences)) if places is None else places
        for name, broken in self._broken(sentences, lengths, places):
            found = broken & kept
            # A rule that would leave nothing is no help to anybody.
            if found.any() and (kept & ~found).any():
                kept &= ~found
                left_out.append(_counted(int(found.sum()), name))
        return kept, tuple(left_out)

    def _broken(
        self, sentences: Sequence[str], lengths: Ints, places: Ints
    ) -> list[tuple[str, Bools]]:
        """Tell for each rule which sentences break it."""
        rules = [(f"under {self.least_words} words", lengths < self.least_words)]
        together = "\n".join(sentences)
        if not self.questions:
            marks = [mark for mark in (*_QUESTION_MARKS, ";") if mark in together]
            rules.append(("question", _marked(sentences, marks, _is_question)))
        if not self.quotations:
            marks = [mark for mark in _QUOTES if mark in together]
            rules.append(("bare quotation", _marked(sentences, marks, _is_bare_quotation)))
        if not self.headlines:
            capitals = np.fromiter(map(str.isupper, sentences), np.bool_, len(sentences))
            rules.append(("headline", capitals))
        if not self.repeats:
            rules.append(("repeated sentence", _is_repeat(sentences, places)))
        return rules


def _marked(sentences: Sequence[str], marks: Sequence[str], broken: Callable[[str], bool]) -> Bools:
    """Look only at the sentences that have one of the marks."""
    found = np.zeros(len(sentences), dtype=np.bool_)
    for mark in marks:
        own = [number for number, text in enumerate(sentences) if mark in text]
        found[[number for number in own if broken(sentences[number])]] = True
    return found


def _is_question(text: str) -> bool:
    text = text.rstrip(_AFTER_A_MARK)
    return text.endswith(_QUESTION_MARKS) or _GREEK_QUESTION.match(text[-2:]) is not None


def _is_bare_quotation(text: str) -> bool:
    if _QUOTATION.fullmatch(text):
        return True
    if text.count('"') % 2 and len(_STRAIGHT_MARK.findall(text)) % 2:
        return True
    if text.count("«") != text.count("»"):
        return True
    # German opens with the mark that closes in English.
    return text.count("“") != text.count("”") and "„" not in text


def _is_repeat(sentences: Sequence[str], places: Ints) -> Bools:
    if len(set(sentences)) == len(sentences):
        return np.zeros(len(sentences), dtype=np.bool_)
    order = np.argsort(places, kind="stable").tolist()
    kept = {sentences[number]: number for number in reversed(order)}
    repeated = np.ones(len(sentences), dtype=np.bool_)
    repeated[list(kept.values())] = False
    return repeated


def _counted(number: int, name: str) -> str:
    if name.startswith("under"):
        return f"{number} sentence{'s' if number > 1 else ''} {name}"
    return f"{number} {name}{'s' if number > 1 else ''}"
