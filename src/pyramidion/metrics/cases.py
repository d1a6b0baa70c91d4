"""What metrics score: summaries, each with what it is scored against."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pyramidion.collection import Collection, Summary
from pyramidion.errors import ShapeError
from pyramidion.metrics.texts import Texts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Cases", "TextSets", "others_of"]

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TextSets:
    """For every case a set of texts; equal sets are there once.

    Parameters
    ----------
    members
        The texts of each different set, one set after the other.
    bounds
        Where each set begins in `members`, and the end.
    of
        The set of each case.

    Examples
    --------
    >>> sets = TextSets.of_lists([[3, 4], [4], [3, 4], []])
    >>> len(sets), sets.of.tolist(), sets.sizes.tolist()
    (3, [0, 1, 0, 2], [2, 1, 2, 0])
    >>> [column.tolist() for column in sets.pairs()]
    [[0, 0, 1, 2, 2], [3, 4, 4, 3, 4]]
    """

    members: Numbers
    bounds: Numbers
    of: Numbers

    @classmethod
    def of_lists(cls, lists: Iterable[Sequence[int]]) -> "TextSets":
        """Make them of lists of numbers of texts."""
        numbers: dict[tuple[int, ...], int] = {}
        of = [numbers.setdefault(tuple(own), len(numbers)) for own in lists]
        members = [text for own in numbers for text in own]
        bounds = np.cumsum([0, *map(len, numbers)])
        return cls(np.array(members, dtype=np.int64), bounds, np.array(of, dtype=np.int64))

    def __len__(self) -> int:
        """Count the different sets."""
        return len(self.bounds) - 1

    def __getitem__(self, number: int) -> Numbers:
        """Give the texts of a set."""
        return self.members[self.bounds[number] : self.bounds[number + 1]]

    @property
    def sizes(self) -> Numbers:
        """How many texts the set of each case has."""
        return np.diff(self.bounds)[self.of]

    def pairs(self) -> tuple[Numbers, Numbers]:
        """Give every case with every text of its set, as two columns."""
        cases = np.repeat(np.arange(len(self.of)), self.sizes)
        first = np.cumsum(self.sizes) - self.sizes
        places = np.arange(len(cases)) - np.repeat(first - self.bounds[self.of], self.sizes)
        return cases, self.members[places]

    def summed(self, table: "csr_array[np.int64]") -> "csr_array[np.int64]":
        """Add up the rows of each different set's texts; one row a set."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.members), dtype=table.dtype)
        chosen = csr_array((ones, self.members, self.bounds), shape=(len(self), table.shape[0]))
        return chosen @ table

    def greatest(self, table: "csr_array[np.int64]") -> "csr_array[np.int64]":
        """Take the greatest entry among the rows of each different set's texts; one row a set."""
        from scipy.sparse import csr_array

        entries = table[self.members].tocoo()
        owners = np.repeat(np.arange(len(self)), np.diff(self.bounds))[entries.row]
        shape = (len(self), table.shape[1])
        if not len(owners):
            return csr_array(shape, dtype=table.dtype)
        order = np.lexsort((entries.col, owners))
        rows, columns = owners[order], entries.col[order]
        first = np.flatnonzero(np.diff(rows, prepend=-1) | np.diff(columns, prepend=-1))
        values = np.maximum.reduceat(entries.data[order], first)
        return csr_array((values, (rows[first], columns[first])), shape=shape)


@dataclass(frozen=True)
class Cases:
    """Summaries to be scored, with their references and documents as numbers of texts.

    Parameters
    ----------
    texts
        All texts of the run.
    peers
        The text of each summary.
    references, documents, earlier
        What each summary is scored against: references (never its writer's own), the documents
        it summarizes, and for an update the references of what was known before.
    names
        What the cases are called in messages.
    owners
        The summary each case belongs to, where one summary is scored in several ways.
    threads
        How many threads a metric may use; no score depends on it.

    Examples
    --------
    >>> cases = Cases.of_texts(["Rain fell."], [["It rained.", "Rain."]])
    >>> len(cases), cases.references[0].tolist(), cases.texts.plain(1)
    (1, [1, 2], 'It rained.')
    """

    texts: Texts
    peers: Numbers
    references: TextSets
    documents: TextSets
    earlier: TextSets
    names: Sequence[str] = field(repr=False)
    owners: Numbers | None = None
    threads: int = 1

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
    ) -> "Cases":
        """Make cases of lists of the same length.

        Parameters
        ----------
        peers
            The summaries; a text, or a tuple of sentences.
        references, documents, earlier
            For each summary a list of texts; nothing if there are none at all.
        names
            What they are called in messages; numbers if not given.
        """
        texts = Texts()
        numbers = np.array([texts.number(peer) for peer in peers], dtype=np.int64)
        lists = {"references": references, "documents": documents, "earlier": earlier}
        for what, given in lists.items():
            if given and len(given) != len(peers):
                raise ShapeError(
                    f"{len(peers)} summaries, but {len(given)} lists of {what}",
                    hint="give one list for each summary, in the same order",
                )
        sets = {
            what: TextSets.of_lists(
                [texts.number(text) for text in own] for own in given or [()] * len(peers)
            )
            for what, given in lists.items()
        }
        called = names or [f"summary {row}" for row in range(len(peers))]
        return cls(
            texts, numbers, sets["references"], sets["documents"], sets["earlier"], names=called
        )

    @classmethod
    def of_collection(
        cls, collection: Collection, summaries: Sequence[Summary], *, threads: int = 1
    ) -> "Cases":
        """Make cases of summaries of a collection.

        Parameters
        ----------
        collection
            Where their references and documents are.
        summaries
            The summaries to be scored.
        threads
            How many threads a metric may use.
        """
        cases = cls.of_texts(
            [s.text for s in summaries],
            [[r.text for r in others_of(collection, s)] for s in summaries],
            documents=[[d.text for d in collection.documents(s.topic, s.task)] for s in summaries],
            earlier=[
                [r.text for r in collection.earlier_references(s.topic, s.task)] for s in summaries
            ],
            names=[s.name for s in summaries],
        )
        return replace(cases, threads=threads)

    @cached_property
    def pairs(self) -> tuple[Numbers, Numbers]:
        """Every case with each of its references, as two columns."""
        return self.references.pairs()

    @cached_property
    def compared(self) -> tuple[Numbers, Numbers, Numbers]:
        """The different pairs of a summary's and a reference's text, and which each of `pairs` is.

        Jackknifed cases and the cases they were made of have the same different pairs.
        """
        rows, references = self.pairs
        codes = self.peers[rows] * len(self.texts) + references
        different, places = np.unique(codes, return_inverse=True)
        peers, models = np.divmod(different, len(self.texts))
        return peers, models, places

    def mean_over_references(self, values: Floats) -> Floats:
        """Average what was computed for `pairs` over each case's references; NaN if none."""
        rows, _ = self.pairs
        sums = np.bincount(rows, weights=values, minlength=len(self))
        sizes = self.references.sizes
        means = np.full(len(self), np.nan)
        np.divide(sums, sizes, out=means, where=sizes > 0)
        return means

    def jackknifed(self, chosen: npt.NDArray[np.bool_]) -> "Cases":
        """Score the chosen summaries against all references but one, in turn.

        Parameters
        ----------
        chosen
            Which summaries; those with one reference or none are left as they are.
        """
        folds = [
            (row, fold) for row in range(len(self)) for fold in self._folds(row, bool(chosen[row]))
        ]
        owners = np.array([row for row, _ in folds], dtype=np.int64)
        return replace(
            self,
            peers=self.peers[owners],
            references=TextSets.of_lists(fold for _, fold in folds),
            documents=replace(self.documents, of=self.documents.of[owners]),
            earlier=replace(self.earlier, of=self.earlier.of[owners]),
            names=[self.names[row] for row in owners],
            owners=owners,
        )

    def _folds(self, row: int, chosen: bool) -> Iterator[list[int]]:
        own = self.references[self.references.of[row]].tolist()
        if not chosen or len(own) < 2:
            yield own
            return
        for place in range(len(own)):
            yield own[:place] + own[place + 1 :]


def others_of(collection: Collection, summary: Summary) -> tuple[Summary, ...]:
    """Give the references of a summary's topic that its own writer did not write."""
    references = collection.references(summary.topic, summary.task)
    return tuple(r for r in references if r.system != summary.system)
