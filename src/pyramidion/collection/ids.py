"""How ids are ordered."""

import re

__all__ = ["natural_order"]

_DIGITS = re.compile(r"(\d+)")


def natural_order(identifier: str) -> tuple[tuple[int, int, str], ...]:
    """Give a sort key that puts numbers inside ids in the order of their values.

    Examples
    --------
    >>> sorted(["10", "B", "2", "A"], key=natural_order)
    ['2', '10', 'A', 'B']
    """
    pieces = _DIGITS.split(identifier)
    return tuple(
        (0, int(piece), piece) if piece.isdecimal() else (1, 0, piece) for piece in pieces if piece
    )
