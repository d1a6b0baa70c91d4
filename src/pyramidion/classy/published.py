"""The sixteen models that were submitted to AESOP 2011, as they were printed.

Tables 5.2 and 5.3 give coefficients to two digits and no constant: good for ranking systems, not
for predicting a score. In some columns large terms of opposite sign nearly cancel, where two
digits are few.

The papers do not say whether stop words count in the four features of shared bigrams. The
coefficients do: with stop words six of the sixteen models rank summaries of the demonstration below
texts about another topic, without them none does. So these models leave them out.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from pyramidion.classy.features import feature_groups
from pyramidion.classy.model import LinearModel
from pyramidion.errors import NotFoundError
from pyramidion.metrics import Metric
from pyramidion.metrics.bigrams import (
    BigramCoverage,
    BigramCoverageP2P,
    BigramP2P,
    BigramUnnormalised,
)

__all__ = ["PREFIX", "published_model", "published_models"]

#: What their names begin with.
PREFIX = "classy-2011"

_DATA = Path(__file__).parent / "data" / "published.json"


@cache
def published_models() -> dict[str, LinearModel]:
    """Give the models by name: the version, the task, and the peers they were trained for.

    Examples
    --------
    >>> models = published_models()
    >>> len(models), list(models)[0]
    (16, 'classy-2011/8/A/all')
    >>> models["classy-2011/6/A/no-models"].columns
    ('rouge-su4-r(stem)', 'term-overlap', 'redundancy-2')
    """
    records = json.loads(_DATA.read_text(encoding="utf-8"))
    models = (_model(record) for record in records)
    return {model.name: model for model in models}


def published_model(name: str) -> LinearModel:
    """Give a model by its name.

    Examples
    --------
    >>> published_model("classy-2011/25/B/all").method
    'canon'
    """
    models = published_models()
    if name not in models:
        raise NotFoundError(
            f"there is no model {name!r}",
            hint=f"write {PREFIX}/VERSION/TASK/PEERS with 8, 25, 23 or 6, A or B, all or no-models",
        )
    return models[name]


def _model(record: dict[str, object]) -> LinearModel:
    task, coefficients = str(record["task"]), record["coefficients"]
    assert isinstance(coefficients, dict)
    groups = {group.name: group for group in feature_groups(task == "B")}
    columns = [
        (str(_as_published(metric)), weight)
        for name, weights in coefficients.items()
        for metric, weight in zip(groups[name].metrics, weights, strict=True)
    ]
    return LinearModel(
        name=f"{PREFIX}/{record['version']}/{task}/{record['peers']}",
        columns=tuple(column for column, _ in columns),
        coefficients=tuple(weight for _, weight in columns),
        target=str(record["target"]),
        method=str(record["method"]),
        task=task,
        peers=str(record["peers"]),
        training={
            "source": f"Rankel (2016), Table {record['table']}",
            "note": "coefficients as printed, to two digits and without constant: for ranking",
        },
    )


def _as_published(metric: Metric) -> Metric:
    """Leave stop words out where bigrams are shared."""
    if isinstance(metric, BigramCoverage | BigramUnnormalised | BigramP2P | BigramCoverageP2P):
        return replace(metric, stop_words=True)
    return metric
