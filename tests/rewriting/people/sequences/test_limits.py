"""Limiting distributions, and chains that have none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pyramidion.errors import InputError, ShapeError
from pyramidion.rewriting import MarkovChain
from pyramidion.rewriting.markov import long_run, shares

NAN = float("nan")
NAMES = tuple("abcd")


def chains(size=4, least=0.01):
    weights = hnp.arrays(np.float64, (size, size), elements=st.floats(least, 1))
    return weights.map(lambda table: table / table.sum(axis=1, keepdims=True))


def limit_of(table):
    size = len(table)
    return MarkovChain("x", NAMES[:size], np.ones(size) / size, table).limit()


@given(chains())
def test_limit_is_where_the_chain_stays_and_where_it_goes(table):
    limit = limit_of(table)
    assert (limit.problem, limit.left) == ("", ())
    np.testing.assert_allclose(limit.probabilities @ table, limit.probabilities, atol=1e-9)
    assert limit.probabilities.sum() == pytest.approx(1)
    np.testing.assert_allclose(np.linalg.matrix_power(table, 4096)[0], limit.probabilities)


@given(chains(), st.permutations(range(4)))
def test_order_of_states_does_not_matter(table, order):
    turned = table[np.ix_(order, order)]
    np.testing.assert_allclose(
        long_run(turned[np.newaxis])[0], long_run(table[np.newaxis])[0][list(order)], atol=1e-9
    )


def test_many_chains_are_solved_as_each_alone():
    rng = np.random.default_rng(0)
    tables = rng.dirichlet(np.ones(5), size=(40, 5))
    tables[7] = np.eye(5)
    tables[9, 2] = NAN
    together = long_run(tables)
    for row, table in zip(together, tables, strict=True):
        np.testing.assert_array_equal(row, long_run(table[np.newaxis])[0])
    assert np.isnan(together[[7, 9]]).all()
    assert not np.isnan(np.delete(together, [7, 9], axis=0)).any()


@pytest.mark.parametrize(
    ("table", "problem", "probabilities", "left"),
    [
        # Two forms in turn: no limit, but half of the mentions each.
        ([[0, 1], [1, 0]], "only after a multiple of 2 mentions", [0.5, 0.5], ()),
        # A round of three.
        ([[0, 1, 0], [0, 0, 1], [1, 0, 0]], "a multiple of 3 mentions", [1 / 3] * 3, ()),
        # A round of three with a way of two.
        ([[0, 1, 0], [0.5, 0, 0.5], [1, 0, 0]], "", [0.4, 0.4, 0.2], ()),
        # Two forms that are never left.
        ([[1, 0], [0, 1]], "is not connected: mentions stay within a or within b", None, ()),
        ([[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1]], "stay within a or within c", None, ()),
        # One form that is never left: the limit, but perhaps for want of data.
        ([[0.5, 0.5], [0, 1]], "", [0, 1], ("a",)),
        # Nothing is known to follow b.
        ([[0.5, 0.5], [NAN, NAN]], "no mention ever followed b", None, ()),
        # Nothing is known to follow c, but nothing leads there.
        ([[0.5, 0.5, 0], [1, 0, 0], [NAN] * 3], "", [2 / 3, 1 / 3, 0], ()),
        ([[NAN, NAN], [NAN, NAN]], "nobody is mentioned twice", None, ()),
    ],
)
def test_chains_that_are_odd(table, problem, probabilities, left):
    limit = limit_of(np.array(table, dtype=float))
    assert problem in limit.problem
    assert bool(problem) == bool(limit.problem)
    assert limit.left == left
    expected = [NAN] * len(table) if probabilities is None else probabilities
    np.testing.assert_allclose(limit.probabilities, expected, atol=1e-12)


def test_little_is_added_to_each_count():
    counts = [[3, 1], [0, 0]]
    bare = MarkovChain.of_counts("x", ("a", "b"), [4, 0], counts)
    assert bare.limit().problem == "no mention ever followed b"
    chain = MarkovChain.of_counts("x", ("a", "b"), [4, 0], counts, add=1)
    np.testing.assert_allclose(chain.initial, [5 / 6, 1 / 6])
    np.testing.assert_allclose(chain.transitions, [[4 / 6, 2 / 6], [1 / 2, 1 / 2]])
    np.testing.assert_allclose(chain.limit().probabilities, [0.6, 0.4])
    np.testing.assert_array_equal(chain.transition_counts, counts)


@pytest.mark.parametrize("add", [-0.5, NAN, float("inf")])
def test_nonsense_is_not_added(add):
    with pytest.raises(InputError, match="give 0 or more"):
        shares(np.ones(2), add)


def test_probabilities_must_fit_the_states():
    with pytest.raises(ShapeError, match="the chain of x has 3 states"):
        MarkovChain("x", tuple("abc"), np.ones(2) / 2, np.eye(2))
