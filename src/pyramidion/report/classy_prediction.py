"""What models predict for a collection, and how far people agree, where they have judged it."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy.features import Peers
from pyramidion.classy.metric import ClassyMetric
from pyramidion.classy.model import LinearModel
from pyramidion.classy.predictor import Prediction, find_models, predict
from pyramidion.classy.trainer import PEERS
from pyramidion.classy.versions import HUMAN_MEASURES
from pyramidion.collection import Collection, ScoreMatrix, Signature
from pyramidion.collection.formats import read_collection
from pyramidion.collection.formats.scores import require_scores_file
from pyramidion.collection.formats.scores_stream import writing_scores
from pyramidion.errors import InputError, NotFoundError, PyramidionError
from pyramidion.metrics import Metric
from pyramidion.metrics._system_means import SystemMeans, means_table
from pyramidion.report.answer import Answer
from pyramidion.report.table import Table
from pyramidion.stats import clustered_correlation
from pyramidion.stats.clustered_weights import CorrelationLevel
from pyramidion.stats.weighted import Coefficient

__all__ = ["PredictRequest", "predict_answer"]

_LEVELS: tuple[CorrelationLevel, ...] = ("system", "input")
_COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")


@dataclass(frozen=True, slots=True)
class PredictRequest:
    """What to predict.

    Parameters
    ----------
    task, peers
        Instead of those the model was trained for, see `predict`.
    source_format
        The collection's format; guessed if it is not given.
    threads
        All cores if not given; no prediction depends on it.
    seed
        Where the bootstrap of the means begins.

    Examples
    --------
    >>> PredictRequest(peers="everyone").whose
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: there are no peers 'everyone'; use all, no-models
    """

    task: str | None = None
    peers: str | None = None
    source_format: str | None = None
    threads: int | None = None
    seed: int = 0

    @property
    def whose(self) -> Peers | None:
        """The peers, if they were named."""
        if self.peers is not None and self.peers not in PEERS:
            raise NotFoundError(
                f"there are no peers {self.peers!r}", hint=f"use {', '.join(PEERS)}"
            )
        return self.peers


def predict_answer(
    model: str | Path,
    source: str | Path,
    request: PredictRequest,
    *,
    output: str | Path | None = None,
    show: Callable[[int, int], None] = lambda done, total: None,
) -> Answer:
    """Predict people's judgments of a collection's summaries.

    Parameters
    ----------
    model
        A model's file, a folder of them, or a published one's name.
    source
        A collection in any format.
    request
        What to predict.
    output
        Where the predictions are written, as a table of scores.
    show
        Is told how much is done, and of how much.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.demo import load_demo
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load_demo().save(f"{folder}/demo")
    ...     answer = predict_answer("classy-2011/6/A/all", f"{folder}/demo", PredictRequest())
    >>> answer.results[0]["human"], len(answer.results[0]["systems"])
    ('responsiveness', 8)
    """
    require_scores_file(output)
    whose = request.whose
    models = find_models(model)
    collection = read_collection(source, format=request.source_format)
    predictions, problems = _predictions(models, collection, request, whose, show)
    if output is not None:
        with writing_scores(output) as write:
            for prediction in predictions:
                write(prediction.scores)
    agreement = [row for own in predictions for row in _agreement(own, collection)]
    results, tables = _means(predictions, request.seed)
    return Answer(
        command="classy predict",
        signature=Signature(
            "+".join(own.name for own in models), data=collection.data_hash, seed=request.seed
        ),
        results=_records(predictions, results, agreement),
        tables=(*tables, *_agreement_table(agreement)),
        left_out=(*collection.left_out, *problems, *dict.fromkeys(_left_out(predictions))),
    )


def _predictions(
    models: Sequence[LinearModel],
    collection: Collection,
    request: PredictRequest,
    whose: Peers | None,
    show: Callable[[int, int], None],
) -> tuple[list[Prediction], list[str]]:
    """Ask every model; of several, those are left out that ask for what is not there."""
    watch = _Columns(show, sum(len(model.columns) for model in models))
    found: list[Prediction] = []
    problems: dict[str, PyramidionError] = {}
    for model in models:
        columns = watch.of(model)
        try:
            prediction = predict(
                model,
                collection,
                task=request.task,
                peers=whose,
                threads=request.threads or os.cpu_count() or 1,
                known=columns,
                progress=partial(watch.done, columns),
            )
            found.append(prediction)
        except PyramidionError as problem:
            problems[f"{model.name}: {problem.what}"] = problem
    if not found:
        raise next(iter(problems.values()))
    return found, list(problems)


class _Columns:
    """Keeps columns for other models of the same task and peers, and counts them."""

    def __init__(self, show: Callable[[int, int], None], total: int) -> None:
        self._show, self._total, self._done = show, total, 0
        self._kept: dict[tuple[str, str], dict[str, Floats]] = {}

    def of(self, model: LinearModel) -> dict[str, Floats]:
        return self._kept.setdefault((model.task, model.peers), {})

    def done(self, columns: dict[str, Floats], name: str, column: Floats, left: int) -> None:
        columns[name] = column
        self._done += 1
        self._show(self._done, self._total)


def _left_out(predictions: Sequence[Prediction]) -> Iterator[str]:
    for prediction in predictions:
        missing = int(np.isnan(prediction.values).sum())
        if missing:
            counted = "1 summary" if missing == 1 else f"{missing} summaries"
            yield from prediction.left_out
            yield f"{prediction.model.name} of {counted}, where one of its metrics is undefined"


def _means(
    predictions: Sequence[Prediction], seed: int
) -> tuple[list[dict[str, Any]], tuple[Table, ...]]:
    """Average over the summaries of each system; models of the same summaries in one table."""
    alike: dict[tuple[Any, ...], list[Prediction]] = {}
    for prediction in predictions:
        alike.setdefault(tuple(own.key for own in prediction.summaries), []).append(prediction)
    results, tables = [], []
    for own in alike.values():
        means = SystemMeans()
        means.add(own[0].summaries, np.column_stack([prediction.values for prediction in own]))
        metrics: dict[str, Metric] = {each.model.name: ClassyMetric() for each in own}
        found = list(means.results(metrics, seed=seed))
        if not found:
            raise InputError(
                f"{own[0].model.name} is undefined for all summaries",
                hint="look for texts without words",
            )
        results += found
        tables.append(means_table(found))
    return results, tuple(tables)


def _agreement(prediction: Prediction, collection: Collection) -> Iterator[dict[str, Any]]:
    """Correlate predictions with what people said, if they did."""
    model, task = prediction.model, prediction.summaries[0].task
    judged = collection.scores.select(task=task)
    names = HUMAN_MEASURES.get(model.target, (model.target,))
    measure = next((name for name in names if name in judged.measures), None)
    if measure is None:
        return
    human = ScoreMatrix.from_scores(judged, measure)
    predicted = ScoreMatrix.from_scores(prediction.scores, model.name)
    topics = [topic for topic in predicted.topics if topic in human.topics]
    systems = [system for system in predicted.systems if system in human.systems]
    if not topics or not systems:
        return
    pair = [own.take(topics=topics, systems=systems).values for own in (predicted, human)]
    for level in _LEVELS:
        for coefficient in _COEFFICIENTS:
            found = clustered_correlation(*pair, level=level, coefficient=coefficient)
            yield {
                "model": model.name,
                "human": measure,
                "task": task,
                "level": level,
                "coefficient": coefficient,
                "value": found.value,
                "n": found.n,
            }


def _records(
    predictions: Sequence[Prediction],
    means: Sequence[dict[str, Any]],
    agreement: Sequence[dict[str, Any]],
) -> list[dict[str, Any]]:
    shown = ("level", "coefficient", "value", "n")
    return [
        {
            "model": own.model.name,
            "human": own.model.target,
            "task": own.summaries[0].task,
            "systems": [
                {key: row[key] for key in ("system", "kind", "mean", "low", "high", "n")}
                for row in means
                if row["measure"] == own.model.name
            ],
            "correlations": [
                {key: row[key] for key in shown}
                for row in agreement
                if row["model"] == own.model.name
            ],
        }
        for own in predictions
    ]


def _agreement_table(agreement: Sequence[dict[str, Any]]) -> Iterator[Table]:
    if not agreement:
        return
    rows: dict[tuple[str, ...], dict[str, float]] = {}
    for row in agreement:
        key = (row["model"], row["human"], row["level"])
        rows.setdefault(key, {})[row["coefficient"]] = row["value"]
    yield Table(
        ("model", "human measure", "level", *_COEFFICIENTS),
        tuple((*key, *(own[c] for c in _COEFFICIENTS)) for key, own in rows.items()),
        title="Correlation with people",
        note="Honest only if the model was not trained on these topics.",
        digits=3,
    )
