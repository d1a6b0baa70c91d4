"""All pairs of means at once: Tukey's procedures and simulated intervals."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc, gammaln, log_ndtr

from pyramidion._types import Bools, Floats, Ints
from pyramidion.errors import InputError, NotFoundError
from pyramidion.stats._kruskal import Groups, rank_groups
from pyramidion.stats.anova import two_way_anova
from pyramidion.stats.inputs import Rng, check_choice, generator, matrix, share
from pyramidion.stats.pairs import all_pairs, noise_level

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

# The probability that the range of standard normals exceeds this underflows.
_MAX_RANGE = 50.0

# Values processed at once, each with some hundreds of quadrature nodes.
_BATCH_SIZE = 512


def tukey_p(t: npt.ArrayLike, groups: int, df: float) -> Floats:
    r"""Return Tukey's p-values of differences in units of their standard errors.

    With q = √2 |t|, the probability that the largest difference among `groups` means is at least
    that large:

    .. math:: P_\infty(q) = k \int \varphi(z)
              \left\{\Phi(z)^{k-1} - [\Phi(z) - \Phi(z - q)]^{k-1}\right\} dz, \qquad
              P_\nu(q) = \int f_\nu(s) P_\infty(q s)\, ds

    where f is the density of s/σ. The difference in braces is computed before integrating, so
    that small p-values stay accurate; both integrals are trapezoidal sums, which are nearly exact
    for functions that vanish smoothly at both ends.

    References
    ----------
    .. [1] J. W. Tukey, "The problem of multiple comparisons", 1953.
    """
    q = np.sqrt(2) * np.minimum(np.abs(np.atleast_1d(np.asarray(t, dtype=np.float64))), 1e100)
    p = np.full(q.shape, np.nan)
    for indices in np.array_split(np.flatnonzero(~np.isnan(q)), 1 + len(q) // _BATCH_SIZE):
        if len(indices):
            q_batch = q[indices]
            tail = (
                _normal_tail(q_batch, groups)
                if np.isinf(df)
                else _student_tail(q_batch, groups, df)
            )
            p[indices] = np.minimum(tail, 1.0)
    return p


def tukey_critical(confidence_level: float, groups: int, df: float) -> float:
    """Return Tukey's critical difference in standard errors."""

    def excess(t: float) -> float:
        return float(tukey_p(t, groups, df)[0]) - (1 - confidence_level)

    high = 4.0
    while excess(high) > 0:
        high *= 2
    from scipy.optimize import brentq

    return float(brentq(excess, 0, high, xtol=1e-13, rtol=1e-13))


def _normal_tail(q: Floats, groups: int) -> Floats:
    """Integrate over the largest of the normal values, which is near q / 2 when q is large."""
    step = 0.05
    z = q / 2 + np.arange(-9, 9, step)[:, None]
    log_p_below = log_ndtr(z)
    with np.errstate(divide="ignore"):
        log_p_none_far = np.log1p(-np.exp(log_ndtr(z - q) - log_p_below))
    density = np.exp(-(z**2) / 2 + (groups - 1) * log_p_below)
    tail_integral = -(density * np.expm1((groups - 1) * log_p_none_far)).sum(axis=0)
    return np.asarray(tail_integral * (step * groups / np.sqrt(2 * np.pi)))


@lru_cache(maxsize=8)
def _log_tail(groups: int) -> "CubicSpline[np.float64]":
    """Tabulate the logarithm of the tail for a known variance."""
    grid = np.linspace(0, _MAX_RANGE, 5001)
    from scipy.interpolate import CubicSpline  # takes half a second to load; few commands need it

    return CubicSpline(grid, np.log(tukey_p(grid / np.sqrt(2), groups, np.inf)))


def _student_tail(q: Floats, groups: int, df: float) -> Floats:
    """Integrate over v = log(s / σ), around the maximum of the integrand for each q."""
    step, half_range = min(0.2 / np.sqrt(df), 0.025), 7 / np.sqrt(df)
    v = -np.log1p(q**2 / (2 * df)) / 2 + np.arange(-half_range - 40 / df, half_range, step)[:, None]
    scaled_q = q * np.exp(v)
    log_constant = np.log(2 * step) + df / 2 * np.log(df / 2) - gammaln(df / 2)
    log_density = log_constant + df * (v - np.exp(2 * v) / 2)
    terms = np.exp(log_density + _log_tail(groups)(np.minimum(scaled_q, _MAX_RANGE)))
    return np.asarray(np.where(scaled_q < _MAX_RANGE, terms, 0).sum(axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class PairComparisons:
    """Simultaneous comparisons of pairs of groups; `p` is adjusted for their number.

    Two groups whose intervals, estimate ± half width, do not overlap differ significantly (exactly
    so when all standard errors are equal); half widths are NaN if not all pairs are compared.
    `critical` is in standard errors. `note` says why p-values are undefined; equal estimates have
    p = 1 even then. `draws` and `monte_carlo_error` (of `critical`) are 0 if nothing was simulated.
    """

    estimates: Floats
    pairs: Ints
    differences: Floats
    standard_errors: Floats
    low: Floats
    high: Floats
    p: Floats
    critical: float
    half_widths: Floats
    confidence_level: float
    note: str = ""
    draws: int = 0
    monte_carlo_error: float = 0.0

    @property
    def significant(self) -> Bools:
        """Which pairs differ significantly: their intervals exclude zero."""
        return (self.low > 0) | (self.high < 0)


@dataclass(frozen=True, slots=True, eq=False)
class Yardstick:
    """A critical value and p-values for differences in standard errors."""

    confidence_level: float
    critical: float
    p: Callable[[Floats], Floats]
    note: str = ""
    draws: int = 0
    monte_carlo_error: float = 0.0


def pair_errors(covariance: Floats, pairs: Ints) -> Floats:
    """Return the standard errors of differences from the covariance of the estimates."""
    first, second = pairs.T
    variances = np.diag(covariance)
    squares = variances[first] + variances[second] - 2 * covariance[first, second]
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def compare_pairs(
    estimates: Floats, pairs: Ints, errors: Floats, yardstick: Yardstick
) -> PairComparisons:
    """Compare the differences of estimates with their standard errors."""
    differences = estimates[pairs[:, 0]] - estimates[pairs[:, 1]]
    is_equal = np.abs(differences) <= noise_level(estimates)
    if yardstick.note:
        errors = np.full(len(pairs), np.nan)
    t = np.full(len(pairs), np.nan)
    np.divide(differences, errors, out=t, where=~is_equal & (errors > 0))
    margins = yardstick.critical * errors
    columns = differences, errors, differences - margins, differences + margins
    p = np.where(is_equal, 1.0, yardstick.p(t))
    half_widths = comparison_half_widths(len(estimates), pairs, margins)
    settings = (
        yardstick.confidence_level,
        yardstick.note,
        yardstick.draws,
        yardstick.monte_carlo_error,
    )
    return PairComparisons(
        estimates, pairs, *columns, p, yardstick.critical, half_widths, *settings
    )


def comparison_half_widths(groups: int, pairs: Ints, margins: npt.ArrayLike) -> Floats:
    r"""Choose a half width for each group such that two of them add up to the pair's margin.

    The half widths solve :math:`w_i + w_j = d_{ij}` over all pairs by least squares:
    :math:`w_i = \{(k-1) d_{i\cdot} - \sum_{i<j} d_{ij}\} / \{(k-1)(k-2)\}`.

    References
    ----------
    .. [1] Y. Hochberg and A. C. Tamhane, "Multiple Comparison Procedures", 1987.
    """
    pair_margins = np.asarray(margins, dtype=np.float64)
    if len(pairs) < groups * (groups - 1) // 2:
        return np.full(groups, np.nan)
    if groups == 2:
        return np.repeat(pair_margins / 2, 2)
    sums = np.bincount(pairs.ravel(), np.repeat(pair_margins, 2), groups)
    return np.asarray(((groups - 1) * sums - pair_margins.sum()) / ((groups - 1) * (groups - 2)))


def mean_rank_tukey(groups: Groups, *, confidence_level: float = 0.95) -> PairComparisons:
    r"""Compare the mean ranks of all pairs of groups, as MATLAB does after Kruskal-Wallis.

    .. math:: \sigma^2 = \frac{N(N+1)}{12} - \frac{\sum(t^3 - t)}{12(N-1)}, \qquad
              se_{ij} = \sigma\sqrt{1/n_i + 1/n_j}, \qquad
              c = q_{k,\infty} / \sqrt 2

    Unlike most tests called Nemenyi's, ties reduce the variance.

    Parameters
    ----------
    groups
        As in `kruskal_wallis`: ``scores`` compares topics (Figure 4.1), ``scores.T`` systems.
    confidence_level
        The simultaneous confidence level of all intervals.

    Notes
    -----
    The groups are treated as independent. If they share blocks, `blocked_tukey` is more powerful
    (reading 19).

    References
    ----------
    .. [1] Y. Hochberg and A. C. Tamhane, "Multiple Comparison Procedures", 1987.

    Examples
    --------
    >>> result = mean_rank_tukey([[1, 2, 2, 3], [2, 3, 4, 4], [5, 5, 4, 5]])
    >>> result.differences.tolist(), result.p.round(4).tolist()
    ([-3.0, -7.125, -4.125], [0.4505, 0.0118, 0.2223])
    """
    share(confidence_level, "confidence_level")
    ranks = rank_groups(groups)
    pairs = all_pairs(len(ranks.n))
    errors = np.sqrt(max(ranks.variance, 0.0) * (1 / ranks.n[pairs]).sum(axis=1))
    yardstick = tukey_yardstick(confidence_level, len(ranks.n), np.inf)
    return compare_pairs(ranks.mean_ranks, pairs, errors, yardstick)


def blocked_tukey(scores: npt.ArrayLike, *, confidence_level: float = 0.95) -> PairComparisons:
    r"""Compare all pairs of columns, with the rows as blocks.

    The additive model of `two_way_anova` is fitted to the filled cells; differences of
    least-squares means are compared with :math:`q_{k,\nu} / \sqrt 2` standard errors. On a
    complete matrix that is Tukey's exact procedure; with missing values it is Kramer's
    extension, which is slightly conservative (`simultaneous_intervals` is not).

    Parameters
    ----------
    scores
        Rows are blocks (topics), columns are compared (systems); NaN is a missing value.
    confidence_level
        The simultaneous confidence level of all intervals.

    References
    ----------
    .. [1] C. Y. Kramer, "Extension of multiple range tests to group correlated adjusted
       means", Biometrics 13, 1957.

    Examples
    --------
    >>> result = blocked_tukey([[1, 2, 4], [2, 4, 4], [5, float("nan"), 8], [3, 5, 6]])
    >>> result.p.round(4).tolist()
    [0.0146, 0.0011, 0.0877]
    """
    return simultaneous_intervals(scores, confidence_level=confidence_level, method="tukey")


def tukey_yardstick(
    confidence_level: float, n_groups: int, df: float, *, note: str = ""
) -> Yardstick:
    """Return Tukey's critical value and p-values."""
    critical = np.nan if note else tukey_critical(confidence_level, n_groups, df)
    return Yardstick(confidence_level, critical, lambda t: tukey_p(t, n_groups, df), note)


Method = Literal["auto", "tukey", "simulate"]

# Directions drawn at once, and bins of the histogram of their largest contrasts.
_BATCH_DIRECTIONS = 4096
_HISTOGRAM_BINS = 2000
# The relative rounding error of equal standard errors.
_ROUNDING_TOLERANCE = 1e-12


def simultaneous_intervals(
    scores: npt.ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: Method = "auto",
    baseline: int | None = None,
    draws: int = 100_000,
    rng: Rng | None = None,
) -> PairComparisons:
    r"""Return simultaneous intervals for differences of columns, with the rows as blocks.

    Least-squares means are compared as in `blocked_tukey`, but the critical value is the quantile
    of :math:`\max |t_{ij}|` for the actual pattern of missing values. The
    contrasts are normal with a known correlation over a common estimate of the variance, so
    :math:`\max|t| = \sqrt{d F}\, M(U)`: U is a random direction in the d = k - 1 dimensions of
    the contrasts, M the largest contrast in that direction, and F has the F distribution with
    d and ν degrees of freedom. Only directions are drawn; the rest is computed:

    .. math:: P(\max|t| \ge c) \approx \frac1B \sum_b P\left(F_{d,\nu} \ge
              \frac{c^2}{d\,M(U_b)^2}\right)

    which is several times more precise than simulating everything, and can give p-values far
    below 1/B.

    Parameters
    ----------
    scores
        Rows are blocks (topics), columns are compared (systems); NaN is a missing value.
    confidence_level
        The simultaneous confidence level of all intervals.
    method
        ``"simulate"``, ``"tukey"`` (as `blocked_tukey`), or ``"auto"``: Tukey's exact value on a
        complete matrix, otherwise simulation.
    baseline
        Compare all other columns only with this one (Dunnett's comparisons).
    draws
        The number of directions to draw.
    rng
        Generator or seed.

    Notes
    -----
    `monte_carlo_error` is the standard error of `critical`. One run of 12,616 plain draws, as in
    the papers, has a standard error of about 0.02 (reading 14).

    References
    ----------
    .. [1] D. Edwards and J. J. Berry, "The efficiency of simulation-based multiple
       comparisons", Biometrics 43, 1987.
    .. [2] A. Genz and F. Bretz, "Computation of Multivariate Normal and t Probabilities", 2009.

    Examples
    --------
    >>> nan = float("nan")
    >>> scores = [[1, 2, 4], [2, 4, 4], [5, nan, 8], [3, 5, 6]]
    >>> result = simultaneous_intervals(scores, draws=10_000)
    >>> result.p.round(3).tolist(), round(result.critical, 2), result.draws
    ([0.015, 0.001, 0.087], 3.25, 10000)
    """
    share(confidence_level, "confidence_level")
    check_choice(method, "method", Method)
    table = matrix(scores, "scores")
    n_groups = table.shape[1]
    if n_groups < 2:
        raise InputError(f"`scores` has {n_groups} columns", hint="give at least two")
    fit = two_way_anova(table)
    if baseline is None:
        pairs = all_pairs(n_groups)
    elif 0 <= baseline < n_groups:
        other_groups = np.delete(np.arange(n_groups), baseline)
        pairs = np.column_stack([other_groups, np.full(n_groups - 1, baseline)])
    else:
        raise NotFoundError(f"no column {baseline}", hint=f"give a number from 0 to {n_groups - 1}")
    errors = pair_errors(fit.first.covariance, pairs)
    has_exact_method = method == "tukey" or (method == "auto" and fit.balanced)
    if fit.note or (has_exact_method and baseline is None):
        yardstick = tukey_yardstick(confidence_level, n_groups, fit.residual_df, note=fit.note)
    elif method == "tukey":
        raise InputError("Tukey's method compares all pairs", hint="leave `baseline` out")
    else:
        if draws < 100:
            raise InputError(f"{draws} draws are too few", hint="give at least 100")
        contrast_distribution = draw_contrasts(
            fit.first.covariance, pairs, errors, draws, generator(rng)
        )
        yardstick = contrast_distribution.yardstick(confidence_level, fit.residual_df)
    return compare_pairs(fit.first.means, pairs, errors, yardstick)


@dataclass(frozen=True, slots=True, eq=False)
class _ContrastDistribution:
    """The distribution of the largest contrast over directions, as a fine histogram."""

    size: Floats
    weight: Floats
    dimensions: int
    draws: int

    def tail(self, critical: float, df: float) -> Floats:
        """Return the probability that the largest t exceeds the critical value, for each bin."""
        return fdtrc(self.dimensions, df, critical**2 / (self.dimensions * self.size**2))

    def p(self, t: Floats, df: float) -> Floats:
        if len(t) > _HISTOGRAM_BINS:
            # Interpolate many values on a grid, which is fine enough for the digits that matter.
            grid = np.linspace(0, np.abs(t).max(), _HISTOGRAM_BINS)
            log_p = np.log(np.maximum(self.p(grid, df), 1e-300))
            return np.exp(np.interp(np.abs(t), grid, log_p))
        return np.array([float(self.weight @ self.tail(abs(value), df)) for value in t])

    def yardstick(self, confidence_level: float, df: float) -> Yardstick:
        """Find the critical value and its Monte Carlo error."""

        def excess(critical: float) -> float:
            return float(self.weight @ self.tail(critical, df)) - (1 - confidence_level)

        from scipy.optimize import brentq

        critical = float(brentq(excess, 1e-3, 1e6, xtol=1e-10))
        tail_probabilities = self.tail(critical, df)
        variance = float(self.weight @ (tail_probabilities - self.weight @ tail_probabilities) ** 2)
        slope = (excess(critical * 0.999) - excess(critical * 1.001)) / (0.002 * critical)
        error = (variance / self.draws) ** 0.5 / slope
        return Yardstick(confidence_level, critical, lambda t: self.p(t, df), "", self.draws, error)


def draw_contrasts(
    covariance: Floats, pairs: Ints, errors: Floats, draws: int, rng: np.random.Generator
) -> _ContrastDistribution:
    """Draw directions and collect the distribution of the largest contrasts."""
    from scipy.linalg import helmert

    # Without the dimension of the common mean. The symmetric root is unique, whereas eigenvectors
    # of equal eigenvalues, as in balanced data, depend on the machine.
    contrasts = helmert(len(covariance))
    eigenvalues, eigenvectors = np.linalg.eigh(contrasts @ covariance @ contrasts.T)
    covariance_root = (
        contrasts.T @ (eigenvectors * np.sqrt(np.maximum(eigenvalues, 0.0))) @ eigenvectors.T
    )
    sizes, compared_contrasts = np.empty(draws), _Contrasts.of(len(covariance_root), pairs, errors)
    for start in range(0, draws, _BATCH_DIRECTIONS):
        directions = rng.standard_normal(
            (min(_BATCH_DIRECTIONS, draws - start), covariance_root.shape[1])
        )
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        sizes[start : start + _BATCH_DIRECTIONS] = compared_contrasts.largest(
            directions @ covariance_root.T
        )
    # Replacing the sizes in each narrow bin by their mean barely changes p-values.
    edges = np.linspace(sizes.min(), sizes.max(), _HISTOGRAM_BINS + 1)
    bins = np.clip(np.searchsorted(edges, sizes, side="right") - 1, 0, _HISTOGRAM_BINS - 1)
    counts, sums = np.bincount(bins), np.bincount(bins, sizes)
    is_filled = counts > 0
    bin_shares = counts[is_filled] / draws
    return _ContrastDistribution(
        sums[is_filled] / counts[is_filled], bin_shares, covariance_root.shape[1], draws
    )


class _Contrasts(NamedTuple):
    """Groups of columns with the same errors against all others: only their extremes matter."""

    order: Ints
    starts: Ints
    # Between two groups or within one; infinite if they are not compared.
    errors: Floats

    @classmethod
    def of(cls, n_columns: int, pairs: Ints, errors: Floats) -> "_Contrasts":
        table = np.full((n_columns, n_columns), np.inf)
        first, second = pairs.T
        table[first, second] = table[second, first] = _merge_rounded_errors(errors)
        groups: list[list[int]] = []
        for column in range(n_columns):
            for group in groups:
                is_equal = table[group[0]] == table[column]
                is_equal[[group[0], column]] = True
                if is_equal.all():
                    group.append(column)
                    break
            else:
                groups.append([column])
        starts = np.cumsum([0, *map(len, groups[:-1])])
        between_groups = table[
            np.ix_([group[0] for group in groups], [group[-1] for group in groups])
        ]
        return cls(np.concatenate(groups), starts, between_groups)

    def largest(self, points: Floats) -> Floats:
        """Find the largest contrast of each point, in units of its error."""
        points, max_differences = points[:, self.order], np.zeros(len(points))
        group_maxima, group_minima = (
            f.reduceat(points, self.starts, axis=1) for f in (np.maximum, np.minimum)
        )
        for group, errors in enumerate(self.errors):
            upward, downward = (
                group_maxima[:, group:] - group_minima[:, group, None],
                group_maxima[:, group, None] - group_minima[:, group:],
            )
            np.maximum(
                max_differences,
                (np.maximum(upward, downward) / errors[group:]).max(axis=1),
                out=max_differences,
            )
        return max_differences


def _merge_rounded_errors(errors: Floats) -> Floats:
    """Make errors that differ only by rounding equal."""
    order = np.argsort(errors)
    sorted_errors = errors[order]
    is_distinct = np.diff(sorted_errors, prepend=-1) > _ROUNDING_TOLERANCE * sorted_errors
    merged_errors = np.empty_like(errors)
    merged_errors[order] = sorted_errors[is_distinct][np.cumsum(is_distinct) - 1]
    return merged_errors
