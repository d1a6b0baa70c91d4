"""What a metric learns from, and the three ways to combine features."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._inputs import choice, matrix
from pyramidion.stats._regression import (
    RobustScale,
    canonical_correlation,
    nonnegative_regression,
    robust_regression,
)

# What a trained metric learns from: features of summaries, and what people gave them.

Labels = npt.NDArray[np.str_]


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """The summaries of a year: one row each.

    Parameters
    ----------
    features
        Rows x columns of numbers; no missing values.
    targets
        Rows x human measures; no missing values. A single measure may be a plain list.
    systems, topics
        Who wrote each row's summary, and on what; empty where nobody asks for them.
    name
        What messages call these data: a year.
    feature_names, target_names
        What messages call the columns; their numbers from 0 where there are no names.

    Examples
    --------
    >>> year = TrainingData([[0.1, 3], [0.2, 5]], [1, 4], topics=["D1", "D2"], name="2010")
    >>> year.features.shape, year.targets.shape, year.topics.tolist()
    ((2, 2), (2, 1), ['D1', 'D2'])
    """

    features: Floats
    targets: Floats
    systems: Labels
    topics: Labels
    name: str
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]

    def __init__(
        self,
        features: npt.ArrayLike,
        targets: npt.ArrayLike,
        *,
        systems: Sequence[Any] | npt.NDArray[Any] = (),
        topics: Sequence[Any] | npt.NDArray[Any] = (),
        name: str = "the data",
        feature_names: Sequence[str] = (),
        target_names: Sequence[str] = (),
    ) -> None:
        columns, measures = matrix(features, "features", nan=False), _measures(targets, name)
        labels = {"systems": _labels(systems), "topics": _labels(topics)}
        for what, values in {"targets": measures, **labels}.items():
            if len(values) != len(columns) and (what == "targets" or len(values)):
                raise ShapeError(
                    f"{name}: {len(columns)} rows of features and {len(values)} of {what}",
                    hint="give one for each row",
                )
        fields = {
            "features": columns,
            "targets": measures,
            **labels,
            "name": name,
            "feature_names": _names(feature_names, columns.shape[1], "feature", name),
            "target_names": _names(target_names, measures.shape[1], "target", name),
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    def require_fit_for_training(self) -> None:
        """Refuse data that no subset of the features could sensibly be trained on."""
        rows, width = self.features.shape
        if not width or not self.targets.shape[1]:
            raise InputError(f"{self.name}: no features or no targets", hint="give at least one")
        if rows < width + 2:
            raise InputError(
                f"{self.name}: {rows} rows are too few for {width} columns of features",
                hint=f"give at least {width + 2} rows, or fewer features",
            )
        for values, names, kind in (
            (self.features, self.feature_names, "feature"),
            (self.targets, self.target_names, "target"),
        ):
            for column in np.flatnonzero(~varies(values)):
                raise InputError(
                    f"{self.name}: {kind} {names[column]} has the same value in all {rows} rows",
                    hint="take it out",
                )

    def require_same_columns(self, other: "TrainingData") -> None:
        """Refuse other data with another number of features or targets."""
        for field in ("features", "targets"):
            mine, others = (getattr(data, field).shape[1] for data in (self, other))
            if mine != others:
                raise ShapeError(
                    f"{self.name} has {mine} {field} and {other.name} has {others}",
                    hint="give the same to both",
                )


def _measures(targets: npt.ArrayLike, name: str) -> Floats:
    values = np.asarray(targets)
    measures = matrix(values[:, None] if values.ndim == 1 else values, "targets")
    missing = np.argwhere(np.isnan(measures))
    if len(missing):
        row, column = missing[0].tolist()
        raise InputError(
            f"{name}: row {row} has no value of target {column}", hint="take such rows out"
        )
    return measures


def _labels(labels: Sequence[Any] | npt.NDArray[Any]) -> Labels:
    return np.array([str(label) for label in labels], dtype=np.str_)


def _names(names: Sequence[str], count: int, what: str, where: str) -> tuple[str, ...]:
    if names and len(names) != count:
        raise ShapeError(
            f"{where}: {len(names)} names of {count} {what}s", hint="give one for each column"
        )
    return tuple(names) or tuple(str(number) for number in range(count))


def varies(columns: Floats) -> Bools:
    """Tell for each column whether its values differ by more than rounding noise."""
    differ: Bools = np.ptp(columns, axis=0) > 1e-12 * np.abs(columns).max(axis=0)
    return differ


# The three ways to combine features: robust, non-negative and canonical.

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
        Of robust regression: how often the fit was repeated, and whether it settled.

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
        predicted: Floats = matrix(features, "features", nan=False) @ self.coefficients
        return predicted + self.intercept


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
        that were turned to correlate positively with the target in these data; the
        coefficients are those of the features as they were given.
        ``canon``: the first combination of the features that
        :func:`~pyramidion.stats.canonical_correlation` finds for all measures together; the
        target only says which way round it goes.
    features, targets
        Rows x columns, and rows x human measures.
    target
        The number of the measure that is to be predicted.
    scale
        How robust regression measures the spread of residuals.

    Examples
    --------
    >>> features = [[1, 9], [2, 7], [3, 8], [4, 3], [5, 4], [6, 2]]
    >>> fit = fit_linear("nonneg", features, [[2], [4], [5], [8], [9], [12]])
    >>> fit.coefficients.round(2).tolist()
    [1.94, -0.03]
    """
    choice(method, "method", FitMethod)
    columns, measures = matrix(features, "features", nan=False), matrix(targets, "targets")
    aim = measures[:, target]
    if method == "robust":
        robust = robust_regression(columns, aim, scale=scale)
        return LinearFit(robust.coefficients, robust.intercept, robust.iterations, robust.converged)
    if method == "nonneg":
        signs = feature_signs(columns, aim)
        turned = nonnegative_regression(columns * signs, aim).coefficients
        # Adding 0 makes plain zeros of the coefficients -0.0.
        return LinearFit(signs * turned + 0.0, 0.0)
    canonical = canonical_correlation(columns, measures, target=aim)
    return LinearFit(canonical.x_coefficients[:, 0], 0.0)


def feature_signs(features: Floats, target: Floats) -> Floats:
    """Give 1 to each feature that rises with the target, -1 to one that falls."""
    rises = (features - features.mean(axis=0)).T @ (target - target.mean())
    return np.where(rises < 0, -1.0, 1.0)
