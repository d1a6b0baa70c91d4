"""Friedman's test, complete and with missing values."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import friedmanchisquare

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._kruskal import friedman

NAN = math.nan

# Assembly times of Skillings and Mack (1981): their statistic is 15.493 with 3 degrees of freedom.
ASSEMBLY_TIMES = np.array(
    [
        [3.2, 3.1, 4.3, 3.5, 3.6, 4.5, NAN, 4.3, 3.5],
        [4.1, 3.9, 3.5, 3.6, 4.2, 4.7, 4.2, 4.6, NAN],
        [3.8, 3.4, 4.6, 3.9, 3.7, 3.7, 3.4, 4.4, 3.7],
        [4.2, 4.0, 4.8, 4.0, 3.9, NAN, NAN, 4.9, 3.9],
    ]
).T

tables = arrays(
    float, st.tuples(st.integers(2, 9), st.integers(3, 6)), elements=st.integers(1, 5).map(float)
)


def test_published_example_with_missing_values():
    found = friedman(ASSEMBLY_TIMES)
    assert (round(found.statistic, 3), found.df, found.blocks) == (15.493, 3, 9)


@given(tables)
def test_complete_tables_are_scipys(table):
    assume((np.ptp(table, axis=1) > 0).any())
    expected = friedmanchisquare(*table.T)
    found = friedman(table)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    if found.df == table.shape[1] - 1:
        assert found.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert friedman(table, missing="drop").statistic == found.statistic


@given(tables, st.randoms(use_true_random=False))
def test_order_does_not_matter(table, random):
    table[0, 0] = NAN
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    found, again = friedman(table), friedman(table[np.ix_(rows, columns)])
    assert again.statistic == pytest.approx(found.statistic, rel=1e-9, abs=1e-9)
    assert again.mean_ranks == pytest.approx(found.mean_ranks[columns])


@given(tables, st.lists(st.integers(-50, 50), min_size=9, max_size=9))
def test_a_constant_for_each_block_changes_nothing(table, shifts):
    moved = table + np.array(shifts[: len(table)])[:, None] / 10
    assert friedman(moved).statistic == pytest.approx(friedman(table).statistic, abs=1e-9)


def test_what_is_left_out_is_counted():
    table = np.vstack([ASSEMBLY_TIMES, [NAN, 3.0, NAN, NAN], [NAN] * 4])
    kept, dropped = friedman(table), friedman(table, missing="drop")
    assert (kept.blocks, kept.left_out) == (9, 2)
    assert (dropped.blocks, dropped.left_out) == (6, 5)
    assert kept.statistic == friedman(ASSEMBLY_TIMES).statistic
    complete = ASSEMBLY_TIMES[~np.isnan(ASSEMBLY_TIMES).any(axis=1)]
    assert dropped.statistic == pytest.approx(friedmanchisquare(*complete.T).statistic)


def test_rows_tied_throughout():
    found = friedman([[2, 2, 2], [4, 4, 4]])
    assert (found.statistic, found.df, found.p) == (0, 2, 1)


def test_columns_linked_by_tied_rows_only_lose_their_degree_of_freedom():
    found = friedman([[1, 2, NAN], [1, 3, NAN], [NAN, 2, 2]])
    assert (round(found.statistic, 9), found.df) == (2, 1)


@pytest.mark.parametrize(
    ("table", "options", "error", "message"),
    [
        ([1, 2], {}, ShapeError, "1 dimensions instead of two"),
        ([[1], [2]], {}, InputError, "at least two"),
        (np.zeros((0, 3)), {}, InputError, "no row"),
        ([[1, NAN], [NAN, 2]], {}, InputError, "a row needs two values"),
        ([[1, NAN], [NAN, 2]], {"missing": "drop"}, InputError, "every row lacks"),
        ([[1, 2, NAN, NAN], [NAN, NAN, 1, 2]], {}, InputError, "columns 0 and 2 .* share no row"),
        ([[1, 2, NAN], [2, 1, NAN]], {}, InputError, "columns 0 and 2"),
        ([[1, 2]], {"missing": "mean"}, InputError, "keep, drop"),
        ([[1, math.inf]], {}, InputError, "infinite"),
    ],
)
def test_bad_input(table, options, error, message):
    with pytest.raises(error, match=message):
        friedman(table, **options)
