"""Composite scores, from a file of scores."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.collection import Collection, Scores, Signature
from pyramidion.collection.files import writing_folder
from pyramidion.collection.formats.scores import write_scores
from pyramidion.collection.sources import read_scored
from pyramidion.errors import InputError
from pyramidion.evaluation._composite.compose import Composite, compose
from pyramidion.evaluation._judged import meta_tables, place_name
from pyramidion.evaluation._matrices import read_matrices
from pyramidion.evaluation._meta.labels import named_metric
from pyramidion.evaluation._pair_verdicts import VerdictOptions
from pyramidion.report.answer import Answer
from pyramidion.report.labels import figure_stem
from pyramidion.report.old_figures import require_figures
from pyramidion.report.table import Cell, Table

__all__ = ["CompositeRequest", "composite_answer", "composite_scores"]

_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class CompositeRequest:
    """What to compose.

    Parameters
    ----------
    measures, tasks
        Which; all by default.
    components
        How many to keep; all by default.
    within_topics
        Whether each topic's mean is taken out first.
    lower_is_better
        Measures to turn, beside those known for it.
    options
        The test under which systems are told apart.

    Examples
    --------
    >>> CompositeRequest().within_topics
    False
    """

    measures: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    components: int | None = None
    within_topics: bool = False
    lower_is_better: tuple[str, ...] = ()
    options: VerdictOptions = field(default_factory=VerdictOptions)


def composite_answer(
    source: str | Path,
    request: CompositeRequest,
    *,
    source_format: str | None = None,
    scores: str | Path | None = None,
    figures: str | Path | None = None,
    figure_form: str = "svg",
) -> Answer:
    """Find the principal components of measures, and how well they tell systems apart.

    Parameters
    ----------
    source
        A table of scores, or a collection in any format.
    request
        What to compose.
    source_format
        The source's format; guessed if it is not given.
    scores
        A file for the components' scores of every summary.
    figures, figure_form
        A folder to draw into, and the files' form: svg, pdf or png.
    """
    if figures is not None:
        require_figures(figures, figure_form)
    collection = read_scored(source, format=source_format)
    found, skipped = _composed(collection, request)
    if figures is not None:
        _write_figures(found, figures, figure_form)
    if scores is not None:
        write_scores(composite_scores(found), scores)
    return Answer(
        command="composite",
        signature=_signature(found, request, collection.data_hash),
        results=[_record(one) for one in found],
        tables=[show(one) for one in found for show in (_loadings_table, _separation_table)],
        left_out=(
            *collection.left_out,
            *skipped,
            *(line for one in found for line in one.left_out),
        ),
    )


def _composed(
    collection: Collection, request: CompositeRequest
) -> tuple[list[Composite], list[str]]:
    """Compose the measures of each collection and task that have two systems and topics."""
    matrices, skipped = read_matrices(collection, request.measures, request.tasks)
    names = list(dict.fromkeys(matrix.measure for matrix in matrices))
    if len(names) < 2:
        raise InputError(f"there is one measure, {names[0]}", hint="a composite takes two or more")
    tables = meta_tables(
        collection.scores,
        names[0],
        metrics=names[1:],
        tasks=request.tasks,
        lower_is_better=request.lower_is_better,
    )
    found = [
        compose(
            one,
            options=request.options,
            components=request.components,
            within_topics=request.within_topics,
        )
        for one in tables
    ]
    absent = (line for one in tables for line in one.left_out if "no scores there" in line)
    return found, [*skipped, *absent]


def composite_scores(found: Sequence[Composite]) -> Scores:
    """Give the components' scores as a table, for `compare`, `meta` and others.

    Parameters
    ----------
    found
        The components of each task.
    """
    tables = []
    for one in found:
        for component in one.components:
            table = component.scores.to_scores()
            where = np.full(len(table), one.collection, dtype=object)
            tables.append(Scores({**table.columns, "collection": where}, table.value))
    return Scores.concatenate(tables)


def _signature(found: Sequence[Composite], request: CompositeRequest, data: str) -> Signature:
    options = request.options
    details = {
        "measures": str(len(found[0].measures)),
        "centred": "topics" if request.within_topics else "",
        "test": options.label,
        "correction": options.effective_correction,
        "alpha": f"{options.alpha:g}",
    }
    given = tuple((name, value) for name, value in details.items() if value)
    return Signature("composite(pca)", data=data, seed=options.seed, details=given)


def _loadings_table(one: Composite) -> Table:
    shown = one.components[:_MOST_SHOWN]
    loadings = np.stack([component.loadings for component in shown], axis=1)
    shares: tuple[Cell, ...] = ("share of the variance", *(part.share for part in shown))
    rows: list[tuple[Cell, ...]] = [shares]
    rows += [
        (named_metric(name, one.negated), *row)
        for name, row in zip(one.measures, loadings.tolist(), strict=True)
    ]
    hidden = len(one.components) - len(shown)
    note = "Correlation of each measure with each component."
    note += f" {hidden} more components are in the JSON." if hidden > 0 else ""
    return Table(
        ("measure", *(part.name for part in shown)),
        tuple(rows),
        title=_title("Principal components", one),
        note=note,
        digits=3,
        key=(("collection", one.collection), ("task", one.task)),
    )


def _separation_table(one: Composite) -> Table:
    shares = {component.name: component.share for component in one.components}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            named_metric(own.measure, one.negated),
            shares.get(own.measure),
            own.significant,
            own.pairs,
            own.human_machine_significant,
            own.human_machine_pairs,
            own.f,
            own.df,
            own.residual_df,
        )
        for own in sorted(one.separations, key=lambda own: -own.significant)
    )
    columns: tuple[str, ...] = (
        "measure", "share of the variance", "significant", "pairs", "significant (h-m)",
        "pairs (h-m)", "F", "df", "residual df",
    )  # fmt: skip
    if not any(own.human_machine_pairs for own in one.separations):
        rows = tuple((*row[:4], *row[6:]) for row in rows)
        columns = (*columns[:4], *columns[6:])
    options = one.options
    note = (
        f"On {one.summaries:,} summaries that have all measures. Pairs of systems that differ at "
        f"{options.alpha:g} under {options.label}, correction: {options.effective_correction}. "
        "F of systems, with topics as blocks."
    )
    return Table(
        columns,
        rows,
        title=_title("How well systems are told apart", one),
        note=note,
        digits=3,
        key=(("collection", one.collection), ("task", one.task)),
    )


def _title(what: str, one: Composite) -> str:
    where = place_name("", one.task, one.collection)
    return f"{what}: {where}" if where else what


def _record(one: Composite) -> dict[str, Any]:
    return {
        "task": one.task,
        "collection": one.collection,
        "measures": list(one.measures),
        "lower_is_better": list(one.negated),
        "summaries": one.summaries,
        "test": one.options.label,
        "correction": one.options.effective_correction,
        "alpha": one.options.alpha,
        "components": [
            {
                "name": part.name,
                "share": part.share,
                "loadings": dict(zip(one.measures, part.loadings.tolist(), strict=True)),
                "weights": dict(zip(one.measures, part.weights.tolist(), strict=True)),
            }
            for part in one.components
        ],
        "separations": [asdict(own) for own in one.separations],
    }


def _write_figures(found: Sequence[Composite], folder: str | Path, form: str) -> None:
    from pyramidion.report.figures import save
    from pyramidion.report.figures.composite import loadings_figure, separation_figure

    with writing_folder(folder) as new:
        for one in found:
            for name, draw in (("loadings", loadings_figure), ("separation", separation_figure)):
                stem = figure_stem(one.collection, one.task, name)
                save(draw(one), new / f"{stem}.{form}")
