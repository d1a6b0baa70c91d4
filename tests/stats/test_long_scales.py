"""Scales of judgments have at most twenty steps."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats import ordinal_mixed_model


@pytest.mark.parametrize(("steps", "refused"), [(20, False), (21, True)])
def test_longer_scales_are_for_the_linear_model(steps, refused):
    """Two systems that are the same: a scale of twenty fails later, by its data."""
    values = np.repeat(np.arange(steps), 2)
    with pytest.raises(InputError) as error:
        ordinal_mixed_model(values, ["a"] * len(values), random={"topic": values})
    assert ("too many for a scale" in str(error.value)) == refused
