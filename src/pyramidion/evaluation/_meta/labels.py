"""What figures and tables say about metrics, levels, coefficients and peers."""

from collections.abc import Iterable

from pyramidion.evaluation._judged import Peers, place_name
from pyramidion.evaluation._meta.result import MetaEvaluation, MetaOptions, MetricMatrix
from pyramidion.evaluation._procedures import CORRECTION_TEXTS, META_TEST_TEXTS
from pyramidion.stats._clustered import CorrelationLevel
from pyramidion.stats._correlation import Coefficient

PEER_NAMES: dict[Peers, str] = {"all": "all peers", "machines": "machines only"}
COEFFICIENT_NAMES: dict[Coefficient, str] = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "tau_ap": "tau AP",
}
OVER_NAMES = {"both": "systems and topics", "systems": "systems", "inputs": "topics"}
_METHODS = {"percentile": "percentiles", "bca": "BCa", "fisher": "Fisher's z"}


def correlation_name(level: CorrelationLevel, coefficient: Coefficient) -> str:
    """Name a correlation for people."""
    return f"{COEFFICIENT_NAMES[coefficient]} at {level} level"


def human_name(result: MetaEvaluation) -> str:
    """Name the human measure with its collection and task."""
    return place_name(result.human, result.task, result.tables.collection)


def interval_note(options: MetaOptions) -> str:
    """Write how the intervals were made."""
    start = f"{options.confidence_level * 100:g}% intervals: {_METHODS[options.method]}"
    if options.method == "fisher":
        return start
    return f"{start} of {options.n_resamples:,} draws of {OVER_NAMES[options.over]}"


def matrix_note(matrix: MetricMatrix, options: MetaOptions) -> str:
    """Write how metrics were tested."""
    name = META_TEST_TEXTS[matrix.test].name
    how = f"{name} over {OVER_NAMES[options.over]}" if matrix.test == "permutation" else name
    swaps = f"{matrix.n_resamples:,} swaps" if matrix.n_resamples else ""
    parts = (how, swaps, CORRECTION_TEXTS[matrix.correction].name, f"α = {matrix.alpha:g}")
    return ", ".join(part for part in parts if part)


def shown_peers(result: MetaEvaluation) -> tuple[Peers, ...]:
    """Give the peer sets that differ: without people, all peers and machines are the same."""
    return result.options.peers if result.tables.people.any() else result.options.peers[:1]


def negated_note(result: MetaEvaluation, metrics: Iterable[str]) -> str:
    """Explain the mark of negated metrics, if any of these is."""
    return "↓ lower is better, sign turned" if {*metrics} & {*result.tables.negated} else ""


def named_metric(metric: str, negated: tuple[str, ...]) -> str:
    """Mark a metric whose sign was turned, since lower is better."""
    return f"{metric} ↓" if metric in negated else metric
