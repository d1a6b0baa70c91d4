"""Which topic a text is nearest to, by cosines computed by hand."""

import numpy as np
import pytest

from pyramidion.text.nearest import WordSets, nearest_topics


def test_words_are_compared_by_their_cosine():
    """Topics with many words are not nearer; words of one topic weigh the same."""
    near = nearest_topics(
        WordSets(), ["rained", "wind", "snowed wind"], np.array([0, 2, 1]),
        ["rained", "snowed", "wind icicles thunder hailed"], np.arange(3), np.full(3, -1), 3,
    )  # fmt: skip
    assert near.own_similarity == pytest.approx([1.0, 0.5, 1 / np.sqrt(2)])
    assert near.other_similarity[2] == pytest.approx(1 / np.sqrt(8))
    assert near.matches.all()
