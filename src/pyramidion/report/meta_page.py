"""Judged metrics as one page that needs nothing else, or as sections of another page."""

from collections.abc import Iterator, Sequence

from pyramidion.evaluation._meta.labels import human_name, shown_peers
from pyramidion.evaluation._meta.options import MetaOptions
from pyramidion.evaluation._meta.result import MetaResult
from pyramidion.evaluation.procedures import CORRECTION_TEXTS, META_TEST_TEXTS
from pyramidion.report.meta import Judged
from pyramidion.report.meta_figures import meta_figures
from pyramidion.report.meta_parts import MetaPart
from pyramidion.report.meta_tables import correlation_table, matrix_table
from pyramidion.report.page import Section, figure_block, paragraph, render_page, table_block

__all__ = ["meta_page", "meta_sections"]


def meta_page(judged: Judged, *, title: str) -> str:
    """Put correlations, tests, figures and method text on one page.

    Parameters
    ----------
    judged
        What was judged.
    title
        What the page is about.
    """
    metrics = len({name for result in judged.results for name in result.correlations})
    humans = ", ".join(dict.fromkeys(result.human for result in judged.results))
    return render_page(
        title,
        list(meta_sections(judged)),
        lead=f"{metrics} metrics judged against {humans}.",
        signature=str(judged.answer.signature),
    )


def meta_sections(judged: Judged) -> Iterator[Section]:
    """Give a section for each human measure and task, and one for the method.

    Parameters
    ----------
    judged
        What was judged.
    """
    for result, parts in zip(judged.results, judged.parts, strict=True):
        yield Section(f"Metrics against {human_name(result)}", tuple(_blocks(result, parts)))
    method = [*map(paragraph, _method(judged.results[0].options))]
    left_out = (paragraph(f"Left out: {line}.", soft=True) for line in judged.answer.left_out)
    signature = paragraph(f"Signature: {judged.answer.signature}", soft=True)
    yield Section("How metrics were judged", (*method, *left_out, signature))


def _blocks(result: MetaResult, parts: Sequence[MetaPart]) -> Iterator[str]:
    from pyramidion.report import charts

    yield table_block(correlation_table(result))
    for _, caption, figure in meta_figures(result):
        yield figure_block(charts.render(figure, "svg").decode(), caption)
    for matrix in result.matrices:
        if matrix.peers in shown_peers(result):
            yield table_block(matrix_table(result, matrix))
    for part in parts:
        yield from map(table_block, part.tables)
        for _, caption, draw in part.figures:
            yield figure_block(charts.render(draw(), "svg").decode(), caption)


def _method(options: MetaOptions) -> Iterator[str]:
    yield (
        "Several assessors of a summary were averaged. At system level the systems' means over "
        "topics are correlated; at input level systems are correlated within each topic and the "
        "defined correlations averaged; at global level all summaries are correlated at once. "
        "Only summaries that have both scores count."
    )
    yield _INTERVALS[options.method].format(over=_DRAWN[options.over], n=options.n_resamples)
    for test in options.tests:
        yield META_TEST_TEXTS[test].method.format(over=_DRAWN[options.over])
    if options.tests:
        yield f"{CORRECTION_TEXTS[options.correction].metric_method}; alpha = {options.alpha:g}."
    yield _SOURCE


_DRAWN = {"both": "systems and topics", "systems": "systems", "inputs": "topics"}
_INTERVALS = {
    "percentile": "Intervals are percentiles of {n:,} resamples in which {over} were drawn with "
    "replacement, the same draws for all metrics (Deutsch et al. 2021).",
    "bca": "Intervals are bias-corrected and accelerated (BCa), from {n:,} resamples in which "
    "{over} were drawn with replacement, the same draws for all metrics (Deutsch et al. 2021).",
    "fisher": "Intervals are Fisher's, with Bonett and Wright's errors for rank correlations.",
}
_SOURCE = (
    "D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics "
    "using resampling methods. TACL 9, 2021."
)
