"""Lists of words, read once from ``data/words.toml``."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["spelled_title", "status_words"]


@cache
def status_words(name: str) -> frozenset[str]:
    """Give a list of words.

    Parameters
    ----------
    name
        What the list is called in ``data/words.toml``.

    Examples
    --------
    >>> "Party" in status_words("organizations")
    True
    """
    text: str = _file()[name]
    return frozenset(text.split())


def spelled_title(word: str) -> str | None:
    """Write an abbreviated title in full.

    Parameters
    ----------
    word
        In small letters, without a dot.

    Examples
    --------
    >>> spelled_title("gov"), spelled_title("chief")
    ('governor', None)
    """
    found: str | None = _file()["spelled"].get(word)
    return found


@cache
def _file() -> dict[str, Any]:
    text = files(__package__).joinpath("data", "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
