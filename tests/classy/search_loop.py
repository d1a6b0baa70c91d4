"""The search as one would write it down: a loop over subsets that calls the statistics."""

import math

import numpy as np

from pyramidion.classy import TrainingData
from pyramidion.errors import InputError
from pyramidion.stats import (
    canonical_correlation,
    kendall,
    nonnegative_regression,
    pearson,
    robust_regression,
    spearman,
)

COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


def made_up_year(rng, *, topics=7, systems=6, columns=5, targets=3, name="the data"):
    """Features that share a quality, and measures of it: continuous, and on a scale of five."""
    rows = topics * systems
    quality = rng.normal(size=rows)
    loads = np.linspace(-0.7, 0.9, columns)
    features = loads * quality[:, None] + rng.normal(size=(rows, columns)) * 0.6
    features = features * np.geomspace(0.05, 20, columns) + np.linspace(2, 5, columns)
    pyramid = 0.5 + 0.2 * quality + 0.1 * rng.standard_t(2, size=rows)
    likert = [np.clip(np.rint(3 + quality + rng.normal(size=rows)), 1, 5) for _ in range(4)]
    return TrainingData(
        features,
        np.column_stack([pyramid, *likert])[:, :targets],
        topics=np.repeat([f"D{number}" for number in range(topics)], systems),
        systems=np.tile([f"s{number}" for number in range(systems)], topics),
        name=name,
    )


def fit_by_hand(method, features, targets, target, scale="matlab"):
    """Coefficients, constant and iterations; NaN where a method refuses."""
    aim = targets[:, target]
    try:
        if method == "robust":
            fit = robust_regression(features, aim, scale=scale)
            return fit.coefficients, fit.intercept, fit.iterations
        if method == "canon":
            fit = canonical_correlation(features, targets, target=aim)
            return fit.x_coefficients[:, 0], 0.0, 0  # type: ignore[attr-defined]
        signs = [1.0 if np.corrcoef(column, aim)[0, 1] >= 0 else -1.0 for column in features.T]
        return signs * nonnegative_regression(features * signs, aim).coefficients, 0.0, 0
    except InputError:
        return np.full(features.shape[1], math.nan), math.nan, 0


def columns_of(mask, groups):
    return sorted(column for g, group in enumerate(groups) if mask >> g & 1 for column in group)


def loop_fits(train, groups, methods, scale="matlab"):
    """Fits by method, mask and target."""
    fits = {}
    for mask in range(1, 1 << len(groups)):
        features = train.features[:, columns_of(mask, groups)]
        for method in methods:
            for target in range(train.targets.shape[1]):
                fits[method, mask, target] = fit_by_hand(
                    method, features, train.targets, target, scale
                )
    return fits


def score_by_hand(predicted, aim, year, criterion, level):
    correlate = COEFFICIENTS[criterion]
    if np.isnan(predicted).any():
        return math.nan
    if level == "summary":
        return correlate(predicted, aim).value
    labels = year.systems if level == "system" else year.topics
    parts = [(predicted[labels == label], aim[labels == label]) for label in np.unique(labels)]
    if level == "system":
        return correlate(*np.array([(x.mean(), y.mean()) for x, y in parts]).T).value
    within = [correlate(x, y).value for x, y in parts]
    defined = [value for value in within if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def loop_values(fits, select, groups, methods, criterion, level):
    """The table of `search_subsets`: methods x subsets x targets."""
    values = np.empty((len(methods), (1 << len(groups)) - 1, select.targets.shape[1]))
    for (method, mask, target), (coefficients, constant, _) in fits.items():
        predicted = select.features[:, columns_of(mask, groups)] @ coefficients + constant
        values[methods.index(method), mask - 1, target] = score_by_hand(
            predicted, select.targets[:, target], select, criterion, level
        )
    return values
