"""A backup of everything that can be restored into any database: JSON tables in a ZIP file.

Invitations and visits are omitted: they are secrets, and they expire.
"""

import base64
import json
import time
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from sqlalchemy import LargeBinary, func, insert, select, text
from sqlalchemy import Table as Columns
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

import pyramidion
from pyramidion.errors import InputError, Where
from pyramidion.files.inputs import max_unpacked
from pyramidion.studio._store import Account, Base, Evaluation, Invitation, Store, Visit

_FORMAT = 1
# Older backups, which lack only tables that may be empty and columns with a default.
_OLDER = ("0001", "0002", "0003")
_MANIFEST = "backup.json"
# Rows per INSERT statement.
_ROWS_PER_INSERT = 500
_SECRETS = {Invitation.__tablename__, Visit.__tablename__}


def _tables() -> Iterator[Columns]:
    """Return the tables, referenced ones first."""
    return (table for table in Base.metadata.sorted_tables if table.name not in _SECRETS)


def _revision(session: Session) -> str:
    return str(session.execute(text("SELECT version_num FROM alembic_version")).scalar_one())


def dump(store: Store, target: IO[bytes]) -> None:
    """Write a consistent backup while others continue to work."""
    with store.read() as session, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        if store.engine.dialect.name != "sqlite":
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        manifest = {
            "format": _FORMAT, "revision": _revision(session), "made": time.time(),
            "version": pyramidion.__version__,
        }  # fmt: skip
        archive.writestr(_MANIFEST, json.dumps(manifest))
        for table in _tables():
            rows = session.execute(select(table).order_by(*table.primary_key)).mappings()
            with archive.open(f"{table.name}.jsonl", "w") as lines:
                for row in rows:
                    lines.write(json.dumps(dict(row), default=_text).encode() + b"\n")


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()


def restore(store: Store, path: str | Path) -> int:
    """Restore a backup into a new database, completely or not at all; return the number of rows."""
    with store.write() as session:
        if session.scalar(select(Account)) or session.scalar(select(Evaluation)):
            raise InputError(
                "this database is not empty", where=Where(store.shown),
                hint="name a new one with --database",
            )  # fmt: skip
        try:
            with zipfile.ZipFile(path) as archive:
                _require_small(archive, path)
                is_older = _require_ours(archive, session, path) in _OLDER
                rows = sum(_fill(session, archive, table, is_older=is_older) for table in _tables())
        except (
            OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError,
            SQLAlchemyError,
        ) as error:  # fmt: skip
            lines = str(error).splitlines()[0:1] or [type(error).__name__]
            message = f"this backup cannot be read ({lines[0]})"
            raise InputError(message, "choose another one", where=Where(path)) from None
    return rows


def _require_small(archive: zipfile.ZipFile, path: str | Path) -> None:
    """Refuse an archive that unpacks to far more than its size suggests."""
    limit = max_unpacked(Path(path).stat().st_size)
    if sum(entry.file_size for entry in archive.infolist()) > limit:
        raise InputError(
            f"it unpacks to more than {limit >> 20} MiB",
            where=Where(path),
            hint="choose another one",
        )


def _require_ours(archive: zipfile.ZipFile, session: Session, path: str | Path) -> str:
    """Return the version of a backup's tables; refuse one that does not fit."""
    manifest = json.loads(archive.read(_MANIFEST))
    if manifest["format"] != _FORMAT or manifest["revision"] not in (_revision(session), *_OLDER):
        raise InputError(
            f"this backup was made by Pyramidion {manifest['version']}, whose tables differ",
            where=Where(path), hint="restore it with that version",
        )  # fmt: skip
    return str(manifest["revision"])


def _fill(session: Session, archive: zipfile.ZipFile, table: Columns, *, is_older: bool) -> int:
    rows = 0
    if is_older and f"{table.name}.jsonl" not in archive.namelist():
        return rows
    with archive.open(f"{table.name}.jsonl") as lines:
        stored_rows = (_row(table, line) for line in lines)
        while batch := list(islice(stored_rows, _ROWS_PER_INSERT)):
            session.execute(insert(table), batch)
            rows += len(batch)
    if session.get_bind().dialect.name == "postgresql":
        # Otherwise the next row would get an id that is in use.
        last_id = select(func.max(table.c.id)).scalar_subquery()
        sequence = func.pg_get_serial_sequence(table.name, "id")
        session.execute(select(func.setval(sequence, func.coalesce(last_id, 1))))
    return rows


def _row(table: Columns, line: bytes) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    binary_columns = (
        column.name for column in table.columns if isinstance(column.type, LargeBinary)
    )
    return row | {name: base64.b64decode(row[name], validate=True) for name in binary_columns}
