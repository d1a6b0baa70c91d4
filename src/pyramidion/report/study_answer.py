"""What all studies have in common: how they begin, and how they answer."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, Signature
from pyramidion.report.answer import Answer
from pyramidion.report.charts.style import require_figure_file
from pyramidion.report.signing import Details, named
from pyramidion.report.study_source import Source, StudyRequest, read_study
from pyramidion.report.table import Table

__all__ = ["begin_study", "study_answer"]


def begin_study(
    source: Source, request: StudyRequest | None, figure: str | Path | None = None
) -> tuple[StudyRequest, Collection]:
    """Read what a study looks at, once it is clear that its figure can be drawn.

    Parameters
    ----------
    source
        A collection, or where it is.
    request
        What to look at; everything if it is not given.
    figure
        A file for a figure.

    Examples
    --------
    >>> begin_study(Collection("mine"), None)[0].topics
    ()
    """
    asked = request or StudyRequest()
    if figure is not None:
        require_figure_file(Path(figure))
    return asked, read_study(source, asked)


def study_answer(
    name: str,
    collection: Collection,
    request: StudyRequest,
    *,
    results: Sequence[Mapping[str, Any]],
    tables: Sequence[Table],
    left_out: Iterable[str] = (),
    subject: str = "",
    details: Details = (),
    seed: int | None = None,
) -> Answer:
    """Make the answer of a study, signed with what was asked.

    Parameters
    ----------
    name
        Which study.
    collection, request
        What it looked at.
    results, tables, left_out
        See `Answer`; what the collection itself lacks is added.
    subject
        What the signature has in brackets.
    details, seed
        See `Signature`; the topics and tasks that were chosen are added.

    Examples
    --------
    >>> asked = StudyRequest(topics=("T1", "T2"))
    >>> answer = study_answer("quality", Collection("mine"), asked, results=[], tables=())
    >>> answer.command, str(answer.signature).split("|")[:2]
    ('study quality', ['study-quality', 'topic:T1+T2'])
    """
    chosen = (*named("topic", request.topics), *named("task", request.tasks))
    signature = Signature(
        f"study-{name}({subject})" if subject else f"study-{name}",
        data=collection.data_hash,
        seed=seed,
        details=(*details, *chosen),
    )
    every = (*collection.left_out, *left_out)
    return Answer(f"study {name}", signature, results, tables, every)
