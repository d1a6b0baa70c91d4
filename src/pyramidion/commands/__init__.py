"""The commands, one file each: which question, which files it can write."""

from dataclasses import dataclass

__all__ = ["COMMANDS", "Listed"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of ``pyramidion --help``; the command itself is loaded when it is called.

    Parameters
    ----------
    name
        As it is typed; ``pyramid score`` is a command of the group ``pyramid``.
    summary
        What it does, in a line.
    module
        Where its `COMMAND` is, if not in the module of its name.
    """

    name: str
    summary: str
    module: str = ""

    @property
    def path(self) -> str:
        """The module that declares it."""
        words = self.module or self.name.replace(" ", ".").replace("-", "_")
        return f"pyramidion.commands.{words}"


#: In the order of the help.
COMMANDS: tuple[Listed, ...] = (
    Listed("gap", "Tell how far people are above what a metric predicts from machines."),
)
