"""Replacements in sentences."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Replacement:
    """A change of a sentence.

    Parameters
    ----------
    start, end
        The part of the original sentence that is replaced.
    before, after
        The old and new text.
    kind
        The kind of part, such as ``person`` or ``noun phrase``.
    reason
        Such as ``first mention`` or ``later mention``.
    document, index
        The sentence that the new wording comes from, if any.

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
    """Apply replacements that do not overlap to a sentence.

    Examples
    --------
    >>> change = Replacement(0, 5, "Rubin", "Robert Rubin", "person", "first mention")
    >>> edited("Rubin resigned.", [change])
    'Robert Rubin resigned.'
    """
    pieces, end = [], 0
    for change in sorted(replacements, key=lambda change: change.start):
        pieces += [text[end : change.start], change.after]
        end = change.end
    return "".join([*pieces, text[end:]])


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A sentence after rewriting.

    Parameters
    ----------
    text
        The new text.
    replacements
        The replacements made.

    Examples
    --------
    >>> Rewritten("Rain fell.").replacements
    ()
    """

    text: str
    replacements: tuple[Replacement, ...] = ()
