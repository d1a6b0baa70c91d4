"""Summaries made of the sentences of an input; see `registry` for where to add a method."""

from pyramidion.summarizers._listing import describe_methods
from pyramidion.summarizers.candidates import CandidateRules
from pyramidion.summarizers.extract import ChosenSentence, Extract, Fit, Limit
from pyramidion.summarizers.ordering import Order, reading_order
from pyramidion.summarizers.registry import (
    BUILT_IN,
    all_summarizers,
    parse_summarizer,
    summarizer_names,
)
from pyramidion.summarizers.rewrites import RewrittenSummary, SummaryRewriter
from pyramidion.summarizers.selection import Choice, choose_greedily, choose_ranked
from pyramidion.summarizers.source import Source, SourceSentence
from pyramidion.summarizers.summarizer import Summarizer
from pyramidion.summarizers.summarizing import summarize
from pyramidion.summarizers.tasks import Focus, query_of

__all__ = [
    "BUILT_IN",
    "CandidateRules",
    "Choice",
    "ChosenSentence",
    "Extract",
    "Fit",
    "Focus",
    "Limit",
    "Order",
    "RewrittenSummary",
    "Source",
    "SourceSentence",
    "Summarizer",
    "SummaryRewriter",
    "all_summarizers",
    "choose_greedily",
    "choose_ranked",
    "describe_methods",
    "parse_summarizer",
    "query_of",
    "reading_order",
    "summarize",
    "summarizer_names",
]
