"""The page that imports collections."""

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import FormData, UploadFile

from pyramidion.collection.formats import all_formats
from pyramidion.errors import PyramidionError
from pyramidion.studio._app import Organizer, StoreDep, Visitor, go_to, page
from pyramidion.studio._evaluations import Settings, add_evaluation, default_settings
from pyramidion.studio._scales import parse_measures
from pyramidion.studio._store import Store, record
from pyramidion.studio._uploads import MAX_FILES, UploadReading, read_upload

router = APIRouter(include_in_schema=False)

_FIELDS = ("name", "judged", "format", "columns", "measures")
_READ_AS = _FIELDS[2:]


@router.get("/evaluations/new")
def ask_for_files(request: Request, user: Organizer) -> HTMLResponse:
    """Show the form."""
    return _import_page(request, dict.fromkeys(_FIELDS, ""))


@router.post("/evaluations/import")
async def take_files(request: Request, user: Organizer, store: StoreDep) -> Response:
    """Check files, or import them completely or not at all."""
    # Read after the login was checked; large files go to disk.
    async with request.form(max_files=MAX_FILES, max_fields=20) as form:
        return await run_in_threadpool(_handle_upload, request, store, user, form)


def _handle_upload(request: Request, store: Store, user: Visitor, form: FormData) -> Response:
    fields = {name: str(form.get(name, ""))[:2000].strip() for name in _FIELDS}
    sent_files = (file for file in form.getlist("files") if isinstance(file, UploadFile))
    files = [(upload.filename or "", upload.file) for upload in sent_files]
    try:
        chosen_measures = parse_measures(fields["judged"])
        upload = read_upload(files, **{name: fields[name] for name in _READ_AS})
        settings = default_settings(upload.reading.collection, chosen_measures)
    except PyramidionError as error:
        return _import_page(request, fields, error=error, status=422)
    if form.get("action") != "import":
        return _import_page(request, fields, upload=upload, settings=settings)
    with store.write() as session:
        collection = upload.reading.collection
        evaluation = add_evaluation(session, collection, name=fields["name"], settings=settings)
        record(session, user.account, "imported", evaluation.token, name=evaluation.name)
    return go_to(f"/evaluations/{evaluation.token}")


def _import_page(
    request: Request,
    fields: dict[str, str],
    *,
    upload: UploadReading | None = None,
    settings: Settings | None = None,
    error: PyramidionError | None = None,
    status: int = 200,
) -> HTMLResponse:
    formats = {format.name: format.title for format in all_formats()}
    names = upload.reading.format.split(", ") if upload else ()
    return page(
        request, "import.html", status=status, fields=fields, upload=upload, error=error,
        settings=settings,
        formats=formats.items(), title="; ".join(formats[name] for name in names),
    )  # fmt: skip
