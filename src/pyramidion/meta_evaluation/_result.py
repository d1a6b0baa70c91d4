"""Options and results of a meta-evaluation: correlations, and which metrics differ."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, product
from typing import Any, Literal, get_args

from pyramidion.comparison import ResamplingOptions
from pyramidion.comparison._compare import require_enough_resamples
from pyramidion.comparison.measure_tables import PEERS, MetaTables, Peers, scope_name
from pyramidion.comparison.procedures import (
    CORRECTION_TEXTS,
    META_TEST_TEXTS,
    Correction,
    MetaTest,
)
from pyramidion.errors import InputError
from pyramidion.questions import Options, option
from pyramidion.questions.common import confidence_option, resamples_option
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Table
from pyramidion.stats.clustered import CorrelationLevel, ResampledFactor
from pyramidion.stats.correlation import Coefficient
from pyramidion.stats.correlation_tests import IntervalMethod

#: Identifies a correlation: its level, its coefficient, and the systems it is over.
CorrelationKind = tuple[CorrelationLevel, Coefficient, Peers]

LEVELS: tuple[CorrelationLevel, ...] = get_args(CorrelationLevel)
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)


@dataclass(frozen=True, slots=True)
class MetaOptions(Options):
    """How metrics are evaluated.

    By default, Kendall's tau at system and input level is tested by permutation; the other tests
    are for the system level and were derived for Pearson's r. For these, Holm's correction replaces
    max-T.
    """

    peers: tuple[Peers, ...] = option(
        PEERS,
        "Sets of systems to evaluate: all, machines (without people), or all,machines for both.",
    )
    levels: tuple[CorrelationLevel, ...] = option(
        (), "Levels of correlation to test and show, comma-separated: system, input or global; "
        "system,input by default.", flags=("--level",),
    )  # fmt: skip
    coefficients: tuple[Coefficient, ...] = option(
        (), "Correlation coefficients to test and show, comma-separated: pearson, spearman, "
        "kendall (the default) or tau_ap.", flags=("--coefficient",),
    )  # fmt: skip
    test: tuple[Literal[MetaTest, "none"], ...] = option(
        ("permutation",), "Tests between metrics, comma-separated: permutation, or (on system "
        "means) williams, steiger, zou or meng; none for no tests.",
    )  # fmt: skip
    correction: Correction = option(
        "maxt", "Correction for multiple comparisons of metrics: maxt (step-down), maxt-single, "
        "holm, bh (false discovery rate) or none.",
    )  # fmt: skip
    over: ResampledFactor = option(
        "both", "What is resampled for intervals and tests: systems, inputs (topics) or both."
    )
    method: Literal["jackknife", IntervalMethod] = option(
        "jackknife", "Confidence interval of the correlations: jackknife (of Fisher's z), bca "
        "(bias-corrected and accelerated), percentile or fisher.", flags=("--interval",),
    )  # fmt: skip
    control: tuple[Literal["length"], ...] = option(
        (),
        "What to hold constant (partial correlations): length, the number of words of a summary.",
    )
    confidence_level: float = confidence_option("Confidence level of the intervals.")
    alpha: float = option(0.05, "Significance level of the tests.", between=(0, 1))
    n_resamples: int = resamples_option(
        1000, "Number of permutations for tests, and of resamples for the intervals bca and "
        "percentile.", max=10_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)

    def check(self) -> None:
        """Check that the options can be combined."""
        if not self.peers:
            raise InputError("no peer set is named", hint="name all, machines or both")
        if "permutation" in self.test:
            require_enough_resamples(ResamplingOptions(self.n_resamples), self.alpha)
        if self.control and "tau_ap" in self.coefficients:
            raise InputError("tau_ap cannot hold length constant", hint="use kendall")
        for test in (test for test in self.tests if test != "permutation"):
            if self.control:
                raise InputError(f"{test} cannot hold length constant", hint="use permutation")
            if self.levels and "system" not in self.levels:
                message = f"{test} is a test at system level, not {self.levels[0]}"
                raise InputError(message, hint="use permutation, or leave out the level")
            if self.coefficients == ("tau_ap",):
                raise InputError(f"{test} does not support tau_ap", hint="use permutation")

    @property
    def tests(self) -> tuple[MetaTest, ...]:
        """The tests, without "none"."""
        return tuple(test for test in self.test if test != "none")

    @property
    def shown(self) -> tuple[tuple[CorrelationLevel, Coefficient], ...]:
        """The correlations to show: those tested, or else system and input level."""
        matrix_choices = map(self.tested, self.tests or ("permutation",))
        return tuple(
            dict.fromkeys(chain.from_iterable(product(*choices) for choices in matrix_choices))
        )

    def tested(
        self, test: MetaTest
    ) -> tuple[tuple[CorrelationLevel, ...], tuple[Coefficient, ...]]:
        """Return the levels and coefficients that a test is applied to."""
        if test == "permutation":
            return self.levels or ("system", "input"), self.coefficients or ("kendall",)
        coefficients = tuple(name for name in self.coefficients if name != "tau_ap")
        return ("system",), coefficients or ("pearson",)


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """A metric's correlation with the human measure, NaN if undefined.

    `n` is the number of systems (system level), of topics whose correlation is defined (input
    level) or of summaries (global level). `undefined_inputs` counts topics without a correlation,
    because all scores of one of the two are equal or there are fewer than two,
    `undefined_resamples` resamples that the interval does not use, and `left_out` summaries with
    only one of the two scores. `undefined` explains a missing value or interval, and `plain` is
    the correlation without control.
    """

    level: CorrelationLevel
    coefficient: Coefficient
    peers: Peers
    value: float
    low: float
    high: float
    n: int
    undefined_inputs: int = 0
    undefined_resamples: int = 0
    left_out: int = 0
    undefined: str = ""
    plain: float = float("nan")


@dataclass(frozen=True, slots=True)
class MetricPair:
    """Two metrics on summaries with all three scores; a is ranked above b.

    `first`, `second` and `difference` are their correlations with the human measure on those
    summaries. `low` and `high` are Zou's interval of the difference for tests on system means,
    else NaN. `n_resamples` is the number of swaps; `note` explains what is undefined.
    """

    a: str
    b: str
    first: float
    second: float
    difference: float
    statistic: float
    p: float
    p_adjusted: float
    low: float = float("nan")
    high: float = float("nan")
    n_resamples: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class MetricRank:
    """A metric in the ranking by correlation; ties share a rank.

    No difference was shown between metrics that share a letter of `group`; `cluster` is the tier,
    which increases wherever all above differ from all below.
    """

    metric: str
    value: float
    rank: int
    group: str
    cluster: int


@dataclass(frozen=True, slots=True)
class MetricMatrix:
    """All pairs of metrics for one level, coefficient, peer set and test, the best metric first.

    `n_resamples` is the largest number of swaps of a p-value, or 0.
    """

    level: CorrelationLevel
    coefficient: Coefficient
    peers: Peers
    test: MetaTest
    correction: Correction
    alpha: float
    n_resamples: int
    metrics: tuple[MetricRank, ...]
    pairs: tuple[MetricPair, ...]
    notes: tuple[str, ...] = ()

    def significant(self, pair: MetricPair) -> bool:
        """Return whether two metrics are significantly different after correction."""
        return pair.p_adjusted <= self.alpha


@dataclass(frozen=True, slots=True)
class MetaPart:
    """Additions from another study of the scores: fields of metrics' records, tables, charts."""

    records: Mapping[str, Mapping[str, Any]]
    tables: tuple[Table, ...] = ()
    left_out: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True, slots=True)
class MetaEvaluation:
    """Metrics compared with one human measure, in one task of one collection.

    `humans` are the correlations of other human measures with it, `lengths` those of the human
    measure and each metric with the number of words, if known.
    """

    tables: MetaTables
    options: MetaOptions
    correlations: dict[str, tuple[MetricCorrelation, ...]]
    matrices: tuple[MetricMatrix, ...]
    left_out: tuple[str, ...] = ()
    parts: tuple[MetaPart, ...] = ()
    humans: dict[str, tuple[MetricCorrelation, ...]] = field(default_factory=dict)
    lengths: dict[str, dict[CorrelationKind, float]] = field(default_factory=dict)

    @property
    def human(self) -> str:
        """The human measure."""
        return self.tables.human

    @property
    def task(self) -> str:
        """The task; may be empty."""
        return self.tables.task

    def correlation(
        self,
        metric: str,
        *,
        level: CorrelationLevel,
        coefficient: Coefficient,
        peers: Peers = "all",
    ) -> MetricCorrelation:
        """Look up one correlation of a metric, or of another human measure."""
        kind = (level, coefficient, peers)
        return next(
            row
            for row in (self.correlations | self.humans)[metric]
            if (row.level, row.coefficient, row.peers) == kind
        )

    def letters(
        self, *, level: CorrelationLevel, coefficient: Coefficient, peers: Peers = "all"
    ) -> dict[str, str]:
        """Return the group letters by metric from the first test of a correlation; may be empty."""
        all_rankings = (
            (matrix.metrics, (matrix.level, matrix.coefficient, matrix.peers))
            for matrix in self.matrices
        )
        rankings = (
            metrics for metrics, kind in all_rankings if kind == (level, coefficient, peers)
        )
        return {rank.metric: rank.group for rank in next(rankings, ())}

    def ranked(
        self, *, level: CorrelationLevel, coefficient: Coefficient, peers: Peers = "all"
    ) -> list[tuple[str, MetricCorrelation]]:
        """Order the metrics by a correlation, the highest first, undefined ones last."""
        correlations = [
            (name, self.correlation(name, level=level, coefficient=coefficient, peers=peers))
            for name in self.correlations
        ]
        return sorted(correlations, key=lambda item: descending(item[1].value))


def descending(value: float) -> tuple[bool, float]:
    """Return a sort key for correlations: the highest first, undefined ones last."""
    return (True, 0.0) if math.isnan(value) else (False, -value)


PEER_NAMES: dict[Peers, str] = {"all": "all peers", "machines": "machines only"}
COEFFICIENT_NAMES: dict[Coefficient, str] = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "tau_ap": "tau AP",
}
OVER_NAMES = {"both": "systems and topics", "systems": "systems", "inputs": "topics"}
_INTERVAL_METHODS = {
    "jackknife": "jackknife of Fisher's z", "percentile": "percentiles", "bca": "BCa",
    "fisher": "Fisher's z",
}  # fmt: skip


def correlation_name(level: CorrelationLevel, coefficient: Coefficient) -> str:
    """Name a correlation for people."""
    return f"{COEFFICIENT_NAMES[coefficient]} at {level} level"


# Correlations with the number of words from which a metric, or the human measure, has a warning.
_MIN_LENGTH_CORRELATION = {"pearson": 0.9, "spearman": 0.9, "kendall": 0.7, "tau_ap": 0.7}
_MIN_WORDS_CORRELATION = 0.4


def length_notes(result: MetaEvaluation, kinds: Iterable[CorrelationKind]) -> Iterator[str]:
    """Warn of metrics that are nearly the number of words, and of a human measure like it."""
    if result.options.control:
        return
    length_correlations: list[str] = []
    near_length: dict[str, str] = {}
    for kind in kinds:
        for name, value_by_kind in result.lengths.items():
            value, scope = (
                value_by_kind.get(kind, math.nan),
                f"{kind[0]} {COEFFICIENT_NAMES[kind[1]]}",
            )
            if name == result.human and abs(value) >= _MIN_WORDS_CORRELATION:
                length_correlations.append(f"{value:.2f} ({scope})")
            elif name != result.human and abs(value) >= _MIN_LENGTH_CORRELATION[kind[1]]:
                near_length.setdefault(name, f"{name} ({value:.2f}, {scope})")
    if length_correlations:
        correlations_text = ", ".join(length_correlations)
        yield f"the number of words alone correlates with {result.human}: {correlations_text}"
    if near_length:
        yield f"warning: nearly the number of words: {', '.join(near_length.values())}"
    if length_correlations or near_length:
        yield "--control length holds it constant"


def human_name(result: MetaEvaluation) -> str:
    """Name the human measure with its collection and task."""
    return scope_name(result.human, result.task, result.tables.collection)


def interval_note(options: MetaOptions) -> str:
    """Describe the intervals."""
    control_note = "partial correlations, the number of words held constant; " * bool(
        options.control
    )
    method = _INTERVAL_METHODS[options.method]
    interval_text = f"{control_note}{options.confidence_level * 100:g}% intervals: {method}"
    if options.method == "fisher":
        return interval_text
    if options.method == "jackknife":
        return f"{interval_text} over {OVER_NAMES[options.over]}"
    return f"{interval_text} of {options.n_resamples:,} draws of {OVER_NAMES[options.over]}"


def matrix_note(matrix: MetricMatrix, options: MetaOptions) -> str:
    """Describe how metrics were tested."""
    test_name = META_TEST_TEXTS[matrix.test].name
    description = (
        f"{test_name} over {OVER_NAMES[options.over]}"
        if matrix.test == "permutation"
        else test_name
    )
    swaps_text = f"{matrix.n_resamples:,} swaps" if matrix.n_resamples else ""
    parts = (
        description,
        swaps_text,
        CORRECTION_TEXTS[matrix.correction].name,
        f"α = {matrix.alpha:g}",
    )
    return ", ".join(part for part in parts if part)


def shown_peers(result: MetaEvaluation) -> tuple[Peers, ...]:
    """Return the distinct peer sets: without people, all peers and machines are the same."""
    return result.options.peers if result.tables.people.any() else result.options.peers[:1]


def negated_note(result: MetaEvaluation, metrics: Iterable[str]) -> str:
    """Explain the mark of negated metrics, if any of these is."""
    return "↓ lower is better, sign reversed" if {*metrics} & {*result.tables.negated} else ""


def named_metric(metric: str, negated_metrics: tuple[str, ...]) -> str:
    """Mark a metric whose sign was reversed, since lower is better."""
    return f"{metric} ↓" if metric in negated_metrics else metric
