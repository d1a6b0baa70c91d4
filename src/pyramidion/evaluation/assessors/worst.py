"""Who is least consistent, by two yardsticks."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pyramidion.evaluation.assessors.consistency import Consistency
from pyramidion.evaluation.assessors.pyramids import AssessorDifference

__all__ = [
    "CRITERIA",
    "Criterion",
    "WorstFirst",
    "worst_by_alpha",
    "worst_by_difference",
    "worst_of_years",
]

#: By what assessors are called the worst.
Criterion = Literal["alpha", "manual-automatic"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)


@dataclass(frozen=True, slots=True)
class WorstFirst:
    """Assessors in the order in which they are left out.

    Parameters
    ----------
    criterion
        What they are ordered by.
    assessors, values
        The worst first, with the lowest value.
    unknown
        Assessors about whom nothing is known; they are never left out.

    Examples
    --------
    >>> WorstFirst("alpha", ("E", "C"), (0.519, 0.641)).assessors[0]
    'E'
    """

    criterion: Criterion
    assessors: tuple[str, ...]
    values: tuple[float, ...]
    unknown: tuple[str, ...] = ()


def worst_by_alpha(
    found: Iterable[Consistency], collection: str | None, measure: str
) -> WorstFirst:
    """Order the assessors of a measure by their alpha, the lowest first.

    Parameters
    ----------
    found
        What `assessor_consistency` gives.
    collection, measure
        Which of it.

    Examples
    --------
    >>> worst_by_alpha([], "2011", "readability").assessors
    ()
    """
    known = {
        own.assessor: own.alpha.value
        for own in found
        if own.assessor is not None and (own.collection, own.measure) == (collection, measure)
    }
    return _worst("alpha", known)


def worst_by_difference(
    found: Iterable[AssessorDifference], collection: str | None, assessors: Sequence[str] = ()
) -> WorstFirst:
    """Order assessors by their manual minus automatic pyramid scores, the lowest first.

    Parameters
    ----------
    found
        What `assessor_differences` gives.
    collection
        Which year.
    assessors
        All there are; those without a difference are never left out.

    Examples
    --------
    >>> worst_by_difference([], "2011", ["K"]).unknown
    ('K',)
    """
    known = {own.assessor: own.difference for own in found if own.collection == collection}
    return _worst("manual-automatic", {**dict.fromkeys(assessors, math.nan), **known})


def worst_of_years(orders: Sequence[WorstFirst]) -> WorstFirst:
    """Put the orders of several years together, by the mean of what each assessor has.

    For years that cannot be pooled, as they judge on different scales.

    Parameters
    ----------
    orders
        One a year, all by the same criterion.

    Examples
    --------
    >>> years = WorstFirst("alpha", ("E", "C"), (0.5, 0.6)), WorstFirst("alpha", ("C",), (0.2,))
    >>> worst_of_years(years).assessors
    ('C', 'E')
    """
    values: dict[str, list[float]] = {name: [] for order in orders for name in order.unknown}
    for order in orders:
        for name, value in zip(order.assessors, order.values, strict=True):
            values.setdefault(name, []).append(value)
    means = {name: sum(own) / len(own) if own else math.nan for name, own in values.items()}
    return _worst(orders[0].criterion, means)


def _worst(criterion: Criterion, known: dict[str, float]) -> WorstFirst:
    defined = sorted((value, name) for name, value in known.items() if not math.isnan(value))
    return WorstFirst(
        criterion,
        tuple(name for _, name in defined),
        tuple(value for value, _ in defined),
        tuple(name for name, value in known.items() if math.isnan(value)),
    )
