"""Chance-corrected agreement of raters."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import check_choice, matrix
from pyramidion.stats.pairs import LARGE_BLOCK_VALUES, blocks, dense_ranks, midranks

KappaWeights = Literal["none", "linear", "quadratic"]


@dataclass(frozen=True, slots=True)
class ChanceAgreement:
    """Agreement of raters beyond chance."""

    value: float
    observed: float
    expected: float
    n: int
    unanimous: bool


def percent_agreement(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Return the share of items that two raters gave the same label.

    Examples
    --------
    >>> percent_agreement(["yes", "no", "yes", "no"], ["yes", "no", "no", "no"])
    0.75
    """
    return _chance_corrected(_contingency_table(first, second), "none", is_pooled=False).observed


def cohen_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, *, weights: KappaWeights = "none"
) -> ChanceAgreement:
    r"""Cohen's kappa, :math:`(p_o - p_e) / (1 - p_e)`.

    Chance agreement :math:`p_e` uses each rater's own distribution of labels.

    Parameters
    ----------
    first, second
        One label per item: numbers or words.
    weights
        ``none``: labels agree or do not. ``linear`` and ``quadratic``: partial agreement
        :math:`1 - (d/(k-1))^{1, 2}` for labels d places apart among the k that occur, sorted.

    References
    ----------
    J. Cohen. Weighted kappa. Psychological Bulletin 70(4), 1968.

    Examples
    --------
    >>> round(cohen_kappa([1, 1, 0, 0], [1, 0, 0, 0]).value, 3)
    0.5
    """
    check_choice(weights, "weights", KappaWeights)
    return _chance_corrected(_contingency_table(first, second), weights, is_pooled=False)


def scott_pi(
    first: npt.ArrayLike, second: npt.ArrayLike, *, weights: KappaWeights = "none"
) -> ChanceAgreement:
    """Scott's pi: like Cohen's kappa, but chance agreement uses the pooled labels of both raters.

    This is the kappa of the pyramid papers, with equal distributions for both coders
    (reading 26).

    Parameters
    ----------
    first, second
        One label per item: numbers or words.
    weights
        As in :func:`cohen_kappa`.

    References
    ----------
    W. A. Scott. Reliability of content analysis. Public Opinion Quarterly 19(3), 1955.

    Examples
    --------
    >>> round(scott_pi([1, 1, 0, 0], [1, 0, 0, 0]).value, 3)
    0.467
    """
    check_choice(weights, "weights", KappaWeights)
    return _chance_corrected(_contingency_table(first, second), weights, is_pooled=True)


def fleiss_kappa(ratings: npt.ArrayLike) -> ChanceAgreement:
    r"""Fleiss' kappa for several raters, :math:`(\bar P - \bar P_e) / (1 - \bar P_e)`.

    .. math::

        \bar P &= \frac1{N m (m - 1)} \sum_i \sum_j n_{ij} (n_{ij} - 1) \\
        \bar P_e &= \sum_j \Big(\frac1{N m} \sum_i n_{ij}\Big)^2

    where :math:`n_{ij}` of m raters gave item i, of N, the label j. With pooled labels for chance
    it is the kappa for more than two coders that Carletta (1996) recommends.

    Parameters
    ----------
    ratings
        One row per rater, one column per item, as in :func:`krippendorff_alpha`; labels are
        numbers, NaN if a rater did not label an item. Every item has the same number of labels.

    References
    ----------
    J. L. Fleiss. Measuring nominal scale agreement among many raters. Psychological
    Bulletin 76(5), 1971.

    Examples
    --------
    >>> result = fleiss_kappa([[1, 1, 0, 0], [1, 1, 0, 1], [1, 0, 0, 0]])
    >>> round(result.observed, 3), result.expected, round(result.value, 3)
    (0.667, 0.5, 0.333)
    """
    values = matrix(ratings, "ratings")
    is_present = ~np.isnan(values)
    raters_per_item = is_present.sum(axis=0)
    if (
        not values.shape[1]
        or raters_per_item.min() != raters_per_item.max()
        or raters_per_item[0] < 2
    ):
        label_counts = ", ".join(map(str, np.unique(raters_per_item).tolist())) or "no"
        hint = "give every item the same number of labels, two or more"
        raise InputError(f"`ratings` has items with {label_counts} labels", hint=hint)
    labels, codes = np.unique(values[is_present], return_inverse=True)
    cell_codes = np.nonzero(is_present)[1] * len(labels) + codes
    items, m, k = len(raters_per_item), int(raters_per_item[0]), len(labels)
    counts = np.bincount(cell_codes, minlength=items * k).reshape(items, k).astype(np.float64)
    observed = float((counts * (counts - 1)).sum() / (items * m * (m - 1)))
    expected = float(((counts.sum(axis=0) / (items * m)) ** 2).sum())
    value = 1.0 if k == 1 else (observed - expected) / (1 - expected)
    return ChanceAgreement(value, observed, expected, items, unanimous=k == 1)


def _contingency_table(first: npt.ArrayLike, second: npt.ArrayLike) -> Floats:
    """Count each pair of labels: rows for the first rater, columns for the second, sorted."""
    first_labels, second_labels = _labels(first, "first"), _labels(second, "second")
    if len(first_labels) != len(second_labels):
        raise ShapeError(
            f"`first` has {len(first_labels)} labels and `second` {len(second_labels)}",
            hint="give one of each per item",
        )
    if len({isinstance(label, str) for label in (*first_labels, *second_labels)}) > 1:
        raise InputError("labels are both words and numbers", hint="use one kind")
    _, codes = np.unique([*first_labels, *second_labels], return_inverse=True)
    k = int(codes.max()) + 1
    cell_codes = codes[: len(first_labels)] * k + codes[len(first_labels) :]
    return np.bincount(cell_codes, minlength=k * k).reshape(k, k).astype(np.float64)


def _labels(labels: npt.ArrayLike, name: str) -> list[Any]:
    # As objects, because NumPy would convert the number 1 among words to the word "1".
    array = np.asarray(labels, dtype=object)
    if array.ndim != 1 or not len(array):
        raise ShapeError(f"`{name}` has the shape {array.shape}", hint="give one label per item")
    values: list[Any] = array.tolist()
    is_missing = [
        label is None or (isinstance(label, float) and math.isnan(label)) for label in values
    ]
    if any(is_missing):
        hint = "remove items that only one rater labeled"
        raise InputError(f"`{name}` has no label at position {is_missing.index(True)}", hint=hint)
    return values


def _chance_corrected(table: Floats, weights: KappaWeights, *, is_pooled: bool) -> ChanceAgreement:
    n, k = float(table.sum()), len(table)
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / max(1, k - 1)
    power = {"none": 0, "linear": 1, "quadratic": 2}[weights]
    credit = 1 - distance**power if power else np.eye(k)
    row_shares, column_shares = table.sum(axis=1) / n, table.sum(axis=0) / n
    if is_pooled:
        row_shares = column_shares = (row_shares + column_shares) / 2
    observed, expected = (
        float((credit * table).sum() / n),
        float(row_shares @ credit @ column_shares),
    )
    value = 1.0 if k == 1 else (observed - expected) / (1 - expected)
    return ChanceAgreement(value, observed, expected, int(n), unanimous=k == 1)


Level = Literal["nominal", "ordinal", "interval", "ratio"]


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha."""

    value: float
    observed: float
    expected: float
    level: str
    units: int
    values: int
    left_out: int
    unanimous: bool


def krippendorff_alpha(ratings: npt.ArrayLike, *, level: Level) -> Alpha:
    r"""Krippendorff's alpha, :math:`1 - D_o / D_e`.

    .. math::

        D_o &= \frac1n \sum_u \frac{1}{m_u - 1} \sum_{i \ne i'} \delta(c_{iu}, c_{i'u}) \\
        D_e &= \frac{1}{n(n-1)} \sum_{v, v'} n_v n_{v'} \delta(v, v')

    over the units u with :math:`m_u \ge 2` values, n values in total. The distance δ of two
    values is 0 or 1 (``nominal``), the squared difference (``interval``), the squared difference
    of their mean ranks among all n values (``ordinal``), or the square of their difference
    divided by their sum (``ratio``).

    Parameters
    ----------
    ratings
        One row per coder, one column per unit, NaN for missing values. For an assessor's agreement
        with themselves, the rows are their first and second judgments.
    level
        The level of measurement. It has no default, because alpha depends on it (reading 13).

    References
    ----------
    K. Krippendorff. Content Analysis. An Introduction to Its Methodology. Sage, 2004.

    Examples
    --------
    >>> nan = float("nan")
    >>> ratings = [[1, 2, 3, 3, nan], [1, 2, 3, 4, 5]]
    >>> result = krippendorff_alpha(ratings, level="interval")
    >>> round(result.value, 3), result.units, result.left_out
    (0.889, 4, 1)
    """
    check_choice(level, "level", Level)
    values = matrix(ratings, "ratings")
    is_present = ~np.isnan(values)
    counts = is_present.sum(axis=0)
    is_paired_unit = counts >= 2
    table, n = values[:, is_paired_unit], int(counts[is_paired_unit].sum())
    n_single = int(counts.sum()) - n
    if not n:
        return Alpha(math.nan, math.nan, math.nan, level, 0, 0, n_single, unanimous=False)
    scaled_table = _values_for_level(table, level)
    unit_distances = sum(
        np.nansum(_distances(row, scaled_table, level), axis=0) for row in scaled_table
    )
    observed = float(np.sum(unit_distances / (counts[is_paired_unit] - 1))) / n
    distinct_values, value_counts = np.unique(
        scaled_table[~np.isnan(scaled_table)], return_counts=True
    )
    expected = 0.0
    for block in blocks(len(distinct_values), len(distinct_values), LARGE_BLOCK_VALUES):
        expected += float(
            value_counts[block]
            @ _distances(distinct_values[block, None], distinct_values, level)
            @ value_counts
        )
    expected /= n * (n - 1)
    is_unanimous = int(dense_ranks(table[~np.isnan(table)]).max()) == 0
    value = 1.0 if is_unanimous else 1 - observed / expected
    return Alpha(
        value, observed, expected, level, int(is_paired_unit.sum()), n, n_single, is_unanimous
    )


def _values_for_level(table: Floats, level: Level) -> Floats:
    """Transform the values so that their differences fit the level."""
    values = table[~np.isnan(table)]
    if level == "ratio" and values.min() < 0:
        raise InputError(f"`ratings` has {values.min():g}", hint="a ratio scale starts at 0")
    if level in ("interval", "ratio"):
        return table
    scaled_table = np.full(table.shape, np.nan)
    ranks = dense_ranks(values)
    scaled_table[~np.isnan(table)] = midranks(ranks) if level == "ordinal" else ranks
    return scaled_table


def _distances(a: Floats, b: Floats, level: Level) -> Floats:
    """Return the distance of values at a level; NaN where one is missing."""
    differences = a - b
    if level == "nominal":
        return np.where(np.isnan(differences), np.nan, a != b)
    if level == "ratio":
        sums = a + b
        differences = differences / np.where(sums == 0, 1.0, sums)
    return differences**2
