"""``pyramidion pyramid missed``."""

from pyramidion.commands._command import Command
from pyramidion.pyramid import missed

COMMAND = Command(missed, doing="reading {source}")
