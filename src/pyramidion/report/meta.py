"""Judging metrics from a file of scores."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from pyramidion.collection import Collection, Signature
from pyramidion.collection.sources import read_scored
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import meta_tables
from pyramidion.evaluation._meta.evaluate import judge_tables
from pyramidion.evaluation._meta.labels import shown_peers
from pyramidion.evaluation._meta.options import MetaOptions
from pyramidion.evaluation._meta.result import MetaResult
from pyramidion.report.answer import Answer, Later
from pyramidion.report.meta_figures import write_meta_figures
from pyramidion.report.meta_parts import MetaPart, parts_of
from pyramidion.report.meta_tables import correlation_table, matrix_table, meta_records
from pyramidion.report.old_figures import require_figures
from pyramidion.report.table import Table

__all__ = ["Judged", "MetaRequest", "judge_collection", "meta_answer"]


@dataclass(frozen=True, slots=True)
class MetaRequest:
    """What to judge and how.

    Parameters
    ----------
    humans
        The human measures.
    metrics
        The metrics; every other measure if none is named.
    tasks
        Which tasks; all that a human measure has if none is named.
    lower_is_better
        Measures to turn, beside the metrics that are known for it.
    options
        How metrics are judged.

    Examples
    --------
    >>> MetaRequest(("responsiveness",)).options.over
    'both'
    """

    humans: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()
    options: MetaOptions = field(default_factory=MetaOptions)


@dataclass(frozen=True, slots=True)
class Judged:
    """Judged metrics, and what other studies say about them.

    Parameters
    ----------
    results
        One for each human measure, collection and task.
    parts
        For each result, what other studies add.
    answer
        The results as data and tables.
    """

    results: list[MetaResult]
    parts: list[tuple[MetaPart, ...]]
    answer: Answer


def judge_collection(collection: Collection, request: MetaRequest) -> Judged:
    """Judge the metrics of a collection against each human measure, in each task.

    Parameters
    ----------
    collection
        What holds the scores.
    request
        What to judge.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> options = MetaOptions(n_resamples=99)
    >>> request = MetaRequest(("responsiveness",), ("readability",), options=options)
    >>> judged = judge_collection(load_demo(), request)
    >>> [result.task for result in judged.results]
    ['A', 'B']
    """
    scores = collection.scores
    if not request.humans:
        raise InputError(
            "no human measure is named",
            hint=f"choose with --human among: {', '.join(scores.measures)}",
        )
    tables = [
        one
        for human in dict.fromkeys(request.humans)
        for one in meta_tables(
            scores,
            human,
            metrics=request.metrics,
            tasks=request.tasks,
            lower_is_better=request.lower_is_better,
            exclude=request.humans,
            declared=collection.measures,
        )
    ]
    results = [judge_tables(one, request.options) for one in tables]
    parts = [parts_of(one) for one in tables]
    return Judged(results, parts, _answer(collection, request, results, parts))


def _answer(
    collection: Collection,
    request: MetaRequest,
    results: Sequence[MetaResult],
    parts: Sequence[tuple[MetaPart, ...]],
) -> Answer:
    records = (
        meta_records(result, [part.records for part in own])
        for result, own in zip(results, parts, strict=True)
    )
    # A line may hold for several studies of the same scores.
    left_out = dict.fromkeys(
        chain(
            collection.left_out,
            *(result.left_out for result in results),
            *(part.left_out for own in parts for part in own),
        )
    )
    return Answer(
        command="meta",
        signature=_signature(collection, request, results),
        results=list(chain.from_iterable(records)),
        tables=Later(_tables(results, parts)),
        left_out=tuple(left_out),
    )


def _tables(
    results: Sequence[MetaResult], parts: Sequence[tuple[MetaPart, ...]]
) -> Iterator[Callable[[], Table]]:
    for result, own in zip(results, parts, strict=True):
        yield partial(correlation_table, result)
        for matrix in result.matrices:
            if matrix.peers in shown_peers(result):
                yield partial(matrix_table, result, matrix)
        for part in own:
            yield from (partial(_itself, table) for table in part.tables)


def _itself(table: Table) -> Table:
    return table


def _signature(
    collection: Collection, request: MetaRequest, results: Sequence[MetaResult]
) -> Signature:
    """Say all that decides the numbers."""
    options = request.options
    tested = dict.fromkeys(f"{level}-{coefficient}" for level, coefficient in options.shown)
    details = {
        "human": "+".join(dict.fromkeys(result.human for result in results)),
        "metric": "+".join(request.metrics),
        "task": "+".join(dict.fromkeys(result.task for result in results if result.task)),
        "lower": "+".join(request.lower_is_better),
        "peers": "+".join(options.peers),
        "interval": f"{options.method}-{options.confidence_level:g}",
        "over": options.over,
        "tested": "+".join(tested) if options.tests else "",
        "correction": options.correction if options.tests else "",
        "alpha": f"{options.alpha:g}",
        "n": str(options.n_resamples),
    }
    given = tuple((name, value) for name, value in details.items() if value)
    tests = "+".join(options.tests)
    return Signature(f"meta({tests})", data=collection.data_hash, seed=options.seed, details=given)


def meta_answer(
    source: str | Path,
    request: MetaRequest,
    *,
    source_format: str | None = None,
    figures: str | Path | None = None,
    figure_form: str = "svg",
    page: str | Path | None = None,
) -> Answer:
    """Judge the metrics of a file.

    Parameters
    ----------
    source
        A table of scores, or a collection in any format.
    request
        What to judge.
    source_format
        The source's format; guessed if it is not given.
    figures, figure_form
        A folder to draw into, and the files' form: svg, pdf or png.
    page
        A file for one self-contained page.
    """
    if figures is not None:
        require_figures(figures, figure_form)
    collection = read_scored(source, format=source_format)
    judged = judge_collection(collection, request)
    if figures is not None:
        write_meta_figures(judged.results, judged.parts, figures, figure_form)
    if page is not None:
        from pyramidion.collection.files import write_text
        from pyramidion.report.meta_page import meta_page

        write_text(Path(page), meta_page(judged, title=collection.name))
    return judged.answer
