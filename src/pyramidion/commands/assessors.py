"""``pyramidion assessors``."""

from pyramidion.commands._command import Command, FigureFolder, PageFile
from pyramidion.evaluation._assessors.view import assessors

COMMAND = Command(assessors, doing="judging the judges", outputs=(FigureFolder, PageFile))
