"""The commands of this package."""

from pyramidion.questions import CommandGroup, CommandSpec

#: The value of the entry point ``pyramidion.commands``.
COMMANDS = (
    CommandGroup(
        "classy",
        "Train metrics on human judgments, predict judgments, and evaluate the predictions.",
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
        "Evaluate trained models on held-out sets, compared with R1ns and the summaries' length.",
        progress_message="evaluating",
    ),
    CommandSpec(
        "classy models",
        "pyramidion.classy:models",
        "List the sixteen published models, or show what a model contains.",
    ),
)
