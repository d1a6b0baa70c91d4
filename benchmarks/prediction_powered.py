"""Whether intervals by few people and a judge hold, by simulation, and what they gain.

For judges who are good, biased, of another scale, useless, or contrary: how often the 95% interval
of a system's mean, and of a difference of two systems, holds; its width relative to that of people
alone; and how often the naive interval around the judge's own mean holds. Bars: coverage at least
.93, mean width at most 2% above people alone from 20 judged topics on. Sizes were set before the
results were seen.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys

import numpy as np

from pyramidion.stats import prediction_powered_mean

RUNS, SEED, TOPICS, SIZES = 4_000, 20261116, 300, (20, 30, 50, 100)
COVERAGE, WIDTH = 0.93, 1.02

Array = np.ndarray


def judged(rng: np.random.Generator, truth: Array, kind: str) -> Array:
    """Return a judge's scores of what people score so."""
    noise = rng.normal(size=truth.shape)
    return {
        "good": truth + 0.5 * noise,
        "biased": truth + 0.7 + 0.8 * noise,
        "harsh at the top": np.minimum(truth, 0.3) + 0.4 * noise,
        "ten times the scale": 10 * truth + 3 * noise,
        "useless": noise + 0.5,
        "contrary": -truth + 0.5 * noise,
    }[kind]


def five_points(values: Array) -> Array:
    return np.clip(np.rint(values + 4), 1, 5)


def simulate(kind: str, n: int, what: str) -> tuple[float, float, float, float]:
    """Return coverage, width relative to people, effective sample over n, and naive coverage."""
    rng = np.random.default_rng(SEED)
    hits, widths, alone, gains, naive = [], [], [], [], []
    for _ in range(RUNS):
        topic = rng.normal(size=(TOPICS, 1))
        truth = 0.6 * topic + 0.8 * rng.normal(size=(TOPICS, 2))
        scores = five_points(truth) if what == "five points" else truth
        judge = judged(rng, truth, kind)
        # The judge's bias is one of the second system only, so that differences are biased, too.
        if what == "difference":
            scores, judge = scores[:, 1] - scores[:, 0], judge[:, 1] - truth[:, 0]
        else:
            scores, judge = scores[:, 0], judge[:, 0]
        human = np.where(np.arange(TOPICS) < n, scores, np.nan)
        estimate = prediction_powered_mean(human, judge)
        mean = FIVE if what == "five points" else 0.0
        low, high = estimate.interval()
        by_people = estimate.human_interval()
        judge_interval = estimate.judge_interval()
        hits.append(low <= mean <= high)
        widths.append(high - low)
        alone.append(by_people[1] - by_people[0])
        gains.append(estimate.effective_n / n)
        naive.append(judge_interval[0] <= mean <= judge_interval[1])
    return (
        float(np.mean(hits)),
        float(np.mean(widths) / np.mean(alone)),
        float(np.median(gains)),
        float(np.mean(naive)),
    )


FIVE = float(five_points(np.random.default_rng(0).normal(size=4_000_000)).mean())


def main() -> int:
    missed = 0
    print(f"{'':40} holds   width vs. people     effective n / n   naive holds")
    for what in ("mean", "difference", "five points"):
        for kind in (
            "good",
            "biased",
            "harsh at the top",
            "ten times the scale",
            "useless",
            "contrary",
        ):
            for n in SIZES:
                holds, width, gain, naive = simulate(kind, n, what)
                good = holds >= COVERAGE and width <= WIDTH
                missed += not good
                print(
                    f"{what:12} {kind:20} n={n:<4} {holds:.3f} {width:12.3f} {gain:18.2f}"
                    f" {naive:15.3f}   {'passed' if good else 'MISSED'}",
                    flush=True,
                )
    return missed


if __name__ == "__main__":
    sys.exit(main())
