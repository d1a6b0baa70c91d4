"""``pyramidion pyramid agreement``."""

from pyramidion.commands._command import Command, FigureFile
from pyramidion.pyramid import agreement

COMMAND = Command(agreement, doing="comparing annotations in {first}", outputs=(FigureFile,))
