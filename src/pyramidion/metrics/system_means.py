"""Mean scores of systems."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.collection import Addressed
from pyramidion.collection.ids import grouped
from pyramidion.engine.jobs import Group, group_order
from pyramidion.errors import InputError
from pyramidion.metrics._metric import Metric
from pyramidion.metrics._rouge import RougeMeasure
from pyramidion.rendering.table import Cell, Table, WideTable
from pyramidion.rouge import Mean
from pyramidion.rouge.results import perl_means, sample_means
from pyramidion.stats.mean_intervals import t_quantile

#: Longer names are stored as objects, since in an array, all names take the space of the longest.
_MAX_NAME_BYTES = 100
_NO_MEAN = Mean(np.nan, np.nan, np.nan, 0)
_GROUP_FIELDS = ("task", "system", "kind")
_RESULT_FIELDS = (*_GROUP_FIELDS, "measure", "mean", "low", "high", "n")
_LOWER_MARK = "↓"
_NO_INTERVAL_NOTE = (
    "Where no interval is shown, it cannot be estimated: there is only one summary, or all "
    "scores are the same."
)
# Smaller correlations with length are not worth a note.
_MIN_NOTED_CORRELATION = 0.1


def require_any(conditions: Iterable[object]) -> None:
    """Raise an error if all of these counts, or conditions, are zero or false."""
    if not any(conditions):
        hint = "check for texts without words, or use other metrics"
        raise InputError("no metric of the run is defined for any summary", hint)


@dataclass
class SystemMeans:
    """The scores of each system's summaries, in the order they are added."""

    #: Names in UTF-8, which sort like text; arrays take much less memory than lists.
    _names: dict[Group, list[npt.NDArray[Any]]] = field(default_factory=dict)
    _values: dict[Group, list[Floats]] = field(default_factory=dict)
    _words: dict[Group, list[Floats]] = field(default_factory=dict)

    def add(
        self, items: Sequence[Addressed], values: Floats, words: Sequence[int] | None = None
    ) -> None:
        """Add summaries and their scores, one row each, and their numbers of words."""
        groups = [(item.task, item.system, str(item.kind)) for item in items]
        rows = grouped(zip(groups, range(len(groups)), strict=True))
        for group, row_indices in rows.items():
            self._values.setdefault(group, []).append(values[row_indices])
            if words is not None:
                counts = np.array([words[row] for row in row_indices], dtype=np.float64)
                self._words.setdefault(group, []).append(counts)
            suffix = f"-{group[0]}.{group[1]}" if group[0] else f".{group[1]}"
            topics = [items[row].topic for row in row_indices]
            names = [f"{topic}{suffix}".encode("utf-8", "surrogatepass") for topic in topics]
            array_type = object if max(map(len, names)) > _MAX_NAME_BYTES else np.bytes_
            self._names.setdefault(group, []).append(np.array(names, array_type))

    def join(self, other: "SystemMeans") -> None:
        """Add the summaries of another part."""
        for name in ("_names", "_values", "_words"):
            target = getattr(self, name)
            for group, arrays in getattr(other, name).items():
                target.setdefault(group, []).extend(arrays)

    def words(self) -> dict[Group, float]:
        """Return the mean number of words of each system's summaries."""
        return {
            group: float(np.concatenate(arrays).mean()) for group, arrays in self._words.items()
        }

    def length_note(self, metrics: Mapping[str, Metric]) -> str:
        """Say which F scores decrease with the number of words, within topics."""
        columns = {
            name: column for column, (name, metric) in enumerate(metrics.items())
            if isinstance(metric, RougeMeasure) and metric.measure.endswith("-f")
        }  # fmt: skip
        if not self._words or not columns:
            return ""
        groups, has_several = list(self._words), len({group[1] for group in self._words}) > 1
        words = np.concatenate([part for group in groups for part in self._words[group]])
        values = np.concatenate([part for group in groups for part in self._values[group]])
        topics = [
            (
                group[0],
                name[: -len(group[1].encode("utf-8", "surrogatepass"))] if has_several else b"",
            )
            for group in groups
            for part in self._names[group]
            for name in part.tolist()
        ]
        topic_numbers = {
            topic_codes: number for number, topic_codes in enumerate(dict.fromkeys(topics))
        }
        topic_codes = np.array([topic_numbers[key] for key in topics])
        decreasing_measures = [
            f"{name} (r {r:.2f})"
            for name, column in columns.items()
            if (r := _correlation_within(words, values[:, column], topic_codes)) < 0
        ]
        if not decreasing_measures:
            return ""
        verb = "decreases" if len(decreasing_measures) == 1 else "decrease"
        return (
            f"{', '.join(decreasing_measures)} {verb} with the number of words: compare systems "
            "whose summaries are about as long, or use rouge-1-ns."
        )

    def require_any(self) -> None:
        """Raise an error if no summary has a score."""
        values = (part for parts in self._values.values() for part in parts)
        require_any(not np.isnan(part).all() for part in values)

    def results(self, metrics: Mapping[str, Metric], *, seed: int = 0) -> Iterator[dict[str, Any]]:
        """Return the means, ordered by system name, with people last."""
        is_exact = [
            isinstance(metric, RougeMeasure) and metric.exact for metric in metrics.values()
        ]
        for group in sorted(self._names, key=group_order):
            # Summaries are sorted by name, since ROUGE-1.5.5 resamples in this order.
            order = np.argsort(np.concatenate(self._names[group]), kind="stable")
            values = np.concatenate(self._values[group])[order]
            if np.isnan(values).all():
                continue
            means = _means(values, np.array(is_exact), seed)
            for (measure, metric), mean in zip(metrics.items(), means, strict=True):
                fields = {**dict(zip(_GROUP_FIELDS, group, strict=True)), "measure": measure}
                yield {**fields, **asdict(mean), "higher_is_better": metric.higher_is_better}


def _correlation_within(words: Floats, values: Floats, topics: Ints) -> float:
    """Correlate within topics; NaN unless it is significant (0.05) and at least 0.1."""
    is_defined = ~np.isnan(values)
    topics, centered_pair = topics[is_defined], np.stack([words[is_defined], values[is_defined]])
    counts = np.maximum(np.bincount(topics), 1)
    x, y = (
        values_of_pair - (np.bincount(topics, values_of_pair) / counts)[topics]
        for values_of_pair in centered_pair
    )
    degrees_of_freedom = len(topics) - len(np.unique(topics)) - 1
    squared_norms = float((x @ x) * (y @ y))
    if degrees_of_freedom < 1 or squared_norms <= 0:
        return math.nan
    r = float(x @ y) / math.sqrt(squared_norms)
    t_value = abs(r) * math.sqrt(degrees_of_freedom / max(1 - r * r, 1e-12))
    return (
        r
        if abs(r) >= _MIN_NOTED_CORRELATION and t_value >= t_quantile(0.975, degrees_of_freedom)
        else math.nan
    )


def _means(values: Floats, is_exact: npt.NDArray[np.bool_], seed: int) -> list[Mean]:
    """Average each column over the rows that have a score; columns of the same rows together."""
    is_defined = ~np.isnan(values)
    results = [_NO_MEAN] * values.shape[1]
    masks = enumerate(zip(is_defined.T, is_exact, strict=True))
    groups = grouped(
        ((mask.tobytes(), has_exact_mode), column) for column, (mask, has_exact_mode) in masks
    )
    for (_, is_exact_mean), columns in groups.items():
        rows = is_defined[:, columns[0]]
        if not rows.any():
            continue
        block = values[rows][:, columns]
        means = perl_means(block) if is_exact_mean else sample_means(block, rng=seed)
        if len(block) == 1:  # the script prints an interval of width 0
            means = [replace(mean, low=math.nan, high=math.nan) for mean in means]
        for column, mean in zip(columns, means, strict=True):
            results[column] = mean
    return results


#: A system's mean of a measure: task, system, kind, measure, mean, low, high, n, and whether
#: higher is better.
Record = Mapping[str, Any]


def means_table(
    results: Sequence[Record], words: Mapping[Group, float] | None = None, note: str = ""
) -> WideTable:
    """Make a table of means: one row per system, best first, and one column per measure.

    Mean numbers of words follow the first measure.
    """
    groups = grouped((tuple(result[name] for name in _GROUP_FIELDS), result) for result in results)
    rows = sorted(groups.values(), key=_best_first)
    keys = _GROUP_FIELDS if any(result["task"] for result in results) else _GROUP_FIELDS[1:]
    directions = {result["measure"]: result["higher_is_better"] for result in results}
    headings = [
        name if is_higher_better else f"{name} {_LOWER_MARK}"
        for name, is_higher_better in directions.items()
    ]
    word_headings = ["words"] if words else []
    columns = (*keys, "n", *headings[:1], *word_headings, *headings[1:])
    wide_rows: list[tuple[Cell, ...]] = []
    narrow_rows: list[tuple[Cell, ...]] = []
    for row in rows:
        leading_cells = (*(row[0][name] for name in keys), max(record["n"] for record in row))
        group = tuple(row[0][name] for name in _GROUP_FIELDS)
        word_cell = [f"{words[group]:.1f}"] if words else []
        for table_rows, is_short in ((wide_rows, False), (narrow_rows, True)):
            first_cell, *other_cells = (_cell(record, is_short=is_short) for record in row)
            table_rows.append((*leading_cells, first_cell, *word_cell, *other_cells))
    has_unknown_ends = any(record["n"] and math.isnan(record["low"]) for record in results)
    notes = (
        "" if all(directions.values()) else f"{_LOWER_MARK}: lower is better.", note,
        _NO_INTERVAL_NOTE if has_unknown_ends else "",
    )  # fmt: skip
    note = " ".join(filter(None, notes))
    result_rows = tuple(tuple(result[name] for name in _RESULT_FIELDS) for result in results)
    title = "Means ±half of the 95% intervals"
    return WideTable(
        columns,
        tuple(wide_rows),
        title="Means [95% intervals]",
        note=note,
        numbers=Table(_RESULT_FIELDS, result_rows, name="means"),
        narrow=Table(columns, tuple(narrow_rows), title=title, note=note),
        heads=len(keys) + 1,
        name="means",
    )


def _best_first(row: Sequence[Record]) -> tuple[str, bool, float]:
    """Return a key that sorts by the first measure, best first, missing values last."""
    first_record = row[0]
    mean = -first_record["mean"] if first_record["higher_is_better"] else first_record["mean"]
    return first_record["task"], math.isnan(mean), mean


def _cell(result: Record, *, is_short: bool = False) -> str | None:
    """Format a mean with its interval, or with half the width of the interval."""
    if not result["n"]:
        return None
    mean, low, high = (result[name] for name in ("mean", "low", "high"))
    if math.isnan(low):
        return f"{mean:.4f}"
    if is_short:
        return f"{mean:.4f} ±{(high - low) / 2:.3f}".replace("±0", "±")
    return f"{mean:.4f} [{low:.4f}, {high:.4f}]"
