"""Training: summaries with known answers, which are judged first and do not count."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from pydantic import BaseModel
from sqlalchemy import select

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
)
from pyramidion.studio._evaluations import Settings, TrainingItem, imported_collection
from pyramidion.studio._items import item_path
from pyramidion.studio._sheets import sheets_of
from pyramidion.studio._store import Assignment, Evaluation, Round, Store, record

router = APIRouter()


class AnswerShown(BaseModel):
    """The answer to a measure, as people read it."""

    measure: str
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
        settings = Settings.of(row.evaluation)
        sheet = sheets_of(session, Assignment.id == row.id)[row.id]
    key = (row.task, row.topic, row.system)
    item_answers = or_404(
        next(
            (training_item for training_item in settings.training if training_item.key == key), None
        )
    )
    or_404(sheet.is_submitted or None)
    scales = {measure.name: measure for measure in settings.ever}
    shown_answers = [
        AnswerShown(
            measure=scales[name].title, answer=scales[name].label(sheet.values[name]),
            expected=scales[name].label(value), is_right=sheet.values[name] == value,
        )
        for name, value in item_answers.answers.items()
        if name in scales and name in sheet.values
    ]  # fmt: skip
    return Feedback(answers=shown_answers, note=item_answers.note)


@router.post("/evaluations/{token}/training", include_in_schema=False)
async def keep_answers(
    request: Request, user: Organizer, store: StoreDep, token: str,
    topic: Annotated[str, Form()], system: Annotated[str, Form()],
    task: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Make a summary part of the training, or take it out."""
    async with request.form() as form:
        fields = {name: str(value)[:10_000] for name, value in form.items()}
    await run_in_threadpool(_keep, store, user, token, (task, topic, system), fields)
    return go_to(item_path(token, task, topic, system))


def _keep(
    store: Store, user: Visitor, token: str, key: tuple[str, str, str], fields: dict[str, str]
) -> None:
    with store.write() as session:
        evaluation = evaluation_of(session, token)
        settings = Settings.of(evaluation)
        training = tuple(item for item in settings.training if item.key != key)
        if fields.get("action") != "remove":
            collection = imported_collection(session, evaluation)
            training = (*training, _item(settings, collection, key, fields))
        evaluation.settings = replace(settings, training=training).to_json()
        record(session, user.account, "changed the training", token, items=len(training))


def _item(
    settings: Settings, collection: Collection, key: tuple[str, str, str], fields: dict[str, str]
) -> TrainingItem:
    peers = {(row.task, row.topic, row.system) for row in collection.summaries if row.is_peer}
    or_404(key in peers or None)
    answers = {}
    for measure in settings.measures:
        if text := fields.get(f"answer-{measure.name}", "").strip():
            try:
                value = float(text)
            except ValueError:
                value = float("nan")
            if not measure.scale.allows(value):
                hint = f"the scale is {measure.text}"
                raise InputError(f"{measure.name} has no score {text[:20]}", hint)
            answers[measure.name] = value
    if not answers:
        raise InputError("there is no known answer", hint="give at least one")
    return TrainingItem(*key, answers, fields.get("note", "").strip())
