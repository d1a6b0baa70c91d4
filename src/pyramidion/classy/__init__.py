"""Metrics that are trained to predict people: features, fits, and the search for the best.

Names are loaded when they are first used, since a trained model needs few of them.
"""

from typing import TYPE_CHECKING

from pyramidion._lazy import lazy_front

if TYPE_CHECKING:
    from pyramidion.classy._fits import METHODS as METHODS
    from pyramidion.classy._fits import FitMethod as FitMethod
    from pyramidion.classy._fits import LinearFit as LinearFit
    from pyramidion.classy._fits import TrainingData as TrainingData
    from pyramidion.classy._fits import fit_linear as fit_linear
    from pyramidion.classy._models import LinearModel as LinearModel
    from pyramidion.classy._models import Prediction as Prediction
    from pyramidion.classy._predict import PredictionResult as PredictionResult
    from pyramidion.classy._predict import models as models
    from pyramidion.classy._predict import predict as predict
    from pyramidion.classy._search import Selection as Selection
    from pyramidion.classy._search import SubsetSearch as SubsetSearch
    from pyramidion.classy._search import search_subsets as search_subsets
    from pyramidion.classy._train import TrainingResult as TrainingResult
    from pyramidion.classy._train import train as train
    from pyramidion.classy._training import topic_parts as topic_parts

_MODULES = {
    "_fits": "fit_linear FitMethod LinearFit METHODS TrainingData",
    "_models": "LinearModel Prediction",
    "_predict": "models predict PredictionResult",
    "_search": "search_subsets Selection SubsetSearch",
    "_train": "train TrainingResult",
    "_training": "topic_parts",
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
