"""When judgments were made: dates or plain numbers, as numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError

__all__ = ["Moments", "read_moments"]

_DAY = 86_400.0


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Times as numbers.

    Parameters
    ----------
    values
        Days since 1970 for dates, else the numbers; NaN where there is no time.
    unit
        ``day``, or ``1`` for plain numbers; empty without any time.
    unreadable
        How many texts are no time.

    Examples
    --------
    >>> read_moments(["2011-08-02", "2011-08-01T12:00", ""]).values.tolist()
    [15188.0, 15187.5, nan]
    """

    values: Floats
    unit: str
    unreadable: int = 0


def read_moments(texts: Sequence[str]) -> Moments:
    """Read times: dates of ISO 8601, or numbers such as seconds or positions.

    A date without a time zone is taken as UTC.

    Parameters
    ----------
    texts
        One a judgment, empty where nothing is known.

    Examples
    --------
    >>> read_moments(["1", "2.5", "soon"]).unreadable
    1
    >>> read_moments(["1", "2011-08-02"])
    Traceback (most recent call last):
    pyramidion.errors.InputError: the times are dates and numbers, such as 2011-08-02 and 1; ...
    """
    kinds: dict[str, str] = {}
    values = np.full(len(texts), np.nan)
    unreadable = 0
    for place, text in enumerate(texts):
        if text:
            kind, values[place] = _moment(text)
            unreadable += not kind
            if kind:
                kinds.setdefault(kind, text)
    if len(kinds) > 1:
        raise InputError(
            f"the times are dates and numbers, such as {kinds['day']} and {kinds['1']}",
            hint="write all of them in one way",
        )
    return Moments(values, next(iter(kinds), ""), unreadable)


def _moment(text: str) -> tuple[str, float]:
    try:
        number = float(text)
    except ValueError:
        return _date(text)
    # Eight digits may be a date without dashes.
    if len(text) == 8 and text.isdecimal():
        kind, date = _date(text)
        if kind:
            return kind, date
    return ("1", number) if math.isfinite(number) else ("", math.nan)


def _date(text: str) -> tuple[str, float]:
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return "", math.nan
    known = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return "day", known.timestamp() / _DAY
