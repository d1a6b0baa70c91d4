"""How far assessors can be trusted, from files of judgments."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pyramidion.collection import Collection, Signature
from pyramidion.collection.files import write_text
from pyramidion.evaluation.assessors.study import AssessorStudy, StudyOptions, study_assessors
from pyramidion.report.answer import Answer
from pyramidion.report.assessors_figures import Drawn, assessor_figures, write_figures
from pyramidion.report.assessors_page import assessor_page
from pyramidion.report.assessors_records import assessor_records
from pyramidion.report.assessors_source import read_years
from pyramidion.report.assessors_tables import assessor_tables, contingency_table, span_name
from pyramidion.report.labels import figure_stem
from pyramidion.report.old_figures import require_figures

__all__ = ["assessors_answer", "study_answer", "study_signature"]


def assessors_answer(
    sources: Sequence[str | Path],
    options: StudyOptions,
    *,
    source_format: str | None = None,
    scores: Sequence[str | Path] = (),
    contingency: bool = False,
    figures: str | Path | None = None,
    figure_form: str = "svg",
    page: str | Path | None = None,
) -> Answer:
    """Tell how consistent, how severe and how much alike the assessors of some years are.

    Parameters
    ----------
    sources
        Collections in any format, one a year, or tables of scores.
    options
        What to ask.
    source_format
        The sources' format; guessed if it is not given.
    scores
        Tables of further scores.
    contingency
        Whether to list how often each two values were given to the same words.
    figures, figure_form
        A folder for figures, which must not exist yet, and svg, pdf or png.
    page
        A file for one self-contained page.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.demo import load_demo
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load_demo().save(f"{folder}/demo")
    ...     answer = assessors_answer([f"{folder}/demo"], StudyOptions(measures=("readability",)))
    >>> [record["assessor"] for record in answer.results]
    ['K', 'L', 'M', None]
    """
    if figures is not None:
        require_figures(figures, figure_form)
    years = read_years(sources, format=source_format, scores=scores)
    study = study_assessors(years, options)
    answer = study_answer(study, years, contingency=contingency)
    if figures is not None:
        write_figures(_drawn(study), figures, figure_form)
    if page is not None:
        title = f"Assessors: {', '.join(year.name for year in years)}"
        write_text(page, assessor_page(answer, study, title=title))
    return answer


def study_answer(
    study: AssessorStudy, years: Sequence[Collection], *, contingency: bool = False
) -> Answer:
    """Put what was found out into an answer.

    Parameters
    ----------
    study
        What was found out.
    years
        What it was found out about.
    contingency
        Whether to list how often each two values were given to the same words.
    """
    more = [contingency_table(study.consistency)] if contingency else []
    return Answer(
        command="assessors",
        signature=study_signature("assessors", study.options, years),
        results=assessor_records(study),
        tables=(*assessor_tables(study), *more),
        left_out=study.left_out,
    )


def study_signature(subject: str, options: StudyOptions, years: Sequence[Collection]) -> Signature:
    """Say what one must know to get the same answer again.

    Parameters
    ----------
    subject
        What was asked.
    options
        How.
    years
        About which data.
    """
    details = {
        "level": options.level or "by-scale",
        "beside": options.beside or "",
        "task": "+".join(options.tasks),
        "measures": "+".join(options.measures),
        "confidence": f"{options.confidence_level:g}",
        "n": str(options.n_resamples),
    }
    return Signature(
        subject,
        data="+".join(year.data_hash for year in years),
        seed=options.seed,
        details=tuple((name, value) for name, value in details.items() if value),
    )


def _drawn(study: AssessorStudy) -> Iterator[Drawn]:
    """Name figures by their year where there are several."""
    spans = study.panel.spans()
    for collection in spans:
        for name, caption, figure in assessor_figures(study, collection):
            year = span_name(collection).replace(" ", "-") if len(spans) > 1 else ""
            yield figure_stem(year, name), caption, figure
