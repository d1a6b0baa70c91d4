"""Power of paired tests, and the number of topics that a study needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri, ncfdtrinc, nctdtr, ndtr, ndtri, stdtrit

from pyramidion._types import Bools, Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._resampling import ratio, snap_differences
from pyramidion.stats.inputs import (
    Rng,
    check_choice,
    count_of_resamples,
    generator,
    matrix,
    share,
    vector,
)
from pyramidion.stats.pairs import (
    Indices,
    checked_pairs,
    merge_rounding_ties,
    noise_level,
    pair_blocks,
    quantile_index,
)


def distribution(p: npt.ArrayLike, name: str) -> Floats:
    """Check that values are probabilities, and scale their sum to exactly 1."""
    array = vector(p, name, min_size=2)
    if (array < 0).any():
        raise InputError(f"`{name}` has a negative probability")
    if abs(array.sum() - 1) > 1e-6:
        raise InputError(f"`{name}` sums to {array.sum():.6g}", hint="divide by the sum")
    return np.asarray(array / array.sum())


def blend(p_machine: npt.ArrayLike, p_human: npt.ArrayLike, t: float) -> Floats:
    """Return (1 - t) p_M + t p_H."""
    machine, human = distribution(p_machine, "p_machine"), distribution(p_human, "p_human")
    if len(machine) != len(human):
        message = f"`p_machine` has {len(machine)} probabilities and `p_human` {len(human)}"
        raise ShapeError(message, hint="give one per possible score, 0 if it never occurs")
    if not 0 <= t <= 1:
        raise InputError(f"`t` is {t}", hint="give numbers from 0 to 1")
    return (1 - t) * machine + t * human


def given_document(
    p: npt.ArrayLike, p_document: npt.ArrayLike, *, name: str = "p_document"
) -> Floats:
    """Return the distribution p on a document: the product, scaled to sum to 1."""
    system, document = distribution(p, "p"), distribution(p_document, name)
    if len(system) != len(document):
        raise ShapeError(f"`p` has {len(system)} probabilities and `{name}` {len(document)}")
    product = system * document
    if not product.any():
        message = f"no score that `{name}` allows is possible for the system (p_M . p_d = 0)"
        raise InputError(message, hint="remove the document, or count all its scores")
    return np.asarray(product / product.sum())


def frequencies(scores: npt.ArrayLike, values: npt.ArrayLike) -> Floats:
    """Return the share of each possible score; missing scores (NaN) are left out."""
    array = vector(np.ravel(np.asarray(scores, dtype=object)), "scores", nan=True)
    array, scale = array[~np.isnan(array)], vector(values, "values")
    unknown_scores = array[~np.isin(array, scale)]
    if len(unknown_scores):
        raise InputError(f"`scores` has {unknown_scores[0]:g}", hint="it is not among `values`")
    if not len(array):
        raise InputError("`scores` has no value")
    return np.asarray(np.mean(array[:, None] == scale, axis=0))


def table_statistics(counts: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """Compute W, paired T and Welch's T of Y - X for many samples at once."""
    x, y = (grid.ravel() for grid in np.meshgrid(scale, scale, indexing="ij"))
    n = float(counts[0].sum())
    differences = counts @ (y - x) / n
    paired_variances, x_variances, y_variances = (
        _variances(counts, values) for values in (y - x, x, y)
    )
    noise = noise_level(scale)
    differences[np.abs(differences) <= noise] = 0.0
    statistics = np.stack(
        [
            _standardized_rank_sums(counts, y - x, noise),
            _divide_or_infinite(differences, np.sqrt(paired_variances / n)),
            _divide_or_infinite(differences, np.sqrt((x_variances + y_variances) / n)),
        ]
    )
    df = ratio((n - 1) * (x_variances + y_variances) ** 2, x_variances**2 + y_variances**2)
    return statistics, np.maximum(df, 1.0)


def _variances(counts: Floats, values: Floats) -> Floats:
    n, centered_values = counts[0].sum(), values - values.mean()
    total = counts @ centered_values**2
    squares = total - (counts @ centered_values) ** 2 / n
    return np.asarray(np.where(squares < 1e-12 * total, 0.0, squares) / (n - 1))


def _divide_or_infinite(difference: Floats, error: Floats) -> Floats:
    """Divide; without variance, a difference becomes infinite and 0 stays 0."""
    infinite_ratio = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    return np.divide(difference, error, out=infinite_ratio, where=error > 0)


def _standardized_rank_sums(counts: Floats, z: Floats, noise: float) -> Floats:
    # Score pairs with the same absolute difference are one group of ties.
    sizes = merge_rounding_ties(np.abs(z), noise)
    membership = (sizes[:, None] == np.unique(sizes[sizes > noise])).astype(np.float64)
    counts_by_size, signed_counts = counts @ membership, (counts * np.sign(z)) @ membership
    ranks = np.cumsum(counts_by_size, axis=1) - (counts_by_size - 1) / 2
    total, squares = (
        np.sum(signed_counts * ranks, axis=1),
        np.sum(counts_by_size * ranks**2, axis=1),
    )
    return ratio(total, np.sqrt(squares))


PowerTest = Literal["w", "t", "welch"]
Side = Literal["greater", "two-sided"]

#: From 0 to 0.8 in steps of 0.05.
DEFAULT_BLENDS = tuple(step / 20 for step in range(17))


@dataclass(frozen=True, slots=True)
class PowerOfTest:
    """The power of one test, one element per t."""

    calibrated: Floats
    nominal: Floats
    cutoff: float
    size: float


@dataclass(frozen=True, slots=True)
class PowerCurve:
    """Power of the three tests at each t, with `n_null` samples at t = 0."""

    t: Floats
    tests: Mapping[PowerTest, PowerOfTest]
    topics: int
    n_null: int
    n_resamples: int


def power_curve(
    p_machine: npt.ArrayLike,
    p_human: npt.ArrayLike,
    *,
    p_documents: npt.ArrayLike | None = None,
    values: npt.ArrayLike | None = None,
    topics: int = 60,
    t: npt.ArrayLike = DEFAULT_BLENDS,
    alternative: Side = "greater",
    confidence_level: float = 0.95,
    n_null: int = 50_000,
    n_resamples: int = 10_000,
    rng: Rng | None = None,
) -> PowerCurve:
    r"""Simulate how often each test separates a blend of machine and human scores from machines'.

    X has the distribution :math:`p_M` and Y has :math:`p_t = (1 - t) p_M + t p_H`; the tests are
    of Y - X. With document effects, a document d is drawn for each topic, and X and Y are drawn,
    independently given d, from

    .. math:: p_{M,d}(k) = \frac{p_M(k) p_d(k)}{p_M \cdot p_d}, \qquad
              p_{t,d}(k) = \frac{p_t(k) p_d(k)}{p_t \cdot p_d}.

    Defaults are those of section 3.7. Power is reported with cutoffs calibrated at t = 0, as
    there, and with nominal ones: calibration hides that with document effects the unpaired
    test rejects far too rarely (reading 10).

    Parameters
    ----------
    p_machine, p_human
        Probabilities of the possible scores; they sum to 1.
    p_documents
        Each document's distribution (documents x scores); by default, no document effects.
    values
        The possible scores; by default 1, 2, 3, ...
    topics
        The size n of a sample.
    t
        The blends, from 0 to 1.
    alternative
        ``"greater"`` (Y is larger), or ``"two-sided"``.
    confidence_level
        One minus the significance level.
    n_null
        Samples at t = 0.
    n_resamples
        Samples at any other t.
    rng
        Generator or seed.

    Raises
    ------
    InputError
        If :math:`p_M \cdot p_d` or :math:`p_t \cdot p_d` is 0: the conditional distribution
        is undefined (reading 29).

    Notes
    -----
    The n topics are independent, so a sample is drawn as a multinomial table of counts of score
    pairs. Cutoffs are inverse empirical quantiles, to be exceeded (reading 17). W is
    standardized, with zeros dropped and ties corrected; a sample without any difference has the
    statistic 0. T is Y - X over its standard error (reading 8).

    Examples
    --------
    >>> machine, human = [0.14, 0.36, 0.31, 0.13, 0.06], [0.01, 0.03, 0.12, 0.34, 0.5]
    >>> curve = power_curve(machine, human, t=[0, 0.2], n_null=5000, n_resamples=2000)
    >>> curve.tests["t"].calibrated.round(1).tolist()
    [0.0, 0.5]
    """
    check_choice(alternative, "alternative", Side)
    level = share(confidence_level, "confidence_level")
    blends = vector(t, "t")
    machine, human = distribution(p_machine, "p_machine"), distribution(p_human, "p_human")
    joint_tables = [
        _joint_distribution(machine, blend(machine, human, blend_share), p_documents)
        for blend_share in blends
    ]
    scale = np.arange(1.0, len(machine) + 1) if values is None else vector(values, "values")
    if len(scale) != len(machine) or len(np.unique(scale)) != len(machine):
        hint = f"give one per probability, {len(machine)} in total"
        raise ShapeError(f"`values` has {len(np.unique(scale))} different scores", hint=hint)
    n_topics, is_two_sided, random_generator = (
        _checked_integer(topics, "topics"),
        alternative == "two-sided",
        generator(rng),
    )
    tail = (1 + level) / 2 if is_two_sided else level

    def simulate(joint_table: Floats, samples: int) -> tuple[Floats, Floats]:
        """Return statistics (tests x samples) and the rejection rates of the nominal tests."""
        count_tables = random_generator.multinomial(
            n_topics, joint_table / joint_table.sum(), count_of_resamples(samples)
        )
        statistics, df = table_statistics(count_tables.astype(np.float64), scale)
        if is_two_sided:
            statistics = np.abs(statistics)
        limits = ndtri(tail), stdtrit(n_topics - 1, tail), stdtrit(df, tail)
        return statistics, np.array(
            [np.mean(row > limit) for row, limit in zip(statistics, limits, strict=True)]
        )

    null_statistics, null_rates = simulate(
        _joint_distribution(machine, machine, p_documents), n_null
    )
    index = quantile_index(n_null, level)
    cutoffs = np.partition(null_statistics, index, axis=1)[:, index, None]
    rates = [(np.mean(null_statistics > cutoffs, axis=1), null_rates)] * len(blends)
    for i in np.flatnonzero(blends):
        statistics, nominal_rates = simulate(joint_tables[i], n_resamples)
        rates[i] = np.mean(statistics > cutoffs, axis=1), nominal_rates
    names: tuple[PowerTest, ...] = ("w", "t", "welch")
    rates_array = np.array(rates)
    tests = {
        name: PowerOfTest(
            rates_array[:, 0, i], rates_array[:, 1, i], float(cutoffs[i, 0]), float(null_rates[i])
        )
        for i, name in enumerate(names)
    }
    return PowerCurve(blends, tests, topics, n_null, n_resamples)


def _checked_integer(value: int, name: str, *, minimum: int = 2) -> int:
    if value < minimum or value != int(value):
        raise InputError(f"`{name}` is {value}", hint=f"give a whole number of {minimum} or more")
    return int(value)


def _joint_distribution(
    machine: Floats, other: Floats, p_documents: npt.ArrayLike | None
) -> Floats:
    """Return the probabilities of all pairs of scores (X, Y)."""
    if p_documents is None:
        return np.outer(machine, other).ravel()
    documents = matrix(p_documents, "p_documents", nan=False)
    if not len(documents):
        raise InputError("`p_documents` has no document")
    tables = []
    for index, document in enumerate(documents):
        name = f"p_documents[{index}]"
        first, second = (given_document(p, document, name=name) for p in (machine, other))
        tables.append(np.outer(first, second))
    return np.asarray(np.mean(tables, axis=0).ravel())


FloatOrFloats = Floats | float
PlannedTest = Literal["permutation", "wilcoxon", "paired-t", "unpaired-t", "welch"]
PlannedCorrection = Literal["maxt", "maxt-single", "holm", "bh", "none"]

# Up to this many topics, max-T is as strict as Bonferroni.
_MAX_BONFERRONI_TOPICS = 8
# Larger effects need as many topics as this effect.
_MAX_EFFECT = 50.0
# The maximum number of systems in simulations of stepwise corrections.
_MAX_SIMULATED_SYSTEMS = 100
# Statistics of pairs simulated at a time.
_BLOCK_STATISTICS = 4_000_000


@dataclass(frozen=True, slots=True)
class PlannedTesting:
    """A planned test of a pair of systems among others: its level, power and required topics.

    The true difference of the pair is `effect` standard deviations of its differences over topics.
    All other systems are assumed midway between the two, where they help least. With `inside`, the
    plan is to show equivalence: `effect` is the margin, in the same unit, and the true difference
    is `inside` times the margin.
    """

    test: PlannedTest = "permutation"
    systems: int = 2
    correction: PlannedCorrection = "maxt"
    alpha: float = 0.05
    target_power: float = 0.8
    most: int = 1000
    n_resamples: int = 4000
    seed: int = 0
    inside: float | None = None

    @property
    def unpaired(self) -> bool:
        """Whether the test ignores shared topics; Holm can correct it, max-T cannot."""
        return self.test in ("unpaired-t", "welch")

    @property
    def _steps_down(self) -> bool:
        """Whether tests of equivalence are corrected, by Holm's procedure."""
        return self.inside is not None and self.correction != "none"

    def levels(self, topics: Floats) -> Floats:
        """Return the level of an uncorrected test that is as strict as the corrected one."""
        n_pairs = self.systems * (self.systems - 1) // 2
        strict_level = lenient_level = (
            self.alpha if self.correction == "none" else self.alpha / n_pairs
        )
        if n_pairs > 1 and (self.correction == "bh" or self._steps_down):
            strict_level = lenient_level = _stepwise_level(self)
        is_joint = n_pairs > 1 and self.correction.startswith("maxt") and not self.unpaired
        if is_joint := is_joint and self.inside is None:
            from pyramidion.stats.multiple_comparisons import tukey_critical

            strict_level = 2 * float(ndtr(-tukey_critical(1 - self.alpha, self.systems, np.inf)))
        levels: Floats = lenient_level + (strict_level - lenient_level) * np.maximum(
            0, 1 - _MAX_BONFERRONI_TOPICS / topics
        )
        if self.test != "permutation":
            return levels
        # Two-sided p-values are multiples of 2 / 2ⁿ, one-sided ones of 1 / 2ⁿ.
        n_sign_vectors = 2.0 ** np.minimum(topics - (self.inside is None), 60)
        attainable_levels: Floats = np.floor(levels * n_sign_vectors) / n_sign_vectors
        return (
            np.where(n_sign_vectors * self.alpha >= 1, levels, 0.0)
            if is_joint
            else attainable_levels
        )

    def power(
        self,
        topics: Floats,
        effect: Floats,
        widening: FloatOrFloats = 1.0,
        step: FloatOrFloats = 0.0,
        /,
    ) -> Floats:
        """Return the power (with the correct sign) for numbers of topics and effects.

        `widening` is the ratio of an unpaired test's standard error to the paired one, and `step`
        the number, in spreads, of which all differences are multiples, or 0.
        """
        n, levels = topics, self.levels(topics)
        if self.test == "wilcoxon":
            cutoff = -ndtri(levels / 2)
            p_reached: Floats = ndtr(effect * np.sqrt(n) - cutoff)
            # The statistic is largest if all signs are equal.
            return np.where(cutoff**2 <= 1.5 * n * (n + 1) / (2 * n + 1), p_reached, 0.0)
        shift = effect * np.sqrt(n)
        if self.test == "permutation" and self.inside is None:
            # Sums under random signs move in double steps, and equal ones count as extreme.
            shift = np.maximum(shift - step / np.sqrt(n), 0.0)
        df = 2 * n - 2 if self.unpaired else n - 1
        return t_power(shift, df, levels, widening, self.inside)

    def topics(self, effect: Floats, /, *power_arguments: FloatOrFloats) -> Floats:
        """Return the smallest numbers of topics with the target power; infinite beyond `most`."""
        capped_effect = np.minimum(effect, _MAX_EFFECT)
        low, high = np.ones_like(capped_effect), np.full_like(capped_effect, self.most)
        is_too_low = self.power(high, capped_effect, *power_arguments) < self.target_power
        while (high - low > 1).any():
            middle = (low + high) // 2
            is_reached = self.power(middle, capped_effect, *power_arguments) >= self.target_power
            low, high = np.where(is_reached, low, middle), np.where(is_reached, middle, high)
        return np.where(np.isnan(capped_effect), np.nan, np.where(is_too_low, np.inf, high))


def t_power(
    shift: Floats,
    freedom: Floats,
    levels: Floats,
    widening: FloatOrFloats,
    margin_share: float | None,
) -> Floats:
    """Return the power (with the correct sign) of two-sided t tests at these levels.

    `shift` is the true difference in standard errors; without degrees of freedom, the power is 0.
    With `margin_share`, it is the margin of two one-sided tests; the true difference is that share
    of it.
    """
    df = np.maximum(freedom, 1e-3)
    tails = np.maximum(levels, 1e-300) / (2 if margin_share is None else 1)
    limits = -stdtrit(df, tails) * widening
    # SciPy returns NaN for some powers of 1.
    if margin_share is None:
        power = 1 - np.nan_to_num(nctdtr(df, shift, limits), nan=0.0)
    else:
        p_below = np.nan_to_num(nctdtr(df, (margin_share - 1) * shift, -limits), nan=1.0)
        power = p_below - np.nan_to_num(nctdtr(df, (margin_share + 1) * shift, limits), nan=0.0)
    return np.where((levels > 0) & (freedom > 0), np.maximum(power, 0.0), 0.0)


def normal_power(shift: Floats, limits: Floats, margin_share: float | None = None) -> Floats:
    """Return the probability that a normal difference exceeds limits that are equally likely.

    Differences and limits are in standard errors. With `margin_share`, it is the probability that
    both one-sided tests pass, and `shift` is the margin.
    """
    effect = shift[..., None]
    if margin_share is None:
        return np.asarray(ndtr(effect - limits).mean(axis=-1))
    power = (
        ndtr((1 - margin_share) * effect - limits) + ndtr((1 + margin_share) * effect - limits) - 1
    )
    return np.asarray(np.maximum(power, 0.0).mean(axis=-1))


@cache
def _stepwise_level(plan: PlannedTesting) -> float:
    return stepwise_level(plan, lambda tails: -ndtri(tails)[:, None])


def stepwise_level(plan: PlannedTesting, limits: Callable[[Floats], Floats]) -> float:
    """Simulate the level that a stepwise correction amounts to for the planned pair.

    The correction is Benjamini and Hochberg's, or Holm's for tests of equivalence. Pairs of either
    system with the others differ half as much; rejecting them makes the correction less strict.
    `limits` returns critical values in standard errors (tails x equally likely draws).
    """
    n_systems = min(plan.systems, _MAX_SIMULATED_SYSTEMS)
    first, second = np.triu_indices(n_systems, 1)
    n_pairs, margin_share = len(first), plan.inside
    n_simulated = max(1, min(plan.n_resamples, _BLOCK_STATISTICS // n_pairs))
    means = generator(plan.seed).standard_normal((n_simulated, n_systems)) / np.sqrt(2)
    centers = np.zeros(n_systems)
    centers[:2] = 0.5, -0.5
    null_means, true_differences = (
        means[:, first] - means[:, second],
        centers[first] - centers[second],
    )
    ranks, is_step_up = np.arange(1, n_pairs + 1), plan.correction == "bh"
    level_shares = ranks / n_pairs if is_step_up else 1 / (n_pairs - ranks + 1)
    n_sides = 2 if margin_share is None else 1
    cutoffs = limits(plan.alpha * level_shares / n_sides).T
    cutoffs = cutoffs[np.arange(n_simulated) % len(cutoffs)]
    low, high = 0.0, 20.0 * float(max(1.0, cutoffs.max() / 5))
    for _ in range(12):
        middle = (low + high) / 2
        sizes = np.abs(
            null_means + middle * true_differences * (1 if margin_share is None else margin_share)
        )
        if margin_share is not None:
            sizes = middle - sizes
        sorted_sizes = -np.sort(-sizes, axis=1)
        is_rejected = sorted_sizes >= cutoffs
        # Step-up rejects up to the last that passes, step-down stops at the first that does not.
        n_rejected = (
            n_pairs - np.argmax(is_rejected[:, ::-1], axis=1)
            if is_step_up
            else np.argmin(is_rejected, axis=1)
        )
        n_rejected[is_rejected.all(axis=1)], n_rejected[~is_rejected[:, 0] & (not is_step_up)] = (
            n_pairs,
            0,
        )
        n_rejected[~is_rejected.any(axis=1)] = 0
        smallest_rejected = np.take_along_axis(
            sorted_sizes, np.maximum(n_rejected - 1, 0)[:, None], 1
        )[:, 0]
        has_power = (
            np.mean((sizes[:, 0] >= smallest_rejected) & (n_rejected > 0)) >= plan.target_power
        )
        low, high = (low, middle) if has_power else (middle, high)
    bracket = -10.0, 20.0
    for _ in range(24):
        middle = sum(bracket) / 2
        power_alone = normal_power(
            np.array(high), limits(np.array([ndtr(-middle)]))[0], margin_share
        )
        bracket = (middle, bracket[1]) if power_alone >= plan.target_power else (bracket[0], middle)
    return n_sides * float(ndtr(-bracket[0])) * n_pairs / (plan.systems * (plan.systems - 1) // 2)


@dataclass(frozen=True, slots=True)
class RequiredTopics:
    """The number of topics needed, one element per pair.

    `pilot` counts the shared topics of the pilot, `planned` is the absolute difference planned for,
    and `shrinkage` the factor applied to the pilot's differences. `topics` is infinite beyond
    `testing.most`, and NaN if the pair shares fewer than two topics.
    """

    pairs: Indices
    pilot: Ints
    difference: Floats
    planned: Floats
    spread: Floats
    topics: Floats
    low: Floats
    high: Floats
    shrinkage: float
    testing: PlannedTesting
    typical: "TypicalPair"

    @property
    def median(self) -> float:
        """The number of topics with which at least half of the pairs have the target power."""
        return self.for_share(0.5)

    def for_share(self, part: float) -> float:
        """Return the number of topics with which this share of the pairs has the target power.

        Pairs that share too few topics in the pilot are left out.
        """
        if not 0 < part <= 1:
            raise InputError(f"`part` is {part}", hint="give a share above 0, at most 1")
        topics = np.sort(self.topics[~np.isnan(self.topics)])
        return float(topics[int(np.ceil(part * len(topics) - 1e-9)) - 1]) if len(topics) else np.nan


@dataclass(frozen=True, slots=True)
class TypicalPair:
    """The plan for a pair with the pooled spread; see `RequiredTopics`.

    `effect`, `widening` and `step` are the arguments of `PlannedTesting.topics`.
    """

    difference: float
    spread: float
    topics: float
    low: float
    high: float
    effect: float
    widening: float
    step: float


def required_topics(
    scores: npt.ArrayLike,
    *,
    difference: float | None = None,
    margin: float | None = None,
    systems: int | None = None,
    correction: PlannedCorrection = "maxt",
    power: float = 0.8,
    alpha: float = 0.05,
    test: PlannedTest = "permutation",
    pairs: npt.ArrayLike | None = None,
    most: int = 1000,
    confidence_level: float = 0.95,
    n_resamples: int = 4000,
    rng: Rng | None = None,
) -> RequiredTopics:
    r"""Find how many topics are needed to detect differences, given the scores of a pilot.

    For a pair whose true mean difference is :math:`\delta`, and whose differences over topics have
    the standard deviation :math:`\sigma`, a paired test of n topics has the power

    .. math:: P\big(t'_{n-1}(\delta\sqrt{n} / \sigma) > t_{n-1}(1 - \alpha' / 2)\big)

    where :math:`t'` is noncentral t and :math:`\alpha'` the level equivalent to the correction
    for all pairs of systems.

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores.
    difference
        The smallest difference of interest. By default, the differences of the pilot times
        :math:`\sqrt{1 - 1/F}`: observed differences are larger than true ones on average.
    margin
        Plan to show that systems are equivalent within this margin, by two one-sided tests; their
        true difference is `difference`, or 0.
    systems
        How many systems will be compared; by default, those of the pilot.
    correction
        For the number of pairs: ``"maxt"``, ``"maxt-single"``, ``"holm"``, ``"bh"`` or
        ``"none"``.
    power
        The target power.
    alpha
        The level of the corrected tests.
    test
        ``"permutation"``, ``"paired-t"``, ``"wilcoxon"``, ``"unpaired-t"`` or ``"welch"``.
    pairs
        Rows of two column numbers; by default, all pairs.
    most
        The largest number of topics to try.
    confidence_level
        The confidence level of the intervals.
    n_resamples, rng
        Simulated evaluations and generator or seed; only ``"bh"`` needs them.

    Notes
    -----
    The other systems are assumed midway between the two, where stepwise corrections gain least
    from them, so for max-T and Holm the plan is single-step. The level of max-T follows from the
    range of normal values, because topics and the spread of a pair cancel out; with few topics it
    approaches Bonferroni's. The plan accounts for the power that the permutation test loses on
    discrete judgments.

    Wilcoxon's power is that of the normal approximation, for the pilot's distribution of
    differences, made symmetric and exponentially tilted to the planned mean, so that ties remain.

    With a `difference`, the interval reflects the uncertainty of the spread: chi-square, with
    degrees of freedom reduced by the kurtosis of the differences [1]_. Otherwise, it reflects that
    of the effect, by noncentral F.

    References
    ----------
    .. [1] R. Hummel, S. Banga and T. P. Hettmansperger, "Better confidence intervals for the
       variance in a random sample", Minitab technical report, 2005.

    Examples
    --------
    >>> scores = np.random.default_rng(1).normal(size=(25, 2)) + [0, 0.5]
    >>> plan = required_topics(scores, difference=0.5)
    >>> plan.spread.round(2).tolist(), plan.topics.tolist()
    ([1.05], [37.0])
    >>> bool(plan.low[0] < 37 < plan.high[0])
    True
    """
    check_choice(test, "test", PlannedTest)
    check_choice(correction, "correction", PlannedCorrection)
    most = _checked_integer(most, "most", minimum=3)
    if difference is not None and not 0 < difference < np.inf:
        raise InputError(f"`difference` is {difference}", hint="give a number above 0")
    if margin is not None and (test == "wilcoxon" or not (difference or 0) < margin < np.inf):
        message = f"`margin` is {margin}, `difference` {difference} and `test` {test}"
        raise InputError(message, hint="give a margin above the difference, and a test of means")
    score_table, indices = checked_pairs(scores, pairs)
    n_systems = _checked_integer(score_table.shape[1] if systems is None else systems, "systems")
    planned_testing = PlannedTesting(
        test, n_systems, correction, share(alpha, "alpha"), share(power, "power"), most,
        count_of_resamples(n_resamples), _draw_seed(rng),
        None if margin is None else (difference or 0.0) / margin,
    )  # fmt: skip
    level = share(confidence_level, "confidence_level")
    plan = _Pilot(score_table, indices, planned_testing, level).plan(
        difference if margin is None else margin
    )
    if margin is None:
        return plan
    true_differences = np.where(np.isnan(plan.planned), np.nan, difference or 0.0)
    return replace(
        plan, planned=true_differences, typical=replace(plan.typical, difference=difference or 0.0)
    )


def _draw_seed(rng: Rng | None) -> int:
    """Return a seed, drawn from any generator, so that equal plans share cached levels."""
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    return 0 if rng is None else int(rng)


class _Pilot:
    """The pairs of a pilot and, last in every array but the first two, a typical pair."""

    def __init__(
        self, scores: Floats, indices: Indices, planned_testing: PlannedTesting, level: float
    ) -> None:
        self._scores, self._indices, self._testing = scores, indices, planned_testing
        self._tails = (1 - level) / 2, (1 + level) / 2
        self.topics = np.zeros(len(indices), np.int64)
        self.mean = np.full(len(indices), np.nan)
        variance, unpaired_variance, df = np.ones((3, len(indices)))
        step = np.inf
        # For the typical pair, a topic's squares are the mean over the pairs that share it.
        topic_sums, topic_counts = np.zeros((2, len(scores)))
        for rows, block in pair_blocks(scores, indices):
            n = self.topics[rows] = block.topics
            mean, squares = _means_and_squares(block.differences, block.shared, block.noise)
            self.mean[rows] = np.where(n > 0, mean, np.nan)
            variance[rows] = squares.sum(axis=1) / np.maximum(n - 1, 1)
            df[rows] = _effective_df(squares, block.shared)
            step = min(step, _common_step(np.abs(block.differences), block.noise))
            if planned_testing.unpaired:
                sides = (block.scores.T[block.indices[:, side]] for side in (0, 1))
                squares_by_side = (
                    _means_and_squares(side, block.shared, block.noise)[1] for side in sides
                )
                unpaired_variance[rows] = sum(squares_by_side).sum(axis=1) / np.maximum(n - 1, 1)  # type: ignore[union-attr]
            topic_sums += squares[n >= 2].sum(axis=0)
            topic_counts += block.shared[n >= 2].sum(axis=0)
        self._known = np.flatnonzero(self.topics >= 2)
        self.n = self._append_typical(np.where(self.topics >= 2, self.topics, np.nan))
        self.variance = self._append_typical(np.where(self.topics >= 2, variance, np.nan))
        self.spread = np.sqrt(self.variance)
        typical_df = _effective_df(ratio(topic_sums, topic_counts)[None], (topic_counts > 0)[None])
        self._left = np.append(df, typical_df)
        self._widening = np.ones(len(self.n))
        if planned_testing.unpaired:
            # Differences that never vary would need no topics, even if the scores vary.
            self.variance = np.maximum(
                self.variance, 1e-3 * self._append_typical(unpaired_variance)
            )
            self._widening = np.sqrt(ratio(self._append_typical(unpaired_variance), self.variance))
        step = step if np.isfinite(step) else 0.0
        self._step = ratio(np.full(len(self.n), step), self.spread)

    def plan(self, difference: float | None) -> RequiredTopics:
        """Plan for every pair and the typical one."""
        mean, mean_squares = np.abs(self.mean), self._append_typical(self.mean**2)
        known_means = mean[self._known]
        mean = np.append(mean, np.median(known_means) if len(known_means) else np.nan)
        f = _divide_or_infinite(self.n * mean_squares, self.variance)
        shrinkage = 1.0 if difference is not None else float(np.sqrt(1 - 1 / max(1.0, f[-1])))
        planned_differences = (
            mean * shrinkage if difference is None else np.full(len(mean), float(difference))
        )
        planned_differences[np.isnan(self.n)] = np.nan
        root_efficiency = np.sqrt(self._efficiency(planned_differences))
        effect = np.where(
            np.isnan(self.n),
            np.nan,
            _divide_or_infinite(planned_differences, np.sqrt(self.variance)) * root_efficiency,
        )
        # The degrees of freedom of differences and of their spread.
        df_numerator = np.ones(len(self.n))
        df_numerator[-1] = max(1, len(np.unique(self._indices[self._known])) - 1)
        df_denominator = df_numerator * (self.n - 1)
        if difference is None:
            # The largest and the smallest effect compatible with F.
            finite_f = np.where(np.isfinite(f), f, 1.0)
            bounds = np.array(
                [ncfdtrinc(df_numerator, df_denominator, tail, finite_f) for tail in self._tails]
            )
            limits = np.sqrt(bounds / df_numerator / self.n) * root_efficiency
            # F refers to the mean square of all pairs.
            limits[:, -1] *= ratio(mean, np.sqrt(mean_squares))[-1]
        else:
            # The bounds of the true variance relative to the pilot's.
            df = np.minimum(df_denominator, self._left)
            bounds = np.array([df / chdtri(df, tail) for tail in self._tails])
            limits = effect / np.sqrt(bounds)
        limits = np.where(self.variance > 0, limits, effect)
        topics, low, high = (
            self._testing.topics(size, self._widening, self._step) for size in (effect, *limits)
        )
        columns = (
            planned_differences,
            self.spread,
            topics,
            low,
            high,
            effect,
            self._widening,
            self._step,
        )
        typical_pair = TypicalPair(*(float(column[-1]) for column in columns))
        pair_columns = planned_differences[:-1], self.spread[:-1], topics[:-1], low[:-1], high[:-1]
        return RequiredTopics(
            self._indices,
            self.topics,
            self.mean,
            *pair_columns,
            shrinkage,
            self._testing,
            typical_pair,
        )

    def _append_typical(self, values: Floats) -> Floats:
        known_values = values[self._known]
        return np.append(values, known_values.mean() if len(known_values) else np.nan)

    def _efficiency(self, planned_differences: Floats) -> Floats:
        """Return the efficiency of the planned test relative to paired t."""
        efficiency = np.ones(len(planned_differences))
        if self._testing.test != "wilcoxon" or not len(self._known):
            return efficiency
        level = self._testing.levels(np.array([1e6]))[0]
        quantiles = -float(ndtri(level / 2)), float(ndtri(self._testing.target_power))
        for rows, block in pair_blocks(self._scores, self._indices):
            for row in np.flatnonzero(block.topics >= 2):
                z = snap_differences(block.differences[row, block.shared[row]][None], block.noise)[
                    0
                ]
                pair = rows.start + row
                efficiency[pair] = _rank_efficiency(z, float(planned_differences[pair]), quantiles)
        efficiency[-1] = np.median(efficiency[self._known])
        return efficiency


def _means_and_squares(values: Floats, has_both: Bools, noise: float) -> tuple[Floats, Floats]:
    """Return the mean of each row over the shared topics, and the squared deviations."""
    zero_filled = np.where(has_both, values, 0.0)
    means = zero_filled.sum(axis=1) / np.maximum(has_both.sum(axis=1), 1)
    deviations = np.where(has_both, zero_filled - means[:, None], 0.0)
    return means, np.where(np.abs(deviations) > noise, deviations, 0.0) ** 2


def _common_step(sizes: Floats, noise: float) -> float:
    """Return the smallest common step of any row; 0 if a row has none."""
    gaps = np.diff(np.sort(sizes, axis=1), axis=1, prepend=0.0)
    steps = np.where(gaps > noise, gaps, np.inf).min(axis=1)
    multiples = sizes / steps[:, None]
    is_whole = (np.abs(multiples - np.rint(multiples)) < 1e-6).all(axis=1)
    return float(np.where(is_whole, steps, 0.0).min())


def _effective_df(squares: Floats, has_both: Bools) -> Floats:
    """Return the degrees of freedom of each row's sum of squares, adjusted for kurtosis.

    This is Hummel, Banga and Hettmansperger's, which corrects the kurtosis for few topics.
    """
    n = has_both.sum(axis=1, dtype=np.float64)
    # Fourth powers of large scores would overflow.
    squares = ratio(squares, squares.max(axis=1, keepdims=True))
    mean_squares = ratio(squares.sum(axis=1), n)
    deviations = np.where(has_both, squares - mean_squares[:, None], 0.0)
    excess = ratio(np.einsum("pk,pk->p", deviations, deviations), n * mean_squares**2) - 2
    excess = ratio((n - 1) * ((n + 1) * excess + 6), (n - 2) * (n - 3))
    denominator = excess + ratio(2 * n, n - 1)
    return np.where((denominator > 1e-9) & (n > 3), ratio(2 * n, denominator), np.inf)


def _rank_efficiency(z: Floats, mean: float, quantiles: tuple[float, float]) -> float:
    """Return the efficiency of Wilcoxon's test relative to paired t at this mean of z.

    The distribution is made symmetric before tilting, because random asymmetry of a few topics
    would count as a difference.
    """
    if not 0 < mean < np.abs(z).max():
        return 3 / np.pi
    z = np.concatenate([z, -z])
    weights = _tilt_weights(z, mean)
    groups = np.unique(np.abs(z), return_inverse=True)[1]
    nonzero_share, nonzero_weights = float(weights[z != 0].sum()), np.where(z == 0, 0.0, weights)
    mass, signed_mass = (
        np.bincount(groups, masses) / nonzero_share
        for masses in (nonzero_weights, nonzero_weights * np.sign(z))
    )
    ranks = np.cumsum(mass) - mass / 2
    # A topic's contribution to the mean of signed ranks: its own rank and its effect on others'.
    rank_sums = (
        np.sign(z) * ranks[groups]
        + (signed_mass.sum() - np.cumsum(signed_mass) + signed_mass / 2)[groups]
    )
    center, mean_square_rank = float(signed_mass @ ranks), float(mass @ ranks**2)
    variance = (
        nonzero_weights @ rank_sums**2 / nonzero_share
        - 4 * center**2
        + center**2 * (1 - nonzero_share) / 4
    ) / mean_square_rank
    cutoff, power = quantiles
    topics_by_ranks = (
        (cutoff + power * np.sqrt(max(variance, 0.0))) ** 2
        * mean_square_rank
        / center**2
        / nonzero_share
    )
    topics_by_t = (cutoff + power) ** 2 * (weights @ z**2 / mean**2 - 1)
    return float(topics_by_t / topics_by_ranks)


def _tilt_weights(z: Floats, mean: float) -> Floats:
    """Return weights proportional to exp(λz) that give the requested mean."""
    scale = np.abs(z).max()
    low, high = -700.0, 700.0
    weights: Floats = np.ones_like(z)
    for _ in range(40):
        middle = (low + high) / 2
        weights = np.exp(middle * z / scale - np.max(middle * z / scale))
        weights /= weights.sum()
        low, high = (middle, high) if weights @ z < mean else (low, middle)
    return weights


def noise_variance(values: npt.ArrayLike, cells: Ints, groups: Ints) -> tuple[float, float]:
    """Return the variance of values within their cells, and the harmonic mean of cell sizes.

    Effects of `groups` (such as an assessor's severity on a topic) cancel in differences and are
    removed, unless no degrees of freedom would be left. The variance is NaN if no cell has two
    values.
    """
    array = vector(values, "values")
    counts = np.bincount(cells)
    harmonic_mean = float(np.count_nonzero(counts) / np.sum(1 / counts[counts > 0]))
    residuals = array - _group_means(array, cells)
    df = len(array) - np.count_nonzero(counts)
    crossed_df = df - len(np.unique(groups)) + _count_components(cells, groups)
    if crossed_df > 0:
        for _ in range(50):
            residuals -= _group_means(residuals, groups)
            residuals -= _group_means(residuals, cells)
        df = crossed_df
    return (float(residuals @ residuals / df) if df > 0 else np.nan), harmonic_mean


def _group_means(values: Floats, groups: Ints) -> Floats:
    means: Floats = np.bincount(groups, values) / np.maximum(np.bincount(groups), 1)
    return means[groups]


def _count_components(cells: Ints, groups: Ints) -> int:
    """Count the connected components of cells and groups that share values."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_cells = int(cells.max()) + 1
    links = coo_array(
        (np.ones(len(cells)), (cells, groups + n_cells)),
        shape=(n_cells + int(groups.max()) + 1,) * 2,
    )
    labels = connected_components(links, directed=False)[1]
    return len(np.unique(labels[cells]))
