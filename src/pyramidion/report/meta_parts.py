"""What other studies of the same scores add to the answer of `meta`.

A part is a function of the tables of one human measure and task; it is listed in `PARTS`. What it
gives for a metric becomes further keys of that metric's result in JSON.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pyramidion.errors import InputError
from pyramidion.evaluation._gap.measure import GapOptions, HumanGap
from pyramidion.evaluation._gap.view import GAP, gap_table, gaps_of
from pyramidion.evaluation._judged import MetaTables, place_name
from pyramidion.evaluation._pair_verdicts import VerdictOptions
from pyramidion.evaluation._verdicts.study import study_significance
from pyramidion.evaluation._verdicts.view import (
    ABOUT,
    VERDICTS_CAPTION,
    VerdictGroup,
    agreement_table,
    kinds_chart,
)
from pyramidion.report.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PARTS", "MetaPart", "agreement_part", "gap_part", "parts_of"]


@dataclass(frozen=True, slots=True)
class MetaPart:
    """What a study adds.

    Parameters
    ----------
    records
        For each metric, keys and values of its result.
    tables
        For people, CSV and LaTeX.
    left_out
        What was not considered, counted.
    figures
        A name, a caption and what draws it.

    Examples
    --------
    >>> MetaPart({"bleu": {"agreement": {"tp": 3}}}).records["bleu"]
    {'agreement': {'tp': 3}}
    """

    records: Mapping[str, Mapping[str, Any]]
    tables: tuple[Table, ...] = ()
    left_out: tuple[str, ...] = ()
    figures: tuple[tuple[str, str, "Callable[[], Figure]"], ...] = ()


def agreement_part(tables: MetaTables) -> MetaPart:
    """Count where metric and people agree on which machines differ significantly (chapter 7).

    Parameters
    ----------
    tables
        A human measure and metrics side by side.

    Examples
    --------
    >>> import numpy as np
    >>> truth = np.array([[1.0, 2, 4], [2, 1, 5], [1, 2, 4], [2, 2, 4], [1, 1, 5], [3, 2, 5],
    ...                   [2, 3, 5]])
    >>> tables = MetaTables("responsiveness", "", tuple("abcdefg"), ("x", "y", "z"),
    ...                     np.zeros(3, bool), truth, {"m": truth * [1, 3, 0.7]})
    >>> agreement_part(tables).records["m"]["agreement"]["direction_conflicts"]
    0
    """
    try:
        study = study_significance(tables)
    except InputError as error:
        # One machine has no pairs; the correlations with people among the peers still stand.
        return MetaPart(
            {name: {"agreement": None} for name in tables.metrics},
            left_out=(f"agreement on significance: {error.what}",),
        )
    options = {
        "test": study.options.label,
        "correction": study.options.effective_correction,
        "alpha": study.options.alpha,
        "systems": len(study.chosen.systems),
    }
    group = VerdictGroup(tables.human, None, (study,))
    return MetaPart(
        {
            name: {"agreement": {**found.record(), **options}}
            for name, found in study.agreements.items()
        },
        tables=(agreement_table(group, ABOUT),),
        left_out=study.left_out,
        figures=(("verdicts", VERDICTS_CAPTION, kinds_chart(group).draw),),
    )


def gap_part(tables: MetaTables) -> MetaPart:
    """Measure how far people are above the machines' line, where there are people (5.6).

    Parameters
    ----------
    tables
        A human measure and metrics side by side.

    Examples
    --------
    >>> import numpy as np
    >>> truth = np.array([[1.0, 2, 3, 5], [2, 2, 4, 6], [1, 3, 3, 6]])
    >>> tables = MetaTables("responsiveness", "", tuple("abc"), tuple("wxyA"),
    ...                     np.arange(4) > 2, truth, {"m": np.minimum(truth, 3)})
    >>> round(gap_part(tables).records["m"]["gap"]["gap"], 2)
    2.41
    """
    if not tables.people.any() or tables.people.all():
        return MetaPart({})
    gaps = gaps_of(tables, GapOptions(), VerdictOptions())
    drawn = [gap for gap in gaps if not gap.undefined][:_MOST_GAPS]
    return MetaPart(
        {gap.metric: {"gap": GAP.record(gap, exclude=_GAP_SAID)} for gap in gaps},
        tables=(gap_table(gaps),),
        left_out=tuple(
            f"gap of {place_name(gap.metric, gap.task, gap.collection)}: {gap.undefined}"
            for gap in gaps
            if gap.undefined
        ),
        figures=(("gap", _GAP_CAPTION, partial(_gap_figure, drawn)),) if drawn else (),
    )


_MOST_GAPS = 6
# What the record of a metric says already, or what would make it too long.
_GAP_SAID = ("human", "metric", "task", "collection", "systems")
_GAP_CAPTION = "System means, and the line through the machines only, as far as the lowest person."


def _gap_figure(gaps: Sequence[HumanGap]) -> "Figure":
    from pyramidion.evaluation._gap.chart import gap_figure

    return gap_figure(gaps)


#: Every study that adds to `meta`.
PARTS: tuple[Callable[[MetaTables], MetaPart], ...] = (agreement_part, gap_part)


def parts_of(tables: MetaTables) -> tuple[MetaPart, ...]:
    """Ask every part.

    Parameters
    ----------
    tables
        A human measure and metrics side by side.
    """
    return tuple(part(tables) for part in PARTS)
