"""``pyramidion study lognormal``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import lognormal

COMMAND = Command(lognormal, doing="fitting models to {source}", outputs=(StudyFigure,))
