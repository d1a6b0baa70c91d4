"""From texts to counts: how much of each model a peer holds.

The counts are sufficient: recall, precision and F, averages over models, jackknifing and
resampling all follow from them, and nothing is tokenized again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion import kernels
from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.rouge.variants import Variant

__all__ = ["Counts", "Pairs", "Reading", "count", "power", "powers_of", "sums"]


@dataclass(frozen=True, slots=True)
class Reading:
    """Texts as numbers of words, read flat and sentence by sentence.

    The fields are those of `kernels.Summaries`.

    Examples
    --------
    >>> vocabulary = kernels.Vocabulary(kernels.Lexicon({}, []))
    >>> Reading.of(*vocabulary.encode(["Rain fell.", "It rained."])).flat_lengths.tolist()
    [2, 2]
    """

    summaries: kernels.Summaries

    @classmethod
    def of(cls, ids: npt.NDArray[np.int32], sentences: Ints, texts: Ints) -> "Reading":
        """Read texts that are the same flat and sentence by sentence."""
        return cls(kernels.Summaries(ids, sentences[texts], ids, sentences, texts))

    @property
    def flat_lengths(self) -> Ints:
        """The number of words of each text, read flat."""
        return _differences(self.summaries.starts)

    @property
    def listed_lengths(self) -> Ints:
        """The number of words of each text, read sentence by sentence."""
        return _differences(self.summaries.sentences[self.summaries.texts])

    def weighted_lengths(self, weight: float) -> Floats:
        """Add up the sentences' lengths of each text, each raised to a power."""
        powers = powers_of(_differences(self.summaries.sentences), weight)
        bounds = self.summaries.texts
        # One sentence after the other, as the script adds them: the last bit depends on it.
        owner = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        return sums(owner, powers, len(bounds) - 1)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Which texts are compared: pair by pair, a peer, one of its models, and the item.

    Parameters
    ----------
    peers, models
        Numbers of texts.
    items
        The item (a peer with all its models) each pair belongs to, ascending.
    size
        How many items there are, where some may have no pair.

    Examples
    --------
    >>> Pairs(np.array([0, 0]), np.array([1, 2]), np.array([0, 0])).number_of_items
    1
    """

    peers: Ints
    models: Ints
    items: Ints
    size: int | None = None

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, int]], *, size: int | None = None) -> "Pairs":
        """Make pairs of rows, each a peer, a model and an item."""
        columns = np.array(list(rows), dtype=np.int64).reshape(-1, 3).T
        return cls(columns[0], columns[1], columns[2], size)

    @property
    def number_of_items(self) -> int:
        """How many items there are."""
        if self.size is not None:
            return self.size
        return int(self.items[-1]) + 1 if len(self.items) else 0


@dataclass(frozen=True, slots=True)
class Counts:
    """For each pair: the units in the model, in the peer, and those they share.

    Parameters
    ----------
    model, peer, hits
        One number a pair; for ROUGE-W weights, for all others whole numbers.
    weight
        ROUGE-W's exponent: shares of weights become scores by its root; 1 for all others.

    Examples
    --------
    >>> Counts(np.array([4.0]), np.array([5.0]), np.array([2.0])).hits.tolist()
    [2.0]
    """

    model: Floats
    peer: Floats
    hits: Floats
    weight: float = 1.0

    def __getitem__(self, rows: Any) -> "Counts":
        """Take some pairs."""
        return Counts(self.model[rows], self.peer[rows], self.hits[rows], self.weight)

    @property
    def parts(self) -> tuple[Floats, Floats, Floats]:
        """The three columns."""
        return self.model, self.peer, self.hits


def count(reading: Reading, pairs: Pairs, variant: Variant, *, threads: int = 1) -> Counts:
    """Count the units of a variant.

    Parameters
    ----------
    reading
        The texts.
    pairs
        Which of them are compared.
    variant
        What is counted; basic elements come from `basic_elements`.
    threads
        How many threads the compiled kernels use; the counts do not depend on it.

    Examples
    --------
    >>> vocabulary = kernels.Vocabulary(kernels.Lexicon({}, []))
    >>> reading = Reading.of(*vocabulary.encode(["rain fell today", "today rain fell"]))
    >>> pairs = Pairs(np.array([0]), np.array([1]), np.array([0]))
    >>> counts = count(reading, pairs, Variant("n", "2"))
    >>> counts.model.tolist(), counts.peer.tolist(), counts.hits.tolist()
    ([2.0], [2.0], [1.0])
    """
    texts, peers, models = reading.summaries, pairs.peers, pairs.models
    match variant.family:
        case "n":
            n = _within(reading, int(variant.number))
            hits = kernels.ngram_hits(texts.ids, texts.starts, peers, models, n, threads)
            units = np.maximum(reading.flat_lengths - n + 1, 0)
            return _counts(units[models], units[peers], hits)
        case "s" | "su":
            gap, single = _within(reading, floor(variant.number)), variant.family == "su"
            hits = kernels.skip_hits(texts.ids, texts.starts, peers, models, gap, single, threads)
            units = _skip_units(reading.flat_lengths, gap, single)
            return _counts(units[models], units[peers], hits)
        case "l":
            hits = kernels.lcs_hits(texts, peers, models, threads)
            return _counts(reading.listed_lengths[models], reading.flat_lengths[peers], hits)
        case "w":
            weight = variant.number
            lengths = reading.weighted_lengths(weight)
            shared = kernels.weighted_lcs_hits(texts, peers, models, weight, threads)
            return Counts(lengths[models], lengths[peers], shared, weight)
    raise ValueError(f"{variant} is not counted on words")


def _within(reading: Reading, number: int) -> int:
    """Bring down an n or a gap that no text is long enough for."""
    return min(number, int(reading.flat_lengths.max(initial=0)) + 1)


def power(base: float, weight: float) -> float:
    """Raise a number to a power with the C library's `pow`; NumPy's own differs in the last bit.

    Examples
    --------
    >>> power(4.0, 0.5)
    2.0
    """
    try:
        raised: float = base**weight
    except OverflowError:
        raise InputError(
            f"{base:g} to the power of {weight:g} is too large a number",
            hint="give ROUGE-W a smaller weight",
        ) from None
    return raised


def powers_of(lengths: Ints, weight: float) -> Floats:
    """Raise lengths to a power, see `power`.

    Examples
    --------
    >>> powers_of(np.array([0, 1, 4]), 0.5).tolist()
    [0.0, 1.0, 2.0]
    """
    different, places = np.unique(lengths, return_inverse=True)
    return np.array([power(float(length), weight) for length in different.tolist()])[places]


def sums(groups: Ints, values: Floats, size: int) -> Floats:
    """Add up the values of each group, one after the other.

    Examples
    --------
    >>> sums(np.array([0, 1, 1]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [1.0, 5.0, 0.0]
    """
    # NumPy's types promise whole numbers even where there are weights.
    return np.asarray(np.bincount(groups, weights=values, minlength=size), dtype=np.float64)


def _counts(model: Ints, peer: Ints, hits: Ints) -> Counts:
    return Counts(model.astype(np.float64), peer.astype(np.float64), hits.astype(np.float64))


def _differences(bounds: Ints) -> Ints:
    lengths: Ints = bounds[1:] - bounds[:-1]
    return lengths


def _skip_units(lengths: Ints, gap: int, single: bool) -> Ints:
    """Count pairs at most `gap` words apart, and the single words but the last."""
    reach = np.maximum(lengths - 1, 0)
    if gap >= 0:
        # The first words reach gap + 1 partners each, the last ones fewer.
        near = np.minimum(reach, gap + 1)
        pairs = near * (near + 1) // 2 + (reach - near) * (gap + 1)
    else:
        pairs = reach * (reach + 1) // 2
    units: Ints = pairs + reach if single else pairs
    return units
