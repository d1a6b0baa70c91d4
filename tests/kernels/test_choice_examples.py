"""Small examples of `pyramidion.kernels.choice`."""

from pyramidion.kernels.choice import announce_slow_path


def test_announce_slow_path():
    announce_slow_path()
