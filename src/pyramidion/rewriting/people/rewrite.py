"""References to people rewritten: described at first, by last name later (section 5.1.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pyramidion.rewriting.articles import Articles, ParsedSentence
from pyramidion.rewriting.edits import edited
from pyramidion.rewriting.people.first_mentions import (
    Affiliation,
    Change,
    Describe,
    FirstMentions,
    ReadSoFar,
    is_explained,
)
from pyramidion.rewriting.people.later_mentions import LaterMentions
from pyramidion.rewriting.people.mention import NameForm, Person
from pyramidion.rewriting.people.pairs import alike_in_pairs
from pyramidion.rewriting.people.progress import (
    Progress,
    about_documents,
    growth_of,
    replacement_of,
    shared_last_names,
)
from pyramidion.rewriting.people.register import Named, PeopleRegister
from pyramidion.rewriting.people.soundness import is_sound
from pyramidion.rewriting.people.surroundings import may_be_changed, unreadable
from pyramidion.rewriting.rewriter import Rewritten
from pyramidion.text import count_words

__all__ = ["PeopleRewriter", "RewrittenPeople"]

_SHORT = "a first mention is shorter than it could be: no room"


@dataclass(frozen=True, slots=True)
class RewrittenPeople:
    """A summary after its references to people were rewritten.

    Parameters
    ----------
    sentences
        The sentences, in their order.
    notes
        What was left alone and why, counted.
    short
        How many first mentions had to be shorter than they could be.

    Examples
    --------
    >>> RewrittenPeople((Rewritten("Rain fell."),)).notes
    ()
    """

    sentences: tuple[Rewritten, ...]
    notes: tuple[str, ...] = ()
    short: int = 0


@dataclass(frozen=True)
class PeopleRewriter:
    """Rewrites references to people in summaries of some documents.

    The first mention of somebody becomes the full name with the longest premodifier among the
    first mentions of the documents (that of the sentence's own document comes first), or else
    the longest apposition there; later ones become the last name. A name that is not the head
    of its phrase (*the Boyle campaign*, *Boyle's plan*) stays at first mention, and so does
    everything that is not certain: quotations, shared names, titles such as *Queen*.

    Parameters
    ----------
    articles
        The documents.
    variation
        ``rules``: later mentions are last names. ``sampled``: their form is drawn.
    seed
        Where chance begins.
    limiting
        Probabilities of the forms; those of the thesis if not given.
    keep_news
        Whether an apposition stays at a later mention if it was not said before.
    nicknames
        Whether those whom the documents mostly call by their first name are called so later.
    describe
        Decides whether somebody is described at first mention.
    affiliation
        Decides whether the description keeps a country or organization.

    References
    ----------
    Nenkova (2006), "Understanding the process of multi-document summarization", section 5.1.

    Examples
    --------
    >>> PeopleRewriter(Articles(())).rewrite([])
    []
    """

    articles: Articles
    variation: Literal["rules", "sampled"] = field(default="rules", kw_only=True)
    seed: int = field(default=0, kw_only=True)
    limiting: Mapping[str, float] | None = field(default=None, kw_only=True)
    keep_news: bool = field(default=True, kw_only=True)
    nicknames: bool = field(default=True, kw_only=True)
    describe: Describe | None = field(default=None, kw_only=True)
    affiliation: Affiliation | None = field(default=None, kw_only=True)

    def rewrite(
        self, sentences: Sequence[ParsedSentence], *, room: int | None = None
    ) -> list[Rewritten]:
        """Rewrite the sentences of a summary.

        Parameters
        ----------
        sentences
            In reading order, each with the document it comes from, if any.
        room
            By how many words the summary may grow; without limit if it is not given.
        """
        return list(self.summary(sentences, room=room).sentences)

    def summary(
        self, sentences: Sequence[ParsedSentence], *, room: int | None = None
    ) -> RewrittenPeople:
        """Rewrite the sentences of a summary, and tell what was left alone.

        Parameters
        ----------
        sentences, room
            See `rewrite`.
        """
        register = PeopleRegister(self.articles, sentences)
        passage = _Passage(self, register, sentences)
        done = passage.rewritten(None)
        saved = done.saved
        while room is not None and done.grown > room:
            # Shorter first mentions leave fewer later ones to shorten: try again with less.
            done = passage.rewritten(max(room + saved, 0))
            if saved <= 0:
                break
            saved = min(done.saved, saved - 1)
        if room is not None and done.grown > max(room, 0):
            unchanged = tuple(Rewritten(own.text) for own in sentences)
            return RewrittenPeople(unchanged, ("no room to rewrite references to people",), 1)
        notes = (*about_documents(self.articles, register), *done.remarks())
        return RewrittenPeople(tuple(done.sentences), notes, done.notes[_SHORT])


class _Passage:
    """One summary being rewritten."""

    def __init__(
        self, own: PeopleRewriter, register: PeopleRegister, sentences: Sequence[ParsedSentence]
    ) -> None:
        self._own, self._register, self._sentences = own, register, sentences
        self._first = FirstMentions(register, own.describe, own.affiliation)
        self._later = LaterMentions(register, own.keep_news, own.nicknames)
        self._shared = shared_last_names(register, sentences)

    def rewritten(self, allowed: int | None) -> Progress:
        """Go through the summary; first mentions may add so many words."""
        done = Progress()
        rng = self._generator()
        for number, sentence in enumerate(self._sentences):
            why = unreadable(sentence)
            if why:
                done.notes[f"a sentence is left as it is: {why}"] += 1
                done.sentences.append(Rewritten(sentence.text))
                continue
            named = self._register.in_sentence(sentence)
            changes = [
                (own, change)
                for own in named
                for change in self._changes(own, number, done, allowed, rng)
            ]
            done.sentences.append(self._edited(sentence, alike_in_pairs(changes, named), done))
        return done

    def _generator(self) -> Any:
        if self._own.variation == "rules":
            return None
        from numpy.random import default_rng

        return default_rng(self._own.seed)

    def _changes(
        self, named: Named, number: int, done: Progress, allowed: int | None, rng: Any
    ) -> list[Change]:
        """Decide what a mention becomes."""
        mention, person = named
        if person.unsure:
            done.notes[f"{person.unsure}: left as it is"] += 1
            return []
        later = id(person) in done.introduced
        if self._register.may_be_another(named):
            done.notes[f"{person.last_name} may be somebody else of that name: left as it is"] += 1
            self._note_introduction(named, done)
            return []
        if not may_be_changed(mention):
            self._note_introduction(named, done)
            return []
        if not later:
            return self._introduce(named, number, done, allowed)
        return self._shorten(named, done, rng)

    def _introduce(
        self, named: Named, number: int, done: Progress, allowed: int | None
    ) -> list[Change]:
        read = ReadSoFar(self._sentences, number, named.mention.first)
        for option in self._first.options(named, read):
            growth = growth_of(named, option)
            if allowed is None or done.added + growth <= allowed:
                done.added += growth
                done.introduced.add(id(named.person))
                if option.describes or is_explained(named.mention):
                    done.described.add(id(named.person))
                return [option]
            done.notes[_SHORT] += 1
        self._note_introduction(named, done)
        return []

    def _note_introduction(self, named: Named, done: Progress) -> None:
        """Remember who was named as the text stands."""
        mention, person = named
        if mention.form == "full" or not self._could_be_introduced(person):
            done.introduced.add(id(person))
        if mention.modified or is_explained(mention):
            done.described.add(id(person))

    def _could_be_introduced(self, person: Person) -> bool:
        return any(own.form == "full" for own in person.mentions)

    def _shorten(self, named: Named, done: Progress, rng: Any) -> list[Change]:
        mention, person = named
        drawn = self._drawn(rng)
        explains = mention.external > 0 or mention.titles > 0 or mention.post == "apposition"
        if explains and id(person) not in done.described:
            done.described.add(id(person))
            return []
        if id(person) in self._shared or self._register.needs_first_name(person):
            if mention.form == "full":
                done.notes[f"{person.last_name} is shared by others: full names stay"] += 1
            return []
        changes = self._later.changes(named, self._said_about(person, done), drawn)
        for change in changes:
            done.saved -= growth_of(named, change)
        return changes

    def _said_about(self, person: Person, done: Progress) -> str:
        """Give the sentences so far that name somebody."""
        told = zip(self._sentences, done.sentences, strict=False)
        named = (
            after.text
            for before, after in told
            if any(own.person is person for own in self._register.in_sentence(before))
        )
        return " ".join(named)

    def _drawn(self, rng: Any) -> NameForm:
        if rng is None:
            return "last"
        from pyramidion.rewriting.people.sequences.sampling import later_form

        return later_form(rng, self._own.limiting)

    def _edited(
        self, sentence: ParsedSentence, changes: Sequence[tuple[Named, Change]], done: Progress
    ) -> Rewritten:
        """Make the changes, unless they would break the sentence."""
        replacements = tuple(replacement_of(sentence, change) for _, change in changes)
        if not replacements:
            return Rewritten(sentence.text)
        text = edited(sentence.text, replacements)
        if is_sound(sentence.text, text):
            done.grown += count_words(text) - count_words(sentence.text)
            return Rewritten(text, replacements)
        done.notes["a change would have broken a sentence: left as it is"] += 1
        return Rewritten(sentence.text)
