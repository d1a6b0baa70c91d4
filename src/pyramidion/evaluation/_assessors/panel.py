"""Who judged what and when: judgments with their assessors, identical summaries, levels."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import SCALES, Collection, Measure, Scale, Scores, Summary
from pyramidion.collection._ids import natural_order
from pyramidion.collection._measures import is_human
from pyramidion.collection._scores import TEXT_COLUMNS
from pyramidion.errors import InputError
from pyramidion.stats._agreement import Level

_DAY = 86_400.0


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Times as numbers."""

    values: Floats
    unit: str
    unreadable: int = 0


def read_moments(texts: Sequence[str]) -> Moments:
    """Read times: dates of ISO 8601, or numbers such as seconds or positions.

    A date without a time zone is taken as UTC.
    """
    kinds: dict[str, str] = {}
    values = np.full(len(texts), np.nan)
    unreadable = 0
    for place, text in enumerate(texts):
        if text:
            kind, values[place] = _moment(text)
            unreadable += not kind
            if kind:
                kinds.setdefault(kind, text)
    if len(kinds) > 1:
        raise InputError(
            f"the times are dates and numbers, such as {kinds['day']} and {kinds['1']}",
            hint="write all of them in one way",
        )
    return Moments(values, next(iter(kinds), ""), unreadable)


def _moment(text: str) -> tuple[str, float]:
    try:
        number = float(text)
    except ValueError:
        return _date(text)
    # Eight digits may be a date without dashes.
    if len(text) == 8 and text.isdecimal():
        kind, date = _date(text)
        if kind:
            return kind, date
    return ("1", number) if math.isfinite(number) else ("", math.nan)


def _date(text: str) -> tuple[str, float]:
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return "", math.nan
    known = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return "day", known.timestamp() / _DAY


_WORD = re.compile("[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class IdenticalPair:
    """Two systems that gave the same summary of a topic for a task."""

    task: str
    topic: str
    first: str
    second: str


def word_sequence(text: str) -> tuple[str, ...]:
    """Give what two summaries must share to be identical: runs of a-z and 0-9 in small letters."""
    return tuple(_WORD.findall(text.lower()))


def identical_pairs(summaries: Iterable[Summary]) -> list[IdenticalPair]:
    """Pair the systems whose summaries of one topic and task are the same words in one order.

    Three identical summaries give three pairs. Summaries without any word are not paired, for
    nobody reads them twice, nor are references that are not scored.
    """
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for summary in summaries:
        words = word_sequence(summary.plain)
        if words and summary.is_peer:
            alike.setdefault((summary.task, summary.topic, words), []).append(summary.system)
    pairs = [
        IdenticalPair(task, topic, first, second)
        for (task, topic, _), systems in alike.items()
        for first, second in combinations(sorted(systems, key=natural_order), 2)
    ]
    return sorted(pairs, key=_order)


def _order(pair: IdenticalPair) -> tuple[object, ...]:
    return tuple(map(natural_order, (pair.task, pair.topic, pair.first, pair.second)))


#: The years of each topic.
Years = Mapping[str, tuple[str, ...]]


def years_of_topics(collection: Collection) -> dict[str, tuple[str, ...]]:
    """Tell in which years a topic has scores, as summaries and pyramids do not name theirs."""
    years: dict[str, set[str]] = {}
    columns = (collection.scores.columns[name] for name in ("topic", "collection"))
    for topic, year in set(zip(*columns, strict=True)):
        years.setdefault(topic, set()).update({year} - {""})
    return {
        topic: tuple(sorted(found or {collection.name}, key=natural_order))
        for topic, found in years.items()
    }


def pairs_by_year(
    summaries: Sequence[Summary], places: Years, name: str
) -> dict[str, tuple[IdenticalPair, ...]]:
    """Find identical summaries, and give them to the years of their topics."""
    found: dict[str, list[IdenticalPair]] = {}
    for pair in identical_pairs(summaries):
        for year in places.get(pair.topic, (name,)):
            found.setdefault(year, []).append(pair)
    return {year: tuple(own) for year, own in found.items()}


def compared_by_year(summaries: Sequence[Summary], places: Years, name: str) -> dict[str, int]:
    """Count the summaries that are compared, by year."""
    counts: Counter[str] = Counter()
    for summary in summaries:
        if summary.is_peer and word_sequence(summary.plain):
            counts.update(places.get(summary.topic, (name,)))
    return dict(counts)


def wordless(summaries: Sequence[Summary], name: str) -> Iterator[str]:
    """Say how many summaries have no word, if any."""
    count = sum(summary.is_peer and not word_sequence(summary.plain) for summary in summaries)
    if count:
        yield f"{name}: {count} summaries without a word, which are not compared"


Texts = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Panel:
    """Judgments and their assessors."""

    judgments: Scores
    metrics: Scores
    pairs: Mapping[str, tuple[IdenticalPair, ...]]
    compared: Mapping[str, int]
    scales: Mapping[tuple[str, str], Scale] = field(default_factory=dict)
    categories: Mapping[tuple[str, str], str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    declared: Mapping[str, Measure] = field(default_factory=dict)

    @property
    def collections(self) -> tuple[str, ...]:
        """The years, in natural order."""
        return self.judgments.distinct("collection")

    @property
    def measures(self) -> tuple[str, ...]:
        """What was judged."""
        return self.judgments.measures

    def of(self, collection: str | None, measure: str) -> Scores:
        """Give the judgments of a measure, in one year or in all."""
        chosen = self.judgments.select(measure=measure)
        return chosen if collection is None else chosen.select(collection=collection)

    def assessors(self, collection: str | None, measure: str) -> tuple[str, ...]:
        """Name those who judged a measure."""
        return self.of(collection, measure).distinct("assessor")

    def spans(self) -> tuple[str | None, ...]:
        """Give the years, and `None` for all together where there are several."""
        return (*self.collections, None) if len(self.collections) > 1 else self.collections

    def places(self) -> Iterator[tuple[str | None, str]]:
        """Give years with the measures judged in them, then all years where they can be pooled."""
        for collection in self.spans():
            for measure in self.measures:
                if (collection or self.same_scale(measure)) and len(self.of(collection, measure)):
                    yield collection, measure

    def scale(self, collection: str | None, measure: str) -> Scale | None:
        """Give the scale of a measure; of all years together only if they have the same one."""
        years = self.collections if collection is None else (collection,)
        found = {self.scales.get((year, measure)) for year in years if self._has(year, measure)}
        return found.pop() if len(found) == 1 else None

    def same_scale(self, measure: str) -> bool:
        """Tell whether all years judge a measure on one scale, so that they can be pooled."""
        years = [year for year in self.collections if self._has(year, measure)]
        return len({self.scales.get((year, measure)) for year in years}) <= 1

    def _has(self, collection: str, measure: str) -> bool:
        return bool(len(self.of(collection, measure)))


def gather_panel(
    collections: Sequence[Collection],
    *,
    measures: Sequence[str] = (),
    tasks: Sequence[str] = (),
) -> Panel:
    """Put the judgments of one or several collections into one table, each with its assessor.

    A judgment's assessor is the one it names, else the one who judged its topic. A year is what
    the column `collection` says, else the collection's name.
    """
    _require_names(collections)
    parts = [_part(collection, measures, tasks) for collection in collections]
    panel = Panel(
        judgments=Scores.concatenate(part.judgments for part in parts),
        metrics=Scores.concatenate(part.metrics for part in parts),
        pairs={year: pairs for part in parts for year, pairs in part.pairs.items()},
        compared={year: n for part in parts for year, n in part.compared.items()},
        scales={key: scale for part in parts for key, scale in part.scales.items()},
        categories={key: name for part in parts for key, name in part.categories.items()},
        left_out=tuple(line for part in parts for line in part.left_out),
        declared={name: measure for part in parts for name, measure in part.declared.items()},
    )
    _require_judgments(panel, collections, measures, tasks)
    return panel


def _require_names(collections: Sequence[Collection]) -> None:
    for name, count in Counter(collection.name for collection in collections).items():
        if count > 1:
            raise InputError(
                f"{count} collections are called {name!r}", hint="give each year a name of its own"
            )


def _require_judgments(
    panel: Panel, collections: Sequence[Collection], measures: Sequence[str], tasks: Sequence[str]
) -> None:
    scores = Scores.concatenate(collection.scores for collection in collections)
    for column, wanted in (("measure", measures), ("task", tasks)):
        for name in wanted:
            scores.require(column, name)
    if not len(panel.judgments):
        names = ", ".join(collection.name for collection in collections)
        raise InputError(
            f"there are no judgments with an assessor in {names}",
            hint="fill in the column `assessor` of the scores, or give topics an `assessor`",
        )


def _part(collection: Collection, measures: Sequence[str], tasks: Sequence[str]) -> Panel:
    scores = collection.scores
    if tasks:
        scores = scores.rows(np.isin(scores.columns["task"], list(tasks)))
    assessors = _assessors(collection, scores)
    judged = _judged(collection, scores, measures)
    known = assessors != ""
    places = years_of_topics(collection)
    years = _years(scores, places, collection.name)
    table = _with(scores, assessor=assessors, collection=years)
    judgments, others = table.rows(judged & known), _with(table.rows(~judged), assessor=None)
    taken = {summary.task for summary in collection.summaries} if not tasks else set(tasks)
    texts = [summary for summary in collection.summaries if summary.task in taken]
    return Panel(
        judgments=judgments,
        metrics=others,
        pairs=pairs_by_year(texts, places, collection.name),
        compared=compared_by_year(texts, places, collection.name),
        scales=_scales(collection, judgments),
        categories={
            (year, topic.id): topic.category
            for topic in collection.topics
            if topic.category
            for year in places.get(topic.id, (collection.name,))
        },
        left_out=(
            *collection.left_out,
            *_unknown(table.rows(judged & ~known), collection.name),
            *wordless(texts, collection.name),
        ),
        declared=collection.measures,
    )


def _assessors(collection: Collection, scores: Scores) -> Texts:
    """Complete the assessors of rows by those of their topics."""
    named = {topic.id: topic.assessor for topic in collection.topics}
    own = scores.columns["assessor"]
    return text_column(
        assessor or named.get(topic, "")
        for assessor, topic in zip(own, scores.columns["topic"], strict=True)
    )


def _judged(collection: Collection, scores: Scores, measures: Sequence[str]) -> Bools:
    """Tell which rows are people's judgments, with or without a known assessor."""
    if measures:
        wanted = set(measures)
    else:
        column, assessor = scores.columns["measure"], scores.columns["assessor"]
        known = (name for name in scores.measures if _is_judged(collection, name))
        wanted = {*column[assessor != ""], *known}
    return np.fromiter((name in wanted for name in scores.columns["measure"]), bool, len(scores))


def _is_judged(collection: Collection, measure: str) -> bool:
    if measure in collection.measures:
        return collection.measures[measure].human
    return measure in collection.scales or is_human(measure)


def _with(scores: Scores, **columns: Texts | None) -> Scores:
    """Replace columns of a table; `None` empties one."""
    kept = {name: scores.columns[name] for name in TEXT_COLUMNS if name not in columns}
    given = {name: column for name, column in columns.items() if column is not None}
    return Scores({**kept, **given}, scores.value)


def cell_means(cells: Ints, values: Floats, shape: tuple[int, int]) -> Floats:
    """Average the values of each numbered cell of a table; NaN where there are none."""
    # Sums in the order of the values do not depend on that of the rows.
    order, size = np.lexsort((values, cells)), shape[0] * shape[1]
    counts = np.bincount(cells, minlength=size)
    totals = np.bincount(cells[order], values[order], minlength=size)
    means = np.full(size, np.nan)
    np.divide(totals, counts, out=means, where=counts > 0)
    return means.reshape(shape)


def text_column(values: Iterable[str]) -> Texts:
    """Make a column of texts."""
    listed = list(values)
    column = np.empty(len(listed), dtype=object)
    column[:] = listed
    return column


def _years(scores: Scores, places: Mapping[str, tuple[str, ...]], name: str) -> Texts:
    """Complete the years of rows by the only year of their topics, else the collection's name."""
    only = {topic: years[0] for topic, years in places.items() if len(years) == 1}
    columns = scores.columns["collection"], scores.columns["topic"]
    return text_column(year or only.get(topic, name) for year, topic in zip(*columns, strict=True))


def _scales(collection: Collection, judgments: Scores) -> dict[tuple[str, str], Scale]:
    known = {**SCALES, **collection.scales}
    return {
        (year, measure): known[measure]
        for year in judgments.distinct("collection")
        for measure in judgments.measures
        if measure in known
    }


def _unknown(rows: Scores, name: str) -> Iterator[str]:
    for measure in rows.measures:
        count = len(rows.select(measure=measure))
        yield f"{name}, {measure}: {count} judgments whose assessor is not known"


#: A scale with more values than this is not shown value by value.
MOST_VALUES = 11


@dataclass(frozen=True, slots=True)
class MeasureLevel:
    """At which level a measure's values are compared."""

    level: Level
    reason: str
    values: tuple[float, ...] = ()


def level_of(
    panel: Panel, collection: str | None, measure: str, *, level: Level | None = None
) -> MeasureLevel:
    """Tell at which level a measure is to be compared.

    The papers use both: their section on Krippendorff's alpha says ordinal, their table of
    assessors says interval (reading 13). Here a level that is asked for holds; else a scale
    with steps is ordinal, as are few whole numbers without a scale, and anything else interval.
    """
    given = np.unique(panel.of(collection, measure).value)
    scale = panel.scale(collection, measure)
    values = _values(given, scale)
    if level is not None:
        return MeasureLevel(level, "asked for", values)
    if scale is not None:
        ends = f"its scale, {scale.low:g} to {scale.high:g},"
        if scale.step:
            return MeasureLevel("ordinal", f"{ends} has steps", values)
        return MeasureLevel("interval", f"{ends} has no steps", values)
    if len(given) <= MOST_VALUES and np.array_equal(given, np.round(given)):
        ends = f"{given[0]:g} to {given[-1]:g}"
        return MeasureLevel("ordinal", f"no scale is known, whole numbers from {ends}", values)
    return MeasureLevel("interval", "no scale is known, not a few whole numbers", values)


def _values(given: Floats, scale: Scale | None) -> tuple[float, ...]:
    """List the values of a scale with few steps, or those that were given if they are few."""
    few = tuple(given.tolist()) if len(given) <= MOST_VALUES else ()
    if scale is not None and scale.step:
        steps = round((scale.high - scale.low) / scale.step)
        whole = scale.low + scale.step * np.arange(steps + 1)
        on_scale = all(map(scale.allows, given.tolist()))
    else:
        close = few and given[-1] - given[0] < MOST_VALUES
        whole = np.arange(given[0], given[-1] + 1) if close else given
        on_scale = np.array_equal(given, np.round(given))
    return tuple(whole.tolist()) if on_scale and len(whole) <= MOST_VALUES else few
