"""Small examples of `pyramidion.stats.clustered`."""

import numpy as np
import pytest

from pyramidion.stats import clustered
from pyramidion.stats.clustered import (
    cell_products,
    clustered_correlation,
    clustered_difference,
    coefficients_at_levels,
    correlation_of_cells,
    correlations,
    input_correlations,
    input_weight_sums,
    level_correlations,
    mean_over_inputs,
    shared_cells,
    swapped_correlations,
    swapped_kendall,
    system_means,
)


def test_cells():
    cells = shared_cells(metric=[[1, 2], [3, 4]], human=[[5, float("nan")], [6, 7]])
    assert (cells.pairs("global"), cells.pairs("system")) == (3, 2)


def test_shared_cells():
    cells = shared_cells(metric=[[1, 2], [3, 4]], human=[[5, float("nan")], [6, 7]])
    assert (cells.present.tolist(), cells.left_out) == ([[True, False], [True, True]], 1)


def test_level_correlations():
    cells = shared_cells(metric=[[1, 2, 3], [3, 2, 1]], human=[[1, 2, 3], [1, 2, 3]])
    systems, inputs = np.ones((3, 1)), np.array([[1.0, 2.0], [1.0, 0.0]])
    assert level_correlations(
        cells, level="input", coefficient="kendall", systems=systems, inputs=inputs
    ).tolist() == [0.0, 1.0]


def test_system_means():
    present = np.array([[True, True], [True, False]])
    assert system_means(np.array([[1.0, 2.0], [3.0, 0.0]]), present, np.ones((2, 1))).tolist() == [
        [2.0],
        [2.0],
    ]


def test_seen():
    assert input_weight_sums(
        np.array([[True, True], [True, False]]), np.array([[1.0], [2.0]])
    ).tolist() == [
        [3.0],
        [1.0],
    ]


def test_input_correlations():
    cells = shared_cells(metric=[[1, 2, 3], [3, 2, 1]], human=[[1, 2, 3], [1, 1, 1]])
    assert (
        repr(input_correlations(cells, ("kendall", "spearman"), np.ones((3, 1))).ravel().tolist())
        == "[1.0, nan, 1.0, nan]"
    )


def test_mean_over_inputs():
    assert (
        repr(
            mean_over_inputs(
                np.array([[0.5], [np.nan]]), np.array([[2.0, 0.0], [1.0, 3.0]])
            ).tolist()
        )
        == "[0.5, nan]"
    )


def test_cell_products():
    cells = shared_cells(metric=[[1, 2], [3, 4]], human=[[1, 2], [3, np.nan]])
    products = cell_products(cells, np.array([[1.0], [2.0]]), np.array([[5.0], [7.0]]))
    assert next(products).ravel().tolist() == [5.0, 10.0, 7.0]


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_cell_products_are_the_same_in_any_number_of_blocks(monkeypatch, chunk):
    """A single weighting of systems or of inputs goes with all of the other."""
    monkeypatch.setattr(clustered, "_CHUNK_WEIGHTS", chunk)
    cells = shared_cells(metric=[[1, 2], [3, 4]], human=[[1, 2], [3, np.nan]])
    draw = np.random.default_rng(7)
    for systems, inputs in ((5, 5), (1, 5), (5, 1), (2, 2), (1, 2)):
        by_system, by_input = draw.random((2, systems)), draw.random((2, inputs))
        products = np.concatenate([*cell_products(cells, by_system, by_input)], axis=1)
        expected = by_input[[0, 0, 1]] * by_system[[0, 1, 0]]
        assert products.tolist() == expected.tolist()


def test_clustered_correlation():
    assert (
        clustered_correlation([[1, 1]], [[1, 2]], level="global").undefined
        == "all metric scores or all human scores are equal"
    )


def test_correlation_of_cells():
    cells = shared_cells(metric=[[1, 2, 3]], human=[[1, 3, 2]])
    assert correlation_of_cells(cells, "system", "spearman").value == 0.5


def test_coefficients_at_levels():
    cells = shared_cells(metric=[[1, 2, 3], [3, 2, 1]], human=[[1, 2, 3], [1, 2, 3]])
    found = coefficients_at_levels(cells, systems=np.ones((3, 1)), inputs=np.ones((2, 1)))
    assert (
        repr((found["input"]["kendall"].tolist(), found["system"]["pearson"].tolist()))
        == "([0.0], [nan])"
    )


def test_correlations():
    x, z = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    found = correlations(x, z, np.ones((3, 1)), ("pearson", "spearman", "kendall", "tau_ap"))
    assert found[:, 0].round(3).tolist() == [0.5, 0.5, 0.333, 0.0]


def test_swapped_correlations():
    x, y = np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])
    swaps = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0]])
    a, b = swapped_correlations(x, y, x, swaps, "pearson")
    assert (a.tolist(), b.tolist()) == ([1.0, -1.0], [-1.0, 1.0])


def test_swapped_kendall():
    x, y = np.array([[1.0, 2.0, 3.0]]), np.array([[3.0, 2.0, 1.0]])
    swaps = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0]])
    a, b = swapped_kendall(x, y, x, x > 0, swaps)
    assert (a.tolist(), b.tolist()) == ([[1.0, -1.0]], [[-1.0, 1.0]])


def test_clustered_difference():
    table = [[1, 2, 3], [3, 1, 2]]
    assert clustered_difference(table, table, table, level="input", n_resamples=9).p == 1.0
