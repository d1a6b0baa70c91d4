"""Scoring a collection, and going on where an interrupted run stopped."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyramidion
from pyramidion._types import Floats
from pyramidion.collection import Collection, Scores
from pyramidion.metrics import Metric, score_collection
from pyramidion.metrics._system_means import SystemMeans
from pyramidion.metrics.kept import KeptColumns
from pyramidion.report.score_request import Scored, ScoreRequest, Watcher
from pyramidion.report.scoring_stream import has_no_word

__all__ = ["keeping", "score_the_collection"]


def score_the_collection(
    collection: Collection,
    request: ScoreRequest,
    *,
    kept: KeptColumns | None = None,
    write: Callable[[Scores], None] | None = None,
    watcher: Watcher | None = None,
) -> Scored:
    """Score a collection with every metric of a request.

    Parameters
    ----------
    collection
        The summaries.
    request
        What to compute.
    kept
        What an earlier run finished; what this one does is added.
    write
        Takes the scores.
    watcher
        Who looks on.
    """
    metrics = request.metrics
    watch = watcher or Watcher()
    done: list[str] = []

    def progress(name: str, column: Floats, left: int) -> None:
        done.append(name)
        watch.show(len(done), len(done) + left)
        if kept is not None and str(metrics[name]) not in kept.columns:
            kept.add(str(metrics[name]), column)

    known = {} if kept is None else _known(metrics, kept.columns)
    result = score_collection(
        collection,
        metrics,
        jackknife=request.jackknife,
        threads=request.threads or os.cpu_count() or 1,
        skip=request.wants_all,
        known=known,
        progress=progress,
    )
    means = SystemMeans()
    means.add(result.summaries, result.values)
    means.require_any()
    if write is not None:
        write(result.scores)
    wordless = sum(has_no_word(summary.plain) for summary in result.summaries)
    left_out = (*collection.left_out, *result.left_out)
    return Scored(result.metrics, means, collection.data_hash, left_out, wordless)


def _known(metrics: Mapping[str, Metric], columns: Mapping[str, Floats]) -> dict[str, Floats]:
    return {
        name: columns[str(metric)] for name, metric in metrics.items() if str(metric) in columns
    }


@contextmanager
def keeping(
    output: str | Path | None, collection: Collection, request: ScoreRequest, watcher: Watcher
) -> Iterator[KeptColumns | None]:
    """Keep finished metrics beside the output while others are computed.

    Parameters
    ----------
    output
        The table that is written at the end; nothing is kept without one.
    collection, request
        What is scored.
    watcher
        Who is told what was found and what is left behind.
    """
    metrics = request.metrics
    if output is None or len(metrics) < 2:
        yield None
        return
    path = Path(f"{output}.partial")
    peers = sum(summary.is_peer for summary in collection.summaries)
    kept = KeptColumns(path, _signature(collection, request), peers)
    known = _known(metrics, kept.columns)
    if kept.blocked:
        watcher.tell(f"{path} is in the way: nothing is kept if this run is interrupted")
    elif kept.stranger:
        watcher.tell(f"{path} is of another version, other data or options, and not used")
    elif known:
        watcher.tell(f"{len(known)} of {len(metrics)} metrics were finished in {path}")
    try:
        yield kept
    except BaseException:
        there = len(_known(metrics, kept.columns))
        if there and path.exists() and not kept.blocked:
            watcher.tell(f"{there} of {len(metrics)} metrics are kept in {path} for the next run")
        raise
    kept.remove()


def _signature(collection: Collection, request: ScoreRequest) -> str:
    """Say what a column depends on beside its metric."""
    jackknife = "|jackknife" if request.jackknife else ""
    return f"v{pyramidion.__version__}|data:{collection.data_hash}{jackknife}"
