"""What has come of an evaluation so far, as a collection."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from typing import Any

from sqlalchemy.orm import Session

from pyramidion.collection import Collection, Judgment, Measure, Scores
from pyramidion.studio._evaluations import Settings, imported_collection
from pyramidion.studio._judging import judgment_records
from pyramidion.studio._store import Evaluation


def current_collection(session: Session, evaluation: Evaluation) -> Collection:
    """Give what was imported with all that was judged and annotated since."""
    imported = imported_collection(session, evaluation)
    scales = {one.name: one.scale for one in Settings.of(evaluation).measures}
    known = {name: imported.measures.get(name, Measure(human=True)) for name in scales}
    pyramids, peers = _annotated(session, evaluation)
    judged = _judgments(imported, judgment_records(session, evaluation))
    return replace(
        imported,
        scales={**imported.scales, **scales},
        measures={
            **imported.measures,
            **{name: replace(one, scale=scales[name]) for name, one in known.items()},
        },
        scores=Scores.concatenate([imported.scores, Scores.from_judgments(judged)]),
        pyramids={**imported.pyramids, **pyramids},
        peer_annotations={**imported.peer_annotations, **peers},
    )


def _annotated(session: Session, evaluation: Evaluation) -> tuple[Any, Any]:
    if find_spec("pyramidion.studio._boards") is None:
        return {}, {}
    found: tuple[Any, Any] = import_module("pyramidion.studio._boards").annotated(
        session, evaluation
    )
    return found


def _judgments(imported: Collection, records: Iterable[dict[str, Any]]) -> Iterator[Judgment]:
    """Make rows of a table; whoever judged the same before it was imported did so again."""
    taken = {_key(row.__getattribute__) for row in imported.scores if row.assessor}
    numbered = any(time.replace(".", "", 1).isdigit() for time in imported.scores.columns["time"])
    for record in records:
        first = int(record["occasion"])
        # As usual, the first occasion is not named.
        for occasion in (str(number or "") for number in count(first)):
            row = {**record, "occasion": occasion}
            if _key(row.__getitem__) not in taken:
                break
        taken.add(_key(row.__getitem__))
        time = record["time"]
        row["time"] = str(time) if numbered else iso_time(time)
        yield Judgment(**row, kind=imported.systems.get(record["system"], "machine"))


def _key(value: Any) -> tuple[str, ...]:
    return tuple(map(value, ("task", "topic", "system", "measure", "assessor", "occasion")))


def iso_time(seconds: float) -> str:
    """Write a moment as ISO 8601 has it, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
