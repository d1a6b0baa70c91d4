"""Pages for everybody: logging in, invitations, and where one begins."""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import select

from pyramidion.errors import InputError
from pyramidion.studio._accounts import Attempts, accept, begin_visit, end_visits, invited, log_in
from pyramidion.studio._app import COOKIE, AnyVisitor, AStore, go_to, page
from pyramidion.studio._judging import work_of
from pyramidion.studio._store import Account, Evaluation

router = APIRouter(include_in_schema=False)

_UNSAFE = "One can log in here only by HTTPS, so that nobody listens in. Ask the organizer."


def _count(request: Request, name: str) -> None:
    """Refuse whoever tried too often, by address and by name."""
    attempts: Attempts = request.app.state.attempts
    address = request.client.host if request.client else ""
    # Both are counted, whatever the first one says.
    if not all([attempts.allowed(f"from {address}"), attempts.allowed(f"as {name.lower()}")]):
        raise HTTPException(429, "Too many attempts. Wait five minutes and try again.")


def _logged_in(request: Request, response: Response, token: str) -> Response:
    """Hand over the cookie of a visit; over a network it needs HTTPS."""
    secure = request.url.scheme == "https" or not _is_local(request)
    response.set_cookie(COOKIE, token, httponly=True, samesite="lax", secure=secure, path="/")
    return response


def _is_local(request: Request) -> bool:
    return request.url.hostname in ("127.0.0.1", "localhost", "::1")


def _can_be_overheard(request: Request) -> bool:
    """Tell whether a browser would not keep the cookie, since others could read it."""
    return request.url.scheme != "https" and not _is_local(request)


@router.get("/")
def start(request: Request, who: AnyVisitor, store: AStore) -> HTMLResponse:
    """Show an organizer the evaluations, and an assessor the work."""
    with store.read() as session:
        if who.is_organizer:
            evaluations = session.scalars(select(Evaluation).order_by(Evaluation.id)).all()
            return page(request, "evaluations.html", evaluations=evaluations)
        return page(request, "work.html", work=work_of(session, who.account))


@router.get("/login")
def ask_to_log_in(request: Request) -> HTMLResponse:
    """Show the form."""
    error = _UNSAFE if _can_be_overheard(request) else ""
    return page(request, "login.html", error=error, name="")


@router.post("/login")
def try_to_log_in(
    request: Request, store: AStore, name: Annotated[str, Form()], password: Annotated[str, Form()]
) -> Response:
    """Begin a visit, or say that name or password is wrong, and not which."""
    _count(request, name)
    with store.write() as session:
        account = log_in(session, name, password)
        token = begin_visit(session, account) if account else ""
    if not token:
        wrong = "Name or password is wrong."
        return page(request, "login.html", status=403, error=wrong, name=name)
    request.app.state.attempts.forget(f"as {name.lower()}")
    return _logged_in(request, go_to("/"), token)


@router.post("/logout")
def log_out(who: AnyVisitor, store: AStore) -> Response:
    """End the visits of a person."""
    with store.write() as session:
        account = session.get_one(Account, who.account.id)
        end_visits(session, account)
    response = go_to("/login")
    response.delete_cookie(COOKIE)
    return response


@router.get("/invitation/{token}")
def show_invitation(request: Request, store: AStore, token: str) -> HTMLResponse:
    """Ask an invited person for a password."""
    with store.read() as session:
        account = invited(session, token)
    if account is None:
        raise HTTPException(404, "This link is no longer good. Ask the organizer for a new one.")
    return page(request, "invitation.html", account=account, error="")


@router.post("/invitation/{token}")
def take_invitation(
    request: Request,
    store: AStore,
    token: str,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> Response:
    """Set the password, and begin a visit."""
    _count(request, "invitation")
    try:
        with store.write() as session:
            cookie = begin_visit(session, accept(session, token, password, name=name))
    except InputError as error:
        with store.read() as session:
            account = invited(session, token)
        if account is None:
            raise HTTPException(404, f"{error}.") from None
        return page(request, "invitation.html", status=422, account=account, error=str(error))
    return _logged_in(request, go_to("/"), cookie)
