"""What several tests share."""

from functools import cache
from pathlib import Path

import pytest

from pyramidion.collection import Collection
from pyramidion.collection.formats import read_collection

SHARED = Path(__file__).resolve().parents[2] / "shared"
GOLD = Path(__file__).resolve().parent / "gold"


def shared_file(name: str) -> Path:
    """Return a file of the shared folder beside the checkout, or skip the test."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs ../shared/{name}, which is not beside this checkout")
    return path


def needs_package(name: str) -> None:
    """Skip a test of something that a plug-in package adds, if the core is tested alone."""
    pytest.importorskip(f"pyramidion.{name}")


def shared_collection(name: str) -> Collection:
    """Return a collection of the shared folder, which is read once, or skip the test."""
    return _read(shared_file(name))


_read = cache(read_collection)
