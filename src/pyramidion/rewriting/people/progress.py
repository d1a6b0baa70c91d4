"""A summary while its references to people are rewritten: what is done, said and counted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pyramidion.rewriting.articles import Articles, ParsedSentence
from pyramidion.rewriting.edits import Replacement
from pyramidion.rewriting.people.first_mentions import Change
from pyramidion.rewriting.people.register import Named, PeopleRegister
from pyramidion.rewriting.people.spans import in_capitals
from pyramidion.rewriting.people.words import folded, words_of
from pyramidion.rewriting.rewriter import Rewritten
from pyramidion.text import count_words

__all__ = ["Progress", "about_documents", "growth_of", "replacement_of", "shared_last_names"]


@dataclass
class Progress:
    """How far a summary has come.

    Parameters
    ----------
    sentences
        Those that are done.
    notes
        What there is to say, with how often.
    introduced, described
        Who was named in full, and who was described (as identities of `Person`).
    added, saved, grown
        Words that first mentions added, that later ones saved, and by which the text grew.

    Examples
    --------
    >>> progress = Progress()
    >>> progress.notes["left as it is"] += 2
    >>> list(progress.remarks())
    ['left as it is (2)']
    """

    sentences: list[Rewritten] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    introduced: set[int] = field(default_factory=set)
    described: set[int] = field(default_factory=set)
    added: int = 0
    saved: int = 0
    grown: int = 0

    def remarks(self) -> Iterator[str]:
        """Give the notes, with how often each applies."""
        for note, count in self.notes.items():
            yield f"{note} ({count})" if count > 1 else note


def about_documents(articles: Articles, register: PeopleRegister) -> Iterator[str]:
    """Say why nobody was found, if so.

    Parameters
    ----------
    articles, register
        The documents, and who is in them.

    Examples
    --------
    >>> list(about_documents(Articles(()), PeopleRegister(Articles(()), [])))
    []
    """
    capitals = sum(in_capitals(own.text) for own in articles)
    if capitals:
        yield f"nobody is looked for in sentences that are all in capitals ({capitals})"
    if len(articles) and not register.people:
        yield "the documents name no people"


def growth_of(named: Named, change: Change) -> int:
    """Count the words that a change adds.

    Parameters
    ----------
    named, change
        The mention and its change.

    Examples
    --------
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> person = people_in("Rosa Vale left.", "light")[0]
    >>> growth_of(Named(person.mentions[0], person), Change(0, 9, "Vale", "later mention"))
    -1
    """
    before = named.mention.sentence.text[change.start : change.end]
    return count_words(change.after) - count_words(before)


def replacement_of(sentence: ParsedSentence, change: Change) -> Replacement:
    """Give a change as it is shown, with its source.

    Parameters
    ----------
    sentence, change
        Where, and what.

    Examples
    --------
    >>> change = Change(0, 3, "Ann Orr", "first mention")
    >>> own = replacement_of(ParsedSentence("Orr won.", ()), change)
    >>> own.before, own.after
    ('Orr', 'Ann Orr')
    """
    before, after = sentence.text[change.start : change.end], change.after
    if after.endswith(".") and sentence.text[change.end : change.end + 1] == ".":
        after = after[:-1]
    source = change.source.sentence if change.source else None
    place = (source.document, source.index) if source else ("", None)
    return Replacement(change.start, change.end, before, after, "person", change.reason, *place)


def shared_last_names(
    register: PeopleRegister, sentences: Sequence[ParsedSentence]
) -> frozenset[int]:
    """Find those in a summary whose last name somebody or something else in it has, too.

    Parameters
    ----------
    register, sentences
        Who is there, and the summary.

    Examples
    --------
    >>> shared_last_names(PeopleRegister(Articles(()), []), [])
    frozenset()
    """
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
        if any(words[at].text == "&" or _is_name_like(words[at].text) for at in near):
            yield folded(word.text)


def _is_name_like(text: str) -> bool:
    return text[0].isupper() and text not in words_of("never")
