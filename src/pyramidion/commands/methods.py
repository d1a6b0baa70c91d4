"""``pyramidion methods``."""

from pyramidion.commands._command import Command
from pyramidion.summarizers import describe_methods

COMMAND = Command(describe_methods)
