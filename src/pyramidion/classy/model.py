"""A trained metric: a weighted sum of other metrics, kept in a small file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.files import read_text, write_text
from pyramidion.errors import FormatError, PyramidionError, ShapeError, Where
from pyramidion.metrics import Metric, parse_metric

__all__ = ["LinearModel"]

_FORMAT = 1


@dataclass(frozen=True)
class LinearModel:
    """A weighted sum of metrics that predicts what people say.

    Parameters
    ----------
    name
        What it is called in tables.
    columns
        The metrics, as they are typed.
    coefficients
        The weight of each.
    constant
        What is added.
    target
        The human measure it was trained for.
    method
        How: ``robust``, ``nonneg``, ``canon`` or another learner.
    task, peers
        The task it is for, and whether people are among the summaries it scores (``all``) or
        not (``no-models``).
    training
        What one must know to train it again: data, options, seed, version.

    Examples
    --------
    >>> model = LinearModel("mine", ("rouge-2-r(stem)", "bleu"), (10.0, -1.0), constant=0.5)
    >>> model.predict(np.array([[0.1, 0.2]])).tolist()
    [1.3]
    >>> LinearModel.from_json(model.to_json()) == model
    True
    """

    name: str
    columns: tuple[str, ...]
    coefficients: tuple[float, ...]
    constant: float = 0.0
    target: str = ""
    method: str = ""
    task: str = ""
    peers: str = ""
    training: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.columns) != len(self.coefficients):
            raise ShapeError(
                f"the model {self.name} has {len(self.columns)} metrics and "
                f"{len(self.coefficients)} coefficients",
                hint="give each metric one",
            )
        if not np.isfinite([*self.coefficients, self.constant]).all():
            raise ShapeError(
                f"a coefficient of the model {self.name} is no finite number", hint="train it again"
            )

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics it adds up."""
        return tuple(parse_metric(column) for column in self.columns)

    def predict(self, values: Floats) -> Floats:
        """Predict from the metrics' scores.

        Parameters
        ----------
        values
            One row a summary, one column a metric.
        """
        return np.asarray(values @ np.array(self.coefficients) + self.constant)

    def to_json(self) -> str:
        """Write it as a small JSON object."""
        content = {"pyramidion-model": _FORMAT} | asdict(self)
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str, *, where: Where | None = None) -> "LinearModel":
        """Read what `to_json` writes.

        Parameters
        ----------
        text
            The object.
        where
            Where it came from, for messages.
        """
        try:
            content = json.loads(text)
        except json.JSONDecodeError as error:
            raise FormatError(f"this is no JSON: {error.msg}", where=where) from None
        if not isinstance(content, dict) or content.pop("pyramidion-model", None) != _FORMAT:
            raise FormatError(
                "this is no model", where=where, hint="train one with `pyramidion classy train`"
            )
        try:
            model = cls(**_checked(content))
            _ = model.metrics
        except (TypeError, ValueError, KeyError) as error:
            raise FormatError(f"the model cannot be read: {error}", where=where) from None
        except PyramidionError as error:
            raise FormatError(f"the model cannot be read: {error}", where=where) from None
        return model

    def save(self, path: str | Path) -> None:
        """Write it to a file, whole or not at all."""
        write_text(path, self.to_json())

    @classmethod
    def load(cls, path: str | Path) -> "LinearModel":
        """Read it from a file."""
        return cls.from_json(read_text(path), where=Where(path))


def _checked(content: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse fields that are unknown or of the wrong kind."""
    unknown = sorted(set(content) - {own.name for own in fields(LinearModel)})
    if unknown:
        raise ValueError(f"there is no field {unknown[0]!r}")
    checked = dict(content)
    checked["columns"] = tuple(map(str, _listed(content, "columns")))
    checked["coefficients"] = tuple(map(float, _listed(content, "coefficients")))
    checked["constant"] = float(content.get("constant", 0.0))
    return checked


def _listed(content: Mapping[str, Any], name: str) -> Sequence[Any]:
    value = content[name]
    if not isinstance(value, list):
        raise TypeError(f"{name} is no list")
    return value
