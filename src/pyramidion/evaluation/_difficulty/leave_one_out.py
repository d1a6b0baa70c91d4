"""Predicting each item from all the others: what a feature is really worth."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats

__all__ = ["Prediction", "predicted"]

Fit = Callable[[Floats, Floats, Floats], float]

#: Penalties that are tried, for standardised features and one observation.
_PENALTIES = 10.0 ** np.arange(-4, 4.25, 0.25)


@dataclass(frozen=True, slots=True)
class Prediction:
    """How well scores are predicted from those of the other items.

    Parameters
    ----------
    by
        What predicts: ``mean`` (of the others), a feature, or ``all features``.
    error
        The root of the mean squared error.
    explained
        By how much the squared error is smaller than with the mean of the others, as a share of
        that; negative where the prediction is worse.

    Notes
    -----
    The correlation of predictions and scores is no measure here: an item's score pulls the mean
    of the others down when it is high, so that predictions by nothing correlate negatively.

    Examples
    --------
    >>> Prediction("words", 0.2, 0.1).by
    'words'
    """

    by: str
    error: float
    explained: float


def predicted(
    features: Floats, target: Floats, names: Sequence[str]
) -> tuple[Floats, tuple[Prediction, ...]]:
    """Predict each item's score from the other items.

    By each feature alone with least squares, and by all together with ridge regression whose
    penalty is chosen among the other items only, by generalised cross-validation.

    Parameters
    ----------
    features
        Items x features, none of them constant.
    target
        The scores.
    names
        Of the features.

    Returns
    -------
    tuple
        The predictions by all features, and how well all ways of predicting do.

    References
    ----------
    G. H. Golub, M. Heath and G. Wahba. Generalized cross-validation as a method for choosing a
    good ridge parameter. Technometrics 21(2), 1979.

    Examples
    --------
    >>> x = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> guesses, found = predicted(x, 2 * x[:, 0], ["words"])
    >>> [(one.by, round(one.explained, 2)) for one in found]
    [('mean', 0.0), ('words', 1.0), ('all features', 1.0)]
    """
    base = _left_out_means(target)
    ways = [("mean", base)]
    for number, name in enumerate(names):
        ways.append((name, _each_left_out(features[:, [number]], target, _least_squares)))
    everything = _each_left_out(features, target, _ridge) if len(names) else base
    ways.append(("all features", everything))
    return everything, tuple(_judged(name, guess, target, base) for name, guess in ways)


def _left_out_means(target: Floats) -> Floats:
    means: Floats = (target.sum() - target) / (len(target) - 1)
    return means


def _each_left_out(features: Floats, target: Floats, fit: Fit) -> Floats:
    guesses = np.empty(len(target))
    for item in range(len(target)):
        rest = np.arange(len(target)) != item
        own, others = features[item], features[rest]
        centre, spread = others.mean(axis=0), others.std(axis=0)
        varying = spread > 1e-12 * np.abs(others).max(axis=0)
        scale = np.where(varying, spread, 1.0)
        z, new = (others - centre) / scale, np.where(varying, (own - centre) / scale, 0.0)
        mean = target[rest].mean()
        guesses[item] = mean + fit(z * varying, target[rest] - mean, new)
    return guesses


def _least_squares(z: Floats, y: Floats, new: Floats) -> float:
    length = float(z[:, 0] @ z[:, 0])
    slope = float(z[:, 0] @ y) / length if length else 0.0
    return slope * float(new[0])


def _ridge(z: Floats, y: Floats, new: Floats) -> float:
    """Predict by ridge regression with the penalty of the least generalised error."""
    u, sizes, v = np.linalg.svd(z, full_matrices=False)
    along = u.T @ y
    shrink = sizes**2 / (sizes**2 + _PENALTIES[:, None] * len(y))
    rest = float(y @ y) - float(along @ along)
    errors = ((1 - shrink) ** 2 * along**2).sum(axis=1) + max(rest, 0.0)
    # One degree of freedom is the mean's.
    freedom = len(y) - 1 - shrink.sum(axis=1)
    best = int(np.argmin(errors / np.maximum(freedom, 1e-9) ** 2))
    weights = np.divide(shrink[best] * along, sizes, out=np.zeros_like(sizes), where=sizes > 1e-12)
    return float((weights @ v) @ new)


def _judged(name: str, guess: Floats, target: Floats, base: Floats) -> Prediction:
    errors, before = target - guess, target - base
    squared, limit = float(errors @ errors), float(before @ before)
    explained = 1 - squared / limit if limit else math.nan
    return Prediction(name, math.sqrt(squared / len(target)), explained)
