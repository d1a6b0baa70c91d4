"""All coefficients at once give what each gives alone, and what R gives."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.stats import clustered as _clustered
from pyramidion.stats import clustered_difference
from pyramidion.stats.clustered import (
    coefficients_at_levels,
    correlations,
    level_correlations,
    shared_cells,
)
from pyramidion.stats.correlation import weighted_correlations
from pyramidion.stats.correlation_tests import draw_counts
from pyramidion.stats.pairs import LeftOneOut
from support import GOLD

# R 4.2.2 base, after Deutsch, Dror and Roth 2021.
CASE = json.loads((GOLD / "stats" / "clustered_correlations.json").read_text(encoding="utf-8"))[
    "cases"
]["small"]
LEVELS = ("system", "input", "global")
COEFFICIENTS = ("pearson", "spearman", "kendall", "tau_ap")


@st.composite
def weighted_tables(draw):
    inputs, systems, times = draw(st.integers(1, 6)), draw(st.integers(2, 7)), 5
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    distinct = draw(st.sampled_from((1, 2, 5, 10**6)))
    tables = rng.integers(distinct, size=(2, inputs, systems)) / 3
    tables[rng.random(tables.shape) < draw(st.sampled_from((0.0, 0.3)))] = np.nan
    weights = [
        draw_counts(rng.integers(n, size=(times, n)), n) if draw(st.booleans()) else np.ones((n, 1))
        for n in (systems, inputs)
    ]
    return shared_cells(metric=tables[0], human=tables[1]), *weights


@given(weighted_tables())
def test_each_coefficient_is_what_it_is_alone(drawn):
    cells, systems, inputs = drawn
    found = coefficients_at_levels(cells, systems=systems, inputs=inputs)
    assert tuple(found) == LEVELS
    for level in LEVELS:
        assert set(found[level]) == set(COEFFICIENTS)
        for coefficient in COEFFICIENTS:
            alone = level_correlations(
                cells, level=level, coefficient=coefficient, systems=systems, inputs=inputs
            )
            np.testing.assert_allclose(found[level][coefficient], alone, atol=1e-12)


@pytest.mark.parametrize(("number", "size"), [(30, 100), (129, 333), (210, 100), (257, 5000)])
def test_blocks_of_inputs_give_the_same_bits(number, size, monkeypatch):
    rng = np.random.default_rng(2)
    tables = rng.normal(size=(4, number, 5)).round(2)
    tables[rng.random(tables.shape) < 0.05] = np.nan
    cells = shared_cells(metric=tables[0], human=tables[1], length=tables[2])
    systems, inputs = (draw_counts(rng.integers(n, size=(7, n)), n) for n in (5, number))
    once = np.ones((5, 1))

    def found():
        drawn = coefficients_at_levels(cells, systems=systems, inputs=inputs)
        left = level_correlations(
            cells, level="input", coefficient="kendall", systems=once, inputs=LeftOneOut(number)
        )
        swapped = clustered_difference(
            tables[0], tables[3], tables[1], control=tables[2], level="input", n_resamples=9
        )
        return [*drawn["input"].values(), left, swapped.samples]

    at_once = found()
    monkeypatch.setattr(_clustered, "LARGE_BLOCK_VALUES", size)
    for whole, parts in zip(at_once, found(), strict=True):
        assert whole.tobytes() == parts.tobytes()  # NaN included: a draw of one system has no r


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("inputs", [30, 700])
def test_inputs_are_left_out_in_turn(level, inputs):
    tables = np.random.default_rng(3).normal(size=(2, inputs, 4))
    cells = shared_cells(metric=tables[0], human=tables[1])
    by_hand, blocks = (
        level_correlations(
            cells, level=level, coefficient="pearson", systems=np.ones((4, 1)), inputs=weights
        )
        for weights in (1 - np.eye(inputs), LeftOneOut(inputs))
    )
    assert len(by_hand) == inputs
    assert blocks.tolist() == by_hand.tolist()


def test_many_points_and_many_weightings():
    rng = np.random.default_rng(1)
    x, z = rng.integers(40, size=(2, 300)).astype(float)
    weights = draw_counts(rng.integers(300, size=(5000, 300)), 300)
    found = correlations(x, z, weights, COEFFICIENTS)
    for row, coefficient in zip(found, COEFFICIENTS, strict=True):
        some = slice(4990, None)
        alone = weighted_correlations(x, z, weights[:, some], coefficient)
        np.testing.assert_allclose(row[some], alone, atol=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_gold(level, coefficient):
    data, gold = CASE["inputs"], CASE["outputs"]["point"]
    cells = shared_cells(metric=data["metric1"], human=data["manual"])
    systems, inputs = np.ones((cells.systems, 1)), np.ones((cells.inputs, 1))
    found = coefficients_at_levels(cells, systems=systems, inputs=inputs)
    want = gold["kendall_b" if coefficient == "kendall" else coefficient][level]
    assert found[level][coefficient][0] == pytest.approx(want, rel=1e-9)
