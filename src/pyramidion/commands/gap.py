"""``pyramidion gap``."""

from pyramidion.commands._command import Command, FigureFolder
from pyramidion.evaluation._gap import gap

COMMAND = Command(gap, doing="measuring the gap in {source}", outputs=(FigureFolder,))
