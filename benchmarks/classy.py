"""The exhaustive search of CLASSY compared with the loop it replaces.

Run by ``make bench AREA=classy``. The loop is what one would write with NumPy and SciPy: robust
regression by repeated `numpy.linalg.lstsq`, `scipy.optimize.nnls`, canonical correlation by QR and
SVD, and `numpy.corrcoef` of the predictions. It is timed on subsets drawn at random and
multiplied. On the same subsets both must give the same scores and numbers of iterations, and the
search the same fits as `pyramidion.stats`. Figures are CPU time, of all threads together.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything: the loop would take several times
# as long. The search does not wake them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy import linalg, optimize

from pyramidion.classy import METHODS, FitMethod, TrainingData, fit_linear, search_subsets

Array = np.ndarray[Any, Any]

ROWS, FEATURES, SAMPLED, REPEATS = 2_500, 13, 60, 3
SUBSETS = 2**FEATURES - 1
MOST_SECONDS, LEAST_RATIO, LEAST_LINEAR_RATIO, TOLERANCE = 20.0, 8, 50, 1e-9
TUNE, SETTLED = 4.685, float(np.sqrt(np.finfo(float).eps))


def made_up_year(rng: np.random.Generator) -> TrainingData:
    """Features that share a quality more or less, two of them nearly copies, and three measures."""
    quality = rng.normal(size=ROWS)
    loads = np.linspace(0.2, 0.95, FEATURES)
    features = loads * quality[:, None]
    features += np.sqrt(1 - loads**2) * rng.normal(size=(ROWS, FEATURES))
    features[:, -1] = features[:, -2] + 0.1 * rng.normal(size=ROWS)
    features = features * np.geomspace(0.01, 10, FEATURES) + np.linspace(0.3, 8, FEATURES)
    pyramid = np.clip(0.4 + 0.15 * quality + 0.1 * rng.standard_t(3, size=ROWS), 0, 1.2)
    responsiveness = np.clip(np.rint(3 + 0.8 * quality + 0.8 * rng.normal(size=ROWS)), 1, 5)
    readability = np.clip(np.rint(3 + 0.3 * quality + rng.normal(size=ROWS)), 1, 5)
    return TrainingData(features, np.column_stack([pyramid, responsiveness, readability]))


def robust_loop(x: Array, y: Array) -> tuple[Array, int]:
    design = np.column_stack([np.ones(len(y)), x])
    fit = np.linalg.lstsq(design, y)[0]
    q, _ = np.linalg.qr(design)
    adjust = 1 / np.sqrt(1 - np.minimum(0.9999, (q * q).sum(axis=1)))
    least = 1e-6 * y.std(ddof=1)
    iterations, converged = 0, False
    while not converged and iterations < 50:
        iterations += 1
        residuals = (y - design @ fit) * adjust
        scale = max(np.median(np.sort(np.abs(residuals))[x.shape[1] :]) / 0.6745, least)
        u = residuals / (TUNE * scale)
        root = np.where(np.abs(u) < 1, 1 - u * u, 0.0)
        previous, fit = fit, np.linalg.lstsq(design * root[:, None], y * root)[0]
        largest = np.maximum(np.abs(fit), np.abs(previous))
        converged = bool(np.all(np.abs(fit - previous) <= SETTLED * largest))
    return fit, iterations


def robust_scores(x: Array, y: Array, x2: Array, y2: Array) -> tuple[list[float], list[int]]:
    fits = [robust_loop(x, target) for target in y.T]
    predicted = [fit[0] + x2 @ fit[1:] for fit, _ in fits]
    return correlations(predicted, y2), [iterations for _, iterations in fits]


def nonneg_scores(x: Array, y: Array, x2: Array, y2: Array) -> tuple[list[float], list[int]]:
    predicted = []
    for target in y.T:
        signs = np.where((x - x.mean(axis=0)).T @ (target - target.mean()) < 0, -1.0, 1.0)
        predicted.append(x2 @ (signs * optimize.nnls(x * signs, target)[0]))
    return correlations(predicted, y2), []


def canon_scores(x: Array, y: Array, x2: Array, y2: Array) -> tuple[list[float], list[int]]:
    (qx, rx), (qy, _) = (np.linalg.qr(columns - columns.mean(axis=0)) for columns in (x, y))
    left, _, _ = np.linalg.svd(qx.T @ qy, full_matrices=False)
    predicted = x2 @ linalg.solve_triangular(rx, left[:, 0])
    turned = np.where((y - y.mean(axis=0)).T @ qx @ left[:, 0] < 0, -1.0, 1.0)
    return correlations([sign * predicted for sign in turned], y2), []


def correlations(predicted: list[Array], targets: Array) -> list[float]:
    pairs = zip(predicted, targets.T, strict=True)
    return [float(np.corrcoef(x, y)[0, 1]) for x, y in pairs]


LOOPS: dict[FitMethod, Callable[[Array, Array, Array, Array], tuple[list[float], list[int]]]] = {
    "robust": robust_scores,
    "nonneg": nonneg_scores,
    "canon": canon_scores,
}


def cpu_seconds(work: Callable[[], Any], *, repeats: int = 1) -> tuple[float, Any]:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return min(times), result


def sampled(method: FitMethod, years: list[TrainingData], masks: list[int]) -> list[Any]:
    train, select = years
    columns = [[column for column in range(FEATURES) if mask >> column & 1] for mask in masks]
    return [
        LOOPS[method](train.features[:, c], train.targets, select.features[:, c], select.targets)
        for c in columns
    ]


def seconds(method: FitMethod, years: list[TrainingData], masks: list[int]) -> tuple[float, float]:
    """CPU seconds of the search and of the loop over all subsets; both must agree."""
    repeats = 1 if method == "robust" else REPEATS
    ours, search = cpu_seconds(lambda: search_subsets(*years, methods=[method]), repeats=repeats)
    theirs, looped = cpu_seconds(lambda: sampled(method, years, masks), repeats=repeats)
    rows = np.array(masks) - 1
    scores = np.array([scores for scores, _ in looped])
    np.testing.assert_allclose(search.values[0, rows], scores, rtol=0, atol=TOLERANCE)
    if method == "robust":
        np.testing.assert_array_equal(search.iterations[rows], [counts for _, counts in looped])
    return ours, theirs * SUBSETS / len(masks)


def check_statistics(years: list[TrainingData], masks: list[int]) -> None:
    """Compare with the fits of the library, which are slower than the loop's."""
    train, select = years
    search = search_subsets(*years)
    for mask in masks:
        columns = [column for column in range(FEATURES) if mask >> column & 1]
        for number, method in enumerate(METHODS):
            for target in range(train.targets.shape[1]):
                fit = fit_linear(method, train.features[:, columns], train.targets, target=target)
                predicted = fit.predict(select.features[:, columns])
                score = np.corrcoef(predicted, select.targets[:, target])[0, 1]
                assert abs(search.values[number, mask - 1, target] - score) < TOLERANCE
                if method == "robust":
                    assert search.iterations[mask - 1, target] == fit.iterations


def main() -> int:
    console = Console()
    rng = np.random.default_rng(0)
    years = [made_up_year(rng), made_up_year(rng)]
    masks = rng.choice(np.arange(1, SUBSETS + 1), SAMPLED, replace=False).tolist()
    table = Table("method", "search", f"loop, extrapolated from {SAMPLED} subsets", "ratio")
    table.title = f"{SUBSETS:,} subsets, {ROWS:,} rows, 3 targets"
    total, met = np.zeros(2), True
    for method in METHODS:
        times = np.array(seconds(method, years, masks))
        total += times
        table.add_row(method, *cells(times))
        met &= method == "robust" or bool(times[1] >= LEAST_LINEAR_RATIO * times[0])
    table.add_row("total", *cells(total))
    console.print(table)
    check_statistics(years, masks[:20])
    console.print("same scores to 1e-9 and same robust iterations: yes")
    met &= bool(total[0] <= MOST_SECONDS and total[1] >= LEAST_RATIO * total[0])
    console.print(f"bars met: {'yes' if met else 'NO'}")
    return 0 if met else 1


def cells(times: Array) -> list[str]:
    ours, theirs = times
    return [f"{ours:.2f} s", f"{theirs:.1f} s", f"{theirs / ours:.1f}"]


if __name__ == "__main__":
    sys.exit(main())
