"""The commands of this package."""

from pyramidion.questions import CommandSpec

#: The value of the entry point ``pyramidion.commands``.
COMMANDS = (
    CommandSpec(
        "rewrite",
        "pyramidion.rewriting:rewrite",
        "Rewrite a summary so that it introduces people where they are first mentioned.",
        heading="Write summaries",
        progress_message="rewriting",
    ),
)
