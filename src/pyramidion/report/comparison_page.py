"""A comparison as one page that needs nothing else."""

from collections.abc import Iterator, Sequence

from pyramidion.collection import ScoreMatrix
from pyramidion.evaluation import ComparisonResult
from pyramidion.report.answer import Answer
from pyramidion.report.comparison import (
    counts_table,
    name_of,
    pairs_table,
    ranking_table,
    signature_of,
)
from pyramidion.report.comparison_figures import comparison_figures
from pyramidion.report.methods import method_text
from pyramidion.report.page import Section, figure_block, paragraph, render_page, table_block

__all__ = ["comparison_page"]


def comparison_page(
    answer: Answer,
    results: Sequence[ComparisonResult],
    matrices: Sequence[ScoreMatrix],
    *,
    title: str,
    more: Sequence[Section] = (),
) -> str:
    """Put ranking, significance, figures, tables and method text on one page.

    Parameters
    ----------
    answer
        The answer of the comparison, for its signature and what was left out.
    results, matrices
        The comparisons and what they compared, in the same order.
    title
        What the page is about.
    more
        Sections to add at the end.
    """
    sections = [Section("Which systems differ", tuple(_overview(answer, results)))]
    for result, matrix in zip(results, matrices, strict=True):
        signature = paragraph(f"Signature: {signature_of(answer, result)}", soft=True)
        blocks = (*_blocks(result, matrix), signature)
        sections.append(Section(name_of(result), blocks))
    sections.append(Section("Method", tuple(map(paragraph, method_text(results)))))
    sections += more
    return render_page(title, sections, lead=_lead(results), signature=str(answer.signature))


def _lead(results: Sequence[ComparisonResult]) -> str:
    systems = max(len(result.systems) for result in results)
    measures = len({result.measure for result in results})
    return f"{systems} systems compared under {measures} measure{'s' if measures > 1 else ''}."


def _overview(answer: Answer, results: Sequence[ComparisonResult]) -> Iterator[str]:
    yield table_block(counts_table(results))
    yield from (paragraph(f"Left out: {line}.", soft=True) for line in answer.left_out)


def _blocks(result: ComparisonResult, matrix: ScoreMatrix) -> Iterator[str]:
    from pyramidion.report import figures

    yield table_block(ranking_table(result))
    for _, caption, figure in comparison_figures(result, matrix):
        yield figure_block(figures.render(figure, "svg").decode(), caption)
    yield table_block(pairs_table(result))
