"""Systems compared by few human scores and many of a judge (prediction-powered inference)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pyramidion._types import Floats, Pairs
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison._compare import (
    CompareOptions,
    built_comparisons,
    comparison_result,
    left_out_pairs,
    paired_systems,
    require_comparable,
)
from pyramidion.comparison._result import (
    Comparison,
    ComparisonResult,
    JudgedSystem,
    Ranking,
    interval_notes,
    mean_intervals,
)
from pyramidion.comparison.common import ratios
from pyramidion.comparison.measure_tables import Clustered, spread_over
from pyramidion.errors import InputError, NotFoundError
from pyramidion.rendering.labels import counted
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import View, columns
from pyramidion.stats import PredictionPowered, adjust_p, prediction_powered_mean
from pyramidion.stats._prediction_powered import FEWEST
from pyramidion.stats.mean_intervals import Influences, MeanIntervals, on_scale, t_quantile
from pyramidion.stats.pairs import merge_rounding_ties, noise_level, snap_to_ties

# From so many human topics on, intervals hold whatever the judge.
_ENOUGH = 20
_DRAWS = 20_000
_TOO_FEW = "fewer than two shared topics"
_NO_SPREAD = "no spread: every difference is the same"

JUDGED: View[JudgedSystem] = View(
    "judge",
    columns(
        "system", topics="human topics", judge_topics="judge only", human="people", human_low="low",
        human_high="high", mean="both", low="both low", high="both high", weight="weight",
        effective="worth topics", naive="judge alone", naive_low="judge low",
        naive_high="judge high", bias="bias", coverage="judge holds",
    ),
    digits=3,
)  # fmt: skip


def judge_matrices(source: Clustered, human: str, judge: str) -> list[ScoreMatrix]:
    """Read a judge's scores: those of a measure, or of a model that was asked for the human one."""
    for name in (f"{human}@{judge}", judge):
        try:
            return replace(source, measures=(name,)).read()[1]
        except NotFoundError:
            if name == judge:
                raise
    return []


def beside(human: ScoreMatrix, judge: ScoreMatrix) -> tuple[Floats, Floats, ScoreMatrix]:
    """Put people's and the judge's scores on the same topics, of the systems that both have."""
    systems = [name for name in human.systems if name in judge.systems]
    topics = list(dict.fromkeys((*human.topics, *judge.topics)))
    if len(systems) < 2:
        what = f"{human.measure} and {judge.measure} share {counted(len(systems), 'system')}"
        raise InputError(what, hint="people and the judge must score the same systems")
    people, judged = (spread_over(matrix, topics, systems) for matrix in (human, judge))
    return people, judged, human.take(systems=systems)


def compare_with_judge(
    human: ScoreMatrix, judge: ScoreMatrix, options: CompareOptions
) -> ComparisonResult:
    """Compare systems by people's scores, made more precise by a judge's."""
    if options.margin is not None or options.model:
        raise InputError("--judge knows no --margin and no --model", hint="leave them out")
    people, judged, matrix = beside(human, judge)
    lacking = (~np.isnan(people) & ~np.isnan(judged)).sum(axis=0) < 2
    gone = [name for name, out in zip(matrix.systems, lacking.tolist(), strict=True) if out]
    unscored = int((~np.isnan(people) & np.isnan(judged)).sum())
    if gone:
        matrix = matrix.take(systems=[name for name in matrix.systems if name not in gone])
        people, judged = people[:, ~lacking], judged[:, ~lacking]
    require_comparable(matrix, options.baseline)
    found = [prediction_powered_mean(h, j) for h, j in zip(people.T, judged.T, strict=True)]
    means = np.array([one.mean for one in found])
    level = options.confidence_level
    alone = mean_intervals(matrix, confidence_level=level)
    by_both = [(one.mean, one.error, one.df, one.n) for one in found]
    low, high = _intervals(by_both, alone.scale, level)
    by_people = [(one.human_mean, one.human_error, one.n - 1, one.n) for one in found]
    goodness = matrix.goodness(merge_rounding_ties(means, noise_level(means)))
    ranking = Ranking(means, goodness, np.ones(len(means), np.int64))
    pairs = paired_systems(matrix, ranking.order, options.baseline)
    tested = [_difference(people[:, pair], judged[:, pair]) for pair in pairs]
    comparisons = _comparisons(matrix, pairs, tested, options)
    ends = np.column_stack([*_intervals(by_people, alone.scale, level), low, high])
    return comparison_result(
        matrix, ranking, comparisons, MeanIntervals(means, low, high, "t"), options, test="ppi",
        left_out=(
            *left_out_pairs(matrix, "ppi", comparisons),
            *[f"{unscored} human scores without one of {judge.measure}"] * bool(unscored),
            *(f"{name}: {_TOO_FEW} of people and {judge.measure}" for name in gone),
        ),
        notes=(
            *_notes(judge.measure, found, list(filter(None, tested))),
            *interval_notes(matrix, alone),
        ),
        judge=tuple(
            _row(matrix.systems[at], found[at], ends[at].tolist(), level) for at in ranking.order
        ),
    )  # fmt: skip


def _difference(people: Floats, judged: Floats) -> PredictionPowered | None:
    """Estimate a difference of two systems; none if both share fewer than two topics."""
    human, judge = np.full((2, len(people)), np.nan)
    for found, scores in ((human, people), (judge, judged)):
        known = ~np.isnan(scores).any(axis=1)
        # Equal up to rounding is equal.
        found[known] = snap_to_ties(*scores[known].T)
    both = ~np.isnan(human) & ~np.isnan(judge)
    return prediction_powered_mean(human, judge) if both.sum() > 1 else None


def _comparisons(
    matrix: ScoreMatrix,
    pairs: Pairs,
    tested: Sequence[PredictionPowered | None],
    options: CompareOptions,
) -> tuple[Comparison, ...]:
    """Test each difference by t, and correct for the largest of all."""
    from scipy.special import stdtr

    known = [one for one in tested if one is not None]
    rows = [one is not None for one in tested]
    numbers = np.full((5, len(tested)), np.nan)
    if known:
        kept = [(one.mean, one.error, one.df, one.human_error, one.n) for one in known]
        mean, error, df, human_error, n = np.array(kept).T
        # Where nothing varies, t is 0 if nothing differs either, as that of a paired test.
        t = ratios(mean, error)
        t[~(error > 0) & (mean == 0)] = 0.0
        p = 2 * stdtr(df, -np.abs(t))
        if options.correction in ("holm", "bh", "none"):
            adjusted = adjust_p(p, method=options.correction)
        else:
            adjusted = _max_t(np.array([one.influence for one in known]), p, options.seed)
        numbers[:, rows] = mean, t, p, adjusted, ratios(mean, human_error * np.sqrt(n))
    notes = np.where(numbers[1] == 0, "no difference on average", "").astype(object)
    notes[np.isnan(numbers[1])] = _NO_SPREAD
    notes[np.isnan(numbers[0])] = _TOO_FEW
    shared = np.array([one.n if one else 0 for one in tested])
    return built_comparisons(matrix, pairs, shared, *numbers, notes=notes.tolist())


def _max_t(influence: Floats, p: Floats, seed: int) -> Floats:
    """Correct p-values by the largest of all statistics, drawn from how topics move them."""
    from scipy.special import ndtri

    scale = np.sqrt((influence**2).sum(axis=1, keepdims=True))
    moves = np.divide(influence, scale, out=np.zeros_like(influence), where=scale > 0)
    rng, largest = np.random.default_rng(seed), np.empty(_DRAWS)
    for start in range(0, _DRAWS, 2000):
        drawn = rng.standard_normal((2000, influence.shape[1])) @ moves.T
        largest[start : start + 2000] = np.abs(drawn).max(axis=1)
    # As improbable among normal ones as the statistic is among t.
    reached = -ndtri(np.maximum(p, 1e-300) / 2)
    above = _DRAWS - np.searchsorted(np.sort(largest), reached - 1e-12)
    return np.where(np.isnan(p), np.nan, np.maximum(p, (above + 1) / (_DRAWS + 1)))


def _intervals(
    found: Sequence[tuple[float, float, float, int]],
    scale: tuple[float, float] | None,
    level: float,
) -> tuple[Floats, Floats]:
    """Return intervals of means with errors, degrees of freedom and topics, by t.

    Where the end of a scale is near, they reach farther, as those of people's scores do.
    """
    from scipy.special import stdtrit

    mean, error, df, n = np.array(found).T
    reach = stdtrit(df, (1 + level) / 2) * error
    low, high = mean - reach, mean + reach
    if scale is None:
        return low, high
    reach = np.array([t_quantile((1 + level) / 2, max(int(own), 1)) for own in df])
    own = Influences(mean, np.zeros((0, len(n))), n.astype(np.int64))
    lower, upper = on_scale(own, reach, error, scale)
    return np.clip(np.fmin(low, lower), *scale), np.clip(np.fmax(high, upper), *scale)


def _row(system: str, one: PredictionPowered, ends: Sequence[float], level: float) -> JudgedSystem:
    human_low, human_high, low, high = ends
    naive_low, naive_high = one.judge_interval(level)
    return JudgedSystem(
        system, one.n, one.n_judge, one.human_mean, human_low, human_high, one.mean, low, high,
        one.weight, one.effective_n, one.judge_mean, naive_low, naive_high, one.bias,
        one.judge_coverage(level),
    )  # fmt: skip


def _notes(
    judge: str, found: Sequence[PredictionPowered], tested: Sequence[PredictionPowered]
) -> Iterator[str]:
    """Say what the judge was good for."""
    topics, extra = ([getattr(one, name) for one in found] for name in ("n", "n_judge"))
    n, more = min(topics), max(extra)
    worth, pairs = (
        float(np.median([one.effective_n / one.n for one in own])) for own in (found, tested)
    )
    yield (
        f"Human scores on {_range(topics)} topics and those of {judge} on {_range(extra)} more: "
        f"each human topic is worth {worth:.2f} for means and {pairs:.2f} for differences "
        "(medians)."
    )
    if len({*topics}) > 1:
        yield (
            "Scores are missing: each mean is of the system's own topics, so that easy topics may "
            "rank a system high; pairs are compared on the topics of both."
        )
    if not more:
        yield f"All topics of {judge} were judged by people, so that it adds nothing."
    if few := sum(one.n < FEWEST and one.n_judge > 1 for one in found):
        yield (
            f"The judge is not used for {few} of {len(found)} systems: people judged fewer than "
            f"{FEWEST} of their topics."
        )
    if n < _ENOUGH:
        yield f"With fewer than {_ENOUGH} human topics the intervals are rough."


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def judge_table(result: ComparisonResult) -> Table:
    """Show people alone, people and judge, and the judge alone."""
    note = (
        "Both: people's mean, moved by what the judge says of topics that people did not see, as "
        "far as the judge predicts people (weight). Worth topics: as many as people alone would "
        "have to judge. Judge holds: how often the judge's own "
        f"{result.confidence_level:.0%} interval would hold if its bias is what it seems."
    )
    title = f"People, and the judge, by {result.measure}"
    key = (("task", result.task), ("measure", result.measure))
    return JUDGED.table(result.judge, title, note, key=key)
