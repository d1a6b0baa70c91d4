"""Questions: which systems differ, which metrics to trust, which judges."""

from pyramidion.evaluation.compare import compare
from pyramidion.evaluation.comparison import (
    Comparison,
    ComparisonResult,
    PairCounts,
    SystemResult,
)

__all__ = ["Comparison", "ComparisonResult", "PairCounts", "SystemResult", "compare"]
