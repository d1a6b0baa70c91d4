"""Every automatic metric as a value: parsed from a name, hashable, printed as it is typed."""

from pyramidion.metrics._cases import ScoringBatch, Texts, TextSets
from pyramidion.metrics._listing import describe_metrics
from pyramidion.metrics._metric import Metric, Need
from pyramidion.metrics._own import metric
from pyramidion.metrics._registry import BUILT_IN, all_metrics, parse_metric, parse_metrics
from pyramidion.metrics._score import score
from pyramidion.metrics._scoring import CollectionScores, score_cases, score_collection
from pyramidion.text._encoding import Reading

__all__ = [
    "BUILT_IN",
    "CollectionScores",
    "Metric",
    "Need",
    "Reading",
    "ScoringBatch",
    "TextSets",
    "Texts",
    "all_metrics",
    "describe_metrics",
    "metric",
    "parse_metric",
    "parse_metrics",
    "score",
    "score_cases",
    "score_collection",
]
