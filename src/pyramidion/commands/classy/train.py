"""``pyramidion classy train``."""

from pyramidion.classy import train
from pyramidion.commands._command import Command

COMMAND = Command(train, doing="training")
