"""Power of the signed-rank test and both t tests, by simulation along a line of alternatives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.distributions import blend, distribution, given_document
from pyramidion.stats.inputs import (
    Rng,
    choice,
    count_of_resamples,
    generator,
    matrix,
    share,
    vector,
)
from pyramidion.stats.pairing import quantile_place
from pyramidion.stats.score_tables import table_statistics

__all__ = ["PowerCurve", "PowerOfTest", "power_curve"]

PowerTest = Literal["w", "t", "welch"]
Side = Literal["greater", "two-sided"]

#: From 0 to 0.8 in steps of 0.05.
STEPS = tuple(step / 20 for step in range(17))


@dataclass(frozen=True, slots=True)
class PowerOfTest:
    """The power of one test; an element for each t.

    Parameters
    ----------
    calibrated
        Share of samples above `cutoff`.
    nominal
        Share of samples that the textbook test rejects: W against the normal distribution, T
        against Student's with n - 1 degrees of freedom, Welch's with its own.
    cutoff
        The quantile of the statistic at t = 0, as simulated.
    size
        What the textbook test rejects at t = 0, where nothing should be rejected.

    Examples
    --------
    >>> curve = power_curve([0.5, 0.5], [0.1, 0.9], t=[0.5], n_null=2000, n_resamples=500)
    >>> 0.02 < curve.tests["t"].size < 0.08
    True
    """

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

    Examples
    --------
    >>> power_curve([0.5, 0.5], [0.1, 0.9], n_null=200, n_resamples=100).t.tolist()[-1]
    0.8
    """

    t: Floats
    tests: Mapping[PowerTest, PowerOfTest]
    topics: int
    n_null: int
    n_resamples: int


def power_curve(  # noqa: PLR0913 - options are keywords
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
    (reading 17). W is standardised, with zeros dropped and ties corrected; a sample without
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
