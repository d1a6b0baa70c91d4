"""People across documents: every mention goes to somebody, or to nobody for certain."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from pyramidion.rewriting.articles import Articles, ParsedSentence
from pyramidion.rewriting.people.descriptions import described
from pyramidion.rewriting.people.epithets import without_epithets
from pyramidion.rewriting.people.introductions import (
    SoFar,
    is_called_a_body,
    is_introduced_as_relative,
    only_relatives,
    relatives_among,
    shares_surname,
    things_among,
    title_words,
    titles_of,
)
from pyramidion.rewriting.people.last_names import called
from pyramidion.rewriting.people.mention import Mention, NameForm, Person
from pyramidion.rewriting.people.mentions import read_mention
from pyramidion.rewriting.people.names import gender_of, surnames
from pyramidion.rewriting.people.namesakes import are_two
from pyramidion.rewriting.people.pronouns import pronouns
from pyramidion.rewriting.people.roster import Known, Roster, Sighting, sightings
from pyramidion.rewriting.people.words import folded, words_of

__all__ = ["find_people", "people_of"]

_VERB_TAGS: Final = frozenset({"VERB", "AUX"})
#: Titles that only say that somebody is called by the first name.
_SAME_FOR_ALL: Final = frozenset({"Sister", "Sr", "Father", "Fr", "Brother", "Mother"})


def find_people(articles: Articles) -> list[Person]:
    """Find everybody who is named in documents, with all mentions and descriptions.

    Mentions belong together if they have the same last name; people with different first names
    are kept apart, and a last name that two share goes to the one who was last named in full in
    that document (not counting *her father, Jonas Castellan*). Where that tells nothing the
    mentions are given as a person of their own, with the reason in `Person.unsure`.

    Parameters
    ----------
    articles
        The documents, parsed.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles
    >>> find_people(Articles(()))
    []
    """
    return people_of(articles.sentences)


def people_of(sentences: Sequence[ParsedSentence]) -> list[Person]:
    """Find everybody who is named in sentences; those of one document stand together.

    Parameters
    ----------
    sentences
        The sentences.

    Examples
    --------
    >>> people_of([])
    []
    """
    chains = _Chains(sentences)
    people = [_person(known, mentions) for known, mentions in chains.of_person.items()]
    people += [
        _unsure(last, mentions, chains.roster) for last, mentions in chains.of_nobody.items()
    ]
    places = {id(sentence): number for number, sentence in enumerate(sentences)}
    found = sorted(people, key=lambda own: _place(places, own.mentions[0]))
    return pronouns(sentences, [described(person) for person in found])


class _Chains:
    """Mentions by person, while they are collected."""

    def __init__(self, sentences: Sequence[ParsedSentence]) -> None:
        seen = without_epithets(sightings(sentences))
        self.roster = Roster(seen)
        self.of_person: dict[Known, list[Mention]] = defaultdict(list)
        self.of_nobody: dict[str, list[Mention]] = defaultdict(list)
        self._small = {word.text for own in sentences for word in own.words if word.text.islower()}
        self._titles = titles_of(self.roster, seen)
        self._things = things_among(self.roster, seen)
        self._relatives = relatives_among(self.roster, seen)
        of_document: dict[str, list[Sighting]] = defaultdict(list)
        for own in seen:
            of_document[own.sentence.document].append(own)
        for together in of_document.values():
            self._read(together)

    def _read(self, seen: Sequence[Sighting]) -> None:
        """Go through a document."""
        so_far = SoFar()
        for place, own in enumerate(seen):
            known, form = self._who(own, so_far, seen[place + 1 : place + 2])
            if form is None:
                continue
            mention = read_mention(own.sentence, own.span, form)
            if known is None:
                self.of_nobody[own.name.last].append(mention)
                continue
            self.of_person[known].append(mention)
            so_far.there.append(known)
            if form == "full":
                so_far.lasts[known].update(surnames(own.name))
                if not (is_introduced_as_relative(own) and shares_surname(known, so_far.named)):
                    so_far.named.append(known)

    def _who(
        self, own: Sighting, so_far: SoFar, following: Sequence[Sighting]
    ) -> tuple[Known | None, NameForm | None]:
        """Tell who is meant and how the name is given; no form if it is no mention."""
        known = self.roster.full(own.text)
        if known is not None and not known.single:
            return known, "full"
        if own.name.full and (shared := self._longer(own)):
            return shared, "last"
        if own.name.full:
            return None, None
        if not own.span.titles and (sharing := self._shares_last_name(own, following)):
            return sharing, "nickname"
        if titled := self._titled_first_name(own):
            return titled, "nickname"
        if self._could_be_last_name(own):
            candidates = so_far.likely(own.name.last, self.roster.by_last_name(own.name.last))
            if candidates and self._may_be_a_thing(own, candidates, so_far):
                return None, None
            if candidates:
                return self._choose(own, candidates, so_far), "last"
        first = [one for one in self.roster.by_first_name(own.text) if one in so_far.there]
        if len(set(map(id, first))) == 1 and not own.span.titles:
            return first[0], "nickname"
        single = self.roster.only_name(own)
        return (single, "last") if single else (None, None)

    def _titled_first_name(self, own: Sighting) -> Known | None:
        """Give who is called by a title and the first name: *Sir Malcolm*."""
        titles = title_words(own) & words_of("with_first_name")
        bearers = [one for one in self.roster.by_first_name(own.text) if not one.single]
        if not titles or len(bearers) != 1:
            return None
        others = self.roster.by_last_name(own.name.last)
        fits = titles & self._titles[bearers[0]] or titles <= _SAME_FOR_ALL
        return bearers[0] if fits and not others else None

    def _longer(self, own: Sighting) -> Known | None:
        """Give who is called by the last two words of a name: *García Márquez*."""
        candidates = self.roster.by_last_name(own.text)
        return candidates[0] if len(candidates) == 1 else None

    def _shares_last_name(self, own: Sighting, following: Sequence[Sighting]) -> Known | None:
        """Read the *Josef* of *Josef and Adrian Kell*."""
        words, after = own.sentence.words, own.span.last + 1
        if not following or following[0].sentence is not own.sentence or not following[0].name.full:
            return None
        other = following[0]
        if other.span.first != after + 1 or words[after].text not in {"and", "&", "or"}:
            return None
        if self.roster.by_last_name(own.name.last) or not _is_first_name(own):
            return None
        known = self.roster.full(other.text)
        if known is None or known.single:
            return None
        return self.roster.full(f"{own.text} {other.name.last}") or self.roster.add(
            f"{own.text} {other.name.last}", 0
        )

    def _may_be_a_thing(self, own: Sighting, candidates: Sequence[Known], so_far: SoFar) -> bool:
        """Tell whether a last name is that of a company, whose founder had it, too."""
        if own.span.titles:
            return False
        unnamed = not any(one in so_far.there for one in candidates)
        return is_called_a_body(own) or (unnamed and folded(own.name.last) in self._things)

    def _could_be_last_name(self, own: Sighting) -> bool:
        """Tell a name from an ordinary word that begins a sentence, and from a place."""
        words, first = own.sentence.words, own.span.first
        word = words[first]
        if own.span.titles or word.entity == "person":
            return True
        before = words[first - 1].text if first else ""
        if own.text in words_of("also_places") and not _speaks(own):
            return False
        if own.text in words_of("also_last_names") and before.lower() == "the":
            return False
        if word.entity in {"place", "organization"} and before in {
            "in",
            "at",
            "near",
            "from",
        }:
            return False
        opens = all(not own_word.text[0].isalnum() for own_word in words[:first])
        if not opens or word.text.lower() not in self._small:
            return True
        following = words[own.span.last + 1] if own.span.last + 1 < len(words) else word
        return (
            word.tag == "PROPN"
            or following.tag in _VERB_TAGS
            or following.text in {",", "'s", "’s"}
        )

    def _choose(self, own: Sighting, candidates: Sequence[Known], so_far: SoFar) -> Known | None:
        """Choose among those who share a last name."""
        if len(candidates) == 1:
            return candidates[0]
        there = so_far.there
        fitting = self._fitting(own, candidates)
        if len(fitting) == 1:
            return fitting[0]
        main = self._main(candidates)
        if main is not None and main in there:
            return main
        if own.sentence.index < 0 or only_relatives(there, candidates, self._relatives):
            return None
        last = next((one for one in reversed(so_far.named) if one in fitting), None)
        if last is not None:
            return last
        recent = [one for one in there if one in fitting]
        return recent[-1] if len({id(one) for one in recent}) == 1 else None

    def _main(self, candidates: Sequence[Known]) -> Known | None:
        """Give whom a story is about, if others with that name are relatives or named rarely."""
        counts = {one: sum(one.texts.values()) for one in candidates}
        for one in candidates:
            others = [other for other in candidates if other is not one]
            if one not in self._relatives and all(
                3 * counts[other] <= counts[one] or other in self._relatives for other in others
            ):
                return one
        return None

    def _fitting(self, own: Sighting, candidates: Sequence[Known]) -> list[Known]:
        """Give those whom a title fits best: it was seen with them, or does not contradict."""
        titles = title_words(own)
        seen = [one for one in candidates if titles & self._titles[one]]
        return seen or [one for one in candidates if self._fits_title(own, one)] or [*candidates]

    def _fits_title(self, own: Sighting, known: Known) -> bool:
        """Tell whether a title has been seen with somebody, or fits a first name."""
        titles = title_words(own)
        if not titles:
            return True
        gender = gender_of(known.name.first)
        for list_name, own_gender in (("female_titles", "female"), ("male_titles", "male")):
            if titles & words_of(list_name):
                return gender in ("", own_gender)
        return bool(titles & self._titles[known])


def _speaks(own: Sighting) -> bool:
    words, after = own.sentence.words, own.span.last + 1
    return after < len(words) and words[after].text in words_of("speech") | words_of("acts")


def _is_first_name(own: Sighting) -> bool:
    known = words_of("female_names") | words_of("male_names")
    return own.text in known or own.sentence.words[own.span.first].entity == "person"


def _person(known: Known, mentions: Sequence[Mention]) -> Person:
    if known.single:
        return Person(known.name.last, known.name.last, tuple(mentions))
    name = known.full_name
    unsure = f"two people may be called {name}" if are_two(mentions) else ""
    return Person(name, called(known, mentions), tuple(mentions), unsure=unsure)


def _unsure(last: str, mentions: Sequence[Mention], roster: Roster) -> Person:
    names = " or ".join(known.full_name for known in roster.by_last_name(last))
    return Person(last, last, tuple(mentions), unsure=f"{last} may be {names}")


def _place(places: dict[int, int], mention: Mention) -> tuple[int, int]:
    return places[id(mention.sentence)], mention.first
