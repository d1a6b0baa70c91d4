"""The table of items: who judged which summary and how, and summaries side by side."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from statistics import median
from typing import Annotated, Any
from urllib.parse import urlencode

import numpy as np
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pyramidion.collection import Collection
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.errors import InputError
from pyramidion.studio._app import Organizer, Reader, StoreDep, evaluation_of, go_to, or_404, page
from pyramidion.studio._evaluations import Settings, imported_collection, topic_names
from pyramidion.studio._exports import minute
from pyramidion.studio._modes import MODES
from pyramidion.studio._progress import steps_of
from pyramidion.studio._sheets import sheets_of
from pyramidion.studio._store import (
    Account,
    Assignment,
    Evaluation,
    Event,
    Round,
    new_token,
    record,
)

router = APIRouter(include_in_schema=False)

#: Judgments of one summary that differ by this share of the scale are far apart.
FAR_APART = 0.5
# Faster than this share of a person's median time, if that many items were timed.
_FAST, _MIN_TIMED = 1 / 3, 5
_ON_A_PAGE = 100
_MAX_BESIDE = 4

#: What may be doubtful or special about a judgment.
FLAGS = {
    "far": "far apart", "fast": "fast", "comment": "comment", "reopened": "reopened",
    "training": "training",
}  # fmt: skip
STAGES = ("submitted", "draft", "new", "imported")

Key = tuple[str, str, str]


@dataclass(frozen=True)
class ItemRow:
    """One summary with the answers of one person; `token` is empty if they were imported."""

    task: str
    topic: str
    system: str
    person: str
    stage: str
    scores: dict[str, float]
    comment: str = ""
    seconds: float = 0.0
    at: float = 0.0
    round: str = ""
    token: str = ""
    flags: frozenset[str] = frozenset()

    @property
    def key(self) -> Key:
        """Which summary it is."""
        return self.task, self.topic, self.system


def item_path(token: str, task: str, topic: str, system: str) -> str:
    """Return the page of a summary."""
    fields = {"task": task, "topic": topic, "system": system}
    return f"/evaluations/{token}/item?{urlencode(fields)}"


def training_path(token: str, kind: str, task: str, topic: str, system: str) -> str:
    """Return the page with the known answers of an item."""
    fields = {"kind": kind, "task": task, "topic": topic, "system": system}
    return f"/evaluations/{token}/training?{urlencode(fields)}"


def rows_of(session: Session, evaluation: Evaluation) -> list[ItemRow]:
    """List all judgments: assigned ones with their state, and imported ones."""
    collection, settings = imported_collection(session, evaluation), Settings.of(evaluation)
    rows = [*_assigned_items(session, evaluation), *_imported_rows(collection)]
    order = {system: n for n, system in enumerate(sorted(collection.systems, key=natural_order))}
    rows.sort(key=lambda row: (natural_order(row.topic), row.task, order.get(row.system, 0)))
    far_apart = _far_apart(rows, settings, collection)
    medians = _medians(rows)
    return [
        replace(
            row,
            flags=row.flags
            | _flags(row, is_far=row.key in far_apart, usual_seconds=medians[row.person]),
        )
        for row in rows
    ]


def _assigned_items(session: Session, evaluation: Evaluation) -> Iterator[ItemRow]:
    conditions = (Assignment.evaluation_id == evaluation.id, Assignment.kind == "judge")
    sheets = sheets_of(session, *conditions)
    steps = {step.id: step for step in steps_of(session, evaluation)}
    rounds = {
        row.id: row
        for row in session.scalars(select(Round).where(Round.evaluation_id == evaluation.id))
    }
    for item in session.scalars(select(Assignment).where(*conditions).order_by(Assignment.id)):
        sheet, step, row = sheets[item.id], steps[item.id], rounds.get(item.round_id or 0)
        flags = {"training"} if row and row.purpose == "training" else set()
        flags |= {"reopened"} if sheet.note else set()
        yield ItemRow(
            item.task, item.topic, item.system, step.name, sheet.stage, sheet.values, sheet.comment,
            step.seconds, step.last, row.title if row else "", item.token, frozenset(flags),
        )  # fmt: skip


def _imported_rows(collection: Collection) -> Iterator[ItemRow]:
    scores = collection.scores
    measures = collection.human_measures
    imported_scores = scores.rows(np.isin(scores.columns["measure"], measures))
    answers: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for row in imported_scores:
        answers[row.task, row.topic, row.system, row.assessor][row.measure] = row.value
    written_keys = {(row.task, row.topic, row.system) for row in collection.summaries}
    for (task, topic, system, person), values in answers.items():
        if (task, topic, system) not in written_keys:  # people also judge documents
            continue
        yield ItemRow(task, topic, system, person, "imported", values)


def _is_counted(row: ItemRow) -> bool:
    return row.stage in ("submitted", "imported") and "training" not in row.flags


def _far_apart(rows: Iterable[ItemRow], settings: Settings, collection: Collection) -> set[Key]:
    """Return the summaries with judgments that are half the scale apart."""
    scales = {**collection.scales, **{m.name: m.scale for m in settings.ever}}
    values = grouped(
        ((*row.key, name), value)
        for row in rows
        if _is_counted(row) and row.person
        for name, value in row.scores.items()
    )
    return {
        (task, topic, system)
        for (task, topic, system, name), key_values in values.items()
        if name in scales
        and max(key_values) - min(key_values) >= FAR_APART * (scales[name].high - scales[name].low)
    }


def _medians(rows: Iterable[ItemRow]) -> dict[str, float]:
    """Return the median time of each person, or 0 with too few times."""
    times = grouped(
        (row.person, row.seconds) for row in rows if row.stage == "submitted" and row.seconds
    )
    usual_seconds: dict[str, float] = defaultdict(float)
    usual_seconds.update({n: median(t) for n, t in times.items() if len(t) >= _MIN_TIMED})
    return usual_seconds


def _flags(row: ItemRow, *, is_far: bool, usual_seconds: float) -> set[str]:
    is_fast = row.stage == "submitted" and 0 < row.seconds < _FAST * usual_seconds
    marks = {"far": is_far and _is_counted(row), "fast": is_fast, "comment": bool(row.comment)}
    return {name for name, is_marked in marks.items() if is_marked}


@dataclass(frozen=True)
class Filter:
    """Which rows are shown; an empty field admits all."""

    topic: str = ""
    system: str = ""
    person: str = ""
    stage: str = ""
    flag: str = ""
    text: str = ""

    def admits(self, row: ItemRow) -> bool:
        """Return whether a row is shown."""
        fields = ("topic", "system", "person", "stage")
        return (
            all(getattr(self, name) in ("", getattr(row, name)) for name in fields)
            and (not self.flag or self.flag in row.flags)
            and self.text.casefold() in row.comment.casefold()
        )


@router.get("/evaluations/{token}/items")
def list_items(
    request: Request, user: Reader, store: StoreDep, token: str, topic: str = "", system: str = "",
    person: str = "", stage: str = "", flag: str = "", text: str = "",
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
) -> HTMLResponse:  # fmt: skip
    """Show the judgments that pass the filters."""
    item_filter = Filter(topic, system, person, stage, flag, text)
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        rows = rows_of(session, evaluation)
        collection = imported_collection(session, evaluation)
        in_modes = (Assignment.evaluation_id == evaluation.id, Assignment.kind.in_(MODES))
        n_elsewhere = session.scalar(select(func.count()).where(*in_modes))
    admitted = [row for row in rows if item_filter.admits(row)]
    names = topic_names(collection)
    first_row = (number - 1) * _ON_A_PAGE
    fields = {name: value for name, value in vars(item_filter).items() if value}
    systems = sorted({row.system for row in rows}, key=natural_order)
    return page(
        request, "items.html", evaluation=evaluation, tab="Items", chosen=item_filter,
        rows=admitted[first_row : first_row + _ON_A_PAGE], found=len(admitted), total=len(rows),
        number=number, pages=-(-len(admitted) // _ON_A_PAGE), query=urlencode(fields),
        topics={row.topic: names[row.topic] for row in rows}, systems=systems,
        people=sorted({row.person for row in rows if row.person}, key=natural_order),
        measures=list(dict.fromkeys(name for row in rows for name in row.scores)),
        flags=FLAGS, stages=STAGES, item_path=item_path, elsewhere=n_elsewhere,
        tasks=len({row.task for row in rows}),
    )  # fmt: skip


@router.get("/evaluations/{token}/item")
def show_item(
    request: Request, user: Reader, store: StoreDep, token: str, topic: str,
    system: Annotated[list[str], Query(max_length=_MAX_BESIDE)], task: str = "",
) -> HTMLResponse:  # fmt: skip
    """Show summaries of a topic side by side, with all judgments of them."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        collection = imported_collection(session, evaluation)
        rows = grouped((row.key, row) for row in rows_of(session, evaluation))
    summaries = {
        row.system: row
        for row in (*collection.peers(topic, task), *collection.references(topic, task))
    }
    other_summaries = [name for name in summaries if name not in system]
    settings = Settings.of(evaluation)
    training = settings.trained("judge")
    shown_references: list[dict[str, Any]] = [
        {
            "summary": or_404(summaries.get(name)), "rows": rows.get((task, topic, name), []),
            "is_training": (task, topic, name) in training,
        }
        for name in dict.fromkeys(system)
    ]  # fmt: skip
    return page(
        request, "item.html", evaluation=evaluation, tab="Items", task=task, topic=topic,
        title=topic_names(collection)[topic], shown=shown_references, flags=FLAGS, minute=minute,
        beside=other_summaries if len(shown_references) < _MAX_BESIDE else [],
        references=[r for r in collection.references(topic, task) if r.system not in system],
        documents=collection.documents(topic, task), training_path=training_path,
    )  # fmt: skip


@router.post("/evaluations/{token}/items/{item}/reopen")
def reopen(
    user: Organizer, store: StoreDep, token: str, item: str,
    note: Annotated[str, Form(max_length=2000)] = "",
) -> Response:  # fmt: skip
    """Ask an assessor to look at a submitted summary again."""
    with store.write() as session:
        evaluation = evaluation_of(session, token)
        of_token = (Assignment.token == item, Assignment.evaluation_id == evaluation.id)
        row = or_404(session.scalar(select(Assignment).where(*of_token)))
        if not note.strip():
            raise InputError("the assessor needs to know why", hint="write a note")
        if (
            row.kind != "judge"
            or not sheets_of(session, Assignment.id == row.id)[row.id].is_submitted
        ):
            raise InputError("this item is not submitted", hint="reload the page")
        account = session.get_one(Account, user.account.id)
        session.add(
            Event(
                assignment_id=row.id, account_id=account.id, key=new_token(), kind="reopen",
                data={"note": note.strip()},
            )
        )  # fmt: skip
        record(session, account, "reopened an item", token, person=row.account_id)
    return go_to(item_path(token, row.task, row.topic, row.system))
