"""How documents introduce people: their titles, whose relatives they are, and who came before."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pyramidion.rewriting.people.names import gender_of, surnames
from pyramidion.rewriting.people.relatives import is_related
from pyramidion.rewriting.people.roster import Known, Roster, Sighting
from pyramidion.rewriting.people.words import bare, folded, words_of

__all__ = [
    "SoFar",
    "is_called_a_body",
    "is_introduced_as_relative",
    "only_relatives",
    "relatives_among",
    "shares_surname",
    "things_among",
    "title_words",
    "titles_of",
]


@dataclass
class SoFar:
    """Who was named in a document up to some place.

    Parameters
    ----------
    named
        Who was named in full, but for relatives of others with the same last name.
    there
        Who was named at all.
    lasts
        By which last names they were named in full.

    Examples
    --------
    >>> SoFar().there
    []
    """

    named: list[Known] = field(default_factory=list)
    there: list[Known] = field(default_factory=list)
    lasts: dict[Known, set[str]] = field(default_factory=lambda: defaultdict(set))

    def likely(self, last: str, candidates: Sequence[Known]) -> Sequence[Known]:
        """Leave out those whom the document calls by another of their last names."""
        likely = [one for one in candidates if self.lasts.get(one, {folded(last)}) & _ends(last)]
        return likely if any(one in self.there for one in likely) else candidates


def titles_of(roster: Roster, seen: Iterable[Sighting]) -> dict[Known, set[str]]:
    """Collect the titles that people were seen with.

    Parameters
    ----------
    roster, seen
        Who is there, and where names stand.

    Examples
    --------
    >>> dict(titles_of(Roster([]), []))
    {}
    """
    table: dict[Known, set[str]] = defaultdict(set)
    for own in seen:
        known = roster.full(own.text)
        if known is not None:
            table[known] |= title_words(own)
    return table


def relatives_among(roster: Roster, seen: Iterable[Sighting]) -> set[Known]:
    """Find those whom most documents introduce as relatives of others.

    Parameters
    ----------
    roster, seen
        Who is there, and where names stand.

    Examples
    --------
    >>> relatives_among(Roster([]), [])
    set()
    """
    first: dict[tuple[Known, str], Sighting] = {}
    for own in seen:
        known = roster.full(own.text)
        if known is not None:
            first.setdefault((known, own.sentence.document), own)
    related: dict[Known, list[bool]] = defaultdict(list)
    for (known, _), own in first.items():
        related[known].append(is_introduced_as_relative(own))
    return {known for known, told in related.items() if 2 * sum(told) >= len(told)}


def things_among(roster: Roster, seen: Iterable[Sighting]) -> set[str]:
    """Find last words of names that are nobody's, as compared: the *Harlow* of *Peel Harlow*.

    Parameters
    ----------
    roster, seen
        Who is there, and where names stand.

    Examples
    --------
    >>> things_among(Roster([]), [])
    set()
    """
    names = (
        own
        for own in seen
        if own.name.full
        and roster.full(own.text) is None
        and not any(map(gender_of, own.text.split()))
    )
    return {folded(own.name.last) for own in names if not roster.by_last_name(own.text)}


def is_called_a_body(own: Sighting) -> bool:
    """Tell whether a name is explained as a company's: *Harlow, the company, said so*.

    Parameters
    ----------
    own
        Where the name stands.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.people.spans import NameSpan
    >>> from pyramidion.text._parsing import ParsedWord
    >>> text = "Orr , the law firm , won"
    >>> words = tuple(ParsedWord(word, word, "X", 0, "dep") for word in text.split())
    >>> is_called_a_body(Sighting(ParsedSentence(text, words), NameSpan(0, 0, 0, 0), "Orr"))
    True
    """
    texts = [word.text for word in own.sentence.words[own.span.last + 1 : own.span.last + 8]]
    if texts[:1] != [","] or texts[1:2] not in (["the"], ["a"], ["an"]):
        return False
    end = texts.index(",", 1) if "," in texts[1:] else len(texts)
    return texts[end - 1] in words_of("bodies")


def only_relatives(
    there: Sequence[Known], candidates: Sequence[Known], relatives: set[Known]
) -> bool:
    """Tell whether a document names only relatives of somebody whom it may mean.

    Parameters
    ----------
    there
        Who was named.
    candidates
        Who may be meant.
    relatives
        Those who are introduced as relatives.

    Examples
    --------
    >>> only_relatives([], [], set())
    False
    """
    present = {one for one in there if one in candidates}
    return bool(present) and present <= relatives and not relatives.issuperset(candidates)


def shares_surname(known: Known, others: Iterable[Known]) -> bool:
    """Tell whether one of others may be called by the same last name.

    Parameters
    ----------
    known, others
        Somebody, and others.

    Examples
    --------
    >>> from pyramidion.rewriting.people.names import read_name
    >>> shares_surname(Known(read_name("Ann Orr")), [Known(read_name("Tom Orr"))])
    True
    """
    own = set(surnames(known.name))
    return any(own & set(surnames(one.name)) for one in others if one is not known)


def title_words(own: Sighting) -> set[str]:
    """Give the words of a title before a name, or what somebody is: *board president Orr*.

    Parameters
    ----------
    own
        Where the name stands.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.people.spans import NameSpan
    >>> title_words(Sighting(ParsedSentence("", ()), NameSpan(0, 0, 0, 0), "Orr"))
    set()
    """
    words, first = own.sentence.words, own.span.first
    titles = {bare(word.text) for word in words[first - own.span.titles : first]}
    role = words[first - 1].text if first and not titles else ""
    return titles | ({role} if role in words_of("roles") else set())


def is_introduced_as_relative(own: Sighting) -> bool:
    """Tell whether somebody is introduced as another's relative: *her father, Jonas Castellan*.

    Parameters
    ----------
    own
        Where the name stands.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.people.spans import NameSpan
    >>> from pyramidion.text._parsing import ParsedWord
    >>> words = tuple(ParsedWord(text, text, "X", 0, "dep") for text in ("wife", "Ann", "Orr"))
    >>> own = Sighting(ParsedSentence("wife Ann Orr", words), NameSpan(1, 2, 0, 1), "Ann Orr")
    >>> is_introduced_as_relative(own)
    True
    """
    words, place = own.sentence.words, own.span.first - own.span.titles
    return is_related(words, place, own.span.last)


def _ends(last: str) -> set[str]:
    """Give a last name, and its end: that of *López Obrador* may be *Obrador* in full."""
    return {folded(last), folded(last).rsplit(" ", 1)[-1]}
