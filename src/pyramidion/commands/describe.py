"""``pyramidion describe``."""

from pyramidion.commands._command import Command
from pyramidion.evaluation import describe

COMMAND = Command(describe, doing="reading {source}")
