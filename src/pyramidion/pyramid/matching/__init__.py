"""Annotating a summary with the words that annotators marked in others, and what that tells."""

from pyramidion.pyramid.matching.matcher import Matcher, MatchRules, match_summary
from pyramidion.pyramid.matching.scores import (
    MatchedSummary,
    MeanDifference,
    match_topic,
    mean_differences,
)

__all__ = [
    "MatchRules",
    "MatchedSummary",
    "Matcher",
    "MeanDifference",
    "match_summary",
    "match_topic",
    "mean_differences",
]
