"""``pyramidion study likelihood``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import likelihood

COMMAND = Command(likelihood, doing="scoring summaries of {source}", outputs=(StudyFigure,))
