"""``pyramidion difficulty``."""

from pyramidion.commands._command import Command, FigureFolder
from pyramidion.evaluation._difficulty import difficulty

COMMAND = Command(difficulty, doing="measuring the inputs of {source}", outputs=(FigureFolder,))
