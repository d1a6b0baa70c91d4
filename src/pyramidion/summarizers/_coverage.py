"""Methods that cover as many concepts as they can: by integer programming, and the oracle."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection._options import option
from pyramidion.summarizers._selection import Choice, Limit, choose_greedily
from pyramidion.summarizers._source import Source, Wording
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text import is_stop_word


@dataclass(frozen=True, slots=True, eq=False)
class NGrams:
    """The n-grams of an input, with stop words, none across the end of a sentence."""

    table: Any
    spread: Floats
    known: Floats
    references: Floats
    content: Ints
    asked: Ints
    wording: Wording
    words: Ints

    def label(self, number: int) -> str:
        """Give the words of an n-gram."""
        return " ".join(self.wording.words[word] for word in self.words[number])

    def had(self, sentences: Sequence[int]) -> Ints:
        """Count each n-gram in some sentences."""
        if not sentences:
            return np.zeros(len(self.words), dtype=np.int64)
        return np.asarray(self.table[list(sentences)].sum(axis=0)).ravel().astype(np.int64)

    def gains(self, weights: Floats, number: int, said: Sequence[int]) -> Floats:
        """Give what a sentence adds to others by each n-gram, see `best_cover` for the weights."""
        steps = np.atleast_2d(weights)
        worth = np.vstack([np.zeros(steps.shape[1]), np.cumsum(steps, axis=0)])
        before = np.minimum(self.had(said), len(steps))
        after = np.minimum(before + self.had([number]), len(steps))
        every = np.arange(steps.shape[1])
        added: Floats = worth[after, every] - worth[before, every]
        return added

    def heaviest(self, weights: Floats, most: int | None) -> tuple[tuple[str, float], ...]:
        """List the n-grams that have a weight, the heaviest first."""
        order = np.argsort(-weights, kind="stable")[: np.count_nonzero(weights > 0)]
        return tuple((self.label(k), float(weights[k])) for k in order[:most].tolist())


def ngrams_of(source: Source, n: int, *, references: bool = False) -> NGrams:
    """Count the n-grams of an input."""
    return source.memo(("n-grams", n, references), lambda: _counted_ngrams(source, n, references))


def _counted_ngrams(source: Source, n: int, references: bool) -> NGrams:
    reading = replace(source.reading, stop_words=False)
    wording = source.read(reading, references=references)
    encoded = wording.encoded
    firsts, rows = _places(encoded.sentences, n)
    numbers, words = _numbered(encoded.ids.astype(np.int64), firsts, n, len(wording.words))
    texts = np.repeat(np.arange(len(encoded)), np.diff(encoded.texts))[rows]
    there, total = texts == 0, len(words)
    table = _table(rows[there], numbers[there], (len(source), total))
    content = _content_words(source, wording)
    asked = content & (wording.query > 0)
    return NGrams(
        table,
        _counted(np.unique(source.homes[rows[there]] * total + numbers[there]) % total, total),
        _counted(numbers[texts == 2], total),
        np.array([_counted(numbers[texts == k], total) for k in range(3, len(encoded))]),
        content[words].sum(axis=1),
        asked[words].sum(axis=1),
        wording,
        words,
    )


def _places(starts: Ints, n: int) -> tuple[Ints, Ints]:
    """Give where n-grams begin, and the number of the sentence of each."""
    numbers = np.maximum(np.diff(starts) - n + 1, 0)
    rows = np.repeat(np.arange(len(numbers)), numbers)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    return starts[:-1][rows] + within, rows


def _numbered(ids: Ints, firsts: Ints, n: int, words: int) -> tuple[Ints, Ints]:
    """Give numbers to n-grams in the order of their appearance, and the words of each."""
    codes = ids[firsts]
    for place in range(1, n):
        codes = np.unique(codes, return_inverse=True)[1] * words + ids[firsts + place]
    _, where, codes = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(where)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    return ranks[codes], ids[firsts[where[order]][:, None] + np.arange(n)]


def _content_words(source: Source, wording: Wording) -> Bools:
    """Tell which words are not on the stop list, where the input is read with one."""
    content = np.ones(len(wording.words), dtype=np.bool_)
    if source.reading.stop_words:
        # The list is of words, not of stems: forms are looked up beside their stems.
        plain = source.read(replace(source.reading, stem=False, stop_words=False))
        forms = np.array([is_stop_word(word) for word in plain.words], dtype=np.bool_)
        content[wording.ids[forms[plain.ids]]] = False
    return content


def _table(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def _counted(numbers: Ints, total: int) -> Floats:
    return np.bincount(numbers, minlength=total).astype(np.float64)


#: Beyond so many units of sentences HiGHS neither finds much nor stops in time.
_LARGEST = 100_000


@dataclass(frozen=True, slots=True)
class Cover:
    """Sentences, what they cover, and how sure it is that nothing covers more."""

    numbers: tuple[int, ...]
    gains: tuple[float, ...]
    gap: float
    too_large: bool = False

    @property
    def value(self) -> float:
        """What the sentences cover together."""
        return sum(self.gains)


def best_cover(
    units: Any, weights: Floats, lengths: Ints, limit: int, *, seconds: float = 10.0
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
        return Cover((), (), 0.0)
    if lengths[fitting].sum() <= limit:
        return _in_order_of_gains(units, weights, fitting.tolist(), 0.0)
    rows, worth = _merged(units[fitting], weights)
    if rows.nnz > _LARGEST:
        return replace(greedy_cover(units, weights, lengths, limit), too_large=True)
    taken, gap = _solved(rows, worth, lengths[fitting], limit, seconds)
    own = _in_order_of_gains(units, weights, fitting[taken].tolist(), gap)
    greedy = greedy_cover(units, weights, lengths, limit)
    if gap == 0 or greedy.value <= own.value:
        return own
    most = own.value * (1 + gap) if own.numbers else np.inf
    return Cover(greedy.numbers, greedy.gains, max(most / greedy.value - 1, 0.0))


def greedy_cover(units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
    """Take the sentence that adds most for its length, again and again."""
    gains = _Gains(units, np.atleast_2d(weights))
    open_ = lengths > 0
    taken: list[int] = []
    added: list[float] = []
    while True:
        open_ &= lengths <= limit
        now = gains.now()
        worth = np.where(open_ & (now > 0), now / np.maximum(lengths, 1), -np.inf)
        best = int(np.argmax(worth))
        if not np.isfinite(worth[best]):
            return Cover(tuple(taken), tuple(added), np.inf)
        taken.append(best)
        added.append(float(now[best]))
        gains.take(best)
        open_[best] = False
        limit -= int(lengths[best])


class _Gains:
    """What each sentence would add to those that were taken."""

    def __init__(self, units: Any, weights: Floats) -> None:
        self._units = units
        self._rows = np.repeat(np.arange(units.shape[0]), np.diff(units.indptr))
        self._worth = np.vstack([np.zeros(weights.shape[1]), np.cumsum(weights, axis=0)])
        self._counts = np.zeros(weights.shape[1], dtype=np.int64)

    def now(self) -> Floats:
        units, most = self._units, len(self._worth) - 1
        before = np.minimum(self._counts[units.indices], most)
        after = np.minimum(before + units.data.astype(np.int64), most)
        added = self._worth[after, units.indices] - self._worth[before, units.indices]
        gains = np.bincount(self._rows, weights=added, minlength=units.shape[0])
        return gains.astype(np.float64)

    def take(self, number: int) -> None:
        units = self._units
        own = slice(units.indptr[number], units.indptr[number + 1])
        self._counts[units.indices[own]] += units.data[own].astype(np.int64)


def _in_order_of_gains(units: Any, weights: Floats, chosen: Sequence[int], gap: float) -> Cover:
    """Put sentences in the order in which each adds most."""
    gains = _Gains(units, weights)
    left, taken, added = list(chosen), [], []
    while left:
        now = gains.now()
        best = max(left, key=lambda number: (now[number], -number))
        left.remove(best)
        taken.append(best)
        added.append(float(now[best]))
        gains.take(best)
    return Cover(tuple(taken), tuple(added), gap)


def _merged(units: Any, weights: Floats) -> tuple[Any, Floats]:
    """Put units together that the same sentences have as often; drop those that none has."""
    columns = units.tocsc()
    columns.sort_indices()
    groups: dict[tuple[bytes, bytes], list[int]] = {}
    for unit in np.flatnonzero((np.diff(columns.indptr) > 0) & (weights.max(axis=0) > 0)).tolist():
        own = slice(columns.indptr[unit], columns.indptr[unit + 1])
        key = (columns.indices[own].tobytes(), columns.data[own].tobytes())
        groups.setdefault(key, []).append(unit)
    firsts = [group[0] for group in groups.values()]
    worth = [weights[:, group].sum(axis=1) for group in groups.values()]
    return columns[:, firsts].tocsr(), np.array(worth).reshape(len(firsts), len(weights)).T


def _solved(
    units: Any, weights: Floats, lengths: Ints, limit: int, seconds: float
) -> tuple[Ints, float]:
    """Solve the program; give no sentence where the solver had too little time."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, hstack, vstack

    sentences, number = units.shape
    levels, of = np.nonzero(weights > 0)
    has = csr_array((np.ones(len(of)), (of, np.arange(len(of)))), shape=(number, len(of)))
    words = csr_array(lengths[None, :].astype(np.float64))
    no_units = csr_array((1, len(of)), dtype=np.float64)
    rows: Any = vstack([hstack([words, no_units]), hstack([-units.T, has])], format="csr")
    result = milp(
        np.concatenate([np.zeros(sentences), -weights[levels, of]]),
        integrality=np.concatenate([np.ones(sentences), np.zeros(len(of))]),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(
            rows,
            -np.inf,
            np.concatenate([[float(limit)], np.zeros(number)]),
        ),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if result.x is None:
        return np.zeros(0, dtype=np.int64), np.inf
    gap = 0.0 if result.status == 0 else float(result.mip_gap)
    return np.flatnonzero(result.x[:sentences] > 0.5), gap


@dataclass(frozen=True, slots=True)
class ConceptCoverage(Summarizer):
    r"""The extract within the limit that covers most concepts, found exactly.

    Concepts are bigrams of words, at least one of them a content word, that ``least`` or more
    documents have; a concept weighs as much as the number of documents that have it, and counts
    once however often it is said. The best set of sentences is found by an integer program
    (`best_cover`), so that repetition costs what it should: room. Room that is left when nothing
    that weighs can be added goes to sentences with bigrams that are new, most for their length
    first. No sentence is cut off: the best extract fits.

    With a query, a concept weighs :math:`(1 - \lambda) n / \max n + \lambda a`, where a is the
    share of its words that the query has. A concept that an update's reader knows weighs
    ``known`` times as much.

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
    summary: ClassVar[str] = "the sentences that together have most bigrams of many documents"
    citation: ClassVar[str] = "Gillick and Favre 2009"
    heeds: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    n: int = option(2, "how many words a concept has", least=1, most=4)
    least: int = option(2, "how many documents must have a concept", least=1)
    seconds: float = option(10.0, "how long to look for the best extract", least=0.01)
    query: float = option(0.2, "the part that a query has in weights", least=0, most=1)
    known: float = option(0.0, "what a known concept keeps of its weight", least=0, most=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        grams = ngrams_of(source, self.n)
        weights = self._concepts(source, grams)
        choice = covering_choice(source, limit, grams, weights, self.seconds)
        return _filled(source, limit, grams, choice)

    def weights_after(
        self, source: Source, said: Sequence[int], most: int | None = None
    ) -> tuple[tuple[str, float], ...]:
        """Give the concepts that are not covered yet, the heaviest first."""
        grams = ngrams_of(source, self.n)
        weights = self._concepts(source, grams)
        return grams.heaviest(np.where(grams.had(said) > 0, 0.0, weights), most)

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give the concepts of a sentence that are not covered yet, and their weights.

        What only fills room that is left adds nothing: its new n-grams are given with 0.
        """
        grams = ngrams_of(source, self.n)
        terms = grams.heaviest(grams.gains(self._concepts(source, grams), number, said), None)
        new = grams.gains(_new(grams, said), number, said)
        return terms or tuple((name, 0.0) for name, _ in grams.heaviest(new, None))

    def _concepts(self, source: Source, grams: NGrams) -> Floats:
        spread = np.where(grams.content > 0, grams.spread, 0.0)
        most = float(spread.max(initial=0.0))
        # A single document would have no concept at all.
        weights = np.where(spread >= min(self.least, most), spread, 0.0)
        if grams.asked.any() and self.query > 0:
            asked = np.where(spread > 0, grams.asked / self.n, 0.0)
            weights = (1 - self.query) * weights / max(most, 1.0) + self.query * asked
        return np.where(grams.known > 0, self.known * weights, weights)


def _filled(source: Source, limit: Limit, grams: NGrams, choice: Choice) -> Choice:
    """Fill the room that is left with what is new, however few documents have it."""
    room = limit.words - int(source.lengths[list(choice.numbers)].sum())
    if limit.fit == "stop" or room <= 0:
        return choice
    weights = _new(grams, choice.numbers)
    may = source.candidates.copy()
    may[list(choice.numbers)] = False
    lengths = np.where(may, source.lengths, limit.words + 1)
    more = greedy_cover(grams.table, weights, lengths, room)
    return Choice(
        (*choice.numbers, *more.numbers), (*choice.scores, *(0.0 for _ in more.gains)), choice.notes
    )


def _new(grams: NGrams, said: Sequence[int]) -> Floats:
    """Mark with 1 the n-grams that nobody has said."""
    old = (grams.had(said) > 0) | (grams.known > 0) | (grams.content == 0)
    return np.where(old, 0.0, 1.0)


def covering_choice(
    source: Source, limit: Limit, grams: NGrams, weights: Floats, seconds: float
) -> Choice:
    """Choose the sentences that cover most, and say so if others might cover more."""
    may = source.candidates & (source.lengths <= limit.words)
    if limit.fit == "truncate" and not may.any():
        worth = np.asarray(grams.table @ np.atleast_2d(weights)[0])
        return choose_greedily(source, limit, lambda: np.where(worth > 0, worth, -np.inf))
    lengths = np.where(may, source.lengths, limit.words + 1)
    cover = best_cover(grams.table, weights, lengths, limit.words, seconds=seconds)
    useful = [(k, gain) for k, gain in zip(cover.numbers, cover.gains, strict=True) if gain > 0]
    notes = tuple(_notes(cover, limit, seconds))
    return Choice(tuple(k for k, _ in useful), tuple(gain for _, gain in useful), notes)


def _notes(cover: Cover, limit: Limit, seconds: float) -> Iterator[str]:
    if limit.fit == "truncate":
        yield "no sentence is cut off: whole ones that fit are looked for"
    if cover.too_large:
        yield "there is too much to find the best extract: each sentence was taken for what it adds"
    elif cover.gap > 1e-6:
        most = f"at most {cover.gap:.1%} more" if cover.gap <= 1 else "more"
        yield f"{seconds:g} seconds were too short: another extract may cover {most}"


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
    summary: ClassVar[str] = "the sentences that share most with the references"
    citation: ClassVar[str] = "Lin and Hovy 2003"
    heeds: ClassVar[frozenset[str]] = frozenset({"references"})

    n: int = option(2, "how many words are matched together", least=1, most=4)
    seconds: float = option(10.0, "how long to look for the best extract", least=0.01)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        grams = ngrams_of(source, self.n, references=True)
        return covering_choice(source, limit, grams, _levels(grams), self.seconds)

    def weights_after(
        self, source: Source, said: Sequence[int], most: int | None = None
    ) -> tuple[tuple[str, float], ...]:
        """Give the n-grams that references have, by how many have them."""
        if not source.references:
            return ()
        grams = ngrams_of(source, self.n, references=True)
        levels, had = _levels(grams), grams.had(said)
        more = np.vstack([levels, np.zeros(levels.shape[1])])
        return grams.heaviest(more[np.minimum(had, len(levels)), np.arange(len(had))], most)

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give the n-grams by which a sentence matches references more, and how much."""
        grams = ngrams_of(source, self.n, references=True)
        return grams.heaviest(grams.gains(_levels(grams), number, said), None)


def _levels(grams: NGrams) -> Floats:
    """Give how many references match an n-gram the first time, the second time and so on."""
    most = int(grams.references.max(initial=1.0))
    return np.array([(grams.references >= k).sum(axis=0) for k in range(1, most + 1)], float)
