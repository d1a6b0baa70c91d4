"""The commands of this package."""

from pyramidion.questions import CommandSpec

#: What the entry point ``pyramidion.commands`` provides.
COMMANDS = (
    CommandSpec(
        "rewrite",
        "pyramidion.rewriting:rewrite",
        "Rewrite a summary so that readers know who people are and what things are called.",
        heading="Write summaries",
        progress_message="rewriting",
    ),
)
