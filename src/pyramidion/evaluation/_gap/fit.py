"""The line through the machines, and how the gap above it varies from draw to draw."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.stats._pairs import multiply

FitName = Literal["ols", "robust"]


@dataclass(frozen=True, slots=True)
class Fit:
    """A straight line."""

    intercept: float
    slope: float

    def at(self, x: Floats) -> Floats:
        """Give the line's height at some places."""
        return self.intercept + self.slope * x


def centred(values: Floats, people: Bools) -> Floats:
    """Take out how high machines score on each topic, and put their mean over topics back.

    Means over all topics stay as they are; those of a system that misses topics become
    comparable.
    """
    machines = values[:, ~people]
    there = ~np.isnan(machines)
    counts = there.sum(axis=1)
    means = np.where(there, machines, 0.0).sum(axis=1) / np.maximum(counts, 1)
    if not counts.any():
        return values
    level = means[counts > 0].mean()
    shift = np.where(counts > 0, means - level, np.nan)
    return values - shift[:, None]


def fit_line(x: Floats, y: Floats, fit: FitName = "ols") -> Fit:
    """Fit y = intercept + slope x: least squares, or with less weight for points far out."""
    if fit == "robust":
        from pyramidion.stats._regression import robust_regression

        found = robust_regression(x[:, None], y)
        return Fit(found.intercept, float(found.coefficients[0]))
    intercept, slope = _least_squares(x[None], y[None], np.ones((1, len(x))))
    return Fit(float(intercept[0]), float(slope[0]))


def _least_squares(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Fit a line to each row of points; NaN where all x are the same."""
    total = weights.sum(axis=1)
    mean_x, mean_y = ((weights * v).sum(axis=1) / total for v in (x, y))
    away = x - mean_x[:, None]
    squares = (weights * away * away).sum(axis=1)
    products = (weights * away * (y - mean_y[:, None])).sum(axis=1)
    flat = squares <= 1e-24 * total * np.abs(x).max(axis=1) ** 2
    slope = np.divide(products, squares, out=np.full(len(x), np.nan), where=~flat)
    return mean_y - slope * mean_x, slope


def gap_samples(
    x: Floats,
    y: Floats,
    people: Bools,
    *,
    fit: FitName,
    over: str,
    n_resamples: int,
    seed: int = 0,
) -> Floats:
    """Draw topics, machines and people with replacement, and give the gap of each draw.

    `x` and `y` are the metric and the human measure, topics x systems, NaN where missing in both;
    what is drawn is ``inputs``, ``systems`` or ``both``.
    """
    rng = np.random.default_rng(seed)
    topics, systems = x.shape
    weights = np.ones((n_resamples, systems))
    draws = np.ones((n_resamples, topics))
    if over != "inputs":
        for group in (~people, people):
            weights[:, group] = _drawn(rng, n_resamples, int(group.sum()))
    if over != "systems":
        draws = _drawn(rng, n_resamples, topics)
    return _weighted_gaps(x, y, people, draws, weights, fit)


def gap_jackknife(x: Floats, y: Floats, people: Bools, *, fit: FitName, over: str) -> list[Floats]:
    """Give the gap without each machine, without each person, and without each topic in turn.

    What is not drawn is not left out either.
    """
    topics, systems = x.shape
    without = 1 - np.eye(systems)
    found = []
    if over != "inputs":
        for group in (~people, people):
            draws = np.ones((int(group.sum()), topics))
            found.append(_weighted_gaps(x, y, people, draws, without[group], fit))
    if over != "systems":
        draws, weights = 1 - np.eye(topics), np.ones((topics, systems))
        found.append(_weighted_gaps(x, y, people, draws, weights, fit))
    return found


def _weighted_gaps(
    x: Floats, y: Floats, people: Bools, draws: Floats, weights: Floats, fit: FitName
) -> Floats:
    """Give the gap for each row of how often topics (draws) and systems (weights) count."""
    mean_x, mean_y, there = _drawn_means(x, y, draws)
    counted = weights * there
    intercept, slope = _fits(mean_x[:, ~people], mean_y[:, ~people], counted[:, ~people], fit)
    above = mean_y[:, people] - intercept[:, None] - slope[:, None] * mean_x[:, people]
    total = counted[:, people].sum(axis=1)
    sums = (counted[:, people] * above).sum(axis=1)
    gaps: Floats = np.divide(sums, total, out=np.full(len(sums), np.nan), where=total > 0)
    return gaps


def _drawn(rng: np.random.Generator, size: int, items: int) -> Floats:
    """Count how often each item is drawn: a row a draw."""
    counts = rng.multinomial(items, np.full(items, 1 / items), size)
    return np.asarray(counts, dtype=np.float64)


def _drawn_means(x: Floats, y: Floats, draws: Floats) -> tuple[Floats, Floats, Bools]:
    """Give each system's means over the topics of each draw, 0 where it has none of them."""
    present = ~np.isnan(x) & ~np.isnan(y)
    counts = multiply(present.T.astype(np.float64), draws.T).T
    sums = (multiply(np.where(present, v, 0.0).T, draws.T).T for v in (x, y))
    mean_x, mean_y = (total / np.maximum(counts, 1) for total in sums)
    return mean_x, mean_y, counts > 0


def _fits(x: Floats, y: Floats, weights: Floats, fit: FitName) -> tuple[Floats, Floats]:
    """Fit a line to each row of points, each of which counts as often as it was drawn."""
    if fit == "robust":
        from pyramidion.stats._regression import robust_lines

        return robust_lines(*_repeated(x, y, weights.astype(np.intp)))
    intercept, slope = np.full((2, len(x)), np.nan)
    rows = (weights > 0).sum(axis=1) > 1
    intercept[rows], slope[rows] = _least_squares(x[rows], y[rows], weights[rows])
    return intercept, slope


def _repeated(x: Floats, y: Floats, times: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Write each point as often as it counts, rows filled up with NaN."""
    sizes = times.sum(axis=1)
    rows = np.repeat(np.arange(len(x)), sizes)
    columns = np.concatenate([np.arange(size) for size in sizes.tolist()])
    chosen = np.repeat(np.tile(np.arange(x.shape[1]), len(x)), times.ravel())
    points = np.full((2, len(x), int(sizes.max(initial=0))), np.nan)
    points[0, rows, columns], points[1, rows, columns] = x[rows, chosen], y[rows, chosen]
    return points[0], points[1]
