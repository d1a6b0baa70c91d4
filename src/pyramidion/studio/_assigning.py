"""The page on which work is shared out: a plan is shown, and written when it is confirmed."""

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
from pyramidion.studio._app import AStore, Organizer, evaluation_of, go_to, page
from pyramidion.studio._evaluations import Settings, imported_collection
from pyramidion.studio._plan import Given, Item, Planned, Wish, plan
from pyramidion.studio._progress import KINDS, steps_of
from pyramidion.studio._store import Account, Assignment, Evaluation, Store

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Asked:
    """What the form says."""

    kind: str = "judge"
    people: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    per_topic: int = 1
    repeats: str = "0"
    mixed: bool = False
    writers: bool = True

    @classmethod
    def of(cls, form: FormData) -> "Asked":
        """Read the form."""
        kind, number = str(form.get("kind")), str(form.get("per_topic", "1"))
        if kind not in KINDS:
            raise InputError("this kind of work is unknown", hint="choose one of the list")
        if not (number.isascii() and number.isdigit() and len(number) < 4):
            raise InputError(f"{number[:20]!r} people for each topic", hint="give a whole number")
        return cls(
            kind, tuple(map(str, form.getlist("person"))), tuple(map(str, form.getlist("task"))),
            int(number), str(form.get("repeats", "")).strip() or "0", "mixed" in form,
            "writers" in form,
        )  # fmt: skip

    def wish(self, seed: int) -> Wish:
        """Say the same to the plan."""
        number = self.repeats.removesuffix("%").strip()
        if not (number.isascii() and number.isdigit() and len(number) < 6):
            hint = "give a number such as 5, or a share as 10%"
            raise InputError(f"{self.repeats[:20]!r} repeats", hint)
        if self.repeats.endswith("%") and int(number) > 50:
            raise InputError("more than half is to be repeated", hint="give 50% or less")
        share = self.repeats.endswith("%")
        # Building pyramids is never repeated: a pyramid is one for everybody.
        repeats = 0 if self.kind == "pyramid" else int(number)
        return Wish(
            self.per_topic, 0 if share else repeats, repeats / 100 * share, self.mixed,
            seed=seed,
        )  # fmt: skip


def items_of(collection: Collection, asked: Asked) -> list[Item]:
    """List what there is to do, tasks in their order."""
    categories = {topic.id: topic.category for topic in collection.topics}
    order = {task: place for place, task in enumerate(collection.task_ids)}
    found = [
        Item(s.task, s.topic, s.system, categories.get(s.topic, ""), word_sequence(s.plain))
        for s in sorted(collection.summaries, key=lambda own: order[own.task])
        if s.is_peer and s.task in asked.tasks and (asked.writers or s.kind == "machine")
    ]
    if asked.kind != "pyramid":
        return found
    pairs = dict.fromkeys(
        (s.task, s.topic) for s in collection.summaries if s.is_reference and s.task in asked.tasks
    )
    return [Item(task, topic, "", categories.get(topic, "")) for task, topic in pairs]


def given_of(session: Session, evaluation: Evaluation, kind: str) -> Given:
    """Read what is assigned already; what somebody who left did not finish is free again."""
    left = _left(session, evaluation, kind)
    items: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    wanted = select(Account.name, Assignment.task, Assignment.topic, Assignment.system)
    for name, *item in session.execute(
        wanted.join(Assignment.account).where(
            Assignment.evaluation_id == evaluation.id, Assignment.kind == kind
        )
    ):
        if (name, item[0], item[1]) not in left:
            items[name].add((item[0], item[1], item[2]))
    own = {name: frozenset(found) for name, found in items.items()}
    return Given(own, next_places(session, evaluation).get(kind, {}))


def _left(session: Session, evaluation: Evaluation, kind: str) -> set[tuple[str, str, str]]:
    """Find the tasks and topics that people without access have not finished."""
    gone = set(session.scalars(select(Account.name).where(Account.active.is_(False))))
    steps = steps_of(session, evaluation) if gone else []
    own = (step for step in steps if step.kind == kind and step.name in gone)
    return {(step.name, step.task, step.topic) for step in own if not step.submitted}


def next_places(session: Session, evaluation: Evaluation) -> dict[str, dict[str, int]]:
    """Return the place after each person's last, by kind of work."""
    rows = session.execute(
        select(Assignment.kind, Account.name, func.max(Assignment.place))
        .join(Assignment.account)
        .where(Assignment.evaluation_id == evaluation.id)
        .group_by(Assignment.kind, Account.name)
    )
    places: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    for kind, name, last in rows:
        places[kind][name] = last + 1
    return places


def planned(session: Session, evaluation: Evaluation, asked: Asked) -> list[Planned]:
    """Make the plan that the form asks for."""
    known = {account.name for account in _assessors(session)}
    people = [name for name in asked.people if name in known]
    if not people:
        raise InputError("nobody is chosen", hint="choose at least one person")
    items = items_of(imported_collection(session, evaluation), asked)
    if not items:
        raise InputError("there is nothing to do", hint="choose other tasks or kinds of summaries")
    wish = asked.wish(Settings.of(evaluation).seed)
    return plan(items, people, wish, given_of(session, evaluation, asked.kind))


def _assessors(session: Session) -> list[Account]:
    wanted = select(Account).where(Account.active, Account.role == "assessor")
    return list(session.scalars(wanted.order_by(Account.name)))


def fingerprint(made: Iterable[Planned]) -> str:
    """Name a plan, so that what is written is what was shown."""
    lines = (f"{p.assessor}\0{p.item.pair}\0{p.item.system}\0{p.occasion}\0{p.place}" for p in made)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def write(session: Session, evaluation: Evaluation, kind: str, made: Iterable[Planned]) -> None:
    """Add the assignments of a plan."""
    ids = {account.name: account.id for account in _assessors(session)}
    session.add_all(
        Assignment(
            evaluation_id=evaluation.id, account_id=ids[one.assessor], kind=kind,
            task=one.item.task, topic=one.item.topic, system=one.item.system,
            occasion=one.occasion, place=one.place,
        )
        for one in made
    )  # fmt: skip
    session.flush()


def withdraw(session: Session, evaluation: Evaluation, kind: str, names: set[str]) -> int:
    """Take back what these people have not begun; give how much that is."""
    steps = (step for step in steps_of(session, evaluation) if step.kind == kind)
    left = [{"given": own.id} for own in steps if not own.begun and own.name in names]
    if left:
        one = delete(Assignment).where(Assignment.id == bindparam("given"))
        session.connection().execute(one, left)
    return len(left)


@router.get("/evaluations/{token}/assign")
def ask(request: Request, who: Organizer, store: AStore, token: str) -> HTMLResponse:
    """Show the form."""
    with store.read() as session:
        return _shown(request, session, evaluation_of(session, token), None)


@router.post("/evaluations/{token}/assign")
async def assign(request: Request, who: Organizer, store: AStore, token: str) -> Response:
    """Show a plan, write one that was shown, or take back what nobody has begun."""
    async with request.form() as form:
        return await run_in_threadpool(_assign, request, store, token, form)


def _assign(request: Request, store: Store, token: str, form: FormData) -> Response:
    asked = None
    try:
        asked = Asked.of(form)
        if form.get("action") not in ("write", "withdraw"):
            with store.read() as session:
                evaluation = evaluation_of(session, token)
                made = planned(session, evaluation, asked)
                return _shown(request, session, evaluation, asked, made=made)
        with store.write() as session:
            _carry_out(session, evaluation_of(session, token), asked, form)
    except InputError as error:
        with store.read() as session:
            return _shown(request, session, evaluation_of(session, token), asked, error=error)
    return go_to(f"/evaluations/{token}")


def _carry_out(session: Session, evaluation: Evaluation, asked: Asked, form: FormData) -> None:
    if form.get("action") == "withdraw":
        withdraw(session, evaluation, asked.kind, set(asked.people))
        return
    made = planned(session, evaluation, asked)
    if form.get("fingerprint") != fingerprint(made):
        what = "something has changed since this plan was shown"
        raise InputError(what, hint="look at the new plan")
    write(session, evaluation, asked.kind, made)


def _shown(
    request: Request,
    session: Session,
    evaluation: Evaluation,
    asked: Asked | None,
    *,
    made: list[Planned] | None = None,
    error: InputError | None = None,
) -> HTMLResponse:
    collection = imported_collection(session, evaluation)
    people = _assessors(session)
    used = {summary.task for summary in collection.summaries}
    tasks = [task for task in collection.task_ids if task in used]
    asked = asked or Asked(people=tuple(one.name for one in people), tasks=tuple(tasks))
    given = next_places(session, evaluation)
    return page(
        request, "assign.html", status=422 if error else 200, evaluation=evaluation, tab="Assign",
        asked=asked, people=people, tasks=tasks, kinds=KINDS, given=given, made=made,
        error=error, collection=collection, **_preview(made or [], collection),
    )  # fmt: skip


def _preview(made: list[Planned], collection: Collection) -> dict[str, Any]:
    """Count a plan: by person and category, and who has which topic."""
    titles = {one.id: one.title for one in (*TAC_CATEGORIES, *collection.categories)}
    topics = {(one.assessor, one.item.topic, one.item.category) for one in made}
    counts = Counter((name, category) for name, _, category in topics)
    categories = sorted({category for _, _, category in topics})
    rows = [
        {
            "name": name,
            "topics": [counts[name, category] for category in categories],
            "items": sum(one.assessor == name and not one.occasion for one in made),
            "repeats": sum(one.assessor == name and one.occasion > 0 for one in made),
        }
        for name in dict.fromkeys(one.assessor for one in made)
    ]
    owners = grouped(sorted((topic, name) for name, topic, _ in topics))
    return {
        "rows": rows, "owners": owners, "fingerprint": fingerprint(made),
        "categories": [titles.get(id, id) or "no category" for id in categories],
    }  # fmt: skip
