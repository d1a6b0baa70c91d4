"""The public names, and the modules they are loaded from."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from pyramidion.collection import Source
from pyramidion.meta_evaluation._agreement import Agreement as Agreement
from pyramidion.meta_evaluation._agreement import Costs as Costs
from pyramidion.meta_evaluation._agreement import VerdictOptions as VerdictOptions
from pyramidion.meta_evaluation._gap import HumanGap as HumanGap
from pyramidion.meta_evaluation._result import MetaEvaluation as MetaEvaluation
from pyramidion.meta_evaluation._result import MetricCorrelation as MetricCorrelation
from pyramidion.meta_evaluation._result import MetricMatrix as MetricMatrix
from pyramidion.meta_evaluation._verdicts import MetricVerdicts as MetricVerdicts
from pyramidion.meta_evaluation._view import MetaResult as MetaResult
from pyramidion.rendering.result import FiguresResult

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.meta_evaluation._gap import gap
def gap(
    source: Source | Sequence[Source],
    *,
    tasks: str | Sequence[str] = (),
    human: str | Sequence[str] = (),
    metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
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
    fit: Literal["ols", "robust"] = "ols",
    plain: bool = False,
    over: Literal["inputs", "systems", "both"] = "both",
    method: Literal["percentile", "bca"] = "bca",
    n_resamples: int = 1000,
    seed: int = 0,
    confidence_level: float = 0.95,
    test: Literal[
        "permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"
    ] = "wilcoxon",
    continuity: bool = False,
    correction: Literal["maxt", "maxt-single", "holm", "bh", "none"] = "none",
    alpha: float = 0.05,
    statistic: Literal["w", "t", "t-unpaired"] = "w",
    n_test_resamples: int = 9999,
) -> FiguresResult[HumanGap]: ...

# from pyramidion.meta_evaluation._view import meta
def meta(
    source: Source | Sequence[Source],
    *,
    tasks: str | Sequence[str] = (),
    human: str | Sequence[str] = (),
    metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
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
    peers: Literal["all", "machines"] | Sequence[Literal["all", "machines"]] = ("all", "machines"),
    levels: Literal["system", "input", "global"]
    | Sequence[Literal["system", "input", "global"]] = (),
    coefficients: Literal["pearson", "spearman", "kendall", "tau_ap"]
    | Sequence[Literal["pearson", "spearman", "kendall", "tau_ap"]] = (),
    test: Literal["permutation", "williams", "steiger", "zou", "meng", "none"]
    | Sequence[Literal["permutation", "williams", "steiger", "zou", "meng", "none"]] = (
        "permutation",
    ),
    correction: Literal["maxt", "maxt-single", "holm", "bh", "none"] = "maxt",
    over: Literal["inputs", "systems", "both"] = "both",
    method: Literal["jackknife", "percentile", "bca", "fisher"] = "jackknife",
    control: Literal["length"] | Sequence[Literal["length"]] = (),
    confidence_level: float = 0.95,
    alpha: float = 0.05,
    n_resamples: int = 1000,
    seed: int = 0,
    engine: Literal["in-process", "cores", "dask"] = "in-process",
    workers: int | None = None,
    scheduler: str | None = None,
    connect_timeout: float = 10.0,
) -> MetaResult: ...

# from pyramidion.meta_evaluation._view import meta_evaluate
def meta_evaluate(
    source: Source | Sequence[Source],
    *,
    tasks: str | Sequence[str] = (),
    human: str | Sequence[str] = (),
    metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
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
    peers: Literal["all", "machines"] | Sequence[Literal["all", "machines"]] = ("all", "machines"),
    levels: Literal["system", "input", "global"]
    | Sequence[Literal["system", "input", "global"]] = (),
    coefficients: Literal["pearson", "spearman", "kendall", "tau_ap"]
    | Sequence[Literal["pearson", "spearman", "kendall", "tau_ap"]] = (),
    test: Literal["permutation", "williams", "steiger", "zou", "meng", "none"]
    | Sequence[Literal["permutation", "williams", "steiger", "zou", "meng", "none"]] = (
        "permutation",
    ),
    correction: Literal["maxt", "maxt-single", "holm", "bh", "none"] = "maxt",
    over: Literal["inputs", "systems", "both"] = "both",
    method: Literal["jackknife", "percentile", "bca", "fisher"] = "jackknife",
    control: Literal["length"] | Sequence[Literal["length"]] = (),
    confidence_level: float = 0.95,
    alpha: float = 0.05,
    n_resamples: int = 1000,
    seed: int = 0,
    engine: Literal["in-process", "cores", "dask"] = "in-process",
    workers: int | None = None,
    scheduler: str | None = None,
    connect_timeout: float = 10.0,
) -> MetaResult: ...

# from pyramidion.meta_evaluation._verdicts import verdicts
def verdicts(
    source: Source | Sequence[Source],
    *,
    tasks: str | Sequence[str] = (),
    human: str | Sequence[str] = (),
    metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
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
    top: int | str | Sequence[int | str] = ("30", "all"),
    exactly: bool = False,
    peers: Literal["all", "machines"] = "machines",
    combine: str | Sequence[str] = (),
    combine_by: Literal["direction", "significance"] = "direction",
    costs: Costs | str = "missed=1,false=1,reversed=2",
    n_resamples: int = 1000,
    test: Literal[
        "permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"
    ] = "wilcoxon",
    continuity: bool = False,
    correction: Literal["maxt", "maxt-single", "holm", "bh", "none"] = "none",
    alpha: float = 0.05,
    statistic: Literal["w", "t", "t-unpaired"] = "w",
    n_test_resamples: int = 9999,
    seed: int = 0,
    as_printed: bool = False,
) -> FiguresResult[MetricVerdicts]: ...
