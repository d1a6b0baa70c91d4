"""Two-way layouts: values that each stand at one level of two factors."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import matrix, vector

__all__ = ["Labels", "Layout", "linked_rows", "read_layout"]

#: The level of each value.
Labels = Sequence[Hashable] | npt.NDArray[np.generic]

Levels = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Values with their places.

    Parameters
    ----------
    y
        The values that are there.
    first, second
        The position of each value's level.
    first_levels, second_levels
        What the levels are called.
    missing
        How many values were NaN.

    Examples
    --------
    >>> read_layout([[1, 2], [3, float("nan")]]).counts.tolist()
    [[1, 1], [1, 0]]
    """

    y: Floats
    first: Ints
    second: Ints
    first_levels: Levels
    second_levels: Levels
    missing: int

    @property
    def counts(self) -> Ints:
        """How many values each pair of levels has."""
        counts = np.zeros((len(self.first_levels), len(self.second_levels)), dtype=np.int64)
        np.add.at(counts, (self.first, self.second), 1)
        return counts


def read_layout(
    values: npt.ArrayLike, first: Labels | None = None, second: Labels | None = None
) -> Layout:
    """Bring a matrix, or a list of values with labels, into one form.

    Parameters
    ----------
    values
        A matrix whose columns are the first factor and rows the second, or a list.
    first, second
        For a list: the level of each value.

    Returns
    -------
    Layout
        In which every level has a value, and all are linked by shared levels.

    Examples
    --------
    >>> read_layout([3, 4, 5], ["B", "A", "A"], [1, 1, 2]).first_levels
    ('A', 'B')
    """
    layout = _labelled(values, first, second) if first is not None else _table(values, second)
    if not len(layout.y):
        raise InputError("`values` has no value")
    _require_values(layout)
    _require_links(layout)
    return layout


def _table(values: npt.ArrayLike, second: Labels | None) -> Layout:
    if second is not None:
        raise InputError("one factor is given", hint="give the levels of both, or a matrix")
    table = matrix(values, "values")
    rows, columns = np.indices(table.shape).reshape(2, -1)
    return _present(table.ravel(), columns, rows, range(table.shape[1]), range(table.shape[0]))


def _labelled(values: npt.ArrayLike, first: Labels, second: Labels | None) -> Layout:
    if second is None:
        raise InputError("one factor is given", hint="give the levels of both, or a matrix")
    y = vector(values, "values", nan=True)
    for name, labels in (("first", first), ("second", second)):
        if len(labels) != len(y):
            raise ShapeError(f"`{name}` has {len(labels)} levels for {len(y)} values")
    (a, a_levels), (b, b_levels) = _coded(first), _coded(second)
    return _present(y, a, b, a_levels, b_levels)


def _coded(labels: Labels) -> tuple[Ints, Sequence[Hashable]]:
    """Give labels numbers in their order, or in that of their texts where they have none."""
    try:
        levels = sorted(set(labels))
    except TypeError:
        levels = sorted(set(labels), key=str)
    place = {level: i for i, level in enumerate(levels)}
    return np.array([place[label] for label in labels], dtype=np.int64), levels


def _present(
    y: Floats, a: Ints, b: Ints, a_levels: Sequence[Hashable], b_levels: Sequence[Hashable]
) -> Layout:
    there = ~np.isnan(y)
    missing = int((~there).sum())
    return Layout(y[there], a[there], b[there], tuple(a_levels), tuple(b_levels), missing)


def _require_values(layout: Layout) -> None:
    for factor, levels, places in (
        ("first", layout.first_levels, layout.first),
        ("second", layout.second_levels, layout.second),
    ):
        empty = sorted(set(range(len(levels))) - set(places.tolist()))
        if empty:
            raise InputError(
                f"level {levels[empty[0]]!r} of the {factor} factor has no value",
                hint="take it out",
            )


def _require_links(layout: Layout) -> None:
    linked = linked_rows(layout.counts)
    if not linked.all():
        one, other = layout.first_levels[0], layout.first_levels[int(np.argmin(linked))]
        raise InputError(
            f"levels {one!r} and {other!r} of the first factor share no level of the second",
            hint="not even through others: take one out",
        )


def linked_rows(counts: npt.ArrayLike) -> Bools:
    """Tell which rows are linked to row 0 by shared columns, directly or through other rows.

    Examples
    --------
    >>> linked_rows([[1, 0, 0], [1, 2, 0], [0, 0, 1]]).tolist()
    [True, True, False]
    """
    there = np.asarray(counts) > 0
    linked: Bools = np.arange(len(there)) == 0
    while True:
        wider = linked | there[:, there[linked].any(axis=0)].any(axis=1)
        if np.array_equal(wider, linked):
            return linked
        linked = wider
