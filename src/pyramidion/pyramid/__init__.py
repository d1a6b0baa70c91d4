"""The pyramid method: what summaries say, weighed by how many people said it."""

from pyramidion.pyramid.agreement import agreement_on_units
from pyramidion.pyramid.content import Content, content_of_peer, content_of_reference
from pyramidion.pyramid.hits import hits_of
from pyramidion.pyramid.match import MatchRules, match_summary
from pyramidion.pyramid.missed import missed_units
from pyramidion.pyramid.optimal import optimal_summaries
from pyramidion.pyramid.score_agreement import agreement_of_annotations
from pyramidion.pyramid.scores import (
    PyramidScores,
    max_weight,
    mean_units,
    score_content,
    score_peer,
    score_reference,
)
from pyramidion.pyramid.similar import annotate_similar, build_pyramid
from pyramidion.pyramid.stability import StabilitySettings, study_stability
from pyramidion.pyramid.zipf import fit_zipf

__all__ = [
    "Content",
    "MatchRules",
    "PyramidScores",
    "StabilitySettings",
    "agreement_of_annotations",
    "agreement_on_units",
    "annotate_similar",
    "build_pyramid",
    "content_of_peer",
    "content_of_reference",
    "fit_zipf",
    "hits_of",
    "match_summary",
    "max_weight",
    "mean_units",
    "missed_units",
    "optimal_summaries",
    "score_content",
    "score_peer",
    "score_reference",
    "study_stability",
]
