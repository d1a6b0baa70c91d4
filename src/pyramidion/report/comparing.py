"""Comparing systems from a file of scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.collection.sources import read_scored
from pyramidion.errors import InputError
from pyramidion.evaluation import ComparisonResult, compare
from pyramidion.evaluation._matrices import read_matrices
from pyramidion.evaluation.procedures import Correction, StatisticName, TestName
from pyramidion.report.answer import Answer
from pyramidion.report.comparison import comparison_answer
from pyramidion.report.comparison_figures import write_comparison_figures
from pyramidion.report.comparison_page import comparison_page
from pyramidion.report.old_figures import require_figures
from pyramidion.report.page import Section

__all__ = ["CompareRequest", "Compared", "compare_answer", "compare_collection", "report_page"]


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """What to compare and how; see `compare` for most fields.

    Parameters
    ----------
    measures, tasks
        Which; all if none is named.
    tests
        One or several tests.
    assessor
        Take this assessor's judgments only, instead of the mean of all.
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
    assessor: str | None = None
    statistic: str = "w"
    correction: str = "maxt"
    alpha: float = 0.05
    baseline: str | None = None
    n_resamples: int = 9999
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Compared:
    """Comparisons with the scores they compared.

    Parameters
    ----------
    results, matrices
        In the same order.
    answer
        The results as data and tables.
    """

    results: list[ComparisonResult]
    matrices: list[ScoreMatrix]
    answer: Answer


def compare_collection(collection: Collection, request: CompareRequest) -> Compared:
    """Compare under each measure, task and test.

    Parameters
    ----------
    collection
        What holds the scores.
    request
        What to compare.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> compared = compare_collection(load_demo(), CompareRequest(("readability",)))
    >>> [result.task for result in compared.results]
    ['A', 'B']
    """
    if not request.tests:
        raise InputError("no test is named", hint="try --test permutation")
    matrices, left_out = read_matrices(
        collection, request.measures, request.tasks, assessor=request.assessor
    )
    both = [(_compared(m, test, request), m) for m in matrices for test in request.tests]
    results = [result for result, _ in both]
    answer = comparison_answer(
        results,
        data=collection.data_hash,
        seed=request.seed,
        assessor=request.assessor,
        left_out=(*collection.left_out, *left_out),
    )
    return Compared(results, [matrix for _, matrix in both], answer)


def _compared(matrix: ScoreMatrix, test: str, request: CompareRequest) -> ComparisonResult:
    return compare(
        matrix,
        test=cast("TestName", test),
        statistic=cast("StatisticName", request.statistic),
        correction=cast("Correction", request.correction),
        alpha=request.alpha,
        baseline=request.baseline,
        n_resamples=request.n_resamples,
        seed=request.seed,
    )


def compare_answer(
    source: str | Path,
    request: CompareRequest,
    *,
    source_format: str | None = None,
    figures: str | Path | None = None,
    figure_form: str = "svg",
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
    figures, figure_form
        A folder to draw into, and the files' form: svg, pdf or png.
    """
    if figures is not None:
        require_figures(figures, figure_form)
    compared = compare_collection(read_scored(source, format=source_format), request)
    if figures is not None:
        write_comparison_figures(compared.results, compared.matrices, figures, figure_form)
    return compared.answer


def report_page(
    collection: Collection,
    request: CompareRequest,
    *,
    title: str = "",
    more: Sequence[Section] = (),
) -> str:
    """Compare the systems of a collection on one self-contained page.

    Parameters
    ----------
    collection
        What holds the scores.
    request
        What to compare.
    title
        What stands on top; the collection's name by default.
    more
        Sections to add at the end.
    """
    compared = compare_collection(collection, request)
    return comparison_page(
        compared.answer,
        compared.results,
        compared.matrices,
        title=title or collection.name,
        more=more,
    )
