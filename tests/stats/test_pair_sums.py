"""Signed sums of pairs, against their definition."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pyramidion.stats.pairs import PairSums, row_counts

cells = st.one_of(st.integers(1, 5).map(float), st.just(np.nan))


def gathered(scores, pairs, signs):
    sums = PairSums(scores, np.array(pairs))
    batches = []
    for batch in sums.batches(signs):
        part = np.full((len(pairs), len(batch)), np.nan)
        for rows, values in sums.blocks(batch):
            part[rows] = values
        batches.append(part)
    return np.concatenate(batches, axis=1)


@given(
    st.sampled_from([st.integers(1, 5).map(float), cells]).flatmap(
        lambda elements: arrays(float, (7, 5), elements=elements)
    ),
    st.data(),
)
def test_definition(scores, data):
    every = list(itertools.permutations(range(5), 2))
    pairs = data.draw(
        st.one_of(
            st.just(list(itertools.combinations(range(5), 2))),
            st.lists(st.sampled_from(every), min_size=1),
        )
    )
    signs = 1 - 2 * np.array(data.draw(arrays(np.int8, (9, 7), elements=st.integers(0, 1))))
    expected = [np.nansum((scores[:, a] - scores[:, b]) * signs, axis=1) for a, b in pairs]
    np.testing.assert_allclose(gathered(scores, pairs, signs), expected, atol=1e-12)


@pytest.mark.parametrize("missing", [0.02, 0.6])
def test_many_systems(missing):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(12, 80))
    scores[rng.random(scores.shape) < missing] = np.nan
    pairs = list(itertools.combinations(range(80), 2))
    signs = (1 - 2 * rng.integers(0, 2, (1100, 12))).astype(np.int8)
    first, second = np.array(pairs).T
    expected = np.nan_to_num(scores[:, first] - scores[:, second]).T @ signs.T
    np.testing.assert_allclose(gathered(scores, pairs, signs), expected, atol=1e-12)


def test_no_pairs():
    assert list(PairSums(np.ones((3, 2)), np.empty((0, 2), np.intp)).blocks(np.ones((4, 3)))) == []


@pytest.mark.parametrize("width", [1, 7, 8, 1000, 2040])
def test_counts_of_rows(width):
    hits = np.random.default_rng(width).random((5, width)) < 0.7
    hits[0] = True
    assert row_counts(hits).tolist() == hits.sum(axis=1).tolist()


def test_signed_sums_of_a_pair():
    # By hand: 1 - 2 + 7 - 4, and with the second topic's sign turned 1 - 2 - 7 + 4.
    sums = PairSums(np.array([[1.0, 2.0], [7.0, 4.0]]), np.array([[0, 1]]))
    (batch,) = sums.batches(np.array([[1, 1], [1, -1]], np.int8))
    ((rows, values),) = sums.blocks(batch)
    assert (rows, values.tolist()) == (slice(0, 1), [[2.0, -4.0]])
