"""Descriptions in documents, and whether they can be said elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyramidion.rewriting.people.mention import Mention
from pyramidion.rewriting.people.postmodifiers import stacked
from pyramidion.rewriting.people.register import PeopleRegister
from pyramidion.rewriting.people.spans import is_title
from pyramidion.rewriting.people.surroundings import is_cut_off, is_styled
from pyramidion.rewriting.people.words import bare, words_of
from pyramidion.text._tokens import STOP_WORDS, stem

__all__ = ["Candidate", "apposition_of", "premodifier_of", "role_words"]

_LONGEST_PREMODIFIER: Final = 7
_LONGEST_APPOSITION: Final = 14
_FULL: Final = {
    "gov": "governor",
    "sen": "senator",
    "rep": "representative",
    "dr": "doctor",
    "prof": "professor",
    "gen": "general",
    "capt": "captain",
    "lt": "lieutenant",
    "col": "colonel",
    "sgt": "sergeant",
    "rev": "reverend",
    "adm": "admiral",
    "maj": "major",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A description from the documents.

    Parameters
    ----------
    text
        Its words as they stand inside a sentence.
    mention
        Where it stands in the documents.
    courtesy
        Whether it only marks respect: *Dr.*, *Sir*.
    definite
        The nouns that it takes for known: *bank* in *the bank's director*.
    opens
        Whether it can only open a sentence, for it is not known how it is written inside one.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> Candidate("Sen.", Mention(ParsedSentence("", ()), 0, 0, "last")).length
    1
    """

    text: str
    mention: Mention
    courtesy: bool = False
    definite: frozenset[str] = frozenset()
    opens: bool = False

    @property
    def length(self) -> int:
        """How many words it has."""
        return len(self.text.split())


def role_words(text: str) -> set[str]:
    """Give the words of a description that carry its content: stems, abbreviations written out.

    Examples
    --------
    >>> sorted(role_words("former Gov. of the states"))
    ['former', 'governor', 'state']
    """
    plain = (bare(word.strip(",;:\"'”“()")).lower() for word in text.split())
    words = {word.removesuffix("'s").removesuffix("’s").removeprefix("ex-") for word in plain}
    kept = (word for word in words if word and word not in STOP_WORDS - {"former"})
    return {stem(_FULL.get(word, word)) for word in kept}


def premodifier_of(mention: Mention, register: PeopleRegister) -> Candidate | None:
    """Make a candidate of what stands before a name, or nothing if it cannot be used elsewhere.

    Parameters
    ----------
    mention
        A mention in a document.
    register
        Who is there.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> mention = people_in("Rail union leader Rosa Vale left.", "light")[0].mentions[0]
    >>> premodifier_of(mention, PeopleRegister(Articles(()), [])).text
    'rail union leader'
    """
    if not mention.premodifiers or not mention.head or _is_possessed(mention):
        return None
    if is_styled(mention):
        return None
    first = mention.premodified_first
    words = [word.text for word in mention.sentence.words[first : mention.first]]
    text = _without_courtesy(mention.premodifier)
    small = [word.lower() for word in words]
    bad = words_of("deictic") | words_of("pronouns") | {"late", "old"}
    if not text or len(text.split()) > _LONGEST_PREMODIFIER or bad & set(small):
        return None
    last = small[-1]
    relation = last in words_of("relations") or small[0] in words_of("relations") - words_of(
        "roles"
    )
    plural = bare(words[-1]) in words_of("plural_titles") or _is_plural(mention)
    if relation or plural or _says_little(words) or any(mark in text for mark in '"“”()'):
        return None
    if _in_coordination(mention) or is_cut_off(mention):
        return None
    inside = _as_inside_sentence(text, mention, first, register)
    courtesy = all(bare(word) in words_of("honorifics") for word in text.split())
    return Candidate(inside or text, mention, courtesy, opens=not inside)


def apposition_of(mention: Mention, register: PeopleRegister) -> Candidate | None:
    """Make a candidate of an apposition, without an age before it; nothing if it cannot be used.

    Parameters
    ----------
    mention, register
        See `premodifier_of`.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> mention = people_in("Rosa Vale, 54, a nurse from Tamsin, left.", "light")[0].mentions[0]
    >>> apposition_of(mention, PeopleRegister(Articles(()), [])).text
    'a nurse from Tamsin'
    """
    if mention.post != "apposition" or not mention.head:
        return None
    parts = stacked(mention.sentence, mention.post_first)
    words = mention.sentence.words
    for number, (first, last) in enumerate(parts):
        if first == last or words[first].text.isdecimal() or words[first].text in {"of", "from"}:
            continue
        if any(_continues(words[begin].text) for begin, _ in parts[number + 1 :]):
            return None
        text = mention.sentence.between(first, last)
        part = [word.text for word in words[first : last + 1]]
        good = _can_be_said(part, text) and not _names_others(mention, first, last, register)
        definite = _definite_nouns(mention, first, last)
        return Candidate(text, mention, definite=definite) if good else None
    return None


def _continues(text: str) -> bool:
    """Tell whether a part goes on with a list, not with another description of its own."""
    return text.lower() not in {"a", "an", "the", "of", "from"} and not text.isdecimal()


def _says_little(words: Sequence[str]) -> bool:
    """*player*, *former star*, *Belgian*, *delighted*: vague, or true for a moment."""
    small = [word.lower() for word in words]
    informative = set(small) - words_of("vague") - words_of("always_small")
    if not informative or all(word in words_of("never") for word in words):
        return True
    moment = small[0].endswith(("ed", "ing")) and small[0] not in words_of("describing")
    named = len(words) > 1 and words[1][0].isupper()
    return moment and not named and words[0] not in words_of("titles")


def _is_possessed(mention: Mention) -> bool:
    """*his lawyer Rosa Kemmel*; not *Italy's Prime Minister*, which is one elsewhere, too."""
    if not mention.opening or (mention.opening > 1 and mention.titles and not mention.external):
        return False
    begin = mention.phrase_first
    return (
        mention.sentence.words[begin].text.lower() not in {"the", "a", "an"} or mention.opening > 1
    )


def _without_courtesy(text: str) -> str:
    return " ".join(word for word in text.split() if bare(word) not in words_of("courtesy"))


def _is_plural(mention: Mention) -> bool:
    word = mention.sentence.words[mention.first - 1]
    return word.fine in {"NNS"} and word.text not in words_of("roles")


def _in_coordination(mention: Mention) -> bool:
    """Tell whether the description may be of several people: *the brothers Josef and Adrian*."""
    words, after = mention.sentence.words, mention.last + 1
    follows = after < len(words) and words[after].text in {"and", "&", "or"}
    return follows and mention.form == "nickname"


def _as_inside_sentence(text: str, mention: Mention, first: int, register: PeopleRegister) -> str:
    """Write a premodifier as it is written inside a sentence; nothing if that is not known."""
    words = mention.sentence.words
    opener, *rest = text.split(" ")
    if any(word.text[0].isalnum() for word in words[:first]) or not opener[0].isupper():
        return text
    small = opener.lower()
    if small in words_of("always_small") or small.split("-")[0] in words_of("always_small"):
        return f"{small} {' '.join(rest)}".strip()
    if opener in words_of("never") or (opener.isupper() and len(opener) > 1):
        return text
    if not rest:
        return text if is_title(opener) or small not in words_of("roles") else small
    if rest[0] == "of" and rest[-1][0].isupper():
        return text
    known = opener in register.capital_words or bool(words[first].entity)
    if rest[0][0].islower():
        body = small in words_of("bodies") and small in register.small_words
        listed = body or small in words_of("describing") | words_of("roles")
        if listed or is_title(opener) or (small in register.small_words and not known):
            return f"{small} {' '.join(rest)}"
        if small in register.small_words:
            return ""
        return text if known or words[first].tag == "PROPN" else ""
    titled = is_title(opener) or small in words_of("describing") | words_of("bodies")
    return text if titled or known else ""


def _definite_nouns(mention: Mention, first: int, last: int) -> frozenset[str]:
    """Find the common nouns after *the*, but for the one that an apposition itself begins with."""
    words = mention.sentence.words
    found = set()
    for place in range(first, last):
        if words[place].text not in {"the", "this", "both"}:
            continue
        after = range(place + 1, min(place + 5, last + 1))
        nouns = [at for at in after if words[at].tag == "NOUN"]
        possessor = next((at for at in after if words[at].text in {"'s", "’s"}), None)
        if place == first and possessor is None:
            continue
        names = range(place + 1, min(nouns[0] + 2, last + 1)) if nouns else ()
        # The group Eckiger Tisch needs nothing that was said before.
        if nouns and not any(words[at].tag == "PROPN" for at in names):
            close = [at for at in nouns if at == nouns[0] or words[at - 1].tag in {"NOUN", "ADJ"}]
            found.add(words[close[-1] if possessor is None else nouns[0]].text.lower())
    return frozenset(found)


def _can_be_said(words: Sequence[str], text: str) -> bool:
    small = [word.lower() for word in words]
    bad = words_of("deictic") | words_of("pronouns")
    if (
        len(text.split()) > _LONGEST_APPOSITION
        or bad & set(small)
        or any(m in text for m in '"“”()')
    ):
        return False
    if small[0] not in {"a", "an", "the"} | words_of("roles") | words_of("describing"):
        return False
    head = next((word for word in small if word in words_of("roles") | words_of("relations")), "")
    if not head or (head in words_of("relations") and head not in {"aide", "victim"}):
        return False
    return not (
        small[0] == "the" and not {"of", "at", "who", "for", "in", "whose", "former"} & set(small)
    )


def _names_others(mention: Mention, first: int, last: int, register: PeopleRegister) -> bool:
    others = register.in_sentence(mention.sentence)
    return any(first <= own.mention.first <= last for own in others)
