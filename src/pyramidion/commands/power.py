"""``pyramidion power``."""

from dataclasses import dataclass, replace
from typing import Any

from pyramidion.commands._command import Command, FigureFolder
from pyramidion.evaluation._power import PowerPlans, power
from pyramidion.report.result import Result


@dataclass(frozen=True, slots=True)
class Curves(FigureFolder):
    """A folder for power curves."""

    def finish(self, result: Result[Any]) -> Result[Any]:
        """Say which measures have no curve, if curves were asked for."""
        if self.figures is None or not isinstance(result, PowerPlans):
            return result
        return replace(result, left_out=(*result.left_out, *result.undrawn))


COMMAND = Command(power, doing="planning from {source}", outputs=(Curves,))
