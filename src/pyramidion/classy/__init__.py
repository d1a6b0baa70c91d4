"""Metrics that are trained to predict people: features, fits, and the search for the best.

Names are loaded when they are first used, since a trained model needs few of them.
"""

from typing import TYPE_CHECKING

from pyramidion._lazy import lazy_front

if TYPE_CHECKING:
    from pyramidion.classy._predict import PredictionResult as PredictionResult
    from pyramidion.classy._predict import models as models
    from pyramidion.classy._predict import predict as predict
    from pyramidion.classy._train import TrainingResult as TrainingResult
    from pyramidion.classy._train import train as train
    from pyramidion.classy.fits import METHODS as METHODS
    from pyramidion.classy.fits import FitMethod as FitMethod
    from pyramidion.classy.fits import LinearFit as LinearFit
    from pyramidion.classy.fits import fit_linear as fit_linear
    from pyramidion.classy.model import LinearModel as LinearModel
    from pyramidion.classy.search import Selection as Selection
    from pyramidion.classy.search import SubsetSearch as SubsetSearch
    from pyramidion.classy.search import search_subsets as search_subsets
    from pyramidion.classy.training import TrainingData as TrainingData
    from pyramidion.classy.years import topic_parts as topic_parts

_MODULES = {
    "METHODS": "fits",
    "FitMethod": "fits",
    "LinearFit": "fits",
    "LinearModel": "model",
    "PredictionResult": "_predict",
    "Selection": "search",
    "SubsetSearch": "search",
    "TrainingData": "training",
    "TrainingResult": "_train",
    "fit_linear": "fits",
    "models": "_predict",
    "predict": "_predict",
    "search_subsets": "search",
    "topic_parts": "years",
    "train": "_train",
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
