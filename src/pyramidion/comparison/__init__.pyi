"""The public names, and the modules they are loaded from."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from pyramidion.collection import Pyramid, Source, Values
from pyramidion.collection.sources import Array
from pyramidion.comparison._checklists import Checklist as Checklist
from pyramidion.comparison._checklists import ChecklistScoring as ChecklistScoring
from pyramidion.comparison._compare import ResamplingOptions as ResamplingOptions
from pyramidion.comparison._page import ReportRequest as ReportRequest
from pyramidion.comparison._power import PlannedPair as PlannedPair
from pyramidion.comparison._power import PowerPlan as PowerPlan
from pyramidion.comparison._power import PowerPlans as PowerPlans
from pyramidion.comparison._preferences import PreferenceRanking as PreferenceRanking
from pyramidion.comparison._preferences import PreferenceRankings as PreferenceRankings
from pyramidion.comparison._result import Comparison as Comparison
from pyramidion.comparison._result import ComparisonResult as ComparisonResult
from pyramidion.comparison._result import PairCounts as PairCounts
from pyramidion.comparison._result import SystemResult as SystemResult
from pyramidion.comparison._unit_pairs import UnitComparison as UnitComparison
from pyramidion.comparison._unit_pairs import UnitComparisons as UnitComparisons
from pyramidion.comparison._view import Comparisons as Comparisons
from pyramidion.comparison.procedures import PairTest as PairTest
from pyramidion.questions import Progress
from pyramidion.rendering.page import HtmlPage

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.comparison._checklists import checklists
def checklists(
    source: Source,
    *,
    tasks: str | Sequence[str] = (),
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    answers: Literal["people", "settled"] = "people",
    cannot_tell: Literal["missing", "no", "half"] = "missing",
    a: float = 6.0,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    seed: int = 0,
) -> ChecklistScoring: ...

# from pyramidion.comparison._view import compare
def compare(
    source: Source | Array | Sequence[Source | float | None],
    other: Values | None = None,
    *,
    tasks: str | Sequence[str] = (),
    measures: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
    cluster: str | None = None,
    assessor: str | None = None,
    peers: Literal["all", "machines"] = "all",
    top: int | None = None,
    exactly: bool = False,
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
    human: str | None = None,
    judge: str | None = None,
    calibrate: Literal["isotonic", "linear"] | None = None,
    sequential: bool = False,
    scale: float | Sequence[float] = (),
    gate: bool = False,
    p_best: bool = False,
    deciding: str | Sequence[str] = (),
    test: Literal[
        "permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"
    ]
    | str
    | Sequence[
        Literal["permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"]
        | str
    ] = ("permutation",),
    model: Literal["lmm", "ordinal"] | None = None,
    random: Literal["topic", "assessor", "run", "system:topic", "system:assessor"]
    | Sequence[Literal["topic", "assessor", "run", "system:topic", "system:assessor"]] = (),
    statistic: Literal["w", "t", "t-unpaired"] = "w",
    continuity: bool = False,
    exact: bool = False,
    correction: Literal["maxt", "maxt-single", "holm", "bh", "none"] = "maxt",
    family: Literal["pairs", "measures"] = "pairs",
    alpha: float = 0.05,
    margin: float | None = None,
    baseline: str | None = None,
    n_resamples: int = 9999,
    seed: int = 0,
    confidence_level: float = 0.95,
    pairs: Literal["main", "significant", "all", "none"] = "main",
    progress: Progress = ...,
    engine: Literal["in-process", "cores", "dask"] = "in-process",
    workers: int | None = None,
    scheduler: str | None = None,
    connect_timeout: float = 10.0,
    as_printed: bool = False,
) -> Comparisons: ...

# from pyramidion.comparison._unit_pairs import compare_by_units
def compare_by_units(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    system: str | Sequence[str] = (),
    references: bool = True,
    weighted: bool = False,
    test: Literal["permutation", "paired-t", "wilcoxon", "mc", "hb"] = "permutation",
    correction: Literal["maxt", "maxt-single", "holm", "bh", "none"] = "maxt",
    alpha: float = 0.05,
    n_resamples: int = 9999,
    seed: int = 0,
) -> UnitComparisons: ...

# from pyramidion.comparison._power import power
def power(
    source: Source | Sequence[Source],
    *,
    tasks: str | Sequence[str] = (),
    measures: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
    cluster: str | None = None,
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
    sequential: bool = False,
    scale: float | Sequence[float] = (),
    difference: float | None = None,
    systems: int | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    test: Literal["permutation", "wilcoxon", "paired-t", "unpaired-t", "welch"] = "permutation",
    model: Literal["lmm", "ordinal"] | None = None,
    margin: float | None = None,
    correction: Literal["maxt", "maxt-single", "holm", "bh", "none"] = "maxt",
    judge: str | None = None,
    max_topics: int = 1000,
    cost_topic: float = 0.0,
    cost_run: float = 0.0,
    cost_judgment: float = 1.0,
    n_resamples: int = 4000,
    curves: bool = False,
    seed: int = 0,
    confidence_level: float = 0.95,
) -> PowerPlans: ...

# from pyramidion.comparison._preferences import preferences
def preferences(
    source: Source | Sequence[Source],
    *,
    tasks: str | Sequence[str] = (),
    measures: str | Sequence[str] = (),
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    choices: str | Sequence[str] = (),
    reverse: str | Sequence[str] = (),
    position: bool = True,
    assessor_effects: bool = False,
    strength: bool = False,
    cluster: Literal["topic", "assessor", "both", "none"] = "topic",
    correction: Literal["maxt", "holm", "bh", "none"] = "maxt",
    alpha: float = 0.05,
    baseline: str | None = None,
    elo: int = 0,
    confidence_level: float = 0.95,
    seed: int = 0,
) -> PreferenceRankings: ...

# from pyramidion.comparison._page import report
def report(
    source: Source | Array | Sequence[Source | float | None],
    other: Values | None = None,
    *,
    tasks: str | Sequence[str] = (),
    measures: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
    cluster: str | None = None,
    assessor: str | None = None,
    peers: Literal["all", "machines"] = "all",
    top: int | None = None,
    exactly: bool = False,
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
    test: Literal[
        "permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"
    ]
    | str
    | Sequence[
        Literal["permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"]
        | str
    ] = ("permutation",),
    model: Literal["lmm", "ordinal"] | None = None,
    random: Literal["topic", "assessor", "run", "system:topic", "system:assessor"]
    | Sequence[Literal["topic", "assessor", "run", "system:topic", "system:assessor"]] = (),
    statistic: Literal["w", "t", "t-unpaired"] = "w",
    continuity: bool = False,
    exact: bool = False,
    correction: Literal["maxt", "maxt-single", "holm", "bh", "none"] = "maxt",
    family: Literal["pairs", "measures"] = "pairs",
    alpha: float = 0.05,
    margin: float | None = None,
    baseline: str | None = None,
    n_resamples: int = 9999,
    seed: int = 0,
    confidence_level: float = 0.95,
    pairs: Literal["main", "significant", "all", "none"] = "main",
    progress: Progress = ...,
    title: str = "",
    human: str | Sequence[str] = (),
    metrics: str | Sequence[str] = (),
    assessors: bool = False,
) -> HtmlPage: ...
