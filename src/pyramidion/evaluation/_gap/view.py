"""How far people are above what a metric predicts from machines: the question and its tables."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from pyramidion.collection.questions import question
from pyramidion.errors import InputError
from pyramidion.evaluation._gap.measure import GapOptions, HumanGap, human_gap
from pyramidion.evaluation._judged import Judged, MetaTables, place_name
from pyramidion.evaluation._meta.labels import named_metric
from pyramidion.evaluation._pair_verdicts import VerdictOptions
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Table
from pyramidion.report.view import Column, View, data, shown

_MOST_DRAWN = 6


def _of_line(name: str) -> Any:
    return lambda gap: None if gap.line is None else getattr(gap.line, name)


GAP: View[HumanGap] = View(
    "gaps",
    (
        data("human", lambda gap: gap.manual),
        Column("metric", "metric", show=lambda g: named_metric(g.metric, (g.metric,) * g.negated)),
        data("task"),
        data("collection"),
        Column("gap", "gap"),
        Column("low", "low"),
        Column("high", "high"),
        Column("standardised", "gap in SD"),
        data("fit", lambda gap: gap.options.fit),
        data("intercept", _of_line("intercept")),
        Column("slope", "slope", _of_line("slope")),
        data("spread"),
        Column("correlation", "r of machines"),
        Column(
            "score_needed", "score needed", lambda gap: gap.needed,
            lambda gap: "never" if gap.needed == float("inf") else gap.needed,
        ),
        data("lower_is_better", lambda gap: gap.negated),
        data(
            "human_machine",
            lambda gap: {"metric": asdict(gap.by_metric), "human": asdict(gap.by_manual)},
        ),
        data("undefined"),
        data("systems", lambda gap: [asdict(point) for point in gap.points]),
        shown("person better", lambda gap: gap.by_metric.person_better),
        shown("machine better", lambda gap: gap.by_metric.machine_better),
        shown("pairs", lambda gap: gap.by_metric.pairs),
    ),
    digits=3,
    key=("human", "collection", "task"),
)  # fmt: skip


@question
def gap(source: Judged, options: GapOptions, test: VerdictOptions) -> Result[HumanGap]:
    """Measure how far people score above what a metric predicts from machines.

    A line is fitted to the machines' means and compared with people's, as in the dissertation's
    Figures 5.1 and 5.6. Pairs of a person and a machine that differ significantly are counted.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     (f"T{topic}", system, "human" if system > 7 else "machine", measure,
    ...      system + (3 if measure == "overall" and system > 7 else 0) + rng.normal())
    ...     for topic in range(12) for system in range(10) for measure in ("overall", "rouge-2")
    ... ]
    >>> frame = pd.DataFrame(rows, columns=["topic", "system", "kind", "measure", "value"])
    >>> result = gap(frame, human="overall")
    >>> round(result[0].gap)
    3
    """
    collection, tables = source.read()
    groups = [gaps_of(one, options, test) for one in tables]
    every = [gap for group in groups for gap in group]
    undefined = [(_where(gap.metric, gap), gap.undefined) for gap in every if gap.undefined]
    if len(undefined) == len(every):
        first = every[0]
        raise InputError(
            f"{_where(first.manual, first)} and {first.metric}: {first.undefined}",
            hint="a gap takes people and three machines with scores of both",
        )
    signature = signed(
        f"gap({options.fit})", collection.data_hash, options.seed,
        human="+".join(dict.fromkeys(gap.manual for gap in every)),
        means="plain" if options.plain else "adjusted", over=options.over,
        interval=f"{options.method}-{options.confidence_level:g}", test=test.label,
        correction=test.effective_correction, alpha=f"{test.alpha:g}", n=options.draws,
    )  # fmt: skip
    return Result(
        command="gap",
        signature=signature,
        values=every,
        record=GAP.record,
        tables=[gap_table(group) for group in groups],
        left_out=(*collection.left_out, *(f"{where}: {why}" for where, why in undefined)),
        charts=[chart for group in groups for chart in gap_charts(group)],
    )


def gaps_of(tables: MetaTables, options: GapOptions, test: VerdictOptions) -> list[HumanGap]:
    """Measure the gap that each metric leaves, the smallest in units of spread first."""
    found = [human_gap(tables, name, options=options, test=test) for name in tables.metrics]
    return sorted(found, key=lambda gap: (bool(gap.undefined), abs(gap.standardised)))


def gap_table(gaps: Sequence[HumanGap]) -> Table:
    """Show the gap that each metric leaves, and how many pairs it tells apart."""
    first, told = gaps[0], gaps[0].by_manual
    options, test = first.options, first.test
    corrected = "" if test.effective_correction == "none" else f", {test.effective_correction}"
    note = (
        f"Gap: how far people's {first.manual} is above the machines' line, on average, with a "
        f"{options.confidence_level:.0%} interval; in SD: in standard deviations of the machines "
        "about the line. Score needed: where the line reaches the lowest person. Better: of pairs "
        f"that differ significantly at {test.alpha:g} ({test.label}{corrected})."
    )
    people = (first.manual, *[None] * 7, told.person_better, told.machine_better, told.pairs)
    title = f"People above the machines' line: {_where(first.manual, first)}"
    return GAP.table(gaps, title, note, more=[people])


def _where(name: str, gap: HumanGap) -> str:
    return place_name(name, gap.task, gap.collection)


def gap_charts(gaps: Sequence[HumanGap]) -> Iterator[Chart]:
    """Draw the smallest gaps, if there are any."""
    from pyramidion.evaluation._gap.chart import gap_figure

    caption = "System means, and the line through the machines only, as far as the lowest person."
    drawn = [gap for gap in gaps if not gap.undefined][:_MOST_DRAWN]
    for first in drawn[:1]:
        about = (first.manual, first.collection, first.task)
        yield Chart("gap", partial(gap_figure, drawn), caption, about)
