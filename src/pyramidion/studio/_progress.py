"""How far everybody is, and how long it takes them."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from pyramidion.collection._ids import natural_order
from pyramidion.studio._store import Assignment, BoardChange, BoardRow, Evaluation, Event

#: What kinds of work are called.
KINDS = {"judge": "Judging", "annotate": "Annotating", "pyramid": "Building pyramids"}


@dataclass(frozen=True)
class Step:
    """How far one assignment is."""

    item: Assignment
    begun: bool = False
    submitted: bool = False
    seconds: float = 0.0
    last: float = 0.0


@dataclass(frozen=True)
class Progress:
    """How far some assignments are, put together; `seconds` is the median of an item."""

    kind: str
    name: str
    total: int
    begun: int
    submitted: int
    seconds: float | None
    last: float

    @property
    def time(self) -> str:
        """The time of an item in words."""
        if self.seconds is None:
            return "–"
        minutes, seconds = divmod(round(self.seconds), 60)
        return f"{minutes}:{seconds:02d} min" if minutes else f"{seconds} s"


def steps_of(session: Session, evaluation: Evaluation) -> list[Step]:
    """Tell of each assignment of an evaluation how far it is."""
    own = Assignment.evaluation_id == evaluation.id
    begun = _changed(session, evaluation)
    latest = (
        select(Event.assignment_id, func.max(Event.at))
        .join(Event.assignment)
        .where(own)
        .group_by(Event.assignment_id)
    )
    touched: dict[int, float] = {id: at for id, at in session.execute(latest)}  # noqa: C416
    seconds: dict[int, float] = defaultdict(float)
    stage: dict[int, str] = {}
    told = select(Event.assignment_id, Event.kind, Event.data).join(Event.assignment)
    wanted = told.where(own, Event.kind.in_(("time", "submit", "reopen"))).order_by(Event.id)
    for id, kind, data in session.execute(wanted):
        if kind == "time":
            seconds[id] += data["seconds"]
        else:
            stage[id] = kind
    items = session.scalars(
        select(Assignment)
        .options(joinedload(Assignment.account))
        .where(own)
        .order_by(Assignment.id)
    )
    return [
        Step(
            item, item.id in touched or _place(item) in begun, stage.get(item.id) == "submit",
            seconds[item.id], max(touched.get(item.id, 0.0), begun.get(_place(item), 0.0)),
        )
        for item in items
    ]  # fmt: skip


def _place(item: Assignment) -> tuple[object, ...]:
    """Say where the changes of an assignment on a board are found."""
    if item.kind == "pyramid":
        return item.account_id, item.task, item.topic
    return (item.token,)


def _changed(session: Session, evaluation: Evaluation) -> dict[tuple[object, ...], float]:
    """Give when boards were last changed, by sheet or by person and topic."""
    wanted = (
        select(BoardChange, BoardRow)
        .join(BoardRow, BoardChange.board_id == BoardRow.id)
        .where(BoardRow.evaluation_id == evaluation.id)
        .order_by(BoardChange.id)
    )
    found: dict[tuple[object, ...], float] = {}
    for change, board in session.execute(wanted):
        sheet = change.data.get("sheet")
        found[(sheet,) if sheet else (change.account_id, board.task, board.topic)] = change.at
    return found


def by_person(steps: Iterable[Step]) -> list[Progress]:
    """Put assignments together by kind and person."""
    return _together(steps, lambda item: item.account.name)


def by_topic(steps: Iterable[Step]) -> list[Progress]:
    """Put assignments together by kind, topic and task."""
    return _together(steps, lambda item: " ".join(filter(None, (item.topic, item.task))))


def _together(steps: Iterable[Step], name: Callable[[Assignment], str]) -> list[Progress]:
    groups: dict[tuple[str, str], list[Step]] = defaultdict(list)
    for step in steps:
        groups[step.item.kind, name(step.item)].append(step)
    order = sorted(groups, key=lambda key: (list(KINDS).index(key[0]), natural_order(key[1])))
    return [_summed(*key, groups[key]) for key in order]


def _summed(kind: str, name: str, steps: list[Step]) -> Progress:
    timed = [step.seconds for step in steps if step.submitted and step.seconds]
    return Progress(
        kind, name, len(steps), sum(step.begun for step in steps),
        sum(step.submitted for step in steps), median(timed) if timed else None,
        max(step.last for step in steps),
    )  # fmt: skip
