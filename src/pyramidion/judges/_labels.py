"""A model's judgments and people's labels: which topics to label, what the model is good for."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pyramidion.collection import INCLUSION, Collection, Measure, Scale, ScoreMatrix, Scores
from pyramidion.collection.findings import address_name
from pyramidion.collection.formats.table_files import table_text
from pyramidion.collection.ids import grouped, natural_orders
from pyramidion.collection.sources import Source, read_source, read_with_scores
from pyramidion.comparison import Comparisons, compare
from pyramidion.comparison.common import rows_of
from pyramidion.comparison.measure_tables import without_column
from pyramidion.comparison.topic_choice import (
    ChoiceMethod,
    ChosenTopic,
    choose_topics,
    chosen_table,
)
from pyramidion.errors import InputError, Where
from pyramidion.files.writing import write_text
from pyramidion.judges._checks import JudgeCheck, JudgeCheckOptions
from pyramidion.judges._checks_view import judge_charts, judge_record, judge_tables
from pyramidion.judges._panel import StudyOptions
from pyramidion.judges._rubrics import Rubric
from pyramidion.questions import Options, option
from pyramidion.rendering.labels import counted
from pyramidion.rendering.page import (
    Section,
    chart_blocks,
    closing_section,
    render_page,
    table_block,
)
from pyramidion.rendering.saving import Savable

if TYPE_CHECKING:
    from pyramidion.judges._judge import JudgeOptions, JudgeResult

# The tables about a judge that answer what it may be used for; `assessors` shows all tables.
_SHOWN_TABLES = ("use", "thresholds")
_USE_NOTE = (
    "The ranking below is valid whatever the answers in the table above: it combines people's "
    "labels with the model's scores of further topics. The answers describe the labeled topics, "
    "unweighted; `assessors` shows more about the model."
)
_TOO_FEW_SHARED = "people and the model share too few summaries"
_MIN_SHARED, _LABEL_MORE_HINT = (
    3,
    "people must label at least three of the summaries the model judges",
)
_SHEET_SUFFIXES = (".csv", ".tsv", ".jsonl")
_CHOICE_NOTES: dict[ChoiceMethod, str] = {
    "balanced": "Chosen with equal probabilities and spread over the model's scores, so that "
    "similar topics are rarely chosen together.",
    "spread": "Topics on which the model sees larger differences between systems are more likely "
    "to be chosen, and count less in --labels and compare --judge.",
    "random": "Chosen at random with equal probabilities.",
}
_SPREAD_NOTE = (
    "Spread: of the model's scores between systems, in standard deviations of all its scores. "
    "--sheet FILE writes a table for the labels; then run judge again with --labels FILE."
)


@dataclass(frozen=True, slots=True)
class LabelOptions(Options):
    """People's labels that the model is compared with, or topics for people to label."""

    panel: ClassVar[str] = "People's labels"

    labels: Source | None = option(
        None, "Table with people's labels for some topics: shows which uses of the model are "
        "justified, and ranks the systems by people and model together.", metavar="FILE",
    )  # fmt: skip
    choose: int | None = option(
        None, "Number of topics (of each task) for people to label, with all their systems.", min=2
    )
    choose_by: ChoiceMethod = option(
        "balanced", "How to choose them: balanced (spread over the model's scores), spread (topics "
        "with larger differences between systems are more likely, and weighted) or random.",
    )  # fmt: skip

    def check(self) -> None:
        """Reject the combination of both options."""
        if self.choose and self.labels is not None:
            raise InputError("--choose comes before --labels", hint="leave one of them out")

    @property
    def requested(self) -> bool:
        """Whether anything beyond the model's judgments is requested."""
        return self.labels is not None or self.choose is not None


def require_judgments(scores: Scores) -> Scores:
    """Return the judgments of language models; raise an error if there are none."""
    model_scores = scores.rows(scores.by_model)
    if not len(model_scores):
        hint = "ask one with --model and --rubric, or name a table that judge wrote with -o"
        raise InputError("there are no scores of a language model", hint=hint)
    return model_scores


def stored_judgments(scores: Scores, options: "JudgeOptions") -> Scores:
    """Filter stored judgments by the same options that select summaries for a model."""
    model_scores = require_judgments(scores)
    filters = {"task": options.task, "system": options.systems, "topic": options.topics}
    for column, names in filters.items():
        for name in names:
            model_scores.require(column, name)
        model_scores = (
            model_scores.rows(np.isin(model_scores.columns[column], names))
            if names
            else model_scores
        )
    return require_judgments(model_scores)


def read_fitting_labels(
    labeling: LabelOptions, rubrics: Sequence[Rubric], questions: Scores
) -> LabelOptions:
    """Read people's labels; refuse those that do not fit the questions before paying."""
    if not len(questions):
        hint = "leave out --labels, or name a rubric with a scale"
        raise InputError("people's labels are scores, and no rubric asks for scores", hint=hint)
    labels = _read_labels(labeling.labels)
    people, _ = _align_labels(labels.scores.rows(~labels.scores.by_model), questions)
    _rubric_scales(rubrics, people)
    names = ("task", "topic", "system")
    labeled_keys, judged_keys = ({*rows_of(scores, *names)} for scores in (people, questions))
    if len(labeled_keys & judged_keys) < _MIN_SHARED:
        number = counted(len(labeled_keys), "labeled summary", "labeled summaries")
        problem = f"the model judges {len(labeled_keys & judged_keys)} of {number}"
        if unjudged_keys := sorted(labeled_keys - judged_keys):
            problem += f", and not {address_name(*unjudged_keys[0])}"
        raise InputError(problem, hint=_LABEL_MORE_HINT)
    return replace(labeling, labels=labels)


def _read_labels(source: Any) -> Collection:
    """Read people's labels, and declare their measures as human, which tables do not say."""
    labels = read_source(source, strict=False)
    measures = {name: labels.measures.get(name, Measure()) for name in labels.scores.measures}
    human_measures = {name: replace(measure, human=True) for name, measure in measures.items()}
    return read_with_scores(replace(labels, measures=human_measures))


def with_labels(
    result: "JudgeResult",
    collection: Collection,
    model_scores: Scores,
    labeling: LabelOptions,
    seed: int,
) -> "JudgeResult":
    """Add the comparison with people's labels, or the topics to label, as requested."""
    # `assessors` asks models, too.
    from pyramidion.judges._assessors import assessors

    if not labeling.requested:
        return result
    model_scores = require_judgments(model_scores)
    if labeling.choose:
        return _with_choice(result, collection, model_scores, labeling, seed)
    labels = _read_labels(labeling.labels)
    people, notes = _align_labels(labels.scores.rows(~labels.scores.by_model), model_scores)
    measures = people.measures
    labeled_collection = replace(
        collection, scores=Scores.concatenate([model_scores, people]), findings=None,
        name=collection.name or "the summaries",
        scales=_rubric_scales(result.rubrics, people) | dict(collection.scales),
    )  # fmt: skip
    checks = assessors(labeled_collection, measures=measures, seed=seed).judges
    names = dict.fromkeys((check.measure, check.judge) for check in checks)
    model_comparisons = [
        compare(labeled_collection, human=measure, judge=name, seed=seed) for measure, name in names
    ]
    if not model_comparisons:
        raise InputError(_TOO_FEW_SHARED, hint=_LABEL_MORE_HINT)
    tables = judge_tables(checks, StudyOptions(), JudgeCheckOptions())
    verdict_tables = [
        replace(table, note=f"{table.note} {_USE_NOTE}") if table.name == "use" else table
        for table in tables
        if table.name in _SHOWN_TABLES
    ]
    questions = [table for table in result.tables if table.name == "questions"]
    details = (*result.signature.details, ("labels", labels.data_hash))
    answer = replace(
        result,
        signature=replace(result.signature, details=details),
        values=(*checks, *chain(*model_comparisons)),
        record=partial(_record, model_comparisons[0]),
        tables=[*verdict_tables, *chain.from_iterable(comparisons.tables for comparisons
        in model_comparisons), *questions],
        left_out=(
            *result.left_out, *without_column(labels.left_out, INCLUSION), *notes,
            *dict.fromkeys(chain.from_iterable(comparisons.left_out for comparisons
            in model_comparisons)),
        ),
        charts=[*judge_charts(checks, 0.95),
        *chain.from_iterable(comparisons.charts for comparisons in model_comparisons)],
        judged=model_scores,
        checks=tuple(checks),
        compared=tuple(model_comparisons),
    )  # fmt: skip
    return replace(answer, page=partial(_page, answer))


def _record(comparisons: Comparisons, value: Any) -> Any:
    return judge_record(value) if isinstance(value, JudgeCheck) else comparisons.record(value)


def _rubric_scales(rubrics: Sequence[Rubric], people: Scores) -> dict[str, Scale]:
    """Return the scales of rubrics, as averages use them; refuse labels that are off them."""
    scales = {
        rubric.name: Scale(rubric.scale.low, rubric.scale.high)
        for rubric in rubrics
        if rubric.scale
    }
    for measure, scale in scales.items():
        labels = people.select(measure=measure)
        for row in labels.rows((labels.value < scale.low) | (labels.value > scale.high)):
            message = f"a label of {measure} is {row.value:g}, which is outside the scale from "
            message += f"{scale.low:g} to {scale.high:g}: "
            message += address_name(row.task, row.topic, row.system)
            raise InputError(message, hint="correct it, or judge on the scale of the labels")
    return scales


def _align_labels(people: Scores, model_scores: Scores) -> tuple[Scores, list[str]]:
    """Select labels of judged measures; add tasks and kinds, which short tables lack.

    If a table and the model each have only one measure, its name may differ.
    """
    model_measures, human_measures = model_scores.measures, people.measures
    notes = [
        f"{name}: people did not label it" for name in model_measures if name not in human_measures
    ]
    if len(notes) < len(model_measures):
        people = people.rows(np.isin(people.columns["measure"], model_measures))
    elif len(model_measures) == len(human_measures) == 1:
        notes = [f"people's {human_measures[0]} is used as the labels of {model_measures[0]}"]
    else:
        message = f"the model judged {', '.join(model_measures)}, people labeled "
        message += f"{', '.join(human_measures)}"
        raise InputError(message, hint="give labels the name of the measure")
    columns = dict(people.columns)
    for column in ("collection", "task", *["measure"] * (len(model_measures) == 1)):
        names = model_scores.distinct(column)
        if len(names) == 1 and (column == "measure" or not any(columns[column])):
            columns[column] = np.full(len(people), names[0], dtype=object)
    kinds = dict(rows_of(model_scores, "system", "kind"))
    systems = zip(columns["system"], columns["kind"], strict=True)
    columns["kind"] = np.array([kinds.get(name, kind) for name, kind in systems], dtype=object)
    return Scores(columns, people.value, extra=people.extra), notes


def _with_choice(
    result: "JudgeResult",
    collection: Collection,
    model_scores: Scores,
    labeling: LabelOptions,
    seed: int,
) -> "JudgeResult":
    by_people = collection.scores.rows(~collection.scores.by_model)
    labeled_rows = by_people.rows(np.isin(by_people.columns["measure"], model_scores.measures))
    labeled_topics = grouped(
        (key[:2], key[2]) for key in {*rows_of(labeled_rows, "collection", "task", "topic")}
    )
    topic_choices: list[ChosenTopic] = []
    for year, task in sorted({*rows_of(model_scores, "collection", "task")}, key=natural_orders):
        task_scores = model_scores.select(collection=year, task=task)
        topic_choices += choose_topics(
            [ScoreMatrix.from_scores(task_scores, measure) for measure in task_scores.measures],
            labeling.choose or 2, labeling.choose_by, seed=seed,
            exclude=labeled_topics.get((year, task), ()), collection=year,
        )  # fmt: skip
    note = f"{_CHOICE_NOTES[labeling.choose_by]} {_SPREAD_NOTE}"
    n_labeled = sum(map(len, labeled_topics.values()))
    left_out_notes = [f"{n_labeled} topics that people judged already"] * bool(n_labeled)
    details = (("choose", str(labeling.choose)), ("by", labeling.choose_by))
    answer = replace(
        result,
        signature=replace(result.signature, details=(*result.signature.details, *details)),
        values=topic_choices,
        record=asdict,
        tables=[chosen_table(topic_choices, note), *result.tables],
        left_out=(*result.left_out, *left_out_notes),
        judged=model_scores,
        chosen=tuple(topic_choices),
    )
    return replace(answer, page=partial(_page, answer))


def _sheet_columns(
    topic_choices: Sequence[ChosenTopic], model_scores: Scores, answers: Sequence[Any]
) -> dict[str, list[Any]]:
    """Return the columns of a table in which people fill in assessor and value.

    It includes summaries for which the model gave no judgment.
    """
    inclusion = {
        (choice.collection, choice.task, choice.topic): choice.inclusion for choice in topic_choices
    }
    names = ("collection", "task", "topic", "system", "kind", "measure")
    questions = (
        ("", *(record[name] for name in (*names[1:-1], "rubric")))
        for record in answers
        if record["rubric"] in model_scores.measures
    )
    unique_rows = dict.fromkeys((*rows_of(model_scores, *names), *questions))
    rows = [row for row in sorted(unique_rows, key=natural_orders) if row[:3] in inclusion]
    cells = {name: [row[index] for row in rows] for index, name in enumerate(names)}
    columns: dict[str, list[Any]] = {name: column for name, column in cells.items() if any(column)}
    blank_column = [""] * len(rows)
    probabilities = [inclusion[row[0], row[1], row[2]] for row in rows]
    return {**columns, "assessor": blank_column, "value": blank_column, INCLUSION: probabilities}


def _sheet_writer(result: "JudgeResult") -> Callable[[Path], None]:
    if not result.chosen or result.judged is None:
        raise InputError("there are no chosen topics to write", hint="add --choose N")
    columns = _sheet_columns(result.chosen, result.judged, result.answers)
    return lambda path: write_text(path, table_text(columns, path.suffix))


def _require_sheet(path: Path | None) -> None:
    if path is not None and path.suffix not in _SHEET_SUFFIXES:
        hint = f"use {', '.join(_SHEET_SUFFIXES)}"
        raise InputError("a sheet cannot be written in this format", hint, where=Where(path))


SHEET_FILE = Savable(
    "sheet", "Write a table of the topics chosen with --choose to this file (.csv, .tsv or "
    ".jsonl), in which people fill in their labels for --labels.", _sheet_writer, _require_sheet,
    metavar="FILE",
)  # fmt: skip


# Sections of the page, with the names of their tables.
_SECTION_TABLES = {
    "What the model may be used for": _SHOWN_TABLES,
    "Systems by people and the model": ("counts", "ranking", "pairs", "judge"),
    "Topics for people to judge": ("chosen",),
    "The model's judgments": ("means", "wins", "questions", "prompts"),
}


def _page(result: "JudgeResult") -> str:
    """Write the tables and the ranking as a page."""
    sections = []
    for title, names in _SECTION_TABLES.items():
        tables = [table_block(table) for table in result.tables if table.name in names]
        charts = [chart for chart in result.charts if chart.kind in names]
        if tables:
            sections.append(Section(title, (*chart_blocks(charts), *tables)))
    sections.append(closing_section("How this was made", result))
    lead = f"Judged by {', '.join(result.to_scores().distinct('assessor'))}."
    return render_page(
        "A language model as judge", sections, lead=lead, signature=str(result.signature)
    )
