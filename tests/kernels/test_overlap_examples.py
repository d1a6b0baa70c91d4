"""Small examples of `pyramidion.kernels.overlap`."""

import numpy as np

from pyramidion.kernels.overlap import ngram_hits, skip_hits


def test_ngram_hits():
    ids, starts = np.array([0, 1, 0, 1, 0, 1, 2], np.int32), np.array([0, 4, 7])
    assert ngram_hits(ids, starts, np.array([0]), np.array([1]), 2).tolist() == [1]


def test_skip_hits():
    ids, starts = np.array([0, 1, 2, 0, 2, 1], np.int32), np.array([0, 3, 6])
    assert skip_hits(ids, starts, np.array([0]), np.array([1]), -1, False).tolist() == [2]
