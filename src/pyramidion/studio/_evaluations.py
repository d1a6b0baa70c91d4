"""Evaluations: an imported collection, and the settings of its judging."""

import hashlib
import io
import secrets
import tempfile
import threading
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from pyramidion.collection import Collection
from pyramidion.collection.formats import read_collection, write_collection
from pyramidion.studio._guidelines import add_defaults
from pyramidion.studio._scales import JudgedMeasure, imported_values, own_measures
from pyramidion.studio._store import (
    Account,
    Assignment,
    BoardChange,
    BoardRow,
    Evaluation,
    Event,
    Guideline,
    RegistrationLink,
    Round,
)

#: The measures of a new evaluation whose collection has none.
DEFAULT_MEASURES = (JudgedMeasure("responsiveness", 1, 5), JudgedMeasure("readability", 1, 5))


@dataclass(frozen=True)
class TrainingItem:
    """An item with known answers, which assessors see after they submit theirs."""

    task: str
    topic: str
    system: str
    answers: dict[str, float]
    note: str = ""
    kind: str = "judge"

    @property
    def key(self) -> tuple[str, str, str]:
        """Which item of its kind it is."""
        return self.task, self.topic, self.system


@dataclass(frozen=True)
class Settings:
    """How an evaluation is judged."""

    measures: tuple[JudgedMeasure, ...] = DEFAULT_MEASURES
    #: Whether assessors may work now.
    is_open: bool = True
    #: Seed of the random orders.
    seed: int = 0
    #: Whether annotators are shown suggestions.
    suggestions: bool = True
    #: Whether those who judge see the references.
    references: bool = False
    #: Measures that are no longer judged; their judgments keep their scale.
    past: tuple[JudgedMeasure, ...] = ()
    #: Items with known answers; they are not assigned otherwise.
    training: tuple[TrainingItem, ...] = ()

    @property
    def ever(self) -> tuple[JudgedMeasure, ...]:
        """All measures that may have judgments, current ones first."""
        return (*self.measures, *self.past)

    def trained(self, kind: str) -> dict[tuple[str, str, str], TrainingItem]:
        """Return the training of a kind of work."""
        return {item.key: item for item in self.training if item.kind == kind}

    @classmethod
    def of(cls, evaluation: Evaluation) -> "Settings":
        """Read the settings of an evaluation."""
        stored_settings = dict(evaluation.settings)
        for name in ("measures", "past"):
            stored_settings[name] = tuple(
                JudgedMeasure(**record) for record in stored_settings.get(name, ())
            )
        stored_settings["training"] = tuple(
            TrainingItem(**item) for item in stored_settings.get("training", ())
        )
        return cls(**stored_settings)

    def to_json(self) -> dict[str, Any]:
        """Return plain values to store."""
        return asdict(self)


def packed(collection: Collection, *, format: str = "collection") -> bytes:
    """Pack a collection folder into a ZIP file, reproducibly."""
    buffer = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(buffer, "w") as archive:
        collection_folder = Path(folder, "collection")
        write_collection(collection, collection_folder, format=format)
        for path in sorted(collection_folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(collection_folder).as_posix())
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def digest_of(archive: bytes) -> str:
    """Return the hash of an archive."""
    return hashlib.sha256(archive).hexdigest()


def add_evaluation(
    session: Session, collection: Collection, *, name: str = "", settings: Settings | None = None
) -> Evaluation:
    """Store a collection as a new evaluation."""
    archive = packed(collection)
    title = (" ".join(name.split()) or collection.name or "Evaluation")[:200]
    initial_settings = settings or default_settings(collection)
    digest = digest_of(archive)
    evaluation = Evaluation(
        name=title, archive=archive, digest=digest, settings=initial_settings.to_json()
    )
    session.add(evaluation)
    session.flush()
    add_defaults(session, evaluation, initial_settings.measures, collection)
    return evaluation


def default_settings(collection: Collection, measures: tuple[JudgedMeasure, ...] = ()) -> Settings:
    """Return the settings of a new evaluation: the collection's own measures, a secret seed."""
    chosen_measures = measures or own_measures(collection) or DEFAULT_MEASURES
    return Settings(measures=chosen_measures, seed=secrets.randbits(53))


def off_scale(collection: Collection, measure: JudgedMeasure) -> list[float]:
    """List the imported scores of a measure that lie outside the ends of its scale."""
    values = imported_values(collection, measure.name)
    return sorted(value for value in values if not measure.low <= value <= measure.high)


def delete_evaluation(session: Session, evaluation: Evaluation) -> None:
    """Remove an evaluation with all its judgments, annotations and guidelines."""
    evaluation.state = "deleted"  # only then the database lets events be removed
    session.flush()
    of_evaluation = Assignment.evaluation_id == evaluation.id
    items = select(Assignment.id).where(of_evaluation)
    boards = select(BoardRow.id).where(BoardRow.evaluation_id == evaluation.id)
    session.execute(delete(Event).where(Event.assignment_id.in_(items)))
    session.execute(delete(BoardChange).where(BoardChange.board_id.in_(boards)))
    groups = select(RegistrationLink.id).where(RegistrationLink.evaluation_id == evaluation.id)
    members = update(Account).where(Account.group_id.in_(groups)).values(group_id=None)
    session.execute(members)
    for table in (Assignment, Round, RegistrationLink, BoardRow, Guideline):
        session.execute(delete(table).where(table.evaluation_id == evaluation.id))
    session.delete(evaluation)
    with _CACHE_LOCK:
        _CACHE.pop(evaluation.digest, None)


class TopicNames(dict[str, str]):
    """The title of each topic with its id; a topic without a title is its id."""

    def __missing__(self, id: str) -> str:
        return id


def topic_names(collection: Collection) -> TopicNames:
    """Return the names of topics for people."""
    titled_topics = (topic for topic in collection.topics if topic.title)
    return TopicNames({topic.id: f"{topic.title} ({topic.id})" for topic in titled_topics})


# Imported collections by digest, least recently used first.
_CACHE: dict[str, Collection] = {}
_MAX_CACHED = 8
_CACHE_LOCK = threading.Lock()


def imported_collection(session: Session, evaluation: Evaluation) -> Collection:
    """Return the imported collection; recent ones are cached."""
    with _CACHE_LOCK:  # simultaneous requests wait for one reading
        collection = _CACHE.pop(evaluation.digest, None)
        if collection is None:
            query = select(Evaluation.archive).where(Evaluation.id == evaluation.id)
            collection = _unpack(session.scalars(query).one())
        while len(_CACHE) >= _MAX_CACHED:
            _CACHE.pop(next(iter(_CACHE)))
        _CACHE[evaluation.digest] = collection
    return collection


def _unpack(archive: bytes) -> Collection:
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(archive)) as stored_archive:
            stored_archive.extractall(folder)  # we wrote it
        return read_collection(folder, format="collection")  # checked when it was uploaded
