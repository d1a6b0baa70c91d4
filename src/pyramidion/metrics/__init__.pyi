"""The public names, and the modules they are loaded from."""

from pyramidion.metrics._cases import ScoringBatch as ScoringBatch
from pyramidion.metrics._cases import Texts as Texts
from pyramidion.metrics._cases import TextSets as TextSets
from pyramidion.metrics._frames import score_frame as score_frame
from pyramidion.metrics._listing import describe_metrics as describe_metrics
from pyramidion.metrics._metric import Metric as Metric
from pyramidion.metrics._metric import Need as Need
from pyramidion.metrics._own import metric as metric
from pyramidion.metrics._registry import BUILT_IN as BUILT_IN
from pyramidion.metrics._registry import all_metrics as all_metrics
from pyramidion.metrics._registry import parse_metric as parse_metric
from pyramidion.metrics._registry import parse_metrics as parse_metrics
from pyramidion.metrics._score import score as score
from pyramidion.metrics._scoring import CollectionScores as CollectionScores
from pyramidion.metrics._scoring import score_cases as score_cases
from pyramidion.metrics._scoring import score_collection as score_collection
from pyramidion.text._encoding import Reading as Reading
