"""How ids are ordered, and names listed."""

import re
from collections.abc import Iterator, Sequence

_DIGITS = re.compile(r"([0-9]+)")


def natural_order(identifier: str) -> tuple[tuple[int, int, str, str], ...]:
    """Give a sort key that puts numbers inside ids in the order of their values."""
    pieces = _DIGITS.split(identifier)
    return tuple(_piece_order(piece) for piece in pieces if piece)


def _piece_order(piece: str) -> tuple[int, int, str, str]:
    if "0" <= piece[0] <= "9":
        # Without leading zeros the longer number is the greater, however long it is.
        digits = piece.lstrip("0")
        return 0, len(digits), digits, piece
    return 1, 0, piece, ""


def brief_list(names: Sequence[str]) -> str:
    """List the first three names, and say that there are more."""
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")


def split_names(text: str) -> Iterator[str]:
    """Read names with commas between them; commas in brackets belong to a name."""
    depth, start = 0, 0
    for place, letter in enumerate(f"{text},"):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and (depth == 0 or place == len(text)):
            name = text[start:place].strip()
            start = place + 1
            if name:
                yield name
