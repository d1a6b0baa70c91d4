"""Scores and comments of judged items, collected from events."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, joinedload

from pyramidion.studio._store import Assignment, Evaluation, Event, Round

#: The state of an item.
Stage = Literal["new", "draft", "submitted"]


class EventRow(NamedTuple):
    """The columns of an event that are needed here."""

    id: int
    assignment_id: int
    kind: str
    data: dict[str, Any]
    at: float


@dataclass
class ItemAnswers:
    """The scores and comment of one item; later events replace earlier ones."""

    scores: dict[str, Event | EventRow] = field(default_factory=dict)
    comment: str = ""
    is_submitted: bool = False
    #: Why an organizer reopened it.
    note: str = ""
    last: int = 0

    def take(self, event: Event | EventRow) -> None:
        """Add an event."""
        if event.kind == "score":
            self.scores[event.data["measure"]] = event
        elif event.kind == "comment":
            self.comment = event.data["text"]
        elif event.kind in ("submit", "reopen"):
            self.is_submitted = event.kind == "submit"
            self.note = event.data.get("note", self.note)
        if event.kind != "time":  # browsers may send times late
            self.last = event.id or self.last

    @property
    def values(self) -> dict[str, float]:
        """The scores that were not withdrawn."""
        values = {measure: event.data["value"] for measure, event in self.scores.items()}
        return {measure: value for measure, value in values.items() if value is not None}

    @property
    def stage(self) -> Stage:
        """The state of the item."""
        if self.is_submitted:
            return "submitted"
        return "draft" if self.values or self.comment else "new"


def sheets_of(session: Session, *conditions: ColumnElement[bool]) -> dict[int, ItemAnswers]:
    """Collect the events of assignments, by assignment id."""
    columns = (Event.id, Event.assignment_id, Event.kind, Event.data, Event.at)
    query = select(*columns).join(Event.assignment).where(*conditions).order_by(Event.id)
    sheets: dict[int, ItemAnswers] = defaultdict(ItemAnswers)
    for row in session.execute(query):
        event = EventRow(*row)
        sheets[event.assignment_id].take(event)
    return sheets


def counted_items(
    evaluation: Evaluation, kinds: Collection[str], number: int | None = None
) -> tuple[ColumnElement[bool], ...]:
    """Select the items of some kinds that count: all but the training, or those of a round."""
    rounds = select(Round.id).where(Round.evaluation_id == evaluation.id)
    is_counted: ColumnElement[bool] = Assignment.round_id.in_(rounds.where(Round.number == number))
    if number is None:
        not_training = Assignment.round_id.not_in(rounds.where(Round.purpose == "training"))
        is_counted = Assignment.round_id.is_(None) | not_training
    return Assignment.evaluation_id == evaluation.id, Assignment.kind.in_(kinds), is_counted


def judgment_records(
    session: Session, evaluation: Evaluation, number: int | None = None
) -> Iterator[dict[str, Any]]:
    """Return submitted judgments as rows of a score table, in the order of assignments."""
    conditions = counted_items(evaluation, ["judge"], number)
    items = select(Assignment).options(joinedload(Assignment.account)).where(*conditions)
    sheets = sheets_of(session, *conditions)
    for item in session.scalars(items.order_by(Assignment.id)):
        if sheets[item.id].is_submitted:
            yield from _records(item, sheets[item.id])


def _records(item: Assignment, sheet: ItemAnswers) -> Iterator[dict[str, Any]]:
    for measure, value in sheet.values.items():
        yield {
            "task": item.task, "topic": item.topic, "system": item.system, "measure": measure,
            "assessor": item.account.name, "occasion": str(item.occasion),
            "time": sheet.scores[measure].at, "value": float(value),
        }  # fmt: skip
