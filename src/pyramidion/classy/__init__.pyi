"""The public names, and the modules they are loaded from."""

from pyramidion.classy._evaluate import LeftOut as LeftOut
from pyramidion.classy._evaluate import evaluate as evaluate
from pyramidion.classy._fits import METHODS as METHODS
from pyramidion.classy._fits import FitMethod as FitMethod
from pyramidion.classy._fits import LinearFit as LinearFit
from pyramidion.classy._fits import fit_linear as fit_linear
from pyramidion.classy._models import LinearModel as LinearModel
from pyramidion.classy._models import Prediction as Prediction
from pyramidion.classy._predict import PredictionResult as PredictionResult
from pyramidion.classy._predict import models as models
from pyramidion.classy._predict import predict as predict
from pyramidion.classy._search import Selection as Selection
from pyramidion.classy._search import SubsetSearch as SubsetSearch
from pyramidion.classy._search import search_subsets as search_subsets
from pyramidion.classy._table import TrainingData as TrainingData
from pyramidion.classy._train import TrainingResult as TrainingResult
from pyramidion.classy._train import train as train
from pyramidion.classy._training import topic_parts as topic_parts
