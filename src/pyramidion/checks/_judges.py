"""Judges whose scores are implausible."""

import math
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from statistics import NormalDist, median

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.checks import _thresholds as limits
from pyramidion.checks._kinds import new_finding
from pyramidion.checks._measured import MeasuredPart, likely_scale
from pyramidion.checks._series import correlation, find_period, is_shifted
from pyramidion.collection.findings import Finding
from pyramidion.collection.ids import brief_list, grouped

# The maximum numbers of judges of a kind that are checked one by one, and compared.
_MAX_CHECKED_JUDGES, _MAX_COMPARED_JUDGES = 10, 200

# Names of language models, and of test accounts.
_MODEL_NAME = re.compile(
    r"(.*[\W_])?(gpt|chatgpt|claude|llama|gemini|mistral|mixtral|qwen|deepseek)[\W\d_].*"
)
_TRIAL_NAME = re.compile(
    r"(test|tester|testing|test[ _-]?(user|account)|demo|dummy|admin|debug)[\d_-]*"
)

DISAGREEING_KINDS = (
    "judge who agrees with nobody", "judge with a reversed scale", "judge shifted by a row",
)  # fmt: skip


def judge_findings(
    measured_part: MeasuredPart, people: set[str], models: set[str]
) -> Iterator[Finding]:
    """Find judges whose scores of a measure are implausible; `models` are declared as such."""
    if len(measured_part.judges) < 2:
        return
    yield from _judgments_without_judge(measured_part, models)
    rows_per_judge = len(measured_part.value) / len(measured_part.judges)
    if len(measured_part.judges) >= 20 and rows_per_judge < limits.SCORES_PER_JUDGE:
        yield _rows_as_judges(measured_part)
        return
    yield from _systems_with_one_judge(measured_part, people)
    judgments = _Judgments.of(measured_part)
    yield from _judges_of_one_system(measured_part, judgments)
    yield from _unevenly_shared_judge(measured_part, judgments)
    if measured_part.is_large:
        return
    odd_scales = dict(_judges_on_other_scales(measured_part))
    yield from odd_scales.values()
    if len(measured_part.judges) <= _MAX_CHECKED_JUDGES:
        yield from _judges_with_usual_score(measured_part)
        yield from _judges_who_favor(measured_part, judgments)
    echoes = list(_identical_judges(measured_part, judgments))
    yield from echoes
    has_other_judges, other_means = judgments.beside()
    judge_and_value, n_steps = (
        (judgments.judge[has_other_judges], judgments.value[has_other_judges]),
        len(np.unique(judgments.value)),
    )
    for judge in judgments.judges if 2 < len(judgments.judges) <= _MAX_COMPARED_JUDGES else ():
        yield from _judge_findings(measured_part, judgments, judge, has_other_judges, n_steps)
        yield from _judge_who_tired(measured_part, judge, *judge_and_value, other_means)
    yield from _misnamed_judges(measured_part, models)
    for name, finding in (
        *_unvarying_judges(measured_part, judgments),
        *_judges_who_stopped(measured_part, judgments),
    ):
        if name not in odd_scales:
            odd_scales[name] = finding
            yield finding
    if not echoes:  # Copies agree with each other, and nobody else does.
        yield from _judges_with_pattern(measured_part, judgments)
        yield from _disagreeing_judges(measured_part, judgments, set(odd_scales))


def _judgments_without_judge(measured_part: MeasuredPart, models: set[str]) -> Iterator[Finding]:
    """Note scores without a judge beside those of people."""
    n_unnamed = len(measured_part.value) - sum(len(values) for _, values in measured_part.judges)
    are_models = {name for name, _ in measured_part.judges} <= models
    if n_unnamed and not are_models and len(measured_part.value) >= limits.MIN_SCORES:
        message = f"{n_unnamed} of {len(measured_part.value)} scores are without a judge (empty "
        message += "cells); fill in the column of assessors"
        yield measured_part.finding("judgments without a judge", message)


@dataclass(frozen=True, slots=True, eq=False)
class _Judgments:
    """One score for each judge and summary, in the order of the rows."""

    judge: Ints
    item: Ints
    topic: Ints
    system: Ints
    value: Floats
    judges: list[int]

    @classmethod
    def of(cls, measured_part: MeasuredPart) -> "_Judgments":
        codes, names = measured_part.codes, measured_part.names
        has_name = np.array([bool(name) for name in names["assessor"]], dtype=bool)
        rows = np.flatnonzero(has_name[codes["assessor"]])
        topic, system = codes["topic"][rows], codes["system"][rows]
        item = topic * len(names["system"]) + system
        judgment_codes = item * len(names["assessor"]) + codes["assessor"][rows]
        value = measured_part.value[rows]
        unique_keys, first_rows, inverse = np.unique(
            judgment_codes, return_index=True, return_inverse=True
        )
        if len(unique_keys) < len(judgment_codes):
            means = np.bincount(inverse, value) / np.bincount(inverse)
            first_rows = np.sort(first_rows)
            value = means[inverse[first_rows]]
            rows, topic, system, item = (
                rows[first_rows],
                topic[first_rows],
                system[first_rows],
                item[first_rows],
            )
        judge = codes["assessor"][rows]
        return cls(judge, item, topic, system, value, np.unique(judge).tolist())

    def without(self, judge: int) -> "_Judgments":
        """Leave a judge out."""
        other_rows = self.judge != judge
        arrays = (self.judge, self.item, self.topic, self.system, self.value)
        judge_, item, topic, system, value = (array[other_rows] for array in arrays)
        return _Judgments(
            judge_, item, topic, system, value, [j for j in self.judges if j != judge]
        )

    def reversed(self, judge: int) -> "_Judgments":
        """Reverse the scale of a judge."""
        rows = self.judge == judge
        reversed_values = np.where(rows, 2 * self.value[rows].mean() - self.value, self.value)
        return replace(self, value=reversed_values)

    def beside(self) -> tuple[Bools, Floats]:
        """Return the rows that others judged too, and the mean of the others."""
        _, item = np.unique(self.item, return_inverse=True)
        count, total = np.bincount(item)[item], np.bincount(item, self.value)[item]
        is_shared = count > 1
        return is_shared, (total - self.value)[is_shared] / (count[is_shared] - 1)

    def agreement(self) -> dict[int, tuple[int, float]]:
        """Return each judge's number of shared summaries and correlation with the others."""
        is_shared, usual_values = self.beside()
        if not len(usual_values):
            return dict.fromkeys(self.judges, (0, math.nan))
        judge, value = self.judge[is_shared], self.value[is_shared]
        n_codes = int(self.judge.max(initial=0)) + 1
        counts = np.bincount(judge, minlength=n_codes)
        value, usual_values = value - value.mean(), usual_values - usual_values.mean()
        mean, other_means, squares, usual_squares, products = (
            np.bincount(judge, weights, n_codes) / np.maximum(counts, 1)
            for weights in (value, usual_values, value**2, usual_values**2, value * usual_values)
        )
        # Differences of large squares leave rounding noise.
        variances, usual_variances = squares - mean**2, usual_squares - other_means**2
        is_varying = (variances > 1e-9 * squares) & (usual_variances > 1e-9 * usual_squares)
        correlations = np.full(n_codes, np.nan)
        scales = np.sqrt(np.maximum(variances * usual_variances, 0))
        np.divide(products - mean * other_means, scales, out=correlations, where=is_varying)
        return {name: (int(counts[name]), float(correlations[name])) for name in self.judges}


def _rows_as_judges(measured_part: MeasuredPart) -> Finding:
    judges = [name for name, _ in measured_part.judges]
    message = f"{len(judges)} judges of {len(measured_part.value)} scores of "
    message += f"{measured_part.title}: each row seems to have its own; if these are ids of rows "
    message += "or tasks, name another column (--columns assessor=...)"
    return new_finding("one judge for each row", f"assessors {brief_list(judges[:3])}", message)


def _judges_on_other_scales(measured_part: MeasuredPart) -> Iterator[tuple[str, Finding]]:
    """Find judges with scores that are not on the scale of the others."""
    judges = measured_part.judges
    all_values = np.concatenate([values for _, values in judges])
    ranges = np.array([(values.min(), values.max()) for _, values in judges])
    whole_shares = np.array([float((values == np.rint(values)).mean()) for _, values in judges])
    half_shares = np.array(
        [float((2 * values == np.rint(2 * values)).mean()) for _, values in judges]
    )
    for index, (name, values) in enumerate(judges):
        other_ends = np.delete(ranges, index, axis=0)
        low, high = float(other_ends[:, 0].min()), float(other_ends[:, 1].max())
        if len(values) < 5 or len(all_values) - len(values) < 5 or low == high:
            continue
        is_above = np.median(values) > high and values.max() >= 1.5 * high
        is_below = False
        if not is_above and 2 * values.max() < low + high and high >= 1.5 * values.max():
            rest_values = np.concatenate(
                [other_values for i, (_, other_values) in enumerate(judges) if i != index]
            )
            # On scales from 0, low scores of others are also below the end of a shorter scale.
            middle_value = np.median(rest_values) / 2 if len(values) >= limits.MIN_PAIRS else low
            is_below = values.max() < max(np.quantile(rest_values, 0.05), middle_value)
        scale = likely_scale(low, high)
        is_outside = (values < scale[0]) | (values > scale[1])
        is_outlying = is_outside.sum() >= 3 and is_outside.mean() >= limits.OUTSIDE_SHARE
        # Means and z-scores among whole marks.
        is_finer = np.delete(whole_shares, index).min() == 1 and half_shares[index] < 0.5
        is_outlying = is_outlying and len(values) >= limits.MIN_SCORES
        shift = values.min() - low
        # A strict or lenient judge may also use other marks of the same scale.
        is_shifted = (
            is_outside.any() and shift == values.max() - high and len(values) >= limits.MIN_PAIRS
            and np.delete(whole_shares, index).min() == 1
            and _chance_of_never(rest_end := (high if shift < 0 else low), all_values, values)
            < limits.MAX_CHANCE
        )  # fmt: skip
        is_fine = is_finer and len(values) >= limits.MIN_SCORES
        if not (is_above or is_below or is_outlying or is_shifted or is_fine):
            continue
        message = f"scores {measured_part.title} from {values.min():g} to {values.max():g}, the "
        message += f"others from {low:g} to {high:g}; are the scales the same?"
        if is_outlying and not (is_above or is_below) and is_outside.mean() < 0.9:
            message = (
                f"{int(is_outside.sum())} of {len(values)} scores of {measured_part.title} are not "
            )
            message += f"on the scale of the others, {low:g} to {high:g}, such as "
            message += f"{values[is_outside][0]:g}; are some on another scale?"
        elif is_shifted and not (is_above or is_below or is_outlying):
            message += f" It never gives {rest_end:g}, which others give often."
        elif is_finer and not (is_above or is_below or is_outlying):
            message = (
                f"scores {measured_part.title} in fractions such as {values[0]:g}, the others in "
            )
            message += "whole numbers; are these z-scores or means?"
        yield name, measured_part.about("judges on different scales", "assessor", name, message)


def _chance_of_never(score: float, all_values: Floats, values: Floats) -> float:
    """Return the chance that none of the values is a score that others give."""
    usual_share = int((all_values == score).sum()) / (len(all_values) - len(values))
    return (1 - usual_share) ** len(values)


def _judges_with_usual_score(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find judges who often give a score that others rarely give, such as a default."""
    values_by_judge = dict(measured_part.judges)
    low, high = float(measured_part.value.min()), float(measured_part.value.max())
    for name, values in values_by_judge.items():
        steps, counts = np.unique(values, return_counts=True)
        share, score = counts.max() / len(values), steps[counts.argmax()]
        other_values = np.concatenate(
            [values_of_other for other, values_of_other in values_by_judge.items() if other != name]
        )
        usual_share = float((other_values == score).mean()) if len(other_values) else 1.0
        is_fine = (
            len(steps) > limits.STEPS[1]
            and limits.MIN_HEAPED_SHARE <= share < limits.MAX_USUAL_SCORE
        )
        is_frequent = is_fine and share > limits.HEAP_RATIO * usual_share
        # A strict or lenient judge may mostly give the lowest or the highest mark.
        is_frequent |= (
            low < score < high and limits.MAJORITY_SHARE <= share < 1 and share > 3 * usual_share
        )
        if (
            is_frequent
            and counts.max() >= limits.MIN_SCORES
            and len(other_values) >= limits.MIN_PAIRS
        ):
            message = f"gives {score:g} to {share:.0%} of {len(values)} summaries for "
            message += (
                f"{measured_part.title}, others to {usual_share:.0%}; is it the default of a "
            )
            message += "slider or form, or filled in?"
            yield measured_part.about("judge with a usual score", "assessor", name, message)


def _unvarying_judges(
    measured_part: MeasuredPart, judgments: _Judgments
) -> Iterator[tuple[str, Finding]]:
    """Find judges who give the same score to everything, or to all systems of a topic."""
    n_judges = len(measured_part.names["assessor"])
    scores = np.zeros(n_judges)
    scores[judgments.judge] = judgments.value
    n_differing = np.bincount(judgments.judge, judgments.value != scores[judgments.judge], n_judges)
    n_topics, n_varying = _within_topics(judgments, n_judges)
    for judge in judgments.judges:
        name, kind = measured_part.names["assessor"][judge], ""
        if not n_differing[judge]:
            rows = judgments.judge == judge
            n_scores, other_values = (
                int(rows.sum()),
                judgments.value[np.isin(judgments.item, judgments.item[rows]) & ~rows],
            )
            other_values = (
                other_values if len(other_values) >= limits.MIN_SCORES else judgments.value[~rows]
            )
            share = np.unique(other_values, return_counts=True)[1].max(initial=0) / max(
                len(other_values), 1
            )
            if n_scores >= limits.MIN_SCORES and len(other_values) >= limits.MIN_SCORES:
                is_unusual = share <= limits.MAX_USUAL_SCORE and share**n_scores < limits.MAX_CHANCE
                is_unusual &= not _is_lenient(scores[judge], other_values)
                kind = "judge with constant scores" if is_unusual else ""
            message = f"gives {scores[judge]:g} to all {n_scores} summaries for "
            message += f"{measured_part.title}, which others tell apart"
        elif n_topics[judge] >= limits.MIN_SCORES and not n_varying[judge]:
            n_other_topics, n_other_varying = n_topics.sum() - n_topics[judge], n_varying.sum()
            kind = (
                "judge with one score for each topic"
                if n_other_varying > n_other_topics / 2
                else ""
            )
            message = f"gives the same {measured_part.title} to all systems of each of "
            message += f"{n_topics[judge]} topics"
        if kind:
            yield name, measured_part.about(kind, "assessor", name, message)


def _judges_who_favor(measured_part: MeasuredPart, judgments: _Judgments) -> Iterator[Finding]:
    """Find judges who always give one system the same score, unlike the others."""
    for judge in judgments.judges if len(judgments.judges) > 2 else ():
        is_own = judgments.judge == judge
        if not np.ptp(judgments.value[is_own]):
            continue  # reported as such
        favored = []
        for system in np.unique(judgments.system[is_own]).tolist():
            values = judgments.value[is_own & (judgments.system == system)]
            if len(values) < limits.MIN_PAIRS or np.ptp(values):
                continue
            values_of_others = judgments.value[~is_own & (judgments.system == system)]
            values_elsewhere = judgments.value[is_own & (judgments.system != system)]
            share_of_others, share_elsewhere = (
                float((scores == values[0]).mean()) if len(scores) else 1.0
                for scores in (values_of_others, values_elsewhere)
            )
            is_rare = max(share_of_others, share_elsewhere) ** len(values) < limits.MAX_CHANCE
            if is_rare and share_of_others < limits.MIN_HEAPED_SHARE:
                favored.append((system, float(values[0]), len(values), share_of_others))
        for system, score, n_topics, share_of_others in favored if len(favored) == 1 else ():
            name = measured_part.names["assessor"][judge]
            message = f"always gives {measured_part.names['system'][system]} the same "
            message += f"{measured_part.title}, {score:g} ({n_topics} topics), which others give "
            message += f"to {share_of_others:.0%}; did the judge know the system?"
            yield measured_part.about("judge who favors a system", "assessor", name, message)


def _is_lenient(score: float, other_values: Floats) -> bool:
    """Return whether a constant score is the highest one, and others often give it too."""
    is_frequent = (other_values == score).mean() >= limits.MIN_LENIENT_SHARE and len(
        np.unique(other_values)
    ) > 2
    return bool(score == other_values.max() and is_frequent)


def _judges_who_stopped(
    measured_part: MeasuredPart, judgments: _Judgments
) -> Iterator[tuple[str, Finding]]:
    """Find judges who give the same score to everything from some row on."""
    findings = []
    for judge in judgments.judges if len(judgments.judges) <= _MAX_COMPARED_JUDGES else ():
        rows = np.flatnonzero(judgments.judge == judge)
        values = judgments.value[rows]
        changes = np.flatnonzero(np.diff(values))
        n_constant = len(values) - 1 - int(changes[-1]) if len(changes) else 0
        if (
            n_constant < max(limits.MIN_PAIRS, 0.1 * len(values))
            or len(values) - n_constant < limits.MIN_SCORES
        ):
            continue
        other_values = judgments.value[
            np.isin(judgments.item, judgments.item[rows[-n_constant:]]) & (judgments.judge != judge)
        ]
        share_before = float((values[:-n_constant] == values[-1]).mean())
        usual_share = np.unique(other_values, return_counts=True)[1].max(initial=0) / max(
            len(other_values), 1
        )
        share = max(share_before, usual_share)
        if len(other_values) < limits.MIN_SCORES or share > limits.MAX_USUAL_SCORE:
            continue
        if len(values) * share**n_constant < limits.MAX_CHANCE and not _is_lenient(
            values[-1], other_values
        ):
            name = measured_part.names["assessor"][judge]
            message = (
                f"gives {values[-1]:g} for {measured_part.title} to each of the last {n_constant} "
            )
            message += f"of {len(values)} summaries, whereas others distinguish them"
            kind = "judge with constant scores at the end"
            findings.append((name, measured_part.about(kind, "assessor", name, message)))
    # If most do, the rows are sorted by score.
    yield from findings if 2 * len(findings) < len(judgments.judges) else ()


def _judge_findings(
    measured_part: MeasuredPart, judgments: _Judgments, judge: int, is_shared: Bools, n_steps: int
) -> Iterator[Finding]:
    """Find a judge who shares no summaries, skips scores, or is the median of others."""
    name, rows = measured_part.names["assessor"][judge], judgments.judge == judge
    values, n_scores = judgments.value[rows], int(rows.sum())
    if n_scores < limits.MIN_PAIRS:
        return
    if not is_shared[rows].any():
        if judgments.without(judge).beside()[0].mean() > limits.USUAL_SHARE:
            message = f"nobody else judged the same summaries ({n_scores} scores of "
            message += (
                f"{measured_part.title}), so nothing shows whether this judge agrees with others"
            )
            kind = "judge alone with the summaries"
            yield measured_part.about(kind, "assessor", name, message, rows=None)
        return
    if len(judgments.judges) <= _MAX_CHECKED_JUDGES and _is_median(judgments, judge):
        message = f"{measured_part.title} is always the median of the others; is it a judge?"
        yield measured_part.about("total among judges", "assessor", name, message)
    if n_steps > limits.STEPS[1] or n_steps - len(np.unique(values)) < 2:
        return
    other_values = judgments.value[~rows & np.isin(judgments.item, judgments.item[rows])]
    steps = np.unique(other_values)
    skipped_scores = steps[
        (steps > values.min()) & (steps < values.max()) & ~np.isin(steps, values)
    ]
    share = float(np.isin(other_values, skipped_scores).mean())
    if (
        len(steps) >= limits.STEPS[0]
        and len(skipped_scores) > 1
        and share >= limits.SKIPPED
        and (1 - share) ** n_scores < limits.MAX_CHANCE
    ):
        skipped_steps = ", ".join(f"{step:g}" for step in skipped_scores)
        message = f"never gives {skipped_steps} for {measured_part.title}, which others give to "
        message += f"{share:.0%} of the same summaries; is it another scale?"
        yield measured_part.about("judge who skips scores", "assessor", name, message)


def _judges_with_pattern(measured_part: MeasuredPart, judgments: _Judgments) -> Iterator[Finding]:
    """Find judges whose scores repeat in a pattern from row to row, whatever others give."""
    is_shared, other_means = judgments.beside()
    judges, values = judgments.judge[is_shared], judgments.value[is_shared]
    for judge in judgments.judges if len(judgments.judges) <= _MAX_CHECKED_JUDGES else ():
        scores, usual_values = values[judges == judge], other_means[judges == judge]
        # Where systems differ clearly, all judges' scores follow the order of the systems, and so
        # repeat for every topic.
        if len(scores) < limits.MIN_PAIRS or correlation(scores, usual_values) >= limits.MAX_RANDOM:
            continue
        if period := find_period(scores):
            message = (
                f"gives {measured_part.title} in a pattern that repeats after {period} summaries; "
            )
            message += "were they read?"
            name = measured_part.names["assessor"][judge]
            yield measured_part.about("judge with a pattern of scores", "assessor", name, message)


def _judge_who_tired(
    measured_part: MeasuredPart, judge: int, judges: Ints, scores: Floats, other_means: Floats
) -> Iterator[Finding]:
    """Find a judge who agrees with the others much less in the last third of the rows."""
    is_of_judge = judges == judge
    values, usual_values = scores[is_of_judge], other_means[is_of_judge]
    late_start = len(values) - len(values) // 3
    parts = slice(late_start), slice(late_start, None)
    correlation_before, correlation_after = (
        correlation(values[part], usual_values[part]) for part in parts
    )
    if late_start >= 2 * limits.MIN_PAIRS and correlation_before >= limits.MIN_AGREED:
        drop = math.atanh(min(correlation_before, 0.99)) - math.atanh(
            max(min(correlation_after, 0.99), -0.99)
        )
        error = math.sqrt(1 / (late_start - 3) + 1 / (len(values) - late_start - 3))
        late_parts = values[late_start:], usual_values[late_start:]
        # At the end of a scale, few summaries make a correlation.
        is_varied = all(
            np.unique(part, return_counts=True)[1].max() <= limits.MAX_USUAL_SCORE * len(part)
            for part in late_parts
        )
        if (
            is_varied
            and correlation_after < limits.MAX_FADED * correlation_before
            and drop > limits.FADED_Z * error
        ):
            message = (
                f"{measured_part.title} has a correlation of {correlation_before:.2f} with the "
            )
            message += f"mean of the others on the first {late_start} summaries, but of "
            message += f"{correlation_after:.2f} on the last {len(values) - late_start}; did the "
            message += "judge give up?"
            name = measured_part.names["assessor"][judge]
            yield measured_part.about("judge who stopped agreeing", "assessor", name, message)


def _is_median(judgments: _Judgments, judge: int) -> bool:
    """Return whether a judge's first scores are the medians of several others, who differ."""
    rows, n_differing = np.flatnonzero(judgments.judge == judge)[: limits.MIN_MANY], 0
    other_rows = np.isin(judgments.item, judgments.item[rows]) & (judgments.judge != judge)
    values_by_item = grouped(
        zip(judgments.item[other_rows].tolist(), judgments.value[other_rows].tolist(), strict=True)
    )
    for item, value in zip(
        judgments.item[rows].tolist(), judgments.value[rows].tolist(), strict=True
    ):
        scores = values_by_item.get(item, [])
        if len(scores) < 3 or median(scores) != value:
            return False
        n_differing += len({*scores}) > 1
    return n_differing >= limits.MIN_SCORES


def judges_who_disagree_throughout(
    parts: Sequence[MeasuredPart], flagged_judges: Container[str]
) -> Iterator[Finding]:
    """Find judges who agree with nobody on several measures, even if the others agree little."""
    parts_by_task = grouped(
        (part.task, part) for part in parts if 2 < len(part.judges) <= _MAX_CHECKED_JUDGES
    )
    for measures in parts_by_task.values() if len(parts) >= limits.SEVERAL_MEASURES else ():
        rows_by_judge: dict[str, list[tuple[int, float, float]]] = {}
        for part in measures:
            judgments = _Judgments.of(part)
            for judge, (n, r) in judgments.agreement().items():
                agreement_shares = [
                    correlation
                    for _, correlation in judgments.without(judge).agreement().values()
                    if not math.isnan(correlation)
                ]
                if n >= limits.MIN_PAIRS and agreement_shares and not math.isnan(r):
                    name = part.names["assessor"][judge]
                    rows_by_judge.setdefault(name, []).append(
                        (n, r, float(np.median(agreement_shares)))
                    )
        for name, agreement_rows in rows_by_judge.items():
            size, r, usual_correlation = (
                float(np.mean(column)) for column in zip(*agreement_rows, strict=True)
            )
            upper_limit = math.tanh(
                math.atanh(max(min(r, 0.99), -0.99)) + limits.JUDGE_Z / math.sqrt(size - 3)
            )
            odd_judges = (
                r < limits.MAX_RANDOM * usual_correlation
                and upper_limit < limits.RANDOM_UPPER_SHARE * usual_correlation
            )
            if (
                odd_judges
                and name not in flagged_judges
                and len(agreement_rows) >= limits.SEVERAL_MEASURES
            ):
                message = (
                    f"on {len(agreement_rows)} measures, the mean correlation with the others is "
                )
                message += f"{r:.2f}, while theirs is {usual_correlation:.2f}; are the scores "
                message += "random, or of other summaries?"
                rows = np.concatenate([part.rows_of("assessor", name) for part in measures])
                kind = "judge who agrees with nobody"
                yield new_finding(kind, f"assessor {name}", message, name, rows=rows)


def judges_who_exchanged_measures(
    parts: Iterable[MeasuredPart], flagged_judges: Container[str]
) -> Iterator[Finding]:
    """Find judges whose differences between two measures contradict those of all others."""
    parts_by_rows = grouped(
        ((part.task, *(codes.tobytes() for codes in part.codes.values())), part)
        for part in parts
        if 1 < len(part.judges) <= _MAX_CHECKED_JUDGES
    )
    for measures in parts_by_rows.values():
        for first, second in (
            combinations(measures, 2) if len(measures) <= _MAX_CHECKED_JUDGES else ()
        ):
            judgments = _Judgments.of(replace(first, value=first.value - second.value))
            agreement = {
                judge: (n, r)
                for judge, (n, r) in judgments.agreement().items()
                if not math.isnan(r)
            }
            if not agreement:
                continue
            judge, (n, r) = min(agreement.items(), key=lambda item: item[1][1])
            name = first.names["assessor"][judge]
            positive_correlations = [
                other_r
                for _, other_r in judgments.without(judge).agreement().values()
                if other_r > 0
            ]
            others_agree = (
                2 * len(positive_correlations) >= len(judgments.judges) - 1 or len(agreement) == 2
            )
            is_clear = n >= limits.MIN_PAIRS and _z_score(n, r) < -limits.EXCHANGED_Z
            if is_clear and others_agree and name not in flagged_judges:
                message = f"the difference between {first.title} and {second.title} has a "
                message += f"correlation of {r:.2f} with that by the others; were the two columns "
                kind = "judge who exchanged measures"
                yield first.about(kind, "assessor", name, message + "exchanged?")


def judges_shifted_throughout(
    parts: Iterable[MeasuredPart], flagged_judges: Container[str]
) -> Iterator[Finding]:
    """Find judges whose scores of several measures fit the row before or after."""
    gains: dict[tuple[str, str, int], list[float]] = {}
    for part in parts:
        if 2 < len(part.judges) <= _MAX_CHECKED_JUDGES:
            judgments = _Judgments.of(part)
            has_other_judges, other_means = judgments.beside()
            for judge in judgments.judges:
                rows = judgments.judge[has_other_judges] == judge
                values, usual_values = judgments.value[has_other_judges][rows], other_means[rows]
                if len(values) < limits.MIN_PAIRS:
                    continue
                r = correlation(values, usual_values)
                for step in (1, -1):
                    shifted_r = correlation(values[:-1], usual_values[1:]) if step == 1 else (
                        correlation(values[1:], usual_values[:-1])
                    )  # fmt: skip
                    z = (shifted_r - max(r, 0.0)) * math.sqrt((len(values) - 3) / 2)
                    judge_and_step = part.task, part.names["assessor"][judge], step
                    gains.setdefault(judge_and_step, []).append(z)
    for (_, name, step), z_scores in gains.items():
        if len(z_scores) >= limits.SEVERAL_MEASURES and name not in flagged_judges and (
            min(z_scores) > 0 and float(np.mean(z_scores)) > limits.SHIFTED_THROUGHOUT_Z
        ):  # fmt: skip
            message = f"on {len(z_scores)} measures, the scores fit those of the others in the "
            message += f"{'next' if step == 1 else 'previous'} row better than in their own; were "
            message += "rows shifted by one?"
            yield new_finding("judge shifted by a row", f"assessor {name}", message, name)


def judges_with_same_measures(parts: Iterable[MeasuredPart]) -> Iterator[Finding]:
    """Find judges who give two measures the same scores, although others do not."""
    for first, second in pairwise(parts):
        codes = first.codes["assessor"]
        if first.task != second.task or len(first.judges) < 2 or len(codes) != len(second.value):
            continue
        if any((first.codes[name] != second.codes[name]).any() for name in first.codes):
            continue
        is_equal = first.value == second.value
        for name, values in first.judges:
            rows = codes == first.names["assessor"].index(name)
            has_enough = len(values) >= limits.MIN_PAIRS and len(np.unique(values)) > 2
            if (
                has_enough
                and is_equal[rows].all()
                and is_equal[~rows].mean() < limits.MAX_USUAL_SCORE
            ):
                message = f"{second.title} is the same as {first.title} on all {len(values)} "
                message += "summaries, unlike those of others; was it filled in without reading?"
                kind = "judge with one score for two measures"
                yield second.about(kind, "assessor", name, message)


def _misnamed_judges(measured_part: MeasuredPart, models: set[str]) -> Iterator[Finding]:
    """Find language models among people, and test accounts, by their names."""
    for pattern, kind, message in (
        (_MODEL_NAME, "language model among people", "judging by its name, it is a language model"),
        (_TRIAL_NAME, "test account among judges", "judging by its name, it is a test account"),
    ):
        judges = [(name, values) for name, values in measured_part.judges if name not in models]
        odd_judges = [
            (name, values) for name, values in judges if pattern.fullmatch(name.casefold())
        ]
        for name, values in odd_judges if 2 * len(odd_judges) <= len(measured_part.judges) else ():
            text = (
                f"{message}, not a person ({len(values)} scores of {measured_part.title}); "
                "leave it "
            )
            yield measured_part.about(kind, "assessor", name, f"{text}out (--exclude {name})")


def _within_topics(judgments: _Judgments, n_judges: int) -> tuple[Ints, Ints]:
    """Count each judge's topics with several systems, and those whose scores differ."""
    n_topics = int(judgments.topic.max()) + 1
    judge_topic_codes = judgments.judge * n_topics + judgments.topic
    order = np.lexsort((judgments.value, judge_topic_codes))
    judge_topic_codes, values = judge_topic_codes[order], judgments.value[order]
    starts = np.flatnonzero(np.diff(judge_topic_codes, prepend=-1))
    ends = np.append(starts[1:], len(judge_topic_codes)) - 1
    judges, has_several_systems = judge_topic_codes[starts] // n_topics, ends > starts
    differs = has_several_systems & (values[ends] > values[starts])
    counts = [
        np.bincount(judges, marks, n_judges).astype(np.int64)
        for marks in (has_several_systems, differs)
    ]
    return counts[0], counts[1]


def _disagreeing_judges(
    measured_part: MeasuredPart, judgments: _Judgments, odd_judges: set[str]
) -> Iterator[Finding]:
    """Find judges with a reversed scale, shifted rows or random scores."""
    names = measured_part.names["assessor"]
    agreement = judgments.agreement().items()
    judges_with_enough = {
        other_judge: (n, r)
        for other_judge, (n, r) in agreement
        if n >= limits.MIN_PAIRS and not math.isnan(r)
    }
    if not judges_with_enough:
        yield from _reversed_profiles(measured_part, judgments)
        return
    z_limit = NormalDist().inv_cdf(1 - limits.MAX_CHANCE / len(judges_with_enough))
    order = sorted(judges_with_enough, key=lambda other_judge: judges_with_enough[other_judge][1])
    bars = tuple((names[other_judge], judges_with_enough[other_judge][1]) for other_judge in order)
    title = f"correlation of {measured_part.title} with the mean of the others"
    negative_judges = [
        other_judge
        for other_judge in order
        if judges_with_enough[other_judge][1] < limits.MAX_REVERSED
        and _z_score(*judges_with_enough[other_judge]) < -z_limit
    ]
    for judge in negative_judges[:_MAX_CHECKED_JUDGES]:
        agreement_if_reversed = judgments.reversed(judge).agreement()
        agrees_better = [
            agreement_if_reversed[other_judge][1] > judges_with_enough[other_judge][1]
            for other_judge in judges_with_enough
            if other_judge != judge
        ]
        if len(judges_with_enough) > 2 and not sum(agrees_better) > len(agrees_better) / 2:
            continue
        (n, r), name = judges_with_enough[judge], names[judge]
        subject, message = (
            f"assessor {name}",
            f"{measured_part.title} has a correlation of {r:.2f} with the mean of the ",
        )
        message += f"others on {n} summaries; is the scale reversed? Then add"
        if len(judgments.judges) == 2:
            subject = (
                f"assessors {' and '.join(names[other_judge] for other_judge in judgments.judges)}"
            )
            message = f"the correlation of their {measured_part.title} is {r:.2f} on {n} "
            message += "summaries; is the scale of one reversed? Then name that one, as in"
        has_several_judges = len(judgments.judges) > 2
        yield new_finding(
            "judge with a reversed scale", subject, f"{message} --reverse {name}",
            name if has_several_judges else "", rows=measured_part.rows_of("assessor", name),
            bars=bars,
            bars_title=title,
        )  # fmt: skip
        if len(judgments.judges) == 2:
            return
    is_shared, other_means = judgments.beside()
    for judge in order[:_MAX_CHECKED_JUDGES] if len(judges_with_enough) > 2 else ():
        (n, r), name = judges_with_enough[judge], names[judge]
        if r >= limits.MIN_AGREED or judge in negative_judges or name in odd_judges:
            continue
        agreement_shares = judgments.without(judge).agreement().values()
        known_agreements = [
            r for count, r in agreement_shares if count >= limits.MIN_PAIRS and not math.isnan(r)
        ]
        usual_correlation = float(np.median(known_agreements)) if known_agreements else 0.0
        rows = judgments.judge[is_shared] == judge
        scores = judgments.value[is_shared][rows]
        # At the end of a scale, few summaries make a correlation.
        is_varied = np.unique(scores, return_counts=True)[1].max() <= limits.MAX_USUAL_SCORE * n
        upper_limit = math.tanh(
            math.atanh(min(max(r, -0.99), 0.99)) + limits.RANDOM_Z / math.sqrt(n - 3)
        )
        if is_shifted(scores, other_means[rows]):
            kind, advice = "judge shifted by a row", "they fit the row before or after"
        elif (
            is_varied
            and usual_correlation >= limits.MIN_AGREED
            and upper_limit < limits.RANDOM_UPPER_SHARE * usual_correlation
            and r < limits.MAX_RANDOM * usual_correlation
        ):
            kind, advice = "judge who agrees with nobody", "are they random, or of other summaries?"
        else:
            continue
        message = f"{measured_part.title} has a correlation of {r:.2f} with the mean of the others "
        message += f"on {n} summaries, while theirs have {usual_correlation:.2f}; {advice}"
        yield measured_part.about(kind, "assessor", name, message, bars=bars, bars_title=title)


def _z_score(n: int, r: float) -> float:
    return math.atanh(max(min(r, 0.999999), -0.999999)) * math.sqrt(n - 3)


def _reversed_profiles(measured_part: MeasuredPart, judgments: _Judgments) -> Iterator[Finding]:
    """Find judges with separate topics who rank the systems in reverse."""
    n_systems, n_judges = len(measured_part.names["system"]), len(measured_part.names["assessor"])
    if len(np.unique(judgments.system)) < 5 or len(judgments.judges) < 3:
        return
    topic_means = np.bincount(judgments.topic, judgments.value) / np.maximum(
        np.bincount(judgments.topic), 1
    )
    profile_cells, deviations = (
        judgments.judge * n_systems + judgments.system,
        judgments.value - topic_means[judgments.topic],
    )
    sums = np.bincount(profile_cells, deviations, n_judges * n_systems).reshape(n_judges, n_systems)
    counts = np.bincount(profile_cells, minlength=n_judges * n_systems).reshape(n_judges, n_systems)
    profiles = {}
    for judge in judgments.judges:
        other_counts = counts.sum(axis=0) - counts[judge]
        has_both = (counts[judge] > 0) & (other_counts > 0)
        if has_both.sum() >= 5 and counts[judge].sum() >= limits.MIN_PAIRS:
            mean = (sums.sum(axis=0) - sums[judge])[has_both] / other_counts[has_both]
            profiles[judge] = (
                correlation(sums[judge][has_both] / counts[judge][has_both], mean),
                int(has_both.sum()),
            )
    usual_correlation = np.median([r for r, _ in profiles.values()]) if len(profiles) > 2 else 0.0
    z_limit = NormalDist().inv_cdf(1 - limits.MAX_CHANCE / max(len(profiles), 1))
    for judge, (r, n) in profiles.items():
        if (
            usual_correlation >= limits.MIN_AGREED
            and r < -limits.MIN_AGREED
            and n > 3
            and _z_score(n, r) < -min(z_limit, limits.JUDGE_Z)
        ):
            name = measured_part.names["assessor"][judge]
            message = (
                f"mean {measured_part.title} over {n} systems correlates {r:.2f} with that of the "
            )
            message += f"other judges; is the scale reversed? Then add --reverse {name}"
            yield measured_part.about("judge with a reversed scale", "assessor", name, message)


def _judges_of_one_system(measured_part: MeasuredPart, judgments: _Judgments) -> Iterator[Finding]:
    """Find judges who judged one system only, while others judged several."""
    names, n_systems = measured_part.names["assessor"], len(measured_part.names["system"])
    judged_pairs = np.unique(judgments.judge * n_systems + judgments.system)
    n_judged_systems = np.bincount(judged_pairs // n_systems, minlength=len(names))
    if n_judged_systems.max() < 2 or len(judgments.judges) == 2:
        return
    counts = np.bincount(judgments.judge, minlength=len(names))
    shares = np.bincount(judgments.system, minlength=n_systems) / len(judgments.system)
    for judge in np.flatnonzero((n_judged_systems == 1) & (counts >= limits.MIN_SCORES)).tolist():
        system = int(judgments.system[judgments.judge == judge][0])
        if shares[system] ** counts[judge] < limits.MAX_CHANCE:
            name = measured_part.names["system"][system]
            message = (
                f"judged the {measured_part.title} of {name} only ({counts[judge]} scores), while "
            )
            message += "others judged several systems; a severe judge would look like a bad system"
            kind = "judge of one system"
            yield measured_part.about(kind, "assessor", names[judge], message, rows=None)


def _unevenly_shared_judge(measured_part: MeasuredPart, judgments: _Judgments) -> Iterator[Finding]:
    """Find a judge who judged most summaries of one system, but few of another."""
    names, n_systems = measured_part.names, len(measured_part.names["system"])
    counts = np.bincount(judgments.judge * n_systems + judgments.system)
    counts = np.pad(counts, (0, -len(counts) % n_systems)).reshape(-1, n_systems)
    used_judges = np.flatnonzero(counts.sum(axis=0) >= limits.MIN_SCORES)
    if (
        len(used_judges) < 2
        or len(judgments.judges) > _MAX_CHECKED_JUDGES
        or (counts[:, used_judges] > 0).sum(axis=0).min() < 2
    ):
        return
    shares = counts[:, used_judges] / counts[:, used_judges].sum(axis=0)
    judge = int(np.ptp(shares, axis=1).argmax())
    low, high = int(shares[judge].argmin()), int(shares[judge].argmax())
    if shares[judge, high] - shares[judge, low] >= limits.MIN_UNEVEN:
        systems = [names["system"][used_judges[index]] for index in (high, low)]
        message = f"gave {shares[judge, high]:.0%} of the scores of {measured_part.title} of "
        message += f"{systems[0]}, but {shares[judge, low]:.0%} of those of {systems[1]}; means "
        message += "must be adjusted for assessors, as compare does"
        kind = "assessors shared out unevenly"
        yield measured_part.about(kind, "assessor", names["assessor"][judge], message, rows=None)


def _systems_with_one_judge(measured_part: MeasuredPart, people: set[str]) -> Iterator[Finding]:
    """Find machines with a single assessor if others had several, or each had a different one."""
    codes, names = measured_part.codes, measured_part.names
    judged_pairs = np.unique(codes["system"] * len(names["assessor"]) + codes["assessor"]).tolist()
    pairs = (divmod(pair, len(names["assessor"])) for pair in judged_pairs)
    judge_pairs = ((names["system"][system], names["assessor"][judge]) for system, judge in pairs)
    judges = grouped((system, judge) for system, judge in judge_pairs if judge)
    max_judges = max(map(len, judges.values()))
    single_judges = {judge for assessors in judges.values() for judge in assessors}
    if max_judges == 1 < len(single_judges) == len(judges):
        examples = brief_list([f"{name} by {assessors[0]}" for name, assessors in judges.items()])
        message = (
            f"each system has its own judge for {measured_part.title} ({examples}), so a "
            "difference between systems may be a difference between judges; "
            "have judges share systems"
        )
        subject = f"systems {brief_list(list(judges))}"
        yield new_finding("systems with different judges", subject, message)
        return
    for name, assessors in judges.items():
        if len(assessors) == 1 < max_judges and name not in people:
            message = f"only {assessors[0]} judged its {measured_part.title}, others had up to "
            message += f"{max_judges} judges; a severe judge would look like a bad system"
            yield Finding("system with one judge", f"system {name}", message)


def _identical_judges(measured_part: MeasuredPart, judgments: _Judgments) -> Iterator[Finding]:
    """Find assessors who gave the same scores to everything they both judged."""
    n_judges, names = len(judgments.judges), measured_part.names["assessor"]
    if n_judges > _MAX_COMPARED_JUDGES:
        return
    order = np.lexsort((judgments.judge, judgments.item))
    item, value = judgments.item[order], judgments.value[order]
    judge = np.searchsorted(judgments.judges, judgments.judge[order])
    n_shared, n_equal = np.zeros(n_judges * n_judges, np.int64), np.zeros(n_judges * n_judges)
    for lag in range(1, n_judges):
        is_same_item = item[lag:] == item[:-lag]
        if not is_same_item.any():
            break
        pair = judge[:-lag][is_same_item] * n_judges + judge[lag:][is_same_item]
        n_shared += np.bincount(pair, minlength=n_judges * n_judges)
        n_equal += np.bincount(
            pair, (value[lag:] == value[:-lag])[is_same_item], n_judges * n_judges
        )
    if n_judges > 2 and n_equal.sum() == n_shared.sum() >= limits.MIN_PAIRS:
        if len(np.unique(value)) > limits.STEPS[0]:
            subject = f"assessors {brief_list([names[judge] for judge in judgments.judges])}"
            message = (
                f"all give the same {measured_part.title} to all summaries; are these means, or "
            )
            message += "scores that they agreed on?"
            yield new_finding("judges with identical scores", subject, message)
        return
    is_compared = n_shared >= limits.MIN_SCORES
    for code in np.flatnonzero(is_compared & (n_equal == n_shared)).tolist():
        first, second = (judgments.judges[index] for index in divmod(code, n_judges))
        # Near the end of a scale, judges agree by chance; with two judges, nothing else shows it.
        rest_shared, rest_equal = n_shared.sum() - n_shared[code], n_equal.sum() - n_equal[code]
        equal_share = rest_equal / rest_shared if rest_shared else 0.0
        # Of many pairs, one or the other agrees by chance.
        if is_compared.sum() * equal_share ** n_shared[code] > limits.MAX_CHANCE:
            continue
        shared_items = np.intersect1d(
            *(judgments.item[judgments.judge == judge_code] for judge_code in (first, second))
        )
        if len(np.unique(value[np.isin(item, shared_items) & (judge == code % n_judges)])) > 2:
            subject = f"assessors {names[first]} and {names[second]}"
            message = f"their {measured_part.title} is the same on all {len(shared_items)} "
            message += "summaries both judged; was one copied?"
            yield new_finding("judges with identical scores", subject, message, names[second])
