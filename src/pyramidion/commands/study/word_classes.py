"""``pyramidion study word-classes``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import word_classes

COMMAND = Command(word_classes, doing="counting in {source}", outputs=(StudyFigure,))
