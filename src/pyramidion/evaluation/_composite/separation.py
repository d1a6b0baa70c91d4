"""How well a measure separates systems: significant pairs, and the F of systems."""

import math
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation._pair_verdicts import VerdictOptions, judge_pairs
from pyramidion.stats.differences import noise_level

__all__ = ["Separation", "separation"]


@dataclass(frozen=True, slots=True)
class Separation:
    """How well a measure tells systems apart.

    Parameters
    ----------
    measure
        Which.
    pairs, significant
        Pairs of systems, and how many differ significantly.
    human_machine_pairs, human_machine_significant
        The same for pairs of a person and a machine.
    f, df, residual_df, p
        The F test of systems in the additive model of systems and topics; NaN where undefined.
    undefined
        Pairs without a verdict.

    Examples
    --------
    >>> Separation("m", 10, 4, 0, 0, 3.2, 4, 36, 0.02).significant
    4
    """

    measure: str
    pairs: int
    significant: int
    human_machine_pairs: int
    human_machine_significant: int
    f: float
    df: int
    residual_df: int
    p: float
    undefined: int = 0


def separation(matrix: ScoreMatrix, options: VerdictOptions | None = None) -> Separation:
    """Tell how well a measure separates systems.

    Parameters
    ----------
    matrix
        Topics x systems.
    options
        The test of pairs.

    Examples
    --------
    >>> matrix = ScoreMatrix([[1, 2, 9], [2, 1, 8], [1, 2, 9], [2, 2, 7], [1, 1, 9], [3, 2, 8],
    ...                       [2, 3, 9]], list("abcdefg"), ["x", "y", "z"], measure="m")
    >>> found = separation(matrix)
    >>> found.significant, round(found.f, 1), found.df, found.residual_df
    (2, 168.5, 2, 12)
    """
    there = np.flatnonzero(matrix.counts() > 0)
    values, human = matrix.values[:, there], matrix.human[there]
    pairs = np.stack(np.triu_indices(len(there), 1), axis=1)
    verdicts = judge_pairs(values, pairs, options or VerdictOptions())
    mixed = human[pairs[:, 0]] != human[pairs[:, 1]]
    different = verdicts.signs != 0
    f, df, residual_df, p = _variance_test(values)
    return Separation(
        measure=matrix.measure,
        pairs=int(verdicts.known.sum()),
        significant=int(different.sum()),
        human_machine_pairs=int((verdicts.known & mixed).sum()),
        human_machine_significant=int((different & mixed).sum()),
        f=f,
        df=df,
        residual_df=residual_df,
        p=p,
        undefined=int((~verdicts.known).sum()),
    )


def _variance_test(values: Floats) -> tuple[float, int, int, float]:
    """Test the systems in the additive model; NaN where it cannot be fitted."""
    from pyramidion.stats import two_way_anova

    filled = values[~np.isnan(values).all(axis=1)]
    topics, systems = filled.shape
    if not np.isnan(filled).any() and topics > 1 and systems > 1:
        return _complete_test(filled)
    try:
        found = two_way_anova(filled)
    except InputError:
        # Systems that share no topics with the others cannot be compared with them.
        return math.nan, 0, 0, math.nan
    return found.first.f, found.first.df, found.residual_df, found.first.p


def _complete_test(values: Floats) -> tuple[float, int, int, float]:
    """Do what `two_way_anova` does where nothing is missing, and no equations need solving."""
    from scipy.special import fdtrc

    topics, systems = values.shape
    effects = values.mean(axis=0) - values.mean()
    rest = values - values.mean(axis=1, keepdims=True) - effects
    squares, left = topics * float(effects @ effects), float(np.sum(rest * rest))
    df, residual_df = systems - 1, (systems - 1) * (topics - 1)
    floor = values.size * noise_level(values) ** 2
    if squares <= floor:
        return 0.0, df, residual_df, 1.0
    if left <= floor:
        return math.nan, df, residual_df, math.nan
    f = squares / df / (left / residual_df)
    return f, df, residual_df, float(fdtrc(df, residual_df, f))
