"""The gap between people and machines, from a file of scores."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pyramidion.collection import Signature
from pyramidion.collection.files import writing_folder
from pyramidion.errors import InputError
from pyramidion.evaluation.gap import human_gap
from pyramidion.evaluation.gap_result import GapOptions, HumanGap, ToldApart
from pyramidion.evaluation.meta.tables import MetaTables, place_name
from pyramidion.evaluation.pair_verdicts import VerdictOptions
from pyramidion.report.answer import Answer
from pyramidion.report.comparison_figures import require_figures
from pyramidion.report.judged_tables import read_judged
from pyramidion.report.labels import figure_stem
from pyramidion.report.metric_words import named_metric
from pyramidion.report.table import Cell, Table

__all__ = [
    "GapRequest",
    "gap_answer",
    "gap_record",
    "gap_table",
    "gaps_of",
    "write_gap_figures",
]


@dataclass(frozen=True, slots=True)
class GapRequest:
    """Which gaps to measure.

    Parameters
    ----------
    humans, metrics, tasks
        Manual measures, metrics (all other measures if none is named) and tasks.
    lower_is_better
        Metrics by which lower scores are better, beside those known for it.
    options
        How the gap is measured.
    test
        How pairs of a person and a machine are told apart.

    Examples
    --------
    >>> GapRequest(("responsiveness",)).options.fit
    'ols'
    """

    humans: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()
    options: GapOptions = field(default_factory=GapOptions)
    test: VerdictOptions = field(default_factory=VerdictOptions)


def gaps_of(tables: MetaTables, request: GapRequest) -> list[HumanGap]:
    """Measure the gap that each metric leaves, the smallest one first.

    Parameters
    ----------
    tables
        A manual measure and metrics side by side.
    request
        How to measure.
    """
    found = [
        human_gap(tables, name, options=request.options, test=request.test)
        for name in tables.metrics
    ]
    # The gap in units of the machines' spread can be compared between metrics.
    return sorted(found, key=lambda gap: (bool(gap.undefined), abs(gap.standardised)))


def gap_answer(
    source: str | Path,
    request: GapRequest,
    *,
    source_format: str | None = None,
    figures: str | Path | None = None,
    figure_form: str = "svg",
) -> Answer:
    """Tell how far people are above what metrics predict from machines.

    Parameters
    ----------
    source
        A table of scores, or a collection in any format.
    request
        What to measure.
    source_format
        The source's format; guessed if it is not given.
    figures, figure_form
        A folder to draw into, and the files' form: svg, pdf or png.
    """
    if figures is not None:
        require_figures(figures, figure_form)
    collection, tables = read_judged(
        source,
        request.humans,
        metrics=request.metrics,
        tasks=request.tasks,
        lower_is_better=request.lower_is_better,
        source_format=source_format,
    )
    groups = [gaps_of(one, request) for one in tables]
    _require_any(groups)
    if figures is not None:
        write_gap_figures(groups, figures, figure_form)
    return Answer(
        command="gap",
        signature=_signature(groups, request, collection.data_hash),
        results=[_record(gap) for group in groups for gap in group],
        tables=[gap_table(group) for group in groups],
        left_out=(*collection.left_out, *_left_out(groups)),
    )


def _require_any(groups: Sequence[Sequence[HumanGap]]) -> None:
    gaps = [gap for group in groups for gap in group]
    if all(gap.undefined for gap in gaps):
        first = gaps[0]
        name = place_name(first.manual, first.task, first.collection)
        raise InputError(
            f"{name} and {first.metric}: {first.undefined}",
            hint="a gap takes people and three machines with scores of both",
        )


def _left_out(groups: Sequence[Sequence[HumanGap]]) -> Iterator[str]:
    for group in groups:
        for gap in group:
            if gap.undefined:
                yield f"{place_name(gap.metric, gap.task, gap.collection)}: {gap.undefined}"


def _signature(groups: Sequence[Sequence[HumanGap]], request: GapRequest, data: str) -> Signature:
    options, test = request.options, request.test
    details = {
        "human": "+".join(dict.fromkeys(gap.manual for group in groups for gap in group)),
        "means": "plain" if options.plain else "adjusted",
        "over": options.over,
        "interval": f"{options.method}-{options.confidence_level:g}",
        "test": test.label,
        "correction": test.effective_correction,
        "alpha": f"{test.alpha:g}",
        "n": str(options.n_resamples),
    }
    return Signature(
        f"gap({options.fit})", data=data, seed=options.seed, details=tuple(details.items())
    )


def gap_table(gaps: Sequence[HumanGap]) -> Table:
    """Show the gap that each metric leaves, and how many pairs it tells apart.

    Parameters
    ----------
    gaps
        Of one manual measure and task.
    """
    first = gaps[0]
    where = place_name(first.manual, first.task, first.collection)
    rows: list[tuple[Cell, ...]] = [_row(gap) for gap in gaps]
    rows.append((first.manual, *[None] * 7, *_told(first.by_manual)))
    columns = (
        "metric", "gap", "low", "high", "gap in SD", "slope", "r of machines", "score needed",
        "person better", "machine better", "pairs",
    )  # fmt: skip
    options, test = first.options, first.test
    corrected = "" if test.effective_correction == "none" else f", {test.effective_correction}"
    note = (
        f"Gap: how far people's {first.manual} is above the machines' line, on average, with a "
        f"{options.confidence_level:.0%} interval; in SD: in standard deviations of the machines "
        "about the line. Score needed: where the line reaches the lowest person. Better: of pairs "
        f"that differ significantly at {test.alpha:g} ({test.label}{corrected})."
    )
    return Table(
        columns,
        tuple(rows),
        title=f"People above the machines' line: {where}",
        note=note,
        digits=3,
        key=(("human", first.manual), ("collection", first.collection), ("task", first.task)),
    )


def _row(gap: HumanGap) -> tuple[Cell, ...]:
    slope = None if gap.line is None else gap.line.slope
    needed: Cell = "never" if gap.needed == float("inf") else gap.needed
    return (
        named_metric(gap.metric, (gap.metric,) if gap.turned else ()),
        gap.gap,
        gap.low,
        gap.high,
        gap.standardised,
        slope,
        gap.correlation,
        needed,
        *_told(gap.by_metric),
    )


def _told(told: ToldApart) -> tuple[int, int, int]:
    return told.person_better, told.machine_better, told.pairs


def gap_record(gap: HumanGap) -> dict[str, Any]:
    """Give a gap as the keys that scripts rely on, without the systems.

    Parameters
    ----------
    gap
        Of one metric.
    """
    line = gap.line
    return {
        "gap": gap.gap,
        "low": gap.low,
        "high": gap.high,
        "standardised": gap.standardised,
        "fit": gap.options.fit,
        "intercept": None if line is None else line.intercept,
        "slope": None if line is None else line.slope,
        "spread": gap.spread,
        "correlation": gap.correlation,
        "score_needed": gap.needed,
        "lower_is_better": gap.turned,
        "human_machine": {"metric": asdict(gap.by_metric), "human": asdict(gap.by_manual)},
        "undefined": gap.undefined,
    }


def _record(gap: HumanGap) -> dict[str, Any]:
    about = {
        "human": gap.manual,
        "metric": gap.metric,
        "task": gap.task,
        "collection": gap.collection,
    }
    return {**about, **gap_record(gap), "systems": [asdict(point) for point in gap.points]}


def write_gap_figures(
    groups: Sequence[Sequence[HumanGap]], folder: str | Path, form: str = "svg", *, most: int = 6
) -> None:
    """Draw the smallest gaps of each manual measure and task, whole or not at all.

    Parameters
    ----------
    groups
        For each manual measure and task.
    folder, form
        Where the files go, which must not exist yet, and svg, pdf or png.
    most
        How many metrics are drawn in one figure.
    """
    from pyramidion.report.figures import save
    from pyramidion.report.figures.gap import gap_figure

    with writing_folder(folder) as new:
        for group in groups:
            drawn = [gap for gap in group if not gap.undefined][:most]
            if drawn:
                name = figure_stem(drawn[0].manual, drawn[0].collection, drawn[0].task, "gap")
                save(gap_figure(drawn), new / f"{name}.{form}")
