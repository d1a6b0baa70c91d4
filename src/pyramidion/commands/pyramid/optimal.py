"""``pyramidion pyramid optimal``."""

from pyramidion.commands._command import Command
from pyramidion.pyramid import optimal

COMMAND = Command(optimal, doing="reading {source}")
