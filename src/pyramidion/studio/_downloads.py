"""The page of exports and backups."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.background import BackgroundTask

from pyramidion.studio._app import Organizer, Reader, StoreDep, evaluation_of, or_404, page
from pyramidion.studio._backup import dump
from pyramidion.studio._evaluations import imported_collection
from pyramidion.studio._exports import (
    collection_zip,
    events_csv,
    guidelines_zip,
    mode_csv,
    pyramids_zip,
    scores_csv,
)
from pyramidion.studio._modes import MODES
from pyramidion.studio._store import Assignment, BoardChange, BoardRow, Evaluation, Event, record

router = APIRouter(include_in_schema=False)

_Export = Callable[[Session, Evaluation], bytes]

#: Exports: the function, the media type, and a description.
EXPORTS: dict[str, tuple[_Export, str, str]] = {
    "collection.zip": (
        collection_zip, "application/zip",
        "The complete collection folder: unpack it and read it with pyramidion.",
    ),
    "scores.csv": (scores_csv, "text/csv", "The long table of scores, one row per judgment."),
    "pyramids.zip": (
        pyramids_zip, "application/zip",
        "Pyramids (.pyr) and annotated summaries (.pan) of DUCView.",
    ),
    "events.csv": (
        events_csv, "text/csv", "Every action with its author and time, including what was later "
        "changed or withdrawn, comments, and the version of the guidelines.",
    ),
    **{
        file: (partial(mode_csv, file=file), "text/csv", description)
        for file, description in {
            "preferences.csv": "Choices between two summaries, for pyramidion preferences.",
            "checklists.csv": "Answers about content units, for pyramidion checklists.",
            "statements.csv": "Labels of statements, for pyramidion faithful --labels.",
        }.items()
    },
    "guidelines.zip": (guidelines_zip, "application/zip", "Every version of the guidelines."),
}  # fmt: skip


@router.get("/evaluations/{token}/export")
def list_exports(request: Request, user: Reader, store: StoreDep, token: str) -> HTMLResponse:
    """List the exports."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        empty_exports = _empty(session, evaluation)
        exports = [
            (name, description, name in empty_exports)
            for name, (_, _, description) in EXPORTS.items()
        ]
        return page(request, "export.html", evaluation=evaluation, tab="Export", exports=exports)


def _empty(session: Session, evaluation: Evaluation) -> set[str]:
    """Name the exports that would be empty, without creating them."""
    imported_data = imported_collection(session, evaluation)
    submitted_query = select(Event.id).join(Event.assignment).where(
        Assignment.evaluation_id == evaluation.id, Assignment.kind == "judge",
        Event.kind == "submit",
    )  # fmt: skip
    change_ids = select(BoardChange.id).join(BoardRow, BoardRow.id == BoardChange.board_id)
    edits = change_ids.where(BoardRow.evaluation_id == evaluation.id)
    contents = {
        "scores.csv": len(imported_data.scores) or session.scalar(submitted_query.limit(1)),
        "pyramids.zip": imported_data.pyramids or session.scalar(edits.limit(1)),
    }
    in_modes = select(Assignment.kind).join(Event, Event.assignment_id == Assignment.id).where(
        Assignment.evaluation_id == evaluation.id, Event.kind == "submit"
    )  # fmt: skip
    used_files = {
        MODES[kind].file for kind in session.scalars(in_modes.distinct()) if kind in MODES
    }
    contents |= {mode.file: mode.file in used_files for mode in MODES.values()}
    return {name for name, has_rows in contents.items() if not has_rows}


@router.get("/evaluations/{token}/export/{name}")
def export(user: Reader, store: StoreDep, token: str, name: str) -> Response:
    """Send an export."""
    build, kind, _ = or_404(EXPORTS.get(name))
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        content = build(session, evaluation)
    with store.write() as session:
        record(session, user.account, "exported", token, name=name)
    return Response(content, media_type=kind, headers=as_file(f"{_slug(evaluation.name)}-{name}"))


@router.get("/evaluations/{token}/backup")
def backup(user: Organizer, store: StoreDep, token: str) -> FileResponse:
    """Send a backup of the whole studio."""
    with store.write() as session:
        evaluation_of(session, token)
        record(session, user.account, "made a backup")
    with NamedTemporaryFile(prefix="pyramidion-", suffix=".zip", delete=False) as file:
        try:
            dump(store, file)
        except BaseException:
            Path(file.name).unlink()
            raise
    day = datetime.now(UTC).date().isoformat()
    remove = BackgroundTask(Path(file.name).unlink, missing_ok=True)
    return FileResponse(
        file.name, media_type="application/zip", background=remove,
        headers=as_file(f"studio-{day}.backup.zip"),
    )  # fmt: skip


def as_file(name: str) -> dict[str, str]:
    """Return the headers of a file to save."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "evaluation"
