"""The input of metrics: summaries, references and documents, encoded once."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Collection, Pyramid, Summary
from pyramidion.errors import ShapeError
from pyramidion.metrics._metric import share
from pyramidion.text.encoding import Encoded, Reading, as_sentences, encode, expanded

if TYPE_CHECKING:
    from pyramidion.pyramid.content_units import TopicUnits

#: A `scipy.sparse.csr_array`; SciPy's own types are more trouble than they are worth.
Sparse = Any


def stack_rows(rows: Sequence[tuple[npt.NDArray[Any], Floats]], width: int) -> Sparse:
    """Make a table from rows, each given by its columns and values."""
    from scipy.sparse import csr_array

    bounds = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    columns = np.concatenate([np.empty(0, np.int64), *(columns for columns, _ in rows)])
    values = np.concatenate([np.empty(0), *(values for _, values in rows)])
    return csr_array((values, columns.astype(np.int64), bounds), shape=(len(rows), width))


def counted_pairs(
    rows: Ints, codes: Ints, *, height: int, width: int | None = None
) -> tuple[Sparse, Ints]:
    """Count how often each row comes with each code; return the table and the columns' codes.

    Each different code has a column, or with a `width` each number below it.
    """
    from scipy.sparse import csc_array

    if not _fits(int(codes.max(initial=0)) + 1, height):
        different, numbers = np.unique(codes, return_inverse=True)
        return counted_pairs(rows, numbers, height=height)[0], different
    # One sort of plain numbers, columns first, is much faster than any other order.
    pairs, counts = np.unique(codes * height + rows, return_counts=True)
    codes, rows = np.divmod(pairs, max(height, 1))
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    columns = codes[starts]
    if width is not None:
        starts, columns = np.searchsorted(codes, np.arange(width)), np.arange(width)
    shape = height, len(columns)
    return csc_array((counts, rows, np.append(starts, len(codes))), shape=shape).tocsr(), columns


def _fits(*factors: int) -> bool:
    """Return whether a product of whole numbers fits into 64 bits."""
    return math.prod(factors) < 1 << 63


@dataclass(frozen=True, eq=False)
class TextSets:
    """For every case a set of texts: ``sets[i]`` is that of case i; equal sets are stored once.

    Parameters
    ----------
    members
        The texts of each different set, one set after the other.
    bounds
        Where each different set begins in `members`, and the end.
    of
        The number of each case's set among the different ones.

    Examples
    --------
    >>> sets = TextSets.of_lists([[3, 4], [4], [3, 4], []])
    >>> len(sets), sets.n_different, sets.of.tolist(), sets.sizes.tolist()
    (4, 3, [0, 1, 0, 2], [2, 1, 2, 0])
    >>> sets[2].tolist()
    [3, 4]
    >>> [column.tolist() for column in sets.pairs()]
    [[0, 0, 1, 2, 2], [3, 4, 4, 3, 4]]
    """

    members: Ints
    bounds: Ints
    of: Ints

    @classmethod
    def of_lists(cls, lists: Iterable[Sequence[int]]) -> "TextSets":
        """Make sets from lists of numbers of texts."""
        numbers: dict[tuple[int, ...], int] = {}
        of = [numbers.setdefault(tuple(own), len(numbers)) for own in lists]
        members = [text for own in numbers for text in own]
        bounds = np.cumsum([0, *map(len, numbers)])
        return cls(np.array(members, dtype=np.int64), bounds, np.array(of, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.of)

    def __getitem__(self, case: int) -> Ints:
        """Return the texts of a case, as numbers."""
        return self.different(int(self.of[case]))

    @property
    def n_different(self) -> int:
        """How many different sets there are."""
        return len(self.bounds) - 1

    def different(self, number: int) -> Ints:
        """Return the texts of one of the different sets."""
        return self.members[self.bounds[number] : self.bounds[number + 1]]

    @property
    def sizes(self) -> Ints:
        """How many texts the set of each case has."""
        return np.diff(self.bounds)[self.of]

    def pairs(self) -> tuple[Ints, Ints]:
        """Return every case with every text of its set, as two columns."""
        cases, places = expanded(self.bounds[self.of], self.sizes)
        return cases, self.members[places]

    def sentences(self, number: int, encoded: Encoded) -> list[npt.NDArray[np.int32]]:
        """Return the sentences of a different set's texts, each as numbers of words."""
        texts = self.different(number).tolist()
        return [own for text in texts for own in encoded.sentences_of(text)]

    @property
    def key(self) -> tuple[bytes, bytes]:
        """What identifies these different sets."""
        return self.members.tobytes(), self.bounds.tobytes()

    def summed(self, table: Sparse) -> Sparse:
        """Add up the rows of each different set's texts; one row per set."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.members), dtype=table.dtype)
        shape = (self.n_different, table.shape[0])
        sums = csr_array((ones, self.members, self.bounds), shape=shape) @ table
        # Products come out of order, which not all of SciPy's operations fix.
        sums.sort_indices()
        return sums

    def greatest(self, table: Sparse) -> Sparse:
        """Take the greatest entry among the rows of each different set's texts; one row per set."""
        from scipy.sparse import csr_array

        entries = table[self.members].tocoo()
        owners = np.repeat(np.arange(self.n_different), np.diff(self.bounds))[entries.row]
        shape = (self.n_different, table.shape[1])
        if not len(owners):
            return csr_array(shape, dtype=table.dtype)
        order = np.lexsort((entries.col, owners))
        rows, columns = owners[order], entries.col[order]
        first = np.flatnonzero(np.diff(rows, prepend=-1) | np.diff(columns, prepend=-1))
        values = np.maximum.reduceat(entries.data[order], first)
        return csr_array((values, (rows[first], columns[first])), shape=shape)


Made = TypeVar("Made")


class Texts:
    """Different texts by number, and what was computed from them.

    Examples
    --------
    >>> texts = Texts()
    >>> texts.number("Rain fell. It rained."), texts.number(("Rain.",)), len(texts)
    (0, 1, 2)
    >>> texts[0]
    ('Rain fell.', 'It rained.')
    >>> texts.counts(Reading()).toarray().tolist()
    [[1, 1, 2], [0, 0, 1]]
    """

    def __init__(self) -> None:
        self._given: list[str | tuple[str, ...]] = []
        self._sentences: list[tuple[str, ...] | None] = []
        self._numbers: dict[str | tuple[str, ...], int] = {}
        self._made: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self._given)

    def __getitem__(self, number: int) -> tuple[str, ...]:
        """Return a text in sentences."""
        if self._sentences[number] is None:
            given = self._given[number]
            self._sentences[number] = given if isinstance(given, tuple) else as_sentences(given)
        return self._sentences[number] or ()

    def given(self, number: int) -> str | tuple[str, ...]:
        """Return a text as it was given."""
        return self._given[number]

    def plain(self, number: int) -> str:
        """Return a text as one string."""
        given = self._given[number]
        return given if isinstance(given, str) else " ".join(given)

    def number(self, text: str | tuple[str, ...]) -> int:
        """Return the number of a text, a new one if it is new."""
        number = self._numbers.setdefault(text, len(self._given))
        if number == len(self._given):
            self._given.append(text)
            self._sentences.append(None)
            # What was computed from fewer texts does not cover this one.
            self._made.clear()
        return number

    def memo(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Compute something from the texts once, for all metrics that need it.

        Parameters
        ----------
        key
            A name for it, which begins with that of the metric's module.
        make
            Computes it.
        """
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def encoded(self, reading: Reading) -> Encoded:
        """Return all texts as numbers of words, sentence by sentence.

        Sums over the words of a text are rounded in the same way whatever other texts there are.
        """
        texts = (self[number] for number in range(len(self)))
        return self.memo(reading, lambda: encode(list(texts), **asdict(reading)).alphabetical)

    def counts(self, reading: Reading, n: int = 1) -> Sparse:
        """Count words or n-grams: one row per text, one column per word or n-gram.

        N-grams do not stop at the end of a sentence, as in ROUGE.
        """
        return self.memo((reading, n), lambda: _count(self.encoded(reading), n))


def _count(encoded: Encoded, n: int) -> Sparse:
    owner, places = expanded(encoded.starts[:-1], np.maximum(encoded.lengths - n + 1, 0))
    codes, words, limit = encoded.ids[places].astype(np.int64), len(encoded.words), 1
    for further in range(1, n):
        limit *= words
        if not _fits(limit, words, len(encoded)):
            different, codes = np.unique(codes, return_inverse=True)
            limit = len(different)
        codes = codes * words + encoded.ids[places + further]
    return counted_pairs(owner, codes, height=len(encoded), width=words if n == 1 else None)[0]


#: Who wrote the references of a case, and who the earlier ones.
Writers = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class ScoringBatch:
    """Summaries to be scored, with their references and documents as numbers of texts.

    Parameters
    ----------
    texts
        All texts of the run.
    peers
        The text of each summary.
    references, documents, earlier
        What each summary is scored against: references (never its writer's own), the documents
        it summarizes, and for an update the references of what was known before (by others, too).
    names
        Names of the cases in messages.
    owners
        The summary each case belongs to, where one summary is scored in several ways.
    threads
        How many threads a metric may use; no score depends on it.
    writers
        Who wrote the references, and the earlier ones, of each case, where it is known.
    collection, summaries
        Where the summaries come from, and which they are, if they are a collection's.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["Rain fell."], [["It rained.", "Rain."]])
    >>> len(cases), cases.references[0].tolist(), cases.texts.plain(1)
    (1, [1, 2], 'It rained.')
    """

    texts: Texts
    peers: Ints
    references: TextSets
    documents: TextSets
    earlier: TextSets
    names: Sequence[str] = field(repr=False)
    owners: Ints | None = None
    threads: int = 1
    writers: Sequence[Writers] = field(default=(), repr=False)
    collection: Collection | None = field(default=None, repr=False)
    summaries: Sequence[Summary] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.peers)

    @classmethod
    def of_texts(
        cls,
        peers: Sequence[str | tuple[str, ...]],
        references: Sequence[Sequence[str | tuple[str, ...]]] = (),
        *,
        documents: Sequence[Sequence[str]] = (),
        earlier: Sequence[Sequence[str | tuple[str, ...]]] = (),
        names: Sequence[str] = (),
        threads: int = 1,
    ) -> "ScoringBatch":
        """Make cases from lists of the same length.

        Parameters
        ----------
        peers
            The summaries; a text, or a tuple of sentences.
        references, documents, earlier
            For each summary a list of texts; empty if there are none at all.
        names
            Their names in messages; numbers by default.
        threads
            How many threads a metric may use.
        """
        texts = Texts()
        numbers = np.array([texts.number(peer) for peer in peers], dtype=np.int64)
        sets: dict[str, Any] = {}
        lists = {"references": references, "documents": documents, "earlier": earlier}
        for what, given in lists.items():
            _require_lists(what, given, len(peers))
            every = given or [()] * len(peers)
            sets[what] = TextSets.of_lists([texts.number(text) for text in own] for own in every)
        called = names or [f"summary {row}" for row in range(len(peers))]
        return cls(texts, numbers, **sets, names=called, threads=threads)

    @classmethod
    def of_collection(
        cls, collection: Collection, summaries: Sequence[Summary], *, threads: int = 1
    ) -> "ScoringBatch":
        """Make cases from summaries of a collection."""
        references = [others_of(collection, summary) for summary in summaries]
        before = [collection.earlier_references(s.topic, s.task) for s in summaries]
        earlier = [
            [one for one in own if one.system != summary.system]
            for summary, own in zip(summaries, before, strict=True)
        ]
        cases = cls.of_texts(
            [summary.text for summary in summaries],
            [[r.text for r in own] for own in references],
            documents=[[d.text for d in collection.documents(s.topic, s.task)] for s in summaries],
            earlier=[[r.text for r in own] for own in earlier],
            names=[summary.name for summary in summaries],
            threads=threads,
        )
        writers = [
            (tuple(one.system for one in own), tuple(one.system for one in known))
            for own, known in zip(references, earlier, strict=True)
        ]
        return replace(cases, writers=writers, collection=collection, summaries=summaries)

    @cached_property
    def _units(self) -> "dict[tuple[str, str], Pyramid | TopicUnits]":
        """The pyramids and lists of content units of the collection."""
        if self.collection is None:
            return {}
        from pyramidion.pyramid.content_units import all_units
        from pyramidion.pyramid.topics import every_pyramid

        return {**all_units(self.collection), **every_pyramid(self.collection)}

    def units_of(self, case: int) -> "Pyramid | TopicUnits | None":
        """Return the pyramid of a case's topic, or its list of content units, if it has any."""
        if not self.summaries:
            return None
        return self._units.get((self.summaries[case].task, self.summaries[case].topic))

    @cached_property
    def with_units(self) -> Bools:
        """Which cases have content units or references to take them from."""
        given = [self.units_of(case) is not None for case in range(len(self))]
        return np.array(given, dtype=np.bool_) | (self.references.sizes > 0)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Every case with each of its references, as two columns."""
        return self.references.pairs()

    @cached_property
    def compared(self) -> tuple[Ints, Ints, Ints]:
        """The different pairs of a summary's and a reference's text, and which one each pair is.

        Jackknifed cases and the cases they were made of have the same different pairs.
        """
        rows, references = self.pairs
        codes = self.peers[rows] * len(self.texts) + references
        different, places = np.unique(codes, return_inverse=True)
        peers, models = np.divmod(different, len(self.texts))
        return peers, models, places

    def sum_over_references(self, values: Floats) -> Floats:
        """Add up what was computed for `pairs` over each case's references."""
        rows, _ = self.pairs
        return np.asarray(np.bincount(rows, weights=values, minlength=len(self)))

    def mean_over_references(self, values: Floats) -> Floats:
        """Average what was computed for `pairs` over each case's references; NaN if none."""
        return share(self.sum_over_references(values), self.references.sizes)

    def greatest_over_references(self, values: Floats) -> Floats:
        """Take the greatest of what was computed for `pairs` of each case; NaN if none."""
        rows, _ = self.pairs
        greatest = np.full(len(self), np.nan)
        first = np.flatnonzero(np.diff(rows, prepend=-1))
        if len(first):
            greatest[rows[first]] = np.maximum.reduceat(values, first)
        return greatest

    def against(self, which: str) -> "ScoringBatch":
        """Compare with ``references``, or with the ``earlier`` ones instead.

        Examples
        --------
        >>> cases = ScoringBatch.of_texts(["Snow."], [["It snowed."]], earlier=[["Rain.", "Hail."]])
        >>> cases.against("earlier").references.sizes.tolist()
        [2]
        """
        return replace(self, references=self.earlier) if which == "earlier" else self

    def jackknifed(self, chosen: Bools) -> "ScoringBatch":
        """Score the chosen summaries against all references but one, in turn.

        Parameters
        ----------
        chosen
            Which summaries; those with one reference or none are left as they are. An earlier
            reference is left out together with the reference of the same writer, if known.
        """
        folds = [
            (row, *fold) for row in range(len(self)) for fold in self._folds(row, bool(chosen[row]))
        ]
        owners = np.array([row for row, _, _ in folds], dtype=np.int64)
        return replace(
            self,
            peers=self.peers[owners],
            references=TextSets.of_lists(own for _, own, _ in folds),
            documents=replace(self.documents, of=self.documents.of[owners]),
            earlier=TextSets.of_lists(before for _, _, before in folds),
            names=[self.names[row] for row in owners],
            owners=owners,
            writers=(),
            summaries=[self.summaries[row] for row in owners] if self.summaries else (),
        )

    def _folds(self, row: int, chosen: bool) -> Iterator[tuple[list[int], list[int]]]:
        """Return the references and the earlier ones of each fold."""
        own = self.references[row].tolist()
        before = self.earlier[row].tolist()
        if not chosen or len(own) < 2:
            yield own, before
            return
        writers, earlier_writers = self.writers[row] if self.writers else ((), ())
        for place in range(len(own)):
            writer = writers[place] if writers else None
            others = zip(before, earlier_writers, strict=False)
            # With nothing left there would be nothing to compare with.
            kept = [text for text, by in others if by != writer] or before
            yield own[:place] + own[place + 1 :], kept


def others_of(collection: Collection, summary: Summary) -> tuple[Summary, ...]:
    """Return the references of a summary's topic that its own writer did not write."""
    references = collection.references(summary.topic, summary.task)
    return tuple(r for r in references if r.system != summary.system)


def _require_lists(what: str, given: Sequence[object], number: int) -> None:
    if given and len(given) != number:
        hint = "give one list for each summary, in the same order"
        raise ShapeError(f"{number} summaries, but {len(given)} lists of {what}", hint)
    for row, own in enumerate(given):
        if isinstance(own, str):
            raise ShapeError(f"the {what} of summary {row} are a text", hint="put it in a list")
