"""``pyramidion rewrite``."""

from pyramidion.commands._command import Command
from pyramidion.commands._summaries import RewriteOutput
from pyramidion.summarizers import rewrite

COMMAND = Command(rewrite, doing="rewriting", outputs=(RewriteOutput,))
