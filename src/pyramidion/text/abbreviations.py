"""What the sentence splitter knows about words, and what an abbreviation lets follow.

A full stop after an abbreviation may end the sentence too. Which of the two it is depends on
the *kind* of abbreviation and on the word that follows: `the U.S. Senate` goes on, `the U.S.
They` does not. The words are in ``data/sentences.toml``, by language; one that has no entry
there is split by its marks and capitals alone.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, NamedTuple

__all__ = ["Following", "Kind", "Lexicon", "can_end", "lexicon"]

_SHORTEST_PLURAL: Final = 5
_LONG_FOR_A_NAME: Final = 8
_NOT_OF_NAMES: Final = ("ially", "ically", "ately", "ment", "ness", "sion", "tion")


class Kind(Enum):
    """Kinds of abbreviations, each with an example.

    Examples
    --------
    >>> lexicon("en").abbreviations["Gov"]
    <Kind.TITLE: 'Gov. Stroud'>
    """

    CLOCK = "5 p.m."
    COMPANY = "Acme Inc."
    DATE = "Sept. 5"
    DEGREE = "Ph.D."
    GENERATION = "Tate Jr."
    INITIAL = "T. Moravec, vitamin C."
    INITIALS = "J.R.R. Tolkien"
    INNER = "e.g."
    NUMBER = "No. 5"
    ORGANISATION = "U.S., Dept."
    PLACE = "Fresno, Calif."
    REFERENCE = "Fig. A"
    STREET = "Fifth Ave."
    STREET_OR_NAME = "Elm St., St. Paul"
    TITLE = "Gov. Stroud"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of one language that the rules ask about, in lower case.

    Parameters
    ----------
    abbreviations
        Abbreviations without their last full stop, as they are written, and their kinds.
    ordinals
        A number with a full stop is an ordinal (`am 3. Oktober`).
    articles, prepositions
        What a phrase such as `At about 4 a.m.` is made of: not yet a sentence.
    brands
        Names that end in an exclamation mark.
    calendar
        Days, months and time zones: they go on after a time of day.
    designators
        Words after which one capital letter is a label (`vitamin C`).
    informal
        Words that open a sentence even in lower case, in text that is careless of capitals.
    institutions, roles
        What goes on after an organisation or a place: `U.S. Senate`, `Acme Corp. Chairman Lee`.
    memorials
        What goes on after a person's name: `King Jr. Boulevard`.
    names
        Starters that are also names, when a capital follows: `J. Will Harmon`.
    openers
        Common words that open a sentence, when no capital follows.
    particles
        Small words in lower case that can open a name: `van Eyck`.
    speech_verbs, verbs
        What a speaker does after a question, and what follows a sentence's subject.
    starters
        Function words and adverbs that open a sentence and are no part of a name.
    surnames
        Names that look like plurals.

    Examples
    --------
    >>> "however" in lexicon("en").starters
    True
    """

    abbreviations: Mapping[str, Kind] = field(default_factory=dict)
    ordinals: bool = False
    articles: frozenset[str] = frozenset()
    brands: frozenset[str] = frozenset()
    calendar: frozenset[str] = frozenset()
    designators: frozenset[str] = frozenset()
    informal: frozenset[str] = frozenset()
    institutions: frozenset[str] = frozenset()
    memorials: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    particles: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    speech_verbs: frozenset[str] = frozenset()
    starters: frozenset[str] = frozenset()
    surnames: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()

    def is_common(self, word: str) -> bool:
        """Tell whether a word is a common one that opens a sentence, not likely a name.

        Plurals, long abstract nouns and adverbs count (`officers`, `extradition`), except
        names that look like one.

        Examples
        --------
        >>> english = lexicon("en")
        >>> [english.is_common(word) for word in ("officers", "police", "rogers", "treasury")]
        [True, True, False, False]
        """
        if word in self.openers or word in self.starters:
            return True
        if not self.starters or len(word) < _SHORTEST_PLURAL or word in self.surnames:
            return False
        if word[-1] == "s":
            return word[-2] not in "aiosu'" and word[-4:] != "kins"
        return len(word) >= _LONG_FOR_A_NAME and word.endswith(_NOT_OF_NAMES)


@cache
def lexicon(language: str) -> Lexicon:
    """Return what is known about the words of a language.

    Parameters
    ----------
    language
        Its two-letter code. One without an entry gives an empty lexicon.

    Examples
    --------
    >>> lexicon("de").ordinals, len(lexicon("hi").abbreviations)
    (True, 0)
    """
    table = _tables().get(language, {})
    plain = {name: value for name, value in table.items() if isinstance(value, bool)}
    lists = {
        item.name: frozenset(table.get(item.name, "").split())
        for item in fields(Lexicon)
        if item.name not in ("abbreviations", "ordinals")
    }
    forms = MappingProxyType(_all_forms(table.get("abbreviations", {})))
    return Lexicon(abbreviations=forms, **plain, **lists)


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "data" / "sentences.toml").read_text("utf-8"))


def _all_forms(table: Mapping[str, str]) -> dict[str, Kind]:
    """Every way of writing each abbreviation; a written form wins over a derived one."""
    written = {form: Kind[kind.upper()] for kind, forms in table.items() for form in forms.split()}
    derived: dict[str, Kind] = {}
    for form, kind in written.items():
        if len(form) > 1:
            derived |= {form.capitalize(): kind} if form.islower() else {}
            derived |= {form.upper(): kind} if kind is not Kind.INNER else {}
    return derived | written


class Following(NamedTuple):
    """The words around an abbreviation that may end a sentence.

    Parameters
    ----------
    words
        The language's words.
    before
        The word before the abbreviation.
    word
        The word after it, in lower case.
    is_title
        That word is a title (`Sen.`).
    then
        The word after that one, as it is written.

    Examples
    --------
    >>> following = Following(lexicon("en"), "the", "senate", is_title=False, then="voted")
    >>> following.goes_on, following.is_common
    (True, False)
    """

    words: Lexicon
    before: str
    word: str
    is_title: bool
    then: str

    @property
    def is_starter(self) -> bool:
        """A function word opens the next sentence."""
        if self.word not in self.words.starters:
            return False
        return not (self.then_capital and self.word in self.words.names)

    @property
    def is_common(self) -> bool:
        """A common word opens the next sentence."""
        return self.is_starter or (not self.then_capital and self.words.is_common(self.word))

    @property
    def goes_on(self) -> bool:
        """The name goes on with a role or an institution."""
        words = self.words
        return self.is_title or self.word in words.roles or self.word in words.institutions

    @property
    def then_capital(self) -> bool:
        """A second capital follows, as in a name."""
        return self.then[:1].isupper()


def _after_company(after: Following) -> bool:
    return not after.goes_on and (after.is_common or after.then in after.words.verbs)


def _after_initial(after: Following) -> bool:
    if after.is_starter or after.before.lower() in after.words.designators:
        return True
    return len(after.word) >= _LONG_FOR_A_NAME and after.is_common and not after.goes_on


def _after_initials(after: Following) -> bool:
    if after.before[:1].isupper() or len(after.word) < _SHORTEST_PLURAL:
        return _after_initial(after)
    return after.is_common and not after.goes_on


def _after_place(after: Following) -> bool:
    if after.before.endswith(","):
        return not (after.goes_on and after.then_capital)
    return _after_street(after)


def _after_street(after: Following) -> bool:
    return (after.is_common or not after.then_capital) and not after.goes_on


def _after_street_or_name(after: Following) -> bool:
    before = after.before
    is_street = before[:1].isupper() or before[:1].isdigit()
    return is_street and before.lower() not in after.words.starters and after.is_common


def _after_degree(after: Following) -> bool:
    if after.before == "":
        return after.is_starter
    return after.is_common or after.before.endswith(",") or not after.then_capital


_RULES: Final[Mapping[Kind, Callable[[Following], bool]]] = {
    Kind.CLOCK: lambda after: after.word not in after.words.calendar,
    Kind.COMPANY: _after_company,
    Kind.DATE: lambda after: after.word not in after.words.calendar,
    Kind.DEGREE: _after_degree,
    Kind.GENERATION: lambda after: (
        after.before[:1].isupper() and after.word not in after.words.memorials
    ),
    Kind.INITIAL: _after_initial,
    Kind.INITIALS: _after_initials,
    Kind.INNER: lambda after: False,
    Kind.NUMBER: lambda after: True,
    Kind.ORGANISATION: lambda after: after.is_common and not after.goes_on,
    Kind.PLACE: _after_place,
    Kind.REFERENCE: lambda after: len(after.word) > 1 and not set(after.word) <= set("ivx"),
    Kind.STREET: _after_street,
    Kind.STREET_OR_NAME: _after_street_or_name,
    Kind.TITLE: lambda after: False,
}


def can_end(kind: Kind, following: Following) -> bool:
    """Tell whether a sentence ends with an abbreviation, when a capital follows it.

    Examples
    --------
    >>> english = lexicon("en")
    >>> can_end(Kind.COMPANY, Following(english, "Acme", "chairman", False, "Ed"))
    False
    >>> can_end(Kind.COMPANY, Following(english, "Acme", "shares", False, "fell"))
    True
    """
    return _RULES[kind](following)
