"""What a trained metric learns from: features of summaries, and what people gave them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import matrix

__all__ = ["Labels", "TrainingData", "varies"]

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
        """Refuse data that no subset of the features could sensibly be trained on.

        Examples
        --------
        >>> TrainingData([[1], [1], [1]], [1, 2, 3]).require_fit_for_training()
        Traceback (most recent call last):
        pyramidion.errors.InputError: the data: feature 0 has the same value in all 3 rows; ...
        """
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
        """Refuse other data with another number of features or targets.

        Examples
        --------
        >>> first = TrainingData([[1, 2]], [1], name="2009")
        >>> first.require_same_columns(TrainingData([[1]], [1], name="2010"))
        Traceback (most recent call last):
        pyramidion.errors.ShapeError: 2009 has 2 features and 2010 has 1; give the same to both
        """
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
    """Tell for each column whether its values differ by more than rounding noise.

    Examples
    --------
    >>> varies(np.array([[1.0, 0.3], [2.0, 0.1 + 0.2]])).tolist()
    [True, False]
    """
    differ: Bools = np.ptp(columns, axis=0) > 1e-12 * np.abs(columns).max(axis=0)
    return differ
