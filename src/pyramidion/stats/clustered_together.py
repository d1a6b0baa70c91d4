"""All coefficients at all levels of one metric at once, under many weightings.

A correlation table asks for four coefficients at three levels of the same cells. Ranks, groups of
ties and counts of pairs are the same for several of them, so that all together take little more
time than the slowest of them alone.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.stats.clustered_weights import (
    Cells,
    CorrelationLevel,
    cell_products,
    mean_over_inputs,
    seen,
    system_means,
)
from pyramidion.stats.dense_ranks import Ranks, dense_ranks
from pyramidion.stats.differences import noise_level
from pyramidion.stats.dominance import dominance
from pyramidion.stats.pairs import Weights, above_both, counting_type
from pyramidion.stats.tied_groups import TiedGroups
from pyramidion.stats.weighted import Coefficient, root_ratio, weighted_correlations

__all__ = ["all_coefficients", "coefficients_at_levels", "coefficients_by_input"]

#: A row of correlations for each coefficient.
ByCoefficient = dict[Coefficient, Floats]

_COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall", "tau_ap")

# How many weights are looked at together, and how many weightings at least.
_CHUNK, _FEWEST = 1 << 20, 16
# Points from which on sorting them beats comparing all pairs.
_MANY = 128


def coefficients_at_levels(
    cells: Cells, *, systems: Weights, inputs: Weights
) -> dict[CorrelationLevel, ByCoefficient]:
    """Correlate two tables at all levels with all coefficients under each weighting.

    It gives what :func:`~pyramidion.stats.clustered_weights.level_correlations` gives for each
    level and coefficient.

    Parameters
    ----------
    cells
        Two tables: a metric and the human scores.
    systems, inputs
        How often each counts: shape (systems, weightings) and (inputs, weightings), or with a
        single column where it is the same in all.

    Examples
    --------
    >>> from pyramidion.stats.clustered_weights import shared_cells
    >>> cells = shared_cells(metric=[[1, 2, 3], [3, 2, 1]], human=[[1, 2, 3], [1, 2, 3]])
    >>> found = coefficients_at_levels(cells, systems=np.ones((3, 1)), inputs=np.ones((2, 1)))
    >>> found["input"]["kendall"].tolist(), found["system"]["pearson"].tolist()
    ([0.0], [nan])
    """
    by_input = coefficients_by_input(cells, systems)
    return {
        "system": _system_level(cells, systems, inputs),
        "input": {name: mean_over_inputs(rows, inputs) for name, rows in by_input.items()},
        "global": _global_level(cells, systems, inputs),
    }


def coefficients_by_input(cells: Cells, systems: Weights) -> ByCoefficient:
    """Correlate within each input (rows) under each weighting of the systems (columns).

    Examples
    --------
    >>> from pyramidion.stats.clustered_weights import shared_cells
    >>> cells = shared_cells(metric=[[1, 2, 3], [3, 2, 1]], human=[[1, 2, 3], [1, 1, 1]])
    >>> coefficients_by_input(cells, np.ones((3, 1)))["spearman"].ravel().tolist()
    [1.0, nan]
    """
    shape = (cells.inputs, systems.shape[1])
    found = {name: np.full(shape, np.nan) for name in _COEFFICIENTS}
    metric, human = cells.tables
    for row, there in enumerate(cells.present):
        if there.sum() > 1:
            own = all_coefficients(metric[row, there], human[row, there], systems[there])
            for name, values in own.items():
                found[name][row] = values
    return found


def _system_level(cells: Cells, systems: Weights, inputs: Weights) -> ByCoefficient:
    means = [system_means(table, cells.present, inputs) for table in cells.tables]
    weights = systems * (seen(cells.present, inputs) > 0)
    if inputs.shape[1] == 1:
        means = [mean[:, 0] for mean in means]
    noise = noise_level(cells.tables[0]), noise_level(cells.tables[1])
    return all_coefficients(means[0], means[1], weights, noise=noise)


def _global_level(cells: Cells, systems: Weights, inputs: Weights) -> ByCoefficient:
    x, z = (table[cells.present] for table in cells.tables)
    products = cell_products(cells, systems, inputs)
    return _joined(all_coefficients(x, z, weights) for weights in products)


def all_coefficients(
    x: Floats, z: Floats, weights: Weights, *, noise: tuple[float, float] | None = None
) -> ByCoefficient:
    """Correlate x with z under each weighting, with all coefficients.

    Parameters
    ----------
    x, z, weights, noise
        As in :func:`~pyramidion.stats.weighted.weighted_correlations`.

    Examples
    --------
    >>> x, z = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    >>> found = all_coefficients(x, z, np.ones((3, 1)))
    >>> {name: round(float(values[0]), 3) for name, values in found.items()}
    {'pearson': 0.5, 'spearman': 0.5, 'kendall': 0.333, 'tau_ap': 0.0}
    """
    levels = (noise_level(x), noise_level(z)) if noise is None else noise
    pearson = weighted_correlations(x, z, weights, "pearson", noise=levels)
    largest = float(weights.sum(axis=0, dtype=np.float64).max(initial=0.0))
    weights = weights.astype(counting_type(largest**2), copy=False)
    if not len(x):
        return dict.fromkeys(_COEFFICIENTS, pearson)
    ranks = dense_ranks(x, noise=levels[0]), dense_ranks(z, noise=levels[1])
    of_ranks = _joined(_of_ranks(*part) for part in _chunks(*ranks, weights))
    return {"pearson": pearson, **of_ranks}


def _joined(parts: Iterator[ByCoefficient]) -> ByCoefficient:
    every = list(parts)
    return {name: np.concatenate([part[name] for part in every]) for name in every[0]}


def _chunks(x: Ranks, z: Ranks, weights: Weights) -> Iterator[tuple[Ranks, Ranks, Weights]]:
    columns = max(a.shape[1] for a in (x, z, weights) if a.ndim == 2)
    step = max(_FEWEST, _CHUNK // len(x))
    for start in range(0, columns, step):
        some = slice(start, start + step)
        yield _columns(x, some), _columns(z, some), _columns(weights, some)


def _columns(array: npt.NDArray[Any], some: slice) -> npt.NDArray[Any]:
    return array if array.ndim == 1 or array.shape[1] == 1 else array[:, some]


def _of_ranks(x: Ranks, z: Ranks, weights: Weights) -> ByCoefficient:
    first, second = TiedGroups.of(x, weights), TiedGroups.of(z, weights)
    many = x.ndim == z.ndim == 1 and len(x) > _MANY
    above = weights * (dominance if many else above_both)(x, z, weights)
    both = TiedGroups.of(dense_ranks(x * np.float64(len(x)) + z), weights)
    up_to = first.up_to(), second.up_to()
    return {
        "spearman": _spearman(first, second, up_to, weights),
        "kendall": _kendall(first, second, both, above),
        "tau_ap": _tau_ap(first, second, up_to, above),
    }


def _kendall(first: TiedGroups, second: TiedGroups, both: TiedGroups, above: Weights) -> Floats:
    """Count concordant minus discordant pairs: twice the concordant, less all untied pairs."""
    tied_first, tied_second, all_pairs = first.tied(), second.tied(), first.total**2
    untied = all_pairs - tied_first - tied_second + both.tied()
    difference = 2 * above.sum(axis=0, dtype=np.float64) - untied / 2
    return root_ratio(difference, (all_pairs - tied_first) / 2, (all_pairs - tied_second) / 2)


def _spearman(
    first: TiedGroups, second: TiedGroups, up_to: tuple[Floats, Floats], weights: Weights
) -> Floats:
    # Twice the centred mean rank of each group: the weight below minus that above.
    places = [2 * up - g.own - up[-1] for g, up in zip((first, second), up_to, strict=True)]
    products = first.spread(places[0]) * second.spread(places[1])
    squares = (
        np.einsum("gb,gb,gb->b", groups.own, place, place)
        for groups, place in zip((first, second), places, strict=True)
    )
    return root_ratio((weights * products).sum(axis=0), *squares)


def _tau_ap(
    first: TiedGroups, second: TiedGroups, up_to: tuple[Floats, Floats], above: Weights
) -> Floats:
    a, b = (_share_above(g, up, above) for g, up in zip((first, second), up_to, strict=True))
    value: Floats = a + b - 1
    return value


def _share_above(groups: TiedGroups, up_to: Floats, above: Weights) -> Floats:
    """Average over the points below the top group the share of those above that agree."""
    higher = groups.total - up_to
    pivots = np.where(higher > 0, groups.own, 0.0).sum(axis=0)
    shares = above / groups.spread(np.maximum(higher, 1))
    share: Floats = shares.sum(axis=0) / np.where(pivots > 0, pivots, np.nan)
    return share
