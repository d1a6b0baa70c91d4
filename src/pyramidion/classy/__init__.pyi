"""The public names, and the modules they are loaded from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pyramidion.classy._evaluate import LeftOut as LeftOut
from pyramidion.classy._fits import METHODS as METHODS
from pyramidion.classy._fits import FitMethod as FitMethod
from pyramidion.classy._fits import LinearFit as LinearFit
from pyramidion.classy._fits import fit_linear as fit_linear
from pyramidion.classy._models import LinearModel as LinearModel
from pyramidion.classy._models import Prediction as Prediction
from pyramidion.classy._predict import PredictionResult as PredictionResult
from pyramidion.classy._search import Selection as Selection
from pyramidion.classy._search import SubsetSearch as SubsetSearch
from pyramidion.classy._search import search_subsets as search_subsets
from pyramidion.classy._table import TrainingData as TrainingData
from pyramidion.classy._train import TrainingResult as TrainingResult
from pyramidion.classy._training import topic_parts as topic_parts
from pyramidion.collection import Source
from pyramidion.questions import Progress
from pyramidion.rendering import Result
from pyramidion.rendering.result import FigureResult

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.classy._evaluate import evaluate
def evaluate(
    sets: Source | Sequence[Source],
    *,
    target: str | Sequence[str],
    metric: str | Sequence[str] = (),
    method: Literal["regularized", "ranking"] | Sequence[Literal["regularized", "ranking"]] = (
        "regularized",
    ),
    features: Literal["classy", "family", "rose"]
    | Sequence[Literal["classy", "family", "rose"]] = ("family", "classy"),
    own_set: bool = False,
    source_format: str | None = None,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    progress: Progress = ...,
) -> FigureResult[LeftOut]: ...

# from pyramidion.classy._predict import models
def models(name: LinearModel | str | Path | None = None) -> Result[LinearModel]: ...

# from pyramidion.classy._predict import predict
def predict(
    model: LinearModel | str | Path,
    collection: Source,
    *,
    metrics: str | Sequence[str] = (),
    task: str | None = None,
    peers: Literal["all", "no-models"] | None = None,
    source_format: str | None = None,
    threads: int | None = None,
    seed: int = 0,
    progress: Progress = ...,
    engine: Literal["in-process", "cores", "dask"] = "in-process",
    workers: int | None = None,
    scheduler: str | None = None,
    connect_timeout: float = 10.0,
    on_error: Literal["stop", "report"] = "stop",
    parts_to: str | None = None,
) -> PredictionResult: ...

# from pyramidion.classy._train import train
def train(
    years: Source | Sequence[Source],
    *,
    named: bool = False,
    version: str | Sequence[str] = (),
    target: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    peers: Literal["all", "no-models"] | Sequence[Literal["all", "no-models"]] = (),
    source_format: str | None = None,
    progress: Progress = ...,
    features: Literal["classy", "classy-2011", "nouveau", "rose", "family"] | None = None,
    method: Literal["robust", "nonneg", "canon", "regularized", "ranking"] | None = None,
    criterion: Literal["pearson", "spearman", "kendall"] | None = None,
    level: Literal["summary", "system", "input"] | None = None,
    human: str | Sequence[str] = (),
    without_features: str | Sequence[str] = (),
    without_assessors: str | Sequence[str] = (),
    exact: bool = False,
    scale: Literal["matlab", "text"] = "matlab",
    seed: int = 0,
    targets: str | Sequence[str] = (),
    output: str | Path | None = None,
    search_table: str | Path | None = None,
    figure: str | Path | None = None,
) -> TrainingResult: ...
