"""Whether intervals by few people and a judge hold, by simulation, and what they gain.

For judges who are good, biased, of another scale, useless, or contrary: how often the 95% interval
of a system's mean, and of a difference of two systems, holds; its width relative to that of people
alone; and how often the naive interval around the judge's own mean holds. Bars: coverage at least
.93, mean width at most 2% above people alone from 20 judged topics on. Then the same on draws from
SummEval's own scores in ``../shared/data``, many of which are at the end of the scale: topics, or
clusters of topics, are drawn with replacement, and the truth is the mean of all 100 topics. Sizes,
judges and seeds were set before the results were seen.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gzip
import json
import sys
from pathlib import Path

import numpy as np

from pyramidion.stats import calibrate_judge, prediction_powered_mean, prediction_powered_means

SUMMEVAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "summeval.jsonl.gz"
SCALE, DRAWS, DRAWN_TOPICS = (1.0, 5.0), 200, 100
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


def summeval(measure: str) -> Array:
    """Read a measure as topics x systems, of all people or of one (``expert1:fluency``)."""
    person, _, of_person = measure.rpartition(":")
    with gzip.open(SUMMEVAL, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    topics, systems = (sorted({row[name] for row in rows}) for name in ("topic", "system"))
    table = np.full((len(topics), len(systems)), np.nan)
    for row in rows:
        named = {score["name"]: score["value"] for score in row["assessor_scores"]
                 if score["assessor"] == person} if person else row["scores"]  # fmt: skip
        table[topics.index(row["topic"]), systems.index(row["system"])] = named[of_person]
    return table


def summeval_judge(name: str, human: Array, rng: np.random.Generator) -> Array:
    """Return the scores of BERTScore, of a harsh and noisy judge, or of a lenient one."""
    noise = rng.normal(size=human.shape)
    if name == "harsh":
        return np.clip(np.rint(human - 0.4 + 0.6 * noise), *SCALE)
    if name == "lenient":
        return np.clip(np.rint(np.where(human > 4, 5, human + 0.8) + 0.3 * noise), *SCALE)
    return summeval("auto_bertscore_f1")


def drawn_intervals(
    human: Array, judge: Array, n: int, size: int, calibrate: str
) -> tuple[Array, Array, float]:
    """Return how often each system's intervals hold (by people, by both), and their mean widths.

    Clusters of `size` topics that people score alike are drawn; people judge those of n topics.
    """
    rng, truth = np.random.default_rng([SEED, n, size]), human.mean(axis=0)
    members = np.argsort(human.mean(axis=1)).reshape(-1, size)
    hits, widths = np.zeros((2, human.shape[1])), np.zeros(2)
    gains = np.zeros(2)
    for _ in range(DRAWS):
        chosen = rng.integers(len(members), size=DRAWN_TOPICS // size)
        topics = members[chosen].ravel()
        clusters = np.repeat(np.arange(len(chosen)), size) if size > 1 else None
        people, judged = human[topics].copy(), judge[topics]
        people[n:] = np.nan
        if calibrate:
            judged = calibrate_judge(people, judged, calibrate, clusters)
        estimates = prediction_powered_means(people, judged, clusters)
        ends = np.array([(e.human_interval(0.95, SCALE), e.interval(0.95, SCALE))
                         for e in estimates])  # fmt: skip
        low, high = ends[..., 0].T, ends[..., 1].T
        assert (low >= SCALE[0]).all()
        assert (high <= SCALE[1]).all()
        hits += ((low <= truth + 1e-9) & (truth <= high + 1e-9)) / DRAWS
        widths += (high - low).mean(axis=1) / DRAWS
        gains += [sum(e.human_error**2 for e in estimates), sum(e.error**2 for e in estimates)]
    return hits, widths, gains[0] / gains[1]


def on_summeval() -> int:
    """Print how often intervals hold on draws from SummEval; return how many miss the bar."""
    if not SUMMEVAL.exists():
        print("draws from SummEval: skipped, ../shared/data is missing")
        return 0
    missed = 0
    print(
        f"{'SummEval, average (worst system)':44} people          both   width   gain, calibrated"
    )
    for measure in ("consistency", "fluency", "relevance", "coherence"):
        human = summeval(f"expert_{measure}")
        for name in ("harsh", "lenient", "BERTScore"):
            judge = summeval_judge(name, human, np.random.default_rng(SEED))
            for n, size in ((20, 1), (40, 1), (40, 2), (80, 4)):
                by_method = {how: drawn_intervals(human, judge, n, size, how)
                             for how in ("", "isotonic", "linear")}  # fmt: skip
                hits, widths, gain = by_method[""]
                rates = [how[0].mean(axis=1)[1] for how in by_method.values()]
                good = min(hits.mean(axis=1).min(), *rates) >= COVERAGE
                missed += not good
                alone, both = (f"{h.mean():.3f} ({h.min():.3f})" for h in hits)
                gains = ", ".join(f"{how} {by_method[how][2]:.2f}" for how in list(by_method)[1:])
                where = f"{measure:12} {name:9} n={n}" + f", clusters of {size}" * (size > 1)
                print(
                    f"{where:44} {alone}  {both}  {widths[1] / widths[0]:.2f}  {gain:.2f}  {gains}"
                    f"   {'passed' if good else 'MISSED'}",
                    flush=True,
                )
    return missed


def main() -> int:
    missed = on_summeval()
    print(f"{'':40} holds   width vs. people      effective n / n   naive holds")
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
