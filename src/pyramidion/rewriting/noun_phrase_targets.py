"""Which sentences and noun phrases may be touched at all: where parses can be trusted."""

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.noun_lists import nouns_of
from pyramidion.rewriting.noun_phrase_titles import is_title
from pyramidion.rewriting.phrases import NounPhrase
from pyramidion.rewriting.quotations import balanced

__all__ = ["sentence_objection", "target_objection"]

#: Words; a longer sentence is not understood well enough.
_LONGEST = 80
_ENDS = (".", "!", "?", ";")
_SHOUTING = 0.5
#: What adds another to a noun after a comma, or takes one away.
_ADDING = frozenset(
    ("and", "or", "but", "not", "as", "along", "together", "including", "like", "such", "except")
)
_PREPOSITIONS = frozenset(("of", "from"))
#: What follows the comma between the things of a list.
_LISTED = ("NUM", "NOUN", "PROPN", "DET", "ADJ", "CCONJ", "PRON")


def sentence_objection(sentence: ParsedSentence) -> str:
    """Say why a sentence must be left alone; nothing if it need not.

    Parameters
    ----------
    sentence
        A sentence of the input.

    Examples
    --------
    >>> sentence_objection(ParsedSentence('He said "no.', ()))
    'quotation marks or brackets are not closed'
    """
    if len(sentence.words) > _LONGEST:
        return "it is too long to be understood"
    if not balanced(sentence.text):
        return "quotation marks or brackets are not closed"
    letters = [character for character in sentence.text if character.isalpha()]
    if letters and sum(map(str.isupper, letters)) > _SHOUTING * len(letters):
        return "it is written in capitals"
    return ""


def target_objection(phrase: NounPhrase) -> str:
    """Say why a phrase must be left alone; nothing if it need not.

    Parameters
    ----------
    phrase
        A maximum noun phrase.

    Examples
    --------
    >>> phrase = NounPhrase(ParsedSentence("", ()), 0, 0, 0, 0, "indefinite")
    >>> target_objection(phrase)
    'it is indefinite'
    """
    if phrase.definiteness not in ("definite", "name"):
        return f"it is {phrase.definiteness}"
    if phrase.unsafe:
        return phrase.unsafe
    if phrase.quoted or phrase.coordinated or phrase.predicate:
        return "it is quoted, coordinated or a predicate"
    if phrase.sentence.words[phrase.head].head == phrase.head:
        return "nothing is said of it"
    if _is_a_place(phrase):
        return "it is the name of a place"
    if _follows_a_modifier(phrase):
        return "what stands before it may belong to it"
    if _goes_on(phrase):
        return "what stands after it may belong to it"
    if phrase.postmodified and not _can_be_dropped(phrase):
        return "what follows its noun is no postmodifier for certain"
    if phrase.postmodified and _may_complete_the_verb(phrase):
        return "what follows its noun may belong to the verb"
    return _comma_objection(phrase)


def _can_be_dropped(phrase: NounPhrase) -> bool:
    """Tell whether what follows a noun or name looks like a postmodifier."""
    words = phrase.sentence.words
    first = words[phrase.core + 1]
    if first.text == ",":
        return words[phrase.core + 2].text.lower() not in _ADDING
    if words[phrase.core].tag != "PROPN":
        return True
    return first.text in _PREPOSITIONS or first.fine in ("WP", "WDT", "VBG", "VBN")


def _may_complete_the_verb(phrase: NounPhrase) -> bool:
    """Tell whether a preposition after a noun may be its verb's: *cleared Vond of the charge*."""
    words = phrase.sentence.words
    first = words[phrase.core + 1]
    if first.tag != "ADP" and first.text != "to":
        return False
    if not any(word.tag == "VERB" for word in words[: phrase.first]):
        return False
    return first.text != "of" or words[phrase.core].tag == "PROPN" or _takes_of(phrase)


def _takes_of(phrase: NounPhrase) -> bool:
    before = phrase.sentence.words[: phrase.first]
    return any(word.lemma in nouns_of("verbs", "with_of") for word in before)


def _is_a_place(phrase: NounPhrase) -> bool:
    words = phrase.core_words
    return words[-1].entity == "place" and not any(word.tag == "NOUN" for word in words)


def _comma_objection(phrase: NounPhrase) -> str:
    """Object to commas that are not closed, or that may be those of a list."""
    commas = [word.text for word in phrase.words].count(",")
    if not commas:
        return ""
    if commas > 1 or _next(phrase) not in (",", *_ENDS):
        return "its commas are not closed"
    words, after = phrase.sentence.words, phrase.last + 2
    if phrase.first > 0 and words[phrase.first - 1].text == ",":
        return "it may itself stand between commas"
    listed = after < len(words) and words[after].tag in _LISTED and words[after].text != "but"
    return "its commas may be those of a list" if listed else ""


def _follows_a_modifier(phrase: NounPhrase) -> bool:
    if phrase.first == 0:
        return False
    before = phrase.sentence.words[phrase.first - 1]
    if before.tag in ("DET", "NUM", "ADJ") or before.text in ("-", "’", "'", "/", "&"):
        return True
    if before.fine == "POS":
        return True
    if phrase.definiteness != "name":
        return False
    described = is_title(phrase.words[0].text)
    return before.tag in ("NOUN", "PROPN") or (
        described and before.text in ("and", "or", ",", "of")
    )


def _goes_on(phrase: NounPhrase) -> bool:
    words = phrase.sentence.words
    if phrase.last + 1 >= len(words):
        return False
    after = words[phrase.last + 1]
    if after.tag in ("NOUN", "PROPN", "NUM", "ADJ") or after.fine == "POS":
        return True
    return after.text in ("of", "'s", "’s", "-", "/", "&", "(", "who", "which", "that", "whose")


def _next(phrase: NounPhrase) -> str:
    words = phrase.sentence.words
    return words[phrase.last + 1].text if phrase.last + 1 < len(words) else "."
