"""Argument checks shared by the compiled and the Python kernels that compare texts."""

import math
from numbers import Real
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Ints
from pyramidion.errors import InputError
from pyramidion.kernels.summaries import Ids, Summaries

__all__ = [
    "MAX_CELLS", "checked_gap", "checked_overlap", "checked_subsequences", "checked_units",
    "checked_weight", "whole_number",
]  # fmt: skip

MAX_CELLS = 2**32
"""Limit on words of a peer times words of a model, and on skip-bigrams of a text.

Two texts of 65,536 words each can still be compared for longest common subsequences, within a
gigabyte for the compiled kernels; beyond that, a comparison would take too long.
"""

_FAMILIES = ("n", "s", "su", "l", "w")
_INT64 = np.iinfo(np.int64)
_MAX_TOTAL_WORDS = 2**31 - 1


def checked_overlap(
    ids: Any, starts: Any, peers: Any, models: Any, threads: Any
) -> tuple[Ids, Ints, Ints, Ints, int]:
    """Refuse invalid texts and pairs; return contiguous arrays."""
    ids, starts = _divide_ids("ids", ids, "starts", starts)
    (ids,) = _renumber_ids(ids)
    peers, models = _checked_pairs(peers, models, len(starts) - 1)
    return ids, starts, peers, models, whole_number("threads", threads, least=1)


def checked_subsequences(
    summaries: Any, peers: Any, models: Any, threads: Any
) -> tuple[Summaries, Ints, Ints, int]:
    """Check like `checked_overlap`, and refuse pairs too long for common subsequences."""
    if not isinstance(summaries, Summaries):
        raise TypeError(f"summaries must be Summaries, not {type(summaries).__name__}")
    ids, starts = _divide_ids("ids", summaries.ids, "starts", summaries.starts)
    names_and_arrays = "sentence_ids", summaries.sentence_ids, "sentences", summaries.sentences
    sentence_ids, sentences = _divide_ids(*names_and_arrays)
    texts = _array("texts", summaries.texts, np.int64)
    _check_starts("texts", texts, len(sentences) - 1)
    if len(texts) != len(starts):
        raise ValueError(f"{len(starts) - 1} texts are read flat, {len(texts) - 1} as sentences")
    peers, models = _checked_pairs(peers, models, len(texts) - 1)
    _check_comparable(np.diff(sentences[texts]), peers, models)
    ids, sentence_ids = _renumber_ids(ids, sentence_ids)
    checked_summaries = Summaries(ids, starts, sentence_ids, sentences, texts)
    return checked_summaries, peers, models, whole_number("threads", threads, least=1)


def checked_units(units: Any) -> tuple[list[tuple[str, Any]], bool]:
    """Refuse unknown families and duplicates; return the units and whether sentences matter."""
    family_numbers = [(family, number) for family, number in units]
    for family, _ in family_numbers:
        if family not in _FAMILIES:
            raise ValueError(
                f"a family of units must be one of {', '.join(_FAMILIES)}, not {family!r}"
            )
    for family in ("l", "w"):
        if sum(other == family for other, _ in family_numbers) > 1:
            raise ValueError(f"units of the family {family} can be requested only once at a time")
    return family_numbers, any(family in ("l", "w") for family, _ in family_numbers)


def whole_number(name: str, value: Any, *, least: int | None = None) -> int:
    """Refuse values that are not integers or too small; clip those that exceed 64 bits."""
    number = index(value)
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return max(int(_INT64.min), min(int(_INT64.max), number))


def checked_gap(gap: Any, starts: Ints, peers: Ints, models: Ints) -> int:
    """Refuse a gap that yields too many skip-bigrams."""
    max_gap: int = whole_number("gap", gap)
    word_counts = np.diff(starts)
    max_words = max(
        int(word_counts[text_indices].max(initial=0)) for text_indices in (peers, models)
    )
    max_distance = max_words if max_gap < 0 else min(max_gap + 1, max_words)
    if max_words * max_distance - max_distance * (max_distance + 1) // 2 > MAX_CELLS:
        message = f"a text of {max_words:,} words has more than {MAX_CELLS:,} skip-bigrams"
        raise InputError(message, hint="use a smaller gap, or truncate the text")
    return max_gap


def checked_weight(weight: Any, max_words: int) -> float:
    """Refuse a weight that is not positive, or too large for the longest sentence."""
    if not isinstance(weight, Real):
        raise TypeError(f"weight must be a number, not {type(weight).__name__}")
    exponent = float(weight)
    if not (math.isfinite(exponent) and exponent > 0):
        raise ValueError(f"weight must be positive and finite, not {exponent}")
    try:
        _ = float(max_words) ** exponent
    except OverflowError:
        message = f"weight {exponent} is too large for a sentence of {max_words:,} words"
        raise ValueError(message) from None
    return exponent


def _array(name: str, values: Any, dtype: type[np.integer[Any]]) -> npt.NDArray[Any]:
    if not isinstance(values, np.ndarray) or values.dtype != dtype or values.ndim != 1:
        raise TypeError(f"{name} must be a one-dimensional array of {np.dtype(dtype)}")
    return np.ascontiguousarray(values)


def _divide_ids(name: str, ids: Any, name_of_starts: str, starts: Any) -> tuple[Ids, Ints]:
    ids, starts = _array(name, ids, np.int32), _array(name_of_starts, starts, np.int64)
    _check_starts(name_of_starts, starts, len(ids))
    return ids, starts


def _check_starts(name: str, starts: Ints, end: int) -> None:
    if not len(starts):
        raise ValueError(f"{name} must not be empty: its last number is the end")
    if starts[0] < 0 or starts[-1] > end or (starts[1:] < starts[:-1]).any():
        raise ValueError(f"{name} must be ascending, from at least 0 to at most {end}")


def _checked_pairs(peers: Any, models: Any, n_texts: int) -> tuple[Ints, Ints]:
    peers, models = _array("peers", peers, np.int64), _array("models", models, np.int64)
    if len(peers) != len(models):
        raise ValueError(f"there are {len(peers)} peers, but {len(models)} models")
    for name, indices in (("peers", peers), ("models", models)):
        invalid_indices = indices[(indices < 0) | (indices >= n_texts)]
        if len(invalid_indices):
            raise ValueError(
                f"{name} must be from 0 to {n_texts - 1}, but one is {invalid_indices[0]}"
            )
    return peers, models


def _renumber_ids(*ids: Ids) -> tuple[Ids, ...]:
    """Renumber word ids that are negative, or far larger than the number of words.

    The compiled kernels have tables with an entry for each id.
    """
    n_words = sum(map(len, ids))
    if n_words > _MAX_TOTAL_WORDS:
        raise InputError(f"{n_words:,} words are too many at once", hint="score them in parts")
    max_id = max(4 * n_words + 1024, 2**16)
    if all(text_ids.min(initial=0) >= 0 and text_ids.max(initial=0) <= max_id for text_ids in ids):
        return ids
    new_ids = np.unique(np.concatenate(ids), return_inverse=True)[1].astype(np.int32)
    return tuple(np.split(new_ids, np.cumsum([len(text_ids) for text_ids in ids])[:-1]))


def _check_comparable(word_counts: Ints, peers: Ints, models: Ints) -> None:
    # Floats, since the product of two counts may exceed 64 bits.
    cells = word_counts[peers].astype(np.float64) * word_counts[models]
    if cells.max(initial=0) > MAX_CELLS:
        longest_pair = int(cells.argmax())
        raise InputError(
            f"texts of {word_counts[peers[longest_pair]]:,} and "
            f"{word_counts[models[longest_pair]]:,} words are too long for longest common "
            f"subsequences (their product exceeds {MAX_CELLS:,})",
            hint="truncate them, or leave out ROUGE-L and ROUGE-W",
        )
