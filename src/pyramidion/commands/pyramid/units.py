"""``pyramidion pyramid units``."""

from pyramidion.commands._command import Command, ScoreTable
from pyramidion.pyramid import units

COMMAND = Command(units, doing="scoring {source}", outputs=(ScoreTable,))
