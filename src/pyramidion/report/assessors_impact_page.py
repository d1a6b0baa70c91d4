"""What leaving out the worst assessors changes, as figures and as one page."""

from collections.abc import Iterator, Sequence

from pyramidion.evaluation.assessors.impact import Impact
from pyramidion.report.answer import Answer
from pyramidion.report.assessors_figures import Drawn
from pyramidion.report.assessors_impact_tables import impact_groups, shown_metrics
from pyramidion.report.assessors_page import figure_blocks
from pyramidion.report.labels import figure_stem
from pyramidion.report.page import Section, paragraph, render_page, table_block

__all__ = ["impact_figures", "impact_page", "impact_sections"]


def impact_figures(found: Sequence[Impact]) -> Iterator[Drawn]:
    """Draw rankings and metrics: name, caption and figure, one by one.

    Parameters
    ----------
    found
        The impacts.
    """
    from pyramidion.report.figures.impact import impact_figure, metric_impact_figure

    for group in impact_groups(found):
        first = group[0]
        task = "all-tasks" if first.task is None else first.task
        stem = figure_stem("impact", first.collection, task, first.peers)
        caption = "How far rankings without the worst assessors agree with the full one."
        yield stem, caption, impact_figure(group)
        metrics = shown_metrics(group)
        if metrics:
            caption = "How metrics correlate with single summaries by the assessors that are left."
            yield f"{stem}-summaries", caption, metric_impact_figure(group, metrics)
            caption = "How metrics correlate with systems' means by the assessors that are left."
            figure = metric_impact_figure(group, metrics, level="system")
            yield f"{stem}-systems", caption, figure


def impact_page(answer: Answer, found: Sequence[Impact], *, title: str) -> str:
    """Put rankings, metrics and figures on one page.

    Parameters
    ----------
    answer
        The answer of the command.
    found
        The impacts.
    title
        What the page is about.
    """
    lead = "Evaluations without the topics and judgments of the least consistent assessors."
    sections = list(impact_sections(answer, found))
    return render_page(title, sections, lead=lead, signature=str(answer.signature))


def impact_sections(answer: Answer, found: Sequence[Impact]) -> Iterator[Section]:
    """Give a section of figures, one of tables, and one for what was left out.

    Parameters
    ----------
    answer, found
        As for `impact_page`.
    """
    yield Section("Without the worst assessors", tuple(figure_blocks(impact_figures(found))))
    yield Section("Rankings, metrics and models", tuple(map(table_block, answer.tables)))
    left_out = tuple(paragraph(f"Left out: {line}.", soft=True) for line in answer.left_out)
    signature = paragraph(f"Signature: {answer.signature}", soft=True)
    yield Section("What was not considered", (*left_out, signature))
