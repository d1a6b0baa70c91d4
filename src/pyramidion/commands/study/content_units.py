"""``pyramidion study content-units``."""

from pyramidion.commands._command import Command
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.evaluation.study import content_units

COMMAND = Command(
    content_units, doing="looking for content units in {source}", outputs=(StudyFigure,)
)
