"""Judging summaries: what an assessor is to do, and what was judged."""

from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter
from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from pyramidion.studio._store import Account, Assignment, Evaluation, Event

router = APIRouter()


def work_of(session: Session, account: Account) -> list[object]:
    """List what an assessor is to do."""
    return []


def judgment_records(session: Session, evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    """Give the submitted judgments as the table of scores has them, in the order of assignments.

    Of several values of one measure the last one counts; the others stay in the events.
    """
    events = session.scalars(
        select(Event)
        .join(Event.assignment)
        .options(joinedload(Event.assignment).joinedload(Assignment.account))
        .where(Assignment.evaluation_id == evaluation.id, Assignment.kind == "judge")
        .order_by(Assignment.id, Event.id)
    )
    by_assignment: dict[int, list[Event]] = {}
    for event in events:
        by_assignment.setdefault(event.assignment_id, []).append(event)
    for own in by_assignment.values():
        yield from _submitted(own)


def _submitted(events: list[Event]) -> Iterator[dict[str, Any]]:
    last = {event.data["measure"]: event for event in events if event.kind == "score"}
    stages = [event.kind for event in events if event.kind in ("submit", "reopen")]
    if stages[-1:] != ["submit"]:
        return
    item = events[0].assignment
    for measure, event in last.items():
        if event.data["value"] is not None:
            yield {
                "task": item.task, "topic": item.topic, "system": item.system, "measure": measure,
                "assessor": item.account.name, "occasion": str(item.occasion), "time": event.at,
                "value": float(event.data["value"]),
            }  # fmt: skip
