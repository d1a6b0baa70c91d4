"""The share of summaries that people judged very poor, poor, ... very good (Tables 2.3, 2.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import SCALES, Scale, Scores
from pyramidion.errors import InputError, NotFoundError

__all__ = ["FIVE", "QualityCategories", "category_names", "quality_categories", "quality_scales"]

#: What the marks of a scale from 1 to 5 are called.
FIVE = ("very poor", "poor", "barely adequate", "good", "very good")

# More categories are no categories.
_MOST = 11


@dataclass(frozen=True, slots=True)
class QualityCategories:
    """How the summaries by people or by machines were judged.

    Parameters
    ----------
    measure, task, kind
        What was judged, for which task, and who wrote the summaries.
    categories
        What the marks are called, the lowest first.
    fractions
        The fraction of summaries in each category; they add up to 1.
    summaries, judgments
        How many there are.

    Examples
    --------
    >>> QualityCategories("focus", "A", "human", FIVE, (0, 0, 0, 0.25, 0.75), 4, 4).below_good
    0
    """

    measure: str
    task: str
    kind: str
    categories: tuple[str, ...]
    fractions: tuple[float, ...]
    summaries: int
    judgments: int

    @property
    def below_good(self) -> float:
        """The fraction in the first three of five categories; NaN on other scales."""
        return sum(self.fractions[:3]) if self.categories == FIVE else float("nan")


def quality_scales(
    scores: Scores, scales: Mapping[str, Scale], measures: Sequence[str] = ()
) -> tuple[dict[str, Scale], list[str]]:
    """Find the measures that are judged in a few categories.

    They are those with a scale of few steps, declared or usual, and those whose values are all
    whole numbers from 1 to 5. Judgments of less than a summary do not count.

    Parameters
    ----------
    scores
        The table of scores.
    scales
        The scales a collection declares.
    measures
        Take these, and refuse one that has no categories; all that have if none is named.

    Returns
    -------
    tuple
        Scales by measure, and what was left out, one line each.

    Examples
    --------
    >>> table = Scores({"topic": ["T1"] * 2, "system": ["7"] * 2, "kind": ["machine"] * 2,
    ...                 "measure": ["focus", "rouge-2-f"]}, [4, 0.12])
    >>> quality_scales(table, {})
    ({'focus': Scale(low=1, high=5, step=1)}, ['rouge-2-f: it is not judged in categories'])
    """
    whole = scores.select(unit="")
    found, left_out = {}, []
    for measure in measures:
        whole.require("measure", measure)
    for measure in measures or whole.measures:
        scale = scales.get(measure) or SCALES.get(measure) or _guessed(whole, measure)
        if scale is not None and scale.step and len(_marks(scale)) <= _MOST:
            found[measure] = scale
        elif measures:
            raise InputError(
                f"{measure} is not judged in categories",
                hint="declare a scale with few steps in collection.toml",
            )
        else:
            left_out.append(f"{measure}: it is not judged in categories")
    if not found:
        raise NotFoundError(
            "no summary is judged in categories",
            hint="add judgments, for instance of readability from 1 to 5",
        )
    return found, left_out


def quality_categories(scores: Scores, measure: str, scale: Scale) -> list[QualityCategories]:
    """Give the fraction of summaries in each category, by task, machines' and people's apart.

    A summary with several judgments counts in parts, so that each summary counts once.

    Parameters
    ----------
    scores
        The table of scores.
    measure
        Which judgments.
    scale
        Their scale.

    Examples
    --------
    >>> table = Scores({"topic": ["T1"] * 3, "system": ["7", "7", "8"], "kind": ["machine"] * 3,
    ...                 "measure": ["focus"] * 3, "assessor": ["K", "L", "K"]}, [4, 5, 4])
    >>> [found] = quality_categories(table, "focus", Scale(1, 5, 1))
    >>> found.fractions, found.summaries
    ((0.0, 0.0, 0.0, 0.75, 0.25), 2)
    """
    judged = scores.select(measure=measure, unit="")
    _require_on_scale(judged, measure, scale)
    groups: dict[tuple[str, str], dict[tuple[str, ...], list[float]]] = {}
    columns = (judged.columns[n] for n in ("task", "kind", "collection", "topic", "system"))
    for task, kind, *address, value in zip(*columns, judged.value, strict=True):
        groups.setdefault((task, kind), {}).setdefault(tuple(address), []).append(value)
    return [
        QualityCategories(
            measure,
            task,
            kind,
            category_names(scale),
            tuple(np.mean([_fractions(own, scale) for own in found.values()], axis=0).tolist()),
            len(found),
            sum(map(len, found.values())),
        )
        for (task, kind), found in sorted(groups.items())
    ]


def category_names(scale: Scale) -> tuple[str, ...]:
    """Name the marks of a scale: those from 1 to 5 in words, others by their numbers.

    Examples
    --------
    >>> category_names(Scale(0, 2, 1)), category_names(Scale(1, 5, 1))[0]
    (('0', '1', '2'), 'very poor')
    """
    if (scale.low, scale.high, scale.step) == (1, 5, 1):
        return FIVE
    return tuple(f"{mark:g}" for mark in _marks(scale))


def _marks(scale: Scale) -> Floats:
    if not scale.step or (scale.high - scale.low) / scale.step > 1000:
        return np.array([])
    steps = round((scale.high - scale.low) / scale.step)
    marks: Floats = np.linspace(scale.low, scale.high, steps + 1)
    return marks


def _guessed(scores: Scores, measure: str) -> Scale | None:
    values = np.unique(scores.select(measure=measure).value)
    return Scale(1, 5, 1) if len(values) and set(values.tolist()) <= {1, 2, 3, 4, 5} else None


def _require_on_scale(judged: Scores, measure: str, scale: Scale) -> None:
    for value in np.unique(judged.value).tolist():
        if not scale.allows(value):
            raise InputError(
                f"{measure} has the value {value:g}, which is none of its categories",
                hint="give single judgments rather than means, or mend the scale",
            )


def _fractions(values: Sequence[float], scale: Scale) -> Floats:
    """Spread one summary over the categories of its judgments."""
    places = np.rint((np.array(values) - scale.low) / scale.step).astype(np.int64)
    counts: Floats = np.bincount(places, minlength=len(_marks(scale))) / len(values)
    return counts
