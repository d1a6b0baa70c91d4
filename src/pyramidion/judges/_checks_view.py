"""Language models as judges: tables, a chart, and records."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from pyramidion.collection.ids import grouped
from pyramidion.comparison.measure_tables import scope_name
from pyramidion.judges._checks import JudgeCheck, JudgeCheckOptions, PositionEffect
from pyramidion.judges._panel import StudyOptions
from pyramidion.rendering.charts.curves import Panel, Series, Span, panels_picture
from pyramidion.rendering.charts.picture import Picture
from pyramidion.rendering.charts.style import BLUE
from pyramidion.rendering.labels import short_name
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import View, columns, data, shown

_ESTIMATE_TITLES = {
    "between_systems": "r of systems", "within_topics": "r within topics",
    "bias": "judge - people", "slope": "slope", "length": "100 words more",
    "own_model": "own model", "own_family": "own family",
}  # fmt: skip

_JUDGE_COLUMNS = columns("measure", "judge")
_JUDGES_VIEW: View[JudgeCheck] = View(
    "judges",
    (
        *_JUDGE_COLUMNS,
        *columns("n"),
        *(shown(title, attrgetter(f"{key}.text")) for key, title in _ESTIMATE_TITLES.items()),
    ),
    digits=3,
)
_SCALE_VIEW: View[JudgeCheck] = View(
    "scale",
    (
        *_JUDGE_COLUMNS,
        *columns(values_used="values", at_ends="at ends", spread="spread"),
        *columns(calibration_error="calibration error"),
        shown("worst topic", lambda check: _worst_topic(check)[0]),
        shown("its r", lambda check: _worst_topic(check)[1]),
        shown("asked twice", lambda check: check.repeats or None),
        *columns(repeated="alpha"),
    ),
    digits=3,
)
_REPLACED_VIEW: View[JudgeCheck] = View(
    "replaced",
    (
        *_JUDGE_COLUMNS,
        *columns(of="replaced", n="pairs"),
        shown("people", lambda check: check.replaced.tp + check.replaced.fn),
        shown("judge finds", lambda check: check.replaced.tp + check.replaced.fp),
        *columns(of="replaced", tp="both", direction_conflicts="opposite"),
        *columns("precision", "recall", of="replaced", order_accuracy="order"),
    ),
    digits=3,
)
_ANSWER_NOTE = (
    "With care: likely, but not shown with these topics. The next table has the figures and "
    "their thresholds."
)
_THRESHOLD_NOTE = (
    "Whole intervals must lie within the bounds; with care if only the estimate does. Telling "
    "pairs apart: precision is the share of the judge's significant differences that people find, "
    "too, recall the share of people's that it finds. A person's place: the alternative annotator "
    "test, and correlations with the other people. Bounds of scores are 5% of the scale."
)
_CHECK_NOTE = (
    "People: the mean of those who judged a summary. Judge - people: how much higher it scores. "
    "Slope: of people's scores over the judge's; 1 if its differences are as large as theirs. 100 "
    "words more, own model, own family: what these add to the judge's score at equal human score, "
    "within topics. {level:.0%} intervals over topics."
)
_ALT_NOTE = (
    "Each person is left out in turn. Advantage: how often the judge is as close to the others as "
    "that person. p: one-sided over topics, adjusted after Benjamini and Yekutieli; the judge "
    "could take the person's place where p is at most 0.05 (epsilon {epsilon:g}), and passes with "
    "half of the people or more."
)
_REPLACED_NOTE = (
    "Pairs of systems that differ significantly (signed-rank test, 0.05): by people, by the judge, "
    "by both, and by both in opposite directions; order: pairs whose means it orders as people do."
)
_SCALE_NOTE = (
    "Values: different scores it gave. At ends: share of its scores that are the lowest or the "
    "highest of the scale. Spread: "
    "its standard deviation over people's. Calibration error: mean distance of people's scores "
    "from the judge's in groups of similar scores. Worst topic: lowest correlation with people."
)


_PERSON_FIELDS = attrgetter("assessor", "items", "topics", "advantage", "p_adjusted")


def judge_record(check: JudgeCheck) -> dict[str, Any]:
    """Return the record of a judge."""
    fields = asdict(replace(check, replaced=None))  # type: ignore[arg-type]
    alternative = {
        **fields["alternative"], "advantage": check.alternative.advantage,
        "winning_rate": check.alternative.winning_rate, "passed": check.alternative.passed,
    }  # fmt: skip
    answers = {"alternative": alternative, "replaced": check.replaced.record()}
    uses = [
        {"use": use.name, "answer": use.answer, "figures": use.figures, "threshold": use.threshold}
        for use in check.uses()
        if use.answer != "?"
    ]
    return {**fields, **answers, "use_for": check.answers(), "uses": uses}


def judge_tables(
    checks: Sequence[JudgeCheck], options: StudyOptions, judging: JudgeCheckOptions
) -> Iterator[Table]:
    """Return tables of what judges may be used for, and why."""
    if not checks:
        return
    yield _answers_table(checks)
    uses = tuple(
        (_scope(check, checks), check.judge, use.name, use.answer, use.figures, use.threshold)
        for check in checks
        for use in check.uses()
        if use.answer != "?"
    )
    use_headings = ("measure", "judge", "use", "answer", "figures", "threshold")
    yield Table(use_headings, uses, "Figures and thresholds", _THRESHOLD_NOTE, name="thresholds")
    check_note = _CHECK_NOTE.format(level=options.confidence_level)
    alt_note = _ALT_NOTE.format(epsilon=judging.epsilon)
    for year_and_task, group in _by_year_and_task(checks).items():
        title = ", ".join(part for part in year_and_task if part)
        key = (("collection", year_and_task[0]), ("task", year_and_task[1]))
        for view, title_start, note in (
            (_JUDGES_VIEW, "Judges compared with people", check_note),
            (_SCALE_VIEW, "Use of the scale", _SCALE_NOTE),
            (_REPLACED_VIEW, "Verdicts with the judge in people's place", _REPLACED_NOTE),
        ):
            yield view.table(group, f"{title_start}: {title}", note, key=key)
        people = tuple(
            (check.measure, check.judge, *_PERSON_FIELDS(person))
            for check in group
            for person in check.alternative.people
        )
        if people:
            headings = ("measure", "judge", "person", "items", "topics", "advantage", "p adjusted")
            title_start, name = f"Alternative annotator test: {title}", "alternative"
            yield Table(headings, people, title_start, alt_note, 3, key, name)
        yield _parts_table(group, key, "topic", "correlation", "correlation with people")
        yield _parts_table(group, key, "system", "difference", "judge - people")


def _by_year_and_task(checks: Sequence[JudgeCheck]) -> dict[tuple[str, str], list[JudgeCheck]]:
    return grouped(((check.collection, check.task), check) for check in checks)


def _scope(check: JudgeCheck, checks: Sequence[JudgeCheck]) -> str:
    """Name the measure, with year and task if there are several."""
    if len(_by_year_and_task(checks)) == 1:
        return check.measure
    return scope_name(check.measure, check.task, check.collection)


def _answers_table(checks: Sequence[JudgeCheck]) -> Table:
    def uses_with_answer(check: JudgeCheck, answer: str) -> str:
        return (
            ", ".join(
                use for use, given_answer in check.answers().items() if given_answer == answer
            )
            or "–"
        )

    answer_by_heading = {
        "use it for": "yes",
        "with care": "care",
        "not for": "no",
        "not known": "?",
    }
    rows = tuple(
        (
            _scope(check, checks),
            check.judge,
            *(uses_with_answer(check, answer) for answer in answer_by_heading.values()),
        )
        for check in checks
    )
    headings = ("measure", "judge", *answer_by_heading)
    return Table(headings, rows, "What each judge may be used for", _ANSWER_NOTE, name="use")


def _worst_topic(check: JudgeCheck) -> tuple[Cell, Cell]:
    correlated_topics = [part for part in check.by_topic if not math.isnan(part.correlation)]
    worst_topic = min(correlated_topics, key=lambda part: part.correlation, default=None)
    return (worst_topic.name, worst_topic.correlation) if worst_topic else (None, None)


def _parts_table(
    group: Sequence[JudgeCheck],
    key: tuple[tuple[str, str], ...],
    name: str,
    field: str,
    description: str,
) -> Table:
    """Compare each judge with people, by topic or by system."""
    values_by_judge = [
        {part.name: getattr(part, field) for part in getattr(check, f"by_{name}")}
        for check in group
    ]
    part_names = dict.fromkeys(part for parts in values_by_judge for part in parts)
    rows = tuple((part, *(parts.get(part) for parts in values_by_judge)) for part in part_names)
    has_several = len({check.measure for check in group}) > 1
    judges = (f"{check.judge} ({check.measure})" if has_several else check.judge for check in group)
    return Table(
        (name, *judges), rows, f"Judges by {name}: {description}", "", 2, key, f"by-{name}"
    )


_POSITIONS_VIEW: View[PositionEffect] = View(
    "places",
    (
        data("collection"),
        *columns("assessor", "comparisons"),
        data("first_wins", lambda effect: asdict(effect.first_wins)),
        shown("first wins", lambda effect: effect.first_wins.text),
        *columns(both_orders="pairs in both orders", same_choice="same choice"),
    ),
    digits=3,
)
_POSITIONS_NOTE = (
    "First wins: how often the first summary was preferred, with ties as half; 0.5 if positions do "
    "not matter. Same choice: share of pairs shown in both orders with the same choice."
)


def position_table(effects: Sequence[PositionEffect]) -> Iterator[Table]:
    """Show the effect of the position in a pair."""
    if effects:
        yield _POSITIONS_VIEW.table(effects, "Order of presentation", _POSITIONS_NOTE)


def judge_charts(checks: Sequence[JudgeCheck], level: float) -> Iterator[Chart]:
    """Chart people's scores of summaries with the same score by a judge."""
    for year_and_task, group in _by_year_and_task(checks).items():
        for measure in dict.fromkeys(check.measure for check in group):
            measure_checks = [check for check in group if check.measure == measure]
            draw = partial(calibration_picture, measure_checks, level)
            caption = "People's scores of summaries with the same score by a judge."
            yield Chart("calibration", draw, caption, (measure, *filter(None, year_and_task)))


def calibration_picture(checks: Sequence[JudgeCheck], level: float) -> Picture:
    """Draw people's mean score over the judge's, one panel per judge."""
    bins = [bin for check in checks for bin in check.calibration]
    values = [(bin.judge, bin.people.value, bin.people.low, bin.people.high) for bin in bins]
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    margin = 0.04 * (high - low)
    panels = [_calibration_panel(check, (low - margin, high + margin)) for check in checks]
    note = (
        f"summaries in groups by the judge's score, with {level:.0%} intervals over topics; on the "
        "gray line both agree"
    )
    return panels_picture(
        panels, title=f"Judges compared with people: {checks[0].measure}", note=note,
        panel_size=(2.1, 2.1), gap=(0.45, 0.8), ylabel="people",
    )  # fmt: skip


def _calibration_panel(check: JudgeCheck, limits: tuple[float, float]) -> Panel:
    judge_means = [bin.judge for bin in check.calibration]
    bounds = ("value", "low", "high")
    people_means, lows, highs = (
        [getattr(bin.people, end) for bin in check.calibration] for end in bounds
    )
    return Panel(
        [
            Series(limits, limits, {"color": "soft", "linewidth": 0.8}),
            Span(judge_means, lows, highs, {"color": BLUE, "linewidth": 1.4}, bars=True),
            Series(
                judge_means,
                people_means,
                {"color": BLUE, "marker": "o", "markersize": 4, "linewidth": 1.0},
            ),
        ],
        short_name(check.judge),
        f"r {check.within_topics.value:.2f}",
        size=8,
        scale={"xlim": limits, "ylim": limits, "xlabel": "judge"},
    )
