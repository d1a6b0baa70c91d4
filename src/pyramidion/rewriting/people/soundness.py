"""Whether a sentence is still sound after a change: marks, blanks, capitals, its end."""

import re
from typing import Final

from pyramidion.rewriting.quotations import balanced

__all__ = ["is_sound"]

_ODD: Final = re.compile(r",\s*,|  |\s[,.;:!?](?!\S)|\.\.(?!\.)|,[.;:!?]|\(\s|\s\)|^\W*[,;]")


def is_sound(before: str, after: str) -> bool:
    """Tell whether a changed sentence has no faults that it did not have before.

    Parameters
    ----------
    before, after
        The sentence.

    Examples
    --------
    >>> is_sound("Ann Orr, 54, won.", "Orr won."), is_sound("Ann Orr, 54, won.", "Orr,, won.")
    (True, False)
    """
    if len(_ODD.findall(after)) > len(_ODD.findall(before)):
        return False
    if balanced(before) and not balanced(after):
        return False
    return _opening(before) <= _opening(after) and before[-1:] == after[-1:]


def _opening(text: str) -> bool:
    """Tell whether the first letter is a capital."""
    letter = next((character for character in text if character.isalpha()), "")
    return letter.isupper()
