"""Language models as judges, checked against people: what each may be used for.

Intervals leave topics out in turn (jackknife, t distribution). A judge's samples are averaged,
and so are the people who judged a summary, but for the alternative annotator test, which asks each.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from scipy.special import stdtr
from scipy.stats import false_discovery_control

from pyramidion._types import Floats, Ints
from pyramidion.collection import SCALES, Collection, Scores
from pyramidion.collection.matrix import cell_means
from pyramidion.comparison.common import both_known, known_mean, places_of, ratios, rows_of
from pyramidion.comparison.measure_tables import MetaTables, meta_tables, with_lengths
from pyramidion.errors import InputError
from pyramidion.judges._panel import StudyOptions
from pyramidion.judges._severity import centered
from pyramidion.meta_evaluation import Agreement
from pyramidion.meta_evaluation._significance import study_significance
from pyramidion.questions import Options, option
from pyramidion.stats.mean_intervals import t_quantile
from pyramidion.stats.pairs import LARGE_BLOCK, LeftOneOut, blocks

# A share of the scale that does not matter, and what a correlation must reach.
_SMALL, _STRONG, _FAIR = 0.05, 0.7, 0.5
# The share of a judge's differences that people must find as well, and how many it takes to know.
_RIGHT, _ENOUGH = 0.8, 10
_MOST_BINS = 5


@dataclass(frozen=True, slots=True)
class JudgeCheckOptions(Options):
    """How language models are checked as judges."""

    panel: ClassVar[str] = "Language models as judges"

    judges: tuple[str, ...] = option(
        (), "Assessors to check as judges against the others, comma-separated; by default those "
        "whose assessor_kind is model.",
    )  # fmt: skip
    # With 0.2, which is proposed beside experts, crowd workers who do not correlate with SummEval's
    # experts at all pass on relevance; with 0.1 none does on any of its four measures.
    epsilon: float = option(
        0.1, "What a judge's lower cost is worth in the alternative annotator test, as a share of "
        "comparisons; its authors propose 0.1 beside crowd workers and 0.2 beside experts.",
        min=0, max=1,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval over topics."""

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan

    @property
    def text(self) -> str | None:
        """The number for people."""
        if math.isnan(self.value):
            return None
        ends = (self.value, self.low, self.high)
        value, low, high = (f"{round(one, 2) + 0.0:.2f}" for one in ends)
        return value if math.isnan(self.low) else f"{value} [{low}, {high}]"


@dataclass(frozen=True, slots=True)
class Bin:
    """People's scores of the summaries to which a judge gives about the same score."""

    judge: float
    n: int
    people: Estimate


@dataclass(frozen=True, slots=True)
class JudgePart:
    """Judge and people on one topic, or one system."""

    name: str
    n: int
    correlation: float
    difference: float


@dataclass(frozen=True, slots=True)
class HumanJudge:
    """A person beside the judge: who agrees more with the other people."""

    assessor: str
    items: int
    topics: int
    advantage: float
    p: float
    p_adjusted: float = math.nan


@dataclass(frozen=True, slots=True)
class AltTest:
    """The alternative annotator test, topics as clusters."""

    people: tuple[HumanJudge, ...] = ()
    epsilon: float = 0.1
    undefined: str = ""

    @property
    def advantage(self) -> float:
        """The mean probability that the judge agrees with the others as well as a person."""
        return known_mean(person.advantage for person in self.people)

    @property
    def winning_rate(self) -> float:
        """The share of people whom the judge could replace."""
        wins = [person.p_adjusted <= 0.05 for person in self.people]
        return sum(wins) / len(wins) if wins else math.nan

    @property
    def passed(self) -> bool:
        """Whether it could replace half of them or more."""
        return self.winning_rate >= 0.5


def alt_test(judge: Floats, people: Mapping[str, Floats], topics: Ints, epsilon: float) -> AltTest:
    """Ask whether a judge agrees with people as well as a person does.

    Each person is left out in turn; on each item the judge wins if its distance (root mean square)
    to the others is not greater. The shares of wins, averaged by topic, are compared by a one-sided
    t test, corrected after Benjamini and Yekutieli (Calderon, Reichart and Dror, ACL 2025).
    """
    if len(people) < 2:
        return AltTest((), epsilon, "it takes two people or more")
    table = np.array(list(people.values()))
    beside = (
        _beside(name, judge, table[row], np.delete(table, row, 0), topics, epsilon)
        for row, name in enumerate(people)
    )
    found = [person for person in beside if person]
    if not found:
        return AltTest((), epsilon, "no two topics that two people and the judge share")
    adjusted = false_discovery_control([person.p for person in found], method="by")
    every = (replace(one, p_adjusted=float(p)) for one, p in zip(found, adjusted, strict=True))
    return AltTest(tuple(every), epsilon)


def _beside(
    name: str, judge: Floats, own: Floats, others: Floats, topics: Ints, epsilon: float
) -> HumanJudge | None:
    kept = both_known(judge, own) & ~np.isnan(others).all(axis=0)
    if len(np.unique(topics[kept])) < 2:
        return None
    rest = others[:, kept]
    ours, theirs = (
        np.nansum((rest - one[kept]) ** 2, axis=0) / (~np.isnan(rest)).sum(axis=0)
        for one in (judge, own)
    )
    # Equal but for rounding noise.
    even = np.isclose(ours, theirs, rtol=1e-9, atol=1e-12)
    judge_wins, person_wins = even | (ours < theirs), even | (theirs < ours)
    _, places = np.unique(topics[kept], return_inverse=True)
    gaps = person_wins.astype(np.float64) - judge_wins
    means = np.bincount(places, gaps) / np.bincount(places)
    n, spread = len(means), float(means.std(ddof=1))
    t = (means.mean() - epsilon) / (spread / math.sqrt(n)) if spread else math.nan
    p = float(stdtr(n - 1, t)) if spread else float(means.mean() >= epsilon)
    return HumanJudge(name, len(gaps), n, float(judge_wins.mean()), p)


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """What a judge is worth beside people, on one measure."""

    collection: str
    task: str
    measure: str
    judge: str
    n: int
    topics: int
    systems: int
    span: float
    bias: Estimate
    within_topics: Estimate
    between_systems: Estimate
    slope: Estimate
    length: Estimate
    own_model: Estimate
    own_family: Estimate
    values_used: int
    at_ends: float
    spread: float
    calibration_error: float
    calibration: tuple[Bin, ...]
    by_topic: tuple[JudgePart, ...]
    by_system: tuple[JudgePart, ...]
    replaced: Agreement
    alternative: AltTest
    repeated: float = math.nan
    repeats: int = 0
    position: Estimate = Estimate()

    def answers(self) -> dict[str, str]:
        """Return what the judge may be used for: yes, care, no, or ? where that is not known."""
        small, own = _SMALL * self.span, self.own_family
        return {
            "ranking systems": _at_least(self.between_systems, _STRONG),
            "telling pairs apart": _finds_differences(self.replaced),
            "single summaries": _at_least(self.within_topics, _FAIR),
            "absolute scores": _near(self.bias, small),
            "a person's place": "?" if self.alternative.undefined else
                                "yes" if self.alternative.passed else "no",
            "its own family": _answer(own.high <= small, own.low <= 0, own.value),
            "unequal lengths": _near(self.length, small),
            "one order of a pair": _near(self.position, _SMALL, 0.5),
            "asking once": _answer(self.repeated >= 0.8, self.repeated >= 2 / 3, self.repeated),
        }  # fmt: skip


def _answer(yes: bool, care: bool, value: float) -> str:
    return "?" if math.isnan(value) else "yes" if yes else "care" if care else "no"


def _at_least(found: Estimate, bar: float) -> str:
    return _answer(found.low >= bar, found.value >= bar, found.value)


def _near(found: Estimate, small: float, center: float = 0.0) -> str:
    """Yes where the interval is near the center, no where it excludes it, care if it is wide."""
    low, high = found.low - center, found.high - center
    return _answer(-small <= low and high <= small, low <= 0 <= high, found.value)


def _finds_differences(found: Agreement) -> str:
    """Yes where most differences the judge finds are people's, care where they are few."""
    number = found.tp + found.fp
    fine = not found.direction_conflicts and found.precision >= _RIGHT
    return _answer(fine and number >= _ENOUGH, fine, found.precision) if number else "?"


@dataclass(frozen=True, eq=False)
class _Aligned:
    """One judge's scores beside people's, summary by summary."""

    people: Floats
    judge: Floats
    topic: Ints
    system: Ints
    names: tuple[tuple[str, ...], tuple[str, ...]]

    def summed(self, values: Floats) -> Floats:
        """Add up rows of numbers by topic."""
        sums = np.zeros((len(self.names[0]), *values.shape[1:]))
        np.add.at(sums, self.topic, values)
        return sums

    def grams(self, *columns: Floats) -> tuple[Floats, Floats]:
        """Return products of columns, summed over all topics, and without each of them."""
        stacked = np.stack(columns, axis=1)
        by_topic = self.summed(stacked[:, :, None] * stacked[:, None, :])
        left = _without_each(by_topic.reshape(len(by_topic), -1))
        return by_topic.sum(axis=0), left.reshape(by_topic.shape)

    def centered(self, values: Floats) -> Floats:
        """Take topics' means out."""
        return centered(values, self.topic)


def _estimate(value: Any, without: Any, level: float, *, fisher: bool = False) -> Estimate:
    """Return an interval from what is found without each topic; Fisher's z for correlations."""
    known = without[np.isfinite(without)]
    if math.isnan(value) or len(known) < 2:
        return Estimate(float(value))
    bound = 1 - 1e-12
    scaled = np.arctanh(np.clip(known, -bound, bound)) if fisher else known
    center = math.atanh(min(max(float(value), -bound), bound)) if fisher else float(value)
    error = math.sqrt((len(known) - 1) * float(scaled.var()))
    reach = t_quantile((1 + level) / 2, len(known) - 1) * error
    low, high = center - reach, center + reach
    ends = (math.tanh(low), math.tanh(high)) if fisher else (low, high)
    return Estimate(float(value), *ends)


def _correlation(gram: Floats) -> Floats:
    """Correlate two centered columns."""
    xx, yy, xy = gram[..., 0, 0], gram[..., 1, 1], gram[..., 0, 1]
    return ratios(xy, np.sqrt(np.maximum(xx * yy, 0)))


def _effect(own: _Aligned, extra: Floats, level: float) -> Estimate:
    """Return what something adds to a judge's score at equal human score, within topics."""
    if np.isnan(extra).any() or not np.ptp(extra):
        return Estimate()
    whole, left = own.grams(*map(own.centered, (own.people, extra, own.judge)))

    def slope(gram: Floats) -> Floats:
        a, b, c = gram[..., 0, 0], gram[..., 0, 1], gram[..., 1, 1]
        determinant = a * c - b * b
        top = a * gram[..., 1, 2] - b * gram[..., 0, 2]
        # What does not vary within topics, or only as people's scores do, has no effect to see.
        known = determinant > 1e-9 * np.maximum(a * c, 1e-300)
        return np.where(known, top / np.where(known, determinant, 1.0), np.nan)

    return _estimate(slope(whole), slope(left), level)


def _between_systems(own: _Aligned, level: float) -> Estimate:
    """Correlate systems' means, topics' means taken out, as systems may miss topics."""
    shape = len(own.names[0]), len(own.names[1])
    cells = own.topic * shape[1] + own.system
    tables = [
        np.bincount(cells, values, shape[0] * shape[1]).reshape(shape)
        for values in (np.ones(len(cells)), own.centered(own.people), own.centered(own.judge))
    ]

    def correlation(counts: Floats, *sums: Floats) -> Floats:
        there = counts > 0
        size, means = there.sum(axis=1, keepdims=True), (ratios(one, counts) for one in sums)
        x, y = (
            np.where(there, one - np.nansum(one, axis=1, keepdims=True) / size, 0.0)
            for one in means
        )
        return ratios((x * y).sum(axis=1), np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1)))

    found = correlation(*(np.ones((1, shape[0])) @ table for table in tables))
    left = correlation(*map(_without_each, tables))
    return _estimate(found[0], left, level, fisher=True)


def _calibration(own: _Aligned, level: float) -> tuple[Bin, ...]:
    """Average people's scores where the judge gives about the same."""
    values = np.unique(own.judge)
    if len(values) > _MOST_BINS + 2:
        edges = np.unique(np.quantile(own.judge, np.linspace(0, 1, _MOST_BINS + 1)[1:-1]))
        place = np.searchsorted(edges, own.judge, side="left")
    else:
        place = np.searchsorted(values, own.judge)
    marks = (place[:, None] == np.unique(place)).astype(np.float64)
    counts, sums = own.summed(marks), own.summed(marks * own.people[:, None])
    left = ratios(_without_each(sums), _without_each(counts))
    means = ratios(sums.sum(axis=0), counts.sum(axis=0))
    return tuple(
        Bin(
            float(own.judge[marks[:, n] > 0].mean()), int(marks[:, n].sum()),
            _estimate(means[n], left[:, n], level),
        )
        for n in range(marks.shape[1])
    )  # fmt: skip


def _parts(own: _Aligned, codes: Ints, names: Sequence[str]) -> Iterator[JudgePart]:
    """Compare judge and people topic by topic, or system by system."""
    for code, name in enumerate(names):
        mask = codes == code
        if mask.any():
            x, y = own.people[mask], own.judge[mask]
            vary = mask.sum() > 1 and np.ptp(x) > 0 and np.ptp(y) > 0
            r = float(np.corrcoef(x, y)[0, 1]) if vary else math.nan
            yield JudgePart(name, int(mask.sum()), r, float((y - x).mean()))


def _without_each(by_topic: Floats | Ints) -> Floats:
    """Sum over topics (rows), each of them left out in turn."""
    topics = len(by_topic)
    weights = LeftOneOut(topics)
    rows = blocks(topics, topics, LARGE_BLOCK)
    return np.concatenate([weights[some, :] @ by_topic for some in rows])


def _family(name: str) -> str:
    """Return the letters that a model's name begins with: gpt, claude, gemini."""
    found = re.match("[a-z]+", name.lower().rpartition("/")[2])
    return found[0] if found else name.lower()


def _writers(collection: Collection, tables: MetaTables) -> list[list[str]]:
    """Name the model that wrote each summary, where that is known."""
    known = {
        (own.topic, own.system): str(own.extra.get("generator") or "")
        for own in collection.summaries
        if own.task == tables.task
    }
    if generators := collection.scores.extra.get("generator"):
        keys = rows_of(collection.scores, "topic", "system")
        known |= {key: str(name or "") for key, name in zip(keys, generators, strict=True)}
    return [
        [known.get((topic, system), "") for system in tables.systems] for topic in tables.topics
    ]


def _written_by(own: _Aligned, writers: list[list[str]], judge: str, *, family: bool) -> Floats:
    """Mark the summaries that a judge, or its family, wrote; NaN where writers are not known."""
    names = [writers[t][s] for t, s in zip(own.topic.tolist(), own.system.tolist(), strict=True)]
    if not all(names):
        return np.full(len(names), np.nan)
    words = set(re.split(r"[_/ :@]+", judge.lower()))
    words = {_family(word) for word in words} if family else words
    return np.array([(_family(one) if family else one.lower()) in words for one in names], float)


def check_judges(
    collections: Iterable[Collection], options: StudyOptions, asked: JudgeCheckOptions
) -> list[JudgeCheck]:
    """Check every language model that judged the same summaries as people."""
    found = [own for one in collections for own in _checked(one, options, asked)]
    for name in asked.judges:
        if not any(name == own.judge for own in found):
            hint = "name assessors of the scores with --judges"
            raise InputError(f"{name} judged nothing that others judged, too", hint=hint)
    return found


def _checked(
    collection: Collection, options: StudyOptions, asked: JudgeCheckOptions
) -> Iterator[JudgeCheck]:
    scores = collection.scores
    if asked.judges:
        # Assessors that are named are taken for models.
        kinds = np.where(np.isin(scores.columns["assessor"], asked.judges), "model", "")
        columns = {**scores.columns, "assessor_kind": kinds.astype(object)}
        scores = Scores(columns, scores.value, extra=scores.extra)
    if options.task:
        scores = scores.rows(np.isin(scores.columns["task"], options.task))
    models, apart = scores.by_model, scores.judges_apart()
    for measure in scores.rows(models).measures:
        names = scores.rows(models).select(measure=measure).distinct("assessor")
        judges = {named: name for name in names if (named := f"{measure}@{name}") in apart.measures}
        if not judges or (options.measures and measure not in options.measures):
            continue
        for tables in meta_tables(apart, measure, metrics=[*judges], declared=collection.measures):
            # Scores count as they were given, also where lower is better.
            sign = -1 if tables.human in tables.negated else 1
            people = scores.rows(~models).select(
                measure=measure, task=tables.task, collection=tables.collection
            )
            given = replace(with_lengths(collection, tables), truth=sign * tables.truth)
            place = _Place(collection, given, people, options, asked)
            for named, judge in judges.items():
                table = tables.metrics.get(named)
                if table is not None and both_known(tables.truth, table).sum() > 2:
                    yield place.check(measure, judge, sign * table)


@dataclass(frozen=True, eq=False)
class _Place:
    """A measure on one task of a year, with everything that its judges are checked against."""

    collection: Collection
    tables: MetaTables
    people: Scores
    options: StudyOptions
    asked: JudgeCheckOptions

    def check(self, measure: str, judge: str, table: Floats) -> JudgeCheck:
        """Check one judge."""
        tables, level = self.tables, self.options.confidence_level
        topic, system = np.nonzero(both_known(tables.truth, table))
        own = _Aligned(
            tables.truth[topic, system], table[topic, system], topic, system,
            (tables.topics, tables.systems),
        )  # fmt: skip
        n, ones = len(own.judge), np.ones(len(own.judge))
        whole, left = own.grams(ones, own.judge - own.people)
        within = own.grams(own.centered(own.people), own.centered(own.judge))
        plain = own.grams(ones, own.judge, own.people)
        bins = _calibration(own, level)
        words = None if tables.lengths is None else tables.lengths[topic, system]
        written = partial(_written_by, own, _writers(self.collection, tables), judge)
        span, ends = self._scale(measure, own)
        study = study_significance(replace(tables, metrics={judge: table}), peers="all")
        return JudgeCheck(
            tables.collection or self.collection.name, tables.task, measure, judge,
            n, len(np.unique(topic)), len(np.unique(system)), span,
            bias=_estimate(whole[0, 1] / n, ratios(left[:, 0, 1], left[:, 0, 0]), level),
            within_topics=_estimate(
                _correlation(within[0]), _correlation(within[1]), level, fisher=True
            ),
            between_systems=_between_systems(own, level),
            slope=_estimate(_slope(plain[0]), _slope(plain[1]), level),
            length=Estimate() if words is None else _effect(own, words / 100, level),
            own_model=_effect(own, written(family=False), level),
            own_family=_effect(own, written(family=True), level),
            values_used=len(np.unique(own.judge)),
            at_ends=float(np.isin(own.judge, ends).mean()),
            spread=float(own.judge.std() / own.people.std()) if np.ptp(own.people) else math.nan,
            calibration_error=sum(one.n * abs(one.people.value - one.judge) for one in bins) / n,
            calibration=bins,
            by_topic=tuple(_parts(own, topic, tables.topics)),
            by_system=tuple(_parts(own, system, tables.systems)),
            replaced=study.agreements[judge],
            alternative=self._alternative(table),
        )  # fmt: skip

    def _scale(self, measure: str, own: _Aligned) -> tuple[float, list[float]]:
        """Return the width and the ends of the scale, or of what was given."""
        scale = {**SCALES, **self.collection.scales}.get(measure)
        values = np.concatenate([own.people, own.judge])
        low, high = float(values.min()), float(values.max())
        # A scale of percent is no scale for shares.
        fits = scale and scale.low <= low and high <= scale.high
        if scale and fits and scale.high - scale.low <= 10 * max(high - low, 1e-300):
            low, high = float(scale.low), float(scale.high)
        return high - low, [low, high]

    def _alternative(self, table: Floats) -> AltTest:
        rows = self.people.rows(self.people.columns["assessor"] != "")
        cells = places_of(rows.columns["topic"], self.tables.topics) * table.shape[1]
        cells += places_of(rows.columns["system"], self.tables.systems)
        own = {
            name: cell_means(cells[mask], rows.value[mask], table.size)
            for name in rows.distinct("assessor")
            if (mask := rows.columns["assessor"] == name).any()
        }
        topics = np.indices(table.shape)[0].ravel()
        return alt_test(table.ravel(), own, topics, self.asked.epsilon)


def _slope(gram: Floats) -> Floats:
    """Regress people's scores on the judge's: 1 for a judge that needs no stretching."""
    n, x, y = gram[..., 0, 0], gram[..., 0, 1], gram[..., 0, 2]
    return ratios(n * gram[..., 1, 2] - x * y, n * gram[..., 1, 1] - x * x)


@dataclass(frozen=True, slots=True)
class Places:
    """How much the place of a summary in a pair matters to an assessor."""

    collection: str
    assessor: str
    comparisons: int
    first_wins: Estimate
    both_orders: int
    same_choice: float


def places_of_pairs(collection: Collection, options: StudyOptions) -> Iterator[Places]:
    """Return how often what is shown first wins, and whether the choice stays if sides change."""
    table = collection.preferences
    coded = table.coded
    for name in sorted({*table.columns["assessor"]} - {""}):
        kept = coded.known & (table.columns["assessor"] == name)
        if not kept.any():
            continue
        _, place = np.unique(table.columns["topic"][kept], return_inverse=True)
        wins = (coded.outcome[kept] + 1) / 2
        sums, counts = np.bincount(place, wins), np.bincount(place)
        shares = ratios(_without_each(sums), _without_each(counts))
        first = _estimate(wins.mean(), shares, options.confidence_level)
        keys = zip(*(table.columns[c][kept] for c in ("task", "topic", "measure")), strict=True)
        pairs: dict[Any, tuple[set[int], set[bool]]] = {}
        ways = (coded.pair[kept], coded.oriented[kept], coded.first[kept] < coded.second[kept])
        for key, pair, choice, side in zip(keys, *(way.tolist() for way in ways), strict=True):
            choices, sides = pairs.setdefault((*key, pair), (set(), set()))
            choices.add(choice)
            sides.add(side)
        both = [len(choices) == 1 for choices, sides in pairs.values() if len(sides) == 2]
        same = sum(both) / len(both) if both else math.nan
        yield Places(collection.name, name, len(wins), first, len(both), same)
