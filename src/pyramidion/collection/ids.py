"""How ids are ordered."""

import re

__all__ = ["natural_order"]

_DIGITS = re.compile(r"([0-9]+)")


def natural_order(identifier: str) -> tuple[tuple[int, int, str, str], ...]:
    """Give a sort key that puts numbers inside ids in the order of their values.

    Examples
    --------
    >>> sorted(["10", "B", "2", "A"], key=natural_order)
    ['2', '10', 'A', 'B']
    """
    pieces = _DIGITS.split(identifier)
    return tuple(_piece_order(piece) for piece in pieces if piece)


def _piece_order(piece: str) -> tuple[int, int, str, str]:
    if "0" <= piece[0] <= "9":
        # Without leading zeros the longer number is the greater, however long it is.
        digits = piece.lstrip("0")
        return 0, len(digits), digits, piece
    return 1, 0, piece, ""
