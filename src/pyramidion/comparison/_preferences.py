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
    built_comparisons,
    comparison_result,
    paired_systems,
)
from pyramidion.comparison._intervals import level_of_pair, t_ends, with_ends
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
Corrections = Literal["maxt", "holm", "bh", "none"]

# Assessors that a terminal shows.
_MAX_SHOWN = 30


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
                rows = (tasks == task) & (measures == measure)
                yield task, measure, table if rows.all() else table.rows(rows)


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
    correction: Corrections = option(
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


SYSTEMS: View[PreferredSystem] = View(
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
ASSESSORS: View[AssessorPreferences] = View(
    "assessors",
    field_columns(
        AssessorPreferences, first_share="first wins", first_low="low", first_high="high",
        tie_share="ties", agreement="agrees with others", self_agreement="agrees when swapped",
    ),
    digits=3,
)  # fmt: skip
ELO: View[EloRating] = View("elo", field_columns(EloRating, given="as given"), digits=0)


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
    clusters = _clusters(table, options)
    fit = bradley_terry(
        coded_choices.first, coded_choices.second, coded_choices.outcome,
        side=coded_choices.order_known, weights=weights,
        clusters=clusters, assessors=_effects(table) if options.assessor_effects else None,
        position=options.position,
    )  # fmt: skip
    rates, counts = _win_rates(coded_choices, weights, clusters, options.confidence_level)
    matrix = _topic_rates(table, measure, task, people)
    comparison = _compare(matrix, fit, coded_choices, options)
    notes = tuple(_notes(table, fit, comparison, options))
    comparison = replace(comparison, notes=notes, left_out=tuple(_left_out(table, comparison)))
    order = places_of((system.system for system in comparison.systems), coded_choices.systems)
    columns = (*rates[:, order].tolist(), *counts[:, order].tolist())
    systems = tuple(map(PreferredSystem, comparison.systems, *columns))
    item = _items(table)
    agreement, alpha = answers_agree(*_one_choice_each(table, item))
    return PreferenceRanking(
        comparison, systems, fit, matrix, len(table), len(set(table.columns["topic"])),
        int((coded_choices.outcome == 0).sum()),
        Triads(*map(int, np.concatenate(circular_triads(coded_choices, np.zeros(len(table),
        np.int64))))),
        agreement, alpha,
        tuple(_assessors(table, item)),
        elo_ratings(table, options.elo, options.seed) if options.elo else (),
    )  # fmt: skip


def _effects(table: Preferences) -> Ints:
    codes = table.codes("assessor")
    if not any(table.columns["assessor"]) or codes.max() == 0:
        hint = "leave out --assessor-effects, or name the assessors"
        raise InputError("there is only one assessor, so assessors cannot differ", hint=hint)
    return codes


def _clusters(table: Preferences, options: PreferenceOptions) -> list[Ints]:
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
    k = len(coded_choices.systems)
    system = np.concatenate([coded_choices.first, coded_choices.second])
    scores = np.concatenate([1 + coded_choices.outcome, 1 - coded_choices.outcome]) / 2
    weight = np.tile(weights, 2)
    total = np.bincount(system, weight, k)
    rate = np.bincount(system, weight * scores, k) / total
    effective_n = total**2 / np.bincount(system, weight**2, k)
    variance = np.bincount(system, weight**2 * (scores - rate[system]) ** 2, k) / total**2
    groups = min((int(codes.max()) + 1 for codes in clusters), default=0)
    if clusters:
        codes = np.tile(min(clusters, key=lambda labels: int(labels.max())), 2)
        score_deviations = np.bincount(
            codes * k + system, weight * (scores - rate[system]), groups * k
        )
        score_deviations = score_deviations.reshape(groups, k)
        has_choices = np.bincount(codes * k + system, minlength=groups * k).reshape(groups, k) > 0
        n = has_choices.sum(axis=0)
        variance = (score_deviations**2).sum(axis=0) / total**2 * n / np.maximum(n - 1, 1)
        effective_n = n.astype(float)
    spread = rate * (1 - rate)
    sizes = np.where((variance > 0) & (spread > 0), spread / np.where(variance > 0, variance, 1), 0)
    sizes = np.where(sizes > 0, sizes, effective_n)
    bounds = wilson_interval(rate * sizes, sizes, confidence_level=level)
    counts = [np.bincount(system[scores == value], minlength=k) for value in (1, 0.5, 0)]
    return np.vstack([rate, bounds]), np.array(counts)


def _topic_rates(table: Preferences, measure: str, task: str, people: set[str]) -> ScoreMatrix:
    """Return each system's win rate on each topic as scores."""
    coded_choices, topic, k = table.coded, table.codes("topic"), len(table.coded.systems)
    cell = np.concatenate([topic * k + coded_choices.first, topic * k + coded_choices.second])
    scores = np.concatenate([1 + coded_choices.outcome, 1 - coded_choices.outcome]) / 2
    topics = tuple(dict.fromkeys(table.columns["topic"].tolist()))
    sizes = np.bincount(cell, minlength=len(topics) * k)
    return ScoreMatrix(
        ratios(np.bincount(cell, scores, len(sizes)), sizes).reshape(-1, k), topics,
        coded_choices.systems,
        np.isin(coded_choices.systems, sorted(people)), task=task,
        measure=f"win-rate-{measure}" if measure else "win-rate",
    )  # fmt: skip


def _compare(
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
    rates = np.bincount(fit.parts, np.nan_to_num(matrix.means()))[1:] / np.bincount(fit.parts)[1:]
    ranks = np.argsort(np.argsort(-rates, kind="stable"), kind="stable")
    ranking = Ranking(values, goodness, ranks[fit.parts - 1] + 1)
    pairs, k = paired_systems(matrix, ranking.order, options.baseline), len(coded_choices.systems)
    # A mixed model whose means are the strengths tests and corrects all pairs.
    model = MixedModel(
        tuple(range(k)), np.zeros(k, np.int64), fit.strengths, fit.covariance, {},
        fit.log_likelihood, _slopes=np.zeros((0, k, k)), _spread=np.zeros((0, 0)), _df=fit.df,
    )  # fmt: skip
    low, high = model.intervals(options.confidence_level)
    low[is_single], high[is_single] = np.nan, np.nan
    first, second = pairs.T
    same_part = fit.parts[first] == fit.parts[second]
    numbers, ends = np.full((4, len(pairs)), np.nan), np.full((2, len(pairs)), np.nan)
    if same_part.any():
        tests = model.pairwise(pairs[same_part], alpha=options.alpha, rng=options.seed)
        p_adjusted, level = tests.p_adjusted, tests.level
        if options.correction != "maxt":
            p_adjusted = adjust_p(tests.p, method=options.correction)
            level = level_of_pair(p_adjusted, options.alpha, options.correction)
        numbers[:, same_part] = tests.differences, tests.t, tests.p, p_adjusted
        ends[:, same_part] = t_ends(tests.differences, tests.standard_errors, tests.df, level)
    direct_counts = np.bincount(coded_choices.pair, minlength=k * k)
    n_compared = direct_counts[np.minimum(first, second) * k + np.maximum(first, second)]
    effects = np.array([1 / (1 + math.exp(-difference)) for difference in numbers[0].tolist()])
    notes = np.where(same_part, "", "no finite difference").tolist()
    comparisons = built_comparisons(matrix, pairs, n_compared, *numbers, effects, notes=notes)
    stepwise = options.correction == "holm"
    comparisons = with_ends(comparisons, ends[0], ends[1], alpha=options.alpha, stepwise=stepwise)
    intervals = MeanIntervals(values, low, high, "t")
    return comparison_result(matrix, ranking, comparisons, intervals, options, test="bradley-terry")


def _notes(
    table: Preferences, fit: BradleyTerry, result: ComparisonResult, options: PreferenceOptions
) -> Iterator[str]:
    """Yield notes on how strengths were estimated and on what cannot be ranked."""
    sample = "choices as independent"
    if math.isfinite(fit.df):
        units = {"both": "topics and assessors"}.get(options.cluster, f"{options.cluster}s")
        sample = f"{units} as the sample ({fit.df + 1:g})"
    elif options.cluster == "topic":
        sample = "choices as independent, since there is only one topic"
    yield f"Strengths are log odds that a system is preferred; standard errors treat {sample}."
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
    parts_of = {system.system: system.part for system in result.systems}
    part = np.array([parts_of[name] for name in coded_choices.systems])
    parts_of_choice = np.sort([part[coded_choices.first], part[coded_choices.second]], axis=0)
    linked_pairs = set(
        zip(*parts_of_choice[:, parts_of_choice[0] < parts_of_choice[1]].tolist(), strict=True)
    )
    members = grouped((system.part, system.system) for system in result.systems)
    parts = len(members)
    part_names = "; ".join(", ".join(members[number]) for number in sorted(members))
    reasons = ["one of them won every choice against the other"] * bool(linked_pairs)
    reasons += ["they were never compared"] * (len(linked_pairs) < parts * (parts - 1) // 2)
    yield (
        f"The systems fall into {parts} parts between which strengths have no finite difference "
        f"({', or '.join(reasons)}): {part_names}. Ranks count within a part."
    )


def _left_out(table: Preferences, result: ComparisonResult) -> Iterator[str]:
    scope = scope_name(result.measure, result.task)
    if n_undefined := sum(math.isnan(pair.p) for pair in result.comparisons):
        yield f"{scope}: {counted(n_undefined, 'pair')} without a finite difference of strengths"
    names = set(table.columns["assessor"])
    if names == {""}:
        yield f"{scope}: assessor statistics, since the data name no assessors"
    elif len(names) == 1:
        yield f"{scope}: agreement, since {names.pop()} is the only assessor"


def _items(table: Preferences) -> Ints:
    """Return the number of each item that assessors can agree on: a topic and two systems."""
    coded_choices = table.coded
    key = table.codes("topic") * len(coded_choices.systems) ** 2 + coded_choices.pair
    return np.asarray(np.unique(key, return_inverse=True)[1])


def _one_choice_each(table: Preferences, item: Ints) -> tuple[Ints, Ints]:
    """Return one choice per assessor and item: a tie if the assessor's choices are divided.

    Repeated choices of an assessor are not agreement; unnamed ones count as different assessors'.
    """
    codes, n = table.codes("assessor"), len(table)
    person = np.where(table.columns["assessor"] == "", n + np.arange(n), codes)
    keys, group = np.unique(item * 2 * n + person, return_inverse=True)
    choices: Ints = np.sign(np.bincount(group, table.coded.oriented)).astype(np.int64)
    return keys // (2 * n), choices


def answers_agree(item: Ints, answer: Ints, *, mirrored: bool = True) -> tuple[float, float]:
    """Return the share of answers (-1, 0, 1) that agree, and Krippendorff's alpha."""
    counts = np.bincount(item * 3 + answer + 1, minlength=3 * (item.max() + 1)).reshape(-1, 3)
    counts = counts[counts.sum(axis=1) > 1].astype(float)
    if not len(counts):
        return math.nan, math.nan
    sizes = counts.sum(axis=1)
    agreeing_counts = (counts * (counts - 1)).sum(axis=1) / (sizes - 1)
    total = sizes.sum()
    agreement = float(agreeing_counts.sum() / total)
    answer_totals = counts.sum(axis=0)
    if mirrored:
        # Which system is called first is arbitrary, so each choice counts both ways.
        answer_totals, total = answer_totals + answer_totals[::-1], 2 * total
    chance = float((answer_totals * (answer_totals - 1)).sum() / (total * (total - 1)))
    return agreement, (agreement - chance) / (1 - chance) if chance < 1 else math.nan


def circular_triads(coded_choices: CodedPreferences, group: Ints) -> tuple[Ints, Ints]:
    """Count the triads of systems, and the circular ones, in each group of choices.

    A system is ahead of another if it won more of their choices.
    """
    from scipy.sparse import csr_array

    k = len(coded_choices.systems)
    groups = int(group.max(initial=-1)) + 1
    low, high = (
        np.minimum(coded_choices.first, coded_choices.second),
        np.maximum(coded_choices.first, coded_choices.second),
    )
    key, row = np.unique((group * k + low) * k + high, return_inverse=True)
    direction = np.sign(np.bincount(row, coded_choices.oriented))
    low, high = key // k, key // (k * k) * k + key % k
    first, second = np.where(direction > 0, low, high), np.where(direction > 0, high, low)
    nodes, row = np.unique(np.concatenate([first, second]), return_inverse=True)
    first, second = np.split(row, 2)
    is_decided, n = direction != 0, len(nodes)
    beats = csr_array((np.ones(is_decided.sum()), (first[is_decided], second[is_decided])), (n, n))
    is_linked = beats + beats.T
    circles = ((beats @ beats) * beats.T).sum(axis=1) / 3
    threes = ((is_linked @ is_linked) * is_linked).sum(axis=1) / 6
    node_group = nodes // k
    sums = (np.bincount(node_group, values, groups) for values in (threes, circles))
    number, n_circular = (np.rint(values).astype(np.int64) for values in sums)
    return number, n_circular


def _assessors(table: Preferences, item: Ints) -> Iterator[AssessorPreferences]:
    """Return how each assessor chose."""
    if not any(table.columns["assessor"]):
        return
    coded_choices, codes, topics = table.coded, table.codes("assessor"), table.codes("topic")
    names = list(dict.fromkeys(table.columns["assessor"].tolist()))
    k = len(names)
    n = np.bincount(codes, minlength=k)
    is_decided = coded_choices.order_known & (coded_choices.outcome != 0)
    sides = np.bincount(codes[is_decided], minlength=k).astype(float)
    wins = np.bincount(codes[is_decided & (coded_choices.outcome > 0)], minlength=k).astype(float)
    bounds = wilson_interval(wins, np.maximum(sides, 1))
    bounds[:, sides == 0] = np.nan
    ties = np.bincount(codes[coded_choices.outcome == 0], minlength=k) / n
    pairs, n_agreed = agreement_with_others(item, coded_choices.oriented, codes, k)
    swapped_counts, consistent_counts = _when_swapped(coded_choices, item, codes, k)
    # Circular triads among an assessor's choices on one topic.
    keys, group = np.unique(codes * (topics.max() + 1) + topics, return_inverse=True)
    assessor = keys // (topics.max() + 1)
    triads = (_sums(assessor, number, k) for number in circular_triads(coded_choices, group))
    columns = (
        n, ratios(wins, sides), *bounds, ties, pairs, ratios(n_agreed, pairs), swapped_counts,
        ratios(consistent_counts, swapped_counts), *triads,
    )  # fmt: skip
    order = np.argsort(-n, kind="stable")
    ordered_names = [names[code] or "–" for code in order.tolist()]
    yield from map(
        AssessorPreferences, ordered_names, *(column[order].tolist() for column in columns)
    )


def agreement_with_others(
    item: Ints, oriented_outcomes: Ints, codes: Ints, k: int
) -> tuple[Ints, Ints]:
    """Count the choices of others on the same items, and those that agree, by assessor."""
    size = int(item.max()) + 1
    choice = item * 3 + oriented_outcomes + 1
    agreeing_count = np.bincount(choice, minlength=3 * size)[choice]
    item_count = np.bincount(item, minlength=size)[item]
    # An assessor's repeated choices (with sides swapped) are not those of others.
    own_item, own_choice = item * k + codes, choice * k + codes
    _, item_index, own_item_counts = np.unique(own_item, return_inverse=True, return_counts=True)
    _, choice_index, own_choice_counts = np.unique(
        own_choice, return_inverse=True, return_counts=True
    )
    by_others, agreeing_counts = (
        item_count - own_item_counts[item_index],
        agreeing_count - own_choice_counts[choice_index],
    )
    return _sums(codes, by_others, k), _sums(codes, agreeing_counts, k)


def _sums(codes: Ints, numbers: Ints, k: int) -> Ints:
    """Add whole numbers by code."""
    return np.bincount(codes, numbers, k).astype(np.int64)


def _when_swapped(
    coded_choices: CodedPreferences, item: Ints, codes: Ints, k: int
) -> tuple[Ints, Ints]:
    """Count pairs of an assessor's choices with sides swapped, and those that agree."""
    keys, column = np.unique(item * k + codes, return_inverse=True)
    side = (coded_choices.first < coded_choices.second).astype(int)
    cell = ((side * 3 + coded_choices.oriented + 1) * len(keys) + column)[coded_choices.order_known]
    counts = np.bincount(cell, minlength=6 * len(keys)).reshape(2, 3, -1)
    pairs = counts[0].sum(axis=0) * counts[1].sum(axis=0)
    n_agreed = (counts[0] * counts[1]).sum(axis=0)
    assessor = keys % k
    return _sums(assessor, pairs, k), _sums(assessor, n_agreed, k)


def elo_ratings(table: Preferences, orders: int, seed: int) -> tuple[EloRating, ...]:
    """Return Elo ratings in the original order, and in random ones."""
    coded_choices, n = table.coded, len(table)
    by_time = np.argsort(table.columns["time"].astype(str), kind="stable")
    rng = np.random.default_rng(seed)
    sequences = np.array([by_time, *(rng.permutation(n) for _ in range(orders))])
    ratings, orderings = (
        np.full((orders + 1, len(coded_choices.systems)), 1000.0),
        np.arange(orders + 1),
    )
    scores = (1 + coded_choices.outcome) / 2
    for step in range(n):
        rows = sequences[:, step]
        first, second = coded_choices.first[rows], coded_choices.second[rows]
        gap = ratings[orderings, second] - ratings[orderings, first]
        change = 4 * (scores[rows] - 1 / (1 + 10 ** (gap / 400)))
        ratings[orderings, first] += change
        ratings[orderings, second] -= change
    shuffled_ratings = ratings[1:]
    ranks = 1 + (shuffled_ratings[:, :, None] < shuffled_ratings[:, None, :]).sum(axis=2)
    low, high = np.quantile(shuffled_ratings, [0.025, 0.975], axis=0)
    numbers = (
        ratings[0],
        shuffled_ratings.mean(axis=0),
        low,
        high,
        ranks.min(axis=0),
        ranks.max(axis=0),
    )
    elo = map(EloRating, coded_choices.systems, *(column.tolist() for column in numbers))
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
        "systems": SYSTEMS.records(ranking.systems),
        "comparisons": [{n: getattr(pair, n) for n in pair_fields} for pair in result.comparisons],
        "transitivity": asdict(ranking.triads),
        "agreement": {"share": ranking.agreement, "krippendorff_alpha": ranking.alpha},
        "assessors": ASSESSORS.records(ranking.assessors),
        "elo": ELO.records(ranking.elo), "notes": result.notes,
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
    yield SYSTEMS.table(
        ranking.systems, f"Ranking by {name}", note, exclude=hidden_columns, key=key
    )
    yield pairs_table(result)
    if ranking.assessors:
        assessor_note = _assessor_note(ranking)
        table = ASSESSORS.table(ranking.assessors, f"Assessors by {name}", assessor_note, key=key)
        hidden_rows = len(table.rows) - _MAX_SHOWN
        note = f"{hidden_rows:,} assessors with fewer choices are in JSON and CSV. {assessor_note}"
        shown_rows = table.rows[:_MAX_SHOWN]
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
        yield ELO.table(ranking.elo, f"Elo ratings by {name}", note, key=key)


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
