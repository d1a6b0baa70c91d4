"""How scores and ranks settle as a pyramid grows."""

from pyramidion.pyramid.stability.study import Stability, StabilitySettings, study_stability

__all__ = ["Stability", "StabilitySettings", "study_stability"]
