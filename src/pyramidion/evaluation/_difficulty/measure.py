"""How difficult an input is, predicted from the input alone and checked against scores.

Section 8.2 of the dissertation proposes it: agreement on one task in one year cannot be compared
with agreement elsewhere while nobody knows how hard the inputs were.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import ScoreMatrix
from pyramidion.collection.questions import Options, option
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import Peers, place_name
from pyramidion.stats._adjust import adjust_p
from pyramidion.stats._correlation import Correlation, kendall, pearson, spearman, undefined_reason
from pyramidion.stats._correlation_tests import IntervalMethod, correlation_interval

DifficultyCoefficient = Literal["pearson", "spearman", "kendall"]
Fit = Callable[[Floats, Floats, Floats], float]

_FEWEST = 4
_COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}

#: Penalties that are tried, for standardised features and one observation.
_PENALTIES = 10.0 ** np.arange(-4, 4.25, 0.25)


@dataclass(frozen=True, slots=True)
class DifficultyOptions(Options):
    """How features of inputs are held against scores."""

    peers: Peers = option("all", "Whose scores count: all, or machines to leave people out.")
    coefficients: tuple[DifficultyCoefficient, ...] = option(
        ("pearson", "spearman"), "Correlation coefficients: pearson, spearman, kendall.",
        flags=("--coefficient",),
    )  # fmt: skip
    method: IntervalMethod = option(
        "percentile", "Intervals of correlations: percentile, bca or fisher.", flags=("--interval",)
    )
    n_resamples: int = option(
        9999, "Number of draws of topics for the intervals.", flags=("--resamples",),
        least=1, most=1_000_000,
    )  # fmt: skip
    seed: int = option(0, "Seed of the random numbers; the same seed repeats the result.", least=0)
    confidence_level: float = option(
        0.95, "Confidence level of the intervals.", between=(0, 1), typed=False
    )

    def check(self) -> None:
        """Refuse no coefficient at all."""
        if not self.coefficients:
            raise InputError("no coefficient is named", hint="try pearson,spearman")


@dataclass(frozen=True, slots=True)
class TopicScore:
    """A topic, how well it was summarized, and how well that was predicted from other topics.

    `score` is the mean over systems; where systems are missing, what it would be with all of them
    (least-squares mean). `n` is how many systems have a score.
    """

    topic: str
    score: float
    n: int
    predicted: float
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FeatureCorrelation:
    """A feature of inputs against their mean scores: positive if more of it goes with easy inputs.

    `p_adjusted` is corrected for the number of features (Holm); `undefined` says why there is no
    value.
    """

    feature: str
    coefficient: str
    value: float
    low: float
    high: float
    p: float
    p_adjusted: float
    n: int
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Prediction:
    """How well scores are predicted from those of the other items.

    `by` is ``mean`` (of the others), a feature or ``all features``; `error` the root of the mean
    squared error; `explained` by how much the squared error is smaller than with the mean of the
    others, as a share of that, negative where the prediction is worse. The correlation of
    predictions and scores is no measure here: an item's score pulls the mean of the others down
    when it is high, so that predictions by nothing correlate negatively.
    """

    by: str
    error: float
    explained: float


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How difficult the inputs of one task were by one measure, the hardest topic first."""

    measure: str
    task: str
    collection: str
    systems: int
    topics: tuple[TopicScore, ...]
    correlations: tuple[FeatureCorrelation, ...]
    predictions: tuple[Prediction, ...]
    options: DifficultyOptions
    left_out: tuple[str, ...] = ()


def measure_difficulty(
    matrix: ScoreMatrix,
    features: Mapping[str, Mapping[str, float]],
    *,
    options: DifficultyOptions | None = None,
    collection: str = "",
) -> Difficulty:
    """Hold what inputs look like (`input_features`) against how well they were summarized."""
    options = options or DifficultyOptions()
    means = _TopicMeans.of(matrix)
    scores = means.scores
    there = [t for t in matrix.topics if t in scores and t in features]
    where = place_name(matrix.measure, matrix.task, collection)
    if len(there) < _FEWEST:
        raise InputError(
            f"{where}: {len(there)} topics have scores and documents", hint="four at least will do"
        )
    names = list(dict.fromkeys(name for topic in there for name in features[topic]))
    table = np.array([[features[topic].get(n, np.nan) for n in names] for topic in there])
    target = np.array([scores[topic] for topic in there])
    usable = _usable(table)
    all_of_them, predictions = loo_predictions(
        table[:, usable], target, [n for n, ok in zip(names, usable, strict=True) if ok]
    )
    topics = [
        TopicScore(topic, scores[topic], means.counts[topic], guess, dict(features[topic]))
        for topic, guess in zip(there, all_of_them.tolist(), strict=True)
    ]
    return Difficulty(
        measure=matrix.measure,
        task=matrix.task,
        collection=collection,
        systems=int((matrix.counts() > 0).sum()),
        topics=tuple(sorted(topics, key=lambda one: one.score)),
        correlations=tuple(_correlations(table, target, names, options)),
        predictions=predictions,
        options=options,
        left_out=tuple(_left_out(matrix, means, features, names, usable, where)),
    )


@dataclass(frozen=True, slots=True)
class _TopicMeans:
    """Each topic's mean over systems, and how many there were; why they are plain, if so."""

    scores: dict[str, float]
    counts: dict[str, int]
    note: str

    @classmethod
    def of(cls, matrix: ScoreMatrix) -> "_TopicMeans":
        present = ~np.isnan(matrix.values)
        rows, columns = (np.flatnonzero(present.any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            raise InputError(f"{matrix.measure} has no scores", hint="add some")
        values, there = matrix.values[np.ix_(rows, columns)], present[np.ix_(rows, columns)]
        means, note = np.where(there, values, 0.0).sum(axis=1) / there.sum(axis=1), ""
        if not there.all():
            from pyramidion.stats import two_way_anova

            try:
                means = two_way_anova(values).second.means
            except InputError:
                note = "groups of systems share no topics, so that topics have plain means"
        names = [matrix.topics[row] for row in rows]
        counts = there.sum(axis=1).tolist()
        return cls(
            dict(zip(names, means.tolist(), strict=True)),
            dict(zip(names, counts, strict=True)),
            note,
        )


def _usable(table: Floats) -> list[bool]:
    """Tell which features every topic has, not all of them the same."""
    return [not np.isnan(column).any() and bool(np.ptp(column) > 0) for column in table.T]


def _correlations(
    table: Floats, target: Floats, names: Sequence[str], options: DifficultyOptions
) -> Iterator[FeatureCorrelation]:
    for coefficient in options.coefficients:
        found = [_correlated(column, target, coefficient, options) for column in table.T]
        adjusted = adjust_p([one.p for one, _, _, _ in found], method="holm")
        for name, (one, low, high, n), p in zip(names, found, adjusted.tolist(), strict=True):
            yield FeatureCorrelation(
                name, coefficient, one.value, low, high, one.p, p, n, one.undefined
            )


def _correlated(
    feature: Floats, target: Floats, coefficient: DifficultyCoefficient, options: DifficultyOptions
) -> tuple[Correlation, float, float, int]:
    known = ~np.isnan(feature)
    x, y = feature[known], target[known]
    reason = "fewer than four topics have it" if len(x) < _FEWEST else undefined_reason(x, y)
    if reason:
        reason = reason.replace("`x`", "the feature").replace("`y`", "the score")
        nothing = Correlation(np.nan, np.nan, np.nan, len(x), "", reason)
        return nothing, np.nan, np.nan, len(x)
    interval = correlation_interval(
        x,
        y,
        coefficient=coefficient,
        method=options.method,
        confidence_level=options.confidence_level,
        n_resamples=options.n_resamples,
        rng=options.seed,
    ).interval
    return _COEFFICIENTS[coefficient](x, y), interval.low, interval.high, len(x)


def _left_out(
    matrix: ScoreMatrix,
    means: _TopicMeans,
    features: Mapping[str, object],
    names: Sequence[str],
    usable: Sequence[bool],
    where: str,
) -> Iterator[str]:
    scores = means.scores
    if means.note:
        yield f"{where}: {means.note}"
    without = [topic for topic in scores if topic not in features]
    if without:
        yield f"{where}: {len(without)} topics without documents, such as {without[0]}"
    if len(scores) < len(matrix.topics):
        yield f"{where}: {len(matrix.topics) - len(scores)} topics without a score"
    idle = [name for name, ok in zip(names, usable, strict=True) if not ok]
    if idle:
        yield f"{where}: features that are the same for all topics or missing: {', '.join(idle)}"


def loo_predictions(
    features: Floats, target: Floats, names: Sequence[str]
) -> tuple[Floats, tuple[Prediction, ...]]:
    """Predict each item's score from the other items.

    By each feature alone with least squares, and by all together with ridge regression whose
    penalty is chosen among the other items only, by generalised cross-validation (Golub,
    Heath and Wahba, Technometrics 21(2), 1979). Gives the predictions by all features, and how
    well all ways of predicting do.
    """
    base = _left_out_means(target)
    ways = [("mean", base)]
    for number, name in enumerate(names):
        ways.append((name, _each_left_out(features[:, [number]], target, _least_squares)))
    everything = _each_left_out(features, target, _ridge) if len(names) else base
    ways.append(("all features", everything))
    return everything, tuple(_judged(name, guess, target, base) for name, guess in ways)


def _left_out_means(target: Floats) -> Floats:
    means: Floats = (target.sum() - target) / (len(target) - 1)
    return means


def _each_left_out(features: Floats, target: Floats, fit: Fit) -> Floats:
    guesses = np.empty(len(target))
    for item in range(len(target)):
        rest = np.arange(len(target)) != item
        own, others = features[item], features[rest]
        centre, spread = others.mean(axis=0), others.std(axis=0)
        varying = spread > 1e-12 * np.abs(others).max(axis=0)
        scale = np.where(varying, spread, 1.0)
        z, new = (others - centre) / scale, np.where(varying, (own - centre) / scale, 0.0)
        mean = target[rest].mean()
        guesses[item] = mean + fit(z * varying, target[rest] - mean, new)
    return guesses


def _least_squares(z: Floats, y: Floats, new: Floats) -> float:
    length = float(z[:, 0] @ z[:, 0])
    slope = float(z[:, 0] @ y) / length if length else 0.0
    return slope * float(new[0])


def _ridge(z: Floats, y: Floats, new: Floats) -> float:
    """Predict by ridge regression with the penalty of the least generalised error."""
    u, sizes, v = np.linalg.svd(z, full_matrices=False)
    along = u.T @ y
    shrink = sizes**2 / (sizes**2 + _PENALTIES[:, None] * len(y))
    rest = float(y @ y) - float(along @ along)
    errors = ((1 - shrink) ** 2 * along**2).sum(axis=1) + max(rest, 0.0)
    # One degree of freedom is the mean's.
    freedom = len(y) - 1 - shrink.sum(axis=1)
    best = int(np.argmin(errors / np.maximum(freedom, 1e-9) ** 2))
    weights = np.divide(shrink[best] * along, sizes, out=np.zeros_like(sizes), where=sizes > 1e-12)
    return float((weights @ v) @ new)


def _judged(name: str, guess: Floats, target: Floats, base: Floats) -> Prediction:
    errors, before = target - guess, target - base
    squared, limit = float(errors @ errors), float(before @ before)
    explained = 1 - squared / limit if limit else math.nan
    return Prediction(name, math.sqrt(squared / len(target)), explained)
