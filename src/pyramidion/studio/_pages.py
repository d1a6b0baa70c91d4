"""Pages for everybody: login, invitations, and the start page."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import select

from pyramidion.errors import InputError
from pyramidion.studio._accounts import (
    MAX_DELAY,
    Attempts,
    accept,
    account_named,
    begin_visit,
    end_visits,
    invited,
    log_in,
    open_group,
    register,
)
from pyramidion.studio._app import (
    COOKIE,
    COOKIE_BEFORE,
    CurrentUser,
    StoreDep,
    current_visit,
    earlier_visit,
    go_to,
    or_404,
    page,
)
from pyramidion.studio._assigning import give_work
from pyramidion.studio._exports import minute
from pyramidion.studio._progress import summaries_of
from pyramidion.studio._store import Account, Evaluation, RegistrationLink, Store, folded, record
from pyramidion.studio._work import Work, work_of

router = APIRouter(include_in_schema=False)

_UNSAFE = "You can log in here only over HTTPS, which protects your password. Ask the organizer."


def _logged_in(request: Request, token: str, account: Account, path: str = "/") -> Response:
    """Set the cookie of a visit; over a network it needs HTTPS.

    Somebody else's visit in this browser goes on after the new one.
    """
    response = go_to(path)
    cookies, visit = {COOKIE: token}, current_visit(request)
    if visit is not None and visit.account_id != account.id:
        cookies[COOKIE_BEFORE] = request.cookies[COOKIE]
    for name, value in cookies.items():
        _set_cookie(request, response, name, value)
    return response


def _set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    is_secure = request.url.scheme == "https" or not _is_local(request)
    response.set_cookie(name, value, httponly=True, samesite="lax", secure=is_secure, path="/")


def _is_local(request: Request) -> bool:
    return request.url.hostname in ("127.0.0.1", "localhost", "::1")


def _can_be_overheard(request: Request) -> bool:
    """Return whether the connection is not encrypted, so that browsers refuse the cookie."""
    return request.url.scheme != "https" and not _is_local(request)


@router.get("/")
def start(request: Request, user: CurrentUser, store: StoreDep) -> HTMLResponse:
    """Show organizers and readers the evaluations, and assessors their work."""
    with store.read() as session:
        if user.is_reader:
            rows = session.scalars(select(Evaluation).order_by(Evaluation.id)).all()
            return page(
                request, "evaluations.html", work=work_of(session, user.account),
                summaries=summaries_of(session), minute=minute,
                evaluations=[row for row in rows if row.state == "active"],
                archived=[row for row in rows if row.state == "archived"],
            )  # fmt: skip
        return page(request, "work.html", work=work_of(session, user.account))


@router.get("/health")
def health(store: StoreDep) -> dict[str, str]:
    """Answer monitors; an unreachable database is an error."""
    with store.read() as session:
        session.scalar(select(1))
    return {"status": "ok"}


@router.get("/login")
def ask_to_log_in(request: Request) -> Response:
    """Show the login form."""
    if current_visit(request) is not None:
        return go_to("/")
    error = _UNSAFE if _can_be_overheard(request) else ""
    return page(request, "login.html", error=error, name="")


@router.post("/login")
async def try_to_log_in(
    request: Request,
    store: StoreDep,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> Response:
    """Begin a visit, or report that name or password is wrong; slower after several mistakes."""
    attempts: Attempts = request.app.state.attempts
    address = request.client.host if request.client else ""
    source = (address, folded(name[:100]))
    seconds = attempts.delay(source)
    if seconds > MAX_DELAY:
        text = "Too many attempts at once. Wait a minute and try again."
        raise HTTPException(429, text, {"Retry-After": "60"})
    await asyncio.sleep(seconds)
    response = await run_in_threadpool(_log_in, request, store, name, password)
    if response.status_code == 303:
        attempts.forget(source)
    return response


def _log_in(request: Request, store: Store, name: str, password: str) -> Response:
    with store.read() as session:  # writers do not wait for the hash
        account = log_in(session, name, password)
        person = account_named(session, name)
    if account is None and person is not None:
        with store.write() as session:
            record(session, person, "was refused a login")
    if account is None:
        message = "Name or password is wrong."
        return page(request, "login.html", status=403, error=message, name=name)
    with store.write() as session:
        token = begin_visit(session, account)
        record(session, account, "logged in")
    return _logged_in(request, token, account)


@router.post("/logout")
def log_out(request: Request, user: CurrentUser, store: StoreDep) -> Response:
    """End the visits of a person; whoever was logged in here before is logged in again."""
    with store.write() as session:
        account = session.get_one(Account, user.account.id)
        end_visits(session, account)
    visit = earlier_visit(request)
    response = go_to("/" if visit else "/login")
    response.delete_cookie(COOKIE_BEFORE if visit else COOKIE)
    if visit:
        _set_cookie(request, response, COOKIE, request.cookies[COOKIE_BEFORE])
    return response


@router.get("/enter/{token}")
def enter(request: Request, store: StoreDep, token: str) -> Response:
    """Log in by a link without a password; only a demonstration has such links."""
    id = or_404(request.app.state.entries.get(token))
    with store.write() as session:
        account = session.get_one(Account, id)
        cookie = begin_visit(session, account)
    return _logged_in(request, cookie, account)


@router.get("/invitation/{token}")
def show_invitation(request: Request, store: StoreDep, token: str) -> HTMLResponse:
    """Ask an invited person for a password."""
    with store.read() as session:
        account = invited(session, token)
    if account is None:
        raise HTTPException(404, "This link is no longer valid. Ask the organizer for a new one.")
    return page(request, "invitation.html", account=account, error="")


@router.post("/invitation/{token}")
def take_invitation(
    request: Request, store: StoreDep, token: str, name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> Response:  # fmt: skip
    """Set the password, and begin a visit."""
    try:
        with store.write() as session:
            account = accept(session, token, password, name=name)
            record(session, account, "chose a password")
            cookie = begin_visit(session, account)
            work = work_of(session, account)
    except InputError as error:
        with store.read() as session:
            person = invited(session, token)
        if person is None:
            raise HTTPException(404, f"{error}.") from None
        return page(request, "invitation.html", status=422, account=person, error=str(error))
    return _logged_in(request, cookie, account, _first_page(account, work))


def _first_page(account: Account, work: list[Work]) -> str:
    only_work = len(work) == 1 and work[0].is_open and account.role == "assessor"
    return work[0].address if only_work else "/"


@router.get("/join/{token}")
def show_group(request: Request, store: StoreDep, token: str) -> HTMLResponse:
    """Show what the members of a group agree to, and ask for a pseudonym and a password."""
    with store.read() as session:
        return _group_page(request, open_group(session, token))


@router.post("/join/{token}")
def join(
    request: Request, store: StoreDep, token: str, name: Annotated[str, Form()],
    password: Annotated[str, Form()], agreed: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Register somebody who agrees, and assign their share of the work."""
    try:
        with store.write() as session:
            group = open_group(session, token)
            if group is None:
                return _group_page(request, group)
            if not agreed:
                raise InputError("you have not agreed to the text", hint="tick the box")
            account = register(session, group, name, password)
            evaluation = session.get_one(Evaluation, group.evaluation_id)
            if not give_work(session, group, account):
                hint = "thank you, but no more participants are needed at the moment"
                raise InputError("all work is assigned", hint=hint)
            record(session, account, "joined a group", evaluation.token, group=group.id)
            cookie, work = begin_visit(session, account), work_of(session, account)
    except InputError as error:
        with store.read() as session:
            return _group_page(request, open_group(session, token), name=name, error=str(error))
    return _logged_in(request, cookie, account, _first_page(account, work))


def _group_page(
    request: Request, group: RegistrationLink | None, *, name: str = "", error: str = ""
) -> HTMLResponse:
    if group is None:
        message = "This link is closed, or enough people have registered."
        raise HTTPException(404, message)
    return page(
        request, "join.html", status=422 if error else 200, group=group, name=name, error=error
    )
