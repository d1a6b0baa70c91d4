"""The figure of a study."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pyramidion.commands._command import FigureFile
from pyramidion.report.result import Result

__all__ = ["StudyFigure"]


@dataclass(frozen=True, slots=True)
class StudyFigure(FigureFile):
    """A file for one figure, of which nothing is told."""

    def write(self, result: Result[Any]) -> Iterator[str]:
        """Draw the first chart."""
        if self.figure is not None:
            from pyramidion.report.charts import save

            save(result.charts[0].draw(), self.figure)
        yield from ()

    def finish(self, result: Result[Any]) -> Result[Any]:
        """Tell what the figure does not show."""
        if self.figure is None:
            return result
        return replace(result, left_out=(*result.left_out, *result.charts[0].left_out))
