"""Learners beyond the papers: one that ranks, and one over many metrics at once."""

from pyramidion.classy.learners.nested import Choice, choose_by_topics
from pyramidion.classy.learners.ranking import ranking_fits
from pyramidion.classy.learners.regularised import regularised_fits

__all__ = ["Choice", "choose_by_topics", "ranking_fits", "regularised_fits"]
