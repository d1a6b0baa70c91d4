"""How well predictions of another year agree with people: a coefficient at a level."""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy.search.products import LongRows
from pyramidion.classy.search.rank_correlation import Ordered
from pyramidion.classy.training import Labels, TrainingData, varies
from pyramidion.errors import InputError
from pyramidion.stats.differences import NOISE
from pyramidion.stats.pairs import multiply

__all__ = ["Agreement", "Criterion", "SelectionLevel"]

Criterion = Literal["pearson", "spearman", "kendall"]
SelectionLevel = Literal["summary", "system", "input"]

# Predictions that are ranked together.
_TOGETHER = 1 << 19


class Agreement:
    """Scores coefficients by the correlation of what they predict with the targets.

    Parameters
    ----------
    data
        The year to predict.
    criterion
        The correlation coefficient.
    level
        ``summary``: of all rows at once. ``system``: of the means of the systems. ``input``:
        within each topic, averaged over those in which it is defined.

    Examples
    --------
    >>> year = TrainingData([[1, 0], [2, 1], [3, 0]], [10, 20, 30])
    >>> agreement = Agreement(year, "pearson", "summary")
    >>> agreement.scores(np.array([[1.0, 0.0], [-1.0, 9.0]]), np.zeros(2), [0]).round(3).tolist()
    [[1.0], [-0.189]]
    """

    def __init__(self, data: TrainingData, criterion: Criterion, level: SelectionLevel) -> None:
        samples = [
            (features, targets)
            for features, targets in _samples(data, level)
            if len(features) > 1 and varies(targets).any()
        ]
        defined = np.zeros(data.targets.shape[1], dtype=np.bool_)
        for _, targets in samples:
            defined |= varies(targets)
        for target in np.flatnonzero(~defined):
            raise InputError(
                f"{data.name}: target {data.target_names[target]} {_SAME[level]}",
                hint="nothing can be chosen by it; take it out or use another level",
            )
        self._by_ranks = criterion != "pearson"
        kind = _Ranks if self._by_ranks else _Moments
        self._samples = [kind(features, targets, criterion) for features, targets in samples]

    def scores(self, coefficients: Floats, intercepts: Floats, targets: Sequence[int]) -> Floats:
        """Give the score of each row of coefficients with each of the targets.

        Parameters
        ----------
        coefficients, intercepts
            Fits x columns, and a constant each.
        targets
            Numbers of targets.

        Returns
        -------
        ndarray
            Fits x targets; NaN where the fit is, or where all its predictions are equal.
        """
        if self._by_ranks:
            # Sorting takes long, and non-negative fits of many subsets are the same.
            fits = np.column_stack([coefficients, intercepts])
            fits, which = np.unique(fits, axis=0, return_inverse=True)
            return self._mean_scores(fits[:, :-1], fits[:, -1], targets)[which.ravel()]
        return self._mean_scores(coefficients, intercepts, targets)

    def _mean_scores(
        self, coefficients: Floats, intercepts: Floats, targets: Sequence[int]
    ) -> Floats:
        total = np.zeros((len(coefficients), len(targets)))
        counted = np.zeros_like(total)
        for sample in self._samples:
            found = sample.scores(coefficients, intercepts, targets)
            defined = ~np.isnan(found)
            total += np.where(defined, found, 0.0)
            counted += defined
        scores: Floats = total / np.where(counted > 0, counted, np.nan)
        return scores


_SAME = {
    "summary": "has the same value in all rows",
    "system": "has the same mean for all systems",
    "input": "has the same value in all rows of each topic",
}


def _samples(data: TrainingData, level: SelectionLevel) -> Iterator[tuple[Floats, Floats]]:
    if level == "summary":
        yield data.features, data.targets
    elif level == "system":
        systems = _indicator(data.systems, data.name, "systems", level)
        # Predictions are linear: their means are the predictions from mean features.
        shares = systems / systems.sum(axis=1, keepdims=True)
        yield shares @ data.features, shares @ data.targets
    else:
        for rows in _indicator(data.topics, data.name, "topics", level) > 0:
            yield data.features[rows], data.targets[rows]


def _indicator(labels: Labels, name: str, what: str, level: SelectionLevel) -> Floats:
    if not len(labels):
        raise InputError(f"{name}: level {level} needs the {what} of the rows", hint="give them")
    _, number = np.unique(labels, return_inverse=True)
    indicator: Floats = (number == np.arange(number.max() + 1)[:, None]).astype(np.float64)
    return indicator


class _Moments:
    """Pearson's r. Rows are turned so that all but as many as there are columns vanish."""

    def __init__(self, features: Floats, targets: Floats, _: Criterion) -> None:
        self._largest = np.abs(features).max(axis=0)
        self._noise = NOISE * np.sqrt(len(features))
        turn, self._turned = np.linalg.qr(features - features.mean(axis=0))
        centred = targets - targets.mean(axis=0)
        lengths = np.where(varies(targets), np.linalg.norm(centred, axis=0), np.nan)
        self._targets = turn.T @ (centred / lengths)

    def scores(self, coefficients: Floats, intercepts: Floats, targets: Sequence[int]) -> Floats:
        predicted = multiply(self._turned, coefficients.T)
        lengths = np.linalg.norm(predicted, axis=0)
        sizes = np.abs(coefficients) @ self._largest + np.abs(intercepts)
        lengths = np.where(lengths > self._noise * sizes, lengths, np.nan)
        together = self._targets[:, targets].T @ predicted
        scores: Floats = np.clip(together / lengths, -1.0, 1.0).T
        return scores


class _Ranks:
    """Rank correlations, of predictions for some fits at a time."""

    def __init__(self, features: Floats, targets: Floats, criterion: Criterion) -> None:
        self._length = len(features)
        self._step = max(1, _TOGETHER // self._length)
        self._features = LongRows(features.T, others=self._step)
        self._targets, self._varies = targets.T, varies(targets)
        self._correlate = Ordered.spearman if criterion == "spearman" else Ordered.kendall

    def scores(self, coefficients: Floats, intercepts: Floats, targets: Sequence[int]) -> Floats:
        scores = np.full((len(coefficients), len(targets)), np.nan)
        known = np.flatnonzero(~np.isnan(coefficients).any(axis=1))
        for start in range(0, len(known), self._step):
            rows = known[start : start + self._step]
            out = np.empty((len(rows), self._length))
            predicted = self._features.combine(coefficients[rows], out)
            ordered = Ordered.of(predicted + intercepts[rows, None])
            for place, target in enumerate(targets):
                if self._varies[target]:
                    scores[rows, place] = self._correlate(ordered, self._targets[target])
        return scores
