"""Questions: which systems differ, which metrics to trust, which judges.

Names are loaded when they are first used, since few programs ask all questions.
"""

from typing import TYPE_CHECKING

from pyramidion._lazy import lazy_front

if TYPE_CHECKING:
    from pyramidion.evaluation._assessors.view import AssessorsResult as AssessorsResult
    from pyramidion.evaluation._assessors.view import assessors as assessors
    from pyramidion.evaluation._compare.page import report_page as report_page
    from pyramidion.evaluation._compare.result import Comparison as Comparison
    from pyramidion.evaluation._compare.result import ComparisonResult as ComparisonResult
    from pyramidion.evaluation._compare.result import PairCounts as PairCounts
    from pyramidion.evaluation._compare.result import SystemResult as SystemResult
    from pyramidion.evaluation._compare.view import Comparisons as Comparisons
    from pyramidion.evaluation._compare.view import compare as compare
    from pyramidion.evaluation._composite import Composite as Composite
    from pyramidion.evaluation._composite import CompositeResult as CompositeResult
    from pyramidion.evaluation._composite import composite as composite
    from pyramidion.evaluation._description import Description as Description
    from pyramidion.evaluation._description import describe as describe
    from pyramidion.evaluation._difficulty import Difficulty as Difficulty
    from pyramidion.evaluation._difficulty import difficulty as difficulty
    from pyramidion.evaluation._gap import HumanGap as HumanGap
    from pyramidion.evaluation._gap import gap as gap
    from pyramidion.evaluation._meta.result import MetaEvaluation as MetaEvaluation
    from pyramidion.evaluation._meta.result import MetricCorrelation as MetricCorrelation
    from pyramidion.evaluation._meta.result import MetricMatrix as MetricMatrix
    from pyramidion.evaluation._meta.view import MetaResult as MetaResult
    from pyramidion.evaluation._meta.view import meta_evaluate as meta_evaluate
    from pyramidion.evaluation._power import PlannedPair as PlannedPair
    from pyramidion.evaluation._power import PowerPlan as PowerPlan
    from pyramidion.evaluation._power import PowerPlans as PowerPlans
    from pyramidion.evaluation._power import power as power
    from pyramidion.evaluation._unit_pairs import UnitComparison as UnitComparison
    from pyramidion.evaluation._unit_pairs import UnitComparisons as UnitComparisons
    from pyramidion.evaluation._unit_pairs import compare_by_units as compare_by_units
    from pyramidion.evaluation._verdicts.agreement import Agreement as Agreement
    from pyramidion.evaluation._verdicts.agreement import Costs as Costs
    from pyramidion.evaluation._verdicts.view import MetricVerdicts as MetricVerdicts
    from pyramidion.evaluation._verdicts.view import verdicts as verdicts

#: The public names of each module.
_MODULES = {
    "_assessors.view": "assessors AssessorsResult",
    "_compare.page": "report_page",
    "_compare.result": "Comparison ComparisonResult PairCounts SystemResult",
    "_compare.view": "compare Comparisons",
    "_composite": "Composite composite CompositeResult",
    "_description": "describe Description",
    "_difficulty": "Difficulty difficulty",
    "_gap": "gap HumanGap",
    "_meta.result": "MetaEvaluation MetricCorrelation MetricMatrix",
    "_meta.view": "meta_evaluate MetaResult",
    "_power": "PlannedPair power PowerPlan PowerPlans",
    "_unit_pairs": "compare_by_units UnitComparison UnitComparisons",
    "_verdicts.agreement": "Agreement Costs",
    "_verdicts.view": "MetricVerdicts verdicts",
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
