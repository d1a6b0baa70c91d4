"""How a package declares its commands: light values, loaded whenever the program starts."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

__all__ = ["CommandGroup", "CommandSpec", "load_object"]


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command: its line in ``pyramidion --help``, and the question it runs.

    The question is imported only when the command is called.

    Parameters
    ----------
    name
        What users type; ``pyramid score`` is a command of the group ``pyramid``.
    question
        The function to call, as ``package.module:function``.
    summary
        What it does, in one line: the first line of the function's docstring.
    heading
        The heading in the help; empty for a command of a group.
    progress_message
        The text of the progress bar, with options in braces: ``"comparing {source}"``.
    has_output
        Whether it has ``--format`` and ``--output``; False for a command that prints or writes
        everything itself.
    settings
        Further arguments for typer.

    Examples
    --------
    >>> CommandSpec("gap", "pyramidion.meta_evaluation:gap", "Measure how far ...").has_output
    True
    """

    name: str
    question: str
    summary: str
    heading: str = ""
    progress_message: str = ""
    has_output: bool = True
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CommandGroup:
    """Commands that start with the same words.

    Parameters
    ----------
    name
        The words they start with.
    summary
        What they do, in one line.
    heading
        The heading in the help; empty for a nested group.
    default
        The command to run if none is named, as in ``pyramid auto SRC``.
    """

    name: str
    summary: str
    heading: str = ""
    default: str = ""


def load_object(address: str) -> Any:
    """Load the object at ``package.module:name``.

    Examples
    --------
    >>> load_object("pyramidion.errors:InputError").__name__
    'InputError'
    """
    module, _, name = address.partition(":")
    return getattr(import_module(module), name)
