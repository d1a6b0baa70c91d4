"""Pages of organizers: settings, people, guidelines and progress."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, HTTPException, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pyramidion.collection import Collection
from pyramidion.collection.measures import QUALITY_QUESTIONS
from pyramidion.errors import InputError
from pyramidion.studio import _assigning, _downloads, _importing
from pyramidion.studio._accounts import ERASED, add_account, end_visits, erase_account, invite
from pyramidion.studio._app import (
    Organizer,
    Reader,
    StoreDep,
    Visitor,
    evaluation_of,
    go_to,
    or_404,
    page,
)
from pyramidion.studio._evaluations import (
    Settings,
    delete_evaluation,
    imported_collection,
    off_scale,
    topic_names,
)
from pyramidion.studio._exports import minute
from pyramidion.studio._guidelines import add_defaults, guidelines_of, rendered, revise, versions_of
from pyramidion.studio._progress import KINDS, by_person, by_topic, steps_of
from pyramidion.studio._scales import SUGGESTED, JudgedMeasure, own_measures, parse_measure
from pyramidion.studio._store import (
    Account,
    Assignment,
    Evaluation,
    Event,
    Guideline,
    Invitation,
    Role,
    Store,
    record,
)

router = APIRouter(include_in_schema=False)
router.include_router(_importing.router)
router.include_router(_assigning.router)
router.include_router(_downloads.router)

#: Measures that are offered, in addition to those of the evaluation.
OFFERED = ("responsiveness", "readability", *QUALITY_QUESTIONS)
_NAME = re.compile(r"[a-z][a-z0-9-]{0,59}")

_Text = Annotated[str, Form(max_length=20_000)]


# Overview and progress


@router.get("/evaluations/{token}")
def overview(request: Request, user: Reader, store: StoreDep, token: str) -> HTMLResponse:
    """Show the collection, the settings and the progress."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        collection = imported_collection(session, evaluation)
        return page(
            request, "overview.html", evaluation=evaluation, tab="Overview",
            settings=Settings.of(evaluation), facts=_facts(collection),
            **_progress(session, evaluation),
        )  # fmt: skip


@router.get("/evaluations/{token}/progress")
def progress(request: Request, user: Reader, store: StoreDep, token: str) -> HTMLResponse:
    """Show progress alone, for periodic updates of the page."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        return page(request, "progress.html", **_progress(session, evaluation))


def _progress(session: Session, evaluation: Evaluation) -> dict[str, Any]:
    steps = steps_of(session, evaluation)
    names = topic_names(imported_collection(session, evaluation))
    return {
        "people": by_person(steps), "topics": by_topic(steps, names), "kinds": KINDS,
        "minute": minute,
    }  # fmt: skip


def _facts(collection: Collection) -> dict[str, int]:
    return {
        "topics": len(collection.topic_ids),
        "systems": len({summary.system for summary in collection.summaries if summary.is_peer}),
        "summaries": sum(summary.is_peer for summary in collection.summaries),
        "references": sum(summary.is_reference for summary in collection.summaries),
        "pyramids": len(collection.pyramids),
    }


# Settings


@router.get("/evaluations/{token}/settings")
def ask_for_settings(
    request: Request, user: Organizer, store: StoreDep, token: str
) -> HTMLResponse:
    """Show the form."""
    with store.read() as session:
        return _settings_page(request, session, evaluation_of(session, token))


@router.post("/evaluations/{token}/settings")
async def take_settings(request: Request, user: Organizer, store: StoreDep, token: str) -> Response:
    """Change the settings; dropping judged measures needs a confirmation."""
    async with request.form() as form:
        fields = {name: str(value)[:200] for name, value in form.items()}
    return await run_in_threadpool(_change_settings, request, store, user, token, fields)


def _changes(before: Settings, after: Settings) -> dict[str, Any]:
    old_settings, new_settings = before.to_json(), after.to_json()
    return {name: value for name, value in new_settings.items() if value != old_settings[name]}


def _change_settings(
    request: Request, store: Store, user: Visitor, token: str, form: dict[str, str]
) -> Response:
    with store.write() as session:
        evaluation = evaluation_of(session, token)
        before = Settings.of(evaluation)
        collection = imported_collection(session, evaluation)
        try:
            after = replace(
                before, measures=_measures(form, _offered_measures(before, collection)),
                is_open="is_open" in form, suggestions="suggestions" in form,
                references="references" in form,
            )  # fmt: skip
            judgment_counts = _count_scores(session, evaluation)
            after = replace(after, past=_dropped_measures(before, after, judgment_counts))
            _require_scales(before, after, judgment_counts, collection)
        except InputError as error:
            return _settings_page(request, session, evaluation, error=error)
        dropped_counts = _dropped_counts(before, after, judgment_counts)
        if dropped_counts and "sure" not in form:
            return _settings_page(
                request, session, evaluation, proposed_settings=after, dropped_counts=dropped_counts
            )
        evaluation.settings = after.to_json()
        record(session, user.account, "changed the settings", token, **_changes(before, after))
        evaluation.name = (" ".join(form.get("name", "").split()) or evaluation.name)[:200]
        add_defaults(session, evaluation, after.measures, collection)
    return go_to(f"/evaluations/{token}")


def _measures(form: dict[str, str], offered_names: Iterable[str]) -> tuple[JudgedMeasure, ...]:
    """Read the measures and their scales, in the order of the form."""
    measure_scales = {name: form.get(f"scale-{name}", "") for name in offered_names}
    custom = "-".join(form.get("own", "").lower().split())
    if custom:
        if not _NAME.fullmatch(custom) or custom in measure_scales:
            hint = "use lowercase letters, digits and hyphens, and a name that is not in the list"
            raise InputError(f"{custom!r} cannot be the name of a measure", hint)
        measure_scales[custom] = form.get("own-scale", "").strip() or "1 to 5"
    measures = tuple(
        parse_measure(name, text) for name, text in measure_scales.items() if text.strip()
    )
    if not measures:
        raise InputError("no measure is left to judge", hint="choose at least one")
    return measures


def _offered_measures(settings: Settings, collection: Collection) -> dict[str, str]:
    """Return the measures that the form lists, with the scale that suits each."""
    candidates = (*settings.measures, *own_measures(collection))
    scales = {measure.name: measure.text for measure in reversed(candidates)}
    names = dict.fromkeys([*(measure.name for measure in candidates), *OFFERED])
    return {name: scales.get(name, "1 to 5") for name in names}


def _count_scores(session: Session, evaluation: Evaluation) -> Counter[str]:
    """Count all scores by measure."""
    measure = Event.data["measure"].as_string().label("measure")
    rows = session.execute(
        select(measure, func.count())
        .join(Event.assignment)
        .where(Assignment.evaluation_id == evaluation.id, Event.kind == "score")
        .group_by("measure")
    )
    return Counter({name: number for name, number in rows})  # noqa: C416


def _require_scales(
    before: Settings, after: Settings, judgment_counts: Counter[str], imported_data: Collection
) -> None:
    """Refuse to change the scale of existing judgments, imported or not."""
    old_scales = {measure.name: measure.scale for measure in before.ever}
    imported_measures = set(imported_data.human_measures)
    for measure in after.measures:
        if (
            judgment_counts[measure.name]
            and old_scales.get(measure.name, measure.scale) != measure.scale
        ):
            message = (
                f"{judgment_counts[measure.name]:,} judgments of {measure.name} are on another "
            )
            message += "scale"
            raise InputError(message, hint="keep the scale, or import the collection again")
        declared_scale = imported_data.scales.get(measure.name)
        ends = (measure.low, measure.high)
        if (
            measure.name in imported_measures
            and declared_scale
            and (declared_scale.low, declared_scale.high) != ends
        ):
            raise InputError(
                f"the imported judgments of {measure.name} are on a scale from "
                f"{declared_scale.low:g} to {declared_scale.high:g}",
                hint="judge on the same scale",
            )  # fmt: skip
        if off_scores := off_scale(imported_data, measure):
            raise InputError(
                f"the imported scores of {measure.name} are not on the scale from {measure.low} to "
                f"{measure.high}, for example {off_scores[0]:g}",
                hint="add a measure with another name",
            )


def _dropped_measures(
    before: Settings, after: Settings, judgment_counts: Counter[str]
) -> tuple[JudgedMeasure, ...]:
    """List measures with judgments that are no longer judged."""
    current_names = {measure.name for measure in after.measures}
    return tuple(
        measure
        for measure in before.ever
        if measure.name not in current_names and judgment_counts[measure.name]
    )


def _dropped_counts(
    before: Settings, after: Settings, judgment_counts: Counter[str]
) -> dict[str, int]:
    """Count the judgments of measures that would be dropped."""
    dropped_names = {measure.name for measure in before.measures} - {
        measure.name for measure in after.measures
    }
    return {
        m.name: judgment_counts[m.name]
        for m in before.measures
        if m.name in dropped_names and judgment_counts[m.name]
    }


def _settings_page(
    request: Request,
    session: Session,
    evaluation: Evaluation,
    *,
    proposed_settings: Settings | None = None,
    dropped_counts: dict[str, int] | None = None,
    error: InputError | None = None,
) -> HTMLResponse:
    shown_settings = proposed_settings or Settings.of(evaluation)
    collection = imported_collection(session, evaluation)
    return page(
        request, "settings.html", status=422 if error else 409 if dropped_counts else 200,
        evaluation=evaluation, tab="Settings", settings=shown_settings, dropped=dropped_counts,
        error=error, judged=_count_scores(session, evaluation), suggested=SUGGESTED,
        imported=Counter(collection.scores.columns["measure"]),
        offered=_offered_measures(shown_settings, collection),
        chosen={measure.name: measure.text for measure in shown_settings.measures},
    )  # fmt: skip


@router.post("/evaluations/{token}/state")
def change_state(
    request: Request, user: Organizer, store: StoreDep, token: str,
    state: Annotated[Literal["active", "archived", "deleted"], Form()], name: _Text = "",
) -> Response:  # fmt: skip
    """Archive, restore or delete an evaluation; to delete it, its name must be typed."""
    with store.write() as session:
        evaluation = evaluation_of(session, token)
        if state == "deleted":
            if " ".join(name.split()) != evaluation.name:
                message = "the name does not match: nothing was deleted"
                error = InputError(message, hint=f"type {evaluation.name}")
                return _settings_page(request, session, evaluation, error=error)
            record(session, user.account, "deleted the evaluation", token, name=evaluation.name)
            delete_evaluation(session, evaluation)
            return go_to("/")
        evaluation.state = state
        action = "archived" if state == "archived" else "restored"
        record(session, user.account, f"{action} the evaluation", token)
        closed_settings = replace(Settings.of(evaluation), is_open=state == "active")
        evaluation.settings = closed_settings.to_json()
    return go_to(f"/evaluations/{token}/settings" if state == "active" else "/")


# People


@router.get("/evaluations/{token}/people")
def list_people(request: Request, user: Organizer, store: StoreDep, token: str) -> HTMLResponse:
    """List everybody with an account."""
    with store.read() as session:
        return _people_page(request, session, evaluation_of(session, token))


@router.post("/evaluations/{token}/people")
def add_person(
    request: Request, user: Organizer, store: StoreDep, token: str, name: _Text,
    role: Annotated[Role, Form()] = "assessor",
) -> HTMLResponse:  # fmt: skip
    """Add people, one per line, and show their invitation links once; all of them or none."""
    names = [line for line in name.splitlines() if line.strip()] or [""]
    try:
        with store.write() as session:
            evaluation = evaluation_of(session, token)
            accounts = [add_account(session, line, role) for line in names]
            secrets = {account: invite(session, account) for account in accounts}
            ids = [account.id for account in accounts]
            record(session, user.account, f"added as {role}", token, people=ids)
            return _people_page(request, session, evaluation, secrets=secrets)
    except InputError as error:
        with store.read() as session:
            evaluation = evaluation_of(session, token)
            return _people_page(request, session, evaluation, error=error)


# What the audit log calls the actions.
_DONE = {
    "invite": "made a link for", "deactivate": "ended the access of",
    "activate": "restored the access of", "erase": "erased the name of",
}  # fmt: skip


@router.post("/evaluations/{token}/people/{id}/{action}")
def change_person(
    request: Request, user: Organizer, store: StoreDep, token: str,
    id: Annotated[int, Path(ge=1, lt=2**31)], action: str,
) -> Response:  # fmt: skip
    """Create a new link, or end or restore somebody's access."""
    with store.write() as session:
        evaluation = evaluation_of(session, token)
        account = or_404(session.get(Account, id))
        record(session, user.account, _DONE.get(action, action), token, people=[account.id])
        if action == "invite" and account.active:
            secrets = {account: invite(session, account)}
            return _people_page(request, session, evaluation, secrets=secrets)
        if action not in ("deactivate", "activate", "erase"):
            raise HTTPException(404, "There is no such page.")
        if account.id == user.account.id:
            raise InputError("you cannot end your own access", hint="ask another organizer")
        account.active = action == "activate"
        if action == "erase":
            erase_account(session, account)
        if not account.active:
            end_visits(session, account)
    return go_to(f"/evaluations/{token}/people")


def _people_page(
    request: Request,
    session: Session,
    evaluation: Evaluation,
    *,
    secrets: dict[Account, str] | None = None,
    error: InputError | None = None,
) -> HTMLResponse:
    session.flush()
    invited_ids = set(
        session.scalars(select(Invitation.account_id).where(Invitation.used.is_(None)))
    )
    in_evaluation = Assignment.evaluation_id == evaluation.id
    counts = select(Assignment.account_id, func.count()).where(in_evaluation)
    rows = session.execute(counts.group_by(Assignment.account_id))
    assigned_counts = {id: number for id, number in rows}  # noqa: C416
    account_query = select(Account).where(Account.role != ERASED)
    accounts = session.scalars(account_query.order_by(Account.role.desc(), Account.name)).all()
    root = f"{request.url.scheme}://{request.headers.get('host', '')}/invitation/"
    links = {account.name: f"{root}{secret}" for account, secret in (secrets or {}).items()}
    return page(
        request, "people.html", status=422 if error else 200, evaluation=evaluation, tab="People",
        accounts=accounts, waiting=invited_ids, assigned=assigned_counts, links=links,
        error=error,
    )  # fmt: skip


# Guidelines


@router.get("/evaluations/{token}/guidelines")
def list_guidelines(request: Request, user: Reader, store: StoreDep, token: str) -> HTMLResponse:
    """Show the current guidelines."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        texts = guidelines_of(session, evaluation)
        measure_names = [measure.name for measure in Settings.of(evaluation).measures]
        order = [*measure_names, *(name for name in texts if name not in measure_names)]
        return page(
            request, "guidelines.html", evaluation=evaluation, tab="Guidelines",
            guidelines=[texts[name] for name in order if name in texts], rendered=rendered,
            minute=minute,
        )  # fmt: skip


@router.get("/evaluations/{token}/guidelines/{measure:path}")
def show_guideline(
    request: Request, user: Reader, store: StoreDep, token: str, measure: str, version: int = 0
) -> HTMLResponse:
    """Show a guideline to edit, or an old version to read."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        return _guideline_page(request, session, evaluation, measure, version=version)


@router.post("/evaluations/{token}/guidelines/{measure:path}")
def edit_guideline(
    request: Request, user: Organizer, store: StoreDep, token: str, measure: str,
    seen_version: Annotated[int, Form(alias="seen")],
    text: Annotated[str, Form(max_length=100_000)] = "",
) -> Response:  # fmt: skip
    """Add a version."""
    try:
        with store.write() as session:
            evaluation = evaluation_of(session, token)
            or_404(guidelines_of(session, evaluation).get(measure))
            account = session.get_one(Account, user.account.id)
            revise(session, evaluation, measure, text, author=account, seen_version=seen_version)
            record(session, account, "changed a guideline", token, measure=measure)
    except InputError as error:
        with store.read() as session:
            evaluation = evaluation_of(session, token)
            return _guideline_page(request, session, evaluation, measure, error=error, text=text)
    return go_to(f"/evaluations/{token}/guidelines")


def _guideline_page(
    request: Request,
    session: Session,
    evaluation: Evaluation,
    measure: str,
    *,
    version: int = 0,
    error: InputError | None = None,
    text: str | None = None,
) -> HTMLResponse:
    versions = versions_of(session, evaluation, measure)
    matching = (
        (guideline for guideline in versions if guideline.version == version)
        if version
        else iter(versions)
    )
    shown_guideline: Guideline = or_404(next(matching, None))
    authors = {account.id: account.name for account in session.scalars(select(Account))}
    return page(
        request, "guideline.html", status=422 if error else 200, evaluation=evaluation,
        tab="Guidelines", shown=shown_guideline, versions=versions, authors=authors, minute=minute,
        rendered=rendered, error=error, text=shown_guideline.text if text is None else text,
    )  # fmt: skip
