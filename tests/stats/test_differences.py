"""Rounding noise, ties and midranks."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from pyramidion.stats.pairs import (
    merge_rounding_ties,
    midranks,
    noise_level,
    snap_to_ties,
    tie_term,
)
from support import GOLD

# Printed in, or derived by arithmetic from, the dissertation; see "generator" in the file.
SEED = json.loads((GOLD / "stats" / "seed_values.json").read_text(encoding="utf-8"))["cases"]

decimals = st.lists(st.integers(0, 40), min_size=1, max_size=30).map(
    lambda values: np.array(values) / 10
)


def test_midranks_of_table_3_2():
    case = SEED["table_3_2_midranks"]
    pooled = np.repeat(case["inputs"]["values"], case["inputs"]["counts"])
    assert len(pooled) == case["outputs"]["N"]
    assert np.unique(midranks(pooled)).tolist() == case["outputs"]["midranks"]


def test_midranks_of_the_example_in_3_2_1():
    case = SEED["rank_example_3_2_1"]
    assert midranks(np.abs(case["inputs"]["z"])).tolist() == case["outputs"]["ranks"]


@given(decimals)
def test_midranks_are_scipys(values):
    assert midranks(values).tolist() == rankdata(values).tolist()


@given(decimals, st.integers(-30, 30))
def test_noise_of_a_shift_is_not_a_difference(values, shift):
    moved = (values + shift / 10) - shift / 10
    both = merge_rounding_ties(np.concatenate([values, moved]), noise_level(values, shift / 10))
    assert both[: len(values)].tolist() == both[len(values) :].tolist()


@given(decimals, st.randoms(use_true_random=False))
def test_differences_are_clean(values, random):
    others = values.tolist()
    random.shuffle(others)
    exact = np.rint(values * 10) - np.rint(np.array(others) * 10)
    clean = snap_to_ties(values, np.array(others))
    assert np.sign(clean).tolist() == np.sign(exact).tolist()
    assert midranks(np.abs(clean)).tolist() == midranks(np.abs(exact)).tolist()


def test_settling_works_along_the_last_axis():
    table = np.array([[0.3, 0.1 + 0.2, 1.0], [5.0, 4.0, 4.0]])
    assert np.unique(merge_rounding_ties(table, 1e-12)[0]).tolist() == [0.3, 1.0]
    assert merge_rounding_ties(table, 1e-12)[1].tolist() == [5.0, 4.0, 4.0]


def test_settling_never_tears_neighbours_apart():
    # Rounding to twelve decimals would put these two into different bins.
    edge = 0.5e-12
    assert len(np.unique(merge_rounding_ties([edge - 1e-20, edge + 1e-20], 1e-13))) == 1


@pytest.mark.parametrize(("values", "term"), [([], 0), ([1, 2], 0), ([7, 7], 6), ([1] * 4, 60)])
def test_tie_term(values, term):
    assert tie_term(values) == term
