"""Agreement of two raters: percent agreement, Cohen's kappa and Scott's pi."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import choice

__all__ = ["Agreement", "KappaWeights", "cohen_kappa", "percent_agreement", "scott_pi"]

KappaWeights = Literal["none", "linear", "quadratic"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two raters beyond chance.

    Attributes
    ----------
    value
        1 for perfect agreement, 0 for what chance would give.
    observed, expected
        The share of agreement, weighted if asked for, and what chance would give.
    n
        The number of items.
    unanimous
        Whether both raters gave all items one and the same label. Nothing could then have shown
        a disagreement; the coefficient, 0/0 by the formula, is defined as 1.

    Examples
    --------
    >>> cohen_kappa(["a", "a"], ["a", "a"])
    Agreement(value=1.0, observed=1.0, expected=1.0, n=2, unanimous=True)
    """

    value: float
    observed: float
    expected: float
    n: int
    unanimous: bool


def percent_agreement(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Share of items that two raters gave the same label.

    Parameters
    ----------
    first, second
        One label an item: numbers or words.

    Examples
    --------
    >>> percent_agreement(["yes", "no", "yes", "no"], ["yes", "no", "no", "no"])
    0.75
    """
    return _chance_corrected(_table(first, second), "none", pooled=False).observed


def cohen_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, *, weights: KappaWeights = "none"
) -> Agreement:
    r"""Cohen's kappa, :math:`(p_o - p_e) / (1 - p_e)`.

    Chance agreement :math:`p_e` lets each rater keep the distribution of her own labels.

    Parameters
    ----------
    first, second
        One label an item: numbers or words.
    weights
        ``none``: labels agree or do not. ``linear`` and ``quadratic``: partial agreement
        :math:`1 - (d/(k-1))^{1, 2}` for labels d places apart among the k that occur, sorted.

    References
    ----------
    J. Cohen. Weighted kappa. Psychological Bulletin 70(4), 1968.

    Examples
    --------
    >>> round(cohen_kappa([1, 1, 0, 0], [1, 0, 0, 0]).value, 3)
    0.5
    """
    choice(weights, "weights", KappaWeights)
    return _chance_corrected(_table(first, second), weights, pooled=False)


def scott_pi(
    first: npt.ArrayLike, second: npt.ArrayLike, *, weights: KappaWeights = "none"
) -> Agreement:
    """Scott's pi: as Cohen's kappa, but chance agreement uses the pooled labels of both raters.

    The kappa of the pyramid papers, with equal distributions of both coders, is this one
    (reading 26).

    Parameters
    ----------
    first, second
        One label an item: numbers or words.
    weights
        As in :func:`cohen_kappa`.

    References
    ----------
    W. A. Scott. Reliability of content analysis. Public Opinion Quarterly 19(3), 1955.

    Examples
    --------
    >>> round(scott_pi([1, 1, 0, 0], [1, 0, 0, 0]).value, 3)
    0.467
    """
    choice(weights, "weights", KappaWeights)
    return _chance_corrected(_table(first, second), weights, pooled=True)


def _table(first: npt.ArrayLike, second: npt.ArrayLike) -> Floats:
    """Count how often each pair of labels was given; labels sorted, first rater down."""
    a, b = _labels(first, "first"), _labels(second, "second")
    if len(a) != len(b):
        raise ShapeError(
            f"`first` has {len(a)} labels and `second` {len(b)}", hint="give one of each per item"
        )
    if len({isinstance(label, str) for label in (*a, *b)}) > 1:
        raise InputError("both words and numbers as labels", hint="use one kind")
    _, codes = np.unique([*a, *b], return_inverse=True)
    k = int(codes.max()) + 1
    cells = codes[: len(a)] * k + codes[len(a) :]
    return np.bincount(cells, minlength=k * k).reshape(k, k).astype(np.float64)


def _labels(labels: npt.ArrayLike, name: str) -> list[Any]:
    # As objects, because NumPy would turn the number 1 among words into the word "1".
    array = np.asarray(labels, dtype=object)
    if array.ndim != 1 or not len(array):
        raise ShapeError(f"`{name}` has the shape {array.shape}", hint="give one label per item")
    given: list[Any] = array.tolist()
    missing = [label is None or (isinstance(label, float) and math.isnan(label)) for label in given]
    if any(missing):
        raise InputError(
            f"`{name}` has no label at position {missing.index(True)}",
            hint="take out items that only one rater labelled",
        )
    return given


def _chance_corrected(table: Floats, weights: KappaWeights, *, pooled: bool) -> Agreement:
    n, k = float(table.sum()), len(table)
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / max(1, k - 1)
    power = {"none": 0, "linear": 1, "quadratic": 2}[weights]
    credit = 1 - distance**power if power else np.eye(k)
    rows, columns = table.sum(axis=1) / n, table.sum(axis=0) / n
    if pooled:
        rows = columns = (rows + columns) / 2
    observed, expected = float((credit * table).sum() / n), float(rows @ credit @ columns)
    value = 1.0 if k == 1 else (observed - expected) / (1 - expected)
    return Agreement(value, observed, expected, int(n), unanimous=k == 1)
