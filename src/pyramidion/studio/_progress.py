"""Progress of assignments, and the time they take."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session

from pyramidion.collection.ids import grouped, natural_order
from pyramidion.studio._modes import MODES
from pyramidion.studio._store import Account, Assignment, BoardChange, BoardRow, Evaluation, Event

#: Titles of the kinds of work.
KINDS = {
    "judge": "Judging",
    **{kind: mode.title for kind, mode in MODES.items()},
    "annotate": "Annotating",
    "pyramid": "Building pyramids together",
    "independent": "Building independent pyramids",
}


@dataclass(frozen=True)
class Step:
    """The progress of one assignment."""

    id: int
    kind: str
    name: str
    task: str
    topic: str
    position: int
    begun: bool = False
    submitted: bool = False
    seconds: float = 0.0
    last: float = 0.0
    round_id: int | None = None


@dataclass(frozen=True)
class WorkProgress:
    """The progress of a group of assignments; `seconds` is the median per item."""

    kind: str
    name: str
    total: int
    begun: int
    submitted: int
    seconds: float | None
    last: float

    @property
    def time(self) -> str:
        """The median time per item, formatted."""
        if self.seconds is None:
            return "–"
        minutes, seconds = divmod(round(self.seconds), 60)
        return f"{minutes}:{seconds:02d} min" if minutes else f"{seconds} s"


def steps_of(session: Session, evaluation: Evaluation) -> list[Step]:
    """Return the progress of each assignment of an evaluation."""
    in_evaluation = Assignment.evaluation_id == evaluation.id
    change_times, stages = _last_changes(session, evaluation), _stages(session, in_evaluation)
    seconds_spent = (
        select(Event.assignment_id, func.sum(Event.data["seconds"].as_float()))
        .join(Event.assignment)
        .where(in_evaluation, Event.kind == "time")
        .group_by(Event.assignment_id)
    )
    seconds: dict[int, float] = {id: sum for id, sum in session.execute(seconds_spent)}  # noqa: C416
    items = session.execute(
        select(
            Assignment.id, Assignment.kind, Account.name, Assignment.task, Assignment.topic,
            Assignment.position, Assignment.token, Assignment.account_id, Assignment.round_id,
        )
        .join(Assignment.account)
        .where(in_evaluation)
        .order_by(Assignment.id)
    )  # fmt: skip
    steps = []
    for id, kind, name, task, topic, position, token, account, round_id in items:
        # Changes of a pyramid are found by person, those of a peer by token.
        shared_topics = {"pyramid": topic, "independent": f"{topic}\t{account}"}
        board = (account, task, shared_topics.get(kind, ""))
        edit_time = change_times.get(board if kind in shared_topics else token, 0.0)
        last_event_time, is_submitted = stages.get(id, (0.0, False))
        steps.append(
            Step(
                id, kind, name, task, topic, position, id in stages or edit_time > 0, is_submitted,
                seconds.get(id, 0.0), max(last_event_time, edit_time), round_id,
            )
        )  # fmt: skip
    return steps


@dataclass(frozen=True)
class EvaluationSummary:
    """What the card of an evaluation shows."""

    total: int = 0
    submitted: int = 0
    people: int = 0
    last: float = 0.0


def summaries_of(session: Session) -> dict[int, EvaluationSummary]:
    """Count the work of every evaluation, by id."""
    state = (
        select(Event.assignment_id, _is_submitted().label("done"), func.max(Event.at).label("last"))
        .group_by(Event.assignment_id)
        .subquery()
    )
    n_done = func.sum(case((state.c.done, 1), else_=0))
    columns = (func.count(), n_done, func.count(Assignment.account_id.distinct()))
    rows = session.execute(
        select(Assignment.evaluation_id, *columns, func.coalesce(func.max(state.c.last), 0.0))
        .outerjoin(state, state.c.assignment_id == Assignment.id)
        .group_by(Assignment.evaluation_id)
    )
    return {id: EvaluationSummary(*numbers) for id, *numbers in rows}


def _is_submitted() -> ColumnElement[bool]:
    """Return whether the events of an assignment end with its submission."""

    def last(kind: str) -> ColumnElement[int]:
        return func.coalesce(func.max(case((Event.kind == kind, Event.id))), 0)

    return last("submit") > last("reopen")


def _stages(session: Session, condition: ColumnElement[bool]) -> dict[int, tuple[float, bool]]:
    """Return the last activity of assignments, and whether they are submitted."""
    rows = session.execute(
        select(Event.assignment_id, func.max(Event.at), _is_submitted())
        .join(Event.assignment)
        .where(condition)
        .group_by(Event.assignment_id)
    )  # fmt: skip
    return {id: (time, bool(is_submitted)) for id, time, is_submitted in rows}


def _last_changes(session: Session, evaluation: Evaluation) -> dict[object, float]:
    """Return the time of the last change to each board, by sheet or by person and topic."""
    sheet = BoardChange.data["sheet"].as_string().label("sheet")
    rows = session.execute(
        select(
            sheet, BoardChange.account_id, BoardRow.task, BoardRow.topic, func.max(BoardChange.at)
        )
        .join(BoardRow, BoardChange.board_id == BoardRow.id)
        .where(BoardRow.evaluation_id == evaluation.id)
        .group_by("sheet", BoardChange.account_id, BoardRow.task, BoardRow.topic)
    )  # fmt: skip
    return {sheet or (account, task, topic): time for sheet, account, task, topic, time in rows}


def by_person(steps: Iterable[Step]) -> list[WorkProgress]:
    """Group assignments by kind and person."""
    return _summarize(steps, lambda step: step.name)


def by_topic(steps: Iterable[Step], names: Mapping[str, str]) -> list[WorkProgress]:
    """Group assignments by kind, topic and task."""
    return _summarize(steps, lambda step: " ".join(filter(None, (names[step.topic], step.task))))


def _summarize(steps: Iterable[Step], name: Callable[[Step], str]) -> list[WorkProgress]:
    groups = grouped(((step.kind, name(step)), step) for step in steps)
    order = sorted(groups, key=lambda key: (list(KINDS).index(key[0]), natural_order(key[1])))
    return [_sum_steps(*key, groups[key]) for key in order]


def _sum_steps(kind: str, name: str, steps: list[Step]) -> WorkProgress:
    step_seconds = [step.seconds for step in steps if step.submitted and step.seconds]
    return WorkProgress(
        kind, name, len(steps), sum(step.begun for step in steps),
        sum(step.submitted for step in steps), median(step_seconds) if step_seconds else None,
        max(step.last for step in steps),
    )  # fmt: skip
