"""Which columns belong together, and all subsets of these groups, as numbers and as columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.errors import InputError

__all__ = ["MOST_COLUMNS", "MOST_GROUPS", "Block", "Masks", "Members", "Subsets"]

#: More than these have more subsets than can be tried.
MOST_GROUPS, MOST_COLUMNS = 16, 48

#: Subsets as numbers: bit g tells whether group g is in.
Masks = Ints
Members = Bools


@dataclass(frozen=True, slots=True)
class Block:
    """Subsets that have some groups in common and differ in a few others.

    Attributes
    ----------
    masks
        The subsets; the first has none of the groups in which they differ.
    always
        The columns that are in all of them.
    sometimes
        The groups in which they differ, as columns; subset number i has those of the bits of i.
    """

    masks: Masks
    always: tuple[int, ...]
    sometimes: tuple[tuple[int, ...], ...]

    @property
    def columns(self) -> list[int]:
        """All columns that any of the subsets has, in order."""
        return sorted({*self.always, *(column for group in self.sometimes for column in group)})


@dataclass(frozen=True, slots=True)
class Subsets:
    """All non-empty subsets of some groups of columns.

    Parameters
    ----------
    groups
        The columns of each group.
    width
        How many columns there are.

    Examples
    --------
    >>> subsets = Subsets.of(3, [[0, 2], [1]])
    >>> subsets.masks.tolist()
    [1, 2, 3]
    >>> subsets.members(subsets.masks).astype(int).tolist()
    [[1, 0, 1], [0, 1, 0], [1, 1, 1]]
    """

    groups: tuple[tuple[int, ...], ...]
    width: int

    @classmethod
    def of(cls, width: int, groups: Sequence[Sequence[int]] | None) -> "Subsets":
        """Check groups of columns; without groups each column is one.

        Examples
        --------
        >>> Subsets.of(3, [[0], [0, 1]])
        Traceback (most recent call last):
        pyramidion.errors.InputError: column 0 is in 2 groups; put each in one
        """
        if groups is None:
            groups = [[column] for column in range(width)]
        for number, group in enumerate(groups):
            if not len(group):
                raise InputError(f"group {number} has no columns", hint="take it out")
        named = [int(column) for group in groups for column in group]
        for column in sorted({*range(width), *named}):
            if not 0 <= column < width:
                raise InputError(
                    f"a group names column {column}", hint=f"there are columns 0 to {width - 1}"
                )
            if named.count(column) != 1:
                raise InputError(
                    f"column {column} is in {named.count(column)} groups", hint="put each in one"
                )
        if len(groups) > MOST_GROUPS or width > MOST_COLUMNS:
            raise InputError(
                f"{len(groups)} groups of {width} columns have {2 ** len(groups) - 1:,} subsets",
                hint=f"{MOST_GROUPS} groups of {MOST_COLUMNS} columns are the most",
            )
        return cls(tuple(tuple(int(column) for column in group) for group in groups), width)

    @property
    def masks(self) -> Masks:
        """All subsets, as numbers."""
        return np.arange(1, 1 << len(self.groups), dtype=np.int64)

    def sizes(self, masks: Masks) -> Ints:
        """Count the groups of each subset.

        Examples
        --------
        >>> Subsets.of(2, None).sizes(np.array([1, 2, 3])).tolist()
        [1, 1, 2]
        """
        sizes: Ints = self._bits(masks).sum(axis=1, dtype=np.int64)
        return sizes

    def members(self, masks: Masks) -> Members:
        """Tell for each subset (row) which columns it has.

        Examples
        --------
        >>> Subsets.of(3, [[0, 2], [1]]).members(np.array([1])).tolist()
        [[True, False, True]]
        """
        group_of = np.empty(self.width, dtype=np.intp)
        for number, group in enumerate(self.groups):
            group_of[list(group)] = number
        return self._bits(masks)[:, group_of]

    def _bits(self, masks: Masks) -> Members:
        bits: Members = (masks[:, None] >> np.arange(len(self.groups))) & 1 == 1
        return bits

    def blocks(self, differ: int) -> Iterator[Block]:
        """Cut all subsets, and the empty one, into blocks that differ in this many groups.

        These are the narrowest groups, so that the subsets of a block have few columns together.

        Examples
        --------
        >>> [block.masks.tolist() for block in Subsets.of(3, [[0, 2], [1]]).blocks(1)]
        [[0, 2], [1, 3]]
        """
        order = sorted(range(len(self.groups)), key=lambda group: len(self.groups[group]))
        narrow, wide = order[:differ], order[differ:]
        low = _all_masks(narrow)
        for number, high in enumerate(_all_masks(wide).tolist()):
            chosen = [group for bit, group in enumerate(wide) if number >> bit & 1]
            always = tuple(column for group in chosen for column in self.groups[group])
            yield Block(low + high, always, tuple(self.groups[group] for group in narrow))


def _all_masks(groups: Sequence[int]) -> Masks:
    masks = np.zeros(1, dtype=np.int64)
    for group in groups:
        masks = np.concatenate([masks, masks + (1 << group)])
    return masks
