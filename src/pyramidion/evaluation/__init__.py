"""Questions: which systems differ, which metrics to trust, which judges."""

from pyramidion.evaluation._meta.evaluate import meta_evaluate
from pyramidion.evaluation._meta.result import MetaResult
from pyramidion.evaluation.comparison import (
    Comparison,
    ComparisonResult,
    PairCounts,
    SystemResult,
)
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
