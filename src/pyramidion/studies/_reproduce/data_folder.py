"""The data that a user has: score tables and releases by name, or any other collection."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from pyramidion.collection import Collection, ScoreMatrix, Scores
from pyramidion.collection.ids import grouped
from pyramidion.collection.measures import is_human
from pyramidion.collection.sources import read_source
from pyramidion.comparison.measure_tables import with_joined
from pyramidion.demo import load_evaluation
from pyramidion.errors import InputError, NotFoundError, PyramidionError, Where
from pyramidion.metrics import score_collection
from pyramidion.metrics.registry import stored_metric
from pyramidion.studies._reproduce.printed import documents

T = TypeVar("T")

#: Measures of the papers, and what score tables call them; the first that exists is used.
MEASURES = {
    "linguistic": ("readability", "linguistic-quality", "linguistic"),
    "responsiveness": ("responsiveness", "overall-responsiveness", "overall"),
    "pyramid": ("pyramid-modified+pyramid-modified-3", "pyramid-modified", "pyramid"),
    "ROUGE-2": ("rouge-2-r", "R2"),
    "ROUGE-SU4": ("rouge-su4-r", "SU4"),
    **{f"R{n}": (f"rouge-{n}-r", f"R{n}") for n in (1, 2, 3, 4)},
    "RL": ("rouge-l-r", "RL"),
    "R-SU4": ("rouge-su4-r", "SU4"),
    "R-W-1.2": ("rouge-w-1.2-r", "R-W-1.2"),
    **dict.fromkeys(("RBE", "R-BE-HM"), ("rouge-be-hm-r", "rouge-be", "BE")),
}
_HUMAN_MEASURES = ("linguistic", "responsiveness", "pyramid")
#: Years of TAC, in the order of the tables.
YEARS = ("tac2008", "tac2009", "tac2010", "tac2011")
_SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet", ".gz")
_TOPIC_ID = re.compile(r"D(08|09|10|11)\d\d[A-Z]?(?:-[A-Z])?")
# NIST's own names of its evaluations of summaries at TAC.
_RELEASE_NAME = re.compile(r"(?:updatesumm|guidedsumm|aesop)(?:20)?(\d\d)")
_HINT = (
    "name tables tac2008.csv, duc2005.csv, ..., and releases tac2008, duc2005, ...; or give a "
    "collection, or the word demo"
)


def _data_set_name(item: Path) -> str:
    """Return the data set that a file or folder is named after; empty for other names."""
    stem = item.name if item.is_dir() else item.name.partition(".")[0]
    text = _RELEASE_NAME.sub(r"tac20\1", re.sub(r"[\W_]", "", stem).lower())
    names = {data_set.partition(".")[0] for data_set in documents().data_sets} | {"duc2001"}
    for name in sorted(names, key=len, reverse=True):
        if re.match(rf"{re.sub(r'[^a-z0-9]', '', name)}(?!\d)", text):
            return name
    return ""


class DataFolder:
    """A folder with `tac2008.csv`, `tac2008/` (a release of NIST) and so on, or other data."""

    def __init__(self, path: Path | None = None, *, as_printed: bool = True) -> None:
        self.as_printed = as_printed
        self.lacking: dict[str, None] = {}
        self.left_out: list[str] = []
        #: Human measures of other data that are shown in place of those of the papers.
        self.substitutes: dict[str, str] = {}
        self.other: Collection | None = None
        self._sources: dict[str, list[Path]] = {}
        self._collections: dict[str, Collection] = {}
        self._answers: dict[Any, Any] = {}
        if path is not None:
            self._find_data(path)

    def _find_data(self, path: Path) -> None:
        """Find data sets by their names; anything else is other data."""
        if not path.exists():
            if str(path) != "demo":
                raise NotFoundError("there is no such folder", _HINT, where=Where(path))
            self.other = load_evaluation()
            return
        items = [path] if _data_set_name(path) or path.is_file() else sorted(path.iterdir())
        data_sets = [item for item in items if _data_set_name(item)]
        tables = [item for item in data_sets if item.is_dir() or item.suffix.lower() in _SUFFIXES]
        self.left_out += [f"{i.name}, which is not a table" for i in data_sets if i not in tables]
        self._sources = grouped((_data_set_name(item), item) for item in tables)
        if not self._sources:
            try:
                self.other = _read(path)
            except InputError as error:
                raise InputError("there are no data here", _HINT, where=Where(path)) from error

    @property
    def summary(self) -> str:
        """The data that were found."""
        return self.other_name or "+".join(self._sources)

    @property
    def other_name(self) -> str:
        """The name of other data."""
        return self.other.name or "unnamed data" if self.other else ""

    def missing(self, needs: Sequence[str]) -> list[str]:
        """Return the data sets among `needs` that the folder lacks."""
        return [data_set for data_set in needs if not self._files_of(data_set.partition(".")[0])]

    def _files_of(self, name: str) -> list[Path]:
        """Return the files of a data set; one of several years may be in several files."""
        if years := re.fullmatch(r"duc(\d{4})-(\d{4})", name):
            year_names = [f"duc{year}" for year in range(int(years[1]), int(years[2]) + 1)]
            if name not in self._sources and all(
                year_name in self._sources for year_name in year_names
            ):
                return [path for year_name in year_names for path in self._sources[year_name]]
        return self._sources.get(name, [])

    def collection(self, name: str) -> Collection:
        """Read a data set, once; several files are joined."""
        if self.other is not None:
            return self.other
        if name not in self._collections:
            if not (paths := self._files_of(name)):
                raise NotFoundError(f"{name}.csv, or the release {name}")
            collections = [_read(path) for path in paths]
            for path, part in zip(paths, collections, strict=True):
                _require_year(part, name, path)
            joined_collection = read_source(collections) if len(paths) > 1 else collections[0]
            self._collections[name] = replace(
                joined_collection, name=joined_collection.name or name
            )
            self.left_out += [f"{name}: {line}" for line in joined_collection.left_out]
        return self._collections[name]

    def once(self, key: Any, compute: Callable[[], T]) -> T:
        """Compute something once; every entry that shows it reports what failed or is missing."""
        if key not in self._answers:
            state_before = self.lacking, self.substitutes
            self.lacking, self.substitutes = {}, {}
            try:
                result: Any = compute()
            except PyramidionError as error:
                result = error
            self._answers[key] = result, self.lacking, self.substitutes
            self.lacking, self.substitutes = state_before
        answer, lacking, substitutes = self._answers[key]
        self.lacking |= lacking
        self.substitutes |= substitutes
        if isinstance(answer, PyramidionError):
            raise answer
        value: T = answer
        return value

    def ask(self, question: Callable[..., T], *names: str, **options: Any) -> T:
        """Ask a question about data sets, once."""
        key = (question, names, *map(str, options.items()))
        return self.once(key, lambda: question(*map(self.collection, names), **options))

    def when_available(self, compute: Callable[..., T], *arguments: Any) -> Iterator[T]:
        """Yield a value; if its data are missing, yield nothing and remember what is missing."""
        try:
            value = compute(*arguments)
        except PyramidionError as error:
            if error.where is not None:  # a file of the user is wrong
                raise
            self.lacking[error.what] = None
            return
        yield value

    def years(self, n_years: int = 4) -> Iterator[tuple[int, str]]:
        """Yield years with their rows; other data are shown once."""
        return enumerate(YEARS[: 1 if self.other else n_years])

    def find_measure(self, name: str, measure: str) -> tuple[Collection, str]:
        """Find a measure of the papers in a data set; metrics are computed from texts."""
        collection = self.collection(name)
        names = MEASURES.get(measure, (measure,))
        # NIST stems words, and leaves out each reference in turn.
        stemmed_name = f"{names[0]}(stem)"
        for candidate in (*names, stemmed_name):
            if (full_name := _full_name(collection, candidate)) is not None:
                scores = with_joined(collection.scores, full_name)
                return replace(collection, scores=scores), full_name
        if measure in MEASURES and measure not in _HUMAN_MEASURES and collection.summaries:
            key = ("" if self.other else name, stemmed_name)
            # The collection stays as it is: other entries rank the metrics that it has.
            if (scored_collection := self.once(key, lambda: _add_metric(collection, stemmed_name)))[
                1
            ]:
                return scored_collection
        human = [m for m in collection.scores.measures if is_human(m, collection.measures)]
        if self.other and measure in _HUMAN_MEASURES and human:
            full_name = self.substitutes[measure] = human[
                _HUMAN_MEASURES.index(measure) % len(human)
            ]
            return collection, full_name
        raise NotFoundError(f"the measure {names[0].partition('+')[0]} in {name}")

    def matrix(self, name: str, measure: str, task: str = "A") -> ScoreMatrix:
        """Return the scores of a measure in a task, which topics such as D0801-A may name."""
        collection, full_name = self.find_measure(name, measure)
        scores = collection.scores.select(measure=full_name, unit="")
        tasks = scores.distinct("task")
        if task in tasks:
            return ScoreMatrix.from_scores(scores, full_name, task=task)
        has_task_suffix = [str(topic).endswith(f"-{task}") for topic in scores.columns["topic"]]
        if any(has_task_suffix):
            scores = scores.rows(np.array(has_task_suffix))
        elif tasks != ("",) and not self.other:
            raise NotFoundError(f"task {task} of {full_name} in {name}")
        return ScoreMatrix.from_scores(scores, full_name, task=tasks[0])

    def matrices(self, name: str, measure: str, task: str = "A") -> Iterator[ScoreMatrix]:
        """Yield the scores of a measure in a task, unless they are missing."""
        return self.when_available(self.matrix, name, measure, task)


def _read(path: Path) -> Collection:
    """Read a collection in any format; scores of NIST alone do not look like a release."""
    try:
        return read_source(path)
    except InputError:
        if not path.is_dir():
            raise
        return read_source(path, format="duc")


def _add_metric(collection: Collection, metric: str) -> tuple[Collection, str]:
    """Add the scores of a metric to a collection, and return its name; empty if there are none."""
    computed_scores = score_collection(collection, [stored_metric(metric)], jackknife=True).scores
    scores = Scores.concatenate([collection.scores, computed_scores])
    return replace(collection, scores=scores), next(iter(computed_scores.measures), "")


def _full_name(collection: Collection, name: str) -> str | None:
    """Find a measure in any spelling; None if the table lacks it, or a part of a joined one."""
    measures = {measure.lower(): measure for measure in collection.scores.measures}
    names = [part.lower() for part in name.split("+")]
    if any(part not in measures for part in names):
        return None
    parts = [measures[part] for part in names]
    if len(parts) == 1:
        return parts[0]
    kinds = zip(parts, ("machine", "human"), strict=True)
    score_counts = [len(collection.scores.select(measure=part, kind=kind)) for part, kind in kinds]
    return "+".join(parts) if all(score_counts) else None


def _require_year(collection: Collection, name: str, path: Path) -> None:
    """Raise an error if ids of topics such as D0801A show that the data are of another year."""
    topics = map(_TOPIC_ID.fullmatch, collection.scores.distinct("topic"))
    years = {f"20{match[1]}" for match in topics if match}
    if name.startswith("tac") and years and name[3:] not in years:
        hint = f"name it tac{min(years)}{path.suffix}"
        raise InputError(f"the topics are of {min(years)}", where=Where(path), hint=hint)
