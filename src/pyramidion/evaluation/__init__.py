"""Questions: which systems differ, which metrics to trust, which judges."""

from pyramidion.evaluation.comparison import (
    Comparison,
    ComparisonResult,
    PairCounts,
    SystemResult,
)
from pyramidion.evaluation.meta import MetaResult, meta_evaluate
from pyramidion.evaluation.systems import compare

__all__ = [
    "Comparison",
    "ComparisonResult",
    "MetaResult",
    "PairCounts",
    "SystemResult",
    "compare",
    "meta_evaluate",
]
