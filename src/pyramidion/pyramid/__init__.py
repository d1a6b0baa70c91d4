"""The pyramid method: what summaries say, weighed by how many people said it.

>>> from pyramidion.collection import Collection, Pyramid
>>> pyramid = Pyramid.from_references(
...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
...      ("It is old", {"B": ["It is old"]})])
>>> cases = gather_cases(Collection("mine", pyramids={("", "T1"): pyramid})).cases
>>> [(case.system, case.scores().modified) for case in cases]
[('A', 0.5), ('B', 1.0)]
"""

from pyramidion.pyramid._agreement.measure import (
    AnnotatedTwice,
    UnitAgreement,
    agreement_of_annotations,
    agreement_on_units,
    score_twice,
)
from pyramidion.pyramid._agreement.view import GroupAgreement, agreement
from pyramidion.pyramid._auto.build import build_pyramids
from pyramidion.pyramid._auto.match import match_summaries
from pyramidion.pyramid._auto.similar import annotate_by_similarity
from pyramidion.pyramid._cases import Case, Cases, Hits, gather_cases, hits_of
from pyramidion.pyramid._importance.classes import (
    ImportanceClasses,
    ZipfFit,
    fit_zipf,
    sentence_classes,
    unit_classes,
    word_classes,
)
from pyramidion.pyramid._importance.view import Importance, importance
from pyramidion.pyramid._missed import Diagnosis, Missed, missed, missed_units
from pyramidion.pyramid._optimal import (
    OptimalOfTopic,
    OptimalSummaries,
    optimal,
    optimal_summaries,
)
from pyramidion.pyramid._score import PyramidScoring, ScoredSummary, score
from pyramidion.pyramid._scores import (
    Content,
    PyramidScores,
    Weighing,
    content_of_peer,
    content_of_reference,
    max_weight,
    mean_units,
    score_content,
    score_peer,
    score_reference,
)
from pyramidion.pyramid._stability.pairs import pooled_errors
from pyramidion.pyramid._stability.ranks import pooled_correlations
from pyramidion.pyramid._stability.study import Stability, StabilitySettings, study_stability
from pyramidion.pyramid._stability.view import StabilityResult, stability
from pyramidion.pyramid._tiers import tiers
from pyramidion.pyramid.matching import (
    MatchedSummary,
    Matcher,
    MatchRules,
    match_summary,
    match_topic,
    mean_differences,
)
from pyramidion.pyramid.similar import (
    SimilarAnnotator,
    SimilarityModel,
    annotate_similar,
    build_pyramid,
    fit_similarity,
)

__all__ = [
    "AnnotatedTwice",
    "Case",
    "Cases",
    "Content",
    "Diagnosis",
    "GroupAgreement",
    "Hits",
    "Importance",
    "ImportanceClasses",
    "MatchRules",
    "MatchedSummary",
    "Matcher",
    "Missed",
    "OptimalOfTopic",
    "OptimalSummaries",
    "PyramidScores",
    "PyramidScoring",
    "ScoredSummary",
    "SimilarAnnotator",
    "SimilarityModel",
    "Stability",
    "StabilityResult",
    "StabilitySettings",
    "UnitAgreement",
    "Weighing",
    "ZipfFit",
    "agreement",
    "agreement_of_annotations",
    "agreement_on_units",
    "annotate_by_similarity",
    "annotate_similar",
    "build_pyramid",
    "build_pyramids",
    "content_of_peer",
    "content_of_reference",
    "fit_similarity",
    "fit_zipf",
    "gather_cases",
    "hits_of",
    "importance",
    "match_summaries",
    "match_summary",
    "match_topic",
    "max_weight",
    "mean_differences",
    "mean_units",
    "missed",
    "missed_units",
    "optimal",
    "optimal_summaries",
    "pooled_correlations",
    "pooled_errors",
    "score",
    "score_content",
    "score_peer",
    "score_reference",
    "score_twice",
    "sentence_classes",
    "stability",
    "study_stability",
    "tiers",
    "unit_classes",
    "word_classes",
]
