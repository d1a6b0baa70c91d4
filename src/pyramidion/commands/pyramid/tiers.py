"""``pyramidion pyramid tiers``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyramidion.collection._checks import address_name
from pyramidion.commands._command import Command, FigureFile
from pyramidion.errors import InputError
from pyramidion.pyramid import tiers


@dataclass(frozen=True, slots=True)
class PyramidFigure(FigureFile):
    """A file for the figure of one pyramid."""

    def write(self, result: Any) -> Iterator[str]:
        """Draw the pyramid, if it is the only one."""
        if self.figure is not None and len(result) > 1:
            there = "; ".join(address_name(*address) for address, _ in result.values[:3])
            raise InputError(
                f"one pyramid can be drawn at a time, and {len(result)} are chosen ({there}, ...)",
                hint="choose one with --topic and --task",
            )
        yield from FigureFile.write(self, result)


COMMAND = Command(tiers, doing="reading {source}", outputs=(PyramidFigure,))
