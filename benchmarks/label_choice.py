"""Which topics people should judge: whether intervals hold, and what a choice gains over chance.

People judge n of 100 SummEval topics; a judge scores all. Topics are drawn at random, `balanced`
(spread over the judge's scores, with equal probabilities), or by `spread` (also spread out, with
probabilities that grow with the judge's spread between systems). The gain is the ratio of mean
squared errors of differences between systems: the error of n of the 100 topics, plus the variance
of 100 topics, with the same topics for all choices. Draws with replacement would contain copies of
topics, which a balanced choice avoids, so they are used only for the coverage of 95% intervals: of
systems' means, of differences between neighbors in the ranking (near pairs), and between systems
eight ranks apart (far pairs), each on average. Bar: .93 for all of them, whatever the choice. With
random topics, the differences of two systems are also estimated as if there were no others.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys

import numpy as np

from prediction_powered import SCALE, SEED, SUMMEVAL, summeval, summeval_judge
from pyramidion.comparison.topic_choice import topic_probabilities, topic_profiles
from pyramidion.stats import (
    prediction_powered_differences,
    prediction_powered_means,
    spread_sample,
)

RUNS, DRAWS, COVERAGE = 300, 300, 0.93
WIDTH, ONE_PAIR = SCALE[1] - SCALE[0], np.array([[0, 1]])
METHODS = ("random", "balanced", "spread")
JUDGES = ("harsh", "lenient", "auto_bertscore_f1", "auto_qa-eval_lerc")

Array = np.ndarray


def chosen(judge: Array, n: int, method: str, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the chosen topics and the probabilities of all topics."""
    profiles, spreads = topic_profiles([judge])
    probabilities = topic_probabilities(spreads, n, method)
    shown = profiles[:, :0] if method == "random" else profiles
    return spread_sample(probabilities, shown, rng), probabilities


def labeled(
    human: Array, judge: Array, n: int, method: str, rng: np.random.Generator
) -> tuple[Array, Array | None]:
    """Return people's scores of chosen topics, and the probabilities if they differ."""
    topics, probabilities = chosen(judge, n, method, rng)
    people = np.full(human.shape, np.nan)
    people[topics] = human[topics]
    return people, probabilities if method == "spread" else None


def errors(human: Array, judge: Array, n: int, method: str) -> Array:
    """Return the squared errors of differences from the systems' average, one per run."""
    rng, truth = np.random.default_rng([SEED, n]), human.mean(axis=0)
    squares = []
    for _ in range(RUNS):
        people, probabilities = labeled(human, judge, n, method, rng)
        # Differences from a topic's average, as pairs of systems are compared.
        rows = [table - table.mean(axis=1, keepdims=True) for table in (people, judge)]
        estimates = prediction_powered_means(*rows, None, probabilities)
        error = np.array([e.mean for e in estimates]) - (truth - truth.mean())
        squares.append(float((error**2).mean()))
    centered = human - human.mean(axis=1, keepdims=True)
    return np.array(squares) + float(centered.var(axis=0).mean()) / len(human)


def near_and_far(human: Array) -> tuple[Array, Array]:
    """Return pairs of neighbors in the ranking by means, and of systems eight ranks apart."""
    order = np.argsort(human.mean(axis=0), kind="stable")
    near, far = (np.column_stack([order[:-gap], order[gap:]]) for gap in (1, 8))
    return near, far


def coverage(human: Array, judge: Array, n: int, method: str) -> Array:
    """Return how often intervals of means and of near and far differences hold.

    Topics are drawn with replacement.
    """
    rng, hits = np.random.default_rng([SEED, n, 1]), np.zeros(3)
    near, far = near_and_far(human)
    pairs, means = np.concatenate([near, far]), human.mean(axis=0)
    truth = np.concatenate([means, means[pairs[:, 0]] - means[pairs[:, 1]]])
    parts = np.cumsum([len(means), len(near)])
    for _ in range(DRAWS):
        topics = rng.integers(len(human), size=len(human))
        drawn = labeled(human[topics], judge[topics], n, method, rng)
        tables = drawn[0], judge[topics]
        estimates = prediction_powered_means(*tables, None, drawn[1])
        differences = prediction_powered_differences(*tables, pairs, None, drawn[1], width=WIDTH)
        ends = np.array([e.interval(0.95, SCALE) for e in estimates]
                        + [e.interval(0.95) for e in differences if e])  # fmt: skip
        inside = (ends[:, 0] <= truth + 1e-9) & (truth <= ends[:, 1] + 1e-9)
        hits += [part.mean() / DRAWS for part in np.split(inside, parts)]
    return hits


def alone(human: Array, judge: Array, n: int) -> Array:
    """Return how often intervals of near and far differences of only two systems hold."""
    rng, hits, means = np.random.default_rng([SEED, n, 2]), np.zeros(2), human.mean(axis=0)
    for _ in range(DRAWS):
        topics = rng.integers(len(human), size=len(human))
        people, judged = labeled(human[topics], judge[topics], n, "random", rng)[0], judge[topics]
        for part, pairs in enumerate(near_and_far(human)):
            for pair in pairs:
                tables = people[:, pair], judged[:, pair]
                (estimate,) = prediction_powered_differences(*tables, ONE_PAIR, width=WIDTH)
                low, high = estimate.interval()
                truth = means[pair[0]] - means[pair[1]]
                hits[part] += low - 1e-9 <= truth <= high + 1e-9
    return hits / DRAWS / [len(pairs) for pairs in near_and_far(human)]


def main() -> int:
    if not SUMMEVAL.exists():
        print("draws from SummEval: skipped, ../shared/data is missing")
        return 0
    print(f"{RUNS} runs for the gain and {DRAWS} draws for coverage per cell, seed {SEED}")
    missed, gains = 0, {method: [] for method in METHODS[1:]}
    print(
        f"{'':48}"
        + "".join(f"{m:>30}" for m in METHODS)
        + "   (means, near and far differences, gain)"
    )
    for measure in ("consistency", "fluency", "relevance", "coherence"):
        human = summeval(f"expert_{measure}")
        for name in JUDGES:
            auto = name.startswith("auto_")
            rng = np.random.default_rng(SEED)
            judge = summeval(name) if auto else summeval_judge(name, human, rng)
            for n in (20, 40):
                mse = {m: errors(human, judge, n, m).mean() for m in METHODS}
                line = ""
                for method in METHODS:
                    rates, gain = coverage(human, judge, n, method), mse["random"] / mse[method]
                    holds = rates.min() >= COVERAGE
                    missed += not holds
                    if method != "random":
                        gains[method].append(np.log(gain))
                    mark = "" if holds else " MISSED"
                    shown = " ".join(f"{rate:.3f}" for rate in rates)
                    line += f"{shown} {gain:.2f}{mark}".rjust(30)
                by_two = alone(human, judge, n)
                missed += by_two.min() < COVERAGE
                mark = "" if by_two.min() >= COVERAGE else " MISSED"
                line += f"   two alone {by_two[0]:.3f} {by_two[1]:.3f}{mark}"
                print(f"{measure:12} {name:24} n={n:<8}{line}", flush=True)
    for method, logs in gains.items():
        mean, error = np.mean(logs), 2 * np.std(logs, ddof=1) / np.sqrt(len(logs))
        low, high = np.exp([mean - error, mean + error])
        print(f"gain of {method} over random: {np.exp(mean):.3f} [{low:.3f}, {high:.3f}], "
              f"{sum(log > 0 for log in logs)} of {len(logs)} above 1")  # fmt: skip
    return missed


if __name__ == "__main__":
    sys.exit(main())
