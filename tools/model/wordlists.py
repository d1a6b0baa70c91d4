"""Lists of parts of names and of sentences, written for this project."""

from functools import cache
from pathlib import Path

__all__ = ["listed"]

FOLDER = Path(__file__).parent / "lists"


@cache
def listed(name: str) -> tuple[str, ...]:
    """Return the lines of a list; one that stands there twice is chosen twice as often."""
    return tuple((FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines())
