"""Training: items with known answers, which are judged first and do not count."""

from collections.abc import Iterator
from dataclasses import replace
from math import isnan, nan
from textwrap import shorten
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session

from pyramidion.collection import Collection
from pyramidion.errors import InputError
from pyramidion.studio._app import (
    CurrentUser,
    Organizer,
    StoreDep,
    Visitor,
    evaluation_of,
    go_to,
    or_404,
    page,
)
from pyramidion.studio._assigning import AssignmentForm, items_of
from pyramidion.studio._evaluations import Settings, TrainingItem, imported_collection, topic_names
from pyramidion.studio._items import training_path
from pyramidion.studio._judging import Kind, text_of_item
from pyramidion.studio._modes import (
    JUDGED_KINDS,
    ModeQuestion,
    known_answer,
    label_of,
    parts_of,
    questions_of,
    with_pyramids,
)
from pyramidion.studio._progress import KINDS
from pyramidion.studio._sheets import sheets_of
from pyramidion.studio._store import Assignment, Evaluation, Round, Store, record

router = APIRouter()

# Questions may be whole summaries.
_LONGEST_QUESTION = 100


class AnswerShown(BaseModel):
    """The answer to a question, as people read it."""

    question: str
    answer: str
    expected: str
    is_right: bool


class Feedback(BaseModel):
    """What was expected of an assessor."""

    answers: list[AnswerShown]
    note: str


@router.get("/api/judge/{evaluation}/items/{item}/feedback")
def feedback(user: CurrentUser, store: StoreDep, evaluation: str, item: str) -> Feedback:
    """Return the known answers of a training item that you have submitted."""
    with store.read() as session:
        query = select(Assignment).join(Round, Round.id == Assignment.round_id).join(Evaluation)
        row = or_404(
            session.scalar(
                query.where(
                    Assignment.token == item, Assignment.account_id == user.account.id,
                    Evaluation.token == evaluation, Round.purpose == "training",
                )
            )
        )  # fmt: skip
        training = Settings.of(row.evaluation).trained(row.kind)
        expected = or_404(training.get((row.task, row.topic, row.system)))
        sheet = sheets_of(session, Assignment.id == row.id)[row.id]
        or_404(sheet.is_submitted or None)
        questions = _questions(session, row.evaluation, row)
    return Feedback(
        answers=list(_compared(row, questions, expected, sheet.values)), note=expected.note
    )


def _questions(session: Session, evaluation: Evaluation, item: Assignment) -> list[ModeQuestion]:
    """Return the questions of an item, which `known_answer` gives names that last."""
    collection = with_pyramids(session, evaluation, (item.task, item.topic))
    return questions_of(collection, item, Settings.of(evaluation).ever)


def _compared(
    item: Assignment,
    questions: list[ModeQuestion],
    training_item: TrainingItem,
    values: dict[str, float],
) -> Iterator[AnswerShown]:
    """Compare answers with the known ones; how strongly a summary is preferred does not matter."""
    for number, question in enumerate(questions, start=1):
        name, value = known_answer(item, question, values.get(question.id, nan))
        if name not in training_item.answers or isnan(value):
            continue
        expected = training_item.answers[name]
        is_right = value == expected or (item.kind == "prefer" and value * expected > 0)
        text = f"{number}. {question.text}" if item.kind == "unit" else question.text
        yield AnswerShown(
            question=shorten(text, _LONGEST_QUESTION, placeholder="…"),
            answer=question.measure.label(values[question.id]),
            expected=question.measure.label(known_answer(item, question, expected)[1]),
            is_right=is_right,
        )


def _item(kind: str, task: str, topic: str, system: str) -> Assignment:
    """Return an item that nobody was assigned."""
    return Assignment(kind=kind, task=task, topic=topic, system=system, token="")


Field = Annotated[str, Query(max_length=500)]


@router.get("/evaluations/{token}/training", include_in_schema=False)
def show_training(
    request: Request, user: Organizer, store: StoreDep, token: str, kind: Kind = "judge",
    task: Field = "", topic: Field = "", system: Field = "",
) -> HTMLResponse:  # fmt: skip
    """List the training, items that can be added, and the known answers of a chosen item."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        settings, collection = Settings.of(evaluation), imported_collection(session, evaluation)
        pairs = dict.fromkeys((s.task, s.topic) for s in collection.summaries if s.is_peer)
        if (task, topic) not in pairs:
            task, topic = next(iter(pairs), ("", ""))
        trained_topics = ((entry.task, entry.topic) for entry in settings.training)
        collection = with_pyramids(session, evaluation, (task, topic), *trained_topics)
        work = AssignmentForm(kind, tasks=(task,), topics=(topic,))
        items = {item.system: _title(collection, item) for item in items_of(collection, work)}
        shown: dict[str, Any] = {}
        if system:
            or_404(items.get(system))
            item = _item(kind, task, topic, system)
            training_item = settings.trained(kind).get((task, topic, system))
            answers = training_item.answers if training_item else {}
            questions = [
                (question, _chosen(item, question, answers))
                for question in questions_of(collection, item, settings.measures)
            ]
            shown = {
                "shown": text_of_item(session, evaluation, item), "known": training_item,
                "questions": questions, "sides": parts_of(item),
            }  # fmt: skip
        rows = [(entry, _title(collection, entry)) for entry in settings.training]
    return page(
        request, "training.html", evaluation=evaluation, tab="Assign", kind=kind, task=task,
        topic=topic, system=system, kinds={name: KINDS[name] for name in JUDGED_KINDS}, rows=rows,
        tasks=list(dict.fromkeys(task for task, _ in pairs)), names=topic_names(collection),
        topics=list(dict.fromkeys(topic for _, topic in pairs)), items=items,
        training_path=training_path, **shown,
    )  # fmt: skip


def _chosen(item: Assignment, question: ModeQuestion, answers: dict[str, float]) -> float | None:
    """Return the known answer to a question as the form shows it."""
    name, _ = known_answer(item, question, 0)
    return known_answer(item, question, answers[name])[1] if name in answers else None


def _title(collection: Collection, entry: Any) -> str:
    """Name an item of any kind by its systems, or the label of its unit."""
    first, _, second = entry.system.partition("\t")
    if not first:
        return label_of(collection, _item("unit", entry.task, entry.topic, entry.system))
    return f"{first} – {second}" if second else first


@router.post("/evaluations/{token}/training", include_in_schema=False)
async def keep_answers(
    request: Request, user: Organizer, store: StoreDep, token: str,
    topic: Annotated[str, Form()], system: Annotated[str, Form()],
    task: Annotated[str, Form()] = "", kind: Annotated[Kind, Form()] = "judge",
) -> Response:  # fmt: skip
    """Make an item part of the training, or take it out."""
    async with request.form() as form:
        fields = {name: str(value)[:10_000] for name, value in form.items()}
    item = _item(kind, task, topic, system)
    await run_in_threadpool(_keep, store, user, token, item, fields)
    return go_to(f"/evaluations/{token}/training")


def _keep(
    store: Store, user: Visitor, token: str, item: Assignment, fields: dict[str, str]
) -> None:
    with store.write() as session:
        evaluation = evaluation_of(session, token)
        settings = Settings.of(evaluation)
        key = (item.kind, item.task, item.topic, item.system)
        training = tuple(row for row in settings.training if (row.kind, *row.key) != key)
        if fields.get("action") != "remove":
            training = (*training, _known(session, evaluation, item, fields))
        evaluation.settings = replace(settings, training=training).to_json()
        record(session, user.account, "changed the training", token, items=len(training))


def _known(
    session: Session, evaluation: Evaluation, item: Assignment, fields: dict[str, str]
) -> TrainingItem:
    work = AssignmentForm(item.kind, tasks=(item.task,), topics=(item.topic,))
    collection = with_pyramids(session, evaluation, (item.task, item.topic))
    or_404(item.system in {row.system for row in items_of(collection, work)} or None)
    answers = {}
    for question in questions_of(collection, item, Settings.of(evaluation).measures):
        if text := fields.get(f"answer-{question.id}", "").strip():
            try:
                value = float(text)
            except ValueError:
                value = nan
            if not question.measure.scale.allows(value):
                hint = f"the scale is {question.measure.text}"
                raise InputError(f"{question.text[:60]} has no score {text[:20]}", hint)
            name, value = known_answer(item, question, value)
            answers[name] = value
    if not answers:
        raise InputError("there is no known answer", hint="give at least one")
    note = fields.get("note", "").strip()
    return TrainingItem(*(item.task, item.topic, item.system), answers, note, item.kind)
