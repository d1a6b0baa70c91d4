"""``pyramidion train hmm``."""

from pyramidion.commands._command import Command
from pyramidion.summarizers import train_hmm

COMMAND = Command(train_hmm, doing="training on {source}")
