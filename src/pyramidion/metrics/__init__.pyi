"""The public names, and the modules they are loaded from."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from pyramidion.collection import Source
from pyramidion.metrics._bigrams import BigramCounts as BigramCounts
from pyramidion.metrics._cases import ScoringBatch as ScoringBatch
from pyramidion.metrics._cases import Texts as Texts
from pyramidion.metrics._cases import TextSets as TextSets
from pyramidion.metrics._frames import score_frame as score_frame
from pyramidion.metrics._metric import Metric as Metric
from pyramidion.metrics._metric import Need as Need
from pyramidion.metrics._metric import SingleMetric as SingleMetric
from pyramidion.metrics._own import metric as metric
from pyramidion.metrics._rouge import R1NS as R1NS
from pyramidion.metrics._rouge import RougeMeasure as RougeMeasure
from pyramidion.metrics._score import ScoreResult as ScoreResult
from pyramidion.metrics._scoring import CollectionScores as CollectionScores
from pyramidion.metrics._scoring import score_cases as score_cases
from pyramidion.metrics._scoring import score_collection as score_collection
from pyramidion.metrics._word_distributions import MultinomialLikelihood as MultinomialLikelihood
from pyramidion.metrics._word_distributions import UnigramLikelihood as UnigramLikelihood
from pyramidion.metrics.registry import BUILT_IN as BUILT_IN
from pyramidion.metrics.registry import all_metrics as all_metrics
from pyramidion.metrics.registry import parse_metric as parse_metric
from pyramidion.metrics.registry import parse_metrics as parse_metrics
from pyramidion.questions import Progress
from pyramidion.rendering import Result
from pyramidion.text.encoding import Reading as Reading

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.metrics._listing import describe_metrics
def describe_metrics(name: str | None = None) -> Result[type[Metric]]: ...

# from pyramidion.metrics._score import score
def score(
    source: Source,
    *,
    references: str | Sequence[str] = (),
    metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (
        "rouge-1-ns",
        "rouge-1",
        "rouge-2",
        "rouge-l",
    ),
    stem: bool = False,
    stop_words: bool = False,
    words: int | None = None,
    bytes: int | None = None,
    alpha: float = 0.5,
    best: bool = False,
    tokenizer: str | None = None,
    language: str | None = None,
    exact: bool = False,
    jackknife: bool = False,
    threads: int | None = None,
    seed: int = 0,
    output: str | Path | None = None,
    tasks: str | Sequence[str] = (),
    add: bool = False,
    progress: Progress = ...,
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    engine: Literal["in-process", "cores", "dask"] = "in-process",
    workers: int | None = None,
    scheduler: str | None = None,
    connect_timeout: float = 10.0,
    on_error: Literal["stop", "report"] = "stop",
    parts_to: str | None = None,
) -> ScoreResult: ...
