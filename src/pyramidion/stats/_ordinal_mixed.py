"""Ordinal mixed models: cumulative logits of judgments, with systems fixed, the rest random."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.stats._mixed import (
    MixedModel,
    ScoredLevels,
    differentiate,
    max_df_within_systems,
    read_scored,
    zero_variance_notes,
)
from pyramidion.stats._mixed_equations import Equations, FactoredEquations
from pyramidion.stats.anova import Labels

# Larger estimates count as infinite (odds of e^30), and longer scales are rejected.
_MAX_ESTIMATE, _MAX_CATEGORIES = 30.0, 20
# The maximum number of cells of a table of random effects that fits in memory.
_MAX_TABLE_CELLS = 100_000_000
# The maximum number of steps to the mode of the random effects, and of parameters for numerical
# curvature.
_MAX_STEPS, _MAX_FREE_PARAMETERS = 100, 40


def ordinal_mixed_model(
    values: npt.ArrayLike, system: Labels, *, random: Mapping[str, Labels]
) -> MixedModel:
    r"""Fit a cumulative logit model to judgments on a scale, with random effects.

    .. math:: \operatorname{logit} P(Y \le j) = \alpha_j - \beta_s - \sum_k b_k, \qquad
              b_k \sim N(0, \sigma_k^2)

    The steps of the scale need not be equally wide. The random effects are integrated out by
    Laplace's approximation.

    Parameters
    ----------
    values
        The judgments; their distinct values are the categories, in increasing order.
    system
        The system of each judgment.
    random
        As in `linear_mixed_model`.

    Notes
    -----
    Agrees with ordinal's ``clmm(y ~ system + (1 | topic) + ...)``. Wald tests of pairs use t with
    the residual degrees of freedom, or with those of the levels of random effects within systems,
    such as runs, if these are fewer. If some systems were never judged below the others, the
    estimates are infinite, which is an error.

    References
    ----------
    .. [1] R. H. B. Christensen, "Cumulative link models for ordinal regression with the R
       package ordinal", 2018.

    Examples
    --------
    >>> judgments = [3, 4, 2, 3, 4, 5, 1, 3, 2, 4, 2, 2, 3, 3, 2, 5]
    >>> topics = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]
    >>> model = ordinal_mixed_model(judgments, list("AB" * 8), random={"topic": topics})
    >>> model.categories, model.thresholds.round(2).tolist()
    ((1.0, 2.0, 3.0, 4.0, 5.0), [-2.88, 0.67, 3.16, 5.18])
    >>> model.effects.round(3).tolist(), model.pairwise().p.round(3).tolist()
    ([0.0, 3.403], [0.093])
    """
    data = read_scored(values, system, random)
    categories, y = np.unique(data.y, return_inverse=True)
    _require_scale(data, categories, y)
    likelihood = _Laplace(data, y.astype(np.int64), len(categories))
    return likelihood.model(tuple(categories.tolist()))


def _curvature(function: Callable[[Floats], float], theta: Floats) -> Floats:
    """Return the matrix of numerical second derivatives of a function."""
    curvature = np.zeros((len(theta), len(theta)))
    for k in range(len(theta)):

        def row_slopes(parameter: Floats, k: int = k) -> Floats:
            # Only by the parameters up to this one, because the matrix is symmetric.
            point = np.append(theta[:k], parameter)
            return differentiate(
                lambda parameters: function(np.append(parameters, theta[k + 1 :])), point, 2e-3
            )

        start = theta[k : k + 1]
        curvature[k, : k + 1] = curvature[: k + 1, k] = differentiate(row_slopes, start, 2e-3)[0]
    return curvature


def _require_scale(data: ScoredLevels, categories: Floats, y: Ints) -> None:
    if len(categories) < 2:
        raise InputError("all judgments are the same", hint="an ordinal model needs two categories")
    if len(categories) > _MAX_CATEGORIES:
        message = f"there are {len(categories)} different values, too many for a scale of judgments"
        raise InputError(message, hint="use the linear model")
    if len(data.levels) < 2:
        raise InputError("there is only one system", hint="give at least two")
    lowest, highest = np.full(len(data.levels), len(categories)), np.full(len(data.levels), -1)
    np.minimum.at(lowest, data.system, y)
    np.maximum.at(highest, data.system, y)
    for value in range(len(categories)):
        is_below, is_above = highest <= value, lowest >= value
        if (is_below | is_above).all() and is_below.any() and is_above.any():
            lower_system = data.levels[int(np.argmax(is_below))]
            upper_system = next(
                s for i, s in enumerate(data.levels) if is_above[i] and s != lower_system
            )
            lower_system, upper_system = (
                level[-1] if isinstance(level, tuple) else level
                for level in (lower_system, upper_system)
            )
            raise InputError(
                f"{upper_system} was never judged below {categories[value]:g} and {lower_system} "
                "never above: they are separated perfectly, so the ordinal model has no finite "
                "estimate",
                hint="use a permutation test (no --model), or leave one of them out (--exclude)",
            )


@dataclass(slots=True, eq=False)
class _Mode:
    """The conditional mode of the random effects, and derivatives there."""

    gradient: Floats
    curve: Floats
    third: Floats
    below: Floats
    above: Floats
    equations: FactoredEquations
    log_likelihood: float = math.nan


class _Laplace:
    """The Laplace approximation of the likelihood of a cumulative logit model.

    Parameters are the thresholds, the effects of all systems but the first, and the standard
    deviations of the random effects. P(Y = j) = F(a) F(-b) (1 - exp(b - a)), where a and b are
    the thresholds above and below j minus the linear predictor, so its logarithm is concave
    in the predictor and has simple derivatives.
    """

    def __init__(self, data: ScoredLevels, y: Ints, categories: int) -> None:
        self.data, self.y, self.bounds = data, y, categories - 1
        self.equations = Equations(*data.random)
        if len(self.equations.rows) + self.equations.width**2 > _MAX_TABLE_CELLS:
            hint = "use the linear model, or fewer of them"
            raise InputError("there are too many random effects for the ordinal model", hint=hint)
        self.effects = len(data.levels) - 1
        #: The index of the first spread among the parameters.
        self.random = self.bounds + self.effects
        self.mode = np.zeros(sum(self.equations.sizes))

    def split(self, parameters: Floats) -> tuple[Floats, Floats, Floats]:
        thresholds, effects, spreads = np.split(parameters, [self.bounds, self.random])
        return thresholds, np.concatenate([[0.0], effects]), spreads

    def find_mode(self, parameters: Floats, *, imitates_clmm: bool = False) -> _Mode:
        """Find the mode of the random effects by Newton's method.

        With `imitates_clmm` it does what clmm does for a single random effect: Newton's method
        starts at 0 and stops at slopes below 1e-4, and the determinant is that before the last
        step.
        """
        thresholds, effects, theta = self.split(parameters)
        spreads = self.equations.spreads(theta)
        bounds = np.concatenate([[-np.inf], thresholds, [np.inf]])
        fixed_effects, gaps = effects[self.data.system], np.diff(thresholds)
        upper_bounds, lower_bounds = (
            bounds[self.y + 1] - fixed_effects,
            bounds[self.y] - fixed_effects,
        )
        inner_counts = np.bincount(self.y, minlength=self.bounds + 1)[1:-1]
        # A search step may cross thresholds; NaN rejects it.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            gap_term = inner_counts @ np.log(-np.expm1(-gaps))

        def joint_likelihood(mode: Floats) -> float:
            shift = self.equations.effects(spreads * mode)
            log_probabilities = log_expit(upper_bounds - shift) + log_expit(shift - lower_bounds)
            return float(log_probabilities.sum() - mode @ mode / 2)

        zero_mode = np.zeros(len(self.mode))
        mode = (
            zero_mode
            if imitates_clmm or joint_likelihood(zero_mode) > joint_likelihood(self.mode)
            else self.mode
        )
        likelihood, previous_state = joint_likelihood(mode), None
        for _ in range(_MAX_STEPS):
            state = self._state(upper_bounds, lower_bounds, mode, spreads)
            gradient = spreads * self.equations.sum_by_level(state.gradient) - mode
            if float(np.abs(gradient).max()) < (1e-4 if imitates_clmm else 1e-9):
                break
            step, step_size = state.equations.solve(gradient), 1.0
            while (
                new_likelihood := joint_likelihood(mode + step_size * step)
            ) < likelihood - 1e-12 * abs(likelihood) and step_size > 1e-6:
                step_size /= 2
            mode, likelihood, previous_state = mode + step_size * step, float(new_likelihood), state
        if not imitates_clmm:
            self.mode, previous_state = mode, state
        determinant = (previous_state or state).equations.log_determinant
        state.log_likelihood = likelihood + float(gap_term) - determinant / 2
        return state

    def _state(
        self, upper_bounds: Floats, lower_bounds: Floats, mode: Floats, spreads: Floats
    ) -> _Mode:
        shift = self.equations.effects(spreads * mode)
        upper_probability, lower_probability = (
            expit(upper_bounds - shift),
            expit(lower_bounds - shift),
        )
        density_above, density_below = (
            upper_probability * (1 - upper_probability),
            lower_probability * (1 - lower_probability),
        )
        curvature = density_above + density_below
        third_derivative = -(
            density_above * (1 - 2 * upper_probability)
            + density_below * (1 - 2 * lower_probability)
        )
        factorization = FactoredEquations(self.equations, self.equations.tables(curvature), spreads)
        return _Mode(
            upper_probability + lower_probability - 1,
            curvature,
            third_derivative,
            lower_probability,
            upper_probability,
            factorization,
        )

    def likelihood_and_slopes(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the log-likelihood and its derivatives by all parameters."""
        state = self.find_mode(parameters)
        thresholds, _, theta = self.split(parameters)
        spreads, leverage = state.equations.spreads, state.equations.leverage()
        weighted_sums = spreads * self.equations.sum_by_level(leverage * state.third)
        solution = state.equations.solve(weighted_sums)
        mode_effects = self.equations.effects(spreads * solution)
        # `mode_effects` are the effects of the moving mode on the determinant.
        score_slopes = state.gradient - (leverage * state.third - mode_effects * state.curve) / 2
        parameter_slopes = np.zeros(len(parameters))
        system_slopes = np.bincount(self.data.system, score_slopes, self.effects + 1)
        parameter_slopes[self.bounds : self.random] = system_slopes[1:]
        parameter_slopes[: self.bounds] = self._threshold_slopes(
            state, thresholds, leverage, mode_effects
        )
        traces = state.equations.traces()
        for k in np.flatnonzero(theta).tolist():
            block = self.equations.blocks[k]
            derivative = (self.mode[block] - solution[block]) @ self.mode[block]
            derivative += traces[k] - self.data.sizes[k]
            parameter_slopes[self.random + k] = derivative / theta[k]
        return state.log_likelihood, parameter_slopes

    def _threshold_slopes(
        self, state: _Mode, thresholds: Floats, leverage: Floats, mode_effects: Floats
    ) -> Floats:
        slopes = np.zeros(self.bounds + 2)
        for probability, offset, direct_slope in (
            (state.above, 1, 1 - state.above),
            (state.below, 0, -state.below),
        ):
            density = probability * (1 - probability)
            threshold_change = (
                direct_slope
                - (leverage * density * (1 - 2 * probability) + mode_effects * density) / 2
            )
            slopes += np.bincount(self.y + offset, threshold_change, self.bounds + 2)
        inner_counts = np.bincount(self.y, minlength=self.bounds + 1)[1:-1]
        boundary_slopes = inner_counts / np.expm1(np.diff(thresholds))
        slopes[2:-1] += boundary_slopes
        slopes[1:-2] -= boundary_slopes
        return slopes[1:-1]

    def maximize(self) -> tuple[Floats, Floats]:
        """Maximize the likelihood over log gaps of thresholds; also return the information."""
        from scipy.optimize import minimize

        gaps = slice(1, self.bounds)

        def to_parameters(free_values: Floats) -> Floats:
            steps = np.concatenate(
                [free_values[:1], np.exp(np.clip(free_values[gaps], -_MAX_ESTIMATE, 5))]
            )
            return np.concatenate([np.cumsum(steps), free_values[self.bounds :]])

        def negative_likelihood(free_values: Floats) -> tuple[float, Floats]:
            likelihood, slopes = self.likelihood_and_slopes(to_parameters(free_values))
            free_slope = slopes.copy()
            tail_sums = np.cumsum(slopes[: self.bounds][::-1])[::-1]
            free_slope[0] = tail_sums[0]
            free_slope[gaps] = tail_sums[1:] * np.exp(free_values[gaps])
            return -likelihood, -free_slope

        # Start with the thresholds of all scores together, no effects and spreads of 1.
        shares = np.cumsum(np.bincount(self.y))[:-1] / len(self.y)
        start = np.concatenate([np.zeros(self.random), np.ones(len(self.data.codes))])
        start[: self.bounds] = np.log(shares / (1 - shares)) * 1.2
        start[gaps] = np.log(np.diff(start[: self.bounds]))
        minimum = minimize(
            negative_likelihood, start, jac=True, method="BFGS", options={"gtol": 1e-5}
        )
        parameters = to_parameters(minimum.x)
        parameters[self.random :] = np.abs(parameters[self.random :])
        return self._refined(parameters)

    def _refined(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Set small spreads to 0 if as good, and refine the maximum by Newton steps."""
        best_likelihood = self.find_mode(parameters).log_likelihood
        for k in self.random + np.flatnonzero(parameters[self.random :] < 0.05):
            reduced_parameters = np.where(np.arange(len(parameters)) == k, 0.0, parameters)
            if self.find_mode(reduced_parameters).log_likelihood >= best_likelihood - 1e-7:
                parameters = reduced_parameters
        free_indices, information = self._free_indices(parameters), self._information(parameters)
        for _ in range(3):
            step = np.zeros(len(parameters))
            _, slopes = self.likelihood_and_slopes(parameters)
            step[free_indices] = np.linalg.lstsq(information, slopes[free_indices], rcond=None)[0]
            new_parameters = parameters + step
            if not self.find_mode(new_parameters).log_likelihood >= best_likelihood - 1e-9:
                break
            parameters, largest_step = new_parameters, float(np.abs(step).max())
            if largest_step > 1e-6:
                information = self._information(parameters)
            if largest_step < 1e-8:
                break
        return parameters, information

    def as_clmm(self, parameters: Floats, information: Floats) -> tuple[Floats, Floats]:
        """Return parameters and information of clmm's likelihood, which differs for one effect."""
        free_indices = self._free_indices(parameters)
        if len(self.data.codes) != 1 or len(free_indices) > _MAX_FREE_PARAMETERS:
            return parameters, information

        def clmm_deviance(free_values: Floats) -> float:
            return -self.find_mode(
                self._with(parameters, free_values), imitates_clmm=True
            ).log_likelihood

        free_values = parameters[free_indices]
        for _ in range(4):
            # The curvature is nearly the same, so its Newton steps converge at once.
            free_values = free_values - np.linalg.solve(
                information, differentiate(clmm_deviance, free_values, 3e-5)
            )
        curvature = _curvature(clmm_deviance, free_values)
        # If the number of steps changes nearby, clmm's likelihood has no curvature.
        is_similar = (
            np.abs(np.linalg.solve(information, curvature) - np.eye(len(curvature))).max() < 0.1
        )
        return (
            (self._with(parameters, free_values), curvature)
            if is_similar
            else (parameters, information)
        )

    def _free_indices(self, parameters: Floats) -> Ints:
        return np.flatnonzero((np.arange(len(parameters)) < self.random) | (parameters != 0))

    def _with(self, parameters: Floats, free_values: Floats) -> Floats:
        full_parameters = parameters.copy()
        full_parameters[self._free_indices(parameters)] = free_values
        return full_parameters

    def _information(self, parameters: Floats) -> Floats:
        """Return the negative second derivatives by all parameters that are not at 0."""
        free_indices = self._free_indices(parameters)

        def slopes(free_values: Floats) -> Floats:
            return -self.likelihood_and_slopes(self._with(parameters, free_values))[1][free_indices]

        information = differentiate(slopes, parameters[free_indices])
        return (information + information.T) / 2

    def model(self, categories: tuple[float, ...]) -> MixedModel:
        """Fit the model."""
        parameters, information = self.maximize()
        is_infinite = bool(np.abs(parameters).max() > _MAX_ESTIMATE)
        if is_infinite or np.linalg.eigvalsh(information).min() <= 0:
            message = "the ordinal model has no finite estimates for these judgments"
            raise InputError(message, hint="use a permutation test (no --model)")
        # clmm's likelihood with one random effect is not comparable with that with several.
        exact_likelihood = self.find_mode(parameters).log_likelihood
        parameters, information = self.as_clmm(parameters, information)
        thresholds, effects, spreads = self.split(parameters)
        covariance = np.linalg.inv(information)[: self.random, : self.random]
        # Means are effects minus the mean of the thresholds.
        mean_contrasts = np.zeros((self.effects + 1, self.random))
        mean_contrasts[:, : self.bounds] = -1 / self.bounds
        mean_contrasts[1:, self.bounds :] += np.eye(self.effects)
        log_likelihood = self.find_mode(
            parameters, imitates_clmm=len(self.data.codes) == 1
        ).log_likelihood
        # The residual degrees of freedom, or those of levels within systems if fewer.
        residual_df = len(self.y) - self.random - sum(size - 1 for size in self.data.sizes)
        df = max(1.0, min(float(residual_df), max_df_within_systems(self.data)))
        return MixedModel(
            self.data.levels, np.bincount(self.data.system), effects - thresholds.mean(),
            mean_contrasts @ covariance @ mean_contrasts.T,
            dict(zip(self.data.names, (spreads**2).tolist(), strict=True)),
            log_likelihood, categories, thresholds, np.sqrt(np.diag(covariance)[: self.bounds]),
            (*self.data.notes, *zero_variance_notes(self.data, spreads)),
            _slopes=np.zeros((0, self.effects + 1, self.effects + 1)), _df=df,
            _exact=exact_likelihood,
        )  # fmt: skip
