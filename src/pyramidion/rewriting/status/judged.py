"""How often a yes-or-no decision is right: Tables 5.2 and 5.3."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from pyramidion._types import Bools
from pyramidion.errors import ShapeError

__all__ = ["Judged", "share_interval"]


def share_interval(
    right: int, number: int, *, confidence_level: float = 0.95
) -> tuple[float, float]:
    """Give Wilson's interval for a share; nothing is known of the share of no example.

    Parameters
    ----------
    right, number
        How many of how many.
    confidence_level
        How often such intervals hold the true share.

    Examples
    --------
    >>> [round(bound, 3) for bound in share_interval(8, 10)]
    [0.49, 0.943]
    """
    if not number:
        return math.nan, math.nan
    z2 = NormalDist().inv_cdf((1 + confidence_level) / 2) ** 2
    value = right / number
    centre = (value + z2 / (2 * number)) / (1 + z2 / number)
    spread = z2 * (value * (1 - value) / number + z2 / (4 * number**2))
    reach = math.sqrt(spread) / (1 + z2 / number)
    return max(centre - reach, 0.0), min(centre + reach, 1.0)


@dataclass(frozen=True, slots=True)
class Judged:
    """Answers counted against the truth.

    Parameters
    ----------
    hits, false_alarms, misses, rejections
        Yes where it is yes, yes where it is no, no where it is yes, no where it is no.

    Examples
    --------
    >>> found = Judged.of([True, True, False, False], [True, False, False, False])
    >>> found.accuracy, found.majority, found.yes()[:2], found.no()[1]
    (0.75, 0.5, (1.0, 0.5), 1.0)
    """

    hits: int
    false_alarms: int
    misses: int
    rejections: int

    @classmethod
    def of(cls, truth: Sequence[bool] | Bools, answers: object) -> "Judged":
        """Count answers.

        Parameters
        ----------
        truth, answers
            One for each example.
        """
        true, said = np.asarray(truth, dtype=np.bool_), np.asarray(answers, dtype=np.bool_)
        if true.shape != said.shape:
            raise ShapeError(
                f"there are {len(said)} answers for {len(true)} examples", hint="give one for each"
            )
        counted = (true & said, ~true & said, true & ~said, ~true & ~said)
        return cls(*(int(one.sum()) for one in counted))

    @property
    def number(self) -> int:
        """How many examples there are."""
        return self.hits + self.false_alarms + self.misses + self.rejections

    @property
    def right(self) -> int:
        """How many answers are right."""
        return self.hits + self.rejections

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return _share(self.right, self.number)

    @property
    def majority(self) -> float:
        """The accuracy of always giving the more frequent answer."""
        yes = self.hits + self.misses
        return _share(max(yes, self.number - yes), self.number)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval for the accuracy."""
        return share_interval(self.right, self.number)

    def yes(self) -> tuple[float, float, float]:
        """Give precision, recall and F for yes."""
        return _measures(self.hits, self.false_alarms, self.misses)

    def no(self) -> tuple[float, float, float]:
        """Give precision, recall and F for no."""
        return _measures(self.rejections, self.misses, self.false_alarms)


def _measures(hits: int, wrong: int, missed: int) -> tuple[float, float, float]:
    return (
        _share(hits, hits + wrong),
        _share(hits, hits + missed),
        _share(2 * hits, 2 * hits + wrong + missed),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
