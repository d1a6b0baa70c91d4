"""The sentences of documents: how they are split and counted, and which may be chosen."""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.collection import Document
from pyramidion.errors import InputError
from pyramidion.rendering.labels import counted
from pyramidion.summarizers._dates import read_date
from pyramidion.summarizers._readable import Readability
from pyramidion.text import count_words, split_sentences, tokenize, truncate_words
from pyramidion.text.encoding import Reading
from pyramidion.text.languages import (
    UNDIVIDED_LANGUAGES,
    UNKNOWN,
    detect_language,
    has_stop_lists,
    language_name,
    splitting_letters,
    stop_list,
)
from pyramidion.text.sentences import primary_code
from pyramidion.text.tokens import has_stemmer, has_unspaced

Newlines = Literal["paragraph", "sentence"]

#: White space: a space, and five characters from the tab on.
_BLANK_CODE, _TAB_CODE, _SPACE_CODES = 0x20, 0x09, 5
#: The first letter of a script without spaces, and the block 0x2000 that has dashes and quotation
#: marks of other scripts and no such letter.
_FIRST_UNSPACED = 0x0E00
_PUNCTUATION = 0x2
_CHUNK = re.compile(r"\S+", re.ASCII)


def length_of(text: str) -> int:
    """Count the words of a text, and the characters of scripts without spaces."""
    if text.isascii() or not has_unspaced(text):
        return count_words(text)
    return sum(map(_length_of_chunk, _CHUNK.findall(text)))


def _length_of_chunk(chunk: str) -> int:
    return max(len(tokenize(chunk, "unicode")), 1) if has_unspaced(chunk) else 1


def word_counts(texts: Sequence[str]) -> Ints:
    """Count the words of texts as `length_of` does, many at a time."""
    # One or four bytes per character, so that positions are those of the texts.
    joined_texts = "\n".join((*texts, ""))
    try:
        codes = np.frombuffer(joined_texts.encode("latin-1"), dtype=np.uint8)
    except UnicodeEncodeError:
        codes = np.frombuffer(joined_texts.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    is_blank = (codes == _BLANK_CODE) | (codes - _TAB_CODE < _SPACE_CODES)
    ends = np.flatnonzero(is_blank[1:] & ~is_blank[:-1])
    bounds = np.fromiter(map(len, texts), np.int64, len(texts)).cumsum() + np.arange(len(texts))
    counts: Ints = np.diff(ends.searchsorted(bounds), prepend=0)
    if codes.itemsize > 1 and ((codes >= _FIRST_UNSPACED) & (codes >> 12 != _PUNCTUATION)).any():
        for number in (k for k, text in enumerate(texts) if has_unspaced(text)):
            counts[number] = length_of(texts[number])
    return counts


def cut_after(text: str, limit: int) -> str:
    """Truncate a text to this many words or characters, as counted by `length_of`."""
    if text.isascii() or not has_unspaced(text):
        return truncate_words(text, limit)
    room, end = limit, 0
    for match in _CHUNK.finditer(text):
        length = _length_of_chunk(match[0])
        if length > room:
            return text[: match.start() + _fitting(match[0], room)] if room else text[:end]
        room, end = room - length, match.end()
    return text


def _fitting(chunk: str, limit: int) -> int:
    """Return the length of the longest prefix with at most this many tokens."""
    sizes = range(1, len(chunk))
    return bisect(sizes, limit, key=lambda size: len(tokenize(chunk[:size], "unicode")))


def reading_for(texts: Sequence[str], language: str = "auto") -> tuple[Reading, tuple[str, ...]]:
    """Choose how texts become words, with notes if that differs from English.

    Words are stemmed and stop words removed if there is a stemmer and a stop list. Words with
    accents are not split.
    """
    code = detect_language(texts) if language == "auto" else primary_code(language)
    if code == "en":
        return Reading(True, True, "unicode" if splitting_letters(texts) else "rouge"), ()
    reading = Reading(has_stemmer(code), bool(stop_list(code)), "unicode", code)
    stemming_text = "are stemmed" if reading.stem else "are not stemmed"
    certainty_text = "seems to be" if language == "auto" else "is"
    reason = f"the language {certainty_text} {language_name(code)} ({code})"
    if code == UNKNOWN:
        reason = "the text is not English and its language is unknown"
    if reading.stop_words:
        notes = [f"{reason}: its stop words are ignored, and words {stemming_text}"]
    else:
        hint = "" if has_stop_lists() else " (lists of other languages come with pyramidion[nlp])"
        notes = [f"{reason}: there is no stop list, so all words count and {stemming_text}{hint}"]
    if code in UNDIVIDED_LANGUAGES:
        notes.append(
            f"{language_name(code)} is not supported, since it does not mark sentences or words;"
            " lines count as sentences and pairs of characters as words"
        )
    return reading, tuple(notes)


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a document.

    Parameters
    ----------
    text
        The sentence on one line, without a dateline or other boilerplate.
    document, index
        The document's id, and the position in it, from 0.
    words
        The number of words, as a limit counts them.

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
            raise InputError(f"two documents are called {id!r}", hint="give each a different id")


def sentences_of(text: str, language: str = "en") -> list[str]:
    """Split a text into sentences, each on one line.

    If most lines begin with a speaker, each line is a turn. Fillers such as *uh* are removed from
    turns (in English), and so are turns that have no other words.
    """
    newlines: Newlines = "sentence" if language in UNDIVIDED_LANGUAGES else "paragraph"
    if _has_turns(text):
        newlines, text = "sentence", "\n".join(_turns(text, language))
    sentences = split_sentences(text, language=language, newlines=newlines, boilerplate="strip")
    return [" ".join(sentence.split()) if "\n" in sentence else sentence for sentence in sentences]


#: A speaker at the beginning of a line, perhaps after or before a time: *[10:02] Ada Ode: ...*.
_SPEAKER = re.compile(
    r"[ \t]*(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?[\])]?[ ,-]*)?"
    r"(?:<(?P<nick>[^<>\s]{1,30})>|(?P<name>[^\W\d_][\w.'’-]*(?: [\w.'’-]+){0,4}?)"
    r"(?: [\[(]\d{1,2}:\d\d[^\])]*[\])])? ?[:：])\s*"
)
#: Minimum number of turns, and their share of the lines.
_MIN_TURNS, _MIN_TURN_SHARE = 3, 0.6
#: How many characters of a text are examined.
_BEGINNING_LENGTH = 5000
_FILLER = re.compile(
    r"(?<!\w)(?:u+h+(?:-huh)?|u+m+|m+h+m+|m+-?hm+|h+m+|e+r+m*|a+h+|o+h+)(?!\w)"
    r"(?: ?[,.…]+| ?-+(?!\w))?\s*",
    re.IGNORECASE,
)


def _has_turns(text: str) -> bool:
    """Return whether most lines begin with a speaker, and somebody speaks twice."""
    if text.count("\n") + 1 < _MIN_TURNS or (
        ":" not in text and "：" not in text and ">" not in text
    ):
        return False
    lines = [line for line in text[:_BEGINNING_LENGTH].splitlines() if line.strip()]
    speakers = [match["name"] or match["nick"] for match in map(_SPEAKER.match, lines) if match]
    has_enough = len(speakers) >= max(_MIN_TURNS, _MIN_TURN_SHARE * len(lines))
    return has_enough and len({*speakers}) < len(speakers)


def _turns(text: str, language: str) -> Iterator[str]:
    """Return the turns of a conversation, without fillers and empty turns."""
    for line in text.splitlines():
        match = _SPEAKER.match(line)
        label, words = (line[: match.end()], line[match.end() :]) if match else ("", line)
        if language == "en":
            words = _FILLER.sub("", words).lstrip(" ,.-")
        if any(map(str.isalnum, words)):
            yield label + words


def notes_on(documents: Sequence[Document], sentences: Sequence[str]) -> tuple[str, ...]:
    """Return notes about the script and about dates that could not be read."""
    notes = []
    if 2 * sum(has_unspaced(sentence) for sentence in sentences if not sentence.isascii()) > len(
        sentences
    ):
        notes.append("this script has few spaces between words, so each character counts as a word")
    dates = [
        document.date
        for document in documents
        if document.date.strip() and read_date(document.date) is None
    ]
    if len(dates) == 1:
        notes.append(f"1 date could not be read ({dates[0]!r}): its document keeps its position")
    elif dates:
        problem = f"{len(dates)} dates could not be read (such as {min(dates)!r})"
        notes.append(f"{problem}: their documents keep their positions")
    return tuple(notes)


_GREEK_MARK = "\u037e"
_QUESTION_MARKS = ("?", "？", "؟", _GREEK_MARK)
_AFTER_A_MARK = "\"'”’»)] \u00a0\u202f\t\r\n"
# The Greek question mark is a semicolon elsewhere.
_GREEK_QUESTION = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff];")
# A quotation from beginning to end, without a speaker.
_QUOTATION = re.compile(r"(?:[\"“«„]|''|``)[^\"“”»]*(?:[\"”»“]|'')[\s.,!?]*")
_OPENS_QUOTATION = "\"“«„'`"
#: A quotation that begins with a low mark, which three marks may close.
_LOW_QUOTATION = re.compile('„[^„"“”]*["“”]')
# Straight quotation marks; after a digit they are inches.
_STRAIGHT_MARK = re.compile(r"\"(?<!\d\")")


@dataclass(frozen=True, slots=True)
class CandidateRules:
    """Sentences that read badly on their own are excluded, unless nothing else would be left.

    The rules only affect which sentences may be chosen: the words of all sentences are counted.

    Parameters
    ----------
    least_words
        Minimum length: shorter sentences are headings, exclamations or boilerplate. In scripts
        without spaces characters are counted; see `length_of`.
    questions
        Whether to allow questions.
    quotations
        Whether to allow quotations without a speaker, and parts of quotations.
    headlines
        Whether to allow lines that are not sentences: in capitals, without a final mark, dates of
        publication, captions, fragments.
    repeats
        Whether to allow repeated sentences and near duplicates, and sentences that several
        documents have word for word although no other sentence says something similar: notices.
    dangling
        Whether to allow sentences that depend on the previous one: that open with a pronoun or a
        connective, or quote *he* or *she*. Otherwise they may only follow that sentence. Detected
        for English only.

    Examples
    --------
    >>> rules = CandidateRules(least_words=3)
    >>> usable, left_out = rules.apply(["Rain!", "Who knew that it rained?", "Rain fell all day."])
    >>> usable.tolist(), left_out
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
        """Return rules that allow every sentence."""
        return cls(0, *(True,) * 5)

    def __post_init__(self) -> None:
        if self.least_words < 0:
            raise InputError(f"least_words is {self.least_words}", hint="use 0 or more")

    def apply(
        self,
        sentences: Sequence[str],
        lengths: Ints | None = None,
        positions: Ints | None = None,
        repeated: Bools | None = None,
    ) -> tuple[Bools, tuple[str, ...]]:
        """Return which sentences may be chosen, and counts of the others, by reason.

        Of repeated sentences, the one earliest in its document (`positions`) remains; `repeated`
        has the others, if known.
        """
        is_allowed = np.ones(len(sentences), dtype=np.bool_)
        left_out = []
        lengths = word_counts(sentences) if lengths is None else lengths
        positions = np.arange(len(sentences)) if positions is None else positions
        repeated = self.repeated(sentences, positions) if repeated is None else repeated
        for name, broken in self._broken(sentences, lengths, repeated):
            removed = broken & is_allowed
            # Ignore a rule that would leave nothing.
            if removed.any() and (is_allowed & ~removed).any():
                is_allowed &= ~removed
                left_out.append(counted(int(removed.sum()), *name))
        return is_allowed, tuple(left_out)

    def repeated(self, sentences: Sequence[str], positions: Ints) -> Bools:
        """Return which sentences occurred before, verbatim, if that matters."""
        if self.repeats or len({*sentences}) == len(sentences):
            return np.zeros(len(sentences), dtype=np.bool_)
        return _is_repeat(sentences, positions)

    def readability(
        self,
        sentences: Sequence[str],
        positions: Ints,
        candidates: Bools,
        *,
        english: bool = True,
        repeated: Bools | None = None,
    ) -> Readability:
        """Return where the sentences that `apply` allows may appear in a summary."""
        is_dangling = self.dangling or not english
        switches = self.headlines, self.quotations, is_dangling, english, repeated
        return Readability(sentences, positions, candidates, *switches)

    def _broken(
        self, sentences: Sequence[str], lengths: Ints, is_repeated: Bools
    ) -> Iterator[tuple[tuple[str, ...], Bools]]:
        """Return for each rule the name of a violation, and which sentences violate it."""
        reason = f"under {self.least_words} words"
        yield (f"sentence {reason}", f"sentences {reason}"), lengths < self.least_words
        if not self.questions:
            asks = [("?" in s or not s.isascii()) and _is_question(s) for s in sentences]
            yield ("question",), np.array(asks, dtype=np.bool_)
        if not self.quotations:
            # Most sentences have no quotation marks.
            quotes = [
                ('"' in s or "`" in s or s[:1] == "'" or not s.isascii()) and _is_bare_quotation(s)
                for s in sentences
            ]
            yield ("bare quotation",), np.array(quotes, dtype=np.bool_)
        if not self.headlines:
            yield ("headline",), np.fromiter(map(str.isupper, sentences), np.bool_, len(sentences))
        if not self.repeats:
            yield ("repeated sentence",), is_repeated


def _is_question(text: str) -> bool:
    text = text.rstrip(_AFTER_A_MARK)
    return text.endswith(_QUESTION_MARKS) or _GREEK_QUESTION.match(text[-2:]) is not None


def _is_bare_quotation(text: str) -> bool:
    has_speaker = text[-1:] in ".,!?" and text[-2:-1].isalnum()
    if "„" in text and (has_speaker or not _QUOTATION.fullmatch(text)):
        text = _LOW_QUOTATION.sub("", text)
        if "„" in text:
            return True
    if not has_speaker and text[:1] in _OPENS_QUOTATION and _QUOTATION.fullmatch(text):
        return True
    if '"' in text and text.count('"') % 2 and len(_STRAIGHT_MARK.findall(text)) % 2:
        return True
    if text.count("``") > text.count("''"):
        return True
    if text.isascii():
        return False
    if text.count("«") != text.count("»"):
        return True
    return text.count("“") != text.count("”")


def _is_repeat(sentences: Sequence[str], positions: Ints) -> Bools:
    """Return which sentences repeat one that comes earlier in its document."""
    backwards = np.argsort(positions, kind="stable")[::-1].tolist()
    last_numbers = {sentences[number]: number for number in backwards}
    is_repeated = np.ones(len(sentences), dtype=np.bool_)
    is_repeated[[*last_numbers.values()]] = False
    return is_repeated
