"""``pyramidion compare``."""

from pyramidion.commands._command import Command, FigureFolder
from pyramidion.evaluation._compare.view import compare

COMMAND = Command(compare, doing="comparing {source}", outputs=(FigureFolder,))
