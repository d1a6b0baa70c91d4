"""Scoring a collection: every peer against the references of its topic."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pyramidion.collection import Collection, Scores, Summary
from pyramidion.errors import InputError
from pyramidion.rouge.counting import Pairs
from pyramidion.rouge.items import Items
from pyramidion.rouge.results import RougeScores
from pyramidion.rouge.rouge import Rouge
from pyramidion.rouge.score import count_pairs
from pyramidion.rouge.stream import StreamItem

__all__ = ["CollectionScores", "score_collection", "score_rows"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CollectionScores:
    """Scores of a collection's peers.

    Parameters
    ----------
    summaries
        The peers that were scored.
    scores
        Their scores, as rows of the long table.
    left_out
        What was not scored, counted.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = score_collection(load_demo(), Rouge(n=2, l=False))
    >>> len(result.summaries), len(result.scores)
    (48, 144)
    """

    summaries: tuple[Summary, ...]
    scores: Scores
    left_out: tuple[str, ...] = ()


def score_collection(
    collection: Collection, rouge: Rouge, *, jackknife: bool = False, threads: int = 1
) -> CollectionScores:
    """Score every peer of a collection; a person's summary against the other people's only.

    Parameters
    ----------
    collection
        Summaries and references.
    rouge
        What to compute.
    jackknife
        Score machines as people must be scored, against all references but one, and average
        over the one that is left out: both then face the same number of references.
    threads
        How many threads the compiled kernels use.

    Examples
    --------
    >>> from pyramidion.collection import Summary
    >>> collection = Collection("mine", summaries=(Summary("T1", "A", "Rain fell.", kind="human"),
    ...                                            Summary("T1", "7", "Rain fell.")))
    >>> result = score_collection(collection, Rouge(n=1, l=False))
    >>> [(row.system, row.measure, row.value) for row in result.scores][0]
    ('7', 'rouge-1-r', 1.0)
    >>> result.left_out
    ('1 summaries without any other reference: T1, A',)
    """
    plan = _Plan()
    for summary, references in _peers(collection):
        plan.add(summary, references, jackknife=jackknife)
    if not plan.summaries:
        raise InputError("no summary of the collection has references", hint="add references to it")
    counts = count_pairs(rouge, plan.items, threads=threads)
    folds, rows = plan.folds()
    by_fold = RougeScores(rouge, range(folds.number_of_items), counts.of_items(folds, rows))
    values = [_averaged(by_fold[m], plan.fold_owners) for m in rouge.measures]
    return CollectionScores(
        tuple(plan.summaries),
        score_rows(plan.summaries, rouge.measures, np.stack(values, axis=1)),
        tuple(plan.left_out()),
    )


def _peers(collection: Collection) -> Iterator[tuple[Summary, tuple[Summary, ...]]]:
    for summary in collection.summaries:
        if summary.is_peer:
            references = collection.references(summary.topic, summary.task)
            yield summary, tuple(r for r in references if r.system != summary.system)


@dataclass
class _Plan:
    """Which pairs are counted, and which of them make up each fold."""

    items: Items = field(default_factory=Items)
    summaries: list[Summary] = field(default_factory=list)
    alone: list[Summary] = field(default_factory=list)
    fold_owners: list[int] = field(default_factory=list)
    _fold_rows: list[list[int]] = field(default_factory=list)
    _pairs: int = 0

    def add(self, summary: Summary, references: tuple[Summary, ...], *, jackknife: bool) -> None:
        if not references:
            self.alone.append(summary)
            return
        self.items.add(summary.text, [r.text for r in references], summary.name)
        rows = list(range(self._pairs, self._pairs + len(references)))
        self._pairs += len(references)
        if jackknife and not summary.is_reference and len(rows) > 1:
            folds = [[row for row in rows if row != left_out] for left_out in rows]
        else:
            folds = [rows]
        self._fold_rows += folds
        self.fold_owners += [len(self.summaries)] * len(folds)
        self.summaries.append(summary)

    def folds(self) -> tuple[Pairs, npt.NDArray[np.int64]]:
        rows = np.concatenate([np.array(fold, dtype=np.int64) for fold in self._fold_rows])
        items = np.repeat(np.arange(len(self._fold_rows)), [len(f) for f in self._fold_rows])
        pairs = self.items.pairs()
        return Pairs(pairs.peers[rows], pairs.models[rows], items), rows

    def left_out(self) -> Iterator[str]:
        if self.alone:
            names = [", ".join(filter(None, (s.topic, s.task, s.system))) for s in self.alone]
            shown = "; ".join(names[:3]) + ("; ..." if len(names) > 3 else "")
            yield f"{len(names)} summaries without any other reference: {shown}"


def _averaged(values: npt.NDArray[np.float64], owners: list[int]) -> npt.NDArray[np.float64]:
    total = np.bincount(owners, weights=values)
    averages: npt.NDArray[np.float64] = total / np.bincount(owners)
    return averages


def score_rows(
    scored: Sequence[Summary | StreamItem], measures: Sequence[str], values: Floats
) -> Scores:
    """Write scores as rows: item by item, measure by measure.

    Parameters
    ----------
    scored
        What was scored.
    measures
        The columns of the values.
    values
        One row an item.

    Examples
    --------
    >>> rows = score_rows([Summary("T1", "7", "Rain.")], ["rouge-2-r"], np.array([[0.5]]))
    >>> [(row.topic, row.measure, row.value) for row in rows]
    [('T1', 'rouge-2-r', 0.5)]
    """
    repeated = [item for item in scored for _ in measures]
    columns = {
        "task": [item.task for item in repeated],
        "topic": [item.topic for item in repeated],
        "system": [item.system for item in repeated],
        "kind": [str(item.kind) for item in repeated],
        "measure": list(measures) * len(scored),
    }
    return Scores(columns, values.ravel())
