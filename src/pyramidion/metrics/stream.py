"""Scoring items as they come, with any metrics that need nothing but references."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric
from pyramidion.metrics.rouge import RougeMeasure
from pyramidion.metrics.run import as_one_rouge
from pyramidion.metrics.scoring import score_cases
from pyramidion.rouge import Rouge
from pyramidion.rouge.items import TextInput
from pyramidion.rouge.stream import BATCH_SIZE, ScoredBatch, StreamItem, batches, score_stream

__all__ = ["require_streamable", "score_items"]


def require_streamable(name: str, metric: Metric) -> None:
    """Refuse a metric that needs what a stream does not carry.

    Parameters
    ----------
    name
        What it is called in the run.
    metric
        The metric.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metric
    >>> require_streamable("r", parse_metric("rouge-2(against=earlier)"))
    Traceback (most recent call last):
    pyramidion.errors.InputError: r needs earlier references, and a stream has none; score ...
    """
    metric.require_installed()
    for need in sorted(metric.requirements & {"documents", "earlier references"}):
        raise InputError(
            f"{name} needs {need}, and a stream has none", hint="score a collection instead"
        )


def score_items(
    items: Iterable[StreamItem], metrics: Sequence[Metric], *, threads: int | None = None
) -> Iterator[ScoredBatch]:
    """Score items batch by batch, in their order; one column a metric.

    Only a few batches are held at a time, unless a metric looks at all summaries at once.

    Parameters
    ----------
    items
        The items.
    metrics
        What to compute; see `require_streamable`.
    threads
        How many threads are used; all cores if not given.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metrics
    >>> items = [StreamItem("", "T1", "7", "machine", "It rained.", ("It rained",))]
    >>> [batch.values.tolist() for batch in score_items(items, parse_metrics("rouge-1,bleu"))]
    [[[1.0, 1.0]]]
    """
    rouge = as_one_rouge(metrics)
    if rouge is not None:
        yield from _score_rouge(items, rouge, metrics, threads)
        return
    size = BATCH_SIZE if all(metric.per_case for metric in metrics) else None
    cores = threads or os.cpu_count() or 1
    for batch in batches(items, size):
        yield ScoredBatch(batch, _values(batch, metrics, cores))


def _score_rouge(
    items: Iterable[StreamItem], rouge: Rouge, metrics: Sequence[Metric], threads: int | None
) -> Iterator[ScoredBatch]:
    """Let `Rouge` read the texts once for all its measures, and batches run beside each other."""
    names = [metric.measure for metric in metrics if isinstance(metric, RougeMeasure)]
    order = [rouge.measures.index(name) for name in names]
    for batch in score_stream(items, rouge, threads=threads):
        yield ScoredBatch(batch.items, batch.values[:, order])


def _values(batch: Sequence[StreamItem], metrics: Sequence[Metric], threads: int) -> Floats:
    cases = Cases.of_texts(
        [_text(item.peer) for item in batch],
        [[_text(reference) for reference in item.references] for item in batch],
        names=[item.name for item in batch],
        threads=threads,
    )
    return np.stack([score_cases(metric, cases) for metric in metrics], axis=1)


def _text(text: TextInput) -> str | tuple[str, ...]:
    return text if isinstance(text, str) else tuple(cast("Iterable[str]", text))
