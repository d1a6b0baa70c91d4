"""How many topics an evaluation needs, given a pilot's scores."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product, repeat
from typing import Any

import numpy as np
from scipy.special import chdtri, expit, fdtrc, ndtri, stdtrit

from pyramidion._types import Floats, Ints, Pairs
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.collection.checking import warn_findings
from pyramidion.collection.findings import Finding
from pyramidion.collection.ids import file_stem
from pyramidion.comparison._compare import CompareOptions
from pyramidion.comparison._power_curves import MeasureCurves
from pyramidion.comparison._result import Ranking
from pyramidion.comparison._sequential import SequentialOptions, require_sequential
from pyramidion.comparison.common import known_means
from pyramidion.comparison.measure_tables import ClusteredInput, scope_name
from pyramidion.comparison.procedures import (
    CORRECTION_TEXTS,
    MAX_T,
    Correction,
    CorrectionName,
    ModelName,
    TestName,
    describe_test,
    effective_correction,
    fallback_note,
)
from pyramidion.comparison.topic_choice import ChosenTopic, choose_topics, chosen_table
from pyramidion.errors import InputError
from pyramidion.questions import Options, option, question
from pyramidion.questions.common import confidence_option, correction_option, resamples_option
from pyramidion.rendering.labels import counted, with_arrow
from pyramidion.rendering.result import FiguresResult, signed
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data, shown
from pyramidion.stats import (
    ModelTesting,
    Spreads,
    required_topics,
    sequential_topics,
)
from pyramidion.stats._power import (
    PlannedTest,
    PlannedTesting,
    RequiredTopics,
    TypicalPair,
    noise_variance,
)
from pyramidion.stats.multiple_comparisons import pair_errors
from pyramidion.stats.pairs import all_pairs, shared_topics

_PAIR_SHARES = (0.25, 0.5, 0.75, 0.9, 1.0)

# Numbers of judges per summary and runs per system that are compared with more topics.
_REPEATED_COUNTS = (1, 2, 3, 4, 5)
# If runs differ on all topics alike, or judges in their preferences, only more of them help.
_MANY_COUNTS = (*_REPEATED_COUNTS, 7, 10, 15, 20, 30, 50)
_MAX_COMPARED_TOPICS = 10_000_000
# With fewer topics the approximations of mixed models are unreliable.
_MIN_MODEL_TOPICS = 10
# A smaller share of the variance of runs is rounding error; the level of the F test of runs.
_MIN_RUN_SHARE, _RUN_TEST_LEVEL = 1e-9, 0.05
# Pairs that a terminal shows.
_MAX_SHOWN_ROWS, _N_SAMPLED_ROWS = 60, 10


@dataclass(frozen=True, slots=True)
class PowerOptions(Options):
    """What an evaluation is planned for."""

    difference: float | None = option(
        None, "Smallest difference of interest, in units of the measure; by default, the pilot's "
        "differences, reduced by the part that is due to chance.", metavar="D",
    )  # fmt: skip
    systems: int | None = option(
        None, "Number of systems that will be compared; by default, as many as in the pilot.",
        min=2, max=100_000, metavar="N",
    )  # fmt: skip
    power: float = option(0.8, "Desired power of the test.", between=(0, 1))
    alpha: float = option(0.05, "Significance level of the tests.", between=(0, 1))
    test: PlannedTest = option(
        "permutation", "Test to plan for: permutation, paired-t, wilcoxon, unpaired-t or welch."
    )
    model: ModelName | None = option(
        None, "Mixed model to plan for instead of a test: lmm (linear) or ordinal. It estimates "
        "the variances from the pilot.",
    )  # fmt: skip
    margin: float | None = option(
        None, "Plan to show that systems are equivalent within this margin (two one-sided tests), "
        "if their true difference is --difference, or 0.", metavar="NUMBER",
    )  # fmt: skip
    correction: Correction = correction_option()
    judge: str | None = option(
        None, "Measure (or language model) whose scores will be combined with people's by "
        "compare --judge: shows how many topics judged by people it saves. Specify the human "
        "measure with -m.",
        metavar="MEASURE",
    )  # fmt: skip
    max_topics: int = option(1000, "Maximum number of topics to consider.", min=3, max=100_000)
    cost_topic: float = option(0.0, "Cost of a further topic.", min=0)
    cost_run: float = option(0.0, "Cost of one summary of a further run of a system.", min=0)
    cost_judgment: float = option(1.0, "Cost of one judgment of one summary.", min=0)
    n_resamples: int = resamples_option(
        4000, "Number of simulated evaluations; only the correction bh needs them."
    )
    curves: bool = option(
        False, "Also show the power of three tests, with and without topic effects (Rankel's "
        "Figures 3.2 and 3.3). Requires scores of both people and machines.", flags=("--curves",),
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    confidence_level: float = confidence_option(
        "Confidence level of the intervals.", on_command_line=False
    )

    def check(self) -> None:
        """Check the difference and the margin, and that the options go together."""
        for name, number in (("difference", self.difference), ("margin", self.margin)):
            if number is not None and not 0 < number < math.inf:
                raise InputError(f"{name} is {number:g}", hint="give a number above 0")
        if self.margin is not None and (self.difference or 0.0) >= self.margin:
            message = (
                f"a difference of {self.difference:g} is not within a margin of {self.margin:g}"
            )
            raise InputError(message, hint="systems can be shown to be equivalent only if they are")
        if self.margin is not None and self.test == "wilcoxon":
            hint = "it compares ranks, not means; use --test permutation or paired-t"
            raise InputError("wilcoxon has no margin", hint=hint)
        if self.model and self.test != "permutation":
            message = f"--model {self.model} and --test {self.test} cannot go together"
            raise InputError(message, hint="leave one of them out")

    @property
    def planned_test(self) -> TestName | ModelName:
        """The model or test to plan for."""
        return self.model or self.test


@dataclass(frozen=True, slots=True)
class PlannedPair:
    """Two systems of a pilot: their difference, and how many topics would show it."""

    a: str
    b: str
    n: int
    difference: float
    planned: float
    spread: float
    topics: float
    low: float
    high: float
    most: int


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """Variance components of scores on a topic, and the pilot's numbers of judges and runs.

    `topic` is the variance of systems on a topic, `run` that of runs on a topic, `judgment` that of
    judges, and `between_runs` that of runs over all topics, which averaging over topics does not
    reduce. NaN if nothing was repeated.
    """

    topic: float
    run: float
    judgment: float
    runs: float
    judges: float
    between_runs: float = math.nan
    runs_differ: bool = False

    @property
    def record(self) -> dict[str, Any]:
        """The components for JSON."""
        return asdict(self)

    @property
    def repeated(self) -> tuple[bool, bool]:
        """Whether the pilot has several judges, and several runs."""
        return not math.isnan(self.judgment), not math.isnan(self.run)

    def variance(self, judges: float, runs: float) -> float:
        """Return the variance of a system's score on a topic."""
        return self.topic + self.noise(judges) / runs

    def noise(self, judges: float) -> float:
        """Return the variance of one run on one topic."""
        run, judgment = np.nan_to_num((self.run, self.judgment))
        return float(run + judgment / judges)

    def design(self, judges: int, runs: int) -> Spreads:
        """Return the variances of a design, for a mixed model that takes runs as a sample."""
        variances = {"system:topic": self.topic, "run": self.between_runs}
        return Spreads((*variances.items(), ("residual", self.noise(judges))), runs=runs)


@dataclass(frozen=True, slots=True)
class Design:
    """A design: judges per summary, runs per system, topics for a typical pair, and the cost."""

    judges: int
    runs: int
    topics: float
    cost: float
    most: int


@dataclass(frozen=True, slots=True)
class JudgedPlan:
    """Topics scored by a judge, topics that people must judge even so, and the share saved."""

    judge_topics: float
    topics: float
    saved: float
    most: int


@dataclass(frozen=True, slots=True)
class SequentialPlan:
    """After how many topics `compare --sequential` stops, simulated for a difference.

    `expected` counts evaluations that do not stop with `most` topics, `by_power` topics suffice
    with the desired power, and `stopped` is the share that stops; `fixed` is the number of topics
    that is needed if it is fixed in advance.
    """

    difference: float
    level: float
    expected: float
    median: float
    by_power: float
    stopped: float
    fixed: float
    most: int


@dataclass(frozen=True, slots=True)
class PowerPlan:
    """How many topics it takes to tell systems apart, given a pilot.

    Parameters
    ----------
    matrix, plan
        The pilot's scores, and the result of `pyramidion.stats.required_topics`.
    options
        The options of the plan.
    components, designs
        Variance components, and plans with other numbers of judges and runs; empty if the pilot
        repeats no judgment and no run.
    size
        The mean number of topics in a cluster of the pilot; 0 without clusters.
    sequential
        When `compare --sequential` stops, if requested.
    judged, explained, next_topics
        With a judge: human topics needed in addition to the judge's, the share of the variance
        of people's differences that the judge explains in the pilot, and the topics that people
        should judge next.
    curves
        Simulated power curves, if people and machines have scores on a scale.
    """

    matrix: ScoreMatrix
    plan: RequiredTopics
    options: PowerOptions
    components: VarianceComponents | Spreads | None = None
    designs: tuple[Design, ...] = ()
    size: float = 0.0
    judged: tuple[JudgedPlan, ...] = ()
    next_topics: tuple[ChosenTopic, ...] = ()
    explained: float = math.nan
    sequential: SequentialPlan | None = None
    curves: MeasureCurves | None = None

    @property
    def name(self) -> str:
        """The measure, with an arrow towards better values, and its task."""
        return scope_name(with_arrow(self.matrix.measure, self.matrix.direction), self.matrix.task)

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """The task and measure."""
        return ("task", self.matrix.task), ("measure", self.matrix.measure)

    @property
    def pilot_topics(self) -> int:
        """The number of topics on which at least two systems have a score."""
        return int(np.count_nonzero((~np.isnan(self.matrix.values)).sum(axis=1) >= 2))

    @property
    def topics(self) -> dict[float, float]:
        """The topics (or infinity) with which a share of the pairs has the desired power."""
        return {share: self.plan.for_share(share) for share in _PAIR_SHARES}

    @property
    def pairs(self) -> list[PlannedPair]:
        """Each pair of systems, the better one first."""
        plan, systems = self.plan, self.matrix.systems
        first, second = plan.pairs.T.tolist()
        names = ([systems[column] for column in side_columns] for side_columns in (first, second))
        field_names = ("pilot", "difference", "planned", "spread", "topics", "low", "high")
        columns = (getattr(plan, name).tolist() for name in field_names)
        return list(map(PlannedPair, *names, *columns, repeat(plan.testing.most)))

    @property
    def cheapest(self) -> Design | None:
        """The cheapest design, if any has finite cost."""
        affordable_designs = [design for design in self.designs if math.isfinite(design.cost)]
        return min(affordable_designs, key=lambda design: design.cost, default=None)


def _topics_column(key: str, title: str) -> Column[Any]:
    return Column(key, title, show=lambda row: _format_topics(getattr(row, key), row.most))


PAIR_VIEW: View[PlannedPair] = View(
    "pairs",
    (
        *columns("a", "b", n="pilot topics", difference="difference", planned="planned for"),
        Column("spread", "spread"),
        _topics_column("topics", "topics needed"),
        data("beyond_most", lambda pair: math.isinf(pair.topics)),
        _topics_column("low", "low"),
        _topics_column("high", "high"),
    ),
    digits=3,
)

DESIGN_VIEW: View[Design] = View(
    "designs",
    (
        *columns(judges="judges per summary", runs="runs per system"),
        _topics_column("topics", "topics needed"),
        Column("cost", "cost", show=lambda d: d.cost if math.isfinite(d.cost) else "–"),
    ),
    digits=0,
)


def _format_judge_topics(plan: JudgedPlan) -> str:
    return f"{plan.judge_topics:,.0f}" if math.isfinite(plan.judge_topics) else "any number"


JUDGED_VIEW: View[JudgedPlan] = View(
    "judged",
    (
        Column("judge_topics", "judge's topics", show=_format_judge_topics),
        _topics_column("topics", "topics for people to judge"),
        Column("saved", "saved", show=lambda plan: f"{plan.saved:.0%}"),
    ),
)


SEQUENTIAL_VIEW: View[SequentialPlan] = View(
    "sequential",
    (
        *columns("difference"),
        _topics_column("expected", "stops after (mean)"),
        _topics_column("median", "median"),
        _topics_column("by_power", "with the desired power"),
        Column("stopped", "stops", show=lambda plan: f"{plan.stopped:.0%}"),
        _topics_column("fixed", "fixed number of topics"),
    ),
    digits=3,
)


def _number_column(key: str, title: str, get: Callable[[PowerPlan], float]) -> Column[PowerPlan]:
    return Column(key, title, get, lambda plan: _format_topics(get(plan), plan.plan.testing.most))


def _share_column(share: float) -> Column[PowerPlan]:
    return replace(
        _number_column("", f"{share:.0%} of pairs", lambda plan: plan.topics[share]), get=None
    )


PLAN_VIEW: View[PowerPlan] = View(
    "topics",
    (
        Column("task", "task", lambda plan: plan.matrix.task, lambda plan: plan.matrix.task or "–"),
        *columns(measure="measure", direction="better", of="matrix"),
        shown("pilot topics", lambda plan: plan.pilot_topics),
        shown("pairs", lambda plan: len(plan.plan.pairs)),
        data("test", lambda plan: plan.options.planned_test),
        data("power", lambda plan: plan.plan.testing.target_power),
        *columns(alpha="", most="", correction="", of="plan.testing"),
        data("margin", lambda plan: plan.options.margin),
        data("cluster_size", lambda plan: plan.size or None),
        *columns("systems", of="plan.testing"),
        *columns(shrinkage="", of="plan"),
        *columns("difference", "spread", of="plan.typical"),
        _number_column("needed", "topics", lambda plan: plan.plan.typical.topics),
        _number_column("low", "low", lambda plan: plan.plan.typical.low),
        _number_column("high", "high", lambda plan: plan.plan.typical.high),
        *map(_share_column, _PAIR_SHARES),
        data("topics", lambda plan: {f"{part:g}": topics for part, topics in plan.topics.items()}),
        data("comparisons", lambda plan: PAIR_VIEW.records(plan.pairs)),
        data("components", lambda plan: plan.components and plan.components.record),
        data("designs", lambda plan: DESIGN_VIEW.records(plan.designs)),
    ),
    digits=3,
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PowerPlans(FiguresResult[PowerPlan]):
    """Plans for each task and measure; `not_drawn` lists those without a power curve."""


@question
def power(
    source: ClusteredInput, sequential: SequentialOptions, options: PowerOptions
) -> PowerPlans:
    """Plan an evaluation: how many topics are needed, given the scores of a pilot.

    The plan is for the test or model that `compare` will run. If the pilot has several judgments of
    a summary or several runs of a system, the costs of more topics, judges and runs are compared.

    If people and machines have scores on a scale, power curves show how often each test
    distinguishes a blend of machine and human scores from those of machines.

    Examples
    --------
    >>> import pandas as pd
    >>> pilot = pd.DataFrame({"x": [.1, .2, .1, .2, .1, .3], "y": [.2, .4, .3, .2, .1, .5]})
    >>> plan = power(pilot, difference=0.1)[0]
    >>> plan.topics[1.0], plan.plan.typical.low < 12 < plan.plan.typical.high
    (12.0, True)
    """
    if sequential.sequential:
        require_sequential(options, source.cluster, options.judge)
    elif sequential.scale:
        raise InputError("only plans for --sequential take a scale", hint="add --sequential")
    collection, matrices, left_out = source.read()
    matrices, unplanned_notes = _plannable_matrices(matrices)
    plans = [_plan_matrix(matrix, collection.scores, options) for matrix in matrices]
    if options.judge:
        plans = [_with_judge(plan, source, options.judge, options.seed) for plan in plans]
    if sequential.sequential:
        plans = [
            _simulate_sequential(plan, sequential.ends(plan.matrix), options) for plan in plans
        ]
    plans = [
        replace(plan, curves=MeasureCurves.of(plan.matrix, options.alpha, options.seed))
        for plan in plans
    ]
    curves = [plan.curves for plan in plans if plan.curves]
    missing_curve_notes = tuple(
        f"power curve of {file_stem(plan.matrix.measure, plan.matrix.task)}: it needs people, "
        "machines and few values"
        for plan in plans
        if not plan.curves
    )
    curve_notes = (
        *missing_curve_notes,
        *(line for part in curves for line in part.left_out),
    )
    return PowerPlans(
        command="power",
        signature=signed(
            f"power({options.planned_test})", collection.data_hash, options.seed,
            exclude="+".join(source.exclude), cluster=source.cluster or "",
            lower="+".join(dict.fromkeys(m.measure for m in matrices if m.direction == "lower")),
            correction=_effective_correction(options), systems=options.systems or "",
            difference="" if options.difference is None else f"{options.difference:g}",
            margin="" if options.margin is None else f"{options.margin:g}",
            power=f"{options.power:g}", alpha=f"{options.alpha:g}",
            **{"max-topics": options.max_topics},
            n=options.n_resamples if _effective_correction(options) == "bh" else "",
            judge=options.judge or "", sequential="yes" * sequential.sequential,
        ),
        values=plans,
        record=_record,
        tables=[
            PLAN_VIEW.table(plans, "Topics needed", _assumptions_note(options, plans)),
            *(_designs_table(plan) for plan in plans if plan.designs),
            *(_judged_table(plan, options) for plan in plans if plan.judged),
            *(_next_topics_table(plan) for plan in plans if plan.next_topics),
            *(_sequential_table(plan) for plan in plans if plan.sequential),
            *map(_pairs_table, plans),
            *(table for part in curves if options.curves for table in part.tables()),
        ],
        left_out=(
            *left_out, *unplanned_notes, *_left_out_notes(plans), *(curve_notes * options.curves)
        ),
        charts=[chart for part in curves for chart in part.charts()],
        not_drawn=missing_curve_notes,
    )  # fmt: skip


def _record(plan: PowerPlan) -> dict[str, Any]:
    """Return the JSON record of a plan."""
    judge_record = {
        "explained": plan.explained, "judged": JUDGED_VIEW.records(plan.judged),
        "next_topics": [topic.topic for topic in plan.next_topics],
    }  # fmt: skip
    sequential_record = {"sequential": plan.sequential and asdict(plan.sequential)}
    return {
        **PLAN_VIEW.record(plan),
        **(judge_record if plan.judged else {}),
        **(sequential_record if plan.sequential else {}),
        **({"curves": plan.curves.record} if plan.curves and plan.options.curves else {}),
    }


# A variance from fewer topics may be off by a factor of 5.
_FEW_TOPICS = 5

# Simulated evaluations.
_MAX_SIMULATED_EVALUATIONS = 1000


def _simulate_sequential(
    plan: PowerPlan, ends: tuple[float, float], options: PowerOptions
) -> PowerPlan:
    """Simulate when `compare --sequential` stops, from the pilot's differences around their means.

    The pair must be found at the level of Bonferroni's correction, the first step of Holm's.
    """
    planned_testing, typical_pair = plan.plan.testing, plan.plan.typical
    n_pairs = planned_testing.systems * (planned_testing.systems - 1) // 2
    level = options.alpha / (1 if options.correction == "none" else n_pairs)
    first, second = all_pairs(len(plan.matrix.systems)).T
    differences = plan.matrix.values[:, first] - plan.matrix.values[:, second]
    centered_differences = differences - known_means(differences)
    scale_width = ends[1] - ends[0]
    stops = sequential_topics(
        centered_differences[~np.isnan(centered_differences)], bounds=(-scale_width, scale_width),
        difference=typical_pair.difference, alpha=level, most=planned_testing.most,
        n_resamples=min(options.n_resamples, _MAX_SIMULATED_EVALUATIONS),
        rng=options.seed,
    )  # fmt: skip
    expected_topics = math.ceil(float(np.minimum(stops, planned_testing.most).mean()))
    median, topics_with_power = np.quantile(stops, [0.5, options.power], method="higher").tolist()
    sequential_plan = SequentialPlan(
        typical_pair.difference, level, expected_topics, median, topics_with_power,
        float(np.isfinite(stops).mean()),
        typical_pair.topics, planned_testing.most,
    )  # fmt: skip
    return replace(plan, sequential=sequential_plan)


def _sequential_table(plan: PowerPlan) -> Table:
    assert plan.sequential
    note = (
        "Topics with which compare --sequential finds the difference and stops, simulated from the "
        "pilot's differences by topic; evaluations that do not stop count with all "
        f"{plan.sequential.most:,} topics. With a fixed number of topics, do not "
        "stop earlier or continue."
    )
    title = f"When compare --sequential stops, by {plan.name}"
    return SEQUENTIAL_VIEW.table([plan.sequential], title, note, key=plan.key)


def _with_judge(plan: PowerPlan, source: ClusteredInput, judge: str, seed: int) -> PowerPlan:
    """Add how many topics people must judge if a judge scores more topics.

    With n human topics of N, the variance is that of people alone times 1 - r2 (1 - n / N).
    """
    from pyramidion.comparison._with_judge import aligned_scores, judge_matrices

    if not source.measures:
        raise InputError("--judge needs a human measure", hint="name it with -m")
    judge_tables = judge_matrices(source, plan.matrix.measure, judge)
    judge_matrix = next(
        (matrix for matrix in judge_tables if matrix.task == plan.matrix.task), None
    )
    if judge_matrix is None:
        raise InputError(f"{judge} has no scores of task {plan.matrix.task}")
    explained_share = _explained_share(*aligned_scores(plan.matrix, judge_matrix)[:2])
    human_topics = plan.plan.typical.topics
    plans = []
    for factor in (1, 2, 5, 10, math.inf):
        judge_topics = (
            math.ceil(human_topics * factor) if math.isfinite(human_topics * factor) else math.inf
        )
        n_human_topics = _human_topics_with_judge(human_topics, explained_share, judge_topics)
        saved_share = 1 - n_human_topics / human_topics if math.isfinite(human_topics) else math.nan
        plans.append(JudgedPlan(judge_topics, n_human_topics, saved_share, plan.plan.testing.most))
    return replace(
        plan, judged=tuple(plans), explained=explained_share,
        next_topics=tuple(_next_topics(plan, judge_matrix, explained_share, seed)),
    )  # fmt: skip


def _human_topics_with_judge(
    human_only_topics: float, explained_share: float, judge_topics: float
) -> float:
    """Return the number of topics that people must judge, from the number without a judge."""
    if not math.isfinite(human_only_topics):
        return human_only_topics
    # A judge of fewer topics than people would need saves nothing.
    return math.ceil(
        human_only_topics
        * (1 - explained_share)
        / (1 - explained_share * min(human_only_topics / judge_topics, 1.0))
    )


def _next_topics(
    plan: PowerPlan, judge_matrix: ScoreMatrix, explained_share: float, seed: int
) -> list[ChosenTopic]:
    """Choose topics for people to judge next, up to the number needed with all of the judge's."""
    labeled_topics = {*plan.matrix.topics}
    unlabeled_topics = [topic for topic in judge_matrix.topics if topic not in labeled_topics]
    n_topics = len(labeled_topics) + len(unlabeled_topics)
    n_more = _human_topics_with_judge(plan.plan.typical.topics, explained_share, n_topics) - len(
        labeled_topics
    )
    if n_more <= 0 or not unlabeled_topics:
        return []
    n_next = int(min(n_more, len(unlabeled_topics)))
    return choose_topics([judge_matrix], n_next, seed=seed, exclude=labeled_topics)


def _next_topics_table(plan: PowerPlan) -> Table:
    note = (
        f"People judged {counted(len(plan.matrix.topics), 'topic')}. These are further topics "
        "that the judge scored, up to the number that a typical pair needs with all of them, "
        "with equal probabilities and spread over the judge's scores."
    )
    table = replace(chosen_table(plan.next_topics, note), key=plan.key)
    if len(table.rows) <= _MAX_SHOWN_ROWS:
        return table
    note += f" Shown: {_N_SAMPLED_ROWS} of {len(table.rows):,}; CSV, JSON and files contain all."
    short_table = replace(chosen_table(plan.next_topics[:_N_SAMPLED_ROWS], note), key=plan.key)
    return short_table.with_variants(numbers=table, whole=table)


def _explained_share(human: Floats, judge: Floats) -> float:
    """Return the pooled share of the variance of people's differences that the judge explains."""
    first, second = all_pairs(human.shape[1]).T
    human_differences, judge_differences = (
        human[:, first] - human[:, second],
        judge[:, first] - judge[:, second],
    )
    has_both = ~np.isnan(human_differences) & ~np.isnan(judge_differences)
    topics = has_both.any(axis=1).sum()
    if topics < 4:
        hint = "a pilot needs four"
        raise InputError(f"people and the judge share {counted(int(topics), 'topic')}", hint=hint)
    human_differences, judge_differences = (
        np.where(has_both, v, np.nan) - known_means(np.where(has_both, v, np.nan))
        for v in (human_differences, judge_differences)
    )
    covariance, people_variance, judge_variance = (
        float(np.nansum(v))
        for v in (human_differences * judge_differences, human_differences**2, judge_differences**2)
    )
    if covariance <= 0 or not people_variance * judge_variance > 0:
        return 0.0
    squared_correlation = covariance**2 / (people_variance * judge_variance)
    return max(0.0, 1 - (1 - squared_correlation) * float((topics - 1) / (topics - 2)))


def _judged_table(plan: PowerPlan, options: PowerOptions) -> Table:
    note = (
        f"In the pilot {options.judge} explains {plan.explained:.0%} of the variance of people's "
        "differences between systems; people and judge are combined as by compare --judge. A judge "
        "who scores no more topics than people saves nothing."
    )
    title = f"Human topics needed with a judge, by {plan.name}"
    return JUDGED_VIEW.table(plan.judged, title, note, key=plan.key)


def _effective_correction(options: PowerOptions) -> Correction:
    return effective_correction(options.correction, options.test)


def _plannable_matrices(matrices: Sequence[ScoreMatrix]) -> tuple[list[ScoreMatrix], list[str]]:
    """Return the matrices that can be planned for, and why the others cannot."""
    plannable_matrices, reasons = [], []
    for matrix in matrices:
        pairs = all_pairs(len(matrix.systems))
        # Too few topics or systems raise an error later.
        has_enough = len(pairs) and len(matrix.topics) > 1
        if has_enough and len(np.unique(matrix.values[~np.isnan(matrix.values)])) == 1:
            reasons.append(f"{matrix.measure}: all scores are equal, so nothing can be planned")
        elif has_enough and shared_topics(matrix.values, pairs).max() < 2:
            message = "no two systems share two topics, so nothing can be planned"
            reasons.append(f"{matrix.measure}: {message}")
        else:
            plannable_matrices.append(matrix)
    if reasons and not plannable_matrices:
        raise InputError(
            "; ".join(reasons), hint="a pilot needs scores that vary, on shared topics"
        )
    return plannable_matrices, reasons


def _plan_matrix(matrix: ScoreMatrix, scores: Scores, options: PowerOptions) -> PowerPlan:
    if len(matrix.systems) < 2 or len(matrix.topics) < 2:
        raise InputError(
            f"{matrix.measure} has {counted(len(matrix.topics), 'topic')} and "
            f"{counted(len(matrix.systems), 'system')}",
            hint="a pilot needs two of each",
        )
    if len(matrix.topics) < _FEW_TOPICS:
        message = f"a pilot of {len(matrix.topics)} topics says too little about the spread of "
        message += "differences; score more topics first"
        warn_findings([Finding("small pilot", matrix.measure, message, severity="note")])
    order = np.array(Ranking.of(matrix).order)
    pairs = order[np.column_stack(np.triu_indices(len(order), 1))]
    if options.model:
        return _model_plan(matrix, pairs, options, options.model)
    units, size = _independent_units(matrix, options.test)
    field_names = ("difference", "margin", "systems", "power", "alpha", "test", "confidence_level")
    plan = required_topics(
        units, pairs=pairs, correction=_effective_correction(options),
            n_resamples=options.n_resamples,
        most=max(3, int(options.max_topics // max(size, 1))), rng=options.seed,
        **{name: getattr(options, name) for name in field_names},
    )  # fmt: skip
    if size:
        # Count topics, not clusters.
        topic_fields, typical_record = ("topics", "low", "high"), asdict(plan.typical)
        typical_topics = {
            name: float(np.ceil(typical_record[name] * size)) for name in topic_fields
        }
        plan = replace(
            plan, **{name: np.ceil(getattr(plan, name) * size) for name in topic_fields},
            typical=replace(plan.typical, **typical_topics),
            testing=replace(plan.testing, most=options.max_topics),
        )  # fmt: skip
        return PowerPlan(matrix, plan, options, size=size)
    matrix_scores = scores.select(measure=matrix.measure, task=matrix.task)
    components = _variance_components(matrix_scores, matrix, plan.typical.spread)
    designs = tuple(_compare_designs(plan, components, options)) if components else ()
    return PowerPlan(matrix, plan, options, components, designs)


def _independent_units(matrix: ScoreMatrix, test: PlannedTest) -> tuple[Floats, float]:
    """Return the scores of independent units (topics or clusters), and the mean cluster size or 0.

    The deviations of a cluster's topics are summed and divided by the mean cluster size.
    """
    codes, values = matrix.cluster_codes, matrix.values
    if codes is None:
        return values, 0.0
    if test not in ("permutation", "paired-t"):
        hint = "use --test permutation or paired-t, or --model lmm"
        raise InputError(f"{test} cannot be planned with clusters", hint=hint)
    if codes.max() < 2:
        message = (
            f"the topics of {matrix.measure} are in {counted(int(codes.max()) + 1, 'cluster')}"
        )
        raise InputError(message, hint="a pilot needs three clusters, which are the sample")
    clusters, means = [codes == code for code in range(codes.max() + 1)], matrix.means()
    cluster_size = len(values) / len(clusters)
    deviations = [np.nansum((values - means)[rows], axis=0) for rows in clusters]
    has_score = [(~np.isnan(values[rows])).any(axis=0) for rows in clusters]
    return np.where(has_score, means + np.array(deviations) / cluster_size, np.nan), cluster_size


def _model_plan(
    matrix: ScoreMatrix, pairs: Pairs, options: PowerOptions, model: ModelName
) -> PowerPlan:
    """Plan for a mixed model: its variances in the pilot are taken as the true ones."""
    from pyramidion.comparison._models import fit_models

    rows, fits, _ = fit_models(matrix, CompareOptions(model=model), model)
    n_clusters, n_pilot_topics = len(set(matrix.clusters)), len(matrix.topics)
    if math.isnan(fits[0].model.log_likelihood):
        message = f"the scores of {matrix.measure} leave a model no residual error"
        raise InputError(message, hint="leave out --model")
    designs_of_fits = [
        pilot_design(rows.random, rows.system, fit.model, n_clusters) for fit in fits
    ]
    errors = np.array(
        [design.error(n_pilot_topics, len(rows.names))[0] for design in designs_of_fits]
    )
    # As conservative as the tests, which take the largest p-value of several models. Models that
    # differ by an effect without variance have equal errors up to rounding.
    tied_fits = np.flatnonzero(errors >= errors.max() * (1 - 1e-9)).tolist()
    tests_of_fits = {k: fits[k].model.pairwise(pairs, rng=options.seed) for k in tied_fits}
    best_fit = min(tied_fits, key=lambda k: float(np.median(tests_of_fits[k].df)))
    spreads, tests = designs_of_fits[best_fit], tests_of_fits[best_fit]
    variances = dict(spreads.variances)
    unit = (
        math.sqrt(2 * (variances.get("system:topic", 0.0) + variances["residual"] / spreads.judges))
        or 1.0
    )
    model_testing = ModelTesting(
        "paired-t", options.systems or len(matrix.systems), options.correction, options.alpha,
        options.power, options.max_topics, options.n_resamples, options.seed,
        None if options.margin is None else (options.difference or 0.0) / options.margin,
        spreads, unit,
    )  # fmt: skip
    differences_sizes, mean_square = np.abs(tests.differences), float(np.mean(tests.differences**2))
    median_error = float(np.median(tests.standard_errors))
    tails = (1 - options.confidence_level) / 2, (1 + options.confidence_level) / 2
    shrinkage = 1.0
    if (target := options.margin or options.difference) is not None:
        targets = np.full(len(pairs) + 1, target)
        df = spreads.error(n_pilot_topics, len(rows.names))[1]
        limits = [targets / math.sqrt(df / chdtri(df, tail)) for tail in tails]
    else:
        shrinkage = math.sqrt(max(0.0, 1 - median_error**2 / mean_square)) if mean_square else 0.0
        targets = shrinkage * np.append(differences_sizes, np.median(differences_sizes))
        half_width = stdtrit(float(np.median(tests.df)), tails[1]) * median_error
        limits = [targets + half_width, np.maximum(targets - half_width, 0.0)]
    topics, low, high = (
        model_testing.topics(differences / unit) for differences in (targets, *limits)
    )
    if options.margin is not None:
        targets = np.full(len(pairs) + 1, options.difference or 0.0)
    plan = RequiredTopics(
        pairs, shared_topics(matrix.values, pairs), tests.differences, targets[:-1],
        np.full(len(pairs), unit), topics[:-1], low[:-1], high[:-1], shrinkage, model_testing,
        TypicalPair(targets[-1], unit, topics[-1], low[-1], high[-1], targets[-1] / unit, 1.0, 0.0),
    )  # fmt: skip
    designs = tuple(_compare_designs(plan, spreads, options)) if any(spreads.repeated) else ()
    return PowerPlan(matrix, plan, options, spreads, designs, spreads.size)


def pilot_design(
    random_effects: Mapping[str, Ints], system: Ints, fitted_model: Any, clusters: int
) -> Spreads:
    """Describe the pilot's design by a fitted model."""
    counts = {name: len(np.unique(codes)) for name, codes in random_effects.items()}
    n_summaries = np.unique(
        np.stack([system, random_effects["topic"], random_effects.get("run", system)]), axis=1
    ).shape[1]
    is_ordinal = bool(fitted_model.categories)
    noise = _latent_noise(fitted_model) if is_ordinal else fitted_model.variances["residual"]
    variances = {
        name: v for name, v in fitted_model.variances.items() if ":" in name or name == "run"
    }
    if not variances.get("system:assessor"):
        variances.pop("system:assessor", None)
    spreads = Spreads(
        (*variances.items(), ("residual", noise)),
        judges=len(system) / n_summaries,
        panel=counts.get("assessor", 1),
        runs=counts["run"] / len(fitted_model.means) if "run" in counts else 1.0,
        size=counts["topic"] / clusters if clusters else 0.0,
        ordinal=is_ordinal,
        severity=fitted_model.variances.get("assessor", 0.0),
    )
    return _calibrate_noise(spreads, fitted_model, counts["topic"]) if is_ordinal else spreads


def _calibrate_noise(spreads: Spreads, fitted_model: Any, topics: int) -> Spreads:
    """Raise the noise of an ordinal model to match its estimated errors.

    These exceed the errors by information, as random effects are estimated from few judgments.
    """
    pairs = all_pairs(len(fitted_model.means))
    errors = pair_errors(fitted_model.covariance, pairs) ** 2 / (1 / fitted_model.n)[pairs].sum(
        axis=1
    )
    n_scores = topics * spreads.judges * spreads.runs
    excess = (
        float(np.median(errors)) - n_scores / 2 * spreads.error(topics, len(fitted_model.means))[0]
    )
    variances = dict(spreads.variances)
    variances["residual"] += max(excess, 0.0)
    return replace(spreads, variances=tuple(variances.items()))


def _latent_noise(fitted_model: Any) -> float:
    """Return the inverse information of a judgment in log odds, averaged over random effects."""
    effect_sd = math.sqrt(sum(fitted_model.variances.values()))
    normal_quantiles = ndtri((np.arange(200) + 0.5) / 200)
    latent_values = (fitted_model.effects[:, None] + effect_sd * normal_quantiles).ravel()
    p_below = expit(fitted_model.thresholds[:, None] - latent_values)
    zero_row = np.zeros((1, len(latent_values)))
    category_probabilities = np.diff(np.concatenate([zero_row, p_below, zero_row + 1]), axis=0)
    category_slopes = np.diff(np.concatenate([zero_row, p_below * (1 - p_below), zero_row]), axis=0)
    return float(
        1 / np.mean((category_slopes**2 / np.maximum(category_probabilities, 1e-12)).sum(axis=0))
    )


def _variance_components(
    scores: Scores, matrix: ScoreMatrix, spread: float
) -> VarianceComponents | None:
    """Split the variance of scores on a topic; None if nothing is repeated."""
    if len(scores) == matrix.values.size - matrix.missing or math.isnan(spread):
        return None
    columns = scores.columns
    topic = _row_codes(columns["collection"], columns["topic"])
    run = columns.get("run", np.full(len(scores), "", dtype=object))
    # Units and occasions of one judge are averaged.
    values, (topic, system, run, assessor) = _average_equal_rows(
        scores.value, topic, columns["system"], run, columns["assessor"]
    )
    judgment_variance, judges = noise_variance(
        values, _row_codes(topic, system, run), _row_codes(topic, assessor)
    )
    values, (topic, system, run) = _average_equal_rows(values, topic, system, run)
    cell_codes = _row_codes(topic, system)
    repeated_noise, runs = noise_variance(values, cell_codes, _row_codes(system, run))
    # The variance of runs on a topic, less what remains without their means over topics.
    between_runs = noise_variance(values, cell_codes, np.arange(len(values)))[0] - repeated_noise
    if math.isnan(judgment_variance) and math.isnan(repeated_noise):
        return None
    judgment = float(np.nan_to_num(judgment_variance))
    run_variance = (
        repeated_noise
        if math.isnan(repeated_noise)
        else max(0.0, repeated_noise - judgment / judges)
    )
    topic_variance = (
        spread**2 / 2 - float(np.nan_to_num(run_variance)) / runs - judgment / judges / runs
    )
    # An F test of whether runs differ by more than chance.
    n_extra_runs = len(np.unique(_row_codes(system, run))) - len(matrix.systems)
    mean_square = (
        repeated_noise
        + len(values) / max(len(np.unique(_row_codes(system, run))), 1) * between_runs
    )
    residual_df = len(values) - len(np.unique(cell_codes)) - n_extra_runs
    runs_differ = bool(between_runs > _MIN_RUN_SHARE * repeated_noise) and (
        residual_df < 1
        or not repeated_noise
        or bool(fdtrc(n_extra_runs, residual_df, mean_square / repeated_noise) < _RUN_TEST_LEVEL)
    )
    between_runs = max(between_runs, 0.0) if math.isfinite(between_runs) else between_runs
    return VarianceComponents(
        max(0.0, topic_variance),
        run_variance,
        judgment_variance,
        runs,
        judges,
        between_runs,
        runs_differ,
    )


def _row_codes(*columns: Any) -> Ints:
    """Return a number for each row by its values in the columns, in order of appearance."""
    code_by_row: dict[tuple[Any, ...], int] = {}
    codes = (code_by_row.setdefault(row, len(code_by_row)) for row in zip(*columns, strict=True))
    return np.fromiter(codes, np.int64, len(columns[0]))


def _average_equal_rows(value: Floats, *columns: Any) -> tuple[Floats, list[Any]]:
    """Average the values of rows that are equal in all columns."""
    row_codes = _row_codes(*columns)
    first_rows = np.unique(row_codes, return_index=True)[1]
    return np.bincount(row_codes, value) / np.bincount(row_codes), [
        column[first_rows] for column in columns
    ]


def _compare_designs(
    plan: RequiredTopics, components: VarianceComponents | Spreads, options: PowerOptions
) -> Iterator[Design]:
    # Designs are also compared beyond the largest number of topics that would be considered.
    typical_pair, planned_testing = plan.typical, replace(plan.testing, most=_MAX_COMPARED_TOPICS)
    uses_model = isinstance(planned_testing, ModelTesting) or components.runs_differ
    has_judges, has_runs = components.repeated
    has_panel = isinstance(components, Spreads) and "system:assessor" in dict(components.variances)
    run_counts = () if not has_runs else _MANY_COUNTS if uses_model else _REPEATED_COUNTS
    judge_counts = () if not has_judges else _MANY_COUNTS if has_panel else _REPEATED_COUNTS
    if uses_model and not isinstance(planned_testing, ModelTesting):
        field_values = {
            field.name: getattr(planned_testing, field.name) for field in fields(planned_testing)
        }
        planned_testing = ModelTesting(
            **field_values | {"test": "paired-t", "unit": typical_pair.spread or 1.0}
        )
    for n_runs, n_judges in product(run_counts or (1,), judge_counts or (1,)):
        if isinstance(planned_testing, ModelTesting):
            model_testing = replace(planned_testing, spreads=components.design(n_judges, n_runs))
            effect = np.array([(options.margin or typical_pair.difference) / model_testing.unit])
            topics = float(max(model_testing.topics(effect)[0], _MIN_MODEL_TOPICS))
        elif isinstance(components, VarianceComponents):
            topics = _topics_of_test(components, typical_pair, planned_testing, (n_judges, n_runs))
        summary_cost = options.cost_run + n_judges * options.cost_judgment
        cost = topics * (options.cost_topic + planned_testing.systems * n_runs * summary_cost)
        yield Design(n_judges, n_runs, topics, cost, planned_testing.most)


def _topics_of_test(
    components: VarianceComponents,
    typical_pair: TypicalPair,
    planned_testing: PlannedTesting,
    design: tuple[int, int],
) -> float:
    """Return the topics that the planned test needs with a design of judges and runs."""
    variance_ratio = components.variance(*design) / components.variance(
        components.judges, components.runs
    )
    effect = (
        np.array([typical_pair.effect / math.sqrt(variance_ratio)])
        if variance_ratio
        else np.array([math.inf])
    )
    # The variance of topics remains in the error of an unpaired test.
    widening = (
        math.sqrt(1 + (typical_pair.widening**2 - 1) / variance_ratio) if variance_ratio else 1.0
    )
    return float(planned_testing.topics(effect, widening, typical_pair.step)[0])


def _preferences_note(plan: PowerPlan) -> str:
    """Return how many preferences a plan for win rates takes, or nothing."""
    topics_needed, rows = plan.plan.typical.topics, plan.matrix.rows
    if not plan.matrix.measure.startswith("win-rate") or rows is None:
        return ""
    # A preference is a score of both its systems.
    per_topic = len(rows) / 2 / len(plan.matrix.topics)
    total = (
        f"; {topics_needed:,.0f} topics take {topics_needed * per_topic:,.0f}"
        if math.isfinite(topics_needed)
        else ""
    )
    return (
        f" The pilot has {per_topic:,.4g} preferences per topic for {plan.matrix.measure}{total}."
    )


def _designs_table(plan: PowerPlan) -> Table:
    note = f"{_describe_components(plan)} {_advice(plan)}"
    title = f"Topics, judges and runs by {plan.name}"
    constant_columns = [
        column.title
        for column in DESIGN_VIEW.columns[:2]
        if len({column.value(design) for design in plan.designs}) == 1
    ]
    return DESIGN_VIEW.table(plan.designs, title, note, exclude=constant_columns, key=plan.key)


def _pairs_table(plan: PowerPlan) -> Table:
    """Show every pair, or of many some at equal steps; files contain all."""
    table = PAIR_VIEW.table(plan.pairs, f"Pairs by {plan.name}", key=plan.key)
    if len(table.rows) <= _MAX_SHOWN_ROWS:
        return table
    different_pairs = [pair for pair in plan.pairs if not math.isnan(pair.difference)]
    sorted_pairs = sorted(different_pairs, key=lambda pair: abs(pair.difference))
    n_shown = min(_N_SAMPLED_ROWS, len(sorted_pairs))
    steps = np.linspace(0, len(sorted_pairs) - 1, n_shown).round().astype(int)
    n_without_plan = len(plan.pairs) - len(sorted_pairs)
    note = (
        f"{n_shown} of {len(plan.pairs):,} pairs, at equal steps from the nearest to the farthest"
        + f", without the {n_without_plan:,} that share no topic" * bool(n_without_plan)
        + "; CSV, JSON and files contain all."
    )
    sampled_pairs = [sorted_pairs[step] for step in steps]
    short_table = PAIR_VIEW.table(sampled_pairs, f"Pairs by {plan.name}", note, key=plan.key)
    return short_table.with_variants(numbers=table, whole=table)


def _describe_components(plan: PowerPlan) -> str:
    """Describe the variance components."""
    components = plan.components.record if plan.components else {}
    labels = {"topic": "how systems do on the topic", "run": "runs", "judgment": "judges"}
    if components.get("between_runs", 0.0) > 0:
        labels |= {"run": "how runs do on the topic", "between_runs": "runs, on all topics alike"}
    variances = {label: components[name] for name, label in labels.items() if name in components}
    if isinstance(plan.components, Spreads):
        variances = dict(plan.components.variances)
    variances = {label: value for label, value in variances.items() if not math.isnan(value)}
    total = sum(variances.values()) or math.nan
    shares_text = ", ".join(
        f"{value / total:.0%} from {label}" for label, value in variances.items()
    )
    chance_note = ""
    if components.get("between_runs", 0.0) > 0 and not _runs_differ(plan):
        chance_note = " The difference of runs on all topics alike may be due to chance."
    design = "with one judge and one run"
    return f"Variance of a difference on one topic, {design}: {shares_text}.{chance_note}"


def _advice(plan: PowerPlan) -> str:
    """Name the cheapest design, and say whether to add topics, or judges and runs."""
    best_design, too_few_note = plan.cheapest, "".join(_too_few_notes(plan))
    if best_design is None:
        return too_few_note or "No number of topics finds a difference of 0."
    repeated_nouns = [
        name for name, n in (("judges", best_design.judges), ("runs", best_design.runs)) if n > 1
    ]
    repeated_noun = "judges" if plan.components and plan.components.repeated[0] else "runs"
    answer = f"More topics are cheaper than more {repeated_noun}"
    if repeated_nouns:
        answer = f"More {' and '.join(repeated_nouns)} are worth their cost"
    cost_note = (
        "" if plan.options.cost_topic else " (topics cost only their judgments: --cost-topic)"
    )
    model_note = (
        " Test with compare --model lmm: other tests hold only for the runs of the evaluation."
    )
    return (
        f"{too_few_note}{answer}{cost_note}. Cheapest: {counted(int(best_design.topics), 'topic')} "
        f"with {counted(best_design.judges, 'judge')} per summary and "
        f"{counted(best_design.runs, 'run')} per system, at a cost of "
        f"{best_design.cost:,.0f}.{model_note if _runs_differ(plan) else ''}"
    )


def _runs_differ(plan: PowerPlan) -> bool:
    """Return whether the pilot's runs differ consistently over topics, by more than chance."""
    return plan.components is not None and plan.components.runs_differ


def _too_few_notes(plan: PowerPlan) -> Iterator[str]:
    """Yield the numbers of runs or judges for which no number of topics suffices."""
    if not (plan.options.margin or plan.plan.typical.difference > 0):
        return
    for nouns, noun, unit in (("runs", "run", "system"), ("judges", "judge", "summary")):
        counts = {getattr(design, nouns) for design in plan.designs}
        sufficient_counts = {getattr(d, nouns) for d in plan.designs if math.isfinite(d.topics)}
        largest_count = max(
            (n for n in counts if n < min(sufficient_counts, default=math.inf)), default=0
        )
        if largest_count and len(counts) > 1:
            limit_text = (
                f"{'up to ' if largest_count > 1 else ''}{counted(largest_count, noun)} per {unit}"
            )
            yield f"With {limit_text}, no number of topics suffices: "
            yield f"topics do not average out {nouns}. "


def _format_topics(topics: float, max_topics: int) -> str:
    if math.isnan(topics):
        return "–"
    return f"over {max_topics:,}" if math.isinf(topics) else str(int(topics))


def _assumptions_note(options: PowerOptions, plans: Sequence[PowerPlan]) -> str:
    """Describe what is planned for, and the assumptions."""
    correction: CorrectionName = _effective_correction(options)
    if options.model and correction in MAX_T:
        correction = "mvt"
    outcome_text = "a difference is found"
    if options.margin is not None:
        outcome_text = f"systems are shown to be equivalent within {options.margin:g}"
        correction = "none" if correction == "none" else "holm"
    correction_text = CORRECTION_TEXTS[correction].after
    plan_text = (
        f"Planned for a difference of {options.difference or 0:g}; the interval reflects the "
        "pilot's uncertainty about the spread."
        if (options.difference or options.margin) is not None
        else "No difference of interest was given (--difference), so the plan uses the "
        "pilot's differences, starting with the median pair's. They are shrunk, because observed "
        "differences are too large on average; the interval reflects their uncertainty."
    )
    if not all(plan.plan.shrinkage for plan in plans):
        plan_text += (
            " Where it is 0, the pilot's differences are no larger than expected by chance."
        )
    if any(plan.size for plan in plans):
        plan_text += " The sample is clusters, as large as the pilot's on average, not topics."
    for plan in plans:
        plan_text += _preferences_note(plan)
    assumptions = (
        "all other systems lie midway between the two", "a pair's differences over topics, pooled; "
        "shares are of the pilot's pairs, each with its own",
    )  # fmt: skip
    if options.model:
        assumptions = (
            "every system is judged as in the pilot and its variances are the true ones",
            "a difference on one topic",
        )
    elif any(map(_runs_differ, plans)):
        plan_text += (
            " Runs are averaged here, so results hold for these runs only; for others, see topics, "
            "judges and runs below."
        )
    fallback = "" if options.model else fallback_note(options.correction, options.test)
    return (
        f"Topics with which {outcome_text} with power {options.power:g} by the "
        f"{describe_test(options.planned_test).name} at {options.alpha:g} {correction_text}, if "
        f"{assumptions[0]}. {plan_text} The spread is the standard deviation of {assumptions[1]}. "
        f"{fallback}"
    ).rstrip()


def _left_out_notes(plans: Sequence[PowerPlan]) -> Iterator[str]:
    for plan in plans:
        if n_constant := int(
            np.count_nonzero((plan.plan.spread == 0) & np.isfinite(plan.plan.topics))
        ):
            pairs_text = counted(n_constant, "pair")
            yield (
                f"{plan.matrix.measure}: {pairs_text} whose difference does not vary in the pilot, "
                "so more topics may be needed"
            )
        if n_unknown := int(np.isnan(plan.plan.topics).sum()):
            yield f"{plan.matrix.measure}: {n_unknown} pairs that share fewer than two topics"
