"""Small examples of `pyramidion.metrics._metric`."""

import numpy as np

from pyramidion.metrics._metric import share


def test_share():
    assert repr(share(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()) == "[0.25, nan]"
