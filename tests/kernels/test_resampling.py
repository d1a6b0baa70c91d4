"""Bootstrap sums with Perl's random numbers, compiled and in Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from pyramidion.kernels import resampling

tables = arrays(
    np.float64, array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=7), elements=st.floats()
)


@given(tables, st.integers(0, 11))
def test_native_equals_python(native, columns, resamples):
    with np.errstate(all="ignore"):
        expected = resampling.bootstrap_sums(columns, resamples)
    for table in (columns, np.asfortranarray(columns)):
        np.testing.assert_array_equal(
            native.bootstrap_sums(table, resamples), expected, strict=True
        )


def test_draws_are_perls():
    """Source, Perl 5.36: perl -e 'for (0..9) {srand($_); print int(rand(10)), " "}'."""
    assert next(resampling.draws(10, 10)).tolist() == [1, 0, 9, 7, 6, 5, 3, 2, 1, 0]


def test_sums_are_of_the_rows_that_are_drawn(kernel):
    """Source, Perl 5.36: perl -e 'srand(1); print int(rand(6)), " " for 1..6'."""
    expected = np.bincount([0, 2, 5, 2, 3, 0]).tolist()
    assert kernel.bootstrap_sums(np.eye(6), 2)[1].tolist() == expected


@pytest.mark.parametrize("columns", [np.zeros(3), [[1.0]], None])
def test_only_tables_are_taken(native, columns):
    with pytest.raises(TypeError):
        native.bootstrap_sums(columns, 3)
