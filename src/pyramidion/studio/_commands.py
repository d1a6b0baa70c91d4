"""The commands of this package."""

from pyramidion.questions import CommandSpec

#: The value of the entry point ``pyramidion.commands``.
COMMANDS = (
    CommandSpec(
        "serve",
        "pyramidion.studio:serve",
        "Open the studio: judge summaries and annotate pyramids in a browser.",
        heading="Check judges",
        has_output=False,
    ),
)
