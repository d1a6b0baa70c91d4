"""Trees over tagged words: learned heads and relations, and how rules change them safely."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Ints
from pyramidion.text.grammar_tokens import Token
from pyramidion.text.hashed_weights import HashedWeights, read_model
from pyramidion.text.light_labels import label_hashes
from pyramidion.text.light_rows import Rows, rows_of
from pyramidion.text.light_transitions import States
from pyramidion.text.tagging import TagPair

__all__ = ["LightTree", "TreeModel", "load_tree_model"]

_DATA = Path(__file__).parent / "data"
#: Below all scores.
_LEAST = -(1 << 14)


@dataclass(eq=False, slots=True)
class LightTree:
    """A sentence with heads and relations, which rules may change.

    Parameters
    ----------
    tokens, pairs
        The words and their tags.
    heads
        The place of each word's head, its own place for the root.
    labels
        The relations, in Universal Dependencies' words.

    Examples
    --------
    >>> tokens = [Token("Sen.", 0), Token("Ada", 5), Token("Lee", 9), Token("left", 13)]
    >>> tree = LightTree(tokens, [], [2, 2, 3, 3], ["compound", "compound", "nsubj", "root"])
    >>> tree.gather([1, 2], 1)
    >>> tree.heads, tree.labels[1]
    ([1, 3, 1, 3], 'nsubj')
    """

    tokens: Sequence[Token]
    pairs: Sequence[TagPair]
    heads: list[int]
    labels: list[str]

    def __len__(self) -> int:
        return len(self.tokens)

    def depth(self, place: int) -> int:
        """Count the words between a word and the root."""
        depth = 0
        while self.heads[place] != place:
            place, depth = self.heads[place], depth + 1
        return depth

    def gather(self, places: Sequence[int], top: int) -> None:
        """Make words one group with a head of its own.

        Whatever depended on any of them depends on `top`, which depends on what the highest of
        them depended on; so the tree stays a tree. The others depend on `top`.

        Parameters
        ----------
        places
            The words.
        top
            The one that becomes their head.
        """
        group = set(places)
        highest = min(group, key=self.depth)
        over, label = self.heads[highest], self.labels[highest]
        for place, head in enumerate(self.heads):
            if place in group or head in group:
                self.heads[place] = top
        self.heads[top] = top if over == highest else over
        self.labels[top] = label

    def attach(self, place: int, head: int, label: str) -> None:
        """Let a word depend on another; if that one depends on it so far, they swap."""
        if place == head:
            return
        above = head
        while self.heads[above] != above:
            if above == place:
                break
            above = self.heads[above]
        if above == place:
            over, old = self.heads[place], self.labels[place]
            self.heads[head] = head if over == place else over
            self.labels[head] = old
        self.heads[place], self.labels[place] = head, label

    def children(self, place: int) -> Iterator[int]:
        """Give the words that depend on a word."""
        return (own for own, head in enumerate(self.heads) if head == place != own)

    def span(self, place: int) -> tuple[int, int]:
        """Give the first and the last place of a word and all below it."""
        below: list[list[int]] = [[] for _ in self.heads]
        for own, head in enumerate(self.heads):
            if own != head:
                below[head].append(own)
        found = [place]
        for own in found:
            found += below[own]
        return min(found), max(found)


@dataclass(frozen=True, eq=False)
class TreeModel:
    """What finds heads and relations.

    Parameters
    ----------
    moves
        What features say about moves.
    labels
        What features say about relations.
    names
        The relations by number.
    words
        What the treebanks teach about names and about nouns for people.
    """

    moves: HashedWeights
    labels: HashedWeights
    names: tuple[str, ...]
    words: dict[str, Any]

    def trees(
        self, tokens: Sequence[Sequence[Token]], pairs: Sequence[Sequence[TagPair]]
    ) -> list[LightTree]:
        """Find trees of tagged sentences.

        Parameters
        ----------
        tokens, pairs
            The words of each, and their tags.
        """
        rows = rows_of([[token.text for token in own] for own in tokens], pairs)
        heads = self._heads(rows)
        labels = self._labels(rows, heads)
        found: list[LightTree] = [LightTree([], [], [], [])] * len(tokens)
        for first, size, number in zip(rows.firsts, rows.lengths, rows.order, strict=True):
            own = slice(first, first + size)
            places = (heads[own] - first).tolist()
            inner = [k if head == size else head for k, head in enumerate(places)]
            said = [
                "root" if head == size else self.names[n]
                for head, n in zip(places, labels[own].tolist(), strict=True)
            ]
            found[number] = LightTree(tokens[number], pairs[number], inner, said)
        return found

    def _heads(self, rows: Rows) -> Ints:
        states = States(rows)
        for step in range(2 * int(rows.lengths.max(initial=0))):
            states.narrow(int(np.searchsorted(-2 * rows.lengths, -step)))
            scores = self.moves.score(states.features())
            states.move(np.where(states.legal(), scores, _LEAST).argmax(axis=1))
        return states.heads

    def _labels(self, rows: Rows, heads: Ints) -> Ints:
        found = np.zeros(len(heads), np.int64)
        words, features = label_hashes(rows, heads)
        if len(words):
            found[words] = self.labels.score(features).argmax(axis=1)
        return found


@cache
def load_tree_model() -> TreeModel:
    """Load what comes with the package, once.

    Examples
    --------
    >>> tokens = [Token("Rain", 0), Token("fell", 5)]
    >>> pairs = [TagPair("NN", "NOUN"), TagPair("VBD", "VERB")]
    >>> tree = load_tree_model().trees([tokens], [pairs])[0]
    >>> tree.heads, tree.labels
    ([1, 1], ['nsubj', 'root'])
    """
    _, moves = read_model(_DATA / "tagger-moves.model")
    header, labels = read_model(_DATA / "tagger-labels.model")
    return TreeModel(moves, labels, tuple(header["labels"]), header.get("words", {}))
