"""``pyramidion study systems``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import systems

COMMAND = Command(systems, doing="analyzing scores of {source}", outputs=(StudyFigure,))
