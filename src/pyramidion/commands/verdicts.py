"""``pyramidion verdicts``."""

from pyramidion.commands._command import Command, FigureFolder
from pyramidion.evaluation._verdicts.view import verdicts

COMMAND = Command(verdicts, doing="judging by {source}", outputs=(FigureFolder,))
