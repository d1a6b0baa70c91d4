"""Who is X: a sentence about a person, put together from the input (section 6.1)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyramidion.rewriting.people.mention import Person
from pyramidion.rewriting.people.words import folded
from pyramidion.rewriting.status.lives import is_dead
from pyramidion.rewriting.status.model import StatusModel, statuses_of
from pyramidion.rewriting.status.statements import Statement, clauses_about, phrases_about
from pyramidion.text import tokenize

__all__ = ["WhoIs", "named_in", "who_is", "who_is_who"]

#: Two statements that share as much of the shorter one's words say the same.
_SAME = 0.5
#: After more words nothing can be joined with *and*.
_LONG = 7


@dataclass(frozen=True, slots=True)
class WhoIs:
    """A sentence that tells who somebody is.

    Parameters
    ----------
    name
        Who.
    text
        The sentence.
    sources
        What it is made of, and where that stands in the input.

    Examples
    --------
    >>> WhoIs("Ada Ode", "Ada Ode is a senator.", ()).text
    'Ada Ode is a senator.'
    """

    name: str
    text: str
    sources: tuple[Statement, ...]


def who_is(person: Person, *, phrases: int = 2, clauses: int = 1) -> WhoIs | None:
    """Tell who a person is: what most documents say first, the more informative of equals.

    Nothing is said twice. There is no answer for somebody of whom the input says nothing that
    can stand alone.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.
    phrases, clauses
        At most so many noun phrases and relative clauses.

    Examples
    --------
    >>> who_is(Person("Ode", "Ode", ())) is None
    True
    """
    said = clauses_about(person)
    chosen = _ordered(_best(phrases_about(person), phrases), clause=bool(said))
    goes_on = not chosen or chosen[-1].takes_clause
    added = _best(said, clauses, besides=chosen) if goes_on else []
    if not chosen and (not added or " " not in person.name):
        return None
    what = " and ".join(one.text for one in chosen) or "someone"
    does = "".join(f" {'and ' if place else ''}{one.text}" for place, one in enumerate(added))
    verb = "was" if is_dead(person) else "is"
    text = f"{person.name} {verb} {what}{does}".rstrip(".")
    return WhoIs(person.name, f"{text}.", (*chosen, *added))


def who_is_who(people: Iterable[Person], model: StatusModel | None = None) -> list[WhoIs]:
    """Tell who those people are that matter to the story and are new to its readers.

    Parameters
    ----------
    people
        Each with all mentions in the input.
    model
        What tells their status; that of the package if none is given.

    Examples
    --------
    >>> who_is_who([])
    []
    """
    given = list(people)
    wanted = (
        person
        for person, status in zip(given, statuses_of(given, model), strict=True)
        if status.major and not status.hearer_old and not person.unsure
    )
    return [found for person in wanted if (found := who_is(person)) is not None]


def named_in(people: Iterable[Person], sentences: Iterable[str]) -> list[Person]:
    """Give those who are named in a text: in full, or by a last name that nobody else has.

    Parameters
    ----------
    people
        Everybody in the input.
    sentences
        The text.

    Examples
    --------
    >>> names = [("Ada Ode", "Ode"), ("Tom Ode", "Ode"), ("Al Lee", "Lee")]
    >>> people = [Person(name, last, ()) for name, last in names]
    >>> [person.name for person in named_in(people, ["Tom Ode met Lee, but Ode left."])]
    ['Tom Ode', 'Al Lee']
    """
    given = list(people)
    text = f" {' '.join(_words(' '.join(sentences)))} "
    bearers = Counter(folded(person.last_name) for person in given)
    return [
        person
        for person in given
        if any(f" {' '.join(_words(name))} " in text for name in _names(person, bearers))
    ]


def _names(person: Person, bearers: Counter[str]) -> set[str]:
    """Give the names that can only be one person's."""
    full = {own.name for own in person.mentions if own.form == "full"} | {person.name}
    if person.name == person.last_name or bearers[folded(person.last_name)] == 1:
        return full | {person.last_name}
    return full


def _words(text: str) -> list[str]:
    return tokenize(folded(text), "unicode")


def _ordered(chosen: list[Statement], *, clause: bool) -> list[Statement]:
    """Put last what is long or has a clause, and before a clause what can take it."""
    return sorted(
        chosen,
        key=lambda one: (
            one.has_clause,
            len(one.text.split()) > _LONG,
            clause and one.takes_clause,
        ),
    )


def _best(
    statements: Sequence[Statement], number: int, *, besides: Sequence[Statement] = ()
) -> list[Statement]:
    """Choose statements that most documents support and that do not repeat each other."""
    support = Counter(head for head, _ in {(_subject(one), one.document) for one in statements})
    order = sorted(
        statements, key=lambda one: (-support[_subject(one)], -len(one.content), len(one.text))
    )
    chosen: list[Statement] = []
    for one in order:
        if len(chosen) < number and not any(_repeats(one, other) for other in (*chosen, *besides)):
            chosen.append(one)
    return chosen


def _subject(one: Statement) -> str:
    """Give what makes two statements support each other."""
    return one.head or one.text


def _repeats(one: Statement, other: Statement) -> bool:
    if one.head and one.head == other.head:
        return True
    fewer = min(len(one.content), len(other.content))
    return not fewer or len(one.content & other.content) >= _SAME * fewer
