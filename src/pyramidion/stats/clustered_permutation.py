"""Permutation tests of two metrics' correlations: swaps by input, by system, or by both."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.clustered_swaps import swapped_correlations, swapped_kendall
from pyramidion.stats.clustered_weights import (
    Cells,
    CorrelationLevel,
    Over,
    cell_products,
    mean_over_inputs,
    seen,
    shared_cells,
    system_means,
)
from pyramidion.stats.differences import noise_level
from pyramidion.stats.inputs import (
    Alternative,
    Rng,
    choice,
    count_of_resamples,
    generator,
    resampled_p,
)
from pyramidion.stats.pairs import Weights, multiply
from pyramidion.stats.weighted import Coefficient, weighted_correlations

__all__ = ["ClusteredDifference", "clustered_difference"]

# Differences of correlations closer than this are equal: they are sums of rounded numbers.
_NOISE = 1e-12


@dataclass(frozen=True, slots=True)
class ClusteredDifference:
    """A permutation test of the difference between two metrics' correlations.

    Attributes
    ----------
    first, second
        The correlations of the two metrics with the human scores.
    difference
        The first minus the second; NaN where one is undefined.
    p
        (b + 1)/(B + 1), b of B defined swaps giving a difference at least as extreme; NaN where
        the difference is undefined.
    samples
        The differences after swapping, NaN where one is undefined.
    undefined
        The number of swaps whose difference is undefined; they are left out.
    left_out
        The number of cells that some of the three tables have and others do not.
    over
        What was swapped.

    Examples
    --------
    >>> table = [[1, 2, 3], [3, 1, 2]]
    >>> clustered_difference(table, table, table, level="input", n_resamples=9).p
    1.0
    """

    first: float
    second: float
    difference: float
    p: float
    samples: Floats
    undefined: int
    left_out: int
    over: Over


def clustered_difference(  # noqa: PLR0913 - options are keywords
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient = "kendall",
    over: Over = "both",
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    system_swaps: npt.ArrayLike | None = None,
    input_swaps: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> ClusteredDifference:
    """Test whether two metrics correlate equally well with human scores.

    1. Either metric is standardised over its whole table, so that their values can be swapped.
    2. The two values of a cell are swapped for random systems, for random inputs, or (``both``)
       where one but not both of the cell's system and input were chosen.
    3. The difference of the correlations after swapping is compared with that of the data.

    Parameters
    ----------
    first, second, human
        Tables of inputs (rows) x systems (columns), NaN for missing values. Only cells with all
        three values count.
    level, coefficient
        As in :func:`~pyramidion.stats.clustered.clustered_correlation`.
    over
        What is swapped: ``systems``, ``inputs`` or ``both``.
    alternative
        ``two-sided``, ``greater`` (the first correlates better) or ``less``.
    n_resamples
        How many times to swap.
    system_swaps, input_swaps
        The swaps themselves, one row of 0 and 1 for each resample.
    rng
        A generator or a seed; seed 0 unless given.

    References
    ----------
    D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics
    using resampling methods. TACL 9, 2021: PERM-SYSTEMS, PERM-INPUTS and PERM-BOTH.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(20, 10)) + np.arange(10)
    >>> good, bad = human + rng.normal(size=(20, 10)), rng.normal(size=(20, 10))
    >>> clustered_difference(good, bad, human, level="input", n_resamples=999).p
    0.001
    """
    choice(level, "level", CorrelationLevel)
    choice(coefficient, "coefficient", Coefficient)
    choice(over, "over", Over)
    choice(alternative, "alternative", Alternative)
    cells = _standardised(shared_cells(first=first, second=second, human=human))
    systems, inputs = _swaps(cells, over, n_resamples, system_swaps, input_swaps, rng)
    firsts, seconds = _LEVELS[level](cells, coefficient, systems, inputs)
    observed, samples = float(firsts[0] - seconds[0]), firsts[1:] - seconds[1:]
    return ClusteredDifference(
        float(firsts[0]),
        float(seconds[0]),
        observed,
        _p_value(samples, observed, alternative),
        samples,
        int(np.isnan(samples).sum()),
        cells.left_out,
        over,
    )


def _standardised(cells: Cells) -> Cells:
    tables = [_standard(table, cells.present) for table in cells.tables[:2]]
    return Cells((*tables, cells.tables[2]), cells.present, cells.left_out)


def _standard(table: Floats, present: Bools) -> Floats:
    values = table[present]
    # Of a constant metric nothing is left, and no correlation of it is defined.
    if not len(values) or np.ptp(values) <= noise_level(values):
        return np.zeros_like(table)
    return np.where(present, (table - values.mean()) / values.std(), 0.0)


def _p_value(samples: Floats, observed: float, alternative: Alternative) -> float:
    defined = samples[~np.isnan(samples)]
    if math.isnan(observed):
        return math.nan
    if alternative == "two-sided":
        extreme = np.abs(defined) >= abs(observed) - _NOISE
    elif alternative == "greater":
        extreme = defined >= observed - _NOISE
    else:
        extreme = defined <= observed + _NOISE
    return float(resampled_p(np.count_nonzero(extreme), len(defined)))


def _swaps(
    cells: Cells,
    over: Over,
    n_resamples: int,
    system_swaps: npt.ArrayLike | None,
    input_swaps: npt.ArrayLike | None,
    rng: Rng | None,
) -> tuple[Weights, Weights]:
    """Give 1 (kept) or -1 (swapped) for each system and each input, a column a resample.

    The first column swaps nothing: it stands for the data.
    """
    random = generator(rng)
    found: list[Weights] = []
    for name, given, size, fixed in (
        ("system_swaps", system_swaps, cells.systems, over == "inputs"),
        ("input_swaps", input_swaps, cells.inputs, over == "systems"),
    ):
        if fixed and given is not None:
            raise InputError(f"`{name}` with swaps over {over}", hint="set `over` to both")
        chosen = np.zeros((1, size))
        if not fixed:
            drawn = _chosen(given, size, n_resamples, random, name)
            chosen = np.concatenate([chosen, drawn])
        found.append(np.ascontiguousarray(1 - 2 * chosen.T, dtype=np.float32))
    systems, inputs = found
    if over == "both" and systems.shape[1] != inputs.shape[1]:
        raise ShapeError(
            f"{systems.shape[1]} swaps of systems and {inputs.shape[1]} of inputs",
            hint="give as many of each",
        )
    return systems, inputs


def _chosen(
    given: npt.ArrayLike | None, size: int, n_resamples: int, random: np.random.Generator, name: str
) -> Floats:
    if given is None:
        count_of_resamples(n_resamples)
        return random.integers(2, size=(n_resamples, size)).astype(np.float64)
    swaps = np.asarray(given)
    if swaps.ndim != 2 or swaps.shape[1] != size or not len(swaps):
        raise ShapeError(f"`{name}` has the shape {swaps.shape}", hint=f"give rows of {size}")
    if not np.isin(swaps, (0, 1)).all():
        raise InputError(f"`{name}` holds something else than 0 and 1")
    return swaps.astype(np.float64)


def _system_level(
    cells: Cells, coefficient: Coefficient, systems: Weights, inputs: Weights
) -> tuple[Floats, Floats]:
    first, second, human = cells.tables
    once = np.ones((cells.inputs, 1))
    middle = system_means((first + second) / 2, cells.present, once)
    # Half the difference of the two means after swapping: what the swaps move.
    counts = seen(cells.present, once)
    halves = multiply((first - second).T / 2, inputs.astype(np.float64))
    moved = systems * halves / np.maximum(counts, 1)
    there = (counts > 0).astype(np.float64)
    truth = system_means(human, cells.present, once)[:, 0]
    noise = noise_level(first, second), noise_level(human)
    a, b = (
        weighted_correlations(means, truth, there, coefficient, noise=noise)
        for means in (middle + moved, middle - moved)
    )
    return a, b


def _input_level(
    cells: Cells, coefficient: Coefficient, systems: Weights, inputs: Weights
) -> tuple[Floats, Floats]:
    kept, swapped = _within_inputs(cells, coefficient, systems)
    once = np.ones((cells.inputs, 1))
    a = mean_over_inputs(np.where(inputs > 0, kept, swapped), once)
    b = mean_over_inputs(np.where(inputs > 0, swapped, kept), once)
    return a, b


def _within_inputs(
    cells: Cells, coefficient: Coefficient, systems: Weights
) -> tuple[Floats, Floats]:
    first, second, human = cells.tables
    if coefficient == "kendall":
        return swapped_kendall(first, second, human, cells.present, systems)
    found = np.full((2, cells.inputs, systems.shape[1]), np.nan)
    for i, there in enumerate(cells.present):
        if there.sum() > 1:
            found[:, i] = swapped_correlations(
                first[i, there], second[i, there], human[i, there], systems[there], coefficient
            )
    return found[0], found[1]


def _global_level(
    cells: Cells, coefficient: Coefficient, systems: Weights, inputs: Weights
) -> tuple[Floats, Floats]:
    first, second, human = (table[cells.present] for table in cells.tables)
    parts = [
        swapped_correlations(first, second, human, swaps, coefficient)
        for swaps in cell_products(cells, systems, inputs)
    ]
    a, b = (np.concatenate(part) for part in zip(*parts, strict=True))
    return a, b


_LEVELS = {"system": _system_level, "input": _input_level, "global": _global_level}
