"""Small examples of `pyramidion.kernels.subsequences`."""

import numpy as np

from pyramidion.kernels.subsequences import lcs_hits, weighted_lcs_hits
from pyramidion.kernels.summaries import Summaries


def test_lcs_hits():
    ids = np.array([0, 1, 2, 3, 0, 2, 1, 3], np.int32)
    starts, sentences, texts = np.array([0, 4, 8]), np.array([0, 2, 4, 8]), np.array([0, 2, 3])
    texts = Summaries(ids, starts, ids, sentences, texts)
    assert lcs_hits(texts, np.array([0]), np.array([1])).tolist() == [4]


def test_weighted_lcs_hits():
    ids = np.array([0, 1, 2, 0, 1, 3], np.int32)
    texts = Summaries(ids, np.array([0, 3, 6]), ids, np.array([0, 3, 6]), np.array([0, 1, 2]))
    assert weighted_lcs_hits(texts, np.array([0]), np.array([1]), 2.0).tolist() == [4.0]
