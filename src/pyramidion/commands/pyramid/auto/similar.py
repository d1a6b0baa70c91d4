"""``pyramidion pyramid auto similar``."""

from pyramidion.commands._command import Command
from pyramidion.commands.pyramid.auto._files import AnnotationFiles
from pyramidion.pyramid import annotate_by_similarity

COMMAND = Command(annotate_by_similarity, doing="annotating {source}", outputs=(AnnotationFiles,))
