"""The demonstration: the built-in collection with system summaries, and two sample assessors."""

import time
from collections.abc import Iterator
from random import Random

from sqlalchemy import select
from sqlalchemy.orm import Session

from pyramidion.collection import Collection
from pyramidion.demo import load_demo
from pyramidion.studio import _assigning, _boards
from pyramidion.studio._accounts import add_account
from pyramidion.studio._assigning import AssignmentForm
from pyramidion.studio._edits import AddContributor
from pyramidion.studio._evaluations import Settings, imported_collection
from pyramidion.studio._store import Account, Assignment, Evaluation, Event
from pyramidion.studio._suggestions import for_peer
from pyramidion.summarizers import summarize_collection

#: The two sample assessors.
NAMES = ("Kim", "Lee")

_METHODS = ("lead", "first", "lexrank", "sum-avr")
_WORK = (
    AssignmentForm("judge", NAMES, ("A",), per_topic=2, repeats="4"),
    AssignmentForm("annotate", NAMES, ("A",), writers=False),
    AssignmentForm("pyramid", NAMES, ("B",)),
)
# How many summaries each of them has judged and annotated already.
_JUDGED, _ANNOTATED = 30, 2
_COMMENT = "The first sentence is hard to follow without the article."


def demo_collection() -> Collection:
    """Return the built-in collection with summaries by a few simple methods."""
    return summarize_collection(load_demo(), method=_METHODS).to_collection()


def add_samples(session: Session, evaluation: Evaluation) -> list[Account]:
    """Add two people with assignments and some finished work."""
    people = [add_account(session, name, "assessor") for name in NAMES]
    for work in _WORK:
        planned_items = _assigning.planned(session, evaluation, work)
        _assigning.write(session, evaluation, work, planned_items)
    collection = imported_collection(session, evaluation)
    for person in people:
        _judge(session, evaluation, person, collection)
        _annotate(session, evaluation, person)
    return people


def _first_assignments(
    session: Session, evaluation: Evaluation, person: Account, kind: str, limit: int
) -> Iterator[Assignment]:
    query = select(Assignment).where(
        Assignment.evaluation_id == evaluation.id, Assignment.account_id == person.id,
        Assignment.kind == kind,
    )  # fmt: skip
    yield from session.scalars(query.order_by(Assignment.position).limit(limit))


def _judge(
    session: Session, evaluation: Evaluation, person: Account, collection: Collection
) -> None:
    """Judge the first summaries, three minutes apart; the last one is a draft."""
    random_generator = Random(person.name)  # noqa: S311
    measures = Settings.of(evaluation).measures
    start = time.time() - 2 * 86_400
    items = list(_first_assignments(session, evaluation, person, "judge", _JUDGED))
    for number, item in enumerate(items):
        human = collection.systems[item.system] == "human"
        data: list[tuple[str, dict[str, object]]] = [
            (
                "score",
                {"measure": measure.name, "value": _value(random_generator, human), "guideline": 1},
            )
            for measure in measures
        ]
        data += [("comment", {"text": _COMMENT})] * (number == 0)
        data += [("time", {"seconds": 60.0 + number})]
        data += [("submit", {})] * (item is not items[-1])
        session.add_all(
            Event(
                assignment_id=item.id, account_id=person.id, key=f"sample-{item.id}-{step}",
                kind=kind, data=payload, at=start + 180 * number + step,
            )
            for step, (kind, payload) in enumerate(data)
        )  # fmt: skip
    session.flush()


def _value(random_generator: Random, human: bool) -> int:
    return min(5, max(1, round(random_generator.gauss(4.2 if human else 2.8, 0.8))))


def _annotate(session: Session, evaluation: Evaluation, person: Account) -> None:
    """Accept all suggestions for the first peers, and submit them."""
    for item in _first_assignments(session, evaluation, person, "annotate", _ANNOTATED):
        board = _boards.open_board(session, evaluation, item.task, item.topic)
        peer = _boards.board_state(session, board).board.peers[item.token]
        for number, suggestion in enumerate(for_peer(peer, {})):
            edit = AddContributor(suggestion.uid, suggestion.contributors[0], 0, sheet=item.token)
            accepted_suggestions = {
                "id": suggestion.id,
                "source": suggestion.source,
                "probability": suggestion.probability,
            }
            key, details = f"sample-{item.id}-{number}", {"suggested": accepted_suggestions}
            request = _boards.ChangeRequest(
                person.id, key, "do", item.token, edit=edit, page=f"sample-{item.id}",
                details=details,
            )  # fmt: skip
            _, new_state = _boards.change(session, board, request)
            _boards.remember(session, board, new_state)
        session.add(
            Event(
                assignment_id=item.id, account_id=person.id, key=f"sample-{item.id}", kind="submit",
                data={},
            )
        )  # fmt: skip
    session.flush()
