"""The published models, and what is in a model."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from pyramidion.classy.model import LinearModel
from pyramidion.classy.predictor import find_models
from pyramidion.classy.published import PREFIX
from pyramidion.collection import Signature
from pyramidion.report.answer import Answer
from pyramidion.report.table import Table

__all__ = ["models_answer"]

_NOTE = (
    "Coefficients as printed in Tables 5.2 and 5.3 of Rankel (2016), to two digits and without "
    "constant: for ranking, not for predicting a score. `pyramidion classy models NAME` shows them."
)


def models_answer(name: str | Path | None = None) -> Answer:
    """List the published models, or show what is in one, or in a trained one.

    Parameters
    ----------
    name
        A published model, a model's file, or a folder of them; the published ones if not given.

    Examples
    --------
    >>> answer = models_answer("classy-2011/6/A/no-models")
    >>> answer.tables[0].rows[0]
    ('rouge-su4-r(stem)', 20.0)
    """
    models = find_models(PREFIX if name is None else name)
    if len(models) == 1:
        tables = tuple(_content(models[0]))
    else:
        tables = (_list(models, _NOTE if name in (None, PREFIX) else ""),)
    return Answer(
        "classy models", Signature("classy-models"), [asdict(model) for model in models], tables
    )


def _list(models: tuple[LinearModel, ...], note: str) -> Table:
    rows = tuple(
        (m.name, m.target, m.method, m.task or "–", m.peers, len(m.columns)) for m in models
    )
    columns = ("model", "predicts", "method", "task", "peers", "metrics")
    return Table(columns, rows, title="Models", note=note)


def _content(model: LinearModel) -> list[Table]:
    rows = (*zip(model.columns, model.coefficients, strict=True), ("constant", model.constant))
    title = f"{model.name}: what is added up"
    note = ". ".join(_said(model)) + "."
    tables = [Table(("metric", "coefficient"), rows, title=title, note=note, digits=5)]
    if "years" in model.training:
        columns = ("year", "data", "measure", "summaries", "topics", "systems")
        keys = ("name", "data", "measure", "rows", "topics", "systems")
        years = tuple(tuple(year[key] for key in keys) for year in model.training["years"])
        tables.append(Table(columns, years, title="Trained on"))
    return tables


def _said(model: LinearModel) -> Iterator[str]:
    task = f", task {model.task}" if model.task else ""
    yield f"Predicts {model.target}{task}, peers {model.peers or 'all'}; method {model.method}"
    training = model.training
    yield from (training[key] for key in ("source", "note") if key in training)
    if "value" in training:
        yield (
            f"{training['criterion']}, {training['level']} level: {training['value']:.3f} "
            f"{training['value_is']}"
        )
