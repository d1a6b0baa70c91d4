"""``pyramidion study composition``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import composition

COMMAND = Command(composition, doing="summarizing {source}", outputs=(StudyFigure,))
