"""A comparison as one page that needs nothing else, with what was done in words for a paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pyramidion.collection import Collection
from pyramidion.collection.questions import Options, option, question
from pyramidion.collection.sources import read_scored
from pyramidion.evaluation._compare.charts import comparison_charts
from pyramidion.evaluation._compare.compare import CompareOptions
from pyramidion.evaluation._compare.result import ComparisonResult
from pyramidion.evaluation._compare.view import (
    Compared,
    Comparisons,
    compare,
    counts_table,
    name_of,
    pairs_table,
    ranking_table,
    signature_of,
)
from pyramidion.evaluation._procedures import CORRECTION_TEXTS, TEST_TEXTS
from pyramidion.report.charts import render
from pyramidion.report.page import HtmlPage, Section, figure_block, paragraph, table_block

_CITATIONS = {
    "Fisher 1935": "R. A. Fisher. The Design of Experiments. Oliver and Boyd, 1935.",
    "Wilcoxon 1945": "F. Wilcoxon. Individual comparisons by ranking methods. Biometrics Bulletin "
    "1, 1945.",
    "Student 1908": "Student. The probable error of a mean. Biometrika 6, 1908.",
    "Welch 1947": "B. L. Welch. The generalization of Student's problem. Biometrika 34, 1947.",
    "Bickel and Ren 2001": "P. J. Bickel and J.-J. Ren. The bootstrap in hypothesis testing. IMS "
    "Lecture Notes 36, 2001.",
    "Rankel et al. 2011": "P. Rankel, J. M. Conroy, E. V. Slud and D. P. O'Leary. Ranking human "
    "and machine summarization systems. EMNLP 2011.",
    "Westfall and Young 1993": "P. H. Westfall and S. S. Young. Resampling-Based Multiple Testing. "
    "Wiley, 1993.",
    "Holm (1979)": "S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian "
    "Journal of Statistics 6, 1979.",
    "Benjamini and Hochberg (1995)": "Y. Benjamini and Y. Hochberg. Controlling the false "
    "discovery rate. JRSS B 57, 1995.",
}


@dataclass(frozen=True, slots=True)
class PageOptions(Options):
    """What else stands on the page."""

    title: str = option("", "Title of the page; the name of the collection by default.")
    human: tuple[str, ...] = option(
        (), "Human measures, with commas: judges the metrics by them as well.", metavar="MEASURE"
    )
    metrics: tuple[str, ...] = option(
        (), "Metrics to judge, with commas or repeated; every other measure by default.",
        flags=("--metric",), metavar="MEASURE",
    )  # fmt: skip
    assessors: bool = option(
        False, "Judge the assessors on the page as well.", flags=("--assessors",)
    )


@question
def report_page(source: Compared, options: CompareOptions, page: PageOptions) -> HtmlPage:
    """Write a self-contained HTML report: ranking, significance, figures, tables, methods.

    With --human the metrics are judged on the page as well, as `pyramidion meta` does, and with
    --assessors those who judged, as `pyramidion assessors` does.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> page = report_page(load_demo(), measures="readability", tasks="A")
    >>> page.title
    'The Pyramidion demonstration collection'
    >>> page.to_html().count("<svg")
    5
    """
    collection = read_scored(source.source, format=source.source_format)
    source = replace(source, source=collection)
    more = _judged(collection, source, options, page) if page.human else []
    more += _assessed(collection, source, options) if page.assessors else []
    compared = compare.run(source, options)
    return comparison_page(compared, title=page.title or collection.name, more=more)


def comparison_page(compared: Comparisons, *, title: str, more: Sequence[Section] = ()) -> HtmlPage:
    """Put ranking, significance, figures, tables and method text on one page."""
    results = compared.values
    systems = max(len(result.systems) for result in results)
    measures = len({result.measure for result in results})
    return HtmlPage(
        title,
        (
            Section("Which systems differ", tuple(_overview(compared))),
            *(
                Section(name_of(result), tuple(_blocks(compared, number)))
                for number, result in enumerate(results)
            ),
            Section("Method", tuple(map(paragraph, method_text(results)))),
            *more,
        ),
        lead=f"{systems} systems compared under {measures} measure{'s' if measures > 1 else ''}.",
        signature=str(compared.signature),
    )


def _overview(compared: Comparisons) -> Iterator[str]:
    yield table_block(counts_table(compared.values))
    yield from (paragraph(f"Left out: {line}.", soft=True) for line in compared.left_out)


def _blocks(compared: Comparisons, number: int) -> Iterator[str]:
    result = compared[number]
    yield table_block(ranking_table(result))
    for chart in comparison_charts(result, compared.matrices[number]):
        yield figure_block(render(chart.draw(), "svg").decode(), chart.caption)
    yield table_block(pairs_table(result))
    yield paragraph(f"Signature: {signature_of(compared, result)}", soft=True)


def method_text(results: Sequence[ComparisonResult]) -> Iterator[str]:
    """Describe how systems were compared, and cite what that rests on."""
    first = results[0]
    paragraphs = [
        "Each pair of systems was compared on the topics that both have a score on; a topic is "
        "a block. Several assessors of one summary were averaged. Intervals of means are "
        "percentiles of a bootstrap over topics, the same draws for all systems."
    ]
    for test in dict.fromkeys(result.test for result in results):
        paragraphs.append(f"{test}: {TEST_TEXTS[test].method}.")
    resamples = max(result.n_resamples for result in results)
    drawn = f" P-values of resampling rest on {resamples:,} resamples." if resamples else ""
    correction = CORRECTION_TEXTS[first.correction].method
    paragraphs.append(
        f"{correction[0].upper()}{correction[1:]}; alpha = {first.alpha:g}.{drawn} Counts without "
        "correction stand beside, for comparison with older work."
    )
    yield from paragraphs
    text = " ".join(paragraphs)
    yield from (source for name, source in _CITATIONS.items() if name in text)


def _judged(
    collection: Collection, source: Compared, options: CompareOptions, page: PageOptions
) -> list[Section]:
    """Judge the metrics of the page's tasks."""
    from pyramidion.evaluation._judged import Judged
    from pyramidion.evaluation._meta.page import meta_sections
    from pyramidion.evaluation._meta.result import MetaOptions
    from pyramidion.evaluation._meta.view import meta_evaluate

    asked = Judged(collection, human=page.human, metrics=page.metrics, tasks=source.tasks)
    judging = MetaOptions(alpha=options.alpha, seed=options.seed)
    return list(meta_sections(meta_evaluate.run(asked, judging)))


def _assessed(collection: Collection, source: Compared, options: CompareOptions) -> list[Section]:
    """Judge the assessors of the page's tasks."""
    from pyramidion.evaluation._assessors.view import assessor_sections, assessors

    return list(assessor_sections(assessors(collection, task=source.tasks, seed=options.seed)))
