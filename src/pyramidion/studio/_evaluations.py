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

from sqlalchemy import select
from sqlalchemy.orm import Session

from pyramidion.collection import Collection, Scale
from pyramidion.collection.formats import read_collection, write_collection
from pyramidion.errors import InputError
from pyramidion.studio._guidelines import add_defaults
from pyramidion.studio._store import Evaluation

#: The measures and scales of a new evaluation.
DEFAULT_MEASURES = {"responsiveness": (1, 5), "readability": (1, 5)}


@dataclass(frozen=True)
class JudgedMeasure:
    """A measure that assessors judge, with the ends of its scale."""

    name: str
    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 10:
            message = f"a scale from {self.low} to {self.high} for {self.name}"
            raise InputError(message, hint="use 1-5 or 1-10")

    @property
    def scale(self) -> Scale:
        """The scale in steps of one."""
        return Scale(self.low, self.high, 1)


@dataclass(frozen=True)
class Settings:
    """How an evaluation is judged."""

    measures: tuple[JudgedMeasure, ...] = tuple(
        JudgedMeasure(name, *ends) for name, ends in DEFAULT_MEASURES.items()
    )
    #: Whether assessors may work now.
    is_open: bool = True
    #: Seed of the random orders.
    seed: int = 0
    #: Whether annotators are shown suggestions.
    suggestions: bool = True
    #: Measures that are no longer judged; their judgments keep their scale.
    past: tuple[JudgedMeasure, ...] = ()

    @property
    def ever(self) -> tuple[JudgedMeasure, ...]:
        """All measures that may have judgments, current ones first."""
        return (*self.measures, *self.past)

    @classmethod
    def of(cls, evaluation: Evaluation) -> "Settings":
        """Read the settings of an evaluation."""
        stored = dict(evaluation.settings)
        for name in ("measures", "past"):
            stored[name] = tuple(JudgedMeasure(**record) for record in stored.get(name, ()))
        return cls(**stored)

    def to_json(self) -> dict[str, Any]:
        """Return plain values to store."""
        return asdict(self)


def packed(collection: Collection, *, format: str = "collection") -> bytes:
    """Pack a collection folder into a ZIP file, reproducibly."""
    buffer = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(buffer, "w") as archive:
        written = Path(folder, "collection")
        write_collection(collection, written, format=format)
        for path in sorted(written.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(written).as_posix())
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
    initial = settings or _first_settings(collection)
    digest = digest_of(archive)
    evaluation = Evaluation(name=title, archive=archive, digest=digest, settings=initial.to_json())
    session.add(evaluation)
    session.flush()
    add_defaults(session, evaluation, initial.measures, collection)
    return evaluation


def _first_settings(collection: Collection) -> Settings:
    """Choose scales that fit imported scores, and a secret seed."""
    fitting = (_fitting(collection, name, default) for name, default in DEFAULT_MEASURES.items())
    measures = tuple(filter(None, fitting)) or (JudgedMeasure("quality", 1, 5),)
    return Settings(measures=measures, seed=secrets.randbits(53))


def _fitting(collection: Collection, name: str, default: tuple[int, int]) -> JudgedMeasure | None:
    """Return a measure with a scale that fits its imported scores, if any does."""
    for ends in (_ends(collection.scales.get(name), default), default, (1, 10)):
        measure = JudgedMeasure(name, *ends)
        if not off_scale(collection, measure):
            return measure
    return None


def off_scale(collection: Collection, measure: JudgedMeasure) -> list[float]:
    """List the imported scores of a measure that are off its scale, such as means."""
    values = set(collection.scores.select(measure=measure.name).value.tolist())
    return sorted(value for value in values if not measure.scale.allows(value))


def _ends(declared: Scale | None, default: tuple[int, int]) -> tuple[int, int]:
    fits = declared and declared.step == 1 and 0 <= declared.low < declared.high <= 10
    return (int(declared.low), int(declared.high)) if declared and fits else default


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
            collection = _unpacked(session.scalars(query).one())
        while len(_CACHE) >= _MAX_CACHED:
            _CACHE.pop(next(iter(_CACHE)))
        _CACHE[evaluation.digest] = collection
    return collection


def _unpacked(archive: bytes) -> Collection:
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(archive)) as stored:
            stored.extractall(folder)  # we wrote it
        return read_collection(folder, format="collection")  # checked when it was uploaded
