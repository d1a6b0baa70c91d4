"""The page on which an organizer imports a collection, or drops files."""

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import FormData, UploadFile

from pyramidion.collection.formats import all_formats
from pyramidion.errors import PyramidionError
from pyramidion.studio._app import AStore, Organizer, go_to, page
from pyramidion.studio._evaluations import add_evaluation
from pyramidion.studio._store import Store
from pyramidion.studio._uploads import MOST_FILES, Found, read_upload

router = APIRouter(include_in_schema=False)

_FIELDS = ("name", "format", "columns", "measures")


@router.get("/evaluations/new")
def ask_for_files(request: Request, who: Organizer) -> HTMLResponse:
    """Show the form."""
    return _shown(request, dict.fromkeys(_FIELDS, ""))


@router.post("/evaluations/import")
async def take_files(request: Request, who: Organizer, store: AStore) -> Response:
    """Look at files, or import them; nothing is kept of files that cannot be read."""
    # Only now, when it is known who sends them: larger files go to the disk, not to memory.
    async with request.form(max_files=MOST_FILES, max_fields=20) as form:
        return await run_in_threadpool(_taken, request, store, form)


def _taken(request: Request, store: Store, form: FormData) -> Response:
    given = {name: str(form.get(name, ""))[:2000].strip() for name in _FIELDS}
    sent = (one for one in form.getlist("files") if isinstance(one, UploadFile))
    files = [(one.filename or "", one.file) for one in sent]
    try:
        found = read_upload(files, **{name: given[name] for name in _FIELDS[1:]})
    except PyramidionError as error:
        return _shown(request, given, error=error, status=422)
    if form.get("action") != "import":
        return _shown(request, given, found=found)
    with store.write() as session:
        made = add_evaluation(session, found.reading.collection, name=given["name"])
    return go_to(f"/evaluations/{made.token}")


def _shown(
    request: Request,
    given: dict[str, str],
    *,
    found: Found | None = None,
    error: PyramidionError | None = None,
    status: int = 200,
) -> HTMLResponse:
    formats = {one.name: one.title for one in all_formats()}
    # In words what was recognized.
    names = found.reading.format.split(", ") if found else ()
    return page(
        request, "import.html", status=status, given=given, found=found, error=error,
        formats=formats.items(), title="; ".join(formats[name] for name in names),
    )  # fmt: skip
