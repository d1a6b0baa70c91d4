"""How consistent assessors are with themselves, and how far they agree with each other."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection._ids import natural_order
from pyramidion.evaluation._assessors.panel import (
    MOST_VALUES,
    MeasureLevel,
    Panel,
    Texts,
    cell_means,
    level_of,
    read_moments,
    text_column,
)
from pyramidion.stats._agreement import Level, cohen_kappa, krippendorff_alpha, percent_agreement
from pyramidion.stats._bootstrap import percentile_interval
from pyramidion.stats._correlation import pearson
from pyramidion.stats._inputs import Interval, Rng, generator

_Row = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class PairedJudgments:
    """Pairs of judgments, one row each."""

    collection: Texts
    topic: Texts
    assessor: Texts
    measure: Texts
    first: Floats
    second: Floats
    repeated: Bools
    ordered: Bools

    def __len__(self) -> int:
        return len(self.first)

    def of(self, collection: str | None, measure: str, assessor: str | None) -> "PairedJudgments":
        """Keep the pairs of a year, measure and assessor; `None` means all of them."""
        keep = self.measure == measure
        for column, wanted in ((self.collection, collection), (self.assessor, assessor)):
            if wanted is not None:
                keep &= column == wanted
        return PairedJudgments(*(getattr(self, name)[keep] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class _Pair:
    collection: str
    topic: str
    assessor: str
    measure: str
    rows: tuple[_Row, _Row]
    repeated: bool


def paired_judgments(panel: Panel) -> PairedJudgments:
    """Find every two judgments of the same words by the same assessor, on the same measure.

    Words are the same in identical summaries by two systems, and in one summary that was judged
    on several occasions. Where parts of a summary were judged (units), the same part is meant;
    of identical summaries judged on several occasions, judgments of the same occasion.
    """
    index = _Index(panel)
    found = [*index.identical(), *index.repeated()]
    ordered = [_ordered(pair) for pair in found]
    return PairedJudgments(
        collection=text_column([pair.collection for pair in found]),
        topic=text_column([pair.topic for pair in found]),
        assessor=text_column([pair.assessor for pair in found]),
        measure=text_column([pair.measure for pair in found]),
        first=np.array([first for first, _, _ in ordered], dtype=np.float64),
        second=np.array([second for _, second, _ in ordered], dtype=np.float64),
        repeated=np.array([pair.repeated for pair in found], dtype=bool),
        ordered=np.array([known for _, _, known in ordered], dtype=bool),
    )


class _Index:
    """Values and times of judgments, by what was judged and by whom."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        columns = panel.judgments.columns
        # By place: year, task, topic, system; then by question, see `_QUESTION`.
        self._rows: dict[tuple[str, ...], dict[tuple[str, ...], _Row]] = {}
        places = zip(*(columns[n] for n in ("collection", "task", "topic", "system")), strict=True)
        questions = zip(*(columns[n] for n in _QUESTION), strict=True)
        times = read_moments(columns["time"].tolist()).values.tolist()
        values = panel.judgments.value.tolist()
        for place, question, value, time in zip(places, questions, values, times, strict=True):
            self._rows.setdefault(place, {})[question] = (value, time)

    def identical(self) -> Iterator[_Pair]:
        for collection, pairs in self._panel.pairs.items():
            for pair in pairs:
                first, second = (
                    self._rows.get((collection, pair.task, pair.topic, system), {})
                    for system in (pair.first, pair.second)
                )
                for question in first:
                    if question in second:
                        measure, assessor, *_ = question
                        rows = first[question], second[question]
                        yield _Pair(collection, pair.topic, assessor, measure, rows, repeated=False)

    def repeated(self) -> Iterator[_Pair]:
        for (collection, _, topic, _), answers in self._rows.items():
            again: dict[tuple[str, ...], list[tuple[str, _Row]]] = {}
            for (*question, occasion), row in answers.items():
                again.setdefault(tuple(question), []).append((occasion, row))
            for (measure, assessor, *_), rows in again.items():
                ordered = sorted(rows, key=lambda item: natural_order(item[0]))
                for (_, a), (_, b) in combinations(ordered, 2):
                    yield _Pair(collection, topic, assessor, measure, (a, b), repeated=True)


_QUESTION = ("measure", "assessor", "unit", "run", "occasion")


def _ordered(pair: _Pair) -> tuple[float, float, bool]:
    """Put the earlier value first, and tell whether it is known which one that is."""
    (first, earlier), (second, later) = pair.rows
    if later < earlier:
        return second, first, True
    return first, second, earlier < later or pair.repeated


_UNANIMOUS = "all values are the same, so that alpha is 1 by definition"


@dataclass(frozen=True, slots=True)
class PairAlpha:
    """Alpha of pairs."""

    value: float
    low: float
    high: float
    unanimous: bool = False
    undefined: str = ""


def alpha_of_pairs(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    topics: Sequence[str],
    *,
    level: Level,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: Rng | None = None,
) -> PairAlpha:
    """Compute alpha of pairs of values, and a percentile interval over resampled topics.

    Pairs of one topic stand or fall together: three identical summaries give three of them. So
    topics are drawn, with all their pairs. The order of pairs, of the values in a pair, and the
    names of topics play no part.
    """
    pairs = np.sort(np.stack([np.asarray(first, float), np.asarray(second, float)]), axis=0)
    if not pairs.size:
        return PairAlpha(np.nan, np.nan, np.nan, undefined="no pairs")
    alpha = krippendorff_alpha(pairs, level=level)
    blocks = _blocks(pairs, topics)
    if alpha.unanimous or blocks.max() == 0:
        why = _UNANIMOUS if alpha.unanimous else "no interval, as all pairs are of one topic"
        return PairAlpha(alpha.value, np.nan, np.nan, alpha.unanimous, why)
    samples = _resampled(pairs, blocks, level, n_resamples, generator(rng))
    interval: Interval = percentile_interval(samples, confidence_level=confidence_level)
    return PairAlpha(alpha.value, interval.low, interval.high)


def _blocks(pairs: Floats, topics: Sequence[str]) -> Ints:
    """Give topics numbers by what was judged in them, so that their names do not matter."""
    own: dict[str, list[tuple[float, float]]] = {}
    for topic, low, high in zip(topics, *pairs.tolist(), strict=True):
        own.setdefault(topic, []).append((low, high))
    ordered = sorted(own, key=lambda topic: sorted(own[topic]))
    number = {topic: place for place, topic in enumerate(ordered)}
    return np.array([number[topic] for topic in topics], dtype=np.int64)


def _resampled(
    pairs: Floats, blocks: Ints, level: Level, n: int, rng: np.random.Generator
) -> Floats:
    """Compute alpha of many draws of topics at once, from counts of each topic."""
    topics = int(blocks.max()) + 1
    drawn = rng.integers(topics, size=(n, topics)) + topics * np.arange(n)[:, None]
    draws = np.bincount(drawn.ravel(), minlength=n * topics).reshape(n, topics).astype(np.float64)
    values, codes = np.unique(pairs, return_inverse=True)
    low, high = codes.reshape(pairs.shape)
    kinds, kind = np.unique(low * len(values) + high, return_inverse=True)
    within = draws @ _counted(blocks, kind, topics, len(kinds))
    ends = _counted(blocks, low, topics, len(values)) + _counted(blocks, high, topics, len(values))
    counts = draws @ ends
    observed, expected = _disagreements(values, counts, within, divmod(kinds, len(values)), level)
    # Where only one value was drawn nothing could disagree; alpha is 1, as of such data.
    alone = (counts > 0).sum(axis=1) == 1
    total = counts.sum(axis=1) - 1
    samples: Floats = np.ones(n)
    np.divide(total * observed, expected, out=samples, where=~alone)
    return np.where(alone, 1.0, 1 - samples)


def _counted(rows: Ints, columns: Ints, n_rows: int, n_columns: int) -> Floats:
    cells = np.bincount(rows * n_columns + columns, minlength=n_rows * n_columns)
    return cells.reshape(n_rows, n_columns).astype(np.float64)


def _disagreements(
    values: Floats, counts: Floats, within: Floats, codes: tuple[Ints, Ints], level: Level
) -> tuple[Floats, Floats]:
    """Sum the differences within pairs, and those between any two values, of each draw.

    Each pair counts twice, once in each order, as in the definition.
    """
    low, high = codes
    if level == "ordinal":
        # The difference is that of mean ranks, which each draw has of its own.
        ranks = np.cumsum(counts, axis=1) - counts / 2
        observed = 2 * np.sum(within * (ranks[:, low] - ranks[:, high]) ** 2, axis=1)
        return observed, _squares(ranks, counts)
    if level == "interval":
        centred = np.broadcast_to(values - values.mean(), counts.shape)
        return 2 * within @ (values[low] - values[high]) ** 2, _squares(centred, counts)
    between = _differences(values, level)
    return 2 * within @ between[low, high], np.sum((counts @ between) * counts, axis=1)


def _squares(places: Floats, counts: Floats) -> Floats:
    """Sum the squared differences of all ordered pairs of values."""
    total = counts.sum(axis=1)
    first, second = (np.sum(counts * places**power, axis=1) for power in (1, 2))
    found: Floats = 2 * (total * second - first**2)
    return found


def _differences(values: Floats, level: Level) -> Floats:
    a, b = values[:, None], values[None, :]
    if level == "nominal":
        return np.asarray(a != b, dtype=np.float64)
    total = np.where(a + b == 0, 1.0, a + b)
    ratio: Floats = ((a - b) / total) ** 2
    return ratio


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """How often each two values were given to the same words."""

    values: tuple[float, ...]
    counts: Ints

    @property
    def distances(self) -> Floats:
        """How far the two values of each cell are apart."""
        places = np.array(self.values)
        apart: Floats = np.abs(places[:, None] - places)
        return apart


def contingency(
    first: npt.ArrayLike, second: npt.ArrayLike, values: tuple[float, ...]
) -> Contingency:
    """Count pairs of values, whichever came first."""
    low, high = np.sort(np.stack([np.asarray(first, float), np.asarray(second, float)]), axis=0)
    size = len(values)
    # Values of a scale with steps may carry rounding noise.
    edges = (np.array(values[1:]) + np.array(values[:-1])) / 2
    cells = np.searchsorted(edges, low) * size + np.searchsorted(edges, high)
    counts = np.bincount(cells, minlength=size * size).reshape(size, size).astype(np.int64)
    return Contingency(tuple(values), counts)


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
    panel: Panel,
    *,
    level: Level | None = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: Rng = 0,
) -> list[Consistency]:
    """Tell how consistent each assessor is on each measure, within each year and over all.

    After the assessors of a measure come all of them together, where there are several.
    """
    pairs = paired_judgments(panel)
    found = []
    for collection, measure in panel.places():
        at = level_of(panel, collection, measure, level=level)
        for assessor in _with_all(panel.assessors(collection, measure)):
            own = pairs.of(collection, measure, assessor)
            years = zip(own.collection, own.topic, strict=True)
            alpha = alpha_of_pairs(
                own.first,
                own.second,
                [f"{year}\0{topic}" for year, topic in years],
                level=at.level,
                n_resamples=n_resamples,
                confidence_level=confidence_level,
                rng=rng,
            )
            found.append(_consistency(collection, assessor, measure, own, alpha, at))
    return found


def _with_all(assessors: tuple[str, ...]) -> Iterator[str | None]:
    yield from assessors
    if len(assessors) > 1:
        yield None


def _consistency(
    collection: str | None,
    assessor: str | None,
    measure: str,
    own: PairedJudgments,
    alpha: PairAlpha,
    level: MeasureLevel,
) -> Consistency:
    changes = own.second - own.first
    # Equal but for rounding noise, as of computed scores.
    equal = np.isclose(own.first, own.second, rtol=1e-9, atol=1e-12)
    return Consistency(
        collection=collection,
        assessor=assessor,
        measure=measure,
        pairs=len(own),
        repeated=int(own.repeated.sum()),
        alpha=alpha,
        level=level,
        mean_difference=_mean(np.abs(changes)),
        mean_signed_difference=_mean(changes[own.ordered]),
        equal=_mean(equal.astype(np.float64)),
        table=contingency(own.first, own.second, level.values) if level.values else None,
    )


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else math.nan


_NO_SHARED = "no two assessors judged the same"


@dataclass(frozen=True, slots=True)
class AssessorPair:
    """How far two assessors agree."""

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
    """How far all assessors of a measure agree."""

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
        """Average something over the pairs of assessors, leaving out where it is undefined."""
        values = [getattr(pair, name) for pair in self.pairs]
        known = [value for value in values if not math.isnan(value)]
        return float(np.mean(known)) if known else math.nan


def panel_agreement(
    panel: Panel, collection: str | None, measure: str, *, level: Level | None = None
) -> PanelAgreement:
    """Compare the assessors who judged the same summaries, or the same parts of summaries.

    Several judgments of the same by one assessor are averaged.
    """
    assessors, table = _table(panel, collection, measure)
    at = level_of(panel, collection, measure, level=level)
    counts = (~np.isnan(table)).sum(axis=0)
    items, alone = int((counts > 1).sum()), int((counts == 1).sum())
    shared = table[:, counts > 1]
    if not items:
        return PanelAgreement(collection, measure, at, math.nan, 0, alone, (), undefined=_NO_SHARED)
    alpha = krippendorff_alpha(shared, level=at.level)
    pairs = tuple(_pairs(assessors, shared))
    return PanelAgreement(
        collection, measure, at, alpha.value, items, alone, pairs, alpha.unanimous
    )


def _table(panel: Panel, collection: str | None, measure: str) -> tuple[tuple[str, ...], Floats]:
    """Put judgments into a table: assessors down, what was judged across."""
    rows = panel.of(collection, measure)
    assessors = rows.distinct("assessor")
    row_of = {name: place for place, name in enumerate(assessors)}
    items = list(zip(*(rows.columns[name] for name in _ITEM), strict=True))
    column_of = {item: place for place, item in enumerate(sorted(set(items)))}
    places = np.array([row_of[name] for name in rows.columns["assessor"]], dtype=np.int64)
    cells = places * len(column_of) + np.array([column_of[item] for item in items], dtype=np.int64)
    return assessors, cell_means(cells, rows.value, (len(assessors), len(column_of)))


_ITEM = ("collection", "task", "topic", "system", "unit")


def _pairs(assessors: tuple[str, ...], table: Floats) -> Iterator[AssessorPair]:
    for a, b in combinations(range(len(assessors)), 2):
        both = ~np.isnan(table[a]) & ~np.isnan(table[b])
        if both.any():
            yield _pair((assessors[a], assessors[b]), table[a, both], table[b, both])


def _pair(names: tuple[str, str], first: Floats, second: Floats) -> AssessorPair:
    few = len(np.unique(np.concatenate([first, second]))) <= MOST_VALUES
    kappas = [
        cohen_kappa(first, second, weights=weights).value if few else math.nan
        for weights in ("none", "quadratic")
    ]
    return AssessorPair(
        *names,
        n=len(first),
        equal=percent_agreement(first, second),
        kappa=kappas[0],
        weighted_kappa=kappas[1],
        difference=float(np.mean(first - second)),
        correlation=pearson(first, second).value if len(first) > 1 else math.nan,
    )
