"""The public names, and the modules they are loaded from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pyramidion.collection import Pyramid, Source
from pyramidion.pyramid._agreement.pyramids import Disagreement as Disagreement
from pyramidion.pyramid._agreement.pyramids import PyramidAgreement as PyramidAgreement
from pyramidion.pyramid._agreement.question import AllAnnotators as AllAnnotators
from pyramidion.pyramid._agreement.question import GroupAgreement as GroupAgreement
from pyramidion.pyramid._answers import UnitOptions as UnitOptions
from pyramidion.pyramid._answers import UnitScorer as UnitScorer
from pyramidion.pyramid._answers import UnitScores as UnitScores
from pyramidion.pyramid._answers import UnitScoring as UnitScoring
from pyramidion.pyramid._auto.annotate import Annotator as Annotator
from pyramidion.pyramid._auto.build import build_pyramid as build_pyramid
from pyramidion.pyramid._auto.entailment import Entailment as Entailment
from pyramidion.pyramid._auto.fit import Calibration as Calibration
from pyramidion.pyramid._auto.fit import fit_similarity as fit_similarity
from pyramidion.pyramid._auto.marks import MatchedSummary as MatchedSummary
from pyramidion.pyramid._auto.marks import Matcher as Matcher
from pyramidion.pyramid._auto.marks import MatchRules as MatchRules
from pyramidion.pyramid._auto.marks import match_topic as match_topic
from pyramidion.pyramid._auto.marks import mean_differences as mean_differences
from pyramidion.pyramid._auto.questions import BuildResult as BuildResult
from pyramidion.pyramid._auto.questions import BuiltPyramid as BuiltPyramid
from pyramidion.pyramid._auto.questions import FitResult as FitResult
from pyramidion.pyramid._auto.results import AutoResult as AutoResult
from pyramidion.pyramid._auto.statements import statements_of as statements_of
from pyramidion.pyramid._diagnosis import Diagnosis as Diagnosis
from pyramidion.pyramid._diagnosis import OptimalOfTopic as OptimalOfTopic
from pyramidion.pyramid._score import PyramidScoring as PyramidScoring
from pyramidion.pyramid._score import ScoredSummary as ScoredSummary
from pyramidion.pyramid._tiers import TierResult
from pyramidion.pyramid.cases import Hits as Hits
from pyramidion.pyramid.cases import SummarySource as SummarySource
from pyramidion.pyramid.content_units import Case as Case
from pyramidion.pyramid.content_units import Content as Content
from pyramidion.pyramid.content_units import PyramidScores as PyramidScores
from pyramidion.pyramid.content_units import TopicUnits as TopicUnits
from pyramidion.pyramid.content_units import Weighing as Weighing
from pyramidion.pyramid.content_units import score_content as score_content
from pyramidion.pyramid.content_units import score_peer as score_peer
from pyramidion.pyramid.content_units import score_reference as score_reference
from pyramidion.pyramid.similarity import SimilarityModel as SimilarityModel
from pyramidion.questions import Progress
from pyramidion.rendering import Result
from pyramidion.rendering.result import FigureResult

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.pyramid._agreement.question import agreement
def agreement(
    first: Source,
    second: Source | None = None,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    assessor: str | Sequence[str] = (),
    every_peer: bool = False,
    places: bool = False,
    weights: Literal["contributors", "references", "given"] = "contributors",
    source_format: str | None = None,
) -> FigureResult[GroupAgreement | AllAnnotators | PyramidAgreement | Disagreement]: ...

# from pyramidion.pyramid._auto.questions import auto
def auto(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    model: str | Path | None = None,
    parser: str = "light",
    units: Literal["given", "references"] = "given",
    by: Literal["both", "marks", "similarity"] = "both",
    entailment: str | Path | None = None,
    gap: int = 10,
    skip: int = 0,
    min_words: int = 1,
    min_content: int = 0,
    nested: bool = False,
    which: Literal["annotated", "all", "peers", "references"] = "annotated",
    match: bool = False,
    engine: Literal["in-process", "cores", "dask"] = "in-process",
    workers: int | None = None,
    scheduler: str | None = None,
    connect_timeout: float = 10.0,
    on_error: Literal["stop", "report"] = "stop",
    parts_to: str | None = None,
    progress: Progress = ...,
) -> AutoResult: ...

# from pyramidion.pyramid._auto.questions import build_pyramids
def build_pyramids(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    model: str | Path | None = None,
    parser: str = "light",
) -> BuildResult: ...

# from pyramidion.pyramid._auto.questions import fit_auto
def fit_auto(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    model: str | Path | None = None,
) -> FitResult: ...

# from pyramidion.pyramid._diagnosis import missed
def missed(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    system: str | Sequence[str] = (),
    references: bool = True,
    min_weight: int | None = None,
    top: int = 10,
) -> Result[Diagnosis]: ...

# from pyramidion.pyramid._diagnosis import optimal
def optimal(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    size: int | None = None,
    examples: int = 2,
) -> Result[OptimalOfTopic]: ...

# from pyramidion.pyramid._score import score
def score(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    system: str | Sequence[str] = (),
    references: bool = True,
    workers: Literal["majority", "each"] = "majority",
) -> PyramidScoring: ...

# from pyramidion.pyramid._tiers import tiers
def tiers(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    examples: int = 2,
) -> TierResult: ...

# from pyramidion.pyramid._answers import units
def units(
    source: Source | Pyramid,
    *,
    task: str | Sequence[str] = (),
    topic: str | Sequence[str] = (),
    source_format: str | None = None,
    weights: Literal["contributors", "references", "given"] = "contributors",
    assessor: str | Sequence[str] = (),
    system: str | Sequence[str] = (),
    references: bool = True,
    a: float = 6.0,
    beta: float = 3.0,
    allowance: int = 100,
) -> UnitScoring: ...
