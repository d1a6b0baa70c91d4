"""Checklists: several people say whether each content unit is in a summary."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Scale, ScoreMatrix, Scores
from pyramidion.collection.ids import natural_order
from pyramidion.collection.sources import Source, SourceReading
from pyramidion.comparison._compare import CompareOptions, compare_matrix
from pyramidion.comparison._preferences import agreement_with_others, answer_agreement
from pyramidion.comparison._result import ComparisonResult, mean_intervals
from pyramidion.comparison._view import comparison_charts
from pyramidion.comparison.common import joined, known_means, places_of, ratios, require_known
from pyramidion.comparison.measure_tables import scope_name
from pyramidion.errors import InputError
from pyramidion.pyramid import UnitOptions, UnitScorer
from pyramidion.pyramid._answers import normalized_share
from pyramidion.questions import Options, argument, option, question
from pyramidion.questions.common import confidence_option
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import FiguresResult, signed
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import View, field_columns
from pyramidion.stats import adjust_p

CANNOT_TELL = 0.5
# Rows that a terminal shows.
_MAX_SHOWN_UNITS = 15
# Positions that occur in fewer topics are not compared.
_MIN_TOPICS = 5


@dataclass(frozen=True, slots=True)
class Checklists(SourceReading):
    """The answers to use."""

    source: Source = argument(
        "Collection with answers about content units, or a table with the columns topic, system, "
        "unit, answer (yes, no or cannot tell) and assessor."
    )
    tasks: tuple[str, ...] = option(
        (), "Tasks to include, comma-separated; all by default.", flags=("--task",)
    )


@dataclass(frozen=True, slots=True)
class ChecklistOptions(Options):
    """How answers become scores."""

    answers: Literal["people", "settled"] = option(
        "people", "Answers to use if there are both: those of each person, or the final ones."
    )
    cannot_tell: Literal["missing", "no", "half"] = option(
        "missing", "How 'cannot tell' is counted: missing (no answer), no, or half a yes."
    )
    a: float = option(
        6.0, "Length constant of the normalized score (RoSE's paper: 6); a larger one penalizes "
        "long summaries less.", min=0.01,
    )  # fmt: skip
    alpha: float = option(0.05, "Significance level of the tests.", between=(0, 1))
    confidence_level: float = confidence_option("Confidence level of the intervals.")
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)


@dataclass(frozen=True, slots=True)
class ChecklistSystem:
    """A system's share of units that were found, plain and normalized by length."""

    rank: int
    system: str
    score: float
    low: float
    high: float
    normalized: float | None
    normalized_low: float | None
    normalized_high: float | None
    group: str
    answers: int
    cannot_tell: float
    design_effect: float


@dataclass(frozen=True, slots=True)
class ChecklistUnit:
    """A unit: how often it was found, and how far people agree on it."""

    topic: str
    unit: str
    place: int
    answers: int
    found: float
    cannot_tell: float
    agreement: float


@dataclass(frozen=True, slots=True)
class ChecklistPlace:
    """The units at one position of the lists, compared with those at the next position."""

    place: int
    topics: int
    found: float
    agreement: float
    step: float
    low: float
    high: float
    p: float
    p_adjusted: float


@dataclass(frozen=True, slots=True)
class ChecklistAssessor:
    """How a person answered."""

    assessor: str
    answers: int
    found: float
    cannot_tell: float
    shared: int
    agreement: float


@dataclass(frozen=True, slots=True, eq=False)
class Checklist:
    """The answers of one task."""

    task: str
    comparison: ComparisonResult
    matrix: ScoreMatrix
    systems: tuple[ChecklistSystem, ...]
    units: tuple[ChecklistUnit, ...]
    places: tuple[ChecklistPlace, ...]
    assessors: tuple[ChecklistAssessor, ...]
    agreement: float
    alpha: float


_NORMALIZED_TITLES = {"normalized_low": "norm. low", "normalized_high": "norm. high"}
SYSTEM_VIEW: View[ChecklistSystem] = View(
    "ranking", field_columns(ChecklistSystem, **_NORMALIZED_TITLES), 3
)
PLACE_VIEW: View[ChecklistPlace] = View(
    "places", field_columns(ChecklistPlace, step="step to next"), digits=3
)
UNIT_VIEW: View[ChecklistUnit] = View("units", field_columns(ChecklistUnit), digits=3)
ASSESSOR_VIEW: View[ChecklistAssessor] = View(
    "assessors", field_columns(ChecklistAssessor, agreement="agrees with others"), digits=3
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ChecklistScoring(FiguresResult[Checklist]):
    """Systems scored by checklists, one result for each task."""

    main: ClassVar[str] = "ranking"
    csv_order: ClassVar[tuple[str, ...]] = ("ranking", "places", "assessors", "units")


@question
def checklists(source: Checklists, options: ChecklistOptions) -> ChecklistScoring:
    """Score systems by checklists: for each content unit, people answer yes, no or cannot tell.

    Scores are shares of a topic's units, plain and normalized by length; topics are the sample for
    intervals and tests, since units nest in topics. The agreement of people on each unit is shown,
    and whether the position of a unit in the list matters.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame(
    ...     [(f"T{t}", s, str(u), "yes" if (t + u) % 3 or s == "x" else "no", who)
    ...      for t in range(8) for s in "xy" for u in range(4) for who in "KL"],
    ...     columns=["topic", "system", "unit", "answer", "assessor"],
    ... )
    >>> [(row.system, round(row.score, 2)) for row in checklists(frame)[0].systems]
    [('x', 1.0), ('y', 0.66)]
    """
    collection = source.read_source(source.source)
    rows = _select_answers(collection, options.answers)
    tasks = rows.distinct("task")
    for task in source.tasks:
        require_known("task", task, tasks)
    chosen_tasks = [task for task in tasks if not source.tasks or task in source.tasks]
    results = [score_answers(collection, rows.select(task=task), options) for task in chosen_tasks]
    one_assessor_tasks = [result.task for result in results if math.isnan(result.agreement)]
    return ChecklistScoring(
        command="checklists",
        signature=signed(
            "checklists", collection.data_hash, options.seed, task=joined(source.tasks),
            **dict(options.changed("answers", "cannot_tell", "a")), alpha=f"{options.alpha:g}",
        ),
        values=results,
        record=_record,
        tables=[table for result in results for table in _tables(result, options)],
        left_out=(
            *collection.left_out,
            *(f"{scope_name('agreement', task)}: there is only one assessor"
              for task in one_assessor_tasks),
        ),
        charts=[chart for r in results for chart in comparison_charts(r.comparison, r.matrix)],
    )  # fmt: skip


def _select_answers(collection: Collection, source: str) -> Scores:
    """Return the answers about units: those of each person, or the final ones."""
    names = ("scu-answer", "scu") if source == "people" else ("scu", "scu-answer")
    for name in names:
        rows = collection.scores.select(measure=name)
        rows = rows.rows(rows.columns["unit"] != "")
        if len(rows):
            break
    else:
        rows = collection.scores.rows(collection.scores.columns["unit"] != "")
        if not len(rows):
            hint = "give a table with the columns topic, system, unit, answer and assessor"
            raise InputError("there are no answers about content units", hint=hint)
    for row in np.flatnonzero(~np.isin(rows.value, (0, CANNOT_TELL, 1)))[:1]:
        cell_names = ", ".join(rows.columns[n][row] for n in ("topic", "system", "unit"))
        hint = "write yes (1), no (0) or cannot tell (0.5)"
        raise InputError(f"the answer is {rows.value[row]:g} ({cell_names})", hint=hint)
    return rows


def _number_names(names: Any) -> tuple[list[str], Ints]:
    """Return the distinct names in natural order, and the index of each."""
    sorted_names = sorted(set(names), key=natural_order)
    return sorted_names, places_of(names, sorted_names)


class _AnswerTable:
    """The answers of one task as arrays, and the shares of yes (units x systems)."""

    def __init__(self, rows: Scores, options: ChecklistOptions) -> None:
        columns = rows.columns
        self.topics, topic_codes = _number_names(columns["topic"])
        self.systems, self.system = _number_names(columns["system"])
        self.people, self.assessor = _number_names(columns["assessor"])
        self.options = options
        if len(self.topics) < 2 or len(self.systems) < 2:
            sizes = (
                f"{counted(len(self.topics), 'topic')} and {counted(len(self.systems), 'system')}"
            )
            raise InputError(f"the answers are about only {sizes}", hint="two of each are needed")
        # Units of different topics may have the same name.
        unit_names, name_codes = _number_names(columns["unit"])
        unit_codes, self.unit = np.unique(
            topic_codes * len(unit_names) + name_codes, return_inverse=True
        )
        self.of_topic = unit_codes // len(unit_names)
        self.units = [unit_names[code] for code in (unit_codes % len(unit_names)).tolist()]
        self.place = 1 + np.arange(len(unit_codes)) - np.searchsorted(self.of_topic, self.of_topic)
        self.doubt = rows.value == CANNOT_TELL
        self.answer = np.rint(2 * rows.value - 1).astype(np.int64)
        self.value = rows.value.copy()
        if options.cannot_tell != "half":
            self.value[self.doubt] = 0.0 if options.cannot_tell == "no" else math.nan
        cell_codes = self.unit * len(self.systems) + self.system
        self.item = np.unique(cell_codes, return_inverse=True)[1]
        shares = self.means(cell_codes, len(unit_codes) * len(self.systems))
        self.shares = shares.reshape(len(unit_codes), len(self.systems))
        kind_by_system = dict(zip(columns["system"], columns["kind"], strict=True))
        topic_shares = [self.shares[self.of_topic == t] for t in range(len(self.topics))]
        self.matrix = ScoreMatrix(
            np.array([known_means(shares) for shares in topic_shares]), self.topics, self.systems,
            np.array([kind_by_system[system] == "human" for system in self.systems]),
            measure="checklist", task=columns["task"][0], scale=Scale(0, 1),
        )  # fmt: skip

    def means(self, codes: Ints, size: int) -> Floats:
        """Average the answers with the same code; NaN if nobody can tell."""
        has_answer = ~np.isnan(self.value)
        sums = np.bincount(codes[has_answer], self.value[has_answer], size)
        return ratios(sums, np.bincount(codes[has_answer], minlength=size))

    def counts(self, codes: Ints, size: int) -> tuple[Ints, Floats]:
        """Count the answers with each code, and return the share of *cannot tell*."""
        counts = np.bincount(codes, minlength=size)
        return counts, np.bincount(codes[self.doubt], minlength=size) / counts

    def rank_systems(
        self, collection: Collection, result: ComparisonResult
    ) -> Iterator[ChecklistSystem]:
        """Return the ranking, with normalized scores if summaries and references have texts."""
        values = _normalize_shares(collection, self.matrix, self.options.a)
        interval_rows: list[Any] = [(None,) * 3] * len(self.systems)
        if not np.isnan(values).all(axis=0).any():
            normalized_matrix = replace(self.matrix, values=values, measure="checklist-normalized")
            intervals = mean_intervals(
                normalized_matrix, confidence_level=self.options.confidence_level
            )
            interval_rows = np.array([intervals.means, intervals.low, intervals.high]).T.tolist()
        counts, doubt_shares = self.counts(self.system, len(self.systems))
        # The variance of means over topics, divided by that of independent units.
        effects = ratios(_squared_errors(self.matrix.values), _squared_errors(self.shares))
        for ranking_row in result.systems:
            index = self.systems.index(ranking_row.system)
            mean, low, high = interval_rows[index]
            yield ChecklistSystem(
                ranking_row.rank, ranking_row.system, ranking_row.adjusted, ranking_row.low,
                ranking_row.high,
                mean, low, high, ranking_row.group, int(counts[index]), float(doubt_shares[index]),
                float(effects[index]),
            )  # fmt: skip

    def unit_rows(self) -> Iterator[ChecklistUnit]:
        """Return how often each unit was found, and how far people agree on it."""
        n_units, n_items = len(self.units), int(self.item.max()) + 1
        counts = np.bincount(self.item * 3 + self.answer + 1, minlength=3 * n_items).reshape(-1, 3)
        answers_per_item = counts.sum(axis=1)
        unit_of_item = np.zeros(n_items, np.int64)
        unit_of_item[self.item] = self.unit
        agreeing_counts = np.bincount(unit_of_item, (counts * (counts - 1)).sum(axis=1), n_units)
        agreement = ratios(
            agreeing_counts,
            np.bincount(unit_of_item, answers_per_item * (answers_per_item - 1), n_units),
        )
        answer_counts, doubt_shares = self.counts(self.unit, n_units)
        columns = (
            self.place,
            answer_counts,
            known_means(self.shares, axis=1),
            doubt_shares,
            agreement,
        )
        topics = (self.topics[topic] for topic in self.of_topic)
        yield from map(ChecklistUnit, topics, self.units, *(column.tolist() for column in columns))

    def compare_places(self, units: Sequence[ChecklistUnit]) -> Iterator[ChecklistPlace]:
        """Compare each position in the lists with the next, on the topics that have both."""
        from scipy.stats import t as student

        table = np.full((len(self.topics), int(self.place.max())), np.nan)
        table[self.of_topic, self.place - 1] = known_means(self.shares, axis=1)
        agreement = np.array([unit.agreement for unit in units])
        steps = np.diff(table, axis=1)
        steps = steps[:, (~np.isnan(steps)).sum(axis=0) >= _MIN_TOPICS]
        df = (~np.isnan(steps)).sum(axis=0) - 1
        means, errors = known_means(steps), np.sqrt(_squared_errors(steps))
        t = np.divide(means, errors, out=np.zeros_like(means), where=errors > 0)
        p = 2 * student.sf(np.abs(t), df)
        p_adjusted = adjust_p(p, method="holm") if len(p) else p
        half_widths = student.ppf((1 + self.options.confidence_level) / 2, df) * errors
        step_rows = np.full((5, table.shape[1]), np.nan)
        step_rows[:, : len(means)] = means, means - half_widths, means + half_widths, p, p_adjusted
        for index, step_fields in enumerate(step_rows.T.tolist()):
            yield ChecklistPlace(
                index + 1, int((~np.isnan(table[:, index])).sum()),
                float(known_means(table)[index]),
                float(known_means(agreement[self.place == index + 1][:, None])[0]), *step_fields,
            )  # fmt: skip

    def assessors(self) -> Iterator[ChecklistAssessor]:
        """Return how each person answered; nothing if no assessors are named."""
        if self.people == [""]:
            return
        n_assessors = len(self.people)
        n_shared, n_agreed = agreement_with_others(
            self.item, self.answer, self.assessor, n_assessors
        )
        answer_counts, doubt_shares = self.counts(self.assessor, n_assessors)
        means = self.means(self.assessor, n_assessors)
        columns = (answer_counts, means, doubt_shares, n_shared, ratios(n_agreed, n_shared))
        yield from map(ChecklistAssessor, self.people, *(column.tolist() for column in columns))


def score_answers(collection: Collection, rows: Scores, options: ChecklistOptions) -> Checklist:
    """Score the systems of one task by answers, and check the answers."""
    answers = _AnswerTable(rows, options)
    compare_options = CompareOptions(
        alpha=options.alpha, seed=options.seed, confidence_level=options.confidence_level
    )
    result = compare_matrix(answers.matrix, compare_options)
    agreement, krippendorff_alpha = answer_agreement(answers.item, answers.answer, mirrored=False)
    units = tuple(answers.unit_rows())
    systems = tuple(answers.rank_systems(collection, result))
    return Checklist(
        answers.matrix.task, result, answers.matrix, systems, units,
        tuple(answers.compare_places(units)), tuple(answers.assessors()), agreement,
            krippendorff_alpha,
    )  # fmt: skip


def _squared_errors(values: Floats) -> Floats:
    """Return the squared standard error of each column's mean."""
    n = (~np.isnan(values)).sum(axis=0)
    squared_deviations: Floats = known_means((values - known_means(values)) ** 2) / np.maximum(
        n - 1, 1
    )
    return squared_deviations


def _normalize_shares(collection: Collection, matrix: ScoreMatrix, a: float) -> Floats:
    """Discount the shares of summaries that are longer than their references."""
    scorer = UnitScorer(collection, UnitOptions(a=a))
    normalized_values = np.full(matrix.values.shape, np.nan)
    for row, topic in enumerate(matrix.topics):
        for column, system in enumerate(matrix.systems):
            words, reference = scorer.lengths(matrix.task, topic, system)
            if not math.isnan(words + reference):
                share = float(matrix.values[row, column])
                normalized_values[row, column] = normalized_share(share, words, reference, a)
    return normalized_values


def _record(checklist: Checklist) -> dict[str, Any]:
    result = checklist.comparison
    return {
        "task": checklist.task, "measure": result.measure, "alpha": result.alpha,
        "conclusion": result.conclusion,
        "agreement": {"share": checklist.agreement, "krippendorff_alpha": checklist.alpha},
        "systems": SYSTEM_VIEW.records(checklist.systems),
        "places": PLACE_VIEW.records(checklist.places),
        "assessors": ASSESSOR_VIEW.records(checklist.assessors),
        "units": UNIT_VIEW.records(checklist.units),
    }  # fmt: skip


def _tables(checklist: Checklist, options: ChecklistOptions) -> Iterator[Table]:
    key = (("task", checklist.task),)
    length_columns = ["normalized", "norm. low", "norm. high"]
    hidden_columns = length_columns if checklist.systems[0].normalized is None else []
    hidden_columns = hidden_columns + ["cannot tell"] * (
        not any(unit.cannot_tell for unit in checklist.units)
    )
    note = (
        f"{checklist.comparison.conclusion}\nScore: mean over topics of the share of units found, "
        f"with a {options.confidence_level:.0%} interval over topics. Normalized: reduced where a "
        f"summary is longer than its reference (a = {options.a:g}). Design effect: the variance "
        "divided by that of independent units. No difference was shown between systems that share "
        "a letter."
    )
    make_title = partial(scope_name, task=checklist.task)
    ranking_title, order_title = (
        make_title("Ranking by checklists"),
        make_title("Positions in the lists"),
    )
    yield SYSTEM_VIEW.table(checklist.systems, ranking_title, note, exclude=hidden_columns, key=key)
    yield PLACE_VIEW.table(checklist.places, order_title, _place_note(checklist, options), key=key)
    if checklist.assessors:
        agreement_note = "" if math.isnan(checklist.agreement) else (
            f"Two answers about the same unit of a summary agree in {checklist.agreement:.1%} of "
            f"cases (Krippendorff's alpha {checklist.alpha:.3f})."
        )  # fmt: skip
        yield ASSESSOR_VIEW.table(
            checklist.assessors, make_title("Assessors"), agreement_note, key=key
        )
    if not math.isnan(checklist.agreement):
        units_by_agreement = sorted(
            checklist.units, key=lambda u: (math.isnan(u.agreement), u.agreement)
        )
        all_units = UNIT_VIEW.table(checklist.units, make_title("Units"), key=key)
        table = UNIT_VIEW.table(
            units_by_agreement[:_MAX_SHOWN_UNITS], make_title("Units on which people agree least"),
            f"{min(_MAX_SHOWN_UNITS, len(checklist.units))} of {len(checklist.units):,} units; "
            "all are in JSON and CSV.",
        )  # fmt: skip
        yield table.with_variants(key=key, numbers=all_units, whole=all_units)


def _place_note(checklist: Checklist, options: ChecklistOptions) -> str:
    steps = [step for step in checklist.places if step.p_adjusted <= options.alpha]
    effect_text = "No step from one position to the next is significant."
    if steps:
        largest_step = max(steps, key=lambda step: abs(step.step))
        effect_text = (
            f"Units in position {largest_step.place + 1} are found "
            f"{'more' if largest_step.step > 0 else 'less'} often than those in position "
            f"{largest_step.place}, by {abs(largest_step.step):.2f}: an order effect, or an effect "
            "of how the lists were made."
        )
    return (
        f"{effect_text} Steps are computed over topics that have both positions; p-values are "
        f"Holm-corrected. Positions that occur in fewer than {_MIN_TOPICS} topics are not "
        "compared."
    )
