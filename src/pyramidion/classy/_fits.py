"""The papers' three ways to combine features: robust, non-negative and canonical."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.stats import canonical_correlation, nonnegative_regression, robust_regression
from pyramidion.stats.inputs import check_choice, matrix
from pyramidion.stats.regression import RobustScale

FitMethod = Literal["robust", "nonneg", "canon"]

METHODS: tuple[FitMethod, ...] = ("robust", "nonneg", "canon")


@dataclass(frozen=True, slots=True, eq=False)
class LinearFit:
    """A linear combination of features.

    Attributes
    ----------
    coefficients
        One per column of the features.
    intercept
        The constant term; 0 for the methods that have none.
    iterations, converged
        Number of iterations of robust regression, and whether it converged.

    Examples
    --------
    >>> LinearFit(np.array([2.0]), 1.0).predict([[3.0], [4.0]]).tolist()
    [7.0, 9.0]
    """

    coefficients: Floats
    intercept: float
    iterations: int = 0
    converged: bool = True

    def predict(self, features: npt.ArrayLike) -> Floats:
        """Combine the features of each row."""
        predicted_values: Floats = matrix(features, "features", nan=False) @ self.coefficients
        return predicted_values + self.intercept


def fit_linear(
    method: FitMethod,
    features: npt.ArrayLike,
    targets: npt.ArrayLike,
    *,
    target: int = 0,
    scale: RobustScale = "matlab",
) -> LinearFit:
    """Fit one human measure by a linear combination of features (reading 22).

    Parameters
    ----------
    method
        ``robust``: :func:`~pyramidion.stats.robust_regression` with a constant.
        ``nonneg``: :func:`~pyramidion.stats.nonnegative_regression` without one, of features
        whose signs were flipped so that they correlate positively with the target; the
        coefficients apply to the features as passed.
        ``canon``: the first combination of the features that
        :func:`~pyramidion.stats.canonical_correlation` finds for all measures together; the
        target only decides its sign.
    features, targets
        Rows x columns, and rows x human measures.
    target
        Index of the measure to predict.
    scale
        How robust regression measures the spread of residuals.

    Examples
    --------
    >>> features = [[1, 9], [2, 7], [3, 8], [4, 3], [5, 4], [6, 2]]
    >>> fit = fit_linear("nonneg", features, [[2], [4], [5], [8], [9], [12]])
    >>> fit.coefficients.round(2).tolist()
    [1.94, -0.03]
    """
    check_choice(method, "method", FitMethod)
    feature_columns, measures = matrix(features, "features", nan=False), matrix(targets, "targets")
    values = measures[:, target]
    if method == "robust":
        robust_fit = robust_regression(feature_columns, values, scale=scale)
        return LinearFit(
            robust_fit.coefficients,
            robust_fit.intercept,
            robust_fit.iterations,
            robust_fit.converged,
        )
    if method == "nonneg":
        signs = feature_signs(feature_columns, values)
        flipped_coefficients = nonnegative_regression(feature_columns * signs, values).coefficients
        # Adding 0 turns -0.0 into 0.0.
        return LinearFit(signs * flipped_coefficients + 0.0, 0.0)
    canonical_fit = canonical_correlation(feature_columns, measures, target=values)
    return LinearFit(canonical_fit.x_coefficients[:, 0], 0.0)


def feature_signs(features: Floats, target: Floats) -> Floats:
    """Return 1 for each feature that rises with the target and -1 for each that falls."""
    covariances = (features - features.mean(axis=0)).T @ (target - target.mean())
    return np.where(covariances < 0, -1.0, 1.0)
