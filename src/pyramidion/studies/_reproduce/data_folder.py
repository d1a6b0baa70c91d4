"""The data that a user has: score tables and releases in one folder."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pyramidion.collection import Collection, ScoreMatrix, full_measure_name
from pyramidion.collection.sources import read_source
from pyramidion.comparison.measure_tables import with_joined, with_metrics
from pyramidion.errors import InputError, NotFoundError, Where, known_names

#: Human measures of the papers, and what score tables call them; the first that exists is used.
MEASURES = {
    "linguistic": ("readability", "linguistic-quality", "linguistic"),
    "responsiveness": ("responsiveness", "overall", "overall-responsiveness"),
    "pyramid": ("pyramid-modified+pyramid-modified-3", "pyramid-modified", "pyramid"),
    "ROUGE-2": ("rouge-2-r", "rouge-2", "R2"),
    "ROUGE-SU4": ("rouge-su4-r", "su4", "rouge-su4", "SU4"),
}
#: Two baselines of 2009 that people had a hand in; chapter 4 leaves them out.
EXCLUDED = {"2009": ("2", "3")}
_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
_TOPIC = re.compile(r"D(\d\d)\d\d")


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A folder with `tac2008.csv` or `tac2008/` (a release as NIST has it), and so on."""

    path: Path | None = None
    as_printed: bool = True
    counts: dict[tuple[str, str], list[tuple[float, float]]] = field(default_factory=dict)
    _read: dict[str, Collection] = field(default_factory=dict)

    def check(self) -> None:
        """Raise an error for a folder that does not exist or has no data of a known name."""
        if self.path is None:
            return
        if not self.path.is_dir():
            hint = "name a folder with tables such as tac2008.csv"
            raise InputError("there is no such folder", where=Where(self.path), hint=hint)
        if not any(
            re.match(r"(?i)(tac|duc)[-_ ]?\d{4}", item.name) for item in self.path.iterdir()
        ):
            hint = "name tables tac2008.csv, tac2009.csv, ..., and folders of releases tac2008, ..."
            raise InputError("the folder has no data", where=Where(self.path), hint=hint)

    @property
    def summary(self) -> str:
        """The data sets that were read."""
        return "+".join(self._read)

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was left out while reading, with the data set."""
        return tuple(
            f"{name}: {line}" for name, data in self._read.items() for line in data.left_out
        )

    def find(self, name: str) -> Path | None:
        """Return the table or folder of a data set such as ``tac2008``."""
        for item in sorted(self.path.iterdir()) if self.path else ():
            stem = item.name if item.is_dir() else item.stem
            if re.sub(r"[-_ ]", "", stem).lower() == name and (
                item.is_dir() or item.suffix in _TABLES
            ):
                return item
        return None

    def missing(self, needs: Sequence[str]) -> list[str]:
        """Return the data sets among `needs` whose files the folder lacks."""
        return [need for need in needs if self.find(need.partition(".")[0]) is None]

    def collection(self, name: str) -> Collection:
        """Read a data set, once."""
        if name not in self._read:
            path = self.find(name)
            if path is None:
                raise NotFoundError(f"{name}.csv, or the release {name}/")
            try:
                collection = read_source(path)
            except InputError:
                if not path.is_dir():
                    raise
                collection = read_source(path, format="duc")
            _require_year(collection, name, path)
            self._read[name] = collection
        return self._read[name]

    def measure(self, name: str, measure: str) -> tuple[Collection, str]:
        """Find a measure of the papers in a data set; metrics are computed from texts."""
        collection = self.collection(name)
        for candidate in MEASURES.get(measure, (measure,)):
            if (full := _full_name(collection, candidate)) is not None:
                scores = with_joined(collection.scores, full)
                return replace(collection, scores=scores), full
        if measure not in ("linguistic", "responsiveness", "pyramid") and collection.summaries:
            metric = MEASURES.get(measure, (measure,))[0]
            self._read[name] = scored = with_metrics(collection, [metric])
            if metric in scored.scores.measures:
                return scored, metric
        names = " or ".join(MEASURES.get(measure, (measure,))[:2])
        hint = known_names(measure, collection.scores.measures)
        raise NotFoundError(f"the measure {names} in {_name(self.find(name))}", hint=hint)

    def matrix(self, name: str, measure: str, task: str = "A") -> ScoreMatrix:
        """Return the scores of a measure in a task."""
        collection, full = self.measure(name, measure)
        tasks = collection.scores.select(measure=full).distinct("task")
        if task not in tasks and tasks != ("",):
            raise NotFoundError(f"task {task} of {full} in {_name(self.find(name))}")
        return ScoreMatrix.from_scores(
            collection.scores, full, task=task if task in tasks else None
        )


def _name(path: Path | None) -> str:
    return path.name if path else "the data"


def _full_name(collection: Collection, name: str) -> str | None:
    """Complete the name of a measure; None if the table lacks it, or a part of a joined one."""
    measures = collection.scores.measures
    parts = [full_measure_name(part, measures) for part in name.split("+")]
    if any(part not in measures for part in parts):
        return None
    if len(parts) == 1:
        return parts[0]
    kinds = zip(parts, ("machine", "human"), strict=True)
    scored = [len(collection.scores.select(measure=part, kind=kind)) for part, kind in kinds]
    return "+".join(parts) if all(scored) else None


def _years(collection: Collection) -> Iterator[str]:
    """Yield the years in ids of topics such as D0801A."""
    for topic in collection.scores.distinct("topic"):
        if digits := _TOPIC.match(topic):
            yield f"20{digits[1]}"


def _require_year(collection: Collection, name: str, path: Path) -> None:
    """Raise an error if ids of topics show that the data are of another year."""
    other = sorted({year for year in _years(collection) if year != name[-4:]})
    if other and not any(year == name[-4:] for year in _years(collection)):
        hint = f"name it {name[:3]}{other[0]}{path.suffix}"
        raise InputError(f"the topics are of {other[0]}", where=Where(path), hint=hint)
