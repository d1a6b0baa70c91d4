"""Systems compared by few human scores and many of a judge (prediction-powered inference)."""

import math
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
from pyramidion.comparison._intervals import level_of_pair, t_ends, with_ends
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

# From this number of human topics on, intervals hold for any judge.
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
    """Read a judge's scores: of a measure, or of a model that judged the human measure."""
    for name in (f"{human}@{judge}", judge):
        try:
            return replace(source, measures=(name,)).read()[1]
        except NotFoundError:
            if name == judge:
                raise
    return []


def beside(human: ScoreMatrix, judge: ScoreMatrix) -> tuple[Floats, Floats, ScoreMatrix]:
    """Align people's and the judge's scores: the topics of either, the systems of both."""
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
        raise InputError("--judge does not support --margin or --model", hint="leave them out")
    people, judged, matrix = beside(human, judge)
    lacking = (~np.isnan(people) & ~np.isnan(judged)).sum(axis=0) < 2
    dropped = [matrix.systems[column] for column in np.flatnonzero(lacking)]
    unscored = int((~np.isnan(people) & np.isnan(judged)).sum())
    if dropped:
        matrix = matrix.take(systems=[name for name in matrix.systems if name not in dropped])
        people, judged = people[:, ~lacking], judged[:, ~lacking]
    require_comparable(matrix, options.baseline)
    estimates = [prediction_powered_mean(h, j) for h, j in zip(people.T, judged.T, strict=True)]
    means = np.array([e.mean for e in estimates])
    level = options.confidence_level
    alone = mean_intervals(matrix, confidence_level=level)
    by_both = [(e.mean, e.error, e.df, e.n) for e in estimates]
    low, high = _intervals(by_both, alone.scale, level)
    by_people = [(e.human_mean, e.human_error, e.n - 1, e.n) for e in estimates]
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
            *[f"{unscored} human scores without a score of {judge.measure}"] * bool(unscored),
            *(f"{name}: {_TOO_FEW} of people and {judge.measure}" for name in dropped),
        ),
        notes=(
            *_notes(judge.measure, estimates, list(filter(None, tested))),
            *interval_notes(matrix, alone),
        ),
        judge=tuple(
            _row(matrix.systems[column], estimates[column], ends[column].tolist(), level)
            for column in ranking.order
        ),
    )  # fmt: skip


def _difference(people: Floats, judged: Floats) -> PredictionPowered | None:
    """Estimate the difference of two systems; None if they share fewer than two topics."""
    human, judge = np.full((2, len(people)), np.nan)
    for differences, scores in ((human, people), (judge, judged)):
        complete = ~np.isnan(scores).any(axis=1)
        # Differences that are rounding noise become 0.
        differences[complete] = snap_to_ties(*scores[complete].T)
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

    estimates = [e for e in tested if e is not None]
    rows = [e is not None for e in tested]
    numbers, ends = np.full((5, len(tested)), np.nan), np.full((2, len(tested)), np.nan)
    if estimates:
        columns = [(e.mean, e.error, e.df, e.human_error, e.n) for e in estimates]
        mean, error, df, human_error, n = np.array(columns).T
        # If nothing varies or differs, t is 0, as in a paired test.
        t = ratios(mean, error)
        t[~(error > 0) & (mean == 0)] = 0.0
        p = 2 * stdtr(df, -np.abs(t))
        if options.correction in ("holm", "bh", "none"):
            adjusted = adjust_p(p, method=options.correction)
            level = level_of_pair(adjusted, options.alpha, options.correction)
        else:
            influence = np.array([e.influence for e in estimates])
            adjusted, level = _max_t(influence, p, options.seed, options.alpha)
        ends[:, rows] = t_ends(mean, error, df, level)
        numbers[:, rows] = mean, t, p, adjusted, ratios(mean, human_error * np.sqrt(n))
    notes = np.where(numbers[1] == 0, "no difference on average", "").astype(object)
    notes[np.isnan(numbers[1])] = _NO_SPREAD
    notes[np.isnan(numbers[0])] = _TOO_FEW
    shared = np.array([e.n if e else 0 for e in tested])
    comparisons = built_comparisons(matrix, pairs, shared, *numbers, notes=notes.tolist())
    stepwise = options.correction == "holm"
    return with_ends(comparisons, ends[0], ends[1], alpha=options.alpha, stepwise=stepwise)


def _max_t(influence: Floats, p: Floats, seed: int, alpha: float) -> tuple[Floats, float]:
    """Correct p-values by the largest of all statistics, simulated from topic influences.

    Return also the level that p must reach to be significant.
    """
    from scipy.special import ndtr, ndtri

    scale = np.sqrt((influence**2).sum(axis=1, keepdims=True))
    moves = np.divide(influence, scale, out=np.zeros_like(influence), where=scale > 0)
    rng, largest = np.random.default_rng(seed), np.empty(_DRAWS)
    for start in range(0, _DRAWS, 2000):
        statistics = rng.standard_normal((2000, influence.shape[1])) @ moves.T
        largest[start : start + 2000] = np.abs(statistics).max(axis=1)
    # The normal quantile with the same p-value as the t statistic.
    reached = -ndtri(np.maximum(p, 1e-300) / 2)
    largest.sort()
    above = _DRAWS - np.searchsorted(largest, reached - 1e-12)
    level = min(alpha, 2 * float(ndtr(-largest[-math.floor(alpha * (_DRAWS + 1))])))
    return np.where(np.isnan(p), np.nan, np.maximum(p, (above + 1) / (_DRAWS + 1))), level


def _intervals(
    means: Sequence[tuple[float, float, float, int]],
    scale: tuple[float, float] | None,
    level: float,
) -> tuple[Floats, Floats]:
    """Return t intervals of means, given with errors, degrees of freedom and topics.

    Near the end of a scale they are wider, like those of people's scores.
    """
    from scipy.special import stdtrit

    mean, error, df, n = np.array(means).T
    reach = stdtrit(df, (1 + level) / 2) * error
    low, high = mean - reach, mean + reach
    if scale is None:
        return low, high
    reach = np.array([t_quantile((1 + level) / 2, max(int(freedom), 1)) for freedom in df])
    influences = Influences(mean, np.zeros((0, len(n))), n.astype(np.int64))
    lower, upper = on_scale(influences, reach, error, scale)
    return np.clip(np.fmin(low, lower), *scale), np.clip(np.fmax(high, upper), *scale)


def _row(
    system: str, estimate: PredictionPowered, ends: Sequence[float], level: float
) -> JudgedSystem:
    human_low, human_high, low, high = ends
    return JudgedSystem(
        system, estimate.n, estimate.n_judge, estimate.human_mean, human_low, human_high,
        estimate.mean, low, high, estimate.weight, estimate.effective_n, estimate.judge_mean,
        *estimate.judge_interval(level), estimate.bias, estimate.judge_coverage(level),
    )  # fmt: skip


def _notes(
    judge: str, estimates: Sequence[PredictionPowered], tested: Sequence[PredictionPowered]
) -> Iterator[str]:
    """Yield how much the judge helped."""
    topics, extra = ([getattr(e, name) for e in estimates] for name in ("n", "n_judge"))
    n, extra_topics = min(topics), max(extra)
    worth, pairs = (
        float(np.median([e.effective_n / e.n for e in group])) for group in (estimates, tested)
    )
    yield (
        f"Human scores on {_range(topics)} topics and those of {judge} on {_range(extra)} more: "
        f"each human topic counts as {worth:.2f} for means and {pairs:.2f} for differences "
        "(medians)."
    )
    if len({*topics}) > 1:
        yield (
            "Scores are missing: each mean is over the topics that the system has, so easy topics "
            "may give it a high rank; pairs are compared on shared topics."
        )
    if not extra_topics:
        yield f"People judged all topics of {judge}, so it adds nothing."
    if few := sum(e.n < FEWEST and e.n_judge > 1 for e in estimates):
        yield (
            f"The judge is not used for {few} of {len(estimates)} systems: people judged fewer "
            f"than {FEWEST} of their topics."
        )
    if n < _ENOUGH:
        yield f"With fewer than {_ENOUGH} human topics the intervals are rough."


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def judge_table(result: ComparisonResult) -> Table:
    """Show means by people, by people and judge, and by the judge alone."""
    note = (
        "Both: people's mean, adjusted by the judge's scores on further topics as far as the judge "
        "predicts people (weight). Worth topics: the number that people alone would have to judge. "
        f"Judge holds: how often the judge's own {result.confidence_level:.0%} interval would hold "
        "with its estimated bias."
    )
    title = f"People, and the judge, by {result.measure}"
    key = (("task", result.task), ("measure", result.measure))
    return JUDGED.table(result.judge, title, note, key=key)
