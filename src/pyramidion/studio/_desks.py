"""A person's view of a board, and the JSON that browsers get.

Offsets are converted only here: `browser_parts` and `characters`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan
from time import monotonic
from typing import Any

from fastapi import HTTPException
from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from pyramidion.collection import SCU, Contributor
from pyramidion.errors import InputError, PyramidionError
from pyramidion.pyramid import score_peer
from pyramidion.studio._app import Visitor, or_404
from pyramidion.studio._boards import (
    BoardState,
    board_state,
    board_topic,
    find_board,
    free_uid,
    is_submitted,
    marks_of,
    open_board,
    submitted,
)
from pyramidion.studio._edits import MarkTask, uncovered
from pyramidion.studio._evaluations import Settings
from pyramidion.studio._store import Assignment, BoardRow, Store
from pyramidion.text import sentence_spans


@dataclass(frozen=True)
class Desk:
    """A person at work on the pyramid of a board (no sheet) or on one of its peers."""

    board: BoardRow
    state: BoardState
    sheet: str
    user: Visitor
    assignment: Assignment | None = None

    @property
    def name(self) -> str:
        """The token that requests use: of the assignment, an imported sheet, or the board."""
        return self.assignment.token if self.assignment else self.sheet or self.board.token

    @property
    def sees_names(self) -> bool:
        """Whether systems and people are named: only for organizers, except in their own work."""
        assignment = self.assignment
        is_own_work = assignment is not None and assignment.account_id == self.user.account.id
        return self.user.is_organizer and not is_own_work

    def may_edit(self, session: Session) -> bool:
        """Return whether the person may change the list now; sheets belong to their annotators."""
        assignment = self.assignment
        if self.user.is_organizer and (assignment is None or not self.sheet):
            return True
        if assignment is None or assignment.account_id != self.user.account.id:
            return False
        return Settings.of(self.board.evaluation).is_open and not is_submitted(session, assignment)


def may_see(assignment: Assignment, user: Visitor) -> bool:
    """Return whether an assignment is the user's; organizers see all."""
    return assignment.account_id == user.account.id or user.is_organizer


def assignment_of(session: Session, user: Visitor, token: str) -> Assignment:
    """Find an assignment of the user; organizers see all."""
    assignment = or_404(session.scalar(select(Assignment).where(Assignment.token == token)))
    if not may_see(assignment, user):
        raise HTTPException(404, "There is no such page.")
    return assignment


def editor_desk(session: Session, user: Visitor, token: str) -> Desk:
    """Find the board whose pyramid the user may edit."""
    desk = _editor_desk(session, user, BoardRow.token == token)
    if desk is None:
        raise HTTPException(404, "There is no such page.")
    return desk


def _editor_desk(session: Session, user: Visitor, condition: ColumnElement[bool]) -> Desk | None:
    # One query, so that boards of others and missing ones take equally long.
    row: Any = session.execute(
        select(BoardRow, Assignment).where(condition).outerjoin(
            Assignment,
            (Assignment.evaluation_id == BoardRow.evaluation_id)
            & (Assignment.task == BoardRow.task) & (Assignment.account_id == user.account.id)
            & or_(
                (Assignment.kind == "pyramid") & (Assignment.topic == BoardRow.topic),
                (Assignment.kind == "independent")
                & (BoardRow.topic == Assignment.topic + f"\t{user.account.id}"),
            ),
        )
    ).first()  # fmt: skip
    if row is None or (row.Assignment is None and not user.is_organizer):
        return None
    return Desk(row.BoardRow, board_state(session, row.BoardRow), "", user, row.Assignment)


def _sheet_desk(session: Session, user: Visitor, token: str, board: str) -> Desk:
    """Find the peer that the user annotates; organizers name the board of an imported one."""
    if board and user.is_organizer:
        row = or_404(session.scalar(select(BoardRow).where(BoardRow.token == board)))
        state = board_state(session, row)
        if or_404(state.sheets.get(token)).is_imported:
            return Desk(row, state, token, user)
    assignment = assignment_of(session, user, token)
    # `prepare` created the board.
    row = or_404(_board_of(session, assignment))
    if assignment.kind != "annotate":
        return Desk(row, board_state(session, row), "", user, assignment)
    state = board_state(session, row)
    if token not in state.sheets:
        raise InputError("this summary is no longer in the collection", hint="ask the organizer")
    return Desk(row, state, token, user, assignment)


def _board_of(session: Session, assignment: Assignment) -> BoardRow | None:
    address = (assignment.evaluation_id, assignment.task, board_topic(assignment))
    return find_board(session, *address)


def desk_at(session: Session, user: Visitor, token: str, board: str = "") -> Desk:
    """Find the list of a request: by the token of a board, of an assignment, or of a sheet."""
    desk = None if board else _editor_desk(session, user, BoardRow.token == token)
    return desk or _sheet_desk(session, user, token, board)


def prepare(store: Store, user: Visitor, token: str, board: str) -> None:
    """Create the board of an assignment if it is missing."""
    if board:
        return
    with store.read() as session:
        assignment = session.scalar(select(Assignment).where(Assignment.token == token))
        # Other people's work is refused later, in as many steps as work that does not exist.
        if assignment is None or not may_see(assignment, user):
            return
        if assignment.kind not in ("annotate", "pyramid", "independent"):
            raise HTTPException(404, "There is no such page.")
        if _board_of(session, assignment):
            return
    with store.write() as session:
        assignment = assignment_of(session, user, token)
        open_board(session, assignment.evaluation, assignment.task, board_topic(assignment))


# Who was at work at a board, by database and board: the list, the unit, and when.
_PRESENT: dict[tuple[str, int], dict[str, tuple[str, str, float]]] = {}
# Seconds after which somebody has left.
_PRESENCE = 20.0


def present(store: Store, desk: Desk, unit: str) -> list[dict[str, str]]:
    """Record that a person is working on a unit; return who else is working on the list."""
    people = _PRESENT.setdefault((store.url, desk.board.id), {})
    now = monotonic()
    people[desk.user.account.name] = (desk.sheet, unit, now)
    present_people = [
        {"who": name, "unit": other_unit}
        for name, (sheet, other_unit, seen_at) in list(people.items())
        if name != desk.user.account.name and sheet == desk.sheet and now - seen_at < _PRESENCE
    ]
    return (
        present_people if desk.sees_names else [{**person, "who": ""} for person in present_people]
    )


def shown_to(desk: Desk, changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return changes with the names and times that a person may see."""
    if desk.sees_names:
        return changes
    return [{"action": change["action"], "edit": change["edit"]} for change in changes]


def browser_parts(state: BoardState, sheet: str, contributor: Contributor) -> list[list[int]]:
    """Return parts in browser offsets; those of old files may exceed the text."""
    offsets, length = state.offsets[sheet], len(state.text(sheet))
    return [
        [offsets.to_browser(min(max(offset, 0), length)) for offset in (part.start, part.end)]
        for part in contributor.parts
    ]


def characters(state: BoardState, sheet: str, parts: list[list[int]]) -> list[list[int]]:
    """Convert parts from browser offsets."""
    offsets = state.offsets[sheet]
    return [[offsets.to_characters(offset) for offset in part] for part in parts]


def _contributors(state: BoardState, sheet: str, unit: SCU) -> list[dict[str, Any]]:
    return [
        {"parts": browser_parts(state, sheet, contributor), "comment": contributor.comment}
        for contributor in unit.contributors
    ]


def _units(state: BoardState, state_before: BoardState | None) -> Iterator[dict[str, Any]]:
    """Return the content units of the pyramid, or only those that changed."""
    pyramid = state.board.pyramid
    # Units that an edit does not change stay the same objects.
    unchanged_ids = {id(unit) for unit in state_before.board.pyramid.scus} if state_before else ()
    for unit, weight in zip(pyramid.scus, pyramid.weights.tolist(), strict=True):
        if id(unit) not in unchanged_ids:
            yield {
                "uid": unit.uid, "label": unit.label, "comment": unit.comment, "weight": weight,
                "contributors": _contributors(state, "", unit),
            }  # fmt: skip


def _references(state: BoardState, desk: Desk) -> Iterator[dict[str, Any]]:
    """Return the texts of the references; only organizers see the writers."""
    pyramid, offsets = state.board.pyramid, state.offsets[""]
    for number, reference in enumerate(pyramid.references, start=1):
        text = pyramid.text[reference.start : reference.end]
        start = reference.start + len(text) - len(text.lstrip())
        name = f"Reference {number}"
        yield {
            "name": f"{name} ({reference.name})" if desk.sees_names else name,
            **_text(text.strip(), start, offsets.to_browser),
        }


def _text(text: str, start: int, to_browser: Any) -> dict[str, Any]:
    """Return a text with its offset and those of its sentences."""
    sentences = [to_browser(start + first) for first, _ in sentence_spans(text)]
    return {"start": to_browser(start), "text": text, "sentences": sentences}


def _uncovered_words(state: BoardState) -> list[list[int]]:
    to_browser = state.offsets[""].to_browser
    stretches = uncovered(state.board.pyramid).values()
    return [[to_browser(start), to_browser(end)] for spans in stretches for start, end in spans]


def _task(state: BoardState, task: MarkTask) -> dict[str, Any]:
    return {
        "uid": task.uid, "parts": browser_parts(state, task.peer, task.mark),
        "text": task.mark.label, "choices": list(task.choices), "reason": task.reason,
    }  # fmt: skip


_SCORES = ("modified", "original", "comprehensive", "weight", "max", "in_pyramid", "outside")


def _score(state: BoardState, sheet: str) -> dict[str, float | None] | None:
    """Score a peer as `pyramidion pyramid score` does."""
    try:
        scores = score_peer(state.board.peers[sheet])
    except PyramidionError:  # there are no units yet
        return None
    values = {name: float(getattr(scores, name)) for name in _SCORES}
    return {name: None if isnan(value) else round(value, 6) for name, value in values.items()}


def _marks(state: BoardState, sheet: str) -> dict[str, list[dict[str, Any]]]:
    units = state.board.units(sheet)
    return {unit.uid: _contributors(state, sheet, unit) for unit in units if unit.contributors}


def changing(
    state: BoardState, desk: Desk, state_before: BoardState | None = None
) -> dict[str, Any]:
    """Return what an action may change; with `state_before`, only changed units of the pyramid."""
    undo, redo = state.history.steps(desk.sheet, desk.user.account.id)
    answer: dict[str, Any] = {
        "version": state.version(desk.sheet), "undo": undo, "redo": redo,
        "tasks": [_task(state, task) for task in state.tasks(desk.sheet)] if desk.sheet else [],
    }  # fmt: skip
    if desk.sheet:
        answer |= {"marks": _marks(state, desk.sheet), "score": _score(state, desk.sheet)}
    if not desk.sheet or state_before is None:
        answer["next"] = free_uid(state.history)
        answer["order"] = [unit.uid for unit in state.board.pyramid.scus]
        answer["units"] = list(_units(state, state_before))
        answer["uncovered"] = _uncovered_words(state)
    return answer


def full_state(session: Session, desk: Desk) -> dict[str, Any]:
    """Return everything that a page shows."""
    state = desk.state
    answer = changing(state, desk) | stage_of(session, desk)
    answer["references"] = list(_references(state, desk))
    if desk.sheet:
        answer["peer"] = _text(state.text(desk.sheet), 0, state.offsets[desk.sheet].to_browser)
        answer["may_suggest"] = Settings.of(desk.board.evaluation).suggestions
    elif desk.sees_names:
        answer["sheets"] = list(_sheets(session, desk))
    return answer


def stage_of(session: Session, desk: Desk) -> dict[str, Any]:
    """Return whether the list can be edited, and whether it is submitted."""
    answer = {"may_edit": desk.may_edit(session)}
    if desk.assignment is not None:
        answer["submitted"] = is_submitted(session, desk.assignment)
    return answer


def _sheets(session: Session, desk: Desk) -> Iterator[dict[str, Any]]:
    """Describe the peers of a board for organizers."""
    state = desk.state
    submitted_items = submitted(session, desk.board.evaluation)
    for name, sheet in state.sheets.items():
        yield {
            "sheet": name, "system": sheet.key[2], "assessor": sheet.key[3],
            "occasion": sheet.key[4], "given": sheet.is_imported,
            "submitted": name in submitted_items,
            "marks": sum(1 for _ in marks_of(state.board.units(name))),
            "tasks": len(state.tasks(name)),
        }  # fmt: skip
