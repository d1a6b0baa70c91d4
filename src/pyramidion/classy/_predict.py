"""Predict with trained models, correlate with human judgments, and show what a model contains."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy._models import (
    PUBLISHED_PREFIX,
    LinearModel,
    Prediction,
    find_models,
    predict_summaries,
)
from pyramidion.classy._table import Peers
from pyramidion.classy._training import HUMAN_MEASURES
from pyramidion.classy.metric import ClassyMetric, GivenModel
from pyramidion.collection import Collection, ScoreMatrix, Scores
from pyramidion.collection.formats.scores import require_scores_file
from pyramidion.collection.ids import grouped
from pyramidion.collection.sources import Source, read_source
from pyramidion.engine.engines import Engine
from pyramidion.engine.jobs import PartsOptions, refuse_ineffective
from pyramidion.engine.parts import in_parts
from pyramidion.errors import FormatError, InputError, PyramidionError, Where
from pyramidion.metrics import Metric
from pyramidion.metrics._frames import score_parts
from pyramidion.metrics.registry import named_metrics
from pyramidion.metrics.system_means import SystemMeans, means_table
from pyramidion.questions import Options, Progress, argument, option, question
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Result, signed
from pyramidion.rendering.saving import SCORE_FILE
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns
from pyramidion.stats import clustered_correlation
from pyramidion.stats.clustered import CorrelationLevel
from pyramidion.stats.correlation import Coefficient

_LEVELS: tuple[CorrelationLevel, ...] = ("system", "input")
_COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")


@dataclass(frozen=True, slots=True)
class PredictOptions(Options):
    """The models, and the summaries to predict."""

    model: LinearModel | str | Path = argument(
        "Model written by `classy train`, a folder of such models, or a published model such "
        "as classy-2011/25/A/all."
    )
    collection: Source = argument("Collection in any format.")
    metrics: tuple[str, ...] = option(
        (), "Metrics that the model uses but that a model file must not load, comma-separated: "
        "your own (FILE.py:NAME), and those that load a model.", flags=("--metric", "-m"),
        metavar="NAMES", code=True,
    )  # fmt: skip
    task: str | None = option(None, "Task to predict; the model's own by default.")
    peers: Peers | None = option(
        None, "Summaries to predict: all (leaving out each reference in turn for machines) or "
        "no-models (machine summaries only); by default as the model was trained.",
    )  # fmt: skip
    source_format: str | None = option(
        None, "Format of the collection; detected by default.", flags=("--from",), metavar="FORMAT"
    )
    threads: int | None = option(None, "Number of threads; one per core by default.", min=1)
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PredictionResult(Result[Prediction]):
    """The predictions of each model."""

    # The question checks the path, which may be a folder of parts.
    saves = (replace(SCORE_FILE, check=lambda path: None, for_parts=True),)

    def to_scores(self) -> Scores:
        """Return all predictions as scores; the measures are the models' names."""
        if self.in_parts:
            raise InputError(
                "the predictions were written to a folder of parts",
                hint="read them from that folder",
            )
        return Scores.concatenate(prediction.scores for prediction in self)


@question
def predict(options: PredictOptions, engine: PartsOptions) -> PredictionResult:
    """Predict human judgments of a collection's summaries.

    Shows each system's mean and, if the summaries were judged, the correlation with the judgments.
    A folder of parts (streams, as for `score`) is processed part by part into the folder named by
    --output. With --engine, workers share the parts of a folder, or the topics of a file.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = predict("classy-2011/6/A/all", load_demo())
    >>> result.to_dict()["results"][0]["human"], len(result.to_frame("means"))
    ('responsiveness', 8)
    """
    models = _find_models(options.model, named_metrics(options.metrics))
    if options.source_format is None and in_parts(options.collection):
        refuse_ineffective(options, "task", "peers")
        metrics: dict[str, Metric] = {model.name: GivenModel(model) for model in models}
        score_fields = score_parts(str(options.collection), metrics, engine)
        return PredictionResult(command="classy predict", **score_fields)
    if engine.parts_to is not None:
        require_scores_file(Path(engine.parts_to))
    collection = read_source(options.collection, format=options.source_format)
    with engine.opened() as workers:
        predictions, problems = _predictions(models, collection, options, workers)
    agreement = [row for prediction in predictions for row in _agreement(prediction, collection)]
    means, tables = _means(predictions, options.seed)
    if agreement:
        values_by_model = zip(*[iter(agreement)] * len(_COEFFICIENTS), strict=True)
        correlation_rows = (
            (
                records[0]["model"],
                records[0]["human"],
                records[0]["level"],
                *(record["value"] for record in records),
            )
            for records in values_by_model
        )
        headings = ("model", "human measure", "level", *_COEFFICIENTS)
        note = "Valid only if the model was not trained on these topics."
        title, rows = "Correlation with human judgments", tuple(correlation_rows)
        tables.append(Table(headings, rows, title, note, digits=3, name="correlations"))
    return PredictionResult(
        command="classy predict",
        signature=signed(
            "+".join(model.name for model in models), collection.data_hash, options.seed
        ),
        values=predictions,
        record=partial(_record, means, agreement),
        tables=tables,
        left_out=(*collection.left_out, *problems, *dict.fromkeys(_left_out(predictions))),
    )


def _find_models(
    model: LinearModel | str | Path, metrics: Mapping[str, Metric]
) -> tuple[LinearModel, ...]:
    """Find the models and their metrics; refuse metrics that none of them uses."""

    def load(path: Path) -> LinearModel:
        return LinearModel.read(path).naming(metrics, Where(path))

    if isinstance(model, LinearModel):
        models: tuple[LinearModel, ...] = (model.naming({**model.named, **metrics}),)
    else:
        models = find_models(model, load)
    columns = {column for candidate in models for column in candidate.columns}
    for name, metric in metrics.items():
        if columns.isdisjoint((name, str(metric))):
            raise InputError(f"no model has the metric {name}", hint="leave it out")
    return models


def _predictions(
    models: Sequence[LinearModel], collection: Collection, options: PredictOptions, engine: Engine
) -> tuple[list[Prediction], list[str]]:
    """Predict with every model; of several, skip and list those whose input is missing."""
    n_columns, counter = sum(len(model.columns) for model in models), count(1)
    # Columns are reused by models of the same task and peers.
    features: dict[tuple[str, str], dict[str, Floats]] = {}

    def keep(columns: dict[str, Floats], name: str, column: Floats, n_remaining: int) -> None:
        columns[name] = column
        options.progress.advance(next(counter), n_columns)

    predictions: list[Prediction] = []
    problems_by_line: dict[str, PyramidionError] = {}
    for model in models:
        columns = features.setdefault((model.task, model.peers), {})
        try:
            prediction = predict_summaries(
                model, collection, task=options.task, peers=options.peers,
                threads=options.threads or os.cpu_count() or 1, computed=columns,
                progress=partial(keep, columns), engine=engine,
            )  # fmt: skip
            predictions.append(prediction)
        except PyramidionError as problem:
            problems_by_line[f"{model.name}: {problem.what}"] = problem
    if not predictions:
        raise next(iter(problems_by_line.values()))
    return predictions, list(problems_by_line)


def _left_out(predictions: Sequence[Prediction]) -> Iterator[str]:
    for prediction in predictions:
        n_missing = int(np.isnan(prediction.values).sum())
        if n_missing:
            summaries = counted(n_missing, "summary", "summaries")
            yield from prediction.left_out
            yield f"{prediction.model.name} for {summaries} with an undefined metric"


def _means(
    predictions: Sequence[Prediction], seed: int
) -> tuple[list[dict[str, Any]], list[Table]]:
    """Average over the summaries of each system; models of the same summaries share a table."""
    predictions_by_summaries = grouped(
        (tuple(summary.key for summary in prediction.summaries), prediction)
        for prediction in predictions
    )
    results: list[dict[str, Any]] = []
    tables: list[Table] = []
    for group in predictions_by_summaries.values():
        means = SystemMeans()
        means.add(
            group[0].summaries,
            np.column_stack([prediction.values for prediction in group]),
        )
        metrics: dict[str, Metric] = {prediction.model.name: ClassyMetric() for prediction in group}
        group_means = list(means.results(metrics, seed=seed))
        if not group_means:
            hint = "check for texts without words"
            raise InputError(f"{group[0].model.name} is undefined for all summaries", hint=hint)
        results += group_means
        tables.append(means_table(group_means))
    return results, tables


def _agreement(prediction: Prediction, collection: Collection) -> Iterator[dict[str, Any]]:
    """Correlate predictions with human judgments, if there are any."""
    model, task = prediction.model, prediction.summaries[0].task
    human_scores = collection.scores.select(task=task)
    names = HUMAN_MEASURES.get(model.target, (model.target,))
    measure = next((name for name in names if name in human_scores.measures), None)
    if measure is None:
        return
    human_matrix = ScoreMatrix.from_scores(human_scores, measure)
    predicted_matrix = ScoreMatrix.from_scores(prediction.scores, model.name)
    topics = [topic for topic in predicted_matrix.topics if topic in human_matrix.topics]
    systems = [system for system in predicted_matrix.systems if system in human_matrix.systems]
    if not topics or not systems:
        return
    matrices = [
        matrix.take(topics=topics, systems=systems).values
        for matrix in (predicted_matrix, human_matrix)
    ]
    for level, coefficient in product(_LEVELS, _COEFFICIENTS):
        correlation = clustered_correlation(*matrices, level=level, coefficient=coefficient)
        fields = {"model": model.name, "human": measure, "level": level}
        yield fields | {"coefficient": coefficient, "value": correlation.value, "n": correlation.n}


def _record(
    means: Sequence[dict[str, Any]], agreement: Sequence[dict[str, Any]], prediction: Prediction
) -> dict[str, Any]:
    name = prediction.model.name
    mean_fields = ("system", "kind", "mean", "low", "high", "n")
    correlation_fields = ("level", "coefficient", "value", "n")
    return {
        "model": name,
        "human": prediction.model.target,
        "task": prediction.summaries[0].task,
        "systems": [
            {key: row[key] for key in mean_fields} for row in means if row["measure"] == name
        ],
        "correlations": [
            {key: row[key] for key in correlation_fields}
            for row in agreement
            if row["model"] == name
        ],
    }


# The content of a model

_PUBLISHED_NOTE = (
    "Coefficients as printed in Tables 5.2 and 5.3 of Rankel (2016), to two digits and without a "
    "constant: for ranking, not for predicting a score. `pyramidion classy models NAME` shows "
    "them."
)

MODELS: View[LinearModel] = View(
    "models",
    (
        *columns(name="model", target="predicts", method="method"),
        Column("task", "task", show=lambda model: model.task or "–"),
        *columns("peers"),
        Column("columns", "metrics", show=lambda model: len(model.columns)),
    ),
)


@dataclass(frozen=True, slots=True)
class ModelsOptions(Options):
    """Which models to show."""

    name: LinearModel | str | Path | None = argument(
        "Published model, model file or folder of model files to show; published models are "
        "listed by default.",
        default=None,
        metavar="[MODEL]",
    )


@question
def models(options: ModelsOptions) -> Result[LinearModel]:
    """List the sixteen published models, or show what a model contains.

    Examples
    --------
    >>> (model,) = models("classy-2011/6/A/no-models")
    >>> model.columns[0], model.coefficients[0]
    ('rouge-su4-r(stem)', 20.0)
    """
    name_or_model = PUBLISHED_PREFIX if options.name is None else options.name
    listed_models = (
        (name_or_model,)
        if isinstance(name_or_model, LinearModel)
        else find_models(name_or_model, LinearModel.read)
    )
    if len(listed_models) == 1:
        try:
            tables = list(_content_tables(listed_models[0]))
        except (AttributeError, KeyError, TypeError, ValueError):
            hint = "train it again"
            raise FormatError("the model's training record is incomplete", hint) from None
    else:
        tables = [
            MODELS.table(
                listed_models,
                "Models",
                _PUBLISHED_NOTE if name_or_model == PUBLISHED_PREFIX else "",
            )
        ]
    return Result(
        command="classy models",
        signature=signed("classy-models"),
        values=listed_models,
        record=LinearModel.to_dict,
        tables=tables,
    )


def _content_tables(model: LinearModel) -> Iterator[Table]:
    rows = (*zip(model.columns, model.coefficients, strict=True), ("constant", model.constant))
    note = ". ".join(_note_sentences(model)) + "."
    title = f"{model.name}: weighted sum"
    yield Table(("metric", "coefficient"), rows, title, note, digits=5, name="coefficients")
    if "years" in model.training:
        columns = ("year", "data", "measure", "summaries", "topics", "systems")
        fields = ("name", "data", "measure", "rows", "topics", "systems")
        years = tuple(tuple(year[key] for key in fields) for year in model.training["years"])
        yield Table(columns, years, title="Trained on", name="years")


def _note_sentences(model: LinearModel) -> Iterator[str]:
    task = f", task {model.task}" if model.task else ""
    yield f"Predicts {model.target}{task}, peers {model.peers or 'all'}; method {model.method}"
    training = model.training
    yield from (training[key] for key in ("source", "note") if key in training)
    if "value" in training:
        yield (
            f"{training['criterion']}, {training['level']} level: {training['value']:.3f} "
            f"{training['value_is']}"
        )
