"""Each system's means over its summaries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.collection.ids import natural_order
from pyramidion.collection.scores import Addressed
from pyramidion.errors import InputError
from pyramidion.metrics import Metric
from pyramidion.metrics.rouge import RougeMeasure
from pyramidion.rouge.averages import Mean, perl_means, sample_means

__all__ = ["SystemMeans"]

#: Task, system and kind: what a mean is taken over.
Group = tuple[str, str, str]

_NO_MEAN = Mean(np.nan, np.nan, np.nan, 0)


@dataclass
class SystemMeans:
    """The scores of each system's summaries, as they come.

    Examples
    --------
    >>> from pyramidion.collection import Summary
    >>> from pyramidion.metrics import parse_metric
    >>> means = SystemMeans()
    >>> means.add([Summary("T1", "7", "a"), Summary("T2", "7", "b")], np.array([[0.5], [np.nan]]))
    >>> [(r["measure"], r["mean"], r["n"]) for r in means.results({"bleu": parse_metric("bleu")})]
    [('bleu', 0.5, 1)]
    """

    _names: dict[Group, list[str]] = field(default_factory=dict)
    _values: dict[Group, list[Floats]] = field(default_factory=dict)

    def add(self, scored: Sequence[Addressed], values: Floats) -> None:
        """Take summaries and their scores, one row each.

        Parameters
        ----------
        scored
            The summaries.
        values
            Their scores, NaN where there is none.
        """
        rows: dict[Group, list[int]] = {}
        for row, item in enumerate(scored):
            group = (item.task, item.system, str(item.kind))
            rows.setdefault(group, []).append(row)
            evaluation = f"{item.topic}-{item.task}" if item.task else item.topic
            self._names.setdefault(group, []).append(f"{evaluation}.{item.system}")
        for group, own in rows.items():
            self._values.setdefault(group, []).append(values[own])

    def require_any(self) -> None:
        """Refuse to go on if no summary has a score."""
        values = (own for parts in self._values.values() for own in parts)
        if all(np.isnan(own).all() for own in values):
            raise InputError(
                "no metric of the run is defined for any summary",
                hint="look for texts without words, or name other metrics",
            )

    def results(self, metrics: Mapping[str, Metric], *, seed: int = 0) -> Iterator[dict[str, Any]]:
        """Average, systems in the order of their names, people last.

        Parameters
        ----------
        metrics
            The columns of the scores.
        seed
            Where the bootstrap begins.
        """
        exact = [isinstance(own, RougeMeasure) and own.exact for own in metrics.values()]
        for task, system, kind in sorted(self._names, key=_place):
            values = self._ordered((task, system, kind))
            if np.isnan(values).all():
                continue
            means = _means(values, np.array(exact), seed)
            for (measure, metric), found in zip(metrics.items(), means, strict=True):
                yield {
                    "task": task,
                    "system": system,
                    "kind": kind,
                    "measure": measure,
                    "mean": found.mean,
                    "low": found.low,
                    "high": found.high,
                    "n": found.n,
                    "higher_is_better": metric.higher_is_better,
                }

    def _ordered(self, group: Group) -> Floats:
        """Put summaries in the order of their names, so that the order they came in is no matter.

        It is the order in which ROUGE-1.5.5 draws from them.
        """
        names = self._names[group]
        order = sorted(range(len(names)), key=names.__getitem__)
        return np.concatenate(self._values[group])[order]


def _place(group: Group) -> Any:
    task, system, kind = group
    return task, kind == "human", natural_order(system)


def _means(values: Floats, exact: npt.NDArray[np.bool_], seed: int) -> list[Mean]:
    """Average each column over the rows that have a score; columns that are alike together."""
    there = ~np.isnan(values)
    found = [_NO_MEAN] * values.shape[1]
    kinds = np.vstack([there, exact])
    patterns, kind_of = np.unique(kinds, axis=1, return_inverse=True)
    for number, pattern in enumerate(patterns.T):
        rows, columns = pattern[:-1], np.flatnonzero(kind_of.ravel() == number)
        if not rows.any():
            continue
        own = values[np.ix_(rows, columns)]
        means = perl_means(own) if pattern[-1] else sample_means(own, rng=seed)
        for column, mean in zip(columns.tolist(), means, strict=True):
            found[column] = mean
    return found
