"""Whether what `compare` says holds as often as it should, by simulation.

Run by ``make bench AREA=stats``: how often intervals of means cover the mean, how often topics in
clusters seem to differ that do not, how often systems are called equivalent that are not, and how
large the error of the default test gets where its assumption fails or assessors differ.

Sizes and the seed were set before the results were seen, by precision and cost alone: 4,000 runs
where one takes up to 5 ms (the standard error of a rate of .05 is .0034 then), 2,000 for bootstrap
tests (.005), and 500 for families, of which one has five comparisons (.01). Where an estimate is
above its bar, either the method is fixed or all runs of its class are enlarged alike: families,
whose tests all see the same draws, had .062 to .072 of 500, also by the exact test, and have 2,000.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from label_choice import near_and_far
from prediction_powered import SCALE, SUMMEVAL, summeval
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison import ResamplingOptions, compare
from pyramidion.comparison._compare import CompareOptions, apply_test, equivalence_p
from pyramidion.comparison._view import compare_matrices
from pyramidion.comparison.procedures import StatisticName, TestName
from pyramidion.errors import InputError
from pyramidion.stats import pair_intervals
from pyramidion.stats.mean_intervals import matched_share_interval, mean_intervals

Array = np.ndarray[Any, Any]
Draw = Callable[[np.random.Generator, tuple[int, int]], Array]

# Of intervals of means and quick tests, and of bootstrap tests.
RUNS, BOOTSTRAPPED, SIZES = 4_000, 2_000, (5, 6, 7, 8, 10, 20, 50)
DRAWN = 300
SEED = 20261116
MIDDLE, HIGH, END = (0.1, 0.2, 0.4, 0.2, 0.1), (0.05, 0.1, 0.2, 0.35, 0.3), (0, 0, 0.02, 0.08, 0.9)


def five_points(shares: tuple[float, ...]) -> Draw:
    return lambda rng, size: rng.choice(np.arange(1.0, 6.0), size, p=shares)


def binary(share: float) -> Draw:
    return lambda rng, size: (rng.random(size) < share).astype(float)


#: How scores are drawn, their mean, the scale that is known, the bar, and from which size on.
DRAWS: dict[str, tuple[Draw, float, tuple[float, float] | None, float | None, int]] = {
    "normal": (lambda rng, size: rng.normal(size=size), 0.0, None, 0.93, 5),
    "five points, middle": (five_points(MIDDLE), 3.0, None, 0.93, 5),
    "five points, high": (five_points(HIGH), 3.75, None, 0.93, 5),
    "the same, scale known": (five_points(HIGH), 3.75, (1, 5), 0.93, 5),
    "exponential": (lambda rng, size: rng.exponential(size=size), 1.0, None, 0.88, 5),
    "10% binary": (binary(0.1), 0.1, None, 0.92, 10),
    "90% at the end, scale known": (five_points(END), 4.88, (1, 5), 0.93, 5),
    "90% at the end (has a note)": (five_points(END), 4.88, None, None, 5),
}


def verdict(*, met: bool) -> str:
    return "passed" if met else "MISSED"


def covered(draw: Draw, mean: float, scale: tuple[float, float] | None, n: int) -> float:
    """Simulate two systems of n topics each time."""
    rng = np.random.default_rng([SEED, 1, n])
    inside = 0
    for _ in range(RUNS):
        intervals = mean_intervals(draw(rng, (n, 2)), scale=scale)
        inside += int(((intervals.low <= mean) & (mean <= intervals.high)).sum())
    return inside / (2 * RUNS)


def means(console: Console) -> bool:
    table = Table("scores", *map(str, SIZES), "bar", "")
    table.title = f"Coverage of 95% intervals of means, {RUNS:,} runs of two systems"
    every = True
    for name, (draw, mean, scale, bar, least) in DRAWS.items():
        coverage_of = {n: covered(draw, mean, scale, n) for n in SIZES}
        met = bar is None or all(share >= bar for n, share in coverage_of.items() if n >= least)
        cells = ("none", "") if bar is None else (f"{bar:.2f} from {least}", verdict(met=met))
        table.add_row(name, *(f"{share:.3f}" for share in coverage_of.values()), *cells)
        every &= met
    console.print(table)
    return every


def missing_scores(console: Console) -> bool:
    """Cover least-squares means: easy topics are judged twice as often."""
    rng, coverage_of = np.random.default_rng([SEED, 2]), {}
    for n in (10, 20, 50):
        inside = []
        for _ in range(RUNS):
            topics = rng.normal(size=(n, 1))
            values = topics + rng.normal(size=(n, 4))
            values[rng.random(values.shape) < np.where(topics > 0, 0.2, 0.4)] = np.nan
            intervals = mean_intervals(values)
            enough = (~np.isnan(values)).sum(axis=0) > 2
            inside += ((intervals.low <= 0) & (intervals.high >= 0))[enough].tolist()
        coverage_of[n] = float(np.mean(inside))
    met = min(coverage_of.values()) >= 0.93
    shares = ", ".join(f"n = {n}: {share:.3f}" for n, share in coverage_of.items())
    console.print(f"least-squares means, 30% missing: {shares}; bar 0.93: {verdict(met=met)}")
    return met


def differences(console: Console) -> bool:
    """Cover the difference of one pair: five-point scores by t, 0/1 scores by Bonett and Price."""
    rng, coverage_of = np.random.default_rng([SEED, 3]), {}
    for n in (5, 10, 20, 50):
        inside = {"five points": 0, "0/1": 0}
        for _ in range(RUNS):
            x, y = five_points(HIGH)(rng, (2, n))
            intervals = mean_intervals((x - y)[:, None], skewed=False)
            # Without any difference there is no interval, and nothing is claimed.
            inside["five points"] += not (intervals.low[0] > 0 or intervals.high[0] < 0)
            x, y = binary(0.1)(rng, (1, n))[0], binary(0.3)(rng, (1, n))[0]
            low, high = matched_share_interval(y - x)
            inside["0/1"] += low <= 0.2 <= high
        coverage_of[n] = {name: count / RUNS for name, count in inside.items()}
    met = min(min(shares.values()) for shares in coverage_of.values()) >= 0.93
    shares = "; ".join(f"n = {n}: {', '.join(f'{k} {v:.3f}' for k, v in s.items())}"
                     for n, s in coverage_of.items())  # fmt: skip
    console.print(f"differences of a pair: {shares}; bar 0.93: {verdict(met=met)}")
    return met


def differences_of_ratings(console: Console) -> bool:
    """Cover differences of systems on topics drawn from SummEval, near the end of the scale, too.

    Systems next to each other in the ranking (near) and eight ranks apart (far), in comparisons of
    all 16 and of two alone; by the mean of three experts, and by the first one.
    """
    if not SUMMEVAL.exists():
        console.print("draws from SummEval: skipped, ../shared/data is missing")
        return True
    heads = ("near", "far", "near, two alone", "far, two alone", "near, t", "far, t")
    table = Table("ratings", "topics", *heads, "bar 0.93")
    table.title = f"Coverage of 95% intervals of differences, {DRAWN} draws from SummEval"
    table.caption = "t: of all 16 without allowing for unseen differences, without a bar"
    met = []
    for measure in ("consistency", "fluency", "relevance", "coherence"):
        for name in (f"expert_{measure}", f"expert1:{measure}"):
            ratings, shown = summeval(name), name.replace("_", " ").replace(":", ", ")
            for n in (20, 40):
                shares = ratings_covered(ratings, n)
                met.append(min(shares[:4]) >= 0.93)
                cells = (f"{share:.3f}" for share in shares)
                table.add_row(shown, str(n), *cells, verdict(met=met[-1]))
    console.print(table)
    return all(met)


def ratings_covered(ratings: Array, n: int) -> list[float]:
    rng, parts = np.random.default_rng([SEED, 8, n]), near_and_far(ratings)
    means, width = ratings.mean(axis=0), SCALE[1] - SCALE[0]
    inside = np.zeros(6)
    for _ in range(DRAWN):
        scores = ratings[rng.integers(len(ratings), size=n)]
        for part, pairs in enumerate(parts):
            truth = means[pairs[:, 0]] - means[pairs[:, 1]]
            # The others' differences count as well.
            every = np.concatenate([pairs, all_pairs(ratings.shape[1])])
            together, plain = (
                pair_intervals(scores, pairs=every, width=known) for known in (width, None)
            )
            alone = [pair_intervals(scores[:, pair], width=width) for pair in pairs]
            ends = (
                (together.low[: len(pairs)], together.high[: len(pairs)]),
                tuple(np.array([getattr(a, end)[0] for a in alone]) for end in ("low", "high")),
                (plain.low[: len(pairs)], plain.high[: len(pairs)]),
            )
            for number, (low, high) in enumerate(ends):
                # Without any difference there is no interval by t, and nothing is claimed.
                missed = (low > truth + 1e-9) | (high < truth - 1e-9)
                inside[2 * number + part] += 1 - missed.mean()
    return (inside / DRAWN).tolist()


def all_pairs(systems: int) -> Array:
    return np.column_stack(np.triu_indices(systems, 1))


TESTS: tuple[tuple[TestName, StatisticName], ...] = (
    ("permutation", "t"), ("wilcoxon", "w"), ("paired-t", "t"), ("mc", "w"), ("mc", "t"),
    ("hb", "w"), ("hb", "t"),
)  # fmt: skip
MOST_ERROR = 0.06


def rejected(z: Array, test: TestName, statistic: StatisticName, **more: Any) -> bool:
    """Test whether differences are about zero, as `compare` would."""
    options = ResamplingOptions(statistic=statistic, **more)
    outcome = apply_test(np.column_stack([z, np.zeros(len(z))]), np.array([[0, 1]]), test, options)
    return bool(outcome.p[0] <= 0.05)


def clusters(console: Console) -> bool:
    """Draw differences of mean zero, in groups of 5 with an intraclass correlation of .5."""
    table = Table("test", *(f"{groups} groups{how}" for groups in (8, 20) for how in (
        "", ", unequal", ", not clustered")), "bar", "")  # fmt: skip
    table.title = "Type I error with topics in groups of 5, ICC .5"
    every = True
    for test, statistic in TESTS:
        runs = BOOTSTRAPPED if test == "hb" else RUNS
        error_rates: list[float] = []
        for groups in (8, 20):
            rng = np.random.default_rng([SEED, 4, groups])
            sizes = {"equal": [5] * groups, "unequal": [2, 8, 5, 5] * (groups // 4)}
            hits = dict.fromkeys((*sizes, "none"), 0)
            for run in range(runs):
                for name, size in sizes.items():
                    codes = np.repeat(np.arange(groups), size)
                    z = rng.normal(size=groups)[codes] + rng.normal(size=len(codes))
                    more = {"n_resamples": 199, "seed": run}
                    hits[name] += rejected(z, test, statistic, clusters=codes, **more)
                    if name == "equal" and run < runs // 3:
                        hits["none"] += 3 * rejected(z, test, statistic, **more)
            error_rates += [count / runs for count in hits.values()]
        met = max(share for index, share in enumerate(error_rates) if index % 3 < 2) <= MOST_ERROR
        name = f"{test} ({statistic})" if test in ("mc", "hb") else test
        table.add_row(name, *(f"{s:.3f}" for s in error_rates), f"{MOST_ERROR}", verdict(met=met))
        every &= met
    console.print(table)
    return every


def equivalence(console: Console) -> bool:
    """Call systems equivalent whose difference is just the margin; and those that are equal.

    Skewed differences are exponential, with their long tail outward, which is the worse side.
    """
    heads = ("5 topics", "10", "20", "50", "bar", "", "found at 50, if equal")
    table = Table("test", *heads, "skewed: 10", "20", "50", "bar from 20", "")
    table.title = "Error of --margin: difference = margin = half a standard deviation"
    every = True
    # Tests of ranks have no margin.
    for test, statistic in (pair for pair in TESTS if pair[1] != "w"):
        runs = BOOTSTRAPPED if test == "hb" else RUNS
        error_rates, right = [], 0
        for n in (5, 10, 20, 50):
            rng, hits = np.random.default_rng([SEED, 5, n]), 0
            for run in range(runs):
                options = ResamplingOptions(n_resamples=199, statistic=statistic, seed=run)
                z = rng.normal(size=n)
                for shift in (0.5, 0.0) if n == 50 else (0.5,):
                    values = np.column_stack([z + shift, np.zeros(n)])
                    p = equivalence_p(values, np.array([[0, 1]]), test, options, WITHIN)[0]
                    hits, right = (
                        hits + (shift > 0) * (p <= 0.05),
                        right + (not shift) * (p <= 0.05),
                    )
            error_rates.append(hits / runs)
        met = max(error_rates) <= MOST_ERROR
        name = f"{test} ({statistic})" if test in ("mc", "hb") else test
        shares = (f"{share:.3f}" for share in error_rates)
        skewed_rates = [skewed_equivalence(test, statistic, n, runs) for n in (10, 20, 50)]
        # The t test assumes normal differences, and a note says where they are skewed.
        bar = None if test == "paired-t" else MOST_SKEWED_ERROR
        held = bar is None or max(skewed_rates[1:]) <= bar
        cells = (f"{bar}", verdict(met=held)) if bar else ("none", "")
        table.add_row(
            name, *shares, f"{MOST_ERROR}", verdict(met=met), f"{right / runs:.2f}",
            *(f"{share:.3f}" for share in skewed_rates), *cells,
        )  # fmt: skip
        every &= met and held
    console.print(table)
    return every


WITHIN = CompareOptions(margin=0.5)
MOST_SKEWED_ERROR = 0.07


def skewed_equivalence(test: TestName, statistic: StatisticName, n: int, runs: int) -> float:
    """Call systems equivalent that differ by the margin, with exponential differences."""
    rng, hits = np.random.default_rng([SEED, 8, n]), 0
    for run in range(runs):
        options = ResamplingOptions(n_resamples=199, statistic=statistic, seed=run)
        values = np.column_stack([rng.exponential(size=n) - 1 + 0.5, np.zeros(n)])
        hits += equivalence_p(values, np.array([[0, 1]]), test, options, WITHIN)[0] <= 0.05
    return hits / runs


def binary_scores(console: Console) -> bool:
    """Add up the error of two systems with scores of 0 and 1, exactly, whatever share differs."""
    from scipy.stats import binom

    shares, error_of = np.linspace(0.01, 1, 100), {}
    for exact in (False, True):
        for n in (10, 15, 20, 30, 50, 100):
            rejects = np.zeros(n + 1)
            for differ in range(1, n + 1):
                wins = np.arange(differ + 1)
                rows = np.arange(n)[:, None]
                first, second = rows < wins, (rows >= wins) & (rows < differ)
                values = np.column_stack([first, second]).astype(float)
                pairs = np.column_stack([wins, wins + differ + 1])
                options = ResamplingOptions(n_resamples=19, exact=exact)
                p = apply_test(values, pairs, "permutation", options).p
                rejects[differ] = binom.pmf(wins, differ, 0.5)[p <= 0.05].sum()
            sizes = [binom.pmf(np.arange(n + 1), n, share) @ rejects for share in shares]
            error_of[exact, n] = (max(sizes), sizes[19], sizes[39])
    table = Table("p-values", *(f"{n} topics" for exact, n in error_of if exact), "bar", "")
    table.title = "Largest error at .05 with scores of 0 and 1 (20%, 40% of topics differ)"
    met = max(error_of[False, n][0] for exact, n in error_of if exact) <= 0.05
    for exact, name in ((False, "mid-p (default)"), (True, "exact")):
        cells = ["{:.3f} ({:.3f}, {:.3f})".format(*error_of[key]) for key in error_of
                 if key[0] == exact]  # fmt: skip
        table.add_row(name, *cells, *(("none", "") if exact else ("0.05", verdict(met=met))))
    console.print(table)
    return met


def odd_system(console: Console) -> bool:
    """Draw ten equal systems, one perhaps lognormal: the error, and how often it is noted."""
    table = Table("systems", *(f"{n} topics: error{said}" for n in (10, 20, 50) for said in (
        "", ", noted")))  # fmt: skip
    table.title = f"Some pair of equal systems called different, max-T, {ODD_RUNS} runs"
    met = True
    for name, factor in (("ten normal", 0.0), ("one lognormal", 1.0), ("one lognormal x 3", 3.0)):
        cells = []
        for n in (10, 20, 50):
            rng, wrong, noted = np.random.default_rng([SEED, 9, n]), 0, 0
            for run in range(ODD_RUNS):
                values = rng.normal(size=(n, 1)) + rng.normal(size=(n, 10))
                values[:, 0] += factor * (rng.lognormal(size=n) - np.exp(0.5))
                names = [str(i) for i in range(10)]
                matrix = ScoreMatrix(values, [f"T{i}" for i in range(n)], names, measure="m")
                result = compare(matrix, n_resamples=199, seed=run)[0]
                wrong += result.counts.significant > 0
                noted += any("are skewed" in note for note in result.notes)
            met &= factor > 0 or noted <= 0.08 * ODD_RUNS
            cells += [f"{wrong / ODD_RUNS:.3f}", f"{noted / ODD_RUNS:.2f}"]
        table.add_row(name, *cells)
    console.print(table)
    console.print(f"normal systems are noted in at most .08: {verdict(met=met)}")
    return met


ODD_RUNS = 500
#: Runs, measures, systems, topics and resamples; the bar of the family-wise error.
FAMILY_RUNS, FAMILY, FAMILY_BAR = 2_000, (5, 10, 20, 399), 0.06


def family_error(options: CompareOptions, *, equal: int, apart: bool, runs: int) -> float:
    """Simulate measures that hang together; of the systems, the first `equal` do not differ."""
    measures, systems, topics, _ = FAMILY
    effects = np.where(np.arange(systems) < equal, 0.0, np.arange(systems) * 0.3)
    wrong = 0
    for run in range(runs):
        rng = np.random.default_rng([SEED, 6, run])
        common = rng.normal(size=(topics, systems))
        matrices = [
            ScoreMatrix(
                common * (not apart) + rng.normal(size=(topics, systems)) + effects,
                [f"{number * apart}-{topic}" for topic in range(topics)],
                [str(system) for system in range(systems)],
                measure=f"m{number}",
            )
            for number in range(measures)
        ]
        wrong += any(
            pair.p_adjusted <= options.alpha
            for result in compare_matrices(matrices, options)
            for pair in result.comparisons
            if max(int(pair.a), int(pair.b)) < equal
        )
    return wrong / runs


def families(console: Console) -> bool:
    table = Table("test", "family", "systems", "topics of measures", "error", "bar", "")
    table.title = "Some pair of equal systems called different (step-down max-T, 5 measures)"
    met = True
    for test in ("permutation", "wilcoxon", "mc", "hb"):
        for family, equal, apart in (
            ("pairs", 10, False), ("measures", 10, False), ("measures", 5, False),
            ("measures", 10, True),
        ):  # fmt: skip
            options = CompareOptions(
                test=(test,), statistic="t", family=family, n_resamples=FAMILY[-1]
            )
            error = family_error(options, equal=equal, apart=apart, runs=FAMILY_RUNS)
            held = error <= FAMILY_BAR or family == "pairs"
            met &= held
            cells = ("none", "") if family == "pairs" else (f"{FAMILY_BAR:g}", verdict(met=held))
            shared = "their own" if apart else "the same"
            table.add_row(test, family, f"{equal} equal of 10", shared, f"{error:.3f}", *cells)
    console.print(table)
    return met


#: Topics, systems, assessors, and judgments of each summary.
MIXES = ((10, 2, 2, 1), (20, 2, 2, 1), (60, 2, 2, 1), (20, 2, 4, 1), (20, 4, 4, 1), (50, 4, 6, 2))


def judged_unevenly(rng: np.random.Generator, mix: tuple[int, int, int, int]) -> ScoreMatrix:
    """Draw equal systems, each judged mostly by an assessor of its own mind."""
    topics, systems, assessors, judges = mix
    severity, rows = rng.normal(scale=1.5, size=assessors), []
    for topic, level in enumerate(rng.normal(size=topics)):
        for system in range(systems):
            likely = np.ones(assessors)
            likely[system % assessors] += 3 if assessors == 2 else assessors
            summary = level + rng.normal(scale=0.5)
            for judge in rng.choice(assessors, judges, replace=False, p=likely / likely.sum()):
                score = summary + severity[judge] + rng.normal()
                rows.append((f"T{topic}", f"S{system}", f"A{judge}", "m", "machine", score))
    *names, values = zip(*rows, strict=True)
    columns = dict(zip(("topic", "system", "assessor", "measure", "kind"), names, strict=True))
    return ScoreMatrix.from_scores(Scores(columns, values), "m")


def first_p(matrix: ScoreMatrix, options: CompareOptions) -> float:
    """Return the p-value of the first two systems, whatever their ranks."""
    pairs = compare_matrices([matrix], options)[0].comparisons
    return next(pair.p for pair in pairs if {pair.a, pair.b} == {"S0", "S1"})


def assessors_mixed(console: Console) -> bool:
    """Reject equal systems judged by different mixes of assessors: plain and adjusted means."""
    table = Table("topics", "systems", "assessors", "judges", "plain", "adjusted", "bar", "")
    options, met = CompareOptions(correction="none", n_resamples=199), []
    for number, mix in enumerate(MIXES):
        rng, hits = np.random.default_rng([SEED, 8, number]), []
        for _ in range(BOOTSTRAPPED // 2):
            matrix = judged_unevenly(rng, mix)
            bare = ScoreMatrix(matrix.values, matrix.topics, matrix.systems)
            try:
                hits.append([first_p(each, options) <= 0.05 for each in (bare, matrix)])
            except InputError:  # no assessor judged both
                continue
        plain, share = np.mean(hits, axis=0).tolist()
        met.append(share <= 0.07)
        table.add_row(*map(str, mix), f"{plain:.3f}", f"{share:.3f}", "0.07", verdict(met=met[-1]))
    console.print("equal systems, each judged mostly by one assessor: share of false finds")
    console.print(table)
    return all(met)


def skewed(console: Console) -> None:
    """Tell the error of the default test for skewed differences, which its assumption excludes."""
    rng, error_of = np.random.default_rng([SEED, 7]), {}
    for n in (7, 10, 20, 50, 200):
        hits = [
            rejected(rng.exponential(size=n) - 1, "permutation", "t", n_resamples=199, seed=run)
            for run in range(RUNS)
        ]
        error_of[n] = float(np.mean(hits))
    shares = ", ".join(f"n = {n}: {share:.3f}" for n, share in error_of.items())
    console.print(f"permutation, exponential differences of mean zero (no bar): {shares}")


def main() -> int:
    console = Console(width=120)
    met = [means(console), missing_scores(console), differences(console), clusters(console)]
    met.append(differences_of_ratings(console))
    met += [equivalence(console), families(console), binary_scores(console), odd_system(console)]
    met.append(assessors_mixed(console))
    skewed(console)
    console.print(f"bars met: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
