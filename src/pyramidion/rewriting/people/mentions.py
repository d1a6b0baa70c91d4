"""Mentions taken apart: what stands before and after a name."""

from collections.abc import Sequence
from typing import Final

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.people.mention import Mention, NameForm
from pyramidion.rewriting.people.names import Name, read_name
from pyramidion.rewriting.people.postmodifiers import postmodifier
from pyramidion.rewriting.people.spans import NameSpan, is_title, touches
from pyramidion.rewriting.people.words import words_of
from pyramidion.text._parsing import ParsedWord
from pyramidion.text._tokens import STOP_WORDS

__all__ = ["is_possessive", "possessor_mark", "read_mention"]

_DETERMINERS: Final = frozenset(["a", "an", "the"])
_POSSESSIVES: Final = frozenset(["his", "her", "its", "their", "our", "my", "your", "whose"])
_MARKS: Final = frozenset({"'s", "’s", "'", "’", "`s"})
_NOUN_TAGS: Final = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "X"})
_ROLE_ENDINGS: Final = ("er", "or", "ist", "man", "woman", "ian", "ant", "ent", "eer", "person")
_NEVER_VERBS: Final = ("ist", "ian", "woman", "person")
_MOST_PREMODIFIERS: Final = 8


def read_mention(sentence: ParsedSentence, span: NameSpan, form: NameForm | None = None) -> Mention:
    """Take a mention apart.

    Parameters
    ----------
    sentence, span
        Where the name stands.
    form
        How the name is given, where that is known from elsewhere: *Castellan* is a last name.

    Examples
    --------
    >>> words = [ParsedWord(w, w, t, 0, "dep", s) for w, t, s in
    ...          [("Irish", "ADJ", 0), ("flutist", "NOUN", 6), ("James", "PROPN", 14),
    ...           ("Galway", "PROPN", 20)]]
    >>> sentence = ParsedSentence("Irish flutist James Galway", tuple(words))
    >>> read_mention(sentence, NameSpan(2, 3, 0, 2)).premodifier
    'Irish flutist'
    """
    name = read_name(sentence.between(span.first, span.last))
    begin = span.first - span.titles
    external = _external(sentence.words, begin, span)
    opening = _opening(sentence.words, begin - external)
    possessive = is_possessive(sentence.words, span.last + 1)
    described = span.titles + external > 0
    head = _is_head(sentence.words, span, bare_name=not described and opening > 0)
    post = postmodifier(sentence, span.last + 1) if head and not possessive else ("none", -1, -1)
    return Mention(
        sentence,
        span.first,
        span.last,
        form or ("full" if name.full else "last"),
        middle=_has_middle(name),
        titles=span.titles,
        external=external if head else 0,
        opening=opening,
        post=post[0],
        post_first=post[1],
        post_last=post[2],
        head=head,
        possessive=possessive,
    )


def is_possessive(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether a possessive mark stands at a place, on the word before it.

    Examples
    --------
    >>> words = [ParsedWord(text, text, "X", 0, "dep", at) for text, at in [("Orr", 0), ("'s", 3)]]
    >>> is_possessive(words, 1)
    True
    """
    return possessor_mark(words, place) and touches(tuple(words), place)


def possessor_mark(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether the word at a place is *'s* or an apostrophe that follows an *s*.

    Examples
    --------
    >>> words = [ParsedWord(text, text, "X", 0, "dep") for text in ("boys", "'")]
    >>> possessor_mark(words, 1)
    True
    """
    if not 0 < place < len(words) or words[place].text not in _MARKS:
        return False
    return len(words[place].text) > 1 or words[place - 1].text.endswith("s")


def _has_middle(name: Name) -> bool:
    return name.full and bool(name.middle or " " in name.last)


def _external(words: Sequence[ParsedWord], begin: int, span: NameSpan) -> int:
    """Count the premodifying words before the titles."""
    place = begin
    while begin - place < _MOST_PREMODIFIERS and place > 0:
        step = _premodifying(words, place - 1, nearest=place == span.first)
        if not step:
            break
        place -= step
    while place < begin and _is_out_of_place(words, place):
        place += 1
    return begin - place


def _is_out_of_place(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether a first premodifier is none: a number, a participle after a comma."""
    word = words[place]
    if touches(tuple(words), place + 1):
        return False
    if word.tag in {"NUM", "PUNCT"}:
        return True
    participle = word.text.endswith("ing") and word.text not in words_of("describing")
    return participle and place > 0 and not words[place - 1].text[0].isalnum()


def _premodifying(words: Sequence[ParsedWord], place: int, *, nearest: bool) -> int:
    """Give how many words at and before a place premodify: none, one, or more with hyphens."""
    word = words[place]
    office = _office(words, place)
    if office and nearest:
        return office
    if (nearest and not _can_stand_before_name(word)) or _is_main_verb(words, place):
        return 0
    if word.text in {"-", "‐", "‑"}:
        return 0
    joined = _joined(words, place)
    if joined:
        modifies = word.tag in _NOUN_TAGS or word.fine in {"VBN", "VBG", "VBD"}
        return joined + 1 if modifies or word.text in words_of("describing") else 0
    return 1 if _is_noun_like(word) and _belongs(words, place, nearest=nearest) else 0


def _joined(words: Sequence[ParsedWord], place: int) -> int:
    """Count the words and hyphens that are joined to a word from the left: *21-year-old*."""
    count = 0
    while place - count > 1 and words[place - count - 1].text == "-":
        if not (touches(tuple(words), place - count) and touches(tuple(words), place - count - 1)):
            break
        count += 2
    return count


def _belongs(words: Sequence[ParsedWord], place: int, *, nearest: bool) -> bool:
    """Tell whether a noun goes with what follows it, not so in *the mission President Orr named*.

    Nouns in small letters go with a capitalized title only if they are known to do so.
    """
    word, following = words[place], words[place + 1].text
    if nearest or word.text[0].isupper() or following[0].islower():
        return True
    known = words_of("describing") | words_of("roles") | words_of("bodies")
    return word.text in known | words_of("always_small")


def _office(words: Sequence[ParsedWord], place: int) -> int:
    """Count the words of *chief of staff* before a name."""
    if place < 2 or words[place].text not in words_of("offices"):
        return 0
    of = place - 2 if words[place - 1].text == "the" else place - 1
    role = words[of - 1].text
    known = role.lower() in words_of("roles") or is_title(role)
    return place - of + 2 if of > 0 and words[of].text == "of" and known else 0


def _can_stand_before_name(word: ParsedWord) -> bool:
    """Tell whether a word right before a name describes who bears it."""
    text = word.text
    if text in words_of("roles") | words_of("relations") or is_title(text):
        return not _is_verb(word)
    if text[:1].isupper():
        lower = text.lower()
        known = lower in words_of("roles") | words_of("relations") | words_of("describing")
        return known or (
            text in words_of("never") and word.tag in _NOUN_TAGS and not _is_date(text)
        )
    if word.tag == "NOUN":
        return text.endswith(_ROLE_ENDINGS) and len(text) > 4
    return text in words_of("describing") and not text.endswith(("ed", "ing"))


def _is_noun_like(word: ParsedWord) -> bool:
    text = word.text
    if _is_date(text):
        return False
    if text.lower() in words_of("describing"):
        return True
    if text.lower() in words_of("roles") | words_of("relations"):
        return not _is_verb(word)
    participle = text.endswith("ed") and text.islower() and word.tag != "NOUN"
    if participle or text.startswith("re-"):
        return False
    closed = text if text.isupper() else text.lower()
    if not text[0].isalnum() or closed in STOP_WORDS:
        return False
    return word.tag in _NOUN_TAGS


def _is_date(text: str) -> bool:
    return text.endswith("day") and text[:1].isupper() and text in words_of("never")


def _opening(words: Sequence[ParsedWord], begin: int) -> int:
    """Count the words before the premodifiers that open the phrase."""
    if begin <= 0:
        return 0
    word = words[begin - 1].text
    if word.lower() in _DETERMINERS | _POSSESSIVES:
        return 1
    if not possessor_mark(words, begin - 1):
        return 0
    place = begin - 2
    while place > 0 and words[place - 1].tag in _NOUN_TAGS and words[place - 1].text[0].isalnum():
        place -= 1
    if place > 0 and words[place - 1].text.lower() in _DETERMINERS | _POSSESSIVES:
        place -= 1
    return begin - place


def _is_head(words: Sequence[ParsedWord], span: NameSpan, *, bare_name: bool) -> bool:
    """Tell whether the name is the head of its phrase; not in *the Boyle campaign*."""
    after = span.last + 1
    if after >= len(words) or is_possessive(words, after):
        return True
    word = words[after]
    if touches(tuple(words), after) and word.text in {"-", "/"}:
        return False
    verb_follows = after + 1 < len(words) and words[after + 1].tag in {"VERB", "AUX"}
    if word.text in words_of("possessed") and (verb_follows or not _is_verb(word)):
        return False
    names = range(span.first, span.last + 1)
    heads = {words[place].head for place in names} - set(names)
    modifies = any(words[place].relation == "modifier" for place in names)
    follows = word.tag == "NOUN" and word.text[0].islower()
    if follows and (bare_name or (modifies and any(head > span.last for head in heads))):
        return False
    return not (bare_name and words[span.first - 1].text.lower() in {"a", "an", "this"})


def _is_main_verb(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell a verb from a description: *a jury convicted former Treasurer Orr*."""
    word = words[place]
    if not word.text.islower() or not word.text.endswith("ed") or word.tag == "NOUN":
        return False
    finite = {"VBD", "VBZ", "VBP", "MD"}
    others = (own for at, own in enumerate(words) if at != place and own.text[0].islower())
    alone = not any(own.fine in finite for own in others)
    return word.fine == "VBD" or word.relation == "root" or alone


def _is_verb(word: ParsedWord) -> bool:
    if word.text in words_of("roles") and word.text.endswith(_NEVER_VERBS):
        return False
    return word.tag in {"VERB", "AUX"} and word.fine not in {"VBN", "VBG"}
