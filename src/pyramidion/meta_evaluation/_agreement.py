"""Verdicts on pairs of systems, and agreement between two measures' verdicts."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints, Pairs, Signs
from pyramidion.comparison import ResamplingOptions
from pyramidion.comparison._compare import (
    apply_corrected_test,
    ensure_enough_resamples,
    require_wilcoxon,
)
from pyramidion.comparison.procedures import (
    Correction,
    CorrectionName,
    StatisticName,
    TestName,
    effective_correction,
    label_of_test,
    named_correction,
)
from pyramidion.errors import InputError, known_names
from pyramidion.questions import Options, option
from pyramidion.stats.inputs import ratio

CountRow = tuple[int, int, int]

#: Counts by verdict, -1, 0 and 1: manual down, automatic across.
ThreeWay = tuple[CountRow, CountRow, CountRow]


@dataclass(frozen=True, slots=True)
class VerdictOptions(Options):
    """When two systems count as different.

    The defaults are those of the dissertation's chapter 7: the signed-rank test with zeros
    dropped and the normal approximation, at 0.05, not corrected for the number of pairs.
    """

    test: TestName = option(
        "wilcoxon", "Test of each pair of systems: permutation, wilcoxon, paired-t, unpaired-t, "
        "welch, mc (Monte Carlo), hb (hybrid bootstrap) or kruskal (mean ranks).",
    )  # fmt: skip
    continuity: bool = option(
        False, "Correct the test wilcoxon for continuity, as R does by default.",
        flags=("--continuity",),
    )  # fmt: skip
    correction: Correction = option(
        "none",
        "Correction for multiple comparisons: none, holm, bh (false discovery rate), maxt "
        "(step-down) or maxt-single.",
    )
    alpha: float = option(0.05, "Significance level of the tests.", between=(0, 1))
    statistic: StatisticName = option(
        "w", "Statistic of the tests mc and hb: w (Wilcoxon), t or t-unpaired."
    )
    n_test_resamples: int = option(
        9999, "Number of resamples for the tests permutation, mc and hb.",
        flags=("--test-resamples",), min=1, max=10_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)

    @property
    def effective_correction(self) -> CorrectionName:
        """The correction; Holm's or Tukey's replaces max-T for tests without shared topics."""
        return named_correction(self.correction, self.test)

    @property
    def label(self) -> str:
        """The name of the test, with the statistic it resamples."""
        return label_of_test(self.test, self.statistic, self.continuity)

    def record(self) -> dict[str, Any]:
        """Return how pairs were tested, for JSON."""
        correction = self.effective_correction
        return {"test": self.label, "correction": correction, "alpha": self.alpha}

    def check(self) -> None:
        """Raise an error for a continuity correction of another test."""
        require_wilcoxon(self.continuity, (self.test,))


@dataclass(frozen=True, slots=True, eq=False)
class PairVerdicts:
    """A measure's verdicts on pairs of systems, with corrected p-values.

    `signs` are 1 if the first system is significantly better, -1 if the second is, else 0; if a
    test is not `defined`, the sign is meaningless.
    """

    signs: Signs
    defined: Bools
    p: Floats


def judge_pairs(values: Floats, pairs: Pairs, options: VerdictOptions) -> PairVerdicts:
    """Test pairs of columns, each on the topics both have; higher values are better.

    The direction is that of the test statistic, so every significant difference has one.
    """
    if not len(pairs):
        return PairVerdicts(np.empty(0, np.int8), np.empty(0, np.bool_), np.empty(0))
    correction = effective_correction(options.correction, options.test)
    resampling = ensure_enough_resamples(
        ResamplingOptions(
            options.n_test_resamples, options.statistic, options.seed, options.continuity
        ),
        options.test, correction, len(pairs), options.alpha,
    )  # fmt: skip
    pair_tests, p, _ = apply_corrected_test(values, pairs, options.test, correction, resampling)
    with np.errstate(invalid="ignore"):
        is_significant = p <= options.alpha
    signs = np.where(is_significant, np.sign(pair_tests.statistic), 0.0).astype(np.int8)
    return PairVerdicts(signs, ~np.isnan(p), p)


_SHOWN_COUNTS = (
    "n", "tp", "fp", "fn", "tn", "accuracy", "precision", "recall", "balanced_accuracy",
    "mean_predictive_value", "direction_conflicts", "directed_accuracy", "specificity",
    "negative_predictive_value", "order_accuracy", "order_pairs", "order_right", "undefined",
    "three_way",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of an automatic measure's verdicts with those of a manual one.

    Pairs are counted by verdict, -1 (the second system is better), 0 (no significant difference)
    and 1: manual down, automatic across. `order_pairs` are pairs whose manual means differ,
    `order_right` those that the automatic means order the same way; `undefined` pairs, without a
    verdict, are not counted elsewhere. A ratio with denominator 0 is NaN, where the dissertation's
    tables print 0 (reading 3).
    """

    three_way: ThreeWay
    order_pairs: int = 0
    order_right: int = 0
    undefined: int = 0

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """`tp`, `fp`, `fn` and `tn`."""
        n_below, n_equal, n_above = self.three_way
        n_significant = n_below[0] + n_below[2] + n_above[0] + n_above[2]
        return n_significant, n_equal[0] + n_equal[2], n_below[1] + n_above[1], n_equal[1]

    @property
    def tp(self) -> int:
        """Pairs significant for both, in any direction."""
        return self.counts[0]

    @property
    def fp(self) -> int:
        """Pairs significant for the automatic measure only."""
        return self.counts[1]

    @property
    def fn(self) -> int:
        """Pairs significant for the manual measure only."""
        return self.counts[2]

    @property
    def tn(self) -> int:
        """Pairs significant for neither."""
        return self.counts[3]

    @property
    def n(self) -> int:
        """The number of pairs with both verdicts."""
        return sum(self.counts)

    @property
    def accuracy(self) -> float:
        """``(tp + tn) / n``."""
        return ratio(self.tp + self.tn, self.n)

    @property
    def precision(self) -> float:
        """``tp / (tp + fp)``, also called positive predictive value."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """``tp / (tp + fn)``."""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> float:
        """``tn / (tn + fp)``."""
        return ratio(self.tn, self.tn + self.fp)

    @property
    def negative_predictive_value(self) -> float:
        """``tn / (tn + fn)``."""
        return ratio(self.tn, self.tn + self.fn)

    @property
    def balanced_accuracy(self) -> float:
        """The mean of recall and specificity: the formula of section 7.3 (reading 1)."""
        return (self.recall + self.specificity) / 2

    @property
    def mean_predictive_value(self) -> float:
        """The mean of precision and negative predictive value: what Tables 7.4 and 7.5 print."""
        return (self.precision + self.negative_predictive_value) / 2

    @property
    def direction_conflicts(self) -> int:
        """Pairs significant for both in opposite directions; `tp` includes them."""
        return self.three_way[0][2] + self.three_way[2][0]

    @property
    def directed_accuracy(self) -> float:
        """Accuracy with direction conflicts as errors."""
        return ratio(self.tp - self.direction_conflicts + self.tn, self.n)

    @property
    def order_accuracy(self) -> float:
        """Accuracy without significance: how often the means agree on the better system."""
        return ratio(self.order_right, self.order_pairs)

    def record(self) -> dict[str, Any]:
        """Return all counts and ratios by name, for JSON."""
        return {name: getattr(self, name) for name in _SHOWN_COUNTS}


def three_way_counts(manual: npt.ArrayLike, automatic: npt.ArrayLike) -> ThreeWay:
    """Count pairs by two verdicts, each -1, 0 or 1."""
    cell_codes = (np.asarray(manual, np.int64) + 1) * 3 + np.asarray(automatic, np.int64) + 1
    return three_way_table(np.bincount(cell_codes, minlength=9).reshape(3, 3).astype(np.int64))


def three_way_table(counts: Ints) -> ThreeWay:
    """Return a 3 x 3 array as tuples."""
    (a, b, c), (d, e, f), (g, h, i) = counts.tolist()
    return (a, b, c), (d, e, f), (g, h, i)


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of each kind of verdict; a negative cost is a benefit.

    Parameters
    ----------
    missed, false, reversed
        A significant difference that the automatic measure does not find, one that it finds
        wrongly, and one that it finds in the wrong direction.
    found, neither
        The right verdicts.

    Examples
    --------
    >>> Costs.parse("missed=1,false=3,found=-2")
    Costs(missed=1.0, false=3.0, reversed=2.0, found=-2.0, neither=0.0)
    """

    missed: float = 1.0
    false: float = 1.0
    reversed: float = 2.0
    found: float = 0.0
    neither: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if not math.isfinite(getattr(self, field.name)):
                raise InputError(f"the cost {field.name} is not a number", hint="give a number")

    @classmethod
    def parse(cls, text: str) -> "Costs":
        """Parse costs; those not named have their default."""
        names = [field.name for field in fields(cls)]
        costs: dict[str, float] = {}
        for assignment in filter(None, (piece.strip() for piece in text.split(","))):
            name, _, value = (piece.strip() for piece in assignment.partition("="))
            if name not in names:
                raise InputError(f"there is no cost {name!r}", hint=known_names(name, names))
            try:
                costs[name] = float(value)
            except ValueError:
                hint = f"write for instance {name}=1"
                raise InputError(f"the cost {name} is {value!r}", hint=hint) from None
        return cls(**costs)

    def __str__(self) -> str:
        return ",".join(f"{field.name}={getattr(self, field.name):g}" for field in fields(self))


def verdict_utility(agreement: Agreement, costs: Costs | None = None) -> float:
    """Return the mean utility of a pair's verdict: its negative cost (section 7.3)."""
    verdict_costs, conflicts = costs or Costs(), agreement.direction_conflicts
    total = (
        verdict_costs.missed * agreement.fn
        + verdict_costs.false * agreement.fp
        + verdict_costs.reversed * conflicts
    )
    total += verdict_costs.found * (agreement.tp - conflicts) + verdict_costs.neither * agreement.tn
    # Avoid -0.
    return 0.0 - total / agreement.n if agreement.n else math.nan


def silent_utility(agreement: Agreement, costs: Costs) -> float:
    """Return the utility of never finding a difference."""
    total = costs.missed * (agreement.tp + agreement.fn)
    total += costs.neither * (agreement.fp + agreement.tn)
    return 0.0 - total / agreement.n if agreement.n else math.nan


def pool_agreements(agreements: Iterable[Agreement]) -> Agreement:
    """Add up the counts of several tasks, years or collections."""
    agreement_list = list(agreements)
    count_tables = np.array(
        [agreement.three_way for agreement in agreement_list], dtype=np.int64
    ).reshape(-1, 3, 3)
    names = ("order_pairs", "order_right", "undefined")
    sums = {name: sum(getattr(agreement, name) for agreement in agreement_list) for name in names}
    return Agreement(three_way_table(count_tables.sum(axis=0)), **sums)
