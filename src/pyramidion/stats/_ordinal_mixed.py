"""Ordinal mixed models: cumulative logits of judgments, with systems fixed, the rest random."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.stats._mixed import MixedModel, ScoredLevels, at_zero, most_df, read_scored, slope
from pyramidion.stats._mixed_equations import Equations, FactoredEquations
from pyramidion.stats.anova import Labels

# Larger estimates count as infinite (odds of e^30), and longer scales are rejected.
_MAX_ESTIMATE, _MAX_CATEGORIES = 30.0, 20
# The maximum number of cells of a table of random effects that fits in memory.
_MAX_TABLE_CELLS = 100_000_000
# The maximum number of steps to the mode of the random effects, and of parameters for numerical
# curvature.
_MAX_STEPS, _MAX_TRIED = 100, 40


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
    curve = np.zeros((len(theta), len(theta)))
    for k in range(len(theta)):

        def slopes(parameter: Floats, k: int = k) -> Floats:
            # Only by the parameters up to this one, because the matrix is symmetric.
            point = np.append(theta[:k], parameter)
            return slope(
                lambda parameters: function(np.append(parameters, theta[k + 1 :])), point, 2e-3
            )

        start = theta[k : k + 1]
        curve[k, : k + 1] = curve[: k + 1, k] = slope(slopes, start, 2e-3)[0]
    return curve


def _require_scale(data: ScoredLevels, categories: Floats, y: Ints) -> None:
    if len(categories) < 2:
        raise InputError("all judgments are the same", hint="an ordinal model needs two categories")
    if len(categories) > _MAX_CATEGORIES:
        message = f"there are {len(categories)} different values, too many for a scale of judgments"
        raise InputError(message, hint="use the linear model")
    if len(data.levels) < 2:
        raise InputError("there is only one system", hint="give at least two")
    low, high = np.full(len(data.levels), len(categories)), np.full(len(data.levels), -1)
    np.minimum.at(low, data.system, y)
    np.maximum.at(high, data.system, y)
    for value in range(len(categories)):
        is_below, is_above = high <= value, low >= value
        if (is_below | is_above).all() and is_below.any() and is_above.any():
            level = data.levels[int(np.argmax(is_below))]
            other = next(s for i, s in enumerate(data.levels) if is_above[i] and s != level)
            level, other = (
                level[-1] if isinstance(level, tuple) else level for level in (level, other)
            )
            raise InputError(
                f"{other} was never judged below {categories[value]:g} and {level} never above: "
                "they are separated perfectly, so the ordinal model has no finite estimate",
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

    def find_mode(self, parameters: Floats, *, early: bool = False) -> _Mode:
        """Find the mode of the random effects by Newton's method.

        `early` imitates clmm with a single random effect: Newton's method starts at 0, stops at
        slopes below 1e-4, and the determinant is that before the last step.
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
            gap_value = inner_counts @ np.log(-np.expm1(-gaps))

        def joint(mode: Floats) -> float:
            shift = self.equations.effects(spreads * mode)
            scores = log_expit(upper_bounds - shift) + log_expit(shift - lower_bounds)
            return float(scores.sum() - mode @ mode / 2)

        zero = np.zeros(len(self.mode))
        mode = zero if early or joint(zero) > joint(self.mode) else self.mode
        value, before = joint(mode), None
        for _ in range(_MAX_STEPS):
            state = self._state(upper_bounds, lower_bounds, mode, spreads)
            score = spreads * self.equations.summed(state.gradient) - mode
            if float(np.abs(score).max()) < (1e-4 if early else 1e-9):
                break
            step, size = state.equations.solve(score), 1.0
            while (new_value := joint(mode + size * step)) < value - 1e-12 * abs(
                value
            ) and size > 1e-6:
                size /= 2
            mode, value, before = mode + size * step, float(new_value), state
        if not early:
            self.mode, before = mode, state
        determinant = (before or state).equations.log_determinant
        state.log_likelihood = value + float(gap_value) - determinant / 2
        return state

    def _state(
        self, upper_bounds: Floats, lower_bounds: Floats, mode: Floats, spreads: Floats
    ) -> _Mode:
        shift = self.equations.effects(spreads * mode)
        upper_probability, lower_probability = (
            expit(upper_bounds - shift),
            expit(lower_bounds - shift),
        )
        f_above, f_below = (
            upper_probability * (1 - upper_probability),
            lower_probability * (1 - lower_probability),
        )
        curve = f_above + f_below
        third = -(f_above * (1 - 2 * upper_probability) + f_below * (1 - 2 * lower_probability))
        factorization = FactoredEquations(self.equations, self.equations.tables(curve), spreads)
        return _Mode(
            upper_probability + lower_probability - 1,
            curve,
            third,
            lower_probability,
            upper_probability,
            factorization,
        )

    def value_and_slope(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the log-likelihood and its derivatives by all parameters."""
        state = self.find_mode(parameters)
        thresholds, _, theta = self.split(parameters)
        spreads, leverage = state.equations.spreads, state.equations.leverage()
        weighted_sums = spreads * self.equations.summed(leverage * state.third)
        solution = state.equations.solve(weighted_sums)
        effects = self.equations.effects(spreads * solution)
        # `through` is the effect of the moving mode on the determinant.
        by_effect = state.gradient - (leverage * state.third - effects * state.curve) / 2
        slope = np.zeros(len(parameters))
        by_system = np.bincount(self.data.system, by_effect, self.effects + 1)
        slope[self.bounds : self.random] = by_system[1:]
        slope[: self.bounds] = self._threshold_slopes(state, thresholds, leverage, effects)
        traces = state.equations.traces()
        for k in np.flatnonzero(theta).tolist():
            block = self.equations.blocks[k]
            derivative = (self.mode[block] - solution[block]) @ self.mode[block]
            derivative += traces[k] - self.data.sizes[k]
            slope[self.random + k] = derivative / theta[k]
        return state.log_likelihood, slope

    def _threshold_slopes(
        self, state: _Mode, thresholds: Floats, leverage: Floats, through: Floats
    ) -> Floats:
        slopes = np.zeros(self.bounds + 2)
        for side, offset, direct_slope in (
            (state.above, 1, 1 - state.above),
            (state.below, 0, -state.below),
        ):
            density = side * (1 - side)
            change = direct_slope - (leverage * density * (1 - 2 * side) + through * density) / 2
            slopes += np.bincount(self.y + offset, change, self.bounds + 2)
        inner_counts = np.bincount(self.y, minlength=self.bounds + 1)[1:-1]
        boundary_slopes = inner_counts / np.expm1(np.diff(thresholds))
        slopes[2:-1] += boundary_slopes
        slopes[1:-2] -= boundary_slopes
        return slopes[1:-1]

    def maximize(self) -> tuple[Floats, Floats]:
        """Maximize the likelihood over log gaps of thresholds; also return the information."""
        from scipy.optimize import minimize

        gaps = slice(1, self.bounds)

        def actual(free_values: Floats) -> Floats:
            steps = np.concatenate(
                [free_values[:1], np.exp(np.clip(free_values[gaps], -_MAX_ESTIMATE, 5))]
            )
            return np.concatenate([np.cumsum(steps), free_values[self.bounds :]])

        def negative(free_values: Floats) -> tuple[float, Floats]:
            value, slope = self.value_and_slope(actual(free_values))
            free_slope = slope.copy()
            tails = np.cumsum(slope[: self.bounds][::-1])[::-1]
            free_slope[0] = tails[0]
            free_slope[gaps] = tails[1:] * np.exp(free_values[gaps])
            return -value, -free_slope

        # Start with the thresholds of all scores together, no effects and spreads of 1.
        shares = np.cumsum(np.bincount(self.y))[:-1] / len(self.y)
        start = np.concatenate([np.zeros(self.random), np.ones(len(self.data.codes))])
        start[: self.bounds] = np.log(shares / (1 - shares)) * 1.2
        start[gaps] = np.log(np.diff(start[: self.bounds]))
        minimum = minimize(negative, start, jac=True, method="BFGS", options={"gtol": 1e-5})
        parameters = actual(minimum.x)
        parameters[self.random :] = np.abs(parameters[self.random :])
        return self._polished(parameters)

    def _polished(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Set small spreads to 0 if as good, and refine the maximum by Newton steps."""
        best_likelihood = self.find_mode(parameters).log_likelihood
        for k in self.random + np.flatnonzero(parameters[self.random :] < 0.05):
            reduced_parameters = np.where(np.arange(len(parameters)) == k, 0.0, parameters)
            if self.find_mode(reduced_parameters).log_likelihood >= best_likelihood - 1e-7:
                parameters = reduced_parameters
        is_free, information = self._free(parameters), self._information(parameters)
        for _ in range(3):
            step = np.zeros(len(parameters))
            _, slopes = self.value_and_slope(parameters)
            step[is_free] = np.linalg.lstsq(information, slopes[is_free], rcond=None)[0]
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
        free_indices = self._free(parameters)
        if len(self.data.codes) != 1 or len(free_indices) > _MAX_TRIED:
            return parameters, information

        def early(free_values: Floats) -> float:
            return -self.find_mode(self._with(parameters, free_values), early=True).log_likelihood

        free_values = parameters[free_indices]
        for _ in range(4):
            # The curvature is nearly the same, so its Newton steps converge at once.
            free_values = free_values - np.linalg.solve(
                information, slope(early, free_values, 3e-5)
            )
        curve = _curvature(early, free_values)
        # If the number of steps changes nearby, clmm's likelihood has no curvature.
        is_similar = np.abs(np.linalg.solve(information, curve) - np.eye(len(curve))).max() < 0.1
        return (
            (self._with(parameters, free_values), curve)
            if is_similar
            else (parameters, information)
        )

    def _free(self, parameters: Floats) -> Ints:
        return np.flatnonzero((np.arange(len(parameters)) < self.random) | (parameters != 0))

    def _with(self, parameters: Floats, free_values: Floats) -> Floats:
        full_parameters = parameters.copy()
        full_parameters[self._free(parameters)] = free_values
        return full_parameters

    def _information(self, parameters: Floats) -> Floats:
        """Return the negative second derivatives by all parameters that are not at 0."""
        free_indices = self._free(parameters)

        def slopes(free_values: Floats) -> Floats:
            return -self.value_and_slope(self._with(parameters, free_values))[1][free_indices]

        information = slope(slopes, parameters[free_indices])
        return (information + information.T) / 2

    def model(self, categories: tuple[float, ...]) -> MixedModel:
        """Fit the model."""
        parameters, information = self.maximize()
        runs_off = bool(np.abs(parameters).max() > _MAX_ESTIMATE)
        if runs_off or np.linalg.eigvalsh(information).min() <= 0:
            message = "the ordinal model has no finite estimates for these judgments"
            raise InputError(message, hint="use a permutation test (no --model)")
        # clmm's likelihood with one random effect is not comparable with that with several.
        exact_likelihood = self.find_mode(parameters).log_likelihood
        parameters, information = self.as_clmm(parameters, information)
        thresholds, effects, spreads = self.split(parameters)
        covariance = np.linalg.inv(information)[: self.random, : self.random]
        # Means are effects minus the mean of the thresholds.
        turn = np.zeros((self.effects + 1, self.random))
        turn[:, : self.bounds] = -1 / self.bounds
        turn[1:, self.bounds :] += np.eye(self.effects)
        value = self.find_mode(parameters, early=len(self.data.codes) == 1).log_likelihood
        # The residual degrees of freedom, or those of levels within systems if fewer.
        residual_df = len(self.y) - self.random - sum(size - 1 for size in self.data.sizes)
        df = max(1.0, min(float(residual_df), most_df(self.data)))
        return MixedModel(
            self.data.levels, np.bincount(self.data.system), effects - thresholds.mean(),
            turn @ covariance @ turn.T,
            dict(zip(self.data.names, (spreads**2).tolist(), strict=True)),
            value, categories, thresholds, np.sqrt(np.diag(covariance)[: self.bounds]),
            (*self.data.notes, *at_zero(self.data, spreads)),
            _slopes=np.zeros((0, self.effects + 1, self.effects + 1)), _df=df,
            _exact=exact_likelihood,
        )  # fmt: skip
