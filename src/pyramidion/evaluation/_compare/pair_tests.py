"""Every test of a pair of systems, applied to all pairs of a matrix, and its effect size."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pyramidion import stats
from pyramidion._types import Floats, Pairs
from pyramidion.errors import InputError
from pyramidion.evaluation._procedures import RESAMPLING_TESTS, Correction, StatisticName, TestName
from pyramidion.stats._pair_permutation import least_resamples, permute_pairs
from pyramidion.stats._pair_resampling import resample_pairs
from pyramidion.stats._pairs import blocks

if TYPE_CHECKING:
    from pyramidion.stats._paired_tests import TTest

#: From two systems' scores on the topics they share.
Effect = Callable[[Floats, Floats], float]


def standardised_differences(values: Floats, pairs: Pairs) -> Floats:
    """Divide each pair's mean difference by the standard deviation of its differences.

    NaN where fewer than two topics are shared or all differences are equal but not 0.
    """
    effects = np.full(len(pairs), np.nan)
    systems = np.ascontiguousarray(values.T)
    for rows in blocks(len(pairs), len(values)):
        first, second = pairs[rows].T
        differences = systems[first]
        differences -= systems[second]
        effects[rows] = _standardised_rows(differences)
    return effects


def _standardised_rows(differences: Floats) -> Floats:
    known = ~np.isnan(differences)
    n = known.sum(axis=1)
    differences[~known] = 0.0
    mean = differences.sum(axis=1) / np.maximum(n, 1)
    away = np.where(known, differences - mean[:, None], 0.0)
    spread = np.sqrt(np.einsum("pk,pk->p", away, away) / np.maximum(n - 1, 1))
    effects = np.full(len(mean), np.nan)
    np.divide(mean, spread, out=effects, where=(n > 1) & (spread > 0))
    effects[(n > 1) & (spread == 0) & ~differences.any(axis=1)] = 0.0
    return effects


def _standardised(x: Floats, y: Floats) -> float:
    return float(standardised_differences(np.column_stack([x, y]), np.array([[0, 1]]))[0])


def _walsh_share(x: Floats, y: Floats) -> float:
    return stats.walsh_probability(x, y).value if len(x) > 1 else math.nan


def _pooled_difference(x: Floats, y: Floats) -> float:
    """Divide the mean difference by the pooled standard deviation (Cohen's d)."""
    if len(x) < 2:
        return math.nan
    spread = math.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2)
    difference = float(x.mean() - y.mean())
    if not spread:
        return 0.0 if not difference else math.nan
    return difference / spread


#: P(Z1 + Z2 > 0) for W, the standardised difference for t, Cohen's d for unpaired t.
EFFECTS: Mapping[StatisticName, Effect] = {
    "w": _walsh_share,
    "t": _standardised,
    "t-unpaired": _pooled_difference,
}


# Statistic, p, effect and note of a pair.
_Row = tuple[float, float, float, str]

# Fewer shared topics than these have no max-T of a resampled statistic.
_FEW = 5


@dataclass(frozen=True, slots=True)
class ResamplingOptions:
    """How resampling is done."""

    n_resamples: int = 9999
    statistic: StatisticName = "w"
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PairTests:
    """What a test found, an element for each pair."""

    statistic: Floats
    p: Floats
    effect: Floats
    notes: tuple[str, ...]
    n_resamples: int = 0
    p_max_t: Floats | None = None


def apply_test(
    values: Floats, pairs: Pairs, test: TestName, options: ResamplingOptions
) -> PairTests:
    """Apply a test to pairs of columns, each on the topics both have."""
    return _TESTS[test](values, pairs, options)


def max_t(values: Floats, pairs: Pairs, test: TestName, options: ResamplingOptions) -> PairTests:
    """Correct a test without resamples of its own by max-T: its statistic under random swaps."""
    if test == "wilcoxon":
        return _resampled(values, pairs, replace(options, statistic="w"), method="mc")
    # T rises with the mean difference, whose own statistic stays bounded with few topics.
    return _permuted(values, pairs, options)


def enough_resamples(
    options: ResamplingOptions, test: TestName, correction: Correction, pairs: int, alpha: float
) -> ResamplingOptions:
    """Refuse too few resamples, and raise them where the correction goes step by step."""
    if test not in RESAMPLING_TESTS and correction != "maxt":
        return options
    require_enough_resamples(options, alpha)
    if correction not in ("holm", "bh"):
        return options
    return replace(options, n_resamples=max(options.n_resamples, least_resamples(pairs, alpha)))


def require_enough_resamples(options: ResamplingOptions, alpha: float) -> None:
    """Refuse fewer resamples than the level can resolve."""
    least = least_resamples(1, alpha)
    if options.n_resamples < least:
        raise InputError(
            f"{options.n_resamples} resamples cannot show significance at {alpha:g}",
            hint=f"ask for {least} or more",
        )


def _permuted(values: Floats, pairs: Pairs, options: ResamplingOptions) -> PairTests:
    found = permute_pairs(
        values, pairs=pairs, n_resamples=options.n_resamples, step_down=False, rng=options.seed
    )
    notes = tuple("" if n else "no shared topic" for n in found.topics)
    effects = standardised_differences(values, pairs)
    return PairTests(found.statistic, found.p, effects, notes, found.n_resamples, found.p_max_t)


def _resampled(
    values: Floats, pairs: Pairs, options: ResamplingOptions, *, method: str
) -> PairTests:
    effect = EFFECTS[options.statistic]
    shared = [_shared(values, a, b) for a, b in pairs]
    topics = np.array([len(x) for x, _ in shared])
    effects = np.array([effect(x, y) for x, y in shared])
    statistic, p, p_max_t = (np.full(len(pairs), np.nan) for _ in range(3))
    # T of a pair with few topics is often infinite under resampling and would rule the maximum
    # over all pairs, so such pairs are resampled apart and have no max-T.
    for many, rows in ((False, topics < _FEW), (True, topics >= _FEW)):
        if not rows.any():
            continue
        found = resample_pairs(
            values,
            method="hb" if method == "hb" else "mc",
            pairs=pairs[rows],
            statistics=(options.statistic,),
            n_resamples=options.n_resamples,
            rng=options.seed,
        ).tests[options.statistic]
        statistic[rows], p[rows] = found.statistic, found.p
        if many:
            p_max_t[rows] = found.p_max_t
    notes = tuple(_few_topics_note(n) for n in topics.tolist())
    return PairTests(statistic, p, effects, notes, options.n_resamples, p_max_t)


def _few_topics_note(topics: int) -> str:
    if topics < 2:
        return "fewer than two shared topics"
    return f"{topics} shared topics are too few for max-T" if topics < _FEW else ""


def _one_by_one(
    values: Floats,
    pairs: Pairs,
    options: ResamplingOptions,
    *,
    test: Callable[[Floats, Floats], _Row],
) -> PairTests:
    rows = [test(*_shared(values, a, b)) for a, b in pairs]
    statistic, p, effect = (np.array([row[i] for row in rows], dtype=float) for i in range(3))
    return PairTests(statistic, p, effect, tuple(row[3] for row in rows))


def _shared(values: Floats, a: int, b: int) -> tuple[Floats, Floats]:
    both = ~np.isnan(values[:, a]) & ~np.isnan(values[:, b])
    return values[both, a], values[both, b]


def _wilcoxon(x: Floats, y: Floats) -> _Row:
    if not len(x):
        return math.nan, math.nan, math.nan, "no shared topic"
    found = stats.wilcoxon(x, y)
    return found.statistic, found.p, EFFECTS["w"](x, y), "" if found.n else "no difference"


def _paired_t(x: Floats, y: Floats) -> _Row:
    return _t_row(x, y, stats.paired_t, EFFECTS["t"])


def _unpaired_t(x: Floats, y: Floats) -> _Row:
    return _t_row(x, y, stats.unpaired_t, EFFECTS["t-unpaired"])


def _welch(x: Floats, y: Floats) -> _Row:
    welch = partial(stats.unpaired_t, variance="welch")
    return _t_row(x, y, welch, EFFECTS["t-unpaired"])


def _t_row(x: Floats, y: Floats, run: "Callable[[Floats, Floats], TTest]", effect: Effect) -> _Row:
    if len(x) < 2:
        return math.nan, math.nan, math.nan, "fewer than two shared topics"
    found = run(x, y)
    return found.statistic, found.p, effect(x, y), found.note


_Runner = Callable[[Floats, Pairs, ResamplingOptions], PairTests]
_TESTS: Mapping[TestName, _Runner] = {
    "permutation": _permuted,
    "mc": partial(_resampled, method="mc"),
    "hb": partial(_resampled, method="hb"),
    "wilcoxon": partial(_one_by_one, test=_wilcoxon),
    "paired-t": partial(_one_by_one, test=_paired_t),
    "unpaired-t": partial(_one_by_one, test=_unpaired_t),
    "welch": partial(_one_by_one, test=_welch),
}
