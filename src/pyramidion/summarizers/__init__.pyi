"""The public names, and the modules they are loaded from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pyramidion.collection
from pyramidion.collection import Collection
from pyramidion.questions import Progress
from pyramidion.rendering import Result
from pyramidion.summarizers._collection import TopicSummary as TopicSummary
from pyramidion.summarizers._explanation import Explanation as Explanation
from pyramidion.summarizers._guard import CheckedSentence as CheckedSentence
from pyramidion.summarizers._guard import Guard as Guard
from pyramidion.summarizers._guard import GuardReport as GuardReport
from pyramidion.summarizers._guard import OnUnsupported as OnUnsupported
from pyramidion.summarizers._guard import Written as Written
from pyramidion.summarizers._guard import guard_summary as guard_summary
from pyramidion.summarizers._hmm import SummaryHmm as SummaryHmm
from pyramidion.summarizers._llm import LanguageModelWriter as LanguageModelWriter
from pyramidion.summarizers._llm import WriterOptions as WriterOptions
from pyramidion.summarizers._plugin import Appendix as Appendix
from pyramidion.summarizers._plugin import RewriterOptions as RewriterOptions
from pyramidion.summarizers._plugin import SummaryMaker as SummaryMaker
from pyramidion.summarizers._registry import BUILT_IN as BUILT_IN
from pyramidion.summarizers._registry import all_summarizers as all_summarizers
from pyramidion.summarizers._registry import parse_summarizer as parse_summarizer
from pyramidion.summarizers._registry import summarize as summarize
from pyramidion.summarizers._registry import summarizer_names as summarizer_names
from pyramidion.summarizers._replacements import Replacement as Replacement
from pyramidion.summarizers._replacements import Rewritten as Rewritten
from pyramidion.summarizers._replacements import edited as edited
from pyramidion.summarizers._result import SummaryResult as SummaryResult
from pyramidion.summarizers._result import replacements_table as replacements_table
from pyramidion.summarizers._result import sentence_label as sentence_label
from pyramidion.summarizers._rewriter import Rewriter as Rewriter
from pyramidion.summarizers._rewriter import RewriteSession as RewriteSession
from pyramidion.summarizers._rewriter import Weigh as Weigh
from pyramidion.summarizers._rewriter import mark_said as mark_said
from pyramidion.summarizers._rewriter import word_shares as word_shares
from pyramidion.summarizers._selection import Choice as Choice
from pyramidion.summarizers._selection import ChosenSentence as ChosenSentence
from pyramidion.summarizers._selection import Extract as Extract
from pyramidion.summarizers._selection import Fit as Fit
from pyramidion.summarizers._selection import Limit as Limit
from pyramidion.summarizers._selection import Order as Order
from pyramidion.summarizers._selection import choose_greedily as choose_greedily
from pyramidion.summarizers._selection import choose_ranked as choose_ranked
from pyramidion.summarizers._selection import reading_order as reading_order
from pyramidion.summarizers._source import Focus as Focus
from pyramidion.summarizers._source import Source as Source
from pyramidion.summarizers._source import query_of as query_of
from pyramidion.summarizers._summarizer import Summarizer as Summarizer
from pyramidion.summarizers.sentences import CandidateRules as CandidateRules
from pyramidion.summarizers.sentences import SourceSentence as SourceSentence

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.summarizers._registry import describe_methods
def describe_methods(
    name: str | None = None,
    *,
    model: str | Path | None = None,
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    train: pyramidion.collection.Source | None = None,
) -> Result[Any]: ...

# from pyramidion.summarizers._collection import summarize_collection
def summarize_collection(
    source: Collection | str | Path | Sequence[Collection | str | Path],
    *,
    update_of: Collection | str | Path | Sequence[Collection | str | Path] = (),
    source_format: str | None = None,
    words: int | None = None,
    method: str | Sequence[str] = ("auto",),
    no_context: bool = False,
    fit: Literal["stop", "fill", "truncate"] = "fill",
    order: Literal["source", "cohesive", "chosen"] = "source",
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    focus: Literal["generic", "query", "guided"] | None = None,
    query: str = "",
    language: str = "auto",
    tokenizer: Literal["rouge", "unicode"] | None = None,
    all_sentences: bool = False,
    dangling: bool = False,
    trim: Literal["ages", "adverbials", "relatives", "gerunds", "attributions"]
    | Sequence[Literal["ages", "adverbials", "relatives", "gerunds", "attributions"]] = (),
    system: str = "",
    explain: bool = False,
    citations: bool = False,
    stories: bool = False,
    peers: str | Path | None = None,
    progress: Progress = ...,
    answers: str | Path | None = None,
    parallel: int = 4,
    timeout: float = 300.0,
    price_input: float | None = None,
    price_output: float | None = None,
    dry_run: bool = False,
    on_unsupported: Literal["drop", "ask", "extract"] = "drop",
    allow: str | Sequence[str] = (),
    rewrite: Literal["np", "people", "people-as-printed"]
    | Sequence[Literal["np", "people", "people-as-printed"]] = (),
    composition: Literal["sum", "average"] = "sum",
    describe: Literal["all", "new"] = "all",
    variation: Literal["rules", "sampled"] = "rules",
    chains: str | Path | None = None,
    status: str | Path | None = None,
    pipeline: str = "",
    who: bool = False,
    seed: int = 0,
    engine: Literal["in-process", "cores", "dask"] = "in-process",
    workers: int | None = None,
    scheduler: str | None = None,
    connect_timeout: float = 10.0,
    on_error: Literal["stop", "report"] = "stop",
    parts_to: str | None = None,
) -> SummaryResult[TopicSummary]: ...

# from pyramidion.summarizers._hmm import train_hmm
def train_hmm(
    source: pyramidion.collection.Source,
    *,
    model: str | Path | None = None,
    task: str | Sequence[str] = (),
    source_format: str | None = None,
) -> Result[SummaryHmm]: ...
