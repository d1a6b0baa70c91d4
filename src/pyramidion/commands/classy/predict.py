"""``pyramidion classy predict``."""

from pyramidion.classy import predict
from pyramidion.commands._command import Command, ScoreTable

COMMAND = Command(predict, doing="predicting {collection}", outputs=(ScoreTable,))
