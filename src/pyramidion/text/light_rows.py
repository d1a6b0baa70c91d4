"""Tagged words of many sentences in one row of numbers, for the light parser."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from pyramidion._types import Ints
from pyramidion.text.feature_hashes import Hashes, hash_text
from pyramidion.text.tagging import TagPair

__all__ = ["Rows", "rows_of"]

_NOTHING, _ROOT = 0, 1
_BE: Final = frozenset(
    {"be", "been", "being", "is", "are", "was", "were", "'s", "’s", "'re", "get"}
)
_BIT_BE, _BIT_AND, _BIT_WHO, _BIT_MARK, _BIT_CASE, _BIT_SUBJECT = (1 << bit for bit in range(6))


class Rows(NamedTuple):
    """Words of sentences in rows: nothing, then each sentence's words and its root.

    Parameters
    ----------
    words, tags
        Hashed.
    kinds
        Bits for words that tell something about the one they depend on: *was*, *and*, *who*.
    firsts, lengths
        The row of each sentence's first word, and how many words it has; the longest first.
    order
        Which sentence each is.
    """

    words: Hashes
    tags: Hashes
    kinds: Ints
    firsts: Ints
    lengths: Ints
    order: Ints


def rows_of(sentences: Sequence[Sequence[str]], pairs: Sequence[Sequence[TagPair]]) -> Rows:
    """Put tagged sentences in rows.

    Parameters
    ----------
    sentences, pairs
        The words of each, and their tags.

    Examples
    --------
    >>> rows = rows_of([["Go"], ["Rain", "fell"]], [[TagPair("VB", "VERB")], [("NN", "NOUN")] * 2])
    >>> rows.firsts.tolist(), rows.lengths.tolist(), rows.order.tolist(), len(rows.words)
    ([1, 4], [2, 1], [1, 0], 6)
    """
    lengths = np.array([len(own) for own in sentences], np.int64)
    order = np.argsort(-lengths, kind="stable")
    words, tags, kinds = [_NOTHING], [_NOTHING], [0]
    for number in order.tolist():
        lower = [word.lower() for word in sentences[number]]
        words += [*map(hash_text, lower), _ROOT]
        tags += [*(hash_text(f"{fine} {tag}") for fine, tag in pairs[number]), _ROOT]
        kinds += [*(_kind(*own) for own in zip(lower, pairs[number], strict=True)), 0]
    sizes = lengths[order]
    firsts = 1 + np.cumsum(sizes + 1) - sizes - 1
    hashed = np.array(words, np.uint32), np.array(tags, np.uint32)
    return Rows(*hashed, np.array(kinds, np.int64), firsts, sizes, order)


def _kind(word: str, pair: tuple[str, str]) -> int:
    fine, tag = pair
    if tag == "AUX":
        return _BIT_BE if word in _BE else 0
    if fine.startswith("W"):
        return _BIT_WHO
    if tag == "CCONJ":
        return _BIT_AND
    if tag == "SCONJ" or fine == "TO":
        return _BIT_MARK
    if fine in {"PRP", "EX"}:
        return _BIT_SUBJECT
    return _BIT_CASE if tag == "ADP" or fine == "POS" else 0
