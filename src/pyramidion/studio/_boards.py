"""Boards: the pyramid of a topic with its peers, where they begin, and what was done since.

A board is stored as its changes only, which are never altered. What they lead to is kept in memory
and brought up to date from changes that came since, by whatever process. A list of content units
(the pyramid's, or a peer's *sheet*) has a version of its own: how many changes concerned it. So two
people who mark different peers do not disturb each other, and two who edit the same list find out.
"""

import hashlib
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, count
from threading import Lock
from typing import Any, Literal

from fastapi import HTTPException
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pyramidion.collection import SCU, Collection, Contributor, PeerAnnotation, Pyramid
from pyramidion.collection.checks import address_name
from pyramidion.collection.pyramids import unexpressed
from pyramidion.errors import InputError
from pyramidion.pyramid.topics import every_pyramid, strange_unit, summary_texts, with_free_zero
from pyramidion.studio._edits import AddUnit, Board, BrowserOffsets, Edit, History, MarkTask, Split
from pyramidion.studio._evaluations import imported_collection
from pyramidion.studio._store import Account, Assignment, BoardChange, BoardRow, Evaluation, Event

#: What can happen to a board. A refused suggestion and a task that is settled by leaving the mark
#: where it is change no list; they are kept to be told and not asked again.
Action = Literal["do", "undo", "redo", "refuse", "keep"]

Address = tuple[str, str]
Annotations = dict[tuple[str, ...], PeerAnnotation]


class OldVersionError(HTTPException):
    """Somebody else changed the list meanwhile."""

    def __init__(self, changes: list[dict[str, Any]]) -> None:
        what = "Somebody else changed this meanwhile. Look at it as it is now, and repeat."
        super().__init__(409, what)
        self.changes = changes


def find_board(session: Session, evaluation: int, task: str, topic: str) -> BoardRow | None:
    """Find the board of a topic, if there is one yet."""
    same_topic = (
        BoardRow.evaluation_id == evaluation,
        BoardRow.task == task,
        BoardRow.topic == topic,
    )
    return session.scalar(select(BoardRow).where(*same_topic))


def open_board(session: Session, evaluation: Evaluation, task: str, topic: str) -> BoardRow:
    """Find the board of a topic, or make it."""
    board = find_board(session, evaluation.id, task, topic)
    if board is None:
        _begin(imported_collection(session, evaluation), task, topic)  # refuses what cannot be
        board = BoardRow(evaluation_id=evaluation.id, task=task, topic=topic)
        session.add(board)
        session.flush()
    return board


def board_topics(collection: Collection) -> list[Address]:
    """List the tasks and topics that have a pyramid, or references to make one of."""
    keys = {*every_pyramid(collection), *summary_texts(collection, references=True)}
    ids = [topic.id for topic in collection.topics]
    return sorted(keys, key=lambda key: (ids.index(key[1]) if key[1] in ids else -1, *key))


def annotated(
    session: Session, evaluation: Evaluation
) -> tuple[dict[Address, Pyramid], Annotations]:
    """Return the pyramids as they are now, and the peers whose annotation was submitted."""
    pyramids: dict[Address, Pyramid] = {}
    peers: Annotations = {}
    ready = submitted(session, evaluation)
    for row in session.scalars(select(BoardRow).where(BoardRow.evaluation_id == evaluation.id)):
        now = board_state(session, row)
        if now.board.pyramid.scus:
            pyramids[row.task, row.topic] = now.board.pyramid
            for sheet in now.sheets.values():
                if sheet.is_imported or sheet.name in ready:
                    peers[_free_key(sheet.key, peers)] = now.board.peers[sheet.name]
    return pyramids, peers


def _free_key(key: tuple[str, ...], taken: Annotations) -> tuple[str, ...]:
    """Return the address of an annotation; who annotated a peer before does so again."""
    again = ((*key[:4], str(number)) for number in count(1))
    return next(candidate for candidate in chain([key], again) if candidate not in taken)


def is_submitted(session: Session, item: Assignment) -> bool:
    """Return whether an assignment was submitted, and not opened again."""
    stage_events = (Event.assignment_id == item.id, Event.kind.in_(("submit", "reopen")))
    stages = select(Event.kind).where(*stage_events).order_by(Event.id.desc())
    return session.scalar(stages.limit(1)) == "submit"


def submitted(session: Session, evaluation: Evaluation) -> set[str]:
    """Return the tokens of assignments on boards that were submitted, and not opened again."""
    events = session.execute(
        select(Assignment.token, Event.kind)
        .join(Event.assignment)
        .where(
            Assignment.evaluation_id == evaluation.id, Assignment.kind != "judge",
            Event.kind.in_(("submit", "reopen")),
        )
        .order_by(Event.id)
    )  # fmt: skip
    last = {row.token: row.kind for row in events}
    return {token for token, kind in last.items() if kind == "submit"}


@dataclass(frozen=True, slots=True)
class PeerSheet:
    """A peer of a board: what is called by which name, and whose annotation it is."""

    name: str
    key: tuple[str, ...]
    #: The id of the account that annotates it; 0 if it came with the collection.
    account: int = 0

    @property
    def is_imported(self) -> bool:
        """Whether it came with the collection."""
        return not self.account


def _imported_name(board: BoardRow, key: tuple[str, ...]) -> str:
    """Name a peer that came with the collection: like a token, and the same every time."""
    digest = hashlib.sha256("\n".join((board.token, *key)).encode()).digest()
    return urlsafe_b64encode(digest[:16]).decode().rstrip("=")


@dataclass(frozen=True)
class BoardState:
    """A board as it is now: what was done, and the peers by name."""

    history: History
    sheets: Mapping[str, PeerSheet]
    #: How many changes concerned each list.
    counts: Counter[str] = field(default_factory=Counter)
    #: Suggestions and tasks that are not to be shown again, as they were stored.
    refused: tuple[dict[str, Any], ...] = ()
    dismissed: tuple[dict[str, Any], ...] = ()
    #: How many changes there are, and the key of the last one.
    last: tuple[int, str] = (0, "")

    @property
    def board(self) -> Board:
        """The pyramid and the peers."""
        return self.history.board

    def version(self, sheet: str) -> int:
        """Count the changes that concerned a list; those of the pyramid concern every peer."""
        return self.counts[""] + (self.counts[sheet] if sheet else 0)

    def tasks(self, sheet: str | None = None) -> list[MarkTask]:
        """List what annotators have to look at, of one peer or of all."""
        tasks = (t for t in dict.fromkeys(self.history.tasks) if sheet in (None, t.peer))
        return [task for task in tasks if task_json(task) not in self.dismissed]

    @cached_property
    def offsets(self) -> Mapping[str, BrowserOffsets]:
        """How browsers count in each text."""
        texts = {"": self.board.pyramid.text} | {n: p.text for n, p in self.board.peers.items()}
        return {name: BrowserOffsets(text) for name, text in texts.items()}

    def text(self, sheet: str) -> str:
        """Return the text that a list of content units is about."""
        return self.board.peers[sheet].text if sheet else self.board.pyramid.text

    def after(self, change: BoardChange) -> "BoardState":
        """Return the board after one more change."""
        last = (change.version, change.key)
        if change.action == "refuse":
            return replace(self, refused=(*self.refused, change.data), last=last)
        if change.action == "keep":
            return replace(self, dismissed=(*self.dismissed, change.data["task"]), last=last)
        if change.data["sheet"] not in ("", *self.sheets):
            return replace(self, last=last)  # whoever annotated it does so no more
        counts = self.counts + Counter([change.data["sheet"]])
        return replace(self, history=self._stepped(change), counts=counts, last=last)

    def _stepped(self, change: BoardChange) -> History:
        if change.action == "do":
            return self.history.do(Edit.from_json(change.data["edit"]))
        step = self.history.undo if change.action == "undo" else self.history.redo
        return step(change.data["sheet"])


def task_json(task: MarkTask) -> dict[str, Any]:
    """Return a task as it is stored when it is settled."""
    parts = [[part.start, part.end] for part in task.mark.parts]
    return {"sheet": task.peer, "uid": task.uid, "parts": parts, "reason": task.reason}


# Boards as they were last seen, by database and token.
_SEEN: dict[tuple[str, str], BoardState] = {}
# More than an evaluation has topics and tasks, since its results look at all of them in turn.
_MOST_SEEN = 256
_SEEN_LOCK = Lock()


def board_state(session: Session, board: BoardRow) -> BoardState:
    """Return a board as it is now: as it was seen last, and the changes since."""
    start = _start(session, board)
    sheets = _sheets(session, board, start)
    seen = _SEEN.get(_seen_key(session, board))
    changes = _changes(session, board, since=seen.last[0] if seen else 0)
    if seen is not None and (seen.sheets != sheets or not _follows(changes, seen)):
        seen, changes = None, _changes(session, board, since=0)
    now = seen or _beginning(start, sheets)
    for change in changes:
        if change.version > now.last[0]:
            now = now.after(change)
    remember(session, board, now)
    return now


def remember(session: Session, board: BoardRow, now: BoardState) -> None:
    """Keep a board in memory, as it is stored."""
    key = _seen_key(session, board)
    with _SEEN_LOCK:
        _SEEN.pop(key, None)
        while len(_SEEN) >= _MOST_SEEN:
            _SEEN.pop(next(iter(_SEEN)))
        _SEEN[key] = now


def _seen_key(session: Session, board: BoardRow) -> tuple[str, str]:
    return str(session.get_bind().engine.url), board.token


def _changes(session: Session, board: BoardRow, *, since: int) -> Sequence[BoardChange]:
    """Read the changes from a version on, that version included."""
    newer = (BoardChange.board_id == board.id, BoardChange.version >= since)
    query = select(BoardChange).where(*newer).order_by(BoardChange.version)
    return session.scalars(query).all()


def _follows(changes: Sequence[BoardChange], seen: BoardState) -> bool:
    """Return whether what was seen is what is stored; another file may have taken its place."""
    stored = (changes[0].version, changes[0].key) if changes else (0, "")
    return stored == seen.last or not seen.last[0]


def _sheets(session: Session, board: BoardRow, start: "Start") -> dict[str, PeerSheet]:
    """List the peers of a board: those that came with it, and one for each assignment."""
    imported = {
        name: PeerSheet(name, key) for key in start.peers if (name := _imported_name(board, key))
    }
    assigned = session.execute(
        select(
            Assignment.token, Assignment.system, Account.name, Assignment.occasion, Account.id
        ).join(Assignment.account)
        .where(
            Assignment.evaluation_id == board.evaluation_id, Assignment.kind == "annotate",
            Assignment.task == board.task, Assignment.topic == board.topic,
        ).order_by(Assignment.id)
    )  # fmt: skip
    return imported | {
        # As usual, the first occasion is not named.
        token: PeerSheet(token, (board.task, board.topic, system, name, str(again or "")), account)
        for token, system, name, again, account in assigned
        if system in start.texts
    }


@dataclass(frozen=True)
class Start:
    """What a board begins with: a pyramid, peers annotated with it, and texts of other peers."""

    pyramid: Pyramid
    peers: Annotations
    texts: Mapping[str, str]


# What boards of imported collections begin with, by digest, task and topic; it never changes.
_STARTS: dict[tuple[str, str, str], Start] = {}


def _start(session: Session, board: BoardRow) -> Start:
    key = (board.evaluation.digest, board.task, board.topic)
    if key not in _STARTS:
        collection = imported_collection(session, board.evaluation)
        if len(_STARTS) >= _MOST_SEEN:
            _STARTS.clear()
        _STARTS[key] = _begin(collection, board.task, board.topic)
    return _STARTS[key]


def _begin(collection: Collection, task: str, topic: str) -> Start:
    """Take the pyramid of the collection, or an empty one of the references."""
    imported = every_pyramid(collection).get((task, topic))
    texts = summary_texts(collection).get((task, topic), {})
    if imported is not None:
        pyramid = with_free_zero(imported)[0]
        peers = {
            key: replace(peer, pyramid=pyramid)
            for key, peer in collection.peer_annotations.items()
            if key[:2] == (task, topic) and not strange_unit(peer, imported)
        }
        return Start(pyramid, peers, texts)
    references = summary_texts(collection, references=True).get((task, topic))
    if not references:
        hint = "add summaries by people to the collection"
        raise InputError(f"there are no references of {address_name(task, topic)}", hint)
    return Start(Pyramid.from_references(references, ()), {}, texts)


def _beginning(start: Start, sheets: Mapping[str, PeerSheet]) -> BoardState:
    """Return a board before anything was done; peers that were assigned later have no mark."""
    pyramid = start.pyramid
    empty = unexpressed(pyramid.scus, pyramid.weights.tolist())

    def peer(sheet: PeerSheet) -> PeerAnnotation:
        if sheet.is_imported:
            return start.peers[sheet.key]
        return PeerAnnotation(pyramid, start.texts[sheet.key[2]], empty)

    peers = {name: peer(sheet) for name, sheet in sheets.items()}
    return BoardState(History(Board(pyramid, peers)), sheets)


@dataclass(frozen=True)
class ChangeRequest:
    """What somebody wants to do to a list of a board."""

    account: int
    key: str
    action: Action
    sheet: str
    version: int | None = None
    edit: Edit | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def data(self) -> dict[str, Any]:
        """What is stored of it."""
        edit = {} if self.edit is None else {"edit": self.edit.to_json()}
        return {"sheet": self.sheet, **edit, **self.details}


def change(
    session: Session, board: BoardRow, request: ChangeRequest, *, before: BoardState | None = None
) -> tuple[BoardState, BoardState]:
    """Carry out what is asked for, once; give the board before and after it, to `remember`."""
    before = before or board_state(session, board)
    if done_before(session, board, request):
        return before, before
    if request.version is not None and request.version != before.version(request.sheet):
        raise OldVersionError(_since(session, board, request))
    if request.edit is not None:
        request = replace(request, edit=_numbered(request.edit, before.history))
    row = BoardChange(
        board_id=board.id, version=before.last[0] + 1, account_id=request.account, key=request.key,
        action=request.action, data=request.data,
    )  # fmt: skip
    after = before.after(row)
    session.add(row)
    try:
        session.flush()
    except IntegrityError:  # on a server where writers do not wait for each other
        raise OldVersionError([]) from None
    return before, after


def done_before(session: Session, board: BoardRow, request: ChangeRequest) -> bool:
    """Return whether this was stored before; refuse a key that was used for something else."""
    same_key = (BoardChange.account_id == request.account, BoardChange.key == request.key)
    row = session.scalar(select(BoardChange).where(*same_key))
    if row is None:
        return False
    stored = (row.board_id, row.action, _unnumbered(row.data))
    if stored != (board.id, request.action, _unnumbered(request.data)):
        raise InputError("this key was used for something else", hint="make a new one each time")
    return True


def _since(session: Session, board: BoardRow, request: ChangeRequest) -> list[dict[str, Any]]:
    """Return what happened to a list since a version of it: what, who, when."""
    concerned = [
        row for row in _changes(session, board, since=1)
        if row.action in ("do", "undo", "redo") and row.data["sheet"] in ("", request.sheet)
    ]  # fmt: skip
    names = {account.id: account.name for account in session.scalars(select(Account))}
    edits = [row.data.get("edit", {}).get("edit", "") for row in concerned]
    changes = [
        {"action": row.action, "edit": edit, "who": names.get(row.account_id, ""), "at": row.at}
        for row, edit in zip(concerned, edits, strict=True)
    ]
    return changes[max(request.version or 0, 0) :]


def _numbered(edit: Edit, history: History) -> Edit:
    """Return a new content unit an id that none had before."""
    if isinstance(edit, AddUnit) and not edit.uid:
        return replace(edit, uid=free_uid(history))
    if isinstance(edit, Split) and not edit.new:
        return replace(edit, new=free_uid(history))
    return edit


def _unnumbered(data: Mapping[str, Any]) -> dict[str, Any]:
    edit = data.get("edit")
    if not edit or edit["edit"] not in ("AddUnit", "Split"):
        return dict(data)
    return {**data, "edit": {**edit, "uid" if edit["edit"] == "AddUnit" else "new": ""}}


def free_uid(history: History) -> str:
    """Return the id that the next new content unit gets."""
    lists = (history.board.pyramid.scus, *(peer.scus for peer in history.board.peers.values()))
    used = [unit.uid for units in lists for unit in units]
    for done in (*history.done, *history.undone):
        first = done.edits[0]
        used += [str(getattr(first, name)) for name in ("uid", "new") if hasattr(first, name)]
    return str(max((int(uid) for uid in used if uid.isdecimal()), default=0) + 1)


class Acceptance(dict[tuple[str, str], list[int]]):
    """How many suggestions were accepted and refused, by where they were made and their source."""

    @classmethod
    def of(cls, session: Session, boards: Iterable[BoardRow]) -> "Acceptance":
        """Count in the stored changes."""
        acceptance = cls()
        ids = [board.id for board in boards]
        rows = select(BoardChange.action, BoardChange.data).where(
            BoardChange.board_id.in_(ids), BoardChange.action.in_(("do", "refuse"))
        )
        for action, data in session.execute(rows):
            if suggested := data.get("suggested"):
                where = "annotation" if data["sheet"] else "pyramid"
                counts = acceptance.setdefault((where, suggested["source"]), [0, 0])
                counts[action == "refuse"] += 1
        return acceptance


def marks_of(units: Iterable[SCU]) -> Iterator[tuple[str, Contributor]]:
    """Return the marks of a peer with the content units they stand under."""
    yield from ((unit.uid, mark) for unit in units for mark in unit.contributors)


def changed_boards(session: Session, evaluation: Evaluation) -> dict[Address, tuple[BoardRow, int]]:
    """Return the boards of an evaluation, and how often each was changed."""
    rows = session.execute(
        select(BoardRow, func.count(BoardChange.id))
        .outerjoin(BoardChange, BoardChange.board_id == BoardRow.id)
        .where(BoardRow.evaluation_id == evaluation.id)
        .group_by(BoardRow.id)
    )
    return {(row.task, row.topic): (row, count) for row, count in rows}
