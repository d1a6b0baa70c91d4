"""Linear mixed models: systems are fixed; topics, assessors and runs are random."""

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from pyramidion._types import Bools, Floats, Ints, Pairs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._mixed_equations import Equations, FactoredEquations, lies_within
from pyramidion.stats.anova import Labels, code_labels
from pyramidion.stats.inputs import Rng, generator, vector
from pyramidion.stats.multiple_comparisons import draw_contrasts, pair_errors
from pyramidion.stats.pairs import all_pairs, noise_level

# A mean square that is only rounding noise, for scores of at most 1.
_MAX_RESIDUAL_NOISE = 1e-11
# The relative spread of an effect that is practically fixed.
_FIXED_SPREAD = 1e3
# With more degrees of freedom, t is normal.
_MAX_DF = 1e9

#: P-values below which an interaction counts as shown, or as hinted at.
MAX_P_SHOWN, MAX_P_HINTED = 0.01, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class MixedPairs:
    """Wald tests of pairs of systems (positions in rows) under a mixed model.

    `p_adjusted` is single-step, from the distribution of the largest absolute t. Pairs whose `p` is
    at most `level` are significant after this correction.
    """

    pairs: Pairs
    differences: Floats
    standard_errors: Floats
    df: Floats
    t: Floats
    p: Floats
    p_adjusted: Floats
    level: float = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class MixedModel:
    """A fitted mixed model: least-squares means, their covariance, and variances by effect.

    An ordinal model is on the scale of log odds: means are relative to the mean threshold, and
    thresholds to the first system. The log-likelihood is restricted (linear) or Laplace's
    (ordinal).
    """

    levels: tuple[Hashable, ...]
    n: Ints
    means: Floats
    covariance: Floats
    variances: Mapping[str, float]
    log_likelihood: float
    categories: tuple[float, ...] = ()
    thresholds: Floats = field(default_factory=lambda: np.zeros(0))
    threshold_errors: Floats = field(default_factory=lambda: np.zeros(0))
    notes: tuple[str, ...] = ()
    # Derivatives of the covariance by the variance parameters, and the covariance of these; and
    # an upper bound of the degrees of freedom.
    _slopes: Floats = field(default_factory=lambda: np.zeros((0, 0, 0)))
    _spread: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    _df: float = math.inf
    # The log-likelihood without another program's approximation, if `log_likelihood` uses that.
    _exact: float = math.nan

    @property
    def exact_log_likelihood(self) -> float:
        """The log-likelihood for comparing models of the same scores."""
        return self.log_likelihood if math.isnan(self._exact) else self._exact

    @property
    def standard_errors(self) -> Floats:
        """Standard errors of the means."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def effects(self) -> Floats:
        """Differences from the first system."""
        return np.asarray(self.means - self.means[0])

    @property
    def effect_errors(self) -> Floats:
        """Standard errors of the effects."""
        indices = np.arange(len(self.means))
        return pair_errors(self.covariance, np.column_stack([indices, 0 * indices]))

    def intervals(self, confidence_level: float = 0.95) -> tuple[Floats, Floats]:
        """Return a t interval for each mean."""
        slopes = np.diagonal(self._slopes, axis1=1, axis2=2)
        df = self._degrees_of_freedom(np.diag(self.covariance), slopes)
        half_width = stdtrit(df, (1 + confidence_level) / 2) * self.standard_errors
        return self.means - half_width, self.means + half_width

    def pairwise(
        self,
        pairs: Pairs | None = None,
        *,
        alpha: float = 0.05,
        draws: int | None = None,
        rng: Rng | None = None,
    ) -> MixedPairs:
        """Test pairs of systems (two positions per row); by default, all pairs.

        P-values are corrected by the multivariate t distribution of the differences. If pairs
        differ in degrees of freedom, each keeps its own p-value and the largest number is used for
        the joint distribution, which is conservative. `draws` is the number of directions, as in
        `simultaneous_intervals`: 20,000 by default, and fewer for more than 20,000 pairs.
        """
        pair_array = (
            all_pairs(len(self.means)) if pairs is None else np.asarray(pairs, dtype=np.intp)
        )
        first, second = pair_array.T
        differences = self.means[first] - self.means[second]
        errors = pair_errors(self.covariance, pair_array)
        slopes = self._slopes
        variance_slopes = (
            slopes[:, first, first] + slopes[:, second, second] - 2 * slopes[:, first, second]
        )
        df = self._degrees_of_freedom(errors**2, variance_slopes)
        t = np.full(len(pair_array), np.nan)
        np.divide(differences, errors, out=t, where=errors > 0)
        t[(errors == 0) & (differences == 0)] = 0.0
        p = 2 * stdtr(df, -np.abs(t))
        p_adjusted, level = p.copy(), alpha
        if len(pair_array) > 1 and (errors > 0).all():
            max_df = float(df.max())
            draws = draws or max(2000, min(20_000, 400_000_000 // len(pair_array)))
            contrast_distribution = draw_contrasts(
                self.covariance, pair_array, errors, draws, generator(rng)
            )
            equivalent_t = np.maximum(-stdtrit(max_df, np.maximum(p, 1e-300) / 2), 0.0)
            p_adjusted = np.maximum(
                p, np.minimum(contrast_distribution.p(equivalent_t, max_df), 1.0)
            )
            level = 2 * float(
                stdtr(max_df, -contrast_distribution.yardstick(1 - alpha, max_df).critical)
            )
        return MixedPairs(pair_array, differences, errors, df, t, p, p_adjusted, level)

    def _degrees_of_freedom(self, variance: Floats, variance_slopes: Floats) -> Floats:
        """Return Satterthwaite's degrees of freedom: 2 variance² / var(variance)."""
        variance_of_variance = np.einsum(
            "kc,kl,lc->c", variance_slopes, self._spread, variance_slopes
        )
        max_df = min(self._df, _MAX_DF)
        df = np.full(len(variance), max_df)
        np.divide(2 * variance**2, variance_of_variance, out=df, where=variance_of_variance > 0)
        return np.asarray(np.clip(df, 1.0, max_df))


@dataclass(frozen=True, slots=True, eq=False)
class ScoredLevels:
    """Scores with their levels in every factor; factors with the most levels come first."""

    y: Floats
    system: Ints
    levels: tuple[Hashable, ...]
    names: tuple[str, ...]
    codes: tuple[Ints, ...]
    sizes: tuple[int, ...]
    notes: tuple[str, ...]

    @property
    def random(self) -> tuple[tuple[Ints, ...], tuple[int, ...]]:
        """Codes and sizes of the random effects; without any, a dummy with a single level."""
        if self.codes:
            return self.codes, self.sizes
        return (np.zeros(len(self.y), dtype=np.int64),), (1,)


def read_scored(
    values: npt.ArrayLike, system: Labels, random: Mapping[str, Labels]
) -> ScoredLevels:
    """Check the input, and leave out random effects that cannot be estimated."""
    y = vector(values, "values", min_size=2)
    if np.abs(y).max() > 1e50:
        raise InputError("`values` has values above 1e50", hint="rescale them")
    for name, labels in (("system", system), *random.items()):
        if len(labels) != len(y):
            raise ShapeError(f"`{name}` has {len(labels)} labels for {len(y)} values")
    system_codes, levels = code_labels(system)
    factors: list[tuple[int, str, Ints]] = []
    notes = []
    for name, labels in random.items():
        codes, names = code_labels(labels)
        reason = _why_not_estimable(
            codes, len(names), system_codes, len(levels), [other for *_, other in factors]
        )
        if reason:
            notes.append(f"{name} has no random effect: {reason}")
        else:
            factors.append((len(names), name, codes))
    factors.sort(key=lambda factor: -factor[0])
    return ScoredLevels(
        y, system_codes, levels,
        tuple(name for _, name, _ in factors),
        tuple(codes for *_, codes in factors),
        tuple(size for size, *_ in factors),
        tuple(notes),
    )  # fmt: skip


def _why_not_estimable(
    codes: Ints, size: int, system_codes: Ints, n_systems: int, earlier_codes: Sequence[Ints]
) -> str:
    """Say why a random effect cannot be estimated; empty if it can."""
    if size < 2:
        return "it has only one level"
    if size == len(codes):
        return "each score has its own level"
    if len(np.unique(system_codes * size + codes)) == n_systems:
        return "each system has only one level"
    for earlier in earlier_codes:
        if size == earlier.max() + 1 and lies_within(codes, earlier):
            return "it coincides with another"
    return ""


def zero_variance_notes(data: ScoredLevels, spreads: Floats) -> list[str]:
    """Describe the random effects whose variance is estimated at 0."""
    zero_effects = (name for name, spread in zip(data.names, spreads, strict=True) if not spread)
    return [f"the variance of {name} is estimated at 0" for name in zero_effects]


def max_df_within_systems(data: ScoredLevels) -> float:
    """Return the largest degrees of freedom, from the levels of random effects within systems.

    These limit it even if their variance is estimated at 0, because the estimate may be wrong. An
    interaction with systems has fewer, because its other factor, such as assessors, uses some.
    """
    n_systems, max_df = len(data.levels), float(len(data.y) - len(data.levels))
    are_nested = [lies_within(codes, data.system) for codes in data.codes]
    crossed_codes = [
        codes for codes, is_nested in zip(data.codes, are_nested, strict=True) if not is_nested
    ]
    for codes, size, is_nested in zip(data.codes, data.sizes, are_nested, strict=True):
        if is_nested:
            spans_systems = any(lies_within(codes, other) for other in crossed_codes)
            max_df = min(max_df, (size - n_systems) * (1 - spans_systems / n_systems))
    return max(max_df, 1.0)


def linear_mixed_model(
    values: npt.ArrayLike,
    system: Labels,
    *,
    random: Mapping[str, Labels],
    blocks: Collection[str] = (),
) -> MixedModel:
    r"""Fit systems as fixed and everything else as random effects, by REML.

    .. math:: y = \beta_{s} + \sum_k b_k + \varepsilon, \qquad
              b_k \sim N(0, \sigma_k^2), \quad \varepsilon \sim N(0, \sigma^2)

    Random effects may be crossed or nested, and cells may be missing. With
    :math:`\theta_k = \sigma_k / \sigma` the restricted likelihood is a function of θ alone.
    The random effect with most levels is eliminated analytically, so the cost depends on the
    levels of the other factors and the systems. P-values of pairs use Satterthwaite's degrees of
    freedom.

    Parameters
    ----------
    values
        The scores.
    system
        The system of each score.
    random
        For each random effect, such as ``topic``, the level of each score. Equal labels are the
        same level: the runs of a system need labels like ``(system, run)``.
    blocks
        The random effects to treat as fixed, by a very large variance.

    Notes
    -----
    Agrees with lme4's ``lmer(y ~ 0 + system + (1 | topic) + ...)`` and lmerTest's degrees of
    freedom. A variance may be estimated at 0; `notes` says so, and it is then treated as known.

    References
    ----------
    .. [1] D. Bates, M. Mächler, B. Bolker and S. Walker, "Fitting linear mixed-effects models
       using lme4", Journal of Statistical Software 67, 2015.
    .. [2] A. Kuznetsova, P. B. Brockhoff and R. H. B. Christensen, "lmerTest package: tests in
       linear mixed effects models", Journal of Statistical Software 82, 2017.

    Examples
    --------
    >>> scores = [3, 5, 2, 3, 4, 5, 1, 3, 2, 4, 2, 2]
    >>> model = linear_mixed_model(scores, list("AB" * 6), random={"topic": list("112233445566")})
    >>> model.means.round(3).tolist(), {k: round(v, 3) for k, v in model.variances.items()}
    ([2.333, 3.667], {'topic': 0.933, 'residual': 0.333})
    >>> result = model.pairwise()
    >>> result.df.round(2).tolist(), result.p.round(4).tolist()
    ([5.0], [0.0103])
    """
    data = read_scored(values, system, random)
    if len(data.y) <= len(data.levels):
        raise InputError("each system has only one score", hint="the model needs more scores")
    is_free = np.array([name not in blocks for name in data.names], dtype=bool)
    likelihood = _RestrictedLikelihood(data, is_free)
    if likelihood.constant:
        return likelihood.exact_fit("each system's scores are all equal", 0.0)
    theta = likelihood.minimize_deviance()
    if likelihood.solve_at(theta)[2] <= _MAX_RESIDUAL_NOISE * len(data.y):
        return likelihood.exact_fit("the model leaves no residuals", math.nan)
    return likelihood.model(theta)


def differentiate(function: Callable[[Floats], Any], theta: Floats, size: float = 1e-4) -> Floats:
    """Differentiate a function, perhaps array-valued, numerically by each of its parameters."""
    slopes = []
    for k, value in enumerate(theta):
        step = np.where(np.arange(len(theta)) == k, size * max(abs(value), 0.3), 0.0)
        slopes.append((function(theta + step) - function(theta - step)) / (2 * step[k]))
    return np.array(slopes)


#: The equations of a linear model at some spreads, their solution, and the residual squares.
_Solution = tuple[FactoredEquations, Floats, float]


class _RestrictedLikelihood:
    """The restricted likelihood of a linear mixed model, as a function of relative spreads."""

    def __init__(self, data: ScoredLevels, is_free: Bools) -> None:
        self.data, self.free = data, is_free
        self.n, self.systems = np.bincount(data.system), len(data.levels)
        codes, sizes = data.random
        self.equations = Equations((*codes, data.system), (*sizes, self.systems), n_random=1)
        self.tables = self.equations.tables(np.ones(len(data.y)))
        self.centers = np.bincount(data.system, data.y) / self.n
        y = data.y - self.centers[data.system]
        # Scaled, so that squares of scores neither overflow nor underflow.
        self.unit = float(np.abs(y).max()) or 1.0
        self.constant = self.unit <= noise_level(data.y) or not y.any()
        self.y = y / self.unit
        self.sums = self.equations.sum_by_level(self.y)
        n_effects = sum(
            size - 1 for size, is_free in zip(data.sizes, is_free, strict=True) if not is_free
        )
        self.left = max(len(y) - self.systems - n_effects, 1)
        # The curvature barely changes in the last steps.
        self._known = np.zeros(len(is_free)), np.zeros((0, 0))

    def solve_at(self, theta: Floats) -> _Solution:
        """Solve the equations at some spreads."""
        spreads = self.equations.spreads(theta)
        factorization = FactoredEquations(self.equations, self.tables, spreads)
        solution = factorization.solve(spreads * self.sums)
        residuals = self.y - self.equations.effects(spreads * solution)
        random_effects = solution[: -self.systems]
        return (
            factorization,
            solution,
            max(float(residuals @ residuals + random_effects @ random_effects), 1e-300),
        )

    def slopes(self, solution_parts: _Solution, theta: Floats, variance: float) -> Floats:
        """Return the derivatives of the deviance by the spreads, given the variance."""
        factorization, solution, _ = solution_parts
        traces, slopes = factorization.traces(), np.zeros(len(theta))
        for k in np.flatnonzero(theta).tolist():
            effects = solution[self.equations.blocks[k]]
            slopes[k] = self.data.sizes[k] - traces[k] - effects @ effects / variance
            slopes[k] *= 2 / theta[k]
        return slopes

    def deviance(self, theta: Floats) -> tuple[float, Floats]:
        """Return -2 log-likelihood, with the variance profiled out, and its derivatives."""
        try:
            solution = self.solve_at(theta)
        except np.linalg.LinAlgError:  # Spreads so large that adding 1 has no effect.
            return math.inf, np.zeros(len(theta))
        variance = solution[2] / self.left
        minus_twice_likelihood = solution[0].log_determinant + self.left * (
            1 + math.log(2 * math.pi * variance)
        )
        return minus_twice_likelihood, self.slopes(solution, theta, variance)

    def minimize_deviance(self) -> Floats:
        """Minimize the deviance over the free spreads, and set small ones to 0 if as good."""
        from scipy.optimize import minimize

        theta = np.where(self.free, 1.0, _FIXED_SPREAD)
        if not self.free.any():
            return theta

        def free_deviance(free_values: Floats) -> tuple[float, Floats]:
            deviance, slopes = self.deviance(self._with(theta, free_values))
            return deviance, slopes[self.free]

        free_minimum = minimize(
            free_deviance, theta[self.free], jac=True, method="BFGS", options={"gtol": 1e-4}
        ).x
        theta = self._with(theta, np.abs(free_minimum))
        for k in np.flatnonzero(self.free & (theta < 0.05)):
            reduced_theta = np.where(np.arange(len(theta)) == k, 0.0, theta)
            if self.deviance(reduced_theta)[0] <= self.deviance(theta)[0] + 1e-7:
                theta = reduced_theta
        return self._refined(theta)

    def _with(self, theta: Floats, free_values: Floats) -> Floats:
        full_theta = theta.copy()
        full_theta[self.free] = free_values
        return full_theta

    def _refined(self, theta: Floats) -> Floats:
        """Refine the minimum by Newton steps with a fixed curvature."""
        positive_indices = np.flatnonzero((theta > 0) & self.free)
        deviance, slopes = self.deviance(theta)
        # The variance is profiled out, and with it its part of the curvature.
        inverse_curvature = np.linalg.pinv(self.information(theta), hermitian=True)[:-1, :-1]
        for _ in range(8 if len(positive_indices) else 0):
            step = np.zeros(len(theta))
            step[positive_indices] = inverse_curvature @ slopes[positive_indices]
            new_theta = np.abs(theta - step)
            new_deviance, new_slopes = self.deviance(new_theta)
            if not new_deviance <= deviance + 1e-9 * abs(deviance):
                break
            theta, deviance, slopes = new_theta, new_deviance, new_slopes
            if np.abs(step).max() < 1e-8:
                break
        return theta

    def information(self, theta: Floats) -> Floats:
        """Return the second derivatives of the deviance by positive spreads and sigma."""
        cached_theta, cached_information = self._known
        if len(cached_information) and np.abs(theta - cached_theta).max(initial=0.0) <= 1e-6:
            return cached_information
        (_, solution, residual), positive_indices = (
            self.solve_at(theta),
            np.flatnonzero((theta > 0) & self.free),
        )
        variance = residual / self.left
        information = np.empty((len(positive_indices) + 1, len(positive_indices) + 1))

        def slopes(free_theta: Floats) -> Floats:
            full_theta = theta.copy()
            full_theta[positive_indices] = free_theta
            return self.slopes(self.solve_at(full_theta), full_theta, variance)[positive_indices]

        curvature = differentiate(slopes, theta[positive_indices]).reshape(
            len(positive_indices), len(positive_indices)
        )
        information[:-1, :-1] = (curvature + curvature.T) / 2
        effects = [solution[self.equations.blocks[k]] for k in positive_indices.tolist()]
        squares = np.array([float(np.sum(effect**2)) for effect in effects])
        information[-1, :-1] = 4 * squares / (theta[positive_indices] * variance**1.5)
        information[:-1, -1] = information[-1, :-1]
        information[-1, -1] = 4 * self.left / variance
        self._known = theta, information
        return information

    def exact_fit(self, reason: str, variance: float) -> MixedModel:
        """Return the means of scores without residuals, whose standard errors are undefined."""
        return MixedModel(
            self.data.levels, self.n, self.centers, np.zeros((self.systems, self.systems)),
            dict.fromkeys((*self.data.names, "residual"), variance), math.nan,
            notes=(*self.data.notes, f"{reason}, so nothing can be tested"),
            _slopes=np.zeros((0, self.systems, self.systems)),
        )  # fmt: skip

    def model(self, theta: Floats) -> MixedModel:
        """Return the model at the relative spreads."""
        factorization, solution, residual = self.solve_at(theta)
        variance, squared_unit = residual / self.left, self.unit**2
        columns = factorization.last_columns(self.systems)
        covariance = columns[-self.systems :]
        slopes = [2 * math.sqrt(variance) * covariance]
        for k in np.flatnonzero((theta > 0) & self.free)[::-1].tolist():
            block = columns[self.equations.blocks[k]]
            slopes.insert(0, 2 * variance / theta[k] * (block.T @ block))
        variances = (squared_unit * variance * np.append(theta**2, 1.0)).tolist()
        return MixedModel(
            self.data.levels, self.n, self.centers + self.unit * solution[-self.systems :],
            squared_unit * variance * covariance,
            dict(zip((*self.data.names, "residual"), variances, strict=True)),
            -self.deviance(theta)[0] / 2 - self.left * math.log(self.unit),
            notes=(*self.data.notes, *zero_variance_notes(self.data, theta)),
            _slopes=squared_unit * np.array(slopes), _df=max_df_within_systems(self.data),
            _spread=2 * np.linalg.pinv(self.information(theta), hermitian=True).astype(np.float64),
        )  # fmt: skip
