"""Distributions of scores on a scale: of machines, of humans, of one document."""

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import vector

__all__ = ["blend", "distribution", "frequencies", "given_document"]


def distribution(p: npt.ArrayLike, name: str) -> Floats:
    """Check probabilities.

    Examples
    --------
    >>> distribution([0.5, 0.6], "p_human")
    Traceback (most recent call last):
    pyramidion.errors.InputError: `p_human` sums to 1.1; divide by the sum
    """
    array = vector(p, name, least=2)
    if (array < 0).any():
        raise InputError(f"`{name}` has a negative probability")
    if abs(array.sum() - 1) > 1e-6:
        raise InputError(f"`{name}` sums to {array.sum():.6g}", hint="divide by the sum")
    normed: Floats = array / array.sum()
    return normed


def blend(p_machine: npt.ArrayLike, p_human: npt.ArrayLike, t: float) -> Floats:
    """Give (1 - t) p_M + t p_H.

    Parameters
    ----------
    p_machine, p_human
        Probabilities of the possible scores.
    t
        From 0 (machines) to 1 (humans).

    Examples
    --------
    >>> blend([0.8, 0.2], [0.4, 0.6], 0.5).round(3).tolist()
    [0.6, 0.4]
    """
    machine, human = distribution(p_machine, "p_machine"), distribution(p_human, "p_human")
    if len(machine) != len(human):
        raise ShapeError(
            f"`p_machine` has {len(machine)} probabilities and `p_human` {len(human)}",
            hint="give one for each possible score, 0 where it never occurs",
        )
    if not 0 <= t <= 1:
        raise InputError(f"`t` is {t}", hint="give numbers from 0 to 1")
    blended: Floats = (1 - t) * machine + t * human
    return blended


def given_document(
    p: npt.ArrayLike, p_document: npt.ArrayLike, *, name: str = "p_document"
) -> Floats:
    """Give the distribution of a score of p on a document: the product, scaled to sum to 1.

    Parameters
    ----------
    p
        Probabilities of the possible scores of a system.
    p_document
        Those of all scores of the document.
    name
        What to call `p_document` in messages.

    Raises
    ------
    InputError
        When no score is possible under both.

    Examples
    --------
    >>> given_document([0.1, 0.3, 0.3, 0.2, 0.1], [0, 0, 0, 0.5, 0.5]).round(3).tolist()
    [0.0, 0.0, 0.0, 0.667, 0.333]
    """
    system, document = distribution(p, "p"), distribution(p_document, name)
    if len(system) != len(document):
        raise ShapeError(f"`p` has {len(system)} probabilities and `{name}` {len(document)}")
    product = system * document
    if not product.any():
        raise InputError(
            f"no score that `{name}` allows is possible for the system (p_M . p_d = 0)",
            hint="take the document out, or count all scores of it",
        )
    conditional: Floats = product / product.sum()
    return conditional


def frequencies(scores: npt.ArrayLike, values: npt.ArrayLike) -> Floats:
    """Give the share of each possible score; missing scores (NaN) are left out.

    Parameters
    ----------
    scores
        Scores, in any shape.
    values
        The possible scores.

    Examples
    --------
    >>> frequencies([[1, 2], [2, float("nan")]], [1, 2, 3]).round(3).tolist()
    [0.333, 0.667, 0.0]
    """
    array = vector(np.ravel(np.asarray(scores, dtype=object)), "scores", nan=True)
    array, scale = array[~np.isnan(array)], vector(values, "values")
    unknown = array[~np.isin(array, scale)]
    if len(unknown):
        raise InputError(f"`scores` has {unknown[0]:g}", hint="it is not among `values`")
    if not len(array):
        raise InputError("`scores` has no value")
    found: Floats = np.mean(array[:, None] == scale, axis=0)
    return found
