"""The commands of this package."""

from pyramidion.questions import CommandGroup, CommandSpec

#: What the entry point ``pyramidion.commands`` provides.
COMMANDS = (
    CommandGroup(
        "classy",
        "Train metrics on human judgments, predict those of other summaries, and check that.",
        heading="Score summaries",
    ),
    CommandSpec(
        "classy train",
        "pyramidion.classy:train",
        "Train metrics on two or more sets: fit on all but the last, select on the "
        "last, then refit.",
        progress_message="training",
    ),
    CommandSpec(
        "classy predict",
        "pyramidion.classy:predict",
        "Predict human judgments of a collection's summaries.",
        progress_message="predicting {collection}",
    ),
    CommandSpec(
        "classy evaluate",
        "pyramidion.classy:evaluate",
        "Judge trained models on sets left out in turn, beside R1ns and the summaries' length.",
        progress_message="evaluating",
    ),
    CommandSpec(
        "classy models",
        "pyramidion.classy:models",
        "List the sixteen published models, or show what a model contains.",
    ),
)
