"""``pyramidion summarize``."""

from pyramidion.commands._command import Command
from pyramidion.commands._summaries import SummaryOutput
from pyramidion.summarizers import summarize_collection

COMMAND = Command(summarize_collection, doing="summarizing", outputs=(SummaryOutput,))
