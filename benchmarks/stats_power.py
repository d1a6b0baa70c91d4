"""Whether plans keep their word: power, and coverage of the interval on topics, simulated.

Run by ``make bench AREA=stats``. An evaluation is planned for a known difference and spread; then
evaluations of that size are drawn and tested as ``compare`` does it. What is achieved is compared
with the power of the whole number of topics, which is a little above the one that was asked for.

Numbers of evaluations and the seed were set before the results were seen: 2,000, so that the
standard error of a power of .8 is .009, and 1,000 for ordinal models (.013), which take longest.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.comparison import Comparisons, power
from pyramidion.stats import (
    ModelTesting,
    Spreads,
    adjust_p,
    permute_pairs,
    required_topics,
    resample_pairs,
)
from pyramidion.stats._pair_permutation import pairwise_tests
from pyramidion.stats._power import PlannedCorrection, PlannedTest
from stats_models import Design

Array = np.ndarray[Any, Any]
Draw = Callable[[np.random.Generator, tuple[int, int]], Array]

RUNS, ORDINAL, PERMUTATIONS, MOST_OFF, SEED = 2_000, 1_000, 999, 0.03, 20261116
PILOTS, LEAST_COVERAGE = 1_000, {"normal": 0.93, "five points": 0.93, "skewed": 0.88}


@dataclass(frozen=True)
class Case:
    """What is planned for, and the scores it meets; effects are in spreads of a difference."""

    systems: int
    effect: float
    test: PlannedTest = "permutation"
    correction: PlannedCorrection = "maxt"
    scores: str = "normal"
    step_down: bool = True
    target_power: float = 0.8

    @property
    def permutations(self) -> int:
        """As many as the correction needs, and no more."""
        pairs = self.systems * (self.systems - 1) // 2
        return PERMUTATIONS if self.correction == "maxt" else PERMUTATIONS * pairs


CASES = (
    Case(2, 0.5),
    Case(2, 0.4, target_power=0.9),
    Case(2, 0.4, scores="five points"),
    Case(2, 0.5, scores="skewed"),
    Case(2, 0.5, "wilcoxon"),
    Case(2, 0.4, "wilcoxon", scores="five points"),
    Case(2, 0.5, "unpaired-t"),
    Case(5, 0.9),
    Case(5, 0.5),
    Case(5, 0.5, step_down=False),
    Case(5, 0.5, correction="holm"),
    Case(5, 0.5, correction="bh"),
    Case(5, 0.5, "wilcoxon"),
    Case(14, 0.6),
    Case(14, 0.6, "paired-t", "holm"),
    Case(14, 0.6, "paired-t", "bh"),
    Case(14, 0.6, "unpaired-t", "holm"),
    Case(30, 0.8),
    Case(30, 0.5, "paired-t", "bh"),
)


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.standard_normal((shape[0], 1)) + rng.standard_normal(shape)


def skewed(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.exponential(size=shape)


def five_points(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.clip(np.rint(3 + 1.1 * normal(rng, shape) / np.sqrt(2)), 1, 5)


DRAWS: dict[str, Draw] = {"normal": normal, "skewed": skewed, "five points": five_points}


def shifted(case: Case, topics: int, rng: np.random.Generator) -> Array:
    """Draw scores of which the first two differ, and all others lie midway."""
    scores = DRAWS[case.scores](rng, (topics, case.systems))
    if case.scores == "five points":
        # Raised by a point here and there, and so kept on the scale.
        raised = rng.random(topics) < case.effect
        scores[:, 0] = np.minimum(scores[:, 0] + raised, 5)
        return scores
    # Differences have the variance 2.
    scores[:, 0] += case.effect / np.sqrt(2)
    scores[:, 1] -= case.effect / np.sqrt(2)
    return scores


def p_values(case: Case, scores: Array, rng: np.random.Generator) -> Array:
    """Test all pairs as ``compare`` does."""
    if case.correction == "maxt" and case.test == "wilcoxon":
        resampled = resample_pairs(scores, statistics=("w",), n_resamples=PERMUTATIONS, rng=rng)
        return resampled.tests["w"].p_max_t
    if case.test == "permutation":
        permuted = permute_pairs(scores, n_resamples=case.permutations, rng=rng)
        if case.correction == "maxt":
            return permuted.p_step_down if case.step_down else permuted.p_max_t
        return adjust_p(permuted.p, method=case.correction)
    correction = "holm" if case.correction == "maxt" else case.correction
    return adjust_p(pairwise_tests(scores, test=case.test).p, method=correction)


def achieved(case: Case, topics: int, rng: np.random.Generator) -> float:
    """Share of evaluations in which the first pair is found different, in the right direction."""
    hits = 0
    for _ in range(RUNS):
        scores = shifted(case, topics, rng)
        right = scores[:, 0].mean() > scores[:, 1].mean()
        hits += bool(right and p_values(case, scores, rng)[0] <= 0.05)
    return hits / RUNS


def power_of_plans(console: Console) -> bool:
    table = Table("systems", "test", "correction", "scores", "topics", "planned", "achieved", "")
    table.title = f"Power: within {MOST_OFF} of the plan, {RUNS:,} evaluations each"
    rng, met = np.random.default_rng([SEED, 1]), True
    for case in CASES:
        pair = shifted(replace(case, systems=2), 500_000, rng)
        difference = float(np.mean(pair[:, 0] - pair[:, 1]))
        if case.scores != "five points":
            difference = case.effect * np.sqrt(2)
        plan = required_topics(
            pair[:20_000], difference=difference, systems=case.systems,
            correction=case.correction, test=case.test, power=case.target_power,
        )  # fmt: skip
        topics = int(plan.topics[0])
        # Of whole topics the last brings a little more than was asked for.
        planned = float(
            plan.testing.power(
                plan.topics, plan.typical.effect, plan.typical.widening, plan.typical.step
            )[0]
        )
        power = achieved(case, topics, rng)
        good = abs(power - planned) <= MOST_OFF
        met &= good
        step = "" if case.step_down else ", single-step"
        table.add_row(
            str(case.systems), case.test, f"{case.correction}{step}", case.scores, str(topics),
            f"{planned:.3f}", f"{power:.3f}", "passed" if good else "MISSED",
        )  # fmt: skip
    console.print(table)
    return met


@dataclass(frozen=True)
class ModelCase:
    """An evaluation by a mixed model: its design, whatever the number of topics, and the plan."""

    name: str
    design: Design
    correction: PlannedCorrection = "maxt"
    margin: float | None = None

    def spreads(self) -> Spreads:
        """Return the true variances; the noise of judgments on a scale as many topics show it."""
        of, (_, _, judges, runs) = self.design.spread, self.design.shape
        size, noise = 5.0 if "system:cluster" in of else 0.0, 1.0
        if self.design.model == "ordinal":
            large = replace(self.design, shape=(self.design.shape[0], 400, judges, runs))
            (plan,) = power(large.draw(np.random.default_rng(SEED)), model="ordinal")
            noise = dict(plan.components.variances)["residual"]
        shared = {name: sd**2 for name, sd in of.items() if ":" in name or name == "run"}
        return Spreads(
            (*shared.items(), ("residual", noise)), judges=judges, panel=judges, runs=runs,
            size=size, ordinal=self.design.model == "ordinal",
            severity=of.get("assessor", 0.0) ** 2,
        )  # fmt: skip

    def simulated(self, number: int) -> tuple[int, float, float]:
        """Return the topics planned, the power planned with them, and the one achieved."""
        difference, margin = self.design.difference, self.margin
        testing = ModelTesting(
            "paired-t", self.design.shape[0], self.correction, spreads=self.spreads(),
            inside=None if margin is None else difference / margin,
        )  # fmt: skip
        effect = np.array([margin or difference])
        topics = testing.topics(effect)
        if testing.spreads.size:
            topics = np.ceil(topics / testing.spreads.size) * testing.spreads.size
        systems, _, *more = self.design.shape
        design = replace(self.design, shape=(systems, int(topics[0]), *more))
        rng = np.random.default_rng([SEED, 3, number])
        runs = ORDINAL if design.model == "ordinal" else RUNS
        options = {"correction": self.correction, "margin": margin}
        hits = sum(self._found(design.compared(rng, **options)) for _ in range(runs))
        return int(topics[0]), float(testing.power(topics, effect)[0]), hits / runs

    def _found(self, result: Comparisons) -> bool:
        """Return whether the first two systems are found different, or equivalent."""
        (pair,) = (row for row in result.comparisons if {row.a, row.b} == {"0", "1"})
        if self.margin is not None:
            return bool(pair.p_equivalence_adjusted <= 0.05)
        return bool(pair.p_adjusted <= 0.05 and (pair.difference > 0) == (pair.a == "0"))


def model_case(
    name: str, shape: tuple[int, int, int], difference: float, *, model: str = "lmm",
    correction: PlannedCorrection = "maxt", margin: float | None = None, **spread: float,
) -> ModelCase:  # fmt: skip
    """Return systems, assessors and runs, and standard deviations of what is random."""
    systems, judges, runs = shape
    named = {part.replace("_", ":"): sd for part, sd in spread.items()}
    design = Design((systems, 0, judges, runs), model, spread=named, difference=difference)
    return ModelCase(name, design, correction, margin)


MODEL_CASES = (
    model_case("topics", (4, 1, 1), 1.0),
    model_case("3 assessors", (4, 3, 1), 0.8, assessor=0.3),
    model_case("assessors have tastes", (4, 6, 1), 1.5, assessor=0.3, system_assessor=0.6),
    model_case("summaries differ", (4, 3, 1), 0.85, assessor=0.3, system_topic=0.7),
    model_case("clusters of 5", (4, 1, 1), 1.2, system_cluster=1.0),
    model_case("4 runs", (4, 1, 4), 0.7, run=0.2),
    model_case("3 assessors, Holm", (5, 3, 1), 0.8, correction="holm", assessor=0.3),
    model_case("3 assessors, margin", (4, 3, 1), 0.0, margin=0.7, assessor=0.3),
    model_case("4 runs, margin", (3, 1, 4), 0.2, margin=1.0, run=0.2),
    model_case("ordinal, topics", (3, 1, 1), 1.2, model="ordinal", topic=1.5),
    model_case("ordinal, 3 assessors", (3, 3, 1), 1.0, model="ordinal", topic=1.5, assessor=0.3),
    model_case("ordinal, margin", (3, 3, 1), 0.0, model="ordinal", margin=1.0, topic=1.5,
               assessor=0.3),
)  # fmt: skip


def power_of_models(console: Console) -> bool:
    runs = f"{RUNS:,} evaluations each, {ORDINAL:,} by ordinal models"
    console.print(f"Power of mixed models: within {MOST_OFF} of the plan, {runs}")
    met = True
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        every = pool.map(ModelCase.simulated, MODEL_CASES, range(len(MODEL_CASES)))
        for case, (topics, planned, power) in zip(MODEL_CASES, every, strict=True):
            good = abs(power - planned) <= MOST_OFF
            met &= good
            description = f"{topics} topics, planned {planned:.3f}, achieved {power:.3f}"
            outcome = "passed" if good else "MISSED"
            console.print(f"{case.name}: {description}: {outcome}", highlight=False)
    return met


def coverage_of_topics(console: Console) -> bool:
    """How often the interval on topics contains what the true spread needs."""
    table = Table("scores", "systems", "pilot topics", "coverage", "at least", "")
    table.title = f"Interval on topics (95%): {PILOTS:,} pilots each"
    rng, met = np.random.default_rng([SEED, 2]), True
    for name, systems, topics in (
        ("normal", 2, 10), ("normal", 2, 30), ("normal", 6, 10), ("five points", 2, 20),
        ("five points", 6, 20), ("skewed", 2, 30), ("skewed", 6, 30),
    ):  # fmt: skip
        large = DRAWS[name](rng, (200_000, 2))
        spread = float(np.std(large[:, 0] - large[:, 1]))
        difference = 0.4 * spread
        truth = required_topics(large, difference=difference, systems=systems).topics[0]
        hits = 0
        for _ in range(PILOTS):
            plan = required_topics(DRAWS[name](rng, (topics, systems)), difference=difference)
            hits += plan.typical.low <= truth <= plan.typical.high
        good = hits / PILOTS >= LEAST_COVERAGE[name]
        met &= good
        table.add_row(
            name, str(systems), str(topics), f"{hits / PILOTS:.3f}", f"{LEAST_COVERAGE[name]}",
            "passed" if good else "MISSED",
        )  # fmt: skip
    console.print(table)
    return met


def main() -> int:
    console = Console(width=100)
    met = [power_of_models(console), power_of_plans(console), coverage_of_topics(console)]
    console.print(f"bars met: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
