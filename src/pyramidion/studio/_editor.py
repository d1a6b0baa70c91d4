"""The pyramid editor and the annotation of peers: pages, and the API behind them.

Both work on a board (`_boards`): the editor on the pyramid, an annotator on the sheet of a peer.
Offsets that browsers send and get are converted in `_desks`.
"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.errors import InputError
from pyramidion.studio._app import (
    AnyVisitor,
    AStore,
    Organizer,
    Visitor,
    evaluation_of,
    go_to,
    page,
)
from pyramidion.studio._boards import (
    Acceptance,
    Action,
    Asked,
    Current,
    OldVersionError,
    board_topics,
    change,
    changed_boards,
    current,
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
    prepare,
    whole,
)
from pyramidion.studio._edits import Edit
from pyramidion.studio._evaluations import Settings, imported_collection
from pyramidion.studio._guidelines import guidelines_of, rendered
from pyramidion.studio._store import Assignment, Event, Store
from pyramidion.studio._suggestions import Source, Suggestion, for_peer, for_pyramid

router = APIRouter()

_Token = Annotated[str, Field(max_length=64)]
_Key = Annotated[str, Field(min_length=8, max_length=64)]
_Uid = Annotated[str, Field(max_length=100)]
_Words = Annotated[str, Field(max_length=4000)]
_Offset = Annotated[int, Field(ge=0, le=10**8)]
_Place = Annotated[int, Field(ge=0, le=10**6)]
_Stretch = Annotated[list[_Offset], Field(min_length=2, max_length=2)]


class _Given(BaseModel):
    """What a browser sends: no field that is not known."""

    model_config = ConfigDict(extra="forbid", strict=True)


class GivenContributor(_Given):
    """Stretches of text, as the browser counts."""

    parts: Annotated[list[_Stretch], Field(min_length=1, max_length=200)]
    comment: _Words = ""


class GivenEdit(_Given):
    """An edit; which fields it needs depends on what it does. New units are numbered here."""

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
    contributor: GivenContributor | None = None
    contributors: Annotated[list[GivenContributor], Field(max_length=200)] | None = None


class GivenSuggestion(_Given):
    """A suggestion that was accepted or refused."""

    id: Annotated[str, Field(max_length=64)]
    source: Source
    probability: Annotated[float, Field(ge=0, le=1)] | None = None


class GivenStep(_Given):
    """What every change has: a key that makes it happen once, and the version it is made of."""

    key: _Key
    version: _Place


class GivenChange(GivenStep):
    """An edit, and the suggestion it comes from."""

    edit: GivenEdit
    suggested: GivenSuggestion | None = None


class GivenRefusal(_Given):
    """A suggestion that is not to be shown again."""

    key: _Key
    suggested: GivenSuggestion


class GivenTask(_Given):
    """A task that is settled by leaving the mark where it is."""

    uid: _Uid
    parts: Annotated[list[_Stretch], Field(min_length=1, max_length=200)]
    reason: _Words


class GivenKept(_Given):
    """A task that is settled."""

    key: _Key
    task: GivenTask


class GivenStage(_Given):
    """Submitting, or opening again."""

    key: _Key


# What browsers send.


def _clean(text: str) -> str:
    """Drop what cannot be shown, nor written into a file."""
    return "".join(c for c in text if c.isprintable() or c == "\n").strip()


def _read_edit(now: Current, sheet: str, given: GivenEdit) -> Edit:
    """Make an edit of what a browser sent: in our offsets, with the text they stand for."""
    text = now.text(sheet)

    def contributor(one: dict[str, Any]) -> dict[str, Any]:
        own = characters(now, sheet, one["parts"])
        parts = [[start, end, text[start:end]] for start, end in own]
        return {"parts": parts, "comment": _clean(one["comment"])}

    record = given.model_dump(exclude_none=True)
    record |= {name: _clean(record[name]) for name in ("label", "comment") if name in record}
    if "contributor" in record:
        record["contributor"] = contributor(record["contributor"])
    if "contributors" in record:
        record["contributors"] = [contributor(one) for one in record["contributors"]]
    if given.edit == "AddUnit":
        record["uid"] = ""
    if given.edit == "Split":
        record["new"] = ""
    return Edit.from_json({**record, "sheet": sheet})


def _act(
    store: Store, who: Visitor, at: tuple[str, str | None], action: Action,
    given: GivenStep | GivenRefusal | GivenKept,
) -> Response:  # fmt: skip
    """Carry out one action in one transaction, and tell what it changed."""
    try:
        prepare(store, who, *at)
        with store.write() as session:
            desk = desk_at(session, who, *at)
            asked = _asked(desk, action, given)
            if not done_before(session, desk.board, asked):
                _require_possible(session, desk, asked)
            before, after = change(session, desk.board, asked, before=desk.now)
            told = changing(after, desk, before if before is not after else None)
        remember(session, desk.board, after)
    except OldVersionError as error:
        changes = error.changes
        if not who.is_organizer:
            changes = [{"action": one["action"], "edit": one["edit"]} for one in changes]
        return JSONResponse({"error": error.detail, "hint": "", "changes": changes}, 409)
    return JSONResponse(told)


def _require_possible(session: Session, desk: Desk, asked: Asked) -> None:
    """Refuse what cannot be done now; what was done before is answered as it was then."""
    if not desk.may_edit(session):
        raise InputError("this cannot be changed now", hint="reopen it, or ask why")
    tasks = [task_json(one) for one in desk.now.tasks(desk.sheet)]
    if asked.action == "keep" and asked.more["task"] not in tasks:
        raise InputError("there is no such task", hint="it may have been settled before")


def _asked(desk: Desk, action: Action, given: GivenStep | GivenRefusal | GivenKept) -> Asked:
    now, more = desk.now, dict[str, Any]()
    edit = _read_edit(now, desk.sheet, given.edit) if isinstance(given, GivenChange) else None
    if isinstance(given, GivenChange | GivenRefusal) and given.suggested:
        more["suggested"] = given.suggested.model_dump()
    if isinstance(given, GivenKept):
        task = given.task.model_dump()
        parts = characters(now, desk.sheet, task["parts"])
        more["task"] = {"sheet": desk.sheet, **task, "parts": parts}
    version = given.version if isinstance(given, GivenStep) else None
    return Asked(desk.who.account.id, given.key, action, desk.sheet, version, edit, more)


def _stage(store: Store, who: Visitor, at: tuple[str, str | None], kind: str, key: str) -> Response:
    """Submit work, or open it again; once, however often it is sent."""
    prepare(store, who, *at)
    with store.write() as session:
        desk = desk_at(session, who, *at)
        own = desk.assignment
        if own is None or own.account_id != who.account.id:
            raise InputError("only whoever it is assigned to can submit it")
        if not Settings.of(desk.board.evaluation).is_open:
            raise InputError("this evaluation is closed", hint="ask the organizer")
        wanted = select(Event).where(Event.account_id == who.account.id, Event.key == key)
        stored = session.scalar(wanted)
        if stored is None:
            if kind == "submit" and desk.sheet and desk.now.tasks(desk.sheet):
                what = "the pyramid was changed, and some marks are to be looked at again"
                raise InputError(what, hint="keep or move each of them, then submit")
            event = Event(
                assignment_id=own.id, account_id=who.account.id, key=key, kind=kind, data={}
            )
            session.add(event)
            session.flush()
        elif (stored.assignment_id, stored.kind) != (own.id, kind):
            raise InputError("this key was used for something else", hint="make a new one")
        told = whole(session, desk)
    return JSONResponse(told)


def _suggestions(store: Store, who: Visitor, at: tuple[str, str | None]) -> Response:
    prepare(store, who, *at)
    with store.read() as session:
        desk = desk_at(session, who, *at)
        now = desk.now
        allowed = not desk.sheet or Settings.of(desk.board.evaluation).suggestions
    refused = {one["suggested"]["id"] for one in now.refused if one["sheet"] == desk.sheet}
    given = _suggested(now, desk.sheet) if allowed else []
    told = [_suggestion(now, desk.sheet, one) for one in given if one.id not in refused]
    return JSONResponse({"suggestions": told})


def _suggested(now: Current, sheet: str) -> list[Suggestion]:
    if not sheet:
        return for_pyramid(now.board.pyramid)
    own, peer = now.sheets[sheet], now.board.peers[sheet]
    # Marks of others, and of the same text met before, would prejudice whoever annotates.
    others = {
        name: now.board.peers[name]
        for name, other in now.sheets.items()
        if name != sheet and other.account == own.account and now.text(name) != peer.text
    }
    return for_peer(peer, others)


def _suggestion(now: Current, sheet: str, one: Suggestion) -> dict[str, Any]:
    return {
        "id": one.id, "source": one.source, "probability": one.probability, "uid": one.uid,
        "label": one.label,
        "contributors": [
            {"parts": browser_parts(now, sheet, own), "text": own.label}
            for own in one.contributors
        ],
    }  # fmt: skip


def _show(store: Store, who: Visitor, at: tuple[str, str | None]) -> Response:
    prepare(store, who, *at)
    with store.read() as session:
        desk = desk_at(session, who, *at)
        return JSONResponse(whole(session, desk))


_Board = Annotated[str, Query(max_length=64)]


@router.get("/api/boards/{token}")
def show_board(token: _Token, who: AnyVisitor, store: AStore) -> Response:
    """Return the pyramid of a board and its references."""
    return _show(store, who, (token, None))


@router.post("/api/boards/{token}/edits")
def edit_board(token: _Token, who: AnyVisitor, store: AStore, given: GivenChange) -> Response:
    """Edit the pyramid."""
    return _act(store, who, (token, None), "do", given)


@router.post("/api/boards/{token}/undo")
def undo_board(token: _Token, who: AnyVisitor, store: AStore, given: GivenStep) -> Response:
    """Undo the last edit of the pyramid."""
    return _act(store, who, (token, None), "undo", given)


@router.post("/api/boards/{token}/redo")
def redo_board(token: _Token, who: AnyVisitor, store: AStore, given: GivenStep) -> Response:
    """Do again what was undone last."""
    return _act(store, who, (token, None), "redo", given)


@router.get("/api/boards/{token}/suggestions")
def suggest_units(token: _Token, who: AnyVisitor, store: AStore) -> Response:
    """Return content units that the automatic builder finds in text that no unit has."""
    return _suggestions(store, who, (token, None))


@router.post("/api/boards/{token}/refusals")
def refuse_unit(token: _Token, who: AnyVisitor, store: AStore, given: GivenRefusal) -> Response:
    """Refuse a suggested content unit."""
    return _act(store, who, (token, None), "refuse", given)


@router.post("/api/boards/{token}/submit")
def submit_board(token: _Token, who: AnyVisitor, store: AStore, given: GivenStage) -> Response:
    """Say that the pyramid is complete."""
    return _stage(store, who, (token, None), "submit", given.key)


@router.post("/api/boards/{token}/reopen")
def reopen_board(token: _Token, who: AnyVisitor, store: AStore, given: GivenStage) -> Response:
    """Open a submitted pyramid again."""
    return _stage(store, who, (token, None), "reopen", given.key)


@router.get("/api/sheets/{token}")
def show_sheet(token: _Token, who: AnyVisitor, store: AStore, board: _Board = "") -> Response:
    """Return a peer with its marks, its pyramid and the references."""
    return _show(store, who, (token, board))


@router.post("/api/sheets/{token}/edits")
def edit_sheet(
    token: _Token, who: AnyVisitor, store: AStore, given: GivenChange, board: _Board = ""
) -> Response:
    """Add, move or remove a mark of a peer."""
    return _act(store, who, (token, board), "do", given)


@router.post("/api/sheets/{token}/undo")
def undo_sheet(
    token: _Token, who: AnyVisitor, store: AStore, given: GivenStep, board: _Board = ""
) -> Response:
    """Undo the last edit of a peer."""
    return _act(store, who, (token, board), "undo", given)


@router.post("/api/sheets/{token}/redo")
def redo_sheet(
    token: _Token, who: AnyVisitor, store: AStore, given: GivenStep, board: _Board = ""
) -> Response:
    """Do again what was undone last."""
    return _act(store, who, (token, board), "redo", given)


@router.get("/api/sheets/{token}/suggestions")
def suggest_marks(token: _Token, who: AnyVisitor, store: AStore, board: _Board = "") -> Response:
    """Return marks that a program suggests, each with its source and probability."""
    return _suggestions(store, who, (token, board))


@router.post("/api/sheets/{token}/refusals")
def refuse_mark(
    token: _Token, who: AnyVisitor, store: AStore, given: GivenRefusal, board: _Board = ""
) -> Response:
    """Refuse a suggested mark."""
    return _act(store, who, (token, board), "refuse", given)


@router.post("/api/sheets/{token}/kept")
def keep_mark(
    token: _Token, who: AnyVisitor, store: AStore, given: GivenKept, board: _Board = ""
) -> Response:
    """Settle a task by leaving its mark where it is."""
    return _act(store, who, (token, board), "keep", given)


@router.post("/api/sheets/{token}/submit")
def submit_sheet(token: _Token, who: AnyVisitor, store: AStore, given: GivenStage) -> Response:
    """Say that a peer is annotated."""
    return _stage(store, who, (token, ""), "submit", given.key)


@router.post("/api/sheets/{token}/reopen")
def reopen_sheet(token: _Token, who: AnyVisitor, store: AStore, given: GivenStage) -> Response:
    """Open a submitted peer again."""
    return _stage(store, who, (token, ""), "reopen", given.key)


# Pages.


@router.get("/pyramids/{token}", include_in_schema=False)
def editor_page(request: Request, token: str, who: AnyVisitor, store: AStore) -> HTMLResponse:
    """Show the pyramid editor."""
    with store.read() as session:
        desk = editor_desk(session, who, token)
        return _desk_page(request, session, desk, "pyramid.html", api=f"/api/boards/{token}")


@router.get("/annotate/{token}", include_in_schema=False, response_model=None)
def annotation_page(
    request: Request, token: str, who: AnyVisitor, store: AStore, board: str = ""
) -> Response:
    """Show a peer to its annotator; whoever builds a pyramid is sent to the editor."""
    if not board:
        with store.write() as session:
            own = assignment_of(session, who, token)
            if own.kind == "pyramid":
                row = open_board(session, own.evaluation, own.task, own.topic)
                return go_to(f"/pyramids/{row.token}")
    prepare(store, who, token, board)
    with store.read() as session:
        desk = desk_at(session, who, token, board)
        query = f"?board={desk.board.token}" if board else ""
        return _desk_page(
            request, session, desk, "annotate.html", api=f"/api/sheets/{token}", query=query,
            rest=NOT_IN_PYRAMID,
        )  # fmt: skip


def _desk_page(
    request: Request, session: Session, desk: Desk, template: str, **more: Any
) -> HTMLResponse:
    """Show a page of a board, with the guideline for what is done there, and where to go next."""
    evaluation = desk.board.evaluation
    guideline = guidelines_of(session, evaluation).get("annotation" if desk.sheet else "pyramid")
    return page(
        request, template, desk=desk, evaluation=evaluation, rendered=rendered,
        guideline=guideline, following=_following(session, desk), **more,
    )  # fmt: skip


def _following(session: Session, desk: Desk) -> str:
    """Return the token of the next work of this kind, after the present one if there is any."""
    own = desk.assignment
    if own is None or own.account_id != desk.who.account.id:
        return ""
    rows = session.scalars(
        select(Assignment).where(
            Assignment.evaluation_id == own.evaluation_id, Assignment.kind == own.kind,
            Assignment.account_id == own.account_id, Assignment.id != own.id,
        ).order_by(Assignment.place < own.place, Assignment.place)
    )  # fmt: skip
    done = submitted(session, desk.board.evaluation)
    return next((row.token for row in rows if row.token not in done), "")


@router.get("/evaluations/{token}/pyramids", include_in_schema=False)
def pyramids_page(request: Request, token: str, who: Organizer, store: AStore) -> HTMLResponse:
    """List the topics, their pyramids, and how suggestions fared."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        collection = imported_collection(session, evaluation)
        boards = changed_boards(session, evaluation)
        rows = []
        for key in board_topics(collection):
            row, changes = boards.get(key, (None, 0))
            now = current(session, row) if row else None
            given = collection.pyramids.get(key)
            pyramid = now.board.pyramid if now else given
            rows.append({
                "task": key[0], "topic": key[1], "board": row, "changes": changes,
                "units": len(pyramid.scus) if pyramid else 0,
                "peers": len(now.sheets) if now else 0,
                "tasks": len(now.tasks()) if now else 0,
            })  # fmt: skip
        accepted = Acceptance.of(session, [row for row, _ in boards.values()])
        return page(
            request, "pyramids.html", evaluation=evaluation, tab="Pyramids", rows=rows,
            accepted=accepted,
        )  # fmt: skip


@router.post("/evaluations/{token}/pyramids", include_in_schema=False)
def open_page(
    token: str, who: Organizer, store: AStore,
    task: Annotated[str, Form()] = "", topic: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Open the pyramid of a topic."""
    with store.write() as session:
        row = open_board(session, evaluation_of(session, token), task, topic)
    return go_to(f"/pyramids/{row.token}")
