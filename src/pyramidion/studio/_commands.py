"""The commands of this package."""

from pyramidion.questions import CommandSpec

#: What the entry point ``pyramidion.commands`` provides.
COMMANDS = (
    CommandSpec(
        "serve",
        "pyramidion.studio:serve",
        "Open the studio: judge summaries and annotate pyramids in a browser.",
        heading="Check judges",
        has_output=False,
    ),
)
