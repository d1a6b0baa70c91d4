"""Dependency trees of the light parser."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple, cast

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.text._english import english_file
from pyramidion.text._tagging import (
    HashedWeights,
    Hashes,
    TagPair,
    Templates,
    Token,
    hash_numbers,
    hash_text,
    read_model,
)

_NOTHING_ID, _ROOT_ID = 0, 1
_BE_FORMS: Final = frozenset(
    {"be", "been", "being", "is", "are", "was", "were", "'s", "’s", "'re", "get"}
)
_BIT_BE, _BIT_AND, _BIT_WHO, _BIT_MARK, _BIT_CASE, _BIT_SUBJECT = (1 << bit for bit in range(6))


class Rows(NamedTuple):
    """Rows of words: an empty one, then the words of each sentence and its root."""

    words: Hashes
    tags: Hashes
    dependent_bits: Ints
    first_rows: Ints
    lengths: Ints
    order: Ints


def rows_of(sentences: Sequence[Sequence[str]], pairs: Sequence[Sequence[TagPair]]) -> Rows:
    """Arrange tagged sentences in rows."""
    lengths = np.array([len(sentence) for sentence in sentences], np.int64)
    order = np.argsort(-lengths, kind="stable")
    words, tags, kinds = [_NOTHING_ID], [_NOTHING_ID], [0]
    for number in order.tolist():
        lowercase_words = [word.lower() for word in sentences[number]]
        words += [*map(hash_text, lowercase_words), _ROOT_ID]
        tags += [*(hash_text(f"{fine_tag} {tag}") for fine_tag, tag in pairs[number]), _ROOT_ID]
        kinds += [*map(_dependent_bit, lowercase_words, pairs[number]), 0]
    sizes = lengths[order]
    starts = 1 + np.cumsum(sizes + 1) - sizes - 1
    hash_arrays = np.array(words, np.uint32), np.array(tags, np.uint32)
    return Rows(*hash_arrays, np.array(kinds, np.int64), starts, sizes, order)


def _dependent_bit(word: str, pair: tuple[str, str]) -> int:
    fine_tag, tag = pair
    if tag == "AUX":
        return _BIT_BE if word in _BE_FORMS else 0
    if fine_tag.startswith("W"):
        return _BIT_WHO
    if tag == "CCONJ":
        return _BIT_AND
    if tag == "SCONJ" or fine_tag == "TO":
        return _BIT_MARK
    if fine_tag in {"PRP", "EX"}:
        return _BIT_SUBJECT
    return _BIT_CASE if tag == "ADP" or fine_tag == "POS" else 0


_MAX_HEAD_DISTANCE: Final = 5

#: Names in feature templates: d is the word, h its head, g the head's head; l and r are a word's
#: first and last dependents, b and a its neighbors; m and hm are the kinds of dependents.
_WORD_NAMES: Final = ("d", "h", "g", "dl", "dr", "hl", "hr", "db", "da")
_FEATURE_NAMES: Final = (
    *(f"{word}{kind}" for kind in "wp" for word in _WORD_NAMES),
    "far",
    "m",
    "hm",
)
_FEATURES: Final = """
dw;dp;hp;dw hp;dp hp;far dp hp;dw hw;hw dp;far dw hp;far hw dp;far dw hw;far dp
m dp hp;far m dp hp;hm dp hp;far hm dp hp;far hm m dp hp;m dw;m hw dp;far hm hw dp
dlw dp hp;dlp dp hp;dlw dp;far dlw dp hp;dlw hw dp;drp dp hp;drw dp hp;dlp drp dp hp
gp hp dp;far gp hp dp;hlp hp dp;hrp hp dp;far hlp hrp dp hp;dbp dp hp;dap dp hp;dbp dp dap
dbw dp hp;daw dp hp;far dbp dp hp
"""


def _templates(features: str, names: Sequence[str]) -> Templates:
    """Read feature templates: names separated by spaces."""
    template_names = (
        template.split() for template in features.replace("\n", ";").split(";") if template
    )
    return Templates([[names.index(name) for name in template] for template in template_names])


_TEMPLATES: Final = _templates(_FEATURES, _FEATURE_NAMES)


def label_hashes(rows: Rows, heads: Ints) -> tuple[Ints, Hashes]:
    """Hash the features of each word and its head."""
    words = np.flatnonzero(heads)
    first, last = _outermost_children(words, heads)
    word, parent = words, heads[words]
    grandparent = heads[parent]
    positions = (
        word,
        parent,
        grandparent,
        first[word],
        last[word],
        first[parent],
        last[parent],
        word - 1,
        word + 1,
    )
    child_kinds = np.zeros(len(heads), np.int64)
    np.bitwise_or.at(child_kinds, parent, rows.dependent_bits[words])
    distance = np.clip(word - parent, -_MAX_HEAD_DISTANCE, _MAX_HEAD_DISTANCE) + _MAX_HEAD_DISTANCE
    numbers = hash_numbers(
        np.stack([distance, child_kinds[word], child_kinds[parent]], axis=1) + 200
    )
    indices = np.stack(positions, axis=1)
    hashes = np.concatenate([rows.words[indices], rows.tags[indices], numbers], axis=1)
    return words, _TEMPLATES.hashed(hashes)


def _outermost_children(words: Ints, heads: Ints) -> tuple[Ints, Ints]:
    """Return the first and last dependent of each row; 0 if there is none on that side."""
    first, last = np.zeros_like(heads), np.zeros_like(heads)
    # The last of several values assigned to an index is kept.
    left_words = words[words < heads[words]][::-1]
    right_words = words[words > heads[words]]
    first[heads[left_words]] = left_words
    last[heads[right_words]] = right_words
    return first, last


SHIFT_MOVE: Final = 0
LEFT_MOVE: Final = 1
RIGHT_MOVE: Final = 2

#: Number of empty positions below the stack.
_EMPTY_POSITIONS: Final = 3
_MAX_TRANSITION_DISTANCE, _MAX_COUNTED_CHILDREN = 7, 3

#: Words by name: on the stack, in the buffer, first and last dependents.
_PLACE_NAMES: Final = ("s0", "s1", "s2", "b0", "b1", "b2", "s0l", "s0r", "s1l", "s1r", "b0l")
_NUMBER_NAMES: Final = ("near", "below", "s0left", "s0right", "s1right", "b0left")
_TRANSITION_NAMES: Final = (
    *(f"{word}{kind}" for kind in "wp" for word in _PLACE_NAMES),
    *_NUMBER_NAMES,
)

#: Feature templates; w is the word, p its part of speech.
_TRANSITION_FEATURES: Final = """
s0w;s0p;s0w s0p;b0w;b0p;b0w b0p;b1w;b1p;b2p;s1w;s1p;s1w s1p;s2p;b1w b1p
s0w b0w;s0p b0p;s0w b0p;s0p b0w;s0w s0p b0p;s0p b0w b0p;s0w s0p b0w b0p
s1p s0p;s1w s0w;s1w s0p;s1p s0w;s1w s1p s0p;s1p s0w s0p;b0p b1p;s1p b0p;s1w b0p;s1p b0w
s0p b0p b1p;b0p b1p b2p;s1p s0p b0p;s1p s0w b0p;s1w s0p b0p;s1p s0p b0w;s2p s1p s0p;s1p b0p b1p
s1p s0p b0p b1p;s2p s1p s0p b0p;s0w b0p b1p
s0p s0lp b0p;s0p s0rp b0p;s0p b0lp b0p;s1p s1rp s0p;s1p s0lp s0p;s1p s0rp s0p;s1p s1lp s0p
s0p s0rw b0p;s0p s0lw b0p;s1p s0lw s0p;s1w s0lw;s1p s0lw s0w;s0lw b0w;s1p s0p s0lp b0p
near s0p;near b0p;near s0p b0p;near s0w b0p;near s0p b0w
below s1p s0p;below s0lw s1p;below s1p s0p b0p
s0left s0p;s0right s0p;s0right s0w;s0left s0w;b0left b0p;b0left b0w;s1right s1p;s1right s1w
s0right s0p b0p;s1right s1p s0p;s0left s0p b0p;s1right s1w s0p;s0p s0rp s0lp b0p
"""
_TRANSITION_TEMPLATES: Final = _templates(_TRANSITION_FEATURES, _TRANSITION_NAMES)


class States:
    """The parser states of a batch of sentences, the longest first."""

    def __init__(self, rows: Rows) -> None:
        size, max_length = len(rows.lengths), int(rows.lengths.max(initial=0))
        self._rows = rows
        self.stack = np.zeros((size, max_length + _EMPTY_POSITIONS + 1), np.int64)
        self.depth = np.full(size, _EMPTY_POSITIONS)
        self.front = rows.first_rows.copy()
        self._batch_indices = np.arange(size)
        self.ends = rows.first_rows + rows.lengths
        self.heads, self.first_children, self.last_children, self.n_left, self.n_right = np.zeros(
            (5, len(rows.words)), np.int64
        )

    def top(self, depth: int = 0) -> Ints:
        """Return the row of a word on each stack, counted from the top; 0 for none."""
        rows: Ints = self.stack[self._batch_indices, self.depth - 1 - depth]
        return rows

    def keep_first(self, count: int) -> None:
        """Continue with the first sentences only; the others are done."""
        self.stack, self.depth = self.stack[:count], self.depth[:count]
        self.front, self.ends = self.front[:count], self.ends[:count]
        self._batch_indices = self._batch_indices[:count]

    def legal_moves(self) -> Bools:
        """Return which moves each sentence can make."""
        words_left, size = self.front < self.ends, self.depth - _EMPTY_POSITIONS
        left = (size > 0) & (words_left | (size == 1))
        return np.array([words_left, left, size > 1]).T

    def features(self) -> Hashes:
        """Hash the features of each state."""
        stack = self.top(), self.top(1), self.top(2)
        next_words, second_words = (
            np.where(self.front + k <= self.ends, self.front + k, 0) for k in (1, 2)
        )
        s0, s1 = stack[:2]
        children = (
            self.first_children[s0],
            self.last_children[s0],
            self.first_children[s1],
            self.last_children[s1],
        )
        indices = np.array(
            [
                *stack,
                self.front,
                next_words,
                second_words,
                *children,
                self.first_children[self.front],
            ]
        ).T
        capped_counts = [
            np.where(s0 > 0, np.minimum(self.front - s0, _MAX_TRANSITION_DISTANCE), 0),
            np.where(s1 > 0, np.minimum(s0 - s1, _MAX_TRANSITION_DISTANCE), 0),
            *(np.minimum(number, _MAX_COUNTED_CHILDREN) for number in self._child_counts(s0, s1)),
        ]
        numbers = hash_numbers(np.array(capped_counts).T + 100)
        hashes = [self._rows.words[indices], self._rows.tags[indices], numbers]
        return _TRANSITION_TEMPLATES.hashed(np.concatenate(hashes, axis=1))

    def _child_counts(self, s0: Ints, s1: Ints) -> tuple[Any, ...]:
        return self.n_left[s0], self.n_right[s0], self.n_right[s1], self.n_left[self.front]

    def move(self, moves: Ints) -> None:
        """Make a move in each sentence."""
        top_words, second = self.top(), self.top(1)
        shift, left, right = (
            (moves == move).nonzero()[0] for move in (SHIFT_MOVE, LEFT_MOVE, RIGHT_MOVE)
        )
        self._attach(top_words[left], self.front[left], self.first_children, self.n_left)
        self._attach(top_words[right], second[right], self.last_children, self.n_right)
        self.depth[left] -= 1
        self.depth[right] -= 1
        self.stack[shift, self.depth[shift]] = self.front[shift]
        self.depth[shift] += 1
        self.front[shift] += 1

    def _attach(self, words: Ints, heads: Ints, outermost_words: Ints, count: Ints) -> None:
        self.heads[words] = heads
        outermost_words[heads] = words
        count[heads] += 1


#: A score below all scores of moves.
_IMPOSSIBLE_SCORE = -(1 << 14)


class Heads(list[int]):
    """A list of heads that keeps track of dependents, for constant-time lookup."""

    def __init__(self, heads: Iterable[int]) -> None:
        super().__init__(heads)
        self._dependents: list[set[int]] = []

    @property
    def dependents(self) -> list[set[int]]:
        """The dependents of each word; a root is its own head."""
        if not self._dependents:
            self._dependents = [set() for _ in self]
            for index, head in enumerate(self):
                self._dependents[head].add(index)
        return self._dependents

    def children(self, index: int) -> list[int]:
        """Return the words that depend on a word, in their order."""
        return sorted(self.dependents[index] - {index})

    def __setitem__(self, index: Any, head: Any) -> None:
        if self._dependents:
            self._dependents[self[index]].discard(index)
            self._dependents[head].add(index)
        super().__setitem__(index, head)


@dataclass(eq=False, slots=True)
class DependencyTree:
    """The heads of words (a root is its own head) and labels, which rules can change."""

    heads: list[int]
    labels: list[str]

    def __post_init__(self) -> None:
        self.heads = Heads(self.heads)

    def children(self, index: int) -> list[int]:
        """Return the dependents of a word, in order."""
        return cast("Heads", self.heads).children(index)

    def attach_to_subject(self, name: int) -> None:
        """Attach a name with a preposition to the subject before it."""
        has_case = any(
            child < name and self.labels[child] == "case" for child in self.children(name)
        )
        if not has_case or not self.labels[name].startswith("nsubj"):
            return
        for child in self.children(self.heads[name]):
            if child < name and self.labels[child].startswith("nsubj"):
                self.heads[name], self.labels[name] = child, "nmod"
                return


@dataclass(eq=False, slots=True)
class LightTree(DependencyTree):
    """A tree of the light parser."""

    tokens: Sequence[Token]
    pairs: Sequence[TagPair]
    _verbs: list[int] | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    def depth(self, index: int) -> int:
        """Return the distance of a word from the root."""
        depth = 0
        while self.heads[index] != index:
            index, depth = self.heads[index], depth + 1
        return depth

    def gather(self, indices: Sequence[int], top_word: int) -> None:
        """Make `top_word` the head of a group of words and of all their dependents.

        `top_word` takes over the head of the highest of them, so the tree remains a tree.
        """
        group = set(indices)
        highest_word = min(group, key=self.depth)
        head, label = self.heads[highest_word], self.labels[highest_word]
        for index in group.union(*(self._dependents(member) for member in group)):
            self.heads[index] = top_word
        self.heads[top_word] = top_word if head == highest_word else head
        self.labels[top_word] = label

    def attach(self, index: int, head: int, label: str) -> None:
        """Attach a word to another; if that one is below it, they swap."""
        if index == head:
            return
        ancestor = head
        while self.heads[ancestor] != ancestor:
            if ancestor == index:
                break
            ancestor = self.heads[ancestor]
        if ancestor == index:
            old_head, old_label = self.heads[index], self.labels[index]
            self.heads[head] = head if old_head == index else old_head
            self.labels[head] = old_label
        self.heads[index], self.labels[index] = head, label

    def span(self, index: int) -> tuple[int, int]:
        """Return the first and last index of a subtree."""
        subtree = [index]
        for member in subtree:
            subtree += self._dependents(member) - {member}
        return min(subtree), max(subtree)

    def verb_after(self, index: int) -> int | None:
        """Return the index of the first verb after a word."""
        if self._verbs is None:
            self._verbs = [index for index, pair in enumerate(self.pairs) if pair.tag == "VERB"]
        verb_index = bisect_right(self._verbs, index)
        return self._verbs[verb_index] if verb_index < len(self._verbs) else None

    def _dependents(self, index: int) -> set[int]:
        return cast("Heads", self.heads).dependents[index]


@dataclass(frozen=True, eq=False)
class TreeModel:
    """The model of heads and relations."""

    moves: HashedWeights
    labels: HashedWeights
    names: tuple[str, ...]
    words: dict[str, Any]

    def trees(
        self, tokens: Sequence[Sequence[Token]], pairs: Sequence[Sequence[TagPair]]
    ) -> list[LightTree]:
        """Parse tagged sentences."""
        rows = rows_of([[token.text for token in sentence] for sentence in tokens], pairs)
        heads = self._heads(rows)
        labels = self._labels(rows, heads)
        trees: list[LightTree] = [LightTree([], [], [], [])] * len(tokens)
        for first, size, number in zip(rows.first_rows, rows.lengths, rows.order, strict=True):
            rows_slice = slice(first, first + size)
            relative_heads = (heads[rows_slice] - first).tolist()
            inner_heads = [k if head == size else head for k, head in enumerate(relative_heads)]
            numbered_trees = zip(relative_heads, labels[rows_slice].tolist(), strict=True)
            relations = ["root" if head == size else self.names[n] for head, n in numbered_trees]
            trees[number] = LightTree(inner_heads, relations, tokens[number], pairs[number])
        return trees

    def _heads(self, rows: Rows) -> Ints:
        states = States(rows)
        for step in range(2 * int(rows.lengths.max(initial=0))):
            states.keep_first(int(np.searchsorted(-2 * rows.lengths, -step)))
            scores = self.moves.score(states.features())
            states.move(np.where(states.legal_moves(), scores, _IMPOSSIBLE_SCORE).argmax(axis=1))
        return states.heads

    def _labels(self, rows: Rows, heads: Ints) -> Ints:
        labels = np.zeros(len(heads), np.int64)
        words, features = label_hashes(rows, heads)
        if len(words):
            labels[words] = self.labels.score(features).argmax(axis=1)
        return labels


@cache
def load_tree_model() -> TreeModel:
    """Load the built-in model."""
    _, moves = read_model(english_file("tagger-moves.model", "parsing"))
    header, labels = read_model(english_file("tagger-labels.model", "parsing"))
    return TreeModel(moves, labels, tuple(header["labels"]), header.get("words", {}))
