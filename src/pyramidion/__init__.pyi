"""The public names, and the modules they are loaded from."""

from pyramidion.checks import check as check
from pyramidion.checks import describe as describe
from pyramidion.collection import Collection as Collection
from pyramidion.collection import Pyramid as Pyramid
from pyramidion.collection import ScoreMatrix as ScoreMatrix
from pyramidion.collection import Scores as Scores
from pyramidion.collection import Summary as Summary
from pyramidion.collection import Topic as Topic
from pyramidion.comparison import compare as compare
from pyramidion.comparison import power as power
from pyramidion.comparison import preferences as preferences
from pyramidion.comparison import report as report
from pyramidion.faithfulness import faithful as faithful
from pyramidion.judges import assessors as assessors
from pyramidion.judges import judge as judge
from pyramidion.meta_evaluation import gap as gap
from pyramidion.meta_evaluation import meta as meta
from pyramidion.meta_evaluation import meta_evaluate as meta_evaluate
from pyramidion.meta_evaluation import verdicts as verdicts
from pyramidion.metrics import metric as metric
from pyramidion.metrics import score as score
from pyramidion.metrics import score_frame as score_frame
from pyramidion.rouge import Rouge as Rouge
from pyramidion.summarizers import summarize as summarize
from pyramidion.summarizers import summarize_collection as summarize_collection

__all__: list[str]
__version__: str
