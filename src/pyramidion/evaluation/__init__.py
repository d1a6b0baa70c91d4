"""Questions: which systems differ, which metrics to trust, which judges.

Names are loaded when they are first used, since few programs ask all questions.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.evaluation._assessors.view import AssessorsResult as AssessorsResult
    from pyramidion.evaluation._assessors.view import assessors as assessors
    from pyramidion.evaluation._composite.compose import Composite as Composite
    from pyramidion.evaluation._composite.view import CompositeResult as CompositeResult
    from pyramidion.evaluation._composite.view import composite as composite
    from pyramidion.evaluation._description import Description as Description
    from pyramidion.evaluation._description import describe as describe
    from pyramidion.evaluation._difficulty.measure import Difficulty as Difficulty
    from pyramidion.evaluation._difficulty.view import difficulty as difficulty
    from pyramidion.evaluation._gap.measure import HumanGap as HumanGap
    from pyramidion.evaluation._gap.view import gap as gap
    from pyramidion.evaluation._meta.evaluate import meta_evaluate as meta_evaluate
    from pyramidion.evaluation._meta.result import MetaResult as MetaResult
    from pyramidion.evaluation._verdicts.agreement import Agreement as Agreement
    from pyramidion.evaluation._verdicts.agreement import Costs as Costs
    from pyramidion.evaluation._verdicts.view import MetricVerdicts as MetricVerdicts
    from pyramidion.evaluation._verdicts.view import verdicts as verdicts
    from pyramidion.evaluation.comparison import Comparison as Comparison
    from pyramidion.evaluation.comparison import ComparisonResult as ComparisonResult
    from pyramidion.evaluation.comparison import PairCounts as PairCounts
    from pyramidion.evaluation.comparison import SystemResult as SystemResult
    from pyramidion.evaluation.systems import compare as compare

__all__ = [
    "Agreement",
    "AssessorsResult",
    "Comparison",
    "ComparisonResult",
    "Composite",
    "CompositeResult",
    "Costs",
    "Description",
    "Difficulty",
    "HumanGap",
    "MetaResult",
    "MetricVerdicts",
    "PairCounts",
    "SystemResult",
    "assessors",
    "compare",
    "composite",
    "describe",
    "difficulty",
    "gap",
    "meta_evaluate",
    "verdicts",
]

_MODULES = {
    "Agreement": "_verdicts.agreement",
    "AssessorsResult": "_assessors.view",
    "Comparison": "comparison",
    "ComparisonResult": "comparison",
    "Composite": "_composite.compose",
    "CompositeResult": "_composite.view",
    "Costs": "_verdicts.agreement",
    "Description": "_description",
    "Difficulty": "_difficulty.measure",
    "HumanGap": "_gap.measure",
    "MetaResult": "_meta.result",
    "MetricVerdicts": "_verdicts.view",
    "PairCounts": "comparison",
    "SystemResult": "comparison",
    "assessors": "_assessors.view",
    "compare": "systems",
    "composite": "_composite.view",
    "describe": "_description",
    "difficulty": "_difficulty.view",
    "gap": "_gap.view",
    "meta_evaluate": "_meta.evaluate",
    "verdicts": "_verdicts.view",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'pyramidion.evaluation' has no attribute {name!r}")
    return getattr(import_module(f"pyramidion.evaluation.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
