"""The pairs of a comparison as square arrays in the order of the ranking."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion.errors import InputError
from pyramidion.evaluation._meta.result import MetricPair
from pyramidion.evaluation.comparison import Comparison, ComparisonResult

__all__ = ["PairArrays", "cluster_ends", "pair_arrays", "square_pairs"]


@dataclass(frozen=True, slots=True)
class PairArrays:
    """Every pair twice: row against column, and column against row.

    Parameters
    ----------
    compared
        Whether the pair was compared.
    p
        The adjusted p-value; NaN where the pair was not compared or p is undefined.
    direction
        1 where the row's mean is the higher one, -1 where the column's is, 0 where they are equal.
    significant
        Whether the pair is significantly different after correction.
    """

    compared: npt.NDArray[np.bool_]
    p: npt.NDArray[np.float64]
    direction: npt.NDArray[np.int8]
    significant: npt.NDArray[np.bool_]

    @property
    def undefined(self) -> npt.NDArray[np.bool_]:
        """Where a pair was compared without a p-value."""
        return self.compared & np.isnan(self.p)

    @property
    def baseline(self) -> int | None:
        """The position of the one system all others were compared with, if there is one."""
        partners = self.compared.sum(axis=1)
        hub = int(partners.argmax())
        others = np.delete(partners, hub)
        alone = len(others) > 1 and partners[hub] == len(others) and (others == 1).all()
        return hub if alone else None

    @property
    def outcome(self) -> npt.NDArray[np.int8]:
        """1 where the row is significantly higher, -1 where it is lower, 0 elsewhere."""
        return np.where(self.significant, self.direction, 0).astype(np.int8)


def pair_arrays(result: ComparisonResult) -> PairArrays:
    """Lay out a comparison's pairs.

    Examples
    --------
    >>> from pyramidion.evaluation.comparison import Comparison, PairCounts, SystemResult
    >>> ranking = (SystemResult("7", "machine", 3, 2, 4, 9, 1, "a"),
    ...            SystemResult("8", "machine", 1, 0, 2, 9, 2, "b"))
    >>> pair = Comparison("7", "8", 9, 2.0, 3.1, 0.01, 0.01, 0.8)
    >>> one = PairCounts(1, 1, 1)
    >>> result = ComparisonResult("m", "", "paired-t", 0.05, "none", None, 0, one, one,
    ...                           ranking, (pair,))
    >>> pair_arrays(result).outcome.tolist()
    [[0, 1], [-1, 0]]
    """
    if not result.systems:
        raise InputError("there are no systems to draw", hint="compare at least two")
    names = [system.system for system in result.systems]
    return square_pairs(names, result.comparisons, alpha=result.alpha)


def square_pairs(
    names: Sequence[str], pairs: Iterable[Comparison | MetricPair], *, alpha: float
) -> PairArrays:
    """Lay out pairs of anything that was ranked.

    Parameters
    ----------
    names
        What was ranked, in order.
    pairs
        Its pairs.
    alpha
        The level of significance.
    """
    place = {name: number for number, name in enumerate(names)}
    shape = (len(place), len(place))
    compared, significant = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    p, direction = np.full(shape, np.nan), np.zeros(shape, np.int8)
    for pair in pairs:
        a, b = place[pair.a], place[pair.b]
        compared[a, b] = compared[b, a] = True
        p[a, b] = p[b, a] = pair.p_adjusted
        significant[a, b] = significant[b, a] = pair.p_adjusted <= alpha
        direction[a, b] = np.sign(np.nan_to_num(pair.difference))
        direction[b, a] = -direction[a, b]
    return PairArrays(compared, p, direction, significant)


def cluster_ends(significant: npt.NDArray[np.bool_]) -> list[int]:
    """Find where the ranking falls apart: all above a line differ from all below it.

    Parameters
    ----------
    significant
        Which pairs differ, rows and columns in the order of the ranking.

    Returns
    -------
    list of int
        The position of the first system below each line.

    Examples
    --------
    >>> cluster_ends(np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool))
    [2]
    """
    return [end for end in range(1, len(significant)) if significant[:end, end:].all()]
