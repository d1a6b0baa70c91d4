"""Sets of texts that many summaries share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Ints
from pyramidion.metrics.sparse import Sparse
from pyramidion.text.encoding import Encoded

__all__ = ["TextSets"]


@dataclass(frozen=True, eq=False)
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

    members: Ints
    bounds: Ints
    of: Ints

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

    def __getitem__(self, number: int) -> Ints:
        """Give the texts of a set."""
        return self.members[self.bounds[number] : self.bounds[number + 1]]

    @property
    def sizes(self) -> Ints:
        """How many texts the set of each case has."""
        return np.diff(self.bounds)[self.of]

    def pairs(self) -> tuple[Ints, Ints]:
        """Give every case with every text of its set, as two columns."""
        cases = np.repeat(np.arange(len(self.of)), self.sizes)
        first = np.cumsum(self.sizes) - self.sizes
        places = np.arange(len(cases)) - np.repeat(first - self.bounds[self.of], self.sizes)
        return cases, self.members[places]

    def sentences(self, number: int, encoded: Encoded) -> list[npt.NDArray[np.int32]]:
        """Give the sentences of a set's texts, each as numbers of words."""
        return [own for text in self[number].tolist() for own in encoded.sentences_of(text)]

    def summed(self, table: Sparse) -> Sparse:
        """Add up the rows of each different set's texts; one row a set."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.members), dtype=table.dtype)
        chosen = csr_array((ones, self.members, self.bounds), shape=(len(self), table.shape[0]))
        sums = chosen @ table
        # Products come out of order, which some of SciPy's operations mend and some do not.
        sums.sort_indices()
        return sums

    def greatest(self, table: Sparse) -> Sparse:
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
