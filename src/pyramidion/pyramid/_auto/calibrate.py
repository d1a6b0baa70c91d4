"""Calibrating probabilities of content units on summaries that people annotated."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from pyramidion._types import Bools, Floats

# The identity: intercept and slope for units without marks in the text, then for the others.
_PRIOR_COEFFICIENTS = np.array([0.0, 1.0, 0.0, 1.0])
# Weight of the identity, in answers. On halves of SummHay's summaries, probabilities are up to .06
# off with 1, .04 with 0.25 and .03 with 0.5; on REALSumm's, .03 with each (benchmarks/pyramids.py).
_PRIOR_WEIGHT = 0.5
# Log-odds are clipped here; beyond, units are practically certain.
_MAX_LOG_ODDS = 6.0


class SearchResult(NamedTuple):
    """The probability of each unit in a text, and whether words marked elsewhere were found."""

    probable: Floats
    is_marked: Bools

    @property
    def columns(self) -> Floats:
        """The columns of the regression."""
        log_odds = np.full(len(self.probable), -np.inf)
        is_possible = self.probable > 0
        with np.errstate(divide="ignore"):
            log_odds[is_possible] = np.log(self.probable[is_possible]) - np.log1p(
                -self.probable[is_possible]
            )
        log_odds = np.clip(log_odds, -_MAX_LOG_ODDS, _MAX_LOG_ODDS)
        intercept_and_odds = np.column_stack([np.ones(len(log_odds)), log_odds])
        return np.hstack(
            [
                intercept_and_odds * ~self.is_marked[:, None],
                intercept_and_odds * self.is_marked[:, None],
            ]
        )


class Recalibration(NamedTuple):
    """A logistic regression of what people found on the log-odds that were predicted.

    Units whose marked words were searched for and not found have their own coefficients.
    """

    coefficients: Floats

    @classmethod
    def fitted(cls, pairs: Iterable[tuple[SearchResult, Floats]]) -> "Recalibration":
        """Fit the coefficients to people's answers, shrunk toward the identity."""
        search_results, answers = zip(*pairs, strict=True)
        design, targets = (
            np.vstack([result.columns for result in search_results]),
            np.concatenate(answers),
        )
        # Where no word was found, the probability is 0 and stays 0.
        is_fitted = np.concatenate([result.probable > 0 for result in search_results]) & ~np.isnan(
            targets
        )
        design, targets = design[is_fitted], targets[is_fitted]
        coefficients = np.zeros(len(_PRIOR_COEFFICIENTS))
        for _ in range(50):
            means = 1 / (1 + np.exp(-design @ coefficients))
            prior_gradient = 2 * _PRIOR_WEIGHT * (coefficients - _PRIOR_COEFFICIENTS)
            gradient = design.T @ (means - targets) + prior_gradient
            curvature = (design * (means * (1 - means))[:, None]).T @ design
            step = np.linalg.solve(
                curvature + 2 * _PRIOR_WEIGHT * np.eye(len(_PRIOR_COEFFICIENTS)), gradient
            )
            coefficients = coefficients - np.clip(step, -2, 2)
            if np.abs(step).max() < 1e-10:
                break
        # A higher probability must not become a lower one; further digits depend on the machine.
        coefficients[1::2] = np.maximum(coefficients[1::2], 0)
        return cls(coefficients.round(6))

    def probabilities(self, search_results: SearchResult) -> Floats:
        """Return the probability of each unit."""
        probabilities: Floats = 1 / (1 + np.exp(-search_results.columns @ self.coefficients))
        return np.where(search_results.probable > 0, probabilities, 0.0)
