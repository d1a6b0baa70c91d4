"""How a package declares its commands: light values, loaded with every call of the program."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

__all__ = ["CommandGroup", "CommandSpec", "load_object"]


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command: a line of ``pyramidion --help``, and the question that it asks.

    The question is imported only when the command is called.

    Parameters
    ----------
    name
        As it is typed; ``pyramid score`` is a command of the group ``pyramid``.
    question
        The function that it calls, as ``package.module:function``.
    summary
        What it does, in one line: the first line of the function's docstring.
    heading
        The heading in the help; empty for a command of a group.
    progress_message
        What the progress bar says, with the options in braces: ``"comparing {source}"``.
    has_output
        Whether it has ``--format`` and ``--output``; False for a command that prints or writes
        everything itself.
    settings
        Further arguments for typer.

    Examples
    --------
    >>> gap = CommandSpec("gap", "pyramidion.meta_evaluation:gap", "Measure how far ...")
    >>> gap.group, gap.word
    ('', 'gap')
    """

    name: str
    question: str
    summary: str
    heading: str = ""
    progress_message: str = ""
    has_output: bool = True
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def group(self) -> str:
        """The group that it belongs to; empty for a command of its own."""
        return self.name.rpartition(" ")[0]

    @property
    def word(self) -> str:
        """Its last word."""
        return self.name.rpartition(" ")[2]


@dataclass(frozen=True, slots=True)
class CommandGroup:
    """Commands that begin with the same words.

    Parameters
    ----------
    name
        The words that they begin with.
    summary
        What they do, in one line.
    heading
        The heading in the help; empty for a group within a group.
    default
        The command that runs when none is named: ``pyramid auto SRC``.
    """

    name: str
    summary: str
    heading: str = ""
    default: str = ""


def load_object(address: str) -> Any:
    """Load what ``package.module:name`` stands for.

    Examples
    --------
    >>> load_object("pyramidion.errors:InputError").__name__
    'InputError'
    """
    module, _, name = address.partition(":")
    return getattr(import_module(module), name)
