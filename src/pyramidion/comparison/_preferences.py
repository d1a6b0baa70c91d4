"""Which systems people prefer: win rates, strengths, and how far the choices can be trusted."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import CodedPreferences, Collection, Preferences, ScoreMatrix
from pyramidion.collection.ids import grouped
from pyramidion.collection.sources import Source, read_source
from pyramidion.comparison._compare import (
    built_comparisons,
    comparison_result,
    paired_systems,
)
from pyramidion.comparison._result import ComparisonResult, Ranking, SystemResult
from pyramidion.comparison._view import comparison_charts, pairs_table
from pyramidion.comparison.common import joined, places_of, ratios, require_known
from pyramidion.comparison.measure_tables import place_name
from pyramidion.errors import InputError
from pyramidion.questions import Options, argument, option, question
from pyramidion.questions.common import confidence_option, source_format_option
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import FiguresResult, signed
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, field_columns
from pyramidion.stats import BradleyTerry, MixedModel, adjust_p, bradley_terry
from pyramidion.stats.mean_intervals import MeanIntervals, wilson_interval

Cluster = Literal["topic", "assessor", "both", "none"]
Corrections = Literal["maxt", "holm", "bh", "none"]

# Assessors that a terminal shows.
_MOST_SHOWN = 30


@dataclass(frozen=True, slots=True)
class PreferenceInput(Options):
    """The preferences to use."""

    source: Source | Sequence[Source] = argument(
        "Table of preferences or of best-worst tuples, or collection that holds them; several are "
        "joined.", multiple=True,
    )  # fmt: skip
    tasks: tuple[str, ...] = option(
        (), "Tasks to include, comma-separated; all by default.", flags=("--task",)
    )
    measures: tuple[str, ...] = option(
        (), "Measures to include, comma-separated, where assessors were asked several questions; "
        "all by default.", flags=("--measures", "-m"),
    )  # fmt: skip
    exclude: tuple[str, ...] = option((), "Systems to leave out, comma-separated.")
    columns: tuple[str, ...] = option(
        (), "Columns of a table of your own, as part=column: first=model_a,second=model_b,"
        "choice=winner. Parts: topic, task, measure, first, second, choice, assessor, sides, "
        "strength, time; items, best, worst of tuples. Columns with usual names are recognized.",
        metavar="PART=COLUMN",
    )  # fmt: skip
    source_format: str | None = source_format_option("source")

    def read(self) -> Collection:
        """Read the preferences, without the systems to leave out."""
        if self.columns:
            from pyramidion.collection.formats.preferences import read_preferences_as

            given: Any = self.source if isinstance(self.source, list | tuple) else [self.source]
            named = [read_preferences_as(Path(one), self.columns)[0] for one in given]
            collection = read_source(named)
        else:
            collection = read_source(self.source, format=self.source_format)
        table = collection.preferences
        if not len(table):
            hint = "give a table with the columns topic, first, second and choice"
            raise InputError("there are no preferences in it", hint=hint)
        for system in self.exclude:
            require_known("system", system, table.coded.systems)
        if not self.exclude:
            return collection
        out = np.isin(table.columns["first"], self.exclude)
        out |= np.isin(table.columns["second"], self.exclude)
        return replace(collection, preferences=table.rows(~out))

    def parts(self, table: Preferences) -> Iterator[tuple[str, str, Preferences]]:
        """Return the preferences of each task and measure."""
        for name, wanted in (("task", self.tasks), ("measure", self.measures)):
            for value in wanted:
                require_known(name, value, sorted(set(table.columns[name])))
        tasks, measures = table.columns["task"], table.columns["measure"]
        for task, measure in sorted(set(zip(tasks, measures, strict=True))):
            if task in (self.tasks or [task]) and measure in (self.measures or [measure]):
                own = (tasks == task) & (measures == measure)
                yield task, measure, table if own.all() else table.rows(own)


@dataclass(frozen=True, slots=True)
class PreferenceOptions(Options):
    """How systems are ranked by preferences."""

    position: bool = option(
        True, "Whether what is shown first may have an advantage, where sides are known.",
        flags=("--position/--no-position",),
    )  # fmt: skip
    assessor_effects: bool = option(
        False, "Let each assessor have leanings of his own: to what is shown first, and to ties.",
        flags=("--assessor-effects",),
    )  # fmt: skip
    strength: bool = option(
        False, "Count each preference as much as its strength says.", flags=("--strength",)
    )
    cluster: Cluster = option(
        "topic", "Which choices depend on each other: those of one topic, of one assessor, of "
        "either (both), or none.",
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
        0, "Give Elo ratings, too, with their spread over this many random orders of the "
        "preferences; 0 for none.", min=0, max=10_000, metavar="ORDERS",
    )  # fmt: skip
    confidence_level: float = confidence_option("Confidence level of the intervals.")
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)


@dataclass(frozen=True, slots=True)
class PreferredSystem:
    """A system: its strength in log odds and its rate of wins, ties counting half."""

    result: SystemResult
    win_rate: float
    win_low: float
    win_high: float
    wins: int
    ties: int
    losses: int

    @property
    def strength(self) -> float | None:
        """Its strength; None if there is no system to compare it with."""
        return None if math.isnan(self.result.low) else self.result.adjusted


@dataclass(frozen=True, slots=True)
class Triads:
    """Three systems that were all compared with each other, and how many go in a circle."""

    number: int
    circular: int

    @property
    def share(self) -> float:
        """The share that goes in a circle; a coin would make a quarter of them."""
        return self.circular / self.number if self.number else math.nan


@dataclass(frozen=True, slots=True)
class AssessorPreferences:
    """How an assessor chose: sides, ties, agreement with others and with himself."""

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
    """A system's Elo rating in the given order, and over random orders of the same choices."""

    system: str
    given: float
    mean: float
    low: float
    high: float
    best_rank: int
    worst_rank: int


@dataclass(frozen=True, slots=True, eq=False)
class PreferenceRanking:
    """The preferences of one task and measure: a ranking, and what speaks for and against it."""

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
        """What the model found beside the strengths."""
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

    Strengths are those of a Bradley-Terry model (ties by Davidson) with an effect of position;
    topics are what would be drawn anew. Also: win rates, circles, and how far assessors agree with
    each other and with themselves. Columns of a table: topic, first, second, choice (first, second
    or tie), assessor, sides.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame(
    ...     [(f"T{t}", "x", "y", "first" if t % 4 else "second") for t in range(20)],
    ...     columns=["topic", "first", "second", "choice"],
    ... )
    >>> result = preferences(frame)
    >>> [(one.result.system, one.win_rate) for one in result[0].systems]
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
        tables=[table for one in rankings for table in _tables(one, options)],
        left_out=(
            *collection.left_out, *(line for one in rankings for line in one.comparison.left_out),
        ),
        charts=[c for one in rankings for c in comparison_charts(one.comparison, one.matrix)],
    )  # fmt: skip


def rank_preferences(
    table: Preferences, options: PreferenceOptions, task: str, measure: str, people: set[str]
) -> PreferenceRanking:
    """Rank the systems of one task and measure."""
    coded = table.coded
    weights = table.strength if options.strength else np.ones(len(table))
    clusters = _clusters(table, options)
    fit = bradley_terry(
        coded.first, coded.second, coded.outcome, side=coded.known, weights=weights,
        clusters=clusters, assessors=_effects(table) if options.assessor_effects else None,
        position=options.position,
    )  # fmt: skip
    rates, counts = _win_rates(coded, weights, clusters, options.confidence_level)
    matrix = _topic_rates(table, measure, task, people)
    comparison = _compare(matrix, fit, coded, options)
    notes = tuple(_notes(table, fit, comparison, options))
    comparison = replace(comparison, notes=notes, left_out=tuple(_left_out(table, comparison)))
    order = places_of((one.system for one in comparison.systems), coded.systems)
    columns = (*rates[:, order].tolist(), *counts[:, order].tolist())
    systems = tuple(map(PreferredSystem, comparison.systems, *columns))
    item = _items(table)
    agreement, alpha = answers_agree(*_settled(table, item))
    return PreferenceRanking(
        comparison, systems, fit, matrix, len(table), len(set(table.columns["topic"])),
        int((coded.outcome == 0).sum()),
        Triads(*map(int, np.concatenate(circular_triads(coded, np.zeros(len(table), np.int64))))),
        agreement, alpha,
        tuple(_assessors(table, item)),
        elo_ratings(table, options.elo, options.seed) if options.elo else (),
    )  # fmt: skip


def _effects(table: Preferences) -> Ints:
    codes = table.codes("assessor")
    if not any(table.columns["assessor"]) or codes.max() == 0:
        hint = "leave out --assessor-effects, or name the assessors"
        raise InputError("there is one assessor only, whose leanings are those of all", hint=hint)
    return codes


def _clusters(table: Preferences, options: PreferenceOptions) -> list[Ints]:
    names = [name for name in ("topic", "assessor") if options.cluster in (name, "both")]
    for name in names:
        if table.codes(name).max() == 0:
            if options.cluster == "topic":
                return []
            what = f"there is one {name} only, so errors cannot be those of {name}s"
            raise InputError(what, hint="use --cluster topic or none")
    return [table.codes(name) for name in names]


def _win_rates(
    coded: CodedPreferences, weights: Floats, clusters: Sequence[Ints], level: float
) -> tuple[Floats, Ints]:
    """Return the share of choices won, ties counting half, with Wilson's interval; and counts.

    It is that of as many independent choices as have the error that clusters show.
    """
    k = len(coded.systems)
    who = np.concatenate([coded.first, coded.second])
    won = np.concatenate([1 + coded.outcome, 1 - coded.outcome]) / 2
    weight = np.tile(weights, 2)
    total = np.bincount(who, weight, k)
    rate = np.bincount(who, weight * won, k) / total
    independent = total**2 / np.bincount(who, weight**2, k)
    variance = np.bincount(who, weight**2 * (won - rate[who]) ** 2, k) / total**2
    groups = min((int(codes.max()) + 1 for codes in clusters), default=0)
    if clusters:
        codes = np.tile(min(clusters, key=lambda own: int(own.max())), 2)
        moved = np.bincount(codes * k + who, weight * (won - rate[who]), groups * k)
        moved = moved.reshape(groups, k)
        own = np.bincount(codes * k + who, minlength=groups * k).reshape(groups, k) > 0
        n = own.sum(axis=0)
        variance = (moved**2).sum(axis=0) / total**2 * n / np.maximum(n - 1, 1)
        independent = n.astype(float)
    spread = rate * (1 - rate)
    sizes = np.where((variance > 0) & (spread > 0), spread / np.where(variance > 0, variance, 1), 0)
    sizes = np.where(sizes > 0, sizes, independent)
    bounds = wilson_interval(rate * sizes, sizes, confidence_level=level)
    counts = [np.bincount(who[won == value], minlength=k) for value in (1, 0.5, 0)]
    return np.vstack([rate, bounds]), np.array(counts)


def _topic_rates(table: Preferences, measure: str, task: str, people: set[str]) -> ScoreMatrix:
    """Return each system's win rate on each topic, as scores."""
    coded, topic, k = table.coded, table.codes("topic"), len(table.coded.systems)
    cell = np.concatenate([topic * k + coded.first, topic * k + coded.second])
    won = np.concatenate([1 + coded.outcome, 1 - coded.outcome]) / 2
    topics = tuple(dict.fromkeys(table.columns["topic"].tolist()))
    sizes = np.bincount(cell, minlength=len(topics) * k)
    return ScoreMatrix(
        ratios(np.bincount(cell, won, len(sizes)), sizes).reshape(-1, k), topics, coded.systems,
        np.isin(coded.systems, sorted(people)), task=task,
        measure=f"win-rate-{measure}" if measure else "win-rate",
    )  # fmt: skip


def _compare(
    matrix: ScoreMatrix, fit: BradleyTerry, coded: CodedPreferences, options: PreferenceOptions
) -> ComparisonResult:
    """Compare the strengths of systems; those of different parts have no finite difference."""
    if options.baseline is not None:
        require_known("system", options.baseline, coded.systems)
    alone = np.bincount(fit.parts)[fit.parts] == 1
    values = np.where(alone, np.nan, fit.strengths)
    goodness = np.where(alone, 0.0, fit.strengths).round(12)
    # The part with the highest win rates comes first.
    rates = np.bincount(fit.parts, np.nan_to_num(matrix.means()))[1:] / np.bincount(fit.parts)[1:]
    places = np.argsort(np.argsort(-rates, kind="stable"), kind="stable")
    ranking = Ranking(values, goodness, places[fit.parts - 1] + 1)
    pairs, k = paired_systems(matrix, ranking.order, options.baseline), len(coded.systems)
    # Strengths as means of a model, which tests and corrects all pairs.
    model = MixedModel(
        tuple(range(k)), np.zeros(k, np.int64), fit.strengths, fit.covariance, {},
        fit.log_likelihood, _slopes=np.zeros((0, k, k)), _spread=np.zeros((0, 0)), _df=fit.df,
    )  # fmt: skip
    low, high = model.intervals(options.confidence_level)
    low[alone], high[alone] = np.nan, np.nan
    first, second = pairs.T
    same = fit.parts[first] == fit.parts[second]
    numbers = np.full((4, len(pairs)), np.nan)
    if same.any():
        found = model.pairwise(pairs[same], rng=options.seed)
        adjusted = found.p_adjusted
        if options.correction != "maxt":
            adjusted = adjust_p(found.p, method=options.correction)
        numbers[:, same] = found.differences, found.t, found.p, adjusted
    direct = np.bincount(coded.pair, minlength=k * k)
    shared = direct[np.minimum(first, second) * k + np.maximum(first, second)]
    effects = np.array([1 / (1 + math.exp(-difference)) for difference in numbers[0].tolist()])
    notes = np.where(same, "", "no finite difference").tolist()
    comparisons = built_comparisons(matrix, pairs, shared, *numbers, effects, notes=notes)
    intervals = MeanIntervals(values, low, high, "t")
    return comparison_result(matrix, ranking, comparisons, intervals, options, test="bradley-terry")


def _notes(
    table: Preferences, fit: BradleyTerry, result: ComparisonResult, options: PreferenceOptions
) -> Iterator[str]:
    """Say what the model is, what it found, and what cannot be ranked."""
    sample = "choices as independent"
    if math.isfinite(fit.df):
        both = {"both": "topics and assessors"}.get(options.cluster, f"{options.cluster}s")
        sample = f"{both} as the sample ({fit.df + 1:g})"
    elif options.cluster == "topic":
        sample = "choices as independent, since there is one topic only"
    yield f"Strengths are log odds that a system is preferred; errors take {sample}."
    if not math.isnan(fit.position):
        yield (
            f"What is shown first gains {fit.position:.3f} (standard error "
            f"{fit.position_error:.3f}) log odds (odds {math.exp(fit.position):.2f})."
        )
    if not math.isnan(fit.tie):
        tied = math.exp(fit.tie) / (math.exp(fit.tie) + 2)
        yield f"Two equal systems tie in {tied:.0%} of choices (Davidson)."
    for note in fit.notes:
        yield f"{note[0].upper()}{note[1:]}."
    if fit.parts.max() > 1:
        yield from _part_notes(table.coded, result)


def _part_notes(coded: CodedPreferences, result: ComparisonResult) -> Iterator[str]:
    """Say which systems have no finite strength beside others, and which nothing links."""
    parts_of = {one.system: one.part for one in result.systems}
    part = np.array([parts_of[name] for name in coded.systems])
    two = np.sort([part[coded.first], part[coded.second]], axis=0)
    linked = set(zip(*two[:, two[0] < two[1]].tolist(), strict=True))
    members = grouped((one.part, one.system) for one in result.systems)
    parts = len(members)
    named = "; ".join(", ".join(members[number]) for number in sorted(members))
    why = ["one of them won every choice against the other"] * bool(linked)
    why += ["nobody compared them"] * (len(linked) < parts * (parts - 1) // 2)
    yield (
        f"The systems fall into {parts} parts between which strengths have no finite difference "
        f"({', or '.join(why)}): {named}. Ranks count within a part."
    )


def _left_out(table: Preferences, result: ComparisonResult) -> Iterator[str]:
    place = place_name(result.measure, result.task)
    if undefined := sum(math.isnan(pair.p) for pair in result.comparisons):
        yield f"{place}: {counted(undefined, 'pair')} without a finite difference of strengths"
    names = set(table.columns["assessor"])
    if names == {""}:
        yield f"{place}: what tells of assessors, since none is named"
    elif len(names) == 1:
        yield f"{place}: agreement, since {names.pop()} is the only assessor; the ranking is theirs"


def _items(table: Preferences) -> Ints:
    """Return a number for what assessors can agree on: a topic and two systems."""
    coded = table.coded
    key = table.codes("topic") * len(coded.systems) ** 2 + coded.pair
    return np.asarray(np.unique(key, return_inverse=True)[1])


def _settled(table: Preferences, item: Ints) -> tuple[Ints, Ints]:
    """Return what each assessor says of an item, once: a tie if the choices are divided.

    Nobody agrees with others by agreeing with himself. Choices without a name are those of many.
    """
    codes, n = table.codes("assessor"), len(table)
    who = np.where(table.columns["assessor"] == "", n + np.arange(n), codes)
    keys, place = np.unique(item * 2 * n + who, return_inverse=True)
    choices: Ints = np.sign(np.bincount(place, table.coded.oriented)).astype(np.int64)
    return keys // (2 * n), choices


def answers_agree(item: Ints, answer: Ints, *, mirrored: bool = True) -> tuple[float, float]:
    """Return the share of answers (-1, 0, 1) that agree, and Krippendorff's alpha."""
    counts = np.bincount(item * 3 + answer + 1, minlength=3 * (item.max() + 1)).reshape(-1, 3)
    counts = counts[counts.sum(axis=1) > 1].astype(float)
    if not len(counts):
        return math.nan, math.nan
    sizes = counts.sum(axis=1)
    agreeing = (counts * (counts - 1)).sum(axis=1) / (sizes - 1)
    total = sizes.sum()
    agreement = float(agreeing.sum() / total)
    of_each = counts.sum(axis=0)
    if mirrored:
        # Which of the two is called first is arbitrary, so everything counts both ways round.
        of_each, total = of_each + of_each[::-1], 2 * total
    chance = float((of_each * (of_each - 1)).sum() / (total * (total - 1)))
    return agreement, (agreement - chance) / (1 - chance) if chance < 1 else math.nan


def circular_triads(coded: CodedPreferences, group: Ints) -> tuple[Ints, Ints]:
    """Count for each group of choices the threes of systems, and those that go in a circle.

    A system is before another if it won more of their choices.
    """
    from scipy.sparse import csr_array

    k = len(coded.systems)
    groups = int(group.max(initial=-1)) + 1
    low, high = np.minimum(coded.first, coded.second), np.maximum(coded.first, coded.second)
    key, place = np.unique((group * k + low) * k + high, return_inverse=True)
    ahead = np.sign(np.bincount(place, coded.oriented))
    low, high = key // k, key // (k * k) * k + key % k
    first, second = np.where(ahead > 0, low, high), np.where(ahead > 0, high, low)
    nodes, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    first, second = np.split(place, 2)
    decided, n = ahead != 0, len(nodes)
    beats = csr_array((np.ones(decided.sum()), (first[decided], second[decided])), (n, n))
    linked = beats + beats.T
    circles = ((beats @ beats) * beats.T).sum(axis=1) / 3
    threes = ((linked @ linked) * linked).sum(axis=1) / 6
    own = nodes // k
    found = (np.bincount(own, values, groups) for values in (threes, circles))
    number, circular = (np.rint(values).astype(np.int64) for values in found)
    return number, circular


def _assessors(table: Preferences, item: Ints) -> Iterator[AssessorPreferences]:
    """Return how each assessor chose."""
    if not any(table.columns["assessor"]):
        return
    coded, codes, topics = table.coded, table.codes("assessor"), table.codes("topic")
    names = list(dict.fromkeys(table.columns["assessor"].tolist()))
    k = len(names)
    n = np.bincount(codes, minlength=k)
    decided = coded.known & (coded.outcome != 0)
    sides = np.bincount(codes[decided], minlength=k).astype(float)
    wins = np.bincount(codes[decided & (coded.outcome > 0)], minlength=k).astype(float)
    bounds = wilson_interval(wins, np.maximum(sides, 1))
    bounds[:, sides == 0] = np.nan
    ties = np.bincount(codes[coded.outcome == 0], minlength=k) / n
    pairs, agreed = agreement_with_others(item, coded.oriented, codes, k)
    swapped, kept = _when_swapped(coded, item, codes, k)
    # Circles among the choices of one assessor on one topic.
    keys, group = np.unique(codes * (topics.max() + 1) + topics, return_inverse=True)
    who = keys // (topics.max() + 1)
    triads = (_sums(who, number, k) for number in circular_triads(coded, group))
    own = (
        n, ratios(wins, sides), *bounds, ties, pairs, ratios(agreed, pairs), swapped,
        ratios(kept, swapped), *triads,
    )  # fmt: skip
    order = np.argsort(-n, kind="stable")
    ordered = [names[place] or "–" for place in order.tolist()]
    yield from map(AssessorPreferences, ordered, *(column[order].tolist() for column in own))


def agreement_with_others(item: Ints, oriented: Ints, codes: Ints, k: int) -> tuple[Ints, Ints]:
    """Count for each assessor the choices of others about the same, and those that agree."""
    size = int(item.max()) + 1
    choice = item * 3 + oriented + 1
    same = np.bincount(choice, minlength=3 * size)[choice]
    every = np.bincount(item, minlength=size)[item]
    # Own choices about the same, as when sides are swapped, are no others'.
    own_item, own_choice = item * k + codes, choice * k + codes
    own = np.unique(own_item, return_inverse=True, return_counts=True)
    alike = np.unique(own_choice, return_inverse=True, return_counts=True)
    others, agreeing = every - own[2][own[1]], same - alike[2][alike[1]]
    return _sums(codes, others, k), _sums(codes, agreeing, k)


def _sums(codes: Ints, numbers: Ints, k: int) -> Ints:
    """Add whole numbers by code."""
    return np.bincount(codes, numbers, k).astype(np.int64)


def _when_swapped(coded: CodedPreferences, item: Ints, codes: Ints, k: int) -> tuple[Ints, Ints]:
    """Count pairs of choices by one assessor with sides swapped, and those that agree."""
    keys, place = np.unique(item * k + codes, return_inverse=True)
    side = (coded.first < coded.second).astype(int)
    cell = ((side * 3 + coded.oriented + 1) * len(keys) + place)[coded.known]
    both = np.bincount(cell, minlength=6 * len(keys)).reshape(2, 3, -1)
    pairs = both[0].sum(axis=0) * both[1].sum(axis=0)
    agreed = (both[0] * both[1]).sum(axis=0)
    who = keys % k
    return _sums(who, pairs, k), _sums(who, agreed, k)


def elo_ratings(table: Preferences, orders: int, seed: int) -> tuple[EloRating, ...]:
    """Rate systems by Elo's updates in the given order, and in random ones."""
    coded, n = table.coded, len(table)
    given = np.argsort(table.columns["time"].astype(str), kind="stable")
    rng = np.random.default_rng(seed)
    sequences = np.array([given, *(rng.permutation(n) for _ in range(orders))])
    ratings, every = np.full((orders + 1, len(coded.systems)), 1000.0), np.arange(orders + 1)
    won = (1 + coded.outcome) / 2
    for place in range(n):
        rows = sequences[:, place]
        first, second = coded.first[rows], coded.second[rows]
        gap = ratings[every, second] - ratings[every, first]
        change = 4 * (won[rows] - 1 / (1 + 10 ** (gap / 400)))
        ratings[every, first] += change
        ratings[every, second] -= change
    drawn = ratings[1:]
    ranks = 1 + (drawn[:, :, None] < drawn[:, None, :]).sum(axis=2)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    numbers = (ratings[0], drawn.mean(axis=0), low, high, ranks.min(axis=0), ranks.max(axis=0))
    found = map(EloRating, coded.systems, *(column.tolist() for column in numbers))
    return tuple(sorted(found, key=lambda one: -one.mean))


def _record(ranking: PreferenceRanking) -> dict[str, Any]:
    """Return a ranking as the keys that scripts rely on."""
    result = ranking.comparison
    named = ("measure", "task", "test", "alpha", "correction", "baseline", "confidence_level")
    kept = ("a", "b", "n", "difference", "statistic", "p", "p_adjusted", "effect", "note")
    return {
        **{name: getattr(result, name) for name in named},
        "preferences": ranking.n, "topics": ranking.topics, "ties": ranking.ties,
        **asdict(result.counts), "conclusion": result.conclusion, "model": ranking.model,
        "systems": SYSTEMS.records(ranking.systems),
        "comparisons": [{n: getattr(pair, n) for n in kept} for pair in result.comparisons],
        "transitivity": asdict(ranking.triads),
        "agreement": {"share": ranking.agreement, "krippendorff_alpha": ranking.alpha},
        "assessors": ASSESSORS.records(ranking.assessors),
        "elo": ELO.records(ranking.elo), "notes": result.notes,
    }  # fmt: skip


def _tables(ranking: PreferenceRanking, options: PreferenceOptions) -> Iterator[Table]:
    result = ranking.comparison
    name = place_name(result.measure, result.task)
    left = ["group", "tier"] if options.baseline else []
    left += ["tier"] * all(one.cluster == 1 for one in result.systems)
    left += ["part"] * all(one.part == 1 for one in result.systems)
    note = (
        f"{result.conclusion}\n{' '.join(result.notes)} Win rates count a tie as half; "
        f"intervals are of {options.confidence_level:.0%}."
    )
    if not options.baseline:
        note += " No difference was shown between systems that share a letter."
    key = (("task", result.task), ("measure", result.measure))
    yield SYSTEMS.table(ranking.systems, f"Ranking by {name}", note, exclude=left, key=key)
    yield pairs_table(result)
    if ranking.assessors:
        said = _assessor_note(ranking)
        every = ASSESSORS.table(ranking.assessors, f"Assessors by {name}", said, key=key)
        more = len(every.rows) - _MOST_SHOWN
        note = f"{more:,} more assessors, who chose less often: in JSON and CSV. {said}"
        first = every.rows[:_MOST_SHOWN]
        yield every if more <= 0 else every.with_variants(rows=first, note=note, whole=every)
    if ranking.elo:
        note = (
            f"Mean, low and high (95%) and ranks are over {options.elo} random orders of the same "
            "choices: Elo depends on the order, strengths do not."
        )
        yield ELO.table(ranking.elo, f"Elo ratings by {name}", note, key=key)


def _assessor_note(ranking: PreferenceRanking) -> str:
    triads = ranking.triads
    said = [
        f"All choices together: {triads.circular} of {triads.number} threes of systems go in a "
        "circle."
    ] * bool(triads.number)
    if not math.isnan(ranking.agreement):
        said.append(
            f"Two assessors agree about the same two summaries in {ranking.agreement:.1%} "
            f"(Krippendorff's alpha {ranking.alpha:.3f})."
        )
    said.append(
        "First wins: how often what was shown first was preferred, with a 95% interval. Swapped: "
        "pairs of choices about the same two with sides swapped. Circular: of the assessor's own "
        "threes on one topic."
    )
    return " ".join(said)
