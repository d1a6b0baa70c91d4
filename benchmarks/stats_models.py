"""Whether tests of mixed models err as rarely as they say, and how long large ones take.

Run by ``make bench AREA=stats``. Systems are alike, so that every difference found is an error: at
most .06 of pairs without correction, and of comparisons after it, at a level of .05.

Sizes and the seed were set before the results were seen, by precision and cost alone: 2,000
comparisons by linear models, which take some 40 ms each (the standard error of a rate of .05 is
.005 then), and 1,000 by ordinal ones, which take 130 ms (.007). Where an estimate is above its bar,
either the method is fixed or all runs of its class are enlarged alike: of the linear models one
design had .064 of 2,000 where mean squares say .052, so that these have 4,000.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.console import Console

from pyramidion.collection import Collection, Scores, Topic
from pyramidion.comparison import Comparisons, compare
from pyramidion.errors import InputError
from pyramidion.stats import linear_mixed_model

Array = np.ndarray[Any, Any]

RUNS, MOST_ERRORS, LEVEL, SEED = {"lmm": 4_000, "ordinal": 1_000}, 0.06, 0.05, 20261116
CUTS = (-2.0, -0.7, 0.7, 2.0)
# Systems and topics, of which a tenth of the scores is missing, and the bar in CPU seconds.
LARGE, MOST_SECONDS = (500, 2_000), 30.0


@dataclass(frozen=True)
class Design:
    """How many systems, topics, assessors and runs there are, and how much each of them varies."""

    shape: tuple[int, int, int, int]
    model: str = "lmm"
    missing: float = 0.0
    spread: dict[str, float] = field(default_factory=dict)
    # Of the first two systems; the others lie midway.
    difference: float = 0.0

    def draw(self, rng: np.random.Generator) -> Scores:
        """Draw single scores."""
        places = dict(
            zip(("system", "topic", "assessor", "run"), np.indices(self.shape), strict=True)
        )
        size = dict(zip(places, self.shape, strict=True))
        places["cluster"], size["cluster"] = places["topic"] // 5, -(-self.shape[1] // 5)
        value = (rng.logistic if self.model == "ordinal" else rng.normal)(size=self.shape)
        value[0], value[1] = value[0] + self.difference / 2, value[1] - self.difference / 2
        for name, spread in {"topic": 0.8, **self.spread}.items():
            parts = ["system", "run"] if name == "run" else name.split(":")
            effects = rng.normal(size=[size[part] for part in parts])
            value = value + spread * effects[tuple(places[part] for part in parts)]
        present = rng.random(self.shape) >= self.missing
        value = np.digitize(value, CUTS) if self.model == "ordinal" else value
        texts = {name: code[present].astype(str).astype(object) for name, code in places.items()}
        # A factor with one level is omitted.
        labels = {name: texts[name] for name in places if size[name] > 1 and name != "cluster"}
        rows = int(present.sum())
        return Scores(
            {**labels, "kind": ["machine"] * rows, "measure": ["m"] * rows}, value[present]
        )

    def compared(self, rng: np.random.Generator, **options: Any) -> Comparisons:
        """Draw scores, and compare systems; five topics are a cluster if clusters vary."""
        topics = (Topic(str(n), category=str(n // 5)) for n in range(self.shape[1]))
        drawn_set = Collection("drawn", topics=tuple(topics), scores=self.draw(rng))
        cluster = "category" if any("cluster" in name for name in self.spread) else None
        return compare(drawn_set, model=self.model, cluster=cluster, **options)

    def errors(self) -> tuple[float, float, int]:
        """Return the share of pairs and of comparisons in error, and how many had no estimate."""
        rng = np.random.default_rng([SEED, list(DESIGNS.values()).index(self)])
        pairs, any_pair, none = [], [], 0
        for _ in range(RUNS[self.model]):
            try:
                result = self.compared(rng, alpha=LEVEL)
            except InputError:
                none += 1
                continue
            pairs.append(result.counts.significant_uncorrected / result.counts.pairs)
            any_pair.append(result.counts.significant > 0)
        return float(np.mean(pairs)), float(np.mean(any_pair)), none


DESIGNS = {
    "topics": Design((4, 6, 1, 1)),
    "assessors": Design((4, 15, 3, 1), spread={"assessor": 0.3}),
    "assessors, 30% missing": Design((5, 16, 3, 1), missing=0.3, spread={"assessor": 0.3}),
    "summaries differ": Design((4, 15, 3, 1), spread={"assessor": 0.3, "system:topic": 0.7}),
    "assessors have tastes": Design((4, 15, 4, 1), spread={"system:assessor": 0.6}),
    "topics in clusters of 5": Design((4, 40, 1, 1), spread={"system:cluster": 1.0}),
    "4 runs": Design((4, 15, 1, 4), spread={"run": 0.2}),
    "4 runs that do not differ": Design((4, 15, 1, 4), spread={"run": 0.0}),
    "2 runs": Design((4, 20, 1, 2), spread={"run": 0.3}),
    "ordinal, topics": Design((4, 20, 1, 1), "ordinal", spread={"topic": 1.5}),
    "ordinal, few topics": Design((4, 10, 1, 1), "ordinal", spread={"topic": 1.5}),
    "ordinal, assessors": Design(
        (4, 20, 2, 1), "ordinal", missing=0.1, spread={"topic": 1.5, "assessor": 0.5}
    ),
    "ordinal, 3 runs": Design((4, 15, 1, 3), "ordinal", spread={"topic": 1.5, "run": 0.5}),
    "2 assessors have tastes": Design((4, 15, 2, 1), spread={"system:assessor": 0.4}),
    # Hardest of all: mean squares give .079 and .063 with the degrees of freedom of all levels
    # within systems, and not those of the interaction.
    "2 systems, 2 assessors": Design((2, 30, 2, 1), spread={"system:assessor": 1.0}),
    "2 systems, 3 assessors": Design((2, 30, 3, 1), spread={"system:assessor": 0.6}),
}


def verdict(*, met: bool) -> str:
    return "passed" if met else "MISSED"


def type_one_errors(console: Console) -> bool:
    console.print(f"Errors of mixed models at {LEVEL}, {RUNS} comparisons each; bar {MOST_ERRORS}")
    every = True
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        errors = pool.map(Design.errors, DESIGNS.values())
        for (name, design), (pairs, any_pair, none) in zip(DESIGNS.items(), errors, strict=True):
            met = max(pairs, any_pair) <= MOST_ERRORS
            shape = " x ".join(map(str, design.shape))
            rates = f"pairs {pairs:.3f}, any (corrected) {any_pair:.3f}, without an estimate {none}"
            console.print(f"{name} ({shape}): {rates}: {verdict(met=met)}", highlight=False)
            every &= met
    return every


def large_fit(console: Console) -> bool:
    rng = np.random.default_rng(0)
    system, topic = np.indices(LARGE).reshape(2, -1)
    present = rng.random(len(system)) >= 0.1
    system, topic = system[present], topic[present]
    value = rng.normal(size=LARGE[1])[topic] + rng.normal(size=len(topic))
    start = time.process_time()
    linear_mixed_model(value, system, random={"topic": topic}).pairwise()
    seconds = time.process_time() - start
    met = seconds <= MOST_SECONDS
    size = f"{LARGE[0]} systems x {LARGE[1]:,} topics, 10% missing"
    console.print(f"{size}: {seconds:.1f} CPU s; bar {MOST_SECONDS:.0f}: {verdict(met=met)}")
    return met


def main() -> int:
    console = Console(width=120)
    met = [large_fit(console), type_one_errors(console)]
    console.print(f"bars met: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
