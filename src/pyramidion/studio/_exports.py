"""Exports of an evaluation: a collection, tables and archives."""

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from pyramidion.collection import Collection, Judgment, Measure, Scale, Scores
from pyramidion.collection.formats import write_scores
from pyramidion.collection.ids import to_spreadsheet
from pyramidion.errors import InputError
from pyramidion.studio._boards import annotated
from pyramidion.studio._evaluations import Settings, imported_collection, packed
from pyramidion.studio._modes import MODES, mode_rows
from pyramidion.studio._scales import JudgedMeasure, imported_values
from pyramidion.studio._sheets import judgment_records
from pyramidion.studio._store import (
    Account,
    Assignment,
    BoardChange,
    BoardRow,
    Evaluation,
    Event,
    Guideline,
    Round,
)

#: Which judgments are meant: all (empty), or only those with which an evaluation began
#: ("imported"), or later ones ("new"), or those of one round ("round-2").
Origin = Annotated[str, Field(pattern=r"^(|imported|new|round-[1-9]\d{0,4})$")]


def current_collection(session: Session, evaluation: Evaluation, origin: Origin = "") -> Collection:
    """Return the imported collection with all submitted judgments and annotations."""
    imported_data = imported_collection(session, evaluation)
    scales = {m.name: _full_scale(imported_data, m) for m in Settings.of(evaluation).ever}
    measures = {name: imported_data.measures.get(name, Measure(human=True)) for name in scales}
    pyramids, peers = annotated(session, evaluation)
    number = origin.partition("-")[2]
    records = judgment_records(session, evaluation, int(number) if number else None)
    new_scores = Scores.from_judgments(_judgments(imported_data, records))
    parts = {"": [imported_data.scores, new_scores], "imported": [imported_data.scores]}
    scaled_measures = {
        name: replace(measure, scale=scales[name]) for name, measure in measures.items()
    }
    return replace(
        imported_data,
        name=evaluation.name,
        scales={**imported_data.scales, **scales},
        measures={**imported_data.measures, **scaled_measures},
        scores=Scores.concatenate(parts.get(origin, [new_scores])),
        pyramids={**imported_data.pyramids, **pyramids},
        peer_annotations={**imported_data.peer_annotations, **peers},
    )


def _full_scale(imported_data: Collection, measure: JudgedMeasure) -> Scale:
    """Return a scale that also allows imported means between the points that can be judged."""
    values = imported_values(imported_data, measure.name)
    scale = measure.scale
    return scale if all(map(scale.allows, values)) else replace(scale, step=0)


def _judgments(imported_data: Collection, records: Iterable[dict[str, Any]]) -> Iterator[Judgment]:
    """Return score rows; a judgment that repeats an imported one gets the next occasion."""
    imported_keys = {_key(row.__getattribute__) for row in imported_data.scores if row.assessor}
    has_numeric_times = any(
        time.replace(".", "", 1).isdigit() for time in imported_data.scores.columns["time"]
    )
    for record in records:
        first_occasion = int(record["occasion"])
        # The first occasion is not named.
        for occasion in (str(number or "") for number in count(first_occasion)):
            row = {**record, "occasion": occasion}
            if _key(row.__getitem__) not in imported_keys:
                break
        imported_keys.add(_key(row.__getitem__))
        time = record["time"]
        row["time"] = str(time) if has_numeric_times else iso_time(time)
        yield Judgment(**row, kind=imported_data.systems.get(record["system"], "machine"))


def _key(value: Any) -> tuple[str, ...]:
    return tuple(map(value, ("task", "topic", "system", "measure", "assessor", "occasion")))


def iso_time(seconds: float) -> str:
    """Format a time as ISO 8601, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def minute(seconds: float) -> str:
    """Format a time for people, in UTC."""
    return iso_time(seconds)[:16].replace("T", " ") + " UTC" if seconds else "–"


def collection_zip(session: Session, evaluation: Evaluation) -> bytes:
    """Pack the collection folder."""
    return packed(current_collection(session, evaluation))


def pyramids_zip(session: Session, evaluation: Evaluation) -> bytes:
    """Pack the pyramids and annotated summaries as DUCView's files."""
    collection = current_collection(session, evaluation)
    if not (collection.pyramids or collection.peer_annotations):
        raise InputError("there are no pyramids yet", hint="build one, or import some")
    return packed(collection, format="ducview")


def scores_csv(session: Session, evaluation: Evaluation) -> bytes:
    """Write the long table of imported and submitted scores."""
    scores = current_collection(session, evaluation).scores
    if not len(scores):
        raise InputError("there are no scores yet", hint="judgments count when they are submitted")
    with TemporaryDirectory() as folder:
        path = Path(folder, "scores.csv")
        write_scores(scores, path)
        return path.read_bytes()


def mode_csv(session: Session, evaluation: Evaluation, file: str) -> bytes:
    """Write the answers of a kind of judging."""
    rows = mode_rows(session, evaluation, file)
    columns = next(mode.columns for mode in MODES.values() if mode.file == file)
    return to_csv(columns, ({**row, "time": iso_time(float(row["time"]))} for row in rows))


def to_csv(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> bytes:
    """Write a table with no cells that a spreadsheet would run as formulas."""
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: to_spreadsheet(value) for name, value in row.items()})
    return buffer.getvalue().encode("utf-8", "replace")


def guidelines_zip(session: Session, evaluation: Evaluation) -> bytes:
    """Pack every version of every guideline."""
    buffer = io.BytesIO()
    query = select(Guideline).where(Guideline.evaluation_id == evaluation.id)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for guideline in session.scalars(query.order_by(Guideline.id)):
            archive.writestr(f"{guideline.measure}-{guideline.version}.md", guideline.text)
    return buffer.getvalue()


_DATA = ("measure", "value", "guideline", "seconds")
_EVENT_COLUMNS = (
    "time", "person", "work", "round", "task", "topic", "system", "occasion", "place", "event",
    *_DATA, "details",
)  # fmt: skip


def events_csv(session: Session, evaluation: Evaluation) -> bytes:
    """Write every action with its person and time."""
    entries = (*_events(session, evaluation), *_changes(session, evaluation))
    rows = sorted(entries, key=itemgetter("time"))
    return to_csv(_EVENT_COLUMNS, ({**row, "time": iso_time(row["time"])} for row in rows))


def _events(session: Session, evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    names = ("work", "round", "task", "topic", "system", "occasion", "place", "event")
    query = (
        select(
            Event.at, Account.name, Event.data, Assignment.kind, Round.number, Assignment.task,
            Assignment.topic, Assignment.system, Assignment.occasion, Assignment.position,
            Event.kind,
        )
        .join(Event.assignment)
        .join(Account, Event.account_id == Account.id)
        .outerjoin(Round, Round.id == Assignment.round_id)
        .where(Assignment.evaluation_id == evaluation.id)
        .order_by(Event.id)
    )  # fmt: skip
    for time, name, data, *values in session.execute(query):
        columns: dict[str, Any] = {key: data.get(key, "") for key in _DATA}
        details = json.dumps(data, ensure_ascii=False) if data else ""
        fields = dict(zip(names, values, strict=True))
        yield {"time": time, "person": name, **fields, **columns, "details": details}


def _changes(session: Session, evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    """Return rows about changes of boards."""
    query = (
        select(BoardChange, BoardRow, Account.name)
        .join(BoardRow, BoardChange.board_id == BoardRow.id)
        .join(Account, BoardChange.account_id == Account.id)
        .where(BoardRow.evaluation_id == evaluation.id)
        .order_by(BoardChange.id)
    )
    assignments_query = select(Assignment).where(Assignment.evaluation_id == evaluation.id)
    sheets = {item.token: item for item in session.scalars(assignments_query)}
    for change, board, name in session.execute(query):
        item = sheets.get(str(change.data.get("sheet")))
        fields = {"system": item.system, "occasion": item.occasion} if item else {}
        work = "independent" if board.account_id else "pyramid"
        yield {
            "time": change.at, "person": name, "work": item.kind if item else work,
            "task": board.task, "topic": board.subject, **fields, "event": change.action,
            "details": json.dumps(change.data, ensure_ascii=False),
        }  # fmt: skip
