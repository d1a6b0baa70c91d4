"""Runs of capitalized words, and the names of people that may stand in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.people.names import is_initial
from pyramidion.rewriting.people.words import bare, words_of
from pyramidion.text._parsing import ParsedWord
from pyramidion.text._tokens import STOP_WORDS

__all__ = ["NameSpan", "in_capitals", "is_title", "name_spans", "touches"]

_HYPHENS: Final = frozenset("-‐‑–")
_QUOTES: Final = frozenset("\"'“”‘’`") | {"``", "''"}
_LONGEST_RUN: Final = 14
_FEWEST_LETTERS: Final = 12
_MOSTLY: Final = 0.8
#: Particles that are English words as well, and open no name.
_ENGLISH: Final = frozenset({"do", "ten", "bar", "e", "y", "mac", "st", "ur", "ul", "av", "af"})
_TITLE_ENDINGS: Final = ("-elect", "-designate", "-general", "-General", "-in-chief")


@dataclass(frozen=True, slots=True)
class NameSpan:
    """Where a name may stand.

    Parameters
    ----------
    first, last
        The words of the name.
    titles
        How many words right before it are titles.
    run
        Where the capitalized words begin that end with the name.

    Examples
    --------
    >>> NameSpan(1, 2, 1, 0).titles
    1
    """

    first: int
    last: int
    titles: int
    run: int


def name_spans(sentence: ParsedSentence) -> list[NameSpan]:
    """Find where names of people may stand: capitalized words without titles before them.

    Parameters
    ----------
    sentence
        A sentence; one in capitals has none.

    Examples
    --------
    >>> words = [ParsedWord(w, w, "X", 0, "dep", s) for w, s in
    ...          [("Sen.", 0), ("Mary", 5), ("Landrieu", 10), ("won", 19)]]
    >>> name_spans(ParsedSentence("Sen. Mary Landrieu won", tuple(words)))
    [NameSpan(first=1, last=2, titles=1, run=0)]
    """
    if in_capitals(sentence.text):
        return []
    runs = _runs(sentence.words)
    return [span for run in runs for span in _names_in(sentence, run)]


def in_capitals(text: str) -> bool:
    """Tell whether a text is in capitals, so that they do not tell names from other words.

    Examples
    --------
    >>> in_capitals("GOVERNOR CASTELLAN RESIGNS"), in_capitals("The FCB said so.")
    (True, False)
    """
    letters = [letter for letter in text if letter.isalpha()]
    capitals = sum(letter.isupper() for letter in letters)
    return len(letters) >= _FEWEST_LETTERS and capitals > _MOSTLY * len(letters)


def is_title(text: str) -> bool:
    """Tell whether a capitalized word is a title.

    Examples
    --------
    >>> is_title("Sen."), is_title("Governor-elect"), is_title("Linnea")
    (True, True, False)
    """
    if not text[:1].isupper() and not text.startswith("ex-"):
        return False
    if bare(text) in words_of("titles") | words_of("plural_titles"):
        return True
    if text.lower().startswith(("ex-", "vice-", "co-", "then-")):
        return is_title(text.split("-", 1)[1])
    return text.endswith(_TITLE_ENDINGS) and text.split("-", maxsplit=1)[0] in words_of("titles")


def touches(words: tuple[ParsedWord, ...], place: int) -> bool:
    """Tell whether a word stands right after the one before it, without a blank.

    Examples
    --------
    >>> words = [ParsedWord(text, text, "X", 0, "dep", at) for text, at in [("Orr", 0), (",", 3)]]
    >>> touches(tuple(words), 1)
    True
    """
    return 0 < place < len(words) and words[place].start == words[place - 1].end


#: A word of a run, with what a hyphen joins to it: first and last place, and the text.
_Unit = tuple[int, int, str]


def _runs(words: tuple[ParsedWord, ...]) -> Iterator[list[_Unit]]:
    place = 0
    while place < len(words):
        run = _run_from(words, place)
        if run:
            yield run
        place = run[-1][1] + 1 if run else place + 1


def _run_from(words: tuple[ParsedWord, ...], place: int) -> list[_Unit]:
    """Collect the words of a name-like run that begins at a place."""
    if _hangs_on(words, place):
        return []
    text = words[place].text
    if _is_capitalized(text):
        units = [_unit(words, place)]
    else:
        units = (_particles(words, place) if text not in _ENGLISH else None) or []
    while 0 < len(units) < _LONGEST_RUN:
        then = _continued(words, units[-1][1] + 1)
        if then is None:
            break
        units += then
    return units


def _continued(words: tuple[ParsedWord, ...], place: int) -> list[_Unit] | None:
    """Give what continues a run at a place: a word, particles and a word, a suffix, a nickname."""
    if place >= len(words):
        return None
    text = words[place].text
    if text == "," and place + 1 < len(words) and bare(words[place + 1].text) in ("Jr", "Sr"):
        return [(place, place + 1, words[place + 1].text)]
    if text in _QUOTES:
        return _nickname(words, place)
    if touches(words, place):
        return None
    if _is_capitalized(text) or text == "&":
        return [_unit(words, place)]
    return _particles(words, place)


def _nickname(words: tuple[ParsedWord, ...], place: int) -> list[_Unit] | None:
    """Read a nickname in quotation marks, with the name after it."""
    close = place + 2
    if close + 1 >= len(words) or touches(words, place) or not touches(words, close):
        return None
    inside, after = words[place + 1].text, words[close + 1].text
    if words[close].text not in _QUOTES or not _is_capitalized(inside):
        return None
    return [(place, close, f'"{inside}"'), _unit(words, close + 1)] if after[:1].isupper() else None


def _particles(words: tuple[ParsedWord, ...], place: int) -> list[_Unit] | None:
    """Read particles in small letters, if a capitalized word follows: *de la Cruz*."""
    units: list[_Unit] = []
    while place < len(words) and len(units) < 3:
        unit = _unit(words, place)
        if _is_capitalized(unit[2]) or "-" in unit[2]:
            small = unit[2].split("-")[0].lower() in words_of("particles")
            return [*units, unit] if units or small else None
        if unit[2] not in words_of("particles") or touches(words, place):
            return None
        units.append(unit)
        place = unit[1] + 1
    return None


def _unit(words: tuple[ParsedWord, ...], place: int) -> _Unit:
    """Take a word with what hyphens join to it."""
    last = place
    while (
        last + 2 < len(words)
        and words[last + 1].text in _HYPHENS
        and touches(words, last + 1)
        and touches(words, last + 2)
    ):
        last += 2
    return place, last, "".join(word.text for word in words[place : last + 1])


def _is_capitalized(text: str) -> bool:
    if is_initial(text):
        return text[0].isupper() and (text.endswith(".") or text.isalpha())
    letters = text.replace("'", "").replace("’", "").rstrip(".").replace("-", "")
    if not letters.isalpha() or not text[0].isupper():
        return False
    return not text.isupper() or bare(text) in words_of("suffixes") | {"JR", "SR"}


def _hangs_on(words: tuple[ParsedWord, ...], place: int) -> bool:
    """Tell whether a hyphen or the like joins a word to the one before it: *anti-Boyle*."""
    return touches(words, place) and words[place - 1].text not in _QUOTES | set("([—–-/") | {"--"}


def _names_in(sentence: ParsedSentence, run: list[_Unit]) -> Iterator[NameSpan]:
    """Cut off titles and other words before a name; give nothing if no name is left."""
    begin = _after_titles(run)
    titles = 0
    if begin:
        while titles < begin and is_title(run[begin - 1 - titles][2]):
            titles += 1
    else:
        begin = _after_other_words(sentence, run)
    name = run[begin:]
    if not name or all(bare(unit[2]) in words_of("suffixes") for unit in name):
        return
    inside = sentence.words[name[0][0] : name[-1][1] + 1]
    person = titles > 0 or all(word.entity == "person" for word in inside)
    if _is_something_else([unit[2] for unit in name], person=person):
        return
    words = name[0][0] - run[begin - titles][0] if titles else _office_before(sentence, name[0][0])
    yield NameSpan(name[0][0], name[-1][1], words, run[0][0])


def _after_titles(run: list[_Unit]) -> int:
    """Give how many words of a run come before the name, if the last of them is a title."""
    for place in range(len(run) - 1, 0, -1):
        text, before = run[place - 1][2], run[place - 2][2] if place > 1 else ""
        if not is_title(text) or bare(run[place][2]) in words_of("suffixes"):
            continue
        if _may_be_first_name(text, run[place:]) or before in _first_names():
            continue
        if bare(text) in words_of("suffixes") and place > 1:
            continue
        return place
    return 0


def _may_be_first_name(text: str, rest: list[_Unit]) -> bool:
    """*Dean Smith* and *Earl Warren* have no title."""
    return text in _first_names() and len(rest) == 1


def _first_names() -> frozenset[str]:
    return words_of("female_names") | words_of("male_names")


def _after_other_words(sentence: ParsedSentence, run: list[_Unit]) -> int:
    """Give how many words at the start of a run are no names: *When*, *Republican*, *Tuesday*."""
    begin = 0
    office = _office_before(sentence, run[1][0]) if len(run) > 1 else 0
    if office:
        return 1
    while begin < len(run) and _is_no_name(run[begin][2], len(run) - begin - 1):
        begin += 1
    return begin


def _is_no_name(text: str, following: int) -> bool:
    if text in _first_names():
        return text in words_of("never") and following > 1
    if text in words_of("never"):
        return True
    return following > 1 and text.lower() in words_of("describing") | words_of("roles")


def _office_before(sentence: ParsedSentence, place: int) -> int:
    """Count the words of an office right before a place: *Secretary of State*."""
    words = sentence.words
    if place < 3 or words[place - 1].text not in words_of("offices"):
        return 0
    of, title = words[place - 2].text, words[place - 3].text
    return 3 if of == "of" and is_title(title) else 0


def _is_something_else(texts: list[str], *, person: bool) -> bool:
    """Tell whether words in a name make it a place's, a company's, a prize's."""
    if "&" in texts:
        return True
    if len(texts) == 1 and texts[0] in words_of("also_last_names"):
        return False
    for place, text in enumerate(texts):
        opens = place == 0 and text in _first_names() | words_of("family_first")
        if bare(text) not in words_of("organizations") or (opens and len(texts) > 1):
            continue
        last = place == len(texts) - 1 and bare(text) in words_of("also_last_names")
        if not (last and (person or texts[0] in _first_names())):
            return True
    if len(texts) > 1 or texts[0] not in words_of("never"):
        return False
    return not person or texts[0].lower() in STOP_WORDS - {"may"}
