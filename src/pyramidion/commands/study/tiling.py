"""``pyramidion study tiling``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import tiling

COMMAND = Command(tiling, doing="tiling summaries of {source}", outputs=(StudyFigure,))
