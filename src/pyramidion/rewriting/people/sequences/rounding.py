"""What rounded tables allow: rows that do not sum to 1, and limits computed from them."""

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats

__all__ = ["reachable_limits", "reaches", "shared_out"]

# Numbers that were rounded are within half a unit of their last digit, and a bit for the computer.
_SLACK = 1e-9


def shared_out(rows: npt.ArrayLike) -> Floats:
    """Share what a row lacks, or has too much, equally among its cells that are not 0.

    Dividing by the sum instead would change large cells most, and can take them out of what rounds
    to the number printed: 0.24 and 0.75 can only have been 0.245 and 0.755.

    Parameters
    ----------
    rows
        One row or several of probabilities that were rounded.

    Examples
    --------
    >>> shared_out([0.24, 0.75]).round(4).tolist()
    [0.245, 0.755]
    """
    table = np.asarray(rows, dtype=np.float64)
    there = table > 0
    lacking = 1 - table.sum(axis=-1, keepdims=True)
    mended: Floats = table + there * lacking / np.maximum(there.sum(axis=-1, keepdims=True), 1)
    return mended


def reachable_limits(rows: npt.ArrayLike, *, unit: float = 0.01) -> Floats:
    """Give the least and greatest limit of each state, whatever the rounded numbers were.

    The shares :math:`y_{ij}` of steps from i to j are linear in everything that is known of them,
    so that the ends are exact.

    Parameters
    ----------
    rows
        Transition probabilities as printed.
    unit
        The unit of their last digit.

    Returns
    -------
    numpy.ndarray
        2 x states.

    Examples
    --------
    >>> reachable_limits([[0.44, 0.56], [0.24, 0.75]]).round(4).tolist()
    [[0.3025, 0.6937], [0.3063, 0.6975]]
    """
    table = np.asarray(rows, dtype=np.float64)
    size = len(table)
    ends = [
        [sign * _least(table, unit, sign * _into(state, size)) for state in range(size)]
        for sign in (1, -1)
    ]
    return np.array(ends)


def reaches(
    rows: npt.ArrayLike, limit: npt.ArrayLike, *, unit: float = 0.01, limit_unit: float = 0.0001
) -> bool:
    """Tell whether one and the same chain rounds to these rows and to this limit.

    Parameters
    ----------
    rows
        Transition probabilities as printed.
    limit
        The limit of the first states as printed; one state fewer than there are may be given.
    unit, limit_unit
        The units of their last digits.

    Examples
    --------
    >>> reaches([[0.44, 0.56], [0.24, 0.75]], [0.3043, 0.6957])
    True
    >>> reaches([[0.44, 0.56], [0.24, 0.75]], [0.3000, 0.7000])
    False
    """
    table = np.asarray(rows, dtype=np.float64)
    printed = np.asarray(limit, dtype=np.float64)
    into = np.array([_into(state, len(table)) for state in range(len(printed))])
    half = limit_unit / 2 + _SLACK
    bounds = np.vstack([into, -into]), np.concatenate([printed + half, half - printed])
    return bool(np.isfinite(_least(table, unit, np.zeros(table.size), bounds)))


def _into(state: int, size: int) -> Floats:
    """Pick out the steps into a state, whose sum is its share."""
    picked = np.zeros((size, size))
    picked[:, state] = 1
    return picked.ravel()


def _least(
    table: Floats, unit: float, goal: Floats, more: tuple[Floats, Floats] | None = None
) -> float:
    """Minimize a sum of steps over all chains that round to the table; NaN if there is none."""
    from scipy.optimize import linprog

    size = len(table)
    out_of = np.repeat(np.eye(size), size, axis=1)
    into = np.tile(np.eye(size), size)
    shares = np.repeat(out_of, size, axis=0).reshape(size, size, -1)
    cells = np.eye(size * size).reshape(size, size, -1)
    low, high = np.maximum(table - unit / 2 - _SLACK, 0), table + unit / 2 + _SLACK
    rounded = np.concatenate(
        [(cells - high[..., None] * shares), (low[..., None] * shares - cells)]
    ).reshape(-1, size * size)
    above, limit = (rounded, np.zeros(len(rounded)))
    if more is not None:
        above, limit = np.vstack([above, more[0]]), np.concatenate([limit, more[1]])
    equal = np.vstack([out_of - into, np.ones(size * size)])
    found = linprog(goal, above, limit, equal, [*np.zeros(size), 1.0], bounds=(0, None))
    return np.nan if found.fun is None else float(found.fun)
