"""Two judgments of the same words by the same assessor."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.collection.ids import natural_order
from pyramidion.evaluation.assessors.moments import read_moments
from pyramidion.evaluation.assessors.panel import Panel

__all__ = ["PairedJudgments", "paired_judgments"]

Texts = npt.NDArray[np.object_]

_Row = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class PairedJudgments:
    """Pairs of judgments, one row each.

    Parameters
    ----------
    collection, topic, assessor, measure
        What was judged by whom.
    first, second
        The two values: the earlier and the later where their times are known, else in the
        natural order of the systems or occasions.
    repeated
        Whether it is one summary that was judged again, not two identical ones.
    ordered
        Whether it is known which came first: by their times, or by their occasions.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Judgment, Scores, Summary
    >>> from pyramidion.evaluation.assessors.panel import gather_panel
    >>> rows = [Judgment("T1", system, "readability", value, assessor="K")
    ...         for system, value in (("7", 4.0), ("8", 3.0))]
    >>> texts = Summary("T1", "7", "Rain."), Summary("T1", "8", "rain")
    >>> panel = gather_panel([Collection("", summaries=texts, scores=Scores.from_judgments(rows))])
    >>> pairs = paired_judgments(panel)
    >>> pairs.first.tolist(), pairs.second.tolist(), pairs.assessor.tolist()
    ([4.0], [3.0], ['K'])
    """

    collection: Texts
    topic: Texts
    assessor: Texts
    measure: Texts
    first: Floats
    second: Floats
    repeated: Bools
    ordered: Bools

    def __len__(self) -> int:
        return len(self.first)

    def of(self, collection: str | None, measure: str, assessor: str | None) -> "PairedJudgments":
        """Keep the pairs of a year, measure and assessor; `None` means all of them."""
        keep = self.measure == measure
        for column, wanted in ((self.collection, collection), (self.assessor, assessor)):
            if wanted is not None:
                keep &= column == wanted
        return PairedJudgments(*(getattr(self, name)[keep] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class _Pair:
    collection: str
    topic: str
    assessor: str
    measure: str
    rows: tuple[_Row, _Row]
    repeated: bool


def paired_judgments(panel: Panel) -> PairedJudgments:
    """Find every two judgments of the same words by the same assessor, on the same measure.

    Words are the same in identical summaries by two systems, and in one summary that was judged
    on several occasions. Where parts of a summary were judged (units), the same part is meant;
    of identical summaries judged on several occasions, judgments of the same occasion.

    Parameters
    ----------
    panel
        The judgments.
    """
    index = _Index(panel)
    found = [*index.identical(), *index.repeated()]
    ordered = [_ordered(pair) for pair in found]
    return PairedJudgments(
        collection=_objects([pair.collection for pair in found]),
        topic=_objects([pair.topic for pair in found]),
        assessor=_objects([pair.assessor for pair in found]),
        measure=_objects([pair.measure for pair in found]),
        first=np.array([first for first, _, _ in ordered], dtype=np.float64),
        second=np.array([second for _, second, _ in ordered], dtype=np.float64),
        repeated=np.array([pair.repeated for pair in found], dtype=bool),
        ordered=np.array([known for _, _, known in ordered], dtype=bool),
    )


class _Index:
    """Values and times of judgments, by what was judged and by whom."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        columns = panel.judgments.columns
        # By place: year, task, topic, system; then by question: measure, assessor, unit, occasion.
        self._rows: dict[tuple[str, ...], dict[tuple[str, ...], _Row]] = {}
        places = zip(*(columns[n] for n in ("collection", "task", "topic", "system")), strict=True)
        questions = zip(*(columns[n] for n in _QUESTION), strict=True)
        times = read_moments(columns["time"].tolist()).values.tolist()
        values = panel.judgments.value.tolist()
        for place, question, value, time in zip(places, questions, values, times, strict=True):
            self._rows.setdefault(place, {})[question] = (value, time)

    def identical(self) -> Iterator[_Pair]:
        for collection, pairs in self._panel.pairs.items():
            for pair in pairs:
                first, second = (
                    self._rows.get((collection, pair.task, pair.topic, system), {})
                    for system in (pair.first, pair.second)
                )
                for question in first:
                    if question in second:
                        measure, assessor, *_ = question
                        rows = first[question], second[question]
                        yield _Pair(collection, pair.topic, assessor, measure, rows, repeated=False)

    def repeated(self) -> Iterator[_Pair]:
        for (collection, _, topic, _), answers in self._rows.items():
            again: dict[tuple[str, ...], list[tuple[str, _Row]]] = {}
            for (*question, occasion), row in answers.items():
                again.setdefault(tuple(question), []).append((occasion, row))
            for (measure, assessor, _), rows in again.items():
                ordered = sorted(rows, key=lambda item: natural_order(item[0]))
                for (_, a), (_, b) in combinations(ordered, 2):
                    yield _Pair(collection, topic, assessor, measure, (a, b), repeated=True)


_QUESTION = ("measure", "assessor", "unit", "occasion")


def _ordered(pair: _Pair) -> tuple[float, float, bool]:
    """Put the earlier value first, and tell whether it is known which one that is."""
    (first, earlier), (second, later) = pair.rows
    if later < earlier:
        return second, first, True
    return first, second, earlier < later or pair.repeated


def _objects(values: Sequence[str]) -> Texts:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
