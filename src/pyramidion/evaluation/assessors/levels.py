"""The level of measurement at which judgments are compared, and the values they can take."""

from dataclasses import dataclass
from typing import get_args

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Scale
from pyramidion.errors import InputError
from pyramidion.evaluation.assessors.panel import Panel
from pyramidion.stats.krippendorff import Level

__all__ = ["LEVELS", "MeasureLevel", "level_of", "require_level"]

#: The levels there are.
LEVELS: tuple[Level, ...] = get_args(Level)

#: A scale with more values than this is not shown value by value.
MOST_VALUES = 11


@dataclass(frozen=True, slots=True)
class MeasureLevel:
    """At which level a measure's values are compared.

    Parameters
    ----------
    level
        ``nominal``, ``ordinal``, ``interval`` or ``ratio``.
    reason
        What it was chosen by.
    values
        The values a judgment can take, in rising order; none where there are too many to list.

    Examples
    --------
    >>> MeasureLevel("ordinal", "the scale 1 to 5 has steps", (1.0, 2.0)).level
    'ordinal'
    """

    level: Level
    reason: str
    values: tuple[float, ...] = ()


def level_of(
    panel: Panel, collection: str | None, measure: str, *, level: Level | None = None
) -> MeasureLevel:
    """Tell at which level a measure is to be compared.

    The papers use both: their section on Krippendorff's alpha says ordinal, their table of
    assessors says interval (reading 13). Here a level that is asked for holds; else a scale
    with steps is ordinal, as are few whole numbers without a scale, and anything else interval.

    Parameters
    ----------
    panel
        The judgments.
    collection, measure
        Which of them; `None` for all years.
    level
        The level that is asked for.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Judgment, Scores
    >>> from pyramidion.evaluation.assessors.panel import gather_panel
    >>> rows = [Judgment("T1", "7", "readability", 4.0, assessor="K")]
    >>> panel = gather_panel([Collection("2011", scores=Scores.from_judgments(rows))])
    >>> level_of(panel, "2011", "readability").reason
    'its scale, 1 to 5, has steps'
    >>> level_of(panel, "2011", "readability", level="interval").reason
    'asked for'
    """
    given = np.unique(panel.of(collection, measure).value)
    scale = panel.scale(collection, measure)
    values = _values(given, scale)
    if level is not None:
        return MeasureLevel(level, "asked for", values)
    if scale is not None:
        ends = f"its scale, {scale.low:g} to {scale.high:g},"
        if scale.step:
            return MeasureLevel("ordinal", f"{ends} has steps", values)
        return MeasureLevel("interval", f"{ends} has no steps", values)
    if len(given) <= MOST_VALUES and np.array_equal(given, np.round(given)):
        ends = f"{given[0]:g} to {given[-1]:g}"
        return MeasureLevel("ordinal", f"no scale is known, whole numbers from {ends}", values)
    return MeasureLevel("interval", "no scale is known, not a few whole numbers", values)


def _values(given: Floats, scale: Scale | None) -> tuple[float, ...]:
    """List the values of a scale with few steps, or those that were given if they are few."""
    few = tuple(given.tolist()) if len(given) <= MOST_VALUES else ()
    if scale is not None and scale.step:
        steps = round((scale.high - scale.low) / scale.step)
        whole = scale.low + scale.step * np.arange(steps + 1)
        on_scale = all(map(scale.allows, given.tolist()))
    else:
        close = few and given[-1] - given[0] < MOST_VALUES
        whole = np.arange(given[0], given[-1] + 1) if close else given
        on_scale = np.array_equal(given, np.round(given))
    return tuple(whole.tolist()) if on_scale and len(whole) <= MOST_VALUES else few


def require_level(level: str | None) -> Level | None:
    """Refuse a level that is none.

    Examples
    --------
    >>> require_level("likert")
    Traceback (most recent call last):
    pyramidion.errors.InputError: there is no level 'likert'; use nominal, ordinal, ...
    """
    for known in LEVELS:
        if level == known:
            return known
    if level:
        raise InputError(
            f"there is no level {level!r}", hint="use nominal, ordinal, interval or ratio"
        )
    return None
