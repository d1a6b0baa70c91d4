"""Abbreviations and other words that the sentence splitter uses.

Whether the full stop of an abbreviation also ends the sentence depends on the *kind* of
abbreviation and on the next word: `the U.S. Senate` continues, `the U.S. They` does not. The words
are in ``data/sentences.toml``, by language.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple

_ROMAN_NUMERAL: Final = re.compile("[IVX]+")
_GERMAN_ARTICLES: Final = frozenset(
    {"am", "das", "dem", "den", "der", "des", "die", "im", "vom", "zum"}
)
_LABEL_PATTERN: Final = re.compile(r"\d{1,2}|[IVX]{1,5}|[^\W\d_]")
_DOTTED_LETTERS: Final = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])++")
_LAST_PART: Final = re.compile(r".*[-/'’]")
_MIN_PLURAL_LENGTH: Final = 5
_MIN_COMMON_LENGTH: Final = 8
_COMMON_ENDINGS: Final = ("ially", "ically", "ately", "ment", "ness", "sion", "tion")


class Kind(Enum):
    """Kinds of abbreviations, each with an example."""

    COMPANY = "Acme Inc."
    DEGREE = "Ph.D."
    GENERATION = "Tate Jr."
    INITIAL = "T. Moravec, vitamin C."
    INITIALS = "J.R.R. Tolkien"
    INNER = "e.g."
    NUMBER = "No. 5"
    ORGANIZATION = "U.S., Dept."
    PLACE = "Fresno, Calif., Fifth Ave."
    REFERENCE = "Fig. A"
    STREET_OR_NAME = "Elm St., St. Paul"
    TIME = "5 p.m., Sept. 5"
    TITLE = "Gov. Stroud"


@dataclass(frozen=True, slots=True)
class AbbreviationLexicon:
    """The abbreviations of a language, and other words that the rules use, in lower case."""

    abbreviations: Mapping[str, Kind]
    #: The last three letters of each abbreviation.
    tails: frozenset[str] = frozenset()
    has_ordinals: bool = False
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
        """Return whether a word opens a sentence, or is a plural, an abstract noun or an adverb."""
        if word in self.openers or word in self.starters:
            return True
        if not self.starters or len(word) < _MIN_PLURAL_LENGTH or word in self.surnames:
            return False
        if word[-1] == "s":
            return word[-2] not in "aiosu'" and word[-4:] != "kins"
        return len(word) >= _MIN_COMMON_LENGTH and word.endswith(_COMMON_ENDINGS)

    def kind(self, before: str, token: str, *, caseless: bool = False) -> Kind | None:
        """Return the kind of an abbreviation; None for other words."""
        # A number or letter at the start of a sentence or after a colon labels a list item.
        if (before == "" or before[-1] == ":") and _LABEL_PATTERN.fullmatch(token):
            return Kind.INNER
        forms = self.abbreviations
        if kind := forms.get(token):
            # *At 4 A.M.*, but *the author A.M. Homes*.
            is_name = (
                kind is Kind.TIME and before[:1].isupper() and _DOTTED_LETTERS.fullmatch(token)
            )
            return Kind.INITIALS if is_name and token.isupper() else kind
        if self.has_ordinals and (kind := self._compound(before, token)):
            return kind
        if token.isalpha() and len(token) > 1:
            return forms.get(token.capitalize()) if caseless else None
        if len(token) == 1 and token.isalpha():
            return Kind.INITIAL if caseless or not self.starters or token.isupper() else None
        if kind := forms.get(_LAST_PART.sub("", token)):
            return kind
        if "." in token and _DOTTED_LETTERS.fullmatch(token):
            return Kind.INITIALS
        return Kind.INNER if self.has_ordinals and token.isdigit() and len(token) <= 2 else None

    def _compound(self, before: str, token: str) -> Kind | None:
        """Read *Bahnhofstr.*, and *im II. Weltkrieg*."""
        if token.endswith("str"):
            return self.abbreviations.get("Str")
        is_after_article = before.lower() in _GERMAN_ARTICLES
        return Kind.INNER if is_after_article and _ROMAN_NUMERAL.fullmatch(token) else None

    def is_lead_in(self, phrase: str) -> bool:
        """Return whether the words before the last one only introduce a sentence."""
        first_word, *following_words = phrase.lower().split()[:-1] or [""]
        return first_word in self.prepositions and all(
            word in self.prepositions or word in self.articles or not word.isalpha()
            for word in following_words
        )


@cache
def lexicon(language: str) -> AbbreviationLexicon:
    """Load the words of a language."""
    source = files(__package__) / "data" / "sentences.toml"
    table = tomllib.loads(source.read_text("utf-8")).get(language, {})
    forms = _abbreviation_forms(table.pop("abbreviations", {}))
    ordinals = table.pop("ordinals", False)
    word_sets = {name: frozenset(words.split()) for name, words in table.items()}
    tails = frozenset(form[-3:] for form in forms if len(form) > 2)
    return AbbreviationLexicon(MappingProxyType(forms), tails, ordinals, **word_sets)


def _abbreviation_forms(table: Mapping[str, str]) -> dict[str, Kind]:
    """Return all forms of each abbreviation; listed forms take precedence over derived ones."""
    listed_forms = {
        form: Kind[kind.upper()] for kind, forms in table.items() for form in forms.split()
    }
    derived_forms: dict[str, Kind] = {}
    for word_form, kind in listed_forms.items():
        if len(word_form) > 1:
            derived_forms |= {word_form.capitalize(): kind} if word_form.islower() else {}
            derived_forms |= {word_form.upper(): kind} if kind is not Kind.INNER else {}
    return derived_forms | listed_forms


class _AbbreviationContext(NamedTuple):
    """The words around an abbreviation that may end a sentence."""

    words: AbbreviationLexicon
    before: str
    word: str
    next_word: str
    is_title: bool
    is_next_capitalized: bool


def _is_starter(context: _AbbreviationContext) -> bool:
    is_initial = context.next_word == "." and len(context.word) == 1
    is_name = is_initial or (context.is_next_capitalized and context.word in context.words.names)
    return context.word in context.words.starters and not is_name


def _is_common(context: _AbbreviationContext) -> bool:
    is_in_name = context.is_next_capitalized or context.next_word.isdigit()
    return _is_starter(context) or (not is_in_name and context.words.is_common(context.word))


def _continues(context: _AbbreviationContext) -> bool:
    words = context.words
    is_title_or_role = (
        context.is_title or context.word in words.roles or context.word in words.institutions
    )
    return is_title_or_role and context.word not in words.starters


def _after_company(context: _AbbreviationContext) -> bool:
    return not _continues(context) and (
        _is_common(context) or context.next_word in context.words.verbs
    )


def _after_organization(context: _AbbreviationContext) -> bool:
    if context.before == "the":
        return _after_company(context)
    return _is_common(context) and not _continues(context)


def _after_initial(context: _AbbreviationContext) -> bool:
    if _is_starter(context) or context.before.lower() in context.words.designators:
        return True
    return len(context.word) >= _MIN_COMMON_LENGTH and _after_organization(context)


def _after_initials(context: _AbbreviationContext) -> bool:
    if context.before[:1].isupper() or len(context.word) < _MIN_PLURAL_LENGTH:
        return _after_initial(context)
    return _after_organization(context)


def _after_place(context: _AbbreviationContext) -> bool:
    if context.before.endswith(","):
        return not (_continues(context) and context.is_next_capitalized)
    return (_is_common(context) or not context.is_next_capitalized) and not _continues(context)


def _after_street_or_name(context: _AbbreviationContext) -> bool:
    previous_word = context.before
    is_street = previous_word[:1].isupper() or previous_word[:1].isdigit()
    return is_street and previous_word.lower() not in context.words.starters and _is_common(context)


def _after_degree(context: _AbbreviationContext) -> bool:
    if context.before == "":
        return _is_starter(context)
    return _is_common(context) or context.before.endswith(",") or not context.is_next_capitalized


def _after_generation(context: _AbbreviationContext) -> bool:
    return context.before[:1].isupper() and context.word not in context.words.memorials


_RULES: Final[Mapping[Kind, Callable[[_AbbreviationContext], bool]]] = {
    Kind.COMPANY: _after_company,
    Kind.DEGREE: _after_degree,
    Kind.GENERATION: _after_generation,
    Kind.INITIAL: _after_initial,
    Kind.INITIALS: _after_initials,
    Kind.INNER: lambda context: False,
    Kind.NUMBER: lambda context: True,
    Kind.ORGANIZATION: _after_organization,
    Kind.PLACE: _after_place,
    Kind.REFERENCE: lambda context: len(context.word) > 1 and not set(context.word) <= set("ivx"),
    Kind.STREET_OR_NAME: _after_street_or_name,
    Kind.TIME: lambda context: context.word not in context.words.calendar,
    Kind.TITLE: lambda context: False,
}


def can_end(
    kind: Kind,
    words: AbbreviationLexicon,
    *,
    before: str,
    word: str,
    next_word: str,
    is_title: bool = False,
) -> bool:
    """Return whether a sentence ends with an abbreviation before a capitalized word."""
    return _RULES[kind](
        _AbbreviationContext(words, before, word, next_word, is_title, next_word[:1].isupper())
    )
