"""Every automatic metric as a value; see `registry` for where to add one."""

from pyramidion.metrics._listing import describe_metrics
from pyramidion.metrics._score import score
from pyramidion.metrics.cases import Cases, TextSets
from pyramidion.metrics.metric import Metric, Need, option
from pyramidion.metrics.registry import BUILT_IN, all_metrics, parse_metric, parse_metrics
from pyramidion.metrics.scoring import CollectionScores, score_cases, score_collection
from pyramidion.metrics.texts import Reading, Texts

__all__ = [
    "BUILT_IN",
    "Cases",
    "CollectionScores",
    "Metric",
    "Need",
    "Reading",
    "TextSets",
    "Texts",
    "all_metrics",
    "describe_metrics",
    "option",
    "parse_metric",
    "parse_metrics",
    "score",
    "score_cases",
    "score_collection",
]
