"""``pyramidion pyramid auto match``."""

from pyramidion.commands._command import Command
from pyramidion.commands.pyramid.auto._files import AnnotationFiles
from pyramidion.pyramid import match_summaries

COMMAND = Command(match_summaries, doing="matching {source}", outputs=(AnnotationFiles,))
