"""Boards: the pyramid of a topic with its peers, and the changes made to them.

Only changes are stored, and never altered. The resulting state is cached in memory and brought up
to date with changes by any process. Each list of content units (the pyramid's, or a peer's *sheet*)
has its own version, the number of its changes. An edit of an older version is merged unless
somebody else has changed the same units since; then it is refused, with these changes.
"""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, count
from threading import Lock
from typing import Any, Literal, NamedTuple

from fastapi import HTTPException
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pyramidion.collection import SCU, Collection, Contributor, PeerAnnotation, Pyramid
from pyramidion.collection.findings import address_name
from pyramidion.collection.pyramids import unannotated_entries
from pyramidion.errors import InputError
from pyramidion.pyramid.topics import every_pyramid, summary_texts, unknown_unit, without_zero_uid
from pyramidion.studio._edits import (
    AddUnit,
    Aspect,
    Board,
    BrowserOffsets,
    Edit,
    History,
    MarkTask,
    Split,
    changed,
    fitted,
    touched,
)
from pyramidion.studio._evaluations import imported_collection
from pyramidion.studio._store import Account, Assignment, BoardChange, BoardRow, Evaluation, Event

#: Actions on a board. Refusing a suggestion and keeping a mark do not change a list; they are
#: stored so that they are not shown again.
Action = Literal["do", "undo", "redo", "refuse", "keep"]

Address = tuple[str, str]
Annotations = dict[tuple[str, ...], PeerAnnotation]


class OldVersionError(HTTPException):
    """Somebody else changed the same units in the meantime."""

    def __init__(self, changes: list[dict[str, Any]]) -> None:
        message = "Somebody else has changed this unit in the meantime."
        super().__init__(409, message)
        self.changes = changes


def find_board(session: Session, evaluation: int, task: str, topic: str) -> BoardRow | None:
    """Find the board of a topic, if it exists."""
    same_topic = (
        BoardRow.evaluation_id == evaluation,
        BoardRow.task == task,
        BoardRow.topic == topic,
    )
    return session.scalar(select(BoardRow).where(*same_topic))


def board_topic(item: Assignment) -> str:
    """Return the topic of the board that an assignment is about."""
    return f"{item.topic}\t{item.account_id}" if item.kind == "independent" else item.topic


def open_board(session: Session, evaluation: Evaluation, task: str, topic: str) -> BoardRow:
    """Find or create the board of a topic, or an independent one."""
    board = find_board(session, evaluation.id, task, topic)
    if board is None:
        _imported_start(
            imported_collection(session, evaluation), task, topic.partition("\t")[0]
        )  # refuses topics without references
        board = BoardRow(evaluation_id=evaluation.id, task=task, topic=topic)
        session.add(board)
        session.flush()
    return board


def board_topics(collection: Collection) -> list[Address]:
    """List the tasks and topics that have a pyramid, or references to build one."""
    keys = {*every_pyramid(collection), *summary_texts(collection, references=True)}
    ids = [topic.id for topic in collection.topics]
    return sorted(keys, key=lambda key: (ids.index(key[1]) if key[1] in ids else -1, *key))


def annotated(
    session: Session, evaluation: Evaluation
) -> tuple[dict[Address, Pyramid], Annotations]:
    """Return the current pyramids, and the peers whose annotation was submitted."""
    pyramids: dict[Address, Pyramid] = {}
    peers: Annotations = {}
    submitted_items = submitted(session, evaluation)
    for row in session.scalars(select(BoardRow).where(BoardRow.evaluation_id == evaluation.id)):
        if row.account_id:
            continue
        state = board_state(session, row)
        if state.board.pyramid.scus:
            pyramids[row.task, row.topic] = state.board.pyramid
            for sheet in state.sheets.values():
                if sheet.is_imported or sheet.name in submitted_items:
                    peers[_free_key(sheet.key, peers)] = state.board.peers[sheet.name]
    return pyramids, peers


def _free_key(key: tuple[str, ...], used_keys: Annotations) -> tuple[str, ...]:
    """Return a free key for an annotation: a repeated one gets the next occasion."""
    repeat = ((*key[:4], str(number)) for number in count(1))
    return next(candidate for candidate in chain([key], repeat) if candidate not in used_keys)


def is_submitted(session: Session, item: Assignment) -> bool:
    """Return whether an assignment is submitted and not reopened."""
    stage_events = (Event.assignment_id == item.id, Event.kind.in_(("submit", "reopen")))
    stages = select(Event.kind).where(*stage_events).order_by(Event.id.desc())
    return session.scalar(stages.limit(1)) == "submit"


def submitted(session: Session, evaluation: Evaluation) -> set[str]:
    """Return the tokens of submitted assignments on boards."""
    events = session.execute(
        select(Assignment.token, Event.kind)
        .join(Event.assignment)
        .where(
            Assignment.evaluation_id == evaluation.id, Assignment.kind != "judge",
            Event.kind.in_(("submit", "reopen")),
        )
        .order_by(Event.id)
    )  # fmt: skip
    last_kinds = {row.token: row.kind for row in events}
    return {token for token, kind in last_kinds.items() if kind == "submit"}


@dataclass(frozen=True, slots=True)
class PeerSheet:
    """A peer of a board, and who annotates it."""

    name: str
    key: tuple[str, ...]
    #: The account id of the annotator; 0 if it was imported.
    account: int = 0

    @property
    def is_imported(self) -> bool:
        """Whether the annotation was imported with the collection."""
        return not self.account


def _imported_name(board: BoardRow, key: tuple[str, ...]) -> str:
    """Return a stable, token-like name for an imported peer."""
    digest = hashlib.sha256("\n".join((board.token, *key)).encode()).digest()
    return urlsafe_b64encode(digest[:16]).decode().rstrip("=")


class Touch(NamedTuple):
    """What a change of a list has touched, by list, and the browser that it came from."""

    version: int
    sheet: str
    page: str
    aspects: Mapping[str, set[Aspect]]


@dataclass(frozen=True)
class BoardState:
    """The current state of a board."""

    history: History
    sheets: Mapping[str, PeerSheet]
    #: The changes of all lists, in order.
    touches: tuple[Touch, ...] = ()
    #: Stored suggestions and tasks that are not shown again.
    refused: tuple[dict[str, Any], ...] = ()
    dismissed: tuple[dict[str, Any], ...] = ()
    #: The number of changes, and the key of the last one.
    last: tuple[int, str] = (0, "")

    @property
    def board(self) -> Board:
        """The pyramid and the peers."""
        return self.history.board

    def version(self, sheet: str) -> int:
        """Count the changes of a list; those of the pyramid count for every peer."""
        return len(self.touches_of(sheet))

    def touches_of(self, sheet: str) -> list[Touch]:
        """Return the changes that concern a list."""
        return [touch for touch in self.touches if touch.sheet in ("", sheet)]

    def tasks(self, sheet: str | None = None) -> list[MarkTask]:
        """List the open tasks of one peer or of all."""
        tasks = (t for t in dict.fromkeys(self.history.tasks) if sheet in (None, t.peer))
        return [task for task in tasks if task_json(task) not in self.dismissed]

    @cached_property
    def offsets(self) -> Mapping[str, BrowserOffsets]:
        """Converters of browser offsets, by list."""
        texts = {"": self.board.pyramid.text} | {n: p.text for n, p in self.board.peers.items()}
        return {name: BrowserOffsets(text) for name, text in texts.items()}

    def text(self, sheet: str) -> str:
        """Return the text of a list."""
        return self.board.peers[sheet].text if sheet else self.board.pyramid.text

    def after(self, change: BoardChange) -> "BoardState":
        """Return the board after one more change."""
        last_change = (change.version, change.key)
        if change.action == "refuse":
            return replace(self, refused=(*self.refused, change.data), last=last_change)
        if change.action == "keep":
            return replace(self, dismissed=(*self.dismissed, change.data["task"]), last=last_change)
        if change.data["sheet"] not in ("", *self.sheets):
            return replace(self, last=last_change)  # the assignment was withdrawn
        history = self._stepped(change)
        list_names = ("", *self.sheets) if not change.data["sheet"] else (change.data["sheet"],)
        pairs = ((name, self.board.units(name), history.board.units(name)) for name in list_names)
        aspects = {name: changed(before, after) for name, before, after in pairs}
        page = change.data.get("page", "")
        touch = Touch(change.version, change.data["sheet"], page, aspects)
        return replace(self, history=history, touches=(*self.touches, touch), last=last_change)

    def _stepped(self, change: BoardChange) -> History:
        if change.action == "do":
            return self.history.do(Edit.from_json(change.data["edit"]), change.account_id)
        step = self.history.undo if change.action == "undo" else self.history.redo
        # Earlier versions of the studio undid the last change of anybody.
        return step(change.data["sheet"], change.data.get("by"))


def task_json(task: MarkTask) -> dict[str, Any]:
    """Return a task as it is stored when it is completed."""
    parts = [[part.start, part.end] for part in task.mark.parts]
    return {"sheet": task.peer, "uid": task.uid, "parts": parts, "reason": task.reason}


# The last known state of boards, by database and token.
_CACHED_BOARDS: dict[tuple[str, str], BoardState] = {}
# More than the boards of an evaluation, because its results use all of them.
_MAX_CACHED_BOARDS = 256
_CACHE_LOCK = Lock()


def board_state(session: Session, board: BoardRow) -> BoardState:
    """Return the current state: the cached one, updated with newer changes."""
    start = _start(session, board)
    sheets = _sheets(session, board, start)
    cached_state = _CACHED_BOARDS.get(_seen_key(session, board))
    changes = _changes(session, board, since=cached_state.last[0] if cached_state else 0)
    if cached_state is not None and (
        cached_state.sheets != sheets or not _follows(changes, cached_state)
    ):
        cached_state, changes = None, _changes(session, board, since=0)
    state = cached_state or _initial_state(start, sheets)
    for change in changes:
        if change.version > state.last[0]:
            state = state.after(change)
    remember(session, board, state)
    return state


def remember(session: Session, board: BoardRow, state: BoardState) -> None:
    """Cache the state of a board."""
    key = _seen_key(session, board)
    with _CACHE_LOCK:
        _CACHED_BOARDS.pop(key, None)
        while len(_CACHED_BOARDS) >= _MAX_CACHED_BOARDS:
            _CACHED_BOARDS.pop(next(iter(_CACHED_BOARDS)))
        _CACHED_BOARDS[key] = state


def _seen_key(session: Session, board: BoardRow) -> tuple[str, str]:
    return str(session.get_bind().engine.url), board.token


def _changes(session: Session, board: BoardRow, *, since: int) -> Sequence[BoardChange]:
    """Read the changes from a version on."""
    newer_filter = (BoardChange.board_id == board.id, BoardChange.version >= since)
    query = select(BoardChange).where(*newer_filter).order_by(BoardChange.version)
    return session.scalars(query).all()


def _follows(changes: Sequence[BoardChange], cached_state: BoardState) -> bool:
    """Return whether the cached state matches the database, whose file may have been replaced."""
    stored_key = (changes[0].version, changes[0].key) if changes else (0, "")
    return stored_key == cached_state.last or not cached_state.last[0]


def _sheets(session: Session, board: BoardRow, start: "Start") -> dict[str, PeerSheet]:
    """List the peers of a board: imported ones, and one per assignment."""
    imported_sheets = {
        name: PeerSheet(name, key) for key in start.peers if (name := _imported_name(board, key))
    }
    assigned_rows = session.execute(
        select(
            Assignment.token, Assignment.system, Account.name, Assignment.occasion, Account.id
        ).join(Assignment.account)
        .where(
            Assignment.evaluation_id == board.evaluation_id, Assignment.kind == "annotate",
            Assignment.task == board.task, Assignment.topic == board.topic,
        ).order_by(Assignment.id)
    )  # fmt: skip
    return imported_sheets | {
        # The first occasion is not named.
        token: PeerSheet(token, (board.task, board.topic, system, name, str(repeat or "")), account)
        for token, system, name, repeat, account in assigned_rows
        if system in start.texts
    }


@dataclass(frozen=True)
class Start:
    """The initial state of a board: a pyramid, annotated peers, and texts of all peers."""

    pyramid: Pyramid
    peers: Annotations
    texts: Mapping[str, str]


# Initial states by digest, task and topic; they never change.
_STARTS: dict[tuple[str, str, str], Start] = {}


def _start(session: Session, board: BoardRow) -> Start:
    key = (board.evaluation.digest, board.task, board.topic)
    if key not in _STARTS:
        collection = imported_collection(session, board.evaluation)
        if len(_STARTS) >= _MAX_CACHED_BOARDS:
            _STARTS.clear()
        _STARTS[key] = _imported_start(
            collection, board.task, board.subject, anew=board.account_id > 0
        )
    return _STARTS[key]


def _imported_start(collection: Collection, task: str, topic: str, *, anew: bool = False) -> Start:
    """Use the imported pyramid, or an empty one of the references."""
    imported_pyramid = None if anew else every_pyramid(collection).get((task, topic))
    texts = summary_texts(collection).get((task, topic), {})
    if imported_pyramid is not None:
        pyramid = without_zero_uid(imported_pyramid)[0]
        peers = {
            key: replace(peer, pyramid=pyramid)
            for key, peer in collection.peer_annotations.items()
            if key[:2] == (task, topic) and not unknown_unit(peer, imported_pyramid)
        }
        return Start(pyramid, peers, texts)
    references = summary_texts(collection, references=True).get((task, topic))
    if not references:
        hint = "add summaries by people to the collection"
        raise InputError(f"there are no references of {address_name(task, topic)}", hint)
    return Start(Pyramid.from_references(references, ()), {}, texts)


def _initial_state(start: Start, sheets: Mapping[str, PeerSheet]) -> BoardState:
    """Return the state before any change; assigned peers have no marks."""
    pyramid = start.pyramid
    empty_units = unannotated_entries(pyramid.scus, pyramid.weights.tolist())

    def peer(sheet: PeerSheet) -> PeerAnnotation:
        if sheet.is_imported:
            return start.peers[sheet.key]
        return PeerAnnotation(pyramid, start.texts[sheet.key[2]], empty_units)

    peers = {name: peer(sheet) for name, sheet in sheets.items()}
    return BoardState(History(Board(pyramid, peers)), sheets)


@dataclass(frozen=True)
class ChangeRequest:
    """A change that somebody requests."""

    account: int
    key: str
    action: Action
    sheet: str
    version: int = 0
    edit: Edit | None = None
    #: The browser it comes from: it knows its earlier changes.
    page: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def data(self) -> dict[str, Any]:
        """The data that is stored."""
        edit = {} if self.edit is None else {"edit": self.edit.to_json()}
        page = {"page": self.page} if self.page else {}
        author_field = {"by": self.account} if self.action in ("undo", "redo") else {}
        return {"sheet": self.sheet, **edit, **page, **author_field, **self.details}


def change(
    session: Session,
    board: BoardRow,
    request: ChangeRequest,
    *,
    state_before: BoardState | None = None,
) -> tuple[BoardState, BoardState]:
    """Carry out a change once; return the states before and after, to `remember`."""
    state_before = state_before or board_state(session, board)
    if done_before(session, board, request):
        return state_before, state_before
    if request.edit is not None:
        conflicts = _conflicts(state_before, request)
        if conflicts:
            raise OldVersionError(described(session, board, conflicts))
        units = state_before.board.units(request.sheet)
        edit = fitted(_with_number(request.edit, state_before.history), units)
        request = replace(request, edit=edit)
    row = BoardChange(
        board_id=board.id, version=state_before.last[0] + 1, account_id=request.account,
        key=request.key, action=request.action, data=request.data,
    )  # fmt: skip
    new_state = state_before.after(row)
    session.add(row)
    session.flush()  # fails on servers where writers do not wait for each other
    return state_before, new_state


def _conflicts(state: BoardState, request: ChangeRequest) -> list[Touch]:
    """Return the changes since a version that touch the same units, except one's own."""
    assert request.edit is not None
    aspects = touched(request.edit)
    return [
        touch
        for touch in state.touches_of(request.sheet)[max(request.version, 0) :]
        if not (touch.page and touch.page == request.page)
        and aspects & touch.aspects.get(request.sheet, set())
    ]


def done_before(session: Session, board: BoardRow, request: ChangeRequest) -> bool:
    """Return whether the change is already stored; refuse a reused key."""
    same_key = (BoardChange.account_id == request.account, BoardChange.key == request.key)
    row = session.scalar(select(BoardChange).where(*same_key))
    if row is None:
        return False
    stored_key = (row.board_id, row.action, _without_number(row.data))
    if stored_key != (board.id, request.action, _without_number(request.data)):
        raise InputError("this key was used for something else", hint="make a new one each time")
    return True


def described(session: Session, board: BoardRow, touches: Sequence[Touch]) -> list[dict[str, Any]]:
    """Describe changes, with person and time."""
    versions = [touch.version for touch in touches]
    rows = session.execute(
        select(BoardChange, Account.name)
        .join(Account, Account.id == BoardChange.account_id)
        .where(BoardChange.board_id == board.id, BoardChange.version.in_(versions))
        .order_by(BoardChange.version)
    )
    return [
        {
            "action": row.action, "edit": row.data.get("edit", {}).get("edit", ""), "who": name,
            "at": row.at,
        }
        for row, name in rows
    ]  # fmt: skip


def _with_number(edit: Edit, history: History) -> Edit:
    """Assign an unused id to a new content unit."""
    if isinstance(edit, AddUnit) and not edit.uid:
        return replace(edit, uid=free_uid(history))
    if isinstance(edit, Split) and not edit.new:
        return replace(edit, new=free_uid(history))
    return edit


def _without_number(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a change without the id and the position that the server decides."""
    edit = data.get("edit")
    if not edit or edit["edit"] not in ("AddUnit", "Split", "MoveUnit"):
        return dict(data)
    numbered_fields = {"AddUnit": {"uid": ""}, "Split": {"new": ""}}.get(edit["edit"], {})
    return {**data, "edit": {**edit, **numbered_fields, "at": 0}}


def free_uid(history: History) -> str:
    """Return the id of the next new content unit."""
    unit_lists = (history.board.pyramid.scus, *(peer.scus for peer in history.board.peers.values()))
    used_uids = [unit.uid for units in unit_lists for unit in units]
    for past_change in (*history.done, *history.undone):
        first_edit = past_change.edits[0]
        used_uids += [
            str(getattr(first_edit, name)) for name in ("uid", "new") if hasattr(first_edit, name)
        ]
    return str(max((int(uid) for uid in used_uids if uid.isdecimal()), default=0) + 1)


class Acceptance(dict[tuple[str, str], list[int]]):
    """Counts of accepted and refused suggestions, by kind of work and source."""

    @classmethod
    def of(cls, session: Session, boards: Iterable[BoardRow]) -> "Acceptance":
        """Count stored changes."""
        acceptance = cls()
        ids = [board.id for board in boards]
        rows = select(BoardChange.action, BoardChange.data).where(
            BoardChange.board_id.in_(ids), BoardChange.action.in_(("do", "refuse"))
        )
        for action, data in session.execute(rows):
            if suggested := data.get("suggested"):
                page_name = "annotation" if data["sheet"] else "pyramid"
                counts = acceptance.setdefault((page_name, suggested["source"]), [0, 0])
                counts[action == "refuse"] += 1
        return acceptance


def marks_of(units: Iterable[SCU]) -> Iterator[tuple[str, Contributor]]:
    """Return the marks of a peer with their content units."""
    yield from ((unit.uid, mark) for unit in units for mark in unit.contributors)


def changed_boards(session: Session, evaluation: Evaluation) -> dict[Address, tuple[BoardRow, int]]:
    """Return the boards of an evaluation with their numbers of changes."""
    rows = session.execute(
        select(BoardRow, func.count(BoardChange.id))
        .outerjoin(BoardChange, BoardChange.board_id == BoardRow.id)
        .where(BoardRow.evaluation_id == evaluation.id)
        .group_by(BoardRow.id)
    )
    return {(row.task, row.topic): (row, count) for row, count in rows}
