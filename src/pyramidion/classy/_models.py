"""Linear models: weighted sums of metrics, including the published ones, and their predictions."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy._table import FeatureGroup, Peers, feature_table, published_groups
from pyramidion.collection import Collection, Scores, Summary
from pyramidion.collection.ids import natural_order
from pyramidion.errors import (
    FormatError,
    InputError,
    NotFoundError,
    PyramidionError,
    ShapeError,
    Where,
)
from pyramidion.files.reading import MAX_MODEL_BYTES, parse_record, read_text
from pyramidion.files.writing import write_text
from pyramidion.metrics import Metric
from pyramidion.metrics.registry import is_model, named_metrics, stored_metric, user_named_metrics
from pyramidion.questions.options import UserText

# A trained metric: a weighted sum of other metrics, stored in a small file.

_FORMAT_VERSION = 1


@dataclass(frozen=True)
class LinearModel:
    """A weighted sum of metrics that predicts human judgments.

    Parameters
    ----------
    name
        Its name in tables.
    columns
        Names of the metrics, with their options.
    coefficients
        One weight per metric.
    constant
        Added to the weighted sum.
    target
        The human measure it was trained to predict.
    method
        The learning method: ``robust``, ``nonneg``, ``canon`` or another learner.
    task, peers
        The task it was trained for, and whether human summaries were included (``all``) or not
        (``no-models``).
    training
        Everything needed to train it again: data, options, seed, version.
    named
        Metrics of columns that a file may not name (code, and metrics that load a model); only a
        user can name them, and they are not saved.

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
    named: Mapping[str, Metric] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.columns) != len(self.coefficients):
            counts = f"{len(self.columns)} metrics and {len(self.coefficients)} coefficients"
            raise ShapeError(
                f"the model {self.name} has {counts}", hint="give one coefficient per metric"
            )
        if not np.isfinite([*self.coefficients, self.constant]).all():
            message = f"a coefficient of the model {self.name} is not a finite number"
            raise ShapeError(message, hint="train it again")
        for column in filter(is_model, self.columns):
            raise InputError(f"{column} is a model, and models cannot contain models", "remove it")

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of its columns; those in `named` are the only ones that may run code."""
        return tuple(self.named.get(column) or stored_metric(column) for column in self.columns)

    def predict(self, values: Floats) -> Floats:
        """Predict from the metrics' scores."""
        # The rounding of a matrix product would depend on the number of rows.
        columns = zip(np.moveaxis(values, -1, 0), self.coefficients, strict=True)
        constant = np.full(values.shape[:-1], self.constant)
        return np.asarray(sum((column * coefficient for column, coefficient in columns), constant))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that are saved: all except `named`."""
        return {name: getattr(self, name) for name in _FIELDS}

    def to_json(self) -> str:
        """Return the model as a small JSON object."""
        content = {"pyramidion-model": _FORMAT_VERSION} | self.to_dict()
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str, *, where: Where | None = None) -> "LinearModel":
        """Read what `to_json` writes, without looking its metrics up."""
        content = parse_record(text, where or Where("the model"))
        if content.pop("pyramidion-model", None) != _FORMAT_VERSION:
            hint = "train one with `pyramidion classy train`"
            raise FormatError("this is not a model", where=where, hint=hint)
        try:
            return cls(**_check_fields(content))
        except (TypeError, ValueError, KeyError, OverflowError, PyramidionError) as error:
            raise FormatError(f"the model cannot be read: {error}", where=where) from None

    def save(self, path: str | Path) -> None:
        """Write the model to a file, atomically."""
        write_text(path, self.to_json())

    @classmethod
    def read(cls, path: str | Path) -> "LinearModel":
        """Read a model from a file for inspection: its metrics need not be available."""
        return cls.from_json(read_text(path, limit=MAX_MODEL_BYTES), where=Where(path))

    @classmethod
    def load(cls, path: str | Path, metrics: Iterable[str] = ()) -> "LinearModel":
        """Read a model from a file, ready to predict.

        Parameters
        ----------
        path
            The file.
        metrics
            Metrics that a model file is not allowed to name and that you must pass: your own
            (``my_metric.py:overlap``) and those that load a model.
        """
        return cls.read(path).naming(named_metrics(map(UserText, metrics)), Where(path))

    def naming(self, metrics: Mapping[str, Metric], where: Where | None = None) -> "LinearModel":
        """Return the model with all metrics resolved, some of them named by the user."""
        user_metrics = user_named_metrics(metrics)
        named_metrics_of_columns = {
            column: user_metrics[column] for column in self.columns if column in user_metrics
        }
        model = replace(self, named=named_metrics_of_columns)
        try:
            _ = model.metrics
        except PyramidionError as error:
            raise FormatError(f"the model cannot be used: {error}", where=where) from None
        return model


#: The fields that are saved.
_FIELDS = tuple(part.name for part in fields(LinearModel) if part.name != "named")


def _check_fields(content: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse fields that are unknown or have the wrong type."""
    types: dict[str, type] = dict.fromkeys(_FIELDS, str)
    types |= {"training": dict, "columns": list, "coefficients": list, "constant": object}
    for name in sorted(set(content) - set(types)):
        raise ValueError(f"there is no field {name!r}")
    for name, expected_type in types.items():
        if not isinstance(content.get(name, expected_type()), expected_type):
            message = "not a list" if expected_type is list else repr(content[name])
            raise TypeError(f"{name} is {message}")
    return {
        **content,
        "columns": tuple(map(str, content["columns"])),
        "coefficients": tuple(map(float, content["coefficients"])),
        "constant": float(content.get("constant", 0.0)),
    }


# The sixteen models submitted to AESOP 2011, as printed.
#
# Tables 5.2 and 5.3 give coefficients to two digits and no constant: good for ranking systems, not
# for predicting a score. In some columns, large terms of opposite sign nearly cancel, so that two
# digits are too few.
#
# What the papers leave open about the features is read as docs/readings.md explains (readings 31
# to 34): for task A ROUGE is averaged and Coverage summed over references, for task B ROUGE is that
# of the best reference and Coverage averaged; stop words are left out of shared bigrams.

#: The prefix of the names of published models.
PUBLISHED_PREFIX = "classy-2011"

_DATA = Path(__file__).parent / "data" / "published.json"


@cache
def published_models() -> dict[str, LinearModel]:
    """Return the models by name, ``PREFIX/VERSION/TASK/PEERS``."""
    models = {}
    for record in json.loads(_DATA.read_text(encoding="utf-8")):
        version, task, peers = (str(record[key]) for key in ("version", "task", "peers"))
        groups = {group.name: group for group in published_groups(task == "B")}
        columns = [
            (str(metric), weight)
            for name, weights in record["coefficients"].items()
            for metric, weight in zip(groups[name].metrics, weights, strict=True)
        ]
        model = LinearModel(
            name=f"{PUBLISHED_PREFIX}/{version}/{task}/{peers}",
            columns=tuple(column for column, _ in columns),
            coefficients=tuple(weight for _, weight in columns),
            target=record["target"],
            method=record["method"],
            task=task,
            peers=peers,
            training={
                "source": f"Rankel (2016), Table {record['table']}",
                "note": "coefficients as printed, to two digits and without a constant: for "
                "ranking",
            },
        )
        models[model.name] = model
    return models


def published_model(name: str) -> LinearModel:
    """Return a published model by its name."""
    models = published_models()
    if name not in models:
        hint = f"write {PUBLISHED_PREFIX}/VERSION/TASK/PEERS with 8, 25, 23 or 6, A or B, "
        hint += "all or no-models"
        raise NotFoundError(f"there is no model {name!r}", hint=hint)
    return models[name]


# Predicting human judgments of a collection's summaries.


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The predictions of a model.

    Parameters
    ----------
    model
        The model.
    summaries
        The summaries it predicts.
    values
        One value per summary; NaN where a metric is undefined.
    left_out
        Messages that count the undefined values.

    Examples
    --------
    >>> import numpy as np
    >>> prediction = Prediction(LinearModel("mine", (), ()), (Summary("T1", "7", "Rain."),),
    ...                         np.array([3.5]))
    >>> [(row.measure, row.value) for row in prediction.scores]
    [('mine', 3.5)]
    """

    model: LinearModel
    summaries: tuple[Summary, ...]
    values: Floats
    left_out: tuple[str, ...] = ()

    @property
    def scores(self) -> Scores:
        """The predictions as a score table; the measure is the model's name."""
        return Scores.of_items(self.summaries, [self.model.name], self.values[:, None])


def predict_summaries(
    model: LinearModel,
    collection: Collection,
    *,
    task: str | None = None,
    peers: Peers | None = None,
    **scoring_options: Any,
) -> Prediction:
    """Predict the judgments of a collection's summaries; see `feature_table` for more options."""
    if not model.columns:
        raise InputError(f"the model {model.name} has no metrics", hint="train it again")
    if task is None and model.task in {
        summary.task for summary in collection.summaries if summary.is_peer
    }:
        task = model.task
    scored_peers = peers or cast("Peers", model.peers or "all")
    groups = [FeatureGroup(model.name, "", model.metrics)]
    table = feature_table(
        collection, task=task, peers=scored_peers, groups=groups, **scoring_options
    )
    return Prediction(model, table.summaries, model.predict(table.features), table.left_out)


def find_models(
    name: str | Path, load: Callable[[Path], LinearModel] = LinearModel.load
) -> tuple[LinearModel, ...]:
    """Find models by file, folder of files or published name."""
    name_text, path = str(name), Path(name)
    if path.is_dir():
        files = sorted(path.glob("*.json"), key=lambda file: natural_order(file.name))
        models = tuple(map(load, files))
        if not models:
            message = "there is no model in this folder"
            raise NotFoundError(message, where=Where(name), hint="choose another folder")
        return models
    if path.exists():
        return (load(path),)
    if name_text == PUBLISHED_PREFIX:
        return tuple(published_models().values())
    if name_text.startswith(f"{PUBLISHED_PREFIX}/"):
        return (published_model(name_text),)
    hint = "train one with `pyramidion classy train`, or see `pyramidion classy models`"
    raise NotFoundError("there is no such file or published model", where=Where(name), hint=hint)
