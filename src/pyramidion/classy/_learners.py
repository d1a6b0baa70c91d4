"""Learners that are not in the papers: pairwise ranking, and regularized linear models."""

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

# Training data centered within topics.

# A column whose spread is below this share of its largest value is constant within topics.
_CONSTANT_SPREAD = 1e-9
# Indices of the targets to score: the first only.
_FIRST_TARGET = np.zeros(1, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class TopicRows:
    """Rows minus their topics' means, columns divided by their spread.

    The difficulty of a topic does not show which of its summaries is better.
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
        features = _center_by_topic(data.features, topics)
        values = _center_by_topic(data.targets[:, [0]], topics)[:, 0]
        if np.abs(values).max(initial=0.0) <= _CONSTANT_SPREAD:
            message = f"target {data.target_names[0]} has the same value in all rows of each topic"
            hint = "nothing can be learned from it; choose another target"
            raise InputError(f"{data.name}: {message}", hint=hint)
        spreads = features.std(axis=0)
        is_varying = spreads > _CONSTANT_SPREAD * np.maximum(
            np.abs(data.features).max(axis=0), 1e-300
        )
        spreads = np.where(is_varying, spreads, np.inf)
        means = data.features.mean(axis=0), float(data.targets[:, 0].mean())
        return cls(features / spreads, values, spreads, topics, *means)

    def fit(self, weights: Floats) -> LinearFit:
        """Convert weights of the scaled columns to coefficients of the original features.

        The constant makes the mean prediction equal the mean target.
        """
        coefficients = weights / self.spreads
        intercept = self.target_mean - float(self.feature_means @ coefficients)
        return LinearFit(coefficients, intercept)

    def calibrated(self, weights: Floats) -> LinearFit:
        """Rescale weights so that predictions are in the target's units, then call `fit`.

        This does not change the order of predictions.
        """
        predicted_values = self.features @ weights
        squared_norm = float(predicted_values @ predicted_values)
        slope = float(predicted_values @ self.target) / squared_norm if squared_norm > 0 else 1.0
        return self.fit(weights * (slope if slope > 0 else 1.0))


def topic_numbers(data: TrainingData) -> Ints:
    """Return the index of each row's topic; refuse data without topics."""
    if not len(data.topics):
        raise InputError(f"{data.name}: the rows have no topics", hint="pass `topics`")
    return np.unique(data.topics, return_inverse=True)[1].astype(np.int64)


def _center_by_topic(columns: Floats, topics: Ints) -> Floats:
    sums = np.zeros((int(topics.max()) + 1, columns.shape[1]))
    np.add.at(sums, topics, columns)
    means: Floats = sums / np.bincount(topics)[:, None]
    return columns - means[topics]


# Regularized linear models of many metrics: from a single metric to ridge regression.
#
# All are fitted to features and targets centered within topics. With standardized columns Z
# and target y, ridge regression minimizes
#
# .. math:: |y - Z w|^2 / n + \lambda |w|^2
#
# for a strength :math:`\lambda`. The non-negative variant first flips the sign of each column that
# falls with the target in the training data, and allows no negative weight. Small sets grow by the
# column that lowers the sum of squares most.

#: Strengths of ridge regression, strongest first.
STRENGTHS = (3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003)

#: Numbers of metrics in small sets.
SET_SIZES = (2, 3, 4, 6, 8, 12)

# The strength for small sets: just enough to solve for identical columns.
_SET_STRENGTH = 0.01


def regularized_fits(
    data: TrainingData, *, criterion: Criterion = "kendall", level: SelectionLevel = "input"
) -> dict[str, LinearFit]:
    """Fit all models of the family, simplest first."""
    rows = TopicRows.of(data)
    products = rows.features.T @ rows.features / len(rows.target)
    slopes = rows.features.T @ rows.target / len(rows.target)
    agreement = TargetAgreement(data, criterion, level)
    fits = {"one metric": rows.calibrated(_best_single_weights(agreement, rows))}
    weights_by_name = chain(
        _small_sets(products, slopes),
        (
            (f"non-negative {strength:g}", _non_negative(products, slopes, strength))
            for strength in STRENGTHS
        ),
        zip(
            (f"ridge {strength:g}" for strength in STRENGTHS),
            _ridge(products, slopes, STRENGTHS),
            strict=True,
        ),
    )
    return fits | {name: rows.fit(weights) for name, weights in weights_by_name}


def _best_single_weights(agreement: TargetAgreement, rows: TopicRows) -> Floats:
    """Weight the metric that agrees best with the target by 1 or -1, all others by 0."""
    identity = np.eye(rows.features.shape[1])
    scores = agreement.scores(identity, np.zeros(len(identity)), _FIRST_TARGET)[:, 0]
    scores = np.where(np.isnan(scores) | np.isinf(rows.spreads), 0.0, scores)
    best_column = int(np.argmax(np.abs(scores)))
    weights: Floats = identity[best_column] * (np.sign(scores[best_column]) or 1.0)
    return weights


def _ridge(products: Floats, slopes: Floats, strengths: Sequence[float]) -> Iterator[Floats]:
    eigenvalues, directions = np.linalg.eigh(products)
    projections = directions.T @ slopes
    for strength in strengths:
        yield directions @ (projections / (np.maximum(eigenvalues, 0.0) + strength))


def _non_negative(products: Floats, slopes: Floats, strength: float) -> Floats:
    from scipy.optimize import nnls

    signs = np.where(slopes < 0, -1.0, 1.0)
    signed_products = products * signs * signs[:, None] + strength * np.eye(len(slopes))
    # |y - Z w|^2 differs from |b - R w|^2 by a constant if R'R = Z'Z and R'b = Z'y.
    cholesky_root = np.linalg.cholesky(signed_products).T
    return signs * nnls(cholesky_root, np.linalg.solve(cholesky_root.T, signs * slopes))[0]


def _small_sets(products: Floats, slopes: Floats) -> Iterator[tuple[str, Floats]]:
    products = products + _SET_STRENGTH * np.eye(len(slopes))
    chosen_columns: list[int] = []
    for size in range(1, min(max(SET_SIZES), len(slopes)) + 1):
        chosen_columns.append(_next_column(products, slopes, chosen_columns))
        if size in SET_SIZES:
            weights = np.zeros(len(slopes))
            weights[chosen_columns] = np.linalg.solve(
                products[np.ix_(chosen_columns, chosen_columns)], slopes[chosen_columns]
            )
            yield f"{size} metrics", weights


def _next_column(products: Floats, slopes: Floats, chosen_columns: list[int]) -> int:
    """Find the column that lowers the sum of squares most when added to those chosen."""
    gradient, remaining_squares = slopes, np.diag(products)
    if chosen_columns:
        shares = np.linalg.solve(
            products[np.ix_(chosen_columns, chosen_columns)], products[chosen_columns]
        )
        gradient = slopes - slopes[chosen_columns] @ shares
        remaining_squares = remaining_squares - np.einsum(
            "ij,ij->j", products[chosen_columns], shares
        )
    gains = gradient**2 / np.maximum(remaining_squares, 1e-12)
    gains[chosen_columns] = -1.0
    return int(np.argmax(gains))


# A model trained on pairs: which of two summaries of a topic people prefer.
#
# With standardized columns z and weights w it minimizes
#
# .. math:: \sum_t \frac{1}{n_t} \sum_{y_i > y_j} \log(1 + e^{-w (z_i - z_j)}) / T
#           + \frac{\lambda}{2} |w|^2
#
# over the pairs of summaries of each topic t that people rate differently. Topics have equal
# weight, as in Kendall's correlation within topics. The sum is convex; BFGS minimizes it from 0, so
# the same data give the same model.

#: Strengths of regularization, strongest first.
RANKING_STRENGTHS = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)

# Of more pairs than this, only every second, third, ... is used.
_MAX_PAIRS = 1 << 19


def ranking_fits(data: TrainingData) -> dict[str, LinearFit]:
    """Fit the model at each strength, the most regularized first.

    Predictions are rescaled to the target's units, which keeps their order. See R. Herbrich,
    T. Graepel and K. Obermayer, Large margin rank boundaries for ordinal regression (2000); with
    logistic loss, C. Burges et al., Learning to rank using gradient descent (ICML 2005).
    """
    rows = TopicRows.of(data)
    pairs = _pairs(rows)
    weights, fits = np.zeros(rows.features.shape[1]), {}
    for strength in RANKING_STRENGTHS:
        weights = _minimize(rows.features, pairs, strength, weights)
        fits[f"ranking {strength:g}"] = rows.calibrated(weights)
    return fits


class _Pairs(NamedTuple):
    """Row indices of pairs whose first member is better, and the weight of each pair."""

    better: Ints
    worse: Ints
    shares: Floats


def _pairs(rows: TopicRows) -> _Pairs:
    """Find the pairs of summaries of a topic that people rate differently."""
    pairs = []
    for topic in range(int(rows.topics.max()) + 1):
        topic_rows = np.flatnonzero(rows.topics == topic)
        values = rows.target[topic_rows]
        better_rows, worse_rows = np.nonzero(values[:, None] - values > 1e-9)
        pairs.append(
            (topic_rows[better_rows], topic_rows[worse_rows], np.full(len(better_rows), topic))
        )
    better_rows, worse_rows, topics = (np.concatenate(part) for part in zip(*pairs, strict=True))
    step = -(-len(better_rows) // _MAX_PAIRS)
    better_rows, worse_rows, topics = better_rows[::step], worse_rows[::step], topics[::step]
    n_pairs = np.bincount(topics)
    return _Pairs(better_rows, worse_rows, 1 / (n_pairs[topics] * np.count_nonzero(n_pairs)))


def _minimize(features: Floats, pairs: _Pairs, strength: float, start: Floats) -> Floats:
    from scipy.optimize import minimize

    def loss(weights: Floats) -> tuple[float, Floats]:
        # For such small products, starting the threads of BLAS takes longer than the work.
        scores = np.einsum("ij,j->i", features, weights)
        score_differences = scores[pairs.better] - scores[pairs.worse]
        pair_gradients = pairs.shares * np.exp(-np.logaddexp(0.0, score_differences))
        gradient = np.bincount(pairs.worse, pair_gradients, len(scores))
        gradient -= np.bincount(pairs.better, pair_gradients, len(scores))
        loss_value = (
            pairs.shares @ np.logaddexp(0.0, -score_differences) + strength / 2 * weights @ weights
        )
        return float(loss_value), np.einsum("ij,i->j", features, gradient) + strength * weights

    minimum = minimize(loss, start, jac=True, method="BFGS", options={"maxiter": 1000})
    return np.asarray(minimum.x)


# Model selection by cross-validation over topics.

#: Returns fits by name, simplest first, for data with one target.
Learner = Callable[[TrainingData], Mapping[str, LinearFit]]

# Scores that differ by no more than this are tied.
_TIE_TOLERANCE = 1e-9


def learner_of(
    method: str, criterion: Criterion = "kendall", level: SelectionLevel = "input"
) -> Learner:
    """Return the learner of a method."""
    if method == "ranking":
        return ranking_fits
    return partial(regularized_fits, criterion=criterion, level=level)


@dataclass(frozen=True, slots=True, eq=False)
class SubsetChoice:
    """The selected fit, and the scores of all fits on held-out topics."""

    name: str
    fit: LinearFit
    values: Mapping[str, float]

    @property
    def value(self) -> float:
        """The mean score of the selected fit."""
        return self.values[self.name]


def choose_by_topics(
    learner: Learner,
    data: TrainingData,
    *,
    criterion: Criterion = "kendall",
    level: SelectionLevel = "input",
    folds: int = 5,
    fold_of_row: Ints | None = None,
    rng: Rng | None = 0,
) -> SubsetChoice:
    """Cross-validate over topics, then refit the best on all.

    Topics are split into folds, unless `fold_of_row` has the fold of each row. Topics to test on
    must not be in the data. Among tied fits, the simplest wins.
    """
    totals: dict[str, float] = {}
    weights: dict[str, float] = {}
    if fold_of_row is None:
        fold_of_row = _folds(data, folds, rng)
    for fold in range(int(fold_of_row.max()) + 1):
        train, test = data.rows(fold_of_row != fold), data.rows(fold_of_row == fold)
        scores = _scores(learner, train, test, criterion, level)
        n_topics = len(np.unique(test.topics))
        for name, score in scores.items():
            totals[name] = totals.get(name, 0.0) + n_topics * score
            weights[name] = weights.get(name, 0.0) + n_topics
    if not totals:
        message = f"{data.name}: target {data.target_names[0]} varies within too few topics"
        raise InputError(
            message, hint="it cannot be used for selection; add topics, or use another level"
        )
    fits = learner(data)
    values = {name: totals[name] / weights[name] if name in totals else np.nan for name in fits}
    highest_value = np.nanmax(list(values.values()))
    best_name = next(
        name for name, value in values.items() if value >= highest_value - _TIE_TOLERANCE
    )
    return SubsetChoice(best_name, fits[best_name], values)


def _folds(data: TrainingData, folds: int, rng: Rng | None) -> Ints:
    topics = topic_numbers(data)
    n_topics = int(topics.max()) + 1
    if n_topics < 2 or folds < 2:
        message = f"`folds` is {folds}"
        if n_topics < 2:
            message = f"{data.name}: {n_topics} topic cannot be split into parts for selection"
        raise InputError(message, hint="give at least two")
    fold_of_topic = np.empty(n_topics, dtype=np.int64)
    fold_of_topic[generator(rng).permutation(n_topics)] = np.arange(n_topics) % min(folds, n_topics)
    return fold_of_topic[topics]


def _scores(
    learner: Learner,
    train: TrainingData,
    test: TrainingData,
    criterion: Criterion,
    level: SelectionLevel,
) -> dict[str, float]:
    """Score fits on held-out topics; empty if the target is constant there."""
    try:
        agreement = TargetAgreement(test, criterion, level)
        fits = learner(train)
    except InputError:
        return {}
    coefficients: Floats = np.stack([fit.coefficients for fit in fits.values()])
    constants = np.array([fit.intercept for fit in fits.values()])
    scores = agreement.scores(coefficients, constants, _FIRST_TARGET)[:, 0].tolist()
    return {name: score for name, score in zip(fits, scores, strict=True) if not np.isnan(score)}
