"""The public names, and the modules they are loaded from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pyramidion.collection import Source
from pyramidion.judges._impact import WorstFirst as WorstFirst
from pyramidion.judges._impact_view import Retraining as Retraining
from pyramidion.judges._impact_view import RetrainingOptions as RetrainingOptions
from pyramidion.judges._judge import JudgeResult as JudgeResult
from pyramidion.judges._study import AssessorsResult as AssessorsResult
from pyramidion.questions import Progress

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.judges._assessors import assessors
def assessors(
    sources: Source | Sequence[Source],
    other: Source | None = None,
    *,
    scores: Source | Sequence[Source] = (),
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    reverse: str | Sequence[str] = (),
    missing: str | Sequence[str] = (),
    lower_is_better: str | Sequence[str] = (),
    higher_is_better: str | Sequence[str] = (),
    measures: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    level: Literal["nominal", "ordinal", "interval", "ratio"] | None = None,
    beside: Literal["category", "topic", "nothing"] | None = None,
    manual: str = "",
    automatic: str = "",
    contingency: bool = False,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
    judges: str | Sequence[str] = (),
    epsilon: float = 0.1,
    impact: bool = False,
    worst_by: Literal["alpha", "manual-automatic"]
    | Sequence[Literal["alpha", "manual-automatic"]] = ("alpha", "manual-automatic"),
    max_excluded: int | None = None,
    peers: Literal["all", "machines"] | Sequence[Literal["all", "machines"]] = ("all", "machines"),
    metrics: str | Sequence[str] = (),
    progress: Progress = ...,
    classy: Source | None = None,
    versions: str | Sequence[str] = (),
    targets: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    samples: int = 1,
    temperature: float | None = None,
    reason: bool = False,
    max_tokens: int = 300,
    parallel: int = 4,
    timeout: float = 60.0,
    retries: int = 6,
    wait: float = 1.0,
    answers: str | Path | None = None,
    price_input: float | None = None,
    price_output: float | None = None,
    attack: bool = False,
    attacks: Literal["padding", "injection", "shuffle", "negation"]
    | Sequence[Literal["padding", "injection", "shuffle", "negation"]] = (
        "padding",
        "injection",
        "shuffle",
        "negation",
    ),
    attacked: int = 50,
    rubric: str | Sequence[str] = (),
    documents_tokens: int | None = None,
) -> AssessorsResult: ...

# from pyramidion.judges._judge import judge
def judge(
    source: Source,
    *,
    rubric: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    systems: str | Sequence[str] = (),
    topics: str | Sequence[str] = (),
    pairs: int | None = None,
    documents_tokens: int | None = None,
    examples: str | Path | None = None,
    expected: bool = False,
    strict_answers: bool = False,
    again: bool = False,
    dry_run: bool = False,
    source_format: str | None = None,
    progress: Progress = ...,
    labels: Source | None = None,
    choose: int | None = None,
    choose_by: Literal["balanced", "spread", "random"] = "balanced",
    model: str | Sequence[str] = (),
    samples: int = 1,
    temperature: float | None = None,
    reason: bool = False,
    max_tokens: int = 300,
    parallel: int = 4,
    timeout: float = 60.0,
    retries: int = 6,
    wait: float = 1.0,
    answers: str | Path | None = None,
    price_input: float | None = None,
    price_output: float | None = None,
    seed: int = 0,
) -> JudgeResult: ...
