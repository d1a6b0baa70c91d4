"""Whether assessors judge the same words in the same way twice.

Topics are judged by one person each, and systems hand in several runs, some of which give the
same summary. So the same words come up again among the fifty summaries of a topic, and show how
consistent the person is [1]_.

References
----------
.. [1] K. Owczarzak, P. A. Rankel, H. T. Dang and J. M. Conroy (2012). Assessing the effect of
   inconsistent assessors on summarization evaluation. ACL 2012 (short papers).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.evaluation.assessors.alpha import PairAlpha, alpha_of_pairs
from pyramidion.evaluation.assessors.levels import MeasureLevel, level_of
from pyramidion.evaluation.assessors.paired_judgments import PairedJudgments, paired_judgments
from pyramidion.evaluation.assessors.panel import Panel
from pyramidion.stats.inputs import Rng
from pyramidion.stats.krippendorff import Level

__all__ = ["Consistency", "Contingency", "assessor_consistency", "contingency"]


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """How often each two values were given to the same words.

    Parameters
    ----------
    values
        The values, rising.
    counts
        Square; the lower value of a pair goes down, the higher across, so that nothing stands
        below the diagonal.

    Examples
    --------
    >>> contingency([4, 3, 4], [4, 4, 3], (3, 4)).counts.tolist()
    [[0, 2], [0, 1]]
    """

    values: tuple[float, ...]
    counts: Ints

    @property
    def distances(self) -> Floats:
        """How far the two values of each cell are apart."""
        places = np.array(self.values)
        apart: Floats = np.abs(places[:, None] - places)
        return apart


def contingency(
    first: npt.ArrayLike, second: npt.ArrayLike, values: tuple[float, ...]
) -> Contingency:
    """Count pairs of values, whichever came first.

    Parameters
    ----------
    first, second
        The pairs.
    values
        The values that can occur, rising.
    """
    low, high = np.sort(np.stack([np.asarray(first, float), np.asarray(second, float)]), axis=0)
    size = len(values)
    # Values of a scale with steps may carry rounding noise.
    edges = (np.array(values[1:]) + np.array(values[:-1])) / 2
    cells = np.searchsorted(edges, low) * size + np.searchsorted(edges, high)
    counts = np.bincount(cells, minlength=size * size).reshape(size, size).astype(np.int64)
    return Contingency(tuple(values), counts)


@dataclass(frozen=True, slots=True, eq=False)
class Consistency:
    """How consistent an assessor is on a measure.

    Parameters
    ----------
    collection, assessor
        Which year and who; `None` for all together.
    measure
        What was judged.
    pairs, repeated
        Two judgments of the same words; how many of them are of one summary judged again.
    alpha
        Krippendorff's alpha of the pairs with its interval.
    level
        The level alpha is computed at.
    mean_difference
        The mean distance of the two values, without sign; NaN without pairs.
    mean_signed_difference
        The mean of the later minus the earlier value, over pairs whose order is known; NaN
        without such pairs.
    equal
        The share of pairs with equal values.
    table
        How often each two values were given; nothing where there are too many values.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Judgment, Scores, Summary
    >>> from pyramidion.evaluation.assessors.panel import gather_panel
    >>> values = {"7": 4.0, "8": 3.0, "9": 4.0}
    >>> rows = [Judgment("T1", s, "readability", v, assessor="K") for s, v in values.items()]
    >>> texts = tuple(Summary("T1", system, "Rain fell.") for system in values)
    >>> panel = gather_panel([Collection("", summaries=texts, scores=Scores.from_judgments(rows))])
    >>> found = assessor_consistency(panel)[0]
    >>> found.assessor, found.pairs, round(found.equal, 3), round(found.mean_difference, 3)
    ('K', 3, 0.333, 0.667)
    """

    collection: str | None
    assessor: str | None
    measure: str
    pairs: int
    repeated: int
    alpha: PairAlpha
    level: MeasureLevel
    mean_difference: float
    mean_signed_difference: float
    equal: float
    table: Contingency | None


def assessor_consistency(
    panel: Panel,
    *,
    level: Level | None = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: Rng = 0,
) -> list[Consistency]:
    """Tell how consistent each assessor is on each measure, within each year and over all.

    After the assessors of a measure come all of them together, where there are several.

    Parameters
    ----------
    panel
        The judgments.
    level
        The level of alpha; see `level_of` for what is taken if none is asked for.
    n_resamples, confidence_level, rng
        How intervals are made; see `alpha_of_pairs`.
    """
    pairs = paired_judgments(panel)
    found = []
    for collection, measure in panel.places():
        at = level_of(panel, collection, measure, level=level)
        for assessor in _with_all(panel.assessors(collection, measure)):
            own = pairs.of(collection, measure, assessor)
            years = zip(own.collection, own.topic, strict=True)
            alpha = alpha_of_pairs(
                own.first,
                own.second,
                [f"{year}\0{topic}" for year, topic in years],
                level=at.level,
                n_resamples=n_resamples,
                confidence_level=confidence_level,
                rng=rng,
            )
            found.append(_consistency(collection, assessor, measure, own, alpha, at))
    return found


def _with_all(assessors: tuple[str, ...]) -> Iterator[str | None]:
    yield from assessors
    if len(assessors) > 1:
        yield None


def _consistency(
    collection: str | None,
    assessor: str | None,
    measure: str,
    own: PairedJudgments,
    alpha: PairAlpha,
    level: MeasureLevel,
) -> Consistency:
    changes = own.second - own.first
    # Equal but for rounding noise, as of computed scores.
    equal = np.isclose(own.first, own.second, rtol=1e-9, atol=1e-12)
    return Consistency(
        collection=collection,
        assessor=assessor,
        measure=measure,
        pairs=len(own),
        repeated=int(own.repeated.sum()),
        alpha=alpha,
        level=level,
        mean_difference=_mean(np.abs(changes)),
        mean_signed_difference=_mean(changes[own.ordered]),
        equal=_mean(equal.astype(np.float64)),
        table=contingency(own.first, own.second, level.values) if level.values else None,
    )


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else math.nan
