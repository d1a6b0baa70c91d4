"""Cutting summaries to a length the way ROUGE-1.5.5 does, quirks included.

Sentences are bytes, not yet tokenized: the script cuts first and tokenizes then, models as
well as peers.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["Limit"]

_BLANKS = re.compile(rb"\s+")


@dataclass(frozen=True, slots=True)
class Limit:
    """A length limit.

    Parameters
    ----------
    size
        How many words or bytes are kept.
    unit
        ``words`` between blanks, or ``bytes``.

    Examples
    --------
    >>> Limit(3, "words").flat([b"Rain fell.", b"Roads closed early."])
    [b'Rain fell.', b'Roads']
    """

    size: int
    unit: Literal["words", "bytes"]

    def flat(self, sentences: Sequence[bytes]) -> list[bytes]:
        """Cut a text that is read as one stream of words."""
        if self.unit == "words":
            return self._cut(sentences, lambda sentence: len(_words(sentence)), _first_words)
        return self._cut(sentences, len, lambda sentence, size: sentence[:size])

    def listed(self, sentences: Sequence[bytes]) -> list[bytes]:
        """Cut a text that is read sentence by sentence, for ROUGE-L and ROUGE-W.

        With a limit in bytes the script forgets to add up: every sentence shorter than the
        limit is kept, and the first that is not is cut to it and ends the text.
        """
        if self.unit == "words":
            return self.flat(sentences)
        kept = []
        for sentence in sentences:
            kept.append(sentence[: self.size])
            if len(sentence) >= self.size:
                break
        return kept

    def _cut(
        self,
        sentences: Sequence[bytes],
        length: Callable[[bytes], int],
        first: Callable[[bytes, int], bytes],
    ) -> list[bytes]:
        kept: list[bytes] = []
        room = self.size
        for sentence in sentences:
            if length(sentence) >= room:
                kept.append(first(sentence, room))
                break
            kept.append(sentence)
            room -= length(sentence)
        return kept


def _words(sentence: bytes) -> list[bytes]:
    """Split as Perl does: a blank at the beginning makes an empty first word, which counts."""
    words = _BLANKS.split(sentence)
    while words and not words[-1]:
        words.pop()
    return words


def _first_words(sentence: bytes, size: int) -> bytes:
    return b" ".join(_words(sentence)[:size])
