"""Verdicts on pairs of systems: significantly better, significantly worse, or neither."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from pyramidion._types import Bools, Floats, Pairs, Signs
from pyramidion.collection.questions import Options, option
from pyramidion.evaluation._compare.pair_tests import (
    PairTests,
    ResamplingOptions,
    apply_test,
    enough_resamples,
    max_t,
)
from pyramidion.evaluation._procedures import (
    RESAMPLING_TESTS,
    STATISTIC_TESTS,
    Correction,
    StatisticName,
    TestName,
    effective_correction,
)
from pyramidion.stats._adjust import adjust_p
from pyramidion.stats._pair_permutation import PairwiseTest, pairwise_tests


@dataclass(frozen=True, slots=True)
class VerdictOptions(Options):
    """When two systems count as different.

    The defaults are those of the dissertation's chapter 7: the signed-rank test with zeros
    dropped and the normal approximation, at 0.05, not corrected for the number of pairs.
    """

    test: TestName = option("wilcoxon", "Test of a pair of systems.")
    correction: Correction = option(
        "none", "Correction for the number of pairs: none, holm, bh (false discovery rate) or maxt."
    )
    alpha: float = option(0.05, "Significance level.", between=(0, 1))
    statistic: StatisticName = option("w", "What mc and hb resample: w, t or t-unpaired.")
    n_resamples: int = option(
        9999, "Number of resamples.", flags=("--resamples",), least=1, most=10_000_000
    )
    seed: int = option(0, "Seed of the random numbers; the same seed repeats the result.", least=0)

    @property
    def effective_correction(self) -> Correction:
        """The correction, Holm's in the place of max-T for tests that know no shared topics."""
        return effective_correction(self.correction, self.test)

    @property
    def label(self) -> str:
        """The test by name, with what it resamples."""
        return f"{self.test}({self.statistic})" if self.test in STATISTIC_TESTS else self.test


@dataclass(frozen=True, slots=True, eq=False)
class PairVerdicts:
    """What a measure says on pairs of systems; an element for each pair.

    `signs` are 1 where the first system is significantly better, -1 where the second is, else 0;
    where a test was not `known` (defined), the sign is 0 and means nothing. P-values are those
    after the correction.
    """

    signs: Signs
    known: Bools
    p: Floats

    @property
    def found(self) -> int:
        """How many pairs are significantly different."""
        return int(np.count_nonzero(self.signs))


def judge_pairs(values: Floats, pairs: Pairs, options: VerdictOptions) -> PairVerdicts:
    """Test pairs of columns, each on the topics both have, and keep the direction.

    The direction is that of the statistic which is tested, so that a significant difference
    always has one. Higher values are better.
    """
    if not len(pairs):
        return PairVerdicts(np.empty(0, np.int8), np.empty(0, np.bool_), np.empty(0))
    statistic, p = _tested(values, pairs, options)
    with np.errstate(invalid="ignore"):
        significant = p <= options.alpha
    signs = np.where(significant, np.sign(statistic), 0.0).astype(np.int8)
    return PairVerdicts(signs, ~np.isnan(p), p)


def _tested(values: Floats, pairs: Pairs, options: VerdictOptions) -> tuple[Floats, Floats]:
    """Give each pair's statistic and its p-value after correction."""
    correction = options.effective_correction
    resampling = _resampling(options, len(pairs))
    found: PairTests | None = None
    if options.test in RESAMPLING_TESTS:
        found = apply_test(values, pairs, options.test, resampling)
        statistic, p = found.statistic, found.p
    else:
        quick = pairwise_tests(values, test=cast("PairwiseTest", options.test), pairs=pairs)
        statistic, p = quick.statistic, quick.p
    if correction != "maxt":
        return statistic, adjust_p(p, method=correction)
    found = max_t(values, pairs, options.test, resampling) if found is None else found
    assert found.p_max_t is not None
    # No correction makes p smaller.
    return statistic, np.maximum(p, found.p_max_t)


def _resampling(options: VerdictOptions, pairs: int) -> ResamplingOptions:
    resampling = ResamplingOptions(options.n_resamples, options.statistic, options.seed)
    correction = options.effective_correction
    return enough_resamples(resampling, options.test, correction, pairs, options.alpha)
