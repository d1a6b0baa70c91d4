"""``pyramidion pyramid auto build``."""

from pyramidion.commands._command import Command
from pyramidion.commands.pyramid.auto._files import PyramidFolder
from pyramidion.pyramid import build_pyramids

COMMAND = Command(build_pyramids, doing="building pyramids of {source}", outputs=(PyramidFolder,))
