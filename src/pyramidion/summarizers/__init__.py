"""Summarizers that select sentences of the input."""

from pyramidion.summarizers._collection import TopicSummary, summarize_collection
from pyramidion.summarizers._explanation import Explanation
from pyramidion.summarizers._hmm import train_hmm
from pyramidion.summarizers._registry import (
    BUILT_IN,
    all_summarizers,
    describe_methods,
    parse_summarizer,
    summarize,
    summarizer_names,
)
from pyramidion.summarizers._result import SummaryResult
from pyramidion.summarizers._rewrite import SummaryRewrite, rewrite
from pyramidion.summarizers._rewrites import RewrittenSummary, SummaryRewriter
from pyramidion.summarizers._selection import (
    Choice,
    ChosenSentence,
    Extract,
    Fit,
    Limit,
    Order,
    choose_greedily,
    choose_ranked,
    reading_order,
)
from pyramidion.summarizers._sentences import CandidateRules, SourceSentence
from pyramidion.summarizers._source import Focus, Source, query_of
from pyramidion.summarizers._summarizer import Summarizer

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
    "train_hmm",
]
