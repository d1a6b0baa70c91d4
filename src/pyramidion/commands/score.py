"""``pyramidion score``."""

from pyramidion.commands._command import Command
from pyramidion.metrics import score

COMMAND = Command(score, doing="scoring {source}")
