"""Judged metrics as one page that needs nothing else, or as sections of another page."""

from collections.abc import Iterator

from pyramidion.evaluation._meta.labels import OVER_NAMES, human_name
from pyramidion.evaluation._meta.result import MetaEvaluation, MetaOptions
from pyramidion.evaluation._meta.view import (
    MetaResult,
    correlation_table,
    matrix_table,
    metric_charts,
    shown_matrices,
)
from pyramidion.evaluation._procedures import CORRECTION_TEXTS, META_TEST_TEXTS
from pyramidion.report.page import Section, chart_blocks, paragraph, render_page, table_block

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


def meta_page(result: MetaResult, *, title: str) -> str:
    """Put correlations, tests, figures and method text on one page."""
    metrics = len({name for one in result for name in one.correlations})
    humans = ", ".join(dict.fromkeys(one.human for one in result))
    return render_page(
        title,
        list(meta_sections(result)),
        lead=f"{metrics} metrics judged against {humans}.",
        signature=str(result.signature),
    )


def meta_sections(result: MetaResult) -> Iterator[Section]:
    """Give a section for each human measure and task, and one for the method."""
    for one in result:
        yield Section(f"Metrics against {human_name(one)}", tuple(_blocks(one)))
    method = map(paragraph, _method(result[0].options))
    left_out = (paragraph(f"Left out: {line}.", soft=True) for line in result.left_out)
    signature = paragraph(f"Signature: {result.signature}", soft=True)
    yield Section("How metrics were judged", (*method, *left_out, signature))


def _blocks(one: MetaEvaluation) -> Iterator[str]:
    yield table_block(correlation_table(one))
    yield from chart_blocks(metric_charts(one))
    for matrix in shown_matrices(one):
        yield table_block(matrix_table(one, matrix))
    for part in one.parts:
        yield from map(table_block, part.tables)
        yield from chart_blocks(part.charts)


def _method(options: MetaOptions) -> Iterator[str]:
    over = OVER_NAMES[options.over]
    yield (
        "Several assessors of a summary were averaged. At system level the systems' means over "
        "topics are correlated; at input level systems are correlated within each topic and the "
        "defined correlations averaged; at global level all summaries are correlated at once. "
        "Only summaries that have both scores count."
    )
    yield _INTERVALS[options.method].format(over=over, n=options.n_resamples)
    for test in options.tests:
        yield META_TEST_TEXTS[test].method.format(over=over)
    if options.tests:
        yield f"{CORRECTION_TEXTS[options.correction].metric_method}; alpha = {options.alpha:g}."
    yield _SOURCE
