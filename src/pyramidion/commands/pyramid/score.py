"""``pyramidion pyramid score``."""

from pyramidion.commands._command import Command, ScoreTable
from pyramidion.pyramid import score

COMMAND = Command(score, doing="scoring {source}", outputs=(ScoreTable,))
