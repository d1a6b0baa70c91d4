"""The page that assigns work: a plan is shown, and stored when it is confirmed."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as PathNumber
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.orm import Session
from starlette.datastructures import FormData

from pyramidion.collection import TAC_CATEGORIES, Collection
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.errors import InputError
from pyramidion.judges._panel import word_sequence
from pyramidion.studio._accounts import hashed
from pyramidion.studio._app import (
    Organizer,
    StoreDep,
    Visitor,
    evaluation_of,
    go_to,
    or_404,
    page,
)
from pyramidion.studio._evaluations import Settings, imported_collection, topic_names
from pyramidion.studio._modes import JUDGED_KINDS, MODES, count_items, mode_items, with_pyramids
from pyramidion.studio._plan import Item, PlannedItem, PlanOptions, PriorAssignments, plan
from pyramidion.studio._progress import KINDS, steps_of
from pyramidion.studio._store import (
    Account,
    Assignment,
    Evaluation,
    RegistrationLink,
    Round,
    Store,
    new_token,
    record,
)

router = APIRouter(include_in_schema=False)


#: The purposes that organizers choose from.
PURPOSES = {"main": "Main round", "pilot": "Pilot", "tie-break": "Tie-break"}
_MAX_PEOPLE = 999


@dataclass(frozen=True)
class AssignmentForm:
    """The fields of the form; no topics or systems are all of them."""

    kind: str = "judge"
    people: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    per_topic: int = 1
    repeats: str = "0"
    mixed: bool = False
    writers: bool = True
    limit: str = ""
    purpose: str = "main"
    topics: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    overlap: str = "0%"
    overlap_people: int = 3
    single: bool = False
    training: bool = False

    @classmethod
    def of(cls, form: FormData) -> "AssignmentForm":
        """Read the form."""
        kind, purpose = str(form.get("kind")), str(form.get("purpose", "main"))
        if kind not in KINDS or purpose not in PURPOSES:
            raise InputError("this kind of work is unknown", hint="choose one from the list")
        names = {name: tuple(map(str, form.getlist(name))) for name in ("topic", "system")}
        return cls(
            kind, tuple(map(str, form.getlist("person"))), tuple(map(str, form.getlist("task"))),
            _whole(str(form.get("per_topic", "1")), "people for each topic", _MAX_PEOPLE),
            str(form.get("repeats", "")).strip() or "0", "mixed" in form, "writers" in form,
            str(form.get("limit", "")).strip(), purpose, names["topic"], names["system"],
            str(form.get("overlap", "")).strip() or "0%",
            _whole(str(form.get("overlap_people", "3")), "people for the overlap", _MAX_PEOPLE),
            "single" in form, "training" in form,
        )  # fmt: skip

    def wish(self, seed: int) -> PlanOptions:
        """Return the options of the plan."""
        share = self.repeats.endswith("%")
        number = _whole(self.repeats.removesuffix("%").strip(), "repeats", 99_999)
        if share and number > 50:
            raise InputError("more than half would be repeated", hint="give 50% or less")
        overlap = _whole(self.overlap.removesuffix("%").strip(), "percent overlap", 100)
        # Building pyramids is never repeated: everybody shares one pyramid.
        repeats = 0 if self.kind in ("pyramid", "independent") else number
        return PlanOptions(
            self.per_topic, 0 if share else repeats, repeats / 100 * share, self.mixed,
            seed=seed, limit=_whole(self.limit or "0", "items per person", 999_999),
            overlap=overlap / 100, overlap_people=self.overlap_people if overlap else 0,
            single=self.single and self.kind in JUDGED_KINDS,
        )  # fmt: skip

    def covers(self, task: str, topic: str, system: str | None = None) -> bool:
        """Return whether a topic, or a summary, was chosen."""
        return (
            task in self.tasks
            and (not self.topics or topic in self.topics)
            and (system is None or not self.systems or system in self.systems)
        )


def _whole(number: str, problem: str, maximum: int) -> int:
    if not (number.isascii() and number.isdigit() and len(number) < 7 and int(number) <= maximum):
        raise InputError(f"{number[:20]!r} {problem}", f"give a whole number up to {maximum:,}")
    return int(number)


def items_of(collection: Collection, work: AssignmentForm) -> list[Item]:
    """List the items of the chosen tasks, topics and systems, in the order of tasks."""
    categories = {topic.id: topic.category for topic in collection.topics}
    order = {task: index for index, task in enumerate(collection.task_ids)}
    summaries = [
        Item(s.task, s.topic, s.system, categories.get(s.topic, ""), word_sequence(s.plain))
        for s in sorted(collection.summaries, key=lambda summary: order[summary.task])
        if s.is_peer and work.covers(s.task, s.topic, s.system)
        and (work.writers or s.kind == "machine")
    ]  # fmt: skip
    if work.kind in MODES:
        return mode_items(collection, work.kind, summaries)
    if work.kind not in ("pyramid", "independent"):
        return summaries
    pairs = dict.fromkeys(
        (s.task, s.topic)
        for s in collection.summaries
        if s.is_reference and work.covers(s.task, s.topic)
    )
    return [Item(task, topic, "", categories.get(topic, "")) for task, topic in pairs]


def given_of(session: Session, evaluation: Evaluation, kind: str) -> PriorAssignments:
    """Read existing assignments, without unfinished work of people who left."""
    abandoned = _abandoned_work(session, evaluation, kind)
    items: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    assigned_query = select(Account.name, Assignment.task, Assignment.topic, Assignment.system)
    for name, *item in session.execute(
        assigned_query.join(Assignment.account).where(
            Assignment.evaluation_id == evaluation.id, Assignment.kind == kind
        )
    ):
        if (name, item[0], item[1]) not in abandoned:
            items[name].add((item[0], item[1], item[2]))
    by_person = {name: frozenset(keys) for name, keys in items.items()}
    return PriorAssignments(by_person, next_positions(session, evaluation).get(kind, {}))


def _abandoned_work(
    session: Session, evaluation: Evaluation, kind: str
) -> set[tuple[str, str, str]]:
    """Find the tasks and topics that deactivated people have not finished."""
    inactive_names = set(session.scalars(select(Account.name).where(Account.active.is_(False))))
    steps = steps_of(session, evaluation) if inactive_names else []
    unfinished_steps = (step for step in steps if step.kind == kind and step.name in inactive_names)
    return {(step.name, step.task, step.topic) for step in unfinished_steps if not step.submitted}


def next_positions(session: Session, evaluation: Evaluation) -> dict[str, dict[str, int]]:
    """Return the next free position of each person, by kind of work."""
    rows = session.execute(
        select(Assignment.kind, Account.name, func.max(Assignment.position))
        .join(Assignment.account)
        .where(Assignment.evaluation_id == evaluation.id)
        .group_by(Assignment.kind, Account.name)
    )
    positions: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    for kind, name, last_position in rows:
        positions[kind][name] = last_position + 1
    return positions


def planned(
    session: Session, evaluation: Evaluation, work: AssignmentForm, *, seed: int | None = None
) -> list[PlannedItem]:
    """Plan the work that the form describes."""
    assessors = {account.name for account in _people(session)}
    people = [name for name in work.people if name in assessors]
    if not people:
        raise InputError("nobody is chosen", hint="choose at least one person")
    settings = Settings.of(evaluation)
    training = settings.trained(work.kind)
    needs_units = work.kind in ("checklist", "unit")
    get_collection = with_pyramids if needs_units else imported_collection
    collection = get_collection(session, evaluation)
    items = [
        item for item in items_of(collection, work) if (*item.pair, item.system) not in training
    ]
    if not items:
        raise InputError("there is nothing to do", hint="choose other tasks or kinds of summaries")
    wish = work.wish(settings.seed)
    if seed is not None:  # a group, whose members come one after the other
        wish = replace(wish, seed=seed, is_partial=True)
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


def new_round(
    session: Session, evaluation: Evaluation, work: AssignmentForm, account: Account | None
) -> Round:
    """Add a round with its plan, in which people are ids."""
    ids = {person.name: person.id for person in _people(session)}
    people = [ids[name] for name in work.people if name in ids]
    last_number = select(func.max(Round.number)).where(Round.evaluation_id == evaluation.id)
    data = {**asdict(work), "people": people, "seed": Settings.of(evaluation).seed}
    row = Round(
        evaluation_id=evaluation.id, number=(session.scalar(last_number) or 0) + 1,
        purpose=work.purpose, data=data, account_id=account.id if account else None,
    )  # fmt: skip
    session.add(row)
    session.flush()
    return row


def write(
    session: Session,
    evaluation: Evaluation,
    work: AssignmentForm,
    planned_items: Sequence[PlannedItem],
    *,
    round: Round | None = None,
    account: Account | None = None,
) -> None:
    """Add the assignments of a plan, after the training if that is requested."""
    ids = {person.name: person.id for person in _people(session)}
    if work.kind in JUDGED_KINDS:
        round = round or new_round(session, evaluation, work, account)
    if work.training:
        _train(session, evaluation, work.kind, [ids[name] for name in dict.fromkeys(work.people)])
    session.add_all(
        Assignment(
            evaluation_id=evaluation.id, account_id=ids[entry.assessor], kind=work.kind,
            task=entry.item.task, topic=entry.item.topic, system=entry.item.system,
            occasion=entry.occasion, position=entry.position,
            round_id=round.id if round else None,
        )
        for entry in planned_items
    )  # fmt: skip
    session.flush()


def _train(session: Session, evaluation: Evaluation, kind: str, account_ids: Iterable[int]) -> None:
    """Assign the training to those who do not have all of it, before their other work."""
    training = Settings.of(evaluation).trained(kind)
    if not training:
        return
    of_evaluation = (Round.evaluation_id == evaluation.id, Round.purpose == "training")
    row = session.scalar(select(Round).where(*of_evaluation))
    if row is None:
        row = Round(evaluation_id=evaluation.id, number=0, purpose="training", data={})
        session.add(row)
        session.flush()
    for id in account_ids:
        assignment_filter = (Assignment.evaluation_id == evaluation.id, Assignment.account_id == id)
        rows = session.scalars(
            select(Assignment).where(*assignment_filter, Assignment.kind == kind)
        ).all()
        assigned_keys = {(item.task, item.topic, item.system) for item in rows}
        new_items = [item for key, item in training.items() if key not in assigned_keys]
        first_position = min((0, *(item.position for item in rows))) - len(new_items)
        session.add_all(
            Assignment(
                evaluation_id=evaluation.id, account_id=id, kind=kind, task=item.task,
                topic=item.topic, system=item.system, occasion=0, position=first_position + number,
                round_id=row.id,
            )
            for number, item in enumerate(new_items)
        )  # fmt: skip


def withdraw(session: Session, evaluation: Evaluation, kind: str, names: set[str]) -> int:
    """Withdraw what these people have not begun; return how many items."""
    steps = (step for step in steps_of(session, evaluation) if step.kind == kind)
    withdrawn_steps = [
        {"given": step.id} for step in steps if not step.begun and step.name in names
    ]
    if withdrawn_steps:
        statement = delete(Assignment).where(Assignment.id == bindparam("given"))
        session.connection().execute(statement, withdrawn_steps)
    return len(withdrawn_steps)


@dataclass(frozen=True)
class RoundProgress:
    """A round, and how much of it is done."""

    row: Round
    kinds: tuple[str, ...]
    people: int
    items: int
    submitted: int


def rounds_of(session: Session, evaluation: Evaluation) -> list[RoundProgress]:
    """List the rounds of an evaluation, the training first."""
    query = select(Round).where(Round.evaluation_id == evaluation.id)
    rows = session.scalars(query.order_by(Round.number))
    steps = grouped((step.round_id, step) for step in steps_of(session, evaluation))
    return [
        RoundProgress(
            row, tuple(dict.fromkeys(step.kind for step in steps.get(row.id, ()))),
            len({step.name for step in steps.get(row.id, ())}), len(steps.get(row.id, ())),
            sum(step.submitted for step in steps.get(row.id, ())),
        )
        for row in rows.all()
    ]  # fmt: skip


@router.get("/evaluations/{token}/assign")
def ask(request: Request, user: Organizer, store: StoreDep, token: str) -> HTMLResponse:
    """Show the form, filled in as the address says."""
    query = request.query_params
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        work = None
        if query.get("purpose") in PURPOSES and query.get("kind", "judge") in KINDS:
            usual_work = _usual(session, evaluation)
            work = replace(
                usual_work, purpose=query["purpose"], kind=query.get("kind", "judge"),
                tasks=tuple(query.getlist("task")) or usual_work.tasks,
                topics=tuple(query.getlist("topic")), systems=tuple(query.getlist("system")),
            )  # fmt: skip
        return _assign_page(request, session, evaluation, work)


@router.post("/evaluations/{token}/assign")
async def assign(request: Request, user: Organizer, store: StoreDep, token: str) -> Response:
    """Show a plan, store the plan that was shown, or withdraw items not begun."""
    async with request.form() as form:
        return await run_in_threadpool(_assign, request, store, user, token, form)


def _assign(request: Request, store: Store, user: Visitor, token: str, form: FormData) -> Response:
    work = None
    try:
        work = AssignmentForm.of(form)
        if form.get("action") not in ("write", "withdraw", "link"):
            with store.read() as session:
                evaluation = evaluation_of(session, token)
                planned_items = planned(session, evaluation, work)
                return _assign_page(request, session, evaluation, work, planned_items=planned_items)
        with store.write() as session:
            evaluation = evaluation_of(session, token)
            if form.get("action") == "link":
                link = _group_link(request, session, user, evaluation, work, form)
                return _assign_page(request, session, evaluation, work, link=link)
            _carry_out(session, evaluation, work, form, user.account)
    except InputError as error:
        with store.read() as session:
            evaluation, consent = evaluation_of(session, token), str(form.get("consent", ""))
            return _assign_page(request, session, evaluation, work, error=error, consent=consent)
    return go_to(f"/evaluations/{token}")


def _carry_out(
    session: Session, evaluation: Evaluation, work: AssignmentForm, form: FormData, account: Account
) -> None:
    if form.get("action") == "withdraw":
        number = withdraw(session, evaluation, work.kind, set(work.people))
        record(session, account, "withdrew work", evaluation.token, kind=work.kind, items=number)
        return
    planned_items = planned(session, evaluation, work)
    if form.get("fingerprint") != fingerprint(planned_items):
        message = "something has changed since this plan was shown"
        raise InputError(message, hint="check the new plan")
    write(session, evaluation, work, planned_items, account=account)
    number = len(planned_items)
    record(session, account, "assigned work", evaluation.token, kind=work.kind, items=number)


def _group_link(
    request: Request, session: Session, user: Visitor, evaluation: Evaluation,
    work: AssignmentForm, form: FormData,
) -> str:  # fmt: skip
    """Make a link by which people register; each of them gets work by the plan of a new round."""
    if work.kind not in JUDGED_KINDS:
        raise InputError("a group can only judge", hint="choose another kind of work")
    if not work.wish(0).limit:
        message = "the number of items per person is missing"
        raise InputError(message, hint="fill in Items per person, at most")
    consent = str(form.get("consent", "")).strip()
    if not 20 <= len(consent) <= 10_000:
        message = "the consent text needs 20 to 10,000 characters"
        raise InputError(message, hint="say what is stored, and for what purpose")
    max_people = _whole(str(form.get("max_people", "")), "people at most", 10_000)
    row = new_round(session, evaluation, replace(work, people=()), user.account)
    token = new_token()
    session.add(
        RegistrationLink(
            token_hash=hashed(token), evaluation_id=evaluation.id, consent=consent,
            max_people=max_people, data={"round": row.id},
        )
    )  # fmt: skip
    record(session, user.account, "made a group link", evaluation.token, round=row.number)
    session.flush()
    return f"{request.url.scheme}://{request.headers.get('host', '')}/join/{token}"


def give_work(session: Session, group: RegistrationLink, account: Account) -> int:
    """Assign a person who registered by a link their share of its round; return how many items."""
    row = session.get_one(Round, group.data["round"])
    evaluation = session.get_one(Evaluation, group.evaluation_id)
    names = ("tasks", "topics", "systems")
    data = {**row.data, **{name: tuple(row.data[name]) for name in names}}
    seed = data.pop("seed")
    work = AssignmentForm(**{**data, "people": (account.name,)})
    planned_items = planned(session, evaluation, work, seed=seed)
    if planned_items:
        write(session, evaluation, work, planned_items, round=row)
    return len(planned_items)


@router.post("/evaluations/{token}/groups/{id}/close")
def close_group(
    user: Organizer, store: StoreDep, token: str, id: Annotated[int, PathNumber(ge=1, lt=2**31)]
) -> Response:
    """Stop further registrations by a group link."""
    with store.write() as session:
        group = or_404(session.get(RegistrationLink, id))
        evaluation = evaluation_of(session, token)
        or_404(group.evaluation_id == evaluation.id or None)
        group.active = False
        record(session, user.account, "closed a group link", token)
    return go_to(f"/evaluations/{token}/assign")


def _assign_page(
    request: Request,
    session: Session,
    evaluation: Evaluation,
    work: AssignmentForm | None,
    *,
    planned_items: list[PlannedItem] | None = None,
    error: InputError | None = None,
    link: str = "",
    consent: str = "",
) -> HTMLResponse:
    collection = imported_collection(session, evaluation)
    people = _people(session)
    tasks_with_summaries = {summary.task for summary in collection.summaries}
    peers = {summary.system for summary in collection.summaries if summary.is_peer}
    groups = session.scalars(
        select(RegistrationLink).where(RegistrationLink.evaluation_id == evaluation.id)
    ).all()
    members = select(Account.group_id, func.count()).group_by(Account.group_id)
    return page(
        request, "assign.html", status=422 if error else 200, evaluation=evaluation, tab="Assign",
        work=work or _usual(session, evaluation), people=people, kinds=KINDS, purposes=PURPOSES,
        tasks=[task for task in collection.task_ids if task in tasks_with_summaries],
        topics={id: topic_names(collection)[id] for id in collection.topic_ids},
        systems=sorted(peers, key=natural_order), link=link, groups=groups, consent=consent,
        members={id: number for id, number in session.execute(members)},  # noqa: C416
        training=_training_text(Settings.of(evaluation)), rounds=rounds_of(session, evaluation),
        assigned=next_positions(session, evaluation), planned_items=planned_items, error=error,
        collection=collection, **_preview(planned_items or [], collection),
    )  # fmt: skip


def _training_text(settings: Settings) -> str:
    """Say how many items of each kind have known answers."""
    counts = Counter(item.kind for item in settings.training)
    return ", ".join(count_items(kind, counts[kind]) for kind in JUDGED_KINDS if counts[kind])


def _usual(session: Session, evaluation: Evaluation) -> AssignmentForm:
    """Return the form as it is first shown: all assessors and all tasks."""
    collection = imported_collection(session, evaluation)
    tasks_with_summaries = {summary.task for summary in collection.summaries}
    return AssignmentForm(
        people=tuple(person.name for person in _people(session) if person.role == "assessor"),
        tasks=tuple(task for task in collection.task_ids if task in tasks_with_summaries),
        training=bool(Settings.of(evaluation).training),
    )


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
