"""Topics x systems: the matrix that comparisons work on."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection._scores import Scores, codes_of
from pyramidion.collection.ids import natural_order
from pyramidion.collection.measures import LARGEST_SCORE, Direction, Scale, is_lower_better
from pyramidion.errors import InputError, NotFoundError, ShapeError, known_names


@dataclass(frozen=True, slots=True, eq=False)
class Adjustment:
    """How the values of a matrix were adjusted for assessors.

    `plain` holds the values before the adjustment. Differences between systems with the
    same number in `parts` are not confounded with their assessors. With `too_many` assessors,
    nothing was adjusted.
    """

    plain: Floats
    parts: Ints | None = None
    too_many: bool = False

    @property
    def none_comparable(self) -> bool:
        """Whether no two systems can be compared."""
        return self.parts is not None and len(set(self.parts.tolist())) == len(self.parts)

    @property
    def is_connected(self) -> bool:
        """Whether all systems can be compared."""
        return self.parts is not None and len(set(self.parts.tolist())) == 1

    def take(self, rows: Sequence[int], columns: Sequence[int]) -> "Adjustment":
        """Select topics and systems."""
        parts = None if self.parts is None else self.parts[list(columns)]
        return replace(self, plain=self.plain[np.ix_(rows, columns)], parts=parts)


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """The values of one measure, with topics as rows and systems as columns.

    Parameters
    ----------
    values
        Array of shape (topics, systems); NaN if a value is missing.
    topics, systems
        The ids of the rows and columns.
    human
        For each system, whether it is a person.
    measure, task
        What the values measure, and for which task.
    lower_is_better, scale
        By default, as `find_measure` describes the measure.
    rows
        The scores that were averaged, if the values came from a table.
    clusters
        For each topic, the group it belongs to, if topics are not independent.
    adjustment
        How the values were adjusted for assessors, if they were.

    Examples
    --------
    >>> matrix = ScoreMatrix([[1, 2], [3, np.nan]], ["T1", "T2"], ["7", "A"], [False, True])
    >>> matrix.missing
    1
    >>> matrix.means().tolist()
    [2.0, 2.0]
    """

    values: Floats
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    human: Bools
    measure: str = ""
    task: str = ""
    lower_is_better: bool | None = None
    rows: Scores | None = None
    clusters: tuple[str, ...] = ()
    scale: Scale | None = None
    adjustment: Adjustment | None = None

    def __init__(
        self,
        values: npt.ArrayLike,
        topics: Sequence[str],
        systems: Sequence[str],
        human: Sequence[bool] | Bools | None = None,
        *,
        measure: str = "",
        task: str = "",
        lower_is_better: bool | None = None,
        rows: Scores | None = None,
        clusters: Sequence[str] = (),
        scale: Scale | None = None,
        adjustment: Adjustment | None = None,
    ) -> None:
        is_person = np.array([False] * len(systems) if human is None else human, dtype=bool)
        vars(self).update(
            values=np.array(values, dtype=np.float64, order="C"),
            topics=tuple(topics),
            systems=tuple(systems),
            human=is_person,
            measure=measure,
            task=task,
            lower_is_better=lower_is_better,
            rows=rows,
            clusters=tuple(clusters),
            scale=scale,
            adjustment=adjustment,
        )
        self.values.setflags(write=False)
        self.human.setflags(write=False)
        self._require_fit()

    def _require_fit(self) -> None:
        expected_shape = (len(self.topics), len(self.systems))
        if self.values.shape != expected_shape:
            message = f"the values have shape {self.values.shape}, the ids {expected_shape}"
            raise ShapeError(message, "rows are topics, columns systems")
        if self.human.shape != (len(self.systems),):
            message = f"{self.human.size} marks of people for {len(self.systems)} systems"
            raise ShapeError(message, "mark each system true (a person) or false")
        if self.clusters and len(self.clusters) != len(self.topics):
            message = f"{len(self.clusters)} clusters for {len(self.topics)} topics"
            raise ShapeError(message, "name the cluster of each topic")
        if np.isinf(self.values).any():
            raise InputError("a score is infinite", "use NaN for a missing score")
        for kind, ids in (("topic", self.topics), ("system", self.systems)):
            for name, count in Counter(ids).items():
                if count > 1:
                    raise ShapeError(f"{kind} {name!r} occurs twice", "rename one")

    @classmethod
    def from_scores(
        cls, scores: Scores, measure: str, *, task: str | None = None, collection: str | None = None
    ) -> "ScoreMatrix":
        """Build the matrix of one measure from the long table.

        Runs, assessors and units of a summary are averaged; an assessor who judged it on several
        occasions counts once, with the mean. Judgments of language models are left out if people
        judged, too (see `Scores.judges_apart`). If the table has several collections, topics are
        named ``collection/topic``.

        Parameters
        ----------
        task
            Required if the measure has scores for several tasks.
        collection
            Use one collection only.

        Examples
        --------
        >>> table = Scores({"topic": ["T1", "T1"], "system": ["7", "7"], "kind": ["machine"] * 2,
        ...                 "measure": ["readability"] * 2, "assessor": ["K", "L"]}, [3, 4])
        >>> ScoreMatrix.from_scores(table, "readability").values.tolist()
        [[3.5]]
        """
        scores.require("measure", measure)
        measure_scores = scores.select(measure=measure).judges_apart().select(measure=measure)
        for column, value in (("task", task), ("collection", collection)):
            if value is not None:
                measure_scores.require(column, value)
                measure_scores = measure_scores.select(**{column: value})
        tasks = measure_scores.distinct("task")
        if len(tasks) > 1:
            hint = f"choose one of {', '.join(task or repr(task) for task in tasks)}"
            raise InputError(f"{measure} has scores for {len(tasks)} tasks", hint)
        topics, topic_codes = _coded_topics(measure_scores)
        systems, system_codes = _in_order(*measure_scores.coded("system"))
        cells = topic_codes * len(systems) + system_codes
        values = cell_means(
            *_mean_over_occasions(measure_scores, cells), len(topics) * len(systems)
        )
        if np.isinf(values).any():
            message = f"the scores of {measure} are too large to compute with"
            raise InputError(message, f"keep scores below {LARGEST_SCORE:g}")
        human = _is_person(measure_scores, systems, system_codes)
        matrix_values = values.reshape(len(topics), len(systems))
        return cls(
            matrix_values,
            topics,
            systems,
            human,
            measure=measure,
            task=tasks[0],
            rows=measure_scores,
        )

    def to_scores(self) -> Scores:
        """Return the matrix as a long table without the missing values.

        Examples
        --------
        >>> len(ScoreMatrix([[1, np.nan]], ["T1"], ["7", "8"], measure="m").to_scores())
        1
        """
        rows, columns = np.nonzero(~np.isnan(self.values))
        topics = np.asarray(self.topics, dtype=object)[rows]
        systems = np.asarray(self.systems, dtype=object)[columns]
        kinds = np.where(self.human, "human", "machine").astype(object)[columns]
        texts = {"topic": topics, "system": systems, "kind": kinds}
        constant_columns = {"measure": [self.measure] * len(rows), "task": [self.task] * len(rows)}
        return Scores({**texts, **constant_columns}, self.values[rows, columns])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreMatrix):
            return NotImplemented
        names = ("topics", "systems", "measure", "task")
        is_same = all(getattr(self, name) == getattr(other, name) for name in names)
        is_same = is_same and np.array_equal(self.human, other.human)
        return is_same and np.array_equal(self.values, other.values, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<ScoreMatrix {self.measure or 'unnamed'}: {len(self.topics)} topics x "
            f"{len(self.systems)} systems ({int(self.human.sum())} people), {self.missing} missing>"
        )

    @property
    def missing(self) -> int:
        """How many cells have no value."""
        return int(np.isnan(self.values).sum())

    @property
    def direction(self) -> Direction:
        """Whether higher or lower values are better."""
        lower = self.lower_is_better
        lower = is_lower_better(self.measure) if lower is None else lower
        return "lower" if lower else "higher"

    def goodness(self, values: Floats) -> Floats:
        """Negate values of the measure if lower is better."""
        return -values if self.direction == "lower" else values

    @property
    def cluster_codes(self) -> Ints | None:
        """The clusters of the topics as numbers from 0, if there are any."""
        return (
            codes_of(self.clusters, sorted({*self.clusters}, key=natural_order))
            if self.clusters
            else None
        )

    def counts(self) -> Ints:
        """Return the number of topics each system has a value on."""
        return np.asarray((~np.isnan(self.values)).sum(axis=0), dtype=np.int64)

    def means(self) -> Floats:
        """Return each system's mean over its topics; NaN if it has none."""
        return _divide(np.nansum(self.values, axis=0), self.counts())

    def plain_means(self) -> Floats:
        """Return each system's mean, not adjusted for assessors."""
        unadjusted_values = self.values if self.adjustment is None else self.adjustment.plain
        return _divide(np.nansum(unadjusted_values, axis=0), self.counts())

    def take(
        self, *, topics: Iterable[str] | None = None, systems: Iterable[str] | None = None
    ) -> "ScoreMatrix":
        """Select topics and systems, in the given order.

        Examples
        --------
        >>> ScoreMatrix([[1, 2]], ["T1"], ["7", "8"]).take(systems=["8"]).values.tolist()
        [[2.0]]
        """
        rows = _positions("topic", self.topics, topics)
        columns = _positions("system", self.systems, systems)
        return replace(
            self,
            values=self.values[np.ix_(rows, columns)],
            topics=tuple(self.topics[row] for row in rows),
            systems=tuple(self.systems[column] for column in columns),
            human=self.human[columns],
            clusters=tuple(self.clusters[row] for row in rows if self.clusters),
            adjustment=self.adjustment and self.adjustment.take(rows, columns),
        )

    def machines(self) -> "ScoreMatrix":
        """Select the machines ("no models").

        Examples
        --------
        >>> ScoreMatrix([[1, 2]], ["T1"], ["7", "A"], [False, True]).machines().systems
        ('7',)
        """
        machines = (
            system
            for system, is_human in zip(self.systems, self.human, strict=True)
            if not is_human
        )
        return self.take(systems=machines)


def topic_indices(scores: Scores, topics: Iterable[str]) -> Ints:
    """Return the index of each row's topic among the topics of a matrix; -1 if it is not there."""
    names, codes = _coded_topics(scores)
    index_by_topic = {topic: number for number, topic in enumerate(topics)}
    indices: Ints = np.array([index_by_topic.get(name, -1) for name in names], np.int64)[codes]
    return indices


def _coded_topics(scores: Scores) -> tuple[tuple[str, ...], Ints]:
    collections, collection_codes = _in_order(*scores.coded("collection"))
    topics, topic_codes = _in_order(*scores.coded("topic"))
    if len(collections) == 1:
        return topics, topic_codes
    pairs, codes = np.unique(collection_codes * len(topics) + topic_codes, return_inverse=True)
    index_pairs = (divmod(pair, len(topics)) for pair in pairs.tolist())
    return tuple(
        f"{collections[collection_index]}/{topics[topic_index]}"
        for collection_index, topic_index in index_pairs
    ), codes


def _in_order(names: Sequence[str], codes: Ints) -> tuple[tuple[str, ...], Ints]:
    """Sort names in natural order, and renumber the rows that have them."""
    order = sorted(range(len(names)), key=lambda code: natural_order(names[code]))
    ranks: Ints = np.argsort(np.array(order, np.int64))
    return tuple(names[code] for code in order), ranks[codes]


def _mean_over_occasions(scores: Scores, cells: Ints) -> tuple[Ints, Floats]:
    """Average the judgments of an assessor about a summary over several occasions."""
    columns = scores.columns
    # Judgments of units, and of pairs in both orders, all count.
    if not any(columns["occasion"]) or any(columns["unit"]):
        return cells, scores.value
    code_by_key: dict[tuple[Any, ...], int] = {}
    keys = zip(cells.tolist(), columns["assessor"], columns["run"], strict=True)
    codes = np.array([code_by_key.setdefault(key, len(code_by_key)) for key in keys], np.int64)
    first_cells = np.array([cell for cell, *_ in code_by_key], np.int64)
    return first_cells, cell_means(codes, scores.value, len(code_by_key))


def cell_means(cells: Ints, values: Floats, n_cells: int) -> Floats:
    """Average the values of each of `n_cells` numbered cells; NaN if there are none."""
    counts = np.bincount(cells, minlength=n_cells)
    if counts.max(initial=0) > 1:
        # Summing in the order of the values makes the mean independent of the order of the rows.
        order = np.lexsort((values, cells))
        cells, values = cells[order], values[order]
    totals = np.bincount(cells, weights=values, minlength=n_cells)
    return _divide(totals.astype(np.float64), counts)


def _divide(totals: Floats, counts: Ints) -> Floats:
    means = np.full(len(counts), np.nan)
    np.divide(totals, counts, out=means, where=counts > 0)
    return means


def _is_person(scores: Scores, systems: Sequence[str], codes: Ints) -> Bools:
    is_human = scores.columns["kind"] == "human"
    n_human_rows = np.bincount(codes, weights=is_human, minlength=len(systems))
    n_rows = np.bincount(codes, minlength=len(systems))
    mixed_systems = np.flatnonzero((n_human_rows > 0) & (n_human_rows < n_rows))
    if len(mixed_systems):
        message = (
            f"system {systems[mixed_systems[0]]!r} is human in some rows and a machine in others"
        )
        raise ShapeError(message, "give it one kind")
    return n_human_rows > 0


def _positions(kind: str, ids: tuple[str, ...], selected_ids: Iterable[str] | None) -> list[int]:
    if selected_ids is None:
        return list(range(len(ids)))
    position_by_id = {name: number for number, name in enumerate(ids)}
    names = list(selected_ids)
    unknown_names = [name for name in names if name not in position_by_id]
    if unknown_names:
        raise NotFoundError(
            f"there is no {kind} {unknown_names[0]!r}", known_names(unknown_names[0], ids)
        )
    return [position_by_id[name] for name in names]
