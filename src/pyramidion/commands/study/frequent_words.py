"""``pyramidion study frequent-words``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import frequent_words

COMMAND = Command(frequent_words, doing="counting in {source}", outputs=(StudyFigure,))
