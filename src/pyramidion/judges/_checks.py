"""Language models as judges, checked against people: what each may be used for.

Intervals are from a jackknife over topics (t distribution). A judge's samples are averaged, and so
are the people who judged a summary, except in the alternative annotator test.
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
from pyramidion.stats.pairs import LARGE_BLOCK_VALUES, LeftOneOut, blocks

# A share of the scale that is negligible, and thresholds of strong and fair correlations.
_NEGLIGIBLE_SHARE, _MIN_STRONG, _MIN_FAIR = 0.05, 0.7, 0.5
# The share of the differences found by a judge or by people that both must find, and the minimum
# number of each.
_MIN_FOUND_SHARE, _MIN_PAIRS = 0.8, 10
# Slopes at which a judge's differences are about as large as people's.
_SLOPE_BOUNDS = 0.8, 1.25
# How much lower than a person's a judge's agreement may be at the end of its interval.
_MAX_AGREEMENT_LOSS = 0.1
_MAX_CALIBRATION_BINS = 5


@dataclass(frozen=True, slots=True)
class JudgeCheckOptions(Options):
    """How language models are checked as judges."""

    panel: ClassVar[str] = "Language models as judges"

    judges: tuple[str, ...] = option(
        (), "Assessors to check as judges against the others, comma-separated; by default those "
        "whose assessor_kind is model.",
    )  # fmt: skip
    # With 0.2, proposed for experts, crowd workers who do not correlate with SummEval's experts at
    # all pass on relevance; with 0.1 none does on any of its four measures.
    epsilon: float = option(
        0.1, "How much the lower cost of a judge counts in the alternative annotator test, as a "
        "share of comparisons; its authors propose 0.1 for crowd workers and 0.2 for experts.",
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
        """The number with its interval, formatted."""
        if math.isnan(self.value):
            return None
        ends = (self.value, self.low, self.high)
        value, low, high = (f"{round(number, 2) + 0.0:.2f}" for number in ends)
        return value if math.isnan(self.low) else f"{value} [{low}, {high}]"


@dataclass(frozen=True, slots=True)
class Bin:
    """People's scores of summaries with similar scores by a judge."""

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
    """A person compared with the judge: who agrees more with the other people."""

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
    judge_r: float = math.nan
    person_r: float = math.nan
    r_difference: Estimate = Estimate()

    @property
    def advantage(self) -> float:
        """The mean probability that the judge agrees with the others as well as a person."""
        return known_mean(person.advantage for person in self.people)

    @property
    def winning_rate(self) -> float:
        """The share of people that the judge could replace."""
        wins = [person.p_adjusted <= 0.05 for person in self.people]
        return sum(wins) / len(wins) if wins else math.nan

    @property
    def passed(self) -> bool:
        """Whether the judge could replace at least half of the people."""
        return self.winning_rate >= 0.5


def alt_test(
    judge: Floats, people: Mapping[str, Floats], topics: Ints, epsilon: float, level: float
) -> AltTest:
    """Test whether a judge agrees with people as well as a person does.

    Each person is left out in turn; on each item the judge wins if its distance (root mean square)
    to the others is not greater. The shares of wins, averaged by topic, are compared by a one-sided
    t test, corrected after Benjamini and Yekutieli (Calderon, Reichart and Dror, ACL 2025).
    A judge can win by always giving a middling score, so its correlation with the others within
    topics is compared with a person's, too.
    """
    if len(people) < 2:
        return AltTest((), epsilon, "at least two people are needed")
    scores_by_person = np.array(list(people.values()))
    all_comparisons = (
        _compare_with_person(
            name, judge, scores_by_person[row], np.delete(scores_by_person, row, 0), topics, epsilon
        )
        for row, name in enumerate(people)
    )
    comparisons = [person for person in all_comparisons if person]
    if not comparisons:
        return AltTest((), epsilon, "two people and the judge do not share two topics")
    p_adjusted = false_discovery_control([person.p for person in comparisons], method="by")
    adjusted_people = (
        replace(person, p_adjusted=float(p))
        for person, p in zip(comparisons, p_adjusted, strict=True)
    )
    agreements = _agreements(judge, scores_by_person, topics, level)
    return AltTest(tuple(adjusted_people), epsilon, "", *agreements)


def _agreements(
    judge: Floats, table: Floats, topics: Ints, level: float
) -> tuple[float, float, Estimate]:
    """Correlate a judge, and each person, with the other people within topics, on average."""
    gram_correlations = []
    for row, person in enumerate(table):
        other_rows = np.delete(table, row, 0)
        is_complete = both_known(judge, person) & ~np.isnan(other_rows).all(axis=0)
        if not is_complete.any():
            continue
        means, topic = np.nanmean(other_rows[:, is_complete], axis=0), topics[is_complete]
        aligned_scores = _AlignedScores(
            means, judge[is_complete], topic, topic, (("",) * (topics.max() + 1), ())
        )
        columns = map(aligned_scores.centered, (means, judge[is_complete], person[is_complete]))
        gram_correlations.append([_correlations(gram) for gram in aligned_scores.grams(*columns)])
    # Leave out people whose scores do not vary; a judge whose scores do not vary has r = 0.
    gram_correlations = [pair for pair in gram_correlations if not math.isnan(pair[0][1])]
    if not gram_correlations:
        return math.nan, math.nan, Estimate()
    full_agreement, jackknifed_agreements = (
        np.mean([np.nan_to_num(pair[index]) for pair in gram_correlations], axis=0)
        for index in (0, 1)
    )
    difference = jackknife_estimate(
        full_agreement[0] - full_agreement[1],
        jackknifed_agreements[:, 0] - jackknifed_agreements[:, 1],
        level,
    )
    return float(full_agreement[0]), float(full_agreement[1]), difference


def _correlations(gram: Floats) -> Floats:
    """Correlate the first of three centered columns with each of the others."""
    return np.stack(
        [_correlation(gram[..., [[0], [column]], [0, column]]) for column in (1, 2)], axis=-1
    )


def _compare_with_person(
    name: str, judge: Floats, person: Floats, peers: Floats, topics: Ints, epsilon: float
) -> HumanJudge | None:
    is_complete = both_known(judge, person) & ~np.isnan(peers).all(axis=0)
    if len(np.unique(topics[is_complete])) < 2:
        return None
    peer_scores = peers[:, is_complete]
    judge_errors, person_errors = (
        np.nansum((peer_scores - scores[is_complete]) ** 2, axis=0)
        / (~np.isnan(peer_scores)).sum(axis=0)
        for scores in (judge, person)
    )
    # Equal up to rounding noise.
    is_tie = np.isclose(judge_errors, person_errors, rtol=1e-9, atol=1e-12)
    judge_wins, person_wins = (
        is_tie | (judge_errors < person_errors),
        is_tie | (person_errors < judge_errors),
    )
    _, topic_indices = np.unique(topics[is_complete], return_inverse=True)
    win_differences = person_wins.astype(np.float64) - judge_wins
    means = np.bincount(topic_indices, win_differences) / np.bincount(topic_indices)
    n, deviation = len(means), float(means.std(ddof=1))
    t = (means.mean() - epsilon) / (deviation / math.sqrt(n)) if deviation else math.nan
    p = float(stdtr(n - 1, t)) if deviation else float(means.mean() >= epsilon)
    return HumanJudge(name, len(win_differences), n, float(judge_wins.mean()), p)


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """A judge compared with people, on one measure."""

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

    def uses(self) -> tuple["Use", ...]:
        """Return what the judge may be used for, with the figures and their thresholds."""
        min_difference, own_family, pairs = (
            _NEGLIGIBLE_SHARE * self.span,
            self.own_family,
            self.replaced,
        )
        alternative = self.alternative
        passed_text = "?" if alternative.undefined else "yes" if alternative.passed else "no"
        r_difference = alternative.r_difference
        error_range = f"within ±{min_difference:.3g}"
        error = self.calibration_error
        return (
            Use("ranking systems", (_at_least(self.between_systems, _MIN_STRONG),),
                f"r of systems {self.between_systems.text}", f"at least {_MIN_STRONG}"),
            Use("telling pairs apart", (_finds_differences(pairs),),
                f"precision {_format_share(pairs.precision)}, recall "
                f"{_format_share(pairs.recall)}, "
                f"reversed {pairs.direction_conflicts}, found by the judge {pairs.tp + pairs.fp}, "
                f"by people {pairs.tp + pairs.fn}",
                f"precision and recall at least {_MIN_FOUND_SHARE}, none reversed, {_MIN_PAIRS} "
                f"found "
                "by each"),
            Use("single summaries", (_at_least(self.within_topics, _MIN_FAIR),),
                f"r within topics {self.within_topics.text}", f"at least {_MIN_FAIR}"),
            Use("absolute scores",
                (_if_near(self.bias, min_difference), _if_between(self.slope, *_SLOPE_BOUNDS),
                 _answer(error <= min_difference, False, error)),
                f"judge - people {self.bias.text}, slope {self.slope.text}, calibration error "
                f"{error:.2f}",
                f"difference {error_range}, slope {_SLOPE_BOUNDS[0]} to {_SLOPE_BOUNDS[1]}, "
                f"error at most {min_difference:.3g}"),
            Use("a person's place",
                (passed_text,
                _answer(r_difference.value >= 0 and r_difference.low >= -_MAX_AGREEMENT_LOSS,
                                 r_difference.value >= 0, r_difference.value)),
                f"could replace {alternative.winning_rate:.0%} of people, r within topics with "
                f"the others {alternative.judge_r:.2f}, a person's {alternative.person_r:.2f}, "
                f"difference {r_difference.text}",
                f"half of the people, difference at least 0 (interval above "
                f"-{_MAX_AGREEMENT_LOSS})"),
            Use("its own family",
                (_if_between(own_family, -math.inf, min_difference),),
                f"own family {own_family.text}", f"at most {min_difference:.3g}"),
            Use("unequal lengths", (_if_near(self.length, min_difference),),
                f"100 words more {self.length.text}", error_range),
            Use("one order of a pair", (_if_near(self.position, _NEGLIGIBLE_SHARE, 0.5),),
                f"first wins {self.position.text}",
                f"{0.5 - _NEGLIGIBLE_SHARE:g} to {0.5 + _NEGLIGIBLE_SHARE:g}"),
            Use("asking once",
                (_answer(self.repeated >= 0.8, self.repeated >= 2 / 3, self.repeated),),
                f"alpha {self.repeated:.2f}", "at least 0.8; with care at least 0.67"),
        )  # fmt: skip

    def answers(self) -> dict[str, str]:
        """Return what the judge may be used for: yes, care, no, or ? if unknown."""
        return {use.name: use.answer for use in self.uses()}


@dataclass(frozen=True, slots=True)
class Use:
    """Something a judge may be used for if every requirement is met."""

    name: str
    requirements: tuple[str, ...]
    figures: str
    threshold: str

    @property
    def answer(self) -> str:
        """The least favorable answer of all requirements."""
        return min(self.requirements, key=("no", "?", "care", "yes").index)


def _format_share(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"


def _answer(is_met: bool, is_likely: bool, value: float) -> str:
    return "?" if math.isnan(value) else "yes" if is_met else "care" if is_likely else "no"


def _at_least(estimate: Estimate, threshold: float) -> str:
    return _if_between(estimate, threshold, math.inf)


def _if_between(estimate: Estimate, low: float, high: float) -> str:
    """Return yes if the interval is between the bounds, care if only the estimate is."""
    is_inside = low <= estimate.low and estimate.high <= high
    return _answer(is_inside, low <= estimate.value <= high, estimate.value)


def _if_near(estimate: Estimate, tolerance: float, center: float = 0.0) -> str:
    return _if_between(estimate, center - tolerance, center + tolerance)


def _finds_differences(agreement: Agreement) -> str:
    """Return yes if judge and people mostly find the same differences; care if few."""
    n_found = agreement.tp + agreement.fp, agreement.tp + agreement.fn
    weaker_ratio = min(agreement.precision, agreement.recall)
    is_reliable = not agreement.direction_conflicts and weaker_ratio >= _MIN_FOUND_SHARE
    return (
        _answer(is_reliable and min(n_found) >= _MIN_PAIRS, is_reliable, 0.0)
        if any(n_found)
        else "?"
    )


@dataclass(frozen=True, eq=False)
class _AlignedScores:
    """One judge's and people's scores, summary by summary."""

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
        stacked_columns = np.stack(columns, axis=1)
        by_topic = self.summed(stacked_columns[:, :, None] * stacked_columns[:, None, :])
        leave_one_out = _without_each(by_topic.reshape(len(by_topic), -1))
        return by_topic.sum(axis=0), leave_one_out.reshape(by_topic.shape)

    def centered(self, values: Floats) -> Floats:
        """Subtract the means of topics."""
        return centered(values, self.topic)


def jackknife_estimate(
    value: Any, jackknifed_values: Any, level: float, *, fisher: bool = False, share: bool = False
) -> Estimate:
    """Return a jackknife interval: of correlations by Fisher's z, of shares within 0 and 1."""
    finite_values = jackknifed_values[np.isfinite(jackknifed_values)]
    if math.isnan(value) or len(finite_values) < 2:
        return Estimate(float(value))
    bound = 1 - 1e-12
    transformed_values = (
        np.arctanh(np.clip(finite_values, -bound, bound)) if fisher else finite_values
    )
    center = math.atanh(min(max(float(value), -bound), bound)) if fisher else float(value)
    error = math.sqrt((len(finite_values) - 1) * float(transformed_values.var()))
    half_width = t_quantile((1 + level) / 2, len(finite_values) - 1) * error
    low, high = center - half_width, center + half_width
    if share:
        low, high = max(low, 0.0), min(high, 1.0)
    bounds = (math.tanh(low), math.tanh(high)) if fisher else (low, high)
    return Estimate(float(value), *bounds)


def _correlation(gram: Floats) -> Floats:
    """Correlate two centered columns."""
    xx, yy, xy = gram[..., 0, 0], gram[..., 1, 1], gram[..., 0, 1]
    return ratios(xy, np.sqrt(np.maximum(xx * yy, 0)))


def _effect(aligned_scores: _AlignedScores, extra_scores: Floats, level: float) -> Estimate:
    """Return the effect of a variable on a judge's score at equal human score, within topics."""
    if np.isnan(extra_scores).any() or not np.ptp(extra_scores):
        return Estimate()
    full_grams, jackknifed_grams = aligned_scores.grams(
        *map(aligned_scores.centered, (aligned_scores.people, extra_scores, aligned_scores.judge))
    )

    def effect_of(gram: Floats) -> Floats:
        a, b, c = gram[..., 0, 0], gram[..., 0, 1], gram[..., 1, 1]
        determinant = a * c - b * b
        numerator = a * gram[..., 1, 2] - b * gram[..., 0, 2]
        # No effect can be estimated without variation within topics beyond people's scores.
        is_varying = determinant > 1e-9 * np.maximum(a * c, 1e-300)
        return np.where(is_varying, numerator / np.where(is_varying, determinant, 1.0), np.nan)

    return jackknife_estimate(effect_of(full_grams), effect_of(jackknifed_grams), level)


def _between_systems(aligned_scores: _AlignedScores, level: float) -> Estimate:
    """Correlate systems' means of topic-centered scores, as systems may miss topics."""
    shape = len(aligned_scores.names[0]), len(aligned_scores.names[1])
    cell_indices = aligned_scores.topic * shape[1] + aligned_scores.system
    tables = [
        np.bincount(cell_indices, values, shape[0] * shape[1]).reshape(shape)
        for values in (
            np.ones(len(cell_indices)),
            aligned_scores.centered(aligned_scores.people),
            aligned_scores.centered(aligned_scores.judge),
        )
    ]

    def correlations_of(counts: Floats, *sums: Floats) -> Floats:
        has_pairs = counts > 0
        size, means = (
            has_pairs.sum(axis=1, keepdims=True),
            (ratios(total, counts) for total in sums),
        )
        x, y = (
            np.where(has_pairs, mean - np.nansum(mean, axis=1, keepdims=True) / size, 0.0)
            for mean in means
        )
        return ratios((x * y).sum(axis=1), np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1)))

    observed = correlations_of(*(np.ones((1, shape[0])) @ table for table in tables))
    leave_one_out = correlations_of(*map(_without_each, tables))
    return jackknife_estimate(observed[0], leave_one_out, level, fisher=True)


def _calibration(aligned_scores: _AlignedScores, level: float) -> tuple[Bin, ...]:
    """Average people's scores in groups of similar scores by the judge."""
    values = np.unique(aligned_scores.judge)
    if len(values) > _MAX_CALIBRATION_BINS + 2:
        edges = np.unique(
            np.quantile(aligned_scores.judge, np.linspace(0, 1, _MAX_CALIBRATION_BINS + 1)[1:-1])
        )
        bin_of = np.searchsorted(edges, aligned_scores.judge, side="left")
    else:
        bin_of = np.searchsorted(values, aligned_scores.judge)
    bin_members = (bin_of[:, None] == np.unique(bin_of)).astype(np.float64)
    counts, sums = (
        aligned_scores.summed(bin_members),
        aligned_scores.summed(bin_members * aligned_scores.people[:, None]),
    )
    leave_one_out = ratios(_without_each(sums), _without_each(counts))
    means = ratios(sums.sum(axis=0), counts.sum(axis=0))
    return tuple(
        Bin(
            float(aligned_scores.judge[bin_members[:, column] > 0].mean()), int(bin_members[:,
            column].sum()),
            jackknife_estimate(means[column], leave_one_out[:, column], level),
        )
        for column in range(bin_members.shape[1])
    )  # fmt: skip


def _compare_by_part(
    aligned_scores: _AlignedScores, part_codes: Ints, names: Sequence[str]
) -> Iterator[JudgePart]:
    """Compare judge and people topic by topic, or system by system."""
    for code, name in enumerate(names):
        mask = part_codes == code
        if mask.any():
            x, y = aligned_scores.people[mask], aligned_scores.judge[mask]
            is_varying = mask.sum() > 1 and np.ptp(x) > 0 and np.ptp(y) > 0
            r = float(np.corrcoef(x, y)[0, 1]) if is_varying else math.nan
            yield JudgePart(name, int(mask.sum()), r, float((y - x).mean()))


def _without_each(by_topic: Floats | Ints) -> Floats:
    """Sum over topics (rows), leaving out each in turn."""
    topics = len(by_topic)
    weights = LeftOneOut(topics)
    rows = blocks(topics, topics, LARGE_BLOCK_VALUES)
    return np.concatenate([weights[subset, :] @ by_topic for subset in rows])


def _family(name: str) -> str:
    """Return the letters that a model's name begins with: gpt, claude, gemini."""
    match = re.match("[a-z]+", name.lower().rpartition("/")[2])
    return match[0] if match else name.lower()


def _summary_writers(collection: Collection, tables: MetaTables) -> list[list[str]]:
    """Name the model that wrote each summary, if known."""
    writers = {
        (summary.topic, summary.system): str(summary.extra.get("generator") or "")
        for summary in collection.summaries
        if summary.task == tables.task
    }
    if generators := collection.scores.extra.get("generator"):
        keys = rows_of(collection.scores, "topic", "system")
        writers |= {key: str(name or "") for key, name in zip(keys, generators, strict=True)}
    return [
        [writers.get((topic, system), "") for system in tables.systems] for topic in tables.topics
    ]


def _written_by_judge(
    aligned_scores: _AlignedScores, writers: list[list[str]], judge: str, *, family: bool
) -> Floats:
    """Mark the summaries written by a judge or its family with 1; NaN if writers are unknown."""
    names = [
        writers[t][s]
        for t, s in zip(aligned_scores.topic.tolist(), aligned_scores.system.tolist(), strict=True)
    ]
    if not all(names):
        return np.full(len(names), np.nan)
    name_parts = set(re.split(r"[_/ :@]+", judge.lower()))
    name_parts = {_family(word) for word in name_parts} if family else name_parts
    return np.array(
        [(_family(writer) if family else writer.lower()) in name_parts for writer in names], float
    )


def check_judges(
    collections: Iterable[Collection], options: StudyOptions, judging: JudgeCheckOptions
) -> list[JudgeCheck]:
    """Check every language model that judged the same summaries as people."""
    checks = [
        check for collection in collections for check in _check_judges(collection, options, judging)
    ]
    for name in judging.judges:
        if not any(name == check.judge for check in checks):
            hint = "name assessors of the scores with --judges"
            raise InputError(f"{name} did not judge anything that others judged", hint=hint)
    return checks


def _check_judges(
    collection: Collection, options: StudyOptions, judging: JudgeCheckOptions
) -> Iterator[JudgeCheck]:
    scores = collection.scores
    if judging.judges:
        # Named assessors are treated as models.
        kinds = np.where(np.isin(scores.columns["assessor"], judging.judges), "model", "")
        columns = {**scores.columns, "assessor_kind": kinds.astype(object)}
        scores = Scores(columns, scores.value, extra=scores.extra)
    if options.task:
        scores = scores.rows(np.isin(scores.columns["task"], options.task))
    models, separate_scores = scores.by_model, scores.judges_apart()
    for measure in scores.rows(models).measures:
        names = scores.rows(models).select(measure=measure).distinct("assessor")
        judges = {
            judge_name: name
            for name in names
            if (judge_name := f"{measure}@{name}") in separate_scores.measures
        }
        if not judges or (options.measures and measure not in options.measures):
            continue
        for tables in meta_tables(
            separate_scores, measure, metrics=[*judges], declared=collection.measures
        ):
            # Scores keep their direction, even if lower is better.
            sign = -1 if tables.human in tables.negated else 1
            people = scores.rows(~models).select(
                measure=measure, task=tables.task, collection=tables.collection
            )
            oriented_tables = replace(with_lengths(collection, tables), truth=sign * tables.truth)
            checker = _JudgeChecker(collection, oriented_tables, people, options, judging)
            for judge_name, judge in judges.items():
                table = tables.metrics.get(judge_name)
                if table is not None and both_known(tables.truth, table).sum() > 2:
                    yield checker.check(measure, judge, sign * table)


@dataclass(frozen=True, eq=False)
class _JudgeChecker:
    """Checks judges of a measure on one task of a year."""

    collection: Collection
    tables: MetaTables
    people: Scores
    options: StudyOptions
    judging: JudgeCheckOptions

    def check(self, measure: str, judge: str, table: Floats) -> JudgeCheck:
        """Check one judge."""
        tables, level = self.tables, self.options.confidence_level
        topic, system = np.nonzero(both_known(tables.truth, table))
        aligned_scores = _AlignedScores(
            tables.truth[topic, system], table[topic, system], topic, system,
            (tables.topics, tables.systems),
        )  # fmt: skip
        n, weights = len(aligned_scores.judge), np.ones(len(aligned_scores.judge))
        full_grams, jackknifed_grams = aligned_scores.grams(
            weights, aligned_scores.judge - aligned_scores.people
        )
        centered_grams = aligned_scores.grams(
            aligned_scores.centered(aligned_scores.people),
            aligned_scores.centered(aligned_scores.judge),
        )
        plain_grams = aligned_scores.grams(weights, aligned_scores.judge, aligned_scores.people)
        bins = _calibration(aligned_scores, level)
        summary_lengths = None if tables.lengths is None else tables.lengths[topic, system]
        written_share = partial(
            _written_by_judge, aligned_scores, _summary_writers(self.collection, tables), judge
        )
        span, ends = self._scale(measure, aligned_scores)
        spread = aligned_scores.people.std()
        verdicts = study_significance(replace(tables, metrics={judge: table}), peers="all")
        return JudgeCheck(
            tables.collection or self.collection.name, tables.task, measure, judge,
            n, len(np.unique(topic)), len(np.unique(system)), span,
            bias=jackknife_estimate(full_grams[0, 1] / n,
                           ratios(jackknifed_grams[:, 0, 1], jackknifed_grams[:, 0, 0]), level),
            within_topics=jackknife_estimate(
                _correlation(centered_grams[0]), _correlation(centered_grams[1]), level, fisher=True
            ),
            between_systems=_between_systems(aligned_scores, level),
            slope=jackknife_estimate(_slope(plain_grams[0]), _slope(plain_grams[1]), level),
            length=Estimate() if summary_lengths is None else _effect(aligned_scores,
            summary_lengths / 100, level),
            own_model=_effect(aligned_scores, written_share(family=False), level),
            own_family=_effect(aligned_scores, written_share(family=True), level),
            values_used=len(np.unique(aligned_scores.judge)),
            at_ends=float(np.isin(aligned_scores.judge, ends).mean()),
            spread=(
                float(aligned_scores.judge.std() / spread)
                if np.ptp(aligned_scores.people)
                else math.nan
            ),
            calibration_error=sum(bin.n * abs(bin.people.value - bin.judge) for bin in bins) / n,
            calibration=bins,
            by_topic=tuple(_compare_by_part(aligned_scores, topic, tables.topics)),
            by_system=tuple(_compare_by_part(aligned_scores, system, tables.systems)),
            replaced=verdicts.agreements[judge],
            alternative=self._alternative(table),
        )  # fmt: skip

    def _scale(self, measure: str, aligned_scores: _AlignedScores) -> tuple[float, list[float]]:
        """Return the width and the ends of the scale, or of the observed values."""
        scale = {**SCALES, **self.collection.scales}.get(measure)
        values = np.concatenate([aligned_scores.people, aligned_scores.judge])
        low, high = float(values.min()), float(values.max())
        # A scale of percents does not fit shares.
        is_inside = scale and scale.low <= low and high <= scale.high
        if scale and is_inside and scale.high - scale.low <= 10 * max(high - low, 1e-300):
            low, high = float(scale.low), float(scale.high)
        return high - low, [low, high]

    def _alternative(self, table: Floats) -> AltTest:
        rows = self.people.rows(self.people.columns["assessor"] != "")
        cell_indices = places_of(rows.columns["topic"], self.tables.topics) * table.shape[1]
        cell_indices += places_of(rows.columns["system"], self.tables.systems)
        scores_by_person = {
            name: cell_means(cell_indices[mask], rows.value[mask], table.size)
            for name in rows.distinct("assessor")
            if (mask := rows.columns["assessor"] == name).any()
        }
        topics = np.indices(table.shape)[0].ravel()
        level = self.options.confidence_level
        return alt_test(table.ravel(), scores_by_person, topics, self.judging.epsilon, level)


def _slope(gram: Floats) -> Floats:
    """Return the slope of people's scores on the judge's; 1 is ideal."""
    n, x, y = gram[..., 0, 0], gram[..., 0, 1], gram[..., 0, 2]
    return ratios(n * gram[..., 1, 2] - x * y, n * gram[..., 1, 1] - x * x)


@dataclass(frozen=True, slots=True)
class PositionEffect:
    """The effect of the position of a summary in a pair on an assessor."""

    collection: str
    assessor: str
    comparisons: int
    first_wins: Estimate
    both_orders: int
    same_choice: float


def position_effects(collection: Collection, options: StudyOptions) -> Iterator[PositionEffect]:
    """Return how often the first summary wins, and whether swapping sides changes the choice."""
    table = collection.preferences
    coded_choices = table.coded
    for name in sorted({*table.columns["assessor"]} - {""}):
        is_judge_row = coded_choices.order_known & (table.columns["assessor"] == name)
        if not is_judge_row.any():
            continue
        _, topic_codes = np.unique(table.columns["topic"][is_judge_row], return_inverse=True)
        wins = (coded_choices.outcome[is_judge_row] + 1) / 2
        sums, counts = np.bincount(topic_codes, wins), np.bincount(topic_codes)
        shares = ratios(_without_each(sums), _without_each(counts))
        first_win_rate = jackknife_estimate(
            wins.mean(), shares, options.confidence_level, share=True
        )
        keys = zip(
            *(table.columns[column][is_judge_row] for column in ("task", "topic", "measure")),
            strict=True,
        )
        pairs: dict[Any, tuple[set[int], set[bool]]] = {}
        columns = (
            coded_choices.pair[is_judge_row],
            coded_choices.oriented[is_judge_row],
            coded_choices.first[is_judge_row] < coded_choices.second[is_judge_row],
        )
        for key, pair, choice, side in zip(
            keys, *(column.tolist() for column in columns), strict=True
        ):
            choices, sides = pairs.setdefault((*key, pair), (set(), set()))
            choices.add(choice)
            sides.add(side)
        same_choices = [len(choices) == 1 for choices, sides in pairs.values() if len(sides) == 2]
        agreement_rate = sum(same_choices) / len(same_choices) if same_choices else math.nan
        yield PositionEffect(
            collection.name, name, len(wins), first_win_rate, len(same_choices), agreement_rate
        )
