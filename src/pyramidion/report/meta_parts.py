"""What other studies of the same scores add to the answer of `meta`.

A part is a function of the tables of one human measure and task; it is listed in `PARTS`. What it
gives for a metric becomes further keys of that metric's result in JSON.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pyramidion.errors import InputError
from pyramidion.evaluation.meta import MetaTables
from pyramidion.evaluation.significance import study_significance
from pyramidion.report.tables import Table

__all__ = ["PARTS", "MetaPart", "agreement_part", "parts_of"]


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

    Examples
    --------
    >>> MetaPart({"bleu": {"agreement": {"tp": 3}}}).records["bleu"]
    {'agreement': {'tp': 3}}
    """

    records: Mapping[str, Mapping[str, Any]]
    tables: tuple[Table, ...] = ()
    left_out: tuple[str, ...] = ()


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
    return MetaPart(
        {
            name: {"agreement": {**found.record(), **options}}
            for name, found in study.agreements.items()
        },
        left_out=study.left_out,
    )


#: Every study that adds to `meta`.
PARTS: tuple[Callable[[MetaTables], MetaPart], ...] = (agreement_part,)


def parts_of(tables: MetaTables) -> tuple[MetaPart, ...]:
    """Ask every part.

    Parameters
    ----------
    tables
        A human measure and metrics side by side.
    """
    return tuple(part(tables) for part in PARTS)
