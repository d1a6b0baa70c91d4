"""What keeps words from being said of a person away from their sentence."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.people.words import words_of
from pyramidion.rewriting.status.words import status_words
from pyramidion.text._parsing import ParsedWord

__all__ = [
    "denied",
    "plural_verb",
    "says_little",
    "says_who",
    "stands_alone",
    "unfinished",
]

#: Longer ones are no short answer.
_LONGEST = 20
_OTHERS = frozenset({"he", "him", "his", "she", "her", "hers", "himself", "herself"})
_MARKS = frozenset('"“”()[]{}:;–—') | {"--", "''", "``"}
_OPEN_ENDS = ("ADP", "DET", "CCONJ", "SCONJ", "PART", "AUX")
_VICE = frozenset({"prime", "chief", "longtime", "veteran", "current", "new"})
_PEOPLE = frozenset({"one", "child", "fan", "patient", "staff", "star", "state", "victim", "youth"})
_ENDINGS = ("er", "or", "ist", "ian", "man", "woman", "crat", "path", "person")
_AFTER_KNOWN = ("of", "that", "who", "which", "where", "between")
#: *two-time winner*, *three-term governor*.
_TIMES = ("-time", "-term")


def stands_alone(words: Sequence[ParsedWord], *, clause: bool = False) -> bool:
    """Tell whether words mean the same away from their sentence.

    They do not if they point to something outside: a pronoun, a day, *the city's mayor*; in a
    clause also *the plan*. Quotations and brackets are left alone.

    Parameters
    ----------
    words
        A phrase or clause.
    clause
        Whether it is a clause.

    Examples
    --------
    >>> his = [ParsedWord("his", "his", "PRON", 1, "modifier"),
    ...        ParsedWord("lawyer", "lawyer", "NOUN", 1, "root")]
    >>> stands_alone(his), stands_alone(his[1:])
    (False, True)
    """
    texts = [word.text.lower() for word in words]
    strange = status_words("pointing") | _OTHERS | _MARKS
    return (
        len(texts) <= _LONGEST
        and strange.isdisjoint(texts)
        and not _known_possessor(words)
        and not (clause and _known_thing(words))
    )


def _known_possessor(words: Sequence[ParsedWord]) -> bool:
    """Find *the city's* mayor: which city it is was said before."""
    return any(
        before.tag == "NOUN" and after.text in ("'s", "’s", "'", "’")
        for before, after in pairwise(words)
    )


def _known_thing(words: Sequence[ParsedWord]) -> bool:
    """Find *the plan*: which one was said before; not *the number of people*."""
    for place, word in enumerate(words[:-1]):
        after = words[place + 2].text if place + 2 < len(words) else ""
        if word.text == "the" and words[place + 1].tag == "NOUN" and after not in _AFTER_KNOWN:
            named = words[place + 3].text if after == "in" and place + 3 < len(words) else after
            return not named[:1].isupper()
    return False


def says_who(head: str, words: Sequence[str]) -> bool:
    """Tell whether a noun says what somebody is, and of whom if it must.

    *Senator* and *astronomer* do, *career* does not; *friend* only says so with *of*.

    Parameters
    ----------
    head
        The main noun of a phrase.
    words
        The whole phrase, in small letters.

    Examples
    --------
    >>> says_who("astronomer", ["an", "astronomer"]), says_who("career", ["a", "career"])
    (True, False)
    >>> says_who("friend", ["a", "friend"]), says_who("friend", ["a", "friend", "of", "Ode"])
    (False, True)
    """
    plain = head.lower().rpartition("-")[2]
    if plain in words_of("relations"):
        return "of" in words
    if plain.title() in words_of("plural_titles"):
        return False
    people = words_of("roles") | words_of("male_words") | words_of("female_words")
    known = plain in people or plain.title() in words_of("titles") or plain in _PEOPLE
    return known or (plain.endswith(_ENDINGS) and plain not in status_words("things"))


def says_little(head: str, content: Collection[str]) -> bool:
    """Tell whether a phrase names an office and not of what: *a mayor*, *a former president*.

    Parameters
    ----------
    head
        The main noun of a phrase.
    content
        Its words but for stop words, in small letters.

    Examples
    --------
    >>> says_little("mayor", ["former", "mayor"]), says_little("mayor", ["mayor", "tamsin"])
    (True, False)
    >>> says_little("astronomer", ["astronomer"])
    False
    """
    plain = head.lower()
    if plain not in status_words("offices") | status_words("little"):
        return False
    more = set(content) - {plain} - status_words("one_of_many") - _VICE
    return not any(not word.endswith(_TIMES) for word in more)


def plural_verb(words: Sequence[ParsedWord]) -> bool:
    """Tell whether a clause speaks of several people: *who leave fields fallow*.

    Examples
    --------
    >>> who = ParsedWord("who", "who", "PRON", 1, "subject")
    >>> plural_verb([who, ParsedWord("leave", "leave", "VERB", 1, "root", 0, "VBP")])
    True
    """
    verbs = (word for word in words if word.tag in ("VERB", "AUX"))
    first = next(verbs, None)
    return words[0].text.lower() == "who" and first is not None and first.fine == "VBP"


def unfinished(words: Sequence[ParsedWord]) -> bool:
    """Tell whether something is missing: *whom she defeated in*, *the and director*.

    Examples
    --------
    >>> unfinished([ParsedWord("head", "head", "NOUN", 0, "root"),
    ...             ParsedWord("of", "of", "ADP", 0, "case")])
    True
    """
    if not words or words[-1].tag in _OPEN_ENDS or any(word.tag == "CCONJ" for word in words[:2]):
        return True
    return len(words) > 1 and words[-1].tag == "VERB" and words[-2].text == "to"


def denied(sentence: ParsedSentence, head: int) -> bool:
    """Tell whether *X is ...* is denied, supposed or somebody's opinion.

    Parameters
    ----------
    sentence
        A sentence.
    head
        The place of the noun that *is* leads to.

    Examples
    --------
    >>> words = (ParsedWord("not", "not", "PART", 1, "modifier"),
    ...          ParsedWord("nurse", "nurse", "NOUN", 1, "root"))
    >>> denied(ParsedSentence("not nurse", words), 1)
    True
    """
    words = sentence.words
    # "became a nurse": the noun hangs on the verb.
    top = words[head].head if words[words[head].head].lemma in ("become", "remain") else head
    below = [
        word for place, word in enumerate(words) if word.head in (head, top) and place != word.head
    ]
    helpers = {word.lemma for word in below if word.tag in ("AUX", "PART")} - {"'s", "’s"}
    negative = any(word.lemma in ("not", "never", "n't", "no") for word in below)
    return negative or words[top].relation not in ("root", "conjunct") or not helpers <= {"be"}
