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
from pyramidion.stats._mixed import MAX_HINTED_P, MAX_SHOWN_P
from pyramidion.stats._power import Number, PlannedTesting, normal_power, stepwise_level
from pyramidion.stats._resampling import ratio
from pyramidion.stats.multiple_comparisons import tukey_critical

# Mean squares: residual, run, system x assessor, system x topic, system x cluster, and
# assessor ("severity"); and the mean square below each of them.
_NOISE, _RUN, _ASSESSOR, _TOPIC, _CLUSTER, _SEVERITY = range(6)
_MEAN_SQUARE_BELOW = (_NOISE, _NOISE, _NOISE, _NOISE, _TOPIC, _ASSESSOR)

_N_DRAWS = 512
# Multiples of the powers of this number, the root of x⁷ = x + 1, are a low-discrepancy sequence.
_SEQUENCE_ROOT = 1.1127756842787055
# A gain in likelihood that is rounding noise.
_GAIN_NOISE = 1e-9
# The degrees of freedom and the number of tails at which critical values are tabulated.
_DF_GRID, _TAILS = (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 40, 100, math.inf), 12
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
        strata, variances = _Strata(self, topics, systems), dict(self.variances)
        effect_names = {_ASSESSOR: "system:assessor", _TOPIC: "system:topic"}
        named_effects = (
            frozenset(k for k, name in effect_names.items() if name in variances) & strata.tried
        )
        fit = strata.fitted(strata.expected[:, None], strata.always | named_effects)
        return strata.variance, float(fit[2, 0]) if strata.possible else 0.0


#: Models fitted to drawn mean squares: rows are -2 log-likelihood, the variance of a difference
#: and its degrees of freedom; columns are draws.
_Fitted = Floats


class _Strata:
    """The mean squares of a design: their expectations and degrees of freedom.

    `levels` are those of effects within a system, `always` the effects of every model, and `tried`
    the interactions that are tested.
    """

    def __init__(self, spreads: Spreads, topics: float, systems: int) -> None:
        self.spreads, self.topics, self.systems = spreads, topics, systems
        variances, contrasts, panel = dict(spreads.variances), systems - 1, spreads.panel
        cell = spreads.judges * spreads.runs
        by_topic = variances["residual"] + cell * variances.get("system:topic", 0.0)
        # With one score per summary, system x topic is part of the residuals.
        noise = variances["residual"] if cell > 1 else by_topic
        by_assessor = noise + topics * cell / panel * variances.get("system:assessor", 0.0)
        clusters = topics / spreads.size if "system:cluster" in variances else 1.0
        by_cluster = by_topic + spreads.size * cell * variances.get("system:cluster", 0.0)
        by_run = noise + topics * spreads.judges * variances.get("run", 0.0)
        severity = by_assessor + systems * topics * cell / panel * spreads.severity
        self.expected = np.array([noise, by_run, by_assessor, by_topic, by_cluster, severity])
        can_be_tested = {_TOPIC: cell > 1, _ASSESSOR: panel > 1 and topics * cell > panel}
        self.tried = frozenset(k for k, is_tried in can_be_tested.items() if is_tried)
        self.freedom = np.zeros(len(_MEAN_SQUARE_BELOW))
        self.freedom[_RUN] = systems * (spreads.runs - 1) * ("run" in variances)
        self.freedom[_ASSESSOR] = contrasts * (panel - 1) * can_be_tested[_ASSESSOR]
        self.freedom[_TOPIC] = contrasts * (topics - clusters) * can_be_tested[_TOPIC]
        self.freedom[_CLUSTER] = contrasts * (clusters - 1)
        self.freedom[_SEVERITY] = panel - 1
        residual_df = systems * (topics * cell - 1) - (topics - 1) - sum(self.freedom.tolist())
        self.freedom[_NOISE] = max(residual_df, contrasts)
        self.levels = {_RUN: spreads.runs, _ASSESSOR: panel, _TOPIC: topics, _CLUSTER: clusters}
        fixed_effects = {
            _RUN: "run" in variances,
            _CLUSTER: "system:cluster" in variances,
            _SEVERITY: panel > 1,
        }
        self.always = frozenset(k for k, has_effect in fixed_effects.items() if has_effect)

    @property
    def possible(self) -> bool:
        """Whether every random effect of all models has more than one level."""
        return all(self.freedom[k] > 0 for k in self.always)

    @property
    def variance(self) -> float:
        """The variance of a difference."""
        return self.per_score * float(self._parts(self.always | self.tried) @ self.expected)

    @property
    def per_score(self) -> float:
        return 2 / (self.topics * self.spreads.judges * self.spreads.runs)

    @staticmethod
    def _parts(effects: frozenset[int]) -> Floats:
        """Return the coefficients of the mean squares in the variance of a difference."""
        parts = np.zeros(len(_MEAN_SQUARE_BELOW))
        parts[list(effects - {_SEVERITY} - ({_TOPIC} if _CLUSTER in effects else set()))] = 1.0
        parts[_NOISE] = 1 - parts.sum()
        return parts

    def draw_squares(self) -> Floats:
        """Draw mean squares (x draws) by a low-discrepancy sequence."""
        points = (
            np.arange(1, _N_DRAWS + 1)
            / _SEQUENCE_ROOT ** np.arange(1, len(_MEAN_SQUARE_BELOW) + 1)[:, None]
        )
        half_freedom = np.maximum(self.freedom[:, None], 1e-9) / 2
        chance = np.where(half_freedom > 1e-3, (points + 0.5) % 1.0, 0.5)
        return np.asarray(self.expected[:, None] * gammaincinv(half_freedom, chance) / half_freedom)

    def fitted(self, squares: Floats, effects: frozenset[int]) -> _Fitted:
        """Fit a model with these effects and nonnegative variances.

        Without `_SEVERITY`, assessors are blocks.
        """
        inclusions = product((True, False), repeat=len(effects))
        subsets = (frozenset(compress(effects, is_included)) for is_included in inclusions)
        models = (self._pooled(squares, effects, subset) for subset in subsets)
        best_fit = reduce(
            lambda best_fit, other: np.where(other[0] < best_fit[0], other, best_fit), models
        )
        max_df, residual_df = self._most_freedom(effects)
        if self.spreads.ordinal:
            best_fit[2] = max(1.0, min(max_df, residual_df))
        else:
            best_fit[2] = np.clip(best_fit[2], 1.0, max_df)
        return best_fit

    def _pooled(
        self, squares: Floats, effects: frozenset[int], positive_effects: frozenset[int]
    ) -> _Fitted:
        """Fit a model in which only some effects are positive; infinite deviance if they are not.

        Without its effect, a mean square is pooled with the one below it.
        """
        freedom, divisors = self._weights(effects)
        roots = _roots(positive_effects)
        same_root = roots[:, None] == roots
        weight = same_root @ divisors
        estimates = ratio(same_root @ (freedom[:, None] * squares), weight[:, None])
        if self.spreads.ordinal:
            estimates[roots == _NOISE] = self.expected[_NOISE]
        # In units of noise, the systems' means contribute nothing if there is only noise.
        with np.errstate(divide="ignore", invalid="ignore"):
            deviances = divisors @ np.log(estimates / self.expected[_NOISE]) + freedom @ (
                squares / estimates
            )
        low = [estimates[k] <= estimates[_MEAN_SQUARE_BELOW[k]] for k in positive_effects]
        parts = self._parts(effects)
        variance = parts @ estimates
        used_roots = sorted({*roots[divisors > 0].tolist()})
        pooled_variance = sum(
            (parts @ same_root[r] * estimates[r]) ** 2 / weight[r] for r in used_roots
        )
        deviance = np.where(np.any(low, axis=0), np.inf, deviances) if low else deviances
        return np.array([deviance, variance, ratio(variance**2, np.asarray(pooled_variance))])

    def _weights(self, effects: frozenset[int]) -> tuple[Floats, Floats]:
        """Return the degrees of freedom of mean squares, and the divisors of their sums."""
        freedom = self.freedom.copy()
        freedom[_SEVERITY] *= _SEVERITY in effects
        if not self.spreads.ordinal:
            return freedom, freedom
        # Noise is known, and maximum likelihood ignores that the systems' means are estimated.
        freedom[_NOISE] = 0.0
        means = (self.systems - 1) * (self._parts(effects) > 0) * (freedom > 0)
        return freedom, freedom + means

    def _most_freedom(self, effects: frozenset[int]) -> tuple[float, float]:
        """Return the degrees of freedom of effects within systems, and of the residuals."""
        scores = self.systems * self.topics * self.spreads.judges * self.spreads.runs
        level_counts = [(k, self.systems * self.levels[k]) for k in effects if k in self.levels]
        # Levels are shared by systems, except that each run belongs to one system.
        factor_freedoms = [
            (n - self.systems) * (1 - (k != _RUN) / self.systems) for k, n in level_counts
        ]
        n_effects = (
            sum(n - 1 for _, n in level_counts) + self.systems + self.topics + self.spreads.panel
        )
        return max(min([scores - self.systems, *factor_freedoms]), 1.0), scores - n_effects

    def outcomes(self) -> Iterator[tuple[Bools, _Fitted]]:
        """Yield the models by which pairs are tested, each with the draws that use it."""
        squares, effects = self.draw_squares(), self.always
        never_drawn = np.zeros(squares.shape[1], dtype=bool)
        model, by_topic = self.fitted(squares, effects), never_drawn
        if _TOPIC in self.tried:
            wider_fit = self.fitted(squares, effects | {_TOPIC})
            p = _chance(wider_fit, model)
            by_topic = p < MAX_SHOWN_P
            yield (p >= MAX_SHOWN_P) & (p < MAX_HINTED_P), wider_fit
            model = np.where(by_topic, wider_fit, model)
        if _ASSESSOR in self.tried:
            wider_fit = self._with_likes(squares, effects, by_topic)
            p = _chance(wider_fit, model)
            yield p >= MAX_SHOWN_P, wider_fit
            if not self.spreads.ordinal:
                # Assessors are blocks in this model.
                wider_fit = self._with_likes(squares, effects - {_SEVERITY}, by_topic)
            model = np.where(p < MAX_SHOWN_P, wider_fit, model)
        yield ~never_drawn, model

    def _with_likes(self, squares: Floats, effects: frozenset[int], is_by_topic: Bools) -> _Fitted:
        model = self.fitted(squares, effects | {_ASSESSOR})
        if not is_by_topic.any():
            return model
        return np.where(is_by_topic, self.fitted(squares, effects | {_ASSESSOR, _TOPIC}), model)


def _roots(positive_effects: frozenset[int]) -> Any:
    """Return for each mean square the one it is pooled into."""
    roots = [_NOISE]
    for k in range(1, len(_MEAN_SQUARE_BELOW)):
        roots.append(k if k in positive_effects else roots[_MEAN_SQUARE_BELOW[k]])
    return np.array(roots)


def _chance(wider_fit: _Fitted, narrower: _Fitted) -> Floats:
    """Return p of the likelihood ratio test of an interaction, halved for the boundary."""
    gain = (narrower[0] - wider_fit[0]) / 2
    return np.where(gain > _GAIN_NOISE, erfc(np.sqrt(np.maximum(gain, 0.0))) / 2, 1.0)


@lru_cache(maxsize=1024)
def _drawn_errors(spreads: Spreads, systems: int, topics: float) -> tuple[Floats, Floats]:
    """Return relative standard errors and degrees of freedom: models x draws."""
    strata = _Strata(spreads, topics, systems)
    outcomes = list(strata.outcomes())
    variance_per_score, variance = strata.per_score, strata.variance
    errors = [
        np.sqrt(variance_per_score * model[1] / variance) * scale for scale, model in outcomes
    ]
    return np.array(errors), np.array([model[2] for _, model in outcomes])


@lru_cache(maxsize=32)
def _range_table(confidence_level: float, systems: int) -> tuple[Floats, Floats]:
    """Tabulate logarithms of Tukey's critical values by inverse degrees of freedom."""
    dfs = np.array(_DF_GRID[::-1])
    critical = [tukey_critical(confidence_level, systems, df) for df in dfs.tolist()]
    return 1 / dfs, np.log(critical)


@dataclass(frozen=True, slots=True)
class ModelTesting(PlannedTesting):
    """A mixed model's t test of a pair; effects are in units of `unit`."""

    spreads: Spreads = Spreads(())
    unit: float = 1.0

    def power(self, topics: Floats, effect: Floats, /, *_: Number) -> Floats:
        """Return the power (with the correct sign) for numbers of topics and effects."""
        power = np.zeros(np.broadcast_shapes(np.shape(topics), np.shape(effect)))
        topic_counts, sizes = (np.broadcast_to(values, power.shape) for values in (topics, effect))
        for number in np.unique(topic_counts).tolist():
            strata = _Strata(self.spreads, number, self.systems)
            if strata.possible:
                is_current = topic_counts == number
                shift = sizes[is_current] * self.unit / math.sqrt(strata.variance)
                limit = self._limits(number, np.array([self._tail(number)]))[0]
                power[is_current] = normal_power(shift, limit, self.inside)
        return power

    def topics(self, effect: Floats, /, *more: Number) -> Floats:
        """Return the smallest numbers of topics with the target power, trying few first."""
        for max_topics in (
            *(max_topics for max_topics in _SEARCH_LIMITS if max_topics < self.most),
            self.most,
        ):
            testing_plan = replace(self, most=max_topics)
            topics_needed = PlannedTesting.topics(testing_plan, effect, *more)
            if np.isfinite(topics_needed).all():
                break
        return topics_needed

    def _limits(self, topics: float, tails: Floats) -> Floats:
        """Return critical differences in standard errors: tails x draws."""
        # Rounding makes caching effective and barely matters.
        errors, freedom = _drawn_errors(self.spreads, self.systems, float(f"{topics:.3g}"))
        if self._joint:
            table = _range_table(1 - self.alpha, self.systems)
            critical = np.exp(np.interp(1 / freedom, *table))[None]
        else:
            critical = -stdtrit(freedom, tails[:, None, None])
        return np.asarray((errors * critical).max(axis=1))

    @property
    def _joint(self) -> bool:
        """Whether all pairs are tested jointly, by the multivariate t distribution."""
        return self.correction.startswith("maxt") and self.inside is None and self.systems > 2

    def _tail(self, topics: float) -> float:
        """Return the tail of an uncorrected test that is as strict as the corrected one."""
        pairs, sides = self.systems * (self.systems - 1) // 2, 2 if self.inside is None else 1
        if pairs > 1 and (self.correction == "bh" or self._steps_down):
            grid_size = 10 * 3 ** round(math.log(max(topics, 3) / 10, 3))
            n_simulated = min(self.n_resamples, max(_MIN_SIMULATED, _BLOCK_PAIRS // pairs))
            plan = replace(self, most=0, unit=1.0, n_resamples=n_simulated)
            return _model_level(plan, grid_size) / sides
        return self.alpha / sides / (1 if self.correction == "none" else pairs)


@lru_cache(maxsize=256)
def _model_level(plan: ModelTesting, topics: int) -> float:
    """Simulate the level that a stepwise correction amounts to with about `topics` topics."""

    def limits(tails: Floats) -> Floats:
        if len(tails) <= _TAILS:
            return plan._limits(topics, tails)
        ends = np.log(tails.min()), np.log(tails.max())
        nodes = np.linspace(*ends, _TAILS)
        basis = np.array([np.interp(np.log(tails), nodes, unit) for unit in np.eye(_TAILS)])
        return basis.T @ plan._limits(topics, np.exp(nodes))

    return stepwise_level(plan, limits)
