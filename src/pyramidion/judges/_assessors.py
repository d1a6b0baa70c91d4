"""The question `assessors` (which ones to trust), its tables and its page."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.collection import Collection, Scores
from pyramidion.collection.ids import file_stem, grouped
from pyramidion.collection.sources import ScoreReading, Source, read_source, read_with_scores
from pyramidion.comparison import ReportRequest
from pyramidion.comparison.common import rows_of
from pyramidion.errors import InputError, Where
from pyramidion.judges._attacks import AttackOptions, attack_judges
from pyramidion.judges._checks import (
    JudgeCheck,
    JudgeCheckOptions,
    PositionEffect,
    check_judges,
    position_effects,
)
from pyramidion.judges._checks_view import (
    judge_charts,
    judge_record,
    judge_tables,
    position_table,
)
from pyramidion.judges._consistency import Consistency, PanelAgreement
from pyramidion.judges._impact_view import ImpactOptions, RetrainingOptions, without_the_worst
from pyramidion.judges._panel import StudyOptions
from pyramidion.judges._severity import (
    AssessorDifference,
    SeverityModel,
    TopicDifference,
)
from pyramidion.judges._study import (
    ALL,
    AssessorsResult,
    AssessorStudy,
    best_first,
    span_name,
    study_assessors,
    study_signature,
)
from pyramidion.questions import argument, option, question
from pyramidion.rendering.page import (
    Section,
    chart_blocks,
    closing_section,
    paragraph,
    render_page,
    table_block,
)
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import Column, View, columns, data, shown

Record = dict[str, Any]
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class AssessorsInput(ScoreReading):
    """The judgments to check: one or several years, and further scores."""

    sources: tuple[Source, ...] = argument(
        "Collections in any format or tables of scores. Sources with scores of the same "
        "summaries are joined; others are treated as different years."
    )
    other: Source | None = argument(
        "A further source, as in assessors(people, model).", None, on_command_line=False
    )
    scores: tuple[Source, ...] = option(
        (), "Table of further scores; can be repeated.", metavar="FILE"
    )

    def read(self) -> list[Collection]:
        """Read the years and add the scores; name years with equal names after their files."""
        if not self.sources:
            raise InputError("no source is named", hint="name a collection or a table of scores")
        sources = (*self.sources, *([] if self.other is None else [self.other]))
        sources_with_years = _join_sources((source, self.read_source(source)) for source in sources)
        years = [year for _, year in sources_with_years]
        names = Counter(year.name for year in years)
        for number, (source, year) in enumerate(sources_with_years):
            name = year.name
            if not name or names[name] > 1:
                name = source.name if isinstance(source, Collection) else ""
                name = Path(source).stem if isinstance(source, str | Path) else name
                # Preferences are used if there are no scores.
            scores = year.scores if len(year.scores) else year.preferences.to_scores()
            years[number] = replace(year, name=name or f"source {number + 1}", scores=scores)
        for table in self.scores:
            where = Where(table) if isinstance(table, str | Path) else None
            years = _add_rows(years, read_with_scores(table).scores, where)
        return years

    def read_one(self) -> Collection:
        """Read the only source, whose summaries are to be judged again."""
        if len(self.sources) != 1 or self.scores:
            raise InputError("--attack takes one source with summaries", hint="name one")
        return self.read_source(self.sources[0])


def _join_sources(parts: Iterable[tuple[Source, Collection]]) -> list[tuple[Source, Collection]]:
    """Join sources of one evaluation into one year, paired with the first of these sources."""
    joined_years: list[tuple[Source, Collection]] = []
    for source, part in parts:
        matching_indices = (
            index for index, (_, year) in enumerate(joined_years) if _is_same_evaluation(year, part)
        )
        index = next(matching_indices, len(joined_years))
        if index < len(joined_years):
            first_source, year = joined_years[index]
            joined_years[index] = first_source, read_source([year, part])
        else:
            joined_years.append((source, part))
    return joined_years


def _is_same_evaluation(first: Collection, second: Collection) -> bool:
    """Return whether sources have the same summaries, of one year and without contradictions."""
    parts = first, second
    texts = [{summary.key: summary.plain for summary in part.summaries} for part in parts]
    scored_keys = [{*rows_of(part.scores, "task", "topic", "system")} for part in parts]
    years = [{*part.scores.columns["collection"]} for part in parts]
    scores = Scores.concatenate([first.scores, second.scores])
    return (
        not (scored_keys[0] | texts[0].keys()).isdisjoint(scored_keys[1] | texts[1].keys())
        and not (all(years) and years[0].isdisjoint(years[1]))
        and all(texts[1].get(key, text) == text for key, text in texts[0].items())
        and all(scores.value[a] == scores.value[b] for a, b in scores.repeated_keys())
    )


def _add_rows(years: Sequence[Collection], scores: Scores, where: Where | None) -> list[Collection]:
    """Add each row of a table to the year it names, or to the year that has its topic."""
    number_by_name = {
        name: number
        for number, year in enumerate(years)
        for name in {year.name, *year.scores.columns["collection"]} - {""}
    }
    numbers_by_topic = grouped(
        (topic, number) for number, year in enumerate(years) for topic in year.topic_ids
    )

    def year_number(name: str, topic: str) -> int:
        candidates = numbers_by_topic.get(topic, [])
        if name in number_by_name:
            return number_by_name[name]
        if len(candidates) != 1 and len(years) > 1:
            years_text = "several years" if candidates else "none of the years"
            hint = "fill in the column `collection`"
            raise InputError(f"topic {topic} is in {years_text}", where=where, hint=hint)
        return candidates[0] if candidates else 0

    year_numbers = np.array(
        [year_number(*row) for row in rows_of(scores, "collection", "topic")], np.int64
    )
    completed_years = []
    for number, year in enumerate(years):
        all_scores = Scores.concatenate([year.scores, scores.rows(year_numbers == number)])
        for _, repeated_row in all_scores.repeated_keys():
            row = list(all_scores)[repeated_row]
            message = f"{year.name} already has {row.measure} of {row.system} for topic {row.topic}"
            raise InputError(message, where=where, hint="remove one of them")
        completed_years.append(replace(year, scores=all_scores))
    return completed_years


@question
def assessors(
    years: AssessorsInput,
    options: StudyOptions,
    judging: JudgeCheckOptions,
    impact: ImpactOptions,
    retraining: RetrainingOptions,
    attack: AttackOptions,
) -> AssessorsResult:
    """Show which assessors to trust: consistency, severity, drift, agreement, impact.

    Consistency is how similarly an assessor judges identical summaries by different systems; it
    needs summaries. The dissertation's Table 6.1 computes alpha for interval data. Language models
    that judged the same summaries as people are checked against them, and a table shows what each
    may be used for. An attack asks models again, and shows how much their judgments change.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = assessors(load_demo(), measures="responsiveness")
    >>> [row.assessor for row in result]
    ['K', 'L', 'M', None]
    >>> [(row.assessor, round(row.effect, 2)) for row in result.study.severity[0].assessors]
    [('K', 0.06), ('L', 0.0), ('M', -0.06)]
    >>> agreement = result.study.agreement[0]
    >>> agreement.items, round(agreement.alpha, 2)
    (48, 0.36)
    """
    if attack.attack:
        return attack_judges(years.read_one(), options, attack, impact.progress)
    collections = years.read()
    if impact.impact or retraining.is_requested:
        return without_the_worst(collections, years.source_format, options, impact, retraining)
    study = study_assessors(collections, options)
    effects = [effect for year in collections for effect in position_effects(year, options)]
    judges = _add_consistency(study, effects, check_judges(collections, options, judging))
    charts = (chart for span in study.panel.spans() for chart in _charts(study, span))
    changed_options = dict(judging.changed("judges", "epsilon"))
    n_assessors = len(study.panel.judgments.distinct("assessor"))
    result = AssessorsResult(
        command="assessors",
        signature=study_signature("assessors", options, collections, **changed_options),
        values=(*study.consistency, *judges),
        record=partial(_record, study),
        tables=[*judge_tables(judges, options, judging), *position_table(effects), *_tables(study)],
        left_out=study.left_out,
        charts=[*judge_charts(judges, options.confidence_level), *charts],
        study=study,
        judges=tuple(judges),
    )
    title = f"Assessors: {', '.join(year.name for year in collections)}"
    lead = f"{n_assessors} assessors judged by {', '.join(study.panel.measures)}."
    return replace(result, page=partial(_page, result, title, lead))


def _page(result: AssessorsResult, title: str, lead: str) -> str:
    sections = list(assessor_sections(result))
    return render_page(title, sections, lead=lead, signature=str(result.signature))


def _add_consistency(
    study: AssessorStudy, effects: Sequence[PositionEffect], judges: Sequence[JudgeCheck]
) -> list[JudgeCheck]:
    """Add a judge's consistency, and the effect of the position in a pair."""
    first_win_rates = {
        (effect.collection, effect.assessor): effect.first_wins for effect in effects
    }
    consistencies = {(row.collection, row.measure, row.assessor): row for row in study.consistency}
    completed_checks = []
    for judge in judges:
        position = first_win_rates.get((judge.collection, judge.judge), judge.position)
        consistency = consistencies.get((judge.collection, judge.measure, judge.judge))
        alpha, repeats = (
            (consistency.alpha.value, consistency.pairs)
            if consistency and consistency.pairs
            else (math.nan, 0)
        )
        completed_checks.append(replace(judge, position=position, repeated=alpha, repeats=repeats))
    return completed_checks


# For programs

CONSISTENCY: View[Consistency] = View(
    "consistency",
    (
        *columns(collection="", assessor="", measure="measure"),
        shown("assessor", lambda row: row.assessor or ALL),
        *columns(pairs="pairs", repeated=""),
        Column("alpha", "alpha", attrgetter("alpha.value")),
        Column("alpha_low", "low", attrgetter("alpha.low")),
        Column("alpha_high", "high", attrgetter("alpha.high")),
        *columns("level", of="level"),
        data("level_by", attrgetter("level.reason")),
        data("unanimous", attrgetter("alpha.unanimous")),
        *columns(mean_difference="|difference|", mean_signed_difference="", equal="equal"),
        data("contingency", lambda row: row.table and {
            "values": list(row.table.values), "counts": row.table.counts,
        }),
    ),
    digits=3,
)  # fmt: skip


def _record(study: AssessorStudy, value: Consistency | JudgeCheck) -> Record:
    """Return the record of an assessor, or of all together, on a measure in a year."""
    if isinstance(value, JudgeCheck):
        return judge_record(value)
    span, years = (value.collection, value.measure), study.panel.collections
    model = next(m for m in study.severity if (m.collection, m.measure) == span)
    agreement = next(a for a in study.agreement if (a.collection, a.measure) == span)
    name = "assessor" if model.beside == "nothing" else f"assessor + {model.beside}"
    reasons = {"alpha": value.alpha.undefined, "severity": model.undefined}
    if value.assessor is None:
        years = years if value.collection is None else (value.collection,)
        more_fields: Record = {
            "severity": None,
            "severity_model": name,
            "severity_test": {key: getattr(model, key) for key in ("f", "df", "residual_df", "p")},
            "agreement": {
                **{key: getattr(agreement, key) for key in ("alpha", "items", "alone")},
                **{key: agreement.mean(key) for key in ("equal", "kappa", "weighted_kappa")},
                "pairs": [asdict(pair) for pair in agreement.pairs],
            },
            "identical_pairs": sum(len(study.panel.pairs.get(year, ())) for year in years),
            "compared": sum(study.panel.compared.get(year, 0) for year in years),
        }
        if value.measure == study.manual and value.collection is not None:
            topics = (topic for topic in study.topics if topic.collection == value.collection)
            more_fields["manual_minus_automatic"] = [
                _omit_fields(topic, "collection") for topic in topics
            ]
        reasons["agreement"] = agreement.undefined
    else:
        drift = study.drift[value.collection, value.measure, value.assessor]
        severity = next((row for row in model.assessors if row.assessor == value.assessor), None)
        bounds = ("low", "high", "p", "p_adjusted")
        more_fields = {
            "severity": getattr(severity, "effect", None),
            **{f"severity_{end}": getattr(severity, end, None) for end in bounds},
            "severity_model": name,
            **{key: getattr(severity, key, None) for key in ("mean", "topics")},
            "drift": asdict(drift) if drift.unit else None,
        }
        if value.measure == study.manual:
            assessor = value.collection, value.assessor
            matching = (
                row for row in study.differences if (row.collection, row.assessor) == assessor
            )
            records = (_omit_fields(row, "collection", "assessor") for row in matching)
            more_fields["manual_minus_automatic"] = next(records, None)
        reasons["drift"] = drift.undefined
    undefined_reasons = {key: reason for key, reason in reasons.items() if reason}
    return {**CONSISTENCY.record(value), **more_fields, "undefined": undefined_reasons}


def _omit_fields(difference: AssessorDifference | TopicDifference, *exclude: str) -> Record:
    return {name: value for name, value in asdict(difference).items() if name not in exclude}


# For people

_ALPHA_NOTE = (
    "Pairs: judgments of the same words by the same assessor. Alpha: Krippendorff's, 1 for perfect "
    "consistency, 0 for chance, with a {percent:.0%} interval over topics. |difference|: mean "
    "distance of the two values. Equal: share of pairs with equal values. Where all values are the "
    "same, alpha is 1 by definition and has no interval."
)
_AGREEMENT_NOTE = (
    "Items: what two assessors or more judged. Alpha: Krippendorff's over all assessors. Equal and "
    "kappa (Cohen's, plain and with quadratic weights): means over pairs of assessors."
)
_DIFFERENCE_NOTE = (
    "Means over topics. The lower the difference, the more content marked in other "
    "summaries of a topic is unmarked in the one scored."
)


def _tables(study: AssessorStudy) -> Iterator[Table]:
    yield _years_table(study)
    for collection in study.panel.spans():
        yield from _year_tables(study, collection)
    if study.options.contingency:
        yield _contingency_table(study.consistency)


def _years_table(study: AssessorStudy) -> Table:
    """Count identical summaries by year."""
    panel = study.panel
    pairs, years = panel.pairs, panel.collections
    rows = tuple((year, panel.compared.get(year, 0), len(pairs.get(year, ()))) for year in years)
    columns = ("collection", "summaries", "identical pairs")
    note = "Pairs of systems with the same words in the same order, on one topic and task."
    return Table(columns, rows, title="Identical summaries", note=note, name="years")


def _year_tables(study: AssessorStudy, collection: str | None) -> Iterator[Table]:
    """Return the tables of a year that have rows."""
    name = span_name(collection)

    def of_span(results: Iterable[Any]) -> list[Any]:
        return [result for result in results if result.collection == collection]

    consistency = of_span(study.consistency)
    # Without pairs, one line for all assessors replaces the table.
    pairs = (
        best_first(consistency)
        if any(consistency_row.pairs for consistency_row in consistency)
        else []
    )
    note = _ALPHA_NOTE.format(percent=study.options.confidence_level)
    parts = (
        CONSISTENCY.table(pairs, "Consistency", note),
        _severity_table(study, of_span(study.severity)),
        *_agreement_tables(study, of_span(study.agreement)),
        _drift_table(study, collection),
        *_difference_tables(study, of_span(study.differences), of_span(study.topics)),
    )
    for table in parts:
        if table.rows:
            title = f"{table.title}: {name}"
            yield replace(table, title=title, digits=3, key=(("collection", name),))


def _severity_table(study: AssessorStudy, models: Sequence[SeverityModel]) -> Table:
    fields = attrgetter("assessor", "topics", "mean", "effect", "low", "high", "p_adjusted")
    rows = tuple((model.measure, *fields(row)) for model in models for row in model.assessors)
    columns = ("measure", "assessor", "topics", "mean", "severity", "low", "high", "p adjusted")
    fitted_models = [model for model in models if model.assessors]
    lower_names = [model.measure for model in fitted_models if model.lower_is_better]
    # Say which sign is severe; for each measure if measures differ.
    direction_notes = (
        []
        if lower_names and len(lower_names) == len(fitted_models)
        else ["below 0 is severe, above 0 lenient"]
    )
    direction = "above 0 is severe, below 0 lenient"
    direction_notes += [f"for {', '.join(lower_names)} (lower is better) {direction}"] * bool(
        lower_names
    )
    controls = dict.fromkeys(_CONTROL_NAMES[model.beside] for model in fitted_models)
    note = (
        f"Severity: the assessor's main effect on topics' means, adjusted for "
        f"{' or '.join(controls)}; {'; '.join(direction_notes)}. "
        f"{study.options.confidence_level:.0%} intervals, p adjusted after Holm."
    )
    tests = "; ".join(
        f"{model.measure} F({model.df}, {model.residual_df}) = {model.f:.2f}, p = {model.p:.3g}"
        for model in models
        if not math.isnan(model.f)
    )
    note += f" All assessors equal: {tests}." if tests else ""
    modeled_keys = {(model.collection, model.measure) for model in models}
    if not any(drift.unit for key, drift in study.drift.items() if key[:2] in modeled_keys):
        note += " Drift: no judgment has a time stamp."
    title = "Severity"
    if not 0 < len(lower_names) < len(fitted_models):
        title += f" ({'positive' if lower_names else 'negative'} is severe)"
    return Table(columns, rows, title, note, name="severity")


_CONTROL_NAMES = {"category": "categories", "topic": "topics", "nothing": "nothing else"}


def _agreement_tables(
    study: AssessorStudy, agreements: Sequence[PanelAgreement]
) -> Iterator[Table]:
    statistics = ("equal", "kappa", "weighted_kappa")
    headings = "equal", "kappa", "weighted kappa"
    rows: tuple[Row, ...] = tuple(
        (
            row.measure,
            len(study.panel.assessors(row.collection, row.measure)), row.items,
            row.alpha, row.level.level, *map(row.mean, statistics),
        )
        for row in agreements
        if row.items
    )  # fmt: skip
    columns: tuple[str, ...] = ("measure", "assessors", "items", "alpha", "level", *headings)
    yield Table(columns, rows, "Agreement", _AGREEMENT_NOTE, name="agreement")
    fields = attrgetter("a", "b", "n", *statistics, "difference", "correlation")
    rows = tuple((row.measure, *fields(pair)) for row in agreements for pair in row.pairs)
    columns = ("measure", "a", "b", "n", *headings, "a - b", "correlation")
    yield Table(columns, rows, "Pairs of assessors", name="pairs")


def _drift_table(study: AssessorStudy, collection: str | None) -> Table:
    drifts = {
        key: drift for key, drift in study.drift.items() if key[0] == collection and drift.unit
    }
    fields = attrgetter("n", "span", "slope", "low", "high", "p")
    rows = tuple((*key[1:], *fields(drift)) for key, drift in drifts.items())
    in_days = any(drift.unit == "day" for drift in drifts.values())
    unit, span = ("day", "days") if in_days else ("unit of time", "time")
    level = f"{study.options.confidence_level:.0%}"
    note = f"Slope: scale points per {unit}, with a {level} interval over topics."
    columns = ("measure", "assessor", "judgments", span, "slope", "low", "high", "p")
    return Table(columns, rows, "Drift over time", note, name="drift")


def _difference_tables(
    study: AssessorStudy, assessors: Sequence[AssessorDifference], topics: Sequence[TopicDifference]
) -> Iterator[Table]:
    scores = columns("manual", "automatic", difference="manual - automatic")
    title = f"Manual minus automatic {study.manual}"
    columns_around = columns("assessor", "topics", "summaries"), columns("low", "high")
    view: View[Any] = View("differences", (*columns_around[0], *scores, *columns_around[1]))
    yield view.table(assessors, title, _DIFFERENCE_NOTE)
    view = View("topics", (*columns("task", "topic", "assessor", "n"), *scores))
    yield view.table(topics, f"{title} by topic")


def _contingency_table(consistencies: Sequence[Consistency]) -> Table:
    """List how often each pair of values was given to the same words."""
    rows = tuple(
        (
            span_name(consistency.collection), consistency.measure, consistency.assessor or ALL,
            low, high, int(consistency.table.counts[row, column]),
        )
        for consistency in consistencies
        if consistency.table is not None
        for row, low in enumerate(consistency.table.values)
        for column, high in enumerate(consistency.table.values)
        if consistency.table.counts[row, column]
    )  # fmt: skip
    columns = ("collection", "measure", "assessor", "lower", "higher", "pairs")
    title = "Pairs of values given to the same words"
    return Table(columns, rows, title=title, digits=2, name="contingency")


# Charts


def _charts(study: AssessorStudy, collection: str | None) -> Iterator[Chart]:
    """Return the charts of a year that have data."""
    from pyramidion.judges import _charts as chart

    level = study.options.confidence_level
    # With several years, the names of files contain the year.
    has_several = len(study.panel.spans()) > 1
    key = (span_name(collection).replace(" ", "-"),) if has_several else ()
    consistencies = [row for row in study.consistency if row.collection == collection]
    if any(row.pairs for row in consistencies):
        draw = partial(chart.consistency_picture, consistencies, confidence_level=level)
        caption = "Consistency of assessors: alpha of two judgments of the same words."
        yield Chart("consistency", draw, caption, key)
        for measures in _measures_in_pairs(consistencies):
            measure_names, stem = " and ".join(measures), file_stem(*key, "pairs", *measures)
            caption = f"How often each pair of values was given to the same words: {measure_names}."
            tiles = partial(chart.contingency_picture, consistencies, measures)
            yield Chart("pairs", tiles, caption, name=stem)
            caption = (
                f"The same, with strong colors where the two values are far apart: {measure_names}."
            )
            tiles = partial(tiles, strength="distance")
            yield Chart("pairs-apart", tiles, caption, name=f"{stem}-apart")
    models = [
        model for model in study.severity if model.collection == collection and model.assessors
    ]
    if models:
        draw = partial(chart.severity_picture, models, confidence_level=level)
        caption = "Severity of assessors, adjusted for what they judged."
        yield Chart("severity", draw, caption, key)
    if differences := [row for row in study.differences if row.collection == collection]:
        draw = partial(chart.difference_picture, differences, study.topics, measure=study.manual)
        draw = partial(draw, confidence_level=level)
        caption = f"Manual minus automatic {study.manual}, by assessor."
        yield Chart("manual-automatic", draw, caption, key)


def _measures_in_pairs(consistencies: Sequence[Consistency]) -> Iterator[tuple[str, ...]]:
    """Pair measures that have the same values and the same assessors."""
    rows_by_measure = grouped((row.measure, row) for row in consistencies if row.pairs)
    groups = grouped(
        ((rows[0].table.values, tuple(row.assessor for row in rows)), measure)
        for measure, rows in rows_by_measure.items()
        if rows[0].table is not None
    )
    for measures in groups.values():
        for start in range(0, len(measures), 2):
            yield tuple(measures[start : start + 2])


# The page


def assessor_sections(result: AssessorsResult) -> Iterator[Section]:
    """Return a section per year, one for all years, and one for the method."""
    study = result.study
    if result.judges:
        first_tables = takewhile(lambda table: table.name != "years", result.tables)
        judge_blocks = map(table_block, first_tables)
        charts = [chart for chart in result.charts if chart.kind == "calibration"]
        yield Section("Language models as judges", (*judge_blocks, *chart_blocks(charts)))
    for collection in study.panel.spans():
        tables = map(table_block, _year_tables(study, collection))
        blocks = (*tables, *chart_blocks(_charts(study, collection)))
        yield Section(f"Assessors of {span_name(collection)}", blocks)
    method = (table_block(_years_table(study)), *map(paragraph, _method(study)))
    yield closing_section("How assessors were judged", result, *method)


def _method(study: AssessorStudy) -> Iterator[str]:
    yield (
        "Two summaries of a topic are identical if they are the same sequence of runs of a-z and "
        "0-9, in lowercase. Any two systems with identical summaries give a pair of judgments by "
        "each assessor, as does a summary that an assessor judged on two occasions."
    )
    levels = {(row.measure, row.level.level, row.level.reason) for row in study.consistency}
    level_list = "; ".join(
        f"{measure}: {level} ({reason})" for measure, level, reason in sorted(levels)
    )
    yield (
        "Krippendorff's alpha compares the difference within pairs with that between any two "
        f"values. Level: {level_list}. Intervals are percentiles of "
        f"{study.options.n_resamples:,} draws of topics with replacement."
    )
    yield (
        "Severity is the assessor's main effect in a linear model of the mean scores that each "
        "assessor gave on each topic, with effects that sum to zero."
    )
    yield (
        "K. Owczarzak, P. A. Rankel, H. T. Dang and J. M. Conroy. Assessing the effect of "
        "inconsistent assessors on summarization evaluation. ACL 2012."
    )


def report_sections(request: ReportRequest) -> Iterator[Section]:
    """Check the assessors of the report's tasks, if requested."""
    if request.page.assessors:
        tasks, seed = request.source.tasks, request.options.seed
        assessor_study = assessors(request.collection, task=tasks, seed=seed)
        yield from (replace(section, folded=True) for section in assessor_sections(assessor_study))
