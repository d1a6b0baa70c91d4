"""The judgments behind the categories: tied ranks, assessors by category, kappa of several people.

Rankel's dissertation, Tables 3.1 and 3.2; Nenkova's thesis, section 5.2.6.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.collection import Collection, Scores
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.comparison.common import rows_of
from pyramidion.rendering.table import Cell, Table
from pyramidion.stats import fleiss_kappa
from pyramidion.studies._source import most_common


@dataclass(frozen=True, slots=True)
class TiedRanks:
    """The values of a measure, and the mean rank of all judgments that share one."""

    measure: str
    task: str
    values: tuple[float, ...]
    ranks: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AssessorCategories:
    """On how many topics of each category each assessor judged summaries."""

    task: str
    assessors: tuple[str, ...]
    categories: tuple[str, ...]
    topics: tuple[tuple[int, ...], ...]  #: a row for each category


@dataclass(frozen=True, slots=True)
class RaterKappa:
    """Fleiss' kappa of the summaries that `raters` assessors judged."""

    measure: str
    task: str
    raters: int
    summaries: int
    agreement: float
    expected: float
    kappa: float


TableRow = tuple[Cell, ...]
JudgmentRow = TiedRanks | AssessorCategories | RaterKappa


def judgment_rows(
    collection: Collection, scores: Scores, measures: Sequence[str]
) -> tuple[list[JudgmentRow], list[str]]:
    """Study single judgments of measures by task, and report what the data cannot show."""
    ranks: list[JudgmentRow] = []
    kappas: list[JudgmentRow] = []
    left_out: list[str] = []
    for measure in measures:
        measure_scores = scores.select(measure=measure, unit="")
        for task in measure_scores.distinct("task"):
            task_scores = measure_scores.select(task=task)
            ranks.append(_tied_ranks(measure, task, task_scores))
            kappas += _kappa(measure, task, task_scores, left_out)
    category_rows = list(_assessor_categories(collection, scores, measures))
    if not category_rows:
        left_out.append("assessors and categories: no topic has both")
    if not kappas:
        left_out.append("kappa: no summary was judged by two assessors")
    return [*ranks, *category_rows, *kappas], left_out


def _tied_ranks(measure: str, task: str, task_scores: Scores) -> TiedRanks:
    values, counts = np.unique(task_scores.value, return_counts=True)
    # Tied values share the mean of the ranks from the first to the last of them.
    ranks = np.cumsum(counts) - (counts - 1) / 2
    columns = (tuple(column.tolist()) for column in (values, ranks, counts))
    return TiedRanks(measure, task, *columns)


def _assessor_categories(
    collection: Collection, scores: Scores, measures: Sequence[str]
) -> Iterator[AssessorCategories]:
    titles = {category.id: category.title for category in collection.categories}
    topics = {topic.id: topic for topic in collection.topics if topic.category}
    rows = scores.rows(np.isin(scores.columns["measure"], list(measures)))
    assessor_topics = {
        (task, topic, assessor or topics[topic].assessor)
        for task, topic, assessor in rows_of(rows, "task", "topic", "assessor")
        if topic in topics
    }
    pairs = (
        (task, (topics[topic].category, name)) for task, topic, name in assessor_topics if name
    )
    for task, task_pairs in sorted(grouped(pairs).items()):
        counts = Counter(task_pairs)
        categories, assessors = (
            sorted({pair[position] for pair in counts}, key=natural_order) for position in (0, 1)
        )
        table = tuple(tuple(counts[c, name] for name in assessors) for c in categories)
        names = tuple(titles.get(category, "") or category for category in categories)
        yield AssessorCategories(task, tuple(assessors), names, table)


def _kappa(
    measure: str, task: str, task_scores: Scores, left_out: list[str]
) -> Iterator[RaterKappa]:
    """Compute kappa of the summaries with the most common number of assessors."""
    labels: dict[tuple[str, ...], dict[str, float]] = {}
    addresses = rows_of(task_scores, "collection", "topic", "system", "assessor")
    for (*summary, assessor), value in zip(addresses, task_scores.value.tolist(), strict=True):
        # The first of several judgments by one assessor counts.
        labels.setdefault(tuple(summary), {}).setdefault(assessor, value)
    multiple_ratings = [list(values.values()) for values in labels.values() if len(values) > 1]
    if not multiple_ratings:
        return
    raters = most_common(map(len, multiple_ratings))
    complete_ratings = [values for values in multiple_ratings if len(values) == raters]
    if n_other := len(labels) - len(complete_ratings):
        scope = f"{measure}{f', task {task}' if task else ''}"
        left_out.append(f"kappa, {scope}: {n_other} summaries not judged by {raters} assessors")
    result = fleiss_kappa(np.array(complete_ratings).T)
    statistics = (result.observed, result.expected, result.value)
    yield RaterKappa(measure, task, raters, len(complete_ratings), *statistics)


_RANKS_NOTE = "Rank: the mean rank of all judgments with this value, as in the Kruskal-Wallis test."
_CROSS_NOTE = "Number of topics on which an assessor judged summaries."
_KAPPA_NOTE = (
    "Fleiss' kappa. Agreement: the share of pairs of assessors who gave a summary the same value."
)


def judgment_tables(rows: Sequence[JudgmentRow]) -> Iterator[Table]:
    """Show tied ranks, then assessors by category, then kappas."""
    for row in rows:
        if isinstance(row, TiedRanks):
            yield _ranks_table(row)
        elif isinstance(row, AssessorCategories):
            category_rows = zip(row.categories, row.topics, strict=True)
            table_rows: tuple[TableRow, ...] = tuple(
                (category, *counts) for category, counts in category_rows
            )
            title = f"Assessors and categories{f', task {row.task}' if row.task else ''}"
            column_names, key = ("category", *row.assessors), (("task", row.task),)
            yield Table(
                column_names, table_rows, title, _CROSS_NOTE, key=key, name="assessor-categories"
            )
    if kappas := [row for row in rows if isinstance(row, RaterKappa)]:
        column_names = (
            "measure",
            "task",
            "assessors",
            "summaries",
            "agreement",
            "expected",
            "kappa",
        )
        table_rows = tuple(
            (k.measure, k.task, k.raters, k.summaries, k.agreement, k.expected, k.kappa)
            for k in kappas
        )
        yield Table(
            column_names, table_rows, "Agreement of several assessors", _KAPPA_NOTE, name="kappa"
        )


def _ranks_table(row: TiedRanks) -> Table:
    n_judgments = sum(row.counts)
    value_rows = zip(row.values, row.ranks, row.counts, strict=True)
    table_rows = tuple(
        (f"{value:g}", rank, n, 100 * n / n_judgments) for value, rank, n in value_rows
    )
    title = f"Tied ranks of {row.measure}{f', task {row.task}' if row.task else ''}"
    key, column_names = (
        (("measure", row.measure), ("task", row.task)),
        ("value", "rank", "count", "percent"),
    )
    return Table(column_names, table_rows, title, _RANKS_NOTE, digits=2, key=key, name="tied-ranks")
