"""Mentions of people, counted: what comes first, what follows what, and what stands where."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pyramidion._types import Floats
from pyramidion.rewriting.people.mention import Mention, Person
from pyramidion.rewriting.people.sequences.chain import MarkovChain
from pyramidion.rewriting.people.sequences.features import Feature
from pyramidion.rewriting.people.sequences.stratified import PLACES, StratifiedModel

__all__ = ["MentionChain", "SequenceCounts", "count_sequences", "mention_chains"]


@dataclass(frozen=True, slots=True)
class MentionChain:
    """The mentions of one person in one document.

    Parameters
    ----------
    document
        The document's id.
    mentions
        The mentions, in their order.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> there = ParsedSentence("", (), "d1", 0)
    >>> bush = [Mention(there, 0, 0, "last", head=False), Mention(there, 0, 0, "last")]
    >>> chain = MentionChain("d1", tuple(bush))
    >>> chain.begins_with_head, len(chain.counted)
    (False, 2)
    """

    document: str
    mentions: tuple[Mention, ...]

    @property
    def begins_with_head(self) -> bool:
        """Whether the name is the head of its phrase where it is first mentioned."""
        return self.mentions[0].head

    @property
    def counted(self) -> tuple[Mention, ...]:
        """The mentions that are a sequence: the heads, or all if the first is none.

        Modifiers of a name that is not the head cannot be told from those of the head. So a chain
        that begins with a head goes on with the next head; of a chain that does not, only the
        name is of interest, which every mention has.
        """
        if self.begins_with_head:
            return tuple(mention for mention in self.mentions if mention.head)
        return self.mentions


def mention_chains(people: Iterable[Person]) -> list[MentionChain]:
    """Give the chain of each person in each document.

    Parameters
    ----------
    people
        People with their mentions.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> mentions = [Mention(ParsedSentence("", (), id, 0), 0, 1, "full") for id in ("d1", "d2")]
    >>> [chain.document for chain in mention_chains([Person("Ann Lee", "Lee", tuple(mentions))])]
    ['d1', 'd2']
    """
    return [
        MentionChain(document, tuple(person.in_document(document)))
        for person in people
        for document in person.documents
    ]


@dataclass(frozen=True, slots=True, eq=False)
class SequenceCounts:
    """How often chains of each document begin in a state, and go from one to another.

    Parameters
    ----------
    feature, states
        What is counted.
    documents
        The ids of the documents.
    initial
        Documents x states: first mentions.
    steps
        Documents x 5 x states x states: from the first mention to the second, from the second to
        the third, to the fourth, to the fifth, and later ones together.

    Examples
    --------
    >>> counts = SequenceCounts("x", ("a", "b"), ("d1",), np.array([[2.0, 0]]),
    ...                         np.array([[[[0, 1], [0, 0]], *np.zeros((4, 2, 2))]]))
    >>> counts.chain().transitions[0].tolist(), counts.positions[0, :2].tolist()
    ([0.0, 1.0], [[2.0, 0.0], [0.0, 1.0]])
    """

    feature: str
    states: tuple[str, ...]
    documents: tuple[str, ...]
    initial: Floats
    steps: Floats

    @property
    def transitions(self) -> Floats:
        """Documents x states x states: all steps."""
        summed: Floats = self.steps.sum(axis=1)
        return summed

    @property
    def positions(self) -> Floats:
        """Documents x 5 x states: the first to the fifth mention."""
        later = self.steps[:, : len(PLACES) - 1].sum(axis=2)
        return np.concatenate([self.initial[:, np.newaxis], later], axis=1)

    @property
    def mentions(self) -> int:
        """How many mentions were counted."""
        return int(self.initial.sum() + self.steps.sum())

    def chain(self, *, add: float = 0.0) -> MarkovChain:
        """Make a Markov chain of all documents; `add` as in `MarkovChain.of_counts`."""
        initial, transitions = self.initial.sum(axis=0), self.transitions.sum(axis=0)
        return MarkovChain.of_counts(self.feature, self.states, initial, transitions, add=add)

    def stratified(self, *, add: float = 0.0) -> StratifiedModel:
        """Make a stratified model of all documents; `add` as in `StratifiedModel.of_counts`."""
        counts = self.positions.sum(axis=0)
        return StratifiedModel.of_counts(self.feature, self.states, counts, add=add)


def count_sequences(
    chains: Sequence[MentionChain], feature: Feature, *, documents: Sequence[str] = ()
) -> SequenceCounts:
    """Count states of mentions, and what follows what.

    Parameters
    ----------
    chains
        The chains. Those that begin with a head and those that do not are better not mixed.
    feature
        What to look at.
    documents
        All documents, also those without people; those of the chains if not given.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.people.sequences.features import NAME_FORM
    >>> there = ParsedSentence("", (), "d1", 0)
    >>> lee = MentionChain("d1", (Mention(there, 0, 1, "full"), Mention(there, 0, 0, "last")))
    >>> count_sequences([lee], NAME_FORM).transitions[0, 0].tolist()
    [0.0, 1.0, 0.0]
    """
    ids = tuple(dict.fromkeys([*documents, *(chain.document for chain in chains)]))
    rows = {id: number for number, id in enumerate(ids)}
    size = len(feature.states)
    initial = np.zeros((len(ids), size))
    steps = np.zeros((len(ids), len(PLACES), size, size))
    for chain in chains:
        row = rows[chain.document]
        states = [feature.number(mention) for mention in chain.counted]
        initial[row, states[0]] += 1
        for place, (before, after) in enumerate(pairwise(states)):
            steps[row, min(place, len(PLACES) - 1), before, after] += 1
    return SequenceCounts(feature.name, feature.states, ids, initial, steps)
