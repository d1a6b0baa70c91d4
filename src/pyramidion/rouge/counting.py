"""Counting the units of ROUGE variants, and scores computed from counts."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import floor
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pyramidion import kernels
from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.rouge._perl_numbers import real_power

Family = Literal["n", "l", "w", "s", "su", "be"]

#: Modes of basic elements: which parts (head, modifier, relation) count; see `_basic_elements`.
BE_MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")

#: Gap of skip-bigrams without a limit.
UNLIMITED = -1


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant of ROUGE.

    Parameters
    ----------
    family
        ``n``: n-grams; ``l``: longest common subsequences; ``w``: weighted ones; ``s``:
        skip-bigrams; ``su``: skip-bigrams and single words; ``be``: basic elements.
    parameter
        The n of n-grams, the weight of ``w``, the gap of skip-bigrams (negative: no limit), the
        mode of basic elements; a string, so that it prints as typed.

    Examples
    --------
    >>> Variant("su", "4").measure, Variant("su", "4").perl_name
    ('rouge-su4', 'ROUGE-SU4')
    >>> Variant("w", "1.2").measure
    'rouge-w-1.2'
    """

    family: Family
    parameter: str = ""

    @property
    def number(self) -> float:
        """The parameter as a number."""
        return float(self.parameter)

    @property
    def measure(self) -> str:
        """The name of the measure, without the suffix for recall, precision or F."""
        return self.perl_name.lower()

    @property
    def perl_name(self) -> str:
        """The name in ROUGE-1.5.5's output."""
        family = self.family.upper()
        match self.family:
            case "n":
                return f"ROUGE-{self.parameter}"
            case "l":
                return "ROUGE-L"
            case "s" | "su":
                return f"ROUGE-{family}{'*' if self.number < 0 else self.parameter}"
            case "w" | "be":
                return f"ROUGE-{family}-{self.parameter}"


_NAME_PATTERN = re.compile(
    r"(?:rouge-?)?(?:(?P<n>[1-9]\d*)|(?P<l>l)|w-?(?P<w>\d*\.?\d+)|(?P<s>su?)(?P<gap>\d+|\*)"
    r"|be-(?P<be>[a-z]+\d?))",
    re.IGNORECASE | re.ASCII,
)


def weight_text(weight: float) -> str:
    """Format a weight without an exponent, so that it reads back as the same number."""
    return np.format_float_positional(weight, trim="-")


def parse_variant(name: str) -> Variant:
    """Parse the name of a variant, with or without the prefix ``rouge-``.

    Numbers are normalized: ``rouge-w-1.20`` is ``rouge-w-1.2``.

    Examples
    --------
    >>> parse_variant("rouge-2"), parse_variant("su4")
    (Variant(family='n', parameter='2'), Variant(family='su', parameter='4'))
    """
    match = _NAME_PATTERN.fullmatch(name.strip())
    if match is None:
        hint = "try rouge-2, rouge-l, rouge-w-1.2 or rouge-su4"
        raise InputError(f"{name!r} is not a variant of ROUGE", hint)
    if match["n"]:
        return Variant("n", match["n"])
    if match["l"]:
        return Variant("l")
    if match["w"]:
        return Variant("w", weight_text(float(match["w"])))
    if match["be"]:
        mode = match["be"].upper()
        if mode in BE_MODES:
            return Variant("be", mode)
        hint = f"try {', '.join(BE_MODES)}"
        raise InputError(f"{mode!r} is not a mode of basic elements", hint=hint)
    gap = str(UNLIMITED if match["gap"] == "*" else int(match["gap"]))
    return Variant("su" if len(match["s"]) == 2 else "s", gap)


@dataclass(frozen=True, slots=True)
class RougeReading:
    """Texts encoded as word ids, both flat and sentence by sentence.

    The fields are those of `kernels.Summaries`.
    """

    summaries: kernels.Summaries

    @classmethod
    def of(cls, ids: npt.NDArray[np.int32], sentences: Ints, texts: Ints) -> "RougeReading":
        """Wrap texts whose words are the same flat and sentence by sentence."""
        return cls(kernels.Summaries(ids, sentences[texts], ids, sentences, texts))

    @property
    def as_one_sentence(self) -> "RougeReading":
        """The same texts, each as one sentence."""
        ids, starts = self.summaries.ids, self.summaries.starts
        return RougeReading(kernels.Summaries(ids, starts, ids, starts, np.arange(len(starts))))

    @property
    def reads_alike(self) -> bool:
        """Whether the words are the same flat and sentence by sentence."""
        return self.summaries.ids is self.summaries.sentence_ids

    @property
    def flat_lengths(self) -> Ints:
        """The number of words of each text, ignoring sentences."""
        return _differences(self.summaries.starts)

    @property
    def listed_lengths(self) -> Ints:
        """The number of words in the sentences of each text."""
        return _differences(self.summaries.sentences[self.summaries.texts])

    def weighted_lengths(self, weight: float) -> Floats:
        """Sum the lengths of each text's sentences, each raised to a power."""
        powers = powers_of_lengths(_differences(self.summaries.sentences), weight)
        bounds = self.summaries.texts
        # Sum in order of sentences, as the script does: the last bit depends on it.
        text_of_sentence = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        return sums(text_of_sentence, powers, len(bounds) - 1)


@dataclass(frozen=True, slots=True)
class Pairs:
    """The comparisons: pairs of a peer and one of its models, and the item of each pair."""

    peers: Ints
    models: Ints
    items: Ints
    size: int | None = None

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, int]], *, size: int | None = None) -> "Pairs":
        """Make pairs from rows of a peer, a model and an item."""
        table = np.array(list(rows), dtype=np.int64).reshape(-1, 3)
        peers, models, items = np.ascontiguousarray(table.T)
        return cls(peers, models, items, size)

    @property
    def n_items(self) -> int:
        """The number of items."""
        if self.size is not None:
            return self.size
        return int(self.items[-1]) + 1 if len(self.items) else 0


@dataclass(frozen=True, slots=True)
class Counts:
    """Units per pair: in the model, in the peer, and shared."""

    model: Floats
    peer: Floats
    hits: Floats
    weight: float = 1.0

    def __getitem__(self, rows: Any) -> "Counts":
        """Select some pairs."""
        return Counts(self.model[rows], self.peer[rows], self.hits[rows], self.weight)

    @classmethod
    def joined(cls, parts: "Sequence[Counts]") -> "Counts":
        """Concatenate the pairs of several counts."""
        columns = zip(*(counts.parts for counts in parts), strict=True)
        model, peer, hits = map(np.concatenate, columns)
        return cls(model, peer, hits, parts[0].weight)

    @property
    def parts(self) -> tuple[Floats, Floats, Floats]:
        """The three columns."""
        return self.model, self.peer, self.hits


class CountTable(Mapping[Any, Counts]):
    """The counts of several variants in one array, ``cells[variant, part, pair]``."""

    __slots__ = ("cells", "names", "weights")

    def __init__(self, names: tuple[Any, ...], cells: Floats, weights: Sequence[float]) -> None:
        self.names, self.cells, self.weights = names, cells, weights

    @classmethod
    def of(cls, counts: Mapping[Any, Counts]) -> "CountTable":
        """Make a table from separate counts."""
        if isinstance(counts, cls):
            return counts
        cells = np.array([count.parts for count in counts.values()])
        return cls(tuple(counts), cells, [count.weight for count in counts.values()])

    def __getitem__(self, name: Any) -> Counts:
        if name not in self.names:
            raise KeyError(name)
        row = self.names.index(name)
        model, peer, hits = self.cells[row]
        return Counts(model, peer, hits, self.weights[row])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def count_all(
    reading: RougeReading, pairs: Pairs, variants: Sequence[Variant], *, threads: int = 1
) -> dict[Variant, Counts]:
    """Count the units of several variants at once."""
    word_counts = reading.flat_lengths
    lengths = (
        word_counts[pairs.models].astype(np.float64),
        word_counts[pairs.peers].astype(np.float64),
    )
    units = [(variant.family, _reduce_number(variant, word_counts)) for variant in variants]
    # Too large a weight is reported here, before the kernels are called.
    totals = [_count_totals(reading, lengths, pairs, *unit) for unit in units]
    unit_counts = kernels.shared_units(reading.summaries, pairs.peers, pairs.models, units, threads)
    weights = [number if family == "w" else 1.0 for family, number in units]
    rows = zip(variants, totals, unit_counts, weights, strict=True)
    return {
        variant: Counts(*totals, hits.astype(np.float64), weight)
        for variant, totals, hits, weight in rows
    }


@lru_cache(maxsize=256)
def kernel_units(variants: tuple[Variant, ...]) -> list[tuple[str, float]]:
    """Translate variants for the kernels; numbers beyond any text length are reduced."""
    max_units = np.array([2**31 - 2])
    return [(variant.family, _reduce_number(variant, max_units)) for variant in variants]


def _reduce_number(variant: Variant, word_counts: Ints) -> float:
    """Return an n, a gap or a weight, reduced if it exceeds the length of any text."""
    if variant.family == "be":
        raise ValueError(f"{variant} is not counted on words")
    number = variant.number if variant.family != "l" else 0
    if variant.family == "w":
        return number
    return (
        floor(number) if number < 100 else min(floor(number), int(word_counts.max(initial=0)) + 1)
    )


def _count_totals(
    reading: RougeReading,
    lengths: tuple[Floats, Floats],
    pairs: Pairs,
    family: Family,
    number: float,
) -> tuple[Floats, Floats]:
    """Return the number of units in each pair's model and peer."""
    model_lengths, peer_lengths = lengths
    match family:
        case "n":
            return np.maximum(model_lengths - (number - 1), 0), np.maximum(
                peer_lengths - (number - 1), 0
            )
        case "s" | "su":
            gap, adds_unigrams = int(number), family == "su"
            return _count_skip_units(model_lengths, gap, adds_unigrams), _count_skip_units(
                peer_lengths, gap, adds_unigrams
            )
        case "w":
            weights = reading.weighted_lengths(number)
            return weights[pairs.models], weights[pairs.peers]
    if not reading.reads_alike:
        model_lengths = reading.listed_lengths[pairs.models].astype(np.float64)
    return model_lengths, peer_lengths


def powers_of_lengths(lengths: Ints, weight: float) -> Floats:
    """Raise lengths to a power."""
    distinct_lengths, inverse = np.unique(lengths, return_inverse=True)
    powers = np.array([real_power(float(length), weight) for length in distinct_lengths.tolist()])[
        inverse
    ]
    if np.isinf(powers).any():
        message = f"{distinct_lengths[-1]:g} to the power of {weight:g} is too large"
        raise InputError(message, hint="give ROUGE-W a smaller weight")
    return powers


def sums(groups: Ints, values: Floats, size: int) -> Floats:
    """Sum the values of each group in order."""
    # NumPy's type stubs promise integers even if there are weights.
    return np.asarray(np.bincount(groups, weights=values, minlength=size), dtype=np.float64)


def ordered_sums(groups: Ints, values: Floats, size: int) -> Floats:
    """Sum the values of each group in ascending order, so that the result is order-independent."""
    order = np.lexsort((values, groups))
    return sums(groups[order], values[order], size)


def group_means(groups: Ints, values: Floats, size: int) -> Floats:
    """Average the values of each owner, independently of their order."""
    means: Floats = ordered_sums(groups, values, size) / np.bincount(groups, minlength=size)
    return means


def _differences(bounds: Ints) -> Ints:
    lengths: Ints = bounds[1:] - bounds[:-1]
    return lengths


def _count_skip_units(lengths: Floats, gap: int, adds_unigrams: bool) -> Floats:
    """Count pairs at most `gap` words apart, and the single words but the last."""
    max_distance = np.maximum(lengths - 1, 0)
    if gap >= 0:
        # Each word pairs with the next gap + 1 words; the last words have fewer.
        max_reach = np.minimum(max_distance, gap + 1)
        pairs = max_reach * (max_reach + 1) // 2 + (max_distance - max_reach) * (gap + 1)
    else:
        pairs = max_distance * (max_distance + 1) // 2
    units: Floats = pairs + max_distance if adds_unigrams else pairs
    return units


ModelRule = Literal["average", "best", "best-r", "best-f", "mean", "jackknife"]


class ItemScores(NamedTuple):
    """Recall, precision and F of each item."""

    recall: Floats
    precision: Floats
    f: Floats


def item_counts(
    counts: Counts,
    pairs: Pairs,
    rule: ModelRule = "average",
    *,
    recall: Floats | None = None,
    sum_groups: Callable[[Ints, Floats, int], Floats] | None = None,
) -> Counts:
    """Combine an item's counts over its models."""
    if sum_groups is None:
        sum_groups = sums if counts.weight == 1.0 else ordered_sums
    if rule == "average":
        parts = [sum_groups(pairs.items, part, pairs.n_items) for part in counts.parts]
    else:
        if recall is None:
            recall = ratios(counts.hits, counts.model, counts.weight)
        # A stable sort by item and descending recall puts each item's best model first.
        best_first = np.lexsort((-recall, pairs.items))
        best_rows = best_first[np.flatnonzero(np.diff(pairs.items[best_first], prepend=-1))]
        items = pairs.items[best_rows]
        parts = [sum_groups(items, part[best_rows], pairs.n_items) for part in counts.parts]
    return Counts(parts[0], parts[1], parts[2], counts.weight)


def all_item_counts(counts: Mapping[Variant, Counts], pairs: Pairs) -> CountTable:
    """Sum the counts of each item's models for all variants at once, keyed by measure."""
    table, size = CountTable.of(counts), pairs.n_items
    rows = 3 * len(table)
    groups = (np.arange(0, rows * size, max(size, 1))[:, None] + pairs.items).ravel()
    cells = sums(groups, table.cells.ravel(), rows * size).reshape(len(table), 3, size)
    for item_cells, pair_cells, weight in zip(cells, table.cells, table.weights, strict=True):
        if weight != 1.0:
            item_cells[:] = [ordered_sums(pairs.items, part, size) for part in pair_cells]
    return CountTable(_measures_of(table.names), cells, table.weights)


@lru_cache(maxsize=256)
def _measures_of(variants: tuple[Variant, ...]) -> tuple[str, ...]:
    return tuple(variant.measure for variant in variants)


def ratios(hits: Floats, units: Floats, weight: float = 1.0) -> Floats:
    """Divide hits by units (0 if there are none), and take ROUGE-W's root."""
    shares = np.zeros(len(hits))
    np.divide(hits, units, out=shares, where=units > 0)
    return shares if weight == 1.0 else _take_root(shares, weight)


def _take_root(shares: Floats, weight: float) -> Floats:
    return np.array([real_power(share, 1 / weight) for share in shares.tolist()])


def f_measure(recall: Floats, precision: Floats, alpha: float = 0.5) -> Floats:
    """Combine recall and precision; alpha near 1 favors precision."""
    denominator = (1 - alpha) * precision + alpha * recall
    f = np.zeros(denominator.shape)
    np.divide(precision * recall, denominator, out=f, where=denominator != 0)
    return f


def score_all(statistics: Mapping[Any, Counts], *, alpha: float = 0.5) -> Floats:
    """Return recall, precision and F of items for each variant.

    A run in a model's sentence may combine several sentences of the peer and then weigh more than
    they do, so ROUGE-W's precision is capped at 1.
    """
    table = CountTable.of(statistics)
    units, hits = table.cells[:, :2], table.cells[:, 2:]
    scores = np.zeros(table.cells.shape)
    shares = scores[:, :2]
    np.divide(hits, units, out=shares, where=units > 0)
    for share, weight in zip(shares, table.weights, strict=True):
        if weight != 1.0:
            share[:] = _take_root(share.ravel(), weight).reshape(share.shape)
    recall, precision = shares[:, 0], shares[:, 1]
    np.minimum(precision, 1.0, out=precision)
    scores[:, 2] = f_measure(recall, precision, alpha)
    return scores


def score_counts(counts: Counts, *, alpha: float = 0.5) -> ItemScores:
    """Score items from their counts."""
    recall = ratios(counts.hits, counts.model, counts.weight)
    precision = np.minimum(ratios(counts.hits, counts.peer, counts.weight), 1.0)
    return ItemScores(recall, precision, f_measure(recall, precision, alpha))
