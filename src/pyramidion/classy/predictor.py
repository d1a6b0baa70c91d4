"""Predicting what people would say of a collection's summaries."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pyramidion._types import Floats
from pyramidion.classy.features import FeatureGroup, Peers, feature_table
from pyramidion.classy.model import LinearModel
from pyramidion.classy.published import PREFIX, published_model, published_models
from pyramidion.collection import Collection, Scores, Summary
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError, NotFoundError, Where

__all__ = ["Prediction", "find_models", "predict_summaries"]


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """What a model predicts.

    Parameters
    ----------
    model
        The model.
    summaries
        What it was asked about.
    values
        One a summary; NaN where a metric is undefined.
    left_out
        What is undefined, counted, in words.

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
        """The predictions as rows of the long table; the measure is the model's name."""
        return Scores.of_items(self.summaries, [self.model.name], self.values[:, None])


def predict_summaries(
    model: LinearModel,
    collection: Collection,
    *,
    task: str | None = None,
    peers: Peers | None = None,
    threads: int = 1,
    known: Mapping[str, Floats] | None = None,
    progress: Callable[[str, Floats, int], None] | None = None,
) -> Prediction:
    """Predict the judgments of a collection's summaries.

    Parameters
    ----------
    model
        A trained model, or a published one.
    collection
        Summaries and references; for a model of update summaries the earlier references, too.
    task
        Which task; the model's own, or the only one, if not given.
    peers
        Whose summaries, see `feature_table`; those the model was trained for if not given.
    threads, known, progress
        See `score_collection`.

    Examples
    --------
    >>> summaries = (Summary("T1", "A", "Rain closed roads.", kind="human"),
    ...              Summary("T1", "7", "Rain closed roads."), Summary("T1", "8", "It was dry."))
    >>> model = LinearModel("mine", ("rouge-2-r", "rouge-1-r"), (2.0, 1.0), peers="no-models")
    >>> predict_summaries(model, Collection("new", summaries=summaries)).values.tolist()
    [3.0, 0.0]
    """
    groups = [
        FeatureGroup(column, column, (metric,))
        for column, metric in zip(model.columns, model.metrics, strict=True)
    ]
    if not groups:
        raise InputError(f"the model {model.name} has no metrics", hint="train it again")
    table = feature_table(
        collection,
        task=_task(model, collection) if task is None else task,
        peers=peers or cast("Peers", model.peers or "all"),
        groups=groups,
        threads=threads,
        known=known,
        progress=progress,
    )
    return Prediction(model, table.summaries, model.predict(table.values), table.left_out)


def _task(model: LinearModel, collection: Collection) -> str | None:
    tasks = {summary.task for summary in collection.summaries if summary.is_peer}
    return model.task if model.task in tasks else None


def find_models(name: str | Path) -> tuple[LinearModel, ...]:
    """Find models: a file, a folder of files, or a published one's name.

    Parameters
    ----------
    name
        A file or a folder that `pyramidion classy train` wrote; ``classy-2011/25/A/all``, or
        ``classy-2011`` for all sixteen.

    Examples
    --------
    >>> [model.method for model in find_models("classy-2011/6/A/all")]
    ['nonneg']
    >>> len(find_models("classy-2011"))
    16
    """
    text, path = str(name), Path(name)
    if path.is_dir():
        files = sorted(path.glob("*.json"), key=lambda file: natural_order(file.name))
        found = tuple(map(LinearModel.load, files))
        if not found:
            raise NotFoundError(
                "there is no model in this folder", where=Where(name), hint="name another"
            )
        return found
    if path.exists():
        return (LinearModel.load(path),)
    if text == PREFIX:
        return tuple(published_models().values())
    if text.startswith(f"{PREFIX}/"):
        return (published_model(text),)
    raise NotFoundError(
        "there is no such file or published model",
        where=Where(name),
        hint="train one with `pyramidion classy train`, or see `pyramidion classy models`",
    )
