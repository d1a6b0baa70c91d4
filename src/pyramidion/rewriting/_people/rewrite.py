"""Rewriting of references to people, sentence by sentence or a whole summary."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal

from pyramidion.rewriting._articles import Articles, ParsedSentence
from pyramidion.rewriting._people.descriptions import closing_commas, explains_somebody_new
from pyramidion.rewriting._people.document_people import is_relative
from pyramidion.rewriting._people.edit_guards import (
    is_predicate,
    is_sound,
    may_be_changed,
    unreadable,
)
from pyramidion.rewriting._people.first_mentions import (
    Affiliation,
    Change,
    Describe,
    FirstMentions,
    ReadSoFar,
    alike_in_pairs,
    is_explained,
    role_words,
)
from pyramidion.rewriting._people.mention import Mention, NameForm, Person
from pyramidion.rewriting._people.names import in_capitals, is_age, read_name, surnames
from pyramidion.rewriting._people.summary_people import Named, PeopleRegister
from pyramidion.rewriting._rewriter import Replacement, Rewritten, edited
from pyramidion.rewriting._word_lists import bare, folded, words_of
from pyramidion.text import count_words
from pyramidion.text._tokens import stem


@dataclass
class Progress:
    """How far a summary has come."""

    sentences: list[Rewritten] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)  # with how often
    introduced: set[int] = field(default_factory=set)  # identities of who was named in full
    described: set[int] = field(default_factory=set)  # identities of who was described
    added: int = 0  # words, by first mentions
    saved: int = 0  # words, by later mentions
    grown: int = 0  # words, of the text

    def remarks(self) -> Iterator[str]:
        """Give the notes, with how often each applies."""
        for note, count in self.notes.items():
            yield f"{note} ({count})" if count > 1 else note


def about_documents(articles: Articles, register: PeopleRegister) -> Iterator[str]:
    """Say why nobody was found, if so."""
    capitals = sum(in_capitals(own.text) for own in articles)
    if capitals:
        yield f"nobody is looked for in sentences that are all in capitals ({capitals})"
    if len(articles) and not register.people:
        yield "the documents name no people"


def growth_of(named: Named, change: Change) -> int:
    """Count the words that a change adds."""
    before = named.mention.sentence.text[change.start : change.end]
    return count_words(change.after) - count_words(before)


def replacement_of(sentence: ParsedSentence, change: Change) -> Replacement:
    """Give a change as it is shown, with its source."""
    before, after = sentence.text[change.start : change.end], change.after
    if after.endswith(".") and sentence.text[change.end : change.end + 1] == ".":
        after = after[:-1]
    source = change.source.sentence if change.source else None
    place = (source.document, source.index) if source else ("", None)
    return Replacement(change.start, change.end, before, after, "person", change.reason, *place)


def shared_last_names(
    register: PeopleRegister, sentences: Sequence[ParsedSentence]
) -> frozenset[int]:
    """Find those in a summary whose last name somebody or something else in it has, too."""
    there = {id(one.person): one.person for own in sentences for one in register.in_sentence(own)}
    counts = Counter(folded(person.last_name) for person in there.values())
    things = {name for own in sentences for name in _names_of_things(own, register)}
    return frozenset(
        key
        for key, person in there.items()
        if counts[folded(person.last_name)] > 1 or folded(person.last_name) in things
    )


def _names_of_things(sentence: ParsedSentence, register: PeopleRegister) -> Iterator[str]:
    """Give words of names that are nobody's: *Baker Orr & Stone* has an *Orr*."""
    words = sentence.words
    people = [own.mention for own in register.in_sentence(sentence)]
    taken = {place for own in people for place in range(own.first, own.last + 1)}
    for place, word in enumerate(words):
        near = {at for at in (place - 1, place + 1) if 0 <= at < len(words)} - taken
        if place in taken or not word.text[0].isupper():
            continue
        texts = [words[at].text for at in near]
        if any(own == "&" or (own[0].isupper() and own not in words_of("never")) for own in texts):
            yield folded(word.text)


_FEWEST_NICKNAMES: Final = 1
_MOST_NEWS: Final = 3
_NEAR: Final = 7
_ALIKE: Final = 5
_STAYING: Final = frozenset({"late", "elder", "younger"})


@dataclass(frozen=True)
class LaterMentions:
    """What later mentions become."""

    register: PeopleRegister
    keep_news: bool = True
    nicknames: bool = True

    def changes(self, named: Named, said: str, form: NameForm = "last") -> list[Change]:
        """Give the changes of a later mention; none if it is right or must stay."""
        mention, person = named
        if mention.form == "nickname" or not mention.head or mention.post == "prepositional":
            return []
        name = self._name(mention, person, form)
        if not name or explains_somebody_new(mention) or is_predicate(mention):
            return []
        if is_relative(mention) and _is_like_another(name, mention):
            return []
        found = self._shortened(mention, _in_own_spelling(name, mention))
        return [*found, *self._without_apposition(mention, said)]

    def _name(self, mention: Mention, person: Person, form: NameForm) -> str:
        """Give the name, with a title that stays; nothing if the mention stays as it is."""
        titles = {bare(word) for word in mention.premodifier.split()}
        parts = read_name(person.name)
        called = self.register.is_called_by_last_name(person)
        if not parts.full or _is_royal(person) or (parts.family_first and not called):
            return ""
        if not called and len(surnames(parts)) > 1 and not _is_settled(person):
            return ""
        if form == "full":
            return person.name
        if form == "nickname" or (self.nicknames and self._is_known_by_first_name(person)):
            return parts.nickname or parts.first
        honor = titles & words_of("honorifics")
        if not honor or called:
            return person.last_name
        before = mention.premodifier.split()
        doctor = [word for word in before if bare(word) in {"Dr", "Prof", "Rev"}]
        return f"{doctor[-1]} {person.last_name}" if doctor and len(honor) == 1 else ""

    def _is_known_by_first_name(self, person: Person) -> bool:
        forms = [own.form for own in person.mentions]
        often = forms.count("nickname") > max(forms.count("last"), _FEWEST_NICKNAMES)
        return often and not self.register.has_namesake(person)

    def _shortened(self, mention: Mention, name: str) -> list[Change]:
        words = mention.sentence.words
        begin = mention.premodified_first
        premodifiers = [word.text.lower() for word in words[begin : mention.first]]
        if _STAYING & set(premodifiers) or (mention.opening and not mention.premodifiers):
            return []
        opening = words[begin - mention.opening].text.lower() if mention.opening else ""
        if opening == "the" and mention.opening == 1:
            begin -= 1
        elif opening:
            begin = mention.first
        start, end = words[begin].start, words[mention.last].end
        before = mention.sentence.text[start:end]
        if before == name or (mention.form == "last" and not mention.premodifiers):
            return []
        # An article cannot go without what it belongs to.
        if opening in {"a", "an"}:
            return []
        if mention.sentence.opens_at(begin):
            name = name[0].upper() + name[1:]
        stop = "." if end == len(mention.sentence.text) and before.endswith(".") else ""
        return [Change(start, end, name + stop, f"later mention: {_form_of(name, mention)}")]

    def _without_apposition(self, mention: Mention, said: str) -> list[Change]:
        if mention.post != "apposition" or self._is_news(mention, said):
            return []
        part = closing_commas(mention)
        if part is None:
            return []
        start, end, after = part
        return [Change(start, end, after, "later mention: no apposition")]

    def _is_news(self, mention: Mention, said: str) -> bool:
        """Tell whether an apposition says what was not said before."""
        text = mention.postmodifier
        if is_age(text) or not self.keep_news:
            return False
        words = role_words(text)
        new = words - role_words(said) - _describing_stems()
        numbers = any(word[0].isdigit() for word in new)
        return 2 * len(new) >= len(words) > 0 or len(new) >= _MOST_NEWS or numbers


@cache
def _describing_stems() -> frozenset[str]:
    return frozenset(map(stem, words_of("describing") - {"former"}))


def _in_own_spelling(name: str, mention: Mention) -> str:
    """Write a last name with the accents that it has in this sentence."""
    end = mention.name[-len(name) :]
    return end if folded(end) == folded(name) and end.lower() != name.lower() else name


def _is_like_another(name: str, mention: Mention) -> bool:
    """*Morova's grandfather, Ilya Morov*: without the first name it would be hard to read."""
    near = mention.sentence.words[max(mention.first - _NEAR, 0) : mention.first]
    start = folded(name)[:_ALIKE]
    return any(word.text[0].isupper() and folded(word.text).startswith(start) for word in near)


def _form_of(name: str, mention: Mention) -> str:
    """Say what is left of a name: the last name, the first, or all of it."""
    if folded(name) == folded(mention.name):
        return "no description"
    parts = read_name(mention.name)
    first = {folded(parts.first), folded(parts.nickname)} - {""}
    return "first name" if folded(name) in first else "last name"


def _is_settled(person: Person) -> bool:
    """Tell which of two last names somebody is called by: the documents do so with a title."""
    return any(own.form == "last" for own in person.mentions) or (
        person.last_name != read_name(person.name).last
    )


def _is_royal(person: Person) -> bool:
    """Tell whether a title is somebody's whose last name is not used: *Pope John Paul*."""
    titles = (bare(word) for own in person.mentions for word in own.premodifier.split())
    return any(title in words_of("royal") for title in titles)


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
        Random seed.
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
        if self._register.may_be_another(named):
            done.notes[f"{person.last_name} may be someone else of that name: left as it is"] += 1
            self._note_introduction(named, done)
            return []
        if self._is_quoted(mention) or not may_be_changed(mention):
            self._note_introduction(named, done)
            return []
        if id(person) not in done.introduced:
            return self._introduce(named, number, done, allowed)
        return self._shorten(named, done, rng)

    def _is_quoted(self, mention: Mention) -> bool:
        words = mention.sentence.words
        start, end = words[mention.phrase_first].start, words[mention.last].end
        return self._register.quotations.touch(mention.sentence, start, end)

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
        if mention.form == "full" or all(own.form != "full" for own in person.mentions):
            done.introduced.add(id(person))
        if is_explained(mention):
            done.described.add(id(person))

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
        from pyramidion.rewriting._people.published_sequences import later_form

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
