"""The tokenizer of ROUGE-1.5.5 (maximal runs of ``a-z`` and ``0-9``), and a count of letters.

This is the readable specification of the compiled kernels of the same names, and the
fallback if nothing was compiled.
"""

import re
from collections.abc import Sequence

__all__ = ["ascii_letters", "rouge_tokens"]

_TOKEN_PATTERN = re.compile(r"[a-z0-9]+")
_NO_LETTERS = bytes(byte for byte in range(256) if not chr(byte).isalpha() or byte > 127)
_LOWER_ASCII = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def rouge_tokens(text: str | bytes) -> list[str]:
    """Split a text into words exactly as ROUGE-1.5.5 does.

    ``A-Z`` are lower-cased; every other byte outside ``a-z`` and ``0-9`` separates words. A
    ``str`` is treated as its UTF-8 bytes: all bytes of a non-ASCII character are separators, so
    the text need not be encoded.
    """
    if isinstance(text, bytes):
        text = text.decode("latin-1")
    elif not isinstance(text, str):
        raise TypeError(f"text must be str or bytes, not {type(text).__name__}")
    # str.lower() would turn the Kelvin sign and the dotted capital I into ASCII letters.
    lowercase = text.lower() if text.isascii() else text.translate(_LOWER_ASCII)
    return _TOKEN_PATTERN.findall(lowercase)


def ascii_letters(texts: Sequence[str]) -> int:
    """Count the letters ``A-Z`` and ``a-z`` of texts."""
    return sum(len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS)) for text in texts)
