"""Heads of words, found from left to right by one of three moves at a time.

The arc-hybrid system of Kuhlmann, Gómez-Rodríguez and Satta (2011): words wait in a row and are
put on a stack; the word on top of the stack gets as its head the next word in the row (``left``)
or the word below it (``right``), and leaves. All sentences of a batch make their moves at once.
"""

from typing import Any, Final

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.text.feature_hashes import Hashes, Templates, hash_numbers
from pyramidion.text.light_rows import Rows

__all__ = ["LEFT", "RIGHT", "SHIFT", "States"]

SHIFT: Final = 0
LEFT: Final = 1
RIGHT: Final = 2

#: Places below the stack that hold nothing.
_BELOW: Final = 3
_FAR, _MANY = 7, 3

#: Words by name: on the stack, in the row, first and last dependants.
_PLACES: Final = ("s0", "s1", "s2", "b0", "b1", "b2", "s0l", "s0r", "s1l", "s1r", "b0l")
_NUMBERS: Final = ("near", "below", "s0left", "s0right", "s1right", "b0left")
_NAMES: Final = (*(f"{own}w" for own in _PLACES), *(f"{own}p" for own in _PLACES), *_NUMBERS)

#: What is seen together; w is the word, p its part of speech.
_FEATURES: Final = """
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
_TEMPLATES: Final = Templates(
    [
        [_NAMES.index(name) for name in own.split()]
        for line in _FEATURES.split("\n")
        for own in line.split(";")
        if own
    ]
)


class States:
    """How far the sentences of a batch are, the longest one first.

    Parameters
    ----------
    rows
        The words.

    Examples
    --------
    >>> from pyramidion.text.light_rows import rows_of
    >>> states = States(rows_of([["Rain", "fell"]], [[("NN", "NOUN"), ("VBD", "VERB")]]))
    >>> for move in (SHIFT, LEFT, SHIFT, LEFT):
    ...     states.move(np.array([move]))
    >>> states.heads.tolist()
    [0, 2, 3, 0]
    """

    def __init__(self, rows: Rows) -> None:
        size, longest = len(rows.lengths), int(rows.lengths.max(initial=0))
        self._rows = rows
        self.stack = np.zeros((size, longest + _BELOW + 1), np.int64)
        self.depth = np.full(size, _BELOW)
        self.front = rows.firsts.copy()
        self.ends = rows.firsts + rows.lengths
        self.heads, self.first, self.last, self.before, self.after = np.zeros(
            (5, len(rows.words)), np.int64
        )

    def top(self, place: int = 0) -> Ints:
        """Give the row of the word on top of each stack, or of one below; 0 for none."""
        found: Ints = self.stack[np.arange(len(self.depth)), self.depth - 1 - place]
        return found

    def narrow(self, there: int) -> None:
        """Go on with only the first sentences: the others are done."""
        self.stack, self.depth = self.stack[:there], self.depth[:there]
        self.front, self.ends = self.front[:there], self.ends[:there]

    def legal(self) -> Bools:
        """Say which of the moves each sentence can make."""
        words_left, size = self.front < self.ends, self.depth - _BELOW
        left = (size > 0) & (words_left | (size == 1))
        return np.stack([words_left, left, size > 1], axis=1)

    def features(self) -> Hashes:
        """Hash what is seen of each sentence."""
        tops = self.top(), self.top(1), self.top(2)
        next_, after = (np.where(self.front + k <= self.ends, self.front + k, 0) for k in (1, 2))
        s0, s1 = tops[:2]
        children = self.first[s0], self.last[s0], self.first[s1], self.last[s1]
        places = np.stack([*tops, self.front, next_, after, *children, self.first[self.front]], 1)
        counts = [
            np.where(s0 > 0, np.minimum(self.front - s0, _FAR), 0),
            np.where(s1 > 0, np.minimum(s0 - s1, _FAR), 0),
            *(np.minimum(own, _MANY) for own in self._children()),
        ]
        numbers = hash_numbers(np.stack(counts, axis=1) + 100)
        seen = [self._rows.words[places], self._rows.tags[places], numbers]
        return _TEMPLATES.hashed(np.concatenate(seen, axis=1))

    def _children(self) -> tuple[Any, ...]:
        s0, s1 = self.top(), self.top(1)
        return self.before[s0], self.after[s0], self.after[s1], self.before[self.front]

    def move(self, moves: Ints) -> None:
        """Make a move in each sentence."""
        tops, below = self.top(), self.top(1)
        shift, left, right = (np.flatnonzero(moves == own) for own in (SHIFT, LEFT, RIGHT))
        self._attach(tops[left], self.front[left], self.first, self.before)
        self._attach(tops[right], below[right], self.last, self.after)
        self.depth[left] -= 1
        self.depth[right] -= 1
        self.stack[shift, self.depth[shift]] = self.front[shift]
        self.depth[shift] += 1
        self.front[shift] += 1

    def _attach(self, words: Ints, heads: Ints, outermost: Ints, count: Ints) -> None:
        self.heads[words] = heads
        outermost[heads] = words
        count[heads] += 1
