"""Scoring items as they come, one JSON object a line, in bounded memory.

``{"topic": ..., "system": ..., "task": ..., "kind": ..., "peer": ..., "references": [...]}``;
task and kind may be left out, a text may be a list of sentences.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.records import Record, read_records
from pyramidion.collection.summaries import KINDS
from pyramidion.errors import InputError, Where
from pyramidion.rouge.items import Items, TextInput
from pyramidion.rouge.results import RougeScores
from pyramidion.rouge.rouge import Rouge
from pyramidion.rouge.score import count_pairs

__all__ = ["BATCH_SIZE", "ScoredBatch", "StreamItem", "batches", "read_stream", "score_stream"]

#: Items in a batch: enough to share references and vocabulary, few enough for the cache.
BATCH_SIZE = 1000


@dataclass(frozen=True, slots=True)
class StreamItem:
    """A peer with its references.

    Examples
    --------
    >>> StreamItem("", "T1", "7", "machine", "It rained.", ("Rain fell.",)).system
    '7'
    """

    task: str
    topic: str
    system: str
    kind: str
    peer: TextInput
    references: tuple[TextInput, ...]
    where: Where | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """What to call it in messages."""
        parts = {"task": self.task, "topic": self.topic, "system": self.system}
        return ", ".join(f"{part} {value}" for part, value in parts.items() if value)

    @classmethod
    def from_record(cls, record: Record) -> "StreamItem":
        """Read an item from a JSON object."""
        references = record.take("references")
        if not isinstance(references, list) or not references:
            raise record.error("`references` is no list of texts", "give at least one reference")
        return cls(
            task=record.identifier("task", ""),
            topic=record.identifier("topic"),
            system=record.identifier("system"),
            kind=record.choice("kind", KINDS, "machine"),
            peer=_text(record, record.take("peer"), "peer"),
            references=tuple(_text(record, text, "references") for text in references),
            where=record.where,
        )


def _text(record: Record, text: object, name: str) -> TextInput:
    if isinstance(text, str):
        return text
    if isinstance(text, list) and all(isinstance(sentence, str) for sentence in text):
        return tuple(text)
    shown = "missing" if text is None else f"{text!r:.40}, which is no text"
    raise record.error(f"`{name}` is {shown}", "write a text or a list of sentences")


@dataclass(frozen=True, slots=True)
class ScoredBatch:
    """Items with their scores, one row an item, one column a measure.

    Examples
    --------
    >>> item = StreamItem("", "T1", "7", "machine", "It rained.", ("Rain fell.",))
    >>> batch = ScoredBatch((item,), np.array([[0.0, 0.0, 0.0]]))
    >>> [item.system for item in batch.items], batch.values.shape
    (['7'], (1, 3))
    """

    items: tuple[StreamItem, ...]
    values: Floats


def read_stream(path: str | Path) -> Iterator[StreamItem]:
    r"""Read items one by one.

    Parameters
    ----------
    path
        A JSONL file, gzipped or not; ``-`` is standard input.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "items.jsonl"
    ...     _ = file.write_text('{"topic": "T1", "system": "7", "peer": "a", "references": ["b"]}')
    ...     [item.topic for item in read_stream(file)]
    ['T1']
    """
    return map(StreamItem.from_record, read_records(path))


def score_stream(
    items: Iterable[StreamItem],
    rouge: Rouge,
    *,
    batch_size: int = BATCH_SIZE,
    threads: int | None = None,
) -> Iterator[ScoredBatch]:
    """Score items batch by batch, in their order.

    Parameters
    ----------
    items
        The items; only a few batches are held at a time.
    rouge
        What to compute; the columns are its `measures`.
    batch_size
        How many items make a batch; the scores do not depend on it.
    threads
        How many batches are scored at once; all cores if not given.

    Examples
    --------
    >>> items = [StreamItem("", "T1", "7", "machine", "It rained.", ("It rained",))]
    >>> [batch.values.tolist() for batch in score_stream(items, Rouge(n=1, l=False))]
    [[[1.0, 1.0, 1.0]]]
    """
    if batch_size < 1 or (threads is not None and threads < 1):
        raise InputError(
            f"batches of {batch_size} on {threads} threads", hint="give whole numbers from 1 on"
        )
    workers = threads or os.cpu_count() or 1
    parts = batches(items, batch_size)
    if workers == 1:
        yield from (_scored(batch, rouge) for batch in parts)
        return
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[ScoredBatch]] = deque()
        for batch in parts:
            waiting.append(pool.submit(_scored, batch, rouge))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def batches(
    items: Iterable[StreamItem], size: int | None = BATCH_SIZE
) -> Iterator[tuple[StreamItem, ...]]:
    """Take so many items at a time, or all at once.

    Examples
    --------
    >>> item = StreamItem("", "T1", "7", "machine", "It rained.", ("It rained",))
    >>> [len(batch) for batch in batches([item] * 5, 2)]
    [2, 2, 1]
    """
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch


def _scored(batch: tuple[StreamItem, ...], rouge: Rouge) -> ScoredBatch:
    items = Items()
    for item in batch:
        items.add(item.peer, item.references, item.name)
    scores = RougeScores(rouge, range(len(batch)), count_pairs(rouge, items).of_items())
    values = np.stack([scores[measure] for measure in rouge.measures], axis=1)
    return ScoredBatch(batch, values)
