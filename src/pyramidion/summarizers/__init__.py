"""Summaries made of the sentences of an input; see `registry` for where to add a method."""

from pyramidion.summarizers.candidates import CandidateRules
from pyramidion.summarizers.extract import ChosenSentence, Extract, Limit
from pyramidion.summarizers.registry import BUILT_IN, parse_summarizer, summarizer_names
from pyramidion.summarizers.selection import Choice, choose_greedily, choose_ranked
from pyramidion.summarizers.source import Source, SourceSentence
from pyramidion.summarizers.summarizer import Summarizer

__all__ = [
    "BUILT_IN",
    "CandidateRules",
    "Choice",
    "ChosenSentence",
    "Extract",
    "Limit",
    "Source",
    "SourceSentence",
    "Summarizer",
    "choose_greedily",
    "choose_ranked",
    "parse_summarizer",
    "summarizer_names",
]
