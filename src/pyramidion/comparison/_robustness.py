"""How robust a ranking is: P(best), the spread of runs, and the topics that decide a pair."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pyramidion.collection import ScoreMatrix
from pyramidion.collection.ids import brief_list
from pyramidion.comparison._assessors import adjusted_for_assessors
from pyramidion.comparison._compare import CompareOptions, compare_matrix
from pyramidion.comparison._result import ComparisonResult, DecidingTopic, DecidingTopics
from pyramidion.errors import InputError, known_names
from pyramidion.questions import Options, option
from pyramidion.rendering.labels import counted, format_p
from pyramidion.rendering.table import Table
from pyramidion.stats.mean_intervals import influences
from pyramidion.stats.pairs import merge_rounding_ties, noise_level

# How many topics are left out at most, one after the other.
_MAX_REMOVED_TOPICS = 10
# Numbers that are drawn at a time.
_BLOCK_VALUES = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessOptions(Options):
    """What else to find out about the ranking."""

    p_best: bool = option(
        False, "Add P(best): the share of paired bootstrap samples of topics in which a system has "
        "the best mean (among machines, if there are any).", flags=("--p-best",),
    )  # fmt: skip
    deciding: tuple[str, ...] = option(
        (), "Pair of systems, comma-separated: list the topics that decide it (those with the "
        "largest influence on the difference), and show whether the verdict survives without "
        "them.",
        metavar="A,B",
    )  # fmt: skip

    def check(self) -> None:
        """Require two systems."""
        if self.deciding and len({*self.deciding}) != 2:
            raise InputError(f"--deciding names {', '.join(self.deciding)}", "name two systems")

    def require_plain(self, is_plain: bool) -> None:
        """Raise an error if an option needs a plain comparison of means."""
        if (self.p_best or self.deciding) and not is_plain:
            name = "--p-best" if self.p_best else "--deciding"
            hint = "leave out --model, --judge, --sequential, --gate and --family"
            raise InputError(f"{name} needs a plain comparison of each measure", hint=hint)

    def apply(
        self, result: ComparisonResult, matrix: ScoreMatrix, options: CompareOptions
    ) -> ComparisonResult:
        """Add to a result what was requested, and the spread of runs if there are several."""
        if result.runs:
            result = with_run_spreads(result, matrix)
        if self.p_best:
            result = with_p_best(result, adjusted_for_assessors(matrix), options)
        if self.deciding:
            topics = _deciding_topics(result, matrix, self.deciding, options)
            result = replace(result, deciding=topics)
        return result


def with_run_spreads(result: ComparisonResult, matrix: ScoreMatrix) -> ComparisonResult:
    """Add the standard deviation of the means of each system's runs."""
    rows = matrix.rows
    assert rows is not None
    columns = {name: rows.columns[name] for name in ("collection", "topic", "run")}

    def run_spread(system: str) -> float:
        mask = rows.columns["system"] == system
        items = list(zip(*(columns[n][mask] for n in ("collection", "topic")), strict=True))
        _, topic_codes = np.unique(
            [f"{name}\0{other}" for name, other in items], return_inverse=True
        )
        _, run_codes = np.unique(columns["run"][mask].astype(str), return_inverse=True)
        cell_codes = topic_codes * (run_codes.max() + 1) + run_codes
        n_cells = (topic_codes.max() + 1) * (run_codes.max() + 1)
        counts = np.bincount(cell_codes, minlength=n_cells).reshape(-1, run_codes.max() + 1)
        sums = np.bincount(cell_codes, rows.value[mask], n_cells).reshape(counts.shape)
        scores = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        # A run is not worse because it lacks an easy topic.
        scores = scores[(counts > 0).sum(axis=1) > 1]
        if scores.shape[1] < 2 or not len(scores) or np.isnan(scores).all(axis=0).any():
            return math.nan
        deviations = scores - np.nanmean(scores, axis=1, keepdims=True)
        return float(np.nanmean(deviations, axis=0).std(ddof=1))

    systems = tuple(replace(system, run_sd=run_spread(system.system)) for system in result.systems)
    note = (
        "SD of runs: the standard deviation of the means of a system's runs, which includes "
        "chance in individual scores; the variance between runs, estimated for all systems "
        "together, does not."
    )
    return replace(result, systems=systems, notes=(*result.notes, note))


def with_p_best(
    result: ComparisonResult, matrix: ScoreMatrix, options: CompareOptions
) -> ComparisonResult:
    """Add each system's probability of being the best."""
    is_candidate = ~matrix.human if not matrix.human.all() else matrix.human
    shares = p_best(matrix, is_candidate.nonzero()[0].tolist(), options.n_resamples, options.seed)
    is_one_part = max(system.part for system in result.systems) == 1
    systems = tuple(
        replace(system, p_best=shares.get(system.system, math.nan) if is_one_part else math.nan)
        for system in result.systems
    )
    candidate_noun = "a machine" if matrix.human.any() and not matrix.human.all() else "a system"
    unit = "clusters of topics" if matrix.clusters else "topics"
    note = (
        f"P(best): the share of {options.n_resamples:,} bootstrap samples of {unit}, the same "
        f"for all systems, in which {candidate_noun} has the best mean; ties are split."
    )
    return replace(result, systems=systems, notes=(*result.notes, note))


def p_best(
    matrix: ScoreMatrix, columns: Sequence[int], n_resamples: int, seed: int
) -> dict[str, float]:
    """Return how often each of some systems has the best mean when topics are drawn again.

    Where scores are missing, the least-squares means change by the influence of each topic.
    """
    influence = influences(matrix.values, matrix.cluster_codes)
    rows = matrix.goodness(influence.rows[:, columns])
    means, n_units = matrix.goodness(influence.means[list(columns)]), len(influence.rows)
    noise = noise_level(matrix.values[~np.isnan(matrix.values)])
    rng, wins = np.random.default_rng(seed), np.zeros(len(columns))
    block_size = max(1, _BLOCK_VALUES // n_units)
    for start in range(0, n_resamples, block_size):
        n_draws = min(block_size, n_resamples - start)
        draws = rng.multinomial(n_units, np.full(n_units, 1 / n_units), size=n_draws) - 1.0
        resampled_means = means + draws @ rows
        is_best = resampled_means >= resampled_means.max(axis=1, keepdims=True) - noise
        wins += (is_best / is_best.sum(axis=1, keepdims=True)).sum(axis=0)
    names = [matrix.systems[column] for column in columns]
    return dict(zip(names, (wins / n_resamples).tolist(), strict=True))


def _deciding_topics(
    result: ComparisonResult, matrix: ScoreMatrix, names: Sequence[str], options: CompareOptions
) -> DecidingTopics:
    """Leave out the topics that favor the verdict most, one after the other.

    For a significant difference these are the topics most in favor of the better system, otherwise
    those most against the system that is ahead.
    """
    for name in names:
        if name not in matrix.systems:
            raise InputError(f"there is no system {name!r}", known_names(name, matrix.systems))
    pair = next((c for c in result.comparisons if {c.a, c.b} == {*names}), None)
    if pair is None:
        raise InputError(f"{' and '.join(names)} were not compared", hint="leave out --baseline")
    leader = result.favors(pair) or pair.a
    trailing_system = pair.b if leader == pair.a else pair.a
    # Adjusted scores are not adjusted again.
    unadjusted_matrix = replace(adjusted_for_assessors(matrix), rows=None)
    scores = unadjusted_matrix.take(systems=[leader, trailing_system]).values
    rows = np.flatnonzero(~np.isnan(scores).any(axis=1))
    gains = unadjusted_matrix.goodness(scores[rows, 0] - scores[rows, 1])
    # Topics with equal gains keep their order, also where adjusted scores differ by rounding.
    gains = merge_rounding_ties(gains, noise_level(scores[rows]))
    is_significant = result.significant(pair)
    rows_by_gain = rows[np.argsort(-gains if is_significant else gains, kind="stable")].tolist()
    n_supporting = int(((gains if is_significant else -gains) > 0).sum())
    limit = min(_MAX_REMOVED_TOPICS, (len(rows_by_gain) - 1) // 2, n_supporting)
    topics: list[DecidingTopic] = []
    for count in range(1, limit + 1):
        left_out = {unadjusted_matrix.topics[row] for row in rows_by_gain[:count]}
        reduced_matrix = unadjusted_matrix.take(
            topics=[topic for topic in unadjusted_matrix.topics if topic not in left_out]
        )
        reduced_result = compare_matrix(reduced_matrix, options, test=result.test)  # type: ignore[arg-type]
        pair_without = next(c for c in reduced_result.comparisons if {c.a, c.b} == {*names})
        sign = 1 if pair_without.a == leader else -1
        first, second = scores[rows_by_gain[count - 1]].tolist()
        topics.append(
            DecidingTopic(
                unadjusted_matrix.topics[rows_by_gain[count - 1]], first, second, first - second,
                sign * pair_without.difference, pair_without.p_adjusted,
                reduced_result.significant(pair_without)
                and reduced_result.favors(pair_without) == leader,
            )
        )  # fmt: skip
    return DecidingTopics(
        leader, trailing_system, len(rows_by_gain), pair.p_adjusted, is_significant, tuple(topics)
    )


def deciding_table(result: ComparisonResult) -> Table:
    """List the topics that decide a pair."""
    pair = result.deciding
    assert pair is not None
    columns = (
        "topic", pair.a, pair.b, "difference", "difference without", "p adjusted without", "",
    )  # fmt: skip
    rows = tuple(
        (
            topic.topic, topic.first, topic.second, topic.difference, topic.difference_without,
            topic.p_without, "*" if topic.significant_without else "",
        )
        for topic in pair.topics
    )  # fmt: skip
    title = f"Topics that decide between {pair.a} and {pair.b} on {result.measure}"
    title += f", task {result.task}" if result.task else ""
    sentences = ". ".join(_deciding_sentences(pair, result))
    note = f"{sentences}. *Without*: without this topic and those above it."
    key = (("task", result.task), ("measure", result.measure), ("test", result.test))
    return Table(columns, rows, title, note, key=key, name="deciding")


def _deciding_sentences(pair: DecidingTopics, result: ComparisonResult) -> Iterator[str]:
    """Say whether the verdict survives."""
    p = f"p = {format_p(pair.p_adjusted)}".replace("= <", "< ")
    lead_text = f"{pair.a} beats {pair.b}" if pair.significant else f"{pair.a} is ahead of {pair.b}"
    suffix = "" if pair.significant else ": undecided"
    yield f"{lead_text} on {counted(pair.n, 'topic')} ({p}{suffix})"
    changing_topics = pair.decisive
    if not pair.topics:
        side_text = "in favor of" if pair.significant else "against"
        yield f"No topic can be left out: too few are {side_text} {pair.a}"
    elif changing_topics:
        names = brief_list([topic.topic for topic in changing_topics])
        verdict = "undecided" if pair.significant else f"decided for {pair.a}"
        yield f"It would be {verdict} without {counted(len(changing_topics), 'topic')}: {names}"
        n_unchanged = pair.n - len(changing_topics)
        if result.n_resamples and pair.significant and 2 / 2**n_unchanged > result.alpha:
            yield f"But on {n_unchanged} topics no difference can be significant by {result.test}"
    else:
        side_text = f"favor {pair.a} most" if pair.significant else f"are most against {pair.a}"
        verdict = "significant" if pair.significant else "undecided"
        topics_text = counted(len(pair.topics), "topic")
        yield f"It stays {verdict} without the {topics_text} that {side_text}"
