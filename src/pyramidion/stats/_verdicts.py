"""Whether two measures find the same differences significant, pair of systems by pair."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Ints
from pyramidion.errors import InputError, ShapeError

Row = tuple[int, int, int]

#: Counts by verdict, -1, 0 and 1: the manual measure's down, the automatic one's across.
ThreeWay = tuple[Row, Row, Row]

#: True and false positives, false and true negatives.
Counts = tuple[int, int, int, int]


class VerdictRatios(ABC):
    """The ratios of a confusion table of verdicts.

    A ratio whose denominator is 0 is NaN, and so is a mean of two ratios if one of them is; the
    dissertation's tables print 0 (reading 3).
    """

    __slots__ = ()

    @property
    @abstractmethod
    def counts(self) -> Counts:
        """Pairs significant for both, for the automatic, the manual measure only, for neither."""

    @property
    def tp(self) -> int:
        """Pairs significant for both, whatever the directions."""
        return self.counts[0]

    @property
    def fp(self) -> int:
        """Pairs significant for the automatic measure only."""
        return self.counts[1]

    @property
    def fn(self) -> int:
        """Pairs significant for the manual measure only."""
        return self.counts[2]

    @property
    def tn(self) -> int:
        """Pairs significant for neither."""
        return self.counts[3]

    @property
    def n(self) -> int:
        """The number of pairs with both verdicts."""
        return sum(self.counts)

    @property
    def accuracy(self) -> float:
        """``(tp + tn) / n``."""
        return ratio(self.tp + self.tn, self.n)

    @property
    def precision(self) -> float:
        """``tp / (tp + fp)``, also called positive predictive value."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """``tp / (tp + fn)``."""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> float:
        """``tn / (tn + fp)``."""
        return ratio(self.tn, self.tn + self.fp)

    @property
    def negative_predictive_value(self) -> float:
        """``tn / (tn + fn)``."""
        return ratio(self.tn, self.tn + self.fn)

    @property
    def balanced_accuracy(self) -> float:
        """The mean of recall and specificity: the formula of section 7.3 (reading 1)."""
        return (self.recall + self.specificity) / 2

    @property
    def mean_predictive_value(self) -> float:
        """The mean of precision and negative predictive value: what Tables 7.4 and 7.5 print."""
        return (self.precision + self.negative_predictive_value) / 2


@dataclass(frozen=True, slots=True)
class SignificanceAgreement(VerdictRatios):
    """How well an automatic measure predicts which differences a manual one finds significant.

    `three_way` counts by direction, -1, 0 (not significant) and +1: the manual measure down, the
    automatic one across. It is None if no signs were given.
    """

    confusion: Counts
    three_way: ThreeWay | None = None

    @property
    def counts(self) -> Counts:
        """`tp`, `fp`, `fn` and `tn`."""
        return self.confusion

    @property
    def direction_conflicts(self) -> int | None:
        """Pairs significant for both in opposite directions; `tp` counts them, too.

        None if no signs were given.
        """
        return None if self.three_way is None else opposed(self.three_way)


def agreement_on_significance(
    manual: npt.ArrayLike,
    automatic: npt.ArrayLike,
    *,
    manual_signs: npt.ArrayLike | None = None,
    automatic_signs: npt.ArrayLike | None = None,
) -> SignificanceAgreement:
    """Compare the verdicts of two measures on the same pairs of systems.

    Parameters
    ----------
    manual, automatic
        One verdict a pair: True if the measure finds the difference significant.
    manual_signs, automatic_signs
        The directions of the differences, -1, 0 or +1; both or neither. Only those of
        significant differences matter, and these cannot be 0: take the sign of the statistic
        that was tested.

    Returns
    -------
    SignificanceAgreement
        Counts, ratios, and the three-way table if there are signs.

    Notes
    -----
    Balanced accuracy is the formula of section 7.3. The tables of that chapter print the mean
    predictive value under this name, and the two can rank measures differently (reading 1).
    Ratios 0/0, which the tables print as 0, are NaN; agreement as defined there ignores
    direction, so conflicts are counted apart (reading 3).

    Examples
    --------
    >>> found = agreement_on_significance(
    ...     [True, True, False, True],
    ...     [True, True, True, False],
    ...     manual_signs=[1, 1, -1, 1],
    ...     automatic_signs=[1, -1, -1, 1],
    ... )
    >>> found.tp, found.fp, found.fn, found.tn, found.accuracy
    (2, 1, 1, 0, 0.5)
    >>> found.direction_conflicts, found.three_way
    (1, ((0, 0, 0), (1, 0, 0), (1, 1, 1)))
    """
    truth, guess = _verdicts(manual, "manual", 1), _verdicts(automatic, "automatic", 1)
    if truth.shape != guess.shape:
        what = f"`manual` has {len(truth)} verdicts and `automatic` {len(guess)}"
        raise ShapeError(what, hint="give one of each per pair")
    table = None
    if manual_signs is not None and automatic_signs is not None:
        rows = _directions(truth, manual_signs, "manual_signs")
        table = three_way_counts(rows, _directions(guess, automatic_signs, "automatic_signs"))
    elif manual_signs is not None or automatic_signs is not None:
        raise InputError("only one of the measures has signs", hint="give both or neither")
    return SignificanceAgreement(_confusion(truth, guess), table)


def all_must_agree(verdicts: npt.ArrayLike, *, signs: npt.ArrayLike | None = None) -> Bools:
    """Combine several measures: significant only if it is for all of them.

    Parameters
    ----------
    verdicts
        Measures x pairs: True if the measure finds the difference significant.
    signs
        The directions of the differences, -1, 0 or +1, in the same shape. If given, the measures
        must also agree on the direction. Those of significant differences cannot be 0.

    Returns
    -------
    numpy.ndarray
        One verdict a pair. The signs of any one of the measures serve as its signs in
        :func:`agreement_on_significance`, because all are the same where it is significant.

    Notes
    -----
    This is an intersection-union test: it keeps the level of its parts without correction, at
    the price of power, so precision tends to be high and recall low (reading 24).

    References
    ----------
    R. L. Berger. Multiparameter hypothesis testing and acceptance sampling. Technometrics 24(4),
    1982.

    Examples
    --------
    >>> verdicts = [[True, True, False], [True, True, True]]
    >>> all_must_agree(verdicts).tolist()
    [True, True, False]
    >>> all_must_agree(verdicts, signs=[[1, 1, 1], [1, -1, 1]]).tolist()
    [True, False, False]
    """
    table = _verdicts(verdicts, "verdicts", 2)
    agreed: Bools = np.logical_and.reduce(table, axis=0)
    if signs is not None:
        directions = _directions(table, signs, "signs")
        agreed &= np.logical_and.reduce(directions == directions[0], axis=0)
    return agreed


def _verdicts(values: npt.ArrayLike, name: str, dimensions: int) -> Bools:
    array = _array(values, name)
    if array.ndim != dimensions or not array.size:
        wanted = "one verdict per pair" if dimensions == 1 else "a row per measure"
        raise ShapeError(f"`{name}` has the shape {array.shape}", hint=f"give {wanted}")
    if array.dtype != np.bool_:
        hint = "compare the p-values with the level first"
        raise InputError(f"`{name}` holds something other than True and False", hint=hint)
    return array.astype(np.bool_)


def _array(values: npt.ArrayLike, name: str) -> npt.NDArray[np.generic]:
    try:
        return np.asarray(values)
    except ValueError:
        raise ShapeError(f"`{name}` has rows of different lengths") from None


def _directions(verdicts: Bools, signs: npt.ArrayLike, name: str) -> Ints:
    """Return the signs of the significant differences, and 0 to the others."""
    array = _array(signs, name)
    if array.shape != verdicts.shape:
        what = f"`{name}` has the shape {array.shape}, its verdicts have {verdicts.shape}"
        raise ShapeError(what, hint="give one sign per verdict")
    if array.dtype.kind not in "if" or not np.isin(array, (-1, 0, 1)).all():
        raise InputError(f"`{name}` holds something other than -1, 0 and 1")
    directions: Ints = np.where(verdicts, array, 0).astype(np.int64)
    lost = np.argwhere(verdicts & (directions == 0))
    if len(lost):
        place = ", ".join(map(str, lost[0].tolist()))
        what = f"`{name}` is 0 at position {place}, where the difference is significant"
        raise InputError(what, hint="give the sign of the statistic that was tested")
    return directions


def three_way_counts(manual: npt.ArrayLike, automatic: npt.ArrayLike) -> ThreeWay:
    """Count pairs by two verdicts, each -1, 0 or 1."""
    cells = (np.asarray(manual, np.int64) + 1) * 3 + np.asarray(automatic, np.int64) + 1
    return three_way_table(np.bincount(cells, minlength=9).reshape(3, 3).astype(np.int64))


def three_way_table(counts: Ints) -> ThreeWay:
    """Return a 3 x 3 array as tuples."""
    (a, b, c), (d, e, f), (g, h, i) = counts.tolist()
    return (a, b, c), (d, e, f), (g, h, i)


def opposed(table: ThreeWay) -> int:
    """Count the pairs that are significant for both in opposite directions."""
    return table[0][2] + table[2][0]


def _confusion(manual: Bools, automatic: Bools) -> Counts:
    tp, fp = int((manual & automatic).sum()), int((~manual & automatic).sum())
    return tp, fp, int((manual & ~automatic).sum()), int((~manual & ~automatic).sum())


def ratio(part: float, whole: int) -> float:
    """Divide, NaN if there is nothing to divide by."""
    return part / whole if whole else math.nan
