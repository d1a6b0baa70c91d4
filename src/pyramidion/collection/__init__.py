"""What is evaluated: topics, documents, summaries, judgments, pyramids.

A `Collection` holds everything that belongs to one evaluation; ``formats`` reads and writes it.
"""

from pyramidion.collection._checks import Problem, find_problems
from pyramidion.collection._collection import Collection, Task
from pyramidion.collection._matrix import ScoreMatrix
from pyramidion.collection._measures import (
    MEASURES,
    SCALES,
    Measure,
    Scale,
    bin_ten_to_five,
    find_measure,
    full_measure_name,
    ten_to_five,
)
from pyramidion.collection._options import argument, option
from pyramidion.collection._pyramids import SCU, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection._questions import Options, Signature, question
from pyramidion.collection._scores import Judgment, Scores, scores_from_frame, scores_to_frame
from pyramidion.collection._summaries import (
    TAC_CATEGORIES,
    Aspect,
    AspectSpan,
    Category,
    Document,
    Summary,
    Topic,
    mark_aspects,
    parse_aspects,
)

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
    "Options",
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
    "argument",
    "bin_ten_to_five",
    "find_measure",
    "find_problems",
    "full_measure_name",
    "mark_aspects",
    "option",
    "parse_aspects",
    "question",
    "scores_from_frame",
    "scores_to_frame",
    "ten_to_five",
]
