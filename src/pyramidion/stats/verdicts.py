"""Whether two measures find the same differences significant, pair of systems by pair."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Ints
from pyramidion.errors import InputError, ShapeError

__all__ = ["SignificanceAgreement", "agreement_on_significance", "all_must_agree"]

Signs = Ints
Row = tuple[int, int, int]
ThreeWay = tuple[Row, Row, Row]


@dataclass(frozen=True, slots=True)
class SignificanceAgreement:
    """How well an automatic measure predicts which differences a manual one finds significant.

    A ratio whose denominator is 0 is NaN, and so is a mean of two ratios if one of them is.

    Attributes
    ----------
    n
        The number of pairs.
    tp, fp, fn, tn
        Pairs significant for both, only for the automatic measure, only for the manual one, for
        neither.
    accuracy
        ``(tp + tn) / n``.
    precision
        ``tp / (tp + fp)``, also called positive predictive value.
    recall
        ``tp / (tp + fn)``.
    specificity
        ``tn / (tn + fp)``.
    negative_predictive_value
        ``tn / (tn + fn)``.
    balanced_accuracy
        The mean of recall and specificity.
    mean_predictive_value
        The mean of precision and negative predictive value.
    direction_conflicts
        Pairs significant for both in opposite directions; they count in `tp` all the same. None
        if no signs were given.
    three_way
        Counts by direction, -1, 0 (not significant) and +1: the manual measure down, the
        automatic one across. None if no signs were given.

    Examples
    --------
    >>> found = agreement_on_significance([True, False], [False, False])
    >>> found.fn, found.recall, found.precision
    (1, 0.0, nan)
    """

    n: int
    tp: int
    fp: int
    fn: int
    tn: int
    accuracy: float
    precision: float
    recall: float
    specificity: float
    negative_predictive_value: float
    balanced_accuracy: float
    mean_predictive_value: float
    direction_conflicts: int | None
    three_way: ThreeWay | None


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
        raise ShapeError(
            f"`manual` has {len(truth)} verdicts and `automatic` {len(guess)}",
            hint="give one of each per pair",
        )
    table = None
    if manual_signs is not None and automatic_signs is not None:
        rows = _directions(truth, manual_signs, "manual_signs")
        table = _three_way(rows, _directions(guess, automatic_signs, "automatic_signs"))
    elif manual_signs is not None or automatic_signs is not None:
        raise InputError("only one of the measures has signs", hint="give both or neither")
    return _summary(truth, guess, table)


def all_must_agree(verdicts: npt.ArrayLike, *, signs: npt.ArrayLike | None = None) -> Bools:
    """Combine several measures: significant only if all of them say so.

    Parameters
    ----------
    verdicts
        A row a measure, a column a pair: True if the measure finds the difference significant.
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
        raise InputError(
            f"`{name}` holds something other than True and False",
            hint="compare the p-values with the level first",
        )
    return array.astype(np.bool_)


def _array(values: npt.ArrayLike, name: str) -> npt.NDArray[np.generic]:
    try:
        return np.asarray(values)
    except ValueError:
        raise ShapeError(f"`{name}` has rows of different lengths") from None


def _directions(verdicts: Bools, signs: npt.ArrayLike, name: str) -> Signs:
    """Give the signs of the significant differences, and 0 to the others."""
    array = _array(signs, name)
    if array.shape != verdicts.shape:
        raise ShapeError(
            f"`{name}` has the shape {array.shape}, its verdicts have {verdicts.shape}",
            hint="give one sign per verdict",
        )
    if array.dtype.kind not in "if" or not np.isin(array, (-1, 0, 1)).all():
        raise InputError(f"`{name}` holds something other than -1, 0 and 1")
    directions: Signs = np.where(verdicts, array, 0).astype(np.int64)
    lost = np.argwhere(verdicts & (directions == 0))
    if len(lost):
        place = ", ".join(map(str, lost[0].tolist()))
        raise InputError(
            f"`{name}` is 0 at position {place}, where the difference is significant",
            hint="give the sign of the statistic that was tested",
        )
    return directions


def _three_way(manual: Signs, automatic: Signs) -> ThreeWay:
    counts = np.bincount((manual + 1) * 3 + automatic + 1, minlength=9).tolist()
    a, b, c, d, e, f, g, h, i = counts
    return (a, b, c), (d, e, f), (g, h, i)


def _summary(manual: Bools, automatic: Bools, table: ThreeWay | None) -> SignificanceAgreement:
    tp, fp = int((manual & automatic).sum()), int((~manual & automatic).sum())
    fn, tn = int((manual & ~automatic).sum()), int((~manual & ~automatic).sum())
    precision, negative = _ratio(tp, tp + fp), _ratio(tn, tn + fn)
    recall, specificity = _ratio(tp, tp + fn), _ratio(tn, tn + fp)
    return SignificanceAgreement(
        n=len(manual),
        tp=tp,
        fp=fp,
        fn=fn,
        tn=tn,
        accuracy=(tp + tn) / len(manual),
        precision=precision,
        recall=recall,
        specificity=specificity,
        negative_predictive_value=negative,
        balanced_accuracy=(recall + specificity) / 2,
        mean_predictive_value=(precision + negative) / 2,
        direction_conflicts=None if table is None else table[0][2] + table[2][0],
        three_way=table,
    )


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
