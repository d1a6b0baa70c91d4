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
    from pyramidion.pyramid._answers import UnitScores as UnitScores
    from pyramidion.pyramid._answers import UnitScoring as UnitScoring
    from pyramidion.pyramid._answers import units as units
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

#: The public names of each module.
_MODULES = {
    "_agreement": "agreement GroupAgreement",
    "_answers": "units UnitScores UnitScoring",
    "_auto": "annotate_by_similarity build_pyramids",
    "_diagnosis": "Diagnosis missed optimal OptimalOfTopic",
    "_importance": "Importance importance",
    "_importance_classes": "fit_zipf ImportanceClasses ZipfFit",
    "_match": "match_topic MatchedSummary Matcher MatchRules mean_differences",
    "_match_summaries": "match_summaries",
    "_score": "PyramidScoring score ScoredSummary",
    "_scores": "Content PyramidScores score_content score_peer score_reference",
    "_similar.annotate": "SimilarAnnotator",
    "_similar.build": "build_pyramid",
    "_similar.fit": "fit_similarity",
    "_similar.model": "SimilarityModel",
    "_stability.study": "stability StabilityResult",
    "_tiers": "tiers",
    "_units": "Case",
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
