"""Rewriting of references to people in summaries."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Literal

from numpy.random import default_rng

from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._people.edits import (
    Describe,
    NameChange,
    introductions,
    is_described,
    shortening,
)
from pyramidion.rewriting._people.mention import Person
from pyramidion.rewriting._people.names import in_capitals
from pyramidion.rewriting._people.printed import printed_introductions, printed_shortening
from pyramidion.rewriting._people.published_sequences import later_form
from pyramidion.rewriting._people.table import PeopleTable, PersonMention
from pyramidion.rewriting._people.vetoes import doubt_about, is_sound, is_untouchable, skip_reason
from pyramidion.summarizers import Replacement, Rewritten, edited
from pyramidion.text import ParsedSentence, count_words

_NO_ROOM_NOTE = "a first mention was not expanded: no room"


@dataclass(frozen=True, slots=True)
class RewrittenPeople:
    """A summary after its references to people were rewritten.

    Parameters
    ----------
    sentences
        The sentences.
    notes
        What was left unchanged, why and how often.
    short
        How many first mentions were not expanded for lack of room.

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
    """Rewrites references to people in summaries of documents.

    A first mention by last name becomes the full name, with the description next to it in the
    article that the sentence comes from; later full names become last names. Doubtful cases are
    left unchanged: names without corroboration, names shared with other people or things,
    quotations, lists. Rules 1 and 2 of the thesis can be followed without these guards instead.

    Parameters
    ----------
    articles
        The documents.
    variation
        ``rules``: later mentions are last names. ``sampled``: their form is drawn.
    seed
        Random seed.
    limiting
        Probabilities of the forms; those of the thesis by default.
    describe
        Decides whether a person is described at first mention.
    as_printed
        Whether the rules of the thesis are followed to the letter.

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
    describe: Describe | None = field(default=None, kw_only=True)
    as_printed: bool = field(default=False, kw_only=True)

    def rewrite(
        self, sentences: Sequence[ParsedSentence], *, room: int | None = None
    ) -> list[Rewritten]:
        """Rewrite a summary; see `summary`."""
        return list(self.summary(sentences, room=room).sentences)

    def summary(
        self, sentences: Sequence[ParsedSentence], *, room: int | None = None
    ) -> RewrittenPeople:
        """Rewrite a summary, with notes about what was left unchanged.

        Parameters
        ----------
        sentences
            The sentences in reading order, each with its source document, if any.
        room
            How many words the summary may grow by; unlimited by default.
        """
        are_from_documents = all(map(self.table.holds, sentences))
        table = self.table if are_from_documents else PeopleTable(self.articles, sentences)
        # How much later mentions save is known only after an unlimited pass.
        passage = _SummaryPass(self, table, None)
        rewritten_sentences = [passage.rewrite(sentence) for sentence in sentences]
        if room is not None and passage.n_added_words > room:
            passage = _SummaryPass(self, table, max(room, 0))
            rewritten_sentences = [passage.rewrite(sentence) for sentence in sentences]
        notes = [
            f"{note} ({count})" if count > 1 else note for note, count in passage.notes.items()
        ]
        if len(self.articles) and not table.people:
            notes.insert(0, "the documents name no people")
        n_capitals = sum(in_capitals(sentence.text) for sentence in self.articles)
        if n_capitals:
            note = f"sentences in capitals were not searched for people ({n_capitals})"
            notes.insert(0, note)
        return RewrittenPeople(
            tuple(rewritten_sentences), tuple(notes), passage.notes[_NO_ROOM_NOTE]
        )

    @cached_property
    def table(self) -> PeopleTable:
        """The people of the documents."""
        return PeopleTable(self.articles)


class _SummaryPass:
    """The state of one pass over a summary."""

    def __init__(self, rewriter: PeopleRewriter, table: PeopleTable, room: int | None) -> None:
        self._rewriter, self._table, self._room = rewriter, table, room
        self.notes: Counter[str] = Counter()
        self.n_added_words = 0
        self._introduced: set[int] = set()
        self._described: set[int] = set()
        self._doubts: dict[int, str] = {}
        self._rng = default_rng(rewriter.seed) if rewriter.variation == "sampled" else None

    def rewrite(self, sentence: ParsedSentence) -> Rewritten:
        """Rewrite the next sentence."""
        reason = "" if self._rewriter.as_printed else skip_reason(sentence)
        if reason:
            self.notes[f"a sentence was left unchanged: {reason}"] += 1
            return Rewritten(sentence.text)
        grown_before = self.n_added_words
        changes = tuple(_replacement(sentence, change) for change in self._changes(sentence))
        text = edited(sentence.text, changes)
        if not changes or is_sound(sentence.text, text):
            return Rewritten(text, changes)
        self.n_added_words = grown_before
        self.notes["a change would have broken a sentence: left unchanged"] += 1
        return Rewritten(sentence.text)

    def _changes(self, sentence: ParsedSentence) -> Iterator[NameChange]:
        """Yield the changes of a sentence; names in a deleted apposition are skipped."""
        end = 0
        for person_mention in self._table.in_sentence(sentence):
            if sentence.words[person_mention.mention.first].start < end:
                continue
            change = self._change(person_mention)
            if change is not None and change.start >= end:
                end = change.end
                yield change

    def _change(self, person_mention: PersonMention) -> NameChange | None:
        """Return an introduction or a shorter name, if the mention is changed."""
        mention, person = person_mention
        is_as_printed, change = self._rewriter.as_printed, None
        reason = person.unsure if is_as_printed else self._doubt(person)
        if reason:
            self.notes[f"{reason}: left unchanged"] += 1
        elif not is_as_printed and is_untouchable(mention, self._table.quotations):
            pass
        elif id(person) not in self._introduced:
            propose = printed_introductions if is_as_printed else introductions
            for proposal in propose(person_mention, self._table, self._rewriter.describe):
                if (
                    self._room is None
                    or self.n_added_words + _growth(person_mention, proposal) <= self._room
                ):
                    change = proposal
                    break
                self.notes[_NO_ROOM_NOTE] += 1
        elif self._rng is None or later_form(self._rng, self._rewriter.limiting) == "last":
            was_described = id(person) in self._described
            shorten = (
                printed_shortening
                if is_as_printed
                else partial(shortening, was_described=was_described)
            )
            change = shorten(person_mention, self._table)
        if change is not None:
            self.n_added_words += _growth(person_mention, change)
        if (
            is_as_printed
            or mention.form == "full"
            or (change is not None and change.source is not None)
        ):
            self._introduced.add(id(person))
        if is_described(mention) or (change is not None and change.describes):
            self._described.add(id(person))
        return change

    def _doubt(self, person: Person) -> str:
        """Return why a person is left out; empty if there is no doubt."""
        if id(person) not in self._doubts:
            self._doubts[id(person)] = doubt_about(person, self._table)
        return self._doubts[id(person)]


def _growth(person_mention: PersonMention, change: NameChange) -> int:
    replaced_text = person_mention.mention.sentence.text[change.start : change.end]
    return count_words(change.after) - count_words(replaced_text)


def _replacement(sentence: ParsedSentence, change: NameChange) -> Replacement:
    """Return a change as a replacement, with its source."""
    before, after = sentence.text[change.start : change.end], change.after
    if after.endswith(".") and sentence.text[change.end : change.end + 1] == ".":
        after = after[:-1]
    source = change.source.sentence if change.source else None
    origin = (source.document, source.index) if source else ("", None)
    return Replacement(change.start, change.end, before, after, "person", change.reason, *origin)
