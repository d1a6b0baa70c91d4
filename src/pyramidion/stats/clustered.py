"""Correlations over inputs and systems at three levels, with intervals and permutation tests."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Signs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._resampling import checked_swaps
from pyramidion.stats.bootstrap import (
    BcaInterval,
    BootstrapMethod,
    Quantiles,
    checked_indices,
    interval_of_samples,
)
from pyramidion.stats.correlation import (
    Coefficient,
    Coefficients,
    correlations,
    root_ratio,
    weighted_correlations,
)
from pyramidion.stats.correlation_tests import IntervalMethod, draw_counts, fisher_interval
from pyramidion.stats.inputs import (
    Alternative,
    ExplicitResamples,
    Interval,
    Rng,
    check_choice,
    count_of_resamples,
    generator,
    matrix,
    resampled_p,
)
from pyramidion.stats.pairs import (
    LARGE_BLOCK_VALUES,
    LeftOneOut,
    Ranks,
    Weightings,
    Weights,
    blocks,
    counting_type,
    dense_ranks,
    multiply,
    noise_level,
    signs,
    sum_over_pairs,
)

T = TypeVar("T")

CorrelationLevel = Literal["system", "input", "global"]
#: A row of correlations for each coefficient.
ByCoefficient = dict[Coefficient, Floats]
ResampledFactor = Literal["inputs", "systems", "both"]

_COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)
# Weights of cells processed together at the global level.
_CHUNK_WEIGHTS = 1 << 22
# Up to this many weights of systems, correlating all inputs at once is faster than in turn.
_MAX_JOINT_WEIGHTS = 1 << 10
# Up to this many tied pairs are added one by one.
_MAX_FEW_TIES = 1 << 11
# A share of unexplained variance that is only rounding error.
_TIE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Cells:
    """Tables of the same inputs (rows) and systems (columns), and the cells present in all."""

    tables: tuple[Floats, ...]
    present: Bools
    left_out: int

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return len(self.present)

    @property
    def systems(self) -> int:
        """The number of systems."""
        return len(self.present[0])

    def pairs(self, level: CorrelationLevel) -> int:
        """Count the pairs of values of one correlation; at input level, of the largest one."""
        if level == "system":
            return int(self.present.any(axis=0).sum())
        return int(self.present.sum() if level == "global" else self.present.sum(axis=1).max())

    def blocks(self, rows: int, columns: int) -> Iterator[tuple[slice, "Cells"]]:
        """Split into blocks of inputs, with rows x columns of results per input."""
        # NumPy sums a single column in a different order than several.
        max_values = LARGE_BLOCK_VALUES if columns > 1 else self.inputs * rows
        for block in blocks(self.inputs, rows * columns, max_values):
            tables = tuple(table[block] for table in self.tables)
            yield block, replace(self, tables=tables, present=self.present[block])


def shared_cells(**tables: npt.ArrayLike) -> Cells:
    """Check that tables have the same shape, and find the cells present in all."""
    arrays = {name: matrix(table, name) for name, table in tables.items()}
    if len({array.shape for array in arrays.values()}) > 1:
        shapes = ", ".join(f"`{n}` is {a.shape[0]} x {a.shape[1]}" for n, a in arrays.items())
        raise ShapeError(f"the tables differ: {shapes}", hint="pass the same inputs and systems")
    values = np.stack(list(arrays.values()))
    if min(values.shape[1:]) < 1 or values.shape[2] < 2:
        hint = "at least 1 input and 2 systems are needed"
        raise InputError(f"{values.shape[1]} inputs x {values.shape[2]} systems", hint=hint)
    is_observed = ~np.isnan(values)
    is_present = np.logical_and.reduce(is_observed, axis=0)
    left_out = int((is_observed.any(axis=0) & ~is_present).sum())
    return Cells(tuple(np.where(is_present, values, 0.0)), is_present, left_out)


def level_correlations(
    cells: Cells,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient,
    systems: Weights,
    inputs: Weightings,
) -> Floats:
    """Correlate two tables at a level under each weighting, controlling for any third one."""
    (values,) = _correlations_at(level, cells, (coefficient,), systems, inputs)
    return np.asarray(values)


def coefficients_at_levels(
    cells: Cells, *, systems: Weights, inputs: Weightings
) -> dict[CorrelationLevel, ByCoefficient]:
    """Return `level_correlations` for all levels and coefficients."""
    by_level = {
        level: _correlations_at(level, cells, _COEFFICIENTS, systems, inputs)
        for level in get_args(CorrelationLevel)
    }
    return {level: dict(zip(_COEFFICIENTS, rows, strict=True)) for level, rows in by_level.items()}


def _correlations_at(
    level: CorrelationLevel,
    cells: Cells,
    coefficients: Coefficients,
    systems: Weights,
    inputs: Weightings,
) -> Floats:
    """Correlate at a level under each weighting: one row per coefficient."""
    if level == "input":
        n_columns = max(systems.shape[1], inputs.shape[1])
        return mean_over_blocks(
            (input_correlations(block_cells, coefficients, systems), inputs[block, :])
            for block, block_cells in cells.blocks(len(coefficients), n_columns)
        )
    correlation_at_level = _correlate_system_means if level == "system" else _correlate_all_cells
    return correlate_controlled(
        cells, lambda pair: correlation_at_level(pair, coefficients, systems, inputs)
    )


def correlate_controlled(cells: Cells, correlation_function: Callable[[Cells], Floats]) -> Floats:
    """Correlate the first two tables, controlling for any third one."""
    if len(cells.tables) == 2:
        return correlation_function(cells)
    uncontrolled_values, *values_with_third = (
        correlation_function(replace(cells, tables=(cells.tables[i], cells.tables[j])))
        for i, j in ((0, 1), (0, 2), (1, 2))
    )
    return partial_correlation(uncontrolled_values, *values_with_third)


def partial_correlation(xy: Floats, xz: Floats, yz: Floats) -> Floats:
    r"""Return the partial correlation of x and y given z: Pearson's, Spearman's or Kendall's.

    .. math:: (r_{xy} - r_{xz} r_{yz}) / \sqrt{(1 - r_{xz}^2)(1 - r_{yz}^2)}

    A constant z (with NaN correlations) has no effect. If z determines x or y, the result is NaN.
    """
    xz, yz = np.nan_to_num(xz), np.nan_to_num(yz)
    unexplained_shares = ((1 - r * r) * (1 - r * r > _TIE_TOLERANCE) for r in (xz, yz))
    return root_ratio(xy - xz * yz, *unexplained_shares)


def system_means(table: Floats, is_present: Bools, inputs: Weightings) -> Floats:
    """Return the weighted mean of each system over its inputs; 0 if it has none."""
    return multiply(table.T, inputs) / np.maximum(input_weight_sums(is_present, inputs), 1)


def input_weight_sums(is_present: Bools, inputs: Weightings) -> Floats:
    """Sum for each system the weights of its inputs."""
    # If nothing is missing, all systems have the same inputs.
    distinct_masks = is_present[:, :1] if is_present.all() else is_present
    counts = multiply(distinct_masks.T.astype(np.float64), inputs).astype(np.float64, copy=False)
    return np.broadcast_to(counts, (is_present.shape[1], inputs.shape[1]))


def _correlate_system_means(
    cells: Cells, coefficients: Coefficients, systems: Weights, inputs: Weightings
) -> Floats:
    counts = input_weight_sums(cells.present, inputs)
    x, z = (multiply(table.T, inputs) / np.maximum(counts, 1) for table in cells.tables)
    if inputs.shape[1] == 1:
        x, z = x[:, 0], z[:, 0]
    noise = noise_level(cells.tables[0]), noise_level(cells.tables[1])
    weights = systems * (counts > 0)
    return correlations(x, z, weights, coefficients, noise)


def input_correlations(cells: Cells, coefficients: Coefficients, systems: Weights) -> Floats:
    """Correlate within each input, for each coefficient and weighting of the systems."""
    return correlate_controlled(
        cells, lambda pair: _correlate_within_inputs(pair, coefficients, systems)
    )


def _correlate_within_inputs(cells: Cells, coefficients: Coefficients, systems: Weights) -> Floats:
    values = np.full((len(coefficients), cells.inputs, systems.shape[1]), np.nan)
    masks, mask_numbers = np.unique(cells.present, axis=0, return_inverse=True)
    for mask_number, is_present in enumerate(masks):
        rows = np.flatnonzero(mask_numbers.ravel() == mask_number)
        weights = systems[is_present]
        if len(weights) > 1:
            is_small = weights.size <= _MAX_JOINT_WEIGHTS and len(rows) * weights.shape[1] > 1
            x, z = (table[rows][:, is_present].T for table in cells.tables)
            correlate = _correlate_together if is_small else _correlate_in_turn
            values[:, rows] = correlate(x, z, weights, coefficients)
    return values


def _correlate_in_turn(
    x: Floats, z: Floats, weights: Weights, coefficients: Coefficients
) -> Floats:
    """Correlate inputs (columns) one by one: products with many weightings are fast."""
    by_input = zip(x.T, z.T, strict=True)
    return np.stack([correlations(a, b, weights, coefficients) for a, b in by_input], axis=1)


def _correlate_together(
    x: Floats, z: Floats, weights: Weights, coefficients: Coefficients
) -> Floats:
    """Correlate inputs (columns) at once: with few weightings, single ones take up to 60 times."""
    n_inputs, n_weightings = x.shape[1], weights.shape[1]
    by_column = correlations(
        np.repeat(x, n_weightings, axis=1),
        np.repeat(z, n_weightings, axis=1),
        np.tile(weights, n_inputs),
        coefficients,
    )
    return by_column.reshape(-1, n_inputs, n_weightings)


def mean_over_inputs(values: Floats, inputs: Weights) -> Floats:
    """Return the weighted mean of the defined correlations of inputs; NaN if there are none."""
    return mean_over_blocks([(values, inputs)])


def mean_over_blocks(value_blocks: Iterable[tuple[Floats, Weights]]) -> Floats:
    """Average the correlations of inputs that come in blocks, bit for bit as in a single pass."""
    sums: list[Floats] = []
    for values, inputs in value_blocks:
        is_defined = ~np.isnan(values)
        defined_weights = np.where(is_defined, inputs, 0.0)
        block_sums = defined_weights * np.where(is_defined, values, 0.0)
        # The previous sums come first, so that numbers are added in the same order.
        for block, previous_sums in zip((defined_weights, block_sums), sums, strict=False):
            block[..., 0, :] += previous_sums
        sums = [block.sum(axis=-2) for block in (defined_weights, block_sums)]
    total_weight, weighted_sum = sums
    return np.asarray(weighted_sum / np.where(total_weight > 0, total_weight, np.nan))


def _correlate_all_cells(
    cells: Cells, coefficients: Coefficients, systems: Weights, inputs: Weightings
) -> Floats:
    x, z = (table[cells.present] for table in cells.tables)
    products = cell_products(cells, systems, inputs)
    return np.concatenate(
        [correlations(x, z, weights, coefficients) for weights in products], axis=1
    )


def cell_products(cells: Cells, systems: Weights, inputs: Weightings) -> Iterator[Weights]:
    """Multiply the weights of systems and inputs for every cell, some weightings at a time."""
    rows, columns = np.nonzero(cells.present)
    step = max(1, _CHUNK_WEIGHTS // max(1, len(rows)))
    for start in range(0, max(systems.shape[1], inputs.shape[1]), step):
        block = slice(start, start + step)
        input_weights = inputs[:, :] if inputs.shape[1] == 1 else inputs[:, block]
        system_weights = systems if systems.shape[1] == 1 else systems[:, block]
        yield input_weights[rows] * system_weights[columns]


@dataclass(frozen=True, slots=True)
class ClusteredCorrelation:
    """The correlation of a metric with human scores."""

    value: float
    level: CorrelationLevel
    coefficient: Coefficient
    n: int
    undefined_inputs: int
    left_out: int
    undefined: str = ""


def clustered_correlation(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient = "kendall",
) -> ClusteredCorrelation:
    """Correlate a metric with human scores of the same inputs and systems.

    Parameters
    ----------
    metric, human
        Tables of inputs (rows) x systems (columns), NaN for missing values. Only cells with
        both values count.
    level
        ``system``: correlate the systems' means over inputs. ``input``: correlate the systems
        within each input, and average the defined correlations ("summary level" in the papers).
        ``global``: correlate all cells at once.
    coefficient
        ``pearson``, ``spearman``, ``kendall`` (tau-b), or ``tau_ap`` in its version b, which
        allows ties in both rankings.

    References
    ----------
    D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics
    using resampling methods. TACL 9, 2021.

    Examples
    --------
    >>> human = [[1, 2, 3], [2, 2, 2], [1, 3, 2]]
    >>> metric = [[0.1, 0.2, 0.3], [0.2, 0.1, 0.1], [0.2, 0.4, 0.3]]
    >>> result = clustered_correlation(metric, human, level="input")
    >>> result.value, result.n, result.undefined_inputs
    (1.0, 2, 1)
    """
    check_choice(level, "level", CorrelationLevel)
    check_choice(coefficient, "coefficient", Coefficient)
    return correlation_of_cells(shared_cells(metric=metric, human=human), level, coefficient)


def correlation_of_cells(
    cells: Cells, level: CorrelationLevel, coefficient: Coefficient
) -> ClusteredCorrelation:
    """Correlate two checked tables."""
    systems, inputs = np.ones((cells.systems, 1)), np.ones((cells.inputs, 1))
    n_undefined, n = 0, cells.pairs(level)
    if level == "input":
        (input_values,) = input_correlations(cells, (coefficient,), systems)
        n_undefined = int(np.isnan(input_values).sum())
        n = cells.inputs - n_undefined
        value = float(mean_over_inputs(input_values, inputs)[0])
    else:
        value = float(_correlations_at(level, cells, (coefficient,), systems, inputs)[0, 0])
    reason = _UNDEFINED_REASONS[level] if np.isnan(value) else ""
    return ClusteredCorrelation(value, level, coefficient, n, n_undefined, cells.left_out, reason)


_UNDEFINED_REASONS = {
    "system": "all systems have the same mean metric or human score",
    "input": "within every input, all metric scores or all human scores are equal",
    "global": "all metric scores or all human scores are equal",
}


def swapped_correlations(
    first: Floats, second: Floats, human: Floats, swaps: Weights, coefficient: Coefficient
) -> Floats:
    """Correlate both metrics (rows) with the human scores after each swap.

    Each point appears twice, once with either metric's value, with weights 1 and 0.
    """
    values, truth = np.concatenate([first, second]), np.concatenate([human, human])
    is_unswapped, is_swapped = (1 + swaps) / 2, (1 - swaps) / 2
    weights = np.concatenate([is_unswapped, is_swapped]), np.concatenate([is_swapped, is_unswapped])
    return np.stack(
        [weighted_correlations(values, truth, weighting, coefficient) for weighting in weights]
    )


def swapped_kendall(
    first: Floats, second: Floats, human: Floats, is_present: Bools, swaps: Weights
) -> Floats:
    """Return tau-b of both metrics with the human scores after each swap, for many units.

    Same as :func:`swapped_correlations` for each unit but several times faster: the sums over
    pairs are polynomials of the swaps, and those of the second metric are those of the first
    under the opposite swaps.
    """
    n, columns = swaps.shape
    swaps = swaps.astype(counting_type(2 * n**2), copy=False)
    tau = np.empty((2, len(human), columns))
    for block in blocks(len(human), n**2, LARGE_BLOCK_VALUES):
        metrics = np.concatenate([first[block], second[block]], axis=1)
        tau[:, block] = _kendall_of_units(metrics, human[block], is_present[block], swaps)
    return tau


def _kendall_of_units(metrics: Floats, human: Floats, is_present: Bools, swaps: Weights) -> Floats:
    n = len(swaps)
    ranks, z = dense_ranks(metrics.T).T, dense_ranks(human.T).T
    x, y = ranks[:, :n], ranks[:, n:]
    # Each pair counts once, above the diagonal.
    is_pair = np.triu(is_present[:, :, None] & is_present[:, None, :], 1).view(np.int8)
    human_signs = _pairwise_signs(z, z) * is_pair
    mixed_signs = _pairwise_signs(x, y)
    sign_tables = [
        _pairwise_signs(x, x),
        mixed_signs,
        -mixed_signs.transpose(0, 2, 1),
        _pairwise_signs(y, y),
    ]
    agreement = _pair_sums([human_signs * sign_table for sign_table in sign_tables], swaps)
    counts = is_pair.sum(axis=(1, 2), dtype=np.float64)[:, None]
    untied_counts = counts - _tied_sums(
        [(sign_table == 0).view(np.int8) & is_pair for sign_table in sign_tables], swaps
    )
    return root_ratio(agreement, untied_counts, np.count_nonzero(human_signs, axis=(1, 2))[:, None])


def _pairwise_signs(a: Ranks, b: Ranks) -> Signs:
    return signs(a[:, :, None], b[:, None, :])


def _pair_sums(parts: list[Signs], swaps: Weights) -> Floats:
    """Sum over the pairs of points, for the first metric and the second.

    A pair counts as a, b, c or d if its points take the values of first and first, first and
    second, second and first, or second and second. With swaps s and t of the two points, that is
    ((a+b+c+d) + s(a+b-c-d) + t(a-b+c-d) + st(a-b-c+d)) / 4. The second metric's swaps are
    the opposite of the first's.
    """
    a, b, c, d = parts
    same_sums, mixed_sums, same_differences, mixed_differences = a + d, b + c, a - d, b - c
    constant = (same_sums + mixed_sums).sum(axis=(1, 2), dtype=np.float64)[:, None]
    point_sums = (same_differences + mixed_differences).sum(axis=2, dtype=swaps.dtype)
    point_sums += (same_differences - mixed_differences).sum(axis=1, dtype=swaps.dtype)
    even_part = constant + sum_over_pairs((same_sums - mixed_sums).astype(swaps.dtype), swaps)
    odd_sums = multiply(point_sums, swaps)
    return np.stack([even_part + odd_sums, even_part - odd_sums]) / 4


def _tied_sums(parts: list[Signs], swaps: Weights) -> Floats:
    """Return the same sums, faster if few pairs are nonzero."""
    units, i, j = np.nonzero(np.bitwise_or.reduce(parts))
    if len(units) > _MAX_FEW_TIES:
        return _pair_sums(parts, swaps)
    a, b, c, d = (part[units, i, j, None].astype(np.float64) for part in parts)
    s, t = swaps[i], swaps[j]
    even_part, odd_part = (
        a + b + c + d + s * t * (a - b - c + d),
        s * (a + b - c - d) + t * (a - b + c - d),
    )
    sums = np.zeros((2, len(parts[0]), swaps.shape[1]))
    for index, pair in enumerate(units):
        sums[:, pair] += even_part[index] + odd_part[index], even_part[index] - odd_part[index]
    return sums / 4


@dataclass(frozen=True, slots=True)
class ClusteredInterval:
    """A metric's correlation, or the difference of two, with a confidence interval."""

    correlation: ClusteredCorrelation
    value: float
    interval: Interval
    samples: Floats
    undefined: int
    over: ResampledFactor
    bca: BcaInterval | None = None


def clustered_interval(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient = "kendall",
    over: ResampledFactor = "both",
    method: IntervalMethod = "percentile",
    quantiles: Quantiles = "linear",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    system_indices: npt.ArrayLike | None = None,
    input_indices: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> ClusteredInterval:
    """Return a metric's correlation with human scores and its confidence interval.

    Parameters
    ----------
    metric, human
        Tables of inputs (rows) x systems (columns), NaN for missing values. Only cells with
        both values count.
    level, coefficient
        As in :func:`~pyramidion.stats.clustered.clustered_correlation`.
    over
        What is drawn with replacement: ``systems`` (the inputs are fixed), ``inputs`` (the
        systems are fixed), or ``both``, to generalize to other systems on other inputs
        (reading 25).
    method
        ``percentile``; ``bca`` (with a jackknife over systems, inputs, or both); or ``fisher``,
        which does not resample and uses the number of systems, of systems within an input, or of
        cells as its n.
    quantiles, confidence_level, n_resamples, rng
        As in :func:`~pyramidion.stats.correlation_tests.correlation_interval`.
    system_indices, input_indices
        The draws themselves, one row of indices from 0 per resample.

    References
    ----------
    D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics
    using resampling methods. TACL 9, 2021: BOOT-SYSTEMS, BOOT-INPUTS and BOOT-BOTH.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(20, 10)) + np.arange(10)
    >>> metric = human + 3 * rng.normal(size=(20, 10))
    >>> result = clustered_interval(metric, human, level="input", n_resamples=999)
    >>> result.interval.low < result.value < result.interval.high
    True
    """
    check_choice(method, "method", IntervalMethod)
    cells = _check_tables(level, coefficient, over, metric=metric, human=human)
    if method == "fisher":
        estimate = correlation_of_cells(cells, level, coefficient)
        interval = fisher_interval(
            estimate.value, cells.pairs(level), coefficient, confidence_level=confidence_level
        )
        return ClusteredInterval(estimate, estimate.value, interval, np.empty(0), 0, over)
    draws = draw_weights(cells, over, n_resamples, system_indices, input_indices, rng)
    settings = method, confidence_level, quantiles
    return _resampled_interval([cells], level, coefficient, draws, over, settings)


def clustered_difference_interval(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient = "kendall",
    over: ResampledFactor = "both",
    method: BootstrapMethod = "percentile",
    quantiles: Quantiles = "linear",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    system_indices: npt.ArrayLike | None = None,
    input_indices: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> ClusteredInterval:
    """Return the difference of two metrics' correlations and its paired confidence interval.

    Both metrics use the same resamples.

    Parameters
    ----------
    first, second, human
        Tables of inputs (rows) x systems (columns), NaN for missing values. Only cells with all
        three values count.
    level, coefficient, over, quantiles, confidence_level, n_resamples, rng
        As in :func:`clustered_interval`.
    method
        ``percentile`` or ``bca``.
    system_indices, input_indices
        The draws themselves, one row of indices from 0 per resample.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(20, 10)) + np.arange(10)
    >>> good, bad = human + rng.normal(size=(20, 10)), rng.normal(size=(20, 10))
    >>> result = clustered_difference_interval(
    ...     good, bad, human, level="input", n_resamples=999
    ... )
    >>> result.interval.low > 0
    True
    """
    check_choice(method, "method", BootstrapMethod)
    cells = _check_tables(level, coefficient, over, first=first, second=second, human=human)
    *metrics, truth = cells.tables
    metric_cells = [replace(cells, tables=(table, truth)) for table in metrics]
    draws = draw_weights(cells, over, n_resamples, system_indices, input_indices, rng)
    settings = method, confidence_level, quantiles
    return _resampled_interval(metric_cells, level, coefficient, draws, over, settings)


def _check_tables(
    level: CorrelationLevel,
    coefficient: Coefficient,
    over: ResampledFactor,
    **tables: npt.ArrayLike,
) -> Cells:
    check_choice(level, "level", CorrelationLevel)
    check_choice(coefficient, "coefficient", Coefficient)
    check_choice(over, "over", ResampledFactor)
    return shared_cells(**tables)


def _resampled_interval(
    metric_cells: Sequence[Cells],
    level: CorrelationLevel,
    coefficient: Coefficient,
    draws: tuple[Weights, Weights],
    over: ResampledFactor,
    settings: tuple[BootstrapMethod, float, Quantiles],
) -> ClusteredInterval:
    """Return the confidence interval of a correlation, or of the difference between two.

    The difference is the first minus the second.
    """

    def correlate_weighted(systems: Weights, inputs: Weightings) -> Floats:
        values = (
            _correlations_at(level, table, (coefficient,), systems, inputs)[0]
            for table in metric_cells
        )
        return reduce(np.subtract, values)

    first, *other_correlations = (
        correlation_of_cells(cells, level, coefficient) for cells in metric_cells
    )
    value = first.value - sum(other.value for other in other_correlations)
    estimate = interval_of_samples(
        value,
        correlate_weighted(*draws),
        lambda: jackknife_values(correlate_weighted, metric_cells[0], over),
        *settings,
    )
    return ClusteredInterval(
        first,
        estimate.value,
        estimate.interval,
        estimate.samples,
        estimate.undefined,
        over,
        estimate.bca,
    )


def draw_weights(
    cells: Cells,
    over: ResampledFactor,
    n_resamples: int,
    system_indices: npt.ArrayLike | None = None,
    input_indices: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> tuple[Weights, Weights]:
    """Count the drawn systems and inputs; those that are not resampled count once."""
    random_generator = generator(rng)

    def count_draws(indices: ExplicitResamples, size: int, name: str) -> Weights:
        rows = checked_indices(indices, size, n_resamples, random_generator, name=name)
        return draw_counts(rows, size)

    return _weights_of_both(cells, over, "indices", (system_indices, input_indices), count_draws)


def _weights_of_both(
    cells: Cells,
    over: ResampledFactor,
    suffix: str,
    sources_by_kind: tuple[ExplicitResamples, ExplicitResamples],
    read_weights: Callable[[ExplicitResamples, int, str], Weights],
) -> tuple[Weights, Weights]:
    """Read or draw weights of systems and of inputs, one column per resample; 1 if fixed."""
    weights: list[Weights] = []
    for kind, weights_source, size, is_fixed in (
        ("system", sources_by_kind[0], cells.systems, over == "inputs"),
        ("input", sources_by_kind[1], cells.inputs, over == "systems"),
    ):
        name = f"{kind}_{suffix}"
        if is_fixed and weights_source is not None:
            raise InputError(f"`{name}` needs resampling over both", hint="set `over` to both")
        weights.append(np.ones((size, 1)) if is_fixed else read_weights(weights_source, size, name))
    systems, inputs = weights
    if over == "both" and systems.shape[1] != inputs.shape[1]:
        raise ShapeError(
            f"{systems.shape[1]} resamples of systems and {inputs.shape[1]} of inputs",
            hint="pass the same number of both",
        )
    return systems, inputs


def jackknife_values(
    estimate: Callable[[Weights, Weightings], T], cells: Cells, over: ResampledFactor
) -> list[T]:
    """Return the values without each system, each input, or each of both in turn."""
    values = []
    if over != "inputs":
        values.append(estimate(1 - np.eye(cells.systems), np.ones((cells.inputs, 1))))
    if over != "systems":
        values.append(estimate(np.ones((cells.systems, 1)), LeftOneOut(cells.inputs)))
    return values


# Differences of correlations that are closer than this count as equal.
_CORRELATION_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class ClusteredDifference:
    """A permutation test of the difference between two metrics' correlations."""

    first: float
    second: float
    difference: float
    p: float
    samples: Floats
    undefined: int
    left_out: int
    over: ResampledFactor


def clustered_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient = "kendall",
    control: npt.ArrayLike | None = None,
    over: ResampledFactor = "both",
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    system_swaps: npt.ArrayLike | None = None,
    input_swaps: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> ClusteredDifference:
    """Test whether two metrics correlate equally well with human scores.

    1. Each metric is standardized over its whole table, so that their values can be swapped.
    2. The two values of a cell are swapped for random systems, for random inputs, or (``both``)
       if exactly one of the cell's system and input was chosen.
    3. The difference of the correlations after swapping is compared with that of the data.

    Parameters
    ----------
    first, second, human
        Tables of inputs (rows) x systems (columns), NaN for missing values. Only cells with all
        three values count.
    level, coefficient
        As in :func:`~pyramidion.stats.clustered.clustered_correlation`.
    control
        A variable to control for by partial correlations, such as the lengths of summaries.
    over
        What is swapped: ``systems``, ``inputs`` or ``both``.
    alternative
        ``two-sided``, ``greater`` (the first correlates better) or ``less``.
    n_resamples
        The number of random swaps.
    system_swaps, input_swaps
        The swaps themselves, one row of 0 and 1 per resample.
    rng
        Generator or seed.

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
    check_choice(alternative, "alternative", Alternative)
    control_option = {} if control is None else {"control": control}
    tables = {"first": first, "second": second, "human": human, **control_option}
    cells = _standardize(_check_tables(level, coefficient, over, **tables))
    systems, inputs = _signed_swaps(cells, over, n_resamples, (system_swaps, input_swaps), rng)
    values = _correlations_after_swaps(level, cells, coefficient, systems, inputs)
    (a, b), samples = values[:, 0].tolist(), values[0, 1:] - values[1, 1:]
    p, n_undefined = _p_value(samples, a - b, alternative), int(np.isnan(samples).sum())
    return ClusteredDifference(a, b, a - b, p, samples, n_undefined, cells.left_out, over)


def _standardize(cells: Cells) -> Cells:
    metrics = []
    for table in cells.tables[:2]:
        values = table[cells.present]
        # A constant metric becomes 0, and its correlations are undefined.
        is_varying = len(values) and np.ptp(values) > noise_level(values)
        scaled_table = (
            (table - values.mean()) / values.std() if is_varying else np.zeros_like(table)
        )
        metrics.append(np.where(cells.present, scaled_table, 0.0))
    return replace(cells, tables=(*metrics, *cells.tables[2:]))


def _p_value(samples: Floats, observed: float, alternative: Alternative) -> float:
    known_samples = samples[~np.isnan(samples)]
    if math.isnan(observed):
        return math.nan
    if alternative == "two-sided":
        known_samples, observed = np.abs(known_samples), abs(observed)
    elif alternative == "less":
        known_samples, observed = -known_samples, -observed
    n_extreme = np.count_nonzero(known_samples >= observed - _CORRELATION_TOLERANCE)
    return float(resampled_p(n_extreme, len(known_samples)))


def _signed_swaps(
    cells: Cells,
    over: ResampledFactor,
    n_resamples: int,
    explicit_swaps: tuple[ExplicitResamples, ExplicitResamples],
    rng: Rng | None,
) -> tuple[Weights, Weights]:
    """Return 1, or -1 if swapped, for each system and each input, one column per resample.

    The first column is the data, with nothing swapped.
    """
    random_generator = generator(rng)

    def draw_signs(chosen_swaps: ExplicitResamples, size: int, name: str) -> Weights:
        if chosen_swaps is None:
            is_swapped = random_generator.integers(2, size=(count_of_resamples(n_resamples), size))
        else:
            is_swapped = checked_swaps(chosen_swaps, size, name=name).astype(np.int64)
        swaps = np.ones((size, len(is_swapped) + 1), dtype=np.float32)
        swaps[:, 1:][is_swapped.T == 1] = -1
        return swaps

    return _weights_of_both(cells, over, "swaps", explicit_swaps, draw_signs)


def _correlations_after_swaps(
    level: CorrelationLevel,
    cells: Cells,
    coefficient: Coefficient,
    systems: Weights,
    inputs: Weights,
) -> Floats:
    """Correlate two metrics (rows) with human scores after swaps, given any fourth table."""
    unit_weights = np.ones((cells.systems, 1))

    def correlate_swapped(triple: Cells) -> Floats:
        if level == "input":
            return _correlate_swapped_inputs(triple, coefficient, systems)
        correlation_at_level = (
            _correlate_swapped_means if level == "system" else _correlate_swapped_cells
        )
        return correlation_at_level(triple, coefficient, systems, inputs)

    def correlate_unswapped(pair: Cells) -> Floats:
        if level == "input":
            return np.asarray(_correlate_within_inputs(pair, (coefficient,), unit_weights)[0])
        return np.asarray(
            _correlations_at(level, pair, (coefficient,), unit_weights, np.ones((pair.inputs, 1)))[
                0
            ]
        )

    def correlate(block_cells: Cells) -> Floats:
        if len(block_cells.tables) == 3:
            return correlate_swapped(block_cells)
        *metrics, human, control = block_cells.tables
        human_correlations, control_correlations = (
            correlate_swapped(replace(block_cells, tables=(*metrics, other)))
            for other in (human, control)
        )
        control_correlation = correlate_unswapped(replace(block_cells, tables=(human, control)))
        return partial_correlation(human_correlations, control_correlations, control_correlation)

    def weighted_block(rows: slice, block_cells: Cells) -> tuple[Floats, Floats]:
        values = correlate(block_cells)
        return np.where(inputs[rows] > 0, values, values[::-1]), np.ones((block_cells.inputs, 1))

    if level != "input":
        return correlate(cells)
    columns = max(systems.shape[1], inputs.shape[1])
    return mean_over_blocks(weighted_block(*block) for block in cells.blocks(2, columns))


def _correlate_swapped_means(
    cells: Cells, coefficient: Coefficient, systems: Weights, inputs: Weights
) -> Floats:
    first, second, human = cells.tables
    unit_weights = np.ones((cells.inputs, 1))
    mean_of_both = system_means((first + second) / 2, cells.present, unit_weights)
    # Half the difference of the two means after swapping.
    counts = input_weight_sums(cells.present, unit_weights)
    half_differences = multiply((first - second).T / 2, inputs)
    swapped_halves = systems * half_differences / np.maximum(counts, 1)
    weights = (counts > 0).astype(np.float64)
    truth = system_means(human, cells.present, unit_weights)[:, 0]
    noise = noise_level(first, second), noise_level(human)
    swapped_means = mean_of_both + swapped_halves, mean_of_both - swapped_halves
    return np.stack(
        [
            weighted_correlations(means, truth, weights, coefficient, noise=noise)
            for means in swapped_means
        ]
    )


def _correlate_swapped_inputs(cells: Cells, coefficient: Coefficient, systems: Weights) -> Floats:
    first, second, human = cells.tables
    if coefficient == "kendall":
        return swapped_kendall(first, second, human, cells.present, systems)
    values = np.full((2, cells.inputs, systems.shape[1]), np.nan)
    for i, is_present in enumerate(cells.present):
        if is_present.sum() > 1:
            x, y, truth = first[i, is_present], second[i, is_present], human[i, is_present]
            values[:, i] = swapped_correlations(x, y, truth, systems[is_present], coefficient)
    return values


def _correlate_swapped_cells(
    cells: Cells, coefficient: Coefficient, systems: Weights, inputs: Weights
) -> Floats:
    first, second, human = (table[cells.present] for table in cells.tables)
    correlation_blocks = [
        swapped_correlations(first, second, human, swaps, coefficient)
        for swaps in cell_products(cells, systems, inputs)
    ]
    return np.concatenate(correlation_blocks, axis=1)
