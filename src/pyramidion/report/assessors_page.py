"""What was found out about assessors as one page, or as sections of another page."""

from collections.abc import Iterator

from pyramidion.evaluation.assessors.study import AssessorStudy
from pyramidion.report.answer import Answer
from pyramidion.report.assessors_figures import Drawn, assessor_figures
from pyramidion.report.assessors_tables import assessor_tables, span_name, years_table
from pyramidion.report.page import Section, figure_block, paragraph, render_page, table_block

__all__ = ["assessor_page", "assessor_sections", "figure_blocks"]


def assessor_page(answer: Answer, study: AssessorStudy, *, title: str) -> str:
    """Put consistency, severity, agreement, figures and method text on one page.

    Parameters
    ----------
    answer
        The answer of the command, for its signature and what was left out.
    study
        What was found out.
    title
        What the page is about.
    """
    assessors = study.panel.judgments.distinct("assessor")
    lead = f"{len(assessors)} assessors judged by {', '.join(study.panel.measures)}."
    sections = list(assessor_sections(answer, study))
    return render_page(title, sections, lead=lead, signature=str(answer.signature))


def assessor_sections(answer: Answer, study: AssessorStudy) -> Iterator[Section]:
    """Give a section for each year, one for all together, and one for the method.

    Parameters
    ----------
    answer, study
        As for `assessor_page`.
    """
    tables = list(assessor_tables(study))
    for collection in study.panel.spans():
        name = span_name(collection)
        own = [table for table in tables if ("collection", name) in table.key]
        blocks = [*map(table_block, own), *figure_blocks(assessor_figures(study, collection))]
        yield Section(f"Assessors of {name}", tuple(blocks))
    left_out = (paragraph(f"Left out: {line}.", soft=True) for line in answer.left_out)
    signature = paragraph(f"Signature: {answer.signature}", soft=True)
    method = map(paragraph, _method(study))
    counted = table_block(years_table(study))
    yield Section("How assessors were judged", (counted, *method, *left_out, signature))


def figure_blocks(drawn: Iterator[Drawn]) -> Iterator[str]:
    """Put figures into the page.

    Parameters
    ----------
    drawn
        Names, captions and figures.
    """
    from pyramidion.report.figures import render

    for _, caption, figure in drawn:
        yield figure_block(render(figure, "svg").decode(), caption)


def _method(study: AssessorStudy) -> Iterator[str]:
    options = study.options
    yield (
        "Two summaries of a topic are identical if they are the same sequence of runs of a-z and "
        "0-9, in small letters. Each two systems with identical summaries give a pair of judgments "
        "by each assessor; so does a summary that an assessor judged on two occasions."
    )
    levels = {(own.measure, own.level.level, own.level.reason) for own in study.consistency}
    said = "; ".join(f"{measure}: {level} ({why})" for measure, level, why in sorted(levels))
    yield (
        "Krippendorff's alpha compares the difference within pairs with that between any two "
        f"values. Level: {said}. Intervals are percentiles of {options.n_resamples:,} draws of "
        "topics with replacement."
    )
    yield (
        "Severity is the assessor's main effect in a linear model of the mean scores that each "
        "assessor gave on each topic, with effects that sum to zero."
    )
    yield _SOURCE


_SOURCE = (
    "K. Owczarzak, P. A. Rankel, H. T. Dang and J. M. Conroy. Assessing the effect of inconsistent "
    "assessors on summarization evaluation. ACL 2012."
)
