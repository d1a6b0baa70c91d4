"""The web application: checks of every request, and rendering of every page."""

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from secrets import compare_digest
from typing import Annotated, Any, TypeVar

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, OperationalError, TimeoutError
from sqlalchemy.orm import Session
from starlette.exceptions import HTTPException as StarletteHTTPException

import pyramidion
from pyramidion.errors import InputError, PyramidionError, visible
from pyramidion.rendering.assets import PAGE_FOLDER
from pyramidion.studio._accounts import Attempts, visit_of
from pyramidion.studio._store import Account, Evaluation, Store, Visit

Row = TypeVar("Row")

#: The cookie of a visit, and of the visit that continues after it in the same browser.
COOKIE, COOKIE_BEFORE = "pyramidion", "pyramidion-before"

#: Maximum size of a request, and of an upload, in bytes.
MAX_BYTES, MAX_UPLOADED = 2 * 2**20, 256 * 2**20

_LOG = logging.getLogger(__name__)
_HERE = Path(__file__).parent
_ROUTERS = (
    "_pages", "_setup", "_judging", "_editor", "_adjudication", "_results", "_items", "_log",
    "_training",
)  # fmt: skip

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_TEMPLATES = Environment(
    loader=FileSystemLoader(_HERE / "templates"),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals["zip"] = zip


class NotLoggedInError(Exception):
    """The request needs a login."""


@dataclass(frozen=True)
class Visitor:
    """The person who makes a request."""

    account: Account
    csrf: str

    @property
    def is_organizer(self) -> bool:
        """Whether the person may see and do everything."""
        return self.account.role == "organizer"

    @property
    def is_reader(self) -> bool:
        """Whether the person may see progress, data and results."""
        return self.account.role in ("organizer", "reader")


def store_of(request: Request) -> Store:
    """Return the application's database."""
    store: Store = request.app.state.store
    return store


def current_visit(request: Request) -> Visit | None:
    """Return the visit of the request's cookie; looked up once."""
    if not hasattr(request.state, "visit"):
        request.state.visit = _visit_by(request, COOKIE)
    visit: Visit | None = request.state.visit
    return visit


def earlier_visit(request: Request) -> Visit | None:
    """Return the visit that continues when the current one ends."""
    return _visit_by(request, COOKIE_BEFORE)


def _visit_by(request: Request, cookie: str) -> Visit | None:
    token = request.cookies.get(cookie, "")
    if not token:
        return None
    with store_of(request).read() as session:
        visit = visit_of(session, token)
        if visit is not None:
            _ = visit.account.name  # loaded while the session is open
        return visit


def _may_be_long(scope: Any) -> bool:
    """Return whether a request may carry files."""
    return bool(scope["path"] == "/evaluations/import")


async def _same_origin(request: Request) -> None:
    """Refuse requests from other sites, and those without the CSRF token of the visit."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    origin = request.headers.get("origin")
    if origin not in (None, f"{request.url.scheme}://{request.headers.get('host', '')}"):
        raise HTTPException(403, "This request came from another site.")
    kind = request.headers.get("content-type", "").lower()
    if (
        "charset" in kind and "utf-8" not in kind
    ):  # other encodings may give text that cannot be encoded
        raise HTTPException(415, "Forms must be UTF-8.")
    visit = await run_in_threadpool(current_visit, request)
    if visit is None:
        return
    csrf = request.headers.get("x-csrf-token")
    if csrf is None and "form" in kind:
        if _may_be_long(request.scope) and visit.account.role != "organizer":
            raise HTTPException(404, "There is no such page.")  # before it is read
        csrf = str((await request.form()).get("csrf", ""))
    if not compare_digest((csrf or "").encode(), visit.csrf.encode()):
        await request.close()  # removes the files of a form
        raise HTTPException(403, "This page is out of date. Reload it and try again.")


def current_user(request: Request) -> Visitor:
    """Return the person who makes the request, or require a login."""
    visit = current_visit(request)
    if visit is None:
        raise NotLoggedInError
    return Visitor(visit.account, visit.csrf)


def organizer(user: Annotated[Visitor, Depends(current_user)]) -> Visitor:
    """Return the organizer who makes the request; for others the page does not exist."""
    if not user.is_organizer:
        raise HTTPException(404, "There is no such page.")
    return user


def reader(user: Annotated[Visitor, Depends(current_user)]) -> Visitor:
    """Return the organizer or reader who makes the request; for others the page does not exist."""
    if not user.is_reader:
        raise HTTPException(404, "There is no such page.")
    return user


#: Parameters of routes.
CurrentUser = Annotated[Visitor, Depends(current_user)]
Organizer = Annotated[Visitor, Depends(organizer)]
Reader = Annotated[Visitor, Depends(reader)]
StoreDep = Annotated[Store, Depends(store_of)]


def evaluation_of(session: Session, token: str) -> Evaluation:
    """Find an evaluation by its token."""
    return or_404(session.scalar(select(Evaluation).where(Evaluation.token == token)))


def or_404(row: Row | None) -> Row:
    """Return a value, or answer 404 if it is missing."""
    if row is None:
        raise HTTPException(404, "There is no such page.")
    return row


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a page; templates get the user, the path and the version."""
    visit = current_visit(request)
    user = Visitor(visit.account, visit.csrf) if visit else None
    earlier_time = earlier_visit(request) if user else None
    html = _TEMPLATES.get_template(template).render(
        user=user,
        before=earlier_time.account.name if earlier_time else "",
        path=request.url.path,
        version=pyramidion.__version__,
        **values,
    )
    return HTMLResponse(html, status)


def go_to(path: str) -> RedirectResponse:
    """Redirect to another page after a form."""
    return RedirectResponse(path, status_code=303)


def create_app(store: Store) -> FastAPI:
    """Create the web application of a database.

    Parameters
    ----------
    store
        The database; `Store.upgrade` creates its tables.

    Examples
    --------
    >>> store = Store("sqlite://")
    >>> store.upgrade()
    >>> create_app(store).title
    'Pyramidion studio'
    """
    app = FastAPI(
        title="Pyramidion studio",
        version=pyramidion.__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        dependencies=[Depends(_same_origin)],
    )
    app.state.store = store
    app.state.attempts = Attempts()
    app.state.entries = dict[str, int]()  # account ids by link; a demonstration adds some
    # Pages of results use the style and script of reports.
    app.mount("/static/report", StaticFiles(directory=PAGE_FOLDER), name="report")
    app.mount("/static", StaticFiles(directory=_HERE / "static"), name="static")
    for name in _ROUTERS:
        app.include_router(import_module(f"pyramidion.studio.{name}").router)
    app.add_exception_handler(NotLoggedInError, _log_in_first)
    app.add_exception_handler(StarletteHTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(PyramidionError, _bad_input)
    for kind in (OperationalError, IntegrityError, TimeoutError):
        app.add_exception_handler(kind, _busy)
    app.add_middleware(_Guard)
    return app


def _is_api(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def _error_response(request: Request, status: int, error: str, hint: str = "") -> Response:
    """Report an error: as JSON to programs, as a page to people."""
    if _is_api(request):
        return JSONResponse({"error": error, "hint": hint}, status)
    return page(request, "error.html", status=status, error=error, hint=hint)


def _log_in_first(request: Request, _error: Exception) -> Response:
    if _is_api(request):
        return _error_response(request, 401, "You are not logged in.", "Log in and try again.")
    return go_to("/login")


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, StarletteHTTPException)
    text = "There is no such page." if error.detail == "Not Found" else str(error.detail)
    return _error_response(request, error.status_code, text)


def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first_error = error.errors()[0]
    part_name, *names = map(str, first_error["loc"])
    if first_error["type"] == "missing" and part_name == "query":
        hint = "follow the link on the previous page"
        return _error_response(request, 422, f"This address lacks {'.'.join(names)}.", hint)
    field = ".".join((part_name, *names))
    return _error_response(request, 422, visible(f"{field}: {first_error['msg']}"))


def _bad_input(request: Request, error: Exception) -> Response:
    if not isinstance(error, InputError):
        return _error_response(request, 422, visible(str(error)))
    prefix = f"{error.where}: " if error.where else ""
    return _error_response(
        request, 422, visible(f"{prefix}{error.what}"), visible(error.hint or "")
    )


def _busy(request: Request, error: Exception) -> Response:
    """Report that the database is busy or its disk is full; the request can be repeated."""
    _LOG.error("the database refused a request", exc_info=error)
    original_error = getattr(error, "orig", None)
    if "disk is full" in str(original_error) or getattr(original_error, "sqlstate", "") == "53100":
        text = "The disk of the studio is full: nothing was stored."
        return JSONResponse({"error": text, "hint": "Tell the organizer."}, 507)
    text, hint = "The database is busy.", "Try again in a moment."
    return JSONResponse({"error": text, "hint": hint}, 503, {"Retry-After": "5"})


Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]


class _Guard:
    """Sets security headers, and refuses requests that are too large."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = MAX_UPLOADED if _may_be_long(scope) else MAX_BYTES
        length = dict(scope["headers"]).get(b"content-length", b"0")
        received, most_taken = 0, limit if length.isdigit() and int(length) <= limit else -1

        async def limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > most_taken:
                raise _TooLongError
            return message

        async def guarded(message: Message) -> None:
            # The handler that read the body may have raised another error.
            if received > most_taken:
                raise _TooLongError
            await send(_add_headers(message, static=scope["path"].startswith("/static/")))

        try:
            if most_taken < 0:
                raise _TooLongError
            await self.app(scope, limited, guarded)
        except _TooLongError:
            message_body = {
                "error": "This is too much data.",
                "hint": f"Send at most {limit >> 20} MB.",
            }
            received, most_taken = 0, limit
            await JSONResponse(message_body, 413)(scope, receive, guarded)


def _add_headers(message: Message, *, static: bool) -> Message:
    """Add the headers that a response does not set itself."""
    if message["type"] == "http.response.start":
        header_names = {name.lower() for name, _ in message["headers"]}
        # Scripts are cached only briefly, because an update may change them.
        headers = {**_HEADERS, "Cache-Control": "max-age=300"} if static else _HEADERS
        message["headers"] += [
            (name.lower().encode(), value.encode())
            for name, value in headers.items()
            if name.lower().encode() not in header_names
        ]
    return message


class _TooLongError(Exception):
    """A request is larger than allowed."""
