"""The public names, and the modules they are loaded from."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from pyramidion.collection import Collection, Pyramid, Source
from pyramidion.questions import Progress
from pyramidion.rendering.result import FiguresResult
from pyramidion.studies._affiliations import affiliations_of as affiliations_of
from pyramidion.studies._affiliations import include_affiliation as include_affiliation
from pyramidion.studies._affiliations import postmodify as postmodify
from pyramidion.studies._affiliations import salience_list as salience_list
from pyramidion.studies._composite import Composite as Composite
from pyramidion.studies._composite import CompositeResult as CompositeResult
from pyramidion.studies._composition import ComposedScore as ComposedScore
from pyramidion.studies._content_units import UnitStudy as UnitStudy
from pyramidion.studies._contrast import ContrastedSummary as ContrastedSummary
from pyramidion.studies._contrast import TopicContrast as TopicContrast
from pyramidion.studies._difficulty import Difficulty as Difficulty
from pyramidion.studies._every import EveryStudy as EveryStudy
from pyramidion.studies._importance import Importance as Importance
from pyramidion.studies._importance import ImportanceClasses as ImportanceClasses
from pyramidion.studies._importance import ImportanceResult as ImportanceResult
from pyramidion.studies._importance import ZipfFit as ZipfFit
from pyramidion.studies._importance import fit_zipf as fit_zipf
from pyramidion.studies._judgments import AssessorCategories as AssessorCategories
from pyramidion.studies._judgments import RaterKappa as RaterKappa
from pyramidion.studies._judgments import TiedRanks as TiedRanks
from pyramidion.studies._likelihood import SummarizerLikelihood as SummarizerLikelihood
from pyramidion.studies._lognormal import LognormalFit as LognormalFit
from pyramidion.studies._lognormal import ModeledTopic as ModeledTopic
from pyramidion.studies._lognormal import fit_lognormal as fit_lognormal
from pyramidion.studies._quality import QualityCategories as QualityCategories
from pyramidion.studies._references.measure import FeatureStudy as FeatureStudy
from pyramidion.studies._references.measure import ReferenceStudy as ReferenceStudy
from pyramidion.studies._references.view import ReferencesResult as ReferencesResult
from pyramidion.studies._reproduce.question import ReproduceResult as ReproduceResult
from pyramidion.studies._reproduce.question import Reproduction as Reproduction
from pyramidion.studies._source import StudyResult
from pyramidion.studies._stability.study import StabilityResult as StabilityResult
from pyramidion.studies._status import StatusFindings as StatusFindings
from pyramidion.studies._status import StatusResult as StatusResult
from pyramidion.studies._systems import SystemsStudy as SystemsStudy
from pyramidion.studies._tiling import Tiling as Tiling
from pyramidion.studies._topic_tests import TopicTests as TopicTests
from pyramidion.studies._unit_sentences import UnitSentence as UnitSentence
from pyramidion.studies._utility import ExtractScore as ExtractScore
from pyramidion.studies._utility import JudgedSentences as JudgedSentences
from pyramidion.studies._utility import ScoredExtract as ScoredExtract
from pyramidion.studies._utility import SentenceMarks as SentenceMarks
from pyramidion.studies._vocabulary import FrequencyClasses as FrequencyClasses
from pyramidion.studies._vocabulary import VocabularyStudy as VocabularyStudy
from pyramidion.studies._words import BracketedSummary as BracketedSummary
from pyramidion.studies._words import FrequentShares as FrequentShares
from pyramidion.studies._words import InputClasses as InputClasses

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.studies._composite import composite
def composite(
    source: Source | Sequence[Source],
    *,
    tasks: str | Sequence[str] = (),
    measures: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    reverse: str | Sequence[str] = (),
    missing: str | Sequence[str] = (),
    lower_is_better: str | Sequence[str] = (),
    higher_is_better: str | Sequence[str] = (),
    components: int | None = None,
    within_topics: bool = False,
    correlations: bool = False,
    test: Literal[
        "permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"
    ] = "wilcoxon",
    continuity: bool = False,
    correction: Literal["maxt", "maxt-single", "holm", "bh", "none"] = "none",
    alpha: float = 0.05,
    statistic: Literal["w", "t", "t-unpaired"] = "w",
    n_test_resamples: int = 9999,
    seed: int = 0,
) -> CompositeResult: ...

# from pyramidion.studies._composition import composition
def composition(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    peers: Source | None = None,
    words: int = 100,
) -> StudyResult[ComposedScore]: ...

# from pyramidion.studies._content_units import content_units
def content_units(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    peers: Source | None = None,
    top: int | Sequence[int] = (5, 8, 12),
) -> StudyResult[UnitStudy]: ...

# from pyramidion.studies._contrast import contrast
def contrast(
    source: Source | Sequence[Source],
    *,
    tasks: str | Sequence[str] = (),
    human: str | Sequence[str] = (),
    metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    reverse: str | Sequence[str] = (),
    missing: str | Sequence[str] = (),
    lower_is_better: str | Sequence[str] = (),
    higher_is_better: str | Sequence[str] = (),
    topic: str | None = None,
    machines: int = 5,
) -> FiguresResult[TopicContrast]: ...

# from pyramidion.studies._difficulty import difficulty
def difficulty(
    source: Source,
    *,
    tasks: str | Sequence[str] = (),
    measures: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    reverse: str | Sequence[str] = (),
    missing: str | Sequence[str] = (),
    lower_is_better: str | Sequence[str] = (),
    higher_is_better: str | Sequence[str] = (),
    peers: Literal["all", "machines"] = "all",
    coefficients: Literal["pearson", "spearman", "kendall"]
    | Sequence[Literal["pearson", "spearman", "kendall"]] = ("pearson", "spearman"),
    method: Literal["percentile", "bca", "fisher"] = "percentile",
    n_resamples: int = 9999,
    seed: int = 0,
    confidence_level: float = 0.95,
) -> FiguresResult[Difficulty]: ...

# from pyramidion.studies._every import every_study
def every_study(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    peers: Source | None = None,
    all_words: bool = False,
    stem: bool = True,
    tokenizer: Literal["rouge", "unicode"] = "unicode",
) -> EveryStudy: ...

# from pyramidion.studies._words import frequent_words
def frequent_words(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    peers: Source | None = None,
    top: int | Sequence[int] = (5, 8, 12),
    brackets: int = 0,
    all_words: bool = False,
    stem: bool = True,
    tokenizer: Literal["rouge", "unicode"] = "unicode",
) -> StudyResult[FrequentShares | BracketedSummary]: ...

# from pyramidion.studies._importance import importance
def importance(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    all_words: bool = False,
    stem: bool = False,
    tokenizer: Literal["rouge", "unicode"] = "unicode",
) -> ImportanceResult: ...

# from pyramidion.studies._likelihood import likelihood
def likelihood(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    peers: Source | None = None,
    words: int = 80,
    absent: float = 0.0005,
    all_words: bool = False,
    stem: bool = True,
) -> StudyResult[SummarizerLikelihood]: ...

# from pyramidion.studies._lognormal import lognormal
def lognormal(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    absent: float = 0.0005,
    all_words: bool = False,
    stem: bool = True,
    tokenizer: Literal["rouge", "unicode"] = "unicode",
) -> StudyResult[ModeledTopic]: ...

# from pyramidion.studies._quality import quality
def quality(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    measures: str | Sequence[str] = (),
    judgments: bool = False,
) -> StudyResult[QualityCategories | TiedRanks | AssessorCategories | RaterKappa]: ...

# from pyramidion.studies._references.view import references
def references(
    sources: Collection | str | Path | Sequence[Collection | str | Path],
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    pipeline: str = "",
    progress: Progress = ...,
    texts: Literal["documents", "summaries"] = "documents",
    add: float = 0.0,
    people: bool = False,
    n_resamples: int = 1999,
    seed: int = 0,
    confidence_level: float = 0.95,
) -> ReferencesResult: ...

# from pyramidion.studies._reproduce.question import reproduce
def reproduce(
    names: str | Sequence[str] = (),
    *,
    data: str | Path | None = None,
    every: bool = False,
    listed: bool = False,
    as_printed: bool = True,
) -> ReproduceResult: ...

# from pyramidion.studies._stability.study import stability
def stability(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    score: Literal["original", "modified"] = "original",
    which: Literal["all", "references", "peers"] = "all",
    equal_within: float = 0.06,
    apart: float = 0.1,
    held_out: int | None = None,
    splits: int = 252,
    repetition: int = 0,
    max_pyramids: int = 5000,
    seed: int = 0,
    every_score: bool = False,
) -> StabilityResult: ...

# from pyramidion.studies._status import status
def status(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    pipeline: str = "",
    progress: Progress = ...,
    model: str | Path | None = None,
    folds: int = 20,
    learner: Literal["published", "tree", "svm", "linear", "logistic"] = "published",
    normalize: bool = False,
    seed: int = 0,
) -> StatusResult: ...

# from pyramidion.studies._systems import systems
def systems(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    measures: str | Sequence[str] = (),
    baseline: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 100000,
    seed: int = 0,
) -> StudyResult[SystemsStudy]: ...

# from pyramidion.studies._tiling import tiling
def tiling(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    peers: Source | None = None,
    all_words: bool = True,
    stem: bool = False,
    tokenizer: Literal["rouge", "unicode"] = "unicode",
) -> StudyResult[Tiling]: ...

# from pyramidion.studies._topic_tests import topic_tests
def topic_tests(
    source: Source | Sequence[Source],
    *,
    tasks: str | Sequence[str] = (),
    measures: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    reverse: str | Sequence[str] = (),
    missing: str | Sequence[str] = (),
    lower_is_better: str | Sequence[str] = (),
    higher_is_better: str | Sequence[str] = (),
    topics: int | Sequence[int] = (),
    test: Literal[
        "permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"
    ]
    | Sequence[
        Literal["permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"]
    ] = ("unpaired-t", "paired-t", "wilcoxon", "permutation"),
    samples: int = 20,
    alpha: float = 0.05,
    n_resamples: int = 2000,
    seed: int = 0,
) -> FiguresResult[TopicTests]: ...

# from pyramidion.studies._utility import utility
def utility(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    peers: Source | None = None,
    measure: str = "relative-utility",
    extract: str | Sequence[str] = (),
    sentences: int = 5,
) -> StudyResult[SentenceMarks | ScoredExtract]: ...

# from pyramidion.studies._vocabulary import vocabulary
def vocabulary(
    sources: Source | Sequence[Source],
    *,
    against: Source | Sequence[Source] = (),
    texts: int | None = None,
    all_words: bool = False,
    stem: bool = False,
    tokenizer: Literal["rouge", "unicode"] = "unicode",
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
) -> StudyResult[VocabularyStudy]: ...

# from pyramidion.studies._words import word_classes
def word_classes(
    source: Source,
    *,
    topic: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    source_format: str | None = None,
    peers: Source | None = None,
    all_words: bool = False,
    stem: bool = True,
    tokenizer: Literal["rouge", "unicode"] = "unicode",
) -> StudyResult[InputClasses]: ...
