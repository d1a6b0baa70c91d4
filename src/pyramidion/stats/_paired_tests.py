"""Tests of two samples: signed ranks, t, permutation."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtr, stdtrit

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._resampling import chosen_signs, studentize
from pyramidion.stats.inputs import (
    Alternative,
    Interval,
    Rng,
    check_choice,
    count_of_resamples,
    generator,
    one_sided,
    paired,
    share,
    vector,
)
from pyramidion.stats.pairs import (
    BATCH_SIZE,
    blocks,
    midranks,
    noise_level,
    snap_to_ties,
    tie_threshold,
)

Zeros = Literal["drop", "pratt", "random"]
Method = Literal["normal", "exact"]

#: The exact distribution takes n³ steps.
MAX_EXACT_DIFFERENCES = 1000


@dataclass(frozen=True, slots=True)
class Wilcoxon:
    """Result of the signed-rank test: rank sums of positive and negative differences, z, p.

    `mean` and `variance` are those of `w_plus` (R's V) under the null hypothesis, `n` counts the
    differences with a signed rank, and `zeros` the zero differences.
    """

    w_plus: float
    w_minus: float
    z: float
    p: float
    mean: float
    variance: float
    n: int
    zeros: int
    zero_method: Zeros
    method: Method
    alternative: Alternative

    @property
    def w_signed(self) -> float:
        """The sum of the signed ranks (W of chapter 4): `w_plus` minus `w_minus`."""
        return self.w_plus - self.w_minus

    @property
    def statistic(self) -> float:
        """The signed W; swapping the samples only changes its sign."""
        return self.w_signed


def wilcoxon(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    zeros: Zeros = "drop",
    method: Method = "normal",
    continuity: bool = False,
    signs: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> Wilcoxon:
    r"""Test by signed ranks whether paired differences are symmetric about zero.

    1. Z = X - Y; differences within rounding noise of each other are tied, and within noise of
       zero are zero (`pyramidion.stats.pairs.NOISE`).
    2. The absolute differences get midranks :math:`R_i`.
    3. :math:`W^+ = \sum_{Z_i > 0} R_i`, with mean :math:`\sum R_i / 2` and variance
       :math:`\sum R_i^2 / 4`, which is the tie-corrected
       :math:`[n(n+1)(2n+1) - \tfrac12\sum(t^3-t)]/24` when no zero is ranked.

    If all differences are zero, W = 0 and p = 1 with any options.

    Parameters
    ----------
    x, y
        The paired samples.
    alternative
        ``"greater"``: `x` tends to be larger.
    zeros
        ``"drop"`` removes zero differences before ranking (Wilcoxon). ``"pratt"`` ranks them
        and then drops their ranks. ``"random"`` ranks them and gives each a random sign
        (Putter).
    method
        ``"normal"``, or ``"exact"``: all 2ⁿ signs of the observed ranks, ties included.
    continuity
        Move W half a unit towards its mean in the normal approximation.
    signs
        For ``zeros="random"``: the signs of the zero differences, in order.
    rng
        Generator or seed for ``zeros="random"``.

    Notes
    -----
    The signed W of chapter 4 is 2 W+ - n(n+1)/2 with variance n(n+1)(2n+1)/6; its cutoff is
    not that of W+ (reading 5). Ranks are midranks, not maximum ranks (reading 6); zeros are
    dropped by default (reading 7); Z = X - Y (reading 8).

    References
    ----------
    .. [1] F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945.
    .. [2] J. W. Pratt, "Remarks on zeros and ties in the Wilcoxon signed rank procedures",
       JASA 54, 1959.
    .. [3] J. Putter, "The treatment of ties in some nonparametric tests", Annals of
       Mathematical Statistics 26, 1955.

    Examples
    --------
    >>> result = wilcoxon([1, 2, 4, 4, -4, 4, 6, 7, -10, 13, -14], [0] * 11)
    >>> result.w_plus, result.w_signed, round(result.p, 6)
    (41.5, 17.0, 0.447551)
    >>> wilcoxon([1, 2, 4, 4, -4, 4, 6, 7, -10, 13, -14], [0] * 11, method="exact").p
    0.4833984375
    """
    first, second = paired(x, y)
    check_choice(alternative, "alternative", Alternative)
    check_choice(zeros, "zeros", Zeros)
    check_choice(method, "method", Method)
    if signs is not None and zeros != "random":
        raise InputError("`signs` needs zeros='random'", hint="leave it out")
    differences = snap_to_ties(first, second)
    is_zero = differences == 0
    ranked_differences = differences[~is_zero] if is_zero.all() or zeros == "drop" else differences
    directions = np.sign(ranked_differences)
    if zeros == "random" and len(ranked_differences):
        directions[is_zero] = _zero_signs(int(is_zero.sum()), signs, rng)
    signed_ranks = (midranks(np.abs(ranked_differences)) * directions)[directions != 0]
    positive_sum, negative_sum = (
        float(signed_ranks[signed_ranks > 0].sum()),
        float(-signed_ranks[signed_ranks < 0].sum()),
    )
    distance, variance = (positive_sum - negative_sum) / 2, float(np.sum(signed_ranks**2)) / 4
    z, p_greater, p_less = 0.0, 1.0, 1.0
    if variance:
        z = distance / variance**0.5
    if variance and method == "exact":
        probabilities, index = (
            signed_rank_distribution(np.abs(signed_ranks)),
            round(2 * positive_sum),
        )
        p_greater, p_less = (
            float(probabilities[index:].sum()),
            float(probabilities[: index + 1].sum()),
        )
    elif variance:
        correction = 0.5 if continuity else 0.0
        p_greater = float(ndtr(-(distance - correction) / variance**0.5))
        p_less = float(ndtr((distance + correction) / variance**0.5))
    p = one_sided(min(p_greater, 1.0), min(p_less, 1.0), alternative)
    values = positive_sum, negative_sum, z, p, (positive_sum + negative_sum) / 2, variance
    return Wilcoxon(*values, len(signed_ranks), int(is_zero.sum()), zeros, method, alternative)


def _zero_signs(n_zeros: int, signs: npt.ArrayLike | None, rng: Rng | None) -> Floats:
    """Check the signs of the zero differences, or draw them."""
    if signs is None:
        return generator(rng).choice(np.array([-1.0, 1.0]), n_zeros)
    zero_signs = vector(signs, "signs", min_size=0)
    if len(zero_signs) != n_zeros:
        raise ShapeError(
            f"`signs` has {len(zero_signs)} values", hint=f"give {n_zeros}, one per zero difference"
        )
    if not np.all(np.abs(zero_signs) == 1):
        raise InputError("`signs` has a value other than 1 and -1")
    return zero_signs


def signed_rank_distribution(ranks: npt.ArrayLike) -> Floats:
    """Return the null distribution of W+, at multiples of one half.

    Ranks are multiples of one half, so the distribution is a running convolution over twice the
    ranks.
    """
    doubled_ranks = np.rint(2 * vector(ranks, "ranks")).astype(np.int64)
    if len(doubled_ranks) > MAX_EXACT_DIFFERENCES:
        message = f"{len(doubled_ranks)} differences are too many for the exact distribution"
        raise InputError(message, hint=f'the limit is {MAX_EXACT_DIFFERENCES}; use method="normal"')
    probabilities = np.zeros(int(doubled_ranks.sum()) + 1)
    probabilities[0] = 1.0
    largest_sum = 0
    for rank in np.sort(doubled_ranks):
        largest_sum += int(rank)
        probabilities[: largest_sum + 1] /= 2
        probabilities[rank : largest_sum + 1] += probabilities[: largest_sum + 1 - rank].copy()
    return probabilities


Variance = Literal["pooled", "welch"]
TTestKind = Literal["paired", "pooled", "welch"]


@dataclass(frozen=True, slots=True)
class TTest:
    """Result of a t test of the mean of `x` minus the mean of `y`.

    If nothing varies, `note` says so: t is 0 and p is 1 if the means are equal, otherwise both
    are NaN. The interval is one-sided for a one-sided alternative.
    """

    difference: float
    standard_error: float
    statistic: float
    df: float
    p: float
    interval: Interval
    n: tuple[int, int]
    kind: TTestKind
    alternative: Alternative
    note: str = ""


def paired_t(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> TTest:
    r"""Test whether the mean of paired differences is zero.

    .. math:: t = \bar Z \big/ (s_Z / \sqrt n), \quad Z = X - Y, \quad n - 1 \text{ df}

    (3.7.1.1 omits √n and 3.2 uses Y - X: reading 8.) When all differences are equal, up to
    rounding noise, t is 0 with p = 1 if they are zero, otherwise NaN.

    Parameters
    ----------
    x, y
        The paired samples, at least two pairs.
    alternative
        ``"greater"``: the mean of `x` is larger.
    confidence_level
        The confidence level of the interval for the mean difference.

    References
    ----------
    .. [1] Student, "The probable error of a mean", Biometrika 6, 1908.

    Examples
    --------
    >>> result = paired_t([3, 4, 4, 2, 3], [2, 1, 5, 2, 2])
    >>> round(result.statistic, 4), result.df, round(result.p, 4)
    (1.206, 4.0, 0.2943)
    """
    first, second = paired(x, y, min_size=2)
    differences = first - second
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    details = error, len(differences) - 1.0, noise_level(first, second)
    return _t_test("paired", (differences,), *details, alternative, confidence_level)


def unpaired_t(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    variance: Variance = "pooled",
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> TTest:
    r"""Test whether two independent samples have the same mean.

    ``"pooled"`` assumes equal variances (chapter 4), ``"welch"`` does not (3.7; reading 20):

    .. math:: t_{pooled} = \frac{\bar X - \bar Y}{s_p\sqrt{1/n_x + 1/n_y}}, \qquad
              t_{Welch} = \frac{\bar X - \bar Y}{\sqrt{s_x^2/n_x + s_y^2/n_y}}

    For samples of equal size only the degrees of freedom differ. When both samples are constant,
    up to rounding noise, t is 0 with p = 1 if they are equal, otherwise NaN.

    Parameters
    ----------
    x, y
        The samples; Welch's test needs two values of each, the pooled test three in total.
    variance
        How the variance is estimated.
    alternative
        ``"greater"``: the mean of `x` is larger.
    confidence_level
        The confidence level of the interval for the difference of the means.

    References
    ----------
    .. [1] B. L. Welch, "The generalization of 'Student's' problem when several different
       population variances are involved", Biometrika 34, 1947.

    Examples
    --------
    >>> result = unpaired_t([3, 4, 4, 2], [2, 1, 3, 2, 2], variance="welch")
    >>> round(result.statistic, 4), round(result.df, 3), round(result.p, 4)
    (2.1787, 5.416, 0.0771)
    """
    check_choice(variance, "variance", Variance)
    min_size = 2 if variance == "welch" else 1
    first, second = vector(x, "x", min_size=min_size), vector(y, "y", min_size=min_size)
    if len(first) + len(second) < 3:
        raise InputError("one value per sample does not determine a variance", hint="add values")
    error, df = (_welch_error if variance == "welch" else _pooled_error)(first, second)
    details = error, df, noise_level(first, second)
    return _t_test(variance, (first, second), *details, alternative, confidence_level)


def _pooled_error(x: Floats, y: Floats) -> tuple[float, float]:
    """Return the standard error and degrees of freedom for equal variances."""
    df = len(x) + len(y) - 2.0
    squares = float(np.sum((x - x.mean()) ** 2) + np.sum((y - y.mean()) ** 2))
    return math.sqrt(squares / df * (1 / len(x) + 1 / len(y))), df


def _welch_error(x: Floats, y: Floats) -> tuple[float, float]:
    """Return the standard error and Satterthwaite's degrees of freedom."""
    variance_x, variance_y = float(x.var(ddof=1)) / len(x), float(y.var(ddof=1)) / len(y)
    if not variance_x + variance_y:
        return 0.0, math.nan
    share_x, share_y = (
        variance_x / (variance_x + variance_y),
        variance_y / (variance_x + variance_y),
    )
    return math.sqrt(variance_x + variance_y), 1 / (
        share_x**2 / (len(x) - 1) + share_y**2 / (len(y) - 1)
    )


def _t_test(
    kind: TTestKind,
    samples: tuple[Floats, ...],
    error: float,
    df: float,
    noise: float,
    alternative: Alternative,
    level: float,
) -> TTest:
    """Test a mean of differences, or the difference of two means, by its standard error."""
    check_choice(alternative, "alternative", Alternative)
    share(level, "confidence_level")
    first_mean, *other_means = (sample.mean() for sample in samples)
    difference, n = float(first_mean - sum(other_means)), (len(samples[0]), len(samples[-1]))
    # A spread whose square underflows also counts as none.
    if all(np.ptp(sample) <= max(noise, 1e-150) for sample in samples):
        subject = "every difference is" if kind == "paired" else "the values of each sample are"
        t, p = (0.0, 1.0) if abs(difference) <= noise else (math.nan, math.nan)
        interval, note = Interval(math.nan, math.nan, level), f"no spread: {subject} the same"
    else:
        t, note = difference / error, ""
        p = one_sided(float(stdtr(df, -t)), float(stdtr(df, t)), alternative)
        tail = (1 - level) / (2 if alternative == "two-sided" else 1)
        half_width = -float(stdtrit(df, tail)) * error
        low = -math.inf if alternative == "less" else difference - half_width
        high = math.inf if alternative == "greater" else difference + half_width
        interval = Interval(low, high, level)
    return TTest(difference, error, t, df, p, interval, n, kind, alternative, note)


Statistic = Literal["mean", "w", "w-pratt", "t", "t-unpaired"]

#: Up to this many nonzero differences, all 2ⁿ swaps are enumerated: a million sums.
_MAX_ENUMERATED = 20


@dataclass(frozen=True, slots=True)
class Permutation:
    """Result of the permutation test.

    `zeros` counts the equal pairs, and `n_resamples` the swaps behind p: 2ⁿ for n nonzero
    differences if exact.
    """

    statistic: float
    p: float
    topics: int
    zeros: int
    exact: bool
    n_resamples: int
    alternative: Alternative


def permutation_test(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    statistic: Statistic = "mean",
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    swaps: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> Permutation:
    r"""Test whether the two values of each pair are exchangeable.

    With up to 20 nonzero differences the p-value is exact, the share of all :math:`2^n` swaps
    whose statistic is at least as extreme; with more it is :math:`(b + 1) / (B + 1)` for b such
    swaps among B random ones. Two-sided compares absolute values.

    Parameters
    ----------
    x, y
        The paired samples.
    statistic
        ``"mean"`` (the mean of x - y); ``"w"`` (sum of signed ranks, zeros dropped);
        ``"w-pratt"`` (zeros ranked, their ranks dropped); ``"t"`` (paired); ``"t-unpaired"``
        (pooled variance). The mean and both T give the same p-value, because each increases with
        the sum of the differences (reading 9).
    alternative
        ``"greater"``: `x` tends to be larger.
    n_resamples
        The number of random swaps; if there are no more than this, all 2ⁿ are enumerated.
    swaps
        The swaps themselves: resamples x pairs of 0 and 1.
    rng
        Generator or seed.

    Notes
    -----
    Differences within rounding noise of zero are zero, and within noise of each other are tied
    (`pyramidion.stats.pairs.NOISE`); comparisons with the observed value allow for a billionth.
    Without any difference, p is 1 and t is 0; t is infinite if all differences are equal.

    References
    ----------
    .. [1] R. A. Fisher, "The design of experiments", Oliver and Boyd, 1935.

    Examples
    --------
    >>> x, y = [5, 3, 3, 4, 4, 3, 5, 2, 2, 1], [1, 4, 2, 2, 1, 3, 1, 3, 2, 2]
    >>> permutation_test(x, y).p
    0.1640625
    >>> result = permutation_test(x, y, statistic="w", alternative="greater")
    >>> result.statistic, result.p
    (21.0, 0.08984375)
    """
    first, second = paired(x, y)
    check_choice(statistic, "statistic", Statistic)
    check_choice(alternative, "alternative", Alternative)
    count_of_resamples(n_resamples)
    z = snap_to_ties(first, second)
    # The contribution of each difference to the statistic.
    contributions = z
    if statistic in ("w", "w-pratt"):
        n_dropped = 0 if statistic == "w-pratt" else np.count_nonzero(z == 0)
        contributions = np.sign(z) * (midranks(np.abs(z)) - n_dropped)
    norm = float(np.linalg.norm(contributions)) or 1.0
    nonzero_rows = np.flatnonzero(z)
    is_enumerated = swaps is None and 2 ** len(nonzero_rows) <= max(n_resamples, 2**_MAX_ENUMERATED)
    if is_enumerated:
        sums = _sums_of_all_signs(contributions[nonzero_rows] / norm)
        resample_count = len(sums)
    else:
        signs, scaled_contributions = (
            chosen_signs(swaps, n_resamples, len(z), rng),
            contributions / norm,
        )
        sums = np.concatenate(
            [signs[rows] @ scaled_contributions for rows in blocks(len(signs), len(z), BATCH_SIZE)]
        )
        resample_count = len(sums) - 1
    if statistic == "mean":
        observed = float(z.mean())
    else:
        is_t = statistic in ("t", "t-unpaired")
        observed = _t_statistic(first, second, z, statistic) if is_t else float(contributions.sum())
    values = observed, _tail_share(sums, alternative), len(z), len(z) - len(nonzero_rows)
    return Permutation(*values, is_enumerated, resample_count, alternative)


def _sums_of_all_signs(contributions: Floats) -> Floats:
    """Sum the parts with all combinations of signs; all plus comes first."""
    sums = np.zeros(1)
    for contribution in contributions:
        sums = np.concatenate([sums + contribution, sums - contribution])
    return sums


def _tail_share(sums: Floats, alternative: Alternative) -> float:
    """Return the share of sums at least as extreme as the first, the observed one."""
    if alternative == "two-sided":
        sums = np.abs(sums)
    elif alternative == "less":
        sums = -sums
    tolerance = abs(sums[0]) - tie_threshold(sums[:1])[0]
    return float(np.count_nonzero(sums >= sums[0] - tolerance)) / len(sums)


def _t_statistic(x: Floats, y: Floats, z: Floats, statistic: Statistic) -> float:
    n = len(z)
    if n < 2:
        return float("nan")
    pooled_values = np.concatenate([x, y])
    squares = (
        np.sum(z**2)
        if statistic == "t"
        else 2 * np.sum((pooled_values - pooled_values.mean()) ** 2)
    )
    df = n - 1 if statistic == "t" else 2 * n - 2
    return float(studentize(z.sum(keepdims=True), n * squares, df)[0])
