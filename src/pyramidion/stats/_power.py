"""Power of paired tests, and the topics that a study needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._inputs import (
    Rng,
    choice,
    count_of_resamples,
    generator,
    matrix,
    share,
    vector,
)
from pyramidion.stats._pairs import Indices, Pairs, noise_level, pair_up, quantile_place, settle
from pyramidion.stats._resampling import Counts, PairStatistic, counted_blocks, ratio


def distribution(p: npt.ArrayLike, name: str) -> Floats:
    """Check probabilities."""
    array = vector(p, name, least=2)
    if (array < 0).any():
        raise InputError(f"`{name}` has a negative probability")
    if abs(array.sum() - 1) > 1e-6:
        raise InputError(f"`{name}` sums to {array.sum():.6g}", hint="divide by the sum")
    normed: Floats = array / array.sum()
    return normed


def blend(p_machine: npt.ArrayLike, p_human: npt.ArrayLike, t: float) -> Floats:
    """Give (1 - t) p_M + t p_H."""
    machine, human = distribution(p_machine, "p_machine"), distribution(p_human, "p_human")
    if len(machine) != len(human):
        raise ShapeError(
            f"`p_machine` has {len(machine)} probabilities and `p_human` {len(human)}",
            hint="give one for each possible score, 0 where it never occurs",
        )
    if not 0 <= t <= 1:
        raise InputError(f"`t` is {t}", hint="give numbers from 0 to 1")
    blended: Floats = (1 - t) * machine + t * human
    return blended


def given_document(
    p: npt.ArrayLike, p_document: npt.ArrayLike, *, name: str = "p_document"
) -> Floats:
    """Give the distribution of a score of p on a document: the product, scaled to sum to 1."""
    system, document = distribution(p, "p"), distribution(p_document, name)
    if len(system) != len(document):
        raise ShapeError(f"`p` has {len(system)} probabilities and `{name}` {len(document)}")
    product = system * document
    if not product.any():
        raise InputError(
            f"no score that `{name}` allows is possible for the system (p_M . p_d = 0)",
            hint="take the document out, or count all scores of it",
        )
    conditional: Floats = product / product.sum()
    return conditional


def frequencies(scores: npt.ArrayLike, values: npt.ArrayLike) -> Floats:
    """Give the share of each possible score; missing scores (NaN) are left out."""
    array = vector(np.ravel(np.asarray(scores, dtype=object)), "scores", nan=True)
    array, scale = array[~np.isnan(array)], vector(values, "values")
    unknown = array[~np.isin(array, scale)]
    if len(unknown):
        raise InputError(f"`scores` has {unknown[0]:g}", hint="it is not among `values`")
    if not len(array):
        raise InputError("`scores` has no value")
    found: Floats = np.mean(array[:, None] == scale, axis=0)
    return found


def table_statistics(counts: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """Compute W, paired T and Welch's T of Y - X for many samples at once."""
    x, y = (grid.ravel() for grid in np.meshgrid(scale, scale, indexing="ij"))
    n = float(counts[0].sum())
    difference = counts @ (y - x) / n
    paired, first, second = (_variance(counts, values) for values in (y - x, x, y))
    noise = noise_level(scale)
    difference[np.abs(difference) <= noise] = 0.0
    statistics = np.stack(
        [
            _signed_ranks(counts, y - x, noise),
            _over(difference, np.sqrt(paired / n)),
            _over(difference, np.sqrt((first + second) / n)),
        ]
    )
    freedom = ratio((n - 1) * (first + second) ** 2, first**2 + second**2)
    return statistics, np.maximum(freedom, 1.0)


def _variance(counts: Floats, values: Floats) -> Floats:
    n, centred = counts[0].sum(), values - values.mean()
    total = counts @ centred**2
    squares = total - (counts @ centred) ** 2 / n
    variance: Floats = np.where(squares < 1e-12 * total, 0.0, squares) / (n - 1)
    return variance


def _over(difference: Floats, error: Floats) -> Floats:
    """Divide; without variance a difference is infinite, and no difference 0."""
    infinite = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    return np.divide(difference, error, out=infinite, where=error > 0)


def _signed_ranks(counts: Floats, z: Floats, noise: float) -> Floats:
    # All score pairs of the same absolute difference are one group of ties.
    size = settle(np.abs(z), noise)
    member = (size[:, None] == np.unique(size[size > noise])).astype(np.float64)
    drawn, signed = counts @ member, (counts * np.sign(z)) @ member
    ranks = np.cumsum(drawn, axis=1) - (drawn - 1) / 2
    total, squares = np.sum(signed * ranks, axis=1), np.sum(drawn * ranks**2, axis=1)
    return ratio(total, np.sqrt(squares))


PowerTest = Literal["w", "t", "welch"]
Side = Literal["greater", "two-sided"]

#: From 0 to 0.8 in steps of 0.05.
STEPS = tuple(step / 20 for step in range(17))


@dataclass(frozen=True, slots=True)
class PowerOfTest:
    """The power of one test; an element for each t."""

    calibrated: Floats
    nominal: Floats
    cutoff: float
    size: float


@dataclass(frozen=True, slots=True)
class PowerCurve:
    """Power of the three tests along p_t.

    Parameters
    ----------
    t
        How far from the machines to the humans.
    tests
        For ``"w"``, ``"t"`` (paired) and ``"welch"`` (unpaired), the power at each t.
    topics
        The size of a sample.
    n_null
        How many samples were drawn at t = 0.
    n_resamples
        How many at any other t.
    """

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
    t: npt.ArrayLike = STEPS,
    alternative: Side = "greater",
    confidence_level: float = 0.95,
    n_null: int = 50_000,
    n_resamples: int = 10_000,
    rng: Rng | None = None,
) -> PowerCurve:
    r"""Simulate how often each test tells a blend of machine and human scores from machines'.

    X has the scores' distribution :math:`p_M` and Y has :math:`p_t = (1 - t) p_M + t p_H`; the
    tests are of Y - X. With document effects a document d is drawn for each topic, and X and Y
    are drawn, independently given d, from

    .. math:: p_{M,d}(k) = \frac{p_M(k) p_d(k)}{p_M \cdot p_d}, \qquad
              p_{t,d}(k) = \frac{p_t(k) p_d(k)}{p_t \cdot p_d}.

    Defaults are those of section 3.7. Power is given with cutoffs calibrated at t = 0, as
    there, and with nominal ones: calibration hides that with document effects the unpaired
    test rejects far too seldom (reading 10).

    Parameters
    ----------
    p_machine, p_human
        Probabilities of the possible scores; they sum to 1.
    p_documents
        Documents x scores: each document's distribution; none means no document effects.
    values
        The possible scores, 1, 2, 3, ... unless given.
    topics
        The size n of a sample.
    t
        The blends, from 0 to 1.
    alternative
        ``"greater"`` (Y is larger), or ``"two-sided"``.
    confidence_level
        One less the level of significance.
    n_null
        Samples at t = 0.
    n_resamples
        Samples at any other t.
    rng
        Generator or seed.

    Returns
    -------
    PowerCurve
        Calibrated and nominal power of each test at each t.

    Raises
    ------
    InputError
        Where :math:`p_M \cdot p_d` or :math:`p_t \cdot p_d` is 0: the conditional distribution
        is undefined (reading 29).

    Notes
    -----
    The n topics are drawn independently, so a sample is a multinomial table of counts of score
    pairs, and that is what is drawn. Cutoffs are inverse empirical quantiles, to be exceeded
    (reading 17). W is standardized, with zeros dropped and ties corrected; a sample without
    any difference has the statistic 0. T is Y - X over its standard error (reading 8).

    Examples
    --------
    >>> machine, human = [0.14, 0.36, 0.31, 0.13, 0.06], [0.01, 0.03, 0.12, 0.34, 0.5]
    >>> curve = power_curve(machine, human, t=[0, 0.2], n_null=5000, n_resamples=2000)
    >>> curve.tests["t"].calibrated.round(1).tolist()
    [0.0, 0.5]
    """
    choice(alternative, "alternative", Side)
    level = share(confidence_level, "confidence_level")
    steps = vector(t, "t")
    machine, human = distribution(p_machine, "p_machine"), distribution(p_human, "p_human")
    joints = [_joint(machine, blend(machine, human, step), p_documents) for step in steps]
    scale = _scale(values, len(machine))
    chance = generator(rng)
    sample = _Sampler(scale, _size(topics), level, alternative == "two-sided")
    null, rejected = sample(_joint(machine, machine, p_documents), n_null, chance)
    place = quantile_place(n_null, level)
    cutoffs = np.partition(null, place, axis=1)[:, place, None]
    rates = [(np.mean(null > cutoffs, axis=1), rejected)] * len(steps)
    for i in np.flatnonzero(steps):
        found, nominal = sample(joints[i], n_resamples, chance)
        rates[i] = np.mean(found > cutoffs, axis=1), nominal
    return _curve(steps, np.array(rates), cutoffs, rejected, (topics, n_null, n_resamples))


def _curve(
    steps: Floats, rates: Floats, cutoffs: Floats, size: Floats, numbers: tuple[int, int, int]
) -> PowerCurve:
    names: tuple[PowerTest, ...] = ("w", "t", "welch")
    tests = {
        name: PowerOfTest(rates[:, 0, i], rates[:, 1, i], float(cutoffs[i, 0]), float(size[i]))
        for i, name in enumerate(names)
    }
    return PowerCurve(steps, tests, *numbers)


def _size(topics: int) -> int:
    if topics < 2 or topics != int(topics):
        raise InputError(f"`topics` is {topics}", hint="give a whole number of 2 or more")
    return int(topics)


def _scale(values: npt.ArrayLike | None, size: int) -> Floats:
    if values is None:
        return np.arange(1.0, size + 1)
    scale = vector(values, "values")
    if len(scale) != size or len(np.unique(scale)) != size:
        raise ShapeError(
            f"`values` has {len(np.unique(scale))} different scores",
            hint=f"give one for each of the {size} probabilities",
        )
    return scale


def _joint(machine: Floats, other: Floats, p_documents: npt.ArrayLike | None) -> Floats:
    """Give the probabilities of all pairs of scores (X, Y)."""
    if p_documents is None:
        return np.outer(machine, other).ravel()
    documents = matrix(p_documents, "p_documents", nan=False)
    if not len(documents):
        raise InputError("`p_documents` has no document")
    tables = []
    for number, document in enumerate(documents):
        name = f"p_documents[{number}]"
        first, second = (given_document(p, document, name=name) for p in (machine, other))
        tables.append(np.outer(first, second))
    mean: Floats = np.mean(tables, axis=0).ravel()
    return mean


@dataclass(frozen=True, slots=True)
class _Sampler:
    """Draws samples, and tests them."""

    scale: Floats
    topics: int
    level: float
    two_sided: bool

    def __call__(
        self, joint: Floats, samples: int, chance: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Give tests x samples of statistics, and the shares that the nominal tests reject."""
        size = count_of_resamples(samples)
        counts = chance.multinomial(self.topics, joint / joint.sum(), size).astype(np.float64)
        found, freedom = table_statistics(counts, self.scale)
        if self.two_sided:
            found = np.abs(found)
        level = (1 + self.level) / 2 if self.two_sided else self.level
        cutoffs = ndtri(level), stdtrit(self.topics - 1, level), stdtrit(freedom, level)
        nominal = [np.mean(row > cutoff) for row, cutoff in zip(found, cutoffs, strict=True)]
        return found, np.array(nominal)


PlannedTest = Literal["wilcoxon", "paired-t", "unpaired-t"]

STATISTICS: dict[PlannedTest, PairStatistic] = {
    "wilcoxon": "w",
    "paired-t": "t",
    "unpaired-t": "t-unpaired",
}


@dataclass(frozen=True, slots=True)
class RequiredTopics:
    """How many topics it takes; an element for each pair.

    Parameters
    ----------
    pairs
        Pairs x 2: the columns compared.
    pilot
        How many topics of the pilot the pair shares.
    difference
        The mean difference in the pilot, first less second.
    pilot_power
        The power with as many topics as the pilot's.
    topics
        The least number of topics with the wanted power; infinite when the largest number
        tried does not have it, NaN when the pair shares fewer than two topics.
    power, alpha, test
        As asked for.
    most
        The largest number of topics tried.
    """

    pairs: Indices
    pilot: Ints
    difference: Floats
    pilot_power: Floats
    topics: Floats
    power: float
    alpha: float
    test: PlannedTest
    most: int

    @property
    def median(self) -> float:
        """Topics with which half of the pairs, or more, have the wanted power."""
        return self.for_share(0.5)

    @property
    def least_pair(self) -> float:
        """Topics with which every pair has the wanted power, the least different one too."""
        return self.for_share(1.0)

    def for_share(self, part: float) -> float:
        """Topics with which this share of the pairs, or more, has the wanted power.

        Pairs that share too few topics in the pilot are left out.
        """
        if not 0 < part <= 1:
            raise InputError(f"`part` is {part}", hint="give a share above 0, at most 1")
        known = np.sort(self.topics[~np.isnan(self.topics)])
        return float(known[int(np.ceil(part * len(known) - 1e-9)) - 1]) if len(known) else np.nan


def required_topics(
    scores: npt.ArrayLike,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    test: PlannedTest = "paired-t",
    pairs: npt.ArrayLike | None = None,
    most: int = 1000,
    n_resamples: int = 1000,
    rng: Rng | None = None,
) -> RequiredTopics:
    r"""Find how many topics are needed to tell the systems of a pilot apart.

    The pilot's topics stand for all topics: an evaluation of n topics is a draw of n of them
    with replacement, of the topics that both systems of a pair have a score on. The power is
    the share of draws in which the two-sided test finds the difference, with the sign that it
    has in the pilot; the least n with the wanted power is found by halving, for every pair.

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores.
    power
        The wanted power.
    alpha
        The level of a test. For many pairs divide by their number (Bonferroni).
    test
        ``"paired-t"``, which also stands for the permutation test of the mean difference;
        ``"wilcoxon"`` (normal approximation, zeros dropped, ties corrected); ``"unpaired-t"``.
    pairs
        Rows of two column numbers; all pairs unless given.
    most
        The largest number of topics to try.
    n_resamples
        How many draws for each number of topics; the power's standard error is at most
        :math:`1 / (2\sqrt{B})`.
    rng
        Generator or seed.

    Returns
    -------
    RequiredTopics
        For each pair; `median` and `least_pair` sum up.

    Notes
    -----
    The pilot's difference is taken as the true one. That of the pairs that look best is
    probably too large, and that of a small pilot is rough: treat the answer as a lower limit.

    Examples
    --------
    >>> scores = np.random.default_rng(1).normal(size=(25, 2)) + [0, 0.5]
    >>> plan = required_topics(scores)
    >>> plan.difference.round(2).tolist(), 20 < plan.median < 60
    ([-0.48], True)
    """
    choice(test, "test", PlannedTest)
    wanted = share(power, "power")
    if most < 3 or most != int(most):
        raise InputError(f"`most` is {most}", hint="give a whole number of 3 or more")
    study = _Study(
        pair_up(scores, pairs),
        test=test,
        alpha=share(alpha, "alpha"),
        most=most,
        n_resamples=n_resamples,
        rng=rng,
    )
    matched, topics = study.pairs, study.pairs.topics
    rows = np.flatnonzero(topics >= 2)
    needed, now = np.full((2, len(topics)), np.nan)
    for size in np.unique(topics[rows]):
        same = rows[topics[rows] == size]
        now[same] = study.power(int(size), same)
    reached = study.power(most, rows) >= wanted
    needed[rows[~reached]] = np.inf
    _halve(study, wanted, 1, most, rows[reached], needed)
    return RequiredTopics(
        pairs=matched.indices,
        pilot=topics,
        difference=_mean_differences(matched),
        pilot_power=now,
        topics=needed,
        power=wanted,
        alpha=alpha,
        test=test,
        most=int(most),
    )


def _mean_differences(pairs: Pairs) -> Floats:
    means = pairs.differences.sum(axis=1) / np.maximum(pairs.topics, 1)
    return np.where(pairs.topics > 0, means, np.nan)


def _halve(
    study: "_Study", wanted: float, low: int, high: int, rows: Indices, needed: Floats
) -> None:
    """Fill in the needed topics of pairs that have the power with `high`, not with `low`."""
    if not len(rows):
        return
    if high - low == 1:
        needed[rows] = high
        return
    middle = (low + high) // 2
    enough = study.power(middle, rows) >= wanted
    _halve(study, wanted, low, middle, rows[enough], needed)
    _halve(study, wanted, middle, high, rows[~enough], needed)


class _Study:
    """The pilot, and evaluations of any size drawn from it."""

    def __init__(
        self,
        pairs: Pairs,
        *,
        test: PlannedTest,
        alpha: float,
        most: int,
        n_resamples: int,
        rng: Rng | None,
    ) -> None:
        self.pairs = pairs
        self._test, self._alpha = test, alpha
        self._resamples = count_of_resamples(n_resamples)
        longest = max(most, len(pairs.scores))
        self._chance = generator(rng).random((longest, self._resamples))

    def power(self, size: int, rows: Indices) -> Floats:
        """Give the share of evaluations of this size that find the differences of the pairs."""
        found = np.zeros(len(self.pairs.indices))
        name = STATISTICS[self._test]
        cutoff = self._cutoff(size)
        for kept, members in self.pairs.patterns(rows):
            counts = self._counts(size, int(np.count_nonzero(kept)))
            for part, statistics in counted_blocks(
                self.pairs, members, kept, counts, (name,), standardized=True
            ):
                sign, drawn = np.sign(statistics[name][:, :1]), statistics[name][:, 1:]
                hits = np.where(sign > 0, drawn > cutoff, drawn < -cutoff) & (sign != 0)
                found[part] = hits.mean(axis=1)
        return found[rows]

    def _counts(self, size: int, topics: int) -> Counts:
        """Count the first draws of a sequence: a larger evaluation goes on from a smaller one.

        The pilot itself comes first, for the sign of its statistics.
        """
        topic = (self._chance[:size] * topics).astype(np.intp)
        place = topic * self._resamples + np.arange(self._resamples)
        drawn = np.bincount(place.ravel(), minlength=topics * self._resamples)
        counts = np.ones((topics, self._resamples + 1))
        counts[:, 1:] = drawn.reshape(topics, self._resamples)
        return Counts(counts, counts, size)

    def _cutoff(self, size: int) -> float:
        level = 1 - self._alpha / 2
        if self._test == "wilcoxon":
            return float(ndtri(level))
        freedom = size - 1 if self._test == "paired-t" else 2 * size - 2
        return float(stdtrit(freedom, level))
