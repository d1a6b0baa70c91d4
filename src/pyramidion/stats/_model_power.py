"""Power of pairwise tests by mixed models, simulated for balanced designs.

In a complete design, the estimates of a model follow from a few mean squares. These are drawn from
their chi-square distributions and processed as `compare` processes scores: negative variances
become 0, interactions are tested, and a pair gets the largest p-value of the remaining models.
Each draw gives the difference needed for significance, and the power follows.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, reduce
from itertools import compress, product
from typing import Any

import numpy as np
from scipy.special import erfc, gammaincinv, stdtrit

from pyramidion._types import Bools, Floats
from pyramidion.stats._mixed import MAX_P_HINTED, MAX_P_SHOWN
from pyramidion.stats._power import FloatOrFloats, PlannedTesting, normal_power, stepwise_level
from pyramidion.stats._resampling import ratio
from pyramidion.stats.multiple_comparisons import tukey_critical

# Mean squares: residual, run, system x assessor, system x topic, system x cluster, and
# assessor ("severity"); and the mean square below each of them.
_NOISE, _RUN, _ASSESSOR, _TOPIC, _CLUSTER, _SEVERITY = range(6)
_MEAN_SQUARES_BELOW = (_NOISE, _NOISE, _NOISE, _NOISE, _TOPIC, _ASSESSOR)

_N_DRAWS = 512
# Multiples of the powers of this number, the root of x⁷ = x + 1, are a low-discrepancy sequence.
_SEQUENCE_ROOT = 1.1127756842787055
# A gain in likelihood that is rounding noise.
_GAIN_NOISE = 1e-9
# The degrees of freedom and the number of tails at which critical values are tabulated.
_TABULATED_DF, _N_TABULATED_TAILS = (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 40, 100, math.inf), 12
# The number of pairs simulated at a time, and the minimum number of evaluations.
_BLOCK_PAIRS, _MIN_SIMULATED = 1_000_000, 800
# Upper limits of topics to try first.
_SEARCH_LIMITS = (64, 1024)


@dataclass(frozen=True, slots=True)
class Spreads:
    """A balanced design for a mixed model: variances and numbers of judges, runs and so on.

    `judges` of a `panel` judge each summary, and a cluster has `size` topics. `severity` is the
    variance of judges that cancels in differences.
    """

    variances: tuple[tuple[str, float], ...]
    judges: float = 1.0
    panel: float = 1.0
    runs: float = 1.0
    size: float = 0.0
    ordinal: bool = False
    severity: float = 0.0

    @property
    def record(self) -> dict[str, Any]:
        """The JSON record; hedged tests allow for a system x assessor effect that is not shown."""
        variances = dict(self.variances)
        is_hedged = self.panel > 1 and "system:assessor" not in variances
        return asdict(self) | {"variances": variances, "hedged": is_hedged}

    @property
    def repeated(self) -> tuple[bool, bool]:
        """Whether there are several judges, and whether the model has runs."""
        return self.judges > 1, "run" in dict(self.variances)

    @property
    def runs_differ(self) -> bool:
        """Whether the model has runs, which are always random."""
        return self.repeated[1]

    def design(self, judges: int, runs: int) -> "Spreads":
        """Return the design with other numbers of judges and runs."""
        return replace(self, judges=judges, panel=max(judges, self.panel), runs=runs)

    def error(self, topics: float, systems: int) -> tuple[float, float]:
        """Return the variance of a difference of two systems, and its degrees of freedom.

        These are Satterthwaite's for the effects with variances, at most the number of levels
        within systems, and 0 with a single run.
        """
        strata, variances = _MeanSquares(self, topics, systems), dict(self.variances)
        effect_names = {_ASSESSOR: "system:assessor", _TOPIC: "system:topic"}
        named_effects = (
            frozenset(k for k, name in effect_names.items() if name in variances) & strata.tried
        )
        fit = strata.fit(strata.expected[:, None], strata.always | named_effects)
        return strata.variance, float(fit[2, 0]) if strata.possible else 0.0


#: Models fitted to drawn mean squares: rows are -2 log-likelihood, the variance of a difference
#: and its degrees of freedom; columns are draws.
_FittedModels = Floats


class _MeanSquares:
    """The mean squares of a design: their expectations and degrees of freedom.

    `levels` are those of effects within a system, `always` the effects of every model, and `tried`
    the interactions that are tested.
    """

    def __init__(self, spreads: Spreads, topics: float, systems: int) -> None:
        self.spreads, self.topics, self.systems = spreads, topics, systems
        variances, n_contrasts, panel = dict(spreads.variances), systems - 1, spreads.panel
        scores_per_summary = spreads.judges * spreads.runs
        topic_square = variances["residual"] + scores_per_summary * variances.get(
            "system:topic", 0.0
        )
        # With one score per summary, system x topic is part of the residuals.
        residual_square = variances["residual"] if scores_per_summary > 1 else topic_square
        assessor_square = residual_square + topics * scores_per_summary / panel * variances.get(
            "system:assessor", 0.0
        )
        n_clusters = topics / spreads.size if "system:cluster" in variances else 1.0
        cluster_square = topic_square + spreads.size * scores_per_summary * variances.get(
            "system:cluster", 0.0
        )
        run_square = residual_square + topics * spreads.judges * variances.get("run", 0.0)
        severity_square = (
            assessor_square + systems * topics * scores_per_summary / panel * spreads.severity
        )
        self.expected = np.array(
            [
                residual_square,
                run_square,
                assessor_square,
                topic_square,
                cluster_square,
                severity_square,
            ]
        )
        can_be_tested = {
            _TOPIC: scores_per_summary > 1,
            _ASSESSOR: panel > 1 and topics * scores_per_summary > panel,
        }
        self.tried = frozenset(k for k, is_tried in can_be_tested.items() if is_tried)
        self.freedom = np.zeros(len(_MEAN_SQUARES_BELOW))
        self.freedom[_RUN] = systems * (spreads.runs - 1) * ("run" in variances)
        self.freedom[_ASSESSOR] = n_contrasts * (panel - 1) * can_be_tested[_ASSESSOR]
        self.freedom[_TOPIC] = n_contrasts * (topics - n_clusters) * can_be_tested[_TOPIC]
        self.freedom[_CLUSTER] = n_contrasts * (n_clusters - 1)
        self.freedom[_SEVERITY] = panel - 1
        residual_df = (
            systems * (topics * scores_per_summary - 1) - (topics - 1) - sum(self.freedom.tolist())
        )
        self.freedom[_NOISE] = max(residual_df, n_contrasts)
        self.levels = {_RUN: spreads.runs, _ASSESSOR: panel, _TOPIC: topics, _CLUSTER: n_clusters}
        effects_in_every_model = {
            _RUN: "run" in variances,
            _CLUSTER: "system:cluster" in variances,
            _SEVERITY: panel > 1,
        }
        self.always = frozenset(k for k, has_effect in effects_in_every_model.items() if has_effect)

    @property
    def possible(self) -> bool:
        """Whether every random effect of all models has more than one level."""
        return all(self.freedom[k] > 0 for k in self.always)

    @property
    def variance(self) -> float:
        """The variance of a difference."""
        return self.per_score * float(self._coefficients(self.always | self.tried) @ self.expected)

    @property
    def per_score(self) -> float:
        return 2 / (self.topics * self.spreads.judges * self.spreads.runs)

    @staticmethod
    def _coefficients(effects: frozenset[int]) -> Floats:
        """Return the coefficients of the mean squares in the variance of a difference."""
        coefficients = np.zeros(len(_MEAN_SQUARES_BELOW))
        coefficients[list(effects - {_SEVERITY} - ({_TOPIC} if _CLUSTER in effects else set()))] = (
            1.0
        )
        coefficients[_NOISE] = 1 - coefficients.sum()
        return coefficients

    def draw_squares(self) -> Floats:
        """Draw mean squares (x draws) by a low-discrepancy sequence."""
        points = (
            np.arange(1, _N_DRAWS + 1)
            / _SEQUENCE_ROOT ** np.arange(1, len(_MEAN_SQUARES_BELOW) + 1)[:, None]
        )
        half_freedom = np.maximum(self.freedom[:, None], 1e-9) / 2
        probabilities = np.where(half_freedom > 1e-3, (points + 0.5) % 1.0, 0.5)
        return np.asarray(
            self.expected[:, None] * gammaincinv(half_freedom, probabilities) / half_freedom
        )

    def fit(self, squares: Floats, effects: frozenset[int]) -> _FittedModels:
        """Fit a model with these effects and nonnegative variances.

        Without `_SEVERITY`, assessors are blocks.
        """
        inclusions = product((True, False), repeat=len(effects))
        subsets = (frozenset(compress(effects, is_included)) for is_included in inclusions)
        models = (self._fit_pooled(squares, effects, subset) for subset in subsets)
        best_fit = reduce(
            lambda best_fit, other: np.where(other[0] < best_fit[0], other, best_fit), models
        )
        max_df, residual_df = self._max_df_and_residual_df(effects)
        if self.spreads.ordinal:
            best_fit[2] = max(1.0, min(max_df, residual_df))
        else:
            best_fit[2] = np.clip(best_fit[2], 1.0, max_df)
        return best_fit

    def _fit_pooled(
        self, squares: Floats, effects: frozenset[int], positive_effects: frozenset[int]
    ) -> _FittedModels:
        """Fit a model in which only some effects are positive; infinite deviance if they are not.

        Without its effect, a mean square is pooled with the one below it.
        """
        freedom, divisors = self._df_and_divisors(effects)
        roots = _pooling_targets(positive_effects)
        is_pooled_into = roots[:, None] == roots
        pooled_divisors = is_pooled_into @ divisors
        estimates = ratio(is_pooled_into @ (freedom[:, None] * squares), pooled_divisors[:, None])
        if self.spreads.ordinal:
            estimates[roots == _NOISE] = self.expected[_NOISE]
        # In units of noise, the systems' means contribute nothing if there is only noise.
        with np.errstate(divide="ignore", invalid="ignore"):
            deviances = divisors @ np.log(estimates / self.expected[_NOISE]) + freedom @ (
                squares / estimates
            )
        is_not_positive = [
            estimates[k] <= estimates[_MEAN_SQUARES_BELOW[k]] for k in positive_effects
        ]
        coefficients = self._coefficients(effects)
        variance = coefficients @ estimates
        used_roots = sorted({*roots[divisors > 0].tolist()})
        pooled_variance = sum(
            (coefficients @ is_pooled_into[r] * estimates[r]) ** 2 / pooled_divisors[r]
            for r in used_roots
        )
        deviance = (
            np.where(np.any(is_not_positive, axis=0), np.inf, deviances)
            if is_not_positive
            else deviances
        )
        return np.array([deviance, variance, ratio(variance**2, np.asarray(pooled_variance))])

    def _df_and_divisors(self, effects: frozenset[int]) -> tuple[Floats, Floats]:
        """Return the degrees of freedom of mean squares, and the divisors of their sums."""
        freedom = self.freedom.copy()
        freedom[_SEVERITY] *= _SEVERITY in effects
        if not self.spreads.ordinal:
            return freedom, freedom
        # Noise is known, and maximum likelihood ignores that the systems' means are estimated.
        freedom[_NOISE] = 0.0
        mean_divisors = (self.systems - 1) * (self._coefficients(effects) > 0) * (freedom > 0)
        return freedom, freedom + mean_divisors

    def _max_df_and_residual_df(self, effects: frozenset[int]) -> tuple[float, float]:
        """Return the degrees of freedom of effects within systems, and of the residuals."""
        n_scores = self.systems * self.topics * self.spreads.judges * self.spreads.runs
        level_counts = [(k, self.systems * self.levels[k]) for k in effects if k in self.levels]
        # Levels are shared by systems, except that each run belongs to one system.
        factor_dfs = [
            (n - self.systems) * (1 - (k != _RUN) / self.systems) for k, n in level_counts
        ]
        n_effects = (
            sum(n - 1 for _, n in level_counts) + self.systems + self.topics + self.spreads.panel
        )
        return max(min([n_scores - self.systems, *factor_dfs]), 1.0), n_scores - n_effects

    def tested_models(self) -> Iterator[tuple[Bools, _FittedModels]]:
        """Yield the models by which pairs are tested, each with the draws that use it."""
        squares, effects = self.draw_squares(), self.always
        nowhere = np.zeros(squares.shape[1], dtype=bool)
        current_fit, uses_topics = self.fit(squares, effects), nowhere
        if _TOPIC in self.tried:
            wider_fit = self.fit(squares, effects | {_TOPIC})
            p = _interaction_p(wider_fit, current_fit)
            uses_topics = p < MAX_P_SHOWN
            yield (p >= MAX_P_SHOWN) & (p < MAX_P_HINTED), wider_fit
            current_fit = np.where(uses_topics, wider_fit, current_fit)
        if _ASSESSOR in self.tried:
            wider_fit = self._fit_with_assessors(squares, effects, uses_topics)
            p = _interaction_p(wider_fit, current_fit)
            yield p >= MAX_P_SHOWN, wider_fit
            if not self.spreads.ordinal:
                # Assessors are blocks in this model.
                wider_fit = self._fit_with_assessors(squares, effects - {_SEVERITY}, uses_topics)
            current_fit = np.where(p < MAX_P_SHOWN, wider_fit, current_fit)
        yield ~nowhere, current_fit

    def _fit_with_assessors(
        self, squares: Floats, effects: frozenset[int], uses_topics: Bools
    ) -> _FittedModels:
        assessor_fit = self.fit(squares, effects | {_ASSESSOR})
        if not uses_topics.any():
            return assessor_fit
        return np.where(uses_topics, self.fit(squares, effects | {_ASSESSOR, _TOPIC}), assessor_fit)


def _pooling_targets(positive_effects: frozenset[int]) -> Any:
    """Return for each mean square the one it is pooled into."""
    roots = [_NOISE]
    for k in range(1, len(_MEAN_SQUARES_BELOW)):
        roots.append(k if k in positive_effects else roots[_MEAN_SQUARES_BELOW[k]])
    return np.array(roots)


def _interaction_p(wider_fit: _FittedModels, narrower_fit: _FittedModels) -> Floats:
    """Return p of the likelihood ratio test of an interaction, halved for the boundary."""
    gain = (narrower_fit[0] - wider_fit[0]) / 2
    return np.where(gain > _GAIN_NOISE, erfc(np.sqrt(np.maximum(gain, 0.0))) / 2, 1.0)


@lru_cache(maxsize=1024)
def _drawn_errors(spreads: Spreads, systems: int, topics: float) -> tuple[Floats, Floats]:
    """Return relative standard errors and degrees of freedom: models x draws."""
    strata = _MeanSquares(spreads, topics, systems)
    tested_models = list(strata.tested_models())
    variance_per_score, variance = strata.per_score, strata.variance
    relative_errors = [
        np.sqrt(variance_per_score * model[1] / variance) * is_used
        for is_used, model in tested_models
    ]
    return np.array(relative_errors), np.array([model[2] for _, model in tested_models])


@lru_cache(maxsize=32)
def _critical_value_table(confidence_level: float, systems: int) -> tuple[Floats, Floats]:
    """Tabulate logarithms of Tukey's critical values by inverse degrees of freedom."""
    dfs = np.array(_TABULATED_DF[::-1])
    critical = [tukey_critical(confidence_level, systems, df) for df in dfs.tolist()]
    return 1 / dfs, np.log(critical)


@dataclass(frozen=True, slots=True)
class ModelTesting(PlannedTesting):
    """A mixed model's t test of a pair; effects are in units of `unit`."""

    spreads: Spreads = Spreads(())
    unit: float = 1.0

    def power(self, topics: Floats, effect: Floats, /, *_: FloatOrFloats) -> Floats:
        """Return the power (with the correct sign) for numbers of topics and effects."""
        power = np.zeros(np.broadcast_shapes(np.shape(topics), np.shape(effect)))
        topic_counts, effects = (
            np.broadcast_to(values, power.shape) for values in (topics, effect)
        )
        for n_topics in np.unique(topic_counts).tolist():
            strata = _MeanSquares(self.spreads, n_topics, self.systems)
            if strata.possible:
                has_n_topics = topic_counts == n_topics
                shifts = effects[has_n_topics] * self.unit / math.sqrt(strata.variance)
                limits = self._limits(n_topics, np.array([self._tail(n_topics)]))[0]
                power[has_n_topics] = normal_power(shifts, limits, self.inside)
        return power

    def topics(self, effect: Floats, /, *power_arguments: FloatOrFloats) -> Floats:
        """Return the smallest numbers of topics with the target power, trying few first."""
        for max_topics in (
            *(max_topics for max_topics in _SEARCH_LIMITS if max_topics < self.most),
            self.most,
        ):
            testing_plan = replace(self, most=max_topics)
            topics_needed = PlannedTesting.topics(testing_plan, effect, *power_arguments)
            if np.isfinite(topics_needed).all():
                break
        return topics_needed

    def _limits(self, topics: float, tails: Floats) -> Floats:
        """Return critical differences in standard errors: tails x draws."""
        # Rounding makes caching effective and barely matters.
        errors, freedom = _drawn_errors(self.spreads, self.systems, float(f"{topics:.3g}"))
        if self._is_joint:
            table = _critical_value_table(1 - self.alpha, self.systems)
            critical_values = np.exp(np.interp(1 / freedom, *table))[None]
        else:
            critical_values = -stdtrit(freedom, tails[:, None, None])
        return np.asarray((errors * critical_values).max(axis=1))

    @property
    def _is_joint(self) -> bool:
        """Whether all pairs are tested jointly, by the multivariate t distribution."""
        return self.correction.startswith("maxt") and self.inside is None and self.systems > 2

    def _tail(self, topics: float) -> float:
        """Return the tail of an uncorrected test that is as strict as the corrected one."""
        n_pairs, n_sides = self.systems * (self.systems - 1) // 2, 2 if self.inside is None else 1
        if n_pairs > 1 and (self.correction == "bh" or self._steps_down):
            rounded_topics = 10 * 3 ** round(math.log(max(topics, 3) / 10, 3))
            n_simulated = min(self.n_resamples, max(_MIN_SIMULATED, _BLOCK_PAIRS // n_pairs))
            plan = replace(self, most=0, unit=1.0, n_resamples=n_simulated)
            return _simulated_level(plan, rounded_topics) / n_sides
        return self.alpha / n_sides / (1 if self.correction == "none" else n_pairs)


@lru_cache(maxsize=256)
def _simulated_level(plan: ModelTesting, topics: int) -> float:
    """Simulate the level that a stepwise correction amounts to with about `topics` topics."""

    def critical_differences(tails: Floats) -> Floats:
        if len(tails) <= _N_TABULATED_TAILS:
            return plan._limits(topics, tails)
        log_range = np.log(tails.min()), np.log(tails.max())
        nodes = np.linspace(*log_range, _N_TABULATED_TAILS)
        weights = np.array(
            [np.interp(np.log(tails), nodes, unit) for unit in np.eye(_N_TABULATED_TAILS)]
        )
        return weights.T @ plan._limits(topics, np.exp(nodes))

    return stepwise_level(plan, critical_differences)
