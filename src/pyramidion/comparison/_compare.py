"""Every test of a pair of systems, applied to all pairs of a matrix, and its effect size."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np

from pyramidion._types import Bools, Floats, Ints, Pairs
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison._result import (
    LESS_THAN_MARGIN,
    UNVARYING,
    Comparison,
    ComparisonResult,
    Family,
    Omnibus,
    PairCounts,
    Ranking,
    ShownPairs,
    Verdict,
    interval_notes,
    mean_intervals,
    ranked_systems,
    ranking_notes,
)
from pyramidion.comparison.measure_tables import computable, place_name
from pyramidion.comparison.procedures import (
    MAX_T,
    MODELS,
    PAIRED_TESTS,
    RESAMPLING_TESTS,
    STATISTIC_TESTS,
    Correction,
    ModelName,
    RandomEffect,
    StatisticName,
    TestName,
    added_tests,
    effective_correction,
    fallback_note,
    named_correction,
)
from pyramidion.errors import InputError, known_names
from pyramidion.questions import Options, Progress, option
from pyramidion.questions.common import confidence_option, correction_option
from pyramidion.rendering.labels import counted
from pyramidion.stats import PairwiseTest, adjust_p, least_resamples, permute_pairs, resample_pairs
from pyramidion.stats._pair_permutation import clustered_tests, pairwise_tests, signed_rank_tests
from pyramidion.stats._resampling import cluster_draws, cluster_swaps, ratio
from pyramidion.stats.mean_intervals import MeanIntervals
from pyramidion.stats.pairs import Mapper, blocks, multiply, noise_level, shared_topics

# Fewer shared topics than these have no max-T of a resampled statistic.
_FEW = 5
_NO_MAX_T = "shared topics are too few for max-T"


@dataclass(frozen=True, slots=True)
class ResamplingOptions:
    """How resampling is done."""

    n_resamples: int = 9999
    statistic: StatisticName = "w"
    seed: int = 0
    continuity: bool = False
    step_down: bool = True
    clusters: Ints | None = None
    mapper: Mapper = map

    def resamples(self, method: str) -> dict[str, Any]:
        """Return draws of whole clusters, if there are clusters; topics are drawn otherwise."""
        if self.clusters is None:
            return {}
        if method == "hb":
            indices, swaps = cluster_draws(self.clusters, self.n_resamples, self.seed)
            return {"indices": indices, "swaps": swaps}
        exact = method == "permutation"
        return {"swaps": cluster_swaps(self.clusters, self.n_resamples, self.seed, exact=exact)}


@dataclass(frozen=True, slots=True)
class PairTests:
    """The results of a test, one element per pair."""

    statistic: Floats
    p: Floats
    effect: Floats
    notes: tuple[str, ...]
    n_resamples: int = 0
    p_max_t: Floats | None = None
    omnibus: Omnibus | None = None
    order: Floats | None = None


def apply_test(
    values: Floats, pairs: Pairs, test: TestName, options: ResamplingOptions
) -> PairTests:
    """Apply a test to pairs of columns, each on the topics both have."""
    if options.clusters is not None and test in ("wilcoxon", "paired-t"):
        return _clustered(values, pairs, test, options.clusters)
    return _TESTS[test](values, pairs, options) if test in _TESTS else _added(values, pairs, test)


def max_t(
    values: Floats,
    pairs: Pairs,
    test: TestName,
    options: ResamplingOptions,
    tested: PairTests | None = None,
) -> PairTests:
    """Correct a test without resamples of its own by max-T: its statistic under random swaps."""
    if test == "wilcoxon":
        known = tested.order if tested else None
        return _resampled(values, pairs, replace(options, statistic="w"), method="mc", known=known)
    # T rises with the mean difference, whose own statistic stays bounded with few topics.
    return _permuted(values, pairs, options)


def enough_resamples(
    options: ResamplingOptions, test: TestName, correction: Correction, pairs: int, alpha: float
) -> ResamplingOptions:
    """Check the number of resamples, and raise it where a stepwise correction needs more."""
    options = replace(options, step_down=correction == "maxt")
    if test not in RESAMPLING_TESTS and correction not in MAX_T:
        return options
    require_enough_resamples(options, alpha)
    if correction not in ("holm", "bh"):
        return options
    return replace(options, n_resamples=max(options.n_resamples, least_resamples(pairs, alpha)))


def require_enough_resamples(options: ResamplingOptions, alpha: float) -> None:
    """Raise an error if there are too few resamples for the significance level."""
    least = least_resamples(1, alpha)
    if options.n_resamples < least:
        what = f"{options.n_resamples} resamples cannot show significance at {alpha:g}"
        raise InputError(what, hint=f"ask for {least} or more")


def _permuted(values: Floats, pairs: Pairs, options: ResamplingOptions) -> PairTests:
    found = permute_pairs(
        values, pairs=pairs, n_resamples=options.n_resamples, step_down=options.step_down,
        rng=options.seed, mapper=options.mapper, **options.resamples("permutation"),
    )  # fmt: skip
    notes = tuple("" if n else "no shared topic" for n in found.topics)
    # Mean differences in standard deviations, from sums over roots of sums of squares; unknown
    # where fewer than two topics are shared or all differences are equal but not 0.
    topics, left = found.topics, found.topics - found.statistic**2
    known, effects = (topics > 1) & (left > 1e-12 * topics), np.full(len(topics), np.nan)
    scale = np.sqrt((topics[known] - 1) / topics[known] / left[known])
    effects[known] = found.statistic[known] * scale
    p_max_t = found.p_step_down if options.step_down else found.p_max_t
    resamples = found.n_resamples
    if options.clusters is not None:
        # All signs of few clusters are more than the signs up to a common factor.
        resamples = min(options.n_resamples, 2 ** (1 + int(options.clusters.max())))
    return PairTests(found.statistic, found.p, effects, notes, resamples, p_max_t)


def _resampled(
    values: Floats,
    pairs: Pairs,
    options: ResamplingOptions,
    *,
    method: Literal["mc", "hb"],
    known: Floats | None = None,
) -> PairTests:
    """Resample a statistic; where it is known already, effects are known as well."""
    topics = shared_topics(values, pairs)
    statistic, p, p_max_t = (np.full(len(pairs), np.nan) for _ in range(3))
    # T of a pair with few topics is often infinite under resampling and would rule the maximum
    # over all pairs, so such pairs are resampled apart and have no max-T.
    resamples = options.resamples(method)
    for many, rows in ((False, topics < _FEW), (True, topics >= _FEW)):
        if not rows.any():
            continue
        found = resample_pairs(
            values, method=method, pairs=pairs[rows], statistics=(options.statistic,),
            n_resamples=options.n_resamples, cutoffs=False, step_down=many and options.step_down,
            observed=None if known is None else known[rows], rng=options.seed,
            mapper=options.mapper, **resamples,
        ).tests[options.statistic]  # fmt: skip
        statistic[rows], p[rows] = found.statistic, found.p
        if many:
            p_max_t[rows] = found.p_step_down if options.step_down else found.p_max_t
    effects = _effects(values, pairs, options.statistic) if known is None else statistic
    notes = tuple(few_topics_note(n) for n in topics.tolist())
    return PairTests(statistic, p, effects, notes, options.n_resamples, p_max_t)


def _effects(values: Floats, pairs: Pairs, statistic: StatisticName) -> Floats:
    if statistic == "w":
        return signed_rank_tests(values, pairs=pairs).effect
    test: PairwiseTest = "paired-t" if statistic == "t" else "unpaired-t"
    return _students_t(values, pairs, ResamplingOptions(), test=test).effect


def _clustered(
    values: Floats, pairs: Pairs, test: Literal["wilcoxon", "paired-t"], clusters: Ints
) -> PairTests:
    found = clustered_tests(values, clusters, test=test, pairs=pairs)
    effects = _effects(values, pairs, "w" if test == "wilcoxon" else "t")
    notes = tuple("clusters are too few or do not vary" if math.isnan(p) else "" for p in found.p)
    return PairTests(found.statistic, found.p, effects, notes)


def few_topics_note(topics: int) -> str:
    if topics < 2:
        return "fewer than two shared topics"
    return f"{topics} {_NO_MAX_T}" if topics < _FEW else ""


def _wilcoxon(values: Floats, pairs: Pairs, options: ResamplingOptions) -> PairTests:
    found = signed_rank_tests(values, pairs=pairs, continuity=options.continuity)
    notes = tuple(
        "" if spread else "no difference" if n else "no shared topic"
        for n, spread in zip(found.topics.tolist(), found.spread.tolist(), strict=True)
    )
    order = ratio(found.statistic, found.spread)
    return PairTests(found.statistic, found.p, found.effect, notes, order=order)


def _students_t(
    values: Floats, pairs: Pairs, options: ResamplingOptions, *, test: PairwiseTest
) -> PairTests:
    """Test means, and divide their difference by the standard deviation (Cohen's d_z or d)."""
    found = pairwise_tests(values, test=test, pairs=pairs)
    samples, what = 2, "the values of each sample are"
    if test == "paired-t":
        samples, what = 1, "every difference is"
    notes = np.where(found.statistic == 0, "no difference on average", "").astype(object)
    notes[np.isnan(found.p)] = f"no spread: {what} the same"
    notes[found.topics < 2] = "fewer than two shared topics"
    # Both systems have as many topics.
    effect = found.statistic * np.sqrt(samples / np.maximum(found.topics, 1))
    return PairTests(found.statistic, found.p, effect, tuple(notes.tolist()))


def _kruskal(values: Floats, pairs: Pairs, options: ResamplingOptions) -> PairTests:
    """Rank the scores of all systems together, and compare mean ranks; max-T is Tukey's here."""
    from scipy.special import ndtr

    from pyramidion.stats import kruskal_wallis
    from pyramidion.stats.multiple_comparisons import tukey_p

    there = np.flatnonzero(~np.isnan(values).all(axis=0))
    found = kruskal_wallis(values.T[there])
    means, share = np.full((2, values.shape[1]), np.nan)
    means[there], share[there] = found.ranks.mean_ranks, 1 / found.ranks.n
    first, second = pairs.T
    difference = means[first] - means[second]
    # Ties may leave no variance but rounding noise.
    variance = found.ranks.variance if found.statistic else 0.0
    z = ratio(difference, np.sqrt(variance * (share[first] + share[second])))
    z[np.isnan(difference)] = np.nan
    notes = tuple(np.where(np.isnan(z), "no score", "").tolist())
    return PairTests(
        z, 2 * ndtr(-np.abs(z)), difference / found.ranks.total, notes,
        p_max_t=tukey_p(z, len(there), np.inf), omnibus=Omnibus(found.statistic, found.df, found.p),
    )  # fmt: skip


def _added(values: Floats, pairs: Pairs, test: str) -> PairTests:
    """Apply the test of another package to each pair."""
    run = added_tests()[test].run
    numbers = np.full((len(pairs), 3), np.nan)
    notes = []
    for row, (first, second) in zip(numbers, values.T[pairs], strict=True):
        shared = ~np.isnan(first) & ~np.isnan(second)
        notes.append("" if shared.any() else "no shared topic")
        if shared.any():
            row[:] = run(first[shared], second[shared])
    statistic, p, effect = numbers.T
    return PairTests(statistic, p, effect, tuple(notes))


_Runner = Callable[[Floats, Pairs, ResamplingOptions], PairTests]
_TESTS: Mapping[TestName, _Runner] = {
    "permutation": _permuted,
    "mc": partial(_resampled, method="mc"),
    "hb": partial(_resampled, method="hb"),
    "wilcoxon": _wilcoxon,
    "paired-t": partial(_students_t, test="paired-t"),
    "unpaired-t": partial(_students_t, test="unpaired-t"),
    "welch": partial(_students_t, test="welch"),
    "kruskal": _kruskal,
}


@dataclass(frozen=True, slots=True)
class CompareOptions(Options):
    """How pairs of systems are tested."""

    test: tuple[TestName, ...] = option(
        ("permutation",),
        "Tests of each pair of systems, comma-separated: permutation (random signs of the "
        "differences), wilcoxon, paired-t, unpaired-t, welch, mc (Monte Carlo), hb (hybrid "
        "bootstrap) or kruskal (Kruskal-Wallis and mean ranks).",
        plugins="pair_tests",
    )
    model: ModelName | None = option(
        None, "Compare systems by a mixed model of the single scores instead of a test of their "
        "means: lmm (linear) or ordinal (cumulative logits, for judgments on a scale). Topics, "
        "assessors and runs are random effects.",
    )  # fmt: skip
    random: tuple[RandomEffect, ...] = option(
        (), "Random effects of the model, comma-separated: topic, assessor, run, system:topic or "
        "system:assessor; by default the first three, as far as they are there, and of the others "
        "those that the data show.", metavar="EFFECT",
    )  # fmt: skip
    statistic: StatisticName = option(
        "w", "Statistic of the tests mc and hb: w (Wilcoxon), t or t-unpaired."
    )
    continuity: bool = option(
        False, "Correct the test wilcoxon for continuity, as R does by default.",
        flags=("--continuity",),
    )  # fmt: skip
    correction: Correction = correction_option()
    family: Family = option(
        "pairs", "What the correction is for: pairs (those of each measure and task by themselves) "
        "or measures (the pairs of all measures and tasks together).",
    )  # fmt: skip
    alpha: float = option(0.05, "Significance level of the tests.", between=(0, 1))
    margin: float | None = option(
        None, "Largest difference of means (with --model ordinal, of log odds) that does not "
        "matter. Each pair is then different, equivalent within this margin (by two one-sided "
        "tests) or undecided.", metavar="NUMBER",
    )  # fmt: skip
    baseline: str | None = option(
        None, "Compare every system with this one only.", metavar="SYSTEM"
    )
    n_resamples: int = option(
        9999, "Number of resamples for the tests permutation, mc and hb; raised where Holm's "
        "correction needs more.", flags=("--resamples",), max=10_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    confidence_level: float = confidence_option(
        "Confidence level of the systems' intervals.", on_command_line=False
    )
    pairs: ShownPairs = option(
        "main", "Pairs to show: main (for each system the first one below that it differs from; "
        "all of up to 15), significant, all or none. JSON, CSV and files hold all.",
    )  # fmt: skip
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    def check(self) -> None:
        """Check that there is a test or a model, and that the options go together."""
        if not self.test:
            raise InputError("no test is named", hint="try --test permutation")
        if self.model and self.test != ("permutation",):
            what = f"--model {self.model} and --test {self.test[0]} cannot go together"
            raise InputError(what, hint="leave one of them out")
        if self.random and not self.model:
            raise InputError("only models have random effects", hint="add --model lmm")
        require_wilcoxon(self.continuity, self.test)
        if self.margin is not None and not 0 < self.margin < _LARGEST:
            raise InputError(f"the margin is {self.margin:g}", hint="give a number above 0")
        # Tests of ranks say nothing of means, which a margin is about.
        added = next((test for test in self.test if test not in _TESTS), None)
        if self.margin is not None and added:
            hint = "use --test permutation or paired-t"
            raise InputError(f"{added} has no margin: another package adds it", hint=hint)
        of_ranks = ("kruskal", "wilcoxon", *(STATISTIC_TESTS if self.statistic == "w" else ()))
        ranks = next((test for test in self.test if test in of_ranks), None)
        if self.margin is not None and ranks:
            of_w = " of w" if ranks in STATISTIC_TESTS else ""
            hint = "it compares ranks, not means; use --test permutation or paired-t"
            raise InputError(f"{ranks}{of_w} has no margin", hint=hint)


# Sums of greater numbers lose all digits.
_LARGEST = 1e100


def require_wilcoxon(continuity: bool, tests: Sequence[str]) -> None:
    """Raise an error if no test has a continuity correction."""
    if continuity and "wilcoxon" not in tests:
        raise InputError("only wilcoxon is corrected for continuity", hint="add --test wilcoxon")


def compare_matrix(
    matrix: ScoreMatrix,
    options: CompareOptions | None = None,
    *,
    test: TestName | None = None,
    mapper: Mapper = map,
) -> ComparisonResult:
    """Compare every pair of systems on the topics both have, by the first test if none is named."""
    asked = options or CompareOptions()
    test, alpha = test or asked.test[0], asked.alpha
    require_comparable(matrix, asked.baseline)
    clusters = _comparable_clusters(matrix, asked.model or test)
    if clusters is not None and asked.continuity and test == "wilcoxon":
        hint = "leave out --continuity or --cluster"
        raise InputError("signed ranks of clusters are not corrected for continuity", hint=hint)
    if asked.model or (matrix.rows is not None and any(matrix.rows.columns["run"])):
        # Half a second that most comparisons need not wait for.
        from pyramidion.comparison import _models as models

        if asked.model:
            return models.compare_by_model(matrix, asked, asked.model)
        runs = models.run_note(matrix)
    else:
        runs = ""
    correction = effective_correction(asked.correction, test)
    ranking = Ranking.of_ranks(matrix) if test == "kruskal" else Ranking.of(matrix)
    pairs = paired_systems(matrix, ranking.order, asked.baseline)
    resampling = enough_resamples(
        ResamplingOptions(
            asked.n_resamples, asked.statistic, asked.seed, asked.continuity,
            clusters=clusters, mapper=mapper,
        ),
        test, correction, len(pairs), alpha,
    )  # fmt: skip
    tested, adjusted, resamples = corrected_tests(
        matrix.values, pairs, test, correction, resampling
    )
    comparisons = built_comparisons(
        matrix, pairs, *_shared_differences(matrix.values, pairs), tested.statistic, tested.p,
        adjusted, tested.effect, notes=tested.notes,
    )  # fmt: skip
    if asked.margin is not None:
        within = equivalence_p(matrix.values, pairs, test, resampling, asked)
        comparisons = with_verdicts(comparisons, within, asked)
    intervals = mean_intervals(matrix, confidence_level=asked.confidence_level)
    notes = (
        runs,
        *_notes(matrix, test, tested, resamples, asked),
        *interval_notes(matrix, intervals),
    )
    return comparison_result(
        matrix, ranking, comparisons, intervals, asked,
        test=test,
        correction=named_correction(asked.correction, test),
        statistic=asked.statistic if test in STATISTIC_TESTS else None,
        continuity=asked.continuity and test == "wilcoxon",
        omnibus=tested.omnibus,
        n_resamples=resamples,
        interval_method=intervals.method,
        clusters=0 if clusters is None else 1 + int(clusters.max()),
        margin=asked.margin,
        runs=_most_averaged(matrix, "run"),
        left_out=tuple(left_out_pairs(matrix, test, comparisons)),
        notes=tuple(filter(None, notes)),
    )  # fmt: skip


def comparison_result(
    matrix: ScoreMatrix,
    ranking: Ranking,
    comparisons: tuple[Comparison, ...],
    intervals: MeanIntervals,
    asked: Any,
    **more: Any,
) -> ComparisonResult:
    """Rank systems by their pairs, and add notes on the ranking; models are corrected by mvt."""
    corrected = "mvt" if asked.correction in MAX_T else asked.correction
    usual: dict[str, Any] = {"correction": corrected, "statistic": None, "n_resamples": 0}
    grouped = asked.baseline is None
    result = ComparisonResult(
        measure=matrix.measure, task=matrix.task, alpha=asked.alpha, baseline=asked.baseline,
        confidence_level=asked.confidence_level, direction=matrix.direction,
        **pair_counts(matrix, comparisons, asked.alpha), comparisons=comparisons,
        systems=ranked_systems(matrix, ranking, comparisons, intervals, asked.alpha, grouped),
        **usual | more,
    )  # fmt: skip
    return replace(result, notes=(*result.notes, *ranking_notes(result)))


def _most_averaged(matrix: ScoreMatrix, column: str) -> int:
    """Count the assessors or runs of the score that is a mean of the most; 0 if none has two."""
    rows, systems = matrix.rows, set(matrix.systems)
    if rows is None or not any(rows.columns[column]):
        return 0
    names = ("collection", "topic", "system", column)
    distinct = set(zip(*(rows.columns[name].tolist() for name in names), strict=True))
    most = max(Counter(key[:3] for key in distinct if key[2] in systems).values(), default=0)
    return most if most > 1 else 0


def require_comparable(matrix: ScoreMatrix, baseline: str | None) -> None:
    if len(matrix.systems) < 2:
        what = f"{matrix.measure} has {counted(len(matrix.systems), 'system')}"
        raise InputError(what, hint="two at least are compared")
    if len(matrix.topics) < 2:
        what = f"{matrix.measure} has only one topic, so no difference can be tested"
        raise InputError(what, hint="add topics")
    computable(matrix)
    if empty := [s for s, n in zip(matrix.systems, matrix.counts(), strict=True) if not n]:
        hint = "take it out of the matrix"
        raise InputError(f"system {empty[0]} has no score of {matrix.measure}", hint=hint)
    if baseline is not None and baseline not in matrix.systems:
        hint = known_names(baseline, matrix.systems)
        raise InputError(f"there is no system {baseline!r}", hint=hint)


def _comparable_clusters(matrix: ScoreMatrix, test: str) -> Ints | None:
    """Return the cluster number of each topic, if any; check that the test allows clusters."""
    if (clusters := matrix.cluster_codes) is None:
        return None
    if not clusters.any():
        raise InputError(
            f"all topics of {matrix.measure} are in one cluster, {matrix.clusters[0]}, so nothing "
            "can be said of others",
            hint="name a column with several values, or leave out --cluster",
        )
    if test not in (*PAIRED_TESTS, *MODELS):
        there = ", ".join(PAIRED_TESTS)
        raise InputError(f"{test} knows no clusters of topics", hint=f"use one of {there}")
    if test == "hb" and matrix.missing:
        what = f"{matrix.measure} has missing scores, and hb draws whole clusters"
        raise InputError(what, hint="use --test permutation or mc")
    return clusters


def paired_systems(matrix: ScoreMatrix, order: list[int], baseline: str | None) -> Pairs:
    """Pair the systems, the better of two first, or each with the baseline."""
    if baseline is not None:
        own = matrix.systems.index(baseline)
        return np.array([(other, own) for other in order if other != own], dtype=np.intp)
    return np.array(list(combinations(order, 2)), dtype=np.intp)


def _notes(
    matrix: ScoreMatrix, test: TestName, tested: PairTests, resamples: int, asked: CompareOptions
) -> Iterator[str]:
    """Say what was averaged and resampled, and where so few topics can show nothing."""
    if most := _most_averaged(matrix, "assessor"):
        yield (
            f"Scores are means over up to {most} assessors, who are taken as all there are; the "
            "models lmm and ordinal also generalize to others."
        )
    yield str(tested.omnibus or "")
    yield fallback_note(asked.correction, test)
    pairs = len(tested.p)
    if resamples > asked.n_resamples:
        yield (
            f"Resamples were raised from {asked.n_resamples:,} to {resamples:,}: with {pairs:,} "
            "pairs the correction needs as many to find a single difference."
        )
    known = matrix.values[~np.isnan(matrix.values)]
    if np.ptp(known) == 0:
        yield f"Every score is {known[0]:g}, so there is nothing to tell systems apart by."
    units, what = len(set(matrix.clusters)), "clusters"
    if units and units < len(matrix.topics):
        yield f"{units} clusters of topics, not {len(matrix.topics)} topics, are independent."
    if not units:
        units, what = len(matrix.topics), "topics"
    if resamples and 2 / 2**units > asked.alpha:
        yield f"{units} {what} allow no p-value below {2 / 2**units:g}."
    compared = pairs if asked.correction not in ("bh", "none") else 1
    too_few = test in ("permutation", "mc") and compared / 2**units > asked.alpha
    if asked.margin is not None and too_few:
        yield (
            f"{units} {what} are too few to show by {test} that one of {pairs:,} pairs is "
            "equivalent; paired-t may."
        )


def corrected_tests(
    values: Floats, pairs: Pairs, test: TestName, correction: Correction, options: ResamplingOptions
) -> tuple[PairTests, Floats, int]:
    """Apply a test; return also corrected p-values and the number of resamples behind them."""
    tested = apply_test(values, pairs, test, options)
    if correction in ("holm", "bh", "none"):
        return tested, adjust_p(tested.p, method=correction), tested.n_resamples
    if is_one_test(tested.p):
        return _explained(tested, tested.p), tested.p.copy(), tested.n_resamples
    source = max_t(values, pairs, test, options, tested) if tested.p_max_t is None else tested
    assert source.p_max_t is not None
    # Where the test is undefined its correction is, too; and no correction makes p smaller.
    adjusted = np.maximum(tested.p, source.p_max_t)
    return _explained(tested, adjusted, source.notes), adjusted, source.n_resamples


def is_one_test(p: Floats) -> bool:
    """Return whether at most one pair was tested, so that there is nothing to correct for."""
    return int(np.count_nonzero(~np.isnan(p))) <= 1


def _explained(tested: PairTests, adjusted: Floats, max_t_notes: Sequence[str] = ()) -> PairTests:
    """Keep notes on why max-T is undefined only where it is."""
    reasons = max_t_notes or tested.notes
    notes = tuple(
        own or why if math.isnan(p) else own * (_NO_MAX_T not in own)
        for own, why, p in zip(tested.notes, reasons, adjusted.tolist(), strict=True)
    )
    return replace(tested, notes=notes)


def built_comparisons(
    matrix: ScoreMatrix, pairs: Pairs, *numbers: Floats | Ints, notes: Sequence[str]
) -> tuple[Comparison, ...]:
    """Return pairs with their shared topics, difference, statistic, p-values and effect."""
    names = np.array(matrix.systems, dtype=object)[pairs].T
    return tuple(map(Comparison, *(column.tolist() for column in (*names, *numbers)), notes))


def equivalence_p(
    values: Floats,
    pairs: Pairs,
    test: TestName,
    options: ResamplingOptions,
    asked: CompareOptions,
) -> Floats:
    """Test by two one-sided tests that differences are within a margin.

    That a - b is above the lower margin is the test of a + margin against b, that it is below the
    upper one that of a against b + margin; the statistics being symmetric under the hypothesis,
    one side has half of the two-sided p-value. The greater of both p-values counts. Differences
    that do not vary say nothing of how much they might, so there is no test: p is NaN.
    """
    systems, (a, b) = values.shape[1], pairs.T
    shifted = np.hstack([values, values + (asked.margin or 0.0)])
    above, below = np.column_stack([a + systems, b]), np.column_stack([a, b + systems])
    both, inward = np.concatenate([above, below]), np.repeat([1, -1], len(pairs))
    enough = max(options.n_resamples, least_resamples(len(pairs), asked.alpha))
    options = replace(options, step_down=False, n_resamples=enough)
    found = apply_test(shifted, both, test, options)
    sides = np.where(found.statistic * inward > 0, found.p / 2, 1 - found.p / 2)
    within: Floats = sides.reshape(2, -1).max(axis=0)
    within[_unvarying(values, pairs, test)] = np.nan
    return within


def _unvarying(values: Floats, pairs: Pairs, test: TestName) -> Bools:
    """Return the pairs in which nothing varies: differences or, if unpaired, scores."""
    noise = noise_level(values[~np.isnan(values)])
    if test not in PAIRED_TESTS:
        constant = _spreads(values.T) <= noise
        return constant[pairs[:, 0]] & constant[pairs[:, 1]]
    found = np.zeros(len(pairs), np.bool_)
    systems = np.ascontiguousarray(values.T)
    for rows in blocks(len(pairs), len(values)):
        first, second = pairs[rows].T
        found[rows] = _spreads(systems[first] - systems[second]) <= noise
    return found


def _spreads(rows: Floats) -> Floats:
    """Return the range of each row's known values; below 0 where there are none."""
    unknown = np.isnan(rows)
    highest = np.where(unknown, -np.inf, rows).max(axis=1)
    return np.asarray(highest - np.where(unknown, np.inf, rows).min(axis=1))


def with_verdicts(
    comparisons: Sequence[Comparison], within: Floats, options: CompareOptions
) -> tuple[Comparison, ...]:
    """Decide which pairs are different, equivalent or neither; Holm's correction replaces max-T."""
    correction = options.correction if options.correction in ("bh", "none") else "holm"
    adjusted = adjust_p(within, method=correction)

    def judged(pair: Comparison, p: float, p_adjusted: float) -> Comparison:
        equal, differ = p_adjusted <= options.alpha, pair.p_adjusted <= options.alpha
        verdict: Verdict = "equivalent" if equal else "different" if differ else "undecided"
        note = LESS_THAN_MARGIN if equal and differ else pair.note
        if math.isnan(p) and not note:
            note = UNVARYING
        return replace(
            pair, p_equivalence=p, p_equivalence_adjusted=p_adjusted, verdict=verdict, note=note
        )

    every = zip(comparisons, within.tolist(), adjusted.tolist(), strict=True)
    return tuple(judged(*one) for one in every)


def _shared_differences(values: Floats, pairs: Pairs) -> tuple[Ints, Floats]:
    """Count the topics each pair shares, and average its differences on them."""
    present = (~np.isnan(values)).astype(np.float64)
    # What a topic has in common is taken out, so that sums of differences keep their digits.
    filled = np.where(present > 0, values, 0.0)
    common = filled.sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    centered = np.where(present > 0, values - common[:, None], 0.0)
    sums = multiply(centered.T, present)
    first, second = pairs.T
    shared = multiply(present.T, present)[first, second]
    difference = np.full(len(pairs), np.nan)
    np.divide(sums[first, second] - sums[second, first], shared, out=difference, where=shared > 0)
    return shared.astype(np.int64), difference


def pair_counts(
    matrix: ScoreMatrix, comparisons: Sequence[Comparison], alpha: float
) -> dict[str, Any]:
    """Count pairs that differ significantly: of all, and of a person and a machine."""
    human = dict(zip(matrix.systems, matrix.human.tolist(), strict=True))
    mixed = [c for c in comparisons if human[c.a] != human[c.b]]
    return {
        name: PairCounts(
            len(own), sum(c.p_adjusted <= alpha for c in own), sum(c.p <= alpha for c in own)
        )
        for name, own in (("counts", comparisons), ("human_machine", mixed))
    }


def left_out_pairs(
    matrix: ScoreMatrix, test: str, comparisons: Sequence[Comparison]
) -> Iterator[str]:
    """Say which pairs have no p-value, and how many scores are missing."""
    name = place_name(matrix.measure, matrix.task)
    if undefined := [c for c in comparisons if math.isnan(c.p_adjusted)]:
        first = undefined[0]
        why = f" ({first.note})" if first.note else ""
        yield (
            f"{name}: {len(undefined)} pairs without a corrected p-value under {test}, such as "
            f"{first.a} and {first.b}{why}"
        )
    if matrix.missing and test not in MODELS:
        yield f"{name}: {matrix.missing} missing scores; pairs use shared topics"
