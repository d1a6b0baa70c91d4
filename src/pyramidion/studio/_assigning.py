"""The page that assigns work: a plan is shown, and stored when it is confirmed."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.orm import Session
from starlette.datastructures import FormData

from pyramidion.collection import TAC_CATEGORIES, Collection
from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError
from pyramidion.judges._panel import word_sequence
from pyramidion.studio._app import Organizer, StoreDep, evaluation_of, go_to, page
from pyramidion.studio._evaluations import Settings, imported_collection, topic_names
from pyramidion.studio._plan import Item, PlannedItem, PlanOptions, PriorAssignments, plan
from pyramidion.studio._progress import KINDS, steps_of
from pyramidion.studio._store import Account, Assignment, Evaluation, Store

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class AssignmentForm:
    """The fields of the form."""

    kind: str = "judge"
    people: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    per_topic: int = 1
    repeats: str = "0"
    mixed: bool = False
    writers: bool = True
    limit: str = ""

    @classmethod
    def of(cls, form: FormData) -> "AssignmentForm":
        """Read the form."""
        kind, number = str(form.get("kind")), str(form.get("per_topic", "1"))
        if kind not in KINDS:
            raise InputError("this kind of work is unknown", hint="choose one from the list")
        if not (number.isascii() and number.isdigit() and len(number) < 4):
            raise InputError(f"{number[:20]!r} people for each topic", hint="give a whole number")
        return cls(
            kind, tuple(map(str, form.getlist("person"))), tuple(map(str, form.getlist("task"))),
            int(number), str(form.get("repeats", "")).strip() or "0", "mixed" in form,
            "writers" in form, str(form.get("limit", "")).strip(),
        )  # fmt: skip

    def wish(self, seed: int) -> PlanOptions:
        """Return the options of the plan."""
        number = self.repeats.removesuffix("%").strip()
        if not (number.isascii() and number.isdigit() and len(number) < 6):
            hint = "give a number such as 5, or a percentage such as 10%"
            raise InputError(f"{self.repeats[:20]!r} repeats", hint)
        if self.repeats.endswith("%") and int(number) > 50:
            raise InputError("more than half would be repeated", hint="give 50% or less")
        if self.limit and not (self.limit.isascii() and self.limit.isdigit()):
            raise InputError(f"{self.limit[:20]!r} items per person", hint="give a whole number")
        share = self.repeats.endswith("%")
        # Building pyramids is never repeated: everybody shares one pyramid.
        repeats = 0 if self.kind == "pyramid" else int(number)
        return PlanOptions(
            self.per_topic, 0 if share else repeats, repeats / 100 * share, self.mixed,
            seed=seed, limit=int(self.limit[:6] or 0),
        )  # fmt: skip


def items_of(collection: Collection, work: AssignmentForm) -> list[Item]:
    """List the items of the chosen tasks, in the order of tasks."""
    categories = {topic.id: topic.category for topic in collection.topics}
    order = {task: index for index, task in enumerate(collection.task_ids)}
    summaries = [
        Item(s.task, s.topic, s.system, categories.get(s.topic, ""), word_sequence(s.plain))
        for s in sorted(collection.summaries, key=lambda summary: order[summary.task])
        if s.is_peer and s.task in work.tasks and (work.writers or s.kind == "machine")
    ]
    if work.kind != "pyramid":
        return summaries
    pairs = dict.fromkeys(
        (s.task, s.topic) for s in collection.summaries if s.is_reference and s.task in work.tasks
    )
    return [Item(task, topic, "", categories.get(topic, "")) for task, topic in pairs]


def given_of(session: Session, evaluation: Evaluation, kind: str) -> PriorAssignments:
    """Read existing assignments, without unfinished work of people who left."""
    left = _abandoned(session, evaluation, kind)
    items: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    assigned = select(Account.name, Assignment.task, Assignment.topic, Assignment.system)
    for name, *item in session.execute(
        assigned.join(Assignment.account).where(
            Assignment.evaluation_id == evaluation.id, Assignment.kind == kind
        )
    ):
        if (name, item[0], item[1]) not in left:
            items[name].add((item[0], item[1], item[2]))
    by_person = {name: frozenset(keys) for name, keys in items.items()}
    return PriorAssignments(by_person, next_positions(session, evaluation).get(kind, {}))


def _abandoned(session: Session, evaluation: Evaluation, kind: str) -> set[tuple[str, str, str]]:
    """Find the tasks and topics that deactivated people have not finished."""
    inactive = set(session.scalars(select(Account.name).where(Account.active.is_(False))))
    steps = steps_of(session, evaluation) if inactive else []
    unfinished = (step for step in steps if step.kind == kind and step.name in inactive)
    return {(step.name, step.task, step.topic) for step in unfinished if not step.submitted}


def next_positions(session: Session, evaluation: Evaluation) -> dict[str, dict[str, int]]:
    """Return the next free position of each person, by kind of work."""
    rows = session.execute(
        select(Assignment.kind, Account.name, func.max(Assignment.position))
        .join(Assignment.account)
        .where(Assignment.evaluation_id == evaluation.id)
        .group_by(Assignment.kind, Account.name)
    )
    positions: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    for kind, name, last in rows:
        positions[kind][name] = last + 1
    return positions


def planned(session: Session, evaluation: Evaluation, work: AssignmentForm) -> list[PlannedItem]:
    """Plan the work that the form describes."""
    assessors = {account.name for account in _people(session)}
    people = [name for name in work.people if name in assessors]
    if not people:
        raise InputError("nobody is chosen", hint="choose at least one person")
    items = items_of(imported_collection(session, evaluation), work)
    if not items:
        raise InputError("there is nothing to do", hint="choose other tasks or kinds of summaries")
    wish = work.wish(Settings.of(evaluation).seed)
    return plan(items, people, wish, given_of(session, evaluation, work.kind))


def _people(session: Session) -> list[Account]:
    """List everybody who can be assigned work, assessors first."""
    query = select(Account).where(Account.active, Account.role.in_(("assessor", "organizer")))
    return list(session.scalars(query.order_by(Account.role, Account.name)))


def fingerprint(planned_items: Iterable[PlannedItem]) -> str:
    """Return a hash of a plan, to store only the plan that was shown."""
    lines = (
        f"{p.assessor}\0{p.item.pair}\0{p.item.system}\0{p.occasion}\0{p.position}"
        for p in planned_items
    )
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def write(
    session: Session, evaluation: Evaluation, kind: str, planned_items: Iterable[PlannedItem]
) -> None:
    """Add the assignments of a plan."""
    ids = {account.name: account.id for account in _people(session)}
    session.add_all(
        Assignment(
            evaluation_id=evaluation.id, account_id=ids[entry.assessor], kind=kind,
            task=entry.item.task, topic=entry.item.topic, system=entry.item.system,
            occasion=entry.occasion, position=entry.position,
        )
        for entry in planned_items
    )  # fmt: skip
    session.flush()


def withdraw(session: Session, evaluation: Evaluation, kind: str, names: set[str]) -> int:
    """Withdraw what these people have not begun; return how many items."""
    steps = (step for step in steps_of(session, evaluation) if step.kind == kind)
    left = [{"given": step.id} for step in steps if not step.begun and step.name in names]
    if left:
        statement = delete(Assignment).where(Assignment.id == bindparam("given"))
        session.connection().execute(statement, left)
    return len(left)


@router.get("/evaluations/{token}/assign")
def ask(request: Request, user: Organizer, store: StoreDep, token: str) -> HTMLResponse:
    """Show the form."""
    with store.read() as session:
        return _assign_page(request, session, evaluation_of(session, token), None)


@router.post("/evaluations/{token}/assign")
async def assign(request: Request, user: Organizer, store: StoreDep, token: str) -> Response:
    """Show a plan, store the plan that was shown, or withdraw items not begun."""
    async with request.form() as form:
        return await run_in_threadpool(_assign, request, store, token, form)


def _assign(request: Request, store: Store, token: str, form: FormData) -> Response:
    work = None
    try:
        work = AssignmentForm.of(form)
        if form.get("action") not in ("write", "withdraw"):
            with store.read() as session:
                evaluation = evaluation_of(session, token)
                planned_items = planned(session, evaluation, work)
                return _assign_page(request, session, evaluation, work, planned_items=planned_items)
        with store.write() as session:
            _carry_out(session, evaluation_of(session, token), work, form)
    except InputError as error:
        with store.read() as session:
            return _assign_page(request, session, evaluation_of(session, token), work, error=error)
    return go_to(f"/evaluations/{token}")


def _carry_out(
    session: Session, evaluation: Evaluation, work: AssignmentForm, form: FormData
) -> None:
    if form.get("action") == "withdraw":
        withdraw(session, evaluation, work.kind, set(work.people))
        return
    planned_items = planned(session, evaluation, work)
    if form.get("fingerprint") != fingerprint(planned_items):
        message = "something has changed since this plan was shown"
        raise InputError(message, hint="check the new plan")
    write(session, evaluation, work.kind, planned_items)


def _assign_page(
    request: Request,
    session: Session,
    evaluation: Evaluation,
    work: AssignmentForm | None,
    *,
    planned_items: list[PlannedItem] | None = None,
    error: InputError | None = None,
) -> HTMLResponse:
    collection = imported_collection(session, evaluation)
    people = _people(session)
    used = {summary.task for summary in collection.summaries}
    tasks = [task for task in collection.task_ids if task in used]
    assessors = [person.name for person in people if person.role == "assessor"]
    work = work or AssignmentForm(people=tuple(assessors), tasks=tuple(tasks))
    assigned = next_positions(session, evaluation)
    return page(
        request, "assign.html", status=422 if error else 200, evaluation=evaluation, tab="Assign",
        work=work, people=people, tasks=tasks, kinds=KINDS, assigned=assigned,
        planned_items=planned_items, error=error, collection=collection,
        **_preview(planned_items or [], collection),
    )  # fmt: skip


def _preview(planned_items: list[PlannedItem], collection: Collection) -> dict[str, Any]:
    """Summarize a plan: counts by person and category, and the people of each topic."""
    titles = {category.id: category.title for category in (*TAC_CATEGORIES, *collection.categories)}
    topics = {(entry.assessor, entry.item.topic, entry.item.category) for entry in planned_items}
    counts = Counter((name, category) for name, _, category in topics)
    categories = sorted({category for _, _, category in topics})
    rows = [
        {
            "name": name,
            "topics": [counts[name, category] for category in categories],
            "items": sum(entry.assessor == name and not entry.occasion for entry in planned_items),
            "repeats": sum(
                entry.assessor == name and entry.occasion > 0 for entry in planned_items
            ),
        }
        for name in dict.fromkeys(entry.assessor for entry in planned_items)
    ]
    names = topic_names(collection)
    owners = grouped(sorted((names[topic], name) for name, topic, _ in topics))
    return {
        "rows": rows, "owners": owners, "fingerprint": fingerprint(planned_items),
        "categories": [titles.get(id, id) or "no category" for id in categories],
    }  # fmt: skip
