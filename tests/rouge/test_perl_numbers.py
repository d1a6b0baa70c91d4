"""Perl's numbers. Source: Perl 5.36, as the specification of the last edges has it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.rouge._perl import round_like_perl, sort_by_evaluation
from pyramidion.rouge._perl_numbers import (
    PerlNumber,
    decimals,
    is_whole_weight,
    leading_number,
    running_total,
)


@pytest.mark.parametrize(
    ("base", "weight", "whole", "shown"),
    [
        (7, 20, True, "79792266297612001"),  # whole: 3 bits times 20
        (7, 20, False, "7.9792266297612e+16"),
        (8, 20, True, "1.15292150460685e+18"),  # a power of two is real
        (3, 38, True, "1.35085171767299e+18"),  # real, although it would fit
        (50, 1000, True, "Inf"),
        (2.5, 2, True, "6.25"),
    ],
)
def test_powers(base, weight, whole, shown):
    assert str(PerlNumber(base).power(weight, whole_weight=whole)) == shown


@pytest.mark.parametrize(
    ("values", "shown", "total"),
    [
        ([1.5e17, 1.5e17], "300000000000000000", "300000000000000000"),
        ([2**61, 2**61], str(2**62), str(2**62)),
        ([2**63, 2**62], str(3 * 2**62), str(3 * 2**62)),
        ([2**64 - 1, 1], "1.84467440737096e+19", "1.84467440737096e+19"),
        ([1.5e18], "1.5e+18", "1500000000000000000"),
        ([1e15, 0.0], "1000000000000000", "1000000000000000"),
        ([0.5, math.inf], "Inf", "Inf"),
    ],
)
def test_totals(values, shown, total):
    added = running_total(values)
    assert (str(added), added.to_digits()) == (shown, total)


def test_two_large_reals_are_added_as_whole_numbers():
    assert str(PerlNumber(1.5e17) + PerlNumber(1.5e17)) == "300000000000000000"
    assert str(PerlNumber(1.5e17) - PerlNumber(0.5)) == "1.5e+17"


def test_text_as_numbers():
    typed = [" 1", "1x", ".1e1", "0x1", "abc", "1_0", "+2."]
    assert [leading_number(text)[0] for text in typed] == [1, 1, 1, 0, 0, 1, 2]
    assert [text for text in typed if leading_number(text)[1]] == [" 1", ".1e1", "+2."]
    weights = ["3", "03", "+3", "3e0", "30e-1", ".3e1", "3.0", "3.", "3.00", "1.2"]
    assert [text for text in weights if not is_whole_weight(text)] == ["3.0", "3.", "3.00", "1.2"]
    assert (decimals(0.5), decimals(math.nan), decimals(math.inf)) == (
        "0.50000", "    NaN", "    Inf",
    )  # fmt: skip


@given(st.lists(st.floats() | st.integers(-(10**6), 10**6).map(lambda n: (n + 0.5) / 1e5)))
def test_scores_are_rounded_as_c_does(values):
    expected = [float(f"{value:.5f}") for value in values]
    np.testing.assert_array_equal(round_like_perl(np.array(values)), expected)


def test_names_are_ordered_by_number_where_both_have_one():
    names = ["9.X", "10.X", "a-1.X", "a.X", "b.X"]
    assert sort_by_evaluation(["10.X", "9.X", "b.X", "a.X", "a-1.X"]) == names
