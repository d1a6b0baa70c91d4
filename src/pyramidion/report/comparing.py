"""Comparing systems from a file of scores."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation import ComparisonResult, compare
from pyramidion.evaluation.comparison import Correction, StatisticName, TestName
from pyramidion.report.answer import Answer
from pyramidion.report.comparison import comparison_answer
from pyramidion.report.comparison_figures import write_comparison_figures
from pyramidion.report.comparison_page import comparison_page
from pyramidion.report.source import read_matrices, read_scored

__all__ = ["CompareRequest", "compare_answer", "compare_collection", "report_page"]


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """What to compare and how; see `compare` for most fields.

    Parameters
    ----------
    measures, tasks
        Which; all if none is named.
    tests
        One or several tests.
    statistic, correction, alpha, baseline, n_resamples, seed
        As for `compare`.

    Examples
    --------
    >>> CompareRequest().tests
    ('permutation',)
    """

    measures: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    tests: tuple[str, ...] = ("permutation",)
    statistic: str = "w"
    correction: str = "maxt"
    alpha: float = 0.05
    baseline: str | None = None
    n_resamples: int = 9999
    seed: int = 0


def compare_answer(
    source: str | Path,
    request: CompareRequest,
    *,
    source_format: str | None = None,
    figures: str | Path | None = None,
) -> Answer:
    """Compare the systems of a file.

    Parameters
    ----------
    source
        A table of scores, or a collection in any format.
    request
        What to compare.
    source_format
        The source's format; guessed if it is not given.
    figures
        A folder to draw into.
    """
    collection = read_scored(source, format=source_format)
    results, matrices = _compared(collection, request)
    if figures is not None:
        write_comparison_figures(results, matrices, figures)
    return comparison_answer(results, data=collection.data_hash, seed=request.seed)


def report_page(collection: Collection, request: CompareRequest, *, title: str = "") -> str:
    """Compare the systems of a collection on one self-contained page.

    Parameters
    ----------
    collection
        What holds the scores.
    request
        What to compare.
    title
        What stands on top; the collection's name by default.
    """
    results, matrices = _compared(collection, request)
    answer = comparison_answer(results, data=collection.data_hash, seed=request.seed)
    return comparison_page(answer, results, matrices, title=title or collection.name)


def _compared(
    collection: Collection, request: CompareRequest
) -> tuple[list[ComparisonResult], list[ScoreMatrix]]:
    results, matrices = [], []
    for result, matrix in compare_collection(collection, request):
        results.append(result)
        matrices.append(matrix)
    return results, matrices


def compare_collection(
    collection: Collection, request: CompareRequest
) -> Iterator[tuple[ComparisonResult, ScoreMatrix]]:
    """Compare under each measure, task and test.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> [r.task for r, _ in compare_collection(load_demo(), CompareRequest(("readability",)))]
    ['A', 'B']
    """
    if not request.tests:
        raise InputError("no test is named", hint="try --test permutation")
    for matrix in read_matrices(collection, request.measures, request.tasks):
        for test in request.tests:
            result = compare(
                matrix,
                test=cast("TestName", test),
                statistic=cast("StatisticName", request.statistic),
                correction=cast("Correction", request.correction),
                alpha=request.alpha,
                baseline=request.baseline,
                n_resamples=request.n_resamples,
                seed=request.seed,
            )
            yield result, matrix
