"""What an input says of a person, as phrases that can follow *X is* and *who*."""

from dataclasses import dataclass, replace

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.people.mention import Description, Person
from pyramidion.rewriting.status.features import descriptions_of
from pyramidion.rewriting.status.guards import (
    denied,
    plural_verb,
    says_little,
    says_who,
    stands_alone,
    unfinished,
)
from pyramidion.rewriting.status.premodifiers import spelled_premodifier
from pyramidion.rewriting.status.wording import a_or_an, with_article
from pyramidion.text import is_stop_word
from pyramidion.text._parsing import ParsedWord

__all__ = ["Statement", "clauses_about", "phrases_about"]

_NOUNS = ("NOUN", "PROPN")
_PLURAL = ("NNS", "NNPS")
_BARE = ("one",)
_RELATIVE = ("who", "whose", "whom", "that", "which")
#: A clause with fewer content words says too little: *who is 88*.
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that an input says of a person.

    Parameters
    ----------
    text
        A noun phrase that can follow *is*, or a clause that begins with *who*.
    head
        The base form of its main noun; empty for a clause.
    kind
        ``premodifier``, ``apposition``, ``copula`` or ``relative clause``.
    document, index
        The sentence that says it.

    Examples
    --------
    >>> Statement("an astronomer", "astronomer", "copula", "d1", 3).content
    frozenset({'astronomer'})
    """

    text: str
    head: str
    kind: str
    document: str
    index: int

    @property
    def content(self) -> frozenset[str]:
        """Its words but for stop words, in small letters."""
        words = (word.strip(".,'’").lower() for word in self.text.split())
        plain = (word.removesuffix("'s").removesuffix("’s") for word in words)
        return frozenset(word for word in plain if word and not is_stop_word(word))

    @property
    def has_clause(self) -> bool:
        """Whether it holds a relative clause, after which nothing can be joined."""
        return any(word in _RELATIVE for word in self.text.split())

    @property
    def takes_clause(self) -> bool:
        """Whether a clause after it is about the person, not about what follows the head."""
        last = self.text.split()[-1]
        return not self.has_clause and (last.lower() == self.head or last[:1].isupper())


def phrases_about(person: Person) -> list[Statement]:
    """Give noun phrases that say what a person is.

    They come from words before the name, appositions and copulas. Left out is what is too long,
    points to something outside (*his lawyer*, *the city's mayor*, *yesterday's winner*), quotes,
    denies, or stands in a clause that somebody else answers for.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.

    Examples
    --------
    >>> phrases_about(Person("Ode", "Ode", ()))
    []
    """
    before = []
    texts = (word.text for mention in person.mentions for word in mention.sentence.words)
    small = {text for text in texts if text.islower()}
    for mention in person.mentions:
        found = spelled_premodifier(mention, small)
        if found is not None:
            place = (mention.sentence.document, mention.sentence.index)
            before.append(Statement(*found, "premodifier", *place))
    after = [_apposition(own) for own in descriptions_of(person, "apposition")]
    copulas = [_copula(own) for own in descriptions_of(person, "copula")]
    said = before + [own for own in (*after, *copulas) if own is not None]
    names = {part.lower() for part in person.name.split()}
    return [
        own
        for own in said
        if names.isdisjoint(own.content) and not says_little(own.head, own.content)
    ]


def clauses_about(person: Person) -> list[Statement]:
    """Give relative clauses that say what a person does.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.

    Examples
    --------
    >>> clauses_about(Person("Ode", "Ode", ()))
    []
    """
    found = [_clause(own) for own in descriptions_of(person, "relative clause")]
    return [own for own in found if own is not None and len(own.content) >= _FEWEST]


def _clause(own: Description) -> Statement | None:
    words = _trimmed(own.sentence, own.first, own.last)
    if not words or words[0].text.lower() not in ("who", "whose"):
        return None
    if not stands_alone(words, clause=True) or plural_verb(words) or unfinished(words):
        return None
    if any(word.lemma == "die" for word in words):
        return None
    text = own.sentence.text[words[0].start : words[-1].end]
    return _statement(text[0].lower() + text[1:], "", own)


def _apposition(own: Description) -> Statement | None:
    words = _trimmed(own.sentence, own.first, own.last)
    short = _before_clause(words)
    if short and not stands_alone(words[len(short) :], clause=True):
        return _one_of_many(_phrase(own, short))
    return _phrase(own, words) or _one_of_many(_phrase(own, short))


def _one_of_many(said: Statement | None) -> Statement | None:
    """Say *a*, not *the*, where the clause is gone that told which one."""
    if said is None or not said.text.startswith("the ") or " of " in said.text:
        return said
    rest = said.text.removeprefix("the ")
    return replace(said, text=f"{a_or_an(rest)} {rest}")


def _before_clause(words: list[ParsedWord]) -> list[ParsedWord]:
    """Leave out a relative clause, which may be what cannot stand alone."""
    places = [place for place, word in enumerate(words) if word.text in _RELATIVE]
    return words[: places[0]] if places else []


def _copula(own: Description) -> Statement | None:
    words = _trimmed(own.sentence, own.first, own.last)
    while words and words[0].lemma == "be":
        words = words[1:]
    head = _head_of(own.sentence, words)
    if head is None or denied(own.sentence, head):
        return None
    # Without an article it may be a state: "was president for a year".
    return _phrase(own, words) if _has_article(words) else None


def _phrase(own: Description, words: list[ParsedWord]) -> Statement | None:
    """Make a noun phrase with an article of words, if they are one that can stand alone."""
    head = _head_of(own.sentence, words)
    if head is None or not stands_alone(words) or unfinished(words):
        return None
    word = own.sentence.words[head]
    if word.tag not in _NOUNS or word.fine in _PLURAL or word.entity == "person":
        return None
    if not says_who(word.lemma, [own.text.lower() for own in words]):
        return None
    text = own.sentence.text[words[0].start : words[-1].end]
    if not _has_article(words):
        text = with_article(text, word.lemma, of_something=len(words) > 1)
    elif words[0].tag == "DET":
        text = text[0].lower() + text[1:]
    return _statement(text, word.lemma.lower(), own)


def _has_article(words: list[ParsedWord]) -> bool:
    return words[0].tag == "DET" or words[0].text.lower() in _BARE or _possessed(words)


def _possessed(words: list[ParsedWord]) -> bool:
    """Tell whether a phrase begins with a possessor that has a name."""
    ends = (place for place, word in enumerate(words[:5]) if word.text in ("'s", "’s"))
    end = next(ends, 0)
    return 0 < end < len(words) - 1 and all(word.tag == "PROPN" for word in words[:end])


def _trimmed(sentence: ParsedSentence, first: int, last: int) -> list[ParsedWord]:
    """Give words without marks around them, and without an age before the rest."""
    words = list(sentence.words[first : last + 1])
    while words and (words[0].tag == "PUNCT" or words[0].text.isdigit()):
        words.pop(0)
    while words and words[-1].tag == "PUNCT":
        words.pop()
    return words


def _head_of(sentence: ParsedSentence, words: list[ParsedWord]) -> int | None:
    """Give the place of the word that the others depend on: a noun where parsers disagree."""
    places = [place for place, word in enumerate(sentence.words) if word in words]
    outside = [place for place in places if _leads_out(sentence, place, {*places})]
    nouns = (place for place in outside if sentence.words[place].tag in _NOUNS)
    return next(nouns, next(iter(outside), None))


def _leads_out(sentence: ParsedSentence, place: int, inside: set[int]) -> bool:
    word = sentence.words[place]
    return word.tag != "PUNCT" and (word.head not in inside or word.head == place)


def _statement(text: str, head: str, own: Description) -> Statement:
    where = (own.sentence.document, own.sentence.index)
    return Statement(" ".join(text.split()), head, own.kind, *where)
