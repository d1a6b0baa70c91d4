"""Methods that cover as many concepts as they can: `coverage`, `occams`, and the oracle."""

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
from pyramidion.summarizers._selection import Choice, Limit, Terms, choose_greedily
from pyramidion.summarizers._source import Source, Wording
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text.languages import stop_list

#: What a sentence's place is worth, as a share of the place before it.
_EARLY = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class NGrams:
    """The n-grams of an input, with stop words, none across the end of a sentence.

    `spread` is the number of documents that have one, and `share` what it keeps of its weight if
    the reader knows it. `fresh` is the sum over documents of how new the newest sentence is that
    has it, `early` the same with 1 for a first sentence, 1/2 for the second, 1/4 for the third and
    so on.
    """

    table: Any
    spread: Floats
    share: Floats
    fresh: Floats
    early: Floats
    references: Floats
    content: Ints
    asked: Ints
    wording: Wording
    words: Ints
    rows: Ints
    numbers: Ints

    def label(self, number: int) -> str:
        """Return the words of an n-gram."""
        return " ".join(self.wording.words[word] for word in self.words[number])

    def had(self, sentences: Sequence[int]) -> Ints:
        """Count each n-gram in some sentences."""
        if not sentences:
            return np.zeros(len(self.words), dtype=np.int64)
        return np.asarray(self.table[list(sentences)].sum(axis=0)).ravel().astype(np.int64)

    def beginning(self, shares: Floats) -> Any:
        """Return the table of the beginnings of sentences: this share of each."""
        sizes = np.bincount(self.rows, minlength=len(shares))
        left = _within(sizes) < (sizes * shares)[self.rows]
        return _table(self.rows[left], self.numbers[left], self.table.shape)

    def gains(self, weights: Floats, number: int, said: Sequence[int]) -> Floats:
        """Return what a sentence adds to others by each n-gram, see `best_cover` for weights."""
        return _Gains(self.table, weights, said).by_unit(number)

    def heaviest(self, weights: Floats, limit: int | None = None) -> Terms:
        """List the n-grams that have a weight, the heaviest first."""
        order = np.argsort(-weights, kind="stable")[: np.count_nonzero(weights > 0)]
        return tuple((self.label(k), float(weights[k])) for k in order[:limit].tolist())


def ngrams_of(source: Source, n: int, *, references: bool = False, against: float = 1.0) -> NGrams:
    """Count the n-grams of an input; known texts count `against` them."""
    key = ("n-grams", n, references, against)
    return source.memo(key, lambda: _counted_ngrams(source, n, references, against))


def _counted_ngrams(source: Source, n: int, references: bool, against: float) -> NGrams:
    reading = replace(source.reading, stop_words=False)
    wording = source.read(reading, references=references)
    encoded = wording.encoded
    # The sentence of each n-gram, and the place of its first word.
    sizes = np.maximum(np.diff(encoded.sentences) - n + 1, 0)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    firsts = encoded.sentences[:-1][rows] + _within(sizes)
    numbers, words = _numbered(encoded.ids.astype(np.int64), firsts, n, len(wording.words))
    texts = np.repeat(np.arange(len(encoded)), np.diff(encoded.texts))[rows]
    in_input, total = texts == 0, len(words)
    own, rows = numbers[in_input], rows[in_input]
    table = _table(rows, own, (len(source), total))
    content = _content_words(source, wording)
    asked = content & (wording.query > 0)
    held, places = np.unique(source.homes[rows] * total + own, return_inverse=True)

    def counted(units: Ints, weights: Floats | None = None) -> Floats:
        return np.bincount(units, weights, total).astype(np.float64)

    spread = counted(held % total)
    share = spread / np.maximum(spread + against * counted(numbers[texts == 2]), 1.0)
    # A sentence is as new as the mean share that its n-grams with a content word keep.
    has, counts = (table > 0).astype(float), content[words].any(axis=1).astype(float)
    new = 1 - has @ (counts * (1 - share)) / np.maximum(has @ counts, 1.0)
    # How much new text comes before each sentence in its document.
    before = np.cumsum(new) - new
    before -= before[np.arange(len(new)) - source.places]

    def summed(worth: Floats) -> Floats:
        """Sum the worth of each n-gram in the best sentence of each document."""
        best = np.zeros(len(held))
        np.maximum.at(best, places, worth[rows])
        return counted(held % total, best)

    fresh, early = summed(new), summed(new * _EARLY**before)
    in_references = [counted(numbers[texts == k]) for k in range(3, len(encoded))]
    others = np.array(in_references), content[words].sum(axis=1), asked[words].sum(axis=1)
    return NGrams(table, spread, share, fresh, early, *others, wording, words, rows, own)


def _within(sizes: Ints) -> Ints:
    """Return the place of each element in its group, for groups of these sizes."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _numbered(ids: Ints, firsts: Ints, n: int, words: int) -> tuple[Ints, Ints]:
    """Return numbers of n-grams in the order of their appearance, and the words of each."""
    codes = ids[firsts]
    for place in range(1, n):
        codes = np.unique(codes, return_inverse=True)[1] * words + ids[firsts + place]
    _, where, codes = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(where)
    return np.argsort(order)[codes], ids[firsts[where[order]][:, None] + np.arange(n)]


def _content_words(source: Source, wording: Wording) -> Bools:
    """Return which words are not on the stop list, if the input is read with one."""
    content = np.ones(len(wording.words), dtype=np.bool_)
    if source.reading.stop_words:
        # The list has words, not stems, so forms are looked up beside their stems.
        plain = source.read(replace(source.reading, stem=False, stop_words=False))
        listed = stop_list(source.reading.language)
        forms = np.array([word in listed for word in plain.words], dtype=np.bool_)
        content[wording.ids[forms[plain.ids]]] = False
    return content


def _table(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


#: With more units in sentences, HiGHS takes long before it counts its first node.
_LARGEST = 20_000
#: How many sentences compete in the exchange search.
_COMPETING = 400
#: Gains are divided by lengths to these powers; the search starts from the best of these extracts.
_POWERS = (0.0, 0.5, 1.0, 1.5)
#: How many sentences are tried as replacements of one.
_TRIED = 3
#: Length of the sentences to pack as a knapsack, in limits, as in OCCAMS.
_MORE = 5


@dataclass(frozen=True, slots=True)
class Cover:
    """Sentences, what they cover, and how sure it is that nothing covers more."""

    numbers: tuple[int, ...]
    gains: tuple[float, ...]
    gap: float = 0.0
    too_large: bool = False

    @property
    def value(self) -> float:
        """What the sentences cover together."""
        return sum(self.gains)


#: Finds sentences by units, weights, lengths and a limit.
Find = Callable[[Any, Floats, Ints, int], Cover]


def best_cover(
    units: Any, weights: Floats, lengths: Ints, limit: int, *, nodes: int = 1000
) -> Cover:
    r"""Find the sentences that cover most, with HiGHS.

    With :math:`y_s \in \{0, 1\}` for taking sentence s of length :math:`l_s`, and
    :math:`0 \le z_{uk} \le 1` for having unit u at least k times,
    :math:`\sum_{uk} w_{uk} z_{uk}` is made greatest so that :math:`\sum_s l_s y_s \le L` and
    :math:`\sum_k z_{uk} \le \sum_s a_{su} y_s`.
    """
    weights = np.atleast_2d(weights)
    fitting = np.flatnonzero((lengths <= limit) & (np.diff(units.indptr) > 0))
    if not len(fitting):
        return Cover((), ())
    if lengths[fitting].sum() <= limit:
        return _in_order_of_gains(units, weights, fitting.tolist())
    rows, worth = _merged(units[fitting], weights)
    if rows.nnz > _LARGEST:
        return replace(exchange_cover(units, weights, lengths, limit), too_large=True)
    taken, gap = _solved(rows, worth, lengths[fitting], limit, nodes)
    own = replace(_in_order_of_gains(units, weights, fitting[taken].tolist()), gap=gap)
    if gap == 0:
        return own
    other = exchange_cover(units, weights, lengths, limit)
    if other.value <= own.value:
        return own
    most = own.value * (1 + gap) if own.numbers else np.inf
    return replace(other, gap=max(most / other.value - 1, 0.0))


def greedy_cover(
    units: Any,
    weights: Floats,
    lengths: Ints,
    limit: int,
    *,
    power: float = 1.0,
    begun: Sequence[int] = (),
) -> Cover:
    """Take the sentence that adds most for its length (to a power), again and again."""
    gains = _Gains(units, weights, begun)
    costs = np.maximum(lengths, 1.0) ** power
    room = limit - int(lengths[list(begun)].sum())
    open_ = lengths > 0
    open_[list(begun)] = False
    while True:
        open_ &= lengths <= room
        worth = np.where(open_, gains.now() / costs, 0.0)
        best = int(np.argmax(worth))
        if worth[best] <= 0:
            return gains.cover
        gains.take(best)
        open_[best] = False
        room -= int(lengths[best])


def exchange_cover(units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
    """Exchange sentences of a greedy extract for others until that gains nothing.

    A sentence is replaced by one that then adds most, and the room that is left is filled
    greedily. Only the sentences that cover most by themselves, in total or for their length,
    compete.
    """
    weights = np.atleast_2d(weights)
    columns = np.flatnonzero(weights.max(axis=0) > 0)
    rows, weights = units[:, columns], weights[:, columns]
    worth = _Gains(rows, weights).now()
    kept = np.flatnonzero((lengths <= limit) & (lengths > 0) & (worth > 0))
    if not len(kept):
        return Cover((), ())
    if len(kept) > _COMPETING:
        powers = (lengths[kept] ** power for power in (0, 1))
        ranks = [np.argsort(-worth[kept] / costs, kind="stable") for costs in powers]
        kept = np.unique(kept[np.concatenate([own[: _COMPETING // 2] for own in ranks])])
    rows, sizes = rows[kept], lengths[kept]
    covers = (greedy_cover(rows, weights, sizes, limit, power=power) for power in _POWERS)
    best = max(covers, key=lambda own: own.value)
    while True:
        tried = (
            greedy_cover(rows, weights, sizes, limit, begun=begun)
            for begun in _exchanged(rows, weights, sizes, limit, best.numbers)
        )
        better = max(tried, key=lambda own: own.value, default=best)
        if better.value <= best.value * (1 + 1e-9):
            ordered = _in_order_of_gains(rows, weights, best.numbers)
            return replace(ordered, numbers=tuple(kept[list(ordered.numbers)].tolist()))
        best = better


def _exchanged(
    units: Any, weights: Floats, lengths: Ints, limit: int, chosen: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Return extracts in which one sentence is replaced by one of those that then add most."""
    for leaving in chosen:
        rest = [number for number in chosen if number != leaving]
        worth = _Gains(units, weights, rest).now()
        worth[lengths > limit - lengths[rest].sum()] = 0.0
        worth[list(chosen)] = 0.0
        for number in np.argsort(-worth, kind="stable")[:_TRIED].tolist():
            if worth[number] > 0:
                yield (*rest, number)


def occams_cover(units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
    """Take the best of four extracts: greedy or packed, with the best single sentence or not."""
    fitting = np.flatnonzero((lengths <= limit) & (lengths > 0))
    if not len(fitting):
        return Cover((), ())
    worth = _Gains(units, weights).now()[fitting]
    single = (int(fitting[np.argmax(worth)]),)
    found = []
    for begun in ((), single):
        room = limit - int(lengths[list(begun)].sum())
        more = greedy_cover(units, weights, lengths, limit + (_MORE - 1) * room, begun=begun)
        added = slice(len(begun), None)
        gains = zip(more.numbers[added], more.gains[added], strict=True)
        found.append((*begun, *_packed(gains, lengths, room)))
        found.append(greedy_cover(units, weights, lengths, limit, begun=begun).numbers)
    covers = [_in_order_of_gains(units, weights, own) for own in found]
    return max(covers, key=lambda own: own.value)


def _packed(gains: Iterable[tuple[int, float]], lengths: Ints, limit: int) -> list[int]:
    """Return the sentences with the greatest sum of gains within a limit (a knapsack)."""
    items = [(number, gain) for number, gain in gains if lengths[number] <= limit]
    best = np.zeros(limit + 1)
    taken = np.zeros((len(items), limit + 1), dtype=np.bool_)
    for item, (number, gain) in enumerate(items):
        length = int(lengths[number])
        with_it = best[: limit + 1 - length] + gain
        taken[item, length:] = with_it > best[length:]
        best[length:] = np.maximum(with_it, best[length:])
    packed, room = [], limit
    for item in range(len(items) - 1, -1, -1):
        if taken[item, room]:
            packed.append(items[item][0])
            room -= int(lengths[packed[-1]])
    return packed[::-1]


class _Gains:
    """What each sentence would add to those that were taken."""

    def __init__(self, units: Any, weights: Floats, taken: Sequence[int] = ()) -> None:
        weights = np.atleast_2d(weights)
        self._units = units
        self._rows = np.repeat(np.arange(units.shape[0]), np.diff(units.indptr))
        self._worth = np.vstack([np.zeros(weights.shape[1]), np.cumsum(weights, axis=0)])
        self._counts = np.zeros(weights.shape[1], dtype=np.int64)
        self._taken: list[tuple[int, float]] = []
        for number in taken:
            self.take(number)

    @property
    def cover(self) -> "Cover":
        """The sentences that were taken, in their order."""
        return Cover(tuple(n for n, _ in self._taken), tuple(gain for _, gain in self._taken))

    def now(self) -> Floats:
        """Return what each sentence would add now."""
        own = slice(0, len(self._rows))
        gains = np.bincount(self._rows, self._added(own), self._units.shape[0])
        return gains.astype(np.float64)

    def by_unit(self, number: int) -> Floats:
        """Return what a sentence would add by each unit."""
        added, own = np.zeros(len(self._counts)), self._own(number)
        added[self._units.indices[own]] = self._added(own)
        return added

    def take(self, number: int) -> None:
        """Take a sentence."""
        own = self._own(number)
        self._taken.append((number, float(self._added(own).sum())))
        self._counts[self._units.indices[own]] += self._units.data[own].astype(np.int64)

    def _own(self, number: int) -> slice:
        return slice(self._units.indptr[number], self._units.indptr[number + 1])

    def _added(self, own: slice) -> Floats:
        units, most = self._units.indices[own], len(self._worth) - 1
        before = np.minimum(self._counts[units], most)
        after = np.minimum(before + self._units.data[own].astype(np.int64), most)
        added: Floats = self._worth[after, units] - self._worth[before, units]
        return added


def _in_order_of_gains(units: Any, weights: Floats, chosen: Sequence[int]) -> Cover:
    """Put sentences in the order in which each adds most."""
    gains, left = _Gains(units, weights), list(chosen)
    while left:
        now = gains.now()
        best = max(left, key=lambda number: (now[number], -number))
        left.remove(best)
        gains.take(best)
    return gains.cover


def _merged(units: Any, weights: Floats) -> tuple[Any, Floats]:
    """Merge units that the same sentences have equally often; drop those that none has."""
    columns = units.tocsc()
    columns.sort_indices()

    def key(unit: int) -> tuple[bytes, bytes]:
        own = slice(columns.indptr[unit], columns.indptr[unit + 1])
        return columns.indices[own].tobytes(), columns.data[own].tobytes()

    used = np.flatnonzero((np.diff(columns.indptr) > 0) & (weights.max(axis=0) > 0)).tolist()
    groups = grouped((key(unit), unit) for unit in used).values()
    worth = [weights[:, group].sum(axis=1) for group in groups]
    firsts = [group[0] for group in groups]
    return columns[:, firsts].tocsr(), np.array(worth).reshape(len(firsts), len(weights)).T


def _solved(
    units: Any, weights: Floats, lengths: Ints, limit: int, nodes: int
) -> tuple[Ints, float]:
    """Solve the program; return no sentence if the solver visited too few nodes."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, hstack, vstack

    sentences, number = units.shape
    levels, of = np.nonzero(weights > 0)
    has = csr_array((np.ones(len(of)), (of, np.arange(len(of)))), shape=(number, len(of)))
    words = csr_array(lengths[None, :].astype(np.float64))
    no_units = csr_array((1, len(of)), dtype=np.float64)
    rows: Any = vstack([hstack([words, no_units]), hstack([-units.T, has])], format="csr")
    most = np.concatenate([[float(limit)], np.zeros(number)])
    with _output_discarded():
        result = milp(
            np.concatenate([np.zeros(sentences), -weights[levels, of]]),
            integrality=np.concatenate([np.ones(sentences), np.zeros(len(of))]),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(rows, -np.inf, most),
            options={"node_limit": nodes, "mip_rel_gap": 0.0},
        )
    if result.x is None:
        return np.zeros(0, dtype=np.int64), np.inf
    gap = 0.0 if result.status == 0 else float(result.mip_gap)
    return np.flatnonzero(result.x[:sentences] > 0.5), gap


@contextmanager
def _output_discarded() -> Iterator[None]:
    """Discard what C code prints: HiGHS 1.12 prints a line that would corrupt JSON output."""
    _flush()
    try:
        kept = os.dup(1)
    except OSError:  # There is no standard output.
        yield
        return
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        _flush()
        os.dup2(kept, 1)
        os.close(kept)


def _flush() -> None:
    """Flush the buffers of the C library, where that is possible."""
    import ctypes

    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).fflush(None)


@dataclass(frozen=True, slots=True)
class Covering(Summarizer):
    """What is common to methods that cover concepts: what they are, and what each weighs."""

    uses: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    n: int = option(2, "number of words of a concept", min=1, max=4)
    min_documents: int = option(2, "minimum number of documents with a concept", min=1)
    position: float = option(0.0, "bonus for early positions in a document", min=0)
    query: float = option(0.5, "share of the query in weights", min=0, max=1)
    known: float = option(1.0, "penalty for concepts the reader already knows", min=0)

    @abstractmethod
    def cover(self, units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
        """Find sentences that cover much."""

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        grams = self._ngrams(source)
        weights = self._concepts(grams)
        choice = covering_choice(source, limit, grams, weights, self.cover)
        return _filled(source, limit, grams, weights, choice)

    def weights_after(self, source: Source, said: Sequence[int], most: int | None = None) -> Terms:
        """Return the concepts that are not covered yet, the heaviest first."""
        grams = self._ngrams(source)
        return grams.heaviest(np.where(grams.had(said) > 0, 0.0, self._concepts(grams)), most)

    def explain(self, source: Source, number: int, said: Sequence[int] = ()) -> Terms:
        """Return the concepts of a sentence that are not covered yet, and their weights.

        Sentences that only fill the remaining room add nothing: their new n-grams are listed
        with 0.
        """
        grams = self._ngrams(source)
        terms = grams.heaviest(grams.gains(self._concepts(grams), number, said))
        new = grams.gains(_new(grams), number, said)
        return terms or tuple((name, 0.0) for name, _ in grams.heaviest(new))

    def _ngrams(self, source: Source) -> NGrams:
        return ngrams_of(source, self.n, against=self.known)

    def _concepts(self, grams: NGrams) -> Floats:
        spread = np.where(grams.content > 0, grams.spread, 0.0)
        # A single document would have no concept at all.
        kept = (spread > 0) & (spread >= min(self.min_documents, float(spread.max(initial=0.0))))
        weights = np.where(kept, grams.fresh + self.position * grams.early, 0.0)
        if grams.asked.any() and self.query > 0:
            asked = np.where(spread > 0, grams.asked / self.n, 0.0)
            most = max(float(weights.max(initial=0.0)), 1.0)
            weights = (1 - self.query) * weights / most + self.query * asked
        return weights * grams.share


@dataclass(frozen=True, slots=True)
class ConceptCoverage(Covering):
    r"""The extract within the limit that covers most concepts.

    Concepts are bigrams of words, at least one of them a content word, that ``min_documents`` or
    more documents have. A concept weighs as much as the number of documents that have it, and
    counts once however often it is said. With ``position`` :math:`\beta`, documents that have it
    early count more: it weighs :math:`\sum_d (1 + \beta / 2^{i_d})`, where sentence i of document
    d is the first that has it, counted from 0. So repetition costs what it should: room.

    The best set of sentences is found by an integer program (`best_cover`). After ``nodes`` nodes
    of the search tree the best that was found is taken, so that a busy machine gives the same
    extract. With ``search=exchange`` greedy extracts are made better by exchanging sentences until
    that gains nothing (`exchange_cover`), which is faster, and mostly within 1% of the best.

    Room that is left when nothing that weighs can be added goes to sentences with bigrams that
    are new, most for their length first.

    With a query, a concept weighs :math:`(1 - \lambda) w / \max w + \lambda a`, where a is the
    share of its words that the query has. A concept of n documents that an update's reader was
    told k times keeps the share :math:`n / (n + \kappa k)` of its weight, ``known`` being κ: never
    nothing, and more the more new documents have it. A sentence is as new as the mean share that
    its concepts keep, and each document counts by how new the newest of its sentences is that has
    a concept; places are counted among what is new.

    References
    ----------
    Gillick and Favre (2009). A scalable global model for summarization. ILP workshop.

    Examples
    --------
    >>> texts = ["Heavy rain fell on Ardel. Goats were sold.", "Rain fell on Ardel on Monday."]
    >>> source = Source.of_texts(texts)
    >>> ConceptCoverage().choose(source, Limit(6)).scores
    (6.0,)
    """

    name: ClassVar[str] = "coverage"
    title: ClassVar[str] = "concept coverage"
    summary: ClassVar[str] = "sentences that together cover the most bigrams shared by documents"
    citation: ClassVar[str] = "Gillick and Favre 2009"

    search: str = option("exact", "search for the best extract", choices=("exact", "exchange"))
    nodes: int = option(1000, "maximum number of nodes of the exact search", min=1)

    def cover(self, units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
        """Find the sentences that cover most."""
        if self.search == "exchange":
            return exchange_cover(units, weights, lengths, limit)
        return best_cover(units, weights, lengths, limit, nodes=self.nodes)


@dataclass(frozen=True, slots=True)
class Occams(Covering):
    r"""OCCAMS: the best of four extracts that cover much, with a guarantee.

    Concepts and their weights are those of ``coverage``. The first extract takes the sentence that
    adds most for its length, again and again; the second begins with the sentence that alone
    covers most. The third and the fourth do the same with five times the room, and pack what was
    taken into the limit as a knapsack is packed, each sentence with what it added. The best of
    them covers at least :math:`1 - 1/\sqrt e`, 39%, of what the best extract covers, in theory;
    mostly more than 95%.

    References
    ----------
    Davis, Conroy and Schlesinger (2012). OCCAMS: an optimal combinatorial covering algorithm for
    multi-document summarization. ICDM workshops. Khuller, Moss and Naor (1999). The budgeted
    maximum coverage problem. Information Processing Letters 70 (the guarantee).

    Examples
    --------
    >>> texts = ["Heavy rain fell on Ardel. Goats were sold.", "Rain fell on Ardel on Monday."]
    >>> Occams().choose(Source.of_texts(texts), Limit(6)).numbers
    (0,)
    """

    name: ClassVar[str] = "occams"
    title: ClassVar[str] = "OCCAMS"
    summary: ClassVar[str] = "the best of four extracts for coverage, greedy or packed"
    citation: ClassVar[str] = "Davis et al. 2012"

    def cover(self, units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
        """Find the best of the four."""
        return occams_cover(units, weights, lengths, limit)


def _filled(source: Source, limit: Limit, grams: NGrams, weights: Floats, choice: Choice) -> Choice:
    """Fill the remaining room with new n-grams, however few documents have them."""
    said = list(choice.numbers)
    room = limit.room(int(source.lengths[said].sum()))
    if limit.fit == "stop" or not room:
        return choice
    worth = np.maximum(weights, _FILLING * _new(grams))
    allowed = source.candidates.copy()
    allowed[said] = False

    def weigh() -> Floats:
        table, lengths = _cut(source, limit, grams, said)
        gains = table.astype(bool) @ np.where(grams.had(said) > 0, 0.0, worth)
        return np.where(gains > 0, gains / np.maximum(lengths, 1), -np.inf)

    begun, rest = choice.numbers, Limit(room, limit.fit)
    choose_greedily(source, rest, weigh, said.append, allowed=allowed, begun=begun)
    gains = _Gains(grams.table, weights, said).cover.gains[len(begun) :]
    return replace(choice, numbers=tuple(said), scores=(*choice.scores, *gains))


def _cut(source: Source, limit: Limit, grams: NGrams, said: Sequence[int]) -> tuple[Any, Ints]:
    """Return the sentences' n-grams and lengths, cut off where they would be."""
    room = limit.room(int(source.lengths[list(said)].sum()))
    if limit.fit != "truncate" or source.lengths.max() <= room:
        return grams.table, source.lengths
    lengths = np.minimum(source.lengths, room)
    return grams.beginning(lengths / np.maximum(source.lengths, 1)), lengths


#: What a new n-gram is worth beside concepts where room that is left is filled.
_FILLING = 0.2


def _new(grams: NGrams) -> Floats:
    """Return what n-grams weigh that fill room: 1, and less the more the reader knows them."""
    return np.where(grams.content > 0, grams.share, 0.0)


def covering_choice(
    source: Source, limit: Limit, grams: NGrams, weights: Floats, find: Find
) -> Choice:
    """Choose the sentences that cover most, with a note if others might cover more."""
    table, sizes = _cut(source, limit, grams, ())
    groups = [own for own in passages(source) if sizes[own].sum() <= limit.words]
    # Of equals the first is taken: the order of documents must not say which that is.
    groups.sort(key=lambda own: (len(own), source.places[own[0]], source.texts[own[0]]))
    units, lengths = table[[own[0] for own in groups]], sizes[[*map(min, groups)]]
    if any(len(own) > 1 for own in groups):
        rows = np.repeat(np.arange(len(groups)), [*map(len, groups)])
        members = _table(rows, np.concatenate(groups), (len(groups), len(source)))
        units, lengths = members @ table, (members @ sizes).astype(np.int64)
    cover = find(units, weights, lengths, limit.words)
    useful = zip(cover.numbers, cover.gains, strict=True)
    chosen = dict.fromkeys(own for k, gain in useful if gain > 0 for own in groups[k])
    numbers: list[int] = []
    for number in chosen:
        if source.may_join(number, numbers):
            numbers.append(number)
    notes: tuple[str, ...] = ()
    if cover.too_large:
        notes = ("there is too much to find the best extract: sentences were exchanged instead",)
    elif cover.gap > 1e-6:
        more = f"at most {cover.gap:.1%} more" if cover.gap <= 1 else "more"
        stopped = "the search was stopped: another extract may cover"
        notes = (f"{stopped} {more}; `nodes` is its limit",)
    return Choice(tuple(numbers), _Gains(grams.table, weights, numbers).cover.gains, notes)


def passages(source: Source) -> list[list[int]]:
    """Return the candidates, those that lean with all that they lean on."""
    found: list[list[int]] = []
    leaning = source.leaning
    for number in np.flatnonzero(source.usable).tolist():
        found.append([*found[-1], number] if leaning[number] else [number])
    return found


@dataclass(frozen=True, slots=True)
class Oracle(Summarizer):
    r"""The extract with the greatest ROUGE-n recall, for analysis: it looks at the references.

    An n-gram counts in each reference as often as both have it; the extract with the greatest
    number of such matches is found by an integer program (`best_cover`). N-grams across the end
    of a sentence, which ROUGE counts, are not foreseen.

    References
    ----------
    Lin and Hovy (2003). The potential and limitations of automatic sentence extraction for
    summarization. HLT-NAACL workshop.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell on Ardel. Goats were sold there on Monday."],
    ...                          references=["Goats were sold."])
    >>> Oracle().summarize(source, Limit(8)).text
    'Goats were sold there on Monday.'
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
        choice = covering_choice(source, limit, grams, _levels(grams), find)
        if limit.fit != "truncate" or source.lengths[list(choice.numbers)].sum() > limit.words:
            return choice
        note = "no sentence is cut off: whole ones that fit are looked for"
        return replace(choice, notes=(note, *choice.notes))

    def weights_after(self, source: Source, said: Sequence[int], most: int | None = None) -> Terms:
        """Return the n-grams that references have, by how many have them."""
        if not source.references:
            return ()
        grams = ngrams_of(source, self.n, references=True)
        levels, had = _levels(grams), grams.had(said)
        more = np.vstack([levels, np.zeros(levels.shape[1])])
        return grams.heaviest(more[np.minimum(had, len(levels)), np.arange(len(had))], most)

    def explain(self, source: Source, number: int, said: Sequence[int] = ()) -> Terms:
        """Return the n-grams by which a sentence matches references more, and how much."""
        grams = ngrams_of(source, self.n, references=True)
        return grams.heaviest(grams.gains(_levels(grams), number, said))


def _levels(grams: NGrams) -> Floats:
    """Return how many references match an n-gram the first time, the second time and so on."""
    most = int(grams.references.max(initial=1.0))
    return np.array([(grams.references >= k).sum(axis=0) for k in range(1, most + 1)], float)
