"""``pyramidion pyramid importance``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyramidion.commands._command import Command, FigureFile
from pyramidion.pyramid import importance


@dataclass(frozen=True, slots=True)
class ImportanceFigure(FigureFile):
    """A file for the figure of pyramids that have as many references."""

    def write(self, result: Any) -> Iterator[str]:
        """Draw the pyramids of the most references, and tell which are not drawn."""
        yield from FigureFile.write(self, result)
        fewer = sorted({one.references for one in result if one.references})[:-1]
        if self.figure is not None and fewer:
            counts = ", ".join(map(str, fewer))
            yield f"left out: the figure: pyramids of {counts} references"


COMMAND = Command(importance, doing="counting in {source}", outputs=(ImportanceFigure,))
