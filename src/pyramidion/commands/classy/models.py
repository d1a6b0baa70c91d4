"""``pyramidion classy models``."""

from pyramidion.classy import models
from pyramidion.commands._command import Command

COMMAND = Command(models)
