"""``pyramidion study quality``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import quality

COMMAND = Command(quality, doing="counting judgments of {source}", outputs=(StudyFigure,))
