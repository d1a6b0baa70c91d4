"""The pyramid editor and the annotation of peers: pages, and the API behind them.

Both work on a board (`_boards`): the editor on the pyramid, an annotator on the sheet of a peer.
Offsets of browsers are converted in `_desks`.
"""

from collections import Counter
from collections.abc import Callable, Collection
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.errors import InputError
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
    Action,
    BoardState,
    ChangeRequest,
    OldVersionError,
    board_state,
    board_topics,
    change,
    changed_boards,
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
)
from pyramidion.studio._edits import Edit
from pyramidion.studio._evaluations import Settings, imported_collection, topic_names
from pyramidion.studio._guidelines import guidelines_of, rendered
from pyramidion.studio._store import Assignment, Event, Store
from pyramidion.studio._suggestions import Rates, Source, Suggestion, for_peer, for_pyramid

router = APIRouter()

_Route = TypeVar("_Route", bound=Callable[..., Response])

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


class StepIn(_RequestBody):
    """Fields of every change: a key that makes it happen once, and the version it changes."""

    key: _Key
    version: _Place


class ChangeIn(StepIn):
    """An edit, and the suggestion it accepts."""

    edit: EditIn
    suggested: SuggestionIn | None = None


class RefusalIn(_RequestBody):
    """A suggestion that is not shown again."""

    key: _Key
    suggested: SuggestionIn


class TaskIn(_RequestBody):
    """A task that is completed by leaving the mark where it is."""

    uid: _Uid
    parts: Annotated[list[_Stretch], Field(min_length=1, max_length=200)]
    reason: _Words


class KeepIn(_RequestBody):
    """A completed task."""

    key: _Key
    task: TaskIn


class SubmissionIn(_RequestBody):
    """Submitting or reopening."""

    key: _Key


# Request bodies from browsers.


def _address(request: Request, token: _Token, board: _BoardToken = "") -> tuple[str, str | None]:
    """Return the token of a board (and None), or of a sheet with that of its board."""
    return token, None if request.url.path.startswith("/api/boards/") else board


_At = Annotated[tuple[str, str | None], Depends(_address)]


def _clean(text: str) -> str:
    """Drop characters that cannot be shown or written to XML."""
    return "".join(c for c in text if c.isprintable() or c == "\n").strip()


def _read_edit(state: BoardState, sheet: str, sent: EditIn) -> Edit:
    """Read an edit: convert offsets, and add the text of parts."""
    text = state.text(sheet)

    def contributor(fields: dict[str, Any]) -> dict[str, Any]:
        spans = characters(state, sheet, fields["parts"])
        parts = [[start, end, text[start:end]] for start, end in spans]
        return {"parts": parts, "comment": _clean(fields["comment"])}

    record = sent.model_dump(exclude_none=True)
    record |= {name: _clean(record[name]) for name in ("label", "comment") if name in record}
    if "contributor" in record:
        record["contributor"] = contributor(record["contributor"])
    if "contributors" in record:
        record["contributors"] = [contributor(fields) for fields in record["contributors"]]
    if sent.edit == "AddUnit":
        record["uid"] = ""
    if sent.edit == "Split":
        record["new"] = ""
    return Edit.from_json({**record, "sheet": sheet})


def _act(
    store: Store, user: Visitor, address: tuple[str, str | None], action: Action,
    sent: StepIn | RefusalIn | KeepIn,
) -> Response:  # fmt: skip
    """Carry out one action in one transaction, and return what it changed."""
    try:
        prepare(store, user, *address)
        with store.write() as session:
            desk = desk_at(session, user, *address)
            request = _change_request(desk, action, sent)
            if not done_before(session, desk.board, request):
                _require_possible(session, desk, request)
            before, after = change(session, desk.board, request, before=desk.state)
            answer = changing(after, desk, before if before is not after else None)
        remember(session, desk.board, after)
    except OldVersionError as error:
        changes = error.changes
        if not user.is_organizer:
            changes = [{"action": change["action"], "edit": change["edit"]} for change in changes]
        return JSONResponse({"error": error.detail, "hint": "", "changes": changes}, 409)
    return JSONResponse(answer)


def _require_possible(session: Session, desk: Desk, request: ChangeRequest) -> None:
    """Refuse a change that is not possible now, unless it is already stored."""
    if not desk.may_edit(session):
        raise InputError("this cannot be changed now", hint="reopen it, or ask the organizer")
    tasks = [task_json(task) for task in desk.state.tasks(desk.sheet)]
    if request.action == "keep" and request.details["task"] not in tasks:
        raise InputError("there is no such task", hint="it may already be completed")


def _change_request(desk: Desk, action: Action, sent: StepIn | RefusalIn | KeepIn) -> ChangeRequest:
    state, details = desk.state, dict[str, Any]()
    edit = _read_edit(state, desk.sheet, sent.edit) if isinstance(sent, ChangeIn) else None
    if isinstance(sent, ChangeIn | RefusalIn) and sent.suggested:
        details["suggested"] = sent.suggested.model_dump()
    if isinstance(sent, KeepIn):
        task = sent.task.model_dump()
        parts = characters(state, desk.sheet, task["parts"])
        details["task"] = {"sheet": desk.sheet, **task, "parts": parts}
    version = sent.version if isinstance(sent, StepIn) else None
    return ChangeRequest(desk.user.account.id, sent.key, action, desk.sheet, version, edit, details)


def _stage(
    store: Store, user: Visitor, address: tuple[str, str | None], kind: str, key: str
) -> Response:
    """Submit or reopen work, once per key."""
    # An imported sheet, which is named with its board, is never submitted.
    address = (address[0], address[1] and "")
    prepare(store, user, *address)
    with store.write() as session:
        desk = desk_at(session, user, *address)
        assignment = desk.assignment
        if assignment is None or assignment.account_id != user.account.id:
            raise InputError("only the person it is assigned to can submit it")
        if not Settings.of(desk.board.evaluation).is_open:
            raise InputError("this evaluation is closed", hint="ask the organizer")
        same_key = select(Event).where(Event.account_id == user.account.id, Event.key == key)
        stored = session.scalar(same_key)
        if stored is None:
            if kind == "submit" and desk.sheet and desk.state.tasks(desk.sheet):
                message = "the pyramid was changed, and some marks need review"
                raise InputError(message, hint="keep or move each of them, then submit")
            event = Event(
                assignment_id=assignment.id, account_id=user.account.id, key=key, kind=kind, data={}
            )
            session.add(event)
            session.flush()
        elif (stored.assignment_id, stored.kind) != (assignment.id, kind):
            raise InputError("this key was used for something else", hint="use a new key")
        answer = full_state(session, desk)
    return JSONResponse(answer)


def _suggested(
    state: BoardState, sheet: str, submitted_tokens: Collection[str], answered: Rates
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
    finished = {
        name: state.board.peers[name]
        for name, other in state.sheets.items()
        if name != sheet
        and (other.is_imported or name in submitted_tokens)
        and state.text(name) != peer.text
    }
    return for_peer(peer, peers_by_same_person, finished, answered)


def _suggestion(state: BoardState, sheet: str, suggestion: Suggestion) -> dict[str, Any]:
    return {
        "id": suggestion.id, "source": suggestion.source, "probability": suggestion.probability,
        "uid": suggestion.uid, "label": suggestion.label,
        "contributors": [
            {"parts": browser_parts(state, sheet, contributor), "text": contributor.label}
            for contributor in suggestion.contributors
        ],
    }  # fmt: skip


# The API. A board's pyramid and a peer's sheet take the same requests.


def _both(method: str, action: str = "") -> Callable[[_Route], _Route]:
    """Declare a route for boards and for sheets."""

    def declare(route: _Route) -> _Route:
        for kind in ("boards", "sheets"):
            router.add_api_route(f"/api/{kind}/{{token}}{action}", route, methods=[method])
        return route

    return declare


@_both("GET")
def show_state(at: _At, user: CurrentUser, store: StoreDep) -> Response:
    """Return a pyramid and its references, or a peer with its marks and its pyramid."""
    prepare(store, user, *at)
    with store.read() as session:
        desk = desk_at(session, user, *at)
        return JSONResponse(full_state(session, desk))


@_both("POST", "/edits")
def edit_list(at: _At, user: CurrentUser, store: StoreDep, sent: ChangeIn) -> Response:
    """Edit the pyramid; or add, move or remove a mark of a peer."""
    return _act(store, user, at, "do", sent)


@_both("POST", "/undo")
def undo_edit(at: _At, user: CurrentUser, store: StoreDep, sent: StepIn) -> Response:
    """Undo the last edit."""
    return _act(store, user, at, "undo", sent)


@_both("POST", "/redo")
def redo_edit(at: _At, user: CurrentUser, store: StoreDep, sent: StepIn) -> Response:
    """Redo the edit that was undone last."""
    return _act(store, user, at, "redo", sent)


@_both("GET", "/suggestions")
def suggest(at: _At, user: CurrentUser, store: StoreDep) -> Response:
    """Suggest content units for text that no unit covers, or marks of a peer."""
    prepare(store, user, *at)
    with store.read() as session:
        desk = desk_at(session, user, *at)
        state = desk.state
        allowed = not desk.sheet or Settings.of(desk.board.evaluation).suggestions
        submitted_tokens = submitted(session, desk.board.evaluation)
        boards = changed_boards(session, desk.board.evaluation).values()
        counts = Acceptance.of(session, [row for row, _ in boards])
    answered = {source: (n[0], n[1]) for (where, source), n in counts.items() if where != "pyramid"}
    refused = {r["suggested"]["id"] for r in state.refused if r["sheet"] == desk.sheet}
    candidates = _suggested(state, desk.sheet, submitted_tokens, answered) if allowed else []
    suggestions = [_suggestion(state, desk.sheet, s) for s in candidates if s.id not in refused]
    return JSONResponse({"suggestions": suggestions})


@_both("POST", "/refusals")
def refuse_suggestion(at: _At, user: CurrentUser, store: StoreDep, sent: RefusalIn) -> Response:
    """Refuse a suggested content unit or mark."""
    return _act(store, user, at, "refuse", sent)


@router.post("/api/sheets/{token}/kept")
def keep_mark(at: _At, user: CurrentUser, store: StoreDep, sent: KeepIn) -> Response:
    """Complete a task by leaving its mark where it is."""
    return _act(store, user, at, "keep", sent)


@_both("POST", "/submit")
def submit_work(at: _At, user: CurrentUser, store: StoreDep, sent: SubmissionIn) -> Response:
    """Submit a complete pyramid or an annotated peer."""
    return _stage(store, user, at, "submit", sent.key)


@_both("POST", "/reopen")
def reopen_work(at: _At, user: CurrentUser, store: StoreDep, sent: SubmissionIn) -> Response:
    """Reopen a submitted pyramid or peer."""
    return _stage(store, user, at, "reopen", sent.key)


# Pages.


@router.get("/pyramids/{token}", include_in_schema=False)
def editor_page(request: Request, token: str, user: CurrentUser, store: StoreDep) -> HTMLResponse:
    """Show the pyramid editor."""
    with store.read() as session:
        desk = editor_desk(session, user, token)
        return _desk_page(request, session, desk, "pyramid.html", api=f"/api/boards/{token}")


@router.get("/annotate/{token}", include_in_schema=False, response_model=None)
def annotation_page(
    request: Request, token: str, user: CurrentUser, store: StoreDep, board: str = ""
) -> Response:
    """Show a peer to its annotator; builders of pyramids are redirected to the editor."""
    if not board:
        with store.write() as session:
            assignment = assignment_of(session, user, token)
            if assignment.kind == "pyramid":
                row = open_board(session, assignment.evaluation, assignment.task, assignment.topic)
                return go_to(f"/pyramids/{row.token}")
    prepare(store, user, token, board)
    with store.read() as session:
        desk = desk_at(session, user, token, board)
        query = f"?board={desk.board.token}" if board else ""
        return _desk_page(
            request, session, desk, "annotate.html", api=f"/api/sheets/{token}", query=query,
            rest=NOT_IN_PYRAMID,
        )  # fmt: skip


def _desk_page(
    request: Request, session: Session, desk: Desk, template: str, **details: Any
) -> HTMLResponse:
    """Show a page of a board, with its guideline and the next assignment."""
    evaluation = desk.board.evaluation
    guideline = guidelines_of(session, evaluation).get("annotation" if desk.sheet else "pyramid")
    topics = topic_names(imported_collection(session, evaluation))
    name = " · ".join(filter(None, (topics[desk.board.topic], desk.board.task)))
    return page(
        request, template, desk=desk, name=name, evaluation=evaluation, rendered=rendered,
        guideline=guideline, following=_following(session, desk), **details,
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
    finished = submitted(session, desk.board.evaluation)
    return next((row.token for row in rows if row.token not in finished), "")


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
            imported = collection.pyramids.get(key)
            pyramid = state.board.pyramid if state else imported
            rows.append({
                "task": key[0], "topic": key[1], "board": row, "changes": changes,
                "name": names[key[1]],
                "units": len(pyramid.scus) if pyramid else 0,
                "peers": len(state.sheets) if state else annotations[key],
                "tasks": len(state.tasks()) if state else 0,
            })  # fmt: skip
        accepted = Acceptance.of(session, [row for row, _ in boards.values()])
        return page(
            request, "pyramids.html", evaluation=evaluation, tab="Pyramids", rows=rows,
            accepted=accepted,
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
