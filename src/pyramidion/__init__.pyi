"""The public names, and the modules they are loaded from."""

from pyramidion.collection import Collection as Collection
from pyramidion.collection import Pyramid as Pyramid
from pyramidion.collection import ScoreMatrix as ScoreMatrix
from pyramidion.collection import Scores as Scores
from pyramidion.collection import Summary as Summary
from pyramidion.collection import Topic as Topic
from pyramidion.evaluation import assessors as assessors
from pyramidion.evaluation import compare as compare
from pyramidion.evaluation import composite as composite
from pyramidion.evaluation import describe as describe
from pyramidion.evaluation import difficulty as difficulty
from pyramidion.evaluation import gap as gap
from pyramidion.evaluation import meta_evaluate as meta_evaluate
from pyramidion.evaluation import power as power
from pyramidion.evaluation import verdicts as verdicts
from pyramidion.metrics import metric as metric
from pyramidion.metrics import score as score
from pyramidion.metrics import score_frame as score_frame
from pyramidion.rouge import Rouge as Rouge
from pyramidion.summarizers import rewrite as rewrite
from pyramidion.summarizers import summarize as summarize
from pyramidion.summarizers import summarize_collection as summarize_collection

__all__: list[str]
__version__: str
