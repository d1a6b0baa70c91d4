"""``pyramidion study utility``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import utility

COMMAND = Command(utility, doing="scoring extracts of {source}", outputs=(StudyFigure,))
