"""The pyramid editor and the annotation of peers: pages, and the API behind them.

Both work on a board (`_boards`): the editor on the pyramid, an annotator on the sheet of a peer.
Offsets of browsers are converted in `_desks`.
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.errors import InputError
from pyramidion.studio._adjudication import annotated_twice
from pyramidion.studio._app import (
    CurrentUser,
    Organizer,
    StoreDep,
    Visitor,
    evaluation_of,
    go_to,
    page,
)
from pyramidion.studio._boards import (
    Acceptance,
    BoardState,
    ChangeRequest,
    OldVersionError,
    board_state,
    board_topic,
    board_topics,
    change,
    changed_boards,
    described,
    done_before,
    open_board,
    remember,
    submitted,
    task_json,
)
from pyramidion.studio._desks import (
    Desk,
    assignment_of,
    browser_parts,
    changing,
    characters,
    desk_at,
    editor_desk,
    full_state,
    prepare,
    present,
    shown_to,
    stage_of,
)
from pyramidion.studio._edits import Edit
from pyramidion.studio._evaluations import Settings, imported_collection, topic_names
from pyramidion.studio._guidelines import guidelines_of, rendered
from pyramidion.studio._store import Assignment, BoardChange, Event, Store
from pyramidion.studio._suggestions import Rates, Source, Suggestion, for_peer, for_pyramid
from pyramidion.studio._work import desk_queue

router = APIRouter()

# Ids of units that have no number yet: this, and the key of the event that adds the unit.
_NEW = "new:"
# Attempts to store events while others store theirs.
_MAX_ATTEMPTS = 20

_Token = Annotated[str, Field(max_length=64)]
_BoardToken = Annotated[str, Query(max_length=64)]
_Key = Annotated[str, Field(min_length=8, max_length=64)]
_Uid = Annotated[str, Field(max_length=100)]
_Words = Annotated[str, Field(max_length=4000)]
_Offset = Annotated[int, Field(ge=0, le=10**8)]
_Place = Annotated[int, Field(ge=0, le=10**6)]
_Stretch = Annotated[list[_Offset], Field(min_length=2, max_length=2)]


class _RequestBody(BaseModel):
    """A request body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ContributorIn(_RequestBody):
    """Parts of a text, in browser offsets."""

    parts: Annotated[list[_Stretch], Field(min_length=1, max_length=200)]
    comment: _Words = ""


class EditIn(_RequestBody):
    """An edit; its kind decides which fields it needs. The server numbers new units."""

    edit: Literal[
        "AddUnit", "RemoveUnit", "Relabel", "MoveUnit", "AddContributor", "RemoveContributor",
        "SetContributor", "MoveContributor", "Merge", "Split",
    ]  # fmt: skip
    uid: _Uid | None = None
    label: _Words | None = None
    comment: _Words | None = None
    at: _Place | None = None
    beside: _Uid | None = None
    into: _Uid | None = None
    to: _Uid | None = None
    to_at: _Place | None = None
    places: Annotated[list[_Place], Field(max_length=1000)] | None = None
    contributor: ContributorIn | None = None
    contributors: Annotated[list[ContributorIn], Field(max_length=200)] | None = None


class SuggestionIn(_RequestBody):
    """An accepted or refused suggestion."""

    id: Annotated[str, Field(max_length=64)]
    source: Source
    probability: Annotated[float, Field(ge=0, le=1)] | None = None


class TaskIn(_RequestBody):
    """A task that is completed by leaving the mark where it is."""

    uid: _Uid
    parts: Annotated[list[_Stretch], Field(min_length=1, max_length=200)]
    reason: _Words


class DeskEventIn(_RequestBody):
    """An action at a desk, with a key so that it is carried out only once.

    `version` is the one that an edit was made for, and `page` names the browser.
    """

    key: _Key
    action: Literal["do", "undo", "redo", "refuse", "keep", "submit", "reopen"]
    page: Annotated[str, Field(max_length=64)] = ""
    version: _Place = 0
    edit: EditIn | None = None
    suggested: SuggestionIn | None = None
    task: TaskIn | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needs = {"do": self.edit, "refuse": self.suggested, "keep": self.task}
        if needs.get(self.action, self) is None:
            raise ValueError(f"{self.action} does not say what it refers to")
        return self


class DeskEventsIn(_RequestBody):
    """Events in the order they happened, and the version that the browser has."""

    events: Annotated[list[DeskEventIn], Field(min_length=1, max_length=100)]
    version: _Place | None = None


# What browsers send.


def _clean(text: str) -> str:
    """Drop characters that cannot be shown or written to XML."""
    return "".join(c for c in text if c.isprintable() or c == "\n").strip()


def _read_edit(desk: Desk, sent: EditIn, uids: Callable[[str], str]) -> Edit:
    """Read an edit: convert offsets, and add the text of parts and the ids of new units."""
    text = desk.state.text(desk.sheet)

    def contributor(fields: dict[str, Any]) -> dict[str, Any]:
        spans = characters(desk.state, desk.sheet, fields["parts"])
        parts = [[start, end, text[start:end]] for start, end in spans]
        return {"parts": parts, "comment": _clean(fields["comment"])}

    record = sent.model_dump(exclude_none=True)
    record |= {name: _clean(record[name]) for name in ("label", "comment") if name in record}
    record |= {name: uids(record[name]) for name in ("uid", "into", "to") if name in record}
    if "contributor" in record:
        record["contributor"] = contributor(record["contributor"])
    if "contributors" in record:
        record["contributors"] = [contributor(fields) for fields in record["contributors"]]
    if sent.edit == "AddUnit":
        record["uid"] = ""
    if sent.edit == "Split":
        record["new"] = ""
    neighbor = record.pop("beside", None)
    if neighbor and sent.edit == "MoveUnit":  # others may have moved it
        rows = [unit.uid for unit in desk.state.board.units(desk.sheet)]
        record["at"] = rows.index(uids(neighbor)) if uids(neighbor) in rows else record.get("at", 0)
    return Edit.from_json({**record, "sheet": desk.sheet})


def _new_uids(session: Session, desk: Desk, keys: Collection[str]) -> dict[str, str]:
    """Return the ids of the units that changes with these keys added."""
    of_person = (BoardChange.account_id == desk.user.account.id, BoardChange.key.in_(keys))
    rows = session.scalars(
        select(BoardChange).where(BoardChange.board_id == desk.board.id, *of_person)
    )
    edits = {row.key: row.data.get("edit", {}) for row in rows}
    uid_fields = {"AddUnit": "uid", "Split": "new"}
    return {
        key: edit[uid_fields[edit["edit"]]]
        for key, edit in edits.items()
        if edit.get("edit") in uid_fields
    }


def _request(session: Session, desk: Desk, sent: DeskEventIn) -> ChangeRequest:
    """Read a change of a board."""

    def uid_of(uid: str) -> str:
        key = uid.removeprefix(_NEW)
        if key == uid:
            return uid
        uids = _new_uids(session, desk, [key])
        if key not in uids:
            message = "it builds on a unit that was not stored"
            raise InputError(message, hint="add the unit again")
        return uids[key]

    details = dict[str, Any]()
    if sent.suggested:
        details["suggested"] = sent.suggested.model_dump()
    if sent.task:
        task = sent.task.model_dump()
        parts = characters(desk.state, desk.sheet, task["parts"])
        details["task"] = {"sheet": desk.sheet, **task, "parts": parts}
    edit = _read_edit(desk, sent.edit, uid_of) if sent.edit else None
    action: Any = sent.action
    person = desk.user.account.id
    return ChangeRequest(
        person, sent.key, action, desk.sheet, sent.version, edit, sent.page, details
    )


def _require_possible(session: Session, desk: Desk, request: ChangeRequest) -> None:
    """Refuse a change that is not possible now."""
    if desk.assignment and not desk.user.is_organizer:
        _require_open(desk)
    if not desk.may_edit(session):
        raise InputError("this cannot be changed now", hint="reopen it, or ask the organizer")
    tasks = [task_json(task) for task in desk.state.tasks(desk.sheet)]
    if request.action == "keep" and request.details["task"] not in tasks:
        raise InputError("there is no such task", hint="it may already be completed")


def _require_open(desk: Desk) -> None:
    if not Settings.of(desk.board.evaluation).is_open:
        raise HTTPException(409, "The evaluation is closed: nothing can be changed now.")


def _store_change(session: Session, desk: Desk, sent: DeskEventIn) -> Desk:
    """Store one change of a board, unless it is stored already."""
    request = _request(session, desk, sent)
    if done_before(session, desk.board, request):
        return desk
    _require_possible(session, desk, request)
    _, new_state = change(session, desk.board, request, state_before=desk.state)
    return replace(desk, state=new_state)


def _store_stage(session: Session, desk: Desk, sent: DeskEventIn) -> Desk:
    """Submit or reopen work, unless that is stored already."""
    assignment = desk.assignment
    if assignment is None or assignment.account_id != desk.user.account.id:
        raise InputError("only the person it is assigned to can submit it")
    same_key = select(Event).where(Event.account_id == desk.user.account.id, Event.key == sent.key)
    stored_event = session.scalar(same_key)
    if stored_event is not None:
        if (stored_event.assignment_id, stored_event.kind) != (assignment.id, sent.action):
            raise InputError("this key was used for something else", hint="use a new key")
        return desk
    _require_open(desk)
    if sent.action == "submit" and desk.sheet and desk.state.tasks(desk.sheet):
        message = "the pyramid was changed, and some marks need review"
        raise InputError(message, hint="keep or move each of them, then submit")
    event = Event(
        assignment_id=assignment.id, account_id=desk.user.account.id, key=sent.key,
        kind=sent.action, data={},
    )  # fmt: skip
    session.add(event)
    session.flush()
    return desk


def _suggestions_of(
    state: BoardState, sheet: str, submitted_tokens: Collection[str], mark_counts: Rates
) -> list[Suggestion]:
    if not sheet:
        return for_pyramid(state.board.pyramid)
    current_sheet, peer = state.sheets[sheet], state.board.peers[sheet]
    # Marks by others, or of the same text, would bias the annotator.
    peers_by_same_person = {
        name: state.board.peers[name]
        for name, other in state.sheets.items()
        if name != sheet
        and other.account == current_sheet.account
        and state.text(name) != peer.text
    }
    finished_peers = {
        name: state.board.peers[name]
        for name, other in state.sheets.items()
        if name != sheet
        and (other.is_imported or name in submitted_tokens)
        and state.text(name) != peer.text
    }
    return for_peer(peer, peers_by_same_person, finished_peers, mark_counts)


def _suggestion(state: BoardState, sheet: str, suggestion: Suggestion) -> dict[str, Any]:
    return {
        "id": suggestion.id, "source": suggestion.source, "probability": suggestion.probability,
        "uid": suggestion.uid, "label": suggestion.label,
        "contributors": [
            {"parts": browser_parts(state, sheet, contributor), "text": contributor.label}
            for contributor in suggestion.contributors
        ],
    }  # fmt: skip


# The API: one pair of handlers for pyramids and annotated peers.


@router.get("/api/desks/{token}")
def read_desk(
    user: CurrentUser, store: StoreDep, token: _Token, board: _BoardToken = "",
    view: Literal["all", "suggestions"] = "all",
    seen: Annotated[int | None, Query(ge=0)] = None,
    unit: Annotated[str, Query(max_length=100)] = "",
) -> Response:  # fmt: skip
    """Return a pyramid or an annotated peer unless its version was seen, and who is at work."""
    prepare(store, user, token, board)
    with store.read() as session:
        desk = desk_at(session, user, token, board)
        if view == "suggestions":
            return JSONResponse({"suggestions": _suggestions(session, desk)})
        answer: dict[str, Any] = {"people": present(store, desk, unit)}
        version = desk.state.version(desk.sheet)
        answer["version"] = version
        if seen != version:
            answer |= full_state(session, desk)
            newer_touches = desk.state.touches_of(desk.sheet)[version if seen is None else seen :]
            answer["changes"] = shown_to(desk, described(session, desk.board, newer_touches))
        return JSONResponse(answer)


@router.post("/api/desks/{token}")
def write_desk(
    user: CurrentUser, store: StoreDep, token: _Token, sent: DeskEventsIn, board: _BoardToken = ""
) -> Response:
    """Store events, all or none, and return what has changed."""
    prepare(store, user, token, board)
    for _ in range(_MAX_ATTEMPTS):
        try:
            return JSONResponse(_store_events(store, user, (token, board), sent))
        except OldVersionError as error:
            content = {"error": error.detail, "hint": "", "changes": error.changes}
            return JSONResponse(content, 409)
        except IntegrityError:  # on servers where writers do not wait for each other
            continue
    raise HTTPException(503, "Too many people are changing this at once.")


def _store_events(
    store: Store, user: Visitor, address: tuple[str, str], sent: DeskEventsIn
) -> dict[str, Any]:
    """Carry out events in one transaction, and return what they changed."""
    with store.write() as session:
        desk = first_desk = desk_at(session, user, *address)
        try:
            for event in sent.events:
                is_stage = event.action in ("submit", "reopen")
                desk = (_store_stage if is_stage else _store_change)(session, desk, event)
        except OldVersionError as error:
            raise OldVersionError(shown_to(desk, error.changes)) from None
        keys = [event.key for event in sent.events]
        is_known = first_desk.state.version(first_desk.sheet) == sent.version
        answer = changing(desk.state, desk, first_desk.state if is_known else None)
        answer |= stage_of(session, desk) | {"stored": keys, "uids": _new_uids(session, desk, keys)}
    if desk.state is not first_desk.state:
        remember(session, desk.board, desk.state)
    return answer


def _suggestions(session: Session, desk: Desk) -> list[dict[str, Any]]:
    """Suggest content units for text that no unit covers, or marks of a peer."""
    state = desk.state
    if desk.sheet and not Settings.of(desk.board.evaluation).suggestions:
        return []
    submitted_tokens = submitted(session, desk.board.evaluation)
    boards = changed_boards(session, desk.board.evaluation).values()
    counts = Acceptance.of(session, [row for row, _ in boards])
    mark_counts = {
        source: (n[0], n[1]) for (page_name, source), n in counts.items() if page_name != "pyramid"
    }
    refused_ids = {r["suggested"]["id"] for r in state.refused if r["sheet"] == desk.sheet}
    candidates = _suggestions_of(state, desk.sheet, submitted_tokens, mark_counts)
    return [_suggestion(state, desk.sheet, s) for s in candidates if s.id not in refused_ids]


# Pages.


@router.get("/pyramids/{token}", include_in_schema=False)
def editor_page(request: Request, token: str, user: CurrentUser, store: StoreDep) -> HTMLResponse:
    """Show the pyramid editor."""
    with store.read() as session:
        desk = editor_desk(session, user, token)
        return _desk_page(request, session, desk, "pyramid.html", api=f"/api/desks/{desk.name}")


@router.get("/annotate/{token}", include_in_schema=False, response_model=None)
def annotation_page(
    request: Request, token: str, user: CurrentUser, store: StoreDep, board: str = ""
) -> Response:
    """Show a peer to its annotator; builders of pyramids are redirected to the editor."""
    if not board:
        with store.write() as session:
            assignment = assignment_of(session, user, token)
            if assignment.kind in ("pyramid", "independent"):
                topic = board_topic(assignment)
                row = open_board(session, assignment.evaluation, assignment.task, topic)
                return go_to(f"/pyramids/{row.token}")
    prepare(store, user, token, board)
    with store.read() as session:
        desk = desk_at(session, user, token, board)
        query = f"?board={desk.board.token}" if board else ""
        return _desk_page(
            request, session, desk, "annotate.html", api=f"/api/desks/{token}", query=query,
            rest=NOT_IN_PYRAMID,
        )  # fmt: skip


def _desk_page(
    request: Request, session: Session, desk: Desk, template: str, **details: Any
) -> HTMLResponse:
    """Show a page of a board, with its guideline and the next assignment."""
    evaluation = desk.board.evaluation
    guideline = guidelines_of(session, evaluation).get("annotation" if desk.sheet else "pyramid")
    topics = topic_names(imported_collection(session, evaluation))
    name = " · ".join(filter(None, (topics[desk.board.subject], desk.board.task)))
    return page(
        request, template, desk=desk, name=name, evaluation=evaluation, rendered=rendered,
        guideline=guideline, following=_following(session, desk),
        queue=desk_queue(desk.name, desk.user.account), **details,
    )  # fmt: skip


def _following(session: Session, desk: Desk) -> str:
    """Return the token of the next open assignment of this kind."""
    assignment = desk.assignment
    if assignment is None or assignment.account_id != desk.user.account.id:
        return ""
    rows = session.scalars(
        select(Assignment).where(
            Assignment.evaluation_id == assignment.evaluation_id,
            Assignment.account_id == assignment.account_id,
            Assignment.kind == assignment.kind, Assignment.id != assignment.id,
        ).order_by(Assignment.position < assignment.position, Assignment.position)
    )  # fmt: skip
    submitted_tokens = submitted(session, desk.board.evaluation)
    return next((row.token for row in rows if row.token not in submitted_tokens), "")


@router.get("/evaluations/{token}/pyramids", include_in_schema=False)
def pyramids_page(request: Request, token: str, user: Organizer, store: StoreDep) -> HTMLResponse:
    """List the topics, their pyramids, and the acceptance of suggestions."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        collection = imported_collection(session, evaluation)
        boards, names = changed_boards(session, evaluation), topic_names(collection)
        annotations = Counter((task, topic) for task, topic, *_ in collection.peer_annotations)
        rows = []
        for key in board_topics(collection):
            row, changes = boards.get(key, (None, 0))
            state = board_state(session, row) if row else None
            imported_pyramid = collection.pyramids.get(key)
            pyramid = state.board.pyramid if state else imported_pyramid
            rows.append({
                "task": key[0], "topic": key[1], "board": row, "changes": changes,
                "name": names[key[1]],
                "units": len(pyramid.scus) if pyramid else 0,
                "peers": len(state.sheets) if state else annotations[key],
                "tasks": len(state.tasks()) if state else 0,
            })  # fmt: skip
        acceptance = Acceptance.of(session, [row for row, _ in boards.values()])
        return page(
            request, "pyramids.html", evaluation=evaluation, tab="Pyramids", rows=rows,
            accepted=acceptance, compared=annotated_twice(session, evaluation, names),
            tasks=len({row["task"] for row in rows}),
        )  # fmt: skip


@router.post("/evaluations/{token}/pyramids", include_in_schema=False)
def open_page(
    token: str, user: Organizer, store: StoreDep,
    task: Annotated[str, Form()] = "", topic: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Open the pyramid of a topic."""
    with store.write() as session:
        row = open_board(session, evaluation_of(session, token), task, topic)
    return go_to(f"/pyramids/{row.token}")
