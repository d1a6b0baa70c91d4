"""Whether intervals of preferences hold, by simulation, and how long a million choices take.

Choices are drawn by Davidson's model with ties and an advantage of what is shown first; in the
second setting topics favor systems, so that choices on one topic are alike. Sizes were set before
the results were seen.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time

import numpy as np

from pyramidion.collection import Preferences
from pyramidion.comparison import preferences
from pyramidion.stats import bradley_terry
from pyramidion.stats.mean_intervals import t_quantile
from pyramidion.stats.multiple_comparisons import pair_errors

RUNS, SEED, BAR = 500, 20261116, 0.93
STRENGTHS = np.array([0.9, 0.3, 0.0, -0.4, -0.8])
POSITION, TIE = 0.3, -0.4


def draw_preferences(
    rng: np.random.Generator, topics: int, each: int, spread: float
) -> tuple[np.ndarray, ...]:
    """Draw choices: topic, first, second and outcome."""
    k, n = len(STRENGTHS), topics * each
    topic = np.repeat(np.arange(topics), each)
    first = rng.integers(0, k, n)
    second = (first + rng.integers(1, k, n)) % k
    topic_strengths = STRENGTHS + spread * rng.normal(size=(topics, k))
    eta = topic_strengths[topic, first] - topic_strengths[topic, second] + POSITION
    weights = np.exp(np.column_stack([eta / 2, np.full(n, TIE), -eta / 2]))
    chances = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    return topic, first, second, 1 - (rng.random(n)[:, None] > chances).sum(axis=1)


def truth(spread: float) -> tuple[np.ndarray, float, float]:
    """Return what the model estimates where topics favor systems: by very many choices."""
    if not spread:
        return STRENGTHS - STRENGTHS.mean(), POSITION, TIE
    _, first, second, outcome = draw_preferences(np.random.default_rng(1), 400_000, 5, spread)
    fit = bradley_terry(first, second, outcome)
    return fit.strengths, fit.position, fit.tie


def coverage(topics: int, each: int, spread: float) -> dict[str, float]:
    strengths, position, tie = truth(spread)
    rng, hits, alone = np.random.default_rng(SEED), [], []
    for _ in range(RUNS):
        topic, first, second, outcome = draw_preferences(rng, topics, each, spread)
        fit = bradley_terry(first, second, outcome, clusters=[topic])
        reach = t_quantile(0.975, int(fit.df))
        pair = np.array([[0, 1], [1, 4]])
        gap = fit.strengths[pair[:, 0]] - fit.strengths[pair[:, 1]]
        off = np.abs(gap - (strengths[pair[:, 0]] - strengths[pair[:, 1]]))
        of_pair = off <= reach * pair_errors(fit.covariance, pair)
        hits.append(
            (
                *of_pair,
                abs(fit.position - position) <= reach * fit.position_error,
                abs(fit.tie - tie) <= reach * fit.tie_error,
            )
        )
        plain = bradley_terry(first, second, outcome)
        alone.append((off <= 1.96 * pair_errors(plain.covariance, pair)).mean())
    rates = np.mean(hits, axis=0)
    return {
        "difference": rates[:2].mean(),
        "position": rates[2],
        "ties": rates[3],
        "difference, choices treated as independent": float(np.mean(alone)),
    }


def timed() -> float:
    """Rank 100 systems by a million choices, in CPU seconds."""
    rng, n, k = np.random.default_rng(SEED), 10**6, 100
    first = rng.integers(0, k, n)
    second = (first + rng.integers(1, k, n)) % k
    ahead = rng.normal(size=k)[np.stack([first, second])]
    choice = np.where(rng.random(n) < 1 / (1 + np.exp(ahead[1] - ahead[0])), "first", "second")
    choice[rng.random(n) < 0.1] = "tie"
    columns = {
        "first": first.astype(str),
        "second": second.astype(str),
        "choice": choice,
        "topic": rng.integers(0, 1000, n).astype(str),
    }
    start = time.process_time()
    table = Preferences({name: column.astype(object) for name, column in columns.items()})
    preferences(table)
    return time.process_time() - start


def main() -> int:
    missed = 0
    for topics, each, spread in ((20, 30, 0.0), (20, 30, 0.7), (50, 10, 0.7), (100, 5, 0.7)):
        rates = coverage(topics, each, spread)
        print(f"{topics} topics x {each} choices, topics favor systems by {spread:g}:")
        for name, share in rates.items():
            judged = "" if "independent" in name else "passed" if share >= BAR else "MISSED"
            missed += judged == "MISSED"
            print(
                f"  95% intervals of {name}: coverage {share:.3f} "
                f"{judged and f'(bar {BAR})'} {judged}"
            )
    seconds = timed()
    missed += seconds > 10
    print(
        f"10^6 choices of 100 systems: {seconds:.1f} CPU s (bar 10) "
        f"{'passed' if seconds <= 10 else 'MISSED'}"
    )
    return missed


if __name__ == "__main__":
    sys.exit(main())
