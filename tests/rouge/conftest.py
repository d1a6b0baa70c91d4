"""What the tests of ROUGE share."""

import pytest

from rouge.gold import unpack


@pytest.fixture(scope="session")
def gold(tmp_path_factory):
    """Return the folder of the gold runs, unpacked."""
    return unpack(tmp_path_factory.mktemp("rouge-1.5.5"))
