"""Learners beyond the papers: one that ranks, and one over many metrics at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.classy._fits import LinearFit
from pyramidion.classy._search import Criterion, SelectionLevel, TargetAgreement
from pyramidion.classy._table import TrainingData
from pyramidion.errors import InputError
from pyramidion.stats.inputs import Rng, generator

# Training data without what whole topics have in common.

# A column whose spread is this small beside its values is constant within topics.
_NOISE = 1e-9
# The only target.
_FIRST = np.zeros(1, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class TopicRows:
    """Rows minus their topics' means, columns divided by their spread.

    How hard a topic is says nothing about which of its summaries is better.
    """

    features: Floats
    target: Floats
    spreads: Floats
    topics: Ints
    feature_means: Floats
    target_mean: float

    @classmethod
    def of(cls, data: TrainingData) -> "TopicRows":
        """Center and scale the first target and all features."""
        topics = topic_numbers(data)
        features = _centered(data.features, topics)
        values = _centered(data.targets[:, [0]], topics)[:, 0]
        if np.abs(values).max(initial=0.0) <= _NOISE:
            what = f"target {data.target_names[0]} has the same value in all rows of each topic"
            hint = "nothing can be learned from it; take another target"
            raise InputError(f"{data.name}: {what}", hint=hint)
        spreads = features.std(axis=0)
        varies = spreads > _NOISE * np.maximum(np.abs(data.features).max(axis=0), 1e-300)
        spreads = np.where(varies, spreads, np.inf)
        means = data.features.mean(axis=0), float(data.targets[:, 0].mean())
        return cls(features / spreads, values, spreads, topics, *means)

    def fit(self, weights: Floats) -> LinearFit:
        """Turn weights of these columns into coefficients of the features as they were.

        The constant makes the mean prediction the mean target.
        """
        coefficients = weights / self.spreads
        constant = self.target_mean - float(self.feature_means @ coefficients)
        return LinearFit(coefficients, constant)

    def calibrated(self, weights: Floats) -> LinearFit:
        """Stretch weights so that predictions have the target's units, then see `fit`.

        The order of predictions stays as it is.
        """
        predicted = self.features @ weights
        length = float(predicted @ predicted)
        slope = float(predicted @ self.target) / length if length > 0 else 1.0
        return self.fit(weights * (slope if slope > 0 else 1.0))


def topic_numbers(data: TrainingData) -> Ints:
    """Return the number of each row's topic; refuse data without topics."""
    if not len(data.topics):
        raise InputError(f"{data.name}: the rows have no topics", hint="give them")
    return np.unique(data.topics, return_inverse=True)[1].astype(np.int64)


def _centered(columns: Floats, topics: Ints) -> Floats:
    sums = np.zeros((int(topics.max()) + 1, columns.shape[1]))
    np.add.at(sums, topics, columns)
    means: Floats = sums / np.bincount(topics)[:, None]
    return columns - means[topics]


# Linear models of many metrics, held back: from a single metric to ridge regression.
#
# All are fitted to features and targets without their topics' means. With standardized columns Z
# and target y, ridge regression minimizes
#
# .. math:: |y - Z w|^2 / n + \lambda |w|^2
#
# for a strength :math:`\lambda`; the non-negative one first turns each column so that it rises
# with the target in the training data, and allows no negative weight. Small sets grow by the
# column that lowers the sum of squares most.

#: Of ridge regression, strongest first.
STRENGTHS = (3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003)

#: How many metrics small sets have.
SET_SIZES = (2, 3, 4, 6, 8, 12)

# So little that it only keeps copies of a column apart.
_IN_SETS = 0.01


def regularized_fits(
    data: TrainingData, *, criterion: Criterion = "kendall", level: SelectionLevel = "input"
) -> dict[str, LinearFit]:
    """Fit all models of the family, the simplest first."""
    rows = TopicRows.of(data)
    products = rows.features.T @ rows.features / len(rows.target)
    slopes = rows.features.T @ rows.target / len(rows.target)
    agreement = TargetAgreement(data, criterion, level)
    fits = {"one metric": rows.calibrated(_single(agreement, rows))}
    weighted = chain(
        _small_sets(products, slopes),
        ((f"non-negative {s:g}", _non_negative(products, slopes, s)) for s in STRENGTHS),
        zip((f"ridge {s:g}" for s in STRENGTHS), _ridge(products, slopes, STRENGTHS), strict=True),
    )
    return fits | {name: rows.fit(weights) for name, weights in weighted}


def _single(agreement: TargetAgreement, rows: TopicRows) -> Floats:
    """Weight the metric that agrees best with the target by 1 or -1, and the others by 0."""
    each = np.eye(rows.features.shape[1])
    scores = agreement.scores(each, np.zeros(len(each)), _FIRST)[:, 0]
    scores = np.where(np.isnan(scores) | np.isinf(rows.spreads), 0.0, scores)
    best = int(np.argmax(np.abs(scores)))
    weights: Floats = each[best] * (np.sign(scores[best]) or 1.0)
    return weights


def _ridge(products: Floats, slopes: Floats, strengths: Sequence[float]) -> Iterator[Floats]:
    values, directions = np.linalg.eigh(products)
    along = directions.T @ slopes
    for strength in strengths:
        yield directions @ (along / (np.maximum(values, 0.0) + strength))


def _non_negative(products: Floats, slopes: Floats, strength: float) -> Floats:
    from scipy.optimize import nnls

    signs = np.where(slopes < 0, -1.0, 1.0)
    turned = products * signs * signs[:, None] + strength * np.eye(len(slopes))
    # |y - Z w|^2 differs from |b - R w|^2 by a constant if R'R = Z'Z and R'b = Z'y.
    root = np.linalg.cholesky(turned).T
    return signs * nnls(root, np.linalg.solve(root.T, signs * slopes))[0]


def _small_sets(products: Floats, slopes: Floats) -> Iterator[tuple[str, Floats]]:
    products = products + _IN_SETS * np.eye(len(slopes))
    chosen: list[int] = []
    for size in range(1, min(max(SET_SIZES), len(slopes)) + 1):
        chosen.append(_next(products, slopes, chosen))
        if size in SET_SIZES:
            weights = np.zeros(len(slopes))
            weights[chosen] = np.linalg.solve(products[np.ix_(chosen, chosen)], slopes[chosen])
            yield f"{size} metrics", weights


def _next(products: Floats, slopes: Floats, chosen: list[int]) -> int:
    """Find the column that lowers the sum of squares most beside those chosen."""
    rest, left = slopes, np.diag(products)
    if chosen:
        shares = np.linalg.solve(products[np.ix_(chosen, chosen)], products[chosen])
        rest = slopes - slopes[chosen] @ shares
        left = left - np.einsum("ij,ij->j", products[chosen], shares)
    gains = rest**2 / np.maximum(left, 1e-12)
    gains[chosen] = -1.0
    return int(np.argmax(gains))


# A model that learns order: of two summaries of a topic, which one people prefer.
#
# With standardized columns z and weights w it minimizes
#
# .. math:: \sum_t \frac{1}{n_t} \sum_{y_i > y_j} \log(1 + e^{-w (z_i - z_j)}) / T
#           + \frac{\lambda}{2} |w|^2
#
# over the pairs of summaries of each topic t that people rate differently, all topics alike, as
# Kendall's correlation within topics weights them. The sum is convex; it is minimized from 0 by
# BFGS, so that the same data give the same model.

#: How strongly weights are held back, strongest first.
RANKING_STRENGTHS = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)

# Of more pairs every second, third, ... is taken.
_MOST_PAIRS = 1 << 19


def ranking_fits(data: TrainingData) -> dict[str, LinearFit]:
    """Fit the model at each strength, the most held back first.

    Predictions are stretched to the target's units, which changes no order. See R. Herbrich,
    T. Graepel and K. Obermayer, Large margin rank boundaries for ordinal regression (2000); with
    logistic loss, C. Burges et al., Learning to rank using gradient descent (ICML 2005).
    """
    rows = TopicRows.of(data)
    pairs = _pairs(rows)
    weights, fits = np.zeros(rows.features.shape[1]), {}
    for strength in RANKING_STRENGTHS:
        weights = _minimized(rows.features, pairs, strength, weights)
        fits[f"ranking {strength:g}"] = rows.calibrated(weights)
    return fits


class _Pairs(NamedTuple):
    """Numbers of rows of which the first is better, and how much each pair counts."""

    better: Ints
    worse: Ints
    shares: Floats


def _pairs(rows: TopicRows) -> _Pairs:
    """Find the pairs of summaries of a topic that people rate differently."""
    pairs = []
    for topic in range(int(rows.topics.max()) + 1):
        topic_rows = np.flatnonzero(rows.topics == topic)
        values = rows.target[topic_rows]
        better, worse = np.nonzero(values[:, None] - values > 1e-9)
        pairs.append((topic_rows[better], topic_rows[worse], np.full(len(better), topic)))
    better, worse, topics = (np.concatenate(part) for part in zip(*pairs, strict=True))
    step = -(-len(better) // _MOST_PAIRS)
    better, worse, topics = better[::step], worse[::step], topics[::step]
    sizes = np.bincount(topics)
    return _Pairs(better, worse, 1 / (sizes[topics] * np.count_nonzero(sizes)))


def _minimized(features: Floats, pairs: _Pairs, strength: float, start: Floats) -> Floats:
    from scipy.optimize import minimize

    def loss(weights: Floats) -> tuple[float, Floats]:
        # A product so small wakes threads of BLAS that take longer than the work.
        scores = np.einsum("ij,j->i", features, weights)
        ahead = scores[pairs.better] - scores[pairs.worse]
        pull = pairs.shares * np.exp(-np.logaddexp(0.0, ahead))
        gradient = np.bincount(pairs.worse, pull, len(scores))
        gradient -= np.bincount(pairs.better, pull, len(scores))
        value = pairs.shares @ np.logaddexp(0.0, -ahead) + strength / 2 * weights @ weights
        return float(value), np.einsum("ij,i->j", features, gradient) + strength * weights

    minimum = minimize(loss, start, jac=True, method="BFGS", options={"maxiter": 1000})
    return np.asarray(minimum.x)


# Choosing among fits honestly: by topics that they were not fitted on.

#: Gives fits by name, the simplest first, for data with one target.
Learner = Callable[[TrainingData], Mapping[str, LinearFit]]

# Scores that differ by no more than this are tied.
_TIED = 1e-9


def learner_of(
    method: str, criterion: Criterion = "kendall", level: SelectionLevel = "input"
) -> Learner:
    """Return the learner of a method."""
    if method == "ranking":
        return ranking_fits
    return partial(regularized_fits, criterion=criterion, level=level)


@dataclass(frozen=True, slots=True, eq=False)
class SubsetChoice:
    """The fit that was chosen, and how it and the others did on topics left out."""

    name: str
    fit: LinearFit
    values: Mapping[str, float]

    @property
    def value(self) -> float:
        """The mean score of the one that was chosen."""
        return self.values[self.name]


def choose_by_topics(
    learner: Learner,
    data: TrainingData,
    *,
    criterion: Criterion = "kendall",
    level: SelectionLevel = "input",
    folds: int = 5,
    parts: Ints | None = None,
    rng: Rng | None = 0,
) -> SubsetChoice:
    """Fit on most topics, score on the others, in turn; refit the best on all.

    Topics are cut into folds, or rows into `parts` by their number. Nothing but the given data is
    looked at: topics to test on must not be among them. Of tied fits the simplest wins.
    """
    totals: dict[str, float] = {}
    weights: dict[str, float] = {}
    if parts is None:
        parts = _folds(data, folds, rng)
    for part in range(int(parts.max()) + 1):
        train, test = data.rows(parts != part), data.rows(parts == part)
        scores = _scores(learner, train, test, criterion, level)
        size = len(np.unique(test.topics))
        for name, score in scores.items():
            totals[name] = totals.get(name, 0.0) + size * score
            weights[name] = weights.get(name, 0.0) + size
    if not totals:
        what = f"{data.name}: target {data.target_names[0]} varies within too few topics"
        raise InputError(what, hint="nothing can be chosen by it; add topics, or use another level")
    fits = learner(data)
    values = {name: totals[name] / weights[name] if name in totals else np.nan for name in fits}
    highest = np.nanmax(list(values.values()))
    best = next(name for name, value in values.items() if value >= highest - _TIED)
    return SubsetChoice(best, fits[best], values)


def _folds(data: TrainingData, folds: int, rng: Rng | None) -> Ints:
    topics = topic_numbers(data)
    count = int(topics.max()) + 1
    if count < 2 or folds < 2:
        what = f"`folds` is {folds}"
        if count < 2:
            what = f"{data.name}: {count} topic cannot be cut into parts to choose by"
        raise InputError(what, hint="give at least two")
    part_of = np.empty(count, dtype=np.int64)
    part_of[generator(rng).permutation(count)] = np.arange(count) % min(folds, count)
    return part_of[topics]


def _scores(
    learner: Learner,
    train: TrainingData,
    test: TrainingData,
    criterion: Criterion,
    level: SelectionLevel,
) -> dict[str, float]:
    """Score fits on topics left out; nothing where the target is constant there."""
    try:
        agreement = TargetAgreement(test, criterion, level)
        fits = learner(train)
    except InputError:
        return {}
    coefficients: Floats = np.stack([fit.coefficients for fit in fits.values()])
    constants = np.array([fit.intercept for fit in fits.values()])
    scores = agreement.scores(coefficients, constants, _FIRST)[:, 0].tolist()
    return {name: score for name, score in zip(fits, scores, strict=True) if not np.isnan(score)}
