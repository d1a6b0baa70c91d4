"""Judgments with their assessors and times, identical summaries, and levels of measurement."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import SCALES, Collection, Measure, Scale, Scores, Summary
from pyramidion.collection.ids import grouped, natural_order, natural_orders
from pyramidion.collection.measures import is_human
from pyramidion.comparison.common import rows_of
from pyramidion.comparison.measure_tables import require_computable
from pyramidion.errors import InputError
from pyramidion.questions import Options, option
from pyramidion.questions.common import confidence_option, resamples_option
from pyramidion.stats import Level

#: The second factor in the model of severity.
SecondFactor = Literal["category", "topic", "nothing"]


@dataclass(frozen=True, slots=True)
class StudyOptions(Options):
    """How assessors are checked."""

    measures: tuple[str, ...] = option(
        (), "Human measures to check, comma-separated; all by default.", flags=("--measures", "-m")
    )
    task: tuple[str, ...] = option((), "Tasks to include, comma-separated; all by default.")
    level: Level | None = option(
        None, "Level of measurement for Krippendorff's alpha: nominal, ordinal, interval or "
        "ratio; by default, ordinal if the scale has steps, and interval otherwise.",
    )  # fmt: skip
    beside: SecondFactor | None = option(
        None, "Second factor in the model of assessor severity: category, topic or nothing; by "
        "default, categories if topics have any, and otherwise the topics that assessors share.",
    )  # fmt: skip
    manual: str = option(
        "", "Manual pyramid score; pyramid-modified by default.", metavar="MEASURE"
    )
    automatic: str = option(
        "", "Automatic pyramid score to compare the manual one with; by default pyramid-match, "
        "computed from the annotated pyramids.", metavar="MEASURE",
    )  # fmt: skip
    contingency: bool = option(
        False, "List how often each pair of values was given to identical summaries.",
        flags=("--contingency",),
    )  # fmt: skip
    confidence_level: float = confidence_option("Confidence level of the intervals.")
    n_resamples: int = resamples_option(
        1000, "Number of bootstrap resamples of topics for the intervals of alpha."
    )
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)


#: The defaults.
DEFAULT_OPTIONS = StudyOptions()

_DAY_SECONDS = 86_400.0


class Moments(NamedTuple):
    """Times as numbers; NaN if missing or unreadable."""

    values: Floats
    unit: str
    unreadable: int = 0


def read_moments(texts: Sequence[str]) -> Moments:
    """Read times: dates of ISO 8601, or numbers such as seconds or positions.

    A date without a time zone is taken as UTC.
    """
    units, values = zip(*map(_moment, texts), strict=True) if texts else ((), ())
    examples = {unit: text for unit, text in zip(units[::-1], texts[::-1], strict=True) if unit}
    if len(examples) > 1:
        examples_text = f"{examples['day']} and {examples['1']}"
        hint = "use one format for all of them"
        raise InputError(f"the times are dates and numbers, such as {examples_text}", hint=hint)
    n_unreadable = sum(bool(text) and not unit for unit, text in zip(units, texts, strict=True))
    return Moments(np.array(values, dtype=np.float64), next(iter(examples), ""), n_unreadable)


def _moment(text: str) -> tuple[str, float]:
    """Return the unit and the value of a time; NaN if it cannot be read."""
    number = math.nan
    with suppress(ValueError):
        number = float(text)
    # Eight digits may be a date without dashes.
    if math.isnan(number) or (len(text) == 8 and text.isdecimal()):
        with suppress(ValueError):
            date = datetime.fromisoformat(text)
            return "day", date.replace(tzinfo=date.tzinfo or UTC).timestamp() / _DAY_SECONDS
    return ("1", number) if math.isfinite(number) else ("", math.nan)


_WORD_PATTERN = re.compile("[a-z0-9]+")


class IdenticalPair(NamedTuple):
    """Two systems with the same summary of a topic for a task."""

    task: str
    topic: str
    first: str
    second: str


def word_sequence(text: str) -> tuple[str, ...]:
    """Return the runs of a-z and 0-9 in lowercase, which identical summaries share."""
    return tuple(_WORD_PATTERN.findall(text.lower()))


def identical_pairs(summaries: Iterable[Summary]) -> list[IdenticalPair]:
    """Pair the systems whose summaries of a topic and task have the same words in the same order.

    Three identical summaries give three pairs. Summaries without words and references that are not
    scored are not paired.
    """
    word_sequences = ((s, word_sequence(s.plain)) for s in summaries if s.is_peer)
    groups = grouped(((s.task, s.topic, words), s.system) for s, words in word_sequences if words)
    pairs = (
        IdenticalPair(task, topic, first, second)
        for (task, topic, _), systems in groups.items()
        for first, second in combinations(sorted(systems, key=natural_order), 2)
    )
    return sorted(pairs, key=natural_orders)


def years_of_topics(collection: Collection) -> dict[str, tuple[str, ...]]:
    """Return the years in which each topic has scores; summaries do not name theirs."""
    years: dict[str, list[str]] = grouped(set(rows_of(collection.scores, "topic", "collection")))
    return {
        topic: tuple(sorted({*names} - {""} or {collection.name}, key=natural_order))
        for topic, names in years.items()
    }


@dataclass(frozen=True, eq=False)
class Panel:
    """Judgments and their assessors."""

    judgments: Scores
    metrics: Scores
    pairs: Mapping[str, Sequence[IdenticalPair]]
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
        """The judged measures."""
        return self.judgments.measures

    def of(self, collection: str | None, measure: str) -> Scores:
        """Return the judgments of a measure, in one year or in all."""
        measure_judgments = self.judgments.select(measure=measure)
        return (
            measure_judgments
            if collection is None
            else measure_judgments.select(collection=collection)
        )

    def assessors(self, collection: str | None, measure: str) -> tuple[str, ...]:
        """Return the assessors of a measure."""
        return self.of(collection, measure).distinct("assessor")

    def spans(self) -> tuple[str | None, ...]:
        """Return the years, and `None` for all together if there are several."""
        return (*self.collections, None) if len(self.collections) > 1 else self.collections

    def judged_measures(self) -> Iterator[tuple[str | None, str]]:
        """Yield years with their measures, then all years for measures that can be pooled."""
        for collection in self.spans():
            for measure in self.measures:
                if (collection or self.same_scale(measure)) and len(self.of(collection, measure)):
                    yield collection, measure

    def scale(self, collection: str | None, measure: str) -> Scale | None:
        """Return the scale of a measure; for all years, only if they share one."""
        scales = self._scales(measure, self.collections if collection is None else (collection,))
        return scales.pop() if len(scales) == 1 else None

    def same_scale(self, measure: str) -> bool:
        """Return whether all years judge a measure on one scale and can be pooled."""
        return len(self._scales(measure, self.collections)) <= 1

    def _scales(self, measure: str, years: Iterable[str]) -> set[Scale | None]:
        """Return the scales of a measure in the years that judge it; None if unknown."""
        return {self.scales.get((year, measure)) for year in years if len(self.of(year, measure))}


def gather_panel(
    collections: Sequence[Collection], *, measures: Sequence[str] = (), tasks: Sequence[str] = ()
) -> Panel:
    """Collect the judgments of one or several collections, each with its assessor.

    The assessor is named by the judgment, or else by its topic. The year is named by the column
    `collection`, or else by the collection.
    """
    for name, count in Counter(collection.name for collection in collections).items():
        if count > 1:
            hint = "give each year a different name"
            raise InputError(f"{count} collections are called {name!r}", hint=hint)
    judgments: list[Scores] = []
    metrics: list[Scores] = []
    left_out: list[str] = []
    pairs: dict[str, list[IdenticalPair]] = {}
    identical_counts: dict[str, int] = {}
    scales: dict[tuple[str, str], Scale] = {}
    categories: dict[tuple[str, str], str] = {}
    category_measures: dict[str, Measure] = {}
    for collection in collections:
        scores, name = collection.scores, collection.name
        if tasks:
            scores = scores.rows(np.isin(scores.columns["task"], list(tasks)))
        years = years_of_topics(collection)
        table = _fill_in(collection, scores, years)
        is_judgment = np.isin(
            table.columns["measure"], list(measures or _human_measures(collection, scores))
        )
        has_assessor = table.columns["assessor"] != ""
        judged_rows, automatic_rows = (
            table.rows(is_judgment & has_assessor),
            table.rows(~is_judgment),
        )
        judgments.append(judged_rows)
        metrics.append(
            Scores(
                {**automatic_rows.columns, "assessor": [""] * len(automatic_rows)},
                automatic_rows.value,
            )
        )
        texts = [s for s in collection.summaries if s.is_peer and (not tasks or s.task in tasks)]
        topics_with_words = [s.topic for s in texts if word_sequence(s.plain)]
        pairs |= grouped(
            (year, pair)
            for pair in identical_pairs(texts)
            for year in years.get(pair.topic, (name,))
        )
        identical_counts |= Counter(
            year for topic in topics_with_words for year in years.get(topic, (name,))
        )
        known_scales = {**SCALES, **collection.scales}
        scales |= {
            (year, measure): known_scales[measure]
            for year in judged_rows.distinct("collection")
            for measure in judged_rows.measures
            if measure in known_scales
        }
        categories |= {
            (year, topic.id): topic.category
            for topic in collection.topics
            if topic.category
            for year in years.get(topic.id, (name,))
        }
        category_measures |= collection.measures
        left_out += [
            *collection.left_out,
            *_unknown_assessors(table.rows(is_judgment & ~has_assessor), name),
        ]
        if n_empty := len(texts) - len(topics_with_words):
            left_out.append(f"{name}: {n_empty} summaries without a word, which are not compared")
    scores = Scores.concatenate(collection.scores for collection in collections)
    for column, values in (("measure", measures), ("task", tasks)):
        for value in values:
            scores.require(column, value)
    panel = Panel(
        Scores.concatenate(judgments), Scores.concatenate(metrics), pairs, identical_counts, scales,
        categories, tuple(left_out), category_measures,
    )  # fmt: skip
    if not len(panel.judgments):
        names = ", ".join(collection.name for collection in collections)
        hint = "fill in the column `assessor` of the scores, or give topics an `assessor`"
        raise InputError(f"there are no judgments with an assessor in {names}", hint=hint)
    for measure in panel.measures:
        require_computable(panel.of(None, measure).value, measure)
    return panel


def _fill_in(
    collection: Collection, scores: Scores, years: Mapping[str, tuple[str, ...]]
) -> Scores:
    """Fill in missing assessors from topics, and years from a topic's only year or the name."""
    assessors = {topic.id: topic.assessor for topic in collection.topics}
    only_year = {topic: names[0] for topic, names in years.items() if len(names) == 1}
    rows = list(rows_of(scores, "assessor", "collection", "topic"))
    completed_scores = {
        "assessor": [assessor or assessors.get(topic, "") for assessor, _, topic in rows],
        "collection": [year or only_year.get(topic, collection.name) for _, year, topic in rows],
    }
    return Scores({**scores.columns, **completed_scores}, scores.value)


def _human_measures(collection: Collection, scores: Scores) -> Iterator[str]:
    """Name human measures: with an assessor, declared as human, or known as such."""
    assessed_measures = {*scores.columns["measure"][scores.columns["assessor"] != ""]}
    for name in scores.measures:
        definition = collection.measures.get(name)
        human = definition.human if definition else name in collection.scales or is_human(name)
        if name in assessed_measures or human:
            yield name


def _unknown_assessors(rows: Scores, name: str) -> Iterator[str]:
    for measure in rows.measures:
        count = len(rows.select(measure=measure))
        yield f"{name}, {measure}: {count} judgments whose assessor is not known"


#: A scale with more values than this is not shown value by value.
MAX_VALUES = 11


@dataclass(frozen=True, slots=True)
class MeasureLevel:
    """The level of measurement, the reason for it, and the values if they are few."""

    level: Level
    reason: str
    values: tuple[float, ...] = ()


def level_of(
    panel: Panel, collection: str | None, measure: str, *, level: Level | None = None
) -> MeasureLevel:
    """Return the level of measurement of a measure.

    The papers use both: their section on Krippendorff's alpha says ordinal, their table of
    assessors says interval (reading 13). Unless a level is given, a scale with steps is ordinal,
    as are few whole numbers without a scale; anything else is interval.
    """
    observed_values = np.unique(panel.of(collection, measure).value)
    scale = panel.scale(collection, measure)
    values = _values(observed_values, scale)
    if level is not None:
        return MeasureLevel(level, "requested", values)
    if scale is not None:
        steps = "has steps" if scale.step else "has no steps"
        reason = f"its scale, {scale.low:g} to {scale.high:g}, {steps}"
        return MeasureLevel("ordinal" if scale.step else "interval", reason, values)
    if len(observed_values) <= MAX_VALUES and np.array_equal(
        observed_values, np.round(observed_values)
    ):
        ends = f"{observed_values[0]:g} to {observed_values[-1]:g}"
        return MeasureLevel("ordinal", f"no scale is known, whole numbers from {ends}", values)
    return MeasureLevel(
        "interval", "no scale is known, and the values are not a few whole numbers", values
    )


def _values(values: Floats, scale: Scale | None) -> tuple[float, ...]:
    """List the values of a scale with few steps, or the observed ones if they are few."""
    shown_values = tuple(values.tolist()) if len(values) <= MAX_VALUES else ()
    if scale is not None and scale.step:
        steps = round((scale.high - scale.low) / scale.step)
        scale_points = scale.low + scale.step * np.arange(steps + 1)
        on_scale = all(map(scale.allows, values.tolist()))
    else:
        is_narrow = shown_values and values[-1] - values[0] < MAX_VALUES
        scale_points = np.arange(values[0], values[-1] + 1) if is_narrow else values
        on_scale = np.array_equal(values, np.round(values))
    return (
        tuple(scale_points.tolist())
        if on_scale and len(scale_points) <= MAX_VALUES
        else shown_values
    )
