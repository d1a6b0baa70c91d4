"""Pronouns: *he* and *she* go to the person who was named last and may be meant."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.people.mention import Description, Mention, Person
from pyramidion.rewriting.people.names import gender_of, read_name
from pyramidion.rewriting.people.words import bare, words_of
from pyramidion.text._parsing import ParsedWord

__all__ = ["gender", "pronouns"]

_FEMALE: Final = frozenset({"she", "her", "hers", "herself"})
_MALE: Final = frozenset({"he", "him", "his", "himself"})
_FARTHEST: Final = 3


def gender(person: Person) -> str:
    """Tell whether somebody is a man or a woman, from titles, first name and descriptions.

    Parameters
    ----------
    person
        Somebody, with mentions.

    Returns
    -------
    str
        ``female``, ``male``, or nothing if it is not clear.

    Examples
    --------
    >>> gender(Person("Mary Orr", "Orr", ()))
    'female'
    """
    words = {bare(word) for own in person.mentions for word in own.premodifier.split()}
    words |= {word.text for own in person.mentions for word in _opening_of_apposition(own)}
    female = bool(words & (words_of("female_titles") | words_of("female_words")))
    male = bool(words & (words_of("male_titles") | words_of("male_words")))
    if female != male:
        return "female" if female else "male"
    return gender_of(read_name(person.name).first)


def pronouns(sentences: Sequence[ParsedSentence], people: Sequence[Person]) -> list[Person]:
    """Add to each person the pronouns that refer to them.

    A pronoun goes to whoever was named last before it in the same document (at most three
    sentences back), is of its gender as far as is known, and is the head of a phrase. Whoever
    is called *she* once is not called *he* later in that document.

    Parameters
    ----------
    sentences
        The sentences of the documents.
    people
        Everybody, with mentions.

    Examples
    --------
    >>> pronouns([], [])
    []
    """
    genders = [gender(person) for person in people]
    named: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, person in enumerate(people):
        for mention in person.mentions:
            if mention.head:
                named[id(mention.sentence)].append((mention.first, number))
    found = _Search(people, genders, named).run(sentences)
    return [
        replace(person, descriptions=_in_order(sentences, person.descriptions, found[number]))
        for number, person in enumerate(people)
    ]


class _Search:
    """A walk through documents that remembers who was named."""

    def __init__(
        self,
        people: Sequence[Person],
        genders: Sequence[str],
        named: dict[int, list[tuple[int, int]]],
    ) -> None:
        self._people, self._genders, self._named = people, genders, named
        self._found: dict[int, list[Description]] = defaultdict(list)

    def run(self, sentences: Sequence[ParsedSentence]) -> dict[int, list[Description]]:
        """Give the pronouns of each person."""
        document = ""
        recent: list[tuple[int, int]] = []
        learned: dict[int, str] = {}
        for place, sentence in enumerate(sentences):
            if sentence.document != document:
                document, recent, learned = sentence.document, [], {}
            self._read(sentence, place, recent, learned)
        return self._found

    def _read(
        self,
        sentence: ParsedSentence,
        place: int,
        recent: list[tuple[int, int]],
        learned: dict[int, str],
    ) -> None:
        """Go through a sentence; `recent` is who was named in which sentence, the last one last."""
        names = dict(self._named.get(id(sentence), ()))
        for at, word in enumerate(sentence.words):
            if at in names:
                recent[:] = [one for one in recent if one[1] != names[at]] + [(place, names[at])]
            wanted = _gender_of_pronoun(word.text)
            if wanted:
                number = self._meant(wanted, place, recent, learned)
                if number is not None:
                    learned[number] = wanted
                    self._found[number].append(Description("pronoun", sentence, at, at))

    def _meant(
        self, wanted: str, place: int, recent: Sequence[tuple[int, int]], learned: dict[int, str]
    ) -> int | None:
        for sentence, number in reversed(recent):
            own = learned.get(number) or self._genders[number]
            if place - sentence <= _FARTHEST and own in ("", wanted):
                return number
        return None


def _gender_of_pronoun(text: str) -> str:
    small = text.lower()
    return "female" if small in _FEMALE else "male" if small in _MALE else ""


def _opening_of_apposition(mention: Mention) -> Sequence[ParsedWord]:
    if mention.post != "apposition":
        return ()
    return mention.sentence.words[
        mention.post_first : min(mention.post_last + 1, mention.post_first + 4)
    ]


def _in_order(
    sentences: Sequence[ParsedSentence],
    descriptions: Sequence[Description],
    more: Sequence[Description],
) -> tuple[Description, ...]:
    place = {id(sentence): number for number, sentence in enumerate(sentences)}
    everything = [*descriptions, *more]
    return tuple(sorted(everything, key=lambda own: (place[id(own.sentence)], own.first)))
