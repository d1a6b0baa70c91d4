"""What is seen of a word and its head, to tell how the one depends on the other."""

from typing import Final

import numpy as np

from pyramidion._types import Ints
from pyramidion.text.feature_hashes import Hashes, Templates, hash_numbers
from pyramidion.text.light_rows import Rows

__all__ = ["label_hashes"]

_FAR: Final = 5

#: d is the word, h its head, g the head's head; l and r are a word's first and last dependants,
#: b and a what stands before and after it; m and hm say of what kinds dependants are.
_WORDS: Final = ("d", "h", "g", "dl", "dr", "hl", "hr", "db", "da")
_NAMES: Final = (*(f"{own}w" for own in _WORDS), *(f"{own}p" for own in _WORDS), "far", "m", "hm")
_FEATURES: Final = """
dw;dp;hp;dw hp;dp hp;far dp hp;dw hw;hw dp;far dw hp;far hw dp;far dw hw;far dp
m dp hp;far m dp hp;hm dp hp;far hm dp hp;far hm m dp hp;m dw;m hw dp;far hm hw dp
dlw dp hp;dlp dp hp;dlw dp;far dlw dp hp;dlw hw dp;drp dp hp;drw dp hp;dlp drp dp hp
gp hp dp;far gp hp dp;hlp hp dp;hrp hp dp;far hlp hrp dp hp;dbp dp hp;dap dp hp;dbp dp dap
dbw dp hp;daw dp hp;far dbp dp hp
"""
_TEMPLATES: Final = Templates(
    [
        [_NAMES.index(name) for name in own.split()]
        for line in _FEATURES.split("\n")
        for own in line.split(";")
        if own
    ]
)


def label_hashes(rows: Rows, heads: Ints) -> tuple[Ints, Hashes]:
    """Hash what is seen of each word and its head.

    Parameters
    ----------
    rows, heads
        The words, and the row of each one's head.

    Returns
    -------
    tuple
        The rows of words, and what is seen of each.
    """
    words = np.flatnonzero(heads)
    first, last = _children(words, heads)
    own, up = words, heads[words]
    over = heads[up]
    near = (own, up, over, first[own], last[own], first[up], last[up], own - 1, own + 1)
    has = np.zeros(len(heads), np.int64)
    np.bitwise_or.at(has, up, rows.kinds[words])
    far = np.clip(own - up, -_FAR, _FAR) + _FAR
    numbers = hash_numbers(np.stack([far, has[own], has[up]], axis=1) + 200)
    places = np.stack(near, axis=1)
    seen = np.concatenate([rows.words[places], rows.tags[places], numbers], axis=1)
    return words, _TEMPLATES.hashed(seen)


def _children(words: Ints, heads: Ints) -> tuple[Ints, Ints]:
    """Give the first and the last dependant of each row, 0 where there is none on that side."""
    first, last = np.zeros_like(heads), np.zeros_like(heads)
    # Of several values for one place the last one stays.
    before = words[words < heads[words]][::-1]
    after = words[words > heads[words]]
    first[heads[before]] = before
    last[heads[after]] = after
    return first, last
