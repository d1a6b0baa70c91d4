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
    from pyramidion.pyramid._agreement.measure import AnnotatedTwice as AnnotatedTwice
    from pyramidion.pyramid._agreement.measure import UnitAgreement as UnitAgreement
    from pyramidion.pyramid._agreement.measure import (
        agreement_of_annotations as agreement_of_annotations,
    )
    from pyramidion.pyramid._agreement.measure import agreement_on_units as agreement_on_units
    from pyramidion.pyramid._agreement.measure import score_twice as score_twice
    from pyramidion.pyramid._agreement.view import GroupAgreement as GroupAgreement
    from pyramidion.pyramid._agreement.view import agreement as agreement
    from pyramidion.pyramid._auto.build import build_pyramids as build_pyramids
    from pyramidion.pyramid._auto.match import match_summaries as match_summaries
    from pyramidion.pyramid._auto.similar import annotate_by_similarity as annotate_by_similarity
    from pyramidion.pyramid._cases import Case as Case
    from pyramidion.pyramid._cases import Cases as Cases
    from pyramidion.pyramid._cases import Hits as Hits
    from pyramidion.pyramid._cases import gather_cases as gather_cases
    from pyramidion.pyramid._cases import hits_of as hits_of
    from pyramidion.pyramid._importance.classes import ImportanceClasses as ImportanceClasses
    from pyramidion.pyramid._importance.classes import ZipfFit as ZipfFit
    from pyramidion.pyramid._importance.classes import fit_zipf as fit_zipf
    from pyramidion.pyramid._importance.classes import sentence_classes as sentence_classes
    from pyramidion.pyramid._importance.classes import unit_classes as unit_classes
    from pyramidion.pyramid._importance.classes import word_classes as word_classes
    from pyramidion.pyramid._importance.view import Importance as Importance
    from pyramidion.pyramid._importance.view import importance as importance
    from pyramidion.pyramid._missed import Diagnosis as Diagnosis
    from pyramidion.pyramid._missed import Missed as Missed
    from pyramidion.pyramid._missed import missed as missed
    from pyramidion.pyramid._missed import missed_units as missed_units
    from pyramidion.pyramid._optimal import OptimalOfTopic as OptimalOfTopic
    from pyramidion.pyramid._optimal import OptimalSummaries as OptimalSummaries
    from pyramidion.pyramid._optimal import optimal as optimal
    from pyramidion.pyramid._optimal import optimal_summaries as optimal_summaries
    from pyramidion.pyramid._score import PyramidScoring as PyramidScoring
    from pyramidion.pyramid._score import ScoredSummary as ScoredSummary
    from pyramidion.pyramid._score import score as score
    from pyramidion.pyramid._scores import Content as Content
    from pyramidion.pyramid._scores import PyramidScores as PyramidScores
    from pyramidion.pyramid._scores import Weighing as Weighing
    from pyramidion.pyramid._scores import content_of_peer as content_of_peer
    from pyramidion.pyramid._scores import content_of_reference as content_of_reference
    from pyramidion.pyramid._scores import max_weight as max_weight
    from pyramidion.pyramid._scores import mean_units as mean_units
    from pyramidion.pyramid._scores import score_content as score_content
    from pyramidion.pyramid._scores import score_peer as score_peer
    from pyramidion.pyramid._scores import score_reference as score_reference
    from pyramidion.pyramid._stability.pairs import pooled_errors as pooled_errors
    from pyramidion.pyramid._stability.ranks import pooled_correlations as pooled_correlations
    from pyramidion.pyramid._stability.study import Stability as Stability
    from pyramidion.pyramid._stability.study import StabilitySettings as StabilitySettings
    from pyramidion.pyramid._stability.study import study_stability as study_stability
    from pyramidion.pyramid._stability.view import StabilityResult as StabilityResult
    from pyramidion.pyramid._stability.view import stability as stability
    from pyramidion.pyramid._tiers import tiers as tiers
    from pyramidion.pyramid.matching.matcher import Matcher as Matcher
    from pyramidion.pyramid.matching.matcher import MatchRules as MatchRules
    from pyramidion.pyramid.matching.matcher import match_summary as match_summary
    from pyramidion.pyramid.matching.scores import MatchedSummary as MatchedSummary
    from pyramidion.pyramid.matching.scores import match_topic as match_topic
    from pyramidion.pyramid.matching.scores import mean_differences as mean_differences
    from pyramidion.pyramid.similar.annotate import SimilarAnnotator as SimilarAnnotator
    from pyramidion.pyramid.similar.annotate import annotate_similar as annotate_similar
    from pyramidion.pyramid.similar.build import build_pyramid as build_pyramid
    from pyramidion.pyramid.similar.fit import fit_similarity as fit_similarity
    from pyramidion.pyramid.similar.model import SimilarityModel as SimilarityModel

#: The module of each public name.
_MODULES = {
    "AnnotatedTwice": "_agreement.measure",
    "Case": "_cases",
    "Cases": "_cases",
    "Content": "_scores",
    "Diagnosis": "_missed",
    "GroupAgreement": "_agreement.view",
    "Hits": "_cases",
    "Importance": "_importance.view",
    "ImportanceClasses": "_importance.classes",
    "MatchRules": "matching.matcher",
    "MatchedSummary": "matching.scores",
    "Matcher": "matching.matcher",
    "Missed": "_missed",
    "OptimalOfTopic": "_optimal",
    "OptimalSummaries": "_optimal",
    "PyramidScores": "_scores",
    "PyramidScoring": "_score",
    "ScoredSummary": "_score",
    "SimilarAnnotator": "similar.annotate",
    "SimilarityModel": "similar.model",
    "Stability": "_stability.study",
    "StabilityResult": "_stability.view",
    "StabilitySettings": "_stability.study",
    "UnitAgreement": "_agreement.measure",
    "Weighing": "_scores",
    "ZipfFit": "_importance.classes",
    "agreement": "_agreement.view",
    "agreement_of_annotations": "_agreement.measure",
    "agreement_on_units": "_agreement.measure",
    "annotate_by_similarity": "_auto.similar",
    "annotate_similar": "similar.annotate",
    "build_pyramid": "similar.build",
    "build_pyramids": "_auto.build",
    "content_of_peer": "_scores",
    "content_of_reference": "_scores",
    "fit_similarity": "similar.fit",
    "fit_zipf": "_importance.classes",
    "gather_cases": "_cases",
    "hits_of": "_cases",
    "importance": "_importance.view",
    "match_summaries": "_auto.match",
    "match_summary": "matching.matcher",
    "match_topic": "matching.scores",
    "max_weight": "_scores",
    "mean_differences": "matching.scores",
    "mean_units": "_scores",
    "missed": "_missed",
    "missed_units": "_missed",
    "optimal": "_optimal",
    "optimal_summaries": "_optimal",
    "pooled_correlations": "_stability.ranks",
    "pooled_errors": "_stability.pairs",
    "score": "_score",
    "score_content": "_scores",
    "score_peer": "_scores",
    "score_reference": "_scores",
    "score_twice": "_agreement.measure",
    "sentence_classes": "_importance.classes",
    "stability": "_stability.view",
    "study_stability": "_stability.study",
    "tiers": "_tiers",
    "unit_classes": "_importance.classes",
    "word_classes": "_importance.classes",
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
