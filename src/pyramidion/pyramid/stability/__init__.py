"""How scores and ranks settle as a pyramid grows."""

from pyramidion.pyramid.stability.errors import pooled_errors
from pyramidion.pyramid.stability.ranks import pooled_correlations
from pyramidion.pyramid.stability.study import Stability, StabilitySettings, study_stability

__all__ = [
    "Stability",
    "StabilitySettings",
    "pooled_correlations",
    "pooled_errors",
    "study_stability",
]
