"""Methods that cover as many concepts as possible: `coverage`, `occams` and `oracle`."""

import os
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection.ids import grouped
from pyramidion.questions import option
from pyramidion.summarizers._enumeration import Enumeration
from pyramidion.summarizers._selection import Choice, Limit, Terms, choose_greedily
from pyramidion.summarizers._source import Source, Wording
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text.languages import stop_list

#: Weight of a position in a document, as a share of the previous position's.
_POSITION_DECAY = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class NGrams:
    """The n-grams of an input, with stop words, within sentences.

    `spread` is the number of documents that have one, and `share` the share of its weight that is
    left if the reader knows it. `fresh` sums, over documents, the novelty of the newest sentence
    that has it; `early` is the same, halved with each position: 1, 1/2, 1/4 and so on. `in_query`
    counts its words that the query has.
    """

    table: Any
    spread: Floats
    share: Floats
    fresh: Floats
    early: Floats
    references: Floats
    content: Ints
    in_query: Ints
    wording: Wording
    words: Ints
    rows: Ints
    numbers: Ints

    def label(self, number: int) -> str:
        """Return the words of an n-gram."""
        return " ".join(self.wording.words[word] for word in self.words[number])

    def counts_in(self, sentences: Sequence[int]) -> Ints:
        """Count each n-gram in some sentences."""
        if not sentences:
            return np.zeros(len(self.words), dtype=np.int64)
        return np.asarray(self.table[list(sentences)].sum(axis=0)).ravel().astype(np.int64)

    def beginning(self, shares: Floats) -> Any:
        """Return the table of the beginnings of sentences; `shares` are the parts to include."""
        sizes = np.bincount(self.rows, minlength=len(shares))
        in_beginning = _index_in_group(sizes) < (sizes * shares)[self.rows]
        return _count_table(self.rows[in_beginning], self.numbers[in_beginning], self.table.shape)

    def gains(self, weights: Floats, number: int, taken: Sequence[int]) -> Floats:
        """Return what each n-gram of a sentence adds to the chosen sentences; see `best_cover`."""
        return _Gains(self.table, weights, taken).by_unit(number)

    def heaviest(self, weights: Floats, limit: int | None = None) -> Terms:
        """List the n-grams with positive weights, heaviest first."""
        order = np.argsort(-weights, kind="stable")[: np.count_nonzero(weights > 0)]
        return tuple(
            (self.label(number), float(weights[number])) for number in order[:limit].tolist()
        )


def ngrams_of(
    source: Source, n: int, *, references: bool = False, earlier_weight: float = 1.0
) -> NGrams:
    """Count the n-grams of an input; `earlier_weight` is the weight of known texts."""
    key = ("n-grams", n, references, earlier_weight)
    return source.memo(key, lambda: _count_ngrams(source, n, references, earlier_weight))


def _count_ngrams(source: Source, n: int, references: bool, earlier_weight: float) -> NGrams:
    reading = replace(source.reading, stop_words=False)
    wording = source.read(reading, references=references)
    encoded_texts = wording.encoded
    # The sentence of each n-gram, and the position of its first word.
    sizes = np.maximum(np.diff(encoded_texts.sentences) - n + 1, 0)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    starts = encoded_texts.sentences[:-1][rows] + _index_in_group(sizes)
    numbers, words = _number_ngrams(
        encoded_texts.ids.astype(np.int64), starts, n, len(wording.words)
    )
    texts = np.repeat(np.arange(len(encoded_texts)), np.diff(encoded_texts.texts))[rows]
    in_input, total = texts == 0, len(words)
    numbers_in_input, rows = numbers[in_input], rows[in_input]
    table = _count_table(rows, numbers_in_input, (len(source), total))
    content = _content_words(source, wording)
    in_query = content & (wording.query > 0)
    document_grams, indices = np.unique(
        source.homes[rows] * total + numbers_in_input, return_inverse=True
    )

    def counted_totals(units: Ints, weights: Floats | None = None) -> Floats:
        return np.bincount(units, weights, total).astype(np.float64)

    spread = counted_totals(document_grams % total)
    share = spread / np.maximum(spread + earlier_weight * counted_totals(numbers[texts == 2]), 1.0)
    # The novelty of a sentence is the mean share of its n-grams with a content word.
    presence, counts = (table > 0).astype(float), content[words].any(axis=1).astype(float)
    share_new = 1 - presence @ (counts * (1 - share)) / np.maximum(presence @ counts, 1.0)
    # The amount of new text before each sentence in its document, without headings.
    novelty_before = np.cumsum(share_new) - share_new
    firsts, inverse = np.unique(np.arange(len(share_new)) - source.positions, return_inverse=True)
    firsts += [source.headings(head_number) for head_number in firsts.tolist()]
    novelty_before = np.maximum(novelty_before - novelty_before[firsts[inverse]], 0.0)

    def summed(values: Floats) -> Floats:
        """Sum the value of each n-gram in the best sentence of each document."""
        best_values = np.zeros(len(document_grams))
        np.maximum.at(best_values, indices, values[rows])
        return counted_totals(document_grams % total, best_values)

    novelty, early_novelty = summed(share_new), summed(share_new * _POSITION_DECAY**novelty_before)
    in_references = [counted_totals(numbers[texts == k]) for k in range(3, len(encoded_texts))]
    columns = np.array(in_references), content[words].sum(axis=1), in_query[words].sum(axis=1)
    return NGrams(
        table,
        spread,
        share,
        novelty,
        early_novelty,
        *columns,
        wording,
        words,
        rows,
        numbers_in_input,
    )


def _index_in_group(sizes: Ints) -> Ints:
    """Return the index of each element in its group, for groups of these sizes."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _number_ngrams(ids: Ints, starts: Ints, n: int, words: int) -> tuple[Ints, Ints]:
    """Return numbers of n-grams in order of appearance, and the words of each."""
    codes = ids[starts]
    for offset in range(1, n):
        codes = np.unique(codes, return_inverse=True)[1] * words + ids[starts + offset]
    _, first_indices, codes = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first_indices)
    return np.argsort(order)[codes], ids[starts[first_indices[order]][:, None] + np.arange(n)]


def _content_words(source: Source, wording: Wording) -> Bools:
    """Return which words are not on the stop list, if the reading has one."""
    content = np.ones(len(wording.words), dtype=np.bool_)
    if source.reading.stop_words:
        # The list has words, not stems, so look up the forms.
        unstemmed_words = source.read(replace(source.reading, stem=False, stop_words=False))
        stop_words = stop_list(source.reading.language)
        forms = np.array([word in stop_words for word in unstemmed_words.words], dtype=np.bool_)
        content[wording.ids[forms[unstemmed_words.ids]]] = False
    return content


def _count_table(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


#: Maximum number of entries for HiGHS, which is slow with more even before its first node.
_MAX_EXACT_ENTRIES = 20_000
#: Maximum number of entries that are enumerated, or with which HiGHS takes about as long as the
#: exchange search takes for many sentences.
_MAX_ENUMERATED_ENTRIES = 1_000
#: Number of candidate sentences in the exchange search.
_MAX_COMPETING_SENTENCES = 400
#: Gains are divided by lengths to these powers; the search starts from the best extract.
_LENGTH_POWERS = (0.0, 0.5, 1.0, 1.5)
#: Number of sentences to try as replacements of a sentence.
_N_REPLACEMENTS = 3
#: Total length of the sentences in the knapsack, as a multiple of the limit, as in OCCAMS.
_KNAPSACK_FACTOR = 5


@dataclass(frozen=True, slots=True)
class Cover:
    """Sentences, what each adds, and a bound on how much more others may cover."""

    numbers: tuple[int, ...]
    gains: tuple[float, ...]
    gap: float = 0.0
    too_large: bool = False

    @property
    def value(self) -> float:
        """The total weight that the sentences cover."""
        return sum(self.gains)


#: Selects sentences by units, weights, lengths and a limit.
CoverFinder = Callable[[Any, Floats, Ints, int], Cover]


def best_cover(
    units: Any,
    weights: Floats,
    lengths: Ints,
    limit: int,
    *,
    nodes: int = 1000,
    max_sentences: int | None = None,
) -> Cover:
    r"""Find the sentences that cover the most weight, with HiGHS.

    With :math:`y_s \in \{0, 1\}` for taking sentence s of length :math:`l_s`, and
    :math:`0 \le z_{uk} \le 1` for having unit u at least k times,
    :math:`\sum_{uk} w_{uk} z_{uk}` is maximized subject to :math:`\sum_s l_s y_s \le L` and
    :math:`\sum_k z_{uk} \le \sum_s a_{su} y_s`.
    """
    weights = np.atleast_2d(weights)
    fitting_numbers = np.flatnonzero((lengths <= limit) & (np.diff(units.indptr) > 0))
    if not len(fitting_numbers):
        return Cover((), ())
    if lengths[fitting_numbers].sum() <= limit:
        return _order_by_gain(units, weights, fitting_numbers.tolist())
    rows, values = _merge_units(units[fitting_numbers], weights)
    if rows.nnz > (_MAX_EXACT_ENTRIES if max_sentences is None else max_sentences):
        return replace(exchange_cover(units, weights, lengths, limit), too_large=True)
    problem = rows, values, lengths[fitting_numbers], limit
    numbers, gap = _enumerate_extracts(*problem) or _solve_program(*problem, nodes)
    solved_cover = replace(
        _order_by_gain(units, weights, fitting_numbers[numbers].tolist()), gap=gap
    )
    if gap == 0:
        return solved_cover
    other = exchange_cover(units, weights, lengths, limit)
    if other.value <= solved_cover.value:
        return solved_cover
    upper_bound = solved_cover.value * (1 + gap) if solved_cover.numbers else np.inf
    return replace(other, gap=max(upper_bound / other.value - 1, 0.0))


def greedy_cover(
    units: Any,
    weights: Floats,
    lengths: Ints,
    limit: int,
    *,
    power: float = 1.0,
    start: Sequence[int] = (),
) -> Cover:
    """Repeatedly take the sentence that adds most for its length (to a power)."""
    gains = _Gains(units, weights, start)
    costs = np.maximum(lengths, 1.0) ** power
    room = limit - int(lengths[list(start)].sum())
    is_open = lengths > 0
    is_open[list(start)] = False
    while True:
        is_open &= lengths <= room
        ratios = np.where(is_open, gains.current() / costs, 0.0)
        best_number = int(np.argmax(ratios))
        if ratios[best_number] <= 0:
            return gains.cover
        gains.take(best_number)
        is_open[best_number] = False
        room -= int(lengths[best_number])


def exchange_cover(units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
    """Exchange sentences of a greedy extract for others until nothing is gained.

    A sentence is replaced by one of those that then add most, and the remaining room is filled
    greedily. Only the sentences that cover most by themselves, in total or for their length, are
    tried.
    """
    weights = np.atleast_2d(weights)
    used_columns = np.flatnonzero(weights.max(axis=0) > 0)
    rows, weights = units[:, used_columns], weights[:, used_columns]
    values = _Gains(rows, weights).current()
    competing_sentences = np.flatnonzero((lengths <= limit) & (lengths > 0) & (values > 0))
    if not len(competing_sentences):
        return Cover((), ())
    if len(competing_sentences) > _MAX_COMPETING_SENTENCES:
        powers = (lengths[competing_sentences] ** power for power in (0, 1))
        rankings = [
            np.argsort(-values[competing_sentences] / costs, kind="stable") for costs in powers
        ]
        competing_sentences = np.unique(
            competing_sentences[
                np.concatenate([ranking[: _MAX_COMPETING_SENTENCES // 2] for ranking in rankings])
            ]
        )
    rows, sizes = rows[competing_sentences], lengths[competing_sentences]
    covers = (greedy_cover(rows, weights, sizes, limit, power=power) for power in _LENGTH_POWERS)
    best_extract = max(covers, key=lambda cover: cover.value)
    while True:
        tried_covers = (
            greedy_cover(rows, weights, sizes, limit, start=start)
            for start in _exchange_one(rows, weights, sizes, limit, best_extract.numbers)
        )
        best_exchange = max(tried_covers, key=lambda cover: cover.value, default=best_extract)
        if best_exchange.value <= best_extract.value * (1 + 1e-9):
            ordered_cover = _order_by_gain(rows, weights, best_extract.numbers)
            return replace(
                ordered_cover,
                numbers=tuple(competing_sentences[list(ordered_cover.numbers)].tolist()),
            )
        best_extract = best_exchange


def _exchange_one(
    units: Any, weights: Floats, lengths: Ints, limit: int, numbers: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Return extracts in which one sentence is replaced by one that then adds most."""
    for leaving_number in numbers:
        other_numbers = [number for number in numbers if number != leaving_number]
        values = _Gains(units, weights, other_numbers).current()
        values[lengths > limit - lengths[other_numbers].sum()] = 0.0
        values[list(numbers)] = 0.0
        for number in np.argsort(-values, kind="stable")[:_N_REPLACEMENTS].tolist():
            if values[number] > 0:
                yield (*other_numbers, number)


def occams_cover(units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
    """Return the best of four extracts: greedy or packed, with and without the best sentence."""
    fitting_numbers = np.flatnonzero((lengths <= limit) & (lengths > 0))
    if not len(fitting_numbers):
        return Cover((), ())
    values = _Gains(units, weights).current()[fitting_numbers]
    single_sentence = (int(fitting_numbers[np.argmax(values)]),)
    extracts = []
    for start in ((), single_sentence):
        room = limit - int(lengths[list(start)].sum())
        relaxed_cover = greedy_cover(
            units, weights, lengths, limit + (_KNAPSACK_FACTOR - 1) * room, start=start
        )
        relaxed_part = slice(len(start), None)
        gains = zip(
            relaxed_cover.numbers[relaxed_part], relaxed_cover.gains[relaxed_part], strict=True
        )
        extracts.append((*start, *_solve_knapsack(gains, lengths, room)))
        extracts.append(greedy_cover(units, weights, lengths, limit, start=start).numbers)
    covers = [_order_by_gain(units, weights, extract) for extract in extracts]
    return max(covers, key=lambda cover: cover.value)


def _solve_knapsack(gains: Iterable[tuple[int, float]], lengths: Ints, limit: int) -> list[int]:
    """Return the sentences with the maximum sum of gains within a limit (a knapsack)."""
    items = [(number, gain) for number, gain in gains if lengths[number] <= limit]
    best_gains = np.zeros(limit + 1)
    is_taken = np.zeros((len(items), limit + 1), dtype=np.bool_)
    for item, (number, gain) in enumerate(items):
        length = int(lengths[number])
        gains_with_item = best_gains[: limit + 1 - length] + gain
        is_taken[item, length:] = gains_with_item > best_gains[length:]
        best_gains[length:] = np.maximum(gains_with_item, best_gains[length:])
    packed_numbers, room = [], limit
    for item in range(len(items) - 1, -1, -1):
        if is_taken[item, room]:
            packed_numbers.append(items[item][0])
            room -= int(lengths[packed_numbers[-1]])
    return packed_numbers[::-1]


class _Gains:
    """The gain of each sentence over those already taken."""

    def __init__(self, units: Any, weights: Floats, taken: Sequence[int] = ()) -> None:
        weights = np.atleast_2d(weights)
        self._units = units
        self._rows = np.repeat(np.arange(units.shape[0]), np.diff(units.indptr))
        self._cumulative_weights = np.vstack(
            [np.zeros(weights.shape[1]), np.cumsum(weights, axis=0)]
        )
        self._counts = np.zeros(weights.shape[1], dtype=np.int64)
        self._taken: list[tuple[int, float]] = []
        for number in taken:
            self.take(number)

    @property
    def cover(self) -> "Cover":
        """The sentences taken so far, in their order."""
        return Cover(tuple(n for n, _ in self._taken), tuple(gain for _, gain in self._taken))

    def current(self) -> Floats:
        """Return what each sentence would add now."""
        gains_per_entry = self._gains_of(slice(0, len(self._rows)))
        gains = np.bincount(self._rows, gains_per_entry, self._units.shape[0])
        return gains.astype(np.float64)

    def by_unit(self, number: int) -> Floats:
        """Return what each unit of a sentence would add."""
        gains_per_entry, span = np.zeros(len(self._counts)), self._span(number)
        gains_per_entry[self._units.indices[span]] = self._gains_of(span)
        return gains_per_entry

    def take(self, number: int) -> None:
        """Take a sentence."""
        span = self._span(number)
        self._taken.append((number, float(self._gains_of(span).sum())))
        self._counts[self._units.indices[span]] += self._units.data[span].astype(np.int64)

    def _span(self, number: int) -> slice:
        return slice(self._units.indptr[number], self._units.indptr[number + 1])

    def _gains_of(self, span: slice) -> Floats:
        units, max_count = self._units.indices[span], len(self._cumulative_weights) - 1
        counts_before = np.minimum(self._counts[units], max_count)
        counts_after = np.minimum(
            counts_before + self._units.data[span].astype(np.int64), max_count
        )
        gains_per_entry: Floats = (
            self._cumulative_weights[counts_after, units]
            - self._cumulative_weights[counts_before, units]
        )
        return gains_per_entry


def _order_by_gain(units: Any, weights: Floats, numbers: Sequence[int]) -> Cover:
    """Order sentences so that each adds most when its turn comes."""
    gains, open_numbers = _Gains(units, weights), list(numbers)
    while open_numbers:
        current_gains = gains.current()
        best_number = max(open_numbers, key=lambda number: (current_gains[number], -number))
        open_numbers.remove(best_number)
        gains.take(best_number)
    return gains.cover


def _merge_units(units: Any, weights: Floats) -> tuple[Any, Floats]:
    """Merge units that occur equally often in the same sentences; drop unused ones."""
    columns = units.tocsc()
    columns.sort_indices()

    def key(unit: int) -> tuple[bytes, bytes]:
        span = slice(columns.indptr[unit], columns.indptr[unit + 1])
        return columns.indices[span].tobytes(), columns.data[span].tobytes()

    used_units = np.flatnonzero((np.diff(columns.indptr) > 0) & (weights.max(axis=0) > 0)).tolist()
    groups = grouped((key(unit), unit) for unit in used_units).values()
    values = [weights[:, group].sum(axis=1) for group in groups]
    first_rows = [group[0] for group in groups]
    return columns[:, first_rows].tocsr(), np.array(values).reshape(len(first_rows), len(weights)).T


def _enumerate_extracts(
    units: Any, weights: Floats, lengths: Ints, limit: int
) -> tuple[Ints, float] | None:
    """Find the best extract; return None if the problem is large or another one is as good."""
    if units.nnz > _MAX_ENUMERATED_ENTRIES or len(weights) > 1:
        return None
    start = exchange_cover(units, weights, lengths, limit).numbers
    presence = (units.toarray() > 0).astype(np.float64)
    best_extract = Enumeration(presence, weights[0], lengths, limit).best(start) if start else None
    return None if best_extract is None else (best_extract, 0.0)


def _solve_program(
    units: Any, weights: Floats, lengths: Ints, limit: int, nodes: int
) -> tuple[Ints, float]:
    """Solve the integer program; return no sentences if the solver found no solution in time."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, hstack, vstack

    sentences, n_units = units.shape
    levels, columns = np.nonzero(weights > 0)
    presence = csr_array(
        (np.ones(len(columns)), (columns, np.arange(len(columns)))), shape=(n_units, len(columns))
    )
    length_row = csr_array(lengths[None, :].astype(np.float64))
    no_units = csr_array((1, len(columns)), dtype=np.float64)
    rows: Any = vstack([hstack([length_row, no_units]), hstack([-units.T, presence])], format="csr")
    upper_bounds = np.concatenate([[float(limit)], np.zeros(n_units)])
    with _discarding_output():
        result = milp(
            np.concatenate([np.zeros(sentences), -weights[levels, columns]]),
            integrality=np.concatenate([np.ones(sentences), np.zeros(len(columns))]),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(rows, -np.inf, upper_bounds),
            options={"node_limit": nodes, "mip_rel_gap": 0.0},
        )
    if result.x is None:
        return np.zeros(0, dtype=np.int64), np.inf
    gap = 0.0 if result.status == 0 else float(result.mip_gap)
    return np.flatnonzero(result.x[:sentences] > 0.5), gap


@contextmanager
def _discarding_output() -> Iterator[None]:
    """Discard what C code prints: HiGHS 1.12 prints a line that would corrupt JSON output."""
    _flush_c_buffers()
    try:
        stdout = os.dup(1)
    except OSError:  # no standard output
        yield
        return
    with Path(os.devnull).open("wb") as null_device:
        os.dup2(null_device.fileno(), 1)
    try:
        yield
    finally:
        _flush_c_buffers()
        os.dup2(stdout, 1)
        os.close(stdout)


def _flush_c_buffers() -> None:
    """Flush the buffers of the C library, if possible."""
    import ctypes

    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).fflush(None)


@dataclass(frozen=True, slots=True)
class Covering(Summarizer):
    """A method that covers concepts: n-grams and their weights."""

    uses: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    n: int = option(2, "number of words of a concept", min=1, max=4)
    min_documents: int = option(2, "minimum number of documents with a concept", min=1)
    position: float = option(0.0, "bonus for early positions in a document", min=0)
    query: float = option(
        0.5, "weight of the query, from 0 to 1 (only the query counts)", min=0, max=1
    )
    known: float = option(1.0, "penalty for concepts the reader already knows", min=0)

    @abstractmethod
    def cover(self, units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
        """Find sentences that cover as much weight as possible."""

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        grams = self._ngrams(source)
        weights = self._concepts(grams)
        joins = partial(source.may_join, facts=True)
        choice = covering_choice(source, limit, grams, weights, self.cover, joins)
        if self.position > 0 and not source.known_texts:
            choice = _with_opening(source, limit, grams, weights, choice)
        return _fill_room(source, limit, grams, weights, choice)

    def weights_after(self, source: Source, taken: Sequence[int], most: int | None = None) -> Terms:
        """Return the concepts that are not covered yet, heaviest first."""
        grams = self._ngrams(source)
        is_uncovered = grams.counts_in(taken) == 0
        return grams.heaviest(np.where(is_uncovered, self._concepts(grams), 0.0), most)

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return the concepts of a sentence that are not covered yet, and their weights.

        Sentences that only fill the remaining room add nothing: their new n-grams are listed
        with 0.
        """
        grams = self._ngrams(source)
        terms = grams.heaviest(grams.gains(self._concepts(grams), number, taken))
        new_gains = grams.gains(_room_weights(grams), number, taken)
        return terms or tuple((name, 0.0) for name, _ in grams.heaviest(new_gains))

    def _ngrams(self, source: Source) -> NGrams:
        return ngrams_of(source, self.n, earlier_weight=self.known)

    def _concepts(self, grams: NGrams) -> Floats:
        spread = np.where(grams.content > 0, grams.spread, 0.0)
        # With the minimum alone, a single document would have no concepts.
        is_frequent = (spread > 0) & (
            spread >= min(self.min_documents, float(spread.max(initial=0.0)))
        )
        weights = np.where(is_frequent, grams.fresh + self.position * grams.early, 0.0)
        if grams.in_query.any() and self.query > 0:
            in_query = np.where(spread > 0, grams.in_query / self.n, 0.0)
            max_weight = max(float(weights.max(initial=0.0)), 1.0)
            weights = (1 - self.query) * weights / max_weight + self.query * in_query
        return weights * grams.share


@dataclass(frozen=True, slots=True)
class ConceptCoverage(Covering):
    r"""The extract within the limit that covers the most concepts.

    Concepts are bigrams, with at least one content word, that occur in ``min_documents`` or more
    documents. The weight of a concept is the number of documents that have it; it counts once
    however often the summary has it, so repetition only wastes room. With ``position``
    :math:`\beta`, early mentions count more: the weight is :math:`\sum_d (1 + \beta / 2^{i_d})`,
    where :math:`i_d` is the position (from 0) of its first sentence in document d, headings not
    counted, and the extract includes the first sentence of an article, so that it opens like one.

    The best set of sentences is found by an integer program (`best_cover`). The search stops after
    ``nodes`` nodes of its tree, so that results do not depend on the machine's load. With
    ``search=exchange`` greedy extracts are improved by exchanging sentences (`exchange_cover`),
    which is faster and mostly within 1% of the best; ``auto`` is exact for small inputs.

    Room that no concept can fill goes to sentences with new bigrams, most for their length first.

    With a query, a concept weighs :math:`(1 - \lambda) w / \max w + \lambda a`, where a is the
    share of its words that the query has. In an update, a concept of n documents that occurs k
    times in known texts keeps the share :math:`n / (n + \kappa k)` of its weight, where κ is
    ``known``. The novelty of a sentence is the mean share of its concepts; each document counts by
    the novelty of its newest sentence with the concept, and positions count new text only.

    Source: Gillick and Favre (2009). A scalable global model for summarization. ILP workshop.
    """

    name: ClassVar[str] = "coverage"
    title: ClassVar[str] = "concept coverage"
    summary: ClassVar[str] = "sentences that together cover the most bigrams shared by documents"
    citation: ClassVar[str] = "Gillick and Favre 2009"

    search: str = option(
        "exact",
        "search for the best extract; auto is exact for small inputs",
        choices=("exact", "exchange", "auto"),
    )
    nodes: int = option(1000, "maximum number of nodes of the exact search", min=1)

    def cover(self, units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
        """Find the sentences that cover most."""
        if self.search == "exchange":
            return exchange_cover(units, weights, lengths, limit)
        if self.search == "auto":
            cover = best_cover(
                units,
                weights,
                lengths,
                limit,
                nodes=self.nodes,
                max_sentences=_MAX_ENUMERATED_ENTRIES,
            )
            return replace(cover, too_large=False)
        return best_cover(units, weights, lengths, limit, nodes=self.nodes)


@dataclass(frozen=True, slots=True)
class Occams(Covering):
    r"""OCCAMS: the best of four extracts, with a guarantee.

    Concepts and their weights are those of ``coverage``. The first extract repeatedly takes the
    sentence that adds most for its length; the second begins with the sentence that covers most by
    itself. The third and fourth do the same with five times the room and then solve a knapsack
    problem to fit the limit. The best of them covers at least :math:`1 - 1/\sqrt e`, 39%, of what
    the optimal extract covers; mostly more than 95%.

    Source: Davis, Conroy and Schlesinger (2012). OCCAMS: an optimal combinatorial covering
    algorithm for multi-document summarization. ICDM workshops. Khuller, Moss and Naor (1999). The
    budgeted maximum coverage problem. Information Processing Letters 70 (the guarantee).
    """

    name: ClassVar[str] = "occams"
    title: ClassVar[str] = "OCCAMS"
    summary: ClassVar[str] = "the best of four extracts for coverage, greedy or packed"
    citation: ClassVar[str] = "Davis et al. 2012"

    def cover(self, units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
        """Find the best of four extracts; see `occams_cover`."""
        return occams_cover(units, weights, lengths, limit)


#: Minimum number of sentences of most documents if they are articles rather than passages.
_MIN_ARTICLE_SENTENCES = 5


def _with_opening(
    source: Source, limit: Limit, grams: NGrams, weights: Floats, choice: Choice
) -> Choice:
    """Put the first sentence of an article first, unless the extract already has one."""
    sizes = np.unique(source.homes, return_counts=True)[1]
    has_opening = any(source.place(number) == 0 for number in choice.numbers)
    if has_opening or not choice.numbers or np.median(sizes) < _MIN_ARTICLE_SENTENCES:
        return choice
    gains, fits_alone = _Gains(grams.table, weights).current(), source.lengths <= limit.words
    may_open = source.usable & ~source.leaning & fits_alone & (gains > 0)
    openings = [number for number in np.flatnonzero(may_open).tolist() if source.place(number) == 0]
    if not openings:
        return choice
    numbers = [max(openings, key=lambda number: (gains[number], source.texts[number]))]
    for number in choice.numbers:
        length = int(source.lengths[numbers].sum())
        fits_now = limit.fits(int(source.lengths[number]), length)
        if fits_now and source.may_join(number, numbers, facts=True):
            numbers.append(number)
    return replace(
        choice, numbers=(*numbers,), scores=_Gains(grams.table, weights, numbers).cover.gains
    )


def _fill_room(
    source: Source, limit: Limit, grams: NGrams, weights: Floats, choice: Choice
) -> Choice:
    """Fill the remaining room with new n-grams, however few documents have them."""
    numbers = list(choice.numbers)
    room = limit.room(int(source.lengths[numbers].sum()))
    if limit.fit == "stop" or not room:
        return choice
    values = np.maximum(weights, _FILLING_WEIGHT * _room_weights(grams))
    is_allowed = source.candidates.copy()
    is_allowed[numbers] = False

    def weigh() -> Floats:
        table, lengths = _truncate_ngrams(source, limit, grams, numbers)
        gains = table.astype(bool) @ np.where(grams.counts_in(numbers) > 0, 0.0, values)
        return np.where(gains > 0, gains / np.maximum(lengths, 1), -np.inf)

    start, room_limit = choice.numbers, Limit(room, limit.fit)
    joins = partial(source.may_join, facts=True)
    choose_greedily(
        source, room_limit, weigh, numbers.append, allowed=is_allowed, begun=start, joins=joins
    )
    gains = _Gains(grams.table, weights, numbers).cover.gains[len(start) :]
    return replace(choice, numbers=tuple(numbers), scores=(*choice.scores, *gains))


def _truncate_ngrams(
    source: Source, limit: Limit, grams: NGrams, taken: Sequence[int]
) -> tuple[Any, Ints]:
    """Return the sentences' n-grams and lengths, truncated as in the summary."""
    room = limit.room(int(source.lengths[list(taken)].sum()))
    if limit.fit != "truncate" or source.lengths.max() <= room:
        return grams.table, source.lengths
    lengths = np.minimum(source.lengths, room)
    return grams.beginning(lengths / np.maximum(source.lengths, 1)), lengths


#: Weight of a new n-gram, relative to a concept, when the remaining space is filled.
_FILLING_WEIGHT = 0.2


def _room_weights(grams: NGrams) -> Floats:
    """Return the weights of n-grams that fill room: 1, less for known ones."""
    return np.where(grams.content > 0, grams.share, 0.0)


def covering_choice(
    source: Source,
    limit: Limit,
    grams: NGrams,
    weights: Floats,
    find: CoverFinder,
    joins: Callable[[int, Sequence[int]], bool],
) -> Choice:
    """Choose the sentences that cover most, with a note if another extract may cover more."""
    table, sizes = _truncate_ngrams(source, limit, grams, ())
    groups = [group for group in passages(source) if sizes[group].sum() <= limit.words]
    # Ties go to the first group, which must not depend on the order of documents.
    groups.sort(key=lambda group: (len(group), source.positions[group[0]], source.texts[group[0]]))
    units, lengths = table[[group[0] for group in groups]], sizes[[*map(min, groups)]]
    if any(len(group) > 1 for group in groups):
        rows = np.repeat(np.arange(len(groups)), [*map(len, groups)])
        members = _count_table(rows, np.concatenate(groups), (len(groups), len(source)))
        units, lengths = members @ table, (members @ sizes).astype(np.int64)
    cover = find(units, weights, lengths, limit.words)
    gains_by_sentence = zip(cover.numbers, cover.gains, strict=True)
    taken_numbers = dict.fromkeys(
        number
        for group_index, gain in gains_by_sentence
        if gain > 0
        for number in groups[group_index]
    )
    numbers: list[int] = []
    for number in taken_numbers:
        if joins(number, numbers):
            numbers.append(number)
    notes: tuple[str, ...] = ()
    if cover.too_large:
        notes = ("the input is too large for an exact search: sentences were exchanged instead",)
    elif cover.gap > 1e-6:
        gap = f"up to {cover.gap:.1%} more" if cover.gap <= 1 else "more"
        notes = (f"the search reached its limit (`nodes`): another extract may cover {gap}",)
    return Choice(tuple(numbers), _Gains(grams.table, weights, numbers).cover.gains, notes)


def passages(source: Source) -> list[list[int]]:
    """Return the candidates, each with the sentences that it depends on."""
    groups: list[list[int]] = []
    is_leaning = source.leaning
    for number in np.flatnonzero(source.usable).tolist():
        groups.append([*groups[-1], number] if is_leaning[number] else [number])
    return groups


@dataclass(frozen=True, slots=True)
class Oracle(Summarizer):
    r"""The extract with the highest ROUGE-n recall, for analysis only: it uses the references.

    An n-gram counts in each reference as often as both have it; the extract with the most matches
    is found by an integer program (`best_cover`), which ignores n-grams across sentences.

    Source: Lin and Hovy (2003). The potential and limitations of automatic sentence extraction for
    summarization. HLT-NAACL workshop.
    """

    name: ClassVar[str] = "oracle"
    title: ClassVar[str] = "oracle"
    summary: ClassVar[str] = "sentences that share the most n-grams with the references"
    citation: ClassVar[str] = "Lin and Hovy 2003"
    uses: ClassVar[frozenset[str]] = frozenset({"references"})

    n: int = option(2, "length of the n-grams to match", min=1, max=4)
    nodes: int = option(1000, "maximum number of nodes of the search", min=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        grams = ngrams_of(source, self.n, references=True)
        find = partial(best_cover, nodes=self.nodes)
        choice = covering_choice(
            source, limit, grams, _reference_levels(grams), find, source.may_join
        )
        if limit.fit != "truncate" or source.lengths[list(choice.numbers)].sum() > limit.words:
            return choice
        note = "oracle does not cut off sentences: it takes whole sentences that fit"
        return replace(choice, notes=(note, *choice.notes))

    def weights_after(self, source: Source, taken: Sequence[int], most: int | None = None) -> Terms:
        """Return the references' n-grams, by how many references have them."""
        if not source.references:
            return ()
        grams = ngrams_of(source, self.n, references=True)
        levels, counts = _reference_levels(grams), grams.counts_in(taken)
        padded_levels = np.vstack([levels, np.zeros(levels.shape[1])])
        return grams.heaviest(
            padded_levels[np.minimum(counts, len(levels)), np.arange(len(counts))], most
        )

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return the n-grams by which a sentence matches references more, and how much."""
        grams = ngrams_of(source, self.n, references=True)
        return grams.heaviest(grams.gains(_reference_levels(grams), number, taken))


def _reference_levels(grams: NGrams) -> Floats:
    """Return how many references match an n-gram the first time, the second time and so on."""
    max_references = int(grams.references.max(initial=1.0))
    return np.array(
        [(grams.references >= level).sum(axis=0) for level in range(1, max_references + 1)], float
    )
