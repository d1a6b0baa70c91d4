"""Whether an assessor becomes more severe, or more lenient, as time goes by."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Scores
from pyramidion.evaluation.assessors.moments import Moments, read_moments
from pyramidion.evaluation.assessors.panel import Panel

__all__ = ["Drift", "assessor_drift"]

NO_TIME = "no judgment carries a time"


@dataclass(frozen=True, slots=True)
class Drift:
    """The slope of an assessor's judgments over time.

    Parameters
    ----------
    slope, low, high
        Points of the scale in one unit of time, and the interval; NaN where undefined.
    p
        Of the hypothesis that there is no drift.
    unit
        ``day`` for dates, ``1`` for times that are plain numbers.
    n, span
        How many judgments carry a time, and how much time is between the first and the last.
    topics
        How many topics they are on; these are the blocks that the interval rests on.
    within_systems
        Whether judgments of a system are compared with others of the same system only.
    undefined
        Why there is no slope or no interval; empty where there is one.

    Examples
    --------
    >>> Drift(-0.02, -0.05, 0.01, 0.2, "day", 300, 12.5, 6, True).unit
    'day'
    """

    slope: float
    low: float
    high: float
    p: float
    unit: str
    n: int
    span: float
    topics: int
    within_systems: bool
    undefined: str = ""


def assessor_drift(
    panel: Panel,
    collection: str | None,
    measure: str,
    assessor: str,
    *,
    confidence_level: float = 0.95,
) -> Drift:
    """Regress an assessor's judgments on the time they were made.

    Where the assessor judged systems several times, each judgment is taken as the deviation from
    the mean of its system, so that good systems that happen to come late are no drift. Topics
    differ in difficulty and are judged one after the other; so the error of the slope is the
    jackknife's that leaves out one topic in turn, with one degree of freedom less than topics.
    With a single topic it is the usual one of least squares.

    Parameters
    ----------
    panel
        The judgments.
    collection, measure, assessor
        Which; `None` for all years together.
    confidence_level
        Of the interval.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Judgment
    >>> from pyramidion.evaluation.assessors.panel import gather_panel
    >>> given = [("T1", 1, 4.0), ("T2", 2, 3.5), ("T3", 3, 3.2), ("T4", 4, 2.5)]
    >>> rows = [Judgment(t, "7", "readability", v, assessor="K", time=str(n)) for t, n, v in given]
    >>> panel = gather_panel([Collection("", scores=Scores.from_judgments(rows))])
    >>> drift = assessor_drift(panel, "", "readability", "K")
    >>> round(drift.slope, 3), round(drift.low, 3), round(drift.high, 3), drift.within_systems
    (-0.48, -0.714, -0.246, False)
    """
    rows = panel.of(collection, measure).select(assessor=assessor)
    moments = read_moments(rows.columns["time"].tolist())
    known = ~np.isnan(moments.values)
    rows, times = rows.rows(known), moments.values[known]
    topics = _codes(rows, "collection", "topic")
    n_topics = int(topics.max()) + 1 if len(rows) else 0
    span = float(np.ptp(times)) if len(rows) else math.nan
    if len(rows) < 3 or not span > 0:
        why = _why_none(moments, len(rows))
        return Drift(
            slope=math.nan,
            low=math.nan,
            high=math.nan,
            p=math.nan,
            unit=moments.unit,
            n=len(rows),
            span=span,
            topics=n_topics,
            within_systems=False,
            undefined=why,
        )
    line = _Line(rows.value, times, _groups(rows))
    if math.isnan(line.slope()):
        line = _Line(rows.value, times, np.zeros(len(rows), dtype=np.int64))
    slope = line.slope()
    error, df = _error(line, topics)
    low, high, p = _interval(slope, error, df, confidence_level)
    why = "" if df > 0 and error > 0 else "too little is left to tell the error of the slope"
    within = bool(line.groups.any())
    return Drift(slope, low, high, p, moments.unit, len(rows), span, n_topics, within, why)


def _why_none(moments: Moments, n: int) -> str:
    if not moments.unit:
        return NO_TIME
    return "fewer than three judgments carry a time" if n < 3 else "all were made at one time"


def _codes(rows: Scores, *columns: str) -> Ints:
    keys = list(zip(*(rows.columns[name] for name in columns), strict=True))
    number = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([number[key] for key in keys], dtype=np.int64)


def _groups(rows: Scores) -> Ints:
    """Give systems numbers, or put all into one group where most were judged only once."""
    systems = _codes(rows, "collection", "task", "system")
    alone = np.bincount(systems)[systems] == 1
    return np.zeros_like(systems) if alone.mean() > 0.5 else systems


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Values at times, whose groups each have a level of their own."""

    values: Floats
    times: Floats
    groups: Ints

    def centred(self) -> tuple[Floats, Floats]:
        return _centred(self.times, self.groups), _centred(self.values, self.groups)

    def slope(self) -> float:
        x, y = self.centred()
        size = float(x @ x)
        # What is left of times that do not differ within groups is rounding noise.
        return float(x @ y) / size if size > 1e-12 * float(np.ptp(self.times)) ** 2 else math.nan

    def without(self, left_out: Bools) -> "_Line":
        kept = ~left_out
        return _Line(self.values[kept], self.times[kept], self.groups[kept])


def _centred(values: Floats, groups: Ints) -> Floats:
    counts = np.maximum(np.bincount(groups), 1)
    centred: Floats = values - (np.bincount(groups, values) / counts)[groups]
    return centred


def _error(line: _Line, topics: Ints) -> tuple[float, int]:
    """Give the slope's standard error, and its degrees of freedom."""
    blocks = int(topics.max()) + 1
    if blocks > 1:
        slopes = np.array([line.without(topics == topic).slope() for topic in range(blocks)])
        spread = float(np.sum((slopes - line.slope()) ** 2))
        return math.sqrt((blocks - 1) / blocks * spread), blocks - 1
    x, y = line.centred()
    residuals = y - line.slope() * x
    df = len(x) - len(set(line.groups.tolist())) - 1
    return (math.sqrt(float(residuals @ residuals) / df / float(x @ x)) if df > 0 else 0.0), df


def _interval(slope: float, error: float, df: int, level: float) -> tuple[float, float, float]:
    # No number is greater than NaN, which is what a topic without the others' times leaves.
    if df <= 0 or not error > 0:
        return math.nan, math.nan, math.nan
    reach = -float(stdtrit(df, (1 - level) / 2)) * error
    return slope - reach, slope + reach, 2 * float(stdtr(df, -abs(slope / error)))
