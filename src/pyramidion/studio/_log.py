"""The audit log: a page, and a table to download."""

import json
from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pyramidion.studio._app import Organizer, StoreDep, page
from pyramidion.studio._downloads import as_file
from pyramidion.studio._exports import iso_time, minute, to_csv
from pyramidion.studio._store import Account, AuditEntry, Evaluation

router = APIRouter(include_in_schema=False)

_COLUMNS = ("time", "person", "action", "evaluation", "details")
_MAX_SHOWN = 200


def _entries(session: Session, evaluation: str, limit: int | None) -> Iterator[dict[str, Any]]:
    """Return actions, newest first, with today's names of people and evaluations."""
    names = {account.id: account.name for account in session.scalars(select(Account))}
    rows = session.execute(select(Evaluation.token, Evaluation.name)).all()
    titles: dict[str, str] = {token: name for token, name in rows}  # noqa: C416
    query = select(AuditEntry).order_by(AuditEntry.id.desc()).limit(limit)
    for row in session.scalars(
        query.where(AuditEntry.evaluation == evaluation) if evaluation else query
    ):
        data = dict(row.data)
        if "people" in data:
            data["people"] = [names.get(id, "") for id in data["people"]]
        yield {
            "time": row.at, "person": names.get(row.account_id or 0, ""),
            "action": row.action, "evaluation": titles.get(row.evaluation, row.evaluation),
            "details": data,
        }  # fmt: skip


def _as_json(details: dict[str, Any]) -> str:
    return json.dumps(details, ensure_ascii=False) if details else ""


@router.get("/log")
def show_log(
    request: Request, user: Organizer, store: StoreDep, evaluation: str = ""
) -> HTMLResponse:
    """Show the last actions, of all evaluations or of one."""
    with store.read() as session:
        count_query = select(func.count()).select_from(AuditEntry)
        if evaluation:
            count_query = count_query.where(AuditEntry.evaluation == evaluation)
        return page(
            request, "log.html", rows=list(_entries(session, evaluation, _MAX_SHOWN)),
            chosen=evaluation, total=session.scalar(count_query), minute=minute,
        )  # fmt: skip


@router.get("/log.csv")
def export_log(user: Organizer, store: StoreDep, evaluation: str = "") -> Response:
    """Send the whole log as a table."""
    with store.read() as session:
        rows = (
            {**row, "time": iso_time(row["time"])[:19], "details": _as_json(row["details"])}
            for row in _entries(session, evaluation, None)
        )
        content = to_csv(_COLUMNS, rows)
    return Response(content, media_type="text/csv", headers=as_file("audit-log.csv"))
