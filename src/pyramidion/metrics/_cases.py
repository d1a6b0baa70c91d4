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

#: A `scipy.sparse.csr_array`, which SciPy does not type well.
Sparse = Any


def stack_rows(rows: Sequence[tuple[npt.NDArray[Any], Floats]], n_columns: int) -> Sparse:
    """Make a table from rows, each given by its columns and values."""
    from scipy.sparse import csr_array

    bounds = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    columns = np.concatenate([np.empty(0, np.int64), *(columns for columns, _ in rows)])
    values = np.concatenate([np.empty(0), *(values for _, values in rows)])
    return csr_array((values, columns.astype(np.int64), bounds), shape=(len(rows), n_columns))


def count_pairs_of_codes(
    rows: Ints, codes: Ints, *, n_rows: int, n_columns: int | None = None
) -> tuple[Sparse, Ints]:
    """Count how often each row occurs with each code; return the table and its columns' codes.

    Each distinct code has a column; with `n_columns`, each number below it has one.
    """
    from scipy.sparse import csc_array

    if not _fits_in_64_bits(int(codes.max(initial=0)) + 1, n_rows):
        distinct_codes, column_numbers = np.unique(codes, return_inverse=True)
        return count_pairs_of_codes(rows, column_numbers, n_rows=n_rows)[0], distinct_codes
    # One sort of plain numbers, columns first, is much faster than any other order.
    pairs, counts = np.unique(codes * n_rows + rows, return_counts=True)
    codes, rows = np.divmod(pairs, max(n_rows, 1))
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    columns = codes[starts]
    if n_columns is not None:
        starts, columns = np.searchsorted(codes, np.arange(n_columns)), np.arange(n_columns)
    shape = n_rows, len(columns)
    return csc_array((counts, rows, np.append(starts, len(codes))), shape=shape).tocsr(), columns


def _fits_in_64_bits(*factors: int) -> bool:
    """Return whether a product of integers fits into 64 bits."""
    return math.prod(factors) < 1 << 63


@dataclass(frozen=True, eq=False)
class TextSets:
    """A set of texts for each case: ``sets[i]`` belongs to case i; equal sets are stored once.

    Parameters
    ----------
    members
        The texts of each distinct set, one set after the other.
    bounds
        Where each distinct set begins in `members`, and the end.
    of
        The index of each case's set among the distinct ones.

    Examples
    --------
    >>> sets = TextSets.of_lists([[3, 4], [4], [3, 4], []])
    >>> len(sets), sets.n_distinct, sets.of.tolist(), sets.sizes.tolist()
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
        """Make sets from lists of text numbers."""
        set_number_of_texts: dict[tuple[int, ...], int] = {}
        set_numbers = [
            set_number_of_texts.setdefault(tuple(texts), len(set_number_of_texts))
            for texts in lists
        ]
        members = [text for texts in set_number_of_texts for text in texts]
        bounds = np.cumsum([0, *map(len, set_number_of_texts)])
        return cls(np.array(members, dtype=np.int64), bounds, np.array(set_numbers, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.of)

    def __getitem__(self, case: int) -> Ints:
        """Return the texts of a case, as numbers."""
        return self.distinct(int(self.of[case]))

    @property
    def n_distinct(self) -> int:
        """The number of distinct sets."""
        return len(self.bounds) - 1

    def distinct(self, number: int) -> Ints:
        """Return the texts of a distinct set."""
        return self.members[self.bounds[number] : self.bounds[number + 1]]

    @property
    def sizes(self) -> Ints:
        """The number of texts in each case's set."""
        return np.diff(self.bounds)[self.of]

    def pairs(self) -> tuple[Ints, Ints]:
        """Return every case with every text of its set, as two columns."""
        cases, indices = expanded(self.bounds[self.of], self.sizes)
        return cases, self.members[indices]

    def sentences(self, number: int, encoded_texts: Encoded) -> list[npt.NDArray[np.int32]]:
        """Return the sentences of a distinct set's texts, each as word numbers."""
        texts = self.distinct(number).tolist()
        return [sentence for text in texts for sentence in encoded_texts.sentences_of(text)]

    @property
    def key(self) -> tuple[bytes, bytes]:
        """A hashable key of these sets."""
        return self.members.tobytes(), self.bounds.tobytes()

    def summed(self, table: Sparse) -> Sparse:
        """Add up the rows of each distinct set's texts; one row per set."""
        from scipy.sparse import csr_array

        weights = np.ones(len(self.members), dtype=table.dtype)
        shape = (self.n_distinct, table.shape[0])
        sums = csr_array((weights, self.members, self.bounds), shape=shape) @ table
        # Products are unsorted, which some of SciPy's operations do not expect.
        sums.sort_indices()
        return sums

    def greatest(self, table: Sparse) -> Sparse:
        """Take the maximum over the rows of each distinct set's texts; one row per set."""
        from scipy.sparse import csr_array

        entries = table[self.members].tocoo()
        set_numbers = np.repeat(np.arange(self.n_distinct), np.diff(self.bounds))[entries.row]
        shape = (self.n_distinct, table.shape[1])
        if not len(set_numbers):
            return csr_array(shape, dtype=table.dtype)
        order = np.lexsort((entries.col, set_numbers))
        rows, columns = set_numbers[order], entries.col[order]
        starts = np.flatnonzero(np.diff(rows, prepend=-1) | np.diff(columns, prepend=-1))
        values = np.maximum.reduceat(entries.data[order], starts)
        return csr_array((values, (rows[starts], columns[starts])), shape=shape)


T = TypeVar("T")


class Texts:
    """Distinct texts by number, and cached results computed from them.

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
        self._originals: list[str | tuple[str, ...]] = []
        self._sentences: list[tuple[str, ...] | None] = []
        self._numbers: dict[str | tuple[str, ...], int] = {}
        self._memos: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self._originals)

    def __getitem__(self, number: int) -> tuple[str, ...]:
        """Return a text in sentences."""
        if self._sentences[number] is None:
            text = self._originals[number]
            self._sentences[number] = text if isinstance(text, tuple) else as_sentences(text)
        return self._sentences[number] or ()

    def original(self, number: int) -> str | tuple[str, ...]:
        """Return a text as it was passed in."""
        return self._originals[number]

    def plain(self, number: int) -> str:
        """Return a text as one string."""
        text = self._originals[number]
        return text if isinstance(text, str) else " ".join(text)

    def number(self, text: str | tuple[str, ...]) -> int:
        """Return the number of a text; a new text gets the next one."""
        number = self._numbers.setdefault(text, len(self._originals))
        if number == len(self._originals):
            self._originals.append(text)
            self._sentences.append(None)
            # Cached results do not cover this text.
            self._memos.clear()
        return number

    def memo(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the cached result of `make`, computed once for all metrics that need it."""
        if key not in self._memos:
            self._memos[key] = make()
        value: T = self._memos[key]
        return value

    def encoded(self, reading: Reading) -> Encoded:
        """Return all texts as word numbers, sentence by sentence.

        Sums over the words of a text are rounded alike, whatever the other texts are.
        """
        texts = (self[number] for number in range(len(self)))
        return self.memo(reading, lambda: encode(list(texts), **asdict(reading)).alphabetical)

    def counts(self, reading: Reading, n: int = 1) -> Sparse:
        """Count words or n-grams: one row per text, one column per word or n-gram.

        As in ROUGE, n-grams may cross sentence boundaries.
        """
        return self.memo((reading, n), lambda: _count(self.encoded(reading), n))


def _count(encoded_texts: Encoded, n: int) -> Sparse:
    text_of_ngram, indices = expanded(
        encoded_texts.starts[:-1], np.maximum(encoded_texts.lengths - n + 1, 0)
    )
    codes, words, n_codes = encoded_texts.ids[indices].astype(np.int64), len(encoded_texts.words), 1
    for offset in range(1, n):
        n_codes *= words
        if not _fits_in_64_bits(n_codes, words, len(encoded_texts)):
            distinct_codes, codes = np.unique(codes, return_inverse=True)
            n_codes = len(distinct_codes)
        codes = codes * words + encoded_texts.ids[indices + offset]
    return count_pairs_of_codes(
        text_of_ngram, codes, n_rows=len(encoded_texts), n_columns=words if n == 1 else None
    )[0]


#: The writers of a case's references, and of the earlier ones.
Writers = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class ScoringBatch:
    """Summaries to score, with their references and documents as text numbers.

    Parameters
    ----------
    texts
        All texts of the run.
    peers
        The text of each summary.
    references, documents, earlier
        What each summary is scored against: references by other writers, the documents it
        summarizes, and for an update the references of the task before it (by other writers).
    names
        Names of the cases in messages.
    owners
        The summary of each case, if one summary is scored in several ways.
    threads
        How many threads a metric may use; scores do not depend on it.
    writers
        The writers of each case's references and of the earlier ones, if known.
    collection, summaries
        The collection that the summaries belong to, if any.

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
            The summaries, each a text or a tuple of sentences.
        references, documents, earlier
            A list of texts for each summary; empty if no summary has any.
        names, threads
            See `ScoringBatch`; names are numbers by default.
        """
        texts = Texts()
        peer_numbers = np.array([texts.number(peer) for peer in peers], dtype=np.int64)
        text_sets: dict[str, Any] = {}
        lists_by_kind = {
            "references": references,
            "documents": documents,
            "earlier": earlier,
        }
        for kind, text_lists in lists_by_kind.items():
            _require_lists(kind, text_lists, len(peers))
            rows = text_lists or [()] * len(peers)
            text_sets[kind] = TextSets.of_lists(
                [texts.number(text) for text in row] for row in rows
            )
        names = names or [f"summary {row}" for row in range(len(peers))]
        return cls(texts, peer_numbers, **text_sets, names=names, threads=threads)

    @classmethod
    def of_collection(
        cls, collection: Collection, summaries: Sequence[Summary], *, threads: int = 1
    ) -> "ScoringBatch":
        """Make cases from summaries of a collection."""
        references = [other_references(collection, summary) for summary in summaries]
        earlier_references = [
            [
                reference
                for reference in collection.earlier_references(summary.topic, summary.task)
                if reference.system != summary.system
            ]
            for summary in summaries
        ]
        cases = cls.of_texts(
            [summary.text for summary in summaries],
            [
                [reference.text for reference in references_of_summary]
                for references_of_summary in references
            ],
            documents=[
                [document.text for document in collection.documents(summary.topic, summary.task)]
                for summary in summaries
            ],
            earlier=[
                [reference.text for reference in references_of_summary]
                for references_of_summary in earlier_references
            ],
            names=[summary.name for summary in summaries],
            threads=threads,
        )
        writers_of_lists = (
            [
                tuple(reference.system for reference in references_of_summary)
                for references_of_summary in rows
            ]
            for rows in (references, earlier_references)
        )
        writers = list(zip(*writers_of_lists, strict=True))
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
        """Which cases have content units, or references to build them from."""
        has_units = [self.units_of(case) is not None for case in range(len(self))]
        return np.array(has_units, dtype=np.bool_) | (self.references.sizes > 0)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Every case with each of its references, as two columns."""
        return self.references.pairs()

    @cached_property
    def compared(self) -> tuple[Ints, Ints, Ints]:
        """The distinct pairs of a summary's and a reference's text, and the index of each pair.

        Jackknifing does not change the distinct pairs.
        """
        rows, references = self.pairs
        codes = self.peers[rows] * len(self.texts) + references
        distinct_codes, indices = np.unique(codes, return_inverse=True)
        peers, models = np.divmod(distinct_codes, len(self.texts))
        return peers, models, indices

    def sum_over_references(self, values: Floats) -> Floats:
        """Sum values of `pairs` over each case's references."""
        rows, _ = self.pairs
        return np.asarray(np.bincount(rows, weights=values, minlength=len(self)))

    def mean_over_references(self, values: Floats) -> Floats:
        """Average values of `pairs` over each case's references; NaN if it has none."""
        return share(self.sum_over_references(values), self.references.sizes)

    def greatest_over_references(self, values: Floats) -> Floats:
        """Take the maximum of values of `pairs` over each case's references; NaN if it has none."""
        rows, _ = self.pairs
        greatest_values = np.full(len(self), np.nan)
        starts = np.flatnonzero(np.diff(rows, prepend=-1))
        if len(starts):
            greatest_values[rows[starts]] = np.maximum.reduceat(values, starts)
        return greatest_values

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

        Summaries with fewer than two references stay as they are. An earlier reference is left out
        together with the reference of the same writer, if known.
        """
        folds = [
            (row, *fold) for row in range(len(self)) for fold in self._folds(row, bool(chosen[row]))
        ]
        case_numbers = np.array([row for row, _, _ in folds], dtype=np.int64)
        return replace(
            self,
            peers=self.peers[case_numbers],
            references=TextSets.of_lists(references for _, references, _ in folds),
            documents=replace(self.documents, of=self.documents.of[case_numbers]),
            earlier=TextSets.of_lists(earlier_references for _, _, earlier_references in folds),
            names=[self.names[row] for row in case_numbers],
            owners=case_numbers,
            writers=(),
            summaries=[self.summaries[row] for row in case_numbers] if self.summaries else (),
        )

    def _folds(self, row: int, must_leave_out: bool) -> Iterator[tuple[list[int], list[int]]]:
        """Return the references and the earlier ones of each fold."""
        references = self.references[row].tolist()
        earlier_references = self.earlier[row].tolist()
        if not must_leave_out or len(references) < 2:
            yield references, earlier_references
            return
        writers, earlier_writers = self.writers[row] if self.writers else ((), ())
        for index in range(len(references)):
            writer = writers[index] if writers else None
            pairs = zip(earlier_references, earlier_writers, strict=False)
            # At least one earlier reference must remain.
            remaining_texts = [
                text for text, earlier_writer in pairs if earlier_writer != writer
            ] or earlier_references
            yield references[:index] + references[index + 1 :], remaining_texts


def other_references(collection: Collection, summary: Summary) -> tuple[Summary, ...]:
    """Return the references of a summary's topic by other writers."""
    references = collection.references(summary.topic, summary.task)
    return tuple(reference for reference in references if reference.system != summary.system)


def _require_lists(kind: str, text_lists: Sequence[object], n_summaries: int) -> None:
    if text_lists and len(text_lists) != n_summaries:
        hint = "pass one list per summary, in the same order"
        raise ShapeError(f"{n_summaries} summaries, but {len(text_lists)} lists of {kind}", hint)
    for row, texts in enumerate(text_lists):
        if isinstance(texts, str):
            raise ShapeError(f"{kind} of summary {row} must be a list, not a text", "put it in one")
