"""``pyramidion metrics``."""

from pyramidion.commands._command import Command
from pyramidion.metrics import describe_metrics

COMMAND = Command(describe_metrics)
