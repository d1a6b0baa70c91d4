"""``pyramidion meta``."""

from pyramidion.commands._command import Command, FigureFolder, PageFile
from pyramidion.evaluation._meta.view import meta_evaluate

COMMAND = Command(
    meta_evaluate, doing="judging the metrics of {source}", outputs=(FigureFolder, PageFile)
)
