"""Which systems people prefer: win rates, strengths, and checks of the choices."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import CodedPreferences, Collection, Preferences, ScoreMatrix
from pyramidion.collection.ids import grouped
from pyramidion.collection.sources import PreferenceReading, Source
from pyramidion.comparison._compare import (
    build_comparisons,
    comparison_result,
    paired_systems,
)
from pyramidion.comparison._intervals import (
    corrected_level,
    t_interval_ends,
    with_difference_intervals,
)
from pyramidion.comparison._result import ComparisonResult, Ranking, SystemResult
from pyramidion.comparison._view import comparison_charts, pairs_table
from pyramidion.comparison.common import joined, places_of, ratios, require_known
from pyramidion.comparison.measure_tables import scope_name
from pyramidion.errors import InputError
from pyramidion.questions import Options, argument, option, question
from pyramidion.questions.common import confidence_option
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import FiguresResult, signed
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, field_columns
from pyramidion.stats import BradleyTerry, MixedModel, adjust_p, bradley_terry
from pyramidion.stats.mean_intervals import MeanIntervals, wilson_interval

Cluster = Literal["topic", "assessor", "both", "none"]
PreferenceCorrection = Literal["maxt", "holm", "bh", "none"]

# Assessors that a terminal shows.
_MAX_SHOWN_ASSESSORS = 30


@dataclass(frozen=True, slots=True)
class PreferenceInput(PreferenceReading):
    """The preferences to use."""

    source: Source | Sequence[Source] = argument(
        "Table of preferences or of best-worst tuples, or collection with them; several are "
        "joined.", multiple=True,
    )  # fmt: skip
    tasks: tuple[str, ...] = option(
        (), "Tasks to include, comma-separated; all by default.", flags=("--task",)
    )
    measures: tuple[str, ...] = option(
        (), "Measures to include, comma-separated, if assessors answered several questions; all by "
        "default.", flags=("--measures", "-m"),
    )  # fmt: skip

    def read(self) -> Collection:
        """Read the preferences, without excluded systems."""
        collection = self.read_source(self.source)
        if not len(collection.preferences):
            hint = "give a table with the columns topic, first, second and choice"
            raise InputError("the source contains no preferences", hint=hint)
        return collection

    def parts(self, table: Preferences) -> Iterator[tuple[str, str, Preferences]]:
        """Yield the preferences of each task and measure."""
        for name, names in (("task", self.tasks), ("measure", self.measures)):
            for value in names:
                require_known(name, value, sorted(set(table.columns[name])))
        tasks, measures = table.columns["task"], table.columns["measure"]
        for task, measure in sorted(set(zip(tasks, measures, strict=True))):
            if task in (self.tasks or [task]) and measure in (self.measures or [measure]):
                is_included = (tasks == task) & (measures == measure)
                yield task, measure, table if is_included.all() else table.rows(is_included)


@dataclass(frozen=True, slots=True)
class PreferenceOptions(Options):
    """How systems are ranked by preferences."""

    position: bool = option(
        True, "Estimate the advantage of the summary shown first, if sides are known.",
        flags=("--position/--no-position",),
    )  # fmt: skip
    assessor_effects: bool = option(
        False, "Estimate each assessor's bias towards the summary shown first, and towards ties.",
        flags=("--assessor-effects",),
    )  # fmt: skip
    strength: bool = option(False, "Weight each preference by its strength.", flags=("--strength",))
    cluster: Cluster = option(
        "topic", "Which choices depend on each other: those about one topic, those by one "
        "assessor, both, or none.",
    )  # fmt: skip
    correction: PreferenceCorrection = option(
        "maxt",
        "Correction for multiple comparisons: maxt, holm, bh (false discovery rate) or none.",
    )
    alpha: float = option(0.05, "Significance level of the tests.", between=(0, 1))
    baseline: str | None = option(
        None, "Compare every system with this one only.", metavar="SYSTEM"
    )
    elo: int = option(
        0, "Also show Elo ratings, with their spread over this number of random orders of the "
        "preferences; 0 for none.", min=0, max=10_000, metavar="ORDERS",
    )  # fmt: skip
    confidence_level: float = confidence_option("Confidence level of the intervals.")
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)


@dataclass(frozen=True, slots=True)
class PreferredSystem:
    """A system: its strength in log odds and its win rate, with ties as half a win."""

    result: SystemResult
    win_rate: float
    win_low: float
    win_high: float
    wins: int
    ties: int
    losses: int

    @property
    def strength(self) -> float | None:
        """The strength; None if there is no system to compare it with."""
        return None if math.isnan(self.result.low) else self.result.adjusted


@dataclass(frozen=True, slots=True)
class Triads:
    """Triads of systems that were all compared with each other, and how many are circular."""

    number: int
    circular: int


@dataclass(frozen=True, slots=True)
class AssessorPreferences:
    """How an assessor chose: sides, ties, agreement with others and with themselves."""

    assessor: str
    n: int
    first_share: float
    first_low: float
    first_high: float
    tie_share: float
    shared: int
    agreement: float
    swapped: int
    self_agreement: float
    triads: int
    circular: int


@dataclass(frozen=True, slots=True)
class EloRating:
    """A system's Elo rating in the original order, and over random orders of the choices."""

    system: str
    given: float
    mean: float
    low: float
    high: float
    best_rank: int
    worst_rank: int


@dataclass(frozen=True, slots=True, eq=False)
class PreferenceRanking:
    """The preferences of one task and measure: a ranking, and checks of the choices."""

    comparison: ComparisonResult
    systems: tuple[PreferredSystem, ...]
    fit: BradleyTerry
    matrix: ScoreMatrix
    n: int
    topics: int
    ties: int
    triads: Triads
    agreement: float
    alpha: float
    assessors: tuple[AssessorPreferences, ...]
    elo: tuple[EloRating, ...]

    @property
    def model(self) -> dict[str, float]:
        """The estimates of the model other than strengths."""
        names = ("position", "position_error", "tie", "tie_error", "log_likelihood", "df")
        return {name: getattr(self.fit, name) for name in names}


SYSTEM_VIEW: View[PreferredSystem] = View(
    "ranking",
    (
        *columns("rank", "system", of="result"),
        Column("strength", "strength"),
        *columns("low", "high", of="result"),
        *columns(win_rate="win rate", win_low="win low", win_high="win high"),
        *columns("wins", "ties", "losses"),
        *columns(group="group", cluster="tier", part="part", of="result"),
    ),
    digits=3,
)
ASSESSOR_VIEW: View[AssessorPreferences] = View(
    "assessors",
    field_columns(
        AssessorPreferences, first_share="first wins", first_low="low", first_high="high",
        tie_share="ties", agreement="agrees with others", self_agreement="agrees when swapped",
    ),
    digits=3,
)  # fmt: skip
ELO_VIEW: View[EloRating] = View("elo", field_columns(EloRating, given="as given"), digits=0)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PreferenceRankings(FiguresResult[PreferenceRanking]):
    """Rankings by preferences, one for each task and measure."""

    main: ClassVar[str] = "ranking"
    csv_order: ClassVar[tuple[str, ...]] = ("ranking", "pairs", "assessors", "elo")


@question
def preferences(source: PreferenceInput, options: PreferenceOptions) -> PreferenceRankings:
    """Rank systems by which of two summaries people preferred, and check the choices.

    Strengths are those of a Bradley-Terry model (ties by Davidson) with a position effect; topics
    are the sample. Win rates, circular triads, and how far assessors agree with each other and with
    themselves are shown as well. Columns of a table: topic, first, second, choice (first, second or
    tie), assessor, sides.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame(
    ...     [(f"T{t}", "x", "y", "first" if t % 4 else "second") for t in range(20)],
    ...     columns=["topic", "first", "second", "choice"],
    ... )
    >>> result = preferences(frame)
    >>> [(row.result.system, row.win_rate) for row in result[0].systems]
    [('x', 0.75), ('y', 0.25)]
    """
    collection = source.read()
    people = {name for name, kind in collection.systems.items() if kind == "human"}
    rankings = [
        rank_preferences(table, options, task, measure, people)
        for task, measure, table in source.parts(collection.preferences)
    ]
    return PreferenceRankings(
        command="preferences",
        signature=signed(
            "preferences(bradley-terry)", collection.data_hash, options.seed,
            task=joined(source.tasks), measure=joined(source.measures),
            exclude=joined(source.exclude), position="" if options.position else "no",
            assessors="random" if options.assessor_effects else "",
            weights="strength" if options.strength else "", cluster=options.cluster,
            baseline=options.baseline or "", correction=rankings[0].comparison.correction,
            alpha=f"{options.alpha:g}", elo=options.elo or "",
        ),
        values=rankings,
        record=_record,
        tables=[table for ranking in rankings for table in _tables(ranking, options)],
        left_out=(
            *collection.left_out, *(line for r in rankings for line in r.comparison.left_out),
        ),
        charts=[chart for r in rankings for chart in comparison_charts(r.comparison, r.matrix)],
    )  # fmt: skip


def rank_preferences(
    table: Preferences, options: PreferenceOptions, task: str, measure: str, people: set[str]
) -> PreferenceRanking:
    """Rank the systems of one task and measure."""
    coded_choices = table.coded
    weights = table.strength if options.strength else np.ones(len(table))
    clusters = _cluster_columns(table, options)
    fit = bradley_terry(
        coded_choices.first, coded_choices.second, coded_choices.outcome,
        side=coded_choices.order_known, weights=weights,
        clusters=clusters, assessors=_assessor_codes(table) if options.assessor_effects else None,
        position=options.position,
    )  # fmt: skip
    rates, counts = _win_rates(coded_choices, weights, clusters, options.confidence_level)
    matrix = _topic_rates(table, measure, task, people)
    comparison = _compare_strengths(matrix, fit, coded_choices, options)
    notes = tuple(_strength_notes(table, fit, comparison, options))
    comparison = replace(
        comparison, notes=notes, left_out=tuple(_left_out_notes(table, comparison))
    )
    order = places_of((system.system for system in comparison.systems), coded_choices.systems)
    columns = (*rates[:, order].tolist(), *counts[:, order].tolist())
    systems = tuple(map(PreferredSystem, comparison.systems, *columns))
    item_codes = _item_codes(table)
    agreement, krippendorff_alpha = answer_agreement(*_one_choice_each(table, item_codes))
    return PreferenceRanking(
        comparison, systems, fit, matrix, len(table), len(set(table.columns["topic"])),
        int((coded_choices.outcome == 0).sum()),
        Triads(*map(int, np.concatenate(circular_triads(coded_choices, np.zeros(len(table),
        np.int64))))),
        agreement, krippendorff_alpha,
        tuple(_assessor_rows(table, item_codes)),
        elo_ratings(table, options.elo, options.seed) if options.elo else (),
    )  # fmt: skip


def _assessor_codes(table: Preferences) -> Ints:
    codes = table.codes("assessor")
    if not any(table.columns["assessor"]) or codes.max() == 0:
        hint = "leave out --assessor-effects, or name the assessors"
        raise InputError("there is only one assessor, so assessors cannot differ", hint=hint)
    return codes


def _cluster_columns(table: Preferences, options: PreferenceOptions) -> list[Ints]:
    names = [name for name in ("topic", "assessor") if options.cluster in (name, "both")]
    for name in names:
        if table.codes(name).max() == 0:
            if options.cluster == "topic":
                return []
            message = f"there is only one {name}, so {name}s cannot be the sample"
            raise InputError(message, hint="use --cluster topic or none")
    return [table.codes(name) for name in names]


def _win_rates(
    coded_choices: CodedPreferences, weights: Floats, clusters: Sequence[Ints], level: float
) -> tuple[Floats, Ints]:
    """Return win rates, with ties as half a win, with Wilson intervals; and counts.

    The intervals are those of the number of independent choices with the same error as clusters.
    """
    n_systems = len(coded_choices.systems)
    system_codes = np.concatenate([coded_choices.first, coded_choices.second])
    scores = np.concatenate([1 + coded_choices.outcome, 1 - coded_choices.outcome]) / 2
    tiled_weights = np.tile(weights, 2)
    weight_sums = np.bincount(system_codes, tiled_weights, n_systems)
    rates = np.bincount(system_codes, tiled_weights * scores, n_systems) / weight_sums
    effective_n = weight_sums**2 / np.bincount(system_codes, tiled_weights**2, n_systems)
    variances = (
        np.bincount(system_codes, tiled_weights**2 * (scores - rates[system_codes]) ** 2, n_systems)
        / weight_sums**2
    )
    n_clusters = min((int(codes.max()) + 1 for codes in clusters), default=0)
    if clusters:
        codes = np.tile(min(clusters, key=lambda labels: int(labels.max())), 2)
        score_deviations = np.bincount(
            codes * n_systems + system_codes,
            tiled_weights * (scores - rates[system_codes]),
            n_clusters * n_systems,
        )
        score_deviations = score_deviations.reshape(n_clusters, n_systems)
        has_choices = (
            np.bincount(codes * n_systems + system_codes, minlength=n_clusters * n_systems).reshape(
                n_clusters, n_systems
            )
            > 0
        )
        n = has_choices.sum(axis=0)
        variances = (score_deviations**2).sum(axis=0) / weight_sums**2 * n / np.maximum(n - 1, 1)
        effective_n = n.astype(float)
    binomial_variances = rates * (1 - rates)
    sizes = np.where(
        (variances > 0) & (binomial_variances > 0),
        binomial_variances / np.where(variances > 0, variances, 1),
        0,
    )
    sizes = np.where(sizes > 0, sizes, effective_n)
    bounds = wilson_interval(rates * sizes, sizes, confidence_level=level)
    counts = [
        np.bincount(system_codes[scores == value], minlength=n_systems) for value in (1, 0.5, 0)
    ]
    return np.vstack([rates, bounds]), np.array(counts)


def _topic_rates(table: Preferences, measure: str, task: str, people: set[str]) -> ScoreMatrix:
    """Return each system's win rate on each topic as scores."""
    coded_choices, topic_codes, n_systems = (
        table.coded,
        table.codes("topic"),
        len(table.coded.systems),
    )
    cell_codes = np.concatenate(
        [
            topic_codes * n_systems + coded_choices.first,
            topic_codes * n_systems + coded_choices.second,
        ]
    )
    scores = np.concatenate([1 + coded_choices.outcome, 1 - coded_choices.outcome]) / 2
    topics = tuple(dict.fromkeys(table.columns["topic"].tolist()))
    sizes = np.bincount(cell_codes, minlength=len(topics) * n_systems)
    return ScoreMatrix(
        ratios(np.bincount(cell_codes, scores, len(sizes)), sizes).reshape(-1, n_systems), topics,
        coded_choices.systems,
        np.isin(coded_choices.systems, sorted(people)), task=task,
        measure=f"win-rate-{measure}" if measure else "win-rate",
    )  # fmt: skip


def _compare_strengths(
    matrix: ScoreMatrix,
    fit: BradleyTerry,
    coded_choices: CodedPreferences,
    options: PreferenceOptions,
) -> ComparisonResult:
    """Compare the strengths of systems; those of different parts have no finite difference."""
    if options.baseline is not None:
        require_known("system", options.baseline, coded_choices.systems)
    is_single = np.bincount(fit.parts)[fit.parts] == 1
    values = np.where(is_single, np.nan, fit.strengths)
    goodness = np.where(is_single, 0.0, fit.strengths).round(12)
    # The part with the highest win rates comes first.
    part_rates = (
        np.bincount(fit.parts, np.nan_to_num(matrix.means()))[1:] / np.bincount(fit.parts)[1:]
    )
    part_ranks = np.argsort(np.argsort(-part_rates, kind="stable"), kind="stable")
    ranking = Ranking(values, goodness, part_ranks[fit.parts - 1] + 1)
    pairs, k = paired_systems(matrix, ranking.order, options.baseline), len(coded_choices.systems)
    # A mixed model whose means are the strengths tests and corrects all pairs.
    model = MixedModel(
        tuple(range(k)), np.zeros(k, np.int64), fit.strengths, fit.covariance, {},
        fit.log_likelihood, _slopes=np.zeros((0, k, k)), _spread=np.zeros((0, 0)), _df=fit.df,
    )  # fmt: skip
    low, high = model.intervals(options.confidence_level)
    low[is_single], high[is_single] = np.nan, np.nan
    first, second = pairs.T
    is_same_part = fit.parts[first] == fit.parts[second]
    pair_values, intervals_by_end = (
        np.full((4, len(pairs)), np.nan),
        np.full((2, len(pairs)), np.nan),
    )
    if is_same_part.any():
        tests = model.pairwise(pairs[is_same_part], alpha=options.alpha, rng=options.seed)
        p_adjusted, level = tests.p_adjusted, tests.level
        if options.correction != "maxt":
            p_adjusted = adjust_p(tests.p, method=options.correction)
            level = corrected_level(p_adjusted, options.alpha, options.correction)
        pair_values[:, is_same_part] = tests.differences, tests.t, tests.p, p_adjusted
        intervals_by_end[:, is_same_part] = t_interval_ends(
            tests.differences, tests.standard_errors, tests.df, level
        )
    direct_counts = np.bincount(coded_choices.pair, minlength=k * k)
    n_compared = direct_counts[np.minimum(first, second) * k + np.maximum(first, second)]
    effects = np.array([1 / (1 + math.exp(-difference)) for difference in pair_values[0].tolist()])
    notes = np.where(is_same_part, "", "no finite difference").tolist()
    comparisons = build_comparisons(matrix, pairs, n_compared, *pair_values, effects, notes=notes)
    is_stepwise = options.correction == "holm"
    comparisons = with_difference_intervals(
        comparisons,
        intervals_by_end[0],
        intervals_by_end[1],
        alpha=options.alpha,
        stepwise=is_stepwise,
    )
    intervals = MeanIntervals(values, low, high, "t")
    return comparison_result(matrix, ranking, comparisons, intervals, options, test="bradley-terry")


def _strength_notes(
    table: Preferences, fit: BradleyTerry, result: ComparisonResult, options: PreferenceOptions
) -> Iterator[str]:
    """Yield notes on how strengths were estimated and on what cannot be ranked."""
    sample_text = "choices as independent"
    if math.isfinite(fit.df):
        units = {"both": "topics and assessors"}.get(options.cluster, f"{options.cluster}s")
        sample_text = f"{units} as the sample ({fit.df + 1:g})"
    elif options.cluster == "topic":
        sample_text = "choices as independent, since there is only one topic"
    yield f"Strengths are log odds that a system is preferred; standard errors treat {sample_text}."
    if not math.isnan(fit.position):
        yield (
            f"Being shown first adds {fit.position:.3f} log odds (standard error "
            f"{fit.position_error:.3f}, odds {math.exp(fit.position):.2f})."
        )
    if not math.isnan(fit.tie):
        tie_share = math.exp(fit.tie) / (math.exp(fit.tie) + 2)
        yield f"Two equal systems tie in {tie_share:.0%} of choices (Davidson)."
    for note in fit.notes:
        yield f"{note[0].upper()}{note[1:]}."
    if fit.parts.max() > 1:
        yield from _part_notes(table.coded, result)


def _part_notes(coded_choices: CodedPreferences, result: ComparisonResult) -> Iterator[str]:
    """Yield which systems have no finite difference of strengths."""
    part_by_system = {system.system: system.part for system in result.systems}
    part_codes = np.array([part_by_system[name] for name in coded_choices.systems])
    parts_by_choice = np.sort(
        [part_codes[coded_choices.first], part_codes[coded_choices.second]], axis=0
    )
    linked_pairs = set(
        zip(*parts_by_choice[:, parts_by_choice[0] < parts_by_choice[1]].tolist(), strict=True)
    )
    systems_by_part = grouped((system.part, system.system) for system in result.systems)
    n_parts = len(systems_by_part)
    part_names = "; ".join(
        ", ".join(systems_by_part[part_number]) for part_number in sorted(systems_by_part)
    )
    reasons = ["one of them won every choice against the other"] * bool(linked_pairs)
    reasons += ["they were never compared"] * (len(linked_pairs) < n_parts * (n_parts - 1) // 2)
    yield (
        f"The systems fall into {n_parts} parts between which strengths have no finite difference "
        f"({', or '.join(reasons)}): {part_names}. Ranks count within a part."
    )


def _left_out_notes(table: Preferences, result: ComparisonResult) -> Iterator[str]:
    scope = scope_name(result.measure, result.task)
    if n_undefined := sum(math.isnan(pair.p) for pair in result.comparisons):
        yield f"{scope}: {counted(n_undefined, 'pair')} without a finite difference of strengths"
    names = set(table.columns["assessor"])
    if names == {""}:
        yield f"{scope}: assessor statistics, since the data name no assessors"
    elif len(names) == 1:
        yield f"{scope}: agreement, since {names.pop()} is the only assessor"


def _item_codes(table: Preferences) -> Ints:
    """Return the number of each item that assessors can agree on: a topic and two systems."""
    coded_choices = table.coded
    keys = table.codes("topic") * len(coded_choices.systems) ** 2 + coded_choices.pair
    return np.asarray(np.unique(keys, return_inverse=True)[1])


def _one_choice_each(table: Preferences, item_codes: Ints) -> tuple[Ints, Ints]:
    """Return one choice per assessor and item: a tie if the assessor's choices are divided.

    Repeated choices of an assessor are not agreement; unnamed ones count as different assessors'.
    """
    codes, n = table.codes("assessor"), len(table)
    person_codes = np.where(table.columns["assessor"] == "", n + np.arange(n), codes)
    keys, groups = np.unique(item_codes * 2 * n + person_codes, return_inverse=True)
    choices: Ints = np.sign(np.bincount(groups, table.coded.oriented)).astype(np.int64)
    return keys // (2 * n), choices


def answer_agreement(
    item_codes: Ints, answers: Ints, *, mirrored: bool = True
) -> tuple[float, float]:
    """Return the share of answers (-1, 0, 1) that agree, and Krippendorff's alpha."""
    counts = np.bincount(
        item_codes * 3 + answers + 1, minlength=3 * (item_codes.max() + 1)
    ).reshape(-1, 3)
    counts = counts[counts.sum(axis=1) > 1].astype(float)
    if not len(counts):
        return math.nan, math.nan
    sizes = counts.sum(axis=1)
    agreeing_counts = (counts * (counts - 1)).sum(axis=1) / (sizes - 1)
    n_answers = sizes.sum()
    agreement = float(agreeing_counts.sum() / n_answers)
    answer_totals = counts.sum(axis=0)
    if mirrored:
        # Which system is called first is arbitrary, so each choice counts both ways.
        answer_totals, n_answers = answer_totals + answer_totals[::-1], 2 * n_answers
    chance = float((answer_totals * (answer_totals - 1)).sum() / (n_answers * (n_answers - 1)))
    return agreement, (agreement - chance) / (1 - chance) if chance < 1 else math.nan


def circular_triads(coded_choices: CodedPreferences, group_codes: Ints) -> tuple[Ints, Ints]:
    """Count the triads of systems, and the circular ones, in each group of choices.

    A system is ahead of another if it won more of their choices.
    """
    from scipy.sparse import csr_array

    k = len(coded_choices.systems)
    n_groups = int(group_codes.max(initial=-1)) + 1
    low, high = (
        np.minimum(coded_choices.first, coded_choices.second),
        np.maximum(coded_choices.first, coded_choices.second),
    )
    keys, rows = np.unique((group_codes * k + low) * k + high, return_inverse=True)
    direction = np.sign(np.bincount(rows, coded_choices.oriented))
    low, high = keys // k, keys // (k * k) * k + keys % k
    first, second = np.where(direction > 0, low, high), np.where(direction > 0, high, low)
    nodes, rows = np.unique(np.concatenate([first, second]), return_inverse=True)
    first, second = np.split(rows, 2)
    is_decided, n = direction != 0, len(nodes)
    beats = csr_array((np.ones(is_decided.sum()), (first[is_decided], second[is_decided])), (n, n))
    is_linked = beats + beats.T
    circular = ((beats @ beats) * beats.T).sum(axis=1) / 3
    triads = ((is_linked @ is_linked) * is_linked).sum(axis=1) / 6
    node_groups = nodes // k
    sums = (np.bincount(node_groups, values, n_groups) for values in (triads, circular))
    n_triads, n_circular = (np.rint(values).astype(np.int64) for values in sums)
    return n_triads, n_circular


def _assessor_rows(table: Preferences, item_codes: Ints) -> Iterator[AssessorPreferences]:
    """Return how each assessor chose."""
    if not any(table.columns["assessor"]):
        return
    coded_choices, codes, topics = table.coded, table.codes("assessor"), table.codes("topic")
    names = list(dict.fromkeys(table.columns["assessor"].tolist()))
    n_assessors = len(names)
    n = np.bincount(codes, minlength=n_assessors)
    is_decided = coded_choices.order_known & (coded_choices.outcome != 0)
    n_sided = np.bincount(codes[is_decided], minlength=n_assessors).astype(float)
    wins = np.bincount(
        codes[is_decided & (coded_choices.outcome > 0)], minlength=n_assessors
    ).astype(float)
    bounds = wilson_interval(wins, np.maximum(n_sided, 1))
    bounds[:, n_sided == 0] = np.nan
    ties = np.bincount(codes[coded_choices.outcome == 0], minlength=n_assessors) / n
    n_shared, n_agreed = agreement_with_others(
        item_codes, coded_choices.oriented, codes, n_assessors
    )
    swapped_counts, consistent_counts = _count_swapped_pairs(
        coded_choices, item_codes, codes, n_assessors
    )
    # Circular triads among an assessor's choices on one topic.
    keys, group = np.unique(codes * (topics.max() + 1) + topics, return_inverse=True)
    assessor_codes = keys // (topics.max() + 1)
    triads = (
        _sum_by_code(assessor_codes, triad_counts, n_assessors)
        for triad_counts in circular_triads(coded_choices, group)
    )
    columns = (
        n, ratios(wins, n_sided), *bounds, ties, n_shared, ratios(n_agreed, n_shared),
            swapped_counts,
        ratios(consistent_counts, swapped_counts), *triads,
    )  # fmt: skip
    order = np.argsort(-n, kind="stable")
    ordered_names = [names[code] or "–" for code in order.tolist()]
    yield from map(
        AssessorPreferences, ordered_names, *(column[order].tolist() for column in columns)
    )


def agreement_with_others(
    item_codes: Ints, oriented_outcomes: Ints, codes: Ints, k: int
) -> tuple[Ints, Ints]:
    """Count the choices of others on the same items, and those that agree, by assessor."""
    n_items = int(item_codes.max()) + 1
    choice_codes = item_codes * 3 + oriented_outcomes + 1
    n_agreeing = np.bincount(choice_codes, minlength=3 * n_items)[choice_codes]
    n_choices = np.bincount(item_codes, minlength=n_items)[item_codes]
    # An assessor's repeated choices (with sides swapped) are not those of others.
    assessor_item_codes, assessor_choice_codes = item_codes * k + codes, choice_codes * k + codes
    _, item_index, own_item_counts = np.unique(
        assessor_item_codes, return_inverse=True, return_counts=True
    )
    _, choice_index, own_choice_counts = np.unique(
        assessor_choice_codes, return_inverse=True, return_counts=True
    )
    n_by_others, agreeing_counts = (
        n_choices - own_item_counts[item_index],
        n_agreeing - own_choice_counts[choice_index],
    )
    return _sum_by_code(codes, n_by_others, k), _sum_by_code(codes, agreeing_counts, k)


def _sum_by_code(codes: Ints, values: Ints, k: int) -> Ints:
    """Add whole numbers by code."""
    return np.bincount(codes, values, k).astype(np.int64)


def _count_swapped_pairs(
    coded_choices: CodedPreferences, item_codes: Ints, codes: Ints, k: int
) -> tuple[Ints, Ints]:
    """Count pairs of an assessor's choices with sides swapped, and those that agree."""
    keys, column = np.unique(item_codes * k + codes, return_inverse=True)
    side = (coded_choices.first < coded_choices.second).astype(int)
    cell_codes = ((side * 3 + coded_choices.oriented + 1) * len(keys) + column)[
        coded_choices.order_known
    ]
    counts = np.bincount(cell_codes, minlength=6 * len(keys)).reshape(2, 3, -1)
    pairs = counts[0].sum(axis=0) * counts[1].sum(axis=0)
    n_agreed = (counts[0] * counts[1]).sum(axis=0)
    assessor_codes = keys % k
    return _sum_by_code(assessor_codes, pairs, k), _sum_by_code(assessor_codes, n_agreed, k)


def elo_ratings(table: Preferences, n_orders: int, seed: int) -> tuple[EloRating, ...]:
    """Return Elo ratings in the original order, and in random ones."""
    coded_choices, n = table.coded, len(table)
    time_order = np.argsort(table.columns["time"].astype(str), kind="stable")
    rng = np.random.default_rng(seed)
    sequences = np.array([time_order, *(rng.permutation(n) for _ in range(n_orders))])
    ratings, order_rows = (
        np.full((n_orders + 1, len(coded_choices.systems)), 1000.0),
        np.arange(n_orders + 1),
    )
    scores = (1 + coded_choices.outcome) / 2
    for step in range(n):
        rows = sequences[:, step]
        first, second = coded_choices.first[rows], coded_choices.second[rows]
        rating_gaps = ratings[order_rows, second] - ratings[order_rows, first]
        changes = 4 * (scores[rows] - 1 / (1 + 10 ** (rating_gaps / 400)))
        ratings[order_rows, first] += changes
        ratings[order_rows, second] -= changes
    shuffled_ratings = ratings[1:]
    ranks = 1 + (shuffled_ratings[:, :, None] < shuffled_ratings[:, None, :]).sum(axis=2)
    low, high = np.quantile(shuffled_ratings, [0.025, 0.975], axis=0)
    columns = (
        ratings[0],
        shuffled_ratings.mean(axis=0),
        low,
        high,
        ranks.min(axis=0),
        ranks.max(axis=0),
    )
    elo = map(EloRating, coded_choices.systems, *(column.tolist() for column in columns))
    return tuple(sorted(elo, key=lambda rating: -rating.mean))


def _record(ranking: PreferenceRanking) -> dict[str, Any]:
    """Return the JSON record of a ranking."""
    result = ranking.comparison
    fields = ("measure", "task", "test", "alpha", "correction", "baseline", "confidence_level")
    pair_fields = (
        "a", "b", "n", "difference", "low", "high", "statistic", "p", "p_adjusted", "effect",
        "note",
    )  # fmt: skip
    return {
        **{name: getattr(result, name) for name in fields},
        "preferences": ranking.n, "topics": ranking.topics, "ties": ranking.ties,
        **asdict(result.counts), "conclusion": result.conclusion, "model": ranking.model,
        "systems": SYSTEM_VIEW.records(ranking.systems),
        "comparisons": [{n: getattr(pair, n) for n in pair_fields} for pair in result.comparisons],
        "transitivity": asdict(ranking.triads),
        "agreement": {"share": ranking.agreement, "krippendorff_alpha": ranking.alpha},
        "assessors": ASSESSOR_VIEW.records(ranking.assessors),
        "elo": ELO_VIEW.records(ranking.elo), "notes": result.notes,
    }  # fmt: skip


def _tables(ranking: PreferenceRanking, options: PreferenceOptions) -> Iterator[Table]:
    result = ranking.comparison
    name = scope_name(result.measure, result.task)
    hidden_columns = ["group", "tier"] if options.baseline else []
    hidden_columns += ["tier"] * all(system.cluster == 1 for system in result.systems)
    hidden_columns += ["part"] * all(system.part == 1 for system in result.systems)
    note = (
        f"{result.conclusion}\n{' '.join(result.notes)} Win rates count a tie as half a win; "
        f"intervals are {options.confidence_level:.0%} intervals."
    )
    if not options.baseline:
        note += " No difference was shown between systems that share a letter."
    key = (("task", result.task), ("measure", result.measure))
    yield SYSTEM_VIEW.table(
        ranking.systems, f"Ranking by {name}", note, exclude=hidden_columns, key=key
    )
    yield pairs_table(result)
    if ranking.assessors:
        assessor_note = _assessor_note(ranking)
        table = ASSESSOR_VIEW.table(
            ranking.assessors, f"Assessors by {name}", assessor_note, key=key
        )
        hidden_rows = len(table.rows) - _MAX_SHOWN_ASSESSORS
        note = f"{hidden_rows:,} assessors with fewer choices are in JSON and CSV. {assessor_note}"
        shown_rows = table.rows[:_MAX_SHOWN_ASSESSORS]
        yield (
            table
            if hidden_rows <= 0
            else table.with_variants(rows=shown_rows, note=note, whole=table)
        )
    if ranking.elo:
        note = (
            f"Mean, low and high (95%) and ranks are over {options.elo} random orders of the "
            "choices: Elo depends on the order, strengths do not."
        )
        yield ELO_VIEW.table(ranking.elo, f"Elo ratings by {name}", note, key=key)


def _assessor_note(ranking: PreferenceRanking) -> str:
    triads = ranking.triads
    sentences = [
        f"All choices together: {triads.circular} of {triads.number} triads of systems are "
        "circular."
    ] * bool(triads.number)
    if not math.isnan(ranking.agreement):
        sentences.append(
            f"Two assessors agree on the same two summaries in {ranking.agreement:.1%} of cases "
            f"(Krippendorff's alpha {ranking.alpha:.3f})."
        )
    sentences.append(
        "First wins: how often the summary shown first was preferred, with a 95% interval. "
        "Swapped: pairs of choices on the same two summaries with sides swapped. Circular: of the "
        "assessor's triads on one topic."
    )
    return " ".join(sentences)
