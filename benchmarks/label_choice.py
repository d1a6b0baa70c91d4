"""Which topics people should judge: whether intervals hold, and what a choice gains over chance.

People judge n of 100 SummEval topics; a judge scores all. Topics are drawn at random, `balanced`
(spread over the judge's scores, with equal probabilities), or by `spread` (also spread out, with
probabilities that grow with the judge's spread between systems). The gain is the ratio of mean
squared errors of differences between systems: the error of n of the 100 topics, plus the variance
of 100 topics, with the same topics for all choices. Draws with replacement would contain copies of
topics, which a balanced choice avoids, so they are used only for the coverage of 95% intervals of
systems' means and of differences from the first system, on average over systems. Bars: means .93;
differences .93, or not below a random choice, since intervals of n differences that are nearly all
0 (consistency) miss whatever the choice.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys

import numpy as np

from prediction_powered import SEED, SUMMEVAL, summeval, summeval_judge
from pyramidion.comparison.topic_choice import topic_probabilities, topic_profiles
from pyramidion.stats import prediction_powered_means, spread_sample

RUNS, DRAWS, COVERAGE = 300, 150, 0.93
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


def coverage(human: Array, judge: Array, n: int, method: str) -> tuple[float, float]:
    """Return how often intervals of means and of differences hold, on draws with replacement."""
    rng, hits = np.random.default_rng([SEED, n, 1]), np.zeros(2)
    for _ in range(DRAWS):
        topics = rng.integers(len(human), size=len(human))
        people, probabilities = labeled(human[topics], judge[topics], n, method, rng)
        for row, center in enumerate((0, 1)):
            tables = [table - center * table[:, :1] for table in (people, judge[topics], human)]
            columns = [table[:, center:] for table in tables]
            estimates = prediction_powered_means(*columns[:2], None, probabilities)
            ends = np.array([e.interval(0.95, None if center else (1.0, 5.0)) for e in estimates])
            truth = columns[2].mean(axis=0)
            inside = (ends[:, 0] <= truth + 1e-9) & (truth <= ends[:, 1] + 1e-9)
            hits[row] += inside.mean() / DRAWS
    return float(hits[0]), float(hits[1])


def main() -> int:
    if not SUMMEVAL.exists():
        print("draws from SummEval: skipped, ../shared/data is missing")
        return 0
    missed, gains = 0, {method: [] for method in METHODS[1:]}
    print(f"{'':48}" + "".join(f"{m:>26}" for m in METHODS) + "   (means, differences, gain)")
    for measure in ("consistency", "fluency", "relevance", "coherence"):
        human = summeval(f"expert_{measure}")
        for name in JUDGES:
            auto = name.startswith("auto_")
            rng = np.random.default_rng(SEED)
            judge = summeval(name) if auto else summeval_judge(name, human, rng)
            for n in (20, 40):
                mse = {m: errors(human, judge, n, m).mean() for m in METHODS}
                line, bar = "", COVERAGE
                for method in METHODS:
                    rates, gain = coverage(human, judge, n, method), mse["random"] / mse[method]
                    bar = min(bar, rates[1]) if method == "random" else bar
                    holds = rates[0] >= COVERAGE and rates[1] >= bar
                    missed += not holds
                    if method != "random":
                        gains[method].append(np.log(gain))
                    mark = "" if holds else " MISSED"
                    line += f"{rates[0]:.3f} {rates[1]:.3f} {gain:.2f}{mark}".rjust(26)
                print(f"{measure:12} {name:24} n={n:<8}{line}", flush=True)
    for method, logs in gains.items():
        mean, error = np.mean(logs), 2 * np.std(logs, ddof=1) / np.sqrt(len(logs))
        low, high = np.exp([mean - error, mean + error])
        print(f"gain of {method} over random: {np.exp(mean):.3f} [{low:.3f}, {high:.3f}], "
              f"{sum(log > 0 for log in logs)} of {len(logs)} above 1")  # fmt: skip
    return missed


if __name__ == "__main__":
    sys.exit(main())
