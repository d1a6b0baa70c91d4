"""Two-way analysis of variance without interaction: effects and least-squares means."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import matrix, vector
from pyramidion.stats.pairs import noise_level

#: The level of each value.
Labels = Sequence[Hashable] | npt.NDArray[np.generic]

Levels = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Values with their levels of two factors."""

    y: Floats
    first: Ints
    second: Ints
    first_levels: Levels
    second_levels: Levels
    missing: int

    @property
    def counts(self) -> Ints:
        """The number of values of each pair of levels."""
        counts = np.zeros((len(self.first_levels), len(self.second_levels)), dtype=np.int64)
        np.add.at(counts, (self.first, self.second), 1)
        return counts


def read_layout(
    values: npt.ArrayLike, first: Labels | None = None, second: Labels | None = None
) -> Layout:
    """Read a matrix, or a list of values with labels."""
    if (first is None) != (second is None):
        raise InputError("only one factor is given", hint="give the levels of both, or a matrix")
    if first is None or second is None:
        table = matrix(values, "values")
        b, a = np.indices(table.shape).reshape(2, -1)
        y = table.ravel()
        a_levels: Levels = tuple(range(table.shape[1]))
        b_levels: Levels = tuple(range(table.shape[0]))
    else:
        y = vector(values, "values", nan=True)
        for name, labels in (("first", first), ("second", second)):
            if len(labels) != len(y):
                raise ShapeError(f"`{name}` has {len(labels)} levels for {len(y)} values")
        (a, a_levels), (b, b_levels) = code_labels(first), code_labels(second)
    is_present = ~np.isnan(y)
    if not is_present.any():
        raise InputError("`values` has no value")
    n_missing = int((~is_present).sum())
    layout = Layout(y[is_present], a[is_present], b[is_present], a_levels, b_levels, n_missing)
    counts = layout.counts
    for factor, levels, sums in (
        ("first", a_levels, counts.sum(axis=1)),
        ("second", b_levels, counts.sum(axis=0)),
    ):
        if not sums.all():
            message = f"level {levels[int(np.argmin(sums))]!r} of the {factor} factor has no value"
            raise InputError(message, hint="remove it")
    is_linked = linked_rows(counts)
    if not is_linked.all():
        level, other = a_levels[0], a_levels[int(np.argmin(is_linked))]
        message = f"levels {level!r} and {other!r} of the first factor share no level of the second"
        raise InputError(message, hint="not even through others: remove one")
    return layout


def code_labels(labels: Labels) -> tuple[Ints, Levels]:
    """Code the labels by numbers in sorted order; unordered labels are sorted as strings."""
    try:
        levels = sorted(set(labels))
    except TypeError:
        levels = sorted(set(labels), key=str)
    codes = {level: i for i, level in enumerate(levels)}
    return np.array([codes[label] for label in labels], dtype=np.int64), tuple(levels)


def linked_rows(counts: npt.ArrayLike) -> Bools:
    """Return which rows are linked to row 0 by shared columns, directly or indirectly."""
    is_present = np.asarray(counts) > 0
    is_linked: Bools = np.arange(len(is_present)) == 0
    while True:
        is_reached = is_linked | is_present[:, is_present[is_linked].any(axis=0)].any(axis=1)
        if np.array_equal(is_reached, is_linked):
            return is_linked
        is_linked = is_reached


def linked_parts(counts: npt.ArrayLike) -> Ints:
    """Split rows into parts that share no columns; the largest is number 1."""
    is_present = np.asarray(counts) > 0
    parts = np.zeros(len(is_present), dtype=np.int64)
    groups: list[Ints] = []
    while (unassigned_rows := np.flatnonzero(parts == 0)).size:
        groups.append(unassigned_rows[linked_rows(is_present[unassigned_rows])])
        parts[groups[-1]] = len(groups)
    for number, rows in enumerate(sorted(groups, key=len, reverse=True), start=1):
        parts[rows] = number
    return parts


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """One factor of the analysis: its effects and its F test."""

    levels: tuple[Hashable, ...]
    n: Ints
    effects: Floats
    means: Floats
    standard_errors: Floats
    sum_of_squares: float
    df: int
    f: float
    p: float
    design: "_TwoWayDesign" = field(repr=False)
    variance: float = field(repr=False)

    @property
    def covariance(self) -> Floats:
        """The covariance of the effects, computed on access."""
        return self.variance * self.design.generalized_inverse()


@dataclass(frozen=True, slots=True, eq=False)
class TwoWayAnova:
    """The fitted additive model y = mean + first + second + error.

    The mean is over all cells of the layout, empty ones included; `missing` counts NaN values.
    """

    mean: float
    first: Factor
    second: Factor
    residual_sum_of_squares: float
    residual_df: int
    variance: float
    n: int
    missing: int
    balanced: bool
    note: str = ""


def two_way_anova(
    values: npt.ArrayLike, first: Labels | None = None, second: Labels | None = None
) -> TwoWayAnova:
    r"""Fit main effects of two factors by least squares, and test each.

    .. math:: y = \mu + \alpha_i + \beta_j + \varepsilon, \qquad
              \sum_i \alpha_i = \sum_j \beta_j = 0

    Each factor is tested by what it explains beyond the other (type II, which equals type III
    without interaction). The normal equations are reduced to one factor: with
    N the table of counts, :math:`C = \mathrm{diag}(n_{i\cdot}) - N\,
    \mathrm{diag}(1/n_{\cdot j})\,N'` and :math:`\alpha = C^+ Q`, so that thousands of inputs
    are cheap.

    Parameters
    ----------
    values
        A matrix whose columns are the first factor (systems) and rows the second (inputs),
        NaN for an empty cell; or a list of values with labels.
    first, second
        For a list of values: the levels of each value, for instance assessor and category. Cells
        may be empty or hold several values.

    Notes
    -----
    Plain means over topics are not comparable if a person skipped some: compare least-squares
    means (reading 28). On an incomplete layout, effects depend on a constraint, here that they
    sum to zero (reading 27).

    References
    ----------
    .. [1] S. R. Searle, "Linear Models for Unbalanced Data", 1987, chapter 9.

    Examples
    --------
    >>> nan = float("nan")
    >>> result = two_way_anova([[1, 2, 4], [2, 4, 4], [5, nan, 8], [3, 5, 6]])
    >>> round(result.first.f, 4), result.first.df, result.residual_df, round(result.first.p, 4)
    (33.2831, 2, 5, 0.0013)
    >>> judges = two_way_anova([3, 4, 4, 6, 7], list("AABBC"), [1, 2, 1, 2, 2])
    >>> dict(zip(judges.first.levels, judges.first.effects.round(3).tolist()))
    {'A': -1.417, 'B': 0.083, 'C': 1.333}
    """
    layout = read_layout(values, first, second)
    center, counts = float(layout.y.mean()), layout.counts
    design = _TwoWayDesign(layout.y - center, layout.first, layout.second, counts)
    alpha, beta = design.effects()
    residuals = design.y - alpha[layout.first] - beta[layout.second]
    residual_squares, df = float(residuals @ residuals), len(layout.y) - sum(counts.shape) + 1
    mean, variance = (
        center + float(alpha.mean() + beta.mean()),
        residual_squares / df if df else np.nan,
    )
    # Sums of squares below this are rounding noise.
    noise_floor = len(layout.y) * noise_level(layout.y) ** 2
    note = "" if residual_squares > noise_floor else "the model leaves no residuals"
    if not df:
        note = "no degrees of freedom are left for the residuals"

    def fit_factor(design: _TwoWayDesign, raw_effects: Floats, levels: Levels) -> Factor:
        """Test the first factor of the design; p is 1 if it has no effect."""
        effects = raw_effects - raw_effects.mean()
        factor_df, squares = len(effects) - 1, max(float(effects @ design.adjusted_sums()), 0.0)
        f, p = np.nan, np.nan
        if factor_df and squares <= noise_floor:
            f, p = 0.0, 1.0
        elif factor_df and not note:
            from scipy.special import fdtrc  # slow to load and not always needed

            f = squares / factor_df / variance
            p = float(fdtrc(factor_df, df, f))
        errors = np.sqrt(variance * design.mean_variances())
        columns = effects, mean + effects, errors, squares, factor_df, f, p
        return Factor(levels, design.counts.sum(axis=1), *columns, design, variance)

    return TwoWayAnova(
        mean=mean,
        first=fit_factor(design, alpha, layout.first_levels),
        second=fit_factor(design.transposed(), beta, layout.second_levels),
        residual_sum_of_squares=residual_squares,
        residual_df=df,
        variance=variance,
        n=len(layout.y),
        missing=layout.missing,
        balanced=bool(np.all(counts == counts[0, 0])),
        note=note,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _TwoWayDesign:
    """Values with their levels of the factors a (rows of counts) and b."""

    y: Floats
    a: Ints
    b: Ints
    counts: Ints

    def transposed(self) -> "_TwoWayDesign":
        """Exchange the factors."""
        return _TwoWayDesign(self.y, self.b, self.a, self.counts.T)

    def adjusted_sums(self) -> Floats:
        """Sum the values of each level of a, minus the means of their b levels."""
        b_means = np.bincount(self.b, self.y) / self.counts.sum(axis=0)
        return np.bincount(self.a, self.y - b_means[self.b]).astype(np.float64)

    def generalized_inverse(self) -> Floats:
        """Invert the reduced normal equations for effects that sum to zero."""
        n = self.counts
        reduced_equations = np.diag(n.sum(axis=1)) - (n / n.sum(axis=0)) @ n.T
        # The equations are singular only for the constant, which is added and then removed.
        return np.linalg.inv(reduced_equations + 1 / len(n)) - 1 / len(n)

    def effects(self) -> tuple[Floats, Floats]:
        """Solve for the effects of a, which sum to zero, and then of b."""
        if len(self.counts) > self.counts.shape[1]:
            beta, alpha = self.transposed().effects()
            return alpha, beta
        alpha = self.generalized_inverse() @ self.adjusted_sums()
        beta = np.bincount(self.b, self.y - alpha[self.a]) / self.counts.sum(axis=0)
        return alpha, beta

    def mean_variances(self) -> Floats:
        """Return the variances of least-squares means, in units of the residual variance."""
        level_counts = self.counts.sum(axis=0)
        weights = (self.counts / level_counts).mean(axis=1)
        variances, covariances = self._variances(weights)
        centered_variances = variances - 2 * covariances + weights @ covariances
        return np.asarray(centered_variances + np.sum(1 / level_counts) / len(level_counts) ** 2)

    def _variances(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return each effect's variance, and its covariance with the weighted mean of all."""
        if len(self.counts) <= self.counts.shape[1]:
            inverse = self.generalized_inverse()
            return np.diag(inverse), inverse @ weights
        # From the smaller factor's equations, up to a constant that cancels in differences:
        # diag(1/n) + RKR', with R the shares of counts in each row and K the other's inverse.
        n = self.counts.sum(axis=1)
        shares = self.counts / n[:, None]
        weighted_shares = shares @ self.transposed().generalized_inverse()
        return 1 / n + np.sum(weighted_shares * shares, axis=1), weights / n + weighted_shares @ (
            shares.T @ weights
        )
