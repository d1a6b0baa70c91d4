"""Summaries made of the sentences of an input; see `registry` for where to add a method."""

from pyramidion.summarizers._collection import TopicSummary, summarize_collection
from pyramidion.summarizers._explanation import Explanation
from pyramidion.summarizers._listing import describe_methods
from pyramidion.summarizers._result import SummaryResult
from pyramidion.summarizers._rewrite import SummaryRewrite, rewrite
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
    "Explanation",
    "Extract",
    "Fit",
    "Focus",
    "Limit",
    "Order",
    "RewrittenSummary",
    "Source",
    "SourceSentence",
    "Summarizer",
    "SummaryResult",
    "SummaryRewrite",
    "SummaryRewriter",
    "TopicSummary",
    "all_summarizers",
    "choose_greedily",
    "choose_ranked",
    "describe_methods",
    "parse_summarizer",
    "query_of",
    "reading_order",
    "rewrite",
    "summarize",
    "summarize_collection",
    "summarizer_names",
]
