"""Which judges to trust: how consistent, how severe, how much it matters."""

from pyramidion.evaluation.assessors.agreement import PanelAgreement, panel_agreement
from pyramidion.evaluation.assessors.consistency import Consistency, assessor_consistency
from pyramidion.evaluation.assessors.drift import Drift, assessor_drift
from pyramidion.evaluation.assessors.identical import IdenticalPair, identical_pairs
from pyramidion.evaluation.assessors.impact import Impact, assessor_impact
from pyramidion.evaluation.assessors.panel import Panel, gather_panel
from pyramidion.evaluation.assessors.pyramids import (
    annotated_scores,
    assessor_differences,
    topic_differences,
)
from pyramidion.evaluation.assessors.severity import SeverityModel, assessor_severity
from pyramidion.evaluation.assessors.study import AssessorStudy, StudyOptions, study_assessors
from pyramidion.evaluation.assessors.worst import WorstFirst, worst_by_alpha, worst_by_difference

__all__ = [
    "AssessorStudy",
    "Consistency",
    "Drift",
    "IdenticalPair",
    "Impact",
    "Panel",
    "PanelAgreement",
    "SeverityModel",
    "StudyOptions",
    "WorstFirst",
    "annotated_scores",
    "assessor_consistency",
    "assessor_differences",
    "assessor_drift",
    "assessor_impact",
    "assessor_severity",
    "gather_panel",
    "identical_pairs",
    "panel_agreement",
    "study_assessors",
    "topic_differences",
    "worst_by_alpha",
    "worst_by_difference",
]
