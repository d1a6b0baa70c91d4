"""What several tests share."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
GOLD = Path(__file__).resolve().parent / "gold"


def shared_file(name: str) -> Path:
    """Return a file of the shared folder beside the checkout, or skip the test."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs ../shared/{name}, which is not beside this checkout")
    return path
