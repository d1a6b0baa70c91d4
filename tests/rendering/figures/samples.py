"""Scores, comparisons and all figures of them, small and large, for the tests of figures."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import (
    Comparison,
    ComparisonResult,
    Comparisons,
    PairCounts,
    SystemResult,
    _charts,
    _power_curves,
    compare,
)
from pyramidion.stats import mean_rank_tukey, power_curve

NO_COUNTS = PairCounts(0, 0, 0)

#: Drawing functions by the names that `Result.plot` has for them.
_DRAW: dict[str, Callable[..., Any]] = {
    "ranking": _charts.ranking_picture,
    "pairs": _charts.significance_picture,
    "wins": _charts.win_tie_loss_picture,
    "scores": _charts.score_matrix_picture,
    "topics": _charts.tukey_picture,
    "power": _power_curves.power_figure,
}


def draw(kind: str, *values: object, **options: object) -> Any:
    """Draw a chart of values made by hand, which no question would return."""
    return _DRAW[kind](*values, **options)


def scores(
    systems: int, topics: int, people: int = 0, *, long: bool = False, seed: int = 0
) -> ScoreMatrix:
    """Return scores in which each person has written for every other topic."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(1, -1, systems)
    values = 0.1 + 0.02 * (quality + rng.normal(0, 1, (topics, 1)) + rng.normal(size=(1, systems)))
    values = values + 0.02 * rng.normal(size=(topics, systems))
    human = np.arange(systems) < people
    if topics > 1:
        for person in range(people):
            values[person % 2 :: 2, person] = np.nan
    names = [chr(65 + i) if i < people else str(i - people + 1) for i in range(systems)]
    if long:
        names = [f"the-system-of-a-team-with-a-long-name-{name}-tuned" for name in names]
    shuffled = rng.permutation(systems)
    return ScoreMatrix(
        values[:, shuffled],
        [f"D10{i:02d}-{'ABCDEFGH'[i % 8]}" for i in range(topics)],
        [names[i] for i in shuffled],
        human[shuffled],
        measure="rouge-2-r",
        task="A",
    )


@cache
def comparison(
    systems: int, topics: int, people: int = 0, *, long: bool = False, baseline: str | None = None
) -> Comparisons:
    matrix = scores(systems, topics, people, long=long)
    return compare(matrix, test="paired-t", correction="holm", baseline=baseline)


def result_of(
    systems: list[tuple[str, str, float, str]],
    pairs: dict[tuple[str, str], float],
    **settings: object,
) -> ComparisonResult:
    """Make a result by hand: (name, kind, mean, group), and the adjusted p-value of pairs."""
    mean = {name: value for name, _, value, _ in systems}
    ranking = tuple(
        SystemResult(name, kind, value, value - 1, value + 1, 9, rank, group)
        for rank, (name, kind, value, group) in enumerate(systems, start=1)
    )
    comparisons = tuple(
        Comparison(a, b, 9, mean[a] - mean[b], 1.0, p, p, 0.5) for (a, b), p in pairs.items()
    )
    fields = {
        "measure": "responsiveness",
        "task": "A",
        "test": "paired-t",
        "alpha": 0.05,
        "correction": "holm",
        "statistic": None,
        "n_resamples": 0,
        "counts": NO_COUNTS,
        "human_machine": NO_COUNTS,
        **settings,
    }
    return ComparisonResult(**fields, systems=ranking, comparisons=comparisons)


#: One person above two machines that do not differ significantly.
THREE = (
    [("A", "human", 4.0, "a"), ("7", "machine", 2.5, "b"), ("8", "machine", 2.0, "b")],
    {("A", "7"): 0.0004, ("A", "8"): 0.008, ("7", "8"): 0.6},
)


@cache
def power():
    machine, human = [0.14, 0.36, 0.31, 0.13, 0.06], [0.01, 0.03, 0.12, 0.34, 0.5]
    return power_curve(machine, human, n_null=400, n_resamples=100)


def tukey(matrix: ScoreMatrix, **options):
    intervals = mean_rank_tukey(matrix.values)
    return draw("topics", intervals, matrix.topics, measure="rouge-2-r", task="A", **options)


def one_topic_result() -> ComparisonResult:
    """Nothing can be tested on one topic: neither intervals nor p-values exist."""
    nan = float("nan")
    ranking = tuple(
        SystemResult(name, "machine", mean, nan, nan, 1, rank, "a")
        for rank, (name, mean) in enumerate((("7", 0.5), ("8", 0.4)), start=1)
    )
    pair = Comparison("7", "8", 1, 0.1, nan, nan, nan, nan, "one shared topic")
    return ComparisonResult(
        "m", "", "welch", 0.05, "none", None, 0, NO_COUNTS, NO_COUNTS, ranking, (pair,)
    )


#: Every figure, small, large, with long names and of one topic; by name.
FIGURES: dict[str, Callable] = {
    "matrix-3": lambda: draw("scores", scores(3, 6, 1)),
    "matrix-66": lambda: draw("scores", scores(66, 48, 8)),
    "matrix-66-long": lambda: draw("scores", scores(66, 48, 1, long=True)),
    "matrix-one-machine": lambda: draw("scores", scores(40, 5, 39)),
    "matrix-one-topic": lambda: draw("scores", scores(12, 1, 4, long=True)),
    "matrix-one-score": lambda: draw("scores", scores(1, 1)),
    "tukey-3": lambda: tukey(scores(20, 3)),
    "tukey-48": lambda: tukey(scores(66, 48, 8)),
    "power": lambda: draw("power", power(), measure="responsiveness", task="A"),
    **{
        f"{kind}-{size}": lambda kind=kind, compared=compared: compared().plot(kind)
        for kind in ("ranking", "pairs", "wins")
        for size, compared in {
            "3": partial(comparison, 3, 30, 1),
            "12-long": partial(comparison, 12, 30, 4, long=True),
            "66": partial(comparison, 66, 48, 8),
            "66-long": partial(comparison, 66, 48, 8, long=True),
            "baseline": partial(comparison, 20, 30, 2, baseline="5"),
        }.items()
    },
    **{
        f"{kind}-one-topic": lambda kind=kind: draw(kind, one_topic_result())
        for kind in ("ranking", "pairs", "wins")
    },
}
