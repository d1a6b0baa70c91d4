"""What is evaluated: topics, documents, summaries, judgments, pyramids.

A `Collection` holds everything that belongs to one evaluation; ``formats`` reads and writes it.
"""

from pyramidion.collection.aspects import (
    TAC_CATEGORIES,
    Aspect,
    AspectSpan,
    Category,
    mark_aspects,
    parse_aspects,
)
from pyramidion.collection.checks import Problem, find_problems
from pyramidion.collection.collection import Collection, Task
from pyramidion.collection.frames import scores_from_frame, scores_to_frame
from pyramidion.collection.matrix import ScoreMatrix
from pyramidion.collection.measures import MEASURES, Measure, find_measure, full_measure_name
from pyramidion.collection.pyramids import SCU, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.scales import SCALES, Scale, bin_ten_to_five, ten_to_five
from pyramidion.collection.scores import Judgment, Scores
from pyramidion.collection.signature import Signature
from pyramidion.collection.summaries import Summary
from pyramidion.collection.topics import Document, Topic

__all__ = [
    "MEASURES",
    "SCALES",
    "SCU",
    "TAC_CATEGORIES",
    "Aspect",
    "AspectSpan",
    "Category",
    "Collection",
    "Contributor",
    "Document",
    "Judgment",
    "Measure",
    "Part",
    "PeerAnnotation",
    "Problem",
    "Pyramid",
    "Scale",
    "ScoreMatrix",
    "Scores",
    "Signature",
    "Summary",
    "Task",
    "Topic",
    "bin_ten_to_five",
    "find_measure",
    "find_problems",
    "full_measure_name",
    "mark_aspects",
    "parse_aspects",
    "scores_from_frame",
    "scores_to_frame",
    "ten_to_five",
]
