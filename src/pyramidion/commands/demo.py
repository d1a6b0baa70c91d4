"""``pyramidion demo``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyramidion.commands._command import Command, Output
from pyramidion.demo import tour
from pyramidion.demo._tour import TourOptions
from pyramidion.report.result import Result


@dataclass(frozen=True, slots=True)
class TourFiles(TourOptions, Output):
    """The files that the tour leaves."""

    def closing(self, result: Result[Any]) -> Iterator[str]:
        """List the files."""
        yield f"The files of this tour lie in {self.folder}/ :"
        for file in sorted(self.folder.iterdir()):
            yield f"  {file}{'/' if file.is_dir() else ''}"


COMMAND = Command(tour, doing="touring the demonstration", outputs=(TourFiles,))
