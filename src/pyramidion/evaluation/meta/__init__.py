"""Judging the metrics: correlations with people, and which metrics differ."""

from pyramidion.evaluation.meta.evaluate import judge_tables, meta_evaluate
from pyramidion.evaluation.meta.options import MetaOptions
from pyramidion.evaluation.meta.result import (
    MetaResult,
    MetricCorrelation,
    MetricMatrix,
    MetricPair,
    MetricRank,
)
from pyramidion.evaluation.meta.tables import MetaTables, meta_tables

__all__ = [
    "MetaOptions",
    "MetaResult",
    "MetaTables",
    "MetricCorrelation",
    "MetricMatrix",
    "MetricPair",
    "MetricRank",
    "judge_tables",
    "meta_evaluate",
    "meta_tables",
]
