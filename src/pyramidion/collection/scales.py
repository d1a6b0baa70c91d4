"""The scales people judge on, and how one year's scale is turned into another's."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pyramidion.errors import InputError

__all__ = ["SCALES", "Scale", "bin_ten_to_five", "ten_to_five"]


@dataclass(frozen=True, slots=True)
class Scale:
    """The values a judgment may take.

    Parameters
    ----------
    low, high
        The ends, both allowed.
    step
        The distance between neighbouring values; 0 for any value between the ends.

    Examples
    --------
    >>> Scale(1, 5, 1).allows(4.5)
    False
    """

    low: float
    high: float
    step: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise InputError(
                f"a scale from {self.low} to {self.high} has no room", hint="low must be below high"
            )
        if not (math.isfinite(self.step) and self.step >= 0):
            raise InputError(f"a scale's step of {self.step}", hint="0 (any value) or more")

    def allows(self, value: float) -> bool:
        """Tell whether a value lies on the scale."""
        if not self.low <= value <= self.high:
            return False
        if not self.step:
            return True
        steps = (value - self.low) / self.step
        return math.isclose(steps, round(steps), abs_tol=1e-9)


#: Scales by measure: TAC's five-point scales, the percentages of DUC's coverage judgments (one
#: for each unit of the model) and the marks of relative utility (one for each input sentence).
SCALES: Mapping[str, Scale] = {
    "responsiveness": Scale(1, 5, 1),
    "readability": Scale(1, 5, 1),
    "coverage": Scale(0, 100, 20),
    "relative-utility": Scale(0, 10, 1),
}


def ten_to_five(score: float) -> float:
    """Turn a score on TAC 2009's scale (1-10) into one on 1-5, the ends onto the ends.

    Notes
    -----
    The mapping is 4/9 (x - 1) + 1. The factor 5/9 printed in Rankel's dissertation (2.4.1)
    is a slip: it sends 10 to 6.

    Examples
    --------
    >>> ten_to_five(1), ten_to_five(10)
    (1.0, 5.0)
    """
    _require_ten(score)
    # The same written so that only the division rounds.
    return (4 * score + 5) / 9


def bin_ten_to_five(score: float) -> float:
    """Turn a score on 1-10 into one on 1-5 by the bins of the dissertation's Table 2.2.

    Notes
    -----
    1-2 become 1 (very poor), 3-4 become 2, ..., 9-10 become 5 (very good): half the score,
    rounded up.

    Examples
    --------
    >>> [bin_ten_to_five(x) for x in (1, 2, 3, 9, 10)]
    [1.0, 1.0, 2.0, 5.0, 5.0]
    """
    _require_ten(score)
    return float(math.ceil(score / 2))


def _require_ten(score: float) -> None:
    if not 1 <= score <= 10:
        raise InputError(
            f"a score of {score} is not on the scale from 1 to 10", hint="is it on 1 to 5 already?"
        )
