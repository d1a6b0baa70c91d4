"""Metrics that are trained to predict people: features, fits, and the search for the best."""

from pyramidion.classy.fits import METHODS, FitMethod, LinearFit, fit_linear
from pyramidion.classy.search import Selection, SubsetSearch, search_subsets
from pyramidion.classy.training import TrainingData

__all__ = [
    "METHODS",
    "FitMethod",
    "LinearFit",
    "Selection",
    "SubsetSearch",
    "TrainingData",
    "fit_linear",
    "search_subsets",
]
