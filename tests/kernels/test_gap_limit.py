"""The longest text whose skip-bigrams can be counted."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.kernels.checks import checked_gap

ONE = np.array([0])


@pytest.mark.parametrize(
    ("gap", "words", "pairs"),
    [
        # All pairs: n (n - 1) / 2, which is 2^32 between these two.
        (-1, 92_682, 92_682 * 92_681 // 2),
        (-1, 92_683, 92_683 * 92_682 // 2),
        # Each word with the next one.
        (0, 2**32 + 1, 2**32),
        (0, 2**32 + 2, 2**32 + 1),
        # Each word with the two after it, except for the last one and the last but one.
        (1, 2**31 + 1, 2 * (2**31 + 1) - 3),
        (1, 2**31 + 2, 2 * (2**31 + 2) - 3),
    ],
)
def test_texts_with_more_than_2_to_the_32_skip_bigrams_are_refused(gap, words, pairs):
    starts = np.array([0, words])
    if pairs <= 2**32:
        assert checked_gap(gap, starts, ONE, ONE) == gap
    else:
        with pytest.raises(InputError, match="skip-bigrams"):
            checked_gap(gap, starts, ONE, ONE)
