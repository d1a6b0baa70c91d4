"""Confidence sequences: intervals of a mean that hold at every number of topics, by betting."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.stats.inputs import Rng, generator, share, vector
from pyramidion.stats.pairs import noise_level

# The largest share of the capital that is at risk in one bet.
_MAX_BET = 0.9
# Means that are tried; ends of intervals are interpolated between them.
_N_GRID_MEANS = 400
# Steps in which a pilot's differences are shifted.
_N_SHIFTS = 30


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceSequence:
    """A confidence sequence: one element for each number of values seen so far.

    Parameters
    ----------
    mean, low, high
        The mean of the values so far, and the interval of the true mean. The intervals of all
        numbers of values hold at the same time, and each lies within those before it.
    log_e
        The logarithm of the e-value against the null: the capital of a gambler who starts with 1
        and bets that the mean is not the null. It is at least 1/alpha at any time with a
        probability of at most alpha if the null is true.
    null, confidence_level
        The mean that is tested, and the level.
    """

    mean: Floats
    low: Floats
    high: Floats
    log_e: Floats
    null: float
    confidence_level: float

    @property
    def p(self) -> Floats:
        """P-values that are valid at any stopping time: 1 / the largest e-value so far."""
        return np.exp(-np.maximum.accumulate(np.maximum(self.log_e, 0.0)))

    @property
    def stop(self) -> int | None:
        """How many values it took to exclude the null; None if it is not excluded yet."""
        exclusion_indices = np.flatnonzero(self.log_e >= -math.log(1 - self.confidence_level))
        return int(exclusion_indices[0]) + 1 if len(exclusion_indices) else None


def confidence_sequence(
    values: npt.ArrayLike,
    *,
    bounds: tuple[float, float],
    null: float = 0.0,
    confidence_level: float = 0.95,
) -> ConfidenceSequence:
    r"""Return intervals of the mean of bounded values that are valid at any stopping time.

    A gambler bets on each value x (scaled to 0 to 1) against each possible mean m, half of the
    capital on higher and half on lower values:

    .. math:: K_t(m) = \tfrac12 \prod_{i \le t} \{1 + \lambda_i^+ (x_i - m)\}
              + \tfrac12 \prod_{i \le t} \{1 - \lambda_i^- (x_i - m)\}, \qquad
              \lambda_t = \sqrt{\frac{2 \log(2/\alpha)}{\hat\sigma^2_{t-1}\, t \log(t+1)}}

    with bets capped at .9 of the largest possible loss. If m is the true mean, the capital is a
    martingale, so the probability that it ever reaches 1/α is at most α (Ville). The interval
    contains the means against which the capital has not reached 1/α. You may look at every value,
    stop when the answer is clear, or continue after looking, without a correction.

    Parameters
    ----------
    values
        The values in the order in which they arrived, such as differences of two systems by topic.
    bounds
        The lowest and the highest possible value: for differences on a scale from 1 to 5, -4 and 4.
    null
        The mean that e-values are evidence against.
    confidence_level
        The confidence level of all intervals together.

    Notes
    -----
    No distribution is assumed, only that the mean of each value, given those before it, is the
    same. Topics in random order satisfy that; topics sorted by difficulty do not. The price of
    stopping at any time is a wider interval than that of a fixed number of values.

    References
    ----------
    .. [1] I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting",
       JRSS B 86, 2024.

    Examples
    --------
    >>> differences = [1, 0, 1, 2, 0, 1, -1, 2, 1, 1] * 3
    >>> sequence = confidence_sequence(differences, bounds=(-4, 4))
    >>> sequence.stop, bool(sequence.low[-1] > 0), round(float(sequence.p[-1]), 3)
    (24, True, 0.022)
    """
    x = _scale_to_unit(vector(values, "values"), bounds)
    level = share(confidence_level, "confidence_level")
    (low_end, high_end), log_limit = bounds, -math.log(1 - level)
    if not low_end < null < high_end:
        raise InputError(
            f"`null` is {null:g}", hint=f"give a number between {low_end:g} and {high_end:g}"
        )
    bets, null_share = _bets(x, 1 - level), (null - low_end) / (high_end - low_end)
    means = np.unique([*(np.arange(1, _N_GRID_MEANS) / _N_GRID_MEANS), null_share])
    log_capital = _log_capital(x[:, None], bets[:, None], means)
    low, high = _interval_ends(log_capital, means, log_limit)
    counts = np.arange(1, len(x) + 1)
    columns = (low_end + (high_end - low_end) * end for end in (low, high, np.cumsum(x) / counts))
    lower, upper, mean = columns
    log_e = log_capital[:, np.searchsorted(means, null_share)]
    return ConfidenceSequence(mean, lower, upper, log_e, null, level)


def _scale_to_unit(values: Floats, bounds: tuple[float, float]) -> Floats:
    """Check the bounds, and scale values to 0 to 1."""
    low, high = bounds
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"the bounds are {low:g} and {high:g}", hint="give the lower one first")
    noise = noise_level([low, high])
    values_outside = values[(values < low - noise) | (values > high + noise)]
    if len(values_outside):
        message = f"{values_outside[0]:g} is not between {low:g} and {high:g}"
        raise InputError(
            message, hint=("give the ends of the scale, regardless of the values that occurred")
        )
    return np.asarray(np.clip((values - low) / (high - low), 0.0, 1.0))


def _bets(x: Floats, alpha: float) -> Floats:
    """Return the bets along the last axis, each from the values before it."""
    counts = np.arange(1, x.shape[-1] + 1)
    means = (0.5 + np.cumsum(x, axis=-1)) / (counts + 1)
    variances = (0.25 + np.cumsum((x - means) ** 2, axis=-1)) / (counts + 1)
    variances_before = np.concatenate(
        [np.full((*x.shape[:-1], 1), 0.25), variances[..., :-1]], axis=-1
    )
    return np.asarray(
        np.sqrt(2 * math.log(2 / alpha) / (variances_before * counts * np.log(counts + 1)))
    )


def _log_capital(x: Floats, bets: Floats, means: Floats | float, axis: int = 0) -> Floats:
    """Return the logarithm of the capital after each value, for possible means."""
    deviations = x - means
    up_capital = np.cumsum(np.log1p(np.minimum(bets, _MAX_BET / means) * deviations), axis=axis)
    down_capital = np.cumsum(
        np.log1p(-np.minimum(bets, _MAX_BET / (1 - means)) * deviations), axis=axis
    )
    return np.asarray(np.logaddexp(up_capital, down_capital) - math.log(2))


def _interval_ends(log_capital: Floats, means: Floats, limit: float) -> tuple[Floats, Floats]:
    """Find the lowest and highest mean that is not excluded, now or earlier."""
    max_log_capital = np.maximum.accumulate(log_capital, axis=0)
    ends = []
    for capital, grid, edge in (
        (max_log_capital, means, 0.0),
        (max_log_capital[:, ::-1], means[::-1], 1.0),
    ):
        is_included = capital < limit
        first_included = np.argmax(is_included, axis=1)
        rows, previous_rows = np.arange(len(capital)), np.maximum(first_included - 1, 0)
        inner_capital, outer_capital = capital[rows, first_included], capital[rows, previous_rows]
        fraction = (limit - inner_capital) / np.maximum(outer_capital - inner_capital, 1e-300)
        end = grid[first_included] + np.clip(fraction, 0.0, 1.0) * (
            grid[previous_rows] - grid[first_included]
        )
        end = np.where(first_included == 0, edge, end)
        ends.append(np.where(is_included.any(axis=1), end, np.nan))
    return ends[0], ends[1]


def sequential_topics(
    differences: npt.ArrayLike,
    *,
    bounds: tuple[float, float],
    difference: float,
    alpha: float = 0.05,
    most: int = 1000,
    n_resamples: int = 1000,
    rng: Rng | None = None,
) -> Floats:
    """Simulate after how many topics a confidence sequence excludes 0; infinite if it does not.

    Differences by topic are drawn from a pilot's, shifted to a mean difference within the bounds.

    Parameters
    ----------
    differences
        The pilot's differences of two systems by topic.
    bounds
        The lowest and the highest possible difference.
    difference
        The true mean difference to plan for.
    alpha
        The level of the confidence sequence.
    most
        The number of topics after which the evaluation is given up.
    n_resamples
        The number of simulated evaluations.
    rng
        Generator or seed.

    Examples
    --------
    >>> pilot = [0.1, -0.1, 0.2, 0, 0.1, -0.2, 0.3, 0]
    >>> topics = sequential_topics(pilot, bounds=(-1, 1), difference=0.2, rng=0, n_resamples=200)
    >>> bool(20 < topics.mean() < 40)
    True
    """
    pilot = vector(differences, "differences", min_size=2)
    if not bounds[0] < difference < bounds[1]:
        hint = f"give a number between {bounds[0]:g} and {bounds[1]:g}"
        raise InputError(f"`difference` is {difference:g}", hint=hint)
    shifted_pilot = pilot
    for _ in range(_N_SHIFTS):
        # Values at the bounds do not move, so the others move a little more.
        shifted_pilot = np.clip(shifted_pilot + difference - shifted_pilot.mean(), *bounds)
    scaled_pilot = _scale_to_unit(shifted_pilot, bounds)
    null_mean = -bounds[0] / (bounds[1] - bounds[0])
    log_limit, stops = -math.log(share(alpha, "alpha")), []
    rng = generator(rng)
    for _ in range(0, n_resamples, 100):
        x = rng.choice(scaled_pilot, (100, most))
        is_reached = _log_capital(x, _bets(x, alpha), null_mean, axis=1) >= log_limit
        stops.append(np.where(is_reached.any(axis=1), np.argmax(is_reached, axis=1) + 1.0, np.inf))
    return np.concatenate(stops)[:n_resamples]
