"""First mentions: the full name with what the documents say about somebody."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.people.apposition import apposition_may_follow, in_apposition
from pyramidion.rewriting.people.candidates import appositions, first_name_form, premodifiers
from pyramidion.rewriting.people.clauses import FINITE
from pyramidion.rewriting.people.mention import Mention, Person
from pyramidion.rewriting.people.register import Named, PeopleRegister
from pyramidion.rewriting.people.surroundings import (
    has_room_for_description,
    in_list,
    is_styled,
)
from pyramidion.rewriting.people.wording import Candidate, role_words
from pyramidion.rewriting.people.words import bare, words_of
from pyramidion.text._tokens import stem

__all__ = ["Affiliation", "Change", "Describe", "FirstMentions", "ReadSoFar"]

_FEWEST_SAID: Final = 0.5


class ReadSoFar(NamedTuple):
    """A place in a summary.

    Parameters
    ----------
    sentences
        The sentences of the summary.
    sentence, word
        Which sentence and which word of it is read.

    Examples
    --------
    >>> ReadSoFar((), 0, 0).word
    0
    """

    sentences: Sequence[ParsedSentence]
    sentence: int
    word: int


#: Decides whether somebody is described at all.
Describe = Callable[[Person], bool]
#: Decides whether a description keeps its country or organization.
Affiliation = Callable[[Person, Mention, ReadSoFar], bool]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a mention that could be made.

    Parameters
    ----------
    start, end
        Which part of the sentence's text.
    after
        What stands there then.
    reason
        Why.
    source
        The mention that the wording comes from.
    describes
        Whether it says who somebody is.

    Examples
    --------
    >>> Change(0, 5, "Rubin", "later mention").after
    'Rubin'
    """

    start: int
    end: int
    after: str
    reason: str
    source: Mention | None = None
    describes: bool = False


@dataclass(frozen=True)
class FirstMentions:
    """What first mentions can become.

    Parameters
    ----------
    register
        Who is there.
    describe
        Whether somebody is described; everybody if it is not given.
    affiliation
        Whether a description keeps its affiliation; all do if it is not given.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles
    >>> FirstMentions(PeopleRegister(Articles(()), [])).describe is None
    True
    """

    register: PeopleRegister
    describe: Describe | None = None
    affiliation: Affiliation | None = None
    _titled: frozenset[str] = field(default_factory=lambda: words_of("courtesy"))

    def options(self, named: Named, read: ReadSoFar) -> list[Change]:
        """Give what a first mention can become, the best first.

        Parameters
        ----------
        named
            The mention, and who is meant.
        read
            Where it stands in the summary.
        """
        mention, person = named
        full = first_name_form(person, self.register, mention)
        if full is None or not mention.head or mention.possessive or _is_unclear(mention):
            return []
        if any(map(is_styled, person.mentions)):
            return []
        courteous = self._is_courteous(mention)
        if mention.premodifiers and not courteous:
            return self._name_only(mention, full) if mention.form != "full" else []
        options: list[Change] = []
        if self._may_describe(mention, person):
            options = list(self._described(named, full, read))
        return [*options, *(self._name_only(mention, full) if mention.form != "full" else [])]

    def _is_courteous(self, mention: Mention) -> bool:
        return (
            bool(mention.titles)
            and not mention.external
            and all(bare(word) in self._titled for word in mention.premodifier.split())
        )

    def _is_courtesy(self, mention: Mention, place: int) -> bool:
        return bare(mention.sentence.words[place].text) in self._titled

    def _may_describe(self, mention: Mention, person: Person) -> bool:
        if self.describe is not None and not self.describe(person):
            return False
        if mention.form == "full" and (_somebody_is_described(mention) or in_list(mention)):
            return False
        return has_room_for_description(mention)

    def _name_only(self, mention: Mention, full: Candidate) -> list[Change]:
        begin = mention.first
        while begin > mention.first - mention.titles and self._is_courtesy(mention, begin - 1):
            begin -= 1
        return [self._change(mention, begin, full.text, "first mention: full name", full.mention)]

    def _described(self, named: Named, full: Candidate, read: ReadSoFar) -> Iterator[Change]:
        mention, person = named
        document = mention.sentence.document
        begin = mention.first - mention.titles
        name = mention.name if mention.form == "full" else full.text
        before = [
            own
            for own in premodifiers(person, self.register, document)
            if not _is_said(own, mention) and _fits(own, mention)
        ]
        for own in before:
            if not own.courtesy:
                text = self._with_affiliation(own, named, read)
                reason = "first mention: full name and premodifier"
                yield self._change(mention, begin, f"{text} {name}", reason, own.mention, True)
        honor = f"{before[0].text} " if before and before[0].courtesy else ""
        if not any(not own.courtesy for own in before) and apposition_may_follow(mention):
            for own in appositions(person, self.register, document):
                if _is_understood(own, read) and not _is_said(own, mention):
                    yield self._with_apposition(mention, f"{honor}{name}", own)
        if honor and mention.form != "full":
            reason = "first mention: full name"
            yield self._change(mention, begin, honor + name, reason, before[0].mention)

    def _with_apposition(self, mention: Mention, name: str, own: Candidate) -> Change:
        words, after = mention.sentence.words, mention.last + 1
        comma = "," if words[after].text[0].isalnum() else ""
        text = f"{name}, {own.text}{comma}"
        reason = "first mention: full name and apposition"
        begin = mention.first - mention.titles
        return self._change(mention, begin, text, reason, own.mention, True)

    def _with_affiliation(self, own: Candidate, named: Named, read: ReadSoFar) -> str:
        """Leave out a country or organization where it is decided so."""
        if self.affiliation is None or self.affiliation(named.person, own.mention, read):
            return own.text
        words = own.mention.sentence.words
        first = own.mention.premodified_first
        affiliated = {
            word.text
            for word in words[first : own.mention.first - own.mention.titles]
            if word.entity in {"place", "organization"} or word.text in words_of("never")
        }
        kept = [word for word in own.text.split() if word not in affiliated]
        return " ".join(kept) if kept else own.text

    def _change(
        self,
        mention: Mention,
        begin: int,
        text: str,
        reason: str,
        source: Mention,
        describes: bool = False,
    ) -> Change:
        words = mention.sentence.words
        start, end = words[begin].start, words[mention.last].end
        if not any(word.text[0].isalnum() for word in words[:begin]):
            text = text[0].upper() + text[1:]
        return Change(start, end, text, reason, source, describes)


def _fits(own: Candidate, mention: Mention) -> bool:
    """Tell whether a premodifier can stand there: in lists, only titles can."""
    if own.opens and any(
        word.text[0].isalnum() for word in mention.sentence.words[: mention.first]
    ):
        return False
    return not (in_list(mention) and own.text.split()[-1][0].islower())


def _is_unclear(mention: Mention) -> bool:
    """Tell whether a name may stand for something else: a first name alone that does nothing."""
    words, after = mention.sentence.words, mention.last + 1
    if mention.form != "nickname":
        return False
    return after >= len(words) or words[after].fine not in FINITE


def _is_said(own: Candidate, mention: Mention) -> bool:
    """Tell whether the sentence itself says what a description says."""
    if own.courtesy:
        return False
    words = role_words(own.text)
    elsewhere = mention.sentence.text.replace(mention.name, " ")
    said = words & role_words(elsewhere)
    return bool(said & _role_stems()) or len(said) >= _FEWEST_SAID * len(words)


@cache
def _role_stems() -> frozenset[str]:
    return frozenset(map(stem, words_of("roles")))


def _is_understood(own: Candidate, read: ReadSoFar) -> bool:
    """Tell whether an apposition needs nothing that was not read: *the bank's director* does."""
    earlier = " ".join(one.text for one in read.sentences[: read.sentence + 1])
    return role_words(" ".join(own.definite)) <= role_words(earlier)


def _somebody_is_described(mention: Mention) -> bool:
    """Tell whether a sentence has a phrase such as *the former chairman*, perhaps for the name."""
    words = mention.sentence.words
    for place, word in enumerate(words):
        if word.text in words_of("roles"):
            before = [one.text.lower() for one in words[max(place - 5, 0) : place]]
            if "the" in before:
                return True
    return False


def is_explained(mention: Mention) -> bool:
    """Tell whether the sentence says who somebody is: by modifiers, or as an apposition.

    Examples
    --------
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> is_explained(people_in("Rosa Vale, a nurse, left.", "light")[0].mentions[0])
    True
    """
    return mention.modified or in_apposition(mention)
