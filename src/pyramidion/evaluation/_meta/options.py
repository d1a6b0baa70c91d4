"""How metrics are judged: levels, coefficients, resampling, tests; checked once."""

from dataclasses import dataclass
from typing import get_args

from pyramidion.errors import InputError
from pyramidion.evaluation._compare.pair_tests import ResamplingOptions, require_enough_resamples
from pyramidion.evaluation._judged import PEERS, Peers
from pyramidion.evaluation.procedures import (
    CORRECTIONS,
    META_TESTS,
    Correction,
    MetaTest,
    require_known,
)
from pyramidion.stats.clustered_weights import CorrelationLevel, Over
from pyramidion.stats.correlation_intervals import IntervalMethod
from pyramidion.stats.inputs import checked_seed, count_of_resamples, share
from pyramidion.stats.weighted import Coefficient

__all__ = [
    "COEFFICIENTS",
    "LEVELS",
    "MetaOptions",
]


LEVELS: tuple[CorrelationLevel, ...] = get_args(CorrelationLevel)
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)

_MOST_RESAMPLES = 10_000_000


@dataclass(frozen=True, slots=True)
class MetaOptions:
    """How metrics are judged.

    Parameters
    ----------
    peers
        Which peer sets to look at.
    over
        What is drawn for intervals, and swapped for permutation tests: ``systems``, ``inputs``
        (topics) or ``both``.
    method
        Of the intervals: ``percentile``, ``bca`` or ``fisher``.
    confidence_level
        Of the intervals.
    n_resamples
        How many draws and swaps.
    tests
        Between metrics: ``permutation``, or on system means ``williams``, ``steiger``, ``zou``,
        ``meng``; none, if it is empty.
    levels, coefficients
        What is tested, and shown first. By default, system and input level with Kendall's tau
        for permutation; the other tests know the system level only and were derived for
        Pearson's r.
    correction
        For the number of pairs of metrics: ``maxt`` (from swaps that all pairs share), ``holm``,
        ``bh`` or ``none``. For tests without swaps, Holm's takes the place of max-T.
    alpha
        The level of significance.
    seed
        Where chance begins.

    Examples
    --------
    >>> MetaOptions(tests=("williams",)).tested("williams")
    (('system',), ('pearson',))
    >>> MetaOptions(over="topics")
    Traceback (most recent call last):
    pyramidion.errors.InputError: there is no over 'topics'; there are: inputs, systems, both
    """

    peers: tuple[Peers, ...] = PEERS
    over: Over = "both"
    method: IntervalMethod = "percentile"
    confidence_level: float = 0.95
    n_resamples: int = 1000
    tests: tuple[MetaTest, ...] = ("permutation",)
    levels: tuple[CorrelationLevel, ...] = ()
    coefficients: tuple[Coefficient, ...] = ()
    correction: Correction = "maxt"
    alpha: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        for name, values, allowed in (
            ("peer set", self.peers, PEERS),
            ("over", (self.over,), get_args(Over)),
            ("interval", (self.method,), get_args(IntervalMethod)),
            ("test", self.tests, META_TESTS),
            ("level", self.levels, LEVELS),
            ("coefficient", self.coefficients, COEFFICIENTS),
            ("correction", (self.correction,), CORRECTIONS),
        ):
            require_known(name, values, allowed)
        if not self.peers:
            raise InputError("no peer set is named", hint="name all, machines or both")
        self._require_numbers()
        self._require_testable()

    def _require_numbers(self) -> None:
        share(self.alpha, "alpha")
        share(self.confidence_level, "confidence_level")
        checked_seed(self.seed)
        count_of_resamples(self.n_resamples, most=_MOST_RESAMPLES)
        if "permutation" in self.tests:
            require_enough_resamples(ResamplingOptions(self.n_resamples), self.alpha)

    def _require_testable(self) -> None:
        for test in self.tests:
            if test == "permutation":
                continue
            if self.levels and "system" not in self.levels:
                raise InputError(
                    f"{test} is a test at system level, not {self.levels[0]}",
                    hint="use permutation, or leave the level out",
                )
            if self.coefficients == ("tau_ap",):
                raise InputError(f"{test} knows no tau_ap", hint="use permutation")

    @property
    def shown(self) -> tuple[tuple[CorrelationLevel, Coefficient], ...]:
        """What is shown first: what is tested, or else system and input level."""
        pairs = (
            (level, coefficient)
            for levels, coefficients in map(self.tested, self.tests or ("permutation",))
            for level in levels
            for coefficient in coefficients
        )
        return tuple(dict.fromkeys(pairs))

    def tested(
        self, test: MetaTest
    ) -> tuple[tuple[CorrelationLevel, ...], tuple[Coefficient, ...]]:
        """Give the levels and coefficients that a test is applied to."""
        if test == "permutation":
            return self.levels or ("system", "input"), self.coefficients or ("kendall",)
        known = tuple(name for name in self.coefficients if name != "tau_ap")
        return ("system",), known or ("pearson",)
