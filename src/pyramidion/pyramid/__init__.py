"""The pyramid method: what summaries say, weighed by how many people said it.

Names are loaded when they are first used, since few programs ask all questions.

>>> from pyramidion.collection import Pyramid
>>> from pyramidion.pyramid import score
>>> pyramid = Pyramid.from_references(
...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
...      ("It is old", {"B": ["It is old"]})])
>>> [(one.case.system, one.scores.modified) for one in score(pyramid)]
[('A', 0.5), ('B', 1.0)]
"""

from typing import TYPE_CHECKING

from pyramidion._lazy import lazy_front

if TYPE_CHECKING:
    from pyramidion.pyramid._agreement import GroupAgreement as GroupAgreement
    from pyramidion.pyramid._agreement import agreement as agreement
    from pyramidion.pyramid._auto import annotate_by_similarity as annotate_by_similarity
    from pyramidion.pyramid._auto import build_pyramids as build_pyramids
    from pyramidion.pyramid._diagnosis import Diagnosis as Diagnosis
    from pyramidion.pyramid._diagnosis import OptimalOfTopic as OptimalOfTopic
    from pyramidion.pyramid._diagnosis import missed as missed
    from pyramidion.pyramid._diagnosis import optimal as optimal
    from pyramidion.pyramid._importance import Importance as Importance
    from pyramidion.pyramid._importance import importance as importance
    from pyramidion.pyramid._importance_classes import ImportanceClasses as ImportanceClasses
    from pyramidion.pyramid._importance_classes import ZipfFit as ZipfFit
    from pyramidion.pyramid._importance_classes import fit_zipf as fit_zipf
    from pyramidion.pyramid._match import MatchedSummary as MatchedSummary
    from pyramidion.pyramid._match import Matcher as Matcher
    from pyramidion.pyramid._match import MatchRules as MatchRules
    from pyramidion.pyramid._match import match_topic as match_topic
    from pyramidion.pyramid._match import mean_differences as mean_differences
    from pyramidion.pyramid._match_summaries import match_summaries as match_summaries
    from pyramidion.pyramid._score import PyramidScoring as PyramidScoring
    from pyramidion.pyramid._score import ScoredSummary as ScoredSummary
    from pyramidion.pyramid._score import score as score
    from pyramidion.pyramid._scores import Content as Content
    from pyramidion.pyramid._scores import PyramidScores as PyramidScores
    from pyramidion.pyramid._scores import score_content as score_content
    from pyramidion.pyramid._scores import score_peer as score_peer
    from pyramidion.pyramid._scores import score_reference as score_reference
    from pyramidion.pyramid._similar.annotate import SimilarAnnotator as SimilarAnnotator
    from pyramidion.pyramid._similar.build import build_pyramid as build_pyramid
    from pyramidion.pyramid._similar.fit import fit_similarity as fit_similarity
    from pyramidion.pyramid._similar.model import SimilarityModel as SimilarityModel
    from pyramidion.pyramid._stability.study import StabilityResult as StabilityResult
    from pyramidion.pyramid._stability.study import stability as stability
    from pyramidion.pyramid._tiers import tiers as tiers
    from pyramidion.pyramid._units import Case as Case

#: The module of each public name.
_MODULES = {
    "Case": "_units",
    "Content": "_scores",
    "Diagnosis": "_diagnosis",
    "GroupAgreement": "_agreement",
    "Importance": "_importance",
    "ImportanceClasses": "_importance_classes",
    "MatchRules": "_match",
    "MatchedSummary": "_match",
    "Matcher": "_match",
    "OptimalOfTopic": "_diagnosis",
    "PyramidScores": "_scores",
    "PyramidScoring": "_score",
    "ScoredSummary": "_score",
    "SimilarAnnotator": "_similar.annotate",
    "SimilarityModel": "_similar.model",
    "StabilityResult": "_stability.study",
    "ZipfFit": "_importance_classes",
    "agreement": "_agreement",
    "annotate_by_similarity": "_auto",
    "build_pyramid": "_similar.build",
    "build_pyramids": "_auto",
    "fit_similarity": "_similar.fit",
    "fit_zipf": "_importance_classes",
    "importance": "_importance",
    "match_summaries": "_match_summaries",
    "match_topic": "_match",
    "mean_differences": "_match",
    "missed": "_diagnosis",
    "optimal": "_diagnosis",
    "score": "_score",
    "score_content": "_scores",
    "score_peer": "_scores",
    "score_reference": "_scores",
    "stability": "_stability.study",
    "tiers": "_tiers",
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
