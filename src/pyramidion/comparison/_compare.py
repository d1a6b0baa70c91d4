"""The tests of pairs of systems, with effect sizes, applied to all pairs of a matrix."""

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
from pyramidion.collection.ids import brief_list
from pyramidion.comparison._assessors import (
    adjusted_for_assessors,
    assessor_note,
    require_comparable_assessors,
)
from pyramidion.comparison._intervals import pair_interval_notes, with_intervals
from pyramidion.comparison._result import (
    LESS_THAN_MARGIN_NOTE,
    UNVARYING_NOTE,
    Comparison,
    ComparisonResult,
    Family,
    Omnibus,
    PairCounts,
    Ranking,
    ShownPairs,
    Verdict,
    interval_notes,
    limit_to_scale,
    mean_intervals,
    ranked_systems,
    ranking_notes,
)
from pyramidion.comparison.measure_tables import computable, scope_name
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
    effective_correction,
    fallback_note,
    named_correction,
    plugin_tests,
)
from pyramidion.errors import InputError, known_names
from pyramidion.questions import Options, Progress, option
from pyramidion.questions.common import confidence_option, correction_option
from pyramidion.rendering.labels import counted
from pyramidion.stats import PairwiseTest, adjust_p, least_resamples, permute_pairs, resample_pairs
from pyramidion.stats._pair_permutation import clustered_tests, pairwise_tests, signed_rank_tests
from pyramidion.stats._resampling import cluster_draws, cluster_swaps, ratio
from pyramidion.stats.mean_intervals import (
    MeanIntervals,
    is_unusually_skewed,
    skewness_adjusted_t,
)
from pyramidion.stats.pairs import Mapper, blocks, multiply, noise_level, shared_topics

# With fewer shared topics there is no max-T of a resampled statistic.
_MIN_MAX_T_TOPICS = 5
_NO_MAX_T_REASON = "shared topics are too few for max-T"
# With more topics, skewed differences do little harm.
_MAX_SKEWED_TOPICS = 100


@dataclass(frozen=True, slots=True)
class ResamplingOptions:
    """How to resample."""

    n_resamples: int = 9999
    statistic: StatisticName = "w"
    seed: int = 0
    continuity: bool = False
    step_down: bool = True
    clusters: Ints | None = None
    mapper: Mapper = map
    alpha: float = 0.05
    exact: bool = False

    def resamples(self, method: str) -> dict[str, Any]:
        """Return draws of whole clusters; empty without clusters, when topics are drawn."""
        if self.clusters is None:
            return {}
        if method == "hb":
            indices, swaps = cluster_draws(self.clusters, self.n_resamples, self.seed)
            return {"indices": indices, "swaps": swaps}
        is_enumerated = method == "permutation"
        return {
            "swaps": cluster_swaps(self.clusters, self.n_resamples, self.seed, exact=is_enumerated)
        }


@dataclass(frozen=True, slots=True)
class PairTests:
    """The results of a test, one element per pair.

    `cutoff` is what the largest statistic of all pairs must exceed (single-step max-T).
    """

    statistic: Floats
    p: Floats
    effect: Floats
    notes: tuple[str, ...]
    n_resamples: int = 0
    p_max_t: Floats | None = None
    omnibus: Omnibus | None = None
    order: Floats | None = None
    cutoff: float = math.nan


def apply_test(
    values: Floats, pairs: Pairs, test: TestName, options: ResamplingOptions
) -> PairTests:
    """Apply a test to pairs of columns, each on the topics both have."""
    if options.clusters is not None and test in ("wilcoxon", "paired-t"):
        return _clustered_tests(values, pairs, test, options.clusters)
    return (
        _TESTS[test](values, pairs, options)
        if test in _TESTS
        else _plugin_tests(values, pairs, test)
    )


def apply_max_t(
    values: Floats,
    pairs: Pairs,
    test: TestName,
    options: ResamplingOptions,
    pair_tests: PairTests | None = None,
) -> PairTests:
    """Correct a test that does not resample by max-T: its statistic under random swaps."""
    if test == "wilcoxon":
        observed_order = pair_tests.order if pair_tests else None
        return _resampling_tests(
            values, pairs, replace(options, statistic="w"), method="mc", observed=observed_order
        )
    # T rises with the mean difference, whose statistic stays bounded with few topics.
    return _permutation_tests(values, pairs, options)


def ensure_enough_resamples(
    options: ResamplingOptions, test: TestName, correction: Correction, n_pairs: int, alpha: float
) -> ResamplingOptions:
    """Check the number of resamples, and raise it where a stepwise correction needs more."""
    options = replace(options, step_down=correction == "maxt")
    if test not in RESAMPLING_TESTS and correction not in MAX_T:
        return options
    require_enough_resamples(options, alpha)
    if correction not in ("holm", "bh"):
        return options
    return replace(options, n_resamples=max(options.n_resamples, least_resamples(n_pairs, alpha)))


def require_enough_resamples(options: ResamplingOptions, alpha: float) -> None:
    """Raise an error if there are too few resamples for the significance level."""
    min_resamples = least_resamples(1, alpha)
    if options.n_resamples < min_resamples:
        message = f"{options.n_resamples} resamples cannot show significance at {alpha:g}"
        raise InputError(message, hint=f"use at least {min_resamples}")


def _permutation_tests(values: Floats, pairs: Pairs, options: ResamplingOptions) -> PairTests:
    tests = permute_pairs(
        values, pairs=pairs, n_resamples=options.n_resamples, step_down=options.step_down,
        confidence_level=1 - options.alpha, rng=options.seed, mapper=options.mapper,
        **options.resamples("permutation"),
    )  # fmt: skip
    notes = tuple("" if n else "no shared topic" for n in tests.topics)
    p_max_t = tests.p_step_down if options.step_down else tests.p_max_t
    resamples = tests.n_resamples
    if options.clusters is not None:
        # Few clusters have fewer sign patterns than resamples were requested.
        resamples = min(options.n_resamples, 2 ** (1 + int(options.clusters.max())))
    p = tests.p
    if is_binary(values) and options.clusters is None:
        p = _mcnemar_p(values, pairs, p, exact=options.exact)
    return PairTests(
        tests.statistic, p, tests.effect, notes, resamples, p_max_t, cutoff=tests.cutoff_max_t
    )


# Up to this share of topics on which two systems differ, mid-p values keep the error below .05.
_MAX_DISCORDANT_SHARE = 0.75


def is_binary(values: Floats) -> bool:
    """Return whether scores are all 0 or 1, and not all the same."""
    scores = values[~np.isnan(values)]
    return bool(np.isin(scores, (0.0, 1.0)).all() and np.ptp(scores) > 0)


def _mcnemar_p(values: Floats, pairs: Pairs, p: Floats, *, exact: bool) -> Floats:
    """Return p-values of McNemar's test, which equals the exact sign-flip test.

    Mid-p values count only half of the probability of the observed difference. Pairs that differ on
    too many topics for mid-p values have exact ones.
    """
    from scipy.special import bdtr

    first_values, second_values = values.T[pairs[:, 0]], values.T[pairs[:, 1]]
    n_better, n_worse = (
        (first_values > second_values).sum(axis=1),
        (first_values < second_values).sum(axis=1),
    )
    n_smaller, n_discordant = np.minimum(n_better, n_worse), np.maximum(n_better + n_worse, 1)
    p_up_to, p_below = (
        np.where(k >= 0, bdtr(np.maximum(k, 0), n_discordant, 0.5), 0)
        for k in (n_smaller, n_smaller - 1)
    )
    doubled_p = np.minimum(2 * p_up_to, 1.0)
    uses_mid_p = _allows_mid_p(values, pairs) & (not exact)
    mid_p = np.where(n_better == n_worse, (1 + 2 * p_below) / 2, p_up_to + p_below)
    return np.where(
        np.isnan(p) | (n_better + n_worse == 0), p, np.where(uses_mid_p, mid_p, doubled_p)
    )


def _allows_mid_p(values: Floats, pairs: Pairs) -> Bools:
    """Return which pairs of 0/1 scores differ on only a small share of their common topics."""
    differences = values.T[pairs[:, 0]] - values.T[pairs[:, 1]]
    n_shared = (~np.isnan(differences)).sum(axis=1)
    return np.asarray(np.nansum(np.abs(differences), axis=1) <= _MAX_DISCORDANT_SHARE * n_shared)


def _resampling_tests(
    values: Floats,
    pairs: Pairs,
    options: ResamplingOptions,
    *,
    method: Literal["mc", "hb"],
    observed: Floats | None = None,
) -> PairTests:
    """Resample a statistic; if it was computed before, it is the effect as well."""
    topics = shared_topics(values, pairs)
    statistic, p, p_max_t = (np.full(len(pairs), np.nan) for _ in range(3))
    # T of a pair with few topics is often infinite under resampling and would dominate the maximum
    # over all pairs, so such pairs are resampled separately and have no max-T.
    resamples, cutoff = options.resamples(method), math.nan
    for has_enough, rows in (
        (False, topics < _MIN_MAX_T_TOPICS),
        (True, topics >= _MIN_MAX_T_TOPICS),
    ):
        if not rows.any():
            continue
        tests = resample_pairs(
            values, method=method, pairs=pairs[rows], statistics=(options.statistic,),
            n_resamples=options.n_resamples, cutoffs=False,
            step_down=has_enough and options.step_down,
            observed=None if observed is None else observed[rows], rng=options.seed,
            confidence_level=1 - options.alpha, mapper=options.mapper, **resamples,
        ).tests[options.statistic]  # fmt: skip
        statistic[rows], p[rows] = tests.statistic, tests.p
        if has_enough:
            p_max_t[rows] = tests.p_step_down if options.step_down else tests.p_max_t
            cutoff = tests.cutoff_max_t
    effects = _effects(values, pairs, options.statistic) if observed is None else statistic
    if observed is None and options.statistic != "w":
        # From deviations; sums of squares lose digits where all differences are nearly equal.
        exact_statistic = effects * np.sqrt(topics / (1 if options.statistic == "t" else 2))
        statistic = np.where(np.isfinite(exact_statistic), exact_statistic, statistic)
    notes = tuple(few_topics_note(n) for n in topics.tolist())
    return PairTests(statistic, p, effects, notes, options.n_resamples, p_max_t, cutoff=cutoff)


def _effects(values: Floats, pairs: Pairs, statistic: StatisticName) -> Floats:
    if statistic == "w":
        return signed_rank_tests(values, pairs=pairs).effect
    test: PairwiseTest = "paired-t" if statistic == "t" else "unpaired-t"
    return _t_tests(values, pairs, ResamplingOptions(), test=test).effect


def _clustered_tests(
    values: Floats, pairs: Pairs, test: Literal["wilcoxon", "paired-t"], clusters: Ints
) -> PairTests:
    tests = clustered_tests(values, clusters, test=test, pairs=pairs)
    effects = _effects(values, pairs, "w" if test == "wilcoxon" else "t")
    notes = tuple("clusters are too few or do not vary" if math.isnan(p) else "" for p in tests.p)
    return PairTests(tests.statistic, tests.p, effects, notes)


def few_topics_note(topics: int) -> str:
    if topics < 2:
        return "fewer than two shared topics"
    return f"{topics} {_NO_MAX_T_REASON}" if topics < _MIN_MAX_T_TOPICS else ""


def _wilcoxon_tests(values: Floats, pairs: Pairs, options: ResamplingOptions) -> PairTests:
    tests = signed_rank_tests(values, pairs=pairs, continuity=options.continuity)
    notes = tuple(
        "" if spread else "no difference" if n else "no shared topic"
        for n, spread in zip(tests.topics.tolist(), tests.spread.tolist(), strict=True)
    )
    order = ratio(tests.statistic, tests.spread)
    return PairTests(tests.statistic, tests.p, tests.effect, notes, order=order)


def _t_tests(
    values: Floats, pairs: Pairs, options: ResamplingOptions, *, test: PairwiseTest
) -> PairTests:
    """Test means, and divide their difference by the standard deviation (Cohen's d_z or d)."""
    tests = pairwise_tests(values, test=test, pairs=pairs)
    n_samples, unvarying_subject = 2, "the values of each sample are"
    if test == "paired-t":
        n_samples, unvarying_subject = 1, "every difference is"
    notes = np.where(tests.statistic == 0, "no difference on average", "").astype(object)
    notes[np.isnan(tests.p)] = f"no spread: {unvarying_subject} the same"
    notes[tests.topics < 2] = "fewer than two shared topics"
    effect = tests.statistic * np.sqrt(n_samples / np.maximum(tests.topics, 1))
    return PairTests(tests.statistic, tests.p, effect, tuple(notes.tolist()))


def _kruskal_tests(values: Floats, pairs: Pairs, options: ResamplingOptions) -> PairTests:
    """Rank the scores of all systems together, and compare mean ranks; max-T is Tukey's here."""
    from scipy.special import ndtr

    from pyramidion.stats import kruskal_wallis
    from pyramidion.stats.multiple_comparisons import tukey_p

    scored_systems = np.flatnonzero(~np.isnan(values).all(axis=0))
    kruskal = kruskal_wallis(values.T[scored_systems])
    mean_ranks, inverse_sizes = np.full((2, values.shape[1]), np.nan)
    mean_ranks[scored_systems], inverse_sizes[scored_systems] = (
        kruskal.ranks.mean_ranks,
        1 / kruskal.ranks.n,
    )
    first, second = pairs.T
    differences = mean_ranks[first] - mean_ranks[second]
    # With many ties the variance may be rounding noise.
    variance = kruskal.ranks.variance if kruskal.statistic else 0.0
    z = ratio(differences, np.sqrt(variance * (inverse_sizes[first] + inverse_sizes[second])))
    z[np.isnan(differences)] = np.nan
    notes = tuple(np.where(np.isnan(z), "no score", "").tolist())
    return PairTests(
        z, 2 * ndtr(-np.abs(z)), differences / kruskal.ranks.total, notes,
        p_max_t=tukey_p(z, len(scored_systems), np.inf),
        omnibus=Omnibus(kruskal.statistic, kruskal.df, kruskal.p),
    )  # fmt: skip


def _plugin_tests(values: Floats, pairs: Pairs, test: str) -> PairTests:
    """Apply the test of another package to each pair."""
    run_test = plugin_tests()[test].run
    results = np.full((len(pairs), 3), np.nan)
    notes = []
    for row, (first, second) in zip(results, values.T[pairs], strict=True):
        has_both = ~np.isnan(first) & ~np.isnan(second)
        notes.append("" if has_both.any() else "no shared topic")
        if has_both.any():
            row[:] = run_test(first[has_both], second[has_both])
    statistic, p, effect = results.T
    return PairTests(statistic, p, effect, tuple(notes))


_TestFunction = Callable[[Floats, Pairs, ResamplingOptions], PairTests]
_TESTS: Mapping[TestName, _TestFunction] = {
    "permutation": _permutation_tests,
    "mc": partial(_resampling_tests, method="mc"),
    "hb": partial(_resampling_tests, method="hb"),
    "wilcoxon": _wilcoxon_tests,
    "paired-t": partial(_t_tests, test="paired-t"),
    "unpaired-t": partial(_t_tests, test="unpaired-t"),
    "welch": partial(_t_tests, test="welch"),
    "kruskal": _kruskal_tests,
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
        None, "Compare systems by a mixed model of the individual scores instead of a test of "
        "their means: lmm (linear) or ordinal (cumulative logits, for judgments on a scale). "
        "Topics, assessors and runs are random effects.",
    )  # fmt: skip
    random: tuple[RandomEffect, ...] = option(
        (), "Random effects of the model, comma-separated: topic, assessor, run, system:topic or "
        "system:assessor; by default the first three if the data name them, and the "
        "others if the data show them.", metavar="EFFECT",
    )  # fmt: skip
    statistic: StatisticName = option(
        "w", "Statistic of the tests mc and hb: w (Wilcoxon), t or t-unpaired."
    )
    continuity: bool = option(
        False, "Correct the test wilcoxon for continuity, as R does by default.",
        flags=("--continuity",),
    )  # fmt: skip
    exact: bool = option(
        False, "Use exact p-values of the test permutation (McNemar's) for scores that are all 0 "
        "or 1; by default mid-p values, which find more, for pairs that differ on at most 75% of "
        "topics.", flags=("--exact",),
    )  # fmt: skip
    correction: Correction = correction_option()
    family: Family = option(
        "pairs", "What to correct for: pairs (of each measure and task separately) or measures "
        "(the pairs of all measures and tasks together).",
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
        9999, "Number of resamples for the tests permutation, mc and hb; raised if Holm's "
        "correction needs more.", flags=("--resamples",), max=10_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    confidence_level: float = confidence_option(
        "Confidence level of the systems' intervals.", on_command_line=False
    )
    pairs: ShownPairs = option(
        "main", "Pairs to show: main (for each system, the first one below it that differs "
        "significantly; all pairs if there are up to 15), significant, all or none. JSON, CSV "
        "and files contain all pairs.",
    )  # fmt: skip
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    def check(self) -> None:
        """Check that there is a test or a model, and that the options go together."""
        if not self.test:
            raise InputError("no test is named", hint="try --test permutation")
        if self.model and self.test != ("permutation",):
            message = f"--model {self.model} and --test {self.test[0]} cannot go together"
            raise InputError(message, hint="leave one of them out")
        if self.random and not self.model:
            raise InputError("only models have random effects", hint="add --model lmm")
        require_wilcoxon(self.continuity, self.test)
        if self.exact and "permutation" not in self.test:
            raise InputError("only permutation has mid-p values", hint="leave out --exact")
        if self.margin is not None and not 0 < self.margin < _MAX_SCORE:
            raise InputError(f"the margin is {self.margin:g}", hint="give a number above 0")
        if self.margin is not None:
            self._require_tests_of_means()

    def _require_tests_of_means(self) -> None:
        """Raise an error for a test that does not compare means, since a margin is one of means."""
        rank_tests = ("kruskal", "wilcoxon", *(STATISTIC_TESTS if self.statistic == "w" else ()))
        for test in self.test:
            hint = "use --test permutation or paired-t"
            if test not in _TESTS:
                raise InputError(f"{test} has no margin: it comes from another package", hint=hint)
            if test in rank_tests:
                statistic_text = " of w" if test in STATISTIC_TESTS else ""
                hint = f"it compares ranks, not means; {hint}"
                raise InputError(f"{test}{statistic_text} has no margin", hint=hint)


# Sums of larger numbers lose all digits.
_MAX_SCORE = 1e100


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
    options = options or CompareOptions()
    test, alpha = test or options.test[0], options.alpha
    require_comparable(matrix, options.baseline)
    clusters = _comparable_clusters(matrix, options.model or test)
    if clusters is not None and options.continuity and test == "wilcoxon":
        hint = "leave out --continuity or --cluster"
        raise InputError("signed ranks of clusters are not corrected for continuity", hint=hint)
    if options.model or (matrix.rows is not None and any(matrix.rows.columns["run"])):
        # Most comparisons need not wait half a second for it.
        from pyramidion.comparison import _models as models

        if options.model:
            return models.compare_by_model(matrix, options, options.model)
        run_note = models.run_note(matrix)
    else:
        run_note = ""
    matrix = adjusted_for_assessors(matrix)
    require_comparable_assessors(matrix)
    correction = effective_correction(options.correction, test)
    ranking = Ranking.of_ranks(matrix) if test == "kruskal" else Ranking.of(matrix)
    pairs = paired_systems(matrix, ranking.order, options.baseline)
    resampling = ensure_enough_resamples(
        ResamplingOptions(
            options.n_resamples, options.statistic, options.seed, options.continuity,
            clusters=clusters, mapper=mapper, exact=options.exact, alpha=alpha,
        ),
        test, correction, len(pairs), alpha,
    )  # fmt: skip
    pair_tests, p_adjusted, n_resamples = apply_corrected_test(
        matrix.values, pairs, test, correction, resampling
    )
    pair_tests, p_adjusted = _exclude_confounded(matrix, pairs, pair_tests, p_adjusted)
    comparisons = build_comparisons(
        matrix, pairs, *_shared_differences(matrix.values, pairs), pair_tests.statistic,
        pair_tests.p, p_adjusted, pair_tests.effect, notes=pair_tests.notes,
    )  # fmt: skip
    if options.margin is not None:
        p_equivalence = equivalence_p(matrix.values, pairs, test, resampling, options)
        comparisons = with_verdicts(comparisons, p_equivalence, options)
    comparisons = with_intervals(comparisons, [(matrix, pairs)], test, options, pair_tests.cutoff)
    intervals = mean_intervals(matrix, confidence_level=options.confidence_level)
    notes = (
        run_note,
        *_comparison_notes(matrix, test, pair_tests, n_resamples, options),
        *interval_notes(matrix, intervals),
        *pair_interval_notes(comparisons, test, options.statistic, alpha),
    )
    return comparison_result(
        matrix, ranking, comparisons, intervals, options,
        test=test,
        correction=named_correction(options.correction, test),
        statistic=options.statistic if test in STATISTIC_TESTS else None,
        continuity=options.continuity and test == "wilcoxon",
        omnibus=pair_tests.omnibus,
        n_resamples=n_resamples,
        interval_method=intervals.method,
        clusters=0 if clusters is None else 1 + int(clusters.max()),
        margin=options.margin,
        runs=_max_judgments_per_score(matrix, "run"),
        adjusted=matrix.adjustment is not None and not matrix.adjustment.too_many,
        left_out=tuple(left_out_notes(matrix, test, comparisons)),
        notes=tuple(filter(None, notes)),
    )  # fmt: skip


def _exclude_confounded(
    matrix: ScoreMatrix, pairs: Pairs, pair_tests: PairTests, p_adjusted: Floats
) -> tuple[PairTests, Floats]:
    """Set p to NaN for pairs whose difference is confounded with their assessors."""
    if matrix.adjustment is None or matrix.adjustment.parts is None:
        return pair_tests, p_adjusted
    pair_parts = matrix.adjustment.parts[pairs]
    is_separate = pair_parts[:, 0] != pair_parts[:, 1]
    notes_by_pair = zip(is_separate, pair_tests.notes, strict=True)
    notes = tuple(
        "judged by different assessors" if is_confounded else note
        for is_confounded, note in notes_by_pair
    )
    p, p_adjusted = (
        np.where(is_separate, np.nan, pair_tests.p),
        np.where(is_separate, np.nan, p_adjusted),
    )
    return replace(pair_tests, p=p, notes=notes), p_adjusted


def comparison_result(
    matrix: ScoreMatrix,
    ranking: Ranking,
    comparisons: tuple[Comparison, ...],
    intervals: MeanIntervals,
    options: Any,
    **fields: Any,
) -> ComparisonResult:
    """Rank systems, given their pairs, and add notes; max-T of models is mvt."""
    correction_name = "mvt" if options.correction in MAX_T else options.correction
    defaults: dict[str, Any] = {"correction": correction_name, "statistic": None, "n_resamples": 0}
    has_groups = options.baseline is None
    comparisons = limit_to_scale(matrix, comparisons, fields["test"])
    result = ComparisonResult(
        measure=matrix.measure, task=matrix.task, alpha=options.alpha, baseline=options.baseline,
        confidence_level=options.confidence_level, direction=matrix.direction,
        **pair_counts(matrix, comparisons, options.alpha), comparisons=comparisons,
        systems=ranked_systems(matrix, ranking, comparisons, intervals, options.alpha, has_groups),
        **defaults | fields,
    )  # fmt: skip
    return replace(result, notes=(*result.notes, *ranking_notes(result)))


def _max_judgments_per_score(matrix: ScoreMatrix, column: str) -> int:
    """Return the largest number of assessors or runs averaged in a score; 0 if none has two."""
    rows, systems = matrix.rows, set(matrix.systems)
    if rows is None or not any(rows.columns[column]):
        return 0
    names = ("collection", "topic", "system", column)
    distinct_keys = set(zip(*(rows.columns[name].tolist() for name in names), strict=True))
    max_averaged = max(
        Counter(key[:3] for key in distinct_keys if key[2] in systems).values(), default=0
    )
    return max_averaged if max_averaged > 1 else 0


def require_comparable(matrix: ScoreMatrix, baseline: str | None) -> None:
    if len(matrix.systems) < 2:
        message = f"{matrix.measure} has {counted(len(matrix.systems), 'system')}"
        raise InputError(message, hint="at least two are needed")
    if len(matrix.topics) < 2:
        message = f"{matrix.measure} has only one topic, so no difference can be tested"
        raise InputError(message, hint="add topics")
    computable(matrix)
    if empty_systems := [s for s, n in zip(matrix.systems, matrix.counts(), strict=True) if not n]:
        hint = "remove it from the matrix"
        raise InputError(f"system {empty_systems[0]} has no {matrix.measure} scores", hint=hint)
    if baseline is not None and baseline not in matrix.systems:
        hint = known_names(baseline, matrix.systems)
        raise InputError(f"there is no system {baseline!r}", hint=hint)


def _comparable_clusters(matrix: ScoreMatrix, test: str) -> Ints | None:
    """Return the cluster number of each topic, or None; check that the test allows clusters."""
    if (clusters := matrix.cluster_codes) is None:
        return None
    if not clusters.any():
        raise InputError(
            f"all topics of {matrix.measure} are in one cluster, {matrix.clusters[0]}",
            hint="name a column with several values, or leave out --cluster",
        )
    if test not in (*PAIRED_TESTS, *MODELS):
        hint = f"use one of {', '.join(PAIRED_TESTS)}"
        raise InputError(f"{test} does not support clusters of topics", hint=hint)
    if test == "hb" and matrix.missing:
        message = f"{matrix.measure} has missing scores, and hb draws whole clusters"
        raise InputError(message, hint="use --test permutation or mc")
    return clusters


def paired_systems(matrix: ScoreMatrix, order: list[int], baseline: str | None) -> Pairs:
    """Pair the systems, the better of two first, or each with the baseline."""
    if baseline is not None:
        column = matrix.systems.index(baseline)
        return np.array([(other, column) for other in order if other != column], dtype=np.intp)
    return np.array(list(combinations(order, 2)), dtype=np.intp)


def _comparison_notes(
    matrix: ScoreMatrix,
    test: TestName,
    pair_tests: PairTests,
    n_resamples: int,
    options: CompareOptions,
) -> Iterator[str]:
    """Yield notes: what was averaged and resampled, and the limits of few topics."""
    if n_averaged := _max_judgments_per_score(matrix, "assessor"):
        yield (
            f"Scores are means over up to {n_averaged} assessors; results hold for these "
            "assessors. The models lmm and ordinal also generalize to others."
        )
    if matrix.adjustment is not None:
        yield assessor_note(matrix.adjustment)
    yield str(pair_tests.omnibus or "")
    yield fallback_note(options.correction, test)
    n_pairs = len(pair_tests.p)
    if n_resamples > options.n_resamples:
        yield (
            f"Resamples were raised from {options.n_resamples:,} to {n_resamples:,}, which the "
            f"correction for {n_pairs:,} pairs needs to find a single difference."
        )
    scores = matrix.values[~np.isnan(matrix.values)]
    if np.ptp(scores) == 0:
        yield f"Every score is {scores[0]:g}, so systems cannot be distinguished."
    yield from _shape_notes(matrix, test, options)
    n_units, unit_name = len(set(matrix.clusters)), "clusters"
    if n_units and n_units < len(matrix.topics):
        yield f"{n_units} clusters of topics, not {len(matrix.topics)} topics, are independent."
    if not n_units:
        n_units, unit_name = len(matrix.topics), "topics"
    if n_resamples and 2 / 2**n_units > options.alpha:
        yield f"With {n_units} {unit_name}, no p-value can be below {2 / 2**n_units:g}."
    n_compared = n_pairs if options.correction not in ("bh", "none") else 1
    is_too_few = test in ("permutation", "mc") and n_compared / 2**n_units > options.alpha
    if options.margin is not None and is_too_few:
        yield (
            f"{n_units} {unit_name} are too few to show by {test} that one of {n_pairs:,} pairs is "
            "equivalent; paired-t may suffice."
        )


def _shape_notes(matrix: ScoreMatrix, test: TestName, options: CompareOptions) -> Iterator[str]:
    """Yield what follows from scores that are 0 or 1, or from skewed differences."""
    if test == "permutation" and is_binary(matrix.values) and not matrix.clusters:
        pairs = paired_systems(matrix, [*range(len(matrix.systems))], options.baseline)
        yield (
            "Scores are 0 or 1: uncorrected p-values are "
            f"{_describe_mcnemar(_allows_mid_p(matrix.values, pairs), options.exact)}."
        )
    elif test in PAIRED_TESTS and len(matrix.topics) <= _MAX_SKEWED_TOPICS:
        skew_marks = is_unusually_skewed(matrix.values).tolist()
        if names := [
            name for name, is_skewed in zip(matrix.systems, skew_marks, strict=True) if is_skewed
        ]:
            equivalence_clause = (
                ", and equivalent in up to 8%" if options.margin is not None else ""
            )
            yield (
                f"The differences of {brief_list(names)} from the other systems are skewed: with "
                "few topics, such systems may seem different by chance in up to 12% instead of 5% "
                f"of all studies{equivalence_clause}. Look at their lowest and highest scores."
            )


def _describe_mcnemar(allows_mid_p: Bools, exact: bool) -> str:
    """Describe the p-values of 0/1 scores."""
    n_exact, share_text = (
        int((~allows_mid_p).sum()),
        f"more than {_MAX_DISCORDANT_SHARE:.0%} of topics",
    )
    if exact or not n_exact:
        return f"{'exact' if exact else 'mid-p'} values of McNemar's test"
    if n_exact == len(allows_mid_p):
        return f"exact values of McNemar's test, as systems differ on {share_text}"
    exact_pairs = f"exact values for {counted(n_exact, 'pair')} that differ on {share_text}"
    return f"mid-p values of McNemar's test, and {exact_pairs}"


def apply_corrected_test(
    values: Floats, pairs: Pairs, test: TestName, correction: Correction, options: ResamplingOptions
) -> tuple[PairTests, Floats, int]:
    """Apply a test; return also corrected p-values and the number of resamples behind them."""
    pair_tests = apply_test(values, pairs, test, options)
    if correction in ("holm", "bh", "none"):
        pair_tests = replace(pair_tests, cutoff=math.nan)
        return pair_tests, adjust_p(pair_tests.p, method=correction), pair_tests.n_resamples
    if has_single_test(pair_tests.p):
        pair_tests = replace(_explain_undefined(pair_tests, pair_tests.p), cutoff=math.nan)
        return pair_tests, pair_tests.p.copy(), pair_tests.n_resamples
    max_t_tests = (
        apply_max_t(values, pairs, test, options, pair_tests)
        if pair_tests.p_max_t is None
        else pair_tests
    )
    assert max_t_tests.p_max_t is not None
    # The correction of an undefined test is undefined, and no correction makes p smaller.
    p_adjusted = np.maximum(pair_tests.p, max_t_tests.p_max_t)
    pair_tests = replace(
        _explain_undefined(pair_tests, p_adjusted, max_t_tests.notes), cutoff=max_t_tests.cutoff
    )
    return pair_tests, p_adjusted, max_t_tests.n_resamples


def has_single_test(p: Floats) -> bool:
    """Return whether at most one pair was tested, so that there is nothing to correct for."""
    return int(np.count_nonzero(~np.isnan(p))) <= 1


def _explain_undefined(
    pair_tests: PairTests, p_adjusted: Floats, max_t_notes: Sequence[str] = ()
) -> PairTests:
    """Drop notes on why max-T is undefined from pairs for which it is defined."""
    reasons = max_t_notes or pair_tests.notes
    notes = tuple(
        note or reason if math.isnan(p) else note * (_NO_MAX_T_REASON not in note)
        for note, reason, p in zip(pair_tests.notes, reasons, p_adjusted.tolist(), strict=True)
    )
    return replace(pair_tests, notes=notes)


def build_comparisons(
    matrix: ScoreMatrix, pairs: Pairs, *columns: Floats | Ints, notes: Sequence[str]
) -> tuple[Comparison, ...]:
    """Return pairs with their shared topics, difference, statistic, p-values and effect."""
    names = np.array(matrix.systems, dtype=object)[pairs].T
    return tuple(map(Comparison, *(column.tolist() for column in (*names, *columns)), notes))


def equivalence_p(
    values: Floats,
    pairs: Pairs,
    test: TestName,
    options: ResamplingOptions,
    compare_options: CompareOptions,
) -> Floats:
    """Test by two one-sided tests that differences are within a margin.

    a - b > -margin is tested by a + margin against b, and a - b < margin by a against b + margin.
    Statistics are symmetric under the hypothesis, so one side has half of the two-sided p-value;
    the larger of the two counts. Skewed differences are not symmetric, so p-values of resampling
    tests are at least those of t adjusted for skewness. Differences that do not vary cannot be
    tested: p is NaN.
    """
    n_systems, (a, b) = values.shape[1], pairs.T
    shifted_values = np.hstack([values, values + (compare_options.margin or 0.0)])
    above_pairs, below_pairs = (
        np.column_stack([a + n_systems, b]),
        np.column_stack([a, b + n_systems]),
    )
    shifted_pairs, directions = (
        np.concatenate([above_pairs, below_pairs]),
        np.repeat([1, -1], len(pairs)),
    )
    n_resamples = max(options.n_resamples, least_resamples(len(pairs), compare_options.alpha))
    options = replace(options, step_down=False, n_resamples=n_resamples)
    tests = apply_test(shifted_values, shifted_pairs, test, options)
    one_sided_p = np.where(tests.statistic * directions > 0, tests.p / 2, 1 - tests.p / 2)
    if test in RESAMPLING_TESTS:
        margin = compare_options.margin or 0.0
        p_skewness_adjusted = _skewness_adjusted_p(values, pairs, margin, options.clusters)
        one_sided_p = np.fmax(one_sided_p, p_skewness_adjusted.ravel())
    p_values: Floats = one_sided_p.reshape(2, -1).max(axis=0)
    p_values[_is_unvarying(values, pairs, test)] = np.nan
    return p_values


def _skewness_adjusted_p(
    values: Floats, pairs: Pairs, margin: float, clusters: Ints | None
) -> Floats:
    """Return one-sided p-values of differences above -margin, and below margin."""
    from scipy.special import stdtr

    p = np.empty((2, len(pairs)))
    for rows in blocks(len(pairs), len(values)):
        differences = values[:, pairs[rows, 0]] - values[:, pairs[rows, 1]]
        for row, sign in enumerate((-1, 1)):
            t, df = skewness_adjusted_t(differences, sign * margin, clusters)
            p[row, rows] = stdtr(np.maximum(df, 1), sign * t)
    return p


def _is_unvarying(values: Floats, pairs: Pairs, test: TestName) -> Bools:
    """Return which pairs do not vary: in their differences or, if unpaired, in their scores."""
    noise = noise_level(values[~np.isnan(values)])
    if test not in PAIRED_TESTS:
        is_constant = _ranges(values.T) <= noise
        return is_constant[pairs[:, 0]] & is_constant[pairs[:, 1]]
    is_unvarying = np.zeros(len(pairs), np.bool_)
    system_scores = np.ascontiguousarray(values.T)
    for rows in blocks(len(pairs), len(values)):
        first, second = pairs[rows].T
        is_unvarying[rows] = _ranges(system_scores[first] - system_scores[second]) <= noise
    return is_unvarying


def _ranges(rows: Floats) -> Floats:
    """Return the range of each row, ignoring NaN; negative if all are NaN."""
    is_unknown = np.isnan(rows)
    highest_values = np.where(is_unknown, -np.inf, rows).max(axis=1)
    return np.asarray(highest_values - np.where(is_unknown, np.inf, rows).min(axis=1))


def with_verdicts(
    comparisons: Sequence[Comparison], p_equivalence: Floats, options: CompareOptions
) -> tuple[Comparison, ...]:
    """Mark pairs as different, equivalent or undecided; Holm's correction replaces max-T."""
    correction = options.correction if options.correction in ("bh", "none") else "holm"
    p_adjusted = adjust_p(p_equivalence, method=correction)

    def add_verdict(pair: Comparison, p: float, p_adjusted: float) -> Comparison:
        is_equivalent, is_different = p_adjusted <= options.alpha, pair.p_adjusted <= options.alpha
        verdict: Verdict = (
            "equivalent" if is_equivalent else "different" if is_different else "undecided"
        )
        note = LESS_THAN_MARGIN_NOTE if is_equivalent and is_different else pair.note
        if math.isnan(p) and not note:
            note = UNVARYING_NOTE
        return replace(
            pair, p_equivalence=p, p_equivalence_adjusted=p_adjusted, verdict=verdict, note=note
        )

    rows = zip(comparisons, p_equivalence.tolist(), p_adjusted.tolist(), strict=True)
    return tuple(add_verdict(*row) for row in rows)


def _shared_differences(values: Floats, pairs: Pairs) -> tuple[Ints, Floats]:
    """Count the topics each pair shares, and average its differences on them."""
    is_present = (~np.isnan(values)).astype(np.float64)
    # Centering each topic keeps the digits of sums of differences.
    zero_filled = np.where(is_present > 0, values, 0.0)
    topic_means = zero_filled.sum(axis=1) / np.maximum(is_present.sum(axis=1), 1)
    centered_values = np.where(is_present > 0, values - topic_means[:, None], 0.0)
    sums = multiply(centered_values.T, is_present)
    first, second = pairs.T
    n_shared = multiply(is_present.T, is_present)[first, second]
    differences = np.full(len(pairs), np.nan)
    np.divide(
        sums[first, second] - sums[second, first], n_shared, out=differences, where=n_shared > 0
    )
    differences[np.abs(differences) <= noise_level(zero_filled)] = 0.0
    return n_shared.astype(np.int64), differences


def pair_counts(
    matrix: ScoreMatrix, comparisons: Sequence[Comparison], alpha: float
) -> dict[str, Any]:
    """Count significant differences: of all pairs, and of pairs of a person and a machine."""
    is_human = dict(zip(matrix.systems, matrix.human.tolist(), strict=True))
    mixed_pairs = [c for c in comparisons if is_human[c.a] != is_human[c.b]]
    return {
        name: PairCounts(
            len(pairs), sum(c.p_adjusted <= alpha for c in pairs), sum(c.p <= alpha for c in pairs)
        )
        for name, pairs in (("counts", comparisons), ("human_machine", mixed_pairs))
    }


def left_out_notes(
    matrix: ScoreMatrix, test: str, comparisons: Sequence[Comparison]
) -> Iterator[str]:
    """Report pairs without a p-value, and count missing scores."""
    scope = scope_name(matrix.measure, matrix.task)
    if undefined_pairs := [c for c in comparisons if math.isnan(c.p_adjusted)]:
        first_pair = undefined_pairs[0]
        reason = f" ({first_pair.note})" if first_pair.note else ""
        yield (
            f"{scope}: {len(undefined_pairs)} pairs without a corrected p-value under {test}, such "
            f"as {first_pair.a} and {first_pair.b}{reason}"
        )
    if matrix.missing and test not in MODELS:
        yield f"{scope}: {matrix.missing} missing scores; pairs use shared topics"
