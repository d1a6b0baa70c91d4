"""``pyramidion study all``."""

from pyramidion.commands._command import Command, FigureFolder
from pyramidion.evaluation.study import every_study

COMMAND = Command(every_study, doing="studying {source}", outputs=(FigureFolder,))
