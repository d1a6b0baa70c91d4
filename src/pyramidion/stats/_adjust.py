"""P-values adjusted for the number of tests."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.stats.inputs import check_choice, float_array

Correction = Literal["holm", "bh", "none"]


def adjust_p(p: npt.ArrayLike, *, method: Correction = "holm") -> Floats:
    r"""Adjust p-values for multiple testing.

    With the m p-values in increasing order:

    - ``"holm"``: :math:`\max_{i \le j} (m - i + 1)\, p_{(i)}`, which controls the family-wise
      error rate;
    - ``"bh"`` (Benjamini and Hochberg): :math:`\min_{i \ge j} m\, p_{(i)} / i`, which controls
      the false discovery rate;
    - ``"none"``: unchanged.

    All are at most 1. The max-T correction needs the resamples and is part of the resampling
    tests.

    Parameters
    ----------
    p
        P-values in an array of any shape; NaN (no test was possible) stays NaN and is not
        counted.
    method
        The correction.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
       Journal of Statistics 6, 1979.
    .. [2] Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", JRSS B 57, 1995.

    Examples
    --------
    >>> adjust_p([0.01, 0.04, 0.03, 0.005]).tolist()
    [0.03, 0.06, 0.06, 0.02]
    >>> adjust_p([0.01, 0.04, 0.03, 0.005], method="bh").round(9).tolist()
    [0.02, 0.04, 0.04, 0.02]
    """
    check_choice(method, "method", Correction)
    values = float_array(p, "p")
    wrong_values = values[(values < 0) | (values > 1)]
    if len(wrong_values):
        raise InputError(
            f"`p` has the value {wrong_values[0]}", hint="p-values are between 0 and 1"
        )
    p_adjusted = values.copy()
    if method == "none":
        return p_adjusted
    is_defined = ~np.isnan(values)
    defined_values = values[is_defined]
    order, falling_ranks = np.argsort(defined_values), np.arange(len(defined_values), 0, -1)
    if method == "holm":
        adjusted_in_order = np.maximum.accumulate(falling_ranks * defined_values[order])
    else:
        order = order[::-1]
        adjusted_in_order = np.minimum.accumulate(
            len(defined_values) / falling_ranks * defined_values[order]
        )
    defined_values[order] = np.minimum(adjusted_in_order, 1.0)
    p_adjusted[is_defined] = defined_values
    return p_adjusted
