"""Consistency of assessors with themselves, and agreement with each other."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.collection.matrix import cell_means
from pyramidion.comparison.common import both_known, correlate_pairs, known_mean, places_of, rows_of
from pyramidion.judges._panel import (
    DEFAULT_OPTIONS,
    MAX_VALUES,
    MeasureLevel,
    Panel,
    StudyOptions,
    level_of,
    read_moments,
)
from pyramidion.stats import Level, cohen_kappa, krippendorff_alpha, percent_agreement
from pyramidion.stats.bootstrap import percentile_interval

#: The value and the time of a judgment; judgments by task, topic and system, then by question.
_Row = tuple[float, float]
_Index = dict[tuple[str, ...], dict[tuple[str, ...], _Row]]


class JudgedPair(NamedTuple):
    """Two judgments of the same words by one assessor.

    `repeated` if one summary was judged twice, `ordered` if it is known which value came first.
    """

    collection: str
    topic: str
    assessor: str
    measure: str
    first: float
    second: float
    ordered: bool
    repeated: bool


_QUESTION_COLUMNS = ("measure", "assessor", "unit", "run", "occasion")


def paired_judgments(panel: Panel) -> list[JudgedPair]:
    """Find all pairs of judgments of the same words by the same assessor, on the same measure.

    Words are the same in identical summaries by two systems, and in a summary that was judged on
    several occasions. Judgments of units are paired by unit, and judgments of identical summaries
    by occasion.
    """
    rows = panel.judgments
    times = read_moments(rows.columns["time"].tolist()).values.tolist()
    timed_values = zip(rows.value.tolist(), times, strict=True)
    items = rows_of(rows, "collection", "task", "topic", "system")
    answers = zip(rows_of(rows, *_QUESTION_COLUMNS), timed_values, strict=True)
    index = {
        item: dict(rows_by_question)
        for item, rows_by_question in grouped(zip(items, answers, strict=True)).items()
    }
    return [*_identical_pairs(panel, index), *_repeated_pairs(index)]


def _identical_pairs(panel: Panel, index: _Index) -> Iterator[JudgedPair]:
    for collection, pairs in panel.pairs.items():
        for task, topic, *systems in pairs:
            a, b = (index.get((collection, task, topic, system), {}) for system in systems)
            for question in (question for question in a if question in b):
                measure, assessor, *_ = question
                (first, earlier_time), (second, later_time) = a[question], b[question]
                values = (second, first) if later_time < earlier_time else (first, second)
                has_known_order = later_time < earlier_time or earlier_time < later_time
                yield JudgedPair(
                    collection, topic, assessor, measure, *values, has_known_order, False
                )


def _repeated_pairs(index: _Index) -> Iterator[JudgedPair]:
    for (collection, _, topic, _), answers in index.items():
        by_question = grouped(
            (question[:-1], (question[-1], row)) for question, row in answers.items()
        )
        for (measure, assessor, *_), rows in by_question.items():
            occasions = sorted(rows, key=lambda item: natural_order(item[0]))
            for (_, (first, earlier_time)), (_, (second, later_time)) in combinations(occasions, 2):
                values = (second, first) if later_time < earlier_time else (first, second)
                yield JudgedPair(collection, topic, assessor, measure, *values, True, True)


_UNANIMOUS_NOTE = "all values are the same, so alpha is 1 by definition"


@dataclass(frozen=True, slots=True)
class PairAlpha:
    """Krippendorff's alpha of pairs of judgments, with its interval."""

    value: float
    low: float
    high: float
    unanimous: bool = False
    undefined: str = ""


def alpha_of_pairs(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    topics: Sequence[str],
    level: Level,
    options: StudyOptions = DEFAULT_OPTIONS,
) -> PairAlpha:
    """Compute alpha of pairs of values, and a percentile interval over resampled topics.

    Pairs of one topic depend on each other, as three identical summaries give three pairs; so
    whole topics are drawn. The order of pairs and values and the names of topics do not matter.
    """
    pairs = np.sort(np.array([first, second], dtype=np.float64), axis=0)
    if not pairs.size:
        return PairAlpha(np.nan, np.nan, np.nan, undefined="no pairs")
    alpha = krippendorff_alpha(pairs, level=level)
    # Topics are numbered by content, so their names do not matter.
    by_topic = grouped(zip(topics, pairs.T.tolist(), strict=True))
    blocks = places_of(topics, sorted(by_topic, key=lambda topic: sorted(by_topic[topic])))
    if alpha.unanimous or blocks.max() == 0:
        reason = (
            _UNANIMOUS_NOTE if alpha.unanimous else "no interval, as all pairs are of one topic"
        )
        return PairAlpha(alpha.value, np.nan, np.nan, alpha.unanimous, reason)
    rng = np.random.default_rng(options.seed)
    samples = _resampled_alpha(pairs, blocks, level, options.n_resamples, rng)
    interval = percentile_interval(samples, confidence_level=options.confidence_level)
    return PairAlpha(alpha.value, interval.low, interval.high)


def _resampled_alpha(
    pairs: Floats, blocks: Ints, level: Level, n: int, rng: np.random.Generator
) -> Floats:
    """Compute alpha of many draws of topics at once, from the counts of each topic."""
    n_topics = int(blocks.max()) + 1
    choices = rng.integers(n_topics, size=(n, n_topics)) + n_topics * np.arange(n)[:, None]
    draws = (
        np.bincount(choices.ravel(), minlength=n * n_topics).reshape(n, n_topics).astype(np.float64)
    )
    values, codes = np.unique(pairs, return_inverse=True)
    low, high = codes.reshape(pairs.shape)
    pair_codes, pair_of_row = np.unique(low * len(values) + high, return_inverse=True)
    pair_counts = draws @ _cross_tabulate(blocks, pair_of_row, n_topics, len(pair_codes))
    value_counts = _cross_tabulate(blocks, low, n_topics, len(values)) + _cross_tabulate(
        blocks, high, n_topics, len(values)
    )
    counts = draws @ value_counts
    observed, expected = _disagreements(
        values, counts, pair_counts, divmod(pair_codes, len(values)), level
    )
    # If only one value was drawn, alpha is 1 by definition.
    has_one_value = (counts > 0).sum(axis=1) == 1
    total = counts.sum(axis=1) - 1
    samples: Floats = np.ones(n)
    np.divide(total * observed, expected, out=samples, where=~has_one_value)
    return np.where(has_one_value, 1.0, 1 - samples)


def _cross_tabulate(rows: Ints, columns: Ints, n_rows: int, n_columns: int) -> Floats:
    cells = np.bincount(rows * n_columns + columns, minlength=n_rows * n_columns)
    return cells.reshape(n_rows, n_columns).astype(np.float64)


def _disagreements(
    values: Floats, counts: Floats, pair_counts: Floats, codes: tuple[Ints, Ints], level: Level
) -> tuple[Floats, Floats]:
    """Sum the differences within pairs and between all values of each draw.

    Each pair counts twice, once in each order, as in the definition.
    """
    low, high = codes
    if level == "ordinal":
        # Differences of mean ranks, which differ between draws.
        ranks = np.cumsum(counts, axis=1) - counts / 2
        observed = 2 * np.sum(pair_counts * (ranks[:, low] - ranks[:, high]) ** 2, axis=1)
        return observed, _squared_differences(ranks, counts)
    if level == "interval":
        centered_values = np.broadcast_to(values - values.mean(), counts.shape)
        return 2 * pair_counts @ (values[low] - values[high]) ** 2, _squared_differences(
            centered_values, counts
        )
    differences = _difference_matrix(values, level)
    return 2 * pair_counts @ differences[low, high], np.sum((counts @ differences) * counts, axis=1)


def _squared_differences(values: Floats, counts: Floats) -> Floats:
    """Sum the squared differences of all ordered pairs of values."""
    n_values = counts.sum(axis=1)
    first_sums, second_sums = (np.sum(counts * values**power, axis=1) for power in (1, 2))
    return np.asarray(2 * (n_values * second_sums - first_sums**2))


def _difference_matrix(values: Floats, level: Level) -> Floats:
    a, b = values[:, None], values[None, :]
    if level == "nominal":
        return np.asarray(a != b, dtype=np.float64)
    total = np.where(a + b == 0, 1.0, a + b)
    return ((a - b) / total) ** 2


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """How often each pair of values was given to the same words."""

    values: tuple[float, ...]
    counts: Ints

    @property
    def distances(self) -> Floats:
        """The distance of the two values of each cell."""
        values = np.array(self.values)
        return np.asarray(np.abs(values[:, None] - values))


def contingency(
    first: npt.ArrayLike, second: npt.ArrayLike, values: tuple[float, ...]
) -> Contingency:
    """Count pairs of values, in either order."""
    low, high = np.sort(np.array([first, second], dtype=np.float64), axis=0)
    # Values of a scale with steps may carry rounding noise.
    edges = (np.array(values[1:]) + np.array(values[:-1])) / 2
    cells = np.searchsorted(edges, low), np.searchsorted(edges, high)
    counts = _cross_tabulate(*cells, len(values), len(values))
    return Contingency(tuple(values), counts.astype(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Consistency:
    """How consistent an assessor is on a measure."""

    collection: str | None
    assessor: str | None
    measure: str
    pairs: int
    repeated: int
    alpha: PairAlpha
    level: MeasureLevel
    mean_difference: float
    mean_signed_difference: float
    equal: float
    table: Contingency | None


def assessor_consistency(
    panel: Panel, options: StudyOptions = DEFAULT_OPTIONS
) -> Iterator[Consistency]:
    """Return the consistency of each assessor on each measure, by year and over all years.

    If there are several assessors, a row for all together follows.
    """
    pairs = paired_judgments(panel)
    for collection, measure in panel.judged_measures():
        measure_level = level_of(panel, collection, measure, level=options.level)
        assessors = panel.assessors(collection, measure)
        for assessor in (*assessors, None) if len(assessors) > 1 else assessors:
            matching = [
                pair
                for pair in pairs
                if pair.measure == measure
                and collection in (None, pair.collection)
                and assessor in (None, pair.assessor)
            ]
            topics = [f"{pair.collection}\0{pair.topic}" for pair in matching]
            values = np.array([(pair.first, pair.second) for pair in matching], dtype=np.float64)
            first, second = values.reshape(-1, 2).T
            # Computed scores may differ by rounding noise.
            is_equal = np.isclose(first, second, rtol=1e-9, atol=1e-12)
            yield Consistency(
                collection, assessor, measure, len(matching), sum(pair.repeated for pair
                in matching),
                alpha_of_pairs(first, second, topics, measure_level.level, options), measure_level,
                mean_difference=known_mean(np.abs(second - first)),
                mean_signed_difference=known_mean(
                    pair.second - pair.first for pair in matching if pair.ordered
                ),
                equal=known_mean(is_equal.astype(np.float64)),
                table=contingency(first, second, measure_level.values)
                if measure_level.values else None,
            )  # fmt: skip


_ITEM_COLUMNS = ("collection", "task", "topic", "system", "unit")
_NO_SHARED_ITEMS = "no two assessors judged the same"


@dataclass(frozen=True, slots=True)
class AssessorPair:
    """Agreement of two assessors."""

    a: str
    b: str
    n: int
    equal: float
    kappa: float
    weighted_kappa: float
    difference: float
    correlation: float


@dataclass(frozen=True, slots=True)
class PanelAgreement:
    """Agreement of all assessors of a measure."""

    collection: str | None
    measure: str
    level: MeasureLevel
    alpha: float
    items: int
    alone: int
    pairs: tuple[AssessorPair, ...]
    unanimous: bool = False
    undefined: str = ""

    def mean(self, name: str) -> float:
        """Average a statistic over pairs of assessors, ignoring undefined values."""
        return known_mean(getattr(pair, name) for pair in self.pairs)


def panel_agreement(
    panel: Panel, collection: str | None, measure: str, *, level: Level | None = None
) -> PanelAgreement:
    """Compare the assessors who judged the same summaries, or the same parts of summaries.

    Repeated judgments by one assessor are averaged.
    """
    rows = panel.of(collection, measure)
    assessors, item_rows = rows.distinct("assessor"), list(rows_of(rows, *_ITEM_COLUMNS))
    names = sorted(set(item_rows))
    cells = places_of(rows.columns["assessor"], assessors) * len(names) + places_of(
        item_rows, names
    )
    # Rows are assessors, columns the judged items.
    table = cell_means(cells, rows.value, len(assessors) * len(names)).reshape(len(assessors), -1)
    measure_level = level_of(panel, collection, measure, level=level)
    counts = (~np.isnan(table)).sum(axis=0)
    items, n_single = int((counts > 1).sum()), int((counts == 1).sum())
    shared_items = table[:, counts > 1]
    make_agreement = partial(PanelAgreement, collection, measure, measure_level)
    if not items:
        return make_agreement(math.nan, 0, n_single, (), undefined=_NO_SHARED_ITEMS)
    alpha = krippendorff_alpha(shared_items, level=measure_level.level)
    return make_agreement(
        alpha.value,
        items,
        n_single,
        tuple(_assessor_pairs(assessors, shared_items)),
        alpha.unanimous,
    )


def _assessor_pairs(assessors: tuple[str, ...], table: Floats) -> Iterator[AssessorPair]:
    for a, b in combinations(range(len(assessors)), 2):
        has_both = both_known(table[a], table[b])
        if not has_both.any():
            continue
        first, second = table[a, has_both], table[b, has_both]
        has_few_values = len(np.unique([first, second])) <= MAX_VALUES
        kappa, weighted_kappa = (
            cohen_kappa(first, second, weights=weights).value if has_few_values else math.nan
            for weights in ("none", "quadratic")
        )
        yield AssessorPair(
            assessors[a], assessors[b], len(first), percent_agreement(first, second), kappa,
            weighted_kappa, float(np.mean(first - second)), correlate_pairs(first, second)[1],
        )  # fmt: skip
