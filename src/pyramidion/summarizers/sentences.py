"""The sentences of documents: how they are found and counted, and which may stand in a summary."""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.collection import Document
from pyramidion.collection._dates import read_date
from pyramidion.errors import InputError
from pyramidion.rendering.labels import counted
from pyramidion.summarizers._readable import Readability
from pyramidion.text import count_words, split_sentences, tokenize, truncate_words
from pyramidion.text.encoding import Reading
from pyramidion.text.languages import (
    UNDIVIDED,
    UNKNOWN,
    accents_of,
    detect_language,
    has_stop_lists,
    language_name,
    stop_list,
)
from pyramidion.text.sentences import primary_code
from pyramidion.text.tokens import has_stemmer, has_unspaced

Newlines = Literal["paragraph", "sentence"]

#: White space: a blank, and five characters from the tabulator on.
_BLANK, _TAB, _SPACES = 0x20, 0x09, 5
#: The first letter of a script without blanks, and the block of a thousand (hexadecimal) that has
#: the dashes and quotation marks of other scripts and no such letter.
_FIRST_UNSPACED = 0x0E00
_PUNCTUATION = 0x2
_CHUNK = re.compile(r"\S+", re.ASCII)


def length_of(text: str) -> int:
    """Count the words of a text, and the characters where a script has no blanks."""
    if text.isascii() or not has_unspaced(text):
        return count_words(text)
    return sum(map(_length_of_chunk, _CHUNK.findall(text)))


def _length_of_chunk(chunk: str) -> int:
    return max(len(tokenize(chunk, "unicode")), 1) if has_unspaced(chunk) else 1


def word_counts(texts: Sequence[str]) -> Ints:
    """Count the words of texts as `length_of` does, many at a time."""
    # One or four bytes a character, so that places are those of the texts.
    joined = "\n".join((*texts, ""))
    try:
        found = np.frombuffer(joined.encode("latin-1"), dtype=np.uint8)
    except UnicodeEncodeError:
        found = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    blank = (found == _BLANK) | (found - _TAB < _SPACES)
    ends = np.flatnonzero(blank[1:] & ~blank[:-1])
    bounds = np.fromiter(map(len, texts), np.int64, len(texts)).cumsum() + np.arange(len(texts))
    counts: Ints = np.diff(ends.searchsorted(bounds), prepend=0)
    if found.itemsize > 1 and ((found >= _FIRST_UNSPACED) & (found >> 12 != _PUNCTUATION)).any():
        for number in (k for k, text in enumerate(texts) if has_unspaced(text)):
            counts[number] = length_of(texts[number])
    return counts


def cut_after(text: str, limit: int) -> str:
    """Cut a text after so many words, or characters, as `length_of` counts them."""
    if text.isascii() or not has_unspaced(text):
        return truncate_words(text, limit)
    left, end = limit, 0
    for found in _CHUNK.finditer(text):
        length = _length_of_chunk(found[0])
        if length > left:
            return text[: found.start() + _fitting(found[0], left)] if left else text[:end]
        left, end = left - length, found.end()
    return text


def _fitting(chunk: str, limit: int) -> int:
    """Return the length of the longest beginning that has at most so many tokens."""
    sizes = range(1, len(chunk))
    return bisect(sizes, limit, key=lambda size: len(tokenize(chunk[:size], "unicode")))


def reading_for(texts: Sequence[str], language: str = "auto") -> tuple[Reading, tuple[str, ...]]:
    """Choose how words are found, with notes where that differs from English.

    Words are stemmed and stop words left out if there is a stemmer and a stop list. Words with
    accents are not split.
    """
    code = detect_language(texts) if language == "auto" else primary_code(language)
    if code == "en":
        return Reading(True, True, "unicode" if accents_of(texts) else "rouge"), ()
    reading = Reading(has_stemmer(code), bool(stop_list(code)), "unicode", code)
    stemmed = "are stemmed" if reading.stem else "are not stemmed"
    certain = "seems to be" if language == "auto" else "is"
    reason = f"the language {certain} {language_name(code)} ({code})"
    if code == UNKNOWN:
        reason = "the text is not English and its language is not known"
    if reading.stop_words:
        notes = [f"{reason}: its stop words are left out, words {stemmed}"]
    else:
        hint = "" if has_stop_lists() else " (lists of other languages come with pyramidion[nlp])"
        notes = [f"{reason}: there is no stop list, all words count and {stemmed}{hint}"]
    if code in UNDIVIDED:
        notes.append(
            f"{language_name(code)} is not supported: neither sentences nor words are marked in it;"
            " lines are taken as sentences and pairs of characters as words"
        )
    return reading, tuple(notes)


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a document.

    Parameters
    ----------
    text
        The sentence on one line, without a dateline or other boilerplate.
    document
        The document's id.
    index
        Its place in the document, from 0.
    words
        How many words it has, as a limit counts them.

    Examples
    --------
    >>> SourceSentence("Rain fell.", "d1", 0, 2).words
    2
    """

    text: str
    document: str
    index: int
    words: int


def require_ids(documents: Sequence[Document]) -> None:
    """Raise an error if two documents have the same id."""
    for id, times in Counter(document.id for document in documents).items():
        if times > 1:
            raise InputError(f"two documents are called {id!r}", hint="give each an id of its own")


def sentences_of(text: str, language: str = "en") -> list[str]:
    """Split a text; a sentence of a text whose lines are wrapped is put on one line."""
    newlines: Newlines = "sentence" if language in UNDIVIDED else "paragraph"
    sentences = split_sentences(text, language=language, newlines=newlines, boilerplate="strip")
    return [" ".join(own.split()) if "\n" in own else own for own in sentences]


def notes_on(documents: Sequence[Document], sentences: Sequence[str]) -> tuple[str, ...]:
    """Return notes about the script and the dates that change how documents are summarized."""
    notes = []
    if 2 * sum(has_unspaced(own) for own in sentences if not own.isascii()) > len(sentences):
        notes.append(
            "words stand between blanks and this script has few of them: there each character "
            "counts as a word"
        )
    dates = [own.date for own in documents if own.date.strip() and read_date(own.date) is None]
    if len(dates) == 1:
        what = f"1 date was not understood ({dates[0]!r})"
        notes.append(f"{what}: its document stands where it was given")
    elif dates:
        what = f"{len(dates)} dates were not understood (such as {min(dates)!r})"
        notes.append(f"{what}: their documents stand in the order given")
    return tuple(notes)


_GREEK_MARK = "\u037e"
_QUESTION_MARKS = ("?", "？", "؟", _GREEK_MARK)
_AFTER_A_MARK = "\"'”’»)] \u00a0\u202f\t\r\n"
# Greek asks with what is a semicolon elsewhere.
_GREEK_QUESTION = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff];")
# It begins and ends as a quotation and nobody is said to have said it.
_QUOTATION = re.compile(r"(?:[\"“«]|''|``)[^\"“”»]*(?:[\"”»]|'')[\s.,!?]*")
_OPENS_QUOTATION = "\"“«'`"
# Straight quotation marks; after a digit they are inches.
_STRAIGHT_MARK = re.compile(r"\"(?<!\d\")")


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
        Whether lines may that are no sentences: in capitals throughout, without a mark at the
        end, dates of publication, captions and cues, pieces of sentences.
    repeats
        Whether the very same sentence may stand there again when the input has it again, or one
        that says nearly the same.
    dangling
        Whether sentences may stand alone that lean on the one before them: that open with a
        pronoun or a connective, or quote somebody who is only *he* or *she*. Otherwise they may
        follow that sentence and no other. Told for English only.

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
    dangling: bool = False

    @classmethod
    def nothing_left_out(cls) -> "CandidateRules":
        """Return rules that every sentence keeps."""
        return cls(0, *(True,) * 5)

    def __post_init__(self) -> None:
        if self.least_words < 0:
            what = f"sentences of {self.least_words} words and more are asked for"
            raise InputError(what, hint="give 0 or more")

    def apply(
        self, sentences: Sequence[str], lengths: Ints | None = None, places: Ints | None = None
    ) -> tuple[Bools, tuple[str, ...]]:
        """Return which sentences may be chosen, and count those that may not, by reason.

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
                left_out.append(counted(int(found.sum()), *name))
        return kept, tuple(left_out)

    def readability(
        self, sentences: Sequence[str], places: Ints, kept: Bools, *, english: bool = True
    ) -> Readability:
        """Return how the sentences that `apply` keeps may stand in a summary.

        Parameters
        ----------
        sentences, places
            The sentences of an input, and their places in their documents.
        kept
            Those that may be chosen.
        english
            Whether they are English: pronouns and connectives of other languages are not known.
        """
        dangling = self.dangling or not english
        return Readability(sentences, places, kept, self.headlines, self.quotations, dangling)

    def _broken(
        self, sentences: Sequence[str], lengths: Ints, places: Ints
    ) -> Iterator[tuple[tuple[str, ...], Bools]]:
        """Return for each rule the name of what breaks it, and which sentences do."""
        under = f"under {self.least_words} words"
        yield (f"sentence {under}", f"sentences {under}"), lengths < self.least_words
        if not self.questions:
            yield ("question",), _which(_is_question, sentences)
        if not self.quotations:
            yield ("bare quotation",), _which(_is_bare_quotation, sentences)
        if not self.headlines:
            yield ("headline",), _which(str.isupper, sentences)
        if not self.repeats:
            yield ("repeated sentence",), _is_repeat(sentences, places)


def _which(broken: Callable[[str], bool], sentences: Sequence[str]) -> Bools:
    return np.fromiter(map(broken, sentences), np.bool_, len(sentences))


def _is_question(text: str) -> bool:
    text = text.rstrip(_AFTER_A_MARK)
    return text.endswith(_QUESTION_MARKS) or _GREEK_QUESTION.match(text[-2:]) is not None


def _is_bare_quotation(text: str) -> bool:
    # Most sentences have no mark at all.
    if '"' not in text and text[:1] not in "'`" and text.isascii():
        return False
    said = text[-1:] in ".,!?" and text[-2:-1].isalnum()
    if not said and text[:1] in _OPENS_QUOTATION and _QUOTATION.fullmatch(text):
        return True
    if '"' in text and text.count('"') % 2 and len(_STRAIGHT_MARK.findall(text)) % 2:
        return True
    if text.isascii():
        return False
    if text.count("«") != text.count("»"):
        return True
    # German opens with the mark that closes in English.
    return text.count("“") != text.count("”") and "„" not in text


def _is_repeat(sentences: Sequence[str], places: Ints) -> Bools:
    """Return which sentences are the same as one that comes earlier in its document."""
    seen: set[str] = set()
    repeated = np.zeros(len(sentences), dtype=np.bool_)
    for number in np.argsort(places, kind="stable").tolist():
        repeated[number] = sentences[number] in seen
        seen.add(sentences[number])
    return repeated
