"""``pyramidion study vocabulary``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import vocabulary

COMMAND = Command(vocabulary, doing="counting in {sources[0]}", outputs=(StudyFigure,))
