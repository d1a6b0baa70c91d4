"""Which sentences of an input may stand in a summary."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion.errors import InputError

__all__ = ["CandidateRules", "word_counts"]

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

_BLANK = 0x20
#: Which of the bytes up to a blank are white space.
_IS_SPACE = np.array([byte in b" \t\n\r\f\v" for byte in range(_BLANK + 1)])

_QUESTION_MARKS = ("?", "？", "؟")
_AFTER_A_MARK = "\"'”’»)] \t\r\n"
_QUOTES = ('"', "“", "”", "«", "''", "``")
# It begins and ends as a quotation and nobody is said to have said it.
_QUOTATION = re.compile(r"(?:[\"“«]|''|``)[^\"“”»]*(?:[\"”»]|'')[\s.,!?]*")
# Straight quotation marks; after a digit they are inches.
_STRAIGHT_MARK = re.compile(r"(?<!\d)\"")


def word_counts(texts: Sequence[str]) -> Numbers:
    """Count the words of texts as `count_words` does, many at a time.

    Parameters
    ----------
    texts
        The texts.

    Examples
    --------
    >>> word_counts(["It reopened - after 14 months.", ""]).tolist()
    [6, 0]
    """
    # Bytes are looked at: only ASCII white space separates words.
    joined = "\n".join(("", *texts, "")).encode("utf-8", "surrogatepass")
    found = np.frombuffer(joined, dtype=np.uint8)
    blanks = np.flatnonzero(found <= _BLANK)
    blanks = blanks[_IS_SPACE[found[blanks]]]
    begins = blanks[:-1][np.diff(blanks) > 1]
    ends = np.cumsum(np.array(_sizes(texts, joined), dtype=np.int64) + 1)
    return np.diff(np.searchsorted(begins, ends), prepend=0)


def _sizes(texts: Sequence[str], joined: bytes) -> list[int]:
    """Give how many bytes each text has."""
    if joined.isascii():
        return list(map(len, texts))
    return [len(text.encode("utf-8", "surrogatepass")) for text in texts]


@dataclass(frozen=True, slots=True)
class CandidateRules:
    """Sentences that read badly on their own are left out, unless nothing else would be left.

    The words of all sentences are counted: the rules only say what may be chosen.

    Parameters
    ----------
    least_words
        Shorter sentences are left out: headings, cries, remains of boilerplate.
    questions
        Whether questions may stand in a summary.
    quotations
        Whether sentences may that are nothing but a quotation without its speaker, or a piece
        of one, whose marks do not match.
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

    def __post_init__(self) -> None:
        if self.least_words < 0:
            raise InputError(
                f"sentences of {self.least_words} words and more are asked for",
                hint="give 0 or more",
            )

    def apply(
        self,
        sentences: Sequence[str],
        lengths: Numbers | None = None,
        places: Numbers | None = None,
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
        self, sentences: Sequence[str], lengths: Numbers, places: Numbers
    ) -> list[tuple[str, Bools]]:
        """Tell for each rule which sentences break it."""
        rules = [(f"under {self.least_words} words", lengths < self.least_words)]
        together = "\n".join(sentences)
        if not self.questions:
            marks = [mark for mark in _QUESTION_MARKS if mark in together]
            rules.append(("question", _marked(sentences, marks, _is_question)))
        if not self.quotations:
            marks = [mark for mark in _QUOTES if mark in together]
            rules.append(("bare quotation", _marked(sentences, marks, _is_bare_quotation)))
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
    return text.rstrip(_AFTER_A_MARK).endswith(_QUESTION_MARKS)


def _is_bare_quotation(text: str) -> bool:
    if _QUOTATION.fullmatch(text):
        return True
    if text.count('"') % 2 and len(_STRAIGHT_MARK.findall(text)) % 2:
        return True
    # German opens with the mark that closes in English.
    return text.count("“") != text.count("”") and "„" not in text


def _is_repeat(sentences: Sequence[str], places: Numbers) -> Bools:
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
