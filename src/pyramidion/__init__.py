"""The whole life of a summary: write it, judge it, score it, compare, check.

Names are loaded when they are first used, so that ``import pyramidion`` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.collection import Collection as Collection
    from pyramidion.collection import Pyramid as Pyramid
    from pyramidion.collection import ScoreMatrix as ScoreMatrix
    from pyramidion.collection import Scores as Scores
    from pyramidion.collection import Summary as Summary
    from pyramidion.collection import Topic as Topic
    from pyramidion.evaluation import assessors as assessors
    from pyramidion.evaluation import compare as compare
    from pyramidion.evaluation import composite as composite
    from pyramidion.evaluation import difficulty as difficulty
    from pyramidion.evaluation import gap as gap
    from pyramidion.evaluation import meta_evaluate as meta_evaluate
    from pyramidion.evaluation import verdicts as verdicts
    from pyramidion.rouge import Rouge as Rouge
    from pyramidion.summarizers import summarize as summarize

__version__ = "0.1.0"

__all__ = [
    "Collection",
    "Pyramid",
    "Rouge",
    "ScoreMatrix",
    "Scores",
    "Summary",
    "Topic",
    "assessors",
    "compare",
    "composite",
    "difficulty",
    "gap",
    "meta_evaluate",
    "summarize",
    "verdicts",
]

_ROOMS = {
    "Collection": "pyramidion.collection",
    "Pyramid": "pyramidion.collection",
    "Rouge": "pyramidion.rouge",
    "ScoreMatrix": "pyramidion.collection",
    "Scores": "pyramidion.collection",
    "Summary": "pyramidion.collection",
    "Topic": "pyramidion.collection",
    "assessors": "pyramidion.evaluation",
    "compare": "pyramidion.evaluation",
    "composite": "pyramidion.evaluation",
    "difficulty": "pyramidion.evaluation",
    "gap": "pyramidion.evaluation",
    "meta_evaluate": "pyramidion.evaluation",
    "summarize": "pyramidion.summarizers",
    "verdicts": "pyramidion.evaluation",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'pyramidion' has no attribute {name!r}")
    return getattr(import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
