"""Pages for everybody: login, invitations, and the start page."""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import select

from pyramidion.errors import InputError
from pyramidion.studio._accounts import (
    Attempts,
    accept,
    begin_visit,
    end_visits,
    folded,
    invited,
    log_in,
)
from pyramidion.studio._app import COOKIE, CurrentUser, StoreDep, go_to, is_logged_in, page
from pyramidion.studio._store import Account, Evaluation
from pyramidion.studio._work import work_of

router = APIRouter(include_in_schema=False)

_UNSAFE = "You can log in here only by HTTPS, which protects your password. Ask the organizer."


def _count(request: Request, name: str = "") -> tuple[str, ...]:
    """Count an attempt by address and by name; refuse too many. Return the counters."""
    attempts: Attempts = request.app.state.attempts
    address = request.client.host if request.client else ""
    tried = (f"from {address}", *([f"as {folded(name[:100])}"] if name else []))
    # A refused address does not count for the name, so it cannot lock others out.
    if not all(map(attempts.allowed, tried)):
        raise HTTPException(429, "Too many attempts. Wait five minutes and try again.")
    return tried


def _logged_in(request: Request, token: str, tried: tuple[str, ...]) -> Response:
    """Set the cookie of a visit; over a network it needs HTTPS."""
    for attempt in tried:  # many people may share one address
        request.app.state.attempts.take_back(attempt)
    response = go_to("/")
    secure = request.url.scheme == "https" or not _is_local(request)
    response.set_cookie(COOKIE, token, httponly=True, samesite="lax", secure=secure, path="/")
    return response


def _is_local(request: Request) -> bool:
    return request.url.hostname in ("127.0.0.1", "localhost", "::1")


def _can_be_overheard(request: Request) -> bool:
    """Return whether the connection is not encrypted, so that browsers refuse the cookie."""
    return request.url.scheme != "https" and not _is_local(request)


@router.get("/")
def start(request: Request, user: CurrentUser, store: StoreDep) -> HTMLResponse:
    """Show organizers their evaluations, and assessors their work."""
    with store.read() as session:
        if user.is_organizer:
            evaluations = session.scalars(select(Evaluation).order_by(Evaluation.id)).all()
            return page(request, "evaluations.html", evaluations=evaluations)
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
    if is_logged_in(request):
        return go_to("/")
    error = _UNSAFE if _can_be_overheard(request) else ""
    return page(request, "login.html", error=error, name="")


@router.post("/login")
def try_to_log_in(
    request: Request,
    store: StoreDep,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> Response:
    """Begin a visit, or report that name or password is wrong."""
    tried = _count(request, name)
    with store.read() as session:  # writers do not wait for the hash
        account = log_in(session, name, password)
    if account is None:
        wrong = "Name or password is wrong."
        return page(request, "login.html", status=403, error=wrong, name=name)
    with store.write() as session:
        token = begin_visit(session, account)
    return _logged_in(request, token, tried)


@router.post("/logout")
def log_out(user: CurrentUser, store: StoreDep) -> Response:
    """End the visits of a person."""
    with store.write() as session:
        account = session.get_one(Account, user.account.id)
        end_visits(session, account)
    response = go_to("/login")
    response.delete_cookie(COOKIE)
    return response


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
    tried = _count(request)
    try:
        with store.write() as session:
            cookie = begin_visit(session, accept(session, token, password, name=name))
    except InputError as error:
        with store.read() as session:
            account = invited(session, token)
        if account is None:
            raise HTTPException(404, f"{error}.") from None
        return page(request, "invitation.html", status=422, account=account, error=str(error))
    return _logged_in(request, cookie, tried)
