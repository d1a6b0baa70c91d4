"""Features as numbers: what is seen of words together, hashed for many cases at once."""

from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

__all__ = ["HASHES", "Hashes", "Templates", "hash_numbers", "hash_text"]

Hashes = npt.NDArray[np.uint32]
"""Hashed numbers."""

HASHES: Final = 1 << 20
"""Hashed features are below this number."""

_MIX: Final = np.uint32(0x9E3779B1)
_SPREAD: Final = np.uint32(0x85EBCA6B)
_SALT: Final = 0x27D4EB2F
_HALF: Final = np.uint32(15)
#: Leaves as many bits as `HASHES` has.
_DROPPED: Final = np.uint32(12)


def hash_text(text: str) -> int:
    """Hash a text.

    Examples
    --------
    >>> hash_text("rain") == hash_text("rain") != hash_text("mud")
    True
    """
    return crc32(text.encode("utf-8", "replace"))


def hash_numbers(numbers: Any) -> Hashes:
    """Hash small numbers.

    Examples
    --------
    >>> len(set(hash_numbers(range(50)).tolist()))
    50
    """
    return np.asarray(numbers).astype(np.uint32) * np.uint32(2654435761)


class Templates:
    """Features, each of one or several things that are seen.

    Parameters
    ----------
    templates
        The columns of what is seen that each feature looks at; shorter ones first.

    Examples
    --------
    >>> templates = Templates([(0,), (1,), (0, 1)])
    >>> seen = np.array([[1, 2], [1, 3], [1, 2]], np.uint32)
    >>> hashed = templates.hashed(seen)
    >>> hashed.shape, bool((hashed[0] == hashed[2]).all()), (hashed[0] == hashed[1]).tolist()
    ((3, 3), True, [True, False, False])
    """

    def __init__(self, templates: Sequence[Sequence[int]]) -> None:
        ordered = sorted(templates, key=len)
        salts = [(number + 1) * _SALT & 0xFFFFFFFF for number in range(len(ordered))]
        self._salts = np.array(salts, np.uint32)
        self._columns = [
            np.array([own[place] for own in ordered if len(own) > place], np.int64)
            for place in range(len(ordered[-1]))
        ]

    def hashed(self, seen: Hashes) -> Hashes:
        """Hash features: a row a case, a column a feature; numbers below `HASHES`."""
        mixed: Hashes = seen[:, self._columns[0]] * _MIX + self._salts
        for columns in self._columns[1:]:
            own = mixed[:, -len(columns) :]
            own ^= own >> _HALF
            own += seen[:, columns]
            own *= _SPREAD
        mixed ^= mixed >> _HALF
        mixed *= _SPREAD
        mixed >>= _DROPPED
        return mixed
