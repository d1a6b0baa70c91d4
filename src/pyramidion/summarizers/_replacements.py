"""What was replaced in sentences."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Replacement:
    """A change of a sentence.

    Parameters
    ----------
    start, end
        Which part of the sentence (as it was) is replaced.
    before, after
        What stood there, and what stands there now.
    kind
        What kind of part it is, such as ``person`` or ``noun phrase``.
    reason
        Why, in a few words: ``first mention``, ``later mention``.
    document, index
        The sentence that the new wording comes from; nothing where it was only shortened.

    Examples
    --------
    >>> Replacement(0, 5, "Rubin", "Robert Rubin", "person", "first mention", "d1", 3).after
    'Robert Rubin'
    """

    start: int
    end: int
    before: str
    after: str
    kind: str
    reason: str
    document: str = ""
    index: int | None = None


def edited(text: str, replacements: Iterable[Replacement]) -> str:
    """Make changes that do not overlap.

    Parameters
    ----------
    text
        A sentence.
    replacements
        Its changes.

    Examples
    --------
    >>> change = Replacement(0, 5, "Rubin", "Robert Rubin", "person", "first mention")
    >>> edited("Rubin resigned.", [change])
    'Robert Rubin resigned.'
    """
    pieces, done = [], 0
    for change in sorted(replacements, key=lambda change: change.start):
        pieces += [text[done : change.start], change.after]
        done = change.end
    return "".join([*pieces, text[done:]])


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A sentence after rewriting.

    Parameters
    ----------
    text
        As it stands now.
    replacements
        What was replaced; nothing where it was left alone.

    Examples
    --------
    >>> Rewritten("Rain fell.").replacements
    ()
    """

    text: str
    replacements: tuple[Replacement, ...] = ()
