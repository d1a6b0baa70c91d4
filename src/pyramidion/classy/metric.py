"""Trained models as metrics, by published name or from a file."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy._models import (
    PUBLISHED_PREFIX,
    LinearModel,
    published_model,
    published_models,
)
from pyramidion.errors import InputError, Where
from pyramidion.metrics import Metric, Need, ScoringBatch
from pyramidion.questions import option

__all__ = ["METRICS", "ClassyMetric"]


@dataclass(frozen=True, slots=True)
class ClassyMetric(Metric):
    """A weighted sum of metrics, trained to predict human judgments.

    ``classy-2011/25/A/all`` is a published model (see `published_models`); ``classy(model=FILE)``
    is one that `pyramidion classy train` wrote.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality of
    a text summary. Algorithms 5(4).

    Examples
    --------
    >>> metric = ClassyMetric.parse("classy-2011/6/A/no-models")
    >>> str(metric)
    'classy-2011/6/A/no-models'
    >>> cases = ScoringBatch.of_texts(["Rain fell. Rain fell again."], [["Rain fell again today."]])
    >>> metric.score(metric.statistics(cases)).round(2).tolist()
    [11.27]
    """

    name: ClassVar[str] = "classy"
    title: ClassVar[str] = "CLASSY"
    summary: ClassVar[str] = "a weighted sum of metrics, trained to predict people's judgments"
    bounds: ClassVar[str] = "any number"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "Rankel et al. 2012"
    ascii_only: ClassVar[bool] = True  # its weights were learned on English
    combines: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    model: str = option("", "file of the model")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of the published models."""
        return tuple(published_models())

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Parse the name of a published model, or ``classy``."""
        if name.startswith(f"{PUBLISHED_PREFIX}/"):
            return {"model": published_model(name).name}
        return {} if name == cls.name else None

    def _call(self) -> str:
        return self.model if self.model.startswith(f"{PUBLISHED_PREFIX}/") else self.name

    def beside(self, metrics: Mapping[str, Metric]) -> Metric:
        """Return the model as one whose file may refer to metrics named by the user."""
        return ModelBeside(self.model, tuple(metrics.items())) if metrics else self

    @property
    def cache_key(self) -> str:
        """The cache key of finished scores; it changes with the model."""
        metric_keys = "".join(metric.cache_key for metric in self.linear.named.values())
        digest = hashlib.sha256((self.linear.to_json() + metric_keys).encode()).hexdigest()
        return f"{self.signed}@{digest[:8]}"

    @property
    def linear(self) -> LinearModel:
        """The linear model."""
        if not self.model:
            hint = f"write classy(model=FILE), or {PUBLISHED_PREFIX}/25/A/all for a published one"
            raise InputError("classy needs a model", hint=hint)
        return _load_model(self.model)

    @property
    def requirements(self) -> frozenset[Need]:
        """Everything that its metrics need."""
        return frozenset().union(*(metric.requirements for metric in self.linear.metrics))

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the scores of the model's metrics."""
        columns = [metric.score(metric.statistics(cases)) for metric in self.linear.metrics]
        return np.stack(columns, axis=1)

    def score(self, statistics: Floats) -> Floats:
        """Return the weighted sums."""
        return self.linear.predict(statistics)


@cache
def _load_model(model: str, user_metrics: tuple[tuple[str, Metric], ...] = ()) -> LinearModel:
    if model.startswith(f"{PUBLISHED_PREFIX}/"):
        return published_model(model)
    return LinearModel.read(model).naming(dict(user_metrics), Where(model))


@dataclass(frozen=True, slots=True)
class ModelBeside(ClassyMetric):
    """A model whose file refers to metrics named by the user in the same run."""

    named_with: tuple[tuple[str, Metric], ...] = ()

    @property
    def linear(self) -> LinearModel:
        """The linear model."""
        return _load_model(self.model, self.named_with)


@dataclass(frozen=True, slots=True)
class GivenModel(ClassyMetric):
    """A model passed as an object."""

    model: Any = option(None, "the model itself")

    def __str__(self) -> str:
        digest = hashlib.sha256(self.model.to_json().encode()).hexdigest()
        return f"{self.model.name}#{digest[:8]}"

    @property
    def linear(self) -> LinearModel:
        """The linear model."""
        model: LinearModel = self.model
        return model


#: The value of the entry point ``pyramidion.metrics``.
METRICS: tuple[type[Metric], ...] = (ClassyMetric,)
