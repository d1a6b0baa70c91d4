"""Medians of long rows that change little by little, found among the values near the old ones."""

import numpy as np

from pyramidion._types import Bools, Floats, Ints

__all__ = ["RowMedians", "middle_values"]

# How far off a first guess may be, and later how far a median may move, as shares of it.
_FIRST_REACH, _LEAST_REACH, _MOST_REACH = 0.12, 0.005, 0.05
# A first guess looks at every eighth value.
_STRIDE = 8


class RowMedians:
    """Medians of the roots of rows of squares, without the smallest ones.

    Of each row only the values near its last median are sorted, after counting those below.
    Where the median has left that window, the whole row is. Both give the same.

    Parameters
    ----------
    dropped
        How many of the smallest values of each row do not count.
    masks
        Room for two truth values of each value.

    Examples
    --------
    >>> medians = RowMedians(np.array([0, 1]), masks=np.empty((2, 2, 3), dtype=bool))
    >>> medians.find(np.array([[9.0, 1.0, 4.0], [9.0, 1.0, 4.0]])).tolist()
    [2.0, 2.5]
    """

    def __init__(self, dropped: Ints, *, masks: Bools) -> None:
        length = masks.shape[2]
        self._lower: Ints = dropped + (length - dropped - 1) // 2
        self._upper: Ints = dropped + (length - dropped) // 2
        self._last: Floats | None = None
        self._reach = np.full(len(dropped), _FIRST_REACH)
        self._masks = masks

    def keep(self, rows: Bools) -> None:
        """Go on with some of the rows only."""
        self._lower, self._upper = self._lower[rows], self._upper[rows]
        self._reach = self._reach[rows]
        if self._last is not None:
            self._last = self._last[rows]

    def find(self, squares: Floats) -> Floats:
        """Give the median of each row; the rows are the same each time, or those kept."""
        guess = self._last
        if guess is None:
            guess = np.sqrt(middle_values(squares[:, ::_STRIDE]))
        found = self._near(squares, guess)
        far = np.isnan(found)
        if far.any():
            ordered = np.sort(squares[far], axis=1)
            found[far] = _between(ordered, self._lower[far], self._upper[far])
        if self._last is None:
            self._reach[:] = _MOST_REACH
        else:
            moved = 2 * np.abs(found - guess) / np.maximum(found, np.finfo(np.float64).tiny)
            self._reach = np.clip(moved, _LEAST_REACH, _MOST_REACH)
        self._last = found
        return found

    def _near(self, squares: Floats, guess: Floats) -> Floats:
        """Find the medians that lie in the windows around the guesses; NaN for the others."""
        below, within = self._masks[:, : len(squares)]
        np.less(squares, np.square(guess * (1 - self._reach))[:, None], out=below)
        np.less(squares, np.square(guess * (1 + self._reach))[:, None], out=within)
        before = below.view(np.uint8).sum(axis=1, dtype=np.int32)
        np.logical_xor(below, within, out=within)
        near, counts = _ordered_values(squares, within)
        lower, upper = self._lower - before, self._upper - before
        inside = (lower >= 0) & (upper < counts)
        found = np.full(len(squares), np.nan)
        found[inside] = _between(near[inside], lower[inside], upper[inside])
        return found


def _ordered_values(rows: Floats, chosen: Bools) -> tuple[Floats, Ints]:
    """Sort the chosen values of each row, and count them; rows are filled up with infinity."""
    places = np.flatnonzero(chosen)
    row = places // rows.shape[1]
    counts = np.bincount(row, minlength=len(rows))
    starts = np.cumsum(counts) - counts
    values = np.full((len(rows), int(counts.max())), np.inf)
    values[row, np.arange(len(places)) - starts[row]] = rows.ravel()[places]
    values.sort(axis=1)
    return values, counts


def _between(ordered: Floats, lower: Ints, upper: Ints) -> Floats:
    rows = np.arange(len(ordered))
    middle: Floats = (np.sqrt(ordered[rows, lower]) + np.sqrt(ordered[rows, upper])) / 2
    return middle


def middle_values(rows: Floats) -> Floats:
    """Give the median of each row.

    Examples
    --------
    >>> middle_values(np.array([[3.0, 1.0, 2.0, 7.0]])).tolist()
    [2.5]
    """
    half = rows.shape[1] // 2
    # NumPy parts at one place several times faster than at the two that its median asks for.
    parted = np.partition(rows, half, axis=1)
    upper: Floats = parted[:, half]
    return upper if rows.shape[1] % 2 else (upper + parted[:, :half].max(axis=1)) / 2
