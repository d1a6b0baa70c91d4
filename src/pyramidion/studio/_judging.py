"""Judging summaries in a browser: the page and its API.

Responses to assessors are declared field by field: no system, no kind of summary, no occasion.
"""

from collections.abc import Sequence
from random import Random
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import ColumnElement, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pyramidion.collection import TAC_CATEGORIES, Collection, Document, Topic
from pyramidion.errors import InputError
from pyramidion.studio._app import (
    CurrentUser,
    Organizer,
    StoreDep,
    Visitor,
    evaluation_of,
    or_404,
    page,
)
from pyramidion.studio._evaluations import Settings, imported_collection
from pyramidion.studio._guidelines import guidelines_of, rendered
from pyramidion.studio._modes import (
    JUDGED_KINDS,
    MODES,
    label_of,
    parts_of,
    questions_of,
    text_of,
    with_pyramids,
)
from pyramidion.studio._scales import JudgedMeasure
from pyramidion.studio._sheets import ItemAnswers, Stage, sheets_of
from pyramidion.studio._store import Assignment, Evaluation, Event, Round, Store
from pyramidion.studio._work import queue_name

router = APIRouter()

#: Maximum number of events per request, and length of a comment.
MAX_EVENTS, LONGEST_COMMENT = 100, 10_000

# Number of summaries in a preview.
_PREVIEWED = 5

#: The kinds of work that this page shows.
Kind = Literal["judge", "prefer", "checklist", "unit", "statements"]

_Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")]


class EventIn(BaseModel):
    """Fields of every event: a unique key, and the item."""

    model_config = ConfigDict(extra="forbid", strict=True)

    key: _Token
    item: _Token

    def data(self) -> dict[str, Any]:
        """Return the fields that depend on the kind."""
        return self.model_dump(exclude={"key", "item", "kind"})


class ScoreIn(EventIn):
    """A score, or null to withdraw it; `guideline` is the version that was shown."""

    kind: Literal["score"]
    measure: Annotated[str, Field(max_length=200)]
    value: int | Annotated[float, Field(allow_inf_nan=False)] | None
    guideline: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class CommentIn(EventIn):
    """The whole comment; empty to withdraw it."""

    kind: Literal["comment"]
    text: Annotated[str, Field(max_length=LONGEST_COMMENT)]


class StageIn(EventIn):
    """Submitting or reopening an item."""

    kind: Literal["submit", "reopen"]


class TimeIn(EventIn):
    """Seconds of work on an item since the last such event."""

    kind: Literal["time"]
    seconds: Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]


AnyEvent = Annotated[ScoreIn | CommentIn | StageIn | TimeIn, Field(discriminator="kind")]


class EventsIn(BaseModel):
    """Events in the order they happened."""

    model_config = ConfigDict(extra="forbid", strict=True)

    events: Annotated[list[AnyEvent], Field(min_length=1, max_length=MAX_EVENTS)]


class StoredKeys(BaseModel):
    """The keys of stored events."""

    stored: list[str]


class ItemShown(BaseModel):
    """The state of an item, with its assessor's scores and comment."""

    token: str
    stage: Stage
    scores: dict[str, int | float]
    comment: str
    #: Why an organizer reopened it, and whether its answers are known.
    note: str = ""
    training: bool = False


class Sheets(BaseModel):
    """Everything assigned to an assessor in an evaluation; `resume` is the last item touched."""

    is_open: bool
    items: list[ItemShown]
    resume: str


class AspectShown(BaseModel):
    """Something a summary should cover."""

    name: str
    description: str


class DocumentShown(BaseModel):
    """An article."""

    headline: str
    source: str
    date: str
    text: str


class QuestionShown(BaseModel):
    """A question about an item, and its answers with their values."""

    id: str
    text: str
    answers: list[tuple[int | float, str]]


class ItemText(BaseModel):
    """A summary with its topic and documents; a second one to compare it with, and questions."""

    task: str
    word_limit: int | None
    topic: str
    narrative: str
    category: str
    aspects: list[AspectShown]
    documents: list[DocumentShown]
    known: list[DocumentShown]
    references: list[str]
    summary: str
    second: str = ""
    questions: list[QuestionShown] = []


def _assigned_to(
    evaluation: Evaluation, user: Visitor, *tokens: str, kinds: Sequence[str] = JUDGED_KINDS
) -> tuple[ColumnElement[bool], ...]:
    """Select a user's items in an evaluation: all, or those with these tokens."""
    conditions = (
        Assignment.evaluation_id == evaluation.id,
        Assignment.account_id == user.account.id,
        Assignment.kind.in_(kinds),
    )
    return (*conditions, Assignment.token.in_(tokens)) if tokens else conditions


def _evaluation(session: Session, user: Visitor, token: str) -> Evaluation:
    """Find an evaluation in which the user judges; one query, which reveals nothing to others."""
    assigned_query = select(Assignment.id).where(
        Assignment.evaluation_id == Evaluation.id, Assignment.account_id == user.account.id,
        Assignment.kind.in_(JUDGED_KINDS),
    )  # fmt: skip
    query = select(Evaluation).where(Evaluation.token == token, assigned_query.exists())
    return or_404(session.scalar(query))


def _items(session: Session, *conditions: ColumnElement[bool]) -> list[Assignment]:
    """Find assignments in order, or answer 404."""
    query = select(Assignment).where(*conditions).order_by(Assignment.position)
    return or_404(list(session.scalars(query)) or None)


@router.get("/judge/{evaluation}", include_in_schema=False)
def judge_page(
    request: Request, user: CurrentUser, store: StoreDep, evaluation: str, kind: Kind = "judge"
) -> HTMLResponse:
    """Show the judging page."""
    with store.read() as session:
        row = _evaluation(session, user, evaluation)
        _items(session, *_assigned_to(row, user, kinds=[kind]))
        texts = guidelines_of(session, row)
    return page(
        request, "judge.html", evaluation=row, guidelines=texts, rendered=rendered,
        measures=Settings.of(row).measures if kind == "judge" else (), kind=kind,
        mode=MODES.get(kind), queue=queue_name(row, user.account),
        address=f"/api/judge/{row.token}",
    )  # fmt: skip


@router.get("/evaluations/{token}/preview", include_in_schema=False)
def preview_page(request: Request, user: Organizer, store: StoreDep, token: str) -> HTMLResponse:
    """Show an organizer what assessors see; nothing is stored."""
    with store.read() as session:
        row = evaluation_of(session, token)
        texts = guidelines_of(session, row)
    return page(
        request, "judge.html", evaluation=row, measures=Settings.of(row).measures,
        guidelines=texts, rendered=rendered, queue="", address=f"/api/preview/{token}",
        kind="judge", mode=None,
    )  # fmt: skip


def _samples(collection: Collection, settings: Settings) -> list[Assignment]:
    """Draw a few summaries for a preview."""
    peers = [summary for summary in collection.summaries if summary.is_peer]
    sampled = Random(settings.seed).sample(peers, min(_PREVIEWED, len(peers)))  # noqa: S311
    return [Assignment(task=row.task, topic=row.topic, system=row.system) for row in sampled]


@router.get("/api/preview/{token}")
def preview(user: Organizer, store: StoreDep, token: str) -> Sheets:
    """Return the items of a preview."""
    with store.read() as session:
        row = evaluation_of(session, token)
        number = len(_samples(imported_collection(session, row), Settings.of(row)))
    items = [
        ItemShown(token=str(index), stage="new", scores={}, comment="") for index in range(number)
    ]
    return Sheets(is_open=True, items=items, resume="")


@router.get("/api/preview/{token}/items/{number}")
def preview_text(
    user: Organizer, store: StoreDep, token: str, number: Annotated[int, Path(ge=0, lt=_PREVIEWED)]
) -> ItemText:
    """Return a summary of a preview."""
    with store.read() as session:
        row = evaluation_of(session, token)
        collection, settings = imported_collection(session, row), Settings.of(row)
        items = _samples(collection, settings)
        return _text_of(collection, or_404(dict(enumerate(items)).get(number)), settings)


@router.get("/api/judge/{evaluation}")
def sheets(user: CurrentUser, store: StoreDep, evaluation: str, kind: Kind = "judge") -> Sheets:
    """Return your assignments in order, with your scores and comments."""
    with store.read() as session:
        row = _evaluation(session, user, evaluation)
        items, answers = (
            _items(session, *_assigned_to(row, user, kinds=[kind])),
            sheets_of(session, *_assigned_to(row, user, kinds=[kind])),
        )
        of_training = (Round.evaluation_id == row.id, Round.purpose == "training")
        training = set(session.scalars(select(Round.id).where(*of_training)))
        last_item = max(items, key=lambda item: answers[item.id].last)
        return Sheets(
            is_open=Settings.of(row).is_open,
            items=[
                ItemShown(
                    token=item.token,
                    stage=answer.stage,
                    scores=answer.values,
                    comment=answer.comment,
                    note=answer.note,
                    training=item.round_id in training,
                )
                for item, answer in ((item, answers[item.id]) for item in items)
            ],
            resume=last_item.token if answers[last_item.id].last else "",
        )


@router.get("/api/judge/{evaluation}/items/{item}")
def item_text(user: CurrentUser, store: StoreDep, evaluation: str, item: str) -> ItemText:
    """Return a summary assigned to you, with its topic and documents."""
    with store.read() as session:
        row = _evaluation(session, user, evaluation)
        items = _items(session, *_assigned_to(row, user, item))
        return text_of_item(session, row, items[0])


def text_of_item(session: Session, evaluation: Evaluation, item: Assignment) -> ItemText:
    """Return what an item of any kind shows."""
    if item.kind != "judge":
        return _mode_text(session, evaluation, item)
    return _text_of(imported_collection(session, evaluation), item, Settings.of(evaluation))


def _mode_text(session: Session, evaluation: Evaluation, item: Assignment) -> ItemText:
    """Return what an item of another mode shows, and its questions."""
    collection = with_pyramids(session, evaluation, (item.task, item.topic))
    system, part_name = parts_of(item)
    if item.kind == "unit":
        summary = label_of(collection, item)
    else:
        summary = text_of(collection, item, system)
    questions = [
        QuestionShown(
            id=question.id, text=question.text,
            answers=[(v, question.measure.label(v)) for v in question.measure.points],
        )
        for question in questions_of(collection, item)
    ]  # fmt: skip
    return _topic_text(collection, item).model_copy(
        update={
            "summary": summary, "questions": questions,
            "second": text_of(collection, item, part_name) if item.kind == "prefer" else "",
        }
    )  # fmt: skip


def _text_of(collection: Collection, item: Assignment, settings: Settings) -> ItemText:
    summaries = (
        *collection.peers(item.topic, item.task), *collection.references(item.topic, item.task)
    )  # fmt: skip
    summary = or_404(
        next((candidate for candidate in summaries if candidate.system == item.system), None)
    )
    references = _references(collection, item, settings) if settings.references else []
    update = {"summary": summary.plain, "references": references}
    return _topic_text(collection, item).model_copy(update=update)


def _topic_text(collection: Collection, item: Assignment) -> ItemText:
    """Return the topic of an item with its documents."""
    # A table of summaries declares no topics.
    matching_topics = (
        declared_topic for declared_topic in collection.topics if declared_topic.id == item.topic
    )
    topic, task = next(matching_topics, Topic(item.topic)), collection.task(item.task)
    categories = {category.id: category for category in (*TAC_CATEGORIES, *collection.categories)}
    category = categories.get(topic.category)
    return ItemText(
        task=task.title,
        word_limit=task.word_limit,
        topic=topic.title or topic.id,
        narrative=topic.narrative,
        category=category.title if category else "",
        aspects=[
            AspectShown(name=aspect.name, description=aspect.description)
            for aspect in (category.aspects if category else ())
        ],
        documents=_documents(collection.documents(topic.id, task.id)),
        known=_documents(collection.known_documents(topic.id, task.id)),
        references=[],
        summary="",
    )


def _references(collection: Collection, item: Assignment, settings: Settings) -> list[str]:
    """Return the references without the judged summary, in the same number for every summary.

    Otherwise a missing reference would show that a person wrote the summary.
    """
    references = collection.references(item.topic, item.task)
    shown_references = [row for row in references if row.system != item.system]
    if len(shown_references) == len(references) and any(row.is_peer for row in references):
        random_generator = Random(f"{settings.seed} {item.task} {item.topic} {item.system}")  # noqa: S311
        shown_references.remove(random_generator.choice(shown_references))
    return [row.plain for row in shown_references]


def _documents(rows: Sequence[Document]) -> list[DocumentShown]:
    return [
        DocumentShown(headline=row.headline, source=row.source, date=row.date, text=row.text)
        for row in rows
    ]


@router.post("/api/judge/{evaluation}/events")
def add_events(user: CurrentUser, store: StoreDep, evaluation: str, sent: EventsIn) -> StoredKeys:
    """Store events, all or none.

    An event whose key is already stored is acknowledged again, but not stored twice.
    """
    try:
        _add(store, user, evaluation, sent.events)
    except IntegrityError:
        # The same events arrived twice at once; the first ones are stored now.
        _add(store, user, evaluation, sent.events)
    return StoredKeys(stored=[event.key for event in sent.events])


def _add(store: Store, user: Visitor, evaluation: str, sent: Sequence[AnyEvent]) -> None:
    with store.write() as session:
        row = _evaluation(session, user, evaluation)
        item_ids = _assigned_to(row, user, *{event.item for event in sent})
        items = {item.token: item for item in _items(session, *item_ids)}
        ids = {token: item.id for token, item in items.items()}
        same_keys = Event.key.in_([event.key for event in sent])
        query = select(Event).where(Event.account_id == user.account.id, same_keys)
        stored_events = {event.key: event for event in session.scalars(query)}
        rules = None
        for event in sent:
            event_row = Event(
                assignment_id=or_404(ids.get(event.item)), account_id=user.account.id,
                key=event.key, kind=event.kind, data=event.data(),
            )  # fmt: skip
            if event.key in stored_events:
                _require_same(event_row, stored_events[event.key])
                continue
            rules = rules or _Rules(session, row, sheets_of(session, *item_ids))
            rules.require_allowed(event_row, items[event.item])
            session.add(event_row)
            stored_events[event.key] = event_row


def _require_same(sent: Event, stored_event: Event) -> None:
    sent_fields, stored_fields = ((e.assignment_id, e.kind, e.data) for e in (sent, stored_event))
    if sent_fields != stored_fields:
        message = f"the key {sent.key} was used for something else"
        raise InputError(message, hint="make a new key for each event")


class _Rules:
    """Checks whether an evaluation accepts an event, given earlier ones."""

    def __init__(
        self, session: Session, evaluation: Evaluation, sheets: dict[int, ItemAnswers]
    ) -> None:
        settings = Settings.of(evaluation)
        if not settings.is_open:
            raise HTTPException(409, "The evaluation is closed: nothing can be changed now.")
        self.measures = {measure.name: measure for measure in settings.measures}
        self.guidelines = guidelines_of(session, evaluation)
        self.sheets = sheets
        self._session, self._evaluation = session, evaluation
        self._asked: dict[int, dict[str, JudgedMeasure]] = {}

    def measures_of(self, item: Assignment) -> dict[str, JudgedMeasure]:
        """Return what is judged: the measures of the evaluation, or the questions of a mode."""
        if item.kind == "judge":
            return self.measures
        if item.id not in self._asked:
            topic = (item.task, item.topic)
            collection = with_pyramids(self._session, self._evaluation, topic)
            questions = questions_of(collection, item)
            self._asked[item.id] = {question.id: question.measure for question in questions}
        return self._asked[item.id]

    def require_allowed(self, event: Event, item: Assignment) -> None:
        """Refuse an event that is not possible now; remember one that is."""
        sheet = self.sheets[event.assignment_id]
        if event.kind in ("score", "comment") and sheet.is_submitted:
            raise InputError("this item is submitted", hint="reopen it to change it")
        if event.kind == "score":
            self._require_on_scale(event.data, self.measures_of(item))
        missing_measures = event.kind == "submit" and [
            name for name in self.measures_of(item) if name not in sheet.values
        ]
        if missing_measures:
            hint = "score all measures; reload the page to see new ones"
            raise InputError(f"there is no score for {missing_measures[0]}", hint)
        sheet.take(event)

    def _require_on_scale(self, data: dict[str, Any], measures: dict[str, JudgedMeasure]) -> None:
        measure = measures.get(data["measure"])
        if measure is None:
            raise InputError("this measure is not judged here", hint="reload the page")
        if data["value"] is not None and not measure.scale.allows(data["value"]):
            hint = f"the scale is {measure.text}"
            raise InputError(f"{measure.name} has no score {data['value']}", hint)
        row = self.guidelines.get(measure.name)
        if data["guideline"] > (row.version if row else 0):
            raise InputError(f"there is no such guideline for {measure.name}", hint="reload")
